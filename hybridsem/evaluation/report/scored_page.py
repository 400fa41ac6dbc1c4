"""A scored file as one HTML page that stands alone: nothing is loaded, and all of it can be read
without its script, which sorts and filters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hybridsem import __version__
from hybridsem.evaluation.card import figure
from hybridsem.evaluation.report.pages import fill, source
from hybridsem.evaluation.report.scored import ScoredFile, ScoredPair
from hybridsem.render import as_section
from hybridsem.render.template_files import style

__all__ = ["as_page"]

MEASURES = {"spearman": "Spearman's ρ", "pearson": "Pearson's r"}
NO_NUMBER = "–"
AGREES = 0.005
"""A gap below this is neither too high nor too low."""


def as_page(found: ScoredFile) -> str:
    r"""The report as an HTML page.

    Raises:
        MissingExtraError: Without Jinja2.

    >>> import tempfile
    >>> from hybridsem.evaluation.report.scored import read_scored
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as stream:
    ...     print("text1,text2,score", "It rains.,It pours.,0.9", sep="\n", file=stream, flush=True)
    ...     as_page(read_scored(stream.name, resamples=0))[:15]
    '<!DOCTYPE html>'
    """
    fullest = max(found.distribution, key=lambda one: one[2])
    return fill(
        "scored.html",
        source("report.js"),
        style() + source("report.css"),
        found=found,
        lead=_lead(found),
        about=_about(found),
        choice=_choice(found),
        kinds=_kinds(found),
        sorts=_sorts(found.with_gold > 0),
        distribution_label=(
            f"Distribution of {found.scored} scores; most, {fullest[2]}, lie between "
            f"{fullest[0]:.2f} and {fullest[1]:.2f}"
        ),
        kinds_of=_kinds_of,
        has_reason=_has_reason,
        section_of=_section,
        number=_value,
        score_text=_score,
        minus=_minus,
        version=__version__,
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


def _has_reason(pair: ScoredPair) -> bool:
    return pair.explanation is not None or bool(pair.figures)


def _has_reasons(found: ScoredFile) -> bool:
    return any(map(_has_reason, found.shown))


def _kinds_of(pair: ScoredPair) -> str:
    """What the page filters by."""
    ahead = 0.0 if pair.gap is None or abs(pair.gap) < AGREES else pair.gap
    kinds = {
        "high": ahead > 0,
        "low": ahead < 0,
        "noted": bool(pair.note),
        "none": pair.score is None,
        "why": _has_reason(pair),
    }
    return " ".join(kind for kind, holds in kinds.items() if holds)


def _section(pair: ScoredPair) -> Any:
    """The explanation of a pair, as HTML."""
    from markupsafe import Markup

    assert pair.explanation is not None
    return Markup(as_section(pair.explanation))


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
