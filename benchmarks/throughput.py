"""Speed on a CPU, side by side with sentence-transformers, in one run.

    python -m benchmarks.throughput --data ../shared/data [--threads 1] [--rounds 5] [--pairs 1000]
        [--peer PYTHON] [--avx2 | --vnni]

For the distinct sentences of STS3k-dev, STSb test and PAWS-Wiki dev: milliseconds of processor time
and of the clock a sentence, of sentence-transformers (float32 in PyTorch and int8 in ONNX, see
``benchmarks/peers.py``), of the embedded encoder, and of raw text to scores and to judgements by
hybrid (a new pipeline each round, so that nothing is cached); then where its time goes, stage by
stage. Rounds alternate and the median is kept; what counts is the ratio. ``--avx2`` and ``--vnni``
measure as if the processor had fewer instruction sets. Without ``--threads`` all take the threads
of their defaults; those of PyTorch spin while they wait, so its processor time says little there.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA, run
from benchmarks.peers import Peer, peers, runs
from benchmarks.processors import LESS, leave_if_with_less
from benchmarks.timing import machine, show_compared, show_each, timed
from hybridsem import Pipeline
from hybridsem._utils.onnx import session
from hybridsem.combiners.base import Batch
from hybridsem.datasets.labelled_pairs import paws
from hybridsem.datasets.settings import Settings
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.parsers.srl import labeller
from hybridsem.parsers.trees import embedded as trees
from hybridsem.tables import read_pairs

SCORES, JUDGEMENTS = "hybrid, raw text to scores", "hybrid, raw text to judgements"

GRAPHS: list[float] = []
"""Seconds of the graphs, which are loaded once in a process."""


class Timed:
    """A part whose method is timed: ``taken`` grows by the seconds of the processor."""

    def __init__(self, part: object, method: str, taken: list[float]) -> None:
        self.part, self.method, self.taken = part, method, taken

    def __getattr__(self, name: str) -> Any:
        own = getattr(self.part, name)
        return partial(self._run, own) if name == self.method else own

    def _run(self, own: Callable[..., Any], *given: Any) -> Any:
        taken, result = timed(partial(own, *given))
        self.taken.append(taken.processor)
        return result


def stages(pairs: Sequence[tuple[str, str]], sentences: Sequence[str]) -> dict[str, float]:
    """Seconds of processor time by stage, the same work as ``Pipeline().score`` does."""
    nlp = Pipeline()
    parser: Any = nlp.parser
    combiner: Any = nlp.combiner
    of_words = list[float]()
    for module in (trees, labeller):
        module.session = lambda content: Timed(session(content), "run", GRAPHS)  # type: ignore[attr-defined]
    nlp.similarity("The weights are read.", "Nothing else is cached.")
    found: dict[str, float] = {}

    def run(stage: str, work: Callable[[], Any]) -> Any:
        gc.collect()
        taken, result = timed(work)
        found[stage] = taken.processor
        return result

    GRAPHS.clear()
    encoded = run("encoder", lambda: parser.tree_parser.encoder.analyse(sentences))
    read = run("trees", lambda: parser.tree_parser.trees_of(sentences, encoded))
    structures = run("frames", lambda: parser.read(read))
    index = {sentence: row for row, sentence in enumerate(sentences)}
    vectors = normalised(np.stack([one.vector for one in encoded]))
    places = [(index[one], index[two]) for one, two in pairs]
    words: Any = Timed(combiner.vectors, "embed", of_words)
    batch = Batch(sentences, places, structures, vectors)
    run("compared", lambda: replace(combiner, vectors=words).scores(batch))
    run("flags", lambda: (nlp.truncated(sentences), nlp.foreign(sentences)))
    return {
        "encoder, sentences": found["encoder"],
        "words": sum(of_words),
        "heads, labels and roles: graphs": sum(GRAPHS),
        "tokens, lemmas, decoding": found["trees"] - sum(GRAPHS),
        "roles to frames, language": found["frames"] + found["flags"],
        "reading words and comparing": found["compared"] - sum(of_words),
    }


def pairs_of(data: Path, most: int | None) -> dict[str, list[tuple[str, str]]]:
    files = {
        "STS3k-dev": "sts3k-dev/Data-experiment/STS3k_all.txt",
        "STSb test": "sts/stsb-en-test.csv",
    }
    sets = {name: [(p.text1, p.text2) for p in read_pairs(data / f)] for name, f in files.items()}
    wiki = paws(data / "paws/paws-wiki-dev.tsv", Settings(options={"as_written": False}))
    sets["PAWS-Wiki dev"] = list(wiki.pairs)
    return {name: pairs[:most] for name, pairs in sets.items()}


def measure(pairs: list[tuple[str, str]], known: dict[str, Peer], rounds: int) -> None:
    """Time the pairs of a set and print."""
    sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
    encoder = EmbeddedEncoder()

    def fresh(judge: bool) -> Callable[[], object]:
        nlp = Pipeline()
        nlp.judge("The weights are read.", "Nothing else is cached.")
        return partial(nlp.judge if judge else nlp.score, pairs)

    others = runs(known, sentences)
    own: dict[str, Callable[[], Callable[[], object]]] = {
        "embedded encoder": lambda: partial(encoder.encode, sentences),
        SCORES: partial(fresh, False),
        JUDGEMENTS: partial(fresh, True),
    }
    print(f"{len(pairs)} pairs, {len(sentences)} distinct sentences; ms a distinct sentence")
    taken = show_compared({**others, **own}, rounds, len(sentences))
    by_stage: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(rounds + 1):
        for stage, seconds in stages(pairs, sentences).items():
            by_stage[stage].append(seconds)
    for stage, times in by_stage.items():
        print(f"    {stage:32}processor {1000 * statistics.median(times) / len(sentences):7.2f}")
    scored, judged = ([one.processor for one in taken[run]] for run in (SCORES, JUDGEMENTS))
    more = [after - before for before, after in zip(scored, judged, strict=True)]
    each = 1000 / len(pairs)
    comparing = statistics.median(by_stage["reading words and comparing"])
    ratio = statistics.median(judged) / statistics.median(scored)
    told = f"comparing {each * comparing:.2f}, judging {each * statistics.median(more):.2f}"
    print(f"  ms a pair: {told}; judging takes {ratio:.2f} x scoring")


def main(
    data: Path = DATA,
    rounds: int = 5,
    pairs: Annotated[int | None, "of each set, the first so many"] = None,
    threads: Annotated[int | None, "of all; as they choose, unless given"] = None,
    peer: Annotated[str, "interpreter; '' for none"] = sys.executable,
    avx2: Annotated[bool, LESS["avx2"].about] = False,
    vnni: Annotated[bool, LESS["vnni"].about] = False,
) -> None:
    leave_if_with_less(avx2=avx2, vnni=vnni)
    if threads:
        os.environ["HYBRIDSEM_THREADS"] = str(threads)
    others = peers(peer, threads) if peer else {}
    print(machine("onnxruntime", "tokenizers"))
    sets = pairs_of(data, pairs)
    for name, chosen in sets.items():
        print(name, end=": ")
        measure(chosen, others, rounds)
    nlp = Pipeline()
    nlp.similarity("The dog chased the cat.", "The cat chased the dog.")
    some_pairs = sets["STS3k-dev"][:100]
    show_each("a warm pair", (partial(nlp.similarity, *pair) for pair in some_pairs))


if __name__ == "__main__":
    run(main)
