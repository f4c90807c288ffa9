"""Where PostgreSQL is and as whom to speak to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from metronix import env

if TYPE_CHECKING:
    import psycopg


def database_settings() -> dict[str, Any]:
    """Django's DATABASES entry for the role in METRONIX_DB_ROLE.

    `application` (the default) owns no table and cannot bypass row-level security; `owner` is for migrations.
    """
    name = "DATABASE_URL" if database_role() == "application" else "DATABASE_OWNER_URL"
    url = env.text(name)
    # Commands that need no database (help, compilemessages) must load the settings too, hence no error on absence.
    parts = parse_url(name, url) if url else {}
    options: dict[str, Any] = {
        key: value for key, value in parts.items() if key not in ("host", "port", "dbname", "user", "password")
    }
    # Who holds which connection, in pg_stat_activity.
    options.setdefault("application_name", f"metronix {env.text('METRONIX_PROCESS', 'command')}")
    pool_size = env.integer("METRONIX_DB_POOL", 0, minimum=0, maximum=200)
    if pool_size:
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.get("dbname", "metronix"),
        "USER": parts.get("user", ""),
        "PASSWORD": parts.get("password", ""),
        "HOST": parts.get("host", ""),
        "PORT": str(parts.get("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": 0 if pool_size else 600,
        "CONN_HEALTH_CHECKS": True,
    }


def database_role() -> str:
    """As whom this process connects."""
    return env.text("METRONIX_DB_ROLE", "application", choices=("application", "owner"))


@contextmanager
def owner_connection() -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """An autocommit connection as the owner, for the few changes of the schema that happen outside migrations.

    Error: ImproperlyConfigured when DATABASE_OWNER_URL is not set.
    """
    import psycopg

    url = env.text("DATABASE_OWNER_URL")
    if not url:
        raise ImproperlyConfigured("DATABASE_OWNER_URL is not set; the owner's role is needed to change an index.")
    with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        yield connection


def parse_url(name: str, url: str) -> dict[str, Any]:
    """The parts of a postgresql:// URL (libpq's own rules, so a socket folder may stand in `?host=`)."""
    import psycopg

    try:
        return dict(conninfo_to_dict(url))
    except psycopg.Error as problem:
        raise ImproperlyConfigured(f"{name} is not a PostgreSQL URL: {problem}") from problem
