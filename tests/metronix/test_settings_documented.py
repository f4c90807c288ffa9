"""docs/settings.md and the code name the same variables, with the same defaults."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
READERS = {"text", "boolean", "integer", "decimal", "words"}
MADE_AT_START = {"embedded", "made at first start", "empty"}


def read_in_code() -> dict[str, str]:
    """Variable -> default, from every call of a reader of metronix.env."""
    found: dict[str, str] = {}
    for path in (
        path for app in ("metronix", "memory", "mcp_gateway", "review") for path in (ROOT / app).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "env"
                and node.func.attr in READERS
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                default = constant(node.args[1]) if len(node.args) > 1 else ""
                found[str(node.args[0].value)] = str(default).lower() if isinstance(default, bool) else str(default)
    return found


def constant(node: ast.expr) -> object:
    """The value of a default, which may be written as a product (2 * 1024)."""
    return eval(compile(ast.Expression(node), "default", "eval"), {"__builtins__": {}})


def documented() -> dict[str, str]:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `?([^|`]*)`? \|", (ROOT / "docs" / "settings.md").read_text(), re.M)
    return {name: default.strip() for name, default in rows}


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    named_by_variable = {"DATABASE_URL", "DATABASE_OWNER_URL"}
    assert set(documented()) == set(read_in_code()) | named_by_variable


def test_the_documented_defaults_are_the_code_s() -> None:
    code = read_in_code()
    for name, default in documented().items():
        if default not in MADE_AT_START:
            assert default == code[name], name
