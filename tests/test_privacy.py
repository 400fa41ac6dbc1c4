"""The core opens no connection and writes nothing by itself."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support import no_internet
from support.commands import ROOT

from hybridsem._utils.onnx import quiet_onnxruntime

LONG_ENOUGH = 15
"""Seconds; onnxruntime's telemetry connects about nine seconds after its import."""

CORE = f"""
import time
from hybridsem import Pipeline
nlp = Pipeline()
assert 0 < nlp.similarity("a cat", "a dog") < 1
assert nlp.explain("A man sings.", "A woman sings.").score > 0
time.sleep({LONG_ENOUGH})
"""


def run(folder: Path, *arguments: str) -> int:
    """The return code of a python that may not use the internet, for a user who has nothing yet.

    Of the environment it gets the least: telemetry is silent where a variable tells of CI.
    """
    places = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), "home")
    places |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), "tmp")
    places |= {f"XDG_{name.upper()}_HOME": name for name in ("cache", "config", "data", "state")}
    for place in {*places.values(), "work"}:
        (folder / place).mkdir(parents=True)
    environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment |= {name: str(folder / place) for name, place in places.items()}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, no_internet.__file__, *arguments]
    quiet = subprocess.DEVNULL
    done = subprocess.run(command, cwd=folder / "work", env=environment, stdout=quiet, timeout=300)
    return done.returncode


def written(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


@pytest.mark.slow
def test_the_core_asks_nobody_and_writes_nothing(tmp_path: Path) -> None:
    code = run(tmp_path, "-c", CORE)
    assert written(tmp_path) == []
    assert code != no_internet.KILLED, "the core opened a socket for the internet"
    assert code == 0


@pytest.mark.slow
def test_worker_processes_ask_nobody_and_write_nothing_more(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("s1,s2\n" + "A man sings.,A man is singing.\n" * 200)
    command = ("score", str(pairs), "-o", "scored.csv", "--workers", "2")
    assert run(tmp_path, "-m", "hybridsem", *command) == 0
    # What a finished output was made from is noted in the package's own cache folder.
    notes = [name for name in written(tmp_path) if name.startswith("cache/hybridsem/finished/")]
    assert written(tmp_path) == [*notes, "pairs.csv", "work/scored.csv"]
    assert all(b"sings" not in (tmp_path / note).read_bytes() for note in notes)


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_the_guard_sees_a_socket_in_a_child(tmp_path: Path, family: str) -> None:
    attempt = f"import socket; socket.socket(socket.{family})"
    expected = no_internet.KILLED if no_internet.guarded() else 0
    assert run(tmp_path / "itself", "-c", attempt) == expected
    child = f"import subprocess, sys; code = subprocess.call([sys.executable, '-c', {attempt!r}])"
    assert run(tmp_path / "child", "-c", f"{child}; sys.exit(code != {expected})") == 0


def test_onnxruntime_is_told_also_where_the_program_imported_it_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []
    imported = ModuleType("onnxruntime")
    monkeypatch.setattr(
        imported, "disable_telemetry_events", lambda: calls.append("off"), raising=False
    )
    monkeypatch.setitem(sys.modules, "onnxruntime", imported)
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    assert quiet_onnxruntime() is imported
    assert calls == ["off"]
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
