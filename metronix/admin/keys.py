"""API keys: issued, shown once, watched and revoked."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesCheckboxFilter

from metronix.admin.key_filters import StateFilter
from metronix.adminsite.base import ServiceAdmin
from metronix.adminsite.confirm import confirmation
from metronix.adminsite.display import chip, link, when
from metronix.adminsite.filters import WORKSPACE, AgentFilter
from metronix.adminsite.who import of_request, principal_link
from metronix.errors import NotFound
from metronix.tenancy import policy
from metronix.tenancy.models import ApiKey, Workspace
from metronix.tenancy.principal import PrincipalType, Role
from metronix.tenancy.services import create_key, revoke_key
from metronix.tenancy.services.keys import is_active

ISSUED = ("workspace", "label", "agent_id", "role", "principal_type", "expires_at")
SHOWN = ("prefix", "label", "place", "agent_id", "role", "principal_type", "state", "used", "made", "maker", "expires")


@admin.register(ApiKey)
class ApiKeyAdmin(ServiceAdmin):
    """A key is not changed after it was issued: it is revoked, and another one issued."""

    list_display = ("prefix", "label", "place", "agent_id", "role", "principal_type", "state", "used", "made")
    list_filter = (WORKSPACE, StateFilter, ("role", ChoicesCheckboxFilter), AgentFilter)
    search_fields = ("prefix", "label", "agent_id")
    search_help_text = "Search by first characters, label or agent"
    ordering = ("-created_at", "-id")
    autocomplete_fields = ("workspace",)
    actions = ("revoke_selected",)
    change_form_outer_after_template = "admin/metronix/apikey/more.html"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Credentials are an administrator's business."""
        return policy.may_administer(of_request(request))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never: see the class."""
        return False

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Asked for the bulk action."""
        return policy.may_administer(of_request(request))

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        """What is asked when issuing, and what is known afterwards."""
        return SHOWN if obj else ISSUED

    def get_readonly_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        """Everything, once issued."""
        return SHOWN if obj else ()

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Issue; the secret travels on the request alone, to the page that answers it."""
        data = form.cleaned_data
        row, secret = create_key(
            of_request(request),
            workspace_id=data["workspace"].id,
            agent_id=data["agent_id"] or None,
            role=Role(data["role"]),
            principal_type=PrincipalType(data["principal_type"]),
            label=data["label"],
            expires_at=data["expires_at"],
        )
        obj.__dict__.update(row.__dict__)
        request.issued_secret = secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Show the key in this one answer: not in a message, a session or at an address that could be asked again.

        (`admin_view` has marked the answer no-store.)
        """
        return TemplateResponse(
            request,
            "admin/metronix/apikey/issued.html",
            {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": "Your new API key",
                "key": obj,
                "secret": request.issued_secret,  # type: ignore[attr-defined]
                "page": reverse("admin:metronix_apikey_change", args=[obj.pk]),
            },
        )

    def get_urls(self) -> list[URLPattern]:
        """With the revoking of one key."""
        view = self.admin_site.admin_view(self.revoke_view)
        return [path("<uuid:object_id>/revoke/", view, name="metronix_apikey_revoke"), *super().get_urls()]

    def revoke_view(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Ask, then revoke."""
        policy.require_administrator(of_request(request))
        row = ApiKey.objects.filter(id=object_id).first()
        if row is None:
            raise NotFound("API key not found.")
        page = reverse("admin:metronix_apikey_change", args=[row.pk])
        if request.method == "POST":
            revoke_key(of_request(request), key_id=row.id)
            messages.success(request, f"The key {row} opens nothing any more.")
            return HttpResponseRedirect(page)
        return confirmation(
            request,
            self.admin_site,
            self.opts,
            title=f"Revoke {row}?",
            lines=["Whoever uses it is refused from the next call on. A revoked key cannot be brought back."],
            button="Revoke the key",
            back=page,
        )

    @admin.action(description="Revoke the selected keys", permissions=["revoke"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """One by one, through the service."""
        keys = [revoke_key(of_request(request), key_id=key_id) for key_id in queryset.values_list("id", flat=True)]
        messages.success(request, f"{len(keys)} key{'' if len(keys) == 1 else 's'} revoked.")

    @admin.display(description="workspace", ordering="workspace_id")
    def place(self, row: ApiKey) -> SafeString | str:
        """The workspace it opens."""
        return link(Workspace, row.workspace_id)

    @admin.display(description="state")
    def state(self, row: ApiKey) -> SafeString:
        """Active, revoked or expired."""
        return chip("active" if is_active(row) else "revoked" if row.revoked_at else "expired")

    @admin.display(description="last used", ordering="last_used_at")
    def used(self, row: ApiKey) -> SafeString | str:
        """To within half a minute."""
        return when(row.last_used_at) if row.last_used_at else "never"

    @admin.display(description="issued", ordering="created_at")
    def made(self, row: ApiKey) -> SafeString | str:
        """When."""
        return when(row.created_at)

    @admin.display(description="issued by")
    def maker(self, row: ApiKey) -> SafeString | str:
        """Who."""
        return principal_link(row.created_by)

    @admin.display(description="expires", ordering="expires_at")
    def expires(self, row: ApiKey) -> SafeString | str:
        """When it stops by itself."""
        return when(row.expires_at) if row.expires_at else "never"
