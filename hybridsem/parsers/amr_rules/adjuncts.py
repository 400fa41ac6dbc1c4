"""Prepositional and bare phrases beside predicates as AMR: places, times, instruments."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft, Link
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.prepositions import governed
from hybridsem.parsers.amr_rules.words import Words
from hybridsem.parsers.verbnet import tables as english

__all__ = ["attach_oblique"]

DURATIONS = frozenset({"for", "", "during", "through", "in"})
BOUNDS = frozenset({"before", "after", "until", "till", "since"})


def attach_oblique(draft: Draft, link: Link) -> None:
    """Attach a phrase to a predicate, by its preposition and its noun."""
    words, graph, c = draft.words, draft.graph, link.word
    preposition = words.preposition(c)
    if words.is_time(c, preposition):
        _attach_time(draft, link, preposition)
        return
    place = words.place(link.head, c, link.passive)
    if place == "subj":
        graph.edge(link.core, draft.argument(link.core, "subj", "ARG0"), node_of(draft, c))
        return
    fixed = tables.FIXED_ADVERBS.get(" ".join(words.lower[t] for t in words.subtree(c)))
    if fixed is not None:
        draft.used.add(c)
        graph.edge(link.core, "mod", graph.node(fixed))
        return
    role = _argument_role(draft, link, preposition, place)
    if role is not None:
        graph.edge(link.core, role, governed(draft, c, preposition))
    else:
        _attach_by_table(draft, link, preposition)


def _argument_role(draft: Draft, link: Link, preposition: str, place: str) -> str | None:
    """The role of an instrument, an argument of the frame or a place, if it is one of these."""
    lemma = draft.words.lemma[link.word]
    if preposition == "with" and lemma in tables.INSTRUMENTS:
        return "instrument"
    role = draft.phrase_argument(link.core, place) if place else None
    if role is not None:
        return role
    if preposition in tables.RELATIONAL_PREPOSITIONS:
        return tables.RELATIONAL_PREPOSITIONS[preposition]
    return "location" if (preposition, lemma) in tables.RELATIONAL_NOUNS else None


def _attach_by_table(draft: Draft, link: Link, preposition: str) -> None:
    node = node_of(draft, link.word)
    role = _role(draft.words, link.word, preposition)
    if role == "cause":
        draft.put_cause(link.core, node)
        return
    if preposition == "without":
        draft.graph.value(node, "polarity", "-")
    draft.graph.edge(link.core, role, node)


def _role(words: Words, i: int, preposition: str) -> str:
    """The role of a phrase of which no frame says more."""
    lemma = words.lemma[i]
    if not preposition:
        return "extent" if lemma in tables.UNITS else "manner"
    if lemma in english.MANNER_NOUNS.get(preposition, ()):
        return "manner"
    if preposition == "for" and (lemma in tables.PEOPLE or words.pos(i) in ("PRON", "PROPN")):
        return "beneficiary"
    return tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[0]


# --- times


def _attach_time(draft: Draft, link: Link, preposition: str) -> None:
    words, graph, c = draft.words, draft.graph, link.word
    every = any(words.lower[d] in ("every", "each") for d in words.below(c, "det"))
    is_period = tables.UNITS.get(words.lemma[c]) == "temporal-quantity"
    if every and is_period and not words.has(c, "nummod"):
        _attach_rate(draft, link)
        return
    node = node_of(draft, c)
    if graph.concepts[node] == "temporal-quantity" and preposition in DURATIONS:
        graph.edge(link.core, "duration", node)
    elif preposition in BOUNDS:
        graph.edge(link.core, "time", draft.put_above(node, preposition))
    else:
        graph.edge(link.core, "frequency" if every else "time", node)


def _attach_rate(draft: Draft, link: Link) -> None:
    """``every day``."""
    graph = draft.graph
    rate = draft.new(link.word, "rate-entity-91")
    period = graph.node("temporal-quantity")
    graph.edge(link.core, "frequency", rate)
    graph.edge(rate, "ARG3", period)
    graph.value(period, "quant", "1")
    graph.edge(period, "unit", graph.node(draft.words.lemma[link.word]))
