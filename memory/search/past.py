"""The same search over the workspace as it was: exact over the contents of then, current and former.

An inspection, not a hot path: it reads every content that was valid and within reach. So it needs no index, and runs
under the row policies like any other query.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np
from django.db import connection
from django.db.models import Q
from numpy.typing import NDArray
from pgvector import SparseVector, Vector

from memory.as_of import require_tractable, unexpired_then, with_status_then
from memory.models import MemoryRecord
from memory.querysets import RecordQuerySet
from memory.search.candidates import DEPTH, Candidate, LexicalQuery
from memory.search.request import SearchRequest
from memory.terms.lexical import CLASSES, DIMENSIONS, K1, B, query_vectors
from metronix.tenancy.principal import Principal

CONTENTS = """
WITH reach AS ({reach}),
contents AS (
    SELECT r.id, NULL::uuid AS version_id, r.session_id, r.position, r.term_weights, r.term_count
    FROM memory_records r JOIN reach USING (id) WHERE r.content_since <= %s
    UNION ALL
    SELECT r.id, v.id, r.session_id, r.position, v.term_weights, v.term_count
    FROM memory_versions v JOIN memory_records r ON r.id = v.record_id JOIN reach ON reach.id = r.id
    WHERE v.valid_from <= %s AND v.valid_to > %s
),
scored AS (
    SELECT c.id, c.session_id, c.position,
        (SELECT 1 - min(e.embedding::vector({dimensions}) <=> %s::vector({dimensions}))
         FROM memory_embeddings e
         WHERE e.record_id = c.id AND e.version_id IS NOT DISTINCT FROM c.version_id
             AND e.model_id = {model}) AS cosine,
        {bm25} AS bm25
    FROM contents c
),
placed AS (
    SELECT *, row_number() OVER (ORDER BY cosine DESC NULLS LAST, id) AS by_cosine,
        row_number() OVER (ORDER BY bm25 DESC, id) AS by_words
    FROM scored
)
SELECT id, session_id, position, cosine, bm25 FROM placed WHERE by_cosine <= %s OR by_words <= %s
"""


def past_candidates(
    principal: Principal,
    request: SearchRequest,
    lexical: LexicalQuery,
    vector: NDArray[np.float32] | None,
    model: tuple[int, int],
    moment: datetime,
) -> list[Candidate]:
    """The best contents of then by each leg; inside `tenant`. Error: InvalidParams (too many versions)."""
    require_tractable(principal.workspace_id)
    reach, parameters = _reach(principal, request, moment).values("id").query.sql_with_params()
    weights = [SparseVector(weight, DIMENSIONS) for weight in query_vectors(principal.workspace_id, lexical.idfs)]
    bm25 = " + ".join(
        f"-(c.term_weights <#> %s::sparsevec) * {tf} * (%s + 1)"
        f" / ({tf} + %s * (1 - %s + %s * c.term_count / %s::float8))"
        for tf in range(1, CLASSES + 1)
    )
    words: list[str | float] = []
    for weight in weights:
        words += [weight.to_text(), K1, K1, B, B, lexical.average_length]
    depth = max(2 * DEPTH, request.top_k)
    with connection.cursor() as cursor:
        cursor.execute(
            CONTENTS.format(reach=reach, dimensions=model[1], model=model[0], bm25=bm25),
            [
                *parameters,
                moment,
                moment,
                moment,
                Vector(vector).to_text() if vector is not None else None,
                *words,
                depth,
                depth,
            ],
        )
        return [
            Candidate(record_id, session_id, position, None, cosine, bm25 or 0.0, cosine is not None, bool(bm25))
            for record_id, session_id, position, cosine, bm25 in cursor.fetchall()
        ]


def _reach(principal: Principal, request: SearchRequest, moment: datetime) -> RecordQuerySet:
    """The records that the request's filters admit as of then."""
    records = with_status_then(
        MemoryRecord.objects.visible_to(principal, session_key=request.session_key).tagged(request.tags),
        moment,
        among=request.statuses,
    )
    if not request.expired:
        records = records.filter(unexpired_then(moment))
    given = {"scope": request.scope, "category": request.category, "project": request.project, "layer": request.layer}
    return records.filter(Q(**{name: value for name, value in given.items() if value is not None}))
