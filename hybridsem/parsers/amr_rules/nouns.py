"""Noun phrases and prepositional phrases as AMR, with their dependents."""

from __future__ import annotations

from collections.abc import Iterable

from hybridsem._utils.tables import word_set
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft, Link
from hybridsem.parsers.amr_rules.entities import entity
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.words import Words

KINDS = frozenset({"kind", "sort", "type"})
AMOUNTS = frozenset({"lot", "plenty", "deal", "number", "couple", "dozen"})
PARTITIVES = frozenset({"one", "some", "many", "each", "all", "most"})


def governed(draft: Draft, i: int, preposition: str) -> int:
    """Return the node of a phrase, below its preposition if that is a concept."""
    words = draft.words
    relation = tables.RELATIONAL_NOUNS.get((preposition, words.lemma[i]))
    inner = next((c for c in words.below(i, "nmod") if words.preposition(c) == "of"), None)
    if relation is not None and inner is not None:  # "in front of the house"
        draft.used.add(i)
        above = draft.new(i, relation)
        draft.graph.edge(above, "op1", node_of(draft, inner))
        return above
    return under(draft, preposition, node_of(draft, i))


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
    preposition = draft.words.preposition(link.word)
    if preposition == "of":
        return _attach_of(draft, link)
    role = _role(draft, link, preposition)
    if role is not None:
        draft.graph.edge(link.core, role, governed(draft, link.word, preposition))
    else:
        BY_PREPOSITION.get(preposition, _attach_by_table)(draft, link)
    return None


def _role(draft: Draft, link: Link, preposition: str) -> str | None:
    """Return the role of an argument, a place or a time, or None."""
    words, c, core = draft.words, link.word, link.core
    role = None
    if draft.is_frame(core):
        role = draft.phrase_argument(core, words.place(link.head, c))
        if preposition == "by" and not draft.graph.has(core, "ARG0"):
            role = draft.argument(core, "subj", "ARG0")
    if role is None and (preposition, words.lemma[c]) in tables.RELATIONAL_NOUNS:
        return "location"
    if role is None and words.is_time(c, preposition):
        return "time"
    return role


def _attach_with(draft: Draft, link: Link) -> None:
    """``a man with a beard``, ``a man with a dog``, ``a man without a dog``."""
    words = draft.words
    node = node_of(draft, link.word)
    part, whole = words.lemma[link.word], words.lemma[link.head]
    lacking = words.preposition(link.word) == "without"
    if not lacking and part in tables.BODY_PARTS and whole not in tables.BODY_PARTS:
        draft.graph.edge(link.core, "part", node)
        return
    having = draft.put_above(link.core, "have-03", "ARG0")
    draft.graph.edge(having, "ARG1", node)
    if lacking:
        draft.graph.value(having, "polarity", "-")


def _attach_in(draft: Draft, link: Link) -> None:
    """``a man in a red shirt`` wears it."""
    if draft.words.lemma[link.word] not in tables.CLOTHES:
        _attach_by_table(draft, link)
        return
    wearing = draft.put_above(link.core, "wear-01", "ARG0")
    draft.graph.edge(wearing, "ARG1", node_of(draft, link.word))


def _attach_like(draft: Draft, link: Link) -> None:
    """``a man like you`` resembles you."""
    resembling = draft.put_above(link.core, "resemble-01", "ARG1")
    draft.graph.edge(resembling, "ARG2", node_of(draft, link.word))


BY_PREPOSITION = {
    "with": _attach_with,
    "without": _attach_with,
    "in": _attach_in,
    "like": _attach_like,
}


def _attach_by_table(draft: Draft, link: Link) -> None:
    preposition = draft.words.preposition(link.word)
    role = tables.RELATIONAL_PREPOSITIONS.get(preposition)
    if role is not None:
        role = "location" if role == "path" else role
    else:
        role = tables.PREPOSITION_ROLES.get(preposition, ("mod", "mod"))[1]
        role = "source" if role == "cause" else role
    draft.graph.edge(link.core, role, governed(draft, link.word, preposition))


def _attach_of(draft: Draft, link: Link) -> int | None:
    """``a kind of dog``, ``a group of dogs``, ``the owner of the dog``."""
    words, graph, core = draft.words, draft.graph, link.core
    node = node_of(draft, link.word)
    noun = words.lemma[link.head]
    if noun in KINDS or noun in AMOUNTS:  # the second noun is the head of the meaning
        graph.edge(node, "mod" if noun in KINDS else "quant", core)
        draft.core[link.head] = node
        return node
    if noun in PARTITIVES or words.pos(link.head) in ("NUM", "PRON", "DET"):
        including = draft.put_above(core, "include-91", "ARG1")
        graph.edge(including, "ARG2", node)
    elif draft.is_frame(core):
        graph.edge(core, draft.argument(core, "of", "ARG1"), node)
    elif noun in tables.CONTAINERS and noun not in tables.COLLECTIONS:
        containing = draft.put_above(core, "contain-01", "ARG0")
        graph.edge(containing, "ARG1", node)
    else:
        graph.edge(core, _role_of_second_noun(words, link), node)
    return None


def _role_of_second_noun(words: Words, link: Link) -> str:
    first, second = words.lemma[link.head], words.lemma[link.word]
    if first in tables.COLLECTIONS:
        return "consist-of"
    if first in tables.BODY_PARTS:
        return "part-of"
    if first in tables.PICTURES:
        return "topic"
    return "consist-of" if second in tables.MATERIALS else "poss"


NEVER_BESIDE_NOUNS = word_set("punct case cc conj cop mark aux expl nsubj csubj goeswith fixed")


def noun_phrase(draft: Draft, i: int) -> int:
    """Return the node of a noun, name, pronoun or number with all its dependents."""
    node, used = entity(draft, i)
    draft.assign(i, node)
    rest = (Link(c, i, node) for c in draft.words.children(i) if c not in used)
    top = draft.top[i] = attach_all_to_noun(draft, rest, node)
    return top


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
        node = beside(draft, c)
        if node is not None:
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
    owner = node_of(draft, link.word)
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
    node = node_of(draft, link.word)
    first, noun = words.lemma[link.word], words.lemma[link.head]
    if draft.is_frame(link.core):
        role = draft.argument(link.core, "compound", "mod")
    elif first in tables.MATERIALS:
        role = "consist-of"
    elif noun in tables.BODY_PARTS and first not in tables.BODY_PARTS:
        role = "part-of"
    else:
        role = "mod"
    draft.graph.edge(link.core, role, node)


def attach_apposition(draft: Draft, link: Link) -> None:
    """Attach an apposition: the name of the noun, or another noun for it."""
    graph = draft.graph
    node = node_of(draft, link.word)
    name = graph.target(node, "name")
    if name is not None and not graph.has(link.core, "name"):
        graph.edge(link.core, "name", name)
    else:
        graph.edge(link.core, "mod", node)


def attach_flat(draft: Draft, link: Link) -> None:
    """Attach a further part of a phrase that is not a name."""
    number = draft.words.number(link.word)
    if number is None:
        _attach_as_modifier(draft, link)
    else:
        draft.graph.value(link.core, "mod", number)


def _attach_as_modifier(draft: Draft, link: Link) -> None:
    """Attach a dependent in any other relation."""
    draft.graph.edge(link.core, "mod", node_of(draft, link.word))


def attach_interjection(draft: Draft, link: Link) -> None:
    """Attach an interjection: "oh"."""
    words, graph = draft.words, draft.graph
    node = graph.node(words.lemma[link.word])
    if words.lower[link.word] in tables.DISCOURSE:
        graph.value(node, "mode", "expressive")
    graph.edge(link.core, "mod", node)


def attach_aside(draft: Draft, link: Link) -> None:
    """Attach an interjection; other asides belong to the sentence."""
    if draft.words.pos(link.word) == "INTJ":
        attach_interjection(draft, link)


def attach_modifier(draft: Draft, link: Link) -> None:
    """Attach a dependent of a noun in another relation."""
    attach = attach_interjection if draft.words.pos(link.word) == "INTJ" else _attach_as_modifier
    attach(draft, link)
