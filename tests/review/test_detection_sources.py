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
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def phrases(text: str) -> set[str]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return {" ".join(words[start : start + PHRASE]) for start in range(len(words) - PHRASE + 1)}


@pytest.fixture(scope="module")
def statements() -> list[str]:
    if not DATA.is_file():
        pytest.skip("the measuring file is not here")
    return [row[side] for row in map(json.loads, DATA.read_text("utf-8").splitlines()) for side in ("a", "b")]


def sources() -> dict[str, str]:
    return {str(path): path.read_text("utf-8") for path in PACKAGE.rglob("*") if path.suffix in (".py", ".jsonl", ".txt", ".json")}


def test_no_phrase_of_the_measuring_file_occurs(statements: list[str]) -> None:
    wanted = set().union(*map(phrases, statements))
    for name, source in sources().items():
        for line in source.splitlines():
            assert not phrases(line) & wanted, f"{name}: {line[:100]}"


def test_no_name_or_value_of_the_measuring_file_occurs(statements: list[str]) -> None:
    telling = set()
    for text in statements:
        telling |= {word.strip(".,:;!?`'\"()").casefold() for word in text.split() if re.search(r"[\d_/@]|\w-\w|\w\.\w", word)}
        # A capital inside a sentence is a name; sentence beginnings are left out.
        telling |= {word.casefold() for word in re.findall(r"(?<=[a-z,] )[A-Z][^\W\d_]{3,}", text)}
    telling = {word for word in telling if len(word) >= 5 and not re.fullmatch(r"[\d:.,%-]+|\w+-\w+", word)}
    for name, source in sources().items():
        if name.endswith(".json"):
            continue
        found = {word.casefold() for word in re.findall(r"[\w@./-]+", source)} & (telling - GENERAL)
        assert not found, f"{name}: {sorted(found)}"


#: Words of the file that are names of months, days, languages, companies or products everyone uses.
GENERAL: set[str] = set()
