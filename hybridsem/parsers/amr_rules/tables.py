"""Tables of English and of AMR's conventions, read from ``tables.toml``.

The conventions are those of the AMR guidelines (amr.isi.edu/doc/amr-guidelines), as in the gold
graphs of The Little Prince (train) and the example sentences of the guidelines.
"""

from __future__ import annotations

from hybridsem._utils.tables import by_word, read_table, word_set, word_sets
from hybridsem.english import words as english

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])


def _pairs(name: str) -> dict[str, tuple[str, str]]:
    return {word: (one, two) for word, (one, two) in _TABLES[name].items()}


PRONOUNS = {
    form: subject for subject, forms in english.PRONOUNS.items() for form in forms
} | by_word(_TABLES["pronouns"])
INDEFINITE = by_word(_TABLES["indefinite"])
PLAIN = _WORDS["plain"]
ADJECTIVE_SENSES: dict[str, str] = _TABLES["adjective_senses"]
MUSICAL = _WORDS["musical"]
OBJECT_SENSES: dict[tuple[str, str], frozenset[str]] = {
    (verb, sense): word_set(objects) | (MUSICAL if sense == "play-11" else frozenset())
    for sense, (verb, objects) in _TABLES["object_senses"].items()
}
AGENT_NOUNS: dict[str, str] = _TABLES["agent_nouns"]
COMPOUND_AGENTS = _pairs("compound_agents")
KIN = english.KIN | _WORDS["kin"]
RELATIONAL_NOUNS = {pair: concept for concept, pair in _pairs("relational_nouns").items()}
PLACES = _WORDS["places"] | {"next to"}
DAYPARTS = _WORDS["dayparts"]
SEASONS = _WORDS["seasons"]
BODY_PARTS = _WORDS["body_parts"]
COLLECTIONS = _WORDS["collections"]
CONTAINERS = _WORDS["containers"]
MATERIALS = _WORDS["materials"]
MATERIALS_ADJECTIVES: dict[str, str] = _TABLES["materials_adjectives"]
PICTURES = _WORDS["pictures"]
CLOTHES = _WORDS["clothes"]
INSTRUMENTS = MUSICAL | _WORDS["instruments"]
PEOPLE = english.ADULTS_AND_CHILDREN | _WORDS["people"]
FEMALE = _WORDS["female"]
MALE = _WORDS["male"]
MULTIPLIERS: dict[str, int] = _TABLES["multipliers"]
ORDINALS = {
    word: number for number, word in enumerate(_TABLES["ordinals"]["from_first"].split(), 1)
} | {"last": -1, "twentieth": 20}
UNITS = by_word(_TABLES["units"])
QUANTITIES = _WORDS["quantities"]
WEEKDAYS = frozenset(english.WEEKDAYS)
MONTHS = {
    month: number
    for names in (english.MONTHS, english.MONTH_ABBREVIATIONS)
    for number, month in enumerate(names, 1)
    if month != "sep"
} | {"sept": 9}

NATIONS: dict[str, str] = _TABLES["nations"]
KNOWN_NAMES = by_word(_TABLES["known_names"])
NAME_TYPES: dict[str, str] = _TABLES["name_types"]

MODALS = _pairs("modals")
MODAL_PREDICATES = _pairs("modal_predicates")
INCHOATIVE = _WORDS["inchoative"]
RAISING = _WORDS["raising"]
SILENT_VERBS = _WORDS["silent_verbs"]
SPEECH = _WORDS["speech"]
CONJUNCTIONS = by_word(_TABLES["conjunctions"])
MARKS: dict[str, str] = _TABLES["marks"]

ADVERB_ROLES = by_word(_TABLES["adverb_roles"])
DEGREE_ADVERBS = _WORDS["degree_adverbs"]
FIXED_ADVERBS: dict[str, str] = _TABLES["fixed_adverbs"]
DISCOURSE = _WORDS["discourse"]

PREPOSITION_ROLES = _pairs("preposition_roles")
RELATIONAL_PREPOSITIONS: dict[str, str] = _TABLES["relational_prepositions"]
PREDICATED: dict[str, tuple[str, str, str]] = {
    preposition: (frame, subject, noun)
    for preposition, (frame, subject, noun) in _TABLES["predicated"].items()
}

COMPARED: dict[str, str] = _TABLES["compared"]
