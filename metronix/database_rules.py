"""What must be true of the database before anything is served from it.

Row-level security is half of the tenants' isolation, and it silently does nothing for a superuser, for a role with
BYPASSRLS and for the owner of the tables: a wrong DATABASE_URL would work, and show everyone everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

from metronix.embedded.problems import StartProblem

OLDEST_PGVECTOR = (0, 8)
"""Iterative index scans, without which a filtered vector search comes back short, are of 0.8."""
ROLES = "Connect as the application's role (docs/running.md has the statements that make it)."
MIGRATE = "Run the migrations as the owner: METRONIX_DB_ROLE=owner python manage.py migrate."
SETTING = "metronix.workspaces"

_functions = {"metronix_key_by_hash", "metronix_user_access", "metronix_workspace_ids"}


class Cursor(Protocol):
    """Django's cursor and psycopg's alike."""

    def execute(self, query: Any, parameters: Any = ...) -> Any:
        """Run one statement."""

    def fetchall(self) -> list[Any]:
        """All rows of the last statement."""


def require_functions(*names: str) -> None:
    """Called by an app's `ready`: functions in the database that it cannot work without."""
    _functions.update(names)


def required_functions() -> frozenset[str]:
    """The functions of all apps."""
    return frozenset(_functions)


def database_problems(cursor: Cursor) -> Iterator[StartProblem]:
    """All that is wrong with the connection's role and its database, the gravest first."""
    yield from _role(cursor)
    yield from _pgvector(cursor)
    yield from _tables(cursor)
    yield from _missing_functions(cursor)


def _role(cursor: Cursor) -> Iterator[StartProblem]:
    # The session's role and every role it may switch to: RESET ROLE undoes a SET ROLE, and an inherited right counts.
    cursor.execute(
        """
        SELECT session_user, bool_or(rolsuper), bool_or(rolbypassrls) FROM pg_roles
        WHERE pg_has_role(session_user, oid, 'MEMBER')
        """
    )
    name, superuser, bypasses = cursor.fetchall()[0]
    if superuser:
        yield StartProblem(f"DATABASE_URL connects as {name}, who is (or may become) a superuser.", ROLES)
    elif bypasses:
        yield StartProblem(f"DATABASE_URL connects as {name}, whom row-level security does not bind.", ROLES)
    else:
        cursor.execute(
            """
            SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                AND pg_has_role(session_user, relowner, 'MEMBER') ORDER BY 1
            """
        )
        owned = [table for (table,) in cursor.fetchall()]
        if owned:
            yield StartProblem(
                f"DATABASE_URL connects as {name}, who owns tables ({_some(owned)}): row-level security does not bind "
                "their owner.",
                ROLES,
            )


def _pgvector(cursor: Cursor) -> Iterator[StartProblem]:
    cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    versions = [version for (version,) in cursor.fetchall()]
    oldest = ".".join(map(str, OLDEST_PGVECTOR))
    if not versions:
        yield StartProblem(
            "The database lacks the extension pgvector.",
            f"Install pgvector {oldest}+ and run: CREATE EXTENSION vector;",
        )
    elif tuple(map(int, re.findall(r"\d+", versions[0])[:2])) < OLDEST_PGVECTOR:
        yield StartProblem(
            f"The database's pgvector is {versions[0]}; {oldest} or newer is needed.",
            f"Install pgvector {oldest}+ and run: ALTER EXTENSION vector UPDATE;",
        )


def _tables(cursor: Cursor) -> Iterator[StartProblem]:
    """Tables with workspaces in them; one that the role may not touch at all (a partition) needs no policy."""
    cursor.execute(
        """
        SELECT c.relname, c.relrowsecurity AND count(p.oid) > 0
            AND bool_and(coalesce(pg_get_expr(p.polqual, p.polrelid), '') LIKE %s)
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
            AND (a.attname = 'workspace_id' OR (c.relname = 'workspaces' AND a.attname = 'id'))
        LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polpermissive
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
            AND has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')
        GROUP BY c.oid ORDER BY 1
        """,
        [f"%{SETTING}%"],
    )
    tables = dict(cursor.fetchall())
    if "workspaces" not in tables:
        yield StartProblem("The database has no tables of Metronix that DATABASE_URL's role may use.", MIGRATE)
    closed = [name for name, isolated in tables.items() if not isolated]
    if closed:
        yield StartProblem(
            f"Row-level security is off, or has another policy than Metronix's, on {_some(closed)}.",
            "Restore it (the function `isolate` in metronix/tenancy/rls.py has the statements); until then every "
            "workspace could read every other's rows.",
        )


def _missing_functions(cursor: Cursor) -> Iterator[StartProblem]:
    cursor.execute(
        """
        SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY (%s)
            AND has_function_privilege(oid, 'EXECUTE')
        """,
        [sorted(_functions)],
    )
    missing = sorted(_functions - {name for (name,) in cursor.fetchall()})
    if missing:
        yield StartProblem(
            f"The database lacks functions, or DATABASE_URL's role may not call them: {_some(missing)}.", MIGRATE
        )


def _some(names: list[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
