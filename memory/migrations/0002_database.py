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

# By content, whatever the status: an import must know what was there once. Emptied terms are found without a scan.
LOOKUPS = """
CREATE INDEX memory_by_tag ON memory_records USING gin (tags);
CREATE INDEX memory_by_content ON memory_records (workspace_id, agent_id, content_hash);
CREATE INDEX versions_by_content ON memory_versions (workspace_id, content_hash);
CREATE INDEX lexicon_emptied ON lexicon_terms (id) WHERE documents <= 0;
"""

APPEND_ONLY = """
CREATE FUNCTION metronix_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON machine_events
    FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION metronix_refuse_change();
"""

# Claiming by moving the time of the next attempt: it needs no column, and ends by itself when a worker dies. By state
# and time, never by `id > last`. A minute is beyond the handling of
# one claim (four texts) in all but odd cases, and then the work is done twice, which harms nothing.
CLAIM_DELIVERIES = """
CREATE FUNCTION metronix_claim_deliveries(p_consumer text, p_limit int)
RETURNS TABLE (id bigint, workspace_id varchar)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE public.event_deliveries d SET available_at = now() + interval '1 minute'
    FROM (
        SELECT e.id FROM public.event_deliveries e
        WHERE e.consumer = p_consumer AND e.state = 'pending' AND e.available_at <= now()
        ORDER BY e.available_at, e.id LIMIT p_limit FOR UPDATE SKIP LOCKED
    ) due
    WHERE d.id = due.id RETURNING d.id, d.workspace_id
$$;
REVOKE ALL ON FUNCTION metronix_claim_deliveries(text, int) FROM PUBLIC;
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
        migrations.RunSQL(LOOKUPS, "DROP INDEX memory_by_tag, memory_by_content, versions_by_content, lexicon_emptied"),
        migrations.RunSQL(
            APPEND_ONLY, "DROP TRIGGER append_only ON machine_events; DROP FUNCTION metronix_refuse_change()"
        ),
        migrations.RunSQL(CLAIM_DELIVERIES, "DROP FUNCTION metronix_claim_deliveries(text, int)"),
        sql_file("search_candidates", "metronix_search_candidates"),
        sql_file("lexicon_fold", "metronix_fold_lexicon(int)"),
    ]
