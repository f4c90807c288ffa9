"""The roles, the database and the extensions of the embedded PostgreSQL; safe to run at every start.

Three roles: the superuser makes the cluster and the extensions and nothing else; the owner owns database and schema and
runs the migrations; the application role owns nothing, bypasses nothing and may only read and write rows.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from metronix.embedded.cluster import SUPERUSER

DATABASE = "metronix"
OWNER = "metronix_owner"
APPLICATION = "metronix_app"
EXTENSIONS = ("vector", "pg_trgm", "unaccent", "btree_gin", "pg_stat_statements")
_PLAIN_ROLE = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"


def superuser_connection(
    socket: str, password: str, database: str = "postgres"
) -> psycopg.Connection[tuple[object, ...]]:
    """An autocommit connection as the superuser over the socket folder."""
    return psycopg.connect(
        host=socket, user=SUPERUSER, password=password, dbname=database, autocommit=True, connect_timeout=10
    )


def ensure_roles(connection: psycopg.Connection[tuple[object, ...]], passwords: dict[str, str]) -> None:
    """Create both roles or bring them back to what they must be; `passwords` is by role."""
    for role, password in passwords.items():
        known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
        verb = sql.SQL("ALTER ROLE" if known else "CREATE ROLE")
        connection.execute(
            sql.SQL("{} {} {} PASSWORD {}").format(
                verb, sql.Identifier(role), sql.SQL(_PLAIN_ROLE), sql.Literal(password)
            )
        )


def ensure_database(connection: psycopg.Connection[tuple[object, ...]], name: str, template: str | None = None) -> None:
    """Create the database for the owner (from `template`, should one be given), closed to everyone unnamed."""
    database = sql.Identifier(name)
    if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
        source = sql.SQL(" TEMPLATE {}").format(sql.Identifier(template)) if template else sql.SQL("")
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}{}").format(database, sql.Identifier(OWNER), source))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, sql.Identifier(APPLICATION)))


def ensure_schema(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Inside the database: extensions, the owner's schema, and what the application may do with tables to come."""
    for extension in EXTENSIONS:
        connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
    owner, application = sql.Identifier(OWNER), sql.Identifier(APPLICATION)
    connection.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(owner))
    connection.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC"))
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(application))
    for grant in (
        "SELECT, INSERT, UPDATE, DELETE ON TABLES",
        "USAGE ON SEQUENCES",
        "EXECUTE ON FUNCTIONS",
    ):
        connection.execute(
            sql.SQL("ALTER DEFAULT PRIVILEGES FOR ROLE {} IN SCHEMA public GRANT {} TO {}").format(
                owner, sql.SQL(grant), application
            )
        )
