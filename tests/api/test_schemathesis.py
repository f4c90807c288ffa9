"""Calls made up from the OpenAPI document: no fault of ours, and every reply as documented."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import one_of
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from tests.mcp_gateway.serving import gateway_server
from tests.support.people import new_workspace
from tests.support.routes import Route, person, record, routes, session

CASES = int(os.environ.get("SCHEMATHESIS_CASES", "2000" if os.environ.get("CI") else "330"))
"""Of the whole run, shared among the operations."""


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with gateway_server() as url:
        yield url


@pytest.fixture(scope="module")
def open_mode() -> Iterator[str]:
    """Everything is allowed, in a workspace that is the default."""
    from django.test import override_settings

    workspace = new_workspace("fuzzed")
    with override_settings(AUTH_ENABLED=False, METRONIX_MCP_API_KEY="", DEFAULT_WORKSPACE_ID=workspace):
        yield workspace


@pytest.fixture(scope="module")
def api(base_url: str, open_mode: str) -> Any:
    """The document as served; half of the ids in paths are ids of something."""
    schema = schemathesis.openapi.from_dict(httpx.get(f"{base_url}/api/schema").json())
    schema.config.update(base_url=base_url)
    known = {
        "record_id": [record(open_mode) for _ in range(20)],
        "session_id": [session(open_mode) for _ in range(5)],
        "user_id": [str(person().pk) for _ in range(5)],
        "workspace_id": [open_mode, new_workspace("fuzzed")],
    }

    @schema.hook
    def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
        for name, ids in known.items():
            given = (path_parameters or {}).get(name)
            if given is not None and sum(map(ord, str(given))) % 2:
                path_parameters[name] = ids[len(str(given)) % len(ids)]
        return path_parameters

    return schema


load_all_checks()
CHECKED = [
    CHECKS.get_one(name)
    for name in (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    )
]
ROUTES = routes()
ITEM_BY_ITEM = {"store_memories"}
"""A bad item is that item's error in a 207, by contract, though the document shows items as they should be."""


def checks_of(route: Route) -> list[Any]:
    """All checks, but for the one that wants a whole batch refused for one item."""
    rejection = CHECKS.get_one("negative_data_rejection")
    return [check for check in CHECKED if check is not rejection or route.operation.name not in ITEM_BY_ITEM]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation.name)
def test_replies_are_as_documented(route: Route, api: Any) -> None:
    operation = api[route.path.replace("<", "{").replace(">", "}")][route.method]
    good, bad = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @given(case=one_of(good, bad))
    @seed(20260501)
    @settings(
        max_examples=-(-CASES // len(ROUTES)),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case) -> None:
        case.call_and_validate(checks=checks_of(route), timeout=30)

    check()
