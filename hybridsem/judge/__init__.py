"""The relation between two sentences: labels, their probabilities and the reasons.

labels.py       same, entails, entailed, differs, contradicts, unrelated
polarity.py     the direction of each word of a tree; signatures.py of verbs and adjectives
relations.py    natural logic: relations of words, quantifiers and edits
alignment.py    the tokens of two trees; derivation.py the edits that this leaves, joined
features.py     how two sentences compare, side by side and in either direction
model.py        from features to the probability of each label
verdict.py      what a derivation makes of these probabilities
reasons.py      the edits that support a label; wordings.py in words; quoting.py quotations
judgement.py    all of it for the pairs of a batch
"""

from __future__ import annotations

from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Label

__all__ = ["LABELS", "Judgement", "Label"]
