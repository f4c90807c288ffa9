"""Row policies that know "every workspace", and a workspace's deletion with all its rows."""

from django.db import migrations

# `isolate` writes the new condition by itself; this mends the tables of databases made before.
KNOW_EVERY = """
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT p.polrelid::regclass::text AS name,
               CASE WHEN p.polrelid = 'workspaces'::regclass THEN 'id' ELSE 'workspace_id' END AS owner
        FROM pg_policy p WHERE p.polname = 'workspace_isolation'
    LOOP
        EXECUTE format(
            'ALTER POLICY workspace_isolation ON %s USING (current_setting(''metronix.workspaces'', true) = ''*'''
            ' OR %I = ANY(string_to_array(current_setting(''metronix.workspaces'', true), '','')))',
            found.name, found.owner);
    END LOOP;
END $$;
"""

# A trigger instead of ON DELETE CASCADE on every foreign key: it covers the tables of apps that come later, and what it
# deletes is deleted by a trigger, which is how the append-only audit trail tells a cascade from a cover-up. It runs
# with the caller's rights, so the row policies hold in it too.
EMPTY_WORKSPACE = """
CREATE FUNCTION metronix_empty_workspace() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
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
        migrations.RunSQL(KNOW_EVERY, migrations.RunSQL.noop),
        migrations.RunSQL(
            EMPTY_WORKSPACE,
            "DROP TRIGGER empty_workspace ON workspaces; DROP FUNCTION metronix_empty_workspace()",
        ),
    ]
