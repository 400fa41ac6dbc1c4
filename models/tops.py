"""The largest values that go into a model's layers, which the steps of its 8-bit levels are made of
(:func:`models.graph.steps`).
"""

from __future__ import annotations

import torch
from torch import nn

from models.encoder.build import LAYERS
from models.graph import Weights

PARTS = {"": "input", ".attended": "attended", ".up": "between", ".down": "inner"}
"""What goes into a layer of the encoder, and into the modules of it."""


class Tops:
    """The largest input of each layer of some kinds, column by column, while it is in use.

    Args:
        model: Its layers are watched.
        kinds: The classes of those that are.
    """

    def __init__(self, model: nn.Module, *kinds: type[nn.Module]) -> None:
        self.found: dict[str, torch.Tensor] = {}
        self._hooks = [
            layer.register_forward_pre_hook(self._note(name))
            for name, layer in model.named_modules()
            if isinstance(layer, kinds or nn.Linear)
        ]

    def _note(self, name: str):
        def note(_layer: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
            top = given[0].detach().abs().flatten(0, -2).amax(0)
            self.found[name] = torch.maximum(self.found.get(name, torch.zeros_like(top)), top)

        return note

    def close(self) -> Weights:
        """Stop, and what was found, by the names of the layers."""
        for hook in self._hooks:
            hook.remove()
        return {name: top.cpu().numpy() for name, top in self.found.items()}


def by_layer(found: Weights) -> Weights:
    """What was found of the encoder's ``layers``, by the number of each layer and its parts."""
    return {
        f"encoder.layer.{number}.{part}": found[f"layers.{number}{name}"]
        for number in range(LAYERS)
        for name, part in PARTS.items()
    }
