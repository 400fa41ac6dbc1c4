"""Adjectives, participles, adverbs and interjections as AMR."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import NODELESS, UNKNOWN, Draft, Link
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
    """Return the node of an adjective or participle with its comparison. ``noun`` is the node that
    it modifies, if known; ``predicated``: by a copula.
    """
    words, graph, lemma = draft.words, draft.graph, draft.words.lemma[i]
    modified = None if predicated else noun
    if modified is not None and (special := _special_modifier(draft, i, modified)) is not None:
        return special
    if words.lower[i] in tables.NATIONS:
        top = node = draft.assign(i, nation(draft, words.lower[i]))
    elif words.pos[i] == "VERB":
        passive = words.is_participle(i, "ed") and not words.is_participle(i, "ing")
        top = node = draft.verb_node(i, passive)
    else:
        material = tables.MATERIALS_ADJECTIVES.get(lemma)
        top = node = draft.new(i, material or draft.adjective_concept(i))
    if lemma in NEGATIVE:
        graph.value(node, "polarity", "-")
    degree = _degree(words, i)
    if degree is not None:
        top = _compare(draft, i, node, degree, noun)
    else:
        measures = words.below(i, "obl", "nmod") if lemma == "old" else ()  # "six years old"
        years = [c for c in measures if words.lemma[c] == "year" and words.has(c, "nummod")]
        if noun is not None and (not years or draft.is_frame(node)):
            _attach_noun(draft, i, node, noun, predicated)
        for c in years:
            graph.concepts[node] = "age-01"
            if noun is not None:
                graph.edge(node, "ARG1", noun)
            graph.edge(node, "ARG2", draft.node_of(c))
            draft.used.add(c)
    if not predicated:
        for c in words.children(i):
            if c != degree and words.base[c] in OF_ADJECTIVES:
                draft.attach_to_predicate(Link(c, i, node))
            elif c != degree and words.base[c] == "compound":
                graph.edge(node, "mod", draft.node_of(c))
        for c in words.below(i, "conj") if noun is not None else ():
            if words.pos[c] in ("ADJ", "VERB", "NOUN") and not draft.is_deepest:
                with draft.deeper():
                    adjective_node(draft, c, noun)
    draft.top[i] = top
    return top


def _attach_noun(draft: Draft, i: int, node: int, noun: int, predicated: bool) -> None:
    words = draft.words
    if draft.is_frame(node):
        verb = words.pos[i] == "VERB"
        active = not verb or words.is_participle(i, "ing")
        role = draft.listed_argument(node, "amod-of") or draft.listed_argument(
            node, "subj0" if active else "obj"
        )
        draft.graph.edge(node, role or ("ARG0" if verb and active else "ARG1"), noun)
    elif predicated:
        draft.graph.edge(node, "domain", noun)
    else:
        draft.graph.edge(noun, "mod", node)


def _degree(words: Words, i: int) -> int | None:
    """Return the word that grades an adjective: "more", "too", or the comparative itself."""
    for c in words.below(i, "advmod"):
        if words.lower[c] in COMPARING:
            return c
    word = words.lower[i]
    inflected = word != words.lemma[i] and word.endswith(("er", "est"))
    return i if words.pos[i] == "ADJ" and (inflected or word in IRREGULAR) else None


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
                draft.attach_to_predicate(Link(c, i, node))
        return node
    material = tables.MATERIALS_ADJECTIVES.get(lemma)
    if material is None or words.pos[i] == "VERB" or word in tables.NATIONS:
        return None
    node = draft.new(i, material)
    graph.edge(noun, "consist-of", node)
    return node


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
        compares = marks & {"than", "as"}
        if compares or (word == "too" and "to" in marks):
            role = "ARG4" if compares else "ARG6"
            graph.edge(above, role, draft.node_of(c))
            draft.used.add(c)
    return above


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
    called = words.pos[i] == "INTJ"
    node = draft.new(i, words.lemma[i] if called else draft.adverb_concept(i))
    if called and words.lower[i] in tables.DISCOURSE - ANSWERS:
        draft.graph.value(node, "mode", "expressive")
    for c in words.children(i):
        if words.base[c] not in NODELESS:
            attach_to_noun(draft, Link(c, i, node))
    return node


def attach_adverb(draft: Draft, link: Link) -> None:
    """Attach an adverb to a verb, an adjective or a noun."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    if draft.is_deepest or c in draft.used or words.opens(c) or words.is_negator(c):
        return
    if words.lower[c] == "why":
        draft.put_cause(core, graph.node(UNKNOWN))
        return
    if words.is_wh(c):
        role = ROLES_ASKED_FOR.get(words.lower[c], "mod")
        if role == "manner" and words.pos[link.head] in ("ADJ", "ADV"):
            role = "degree"
        if role == "location":
            role = draft.listed_argument(core, "adv") or role
        graph.edge(core, role, graph.node(UNKNOWN))
        return
    draft.used.add(c)
    if _attach_special(draft, link):
        return
    node = draft.new(c, draft.adverb_concept(c))
    role = _role(words, c, link.head)
    if role == "manner" and draft.is_frame(node):
        graph.edge(node, "ARG1", core)
    else:
        if role in ("location", "direction"):
            role = draft.listed_argument(core, "adv") or role
        graph.edge(core, role, node)
    for d in words.children(c):
        if words.base[d] == "advmod" and words.lower[c] != "as":
            with draft.deeper():
                attach_adverb(draft, Link(d, c, node))
        elif words.base[d] in ("obl", "nmod") and d not in draft.used:
            graph.edge(node, "op1", draft.node_of(d))
            draft.used.add(d)


def _attach_special(draft: Draft, link: Link) -> bool:
    """Attach an adverb with a special rule; return False for any other."""
    words, graph, c, core = draft.words, draft.graph, link.word, link.core
    phrase = " ".join(words.lower[t] for t in [c, *words.below(c, "fixed")])
    if words.is_next_to(c):
        if (node := beside(draft, c)) is not None:
            graph.edge(core, draft.phrase_argument(core, "next to") or "location", node)
    elif phrase in tables.FIXED_ADVERBS:
        node = draft.new(c, tables.FIXED_ADVERBS[phrase])
        graph.edge(core, "time" if phrase == "no longer" else "mod", node)
    elif words.lower[c] == "ago":  # "six years ago" is before now, by six years
        node = draft.new(c, "before")
        graph.edge(node, "op1", graph.node("now"))
        for measure in words.below(c, "obl", "nmod", "advmod"):
            graph.edge(node, "quant", draft.node_of(measure))
        graph.edge(core, "time", node)
    elif words.pos[c] in ("NOUN", "PROPN", "NUM", "VERB"):  # "Monday"
        graph.edge(core, "time" if words.is_time(c, "") else "mod", draft.node_of(c))
    else:
        return False
    return True


def _role(words: Words, i: int, head: int) -> str:
    """Return the role of an adverb next to the word that it modifies."""
    word = words.lower[i]
    qualifies = words.pos[head] in ("ADJ", "ADV", "NUM", "DET") or words.base[head] == "amod"
    if word in tables.DEGREE_ADVERBS and (qualifies or word not in DEGREES_OF_ADJECTIVES):
        return "degree"
    if word in tables.ADVERB_ROLES:
        return tables.ADVERB_ROLES[word]
    if word.endswith("ly"):
        return "degree" if qualifies else "manner"
    if word not in english.ADVERBS:
        return "mod"
    return ROLES_OF_ADVERBS.get(english.ADVERBS[word][0], "manner")
