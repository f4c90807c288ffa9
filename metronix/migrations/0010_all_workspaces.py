"""The list of all workspaces, and a workspace's deletion with all its rows."""

from django.db import migrations

# Someone who may enter every workspace gets the list of them; there is no master value that opens all tables.
ALL_IDS = """
CREATE FUNCTION metronix_workspace_ids() RETURNS varchar[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(array_agg(w.id ORDER BY w.id), '{}') FROM public.workspaces w
$$;
REVOKE ALL ON FUNCTION metronix_workspace_ids() FROM PUBLIC;
"""

# A trigger instead of ON DELETE CASCADE on every foreign key: it covers the tables of apps that come later, and what it
# deletes is deleted by a trigger, which is how the append-only audit trail tells a cascade from a cover-up. It runs
# with the caller's rights, so the row policies hold in it too.
EMPTY_WORKSPACE = """
CREATE FUNCTION metronix_empty_workspace() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    found text;
BEGIN
    FOR found IN
        SELECT c.oid::regclass::text FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY 1
    LOOP
        EXECUTE format('DELETE FROM %s WHERE workspace_id = $1', found) USING OLD.id;
    END LOOP;
    RETURN OLD;
END $$;
CREATE TRIGGER empty_workspace BEFORE DELETE ON workspaces
    FOR EACH ROW EXECUTE FUNCTION metronix_empty_workspace();
"""


class Migration(migrations.Migration):
    dependencies = [("metronix", "0002_isolation")]

    operations = [
        migrations.RunSQL(ALL_IDS, "DROP FUNCTION metronix_workspace_ids()"),
        migrations.RunSQL(
            EMPTY_WORKSPACE,
            "DROP TRIGGER empty_workspace ON workspaces; DROP FUNCTION metronix_empty_workspace()",
        ),
    ]
