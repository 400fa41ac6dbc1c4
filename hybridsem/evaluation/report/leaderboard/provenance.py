"""A card's model: its kind, licence and needs, and the command that makes the card again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from hybridsem._utils.tables import read_table
from hybridsem.errors import HybridSemError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics.rating_correlations import RESAMPLES
from hybridsem.evaluation.task import tasks
from hybridsem.registry import encoders, model, models, named

UNKNOWN = "–"  # shown where neither the card nor the registry has a value
COMBINER, GRAPHS, ENCODER, COMPOSITION = "combiner", "AMR metric", "encoder", "composition"
STRINGS, CODE = "string metric", "own code"
SIMILARITIES = "given similarities"
KINDS: Mapping[str, str] = read_table(__file__)  # the kinds of models with their descriptions


@cache
def _known_kinds() -> dict[str, str]:
    return (
        dict.fromkeys(named.own(), COMBINER)
        | dict.fromkeys((f"amr-{name}" for name in named.METRICS), GRAPHS)
        | dict.fromkeys(named.STRINGS, STRINGS)
        | {"tensor-cn": COMPOSITION, "embedded": ENCODER, "role-encoder": ENCODER}
    )


def kind(card: Card) -> str:
    """Return the kind of a card's model, one of :data:`KINDS`."""
    about, name = card.model, _registered(card)
    own = {"precomputed": SIMILARITIES, "encoder": ENCODER}.get(str(about.get("kind", "")))
    if own is not None or name in _known_kinds():
        return own or _known_kinds()[name or ""]
    for part, its_kind in (("tokens", STRINGS), ("parser", COMBINER)):
        if part in about:
            return its_kind
    if name or "encoder" in about:
        encoder = str(about.get("encoder") or name)
        written = named.written(encoder) or encoder
        return COMPOSITION if written.partition(":")[0] in encoders.COMPOSED else ENCODER
    return CODE


def needs(card: Card) -> str:
    """Return what a card's model needs: extras, downloads, files; ``embedded`` is what ships."""
    needed = known(card, "needs")
    beside = [] if needed.partition(";")[0] == "embedded" else [needed]
    for part in ("parser", "vectors"):
        given, colon, argument = str(card.model.get(part, "")).partition(":")
        if colon:
            beside.append(f"{part} {given}:{argument.rpartition('/')[2]}")
    return "; ".join(beside) or "embedded"


def known(card: Card, name: str) -> str:
    """Return a property of a card's model: its own, or that of the registry's model."""
    if card.model.get(name):
        return str(card.model[name])
    spec = models().get(_registered(card) or "")
    is_own = card.model.get("kind", "pipeline") == "pipeline"
    return str(getattr(spec, name)) if spec is not None and is_own else UNKNOWN


def _registered(card: Card) -> str | None:
    """Return the registry's name that a model has or begins with: ``amr-cn, SPRING parses``."""
    head = re.match(r"[\w.-]+(?=[ ,])", card.name)
    names = (card.name, head[0] if head else "")
    return next((name for name in names if name in models()), None)


def command(card: Card) -> str | None:
    """Return the command line that makes a card again; None for a model of Python alone."""
    if (chosen := _model_options(card)) is None:
        return None
    data = str(card.data.get("source") or "DATA")
    words = ["hybridsem", "evaluate", str(card.task["name"]), "--data", data, *chosen]
    words += _task_options(card)
    if (seed := card.settings.get("seed")) not in (None, 0):
        words += ["--seed", str(seed)]
    if (resamples := card.settings.get("resamples")) not in (None, RESAMPLES):
        words += ["--resamples", str(resamples)]
    return shlex.join([*words, "-o", f"{slug(card.name)}.json"])


def slug(text: str) -> str:
    """Return a text for file names and addresses: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "card"


def _model_options(card: Card) -> list[str] | None:
    about = card.model
    given = about.get("kind")
    if given == "precomputed" and "file" in about:
        file = str(about["file"])
        return ["--similarities", file, *_name(card, file.rpartition(".")[0] or file)]
    if given != "pipeline":
        return None
    try:
        spec = model(str(name := _registered(card) or about.get("encoder")))
    except HybridSemError:  # no name, or one of another release
        return None
    words = ["--model", str(name)]
    for part in ("parser", "vectors", "encoder"):
        value = about.get(part)
        if value not in (None, name, getattr(spec, part), named.written(str(name))):
            words += [f"--{part}", str(value)]
    for option in ("normalise", "frames", "rules", "phrases", "pair_reader", "weights", "scale"):
        value = about.get("learned weights" if option == "weights" else option)
        if isinstance(value, Mapping):
            value = value.get("file")
        if value:
            words += [f"--{option.replace('_', '-')}", str(value)]
    return [*words, *_name(card, spec.name)]


def _name(card: Card, own: str) -> list[str]:
    return [] if card.name == own else ["--name", card.name]


def _task_options(card: Card) -> list[str]:
    task = tasks().get(str(card.task["name"]))
    settings = {"split": card.data.get("split"), **card.settings}
    words = []
    for option in () if task is None else task.options:
        value = settings.get(option.name)
        if option.type is bool:
            words += [option.flag] if value is True else []
        elif value != option.default and (typed := _typed(value, option.choices)) is not None:
            words += [option.flag, *typed]
    return words


def _typed(value: Any, choices: Collection[str]) -> list[str] | None:
    """Return a setting as it is typed; None for one that the data or the model has set."""
    if choices and value not in choices:
        return None
    if isinstance(value, Mapping):
        return [str(value["file"])] if "file" in value else None
    if isinstance(value, (list, tuple)):
        numbers = all(isinstance(each, (int, float)) for each in value)
        return [str(each) for each in value] if numbers else [",".join(map(str, value))]
    if value is None or (isinstance(value, str) and " " in value):  # words that describe
        return None
    return [str(value)]
