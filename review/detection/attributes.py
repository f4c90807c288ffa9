"""What kind of attribute a statement is about: one that has a single value, or one whose values add up."""

from __future__ import annotations

from .lexicon import stem_set, word_set

#: Predicates with one value at a time: where someone lives, what something costs, when it starts.
SINGLE = stem_set(
    """
    live lives based located born named called due starts begins ends opens closes costs price weighs default defaults
    runs limit limited expire port version birthday age surname deadline timeout size current latest reports caused
    cause lasts decided agreed belongs head owner manager chair treasurer capital address kept stored required
    minimum maximum listens set uses held scheduled budget leads supervises grew base root
    endpoint type degree length width status state sorts heisst wohnt liegt beginnt kostet vive cuesta habite coûte
    only main primary sole heads total count capacity rate branch built starts prefers
    """
)
#: Predicates whose values add up: likes, has, speaks, visited.
MULTIPLE = stem_set(
    """
    likes like loves love enjoys enjoy hates has have speaks speak plays play visited visit knows know uses use owns own
    supports support fixes fix fixed adds add added tested test writes lists list lists reads sold bought crashed failed
    collects collect trains train teaches teach grows grow makes make sells sell raises breeds follows watches attends
    suffers cooks bakes drinks eats repairs tests checks covers concerns explains shows visits contains
    wants studied worked taught allergic member covers cover discussed talked attended met saw read can may includes
    took takes take aime mag spielt hat tiene gusta juega любит
    """
)
#: Words that scope a statement; two that differ mean two subjects.
_SCOPES = """
dev development staging stage test testing prod production live local beta alpha canary qa demo sandbox preview
brother sister mother father aunt uncle cousin son daughter wife husband parents grandmother grandfather
niece nephew child
get post put delete patch head
read write connect idle ack send receive
frontend backend client server web mobile desktop api
monday tuesday wednesday thursday friday saturday sunday weekday weekend
spring summer autumn winter fall
morning noon afternoon evening night
home work school office
north south east west
german french spanish english italian dutch russian portuguese turkish chinese japanese arabic
windows linux macos android ios
first second third fourth fifth
admin user owner guest moderator editor teacher parent
python java ruby node go rust php
adult child senior junior
upload download import export push pull
wiki blog forum tracker shop site issue
travel training marketing research hiring
"""
SCOPES: dict[str, set[int]] = {}
for _index, _line in enumerate(_SCOPES.strip().splitlines()):
    for _word in _line.split():
        for _form in stem_set(_word):
            SCOPES.setdefault(_form, set()).add(_index)

#: Offices one person (or team) holds: two holders exclude each other.
ROLES = stem_set(
    """
    leads lead manages manager heads head runs owner owns belongs chairs chair treasurer captain president director
    supervises supervisor maintains maintainer responsible charge contact coordinator secretary editor boss
    leitet chef verantwortlich dirige responsable руководит
    """
)
#: "Her son" is somebody else.
PERSONS = stem_set(
    """
    parents parent brother sister mother father aunt uncle cousin son daughter wife husband niece nephew child children
    grandmother grandfather neighbour neighbor colleague friend boss manager assistant team flatmate partner twin
    bruder schwester mutter vater sohn tochter frau mann eltern
    """
)
#: How far a thing has come; a later stage told later replaces the earlier one.
_STAGES = (
    "planned proposed pending waiting open investigating investigated engaged pregnant learning draft "
    "assigned suspected "
    "queued expected upcoming estimate candidate student negotiated broken unreachable negotiating blocked planning",
    "progress started underway review running testing begun way unblocked reviewing building",
    "done finished complete completed closed resolved merged shipped released signed approved passed graduated married "
    "over live fixed born baby ended available delivered published launched healed decided accepted sold repaired",
)
STAGES = {form: rank for rank, words in enumerate(_STAGES) for form in stem_set(words)}

ADDITIVE = word_set("also too additionally another besides auch zusätzlich aussi également también además также тоже")


def same_scope_family(one: str, two: str) -> bool:
    """Two different words that name two members of one family (environments, relatives, months)."""
    return one != two and not SCOPES.get(one, set()).isdisjoint(SCOPES.get(two, set()))
