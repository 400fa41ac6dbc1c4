"""Sentences that nobody annotated, which several recipes read."""

from __future__ import annotations

from pathlib import Path

from hybridsem.tables import read_pairs

__all__ = ["cells", "plain_texts"]


def plain_texts(data: Path) -> dict[str, list[str]]:
    """The sentences of STSb train, SNLI dev and WikiSplit, in the order of the files.

    Args:
        data: The folder with ``sts``, ``analogies`` and ``setops``.
    """
    pairs = read_pairs(data / "sts/stsb-en-train.csv")
    return {
        "STSb train": [text for pair in pairs for text in (pair.text1, pair.text2)],
        "SNLI dev": cells(data / "analogies/snli-dev.tsv", 2),
        "WikiSplit": cells(data / "setops/wikisplit-validation.tsv", 3),
    }


def cells(file: Path, count: int) -> list[str]:
    """The first columns of a file with tabs, row by row, without its head."""
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    return [text for row in rows for text in row.split("\t")[:count]]
