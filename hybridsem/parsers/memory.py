"""A pipeline's cache of parsed sentences, in memory and optionally on disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from hybridsem import structures
from hybridsem._typing import Float32Array
from hybridsem._utils.store import Store, key_of
from hybridsem.structures import DependencyTree, Parsed, RoleStructure, Token

Read = tuple[Parsed | None, Float32Array | None]
"""A sentence's structure and unit vector; None if the model does not read it."""


class Memory:
    """The last ``size`` sentences; with a ``store``, also all whose structure has a tree.
    ``of_trees`` makes structures from stored trees, which is fast, unlike parsing. Without it no
    structure is stored. Threads may share a memory; ``holders`` counts its users.
    """

    table = "sentences"

    def __init__(
        self,
        size: int,
        store: Store | None = None,
        of_trees: Callable[[list[DependencyTree]], Sequence[Parsed]] | None = None,
    ) -> None:
        self.size, self.store, self.of_trees = size, store, of_trees
        self.holders = 1
        self._held: dict[str, Read] = {}
        self._lock = threading.Lock()

    def recall(self, sentences: Sequence[str]) -> dict[str, Read]:
        """Return the cached sentences."""
        found = {}
        with self._lock:
            for sentence in sentences:
                if (read := self._held.pop(sentence, None)) is not None:
                    found[sentence] = self._held[sentence] = read  # now the latest
        if self.store is not None:
            stored = self._stored([sentence for sentence in sentences if sentence not in found])
            self._hold(stored)
            found |= stored
        return found

    def keep(self, reads: dict[str, Read]) -> None:
        """Cache sentences."""
        self._hold(reads)
        self._put({t: read for t, read in reads.items() if self.of_trees or read[0] is None})

    def store_vectors(self, vectors: dict[str, Float32Array]) -> None:
        """Store the vectors of sentences on disk, in place of stored structures."""
        self._put({text: (None, vector) for text, vector in vectors.items()})

    def _hold(self, reads: dict[str, Read]) -> None:
        with self._lock:
            self._held.update(reads)
            for old in list(self._held)[: max(0, len(self._held) - self.size)]:
                del self._held[old]

    def _put(self, reads: dict[str, Read]) -> None:
        if self.store is not None:
            packed = ((key_of(text), _pack(read)) for text, read in reads.items())
            self.store.put(self.table, {key: row for key, row in packed if row is not None})

    def _stored(self, sentences: list[str]) -> dict[str, Read]:
        assert self.store is not None
        keys = {key_of(sentence): sentence for sentence in sentences}
        stored = self.store.get(self.table, keys).items()
        rows = {keys[key]: _unpack(keys[key], content) for key, content in stored}
        trees = {sentence: tree for sentence, (tree, _) in rows.items() if tree is not None}
        parsed = self.of_trees(list(trees.values())) if trees and self.of_trees else []
        by_text = dict(zip(trees, parsed, strict=True))
        return {text: (by_text.get(text), vector) for text, (_, vector) in rows.items()}


def _pack(read: Read) -> bytes | None:
    """Return a tree as a line of JSON, then the vector's bytes; None without a tree."""
    structure, vector = read
    if structure is None:
        head = None
    elif isinstance(structure, RoleStructure) and structure.tree is not None:
        tree = structure.tree
        found = None if tree.predicates is None else list(map(astuple, tree.predicates))
        head = [int(tree.truncated), [astuple(token) for token in tree.tokens], found]
    else:
        return None
    body = b"" if vector is None else vector.astype("<f4").tobytes()
    return json.dumps(head).encode() + b"\n" + body


def _unpack(sentence: str, content: bytes) -> tuple[DependencyTree | None, Float32Array | None]:
    head, _, body = content.partition(b"\n")
    parts = json.loads(head)
    tree = None
    if parts is not None:
        truncated, tokens, found = parts
        predicates = tuple(
            structures.Predicate(index, lemma, roleset, tuple(map(_argument, arguments)), score)
            for index, lemma, roleset, arguments, score in found or ()
        )
        words = tuple(Token(*row) for row in tokens)
        labelled = None if found is None else predicates
        tree = DependencyTree(sentence, words, bool(truncated), labelled)
    return tree, np.frombuffer(body, "<f4").astype(np.float32) if body else None


def _argument(row: list[Any]) -> structures.Argument:
    label, tokens, head, verbnet, role, score = row
    return structures.Argument(
        label, tuple(tokens), head, tuple(verbnet), role and structures.Role(role), score
    )
