"""The machine's time zone changes no answer: what expires, and which times are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from metronix.embedded.one_off import PROJECT

FURTHEST = ("Pacific/Kiritimati", "Pacific/Midway")
"""25 hours apart: never the same date."""

SCRIPT = """
import json, sys
import django
django.setup()
from memory.presentation import record_payload
from memory.services import list_records, store_record
from tests.support.people import model_principal
workspace, *contents = sys.argv[1:]
principal = model_principal(workspace, "owner")
for content in contents:
    store_record(principal, content=content, ttl_seconds=1 if "brief" in content else 3600)
print(json.dumps([record_payload(record) for record in list_records(principal).records]))
"""


def in_zone(zone: str, workspace: str, *contents: str) -> list[dict[str, Any]]:
    """Store the contents, then list, in a process of that zone."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, workspace, *contents],
        cwd=PROJECT,
        env=dict(os.environ) | {"TZ": zone, "DJANGO_SETTINGS_MODULE": "metronix.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_expiry_is_the_same_everywhere(workspace: str) -> None:
    begun = datetime.now(UTC)
    for number, zone in enumerate(FURTHEST):
        stored = in_zone(zone, workspace, f"brief {number}", f"lasting {number}")
        assert f"lasting {number}" in [record["content"] for record in stored]
    time.sleep(1.1)
    first, second = (in_zone(zone, workspace) for zone in FURTHEST)
    assert first == second
    assert [record["content"] for record in first] == ["lasting 1", "lasting 0"]
    for record in first:
        lives = datetime.fromisoformat(record["ttl_expires_at"]) - begun
        assert timedelta(hours=1) <= lives < timedelta(hours=1, minutes=5)
