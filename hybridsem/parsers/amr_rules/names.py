"""Names as AMR: named entities, dates by name and nationalities."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft
from hybridsem.parsers.amr_rules.words import Words

__all__ = ["nation", "proper_noun"]

KNOWN_NAMES = (
    (tables.COUNTRIES, "country"),
    (tables.CITIES, "city"),
    (tables.PLANETS, "planet"),
    (tables.CONTINENTS, "continent"),
)


def nation(draft: Draft, word: str) -> int:
    """The country of an adjective: "Chinese"."""
    country = draft.graph.node("country")
    draft.graph.name(country, tables.NATIONS[word].split())
    return country


def proper_noun(draft: Draft, i: int) -> tuple[int, set[int]] | None:
    """The node of a name and the words used up by it; None where a capital makes no name."""
    words = draft.words
    word, text = words.lower[i], words.tokens[i].text
    if word in tables.DISCOURSE:
        return None
    if word in tables.WEEKDAYS or (word in tables.MONTHS and text[0].isupper()):
        return _date(draft, i)
    parts = _parts(words, i)
    certain = parts or any(word in table for table, _ in KNOWN_NAMES)
    if not certain and (not text[:1].isupper() or _is_common(draft, i)):
        return None
    if word in tables.NATIONS and words.base[i] in ("amod", "compound"):
        return nation(draft, word), set()
    within = sorted([i, *(t for c in parts for t in words.subtree(c))])
    name = [words.tokens[t].text for t in within]
    node = draft.graph.node(_kind(words, i, [part.lower() for part in name]))
    draft.graph.name(node, name)
    return node, parts


def _parts(words: Words, i: int) -> set[int]:
    """The dependents that belong to a name."""
    joined = words.below(i, "flat", "compound", "nummod", "goeswith")
    return {c for c in joined if words.pos(c) in ("PROPN", "NUM")}


def _date(draft: Draft, i: int) -> tuple[int, set[int]]:
    """A weekday or a month with the numbers beside it."""
    words, graph, word = draft.words, draft.graph, draft.words.lower[i]
    node = graph.node("date-entity")
    if word in tables.WEEKDAYS:
        graph.edge(node, "weekday", graph.node(word))
    else:
        graph.value(node, "month", str(tables.MONTHS[word]))
    numerals = [c for c in words.children(i) if words.pos(c) == "NUM"]
    for c in numerals:
        number = words.number(c)
        if number is not None:
            graph.value(node, "year" if len(number) == 4 else "day", number)
    return node, set(numerals)


def _is_common(draft: Draft, i: int) -> bool:
    """Whether a capital letter is due to the start of the sentence."""
    words = draft.words
    if any(words.pos(t) not in ("PUNCT", "DET") for t in range(i)):
        return False
    if not words.tokens[i].text[1:].islower():
        return False
    word = words.lower[i]
    return (
        bool(words.below(i, "det", "amod", "nummod", "acl", "nmod"))
        or word in tables.PLAIN
        or word in tables.PEOPLE
        or draft.frames.of(word, "NOUN") is not None
    )


def _kind(words: Words, i: int, name: list[str]) -> str:
    """The type of a named entity, by its words in lower case and what stands around it."""
    last = name[-1]
    for table, kind in KNOWN_NAMES:
        if last in table:
            return kind
    for word in (last, *name):
        if word in tables.NAME_TYPES:
            return tables.NAME_TYPES[word]
    if len(name) == 1 and last.isalnum() and any(letter.isdigit() for letter in last):
        return "protein"  # p53, CD28: what else is written so is rare
    if len(name) == 1 and len(last) > 1 and words.tokens[i].text.isupper():
        return "organization"
    return "city" if words.preposition(i) in ("in", "at", "from") else "person"
