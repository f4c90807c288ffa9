"""How an outcome is said on the wire: results and errors of the three families."""

from __future__ import annotations

import json
from typing import Any

from mcp.shared.exceptions import MCPError

from metronix.errors import MetronixError

NOT_FOUND_RESOURCE = -32002
"""The protocol's own code for an unknown resource."""


class InternalError(MetronixError):
    """What a caller is told of a fault of ours; the cause is in the log under the same request id."""

    def __init__(self) -> None:
        super().__init__(
            "The server could not complete this call.",
            hint="Try again; if it persists, give the request id to whoever runs the server.",
        )


def success(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload twice: for models as text, for programs as structured content."""
    return _result(payload, is_error=False)


def error_object(problem: MetronixError, request_id: str) -> dict[str, Any]:
    """The published error: `{code, message, hint, details}`, with the request id among the details."""
    said = {
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "details": {**problem.details, "request_id": request_id},
    }
    return transmissible(said)


def transmissible(value: Any) -> Any:
    """The value with lone surrogates replaced: an error may name a caller's field that no UTF-8 can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {transmissible(str(key)): transmissible(item) for key, item in value.items()}
    return [transmissible(item) for item in value] if isinstance(value, list | tuple) else value


def failure(problem: MetronixError, request_id: str) -> dict[str, Any]:
    """A tool error of the Metronix and Argos families: a result the model reads and can act on."""
    return _result({"error": error_object(problem, request_id)}, is_error=True)


def rpc_error(problem: MetronixError, request_id: str) -> MCPError:
    """A tool error of the HyphaeDB family: a JSON-RPC error object."""
    data = transmissible({**problem.details, "code": problem.code, "request_id": request_id})
    message = transmissible(f"{problem.message} {problem.hint}".strip())
    return MCPError(code=problem.rpc_code, message=message, data=data)


def _result(payload: dict[str, Any], *, is_error: bool) -> dict[str, Any]:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": payload,
        "isError": is_error,
        "resultType": "complete",
    }
