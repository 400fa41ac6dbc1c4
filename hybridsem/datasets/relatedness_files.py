"""Read the files of relatedness data sets, as they are distributed.

STR-2022, SemRel    PairID  Text  Score              Text: two lines, a sentence each
STSS-131, STSS-65   id; sentence; sentence; rating[; deviation]     with a header or without
GS2011, KS2013      a row a rating; ``phrases`` of layouts.toml has the columns
STS 2012 to 2016    STS.input.NAME.txt and STS.gs.NAME.txt, or a table a data set
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.validation import problem
from hybridsem.datasets import rated_pairs as rated
from hybridsem.datasets.rated_pairs import LAYOUTS, Layout, RatedPairs, rating, read_rated
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables import Pair, open_pairs
from hybridsem.tables.columns import number_in
from hybridsem.tables.records import SUFFIXES, records
from hybridsem.tables.rows import COLUMNAR, EXCEL
from hybridsem.tables.text import DELIMITERS, split

LINE_MARKS = ("\n", "\t", "\\n")  #: between the sentences of a cell; some files have other ones
STSS_DELIMITERS = (";", "\t", ",")
SENTENCE_ENDS = (".", "?", "!")


@dataclass(frozen=True)
class Phrases:
    """A table with a row for each rating: the columns of either text's words, and of the rating."""

    words1: Sequence[str]
    words2: Sequence[str]
    rating: str
    kind: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The required columns."""
        return tuple(dict.fromkeys((*self.words1, *self.words2, self.rating)))


PHRASES = tuple(Phrases(**row) for row in LAYOUTS["phrases"])  #: of GS2011, then three of KS2013


def relatedness(path: Path, settings: Settings) -> RatedPairs:
    """Read a file of any layout, or a folder of such files, whose figures are averaged."""
    if not path.is_dir():
        if _phrases_of(path) is not None:
            return _phrase_data(path, settings)
        return read_rated(_table(path), path.name)
    of_years = {file.name[10:-4]: file for file in sorted(path.glob("STS.input.*.txt"))}
    data_sets: dict[str, Iterable[Pair]] = {
        name: _semeval_pairs(file, path / f"STS.gs.{name}.txt") for name, file in of_years.items()
    }
    for file in sorted(path.iterdir()):
        if not file.is_file() or not _is_data(file):
            continue
        if (name := file.name[: file.name.lower().rindex(plain_suffix(file))]) in data_sets:
            raise InputError(f"two data sets are called {name!r} in {str(path)!r}; rename one")
        # Without other columns, whose names differ between files.
        data_sets[name] = (replace(pair, fields={}, layout=None) for pair in _table(file))
    if not data_sets:
        why = "expected a file of pairs, or a folder with STS.input.NAME.txt or tables; got"
        raise InputError(f"{why} {str(path)!r}")
    pairs: list[Pair] = []
    groups: dict[str, IntArray] = {}
    for name, own in data_sets.items():
        if name in (rated.ALL, rated.MEAN, rated.WEIGHTED_MEAN):
            why = f"a data set cannot be called {name!r}, which is a name in the results"
            raise InputError(f"{why}; rename it in {str(path)!r}")
        begin = len(pairs)
        pairs += own
        groups[name] = np.arange(begin, len(pairs))
    is_several = len(groups) > 1
    found = read_rated(pairs, path.resolve().name, groups=groups if is_several else None)
    return replace(found, averaged=is_several)


def _semeval_pairs(texts: Path, scores: Path) -> Iterator[Pair]:
    """Yield the pairs of a data set; an empty line of scores is an unrated pair."""
    row = -1
    with closing(iter(LineReader(scores))) as lines:
        for row, (number, line) in enumerate(LineReader(texts)):
            fields = line.split("\t")
            if len(fields) < 2:
                message = f"expected two texts with a tab between them, got {line[:60]!r}"
                raise FormatError(message, texts, number)
            at, score = next(lines, (0, ""))
            if not at:
                raise FormatError(f"ends after {row} scores; {texts.name} has more pairs", scores)
            yield Pair(fields[0], fields[1], rating(score, scores, at), row, number)
        if (more := next(lines, None)) is not None:
            message = f"has more scores than {texts.name} has pairs, {row + 1}"
            raise FormatError(message, scores, more[0])


def _is_data(file: Path) -> bool:
    """Test if a file of a folder is a data set: a table, or a text with a table's header."""
    if file.name.startswith((".", "STS.")):
        return False
    suffix = plain_suffix(file)
    if suffix == ".txt":
        return _phrases_of(file) is not None or "stss" in file.name.lower()
    return suffix in (*SUFFIXES, *COLUMNAR, *EXCEL)


def _table(file: Path) -> Iterable[Pair]:
    if (phrases := _phrases_of(file)) is not None:
        return _rated_pairs(file, phrases)[0]
    if "stss" in file.name.lower():
        return _stss_pairs(file)
    mark = DELIMITERS.get(plain_suffix(file))
    names = split(_first_lines(file)[0], mark) if mark is not None else []
    if "text" in (name.strip().lower() for name in names):
        return _two_lines(file)
    return _checked(open_pairs(file), file)


def _checked(pairs: Iterable[Pair], file: Path) -> Iterator[Pair]:
    """Yield the pairs; raise :class:`FormatError` for one without a text or rating."""
    for pair in pairs:
        layout = pair.layout
        columns = ("text1", "text2") if layout is None else (layout.text1, layout.text2)
        for column, text in zip(columns, (pair.text1, pair.text2), strict=True):
            if (why := problem(text)) is not None:
                raise FormatError(f"column {column!r}: {why}", file, pair.line)
        if pair.gold is None:
            if layout is None or layout.gold is None:
                raise FormatError("no column of ratings; it is called 'score'", file, 1)
            raise FormatError(f"column {layout.gold!r}: the rating is missing", file, pair.line)
        yield pair


def _two_lines(file: Path) -> Iterator[Pair]:
    """Yield the pairs of a table with both sentences in the column ``Text``."""
    row = -1
    for row, (line, record) in enumerate(records(file)):
        if missing := [name for name in ("text", "score") if name not in record]:
            why = f"no column {missing[0]!r}, got {listed(record)}"
            raise FormatError(f"{why}; expected PairID, Text and Score", file, 1)
        cell = str(record["text"] or "")
        mark = next((mark for mark in LINE_MARKS if mark in cell.strip()), "\n")
        sentences = [part.strip() for part in cell.split(mark) if problem(part) is None]
        if len(sentences) != 2:
            why = f"column 'text': expected two sentences on a line each, got {cell!r:.80}"
            raise FormatError(why, file, line)
        gold = _number(record["score"], "score", file, line)
        yield Pair(sentences[0], sentences[1], gold, row, line)
    if row < 0:
        raise FormatError("a header and no pairs", file)


def _stss_pairs(file: Path) -> Iterator[Pair]:
    """Yield the pairs of a delimited table, by the positions of its columns."""
    lines = _first_lines(file)
    mark = next((mark for mark in STSS_DELIMITERS if len(split(lines[0], mark)) > 2), None)
    if mark is None:
        why = "expected an id, two sentences and a rating with ';' between them, got"
        raise FormatError(f"{why} {lines[0]!r:.80}", file, 1)
    first, *others = ([cell.strip() for cell in split(line, mark)] for line in lines)
    text = 0 if number_in((others[0] if others else first)[0]) is None else 1
    if len(first) < text + 3:
        raise FormatError(f"expected two sentences and a rating, got {lines[0]!r:.80}", file, 1)
    places = range(text, text + 3)
    columns = [str(place + 1) for place in places]
    if all(number_in(cell) is None for cell in first) and not first[text].endswith(SENTENCE_ENDS):
        columns = [first[place] or f"column{place + 1}" for place in places]  # of a header
    yield from _checked(open_pairs(file, columns=columns, delimiter=mark), file)


def _phrase_data(file: Path, _: Settings, layouts: Sequence[Phrases] = PHRASES) -> RatedPairs:
    """Read a file with a row for each rating: mean ratings, and the single ones."""
    found = _phrases_of(file)
    if found is None or found not in layouts:
        expected = " or ".join(" ".join(layout.columns) for layout in layouts)
        why = f"expected a header with the columns {expected}"
        raise FormatError(f"{why}; got {_first_lines(file)[0]!r:.80}", file, 1)
    pairs, annotations = _rated_pairs(file, found)
    return read_rated(pairs, file.name, annotations=annotations)


def _rated_pairs(file: Path, layout: Phrases) -> tuple[list[Pair], list[Float64Array]]:
    """Return the distinct pairs of a table with a row for each rating, and the ratings of each."""
    ratings_of: dict[tuple[str, str], tuple[str, int, list[float]]] = {}
    names: list[str] = []
    for line, text in LineReader(file):
        cells = text.split()
        if not names:
            names = [cell.lower() for cell in cells]
            continue
        if len(cells) not in (0, len(names)):
            why = f"expected {len(names)} columns as in the header, got {len(cells)}"
            raise FormatError(why, file, line)
        if record := dict(zip(names, cells, strict=False)):
            sides = layout.words1, layout.words2
            first, second = (" ".join(record[name] for name in words) for words in sides)
            kind = record.get(layout.kind or "", "")
            *_, ratings = ratings_of.setdefault((first, second), (kind, line, []))
            ratings.append(_number(record[layout.rating], layout.rating, file, line))
    if not ratings_of:
        raise FormatError("a header and no pairs", file)
    pairs = [
        Pair(*texts, float(np.mean(found)), row, line, {"type": kind} if kind else {})
        for row, (texts, (kind, line, found)) in enumerate(ratings_of.items())
    ]
    return pairs, [np.array(found) for *_, found in ratings_of.values()]


def _phrases_of(file: Path) -> Phrases | None:
    """Return a file's layout by its header, None if it has no row for each rating."""
    if plain_suffix(file) in (*COLUMNAR, *EXCEL):
        return None
    names = set(_first_lines(file)[0].lower().split())
    return next((layout for layout in PHRASES if names.issuperset(layout.columns)), None)


def _first_lines(file: Path) -> list[str]:
    """Return the first one or two lines that are not blank."""
    found = list(islice((line for _, line in LineReader(file) if line.strip()), 2))
    if not found:
        raise FormatError("the file is empty; expected pairs of sentences", file)
    return found


def _number(cell: object, column: str, file: Path, line: int) -> float:
    value = rating(cell, file, line, f"column {column!r}: ")
    if value is None or math.isnan(value):
        raise FormatError(f"column {column!r}: expected a number, got {cell!r:.80}", file, line)
    return value


str2022 = Layout(**LAYOUTS["str2022"], rows=_two_lines)  #: STR-2022
semrel = Layout(**LAYOUTS["semrel"], rows=_table)  #: its folder, a file, or a table of the hub
stss = Layout(rows=_stss_pairs)  #: STSS-131 or STSS-65
gs2011 = partial(_phrase_data, layouts=PHRASES[:1])  #: Grefenstette & Sadrzadeh 2011
ks2013 = partial(_phrase_data, layouts=PHRASES[1:])  #: Kartsaklis & Sadrzadeh 2013, either file
