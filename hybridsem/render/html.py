"""An explanation as an HTML fragment, a page, and an SVG document.

Text is escaped here, before it is put into a template.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from html import escape

from hybridsem.explanations import AlignedPair, CosineParts, Explanation, RoleMatch
from hybridsem.render.diagram import Picture, diagram, palette
from hybridsem.render.displays import table
from hybridsem.render.layout import NARROW, WIDTH, fixed, text_width
from hybridsem.render.summary import summary
from hybridsem.render.template_files import fill, fragment, page, style
from hybridsem.render.wording import (
    MARKS,
    NOTHING,
    Line,
    Share,
    corrects,
    facts,
    in_words,
    lines,
    minus,
    notes,
    related,
    shares_of,
    visible,
)

MAX_WORDS = 60  # the most words of a sentence for which there is a table of all pairs
STRONGEST = 55.0
"""The colour of the largest part of a cosine, in per cent, light enough for its number to be read.
"""

TOO_LONG = "The sentences are too long to be drawn."

HEADING_HEIGHT, LINE_HEIGHT, SUMMARY_FONT, LETTER = 66.0, 20.0, 15.0, 7.6
"""The heights of the strip above the picture in an SVG document and of a line of the summary; the
size of its font and the width of a letter.
"""


def as_svg(explanation: Explanation, width: float = WIDTH) -> str:
    """Return the picture of the explanation as an SVG document with its own style: two sentences,
    whose roles are joined by curves. It fits a README. Lines break at ``width`` pixels; up to 480
    are legible on a phone.
    """
    too_long = fill("too_long.svg", reason=TOO_LONG, middle=width / 2)
    picture = diagram(explanation, width) or Picture(too_long, "", 0.0, width, 80.0)
    x = f"{picture.left + 20:.1f}"
    rows = textwrap.wrap(summary(explanation), int((picture.width - 40) / LETTER))
    above = HEADING_HEIGHT + LINE_HEIGHT * len(rows)
    heading = fill(
        "heading.svg",
        style=style(),
        left=picture.left,
        top=-above,
        x=x,
        lines="".join(
            fill(
                "summary_line.svg",
                x=x,
                y=26 - above + LINE_HEIGHT * at,
                fixed=fixed(row, text_width(row, SUMMARY_FONT)),
                text=escape(row),
            )
            for at, row in enumerate(rows)
        ),
        score=minus(f"{explanation.score:.2f}"),
        model=escape(visible(explanation.model)),
    )
    return picture.svg("hs hs-diagram", heading + "\n", above) + "\n"


def as_html(explanation: Explanation) -> str:
    """Return the explanation as an HTML fragment with its own style, for notebooks."""
    return fragment(as_section(explanation))


def as_section(explanation: Explanation) -> str:
    """Return summary, score, picture and table as HTML, for a page that has the style."""
    parts = _parts(explanation)
    return parts["heading"] + parts["picture"] + parts["table"]


def as_page(explanation: Explanation) -> str:
    """Return the explanation as a standalone HTML page: it loads nothing, and follows the system's
    light or dark theme.
    """
    title = (
        f"{explanation.score:.2f} · {visible(explanation.sentence1)[:60]} | "
        f"{visible(explanation.sentence2)[:60]}"
    )
    parts = _parts(explanation)
    return page(escape(title), fill("explanation.html", **parts), style())


def _parts(explanation: Explanation) -> dict[str, str]:
    """Return the parts of a fragment and of a page."""
    return {
        "heading": fill(
            "heading.html",
            summary=escape(summary(explanation)),
            score=minus(f"{explanation.score:.2f}"),
            model=escape(visible(explanation.model)),
        ),
        "picture": _picture(explanation),
        "table": _table(explanation),
    }


def _picture(explanation: Explanation) -> str:
    """Return the picture for a screen and for a phone, of which a page shows the one that fits."""
    wide, narrow = (diagram(explanation, width) for width in (WIDTH, NARROW))
    if wide is None or narrow is None:
        return fill(
            "too_long.html",
            reason=TOO_LONG,
            sentence1=escape(visible(explanation.sentence1)),
            sentence2=escape(visible(explanation.sentence2)),
        )
    if wide.width <= NARROW:
        return wide.svg()
    return fill(
        "picture.html",
        wide=wide.svg("hs-diagram hs-wide"),
        narrow=narrow.svg("hs-diagram hs-narrow"),
    )


def _table(explanation: Explanation) -> str:
    """Return the contributions, which add up to the score, then the numbers behind it and the
    notes.
    """
    colours = palette(explanation)
    largest = max((abs(match.contribution) for match in explanation.matches), default=0.0) or 1.0
    rows = []
    for match, shown in lines(explanation):
        rows.append(_row(match, shown, colours, largest))
        shares = shares_of(match, explanation)
        if shares and explanation.cosine_parts is not None:
            rows.append(_opening(shares, explanation.cosine_parts))
    numbers = ""
    for name, value, first in facts(explanation):
        parts = [escape(name), f"<b>{minus(value)}</b>"]
        numbers += fill("fact.html", text=" ".join(parts[::-1] if first else parts))
    remarks = "".join(fill("note.html", note=escape(note)) for note in notes(explanation))
    return fill(
        "table.html",
        rows="\n".join(rows),
        score=minus(f"{explanation.score:.4f}"),
        bar=fill("bar_hidden.html"),
        facts=fill("facts.html", facts=numbers) if numbers else "",
        alignment=_alignment(explanation.alignment) if explanation.alignment else "",
        notes=fill("notes.html", notes=remarks) if remarks else "",
    )


def _alignment(pairs: Sequence[AlignedPair]) -> str:
    """Return the aligned words: a line that unfolds to a table."""
    heads = ["sentence 1", "sentence 2", "related", "similarity"]
    rows = (
        (pair.word1, pair.word2, related(pair.relation), minus(f"{pair.similarity:.2f}"))
        for pair in pairs
    )
    words = " · ".join(f"<bdi>{escape(in_words(pair))}</bdi>" for pair in pairs)
    return fill("alignment.html", summary=words, table=table("Aligned words", heads, rows))


def _row(match: RoleMatch, shown: Line, colours: Mapping[str, int], largest: float) -> str:
    """Return a line of the table; the bar of the ``largest`` contribution has the full width."""
    role = match.role1 if match.role1 is not None else match.role2
    kind = "" if role is None else f"hs-r{colours[str(role)]}"
    similarity, similarity_bar = NOTHING, fill("bar_hidden.html")
    if shown.similarity is not None:
        similarity = minus(f"{shown.similarity:.4f}")
        similarity_bar = _bar(0.0, max(0.0, min(1.0, shown.similarity)))
    share = 0.5 * match.contribution / largest
    return fill(
        "row.html",
        kind="hs-swap" if corrects(match) else kind,
        name=escape(shown.name),
        cell1=_cell(shown.cell1),
        cell2=_cell(shown.cell2),
        similarity=similarity,
        similarity_bar=similarity_bar,
        weight=NOTHING if match.edits else minus(f"{match.weight:z.4f}"),
        contribution=minus(f"{match.contribution:z.4f}"),
        contribution_bar=_bar(0.5, max(-0.5, min(0.5, share))),
    )


def _cell(text: str) -> str:
    kind = " class=hs-none" if text in ("", NOTHING) else ""
    return fill("cell.html", kind=kind, text=escape(text))


def _bar(origin: float, length: float) -> str:
    """Return a bar that starts at ``origin`` and extends to the left if ``length`` is negative;
    both are shares of 1.
    """
    kind = " class=hs-minus" if length < 0 else ""
    left = (origin + min(length, 0.0)) * 100
    return fill("bar.html", kind=kind, left=left, width=abs(length) * 100)


def _opening(shares: Sequence[Share], parts: CosineParts) -> str:
    """Return a row of the HTML table under the line: its words, which unfold to a table of all
    pairs.
    """
    texts = [" · ".join(dict.fromkeys(map(escape, filter(None, share[:2])))) for share in shares]
    if len(shares) > 1 and "," in shares[-2].words1 + shares[-2].words2:
        texts[-2] = "other words"
    named = ", ".join(
        f"<bdi>{text}</bdi> {_number(share.part)}"
        for text, share in zip(texts, shares, strict=True)
    )
    if max(len(parts.words1), len(parts.words2)) > MAX_WORDS:
        return fill("opening_closed.html", summary=f"of which {named}")
    heat = fill("scroll.html", label="all pairs", content=_heat(parts))
    return fill("opening.html", summary=f"of which {named}; all pairs", content=heat)


def _heat(parts: CosineParts) -> str:
    """Return the table of every word of one sentence with every word of the other."""
    largest = float(abs(parts.table).max()) or 1.0

    def coloured(part: float) -> str:
        kind, share = "minus" if part < 0 else "plus", STRONGEST * abs(part) / largest
        return _figure(part, f' class="hs-{kind}" style="--p:{share:.0f}%"')

    rows = (
        fill(
            "display_row.html",
            kind="",
            name=f"<bdi>{escape(visible(word))}</bdi>",
            cells="".join(map(coloured, row)) + _figure(sum(row)),
        )
        for word, row in zip((*parts.words1, MARKS), parts.table.tolist(), strict=True)
    )
    heads = (f"<bdi>{escape(visible(word))}</bdi>" for word in (*parts.words2, MARKS))
    return fill(
        "heat.html",
        columns="".join(fill("display_head.html", kind="", text=head) for head in heads),
        rows="\n".join(rows),
        sums="".join(map(_figure, parts.table.sum(0).tolist())),
        cosine=_number(parts.cosine),
    )


def _figure(value: float, kind: str = "") -> str:
    return fill("display_cell.html", kind=kind, text=_number(value))


def _number(value: float) -> str:
    return minus(f"{value:z.3f}")
