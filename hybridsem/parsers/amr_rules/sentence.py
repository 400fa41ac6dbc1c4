"""Sentences as AMR: the root with what is said beside it, how it begins, and questions."""

from __future__ import annotations

from dataclasses import replace

from hybridsem.amr import AmrGraph
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft
from hybridsem.parsers.amr_rules.frames import Frames
from hybridsem.parsers.amr_rules.grammar import GRAMMAR
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.words import Words
from hybridsem.structures import DependencyTree

__all__ = ["sentence_graph"]


def sentence_graph(tree: DependencyTree, frames: Frames) -> AmrGraph:
    """The AMR graph of a tree."""
    draft = Draft(tree, frames, GRAMMAR)
    top = _add_asides(draft, node_of(draft, tree.root))
    top = _add_inference(draft, top)
    top = _add_conjunction(draft, top)
    _mark_question(draft, top)
    graph = draft.graph.finish(top, tree.text)
    return replace(graph, truncated=True) if tree.truncated else graph


def _add_asides(draft: Draft, top: int) -> int:
    """Add the clauses beside the root: who says it above it, others by "and"."""
    words, graph = draft.words, draft.graph
    beside = words.below(words.root, "parataxis", "list")
    parts = []
    for c in [c for c in beside if c not in draft.used]:
        if _is_saying(words, c):
            saying = node_of(draft, c)
            graph.edge(draft.core[c], "ARG1", top)
            top = saying
        elif words.is_content(c):
            parts.append(node_of(draft, c))
    if not parts:
        return top
    above = graph.node("and")
    for n, part in enumerate([top, *parts], start=1):
        graph.edge(above, f"op{n}", part)
    return above


def _is_saying(words: Words, i: int) -> bool:
    """Whether an aside says who says the rest: "…, he said"."""
    speaks = words.lemma[i] in tables.SPEECH and words.has(i, "nsubj")
    return speaks and not words.below(i, "obj", "ccomp")


def _add_inference(draft: Draft, top: int) -> int:
    """Add what ``So …`` at the start of the sentence says."""
    words = draft.words
    inferred = any(words.opens(c) for c in words.below(words.root, "advmod", "cc", "mark"))
    return draft.put_above(top, "cause-01", "ARG1") if inferred else top


def _add_conjunction(draft: Draft, top: int) -> int:
    """Add what ``But …`` or ``And …`` at the start of the sentence says."""
    words = draft.words
    for c in words.below(words.root, "cc"):
        concept = tables.CONJUNCTIONS.get(words.lower[c], "or")
        first = c < words.root and all(words.pos(t) == "PUNCT" for t in range(c))
        if first and concept != "or":
            role = "ARG2" if concept == "contrast-01" else "op2"
            return draft.put_above(top, concept, role)
    return top


def _mark_question(draft: Draft, top: int) -> None:
    """Mark a yes-or-no question: the verb before the subject, and no word that asks."""
    words, graph = draft.words, draft.graph
    root = words.root
    if not words.is_asked() or UNKNOWN in graph.concepts:
        return
    subject = words.relation_of(root, "nsubj")
    verbs = words.below(root, "aux", "cop")
    if subject is None or not verbs or verbs[0] > subject:
        return
    if any(words.is_negator(c) for c in words.children(root)):
        draft.put_above(top, "request-confirmation-91", "ARG1")
    else:
        graph.edge(top, "polarity", graph.node(UNKNOWN))
