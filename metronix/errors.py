"""The one hierarchy of refusals.

Services raise these; each door renders them in its own envelope (docs/errors.md). A code follows from the
exception's type and never from words in a message. Messages are written for the caller: no SQL, path or stack.
"""

from __future__ import annotations

from typing import Any, ClassVar


class MetronixError(Exception):
    """A refusal that a caller can understand and act on.

    `message` is one sentence, `hint` the next step, `details` machine-readable (for a bad field: `{"field": name}`).
    """

    code: ClassVar[str] = "INTERNAL_ERROR"
    http_status: ClassVar[int] = 500
    rpc_code: ClassVar[int] = -32603

    def __init__(self, message: str, *, hint: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})


class InvalidParams(MetronixError):
    """An argument is missing, of the wrong type, out of range or contradictory. Names the field in `details`."""

    code = "INVALID_PARAMS"
    http_status = 422
    rpc_code = -32602

    def __init__(
        self, message: str, *, field: str | None = None, hint: str = "", details: dict[str, Any] | None = None
    ):
        merged = dict(details or {})
        if field is not None:
            merged.setdefault("field", field)
        super().__init__(message, hint=hint, details=merged)


class NotFound(MetronixError):
    """No such thing in the caller's scope; also said of what exists elsewhere, so that ids cannot be probed."""

    code = "DOCUMENT_NOT_FOUND"
    http_status = 404
    rpc_code = -32004


class WorkspaceNotFound(NotFound):
    """The workspace is granted (or anything is) but does not exist."""

    code = "WORKSPACE_NOT_FOUND"


class AuthRequired(MetronixError):
    """No valid credential: missing, malformed, expired, disabled, or two that disagree."""

    code = "AUTH_REQUIRED"
    http_status = 401
    rpc_code = -32001


class Forbidden(MetronixError):
    """The credential is valid, but its role, grants or binding do not allow this."""

    code = "FORBIDDEN"
    http_status = 403
    rpc_code = -32003


class Conflict(MetronixError):
    """The write contradicts the current state; `details` names what it met."""

    code = "CONFLICT"
    http_status = 409
    rpc_code = -32009


class Stale(Conflict):
    """The caller's precondition names a revision that is not the row's any more; `details["revision"]` is."""

    http_status = 412


class RateLimited(MetronixError):
    """Too many requests; `details["retry_after"]` is in seconds."""

    code = "RATE_LIMITED"
    http_status = 429
    rpc_code = -32029


class VectorSearchUnavailable(MetronixError):
    """The vector leg cannot answer and no other leg can stand in (the published code is kept for clients)."""

    code = "QDRANT_UNAVAILABLE"
    http_status = 503


class GraphUnavailable(MetronixError):
    """The graph store cannot answer and the call needs it."""

    code = "GRAPH_UNAVAILABLE"
    http_status = 503


class IngestionFailed(MetronixError):
    """A document could not be parsed, chunked or stored."""

    code = "INGESTION_FAILED"
    http_status = 422
