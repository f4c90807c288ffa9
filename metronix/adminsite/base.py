"""What all pages of the admin share."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.db import transaction
from django.db.models import Model
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from unfold.admin import ModelAdmin

from metronix.adminsite.who import of_request
from metronix.errors import MetronixError
from metronix.tenancy import policy

SECRET_FIELDS = frozenset({"password", "key_hash"})


class BaseAdmin(ModelAdmin):
    """Permissions by role and not by Django's tables; the rows are limited by the database."""

    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True
    compressed_fields = True
    empty_value_display = "—"

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Shown in the navigation to those who may see its rows."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Everyone with a login, within the granted workspaces."""
        return policy.may_read(of_request(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows made by machines are only looked at."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """See `has_add_permission`."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """See `has_add_permission`."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Titled by what is listed; Django would say "Select … to change" to people who cannot."""
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, title | (extra_context or {}))

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Nothing secret can be asked about by way of the address: a filter by prefix would spell it out."""
        if SECRET_FIELDS & set(lookup.split(LOOKUP_SEP)):
            return False
        return super().lookup_allowed(lookup, value, request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without Django's bulk delete, which goes past the services."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions


class RefusableForm(forms.ModelForm):
    """Shows what a service refused, at the field it is about."""

    refusal: ClassVar[MetronixError | None] = None

    def clean(self) -> dict[str, Any]:
        """Add the refusal of the attempt just made."""
        cleaned = super().clean() or self.cleaned_data
        if self.refusal is not None:
            field = str(self.refusal.details.get("field", ""))
            text = f"{self.refusal.message} {self.refusal.hint}".strip()
            self.add_error(field if field in self.fields else None, text)
        return cleaned


class ServiceAdmin(BaseAdmin):
    """Pages whose form is saved by a service (`save_model`); for administrators."""

    form = RefusableForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Administrators, within what they were granted."""
        return policy.may_administer(of_request(request))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """As for adding."""
        return policy.may_administer(of_request(request))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """The form, which knows what the service refused (the class is made anew for each request)."""
        made = super().get_form(request, obj, change=change, **kwargs)
        made.refusal = getattr(request, "refusal", None)
        return made

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Save, or show the form again with the refusal; nothing of a refused attempt stays."""
        try:
            with transaction.atomic():
                return super().changeform_view(request, object_id, form_url, extra_context)
        except MetronixError as problem:
            request.refusal = problem  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)
