"""Where everyday data stands: cosine, hybrid, judge, metrics on strings, and what words give away.

    python -m benchmarks.everyday_baselines --data ../shared/data --rows 400 [--only rte …]

One table has a row for each labelled set, drawn with the seed 59, the other for plain-english:
all of its pairs and passages, and drawn triples. Columns of scores are areas under the curve. The
last columns are accuracies: the share of the most frequent label, the judge, and logistic
regressions over the words of one sentence, or over the share of common words. They are fitted in
five folds of at most ten times as many rows; for plain-english on the development part, and tested
on the test part.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.everyday_data import SEED, files
from hybridsem import Pipeline
from hybridsem._typing import AnyArray, BoolArray, SentencePairs
from hybridsem.datasets.labelled_pairs import NEUTRAL, RELATED, labelled_set
from hybridsem.datasets.plain_english import PARTS, plain_pairs, plain_triples
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.structure.judged import POSITIVE, THREE, shares_of
from hybridsem.evaluation.structure.plain_english import AREA, LEAST, area_rows
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import Label
from models.plain_english.build import SITUATION, overlap

MODELS = ("embedded", "levenshtein", "rouge")
SCORES = (*MODELS, "overlap", "hybrid")
GUESSES = ("most frequent", "judge: accuracy", "sentence 1", "sentence 2", "overlap alone")
OWN, FOLDS, MORE = "plain-english", 5, 10
UNKNOWN = "–"


def scored(pairs: SentencePairs) -> tuple[dict[str, AnyArray], list[Judgement]]:
    """The columns of scores, and the judgements."""
    found = {name: np.array(Pipeline(name).score(pairs, on_error="skip")) for name in MODELS}
    judgements = Pipeline("hybrid").judge(list(pairs))
    found["overlap"] = np.array([overlap(*pair) for pair in pairs])
    return found | {"hybrid": np.array([one.score for one in judgements])}, judgements


def area(scores: AnyArray, positive: BoolArray) -> str:
    value = classification(scores, positive, (AREA,), resamples=0)[AREA].value
    return UNKNOWN if value is None else figure(value)


def figure(value: Any) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


def drawn(count: int, most: int) -> list[int]:
    """Rows in their order."""
    return sorted(random.Random(SEED).sample(range(count), min(count, most)))


def shortcuts(
    pairs: SentencePairs, labels: Sequence[str], test: BoolArray | None = None
) -> list[str]:
    """Accuracies of classifiers that cannot know the label, on ``test`` or in folds."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.pipeline import make_pipeline

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


def print_row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def print_head(*names: str) -> None:
    print_row(*names)
    print_row(*["---"] * len(names))


def print_set(name: str, file: Path, rows: int) -> None:
    """The row of a labelled set."""
    data = labelled_set(name)(file, Settings())
    chosen, more = drawn(data.rows, rows), drawn(data.rows, MORE * rows)
    pairs, labels = [data.pairs[row] for row in chosen], [data.labels[row] for row in chosen]
    classes = THREE if NEUTRAL in data.known else data.known
    positive = np.isin(labels, POSITIVE)
    columns, judgements = scored(pairs)
    judged, right = UNKNOWN, UNKNOWN
    if RELATED not in classes:
        shares = np.array([shares_of(one, classes) for one in judgements])
        judged = area(shares[:, 0], positive)
        gold = [classes.index(label) for label in labels]
        right = figure(np.mean(shares.argmax(axis=1) == gold))
    texts, known = [data.pairs[row] for row in more], [data.labels[row] for row in more]
    most = max(Counter(labels).values()) / len(labels)
    cells = [area(columns[score], positive) for score in SCORES]
    print_row(
        f"`{file.stem}`", len(pairs), *cells, judged, figure(most), right, *shortcuts(texts, known)
    )


def print_own(rows: int) -> None:
    """The rows of plain-english."""
    pairs, passages = (plain_pairs(which, disputed=False) for which in ("pairs", "passages"))
    items = [*pairs, *passages]
    columns, judgements = scored([(one.sentence1, one.sentence2) for one in items])
    columns["judge"] = np.array(
        [one.probabilities.get(Label.SAME, np.nan) for one in judgements], float
    )
    labels = np.array([one.label for one in items])
    is_pair = np.arange(len(items)) < len(pairs)
    labels_of_pairs = np.where(is_pair, labels, "passage")
    right = np.array([one.best == item.label for one, item in zip(judgements, items, strict=True)])
    print_head("plain-english", "rows", *SCORES, "judge", *GUESSES)
    texts = [(one.sentence1, one.sentence2) for one in pairs if one.label in SITUATION]
    test = np.array([one.part == "test" for one in pairs if one.label in SITUATION])
    known = [one.label for one in pairs if one.label in SITUATION]
    guessed = shortcuts(texts, known, test)
    for name, own in groups_of(items, is_pair).items():
        if name == "passages":
            some, positive = own, labels[own] == Label.SAME
        else:
            some = area_rows(labels_of_pairs, own, AREA)
            positive = labels[some] == Label.SAME
        cells = [area(columns[score][some], positive) for score in (*SCORES, "judge")]
        most = max(Counter(labels[own]).values()) / len(own)
        accuracy = UNKNOWN if name == "passages" else figure(np.mean(right[own]))
        alone = guessed if name == "part test" else [UNKNOWN] * len(guessed)
        print_row(name, len(own), *cells, figure(most), accuracy, *alone)
    triples = plain_triples()
    chosen = [triples[row] for row in drawn(len(triples), rows)]
    found, judgements = scored(
        [(one.sentence, text) for one in chosen for text in (one.paraphrase, one.alteration)]
    )
    found["judge"] = np.array([one.probabilities.get(Label.SAME, np.nan) for one in judgements])
    ordered = [np.mean(found[name][::2] > found[name][1::2]) for name in (*SCORES, "judge")]
    print_row("triples ordered", len(chosen), *map(figure, ordered), *[UNKNOWN] * len(GUESSES))


def groups_of(items: Sequence[Any], is_pair: BoolArray) -> Mapping[str, AnyArray]:
    """The rows of pairs by part, domain, phenomenon, and all passages."""

    def names(one: Any) -> Iterator[str]:
        yield from ("all pairs", f"part {one.part}", f"domain {one.domain}")
        yield from dict.fromkeys(one.phenomenon.split("+"))

    found: dict[str, list[int]] = {}
    for row in np.flatnonzero(is_pair).tolist():
        for name in names(items[row]):
            found.setdefault(name, []).append(row)
    order = ["all pairs", *(f"part {part}" for part in PARTS)]
    rest = sorted(set(found) - set(order), key=lambda name: (" " not in name, name))
    kept = [name for name in (*order, *rest) if len(found.get(name, ())) >= LEAST]
    groups = {name: np.array(found[name]) for name in kept}
    return groups | {"passages": np.flatnonzero(~is_pair)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rows", type=int, default=400, help="rows of each set")
    parser.add_argument("--only", nargs="+", default=[], help="files, such as rte; plain-english")
    options = parser.parse_args(arguments)
    if not options.only or OWN in options.only:
        print_own(options.rows)
        print()
    print_head("set", "rows", *SCORES, "judge", *GUESSES)
    for name, file in files(options.data):
        if not options.only or file.stem in options.only:
            print_set(name, file, options.rows)


if __name__ == "__main__":
    main()
