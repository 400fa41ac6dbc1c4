"""Sentence vectors of any Hugging Face model (extra ``transformers``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hybridsem._text import check_sentences
from hybridsem.errors import MissingExtraError

__all__ = ["OPTIONS", "TransformerEncoder"]

OPTIONS = ("device",)


class TransformerEncoder:
    """A sentence-transformers folder, or the hub's name of one, read by the library of that name."""

    def __init__(self, model: str, device: str | None = None) -> None:
        self.model, self.device = model, device

    @classmethod
    def from_options(cls, model: str, options: Mapping[str, str]) -> TransformerEncoder:
        """The encoder that ``transformer:MODEL,name=value`` stands for."""
        return cls(model, **options)

    @cached_property
    def _module(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise MissingExtraError("sentence-transformers", "transformers") from error
        return SentenceTransformer(self.model, device=self.device, trust_remote_code=False)

    def encode(self, sentences: Sequence[str]) -> npt.NDArray[np.float32]:
        """Sentence vectors, (n, d) float32."""
        rows = self._module.encode(check_sentences(sentences), show_progress_bar=False)
        return np.asarray(rows, np.float32)
