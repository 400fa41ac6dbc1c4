"""What pairs are to each other: labels, their symmetry, reasons, and the command."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hybridsem import Pipeline
from hybridsem.cli import cli
from hybridsem.errors import AssetError, InputError
from hybridsem.judge import LABELS, Judgement, Label
from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import TURNED
from hybridsem.judge.model import WIDTH, Judge, shipped_judge

ANSWERS = {
    Label.SAME: ("The dog chased the cat.", "The cat was chased by the dog."),
    Label.ENTAILS: ("A man is playing a guitar in the park.", "A man is playing a guitar."),
    Label.ENTAILED: ("A man is playing.", "A man is playing a red guitar."),
    Label.DIFFERS: ("The dog chased the cat.", "The cat chased the dog."),
    Label.CONTRADICTS: ("A boy is riding a bike.", "There is no boy riding a bike."),
    Label.UNRELATED: ("A cat sleeps.", "Stocks fell sharply on Tuesday."),
}


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline()


@pytest.mark.parametrize("label", LABELS)
def test_each_label_has_a_pair(nlp: Pipeline, label: Label) -> None:
    found = nlp.judge(*ANSWERS[label])
    assert found.label == label, found
    assert found.probability == max(found.probabilities.values())
    assert math.fsum(found.probabilities.values()) == pytest.approx(1)
    assert found.score == nlp.similarity(*ANSWERS[label])
    assert found.reasons


def test_exchanged_sentences_exchange_the_labels(nlp: Pipeline) -> None:
    for one, two in ANSWERS.values():
        there, back = nlp.judge(one, two), nlp.judge(two, one)
        turned = [back.probabilities[LABELS[place]] for place in TURNED]
        assert list(there.probabilities.values()) == turned  # to the last bit


def test_a_batch_is_the_same_as_one_by_one(nlp: Pipeline) -> None:
    pairs = list(ANSWERS.values())
    assert nlp.judge_all(pairs) == [nlp.judge(*pair) for pair in pairs]
    assert nlp.judge_all([]) == []


def test_a_sentence_and_itself_are_the_same(nlp: Pipeline) -> None:
    found = nlp.judge("Nobody left.", "Nobody left.")
    assert found.probabilities[Label.SAME] == 1
    assert found.reasons == ("the same words",)


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (ANSWERS[Label.DIFFERS], "Agent and Patient changed places: dog, cat"),
        (ANSWERS[Label.ENTAILS], "only sentence 1 says: in the park"),
        (ANSWERS[Label.ENTAILED], "only sentence 2 says: red, guitar"),
        (ANSWERS[Label.CONTRADICTS], "only sentence 2 says: no"),
        (("He paid 10 dollars.", "He paid 10,000 dollars."), "10 ↔ 10,000"),
        (("It is on Monday.", "It is on Monday in May."), "only sentence 2 says: in May"),
        (("The door is open.", "The door is closed."), "open ↔ closed"),
        (("The nurse arrived.", "The nurse already arrived."), "the same but for already"),
        (("The dog chased the cat.", "A cat was chased by the dog."), "the same content words"),
        (
            ("We left before the storm.", "We left after the storm."),
            "before the storm ↔ after the storm",
        ),
    ],
)
def test_reasons_are_the_differences(nlp: Pipeline, pair: tuple[str, str], reason: str) -> None:
    assert reason in nlp.judge(*pair).reasons


@pytest.mark.parametrize(
    "pair",
    [
        ("He paid 10 dollars.", "He paid 10,000 dollars."),
        ("She has two cats.", "She has three cats."),
    ],
)
def test_nothing_follows_where_a_number_stands_for_another(
    nlp: Pipeline, pair: tuple[str, str]
) -> None:
    found = nlp.judge(*pair).probabilities
    assert sum(found[label] for label in (Label.SAME, Label.ENTAILS, Label.ENTAILED)) < 1 / 16
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Anna sang and Ben danced.", "Ben sang and Anna danced."),
        (
            "The team visited Rome first and Oslo later.",
            "The team visited Oslo first and Rome later.",
        ),
        ("A red train stood next to a field.", "A train stood next to a red field."),
        ("The soup is not only hot but good.", "The soup is not hot but good."),
        ("Either Tom or Ann will come.", "Tom and Ann will both come."),
        ("Gustavo asked when the plane would land.", "Gustavo asked where the plane would land."),
        ("The orchestra might move to a new hall.", "The orchestra will move to a new hall."),
    ],
)
def test_the_same_words_with_another_meaning_are_not_the_same(
    nlp: Pipeline, one: str, two: str
) -> None:
    found = nlp.judge(one, two)
    assert found.label != Label.SAME
    assert found.probabilities[Label.SAME] < 0.3
    assert found.reasons


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Tom and Ann came.", "Ann and Tom came."),
        ("The dog chased the cat.", "The cat was chased by the dog."),
        (
            "The fox took the eggs and the heron slept.",
            "The heron slept and the fox took the eggs.",
        ),
        ("Carefully the guard opened the parcel.", "The guard opened the parcel carefully."),
    ],
)
def test_the_same_words_in_another_order_may_be_the_same(nlp: Pipeline, one: str, two: str) -> None:
    assert nlp.judge(one, two).label == Label.SAME


def test_only_the_hybrid_with_its_own_vectors_judges() -> None:
    with pytest.raises(InputError, match="only 'hybrid' can judge pairs, got the model 'embedded'"):
        Pipeline("embedded").judge("A.", "B.")
    with pytest.raises(InputError, match="got other vectors"):
        Pipeline(vectors="embedded").judge_all([("A b.", "C d.")])


def test_a_bad_pair_is_named(nlp: Pipeline) -> None:
    with pytest.raises(InputError, match="pair 1: sentence 2"):
        nlp.judge_all([("A dog.", "A cat."), ("A dog.", " ")])


def test_the_network_reads_both_directions() -> None:
    random = np.random.default_rng(0)
    features = Observed(
        random.normal(size=(5, len(SYMMETRIC))), random.normal(size=(5, 2, len(DIRECTED)))
    )
    turned = Observed(features.symmetric, features.directed[:, ::-1])
    found = shipped_judge().probabilities(features)
    assert found.sum(1) == pytest.approx(1)
    assert (found > 0).all()
    assert (shipped_judge().probabilities(turned)[:, list(TURNED)] == found).all()


def test_the_file_is_read_as_it_was_written() -> None:
    judge = shipped_judge()
    again = Judge.from_dict(json.loads(json.dumps(judge.to_dict())))
    features = Observed(np.ones((1, len(SYMMETRIC))), np.zeros((1, 2, len(DIRECTED))))
    assert (again.probabilities(features) == judge.probabilities(features)).all()
    assert judge.mean.shape == (WIDTH,)


@pytest.mark.parametrize("damage", [{"outputs": ["same"]}, {"members": []}, {"mean": [1.0]}])
def test_a_judge_for_something_else_is_refused(
    damage: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = json.dumps(shipped_judge().to_dict() | damage).encode()
    monkeypatch.setattr("hybridsem.judge.model.weight_file", lambda name: content)
    with pytest.raises(AssetError, match="judge.json is damaged"):
        shipped_judge.__wrapped__()


def judged(tmp_path: Path, *options: str, rows: str = "") -> tuple[Path, str]:
    pairs = tmp_path / "pairs.csv"
    lines = [f'"{one}","{two}"' for one, two in ANSWERS.values()]
    pairs.write_text("\n".join(["s1,s2", *lines]) + "\n" + rows, encoding="utf-8")
    out = tmp_path / "out.csv"
    result = CliRunner().invoke(
        cli, ["judge", str(pairs), "-o", str(out), *options], catch_exceptions=False
    )
    return out, result.output


def test_the_command_writes_a_table(tmp_path: Path) -> None:
    out, said = judged(tmp_path)
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["label"] for row in rows] == list(LABELS)
    assert all(float(row["probability"]) == float(row[row["label"]]) for row in rows)
    assert rows[1]["reasons"] == "only sentence 1 says: in the park"
    assert "6 pairs" in said


def test_the_command_keeps_rows_that_cannot_be_judged(tmp_path: Path) -> None:
    out, _ = judged(tmp_path, "--on-error", "skip", rows='"A dog barks."," "\n')
    with out.open(encoding="utf-8", newline="") as stream:
        last = list(csv.DictReader(stream))[-1]
    assert (last["label"], last["probability"]) == ("", "")
    assert last["note"]
    with pytest.raises(InputError, match="line 8"):
        judged(tmp_path, "--force", rows='"A dog barks."," "\n')


def test_what_cannot_be_read_is_told_before_a_header(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["judge", str(tmp_path / "none.csv")])
    assert result.exit_code != 0
    assert "sentence1" not in result.stdout


def test_a_blank_sentence_is_named_as_by_score(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("one,other\n ,A cat slept.\n")
    result = CliRunner().invoke(cli, ["judge", str(tmp_path / "in.csv"), "--columns", "one,other"])
    assert "sentence 1 (column 'one')" in str(result.exception)


def test_the_command_does_not_overwrite(tmp_path: Path) -> None:
    judged(tmp_path)
    with pytest.raises(InputError, match="--force replaces it"):
        judged(tmp_path)


def test_a_judgement_says_itself() -> None:
    probabilities = dict.fromkeys(LABELS, 0.1) | {Label.DIFFERS: 0.5}
    found = Judgement("A", "B", Label.DIFFERS, probabilities, ("cat ↔ dog",), 0.5)
    assert str(found) == "differs (50%): cat ↔ dog"
    assert found.to_dict()["probabilities"]["differs"] == 0.5
    failed = Judgement("A", "B", None, {}, (), math.nan, ("no parse",))
    assert str(failed) == "no parse"
    assert failed.to_dict()["score"] is None
