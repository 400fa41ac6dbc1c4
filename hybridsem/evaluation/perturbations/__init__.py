"""Changes of a text by name: superficial ones, those of its meaning, padding, gaps (SAGE, app. A).

    PERTURBATIONS["word-shuffle"](text, seed=0)     -> the changed text
    insertion(0.3, 0.5, filler="…")(text)           one of your own measure

A perturbation is a pure function of text and seed: what it draws depends on these two and its own
name, not on other texts, their order, or the machine. A text that it finds nothing to change in
comes back as it is.

    characters   what a reader sees as one: a letter with its accents, an emoji with its skin tone
    words        what stands between blanks; every Chinese or Japanese character is a word
    sentences    by closing marks and blank lines

Blanks between words and sentences stay in their places when these are shuffled.
"""

from hybridsem.evaluation.perturbations.definition import Perturbation, insertion, removal
from hybridsem.evaluation.perturbations.registry import (
    EXACT,
    INSERTIONS,
    PERTURBATIONS,
    REMOVALS,
    RETRIEVAL,
    SEMANTIC,
    SUPERFICIAL,
    perturbation,
)

__all__ = [
    "EXACT",
    "INSERTIONS",
    "PERTURBATIONS",
    "REMOVALS",
    "RETRIEVAL",
    "SEMANTIC",
    "SUPERFICIAL",
    "Perturbation",
    "insertion",
    "perturbation",
    "removal",
]
