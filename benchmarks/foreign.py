"""How often English is called another language, and what telling costs.

    python -m benchmarks.foreign [--data ../shared/data]

Prints for each set of English sentences (development data alone) how many are called foreign, and
those; then the time of telling over STSb dev as a share of that of scoring its pairs one by one.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.command import DATA, run
from benchmarks.corpora.sources import distinct_texts
from benchmarks.timing import each, show_compared
from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.tables import read_pairs

RATED = "sts/stsb-en-dev.csv"
SETS = (
    *("sts/stsb-en-train.csv", RATED, "sts/SICK_train.txt", "analogies/snli-dev.tsv"),
    *("paws/paws-wiki-dev.tsv", "sts12/MSRpar.tsv", "sts12/OnWN.tsv", "sts12/SMTeuroparl.tsv"),
    *("sts12/SMTnews.tsv", "ud-ewt/train.conllu", "ud-ewt/dev.conllu"),
)


def false_alarms(data: Path) -> dict[str, tuple[list[str], int]]:
    """The sentences of each set that are called foreign, and how many it has."""
    encoder, found = EmbeddedEncoder(), {}
    for name in SETS:
        texts = distinct_texts(data / name)
        flags = zip(texts, encoder.foreign(texts), strict=True)
        found[name] = [text for text, foreign in flags if foreign], len(texts)
    return found


def main(data: Path = DATA) -> None:
    for name, (told, count) in false_alarms(data).items():
        print(f"{name:24}{len(told):4} of {count:6} {len(told) / count:8.3%}")
        print(*(f"    {text[:100]}" for text in told), sep="\n")
    nlp, pairs = Pipeline(), [(pair.text1, pair.text2) for pair in read_pairs(data / RATED)]
    runs = {
        "similarity": lambda: [nlp.similarity(*pair) for pair in pairs],
        "telling alone": lambda: [nlp.foreign(list(pair)) for pair in pairs],
    }
    show_compared(each(runs), 1, len(pairs), "pair")


if __name__ == "__main__":
    run(main)
