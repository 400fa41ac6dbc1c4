"""The façade: what goes in, what comes out, and what is said where that cannot be."""

import io
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.evaluated import part
from support.generated import some_sentences
from support.parsers import FailsOnRain

from hybridsem import Explanation, ParseFailure, Pipeline, RoleStructure
from hybridsem import pipeline as pipeline_module
from hybridsem._typing import Float32Array
from hybridsem._utils.predictors import Logistic
from hybridsem.calibration import Calibration
from hybridsem.comparison.edits import Kind
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError, ParseError
from hybridsem.structures import Filler, Frame, Parsed, Role

FINE = "The goat ate a hat."
MODELS = ["hybrid", "hybrid-0.1", "verbnet-cn", "dependency-cn", "embedded"]
BAD = [
    ("", "the text is empty or blank"),
    ("the \ud83d dog", "character 4 is a lone surrogate"),
    (None, r"expected a string, got None \(NoneType\)"),
    (["a list"], "expected a string"),
]


# What goes in.


@pytest.mark.parametrize(("bad", "message"), BAD)
def test_bad_sentences(nlp: Pipeline, bad: Any, message: str) -> None:
    for use in (nlp.similarity, nlp.explain):
        with pytest.raises(InputError, match=f"sentence 2: {message}"):
            use(FINE, bad)
        with pytest.raises(InputError, match=f"sentence 1: {message}"):
            use(bad, FINE)
    for use_list in (nlp.parse, nlp.encode, nlp.truncated):
        with pytest.raises(InputError, match=f"sentence 1: {message}"):
            use_list([FINE, bad])
    for use_pairs in (nlp.score, nlp.explain):
        with pytest.raises(InputError, match=f"pair 1: sentence 2: {message}"):
            use_pairs([(FINE, FINE), (FINE, bad)])


@pytest.mark.parametrize("model", MODELS)
def test_a_very_long_sentence_is_said_to_be_cut(model: str, pipelines: dict[str, Pipeline]) -> None:
    nlp, long = pipelines[model], "The goat " + "slowly and quietly " * 3333 + "ate a hat."
    note = "sentence {} is longer than the encoder reads and was cut"
    assert nlp.explain(FINE, long).notes == (note.format(2),)
    assert nlp.explain(long, long).notes == (note.format(1), note.format(2))
    assert nlp.explain(FINE, FINE).notes == ()
    assert nlp.truncated([FINE, long, FINE]) == [False, True, False]


GERMAN = "Der Hund schläft im Garten neben dem alten Haus."


@pytest.mark.parametrize("model", MODELS)
def test_what_is_not_english_is_said(model: str, pipelines: dict[str, Pipeline]) -> None:
    nlp = pipelines[model]
    why = (
        "the encoder knows only English" if model == "embedded" else "structure says nothing there"
    )
    note = f"sentence {{}} is not English; {why}"
    explanation = nlp.explain(FINE, GERMAN)
    assert (explanation.notes, explanation.foreign) == ((note.format(2),), True)
    assert nlp.explain(GERMAN, GERMAN).notes == (note.format(1), note.format(2))
    assert not nlp.explain(FINE, FINE).foreign
    assert nlp.foreign([FINE, GERMAN, FINE]) == [False, True, False]
    assert nlp.foreign([]) == []


def test_other_languages_are_for_other_parts() -> None:
    """Nothing is said of a model whose parser and encoder are not those that read English alone."""
    nlp = Pipeline(encoder=OwnEncoder(), parser=OwnParser(), vectors=OwnVectors())
    assert nlp.foreign([GERMAN]) == Pipeline("levenshtein").foreign([GERMAN]) == [False]
    assert not any("English" in note for note in nlp.explain(GERMAN, FINE).notes)
    assert Pipeline("hybrid", encoder=OwnEncoder()).foreign([GERMAN]) == [True]


def test_what_is_not_english_is_said_once(
    caplog: pytest.LogCaptureFixture, encoder: EmbeddedEncoder
) -> None:
    nlp = Pipeline("embedded", encoder=encoder)
    for _ in range(2):
        nlp.score([(FINE, GERMAN), (GERMAN, FINE)])
    (record,) = caplog.records
    assert record.getMessage().startswith("1 of 2 sentences are not English")


@pytest.mark.parametrize("value", [b"bytes", None, 3, "one text"])
def test_no_list(nlp: Pipeline, value: Any) -> None:
    if value != "one text":
        for use in (nlp.parse, nlp.encode):
            with pytest.raises(InputError, match="expected a sequence of strings, got"):
                use(value)
    for use_pairs in (nlp.score, nlp.similarity, nlp.explain, nlp.judge, nlp.decide):
        with pytest.raises(InputError, match="two texts, .*pair, or many") as caught:
            use_pairs(value)
        assert repr(None if isinstance(value, str) else value) in str(caught.value)


def test_a_pair_in_a_list_is_named(nlp: Pipeline) -> None:
    for use in (nlp.score, nlp.similarity, nlp.explain, nlp.judge, nlp.decide, nlp.read):
        with pytest.raises(InputError, match=r"one pair is a tuple, .*'It pours.'\)"):
            use(["It rains.", "It pours."])
    with pytest.raises(InputError, match="pair 0: expected two sentences"):
        nlp.score(["It rains.", "It pours.", "It snows."])


def test_one_shape(tmp_path: Path) -> None:
    """Two texts and a pair are one; a list, a mapping, two columns, a frame are many."""
    pandas = pytest.importorskip("pandas")
    curve, settings = Logistic(np.array([8.0]), -6.0), Pipeline().settings
    calibration = Calibration(pipeline=settings, of="score", model=curve, threshold=0.5)
    calibration.save(tmp_path / "c.json")
    nlp = Pipeline(calibration=tmp_path / "c.json")
    pair, pairs = (FINE, "Rain fell."), [(FINE, "Rain fell."), (FINE, FINE)]
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    frame = pandas.DataFrame({"a": first, "n": [1, 2], "b": second})
    for method in (nlp.similarity, nlp.score, nlp.explain, nlp.judge, nlp.decide):
        ask: Any = method
        one = ask(*pair)
        assert ask(pair) == one
        for many in (ask(pairs), ask(first, second), ask(frame, columns=("a", "b"))):
            assert len(many) == 2
            assert many[0] == one
        with pytest.raises(InputError, match="columns= is for a table"):
            ask(*pair, columns=("a", "b"))
    assert nlp.score(FINE, "Rain fell.", on_error="skip") == nlp.similarity(*pair)
    parsed: RoleStructure | ParseFailure = nlp.parse(FINE)
    assert parsed == nlp.parse([FINE])[0]
    np.testing.assert_array_equal(nlp.encode(FINE), nlp.encode([FINE])[0])


@pytest.mark.parametrize("name", ["explain", "judge"])
def test_names_of_0_2_0(name: str) -> None:
    nlp = Pipeline()
    with pytest.warns(DeprecationWarning, match=f"Pipeline.{name} takes many pairs too"):
        old = getattr(nlp, f"{name}_all")
    assert old([(FINE, FINE)]) == getattr(nlp, name)([(FINE, FINE)])


@pytest.mark.parametrize(
    "bad",
    [
        "ab",
        b"ab",
        None,
        3,
        (),
        (FINE,),
        (FINE, FINE, 0.5),
        {"a": 1, "b": 2},
        {FINE, "x"},
        {"one": FINE},
    ],
)
def test_no_pair(nlp: Pipeline, bad: Any) -> None:
    with pytest.raises(InputError, match="pair 1: expected two sentences, got"):
        nlp.score([(FINE, FINE), bad])
    assert np.isnan(nlp.score([(FINE, FINE), bad], on_error="skip")).tolist() == [False, True]


@pytest.mark.parametrize("model", MODELS)
def test_nothing_gives_nothing(model: str, pipelines: dict[str, Pipeline]) -> None:
    nlp = pipelines[model]
    assert nlp.score([]).shape == (0,)
    assert nlp.explain([]) == nlp.parse([]) == nlp.truncated([]) == []
    if model != "dependency-cn":
        assert len(nlp.encode([])) == 0


# What comes out.


def test_an_explanation_has_both_structures(nlp: Pipeline) -> None:
    explanation = nlp.explain(FINE, "Rain fell.")
    assert isinstance(explanation, Explanation)
    assert explanation.model == "hybrid"
    assert explanation.structure1.roles[Role.AGENT].words == ("goat",)
    whole, *others = (match.term for match in explanation.matches)
    assert whole == "sentence"
    assert {*others} <= {*Kind, "together"}
    assert others


def test_repeated_sentences_and_chunks(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(FINE, text) for text in some_sentences(7)] * 2
    expected = nlp.score(pairs)
    assert expected[:7].tolist() == expected[7:].tolist()
    monkeypatch.setattr(pipeline_module, "CHUNK", 3)
    np.testing.assert_allclose(nlp.score(pairs), expected, atol=1e-6)


def test_progress_is_for_terminals(
    nlp: Pipeline, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(pipeline_module, "CHUNK", 2)
    pairs = [(FINE, FINE)] * 5
    assert nlp.score(pairs, progress=True).tolist() == [pytest.approx(1)] * 5
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert nlp.score(pairs, progress=True).tolist() == [pytest.approx(1)] * 5
    assert "Scoring" in terminal.getvalue()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("model", ["hybrid", "embedded"])
def test_encode_gives_unit_sentence_vectors(model: str, pipelines: dict[str, Pipeline]) -> None:
    rows = pipelines[model].encode([FINE, "Rain fell."])
    assert (rows.shape, rows.dtype) == ((2, 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert rows[0] @ rows[1] == pytest.approx(
        pipelines["embedded"].similarity(FINE, "Rain fell."), abs=1e-6
    )


def test_paths_are_no_vectors(pipelines: dict[str, Pipeline]) -> None:
    with pytest.raises(InputError, match="open set of roles"):
        pipelines["dependency-cn"].encode([FINE])


def test_settings_name_a_parser_that_0_1_0_did_not_have() -> None:
    """So that caches and weights of 0.1.0, which name none, are not taken for this model's."""
    hybrid = {"model": "hybrid", "pair_reader": "embedded"}
    assert Pipeline().settings == hybrid | {"parser": "verbnet"}
    assert Pipeline(parser="embedded").settings == hybrid | {"parser": "embedded"}
    assert Pipeline(pair_reader=None).settings["pair_reader"] == "none"
    assert "pair_reader" not in Pipeline(encoder=part(encode=str)).settings
    for model in ("hybrid-0.1", "verbnet-cn"):
        assert Pipeline(model).settings == {"model": model}


def test_it_says_what_it_is() -> None:
    parts = "parser='verbnet', vectors='embedded', encoder='embedded', pair_reader='embedded'"
    assert repr(Pipeline()) == f"Pipeline(model='hybrid', {parts})"
    assert repr(Pipeline("embedded")) == "Pipeline(model='embedded', encoder='embedded')"
    given = Pipeline("amr-cn", parser={FINE: "(b / bark-01)"}, normalise="union")
    assert repr(given) == (
        "Pipeline(model='amr-cn', parser=<builtins.dict>, vectors='embedded', normalise='union')"
    )
    assert given.unnamed == ("parser",)
    assert Pipeline("hybrid-0.1", parser="verbnet:tables", normalise="matched").unnamed == ()


# Parts of one's own.


class OwnEncoder:
    def encode(self, sentences: list[str]) -> Float32Array:
        return np.array([[len(text), 1] for text in sentences], np.float32)


@dataclass
class OwnParser:
    """Knows a sentence by its first three words: Agent, Verb, Theme."""

    fails: str = "?"

    def parse(self, sentences: list[str]) -> list[Parsed]:
        return [self.one(text) for text in sentences]

    def one(self, text: str) -> Parsed:
        words = text.strip(".").lower().split()
        if self.fails in text or len(words) < 3:
            return ParseFailure(text, "not three words")
        roles = dict(zip((Role.AGENT, Role.VERB, Role.THEME), words, strict=False))
        fillers = {role: Filler(word, (word,)) for role, word in roles.items()}
        return RoleStructure(text, (Frame(words[1], fillers),), truncated=len(words) > 3)


class OwnVectors:
    def embed(self, words: Sequence[str]) -> Float32Array:
        return np.array([[sum(map(ord, word)) % 7 + 1, len(word)] for word in words], np.float32)


def test_all_parts_of_ones_own() -> None:
    nlp = Pipeline(encoder=OwnEncoder(), parser=OwnParser(), vectors=OwnVectors())
    swapped = nlp.explain("Goats eat hats.", "Hats eat goats.")
    assert swapped.details["cosine"] == pytest.approx(1)
    assert swapped.details["roles exchanged"] > 0
    assert swapped.score < 1 == pytest.approx(nlp.similarity("Goats eat hats.", "Goats eat hats."))
    assert nlp.encode(["Goats eat hats."]).shape == (1, 2)
    assert nlp.encode([]).shape[0] == 0
    assert nlp.explain("Goats eat hats daily.", "Goats eat hats.").notes != ()


def failing() -> Pipeline:
    return Pipeline("verbnet-cn", parser=OwnParser(), vectors=OwnVectors())


def test_a_parse_that_fails() -> None:
    nlp = failing()
    reason = r"no parse of 'Who\?': not three words"
    for use in (nlp.similarity, nlp.explain):
        with pytest.raises(ParseError, match=f"^{reason}"):
            use("Goats eat hats.", "Who?")
    with pytest.raises(ParseError, match=f"pair 1: {reason}"):
        nlp.score([("Goats eat hats.", "Goats eat hats."), ("Who?", "Goats eat hats.")])
    with pytest.raises(ParseError, match=f"sentence 1: {reason}"):
        nlp.encode(["Goats eat hats.", "Who?"])
    (failed,) = nlp.explain([("Goats eat hats.", "Who?")])
    assert math.isnan(failed.score)
    assert isinstance(failed.structure2, ParseFailure)
    assert [type(parsed) for parsed in nlp.parse(["Who?", "Goats eat hats."])] == [
        ParseFailure,
        RoleStructure,
    ]


def test_what_fails_can_be_skipped() -> None:
    fine = ("Goats eat hats.", "Goats eat hats.")
    scores = failing().score(
        [fine, ("Who?", "Goats eat hats."), ("", "x"), (None, "x"), fine], on_error="skip"
    )
    np.testing.assert_allclose(scores, [1, np.nan, np.nan, np.nan, 1])
    assert np.isnan(failing().score([("", "")], on_error="skip")).all()
    with pytest.raises(InputError, match="unknown on_error, got 'ignore'; it is 'fail' or 'skip'"):
        failing().score([fine], on_error="ignore")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        (lambda s: OwnParser().parse(s[1:]), "the parser gave 1 results for 2 sentences"),
        (lambda s: OwnParser().parse([*s, *s]), "the parser gave 4 results for 2 sentences"),
        (lambda s: None, "the parser gave 0 results for 2 sentences"),
        (
            lambda s: [{"Verb": "eat"} for _ in s],
            "the parser gave {'Verb': 'eat'} for 'Goats eat hats.'",
        ),
        (lambda s: [None for _ in s], "the parser gave None for"),
        (
            lambda s: [RoleStructure(text, ()) for text in s],
            "it must give a RoleStructure with a frame",
        ),
    ],
)
@pytest.mark.parametrize("model", ["hybrid", "verbnet-cn"])
def test_a_parser_that_gives_something_else(
    model: str, results: Callable[[list[str]], Any], message: str
) -> None:
    nlp = Pipeline(model, parser=part(parse=results), vectors=OwnVectors(), encoder=OwnEncoder())
    with pytest.raises(InputError, match=message):
        nlp.similarity("Goats eat hats.", "Hats eat goats.")
    with pytest.raises(InputError, match=message):
        nlp.parse(["Goats eat hats.", "Hats eat goats."])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.ones((1, 3)), "the encoder gave 1 results for 2 sentences"),
        (np.ones(2), r"an array of shape \(2,\)"),
        (np.ones((2, 3, 4)), r"an array of shape \(2, 3, 4\)"),
        (np.float32(3), r"an array of shape \(\)"),
        (
            np.array([[1.0, np.nan]] * 2),
            r"an array of shape \(2, 2\); it must be \(n, d\) and finite",
        ),
        ([[1.0], [1.0, 2.0]], "no rows of numbers"),
        ([["a"], ["b"]], "no rows of numbers"),
        (None, "the encoder gave"),
    ],
)
def test_an_encoder_that_gives_something_else(rows: Any, message: str) -> None:
    nlp = Pipeline("embedded", encoder=part(encode=lambda sentences: rows))
    with pytest.raises(InputError, match=message):
        nlp.similarity("Goats eat hats.", "Hats eat goats.")
    with pytest.raises(InputError, match=message):
        nlp.encode(["Goats eat hats.", "Hats eat goats."])


def test_word_vectors_that_give_something_else() -> None:
    short = part(embed=lambda words: np.ones((1, 2), np.float32))
    for model in ("hybrid", "verbnet-cn", "dependency-cn"):
        with pytest.raises(InputError, match="the word vectors for"):
            Pipeline(model, vectors=short).similarity("Goats eat hats.", "Hats eat goats.")


def test_a_zero_row_is_like_nothing() -> None:
    silent = part(encode=lambda sentences: np.zeros((len(sentences), 3), np.float32))
    nlp = Pipeline("embedded", encoder=silent)
    assert nlp.similarity("Goats eat hats.", "Hats eat goats.") == 0
    assert nlp.similarity("Goats eat hats.", "Goats eat hats.") == 1


# One pass serves all parts.


def test_one_pass_gives_the_same_as_two(structure: Pipeline, encoder: EmbeddedEncoder) -> None:
    apart = Pipeline(encoder=part(encode=encoder.encode))
    pairs = list(zip(some_sentences(16), some_sentences(17)[1:], strict=True))
    np.testing.assert_allclose(apart.score(pairs), structure.score(pairs), atol=1e-5)


def test_every_distinct_sentence_is_read_once() -> None:
    read: list[str] = []
    counting = part(parse=lambda texts: read.extend(texts) or OwnParser().parse(texts))
    pair = ("Goats eat hats.", "Hats eat goats.")
    Pipeline("verbnet-cn", parser=counting, vectors=OwnVectors()).score([pair, pair[::-1], pair])
    assert read == list(pair)


# All pairs, and many vectors.


@pytest.mark.parametrize("model", ["hybrid", "embedded", "verbnet-cn", "jaccard"])
def test_similarities_are_those_of_the_pairs(model: str, pipelines: dict[str, Pipeline]) -> None:
    nlp = pipelines[model] if model in MODELS else Pipeline(model)
    texts = [FINE, "A hat was eaten by the goat.", "It rains.", FINE]
    others = ["It pours.", FINE]
    square, wide = nlp.similarities(texts), nlp.similarities(texts, others)
    assert (square.shape, wide.shape) == ((4, 4), (4, 2))
    for table, columns in ((square, texts), (wide, others)):
        expected = [nlp.similarity(one, other) for one in texts for other in columns]
        assert table.ravel().tolist() == expected
    assert (nlp.similarities(texts, texts) == square).all()
    assert nlp.similarities([], texts).shape == (0, 4)
    with pytest.raises(InputError, match="sentence 1: the text is empty"):
        nlp.similarities(texts, [FINE, " "])


def test_similarities_are_scored_in_batches(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"The goat ate {number} hats." for number in range(7)]
    expected = nlp.similarities(texts)
    monkeypatch.setattr("hybridsem.search.ranking.CHUNK", 4)
    assert (nlp.similarities(texts) == expected).all()


def test_similarities_name_what_has_no_score() -> None:
    nlp = Pipeline("verbnet-cn", parser=FailsOnRain())
    with pytest.raises(ParseError, match="sentences 0 and 1: .*it rains"):
        nlp.similarities(["Go", "It rains."])
    table = nlp.similarities(["Go", "It rains."], on_error="skip")
    assert np.isnan(table).tolist() == [[False, True], [True, True]]


def test_vectors_do_not_depend_on_the_batch(nlp: Pipeline) -> None:
    texts = some_sentences(9)
    expected = nlp.encode(texts)
    assert (nlp.encode(texts, batch_size=2, progress=True) == expected).all()
    assert nlp.encode([], batch_size=2).shape == (0, expected.shape[1])
    with pytest.raises(InputError, match="batch_size is a whole number from 1, got 0"):
        nlp.encode(texts, batch_size=0)
    roles = Pipeline("verbnet-cn", parser=FailsOnRain())
    with pytest.raises(ParseError, match="sentence 3: no parse of 'It rains.'"):
        roles.encode(["Go", "Go", "Go", "It rains."], batch_size=2)
