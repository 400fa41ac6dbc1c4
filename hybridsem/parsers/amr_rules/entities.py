"""Nouns, names, pronouns and numbers as AMR, before their dependents are attached."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise
from typing import NamedTuple

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import UNKNOWN, Draft
from hybridsem.parsers.amr_rules.words import Words


def nation(draft: Draft, word: str) -> int:
    """Return the country of an adjective: "Chinese"."""
    country = draft.graph.node("country")
    draft.graph.name(country, tables.NATIONS[word].split())
    return country


def _named(draft: Draft, i: int) -> Entity | None:
    """Return the entity of a name; None if the capital does not make one."""
    words = draft.words
    word, text = words.lower[i], words.tokens[i].text
    is_planet = tables.KNOWN_NAMES.get(words.lemma[i]) == "planet" and text[0].isupper()
    if word in tables.DISCOURSE or not (words.pos[i] == "PROPN" or is_planet):
        return None
    if word in tables.WEEKDAYS or (word in tables.MONTHS and text[0].isupper()):
        return _date(draft, i)
    joined = words.below(i, "flat", "compound", "nummod", "goeswith")
    parts = {c for c in joined if words.pos[c] in ("PROPN", "NUM")}
    certain = parts or word in tables.KNOWN_NAMES
    if not certain and (not text[:1].isupper() or _is_common(draft, i)):
        return None
    if word in tables.NATIONS and words.base[i] in ("amod", "compound"):
        return Entity(nation(draft, word))
    within = sorted([i, *(t for c in parts for t in words.subtree(c))])
    name = [words.tokens[t].text for t in within]
    node = draft.graph.node(_kind(words, i, [part.lower() for part in name]))
    draft.graph.name(node, name)
    return Entity(node, parts)


def _date(draft: Draft, i: int) -> Entity:
    """Return the entity of a weekday or a month with its numbers."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[i]
    node = graph.node("date-entity")
    if word in tables.WEEKDAYS:
        graph.edge(node, "weekday", graph.node(word))
    else:
        graph.value(node, "month", str(tables.MONTHS[word]))
    numerals = [c for c in words.children(i) if words.pos[c] == "NUM"]
    for c in numerals:
        if (number := words.number(c)) is not None:
            graph.value(node, "year" if len(number) == 4 else "day", number)
    return Entity(node, set(numerals))


def _is_common(draft: Draft, i: int) -> bool:
    """Test if a capital letter is due to the start of the sentence."""
    words, word = draft.words, draft.words.lower[i]
    opens = all(words.pos[t] in ("PUNCT", "DET") for t in range(i))
    if not opens or not words.tokens[i].text[1:].islower():
        return False
    known = word in tables.PLAIN or word in tables.PEOPLE
    modified = words.has(i, "det", "amod", "nummod", "acl", "nmod")
    return modified or known or draft.frames.of(word, "NOUN") is not None


def _kind(words: Words, i: int, name: list[str]) -> str:
    """Return the type of a named entity, by its words in lower case and its context."""
    last = name[-1]
    if last in tables.KNOWN_NAMES:
        return tables.KNOWN_NAMES[last]
    for word in (last, *name):
        if word in tables.NAME_TYPES:
            return tables.NAME_TYPES[word]
    if len(name) == 1 and last.isalnum() and any(letter.isdigit() for letter in last):
        return "protein"  # p53, CD28
    if len(name) == 1 and len(last) > 1 and words.tokens[i].text.isupper():
        return "organization"
    return "city" if words.preposition(i) in ("in", "at", "from") else "person"


EXCLUDED = {"it": tables.PEOPLE, "he": tables.FEMALE, "she": tables.MALE}
THIRD = frozenset({*EXCLUDED, "they"})


def _antecedent(draft: Draft, i: int, concept: str) -> int | None:
    """Return the node of a higher subject that agrees, for a possessive also in its own clause."""
    words = draft.words
    own = words.relation[i] == "nmod:poss" or words.lower[i].endswith(("self", "selves"))
    nearest = True
    for below, at in pairwise(words.with_ancestors(i)):
        subject = words.relation_of(at, "nsubj")
        if subject is None or (subject == below and subject != i):
            if nearest and subject is None and words.base[at] == "acl":
                noun = words.heads[at]  # "a man brushing his teeth"
                if own and noun in draft.core and _agrees(words, noun, concept):
                    return draft.core[noun]
            continue
        for adverbial in words.below(at, "advcl") if subject == i and nearest else ():
            subjects = (c for c in words.below(adverbial, "nsubj") if c < i)
            before = next(subjects, None)  # "when the man came, he …"
            if before is not None and _agrees(words, before, concept):
                return draft.node_of(before)
        if (own or not nearest) and subject < i and _agrees(words, subject, concept):
            return draft.known(subject)
        nearest = False
    return None


def _agrees(words: Words, noun: int, concept: str) -> bool:
    """Test if a noun agrees with a pronoun of the third person."""
    word, lemma = words.lower[noun], words.lemma[noun]
    if words.pos[noun] not in ("NOUN", "PROPN"):
        return False
    plural = word != lemma or words.has(noun, "conj")
    if concept == "they":
        return plural or lemma in tables.COLLECTIONS or word == "people"
    return not plural and lemma not in EXCLUDED[concept]


CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound"}


class Entity(NamedTuple):
    """A node, and the dependents that are part of it."""

    node: int
    words: Set[int] = frozenset()


def entity(draft: Draft, i: int) -> Entity:
    """Return the entity of a noun, by the first kind that applies."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[i]
    concept = tables.PRONOUNS.get(word)
    if concept is not None and words.pos[i] in ("PRON", "DET"):
        if concept in ("this", "that"):
            return Entity(graph.node(concept))
        node = _antecedent(draft, i, concept) if concept in THIRD else None
        return Entity(draft.person(concept) if node is None else node)
    if words.is_wh(i):
        return Entity(graph.node(UNKNOWN))
    if (named := _named(draft, i)) is not None:
        return named
    if word in ("one", "ones"):
        return Entity(graph.node("one"))
    if (number := _number(draft, i) or _measure(draft, i)) is not None:
        return number
    if (first := words.hyphenated(i)) is not None:
        return Entity(graph.node(f"{words.lower[first]}-{words.lemma[i]}"), {first})
    special = _part_of_date(draft, i) or _agent(draft, i) or _relative(draft, i)
    return special or Entity(graph.node(draft.noun_concept(i)))


def _number(draft: Draft, i: int) -> Entity | None:
    """A number without a noun: a year, or a quantity."""
    words, graph = draft.words, draft.graph
    number = words.number(i) if words.pos[i] == "NUM" else None
    if number is None:
        return None
    is_year = words.is_time(i, words.preposition(i))
    node = graph.node("date-entity" if is_year else "thing")
    graph.value(node, "year" if is_year else "quant", number)
    return Entity(node, {c for c in words.children(i) if words.pos[c] == "NUM"})


def _measure(draft: Draft, i: int) -> Entity | None:
    """A quantity of a unit: "two miles"."""
    words, graph, lemma = draft.words, draft.graph, draft.words.lemma[i]
    counts = [c for c in words.below(i, "nummod") if words.number(c) is not None]
    if lemma not in tables.UNITS or not counts:
        return None
    node = graph.node(tables.UNITS[lemma])
    graph.value(node, "quant", words.number(counts[0]) or "1")
    if tables.UNITS[lemma] != "percentage-entity":
        graph.edge(node, "unit", graph.node(CURRENCIES.get(lemma, lemma)))
    return Entity(node, set(counts))


def _part_of_date(draft: Draft, i: int) -> Entity | None:
    """``in the morning``, ``in spring``."""
    words, lemma, base = draft.words, draft.words.lemma[i], draft.words.base[i]
    if lemma in tables.DAYPARTS and base == "obl" and not words.has(i, "amod"):
        role = "dayperiod"
    elif lemma in tables.SEASONS and base in ("obl", "nmod") and words.pos[i] == "NOUN":
        role = "season"
    else:
        return None
    return Entity(draft.put_above(draft.graph.node(lemma), "date-entity", role))


def _agent(draft: Draft, i: int) -> Entity | None:
    """``singer`` as a person that sings; ``truck driver`` drives a truck, ``firefighter`` fire."""
    words, graph, lemma = draft.words, draft.graph, draft.words.lemma[i]
    frame, thing = tables.COMPOUND_AGENTS.get(lemma, (tables.AGENT_NOUNS.get(lemma, ""), ""))
    if "-" not in frame:
        return None
    person = graph.node("person")
    action = draft.put_above(person, frame, "ARG0")
    objects = set()
    for c in words.children(i):
        if words.is_of(c) or (words.base[c] == "compound" and words.pos[c] == "NOUN"):
            graph.edge(action, "ARG1", draft.node_of(c))
            objects.add(c)
    if thing:
        graph.edge(action, "ARG1", graph.node(thing))
    return Entity(person, objects)


def _relative(draft: Draft, i: int) -> Entity | None:
    """``my friend`` as a person in a relation to me."""
    words, graph = draft.words, draft.graph
    owners = [c for c in words.children(i) if words.relation[c] == "nmod:poss" or words.is_of(c)]
    if not owners or words.lemma[i] not in tables.KIN:
        return None
    person = draft.core[i] = graph.node("person")
    relation = draft.put_above(person, "have-rel-role-91", "ARG0")
    graph.edge(relation, "ARG1", draft.node_of(owners[0]))
    graph.edge(relation, "ARG2", graph.node(words.lemma[i]))
    return Entity(person, {owners[0]})
