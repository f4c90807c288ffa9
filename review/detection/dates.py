"""Dates, times of day and recurring periods; relative dates are resolved with the time of storing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from .quantities import WORDS

_MONTHS = {
    1: "january jan januar janvier enero января январь январе",
    2: "february feb februar février febrero февраля февраль феврале",
    3: "march mar märz mars marzo марта март марте",
    4: "april apr avril abril апреля апрель апреле",
    5: "may mai mayo мая май мае",
    6: "june jun juni juin junio июня июнь июне",
    7: "july jul juli juillet julio июля июль июле",
    8: "august aug août agosto августа август августе",
    9: "september sep sept septembre septiembre сентября сентябрь сентябре",
    10: "october oct oktober okt octobre octubre октября октябрь октябре",
    11: "november nov novembre noviembre ноября ноябрь ноябре",
    12: "december dec dezember dez décembre diciembre декабря декабрь декабре",
}
MONTHS = {name: number for number, names in _MONTHS.items() for name in names.split()}
_DAYS = {
    0: "monday mon montag lundi lunes понедельник",
    1: "tuesday tue tues dienstag mardi martes вторник",
    2: "wednesday wed mittwoch mercredi miércoles среду",
    3: "thursday thu thurs donnerstag jeudi jueves четверг",
    4: "friday fri freitag vendredi viernes пятницу",
    5: "saturday sat samstag samedi sábado субботу",
    6: "sunday sun sonntag dimanche domingo воскресенье",
}
WEEKDAYS = {name: number for number, names in _DAYS.items() for name in names.split()}
_RELATIVE = {"today": 0, "tonight": 0, "heute": 0, "hoy": 0, "tomorrow": 1, "morgen": 1, "demain": 1, "mañana": 1}
_RELATIVE |= {"yesterday": -1, "gestern": -1, "hier": -1, "ayer": -1, "сегодня": 0, "завтра": 1, "вчера": -1}
_RELATIVE.pop("hier")  # "here" in German

_M = "|".join(sorted(MONTHS, key=len, reverse=True))
_D = "|".join(sorted((name for name in WEEKDAYS if len(name) > 3), key=len, reverse=True))
_W = "|".join(word for word in WORDS if word.isascii())
_YEAR = r"(?:,?\s(?:de\s)?(?P<{0}>(?:19|20)\d\d)\b)?"
DATE = re.compile(
    r"\b(?P<iso>(?:19|20)\d\d-\d\d-\d\d)\b"
    rf"|\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|er)?\s(?:of\s|de\s)?(?P<m1>{_M})\b\.?{_YEAR.format('y1')}"
    rf"|\b(?P<m2>{_M})\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d){_YEAR.format('y2')}"
    rf"|\b(?P<m3>{_M})\b\.?{_YEAR.format('y3')}"
    r"|\b(?P<quarter>q[1-4])\b"
    r"|(?<![\w.$€£-])(?P<year>(?:19|20)\d\d)\b(?!\.\d)"
    rf"|\b(?P<relative>{'|'.join(_RELATIVE)})\b"
    rf"|\bin\s(?P<n>\d{{1,3}}|{_W})\s(?P<unit>days?|weeks?)\b(?!\sof)"
    rf"|\b(?P<n2>\d{{1,3}}|{_W})\s(?P<unit2>days?|weeks?)\sago\b"
    rf"|\b(?:(?P<which>next|last|this|nächsten|letzten)\s)?(?P<weekday>{_D})s?\b",
    re.IGNORECASE,
)
_AMPM = r"(?:\s?(?P<{0}>[ap])\.?m\b\.?)"
CLOCK = re.compile(
    rf"(?<![\w.:-])(?P<h1>\d{{1,2}})(?::(?P<min1>\d\d))?\s?(?:to|-|–|"
    rf"until)\s?(?P<h2>\d{{1,2}})(?::(?P<min2>\d\d))?{_AMPM.format('p2')}"
    rf"|(?<![\w.:])(?P<h3>\d{{1,2}})(?::(?P<min3>\d\d))?{_AMPM.format('p3')}"
    r"|(?<![\w.:])(?P<h4>[01]?\d|2[0-3]):(?P<min4>[0-5]\d)(?![\d:])"
    r"|\b(?P<word>noon|midday|midnight)\b"
    r"|\b(?P<h5>[01]?\d|2[0-3])\s(?:uhr|o'clock)\b",
    re.IGNORECASE,
)
_PERIODS = [
    "second",
    "minute",
    "hour",
    "day",
    "night",
    "week",
    "weekday",
    "fortnight",
    "month",
    "quarter",
    "year",
    "morning",
    "evening",
]
_ADVERBS = {"hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "fortnightly": "fortnight"}
_ADVERBS |= {"monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year"}
_ADVERBS |= {"täglich": "day", "wöchentlich": "week", "monatlich": "month", "jährlich": "year"}
_FOREIGN = {"tag": "day", "woche": "week", "monat": "month", "jahr": "year", "jour": "day", "mois": "month"}
_FOREIGN |= {"semaine": "week", "día": "day", "semana": "week", "mes": "month", "año": "year", "hr": "hour"}
RATE = re.compile(
    rf"\b(?:per|each|every|an?|jeden|jede|pro|par|chaque|cada|por)\s"
    rf"(?P<one>{'|'.join(_PERIODS + list(_FOREIGN))})\b(?!\w)"
    rf"|\bevery\s(?P<two>two|second|other)\s(?:weeks?)\b|\b(?P<adverb>{'|'.join(_ADVERBS)})\b"
    r"|\bevery\s(?P<n>\d{1,3})\s(?P<unit>seconds?|minutes?|hours?|days?)\b|\bevery\s(?P<half>half(?:\san)?\shour)\b",
    re.IGNORECASE,
)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "night": 86400, "week": 604800, "fortnight": 1209600}


@dataclass(frozen=True)
class DateValue:
    """What a text says of a date; ``None`` where it leaves something open."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    quarter: int | None = None

    @property
    def key(self) -> str:
        """Equal for equal statements of a date."""
        return f"date={self.year}-{self.month}-{self.day}-{self.weekday}-{self.quarter}"

    def agreement(self, other: DateValue) -> bool | None:
        """``True`` when all that both say agrees, ``False`` when some differs, ``None`` without common ground."""
        shared = [
            mine == theirs
            for mine, theirs in zip(self._parts(), other._parts(), strict=True)
            if mine is not None and theirs is not None
        ]
        return all(shared) if shared else None

    def _parts(self) -> tuple[int | None, ...]:
        weekday = self.weekday
        if weekday is None and self.year and self.month and self.day:
            weekday = date(self.year, self.month, self.day).weekday()
        quarter = self.quarter or ((self.month + 2) // 3 if self.month else None)
        return self.year, self.month, self.day, weekday, quarter


def _of(day: date) -> DateValue:
    return DateValue(day.year, day.month, day.day)


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else WORDS.get(text.lower(), 0)


def read_date(match: re.Match[str], stored: datetime | None) -> DateValue | None:
    """The date of a ``DATE`` match; ``None`` when it is not one (day 45, a modal "may")."""
    found = match.groupdict()
    try:
        if found["iso"]:
            return _of(date.fromisoformat(found["iso"]))
        if found["m1"] or found["m2"]:
            month = MONTHS[(found["m1"] or found["m2"]).lower()]
            day, year = int(found["d1"] or found["d2"]), found["y1"] or found["y2"]
            date(int(year) if year else 2000, month, day)
            return DateValue(int(year) if year else None, month, day)
        if found["m3"]:
            if not found["m3"][0].isupper() and not "\u0400" <= found["m3"][0] <= "\u04ff":
                return None
            if found["m3"] in ("May", "Mars", "Mar") and match.start() == 0:
                return None
            return DateValue(int(found["y3"]) if found["y3"] else None, MONTHS[found["m3"].lower()])
        if found["quarter"]:
            return DateValue(quarter=int(found["quarter"][1]))
        if found["year"]:
            return DateValue(int(found["year"]))
        return _relative(found, stored)
    except (ValueError, OverflowError):
        return None


def _relative(found: dict[str, str | None], stored: datetime | None) -> DateValue | None:
    today = stored.date() if stored else None
    if found["relative"]:
        return _of(today + timedelta(days=_RELATIVE[found["relative"].lower()])) if today else None
    for number, unit, sign in ((found["n"], found["unit"], 1), (found["n2"], found["unit2"], -1)):
        if number and unit:
            days = _count(number) * (7 if unit.lower().startswith("week") else 1)
            return _of(today + timedelta(days=sign * days)) if today else None
    weekday = WEEKDAYS[(found["weekday"] or "").lower()]
    which = (found["which"] or "").lower()
    if today and which in ("next", "last"):
        ahead = (weekday - today.weekday()) % 7 or 7
        back = (today.weekday() - weekday) % 7 or 7
        return _of(today + timedelta(days=ahead if which == "next" else -back))
    return DateValue(weekday=weekday)


def read_clock(match: re.Match[str]) -> list[int] | None:
    """Minutes after midnight of a ``CLOCK`` match: one for a time, two for a range."""
    found = match.groupdict()
    if found["word"]:
        return [0 if found["word"].lower() == "midnight" else 720]
    if found["h2"]:
        late = _minutes(found["h2"], found["min2"], found["p2"])
        early = _minutes(found["h1"], found["min1"], found["p2"])
        return [early if early < late else _minutes(found["h1"], found["min1"], "a"), late]
    for hour, minute, half in (("h3", "min3", "p3"), ("h4", "min4", None), ("h5", None, None)):
        if found[hour]:
            return [_minutes(found[hour], found[minute] if minute else None, found[half] if half else None)]
    return None


def _minutes(hour: str | None, minute: str | None, half: str | None) -> int:
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    return hours * 60 + int(minute or 0)


def read_rate(match: re.Match[str]) -> str:
    """The period of "every hour", "hourly", "every 60 minutes", in seconds or by name."""
    found = match.groupdict()
    if found["n"]:
        unit = found["unit"].lower().rstrip("s")
        return f"rate={int(found['n']) * _SECONDS[unit]}"
    if found["half"]:
        return "rate=1800"
    if found["two"]:
        return "rate=1209600"
    period = found["adverb"] or found["one"]
    period = _ADVERBS.get(period.lower(), period.lower())
    period = _FOREIGN.get(period, period)
    return f"rate={_SECONDS.get(period, period)}"
