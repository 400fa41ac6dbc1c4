"""Writing an index: texts in, segments out, part by part, so that a killed run can resume."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, IntArray
from hybridsem._utils.progress import counter
from hybridsem._utils.validation import problem
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.errors import FormatError, InputError
from hybridsem.reader import Reader
from hybridsem.reader.pairs import texts_in
from hybridsem.search.files import (
    NEIGHBOURS,
    available,
    build_graph,
    damaged,
    mapped,
    save_arrays,
    stored,
    writing,
)
from hybridsem.search.folder import Folder, Journal, Manifest, Part
from hybridsem.search.scoring import Contents
from hybridsem.search.segment import Id, Rows, Segment, as_bytes, merged, write_segment
from hybridsem.search.storage import Vocabulary, pack, read_texts

PART = 16_384  # the most rows that a killed build loses
CHUNK = 512
GRAPH_FROM = 50_000
"""The least rows of a segment with a graph of neighbours; smaller ones are searched row by row."""
MOST_LEMMAS = 32_768  # the number of the most frequent lemmas, whose vectors are stored


class Row(NamedTuple):
    """A text and its id."""

    id: Id
    text: str


def write_texts(
    folder: Folder,
    made: Manifest,
    before: Manifest | None,
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
    if on_error not in ("fail", "skip"):
        raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
    about: dict[str, object] = {
        "settings": made.settings,
        "contents": made.contents,
        "probe": made.probe,
        "precision": made.precision,
        "to": None if before is None else [part.name for part in before.parts],
        "ids": ids is not None,
        "on_error": on_error,
    }
    in_use = before
    if before is None:  # an index that is replaced; one that cannot be read is in nobody's use
        with suppress(InputError, FormatError):
            in_use = folder.manifest()
    journal = folder.journal()
    if journal is not None and journal.about != about:
        journal = None
    folder.clean(in_use, journal)
    if journal is None and before is None:
        journal = Journal(about, folder.new_name("vocabulary", ".jsonl"), 0, 0)
    elif journal is None:
        checksum = zlib.crc32(folder.read(made.vocabulary, made))
        journal = Journal(about, made.vocabulary, made.bytes, checksum)
    path, vocabulary = folder.file(journal.vocabulary), Vocabulary()
    with writing(folder.path):
        lines = path.read_bytes()[: journal.bytes] if path.exists() else b""
    if zlib.crc32(lines) != journal.sum:
        raise damaged(path)
    vocabulary.extend(lines)
    contents = None if before is None or ids is None else Contents.load(folder, before)
    former = {} if contents is None else {name: row for row, name in contents.ids()}
    known = _Ids(before, ids is not None, () if replace_ids else former)
    rows = known.rows(texts, ids, on_error)
    with counter("Reading", total, progress) as advance:
        writer = _Writer(folder, model, vocabulary, made.precision, advance)
        journal = writer.write(rows, journal)
    parts = tuple(replace(part, digest="") for part in journal.parts if part.rows)
    if not parts and before is None:
        raise InputError("there is no text to index; an index has at least one")
    made = replace(
        made,
        numbered=known.numbered,
        vocabulary=journal.vocabulary,
        bytes=journal.bytes,
        sums={**made.sums, journal.vocabulary: journal.sum},
        parts=(*(before.parts if before else ()), *parts),
        next_id=known.next_id,
    )
    if before is None:
        everything = [np.arange(part.rows) for part in made.parts]
        made = merge_segments(folder, made, everything, model, vocabulary, progress)
    gone = [row for name, row in former.items() if name in known.seen] if replace_ids else []
    if contents is not None and gone:
        made = replace(made, deleted=write_deleted(folder, contents, gone))
    folder.commit(made)


def write_deleted(folder: Folder, contents: Contents, rows: Iterable[int]) -> str:
    """Write the deleted rows of an index and some more, and return the name of the file."""
    gone = np.sort(np.append(contents.deleted, np.fromiter(rows, np.int64)))
    name = folder.new_name("deleted", ".npy")
    with writing(folder.path):
        save_arrays(folder.file(name), gone)
    return name


class _Ids:
    """The ids of an index: unique, and all of one kind."""

    def __init__(self, before: Manifest | None, given: bool, taken: Iterable[Id]) -> None:
        self.numbered = True if before is None else before.numbered
        self.next_id = before.next_id if before else 0
        self.begun = before is not None
        self.seen = {*taken}
        if before is not None and not given and not before.numbered:
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
            if not -(2**63) <= one < 2**63:
                raise InputError(f"an id has at most 63 bits, got {one!r:.80}")
            self.next_id = max(self.next_id, one + 1)
        if one in self.seen:
            raise InputError(f"the id {one!r:.80} is a duplicate; ids are unique")
        self.seen.add(one)


@dataclass(frozen=True)
class _Writer:
    folder: Folder
    model: Reader
    vocabulary: Vocabulary
    precision: str
    on_rows: Callable[[int], None]

    def write(self, rows: Iterator[Row | None], journal: Journal) -> Journal:
        """Write the rows; unchanged parts of the journal are not read again."""
        done, known, digest = list(journal.parts), replace(journal, parts=()), ""
        while some := list(islice(rows, PART)):
            usable = [row for row in some if row is not None]
            digest = _digest(digest, some)
            if done and done[0].digest == digest:
                known = replace(known, parts=(*known.parts, done.pop(0)))
                self.on_rows(len(some))
                continue
            done = []  # from here on the rows differ
            part = self._part(usable) if usable else Part("", 0)
            self.on_rows(len(some) - len(usable))
            lines = self.vocabulary.take()
            file = self.folder.file(journal.vocabulary)
            with writing(self.folder.path), file.open("ab") as stream:
                stream.write(lines)
                stream.flush()
            known = replace(
                known,
                parts=(*known.parts, replace(part, digest=digest)),
                bytes=known.bytes + len(lines),
                sum=zlib.crc32(lines, known.sum),
            )
            self.folder.note(known)
        return known

    def _part(self, rows: Sequence[Row]) -> Part:
        vectors: list[Float32Array] = []
        packed: list[bytes] = []
        lemmas: list[set[int | None]] = []
        cut = non_english = 0
        # Texts of similar lengths together, so that there is little padding.
        order = sorted(range(len(rows)), key=lambda row: len(rows[row].text))
        texts = [rows[row].text for row in order]
        chunks = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
        # In each process, read_texts with the reader of that process.
        for found in self.model.map(partial(partial, read_texts), chunks):
            vectors.append(found.vectors)
            for one in found.words or ():
                packed.append(b"" if one is None else pack(one, self.vocabulary))
                own = () if one is None else (one.lemmas[token] for token in one.words)
                lemmas.append(set(map(self.vocabulary.lemma_number, own)))
            cut, non_english = cut + found.cut, non_english + found.foreign
            self.on_rows(len(found.vectors))
        back = np.argsort(order, kind="stable").tolist()
        table = stored(np.concatenate(vectors)[back], self.precision)
        places = list(enumerate(back)) if packed else []
        of_rows = [(lemma, row) for row, place in places for lemma in lemmas[place]]
        ids: IntArray | Iterable[bytes] = (as_bytes(row.id) for row in rows)
        if all(isinstance(row.id, int) for row in rows):
            ids = np.array([row.id for row in rows], np.int64)
        content = Rows(
            *([table.rows], table.scales, table.errors, (as_bytes(row.text) for row in rows), ids),
            [packed[place] for _, place in places] or None,
            np.array(of_rows, np.int64).reshape(-1, 2).T,
        )
        with writing(self.folder.path):
            name = self.folder.new_name()
            files, sums = write_segment(self.folder.segment(name), content)
        return Part(name, len(rows), "", cut, non_english, packed.count(b""), files, sums)


def _digest(before: str, rows: Sequence[Row | None]) -> str:
    found = hashlib.blake2b(before.encode(), digest_size=16)
    for row in rows:
        for content in map(as_bytes, row or ()):
            found.update(len(content).to_bytes(8, "little"))
            found.update(content)
        if row is None:
            found.update(b"-")
    return found.hexdigest()


def merge_segments(
    folder: Folder,
    manifest: Manifest,
    kept: Sequence[IntArray],
    model: Reader,
    vocabulary: Vocabulary,
    progress: bool,
) -> Manifest:
    """Write the kept rows of all segments as one. Add a graph if there are enough rows, and the
    vectors of frequent lemmas. They are not yet in use.
    """

    def opened(part: Part) -> Segment:
        return Segment(folder.segment(part.name), part, manifest.dimension, manifest.precision)

    with writing(folder.path):
        segments = [opened(part) for part in manifest.parts]
        counts = {
            name: sum(getattr(one, name) for one in manifest.parts)
            for name in ("cut", "foreign", "unread")
        }
        part = manifest.parts[0]
        if len(segments) > 1 or len(kept[0]) < segments[0].rows:
            name = folder.new_name()
            rows = merged(list(zip(segments, kept, strict=True)))
            files, sums = write_segment(folder.segment(name), rows)
            part = Part(name, len(rows.scales), files=files, sums=sums, **counts)
        segment = opened(part)
        path = segment.folder / NEIGHBOURS
        if segment.rows >= GRAPH_FROM and available() and not path.exists():
            new = segment.folder / f"{NEIGHBOURS}.new"
            with counter("Linking", segment.rows, progress) as advance:
                for rows_done in build_graph(segment.vectors, new):
                    advance(rows_done)
            new.replace(path)
        if part.graph is None and path.exists():
            part = replace(part, graph=zlib.crc32(mapped(path)))
        return replace(
            manifest,
            parts=(part,),
            lemmas=_write_lemmas(folder, segment, model, vocabulary),
            deleted=None,
        )


def _write_lemmas(
    folder: Folder, segment: Segment, model: Reader, vocabulary: Vocabulary
) -> str | None:
    combiner = model.parts.combiner
    if not isinstance(combiner, HybridCombiner) or not segment.has_words:
        return None
    often = np.argsort(-segment.lemma_counts, kind="stable")[:MOST_LEMMAS]
    numbers = np.sort(segment.lemmas[often].astype(np.int64))
    words = [vocabulary.lemmas[number] for number in numbers.tolist()]
    tables = [
        word_rows(combiner.vectors, [(word, word) for word in words[at : at + 4096]])
        for at in range(0, len(words), 4096)
    ]
    if not tables:
        return None
    table = np.concatenate(tables)
    known = table.any(axis=1)
    name = folder.new_name("lemmas", ".npy")
    save_arrays(folder.file(name), numbers[known], table[known].astype(np.float32))
    return name
