-- Adds up what writes have changed since the last fold, for all workspaces, and returns how many changes it took.
--
-- SECURITY DEFINER: it runs for no principal, and gives nothing back but a count. Rows are taken in order of id and
-- terms written in order of (workspace, term), so that two folds at once wait for each other and never deadlock.
CREATE OR REPLACE FUNCTION metronix_fold_lexicon(p_limit int)
RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $function$
DECLARE
    taken int;
BEGIN
    -- Most rounds find nothing; they must not make and drop a table each, which would bloat the catalogue.
    IF NOT EXISTS (SELECT FROM lexicon_changes) THEN RETURN 0; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('metronix_fold_lexicon'));
    CREATE TEMPORARY TABLE IF NOT EXISTS lexicon_taken (
        workspace_id varchar, sign int, term_ids int[], term_count bigint) ON COMMIT DROP;
    TRUNCATE pg_temp.lexicon_taken;
    WITH gone AS (
        DELETE FROM lexicon_changes WHERE id IN (SELECT id FROM lexicon_changes ORDER BY id LIMIT p_limit)
        RETURNING workspace_id, sign, term_ids, term_count)
    INSERT INTO pg_temp.lexicon_taken SELECT workspace_id, sign, term_ids, term_count FROM gone;
    GET DIAGNOSTICS taken = ROW_COUNT;
    IF taken = 0 THEN RETURN 0; END IF;

    INSERT INTO lexicon_totals AS t (workspace_id, documents, terms)
    SELECT workspace_id, sum(sign), sum(sign * term_count) FROM pg_temp.lexicon_taken GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace_id) DO UPDATE
        SET documents = t.documents + excluded.documents, terms = t.terms + excluded.terms;

    INSERT INTO lexicon_terms AS t (workspace_id, term_id, documents)
    SELECT workspace_id, term, sum(sign) FROM pg_temp.lexicon_taken, unnest(term_ids) AS term
    GROUP BY 1, 2 HAVING sum(sign) <> 0 ORDER BY 1, 2
    ON CONFLICT (workspace_id, term_id) DO UPDATE SET documents = t.documents + excluded.documents;

    DELETE FROM lexicon_terms t USING (
        SELECT DISTINCT workspace_id, term FROM pg_temp.lexicon_taken, unnest(term_ids) AS term WHERE sign < 0) g
    WHERE t.workspace_id = g.workspace_id AND t.term_id = g.term AND t.documents <= 0;
    RETURN taken;
END
$function$;
