-- Adds up what writes have changed since the last fold, for all workspaces, and returns how many changes it took.
--
-- SECURITY DEFINER: it runs for no principal, and gives nothing back but a count. pg_temp comes last in the path and
-- every relation is named with its schema, so that no caller can put a table of its own in the way. Terms are written
-- in order of (workspace, term) under one lock, so that two folds at once wait for each other and never deadlock.
CREATE OR REPLACE FUNCTION metronix_fold_lexicon(p_limit int)
RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $function$
DECLARE
    taken int;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('metronix_fold_lexicon'));
    WITH gone AS (
        DELETE FROM public.lexicon_changes
        WHERE id IN (SELECT id FROM public.lexicon_changes ORDER BY id LIMIT p_limit)
        RETURNING workspace_id, sign, term_ids, term_count
    ), totals AS (
        INSERT INTO public.lexicon_totals AS t (workspace_id, documents, terms)
        SELECT workspace_id, sum(sign), sum(sign * term_count) FROM gone GROUP BY 1 ORDER BY 1
        ON CONFLICT (workspace_id) DO UPDATE
            SET documents = t.documents + excluded.documents, terms = t.terms + excluded.terms
    ), counted AS (
        SELECT workspace_id, term, sum(sign) AS documents FROM gone, unnest(term_ids) AS term
        GROUP BY 1, 2 HAVING sum(sign) <> 0
    ), raised AS (
        INSERT INTO public.lexicon_terms AS t (workspace_id, term_id, documents)
        SELECT workspace_id, term, documents FROM counted ORDER BY 1, 2
        ON CONFLICT (workspace_id, term_id) DO UPDATE SET documents = t.documents + excluded.documents
    )
    SELECT count(*) INTO taken FROM gone;
    IF taken > 0 THEN
        DELETE FROM public.lexicon_terms WHERE documents <= 0;
    END IF;
    RETURN taken;
END
$function$;
