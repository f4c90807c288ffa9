"""Numbers with their units, brought to one form so that 3 km equals 3000 m and 50 % a half."""

from __future__ import annotations

import re
from dataclasses import dataclass

WORDS = {
    word: number
    for number, words in enumerate(
        (
            "zero null",
            "one ein eine einen einer une",
            "two zwei deux dos два due twee dois",
            "three drei trois tres три tre drie",
            "four vier quatre cuatro четыре quattro",
            "five fünf cinq cinco пять cinque vijf",
            "six sechs seis шесть sei zes",
            "seven sieben sept siete семь sette zeven",
            "eight acht huit ocho восемь otto",
            "nine neun neuf nueve девять nove negen",
            "ten zehn dix diez десять dieci tien",
            "eleven elf onze once",
            "twelve zwölf douze doce",
            "thirteen",
            "fourteen",
            "fifteen fünfzehn quinze quince",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty zwanzig vingt veinte двадцать",
        )
    )
    for word in words.split()
}
WORDS |= {"dozen": 12, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
WORDS |= {
    f"{tens}-{ones}": WORDS[tens] + WORDS[ones]
    for tens in _TENS.split("|")
    for ones in ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
}
ORDINALS = {
    word: number
    for number, words in enumerate(
        (
            "first erste ersten erster premier première primero primera первый",
            "second zweite zweiten zweiter deuxième segundo segunda второй",
            "third dritte dritten dritter troisième tercero tercera третий",
            "fourth vierte vierten quatrième cuarto cuarta",
            "fifth fünfte cinquième quinto quinta",
            "sixth sechste sechsten sixième sexto",
            "seventh siebte siebten",
            "eighth achte achten",
            "ninth neunte neunten",
            "tenth zehnte zehnten",
        ),
        start=1,
    )
    for word in words.split()
}
FRACTIONS = {"half": 50.0, "quarter": 25.0, "third": 100 / 3, "tenth": 10.0, "fifth": 20.0}
FRACTIONS |= {"hälfte": 50.0, "viertel": 25.0, "moitié": 50.0, "quart": 25.0, "mitad": 50.0, "половина": 50.0}

#: unit: (dimension, factor to the base unit). Case matters for none of them.
UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _table in {
    "time": "ms millisecond:0.001 s sec second sekunde seconde segundo:1 min minute minuto:60 "
    "h hr hour stunde heure hora:3600 day tag jour día дней:86400 week woche semaine semana:604800 "
    "fortnight:1209600 month monat mois mes:2629800 year yr jahr an année año год лет:31557600",
    "mass": "mg milligram:0.001 g gram gramm:1 kg kilo kilogram:1000 t tonne ton:1000000 lb pound-weight:453.6",
    "length": "mm:0.001 cm:0.01 m metre meter:1 km kilometre kilometer:1000 mile:1609.3 ft foot feet:0.3048",
    "bytes": "byte:1 kb kib:1024 mb mib megabyte:1048576 gb gib gigabyte:1073741824 tb tib terabyte:1099511627776",
    "volume": "ml:0.001 cl:0.01 l litre liter:1",
    "percent": "% percent prozent pct pour-cent:1",
    "USD": "$ usd dollar:1 cent:0.01",
    "EUR": "€ eur euro:1",
    "GBP": "£ gbp pound quid:1",
    "JPY": "¥ jpy yen:1",
    "degree": "°c °f °:1",
}.items():
    _names: list[str] = []
    for _item in _table.split():
        _name, _, _factor = _item.partition(":")
        _names.append(_name)
        if _factor:
            UNITS |= dict.fromkeys(_names, (_dimension, float(_factor)))
            _names = []
for _name in [name for name in UNITS if len(name) > 2 and name.isalpha()]:
    UNITS.setdefault(_name + "s", UNITS[_name])
    UNITS.setdefault(_name + "n", UNITS[_name])
UNITS |= {"mins": UNITS["min"], "hrs": UNITS["h"], "secs": UNITS["s"], "kbs": UNITS["kb"]}
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "mio": 1e6, "tausend": 1e3}

_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_WORD = "|".join(sorted((word for word in WORDS), key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:[,'\u202f\u00a0]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
QUANTITY = re.compile(
    rf"(?<![\w.,/:#-])(?P<money>[$€£¥])?\s?(?:(?P<digits>{_DIGITS})|(?P<word>(?:{_WORD})\b))"
    rf"(?:(?P<scale>k|bn)(?![a-z])|\s(?P<scale2>thousand|million|billion|mio|tausend)\b|"
    rf"(?P<scale3>m)(?=\s?(?:[$€£]|usd|eur|gbp)))?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?![\w]))?(?![\w]|[.:/]\d|-\w)",
    re.IGNORECASE,
)
FRACTION = re.compile(
    rf"\b(?:(?:a|one|ein|une?|la|die)\s)?(?P<name>{'|'.join(FRACTIONS)})\s(?:of|der|des|de|aller)\b(?=\s(?!the\syear))|"
    r"\b(?:(?P<one>one|1)\s(?:in|out\sof)\s(?P<of>\w+))\b",
    re.IGNORECASE,
)
VERSION = re.compile(
    r"(?<![\w.])v?(?P<number>\d+(?:\.\d+){2,}(?:[-+.]?(?:rc|beta|alpha|dev)\d*)?|(?<=v)\d+(?:\.\d+)*)\b(?!\.\d)",
    re.IGNORECASE,
)
ORDINAL = re.compile(
    rf"(?<![\w-])(?:(?P<digits>\d+)(?:st|nd|rd|th|\.\s?Stock)|(?P<word>{'|'.join(ORDINALS)}))\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Quantity:
    """A value in base units (seconds, grams, bytes, per cent, ...); ``plain`` has no unit."""

    dimension: str
    value: float
    text: str = ""

    @property
    def key(self) -> str:
        """Equal for equal quantities, whatever their units and spelling."""
        return f"{self.dimension}={self.text}" if self.dimension == "version" else f"{self.dimension}={self.value:.6g}"


def _number(digits: str) -> float:
    plain = re.sub("['\u202f\u00a0]", "", digits)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    return float(plain.replace(",", "."))


def read_quantity(match: re.Match[str]) -> Quantity | None:
    """The quantity a ``QUANTITY`` match stands for; ``None`` when it is too long to be one."""
    digits, word = match["digits"], match["word"]
    if digits and len(digits) > 24:
        return None
    value = _number(digits) if digits else float(WORDS[word.lower()])
    scale = match["scale"] or match["scale2"] or match["scale3"]
    if scale:
        value *= _SCALES[scale.lower()]
    name = match["money"] or match["unit"]
    if not name:
        return Quantity("plain", value, match.group().strip())
    dimension, factor = UNITS[name.lower()]
    return Quantity(dimension, value * factor, match.group().strip())


def read_fraction(match: re.Match[str]) -> Quantity | None:
    """ "A quarter of", "one in three" as per cent."""
    if match["name"]:
        return Quantity("percent", FRACTIONS[match["name"].lower()], match.group())
    of = match["of"].lower()
    number = int(of) if of.isdecimal() and len(of) < 6 else WORDS.get(of, 0)
    return Quantity("percent", 100 / number, match.group()) if number else None


def read_version(match: re.Match[str]) -> Quantity:
    """A version number; ``v2.4`` and ``2.4`` are one."""
    return Quantity("version", 0.0, match["number"].lower())


def read_ordinal(match: re.Match[str]) -> Quantity | None:
    """ "Third", "3rd"."""
    digits = match["digits"]
    if digits and len(digits) > 9:
        return None
    return Quantity("ordinal", float(digits) if digits else float(ORDINALS[match["word"].lower()]), match.group())
