"""Strict input for both doors: what is published is what is checked, and a refusal names the field."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from metronix.errors import InvalidParams

MAX_PROBLEMS = 5
"""Problems listed in one refusal; a body of a thousand unknown fields must not come back a thousand times."""
UNKNOWN = "unknown field"


class StrictModel(BaseModel):
    """Base of every tool's arguments and every route's body.

    Unknown fields are refused and types are strict ("3" is not 3, true is not 1; a whole number does for a float).
    A null for an optional field means it is absent, because models often write it so.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> Self:
        """The checked fields. Raises InvalidParams naming the first bad field, with all of them in `details`."""
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

    def as_keywords(self, *without: str, only_given: bool = False) -> dict[str, Any]:
        """The fields as keywords for a service; `only_given` leaves out those that are None."""
        values = {name: getattr(self, name) for name in type(self).model_fields if name not in without}
        return {name: value for name, value in values.items() if value is not None} if only_given else values


def refusal(problem: ValidationError, given: dict[str, Any], known: set[str]) -> InvalidParams:
    """Turn pydantic's findings into the one error of the contract (its own words never echo a value)."""
    problems: list[dict[str, str]] = []
    for name in sorted(set(given) - known):
        problems.append({"field": printable(name), "problem": UNKNOWN})
    for found in problem.errors(include_url=False, include_input=False, include_context=False):
        path = ".".join(str(part) for part in found["loc"])
        if not path or (found["type"] == "extra_forbidden" and len(found["loc"]) == 1):
            continue
        problems.append({"field": printable(path), "problem": plain(found["type"], found["msg"])})
    first = problems[0] if problems else {"field": "arguments", "problem": "not acceptable"}
    accepted = f"Accepted fields: {', '.join(sorted(known)) or 'none'}."
    return InvalidParams(
        f"{first['field']}: {first['problem']}.",
        field=first["field"],
        hint=accepted if first["problem"] == UNKNOWN else "The published schema has every field's type and bounds.",
        details={"problems": problems[:MAX_PROBLEMS]},
    )


def plain(kind: str, message: str) -> str:
    """A pydantic message as a caller would want to read it."""
    if kind == "missing":
        return "is required"
    if kind == "extra_forbidden":
        return UNKNOWN
    if kind == "string_unicode":
        return "holds text that is not valid Unicode (a lone surrogate)"
    message = message.removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")
    return message.replace("valid dictionary", "object")


def printable(name: str) -> str:
    """A caller's field name, made safe to send back: valid Unicode, of bounded length."""
    return name.encode("utf-8", "replace").decode()[:100]
