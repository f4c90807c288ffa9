"""How a key is called on pages."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("metronix", "0010_all_workspaces")]

    operations = [
        migrations.AlterModelOptions(name="apikey", options={"ordering": ["-created_at"], "verbose_name": "API key"})
    ]
