"""Graphs by amrlib: a stand-in of its own interface, and its real loading over a model of random
weights.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import WORDS, tokenizer

from hybridsem import Pipeline
from hybridsem.amr import AmrGraph
from hybridsem.errors import AssetError, InputError, MissingExtraError, UnknownNameError
from hybridsem.parsers.adapters.amrlib import AmrlibGraphs
from hybridsem.structures import ParseFailure

pytest.importorskip("amrlib")

NOTATIONS = {
    "A dog barked.": "(b / bark-01\n      :ARG0 (d / dog))",
    "It rained all day and all night.": "(r / rain-01)",
    "Two lines.": "(l / line\n      :quant 2)",
    "None at all.": None,
    "An invalid one.": "()",
}


class StandIn:
    """An inference object, as far as it is used; it records its batches and cuts long texts."""

    max_sent_len = 6

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def tokenizer(self, text: str, truncation: bool) -> dict[str, list[str]]:
        return {"input_ids": text.split()}

    def parse_sents(self, sents: list[str], add_metadata: bool) -> list[str | None]:
        assert not add_metadata
        self.batches.append(sents)
        return [NOTATIONS[sentence] for sentence in sents]


def test_a_graph_or_a_reason_for_every_sentence() -> None:
    model = StandIn()
    sentences = ["A dog barked.", "None at all.", "Two\nlines.", "An invalid one.", "A dog barked."]
    one, none, two, invalid, again = AmrlibGraphs(model, batch_size=2).graphs(sentences)
    batches = [["An invalid one.", "A dog barked."], ["None at all.", "Two lines."]]
    assert model.batches == batches, "each once"
    assert isinstance(one, AmrGraph)
    assert one == again
    assert (one.text, str(one)) == ("A dog barked.", NOTATIONS["A dog barked."])
    assert isinstance(two, AmrGraph)
    assert two.text == "Two\nlines."
    assert none == ParseFailure("None at all.", "the amrlib model gives no graph")
    assert "no graph that can be read: a pair of brackets is empty" in invalid.reason


def test_a_sentence_that_is_cut_is_said_to_be() -> None:
    long, short = AmrlibGraphs(StandIn()).graphs(["It rained all day and all night.", "Two lines."])
    assert isinstance(long, AmrGraph)
    assert isinstance(short, AmrGraph)
    assert (long.truncated, short.truncated) == (True, False)


def folder_of(root: Path, meta: object = None, **files: str) -> Path:
    if meta is not None:
        (root / "amrlib_meta.json").write_text(meta if isinstance(meta, str) else json.dumps(meta))
    for name, content in files.items():
        (root / name.replace("_bin", ".bin")).write_text(content)
    return root


META = {
    "inference_module": ".parse_xfm.inference",
    "inference_class": "Inference",
    "model_fn": "pytorch_model.bin",
}


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        (None, "it has no amrlib_meta.json; download one with: hybridsem models download amrlib-"),
        ("{", "does not describe an amrlib model"),
        ({"inference_class": "Inference"}, "does not describe an amrlib model: KeyError"),
        (META | {"inference_module": "subprocess"}, "names no amrlib model .* 'subprocess'"),
        (META | {"inference_module": ".generate_xfm.inference"}, "names no amrlib model"),
        (META | {"inference_class": "os"}, "names no amrlib model that parses sentences"),
        (META, "cannot be loaded"),
    ],
)
def test_folders_that_are_no_model(meta: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=message):
        AmrlibGraphs(folder_of(tmp_path, meta)).graphs(["A dog barked."])


@pytest.mark.usefixtures("cache")
def test_names() -> None:
    with pytest.raises(AssetError, match="run: hybridsem models download amrlib-parse-t5"):
        Pipeline("amr-cn", parser="amrlib:amrlib-parse-t5")
    with pytest.raises(
        AssetError, match=r"no folder with an amrlib model, got 'nowhere'; download one with"
    ):
        Pipeline("amr-cn", parser="amrlib:nowhere").parse(["A dog barked."])
    with pytest.raises(InputError, match="batch_size is a whole number from 1, got 0"):
        Pipeline("amr-cn", parser="amrlib:nowhere,batch_size=0")
    with pytest.raises(UnknownNameError, match="unknown option, got 'beams'"):
        Pipeline("amr-cn", parser="amrlib:nowhere,beams=2")


def test_without_amrlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "amrlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'hybridsem\[amr\]'"):
        AmrlibGraphs(folder_of(tmp_path, META)).graphs(["A dog barked."])


@pytest.fixture(scope="module")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model in the format of amrlib's ``parse_xfm``: a BART that has learned nothing."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("amrlib")
    tokenizer().save_pretrained(folder)
    sides = {
        f"{side}_{size}": 2
        for side in ("encoder", "decoder")
        for size in ("layers", "attention_heads", "ffn_dim")
    }
    tokens = {"pad": 0, "bos": 2, "eos": 3, "decoder_start": 2, "forced_eos": 3}
    limits = {"model_name_or_path": str(folder), "max_in_len": 12, "max_out_len": 16}
    config = transformers.BartConfig(
        vocab_size=len(WORDS) + 4,
        d_model=16,
        max_position_embeddings=32,
        **sides,
        **{f"{name}_token_id": number for name, number in tokens.items()},
        task_specific_params={"parse_amr": limits},
    )
    torch.manual_seed(0)
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    return folder_of(folder, META | {"kwargs": {"num_beams": 2}})


@pytest.mark.slow
def test_amrlib_loads_and_runs_a_model(random_model: Path) -> None:
    graphs = AmrlibGraphs(str(random_model), device="cpu", batch_size=1)
    found = graphs.graphs(["the dog chased the cat .", "a cat sang " * 8])
    inference = graphs._inference
    assert type(inference).__module__ == "amrlib.models.parse_xfm.inference"
    assert (inference.batch_size, inference.num_beams, str(inference.device)) == (1, 2, "cpu")
    assert [isinstance(one, (AmrGraph, ParseFailure)) for one in found] == [True, True]
    assert "TORCH_FORCE_WEIGHTS_ONLY_LOAD" not in os.environ
    assert graphs._is_cut("a cat sang " * 8)


def test_weights_that_are_more_than_tensors_are_refused(random_model: Path, tmp_path: Path) -> None:
    """SPRING's loader leaves it to torch whether a pickle may run code."""
    torch = pytest.importorskip("torch")
    from hybridsem.parsers.adapters.amrlib import _undeclared, _weights_only

    with _undeclared():
        from amrlib.models.parse_spring.model_utils import load_state_dict_from_checkpoint

    class Malice:
        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return os.mkdir, (str(tmp_path / "owned"),)

    torch.save({"model": Malice()}, tmp_path / "model.pt")
    with pytest.raises(Exception, match="[Ww]eights.only"), _weights_only():
        load_state_dict_from_checkpoint(tmp_path / "model.pt", None)
    assert not (tmp_path / "owned").exists()
