"""Ray gives the same results on a cluster that loses a node."""

import functools
import os
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.commands import ROOT
from support.evaluated import written as write_lines
from support.scorers import LengthScorer

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.batch.executors import RayEngine
from hybridsem.batch.work import InProcess, scoring
from hybridsem.cli import main
from hybridsem.errors import HybridSemError, InputError, MissingExtraError, ParseError
from hybridsem.explanations import Explanation
from hybridsem.reader import reader
from hybridsem.search import building

SCORES = scoring().begin


def started(start: Callable[[], Any], times: int = 10) -> Any:
    """Start something in Ray, which may need several attempts on a busy machine."""
    for left in reversed(range(times)):
        try:
            return start()
        except Exception as error:
            if not left or "timed out during startup" not in str(error):
                raise
    raise AssertionError


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without CPUs and two nodes of one CPU each, on this machine."""
    os.environ["RAY_ENABLE_UINT_CPU_CAP"] = "0"
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    )
    from ray.cluster_utils import Cluster

    memory = {"object_store_memory": 80_000_000}
    head = {"num_cpus": 0, "include_dashboard": False, **memory}
    cluster = started(lambda: Cluster(initialize_head=True, head_node_args=head))
    nodes = [started(lambda: cluster.add_node(num_cpus=1, **memory)) for _ in range(2)]
    yield cluster, nodes
    import ray

    ray.shutdown()
    cluster.shutdown()


def test_without_a_cluster_or_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no Ray cluster .* got address '127\.0\.0\.1:1'"):
        RayEngine(Pipeline, "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"run: pip install 'hybridsem\[ray\]'"):
        RayEngine(Pipeline)


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_node_is_lost_and_nothing_else(cluster: Any, tmp_path: Path) -> None:
    running, nodes = cluster
    chunks = [[(f"Dog {i} ran.", f"Cat {k} ran.") for k in range(10)] for i in range(60)]
    expected = list(InProcess(Pipeline("embedded")).map(SCORES, chunks))
    engine = RayEngine(functools.partial(Pipeline, "embedded"), running.address)
    try:
        found = engine.map(SCORES, iter(chunks), "pair")
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
        command = f"score {path} -o {tmp_path}/cli.csv -m embedded --engine ray -q".split()
        assert main([*command, "--address", running.address]) == 0
        assert (tmp_path / "cli.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
        assert main([*command, "--workers", "2"]) == 2
    finally:
        engine.close()


class Mortal(LengthScorer):
    """Notes its process, and dies of the word "die"."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        (folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()

    def explanation(self, one: str, two: str) -> Explanation:
        if one == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().explanation(one, two)


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_pipelines_stay_and_what_kills_them_ends_the_run(cluster: Any, tmp_path: Path) -> None:
    running, _ = cluster
    engine = RayEngine(functools.partial(Mortal, tmp_path), running.address)
    try:
        chunks = [[("a" * i, "b")] for i in range(12)]
        assert [results[0].score for results in engine.map(SCORES, chunks, "pair")] == [
            1 / (i + 1) for i in range(12)
        ]
        assert len(list(tmp_path.iterdir())) < len(chunks) / 2
        with pytest.raises(HybridSemError, match=r"died 5 times over .* pair is \('die', 'b'\)"):
            list(engine.map(SCORES, [[("die", "b")]], "pair"))
    finally:
        engine.close()


TEXTS = [
    f"The {one} {verb} the {two}."
    for verb in ("sued", "praised")
    for one in ("bank", "newspaper", "mayor", "teacher")
    for two in ("journalist", "company")
] + ["the bank sued the journalist", "The journalist was sued by the bank.", "It rained."]

# Ray prints on standard output, at any later time, that the node lost above is lost.
NOTICE = re.compile(r"\x1b\[33m\(raylet\)\x1b\[0m The node with node id.*?workload\.\n", re.DOTALL)

COMMANDS = {
    "encode": "encode blank.jsonl -o OUT.jsonl --on-error skip",
    "rank": "rank query.txt texts.txt --queries -k 3 -o OUT.jsonl --details",
    "rank one": "rank Rain. texts.txt -o OUT.csv",
    "mine": "mine texts.txt -t .9 -o OUT.csv",
    "dedup": "dedup texts.txt -o OUT.txt --reworded --dropped OUT.csv --cache CACHE",
    "cluster": "cluster texts.txt -t .9 -o OUT.csv",
    "index build": "index build texts.txt -o OUT",
    "search": "search HERE/index_build --queries query.txt -k 2 --json",
}


@pytest.fixture(scope="module")
def connected(cluster: Any) -> Iterator[None]:
    """A connection that commands use and do not close, so that processes survive."""
    import ray

    ray.init(address=cluster[0].address, log_to_driver=False)
    yield
    ray.shutdown()


MARK = re.compile(rb'"mark": "[0-9a-f]*"')


def written(folder: Path) -> dict[str, bytes | list[tuple[object, ...]]]:
    """Return all files of a folder except locks; of a database, whose pages depend on when it was
    written, the rows.
    """
    return {
        path.relative_to(folder).as_posix(): rows_of(path)
        if path.suffix == ".sqlite"
        else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def rows_of(path: Path) -> list[tuple[object, ...]]:
    """Return the rows of a database without the random mark of an index."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT * FROM rows ORDER BY row").fetchall()
        named = database.execute("SELECT name, first, content FROM named ORDER BY 1, 2").fetchall()
    return rows + [(name, first, MARK.sub(b"", content)) for name, first, content in named]


@pytest.mark.filterwarnings("ignore")  # Ray's own
@pytest.mark.usefixtures("connected")
def test_commands_write_on_a_cluster_what_they_write_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reader, "SENT", 4)
    monkeypatch.setattr(reader, "CHUNK", 8)
    monkeypatch.setattr(building, "CHUNK", 8)
    monkeypatch.setattr(import_module("hybridsem.cli.encode"), "CHUNK", 8)
    chunks = noted_chunks(monkeypatch)
    Path("texts.txt").write_text("\n".join(TEXTS))
    records = ({"text": text} for text in (*TEXTS[:9], " ", *TEXTS[9:]))
    write_lines(Path("blank.jsonl"), *records)
    Path("query.txt").write_text("\n".join(TEXTS[-3:]))
    for name, line in COMMANDS.items():
        printed = []
        for where in ("here", "there"):
            folder = tmp_path / where
            folder.mkdir(exist_ok=True)
            given = line.replace("OUT", f"{where}/{name.replace(' ', '_')}").split()
            given = [word.replace("HERE", "here").replace("CACHE", f"{where}-c") for word in given]
            engine = ["--engine", "ray"] if where == "there" else []
            chunks.clear()
            assert main([*given, *engine]) == 0, name
            assert bool(chunks) == bool(engine), name
            out, err = capsys.readouterr()
            printed.append((NOTICE.sub("", out), err.replace(f"{where}/", "")))
        assert printed[0] == printed[1], name
        assert written(tmp_path / "there") == written(tmp_path / "here"), name
    chunks.clear()
    again = COMMANDS["dedup"].replace("OUT", "there/again").replace("CACHE", "there-c").split()
    assert main([*again, "--engine", "ray"]) == 0
    assert not chunks, "what was read is in the cache of this machine"


def noted_chunks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which chunks for the cluster are added."""
    noted: list[Any] = []
    whole = RayEngine.map

    def noting(self: Any, begin: Any, chunks: Iterable[Any], item: str = "text") -> Iterator[Any]:
        return whole(self, begin, (noted.append(chunk) or chunk for chunk in chunks), item)

    monkeypatch.setattr(RayEngine, "map", noting)
    return noted


def fragile(nlp: Any) -> Any:
    """Work that fails in two ways."""

    def work(texts: list[str]) -> int:
        if texts[0] == "complain":
            raise ParseError("as it happens", "text 0: ", (0,))
        return len(texts) // len(texts[0])

    return work


@pytest.mark.filterwarnings("ignore")  # Ray's own
@pytest.mark.usefixtures("connected")
def test_work_that_fails_says_why() -> None:
    workers = RayEngine(dict)
    found = workers.map(fragile, [["a"], ["b", "c"], ["complain"], ["d"]])
    assert [next(found), next(found)] == [1, 2]
    with pytest.raises(ParseError, match="text 0: as it happens") as caught:
        next(found)
    assert (caught.value.reason, caught.value.rows) == ("as it happens", (0,))
    with pytest.raises(HybridSemError, match="Ray cluster failed: ZeroDivisionError"):
        list(workers.map(fragile, [[""]]))
    workers.close()
    assert list(workers.map(fragile, [["a"]])) == [1], "the connection is another's"
