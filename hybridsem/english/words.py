"""Lists of English words (``words.toml``) that the whole package shares.

If two uses need different lists, one extends the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import by_word, read_table, spaced, word_set, word_sets

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])


def _ordered(name: str) -> tuple[str, ...]:
    return tuple(_TABLES["words"][name].split())


# --- function words


class Pronoun(NamedTuple):
    """The forms of a personal pronoun: "she", "her", "her", "hers", "herself"."""

    subject: str
    object: str
    determiner: str
    possessive: str
    reflexive: str


PRONOUNS = MappingProxyType(
    {
        row.split()[0]: Pronoun(*row.split())
        for row in _TABLES["pronouns"]["rows"].strip().split("\n")
    }
)
"""The personal pronouns by their subject form."""
ARTICLES = frozenset({"a", "an", "the"})
NOT = _WORDS["not"]
NEGATORS = NOT | _WORDS["negators"]
NEAR_NEGATORS = _WORDS["near_negators"]
AFTER_NOT = _WORDS["after_not"]
APPROVING, DISAPPROVING = _WORDS["approving"], _WORDS["disapproving"]
QUESTION_ADVERBS = _WORDS["question_adverbs"]
QUESTION_WORDS = QUESTION_ADVERBS | _WORDS["question_words"]
SUBORDINATING_ADVERBS = QUESTION_ADVERBS | _WORDS["subordinating_adverbs"]
RELATIVE_WORDS = _WORDS["relative_words"]
FREE_RELATIVES = _WORDS["free_relatives"]
FOCUS_ADVERBS = _WORDS["focus_adverbs"]
COMPASS = _WORDS["compass"]
COMPOUND_PREPOSITIONS = frozenset(spaced(_TABLES["words"]["compound_prepositions"]))
VARIANTS = MappingProxyType(by_word(_TABLES["variants"]))

# --- verbs

MODAL_VERBS = _ordered("modal_verbs")
FINITE_AUXILIARIES = (
    *("am", "is", "are", "was", "were"),
    *("has", "have", "had"),
    *("do", "does", "did"),
    *MODAL_VERBS,
)
BE_FORMS = _WORDS["be_forms"]
MODALS = MappingProxyType(by_word(_TABLES["modals"]))
SEMI_MODALS = _WORDS["semi_modals"]
COPULAR_VERBS = _WORDS["copular_verbs"]
ASPECTUAL_VERBS = _WORDS["aspectual_verbs"]
UNACCUSATIVE_VERBS = _WORDS["unaccusative_verbs"]
TRANSITIVE_VERBS = _WORDS["transitive_verbs"]
INVERTING_VERBS = _WORDS["inverting_verbs"]
SUBJECT_CONTROL_VERBS = _WORDS["subject_control_verbs"]

# --- adjectives

TOUGH_ADJECTIVES = _WORDS["tough_adjectives"]

# --- nouns

FAMILY = _WORDS["family"]
KIN = FAMILY | _WORDS["kin"]
ADULTS_AND_CHILDREN = _WORDS["adults_and_children"]
# Without the rest of KIN, as in version 0.1.0.
PERSONS = ADULTS_AND_CHILDREN | FAMILY | _WORDS["persons"]
MONTHS = _ordered("months")
MONTH_ABBREVIATIONS = tuple(month[:3] for month in MONTHS)
"""In the order of :data:`MONTHS`, without "sept"."""
WEEKDAYS = _ordered("weekdays")
WEEKDAY_ABBREVIATIONS = _WORDS["weekday_abbreviations"]
TIME_NOUNS = (
    frozenset((*MONTHS, *MONTH_ABBREVIATIONS, "sept", *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))
    | WEEKDAY_ABBREVIATIONS
    | _WORDS["time_nouns"]
)
AMBIGUOUS_TIMES = _WORDS["ambiguous_times"]
MEASURES = _WORDS["measures"]
MONEY = _WORDS["money"]
MEANS = _WORDS["means"]


def not_only(lemmas: Sequence[str]) -> set[int]:
    """Return the places of "not only", "not just": words that deny nothing.

    >>> sorted(not_only(["be", "not", "only", "clever"]))
    [1, 2]
    """
    found = [
        i for i, lemma in enumerate(lemmas[:-1]) if lemma in NOT and lemmas[i + 1] in AFTER_NOT
    ]
    return {at for i in found for at in (i, i + 1)}


# --- pieces of words

CLITICS = _ordered("clitics")
ABBREVIATIONS = (
    _WORDS["abbreviations"]
    | frozenset(MONTH_ABBREVIATIONS) - {"may"}
    | WEEKDAY_ABBREVIATIONS - {"sat", "sun"}
)


# --- stop words

STOP_WORDS = (
    frozenset(word for group in _TABLES["stop_words"].values() for word in group.split())
    | frozenset(form for forms in PRONOUNS.values() for form in forms)
    | BE_FORMS
    | frozenset(MODAL_VERBS)
)
RELEASE_STOP_WORDS = word_set(_TABLES["release"]["stop_words"])
