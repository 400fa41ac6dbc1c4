"""Fine-tuning a sentence-transformers model on rated pairs (extra ``train``), for the comparison
with role weights.

The library's own trainer does the work; the splits are those of the regressors, so that both are
measured on the same pairs (Fodor, De Deyne & Suzuki 2024, Figure 7). ``cosine`` is the squared
error of the cosine (Reimers & Gurevych 2019), ``cosent`` ranks the pairs of a batch by it.
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
    """How a transformer is fine-tuned, for ``steps`` at most; ``device`` is cpu or cuda.

    The learning rate rises over the first share ``warmup`` of the steps and falls to 0 from there.

    >>> FineTuning(epochs=4, warmup=0.1).batch_size
    16
    """

    loss: str = "cosine"
    epochs: int = 1
    steps: int | None = None
    batch_size: int = 16
    learning_rate: float = 2e-5
    seed: int = 0
    device: str | None = None
    warmup: float = 0.0

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise UnknownNameError("loss", self.loss, LOSSES)
        for name in ("epochs", "batch_size") + (("steps",) if self.steps is not None else ()):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        if not 0 <= self.warmup <= 1:
            raise InputError(f"warm-up is a share of the steps, from 0 to 1, got {self.warmup!r}")
        if not self.learning_rate > 0:
            raise InputError(f"the learning rate is above 0, got {self.learning_rate!r}")


PUBLISHED = FineTuning(epochs=4, warmup=0.1)
"""As Fodor, De Deyne & Suzuki 2024 fine-tune all-mpnet-base-v2: four epochs in batches of 16, by
the squared error of the cosine, with a tenth of the steps to warm up.
"""


def fine_tune(
    model: str,
    data: TrainingPairs,
    rows: Sequence[int] | IntArray | None = None,
    settings: FineTuning | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Any:
    """The ``SentenceTransformer`` fine-tuned on rated pairs.

    ``encoder="transformer:OUTPUT"`` uses the result. The random numbers of the process are as
    before afterwards.

    Args:
        model: A name of the hub, or a folder.
        data: The pairs.
        rows: Which pairs; all if None.
        settings: Of the fine-tuning.
        output: A folder to save the result in.
    """
    settings = settings or FineTuning()
    with extra("sentence-transformers' trainer", "train"):
        import accelerate  # noqa: F401  the trainer needs it, and says so only when it runs
        import sentence_transformers as library
        from datasets import Dataset
        from sentence_transformers.sentence_transformer import losses
        from transformers import PrinterCallback
    chosen = np.arange(len(data.pairs)) if rows is None else np.asarray(rows, np.int64)
    if not len(chosen):
        raise InputError("there is no pair to fine-tune on")
    first, second = zip(*(data.pairs[row] for row in chosen.tolist()), strict=True)
    pairs = Dataset.from_dict(
        {
            "sentence1": list(first),
            "sentence2": list(second),
            "score": data.ratings[chosen].tolist(),
        }
    )
    with _own_random_numbers(), tempfile.TemporaryDirectory() as work:
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
            warmup_steps=math.ceil(settings.warmup * _steps(settings, len(chosen))),
            learning_rate=settings.learning_rate,
            seed=settings.seed,
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


def _steps(settings: FineTuning, rows: int) -> int:
    return settings.steps or settings.epochs * math.ceil(rows / settings.batch_size)


def held_out_cosines(
    model: str, data: TrainingPairs, folds: Sequence[Fold], settings: FineTuning | None = None
) -> Float64Array:
    """The cosine of each pair by a model fine-tuned on the other side of a fold, (n,).

    NaN where no fold tests the pair.

    Args:
        model: A name of the hub, or a folder.
        data: The pairs.
        folds: The rows that are trained and tested on.
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
def _own_random_numbers() -> Iterator[None]:
    """Keep the process's generators as they are: the trainer seeds them all."""
    import torch

    python, legacy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(legacy)
