"""Modality and negation as AMR: "must not swim"."""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft

__all__ = ["put_modality_above"]


def put_modality_above(
    draft: Draft, i: int, below: Sequence[int], core: int, top: int | None = None
) -> int:
    """Put modality and negation above a predicate.

    Args:
        draft: The draft.
        i: The predicate's word.
        below: The words that hang from it, those with its auxiliaries and negators.
        core: The predicate's node.
        top: The node above it if there is one already, a degree or a modality.

    Returns:
        The node of the clause.
    """
    words, graph = draft.words, draft.graph
    top = core if top is None else top
    auxiliaries = [words.lower[c] for c in below if words.base[c] == "aux"]
    modal = next((tables.MODALS[aux] for aux in auxiliaries if aux in tables.MODALS), None)
    carrier = core
    if modal is not None:
        concept, role = modal
        top = draft.put_above(top, concept, role)
        if concept == "possible-01":
            carrier = top
    negators = [words.lower[c] for c in below if words.is_negator(c)]
    if negators:
        graph.value(carrier, "polarity", "-")
        if "never" in negators:
            graph.edge(core, "time", graph.node("ever"))
    if "let" in auxiliaries:
        graph.value(top, "mode", "imperative")
    draft.top[i] = top
    return top
