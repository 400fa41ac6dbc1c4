"""Our vectors and scores in sentence-transformers, and its encoders in ours."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sentence_transformers as library
from support.tiny_models import SENTENCES, write

from hybridsem import Pipeline, registry
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.interop.sentence_transformers import (
    CrossEncoderReader,
    as_cross_encoder,
    as_sentence_transformer,
    name_of_vectors,
)

QUERY = "The bank sued the newspaper."
DOCUMENTS = [
    "The newspaper sued the bank.",
    "It rains in the north.",
    "The newspaper was sued by the bank.",
]
ORDER = [2, 0, 1]
"""Of the documents, by the hybrid: the encoder alone cannot tell the first from the third."""


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("hybrid", "hybridsem/encoder"),
        ("hybrid-0.1", "hybridsem/encoder"),
        ("embedded", "hybridsem/encoder"),
        ("verbnet-cn", "hybridsem/verbnet-cn"),
        ("sif", "hybridsem/sif"),
        (Pipeline(encoder="sif"), "hybridsem/sif"),
    ],
)
def test_vectors_are_called_what_they_are(model: Any, name: str) -> None:
    nlp = model if isinstance(model, Pipeline) else Pipeline(model)
    assert name_of_vectors(nlp) == name
    if "sif" in name:
        assert not np.allclose(nlp.encode(DOCUMENTS), Pipeline("embedded").encode(DOCUMENTS)[:, :1])


def test_a_cross_encoder_predicts_and_ranks(nlp: Pipeline) -> None:
    cross_encoder = as_cross_encoder(nlp)
    assert isinstance(cross_encoder, library.CrossEncoder)
    pairs = [(QUERY, text) for text in DOCUMENTS]
    scores = nlp.score(pairs)
    assert np.argsort(-scores).tolist() == ORDER
    found = cross_encoder.predict(pairs)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, scores, atol=1e-6)
    assert cross_encoder.predict(pairs[0]) == pytest.approx(scores[0])
    np.testing.assert_allclose(cross_encoder.predict(np.array(pairs)), scores, atol=1e-6)
    assert cross_encoder.predict(pairs, convert_to_tensor=True).shape == (3,)
    assert len(cross_encoder.predict([])) == 0
    best, second = cross_encoder.rank(QUERY, DOCUMENTS, top_k=2, return_documents=True)
    assert best == {"corpus_id": 2, "score": pytest.approx(scores[2]), "text": DOCUMENTS[2]}
    assert second["corpus_id"] == 0
    assert cross_encoder.model_card_data.model_name == "hybridsem/hybrid"
    with pytest.raises(InputError, match="pair 0: sentence 2: the text is empty"):
        cross_encoder.predict([(QUERY, "")])
    with pytest.raises(InputError, match="take no prompt"):
        cross_encoder.predict(pairs, prompt="query: ")
    with pytest.raises(InputError, match="cannot be saved"):
        cross_encoder[0].save("x")


def test_a_sentence_transformer_with_our_vectors(encoder: EmbeddedEncoder) -> None:
    ours = as_sentence_transformer(encoder)
    np.testing.assert_allclose(ours.encode(DOCUMENTS), encoder.encode(DOCUMENTS), atol=1e-6)
    np.testing.assert_allclose(
        ours.encode(DOCUMENTS[0]), encoder.encode(DOCUMENTS[:1])[0], atol=1e-6
    )
    np.testing.assert_allclose(
        ours.encode(["dog"], prompt="a "), encoder.encode(["a dog"]), atol=1e-6
    )
    assert ours.get_embedding_dimension() == 384
    assert ours.similarity(ours.encode(DOCUMENTS), ours.encode(DOCUMENTS)).shape == (3, 3)
    with pytest.raises(InputError, match="cannot be saved"):
        ours[0].save("x")


def test_their_encoder_in_ours(tmp_path: Path) -> None:
    """A SentenceTransformer of random weights."""
    from sentence_transformers.sentence_transformer import modules

    parts = [modules.Transformer(str(write(tmp_path, "Bert"))), modules.Pooling(16)]
    theirs = library.SentenceTransformer(modules=parts, device="cpu")
    nlp = Pipeline("hybrid", encoder=theirs)
    assert nlp.encoder is theirs
    assert nlp.similarity(SENTENCES[0], SENTENCES[0]) == pytest.approx(1)
    rows = theirs.encode(SENTENCES[:2])
    cosine = rows[0] @ rows[1] / np.linalg.norm(rows, axis=1).prod()
    assert Pipeline("embedded", encoder=theirs).similarity(*SENTENCES[:2]) == pytest.approx(
        cosine, abs=1e-5
    )
    assert not isinstance(theirs, registry.FittedEncoder)  # it has a fit(), which trains it


def cross_encoder(folder: Path, *labels: str) -> Any:
    """A tiny CrossEncoder with these labels, of random weights."""
    import transformers

    write(folder, "Bert")
    numbers = dict(enumerate(labels))
    config = transformers.AutoConfig.from_pretrained(
        folder, id2label=numbers, label2id={name: k for k, name in numbers.items()}
    )
    model = transformers.BertForSequenceClassification(config)
    model.save_pretrained(folder)
    return library.CrossEncoder(str(folder), device="cpu")


@pytest.mark.parametrize("labels", [("contradiction", "Entailment", "neutral"), ("LABEL_0",)])
def test_a_cross_encoder_reads_pairs(tmp_path: Path, labels: tuple[str, ...]) -> None:
    reader = CrossEncoderReader(cross_encoder(tmp_path, *labels))
    pairs = [(SENTENCES[0], SENTENCES[1]), (SENTENCES[2], SENTENCES[3])]
    found, turned = reader.read(pairs), reader.read([(two, one) for one, two in pairs])
    np.testing.assert_allclose(found.entails, turned.entailed, atol=1e-6)
    np.testing.assert_allclose(found.similarity, turned.similarity, atol=1e-6)
    scores = Pipeline(pair_reader=reader).score(pairs)
    assert (
        scores.tolist() == Pipeline(pair_reader=f"cross-encoder:{tmp_path}").score(pairs).tolist()
    )
    assert (scores != Pipeline().score(pairs)).all()


def test_a_cross_encoder_of_other_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="entailment, neutral, contradiction"):
        CrossEncoderReader(cross_encoder(tmp_path, "good", "bad"))
