"""Building and appending: rows in, segments out, part by part, so that a killed run goes on."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, IntArray
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import problem
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.folder import (
    NEIGHBOURS,
    Folder,
    Journal,
    Manifest,
    Part,
    graph_sum,
    with_sums,
    writing,
)
from hybridsem.search.kept import WORDS, kept_by, packed, reader
from hybridsem.search.neighbours import available
from hybridsem.search.neighbours import build as build_neighbours
from hybridsem.search.packing import Vocabulary
from hybridsem.search.segment import Id, Rows, Segment, join, save_arrays, write
from hybridsem.search.vectors import stored

__all__ = [
    "GRAPH_FROM",
    "Row",
    "rows_of",
    "segments_of",
    "together",
    "write_parts",
]

PART = 16_384
"""Rows that are lost at most when a build is killed."""
CHUNK = 512
GRAPH_FROM = 50_000
"""Rows from which a segment has a graph of neighbours; fewer are looked through."""
MOST_LEMMAS = 32_768
"""Lemmas whose vectors are kept, the most frequent ones."""


class Row(NamedTuple):
    """A text and its id."""

    id: Id
    text: str


def rows_of(
    texts: Iterable[object], ids: Iterable[object] | None, first: int, on_error: str
) -> Iterator[Row | None]:
    """The rows of texts, None for one that is left out.

    Args:
        texts: The texts.
        ids: Theirs, whole numbers or texts; None: they are counted.
        first: What is counted from.
        on_error: ``"skip"`` leaves out what is no sentence, ``"fail"`` raises
            :class:`InputError` that names its row, from 0.
    """
    if isinstance(texts, (str, bytes)):
        raise InputError("expected texts, got one string; put it in a list")
    named = None if ids is None else iter(ids)
    for number, text in enumerate(texts):
        if named is None:
            one: object = first + number
        elif (one := next(named, None)) is None:
            raise InputError(f"text {number} has no id; one each is needed")
        if isinstance(one, bool) or not isinstance(one, (int, str, np.integer)):
            raise InputError(f"text {number}: an id is a whole number or a text, got {one!r:.80}")
        if (why := problem(text)) is not None:
            if on_error == "fail":
                raise InputError(f"text {number}: {why}")
            yield None
            continue
        yield Row(one if isinstance(one, str) else int(one), str(text))
    if named is not None and next(named, None) is not None:
        raise InputError("there are more ids than texts; one each is needed")


def write_parts(
    folder: Folder,
    rows: Iterator[Row | None],
    model: Reader,
    vocabulary: Vocabulary,
    journal: Journal,
    precision: str,
    on_part: Callable[[int], None],
) -> Journal:
    """Write the rows as segments; those that the journal has, as far as they are the same, are not
    read.

    Args:
        folder: Where to.
        rows: What to write.
        model: What reads.
        vocabulary: Grows.
        journal: What was done before.
        precision: Of the vectors.
        on_part: Is told how many rows are done.

    Returns:
        The journal with all parts.
    """
    done = list(journal.parts)
    known = replace(journal, parts=())
    digest = ""
    while some := list(islice(rows, PART)):
        usable = [row for row in some if row is not None]
        digest = _digest(digest, some)
        if done and done[0].digest == digest:
            known = replace(known, parts=(*known.parts, done.pop(0)))
            on_part(len(some))
            continue
        done = []  # from here on these are other rows
        part = Part("", 0)
        if usable:
            name = folder.new_name("")
            part = _write_part(folder, name, usable, model, vocabulary, precision, on_part)
        on_part(len(some) - len(usable))
        lines = vocabulary.take()
        with writing(folder.path), folder.file(journal.vocabulary).open("ab") as stream:
            stream.write(lines)
            stream.flush()
        known = replace(
            known,
            parts=(*known.parts, replace(part, digest=digest)),
            bytes=known.bytes + len(lines),
            sum=zlib.crc32(lines, known.sum),
        )
        folder.note(known)
    return known


def _digest(before: str, rows: Sequence[Row | None]) -> str:
    found = hashlib.blake2b(before.encode(), digest_size=16)
    for row in rows:
        if row is not None:
            for content in (str(row.id).encode("utf-8", "surrogatepass"), row.text.encode()):
                found.update(len(content).to_bytes(8, "little"))
                found.update(content)
        else:
            found.update(b"-")
    return found.hexdigest()


def _write_part(
    folder: Folder,
    name: str,
    rows: Sequence[Row],
    model: Reader,
    vocabulary: Vocabulary,
    precision: str,
    on_rows: Callable[[int], None],
) -> Part:
    vectors: list[Float32Array] = []
    words: list[bytes] = []
    cut = foreign = 0
    # Of like lengths, so that little is filled up.
    order = sorted(range(len(rows)), key=lambda row: len(rows[row].text))
    texts = [rows[row].text for row in order]
    chunks = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
    for chunk, unpacked in zip(chunks, model.mapped(reader, chunks), strict=True):
        found = packed(unpacked, vocabulary)
        vectors.append(found.vectors)
        words += found.words
        cut, foreign = cut + found.cut, foreign + found.foreign
        on_rows(len(chunk))
    back = np.argsort(order, kind="stable")
    table = np.concatenate(vectors)[back]
    content = Rows(
        [row.text for row in rows],
        [row.id for row in rows],
        stored(table, precision),
        [words[place] for place in back.tolist()] if words else [],
    )
    part = Part(name, len(rows), cut=cut, foreign=foreign, unread=words.count(b""))
    with writing(folder.path):
        write(folder.segment(part), content, vocabulary)
        return with_sums(folder.segment(part), part)


def segments_of(folder: Folder, manifest: Manifest) -> list[Segment]:
    """The segments of an index."""
    return [
        Segment(folder.segment(part), part, manifest.dimension, manifest.precision)
        for part in manifest.parts
    ]


def together(
    folder: Folder,
    manifest: Manifest,
    kept: Sequence[IntArray],
    model: Reader,
    vocabulary: Vocabulary,
    progress: bool,
) -> Manifest:
    """The index as one segment of the rows that are kept, with a graph where that is worth it, and
    the vectors of frequent lemmas; not yet in use.

    Args:
        folder: Of the index.
        manifest: As it is.
        kept: The rows of each segment that are kept.
        model: Gives the words' vectors.
        vocabulary: Of the index.
        progress: Whether a bar is shown.
    """
    with writing(folder.path):
        segments = segments_of(folder, manifest)
        if len(segments) == 1 and len(kept[0]) == segments[0].rows:
            part = manifest.parts[0]
        else:
            name = folder.new_name("")
            target = folder.segment(Part(name, 0))
            rows = join(target, list(zip(segments, kept, strict=True)))
            part = with_sums(target, Part(name, rows))
        counts = {
            name: sum(getattr(one, name) for one in manifest.parts)
            for name in ("cut", "foreign", "unread")
        }
        part = replace(part, digest="", **counts)
        made = replace(manifest, parts=(part,), deleted=None)
        (segment,) = segments_of(folder, made)
        path = segment.folder / NEIGHBOURS
        if segment.rows >= GRAPH_FROM and available() and manifest.dimension and not path.exists():
            new = segment.folder / f"{NEIGHBOURS}.new"
            blocks = _blocks(build_neighbours(segment.vectors, new))
            for _ in tracked(blocks, segment.rows, "Linking", progress):
                pass
            new.replace(path)
        if part.files and part.graph is None:
            made = replace(made, parts=(replace(part, graph=graph_sum(segment.folder)),))
        return replace(made, lemmas=_write_lemmas(folder, segment, model, vocabulary))


def _blocks(ends: Iterator[int]) -> Iterator[range]:
    at = 0
    for end in ends:
        yield range(at, end)
        at = end


def _write_lemmas(
    folder: Folder, segment: Segment, model: Reader, vocabulary: Vocabulary
) -> str | None:
    """Write the vectors of the most frequent lemmas, and their numbers before them."""
    combiner = model.combiner
    if kept_by(model) != WORDS or not isinstance(combiner, HybridCombiner) or not segment.has_words:
        return None
    counts = segment.lemma_counts
    often = np.argsort(-counts, kind="stable")[:MOST_LEMMAS]
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
