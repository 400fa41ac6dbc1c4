"""The words of an explanation: what its lines and numbers are called; text made safe to show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hybridsem._utils.terminal import visible
from hybridsem.explanations import Explanation, RoleMatch, Term, term_label
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

__all__ = ["CORRECTIONS", "NOTHING", "Line", "facts", "line", "notes", "visible"]

COMPARING_NOTHING = (Term.CONSTANT, Term.LIMIT)
"""The terms of lines that have no similarity."""

CORRECTIONS = (Term.SWAP, Term.POLARITY)
"""The terms that take something off the score."""

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

    That is a role, two roles that were paired, a word that moved, or the whole sentence.
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
    name = " ".join([visible(term_label(match.term)), " / ".join(roles)]).strip()
    if match.term == Term.POLARITY:
        return Line(
            name, _negation(explanation.structure1), _negation(explanation.structure2), None
        )
    return Line(
        name, one or "", two or "", None if match.term in COMPARING_NOTHING else match.similarity
    )


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
        if name in UNSAID:
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
