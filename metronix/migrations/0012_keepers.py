"""A person's keys end with the person's access; users are looked up by their key, not by its text."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KEY_BY_HASH = """
CREATE OR REPLACE FUNCTION metronix_key_by_hash(wanted text)
RETURNS TABLE (id uuid, workspace_id varchar, agent_id varchar, role varchar, principal_type varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT k.id, k.workspace_id, k.agent_id, k.role, k.principal_type
    FROM public.api_keys k LEFT JOIN public.users u ON u.id = k.keeper_id
    WHERE k.key_hash = wanted AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        AND (k.keeper_id IS NULL OR (u.is_active AND (u.all_workspaces OR EXISTS (
            SELECT FROM public.workspace_grants g WHERE g.user_id = u.id AND g.workspace_id = k.workspace_id))))
$$;
"""

USER_ACCESS = """
CREATE OR REPLACE FUNCTION metronix_user_access(subject text)
RETURNS TABLE (role varchar, is_active boolean, all_workspaces boolean, workspaces varchar[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT u.role, u.is_active, u.all_workspaces,
           ARRAY(SELECT g.workspace_id FROM public.workspace_grants g WHERE g.user_id = u.id ORDER BY 1)
    FROM public.users u
    WHERE u.id = CASE WHEN subject ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN subject::uuid END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("metronix", "0011_api_key_name")]

    operations = [
        migrations.AlterField(
            model_name="apikey",
            name="created_by",
            field=models.CharField(blank=True, help_text="Who issued it.", max_length=160),
        ),
        migrations.AddField(
            model_name="apikey",
            name="keeper",
            field=models.ForeignKey(
                blank=True,
                help_text="Whose key it is.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="api_keys",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunSQL(KEY_BY_HASH, migrations.RunSQL.noop),
        migrations.RunSQL(USER_ACCESS, migrations.RunSQL.noop),
    ]
