"""Fodor, De Deyne & Suzuki 2024, and the figures of their release."""

from __future__ import annotations

from benchmarks.reproduction.tables import Reproduction

__all__ = ["TABLES"]

TABLES: tuple[Reproduction, ...] = (
    Reproduction("fodor-table5"),
    Reproduction("fodor-table7"),
    Reproduction("fodor-table8"),
    Reproduction("fodor-table9"),
    Reproduction("fodor-table10"),
    Reproduction("fodor-table11"),
    Reproduction("fodor-text"),
    Reproduction("release-figure8-means"),
    Reproduction("release-figure9-modifiers"),
    Reproduction("release-figure6-pca8"),
    Reproduction("release-figure11-no-pca"),
    Reproduction("release-sentbert-finetuned"),
)
