"""Models, parts, metrics and benchmarks from other packages, or registered at run time.

    [project.entry-points."hybridsem.encoders"]             pyproject.toml of the other package
    letters = "my_package:LetterEncoder"

    hybridsem.register("encoder", "letters", LetterEncoder)         this process alone

The object behind a name depends on its kind:

    encoder, parser, vectors    a function or class, called with the text after the colon ("" if
                                there is none); the result has ``encode``; ``parse``, ``trees`` or
                                ``graphs``; ``embed``
    model                       a :class:`ModelSpec`, or a function of word vectors and
                                ``normalise`` that returns a combiner
    metric                      a function of word vectors that returns a metric of AMR graphs
    task                        a ``hybridsem.evaluation.Task``

A plugin that cannot be loaded is left out of lists, with a warning that names its package.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hybridsem.combiners.base import Combiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import HybridSemError, InputError, UnknownNameError
from hybridsem.registry.parts import Build, ModelSpec, cosine, imported, without_roles

GROUPS = {
    "model": "hybridsem.models",
    "parser": "hybridsem.parsers",
    "encoder": "hybridsem.encoders",
    "vectors": "hybridsem.vectors",
    "metric": "hybridsem.metrics",
    "task": "hybridsem.tasks",
}
"""The kinds of plugins, and the group of entry points of each."""

_LOG = logging.getLogger("hybridsem.plugins")
_REGISTERED: dict[str, dict[str, Plugin]] = {kind: {} for kind in GROUPS}


@dataclass(frozen=True)
class Plugin:
    """A name that a package, or this process (``package`` is empty), has registered."""

    kind: str
    name: str
    package: str
    load: Callable[[], Any]
    module: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"the {self.kind} {self.name!r} of {self.source}"

    @property
    def source(self) -> str:
        """The package, for messages."""
        return f"the package {self.package!r}" if self.package else "this process"

    @property
    def needs(self) -> str:
        """The requirements of the plugin, in a line."""
        return str(self.about.get("needs") or (f"package {self.package}" if self.package else ""))

    def loaded(self) -> Any:
        """Import the object; :class:`InputError` names the package if that fails."""
        return self._guarded(self.load)

    def made(self, *arguments: object) -> Any:
        """Call the object."""
        factory = self.loaded()
        return self._guarded(lambda: factory(*arguments))

    def summary(self) -> str:
        """Return the given summary, or the first line of the object's docstring."""
        text = self.about.get("summary") or getattr(self.loaded(), "__doc__", None) or self.name
        return str(text).strip().partition("\n")[0].rstrip(".")

    def _guarded(self, do: Callable[[], Any]) -> Any:
        try:
            return do()
        except HybridSemError:
            raise
        except ValueError as error:  # of an argument that the plugin refuses
            raise InputError(f"{self}: {error}") from error
        except (Exception, SystemExit) as error:  # other people's code may raise anything
            raise InputError(
                f"{self} cannot be used: {type(error).__name__}: {error}; update or uninstall it"
            ) from error


@cache
def _installed() -> Mapping[str, Mapping[str, Plugin]]:
    """The plugins of installed packages by kind and name."""
    found: dict[str, dict[str, Plugin]] = {kind: {} for kind in GROUPS}
    for kind, group in GROUPS.items():
        for entry in entry_points(group=group):
            package = entry.dist.name if entry.dist else entry.module
            plugin = Plugin(kind, entry.name, package, entry.load, entry.module)
            first = found[kind].setdefault(entry.name, plugin)
            if first.package != package:
                warn(f"{plugin} is ignored, because {first.source} has one of that name")
    return found


def plugins(kind: str) -> Mapping[str, Plugin]:
    """The plugins of a kind by name: those of this process replace installed ones."""
    return {**_installed()[kind], **_REGISTERED[kind]}


@cache
def warn(message: str) -> None:
    """Log a warning once."""
    _LOG.warning("%s", message)


def usable(kind: str, use: Callable[[Plugin], Any], taken: Iterable[str] = ()) -> dict[str, Any]:
    """Apply a function to the plugins of a kind; those that fail, or whose name is ``taken``, are
    left out with a warning.
    """
    found, taken = {}, {*taken}
    for name, plugin in plugins(kind).items():
        try:
            if name in taken:
                raise InputError(f"{plugin} is ignored, because hybridsem has one of that name")
            found[name] = use(plugin)
        except HybridSemError as error:
            warn(str(error))
    return found


def register(kind: str, name: str, factory: Any, **about: Any) -> None:
    """Register a model, a part, a metric or a benchmark in this process.

    Args:
        kind: ``model``, ``parser``, ``encoder``, ``vectors``, ``metric`` or ``task``.
        name: The name of the plugin, without ``:``.
        factory: The object behind the name; see :mod:`hybridsem.registry.plugins`.
        **about: ``summary``, ``needs`` and ``licence``; for a model the other fields of
            :class:`ModelSpec`.
    """
    if kind not in GROUPS:
        raise UnknownNameError("kind of plugin", kind, GROUPS)
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"a name has letters, digits, '.', '-' and '_', got {name!r:.80}")
    if kind != "task" and not (callable(factory) or isinstance(factory, ModelSpec)):
        raise InputError(f"{kind} {name!r}: the factory must be callable, got {factory!r:.80}")
    _REGISTERED[kind][name] = Plugin(kind, name, "", lambda: factory, about=about)


def model_of(plugin: Plugin) -> ModelSpec:
    """Return the model of a plugin: its own, the cosine of an encoder, or the score of a metric."""
    if plugin.kind == "encoder":
        summary = f"cosine of {plugin.summary()}"
        return _spec(plugin, summary, cosine(plugin.name), encoder=plugin.name)
    if plugin.kind == "metric":
        name = f"amr-{plugin.name}"

        def combiner(vectors: WordVectors) -> Combiner:
            made: Combiner = imported("graphs.combiner:GraphCombiner")(name, plugin.made(vectors))
            return made

        return replace(_spec(plugin, plugin.summary(), without_roles(name, combiner)), name=name)
    given = plugin.loaded()
    if isinstance(given, ModelSpec):
        return replace(given, name=plugin.name)
    more = {name: value for name, value in plugin.about.items() if name in ("parser", "vectors")}
    return _spec(plugin, plugin.summary(), plugin.made, **more)


def _spec(plugin: Plugin, summary: str, build: Build, **more: Any) -> ModelSpec:
    known = {"licence": "see its package", "reference": plugin.package}
    about = {
        name: value for name, value in plugin.about.items() if name not in ("summary", "needs")
    }
    return ModelSpec(
        plugin.name, summary, needs=plugin.needs, build=build, **{**known, **about, **more}
    )


def model_plugin(name: str) -> Plugin | None:
    """Return the plugin behind the name of a model, or None."""
    metric = plugins("metric").get(name.removeprefix("amr-")) if name.startswith("amr-") else None
    return plugins("model").get(name) or plugins("encoder").get(name) or metric


def models(taken: Iterable[str]) -> dict[str, ModelSpec]:
    """Return the models of plugins by name."""
    found = [
        spec
        for kind in ("model", "encoder", "metric")
        for spec in usable(kind, model_of, taken).values()
    ]
    return {spec.name: spec for spec in found}


def code_of(name: str) -> Path | None:
    """Return the folder or file with the code of an installed part, which scores depend on."""
    for kind in ("encoder", "parser", "vectors"):
        if (plugin := plugins(kind).get(name)) is not None and plugin.module:
            spec = find_spec(plugin.module.partition(".")[0])
            if spec is not None and spec.origin is not None:
                path = Path(spec.origin)
                return path.parent if path.name == "__init__.py" else path
    return None
