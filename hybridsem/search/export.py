"""What an index holds for the engines that people run past one machine: Qdrant, LanceDB, Vespa,
pgvector.

Each gets the ids, the texts, the sentence's vector, and for the main predicate of each sentence the
phrase of every role and its vector: the mean of its words'. Their search is by these vectors; what
it finds is put in order by the hybrid with :meth:`hybridsem.Pipeline.rank`.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.disk import home
from hybridsem._utils.extras import extra
from hybridsem._utils.progress import counter
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import HybridCombiner, ReadSentence, content_words, word_rows
from hybridsem.embeddings.embedded import normalised
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.folder import writing
from hybridsem.search.index import Index
from hybridsem.search.segment import Id
from hybridsem.search.slots import main_roles
from hybridsem.structures import Role, RoleStructure

__all__ = [
    "EXPORTS",
    "Exported",
    "exported",
    "qdrant_points",
    "role_vectors",
    "to_lancedb",
    "to_pgvector",
    "to_qdrant",
    "to_vespa",
]

ROLES = tuple(str(role).lower() for role in Role)
CHUNK = 512
NAME = "sentences"
"""Of the collection, the table or the document type."""


@dataclass(frozen=True)
class Exported:
    """A text with its vectors: (d,) of the sentence, and by role the phrase and its vector.

    >>> import tempfile
    >>> from hybridsem.search import Index
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = Index.build(["A dog barked."], f"{folder}/index")
    ...     (found,) = exported(index)
    >>> found.text, found.vector.shape, found.roles["agent"][0]
    ('A dog barked.', (384,), 'dog')
    """

    id: Id
    text: str
    vector: Float32Array
    roles: Mapping[str, tuple[str, Float32Array]]


def exported(index: Index) -> Iterator[Exported]:
    """What an index holds, text by text.

    Args:
        index: It is read a part at a time.

    Returns:
        An iterator; texts that were deleted are left out.

    >>> import tempfile
    >>> from hybridsem.search import Index
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = Index.build(["A dog barked."], f"{folder}/index")
    ...     [(one.id, one.text, sorted(one.roles)) for one in exported(index)]
    [(0, 'A dog barked.', ['agent', 'verb'])]
    """
    contents, combiner = index.contents, index.nlp.combiner
    rows = contents.live_rows()
    while some := np.array(list(islice(rows, CHUNK)), np.int64).tolist():
        vectors, _ = contents.vectors(np.array(some))
        sentences = [contents.words(row) for row in some]
        read: Iterator[ReadSentence] = iter(())
        if isinstance(combiner, HybridCombiner):
            read = iter(
                contents.read_sentences(combiner, [one for one in sentences if one is not None])
            )
        for row, vector, words in zip(some, normalised(vectors), sentences, strict=True):
            roles = {} if words is None else _roles(words, next(read).vectors)
            yield Exported(contents.id(row), contents.text(row), vector, roles)


def role_vectors(model: Reader, sentence: str) -> dict[str, Float32Array]:
    """The vectors, (d,), of what stands in each role of a sentence's main predicate, as they are
    exported.

    Args:
        model: The hybrid pipeline that made the index.
        sentence: Such as a query.

    Returns:
        Vectors of length 1 by the role's name, in lower case.

    Raises:
        InputError: For a sentence without structure, and for another model than the hybrid.

    >>> from hybridsem import Pipeline
    >>> sorted(role_vectors(Pipeline(), "A dog barked."))
    ['agent', 'verb']
    """
    combiner, (structure,) = model.combiner, model.parse([sentence])
    if not isinstance(combiner, HybridCombiner) or not isinstance(structure, RoleStructure):
        raise InputError(f"no roles are known of {sentence!r:.80}")
    words = read_words(structure)
    table = word_rows(combiner.vectors, content_words(words))
    return {role: vector for role, (_, vector) in _roles(words, table).items()}


def _roles(words: SentenceWords, table: Float32Array) -> dict[str, tuple[str, Float32Array]]:
    """By role, the phrase and its vector; ``table`` is of the content words, (words, d)."""
    found = {}
    for role, phrase in main_roles(words).items():
        (mean,) = normalised(table[phrase].mean(axis=0, keepdims=True))
        found[role.lower()] = " ".join(words.forms[words.words[i]] for i in phrase), mean
    return found


def to_qdrant(index: Index, output: str | Path, *, progress: bool = False) -> int:
    """Write a collection of named vectors for ``QdrantClient(path=output)``: ``sentence`` and one a
    role.

    For a server use :func:`qdrant_points` with its client.

    Args:
        index: What is handed over.
        output: A new or empty folder.
        progress: Show a bar on stderr when that is a terminal.

    Returns:
        How many texts there are.

    Raises:
        InputError: For a folder that is not empty.
        MissingExtraError: Without ``qdrant-client``.
    """
    with extra("qdrant-client", "compare"):
        from qdrant_client import QdrantClient
    folder = _new(output)
    client = QdrantClient(path=str(folder))
    try:
        return qdrant_points(index, client, progress=progress)
    finally:
        client.close()


def qdrant_points(index: Index, client: Any, name: str = NAME, *, progress: bool = False) -> int:
    """Make a collection with a Qdrant client and fill it.

    Args:
        index: What is handed over.
        client: A ``QdrantClient``, of a server, a folder or ``":memory:"``.
        name: Of the collection.
        progress: Show a bar on stderr when that is a terminal.

    Returns:
        How many texts there are.
    """
    from qdrant_client import models

    size = index.info["dimension"]
    vectors = {
        one: models.VectorParams(size=size, distance=models.Distance.COSINE)
        for one in ("sentence", *ROLES)
    }
    client.create_collection(name, vectors_config=vectors)

    def put(some: list[Exported]) -> None:
        points = [
            models.PointStruct(
                id=one.id if isinstance(one.id, int) and one.id >= 0 else _uuid(one.id),
                vector={"sentence": one.vector.tolist()}
                | {role: vector.tolist() for role, (_, vector) in one.roles.items()},
                payload={"id": one.id, "text": one.text}
                | {role: text for role, (text, _) in one.roles.items()},
            )
            for one in some
        ]
        client.upsert(name, points)

    return _in_chunks(index, put, progress)


def _uuid(one: Id) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"hybridsem:{one}"))


def to_lancedb(index: Index, output: str | Path, *, progress: bool = False) -> int:
    """Write a table for ``lancedb.connect(output)``: columns ``id``, ``text``, ``vector``, and for
    each role its phrase and ``ROLE_vector``, null where there is none.

    Args:
        index: What is handed over.
        output: A new or empty folder.
        progress: Show a bar on stderr when that is a terminal.

    Returns:
        How many texts there are.

    Raises:
        InputError: For a folder that is not empty.
        MissingExtraError: Without ``lancedb``.
    """
    with extra("lancedb", "compare"):
        import lancedb
    import pyarrow

    folder, size = _new(output), index.info["dimension"]
    kind = pyarrow.list_(pyarrow.float32(), size)
    fields = [
        pyarrow.field("id", pyarrow.int64() if index.numbered else pyarrow.string()),
        pyarrow.field("text", pyarrow.string()),
        pyarrow.field("vector", kind),
    ]
    for role in ROLES:
        fields += [pyarrow.field(role, pyarrow.string()), pyarrow.field(f"{role}_vector", kind)]
    schema = pyarrow.schema(fields)
    table = lancedb.connect(str(folder)).create_table(NAME, schema=schema)

    def put(some: list[Exported]) -> None:
        rows = []
        for one in some:
            row: dict[str, Any] = {"id": one.id, "text": one.text, "vector": one.vector.tolist()}
            for role in ROLES:
                text, vector = one.roles.get(role, (None, None))
                row |= {role: text, f"{role}_vector": None if vector is None else vector.tolist()}
            rows.append(row)
        table.add(pyarrow.Table.from_pylist(rows, schema=schema))

    return _in_chunks(index, put, progress)


def to_vespa(index: Index, output: str | Path, *, progress: bool = False) -> int:
    """Write ``sentences.sd``, a schema with a rank profile, and ``feed.jsonl``, documents for
    ``vespa feed``.

    Args:
        index: What is handed over.
        output: A new or empty folder.
        progress: Show a bar on stderr when that is a terminal.

    Returns:
        How many texts there are.

    Raises:
        InputError: For a folder that is not empty.

    >>> import tempfile
    >>> from hybridsem.search import Index
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = Index.build(["A dog barked."], f"{folder}/index")
    ...     to_vespa(index, f"{folder}/vespa")
    1
    """
    folder, size = _new(output), index.info["dimension"]
    with writing(folder):
        (folder / f"{NAME}.sd").write_text(_VESPA.replace("SIZE", str(size)), encoding="utf-8")

    def fields(one: Exported) -> dict[str, Any]:
        return {
            "put": f"id:hybridsem:{NAME}::{_vespa_id(one.id)}",
            "fields": {
                "id": str(one.id),
                "text": _XML.sub("", one.text),
                "sentence": {"values": _short(one.vector)},
                "roles": {"blocks": {role: _short(v) for role, (_, v) in one.roles.items()}},
            },
        }

    def put(stream: TextIO, some: list[Exported]) -> None:
        for one in some:
            stream.write(json.dumps(fields(one)) + "\n")

    with writing(folder), (folder / "feed.jsonl").open("x", encoding="ascii") as stream:
        return _in_chunks(index, lambda some: put(stream, some), progress)


_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What Vespa refuses in texts."""


def _vespa_id(one: Id) -> str:
    """An id in which nothing has a meaning of its own."""
    return re.sub(r"[^\w.-]", lambda found: f"%{ord(found[0]):x}", str(one))


def to_pgvector(index: Index, output: str | Path, *, progress: bool = False) -> int:
    """Write ``sentences.sql`` for ``psql``: a table with a column of type ``vector`` for the
    sentence and each role, the rows by ``COPY``, an index.

    Args:
        index: What is handed over.
        output: A new or empty folder.
        progress: Show a bar on stderr when that is a terminal.

    Returns:
        How many texts there are.

    Raises:
        InputError: For a folder that is not empty.

    >>> import tempfile
    >>> from hybridsem.search import Index
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = Index.build(["A dog barked."], f"{folder}/index")
    ...     to_pgvector(index, f"{folder}/sql")
    1
    """
    folder, size = _new(output), index.info["dimension"]
    kind = "bigint" if index.numbered else "text"
    columns = [f"id {kind} PRIMARY KEY", "text text NOT NULL", f"sentence vector({size}) NOT NULL"]
    for role in ROLES:
        columns += [f"{role}_text text", f"{role} vector({size})"]
    names = ", ".join(column.split()[0] for column in columns)

    def put(stream: TextIO, some: list[Exported]) -> None:
        for one in some:
            cells = [_copied(str(one.id)), _copied(one.text), json.dumps(_short(one.vector))]
            for role in ROLES:
                text, vector = one.roles.get(role, (None, None))
                cells += [
                    r"\N" if text is None else _copied(text),
                    r"\N" if vector is None else json.dumps(_short(vector)),
                ]
            stream.write("\t".join(cells) + "\n")

    with writing(folder), (folder / f"{NAME}.sql").open("x", encoding="utf-8") as stream:
        stream.write(
            "CREATE EXTENSION IF NOT EXISTS vector;\n"
            f"CREATE TABLE {NAME} (\n  " + ",\n  ".join(columns) + "\n);\n"
            f"COPY {NAME} ({names}) FROM stdin;\n"
        )
        count = _in_chunks(index, lambda some: put(stream, some), progress)
        stream.write(f"\\.\nCREATE INDEX ON {NAME} USING hnsw (sentence vector_cosine_ops);\n")
    return count


def _copied(text: str) -> str:
    """A cell of ``COPY``'s text format; PostgreSQL has no NUL."""
    text = text.replace("\0", "").replace("\\", "\\\\")
    return text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def _short(vector: Float32Array) -> list[float]:
    return [round(float(number), 6) for number in vector]


def _new(output: str | Path) -> Path:
    folder = home(output)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"the output exists and is not empty, got {str(output)!r}; name a new one")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _in_chunks(index: Index, put: Callable[[list[Exported]], None], progress: bool) -> int:
    found, count = exported(index), 0
    with counter("Writing", len(index), progress) as advance:
        while some := list(islice(found, CHUNK)):
            put(some)
            count += len(some)
            advance(len(some))
    return count


EXPORTS: Mapping[str, Callable[..., int]] = {
    "qdrant": to_qdrant,
    "lancedb": to_lancedb,
    "vespa": to_vespa,
    "pgvector": to_pgvector,
}
"""By the name of the engine."""

_VESPA = """\
schema sentences {
    document sentences {
        field id type string {
            indexing: summary | attribute
        }
        field text type string {
            indexing: summary | index
        }
        field sentence type tensor<float>(x[SIZE]) {
            indexing: attribute | index
            attribute {
                distance-metric: prenormalized-angular
            }
        }
        field roles type tensor<float>(role{}, x[SIZE]) {
            indexing: attribute
        }
    }
    # Nearest by the sentence, then by the mean over the query's roles of how alike what stands in
    # each is: query(roles) has a block for every role that is asked for.
    rank-profile roles {
        inputs {
            query(sentence) tensor<float>(x[SIZE])
            query(roles) tensor<float>(role{}, x[SIZE])
        }
        first-phase {
            expression: closeness(field, sentence)
        }
        second-phase {
            rerank-count: 1000
            expression {
                sum(query(roles) * attribute(roles)) /
                max(1, sum(query(roles) * query(roles)))
            }
        }
    }
}
"""
