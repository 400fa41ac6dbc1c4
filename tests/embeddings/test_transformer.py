"""Transformer encoders: tiny random models of each architecture, read as the hub's would be."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from support.tiny_models import SENTENCES, tokenizer, write

from hybridsem import Pipeline
from hybridsem.embeddings.transformer import TransformerEncoder
from hybridsem.errors import AssetError, InputError, UnknownNameError

# Where a tokenizer puts its marks.
FORMS = {"GPT2": "$A", "Llama": "[CLS] $A", "XLNet": "$A [SEP] [CLS]"}
NAMES = ("Bert", "Roberta", "XLNet", "GPT2", "Llama", "Bart")
OTHERS = ("Ernie", "MPNet", "Mistral", "Olmo", "Qwen2", "Gemma2")  # that the presets name


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("models")
    settings: dict[str, Any] = {
        "Roberta": {"pad_token_id": 1},
        "GPT2": {"bos_token_id": 0, "eos_token_id": 0},
    }
    return {
        name: write(
            root / name,
            name,
            tokenizer(FORMS.get(name, "[CLS] $A [SEP]")),
            **settings.get(name, {}),
        )
        for name in (*NAMES, *OTHERS)
    }


def states(folder: Path, text: str) -> Any:
    """The hidden states of one sentence alone, (layers + 1, tokens, 16), by transformers itself."""
    words = transformers.AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    model = transformers.AutoModel.from_pretrained(folder).eval()
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    with torch.inference_mode():
        return torch.stack(model(**words, output_hidden_states=True).hidden_states)[:, 0].numpy()


@pytest.mark.parametrize("name", [*NAMES, *OTHERS])
def test_the_mean_of_every_architecture(name: str, folders: dict[str, Path]) -> None:
    encoder = TransformerEncoder(str(folders[name]), device="cpu")
    rows = encoder.encode(SENTENCES)
    assert rows.shape == (4, encoder.dimension) == (4, 16)
    assert rows.dtype == np.float32
    for sentence, row in zip(SENTENCES, rows, strict=True):
        np.testing.assert_allclose(row, states(folders[name], sentence)[-1].mean(0), atol=1e-5)


POOLED: dict[str, Callable[[Any], Any]] = {
    "mean": lambda last: last.mean(0),
    "mean-sqrt": lambda last: last.sum(0) / len(last) ** 0.5,
    "weighted-mean": lambda last: np.average(last, axis=0, weights=np.arange(1, len(last) + 1)),
    "max": lambda last: last.max(0),
    "last": lambda last: last[-1],
    "cls": lambda last: last[0],
}
LAYERS = ((0, [0]), (1, [1]), (-2, [1]), (2, [2]), ((0, 2), [0, 2]), ("all", [0, 1, 2]))


@pytest.mark.parametrize(
    ("pooling", "layers", "places"),
    [*((name, -1, [2]) for name in POOLED), *(("mean", *case) for case in LAYERS)],
)
def test_pooling_and_layers(
    pooling: str, layers: Any, places: list[int], folders: dict[str, Path]
) -> None:
    encoder = TransformerEncoder(str(folders["Bert"]), pooling=pooling, layers=layers)
    for sentence, row in zip(SENTENCES, encoder.encode(SENTENCES), strict=True):
        expected = POOLED[pooling](states(folders["Bert"], sentence)[places].mean(0))
        np.testing.assert_allclose(row, expected, atol=1e-5)


def test_cls_through_the_dense_layer(folders: dict[str, Path]) -> None:
    row = TransformerEncoder(str(folders["Bert"]), pooling="cls+dense").encode(SENTENCES)[0]
    dense = transformers.AutoModel.from_pretrained(folders["Bert"]).pooler.dense
    weight, bias = dense.weight.detach().numpy(), dense.bias.detach().numpy()
    cls = states(folders["Bert"], SENTENCES[0])[-1][0]
    np.testing.assert_allclose(row, np.tanh(weight @ cls + bias), atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_does_not_depend_on_its_batch(name: str, folders: dict[str, Path]) -> None:
    many = SENTENCES * 5
    one = TransformerEncoder(str(folders[name]), batch_size=1).encode(many)
    together = TransformerEncoder(str(folders[name]), batch_size=64).encode(many)
    np.testing.assert_allclose(one, together, atol=1e-5)
    np.testing.assert_array_equal(
        together, TransformerEncoder(str(folders[name]), batch_size=64).encode(many)
    )


def test_the_layers_need_no_tokens_of_their_own_for_padding(tmp_path: Path) -> None:
    """As with GPT-2 and LLaMA, whose tokenizers have no padding token."""
    folder = write(tmp_path, "GPT2", tokenizer("$A", pad_token=None), pad_token_id=None)
    assert np.isfinite(TransformerEncoder(str(folder)).encode(SENTENCES)).all()


@pytest.mark.parametrize(
    ("name", "reads"),
    [("Bert", 32), ("Roberta", 30), ("XLNet", None), ("GPT2", 32), ("Llama", 32), ("Bart", 32)],
)
def test_what_is_too_long_is_cut_and_said(
    name: str, reads: int | None, folders: dict[str, Path]
) -> None:
    encoder = TransformerEncoder(str(folders[name]))
    marks = {"GPT2": 0, "Llama": 1}.get(name, 2)
    fits = " ".join(["dog"] * ((reads or 32) - marks))
    assert encoder.too_long(["a dog", fits, f"{fits} cat"]) == [False, False, reads is not None]
    one, other = encoder.encode([fits, f"{fits} cat"])
    assert np.allclose(one, other, atol=1e-5) == (reads is not None)


def test_max_length_and_prompts(folders: dict[str, Path]) -> None:
    folder = str(folders["Bert"])
    short = TransformerEncoder(folder, max_length=4)
    assert short.too_long(["a cat", "a cat sang"]) == [False, True]
    np.testing.assert_allclose(*short.encode(["a cat sang", "a cat"]), atol=1e-6)
    asked = TransformerEncoder(folder, prompt="the old ", max_length=5)
    np.testing.assert_allclose(
        asked.encode(["dog"]), TransformerEncoder(folder).encode(["the old dog"]), atol=1e-6
    )
    assert asked.too_long(["dog", "red dog"]) == [False, True]


def write_modules(bert: Path, folder: Path, pooling: str, *parts: Any) -> Path:
    """A sentence-transformers folder of at most 8 tokens, with a default prompt."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as models

    torch.manual_seed(1)
    inner = models.Transformer(str(bert), max_seq_length=8)
    made = [inner, models.Pooling(16, pooling)]
    made += [getattr(models, name)(*arguments) for name, *arguments in (*parts, ("Normalize",))]
    SentenceTransformer(modules=made, prompts={"ask": "the "}, default_prompt_name="ask").save(
        str(folder)
    )
    return folder


@pytest.fixture(scope="module")
def modules(folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CLS token, a dense layer to 5, unit length."""
    return write_modules(
        folders["Bert"], tmp_path_factory.mktemp("modules"), "cls", ("Dense", 16, 5)
    )


def test_sentence_transformers_modules_are_honoured(
    modules: Path, folders: dict[str, Path]
) -> None:
    from sentence_transformers import SentenceTransformer

    encoder = TransformerEncoder(str(modules))
    rows = encoder.encode(SENTENCES)
    assert rows.shape == (4, encoder.dimension) == (4, 5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(rows, SentenceTransformer(str(modules)).encode(SENTENCES), atol=1e-6)
    assert encoder.too_long(["dog " * 5, "dog " * 6]) == [False, True]  # two marks, and the prompt
    short = TransformerEncoder(str(modules), prompt="a ", max_length=5)
    assert short.too_long(["dog dog", "dog dog dog"]) == [False, True]
    own = TransformerEncoder(str(modules), pooling="mean").encode(SENTENCES)
    np.testing.assert_allclose(
        own[1], TransformerEncoder(str(folders["Bert"])).encode(SENTENCES)[1], atol=1e-5
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_is_split_by_words(name: str, folders: dict[str, Path]) -> None:
    encoder = TransformerEncoder(str(folders[name]), prompt="the ", max_length=7)
    texts = [*SENTENCES, "dog " * 9]
    found = encoder.split(texts)
    for one, text, vector in zip(found, texts, encoder.encode(texts), strict=True):
        np.testing.assert_array_equal(one.vector, vector)
        np.testing.assert_allclose(one.pieces.sum(0) + one.rest, vector, atol=1e-6)
        # The prompt is no part of the text.
        assert all(text[start:end].strip() in text.split() for start, end in one.offsets)
        assert len(one.offsets) < len(text.split()) + 1
    assert encoder.split([]) == []
    explanation = Pipeline("embedded", encoder=encoder).explain(*SENTENCES[:2])
    assert explanation.cosine_parts.cosine == pytest.approx(explanation.score, abs=1e-6)


@pytest.mark.parametrize("pooling", ["mean", "max", "cls"])
def test_modules_are_split_where_they_take_the_mean(
    pooling: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    folder = write_modules(folders["Bert"], tmp_path, pooling)
    encoder, texts = TransformerEncoder(str(folder)), [*SENTENCES, " dog " * 9]
    found = encoder.split(texts)
    assert (found is not None) == (pooling == "mean")
    for one, vector in zip(found or (), encoder.encode(texts) if found else (), strict=True):
        np.testing.assert_allclose(one.vector, vector, atol=1e-6)
        np.testing.assert_allclose(one.pieces.sum(0) + one.rest, vector, atol=1e-5)
    if found is not None:
        assert [texts[-1][start:end] for start, end in found[-1].offsets] == ["dog"] * 5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            "pooling=median",
            InputError,
            "unknown pooling, got 'median'; it is one of mean, mean-sqrt",
        ),
        ("max_length=long", InputError, "the option max_length must be a number, got 'long'"),
        ("layers=0+x", InputError, "the option layers must be a number, got '0\\+x'"),
        ("layers=3", InputError, r"layers are from 0 \(word embeddings\) to 2"),
        ("device=abacus", InputError, "unknown device, got 'abacus'; use, for example, cpu"),
        ("pool=cls", UnknownNameError, "unknown option, got 'pool'. Did you mean 'pooling'"),
    ],
)
def test_settings_that_mean_nothing(
    options: str, error: type, message: str, folders: dict[str, Path]
) -> None:
    with pytest.raises(error, match=message):
        Pipeline(f"transformer:{folders['Bert']},{options}").similarity("a dog", "a cat")


def test_weights_that_are_not_in_the_file_are_not_made_up(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(folders["Bert"], tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")

    def keep(without: str) -> None:
        kept = {name: values for name, values in weights.items() if without not in name}
        assert len(kept) < len(weights)
        save_file(kept, tmp_path / "model.safetensors", {"format": "pt"})

    keep("pooler.")
    assert TransformerEncoder(str(tmp_path)).encode(["a dog"]).shape == (1, 16)
    with pytest.raises(AssetError, match="lacks weights that are needed: pooler.dense"):
        TransformerEncoder(str(tmp_path), pooling="cls+dense").encode(["a dog"])
    keep("layer.1.attention.self.query")
    with pytest.raises(
        AssetError, match="lacks weights that are needed: encoder.layer.1.attention.self.query"
    ):
        TransformerEncoder(str(tmp_path)).encode(["a dog"])


def test_safetensors_only(folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["Bert"], tmp_path, dirs_exist_ok=True)
    (tmp_path / "model.safetensors").unlink()
    torch.save(
        transformers.AutoModel.from_pretrained(folders["Bert"]).state_dict(),
        tmp_path / "pytorch_model.bin",
    )
    with pytest.raises(
        AssetError, match="Only safetensors are read: load the model where it is trusted"
    ):
        TransformerEncoder(str(tmp_path)).encode(["a dog"])
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 100)
    with pytest.raises(AssetError, match="cannot be read"):
        TransformerEncoder(str(tmp_path)).encode(["a dog"])


def test_modules_are_read_from_safetensors_only(modules: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    folder = tmp_path / "pickled"
    shutil.copytree(modules, folder)
    (dense,) = folder.glob("*_Dense")
    weights = load_file(dense / "model.safetensors")
    torch.save(weights, dense / "pytorch_model.bin")
    expected = TransformerEncoder(str(modules)).encode(SENTENCES)
    np.testing.assert_array_equal(TransformerEncoder(str(folder)).encode(SENTENCES), expected)
    (dense / "model.safetensors").unlink()
    with pytest.raises(AssetError, match=r"the module '2_Dense' .* has its weights in a pickle"):
        TransformerEncoder(str(folder)).encode(SENTENCES)


@pytest.mark.parametrize(
    "activation",
    ["my_package.Swish", "torch.nn.functional.relu", "torch.nn.modules.activation.Snake", 3],
)
def test_an_activation_that_is_not_known_is_refused(
    activation: Any, modules: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "other"
    shutil.copytree(modules, folder)
    (config,) = folder.glob("*_Dense/config.json")
    written = json.loads(config.read_text())
    config.write_text(json.dumps({**written, "activation_function": activation}))
    with pytest.raises(AssetError, match=r"has the activation |cannot be read"):
        TransformerEncoder(str(folder)).encode(SENTENCES)
    config.write_text(
        json.dumps({**written, "activation_function": "torch.nn.modules.activation.ReLU"})
    )
    rows = TransformerEncoder(str(folder)).encode(SENTENCES)
    assert (rows >= 0).all(), "torch's own are honoured"


def test_no_code_that_comes_with_a_model_is_run(
    folders: dict[str, Path], modules: Path, tmp_path: Path
) -> None:
    """Neither that of a model's folder nor that of a module's type."""
    own, other = tmp_path / "own", tmp_path / "other"
    ran = tmp_path / "ran"
    code = (
        f"open({str(ran)!r}, 'w').close()\nfrom transformers import BertConfig as Mine, "
        "BertModel as MineModel\n"
    )
    shutil.copytree(folders["Bert"], own)
    (own / "mine.py").write_text(code, encoding="utf-8")
    config = json.loads((own / "config.json").read_text())
    config |= {
        "model_type": "mine",
        "auto_map": {"AutoConfig": "mine.Mine", "AutoModel": "mine.MineModel"},
    }
    (own / "config.json").write_text(json.dumps(config))
    shutil.copytree(modules, other)
    (other / "mine.py").write_text(code + "Pooling = MineModel\n", encoding="utf-8")
    listed = json.loads((other / "modules.json").read_text())
    listed[1]["type"] = "mine.Pooling"
    (other / "modules.json").write_text(json.dumps(listed))
    for folder in (own, other):
        with pytest.raises(AssetError, match="cannot be read"):
            TransformerEncoder(str(folder)).encode(["a dog"])
    assert not ran.exists()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("./nowhere", r"there is no model folder './nowhere'"),
        ("someone/nothing", "not a folder and not in the hub's cache; run: hf download someone/"),
        ("not a name!", "cannot be read"),
    ],
)
def test_a_model_that_is_not_here(
    model: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    with pytest.raises(AssetError, match=message):
        TransformerEncoder(model).encode(["a dog"])


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("config.json", []),
        ("config.json", {"model_type": ["bert"]}),
        ("config.json", {"hidden_size": 10**30}),
        ("tokenizer.json", []),
        # A panic of the tokenizer's Rust, which is no Exception, and only when a text is read.
        ("tokenizer.json", {"post_processor": {"special_tokens": {}}}),
    ],
)
def test_files_of_odd_shapes(
    name: str, parts: Any, folders: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(folders["Bert"], tmp_path, dirs_exist_ok=True)
    found = json.loads((tmp_path / name).read_text())
    if "post_processor" in parts:
        parts = {"post_processor": found["post_processor"] | parts["post_processor"]}
    (tmp_path / name).write_text(json.dumps(found | parts if parts else parts))
    with pytest.raises(AssetError, match=str(tmp_path)):
        TransformerEncoder(str(tmp_path), pooling="mean").encode(["the dog sang ."])
