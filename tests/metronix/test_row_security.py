"""Isolation in the database itself: policies, roles, references, the holes."""

from __future__ import annotations

import re

import psycopg
import pytest
from django.db import ProgrammingError, connection

from memory.models import MachineEvent, MemoryRecord
from memory.services import store_record
from metronix.tenancy.context import tenant, workspaces_visible
from metronix.tenancy.models import Workspace
from metronix.tenancy.principal import Principal
from tests.support.people import new_workspace
from tests.support.servers import TestServers

HOLES = {
    "metronix_key_by_hash",
    "metronix_user_access",
    "metronix_claim_deliveries",
    "metronix_search_candidates",
    "metronix_fold_lexicon",
    "metronix_sweep_entities",
    "metronix_workspace_ids",
}


def test_every_table_with_a_workspace_has_a_policy(services: TestServers) -> None:
    with psycopg.connect(services.superuser) as admin:
        rows = admin.execute(
            """
            SELECT c.relname, c.relrowsecurity, count(p.polname),
                bool_and(p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'),
                min(pg_get_expr(p.polqual, p.polrelid)), min(pg_get_expr(p.polwithcheck, p.polrelid))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
            JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
                AND (a.attname = 'workspace_id' OR (c.relname = 'workspaces' AND a.attname = 'id'))
            LEFT JOIN pg_policy p ON p.polrelid = c.oid
            WHERE c.relkind IN ('r', 'p') GROUP BY 1, 2 ORDER BY 1
            """
        ).fetchall()
    assert len(rows) >= 13
    for table, enabled, policies, for_all, condition, check in rows:
        assert (enabled, policies, for_all, check) == (True, 1, True, None), table
        assert re.sub(r"[()\s]|::\w+( varying)?(\[\])?", "", condition) in {
            f"{column}=ANYSELECTstring_to_arraycurrent_setting'metronix.workspaces',true,','ASstring_to_array"
            for column in ("workspace_id", "id")
        }, condition


def test_the_application_role_owns_nothing_and_cannot_bypass() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False, False, False)
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole")
        assert cursor.fetchone() == (0,)


def test_outside_a_tenant_transaction_there_is_nothing(owner: Principal, stranger: Principal) -> None:
    store_record(owner, content="seen by its workspace alone")
    assert MemoryRecord.objects.count() == 0
    with tenant(stranger):
        assert MemoryRecord.objects.count() == 0
        with pytest.raises(ProgrammingError, match="row-level security"), workspaces_visible(stranger.workspace_id):
            MachineEvent.objects.create(workspace_id=owner.workspace_id, event_type="forged", actor="x")
    with tenant(owner):
        assert MemoryRecord.objects.count() == 1
    assert Workspace.objects.count() == 0


def test_similar_ids_are_different_workspaces() -> None:
    first = new_workspace("a_b")
    twin = first.replace("_", "x")
    with workspaces_visible(twin):
        assert Workspace.objects.count() == 0
    with workspaces_visible(first):
        assert Workspace.objects.count() == 1


def test_a_reference_into_another_workspace_is_refused(
    owner: Principal, stranger: Principal, services: TestServers
) -> None:
    mine = store_record(owner, content="mine").record
    theirs = store_record(stranger, content="theirs").record
    with psycopg.connect(services.owner) as admin:
        admin.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            admin.execute("UPDATE memory_records SET superseded_by_id = %s WHERE id = %s", [theirs.id, mine.id])


def test_the_holes_are_the_listed_functions_with_a_fixed_search_path(services: TestServers) -> None:
    with psycopg.connect(services.superuser) as admin:
        rows = admin.execute(
            """
            SELECT proname, proconfig FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = 'public' AND prosecdef
            """
        ).fetchall()
    assert {name for name, _ in rows} == HOLES
    for name, config in rows:
        # pg_temp last: else a temporary table of the caller's would stand in for ours.
        assert "search_path=pg_catalog, public, pg_temp" in (config or []), name


def test_search_candidates_are_held_to_the_transaction(owner: Principal, stranger: Principal) -> None:
    arguments = "%s" + ", NULL" * 4 + ", false, false" + ", NULL" * 4
    numbers = ", 1, 384, NULL, '{}'::int[]" + ", NULL" * 4 + ", 1.2, 0.75, 1, 10, 1, 10"
    refused = pytest.raises(ProgrammingError, match="not part of this transaction")
    with refused, tenant(stranger), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM metronix_search_candidates({arguments}{numbers})", [owner.workspace_id])


def test_the_audit_trail_is_append_only(owner: Principal) -> None:
    store_record(owner, content="happened")
    for statement in ("UPDATE machine_events SET actor = 'x'", "DELETE FROM machine_events"):
        with pytest.raises(ProgrammingError, match="append-only"), tenant(owner), connection.cursor() as cursor:
            cursor.execute(statement)
