"""The published tools, as a snapshot: a change of the surface shows in the diff.

Regenerate after an intended change: UPDATE_SNAPSHOTS=1 python -m pytest tests/mcp_gateway/test_tool_schemas.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from mcp_gateway.registry import TOOLSETS
from tests.mcp_gateway.catalogue import served

SNAPSHOT = Path(__file__).with_name("tool_schemas.json")


def test_published_tools_are_as_recorded() -> None:
    published = {
        name: [
            tool.published.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in served(name).values()
        ]
        for name in TOOLSETS
    }
    text = json.dumps(published, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == text, __doc__
