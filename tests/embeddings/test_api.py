"""Embedding services: a local server that speaks as each does, and fails as services fail."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import ROOT
from support.local_server import Asked, answering

from hybridsem import Pipeline
from hybridsem._utils import service as _service
from hybridsem.embeddings.api import SERVICES, ApiEncoder
from hybridsem.errors import InputError, ServiceError, UnknownNameError

KEY = "sk-secret-0123456789"
PATHS = {"/openai": "openai", "/cohere": "cohere", "/voyage": "voyage", "/v1/embeddings": "api"}


def vector_of(text: str) -> list[float]:
    return [float(len(text)), float(sum(map(ord, text)) % 97), 1.0]


def texts_in(service: str, body: dict[str, Any]) -> list[str]:
    if service == "gemini":
        return [request["content"]["parts"][0]["text"] for request in body["requests"]]
    return list(body["texts" if service == "cohere" else "input"])


def answer_of(service: str, vectors: list[Any]) -> dict[str, Any]:
    """What each service answers, fields that are not read included; OpenAI's out of order."""
    if service == "gemini":
        return {"embeddings": [{"values": vector} for vector in vectors]}
    if service == "cohere":
        return {"id": "x", "embeddings": {"float": vectors}, "response_type": "embeddings_by_type"}
    rows = [
        {"object": "embedding", "index": at, "embedding": vector}
        for at, vector in enumerate(vectors)
    ]
    return {"object": "list", "data": rows[::-1], "model": "m", "usage": {"total_tokens": 3}}


class Services:
    """``faults``: for each request in turn, (status, body[, headers]), a function of the vectors,
    ``hang``, or None.
    """

    def __init__(self) -> None:
        self.url = ""
        self.faults: list[Any] = []
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.limit: int | None = None
        self.release = threading.Event()

    @property
    def asked(self) -> list[list[str]]:
        """The texts of every request."""
        return [texts_in(service, body) for service, _, body in self.seen]


@pytest.fixture
def services() -> Iterator[Services]:
    state = Services()

    def answer(asked: Asked) -> Any:
        service, body = PATHS.get(asked.path, "gemini"), json.loads(asked.body)
        state.seen.append((service, dict(asked.headers), body))
        fault = state.faults.pop(0) if state.faults else None
        texts = texts_in(service, body)
        if state.limit is not None and len(texts) > state.limit:
            fault = (400, {"error": {"message": "Requested too many tokens, maximum 8"}})
        if fault == "hang":
            return None
        if isinstance(fault, tuple):
            status, content, *headers = fault
            return status, content if isinstance(content, str) else json.dumps(content), *headers
        return json.dumps((fault or answer_of)(service, [vector_of(text) for text in texts]))

    with answering(answer, state.release) as state.url:
        yield state


@pytest.fixture(autouse=True)
def waits(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """An empty cache, keys, and no waiting: how long it would have been."""
    monkeypatch.delenv("HYBRIDSEM_OFFLINE", raising=False)
    for service in SERVICES.values():
        monkeypatch.setenv(service.key, KEY)
    found: list[float] = []
    monkeypatch.setattr(_service, "sleep", found.append)
    return found


Make = Callable[..., ApiEncoder]


@pytest.fixture
def make(services: Services) -> Make:
    def build(service: str = "openai", **options: Any) -> ApiEncoder:
        path = {"gemini": "/models/{model}:batchEmbedContents", "api": "/v1/embeddings"}.get(
            service, f"/{service}"
        )
        return ApiEncoder(service, "model-1", url=services.url + path, **options)

    return build


TEXTS = ["A dog ran.", "Ein größerer Hund.", "A dog ran.", "\U0001f415 {model} {text}"]
COHERE = {"model": "model-1", "input_type": "search_document", "embedding_types": ["float"]}
COHERE |= {"truncate": "NONE", "output_dimension": 3}
WANTED = np.array([vector_of(text) for text in TEXTS], np.float32)


@pytest.mark.parametrize(
    ("service", "body"),
    [
        ("openai", {"model": "model-1", "encoding_format": "float", "dimensions": 3}),
        ("api", {"model": "model-1", "encoding_format": "float", "dimensions": 3}),
        ("voyage", {"model": "model-1", "truncation": False, "output_dimension": 3}),
        ("cohere", COHERE),
        ("gemini", {}),
    ],
)
def test_what_each_service_is_asked(
    service: str, body: dict[str, Any], services: Services, make: Make
) -> None:
    encoder = make(service, dimensions=3)
    np.testing.assert_array_equal(encoder.encode(TEXTS), WANTED)
    np.testing.assert_array_equal(make(service, dimensions=3).encode(TEXTS[::-1]), WANTED[::-1])
    [(_, headers, sent)] = services.seen
    assert texts_in(service, sent) == [TEXTS[0], TEXTS[1], TEXTS[3]], "each once, and only once"
    assert {
        key: value for key, value in sent.items() if key not in ("input", "texts", "requests")
    } == body
    if service == "gemini":
        kept = {
            "model": "models/model-1",
            "taskType": "SEMANTIC_SIMILARITY",
            "outputDimensionality": 3,
        }
        assert sent["requests"][0] == kept | {"content": {"parts": [{"text": TEXTS[0]}]}}
        assert headers["x-goog-api-key"] == KEY
    else:
        assert headers["Authorization"] == f"Bearer {KEY}"


def test_by_name(services: Services) -> None:
    nlp = Pipeline(f"api:{services.url}/v1,model=mini,texts=1")
    assert nlp.similarity(TEXTS[0], TEXTS[0]) == 1
    assert 0 < nlp.similarity(TEXTS[0], TEXTS[1]) < 1
    assert [body["model"] for _, _, body in services.seen] == ["mini"] * 2
    assert Pipeline("openai-3-small").encoder.name == "openai:text-embedding-3-small"
    assert Pipeline("openai:text-embedding-3-large,dimensions=256").encoder.settings == {
        "dimensions": 256
    }
    with pytest.raises(InputError, match="needs a model and an http address"):
        Pipeline(f"api:{services.url}/v1")
    with pytest.raises(InputError, match="the option dimensions must be a number"):
        Pipeline("openai:m,dimensions=many")
    with pytest.raises(UnknownNameError, match="unknown option, got 'colour'"):
        Pipeline("openai:m,colour=red")


def test_batches_by_number_and_by_size(services: Services, make: Make) -> None:
    make("cohere", texts=1000).encode([f"{number}" for number in range(100)])
    assert list(map(len, services.asked)) == [96, 4], "never more than the service takes"
    services.seen.clear()
    make("gemini").encode(["word " * 9000, "word " * 9000 + "b", "c"])
    assert list(map(len, services.asked)) in ([1, 2], [1, 1, 1])


def test_a_request_that_is_too_large_is_halved(services: Services, make: Make) -> None:
    services.limit = 2
    texts = [f"{number}" for number in range(5)]
    assert make().encode(texts)[:, 1].tolist() == [vector_of(text)[1] for text in texts]
    assert list(map(len, services.asked)) == [5, 2, 3, 1, 2]
    services.limit = 0
    with pytest.raises(
        ServiceError, match=r"openai:model-1 does not take 'long': 400 Requested too many tokens"
    ):
        make().encode(["long"])


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ([(429, {}), (503, ""), (500, "oops")], [1, 2, 4]),
        ([(429, {}, {"Retry-After": "7"}), (503, {}, {"Retry-After": "1e9"})], [7, 60]),
        (["hang"], [1]),
    ],
)
def test_trouble_that_passes(
    faults: list[Any], expected: list[float], services: Services, make: Make, waits: list[float]
) -> None:
    services.faults = list(faults)
    patience = {"timeout": 3} if "hang" in faults else {}
    np.testing.assert_array_equal(make(**patience).encode(TEXTS), WANTED)
    assert waits == expected
    assert len(services.seen) == len(faults) + 1


@pytest.mark.parametrize(
    ("faults", "message", "requests"),
    [
        ([(401, {"error": {"message": f"Incorrect: {KEY}."}})], "OPENAI_API_KEY right", 1),
        ([(403, {"message": "forbidden"})], "refused: 403 forbidden; is OPENAI_API_KEY right", 1),
        ([(400, {"detail": "bad dimensions"})], "refused: 400 bad dimensions", 1),
        ([(429, {"error": {"code": "insufficient_quota"}})], "refused: 429", 1),
        ([(302, "", {"Location": "http://elsewhere/"})], "refused: 302", 1),
        ([(500, "a" * 999)] * 8, "no answer in 8 attempts; the last: 500 aaa", 8),
        ([(200, "<html>")], "did not answer with JSON, got '<html>'", 1),
        ([(200, {"data": None})], "answered without data", 1),
    ],
)
def test_what_cannot_be_helped(
    faults: list[Any], message: str, requests: int, services: Services, make: Make
) -> None:
    services.faults = list(faults)
    encoder = make()
    with pytest.raises(ServiceError, match=re.escape(message)):
        encoder.encode(["a", "b"])
    assert len(services.seen) == requests
    assert KEY not in f"{encoder!r}{vars(encoder)}"
    np.testing.assert_array_equal(encoder.encode(["a"]), [vector_of("a")])


@pytest.mark.parametrize("service", ["openai", "cohere", "gemini"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda vectors: vectors[:-1], "gave 1 vectors for 2 texts"),
        (lambda vectors: [vectors[0], vectors[1][:-1]], "rows that are not vectors of one length"),
        (lambda vectors: [vectors[0], [float("nan")] * 3], "empty or not finite"),
        (lambda vectors: [vectors[0], [1e300] * 3], "empty or not finite"),
        (lambda vectors: [vectors[0], ["x"] * 3], "not vectors of one length"),
    ],
)
def test_answers_that_are_no_vectors(
    service: str,
    change: Callable[[list[Any]], list[Any]],
    message: str,
    services: Services,
    make: Make,
) -> None:
    services.faults = [lambda service, vectors: answer_of(service, change(vectors))]
    with pytest.raises(ServiceError, match=message):
        make(service).encode(["a", "b"])
    np.testing.assert_array_equal(make(service).encode(["a"]), [vector_of("a")])
    assert services.asked == [["a", "b"], ["a"]], "nothing of a bad answer was kept"


def test_two_at_once_pay_once(services: Services, make: Make) -> None:
    together = threading.Barrier(3)

    def run() -> None:
        together.wait()
        make(texts=2).encode(["a", "b", "c"])

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(services.asked) == [["a", "b"], ["c"]]


def test_a_process_killed_half_way_has_kept_what_came(services: Services, make: Make) -> None:
    services.faults = [None, "hang"]
    code = "import sys; from hybridsem.embeddings.api import ApiEncoder; "
    code += "ApiEncoder('openai', 'model-1', url=sys.argv[1], texts=1).encode(['a', 'b'])"
    process = subprocess.Popen(
        [sys.executable, "-c", code, f"{services.url}/openai"], cwd=ROOT, env=os.environ
    )
    while len(services.seen) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    np.testing.assert_array_equal(
        make(texts=1).encode(["a", "b"]), [vector_of("a"), vector_of("b")]
    )
    assert services.asked == [["a"], ["b"], ["b"]]


def test_offline(services: Services, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make().encode(["a"])
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert len(make().encode(["a"])) == 1
    with pytest.raises(
        ServiceError,
        match=r"HYBRIDSEM_OFFLINE is set and 1 texts have no vector .*, 'b' among them",
    ):
        make().encode(["a", "b"])
    assert len(services.seen) == 1


@pytest.mark.parametrize("key", ["", "  ", "sk-1\nX: y", "sk-ключ", "sk 1"])
def test_keys_that_are_none(
    key: str, services: Services, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ServiceError, match="OPENAI_API_KEY") as caught:
        make().encode(["a"])
    assert not key.strip() or key not in str(caught.value)
    monkeypatch.setenv("HYBRIDSEM_API_KEY", "")
    make("api").encode(["a"])
    assert "Authorization" not in services.seen[0][1]


def test_an_answer_has_an_end(
    make: Make, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_service, "MAX_ANSWER", 10)
    with pytest.raises(ServiceError, match="answered with more than 0 MiB"):
        make().encode(["a"])
    monkeypatch.setattr(_service, "MAX_ANSWER", 1 << 20)
    monkeypatch.setattr(_service, "OVERALL", -1)
    with pytest.raises(ServiceError, match="gave no answer in .* ReadTimeout: not complete after"):
        make().encode(["a"])
