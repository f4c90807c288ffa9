"""Reading one JSON-RPC message from a POST body, and saying no in JSON-RPC."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mcp_types import INVALID_REQUEST, PARSE_ERROR
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic_core import from_json


class Refused(Exception):
    """The request ends here, with this HTTP status and JSON-RPC error; `code_name` is the published name of `code`."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        code_name: str = "INVALID_PARAMS",
        headers: tuple[tuple[str, str], ...] = (),
        request_id: Any = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.code_name = code_name
        self.headers = headers
        self.request_id = request_id

    def body(self, request_id: str) -> bytes:
        """The JSON-RPC error object; `request_id` is ours, the message's own id is `id`."""
        error = {"code": self.code, "message": self.message, "data": {"code": self.code_name, "request_id": request_id}}
        return json.dumps({"jsonrpc": "2.0", "id": self.request_id, "error": error}).encode()


@dataclass(frozen=True, slots=True)
class Message:
    """One well-formed message. `body` is what goes on to the SDK, `arguments` what the body could not carry."""

    value: dict[str, Any]
    body: bytes
    arguments: dict[str, Any] | None = None

    @property
    def id(self) -> Any:
        """The message's id, None for a notification."""
        return self.value.get("id")

    @property
    def method(self) -> str:
        """Its method, empty for a response."""
        return str(self.value.get("method", ""))

    @property
    def params(self) -> dict[str, Any]:
        """Its parameters."""
        return self.value.get("params") or {}

    @property
    def tool_arguments(self) -> dict[str, Any]:
        """The arguments of a tools/call, or nothing where they are not an object."""
        arguments = self.params.get("arguments")
        return arguments if isinstance(arguments, dict) else {}

    @property
    def wants_progress(self) -> bool:
        """True when the sender gave a token for progress notifications."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return isinstance(token, str | int) and not isinstance(token, bool)


def read_message(body: bytes) -> Message:
    """The message in a body. Raises Refused for what is not one JSON-RPC message."""
    try:
        value = from_json(body)
    except ValueError:
        return read_broken_text(body)
    return completed(checked(value), body)


def read_broken_text(body: bytes) -> Message:
    """A tools/call whose text holds a lone surrogate is valid JSON that no UTF-8 can carry.

    The SDK's parser refuses the whole message. Here the arguments go on as they are, beside a body with replacement
    characters, and the tool's schema refuses the field by name. Anything else that does not parse is refused.
    """
    try:
        value = json.loads(body) if b"\\u" in body else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("method") != "tools/call":
        raise Refused(400, PARSE_ERROR, "The body is not valid JSON, or is nested too deeply.")
    message = Message(checked(value), b"")
    clean = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    try:
        # json.loads goes deeper than the SDK's parser does.
        return Message(checked(from_json(clean)), clean, message.tool_arguments)
    except ValueError:
        raise Refused(400, PARSE_ERROR, "The body is nested too deeply.") from None


def checked(value: Any) -> dict[str, Any]:
    """The value as a JSON-RPC message. Raises Refused."""
    if isinstance(value, list):
        raise Refused(400, INVALID_REQUEST, "JSON-RPC batches are not supported; send one message per request.")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise Refused(400, INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 message ("jsonrpc": "2.0" is missing).')
    identity = value.get("id")
    if "id" in value and (not isinstance(identity, str | int) or isinstance(identity, bool)):
        raise Refused(400, INVALID_REQUEST, "id must be a string or a whole number.")
    if "method" not in value and ("result" in value or "error" in value):
        return value
    if not isinstance(value.get("method"), str):
        raise Refused(400, INVALID_REQUEST, "method must be a string.", request_id=identity)
    if not isinstance(value.get("params", {}), dict):
        raise Refused(400, INVALID_REQUEST, "params must be an object.", request_id=identity)
    return value


def completed(value: dict[str, Any], body: bytes) -> Message:
    """An initialize without a revision asks for the newest handshake; the SDK would call it malformed."""
    if value.get("method") != "initialize":
        return Message(value, body)
    params = value.get("params", {})
    if isinstance(params.get("protocolVersion"), str):
        return Message(value, body)
    value = {**value, "params": {**params, "protocolVersion": LATEST_HANDSHAKE_VERSION}}
    return Message(value, json.dumps(value).encode())
