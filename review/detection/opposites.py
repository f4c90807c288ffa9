"""Words that exclude each other: opposites of general language and morphological ones (en-/dis-, un-)."""

from __future__ import annotations

from functools import lru_cache

from .lexicon import stems

_PAIRS = """
on/off enabled/disabled true/false yes/no open/closed open/shut up/down before/after increase/decrease rise/fall
rose/fell grew/shrank grow/shrink raise/lower up/under above/below over/under over/within more/less many/few
love/hate likes/hates like/dislike adore/detest enjoys/avoids enjoys/dislikes prefers/avoids loves/dislikes
allow/forbid allowed/forbidden permit/forbid permitted/prohibited accept/reject accepts/refuses accepted/declined
accepted/rejected approve/reject grant/deny allow/deny allows/blocks allowed/banned adopt/reject require/optional
mandatory/optional required/optional compulsory/voluntary public/private internal/external early/late start/finish
begin/end starts/ends first/last always/never everyone/nobody everybody/nobody everyone/no everything/nothing all/none
all/some every/no every/none any/none all/no both/neither both/one succeed/fail succeeded/failed success/failure
passed/failed pass/fail works/fails working/broken healthy/sick well/ill well/unwell good/bad better/worse best/worst
fast/slow quick/slow high/low long/short tall/short big/small large/small heavy/light hot/cold warm/cold wet/dry
dark/light black/white left/right north/south east/west inside/outside indoors/outdoors front/back top/bottom
upstairs/downstairs attic/basement ground/top near/far married/single married/divorced alive/dead present/absent
online/offline locked/unlocked manual/automatic manually/automatically free/paid cheap/expensive full/empty
keep/delete keep/remove keeps/overwrites keep/drop leaves/deletes add/remove create/delete include/exclude
gained/lost win/lose won/lost buy/sell bought/sold import/export push/pull ahead/behind ahead/late ahead/delayed
track/late track/behind track/delayed done/started finished/started complete/incomplete
finished/ongoing done/pending done/open closed/open finished/progress done/progress complete/half
running/paused running/stopped active/inactive active/paused active/suspended safe/dangerous strong/weak
old/new morning/evening morning/night day/night summer/winter vegan/meat vegetarian/meat vegetarian/fish
teetotaller/drinks smokes/nonsmoker sync/async synchronous/asynchronous encrypted/plain local/remote
minimum/maximum least/most positive/negative odd/even whole/part temporary/permanent only/also only/any
alone/together single/multiple formal/informal spent/saved overspent/under
overspent/within nothing/everything ascending/descending horizontal/vertical expire/valid
sure/unsure same/different certain/uncertain win/defeat asleep/awake introvert/extrovert literate/illiterate
lost/kept refuse/accept ignore/honour ignore/respect
an/aus offen/geschlossen auf/zu immer/nie alle/keine vor/nach links/rechts oben/unten liebt/hasst mag/hasst
gross/klein schnell/langsam erlaubt/verboten aktiviert/deaktiviert oeffentlich/privat
ouvert/ferme aime/deteste adore/deteste avant/apres toujours/jamais tous/aucun gauche/droite haut/bas grand/petit
active/desactive autorise/interdit
abierto/cerrado ama/odia adora/detesta antes/despues siempre/nunca todos/ninguno izquierda/derecha grande/pequeno
permitido/prohibido activado/desactivado encendido/apagado publico/privado
открыт/закрыт любит/ненавидит до/после всегда/никогда все/никто включен/выключен можно/нельзя
"""
#: Everything on one side excludes everything on the other.
_SIDES = """
on true enabled yes active activated | off false disabled no inactive deactivated
track ahead time punctual | late behind delayed overdue
works working functional operational | broken defective faulty
up online reachable available running back | down offline unreachable unavailable
succeeded success passed successful | failed failure unsuccessful
allowed permitted allows permits lets accepts | forbidden prohibited banned denies refuses rejects refused blocks
accepted | rejected refused declined
increased rose grew climbed gained raised | decreased fell dropped shrank declined lost sank lowered
keeps leaves retains preserves | deletes removes overwrites erases discards
done finished complete completed closed resolved | open ongoing pending unfinished incomplete started
required mandatory compulsory necessary must | optional voluntary unnecessary
first ground basement | top attic
vegan vegetarian | meat carnivore
all every everyone everybody always | none nobody never
"""
_TABLE: dict[str, set[str]] = {}
for _pair in _PAIRS.split():
    _left, _right = _pair.split("/")
    for _one in stems(_left):
        for _two in stems(_right):
            if _one != _two:
                _TABLE.setdefault(_one, set()).add(_two)
                _TABLE.setdefault(_two, set()).add(_one)
for _line in _SIDES.strip().splitlines():
    _lefts, _rights = ([form for word in side.split() for form in stems(word)] for side in _line.split("|"))
    for _one in _lefts:
        for _two in _rights:
            _TABLE.setdefault(_one, set()).add(_two)
            _TABLE.setdefault(_two, set()).add(_one)
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis", "ab")


@lru_cache(maxsize=16_384)
def opposites_of(word: str) -> frozenset[str]:
    """The stems and folded words that oppose ``word``: listed ones, and those made by a prefix."""
    found = set(_TABLE.get(word, ()))
    if len(word) >= 4:
        found.update(prefix + word for prefix in _PREFIXES)
    found.update(
        word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix) and len(word) - len(prefix) >= 4
    )
    # enabled/disabled: the same word after en- and dis-.
    if len(word) > 6 and word.startswith("en"):
        found.add("dis" + word[2:])
    if len(word) > 7 and word.startswith("dis"):
        found.add("en" + word[3:])
    return frozenset(found)
