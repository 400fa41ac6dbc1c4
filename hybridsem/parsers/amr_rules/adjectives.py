"""Adjectives, participles, adverbs and interjections as AMR."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.concepts import adjective_concept, adverb_concept, verb_node
from hybridsem.parsers.amr_rules.draft import (
    NODELESS,
    UNKNOWN,
    Draft,
    Link,
    attach_to_predicate,
    node_of,
)
from hybridsem.parsers.amr_rules.entities import nation
from hybridsem.parsers.amr_rules.nouns import attach_to_noun, beside
from hybridsem.parsers.amr_rules.words import Words
from hybridsem.parsers.verbnet import tables as english
from hybridsem.structures import Role

COMPARING = frozenset({"more", "most", "less", "least", "as", "too"})
IRREGULAR = frozenset({"better", "best", "worse", "worst"})
NEGATIVE = frozenset({"impossible", "unable"})
OF_ADJECTIVES = frozenset({"advmod", "obl", "nmod", "advcl", "ccomp", "xcomp", "obj"})


def attach_adjective(draft: Draft, link: Link) -> None:
    """Attach an adjective or participle to a noun."""
    adjective_node(draft, link.word, link.core)


def adjective_node(draft: Draft, i: int, noun: int | None, predicated: bool = False) -> int:
    """Return the node of an adjective or participle with its comparison.

    Args:
        draft: The draft.
        i: The word.
        noun: The node that it modifies, if known.
        predicated: A copula links the two.
    """
    if noun is not None and not predicated:
        special = _special_modifier(draft, i, noun)
        if special is not None:
            return special
    top = node = _new_node(draft, i)
    degree = _degree(draft.words, i)
    if degree is not None:
        top = _compare(draft, i, node, degree, noun)
    else:
        if noun is not None:
            _attach_noun(draft, i, node, noun, predicated)
        _turn_into_age(draft, i, node, noun)
    if not predicated:
        _attach_dependents(draft, i, node, degree)
        if noun is not None:
            _attach_conjuncts(draft, i, noun)
    draft.top[i] = top
    return top


def _special_modifier(draft: Draft, i: int, noun: int) -> int | None:
    """Attach an ordinal, a quantity or a material next to its noun: "first", "many", "wooden"."""
    words, graph = draft.words, draft.graph
    word, lemma = words.lower[i], words.lemma[i]
    if lemma in tables.ORDINALS:
        node = draft.new(i, "ordinal-entity")
        graph.value(node, "value", str(tables.ORDINALS[lemma]))
        graph.edge(noun, "ord", node)
        return node
    if word in tables.QUANTITIES:
        adverbs = words.below(i, "advmod")
        asked = any(words.lower[c] == "how" for c in adverbs)
        node = draft.new(i, UNKNOWN if asked else word if word in ("more", "most") else lemma)
        graph.edge(noun, "quant", node)
        for c in adverbs:
            if words.lower[c] != "how":
                attach_to_predicate(draft, Link(c, i, node))
        return node
    material = tables.MATERIALS_ADJECTIVES.get(lemma)
    if material is None or words.pos(i) == "VERB" or word in tables.NATIONS:
        return None
    node = draft.new(i, material)
    graph.edge(noun, "consist-of", node)
    return node


def _new_node(draft: Draft, i: int) -> int:
    words, lemma = draft.words, draft.words.lemma[i]
    if words.lower[i] in tables.NATIONS:
        node = draft.assign(i, nation(draft, words.lower[i]))
    elif words.pos(i) == "VERB":
        passive = words.is_participle(i, "ed") and not words.is_participle(i, "ing")
        node = verb_node(draft, i, passive)
    else:
        material = tables.MATERIALS_ADJECTIVES.get(lemma)
        node = draft.new(i, material or adjective_concept(draft, i))
    if lemma in NEGATIVE:
        draft.graph.value(node, "polarity", "-")
    return node


def _attach_noun(draft: Draft, i: int, node: int, noun: int, predicated: bool) -> None:
    """Add the edge between an adjective and its noun."""
    words = draft.words
    if draft.is_frame(node):
        verb = words.pos(i) == "VERB"
        active = not verb or words.is_participle(i, "ing")
        role = draft.listed_argument(node, "amod-of") or draft.listed_argument(
            node, "subj0" if active else "obj"
        )
        draft.graph.edge(node, role or ("ARG0" if verb and active else "ARG1"), noun)
    elif predicated:
        draft.graph.edge(node, "domain", noun)
    else:
        draft.graph.edge(noun, "mod", node)


def _attach_dependents(draft: Draft, i: int, node: int, degree: int | None) -> None:
    words = draft.words
    for c in words.children(i):
        if c == degree:
            continue
        if words.base[c] in OF_ADJECTIVES:
            attach_to_predicate(draft, Link(c, i, node))
        elif words.base[c] == "compound":
            draft.graph.edge(node, "mod", node_of(draft, c))


def _attach_conjuncts(draft: Draft, i: int, noun: int) -> None:
    """Attach the conjuncts of an adjective to the same noun."""
    words = draft.words
    for c in words.below(i, "conj"):
        if words.pos(c) in ("ADJ", "VERB", "NOUN") and not draft.is_deepest:
            with draft.deeper():
                adjective_node(draft, c, noun)


def _degree(words: Words, i: int) -> int | None:
    """Return the word that grades an adjective: "more", "too", or the comparative itself."""
    for c in words.below(i, "advmod"):
        if words.lower[c] in COMPARING:
            return c
    word = words.lower[i]
    inflected = word != words.lemma[i] and word.endswith(("er", "est"))
    return i if words.pos(i) == "ADJ" and (inflected or word in IRREGULAR) else None


def _compare(draft: Draft, i: int, node: int, degree: int, noun: int | None) -> int:
    """``older than you`` as have-degree-91."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[degree]
    if degree == i:
        word = "most" if word.endswith("st") else "more"
    above = graph.node("have-degree-91")
    if noun is not None:
        graph.edge(above, "ARG1", noun)
    graph.edge(above, "ARG2", node)
    graph.edge(above, "ARG3", graph.node("equal" if word == "as" else word))
    for c in words.below(i, "obl", "nmod", "advcl", "ccomp"):
        marks = {words.lower[d] for d in words.below(c, "case", "mark")} if c > i else set()
        role = ""
        if marks & {"than", "as"}:
            role = "ARG4"
        elif word == "too" and "to" in marks:
            role = "ARG6"
        if role:
            graph.edge(above, role, node_of(draft, c))
            draft.used.add(c)
    return above


def _turn_into_age(draft: Draft, i: int, node: int, noun: int | None) -> None:
    """``six years old`` is an age."""
    words, graph = draft.words, draft.graph
    if words.lemma[i] != "old":
        return
    for c in words.below(i, "obl", "nmod"):
        if words.lemma[c] == "year" and words.has(c, "nummod"):
            graph.concepts[node] = "age-01"
            if noun is not None:
                graph.discard(node, "domain", noun)
                graph.discard(noun, "mod", node)
                graph.edge(node, "ARG1", noun)
            graph.edge(node, "ARG2", node_of(draft, c))
            draft.used.add(c)


ANSWERS = frozenset({"yes", "no", "please"})
DEGREES_OF_ADJECTIVES = frozenset({"too", "so", "really"})  # next to verbs they have other roles
ROLES_ASKED_FOR = {"where": "location", "when": "time", "how": "manner"}
ROLES_OF_ADVERBS: dict[str, str] = {
    Role.TIME: "time",
    Role.LOCATION: "location",
    Role.TRAJECTORY: "direction",
}


def adverb_phrase(draft: Draft, i: int) -> int:
    """Return the node of an adverb, preposition or interjection that is a whole phrase."""
    words = draft.words
    called = words.pos(i) == "INTJ"
    node = draft.new(i, words.lemma[i] if called else adverb_concept(draft, i))
    if called and words.lower[i] in tables.DISCOURSE - ANSWERS:
        draft.graph.value(node, "mode", "expressive")
    for c in words.children(i):
        if words.base[c] not in NODELESS:
            attach_to_noun(draft, Link(c, i, node))
    return node


def attach_adverb(draft: Draft, link: Link) -> None:
    """Attach an adverb to a verb, an adjective or a noun."""
    words, c = draft.words, link.word
    if draft.is_deepest or c in draft.used or words.opens(c) or words.is_negator(c):
        return
    if words.is_wh(c):
        _attach_question(draft, link)
        return
    draft.used.add(c)
    if not _attach_special(draft, link):
        _attach_by_role(draft, link)


def _attach_question(draft: Draft, link: Link) -> None:
    """Attach a question adverb: a place, a time, a reason."""
    word = draft.words.lower[link.word]
    unknown = draft.graph.node(UNKNOWN)
    if word == "why":
        draft.put_cause(link.core, unknown)
        return
    role = ROLES_ASKED_FOR.get(word, "mod")
    if word == "how" and draft.words.pos(link.head) in ("ADJ", "ADV"):
        role = "degree"
    if role == "location":
        role = draft.listed_argument(link.core, "adv") or role
    draft.graph.edge(link.core, role, unknown)


def _attach_special(draft: Draft, link: Link) -> bool:
    """Attach an adverb with a special rule; return False for any other."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    phrase = " ".join(words.lower[t] for t in [c, *words.below(c, "fixed")])
    if words.is_next_to(c):
        node = beside(draft, c)
        if node is not None:
            graph.edge(core, draft.phrase_argument(core, "next to") or "location", node)
    elif phrase in tables.FIXED_ADVERBS:
        node = draft.new(c, tables.FIXED_ADVERBS[phrase])
        graph.edge(core, "time" if phrase == "no longer" else "mod", node)
    elif words.lower[c] == "ago":  # "six years ago" is before now, by six years
        node = draft.new(c, "before")
        graph.edge(node, "op1", graph.node("now"))
        for measure in words.below(c, "obl", "nmod", "advmod"):
            graph.edge(node, "quant", node_of(draft, measure))
        graph.edge(core, "time", node)
    elif words.pos(c) in ("NOUN", "PROPN", "NUM", "VERB"):  # "Monday"
        graph.edge(core, "time" if words.is_time(c, "") else "mod", node_of(draft, c))
    else:
        return False
    return True


def _attach_by_role(draft: Draft, link: Link) -> None:
    c, core = link.word, link.core
    node = draft.new(c, adverb_concept(draft, c))
    role = _role(draft.words, c, link.head)
    if role == "manner" and draft.is_frame(node):
        draft.graph.edge(node, "ARG1", core)
    else:
        if role in ("location", "direction"):
            role = draft.listed_argument(core, "adv") or role
        draft.graph.edge(core, role, node)
    _attach_below(draft, c, node)


def _role(words: Words, i: int, head: int) -> str:
    """Return the role of an adverb next to the word that it modifies."""
    word = words.lower[i]
    qualifies = words.pos(head) in ("ADJ", "ADV", "NUM", "DET") or words.base[head] == "amod"
    if word in tables.DEGREE_ADVERBS and (qualifies or word not in DEGREES_OF_ADJECTIVES):
        return "degree"
    if word in tables.ADVERB_ROLES:
        return tables.ADVERB_ROLES[word]
    if word.endswith("ly"):
        return "degree" if qualifies else "manner"
    if word not in english.ADVERBS:
        return "mod"
    return ROLES_OF_ADVERBS.get(english.ADVERBS[word][0], "manner")


def _attach_below(draft: Draft, i: int, node: int) -> None:
    """Attach the dependents of an adverb: another one, or a phrase."""
    words = draft.words
    for c in words.children(i):
        if words.base[c] == "advmod" and words.lower[i] != "as":
            with draft.deeper():
                attach_adverb(draft, Link(c, i, node))
        elif words.base[c] in ("obl", "nmod") and c not in draft.used:
            draft.graph.edge(node, "op1", node_of(draft, c))
            draft.used.add(c)
