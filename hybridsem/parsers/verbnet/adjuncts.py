"""The roles of adjuncts: of phrases by their preposition, of adverbs by their form, of clauses by
what introduces them.

    slept in the kitchen      Location         ran through the garden    Trajectory
    slept for an hour         Time             agreed with Ann           Patient
"""

from __future__ import annotations

from hybridsem.english.words import MONEY, PERSONS
from hybridsem.parsers.trees.phrases import Phrases
from hybridsem.parsers.verbnet import tables
from hybridsem.structures import Role

_MANNER: tables.Preferences = (Role.MANNER,)
_TIME: tables.Preferences = (Role.TIME,)
_LOCATION: tables.Preferences = (Role.LOCATION,)
_TRAJECTORY: tables.Preferences = (Role.TRAJECTORY,)
_PATIENT: tables.Preferences = (Role.PATIENT, Role.THEME)


def phrase_roles(phrases: Phrases, i: int, verb: str) -> tables.Preferences:
    """The roles of the prepositional or bare phrase of ``i`` beside ``verb`` (a lemma)."""
    preposition, noun = phrases.preposition(i), phrases.lemma[i]
    may_be_time = not preposition or preposition in tables.TIME_PREPOSITIONS
    if may_be_time and phrases.is_time(i, preposition):
        return _TIME
    if not preposition:
        if phrases.relation[i] == "obl:agent":
            return _PATIENT
        return tables.ADVERBS.get(phrases.lower[i], _MANNER)
    roles = _roles_by_verb(preposition, verb)
    if roles is not None:
        return roles
    if noun in tables.MANNER_NOUNS.get(preposition, ()) or (preposition == "for" and noun in MONEY):
        return _MANNER
    if preposition in tables.PATHS and verb in tables.MOTION:
        return _TRAJECTORY
    if preposition in ("to", "unto"):
        person = noun in PERSONS or phrases.lower[i] in tables.PERSONAL
        return _LOCATION if verb in tables.DATIVE_GOAL and not person else _PATIENT
    if preposition == "through" and verb not in tables.MOTION:
        return _MANNER
    return tables.PREPOSITIONS.get(preposition, _LOCATION)


def _roles_by_verb(preposition: str, verb: str) -> tables.Preferences | None:
    by_verb = tables.PREPOSITIONS_BY_VERB.get(preposition, ())
    return next((roles for verbs, roles in by_verb if verb in verbs), None)


def holds_theme(phrases: Phrases, i: int, verb: str) -> bool:
    """Whether ``i`` has the Theme of ``verb``, not the object: "filled the cup with tea"."""
    preposition = phrases.preposition(i)
    with_some_verbs = tables.COMPANIONS.get(preposition)
    if with_some_verbs is None:
        return False
    if not with_some_verbs:
        return True
    roles = _roles_by_verb(preposition, verb) or _MANNER
    return roles[0] == Role.THEME and not phrases.is_time(i, preposition)


def adverb_roles(phrases: Phrases, i: int) -> tables.Preferences:
    """The roles of an adverb, by its form or its lemma."""
    by_form = tables.ADVERBS.get(phrases.lower[i])
    return by_form or tables.ADVERBS.get(phrases.lemma[i]) or _MANNER


def clause_roles(phrases: Phrases, i: int) -> tables.Preferences:
    """The roles of an adverbial clause, by what introduces it."""
    for c in phrases.children(i):
        if phrases.base[c] in ("mark", "advmod", "case", "cc"):
            roles = tables.MARKERS.get(phrases.lower[c])
            if roles:
                return roles
    return _MANNER
