"""all-mpnet-base-v2 fine-tuned on rated pairs, beside the similarities of STS3k's release.

    python -m benchmarks.fine_tuning --data ../shared/data [--splits adversarial folds stsb]

With the published settings (four epochs, warm-up), in bfloat16, on a GPU where there is one. A fold
takes four minutes of one core. The weights come from the hub or its cache, the trainer from
sentence-transformers (dependency group ``compare``). The loss ``cosine`` is the squared error of
the cosine (Reimers & Gurevych 2019); ``cosent`` ranks the pairs of a batch by it.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.datasets.splits import Fold, kfold
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL
from hybridsem.embeddings import _hub
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.tables import read_pairs

if TYPE_CHECKING:
    from hybridsem.training.dataset import TrainingPairs

ROOT = Path(__file__).parents[1]
MODEL = "sentence-transformers/all-mpnet-base-v2"
RELEASED = {
    "adversarial": "sentbert_mpnet_ft_adversarial_4_epochs",
    "folds": "sentbert_mpnet_ft_10fold_4_epochs",
    "stsb": "sentbert_ft_STSb_trainset_4_epochs",
}
"""The release's similarities; with ``_norml``, of standardised vectors."""


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
    import sentence_transformers as library
    from datasets import Dataset
    from sentence_transformers.sentence_transformer import losses
    from transformers import PrinterCallback

    settings = settings or FineTuning()
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


def splits(name: str, data: Path) -> Iterator[tuple[TrainingPairs, Fold]]:
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


def cosines(vectors: Float64Array, pairs: IntArray) -> Float64Array:
    """Return the cosines of pairs of rows, (n,)."""
    first, second = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True))[pairs.T]
    return np.einsum("nd,nd->n", first, second)


def scores(name: str, pairs: Sequence[tuple[str, str]], data: Path) -> list[Float64Array]:
    """The cosines of held-out pairs, of vectors as they are and standardised, (n,) each."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    row = {text: i for i, text in enumerate(texts)}
    ends = np.array([[row[text] for text in pair] for pair in pairs])
    found = [np.full(len(pairs), np.nan) for _ in range(2)]
    for learned, (rows, tested) in splits(name, data):
        model = fine_tune(MODEL, learned, rows, PUBLISHED)
        vectors = np.asarray(model.encode(texts, show_progress_bar=False), float)
        scaled = (vectors - vectors.mean(0)) / vectors.std(0)
        for of_all, some in zip(found, (vectors, scaled), strict=True):
            of_all[tested] = cosines(some, ends[tested])
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--splits", nargs="+", choices=RELEASED, default=list(RELEASED))
    options = parser.parse_args(arguments)
    from benchmarks.reproduction.fodor import release, released, rho

    here = release(options.data)
    for name in options.splits:
        plain, standardised = scores(name, here.pairs, options.data)
        rows = {"fine-tuned": plain, "fine-tuned, standardised": standardised}
        for kind, suffix in {"release": "", "release, standardised": "_norml"}.items():
            try:
                rows[kind] = released(options.data, RELEASED[name] + suffix)
            except FileNotFoundError:
                continue
        for kind, found in rows.items():
            figures = (
                f"{group} {rho(found[of_group], here.gold[of_group]):.3f}"
                for group in ("all", NON_ADVERSARIAL, ADVERSARIAL)
                for of_group in [here.groups[group]]
            )
            print(f"{name:<12} {kind:<26}", *figures, flush=True)


if __name__ == "__main__":
    main()
