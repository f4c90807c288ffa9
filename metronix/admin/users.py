"""People: their role, what they may enter, and whether they may log in here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesCheckboxFilter

from metronix.admin.user_forms import NewUserForm, PasswordForm, UserForm
from metronix.adminsite.base import ServiceAdmin
from metronix.adminsite.display import chip, link, when
from metronix.adminsite.who import of_request
from metronix.errors import InvalidParams
from metronix.tenancy import policy
from metronix.tenancy.models import User, Workspace
from metronix.tenancy.principal import Role
from metronix.tenancy.services import create_user, get_user, set_password, update_user
from metronix.tenancy.services.users import visible_users

PERSONAL = ("email", "display_name", "role", "is_active", "is_staff")
MOST_SHOWN = 5


@admin.register(User)
class UserAdmin(ServiceAdmin):
    """Somebody with access beyond one's own can be let into one's own workspaces, and nothing else."""

    list_display = ("email", "display_name", "role", "enters", "state", "staff", "last_seen")
    list_filter = (("role", ChoicesCheckboxFilter), "is_active", "is_staff")
    search_fields = ("email", "display_name")
    search_help_text = "Search by e-mail address or name"
    ordering = ("email",)
    change_form_outer_after_template = "admin/metronix/user/more.html"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """People are an administrator's business."""
        return policy.may_administer(of_request(request))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Those the person may know of; users have no row-level security, as their grants have."""
        return visible_users(of_request(request)).prefetch_related("grants").order_by("email")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """A first password is part of the form for a new person alone."""
        return super().get_form(request, obj, change, form=UserForm if obj else NewUserForm, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> list[tuple[str | None, dict[str, Any]]]:
        """Who it is, what they may do."""
        who = ("email", "display_name") if obj else ("email", "display_name", "password")
        rights: tuple[str, ...] = ("role", "workspaces")
        if policy.may_enter_all(of_request(request)):
            rights = (*rights, "every_workspace")
        return [
            (None, {"fields": who}),
            ("Access", {"fields": (*rights, "is_staff", "is_active") if obj else (*rights, "is_staff")}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """All but the grants, for someone with access beyond the editing person's."""
        return () if obj is None or self._changeable(request, obj) else PERSONAL

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Through the services."""
        data = form.cleaned_data
        given = {name: data[name] for name in PERSONAL if name in data}
        if "role" in given:
            given["role"] = Role(given["role"])
        if change:
            row = update_user(of_request(request), user_id=obj.pk, workspaces=form.grants, **given)
        else:
            given.pop("is_active", None)
            row = create_user(of_request(request), password=data["password"] or None, workspaces=form.grants, **given)
        obj.__dict__.update(row.__dict__)

    def get_urls(self) -> list[URLPattern]:
        """With the setting of a password."""
        view = self.admin_site.admin_view(self.password_view)
        return [path("<uuid:object_id>/password/", view, name="metronix_user_password"), *super().get_urls()]

    def password_view(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Ask for a new password and set it."""
        actor = of_request(request)
        user = get_user(actor, user_id=object_id)
        form = PasswordForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                set_password(actor, user_id=user.pk, password=form.cleaned_data["password"])
            except InvalidParams as problem:
                form.add_error("password", problem.message)
            else:
                messages.success(request, f"{user.email} has a new password; other sessions of theirs have ended.")
                return HttpResponseRedirect(reverse("admin:metronix_user_change", args=[user.pk]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"New password for {user.email}",
            "form": form,
            "back": reverse("admin:metronix_user_change", args=[user.pk]),
        }
        return TemplateResponse(request, "admin/metronix/user/password.html", context)

    def _changeable(self, request: HttpRequest, user: User) -> bool:
        access = policy.access_of_user(user.pk)
        return access is not None and policy.may_change_user(of_request(request), access)

    @admin.display(description="may enter")
    def enters(self, row: User) -> SafeString | str:
        """The visible grants."""
        if row.all_workspaces or row.is_superuser:
            return "every workspace"
        ids = sorted(grant.workspace_id for grant in row.grants.all())
        shown = format_html_join(", ", "{}", ((link(Workspace, name),) for name in ids[:MOST_SHOWN]))
        return shown + (f" and {len(ids) - MOST_SHOWN} more" if len(ids) > MOST_SHOWN else "") if ids else "nothing"

    @admin.display(description="state", ordering="is_active")
    def state(self, row: User) -> SafeString:
        """Whether any door is open to them."""
        return chip("active") if row.is_active else chip("disabled", "bad")

    @admin.display(description="admin login", boolean=True, ordering="is_staff")
    def staff(self, row: User) -> bool:
        """Whether this site is."""
        return row.is_staff

    @admin.display(description="last login", ordering="last_login")
    def last_seen(self, row: User) -> SafeString | str:
        """Here, or for a token."""
        return when(row.last_login) if row.last_login else "never"
