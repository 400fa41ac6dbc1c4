"""What two sentences are to each other, and what a score means on one's own data.

labels.py       same, entails, entailed, differs, contradicts, unrelated
polarity.py     the direction of every word of a tree; signatures.py of verbs and adjectives
relations.py    natural logic: relations of words, quantifiers and edits
alignment.py    the tokens of two trees; derivation.py the edits that this leaves, joined
features.py     how two sentences compare, side by side and in either direction
model.py        from features to the probability of each label
verdict.py      what a derivation makes of these probabilities
reasons.py      the edits that support a label; wordings.py in words; quoting.py quotations
judgement.py    all of it for the pairs of a batch
calibration.py  probabilities and a threshold from own pairs, as a pipeline uses them
"""

from __future__ import annotations

from hybridsem.judge.calibration import Calibration, Decision, read_calibration
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Label

__all__ = ["LABELS", "Calibration", "Decision", "Judgement", "Label", "read_calibration"]
