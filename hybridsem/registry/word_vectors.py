"""Word vectors by name, by ``kind:argument``, or given as an object.

    numberbatch             ConceptNet Numberbatch, from the cache (``hybridsem models download
                            numberbatch-en``)
    numberbatch:FILE, glove:FILE, word2vec:FILE, fasttext:FILE, gensim:FILE
                            a file; its content gives the format, whichever name is used
    spacy:NAME              the vectors of a spaCy pipeline

gensim's KeyedVectors and spaCy's pipelines can also be given as objects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hybridsem import assets
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.word_lookup import GensimSubwords, GensimTable, SpacyTable, TableWords
from hybridsem.embeddings.word_store import stored
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.registry.parts import argument_of, given, imported
from hybridsem.registry.plugins import plugins

FILES = ("numberbatch", "glove", "word2vec", "fasttext", "gensim")
NUMBERBATCH = "numberbatch-en"


def vectors(part: str | WordVectors | None, shared: EmbeddedEncoder | None) -> WordVectors:
    """Return word vectors by name, or the object given. ``part`` is ``embedded`` (or None), a name,
    ``kind:argument``, gensim's vectors, a spaCy pipeline with vectors, or anything with
    ``embed(words)``; ``shared`` the encoder of the embedded vectors. Raises :class:`InputError` for
    an unknown name, or an object without ``embed``.

    >>> vectors("embedded", None).embed(["dog", "cat"]).shape
    (2, 384)
    """
    if part is None or part == "embedded":
        return EmbeddedWords(shared)
    made: Any = part
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if part == "numberbatch":
        return TableWords(stored(assets.path(NUMBERBATCH)))
    if kind in FILES:
        return TableWords(stored(Path(argument_of(part, argument, f"{kind}:vectors.txt"))))
    if kind == "spacy":
        trees = imported("parsers.trees.spacy:SpacyTrees")
        made = trees(argument_of(part, argument, "spacy:en_core_web_md")).pipeline
    elif (plugin := plugins("vectors").get(kind)) is not None:
        made = plugin.made(argument)
    if not isinstance(made, (str, type)) and not hasattr(made, "embed"):
        if hasattr(made, "key_to_index") and hasattr(made, "vector_size"):
            subwords = hasattr(made, "vectors_ngrams")
            return GensimSubwords(made) if subwords else TableWords(GensimTable(made))
        if hasattr(made, "vocab") and hasattr(made, "pipe_names"):
            return TableWords(SpacyTable(made))
    names = {"embedded", "numberbatch", "spacy:NAME", *(f"{kind}:FILE" for kind in FILES)}
    found: WordVectors = given("vectors", made, WordVectors, names | {*plugins("vectors")})
    return found
