"""Who may do what in the embedded database."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from metronix.embedded.database_roles import EXTENSIONS
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


def test_the_application_owns_nothing(services: TestServers) -> None:
    with psycopg.connect(services.superuser) as superuser:
        owned = superuser.execute(
            "SELECT (SELECT count(*) FROM pg_class WHERE relowner = r.oid), "
            "(SELECT count(*) FROM pg_proc WHERE proowner = r.oid), "
            "(SELECT count(*) FROM pg_namespace WHERE nspowner = r.oid), "
            "(SELECT count(*) FROM pg_database WHERE datdba = r.oid) FROM pg_roles r WHERE rolname = 'metronix_app'"
        ).fetchone()
        owners = superuser.execute(
            "SELECT pg_get_userbyid(datdba), (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = "
            "'public') FROM pg_database WHERE datname = current_database()"
        ).fetchone()
    assert owned == (0, 0, 0, 0)
    assert owners == ("metronix_owner", "metronix_owner")


def test_tables_of_later_migrations_are_covered(services: TestServers) -> None:
    with psycopg.connect(services.owner, autocommit=True) as owner:
        owner.execute("CREATE TABLE later_table (id bigint GENERATED ALWAYS AS IDENTITY, word text)")
        owner.execute("CREATE FUNCTION later_function() RETURNS int LANGUAGE sql AS 'SELECT 7'")
        owner.execute("CREATE SEQUENCE later_sequence")
        try:
            with psycopg.connect(services.application, autocommit=True) as application:
                application.execute("INSERT INTO later_table (word) VALUES ('a')")
                application.execute("UPDATE later_table SET word = 'b'")
                assert application.execute("SELECT id, word FROM later_table").fetchall() == [(1, "b")]
                application.execute("DELETE FROM later_table")
                assert application.execute("SELECT later_function(), nextval('later_sequence')").fetchone() == (7, 1)
                for forbidden in (
                    "TRUNCATE later_table",
                    "DROP TABLE later_table",
                    "ALTER TABLE later_table DISABLE ROW LEVEL SECURITY",
                    "CREATE INDEX ON later_table (word)",
                    "CREATE TABLE own_table (id int)",
                    "CREATE SCHEMA own_schema",
                    "CREATE TEMPORARY TABLE own_table (id int)",
                    "SET ROLE metronix_owner",
                ):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        application.execute(forbidden)
        finally:
            owner.execute("DROP TABLE later_table")
            owner.execute("DROP FUNCTION later_function")
            owner.execute("DROP SEQUENCE later_sequence")


def test_extensions_belong_to_the_superuser(services: TestServers) -> None:
    with psycopg.connect(services.superuser) as superuser:
        found = superuser.execute("SELECT extname, pg_get_userbyid(extowner) FROM pg_extension").fetchall()
    assert {(name, "postgres") for name in EXTENSIONS} <= set(found)


def test_letters_beyond_ascii_are_letters(services: TestServers) -> None:
    with psycopg.connect(services.application) as application:
        row = application.execute(
            "SELECT similarity('привет', 'приветы') > 0.5, lower('ÄÖ ПРИВЕТ'), to_tsvector('simple', 'Быстрый ЛИС')"
        ).fetchone()
        encoding = application.execute("SHOW server_encoding").fetchone()
    assert row == (True, "äö привет", "'быстрый':1 'лис':2")
    assert encoding == ("UTF8",)
