"""Sentence encoders by name, by ``kind:argument``, or given as an object.

    encoder("sbert-mini")                       a preset (presets.toml), a name for one of these:
    encoder("transformer:FOLDER,pooling=cls")   a kind of encoder with its argument and options
    encoder("standardised:sbert-mini")          a kind that wraps another encoder

Every encoder is also a model, the cosine of its vectors: ``Pipeline("sbert-mini")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from hybridsem._utils.service import below
from hybridsem.embeddings import arithmetic
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.errors import InputError
from hybridsem.registry import named
from hybridsem.registry.parts import (
    ModelSpec,
    SentenceEncoder,
    argument_of,
    cosine,
    given,
    imported,
    kinds,
    late,
    options_of,
    without_secrets,
)
from hybridsem.registry.plugins import plugins


@dataclass(frozen=True)
class Parts:
    """The shared embedded encoder, and word vectors to compose."""

    embedded: EmbeddedEncoder
    vectors: WordVectors | None

    @property
    def words(self) -> WordVectors:
        """The word vectors, by default those of the embedded encoder."""
        return self.vectors or EmbeddedWords(self.embedded)


@dataclass(frozen=True)
class Kind:
    """A kind of encoder: ``build`` makes it from the text after the colon and imports what it needs
    when called. ``example`` shows the whole; without a colon, the kind needs no argument.
    """

    build: Callable[[str, Parts], SentenceEncoder]
    example: str
    summary: str
    needs: str


def encoder(
    part: str | SentenceEncoder | None,
    embedded: EmbeddedEncoder | None = None,
    vectors: WordVectors | None = None,
) -> SentenceEncoder:
    """Return a sentence encoder by name, or the object given.

    ``part`` is ``embedded`` (or None), a preset, ``kind:argument`` (``transformer:FOLDER``),
    or anything with ``encode(sentences)``; ``embedded`` the shared embedded encoder; ``vectors``
    the word vectors that encoders by arithmetic compose. Raises :class:`InputError` for
    an unknown name or option, or an object without ``encode``, and :class:`MissingExtraError` if a
    library is missing.

    >>> encoder("embedded").encode(["It rains."]).shape
    (1, 384)
    """
    parts = Parts(embedded or EmbeddedEncoder(), vectors)
    if part is None or part == "embedded":
        return parts.embedded
    if isinstance(part, str) and (written := _written(part)) is not None:
        name, _, argument = written.partition(":")
        kind = _kind(name)
        assert kind is not None
        if ":" in kind.example:
            argument = argument_of(part, argument, kind.example)
        return kind.build(argument, parts)
    known = ["embedded", *named.presets(), *(kind.example for kind in KINDS.values())]
    found: SentenceEncoder = given("encoder", part, SentenceEncoder, [*known, *plugins("encoder")])
    return found


def _kind(name: str) -> Kind | None:
    """Return the kind of that name, of this package or of a plugin."""
    if (kind := KINDS.get(name)) is not None:
        return kind
    if (plugin := plugins("encoder").get(name)) is None:
        return None

    def build(argument: str, _: Parts) -> SentenceEncoder:
        made: SentenceEncoder = given("encoder", plugin.made(argument), SentenceEncoder, ())
        return made

    return Kind(build, name, plugin.summary(), plugin.needs)


def adhoc_model(name: str) -> ModelSpec | None:
    """Return the cosine model over an encoder written ``kind:argument``, or None."""
    if (written := _written(name)) is None:
        return None
    kind, preset = _kind(written.partition(":")[0]), named.presets().get(name.partition(":")[0])
    assert kind is not None
    shown = without_secrets(name)
    build = cosine(shown)
    if preset is not None and written != name:
        return replace(preset, name=shown, encoder=name, build=build)
    summary = f"cosine of {kind.summary}"
    return ModelSpec(shown, summary, kind.needs, "see its source", "", build, encoder=name)


def _written(part: str) -> str | None:
    """Return the ``kind:argument`` of a name; None for unknown presets and kinds."""
    name, colon, argument = part.partition(":")
    preset = named.written(name)
    if preset is not None and named.BLANK in preset:
        return preset.replace(named.BLANK, argument_of(part, argument, f"{name}:FILE"))
    if preset is not None and not colon:
        return preset
    kind = _kind(name)
    return part if kind is not None and (colon or ":" not in kind.example) else None


def _standardised(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.standardised import Standardised

    # The options of the other encoder are its own.
    inner, _, fitted = argument.partition(",fitted=")
    inner, _, by = inner.partition(",by=")
    inside = encoder(inner, parts.embedded, parts.vectors)
    standardised = Standardised(inside, by or "features")
    return standardised.load(fitted) if fitted else standardised


def _service(name: str) -> Callable[[str, Parts], SentenceEncoder]:
    def build(argument: str, parts: Parts) -> SentenceEncoder:
        from hybridsem.embeddings.api import OPTIONS, ApiEncoder

        argument, options = options_of(argument, OPTIONS)
        if name == "api":
            options = {"model": "", "url": below(argument, "embeddings")} | options
        return ApiEncoder(name, **{"model": argument} | options)

    return build


ROLES = "embeddings.role_encoder"
# By arithmetic on word vectors: ``mean``, ``power:powers=1/3/inf``, ``dct:k=3,words=content``,
# ``sif:a=0.001,fit=SENTENCES.txt``; ``words=content`` leaves out stop words.

COMPOSED: Mapping[str, Callable[..., Any]] = {
    "mean": arithmetic.Mean,
    "mult": arithmetic.Product,
    "conv": arithmetic.CircularConvolution,
    "power": arithmetic.PowerMeans,
    "dct": arithmetic.DCT,
    "sif": arithmetic.SIF,
}
# The options of each besides ``words``, with their types.
_OPTIONS: Mapping[str, Mapping[str, Callable[[str], Any]]] = {
    "power": {"powers": lambda text: tuple(float(power) for power in text.split("/"))},
    "dct": {"k": int},
    "sif": {"a": float, "fit": Path},
}


def _composed(name: str, argument: str, parts: Parts) -> Any:
    """Return an encoder by arithmetic on word vectors; :class:`InputError` for a bad option."""
    allowed: dict[str, Callable[[str], Any]] = {"words": str, **_OPTIONS.get(name, {})}
    rest, options = options_of(f",{argument}" if argument else "", allowed)
    if rest:
        raise InputError(
            f"{name} takes options only, got {rest.strip(',')!r}; write for instance "
            f"{name}:words=content"
        )
    words = options.pop("words", "all")
    if words not in ("all", "content"):
        raise InputError(f"words= is 'all' or 'content', got {words!r}")
    sentences = options.pop("fit", None)
    encoder = COMPOSED[name](parts.words, content_only=words == "content", **options)
    if sentences is None:
        return encoder
    from hybridsem._utils.lines import LineReader

    return encoder.fit([line for _, line in LineReader(sentences) if line.strip()])


_BUILD: Mapping[str, Callable[[str, Parts], SentenceEncoder]] = {
    "role-encoder": lambda _, parts: imported(f"{ROLES}:RoleEncoder")(parts.embedded),
    "large": lambda *_: imported(f"{ROLES}:LargeEncoder")(),
    "standardised": _standardised,
    **{name: partial(_composed, name) for name in COMPOSED},
    **{name: _service(name) for name in ("openai", "cohere", "voyage", "gemini", "api")},
}
KINDS: Mapping[str, Kind] = {
    name: Kind(_BUILD.get(name) or late(row), row["example"], row["summary"], row["needs"])
    for name, row in kinds("encoders").items()
}
