"""What the fields of workspaces, users and keys may hold; each error names the field."""

from __future__ import annotations

import json
import re
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from metronix.errors import InvalidParams
from metronix.tenancy.access import DEFAULT_WORDS
from metronix.tenancy.models import AGENT_ID_PATTERN, WORKSPACE_ID_PATTERN, User

NAME_LENGTH = 128
DESCRIPTION_LENGTH = 2_000
CONFIG_BYTES = 32 * 1024
_UNCARRIED = re.compile("[\x00\ud800-\udfff]")


def text(field: str, value: Any, *, longest: int) -> str:
    """A string that the database can carry, trimmed."""
    if not isinstance(value, str):
        raise InvalidParams(f"{field} must be a string.", field=field)
    if _UNCARRIED.search(value):
        raise InvalidParams(f"{field} contains a NUL character or a lone surrogate.", field=field)
    if len(value) > longest:
        raise InvalidParams(f"{field} may have at most {longest:,} characters.", field=field)
    return value.strip()


def workspace_id(value: Any) -> str:
    """An id that can stand in a URL, a setting and a list."""
    if not isinstance(value, str) or not re.match(WORKSPACE_ID_PATTERN, value):
        raise InvalidParams("workspace_id must be 1 to 64 of A-Z a-z 0-9 _ -.", field="workspace_id")
    if value in DEFAULT_WORDS:
        raise InvalidParams(f'"{value}" stands for the default workspace; name one.', field="workspace_id")
    return value


def agent_id(value: Any) -> str | None:
    """An agent's id, or None for no binding."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not re.match(AGENT_ID_PATTERN, value):
        raise InvalidParams("agent_id must be 1 to 64 of A-Z a-z 0-9 . _ -.", field="agent_id")
    return value


def config(value: Any) -> dict[str, Any]:
    """Any JSON object up to 32 KiB."""
    if not isinstance(value, dict):
        raise InvalidParams("config must be an object.", field="config")
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        size = len(written.encode("utf-8"))
    except (TypeError, ValueError, RecursionError):
        raise InvalidParams("config must be plain JSON (no NaN, no infinity).", field="config") from None
    if size > CONFIG_BYTES or "\\u0000" in written:
        raise InvalidParams(f"config may have at most {CONFIG_BYTES:,} bytes and no NUL.", field="config")
    return value


def email(value: Any) -> str:
    """An address in lower case, as it is compared."""
    address = text("email", value, longest=254).lower()
    try:
        validate_email(address)
    except ValidationError:
        raise InvalidParams("email must be an e-mail address.", field="email") from None
    return address


def password(value: Any, user: User) -> str:
    """A password that the configured validators accept; it is not trimmed."""
    if not isinstance(value, str) or len(value) > 1_024 or _UNCARRIED.search(value):
        raise InvalidParams("password must be a string of at most 1,024 characters.", field="password")
    try:
        validate_password(value, user)
    except ValidationError as problem:
        raise InvalidParams(" ".join(problem.messages), field="password") from None
    return value
