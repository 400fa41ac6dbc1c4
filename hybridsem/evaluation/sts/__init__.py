"""Sentence similarity against human ratings."""

from __future__ import annotations

from hybridsem._utils.moved import moved_names

__getattr__ = moved_names(
    __name__,
    dict.fromkeys(
        ("ADVERSARIAL", "ALL", "GAP", "NEGATIVES", "NON_ADVERSARIAL", "TASKS"),
        "hybridsem.evaluation.sts.task",
    ),
)
