"""Clauses as AMR: a predicate or copula with its subject and modality."""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.adjectives import adjective_node
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft, Gap, Link
from hybridsem.parsers.amr_rules.entities import entity
from hybridsem.parsers.amr_rules.nouns import attach_all_to_noun, attach_to_noun, under
from hybridsem.parsers.amr_rules.words import Words


def _add_modality(
    draft: Draft, i: int, core: int, top: int | None = None, below: Sequence[int] | None = None
) -> int:
    """Put modality and negation above the predicate ``i``; return the node of the clause. ``core``
    is the predicate's node, ``top`` the node above it if there is one already, ``below`` the
    dependents with its auxiliaries and negators.
    """
    words, graph = draft.words, draft.graph
    top = core if top is None else top
    below = words.children(i) if below is None else below
    auxiliaries = [words.lower[c] for c in below if words.base[c] == "aux"]
    modal = next((tables.MODALS[aux] for aux in auxiliaries if aux in tables.MODALS), None)
    carrier = core
    if modal is not None:
        concept, role = modal
        top = draft.put_above(top, concept, role)
        if concept == "possible-01":
            carrier = top
    negators = [words.lower[c] for c in below if words.is_negator(c)]
    if negators:
        graph.value(carrier, "polarity", "-")
        if "never" in negators:
            graph.edge(core, "time", graph.node("ever"))
    if "let" in auxiliaries:
        graph.value(top, "mode", "imperative")
    draft.top[i] = top
    return top


LOCATED = ("be-located-at-91", "ARG1", "ARG2")
SUBJECTS_AND_COPULAS = frozenset({"nsubj", "csubj", "cop"})
INSIDE_NOUNS = frozenset({"det", "amod", "nummod", "nmod", "compound", "acl", "flat"})
BESIDE_COPULAS = frozenset({"obl", "advmod", "advcl", "ccomp", "parataxis", "vocative"})
COMPARING = frozenset({"more", "most", "less", "as", "too"})  # read with the adjective


def _predicative(draft: Draft, i: int, subject: int | None) -> int:
    """Build the complement of a copula, or the subject of a clause without a verb."""
    words, graph = draft.words, draft.graph
    rest = [c for c in words.children(i) if words.base[c] not in SUBJECTS_AND_COPULAS]
    preposition = words.preposition(i)
    top = None
    if words.pos[i] == "ADJ":  # "the box is heavy"
        top = adjective_node(draft, i, subject, predicated=True)
        core = draft.core[i]
    elif words.pos[i] in ("ADV", "ADP") or words.lower[i] in ("here", "there", "where"):
        core = draft.new(i, LOCATED[0])
        if subject is not None:
            graph.edge(core, "ARG1", subject)
        place = UNKNOWN if words.is_wh(i) else draft.adverb_concept(i)
        graph.edge(core, "ARG2", graph.node(place))
    elif subject is not None and preposition and not words.has(i, "nmod:poss"):
        return _phrase(draft, i, subject, preposition, rest)
    elif subject is not None and words.is_wh(i):  # "what is the box?"
        graph.edge(subject, "domain", graph.node(UNKNOWN))
        core = draft.assign(i, subject)
    else:
        return _noun(draft, i, subject, rest)
    for c in rest:
        compares = words.base[c] == "advmod" and words.lower[c] in COMPARING
        if c not in draft.used and not compares:
            draft.attach_to_predicate(Link(c, i, core))
    return _add_modality(draft, i, core, top)


def _phrase(draft: Draft, i: int, subject: int, preposition: str, rest: list[int]) -> int:
    """``The cat is in the box.``"""
    words, graph = draft.words, draft.graph
    noun, used = entity(draft, i)
    draft.assign(i, noun)
    rest = [c for c in rest if c not in used]
    inside = [c for c in rest if words.base[c] in INSIDE_NOUNS]
    attach_all_to_noun(draft, (Link(c, i, noun) for c in inside), noun)
    concept, of_subject, of_noun = tables.PREDICATED.get(preposition, LOCATED)
    if words.is_time(i, preposition):
        concept = "be-temporally-at-91"
    core = draft.core[i] = draft.put_above(subject, concept, of_subject)
    graph.edge(core, of_noun, under(draft, preposition, noun))
    for c in rest:
        if c not in inside:
            draft.attach_to_predicate(Link(c, i, core))
    return _add_modality(draft, i, core)


def _noun(draft: Draft, i: int, subject: int | None, rest: list[int]) -> int:
    """``The man is a singer.``"""
    words = draft.words
    core, used = entity(draft, i)
    top = draft.assign(i, core)
    if subject is not None:
        draft.graph.edge(core, "domain", subject)
    for c in rest:
        if c in used or words.is_negator(c):
            continue
        if words.base[c] in BESIDE_COPULAS:
            draft.attach_to_predicate(Link(c, i, core))
        else:
            other = attach_to_noun(draft, Link(c, i, core))
            top = top if other is None else other
    return _add_modality(draft, i, core, top)


ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"})
COMMANDS = frozenset({"root", "conj", "parataxis", "ccomp"})


def clause(draft: Draft, i: int, gap: Gap | None = None, subject: int | None = None) -> int:
    """Return the node of the clause of a predicate; ``subject`` is that of one outside it."""
    words = draft.words
    if draft.is_deepest:
        return draft.new(i, words.lemma[i])
    with draft.deeper():
        inner = _content_verb(words, i)
        if inner is not None:
            return _auxiliary(draft, i, inner, gap, subject)
        if words.is_existential(i) and (thing := words.relation_of(i, "nsubj")) is not None:
            return _existential(draft, i, thing)
        verbal = words.pos[i] == "VERB" or (words.pos[i] == "AUX" and not words.has(i, "cop"))
        passive = verbal and words.is_passive(i, False)
        if gap is not None and gap.place == "obj" and not words.has(i, "nsubj"):
            passive = True
        if not verbal:
            return _predicative(draft, i, _subject(draft, i, gap, subject, passive))
        return _verbal(draft, i, gap, subject, passive)


def _verbal(draft: Draft, i: int, gap: Gap | None, subject: int | None, passive: bool) -> int:
    """Return the node of a clause with a full verb, or with a light one ("made a decision")."""
    words, graph = draft.words, draft.graph
    objects = () if words.is_passive(i, False) else words.below(i, "obj")
    listed = (c for c in objects if f"{words.lemma[i]} {words.lemma[c]}" in draft.frames.light)
    single = (c for c in listed if not words.has(c, "conj"))
    light = next((c for c in single if draft.noun_concept(c)[-2:].isdigit()), None)
    if light is None:
        core = draft.verb_node(i, passive)
    else:
        draft.used.add(light)
        core = draft.assign(i, draft.new(light, draft.noun_concept(light)))
    subjects, given = words.below(i, "nsubj", "csubj"), _subject(draft, i, gap, subject, passive)
    active = "subj" if words.has(i, "obj", "ccomp", "xcomp") else "subj0"
    place = "obj" if passive else active
    place = words.place(i, subjects[0], passive) if subjects else place
    if given is None and _is_imperative(draft, i):
        given = draft.person("you")
        graph.value(core, "mode", "imperative")
    if given is not None:
        graph.edge(core, draft.argument(core, place, "ARG0"), given)
    if gap is not None and gap.place == "obj" and not passive:
        graph.edge(core, draft.argument(core, "obj", "ARG1"), gap.node)
    for c in words.children(i):
        if words.base[c] not in ("nsubj", "csubj") and c != light:
            draft.attach_to_predicate(Link(c, i, core, passive))
    if light is not None:
        attach_all_to_noun(draft, (Link(c, light, core) for c in words.children(light)), core)
    return _add_modality(draft, i, core)


def _subject(
    draft: Draft, i: int, gap: Gap | None, subject: int | None, passive: bool
) -> int | None:
    """Return the node of the subject: its own, the modified noun, or a shared one. In "it is hard
    to swim" it is that of the clause.
    """
    words = draft.words
    subjects = words.below(i, "nsubj", "csubj")
    if not subjects:
        if gap is not None and (gap.place == "subj" or (gap.place == "obj" and passive)):
            return gap.node
        return draft.known(words.subject_of(i)) if subject is None else subject
    found = subjects[0]
    if words.lower[found] == "it" and words.pos[i] in ("ADJ", "NOUN"):
        clauses = (c for c in words.below(i, "csubj", "ccomp", "xcomp", "advcl") if c > i)
        marks = ((c, [words.lower[d] for d in words.below(c, "mark")]) for c in clauses)
        found = next((c for c, some in marks if "to" in some or "that" in some), found)
    return draft.node_of(found)


def _is_imperative(draft: Draft, i: int) -> bool:
    words = draft.words
    if words.lower[i] != words.lemma[i] or words.base[i] not in COMMANDS:
        return False
    if words.base[i] == "conj":
        above = draft.core.get(words.heads[i])
        return above is not None and draft.graph.has(above, "mode")
    plain = all(words.lemma[c] == "do" for c in words.below(i, "aux"))
    return plain and not words.has(i, "mark", "expl")


def _content_verb(words: Words, i: int) -> int | None:
    """Return the complement of a modal or inchoative verb: "go" in "has to go"."""
    lemma, below = words.lemma[i], () if words.has(i, "obj") else words.below(i, "xcomp")
    modal = lemma in tables.MODAL_PREDICATES or lemma in tables.SILENT_VERBS
    for c in below:
        if modal and (words.has(c, "mark") or lemma == "gon"):
            return c
    for c in below if lemma in tables.INCHOATIVE else ():
        becomes = words.pos[c] == "ADJ" or words.is_participle(c, "ed")  # "gets excited"
        if becomes and not words.has(c, "mark"):
            return c
    return None


def _auxiliary(draft: Draft, i: int, inner: int, gap: Gap | None, subject: int | None) -> int:
    """``has to go`` as an obligation to go, ``is going to rain`` as raining."""
    words = draft.words
    subjects = words.below(i, "nsubj", "csubj")
    given = draft.node_of(subjects[0]) if subjects else subject
    if given is None and gap is not None:
        given, gap = gap.node, None
    if given is None and (word := words.subject_of(i)) is not None:
        given = draft.top.get(word)
    draft.used.add(inner)
    inchoative = words.lemma[i] in tables.INCHOATIVE and not words.has(inner, "mark")
    if given is not None and inchoative and words.pos[inner] == "VERB":
        gap = Gap(given, "obj")  # "gets broken"
    top = clause(draft, inner, gap, given)
    core = draft.core.get(inner, top)
    top = draft.coordinate(inner, top)
    below = [c for c in words.children(i) if c != inner and c not in subjects]
    for c in below:
        if words.base[c] not in ARGUMENTS:
            draft.attach_to_predicate(Link(c, i, core))
    modal = tables.MODAL_PREDICATES.get(words.lemma[i])
    if modal is not None:
        core = top = draft.put_above(top, *modal)
    draft.core[i] = core
    return _add_modality(draft, i, core, top, below)


def _existential(draft: Draft, i: int, subject: int) -> int:
    """``there is a dog in the garden``: the dog, or its action."""
    words = draft.words
    doing = words.existing(i)
    rest = [c for c in words.children(i) if c not in (subject, doing)]
    if doing is not None and doing in words.subtree(subject):
        draft.apart = doing
        node = draft.node_of(subject)
        draft.apart = None
    else:
        node = draft.node_of(subject)
    if doing is None:
        draft.core[i], core = draft.core.get(subject, node), node
        rest = [c for c in rest if not words.is_negator(c)]
    else:
        draft.used.add(doing)
        place = "obj" if words.is_passive(doing, True) else "subj"
        top = draft.coordinate(doing, clause(draft, doing, Gap(node, place)))
        core = draft.core[i] = draft.core[doing]
    for c in rest:
        draft.attach_to_predicate(Link(c, i, core))
    return _add_modality(draft, i, core) if doing is None else top
