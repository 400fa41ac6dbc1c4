"""What a long run has done so far, kept in a folder: a file for each part, whole or absent.

    FOLDER/KEY/about.json       what the parts depend on
    FOLDER/KEY/NAME.json        the part of that name

The key is a hash of all that the parts depend on: another model, other data or settings have
another folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import reason, saving
from hybridsem.errors import InputError

__all__ = ["Work"]


class Work:
    """The parts of one run; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, about: Mapping[str, Any]) -> None:
        written = json.dumps(about, sort_keys=True, indent=1, default=str)
        self.folder = folder and folder / hashlib.sha256(written.encode()).hexdigest()[:16]
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(
                    f"cannot make the work folder, got {str(folder)!r}: {reason(error)}"
                ) from error
            self._write("about", written)

    def get(self, name: str) -> dict[str, Any]:
        """A part; empty where it has not been kept, or not whole."""
        if self.folder is None:
            return {}
        try:
            found = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def keep(self, name: str, part: Mapping[str, Any]) -> None:
        """Keep a part; it is on disk when this returns."""
        if self.folder is not None:
            self._write(name, json.dumps(part, allow_nan=False))

    def _write(self, name: str, text: str) -> None:
        if self.folder is not None:
            with saving(self.folder / f"{name}.json", "the finished part") as part:
                part.write_text(text + "\n", encoding="utf-8")
