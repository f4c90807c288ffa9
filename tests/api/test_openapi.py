"""The OpenAPI document, as a snapshot: a change of the API shows in the diff.

Regenerate after an intended change: UPDATE_SNAPSHOTS=1 python -m pytest tests/api/test_openapi.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.rest import Rest
from tests.support.routes import routes

SNAPSHOT = Path(__file__).with_name("openapi.json")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """As the server sends it."""
    return Rest().get("/api/schema").ok()


def test_the_document_is_as_recorded(document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == text, __doc__


def test_every_route_is_in_it_and_nothing_else(document: dict[str, Any]) -> None:
    documented = {
        (method.upper(), path.replace("{", "<").replace("}", ">")): operation["operationId"]
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert documented == {(route.method, route.path): route.operation.name for route in routes()}


def test_every_operation_says_what_it_refuses(document: dict[str, Any]) -> None:
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"] and operation["description"]
            assert {"400", "401", "422", "503"} <= set(operation["responses"])
            for parameter in operation.get("parameters", []):
                assert parameter["in"] == "path" or parameter["description"], parameter
