"""Memories to look at, stored through the MCP door as agents store them; some are meant to break a page."""

from __future__ import annotations

from typing import Any

import httpx

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> </textarea><b>bold</b>"
UNBROKEN = "x" * 900
RIGHT_TO_LEFT = "הפגישה הבאה עם צוות התשתיות נקבעה ליום שלישי בשעה עשר בבוקר."
EMOJI = "Deploy party 🎉👩‍👩‍👧‍👦 on Friday 🚀 — bring 🍰"

ORDINARY = [
    ("hermes", "The staging database listens on port 5432.", ["infra", "staging"]),
    ("hermes", "Deployments to production need two approvals and happen before 16:00 UTC.", ["process"]),
    (
        "hermes",
        "The incident of the third week was caused by an expired certificate of the payment gateway.",
        ["incident"],
    ),
    ("iris", "Maria prefers short answers with the command first and the explanation after it.", ["people"]),
    ("iris", "我住在柏林，每天骑自行车上班。", ["people", "日本"]),
    ("iris", "The quarterly report is due on the 14th; finance wants it as a spreadsheet, not as a PDF.", ["finance"]),
    (
        "atlas",
        "Vendor contract MTRNIX-303 renews automatically unless cancelled 60 days ahead.",
        ["contracts", "a,b", "50%"],
    ),
    (
        "atlas",
        "Service accounts rotate their keys every 90 days; the runbook is GOALS.md in the ops repository.",
        ["security"],
    ),
]


class Agent:
    """Calls tools over HTTP, as an MCP client without a session does."""

    def __init__(self, base_url: str, key: str | None = None) -> None:
        self.address = f"{base_url}/mcp"
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The tool's structured answer."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = httpx.post(self.address, json=message, headers=self.headers, timeout=30).raise_for_status()
        content: dict[str, Any] = answer.json()["result"]["structuredContent"]
        assert "error" not in content, content
        return content

    def store(self, agent: str, content: str, **more: Any) -> str:
        """The new record's id."""
        return str(self.call("memory_store", agent_id=agent, content=content, **more)["id"])


def furnish(base_url: str) -> dict[str, str]:
    """Store everything; returns the ids of the memories that tests look for."""
    agent = Agent(base_url)
    ids = [agent.store(name, content, tags=tags, session_id="standup-11") for name, content, tags in ORDINARY]
    first = ids[0]
    agent.call("memory_update", record_id=first, content="The staging database listens on port 5433.")
    agent.call(
        "memory_update",
        record_id=first,
        content="The staging database listens on port 5433 since the move to the new cluster.",
        tags=["infra", "staging", "moved"],
    )
    hostile = agent.store("mallory", HOSTILE, tags=["<b>tag</b>", '"quoted"'])
    agent.store("mallory", UNBROKEN, tags=["u" * 64])
    agent.store("noa", RIGHT_TO_LEFT, tags=["תשתיות"])
    agent.store("noa", EMOJI, tags=["🎉"])
    return {"first": first, "hostile": hostile}
