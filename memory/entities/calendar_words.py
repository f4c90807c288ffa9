"""Words for dates, folded (lower case, no accents) as `memory.terms.analysis.fold` leaves them."""

from __future__ import annotations

_MONTH_WORDS = """
january february march april may june july august september october november december
jan feb mar apr - jun jul aug sep oct nov dec
- - - - - - - - sept - - -
januar februar marz - mai juni juli - - oktober - dezember
janvier fevrier mars avril - juin juillet aout septembre octobre novembre decembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio - aprile maggio giugno luglio - settembre ottobre - dicembre
janeiro fevereiro marco - maio junho julho - setembro outubro novembro dezembro
januari februari maart - mei - - augustus - - - -
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
"""

MONTHS: dict[str, int] = {
    word: number
    for line in _MONTH_WORDS.strip().splitlines()
    for number, word in enumerate(line.split(), start=1)
    if word != "-"
}
"""English with abbreviations, German, French, Spanish, Italian, Portuguese, Dutch, Russian (genitive, locative)."""

WEEKDAYS: dict[str, int] = {
    word: number
    for line in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "mon tue wed thu fri sat sun",
        "- tues - thurs - - -",
    )
    for number, word in enumerate(line.split())
    if word != "-"
}

NUMBERS: dict[str, int] = {
    "a": 1,
    "an": 1,
    **{
        word: number
        for number, word in enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1
        )
    },
}

RELATIVE_DAYS: dict[str, dict[str, int]] = {
    "english": {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1},
    "german": {"heute": 0, "gestern": -1, "vorgestern": -2},
    "french": {"aujourd'hui": 0, "hier": -1, "demain": 1},
    "spanish": {"hoy": 0, "ayer": -1, "anteayer": -2},
    "italian": {"oggi": 0, "ieri": -1, "domani": 1},
    "portuguese": {"hoje": 0, "ontem": -1, "amanha": 1},
    "dutch": {"vandaag": 0, "gisteren": -1},
    "russian": {"сегодня": 0, "вчера": -1, "завтра": 1},
}
"""Words that mean nothing else: German and Spanish "tomorrow" (morgen, mañana) also mean the morning."""
