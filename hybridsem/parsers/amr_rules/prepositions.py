"""Prepositional phrases as AMR: what they govern, and how they hang from nouns."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft, Link
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.words import Words

__all__ = ["attach_phrase_to_noun", "beside", "governed", "under"]

KINDS = frozenset({"kind", "sort", "type"})
AMOUNTS = frozenset({"lot", "plenty", "deal", "number", "couple", "dozen"})
PARTITIVES = frozenset({"one", "some", "many", "each", "all", "most"})

# --- what a preposition governs


def governed(draft: Draft, i: int, preposition: str) -> int:
    """The node of a phrase, below its preposition where that is a concept."""
    words = draft.words
    relation = tables.RELATIONAL_NOUNS.get((preposition, words.lemma[i]))
    inner = next((c for c in words.below(i, "nmod") if words.preposition(c) == "of"), None)
    if relation is not None and inner is not None:  # "in front of the house"
        draft.used.add(i)
        above = draft.new(i, relation)
        draft.graph.edge(above, "op1", node_of(draft, inner))
        return above
    node = node_of(draft, i)
    return under(draft, preposition, node)


def under(draft: Draft, preposition: str, node: int) -> int:
    """A node, below its preposition where that is a concept."""
    if preposition not in tables.RELATIONAL_PREPOSITIONS:
        return node
    return draft.put_above(node, preposition.replace(" ", "-"))


def beside(draft: Draft, i: int) -> int | None:
    """The node of "next to the lake" where the lake hangs from "next", the word ``i``.

    None where the lake stands apart or is missing.
    """
    words = draft.words
    draft.used.add(i)
    phrases = (c for c in words.below(i, "obl", "nmod") if words.preposition(c) == "next to")
    lake = next(phrases, None)
    return None if lake is None else draft.assign(i, governed(draft, lake, "next to"))


# --- phrases beside nouns


def attach_phrase_to_noun(draft: Draft, link: Link) -> int | None:
    """Attach a prepositional phrase; the node that stands for the noun then, if it is another."""
    preposition = draft.words.preposition(link.word)
    if preposition == "of":
        return _attach_of(draft, link)
    role = _role(draft, link, preposition)
    if role is not None:
        draft.graph.edge(link.core, role, governed(draft, link.word, preposition))
    elif preposition in BY_PREPOSITION:
        BY_PREPOSITION[preposition](draft, link)
    else:
        _attach_by_table(draft, link)
    return None


def _role(draft: Draft, link: Link, preposition: str) -> str | None:
    """The role of an argument, a place or a time."""
    words, c, core = draft.words, link.word, link.core
    role = None
    if draft.is_frame(core):
        role = draft.phrase_argument(core, words.place(link.head, c))
        if preposition == "by" and not draft.graph.has(core, "ARG0"):
            role = draft.argument(core, "subj", "ARG0")
    if role is None and (preposition, words.lemma[c]) in tables.RELATIONAL_NOUNS:
        return "location"
    if role is None and words.is_time(c, preposition):
        return "time"
    return role


def _attach_with(draft: Draft, link: Link) -> None:
    """``a man with a beard``, ``a man with a dog``."""
    words = draft.words
    node = node_of(draft, link.word)
    part, whole = words.lemma[link.word], words.lemma[link.head]
    if part in tables.BODY_PARTS and whole not in tables.BODY_PARTS:
        draft.graph.edge(link.core, "part", node)
    else:
        having = draft.put_above(link.core, "have-03", "ARG0")
        draft.graph.edge(having, "ARG1", node)


def _attach_without(draft: Draft, link: Link) -> None:
    """``a man without a dog``."""
    node = node_of(draft, link.word)
    having = draft.put_above(link.core, "have-03", "ARG0")
    draft.graph.edge(having, "ARG1", node)
    draft.graph.value(having, "polarity", "-")


def _attach_in(draft: Draft, link: Link) -> None:
    """``a man in a red shirt`` wears it."""
    if draft.words.lemma[link.word] not in tables.CLOTHES:
        _attach_by_table(draft, link)
        return
    wearing = draft.put_above(link.core, "wear-01", "ARG0")
    draft.graph.edge(wearing, "ARG1", node_of(draft, link.word))


def _attach_like(draft: Draft, link: Link) -> None:
    """``a man like you`` resembles you."""
    resembling = draft.put_above(link.core, "resemble-01", "ARG1")
    draft.graph.edge(resembling, "ARG2", node_of(draft, link.word))


BY_PREPOSITION = {
    "with": _attach_with,
    "without": _attach_without,
    "in": _attach_in,
    "like": _attach_like,
}


def _attach_by_table(draft: Draft, link: Link) -> None:
    preposition = draft.words.preposition(link.word)
    role = tables.RELATIONAL_PREPOSITIONS.get(preposition)
    if role is not None:
        role = "location" if role == "path" else role
    else:
        role = tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[1]
        role = "source" if role == "cause" else role
    draft.graph.edge(link.core, role, governed(draft, link.word, preposition))


def _attach_of(draft: Draft, link: Link) -> int | None:
    """``a kind of dog``, ``a group of dogs``, ``the owner of the dog``."""
    words, graph, core = draft.words, draft.graph, link.core
    node = node_of(draft, link.word)
    noun = words.lemma[link.head]
    if noun in KINDS or noun in AMOUNTS:  # the phrase is about the second noun
        graph.edge(node, "mod" if noun in KINDS else "quant", core)
        draft.core[link.head] = node
        return node
    if noun in PARTITIVES or words.pos(link.head) in ("NUM", "PRON", "DET"):
        including = draft.put_above(core, "include-91", "ARG1")
        graph.edge(including, "ARG2", node)
    elif draft.is_frame(core):
        graph.edge(core, draft.argument(core, "of", "ARG1"), node)
    elif noun in tables.CONTAINERS and noun not in tables.COLLECTIONS:
        containing = draft.put_above(core, "contain-01", "ARG0")
        graph.edge(containing, "ARG1", node)
    else:
        graph.edge(core, _role_of_second_noun(words, link), node)
    return None


def _role_of_second_noun(words: Words, link: Link) -> str:
    first, second = words.lemma[link.head], words.lemma[link.word]
    if first in tables.COLLECTIONS:
        return "consist-of"
    if first in tables.BODY_PARTS:
        return "part-of"
    if first in tables.PICTURES:
        return "topic"
    return "consist-of" if second in tables.MATERIALS else "poss"
