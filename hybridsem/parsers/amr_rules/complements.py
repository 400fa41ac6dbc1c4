"""Objects, complements and adverbial clauses of predicates as AMR."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.clauses import clause_with_conjuncts
from hybridsem.parsers.amr_rules.draft import Draft, Gap, Link
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.qualities import quality
from hybridsem.parsers.amr_rules.words import Words

__all__ = [
    "attach_addressee",
    "attach_adverbial_clause",
    "attach_clausal_complement",
    "attach_object",
    "attach_open_complement",
    "attach_other",
    "attach_stray_subject",
]

INTRODUCING = frozenset({"mark", "advmod", "case"})

# --- objects


def attach_object(draft: Draft, link: Link) -> None:
    """Attach an object or indirect object."""
    words, c, core = draft.words, link.word, link.core
    base = words.base[c]
    raised = words.lemma[link.head] in tables.RAISING
    if raised and any(d > c for d in words.below(link.head, "xcomp")):
        return  # it is the subject of the complement
    if _is_reciprocal(words, c):
        subject = draft.subject(core)
        if subject is not None:
            draft.graph.edge(core, draft.argument(core, base, "ARG1"), subject)
            return
    role = draft.argument(core, base, "ARG1" if base == "obj" else "ARG2")
    if draft.graph.concepts[core] == "play-11" and words.lemma[c] in tables.MUSICAL:
        role = "ARG2"
    draft.graph.edge(core, role, node_of(draft, c))


def _is_reciprocal(words: Words, i: int) -> bool:
    """Whether a word is "each other", whichever of the two heads it."""
    return words.lower[i] == "each" or (
        words.lemma[i] == "other" and i > 0 and words.lower[i - 1] == "each"
    )


# --- complements


def attach_clausal_complement(draft: Draft, link: Link) -> None:
    """Attach a clause with its own subject: "says that …", "knows who …"."""
    words, graph, c = draft.words, draft.graph, link.word
    role = draft.argument(link.core, "ccomp", "ARG1")
    node = node_of(draft, c)
    asked = _asked_for(words, c)
    if asked is not None and asked in draft.core and not words.children(asked):
        node = draft.core[asked]
        graph.concepts[node] = "thing" if words.lower[asked] == "what" else "person"
    if any(words.lower[d] in ("whether", "if") for d in words.below(c, "mark")):
        node_asked, node = node, graph.node("truth-value")
        graph.edge(node, "polarity-of", node_asked)
    graph.edge(link.core, role, node)


def _asked_for(words: Words, clause: int) -> int | None:
    """The word for what an indirect question asks for."""
    candidates = words.below(clause, "nsubj", "obj")
    return next((c for c in candidates if words.lower[c] in ("what", "who", "whom")), None)


def attach_open_complement(draft: Draft, link: Link) -> None:
    """Attach a complement whose subject is the object above it, or the subject."""
    words, c = draft.words, link.word
    role = draft.argument(link.core, words.place(link.head, c) or "xcomp", "ARG1")
    subject = _controller(draft, link)
    draft.used.add(c)
    if words.pos(c) in ("VERB", "AUX") or words.has(c, "cop"):
        node = clause_with_conjuncts(draft, c, subject=subject)
    elif words.pos(c) == "ADJ":
        node = quality(draft, c, subject, predicated=True)
    else:
        node = node_of(draft, c)
    draft.graph.edge(link.core, role, node)


def _controller(draft: Draft, link: Link) -> int | None:
    """The node of the subject of an open complement; an object is built for it."""
    words = draft.words
    objects = words.below(link.head, "obj", "iobj")
    if objects and objects[0] < link.word:
        return node_of(draft, objects[0])
    word = words.subject_of(link.head)
    if word in objects:
        return node_of(draft, word)
    subject = None if word is None else draft.top.get(word)
    return draft.subject(link.core) if subject is None and not objects else subject


# --- adverbial clauses


def attach_adverbial_clause(draft: Draft, link: Link) -> None:
    """Attach a clause by what introduces it: "when", "because", "to"."""
    words, graph, c = draft.words, draft.graph, link.word
    before = [d for d in words.children(c) if d < c and words.base[d] in INTRODUCING]
    introducing = [words.lower[d] for d in before]
    mark = next((word for word in introducing if word in tables.MARKS), "")
    place = words.place(link.head, c)
    argument = draft.listed_argument(link.core, place) if place and mark != "to" else None
    draft.used.update(d for d in words.below(c, "advmod") if words.lower[d] == mark)
    draft.used.add(c)
    subject = None if words.has(c, "nsubj") else draft.subject(link.core)
    node = _adverbial_clause(draft, c, mark, subject)
    if argument is not None:
        graph.edge(link.core, argument, node)
        return
    if not introducing and subject is not None and words.pos(c) == "VERB":
        return  # "sits on a couch, reading": the one who sits is the one who reads
    _attach_by_mark(draft, link, introducing, node)


def _adverbial_clause(draft: Draft, i: int, mark: str, subject: int | None) -> int:
    """The node of an adverbial clause that may share the subject of the one above it."""
    words = draft.words
    if words.pos(i) not in ("VERB", "AUX") and not words.is_predicate(i):
        draft.used.discard(i)
        return node_of(draft, i)
    gap = None
    if subject is not None and not mark and words.is_passive(i, True):
        gap = Gap(subject, "obj")  # "seen from above, …"
    return clause_with_conjuncts(draft, i, gap, subject)


def _attach_by_mark(draft: Draft, link: Link, introducing: list[str], node: int) -> None:
    mark = next((word for word in introducing if word in tables.MARKS), "")
    default = "mod" if introducing else "manner"
    role, _, concept = tables.MARKS.get(mark, default).partition("/")
    if mark == "so" and "that" not in introducing:
        role = "purpose"
    if concept:
        node = draft.put_above(node, concept)
    if role == "cause":
        draft.put_cause(link.core, node)
        return
    if mark in ("unless", "without"):
        draft.graph.value(node, "polarity", "-")
    draft.graph.edge(link.core, role, node)


# --- other relations


def attach_addressee(draft: Draft, link: Link) -> None:
    """Attach who is spoken to: "Anna, come!"."""
    saying = draft.put_above(link.core, "say-01", "ARG1")
    draft.graph.edge(saying, "ARG2", node_of(draft, link.word))


def attach_stray_subject(draft: Draft, link: Link) -> None:
    """Attach a subject that no clause has taken."""
    draft.graph.edge(link.core, "domain", node_of(draft, link.word))


def attach_other(draft: Draft, link: Link) -> None:
    """Attach what hangs from a predicate in a relation of which nothing is known."""
    if draft.words.is_content(link.word):
        draft.graph.edge(link.core, "mod", node_of(draft, link.word))
