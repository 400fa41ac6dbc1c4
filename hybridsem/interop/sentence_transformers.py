"""Our encoders as a SentenceTransformer: what that library's evaluators and MTEB ask of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsem import registry
from hybridsem._utils.extras import extra
from hybridsem.errors import InputError
from hybridsem.pipeline import Pipeline

__all__ = ["as_sentence_transformer"]


def as_sentence_transformer(encoder: str | registry.SentenceEncoder | Pipeline = "embedded") -> Any:
    """A ``SentenceTransformer`` whose vectors are those of ``encoder``: a name, an encoder, or a
    pipeline.

    It encodes, compares, searches and is evaluated like any other, and ``mteb.evaluate`` takes it;
    it cannot be trained or saved. A prompt is put before each sentence. Raises
    :class:`MissingExtraError` without sentence-transformers.
    """
    with extra("sentence-transformers", "transformers"):
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.base.modules import InputModule
    inner: Any = encoder if isinstance(encoder, Pipeline) else registry.encoder(encoder)

    class Module(InputModule):
        """The one module of the model: it encodes while it reads, and there is nothing left to do
        forward.
        """

        def preprocess(
            self, inputs: Any, prompt: str | None = None, **kwargs: Any
        ) -> dict[str, Any]:
            if not all(isinstance(text, str) for text in inputs):
                raise InputError(f"expected strings, got {inputs[0]!r:.80}")
            rows = np.asarray(inner.encode([(prompt or "") + text for text in inputs]), np.float32)
            return {"sentence_embedding": torch.from_numpy(rows)}

        def forward(self, features: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
            return features

        def get_embedding_dimension(self) -> int:
            return int(np.shape(inner.encode(["a"]))[1])

        get_sentence_embedding_dimension = get_embedding_dimension

        def save(self, *args: Any, **kwargs: Any) -> None:
            raise InputError(
                "a model of hybridsem cannot be saved as a SentenceTransformer; keep its name"
            )

    module: Any = Module
    model = SentenceTransformer(modules=[module()], device="cpu")
    model.model_card_data.model_name = f"hybridsem/{_name(encoder)}"
    return model


def _name(encoder: Any) -> str:
    if isinstance(encoder, Pipeline):
        return encoder.spec.name
    return encoder if isinstance(encoder, str) else type(encoder).__name__
