"""Our encoders in sentence-transformers, MTEB and spaCy, and theirs in ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.tiny_models import SENTENCES, write

from hybridsem import Pipeline, registry
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError

TEXTS = ["A dog sleeps.", "The cat sang in the old park.", "It rains."]


@pytest.fixture(scope="module")
def ours(encoder: EmbeddedEncoder) -> Any:
    pytest.importorskip("sentence_transformers")
    from hybridsem.interop.sentence_transformers import as_sentence_transformer

    return as_sentence_transformer(encoder)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A SentenceTransformer of random weights."""
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer import modules

    folder = write(tmp_path_factory.mktemp("bert"), "Bert")
    return library.SentenceTransformer(
        modules=[modules.Transformer(str(folder)), modules.Pooling(16)], device="cpu"
    )


def test_a_sentence_transformer_with_our_vectors(ours: Any, encoder: EmbeddedEncoder) -> None:
    np.testing.assert_allclose(ours.encode(TEXTS), encoder.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose(ours.encode(TEXTS[0]), encoder.encode(TEXTS[:1])[0], atol=1e-6)
    np.testing.assert_allclose(
        ours.encode(["dog"], prompt="a "), encoder.encode(["a dog"]), atol=1e-6
    )
    assert ours.get_embedding_dimension() == 384
    assert ours.similarity(ours.encode(TEXTS), ours.encode(TEXTS)).shape == (3, 3)
    with pytest.raises(InputError, match="cannot be saved"):
        ours[0].save("x")


def test_role_slots_as_a_sentence_transformer(encoder: EmbeddedEncoder) -> None:
    pytest.importorskip("sentence_transformers")
    from hybridsem.interop.sentence_transformers import as_sentence_transformer

    nlp = Pipeline("verbnet-cn", encoder=encoder, normalise="total")
    model = as_sentence_transformer(nlp)
    assert model.model_card_data.model_name == "hybridsem/verbnet-cn"
    one, two = model.encode(TEXTS[:2])
    assert one @ two / 11 == pytest.approx(
        nlp.similarity(*TEXTS[:2]), abs=0.2
    )  # but for roles that are paired


def test_their_encoder_in_ours(theirs: Any) -> None:
    nlp = Pipeline("hybrid", encoder=theirs)
    assert nlp.encoder is theirs
    assert nlp.similarity(SENTENCES[0], SENTENCES[0]) == pytest.approx(1)
    rows = theirs.encode(SENTENCES[:2])
    cosine = rows[0] @ rows[1] / np.linalg.norm(rows, axis=1).prod()
    assert Pipeline("embedded", encoder=theirs).similarity(*SENTENCES[:2]) == pytest.approx(
        cosine, abs=1e-5
    )
    assert not isinstance(theirs, registry.FittedEncoder)  # it has a fit(), which trains it


@pytest.fixture(scope="module")
def pipeline() -> Any:
    spacy = pytest.importorskip("spacy")
    import hybridsem.interop.spacy

    assert hybridsem.interop.spacy
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("hybridsem")
    return nlp


def test_spacy_reads_heads_tags_lemmas_and_roles(pipeline: Any) -> None:
    doc = pipeline("Ann gave Bob  a bicycle. The dogs weren't chased by the old cat!")
    read = {token.text: (token.lemma_, token.pos_, token.dep_, token.head.text) for token in doc}
    assert read["gave"] == ("give", "VERB", "ROOT", "gave")
    assert read["Bob"] == ("Bob", "PROPN", "iobj", "gave")
    assert read["dogs"] == ("dog", "NOUN", "nsubj:pass", "chased")
    assert read[" "] == (" ", "SPACE", "dep", "gave")
    assert [sent.root.text for sent in doc.sents] == ["gave", "chased"]
    first, second = doc._.roles
    assert (first["sentence"], first["predicate"], second["sentence"], second["predicate"]) == (
        0,
        "give",
        1,
        "chase",
    )
    assert first["roles"] == {
        "Verb": "gave",
        "Agent": "Ann",
        "Patient": "Bob",
        "Theme": "a bicycle",
    }
    assert [doc[i].text for i in first["tokens"]["Theme"]] == ["a", "bicycle"]
    assert [doc[i].text for i in second["tokens"]["Agent"]] == ["by", "the", "old", "cat"]
    assert second["negated"]
    assert second["voice"] == "passive"


@pytest.mark.parametrize(
    "text", ["", "  \n ", "\u3164", "dog " * 400, "a\x00b", "犬が猫を追いかけた。", "!!! ??? ..."]
)
def test_spacy_and_texts_that_are_strange(text: str, pipeline: Any) -> None:
    doc = pipeline(text)
    assert doc.text == text
    assert all(token.head.sent == token.sent for token in doc)
    if text.startswith("dog"):
        assert {token.pos_ for token in doc[300:]} == {"X"}
