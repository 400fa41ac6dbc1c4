"""Embedding services as sentence encoders: OpenAI, Cohere, Voyage, Gemini, and servers that speak
as OpenAI's does.

What a service is asked and how it answers is a row of :data:`SERVICES`. Every vector is kept on
disk as soon as it has come, so that none is paid for twice, and a run that breaks off goes on where
it stopped.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.service import Endpoint, TooLarge, below
from hybridsem._utils.store import Store, key_of, problems
from hybridsem._utils.validation import check_sentences
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import InputError, ServiceError, UnknownNameError, redacted

Body = Callable[[str, Sequence[str], Mapping[str, Any]], dict[str, Any]]
"""Model, texts and further settings, to what is posted."""


@dataclass(frozen=True)
class Service:
    """How a service is spoken to, by POST and in JSON.

    ``key`` is the environment variable of the key, which is sent as ``header`` says. ``dimensions``
    is the setting for the length of vectors. ``rows`` is where an answer has its list of vectors;
    ``vector`` and ``index`` are a row's keys for the vector and its place (None: the row is the
    vector; rows are in order). ``texts`` and ``tokens`` are how much is put in one request, within
    what the service takes.
    """

    url: str
    key: str
    body: Body
    dimensions: str
    rows: tuple[str, ...] = ("data",)
    vector: str | None = "embedding"
    index: str | None = "index"
    header: tuple[str, str] = ("Authorization", "Bearer {key}")
    needs_key: bool = True
    texts: int = 100
    tokens: int = 50_000


def _openai(model: str, texts: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": model, "input": list(texts), "encoding_format": "float", **settings}


SERVICES: Mapping[str, Service] = MappingProxyType(
    {
        # platform.openai.com/docs/api-reference/embeddings
        "openai": Service(
            "https://api.openai.com/v1/embeddings",
            "OPENAI_API_KEY",
            _openai,
            "dimensions",
            texts=1000,
            tokens=200_000,
        ),
        # docs.cohere.com/reference/embed: at most 96 texts; a text that is too long is refused, not
        # cut
        "cohere": Service(
            "https://api.cohere.com/v2/embed",
            "COHERE_API_KEY",
            lambda model, texts, settings: {
                "model": model,
                "texts": list(texts),
                "input_type": "search_document",
                "embedding_types": ["float"],
                "truncate": "NONE",
                **settings,
            },
            "output_dimension",
            rows=("embeddings", "float"),
            vector=None,
            index=None,
            texts=96,
        ),
        # docs.voyageai.com/reference/embeddings-api: 120,000 tokens a request for voyage-3-large
        "voyage": Service(
            "https://api.voyageai.com/v1/embeddings",
            "VOYAGE_API_KEY",
            lambda model, texts, settings: {
                "model": model,
                "input": list(texts),
                "truncation": False,
                **settings,
            },
            "output_dimension",
        ),
        # ai.google.dev/api/embeddings
        "gemini": Service(
            "https://generativelanguage.googleapis.com/v1beta/models/{model}:batchEmbedContents",
            "GEMINI_API_KEY",
            lambda model, texts, settings: {
                "requests": [
                    {
                        "model": f"models/{model}",
                        "content": {"parts": [{"text": text}]},
                        "taskType": "SEMANTIC_SIMILARITY",
                        **settings,
                    }
                    for text in texts
                ]
            },
            "outputDimensionality",
            rows=("embeddings",),
            vector="values",
            index=None,
            header=("x-goog-api-key", "{key}"),
            tokens=20_000,
        ),
        # Whatever speaks as OpenAI's does: vLLM, text-embeddings-inference, Ollama, LM Studio, …
        "api": Service("", "HYBRIDSEM_API_KEY", _openai, "dimensions", needs_key=False),
    }
)


TABLE = "vectors"
REMEDY = (
    "if it is damaged, delete it (its vectors will be asked for and paid for again), or set "
    "HYBRIDSEM_CACHE to another folder"
)


class VectorCache:
    """The vectors of one service, model and settings, which ``kind`` spells out."""

    def __init__(self, kind: str, folder: Path | None = None) -> None:
        self.kind = kind
        self.folder = folder or cache_folder() / "services"

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / "vectors.sqlite"

    def get(self, texts: Sequence[str]) -> dict[str, Float32Array]:
        """The vectors of those texts that are there."""
        by_key = {key_of(self.kind, text): text for text in texts}
        with self._open() as store:
            stored = store.get(TABLE, by_key)
        found = {}
        for key, content in stored.items():
            vector = np.frombuffer(content, "<f4") if len(content) % 4 == 0 else np.empty(0)
            if vector.size and np.isfinite(vector).all():
                found[by_key[key]] = vector.astype(np.float32)
        return found

    def put(self, texts: Sequence[str], vectors: Float32Array) -> None:
        """Keep the vectors; once this has returned they survive the process."""
        rows = zip(texts, vectors, strict=True)
        with self._open() as store:
            store.put(
                TABLE,
                {key_of(self.kind, text): vector.astype("<f4").tobytes() for text, vector in rows},
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds off other processes that ask for such vectors, so that no two pay for a text."""
        import filelock

        with problems(self.path, REMEDY):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / f"{key_of(self.kind).hex()}.lock")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _open(self) -> closing[Store]:
        return closing(Store(self.path, [TABLE], REMEDY))


_LOG = logging.getLogger("hybridsem")

OPTIONS = ("dimensions", "model", "texts", "timeout")
"""What may be written after the model: ``openai:text-embedding-3-large,dimensions=256``."""

BYTES_PER_TOKEN = 3
"""At least, in most text; only sizes requests. One that is too large all the same is halved."""


class ApiEncoder:
    """Sentence vectors of an embedding service.

    The key is read from the environment (``OPENAI_API_KEY``, ``COHERE_API_KEY``,
    ``VOYAGE_API_KEY``, ``GEMINI_API_KEY``, ``HYBRIDSEM_API_KEY``) when a request is made; it is not
    kept, shown or logged. With ``HYBRIDSEM_OFFLINE=1`` only vectors that are on disk are given.
    Raises :class:`InputError` (an unknown service, a model or address that is missing, or a number
    that is not positive).

    Args:
        service: ``openai``, ``cohere``, ``voyage``, ``gemini``, or ``api`` for a server that speaks
            as OpenAI's does.
        model: As the service names it.
        url: The server's address; None: the service's own.
        dimensions: Asks for vectors of this length; None: the model's own.
        settings: Further fields of the request.
        texts: How many texts go into one request; None, and at most: what the service takes.
        timeout: Seconds for one request.
        attempts: How often a request that fails for a passing reason is made.
        pause: Seconds between two attempts, doubled each time unless the service asks otherwise.

    >>> ApiEncoder("openai", "text-embedding-3-small", dimensions=256).name
    'openai:text-embedding-3-small'
    """

    def __init__(
        self,
        service: str,
        model: str,
        *,
        url: str | None = None,
        dimensions: int | None = None,
        settings: Mapping[str, Any] | None = None,
        texts: int | None = None,
        timeout: float = 60.0,
        attempts: int = 8,
        pause: float = 1.0,
    ) -> None:
        if service not in SERVICES:
            raise UnknownNameError("embedding service", service, SERVICES)
        row: Service = SERVICES[service]
        address = row.url if url is None else url
        if not model or not re.match(r"https?://", address):
            raise InputError(
                f"an embedding service needs a model and an http address, got {model!r} and "
                f"{address!r}; write for "
                "instance openai:text-embedding-3-small, or api:http://localhost:8000/v1,model=NAME"
            )
        for name, number in (
            ("dimensions", dimensions),
            ("texts", texts),
            ("timeout", timeout),
            ("attempts", attempts),
        ):
            if number is not None and not number > 0:
                raise InputError(f"{name} must be positive, got {number!r}")
        self.service, self.model = service, model
        self.url = address.replace("{model}", model)
        self.texts = min(texts or row.texts, row.texts)
        self.settings = dict(settings or {}) | ({row.dimensions: dimensions} if dimensions else {})
        self._row = row
        self._endpoint = Endpoint(
            self.name,
            self.url,
            row.key,
            row.header,
            row.needs_key,
            timeout=timeout,
            attempts=attempts,
            pause=pause,
        )

    @classmethod
    def from_options(cls, service: str, argument: str, options: Mapping[str, str]) -> ApiEncoder:
        """The encoder written ``service:argument,option=value``; for ``api`` with an address."""
        try:
            given: dict[str, Any] = {
                name: {"dimensions": int, "texts": int, "timeout": float, "model": str}[name](value)
                for name, value in options.items()
            }
        except ValueError as error:
            raise InputError(f"an option of {service}:{argument} is no number: {error}") from None
        if service == "api":
            given["url"] = below(argument, "embeddings")
            return cls(service, given.pop("model", ""), **given)
        return cls(service, given.pop("model", argument), **given)

    def __repr__(self) -> str:
        return (
            f"ApiEncoder({self.service!r}, {self.model!r}, url={redacted(self.url)!r}, "
            f"settings={self.settings!r})"
        )

    @property
    def name(self) -> str:
        """How it is written."""
        return f"{self.service}:{self.model}"

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """The vectors of the sentences, (n, d) float32, as the service gives them; equal sentences
        are asked for once.

        Raises :class:`InputError` for blank text, :class:`ServiceError` where the service refuses,
        fails, or answers something else than a finite vector of one length for each text.
        """
        texts = check_sentences(sentences)
        distinct = list(dict.fromkeys(texts))
        cache = VectorCache(
            json.dumps(
                [redacted(self.url), self._row.body(self.model, [""], self.settings)],
                sort_keys=True,
            )
        )
        found = cache.get(distinct)
        missing = [text for text in distinct if text not in found]
        if missing:
            found |= self._asked(missing, cache)
        if len({len(vector) for vector in found.values()}) > 1:
            lengths = sorted({len(vector) for vector in found.values()})
            raise ServiceError(
                f"{self.name} gave vectors of several lengths, {lengths}; if the model has "
                f"changed, delete {cache.path}"
            )
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, 0), np.float32)

    def _asked(self, texts: Sequence[str], cache: VectorCache) -> dict[str, Float32Array]:
        """The vectors of texts that are not on disk yet, put there batch by batch."""
        if is_offline():
            raise ServiceError(
                f"HYBRIDSEM_OFFLINE is set and {len(texts)} texts have no vector of {self.name} on "
                f"disk, {texts[0]!r:.80} among them"
            )
        found: dict[str, Float32Array] = {}
        with self._endpoint.client() as client:
            for batch in self._batches(texts):
                with cache.alone():
                    found |= cache.get(batch)  # another process may have paid for them by now
                    wanted = [text for text in batch if text not in found]
                    for part, vectors in self._fetched(client, wanted) if wanted else ():
                        cache.put(part, vectors)
                        found |= zip(part, vectors, strict=True)
                _LOG.info("%s: %d of %d texts", self.name, len(found), len(texts))
        return found

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            more = len(text.encode()) // BYTES_PER_TOKEN + 1
            if batch and (len(batch) == self.texts or tokens + more > self._row.tokens):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += more
        if batch:
            yield batch

    def _fetched(self, client: Any, texts: list[str]) -> Iterator[tuple[list[str], Float32Array]]:
        """The vectors of a batch, in two halves where it is too large for the service."""
        try:
            answer = self._endpoint.post(client, self._row.body(self.model, texts, self.settings))
        except TooLarge as error:
            if len(texts) == 1:
                raise ServiceError(f"{self.name} does not take {texts[0]!r:.80}: {error}") from None
            middle = len(texts) // 2
            for half in (texts[:middle], texts[middle:]):
                yield from self._fetched(client, half)
            return
        yield texts, self._vectors(answer, len(texts))

    def _vectors(self, answer: Any, count: int) -> Float32Array:
        """An answer's vectors in the order of the texts, if each has a finite one of one length."""
        row = self._row
        rows = answer
        for key in row.rows:
            rows = rows.get(key) if isinstance(rows, dict) else None
        if not isinstance(rows, list):
            raise ServiceError(
                f"{self.name} answered without {'.'.join(row.rows)}, got {answer!r:.200}"
            )
        if len(rows) != count:
            raise ServiceError(f"{self.name} gave {len(rows)} vectors for {count} texts")
        try:
            order = [each[row.index] for each in rows] if row.index else list(range(count))
            vectors = [each[row.vector] if row.vector else each for each in rows]
            with np.errstate(over="ignore"):
                table = np.array(vectors, np.float32)
            each_once = sorted(order) == list(range(count))
        except (TypeError, KeyError, ValueError, OverflowError):
            raise ServiceError(
                f"{self.name} gave rows that are no vectors of one length, got {rows!r:.200}"
            ) from None
        if not each_once:
            raise ServiceError(
                f"{self.name} gave vectors for the places {order!r:.200}, expected 0 to {count - 1}"
            )
        if table.ndim != 2 or not table.shape[1] or not np.isfinite(table).all():
            raise ServiceError(
                f"{self.name} gave vectors that are empty or not finite, of shape {table.shape}"
            )
        return np.asarray(table[np.argsort(order)])
