"""What two sentences are to each other by what is assumed that they speak of."""

from pathlib import Path

import pytest
from support.commands import Run

from hybridsem import Pipeline
from hybridsem._utils.tables import word_set
from hybridsem.batch import judge_file
from hybridsem.calibration import Calibration, calibrate, labelled
from hybridsem.datasets.labelled_pairs import READINGS
from hybridsem.errors import InputError
from hybridsem.judge import LABELS, Assume, Label
from hybridsem.judge.labels import COUNTERPARTS

C, D = Label.CONTRADICTS, Label.DIFFERS
PAIRS = {
    ("The shop is open.", "The shop is closed."): (C, C, D),
    ("A shop is open.", "A shop is closed."): (D, C, D),
    ("The museum is in Paris.", "The museum is in Rome."): (C, C, D),
    ("A man sings.", "A woman sings."): (D, C, D),
    ("The man sings.", "The woman sings."): (D, C, D),
    ("We met on Tuesday.", "We met on Thursday."): (C, C, D),
    ("Guests bring hot food.", "Guests bring cold food."): (C, C, D),
    ("Anna reports to Ben.", "Ben reports to Anna."): (C, C, D),
    ("A train is faster than a bus.", "A bus is faster than a train."): (D, C, D),
    ("Anna called Ben.", "Ben called Anna."): (D, D, D),
    ("The dog barks.", "The dog does not bark."): (C, C, C),
    ("No dog barks.", "A dog barks."): (C, C, C),
}


@pytest.mark.parametrize("place", range(len(Assume)))
def test_what_contradicts_depends_on_what_is_assumed(place: int) -> None:
    nlp, assume = Pipeline(pair_reader=None), [*Assume][place]
    for pair, labels in PAIRS.items():
        found = nlp.judge(*pair, assume=assume)
        assert (found.label, found.by) == (labels[place], "proof"), found


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("It is under 10 degrees.", "It is under 20 degrees."),
        ("The fair is worse in May than in June.", "The fair is better in June than in May."),
        ("She may break the vase.", "She mended the vase."),
        (
            "Data from open accounts is kept for 2 years.",
            "Data from new accounts is kept for 3 years.",
        ),
        ("I sent you 54 euros.", "You sent me 45 euros."),
    ],
)
def test_what_is_said_of_something_else_does_not_contradict(one: str, two: str) -> None:
    assert Pipeline(pair_reader=None).judge(one, two).label != C


def test_the_names_are_those_of_the_data_sets() -> None:
    assert tuple(Assume) == READINGS
    assert Pipeline().judge([], assume="scene") == []
    with pytest.raises(InputError, match="assume is one of situation, scene, independent"):
        Pipeline().judge("A dog barks.", "A cat sleeps.", assume="picture")


def test_exchanged_sentences_exchange_the_labels_of_a_scene(nlp: Pipeline) -> None:
    for one, two in [
        *PAIRS,
        ("A man in a hat eats.", "A man sleeps."),
        ("A dog runs.", "Dogs rest."),
    ]:
        there, back = (nlp.judge(*pair, assume="scene") for pair in ((one, two), (two, one)))
        inverted = [back.probabilities[LABELS[place]] for place in COUNTERPARTS]
        assert list(there.probabilities.values()) == inverted
        assert sum(inverted) == pytest.approx(1)


def test_a_file_and_the_command_take_it(run: Run, nlp: Pipeline) -> None:
    Path("pairs.csv").write_text("a,b\nA man sings.,A woman sings.\n", encoding="utf-8")
    assert judge_file(nlp, "pairs.csv", "out.csv", assume="scene").labels == {"contradicts": 1}
    text = ("judge", "A man sings.", "A woman sings.", "--json", "--assume")
    assert run(*text, "scene").objects[0]["label"] == "contradicts"
    assert run(*text, "situation").objects[0]["label"] == "differs"
    assert "1 contradicts" in run("judge pairs.csv -o - --assume scene").err


def test_a_calibration_finds_what_fits_the_labels(tmp_path: Path) -> None:
    things = sorted(word_set("dog cat bird horse cow sheep goat wolf fox bear deer hare mouse"))
    pairs = [(f"A {one} is asleep.", f"A {one} is awake.", "no") for one in things]
    pairs += [
        (f"A {one} sits by the {two}.", f"A {one} stands by the {two}.", "no")
        for one, two in zip(things, ("lake", "wall"), strict=False)
    ]
    pairs += [
        (f"A {one} eats by the {two}.", f"A {one} is at the {two}.", "yes")
        for one in things
        for two in ("lake", "wall", "gate")
    ]
    data = labelled(pairs, positive=["no"])
    nlp = Pipeline(pair_reader=None)
    found = calibrate(nlp, data, of="judgement", assume="auto", resamples=20)
    assert found.calibration.assume in READINGS
    assert "log loss by assumption: situation " in found.notes[-1]
    found.calibration.save(tmp_path / "made.json")
    assert Calibration.read(tmp_path / "made.json").assume == found.calibration.assume
    with pytest.raises(InputError, match="assume is for of='judgement'"):
        calibrate(nlp, data, assume="scene")
