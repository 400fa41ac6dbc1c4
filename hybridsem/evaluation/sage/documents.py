"""Documents of SAGE: essays, articles, bills, some with a summary, of tables and JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.sage.sets import Sets, digest_of, load_sets, sampled
from hybridsem.tables.records import records
from hybridsem.tokenisers.named import Tokeniser, tokeniser

TEXT_COLUMNS = ("text", "article", "document", "source", "content", "body")
SUMMARY_COLUMNS = ("summary", "highlights", "abstract")
"""Names of columns, in lower case, the likeliest first."""

CUT = Option("cut", "documents end after so many tokens.", int, minimum=1)
"""The option of parts that read documents."""


@dataclass(frozen=True)
class Documents:
    """``texts``, all with something visible, and a summary each (empty where there is none)."""

    texts: tuple[str, ...]
    summaries: tuple[str, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many documents there are."""
        return len(self.texts)

    @cached_property
    def sha256(self) -> str:
        """Of texts and summaries."""
        return digest_of((*self.texts, "", *self.summaries))


def load_documents(path: Path, settings: Settings) -> Sets[Documents]:
    """The documents of a file, or of every file of a folder, sampled as the settings say."""
    return load_sets(path, lambda file: read_documents(file, settings))


def read_documents(path: Path, settings: Settings, *, summarised: bool = False) -> Documents:
    """The documents of a file (csv, tsv, jsonl, Parquet) with a column ``text`` and perhaps
    ``summary``.

    Empty documents, those whose summary is longer than they are, and where they have to be
    ``summarised`` those that have none, are left out and counted. A sample is of the others. With
    the option ``cut`` a text ends after so many tokens of the option ``tokeniser``.

    Raises :class:`FormatError` for a file without such a column, :class:`InputError` where nothing
    can be used.
    """
    texts, summaries = [], []
    excluded = {"empty": 0, "summary longer": 0, "no summary": 0}
    for line, record in records(path):
        text = _text(record, column(record, TEXT_COLUMNS, path, line), path, line)
        name = next((name for name in SUMMARY_COLUMNS if name in record), None)
        summary = "" if name is None else _text(record, name, path, line)
        if not text:
            excluded["empty"] += 1
        elif len(summary) > len(text):
            excluded["summary longer"] += 1
        elif summarised and not summary:
            excluded["no summary"] += 1
        else:
            texts.append(text)
            summaries.append(summary)
    kept = {why: count for why, count in excluded.items() if count}
    if not texts:
        needed = f"; a summary is in a column {' or '.join(SUMMARY_COLUMNS)}" if summarised else ""
        raise InputError(f"no document of {str(path)!r} can be used; left out: {kept}{needed}")
    chosen = sampled(len(texts), settings)
    found = [texts[i] for i in chosen]
    if (most := settings.options.get(CUT.name)) is not None:
        reader = tokeniser(settings.options.get("tokeniser") or "auto")
        found = [_cut(text, most, reader) for text in found]
    return Documents(tuple(found), tuple(summaries[i] for i in chosen), kept)


def column(record: Mapping[str, Any], names: tuple[str, ...], path: Path, line: int) -> str:
    """The first of the names that a record has as a column.

    Raises :class:`FormatError` where it has none.

    Args:
        record: A row of a file.
        names: In lower case, the one wanted most first.
        path: Of the file, for the message.
        line: In the file, for the message.
    """
    if (found := next((name for name in names if name in record), None)) is None:
        has = ", ".join(map(repr, record))
        raise FormatError(
            f"no column {' or '.join(map(repr, names))}; it has {has:.200}", path, line
        )
    return found


def _cut(text: str, most: int, reader: Tokeniser) -> str:
    """A text up to the end of so many tokens."""
    places = reader.places(text)
    return text if len(places) <= most else text[: places[most]].rstrip()


def _text(record: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    """The text in a column; empty where nothing visible is in it."""
    text = record[name]
    if text is None:
        return ""
    if not isinstance(text, str):
        raise FormatError(f"column {name!r}: expected a text, got {text!r:.80}", path, line)
    if (why := problem(text)) is not None:
        if "surrogate" in why:
            raise FormatError(f"column {name!r}: {why}", path, line)
        return ""
    return text
