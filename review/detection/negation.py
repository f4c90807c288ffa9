"""Negation: which words negate, and what they negate. A double negation counts as none.

The scope rule is the usual cheap one (Chapman et al., NegEx, 2001): the few content words after the negator.
"""

from __future__ import annotations

from .lexicon import word_set

#: Folded words (no accents, lower case) that negate, by language; n't is split off before.
NEGATORS = word_set(
    """
    not n't no never none nobody nothing nowhere neither nor without cannot hardly scarcely
    nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder
    pas jamais aucun aucune rien personne sans
    jamas nunca nadie nada ningun ninguna ninguno sin tampoco
    не нет ни никогда никто ничего без нельзя
    non mai nessuno senza nao nem niet geen nooit niemand zonder
    """
)
#: "no" is "number" or "in the" elsewhere; these negate only in a text of that language.
BY_LANGUAGE = {"spanish": frozenset({"no"}), "italian": frozenset({"non"}), "portuguese": frozenset({"nao"})}
FRENCH_ONLY = frozenset({"pas", "personne", "rien"})

#: English stems whose meaning holds a negation ("fails" is "does not work").
NEGATIVE_STEMS = word_set(
    """
    fail refus reject forbid forbidden prohibit ban deni lack avoid block prevent unabl imposs pointless useless
    futil broken break miss absent disabl stop hate dislik detest loath exclud ignor declin disallow unsupport
    unavail unreach wrong bad bare cannot crash
    incap outag down offlin uninstal oppos against except abstain teetotal unus invalid unwant unfinish incomplet
    """
)
#: "Without problems" affirms: a negator right before one of these negates nothing else.
HARMLESS_STEMS = word_set("problem troubl issu difficulti error delay doubt hitch except limit complaint find")
SCOPE_WORDS = 4
_NEUTRAL = word_set("unless nevertheless nonetheless regardless wireless serverless unit united university")


def is_negative(folded: str, stem: str) -> bool:
    """Whether a word has a negation in its meaning: listed, or by its form ("hopeless", "unpaid")."""
    if stem in NEGATIVE_STEMS:
        return True
    formed = (len(folded) > 6 and folded.endswith("less")) or (
        len(folded) > 5 and folded.startswith("un") and folded.endswith(("ed", "able", "aid"))
    )
    return formed and folded not in _NEUTRAL
