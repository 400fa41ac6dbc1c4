"""What a noun, name, pronoun or number stands for, before anything else hangs from it."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import NamedTuple

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.concepts import noun_concept
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft
from hybridsem.parsers.amr_rules.names import proper_noun
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.pronouns import pronoun

__all__ = ["Entity", "entity"]

CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound"}


class Entity(NamedTuple):
    """A node, and the dependents that are used up by it."""

    node: int
    words: Set[int] = frozenset()


def entity(draft: Draft, i: int) -> Entity:
    """A node for the noun, as the first of the kinds that it is one of."""
    for kind in KINDS:
        built = kind(draft, i)
        if built is not None:
            return built
    return Entity(draft.graph.node(noun_concept(draft, i)))


def _pronoun(draft: Draft, i: int) -> Entity | None:
    words = draft.words
    if words.lower[i] not in tables.PRONOUNS or words.pos(i) not in ("PRON", "DET"):
        return None
    return Entity(pronoun(draft, i))


def _asked(draft: Draft, i: int) -> Entity | None:
    return Entity(draft.graph.node(UNKNOWN)) if draft.words.is_wh(i) else None


def _named(draft: Draft, i: int) -> Entity | None:
    words = draft.words
    is_planet = words.lemma[i] in tables.PLANETS and words.tokens[i].text[0].isupper()
    named = proper_noun(draft, i) if words.pos(i) == "PROPN" or is_planet else None
    return None if named is None else Entity(*named)


def _one(draft: Draft, i: int) -> Entity | None:
    return Entity(draft.graph.node("one")) if draft.words.lower[i] in ("one", "ones") else None


def _number(draft: Draft, i: int) -> Entity | None:
    """A number without a noun: a year, or so many of something."""
    words, graph = draft.words, draft.graph
    number = words.number(i) if words.pos(i) == "NUM" else None
    if number is None:
        return None
    if words.is_time(i, words.preposition(i)):
        node = graph.node("date-entity")
        graph.value(node, "year", number)
    else:
        node = graph.node("thing")
        graph.value(node, "quant", number)
    return Entity(node, {c for c in words.children(i) if words.pos(c) == "NUM"})


def _measure(draft: Draft, i: int) -> Entity | None:
    """So many of a unit: "two miles"."""
    words, graph, lemma = draft.words, draft.graph, draft.words.lemma[i]
    if lemma not in tables.UNITS:
        return None
    counts = [c for c in words.below(i, "nummod") if words.number(c) is not None]
    if not counts:
        return None
    node = graph.node(tables.UNITS[lemma])
    graph.value(node, "quant", words.number(counts[0]) or "1")
    if tables.UNITS[lemma] != "percentage-entity":
        graph.edge(node, "unit", graph.node(CURRENCIES.get(lemma, lemma)))
    return Entity(node, set(counts))


def _hyphenated(draft: Draft, i: int) -> Entity | None:
    words = draft.words
    first = words.hyphenated(i)
    if first is None:
        return None
    return Entity(draft.graph.node(f"{words.lower[first]}-{words.lemma[i]}"), {first})


def _part_of_day(draft: Draft, i: int) -> Entity | None:
    words, lemma = draft.words, draft.words.lemma[i]
    if lemma not in tables.DAYPARTS or words.base[i] != "obl" or words.has(i, "amod"):
        return None
    return _part_of_date(draft, "dayperiod", lemma)


def _season(draft: Draft, i: int) -> Entity | None:
    words, lemma = draft.words, draft.words.lemma[i]
    if lemma not in tables.SEASONS or words.base[i] not in ("obl", "nmod"):
        return None
    return _part_of_date(draft, "season", lemma) if words.pos(i) == "NOUN" else None


def _part_of_date(draft: Draft, role: str, lemma: str) -> Entity:
    return Entity(draft.put_above(draft.graph.node(lemma), "date-entity", role))


def _compound_agent(draft: Draft, i: int) -> Entity | None:
    """``firefighter`` as a person that fights fire."""
    lemma = draft.words.lemma[i]
    if lemma not in tables.COMPOUND_AGENTS:
        return None
    frame, thing = tables.COMPOUND_AGENTS[lemma]
    agent, action = _acting(draft, i, frame)
    draft.graph.edge(action, "ARG1", draft.graph.node(thing))
    return agent


def _agent(draft: Draft, i: int) -> Entity | None:
    """``singer`` as a person that sings; ``truck driver`` drives a truck."""
    frame = tables.AGENT_NOUNS.get(draft.words.lemma[i], "")
    return _acting(draft, i, frame)[0] if "-" in frame else None


def _acting(draft: Draft, i: int, frame: str) -> tuple[Entity, int]:
    """A person that does what the frame says, and the node of that."""
    words = draft.words
    person = draft.graph.node("person")
    action = draft.put_above(person, frame, "ARG0")
    objects = set()
    for c in words.children(i):
        if words.is_of(c) or (words.base[c] == "compound" and words.pos(c) == "NOUN"):
            draft.graph.edge(action, "ARG1", node_of(draft, c))
            objects.add(c)
    return Entity(person, objects), action


def _relative(draft: Draft, i: int) -> Entity | None:
    """``my friend`` as a person in a relation to me."""
    words, graph = draft.words, draft.graph
    owners = words.possessors(i) if words.lemma[i] in tables.KIN else []
    if not owners:
        return None
    person = draft.core[i] = graph.node("person")
    relation = draft.put_above(person, "have-rel-role-91", "ARG0")
    graph.edge(relation, "ARG1", node_of(draft, owners[0]))
    graph.edge(relation, "ARG2", graph.node(words.lemma[i]))
    return Entity(person, {owners[0]})


KINDS: tuple[Callable[[Draft, int], Entity | None], ...] = (
    _pronoun,
    _asked,
    _named,
    _one,
    _number,
    _measure,
    _hyphenated,
    _part_of_day,
    _season,
    _compound_agent,
    _agent,
    _relative,
)
