"""The way from a word to the function for its phrase: what every kind of phrase builds on."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import SILENT, Draft, Link

__all__ = ["attach_to_predicate", "build", "coordinate", "node_of"]


def node_of(draft: Draft, i: int) -> int:
    """The node of the phrase of a word, with what is coordinated with it; built if need be."""
    if i in draft.top:
        return draft.top[i]
    draft.used.add(i)
    if draft.is_deepest:
        return draft.new(i, draft.words.lemma[i])
    with draft.deeper():
        draft.top[i] = coordinate(draft, i, build(draft, i))
    return draft.top[i]


def build(draft: Draft, i: int) -> int:
    """The node of a phrase without what is coordinated with it."""
    return draft.grammar.build(draft, i)


def coordinate(draft: Draft, i: int, first: int) -> int:
    """The node above ``first``, the phrase of ``i``, and the phrases coordinated with it."""
    words, graph = draft.words, draft.graph
    others = [c for c in words.below(i, "conj") if c not in draft.top and words.is_content(c)]
    if not others:
        return first
    concept = "and"
    for c in (*others, i):
        for conjunction in words.below(c, "cc"):
            concept = tables.CONJUNCTIONS.get(words.lower[conjunction], concept)
    if concept == "contrast-01" and len(others) > 1:
        concept = "and"
    above = draft.top[i] = graph.node(concept)
    role = "ARG" if concept == "contrast-01" else "op"
    graph.edge(above, f"{role}1", first)
    for n, c in enumerate(others, start=2):
        graph.edge(above, f"{role}{n}", node_of(draft, c))
    return above


def attach_to_predicate(draft: Draft, link: Link) -> None:
    """Attach a dependent of a verb or another predicate."""
    words, c = draft.words, link.word
    base = words.base[c]
    if c in draft.used and base not in ("obj", "iobj"):
        return
    if base in SILENT or words.relation[c] == "compound:prt" or words.is_negator(c):
        return
    table = draft.grammar.beside_predicates
    attach = table.get(base) or table["dep"]
    attach(draft, link)
