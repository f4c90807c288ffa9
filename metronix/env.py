"""The only module that reads the environment: typed, refusing odd values, with NAME_FILE for secrets.

Every variable read here is listed in docs/settings.md; a test compares both ways.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

READ: dict[str, str] = {}
"""Name -> default as text, of every variable asked for: the source of the documentation test."""

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "", *, choices: tuple[str, ...] | None = None) -> str:
    """The variable as text; `NAME_FILE` names a file that holds it (for secrets kept out of the environment)."""
    READ.setdefault(name, default)
    path = os.environ.get(f"{name}_FILE")
    if path and os.environ.get(name):
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; keep one.")
    if path:
        try:
            value = Path(path).read_text(encoding="utf-8").strip()
        except OSError as problem:
            raise ImproperlyConfigured(f"{name}_FILE: cannot read {path} ({problem.strerror}).") from problem
    else:
        value = os.environ.get(name, default)
    if choices and value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}; it is {value!r}.")
    return value


def boolean(name: str, default: bool) -> bool:
    """true/false, yes/no, on/off, 1/0 in any case; anything else is refused."""
    value = text(name, str(default).lower()).strip().lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false; it is {value!r}.")


def integer(name: str, default: int, *, minimum: int | None = None, maximum: int | None = None) -> int:
    """A whole number within bounds."""
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number; it is {value!r}.") from None
    return int(_bounded(name, number, minimum, maximum))


def decimal(name: str, default: float, *, minimum: float | None = None, maximum: float | None = None) -> float:
    """A finite number within bounds."""
    value = text(name, str(default))
    try:
        number = float(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number; it is {value!r}.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ImproperlyConfigured(f"{name} must be a finite number; it is {value!r}.")
    return _bounded(name, number, minimum, maximum)


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list, blanks dropped."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def _bounded(name: str, number: float, minimum: float | None, maximum: float | None) -> float:
    if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
        raise ImproperlyConfigured(f"{name} must lie between {minimum} and {maximum}; it is {number}.")
    return number
