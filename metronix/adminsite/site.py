"""The site: each of its pages runs in one transaction that sees what the person was granted."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBadRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from unfold.forms import AdminOwnPasswordChangeForm
from unfold.sites import UnfoldAdminSite

from metronix.adminsite.who import of_request, person
from metronix.errors import Forbidden, MetronixError, NotFound
from metronix.tenancy.context import granted_visible
from metronix.tenancy.services import set_password

View = Callable[..., HttpResponseBase]


class OwnPasswordForm(AdminOwnPasswordChangeForm):
    """Asks for the old password and hands the new one to the service."""

    def save(self, commit: bool = True) -> Any:
        """Set it; `commit` is part of Django's form."""
        user = self.user
        set_password(person(user), user_id=user.pk, password=self.cleaned_data["new_password1"])
        user.refresh_from_db(fields=["password"])
        return user


class MetronixAdminSite(UnfoldAdminSite):
    """django-unfold's site over row-level security (docs/decisions)."""

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Every view of the admin passes here: the stock ones, unfold's and our own."""
        inner = view if getattr(view, "opens_transactions", False) else _in_transaction(view)
        return super().admin_view(_answering_refusals(inner), cacheable)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Unfold's page with a form that saves through the service."""
        request.current_app = self.name
        view = PasswordChangeView.as_view(
            form_class=OwnPasswordForm,
            success_url=reverse(f"{self.name}:password_change_done", current_app=self.name),
            template_name=self.password_change_template or "registration/password_change_form.html",
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return view(request)


def opens_transactions(view: View) -> View:
    """Mark a view that calls a slow service (docs/decisions/0002): it says itself where `granted_visible` applies."""
    view.opens_transactions = True  # type: ignore[attr-defined]
    return view


def rendered(response: HttpResponseBase) -> HttpResponseBase:
    """The response with its template rendered now: lists and pages query while they are rendered."""
    return response.render() if isinstance(response, SimpleTemplateResponse) else response


def _in_transaction(view: View) -> View:
    """The view in one transaction, with the granted workspaces visible; an exception rolls everything back."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with granted_visible(of_request(request)):
            return rendered(view(request, *args, **kwargs))

    return inner


def _has_nul(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """PostgreSQL takes no NUL; no page has a use for one."""
    sent = (
        value for data in (request.GET, request.POST) for values in data.lists() for value in (values[0], *values[1])
    )
    return any("\0" in str(value) for value in (*sent, *kwargs.values()))


def _answering_refusals(view: View) -> View:
    """A service's refusal that no page has caught becomes the page's message, or the status that fits."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _has_nul(request, kwargs):
            return HttpResponseBadRequest("The address or form contains a NUL character.")
        try:
            return view(request, *args, **kwargs)
        except NotFound as problem:
            raise Http404(problem.message) from problem
        except Forbidden as problem:
            raise PermissionDenied(problem.message) from problem
        except MetronixError as problem:
            if request.method != "POST":
                raise
            messages.error(request, f"{problem.message} {problem.hint}".strip())
            return HttpResponseRedirect(request.get_full_path())

    return inner
