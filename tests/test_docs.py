"""What the documents and the banner name is there: files, pictures, anchors' pages, targets, commands and options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import get_commands, load_command_class

from metronix.embedded.banner import banner
from metronix.embedded.first_login import FirstLogin
from metronix.embedded.one_off import PROJECT
from metronix.embedded.options import UpOptions

DOCUMENTS = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md"]
DOCUMENTS += sorted((PROJECT / "docs").rglob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
IN_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
TARGET = re.compile(r"\bmake ([a-z]+)\b")
MANAGE = re.compile(r"\bmanage\.py ([a-z][a-z_]+)|ARGS=\\?\"?([a-z][a-z_]+)([^\"`\n]*)")
OPTION = re.compile(r"--[a-z][a-z-]+")


def code(document: Path) -> str:
    """The commands of a document: prose may `make` many things."""
    return "\n".join(IN_CODE.findall(document.read_text(encoding="utf-8")))


def names(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_every_link_leads_somewhere(document: Path) -> None:
    missing = []
    for link in LINK.findall(IN_CODE.sub("", document.read_text(encoding="utf-8"))):
        path = unquote(link.partition("#")[0])
        if path and not re.match(r"[a-z]+:", path) and not (document.parent / path).exists():
            missing.append(link)
    assert missing == []


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.M))


def unknown_commands(text: str) -> list[str]:
    """Management commands that are not there, or not with that option. `make test ARGS` is pytest's."""
    wrong = []
    lines = [line for line in text.splitlines() if not re.search(r"make (test|bench)\b", line)]
    for alone, command, rest in MANAGE.findall("\n".join(lines)):
        name = alone or command
        app = get_commands().get(name)
        if app is None:
            wrong.append(name)
            continue
        known = load_command_class(app, name) if isinstance(app, str) else app
        options = set(known.create_parser("manage.py", name)._option_string_actions)
        wrong += [f"{name} {option}" for option in OPTION.findall(rest) if option not in options]
    return wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=names)
def test_every_command_exists(document: Path) -> None:
    text = code(document)
    assert {name for name in TARGET.findall(text)} <= targets()
    assert unknown_commands(text) == []


def test_the_banner_s_commands_exist() -> None:
    login = FirstLogin("admin@metronix.local", "password", "MTRNIX")
    text = banner(UpOptions(), PROJECT / "other", login, {}, auth=True, data=["other/"])
    assert set(TARGET.findall(text)) == {"manage"}
    assert unknown_commands(text) == []
    for command in re.findall(r'ARGS="([^"]+)"', text):
        assert shlex.split(command)[0] in {"create_user", "create_api_key"}


def test_the_list_of_targets_is_the_makefile_s() -> None:
    listed = "\n".join(re.findall(r"^## (.*)", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(TARGET.findall(listed)) == targets() - {"help"}


def test_the_test_finds_what_is_wrong() -> None:
    assert unknown_commands('`make manage ARGS="no_such_command"` and `manage.py migrate`') == ["no_such_command"]
    assert unknown_commands('`make manage ARGS="create_user a@b.org --nope"`') == ["create_user --nope"]
    assert LINK.findall("![a](b.png) [c](d.md#e)") == ["b.png", "d.md#e"]
