"""Our vectors as a SentenceTransformer, our scores as a CrossEncoder, for what takes those; and a
CrossEncoder as a pair reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem import registry
from hybridsem._typing import SentencePairs
from hybridsem._utils.extras import extra
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.embeddings._hub import input_module
from hybridsem.errors import InputError
from hybridsem.pair_reader.base import Readings
from hybridsem.pipeline import Pipeline

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

RELATIONS = "entailment", "neutral", "contradiction"
Inputs = Sequence[Any]
"""Texts or pairs, unchecked."""

__all__ = ["CrossEncoderReader", "as_cross_encoder", "as_sentence_transformer", "name_of_vectors"]


def as_sentence_transformer(
    encoder: str | registry.SentenceEncoder | Pipeline = "embedded",
) -> SentenceTransformer:
    """Return a ``SentenceTransformer`` with the vectors of an encoder, or of the encoder of a
    pipeline that compares pairs. It works like any other, also in ``mteb.evaluate``, but cannot be
    trained or saved. A prompt is prepended to each sentence.
    """
    with extra("sentence-transformers", "transformers"):
        import torch
        from sentence_transformers import SentenceTransformer
    inner = encoder if isinstance(encoder, Pipeline) else registry.encoder(encoder)

    def read(inputs: Inputs, prompt: str | None) -> dict[str, object]:
        if not all(isinstance(text, str) for text in inputs):
            raise InputError(f"expected strings, got {inputs[0]!r:.80}")
        rows = np.asarray(inner.encode([(prompt or "") + text for text in inputs]), np.float32)
        return {"sentence_embedding": torch.from_numpy(rows)}

    module = input_module(read, lambda: int(np.shape(inner.encode(["a"]))[1]))
    model = SentenceTransformer(modules=[module], device="cpu")
    model.model_card_data.model_name = name_of_vectors(encoder)
    return model


def as_cross_encoder(model: str | Pipeline = "hybrid") -> CrossEncoder:
    """Return a ``CrossEncoder`` with the scores of a model, in [-1, 1], without an activation. It
    cannot be trained or saved. A blank text, or a prompt, is an :class:`InputError`.
    """
    with extra("sentence-transformers", "transformers"):
        import torch
        from sentence_transformers import CrossEncoder
    pipeline = model if isinstance(model, Pipeline) else Pipeline(model)

    def read(inputs: Inputs, prompt: str | None) -> dict[str, object]:
        if prompt:
            raise InputError(f"the scores of pairs take no prompt, got {prompt!r:.80}")
        scores = pipeline.score([tuple(pair) for pair in inputs])
        return {"scores": torch.from_numpy(scores.astype(np.float32))}

    modules = [input_module(read, int)]
    made: CrossEncoder = CrossEncoder(
        modules=modules, device="cpu", activation_fn=torch.nn.Identity()
    )
    made.model_card_data.model_name = f"hybridsem/{pipeline.spec.name}"
    return made


class CrossEncoderReader:
    """A CrossEncoder as a pair reader (``Pipeline(pair_reader="cross-encoder:NAME")``).

    ``model`` is a name, a folder, or a ``CrossEncoder`` with the labels entailment, neutral and
    contradiction, or with one output, which is then read as similarity and paraphrase alike. Both
    orders of a pair are read. Raises :class:`InputError` for other labels.
    """

    def __init__(self, model: str | CrossEncoder) -> None:
        with extra("sentence-transformers", "transformers"):
            from sentence_transformers import CrossEncoder
        self.model = CrossEncoder(model, device="cpu") if isinstance(model, str) else model
        self.name = f"cross-encoder:{model}" if isinstance(model, str) else "cross-encoder"
        config = self.model.config
        known = (config and config.label2id) or {}
        labels = {str(label).lower(): int(number) for label, number in known.items()}
        if len(labels) != 1 and not {*RELATIONS} <= {*labels}:
            raise InputError(
                f"a pair reader has the labels {', '.join(RELATIONS)}, or one output; got "
                f"{', '.join(labels)}"
            )
        self._columns = [labels[name] for name in RELATIONS] if len(labels) != 1 else []

    def read(self, pairs: SentencePairs) -> Readings:
        """Return the chances of pairs; exchanging two exchanges their chances."""
        import torch

        both = [(one, two) for one, two in pairs] + [(two, one) for one, two in pairs]
        scores = np.asarray(self.model.predict(both, activation_fn=torch.nn.Identity()), np.float64)
        if not self._columns:
            chance = 1 / (1 + np.exp(-scores.reshape(2, -1)))
            mean = chance.mean(0)
            return Readings(chance[0], chance[1], np.zeros(len(pairs)), mean, mean)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares = (shares / shares.sum(1, keepdims=True))[:, self._columns]
        forward, backward = shares.reshape(2, len(pairs), 3)
        same = np.sqrt(forward[:, 0] * backward[:, 0])
        opposed = (forward[:, 2] + backward[:, 2]) / 2
        return Readings(forward[:, 0], backward[:, 0], opposed, same, same)


def name_of_vectors(part: str | registry.SentenceEncoder | Pipeline) -> str:
    """Return the name of the vectors of an encoder or a pipeline in other libraries. A model that
    compares pairs has the vectors of its encoder: ``hybridsem/encoder`` for the package's encoder.
    """
    name: object = part
    if isinstance(part, Pipeline):
        name = part.encoder if "encoder" in part.unnamed else part.settings.get("encoder")
        if isinstance(part.combiner, RoleCombiner):
            name = part.spec.name
        elif name is None:
            is_cosine = isinstance(part.combiner, SentenceCombiner)
            name = part.spec.name if is_cosine else part.spec.encoder
    if not isinstance(name, str):
        name = getattr(name, "name", type(name).__name__)
    return f"hybridsem/{'encoder' if name == 'embedded' else name}"
