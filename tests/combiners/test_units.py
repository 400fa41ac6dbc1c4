"""Phrases and facts are units of a sentence: aligned, charged, judged and quoted by what they
mean.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from support.blocks import rows
from support.comparisons import compared

from hybridsem import Pipeline
from hybridsem.comparison.edits import Kind
from hybridsem.errors import FormatError, InputError
from hybridsem.judge import Label
from hybridsem.phrases import PhraseLexicon
from hybridsem.search.storage import Vocabulary, pack, unpack

Row = list[str]


def of(title: str) -> list[Row]:
    return rows(__file__, title, "phrases.txt")


EQUAL = [
    ("The walk is 2 km long.", "The walk is 2,000 metres long.", "amount"),
    ("The film lasts 90 minutes.", "The film lasts an hour and a half.", "duration"),
    ("The shop opens at 15:30.", "The shop opens at half past three in the afternoon.", "time"),
    ("The ticket costs $5.", "The ticket costs five dollars.", "amount"),
    ("Three quarters of the seats are free.", "75 percent of the seats are free.", "share"),
    ("They met on 2021-05-03.", "They met on 3 May 2021.", "date"),
]
OTHER = [
    ("The firm paid $3 million.", "The firm paid $3 billion.", Kind.AMOUNT),
    ("The walk is 2 km long.", "The walk is 3 km long.", Kind.AMOUNT),
    ("The lesson starts at 9 a.m.", "The lesson starts at 9 p.m.", Kind.TIME),
    ("They met on 3 May 2021.", "They met on 3 May 2022.", Kind.TIME),
    ("We need Python 3.10 here.", "We need Python 3.1 here.", Kind.IDENTIFIER),
    ("Anna praised Berlin.", "Anna praised London.", Kind.NAME),
]


@pytest.fixture(scope="module")
def nlp(structure: Pipeline) -> Pipeline:
    """Without a pair reader."""
    return structure


@pytest.mark.parametrize("row", of("equivalent"), ids=" | ".join)
def test_the_same_meaning_costs_nothing(nlp: Pipeline, row: Row) -> None:
    one, other, phrases = row
    assert [match.label for match in nlp.explain(one, other).matches] == ["whole sentence"]
    judgement = nlp.judge(one, other)
    assert judgement.label == "same"
    assert judgement.reasons[0] == f"{phrases} mean the same."


@pytest.mark.parametrize("row", EQUAL, ids=" | ".join)
def test_what_differs_only_in_how_values_are_written_is_nearly_identical(row: Row) -> None:
    explanation = Pipeline().explain(*row[:2])
    assert explanation.score > 0.95
    assert [match.label for match in explanation.matches] == ["whole sentence", "read together"]
    assert sum(match.contribution for match in explanation.matches) == pytest.approx(
        explanation.score
    )


def test_a_preposition_marks_the_highest_word_of_its_phrase(nlp: Pipeline) -> None:
    one, other = "The chairs were put close to each other.", "The chairs stand near the door."
    pair = compared(nlp, one, other)
    (tree,) = [words.tree for words in (pair.words1, pair.words2) if "put" in words.lemmas]
    assert tree.is_tree()
    marker = next(token for token in tree if token.lemma == "near")
    assert tree[marker.head].text == "each"
    assert nlp.judge(one, other).label


@pytest.mark.parametrize("row", of("more than a phrase"), ids=" | ".join)
def test_other_differences_are_found(nlp: Pipeline, row: Row) -> None:
    one, other, phrases = row
    assert len(nlp.explain(one, other).matches) > 1
    judgement = nlp.judge(one, other)
    assert judgement.label != "same"
    assert f"{phrases} mean the same." in judgement.reasons


@pytest.mark.parametrize("row", of("opposite"), ids=" | ".join)
def test_opposites(nlp: Pipeline, row: Row) -> None:
    one, other, phrases = row
    assert Kind.OPPOSITE in {edit.kind for edit in compared(nlp, one, other).edits}
    assert f"{phrases} are opposites." in nlp.judge(one, other).reasons


@pytest.mark.parametrize("row", of("converse"), ids=" | ".join)
def test_converses(nlp: Pipeline, row: Row) -> None:
    assert len(compared(nlp, *row).converses) == 1
    assert nlp.judge(*row).label != "contradicts"


def test_a_converse_with_its_participants_in_place_is_another_statement(nlp: Pipeline) -> None:
    places = {
        edit.kind
        for edit in compared(nlp, "The house belongs to Ann.", "The house owns Ann.").edits
    }
    assert places & {Kind.ROLE, Kind.ROLE_OTHER, Kind.RELATION}


@pytest.mark.parametrize("row", of("without a counterpart"), ids=" | ".join)
def test_a_phrase_without_a_counterpart_changes_nothing(nlp: Pipeline, row: Row) -> None:
    batch = nlp.reader.read([(row[0], row[1])])
    without = replace(nlp.combiner, phrases=PhraseLexicon((), ()))
    (before,), (after,) = without.compared(batch), nlp.combiner.compared(batch)
    assert after.edits == before.edits
    assert after.aligned == before.aligned


@pytest.mark.parametrize("title", ["equivalent", "more than a phrase", "opposite", "converse"])
def test_exchanged_sentences_exchange_the_phrases(nlp: Pipeline, title: str) -> None:
    for one, other, *_ in of(title):
        there, back = nlp.judge(one, other), nlp.judge(other, one)
        assert there.score == back.score
        assert there.probabilities[Label.SAME] == back.probabilities[Label.SAME]


@pytest.mark.parametrize(("one", "other", "kind"), EQUAL)
def test_an_equal_value_costs_nothing(nlp: Pipeline, one: str, other: str, kind: str) -> None:
    explanation, judgement = nlp.explain(one, other), nlp.judge(one, other)
    assert [match.label for match in explanation.matches] == ["whole sentence"]
    assert judgement.label == "same"
    assert any(reason.endswith(f"are the same {kind}.") for reason in judgement.reasons)


@pytest.mark.parametrize(("one", "other", "kind"), OTHER)
def test_another_value_is_charged_by_its_type(
    nlp: Pipeline, one: str, other: str, kind: Kind
) -> None:
    explanation = nlp.explain(one, other)
    assert kind in {edit.kind for match in explanation.matches for edit in match.edits}
    assert nlp.judge(one, other).label in ("contradicts", "differs")


@pytest.mark.parametrize(
    ("one", "other", "label"),
    [
        ("The bag weighs 7 kg.", "The bag weighs at least 5 kg.", "entails"),
        ("No bag weighs 7 kg.", "No bag weighs at least 5 kg.", "entailed"),
        ("The bag weighs 7 kg.", "The bag weighs at least 8 kg.", "contradicts"),
        ("They met on 3 May 2021.", "They met in May 2021.", "entails"),
        ("The walk is not 2 km long.", "The walk is not 2,000 metres long.", "same"),
    ],
)
def test_values_take_part_in_natural_logic(nlp: Pipeline, one: str, other: str, label: str) -> None:
    assert nlp.judge(one, other).label == label


def test_a_value_is_quoted_whole(nlp: Pipeline) -> None:
    judgement = nlp.judge("It took at least two hours.", "It took one hour.")
    assert 'Sentence 1 says "at least two hours", sentence 2 "one hour".' in judgement.reasons


def test_a_parse_has_facts_with_their_places(nlp: Pipeline) -> None:
    text = "The ticket cost $5 on 3 May 2021."
    parsed = nlp.parse(text)
    assert [text[fact.start : fact.end] for fact in parsed.facts] == ["$5", "3 May 2021"]
    assert [fact["type"] for fact in parsed.to_dict()["facts"]] == ["Money", "Date"]


def test_a_stored_sentence_keeps_its_units(nlp: Pipeline) -> None:
    vocabulary = Vocabulary()
    texts = [text for row in of("equivalent") for text in row[:2]]
    texts += [*(pair[0] for pair in EQUAL + OTHER), "Forty-five thousand people came."]
    for text in texts:
        sentence = nlp.combiner.sentence(nlp.parse(text))
        again = unpack(pack(sentence, vocabulary), vocabulary)
        assert (again.units, again.phrases) == (sentence.units, sentence.phrases)
        assert again.weights.tolist() == sentence.weights.tolist()


def test_a_parse_has_its_phrases(nlp: Pipeline) -> None:
    parsed = nlp.parse("The board gave the plan up in spite of the cost.")
    assert [phrase.key for phrase in parsed.phrases] == ["give up", "in spite of"]
    assert [phrase["text"] for phrase in parsed.to_dict()["phrases"]] == ["gave up", "in spite of"]


def test_own_phrases(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("PTO\tpaid time off\nOrbit\tthe billing platform\n", encoding="utf-8")
    nlp = Pipeline(phrases=file)
    assert nlp.settings["phrases"].startswith(f"{file},sha=")
    judgement = nlp.judge("She asked for PTO.", "She asked for paid time off.")
    assert (judgement.label, judgement.reasons[0]) == (
        "same",
        '"PTO" and "paid time off" mean the same.',
    )
    assert Pipeline(phrases=nlp.settings["phrases"]).settings == nlp.settings
    file.write_text("PTO\tholiday\n", encoding="utf-8")
    with pytest.raises(InputError, match="was changed"):
        Pipeline(phrases=nlp.settings["phrases"])
    file.write_text("PTO\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1"):
        Pipeline(phrases=file)
    with pytest.raises(InputError, match="phrases= is for 'hybrid', got it for the model 'mean'"):
        Pipeline("mean", phrases=file)
