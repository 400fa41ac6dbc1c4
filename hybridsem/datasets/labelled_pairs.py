"""Pairs of sentences with a label each: PAWS (Zhang, Baldridge & He 2019), and natural-language
inference as SICK and SNLI have it.

    PAWS    id  sentence1  sentence2  label           label 1: a paraphrase; PAWS-QQP writes b'…'
    SICK    pair_ID  sentence_A  sentence_B  relatedness_score  entailment_judgment
    SNLI    sentence1  sentence2  gold_label, or premise  hypothesis  label

MED, MoNLI and ConjNLI are read as SNLI is; a column ``kind`` holds phenomena, separated by colons.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsem._typing import SentencePairs
from hybridsem._utils.validation import problem
from hybridsem.datasets.layouts import split_file
from hybridsem.datasets.settings import Settings
from hybridsem.english.tokenise import detokenise
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.records import records

PARAPHRASE, DIFFERENT = "paraphrase", "different"
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
_SENTENCES = (
    ("sentence1", "sentence2"),
    ("sentence_a", "sentence_b"),
    ("premise", "hypothesis"),
    ("s1", "s2"),
)
_LABELS = ("label", "gold_label", "entailment_judgment", "entailment_label", "is_duplicate")
_CLASSES = (ENTAILMENT, NEUTRAL, CONTRADICTION)


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs with one label each, the phenomena that each shows, and the number of rows that were
    left out for want of a label.
    """

    source: str
    split: str | None
    sha256: str
    pairs: SentencePairs
    labels: tuple[str, ...]
    unlabelled: int = 0
    kinds: tuple[tuple[str, ...], ...] = ()

    @property
    def rows(self) -> int:
        """How many pairs have a label."""
        return len(self.labels)


@dataclass(frozen=True)
class LabelledLayout:
    """A data set of labelled pairs, read when it is called: the names that the ``files`` of each
    split may have, what files write for each label, and where the annotators did not agree (such
    rows are left out), and whether texts are detokenised, unless the option ``as_written`` is set.
    """

    files: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]
    no_gold: tuple[str, ...] = ()
    tokenised: bool = False

    def __call__(self, path: Path, settings: Settings) -> LabelledPairs:
        """Read the data set. Raises :class:`InputError` for an unknown split, or a folder without
        its file, :class:`FormatError` with file and line.
        """
        split = settings.options.get("split")
        if split is not None and split not in self.files:
            raise InputError(f"unknown split, got {split!r}; it is one of {', '.join(self.files)}")
        file, split = split_file(path, self.files, split, strict=False)
        as_written = not self.tokenised or settings.options.get("as_written")
        pairs: list[tuple[str, str]] = []
        found: list[str] = []
        kinds: list[tuple[str, ...]] = []
        unlabelled = 0
        for line, record in _rows(file):
            first, second, label = _columns(record, file)
            if label in self.no_gold:
                unlabelled += 1
                continue
            if label not in self.labels:
                known = ", ".join(map(repr, self.labels))
                raise FormatError(f"unknown label, got {label!r}; it is one of {known}", file, line)
            texts = _text(first), _text(second)
            if not as_written:
                texts = detokenise(texts[0]), detokenise(texts[1])
            for text in texts:
                if (why := problem(text)) is not None:
                    raise FormatError(why, file, line)
            pairs.append(texts)
            found.append(self.labels[label])
            kinds.append(tuple(filter(None, str(record.get("kind") or "").split(":"))))
        if not found:
            raise FormatError("no row has a label", file)
        digest = hashlib.sha256(json.dumps([pairs, found], ensure_ascii=False).encode())
        about = file.name, split, digest.hexdigest(), pairs, tuple(found)
        return LabelledPairs(*about, unlabelled, tuple(kinds))


paws = LabelledLayout(
    {
        "train": ("train.tsv",),
        "dev": ("dev.tsv", "dev_and_test.tsv", "paws-wiki-dev.tsv"),
        "test": ("test.tsv",),
    },
    {"1": PARAPHRASE, "0": DIFFERENT, "1.0": PARAPHRASE, "0.0": DIFFERENT},
    tokenised=True,
)
"""PAWS-Wiki and PAWS-QQP (Zhang, Baldridge & He 2019)."""

inference = LabelledLayout(
    {
        "train": ("SICK_train.txt", "snli_1.0_train.jsonl", "snli-train.tsv"),
        "dev": ("SICK_trial.txt", "snli_1.0_dev.jsonl", "snli-dev.tsv"),
        "test": ("SICK_test_annotated.txt", "snli_1.0_test.jsonl", "snli-test.tsv"),
    },
    {name: name for name in _CLASSES} | {str(n): name for n, name in enumerate(_CLASSES)},
    no_gold=("-", "", "-1"),
)
"""SICK (Marelli et al. 2014) and SNLI (Bowman et al. 2015)."""


def _rows(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The records of a table; a ``.txt`` file, as SICK's, is one with tabs."""
    return records(file, ".tsv") if file.suffix.lower() == ".txt" else records(file)


def _columns(record: Mapping[str, Any], file: Path) -> tuple[str, str, str]:
    """The two sentences and the label, in lower case and without blanks."""
    names = next((pair for pair in _SENTENCES if set(pair) <= record.keys()), None)
    label = next((name for name in _LABELS if name in record), None)
    if names is None or label is None:
        missing = "two sentences" if names is None else "a label"
        known = _names(_SENTENCES) if names is None else ", ".join(_LABELS)
        raise FormatError(f"no columns for {missing}, got {listed(record)}; expected {known}", file)
    first, second = (str(record[name] or "") for name in names)
    return first, second, str("" if record[label] is None else record[label]).strip().lower()


def _names(pairs: Sequence[tuple[str, str]]) -> str:
    return " or ".join(f"{first} and {second}" for first, second in pairs)


def _text(cell: str) -> str:
    """A sentence; PAWS-QQP's files hold the literals of byte strings."""
    if cell[:2] not in ("b'", 'b"') or len(cell) < 3:
        return cell
    try:
        literal = ast.literal_eval(cell)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return cell
    return literal.decode("utf-8", "replace") if isinstance(literal, bytes) else cell
