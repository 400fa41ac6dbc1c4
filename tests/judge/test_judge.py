"""What pairs are to each other: labels, their symmetry, reasons, and the command."""

import math

import pytest
from support.blocks import cases, rows
from support.commands import Run

from hybridsem import Pipeline
from hybridsem.comparison.edits import Kind
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import minimal_pairs, packaged_minimal_pairs
from hybridsem.errors import InputError
from hybridsem.judge import LABELS, Judgement, Label
from hybridsem.judge.derivation import derivations
from hybridsem.judge.labels import COUNTERPARTS, Assume
from hybridsem.judge.reasons import reasons
from hybridsem.judge.reference import assuming
from hybridsem.judge.verdict import RELIABLE, excludes, opposed_alone

ANSWERS = {
    Label.SAME: ("The dog chased the cat.", "The cat was chased by the dog."),
    Label.ENTAILS: ("A man is playing a guitar in the park.", "A man is playing a guitar."),
    Label.ENTAILED: ("A man is playing.", "A man is playing a red guitar."),
    Label.DIFFERS: ("The dog chased the cat.", "The cat chased the dog."),
    Label.CONTRADICTS: ("A boy is riding a bike.", "There is no boy riding a bike."),
    Label.UNRELATED: ("A cat sleeps.", "Stocks fell sharply on Tuesday."),
}


@pytest.fixture(scope="module")
def nlp(structure: Pipeline) -> Pipeline:
    """Without a pair reader."""
    return structure


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


@pytest.mark.parametrize(("one", "two", "never"), rows(__file__, "words that no reason has"))
def test_reasons_that_are_not_true_are_not_given(
    nlp: Pipeline, one: str, two: str, never: str
) -> None:
    found = nlp.judge(one, two)
    assert found.reasons
    assert not any(never in reason for reason in found.reasons)


@pytest.mark.parametrize("lines", cases(__file__, "reasons.txt"))
def test_reasons_are_true_and_quote_the_texts(nlp: Pipeline, lines: list[str]) -> None:
    """Word for word, whatever label the network finds most probable."""
    label, *rows = lines
    pairs = [row.split(" | ") for row in rows]
    batch = nlp.reader.batch([(one, two) for one, two, _ in pairs])
    compared = nlp.combiner.compared(batch)
    for row, pair, one, made in zip(
        rows, batch.pairs, compared, derivations(compared), strict=True
    ):
        found = reasons(Label(label), batch, pair, one, made)
        expected = row.split(" | ")[2]
        assert " ".join(found) == expected, row


@pytest.mark.parametrize(("one", "two"), rows(__file__, "numbers that stand for others"))
def test_nothing_follows_where_a_number_stands_for_another(
    nlp: Pipeline, one: str, two: str
) -> None:
    found = nlp.judge(one, two).probabilities
    assert sum(found[label] for label in (Label.SAME, Label.ENTAILS, Label.ENTAILED)) < 1 / 16


@pytest.mark.parametrize(("one", "two"), rows(__file__, "the same words with another meaning"))
def test_the_same_words_with_another_meaning_are_not_the_same(
    nlp: Pipeline, one: str, two: str
) -> None:
    found = nlp.judge(one, two)
    assert found.label != Label.SAME
    assert found.probabilities[Label.SAME] < 0.3
    assert found.reasons


@pytest.mark.parametrize(
    ("one", "two"), rows(__file__, "proofs by rules that were wrong more often than right")
)
def test_what_misleading_rules_prove_is_not_sure(nlp: Pipeline, one: str, two: str) -> None:
    found = nlp.judge(one, two)
    assert found.probability < RELIABLE["logic"]


def test_only_the_hybrid_with_its_own_vectors_judges() -> None:
    with pytest.raises(InputError, match="only 'hybrid' can judge pairs, got the model 'embedded'"):
        Pipeline("embedded").judge("A.", "B.")
    with pytest.raises(InputError, match="got other vectors"):
        Pipeline(vectors="embedded").judge([("A b.", "C d.")])


def test_the_command_takes_two_sentences(run: Run) -> None:
    texts = ("A dog barked.", "No dog barked.")
    shown, misused = run("judge", *texts), run("judge", *texts, "-o", "x")
    assert shown.out.startswith("contradicts (")
    assert 'Sentence 1 says "a dog", sentence 2 "no dog".' in shown.out
    assert run("judge", *texts, "--json").objects[0]["label"] == "contradicts"
    assert (misused.code, "for a file" in misused.err) == (2, True)


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


@pytest.mark.parametrize(("one", "two", "label"), rows(__file__, "labels"))
def test_a_sure_join_decides(nlp: Pipeline, one: str, two: str, label: str) -> None:
    assert nlp.judge(one, two).label == label


@pytest.mark.parametrize(
    "row", rows(__file__, "opposites that balance, and the label if it is certain")
)
def test_balanced_opposites_are_no_difference(nlp: Pipeline, row: list[str]) -> None:
    one, two, *label = row
    found = nlp.judge(one, two)
    assert found.label not in (Label.DIFFERS, Label.CONTRADICTS)
    assert not label or found.label == label[0]
    assert any("are opposites, and sentence" in reason for reason in found.reasons)


@pytest.mark.parametrize(("one", "two"), rows(__file__, "opposites that nothing balances"))
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
    ]
    batch = nlp.reader.batch(texts)
    compared = nlp.combiner.compared(batch)
    for judgement, one, made in zip(nlp.judge(texts), compared, derivations(compared), strict=True):
        read = assuming(made, Assume.SITUATION)
        if not excludes(one, read, opposed_alone(one)):
            assert judgement.probabilities[Label.CONTRADICTS] == 0, judgement
        negations = [edit for edit in made.edits if edit.kind is Kind.DENIAL]
        if len(negations) == len(made.edits) == 1 and not negations[0].is_balanced:
            assert judgement.probabilities[Label.SAME] == 0, judgement
