"""AMR graphs from dependency trees (UD labels as in English EWT), by rules and tables of counts.

    "The dog that was bought barks."     (b / bark-01
                                            :ARG0 (d / dog
                                                  :ARG1-of (b2 / buy-01)))

Nothing is trained end to end and nothing is downloaded. ``parser.py`` builds a draft with functions
by part of speech and relation. Knowledge is in ``tables.toml``, and in ``hybridsem/data/amr.json``
with the frames of words. Every graph is connected and well formed, whatever the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hybridsem.amr import AmrGraph
from hybridsem.parsers.amr_rules import adjectives, complements, nouns, tables
from hybridsem.parsers.amr_rules.clauses import clause
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Attach, Draft, Grammar
from hybridsem.parsers.amr_rules.words import Frames, shipped
from hybridsem.parsers.base import TreeParser
from hybridsem.structures import DependencyTree, ParseFailure


def _build(draft: Draft, i: int) -> int:
    """Return the node of a phrase without its conjuncts."""
    words = draft.words
    pos = words.pos[i]
    if words.is_predicate(i) or (pos == "AUX" and words.lemma[i] in ("be", "do", "have")):
        return clause(draft, i)
    if pos == "ADJ" and words.lower[i] not in tables.PRONOUNS:
        return adjectives.adjective_node(draft, i, None)
    if pos == "INTJ" or (pos in ("ADV", "ADP", "SCONJ") and not words.is_wh(i)):
        return adjectives.adverb_phrase(draft, i)
    return nouns.noun_phrase(draft, i)


# "dep" is for every relation that the table lacks.
BESIDE_NOUNS: Mapping[str, Attach] = {
    "acl": complements.attach_modifying_clause,
    "advmod": adjectives.attach_adverb,
    "amod": adjectives.attach_adjective,
    "appos": nouns.attach_apposition,
    "compound": nouns.attach_compound,
    "dep": nouns.attach_modifier,
    "det": nouns.attach_determiner,
    "discourse": nouns.attach_interjection,
    "flat": nouns.attach_flat,
    "nmod": nouns.attach_phrase_to_noun,
    "nmod:poss": nouns.attach_possessor,
    "nummod": nouns.attach_count,
    "obl": nouns.attach_phrase_to_noun,
}
BESIDE_PREDICATES: Mapping[str, Attach] = {
    "acl": complements.attach_modifying_clause,
    "advcl": complements.attach_adverbial_clause,
    "advmod": adjectives.attach_adverb,
    "ccomp": complements.attach_clausal_complement,
    "dep": complements.attach_other,
    "discourse": nouns.attach_interjection,
    "iobj": complements.attach_object,
    "nmod": complements.attach_oblique,
    "nummod": complements.attach_oblique,
    "obj": complements.attach_object,
    "obl": complements.attach_oblique,
    "xcomp": complements.attach_open_complement,
    **dict.fromkeys(("list", "parataxis", "reparandum"), lambda draft, link: None),
}
CLOSING = frozenset({'"', "'", "''", "”", "’", ")"})
GRAMMAR = Grammar(_build, BESIDE_NOUNS, BESIDE_PREDICATES)


def graph_of(tree: DependencyTree, frames: Frames | None = None) -> AmrGraph:
    """Return the AMR graph of a UD tree, with the shipped ``frames`` of words by default."""
    frames = shipped() if frames is None else frames
    draft = Draft(tree, frames, GRAMMAR)
    top = _add_asides(draft, draft.node_of(tree.root))
    top = _add_connective(draft, top)
    _mark_question(draft, top)
    graph = draft.graph.finish(top, tree.text)
    return replace(graph, truncated=True) if tree.truncated else graph


def _add_asides(draft: Draft, top: int) -> int:
    """Add the clauses next to the root: "…, he said" above it, others by "and"."""
    words, graph = draft.words, draft.graph
    beside = words.below(words.tree.root, "parataxis", "list")
    parts = [top]
    for c in [c for c in beside if c not in draft.used]:
        speaks = words.lemma[c] in tables.SPEECH and words.has(c, "nsubj")
        if speaks and not words.below(c, "obj", "ccomp"):
            saying = draft.node_of(c)
            graph.edge(draft.core[c], "ARG1", parts[0])
            parts[0] = saying
        elif words.is_content(c):
            parts.append(draft.node_of(c))
    if len(parts) == 1:
        return parts[0]
    above = graph.node("and")
    for n, part in enumerate(parts, start=1):
        graph.edge(above, f"op{n}", part)
    return above


def _add_connective(draft: Draft, top: int) -> int:
    """Add ``So …``, ``But …`` or ``And …`` at the start of the sentence."""
    words = draft.words
    if any(words.opens(c) for c in words.below(words.tree.root, "advmod", "cc", "mark")):
        top = draft.put_above(top, "cause-01", "ARG1")
    for c in words.below(words.tree.root, "cc"):
        concept = tables.CONJUNCTIONS.get(words.lower[c], "or")
        first = c < words.tree.root and all(words.pos[t] == "PUNCT" for t in range(c))
        if first and concept != "or":
            role = "ARG2" if concept == "contrast-01" else "op2"
            return draft.put_above(top, concept, role)
    return top


def _mark_question(draft: Draft, top: int) -> None:
    """Mark a yes-or-no question: the verb before the subject, and no question word."""
    words, graph = draft.words, draft.graph
    root = words.tree.root
    last = next((t.text for t in reversed(words.tokens) if t.text not in CLOSING), "")
    if not last.endswith("?") or UNKNOWN in graph.concepts:
        return
    subject = words.relation_of(root, "nsubj")
    verbs = words.below(root, "aux", "cop")
    if subject is None or not verbs or verbs[0] > subject:
        return
    if any(words.is_negator(c) for c in words.children(root)):
        draft.put_above(top, "request-confirmation-91", "ARG1")
    else:
        graph.edge(top, "polarity", graph.node(UNKNOWN))


class EmbeddedAmr:
    """A parser to AMR graphs over ``trees``, a tree parser with UD's relations.

    >>> from hybridsem.registry import parser
    >>> (found,) = parser("embedded", "amr").parse(["A dog barked."])
    >>> found.graph.to_penman(metadata=False, indent=None)
    '(b / bark-01 :ARG0 (d / dog))'
    """

    def __init__(self, trees: TreeParser) -> None:
        self.tree_parser = trees

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """Return a graph, or the tree parser's :class:`ParseFailure`, for each sentence."""
        return self.read(self.tree_parser.trees(sentences))

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[AmrGraph | ParseFailure]:
        """Return the graphs of trees."""
        return [tree if isinstance(tree, ParseFailure) else graph_of(tree) for tree in trees]
