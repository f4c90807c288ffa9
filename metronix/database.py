"""Where PostgreSQL is and as whom to speak to it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from metronix import env


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


def parse_url(name: str, url: str) -> dict[str, Any]:
    """The parts of a postgresql:// URL (libpq's own rules, so a socket folder may stand in `?host=`)."""
    import psycopg

    try:
        return dict(conninfo_to_dict(url))
    except psycopg.Error as problem:
        raise ImproperlyConfigured(f"{name} is not a PostgreSQL URL: {problem}") from problem
