"""Wordings by which a text says that it takes the place of what held before."""

from __future__ import annotations

import re

from .lexicon import stem_set

#: Phrases that hardly ever occur without something being replaced.
STRONG = re.compile(
    r"\b(?:no longer|not? .{0,40}?(?:any ?more|any longer)|used to|instead(?: of)?|in place of|replac\w+|supersed\w+|"
    r"renamed|deprecated|obsolete|retired|discontinued|abandoned|in favou?r of|from now on|going forward|henceforth|"
    r"changed|switched|migrated|moved|relocated|transferred|turned (?:on|off)|gave up|given up|stopped|quit|"
    r"step(?:s|ped) down|took over|take[sn]? over|taken over|handed (?:over|to)|passed (?:from|on|to)|succeeded|"
    r"correction|corrected|revised|amended|reversed|changed (?:his|her|their|its|our) mind|withdrawn|withdrew|dropped|"
    r"cancell?ed|called off|scrapped|postponed|rescheduled|put off|pushed (?:back|out)|brought forward|moved up|"
    r"extended|shortened|raised|lowered|increased|decreased|reduced|cut (?:to|from|by)|doubled|halved|tripled|"
    r"tightened|loosened|relaxed|upgraded|downgraded|bumped|updated|taken? the place|"
    r"shut down|closed down|taken down|put on hold|reopened|turned out|these days|nowadays|"
    r"->|→|=>|"
    r"nicht mehr|kein\w* .{0,30}?mehr|jetzt|statt(?:dessen)?|anstelle|ab sofort|inzwischen|mittlerweile|umgezogen|"
    r"umbenannt|ersetzt|abgesagt|verschoben|geändert|gewechselt|nun|neuerdings|"
    r"désormais|dorénavant|maintenant|au lieu d\w+|remplacé\w*|déménagé|renommé\w*|annulé\w*|reporté\w*|n[e'’].{1,40} plus\b|"
    r"ya no|ahora|en lugar de|en vez de|se mudó|trasladad\w|reemplazad\w|cambi(?:ó|ado)|cancelad\w|a partir de|"
    r"больше не|теперь|вместо|переехал\w*|перенес\w*|заменен\w*|отменен\w*|уже не)(?!\w)",
    re.IGNORECASE,
)
#: Words that often, but not always, mark a new state.
WEAK = re.compile(
    r"\b(?:now|currently|since|as of|as from|starting|effective|until further notice|again|finally|at last|by now|"
    r"new|newly|latest|lately|recently|after|already|this (?:morning|week|month|year)|today|yesterday|last (?:week|month)|"
    r"from (?:today|tomorrow|next|january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"seit|neu\w*|wieder|depuis|nouveau|nouvelle|à partir d\w+|desde|nuev[oa]|снова)\b",
    re.IGNORECASE,
)
#: Verbs of becoming.
BECOMING = re.compile(
    r"\b(?:became|become[s]?|got|gets|went|goes|go up|has been|have been|'ve|has gone|have gone|came|comes|ended up|is up|up to|left|has|have)\b",
    re.IGNORECASE,
)
#: Events after which a state is another one.
CHANGE_STEMS = stem_set(
    """
    raise lower increase decrease reduce cut double halve triple tighten loosen extend shorten top revise adjust bump
    upgrade downgrade update move relocate transfer migrate switch swap change rename replace convert adopt
    postpone reschedule cancel push pushed delay advance drop remove delete kill retire deprecate discontinue abandon
    withdraw scrap revoke repeal lift end ended quit stop cease leave left resign join joined promote appoint hire fire
    succeed inherit hand pass fix repair restore resolve solve patch heal recover reopen close shut open unblock block
    ship release launch publish deploy merge approve reject sign complete finish start begin graduate marry married
    divorce die died born become became turn grow grew shrink rise rose risen fall fell fallen drop went gone
    discharge return reverse correct pause resume suspend add added unpin pin introduce expand merge split close
    downsize lose lost gain took taken put brought arrived came relaunch rebuild rewrite redirect end over back
    doubled halved renew pass passed fail failed sold bought acquire replace obsolete away dead gone again
    """
)
_PAST = re.compile(r"\b(?:has|have|had|was|were|got|is being|been|'ve|'s)\b|\b\w{2,}ed\b|\bwe(?:'ve| have)\b", re.IGNORECASE)
FORMER = re.compile(r"\b(?:first|initial\w*|estimate\w*|original\w*|provisional\w*|tentative\w*|still|currently|for now|we think|suspect\w*|"
                    r"proposal|plan\w*|pending|in progress|waiting|planned|yet|noch|encore|todavía|пока)\b", re.IGNORECASE)


def past_tense(text: str) -> bool:
    """Whether the text tells of something that happened; English only."""
    return _PAST.search(text) is not None
