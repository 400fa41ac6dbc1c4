"""Goel, Lee & Ramchandran 2025, SAGE."""

from __future__ import annotations

from benchmarks.reproduction.tables import Reproduction

__all__ = ["TABLES"]

TABLES: tuple[Reproduction, ...] = (
    Reproduction("sage-table1-overall"),
    Reproduction("sage-table2-preference-comparisons"),
    Reproduction("sage-table3-preference-ratings"),
    Reproduction("sage-table4-robustness"),
    Reproduction("sage-table5-sensitivity-insertion"),
    Reproduction("sage-table6-sensitivity-removal"),
)
