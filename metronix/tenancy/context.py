"""The transaction in which a principal's workspaces are visible; outside it the database shows no row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import connection, transaction

from metronix.tenancy.principal import EVERY_WORKSPACE, Principal


def workspaces_visible(*workspace_ids: str) -> AbstractContextManager[None]:
    """One transaction that sees and writes the rows of these workspaces.

    The setting is local to the transaction (poolers in transaction mode stay safe). Nested, the inner workspaces
    apply until its end and the outer ones again after it. Ids that come from a caller must have been checked
    (`access.choose_workspace`); one that could mean several workspaces is refused here as well.
    """
    for workspace_id in workspace_ids:
        if "," in workspace_id or workspace_id == EVERY_WORKSPACE:
            raise ValueError(f"not the id of one workspace: {workspace_id!r}")
    return _visible(",".join(workspace_ids))


def granted_visible(principal: Principal) -> AbstractContextManager[None]:
    """`workspaces_visible` for all that the principal may enter."""
    if EVERY_WORKSPACE not in principal.grants:
        return workspaces_visible(*sorted(principal.grants))
    with connection.cursor() as cursor:
        cursor.execute("SELECT metronix_workspace_ids()")
        row = cursor.fetchone()
    return _visible(",".join(row[0] if row else ()))


@contextmanager
def tenant(principal: Principal) -> Iterator[None]:
    """`workspaces_visible` for the one workspace the principal has been placed in (`access.place`)."""
    if not principal.workspace_id:
        raise RuntimeError("The principal has not been placed in a workspace: call access.place first.")
    with workspaces_visible(principal.workspace_id):
        yield


@contextmanager
def _visible(wanted: str) -> Iterator[None]:
    nested = connection.in_atomic_block
    with transaction.atomic():
        with connection.cursor() as cursor:
            # One statement: a target list is evaluated from left to right, so the first column is the old value.
            cursor.execute(
                "SELECT current_setting('metronix.workspaces', true), set_config('metronix.workspaces', %s, true)",
                [wanted],
            )
            row = cursor.fetchone()
            before = (row[0] if row else None) or ""
        yield
        if nested:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('metronix.workspaces', %s, true)", [before])
