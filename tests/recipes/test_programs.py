"""Every benchmark starts as ``python -m benchmarks.NAME``, and answers --help at once."""

from __future__ import annotations

from support.commands import ROOT, python

PROGRAMS = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if "\ndef main(" in path.read_text(encoding="utf-8")
)
HEAVY = ("torch", "scipy", "sklearn", "transformers", "matplotlib", "gensim", "onnxruntime", "onnx")
HELP = f"""
import contextlib, io, runpy, sys
for name in {PROGRAMS}:
    sys.argv = [name, "--help"]
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        try:
            runpy.run_module(f"benchmarks.{{name}}", run_name="__main__")
        except SystemExit as ended:
            assert ended.code == 0, name
        else:
            raise AssertionError(f"{{name}} ran")
    assert "--help" in shown.getvalue(), name
    slow = [each for each in {HEAVY} if each in sys.modules]
    assert not slow, (name, slow)
"""


def test_every_benchmark_answers_help_at_once() -> None:
    """It imports no library that takes a second; all are asked in one process."""
    assert len(PROGRAMS) > 20
    python("-c", HELP)
