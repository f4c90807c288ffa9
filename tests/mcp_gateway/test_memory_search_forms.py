"""`memory_search`: one name, two forms, and no call that is both."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_gateway.tools.memory_search import ByAgent, Live
from metronix.errors import InvalidParams
from tests.mcp_gateway.catalogue import served


def parsed(toolset: str, **arguments: Any) -> object:
    return served(toolset)["memory_search"].parsed(arguments)


def test_agent_id_decides() -> None:
    assert isinstance(parsed("all", query="x", agent_id="hermes", top_k=3), ByAgent)
    assert isinstance(parsed("all", query="x", limit=3), Live)
    assert isinstance(parsed("all", query="x", agent_id=None, top_k=None), Live)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"agent_id": "hermes", "limit": 3}, ("agent_id", "limit")),
        ({"agent_id": "hermes", "category_filter": "goal", "top_k": 2}, ("agent_id", "category_filter", "top_k")),
        ({"top_k": 3}, ("top_k", "agent_id")),
        ({"workspace_id": "W"}, ("workspace_id", "agent_id")),
        ({"tags": ["a"], "limit": 3}, ("tags", "limit")),
    ],
)
def test_mixture_is_refused_naming_both(arguments: dict[str, Any], named: tuple[str, ...]) -> None:
    with pytest.raises(InvalidParams) as caught:
        parsed("all", query="x", **arguments)
    assert all(name in caught.value.message for name in named)


def test_each_family_alone_has_its_own_form() -> None:
    with pytest.raises(InvalidParams, match="agent_id"):
        parsed("metronix", query="x")
    with pytest.raises(InvalidParams, match="agent_id"):
        parsed("argos", query="x", agent_id="hermes")


def test_merged_form_publishes_no_default_of_either_form() -> None:
    schema = served("all")["memory_search"].published.input_schema
    assert not [name for name, field in schema["properties"].items() if "default" in field]
    assert schema["required"] == ["query"]


def test_unknown_field_is_named_in_both_forms() -> None:
    for agent in ({}, {"agent_id": "hermes"}):
        with pytest.raises(InvalidParams, match="include_quarantined"):
            parsed("all", query="x", include_quarantined=True, **agent)


@pytest.mark.parametrize(("agent", "longest"), [({}, 2_000), ({"agent_id": "hermes"}, 2_048)])
def test_query_length_by_form(agent: dict[str, str], longest: int) -> None:
    parsed("all", query="x" * longest, **agent)
    with pytest.raises(InvalidParams, match="query"):
        parsed("all", query="x" * (longest + 1), **agent)
