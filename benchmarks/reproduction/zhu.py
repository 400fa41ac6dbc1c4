"""Zhu & de Melo 2020, sentence analogies."""

from __future__ import annotations

from benchmarks.reproduction.tables import Reproduction

__all__ = ["TABLES"]

TABLES: tuple[Reproduction, ...] = (
    Reproduction("zhu-table3-sizes"),
    Reproduction("zhu-table4-lexical"),
    Reproduction("zhu-table5-semantic"),
    Reproduction("zhu-table5-syntactic"),
    Reproduction("zhu-figure2-3cosadd"),
    Reproduction("zhu-figure2-3cosmul"),
)
