"""Writing an index: texts in, rows out, part by part, so that a killed run can resume."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from secrets import token_hex

import numpy as np

from hybridsem._typing import Float32Array, IntArray
from hybridsem._utils.progress import counter
from hybridsem._utils.validation import check_on_error, problem
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.reader.pairs import texts_in
from hybridsem.search.clauses import ROLES, Clauses, posting
from hybridsem.search.database import IDS, Database, Id, Row, as_bytes, writing
from hybridsem.search.folder import (
    ABOUT,
    JOURNAL,
    Folder,
    Manifest,
    Part,
    parts_begun,
)
from hybridsem.search.scoring import (
    DELETED,
    LEMMA_VECTORS,
    POSTINGS,
    VOCABULARY,
    Contents,
    Postings,
)
from hybridsem.search.storage import WORDS, Vocabulary, pack, read_texts
from hybridsem.search.vectors import (
    NEIGHBOURS,
    VECTORS,
    Vectors,
    append_records,
    available,
    build_graph,
    mapped,
    records,
)

PART = 16_384  # the most rows that a killed build loses
CHUNK = 512
GRAPH_FROM = 50_000
"""The least rows of an index with a graph of neighbours; smaller ones are searched row by row."""
MOST_LEMMAS = 32_768  # the number of the most frequent lemmas, whose vectors are stored


def write_texts(
    folder: Folder,
    made: Manifest,
    before: Contents | None,
    texts: Iterable[object],
    ids: Iterable[object] | None,
    model: Reader,
    on_error: str,
    progress: bool,
    total: int | None,
    replace_ids: bool = False,
) -> None:
    """Build an index or append to it, under the lock; ``replace_ids`` deletes former texts with the
    same ids. :class:`InputError` names the row, from 0, of a text that is not a sentence.
    """
    check_on_error(on_error)
    about: dict[str, object] = {
        "settings": made.settings,
        "contents": made.contents,
        "probe": made.probe,
        "precision": made.precision,
        "to": None if before is None else before.rows,
        "ids": ids is not None,
        "on_error": on_error,
    }
    known = _Ids(before, ids is not None, replace_ids)
    if before is None:
        database = folder.begun(about)
    else:
        database = before.database
        folder.clean(database.folder)
    with counter("Reading", total, progress) as advance:
        writer = _Writer(database, model, made, advance)
        parts = writer.write(known.rows(texts, ids, on_error), about)
    made = replace(
        made,
        numbered=known.numbered,
        parts=(*made.parts, *(replace(part, digest="") for part in parts if part.rows)),
        next_id=known.next_id,
    )
    if not made.parts:
        raise InputError("there is no text to index; an index has at least one")
    if before is None:
        finish(folder, database, made, *_values(database, made), model, progress)
    else:
        commit(before, made, before.with_ids(known.seen).values() if replace_ids else ())


def commit(before: Contents, made: Manifest, gone: Iterable[int]) -> None:
    """Make this the manifest of an index, with some more rows deleted."""
    database, deleted = before.database, [*before.deleted.tolist(), *gone]
    made = replace(made, deleted=len(deleted), mark=token_hex(8))
    with database.change():
        database.cut(made.starts[-1])
        database.remove(JOURNAL)
        deleted_rows = np.array(sorted(deleted), np.int64)
        database.put({DELETED: as_bytes(deleted_rows), ABOUT: _written(made)})


def copy_rows(
    folder: Folder, contents: Contents, rows: IntArray, model: Reader, progress: bool
) -> None:
    """Make an index of some of its rows, (r,) ascending."""
    database = folder.begun(None)
    for at in range(0, len(rows), PART):
        some = rows[at : at + PART]
        append_records(database.folder / VECTORS, at, contents.vectors.records(some))
        with database.change():
            database.add(at, contents.database.rows(some.tolist()))
    vocabulary, found = _values(contents.database, contents.manifest)
    new = np.full(contents.rows, -1, np.int64)
    new[rows] = np.arange(len(rows))
    found[1] = new[found[1]]
    whole = replace(_joined(contents.manifest.parts), rows=len(rows))
    made, found = replace(contents.manifest, parts=(whole,)), found[:, found[1] >= 0]
    finish(folder, database, made, vocabulary, found, model, progress)


def _values(database: Database, made: Manifest) -> tuple[bytes, IntArray]:
    """Return the vocabulary of all parts, and their pairs of a posting's key and a row, (2, m)."""
    starts, found = made.starts[:-1], [np.empty((2, 0), np.int64)]
    if made.kept == WORDS:
        found = [Postings(*database.arrays(POSTINGS, 3, at)).occurrences() for at in starts]
    vocabulary = b"".join(database.value(VOCABULARY, at) for at in starts)
    return vocabulary, np.concatenate(found, axis=1)


def finish(
    folder: Folder,
    database: Database,
    made: Manifest,
    vocabulary: bytes,
    occurrences: IntArray,
    model: Reader,
    progress: bool,
) -> None:
    """Make a new version the index in use: its parts are joined, and it gets a graph if there are
    enough rows, and the vectors of frequent lemmas.
    """
    place, whole, graph = database.folder, _joined(made.parts), None
    values = {VOCABULARY: vocabulary}
    if made.kept == WORDS:
        postings = Postings.of(occurrences)
        values[POSTINGS] = postings.as_bytes()
        values[LEMMA_VECTORS] = _lemma_vectors(postings, model, vocabulary)
    if whole.rows >= GRAPH_FROM and available():
        vectors = Vectors(place / VECTORS, whole.rows, made.dimension, made.precision)
        with writing(place), counter("Linking", whole.rows, progress) as advance:
            for rows in build_graph(vectors, place / NEIGHBOURS):
                advance(rows)
            graph = zlib.crc32(mapped(place / NEIGHBOURS))
    made = replace(made, parts=(whole,), deleted=0, graph=graph, mark=token_hex(8))
    with database.change():
        database.cut(whole.rows)
        for name in (POSTINGS, VOCABULARY, JOURNAL):
            database.remove(name)
        database.put({**values, ABOUT: _written(made)})
    folder.use(place)


def _written(made: Manifest) -> bytes:
    return json.dumps(asdict(made)).encode("ascii")


def _joined(parts: Sequence[Part]) -> Part:
    names = ("rows", "cut", "foreign", "unread")
    return Part(**{name: sum(getattr(part, name) for part in parts) for name in names})


class _Ids:
    """The ids of an index: unique, and all of one kind."""

    def __init__(self, before: Contents | None, given: bool, replaced: bool) -> None:
        self.numbered = before is None or before.manifest.numbered
        self.next_id = 0 if before is None else before.manifest.next_id
        self.begun = before is not None
        self.before, self.seen = None if replaced else before, set[Id]()
        if not given and not self.numbered:
            raise InputError("the texts of this index have ids of their own; give some")

    def rows(
        self, texts: Iterable[object], ids: Iterable[object] | None, on_error: str
    ) -> Iterator[Row | None]:
        """Yield the rows of texts; None for a text that is left out."""
        texts = texts if isinstance(texts, Iterator) else texts_in(texts)
        named = None if ids is None else iter(ids)
        for number, text in enumerate(texts):
            one: object = self.next_id
            if named is None:
                self.next_id += 1
            elif (one := next(named, None)) is None:
                raise InputError(f"text {number} has no id; one each is needed")
            if isinstance(one, bool) or not isinstance(one, (int, str, np.integer)):
                raise InputError(
                    f"text {number}: an id is a whole number or a text, got {one!r:.80}"
                )
            if (why := problem(text)) is not None:
                if on_error == "fail":
                    raise InputError(f"text {number}: {why}")
                yield None
                continue
            row = Row(one if isinstance(one, str) else int(one), str(text))
            if named is not None:
                self._check(row.id)
            yield row
        if named is not None and next(named, None) is not None:
            raise InputError("there are more ids than texts; one each is needed")

    def _check(self, one: Id) -> None:
        number = isinstance(one, int)
        if not self.begun:
            self.begun, self.numbered = True, number
        if number != self.numbered:
            kind = "whole numbers" if self.numbered else "texts"
            raise InputError(f"the ids of this index are {kind}, got {one!r:.80}")
        if isinstance(one, int):
            if one not in IDS:
                raise InputError(f"an id has at most 63 bits, got {one!r:.80}")
            self.next_id = max(self.next_id, one + 1)
        if one in self.seen or (self.before is not None and self.before.with_ids([one])):
            raise InputError(f"the id {one!r:.80} is a duplicate; ids are unique")
        self.seen.add(one)


@dataclass(frozen=True)
class _Writer:
    database: Database
    model: Reader
    made: Manifest
    on_rows: Callable[[int], None]

    def write(self, rows: Iterator[Row | None], about: dict[str, object]) -> list[Part]:
        """Write the rows after those of the index; unchanged parts of a killed run with the same
        settings (``about``) are not read again.
        """
        first, digest = self.made.starts[-1], ""
        done = list(parts_begun(self.database, about) or ())
        vocabulary, parts = Vocabulary(), list[Part]()
        for start in self.made.starts[:-1]:
            vocabulary.extend(self.database.value(VOCABULARY, start))
        while some := list(islice(rows, PART)):
            usable = [row for row in some if row is not None]
            digest = _digest(digest, some)
            if done and done[0].digest == digest:
                parts.append(done.pop(0))
                if usable:
                    vocabulary.extend(self.database.value(VOCABULARY, first))
                self.on_rows(len(some))
            else:
                done = []  # from here on the rows differ
                part = Part(0, digest)
                values, packed = dict[str, bytes](), list[Row]()
                if usable:
                    part, values, packed = self._part(usable, digest, first, vocabulary)
                self.on_rows(len(some) - len(usable))
                parts.append(part)
                with self.database.change():
                    self.database.cut(first)
                    self.database.add(first, packed)
                    self.database.put(values, first)
                    journal = {"about": about, "parts": [*map(asdict, parts)]}
                    self.database.put({JOURNAL: json.dumps(journal).encode("ascii")})
            first += parts[-1].rows
        return parts

    def _part(
        self, rows: Sequence[Row], digest: str, first: int, vocabulary: Vocabulary
    ) -> tuple[Part, dict[str, bytes], list[Row]]:
        """Read texts, write their vectors from the row ``first`` on, and return what the database
        gets.
        """
        vectors: list[Float32Array] = []
        packed: list[bytes] = []
        keys: list[set[int]] = []
        cut, non_english, number_of = 0, 0, vocabulary.number_of
        # Texts of similar lengths together, so that there is little padding.
        order = sorted(range(len(rows)), key=lambda row: len(rows[row].text))
        texts = [rows[row].text for row in order]
        chunks = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
        # In each process, read_texts with the reader of that process.
        for found in self.model.map(partial(partial, read_texts), chunks):
            vectors.append(found.vectors)
            for one in found.words or ():
                packed.append(b"" if one is None else pack(one, vocabulary))
                of_roles = () if one is None else Clauses(one).role_words()
                keys.append({posting(number_of[lemma], role) for lemma, role in of_roles})
            cut, non_english = cut + found.cut, non_english + found.foreign
            self.on_rows(len(found.vectors))
        back = np.argsort(order, kind="stable").tolist()
        made = records(np.concatenate(vectors)[back], self.made.precision)
        append_records(self.database.folder / VECTORS, first, made)
        part = Part(len(rows), digest, cut, non_english, packed.count(b""))
        values = {VOCABULARY: vocabulary.take()}
        if self.made.kept == WORDS:
            of_rows = [(key, first + at) for at, place in enumerate(back) for key in keys[place]]
            values[POSTINGS] = Postings.of(np.array(of_rows, np.int64).reshape(-1, 2).T).as_bytes()
            whole = zip(rows, back, strict=True)
            rows = [row._replace(words=packed[place]) for row, place in whole]
        return part, values, list(rows)


def _digest(before: str, rows: Sequence[Row | None]) -> str:
    found = hashlib.blake2b(before.encode(), digest_size=16)
    for row in rows:
        content = b"-" if row is None else repr((row.id, row.text)).encode()
        found.update(len(content).to_bytes(8, "little"))
        found.update(content)
    return found.hexdigest()


def _lemma_vectors(postings: Postings, model: Reader, vocabulary: bytes) -> bytes:
    """Return the numbers and vectors of the most frequent lemmas that have one."""
    combiner, words = model.parts.combiner, Vocabulary()
    assert isinstance(combiner, HybridCombiner)
    words.extend(vocabulary)
    counts = np.bincount(postings.keys // len(ROLES), postings.counts)
    often = np.argsort(-counts, kind="stable")[:MOST_LEMMAS]
    numbers = np.sort(often[counts[often] > 0])
    pairs = [(words.lemmas[number],) * 2 for number in numbers.tolist()]
    tables = [
        word_rows(combiner.vectors, pairs[at : at + 4096]) for at in range(0, len(pairs), 4096)
    ]
    table = np.concatenate(tables) if tables else np.empty((0, 0), np.float32)
    known = table.any(axis=1)
    return as_bytes(numbers[known], table[known].astype(np.float32))
