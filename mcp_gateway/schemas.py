"""Strict tool arguments: what is published is what is checked, and a refusal names the field."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from metronix.errors import InvalidParams

MAX_PROBLEMS = 5
"""Problems listed in one refusal; a body of a thousand unknown fields must not come back a thousand times."""
UNKNOWN = "unknown field"


class Arguments(BaseModel):
    """Base of every tool's input.

    Unknown fields are refused and types are strict ("3" is not 3, true is not 1; a whole number does for a float).
    A null for an optional field means it is absent, because models often write it so.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> Self:
        """The checked arguments. Raises InvalidParams naming the first bad field, with all of them in `details`."""
        given = {name: value for name, value in raw.items() if value is not None or not cls.is_optional(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as problem:
            raise refusal(problem, given, set(cls.model_fields)) from None

    @classmethod
    def is_optional(cls, name: str) -> bool:
        """True for a known field that need not be given."""
        field = cls.model_fields.get(name)
        return field is not None and not field.is_required()

    @classmethod
    def published(cls) -> dict[str, Any]:
        """The flat JSON Schema for `inputSchema`: no $ref, no null branch, no titles."""
        return flatten(cls.model_json_schema())


def refusal(problem: ValidationError, given: dict[str, Any], known: set[str]) -> InvalidParams:
    """Turn pydantic's findings into the one error of the contract (its own words never echo a value)."""
    problems: list[dict[str, str]] = []
    for name in sorted(set(given) - known):
        problems.append({"field": printable(name), "problem": UNKNOWN})
    for found in problem.errors(include_url=False, include_input=False, include_context=False):
        if found["type"] == "extra_forbidden" or not found["loc"]:
            continue
        path = ".".join(str(part) for part in found["loc"])
        problems.append({"field": printable(path), "problem": plain(found["type"], found["msg"])})
    first = problems[0] if problems else {"field": "arguments", "problem": "not acceptable"}
    accepted = f"Accepted fields: {', '.join(sorted(known)) or 'none'}."
    return InvalidParams(
        f"{first['field']}: {first['problem']}.",
        field=first["field"],
        hint=accepted if first["problem"] == UNKNOWN else "The tool's inputSchema has every field's type and bounds.",
        details={"problems": problems[:MAX_PROBLEMS]},
    )


def plain(kind: str, message: str) -> str:
    """A pydantic message as a caller would want to read it."""
    if kind == "missing":
        return "is required"
    if kind == "string_unicode":
        return "holds text that is not valid Unicode (a lone surrogate)"
    message = message.removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")
    return message.replace("valid dictionary", "object")


def printable(name: str) -> str:
    """A caller's field name, made safe to send back: valid Unicode, of bounded length."""
    return name.encode("utf-8", "replace").decode()[:100]


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
