"""Clauses that modify nouns as AMR: relative clauses, participles and infinitives."""

from __future__ import annotations

from hybridsem.parsers.amr_rules.clauses import clause
from hybridsem.parsers.amr_rules.draft import Draft, Gap, Link
from hybridsem.parsers.amr_rules.phrases import build, coordinate, node_of
from hybridsem.parsers.amr_rules.qualities import quality

__all__ = ["attach_modifying_clause"]

RELATIVE_ADVERBS = {"where": "location", "when": "time", "why": "ARG1"}
ROLES_BY_MARK = {"to": "purpose", "that": "topic"}


def attach_modifying_clause(draft: Draft, link: Link) -> None:
    """Attach a clause that says something about a noun."""
    words, i = draft.words, link.word
    if draft.is_left_out(i):
        return
    draft.used.add(i)
    if words.relation[i] == "acl:relcl":
        _attach_relative_clause(draft, link)
    elif words.pos(i) in ("VERB", "ADJ") and not words.has(i, "mark"):
        _attach_participle(draft, link)
    else:
        _attach_marked_clause(draft, link)


def _attach_relative_clause(draft: Draft, link: Link) -> None:
    words, i = draft.words, link.word
    pronouns = [t for t in words.subtree(i) if t < i and words.is_relative_pronoun(t)]
    adverbs = [c for c in words.below(i, "advmod") if words.lower[c] in RELATIVE_ADVERBS]
    if pronouns:
        _attach_with_pronoun(draft, link, pronouns[0])
    elif adverbs:
        draft.used.add(adverbs[0])
        top = _clause_about(draft, i, None)
        draft.graph.edge(top, RELATIVE_ADVERBS[words.lower[adverbs[0]]], link.core)
    elif not words.has(i, "nsubj"):
        _clause_about(draft, i, Gap(link.core, "subj"))
    elif not words.has(i, "obj"):
        _clause_about(draft, i, Gap(link.core, "obj"))
    else:
        _attach_stranded(draft, link)


def _attach_with_pronoun(draft: Draft, link: Link, pronoun: int) -> None:
    """``the dog that barks``: the pronoun has the node of the noun."""
    words, i = draft.words, link.word
    draft.assign(pronoun, link.core)
    _clause_about(draft, i, None)
    if words.lower[pronoun] == "whose" and words.tokens[pronoun].head == i:
        draft.graph.edge(draft.core[i], "poss", link.core)


def _attach_stranded(draft: Draft, link: Link) -> None:
    """``the house we built them in``: a clause with subject and object, by its last preposition."""
    words, i = draft.words, link.word
    _clause_about(draft, i, None)
    stranded = (c for c in words.below(i, "obl", "obj", "advmod") if words.pos(c) == "ADP")
    place = next((words.lower[c] for c in stranded), "")
    core = draft.core[i]
    draft.graph.edge(core, draft.argument(core, place, "location"), link.core)


def _attach_participle(draft: Draft, link: Link) -> None:
    """``a man sitting``, ``a man seen``, or an adjective after its noun."""
    words, i = draft.words, link.word
    if words.pos(i) == "ADJ":
        quality(draft, i, link.core)
        return
    active = words.is_participle(i, "ing") or words.has(i, "nsubj") or not words.is_passive(i, True)
    _clause_about(draft, i, Gap(link.core, "subj" if active else "obj"))


def _attach_marked_clause(draft: Draft, link: Link) -> None:
    """``the decision to go``, ``the news that he went``."""
    words, i, core = draft.words, link.word, link.core
    top = _clause_about(draft, i, None)
    mark = words.relation_of(i, "mark")
    role = None
    if draft.is_frame(core):
        default = None if mark is None else "ARG1"
        role = draft.listed_argument(core, words.place(link.head, i)) or default
    elif mark is not None:
        role = ROLES_BY_MARK.get(words.lower[mark])
    draft.graph.edge(core, role or "mod", top)


def _clause_about(draft: Draft, i: int, gap: Gap | None) -> int:
    """A clause and what is coordinated with it, all about the same noun."""
    words = draft.words
    if draft.is_deepest:
        return node_of(draft, i)
    if words.is_predicate(i):
        top = clause(draft, i, gap)
    else:
        draft.used.discard(i)
        with draft.deeper():
            top = build(draft, i)
        if gap is not None:
            draft.graph.edge(gap.node, "mod", draft.core[i])
    for c in words.below(i, "conj") if gap is not None else ():
        if words.pos(c) == "VERB" and not words.has(c, "nsubj") and c not in draft.top:
            draft.used.add(c)
            _clause_about(draft, c, gap)
    draft.top[i] = top = coordinate(draft, i, top)
    return top
