"""Models of MTEB as encoders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import check_sentences


class FromMteb:
    """An encoder of MTEB 2, ``mteb.get_model(NAME)``, called as the task STSBenchmark calls it."""

    def __init__(self, model: Any) -> None:
        with extra("mteb", "compare"):
            import mteb
            from datasets import Dataset
            from torch.utils.data import DataLoader
        self.model = model
        self._loader: Any = lambda texts: DataLoader(
            Dataset.from_dict({"text": texts}), batch_size=32
        )
        self._task: Any = mteb.get_task("STSBenchmark").metadata

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return sentence vectors, (n, d) float32."""
        texts = check_sentences(sentences)
        if not texts:
            return np.empty((0, 0), np.float32)
        rows = self.model.encode(
            self._loader(texts), task_metadata=self._task, hf_split="test", hf_subset="default"
        )
        return np.asarray(
            rows.detach().cpu().float() if hasattr(rows, "detach") else rows, np.float32
        )
