"""Phrases by way of the grammar, and the concepts of words."""

from __future__ import annotations

from collections.abc import Iterator

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import NODELESS, Draft, Link


def node_of(draft: Draft, i: int) -> int:
    """Return the node of the phrase of a word with its conjuncts; build it if needed."""
    if i in draft.top:
        return draft.top[i]
    draft.used.add(i)
    if draft.is_deepest:
        return draft.new(i, draft.words.lemma[i])
    with draft.deeper():
        return coordinate(draft, i, draft.grammar.build(draft, i))


def coordinate(draft: Draft, i: int, first: int) -> int:
    """Return the node of the phrase of ``i``, whose node is ``first``, with its conjuncts."""
    words, graph = draft.words, draft.graph
    others = [c for c in words.below(i, "conj") if c not in draft.top and words.is_content(c)]
    if not others:
        draft.top[i] = first
        return first
    concept = "and"
    for c in (*others, i):
        for conjunction in words.below(c, "cc"):
            concept = tables.CONJUNCTIONS.get(words.lower[conjunction], concept)
    if concept == "contrast-01" and len(others) > 1:
        concept = "and"
    above = draft.top[i] = graph.node(concept)
    role = "ARG" if concept == "contrast-01" else "op"
    graph.edge(above, f"{role}1", first)
    for n, c in enumerate(others, start=2):
        graph.edge(above, f"{role}{n}", node_of(draft, c))
    return above


def attach_to_predicate(draft: Draft, link: Link) -> None:
    """Attach a dependent of a predicate."""
    words, c = draft.words, link.word
    base = words.base[c]
    if c in draft.used and base not in ("obj", "iobj"):
        return
    if base in NODELESS or words.relation[c] == "compound:prt" or words.is_negator(c):
        return
    table = draft.grammar.beside_predicates
    table.get(base, table["dep"])(draft, link)


NOT_FROM_ADJECTIVES = frozenset({"only", "early", "daily", "weekly", "family"})


def verb_node(draft: Draft, i: int, passive: bool) -> int:
    """Return the node of a verb, joined with an adverb that changes its sense."""
    concept = _sense_by_object(draft, i)
    if concept is None:
        adverb = _adverb_particle(draft, i)
        if adverb is not None:
            draft.used.add(adverb)
            concept = draft.frames.words[_joined(draft, i, adverb)]
    if concept is None:
        words = draft.words
        transitive = passive or bool(words.below(i, "obj", "ccomp", "xcomp"))
        concept = draft.frames.verb(words.lemma[i], words.particle(i), transitive)
    return draft.new(i, concept)


def _sense_by_object(draft: Draft, i: int) -> str | None:
    words = draft.words
    objects = words.below(i, "obj")
    for (verb, concept), nouns in tables.OBJECT_SENSES.items():
        if verb == words.lemma[i] and any(words.lemma[o] in nouns for o in objects):
            return concept
    return None


def _adverb_particle(draft: Draft, i: int) -> int | None:
    """Return an adverb that changes the sense of a verb: "down" in "sat down"."""
    words = draft.words
    for c in words.below(i, "advmod"):
        if c > i and not words.children(c) and _joined(draft, i, c) in draft.frames.words:
            return c
    return None


def _joined(draft: Draft, verb: int, adverb: int) -> str:
    """Return the key of a verb with an adverb in the table of frames."""
    return f"{draft.words.lemma[verb]}+{draft.words.lower[adverb]}/VERB"


def adjective_concept(draft: Draft, i: int) -> str:
    """Return the concept of an adjective; "better" has that of "good"."""
    word, lemma = draft.words.lower[i], draft.words.lemma[i]
    if lemma in tables.ADJECTIVE_SENSES:
        return tables.ADJECTIVE_SENSES[lemma]
    if word in tables.COMPARED:
        return tables.COMPARED[word]
    return _listed(draft, lemma, "ADJ")


def noun_concept(draft: Draft, i: int) -> str:
    """Return the concept of a noun: a frame if it names an event."""
    words = draft.words
    return _listed(draft, tables.INDEFINITE.get(words.lower[i], words.lemma[i]), "NOUN")


def _listed(draft: Draft, lemma: str, pos: str) -> str:
    return lemma if lemma in tables.PLAIN else draft.frames.of(lemma, pos) or lemma


def adverb_concept(draft: Draft, i: int) -> str:
    """Return the concept of an adverb: that of the adjective it derives from."""
    word, lemma = draft.words.lower[i], draft.words.lemma[i]
    listed = draft.frames.of(lemma, "ADV")
    if listed:
        return listed
    if not word.endswith("ly") or len(word) < 5 or word in NOT_FROM_ADJECTIVES:
        return lemma
    *adjectives, default = _adjectives(word)
    for adjective in adjectives:
        concept = tables.ADJECTIVE_SENSES.get(adjective) or draft.frames.of(adjective, "ADJ")
        if concept and adjective not in tables.PLAIN:
            return concept
    return default


def _adjectives(adverb: str) -> Iterator[str]:
    """Yield the adjectives that an adverb may derive from, and last the default."""
    stem = adverb[:-2]
    likely = f"{stem[:-1]}y" if stem.endswith("i") else stem
    yield from (stem, likely, f"{stem}le", f"{stem}l", stem[:-2], likely)
