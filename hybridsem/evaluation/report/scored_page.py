"""A scored file as one HTML page that stands alone: nothing is loaded, and all of it can be read
without its script, which sorts and filters.

Whatever comes from the file is escaped here, before it is put into a template of
``render/templates/report/``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from hybridsem import __version__
from hybridsem.evaluation.card import figure
from hybridsem.evaluation.report.scored import ScoredFile, ScoredPair
from hybridsem.render import as_section
from hybridsem.render.displays import escaped
from hybridsem.render.template_files import fill as fill_template
from hybridsem.render.template_files import style, text_of

__all__ = ["as_page"]

MEASURES = {"spearman": "Spearman's ρ", "pearson": "Pearson's r"}
WIDTH, HEIGHT, LEFT, BOTTOM = 520, 180, 8, 22
"""Of the picture of the distribution, in pixels."""
SIDE, MARGIN = 240, 34
"""Of the picture of scores by gold scores."""
NO_NUMBER = "–"
AGREES = 0.005
"""A gap below this is neither too high nor too low."""


def fill(template: str, /, **values: object) -> str:
    return fill_template(f"report/{template}", **values)


def as_page(found: ScoredFile) -> str:
    r"""The report as an HTML page.

    Args:
        found: What :func:`hybridsem.evaluation.report.scored.read_scored` read.

    >>> import tempfile
    >>> from hybridsem.evaluation.report.scored import read_scored
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as stream:
    ...     print("text1,text2,score", "It rains.,It pours.,0.9", sep="\n", file=stream, flush=True)
    ...     as_page(read_scored(stream.name, resamples=0))[:15]
    '<!DOCTYPE html>'
    """
    script = text_of("report/report.js")
    has_gold = found.with_gold > 0
    heads = [found.rows_are, "sentence 1", "sentence 2", "score"]
    keys = ["line", "one", "two", "score"]
    if has_gold:
        heads += ["gold score", "too high by"]
        keys += ["gold", "gap"]
    return (
        fill(
            "page.html",
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            title=escaped(f"Scores of {found.name}"),
            style=style() + text_of("report/report.css"),
            lead="\n".join(fill("lead.html", text=escaped(text)) for text in _lead(found)),
            pictures=_distribution(found) + (_grid(found) if found.grid else ""),
            notes=_notes(found),
            choice=escaped(_choice(found)),
            kinds=_options(_kinds(found)),
            sorts=_options(_sorts(has_gold)),
            caption="The pairs, their scores, and what was said of them",
            heads="".join(
                fill(
                    "head.html",
                    key=key,
                    kind=' class="hs-n"' if key in ("score", "gold", "gap") else "",
                    text=escaped(head),
                )
                for head, key in zip([*heads, "note"], [*keys, "note"], strict=True)
            ),
            rows="\n".join(_row(found, pair, has_gold) for pair in found.shown),
            about="\n".join(fill("paragraph.html", text=escaped(text)) for text in _about(found)),
            explanations="\n".join(_explanations(found)),
            made=escaped(
                f"Made by hybridsem {__version__}. Nothing on this page is loaded from elsewhere."
            ),
            script=script,
        )
        + "\n"
    )


def _lead(found: ScoredFile) -> Iterator[str]:
    """What the file is, in a few lines."""
    columns = ", ".join(f"{what}: {name!r}" for what, name in found.columns.items())
    yield (
        f"{found.rows:,} pairs, {found.scored:,} with a score, {found.rows - found.scored:,} "
        f"without; {columns}."
    )
    if found.correlations:
        measures = " and ".join(
            f"{MEASURES[name]} {figure(estimate)}" for name, estimate in found.correlations.items()
        )
        one = next(iter(found.correlations.values()))
        intervals = "" if one.low is None else " (95% intervals of a bootstrap)"
        yield f"With the gold scores of {one.n:,} pairs: {measures}{intervals}."
    elif found.with_gold == 0:
        yield "There is no column of gold scores."
    if found.quartiles:
        low, first, median, third, high = (_minus(f"{value:.3f}") for value in found.quartiles)
        yield (
            f"Half of the scores lie between {first} and {third}, the median is {median}; all lie "
            f"between {low} and {high}."
        )


def _choice(found: ScoredFile) -> str:
    text = f"Shown: {found.choice}."
    if found.grid:
        text += (
            " “Too high by” is the share of the pairs that a pair is ahead by its score, less that "
            "by its gold score: +30% is scored higher than three pairs in ten that people put "
            "above it. The furthest come first."
        )
    return text


def _options(options: dict[str, str]) -> str:
    return "".join(
        fill("option.html", value=escaped(value), text=escaped(text))
        for value, text in options.items()
    )


def _kinds(found: ScoredFile) -> dict[str, str]:
    kinds = {"": "all pairs"}
    if found.grid:
        kinds |= {"high": "scored too high", "low": "scored too low"}
    kinds |= {"noted": "with a note", "none": "without a score"}
    return kinds | ({"why": "with an explanation"} if _has_reasons(found) else {})


def _sorts(has_gold: bool) -> dict[str, str]:
    sorts = {"": "as they came"}
    if has_gold:
        sorts |= {
            "distance down": "furthest from gold",
            "gap down": "too high",
            "gap up": "too low",
        }
    return sorts | {"score down": "highest score", "score up": "lowest score", "line up": "place"}


def _key(pair: ScoredPair) -> str:
    return f"why-{pair.line}"


def _has_reason(pair: ScoredPair) -> bool:
    return pair.explanation is not None or bool(pair.figures)


def _has_reasons(found: ScoredFile) -> bool:
    return any(map(_has_reason, found.shown))


def _row(found: ScoredFile, pair: ScoredPair, has_gold: bool) -> str:
    kinds = []
    if pair.gap is not None and abs(pair.gap) >= AGREES:
        kinds.append("high" if pair.gap > 0 else "low")
    kinds += ["noted"] * bool(pair.note) + ["none"] * (pair.score is None)
    kinds += ["why"] * _has_reason(pair)
    gold = fill(
        "gold.html",
        gold=_value(pair.gold),
        gold_text=NO_NUMBER if pair.gold is None else f"{pair.gold:g}",
        gap=_value(pair.gap),
        gap_text=NO_NUMBER if pair.gap is None else _minus(f"{pair.gap:+.0%}"),
    )
    line = f"{pair.line}"
    return fill(
        "row.html",
        kinds=" ".join(kinds),
        rows_are=escaped(found.rows_are),
        line=line,
        where=fill("link.html", key=_key(pair), line=line) if _has_reason(pair) else line,
        text1=escaped(pair.text1),
        text2=escaped(pair.text2),
        score=_value(pair.score),
        score_text=_score(pair),
        gold=gold if has_gold else "",
        note=escaped(pair.note),
    )


def _value(number: float | None) -> str:
    return "" if number is None else f"{number:.6g}"


def _score(pair: ScoredPair) -> str:
    return NO_NUMBER if pair.score is None else _minus(f"{pair.score:.3f}")


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _about(found: ScoredFile) -> Iterator[str]:
    """Where the explanations come from."""
    if not _has_reasons(found):
        yield "There are none: neither were any made, nor has the file the columns of --details."
    if found.model is not None:
        yield f"Made for {found.explained:,} of the pairs shown, by {found.model}."
    if found.others:
        yield (
            f"{found.others:,} of them have another score than the file: it was scored by another "
            "model, or other files or settings. They explain the score that they show."
        )
    if any(pair.figures for pair in found.shown):
        yield "The figures are those that --details has written into the file."


def _explanations(found: ScoredFile) -> Iterator[str]:
    for pair in filter(_has_reason, found.shown):
        content = "" if pair.explanation is None else as_section(pair.explanation)
        if pair.figures:
            rows = "".join(
                fill("figure.html", name=escaped(name), value=escaped(value))
                for name, value in pair.figures.items()
            )
            where = escaped(f"{found.rows_are} {pair.line}")
            content += fill("figures.html", where=where, rows=rows)
        yield fill(
            "explanation.html",
            key=_key(pair),
            score=_score(pair),
            text1=escaped(pair.text1),
            text2=escaped(pair.text2),
            content=content,
        )


def _notes(found: ScoredFile) -> str:
    if not found.notes:
        return fill("paragraph.html", text="Nothing: every pair has a score and no note.")
    rows = "\n".join(
        fill("figure.html", name=escaped(note), value=f"{count:,}")
        for note, count in found.notes.items()
    )
    return fill("notes.html", rows=rows)


def _distribution(found: ScoredFile) -> str:
    """How many pairs have a score of each bin."""
    bins = found.distribution
    most = max((count for *_, count in bins), default=0) or 1
    step = (WIDTH - 2 * LEFT) / len(bins)
    floor = HEIGHT - BOTTOM
    parts = []
    for number, (low, high, count) in enumerate(bins):
        height = (floor - 10) * count / most
        parts.append(
            fill(
                "bar.svg",
                x=f"{LEFT + number * step + 0.5:.1f}",
                y=f"{floor - height:.1f}",
                width=f"{step - 1:.1f}",
                height=f"{height:.1f}",
                opacity="",
                title=f"{_minus(f'{low:.2f} to {high:.2f}')}: {count:,} pairs",
            )
        )
    parts.append(fill("axis.svg", path=f"M{LEFT} {floor}H{WIDTH - LEFT}"))
    ends = bins[0][0], bins[-1][1]
    for share, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        value = ends[0] + share * (ends[1] - ends[0])
        x = LEFT + share * (WIDTH - 2 * LEFT)
        parts.append(_tick(x, HEIGHT - 6, anchor, f"{value:.3g}"))
    fullest = max(bins, key=lambda one: one[2])
    label = (
        f"Distribution of {found.scored} scores; most, {fullest[2]}, lie between "
        f"{fullest[0]:.2f} and {fullest[1]:.2f}"
    )
    return fill(
        "picture.html",
        caption=escaped(f"Pairs by score; the highest bar has {most:,}."),
        width=WIDTH,
        height=HEIGHT,
        label=escaped(label),
        content="".join(parts),
    )


def _grid(found: ScoredFile) -> str:
    """Pairs by gold score and score: the darker a square, the more of them it has."""
    assert found.gold_range is not None  # where there is a grid
    most = max(count for column in found.grid for count in column) or 1
    size = SIDE / len(found.grid)
    parts = []
    for x, column in enumerate(found.grid):
        for y, count in enumerate(column):
            if count:
                parts.append(
                    fill(
                        "bar.svg",
                        x=f"{MARGIN + x * size:.1f}",
                        y=f"{8 + SIDE - (y + 1) * size:.1f}",
                        width=f"{size:.1f}",
                        height=f"{size:.1f}",
                        opacity=f' fill-opacity="{0.15 + 0.85 * (count / most) ** 0.5:.2f}"',
                        title=f"{count:,} pairs",
                    )
                )
    floor = 8 + SIDE
    parts.append(fill("axis.svg", path=f"M{MARGIN} 8V{floor}H{MARGIN + SIDE}"))
    low, high = found.distribution[0][0], found.distribution[-1][1]
    first, last = (f"{end:g}" for end in found.gold_range)
    parts += [
        _tick(MARGIN, floor + 16, "start", first),
        _tick(MARGIN + SIDE / 2, floor + 16, "middle", "gold score"),
        _tick(MARGIN + SIDE, floor + 16, "end", last),
        _tick(MARGIN - 4, floor, "end", f"{low:.3g}"),
        _tick(MARGIN - 4, 18, "end", f"{high:.3g}"),
    ]
    return fill(
        "picture.html",
        caption="Score, upwards, by gold score: the darker, the more pairs.",
        width=MARGIN + SIDE + 10,
        height=floor + 22,
        label="Scores by gold scores; their correlations stand above",
        content="".join(parts),
    )


def _tick(x: float, y: float, anchor: str, text: str) -> str:
    return fill("tick.svg", x=f"{x:g}", y=f"{y:g}", anchor=anchor, text=escaped(_minus(text)))
