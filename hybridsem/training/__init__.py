"""Learning role weights from rated pairs (extra ``train``)."""

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
