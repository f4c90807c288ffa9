"""Toolsets: composed by family, sorted, and free of undeclared clashes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_gateway.http import Gateway
from mcp_gateway.instructions import instructions
from mcp_gateway.registry import TOOLSETS, DuplicateTool, Family, declared, toolset
from metronix.tenancy.principal import Role
from tests.mcp_gateway.catalogue import VALID, served


def test_undeclared_clash_stops_the_start() -> None:
    tools, merged = declared()
    clash = replace(tools[0], family=Family.HYPHAE)
    with pytest.raises(DuplicateTool, match=tools[0].name):
        Gateway([*tools, clash], merged)


def test_clash_within_a_family_is_a_clash() -> None:
    tools, _ = declared()
    with pytest.raises(DuplicateTool):
        toolset("metronix", [*tools, tools[0]])


def test_declared_merger_takes_the_place_of_both() -> None:
    tools, merged = declared()
    assert toolset("all", tools, merged)["memory_search"] is merged[0]
    assert toolset("metronix", tools, merged)["memory_search"] not in merged
    with pytest.raises(DuplicateTool):
        toolset("all", tools, [])


@pytest.mark.parametrize("name", TOOLSETS)
def test_toolsets_are_sorted(name: str) -> None:
    assert list(served(name)) == sorted(served(name))


def test_every_tool_has_a_valid_call_in_the_catalogue() -> None:
    assert set(VALID) == set(served("all"))


def test_whatever_writes_needs_an_editor() -> None:
    for tool in served("all").values():
        assert tool.role is (Role.VIEWER if tool.read_only else Role.EDITOR)


@pytest.mark.parametrize("name", TOOLSETS)
def test_instructions_speak_of_tools_that_are_there(name: str) -> None:
    lines = instructions(name, served(name)).splitlines()
    for line in lines[1:-1]:
        assert line.partition(":")[0] in served(name)
