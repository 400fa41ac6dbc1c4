"""The words of an explanation: what its lines and numbers are called; text made safe to show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hybridsem._utils.terminal import visible
from hybridsem.edits import Kind
from hybridsem.explanations import AlignedPair, Explanation, RoleMatch, Term
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

__all__ = [
    "CORRECTIONS",
    "NOTHING",
    "Line",
    "corrects",
    "facts",
    "in_words",
    "line",
    "notes",
    "related",
    "visible",
]

COMPARING_NOTHING = (Term.CONSTANT, Term.LIMIT)
"""The terms of lines that have no similarity."""

CORRECTIONS = (Term.SWAP, Term.POLARITY)
"""The terms that take something off the score."""

KINDS = frozenset(kind.value for kind in Kind)

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
    "converse": "the same from either side",
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
    if match.edits:
        return Line(match.label, one or NOTHING, two or NOTHING, None)
    name = " ".join([visible(match.label), " / ".join(roles)]).strip()
    if match.term == Term.POLARITY:
        return Line(
            name, _negation(explanation.structure1), _negation(explanation.structure2), None
        )
    return Line(
        name, one or "", two or "", None if match.term in COMPARING_NOTHING else match.similarity
    )


def corrects(match: RoleMatch) -> bool:
    """Whether a line takes something off the score, or gives it back."""
    return match.term in CORRECTIONS or bool(match.edits)


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
        if name in UNSAID or name in KINDS:
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
