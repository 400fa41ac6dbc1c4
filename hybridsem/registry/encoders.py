"""Sentence encoders by name, by ``kind:argument``, or given as an object.

    encoder("sbert-mini")                       a preset (presets.toml), a name for one of these:
    encoder("transformer:FOLDER,pooling=cls")   a kind of encoder with its argument and options
    encoder("standardised:sbert-mini")          a kind that wraps another encoder

Every encoder is also a model, the cosine of its vectors: ``Pipeline("sbert-mini")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hybridsem._utils.lines import LineReader
from hybridsem._utils.service import below
from hybridsem.embeddings import arithmetic
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.standardised import Standardised
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.errors import InputError
from hybridsem.registry import named, parts
from hybridsem.registry.parts import Kind, ModelSpec, SentenceEncoder
from hybridsem.registry.plugins import plugins


def encoder(
    part: str | SentenceEncoder | None,
    embedded: EmbeddedEncoder | None = None,
    vectors: WordVectors | None = None,
) -> SentenceEncoder:
    """Return a sentence encoder by name, or the object given. ``part`` is ``embedded`` (or None), a
    preset, ``kind:argument`` (``transformer:FOLDER``), or anything with ``encode(sentences)``;
    ``embedded`` the shared embedded encoder; ``vectors`` the word vectors that encoders by
    arithmetic compose. Raises :class:`InputError` for an unknown name or option, or an object
    without ``encode``, and :class:`MissingExtraError` if a library is missing.

    >>> encoder("embedded").encode(["It rains."]).shape
    (1, 384)
    """
    embedded = embedded or EmbeddedEncoder()
    if part is None or part == "embedded":
        return embedded
    made: Any = part
    if isinstance(part, str) and (written := _written(part)) is not None:
        name, _, argument = written.partition(":")
        if name in KINDS:
            made = KINDS[name].made(part, argument, embedded, vectors)
        else:
            made = plugins("encoder")[name].made(argument)
    known = ["embedded", *named.presets(), *(kind.example for kind in KINDS.values())]
    found: SentenceEncoder = parts.given(
        "encoder", made, SentenceEncoder, [*known, *plugins("encoder")]
    )
    return found


def adhoc_model(name: str) -> ModelSpec | None:
    """Return the cosine model over an encoder written ``kind:argument``, or None."""
    if (written := _written(name)) is None:
        return None
    preset, shown = named.presets().get(name.partition(":")[0]), parts.without_secrets(name)
    build = parts.cosine(shown)
    if preset is not None and written != name:
        return replace(preset, name=shown, encoder=name, build=build)
    kind: Any = written.partition(":")[0]
    kind = KINDS.get(kind) or plugins("encoder")[kind]
    summary = f"cosine of {kind.summary if isinstance(kind, Kind) else kind.summary()}"
    return ModelSpec(shown, summary, kind.needs, "see its source", "", build, encoder=name)


def _written(part: str) -> str | None:
    """Return the ``kind:argument`` of a name; None for unknown presets and kinds."""
    name, colon, argument = part.partition(":")
    preset = named.written(name)
    if preset is not None and named.BLANK in preset:
        return preset.replace(named.BLANK, parts.argument_of(part, argument, f"{name}:FILE"))
    if preset is not None and not colon:
        return preset
    if name in KINDS:
        return part if colon or ":" not in KINDS[name].example else None
    return part if name in plugins("encoder") else None


def _standardised(
    argument: str, embedded: EmbeddedEncoder, vectors: WordVectors | None
) -> SentenceEncoder:
    # The options of the other encoder are its own.
    inner, _, fitted = argument.partition(",fitted=")
    standardised = Standardised(encoder(inner, embedded, vectors))
    return standardised.load(fitted) if fitted else standardised


def _service(name: str, argument: str, *_: object) -> SentenceEncoder:
    from hybridsem.embeddings.api import OPTIONS, ApiEncoder

    argument, options = parts.options_of(argument, OPTIONS)
    if name == "api":
        options = {"model": "", "url": below(argument, "embeddings"), **options}
    options.setdefault("model", argument)
    return ApiEncoder(name, **options)


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


def _composed(
    name: str, argument: str, embedded: EmbeddedEncoder, vectors: WordVectors | None
) -> Any:
    """Return an encoder by arithmetic on word vectors; :class:`InputError` for a bad option."""
    allowed: dict[str, Callable[[str], Any]] = {"words": str, **_OPTIONS.get(name, {})}
    rest, options = parts.options_of(f",{argument}" if argument else "", allowed)
    if rest:
        raise InputError(
            f"{name} takes options only, got {rest.strip(',')!r}; write for instance "
            f"{name}:words=content"
        )
    words = options.pop("words", "all")
    if words not in ("all", "content"):
        raise InputError(f"words= is 'all' or 'content', got {words!r}")
    sentences, vectors = options.pop("fit", None), vectors or EmbeddedWords(embedded)
    encoder = COMPOSED[name](vectors, content_only=words == "content", **options)
    if sentences is None:
        return encoder
    return encoder.fit([line for _, line in LineReader(sentences) if line.strip()])


KINDS: Mapping[str, Kind] = parts.kinds(
    "encoders",
    {
        "role-encoder": lambda _, embedded, __: parts.imported(f"{ROLES}:RoleEncoder")(embedded),
        "standardised": _standardised,
        **{name: partial(_composed, name) for name in COMPOSED},
        **{
            name: partial(_service, name)
            for name in ("openai", "cohere", "voyage", "gemini", "api")
        },
    },
)
