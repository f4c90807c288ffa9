"""Wordings by which a text says that it takes the place of what held before."""

from __future__ import annotations

import re

from .lexicon import stem_set, word_set
from .units import Unit

#: Phrases that hardly ever occur without something being replaced.
STRONG = re.compile(
    r"\b(?:no longer|no more\b(?! than)|n[o']t? .{0,40}?(?:any ?more|any longer)|used to(?= (?:be|have|like|\w+))|"
    r"instead(?: of)?|in (?:its|his|her|their|the) (?:place|stead)|in place of|"
    r"(?:taken?|took|takes) (?:the place|over)|"
    r"replac(?:ed|es|ement)|supersed\w+|supplant\w*|(?:gave|given|giving) way|ma[dk]e\w* way|"
    r"renamed|rebranded|retitled|deprecated|obsolete|outdated|retired|discontinued|decommissioned|sunset|phased out|"
    r"abandoned|ditched|scrapped|axed|binned|dumped|dropped|in favou?r of|"
    r"from (?:now|today|here|then) on(?:wards)?|going forward|henceforth|for good|"
    r"changed|switched|swapped|migrated|moved|relocated|resettled|transferred|converted|turned (?:on|off|into)|"
    r"(?:gave|given|giving) (?:\w+ )?up|swor[en]+ off|stopped|quit|ceased|lost interest|went off|gone off|"
    r"step(?:s|ped)? (?:down|in|aside)|stood down|resign(?:ed|s)|handed (?:over|in|to)|passed (?:from|on|to)|succeeded|"
    r"appointed|elected|promoted|demoted|reassigned|"
    r"correct(?:ion|ed)|revised|amended|reversed|reverted|rolled back|overturned|repeal\w*|revoked|rescinded|overruled|"
    r"(?:changed|changes|change) (?:his|her|their|its|our|my) minds?|withdr[ae]wn?|withdrew|reconsidered|"
    r"cancell?ed|called off|postponed|rescheduled|adjourned|deferred|delayed|put (?:off|back)|pushed (?:back|out|to)|"
    r"slipped|brought forward|moved up|(?:won't|will not|not going to) (?:take place|happen)|"
    r"extended|prolonged|shortened|raised|lifted|lowered|increased|decreased|reduced|trimmed|slashed|hiked|boosted|"
    r"cut (?:to|from|by|back|down)|scaled (?:back|up|down)|doubled|halved|tripled|"
    r"tightened|loosened|relaxed|upgraded|downgraded|bumped|updated|topped up|"
    r"shut down|closed down|wound down|taken (?:down|off)|put on hold|reopened|reinstated|restored|turned out|"
    r"now|these days|nowadays|a thing of the past|behind (?:us|him|her|them)|history|"
    r"->|→|=>|"
    r"nicht mehr|kein\w* .{0,30}?mehr|jetzt|statt(?:dessen)?|anstelle|ab sofort|inzwischen|mittlerweile|"
    r"umgezogen|zieht um|"
    r"umbenannt|ersetzt|abgelöst|abgesagt|verschoben|geändert|gewechselt|nun|neuerdings|erhöht|gesenkt|"
    r"désormais|dorénavant|maintenant|au lieu d\w+|à la place|remplacé\w*|déménagé|renommé\w*|annulé\w*|reporté\w*|"
    r"n[e'’].{1,40} plus\b|ya no|ahora|en lugar de|en vez de|se mudó|trasladad\w|reemplazad\w|cambi(?:ó|ado)|"
    r"cancelad\w|"
    r"aplazad\w|a partir de|больше не|теперь|вместо|переехал\w*|перенес\w*|заменен\w*|отменен\w*|уже не)(?!\w)|->|→|=>",
    re.IGNORECASE,
)
#: Words that often, but not always, mark a new state.
WEAK = re.compile(
    r"\b(?:currently|since|as of|as from|starting|effective|until further notice|again|finally|at last|by now|"
    r"new|newly|fresh|latest|lately|recently|just|eventually|in the meantime|meanwhile|after|already|"
    r"previously|formerly|"
    r"until (?:now|recently)|once|so far|this (?:morning|week|month|year)|today|yesterday|last (?:week|month)|"
    r"from (?:today|tomorrow|next|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|"
    r"seit|neu\w*|wieder|depuis|nouveau|nouvelle|à partir d\w+|desde|nuev[oa]|снова)\b",
    re.IGNORECASE,
)
#: Verbs of becoming.
BECOMING = re.compile(
    r"\b(?:became|become[s]?|got|gets|went|goes|go up|has been|have been|'ve|has gone|have gone|came|comes|"
    r"ended up|is up|up to|left|has|have)\b",
    re.IGNORECASE,
)
#: Events after which a state is another one.
CHANGE_STEMS = stem_set(
    """
    raise lower increase decrease reduce cut double halve triple tighten loosen extend shorten prolong top revise adjust
    bump tweak refine amend upgrade downgrade update move relocate resettle settle transfer migrate switch swap exchange
    trade change rename rebrand replace supersede supplant displace absorb swallow convert transform adopt adapt evolve
    postpone reschedule adjourn defer cancel push pushed delay advance slip slipped drop remove delete erase kill retire
    deprecate discontinue decommission abandon ditch axe dump sunset expire lapse dissolve disband withdraw
    withdrew scrap
    revoke repeal rescind overturn annul void lift waive end ended quit stop cease halt leave left resign depart return
    join joined enrol promote demote appoint elect nominate hire recruit fire sack succeed inherit hand
    handed pass passed
    delegate reassign rotate fix repair mend cure restore reinstate resolve solve patch heal recover revert undo
    reopen close shut open opened inaugurate unblock block ship release launch publish deploy roll rollout live
    merge approve reject sign complete finish wrap conclude start begin began graduate qualify marry married separate
    divorce die died born become became turn turned grow grew expand shrink shrank climb soar jump surge rise rose risen
    fall fell fallen sink sank tumble plunge dip trim slash hike boost scale went gone discharge reverse correct pause
    resume suspend freeze unfreeze add added unpin pin introduce split downsize lose lost gain gained took taken put
    brought arrived came relaunch rebuild rewrite redirect over back renew fail failed sold bought acquire obsolete
    away dead again activate deactivate disable enable install uninstall
    """
)
#: Simple past and participles that do not end in -ed; those that equal the present are left out.
_IRREGULAR = word_set(
    """
    went gone came took taken gave given left sold bought got gotten became found swore sworn chose chosen
    grew grown rose
    risen fell fallen drew drawn wrote written broke broken spoke spoken won lost met paid sent spent built kept held
    stood led began begun ran said told made brought taught caught thought fought sought lent drove driven
    rode flew flown
    threw thrown knew known blew ate eaten drank swam hid hidden tore worn wore shook stole woke froze frozen laid dealt
    felt heard slept shown proved shrank shrunk sank withdrew withdrawn overtook undertook withstood moved
    """
)
_PRESENT = frozenset({"is", "are", "am", "be"})
_EVENT = re.compile(
    r"\b(?:hat|haben|ist|sind|wurde|wurden)\b.*?\b(?:\w*ge\w{2,}(?:t|en)|\w+iert)\b|"
    r"\b(?:a|ont|est|sont|été)\s\w+(?:é|ée|és|ées|i|u)\b|"
    r"\b\w{3,}(?:ó|aron|ieron)\b|\b\w+(?:лся|лась|лось|лись)\b",
    re.IGNORECASE,
)


def happening(units: list[Unit]) -> list[Unit]:
    """The units that no present form of "be" makes a state: "is closed" is one, "was closed" an event."""
    return [
        unit
        for before, unit in zip([None, *units], units, strict=False)
        if before is None or before.folded not in _PRESENT
    ]


def event_words(units: list[Unit]) -> list[Unit]:
    """Words that tell of something that happened rather than how things are."""
    return [
        unit
        for unit in happening(units)
        if unit.folded in _IRREGULAR
        or (
            unit.kind == "word"
            and len(unit.folded) > 4
            and unit.folded.endswith("ed")
            and not unit.folded.endswith("eed")
        )
    ]


def foreign_event(text: str) -> bool:
    """A perfect or simple past of German, French, Spanish or Russian."""
    return _EVENT.search(text) is not None


_PAST = re.compile(
    r"\b(?:has|have|had|was|were|got|is being|been|'ve|'s)\b|\b\w{2,}ed\b|\bwe(?:'ve| have)\b", re.IGNORECASE
)
FORMER = re.compile(
    r"\b(?:first|initial\w*|estimate\w*|original\w*|provisional\w*|tentative\w*|still|currently|for now|"
    r"we think|suspect\w*|"
    r"proposal|plan\w*|pending|in progress|waiting|planned|yet|noch|encore|todavía|пока)\b",
    re.IGNORECASE,
)


def past_tense(text: str) -> bool:
    """Whether the text tells of something that happened; English only."""
    return _PAST.search(text) is not None
