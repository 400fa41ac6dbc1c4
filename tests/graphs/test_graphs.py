"""Comparisons of AMR graphs: what each metric counts, and what holds for all of them."""

import itertools
import math
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import penman
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from penman.models.amr import model
from scipy.stats import spearmanr
from support.generated import StubVectors, amr_graphs

from hybridsem.amr import AmrGraph
from hybridsem.combiners.base import Batch
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.graphs import smatch as matching
from hybridsem.graphs import wwlk
from hybridsem.graphs.combiner import (
    GraphCombiner,
    GraphMetric,
    RematchMetric,
    SembleuMetric,
    SmatchMetric,
    WlkMetric,
    WwlkMetric,
)
from hybridsem.graphs.rematch import Rematch
from hybridsem.graphs.smatch import smatch
from hybridsem.graphs.triples import Triples
from hybridsem.graphs.wwlk import edge_weight
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.parsers.amr import structure
from hybridsem.structures import RoleStructure

DOG = "(c / chase-01 :ARG0 (d / dog :mod (s / small)) :ARG1 (k / cat))"
CAT = "(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog :mod (s / small)))"
BARK = '(b / bark-01 :polarity - :ARG0 (d / dog :name (n / name :op1 "Rex")))'

METRICS: dict[str, GraphMetric] = {
    "smatch": SmatchMetric(),
    "smatch-exact": SmatchMetric(exact=True),
    "wlk": WlkMetric(),
    "wwlk": WwlkMetric(StubVectors()),
    "sembleu": SembleuMetric(),
    "rematch": RematchMetric(),
}
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


def triples(notation: str) -> Triples:
    return Triples.of(AmrGraph.from_penman(notation))


def score(metric: GraphMetric, one: str, two: str) -> float:
    return metric.compare([triples(one), triples(two)], [(0, 1)])[0].score


def graphs(largest: int = 6) -> st.SearchStrategy[Triples]:
    """Graphs of few concepts, so that much is alike."""
    return amr_graphs(largest, ("ant", "bee", "dig-01", "eat-far-01")).map(Triples.of)


def naive_smatch(one: Triples, two: Triples) -> int:
    """The most triples that a mapping matches, of all mappings."""
    own = list(range(len(one.concepts)))
    other = set(written_out(two, range(len(two.concepts))))
    places = [*range(len(two.concepts)), *(-1 - i for i in own)]
    return max(
        sum(triple in other for triple in written_out(one, mapping))
        for mapping in itertools.permutations(places, len(own))
    )


def written_out(graph: Triples, names: Sequence[int]) -> list[tuple[object, ...]]:
    return [
        ("top", names[0]),
        *(("concept", names[i], concept) for i, concept in enumerate(graph.concepts)),
        *(("edge", names[source], role, names[target]) for source, role, target in graph.edges),
        *(("constant", names[node], role, value) for node, role, value in graph.attributes),
    ]


# -- what holds for every metric


@every_metric
@settings(max_examples=40)
@given(one=graphs(), two=graphs())
def test_scores_are_symmetric_in_range_and_add_up(
    metric: GraphMetric, one: Triples, two: Triples
) -> None:
    forth, back, same = metric.compare([one, two], [(0, 1), (1, 0), (0, 0)])
    assert -1 <= forth.score <= 1
    assert forth.score == back.score  # to the last bit
    forth_sum, back_sum = (
        math.fsum(line.contribution for line in each.matches) for each in (forth, back)
    )
    assert forth_sum == back_sum
    assert same.score == pytest.approx(1, abs=1e-9)
    for comparison in (forth, back, same):
        assert sum(line.contribution for line in comparison.matches) == pytest.approx(
            comparison.score, abs=1e-9
        )
        for line in comparison.matches:
            assert line.contribution == pytest.approx(line.weight * line.similarity, abs=1e-12)
            assert -1 - 1e-9 <= line.similarity <= 1 + 1e-9
    # Every node of either graph is on a line, as itself or alone.
    for comparison, paths in ((forth, one.paths), (back, two.paths)):
        assert set(paths) <= {line.role1 for line in comparison.matches}


@every_metric
def test_a_score_does_not_depend_on_the_batch_the_order_or_the_thread(metric: GraphMetric) -> None:
    given_ = [graph for seed in range(4) for graph in noisy(8, seed)]
    pairs = list(itertools.combinations(range(len(given_)), 2))
    together = [comparison.score for comparison in metric.compare(given_, pairs)]
    state = random.getstate()
    alone = [metric.compare([given_[i], given_[j]], [(0, 1)])[0].score for i, j in reversed(pairs)]
    with ThreadPoolExecutor(4) as threads:
        parallel = list(threads.map(lambda pair: metric.compare(given_, [pair])[0].score, pairs))
    assert together == alone[::-1] == parallel
    assert random.getstate() == state


@every_metric
def test_names_of_variables_and_case_do_not_matter(metric: GraphMetric) -> None:
    assert score(metric, DOG, DOG.replace("d /", "x /").replace("cat", "Cat")) == pytest.approx(1)
    assert score(metric, "(d / dog)", "(c / cat)") < score(metric, DOG, CAT) < 1
    once = "(d / dig-01 :ARG0 (a / ant :ARG1 d) :quant 2)"
    assert score(metric, once, once.replace(":quant 2", ":quant 2 :quant 2")) == pytest.approx(1)


# -- Smatch


def test_smatch_counts_triples() -> None:
    found = smatch(triples(DOG), triples(BARK))
    # The dogs, the tops, and the :ARG0 between them; the rest is concepts, :mod, :ARG1, :name, :op1
    # and :polarity.
    assert (found.matched, found.triples1, found.triples2) == (3, 8, 8)
    assert (found.precision, found.recall, found.f1) == (3 / 8, 3 / 8, 3 / 8)
    assert set(found.mapping) == {(0, 0), (1, 1)}
    assert dict(zip(found.mapping, found.nodes, strict=True)) == {(0, 0): 1.5, (1, 1): 1.5}
    # The top is the top, whatever it is.
    assert smatch(triples("(a / ant)"), triples("(b / bee)")).f1 == 0.5


@settings(max_examples=60)
@given(one=graphs(4), two=graphs(4))
def test_exact_smatch_is_the_best_of_all_mappings(one: Triples, two: Triples) -> None:
    best = naive_smatch(one, two)
    found = smatch(one, two, exact=True)
    assert (found.matched, found.bound) == (best, best)
    assert found.gap == 0
    climbed = smatch(one, two)
    assert climbed.matched <= best <= climbed.bound
    for bound in (climbed.bound, 10**9):
        assert matching.count(one, two, matching.assigned(one, two, bound)) <= best


@settings(max_examples=30)
@given(one=graphs(), two=graphs())
def test_smatch_is_that_of_the_package(one: Triples, two: Triples) -> None:
    package = pytest.importorskip("smatch")
    lists = [matching._as_package(graph, prefix) for graph, prefix in ((one, "a"), (two, "b"))]
    state = random.getstate()
    try:
        most = max(package.get_best_match(*lists[0], *lists[1], "a", "b")[1] for _ in range(3))
    finally:
        package.match_triple_dict.clear()
        random.setstate(state)
    assert 0.9 * most <= smatch(one, two).matched <= smatch(one, two, exact=True).matched
    assert most <= smatch(one, two, exact=True).matched


DOMAIN = "(s / small :domain (d / dog) :mod (v / very) :mod 5)"
MODIFIER = "(s / small :mod (v / very) :domain (d / dog :domain-of (o / old)))"


def test_smatch_reads_modifiers_as_the_package() -> None:
    """``:domain`` is the inverse of ``:mod``, whose constants do not count."""
    package, amr = pytest.importorskip("smatch"), pytest.importorskip("amr")
    for one, two in itertools.combinations((DOMAIN, MODIFIER, DOG), 2):
        counted = smatch(triples(one), triples(two))
        lists = [amr.AMR.parse_AMR_line(notation.lower()) for notation in (one, two)]
        for graph, prefix in zip(lists, "ab", strict=True):
            graph.rename_node(prefix)
        parts = [graph.get_triples() for graph in lists]
        matched = package.get_best_match(*parts[0], *parts[1], "a", "b")[1]
        package.match_triple_dict.clear()
        expected = (matched, *(sum(map(len, part)) for part in parts))
        assert (counted.matched, counted.triples1, counted.triples2) == expected
    dog = "(s / small :domain (d / dog))", "(d / dog :mod (s / small))"
    # Two concepts and the edge of two graphs with four triples each; their tops differ.
    assert score(SmatchMetric(), *dog) == score(SmatchMetric(exact=True), *dog) == 3 / 4
    assert score(SmatchMetric(strict=True), *dog) == 2 / 4
    assert score(SmatchMetric(strict=True), DOMAIN, DOMAIN.replace("5", "6")) < 1


def noisy(nodes: int, seed: int) -> tuple[Triples, Triples]:
    """A large graph, and the same with other variables in another order and a fifth of its concepts
    changed.
    """
    rng = random.Random(seed)
    concepts = [f"c{rng.randrange(nodes // 4)}-01" for _ in range(nodes)]
    edges = [
        (rng.randrange(max(0, i - 50), i), f":r{rng.randrange(9)}", i) for i in range(1, nodes)
    ]
    order = [0, *rng.sample(range(1, nodes), nodes - 1)]
    made = []
    for names, changed in ((range(nodes), 0.0), (order, 0.2)):
        found = [
            (f"v{names[i]}", ":instance", "else" if rng.random() < changed else concept)
            for i, concept in enumerate(concepts)
        ]
        found += [(f"v{names[i]}", role, f"v{names[j]}") for i, role, j in edges]
        rows = sorted(found) if changed else found
        graph = penman.Graph(rows, top=f"v{names[0]}")
        made.append(triples(penman.encode(graph, model=model)))
    return made[0], made[1]


def test_large_graphs_are_matched_by_assignment() -> None:
    one, two = noisy(120, 1)
    found = smatch(one, two)
    assert found.f1 > 0.85
    assert found.f1 == smatch(two, one).f1
    proven = smatch(one, two, exact=True)
    assert found.matched <= proven.matched <= proven.bound <= found.bound
    assert proven.gap < 0.01


# -- the kernels and SemBLEU


def test_wlk_counts_what_both_have() -> None:
    # Labels dig, ant and (dig, arg0, ant) against dig, bee and (dig, arg0, bee); nothing more in a
    # wider view.
    one, two = "(d / dig :ARG0 (a / ant))", "(d / dig :ARG0 (b / bee))"
    assert score(WlkMetric(0), one, two) == pytest.approx(1 / 3)
    # In iteration 1 (weight 1/2) each graph adds two labels that the other does not have.
    assert score(WlkMetric(1), one, two) == pytest.approx(1 / 3.5)
    assert score(WlkMetric(), one, "(a / ant :ARG0 (d / dig))") < 1


def test_wwlk_moves_words() -> None:
    vectors = StubVectors()
    ant, bee = (row / np.linalg.norm(row) for row in vectors.embed(["ant", "bee"]).astype(float))
    apart = np.linalg.norm(ant - bee)
    alone = score(WwlkMetric(vectors), "(a / ant)", "(b / bee)")
    assert alone == pytest.approx(1 - apart, abs=1e-6)
    # One iteration by hand: x + weight · mean of the neighbours, beside x.
    weight = edge_weight("arg0")
    assert 0.25 < weight < 0.35
    one = [np.concatenate([x, x + weight * y]) for x, y in ((ant, bee), (bee, ant))]
    single, pair = np.concatenate([ant, ant]), ("(a / ant :ARG0 (b / bee))", "(a / ant)")
    single /= np.linalg.norm(single)
    distances = [np.linalg.norm(x / np.linalg.norm(x) - single) for x in one]
    found = score(WwlkMetric(vectors, 1), *pair)
    assert found == pytest.approx(1 - np.mean(distances), abs=1e-6)
    assert score(WwlkMetric(vectors, 1, {"arg0": 0.0}), *pair) != found


def test_wwlk_is_that_of_the_release(shared_data: Path, encoder: EmbeddedEncoder) -> None:
    folder = shared_data / "sts3k-dev" / "Data-model"
    file = "Sentence Similarities/STS3k_all_WLK_Wasser_similarities.txt"
    released = [float(line) for line in (folder / file).read_text(encoding="utf-8").split()][:150]
    parses = read_graphs(folder / "Sentence Parses/AMR Parsing/STS3k_all_AMR_parse.json")[:300]
    graphs = [Triples.of(graph) for graph in parses if isinstance(graph, AmrGraph)]
    pairs = [(i, i + 1) for i in range(0, 300, 2)]
    found = WwlkMetric(EmbeddedWords(encoder)).compare(graphs, pairs)
    # The release has GloVe vectors and roles at random.
    assert spearmanr([comparison.score for comparison in found], released).statistic > 0.97


class EmptyVectors:
    def embed(self, words: Sequence[str]) -> np.ndarray:
        return np.empty((len(words), 0), np.float32)


def test_a_word_without_vector_is_like_itself_only() -> None:
    metric = WwlkMetric(StubVectors())
    assert score(metric, "(n / nowhere)", "(n / nowhere-01)") == pytest.approx(1)
    assert score(metric, "(n / nowhere)", "(n / elsewhere)") < 0.8
    with pytest.raises(InputError, match="no dimension"):
        wwlk.label_vectors(EmptyVectors(), ["ant"])


def test_sembleu_counts_paths() -> None:
    # 1-grams 3 of 3, 2-grams 1 of 2, no 3-grams there, the same length; and back: 3 of 3, 1 of 2.
    one = "(d / dig :ARG0 (a / ant) :ARG1 (b / bee))"
    two = one.replace("ARG1", "ARG2")
    assert score(SembleuMetric(), one, two) == pytest.approx(0.5**0.5)
    assert score(SembleuMetric(), "(a / ant)", "(b / bee)") == 0


# -- Rematch


@pytest.mark.parametrize(
    ("one", "two", "shared", "total"),
    [
        # chase-01, dog, cat are shared; either has two relation motifs of its own.
        (
            "(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))",
            "(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog))",
            3,
            3 + 2 + 2,
        ),
        # dog is shared. bark-01, the relation of it with dog; polarity -, bark-01 with that, and
        # its relation with dog.
        ("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01 :polarity - :ARG0 (d / dog))", 1, 6),
        # bark-01, dog and the relation, however the role is written and whatever the top is.
        ("(b / bark-01 :ARG0 (d / dog))", "(d / dog :ARG0-of (b / bark-01))", 3, 3),
        # A motif that occurs twice is in the set once: and, dog, op1 dog, against op2 dog as well.
        ("(a / and :op1 (d / dog))", "(a / and :op1 (d / dog) :op2 (e / dog))", 3, 4),
        # polarity - is shared, whatever it negates.
        ("(b / bark-01 :polarity -)", "(r / rain-01 :polarity -)", 1, 3),
        ("(d / dog)", "(c / cat)", 0, 2),
        ("(d / dog)", "(D / Dog)", 1, 1),
    ],
)
def test_rematch_is_the_jaccard_index(one: str, two: str, shared: int, total: int) -> None:
    forth, back = RematchMetric().compare([triples(one), triples(two)], [(0, 1), (1, 0)])
    assert forth.counts == back.counts == Rematch(shared, total)
    assert forth.score == back.score == shared / total


def test_lines_of_rematch_are_the_shared_motifs_of_two_nodes() -> None:
    other = triples("(c / chase-01 :ARG0 (d / dog :mod (b / big)))")
    (found,) = RematchMetric().compare([triples(DOG), other], [(0, 1)])
    # Shared: chase-01, dog, the ARG0 between them. In all: these, small, cat, big, two :mod, ARG1.
    assert found.score == 3 / 9
    lines = {(line.filler1, line.filler2): (line.similarity, line.weight) for line in found.matches}
    assert lines == {
        # chase-01 and its ARG0 are shared by the two nodes, its ARG1 is of the first.
        ("chase-01", "chase-01"): pytest.approx((2 / 3, 3 / 9)),
        # dog is shared, either has a :mod of its own.
        ("dog", "dog"): pytest.approx((1 / 3, 3 / 9)),
        ("small", None): (0, 0),
        ("cat", None): (0, 0),
        (None, "big"): (0, 0),
    }


def test_classes_of_rematch_replace_concepts() -> None:
    one, two = "(k / kill-01 :ARG1 (f / fly))", "(m / murder-01 :ARG1 (f / fly))"
    # fly alone, of it and either verb with its relation.
    assert score(RematchMetric(), one, two) == 1 / 5
    classes = {"kill-01": "MURDER", "murder-01": "MURDER"}
    assert score(RematchMetric(classes), one, two) == 1


# -- as combiners, over files, without the extra


def parsed(notation: str, text: str) -> RoleStructure:
    return structure(AmrGraph.from_penman(notation, text), text)


def test_structures_without_a_graph_are_refused() -> None:
    batch = Batch(["a"], [(0, 0)], [RoleStructure("a", parsed(DOG, "a").frames, "verbnet")])
    with pytest.raises(
        InputError, match="amr-wlk compares AMR graphs, and the parser gave a verbnet structure"
    ):
        GraphCombiner("amr-wlk", WlkMetric()).explain(batch)


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smatch", None)
    monkeypatch.setitem(sys.modules, "ot", None)
    for metric in (SmatchMetric(), WwlkMetric(StubVectors())):
        with pytest.raises(MissingExtraError, match=r"hybridsem\[graphs\]"):
            score(metric, DOG, CAT)
