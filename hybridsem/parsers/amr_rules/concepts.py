"""The concepts of verbs, adjectives, nouns and adverbs."""

from __future__ import annotations

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft

NOT_FROM_ADJECTIVES = frozenset({"only", "early", "daily", "weekly", "family"})


def verb_node(draft: Draft, i: int, passive: bool) -> int:
    """Return the node of a verb; its object, or an adverb such as "down", may change the sense."""
    words, frames, lemma = draft.words, draft.frames, draft.words.lemma[i]
    objects = words.below(i, "obj")
    for (verb, concept), nouns in tables.OBJECT_SENSES.items():
        if verb == lemma and any(words.lemma[o] in nouns for o in objects):
            return draft.new(i, concept)
    for c in words.below(i, "advmod"):
        joined = frames.words.get(f"{lemma}+{words.lower[c]}/VERB")
        if joined and c > i and not words.children(c):
            draft.used.add(c)
            return draft.new(i, joined)
    transitive = passive or bool(words.below(i, "obj", "ccomp", "xcomp"))
    return draft.new(i, frames.verb(lemma, words.particle(i), transitive))


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
    stem = word[:-2]
    likely = f"{stem[:-1]}y" if stem.endswith("i") else stem
    for adjective in (stem, likely, f"{stem}le", f"{stem}l", stem[:-2]):
        concept = tables.ADJECTIVE_SENSES.get(adjective) or draft.frames.of(adjective, "ADJ")
        if concept and adjective not in tables.PLAIN:
            return concept
    return likely
