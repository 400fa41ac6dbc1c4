"""Finished parts of a long run, kept in a folder: a file for each part, whole or absent.

    FOLDER/KEY/about.json       what the parts depend on
    FOLDER/KEY/NAME.json        the part of that name

The key is a hash of everything that the parts depend on: another model, other data, settings or
code use another folder. A part has a checksum; a damaged part is computed again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem import __version__
from hybridsem._utils.contents import code_hash, sealed, unsealed
from hybridsem._utils.disk import reason, saving
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation.model import EvaluatedModel

_LOG = logging.getLogger("hybridsem")

ASKED = (
    "The dog chased the cat through the garden.",
    "A man who sings is heard by nobody.",
    "Prices fell by 3 % in 1999.",
)
"""Sentences whose scores identify a model that has only a type."""


def model_fingerprint(tested: EvaluatedModel) -> str | None:
    """Return a hash of a model's answers to three digits. None for a model that its names and files
    identify, that is not fitted yet, or that knows only sentences of its own.
    """
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
    """The finished parts of one run; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, about: Mapping[str, Any]) -> None:
        about = {**about, "code": code_hash()}
        written = json.dumps(about, sort_keys=True, indent=1, default=str)
        self.folder = folder and folder / hashlib.sha256(written.encode()).hexdigest()[:16]
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = f"cannot make the work folder, got {str(folder)!r}: {reason(error)}"
                raise InputError(why) from error
            self._write("about", written)

    @classmethod
    def of(
        cls, data: str, tested: EvaluatedModel, settings: Settings, /, **about: Any
    ) -> Checkpoint:
        """Return the checkpoint of a model on data with this sha256. Args: the data's sha256, the
        model, the settings with the folder, and anything else that the parts depend on.
        """
        model = None if settings.work is None else model_fingerprint(tested)
        about |= {"hybridsem": __version__, "data": data, "seed": settings.seed}
        about |= {"model": tested.describe(), "answers": model}
        return cls(settings.work, about)

    def get(self, name: str) -> dict[str, Any]:
        """Return a part; empty if it is absent or damaged."""
        if self.folder is None:
            return {}
        try:
            found = unsealed((self.folder / f"{name}.json").read_bytes())
        except OSError:
            return {}
        if not isinstance(found, dict):
            _LOG.error("%s is damaged and is made again", self.folder / f"{name}.json")
            return {}
        return found

    def keep(self, name: str, part: Mapping[str, Any]) -> None:
        """Keep a part; it is on disk when this returns."""
        if self.folder is not None:
            self._write(name, sealed(part).rstrip())

    def _write(self, name: str, text: str) -> None:
        if self.folder is not None:
            with saving(self.folder / f"{name}.json", "the finished part") as part:
                part.write_text(text + "\n", encoding="utf-8")
