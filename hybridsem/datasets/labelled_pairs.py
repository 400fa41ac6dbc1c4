"""Pairs of sentences with a label each: PAWS (Zhang, Baldridge & He 2019), and natural-language
inference as SICK and SNLI have it.

    PAWS    id  sentence1  sentence2  label           label 1: a paraphrase; PAWS-QQP writes b'…'
    SICK    pair_ID  sentence_A  sentence_B  relatedness_score  entailment_judgment
    SNLI    sentence1  sentence2  gold_label, or premise  hypothesis  label
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsem._typing import SentencePairs
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.english.detokenise import detokenise
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.records import records

__all__ = [
    "CONTRADICTION",
    "DIFFERENT",
    "ENTAILMENT",
    "NEUTRAL",
    "PARAPHRASE",
    "LabelledPairs",
    "inference",
    "paws",
]

PARAPHRASE, DIFFERENT = "paraphrase", "different"
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
_SENTENCES = (
    ("sentence1", "sentence2"),
    ("sentence_a", "sentence_b"),
    ("premise", "hypothesis"),
    ("s1", "s2"),
)
_LABELS = ("label", "gold_label", "entailment_judgment", "entailment_label", "is_duplicate")
_PAWS = {"1": PARAPHRASE, "0": DIFFERENT, "1.0": PARAPHRASE, "0.0": DIFFERENT}
_CLASSES = (ENTAILMENT, NEUTRAL, CONTRADICTION)
_INFERENCE = {name: name for name in _CLASSES} | {str(n): name for n, name in enumerate(_CLASSES)}
_NO_GOLD = ("-", "", "-1")
"""What SNLI writes where the annotators did not agree."""
_PAWS_FILES: Mapping[str, tuple[str, ...]] = {
    "train": ("train.tsv",),
    "dev": ("dev.tsv", "dev_and_test.tsv", "paws-wiki-dev.tsv"),
    "test": ("test.tsv",),
}
_INFERENCE_FILES: Mapping[str, tuple[str, ...]] = {
    "train": ("SICK_train.txt", "snli_1.0_train.jsonl", "snli-train.tsv"),
    "dev": ("SICK_trial.txt", "snli_1.0_dev.jsonl", "snli-dev.tsv"),
    "test": ("SICK_test_annotated.txt", "snli_1.0_test.jsonl", "snli-test.tsv"),
}
"""What the files of each split are called."""


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs with one label each, and the number of rows that were left out for want of a label.

    >>> LabelledPairs("mine", None, "", [("It rains.", "It is raining.")], ("1",)).rows
    1
    """

    source: str
    split: str | None
    sha256: str
    pairs: SentencePairs
    labels: tuple[str, ...]
    unlabelled: int = 0

    @property
    def rows(self) -> int:
        """How many pairs have a label."""
        return len(self.labels)


def paws(path: Path, settings: Settings) -> LabelledPairs:
    r"""A file of PAWS-Wiki or PAWS-QQP (Zhang, Baldridge & He 2019).

    Args:
        path: The file, or the folder of the data set.
        settings: Their options ``split``, for a folder, and ``as_written``: texts are not
            detokenised.

    Raises:
        InputError: An unknown split, or a folder without its file.
        FormatError: With file and line, a column, text or label that cannot be used.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv") as stream:
    ...     lines = "id\tsentence1\tsentence2\tlabel", "1\tIt rains .\tIt pours .\t1"
    ...     print(*lines, sep="\n", file=stream, flush=True)
    ...     found = paws(Path(stream.name), Settings())
    >>> found.pairs, found.labels
    ([('It rains.', 'It pours.')], ('paraphrase',))
    """
    as_written = bool(settings.options.get("as_written"))
    file, split = _file(path, settings.options.get("split"), _PAWS_FILES)
    return _read(file, split, _PAWS, str if as_written else detokenise)


def inference(path: Path, settings: Settings) -> LabelledPairs:
    r"""A file of SICK (Marelli et al. 2014) or SNLI (Bowman et al. 2015); rows on whose label the
    annotators did not agree are left out.

    Args:
        path: The file, or the folder of the data set.
        settings: Their option ``split``, for a folder.

    Raises:
        InputError: An unknown split, or a folder without its file.
        FormatError: With file and line, a column, text or label that cannot be used.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv") as stream:
    ...     lines = "premise\thypothesis\tlabel", "It pours.\tIt rains.\t0", "It pours.\tWow.\t-1"
    ...     print(*lines, sep="\n", file=stream, flush=True)
    ...     found = inference(Path(stream.name), Settings())
    >>> found.labels, found.unlabelled
    (('entailment',), 1)
    """
    file, split = _file(path, settings.options.get("split"), _INFERENCE_FILES)
    return _read(file, split, _INFERENCE, str)


def _read(
    file: Path, split: str | None, labels: Mapping[str, str], written: Callable[[str], str]
) -> LabelledPairs:
    pairs: list[tuple[str, str]] = []
    found: list[str] = []
    unlabelled = 0
    for line, record in _rows(file):
        first, second, label = _columns(record, file)
        if label in _NO_GOLD and labels is _INFERENCE:
            unlabelled += 1
            continue
        if label not in labels:
            known = ", ".join(map(repr, labels))
            raise FormatError(f"unknown label, got {label!r}; it is one of {known}", file, line)
        texts = (written(_text(first)), written(_text(second)))
        for text in texts:
            if (why := problem(text)) is not None:
                raise FormatError(why, file, line)
        pairs.append(texts)
        found.append(labels[label])
    if not found:
        raise FormatError("no row has a label", file)
    digest = hashlib.sha256(json.dumps([pairs, found], ensure_ascii=False).encode()).hexdigest()
    return LabelledPairs(file.name, split, digest, pairs, tuple(found), unlabelled)


def _rows(file: Path) -> Any:
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


def _file(
    path: Path, split: str | None, files: Mapping[str, tuple[str, ...]]
) -> tuple[Path, str | None]:
    """The file, and the split that it is where its name tells."""
    if split is not None and split not in files:
        raise InputError(f"unknown split, got {split!r}; it is one of {', '.join(files)}")
    if path.is_dir():
        wanted = split or "test"
        names = files[wanted]
        file = next((path / name for name in names if (path / name).is_file()), None)
        if file is None:
            raise InputError(
                f"expected a folder with {' or '.join(names)}, or a file; got {str(path)!r}"
            )
        return file, wanted
    told = next((name for name, known in files.items() if path.name in known), None)
    return path, told or split
