"""AMR graphs by a model of amrlib: ``amrlib:FOLDER`` or ``amrlib:NAME``.

FOLDER is a sentence-to-graph model, NAME one that ``hybridsem models download`` has fetched
(``amrlib:amrlib-parse-xfm-bart-base``). amrlib loads the class that a model's ``amrlib_meta.json``
names; here only amrlib's own parsing classes are loaded, and only tensors of the weights.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from hybridsem import assets
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import check_count, check_sentences
from hybridsem.amr import AmrGraph
from hybridsem.errors import AssetError, FormatError
from hybridsem.structures import ParseFailure

OPTIONS = {"batch_size": int, "device": str, "num_beams": int}
"""Options after a model's folder: ``amrlib:FOLDER,device=cuda:0,batch_size=32``."""

_META = "amrlib_meta.json"
_MODULES = tuple(f".parse_{kind}.inference" for kind in ("gsii", "spring", "t5", "xfm"))
_HOW = "download one with: hybridsem models download amrlib-parse-xfm-bart-base"


class AmrlibGraphs:
    """A graph parser over a model of amrlib, which is loaded with the first sentence. A batch is
    padded to its longest sentence, which can change a model's scores by a rounding error and, in
    rare ties, its graph; ``batch_size=1`` avoids that. Raises :class:`MissingExtraError` without
    amrlib, :class:`AssetError` if the folder is not a parsing model or cannot be loaded. ``model``
    is its folder, the name of a downloaded one, or a loaded inference object; ``options`` are for
    its class, such as ``num_beams``.
    """

    def __init__(
        self, model: Any, *, batch_size: int = 16, device: str | None = None, **options: object
    ) -> None:
        for name, count in (("batch_size", batch_size), ("num_beams", options.get("num_beams"))):
            check_count(count, name)
        known = isinstance(model, str) and model in assets.assets() and not Path(model).is_dir()
        self.model = assets.path(model) if known else model
        self.batch_size = batch_size
        self.options = {"batch_size": batch_size, **options}
        if device:
            self.options["device"] = device

    @cached_property
    def _inference(self) -> Any:
        given = self.model
        return _load(Path(given), self.options) if isinstance(given, (str, Path)) else given

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """Return a graph, or a failure without a readable one, for each sentence."""
        texts = check_sentences(sentences)
        # On one line, because amrlib writes the sentence into a comment; the longest first.
        distinct = sorted({" ".join(text.split()) for text in texts}, key=lambda t: (-len(t), t))
        found: dict[str, str | None] = {}
        for at in range(0, len(distinct), self.batch_size):
            batch = distinct[at : at + self.batch_size]
            notations = self._inference.parse_sents(batch, add_metadata=False)
            found.update(zip(batch, notations, strict=True))
        return [self._graph(text, found[" ".join(text.split())]) for text in texts]

    def _graph(self, text: str, notation: str | None) -> AmrGraph | ParseFailure:
        if notation is None:
            return ParseFailure(text, "the amrlib model gives no graph")
        try:
            graph = AmrGraph.from_penman(notation)
        except FormatError as error:
            return ParseFailure(text, f"the amrlib model gives no graph that can be read: {error}")
        return AmrGraph(text, graph.triples, truncated=self._is_cut(text))

    def _is_cut(self, text: str) -> bool:
        """Test if the model truncates the text; amrlib does so after ``max_sent_len`` tokens."""
        longest = getattr(self._inference, "max_sent_len", None)
        tokenizer = getattr(self._inference, "tokenizer", None)
        if not isinstance(longest, int) or tokenizer is None or len(text) < longest:
            return False
        return len(tokenizer(text, truncation=False)["input_ids"]) > longest


def _load(folder: Path, options: dict[str, object]) -> Any:
    """Load the parsing model in a folder."""
    if not folder.is_dir():
        raise AssetError(f"no folder with an amrlib model, got {str(folder)!r}; {_HOW}")
    _check_meta(folder)
    with extra("amrlib", "amr"):
        import amrlib
    try:
        with _weights_only(), _undeclared():
            model = amrlib.load_stog_model(model_dir=str(folder), **options)
    # torch, transformers and amrlib each have their own errors for a damaged model.
    except Exception as error:
        fault = f"the amrlib model in {str(folder)!r} cannot be loaded: {error}"
        raise AssetError(fault) from error
    amrlib.stog_model = None  # else it stays in memory
    return model


def _check_meta(folder: Path) -> None:
    """Raise :class:`AssetError` unless the folder describes a parsing model of amrlib."""
    path = folder / _META
    if not path.exists() and (folder / "model.pt").exists():
        return  # the first models have no such file; amrlib knows them by their checksum
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
        module, name = meta["inference_module"], meta["inference_class"]
    except FileNotFoundError:
        fault = f"{str(folder)!r} is not an amrlib model: it has no {_META}; {_HOW}"
        raise AssetError(fault) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AssetError(f"{str(path)!r} does not describe an amrlib model: {error!r}") from None
    if module not in _MODULES or name != "Inference":
        raise AssetError(
            f"{str(path)!r} names no amrlib model that parses sentences, got {module!r}, {name!r}; "
            f"it must be one of {', '.join(_MODULES)} with 'Inference'"
        )


# Undeclared imports of amrlib, which parsing does not use.
_UNDECLARED: Mapping[str, Mapping[str, object]] = {
    "cached_property": {"cached_property": cached_property},
    "unidecode": {
        "unidecode": lambda text: (
            unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        )
    },
}


@contextmanager
def _undeclared() -> Iterator[None]:
    """Replace the modules of :data:`_UNDECLARED` that are not installed, temporarily."""
    missing = [name for name in _UNDECLARED if name not in sys.modules and find_spec(name) is None]
    for name in missing:
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(_UNDECLARED[name])
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


@contextmanager
def _weights_only() -> Iterator[None]:
    """Make torch.load read only tensors, temporarily."""
    name = "TORCH_FORCE_WEIGHTS_ONLY_LOAD"
    before = os.environ.pop(name, None)
    os.environ[name] = "1"
    try:
        yield
    finally:
        del os.environ[name]
        os.environ.update({} if before is None else {name: before})
