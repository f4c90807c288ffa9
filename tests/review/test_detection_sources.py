"""The detector must know the language, not the file it is measured on."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "review" / "detection"
DATA = Path(os.environ.get("PAIRS_FILE", Path(__file__).parents[3] / "shared" / "data" / "pairs-dev.jsonl"))
#: Runs of so many words count as a phrase of the file.
PHRASE = 5
#: Names that everyone uses: months and days, languages, tools, currencies, common abbreviations, sentence beginnings.
GENERAL_WORDS = """
    January February March April May June July August September October November December Feb Jan
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Fri Tuesdays
    German French Spanish Dutch Turkish Yoruba Python Node Java Ruby Rails Postgres PostgreSQL MySQL Redis Docker
    Windows Linux Terraform Markdown FTP CSV XLS PDF CDN API APIs DNS SSO URL USD EUR UTC CET HTTP POST GET PUT TLS JPY
    TTL PHP Correction Decision The There Use Since Never Don Run Please Notes New After Support Every One Street St
    Stock
"""
GENERAL = frozenset(GENERAL_WORDS.split())
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def phrases(text: str) -> set[str]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return {" ".join(words[start : start + PHRASE]) for start in range(len(words) - PHRASE + 1)}


@pytest.fixture(scope="module")
def statements() -> list[str]:
    if not DATA.is_file():
        pytest.skip("the measuring file is not here")
    return [row[side] for row in map(json.loads, DATA.read_text("utf-8").splitlines()) for side in ("a", "b")]


def sources() -> dict[str, list[str]]:
    """Every text of the package: lines of code, the statements of its own pairs, turns of talk."""
    found = {}
    for path in PACKAGE.rglob("*"):
        if path.suffix in (".py", ".txt"):
            found[path.name] = path.read_text("utf-8").splitlines()
        elif path.suffix == ".jsonl":
            rows = map(json.loads, path.read_text("utf-8").splitlines())
            found[path.name] = [row[side] for row in rows for side in ("a", "b")]
    return found


def test_no_phrase_of_the_measuring_file_occurs(statements: list[str]) -> None:
    wanted = set().union(*map(phrases, statements))
    for name, lines in sources().items():
        for line in lines:
            assert not phrases(line) & wanted, f"{name}: {line[:100]}"


def test_no_name_or_value_of_the_measuring_file_occurs(statements: list[str]) -> None:
    telling: set[str] = set()
    for text in statements:
        words = [word.strip(".,:;!?`'\"()") for word in text.split()]
        # Identifiers and addresses; and a capital inside a sentence is a name.
        telling |= {word for word in words if re.search(r"[_/@]|[a-z]\.[a-z]|[A-Z]-\d|\d\.\d+\.\d", word)}
        telling |= {word for word in words[1:] if re.fullmatch(r"[A-Z][^\W\d_]{2,}", word) and word not in GENERAL}
    for name, lines in sources().items():
        for line in lines:
            found = {word.strip(".,:;!?`'\"()") for word in line.split()} & telling
            assert not found, f"{name}: {sorted(found)}"
