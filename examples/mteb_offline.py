"""MTEB without a network: the real package on files that you have.

    python examples/mteb_offline.py
    python examples/mteb_offline.py STSBenchmark.v2=stsb-en-test.csv SICK-R=SICK_test_annotated.txt

needs `pip install mteb`. A task of rated pairs takes its test split from a file of any format that
`hybridsem score` reads. The encoder answers by cosines, as MTEB asks it; the hybrid by its scores.
Without arguments the pairs are those of examples/rated.csv, which are too few to conclude anything.
"""

from __future__ import annotations

import sys
from pathlib import Path

import datasets
import mteb

from hybridsem.interop.mteb import as_pairs, mteb_encoder, mteb_pair_scorer
from hybridsem.tables import read_pairs

RATED = f"STSBenchmark.v2={Path(__file__).with_name('rated.csv')}"


def offline(name: str, path: str) -> mteb.AbsTask:
    """Return a task of rated pairs that reads a file."""
    pairs = list(read_pairs(path))
    rows = {
        "sentence1": [pair.text1 for pair in pairs],
        "sentence2": [pair.text2 for pair in pairs],
        "score": [pair.gold for pair in pairs],
    }
    task = mteb.get_task(name, eval_splits=["test"])
    task.dataset = {"default": {"test": datasets.Dataset.from_dict(rows)}}
    task.data_loaded = True
    return task


for argument in sys.argv[1:] or [RATED]:
    name, _, path = argument.partition("=")
    task = offline(name, path)
    for model, asked in (
        (mteb_encoder("hybrid"), task),
        (mteb_pair_scorer("hybrid"), as_pairs(task)),
    ):
        found = mteb.evaluate(model, [asked], cache=None, show_progress_bar=False)
        score = found.task_results[0].scores["test"][0]["main_score"]
        print(f"{name}  {found.model_name}  {score:.3f}")
