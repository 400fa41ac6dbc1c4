"""The words of an explanation: what its lines and numbers are called; text made safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hybridsem._utils.terminal import visible
from hybridsem.explanations import AlignedPair, Explanation, RoleMatch, Term, term_label
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

__all__ = [
    "CORRECTIONS",
    "DIFFERENCES",
    "NOTHING",
    "Line",
    "corrects",
    "facts",
    "in_words",
    "is_difference",
    "line",
    "notes",
    "related",
    "said_once",
    "visible",
    "without_place",
]

COMPARING_NOTHING = (Term.CONSTANT, Term.LIMIT)
"""The terms of lines that have no similarity."""

CORRECTIONS = (Term.SWAP, Term.POLARITY)
"""The terms that take something off the score."""

CHANGED_PLACES, OTHER_NUMBER = "changed places", "other number"
OPPOSITE, REPLACED, ONLY_HERE = "opposite", "replaced", "in one only"
TURNED = "the other way round"
OTHER_WORD = "another word"
KINDS = ("names", "nouns", "verbs", "qualities")

DIFFERENCES: Mapping[str, str] = {
    "replaced": REPLACED,
    "added": ONLY_HERE,
    **{f"replaced {kind}": REPLACED for kind in KINDS},
    **{f"added {kind}": ONLY_HERE for kind in KINDS},
    "unlike qualities": OTHER_WORD,
    "unlike others": OTHER_WORD,
    "main verb": "another main verb",
    "number": OTHER_NUMBER,
    "numbers": OTHER_NUMBER,
    "opposed": OPPOSITE,
    "opposites": OPPOSITE,
    "polarity": "negated",
    "odd denials": "negated on one side",
    "sibling": "another of its kind",
    "roles exchanged": CHANGED_PLACES,
    "clause roles exchanged": CHANGED_PLACES,
    "phrases exchanged": CHANGED_PLACES,
    "governors exchanged": CHANGED_PLACES,
    "words before exchanged": CHANGED_PLACES,
    "words after exchanged": CHANGED_PLACES,
    "turned round": TURNED,
    "preposition opposed": "opposed prepositions",
    "preposition changed": "other preposition",
    "connective opposed": "opposed conjunctions",
    "function words opposed": "opposed words",
    "modality": "other modality",
    "quantity": "other quantity",
    "question": "a question, or not",
}
"""What the differences are called that the comparison of words knows. Several ways of seeing a
difference have one name, and are one line where they are about the same words.
"""

SAME, NO_RELATION = "same", "none"

RELATIONS: Mapping[str, str] = {
    SAME: "the same",
    NO_RELATION: "alike",
    "synonym": "synonyms",
    "antonym": "opposites",
    "hypernym": "the first is more general",
    "hyponym": "the second is more general",
    "sibling": "of one kind",
    "derived": "of one family",
    "similar": "similar",
    "entails": "the first entails the second",
    "entailed": "the second entails the first",
}
"""How words of two sentences are related that stand for each other."""

FACTS: Mapping[str, tuple[str, str]] = {
    "cosine": ("sentence cosine", "{:.4f}"),
    "role_similarity": ("role similarity", "{:.4f}"),
    "exchanged": ("of words changed places", "{:.0%}"),
    "moved": ("moved", "{:.0%}"),
}
"""What a number behind the score is called, and how it is written."""

UNSAID = ("polarity_differs",)
"""Numbers that a line of the table says already."""

NOTHING = "–"
"""Stands where a sentence does not have a role, or where nothing was compared."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table as it is shown; ``similarity`` is None where nothing was compared."""

    name: str
    cell1: str
    cell2: str
    similarity: float | None


def line(match: RoleMatch, explanation: Explanation) -> Line:
    """What a line compares, in words.

    That is a role, two roles that were paired, a word that moved, a difference, or the whole
    sentence.
    """
    roles = list(
        dict.fromkeys(visible(str(role)) for role in (match.role1, match.role2) if role is not None)
    )
    one, two = (None if text is None else visible(text) for text in (match.filler1, match.filler2))
    if match.term == Term.ROLE:
        lone = one is None or two is None
        return Line(
            " / ".join(roles), one or NOTHING, two or NOTHING, None if lone else match.similarity
        )
    if match.term == Term.SWAP:
        name = " → ".join(roles) if len(roles) > 1 else f"{''.join(roles)}, other clause"
        words = (_as_written(one, explanation.structure1), _as_written(two, explanation.structure2))
        return Line(name, *words, match.similarity)
    if is_difference(match):
        cells = (
            _all_as_written(one, explanation.structure1),
            _all_as_written(two, explanation.structure2),
        )
        return Line(DIFFERENCES[match.term], cells[0] or NOTHING, cells[1] or NOTHING, None)
    name = " ".join([visible(term_label(match.term)), " / ".join(roles)]).strip()
    if match.term == Term.POLARITY:
        return Line(
            name, _negation(explanation.structure1), _negation(explanation.structure2), None
        )
    return Line(
        name, one or "", two or "", None if match.term in COMPARING_NOTHING else match.similarity
    )


def is_difference(match: RoleMatch) -> bool:
    """Whether a line shows a difference that the comparison of words knows."""
    of_main_clauses = match.term == Term.POLARITY and match.filler1 is None is match.filler2
    return match.term in DIFFERENCES and not of_main_clauses


def corrects(match: RoleMatch) -> bool:
    """Whether a line takes something off the score, or gives it back."""
    return match.term in CORRECTIONS or is_difference(match)


def said_once(matches: Iterable[RoleMatch]) -> list[RoleMatch]:
    """The lines, those of differences of one name between the same words in one; what they
    contribute stays the same. Differences stand where some stood, the largest first.
    """
    found: list[RoleMatch] = []
    seen: dict[tuple[str, str | None, str | None], int] = {}
    for match in matches:
        if is_difference(match):
            word1, word2 = without_place(match.filler1), without_place(match.filler2)
            at = seen.setdefault((DIFFERENCES[match.term], word1, word2), len(found))
            if at < len(found):
                found[at] = _added(found[at], match)
                continue
        found.append(match)
    places = [at for at, match in enumerate(found) if is_difference(match)]
    largest = sorted((found[at] for at in places), key=lambda match: -abs(match.contribution))
    for at, match in zip(places, largest, strict=True):
        found[at] = match
    return found


def _added(first: RoleMatch, other: RoleMatch) -> RoleMatch:
    """Two lines in one: the text that says more, and what both contribute."""
    texts = (
        max(filter(None, sides), key=len, default=None)
        for sides in ((first.filler1, other.filler1), (first.filler2, other.filler2))
    )
    filler1, filler2 = texts
    contribution = first.contribution + other.contribution
    return replace(first, filler1=filler1, filler2=filler2, contribution=contribution)


def without_place(text: str | None) -> str | None:
    """A word of a difference without what tells where it stands: "dog" of "dog (Agent)"."""
    return None if text is None else text.partition(" (")[0]


def related(relation: str) -> str:
    """How two words are related, in words."""
    return RELATIONS.get(relation, visible(relation))


def in_words(pair: AlignedPair) -> str:
    """Words that stand for each other: the word that both are, or the two with what relates them.

    >>> in_words(AlignedPair("big", "large", 0.95, "synonym", 0, 0))
    'big – large (synonyms)'
    """
    word1, word2 = visible(pair.word1), visible(pair.word2)
    if pair.relation == SAME:
        return word1 if word1.lower() == word2.lower() else f"{word1} – {word2}"
    if pair.relation == NO_RELATION:
        return f"{word1} – {word2} ({pair.similarity:.2f})"
    return f"{word1} – {word2} ({related(pair.relation)})"


def _as_written(word: str | None, parsed: Parsed | None) -> str:
    """A word with the capitals that it has in the sentence."""
    tree = parsed.tree if isinstance(parsed, RoleStructure) else None
    if word is None or tree is None:
        return word or ""
    return next(
        (visible(token.text) for token in tree if visible(token.text).lower() == word), word
    )


def _all_as_written(text: str | None, parsed: Parsed | None) -> str:
    """The words of a difference with the capitals that they have in the sentence."""
    return re.sub(r"[^\s(),]+", lambda found: _as_written(found[0], parsed), text or "")


def _negation(parsed: Parsed | None) -> str:
    """Whether the main clause is negated, in a word; nothing where that is not known."""
    return (
        ("no", "yes")[parsed.main.negated]
        if isinstance(parsed, RoleStructure) and parsed.frames
        else ""
    )


def facts(explanation: Explanation) -> Iterator[tuple[str, str, bool]]:
    """The numbers behind the score: name, value as written, whether the value comes first.

    A share does: "12% moved".
    """
    for name, value in explanation.details.items():
        if name in UNSAID or name in DIFFERENCES:
            continue
        label, form = FACTS.get(name, (visible(name).replace("_", " "), "{:.4g}"))
        share = form.endswith("%}")
        # Adding 0 turns -0 into 0.
        yield label, form.format(round(value, 2) + 0.0 if share else value), share


def notes(explanation: Explanation) -> Iterator[str]:
    """What is to be said about the reading of the sentences."""
    yield from map(visible, explanation.notes)
    for number, structure in enumerate((explanation.structure1, explanation.structure2), start=1):
        if isinstance(structure, ParseFailure):
            yield f"sentence {number} has no structure: {visible(structure.reason)}"
