"""Fodor, De Deyne & Suzuki 2024, and the figures of their release."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.reproduction.published import printed
from benchmarks.reproduction.ratings import (
    figure8_deviation,
    p_of_shuffled,
    rater_deviation,
    split_half_kappa,
)
from benchmarks.reproduction.tables import Figure, tables
from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.tables import read_table
from hybridsem.amr import AmrGraph
from hybridsem.comparison.role_alignment import VERBNET_WEIGHTS, weighted_score
from hybridsem.datasets.rated_pairs import RatedPairs
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import adversarial, kfold
from hybridsem.datasets.sts_files import (
    ADVERSARIAL,
    CHECK,
    NEGATIVES,
    NON_ADVERSARIAL,
    read_ratings,
    sick,
    sts3k,
    stsb,
)
from hybridsem.evaluation.statistics.rating_correlations import correlation, split_half
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.parsers.adapters.precomputed import PrecomputedParser
from hybridsem.structures import Role

RELEASE = Path("sts3k-dev")
SIMILARITIES = RELEASE / "Data-model" / "Sentence Similarities"
VERBNET = RELEASE / "Data-model" / "Sentence Parses" / "VerbNet Parsing"
AMR = RELEASE / "Data-model" / "Sentence Parses" / "AMR Parsing" / "STS3k_all_AMR_parse.json"
COLUMNS = {"STS3k-all": "all", "STS3k-non": NON_ADVERSARIAL, "STS3k-adv": ADVERSARIAL}
TABLE = read_table(__file__)
FILES: Mapping[str, str] = TABLE["files"]
Scores = Sequence[float] | Float64Array
Rated = tuple[list[tuple[str, str]], Float64Array]


class Release(NamedTuple):
    """The rows of STS3k at hand: pairs, (n,) ratings in [0, 1], (n,) labels, and rows by group."""

    pairs: list[tuple[str, str]]
    gold: Float64Array
    types: Sequence[str]
    groups: Mapping[str, IntArray]


@cache
def release(data: Path) -> Release:
    """STS3k as it is at hand."""
    found = sts3k(data / RELEASE, Settings())
    groups = {"all": np.arange(found.rows), **found.groups}
    return Release(*_rated(found), found.types or (), groups)


@cache
def released(data: Path, name: str) -> Float64Array:
    """The similarities of a model of the release, (n,)."""
    return np.loadtxt(data / SIMILARITIES / f"STS3k_all_{name}_similarities.txt")


def rho(scores: Float64Array, gold: Float64Array) -> float | None:
    """Spearman's correlation over the rows that have a score."""
    known = ~np.isnan(scores)
    return correlation(scores[known], gold[known])


def role_similarities(data: Path) -> Float64Array:
    """The release's similarities of the eight roles, (n, 8); NaN where they are not compared, and
    for a role that it leaves out of its list, being paired with another.
    """
    file = data / VERBNET / "full_VerbNet_pass_STS3k_all_rolewise_similarities.json"
    plain = json.loads(file.read_text(encoding="utf-8"))["conceptnet"].values()
    return np.array([[row.get(role.value, np.nan) for role in Role] for row in plain], float)


def by_eq_2(similarities: Float64Array) -> Float64Array:
    """The scores of role similarities, divided by the sum of all weights, (n,)."""
    rows = (zip(Role, row, strict=True) for row in similarities.tolist())
    known = ({role: value for role, value in row if not np.isnan(value)} for row in rows)
    return np.array([weighted_score(row, VERBNET_WEIGHTS, "total") for row in known])


def table5(data: Path) -> list[Figure]:
    """How many pairs there are."""
    parts = ("train", "dev", "test")
    whole = sum(stsb(data / "sts" / f"stsb-en-{part}.csv", Settings()).rows for part in parts)
    ratings, kept = _ratings(data)
    raters = float((~np.isnan(ratings[:, kept])).sum(axis=0).mean())
    return [
        Figure("STSb", "Stimuli", whole),
        Figure("SICK", "Stimuli", _sick(data)[1].size, cause="rounded"),
        Figure("STS3k", "Stimuli", len(release(data).pairs), cause="subset"),
        Figure("STS3k", "Raters", raters, cause="mean"),
    ]


def table7(data: Path) -> list[Figure]:
    """How many pairs of each kind are at hand."""
    found = Counter(label.partition(" ")[0] for label in release(data).types)
    kinds: Mapping[str, str] = TABLE["kinds"]
    counts = {row: sum(found[one] for one in labels.split()) for row, labels in kinds.items()}
    counts["Total"] = len(release(data).pairs)
    return [Figure(row, "Count", count, cause="subset") for row, count in counts.items()]


def table8(data: Path) -> list[Figure]:
    """The weights of the networks over the eight similarities of roles."""
    figures = []
    for hidden in map(sizes, NETWORKS.values()):
        count, cause = weights_of(len(Role), hidden), "output" if len(hidden) == 1 else ""
        figures.append(Figure(str(len(hidden)), "total parameters", count, cause=cause))
    return figures


INPUTS = {"Mean-CN": 299, "SentBERT": 768, "OpenAI": 1400, "DefSent": 1024, "ERNIE": 768}
"""The numbers of a sentence; the 1,536 of OpenAI's are cut by PCA to 2,800 for a pair."""

WIDE = ("", "10", "100-100-10", "1000-100-100-10")
NARROW = ("60-10", "100-100-10", "1000-100-100-10", "1000-1000-100-10")


def table10(data: Path) -> list[Figure]:
    """The weights of the networks over two sentences' vectors, and over eight similarities."""
    columns = printed("fodor-table10").columns
    found = []
    for row in printed("fodor-table10").rows:
        inputs, networks = (2 * INPUTS[row], WIDE) if row in INPUTS else (len(Role), NARROW)
        for place, (column, network) in enumerate(zip(columns, networks, strict=True), start=3):
            count = weights_of(inputs, sizes(network))
            found.append(Figure(row, column, count / 10**place))
    return found


def table9(data: Path) -> list[Figure]:
    """The release's rows on the rows at hand, and our own models."""
    here, figures = release(data), list[Figure]()

    def add(row: str, scores: Scores, label: str = "", cause: str = "") -> None:
        figures.extend(_three(data, row, scores, FILES[row], label, cause))

    for row, name in FILES.items():
        add(row, released(data, name))
    add("VerbNet-CN", by_eq_2(role_similarities(data)), "Eq. 2")
    parser = PrecomputedParser.from_release(
        data / VERBNET / "full_VerbNet_pass_STS3k_all_mod.json",
        data / RELEASE / "Data-experiment" / "STS3k_all.txt",
    )
    scores = Pipeline("verbnet-cn-2024", parser=parser).score(here.pairs)
    add("VerbNet-CN", scores, "`verbnet-cn-2024`", "vectors")
    # As SPRING parsed them: four pairs were corrected later.
    entries = json.loads((data / AMR).read_text(encoding="utf-8")).values()
    parsed = [(entry[0], entry[1]) for entry in entries]
    spring = partial(Pipeline, parser=f"penman:{data / AMR}")
    own, dice = spring("amr-cn-2024"), spring("amr-cn-2024", normalise="dice")
    add("AMR-CN", own.score(parsed), "`amr-cn-2024`", "division vectors")
    add("AMR-CN", dice.score(parsed), "`amr-cn-2024`, dice", "vectors")
    smatch = spring("amr-smatch").score(parsed)
    add("AMR-SMATCH", smatch, "`amr-smatch`", "norm")
    matched = smatch * _triples(parsed, data) / 12
    add("AMR-SMATCH", matched, "release, matched triples", "search")
    add("AMR-WWLK", spring("amr-wwlk").score(parsed), "`amr-wwlk`", "vectors")
    others = _others(data)
    glove = f"glove:{data / 'words' / 'glove.6B.50d.first9k.txt'}"
    for row, model in (("Mean-CN", "mean-cn"), ("Mult-CN", "mult-cn"), ("Conv-CN", "conv-cn")):
        for vectors, cause, note in (("embedded", "vectors", ""), (glove, "glove", ", GloVe-9k")):
            nlp, label = Pipeline(model, vectors=vectors), f"`{model}`{note}"
            add(row, nlp.score(here.pairs), label, cause)
            for column, (pairs, gold) in others.items():
                causes = f"{cause} sick" if column == "SICK" else cause
                value = rho(np.asarray(nlp.score(pairs)), gold)
                figures.append(Figure(row, column, value, None, causes, label))
    captions = data / "amr" / "STSb_captions_test_AMR_parse.json"
    pairs, gold = others["STSb-capt"]
    entries = json.loads(captions.read_text(encoding="utf-8")).values()
    graphs = {text.strip() for entry in entries for text in entry[:2]}
    known = [at for at, pair in enumerate(pairs) if graphs.issuperset(map(str.strip, pair))]
    for row, model, cause in (
        ("AMR-SMATCH", "amr-smatch", "norm"),
        ("AMR-WWLK", "amr-wwlk", "vectors"),
        ("AMR-CN", "amr-cn-2024", "division vectors"),
    ):
        nlp = Pipeline(model, parser=f"penman:{captions}")
        value = rho(np.asarray(nlp.score([pairs[at] for at in known])), gold[known])
        figures.append(Figure(row, "STSb-capt", value, None, cause, f"`{model}`"))
    return figures


def table11(data: Path) -> list[Figure]:
    """VerbNet-CN by SemParse's roles, repaired."""
    scores = by_eq_2(role_similarities(data))
    found = _three(data, "VerbNet-CN (SemParse parser)", scores, FILES["VerbNet-CN"])
    return [replace(one, column=one.column.replace("3k", "")) for one in found]


def text(data: Path) -> list[Figure]:
    """The figures of the running text that the rows at hand give."""
    here = release(data)
    ratings, kept = _ratings(data)
    gold, asked = here.gold[kept], ratings[:, kept]
    weights = {str(role): weight for role, weight in VERBNET_WEIGHTS.items()}
    groups = {
        "STS3k, all": np.arange(len(here.pairs)),
        "STS3k, non-adversarial": here.groups[NON_ADVERSARIAL],
        "STS3k, adversarial": np.union1d(here.groups[ADVERSARIAL], here.groups[NEGATIVES]),
    }
    own = {row: ratings[:, np.intersect1d(rows, kept)] for row, rows in groups.items()}
    shuffled = "Kolmogorov-Smirnov against shuffled, p"
    spread = "mean SD of a pair's ratings over participants"
    deviation = "mean absolute deviation over the eight pair types of Figure 8"
    rows: list[tuple[str, str, float | None, str]] = [
        ("VerbNet-CN", "role weight, Verb", weights["Verb"], ""),
        ("VerbNet-CN", "role weight, Agent, Patient, Theme", weights["Agent"], ""),
        ("VerbNet-CN", "role weight, Time, Manner, Location, Trajectory", weights["Time"], ""),
        ("STS3k", "ratings, minimum", float(gold.min()), "subset"),
        ("STS3k", "ratings, maximum", float(gold.max()), "subset"),
        ("STS3k", "ratings, mean", float(gold.mean()), "subset"),
        ("STS3k", "ratings, SD", float(gold.std()), "subset"),
        ("STS3k", shuffled, p_of_shuffled(asked), "subset p"),
        ("STS3k", spread, rater_deviation(asked), "subset"),
        *((r, "split-half reliability", split_half(x).value, "subset") for r, x in own.items()),
        *((r, "linearly weighted kappa", split_half_kappa(x), "subset") for r, x in own.items()),
        *((row, deviation, _figure8(data, row), "subset") for row in FIGURE_8),
        ("participants", "kept", len(ratings), ""),
        ("ratings", "number", int((~np.isnan(ratings)).sum()), "subset"),
    ]
    return [Figure(row, column, value, None, cause) for row, column, value, cause in rows]


FIGURE_8 = ("Mean-CN", "SentBERT", "OpenAI", "DefSent", "VerbNet-CN")


def figure8(data: Path) -> list[Figure]:
    """The deviations over the eight kinds."""
    rows = [row for row in printed("release-figure8-means").rows if row != "Human"]
    return [
        Figure(row, "mean absolute deviation", _figure8(data, row), None, "subset") for row in rows
    ]


NETWORKS = {"8": "", "90": "10", "1090": "60-10", "11810": "100-100-10"}
"""The networks of Table 8 by their parameters."""


def sizes(network: str) -> tuple[int, ...]:
    """The hidden layers of "60-10". Table 8 prints "60, 100", but its 1,090 weights over eight
    similarities are those of 60 and 10.
    """
    return tuple(map(int, filter(None, network.split("-"))))


def weights_of(inputs: int, hidden: Sequence[int]) -> int:
    """The number of weights of a network with one output, without biases (Tables 8, 10)."""
    if not hidden:
        return inputs
    return sum(one * two for one, two in pairwise((inputs, *hidden, 1)))


def _regressor(hidden: tuple[int, ...]) -> Any:
    """A regressor of section 4.7: least squares, or a network with ReLU, trained by Adam, without
    the release's penalty of .0001, for at most the 500 epochs of its notebook.
    """
    from sklearn.linear_model import LinearRegression
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    network = MLPRegressor(hidden_layer_sizes=hidden, alpha=0.0, max_iter=500, random_state=0)
    ordered = FunctionTransformer(np.asfortranarray)
    return make_pipeline(ordered, network if hidden else LinearRegression())


def _networks(networks: Mapping[str, str], data: Path, *, folds: bool) -> Iterator[Figure]:
    """VerbNet-CN's eight similarities, learned from as published."""
    from hybridsem.training.run import held_out

    here = release(data)
    # Roles that no pair has leave a row without features, which is zeros in the paper.
    X, y = np.nan_to_num(role_similarities(data)), here.gold
    sides = here.groups[NON_ADVERSARIAL], here.groups[ADVERSARIAL]
    splits = {"adversarial": (adversarial(len(y), *sides), sides[1])}
    if folds:
        splits["ten random folds"] = kfold(len(y)), np.arange(len(y))
    for label, network in networks.items():
        for split, (parts, tested) in splits.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # networks that have not converged
                held = held_out(partial(_regressor, sizes(network)), X, y, parts)
            where, cause = "", ""
            if split == "adversarial":
                where, cause = ", over the 1664 adversarial rows", "subset seeds"
            column = f"{split}, {label} parameters{where}"
            yield Figure("VerbNet-CN", column, rho(held[tested], y[tested]), None, cause)


def figure6(data: Path) -> list[Figure]:
    """The networks of Table 8."""
    return list(_networks(NETWORKS, data, folds=True))


def figure11(data: Path) -> list[Figure]:
    """The networks of Table 10."""
    names = dict(zip(printed("fodor-table10").columns, NARROW, strict=True))
    return list(_networks(names, data, folds=False))


def fine_tuned(data: Path) -> list[Figure]:
    """The release's fine-tuned models on the rows at hand."""
    figures = []
    for row, name in TABLE["fine-tuned"].items():
        for one in _three(data, row, released(data, name), name):
            figures.append(replace(one, column=COLUMNS[one.column]))
    return figures


def _figure8(data: Path, row: str) -> float | None:
    here = release(data)
    return figure8_deviation(released(data, FILES[row]), here.gold, here.types)


def _three(
    data: Path, row: str, scores: Scores, name: str, label: str = "", cause: str = ""
) -> Iterator[Figure]:
    """The three columns of STS3k, beside what the release's similarities of that name give."""
    here, values = release(data), np.asarray(scores, float)
    for (column, group), theirs in zip(COLUMNS.items(), _expected(data)[name], strict=True):
        rows = here.groups[group]
        yield Figure(row, column, rho(values[rows], here.gold[rows]), theirs, cause, label)


@cache
def _expected(data: Path) -> dict[str, list[float]]:
    """What the release's similarities give over the rows at hand, by model."""
    lines = (data / RELEASE / "expected_spearman.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {name: [*map(float, values)] for name, *values in rows}


def _ratings(data: Path) -> tuple[Float64Array, IntArray]:
    """(raters, n) ratings, and the rows that do not only check attention."""
    here = release(data)
    file = data / RELEASE / "Data-experiment" / "STS3k_all_participant_data.xlsx"
    kept = [row for row, label in enumerate(here.types) if not label.startswith(CHECK)]
    return read_ratings(file, len(here.pairs)), np.array(kept)


def _rated(*parts: RatedPairs) -> Rated:
    pairs = [(pair.text1, pair.text2) for part in parts for pair in part.pairs]
    return pairs, np.concatenate([part.gold for part in parts])


def _sick(data: Path) -> Rated:
    names = ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt")
    return _rated(*(sick(data / "sts" / name, Settings()) for name in names))


def _others(data: Path) -> dict[str, Rated]:
    """The other columns of Table 9 whose data are at hand."""
    lines = (data / "sts" / "STSb_captions_test.txt").read_text(encoding="utf-8").splitlines()
    captions = [line.split(";") for line in lines if line.strip()]
    gold = np.array([float(row[2]) for row in captions])
    return {
        "STSb-capt": ([(row[0], row[1]) for row in captions], gold),
        "STSb-test": _rated(stsb(data / "sts" / "stsb-en-test.csv", Settings())),
        "SICK": _sick(data),
    }


def _triples(pairs: Sequence[tuple[str, str]], data: Path) -> Float64Array:
    """Half of the triples of both graphs of each pair: what an F1 is multiplied with to be the
    number of those that match.
    """
    counts: dict[str, int] = {}
    for graph in read_graphs(data / AMR):
        if isinstance(graph, AmrGraph):
            count = len(graph.instances) + len(graph.attributes) + len(graph.edges) + 1
            counts.setdefault(graph.text.strip(), count)
    known = ([counts.get(text.strip(), np.nan) for text in pair] for pair in pairs)
    return np.array([sum(both) / 2 for both in known], float)


MEASURES = {
    "fodor-table5": table5,
    "fodor-table7": table7,
    "fodor-table8": table8,
    "fodor-table9": table9,
    "fodor-table10": table10,
    "fodor-table11": table11,
    "fodor-text": text,
    "release-figure8-means": figure8,
    "release-figure6-pca8": figure6,
    "release-figure11-no-pca": figure11,
    "release-sentbert-finetuned": fine_tuned,
}
TABLES = tables(__file__, MEASURES)
