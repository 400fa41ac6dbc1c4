"""How often English is called another language, and what telling costs.

    python -m benchmarks.foreign [--data ../shared/data]

Prints for each set of English sentences (development data alone) how many are called foreign, and
those; then the time of telling over STSb dev as a share of that of scoring its pairs one by one.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.timing import spent
from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.tables import read_pairs

ROOT = Path(__file__).parents[1]
RATED = {
    "STSb train": "sts/stsb-en-train.csv",
    "STSb dev": "sts/stsb-en-dev.csv",
    "SICK train": "sts/SICK_train.txt",
}
TABLES = {
    "SNLI dev": ("analogies/snli-dev.tsv", ("premise", "hypothesis")),
    "PAWS-Wiki dev": ("paws/paws-wiki-dev.tsv", ("sentence1", "sentence2")),
    **{
        f"STS12 {name}": (f"sts12/{name}.tsv", ("sentence1", "sentence2"))
        for name in ("MSRpar", "OnWN", "SMTeuroparl", "SMTnews")
    },
}
TREEBANK = {"EWT train": "ud-ewt/train.conllu", "EWT dev": "ud-ewt/dev.conllu"}


def sentences(data: Path) -> dict[str, list[str]]:
    """The distinct sentences of each set."""
    found: dict[str, Iterable[str]] = {}
    for name, file in RATED.items():
        found[name] = (t for pair in read_pairs(data / file) for t in (pair.text1, pair.text2))
    for name, (file, columns) in TABLES.items():
        with (data / file).open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        found[name] = [row[column] for row in rows for column in columns]
    for name, file in TREEBANK.items():
        lines = (data / file).read_text(encoding="utf-8").splitlines()
        found[name] = [line[9:] for line in lines if line.startswith("# text = ")]
    return {
        name: [text for text in dict.fromkeys(texts) if text and text.strip()]
        for name, texts in found.items()
    }


def false_alarms(data: Path) -> dict[str, tuple[list[str], int]]:
    """The sentences of each set that are called foreign, and how many it has."""
    encoder = EmbeddedEncoder()
    return {
        name: (
            [t for t, flag in zip(texts, encoder.foreign(texts), strict=True) if flag],
            len(texts),
        )
        for name, texts in sentences(data).items()
    }


def cost(data: Path) -> tuple[float, float]:
    """The processor's seconds of scoring the pairs of STSb dev one by one, and of telling alone."""
    pairs = [(pair.text1, pair.text2) for pair in read_pairs(data / RATED["STSb dev"])]
    nlp = Pipeline()
    nlp.similarity("The weights are read.", "Nothing else is cached.")
    scoring = spent(lambda: [nlp.similarity(*pair) for pair in pairs])
    telling = spent(lambda: [nlp.foreign(list(pair)) for pair in pairs])
    return scoring.processor, telling.processor


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    data = parser.parse_args(arguments).data
    for name, (told, texts) in false_alarms(data).items():
        print(f"{name:18}{len(told):4} of {texts:6} {len(told) / texts:8.3%}")
        for text in told:
            print(f"    {text[:100]}")
    scoring, telling = cost(data)
    print(f"telling: {telling:.2f} s of {scoring:.2f} s, {telling / scoring:.2%} of similarity")


if __name__ == "__main__":
    main()
