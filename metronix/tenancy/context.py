"""The transaction in which a principal's workspaces are visible; outside it the database shows no row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from metronix.tenancy.principal import Principal


@contextmanager
def workspaces_visible(*workspace_ids: str) -> Iterator[None]:
    """One transaction that sees and writes the rows of these workspaces.

    The setting is local to the transaction (poolers in transaction mode stay safe). Nested, the inner workspaces
    apply until its end and the outer ones again after it.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            # One statement: a target list is evaluated from left to right, so the first column is the old value.
            cursor.execute(
                "SELECT current_setting('metronix.workspaces', true), set_config('metronix.workspaces', %s, true)",
                [",".join(workspace_ids)],
            )
            row = cursor.fetchone()
            before = (row[0] if row else None) or ""
        yield
        if before:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('metronix.workspaces', %s, true)", [before])


@contextmanager
def tenant(principal: Principal) -> Iterator[None]:
    """`workspaces_visible` for the one workspace the principal has been placed in (`access.place`)."""
    if not principal.workspace_id:
        raise RuntimeError("The principal has not been placed in a workspace: call access.place first.")
    with workspaces_visible(principal.workspace_id):
        yield
