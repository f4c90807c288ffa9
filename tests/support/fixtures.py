"""Fixtures that need models; loaded once Django is set up (tests/conftest.py)."""

from __future__ import annotations

import pytest

from metronix.tenancy.principal import Principal
from tests.support.people import model_principal, new_workspace


@pytest.fixture
def workspace() -> str:
    """A workspace of this test alone."""
    return new_workspace()


@pytest.fixture
def owner(workspace: str) -> Principal:
    """The agent whose memory it is."""
    return model_principal(workspace, "owner")


@pytest.fixture
def colleague(workspace: str) -> Principal:
    """Another agent of the same workspace."""
    return model_principal(workspace, "colleague")


@pytest.fixture
def stranger() -> Principal:
    """An agent of another workspace."""
    return model_principal(new_workspace("other"), "owner")
