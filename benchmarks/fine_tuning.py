"""all-mpnet-base-v2 fine-tuned on rated pairs, beside the similarities of STS3k's release.

    python -m benchmarks.fine_tuning --data ../shared/data [--splits adversarial folds stsb]

With the published settings (four epochs, warm-up), in bfloat16, on a GPU where there is one. A fold
takes four minutes of one core. The weights come from the hub or its cache, the trainer from
sentence-transformers (dependency group ``compare``). The loss ``cosine`` is the squared error of
the cosine (Reimers & Gurevych 2019); ``cosent`` ranks the pairs of a batch by it.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from benchmarks.command import DATA, run
from hybridsem._typing import Float64Array, IntArray
from hybridsem.datasets.splits import Fold, kfold
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL
from hybridsem.embeddings import _hub
from hybridsem.embeddings.embedded import normalised
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.model import distinct_texts
from hybridsem.tables import read_pairs

if TYPE_CHECKING:
    from hybridsem.training.dataset import TrainingPairs

MODEL = "sentence-transformers/all-mpnet-base-v2"
RELEASED = {
    "adversarial": "sentbert_mpnet_ft_adversarial_4_epochs",
    "folds": "sentbert_mpnet_ft_10fold_4_epochs",
    "stsb": "sentbert_ft_STSb_trainset_4_epochs",
}
"""The release's similarities; with ``_norml``, of standardised vectors."""


LOSSES = {"cosine": "CosineSimilarityLoss", "cosent": "CoSENTLoss"}


PUBLISHED: dict[str, Any] = {"num_train_epochs": 4, "warmup": 0.1, "bf16": True}
"""The settings of Fodor, De Deyne & Suzuki 2024 for all-mpnet-base-v2."""
DEFAULTS: dict[str, Any] = {"num_train_epochs": 1, "per_device_train_batch_size": 16, "seed": 0}
DEFAULTS |= {"learning_rate": 2e-5}
ALWAYS: dict[str, Any] = dict.fromkeys(("save_strategy", "logging_strategy"), "no")
ALWAYS |= {"dataloader_pin_memory": False, "report_to": "none", "disable_tqdm": True}


def fine_tune(
    model: str,
    data: TrainingPairs,
    rows: Sequence[int] | IntArray | None = None,
    loss: str = "cosine",
    output: str | os.PathLike[str] | None = None,
    warmup: float = 0.0,
    **settings: Any,
) -> Any:
    """Return the ``SentenceTransformer`` fine-tuned on rated pairs, for one epoch by default.

    ``encoder="transformer:OUTPUT"`` uses the saved model. The state of global random number
    generators is restored.

    Args:
        model: A name on the hub, or a folder.
        data: The pairs.
        rows: The pairs to train on (default: all).
        loss: ``cosine`` or ``cosent``.
        output: A folder to save the model in.
        warmup: The share of the steps over which the learning rate rises; then it falls to 0.
        settings: Of ``SentenceTransformerTrainingArguments``.
    """
    import sentence_transformers as library
    from sentence_transformers.sentence_transformer import losses
    from transformers import PrinterCallback

    if loss not in LOSSES:
        raise UnknownNameError("loss", loss, LOSSES)
    pairs = _dataset(data, np.arange(len(data.pairs)) if rows is None else rows)
    settings = DEFAULTS | settings
    epoch = math.ceil(len(pairs) / settings["per_device_train_batch_size"])
    steps = settings.get("max_steps") or settings["num_train_epochs"] * epoch
    with _restored_generators(), tempfile.TemporaryDirectory() as work:
        device = "cpu" if settings.get("use_cpu") else None
        with _hub.loading(model) as options:
            options |= {"device": device, "model_kwargs": {"use_safetensors": True}}
            tuned = library.SentenceTransformer(_hub.locate(model), **options)
        settings |= ALWAYS | {"use_cpu": tuned.device.type == "cpu"}
        settings |= {"warmup_steps": math.ceil(warmup * steps)}
        arguments = library.SentenceTransformerTrainingArguments(output_dir=work, **settings)
        goal = getattr(losses, LOSSES[loss])(tuned)
        trainer = library.SentenceTransformerTrainer(
            model=tuned, args=arguments, train_dataset=pairs, loss=goal
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        tuned.eval()
        if output is not None:
            tuned.save_pretrained(str(output), safe_serialization=True)
    return tuned


def _dataset(data: TrainingPairs, rows: Sequence[int] | IntArray) -> Any:
    from datasets import Dataset

    chosen = np.asarray(rows, np.int64)
    if not len(chosen):
        raise InputError("there is no pair to fine-tune on")
    first, second = zip(*(data.pairs[row] for row in chosen.tolist()), strict=True)
    columns = {"sentence1": list(first), "sentence2": list(second)}
    return Dataset.from_dict(columns | {"score": data.ratings[chosen].tolist()})


def held_out_cosines(
    model: str, data: TrainingPairs, folds: Sequence[Fold], **settings: Any
) -> Float64Array:
    """Return the cosine of each pair by a model fine-tuned on the training rows of its fold, (n,).

    It is NaN for a pair that no fold tests.

    Args:
        model: A name on the hub, or a folder.
        data: The pairs.
        folds: The training and test rows.
        settings: Of :func:`fine_tune`.
    """
    return _held_out(data.pairs, ((data, fold) for fold in folds), model, **settings)[0]


def _held_out(
    pairs: Sequence[tuple[str, str]],
    learned: Iterable[tuple[TrainingPairs, Fold]],
    model: str,
    **settings: Any,
) -> tuple[Float64Array, Float64Array]:
    """Return the cosines of held-out pairs, of vectors as they are and standardised, (n,) each."""
    texts, ends = distinct_texts(pairs)
    plain, scaled = np.full((2, len(pairs)), np.nan)
    for data, (rows, tested) in learned:
        tuned = fine_tune(model, data, rows, **settings)
        vectors = np.asarray(tuned.encode(texts, show_progress_bar=False), float)
        deviations = (vectors - vectors.mean(0)) / vectors.std(0)
        for found, some in ((plain, vectors), (scaled, deviations)):
            first, second = (normalised(some)[end[tested]] for end in ends)
            found[tested] = np.clip(np.einsum("nd,nd->n", first, second), -1, 1)
    return plain, scaled


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


def learned(name: str, data: Path) -> Iterator[tuple[TrainingPairs, Fold]]:
    """The pairs, those that are trained on, and the rows of the release that are scored then."""
    from benchmarks.reproduction.fodor import release
    from hybridsem.training.dataset import rated

    here = release(data)
    rows = np.arange(len(here.pairs))
    if name == "stsb":
        pairs = rated(read_pairs(data / "sts/stsb-en-train.csv"))
        yield pairs, (np.arange(len(pairs.pairs)), rows)
        return
    pairs = rated([(*pair, rating) for pair, rating in zip(here.pairs, here.gold, strict=True)])
    for fold in kfold(len(rows)) if name == "folds" else [(here.groups[NON_ADVERSARIAL], rows)]:
        yield pairs, fold


def main(data: Path = DATA, splits: Annotated[Sequence[str], RELEASED] = tuple(RELEASED)) -> None:
    from benchmarks.reproduction.fodor import release, released, rho

    here = release(data)
    for name in splits:
        plain, standardised = _held_out(here.pairs, learned(name, data), MODEL, **PUBLISHED)
        rows = {"fine-tuned": plain, "fine-tuned, standardised": standardised}
        for kind, suffix in {"release": "", "release, standardised": "_norml"}.items():
            with contextlib.suppress(FileNotFoundError):
                rows[kind] = released(data, RELEASED[name] + suffix)
        for kind, found in rows.items():
            figures = (
                f"{group} {rho(found[of_group], here.gold[of_group]):.3f}"
                for group in ("all", NON_ADVERSARIAL, ADVERSARIAL)
                for of_group in [here.groups[group]]
            )
            print(f"{name:<12} {kind:<26}", *figures, flush=True)


if __name__ == "__main__":
    run(main)
