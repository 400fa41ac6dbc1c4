"""The concepts of words: senses of verbs, adjectives, nouns and adverbs."""

from __future__ import annotations

from collections.abc import Iterator

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft

__all__ = ["adjective_concept", "adverb_concept", "noun_concept", "verb_node"]

NOT_FROM_ADJECTIVES = frozenset({"only", "early", "daily", "weekly", "family"})


def verb_node(draft: Draft, i: int, passive: bool) -> int:
    """The node of a verb; an adverb that makes another verb of it is used up."""
    concept = _sense_by_object(draft, i)
    if concept is None:
        adverb = _adverb_particle(draft, i)
        if adverb is not None:
            draft.used.add(adverb)
            concept = draft.frames.words[_joined(draft, i, adverb)]
    return draft.new(i, concept or _verb_concept(draft, i, passive))


def _sense_by_object(draft: Draft, i: int) -> str | None:
    words = draft.words
    objects = words.below(i, "obj")
    for (verb, concept), nouns in tables.OBJECT_SENSES.items():
        if verb == words.lemma[i] and any(words.lemma[o] in nouns for o in objects):
            return concept
    return None


def _adverb_particle(draft: Draft, i: int) -> int | None:
    """An adverb that makes another verb of the one before it: "down" in "sat down"."""
    words = draft.words
    for c in words.below(i, "advmod"):
        if c > i and not words.children(c) and _joined(draft, i, c) in draft.frames.words:
            return c
    return None


def _joined(draft: Draft, verb: int, adverb: int) -> str:
    """The key of a verb with an adverb in the table of frames."""
    return f"{draft.words.lemma[verb]}+{draft.words.lower[adverb]}/VERB"


def _verb_concept(draft: Draft, i: int, passive: bool) -> str:
    """The frame of a verb, by its particle and by whether it has an object."""
    words = draft.words
    transitive = passive or bool(words.below(i, "obj", "ccomp", "xcomp"))
    return draft.frames.verb(words.lemma[i], words.particle(i), transitive)


def adjective_concept(draft: Draft, i: int) -> str:
    """The concept of an adjective; that of "good" for "better"."""
    word, lemma = draft.words.lower[i], draft.words.lemma[i]
    if lemma in tables.ADJECTIVE_SENSES:
        return tables.ADJECTIVE_SENSES[lemma]
    if word in tables.COMPARED:
        return tables.COMPARED[word]
    return _listed(draft, lemma, "ADJ")


def noun_concept(draft: Draft, i: int) -> str:
    """The concept of a noun: a frame where it says what is done."""
    words = draft.words
    return _listed(draft, tables.INDEFINITE.get(words.lower[i], words.lemma[i]), "NOUN")


def _listed(draft: Draft, lemma: str, pos: str) -> str:
    return lemma if lemma in tables.PLAIN else draft.frames.of(lemma, pos) or lemma


def adverb_concept(draft: Draft, i: int) -> str:
    """The concept of an adverb: that of the adjective it is made of."""
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
    """The adjectives that an adverb may be made of; last what it is taken for if none is known."""
    stem = adverb[:-2]
    likely = f"{stem[:-1]}y" if stem.endswith("i") else stem
    yield from (stem, likely, f"{stem}le", f"{stem}l", stem[:-2], likely)
