"""A spaCy component with heads, relations, UPOS tags, lemmas, and the roles of each sentence.

    nlp.add_pipe("hybridsem", config={"model": "hybrid-0.1"})
    nlp("Ann gave Bob a book.")._.roles
    [{"sentence": 0, "predicate": "give", "roles": {"Agent": "Ann", …}, "roleset": "give.01", …,
    "tokens": {"Agent": [0], …}}]

spaCy's tokens are kept. Sentences are those of an earlier component; without one, the text is a
sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError
from hybridsem.parsers.base import HasTreeParser
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet.rules import frames
from hybridsem.pipeline import Pipeline
from hybridsem.structures import DependencyTree

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

__all__ = ["HybridSem", "make"]

MODEL = "hybrid"
HEADS = ("NOUN", "PROPN", "PRON")
BEFORE = ("det", "det:predet", "amod", "nummod", "nmod:poss", "compound", "flat", "goeswith")
"""Relations of words before the head that belong to its phrase, with their dependents."""

AFTER = ("flat", "fixed", "goeswith")
"""Relations of words after the head: "New York", "each other"."""

INSIDE = {*BEFORE, *AFTER, "case", "mark", "expl"}
"""Relations of nouns that head no phrase of their own."""


class HybridSem:
    """Annotates documents. ``Doc._.roles`` is a list of plain frames, which ``Doc.to_bytes`` keeps;
    ``Span._.roles`` has those whose verb is in the span. ``similarity`` of documents and spans is
    that of ``model``, of two tokens the cosine of their word vectors, and 0 for text without a
    visible character; ``vector`` is the model's. Both are computed on demand by hooks. spaCy loses
    these, with a warning, when documents are converted to bytes (``n_process``, ``DocBin``);
    ``hooks=False`` omits them. A frame has its sentence's index, the data of
    :meth:`~hybridsem.structures.Frame.to_dict`, and the token indices of each role. White space,
    and tokens beyond the parser's 256 word pieces, depend on the root as ``dep``, the latter with
    the tag ``X``.
    """

    def __init__(self, model: str | Pipeline = MODEL, hooks: bool = True) -> None:
        with extra("spaCy", "spacy"):
            from spacy.tokens import Doc, Span
        self.hooks = hooks
        self.pipeline = model if isinstance(model, Pipeline) else Pipeline(model)
        parser: object = self.pipeline.parser
        trees = parser.tree_parser if isinstance(parser, HasTreeParser) else None
        if not isinstance(trees, EmbeddedTrees):
            raise InputError(f"the component reads with the embedded parser, got {self.pipeline!r}")
        self.trees = trees
        if not Doc.has_extension("roles"):
            Doc.set_extension("roles", default=[])
        if not Span.has_extension("roles"):
            Span.set_extension("roles", getter=_roles_in)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate a document in place and return it."""
        return self._annotated([doc])[0]

    def pipe(self, stream: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """Annotate documents, the sentences of a batch together."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._annotated(batch)

    def _annotated(self, docs: list[Doc]) -> list[Doc]:
        divided = (doc.sents if doc.has_annotation("SENT_START") else [doc[:]] for doc in docs)
        sentences = [[sent for sent in each if problem(sent.text) is None] for each in divided]
        flat = [sent for found in sentences for sent in found]
        encoded = self.trees.encoder.analyse([sent.text for sent in flat])
        words = []
        for sent, one in zip(flat, encoded, strict=True):
            end = sent.start_char + (one.offsets[-1][1] if one.truncated else len(sent.text))
            read = [token for token in sent if not token.is_space and token.idx + len(token) <= end]
            words.append(read or [token for token in sent if not token.is_space][:1])
        spans = [
            [(place := token.idx - sent.start_char, place + len(token)) for token in read]
            for sent, read in zip(flat, words, strict=True)
        ]
        trees = iter(self.trees.trees_of([sent.text for sent in flat], encoded, spans))
        places = iter([[token.i for token in read] for read in words])
        for doc, found in zip(docs, sentences, strict=True):
            _write(doc, [(sent, next(trees), next(places)) for sent in found])
            if self.hooks:
                hooks: dict[str, Callable[..., object]] = {"has_vector": _visible}
                hooks |= {"similarity": self.similarity, "vector": self.vector}
                hooks["vector_norm"] = lambda of: float(np.linalg.norm(self.vector(of), axis=0))
                for of in (doc.user_hooks, doc.user_span_hooks, doc.user_token_hooks):
                    of.update(hooks)
        return docs

    def similarity(self, one: Doc | Span | Token, other: Doc | Span | Token) -> float:
        """Return ``one.similarity(other)`` for annotated documents, spans and tokens."""
        from spacy.tokens import Token

        if not (_visible(one) and _visible(other)):
            return 0.0
        if isinstance(one, Token) and isinstance(other, Token):
            first, second = self.pipeline.vectors.embed([one.text, other.text])
            lengths = math.sqrt(float((first * first).sum()) * float((second * second).sum()))
            return float((first * second).sum()) / lengths if lengths else 0.0
        return self.pipeline.similarity(one.text, other.text)

    def vector(self, of: Doc | Span | Token) -> Float32Array:
        """Return the vector, (d,): of a token its word's, of invisible text zeros."""
        from spacy.tokens import Token

        if isinstance(of, Token):
            row: Float32Array = np.asarray(self.pipeline.vectors.embed([of.text])[0], np.float32)
            return row
        (row,) = self.pipeline.encode([of.text if _visible(of) else "a"])
        return row if _visible(of) else np.zeros_like(row)


def _visible(of: Doc | Span | Token) -> bool:
    return problem(of.text) is None


def _roles_in(span: Span) -> list[dict[str, object]]:
    """Return the frames whose verb, or all of whose roles if it has none, is in the span."""
    inside = range(span.start, span.end)
    found = []
    for frame in span.doc._.roles:
        tokens = frame["tokens"]
        places = tokens.get("Verb") or [place for some in tokens.values() for place in some]
        if places and all(place in inside for place in places):
            found.append(frame)
    return found


def _write(doc: Doc, parsed: list[tuple[Span, DependencyTree, list[int]]]) -> None:
    """Store the trees and frames of a document's sentences in it."""
    names = doc.vocab.strings.add
    attributes: list[int | str] = ["HEAD", "DEP", "POS", "LEMMA"]
    rows: Any = doc.to_array(attributes)
    rows[:, 0] = 0
    rows[:, 1] = names("dep")
    roles: list[dict[str, object]] = []
    for number, (sent, tree, places) in enumerate(parsed):
        root = places[tree.root]
        for i in range(sent.start, sent.end):  # default for tokens outside the tree
            pos = "SPACE" if doc[i].is_space else "X"
            rows[i] = (_relative(i, root), names("dep"), names(pos), names(doc[i].text))
        for i, token in zip(places, tree, strict=True):
            head = places[token.head] if token.head >= 0 else i
            relation = "ROOT" if token.head < 0 else token.relation  # spaCy's own name of it
            rows[i] = (_relative(i, head), names(relation), names(token.pos), names(token.lemma))
        for frame in frames(tree):
            tokens = {
                str(role): [places[t] for t in filler.tokens]
                for role, filler in frame.fillers.items()
            }
            roles.append({"sentence": number} | frame.to_dict(tree) | {"tokens": tokens})
    doc.from_array(attributes, rows)
    doc._.roles = roles


def _relative(token: int, head: int) -> int:
    """Return a head for spaCy's arrays: relative, in unsigned 64 bit."""
    return (head - token) % 2**64


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and label of noun phrases, not nested and without later modifiers."""
    label = doclike.doc.vocab.strings.add("NP")
    end = 0
    for word in doclike:
        if word.pos_ not in HEADS or _first(word).dep_ in INSIDE:
            continue
        start = _start(word)
        if start < end:
            continue
        end = _end(word)
        yield start, end, label


def _first(word: Token) -> Token:
    """Return the first conjunct of a word, or the word itself."""
    while word.dep_ == "conj" and word.head.i < word.i:
        word = word.head
    return word


def _start(word: Token) -> int:
    start = word.i
    for child in reversed(list(word.lefts)):
        if child.dep_ in BEFORE:
            start = child.left_edge.i
        elif child.dep_ != "punct":  # "a big, red dog"
            break
    return start


def _end(word: Token) -> int:
    end = word.i + 1
    for child in word.rights:
        if child.dep_ not in AFTER or child.left_edge.i != end:
            break
        end = child.right_edge.i + 1
    return end


def make(nlp: Language, name: str, model: str = MODEL, hooks: bool = True) -> HybridSem:
    """Return the component ``hybridsem`` for a spaCy pipeline, and set ``noun_chunks`` to read its
    relations. ``model`` reads with the embedded parser; ``hooks`` set ``similarity`` and
    ``vector`` to the model's.
    """
    nlp.vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]
    return HybridSem(model, hooks)


with suppress(ImportError):  # of spaCy, which the component names when it is made
    from spacy.language import Language

    Language.factory(
        "hybridsem",
        default_config={"model": MODEL, "hooks": True},
        assigns=["token.head", "token.dep", "token.pos", "token.lemma", "doc._.roles"],
        func=make,
    )
