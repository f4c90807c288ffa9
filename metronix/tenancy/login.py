"""A person, an address and a password: the one check behind the login endpoint and the admin's form."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from metronix.errors import AuthRequired, Forbidden, MetronixError, RateLimited
from metronix.tenancy import tokens
from metronix.tenancy.models import User
from metronix.tenancy.policy import access_of_user
from metronix.tenancy.principal import EVERY_WORKSPACE, Principal, Role
from metronix.tenancy.throttle import Limit, attempt, forgive


def log_in(email: str, password: str, *, address: str) -> User:
    """The active user with this password. `address` is the network address the attempt comes from.

    Errors: RateLimited (too many attempts for the account, or from the address), AuthRequired (the same words after the
    same time, whether the account or the password is unknown), Forbidden (right password, disabled account).
    """
    account = email.strip().lower()
    window = settings.METRONIX_LOGIN_WINDOW
    attempt("address", address, Limit(settings.METRONIX_LOGIN_ADDRESS_ATTEMPTS, window))
    attempt("account", account, Limit(settings.METRONIX_LOGIN_ACCOUNT_ATTEMPTS, window))
    user = None if "\0" in account else User.objects.filter(email=account).first()
    if user is None:
        User().set_password(password)  # takes as long as checking one would
    if user is None or not user.check_password(password):
        raise AuthRequired("E-mail address or password is wrong.", hint="Try again, or ask an administrator.")
    forgive("account", account)
    if not user.is_active:
        raise Forbidden("This user is disabled.", hint="Ask an administrator.")
    return user


def login_token(user: User) -> str:
    """A token that counts as a person on REST: its `amr` says that a password was typed."""
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    return user_token(user, timedelta(hours=settings.METRONIX_LOGIN_HOURS), methods=(tokens.LOGIN_METHOD,))


def user_token(user: User, lifetime: timedelta, *, methods: tuple[str, ...] = ()) -> str:
    """A token for a local user as they are now; what is withdrawn later is withdrawn from it too."""
    return tokens.issue(
        str(user.pk), role=Role(user.role), workspaces=workspaces_of(user), lifetime=lifetime, methods=methods
    )


def workspaces_of(user: User) -> list[str]:
    """The ids granted, or `["*"]`."""
    access = access_of_user(user.pk)
    if access is None:
        return []
    return [EVERY_WORKSPACE] if access.all_workspaces else sorted(access.workspaces)


def email_of(principal: Principal) -> str | None:
    """The address of a local user; None for keys, the local caller and other issuers' subjects."""
    kind, _, subject = principal.id.partition(":")
    return User.objects.filter(id=subject).values_list("email", flat=True).first() if kind == "user" else None


class ThrottledBackend(ModelBackend):
    """Django's `authenticate`, and so the admin's form whatever it looks like, under the same limits."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """The user, or None; too many attempts become the form's own error."""
        email = username if username is not None else kwargs.get(User.USERNAME_FIELD)
        if email is None or password is None:
            return None
        try:
            return log_in(str(email), password, address=address_of(request))
        except RateLimited as problem:
            raise ValidationError(f"{problem.message} {problem.hint}", code="throttled") from None
        except MetronixError:
            return None


def address_of(request: HttpRequest | None) -> str:
    """Where a request comes from, by the connection: a forwarded address is a claim of whoever sends it."""
    return request.META.get("REMOTE_ADDR") or "" if request is not None else ""
