"""Deduplication: doubles go, and what says something else stays."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.parsers import FailsOnRain

from hybridsem import Pipeline
from hybridsem.english.harmless import proof
from hybridsem.errors import InputError, ParseError
from hybridsem.judge import Label
from hybridsem.search import close_pairs, duplicates
from hybridsem.search.duplicates import DuplicatePair, decided, proven_pairs

FIRST = "The physician examined three patients in May."
DOUBLES = [
    "The physician examined three patients in May",
    "  The physician examined three  patients in May. ",
    "the physician examined three patients in May.",
    "The doctor examined three patients in May.",
]
OTHERS = {
    "exchanged": "Three patients examined the physician in May.",
    "another number": "The physician examined four patients in May.",
    "denied": "The physician did not examine three patients in May.",
    "never": "The physician never examined three patients in May.",
    "another month": "The physician examined three patients in June.",
    "possible": "The physician may have examined three patients in May.",
    "a condition": "If the physician examined three patients in May.",
    "a question": "The physician examined three patients in May?",
    "a name": "Ivan examined three patients in May.",
    "more": "The physician carefully examined three patients in May.",
    "about": "The physician examined about three patients in May.",
}


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    """A pipeline of the parts that the judge was trained with."""
    found = Pipeline()
    found.remember(1000)
    return found


@pytest.mark.parametrize("reworded", [False, True])
def test_doubles_go_and_others_stay(nlp: Pipeline, reworded: bool) -> None:
    records = [FIRST, *DOUBLES, *OTHERS.values()]
    found = nlp.deduplicate(records, reworded=reworded)
    if not reworded:
        assert {one.number for one in found.dropped} == {1, 2, 3, 4}
    kept = {records[number] for number in found.kept}
    wrong = {name for name, text in OTHERS.items() if text not in kept}
    # What says more is contained; "did not" and "never" are doubles of each other.
    assert wrong <= ({"more", "about", "never"} if reworded else set())
    group = found.groups[0]
    assert group.kept == 0
    assert OTHERS["never"] not in {records[one.number] for one in group.dropped}
    assert sorted([*found.kept, *(one.number for one in found.dropped)]) == [*range(len(records))]
    by_number = {one.number: one for one in group.dropped}
    assert by_number[2].reason == "the same text"
    assert by_number[4].reason == '"physician" and "doctor" can mean the same.'
    structure = nlp.without_pair_reader()
    for number in (1, 4):
        one = by_number[number]
        assert one.score == structure.similarity(FIRST, records[number]) >= 0.85
        assert one.probability == pytest.approx(
            structure.judge(FIRST, records[number]).probabilities[Label.SAME],
            abs=1e-6,
        )


PAIRS = [
    ("The bank sued the newspaper.", "The newspaper sued the bank."),
    ("Ann told Bela that Carla left.", "Bela told Ann that Carla left."),
    ("A red car hit a blue van.", "A blue car hit a red van."),
    ("The team visited Samarkand first and Bukhara later.",
     "The team visited Bukhara first and Samarkand later."),
    ("The village school rents its hall from the parish.",
     "The parish rents its hall from the village school."),
    ("The shop is open.", "The shop is closed."),
    ("The door is not locked.", "The door is locked."),
    ("He paid $3,000 in 2019.", "He paid $3,000 in 2020."),
    ("She runs faster than anyone else.", "She runs slower than anyone else."),
    ("Kim will come if it rains.", "Kim will come unless it rains."),
    ("He asked where the plane would land.", "He asked when the plane would land."),
    ("All the students passed.", "Some of the students passed."),
    ("The court can hear the case.", "The court must hear the case."),
    ("The dog chased a cat.", "The dogs chased a cat."),
]  # fmt: skip


def test_near_misses_are_never_dropped(nlp: Pipeline) -> None:
    records = [text for pair in PAIRS for text in pair]
    found = nlp.deduplicate(records, threshold=0.0, probability=0.0)
    assert [(records[one.number], records[one.partner]) for one in found.dropped] == []


def test_passives_are_doubles_where_other_words_are_allowed(nlp: Pipeline) -> None:
    records = ["The bank sued the newspaper.", "The newspaper was sued by the bank."]
    records.append("The bank was sued by the newspaper.")
    assert nlp.deduplicate(records).kept == (0, 1, 2)
    assert nlp.deduplicate(records, reworded=True).kept == (0, 2)
    assert nlp.deduplicate(records, reworded=True, keep="longest").kept == (1, 2)


def test_partners_are_kept_records_and_meaning_does_not_drift() -> None:
    # 1 is a double of 0, and 2 of 1, but 2 is none of 0: it stays.
    def compare(pairs: Any) -> Any:
        return [DuplicatePair(1.0, 1.0, "") if two - one == 1 else None for one, two in pairs], []

    pairs = np.array([(0, 1), (1, 2), (0, 2), (2, 3), (1, 3), (5, 6)])
    rounds = list(decided(pairs, compare))
    dropped = sorted((two, one) for _, some, _ in rounds for two, one, _ in some)
    assert dropped == [(1, 0), (3, 2), (6, 5)]
    assert (sum(records for records, *_ in rounds), rounds[0][2]) == (6, set())


FIGURES = [
    "He paid 3 dollars in May.",
    "He paid 4 dollars in May.",
    "He paid four dollars in May.",
    "He paid 3 dollars in May 2019.",
    "He paid three dollars in May?",
    "He never paid 3 dollars in May.",
    "He paid 3 dollars in May if asked.",
]


ALIKE = [
    *(FIRST, *DOUBLES, *OTHERS.values(), *FIGURES),
    *("He ca n't pay 3 dollars.", "He cannot pay three dollars.", "Mr. Lee arrived.", "?!", "🙂"),
    *("The colour faded.", "The color faded.", "A dog barked.", "Dogs barked.", "the", "Vitamin A"),
    *("The acquisition failed.", "The purchase failed.", "We walked on.", "We strolled on.", "x."),
]


def test_proven_pairs_are_those_with_a_proof() -> None:
    records = [*dict.fromkeys([*ALIKE, *(text for pair in PAIRS for text in pair)])]
    proven = {
        (one, two)
        for one, two in combinations(range(len(records)), 2)
        if proof(records[one], records[two]) is not None
    }
    assert len(proven) >= 12
    assert set(map(tuple, proven_pairs(records).tolist())) == proven


def test_the_whole_of_a_long_record_is_read(nlp: Pipeline) -> None:
    start = "The committee met again in the town hall and talked about the new road. " * 24
    records = [start + "It agreed.", start + "It disagreed.", start + "it agreed"]
    assert nlp.deduplicate(records).kept == (0, 1)
    assert nlp.deduplicate(records, reworded=True).kept == (0, 1)


@pytest.mark.parametrize("method", ["deduplicate", "cluster"])
def test_too_many_pairs_are_told(
    nlp: Pipeline, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(close_pairs, "MOST", 2)
    find = getattr(nlp, method)
    assert find(["The cat sleeps.", "the cat sleeps"])
    with pytest.raises(InputError, match="more than 2 pairs .* raise the threshold"):
        find(["The cat sleeps.", "the cat sleeps", "The cat sleeps!"], threshold=0.5)


def test_odd_records(nlp: Pipeline) -> None:
    assert nlp.deduplicate([]) == duplicates.Duplicates((), ())
    assert nlp.deduplicate(["It rains."]).kept == (0,)
    assert nlp.deduplicate(["🙂", "🙂", "?!", "x" * 1000, "…"]).kept == (0, 2, 3, 4)
    with pytest.raises(InputError, match="sentence 1: the text is empty"):
        nlp.deduplicate(["It rains.", ""])
    found = nlp.deduplicate(["", "It rains.", "it rains"], on_error="skip")
    assert (found.kept, found.dropped[0].number, found.dropped[0].partner) == ((1,), 2, 1)
    failing = Pipeline(parser=FailsOnRain())
    records = ["It snows.", "The rain fell.", "the rain fell"]
    with pytest.raises(ParseError, match="sentences 1 and 2: .*it rains"):
        failing.deduplicate(records)
    found = failing.deduplicate(records, on_error="skip")
    assert (found.kept, found.unread) == ((0, 1, 2), (1, 2))


@pytest.mark.parametrize(
    "wrong", [{"threshold": 2}, {"probability": -1}, {"keep": "best"}, {"on_error": "ignore"}]
)
def test_wrong_arguments(nlp: Pipeline, wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        nlp.deduplicate(["It rains."], **wrong)
    with pytest.raises(InputError, match="only 'hybrid' can judge"):
        Pipeline("embedded").deduplicate(["It rains."])
