"""Ray Data: the same results on a cluster of several nodes, one of which is lost while they
work.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.batch.ray_engine import RayEngine
from hybridsem.batch.work import InProcess
from hybridsem.cli import main
from hybridsem.errors import HybridSemError, InputError, MissingExtraError
from hybridsem.explanations import Explanation

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that does no work, and two nodes of one CPU each, all processes of this machine."""
    os.environ["RAY_ENABLE_UINT_CPU_CAP"] = "0"
    # On a busy machine it takes more than the usual half minute.
    os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112 - Ray's own spelling
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    )
    from ray.cluster_utils import Cluster

    memory = {"object_store_memory": 80_000_000}
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **memory}
    )
    nodes = [cluster.add_node(num_cpus=1, **memory) for _ in range(2)]
    yield cluster, nodes
    import ray

    ray.shutdown()
    cluster.shutdown()


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_node_is_lost_and_nothing_else(cluster: Any, tmp_path: Path) -> None:
    running, nodes = cluster
    chunks = [[(f"Dog {i} ran.", f"Cat {k} ran.") for k in range(10)] for i in range(60)]
    expected = list(InProcess(Pipeline("embedded")).run(chunks))
    engine = RayEngine(functools.partial(Pipeline, "embedded"), running.address, group=40)
    try:
        found = engine.run(iter(chunks))
        results = [next(found)]
        running.remove_node(nodes[0], allow_graceful=False)
        results += found
        assert results == expected
        path = tmp_path / "in.csv"
        path.write_text(
            "s1,s2\n" + "".join(f"{one},{two}\n" for chunk in chunks[:3] for one, two in chunk)
        )
        score_file(Pipeline("embedded"), path, tmp_path / "here.csv", chunk_size=8)
        score_file(Pipeline("embedded"), path, tmp_path / "there.csv", chunk_size=8, engine=engine)
        assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
        command = [
            "score",
            str(path),
            "-o",
            str(tmp_path / "cli.csv"),
            "-m",
            "embedded",
            "--engine",
            "ray",
            "-q",
        ]
        assert main([*command, "--address", running.address]) == 0
        assert (tmp_path / "cli.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
        assert main([*command, "--workers", "2"]) == 2
    finally:
        engine.close()


class Mortal:
    """A pipeline that says where it is made, and dies of the word "die"."""

    def __init__(self, folder: Path) -> None:
        (folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()

    def explain_all(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        return [self._one(*pair) for pair in pairs]

    def _one(self, one: str, two: str) -> Explanation:
        if one == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if one == "complain":
            raise HybridSemError("as it happens")
        return Explanation(one, two, 1 / (len(one) + len(two)), "mortal")


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_pipelines_stay_and_what_kills_them_ends_the_run(cluster: Any, tmp_path: Path) -> None:
    running, _ = cluster
    engine = RayEngine(functools.partial(Mortal, tmp_path), running.address, group=1)
    try:
        chunks = [[("a" * i, "b")] for i in range(12)]
        assert [results[0].score for results in engine.run(chunks)] == [
            1 / (i + 1) for i in range(12)
        ]
        assert len(list(tmp_path.iterdir())) < len(chunks) / 2
        with pytest.raises(
            HybridSemError,
            match=r"died 5 times over chunk \d+ \(1 pairs\); its first pair is \('die', 'b'\)",
        ):
            list(engine.run([[("die", "b")]]))
    finally:
        engine.close()


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_documents_are_scored_on_the_cluster(
    cluster: Any, pipelines: dict[str, Pipeline], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hybridsem.datasets.settings import Settings
    from hybridsem.evaluation import evaluated_model
    from hybridsem.evaluation.sage.document_models import prepared

    running, _ = cluster
    monkeypatch.setenv("RAY_ADDRESS", running.address)
    pairs = [
        (f"The dog saw {i} cats. It rained.", f"It rained. A cat saw {k} dogs.")
        for i in range(6)
        for k in range(3)
    ]
    pairs.append(("!!!", "It rained."))
    here = prepared(evaluated_model(Pipeline("verbnet-cn")), Settings()).scores(pairs)
    there = prepared(evaluated_model(Pipeline("verbnet-cn")), Settings(options={"engine": "ray"}))
    assert there.scores(pairs).tolist() == pytest.approx(here.tolist(), abs=0, nan_ok=True)
    with pytest.raises(InputError, match="parts must be names; got an object for"):
        prepared(evaluated_model(pipelines["verbnet-cn"]), Settings(options={"engine": "ray"}))
    with pytest.raises(InputError, match="engine is for models of structure"):
        prepared(evaluated_model("levenshtein"), Settings(options={"engine": "ray"}))


def test_without_a_cluster_or_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match=r"no Ray cluster can be reached, got address '127\.0\.0\.1:1'"
    ):
        RayEngine(Pipeline, "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        MissingExtraError, match=r"ray is not installed; run: pip install 'hybridsem\[ray\]'"
    ):
        RayEngine(Pipeline)
