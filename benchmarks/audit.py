"""Statements about pairs, drawn to be marked by readers, and how the marks of two readers agree.

    python -m benchmarks.audit write FILE.tsv --pairs 400 --seed 1 --data ../shared/data
    python -m benchmarks.audit table FIRST.tsv SECOND.tsv

``write`` has a row for each statement that a user is shown: the summary of the explanation, the
reasons of the judgement, and the lines of words that change the score by .05 or more. A reader
fills the column ``mark`` from the texts and the statement alone:

    true, false, misleading     any statement
    empty, beside               a summary that says nothing, or is true but not the point
    0, 1, 2, …                  the row "missing": the differences that matter without a statement

``table`` prints the shares of both readers together, with 95 % Wilson intervals, and their kappa.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import hybridsem
from benchmarks.command import DATA, run
from hybridsem.datasets.labelled_pairs import labelled_set
from hybridsem.datasets.plain_english import plain_pairs
from hybridsem.datasets.settings import Settings
from hybridsem.explanations import Explanation, Term
from hybridsem.render.wording import lines
from hybridsem.tables import read_pairs
from hybridsem.tables.records import records

if TYPE_CHECKING:
    from hybridsem.judge.judgement import Judgement

COLUMNS = ("pair", "source", "text1", "text2", "kind", "statement", "mark")
MARKS = ("true", "false", "misleading", "empty", "beside")
OF_SUMMARIES = frozenset({"empty", "beside"})
WITHOUT_WORDS = frozenset({Term.SENTENCE, Term.TOGETHER})
"""Lines that say nothing of the texts' words."""
LEAST = 0.05
"""The least change of the score for which a line is read."""
Z = 1.959964
"""The normal quantile of a 95 % interval."""
Row = Mapping[str, str]


def sources(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of each source; none is of a test set."""
    rated = read_pairs(data / "sts/stsb-en-dev.csv")
    found = {
        "plain-english": [(one.sentence1, one.sentence2) for one in plain_pairs(part="choose")],
        "stsb-dev": [(row.text1, row.text2) for row in rated],
    }
    for name in ("mrpc", "mnli"):
        file = data / f"everyday/{name}-train.tsv"
        found[f"{name}-train"] = [*labelled_set(name)(file, Settings()).pairs]
    return found


def drawn(data: Path, count: int, seed: int) -> list[tuple[str, str, tuple[str, str]]]:
    """Draw equally many pairs of each source: id, source, texts, in random order."""
    dice, found = random.Random(seed), list[tuple[str, str, tuple[str, str]]]()
    known = sources(data)
    for source, pairs in known.items():
        rows = dice.sample(range(len(pairs)), count // len(known))
        found += [(f"{source}-{row + 1}", source, pairs[row]) for row in rows]
    dice.shuffle(found)
    return found


def statements(explanation: Explanation, judgement: Judgement) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of what a user is shown of a pair, then a row for what is missing."""
    yield "summary", explanation.summary
    yield from (("reason", reason) for reason in judgement.reasons)
    for match, line in lines(explanation):
        if match.term not in WITHOUT_WORDS and abs(match.contribution) >= LEAST:
            cells = " | ".join(filter(None, (line.cell1, line.cell2)))
            shown = f"{line.name}: {cells}" if cells else line.name
            yield "line", f"{shown} ({match.contribution:+.2f})"
    yield "missing", ""


def rows(data: Path, count: int, seed: int) -> Iterator[Row]:
    """Yield the rows to mark."""
    pairs, nlp = drawn(data, count, seed), hybridsem.Pipeline()
    texts = [pair for _, _, pair in pairs]
    shown = zip(pairs, nlp.explain(texts), nlp.judge(texts), strict=True)
    for (name, source, pair), explanation, judgement in shown:
        for kind, statement in statements(explanation, judgement):
            yield dict(zip(COLUMNS, (name, source, *pair, kind, statement, ""), strict=True))


def marked(first: Path, second: Path) -> Iterator[tuple[Row, str, str]]:
    """Yield the rows of two readers with their marks; stop at rows that differ or have no mark."""
    both = ([row for _, row in records(file)] for file in (first, second))
    for one, two in zip(*both, strict=True):
        if any(one[name] != two[name] for name in COLUMNS[:-1]):
            raise SystemExit(f"the files differ at pair {one['pair']}")
        marks = one["mark"], two["mark"]
        known = set(MARKS) - (set() if one["kind"] == "summary" else OF_SUMMARIES)
        for mark in marks:
            if not (mark.isdecimal() if one["kind"] == "missing" else mark in known):
                raise SystemExit(f"pair {one['pair']}: unknown mark {mark!r} of a {one['kind']}")
        yield one, *marks


def wilson(count: float, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927)."""
    share, square = count / total, Z * Z / total
    half = Z * math.sqrt((share * (1 - share) + square / 4) / total)
    return (share + square / 2 - half) / (1 + square), (share + square / 2 + half) / (1 + square)


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Return Cohen's kappa of two readers (Cohen 1960); NaN if both give one mark alone."""
    agreed = sum(one == two for one, two in pairs) / len(pairs)
    first, second = map(Counter, zip(*pairs, strict=True))
    chance = sum(first[mark] * second[mark] for mark in first) / len(pairs) ** 2
    return (agreed - chance) / (1 - chance) if chance < 1 else math.nan


def shown(marks: Sequence[tuple[str, str]], mark: str) -> str:
    """Return the share of a mark by both readers, in %; the interval counts rows, not marks."""
    count = sum(pair.count(mark) for pair in marks) / 2
    low, high = wilson(count, len(marks))
    return f"{100 * count / len(marks):.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def table(found: Sequence[tuple[Row, str, str]]) -> Iterator[str]:
    """Yield a table of shares by kind and source; "any" is the share of pairs that lack one."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for row, *marks in found:
        missing = row["kind"] == "missing"
        pair = tuple("none" if mark == "0" else "any" if missing else mark for mark in marks)
        for source in ("all", row["source"]):
            groups.setdefault(f"{row['kind']}, {source}", []).append((pair[0], pair[1]))
        if not missing:
            groups.setdefault("statement, all", []).append((pair[0], pair[1]))
    names = (*MARKS, "any")
    yield f"| kind, source | rows | {' | '.join(names)} | kappa |"
    yield f"|{' --- |' * (len(names) + 3)}"
    for name, marks_ in sorted(groups.items()):
        cells = (shown(marks_, mark) if any(mark in p for p in marks_) else "–" for mark in names)
        yield f"| {name} | {len(marks_)} | {' | '.join(cells)} | {kappa(marks_):.2f} |"


def write(file: Path, pairs: int = 400, seed: int = 1, data: Path = DATA) -> None:
    """Draw pairs, and write their statements."""
    # Without a csv's quotation marks, which are part of statements.
    cells = ([" ".join(cell.split()) for cell in row.values()] for row in rows(data, pairs, seed))
    text = "\n".join(map("\t".join, [COLUMNS, *cells]))
    file.write_text(f"{text}\n", encoding="utf-8")


def compare(first: Path, second: Path) -> None:
    """Print shares and kappa of two readers."""
    print(*table([*marked(first, second)]), sep="\n")


COMMANDS = {"write": write, "table": compare}

if __name__ == "__main__":
    run(COMMANDS)
