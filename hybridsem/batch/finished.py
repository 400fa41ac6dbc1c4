"""What finished outputs were made from, kept in the cache folder: so that a run that is to go on
and has nothing left to do can say so.

    CACHE/finished/….json   the output's path and stamp, what its run depended on, its report

Where it cannot be written, or was removed, nothing is known of the output.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybridsem._utils.contents import keep, kept, sealed, shown, unsealed
from hybridsem.assets import cache_folder

__all__ = ["note", "report_of"]


def note(out: Path, settings: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Keep what an output was made from.

    Args:
        out: The output.
        settings: What its run depended on.
        report: What became of it.
    """
    keep(_folder(), os.path.abspath(out), _about(out, settings) | {"report": dict(report)})


def report_of(out: Path, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """The report of the run that has made an output of these settings, which is unchanged; None
    where that is not known.
    """
    found = kept(_folder(), os.path.abspath(out))
    if not isinstance(found, dict):
        return None
    report = found.pop("report", None)
    wanted = unsealed(sealed(_about(out, settings)))
    return report if isinstance(report, dict) and found == wanted else None


def _folder() -> Path:
    return cache_folder() / "finished"


def _stamp(out: Path) -> list[int] | None:
    """Its size and time: a name of it that goes changes all else."""
    try:
        found = out.stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def _about(out: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    path = shown(os.path.abspath(out))
    return {"output": path, "stamp": _stamp(out), "settings": dict(settings)}
