"""The component beside what spaCy itself offers: noun phrases, similarities, vectors, files."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from support.evaluated import part

from hybridsem import Pipeline
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.interop.spacy import HybridSem

GAVE = "Ann gave Bob a book in Paris. He didn't like it."
CHASED = ("The dog chased the cat.", "The cat chased the dog.")


@pytest.fixture(scope="module")
def reader() -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("hybridsem")
    return nlp


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        (GAVE, ["Ann", "Bob", "a book", "Paris", "He", "it"]),
        (
            "The man's big, red dog and the cat of John Smith slept.",
            ["The man's big, red dog", "the cat", "John Smith"],
        ),
        (
            "Ann is a doctor who likes two black coffees and tea.",
            ["Ann", "a doctor", "who", "two black coffees", "tea"],
        ),
        ("There are many people at the bus stop.", ["many people", "the bus stop"]),
        ("", []),
    ],
)
def test_noun_chunks(text: str, chunks: list[str], reader: Any) -> None:
    doc = reader(text)
    assert [chunk.text for chunk in doc.noun_chunks] == chunks
    assert all(chunk.label_ == "NP" for chunk in doc.noun_chunks)
    for sent in doc.sents:
        found = [chunk for chunk in doc.noun_chunks if sent.start <= chunk.start < sent.end]
        assert list(sent.noun_chunks) == found


def test_roles_of_a_span(reader: Any) -> None:
    doc = reader(GAVE)
    first, second = doc.sents
    assert [frame["predicate"] for frame in first._.roles] == ["give"]
    assert first._.roles + second._.roles == doc._.roles
    assert doc[0:2]._.roles == first._.roles
    assert doc[2:4]._.roles == []


def test_similarities_are_the_models(reader: Any, nlp: Pipeline) -> None:
    one, two = reader(CHASED[0]), reader(CHASED[1])
    assert one.similarity(two) == pytest.approx(nlp.similarity(*CHASED), abs=1e-6)
    assert one.similarity(one) == 1
    assert one[0:3].similarity(two) == pytest.approx(
        nlp.similarity("The dog chased", CHASED[1]), abs=1e-6
    )
    dog, cat = nlp.vectors.embed(["dog", "cat"])
    assert one[1].similarity(two[1]) == pytest.approx(float(dog @ cat), abs=1e-5)
    assert one[1].similarity(one[1]) == pytest.approx(1)
    assert one.similarity(reader(" ")) == reader("").similarity(one) == 0


def test_vectors(reader: Any, nlp: Pipeline) -> None:
    doc = reader(CHASED[0])
    np.testing.assert_allclose(doc.vector, nlp.encode(CHASED[:1])[0], atol=1e-6)
    np.testing.assert_allclose(doc[0:2].vector, nlp.encode(["The dog"])[0], atol=1e-6)
    np.testing.assert_allclose(doc[1].vector, nlp.vectors.embed(["dog"])[0], atol=1e-6)
    assert doc.has_vector
    assert doc[1].has_vector
    assert doc.vector_norm == pytest.approx(1)
    blank = reader(" ")
    assert not blank.has_vector
    assert blank.vector.shape == (384,)
    assert not blank.vector.any()


def test_a_model_by_its_name() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("hybridsem", config={"model": "hybrid-0.1"})
    found = nlp(CHASED[0]).similarity(nlp(CHASED[1]))
    assert found == pytest.approx(Pipeline("hybrid-0.1").similarity(*CHASED), abs=1e-6)
    with pytest.raises(UnknownNameError):
        spacy.blank("en").add_pipe("hybridsem", config={"model": "hybird"})


def test_a_parser_without_trees_is_refused() -> None:
    other = Pipeline(parser=part(parse=list))
    with pytest.raises(InputError, match="reads with the embedded parser"):
        HybridSem(other)


def test_a_pipeline_on_disk(reader: Any, tmp_path: Path) -> None:
    reader.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    assert again.config["components"]["hybridsem"] == {
        "factory": "hybridsem",
        "hooks": True,
        "model": "hybrid",
    }
    doc, same = reader(GAVE), again(GAVE)
    assert same._.roles == doc._.roles != []
    assert [chunk.text for chunk in same.noun_chunks] == [chunk.text for chunk in doc.noun_chunks]
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.onnx")) == 0


def test_bytes_without_hooks() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("hybridsem", config={"hooks": False})
    doc = nlp(CHASED[0])
    assert not doc.has_vector
    assert spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())._.roles == doc._.roles != []


def test_documents_are_pickled(reader: Any) -> None:
    one, two = reader(CHASED[0]), reader(CHASED[1])
    again = pickle.loads(pickle.dumps(one))
    assert again._.roles == one._.roles
    assert again.similarity(two) == one.similarity(two)
    assert [chunk.text for chunk in again.noun_chunks] == ["The dog", "the cat"]


def test_spacy_reads_heads_tags_lemmas_and_roles(reader: Any) -> None:
    doc = reader("Ann gave Bob  a bicycle. The dogs weren't chased by the old cat!")
    read = {token.text: (token.lemma_, token.pos_, token.dep_, token.head.text) for token in doc}
    assert read["gave"] == ("give", "VERB", "ROOT", "gave")
    assert read["Bob"] == ("Bob", "PROPN", "iobj", "gave")
    assert read["dogs"] == ("dog", "NOUN", "nsubj:pass", "chased")
    assert read[" "] == (" ", "SPACE", "dep", "gave")
    assert [sent.root.text for sent in doc.sents] == ["gave", "chased"]
    first, second = doc._.roles
    assert (first["sentence"], second["sentence"]) == (0, 1)
    assert [doc[i].text for i in first["tokens"]["Theme"]] == ["a", "bicycle"]
    assert [doc[i].text for i in second["tokens"]["Agent"]] == ["by", "the", "old", "cat"]


@pytest.mark.parametrize(
    "text", ["", "  \n ", "\u3164", "dog " * 400, "a\x00b", "犬が猫を追いかけた。", "!!! ??? ..."]
)
def test_spacy_and_texts_that_are_strange(text: str, reader: Any) -> None:
    doc = reader(text)
    assert doc.text == text
    assert all(token.head.sent == token.sent for token in doc)
    if text.startswith("dog"):
        assert {token.pos_ for token in doc[300:]} == {"X"}
