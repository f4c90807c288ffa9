"""A missing program skips a test on someone's machine, and fails it in CI."""

from __future__ import annotations

import pytest

from tests.support.tools import need_program


def test_missing_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert need_program("no-such-program", "sh", advice="-").endswith("/sh")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no-such-program is not installed \(buy it\)"):
        need_program("no-such-program", advice="buy it")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        need_program("no-such-program", advice="buy it")
