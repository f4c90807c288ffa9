"""System checks: `manage.py check` asks about the settings, `check --database default` about the database too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connections

from metronix.database_rules import database_problems
from metronix.start_check import settings_problems, unreachable


@register(Tags.security)
def check_settings(**_: Any) -> list[CheckMessage]:
    """Values that are of the right kind and still must not be used."""
    return [Error(problem.message, hint=problem.advice, id="metronix.E001") for problem in settings_problems()]


@register(Tags.database)
def check_database(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Role, extension, row-level security, functions. Not for the owner, who connects to migrate and for nothing else.

    `migrate` runs this too, before there is any table.
    """
    if settings.METRONIX_DB_ROLE == "owner" or "default" not in (databases or ()):
        return []
    try:
        with connections["default"].cursor() as cursor:
            problems = list(database_problems(cursor))
    except DatabaseError as trouble:
        problems = [unreachable(trouble)]
    return [Error(problem.message, hint=problem.advice, id="metronix.E002") for problem in problems]
