"""Encoder and pair scorer in MTEB, kept apart: with MTEB itself, on tasks without a download."""

from typing import Any

import mteb
import numpy as np
import pytest
from scipy.stats import spearmanr

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.interop.mteb import as_pairs, mteb_encoder, mteb_pair_scorer
from hybridsem.interop.sentence_transformers import as_sentence_transformer

# MTEB itself calls what it and others have put aside.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

PAIRS = [
    ("The dog chased the cat.", "The cat chased the dog."),
    ("The dog chased the cat.", "The cat was chased by the dog."),
    ("A man sings.", "A man is singing."),
    ("A man sings.", "It rains in the north."),
]
GOLD = [2.0, 5.0, 4.8, 0.1]


@pytest.fixture(scope="module")
def vectors(nlp: Pipeline) -> Any:
    return mteb_encoder(nlp)


@pytest.fixture(scope="module")
def scorer(nlp: Pipeline) -> Any:
    return mteb_pair_scorer(nlp)


@pytest.fixture
def sts() -> Any:
    import datasets

    task = mteb.get_task("STSBenchmark.v2", eval_splits=["test"])
    one, two = zip(*PAIRS, strict=True)
    rows = datasets.Dataset.from_dict({"sentence1": one, "sentence2": two, "score": GOLD})
    task.dataset, task.data_loaded = {"default": {"test": rows}}, True
    return task


def figures(model: Any, task: Any) -> tuple[str, dict[str, float]]:
    """The model's name as MTEB reports it, and the measures of the task."""
    found = mteb.evaluate(model, [task], cache=None, show_progress_bar=False)
    return found.model_name, found.task_results[0].scores["test"][0]


def test_the_hybrid_has_its_own_figure(vectors: Any, scorer: Any, sts: Any, nlp: Pipeline) -> None:
    """The encoder's stands under the encoder's name, be it made from a hybrid."""
    cosines = [float(one @ two) for one, two in map(nlp.encode, PAIRS)]
    name, found = figures(vectors, sts)
    assert name == "hybridsem/encoder"
    assert found["main_score"] == pytest.approx(spearmanr(cosines, GOLD)[0])
    name, of_scores = figures(scorer, as_pairs(sts))
    assert name == "hybridsem/hybrid"
    assert of_scores["main_score"] == pytest.approx(spearmanr(nlp.score(PAIRS), GOLD)[0])
    assert of_scores["main_score"] == of_scores["spearman"] == of_scores["euclidean_spearman"]


def test_a_sentence_transformer_of_ours(sts: Any) -> None:
    """The vector that holds roles, by its name, like any other encoder."""
    model, nlp = as_sentence_transformer("role-encoder"), Pipeline("role-encoder")
    texts = [text for pair in PAIRS for text in pair]
    np.testing.assert_allclose(model.encode(texts), nlp.encode(texts), atol=1e-6)
    name, found = figures(model, sts)
    assert name == "hybridsem/role-encoder"
    assert found["cosine_spearman"] == pytest.approx(spearmanr(nlp.score(PAIRS), GOLD)[0])


def test_neither_is_taken_for_the_other(vectors: Any, scorer: Any, sts: Any) -> None:
    assert isinstance(vectors, mteb.EncoderProtocol)
    assert not isinstance(vectors, mteb.CrossEncoderProtocol)
    assert isinstance(scorer, mteb.CrossEncoderProtocol)
    assert not isinstance(scorer, mteb.EncoderProtocol)
    with pytest.raises(TypeError, match="does not support CrossEncoders"):
        figures(scorer, sts)
    with pytest.raises(AttributeError, match="predict"):
        figures(vectors, as_pairs(sts))


def test_classified_pairs(scorer: Any) -> None:
    import datasets
    from mteb.mocks.mock_tasks.pair_classification import MockPairClassificationTask

    class Task(MockPairClassificationTask):
        def load_data(self, num_proc: int | None = None, **kwargs: Any) -> None:
            one, two = (list(side) for side in zip(*PAIRS, strict=True))
            rows = {"sentence1": [one], "sentence2": [two], "labels": [[0, 1, 1, 0]]}
            self.dataset = {"test": datasets.Dataset.from_dict(rows)}  # as old data sets have it
            self.data_loaded = True

    _, found = figures(scorer, as_pairs(Task()))
    assert found["max_ap"] == found["cosine_ap"] == found["manhattan_ap"] == 1


def test_reranking_takes_both(scorer: Any, vectors: Any) -> None:
    from mteb.mocks.mock_tasks.reranking import MockRerankingTask

    for model in (scorer, vectors):
        assert 0 < figures(model, MockRerankingTask())[1]["main_score"] <= 1
    with pytest.raises(InputError, match="got MockRerankingTask"):
        as_pairs(MockRerankingTask())


def test_blank_texts_end_no_run(scorer: Any, vectors: Any, nlp: Pipeline) -> None:
    batches = [{"text": ["A dog sleeps.", ""]}, {"text": ["It rains."]}]
    rows = vectors.encode(batches, task_metadata=None, hf_split="test", hf_subset="default")
    np.testing.assert_allclose(rows[[0, 2]], nlp.encode(["A dog sleeps.", "It rains."]), atol=1e-6)
    assert not rows[1].any()
    assert not vectors.encode([{"text": [" "]}]).any()
    assert scorer.predict(batches, batches).tolist() == [1, -1, 1]


def test_metadata() -> None:
    encoder, scorer = mteb_encoder(), mteb_pair_scorer()
    about, other = encoder.mteb_model_meta, scorer.mteb_model_meta
    assert (about.name, other.name) == ("hybridsem/encoder", "hybridsem/hybrid")
    assert (about.is_cross_encoder, other.is_cross_encoder) == (False, True)
    assert about.embed_dim == 384
    assert other.embed_dim is None
    assert about.adapted_from == other.adapted_from == "sentence-transformers/all-MiniLM-L6-v2"
    assert {"STSBenchmark", "SICK-R"} <= other.training_datasets
    assert "MSMARCO" in about.training_datasets
    assert about.training_datasets == other.training_datasets
    for name in ("STSBenchmark", "SICK-R", "STS12", "PawsXPairClassification"):
        assert mteb.get_task(name).metadata.name in other.training_datasets
    for meta in (about, other):
        assert type(meta).model_validate(meta.model_dump()) == meta
    # One encoder, whatever is made of it; other parts are other results.
    assert mteb_encoder("embedded").mteb_model_meta.revision == about.revision
    reading = mteb_pair_scorer(Pipeline(parser="embedded")).mteb_model_meta
    assert reading.revision != other.revision
    assert reading.experiment_kwargs == {"parser": "embedded"}
    assert reading.training_datasets is None
    assert mteb_encoder("verbnet-cn").mteb_model_meta.name == "hybridsem/verbnet-cn"
