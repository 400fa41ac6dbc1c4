"""MTEB 2: vectors and scores of pairs, as two kinds of model with names of their own.

mteb_encoder("hybrid")       vectors: hybridsem/encoder, for all tasks
mteb_pair_scorer("hybrid")   scores of pairs: hybridsem/hybrid, for reranking and as_pairs(task)
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import hybridsem
from hybridsem._typing import Float32Array
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import problem
from hybridsem.batch.identity import settings_of
from hybridsem.embeddings.embedded import MAX_PIECES, EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.interop.sentence_transformers import name_of_vectors
from hybridsem.pipeline import Pipeline

if TYPE_CHECKING:
    from datasets import Dataset
    from mteb.abstasks import AbsTask
    from mteb.models import ModelMeta
    from mteb.models.abs_encoder import AbsEncoder
    from torch.utils.data import DataLoader

Batches = Iterable[Mapping[str, Sequence[str]]]

__all__ = ["as_pairs", "mteb_encoder", "mteb_pair_scorer"]

SOURCE = "sentence-transformers/all-MiniLM-L6-v2"
"""The model from which the embedded encoder was made; MTEB knows its training data."""

LEARNED_FROM = {"STSBenchmark", "SICK-R", "STS12", "PawsXPairClassification", "SNLI"}
"""Data sets of MTEB with rows that encoder and comparison were learned from: the training rows of
STSBenchmark and SICK-R, four parts of STS12, the rows of PAWS-X (English) in PAWS-Wiki dev.
"""

BLANK_SCORE = -1.0
"""The score of a pair with a blank text: MTEB has no failed pairs."""


def mteb_encoder(model: str | Pipeline = "hybrid") -> AbsEncoder:
    """Return an encoder for ``mteb.evaluate`` with a model's vectors; blank texts have zeros."""
    with extra("mteb", "compare"):
        from mteb.models.abs_encoder import AbsEncoder
    pipeline = model if isinstance(model, Pipeline) else Pipeline(model)

    class Encoder(AbsEncoder):
        def __init__(self) -> None:
            self.model = pipeline
            self.mteb_model_meta = _metadata(pipeline, is_encoder=True)

        def encode(self, inputs: Batches, **kwargs: object) -> Float32Array:
            """Return vectors, (n, d)."""
            texts = _texts(inputs)
            usable = [i for i, text in enumerate(texts) if problem(text) is None]
            found = pipeline.encode([texts[i] for i in usable] or ["a"])
            rows = np.zeros((len(texts), found.shape[1]), np.float32)
            rows[usable] = found[: len(usable)]
            return rows

    return Encoder()


def mteb_pair_scorer(model: str | Pipeline = "hybrid") -> Any:
    """Return a cross-encoder of MTEB with the scores of a model, in [-1, 1], for reranking and
    tasks of :func:`as_pairs`; a pair with a blank text has -1.
    """
    with extra("mteb", "compare"):
        import mteb  # noqa: F401
    pipeline = model if isinstance(model, Pipeline) else Pipeline(model)

    class PairScorer:
        mteb_model_meta = _metadata(pipeline, is_encoder=False)

        def predict(self, inputs1: Batches, inputs2: Batches, **kwargs: object) -> Float32Array:
            """Return scores, (n,)."""
            pairs = list(zip(_texts(inputs1), _texts(inputs2), strict=True))
            scores = pipeline.score(pairs, on_error="skip")
            return np.nan_to_num(scores, nan=BLANK_SCORE).astype(np.float32)

    return PairScorer()


def as_pairs(task: AbsTask) -> AbsTask:
    """Return a copy of a task of similar sentences (STS) or classified pairs that uses a pair
    scorer: all of MTEB's measures, such as ``cosine_spearman``, are then of its scores. Raises
    :class:`InputError` for another task.
    """
    with extra("mteb", "compare"):
        from mteb.abstasks import AbsTaskPairClassification, AbsTaskSTS
    if not isinstance(task, (AbsTaskSTS, AbsTaskPairClassification)):
        raise InputError(
            f"as_pairs takes a task of similar sentences or of classified pairs, got "
            f"{type(task).__name__}"
        )
    measured = _similar if isinstance(task, AbsTaskSTS) else _classified
    asked: Any = copy.copy(task)
    asked._support_cross_encoder = True
    asked._evaluate_subset = partial(_measured, task, measured)
    result: AbsTask = asked
    return result


def _measured(
    task: Any,
    measured: Callable[[Any, Float32Array, Dataset], object],
    model: Any,
    data_split: Dataset,
    **given: Any,
) -> object:
    """Measure the scores of a pair scorer: replaces ``_evaluate_subset`` of ``task``."""
    from datasets import Dataset
    from torch.utils.data import DataLoader

    # Old data sets of classified pairs have all pairs in one row.
    rows = Dataset.from_dict(data_split[0]) if len(data_split) == 1 else data_split
    columns = getattr(task, "column_names", None)
    columns = columns or (task.input1_column_name, task.input2_column_name)
    inputs: list[DataLoader[Any]] = [
        DataLoader(Dataset.from_dict({"text": rows[name]}), batch_size=512) for name in columns
    ]
    where = {name: given[name] for name in ("hf_split", "hf_subset")}
    scores = model.predict(*inputs, task_metadata=task.metadata, **where, **given["encode_kwargs"])
    return measured(task, scores, rows)


def _similar(task: Any, scores: Float32Array, rows: Dataset) -> object:
    same = scores.tolist()
    names = ("cosine_scores", "manhattan_distances", "euclidean_distances", "similarity_scores")
    return task._calculate_scores(
        dict.fromkeys(names, same), [task._normalize(score) for score in rows["score"]]
    )


def _classified(task: Any, scores: Float32Array, rows: Dataset) -> object:
    found = dict.fromkeys(("cosine_scores", "similarity_scores", "dot_scores"), scores.tolist())
    found |= dict.fromkeys(("manhattan_distances", "euclidean_distances"), (-scores).tolist())
    return task._compute_metrics(found, rows[task.label_column_name])


def _texts(inputs: Batches) -> list[str]:
    return [text for batch in inputs for text in batch["text"]]


def _metadata(pipeline: Pipeline, is_encoder: bool) -> ModelMeta:
    import mteb
    from mteb.models import ModelMeta
    from mteb.models.model_meta import ScoringFunction

    settings, spec = settings_of(pipeline), pipeline.spec
    own = {"model": None, "parser": spec.parser, "pair_reader": spec.pair_reader}
    # Parts that replace the model's own.
    given = pipeline.settings.items()
    parts = {name: part for name, part in given if own.get(name, "") not in (None, part)}
    if is_encoder and pipeline.combiner.reads_vectors:  # the other parts are not checked
        read = {"encoder", "contents", "versions"}
        parts = {name: part for name, part in parts.items() if name in read}
        settings = {name: part for name, part in settings.items() if name in read}
    content = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
    about: dict[str, object] = {
        "loader": None,
        "name": name_of_vectors(pipeline) if is_encoder else f"hybridsem/{pipeline.spec.name}",
        # Results are stored by name and revision: other parts or weights are another revision.
        "revision": f"{hybridsem.__version__}-{content[:12]}",
        "framework": ["ONNX", "NumPy"],
        "model_type": ["dense" if is_encoder else "cross-encoder"],
        "similarity_fn_name": ScoringFunction.COSINE if is_encoder else None,
        "use_instructions": False,
        "experiment_kwargs": parts or None,
    }
    if about["name"] == "hybridsem/encoder" or (about["name"] == "hybridsem/hybrid" and not parts):
        source = mteb.get_model_meta(SOURCE)
        kept = ["languages", "citation"]
        kept += ["n_parameters", "n_embedding_parameters"] if is_encoder else []
        about |= {name: getattr(source, name) for name in kept}
        about |= {
            "adapted_from": SOURCE,
            "license": "multiple",
            "max_tokens": MAX_PIECES,
            "embed_dim": EmbeddedEncoder.dimension if is_encoder else None,
            "open_weights": True,
            "training_datasets": (source.training_datasets or set()) | LEARNED_FROM,
        }
    return ModelMeta.create_empty(about)
