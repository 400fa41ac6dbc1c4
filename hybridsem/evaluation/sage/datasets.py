"""SAGE's data sets by name, fetched from the Hugging Face hub into local files, and collections.

``resolve("hub:scifact")`` is a folder in the cache. ``datasets.tsv`` describes each set. A folder
of copies, the variable ``HYBRIDSEM_HUB``, replaces the hub. BEIR's layout:

    corpus.jsonl    a document in each line  {"_id": "d1", "title": "A title", "text": "Its text."}
    queries.jsonl   a query in each line     {"_id": "q1", "text": "A question?"}
    qrels/test.tsv  with this header         query-id  corpus-id  score
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from hybridsem._typing import IntArray, Plain, Record
from hybridsem._utils.disk import sync
from hybridsem._utils.extras import extra
from hybridsem._utils.progress import screen
from hybridsem._utils.validation import problem
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import AssetError, FormatError, InputError
from hybridsem.tables.columns import number_in
from hybridsem.tables.records import records

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
HEADER = ["query-id", "corpus-id", "score"]
PACKED = ("", ".gz", ".zst")
OTHERS = 10  # irrelevant documents of a sample, for each query


@dataclass(frozen=True)
class Corpus:
    """The documents of a file in order; ``chosen`` are the places that take part, ascending."""

    path: Path
    chosen: IntArray

    def __len__(self) -> int:
        return len(self.chosen)

    def blocks(self, size: int) -> Iterator[list[str]]:
        """Yield the texts, ``size`` at a time."""
        chosen = set(self.chosen.tolist())
        numbered = enumerate(records(self.path))
        texts = (_document(record) for place, (_, record) in numbered if place in chosen)
        while block := list(islice(texts, size)):
            yield block


@dataclass(frozen=True)
class DataSet:
    """The number of sampled items, their sha256, and counts of unusable items by reason."""

    rows: int
    sha256: str
    excluded: Mapping[str, int]


@dataclass(frozen=True)
class Collection(DataSet):
    """Queries, gains of relevant documents, documents that are the query, and the corpus."""

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
    """Read a folder in BEIR's layout; unusable queries and judgements are excluded and counted."""
    digest = hashlib.sha256()
    corpus, queries = _file(folder, CORPUS), _file(folder, QUERIES)
    qrels_file = _qrels_file(folder, split)
    qrels = _qrels(qrels_file)
    asked = {name: _text(record, "text") for name, record in _by_id(queries, digest)}
    excluded = Counter({"unknown queries": len(qrels.keys() - asked.keys())})
    judged = {name: documents for name, documents in qrels.items() if name in asked}
    named = {document for documents in judged.values() for document in documents} | judged.keys()
    numbers: dict[str, int] = {}
    own: set[str] = set()
    size = 0
    for name, record in _by_id(corpus, digest):
        if name in named:
            numbers[name] = size
            unjudged = name not in judged.get(name, {name: 0})
            if unjudged and (query := asked[name].strip()) and query in _document(record):
                own.add(name)
        size += 1
    if not size:
        raise FormatError("no documents", corpus)
    known = (document in numbers for documents in judged.values() for document in documents)
    excluded["unknown documents"] = sum(not is_known for is_known in known)
    relevant: dict[str, dict[int, float]] = {}
    for name in asked:  # in the order of the file, those without judgements too
        scores = judged.get(name, {}).items()
        gains = {numbers[d]: 2.0**score - 1 for d, score in scores if score > 0 and d in numbers}
        if not gains:
            excluded["without relevant"] += 1
        elif problem(asked[name]) is not None:
            excluded["blank queries"] += 1
        else:
            relevant[name] = gains
    if not relevant:
        why = ", ".join(f"{count} {what}" for what, count in excluded.items() if count)
        why = f"no query of {str(folder)!r} has a relevant document ({why or 'no queries'})"
        raise InputError(why)
    given = [[name, sorted(judged[name].items())] for name in relevant]
    digest.update(json.dumps(given).encode())
    return Collection(
        rows=len(relevant),
        split=qrels_file.name.split(".")[0],
        sha256=digest.hexdigest(),
        ids=tuple(relevant),
        queries=tuple(asked[name] for name in relevant),
        relevant=tuple(relevant.values()),
        itself={place: numbers[name] for place, name in enumerate(relevant) if name in own},
        corpus=Corpus(corpus, np.arange(size)),
        excluded=+excluded,
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
        why = f"there is no {name} in {str(folder)!r}; a folder in BEIR's layout holds"
        raise InputError(f"{why} corpus.jsonl, queries.jsonl and qrels/test.tsv")
    return found[0]


def _qrels_file(folder: Path, split: str | None) -> Path:
    """Return the judgements of the split; by default test, or the only ones."""
    files = {path.name.split(".")[0]: path for path in sorted((folder / "qrels").glob("*.tsv*"))}
    wanted = split or ("test" if "test" in files or len(files) != 1 else next(iter(files)))
    if wanted not in files:
        there = ", ".join(files) or "none"
        raise InputError(f"there is no qrels/{wanted}.tsv in {str(folder)!r}; there is: {there}")
    return files[wanted]


def _qrels(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
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


def _by_id(path: Path, digest: Any) -> Iterator[tuple[str, Record]]:
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


def _text(record: Record, column: str) -> str:
    return str(record.get(column) or "")


def _document(record: Record) -> str:
    return f"{_text(record, 'title')} {_text(record, 'text')}".strip()


MARK = "hub:"
COPIES = "HYBRIDSEM_HUB"
BEIR = "beir"


@dataclass(frozen=True)
class HubSet:
    """The description of a data set; unknown fields are empty."""

    name: str
    part: str
    hub: str
    split: str
    layout: str
    revision: str = ""
    licence: str = ""
    subset: str = ""
    files: str = ""


@cache
def known_sets() -> Mapping[str, HubSet]:
    """Return the data sets by name."""
    text = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    rows = csv.DictReader(lines, delimiter="\t", restval="")
    return {row["name"]: HubSet(**row) for row in rows}


def resolve(path: Path) -> Path:
    """Return the path itself, or for ``hub:NAME`` the local files, fetched if they are missing."""
    if not path.name.startswith(MARK):
        return path
    name = path.name.removeprefix(MARK)
    if name not in known_sets():
        named = ", ".join(known_sets())
        raise InputError(f"unknown data set of SAGE, got {name!r}; known: {named}")
    wanted = known_sets()[name]
    copies = os.environ.get(COPIES)
    version = _state(Path(copies, wanted.hub)) if copies else wanted.revision[:12] or "newest"
    folder = cache_folder() / "sage" / f"{name}-{version}"
    found = folder / (name if wanted.layout == BEIR else f"{name}.jsonl")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not found.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{name}.") as scratch:
                made = Path(scratch) / "made"
                made.mkdir()
                _fetch(wanted, copies, Path(scratch) / "library", made)
                shutil.rmtree(folder, ignore_errors=True)
                made.rename(folder)
    return found


def _fetch(wanted: HubSet, copies: str | None, library: Path, folder: Path) -> None:
    if wanted.layout == BEIR:
        folder = folder / wanted.name
        (folder / "qrels").mkdir(parents=True)
        for subset, file in (("corpus", CORPUS), ("queries", QUERIES)):
            rows = _rows(wanted, copies, library, (subset,), (wanted.split, subset))
            records = (_with_id(row, wanted) for row in rows)
            _write(folder / file, (json.dumps(one, ensure_ascii=False) for one in records))
        judged = _rows(wanted, copies, library, ("default", "qrels"), (wanted.split,))
        cells = ([str(_cell(row, (column,), wanted)) for column in HEADER] for row in judged)
        _write(folder / "qrels" / f"{wanted.split}.tsv", map("\t".join, (HEADER, *cells)))
    else:
        rows = _rows(wanted, copies, library, (wanted.subset or None,), (wanted.split,))
        lines = (json.dumps(row, ensure_ascii=False, default=str) for row in rows)
        _write(folder / f"{wanted.name}.jsonl", lines)


Names = tuple[str | None, ...]


def _rows(
    wanted: HubSet, copies: str | None, library: Path, subsets: Names, splits: Names
) -> Iterator[Plain]:
    """Yield the rows of the first existing subset, in its first known split or its only one."""
    with extra("datasets", "benchmarks"):
        from datasets import disable_progress_bars, load_dataset
    if screen() is None:
        disable_progress_bars()
    source = wanted.hub if copies is None else str(Path(copies, wanted.hub))
    what: Plain = {"data_files": {wanted.split: wanted.files}} if wanted.files else {}
    if copies is None and wanted.revision:
        what["revision"] = wanted.revision
    problem: object = "the network is off (HYBRIDSEM_OFFLINE)"
    if copies is not None and not Path(source).is_dir():
        problem = "there is no such folder"
    elif copies is not None or not is_offline():
        for subset in subsets:
            try:
                found = load_dataset(source, subset, cache_dir=str(library), **what)
            except Exception as error:  # they share no base class; each is named to the user
                problem = f"{type(error).__name__}: {error}"
                continue
            only = [*found] if len(found) == 1 else []
            if named := [*(split for split in splits if split in found), *only]:
                yield from found[named[0]]
                return
            problem = f"it has no split {wanted.split!r}, but {', '.join(map(repr, found))}"
    why = f"the data set {wanted.name!r} cannot be read from {source!r}: {problem}; without the"
    copied = f"set {COPIES} to a folder that has a copy of {wanted.hub}, or name a local file"
    raise AssetError(f"{why} hub, {copied}")


def _with_id(row: Record, wanted: HubSet) -> Plain:
    """Return a record of a corpus or of queries in BEIR's layout."""
    title = {"title": row["title"]} if "title" in row else {}
    name, text = _cell(row, ("_id", "id"), wanted), _cell(row, ("text",), wanted)
    return {"_id": str(name), **title, "text": text}


def _cell(row: Record, names: tuple[str, ...], wanted: HubSet) -> object:
    if known := [name for name in names if name in row]:
        return row[known[0]]
    why = f"the data set {wanted.name!r} has no column {names[0]!r}; it has "
    why += f"{', '.join(map(repr, row)):.120}. The library may have read files of another format;"
    raise AssetError(f"{why} a folder in BEIR's layout can be given by its path")


def _state(copy: Path) -> str:
    """Return a hash of a copy's place and of its files' sizes and times."""
    states = ((str(file), file.stat()) for file in sorted(copy.rglob("*")))
    files = [(name, state.st_size, state.st_mtime_ns) for name, state in states]
    return f"copy-{hashlib.sha256(repr((str(copy.resolve()), files)).encode()).hexdigest()[:12]}"


def _write(file: Path, lines: Iterable[str]) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)
    sync(file)
