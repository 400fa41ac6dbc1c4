"""The public sets of labelled pairs, and where they stand before anything is learned from them.

    python -m benchmarks.everyday sizes --data ../shared/data       a table of all sets
    python -m benchmarks.everyday read rte --data ../shared/data    200 rows to read
    python -m benchmarks.everyday baselines --data ../shared/data --rows 400 [--only rte …]

Rows are drawn with the seed 59, as for the shares of wrong labels in docs/everyday-data.md. Columns
of scores are areas under the curve. The last ones are accuracies: the share of the most frequent
label, the judge, and logistic regressions over the words of one sentence, or over the share of
common words. They are fitted in five folds of at most ten times as many rows; for plain-english on
the development part, and tested on the test part.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA, figure, print_head, print_row, run
from hybridsem import Pipeline
from hybridsem._typing import AnyArray, BoolArray, SentencePairs
from hybridsem.datasets.labelled_pairs import NEUTRAL, RELATED, SETS, LabelledPairs, labelled_set
from hybridsem.datasets.plain_english import plain_pairs
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.structure.judged import POSITIVE, THREE, shares_of
from hybridsem.tables.records import records

FOLDERS = ("everyday", "inference")
COUNT, SEED = 200, 59
MODELS = ("embedded", "levenshtein", "rouge")
SCORES = (*MODELS, "overlap", "hybrid")
GUESSES = ("most frequent", "judge: accuracy", "sentence 1", "sentence 2", "overlap alone")
OWN, FOLDS, MORE = "plain-english", 5, 10
UNKNOWN = "–"


def files(data: Path) -> Iterator[tuple[str, Path]]:
    """The sets that are there, with their files."""
    for name, row in SETS.items():
        for file in dict.fromkeys(file for found in row["files"].values() for file in found):
            yield from ((name, data / f / file) for f in FOLDERS if (data / f / file).is_file())


def drawn(count: int, most: int) -> list[int]:
    """Rows in their order."""
    return sorted(random.Random(SEED).sample(range(count), min(count, most)))


def sizes(data: Path = DATA) -> None:
    """Rows, labels, and rows that share a sentence with a test set."""
    from models.held_out import usable

    print_head("file", "rows", "distinct", "labels", "share a sentence with a test set")
    for name, file in files(data):
        read = labelled_set(name)(file, Settings())
        counts = Counter(read.labels).most_common()
        labels = ", ".join(f"{label} {count:,}" for label, count in counts)
        whole = f"{read.rows + read.repeated + read.broken:,}"
        shared = f"{read.rows - len(usable(name, read.pairs, data)):,}"
        print_row(read.source.removesuffix(".tsv"), whole, f"{read.rows:,}", labels, shared)


def read(file: Annotated[str, "such as mnli-train"], data: Path = DATA) -> None:
    """Rows to read, in the order of the file."""
    (path,) = (path for _, path in files(data) if path.stem == file)
    rows = [record for _, record in records(path)]
    for number, row in enumerate((rows[at] for at in drawn(len(rows), COUNT)), 1):
        kind = row.get("genre") or row.get("kind") or ""
        print(f"{number} {row['label']} [{kind}] {row['sentence1']} || {row['sentence2']}")


def area(scores: AnyArray, positive: BoolArray) -> str:
    value = classification(scores, positive, ("auc",), resamples=0)["auc"].value
    return UNKNOWN if value is None else figure(value)


def shortcuts(
    pairs: SentencePairs, labels: Sequence[str], test: BoolArray | None = None
) -> list[str]:
    """Accuracies of classifiers that cannot know the label, on ``test`` or in folds."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline

    from models.plain_english.build import overlap

    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    of_words = make_pipeline(words, LogisticRegression(max_iter=1000))
    gold = np.array(labels)

    def accuracy(model: Any, inputs: AnyArray) -> str:
        if test is None:
            return figure(np.mean(cross_val_predict(model, inputs, gold, cv=FOLDS) == gold))
        return figure(model.fit(inputs[~test], gold[~test]).score(inputs[test], gold[test]))

    found = [accuracy(of_words, np.array([pair[at] for pair in pairs], object)) for at in (0, 1)]
    shares = np.array([[overlap(*pair)] for pair in pairs])
    return [*found, accuracy(LogisticRegression(max_iter=1000), shares)]


def cells(data: LabelledPairs, rows: int) -> list[object]:
    """The row of a labelled set."""
    from models.plain_english.build import overlap

    chosen, more = drawn(data.rows, rows), drawn(data.rows, MORE * rows)
    pairs, labels = [data.pairs[row] for row in chosen], [data.labels[row] for row in chosen]
    classes = THREE if NEUTRAL in data.known else data.known
    positive = np.isin(labels, POSITIVE)
    judgements = Pipeline("hybrid").judge(pairs)
    columns = [Pipeline(name).score(pairs, on_error="skip") for name in MODELS]
    columns += [[overlap(*pair) for pair in pairs], [one.score for one in judgements]]
    judged = right = UNKNOWN
    if RELATED not in classes:
        shares = np.array([shares_of(one, classes) for one in judgements])
        judged = area(shares[:, 0], positive)
        gold = [classes.index(label) for label in labels]
        right = figure(np.mean(shares.argmax(axis=1) == gold))
    guessed = shortcuts([data.pairs[row] for row in more], [data.labels[row] for row in more])
    most = figure(max(Counter(labels).values()) / len(labels))
    areas = [area(np.array(column), positive) for column in columns]
    return [len(pairs), *areas, judged, most, right, *guessed]


def baselines(
    data: Path = DATA,
    rows: Annotated[int, "of each set"] = 400,
    only: Annotated[Sequence[str], "files, such as rte; plain-english"] = (),
) -> None:
    """Cosine, metrics on strings, hybrid, judge, and what words give away."""
    print_head("set", "rows", *SCORES, "judge", *GUESSES)
    if not only or OWN in only:  # for its other columns: hybridsem evaluate plain-english -m NAME
        known = [one for one in plain_pairs("pairs", disputed=False) if one.label != "unrelated"]
        texts = [(one.sentence1, one.sentence2) for one in known]
        test = np.array([one.part == "test" for one in known])
        guessed = shortcuts(texts, [one.label for one in known], test)
        unknown = [UNKNOWN] * (len(SCORES) + len(GUESSES) + 1 - len(guessed))
        print_row(OWN, len(known), *unknown, *guessed)
    for name, file in files(data):
        if not only or file.stem in only:
            print_row(f"`{file.stem}`", *cells(labelled_set(name)(file, Settings()), rows))


COMMANDS = {"sizes": sizes, "read": read, "baselines": baselines}

if __name__ == "__main__":
    run(COMMANDS)
