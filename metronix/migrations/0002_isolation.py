"""Row-level security of the tenancy tables, and the two look-ups that come before any workspace is known."""

from django.db import migrations

from metronix.tenancy.rls import isolate

KEY_BY_HASH = """
CREATE FUNCTION metronix_key_by_hash(wanted text)
RETURNS TABLE (id uuid, workspace_id varchar, agent_id varchar, role varchar, principal_type varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT k.id, k.workspace_id, k.agent_id, k.role, k.principal_type
    FROM public.api_keys k
    WHERE k.key_hash = wanted AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
$$;
REVOKE ALL ON FUNCTION metronix_key_by_hash(text) FROM PUBLIC;
"""

USER_ACCESS = """
CREATE FUNCTION metronix_user_access(subject text)
RETURNS TABLE (role varchar, is_active boolean, all_workspaces boolean, workspaces varchar[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT u.role, u.is_active, u.all_workspaces,
           ARRAY(SELECT g.workspace_id FROM public.workspace_grants g WHERE g.user_id = u.id ORDER BY 1)
    FROM public.users u WHERE u.id::text = subject
$$;
REVOKE ALL ON FUNCTION metronix_user_access(text) FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [("metronix", "0001_initial")]

    operations = [
        isolate("workspaces", "id"),
        isolate("workspace_grants"),
        isolate("agents"),
        isolate("api_keys"),
        migrations.RunSQL(KEY_BY_HASH, "DROP FUNCTION metronix_key_by_hash(text)"),
        migrations.RunSQL(USER_ACCESS, "DROP FUNCTION metronix_user_access(text)"),
    ]
