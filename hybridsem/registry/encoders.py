"""Sentence encoders by name, by ``kind:argument``, or given as an object.

    encoder("sbert-mini")                       a preset (presets.toml): a name for one of these:
    encoder("transformer:FOLDER,pooling=cls")   a kind of encoder, what to build it of, options
    encoder("standardised:sbert-mini")          a kind that wraps another encoder

Whatever is an encoder is also a model, the cosine of its vectors: ``Pipeline("sbert-mini")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hybridsem import assets
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.registry import arithmetic, presets
from hybridsem.registry._parts import argument_of, given, options_of, without_secrets
from hybridsem.registry.protocols import SentenceEncoder
from hybridsem.registry.spec import ModelSpec, cosine


@dataclass(frozen=True)
class Parts:
    """What an encoder may be built over: the embedded encoder that is shared, and word vectors to
    compose.
    """

    embedded: EmbeddedEncoder
    vectors: WordVectors | None


@dataclass(frozen=True)
class Kind:
    """A kind of encoder: how it is built of what stands after the colon.

    ``build`` imports what it needs when it is called. ``example`` shows the whole; where it has no
    colon, the kind stands alone too.
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
    """A sentence encoder by name, or the object given. ``part``: ``embedded`` (or None), a preset,
    ``kind:argument`` (``transformer:FOLDER``), a model of MTEB, or anything with
    ``encode(sentences)``; ``embedded``: the embedded encoder that is shared; None: a new one;
    ``vectors``: the word vectors that encoders by arithmetic compose; None: the embedded ones.
    Raises :class:`InputError` (a name that nothing has, an option that the kind does not have, or
    an object without ``encode``), :class:`MissingExtraError` (the encoder needs a library that is
    not installed).

    >>> encoder("embedded").encode(["It rains."]).shape
    (1, 384)
    """
    parts = Parts(embedded or EmbeddedEncoder(), vectors)
    if part is None or part == "embedded":
        return parts.embedded
    if isinstance(part, str) and (written := _written(part)) is not None:
        name, _, argument = written.partition(":")
        kind = KINDS[name]
        return kind.build(
            argument_of(part, argument, kind.example) if ":" in kind.example else argument, parts
        )
    if hasattr(part, "mteb_model_meta") and not isinstance(part, type):
        from hybridsem.embeddings.mteb import FromMteb

        return FromMteb(part)
    known = ["embedded", *presets.rows(), *(kind.example for kind in KINDS.values())]
    found: SentenceEncoder = given("encoder", part, SentenceEncoder, known)
    return found


def adhoc_model(name: str) -> ModelSpec | None:
    """The cosine model over an encoder written ``kind:argument``, None where ``name`` is none."""
    if (written := _written(name)) is None:
        return None
    kind, row = KINDS[written.partition(":")[0]], presets.rows().get(name.partition(":")[0])
    shown = without_secrets(name)
    if row is not None and written != name:
        return replace(row, name=shown, encoder=name, build=cosine(shown))
    return ModelSpec(
        shown,
        f"cosine of {kind.summary}",
        kind.needs,
        "see its source",
        "",
        cosine(shown),
        encoder=name,
    )


def _written(part: str) -> str | None:
    """What a name stands for as ``kind:argument``; None for no preset's name or unknown kinds."""
    name, colon, argument = part.partition(":")
    preset, kind = presets.written(name), KINDS.get(name)
    if preset is not None and presets.BLANK in preset:
        return preset.replace(presets.BLANK, argument_of(part, argument, f"{name}:FILE"))
    if preset is not None and not colon:
        return preset
    return part if kind is not None and (colon or ":" not in kind.example) else None


def _role(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.role_encoder import RoleEncoder

    return RoleEncoder(parts.embedded)


def _large(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.role_encoder import LargeEncoder

    return LargeEncoder()


def _transformer(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.transformer import OPTIONS, TransformerEncoder

    folder, options = options_of(argument, OPTIONS)
    return TransformerEncoder.from_options(folder, options)


def _infersent(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.infersent import InferSent

    path, options = options_of(argument, ["version"])
    if path in assets.assets():
        path = str(assets.path(path))
    version: Any = {"1": 1, "2": 2}.get(options.get("version", "2"), options.get("version"))
    return InferSent(path, parts.vectors or EmbeddedWords(parts.embedded), version)


def _standardised(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.standardised import Standardised

    inner, _, fitted = argument.partition(
        ",fitted="
    )  # the options of the other encoder are its own
    inner, _, by = inner.partition(",by=")
    inside = encoder(inner, parts.embedded, parts.vectors)
    standardised = Standardised(inside, by or "features")
    return standardised.load(fitted) if fitted else standardised


def _arithmetic(name: str) -> Callable[[str, Parts], SentenceEncoder]:
    return lambda argument, parts: arithmetic.composed(
        name, argument, parts.vectors or EmbeddedWords(parts.embedded)
    )


def _precomputed(argument: str, parts: Parts) -> SentenceEncoder:
    from hybridsem.embeddings.precomputed import OPTIONS, PrecomputedEncoder

    file, options = options_of(argument, OPTIONS)
    return PrecomputedEncoder(file, **options)


def _service(name: str) -> Callable[[str, Parts], SentenceEncoder]:
    def build(argument: str, parts: Parts) -> SentenceEncoder:
        from hybridsem.embeddings.api import OPTIONS, ApiEncoder

        return ApiEncoder.from_options(name, *options_of(argument, OPTIONS))

    return build


_SERVICES = {
    "openai": "text-embedding-3-small,dimensions=256",
    "cohere": "embed-v4.0",
    "voyage": "voyage-3-large",
    "gemini": "gemini-embedding-001",
}
KINDS: Mapping[str, Kind] = {
    "role-encoder": Kind(
        _role, "role-encoder", "sentence vectors that tell who did what to whom", "embedded"
    ),
    "large": Kind(
        _large,
        "large",
        "sentence vectors of all-mpnet-base-v2 in 8 bit",
        "a download (110 MB): hybridsem models download large",
    ),
    "transformer": Kind(
        _transformer,
        "transformer:FOLDER_OR_HUB_NAME,pooling=mean",
        "the sentence vectors of a Hugging Face or sentence-transformers model",
        "extra transformers",
    ),
    "infersent": Kind(
        _infersent,
        "infersent:infersent2.pkl,version=2",
        "InferSent's vectors",
        "extra transformers; a download or file, and the word vectors it was trained on as "
        "vectors=",
    ),
    "standardised": Kind(
        _standardised,
        "standardised:ENCODER,by=vector,fitted=FILE.npz",
        "another encoder's vectors, standardised over the data set",
        "what that encoder needs",
    ),
    **{
        name: Kind(
            _arithmetic(name), name, f"{summary} (composed of word vectors)", arithmetic.NEEDS
        )
        for name, summary in arithmetic.SUMMARIES.items()
    },
    **{
        name: Kind(
            _service(name),
            f"{name}:{model}",
            f"the vectors of a model of {name.capitalize()}'s",
            f"extra api; a key in {name.upper()}_API_KEY",
        )
        for name, model in _SERVICES.items()
    },
    "api": Kind(
        _service("api"),
        "api:http://localhost:8000/v1,model=NAME",
        "the vectors of a server that speaks as OpenAI's does",
        "extra api; a server; HYBRIDSEM_API_KEY where it wants a key",
    ),
    "precomputed": Kind(
        _precomputed,
        "precomputed:FILE",
        "vectors from a file",
        "own vectors; extra files for parquet, vectors for h5",
    ),
}
