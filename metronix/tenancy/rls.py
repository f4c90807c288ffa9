"""Migration operations for isolation that Django has no words for: row policies and two-column foreign keys."""

from __future__ import annotations

from django.db import migrations

GRANTED = "(SELECT string_to_array(current_setting('metronix.workspaces', true), ','))::text[]"
"""The workspaces of the current transaction. Unset, or set and committed, it matches no row.

A sub-select, so that a long list (someone who may enter every workspace) is split once per query and not once per row.
"""


def isolate(table: str, column: str = "workspace_id") -> migrations.RunSQL:
    """Row-level security for a table: rows of other workspaces can neither be read nor written.

    The owner stays exempt (no FORCE): migrations and the SECURITY DEFINER functions need to see all rows, and
    nothing else connects as the owner.
    """
    return migrations.RunSQL(
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        CREATE POLICY workspace_isolation ON {table} USING ({column} = ANY ({GRANTED}));
        """,
        f"""
        DROP POLICY workspace_isolation ON {table};
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """,
    )


def reference(table: str, column: str, target: str, *, on_delete: str = "CASCADE") -> migrations.RunSQL:
    """A foreign key over (workspace_id, column), so that no row can point into another workspace.

    `on_delete` is CASCADE or `SET NULL (column)`. The target needs UNIQUE (workspace_id, id); both survive hash
    partitioning by workspace (deploy/partition.sql).
    """
    name = f"{table}_{column}_in_workspace"
    return migrations.RunSQL(
        f"""
        ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (workspace_id, {column})
            REFERENCES {target} (workspace_id, id) ON DELETE {on_delete} DEFERRABLE INITIALLY DEFERRED;
        """,
        f"ALTER TABLE {table} DROP CONSTRAINT {name};",
    )
