"""Forms about people."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldBooleanSwitchWidget

from metronix.adminsite.base import RefusableForm
from metronix.tenancy.models import Grant, User, Workspace


class UserForm(RefusableForm):
    """A person with grants; the choice of workspaces is what the editing person may enter (row-level security)."""

    workspaces = forms.ModelMultipleChoiceField(
        Workspace.objects.none(),
        required=False,
        widget=AutocompleteSelectMultiple(Grant._meta.get_field("workspace"), admin.site),
        help_text="Whose memories this person may enter. You can only give what you were given.",
    )
    every_workspace = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text="All workspaces, present and future, instead of the list above.",
    )

    class Meta:
        model = User
        fields: ClassVar[list[str]] = ["email", "display_name", "role", "is_active", "is_staff"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["workspaces"].queryset = Workspace.objects.all()  # type: ignore[attr-defined]
        if self.instance.pk and not self.instance._state.adding:
            self.initial["workspaces"] = list(self.instance.grants.values_list("workspace_id", flat=True))
            self.initial["every_workspace"] = self.instance.all_workspaces

    @property
    def grants(self) -> list[str]:
        """The services' word for what was chosen."""
        if self.cleaned_data.get("every_workspace"):
            return ["*"]
        return [row.id for row in self.cleaned_data["workspaces"]]


class NewUserForm(UserForm):
    """With a first password."""

    password = forms.CharField(
        required=False,
        strip=False,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
        help_text="At least 10 characters. Without one the person cannot log in here yet.",
    )


class PasswordForm(forms.Form):
    """A new password for somebody."""

    password = forms.CharField(
        strip=False, widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}), label="New password"
    )
    again = forms.CharField(
        strip=False, widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}), label="Once more"
    )

    def clean(self) -> dict[str, Any]:
        """Both must be the same."""
        data = super().clean() or self.cleaned_data
        if data.get("password") != data.get("again"):
            self.add_error("again", "The two passwords differ.")
        return data
