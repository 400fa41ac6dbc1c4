"""Dependents of predicates as AMR: objects, complements, clauses, phrases."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.adjectives import adjective_node
from hybridsem.parsers.amr_rules.clauses import clause
from hybridsem.parsers.amr_rules.draft import Draft, Gap, Link
from hybridsem.parsers.amr_rules.nouns import governed
from hybridsem.parsers.verbnet import tables as english

INTRODUCING = frozenset({"mark", "advmod", "case"})


def attach_object(draft: Draft, link: Link) -> None:
    """Attach an object or indirect object; "each other" is the subject."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    base, raised = words.base[c], words.lemma[link.head] in tables.RAISING
    if raised and any(d > c for d in words.below(link.head, "xcomp")):
        return  # it is the subject of the complement
    role = draft.argument(core, base, "ARG1" if base == "obj" else "ARG2")
    before = words.lower[c - 1] if c and words.lemma[c] == "other" else ""
    subject = draft.subject(core) if "each" in (words.lower[c], before) else None
    if subject is not None:
        graph.edge(core, draft.argument(core, base, "ARG1"), subject)
        return
    if graph.concepts[core] == "play-11" and words.lemma[c] in tables.MUSICAL:
        role = "ARG2"
    graph.edge(core, role, draft.node_of(c))


def attach_clausal_complement(draft: Draft, link: Link) -> None:
    """Attach a clause with its own subject: "says that …", "knows who …"."""
    words, graph, c = draft.words, draft.graph, link.word
    role = draft.argument(link.core, "ccomp", "ARG1")
    node = draft.node_of(c)
    inside = words.below(c, "nsubj", "obj")
    asked = next((d for d in inside if words.lower[d] in ("what", "who", "whom")), None)
    if asked is not None and asked in draft.core and not words.children(asked):
        node = draft.core[asked]
        graph.concepts[node] = "thing" if words.lower[asked] == "what" else "person"
    if any(words.lower[d] in ("whether", "if") for d in words.below(c, "mark")):
        node_asked, node = node, graph.node("truth-value")
        graph.edge(node, "polarity-of", node_asked)
    graph.edge(link.core, role, node)


def attach_open_complement(draft: Draft, link: Link) -> None:
    """Attach a complement whose subject is the object or subject of its governor."""
    words, c = draft.words, link.word
    role = draft.argument(link.core, words.place(link.head, c) or "xcomp", "ARG1")
    objects, word = words.below(link.head, "obj", "iobj"), words.subject_of(link.head)
    first = objects[0] if objects and objects[0] < c else word
    if first is not None and first in objects:
        subject: int | None = draft.node_of(first)
    else:
        subject = None if word is None else draft.top.get(word)
        subject = draft.subject(link.core) if subject is None and not objects else subject
    draft.used.add(c)
    if words.pos[c] in ("VERB", "AUX") or words.has(c, "cop"):
        node = draft.coordinate(c, clause(draft, c, subject=subject))
    elif words.pos[c] == "ADJ":
        node = adjective_node(draft, c, subject, predicated=True)
    else:
        node = draft.node_of(c)
    draft.graph.edge(link.core, role, node)


def attach_adverbial_clause(draft: Draft, link: Link) -> None:
    """Attach a clause by its subordinator: "when", "because", "to"."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    before = [d for d in words.children(c) if d < c and words.base[d] in INTRODUCING]
    introducing = [words.lower[d] for d in before]
    mark = next((word for word in introducing if word in tables.MARKS), "")
    place = words.place(link.head, c)
    argument = draft.listed_argument(core, place) if place and mark != "to" else None
    draft.used.update(d for d in words.below(c, "advmod") if words.lower[d] == mark)
    subject = None if words.has(c, "nsubj") else draft.subject(core)
    if words.pos[c] not in ("VERB", "AUX") and not words.is_predicate(c):
        draft.used.discard(c)
        node = draft.node_of(c)
    else:
        draft.used.add(c)
        seen = subject is not None and not mark and words.is_passive(c, True)
        gap = Gap(subject, "obj") if subject is not None and seen else None  # "seen from above, …"
        node = draft.coordinate(c, clause(draft, c, gap, subject))
    if argument is not None:
        graph.edge(core, argument, node)
        return
    if not introducing and subject is not None and words.pos[c] == "VERB":
        return  # "sits on a couch, reading" has one subject
    role, _, concept = tables.MARKS.get(mark, "mod" if introducing else "manner").partition("/")
    if mark == "so" and "that" not in introducing:
        role = "purpose"
    if concept:
        node = draft.put_above(node, concept)
    _attach_circumstance(draft, core, role, node, denied=mark in ("unless", "without"))


def _attach_circumstance(draft: Draft, core: int, role: str, node: int, denied: bool) -> None:
    if role == "cause":
        draft.put_cause(core, node)
        return
    if denied:
        draft.graph.value(node, "polarity", "-")
    draft.graph.edge(core, role, node)


def attach_other(draft: Draft, link: Link) -> None:
    """Attach an addressee ("Anna, come!"), a stray subject, or any other dependent."""
    words, c, base = draft.words, link.word, draft.words.base[link.word]
    if base == "vocative":
        saying = draft.put_above(link.core, "say-01", "ARG1")
        draft.graph.edge(saying, "ARG2", draft.node_of(c))
    elif base in ("nsubj", "csubj"):
        draft.graph.edge(link.core, "domain", draft.node_of(c))
    elif words.is_content(c):
        draft.graph.edge(link.core, "mod", draft.node_of(c))


RELATIVE_PRONOUNS = frozenset({"who", "which", "that", "whom", "whose"})
RELATIVE_ADVERBS = {"where": "location", "when": "time", "why": "ARG1"}
ROLES_BY_MARK = {"to": "purpose", "that": "topic"}


def attach_modifying_clause(draft: Draft, link: Link) -> None:
    """Attach a clause that modifies a noun."""
    words, graph, i, core = draft.words, draft.graph, link.word, link.core
    if i == draft.apart:
        return
    draft.used.add(i)
    if words.relation[i] == "acl:relcl":
        _attach_relative_clause(draft, i, core)
    elif words.pos[i] in ("VERB", "ADJ") and not words.has(i, "mark"):
        if words.pos[i] == "ADJ":
            adjective_node(draft, i, core)
            return
        ing = words.is_participle(i, "ing")  # "a man sitting", "a man seen"
        active = ing or words.has(i, "nsubj") or not words.is_passive(i, True)
        _clause_about(draft, i, Gap(core, "subj" if active else "obj"))
    else:  # "the decision to go", "the news that he went"
        top = _clause_about(draft, i)
        mark = words.relation_of(i, "mark")
        role = None if mark is None else ROLES_BY_MARK.get(words.lower[mark])
        if draft.is_frame(core):
            role = draft.listed_argument(core, words.place(link.head, i))
            role = role or (None if mark is None else "ARG1")
        graph.edge(core, role or "mod", top)


def _attach_relative_clause(draft: Draft, i: int, core: int) -> None:
    words, graph = draft.words, draft.graph
    before = [t for t in words.subtree(i) if t < i and words.lower[t] in RELATIVE_PRONOUNS]
    plain = [t for t in before if words.pos[t] not in ("SCONJ", "ADP")]
    pronouns = [t for t in plain if all(words.base[c] == "case" for c in words.children(t))]
    adverbs = [c for c in words.below(i, "advmod") if words.lower[c] in RELATIVE_ADVERBS]
    if pronouns:  # "the dog that barks": the pronoun has the node of the noun
        pronoun = pronouns[0]
        draft.assign(pronoun, core)
        _clause_about(draft, i)
        if words.lower[pronoun] == "whose" and words.heads[pronoun] == i:
            graph.edge(draft.core[i], "poss", core)
    elif adverbs:
        draft.used.add(adverbs[0])
        top = _clause_about(draft, i)
        graph.edge(top, RELATIVE_ADVERBS[words.lower[adverbs[0]]], core)
    elif not (words.has(i, "nsubj") and words.has(i, "obj")):
        _clause_about(draft, i, Gap(core, "obj" if words.has(i, "nsubj") else "subj"))
    else:  # "the house we built them in": a stranded preposition
        _clause_about(draft, i)
        stranded = (c for c in words.below(i, "obl", "obj", "advmod") if words.pos[c] == "ADP")
        place = next((words.lower[c] for c in stranded), "")
        of_clause = draft.core[i]
        graph.edge(of_clause, draft.argument(of_clause, place, "location"), core)


def _clause_about(draft: Draft, i: int, gap: Gap | None = None) -> int:
    """Return the node of a clause and its conjuncts, which modify the same noun."""
    words = draft.words
    if draft.is_deepest:
        return draft.node_of(i)
    if words.is_predicate(i):
        top = clause(draft, i, gap)
    else:
        draft.used.discard(i)
        with draft.deeper():
            top = draft.grammar.build(draft, i)
        if gap is not None:
            draft.graph.edge(gap.node, "mod", draft.core[i])
    for c in words.below(i, "conj") if gap is not None else ():
        if words.pos[c] == "VERB" and not words.has(c, "nsubj") and c not in draft.top:
            draft.used.add(c)
            _clause_about(draft, c, gap)
    return draft.coordinate(i, top)


DURATIONS = frozenset({"for", "", "during", "through", "in"})
BOUNDS = frozenset({"before", "after", "until", "till", "since"})


def attach_oblique(draft: Draft, link: Link) -> None:
    """Attach a phrase to a predicate, by its preposition and its noun."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    preposition, lemma = words.preposition(c), words.lemma[c]
    if words.is_time(c, preposition):
        _attach_time(draft, link, preposition)
        return
    place = words.place(link.head, c, link.passive)
    if place == "subj":
        graph.edge(core, draft.argument(core, "subj", "ARG0"), draft.node_of(c))
        return
    fixed = tables.FIXED_ADVERBS.get(" ".join(words.lower[t] for t in words.subtree(c)))
    if fixed is not None:
        draft.used.add(c)
        graph.edge(core, "mod", graph.node(fixed))
        return
    role = draft.phrase_argument(core, place) if place else None
    role = role or tables.RELATIONAL_PREPOSITIONS.get(preposition)
    if preposition == "with" and lemma in tables.INSTRUMENTS:
        role = "instrument"
    elif role is None and (preposition, lemma) in tables.RELATIONAL_NOUNS:
        role = "location"
    if role is not None:
        graph.edge(core, role, governed(draft, c, preposition))
        return
    node = draft.node_of(c)
    if not preposition:
        role = "extent" if lemma in tables.UNITS else "manner"
    elif lemma in english.MANNER_NOUNS.get(preposition, ()):
        role = "manner"
    elif preposition == "for" and (lemma in tables.PEOPLE or words.pos[c] in ("PRON", "PROPN")):
        role = "beneficiary"
    else:
        role = tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[0]
    _attach_circumstance(draft, core, role, node, denied=preposition == "without")


def _attach_time(draft: Draft, link: Link, preposition: str) -> None:
    words, graph, c = draft.words, draft.graph, link.word
    every = any(words.lower[d] in ("every", "each") for d in words.below(c, "det"))
    is_period = tables.UNITS.get(words.lemma[c]) == "temporal-quantity"
    if every and is_period and not words.has(c, "nummod"):  # "every day"
        rate = draft.new(c, "rate-entity-91")
        period = graph.node("temporal-quantity")
        graph.edge(link.core, "frequency", rate)
        graph.edge(rate, "ARG3", period)
        graph.value(period, "quant", "1")
        graph.edge(period, "unit", graph.node(words.lemma[c]))
        return
    node = draft.node_of(c)
    if graph.concepts[node] == "temporal-quantity" and preposition in DURATIONS:
        graph.edge(link.core, "duration", node)
    elif preposition in BOUNDS:
        graph.edge(link.core, "time", draft.put_above(node, preposition))
    else:
        graph.edge(link.core, "frequency" if every else "time", node)
