"""Dates in a text, as keys of the precision that was said: 2023-05-07, 2023-W18, 2023-05, 2023.

A key sorts by time and starts with what is less precise (but for weeks), so that "in May 2023" can be looked up as a
prefix. Relative dates are resolved against the day on which the text was said, and dates without a year against the
nearest year; what stays open ("on Friday", "03/04/2023") is left out rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from memory.entities.calendar_words import MONTHS, NUMBERS, RELATIVE_DAYS, WEEKDAYS
from memory.terms.analysis import fold

_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY_MONTH = re.compile(rf"\b{_DAY}\s*(?:of\s+|de\s+)?(?P<month>{_MONTH})\b\.?(?:,?\s*(?:de\s+)?{_YEAR}\b)?")
_MONTH_DAY = re.compile(rf"\b(?P<month>{_MONTH})\b\.?\s*{_DAY}(?!\d)(?:,?\s*{_YEAR}\b)?")
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTH})\b\.?,?\s*(?:of\s+|de\s+)?{_YEAR}\b")
_MONTH_ALONE = re.compile(
    rf"\b(?:in|of|since|during|until|till|by|from|through|around|(?:early|late|mid)[- ]?|im|seit|en|em|a|depuis|в)"
    rf"\s+(?P<month>{_MONTH})\b"
)
_ISO = re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?(?![\d-])")
_DOTTED = re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?![\d/])")
_YEAR_ALONE = re.compile(
    rf"\b(?:in|of|since|during|until|till|by|from|before|after|around|year|im|seit|en|em|в)\s+{_YEAR}\b(?![-./:]\d)"
)
_UNIT = r"(?P<unit>day|week|month|year)"
_AGO = re.compile(rf"\b(?P<count>\d{{1,3}}|{'|'.join(NUMBERS)})\s+{_UNIT}s?\s+ago\b")
_LAST_NEXT = re.compile(
    rf"\b(?P<which>last|past|previous|this|next)\s+(?P<unit>week|month|year|{'|'.join(WEEKDAYS)})\b"
)
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_HINTS = frozenset(MONTHS).union(
    ("ago", "last", "past", "previous", "this", "next"), *(words.keys() for words in RELATIVE_DAYS.values())
)
_LAST_NIGHT = re.compile(r"\blast\s+night\b")


def day_key(day: date) -> str:
    """The key of one day."""
    return day.isoformat()


def week_key(day: date) -> str:
    """The key of the ISO 8601 week that holds the day."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def month_key(day: date) -> str:
    """The key of the day's month."""
    return f"{day.year:04d}-{day.month:02d}"


def date_keys(text: str, said_on: date, language: str = "english", *, nearest_year: bool = True) -> list[str]:
    """The keys of all dates of `text`, each once, in the order of its kinds.

    Without `nearest_year` (a question, which may mean any) a date that names no year has `????` in its place.
    """
    folded = fold(text)
    words = set(_WORDS.findall(folded))
    digits = bool(_DIGIT.search(folded))
    if not digits and words.isdisjoint(_HINTS):
        return []  # nine memories of ten
    found: list[str | None] = []
    used: list[tuple[int, int]] = []

    def take(pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        for match in pattern.finditer(folded):
            # The month of "7 May 2023" is not another date.
            if not any(start < match.end() and match.start() < end for start, end in used):
                used.append(match.span())
                yield match

    with_digits = (_ISO, _DOTTED) if digits else ()
    with_months = (_DAY_MONTH, _MONTH_DAY, _MONTH_YEAR, _MONTH_ALONE) if not words.isdisjoint(MONTHS) else ()
    for pattern in (*with_digits, *with_months):
        for match in take(pattern):
            parts = match.groupdict()
            month = parts["month"]
            number = int(month) if month.isdigit() else MONTHS[month]
            found.append(_key(parts.get("year"), number, parts.get("day"), said_on if nearest_year else None))
    for match in take(_SLASHED) if digits else ():
        first, second, year = match.groups()
        if int(first) > 12 or first == second:
            found.append(_key(year, int(second), first, None))
        elif int(second) > 12:
            found.append(_key(year, int(first), second, None))
    found += [match["year"] for match in (take(_YEAR_ALONE) if digits else ())]
    found += [_ago(match["count"], match["unit"], said_on) for match in (take(_AGO) if "ago" in words else ())]
    found += [_day_off(said_on, -1) for _ in take(_LAST_NIGHT)]
    found += [_shifted(match["which"], match["unit"], said_on) for match in take(_LAST_NEXT)]
    for word, days in RELATIVE_DAYS.get(language, {}).items():
        if word in words:
            found.append(_day_off(said_on, days))
    return list(dict.fromkeys(key for key in found if key is not None))


def _key(year: str | None, month: int, day: str | None, near: date | None) -> str | None:
    if not 1 <= month <= 12:
        return None
    if year is None and near is None:
        number = int(day) if day else None
        return None if number and number > 31 else f"????-{month:02d}" + (f"-{number:02d}" if number else "")
    try:
        if year is not None or near is None:
            moment = date(int(year or 0), month, int(day or 1))
        else:
            candidates = [_or_none(near.year + step, month, int(day or 1)) for step in (-1, 0, 1)]
            moment = min((c for c in candidates if c is not None), key=lambda c: abs((c - near).days))
    except ValueError:  # 31 April, 29 February with no leap year near
        return None
    return day_key(moment) if day else month_key(moment)


def _or_none(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _ago(count: str, unit: str, said_on: date) -> str | None:
    number = NUMBERS[count] if count in NUMBERS else int(count)
    if unit == "day":
        return _day_off(said_on, -number)
    if unit == "week":
        return _week_off(said_on, -number)
    if unit == "month":
        return _months_off(said_on, -number)
    return f"{said_on.year - number:04d}" if number < said_on.year else None


def _shifted(which: str, unit: str, said_on: date) -> str | None:
    step = {"this": 0, "next": 1}.get(which, -1)
    if unit == "week":
        return _week_off(said_on, step)
    if unit == "month":
        return _months_off(said_on, step)
    if unit == "year":
        return f"{said_on.year + step:04d}"
    if step == 0:
        return _day_off(said_on, WEEKDAYS[unit] - said_on.weekday())
    # The nearest such day strictly before or after.
    distance = (WEEKDAYS[unit] - said_on.weekday()) * step % 7 or 7
    return _day_off(said_on, step * distance)


def _day_off(day: date, days: int) -> str | None:
    try:
        return day_key(day + timedelta(days=days))
    except OverflowError:
        return None


def _week_off(day: date, weeks: int) -> str | None:
    try:
        return week_key(day + timedelta(weeks=weeks))
    except OverflowError:
        return None


def _months_off(day: date, months: int) -> str | None:
    years, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return f"{years:04d}-{month + 1:02d}" if 1 <= years <= 9999 else None
