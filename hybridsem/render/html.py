"""An explanation as an HTML fragment, a page, and an SVG document.

Text is escaped here, before it is put into a template.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from hybridsem.explanations import AlignedPair, Explanation, RoleMatch
from hybridsem.render.diagram import Picture, diagram, palette
from hybridsem.render.openings import opening_of, opening_row
from hybridsem.render.template_files import fill, fragment, style
from hybridsem.render.wording import (
    NOTHING,
    corrects,
    facts,
    in_words,
    line,
    notes,
    related,
    visible,
)

__all__ = ["as_html", "as_page", "as_section", "as_svg"]

TOO_LONG = "The sentences are too long to be drawn."

HEADING_HEIGHT = 58.0
"""Of the strip above the picture, in an SVG document."""


def as_svg(explanation: Explanation) -> str:
    """The picture of the explanation as an SVG document with its own style; fits a README.

    Args:
        explanation: Two sentences, whose roles are joined by curves; for sentences too long to draw
            there is a line that says so.

    >>> from hybridsem import Pipeline
    >>> as_svg(Pipeline().explain("A dog barked.", "A fox barked."))[:4]
    '<svg'
    """
    picture = diagram(explanation) or Picture(
        fill("too_long.svg", reason=TOO_LONG), title="", left=0, width=960, height=80
    )
    heading = fill(
        "heading.svg",
        style=style(),
        left=f"{picture.left:.1f}",
        top=f"{-HEADING_HEIGHT:g}",
        x=f"{picture.left + 20:.1f}",
        score=_number(explanation.score, 2),
        model=escape(visible(explanation.model)),
    )
    return picture.svg("hs hs-diagram", heading + "\n", HEADING_HEIGHT) + "\n"


def as_html(explanation: Explanation) -> str:
    """The explanation as an HTML fragment with its own style, for notebooks.

    Args:
        explanation: To be drawn.

    >>> from hybridsem import Pipeline
    >>> "<table" in as_html(Pipeline("embedded").explain("It rains.", "It pours."))
    True
    """
    return fragment(as_section(explanation))


def as_section(explanation: Explanation) -> str:
    """The explanation as HTML for a page that has the style: its score, picture and table.

    Args:
        explanation: To be drawn.

    >>> from hybridsem import Pipeline
    >>> "<style" in as_section(Pipeline("embedded").explain("It rains.", "It pours."))
    False
    """
    parts = _parts(explanation)
    return parts["heading"] + parts["picture"] + parts["table"]


def as_page(explanation: Explanation) -> str:
    """The explanation as an HTML page that stands alone: nothing is loaded; light and dark.

    Args:
        explanation: To be drawn; the title is its score and sentences.

    >>> from hybridsem import Pipeline
    >>> as_page(Pipeline("embedded").explain("It rains.", "It pours."))[:15]
    '<!DOCTYPE html>'
    """
    title = (
        f"{explanation.score:.2f} · {visible(explanation.sentence1)[:60]} | "
        f"{visible(explanation.sentence2)[:60]}"
    )
    return fill("page.html", title=escape(title), **_parts(explanation)) + "\n"


def _parts(explanation: Explanation) -> dict[str, str]:
    """What a fragment and a page have in common."""
    heading = fill(
        "heading.html",
        score=_number(explanation.score, 2),
        model=escape(visible(explanation.model)),
    )
    return {
        "style": style(),
        "heading": heading,
        "picture": _picture(explanation),
        "table": _table(explanation),
    }


def _picture(explanation: Explanation) -> str:
    """The picture, or the sentences where they are too long to be drawn."""
    picture = diagram(explanation)
    if picture is not None:
        return picture.svg()
    return fill(
        "too_long.html",
        reason=TOO_LONG,
        sentence1=escape(visible(explanation.sentence1)),
        sentence2=escape(visible(explanation.sentence2)),
    )


def _table(explanation: Explanation) -> str:
    """The contributions, which add up to the score; then the numbers behind it and the notes."""
    colours = palette(explanation)
    matches = explanation.matches
    largest = max((abs(match.contribution) for match in matches), default=0.0) or 1.0
    numbers = "".join(
        fill(
            "fact_value_first.html" if value_first else "fact.html",
            name=escape(name),
            value=_minus(value),
        )
        for name, value, value_first in facts(explanation)
    )
    remarks = "".join(fill("note.html", note=escape(note)) for note in notes(explanation))
    return fill(
        "table.html",
        rows="\n".join(_rows(matches, explanation, colours, largest)),
        score=_number(explanation.score, 4),
        bar=fill("bar_hidden.html"),
        facts=fill("facts.html", facts=numbers) if numbers else "",
        alignment=_alignment(explanation.alignment) if explanation.alignment else "",
        notes=fill("notes.html", notes=remarks) if remarks else "",
    )


def _alignment(pairs: Sequence[AlignedPair]) -> str:
    """The words that stand for each other: a line that opens to a table."""
    rows = (
        fill(
            "alignment_row.html",
            word1=escape(visible(pair.word1)),
            word2=escape(visible(pair.word2)),
            related=escape(related(pair.relation)),
            similarity=_number(pair.similarity, 2),
        )
        for pair in pairs
    )
    summary = " · ".join(f"<bdi>{escape(in_words(pair))}</bdi>" for pair in pairs)
    return fill("alignment.html", summary=summary, rows="\n".join(rows))


def _rows(
    matches: Iterable[RoleMatch],
    explanation: Explanation,
    colours: Mapping[str, int],
    largest: float,
) -> Iterator[str]:
    """The lines of the table; under the cosine's line, its words.

    Args:
        matches: The lines.
        explanation: Where they stand.
        colours: The colour number of each role.
        largest: The contribution whose bar takes up all the room, above 0.
    """
    for match in matches:
        yield _row(match, explanation, colours, largest)
        if (parts := opening_of(match, explanation)) is not None:
            yield opening_row(parts)


def _row(
    match: RoleMatch, explanation: Explanation, colours: Mapping[str, int], largest: float
) -> str:
    """A line of the table.

    Args:
        match: What it shows.
        explanation: Where it stands.
        colours: The colour number of each role.
        largest: The contribution whose bar takes up all the room, above 0.
    """
    role = match.role1 if match.role1 is not None else match.role2
    kind = ""
    if corrects(match):
        kind = "hs-swap"
    elif role is not None:
        kind = f"hs-r{colours[str(role)]}"
    shown = line(match, explanation)
    similarity, similarity_bar = NOTHING, fill("bar_hidden.html")
    if shown.similarity is not None:
        similarity = _number(shown.similarity, 4)
        similarity_bar = _bar(0.0, max(0.0, min(1.0, shown.similarity)))
    share = 0.5 * match.contribution / largest
    return fill(
        "row.html",
        kind=kind,
        name=escape(shown.name),
        cell1=_cell(shown.cell1),
        cell2=_cell(shown.cell2),
        similarity=similarity,
        similarity_bar=similarity_bar,
        weight=NOTHING if match.edits else _number(match.weight, 4),
        contribution=_number(match.contribution, 4),
        contribution_bar=_bar(0.5, max(-0.5, min(0.5, share))),
    )


def _cell(text: str) -> str:
    return fill("cell_empty.html" if text in ("", NOTHING) else "cell.html", text=escape(text))


def _bar(origin: float, length: float) -> str:
    """A bar from ``origin`` on, to the left where ``length`` is negative; both are shares of 1."""
    return fill(
        "bar_minus.html" if length < 0 else "bar.html",
        left=f"{(origin + min(length, 0.0)) * 100:.1f}",
        width=f"{abs(length) * 100:.1f}",
    )


def _number(value: float, digits: int) -> str:
    return _minus(f"{value:.{digits}f}")


def _minus(number: str) -> str:
    """The number with a minus sign in place of the hyphen."""
    return number.replace("-", "−")
