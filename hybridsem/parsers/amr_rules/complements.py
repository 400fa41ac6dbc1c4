"""Dependents of predicates as AMR: objects, complements, clauses, phrases."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.adjectives import adjective_node
from hybridsem.parsers.amr_rules.clauses import clause
from hybridsem.parsers.amr_rules.draft import Draft, Gap, Link, coordinate, node_of
from hybridsem.parsers.amr_rules.nouns import governed
from hybridsem.parsers.amr_rules.words import Words
from hybridsem.parsers.verbnet import tables as english

INTRODUCING = frozenset({"mark", "advmod", "case"})


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
    """Test if a word is "each other", whichever of the two is the head."""
    return words.lower[i] == "each" or (
        words.lemma[i] == "other" and i > 0 and words.lower[i - 1] == "each"
    )


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
    """Return the question word of an indirect question."""
    candidates = words.below(clause, "nsubj", "obj")
    return next((c for c in candidates if words.lower[c] in ("what", "who", "whom")), None)


def attach_open_complement(draft: Draft, link: Link) -> None:
    """Attach a complement whose subject is the object or subject of its governor."""
    words, c = draft.words, link.word
    role = draft.argument(link.core, words.place(link.head, c) or "xcomp", "ARG1")
    subject = _controller(draft, link)
    draft.used.add(c)
    if words.pos(c) in ("VERB", "AUX") or words.has(c, "cop"):
        node = coordinate(draft, c, clause(draft, c, subject=subject))
    elif words.pos(c) == "ADJ":
        node = adjective_node(draft, c, subject, predicated=True)
    else:
        node = node_of(draft, c)
    draft.graph.edge(link.core, role, node)


def _controller(draft: Draft, link: Link) -> int | None:
    """Return the node of the subject of an open complement; build an object for it."""
    words = draft.words
    objects = words.below(link.head, "obj", "iobj")
    if objects and objects[0] < link.word:
        return node_of(draft, objects[0])
    word = words.subject_of(link.head)
    if word in objects:
        return node_of(draft, word)
    subject = None if word is None else draft.top.get(word)
    return draft.subject(link.core) if subject is None and not objects else subject


def attach_adverbial_clause(draft: Draft, link: Link) -> None:
    """Attach a clause by its subordinator: "when", "because", "to"."""
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
        return  # "sits on a couch, reading" has one subject
    _attach_by_mark(draft, link, introducing, node)


def _adverbial_clause(draft: Draft, i: int, mark: str, subject: int | None) -> int:
    """Return the node of an adverbial clause, which may share the subject of its governor."""
    words = draft.words
    if words.pos(i) not in ("VERB", "AUX") and not words.is_predicate(i):
        draft.used.discard(i)
        return node_of(draft, i)
    gap = None
    if subject is not None and not mark and words.is_passive(i, True):
        gap = Gap(subject, "obj")  # "seen from above, …"
    return coordinate(draft, i, clause(draft, i, gap, subject))


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


def attach_other(draft: Draft, link: Link) -> None:
    """Attach an addressee ("Anna, come!"), a stray subject, or any other dependent."""
    words, c, base = draft.words, link.word, draft.words.base[link.word]
    if base == "vocative":
        saying = draft.put_above(link.core, "say-01", "ARG1")
        draft.graph.edge(saying, "ARG2", node_of(draft, c))
    elif base in ("nsubj", "csubj"):
        draft.graph.edge(link.core, "domain", node_of(draft, c))
    elif words.is_content(c):
        draft.graph.edge(link.core, "mod", node_of(draft, c))


RELATIVE_ADVERBS = {"where": "location", "when": "time", "why": "ARG1"}
ROLES_BY_MARK = {"to": "purpose", "that": "topic"}


def attach_modifying_clause(draft: Draft, link: Link) -> None:
    """Attach a clause that modifies a noun."""
    words, i = draft.words, link.word
    if i == draft.apart:
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
        top = _clause_about(draft, i)
        draft.graph.edge(top, RELATIVE_ADVERBS[words.lower[adverbs[0]]], link.core)
    elif not (words.has(i, "nsubj") and words.has(i, "obj")):
        _clause_about(draft, i, Gap(link.core, "obj" if words.has(i, "nsubj") else "subj"))
    else:
        _attach_stranded(draft, link)


def _attach_with_pronoun(draft: Draft, link: Link, pronoun: int) -> None:
    """``the dog that barks``: the pronoun has the node of the noun."""
    words, i = draft.words, link.word
    draft.assign(pronoun, link.core)
    _clause_about(draft, i)
    if words.lower[pronoun] == "whose" and words.tokens[pronoun].head == i:
        draft.graph.edge(draft.core[i], "poss", link.core)


def _attach_stranded(draft: Draft, link: Link) -> None:
    """``the house we built them in``: a clause with subject and object, by its last preposition."""
    words, i = draft.words, link.word
    _clause_about(draft, i)
    stranded = (c for c in words.below(i, "obl", "obj", "advmod") if words.pos(c) == "ADP")
    place = next((words.lower[c] for c in stranded), "")
    core = draft.core[i]
    draft.graph.edge(core, draft.argument(core, place, "location"), link.core)


def _attach_participle(draft: Draft, link: Link) -> None:
    """``a man sitting``, ``a man seen``, or an adjective after its noun."""
    words, i = draft.words, link.word
    if words.pos(i) == "ADJ":
        adjective_node(draft, i, link.core)
        return
    active = words.is_participle(i, "ing") or words.has(i, "nsubj") or not words.is_passive(i, True)
    _clause_about(draft, i, Gap(link.core, "subj" if active else "obj"))


def _attach_marked_clause(draft: Draft, link: Link) -> None:
    """``the decision to go``, ``the news that he went``."""
    words, i, core = draft.words, link.word, link.core
    top = _clause_about(draft, i)
    mark = words.relation_of(i, "mark")
    role = None
    if draft.is_frame(core):
        role = draft.listed_argument(core, words.place(link.head, i))
        role = role or (None if mark is None else "ARG1")
    elif mark is not None:
        role = ROLES_BY_MARK.get(words.lower[mark])
    draft.graph.edge(core, role or "mod", top)


def _clause_about(draft: Draft, i: int, gap: Gap | None = None) -> int:
    """Return the node of a clause and its conjuncts, which modify the same noun."""
    words = draft.words
    if draft.is_deepest:
        return node_of(draft, i)
    if words.is_predicate(i):
        top = clause(draft, i, gap)
    else:
        draft.used.discard(i)
        with draft.deeper():
            top = draft.grammar.build(draft, i)
        if gap is not None:
            draft.graph.edge(gap.node, "mod", draft.core[i])
    for c in words.below(i, "conj") if gap is not None else ():
        if words.pos(c) == "VERB" and not words.has(c, "nsubj") and c not in draft.top:
            draft.used.add(c)
            _clause_about(draft, c, gap)
    return coordinate(draft, i, top)


DURATIONS = frozenset({"for", "", "during", "through", "in"})
BOUNDS = frozenset({"before", "after", "until", "till", "since"})


def attach_oblique(draft: Draft, link: Link) -> None:
    """Attach a phrase to a predicate, by its preposition and its noun."""
    words, graph, c = draft.words, draft.graph, link.word
    preposition = words.preposition(c)
    if words.is_time(c, preposition):
        _attach_time(draft, link, preposition)
        return
    place = words.place(link.head, c, link.passive)
    if place == "subj":
        graph.edge(link.core, draft.argument(link.core, "subj", "ARG0"), node_of(draft, c))
        return
    fixed = tables.FIXED_ADVERBS.get(" ".join(words.lower[t] for t in words.subtree(c)))
    if fixed is not None:
        draft.used.add(c)
        graph.edge(link.core, "mod", graph.node(fixed))
        return
    role = _argument_role(draft, link, preposition, place)
    if role is not None:
        graph.edge(link.core, role, governed(draft, c, preposition))
    else:
        _attach_by_table(draft, link, preposition)


def _argument_role(draft: Draft, link: Link, preposition: str, place: str) -> str | None:
    """Return the role of an instrument, an argument of the frame or a place, or None."""
    lemma = draft.words.lemma[link.word]
    if preposition == "with" and lemma in tables.INSTRUMENTS:
        return "instrument"
    role = draft.phrase_argument(link.core, place) if place else None
    if role is not None:
        return role
    if preposition in tables.RELATIONAL_PREPOSITIONS:
        return tables.RELATIONAL_PREPOSITIONS[preposition]
    return "location" if (preposition, lemma) in tables.RELATIONAL_NOUNS else None


def _attach_by_table(draft: Draft, link: Link, preposition: str) -> None:
    node = node_of(draft, link.word)
    role = _role(draft.words, link.word, preposition)
    if role == "cause":
        draft.put_cause(link.core, node)
        return
    if preposition == "without":
        draft.graph.value(node, "polarity", "-")
    draft.graph.edge(link.core, role, node)


def _role(words: Words, i: int, preposition: str) -> str:
    """Return the role of a phrase that no frame lists."""
    lemma = words.lemma[i]
    if not preposition:
        return "extent" if lemma in tables.UNITS else "manner"
    if lemma in english.MANNER_NOUNS.get(preposition, ()):
        return "manner"
    if preposition == "for" and (lemma in tables.PEOPLE or words.pos(i) in ("PRON", "PROPN")):
        return "beneficiary"
    return tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[0]


def _attach_time(draft: Draft, link: Link, preposition: str) -> None:
    words, graph, c = draft.words, draft.graph, link.word
    every = any(words.lower[d] in ("every", "each") for d in words.below(c, "det"))
    is_period = tables.UNITS.get(words.lemma[c]) == "temporal-quantity"
    if every and is_period and not words.has(c, "nummod"):
        _attach_rate(draft, link)
        return
    node = node_of(draft, c)
    if graph.concepts[node] == "temporal-quantity" and preposition in DURATIONS:
        graph.edge(link.core, "duration", node)
    elif preposition in BOUNDS:
        graph.edge(link.core, "time", draft.put_above(node, preposition))
    else:
        graph.edge(link.core, "frequency" if every else "time", node)


def _attach_rate(draft: Draft, link: Link) -> None:
    """``every day``."""
    graph = draft.graph
    rate = draft.new(link.word, "rate-entity-91")
    period = graph.node("temporal-quantity")
    graph.edge(link.core, "frequency", rate)
    graph.edge(rate, "ARG3", period)
    graph.value(period, "quant", "1")
    graph.edge(period, "unit", graph.node(draft.words.lemma[link.word]))
