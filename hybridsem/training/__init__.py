"""Learning role weights from rated pairs (extra ``train``).

dataset.py      rated pairs, checked; their features, cached
regressors.py   linear, ridge, mlp, boosting, as scikit-learn estimators
run.py          held-out predictions, the final fit, the weights file
probe.py        minimal pairs before and after a fit
"""

from __future__ import annotations

from hybridsem.datasets.splits import split
from hybridsem.training.dataset import TrainingPairs, extract, rated
from hybridsem.training.regressors import RoleBoosting, RoleNetwork, RoleRidge, RoleWeights
from hybridsem.training.run import Trained, held_out, train

__all__ = [
    "RoleBoosting",
    "RoleNetwork",
    "RoleRidge",
    "RoleWeights",
    "Trained",
    "TrainingPairs",
    "extract",
    "held_out",
    "rated",
    "split",
    "train",
]
