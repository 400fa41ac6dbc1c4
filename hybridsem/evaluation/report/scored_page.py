"""A scored file as one self-contained HTML page, readable without its script."""

from __future__ import annotations

from hybridsem import __version__
from hybridsem._utils.extras import extra
from hybridsem.evaluation.card import figure
from hybridsem.evaluation.report.pages import fill
from hybridsem.evaluation.report.scored import ScoredFile, ScoredPair
from hybridsem.render import as_section
from hybridsem.render.template_files import style

__all__ = ["as_page"]
MEASURES = {"spearman": "Spearman's ρ", "pearson": "Pearson's r"}
AGREES = 0.005  #: a gap below this is neither too high nor too low


def as_page(found: ScoredFile) -> str:
    """Return a scored file as an HTML page. Raises :class:`MissingExtraError` without Jinja2."""
    with extra("Jinja2", "report"):
        from markupsafe import Markup
    return fill(
        "report",
        f"Scores of {found.name}",
        base=style(),
        classes="hs hs-page hs-report",
        found=found,
        fullest=max(found.distribution, key=lambda one: one[2]),
        has_reasons=any(map(_has_reason, found.shown)),
        measures=MEASURES,
        kinds_of=_kinds_of,
        has_reason=_has_reason,
        section_of=lambda pair: Markup(as_section(pair.explanation)),
        figure=figure,
        number=lambda number: "" if number is None else f"{number:.6g}",
        whole="{:,}".format,
        quoted=repr,
        score_text=lambda pair: "–" if pair.score is None else _minus(f"{pair.score:.3f}"),
        minus=_minus,
        version=__version__,
    )


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


def _minus(number: str) -> str:
    return number.replace("-", "−")
