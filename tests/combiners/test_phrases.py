"""Phrases are units of a pair: aligned, judged and quoted as one word of the same meaning."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.blocks import rows

from hybridsem import Pipeline
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.comparison.edits import Kind
from hybridsem.comparison.sentence import Sentence
from hybridsem.errors import FormatError, InputError
from hybridsem.judge import Label
from hybridsem.phrases import PhraseLexicon
from hybridsem.search.storage import Vocabulary, pack, unpack
from hybridsem.structures import RoleStructure

Row = list[str]


def of(title: str) -> list[Row]:
    return rows(__file__, title, "phrases.txt")


@pytest.fixture(scope="module")
def nlp(structure: Pipeline) -> Pipeline:
    """Without a pair reader."""
    return structure


def combiner(nlp: Pipeline) -> HybridCombiner:
    assert isinstance(nlp.combiner, HybridCombiner)
    return nlp.combiner


def compared(nlp: Pipeline, one: str, other: str) -> Compared:
    (pair,) = combiner(nlp).compared(nlp.reader.read([(one, other)]))
    assert pair is not None
    return pair


def read(nlp: Pipeline, text: str) -> Sentence:
    parsed = nlp.parse(text)
    assert isinstance(parsed, RoleStructure)
    return combiner(nlp).sentence(parsed)


@pytest.mark.parametrize("row", of("equivalent"), ids=" | ".join)
def test_the_same_meaning_costs_nothing(nlp: Pipeline, row: Row) -> None:
    one, other, phrases = row
    assert [match.label for match in nlp.explain(one, other).matches] == ["whole sentence"]
    judgement = nlp.judge(one, other)
    assert judgement.label == "same"
    assert judgement.reasons[0] == f"{phrases} mean the same."


def test_a_preposition_marks_the_highest_word_of_its_phrase(nlp: Pipeline) -> None:
    one, other = "The chairs were put close to each other.", "The chairs stand near the door."
    pair = compared(nlp, one, other)
    (tree,) = [words.tree for words in (pair.words1, pair.words2) if "put" in words.lemmas]
    assert tree is not None
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
    without = replace(combiner(nlp), phrases=PhraseLexicon((), ()))
    (before,), (after,) = without.compared(batch), combiner(nlp).compared(batch)
    assert before is not None
    assert after is not None
    assert after.edits == before.edits
    assert after.aligned == before.aligned


@pytest.mark.parametrize("title", ["equivalent", "more than a phrase", "opposite", "converse"])
def test_exchanged_sentences_exchange_the_phrases(nlp: Pipeline, title: str) -> None:
    for one, other, *_ in of(title):
        there, back = nlp.judge(one, other), nlp.judge(other, one)
        assert there.score == back.score
        assert there.probabilities[Label.SAME] == back.probabilities[Label.SAME]


def test_a_stored_sentence_keeps_its_phrases(nlp: Pipeline) -> None:
    vocabulary = Vocabulary()
    for one, other, *_ in of("equivalent"):
        stored = [unpack(pack(read(nlp, text), vocabulary), vocabulary) for text in (one, other)]
        assert [side.phrases for side in stored] == [
            read(nlp, text).phrases for text in (one, other)
        ]


def test_a_parse_has_its_phrases(nlp: Pipeline) -> None:
    parsed = nlp.parse("The board gave the plan up in spite of the cost.")
    assert isinstance(parsed, RoleStructure)
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
