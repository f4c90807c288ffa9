"""The database's side of a search: one call that gives every candidate with the raw numbers of each leg."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.conf import settings
from django.db import connection
from numpy.typing import NDArray
from pgvector import SparseVector, Vector

from memory.models import LexiconTerm, LexiconTotal
from memory.search.request import SearchRequest
from memory.terms.analysis import query_terms
from memory.terms.lexical import DIMENSIONS, K1, B, idf, max_score, query_vectors, term_id
from metronix.tenancy.principal import Principal, PrincipalType

DEPTH = 30
"""Rows each leg proposes, or top_k if that is more; deeper ones changed no figure on LoCoMo."""
REACH = 1
"""Places on each side of a proposed record whose records become candidates too; at most 300 rows in all by default."""
COMMON_SHARE = 0.03
"""Words in more than this share of the workspace's records do not select rows (they still score) ..."""
SMALL_WORKSPACE = 2_000
"""... unless the workspace is small, or the question has no other words."""
ENTITY_DEPTH = 20
"""Rows the entity leg proposes."""
ENTITY_SHARE = 0.1
"""An entity that more than this share of the records names, or more than ENTITY_ROWS of them, proposes none ..."""
ENTITY_ROWS = 300
"""... and no more mentions than this are read in all, so that the time does not grow with the workspace."""
FEW_ROWS = 50
"""An entity of so few records always proposes."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record proposed by some leg. `cosine` is the best window's; None where the leg was left out or no vector is.

    `position` is the place in its session; `recency` counts from 0, the newest of the session asked for. `entities`
    are places in the list of the question's entities.
    """

    record_id: uuid.UUID
    session_id: uuid.UUID | None
    position: int | None
    recency: int | None
    cosine: float | None
    bm25: float
    by_vector: bool
    by_words: bool
    by_entities: bool = False
    entities: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """The question's terms with their IDF in this workspace, and which of them select rows."""

    idfs: dict[str, float]
    selecting: list[int]
    average_length: float
    documents: int

    @property
    def best_possible(self) -> float:
        """The BM25 of a perfect match, the yardstick that makes the score absolute."""
        return max_score(self.idfs.values())


def lexical_query(principal: Principal, query: str) -> LexicalQuery:
    """Analyse the question and look up the document frequencies of its terms."""
    words = query_terms(query, settings.METRONIX_LANGUAGE)
    ids = {word: term_id(principal.workspace_id, word) for word in words}
    total = LexiconTotal.objects.filter(workspace_id=principal.workspace_id).first()
    documents = max(total.documents, 0) if total else 0
    frequency = dict(
        LexiconTerm.objects.filter(workspace_id=principal.workspace_id, term_id__in=list(ids.values())).values_list(
            "term_id", "documents"
        )
    )
    rare = [number for number in ids.values() if frequency.get(number, 0) <= COMMON_SHARE * documents]
    selecting = list(ids.values()) if documents <= SMALL_WORKSPACE or not rare else rare
    average = total.terms / documents if total and documents > 0 and total.terms > 0 else 1.0
    return LexicalQuery(
        {word: idf(documents, frequency.get(number, 0)) for word, number in ids.items()}, selecting, average, documents
    )


CALL = (
    "SELECT * FROM metronix_search_candidates("
    "%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s::vector, %s::int[],"
    "%s::sparsevec, %s::sparsevec, %s::sparsevec, %s::sparsevec, %s, %s, %s, %s, %s, %s,"
    "%s::uuid[], %s, %s, %s)"
)


def call_arguments(
    principal: Principal,
    request: SearchRequest,
    lexical: LexicalQuery,
    vector: NDArray[np.float32] | None,
    model: tuple[int, int],
    entities: Sequence[uuid.UUID] = (),
) -> list[Any]:
    """The arguments of CALL; `model` is (id, dimensions) of the vectors to compare with.

    `entities` are what the question names; without any the entity leg is left out.
    """
    weights = [SparseVector(weight, DIMENSIONS) for weight in query_vectors(principal.workspace_id, lexical.idfs)]
    return [
        principal.workspace_id,
        principal.agent_id,
        request.session_key,
        request.scope,
        list(request.statuses) if request.statuses is not None else None,
        request.expired,
        principal.type is PrincipalType.HUMAN,
        list(request.tags) or None,
        request.category,
        request.project,
        request.layer,
        *model,
        Vector(vector).to_text() if vector is not None else None,
        lexical.selecting,
        *(weight.to_text() for weight in weights),
        K1,
        B,
        lexical.average_length,
        max(DEPTH, request.top_k),
        REACH,
        request.top_k,
        list(entities),
        ENTITY_DEPTH,
        min(ENTITY_ROWS, max(FEW_ROWS, int(ENTITY_SHARE * lexical.documents))),
        ENTITY_ROWS,
    ]


def find_candidates(
    principal: Principal,
    request: SearchRequest,
    lexical: LexicalQuery,
    vector: NDArray[np.float32] | None,
    model: tuple[int, int],
    entities: Sequence[uuid.UUID] = (),
) -> list[Candidate]:
    """All candidates within the principal's reach, in no particular order; call it inside `tenant`."""
    with connection.cursor() as cursor:
        cursor.execute(CALL, call_arguments(principal, request, lexical, vector, model, entities))
        return [
            Candidate(
                record_id,
                session_id,
                position,
                recency,
                cosine,
                bm25 or 0.0,
                bool(by_vector),
                bool(by_words),
                bool(by_entities),
                tuple(shared or ()),
            )
            for (
                record_id,
                session_id,
                position,
                recency,
                cosine,
                bm25,
                by_vector,
                by_words,
                by_entities,
                shared,
            ) in cursor.fetchall()
        ]
