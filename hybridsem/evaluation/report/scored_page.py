"""A scored file as one self-contained HTML page, readable without its script."""

from __future__ import annotations

from collections.abc import Iterator

from hybridsem.evaluation.card import figure
from hybridsem.evaluation.report import pages
from hybridsem.evaluation.report.pages import card, lead
from hybridsem.evaluation.report.scored import ScoredFile, ScoredPair
from hybridsem.render import as_section
from hybridsem.render.markup import Markup, head, joined, row, scrolling, table, tag
from hybridsem.render.wording import minus

__all__ = ["as_page"]
MEASURES = {"spearman": "Spearman's ρ", "pearson": "Pearson's r"}
AGREES = 0.005  #: a gap below this is neither too high nor too low
HIGH = "too high by"


def as_page(found: ScoredFile) -> str:
    """Return a scored file as an HTML page."""
    pictures = tag("div", _distribution(found), _grid(found), class_="pictures")
    notes: Markup = tag("p", "Nothing: every pair has a score and no note.")
    if found.notes:
        rows = (row(note, [f"{count:,}"], "hs-n") for note, count in found.notes.items())
        notes = table(["note", head("rows", "hs-n")], rows, caption="Notes", class_="notes")
    return pages.page_of(
        "report",
        f"Scores of {found.name}",
        *map(lead, _figures(found)),
        card("distribution", "Scores", pictures),
        card("notes", "Truncated and failed pairs", notes),
        card("list", "Pairs", *_pairs(found)),
        card("why", "Explanations", *_explanations(found)),
        is_styled=True,
    )


def _figures(found: ScoredFile) -> Iterator[str]:
    named = ", ".join(f"{what}: {name!r}" for what, name in found.columns.items())
    counts = f"{found.scored:,} with a score, {found.rows - found.scored:,} without"
    yield f"{found.rows:,} pairs, {counts}; {named}."
    if found.correlations:
        one, *_ = found.correlations.values()
        each = (f"{MEASURES[name]} {figure(own)}" for name, own in found.correlations.items())
        how = "" if one.low is None else " (95% bootstrap intervals)"
        yield f"With the gold scores of {one.n:,} pairs: {' and '.join(each)}{how}."
    elif not found.with_gold:
        yield "There is no column of gold scores."
    if found.quartiles:
        least, low, median, high, most = (minus(f"{value:.3f}") for value in found.quartiles)
        half = f"Half of the scores lie between {low} and {high}, the median is {median}"
        yield f"{half}; all lie between {least} and {most}."


def _distribution(found: ScoredFile) -> Markup:
    bins, wide = found.distribution, 520 - 16
    tallest = max(bins, key=lambda one: one[2])
    most, step = tallest[2] or 1, wide / len(bins)
    bars = []
    for at, (low, high, count) in enumerate(bins):
        height = 148 * count / most
        said = minus(f"{low:.2f} to {high:.2f}") + f": {count:,} pairs"
        bars.append(_bar(8 + at * step + 0.5, 158 - height, step - 1, height, said))
    low, high = bins[0][0], bins[-1][1]
    ends = ((8, "start", low), (260, "middle", (low + high) / 2), (512, "end", high))
    ticks = (_tick(x, 174, anchor, f"{value:.3g}") for x, anchor, value in ends)
    about = f"most, {tallest[2]}, lie between {tallest[0]:.2f} and {tallest[1]:.2f}"
    label = f"Distribution of {found.scored} scores; {about}"
    caption = f"Pairs by score; the highest bar has {most:,}."
    return _picture(caption, label, 520, 180, *bars, _axis("M8 158H512"), *ticks)


def _grid(found: ScoredFile) -> Markup | None:
    if not found.grid or found.gold_range is None:
        return None
    most, size = max(map(max, found.grid)) or 1, 240 / len(found.grid)
    squares = [
        _bar(34 + x * size, 248 - (y + 1) * size, size, size, f"{n:,} pairs", (n / most) ** 0.5)
        for x, column in enumerate(found.grid)
        for y, n in enumerate(column)
        if n
    ]
    (low, high), bins = found.gold_range, found.distribution
    across = ((34, "start", f"{low:g}"), (154, "middle", "gold score"), (274, "end", f"{high:g}"))
    ticks = [_tick(x, 264, anchor, text) for x, anchor, text in across]
    ticks += [
        _tick(30, y, "end", f"{end:.3g}") for y, end in ((248, bins[0][0]), (18, bins[-1][1]))
    ]
    caption = "Score, upwards, by gold score: the darker, the more pairs."
    label = "Scores by gold scores; their correlations are above"
    return _picture(caption, label, 284, 270, *squares, _axis("M34 8V248H274"), *ticks)


def _picture(caption: str, label: str, width: int, height: int, *content: Markup) -> Markup:
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    drawn = tag("svg", *content, role="img", aria_label=label, **size)
    return tag("figure", tag("figcaption", caption), drawn)


def _bar(
    x: float, y: float, width: float, height: float, said: str, shade: float | None = None
) -> Markup:
    opacity = None if shade is None else f"{0.15 + 0.85 * shade:.2f}"
    size = {"x": x, "y": y, "width": width, "height": height}
    return tag("g", tag("title", said), tag("rect", class_="bar", fill_opacity=opacity, **size))


def _axis(path: str) -> Markup:
    return tag("path", class_="axis", d=path)


def _tick(x: int, y: int, anchor: str, text: str) -> Markup:
    return tag("text", minus(text), x=x, y=y, text_anchor=anchor)


def _pairs(found: ScoredFile) -> Iterator[Markup]:
    """Yield the filters and the table of the pairs shown."""
    about = f"Shown: {found.choice}."
    kinds = {"": "all pairs"}
    if found.grid:
        share = "the share of pairs with a lower score minus the share with a lower gold score"
        about += f" “Too high by” is {share}. Pairs with the largest gap come first."
        kinds |= {"high": "scored too high", "low": "scored too low"}
    kinds |= {"noted": "with a note", "none": "without a score"}
    kinds |= {"why": "with an explanation"} if any(map(_has_reason, found.shown)) else {}
    orders = {"": "furthest first" if found.with_gold else "order of the file"}
    if found.with_gold:
        orders |= {
            "distance down": "furthest from gold",
            "gap down": "too high",
            "gap up": "too low",
        }
    orders |= {"score down": "highest score", "score up": "lowest score", "line up": "position"}
    yield tag("p", about)
    yield pages.filters(
        pages.field("Words", "words", "search", autocomplete="off"),
        pages.field("Score from", "from", "number", step="any", inputmode="decimal"),
        pages.field("to", "to", "number", step="any", inputmode="decimal"),
        pages.choice("Show", "kind", kinds),
        pages.choice("Sort by", "sort", orders),
    )
    columns = {"line": found.rows_are, "one": "sentence 1", "two": "sentence 2", "score": "score"}
    columns |= {"gold": "gold score", "gap": HIGH} if found.with_gold else {}
    columns["note"] = "note"
    heads = [
        head(name, "hs-n" if key in ("score", "gold", "gap") else None, data_key=key)
        for key, name in columns.items()
    ]
    rows = (_row(pair, columns) for pair in found.shown)
    yield table(heads, rows, caption="Pairs with their scores and notes", class_="pairs")


def _row(pair: ScoredPair, columns: dict[str, str]) -> Markup:
    line: object = pair.line
    if _has_reason(pair):
        line = tag("a", line, href=f"#why-{pair.line}")
    gold = "–" if pair.gold is None else f"{pair.gold:g}"
    gap = "–" if pair.gap is None else minus(f"{pair.gap:+.0%}")
    # The text of each cell, its value for sorting, and its class.
    cells: dict[str, tuple[object, object, str | None]] = {
        "line": (line, pair.line, None),
        "one": (pair.text1, None, "text"),
        "two": (pair.text2, None, "text"),
        "score": (_score(pair), _value(pair.score), "hs-n"),
        "gold": (gold, _value(pair.gold), "hs-n"),
        "gap": (gap, _value(pair.gap), "hs-n"),
        "note": (pair.note, None, "small"),
    }
    shown = []
    for key, name in columns.items():
        text, value, kind = cells[key]
        about = {"data_label": name, "data_value": value, "class_": kind}
        shown.append(tag("td", text, dir="auto" if kind == "text" else None, **about))
    return tag("tr", *shown, data_kind=_kinds_of(pair), data_score=_value(pair.score))


def _value(number: float | None) -> str:
    return "" if number is None else f"{number:.6g}"


def _score(pair: ScoredPair) -> str:
    return "–" if pair.score is None else minus(f"{pair.score:.3f}")


def _has_reason(pair: ScoredPair) -> bool:
    return pair.explanation is not None or bool(pair.figures)


def _kinds_of(pair: ScoredPair) -> str:
    """Return the words that the page filters by."""
    ahead = 0.0 if pair.gap is None or abs(pair.gap) < AGREES else pair.gap
    kinds = {
        "high": ahead > 0,
        "low": ahead < 0,
        "noted": bool(pair.note),
        "none": pair.score is None,
        "why": _has_reason(pair),
    }
    return " ".join(kind for kind, holds in kinds.items() if holds)


def _explanations(found: ScoredFile) -> Iterator[Markup]:
    """Yield the origin of the explanations, and each of them."""
    if not any(map(_has_reason, found.shown)):
        yield tag("p", "There are none: none were made, and the file has no columns of --details.")
    if found.model is not None:
        yield tag("p", f"Made for {found.explained:,} of the pairs shown, by {found.model}.")
    if found.others:
        why = "another model, other files or other settings made it"
        said = f"{found.others:,} of them differ from the file in the score: {why}."
        yield tag("p", f"{said} They explain the score that they show.")
    if any(pair.figures for pair in found.shown):
        yield tag("p", "The figures are from the columns that --details added to the file.")
    for pair in filter(_has_reason, found.shown):
        content = [] if pair.explanation is None else [as_section(pair.explanation)]
        if pair.figures:
            rows = (row(name, [value], "hs-n") for name, value in pair.figures.items())
            shown = table([], rows, caption="Figures in the file")
            content.append(scrolling(shown, f"Figures of {found.rows_are} {pair.line}"))
        texts = joined((tag("bdi", pair.text1), tag("bdi", pair.text2)), " | ")
        summary = tag("span", _score(pair), class_="hs-n"), " ", texts
        yield pages.disclosed(f"why-{pair.line}", summary, *content, back="list")
