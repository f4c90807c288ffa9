"""What Django has no words for: references within a workspace, isolation, indexes over expressions, functions."""

from pathlib import Path

from django.db import migrations

from metronix.tenancy.rls import isolate, reference

SQL = Path(__file__).resolve().parent.parent / "sql"

# Not a condition of expiry: that changes with the clock, and an index cannot. A store that meets an expired row
# archives it first.
LIVE_CONTENT = """
CREATE UNIQUE INDEX memory_live_content ON memory_records
    (workspace_id, agent_id, scope, (CASE WHEN scope = 'session' THEN session_key END), content_hash)
    NULLS NOT DISTINCT
    WHERE status IN ('active', 'candidate', 'stale', 'conflicted', 'review_needed');
"""

EXPIRING = """
CREATE INDEX memory_expiring ON memory_records (workspace_id, ttl_expires_at) WHERE ttl_expires_at IS NOT NULL;
CREATE INDEX memory_by_tag ON memory_records USING gin (tags);
CREATE INDEX memory_unembedded ON memory_records (workspace_id, created_at) WHERE embedding_status <> 'ready';
"""

APPEND_ONLY = """
CREATE FUNCTION metronix_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON machine_events
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION metronix_refuse_change();
"""

DUE_DELIVERIES = """
CREATE FUNCTION metronix_due_deliveries(p_consumer text, p_limit int)
RETURNS TABLE (id bigint, workspace_id varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT d.id, d.workspace_id FROM public.event_deliveries d
    WHERE d.consumer = p_consumer AND d.state = 'pending' AND d.available_at <= now()
    ORDER BY d.available_at, d.id LIMIT p_limit
$$;
REVOKE ALL ON FUNCTION metronix_due_deliveries(text, int) FROM PUBLIC;
"""


def sql_file(name: str, signature: str) -> migrations.RunSQL:
    """The function kept in memory/sql, owned by the migrating role; closed to all but the application's role."""
    text = (SQL / f"{name}.sql").read_text(encoding="utf-8")
    return migrations.RunSQL(f"{text}\nREVOKE ALL ON FUNCTION {signature} FROM PUBLIC;", f"DROP FUNCTION {signature}")


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial"), ("metronix", "0002_isolation")]

    operations = [
        *[
            isolate(table)
            for table in (
                "memory_records",
                "memory_sessions",
                "memory_versions",
                "memory_embeddings",
                "machine_events",
                "event_deliveries",
                "lexicon_totals",
                "lexicon_terms",
                "lexicon_changes",
            )
        ],
        reference("memory_records", "session_id", "memory_sessions", on_delete="SET NULL (session_id)"),
        reference("memory_records", "superseded_by_id", "memory_records", on_delete="SET NULL (superseded_by_id)"),
        reference("memory_versions", "record_id", "memory_records"),
        reference("memory_embeddings", "record_id", "memory_records"),
        reference("memory_embeddings", "version_id", "memory_versions"),
        reference("event_deliveries", "event_id", "machine_events"),
        migrations.RunSQL(LIVE_CONTENT, "DROP INDEX memory_live_content"),
        migrations.RunSQL(EXPIRING, "DROP INDEX memory_expiring, memory_by_tag, memory_unembedded"),
        migrations.RunSQL(
            APPEND_ONLY, "DROP TRIGGER append_only ON machine_events; DROP FUNCTION metronix_refuse_change()"
        ),
        migrations.RunSQL(DUE_DELIVERIES, "DROP FUNCTION metronix_due_deliveries(text, int)"),
        sql_file("search_candidates", "metronix_search_candidates"),
        sql_file("lexicon_fold", "metronix_fold_lexicon(int)"),
    ]
