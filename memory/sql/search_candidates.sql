-- Candidates of one hybrid search: every row that any leg proposes, with the raw number of each leg.
--
-- SECURITY DEFINER because && is not leakproof: under a row policy the planner will not use the GIN index on
-- term_ids and would read the whole workspace. The first statement holds the caller to the workspaces of its
-- transaction, as the policy would.
--
-- Dynamic SQL, so that each call is planned for the filters it really has. Nothing of the caller's is ever
-- part of the statement's text: only the model's number and size, which are integers, are formatted in.
CREATE OR REPLACE FUNCTION metronix_search_candidates(
    p_workspace text,
    p_agent text,            -- NULL: all agents' (a person looks)
    p_session text,          -- the session named by the caller, or NULL
    p_scope text,
    p_statuses text[],       -- NULL: any status
    p_expired boolean,       -- true: expired rows too
    p_quarantined boolean,
    p_tags text[],
    p_category text,
    p_project text,
    p_layer text,
    p_model int,
    p_dimensions int,
    p_query vector,          -- NULL: the vector leg is left out
    p_selecting int[],       -- term ids that select rows for the lexical leg; empty: the leg is left out
    p_tf1 sparsevec, p_tf2 sparsevec, p_tf3 sparsevec, p_tf4 sparsevec,
    p_k1 float8, p_b float8, p_average_length float8,
    p_depth int,             -- rows per leg
    p_reach int,             -- neighbours on each side of a seed
    p_fill int,              -- rows wanted in any case, if so many exist
    p_entities uuid[] DEFAULT '{}',  -- what the question names; empty: the entity leg is left out
    p_entity_depth int DEFAULT 0,    -- rows of the entity leg
    p_entity_rows int DEFAULT 0,     -- an entity of more records selects none of them (it still counts)
    p_entity_reads int DEFAULT 0     -- mentions looked at in all; the rarest entities come first
) RETURNS TABLE (
    record_id uuid, session_id uuid, "position" int, recency int,
    cosine float8, bm25 float8, by_vector boolean, by_words boolean, by_entities boolean, entities int[]
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET jit = off
SET enable_seqscan = off  -- statistics of a lopsided workspace must not talk it into reading whole tables
SET hnsw.iterative_scan = relaxed_order
SET hnsw.ef_search = 100
AS $function$
DECLARE
    conditions text := 'r.workspace_id = $1';
    distance text;
    words text;
    width int;
    windows bigint;
    near uuid[] := '{}';
    lexical uuid[] := '{}';
    recent uuid[] := '{}';
    naming uuid[] := '{}';
    known uuid[] := '{}';
    selecting uuid[] := '{}';
    seeds uuid[];
    found uuid[];
BEGIN
    IF p_workspace IS NULL
       OR NOT coalesce(p_workspace = ANY (string_to_array(current_setting('metronix.workspaces', true), ',')), false)
    THEN
        RAISE EXCEPTION 'workspace is not part of this transaction' USING ERRCODE = 'insufficient_privilege';
    END IF;

    IF p_agent IS NOT NULL THEN
        conditions := conditions || $c$ AND (r.scope = 'global' OR (r.agent_id = $2 AND r.scope = 'per_agent')$c$
            || CASE WHEN p_session IS NULL THEN ')'
                    ELSE $c$ OR (r.agent_id = $2 AND r.scope = 'session' AND r.session_key = $3))$c$ END;
    END IF;
    IF p_scope IS NOT NULL THEN conditions := conditions || ' AND r.scope = $4'; END IF;
    IF p_statuses IS NOT NULL THEN conditions := conditions || ' AND r.status = ANY ($5)'; END IF;
    IF NOT p_quarantined THEN conditions := conditions || $c$ AND r.status <> 'quarantined'$c$; END IF;
    IF NOT p_expired THEN
        -- What was put away stays to be seen by its status (RecordQuerySet.with_status).
        conditions := conditions || $c$ AND (r.status IN ('archived', 'superseded', 'quarantined')$c$
                                 || ' OR ((r.ttl_expires_at IS NULL OR r.ttl_expires_at > now())'
                                 || ' AND (r.valid_until IS NULL OR r.valid_until > now())))';
    END IF;
    IF p_tags IS NOT NULL THEN conditions := conditions || ' AND r.tags @> $6::varchar[]'; END IF;
    IF p_category IS NOT NULL THEN conditions := conditions || ' AND r.category = $7'; END IF;
    IF p_project IS NOT NULL THEN conditions := conditions || ' AND r.project = $8'; END IF;
    IF p_layer IS NOT NULL THEN conditions := conditions || ' AND r.layer = $9'; END IF;

    distance := format('(e.embedding::vector(%s) <=> $10::vector(%s))', p_dimensions, p_dimensions);
    -- BM25: within one frequency class the saturation depends on the row's length alone (memory.terms.lexical).
    SELECT string_agg(format(
        '-(r.term_weights <#> $%s) * %s * ($15 + 1) / (%s + $15 * (1 - $16 + $16 * r.term_count / $17))',
        10 + tf, tf, tf), ' + ')
    INTO words FROM generate_series(1, 4) AS tf;

    IF p_query IS NOT NULL THEN
        -- A record has one row per window, hence twice the depth, and more where long records take all places. The
        -- order of a relaxed scan is not exact, so the records found are sorted again.
        width := p_depth * 2;
        LOOP
            EXECUTE format(
                'SELECT coalesce(array_agg(b.record_id), ''{}''), coalesce(max(b.windows), 0) FROM (
                    SELECT n.record_id, sum(count(*)) OVER () AS windows FROM (
                        SELECT e.record_id, %3$s AS distance FROM public.memory_embeddings e
                        JOIN public.memory_records r ON r.id = e.record_id AND r.workspace_id = e.workspace_id
                        WHERE e.workspace_id = $1 AND e.model_id = %1$s AND e.version_id IS NULL AND %2$s
                        ORDER BY %3$s LIMIT $19) n
                    GROUP BY n.record_id ORDER BY min(n.distance), n.record_id LIMIT $18) b',
                p_model, conditions, distance)
            INTO near, windows
            USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, p_query,
                  p_tf1, p_tf2, p_tf3, p_tf4, p_k1, p_b, p_average_length, p_depth, width;
            EXIT WHEN cardinality(near) >= p_depth OR windows < width OR width > p_depth * 2;
            width := p_depth * 12;
        END LOOP;
        -- Too few records: there are no more, or the scan gave up early (hnsw.max_scan_tuples), or they are very long.
        -- Exactly, then: an expression over the distance cannot use the index.
        IF cardinality(near) < p_depth THEN
            EXECUTE format(
                'SELECT coalesce(array_agg(n.record_id), ''{}'') FROM (
                    SELECT e.record_id FROM public.memory_embeddings e
                    JOIN public.memory_records r ON r.id = e.record_id AND r.workspace_id = e.workspace_id
                    WHERE e.workspace_id = $1 AND e.model_id = %s AND e.version_id IS NULL AND %s
                    GROUP BY e.record_id ORDER BY min(%s + 0), e.record_id LIMIT $18) n',
                p_model, conditions, distance)
            INTO near
            USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, p_query,
                  p_tf1, p_tf2, p_tf3, p_tf4, p_k1, p_b, p_average_length, p_depth;
        END IF;
    END IF;

    IF cardinality(p_selecting) > 0 THEN
        EXECUTE format(
            'SELECT coalesce(array_agg(n.id), ''{}'') FROM (
                SELECT r.id FROM public.memory_records r
                WHERE r.term_ids && $19 AND %s ORDER BY %s DESC, r.id LIMIT $18) n',
            conditions, words)
        INTO lexical
        USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, p_query,
              p_tf1, p_tf2, p_tf3, p_tf4, p_k1, p_b, p_average_length, p_depth, p_selecting;
    END IF;

    IF p_session IS NOT NULL AND p_agent IS NOT NULL THEN
        EXECUTE format(
            'SELECT coalesce(array_agg(n.id ORDER BY n.position DESC), ''{}'') FROM (
                SELECT r.id, r.position FROM public.memory_records r JOIN public.memory_sessions s ON s.id = r.session_id
                WHERE s.workspace_id = $1 AND s.agent_id = $2 AND s.key = $3 AND %s
                ORDER BY r.position DESC LIMIT 20) n', conditions)
        INTO recent
        USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer;
    END IF;

    IF cardinality(p_entities) > 0 THEN
        SELECT coalesce(array_agg(n.id), '{}'),
               coalesce(array_agg(n.id) FILTER (WHERE n.records <= p_entity_rows AND n.reads <= p_entity_reads), '{}')
        INTO known, selecting
        FROM (
            SELECT c.id, c.records, sum(c.records) OVER (ORDER BY c.records, c.id) AS reads FROM (
                SELECT u.id, (SELECT count(*) FROM (
                    SELECT FROM public.entity_mentions m
                    WHERE m.workspace_id = p_workspace AND m.entity_id = u.id LIMIT p_entity_rows + 1) l) AS records
                FROM unnest(p_entities) AS u(id)) c
            WHERE c.records > 0) n;
    END IF;
    IF cardinality(selecting) > 0 THEN
        -- Who shares most with the question first, then who is closest to it.
        EXECUTE format(
            'SELECT coalesce(array_agg(n.id), ''{}'') FROM (
                SELECT r.id FROM (
                    SELECT m.record_id, count(*) AS shared FROM public.entity_mentions m
                    WHERE m.workspace_id = $1 AND m.entity_id = ANY ($19) GROUP BY m.record_id) s
                JOIN public.memory_records r ON r.workspace_id = $1 AND r.id = s.record_id AND %s
                ORDER BY s.shared DESC, CASE WHEN $10 IS NULL THEN NULL ELSE (
                    SELECT min(%s + 0) FROM public.memory_embeddings e
                    WHERE e.workspace_id = $1 AND e.record_id = r.id AND e.model_id = %s AND e.version_id IS NULL) END,
                    %s DESC, r.id LIMIT $18) n',
            conditions, distance, p_model, words)
        INTO naming
        USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, p_query,
              p_tf1, p_tf2, p_tf3, p_tf4, p_k1, p_b, p_average_length, p_entity_depth, selecting;
    END IF;

    SELECT coalesce(array_agg(DISTINCT u.id), '{}') INTO seeds
    FROM unnest(near || lexical || recent || naming) AS u(id);

    IF cardinality(seeds) < p_fill THEN
        EXECUTE format(
            'SELECT coalesce(array_agg(n.id), ''{}'') FROM (
                SELECT r.id FROM public.memory_records r WHERE %s AND r.id <> ALL ($10)
                ORDER BY r.created_at DESC, r.id DESC LIMIT $11) n', conditions)
        INTO found
        USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer,
              seeds, p_fill - cardinality(seeds);
        seeds := seeds || found;
    END IF;

    EXECUTE format(
        'SELECT coalesce(array_agg(DISTINCT n.id), ''{}'') FROM unnest($10) AS s(id)
         JOIN public.memory_records o ON o.id = s.id AND o.session_id IS NOT NULL
         CROSS JOIN LATERAL (
            SELECT r.id FROM public.memory_records r
            WHERE r.session_id = o.session_id AND r.position BETWEEN o.position - $11 AND o.position + $11 AND %s) n',
        conditions)
    INTO found
    USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, seeds, p_reach;

    -- "+ 0", or the planner may take the least distance of one record from the start of a scan of the HNSW index.
    RETURN QUERY EXECUTE format(
        'SELECT r.id, r.session_id, r.position, array_position($20, r.id) - 1,
                CASE WHEN $10 IS NULL THEN NULL ELSE (
                    SELECT 1 - min(%s + 0) FROM public.memory_embeddings e
                    WHERE e.workspace_id = $1 AND e.record_id = r.id AND e.model_id = %s AND e.version_id IS NULL) END,
                CASE WHEN $19 THEN (%s)::float8 ELSE NULL END,
                r.id = ANY ($21), r.id = ANY ($22), r.id = ANY ($24),
                CASE WHEN cardinality($26) = 0 THEN NULL ELSE ARRAY(
                    SELECT array_position($25, m.entity_id) - 1 FROM public.entity_mentions m
                    WHERE m.workspace_id = $1 AND m.record_id = r.id AND m.entity_id = ANY ($26)) END
         FROM public.memory_records r WHERE r.workspace_id = $1 AND r.id = ANY ($23)',
        distance, p_model, words)
    USING p_workspace, p_agent, p_session, p_scope, p_statuses, p_tags, p_category, p_project, p_layer, p_query,
          p_tf1, p_tf2, p_tf3, p_tf4, p_k1, p_b, p_average_length, p_depth, cardinality(p_selecting) > 0,
          recent, near, lexical, seeds || found, naming, p_entities, known;
END
$function$;
