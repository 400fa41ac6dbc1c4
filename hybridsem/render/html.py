"""An explanation as an HTML fragment, a page, and an SVG document."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from hybridsem._utils.terminal import visible
from hybridsem.explanations import AlignedPair, CosineParts, Explanation, RoleMatch
from hybridsem.render import displays
from hybridsem.render.diagram import Picture, diagram, palette
from hybridsem.render.layout import NARROW, WIDTH, fixed, text_width
from hybridsem.render.markup import Markup, escaped, head, joined, row, scrolling, table, tag
from hybridsem.render.summary import summary
from hybridsem.render.template_files import fragment, page, style
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
    too_long = tag("text", TOO_LONG, class_="hs-word", x=width / 2, y=46)
    picture = diagram(explanation, width) or Picture(too_long, "", 0.0, width, 80.0)
    x = picture.left + 20
    rows = textwrap.wrap(summary(explanation), int((picture.width - 40) / LETTER))
    above = HEADING_HEIGHT + LINE_HEIGHT * len(rows)
    size = {"x": picture.left, "y": -above, "width": "100%", "height": "100%", "rx": 14}
    drawn = [tag("style", Markup(style())), tag("rect", class_="hs-behind", **size)]
    for at, text in enumerate(rows):
        place = {"x": x, "y": 26 - above + LINE_HEIGHT * at}
        width_of = fixed(text, text_width(text, SUMMARY_FONT))
        drawn.append(tag("text", text, class_="hs-sum", **place, **width_of))
    model = tag("tspan", explanation.model, class_="hs-model", dx=10)
    score = minus(f"{explanation.score:.2f}")
    drawn.append(tag("text", score, model, class_="hs-headline", x=x, y=-20))
    return picture.svg("hs hs-diagram", joined(drawn, "\n"), above) + "\n"


def as_html(explanation: Explanation) -> str:
    """Return the explanation as an HTML fragment with its own style, for notebooks."""
    return fragment(as_section(explanation))


def as_section(explanation: Explanation) -> Markup:
    """Return summary, score, picture and table as HTML, for a page that has the style."""
    return joined((*_heading(explanation), _picture(explanation), *_table(explanation)))


def as_page(explanation: Explanation) -> str:
    """Return the explanation as a standalone HTML page: it loads nothing, and follows the system's
    light or dark theme.
    """
    texts = (visible(text)[:60] for text in (explanation.sentence1, explanation.sentence2))
    cards = _picture(explanation), joined(_table(explanation))
    content = *_heading(explanation), *(tag("div", card, class_="hs-card") for card in cards)
    title = f"{explanation.score:.2f} · {' | '.join(texts)}"
    return page(escaped(title), tag("main", joined(content, "\n")), style())


def _heading(explanation: Explanation) -> Iterator[Markup]:
    yield tag("p", summary(explanation), class_="hs-summary", dir="auto")
    yield tag("p", minus(f"{explanation.score:.2f}"), class_="hs-score")
    yield tag("p", f"similarity by the model {explanation.model}", class_="hs-model")


def _picture(explanation: Explanation) -> Markup:
    """Return the picture for a screen and for a phone, of which a page shows the one that fits."""
    wide, narrow = (diagram(explanation, width) for width in (WIDTH, NARROW))
    if wide is None or narrow is None:
        texts = explanation.sentence1, explanation.sentence2
        shown = (tag("p", text, dir="auto", class_="hs-long") for text in texts)
        return joined((tag("p", TOO_LONG, class_="hs-model"), *shown))
    if wide.width <= NARROW:
        return wide.svg()
    both = wide.svg("hs-diagram hs-wide"), narrow.svg("hs-diagram hs-narrow")
    return tag("div", *both, class_="hs-picture")


# The heads of the table of contributions, with the classes of their columns.
HEADS = {
    "role": None,
    "sentence 1": None,
    "sentence 2": None,
    "similarity": "hs-n hs-side",
    "weight": "hs-n hs-side",
    "contribution": "hs-n",
}
_HIDDEN = tag("span", class_="hs-bar", style="visibility:hidden")


def _table(explanation: Explanation) -> Iterator[Markup]:
    """Yield the contributions, which add up to the score, then the numbers behind it and the
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
    score = tag("td", minus(f"{explanation.score:.4f}"), _HIDDEN, class_="hs-n")
    named = tag("th", "score, the sum of the contributions", colspan=3)
    sums = tag("tfoot", tag("tr", named, tag("td", class_="hs-side", colspan=2), score))
    yield tag("div", table([*map(head, HEADS, HEADS.values())], rows, sums), class_="hs-lines")
    numbers = []
    for name, value, first in facts(explanation):
        parts = [escaped(name), tag("b", minus(value))]
        numbers.append(tag("span", joined(parts[::-1] if first else parts, " ")))
    if numbers:
        yield tag("p", *numbers, class_="hs-facts")
    if explanation.alignment:
        yield _alignment(explanation.alignment)
    if remarks := [tag("li", note) for note in notes(explanation)]:
        yield tag("ul", *remarks, class_="hs-notes")


def _alignment(pairs: Sequence[AlignedPair]) -> Markup:
    """Return the aligned words: a line that unfolds to a table."""
    heads = ["sentence 1", "sentence 2", "related", "similarity"]
    rows = (
        (pair.word1, pair.word2, related(pair.relation), minus(f"{pair.similarity:.2f}"))
        for pair in pairs
    )
    words = joined((tag("bdi", in_words(pair)) for pair in pairs), " · ")
    shown = displays.table("Aligned words", heads, rows)
    return tag("details", tag("summary", "aligned words: ", words), shown, class_="hs-aligned")


def _row(match: RoleMatch, shown: Line, colours: Mapping[str, int], largest: float) -> Markup:
    """Return a line of the table; the bar of the ``largest`` contribution has the full width."""
    role = match.role1 if match.role1 is not None else match.role2
    kind = None if role is None else f"hs-r{colours[str(role)]}"
    similarity: tuple[str, Markup] = NOTHING, _HIDDEN
    if shown.similarity is not None:
        bar = _bar(0.0, max(0.0, min(1.0, shown.similarity)))
        similarity = minus(f"{shown.similarity:.4f}"), bar
    share = max(-0.5, min(0.5, 0.5 * match.contribution / largest))
    weight = minus(f"{match.weight:z.4f}") if match.weighs else NOTHING
    added = minus(f"{match.contribution:z.4f}"), _bar(0.5, share)
    cells = (
        *map(_cell, (shown.cell1, shown.cell2)),
        tag("td", *similarity, class_="hs-n hs-side"),
        tag("td", weight, class_="hs-n hs-side"),
        tag("td", *added, class_="hs-n hs-add"),
    )
    return row(shown.name, cells, class_="hs-swap" if corrects(match) else kind)


def _cell(text: str) -> Markup:
    return tag(
        "td", tag("bdi", text), dir="auto", class_="hs-none" if text in ("", NOTHING) else None
    )


def _bar(origin: float, length: float) -> Markup:
    """Return a bar that starts at ``origin`` and extends to the left if ``length`` is negative;
    both are shares of 1.
    """
    left, width = (f"{100 * share:.1f}%" for share in (origin + min(length, 0.0), abs(length)))
    kind = "hs-minus" if length < 0 else None
    return tag("span", tag("i", class_=kind, style=f"left:{left};width:{width}"), class_="hs-bar")


EXPLAINED = (
    "What each word of sentence 1 (rows) adds to the cosine with each word of sentence 2 (columns)."
)


def _opening(shares: Sequence[Share], parts: CosineParts) -> Markup:
    """Return a row of the HTML table under the line: its words, which unfold to a table of all
    pairs.
    """
    texts = [" · ".join(dict.fromkeys(filter(None, share[:2]))) for share in shares]
    if len(shares) > 1 and "," in shares[-2].words1 + shares[-2].words2:
        texts[-2] = "other words"
    of_each = zip(texts, shares, strict=True)
    named = (joined((tag("bdi", text), _number(share.part)), " ") for text, share in of_each)
    shown = joined(("of which ", joined(named, ", ")))
    if max(len(parts.words1), len(parts.words2)) <= MAX_WORDS:
        heat = scrolling(_heat(parts), "all pairs")
        line = tag("summary", shown, "; all pairs")
        shown = tag("details", line, tag("p", EXPLAINED), heat)
    return tag("tr", tag("td", shown, colspan=len(HEADS)), class_="hs-opening")


def _heat(parts: CosineParts) -> Markup:
    largest = float(abs(parts.table).max()) or 1.0

    def coloured(part: float) -> Markup:
        kind, share = "minus" if part < 0 else "plus", STRONGEST * abs(part) / largest
        return tag("td", _number(part), class_=f"hs-{kind}", style=f"--p:{share:.0f}%")

    rows = (
        row(tag("bdi", word), [*map(coloured, parts_of), _number(sum(parts_of))])
        for word, parts_of in zip((*parts.words1, MARKS), parts.table.tolist(), strict=True)
    )
    heads = [tag("td"), *(head(tag("bdi", word)) for word in (*parts.words2, MARKS)), "sum"]
    sums = row("sum", map(_number, (*parts.table.sum(0).tolist(), parts.cosine)))
    return table(heads, rows, tag("tfoot", sums), class_="hs-heat")


def _number(value: float) -> str:
    return minus(f"{value:z.3f}")
