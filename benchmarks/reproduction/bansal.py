"""Bansal et al. 2025, set-theoretic compositionality."""

from __future__ import annotations

from benchmarks.reproduction.tables import Reproduction

__all__ = ["TABLES"]

TABLES: tuple[Reproduction, ...] = (
    Reproduction("bansal-table1-C1-cosine"),
    Reproduction("bansal-table2-C3-cosine"),
    Reproduction("bansal-table3-C4"),
    Reproduction("bansal-table12a-C1-cosine"),
    Reproduction("bansal-table12b-C1-dot"),
    Reproduction("bansal-table12c-C1-ned"),
    Reproduction("bansal-table12d-C1-l1"),
    Reproduction("bansal-table12e-C1-l2"),
    Reproduction("bansal-table13a-C1-ned"),
    Reproduction("bansal-table14a-C3-cosine"),
    Reproduction("bansal-table14b-C3-dot"),
    Reproduction("bansal-table14c-C3-ned"),
    Reproduction("bansal-table14d-C3-l1"),
    Reproduction("bansal-table14e-C3-l2"),
    Reproduction("bansal-table15a-C3-ned"),
    Reproduction("bansal-text"),
)
