"""How figures, ranks and tests are put into words, in all files alike."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from hybridsem.evaluation.report.leaderboard.board import Board, Figure, Row, Table
from hybridsem.evaluation.report.leaderboard.provenance import UNKNOWN
from hybridsem.evaluation.report.tables import NAMES, figure

INTRODUCTION = (
    "Similarity models side by side, from result cards. A rank is a range: models that cannot be "
    "told apart share the ranks between them. In brackets stand confidence intervals. Speed is the "
    "rows of the data a second, reading and statistics included, on the machine that made the "
    "card. What needs `embedded` runs on what ships with the package; a dash is what the card does "
    "not tell."
)
PUBLISHED = (
    "Published figures are as their papers print them: other data, parses or vectors than here. "
    "They take no part in the ranks."
)


def about_table(table: Table) -> str:
    """What the benchmark is, its paper, and how much data."""
    told = [text for text in (table.summary, table.citation) if text]
    return " ".join(_sentence(text) for text in [*told, f"{table.items:,} rows"])


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def measure_name(table: Table) -> str:
    """What the figures are, in words."""
    return NAMES.get(table.measure, table.measure)


def figure_text(shown: Figure | None) -> str:
    """Three decimals; a dash where the card has no such figure."""
    return UNKNOWN if shown is None else _number(shown.estimate.value)


def interval_text(shown: Figure | None) -> str:
    """The interval in brackets; empty where there is none."""
    if shown is None or shown.estimate.low is None or shown.estimate.high is None:
        return ""
    return f"[{_number(shown.estimate.low)}, {_number(shown.estimate.high)}]"


def published_text(given: Sequence[Decimal]) -> str:
    """A published figure with the decimals that it has; a range as one."""
    texts = [_without_zero(value) for value in given]
    return "–".join(texts) or UNKNOWN


def _without_zero(value: Decimal) -> str:
    text = str(value).replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def _number(value: float | None) -> str:
    return figure(value).replace("-", "−")


def speed_text(speed: float | None) -> str:
    """Rows a second: whole numbers from 10."""
    if speed is None:
        return UNKNOWN
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"


def ranks_of(table: Table, row: Row, group: str | None = None) -> str:
    """The range of ranks of a row in a column, the first if not given."""
    wanted = group or next(iter(table.groups), "")
    return row.figures[wanted].ranks if wanted in row.figures else UNKNOWN


def differences_by_paper(table: Table) -> dict[str, list[str]]:
    """What is not the same in the published rows: a line for each setting and difference of a
    paper, with the models that it is of.
    """
    papers: dict[str, dict[tuple[str, str], list[str]]] = {}
    for row in table.published:
        setting = ", ".join(filter(None, (row.setting, row.where)))
        lines = papers.setdefault(row.paper, {})
        lines.setdefault((setting, row.difference), []).append(row.model)
    return {
        paper: [
            ", ".join(dict.fromkeys(models))
            + (f" ({setting})" if setting else "")
            + (f": {difference}" if difference else "")
            for (setting, difference), models in lines.items()
        ]
        for paper, lines in papers.items()
    }


def rank_note(board: Board, table: Table) -> str:
    """What told the models of a table apart."""
    if table.unranked:
        return f"Nothing is ranked: {table.unranked}."
    if len(table.rows) < 2:
        return "One card: there is nothing to rank."
    rankings = table.rankings.values()
    tested = sum(ranking.tested for ranking in rankings)
    by_intervals = sum(ranking.by_intervals for ranking in rankings)
    undecided = sum(ranking.undecided for ranking in rankings)
    whole = tested + by_intervals + undecided
    parts = []
    if tested:
        parts.append(
            f"paired bootstrap tests over the same rows ({board.resamples:,} resamples, Benjamini "
            f"and Hochberg's correction in each column, level {board.level:g})"
            + _share(tested, whole)
        )
    if by_intervals:
        parts.append(
            f"whether their {_levels(table)}intervals overlap, as the cards hold no values of "
            "single rows" + _share(by_intervals, whole)
        )
    if undecided:
        parts.append(
            "nothing, for want of an interval, so that they share a rank" + _share(undecided, whole)
        )
    return f"Models are told apart by {'; by '.join(parts)}."


def _share(count: int, whole: int) -> str:
    return "" if count == whole else f" ({count:,} of {whole:,} pairs)"


def _levels(table: Table) -> str:
    """``95 % ``, where all cards have intervals of one level."""
    levels = {row.card.settings.get("level") for row in table.rows}
    level = levels.pop() if len(levels) == 1 else None
    return f"{level * 100:g} % " if isinstance(level, float) else ""
