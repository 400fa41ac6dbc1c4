"""The models on STS3k-dev, STSb test and SICK test: result cards, and a table of what differs.

    python benchmarks/sts.py --data ../shared/data [--models hybrid verbnet-cn …] [--resamples
    10000]

``--data`` holds ``sts3k-dev/`` in the layout of the STS3k release, ``sts/`` with the STSb csv files
and SICK, and ``words/`` with a GloVe file. Whole cards, with the scores and ratings of single
pairs, go to ``runs/sts/``; what is committed are the cards without them (``benchmarks/results/``:
the data are not ours) and the table of all models that have been run, ``comparison.md``. Then
``python docs/make_results.py`` writes the page. STS3k is a test set: nothing in hybridsem is tuned
on it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from hybridsem import Pipeline
from hybridsem.evaluation import (
    Card,
    EvaluatedModel,
    evaluate,
    evaluated_model,
    load_card,
    similarities_file,
)
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.tables import LAYOUTS

ROOT = Path(__file__).parents[1]
RUNS, RESULTS = ROOT / "runs" / "sts", Path(__file__).parent / "results"

SETS = {
    "sts3k": "sts3k-dev",
    "stsb": "sts/stsb-en-test.csv",
    "sick": "sts/SICK_test_annotated.txt",
}
GROUPS = ("all", "non-adversarial", "adversarial")
GLOVE = "words/glove.6B.50d.first9k.txt"
SPRING = "sts3k-dev/Data-model/Sentence Parses/AMR Parsing/STS3k_all_AMR_parse.json"
RELEASED = "sts3k-dev/Data-model/Sentence Similarities/STS3k_all_{}_similarities.txt"

# The rows of the table, and the parts of each pipeline; {} is the folder of the data.
MODELS: dict[str, dict[str, str]] = {
    "hybrid": {"model": "hybrid"},
    "hybrid-0.1": {"model": "hybrid-0.1"},
    "verbnet-cn": {"model": "verbnet-cn"},
    "dependency-cn": {"model": "dependency-cn"},
    "amr-cn": {"model": "amr-cn"},
    "amr-cn, SPRING parses": {"model": "amr-cn", "parser": f"penman:{{}}/{SPRING}"},
    "amr-smatch": {"model": "amr-smatch"},
    "amr-smatch, SPRING parses": {"model": "amr-smatch", "parser": f"penman:{{}}/{SPRING}"},
    "amr-wwlk": {"model": "amr-wwlk"},
    "amr-wwlk, SPRING parses": {"model": "amr-wwlk", "parser": f"penman:{{}}/{SPRING}"},
    "embedded": {"model": "embedded"},
    "role-encoder": {"model": "role-encoder"},
    "embedded, standardised": {"model": "standardised:embedded"},
    "sbert-mpnet": {"model": "sbert-mpnet"},
    "sbert-mpnet, standardised": {"model": "standardised:sbert-mpnet"},
    "mean-cn": {"model": "mean-cn"},
    "mult-cn": {"model": "mult-cn"},
    "conv-cn": {"model": "conv-cn"},
    "mean-cn, GloVe-9k": {"model": "mean-cn", "vectors": f"glove:{{}}/{GLOVE}"},
    "mult-cn, GloVe-9k": {"model": "mult-cn", "vectors": f"glove:{{}}/{GLOVE}"},
    "conv-cn, GloVe-9k": {"model": "conv-cn", "vectors": f"glove:{{}}/{GLOVE}"},
}
# Scores that the STS3k release holds, for its own models.
FILES = {
    "released VerbNet-CN": "verbnet_conceptnet_fixedparms_norm",
    "released AMR-CN": "AMR",
    "released WWLK": "WLK_Wasser",
    "released SentBERT": "sentbert_norml",
    "released SentBERT mpnet": "sentbert_mpnet_norml",
    "released DefSent": "defsent_cls_norml",
    "released S3BERT": "S3BERT_norml",
    "released OpenAI ada-002": "openai_norml",
    "released mean-cn": "mean",
    "released mult-cn": "mult",
    "released conv-cn": "conv",
}


def evaluated_models(
    data: Path, chosen: list[str]
) -> Iterator[tuple[str, tuple[str, ...], Callable[[], EvaluatedModel]]]:
    """The rows: their names, the benchmarks that they can be run on, and how each is made."""
    for name, parts in MODELS.items():
        if name in chosen:
            given = {part: value.format(data) for part, value in parts.items()}
            sets = ("sts3k",) if "SPRING" in name else tuple(SETS)
            yield name, sets, lambda given=given: evaluated_model(Pipeline(**given))
    for name, file in FILES.items():
        if name in chosen:
            yield (
                name,
                ("sts3k",),
                lambda file=file: similarities_file(data / RELEASED.format(file)),
            )


def card_file(folder: Path, benchmark: str, name: str) -> Path:
    return folder / benchmark / f"{name.lower().replace(', ', '.').replace(' ', '-')}.json"


def whole_cards() -> list[Card]:
    """The whole cards of all models that have been run, in the order of the tables above."""
    files = [card_file(RUNS, benchmark, name) for name in (*MODELS, *FILES) for benchmark in SETS]
    return [load_card(file) for file in files if file.is_file()]


def main() -> None:
    parser = argparse.ArgumentParser(description="Correlations of the models with human ratings.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument(
        "--models", nargs="*", default=[*MODELS, *FILES], help="rows; none: the table alone"
    )
    parser.add_argument("--resamples", type=int, default=10_000)
    options = parser.parse_args()
    if unknown := sorted(set(options.models) - {*MODELS, *FILES}):
        parser.error(f"unknown rows: {', '.join(unknown)}; known: {', '.join((*MODELS, *FILES))}")
    for folder in (RUNS, RESULTS):
        for benchmark in SETS:
            (folder / benchmark).mkdir(parents=True, exist_ok=True)
    for name, sets, make in evaluated_models(options.data, options.models):
        for benchmark in sets:
            began = time.perf_counter()
            card = evaluate(
                benchmark, make(), options.data / SETS[benchmark], resamples=options.resamples
            )
            about = {
                key: str(value).replace(f"{options.data}/", "") for key, value in card.model.items()
            }
            card = replace(card, model=about | {"name": name})
            card.save(card_file(RUNS, benchmark, name))
            replace(card, columns={}, groups={}).save(card_file(RESULTS, benchmark, name))
            figures = "  ".join(
                f"{group} {one.value:.3f}" for group, one in card.headline.items() if one.value
            )
            print(
                f"{name:<24} {benchmark:<6} {figures}  {time.perf_counter() - began:.1f} s",
                flush=True,
            )
    table = compare(whole_cards(), groups=GROUPS, resamples=options.resamples)
    (RESULTS / "comparison.md").write_text(LAYOUTS["markdown"](table, False), encoding="utf-8")
    print(LAYOUTS["text"](table, False))


if __name__ == "__main__":
    main()
