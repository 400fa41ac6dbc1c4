"""The embedded encoder: one pass over a sentence gives its vector and a vector for each word piece.

The weights are all-MiniLM-L6-v2 in 8 bit (``models/encoder``). Sentences of equal length run
together, so there is no padding, and the scales of all 8-bit values are fixed (static
quantisation), so a vector does not depend on its batch. The file has upper layers of a second kind
(``models/role_encoder``), whose vector tells who did what to whom; the same pass gives it, and only
where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.drop_cached import DropCached
from hybridsem._utils.onnx import session
from hybridsem._utils.threads import cores, wanted_threads
from hybridsem._utils.validation import check_sentences
from hybridsem._utils.weights import FOLDER, weight_file, weight_path
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.english.non_english import is_foreign
from hybridsem.errors import AssetError, InputError
from hybridsem.tokenisers.spelling import Speller

__all__ = ["EmbeddedEncoder", "Encoded"]


MAX_PIECES = 256
"""Word pieces that the encoder reads, its two marks included; the model was trained on no more."""

LONG = 8192
"""Characters from which a text is not read whole if its start is more than the encoder reads."""

TOKENS_PER_RUN = 512

ROLE_OUTPUTS = frozenset({"role", "role_last"})
"""What the second kind of upper layers gives."""

FEW = 4
"""With fewer batches than this, such as a single pair, threads cost more than they bring."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence after the pass.

    ``vector`` (d,) is the mean of the last layer; ``pieces`` (k, d) the mix of the layers at each
    word piece, without the two marks; ``offsets`` the k (start, end) character spans. ``truncated``
    tells that the text was longer. ``last_layer`` (k + 2, d), if it was asked for, is the last
    layer, the marks first and last: its mean is ``vector``. ``role`` (d,), if it was asked for, is
    the vector of :class:`~hybridsem.embeddings.role_encoder.RoleEncoder`.

    >>> (found,) = EmbeddedEncoder().analyse(["It rains."])
    >>> found.vector.shape, found.offsets
    ((384,), [(0, 2), (3, 8), (8, 9)])
    """

    vector: Float32Array
    pieces: Float32Array
    offsets: list[tuple[int, int]]
    truncated: bool
    last_layer: Float32Array | None = None
    role: Float32Array | None = None

    def split(self) -> SplitVector:
        """The unit vector as a sum over the word pieces; :class:`InputError` without
        ``last_layer``.
        """
        if self.last_layer is None:
            raise InputError("the last layer is missing; analyse(sentences, last_layer=True)")
        return _split(self.vector, self.last_layer, self.offsets)


def _split(
    vector: Float32Array, last_layer: Float32Array, offsets: list[tuple[int, int]]
) -> SplitVector:
    shares = last_layer / np.float32(np.linalg.norm(vector, axis=0) * len(last_layer))
    return SplitVector(normalised(vector), shares[1:-1], shares[0] + shares[-1], offsets)


class EmbeddedEncoder(DropCached):
    """all-MiniLM-L6-v2 in 8 bit on onnxruntime. ``folder``: where the weights are; those that ship
    if not given; ``threads``: sentences that are worked on at once; None: what
    ``HYBRIDSEM_THREADS`` of the environment says, else one a CPU core. Raises :class:`AssetError`
    on first use, if a weight file is missing or damaged, :class:`InputError` for fewer than one
    thread.
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
        """How many runs go on at once."""
        return self.threads or wanted_threads() or cores()

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(weight_file("tokenizer.json", self.folder).decode())
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.max_pieces)
        return tokenizer

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._tokenizer)

    @cached_property
    def _session(self) -> Any:
        graph, weights = (
            weight_path(name, self.folder) for name in ("encoder.onnx", "encoder.weights")
        )
        if weights != graph.with_name("encoder.weights"):  # what was checked is not what is read
            raise AssetError(f"{graph} and {weights} must lie together; reinstall hybridsem")
        return session(graph)

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """The unit vectors of the sentences. ``sentences``: n texts; of one of more than 256 word
        pieces the first 256 are read. Returns (n, 384) float32. Raises :class:`InputError` (blank
        or invalid text).
        """
        return self.encode_as("sentence", sentences)

    def encode_as(self, output: str, sentences: Sequence[str]) -> Float32Array:
        """As :meth:`encode`, by the output ``sentence`` or ``role`` of the graph."""
        encodings = self._encodings(check_sentences(sentences))
        rows = np.empty((len(encodings), self.dimension), np.float32)

        def keep(batch: list[int], outputs: list[Float32Array]) -> None:
            rows[batch] = outputs[0]

        self._run(encodings, [output], keep)
        return normalised(rows)

    def pieces(self, sentences: Sequence[str]) -> list[bytes]:
        """The numbers of the word pieces that are read of each sentence; they decide its vector."""
        return [
            np.array(encoding.ids, np.int32).tobytes()
            for encoding in self._encodings(check_sentences(sentences))
        ]

    def foreign(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it is not English, as far as its words tell."""
        return [is_foreign(text, self._is_piece) for text in check_sentences(sentences)]

    def _is_piece(self, word: str) -> bool:
        return self._tokenizer.token_to_id(word) is not None

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it has more than ``max_pieces`` word pieces and is cut."""
        texts = check_sentences(sentences)
        # A piece of ASCII text has at least one character, so most texts need not be counted.
        rows = [
            row
            for row, text in enumerate(texts)
            if len(text) > self.max_pieces - 2 or not text.isascii()
        ]
        found = [False] * len(texts)
        for row, encoding in zip(rows, self._encodings([texts[row] for row in rows]), strict=True):
            found[row] = bool(encoding.overflowing)
        return found

    def analyse(
        self, sentences: Sequence[str], *, last_layer: bool = False, role: bool = False
    ) -> list[Encoded]:
        """Sentence vectors and word-piece vectors in one pass. ``last_layer``: whether to keep the
        last layer too; ``role``: whether to keep the vectors that hold roles too. Raises
        :class:`InputError` (blank or invalid text).
        """
        forms: dict[int, list[str]] = {}
        encodings = self._encodings(check_sentences(sentences), forms)
        results: list[Encoded | None] = [None] * len(encodings)
        optional = ["last"] * last_layer + ["role"] * role

        def keep(batch: list[int], outputs: list[Float32Array]) -> None:
            for i, vector, pieces, *others in zip(batch, *outputs, strict=True):
                truncated, offsets = (
                    bool(encodings[i].overflowing),
                    self._offsets(i, encodings, forms),
                )
                found = dict(zip(optional, others, strict=True))
                results[i] = Encoded(
                    vector, pieces[1:-1], offsets, truncated, found.get("last"), found.get("role")
                )

        self._run(encodings, ["sentence", "tokens", *optional], keep)
        return [result for result in results if result is not None]

    def split(self, sentences: Sequence[str]) -> list[SplitVector]:
        """Unit vectors, each as a sum over its word pieces; errors as for :meth:`encode`."""
        return self.split_as("sentence", "last", sentences)

    def split_as(self, output: str, layer: str, sentences: Sequence[str]) -> list[SplitVector]:
        """As :meth:`split`, by the output ``sentence`` or ``role`` and its layer."""
        forms: dict[int, list[str]] = {}
        encodings = self._encodings(check_sentences(sentences), forms)
        results: list[SplitVector | None] = [None] * len(encodings)

        def keep(batch: list[int], outputs: list[Float32Array]) -> None:
            for i, vector, last in zip(batch, *outputs, strict=True):
                results[i] = _split(vector, last, self._offsets(i, encodings, forms))

        self._run(encodings, [output, layer], keep)
        return [result for result in results if result is not None]

    @staticmethod
    def _offsets(
        i: int, encodings: list[Any], forms: dict[int, list[str]]
    ) -> list[tuple[int, int]]:
        """The character spans of a sentence's word pieces, in the text that was given."""
        offsets: list[tuple[int, int]] = encodings[i].offsets[1:-1]
        if i in forms:
            origin = [place for place, form in enumerate(forms[i]) for _ in form]
            offsets = [(origin[start], origin[end - 1] + 1) for start, end in offsets]
        return offsets

    def _encodings(
        self, sentences: list[str], forms: dict[int, list[str]] | None = None
    ) -> list[Any]:
        """The word pieces of the sentences; of one that they cannot hold as it is, those of its
        :class:`Speller` form.

        ``forms`` gets what each character of such a sentence was read as, and the encodings have
        offsets then.
        """
        texts = [text if len(text) <= LONG else self._start(text) for text in sentences]
        encode = (
            self._tokenizer.encode_batch_fast if forms is None else self._tokenizer.encode_batch
        )
        encodings: list[Any] = encode(texts)
        spelt = {
            row: self._speller.forms(text)
            for row, text in enumerate(texts)
            if not self._speller.reads(text, encodings[row].ids)
        }
        for row, encoding in zip(
            spelt, encode(["".join(of_row) for of_row in spelt.values()]), strict=True
        ):
            encodings[row] = encoding
        if forms is not None:
            forms.update(spelt)
        return encodings

    def _start(self, text: str) -> str:
        """The start of a long text, if that has more than enough word pieces, else all of it."""
        start = text[:LONG]
        return start if self._encodings([start])[0].overflowing else text

    def _run(
        self,
        encodings: list[Any],
        outputs: list[str],
        keep: Callable[[list[int], list[Float32Array]], None],
    ) -> None:
        """Run the graph over batches of equal length and hand each batch's outputs to ``keep``."""
        batches = equal_length_batches(
            [len(encoding.ids) for encoding in encodings], TOKENS_PER_RUN, self.workers
        )

        asked: dict[str, Any] = {}
        if roles := ROLE_OUTPUTS.intersection(outputs):
            asked = {
                "with_role": np.array([True]),
                "with_plain": np.array([len(roles) < len(outputs)]),
            }

        def run(batch: list[int]) -> None:
            ids = np.array([encodings[i].ids for i in batch], np.int64)
            keep(batch, self._session.run(outputs, {"input_ids": ids} | asked))

        in_parallel(run, batches, self.workers)


def equal_length_batches(lengths: Sequence[int], budget: int, workers: int) -> list[list[int]]:
    """Indices by equal length, at most ``budget`` tokens a group, enough groups for workers."""
    by_length: dict[int, list[int]] = {}
    for i, length in enumerate(lengths):
        by_length.setdefault(length, []).append(i)
    batches = []
    for length, members in by_length.items():
        size = max(1, min(budget // max(1, length), -(-len(members) // workers)))
        batches += [members[at : at + size] for at in range(0, len(members), size)]
    return batches


def in_parallel(run: Callable[[Any], None], items: Sequence[Any], workers: int) -> None:
    """Call ``run`` on every item from ``workers`` threads; the first error is raised here."""
    if workers == 1 or len(items) < FEW:
        for item in items:
            run(item)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(run, items):
            pass


def normalised(rows: Float32Array) -> Float32Array:
    """The rows at unit length; a zero row stays zero."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1), np.float32)
