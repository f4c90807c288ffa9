"""Every served tool with a call that is valid, and what makes it invalid. A new tool must be added to `VALID`."""

from __future__ import annotations

from typing import Any

from mcp_gateway.registry import TOOLSETS, Tool, declared, toolset

RECORD = "3f2b8c1e-5d7a-4f7e-9a51-0c2f6b1d9e77"

VALID: dict[str, dict[str, Any]] = {
    "memory_store": {"content": "Ada prefers dark mode", "agent_id": "hermes"},
    "memory_batch_store": {"records": [{"content": "Ada prefers dark mode"}], "agent_id": "hermes"},
    "memory_search": {"query": "which theme"},
    "memory_list": {"agent_id": "hermes"},
    "memory_update": {"record_id": RECORD, "importance_score": 0.9},
    "memory_delete": {"record_id": RECORD},
    "metronix_status": {},
}


def served(name: str) -> dict[str, Tool]:
    """The tools of a toolset as the server has them."""
    return toolset(name, *declared())


def valid(tool: Tool) -> dict[str, Any]:
    """A valid call of the tool, in the form it requires."""
    required = {name for name, field in tool.arguments.model_fields.items() if field.is_required()}
    return VALID[tool.name] | ({"agent_id": "hermes"} if "agent_id" in required else {})


EVERY = [(name, tool) for name in TOOLSETS for tool in served(name).values()]
"""(toolset, tool) for each place where a tool is served."""
