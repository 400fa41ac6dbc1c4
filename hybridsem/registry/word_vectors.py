"""Word vectors by name, by ``kind:argument``, or given as an object.

    numberbatch             ConceptNet Numberbatch, from the cache (``hybridsem models download
                            numberbatch-en``)
    numberbatch:FILE, glove:FILE, word2vec:FILE, fasttext:FILE, gensim:FILE
                            a file; its format is seen from the content, whichever of these names it
                            is given
    spacy:NAME              the vectors of a spaCy pipeline

gensim's KeyedVectors and spaCy's pipelines can also be given as objects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hybridsem import assets
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.registry.parts import argument_of, given

FILES = ("numberbatch", "glove", "word2vec", "fasttext", "gensim")
NUMBERBATCH = "numberbatch-en"


def vectors(part: str | WordVectors | None, shared: EmbeddedEncoder | None) -> WordVectors:
    """Word vectors by name, or the object given. ``part``: ``embedded`` (or None), a name,
    ``kind:argument``, gensim's vectors, a spaCy pipeline that has vectors, or anything with
    ``embed(words)``; ``shared``: the encoder that the embedded vectors come from; None: their own.
    Raises :class:`InputError` (a name that nothing has, or an object without ``embed``).

    >>> vectors("embedded", None).embed(["dog", "cat"]).shape
    (2, 384)
    """
    if part is None or part == "embedded":
        return EmbeddedWords(shared)
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if kind in FILES:
        return _file(
            assets.path(NUMBERBATCH)
            if part == "numberbatch"
            else Path(_argument(part, argument, kind))
        )
    if kind == "spacy":
        from hybridsem.parsers.trees.spacy import SpacyTrees

        return _spacy(SpacyTrees(_argument(part, argument, kind)).pipeline)
    if not isinstance(part, (str, type)) and not hasattr(part, "embed"):
        if hasattr(part, "key_to_index") and hasattr(part, "vector_size"):
            from hybridsem.embeddings.word_lookup import GensimSubwords, GensimTable, TableWords

            return (
                GensimSubwords(part)
                if hasattr(part, "vectors_ngrams")
                else TableWords(GensimTable(part))
            )
        if hasattr(part, "vocab") and hasattr(part, "pipe_names"):
            return _spacy(part)
    names = {"embedded", "numberbatch", "spacy:NAME", *(f"{kind}:FILE" for kind in FILES)}
    found: WordVectors = given("vectors", part, WordVectors, names)
    return found


def _argument(part: object, argument: str, kind: str) -> str:
    return argument_of(
        part, argument, "spacy:en_core_web_md" if kind == "spacy" else f"{kind}:vectors.txt"
    )


def _file(path: Path) -> WordVectors:
    from hybridsem.embeddings.word_lookup import TableWords
    from hybridsem.embeddings.word_store import stored

    return TableWords(stored(path))


def _spacy(pipeline: Any) -> WordVectors:
    from hybridsem.embeddings.word_lookup import SpacyTable, TableWords

    return TableWords(SpacyTable(pipeline))
