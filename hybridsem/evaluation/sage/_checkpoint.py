"""Finished parts of a long run in ``finished.sqlite``, by name and everything they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np

from hybridsem import __version__
from hybridsem._utils.contents import code_hash
from hybridsem._utils.store import Store, key_of
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import EvaluatedModel

TABLE = "parts"

ASKED = (
    "The dog chased the cat through the garden.",
    "A man who sings is heard by nobody.",
    "Prices fell by 3 % in 1999.",
)
"""Sentences whose scores identify a model that has only a type."""


def model_fingerprint(tested: EvaluatedModel) -> str | None:
    """Return a hash of a model's answers to three digits; None if names and files identify it."""
    pipeline = getattr(tested, "tested", tested).pipeline  # of the wrapped model, if there is one
    if (pipeline is not None and not pipeline.unnamed) or tested.to_fit() is not None:
        return None
    try:
        if tested.compares_vectors:
            found = tested.vectors(ASKED)
        elif "scores" in tested.offers:
            found = tested.scores([(one, other) for one in ASKED for other in ASKED])
        else:  # numbers of a file, which has a hash
            return None
    except Exception:  # a user's model may raise anything
        return None
    rounded = np.round(np.asarray(found, np.float64), 3) + 0.0  # no -0
    return hashlib.sha256(rounded.tobytes()).hexdigest()


class Checkpoint:
    """The finished parts of one run on data of that sha256; without a folder nothing is kept."""

    def __init__(
        self, data: str, tested: EvaluatedModel, settings: Settings, /, **about: Any
    ) -> None:
        self.file = None if settings.work is None else settings.work / "finished.sqlite"
        model = None if self.file is None else model_fingerprint(tested)
        about |= {"hybridsem": __version__, "code": code_hash(), "data": data}
        about |= {"seed": settings.seed, "model": tested.describe(), "answers": model}
        self.about = json.dumps(about, sort_keys=True, default=str)

    def get(self, name: str) -> dict[str, Any]:
        """Return a part; empty if it is absent or damaged."""
        key = key_of(self.about, name)
        if self.file is None:
            return {}
        with closing(Store(self.file, [TABLE])) as store:
            found = store.get(TABLE, [key])
        return dict(json.loads(found[key])) if key in found else {}

    def keep(self, name: str, part: Mapping[str, Any]) -> None:
        """Keep a part; it is on disk when this returns."""
        if self.file is not None:
            with closing(Store(self.file, [TABLE], synced=True)) as store:
                content = json.dumps(part, allow_nan=False).encode()
                store.put(TABLE, {key_of(self.about, name): content})
