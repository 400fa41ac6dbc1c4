"""A retrieval collection in BEIR's layout: a folder with these files.

corpus.jsonl      a document in each line  {"_id": "d1", "title": "A title", "text": "Its text."}
queries.jsonl     a query in each line     {"_id": "q1", "text": "A question?"}
qrels/test.tsv    with this header         query-id  corpus-id  score

A document is its title and its text, separated by a blank. The corpus stays on disk and is read
again in each pass.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.validation import problem
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.columns import number_in
from hybridsem.tables.records import records

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
HEADER = ["query-id", "corpus-id", "score"]
PACKED = ("", ".gz", ".zst")
OTHERS = 10
"""Irrelevant documents of a sample, for each query."""

Qrels = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Corpus:
    """The documents of a file in order; ``chosen`` are the places that take part, ascending."""

    path: Path
    chosen: IntArray
    state: tuple[int, int]
    """The size and the modification time of the file when it was checked."""

    def __len__(self) -> int:
        return len(self.chosen)

    def blocks(self, size: int) -> Iterator[list[str]]:
        """Yield the texts, ``size`` at a time; :class:`InputError` if the file has changed."""
        if _state(self.path) != self.state:
            why = f"the file was changed while it was in use, got {str(self.path)!r}; run again"
            raise InputError(why)
        chosen = set(self.chosen.tolist())
        numbered = enumerate(records(self.path))
        texts = (_document(record) for place, (_, record) in numbered if place in chosen)
        while block := list(islice(texts, size)):
            yield block


@dataclass(frozen=True)
class DataSet:
    """A data set as a part reads it: the number of items after sampling, the sha256 of what was
    read, and counts of unusable items by reason.
    """

    rows: int
    sha256: str
    excluded: Mapping[str, int]


@dataclass(frozen=True)
class Collection(DataSet):
    """Queries, the gains 2^rel - 1 of their relevant documents by number in the corpus, and the
    corpus. ``itself`` has the number of the document that is the query itself, as in ArguAna.
    """

    split: str
    ids: tuple[str, ...]
    queries: tuple[str, ...]
    relevant: tuple[Mapping[int, float], ...]
    itself: Mapping[int, int]
    corpus: Corpus


def is_collection(folder: Path) -> bool:
    """Test if a folder has a corpus in BEIR's layout."""
    return any((folder / f"{CORPUS}{suffix}").is_file() for suffix in PACKED)


def read_collection(folder: Path, split: str | None = None) -> Collection:
    """Read a folder in BEIR's layout. Excluded and counted: judgements of a missing query or
    document, and queries without a relevant document or text.
    """
    digest = hashlib.sha256()
    corpus, queries = _file(folder, CORPUS), _file(folder, QUERIES)
    qrels_file = _qrels_file(folder, split)
    qrels = _qrels(qrels_file)
    asked = {name: _text(record, "text") for name, record in _by_id(queries, digest)}
    reasons = ("unknown queries", "unknown documents", "without relevant", "blank queries")
    excluded = dict.fromkeys(reasons, 0)
    excluded["unknown queries"] = len(qrels.keys() - asked.keys())
    judged = {name: documents for name, documents in qrels.items() if name in asked}
    named = {document for documents in judged.values() for document in documents} | judged.keys()
    numbers: dict[str, int] = {}
    own: set[str] = set()
    state, size = _state(corpus), 0
    for name, record in _by_id(corpus, digest):
        if name in named:
            numbers[name] = size
            unjudged = name not in judged.get(name, {name: 0})
            if unjudged and (query := asked[name].strip()) and query in _document(record):
                own.add(name)
        size += 1
    if not size:
        raise FormatError("no documents", corpus)
    excluded["unknown documents"] = sum(
        d not in numbers for documents in judged.values() for d in documents
    )
    ids, relevant = [], []
    for name in asked:  # in the order of the file, those without judgements too
        gains = {
            numbers[document]: 2.0**score - 1
            for document, score in judged.get(name, {}).items()
            if score > 0 and document in numbers
        }
        if not gains:
            excluded["without relevant"] += 1
        elif problem(asked[name]) is not None:
            excluded["blank queries"] += 1
        else:
            ids.append(name)
            relevant.append(gains)
    if not ids:
        left_out = ", ".join(f"{count} {what}" for what, count in excluded.items() if count)
        why = left_out or "no queries"
        raise InputError(f"no query of {str(folder)!r} has a relevant document ({why})")
    digest.update(json.dumps([[name, sorted(judged[name].items())] for name in ids]).encode())
    return Collection(
        rows=len(ids),
        split=qrels_file.name.split(".")[0],
        sha256=digest.hexdigest(),
        ids=tuple(ids),
        queries=tuple(asked[name] for name in ids),
        relevant=tuple(relevant),
        itself={place: numbers[name] for place, name in enumerate(ids) if name in own},
        corpus=Corpus(corpus, np.arange(size), state),
        excluded={why: count for why, count in excluded.items() if count},
    )


def with_queries(whole: Collection, rows: Sequence[int], seed: int) -> Collection:
    """Return some of the queries; the corpus is their documents and ``OTHERS`` random ones each."""
    relevant, itself = [whole.relevant[row] for row in rows], whole.itself
    kept = {document for gains in relevant for document in gains}
    kept |= {itself[row] for row in rows if row in itself}
    others = np.setdiff1d(np.arange(len(whole.corpus)), sorted(kept), assume_unique=True)
    random, size = np.random.default_rng(seed), min(len(others), OTHERS * len(rows))
    drawn = random.choice(others, size, replace=False)
    places = np.sort(np.concatenate([drawn, np.array(sorted(kept), np.int64)]))
    number = {place: number for number, place in enumerate(places.tolist())}
    chosen = hashlib.sha256(json.dumps([whole.sha256, list(rows), places.tolist()]).encode())
    return replace(
        whole,
        rows=len(rows),
        sha256=chosen.hexdigest(),
        ids=tuple(whole.ids[row] for row in rows),
        queries=tuple(whole.queries[row] for row in rows),
        relevant=tuple({number[d]: gain for d, gain in one.items()} for one in relevant),
        itself={new: number[itself[row]] for new, row in enumerate(rows) if row in itself},
        corpus=replace(whole.corpus, chosen=whole.corpus.chosen[places]),
    )


def _file(folder: Path, name: str) -> Path:
    found = [path for suffix in PACKED if (path := folder / f"{name}{suffix}").is_file()]
    if not found:
        raise InputError(
            f"there is no {name} in {str(folder)!r}; a folder in BEIR's layout holds "
            "corpus.jsonl, queries.jsonl and qrels/test.tsv"
        )
    return found[0]


def _qrels_file(folder: Path, split: str | None) -> Path:
    """Return the judgements of the split; by default test, or the only ones."""
    files = {path.name.split(".")[0]: path for path in sorted((folder / "qrels").glob("*.tsv*"))}
    wanted = split or ("test" if "test" in files or len(files) != 1 else next(iter(files)))
    if wanted not in files:
        there = ", ".join(files) or "none"
        raise InputError(f"there is no qrels/{wanted}.tsv in {str(folder)!r}; there is: {there}")
    return files[wanted]


def _qrels(path: Path) -> Qrels:
    found: Qrels = {}
    for line, record in records(path):
        if [*record] != HEADER:
            why = f"expected the header {'<tab>'.join(HEADER)}, got {', '.join(record):.60}"
            raise FormatError(why, path, 1)
        query, document, written = (str(cell).strip() for cell in record.values())
        score = number_in(written)
        if score is None or not abs(score) < 100:
            raise FormatError(f"expected a number as score, got {written[:40]!r}", path, line)
        if found.setdefault(query, {}).setdefault(document, score) != score:
            why = f"two scores for query {query!r} and document {document!r}"
            raise FormatError(why, path, line)
    if not found:
        raise FormatError("no judgements", path)
    return found


def _by_id(path: Path, digest: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield records with their ids, which must be unique, and add them to the digest."""
    seen: set[str] = set()
    for line, record in records(path):
        name = record.get("_id", record.get("id"))
        if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
            raise FormatError(f"expected an _id, got {name!r:.40}", path, line)
        for column in ("title", "text"):
            if not isinstance(record.get(column), (str, type(None))):
                why = f"expected a string as {column}, got {record[column]!r:.40}"
                raise FormatError(why, path, line)
        if "text" not in record:
            raise FormatError(f"no text; it has: {', '.join(map(repr, record))[:80]}", path, line)
        name = str(name)
        if name in seen:
            raise FormatError(f"the id {name!r} occurs twice", path, line)
        seen.add(name)
        for part in (name, _text(record, "title"), _text(record, "text")):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        yield name, record


def _text(record: Mapping[str, Any], column: str) -> str:
    return str(record.get(column) or "")


def _document(record: Mapping[str, Any]) -> str:
    return f"{_text(record, 'title')} {_text(record, 'text')}".strip()


def _state(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns
