"""AMR-CN: cosines over the paths of two graphs, computed by hand and for random graphs."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generated import StubVectors, amr_graphs
from support.roles import Compass, check

from hybridsem import Pipeline
from hybridsem.amr import AmrGraph
from hybridsem.combiners.base import Batch
from hybridsem.combiners.paths import PathCombiner
from hybridsem.comparison.role_alignment import Normalise
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation
from hybridsem.parsers.amr import structure


def explained(one: str, two: str, normalise: Normalise = "dice", **options: object) -> Explanation:
    combiner = PathCombiner("amr-cn", Compass(), normalise, **options)
    structures = [structure(AmrGraph.from_penman(notation)) for notation in (one, two)]
    (found,) = combiner.explain(Batch(["one", "two"], [(0, 1)], structures))
    return found


GO = "(g / east :ARG0 (n / north :mod (s / west)) :ARG1 (o / nowhere))"
COME = "(c / northeast :ARG0 (n / north) :ARG2 (m / east) :ARG1 (o / nowhere))"


@pytest.mark.parametrize(
    ("normalise", "divisor"), [("dice", 4.0), ("union", 5.0), ("matched", 3.0)]
)
def test_by_hand(normalise: Normalise, divisor: float) -> None:
    found = explained(GO, COME, normalise)
    assert found.score == pytest.approx((np.sqrt(0.5) + 1 + 1) / divisor)
    assert [(m.role1, m.role2, m.filler1, m.filler2) for m in found.matches] == [
        ("root", "root", "east", "northeast"),
        (":ARG0", ":ARG0", "north", "north"),
        (":ARG1", ":ARG1", "nowhere", "nowhere"),
        (":ARG0:mod", None, "west", None),
        (None, ":ARG2", None, "east"),
    ]
    assert found.matches[2].similarity == 1, (
        "the same word is the same, whether it has a vector or not"
    )
    assert found.details["coverage"] == pytest.approx(6 / 8)


def test_depth() -> None:
    found = explained(GO, COME, decay=0.5)
    assert found.score == pytest.approx(
        (np.sqrt(0.5) + 0.5 + 0.5) / ((1 + 0.5 + 0.5 + 0.25 + 1 + 3 * 0.5) / 2)
    )


def test_the_assignment_of_nodes_of_one_path_has_the_largest_sum() -> None:
    north_east = "(a / and :op1 (n / north) :op2 (e / east))"
    assert explained(north_east, "(a / and :op1 (e / east) :op2 (n / north))").score == 1

    one = "(d / east :mod (a / north) :mod (b / east))"
    two = "(d / east :mod (a / northeast) :mod (b / north) :mod (c / west))"
    found = explained(one, two)
    assert [(m.filler1, m.filler2) for m in found.matches] == [
        ("east", "east"),
        ("north", "north"),
        ("east", "northeast"),
        (None, "west"),
    ]
    assert found.score == pytest.approx((1 + 1 + np.sqrt(0.5)) / 3.5)


def test_collapsing() -> None:
    one = "(d / north :ARG0-of (a / east :ARG1 (w / west)))"
    two = "(d / north :mod (a / east :ARG1 (w / west)))"
    assert explained(one, two).score == pytest.approx(1 / 3)
    collapsed = explained(one, two, collapse=True)
    assert collapsed.score == 1
    assert (collapsed.matches[1].role1, collapsed.matches[1].role2) == (":ARG0-of", ":mod"), (
        "shown as they are"
    )
    assert explained("(d / north :ARG0-of-x (a / east))", two, collapse=True).score < 1


@given(
    amr_graphs(),
    amr_graphs(),
    st.sampled_from(["dice", "union", "matched"]),
    st.sampled_from([1.0, 0.5]),
    st.booleans(),
)
def test_for_graphs_at_random(
    one: AmrGraph, two: AmrGraph, normalise: Normalise, decay: float, collapse: bool
) -> None:
    combiner = PathCombiner("amr-cn", StubVectors(), normalise, decay, collapse)
    pairs = [(0, 0), (1, 1), (0, 1), (1, 0)]
    found = combiner.explain(Batch(["one", "two"], pairs, [structure(one), structure(two)]))
    check(*found)
    (alone,) = combiner.explain(Batch(["one", "two"], [(0, 1)], [structure(one), structure(two)]))
    assert alone.score == found[2].score, "whatever else is in the batch"
    assert len(alone.matches) <= len(structure(one).roles) + len(structure(two).roles)


def test_options_that_mean_nothing_here() -> None:
    with pytest.raises(
        InputError,
        match="amr-cn has an open set of roles, so its normalise= is 'dice'.* got 'total'",
    ):
        Pipeline("amr-cn", normalise="total")
    with pytest.raises(InputError, match="decay is above 0 and at most 1, got 0"):
        PathCombiner("amr-cn", Compass(), decay=0)


def test_the_released_similarities(shared_data: Path) -> None:
    """The word vectors are others than the release's, so the ranks are nearly the same and not
    quite.
    """
    import json

    from scipy.stats import spearmanr

    folder = shared_data / "sts3k-dev" / "Data-model"
    parses = folder / "Sentence Parses" / "AMR Parsing" / "STS3k_all_AMR_parse.json"
    released = np.loadtxt(folder / "Sentence Similarities" / "STS3k_all_AMR_similarities.txt")[::4]
    pairs = [
        (entry[0], entry[1]) for entry in json.loads(parses.read_text(encoding="utf-8")).values()
    ][::4]
    scores = Pipeline("amr-cn", parser=f"penman:{parses}").score(pairs)
    assert spearmanr(scores, released).statistic >= 0.97


def test_eq_3_averages_the_words_of_a_path() -> None:
    # Two nodes on :ARG0:mod of the first graph, one of the second; :ARG1 in the first alone.
    one = "(g / east :ARG0 (n / nowhere :mod (w / west) :mod (o / north)) :ARG1 (p / north))"
    two = "(c / northeast :ARG0 (n / nowhere :mod (s / north)))"
    found = explained(one, two, "union", averaged=True)
    # Paths root, :ARG0, :ARG0:mod, :ARG1: cosines of 45 degrees, none of its own but the same
    # words, and of 45 degrees between west + north and north.
    assert found.score == pytest.approx((np.sqrt(0.5) + 1 + np.sqrt(0.5)) / 4)
    assert [(m.role1, m.filler1, m.filler2) for m in found.matches] == [
        ("root", "east", "northeast"),
        (":ARG0", "nowhere", "nowhere"),
        (":ARG0:mod", "west, north", "north"),
        (":ARG1", "north", None),
    ]
    turned = "(g / east :ARG0 (n / nowhere :mod (o / north) :mod (w / west)) :ARG1 (p / north))"
    assert explained(one, turned, "union", averaged=True).score == pytest.approx(1, abs=1e-12)
    assert explained(two, one, "union", averaged=True).score == found.score


def test_eq_3_averages_words_where_the_vectors_know_phrases() -> None:
    nlp = Pipeline("amr-cn-2024", parser={"One.": "(g / go-on-01)", "Two.": "(g / go-01)"})
    first, second = nlp.vectors.embed(["go", "on"])
    wanted = (first + second) @ first / np.linalg.norm(first + second)
    assert nlp.similarity("One.", "Two.") == pytest.approx(float(wanted), abs=1e-6)
