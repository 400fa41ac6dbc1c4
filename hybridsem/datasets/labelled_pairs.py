"""Sentence pairs with labels: PAWS (Zhang, Baldridge & He 2019), and natural-language inference as
in SICK and SNLI.

    PAWS    id  sentence1  sentence2  label           label 1: a paraphrase; PAWS-QQP writes b'…'
    SICK    pair_ID  sentence_A  sentence_B  relatedness_score  entailment_judgment
    SNLI    sentence1  sentence2  gold_label, or premise  hypothesis  label

MED, MoNLI and ConjNLI are read as SNLI is; a column ``kind`` holds phenomena, separated by colons.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsem._typing import SentencePairs
from hybridsem._utils.validation import problem
from hybridsem.datasets.rated_pairs import LAYOUTS, split_file
from hybridsem.datasets.settings import Settings
from hybridsem.english.tokenise import detokenise
from hybridsem.errors import FormatError, listed
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


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs with their labels and phenomena (``kinds``), and the number of rows without a label."""

    source: str
    split: str | None
    sha256: str
    pairs: SentencePairs
    labels: tuple[str, ...]
    unlabelled: int = 0
    kinds: tuple[tuple[str, ...], ...] = ()

    @property
    def rows(self) -> int:
        """The number of labelled pairs."""
        return len(self.labels)


@dataclass(frozen=True)
class LabelledLayout:
    """A declared data set of labelled pairs (layouts.toml); call it to read. ``files`` has the
    possible names of each split's file, ``no_gold`` the values of rows that are left out.
    """

    files: Mapping[str, Sequence[str]]
    labels: Mapping[str, str]
    no_gold: Sequence[str] = ()
    tokenised: bool = False

    def __call__(self, path: Path, settings: Settings) -> LabelledPairs:
        """Read the data set."""
        file, split = split_file(path, self.files, settings.options.get("split"))
        as_written = not self.tokenised or settings.options.get("as_written")
        pairs: list[tuple[str, str]] = []
        found: list[str] = []
        kinds: list[tuple[str, ...]] = []
        unlabelled = 0
        is_txt = file.suffix.lower() == ".txt"  # as SICK's, with tabs
        for line, record in records(file, ".tsv" if is_txt else None):
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


paws = LabelledLayout(**LAYOUTS["paws"])
"""PAWS-Wiki and PAWS-QQP."""
inference = LabelledLayout(**LAYOUTS["inference"])
"""SICK and SNLI."""


def _columns(record: Mapping[str, Any], file: Path) -> tuple[str, str, str]:
    """Return the two sentences, and the label in lower case without outer blanks."""
    names = next((pair for pair in _SENTENCES if set(pair) <= record.keys()), None)
    label = next((name for name in _LABELS if name in record), None)
    if names is None or label is None:
        missing = "two sentences" if names is None else "a label"
        sentences = " or ".join(map(" and ".join, _SENTENCES))
        known = sentences if names is None else ", ".join(_LABELS)
        raise FormatError(f"no columns for {missing}, got {listed(record)}; expected {known}", file)
    first, second = (str(record[name] or "") for name in names)
    return first, second, str("" if record[label] is None else record[label]).strip().lower()


def _text(cell: str) -> str:
    """Return a sentence; PAWS-QQP's files have literals of byte strings."""
    if cell[:2] not in ("b'", 'b"') or len(cell) < 3:
        return cell
    try:
        literal = ast.literal_eval(cell)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return cell
    return literal.decode("utf-8", "replace") if isinstance(literal, bytes) else cell
