"""The embedded pair reader, other readers, and what a reading is worth."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from support.scorers import FixedReader

from hybridsem import Pipeline, registry
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import AssetError, InputError, UnknownNameError
from hybridsem.pair_reader import EmbeddedPairReader, PairReader, Readings

PAIRS = [
    ("The match was called off because of rain.", "Rain led to the match being cancelled."),
    ("The match was called off because of rain.", "The match was played in the rain."),
    ("Our train leaves at noon.", "A cat slept on the warm roof all afternoon and all night."),
    ("He owns two boats.", "He owns a boat."),
]


@pytest.fixture(scope="module")
def reader() -> EmbeddedPairReader:
    return EmbeddedPairReader()


def test_same_meaning_is_found(reader: EmbeddedPairReader) -> None:
    found = reader.read(PAIRS)
    assert found.similarity[:2].min() > found.similarity[2]
    assert found.entails[3] > found.entailed[3]
    for column in found:
        assert column.shape == (len(PAIRS),)
        assert ((column >= 0) & (column <= 1)).all()


def test_exchanged_sentences_exchange_the_chances(reader: EmbeddedPairReader) -> None:
    found, turned = reader.read(PAIRS), reader.read([(two, one) for one, two in PAIRS])
    assert (found.entails == turned.entailed).all()
    assert (found.entailed == turned.entails).all()
    for name in ("contradicts", "similarity", "paraphrase"):
        assert (getattr(found, name) == getattr(turned, name)).all()


def test_no_bit_depends_on_other_pairs_or_threads(reader: EmbeddedPairReader) -> None:
    more = [*PAIRS, *((one, other) for one, _ in PAIRS for _, other in PAIRS)]
    alone = [reader.read([pair]) for pair in more]
    threaded = EmbeddedPairReader(EmbeddedEncoder(threads=3)).read(more)
    for name in Readings._fields:
        wanted = np.concatenate([getattr(one, name) for one in alone])
        assert (getattr(reader.read(more), name) == wanted).all()
        assert (getattr(threaded, name) == wanted).all()


def test_long_and_odd_texts(reader: EmbeddedPairReader) -> None:
    found = reader.read([("word " * 5000, "a"), ("\u200b!", "🙂"), ("x", "x")])
    assert np.isfinite(found.similarity).all()
    assert reader.read([]).entails.shape == (0,)
    with pytest.raises(InputError, match="blank"):
        reader.read([("It rains.", " ")])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="reinstall"):
        EmbeddedPairReader(folder=tmp_path).read(PAIRS)


def scores(chance: float, pairs: Sequence[tuple[str, str]] = PAIRS) -> np.ndarray:
    return np.asarray(Pipeline(pair_reader=FixedReader(chance)).score(list(pairs)))


def test_the_score_rises_with_the_reading() -> None:
    low, middle, high = scores(0.01), scores(0.5), scores(0.99)
    assert (low < middle).all()
    assert (middle < high).all()
    assert (high <= 1).all()


def test_a_sentence_and_itself_are_not_read() -> None:
    reader = FixedReader(0.0)
    nlp = Pipeline(pair_reader=reader)
    assert nlp.similarity("It rains.", "It rains.") == 1.0
    assert not reader.asked


def test_equivalent_phrases_are_read_in_the_same_words() -> None:
    reader = FixedReader(0.5)
    nlp = Pipeline(pair_reader=reader)
    whole = "They called the vote off last week.", "They cancelled the vote on Monday."
    nlp.score([whole, whole[::-1], ("They call the vote off.", "They cancelled the vote.")])
    (one, two), turned, other_tense = reader.asked
    assert (one, two) == turned[::-1]
    assert {one, two} == {whole[0], "They called off the vote on Monday."}
    assert other_tense == ("They call the vote off.", "They cancelled the vote.")


def test_lines_add_up_and_name_the_reading() -> None:
    nlp = Pipeline(pair_reader="embedded")
    for explanation in nlp.explain(PAIRS):
        total = sum(line.contribution for line in explanation.matches)
        assert total == pytest.approx(explanation.score)
        assert "read together" in str(explanation)
    assert "read together" in [line.label for line in nlp.explain(*PAIRS[0]).matches]
    assert nlp.score(PAIRS).tolist() == [found.score for found in nlp.explain(PAIRS)]
    assert nlp.settings["pair_reader"] == "embedded"


def test_readers_by_name() -> None:
    encoder = EmbeddedEncoder()
    assert isinstance(registry.pair_reader("embedded", encoder), PairReader)
    fixed = FixedReader(0.5)
    assert registry.pair_reader(fixed, encoder) is fixed
    for given, error, said in (
        ("no-such", UnknownNameError, "embedded"),
        (object(), InputError, "read"),
        ("onnx:", InputError, "argument"),
    ):
        with pytest.raises(error, match=said):
            registry.pair_reader(given, encoder)
    with pytest.raises(InputError, match="hybrid"):
        Pipeline("verbnet-cn", pair_reader="embedded")
