"""VerbNet-CN as the release of STS3k computes it: its words, its stop list, its division."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from support.roles import Compass, structure

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import PublishedRoleCombiner
from hybridsem.comparison.role_alignment import PAIRINGS, VERBNET_WEIGHTS
from hybridsem.english.words import RELEASE_STOP_WORDS
from hybridsem.explanations import Explanation
from hybridsem.structures import ParseFailure, RoleStructure


class Lacking(Compass):
    """Without a vector for possessives."""

    def embed(self, words: Sequence[str]) -> Float32Array:
        return super().embed(["up" if word.endswith("'s") else word for word in words])


RELEASE = Path("sts3k-dev", "Data-model", "Sentence Parses", "VerbNet Parsing")


def compare(first: RoleStructure | ParseFailure, second: RoleStructure) -> Explanation:
    combiner = PublishedRoleCombiner("m", Lacking(), VERBNET_WEIGHTS, "total", pairings=PAIRINGS)
    (explanation,) = combiner.explain(Batch(["1", "2"], [(0, 1)], [first, second]))
    return explanation


def test_words_are_averaged_without_stop_words_and_divided_by_all_weights() -> None:
    one = structure(verb="north", agent="The north east", time="over him")
    two = structure(verb="north", agent="an EAST", time="over him")
    found = compare(one, two)
    # north is (0, 2) and east (3, 0): their mean is at a cosine of 3 / √13 from east.
    assert found.score == pytest.approx((3 + 2 * 3 / math.sqrt(13)) / 11)
    assert {match.role1: match.similarity for match in found.matches}["Time"] == 0
    assert found.matches[1].filler1 == "The north east"  # as written
    assert found.details["coverage"] == 1


def test_a_filler_with_a_word_without_vector_has_none() -> None:
    # The vector of "up" is zeros, but it is a stop word; "cook's" is what Numberbatch lacks.
    same = structure(verb="north", agent="cook's east")
    found = compare(same, same)
    assert found.score == pytest.approx(3 / 11)
    assert found.details["coverage"] == pytest.approx(2 / 3)
    assert math.isnan(compare(ParseFailure("1", "none"), same).score)


def test_the_inner_product_of_role_slots_is_the_score() -> None:
    nlp = Pipeline("verbnet-cn-2024")
    sentences = ["The old cook ate a green pear.", "A man ate the red apple."]
    first, second = nlp.encode(sentences)
    assert float(first @ second) / 11 == pytest.approx(nlp.similarity(*sentences), abs=1e-6)


def test_the_stop_words_are_those_of_the_releases_role_similarities(shared_data: Path) -> None:
    folder = shared_data / RELEASE
    parses = json.loads((folder / "full_VerbNet_pass_STS3k_all_mod.json").read_text("utf-8"))
    name = "full_VerbNet_pass_STS3k_all_rolewise_similarities.json"
    similarities = json.loads((folder / name).read_text("utf-8"))["conceptnet"]
    same = other = 0
    for pair, (one, two) in parses.items():
        for role, similarity in similarities[pair].items():
            # Zero: a word that Numberbatch lacks, a possessive, a blank before or after.
            if "NONE" in (one[role], two[role]) or similarity == 0:
                continue
            words = [
                sorted(set(one_.lower().split()) - RELEASE_STOP_WORDS)
                for one_ in (one[role], two[role])
            ]
            assert (words[0] == words[1]) == np.isclose(similarity, 1, atol=1e-9), (pair, role)
            same += words[0] == words[1]
            other += words[0] != words[1]
    assert same > 400
    assert other > 400
