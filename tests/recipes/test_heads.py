"""The recipes of the parser's and the roles' heads: graphs in 8 bit give what the modules do."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from hybridsem._utils.onnx import session
from hybridsem._utils.weights import FOLDER
from hybridsem.parsers.trees.embedded import OUTPUTS
from models.fit import Tops
from models.parser.export import build, build_labels
from models.parser.model import Parser
from models.roles.batches import Batch
from models.roles.data import RELATIONS, TAGS
from models.roles.export import arguments_graph, words_graph
from models.roles.model import Model, Settings

LENGTH, SENTENCES, STATES = 7, 5, 256


def alike(one: Any, two: Any) -> float:
    """The cosine of all values."""
    a, b = (np.asarray(each, np.float64).ravel() for each in (one, two))
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def stirred(model: Any) -> Any:
    """The module with every weight other than it began, as training leaves it."""
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.05 * torch.randn_like(weight)
    return model.eval()


def arrays(named: Any) -> dict[str, np.ndarray]:
    return {name: value.numpy() for name, value in named.items()}


def products(graph: Any) -> Iterator[np.ndarray]:
    """The 8-bit weights (inputs, outputs) of the products of a graph and of its branches."""
    stored = {one.name: one for one in graph.initializer}
    for node in graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            yield onnx.numpy_helper.to_array(stored[node.input[1]])
        for attribute in node.attribute:
            yield from products(attribute.g)


@pytest.mark.parametrize("file", ["encoder", "parser", "roles", "arguments"])
def test_no_product_saturates(file: str) -> None:
    """Without VNNI, neighbouring inputs of at most 255 are added up in 16 bits."""
    weights = list(products(onnx.load(FOLDER / f"{file}.onnx").graph))
    assert weights
    for weight in weights:
        pairs = np.pad(weight.astype(int), ((0, len(weight) % 2), (0, 0)))
        for sign in (1, -1):
            of_sign = np.maximum(sign * pairs, 0)
            assert 255 * (of_sign[::2] + of_sign[1::2]).max() < 1 << 15


def test_the_parser_in_8_bit() -> None:
    torch.manual_seed(0)
    parser = stirred(Parser(17, 51))
    words = torch.randn(SENTENCES, LENGTH, 384)
    shapes, suffixes = torch.randint(9, words.shape[:2]), torch.randint(4096, words.shape[:2])
    given = {"words": words, "shapes": shapes, "suffixes": suffixes}
    possible = torch.zeros(SENTENCES, LENGTH, LENGTH + 1, dtype=torch.bool)
    batch = given | {"mask": torch.ones(words.shape[:2], dtype=torch.bool), "impossible": possible}
    tops = Tops(parser)
    with torch.no_grad():
        tags, arcs, dep, head = parser(batch)
        states = parser.states(batch)
        heads = arcs.argmax(-1)
        labels = parser.labels(dep, head, heads)
    weights = arrays(parser.state_dict())
    graph = session(build(weights, tops.close()).SerializeToString())
    feeds = {name: value.numpy() for name, value in given.items()}
    found = dict(zip(OUTPUTS, graph.run(OUTPUTS, feeds), strict=True))
    assert alike(found["states"], states) > 0.998
    assert alike(found["arcs"], arcs) > 0.998
    assert (found["tags"] == tags.argmax(-1).numpy()).mean() > 0.9
    chosen = found["label_head"][np.arange(SENTENCES)[:, None], heads.numpy()]
    sides = {"dep": found["label_dep"].reshape(-1, 128), "head": chosen.reshape(-1, 128)}
    (relations,) = session(build_labels(weights).SerializeToString()).run(None, sides)
    assert (relations == labels.argmax(-1).numpy().ravel()).mean() > 0.9
    for row in range(SENTENCES):  # each alone as in the batch, to the bit
        alone = graph.run(OUTPUTS, {name: value[row : row + 1] for name, value in feeds.items()})
        for name, value in zip(OUTPUTS, alone, strict=True):
            np.testing.assert_array_equal(value[0], found[name][row])


def test_the_roles_in_8_bit() -> None:
    torch.manual_seed(0)
    model = stirred(Model(36, 20, roles=7, states=STATES, frame=54, settings=Settings()))
    n, predicates, pairs = SENTENCES * LENGTH, 4, 22
    highest = {"tags": len(TAGS), "relations": len(RELATIONS), "marker": 512, "shapes": 9}
    whole = {name: torch.randint(high, (n,)) for name, high in highest.items()}
    floats = {
        "words": torch.randn(n, 384),
        "states": torch.randn(n, STATES),
        "below": (torch.rand(n, len(RELATIONS)) < 0.1).float(),
        "prior": torch.rand(n, 3),
    }
    of_pairs = {
        "path": torch.randint(4096, (pairs,)),
        "reach": torch.randint(9, (pairs,)),
        "far": torch.randint(16, (pairs,)),
    }
    number = torch.arange(predicates).repeat_interleave(pairs // predicates + 1)[:pairs]
    word, where = torch.randint(n, (pairs,)), torch.randint(n, (predicates,))
    sense, frame = torch.randn(predicates, 48) * 0.1, torch.rand(predicates, 54)
    others = dict.fromkeys(Batch.__dataclass_fields__, torch.zeros(0))
    batch = Batch(**others | whole | floats | of_pairs | {
        "lengths": [LENGTH] * SENTENCES, "predicates": where, "pair_word": word,
        "pair_predicate": number, "frame": frame})  # fmt: skip
    tops = Tops(model)
    with torch.no_grad():
        hidden = model.words(batch)
        odds = model.predicates(hidden, batch)
        queries = model.to_sense(hidden)
        labels, roles = (scores.softmax(-1) for scores in model.pairs(hidden, batch, sense))
    weights, top = arrays(model.state_dict()), tops.close()
    words = session(words_graph(weights, top).SerializeToString())
    grid = {
        name: value.reshape(SENTENCES, LENGTH, *value.shape[1:]).numpy()
        for name, value in (whole | floats).items()
    }
    found, left, query, predicate = words.run(["hidden", "left", "query", "predicate"], grid)
    assert found.dtype == np.uint8
    assert alike(query, queries) > 0.998
    assert alike(predicate, odds) > 0.998
    given = {"left": left[word], "hidden": found[where], "sense": sense.numpy()}
    given |= {"frame": frame.numpy(), "predicate": number.numpy()}
    given |= {name: value.numpy() for name, value in of_pairs.items()}
    arguments = session(arguments_graph(weights, top).SerializeToString())
    found_labels, found_roles = arguments.run(["labels", "roles"], given)
    assert alike(found_labels, labels) > 0.998
    assert alike(found_roles, roles) > 0.998
