"""The package's own weights, checked and loaded once in a process for all its pipelines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from hybridsem._utils import weights
from hybridsem._utils.onnx import CPU, Session, quiet_onnxruntime
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords


@contextmanager
def loaded_once() -> Iterator[None]:
    """Share what is loaded from ``hybridsem/data``; files of other folders are read as always."""
    onnxruntime, shipped = quiet_onnxruntime(), weights.FOLDER
    load, sum_of = onnxruntime.InferenceSession, weights.sha256_of
    loaded: dict[bytes | Path, Session] = {}
    checked = cache(sum_of)

    def session(graph: bytes | Path, options: object, providers: list[str]) -> Session:
        is_shipped = isinstance(graph, bytes) or graph.parent == shipped.resolve()
        if providers != [CPU] or not is_shipped:
            return load(graph, options, providers=providers)
        if graph not in loaded:
            loaded[graph] = load(graph, options, providers=providers)
        return loaded[graph]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnxruntime, "InferenceSession", session)
        patch.setattr(
            weights, "sha256_of", lambda path: (checked if path.parent == shipped else sum_of)(path)
        )
        _share(patch, EmbeddedEncoder, "_tokenizer", lambda encoder: encoder.folder == shipped)
        _share(patch, EmbeddedWords, "_table", lambda words: words.encoder.folder == shipped)
        yield


def _share(
    patch: pytest.MonkeyPatch, owner: type, name: str, is_shipped: Callable[[Any], bool]
) -> None:
    """Give objects that read the package's own folder one value of a cached property."""
    read, values = vars(owner)[name].func, []

    def value(self: object) -> object:
        if not is_shipped(self):
            return read(self)
        if not values:
            values.append(read(self))
        return values[0]

    shared = cached_property(value)
    shared.__set_name__(owner, name)
    patch.setattr(owner, name, shared)
