"""Where a browser's request may come from when no credential protects the door.

In open mode any page a person visits could otherwise use their browser to read and write the local memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

LOCAL_HOSTS = [".localhost", "127.0.0.1", "[::1]"]
"""What Django itself allows under DEBUG with no ALLOWED_HOSTS."""


def host_allowed(host: str) -> bool:
    """True when ALLOWED_HOSTS covers the Host header, with or without a port (Django's own rules)."""
    allowed = settings.ALLOWED_HOSTS or (LOCAL_HOSTS if settings.DEBUG else [])
    return _host_allowed(host, tuple(allowed))


@lru_cache(maxsize=256)
def _host_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, list(allowed))


def foreign_origin(headers: Mapping[str, str]) -> bool:
    """True when a browser sent this from a page of another host or port that CSRF_TRUSTED_ORIGINS does not list."""
    origin = headers.get("origin", "")
    if not origin or origin in settings.CSRF_TRUSTED_ORIGINS:
        return False
    # A page without an origin of its own says "null", which has no host to compare.
    try:
        return (urlsplit(origin).netloc or None) != headers.get("host")
    except ValueError:
        return True  # no browser sends such an Origin
