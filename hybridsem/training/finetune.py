"""Fine-tuning a sentence-transformers model on rated pairs (extra ``train``), for comparison.

The library's trainer does the work, on the splits of the regressors (Fodor, De Deyne & Suzuki 2024,
Figure 7). The loss ``cosine`` is the squared error of the cosine (Reimers & Gurevych 2019);
``cosent`` ranks the pairs of a batch by it.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.extras import extra
from hybridsem.datasets.splits import Fold
from hybridsem.embeddings import _hub
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.training.dataset import TrainingPairs

LOSSES = {"cosine": "CosineSimilarityLoss", "cosent": "CoSENTLoss"}


@dataclass(frozen=True)
class FineTuning:
    """Settings of a fine-tuning; ``steps`` limits it, ``device`` is cpu or cuda. The learning rate
    rises over the share ``warmup`` of the steps, then falls to 0.
    """

    loss: str = "cosine"
    epochs: int = 1
    steps: int | None = None
    batch_size: int = 16
    learning_rate: float = 2e-5
    seed: int = 0
    device: str | None = None
    warmup: float = 0.0
    bf16: bool = False

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise UnknownNameError("loss", self.loss, LOSSES)
        for name in ("epochs", "batch_size") + (("steps",) if self.steps is not None else ()):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        if not 0 <= self.warmup <= 1:
            raise InputError(f"warmup is a share of the steps, from 0 to 1, got {self.warmup!r}")
        if not self.learning_rate > 0:
            raise InputError(f"the learning rate must be above 0, got {self.learning_rate!r}")


PUBLISHED = FineTuning(epochs=4, warmup=0.1, bf16=True)
"""The settings of Fodor, De Deyne & Suzuki 2024 for all-mpnet-base-v2."""


def fine_tune(
    model: str,
    data: TrainingPairs,
    rows: Sequence[int] | IntArray | None = None,
    settings: FineTuning | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Any:
    """Return the ``SentenceTransformer`` fine-tuned on rated pairs.

    ``encoder="transformer:OUTPUT"`` uses the saved model. The state of global random number
    generators is restored.

    Args:
        model: A name on the hub, or a folder.
        data: The pairs.
        rows: The pairs to train on (default: all).
        settings: The settings of the fine-tuning.
        output: A folder to save the model in.
    """
    settings = settings or FineTuning()
    with extra("sentence-transformers' trainer", "train"):
        import accelerate  # noqa: F401  the trainer needs it
        import sentence_transformers as library
        from datasets import Dataset
        from sentence_transformers.sentence_transformer import losses
        from transformers import PrinterCallback
    chosen = np.arange(len(data.pairs)) if rows is None else np.asarray(rows, np.int64)
    if not len(chosen):
        raise InputError("there is no pair to fine-tune on")
    first, second = zip(*(data.pairs[row] for row in chosen.tolist()), strict=True)
    columns = {"sentence1": list(first), "sentence2": list(second)}
    pairs = Dataset.from_dict(columns | {"score": data.ratings[chosen].tolist()})
    epoch = math.ceil(len(chosen) / settings.batch_size)
    steps = settings.steps or settings.epochs * epoch
    with _restored_generators(), tempfile.TemporaryDirectory() as work:
        with _hub.loading(model) as options:
            tuned = library.SentenceTransformer(
                _hub.locate(model),
                device=settings.device,
                model_kwargs={"use_safetensors": True},
                **options,
            )
        arguments = library.SentenceTransformerTrainingArguments(
            output_dir=work,
            num_train_epochs=settings.epochs,
            max_steps=settings.steps or -1,
            per_device_train_batch_size=settings.batch_size,
            warmup_steps=math.ceil(settings.warmup * steps),
            learning_rate=settings.learning_rate,
            seed=settings.seed,
            bf16=settings.bf16,
            use_cpu=tuned.device.type == "cpu",
            dataloader_pin_memory=False,
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        loss = getattr(losses, LOSSES[settings.loss])(tuned)
        trainer = library.SentenceTransformerTrainer(
            model=tuned, args=arguments, train_dataset=pairs, loss=loss
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        tuned.eval()
        if output is not None:
            tuned.save_pretrained(str(output), safe_serialization=True)
    return tuned


def held_out_cosines(
    model: str, data: TrainingPairs, folds: Sequence[Fold], settings: FineTuning | None = None
) -> Float64Array:
    """Return the cosine of each pair by a model fine-tuned on the training rows of its fold, (n,).

    It is NaN for a pair that no fold tests.

    Args:
        model: A name on the hub, or a folder.
        data: The pairs.
        folds: The training and test rows.
        settings: Of the fine-tuning.
    """
    found = np.full(len(data.pairs), np.nan)
    for rows, tested in folds:
        tuned = fine_tune(model, data, rows, settings)
        texts = list(dict.fromkeys(text for row in tested.tolist() for text in data.pairs[row]))
        at = {text: i for i, text in enumerate(texts)}
        vectors = np.asarray(
            tuned.encode(texts, normalize_embeddings=True, show_progress_bar=False), float
        )
        ends = np.array([[at[text] for text in data.pairs[row]] for row in tested.tolist()])
        found[tested] = np.clip((vectors[ends[:, 0]] * vectors[ends[:, 1]]).sum(axis=1), -1, 1)
    return found


@contextlib.contextmanager
def _restored_generators() -> Iterator[None]:
    """Restore the global generators, which the trainer seeds."""
    import torch

    python, legacy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(legacy)
