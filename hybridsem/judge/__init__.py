"""The relation between two sentences: labels, their probabilities and the reasons.

labels.py       same, entails, entailed, differs, contradicts, unrelated; what decides
contexts.py     a sentence as natural logic reads it: quantifiers, negations, contexts of each word
relations.py    the relations of words and of quantifiers
rules.py        the rows of english/rules: contexts and relations
alignment.py    the tokens of two trees; derivation.py the edits with their relations, joined
norms.py        limits of what one must or may do, and kinds
reference.py    what refers to the same thing in both
features.py     how two sentences compare, side by side and in either direction
model.py        from features to the probability of each label
verdict.py      what a derivation makes of these probabilities; bounds.py what the wording does
reasons.py      the edits that support a label; wordings.py in words; quoting.py quotations
judgement.py    all of it for the pairs of a batch
"""

from __future__ import annotations

from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Assume, Basis, Label

__all__ = ["LABELS", "Assume", "Basis", "Judgement", "Label"]
