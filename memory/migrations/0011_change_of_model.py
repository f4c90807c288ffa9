"""What a change of the embedding model needs: since when a model is current, and the lock that makes it one moment."""

from django.db import migrations, models
from django.db.models import F

# Two statements, each with a snapshot of its own: the second sees what was committed while the first waited.
FOR_WRITING = """
CREATE FUNCTION metronix_embedding_model_for_writing() RETURNS int
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtext('metronix_embedding_model'));
    RETURN (SELECT id FROM public.embedding_models WHERE is_current);
END $$;
REVOKE ALL ON FUNCTION metronix_embedding_model_for_writing() FROM PUBLIC;
"""


def date_the_current(apps, schema_editor):
    apps.get_model("memory", "EmbeddingModel").objects.filter(is_current=True).update(current_since=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_entities")]

    operations = [
        migrations.AlterField(
            model_name="embeddingmodel",
            name="calibration",
            field=models.JSONField(help_text="What was measured (metronix.ports.embedder.calibrated); {}: built in."),
        ),
        migrations.AddField(
            model_name="embeddingmodel",
            name="current_since",
            field=models.DateTimeField(blank=True, help_text="When it last became the current one.", null=True),
        ),
        migrations.RunPython(date_the_current, migrations.RunPython.noop),
        migrations.RunSQL(FOR_WRITING, "DROP FUNCTION metronix_embedding_model_for_writing()"),
    ]
