"""Retrievals: which searches found a record."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

from metronix.tenancy.rls import isolate, reference


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_change_of_model")]

    operations = [
        migrations.CreateModel(
            name="Retrieval",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("agent_id", models.CharField(blank=True, default="", max_length=64)),
                ("principal", models.CharField(blank=True, default="", max_length=160)),
                ("door", models.CharField(max_length=16)),
                ("query", models.CharField(max_length=2048)),
                ("rank", models.IntegerField()),
                ("score", models.FloatField()),
                ("vector", models.FloatField()),
                ("lexical", models.FloatField()),
                ("graph", models.FloatField()),
                ("session", models.FloatField()),
                (
                    "created_at",
                    models.DateTimeField(help_text="When the search was answered, not when this was written."),
                ),
                (
                    "record",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="retrievals",
                        to="memory.memoryrecord",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="metronix.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "memory_retrievals",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "id"), name="retrievals_workspace_and_id"),
                ],
                "indexes": [
                    models.Index(fields=["workspace", "record", "-created_at"], name="retrievals_by_record"),
                    django.contrib.postgres.indexes.BrinIndex(
                        autosummarize=True, fields=["created_at"], name="retrievals_by_time"
                    ),
                ],
            },
        ),
        isolate("memory_retrievals"),
        reference("memory_retrievals", "record_id", "memory_records"),
    ]
