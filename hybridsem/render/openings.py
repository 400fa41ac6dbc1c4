"""The cosine's line, opened: its words as rows of the terminal's table, and as a heat table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from hybridsem.explanations import CosineParts, Explanation, RoleMatch, Term, WordPair
from hybridsem.render.template_files import fill
from hybridsem.render.wording import visible

__all__ = ["opening_of", "opening_row", "opening_rows"]

FEW = 3
"""Pairs of words that are named on the line."""

MANY = 20
"""Pairs of words that are listed where a table of all would be too large."""

MAX_WORDS = 60
"""Words of a sentence up to which there is a table of all pairs."""

MARKS = "sentence marks"
"""What the encoder puts round the words and pools with them."""

STRONGEST = 55.0
"""How much colour the largest part has, in per cent, so that its number can be read."""


def opening_of(match: RoleMatch, explanation: Explanation) -> CosineParts | None:
    """The parts of the line's similarity, where that is the cosine of the whole sentences."""
    first = next((line for line in explanation.matches if line.term == Term.SENTENCE), None)
    return explanation.cosine_parts if match is first else None


def opening_rows(parts: CosineParts) -> Iterator[tuple[str, str, str, float]]:
    """Rows under the line: name, a word of each sentence, what they add; they add up to it."""
    found = parts.largest(FEW)
    for number, (word1, word2, part) in enumerate(found):
        yield "  of which" if number == 0 else "", visible(word1), visible(word2), part
    others = parts.table.size - len(found)
    rest = parts.cosine - sum(pair.part for pair in found)
    yield "", f"{others} other pairs", "", rest


def opening_row(parts: CosineParts) -> str:
    """A row of the HTML table under the line: a summary that opens to a table of all pairs."""
    named = ", ".join(f"{_pair(pair)} {_number(pair.part)}" for pair in parts.largest(FEW))
    small = max(len(parts.words1), len(parts.words2)) <= MAX_WORDS
    return fill(
        "opening.html",
        summary=f"of which {named}; {'all pairs' if small else 'more'}",
        content=_heat(parts) if small else _list(parts),
    )


def _pair(pair: WordPair) -> str:
    return " · ".join(f"<bdi>{escape(visible(word))}</bdi>" for word in (pair.word1, pair.word2))


def _heat(parts: CosineParts) -> str:
    """Every word of one sentence against every word of the other."""
    largest = float(abs(parts.table).max()) or 1.0
    rows = []
    for word, row in zip((*parts.words1, MARKS), parts.table.tolist(), strict=True):
        cells = "".join(
            fill(
                "heat_cell.html",
                kind="hs-minus" if part < 0 else "hs-plus",
                share=f"{STRONGEST * abs(part) / largest:.0f}",
                part=_number(part),
            )
            for part in row
        )
        name = escape(visible(word))
        rows.append(fill("heat_row.html", word=name, cells=cells, sum=_number(sum(row))))
    columns = (fill("heat_column.html", word=escape(visible(w))) for w in (*parts.words2, MARKS))
    sums = (fill("heat_sum.html", part=_number(part)) for part in parts.table.sum(0).tolist())
    return fill(
        "heat.html",
        columns="".join(columns),
        rows="\n".join(rows),
        sums="".join(sums),
        cosine=_number(parts.cosine),
    )


def _list(parts: CosineParts) -> str:
    """The pairs that add most."""
    rows = (
        fill(
            "pairs_row.html",
            word1=escape(visible(pair.word1)),
            word2=escape(visible(pair.word2)),
            part=_number(pair.part, 4),
        )
        for pair in parts.largest(MANY)
    )
    return fill("pairs.html", rows="\n".join(rows))


def _number(value: float, digits: int = 3) -> str:
    # Adding 0 turns -0 into 0.
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
