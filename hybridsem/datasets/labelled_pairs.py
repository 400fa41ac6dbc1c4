"""Sentence pairs with labels: PAWS, SICK, SNLI, and the rows of ``labelled_sets.toml``.

PAWS    id  sentence1  sentence2  label           label 1: a paraphrase; PAWS-QQP writes b'…'
SICK    pair_ID  sentence_A  sentence_B  relatedness_score  entailment_judgment
SNLI    sentence1  sentence2  gold_label, or premise  hypothesis  label
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

from hybridsem._typing import Record, SentencePairs
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.safe_read import read_bytes, wrap_read_errors
from hybridsem._utils.tables import read_table
from hybridsem._utils.validation import problem
from hybridsem.datasets.rated_pairs import LAYOUTS, split_file
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import plain
from hybridsem.english.tokenise import detokenise
from hybridsem.errors import FormatError, UnknownNameError, listed
from hybridsem.tables.records import records

PARAPHRASE, DIFFERENT = "paraphrase", "different"
ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"
RELATED = "related"
LONGEST = 5_000  #: characters of a sentence; more are rows that a broken quotation has joined
#: How authors read two sentences: of one situation, of one scene, or each on its own.
READINGS = ("situation", "scene", "independent")
_SENTENCES = (
    ("sentence1", "sentence2"),
    ("sentence_a", "sentence_b"),
    ("premise", "hypothesis"),
    ("s1", "s2"),
    ("question1", "question2"),
    ("question", "sentence"),
    ("#1 string", "#2 string"),
)
_OF_INFERENCE = ("gold_label", "entailment_judgment", "entailment_label")
_LABELS = ("label", *_OF_INFERENCE, "is_duplicate", "quality")
_XML_LABELS = ("entailment", "value", "fracas_answer")


@dataclass(frozen=True)
class LabelledPairs:
    """Labelled pairs, phenomena (``kinds``), labels of the set, numbers of rows left out, and how
    the pairs are read (:data:`READINGS`).
    """

    source: str
    split: str | None
    sha256: str
    pairs: SentencePairs
    labels: tuple[str, ...]
    unlabelled: int = 0
    kinds: tuple[tuple[str, ...], ...] = ()
    known: tuple[str, ...] = ()
    repeated: int = 0
    broken: int = 0
    assume: str = READINGS[0]

    @property
    def rows(self) -> int:
        """The number of labelled pairs."""
        return len(self.labels)

    def text_pairs(self) -> SentencePairs:
        """Return the two texts of each pair."""
        return self.pairs


@dataclass(frozen=True)
class LabelledLayout:
    """A declared data set of labelled pairs (layouts.toml, labelled_sets.toml); call it to read.

    Attributes:
        files: The possible names of each split's file.
        labels: What a label of the files means.
        no_gold: The labels of rows that are left out.
        tokenised: Texts are detokenised, unless the option ``as_written`` is set.
        kinds: The columns that hold the phenomena of a row, separated by colons.
        only: The value that a column must have, if the file has it.
        csv_cells: Texts are cells of a csv file with their quotation marks, which are taken off.
        assume: One of :data:`READINGS`, unless the option of that name is another.
        joined: The mark that joins the words of a name; it is read as a blank.
        distinct: A pair that differs from an earlier one in case and white space alone is left out,
            as is a text of more than :data:`LONGEST` characters.
    """

    files: Mapping[str, Sequence[str]]
    labels: Mapping[str, str]
    no_gold: Sequence[str] = ()
    tokenised: bool = False
    kinds: Sequence[str] = ("kind",)
    only: Mapping[str, str] = field(default_factory=dict)
    csv_cells: bool = False
    joined: str = ""
    distinct: bool = False
    assume: str = READINGS[0]

    def __call__(self, path: Path, settings: Settings) -> LabelledPairs:
        """Read the data set."""
        file, split = split_file(path, self.files, settings.options.get("split"))
        pairs: list[tuple[str, str]] = []
        found: list[str] = []
        kinds: list[tuple[str, ...]] = []
        seen: set[tuple[str, ...]] = set()
        unlabelled = repeated = broken = 0
        for line, record in _records(file):
            if any(record.get(name, value) != value for name, value in self.only.items()):
                continue
            first, second, label = _columns(record, file)
            if label in self.no_gold:
                unlabelled += 1
                continue
            if label not in self.labels:
                known = ", ".join(map(repr, self.labels))
                raise FormatError(f"unknown label, got {label!r}; it is one of {known}", file, line)
            texts = self._text(first, settings), self._text(second, settings)
            for why in filter(None, map(problem, texts)):
                raise FormatError(why, file, line)
            if self.distinct:
                if max(map(len, texts)) > LONGEST:
                    broken += 1
                    continue
                if (key := tuple(map(plain, texts))) in seen:
                    repeated += 1
                    continue
                seen.add(key)
            pairs.append(texts)
            found.append(self.labels[label])
            cells = (str(record.get(name) or "").split(":") for name in self.kinds)
            kinds.append(tuple(filter(None, chain.from_iterable(cells))))
        if not found:
            raise FormatError("no row has a label", file)
        digest = hashlib.sha256(json.dumps([pairs, found], ensure_ascii=False).encode())
        about = file.name, split, digest.hexdigest(), pairs, tuple(found), unlabelled, tuple(kinds)
        of_set = tuple(dict.fromkeys(self.labels.values()))
        assume = str(settings.options.get("assume") or self.assume)
        return LabelledPairs(*about, of_set, repeated, broken, assume)

    def _text(self, cell: str, settings: Settings) -> str:
        text = _text(cell)
        if self.csv_cells and '""' in text and text[0] == text[-1] == '"':
            text = text[1:-1].replace('""', '"')
        if self.joined:
            text = text.replace(self.joined, " ")
        as_written = not self.tokenised or settings.options.get("as_written")
        return text if as_written else detokenise(text)


paws = LabelledLayout(**LAYOUTS["paws"])  #: PAWS-Wiki and PAWS-QQP
inference = LabelledLayout(**LAYOUTS["inference"])  #: SICK and SNLI
SETS: Mapping[str, Record] = read_table(str(Path(__file__).with_name("labelled_sets.toml")))


def labelled_set(name: str) -> LabelledLayout:
    """Return the reader of a set; :class:`UnknownNameError` for an unknown one.

    >>> sorted(set(labelled_set("rte").labels.values()))
    ['entailment', 'not_entailment']
    """
    if name not in SETS:
        raise UnknownNameError("set", name, SETS)
    names = {field.name for field in fields(LabelledLayout)}
    row = {key: value for key, value in SETS[name].items() if key in names}
    return LabelledLayout(**row, distinct=True)


def _records(file: Path) -> Iterator[tuple[int, Record]]:
    """Yield the records of a table or of RTE's and FraCaS's xml; txt is a table, as SICK's."""
    suffix = plain_suffix(file)
    if suffix == ".xml":
        return xml_pairs(file)
    return records(file, ".tsv" if suffix == ".txt" else None)


def _columns(record: Record, file: Path) -> tuple[str, str, str]:
    """Return the two sentences, and the label in lower case without outer blanks."""
    kinds = {"two sentences": _SENTENCES, "a label": [(name,) for name in _LABELS]}
    names: list[str] = []
    for what, known in kinds.items():
        columns = next((columns for columns in known if set(columns) <= record.keys()), None)
        if columns is None:
            why = f"no columns for {what}, got {listed(record)}; expected"
            raise FormatError(f"{why} {' or '.join(map(' and '.join, known))}", file)
        names += columns
    first, second = (str(record[name] or "") for name in names[:2])
    label = record[names[2]]
    return first, second, str("" if label is None else label).strip().lower()


def _text(cell: str) -> str:
    """Return a sentence; PAWS-QQP's files have literals of byte strings."""
    if cell[:2] not in ("b'", 'b"') or len(cell) < 3:
        return cell
    try:
        literal = ast.literal_eval(cell)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return cell
    return literal.decode("utf-8", "replace") if isinstance(literal, bytes) else cell


@wrap_read_errors
def xml_pairs(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the (number, record) of each pair of a file, from 1."""
    section, number = "", 0
    for _, element in ElementTree.iterparse(io.BytesIO(read_bytes(path)), ("end", "comment")):
        if element.tag is ElementTree.Comment:
            continue
        if element.tag == "comment" and element.get("class") == "section":
            section = _xml_text(element).lower()
        if element.tag in ("pair", "problem"):
            number += 1
            yield number, _xml_record(element, section, path, number)
            element.clear()
    if not number:
        raise FormatError("no element is a pair of RTE or a problem of FraCaS", path)


def _xml_record(element: ElementTree.Element, section: str, path: Path, number: int) -> Record:
    premises = [_xml_text(one) for tag in ("t", "p") for one in element.iter(tag)]
    hypothesis = element.find("h")
    if not premises or hypothesis is None:
        raise FormatError("has no text (t or p) or no hypothesis (h)", path, number, element.tag)
    label = next((element.attrib[name] for name in _XML_LABELS if name in element.attrib), "")
    return {
        "sentence1": " ".join(premises),
        "sentence2": _xml_text(hypothesis),
        "label": label,
        "genre": element.get("task", ""),
        "section": section,
        "premises": "several premises" if len(premises) > 1 else "one premise",
    }


def _xml_text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())
