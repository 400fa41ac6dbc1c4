"""The content of an index for other engines: Qdrant, LanceDB, Vespa, pgvector. Each text has its id
and its vector. For its main predicate it also has the phrase of each role, with the mean vector of
its words. ``examples/search_*.py`` load them; :meth:`hybridsem.Pipeline.rank` ranks the results of
an engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.disk import home
from hybridsem._utils.progress import counter
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import HybridCombiner, ReadSentence, content_words, word_rows
from hybridsem.embeddings.embedded import normalised
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.files import writing
from hybridsem.search.index import Index
from hybridsem.search.segment import Id
from hybridsem.search.slots import main_roles
from hybridsem.structures import Role, RoleStructure

__all__ = ["ROLES", "Exported", "exported", "role_vectors", "write_jsonl"]

ROLES = tuple(str(role).lower() for role in Role)
"""The roles that a text may have, in lower case."""

CHUNK = 512


@dataclass(frozen=True)
class Exported:
    """A text with its vector, (d,), and by role the phrase and its vector."""

    id: Id
    text: str
    vector: Float32Array
    roles: Mapping[str, tuple[str, Float32Array]]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, numbers with six decimals: ``id``, ``text``, ``vector``, and by role ``text``
        and ``vector``.
        """
        roles = {
            role: {"text": text, "vector": _short(vector)}
            for role, (text, vector) in self.roles.items()
        }
        return {"id": self.id, "text": self.text, "vector": _short(self.vector), "roles": roles}


def exported(index: Index) -> Iterator[Exported]:
    """Yield the texts of an index that were not deleted, reading a part at a time.

    >>> import tempfile
    >>> from hybridsem.search import Index
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = Index.build(["A dog barked."], f"{folder}/index")
    ...     [(one.id, one.text, one.roles["agent"][0]) for one in exported(index)]
    [(0, 'A dog barked.', 'dog')]
    """
    contents, combiner = index.contents, index.nlp.combiner
    rows = contents.live_rows()
    for at in range(0, len(rows), CHUNK):
        some = rows[at : at + CHUNK]
        vectors, _ = contents.vectors(np.array(some))
        sentences = [contents.words(row) for row in some]
        read: Iterator[ReadSentence] = iter(())
        if isinstance(combiner, HybridCombiner):
            parsed = [one for one in sentences if one is not None]
            read = iter(contents.read_sentences(combiner, parsed))
        for row, vector, words in zip(some, normalised(vectors), sentences, strict=True):
            roles = {} if words is None else _roles(words, next(read).vectors)
            yield Exported(contents.id(row), contents.text(row), vector, roles)


def role_vectors(model: Reader, sentence: str) -> dict[str, Float32Array]:
    """Return the unit vectors, (d,), of the roles of a sentence's main predicate, by the role's
    name in lower case; ``model`` is the pipeline of the index. Raises :class:`InputError` for a
    sentence without structure, and a model other than the hybrid.

    >>> from hybridsem import Pipeline
    >>> sorted(role_vectors(Pipeline(), "A dog barked."))
    ['agent', 'verb']
    """
    combiner, (structure,) = model.combiner, model.parse([sentence])
    if not isinstance(combiner, HybridCombiner) or not isinstance(structure, RoleStructure):
        raise InputError(f"there are no roles of {sentence!r:.80}")
    words = read_words(structure)
    table = word_rows(combiner.vectors, content_words(words))
    return {role: vector for role, (_, vector) in _roles(words, table).items()}


def _roles(words: SentenceWords, table: Float32Array) -> dict[str, tuple[str, Float32Array]]:
    """Return the phrase and its vector by role, given those of the words, (words, d)."""
    found = {}
    for role, phrase in main_roles(words).items():
        (mean,) = normalised(table[phrase].mean(axis=0, keepdims=True))
        found[role.lower()] = " ".join(words.forms[words.words[i]] for i in phrase), mean
    return found


def _short(vector: Float32Array) -> list[float]:
    return [round(float(number), 6) for number in vector]


def write_jsonl(index: Index, output: str | Path, *, progress: bool = False) -> int:
    """Write an index as JSON lines, each :meth:`Exported.to_dict`, and return the number of texts;
    raise :class:`InputError` for a file that exists or cannot be written.
    """
    path = home(output)
    if path.exists():
        raise InputError(f"the output exists, got {str(output)!r}; name a new one")
    with (
        writing(path),
        path.open("x", encoding="utf-8") as stream,
        counter("Writing", len(index), progress) as advance,
    ):
        for text in exported(index):
            stream.write(json.dumps(text.to_dict(), ensure_ascii=False) + "\n")
            advance(1)
    return len(index)
