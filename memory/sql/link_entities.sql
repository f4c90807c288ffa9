-- Makes the mentions of some records exactly those given: mention i says that record p_mentioning[i] names entity
-- p_mentioned[i]. Entities that are new are created; p_entities and the three arrays beside it describe each once.
--
-- One statement for a whole store. Nothing here waits for another store of the same entity: an entity that exists is
-- only read, and its row locked FOR KEY SHARE by the foreign key, which all writers can hold at once. The key is
-- checked at once and not at the commit, so that the one thing that can go wrong shows here and is repaired here:
-- the entity's last other mention was deleted, and the entity with it, since it was looked at.
CREATE OR REPLACE FUNCTION metronix_link_entities(
    p_workspace text, p_records uuid[],
    p_entities uuid[], p_kinds text[], p_keys text[], p_names text[],
    p_mentioning uuid[], p_mentioned uuid[]
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $function$
BEGIN
    FOR attempt IN 1..5 LOOP
        BEGIN
            INSERT INTO public.entities (id, workspace_id, kind, key, name)
            SELECT n.id, p_workspace, n.kind, n.key, n.name
            FROM unnest(p_entities, p_kinds, p_keys, p_names) AS n (id, kind, key, name)
            ORDER BY n.id
            ON CONFLICT DO NOTHING;
            INSERT INTO public.entity_mentions (workspace_id, entity_id, record_id)
            SELECT p_workspace, n.entity, n.record
            FROM unnest(p_mentioned, p_mentioning) AS n (entity, record)
            ORDER BY n.entity, n.record
            ON CONFLICT DO NOTHING;
            EXIT;
        EXCEPTION WHEN foreign_key_violation THEN
            IF attempt = 5 THEN RAISE; END IF;
        END;
    END LOOP;
    DELETE FROM public.entity_mentions m
    WHERE m.workspace_id = p_workspace AND m.record_id = ANY (p_records)
      AND NOT EXISTS (
        SELECT FROM unnest(p_mentioned, p_mentioning) AS n (entity, record)
        WHERE n.entity = m.entity_id AND n.record = m.record_id);
END
$function$;

-- Removes entities whose last mention has just gone, on whatever way: update, delete, cascade. Rows that a store is
-- just mentioning are locked by its foreign key and stay. Looked at again under the lock, with a newer snapshot.
CREATE OR REPLACE FUNCTION metronix_sweep_mentioned() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $function$
DECLARE
    orphans uuid[];
BEGIN
    orphans := ARRAY(
        SELECT e.id FROM public.entities e
        WHERE (e.workspace_id, e.id) IN (SELECT DISTINCT g.workspace_id, g.entity_id FROM gone g)
          AND NOT EXISTS (
            SELECT FROM public.entity_mentions m WHERE m.workspace_id = e.workspace_id AND m.entity_id = e.id)
        ORDER BY e.id FOR UPDATE SKIP LOCKED);
    IF cardinality(orphans) > 0 THEN
        DELETE FROM public.entities e
        WHERE e.id = ANY (orphans)
          AND NOT EXISTS (
            SELECT FROM public.entity_mentions m WHERE m.workspace_id = e.workspace_id AND m.entity_id = e.id);
    END IF;
    RETURN NULL;
END
$function$;

-- What that leaves behind: two deletes at once each see the other's mention. For no principal, hence SECURITY DEFINER;
-- gives nothing back but a count.
CREATE OR REPLACE FUNCTION metronix_sweep_entities() RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $function$
DECLARE
    orphans uuid[];
    removed int;
BEGIN
    orphans := ARRAY(
        SELECT e.id FROM public.entities e
        WHERE NOT EXISTS (
            SELECT FROM public.entity_mentions m WHERE m.workspace_id = e.workspace_id AND m.entity_id = e.id)
        ORDER BY e.id LIMIT 10000 FOR UPDATE SKIP LOCKED);
    DELETE FROM public.entities e
    WHERE e.id = ANY (orphans)
      AND NOT EXISTS (SELECT FROM public.entity_mentions m WHERE m.workspace_id = e.workspace_id AND m.entity_id = e.id);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$function$;
