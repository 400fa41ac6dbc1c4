"""Copulas as AMR: what is said of a subject without a verb of its own."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.concepts import adverb_concept
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft, Link
from hybridsem.parsers.amr_rules.entities import entity
from hybridsem.parsers.amr_rules.modality import put_modality_above
from hybridsem.parsers.amr_rules.nouns import attach_all_to_noun, attach_to_noun
from hybridsem.parsers.amr_rules.phrases import attach_to_predicate
from hybridsem.parsers.amr_rules.prepositions import under
from hybridsem.parsers.amr_rules.qualities import quality

__all__ = ["predicative"]

LOCATED = ("be-located-at-91", "ARG1", "ARG2")
INSIDE_NOUNS = frozenset({"det", "amod", "nummod", "nmod", "compound", "acl", "flat"})
BESIDE_COPULAS = frozenset({"obl", "advmod", "advcl", "ccomp", "parataxis", "vocative"})
COMPARING = frozenset({"more", "most", "less", "as", "too"})  # read with the adjective


def predicative(draft: Draft, i: int, subject: int | None) -> int:
    """What a copula says of its subject, or the subject of a clause without a verb."""
    words = draft.words
    if words.pos(i) == "ADJ":
        return _adjective(draft, i, subject)
    if words.pos(i) in ("ADV", "ADP") or words.lower[i] in ("here", "there", "where"):
        return _adverb(draft, i, subject)
    if subject is not None:
        preposition = words.preposition(i)
        if preposition and not words.has(i, "nmod:poss"):
            return _phrase(draft, i, subject, preposition)
        if words.is_wh(i):
            return _asked(draft, i, subject)
    return _noun(draft, i, subject)


def _rest(draft: Draft, i: int) -> list[int]:
    """What hangs from a predicative but its subject and copula."""
    base = draft.words.base
    return [c for c in draft.words.children(i) if base[c] not in ("nsubj", "csubj", "cop")]


def _attach_rest(draft: Draft, i: int, core: int) -> None:
    """Attach what hangs from a predicative but its subject, copula and what compares it."""
    words = draft.words
    for c in _rest(draft, i):
        compares = words.base[c] == "advmod" and words.lower[c] in COMPARING
        if c not in draft.used and not compares:
            attach_to_predicate(draft, Link(c, i, core))


def _adjective(draft: Draft, i: int, subject: int | None) -> int:
    """``The box is heavy.``"""
    top = quality(draft, i, subject, predicated=True)
    core = draft.core[i]
    _attach_rest(draft, i, core)
    return put_modality_above(draft, i, draft.words.children(i), core, top)


def _adverb(draft: Draft, i: int, subject: int | None) -> int:
    """``The box is here.``"""
    graph = draft.graph
    core = draft.new(i, "be-located-at-91")
    if subject is not None:
        graph.edge(core, "ARG1", subject)
    place = UNKNOWN if draft.words.is_wh(i) else adverb_concept(draft, i)
    graph.edge(core, "ARG2", graph.node(place))
    _attach_rest(draft, i, core)
    return put_modality_above(draft, i, draft.words.children(i), core)


def _asked(draft: Draft, i: int, subject: int) -> int:
    """``What is the box?``"""
    draft.graph.edge(subject, "domain", draft.graph.node(UNKNOWN))
    draft.assign(i, subject)
    _attach_rest(draft, i, subject)
    return put_modality_above(draft, i, draft.words.children(i), subject)


def _phrase(draft: Draft, i: int, subject: int, preposition: str) -> int:
    """``The cat is in the box.``"""
    words, graph = draft.words, draft.graph
    noun, used = entity(draft, i)
    draft.assign(i, noun)
    rest = [c for c in _rest(draft, i) if c not in used]
    attach_all_to_noun(draft, i, noun, (c for c in rest if words.base[c] in INSIDE_NOUNS))
    concept, of_subject, of_noun = tables.PREDICATED.get(preposition, LOCATED)
    if words.is_time(i, preposition):
        concept = "be-temporally-at-91"
    core = graph.node(concept)
    graph.edge(core, of_subject, subject)
    graph.edge(core, of_noun, under(draft, preposition, noun))
    draft.core[i] = core
    for c in rest:
        if words.base[c] not in INSIDE_NOUNS:
            attach_to_predicate(draft, Link(c, i, core))
    return put_modality_above(draft, i, words.children(i), core)


def _noun(draft: Draft, i: int, subject: int | None) -> int:
    """``The man is a singer.``"""
    words = draft.words
    core, used = entity(draft, i)
    top = draft.assign(i, core)
    if subject is not None:
        draft.graph.edge(core, "domain", subject)
    for c in _rest(draft, i):
        if c in used or words.is_negator(c):
            continue
        if words.base[c] in BESIDE_COPULAS:
            attach_to_predicate(draft, Link(c, i, core))
        else:
            other = attach_to_noun(draft, Link(c, i, core))
            top = top if other is None else other
    return put_modality_above(draft, i, words.children(i), core, top)
