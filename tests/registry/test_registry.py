"""Models and parts by name: what can be asked for, and what is said when it cannot."""

import re
from typing import Any

import numpy as np
import pytest
from support.generated import StubVectors

from hybridsem import Pipeline, registry
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.registry.parsers import KINDS
from hybridsem.structures import Parsed, ParseFailure


class Encoder:
    def encode(self, sentences: list[str]) -> Float32Array:
        return np.ones((len(sentences), 3), np.float32)


class Parser:
    def parse(self, sentences: list[str]) -> list[Parsed]:
        return [ParseFailure(sentence, "never") for sentence in sentences]


FORMALISMS = {
    "hybrid": "verbnet",
    "hybrid-0.1": "verbnet",
    "verbnet-cn": "verbnet",
    "verbnet-cn-2024": "verbnet",
    "role-slots": "verbnet",
    "dependency-cn": "dependency",
    "embedded": None,
    "role-encoder": None,
}


def test_the_models() -> None:
    assert next(iter(registry.models())) == "hybrid"
    for name in FORMALISMS:
        spec = registry.model(name)
        assert spec is registry.models()[name]
        assert spec.name == name
        assert spec.summary
        assert spec.needs
        assert spec.reference
        assert "Apache-2.0" in spec.licence
        assert spec.build(StubVectors(), None).formalism == FORMALISMS[name]


@pytest.mark.parametrize(
    ("kind", "name", "nearest"),
    [
        ("model", "hybird", "hybrid"),
        ("model", "verbnet", "verbnet-cn"),
        ("encoder", "embeded", "embedded"),
        ("vectors", "Embedded", "embedded"),
        ("parser", "embedded:x", "embedded"),
        ("parser", "spaccy:name", "spacy:NAME"),
        *(("model", name, None) for name in ("stanza", "gpt-4", "tfidf", "zzz", "", None, 3, [])),
        ("model", "hybrid-large", "bert-large"),
        ("encoder", "large", "bert-large"),
    ],
)
def test_an_unknown_name_is_told_the_nearest(kind: str, name: Any, nearest: str | None) -> None:
    arguments: dict[str, Any] = {kind: name}
    with pytest.raises(UnknownNameError, match=f"unknown {kind}, got ") as caught:
        Pipeline(**arguments)
    said = str(caught.value)
    assert repr(name) in said
    assert "Did you mean" in said if nearest else "`hybridsem models`" in said
    assert kind != "model" or re.search(r" hybrid\b.*`hybridsem models`", said)
    assert (f"Did you mean '{nearest}'" in said) == ("Did you mean" in said) == bool(nearest)


@pytest.mark.parametrize(
    ("kind", "method"), [("encoder", "encode"), ("vectors", "embed"), ("parser", "parse")]
)
@pytest.mark.parametrize("part", [object(), b"embedded", [], Encoder, EmbeddedWords, Parser])
def test_objects_without_the_method_and_classes(kind: str, method: str, part: object) -> None:
    arguments: dict[str, Any] = {kind: part}
    with pytest.raises(
        InputError, match=rf"{kind}= takes a name or an object with a method {method}\(\), got"
    ):
        Pipeline(**arguments)


def test_objects_are_taken_as_they_are(encoder: EmbeddedEncoder) -> None:
    own, words, parser = Encoder(), StubVectors(), Parser()
    nlp = Pipeline(encoder=own, vectors=words, parser=parser)
    assert (nlp.encoder, nlp.vectors, nlp.parser) == (own, words, parser)
    assert Pipeline(encoder=encoder).encoder is encoder


def test_the_parts_share_one_encoder(encoder: EmbeddedEncoder) -> None:
    nlp = Pipeline(encoder=encoder)
    assert nlp.vectors.encoder is encoder
    assert nlp.parser.tree_parser.encoder is encoder


@pytest.mark.parametrize("name", sorted(name for name, kind in KINDS.items() if kind.verbnet_only))
def test_a_kind_of_verbnet_style_roles_is_for_models_that_read_those(name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}:x' gives VerbNet-style roles, and this model"):
        Pipeline("amr-cn", parser=f"{name}:x")


@pytest.mark.parametrize("name", ["spacy", "spacy:", "precomputed", "precomputed:", "penman"])
def test_a_part_that_needs_an_argument(name: str) -> None:
    with pytest.raises(
        InputError, match=f"'{name}' needs an argument; write for instance '{name.rstrip(':')}:"
    ):
        Pipeline(parser=name)


@pytest.mark.parametrize("model", ["hybrid-0.1", "verbnet-cn"])
def test_normalise(model: str) -> None:
    text = "The goat slept."
    assert Pipeline(model, normalise="total").similarity(text, text) < 0.99
    with pytest.raises(InputError, match="unknown normalisation, got 'sum'"):
        Pipeline(model, normalise="sum")
