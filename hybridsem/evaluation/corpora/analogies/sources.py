"""What analogies are made from: sentences of any file, and entailments of NLI files.

    FILE.conllu                     the text of each tree
    a table (csv, tsv, jsonl, …)    both sentences of each row
    any other                       a sentence a line

Text that is written in words apart ("a dog runs ." of SNLI) is closed up. Where a file has no full
stops ("A dog runs" of SICK), each sentence is given one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.corpora.analogies.clause import is_plain
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.tables import open_pairs
from hybridsem.tables.columnar import COLUMNAR
from hybridsem.tables.excel import EXCEL

TABLES = (".csv", ".tsv", ".jsonl", *COLUMNAR, *EXCEL)
LABELS = ("label", "gold_label", "entailment_label", "entailment_judgment")
ENTAILMENT = "entailment"
STOPS = (".", "!", "?")
STOPPED = 0.01  # a file with a smaller share of texts that end in one is written without
APART = re.compile(r" (?=[.,;:!?)]|n['’]t\b|['’](?:s|m|re|ve|ll|d)\b)")


def read_sentences(paths: Iterable[Path]) -> list[str]:
    """The distinct plain sentences of files, in order: words, commas and a full stop, at most
    twenty words.

    Everything else in them is passed over. Raises :class:`InputError` for a file without any.
    """
    found: dict[str, None] = {}
    for path in paths:
        some = [text for text in _stopped(map(closed_up, _texts(path))) if is_plain(text)]
        if not some:
            raise InputError(
                f"no sentence that can be used in {str(path)!r}; expected English sentences "
                "with a capital, one a "
                f"line, or a table whose name ends in {', '.join(TABLES)}"
            )
        found.update(dict.fromkeys(some))
    return list(found)


@door
def read_entailments(path: Path) -> list[tuple[str, str]]:
    """The distinct entailments (premise, hypothesis) of plain sentences in an NLI file."""
    texts: list[str] = []
    for pair in open_pairs(path):
        record = pair.named
        label = next((record[name] for name in LABELS if name in record), None)
        if label is None:
            raise FormatError(
                f"no column of {', '.join(LABELS)}; it has {', '.join(record)}", path, pair.line
            )
        if str(label).strip().lower() == ENTAILMENT:
            texts += closed_up(pair.text1), closed_up(pair.text2)
    texts = _stopped(texts)
    found = [both for both in zip(texts[::2], texts[1::2], strict=True) if all(map(is_plain, both))]
    if not found:
        raise InputError(f"no plain sentences labelled {ENTAILMENT!r} in {str(path)!r}")
    return list(dict.fromkeys(found))


def closed_up(text: str) -> str:
    """A text without the blanks that stand before its punctuation and clitics, or at its ends."""
    return APART.sub("", " ".join(text.split()))


def _stopped(given: Iterable[str]) -> list[str]:
    """The texts of a file, with a full stop each where hardly any has a sign at its end."""
    texts = [text for text in given if text]
    if sum(text.endswith(STOPS) for text in texts) >= STOPPED * len(texts):
        return texts
    return [text if text.endswith(STOPS) else f"{text}." for text in texts]


def _texts(path: Path) -> Iterator[str]:
    suffix = plain_suffix(path)
    if suffix in (".conllu", ".conll"):
        yield from (tree.text for tree in read_conllu(path))
    elif suffix in TABLES:
        for pair in open_pairs(path):
            yield pair.text1
            yield pair.text2
    else:
        yield from (line for _, line in LineReader(path))
