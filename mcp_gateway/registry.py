"""Which tools exist and in which toolset they are served.

A tool is one `Tool` in the `TOOLS` list of a module in `mcp_gateway/tools`. Two tools of one toolset may share a name
only where a module declares their merger in `MERGED`; anything else stops the start-up.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from mcp_types import Tool as PublishedTool
from mcp_types import ToolAnnotations

from mcp_gateway.caller import Caller, Progress
from mcp_gateway.outputs import Schema, output
from mcp_gateway.schemas import Arguments
from metronix.tenancy.principal import Principal, Role


class Family(StrEnum):
    """Whose published surface a tool belongs to; decides its error form."""

    METRONIX = "metronix"
    ARGOS = "argos"
    HYPHAE = "hyphae"


ALL = "all"
TOOLSETS: dict[str, tuple[Family, ...]] = {ALL: tuple(Family), **{family.value: (family,) for family in Family}}
"""Toolset name -> the families it serves."""


class DuplicateTool(RuntimeError):
    """Two tools of one toolset share a name without a declared merger."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler may need beside the principal and the arguments."""

    caller: Caller
    on_progress: Progress | None = None


Handler = Callable[[Principal, Any, Call], dict[str, Any]]
"""Runs on a database thread; calls one service and returns the reply's payload."""


@dataclass(frozen=True)
class Tool:
    """One tool: its published face and the handler behind it.

    `read_only` also decides the role: a tool that is not read-only needs an editor. The other hints are for clients
    and authorise nothing.
    """

    name: str
    family: Family
    description: str
    arguments: type[Arguments]
    reply: Schema
    handler: Handler
    read_only: bool
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    parse: Callable[[dict[str, Any]], Arguments] | None = field(default=None)

    @property
    def role(self) -> Role:
        """The least role that may call it."""
        return Role.VIEWER if self.read_only else Role.EDITOR

    def parsed(self, raw: dict[str, Any]) -> Arguments:
        """The checked arguments. Raises InvalidParams."""
        return (self.parse or self.arguments.parse)(raw)

    def names_workspace(self, raw: dict[str, Any]) -> bool:
        """True when the workspace of such a call is an argument (given or default), False when the door chooses it.

        A merged tool whose `agent_id` is optional has both: the form without an agent takes the door's.
        """
        fields = self.arguments.model_fields
        if "workspace_id" not in fields:
            return False
        agent = fields.get("agent_id")
        return agent is None or agent.is_required() or raw.get("agent_id") is not None

    @cached_property
    def published(self) -> PublishedTool:
        """The entry of `tools/list`."""
        return PublishedTool(
            name=self.name,
            description=self.description,
            input_schema=self.arguments.published(),
            output_schema=output(self.reply),
            annotations=ToolAnnotations(
                read_only_hint=self.read_only,
                destructive_hint=self.destructive,
                idempotent_hint=self.idempotent,
                open_world_hint=self.open_world,
            ),
        )


def toolset(name: str, tools: Iterable[Tool], merged: Iterable[Tool] = ()) -> dict[str, Tool]:
    """The tools of one toolset by name, sorted. Raises DuplicateTool on an undeclared clash."""
    families = TOOLSETS[name]
    mergers = {tool.name: tool for tool in merged}
    chosen: dict[str, Tool] = {}
    for tool in tools:
        if tool.family not in families:
            continue
        if tool.name in chosen and tool.name not in mergers:
            raise DuplicateTool(f"toolset {name!r} has two tools named {tool.name!r} and no declared merger")
        chosen[tool.name] = mergers[tool.name] if tool.name in chosen else tool
    return dict(sorted(chosen.items()))


def declared() -> tuple[list[Tool], list[Tool]]:
    """Every tool and every merger that the modules of `mcp_gateway.tools` declare."""
    import mcp_gateway.tools as package

    tools: list[Tool] = []
    merged: list[Tool] = []
    for found in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        module = importlib.import_module(f"{package.__name__}.{found}")
        tools.extend(getattr(module, "TOOLS", ()))
        merged.extend(getattr(module, "MERGED", ()))
    return tools, merged
