"""Noun phrases and prepositional phrases as AMR, with their dependents."""

from __future__ import annotations

from collections.abc import Iterable

from hybridsem._utils.tables import by_word, word_set
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft, Link
from hybridsem.parsers.amr_rules.entities import entity

# The second noun is the head of the meaning.
ROLES_BEFORE_OF = by_word({"mod": "kind sort type", "quant": "lot plenty deal number couple dozen"})
ROLES_OF = (
    (tables.COLLECTIONS, "consist-of"),
    (tables.BODY_PARTS, "part-of"),
    (tables.PICTURES, "topic"),
)
PARTITIVES = frozenset({"one", "some", "many", "each", "all", "most"})


def governed(draft: Draft, i: int, preposition: str) -> int:
    """Return the node of a phrase, below its preposition if that is a concept."""
    words = draft.words
    relation = tables.RELATIONAL_NOUNS.get((preposition, words.lemma[i]))
    inner = next((c for c in words.below(i, "nmod") if words.preposition(c) == "of"), None)
    if relation is not None and inner is not None:  # "in front of the house"
        draft.used.add(i)
        above = draft.new(i, relation)
        draft.graph.edge(above, "op1", draft.node_of(inner))
        return above
    return under(draft, preposition, draft.node_of(i))


def under(draft: Draft, preposition: str, node: int) -> int:
    """Return ``node``, below its preposition if that is a concept."""
    if preposition not in tables.RELATIONAL_PREPOSITIONS:
        return node
    return draft.put_above(node, preposition.replace(" ", "-"))


def beside(draft: Draft, i: int) -> int | None:
    """Return the node of "next to the lake" if the lake depends on "next", the word ``i``."""
    words = draft.words
    draft.used.add(i)
    phrases = (c for c in words.below(i, "obl", "nmod") if words.preposition(c) == "next to")
    lake = next(phrases, None)
    return None if lake is None else draft.assign(i, governed(draft, lake, "next to"))


def attach_phrase_to_noun(draft: Draft, link: Link) -> int | None:
    """Attach a prepositional phrase; return the new node of the noun phrase, if any."""
    words, graph, (c, head, core, _) = draft.words, draft.graph, link
    preposition = words.preposition(c)
    if preposition == "of":
        return _attach_of(draft, link)
    role = None
    if draft.is_frame(core):
        role = draft.phrase_argument(core, words.place(head, c))
        if preposition == "by" and not graph.has(core, "ARG0"):
            role = draft.argument(core, "subj", "ARG0")
    if role is None and (preposition, words.lemma[c]) in tables.RELATIONAL_NOUNS:
        role = "location"
    if role is None and words.is_time(c, preposition):
        role = "time"
    if role is None and preposition in ("with", "without"):
        _attach_with(draft, link, preposition)
    elif role is None and preposition == "in" and words.lemma[c] in tables.CLOTHES:
        graph.edge(draft.put_above(core, "wear-01", "ARG0"), "ARG1", draft.node_of(c))
    elif role is None and preposition == "like":
        graph.edge(draft.put_above(core, "resemble-01", "ARG1"), "ARG2", draft.node_of(c))
    else:
        if role is None and preposition in tables.RELATIONAL_PREPOSITIONS:
            role = tables.RELATIONAL_PREPOSITIONS[preposition].replace("path", "location")
        elif role is None:
            role = tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[1]
            role = role.replace("cause", "source")
        graph.edge(core, role, governed(draft, c, preposition))
    return None


def _attach_with(draft: Draft, link: Link, preposition: str) -> None:
    """``a man with a beard``, ``a man with a dog``, ``a man without a dog``."""
    node = draft.node_of(link.word)
    part, whole = draft.words.lemma[link.word], draft.words.lemma[link.head]
    lacking = preposition == "without"
    if not lacking and part in tables.BODY_PARTS and whole not in tables.BODY_PARTS:
        draft.graph.edge(link.core, "part", node)
        return
    having = draft.put_above(link.core, "have-03", "ARG0")
    draft.graph.edge(having, "ARG1", node)
    if lacking:
        draft.graph.value(having, "polarity", "-")


def _attach_of(draft: Draft, link: Link) -> int | None:
    """``a kind of dog``, ``a group of dogs``, ``the owner of the dog``."""
    words, graph, core = draft.words, draft.graph, link.core
    node = draft.node_of(link.word)
    noun = words.lemma[link.head]
    if (role := ROLES_BEFORE_OF.get(noun)) is not None:
        graph.edge(node, role, core)
        draft.core[link.head] = node
        return node
    if noun in PARTITIVES or words.pos[link.head] in ("NUM", "PRON", "DET"):
        graph.edge(draft.put_above(core, "include-91", "ARG1"), "ARG2", node)
    elif draft.is_frame(core):
        graph.edge(core, draft.argument(core, "of", "ARG1"), node)
    elif noun in tables.CONTAINERS and noun not in tables.COLLECTIONS:
        graph.edge(draft.put_above(core, "contain-01", "ARG0"), "ARG1", node)
    else:
        role = next((role for nouns, role in ROLES_OF if noun in nouns), None)
        material = words.lemma[link.word] in tables.MATERIALS
        graph.edge(core, role or ("consist-of" if material else "poss"), node)
    return None


NEVER_BESIDE_NOUNS = word_set("punct case cc conj cop mark aux expl nsubj csubj goeswith fixed")


def noun_phrase(draft: Draft, i: int) -> int:
    """Return the node of a noun, name, pronoun or number with all its dependents."""
    node, used = entity(draft, i)
    draft.assign(i, node)
    rest = (Link(c, i, node) for c in draft.words.children(i) if c not in used)
    draft.top[i] = attach_all_to_noun(draft, rest, node)
    return draft.top[i]


def attach_all_to_noun(draft: Draft, links: Iterable[Link], top: int) -> int:
    """Attach dependents of a noun; return the node of the phrase, by default ``top``."""
    for link in links:
        other = attach_to_noun(draft, link)
        top = top if other is None else other
    return top


def attach_to_noun(draft: Draft, link: Link) -> int | None:
    """Attach a dependent of a noun; return the new node of the noun phrase, if any."""
    words, c = draft.words, link.word
    base = words.base[c]
    if base in NEVER_BESIDE_NOUNS or (base in ("advmod", "amod") and c in draft.used):
        return None
    if words.is_next_to(c):
        if (node := beside(draft, c)) is not None:
            draft.graph.edge(link.core, "location", node)
        return None
    table = draft.grammar.beside_nouns
    attach = table.get(words.relation[c]) or table.get(base) or table["dep"]
    return attach(draft, link)


def attach_determiner(draft: Draft, link: Link) -> None:
    """Attach a determiner that is not an article: "this", "some", "no", "which"."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[link.word]
    if word in ("a", "an", "the") or "Rel" in words.relation[link.word]:
        return
    if word in ("no", "neither"):
        graph.value(link.core, "polarity", "-")
    elif word in ("what", "which", "whose"):
        graph.edge(link.core, "mod", graph.node(UNKNOWN))
    else:
        concept = tables.PRONOUNS.get(word, words.lemma[link.word])
        graph.edge(link.core, "quant" if word == "some" else "mod", graph.node(concept))


def attach_count(draft: Draft, link: Link) -> None:
    """Attach a count, or a number after a noun: "chapter 1"."""
    words, graph = draft.words, draft.graph
    number = words.number(link.word)
    if number is None:
        graph.edge(link.core, "quant", graph.node(words.lemma[link.word]))
        return
    about = [c for c in words.below(link.word, "advmod", "case") if words.lower[c] != "of"]
    if about:
        least = words.lower[about[0]] == "least"
        node = graph.node("at-least" if least else words.lemma[about[0]])
        graph.value(node, "op1", number)
        graph.edge(link.core, "quant", node)
    else:
        graph.value(link.core, "mod" if link.word > link.head else "quant", number)


def attach_possessor(draft: Draft, link: Link) -> None:
    """Attach an owner: "my", "the man's"."""
    owner = draft.node_of(link.word)
    if draft.is_frame(link.core):
        role = draft.argument(link.core, "poss", "ARG0")
    else:
        role = "part-of" if draft.words.lemma[link.head] in tables.BODY_PARTS else "poss"
    draft.graph.edge(link.core, role, owner)


def attach_compound(draft: Draft, link: Link) -> None:
    """Attach the first noun of a compound."""
    words = draft.words
    if words.relation[link.word] == "compound:prt":
        return
    node = draft.node_of(link.word)
    first, noun = words.lemma[link.word], words.lemma[link.head]
    role = "mod"
    if draft.is_frame(link.core):
        role = draft.argument(link.core, "compound", "mod")
    elif first in tables.MATERIALS:
        role = "consist-of"
    elif noun in tables.BODY_PARTS and first not in tables.BODY_PARTS:
        role = "part-of"
    draft.graph.edge(link.core, role, node)


def attach_apposition(draft: Draft, link: Link) -> None:
    """Attach an apposition: the name of the noun, or another noun for it."""
    graph, node = draft.graph, draft.node_of(link.word)
    name = None if graph.has(link.core, "name") else graph.target(node, "name")
    graph.edge(link.core, *(("mod", node) if name is None else ("name", name)))


def attach_flat(draft: Draft, link: Link) -> None:
    """Attach a further part of a phrase that is not a name."""
    number = draft.words.number(link.word)
    if number is None:
        draft.graph.edge(link.core, "mod", draft.node_of(link.word))
    else:
        draft.graph.value(link.core, "mod", number)


def attach_interjection(draft: Draft, link: Link) -> None:
    """Attach an interjection: "oh"."""
    words, graph = draft.words, draft.graph
    node = graph.node(words.lemma[link.word])
    if words.lower[link.word] in tables.DISCOURSE:
        graph.value(node, "mode", "expressive")
    graph.edge(link.core, "mod", node)


def attach_modifier(draft: Draft, link: Link) -> None:
    """Attach a dependent of a noun in another relation; asides belong to the sentence."""
    if draft.words.pos[link.word] == "INTJ":
        attach_interjection(draft, link)
    elif draft.words.base[link.word] not in ("parataxis", "reparandum", "vocative"):
        draft.graph.edge(link.core, "mod", draft.node_of(link.word))
