"""One pipeline in many threads, tasks and processes, without shared state."""

import multiprocessing
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem._utils.predictors import Logistic
from hybridsem._utils.store import Store
from hybridsem.batch import score_file
from hybridsem.batch.cache import TABLES
from hybridsem.calibration import Calibration
from hybridsem.calibration.model import inputs_of_pairs
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.search import Index

THREADS = 4
PATIENCE = 300
"""The time limit of waiting threads, in seconds."""

PAIR = ("The dog chased the cat.", "The cat was chased by the dog.")
TEXTS = [*PAIR, "The cat chased the dog.", "It is raining.", "It's raining.", "We left early."]

CALLS: dict[str, Callable[[Pipeline], Any]] = {
    "similarity": lambda nlp: nlp.similarity(*PAIR),
    "explain": lambda nlp: nlp.explain(*PAIR),
    "explain, many": lambda nlp: nlp.explain([PAIR, PAIR[::-1]]),
    "score": lambda nlp: nlp.score([PAIR, TEXTS[2:4]]),
    "judge": lambda nlp: nlp.judge(*PAIR),
    "judge, many": lambda nlp: nlp.judge([PAIR, TEXTS[2:4]]),
    "decide": lambda nlp: nlp.decide(*PAIR),
    "decide, many": lambda nlp: nlp.decide([PAIR, TEXTS[2:4]]),
    "calibration_inputs": lambda nlp: inputs_of_pairs(nlp.reader, [PAIR], "judgement"),
    "rank": lambda nlp: nlp.rank(PAIR[0], TEXTS),
    "rank, top_k": lambda nlp: nlp.rank([*PAIR], TEXTS, top_k=2, explain=True),
    "mine": lambda nlp: list(nlp.mine(TEXTS, threshold=0.5)),
    "mine, others": lambda nlp: list(nlp.mine(TEXTS[:3], TEXTS[3:], threshold=-1.0, top_k=1)),
    "cluster": lambda nlp: nlp.cluster(TEXTS, threshold=0.5),
    "deduplicate": lambda nlp: nlp.deduplicate(TEXTS, reworded=True),
    "parse": lambda nlp: nlp.parse(TEXTS),
    "encode": lambda nlp: nlp.encode(TEXTS),
    "encode, role": lambda nlp: nlp.encode(TEXTS, space="role"),
    "near": lambda nlp: nlp.reader.near(TEXTS),
    "unit_vectors": lambda nlp: nlp.reader.parts.unit_vectors(TEXTS),
    "read": lambda nlp: nlp.read([PAIR]).sentences,
    "truncated": lambda nlp: nlp.truncated(TEXTS),
    "foreign": lambda nlp: nlp.foreign(TEXTS),
    "contents": lambda nlp: (dict(nlp.contents), nlp.reader.parts.check_contents()),
    "repr": repr,
    "pickle": lambda nlp: pickle.loads(pickle.dumps(nlp)).similarity(*PAIR),
    "documents": lambda nlp: nlp.score([(" ".join(TEXTS), " ".join(TEXTS[:2]))]),
}
"""Every public method."""


class Gate:
    """Threads enter together at their first reading and leave one by one, after whole calls."""

    def __init__(self) -> None:
        self.together = threading.Barrier(THREADS)
        self.turns = [threading.Event() for _ in range(THREADS + 1)]
        self.turns[0].set()
        self.thread = threading.local()

    def wait(self) -> None:
        """Enter, if the thread has not."""
        number = getattr(self.thread, "number", None)
        if number is not None:
            self.thread.number = None
            self.together.wait(PATIENCE)
            assert self.turns[number].wait(PATIENCE)

    def results(self, call: Callable[[int], Any]) -> list[Any]:
        """Return the result of the call in each thread."""

        def run(number: int) -> Any:
            self.thread.number = number
            try:
                return call(number)
            finally:
                if self.thread.number is not None:
                    self.together.abort()  # an error before the gate is not waited for
                self.turns[number + 1].set()

        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(run, range(THREADS)))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """A gate before the encoder's pass for parses."""
    found, whole = Gate(), EmbeddedEncoder.analyse

    def analyse(self: EmbeddedEncoder, *texts: Any, **how: Any) -> Any:
        found.wait()
        return whole(self, *texts, **how)

    monkeypatch.setattr(EmbeddedEncoder, "analyse", analyse)
    return found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """A pipeline with a calibration."""
    path = tmp_path_factory.mktemp("calibration") / "calibration.json"
    curve, settings = Logistic(np.ones(8), -6.0), Pipeline().settings
    Calibration(pipeline=settings, of="judgement", model=curve, threshold=0.5).save(path)
    return Pipeline(calibration=path)


def same(found: Any, expected: Any) -> bool:
    """Return whether results are equal to the last bit."""
    if isinstance(expected, np.ndarray):
        return np.array_equal(found, expected)
    return bool(found == expected)


@pytest.mark.parametrize("name", CALLS)
def test_threads_that_leave_a_call_take_nothing_from_others(
    name: str, shared: Pipeline, gate: Gate
) -> None:
    call = CALLS[name]
    expected = call(shared)
    assert all(same(found, expected) for found in gate.results(lambda _: call(shared)))
    assert not shared.remembers


@pytest.mark.parametrize("model", ["hybrid", "embedded"])
def test_threads_search_one_index(model: str, gate: Gate, tmp_path: Path) -> None:
    nlp = Pipeline(model)
    index = Index.build(TEXTS, tmp_path / "index", nlp)
    expected = index.search([*PAIR], 3)
    assert gate.results(lambda _: index.search([*PAIR], 3)) == [expected] * THREADS
    assert not nlp.remembers


@pytest.mark.parametrize("cached", [False, True])
def test_threads_score_files(cached: bool, shared: Pipeline, gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("s1,s2\n" + "".join(f"{one},A qwghlm barked.\n" for one in TEXTS))

    def scored(name: str) -> bytes:
        cache = tmp_path / f"cache-{name}" if cached else None
        score_file(shared, path, tmp_path / f"{name}.csv", cache=cache)
        return (tmp_path / f"{name}.csv").read_bytes()

    assert gate.results(lambda number: scored(f"thread-{number}")) == [scored("alone")] * THREADS
    assert not shared.remembers


def test_a_pipeline_is_first_used_by_threads(gate: Gate) -> None:
    nlp = Pipeline()
    assert gate.results(lambda _: nlp.similarity(*PAIR)) == [nlp.similarity(*PAIR)] * THREADS


@pytest.mark.slow
def test_processes_share_a_pipeline(shared: Pipeline) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.starmap(called, [(name, shared) for name in CALLS])
    assert all(
        same(result, called(name, shared)) for name, result in zip(CALLS, found, strict=True)
    )


def called(name: str, nlp: Pipeline) -> Any:
    """Call a method by name, for another process."""
    return CALLS[name](nlp)


def test_what_is_not_read_to_the_end_leaves_the_pipeline_as_it_was(shared: Pipeline) -> None:
    first, second = (shared.mine(TEXTS, threshold=-1.0) for _ in range(2))
    begun = next(first), next(second)
    assert begun[0] == begun[1]
    assert not shared.remembers
    assert [begun[0], *first] == [begun[1], *second]


@pytest.mark.parametrize("cached", [False, True])
def test_a_memory_survives_score_file(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nlp = Pipeline()
    store = Store(tmp_path / "own.sqlite", TABLES)
    nlp.remember(100, store)
    score = nlp.similarity(*PAIR)
    (tmp_path / "in.csv").write_text("s1,s2\nIt rains.,A frobnicator fell.\n")
    score_file(
        nlp,
        tmp_path / "in.csv",
        tmp_path / "out.csv",
        cache=tmp_path / "cache" if cached else None,
    )
    monkeypatch.setattr(EmbeddedEncoder, "analyse", None)
    assert nlp.similarity(*PAIR) == score
    store.close()
