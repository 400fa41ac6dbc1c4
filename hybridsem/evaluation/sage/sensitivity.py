"""Information sensitivity: similarity should fall by as much as a document is changed.

Filler is added to a document, 15, 50 and 100 % of its tokens, and spans are taken out, 15, 50 and
90 % of its words, each at the start, in the middle and at the end (``evaluation/perturbations``).
After a change of share p the similarity should be 1 / (1 + p); the score is 1 - the mean absolute
error over documents and changes, of ``insertion``, of ``removal``, and the mean of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import reason
from hybridsem._utils.safe_read import read_bytes
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.perturbations import EXACT, INSERTIONS, REMOVALS, Perturbation, insertion
from hybridsem.evaluation.sage.changes import Similarities, measured_over
from hybridsem.evaluation.sage.document_values import OverItems, Statistic
from hybridsem.evaluation.sage.parts import (
    CUT,
    OPTIONS,
    SCORE,
    Documents,
    Sets,
    load_documents,
    sage_task,
)
from hybridsem.evaluation.task import Measured

COMPARED = OverItems(
    {name: Statistic((name,)) for name in (SCORE, "insertion", "removal")},
    alike=("filler", "as_printed"),
)
"""How cards are compared."""


def measure(data: Sets[Documents], tested: EvaluatedModel, settings: Settings) -> Measured:
    """The scores, and mean similarities by share; documents that stay as they are take no part."""
    changes = _changes(settings)

    def forms(documents: Documents, row: int) -> list[str]:
        text = documents.texts[row]
        return [text, *(change(text) for change in changes)]

    return measured_over(
        data, tested, settings, forms, partial(closeness, changes=changes), COMPARED.tested
    )


def expected(share: float) -> float:
    """The similarity that a document should have with itself after a change of that share."""
    return 1 / (1 + share)


def closeness(found: Similarities, changes: Sequence[Perturbation]) -> dict[str, Float64Array]:
    """1 - the mean absolute error by document, of insertion, of removal and of both, from
    similarities (n, changes), and the mean similarity for each share, such as ``s(insertion 15%)``.
    NaN where a similarity is missing, and where a change left the document as it was.
    """
    values = np.where(found.unchanged, np.nan, found.values)
    shares = np.array([change.share for change in changes])
    kinds = np.array([change.kind for change in changes])
    errors = np.abs(values - np.array([expected(share) for share in shares]))
    by_kind = {
        kind: 1 - errors[:, kinds == kind].mean(axis=1) for kind in dict.fromkeys(kinds.tolist())
    }
    columns = {SCORE: np.mean(list(by_kind.values()), axis=0), **by_kind}
    for kind, share in dict.fromkeys(zip(kinds.tolist(), shares.tolist(), strict=True)):
        columns[f"s({kind} {share:.0%})"] = values[:, (kinds == kind) & (shares == share)].mean(
            axis=1
        )
    return columns


def _changes(settings: Settings) -> tuple[Perturbation, ...]:
    """With the project's own filler or the text of a file, and exact where that is asked for."""
    exact = bool(settings.options.get("as_printed"))
    found = [EXACT[one] if exact else one for one in (*INSERTIONS, *REMOVALS)]
    if (file := settings.options.get("filler")) is None:
        return tuple(found)
    try:
        text = read_bytes(file).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the filler, got {str(file)!r}: {reason(error)}") from error
    return tuple(
        insertion(one.share or 0, one.position or 0, text, exact=exact)
        if one.kind == INSERTIONS[0].kind
        else one
        for one in found
    )


FILLER = Option("filler", "a text to fill with in place of Latin words.", Path)

TASK = sage_task(
    "sage-sensitivity",
    load=load_documents,
    measure=measure,
    options=(*OPTIONS, CUT, FILLER),
    comparison=COMPARED,
)
