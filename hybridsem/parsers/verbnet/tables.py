"""Roles by verb, preposition, adverb and subordinator (``tables.toml``).

Verbs with a Patient as object, verbs that lose their Agent without an object
(:data:`~hybridsem.english.words.UNACCUSATIVE_VERBS`), and verbs with an unusual role for a
preposition were counted on the VerbNet role links of PropBank (EWT train and the examples of the
frame files, CC BY-SA 4.0). Clear cases were kept, and completed from VerbNet's class descriptions.
"""

from __future__ import annotations

from hybridsem._utils.tables import by_word, read_table, word_set, word_sets
from hybridsem.english.signatures import SIGNATURES, Complement
from hybridsem.english.words import MEANS, MONEY
from hybridsem.structures import Role

Preferences = tuple[str, ...]
"""Roles in order of preference: the first free one is taken, else the last is shared."""

AGENT: Preferences = (Role.AGENT, Role.PATIENT, Role.THEME)
PATIENT: Preferences = (Role.PATIENT, Role.THEME)
THEME: Preferences = (Role.THEME, Role.PATIENT)
COMPLEMENT: Preferences = (Role.THEME, Role.PATIENT, Role.MANNER)
MANNER: Preferences = (Role.MANNER,)
LOCATION: Preferences = (Role.LOCATION,)

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])


def _preferences(roles: str) -> Preferences:
    return tuple(Role(role) for role in roles.split())


def _by_word(name: str) -> dict[str, Preferences]:
    return {word: _preferences(roles) for word, roles in by_word(_TABLES[name]).items()}


PATIENT_OBJECT = _WORDS["patient_object"]
MOTION = _WORDS["motion"]
DATIVE_GOAL = _WORDS["dative_goal"]
TIME_PREPOSITIONS = _WORDS["time_prepositions"]
MANNER_NOUNS = word_sets(_TABLES["manner_nouns"]) | {"by": MEANS}
MEANS_NOUNS = MANNER_NOUNS | {"for": MANNER_NOUNS.get("for", frozenset()) | MONEY}
PERSONAL = _WORDS["personal"]
REPORTING = _WORDS["speech"] | {
    lemma for lemma, complement in SIGNATURES if complement == Complement.THAT
}
ADVERBS = _by_word("adverbs")
PREPOSITIONS = _by_word("prepositions")
PATHS = word_set("through across along around over past up down off via beyond under by") | {
    "out of",
    "out",
    "round",
}
PREPOSITIONS_BY_VERB = {
    preposition: tuple((word_set(verbs), _preferences(roles)) for roles, verbs in table.items())
    for preposition, table in _TABLES["prepositions_by_verb"].items()
}
# With such a phrase the object is a Patient, the phrase the Theme: "filled the cup with tea".
# True: only where PREPOSITIONS_BY_VERB makes it a Theme.
COMPANIONS = {"of": False, "about": False, "with": True, "into": True, "for": True}
MARKERS = _by_word("markers")
