"""Names of people, places and things, told by their capitals (Latin, Greek and Cyrillic scripts)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.entities.calendar_words import MONTHS, WEEKDAYS
from memory.entities.vocabulary import Entity, EntityKind, entity
from memory.terms.analysis import fold
from memory.terms.stopwords import is_stopword

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*(?:\.(?=[^\W\d_]\.))?")
_POSSESSIVE = re.compile(r"['\u2019]s?\Z")
_SENTENCE_END = re.compile('[.!?:;\u2026\\n"\u201c\u00ab(\\[*>-]')
_SPEAKER = re.compile(r"\A\s*((?:[^\W\d_][\w.'\u2019-]{0,30})(?: [^\W\d_][\w.'\u2019-]{0,30}){0,2}) ?:\s+\S")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LONGEST_NAME_WORDS = 6
# Join two capitalised words to one name: Bank of England, Ludwig van Beethoven.
_JOINS = _words("of de del della der den di da do dos du la le van von zu y e und et")
# What opens lines of notes, not turns of a conversation.
_LABELS = _words(
    """note notes todo fixme warning error info debug question answer q a summary decision fact example hint tip update
    ps nb subject date time title re fwd fw result results reason status action actions important"""
)
# Open a sentence without naming anything (function words are left out too).
_OPENERS = _words(
    """hey hi hello wow thanks thank yes yeah yep no nope ok okay sure well oh ah great good nice cool awesome amazing
    absolutely definitely congrats congratulations sorry please maybe perhaps also however today yesterday tomorrow
    nah whoa woah plus right never now even just bye everyone everything everybody someone something nobody nothing here
    unfortunately hopefully thankfully agreed really yup yea oops aww aw oof ha hah btw fyi remember together lots man
    gotcha last next this that seriously totally exactly true anyways basically honestly apparently surely of course
    recently lately although though while since once every another many most several such sounds looks let lets glad
    happy hope haha lol got gotta first second third finally actually anyway besides therefore thus use
    using see"""
)
# A lone capitalised word that opens a sentence is a name if what follows is what a subject does.
_VERBS = _words(
    """is was has had will can could would should may might must does did said says went goes lives lived works worked
    likes liked loves loved wants wanted prefers preferred told asked thinks thought moved bought sold made met knows
    knew and & hates hated plays owns runs uses owes lost found got gave took wrote"""
)


def speaker_of(text: str) -> tuple[Entity | None, str]:
    """Who says the text ("Anna: ..."), and the text with blanks in place of the prefix."""
    match = _SPEAKER.match(text)
    if not match:
        return None, text
    words = match[1].split()
    if fold(match[1]) in _LABELS or not all(word[0].isupper() for word in words):
        return None, text
    return entity(EntityKind.SPEAKER, match[1]), " " * match.end(1) + text[match.end(1) :]


def names_in(text: str, language: str = "english") -> list[Entity]:
    """Capitalised words and sequences of them that are not just the beginning of a sentence.

    In German, where every noun has a capital, sequences alone.
    """
    if text.isupper():
        return []
    runs = list(_runs(text, language))
    sure = {word for words, opens, _ in runs for word in words[1 if opens else 0 :]}
    found = []
    for words, opens, after in runs:
        if len(words) == 1:
            if language == "german":
                continue
            if opens and not (
                words[0] in sure or words[0].isupper() or (after in _VERBS and not words[0].endswith("ing"))
            ):
                continue
        if any(len(word) > 1 for word in words):
            found.append(entity(EntityKind.NAME, " ".join(words)))
    return list(dict.fromkeys(found))


def _runs(text: str, language: str) -> Iterator[tuple[list[str], bool, str]]:
    """(words of a run of capitals, whether it opens a sentence, the word behind it in lower case)."""
    run: list[str] = []
    joins: list[str] = []
    opens = False
    end = 0
    for match in _WORD.finditer(text):
        gap = text[end : match.start()]
        raw = match.group()
        word = _POSSESSIVE.sub("", raw)
        starts = end == 0 or bool(_SENTENCE_END.search(gap))
        if run and gap.strip() not in ("", "&"):
            yield run, opens, ("and" if gap.strip() == "," else "")
            run, joins = [], []
        end = match.end()
        capital = word[:1].isupper() and len(run) < LONGEST_NAME_WORDS and not _dull(word, starts, language)
        if capital:
            if not run:
                opens = starts
            run += [*joins, word]
            joins = []
            if raw != word:
                yield run, opens and len(run) > 1, "has"
                run = []
        elif run and not joins and word in _JOINS and language != "german":
            joins = [word]
        elif run:
            yield run, opens, (joins[0] if joins else word.lower())
            run, joins = [], []
    if run:
        yield run, opens, ""


def _dull(word: str, starts: bool, language: str) -> bool:
    folded = fold(word)
    bare = folded.split("'")[0].split("\u2019")[0]
    if bare in ("i", "") or bare in MONTHS or bare in WEEKDAYS:
        return True
    return starts and (bare in _OPENERS or is_stopword(bare, language) or is_stopword(bare, "english"))
