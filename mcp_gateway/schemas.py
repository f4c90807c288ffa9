"""Strict tool arguments: what is published is what is checked, and a refusal names the field."""

from __future__ import annotations

from typing import Any

from metronix.strict import StrictModel


class Arguments(StrictModel):
    """Base of every tool's input."""

    @classmethod
    def published(cls) -> dict[str, Any]:
        """The flat JSON Schema for `inputSchema`: no $ref, no null branch, no titles."""
        return flatten(cls.model_json_schema())


def flatten(schema: dict[str, Any]) -> dict[str, Any]:
    """Pydantic's schema without titles, `$defs` and the null branch of optional fields."""
    definitions = schema.get("$defs", {})

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            target = definitions[node["$ref"].rsplit("/", 1)[-1]]
            return walk({**target, **{key: value for key, value in node.items() if key != "$ref"}})
        branches = [part for part in node.get("anyOf", []) if part != {"type": "null"}]
        if "anyOf" in node and len(branches) == 1:
            rest = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
            return walk({**branches[0], **rest})
        return {key: walk(value) for key, value in node.items() if key != "title"}

    properties = {name: walk(value) for name, value in schema.get("properties", {}).items()}
    flat: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if schema.get("required"):
        flat["required"] = schema["required"]
    return flat
