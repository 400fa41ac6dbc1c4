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
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import minimal_pairs, packaged_minimal_pairs
from hybridsem.errors import AssetError, InputError
from hybridsem.judge import LABELS, Judgement, Label
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import COUNTERPARTS
from hybridsem.judge.model import WIDTH, Judge, shipped_judge
from hybridsem.judge.relations import Sort
from hybridsem.judge.verdict import excludes, opposed_alone

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
        inverted = [back.probabilities[LABELS[place]] for place in COUNTERPARTS]
        assert list(there.probabilities.values()) == inverted  # to the last bit


def test_a_batch_is_the_same_as_one_by_one(nlp: Pipeline) -> None:
    pairs = list(ANSWERS.values())
    assert nlp.judge(pairs) == [nlp.judge(*pair) for pair in pairs]
    assert nlp.judge([]) == []


def test_a_sentence_and_itself_are_the_same(nlp: Pipeline) -> None:
    found = nlp.judge("Nobody left.", "Nobody left.")
    assert found.probabilities[Label.SAME] == 1
    assert found.reasons == ("The words are the same.",)


@pytest.mark.parametrize(
    ("one", "two", "never"),
    [
        ("The bag weighs 3 kg.", "The bag weighs 3,000 grams.", "became"),
        ("No dog ran away.", "No dog left.", "specific"),
        ("I lent Sue my book.", "Sue borrowed my book from me.", "became"),
        ("A dog slept.", "The engine stopped.", "became"),
        ("She moved from Rome to Bari.", "She moved to Bari from Rome.", "became"),
        ("They saw him.", "He was seen by them.", "became"),
    ],
)
def test_reasons_that_are_not_true_are_not_given(
    nlp: Pipeline, one: str, two: str, never: str
) -> None:
    found = nlp.judge(one, two)
    assert found.reasons
    assert not any(never in reason for reason in found.reasons)


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
        ("The cat hissed, so the dog barked.", "The dog barked, so the cat hissed."),
        ("The bank is to the left of the inn.", "The inn is to the left of the bank."),
        ("They thanked us.", "We thanked them."),
        (
            "Ann and Bob won gold and silver respectively.",
            "Ann and Bob won silver and gold respectively.",
        ),
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
        ("We arrived after the guests left.", "The guests left before we arrived."),
        ("It rained, so the match was cancelled.", "The match was cancelled because it rained."),
        ("Oslo lies north of Berlin.", "Berlin lies south of Oslo."),
        ("The mix has less milk than water.", "The mix has more water than milk."),
        ("Anna is not as tall as her brother.", "Her brother is taller than Anna."),
        ("Nina has twice as many books as Omar.", "Omar has half as many books as Nina."),
        ("You must not open the door.", "You may not open the door."),
    ],
)
def test_the_same_words_in_another_order_may_be_the_same(nlp: Pipeline, one: str, two: str) -> None:
    assert nlp.judge(one, two).label == Label.SAME


def test_only_the_hybrid_with_its_own_vectors_judges() -> None:
    with pytest.raises(InputError, match="only 'hybrid' can judge pairs, got the model 'embedded'"):
        Pipeline("embedded").judge("A.", "B.")
    with pytest.raises(InputError, match="got other vectors"):
        Pipeline(vectors="embedded").judge([("A b.", "C d.")])


def test_a_bad_pair_is_named(nlp: Pipeline) -> None:
    with pytest.raises(InputError, match="pair 1: sentence 2"):
        nlp.judge([("A dog.", "A cat."), ("A dog.", " ")])


def test_the_network_reads_both_directions() -> None:
    random = np.random.default_rng(0)
    features = Observed(
        random.normal(size=(5, len(SYMMETRIC))), random.normal(size=(5, 2, len(DIRECTED)))
    )
    inverted = Observed(features.symmetric, features.directed[:, ::-1])
    found = shipped_judge().probabilities(features)
    assert found.sum(1) == pytest.approx(1)
    assert (found > 0).all()
    assert (shipped_judge().probabilities(inverted)[:, list(COUNTERPARTS)] == found).all()


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
    assert rows[1]["reasons"] == 'Only sentence 1 says "in the park".'
    assert "6 pairs" in said


def test_the_command_takes_two_sentences() -> None:
    texts = ["A dog barked.", "No dog barked."]
    shown, record, misused = (
        CliRunner().invoke(cli, ["judge", *texts, *more]) for more in ((), ("--json",), ("-o", "x"))
    )
    assert shown.stdout.startswith("contradicts (")
    assert '"a" became "no"' in shown.stdout
    assert json.loads(record.stdout)["label"] == "contradicts"
    assert misused.exit_code == 2
    assert "for a file" in misused.stderr


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


def test_unsure_is_an_answer(nlp: Pipeline) -> None:
    pairs = [*ANSWERS.values(), ("A man cut wood.", "A person chopped a log with an axe.")]
    labels = {
        precision: [one.label for one in nlp.judge(pairs, precision=precision)]
        for precision in (0.0, 0.8, 1.0)
    }
    assert Label.UNSURE not in labels[0.0]
    counts = [found.count(Label.UNSURE) for found in labels.values()]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]
    (found,) = nlp.judge(pairs[-1:], precision=1.0)
    assert str(found).startswith(f"unsure, perhaps {found.best}")
    with pytest.raises(InputError, match="precision must be from 0 to 1, got 2"):
        nlp.judge(*pairs[0], precision=2)


@pytest.mark.parametrize(
    ("one", "two", "label"),
    [
        ("She managed to sell the house.", "She sold the house.", Label.SAME),
        ("The clerk neglected to sign the form.", "The clerk did not sign the form.", Label.SAME),
        ("The clerk neglected to sign the form.", "The clerk signed the form.", Label.CONTRADICTS),
        ("They refused to pay.", "They paid.", Label.CONTRADICTS),
        ("I do not believe it rains.", "I believe it does not rain.", Label.SAME),
        ("All the guests left.", "Most of the guests left.", Label.ENTAILS),
    ],
)
def test_a_sure_join_decides(nlp: Pipeline, one: str, two: str, label: Label) -> None:
    assert nlp.judge(one, two).label is label


BALANCED = """
The horse is not dead. | The horse is alive. | same
The clerk didn't remember my name. | The clerk forgot my name. | same
The shop is closed on Sundays. | The shop is not open on Sundays. | same
None of the lamps were on. | All of the lamps were off. | same
The water is not pure. | The water is impure. | same
The river is shallow. | The river is not deep. | entails
Her brother is not rich. | Her brother is poor. | entailed
The twins do not trust the guide. | The twins distrust the guide.
No critic trusted the guide. | All critics distrusted the guide.
Prices did not rise in May. | Prices fell in May.
The clerk did not accept the offer. | The clerk rejected the offer.
He never loses his keys. | He always keeps his keys.
"""
"""Pairs whose differences balance, and their label if it is certain."""


@pytest.mark.parametrize("row", BALANCED.strip().splitlines())
def test_balanced_opposites_are_no_difference(nlp: Pipeline, row: str) -> None:
    one, two, *label = row.split(" | ")
    found = nlp.judge(one, two)
    assert found.label not in (Label.DIFFERS, Label.CONTRADICTS)
    assert not label or found.label == label[0]
    assert any("are opposites, and sentence" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The horse is dead.", "The horse is alive."),
        ("The horse is not dead.", "The horse is dead."),
        ("The horse is not dead.", "The horse is not alive."),
        ("Not every guest left.", "No guest stayed."),
        ("Every guest left.", "No guest left."),
        ("No guest left.", "No guest stayed."),
        ("Some guests left.", "No guest stayed."),
        ("The clerk did not reject every form.", "The clerk accepted every form."),
        ("The clerk is not absent or ill.", "The clerk is present or ill."),
        ("The old king was not dead.", "The young king was alive."),
    ],
)
def test_opposites_that_nothing_balances_are_a_difference(
    nlp: Pipeline, one: str, two: str
) -> None:
    found = nlp.judge(one, two).probabilities
    assert found[Label.DIFFERS] + found[Label.CONTRADICTS] > found[Label.SAME]


def test_nothing_denied_is_the_same_and_nothing_else_contradicts(nlp: Pipeline) -> None:
    """Over pairs: no "same" while one sentence alone denies, no "contradicts" while none does."""
    items = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": "development"})).items
    texts = [
        (item.sentence, other)
        for item in items[::5]
        for other in (item.paraphrase, item.alteration)
    ]  # type: ignore[union-attr]
    batch = nlp._batch(texts)
    compared = nlp.combiner.compared(batch)  # type: ignore[attr-defined]
    for judgement, one, made in zip(
        nlp.judge(texts), compared, derivations(batch, compared), strict=True
    ):
        if not excludes(one, made, opposed_alone(one)):
            assert judgement.probabilities[Label.CONTRADICTS] == 0, judgement
        negations = [change for change in made.changes if change.sort is Sort.NEGATION]
        if len(negations) == len(made.changes) == 1 and not negations[0].balanced:
            assert judgement.probabilities[Label.SAME] == 0, judgement
