"""Who may do what in the embedded database."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from tests.support.servers import TestServers


def test_django_connects_as_the_application(services: TestServers) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_database()")
        assert cursor.fetchone() == ("metronix_app", services.database)


@pytest.mark.parametrize("role", ["metronix_app", "metronix_owner"])
def test_roles_bypass_nothing(services: TestServers, role: str) -> None:
    with psycopg.connect(services.superuser) as superuser:
        row = superuser.execute(
            "SELECT rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication "
            "FROM pg_roles WHERE rolname = %s",
            [role],
        ).fetchone()
        memberships = superuser.execute(
            "SELECT count(*) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member WHERE r.rolname = %s", [role]
        ).fetchone()
    assert row == (True, False, False, False, False, False)
    assert memberships == (0,)
