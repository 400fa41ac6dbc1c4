"""Noun phrases as AMR: a noun, name, pronoun or number with what hangs from it."""

from __future__ import annotations

from collections.abc import Iterable

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft, Link
from hybridsem.parsers.amr_rules.entities import entity
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.prepositions import beside

__all__ = [
    "attach_all_to_noun",
    "attach_apposition",
    "attach_aside",
    "attach_compound",
    "attach_count",
    "attach_determiner",
    "attach_flat",
    "attach_interjection",
    "attach_modifier",
    "attach_possessor",
    "attach_to_noun",
    "noun_phrase",
]

NEVER_BESIDE_NOUNS = frozenset(
    {"punct", "case", "cc", "conj", "cop", "mark"}
    | {"aux", "expl", "nsubj", "csubj", "goeswith", "fixed"}
)


def noun_phrase(draft: Draft, i: int) -> int:
    """The node of a noun, name, pronoun or number with everything that hangs from it."""
    node, used = entity(draft, i)
    draft.assign(i, node)
    rest = (c for c in draft.words.children(i) if c not in used)
    top = draft.top[i] = attach_all_to_noun(draft, i, node, rest)
    return top


def attach_all_to_noun(draft: Draft, i: int, core: int, dependents: Iterable[int]) -> int:
    """Attach dependents of a noun; the node that then stands for the phrase.

    Args:
        draft: The graph so far, which grows.
        i: The noun's index in the sentence.
        core: The noun's node.
        dependents: Indices of words, in the order in which they are attached.
    """
    top = core
    for c in dependents:
        other = attach_to_noun(draft, Link(c, i, core))
        top = top if other is None else other
    return top


def attach_to_noun(draft: Draft, link: Link) -> int | None:
    """Attach a dependent of a noun; the node that now stands for the phrase, if it is another."""
    words, c = draft.words, link.word
    base = words.base[c]
    if base in NEVER_BESIDE_NOUNS or (base in ("advmod", "amod") and c in draft.used):
        return None
    if words.is_next_to(c):
        node = beside(draft, c)
        if node is not None:
            draft.graph.edge(link.core, "location", node)
        return None
    table = draft.grammar.beside_nouns
    attach = table.get(words.relation[c]) or table.get(base) or table["dep"]
    return attach(draft, link)


# --- one relation each


def attach_determiner(draft: Draft, link: Link) -> None:
    """Attach what is no article: "this", "some", "no", "which"."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[link.word]
    if word in ("a", "an", "the") or "Rel" in words.relation[link.word]:
        return
    if word in ("no", "neither"):
        graph.value(link.core, "polarity", "-")
    elif word in ("what", "which", "whose"):
        graph.edge(link.core, "mod", graph.node(UNKNOWN))
    else:
        concept = tables.PRONOUNS.get(word, words.lemma[link.word])
        graph.edge(link.core, "quant" if word == "some" else "mod", graph.node(concept))


def attach_count(draft: Draft, link: Link) -> None:
    """Attach a number before a noun; after it, it tells which one is meant: "chapter 1"."""
    words, graph = draft.words, draft.graph
    number = words.number(link.word)
    if number is None:
        graph.edge(link.core, "quant", graph.node(words.lemma[link.word]))
        return
    about = [c for c in words.below(link.word, "advmod", "case") if words.lower[c] != "of"]
    if about:
        least = words.lower[about[0]] == "least"
        node = graph.node("at-least" if least else words.lemma[about[0]])
        graph.value(node, "op1", number)
        graph.edge(link.core, "quant", node)
    else:
        graph.value(link.core, "mod" if link.word > link.head else "quant", number)


def attach_possessor(draft: Draft, link: Link) -> None:
    """Attach an owner: "my", "the man's"."""
    owner = node_of(draft, link.word)
    if draft.is_frame(link.core):
        role = draft.argument(link.core, "poss", "ARG0")
    else:
        role = "part-of" if draft.words.lemma[link.head] in tables.BODY_PARTS else "poss"
    draft.graph.edge(link.core, role, owner)


def attach_compound(draft: Draft, link: Link) -> None:
    """Attach the first noun of a compound; a particle says nothing more."""
    words = draft.words
    if words.relation[link.word] == "compound:prt":
        return
    node = node_of(draft, link.word)
    first, noun = words.lemma[link.word], words.lemma[link.head]
    if draft.is_frame(link.core):
        role = draft.argument(link.core, "compound", "mod")
    elif first in tables.MATERIALS:
        role = "consist-of"
    elif noun in tables.BODY_PARTS and first not in tables.BODY_PARTS:
        role = "part-of"
    else:
        role = "mod"
    draft.graph.edge(link.core, role, node)


def attach_apposition(draft: Draft, link: Link) -> None:
    """A second name gives the first noun its name; another noun says what it is."""
    graph = draft.graph
    node = node_of(draft, link.word)
    name = graph.target(node, "name")
    if name is not None and not graph.has(link.core, "name"):
        graph.edge(link.core, "name", name)
    else:
        graph.edge(link.core, "mod", node)


def attach_flat(draft: Draft, link: Link) -> None:
    """Attach a further part of what is no name."""
    number = draft.words.number(link.word)
    if number is None:
        draft.graph.edge(link.core, "mod", node_of(draft, link.word))
    else:
        draft.graph.value(link.core, "mod", number)


def attach_interjection(draft: Draft, link: Link) -> None:
    """Attach a word that is called out beside what is said: "oh"."""
    words, graph = draft.words, draft.graph
    node = graph.node(words.lemma[link.word])
    if words.lower[link.word] in tables.DISCOURSE:
        graph.value(node, "mode", "expressive")
    graph.edge(link.core, "mod", node)


def attach_aside(draft: Draft, link: Link) -> None:
    """Attach an interjection; what else is said aside belongs to the sentence."""
    if draft.words.pos(link.word) == "INTJ":
        attach_interjection(draft, link)


def attach_modifier(draft: Draft, link: Link) -> None:
    """Attach what hangs from a noun in a relation of which nothing is known."""
    if draft.words.pos(link.word) == "INTJ":
        attach_interjection(draft, link)
    else:
        draft.graph.edge(link.core, "mod", node_of(draft, link.word))
