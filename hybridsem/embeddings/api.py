"""Embedding services as sentence encoders: OpenAI, Cohere, Voyage, Gemini, and compatible servers.

``api.toml`` describes the services. Each vector is stored on disk as soon as it arrives, so no
vector is paid for twice, and an interrupted run resumes.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.service import Endpoint, TooLarge
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.tables import read_table
from hybridsem._utils.validation import check_sentences
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import InputError, ServiceError, UnknownNameError, redacted

if TYPE_CHECKING:
    import httpx

_LOG = logging.getLogger("hybridsem")


@dataclass(frozen=True)
class Service:
    """The interface of a service: JSON by POST. ``key`` is the environment variable of the key,
    sent as in ``header``. A request has the texts in the field ``input`` and ``fields``;
    ``dimensions`` is the field for the vector length. A response has its vectors at ``rows``;
    ``vector`` and ``index`` are the fields of a row (empty: the row is the vector, and the rows are
    in order). ``texts`` and ``tokens`` limit a request.
    """

    url: str
    key: str
    input: str = "input"
    fields: Mapping[str, object] = field(default_factory=dict)
    dimensions: str = "dimensions"
    rows: Sequence[str] = ("data",)
    vector: str = "embedding"
    index: str = "index"
    header: Sequence[str] = ("Authorization", "Bearer {key}")
    needs_key: bool = True
    texts: int = 100
    tokens: int = 50_000

    def body(
        self, model: str, texts: Sequence[str], settings: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the JSON of a request."""
        more = {**self.fields, **settings}
        if self.input != "requests":
            return {"model": model, self.input: list(texts), **more}
        contents = ({"parts": [{"text": text}]} for text in texts)
        name = f"models/{model}"
        return {"requests": [{"model": name, "content": content, **more} for content in contents]}


SERVICES: Mapping[str, Service] = {
    name: Service(**row) for name, row in read_table(__file__).items()
}

TABLE = "vectors"
REMEDY = (
    "if it is damaged, delete it (its vectors will be requested and paid for again), or set "
    "HYBRIDSEM_CACHE to another folder"
)


OPTIONS = {"dimensions": int, "model": str, "texts": int, "timeout": float}
"""The options after the model: ``openai:text-embedding-3-large,dimensions=256``."""

BYTES_PER_TOKEN = 3
"""A lower bound for most text, to size requests. A request that is too large is halved."""


class ApiEncoder:
    """Sentence vectors of an embedding service. The key is read from the environment
    (``OPENAI_API_KEY``, ``COHERE_API_KEY``, ``VOYAGE_API_KEY``, ``GEMINI_API_KEY``,
    ``HYBRIDSEM_API_KEY``) for each request; it is never stored, shown or logged. With
    ``HYBRIDSEM_OFFLINE=1`` only stored vectors are used. Raises :class:`InputError` for an unknown
    service, a missing model or address, or a number that is not positive.

    Args:
        service: ``openai``, ``cohere``, ``voyage``, ``gemini``, or ``api`` for a server with
            OpenAI's interface.
        model: The service's name of the model.
        url: The server's address; None: the service's own.
        dimensions: The length of the vectors; None: the model's own.
        settings: Further fields of the request.
        texts: The texts in a request; None, and at most: the service's limit.
        timeout: Seconds for one request.
    """

    def __init__(
        self,
        service: str,
        model: str,
        *,
        url: str | None = None,
        dimensions: int | None = None,
        settings: Mapping[str, object] | None = None,
        texts: int | None = None,
        timeout: float = 60.0,
    ) -> None:
        if service not in SERVICES:
            raise UnknownNameError("embedding service", service, SERVICES)
        self._row = row = SERVICES[service]
        address = row.url if url is None else url
        if not model or not re.match(r"https?://", address):
            raise InputError(
                f"an embedding service needs a model and an http address, got {model!r} and "
                f"{address!r}; write, for example, openai:text-embedding-3-small, or "
                "api:http://localhost:8000/v1,model=NAME"
            )
        counts = {"dimensions": dimensions, "texts": texts, "timeout": timeout}
        for name, number in counts.items():
            if number is not None and not number > 0:
                raise InputError(f"{name} must be positive, got {number!r}")
        self.service, self.model, self.name = service, model, f"{service}:{model}"
        self.url = address.replace("{model}", model)
        self.texts = min(texts or row.texts, row.texts)
        self.settings = dict(settings or {}) | ({row.dimensions: dimensions} if dimensions else {})
        header = row.header[0], row.header[1]
        self._endpoint = Endpoint(self.name, self.url, row.key, header, row.needs_key, timeout)

    def __repr__(self) -> str:
        return (
            f"ApiEncoder({self.service!r}, {self.model!r}, url={redacted(self.url)!r}, "
            f"settings={self.settings!r})"
        )

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return the vectors of the service, (n, d) float32; equal sentences are requested once.
        Raises :class:`InputError` for blank text, and :class:`ServiceError` if the service fails or
        does not return a finite vector of one length for each text.
        """
        texts = check_sentences(sentences)
        about = [redacted(self.url), self._row.body(self.model, [""], self.settings)]
        kind = json.dumps(about, sort_keys=True)
        keys = {text: key_of(kind, text) for text in texts}
        path = cache_folder() / "services" / "vectors.sqlite"
        lock = path.with_name(f"{key_of(kind).hex()}.lock")
        with closing(Store(path, [TABLE], REMEDY)) as store:
            stored = store.get(TABLE, keys.values())
            if missing := [text for text, key in keys.items() if key not in stored]:
                stored |= self._requested(missing, keys, store, lock)
        found = [np.frombuffer(stored[keys[text]], "<f4").astype(np.float32) for text in texts]
        if len(lengths := {len(vector) for vector in found}) > 1:
            raise ServiceError(
                f"{self.name} gave vectors of several lengths, {sorted(lengths)}; if the model has "
                f"changed, delete {path}"
            )
        return np.stack(found) if found else np.empty((0, 0), np.float32)

    def _requested(
        self, texts: Sequence[str], keys: Mapping[str, bytes], store: Store, lock: Path
    ) -> dict[bytes, bytes]:
        """Return the vectors of texts, each stored at once. The lock keeps other processes from
        asking for them too, so that each text is paid for once.
        """
        from filelock import FileLock

        if is_offline():
            raise ServiceError(
                f"HYBRIDSEM_OFFLINE is set and {len(texts)} texts have no vector of {self.name} on "
                f"disk, {texts[0]!r:.80} among them"
            )
        found: dict[bytes, bytes] = {}
        with self._endpoint.client() as client:
            for batch in self._batches(texts):
                with FileLock(lock):
                    found |= store.get(TABLE, map(keys.__getitem__, batch))
                    wanted = [text for text in batch if keys[text] not in found]
                    for part, vectors in self._fetched(client, wanted) if wanted else ():
                        rows = zip(part, vectors.astype("<f4"), strict=True)
                        new = {keys[text]: vector.tobytes() for text, vector in rows}
                        store.put(TABLE, new)
                        found |= new
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

    def _fetched(
        self, client: httpx.Client, texts: list[str]
    ) -> Iterator[tuple[list[str], Float32Array]]:
        """Yield the vectors of a batch, halving it if it is too large for the service."""
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

    def _vectors(self, answer: object, count: int) -> Float32Array:
        """Return the vectors of an answer in the order of the texts, checked."""
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
                f"{self.name} gave rows that are not vectors of one length, got {rows!r:.200}"
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
