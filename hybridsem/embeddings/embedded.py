"""The embedded encoder: one pass over a sentence gives its vector and a vector per word piece.

The weights are all-MiniLM-L6-v2 in 8 bit, its upper three layers distilled from all-mpnet-base-v2
(``models/encoder``). Sentences of equal length run
together without padding, and quantisation is static, so a vector does not depend on its batch. The
file has a second set of upper layers (``models/role_encoder``) for the vectors of
:class:`~hybridsem.embeddings.role_encoder.RoleEncoder`; they run only on request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.onnx import CUDA, DropCached, Session, encoder_session
from hybridsem._utils.threads import cores, wanted_threads
from hybridsem._utils.validation import check_sentences
from hybridsem._utils.weights import FOLDER, graph_path, weight_file
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.english.non_english import READ, is_non_english
from hybridsem.errors import InputError
from hybridsem.tokenisers import Speller

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


MAX_PIECES = 256
"""The most word pieces that are read, including special tokens, as in the model's training."""

LONG = 8192
"""Characters from which the start of a text is tried first."""

TOKENS_PER_RUN, TOKENS_ON_CUDA = 128, 4096

ROLE_OUTPUTS = frozenset({"role", "role_last"})
"""The outputs of the second upper layers."""
SHARED = "shared"
"""The output of the lower layers."""

FLAGS = 30_000
"""Texts of which it is remembered whether they are English."""
FEW = 4
"""The number of batches below which threads do not pay off."""

ItemT = TypeVar("ItemT")
Offsets = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence after the pass.

    ``vector`` (d,) is the mean of the last layer; ``pieces`` (k, d) the layer mix at each word
    piece, without special tokens; ``offsets`` their (start, end) character spans; ``truncated`` is
    True if the text was longer. Optional are ``last_layer`` (k + 2, d), special tokens included,
    whose mean is ``vector``, and ``role`` (d,), the vector of
    :class:`~hybridsem.embeddings.role_encoder.RoleEncoder`.

    >>> (found,) = EmbeddedEncoder().analyse(["It rains."])
    >>> found.vector.shape, found.offsets
    ((384,), [(0, 2), (3, 8), (8, 9)])
    """

    vector: Float32Array
    pieces: Float32Array
    offsets: Offsets
    truncated: bool
    last_layer: Float32Array | None = None
    role: Float32Array | None = None

    def split(self) -> SplitVector:
        """Return the unit vector as a sum over word pieces. Raises :class:`InputError` without
        ``last_layer``.
        """
        if self.last_layer is None:
            raise InputError("the last layer is missing; analyse(sentences, last_layer=True)")
        return _split(self.vector, self.last_layer, self.offsets)


def _split(vector: Float32Array, last_layer: Float32Array, offsets: Offsets) -> SplitVector:
    shares = last_layer / np.float32(np.linalg.norm(vector, axis=0) * len(last_layer))
    return SplitVector(normalised(vector), shares[1:-1], shares[0] + shares[-1], offsets)


class EmbeddedEncoder(DropCached):
    """The embedded encoder on onnxruntime. ``folder`` has the weights (default: those in the
    package). ``threads`` is the number of parallel runs on a CPU (default: ``HYBRIDSEM_THREADS``,
    else the number of CPU cores). Raises :class:`InputError` for fewer than one thread, and on
    first use :class:`AssetError` for a missing or damaged weight file.
    """

    name = "embedded"
    dimension = 384
    max_pieces = MAX_PIECES
    mask_token = "[MASK]"

    def __init__(self, folder: Path = FOLDER, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads must be at least 1, got {threads!r}")
        self.folder = folder
        self.threads = threads

    @cached_property
    def workers(self) -> int:
        """The number of parallel runs on a CPU."""
        return self.threads or wanted_threads() or cores()

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(weight_file("tokenizer.json", self.folder).decode())
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.max_pieces)
        return tokenizer

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._tokenizer)

    @cached_property
    def _session(self) -> Session:
        return encoder_session(graph_path(("encoder.onnx", "encoder.weights"), self.folder))

    def encode(self, sentences: Sequence[str], output: str = "sentence") -> Float32Array:
        """Return unit vectors, (n, d) float32, of the first ``max_pieces`` word pieces. ``output``
        is the graph's output, ``sentence`` or ``role``. Raises :class:`InputError` for blank or
        invalid text.
        """
        outputs = self._run(self._encodings(check_sentences(sentences)), [output])
        rows = [vector for (vector,) in outputs]
        return normalised(np.stack(rows) if rows else np.empty((0, self.dimension), np.float32))

    def pieces(self, sentences: Sequence[str]) -> list[bytes]:
        """Return the ids of each sentence's word pieces, which determine its vector."""
        encodings = self._encodings(check_sentences(sentences))
        return [np.array(encoding.ids, np.int32).tobytes() for encoding in encodings]

    def foreign(self, sentences: Sequence[str]) -> list[bool]:
        """Return whether each sentence is not English, judging by its words."""
        return [self._is_foreign(text[:READ]) for text in check_sentences(sentences)]

    @cached_property
    def _is_foreign(self) -> Callable[[str], bool]:
        return lru_cache(FLAGS)(partial(is_non_english, piece=self._tokenizer.token_to_id))

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """Return whether each sentence has more than ``max_pieces`` word pieces."""
        texts = check_sentences(sentences)
        # A piece of ASCII text has at least one character, so short texts need no tokenizer.
        short = [text.isascii() and len(text) <= self.max_pieces - 2 for text in texts]
        rest = [text for text, fits in zip(texts, short, strict=True) if not fits]
        encodings = iter(self._encodings(rest))
        return [not fits and bool(next(encodings).overflowing) for fits in short]

    def analyse(
        self, sentences: Sequence[str], *, last_layer: bool = False, role: bool = False
    ) -> list[Encoded]:
        """Return the vectors of sentences and word pieces, from one pass. ``last_layer`` and
        ``role`` ask for these optional parts too. Raises :class:`InputError` for blank or invalid
        text.
        """
        forms: dict[int, list[str]] = {}
        encodings = self._encodings(check_sentences(sentences), forms)
        optional = ["last"] * last_layer + ["role"] * role
        results = []
        for i, values in enumerate(self._run(encodings, ["sentence", "tokens", *optional])):
            vector, pieces, *others = values
            more = dict(zip(optional, others, strict=True))
            offsets = self._offsets(i, encodings, forms)
            truncated = bool(encodings[i].overflowing)
            parts = (more.get(name) for name in ("last", "role"))
            results.append(Encoded(vector, pieces[1:-1], offsets, truncated, *parts))
        return results

    def shared_states(self, sentences: Sequence[str]) -> list[Float32Array]:
        """Return what the lower layers make of each sentence, (k + 2, d), special tokens included.
        Raises :class:`InputError` for blank or invalid text.
        """
        outputs = self._run(self._encodings(check_sentences(sentences)), [SHARED])
        return [rows for (rows,) in outputs]

    def split(
        self, sentences: Sequence[str], outputs: tuple[str, str] = ("sentence", "last")
    ) -> list[SplitVector]:
        """Return unit vectors as sums over word pieces; errors as for :meth:`encode`. ``outputs``
        are the graph's outputs for a sentence and its last layer.
        """
        forms: dict[int, list[str]] = {}
        encodings = self._encodings(check_sentences(sentences), forms)
        return [
            _split(vector, last, self._offsets(i, encodings, forms))
            for i, (vector, last) in enumerate(self._run(encodings, list(outputs)))
        ]

    @staticmethod
    def _offsets(i: int, encodings: list[Encoding], forms: dict[int, list[str]]) -> Offsets:
        """Return the character spans of a sentence's word pieces in the given text."""
        offsets: Offsets = encodings[i].offsets[1:-1]
        if i in forms:
            origin = [place for place, form in enumerate(forms[i]) for _ in form]
            offsets = [(origin[start], origin[end - 1] + 1) for start, end in offsets]
        return offsets

    def _encodings(
        self, sentences: Sequence[str], forms: dict[int, list[str]] | None = None
    ) -> list[Encoding]:
        """Tokenise sentences; unreadable ones by their :class:`Speller` form. With ``forms`` the
        encodings have offsets, and ``forms`` gets the form of each character of the spelt
        sentences.
        """
        texts = [text if len(text) <= LONG else self._start(text) for text in sentences]
        tokenizer = self._tokenizer
        encode = tokenizer.encode_batch_fast if forms is None else tokenizer.encode_batch
        encodings: list[Encoding] = encode(texts)
        spelt = {
            row: self._speller.forms(text)
            for row, text in enumerate(texts)
            if not self._speller.reads(text, encodings[row].ids)
        }
        again = encode(["".join(form) for form in spelt.values()])
        for row, encoding in zip(spelt, again, strict=True):
            encodings[row] = encoding
        if forms is not None:
            forms.update(spelt)
        return encodings

    def _start(self, text: str) -> str:
        """Return the start of a long text if it has enough word pieces, else the whole text."""
        start = text[:LONG]
        return start if self._encodings([start])[0].overflowing else text

    def _run(self, encodings: list[Encoding], outputs: list[str]) -> list[tuple[Float32Array, ...]]:
        """Run the graph over batches of equal length; return the outputs of each sentence."""
        if not encodings:
            return []
        # Parallel runs on one GPU delay each other.
        on_cuda = CUDA in self._session.get_providers()
        budget, workers = (TOKENS_ON_CUDA, 1) if on_cuda else (TOKENS_PER_RUN, self.workers)
        lengths = [len(encoding.ids) for encoding in encodings]
        roles = ROLE_OUTPUTS.intersection(outputs)
        plain = {*outputs} - roles - {SHARED}
        # Another graph of this form has no such switches, and no such outputs.
        flags = {"with_role": np.array([True])} if roles else {}
        if not plain:
            flags["with_plain"] = np.array([False])

        def run(batch: list[int]) -> Iterable[tuple[Float32Array, ...]]:
            ids = np.array([encodings[i].ids for i in batch], np.int64)
            return zip(*self._session.run(outputs, {"input_ids": ids} | flags), strict=True)

        return of_equal_length(run, lengths, budget, workers)


def equal_length_batches(lengths: Sequence[int], budget: int, workers: int) -> list[list[int]]:
    """Group indices by length: at most ``budget`` tokens a group, enough groups for all workers."""
    by_length: dict[int, list[int]] = {}
    for i, length in enumerate(lengths):
        by_length.setdefault(length, []).append(i)
    batches = []
    for length, members in by_length.items():
        size = max(1, min(budget // max(1, length), -(-len(members) // workers)))
        batches += [members[at : at + size] for at in range(0, len(members), size)]
    return batches


def of_equal_length(
    run: Callable[[list[int]], Iterable[ItemT]], lengths: Sequence[int], budget: int, workers: int
) -> list[ItemT]:
    """Return the results of ``run`` for all indices, from batches of :func:`equal_length_batches`
    in parallel.
    """
    results: dict[int, ItemT] = {}
    batches = equal_length_batches(lengths, budget, workers)
    in_parallel(lambda batch: results.update(zip(batch, run(batch), strict=True)), batches, workers)
    return [results[i] for i in range(len(lengths))]


def in_parallel(run: Callable[[ItemT], None], items: Sequence[ItemT], workers: int) -> None:
    """Call ``run`` on each item from ``workers`` threads; the first error is raised here."""
    if workers == 1 or len(items) < FEW:
        for item in items:
            run(item)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(run, items):
            pass


def normalised(rows: Float32Array) -> Float32Array:
    """Return the rows at unit length; a zero row stays zero."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1), np.float32)
