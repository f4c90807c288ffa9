"""Each model's own HNSW index: partial, over a cast to its size. Made and dropped as the owner, concurrently."""

from __future__ import annotations

from psycopg import sql

from metronix.database import owner_connection

MEMORY = "256MB"


def index_name(model_id: int) -> str:
    """As in migration 0003."""
    return f"memory_embeddings_hnsw_{model_id}"


def ensure_index(model_id: int, dimensions: int) -> None:
    """Build the model's index unless there is a valid one; what an interrupted build left behind is dropped first.

    After the vectors, not before: built at once, a hundred thousand take half a minute, one by one five times that.
    Stores and searches go on meanwhile.
    """
    name = sql.Identifier(index_name(model_id))
    with owner_connection() as owner:
        found = owner.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [index_name(model_id)]
        ).fetchone()
        if found == (True,):
            return
        owner.execute(sql.SQL("SET maintenance_work_mem = {}").format(MEMORY))
        owner.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(name))
        owner.execute(
            sql.SQL(
                "CREATE INDEX CONCURRENTLY {} ON memory_embeddings"
                " USING hnsw ((embedding::vector({})) vector_cosine_ops) WHERE model_id = {} AND version_id IS NULL"
            ).format(name, sql.Literal(dimensions), sql.Literal(model_id))
        )


def drop_index(model_id: int) -> None:
    """Drop the model's index, if any."""
    with owner_connection() as owner:
        owner.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(index_name(model_id))))
