"""Put the learned upper layers into the encoder's file, in 8 bit, beside the published ones.

    python -m models.role_encoder.export --data ../shared/data --weights runs/role/all/weights.npz

The graph gets two further outputs, ``role`` (batch, 384) and ``role_last`` (batch, length, 384),
the layer that it is the mean of. They are computed from the state that the published layers share
with them, where the input ``with_role`` asks for it. Nothing that was there changes. Run
``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import onnx

from benchmarks.command import DATA, run
from models.encoder.build import (
    LAYERS,
    ROLE,
    SHARED,
    STATE,
    EncoderGraph,
    role_outputs,
    save,
    shipped_weights,
)
from models.encoder.calibrate import largest, training_texts
from models.graph import Weights
from models.recipe import SHIPPED, read


def add_layers(model: onnx.ModelProto, weights: Weights, tops: Weights) -> None:
    """Add the layers above the shared ones, or put them in place of those that are there.

    Args:
        model: The encoder's graph.
        weights: Of these layers, by their published names.
        tops: The largest values of what goes into their products.
    """
    graph = model.graph
    for part in (graph.node, graph.initializer, graph.input, graph.output):
        kept = [one for one in part if one.name not in (ROLE, f"{ROLE}_last", f"with_{ROLE}")]
        del part[:]
        part.extend(kept)
    outer = EncoderGraph()
    outer.nodes += graph.node
    outer.constants |= {one.name: one for one in graph.initializer}
    known, nodes = set(outer.constants), len(outer.nodes)
    branch, x = EncoderGraph(f"{ROLE}.", outer), STATE
    for layer in range(SHARED, LAYERS):
        x = branch.layer(f"encoder.layer.{layer}", weights, tops, x)
    branch.mean(branch.by_sentence(x, f"{ROLE}.{ROLE}_last"), f"{ROLE}.{ROLE}")
    outer.switch(ROLE, branch, {ROLE: 2, f"{ROLE}_last": 3}, on=False)
    graph.node.extend(outer.nodes[nodes:])
    graph.initializer.extend(one for name, one in outer.constants.items() if name not in known)
    bool_ = onnx.TensorProto.BOOL
    graph.input.append(onnx.helper.make_tensor_value_info(f"with_{ROLE}", bool_, [1]))
    graph.output.extend(role_outputs())


def main(
    data: Path = DATA,
    file: Path = SHIPPED / "encoder.onnx",
    *,
    weights: Annotated[Path, "of models.role_encoder.train"],
) -> None:
    model, learned = onnx.load(file), read(weights)
    tops = largest(shipped_weights() | learned, training_texts(data))
    add_layers(model, learned, tops)
    onnx.checker.check_model(model)
    save(model, file)


if __name__ == "__main__":
    run(main)
