"""Every tool's input: strict, bounded, described, and published as it is checked."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from mcp_gateway.registry import Tool
from metronix.errors import InvalidParams
from tests.mcp_gateway.catalogue import EVERY, served, valid

PLACES = pytest.mark.parametrize("tool", [pytest.param(t, id=f"{name}-{t.name}") for name, t in EVERY])
WRONG = {"string": 7, "integer": "3", "number": "0.5", "boolean": "yes", "array": "a", "object": "a"}
"""JSON type -> a value of another type that a lenient parser would take."""


def properties(tool: Tool) -> dict[str, dict[str, Any]]:
    return tool.published.input_schema["properties"]


def refused(tool: Tool, arguments: dict[str, Any]) -> InvalidParams:
    with pytest.raises(InvalidParams) as caught:
        tool.parsed(arguments)
    return caught.value


@PLACES
def test_schema_is_flat_closed_and_described(tool: Tool) -> None:
    schema = tool.published.input_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert not {"oneOf", "anyOf", "allOf", "$ref", "$defs"} & set(schema)
    assert "$ref" not in str(schema)
    assert all(field.get("description") for field in schema["properties"].values())


@PLACES
def test_output_schema_admits_success_and_error(tool: Tool) -> None:
    schema = tool.published.output_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    error = {"error": {"code": "FORBIDDEN", "message": "No.", "hint": "", "details": {"request_id": "r"}}}
    jsonschema.validate(error, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, schema)


@PLACES
def test_all_four_annotations_are_stated(tool: Tool) -> None:
    said = tool.published.annotations
    hints = (said.read_only_hint, said.destructive_hint, said.idempotent_hint, said.open_world_hint)
    assert all(type(hint) is bool for hint in hints)
    assert said.open_world_hint is (tool.name == "metronix_sync")
    assert not (said.read_only_hint and said.destructive_hint)


@PLACES
def test_description_says_when_when_not_and_how(tool: Tool) -> None:
    for part in ("Use it", "Not ", "Example"):
        assert part in tool.description


@PLACES
def test_valid_call_is_accepted_by_schema_and_server(tool: Tool) -> None:
    jsonschema.validate(valid(tool), tool.published.input_schema)
    tool.parsed(valid(tool))


@PLACES
def test_unknown_field_is_named(tool: Tool) -> None:
    problem = refused(tool, valid(tool) | {"suppress_retrieval": True})
    assert problem.details["field"] == "suppress_retrieval"
    assert "suppress_retrieval" in problem.message


@PLACES
def test_wrong_types_are_refused_by_name(tool: Tool) -> None:
    for name, schema in properties(tool).items():
        if name == "agent_id" or (tool.name == "memory_search" and name not in valid(tool)):
            continue  # fields of the other form of memory_search have tests of their own
        problem = refused(tool, valid(tool) | {name: WRONG[schema["type"]]})
        assert problem.details["field"].split(".")[0] == name
        if schema["type"] in ("integer", "number"):
            assert refused(tool, valid(tool) | {name: True}).details["field"] == name


@PLACES
def test_null_is_absence_for_optional_fields_alone(tool: Tool) -> None:
    required = set(tool.published.input_schema.get("required", []))
    optional = {name: None for name in properties(tool) if name not in valid(tool) and name not in required}
    assert tool.parsed(valid(tool) | optional) == tool.parsed(valid(tool))
    for name in required:
        assert name in refused(tool, valid(tool) | {name: None}).message


@PLACES
def test_missing_required_field_is_named(tool: Tool) -> None:
    for name in tool.published.input_schema.get("required", []):
        rest = {key: value for key, value in valid(tool).items() if key != name}
        assert refused(tool, rest).details["field"] == name


@PLACES
def test_bounds_hold_to_the_unit(tool: Tool) -> None:
    for name, schema in properties(tool).items():
        if tool.name == "memory_search" and name not in valid(tool):
            continue
        for bound, step in (("minimum", -1), ("maximum", 1)):
            if bound in schema:
                tool.parsed(valid(tool) | {name: schema[bound]})
                refused(tool, valid(tool) | {name: schema[bound] + step})
        if schema.get("maxLength", 0) > 64 and "enum" not in schema:
            tool.parsed(valid(tool) | {name: "x" * schema["maxLength"]}) if name != "query" else None
            refused(tool, valid(tool) | {name: "x" * (schema["maxLength"] + 1)})
        if "enum" in schema:
            refused(tool, valid(tool) | {name: "nonsense"})


@pytest.mark.parametrize("text", ["", " \t\n", "a\x00b", "a\ud800b"])
def test_text_that_cannot_be_kept_is_refused(text: str) -> None:
    store = served("all")["memory_store"]
    for field in ("content", "session_id"):
        assert refused(store, valid(store) | {field: text}).details["field"] == field
    assert refused(store, valid(store) | {"tags": [text]}).details["field"] == "tags.0"


@pytest.mark.parametrize("when", ["2099-01-01", "2099-01-01T00:00:00", "soon", "2099-13-01T00:00:00Z", ""])
def test_time_needs_an_offset(when: str) -> None:
    store = served("all")["memory_store"]
    assert refused(store, valid(store) | {"valid_until": when}).details["field"] == "valid_until"


def test_time_becomes_an_aware_moment() -> None:
    store = served("all")["memory_store"]
    parsed = store.parsed(valid(store) | {"valid_until": "2099-01-01t02:00:00.5+02:00"})
    assert parsed.valid_until.isoformat() == "2099-01-01T00:00:00.500000+00:00"


def test_batch_items_are_strict_in_print_and_free_on_arrival() -> None:
    batch = served("all")["memory_batch_store"]
    call = {"agent_id": "hermes", "records": [{"content": 7, "colour": "red"}, {}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(call, batch.published.input_schema)
    assert batch.parsed(call).records == call["records"]


@pytest.mark.parametrize("records", [[], [{}] * 101, ["a"], {"content": "a"}, [None]])
def test_batch_envelope_is_checked(records: Any) -> None:
    batch = served("all")["memory_batch_store"]
    assert refused(batch, {"agent_id": "hermes", "records": records}).details["field"].startswith("records")


def test_refusal_of_many_fields_stays_small() -> None:
    status = served("all")["metronix_status"]
    problem = refused(status, {f"{'x' * 500}{n}": n for n in range(1_000)})
    assert len(str(problem.details)) < 2_000
