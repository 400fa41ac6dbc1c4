"""Build the encoder of ``hybrid-large``: all-mpnet-base-v2 as an 8-bit ONNX graph.

    python -m models.encoder.large --model FOLDER --calibrate ../shared/data   # large_tops.npz
    python -m models.encoder.large --model FOLDER --out OUT.zip                # the asset `large`
    python -m models.encoder.large --model FOLDER --float OUT     # for sentence-transformers


FOLDER has the published ``model.safetensors``, whose sha256 is checked; everything else is written
here. Calibrating takes the folder that ``--float`` writes. Input and outputs are those of
``build.py``, 768 wide and without ``tokens``. Its word pieces are BERT's with other numbers, so the
rows of its table are put in BERT's order, and the graph reads what the shipped tokeniser gives.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from models.encoder.build import ROOT, EncoderGraph, float_weights, read_tops, save
from models.graph import Weights, model

SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
LONGEST = 512
"""Word pieces that it has places for."""
READ = 384
"""Word pieces that the published model reads."""
TOPS = Path(__file__).with_name("large_tops.npz")
TOKENIZER = "hybridsem/data/tokenizer.json"
NAMES = {
    "attention.attn.q.": "attention.self.query.",
    "attention.attn.k.": "attention.self.key.",
    "attention.attn.v.": "attention.self.value.",
    "attention.attn.o.": "attention.output.dense.",
    "attention.LayerNorm.": "attention.output.LayerNorm.",
}
"""MPNet's names of a layer's parts, and BERT's."""
PARTS = {
    "": "input",
    ".attention.attn.o": "attended",
    ".intermediate.dense": "between",
    ".output.dense": "inner",
}
"""The modules of a layer whose inputs are measured."""
MARKS = {0: 1, 101: 0, 102: 2, 103: 30526}
"""BERT's numbers of [PAD], [CLS], [SEP] and [MASK], and MPNet's; all others are 4 apart."""
BUCKETS, FARTHEST = 32, 128


class LargeGraph(EncoderGraph):
    """The graph of MPNet, whose attention also knows how far apart two word pieces are."""

    epsilon, bias = 1e-5, "distances"

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def distances(self, table: np.ndarray) -> None:
        """Compute the bias (1, heads, length, length) from ``table`` (buckets, heads)."""
        far = np.arange(-LONGEST, LONGEST + 1)
        by_distance = self.constant("by_distance", table[bucket(far)].T.astype(np.float32))
        ends = [self.add("Squeeze", "length"), *map(self.scalar, (0, 1, LONGEST))]
        places = self.add("Range", ends[1], ends[0], ends[2])
        column = self.add("Unsqueeze", self.add("Sub", places, ends[3]), self.whole(1))
        apart = self.add("Sub", self.add("Unsqueeze", places, self.whole(0)), column)
        found = self.add("Gather", by_distance, apart, axis=1)
        self.add("Unsqueeze", found, self.whole(0), name=self.bias)

    def scalar(self, number: int) -> str:
        return self.constant(f"scalar_{number}", np.int64(number))


def bucket(distance: np.ndarray) -> np.ndarray:
    """MPNet's (and T5's) classes of distances: exact when near, then in logarithmic steps."""
    half, near = BUCKETS // 2, BUCKETS // 4
    far = np.abs(distance)
    steps = np.log(np.maximum(far, 1) / near) / np.log(FARTHEST / near) * (half - near)
    logarithmic = np.minimum(near + np.maximum(steps, 0).astype(int), half - 1)
    return np.where(far < near, far, logarithmic) + half * (distance > 0)


def as_bert(weights: Weights) -> Weights:
    """The weights by BERT's names, word pieces in BERT's order."""
    found = {}
    for name, value in weights.items():
        for theirs, ours in NAMES.items():
            name = name.replace(theirs, ours)
        found[name] = value
    words = found["embeddings.word_embeddings.weight"]
    order = np.arange(4, len(words) - 1)
    order[list(MARKS)] = list(MARKS.values())
    found["embeddings.word_embeddings.weight"] = words[order]
    positions = "embeddings.position_embeddings.weight"
    found[positions] = found[positions][2:]
    found["embeddings.token_type_embeddings.weight"] = np.zeros_like(words[:1])
    return found


def layers_of(weights: Weights) -> int:
    """How many layers there are."""
    return sum(name.endswith(".intermediate.dense.bias") for name in weights)


def build(weights: Weights, tops: Weights) -> onnx.ModelProto:
    """The graph of weights by BERT's names."""
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    g = LargeGraph(width)
    x = g.embedded(weights)
    g.distances(weights["encoder.relative_attention_bias.weight"])
    for layer in range(layers_of(weights)):
        x = g.layer(f"encoder.layer.{layer}", weights, tops, x)
    g.mean(g.by_sentence(x, "last"), "sentence")
    float32 = TensorProto.FLOAT
    forms = {"sentence": ["batch", width], "last": ["batch", "length", width]}
    return model(
        g,
        "all-mpnet-base-v2",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])],
        [helper.make_tensor_value_info(name, float32, form) for name, form in forms.items()],
    )


def calibrate(folder: Path, texts: Sequence[str]) -> Weights:
    """The largest values, as ``calibrate.py`` takes them."""
    import torch
    from torch import nn
    from transformers import AutoModel
    from transformers.models.mpnet.modeling_mpnet import MPNetLayer

    from hybridsem.embeddings.embedded import EmbeddedEncoder, equal_length_batches
    from models.tops import Tops

    float_model = AutoModel.from_pretrained(folder).eval()
    tops = Tops(float_model, MPNetLayer, nn.Linear)
    rows = [encoding.ids for encoding in EmbeddedEncoder()._encodings(list(texts))]
    for batch in equal_length_batches([len(row) for row in rows], 2048, 1):
        ids = torch.tensor([[MARKS.get(i, i + 4) for i in rows[at]] for at in batch])
        with torch.no_grad():
            float_model(ids)
    found = tops.close()
    return {
        f"encoder.layer.{number}.{part}": found[f"encoder.layer.{number}{name}"]
        for number in range(len(float_model.encoder.layer))
        for name, part in PARTS.items()
    }


def pack(graph: onnx.ModelProto, out: Path) -> None:
    """Write the archive, the same bytes each time."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(out, "w") as archive:
        place = Path(folder)
        save(graph, place / "encoder.onnx")
        (place / "tokenizer.json").write_bytes((ROOT / TOKENIZER).read_bytes())
        sums = {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(place.iterdir())
        }
        (place / "manifest.json").write_text(json.dumps(sums, indent=1) + "\n")
        for file in sorted(place.iterdir()):
            archive.writestr(zipfile.ZipInfo(f"large/{file.name}"), file.read_bytes())


def float_folder(weights: Weights, out: Path) -> None:
    """Write the model in 32 bit as sentence-transformers loads it: the mean of the last layer, of
    length 1. The tokeniser is the shipped one with MPNet's numbers.
    """
    from safetensors.numpy import save_file
    from transformers import MPNetConfig

    text = json.loads((ROOT / TOKENIZER).read_text("utf-8"))
    vocabulary = text["model"]["vocab"]
    text["model"]["vocab"] = {piece: MARKS.get(i, i + 4) for piece, i in vocabulary.items()}
    for token in text["added_tokens"]:
        token["id"] = MARKS.get(token["id"], token["id"] + 4)
    for mark in text["post_processor"]["special_tokens"].values():
        mark["ids"] = [MARKS[i] for i in mark["ids"]]
    text["padding"] = text["truncation"] = None
    name = "sentence_transformers.models"
    parts = {"0": ("", "Transformer"), "1": ("1_Pooling", "Pooling"), "2": ("2_Norm", "Normalize")}
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    files = {
        "tokenizer.json": text,
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": LONGEST,
            "pad_token": "[PAD]",
        },
        "modules.json": [
            {"idx": int(i), "name": i, "path": path, "type": f"{name}.{kind}"}
            for i, (path, kind) in parts.items()
        ],
        "sentence_bert_config.json": {"max_seq_length": READ, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": width,
            "pooling_mode_mean_tokens": True,
        },
    }
    for path, _ in parts.values():
        (out / path).mkdir(parents=True, exist_ok=True)
    config = MPNetConfig(
        vocab_size=len(weights["embeddings.word_embeddings.weight"]),
        hidden_size=width,
        num_hidden_layers=layers_of(weights),
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
        layer_norm_eps=1e-5,
    )
    config.architectures = ["MPNetModel"]
    config.save_pretrained(out)
    for file, content in files.items():
        (out / file).write_text(json.dumps(content), "utf-8")
    save_file(weights, out / "model.safetensors", {"format": "pt"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", type=Path, required=True, help="the folder of the float model")
    parser.add_argument("--calibrate", type=Path, metavar="DATA", help="measure, and no more")
    parser.add_argument("--out", type=Path, default=Path("hybridsem-large.zip"))
    parser.add_argument("--float", type=Path, metavar="OUT", help="write the float model's folder")
    options = parser.parse_args()
    if options.float:
        float_folder(float_weights(options.model, SHA256), options.float)
        return
    if options.calibrate:
        from models.encoder.calibrate import training_texts

        np.savez_compressed(TOPS, **calibrate(options.model, training_texts(options.calibrate)))
        return
    pack(build(as_bert(float_weights(options.model, SHA256)), read_tops(TOPS)), options.out)


if __name__ == "__main__":
    main()
