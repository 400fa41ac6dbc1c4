"""The parts of a model, chosen by arguments and checked, and reading sentences with them."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from hybridsem import registry
from hybridsem._typing import Float32Array, Plain
from hybridsem._utils.garbage import relaxed_gc
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.frames import over_frames
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.embeddings.abilities import ReadsEnglishAlone, ReportsTruncation, SplitsVectors
from hybridsem.embeddings.embedded import EmbeddedEncoder, Encoded, normalised
from hybridsem.embeddings.scale import CosineScale, probes_of, shipped_scale
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.english.rules import Rules
from hybridsem.english.text_forms import TEXT_FORMS, plain
from hybridsem.errors import InputError, ParseError, UnknownNameError
from hybridsem.pair_reader.base import PairReader
from hybridsem.parsers.base import ReadsTrees
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.phrases import PhraseLexicon
from hybridsem.reader.arguments import FIRST_PARSER, Arguments, File, named_file
from hybridsem.registry.parts import NO_READER, without_secrets
from hybridsem.registry.sources import Sources
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

if TYPE_CHECKING:
    from hybridsem._utils.predictors import Fitted

ContentT = TypeVar("ContentT")
MadeT = TypeVar("MadeT", bound="Fitted")
ResultsT = TypeVar("ResultsT", list[Parsed], list[SplitVector], Float32Array)

SPACES = {"plain": "embedded", "role": "role-encoder"}
"""The spaces of :meth:`Parts.encode`, and the encoder of each."""


class Reading(NamedTuple):
    """Structures, unit vectors (n, d), and the parts that the vectors are sums of, by sentence."""

    structures: list[Parsed] | None
    vectors: Float32Array | None
    splits: Sequence[SplitVector] = ()


class Parts:
    """Parser, word vectors, encoder and combiner of a model, and the scale of its cosines.

    ``arguments`` are those given, without a calibration.
    """

    def __init__(self, given: Arguments) -> None:
        self.spec = registry.model(given.model)
        parser = self.spec.parser if given.parser is None else given.parser
        vectors = self.spec.vectors if given.vectors is None else given.vectors
        encoder = self.spec.encoder if given.encoder is None else given.encoder
        # Before anything is read, so that later changes of a file are noticed.
        named = (part for part in (parser, vectors, encoder) if isinstance(part, str))
        self._sources = Sources(named)
        self._embedded = encoder if isinstance(encoder, EmbeddedEncoder) else EmbeddedEncoder()
        self.vectors = registry.vectors(vectors, self._embedded)
        self.encoder = registry.encoder(encoder, self._embedded, self.vectors)
        self.combiner: Combiner = self.spec.build(self.vectors, given.normalise)
        if given.frames is not None:
            self.combiner = over_frames(self.combiner, given.frames, given.model)
        formalism = self.combiner.formalism or "verbnet"
        self.parser = registry.parser(parser, formalism, self._embedded)
        if given.text not in (None, *TEXT_FORMS):
            raise UnknownNameError("text", given.text, TEXT_FORMS)
        self._form = TEXT_FORMS[given.text or "plain"]
        self.arguments = replace(
            given, rules=None, phrases=None, scale=None, weights=None, calibration=None
        )
        if given.rules is not None:
            self._extend("rules", given.rules, Rules.read)
        if given.phrases is not None:
            self._extend("phrases", given.phrases, PhraseLexicon.standard().extended)
        self._read_together(given.pair_reader)
        self._scales = isinstance(self.combiner, HybridCombiner)
        self._scale: CosineScale | None = None
        if given.scale is not None:
            self._hybrid("scale")
            self._scale = self._named("scale", given.scale, CosineScale.read)
        if given.weights is not None:
            self._learn(given.weights)

    def _read_together(self, given: str | PairReader | None) -> None:
        """Add a pair reader to the combiner: the one given, or the model's own if the encoder is
        its own too.
        """
        own = self.spec.pair_reader if self.encoder is self._embedded else NO_READER
        named = own if given is None else given
        if named != NO_READER:
            reader = registry.pair_reader(named, self._embedded)
            self.combiner = replace(self._hybrid("pair_reader"), pair_reader=reader)
        none = named == NO_READER == own
        self.arguments = replace(self.arguments, pair_reader=None if none else named)

    def alone(self) -> Parts:
        """Return the parts without a pair reader."""
        if not isinstance(self.combiner, HybridCombiner) or self.combiner.pair_reader is None:
            return self
        other = copy.copy(self)
        other.combiner = replace(self.combiner, pair_reader=None)
        return other

    def _hybrid(self, argument: str) -> HybridCombiner:
        """Return the combiner; raise :class:`InputError` if it has no use for an argument."""
        if not isinstance(self.combiner, HybridCombiner):
            raise InputError(
                f"{argument}= is for 'hybrid', got it for the model {self.spec.name!r}"
            )
        return self.combiner

    @property
    def phrases(self) -> PhraseLexicon:
        """The phrases in use."""
        known = self.combiner.phrases if isinstance(self.combiner, HybridCombiner) else None
        return known or PhraseLexicon.standard()

    def _extend(self, name: str, file: File, read: Callable[[str], object]) -> None:
        """Let the combiner use the content of a file."""
        combiner = self._hybrid(name)
        changed: Plain = {name: self._named(name, file, read)}
        self.combiner = replace(combiner, **changed)

    def _named(self, name: str, file: File, read: Callable[[str], ContentT]) -> ContentT:
        """Return the content of a file, and name it among the arguments."""
        content, named = named_file(name, file, read)
        changed: Plain = {name: named}
        self.arguments = replace(self.arguments, **changed)
        return content

    @cached_property
    def scale(self) -> CosineScale | None:
        """The map of the encoder's cosines; see :attr:`hybridsem.Pipeline.scale`."""
        if not self._scales or isinstance(self.encoder, EmbeddedEncoder):
            return None
        probes = probes_of(self.encode)
        if self._scale is not None and not self._scale.is_of(probes):
            raise InputError(
                f"the scale is of the encoder {self._scale.encoder!r}, which this one is not; "
                "make it again with `hybridsem fit-encoder`"
            )
        if (scale := self._scale or shipped_scale(probes)) is None:
            logging.getLogger("hybridsem.scale").warning(
                "the weights of %r were learned on cosines of another scale than this encoder's; "
                "`hybridsem fit-encoder` fits a scale",
                self.spec.name,
            )
        return scale

    def _learn(self, file: File) -> None:
        """Score with the learned weights of a file."""
        from hybridsem.learned.combiner import LearnedCombiner, check_features
        from hybridsem.learned.fitted import Weights

        defaults = {
            # Its readings are no features.
            "pair_reader": self.settings.get("pair_reader", ""),
            "vectors": self.spec.vectors,
            "encoder": self.spec.encoder,
            "parser": FIRST_PARSER,
        }
        weights, named = self.checked_file("weights", file, Weights.read, "features", defaults)
        self.arguments = replace(self.arguments, weights=named)
        path = named.partition(",sha=")[0]
        check_features(weights, self.combiner, self.spec.name, path)
        self.combiner = LearnedCombiner(self.combiner, weights)

    def checked_file(
        self,
        name: str,
        file: File,
        read: Callable[[str], MadeT],
        of: str,
        defaults: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[MadeT, str]:
        """Return the content of a file and its entry in the settings. Raises :class:`InputError` if
        it was made from the features or scores (``of``) of other parts.
        """
        content, named = named_file(name, file, read)
        what = f"{name} file {named.partition(',sha=')[0]!r}"
        made, here = {**defaults, **content.pipeline}, {**defaults, **self.settings}
        if other := sorted(n for n in {*made, *here} if made.get(n) != here.get(n)):
            raise InputError(
                f"the {what} was made for other {of}: "
                + ", ".join(f"{n}={made.get(n)!r} and not {here.get(n)!r}" for n in other)
                + "; use the parts that it was made for, or make it again"
            )
        known = content.training.get("contents")
        if isinstance(known, dict) and known and known != dict(self.contents):
            raise InputError(
                f"the {what} was made for {of} of other files than "
                f"{', '.join(map(repr, known))} are now; make it again"
            )
        return content, named

    def described(self, arguments: Arguments) -> str:
        """Return arguments as text, with the names of the model's own parts that are read."""
        parts = {"model": self.spec.name}
        if self.combiner.formalism is not None:
            parts |= {"parser": self.spec.parser, "vectors": self.spec.vectors}
        if self.combiner.reads_vectors:
            parts["encoder"] = self.spec.encoder
        parts = {name: without_secrets(part) for name, part in parts.items()} | arguments.settings
        unnamed = arguments.unnamed
        return ", ".join(
            f"{name}={part if name in unnamed else repr(part)}" for name, part in parts.items()
        )

    def __reduce__(self) -> tuple[object, ...]:
        # A fitted encoder is kept; the other parts are made again.
        fitted = isinstance(self.encoder, registry.FittedEncoder) and self.encoder.fitted
        return Parts, (self.arguments,), {"encoder": self.encoder} if fitted else None

    def __copy__(self) -> Parts:
        other = object.__new__(Parts)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def settings(self) -> dict[str, str]:
        """The names of the arguments; see :attr:`Arguments.settings`."""
        return self.arguments.settings

    @property
    def contents(self) -> Mapping[str, str]:
        """The hashes of the files behind the parts; see :attr:`hybridsem.Pipeline.contents`."""
        if self._sources.unread:
            self.encoder.encode([])  # downloads a model of the hub
            self._sources.look_again()
        return self._sources.contents()

    def check_contents(self) -> None:
        """Raise :class:`InputError` if a file has changed; faster than :attr:`contents`."""
        self._sources.check()

    @property
    def trees(self) -> EmbeddedTrees | None:
        """The embedded tree parser under the parser, if any."""
        # As isinstance(self.parser, HasTreeParser), which takes 20 times as long.
        trees = getattr(self.parser, "tree_parser", None)
        return trees if isinstance(trees, EmbeddedTrees) else None

    @property
    def _in_one_pass(self) -> EmbeddedTrees | None:
        """The tree parser whose encoder pass also returns the sentence vectors, if there is one."""
        trees = self.trees
        shares = (
            self.combiner.formalism is not None
            and self.combiner.reads_vectors
            and isinstance(self.parser, ReadsTrees)
            and trees is not None
            and trees.encoder is self.encoder
        )
        return trees if shares else None

    def plain(self, sentences: Sequence[str]) -> list[str]:
        """Return the texts as they are read: without invisible characters, tags, greetings."""
        return [plain(self._form(text)) for text in sentences]

    @property
    def compares_sentences(self) -> bool:
        """True if texts of several sentences are compared by sentences: by models that read
        structure. Learned weights are for texts as they are.
        """
        return self.reads_roles and self.arguments.weights is None

    @property
    def reads_roles(self) -> bool:
        """True if the combiner compares structures."""
        return self.combiner.formalism is not None

    def read(self, sentences: list[str], split: bool = False) -> Reading:
        """Read with parser and encoder, in one pass if possible; ``split`` adds the parts of
        vectors.
        """
        sentences = self.plain(sentences)
        if (trees := self._in_one_pass) is not None and isinstance(self.parser, ReadsTrees):
            encoded = trees.encoder.analyse(sentences, last_layer=split)
            return Reading(
                self.parser.read(trees.trees_of(sentences, encoded)),
                _unit_rows(trees, encoded),
                [sentence.split() for sentence in encoded] if split else (),
            )
        structures = self.parse(sentences) if self.reads_roles else None
        splits = self.split(sentences) if split else ()
        vectors = None
        if splits:
            vectors = normalised(np.stack([sentence.vector for sentence in splits]))
        elif self.combiner.reads_vectors:
            vectors = self.encode(sentences)
        return Reading(structures, vectors, splits)

    @relaxed_gc()
    def parse(self, sentences: list[str]) -> list[Parsed]:
        """Return the structure of each sentence, or a failure."""
        sentences = self.plain(sentences)
        given = self.parser.parse(sentences)
        structures: list[Parsed] = _one_each(
            "parser", list(given) if isinstance(given, Iterable) else [], sentences
        )
        for sentence, structure in zip(sentences, structures, strict=True):
            usable = isinstance(structure, RoleStructure) and structure.frames
            if not usable and not isinstance(structure, ParseFailure):
                raise InputError(
                    f"the parser gave {structure!r:.80} for {sentence!r:.80}; "
                    "it must give a RoleStructure with a frame, or a ParseFailure"
                )
        return structures

    def encode(self, sentences: list[str], unit: bool = True) -> Float32Array:
        """Return the encoder's vectors, (n, d), of length 1 if ``unit``."""
        sentences = self.plain(sentences)
        given = self.encoder.encode(sentences)
        try:
            rows = np.asarray(given, np.float32)
        except (TypeError, ValueError):
            raise InputError(
                f"the encoder gave no rows of numbers, got {given!r:.80}; they must be (n, d)"
            ) from None
        if not sentences:
            return rows.reshape(0, rows.shape[1] if rows.ndim == 2 else 0)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise InputError(
                f"the encoder gave an array of shape {rows.shape}; it must be (n, d) and finite"
            )
        _one_each("encoder", rows, sentences)
        return normalised(rows) if unit else rows

    def split(self, sentences: list[str]) -> Sequence[SplitVector]:
        """Return the parts that the encoder's vectors are sums of, or nothing if unknown."""
        sentences = self.plain(sentences)
        given = self.encoder.split(sentences) if isinstance(self.encoder, SplitsVectors) else None
        return () if given is None else _one_each("encoder", list(given), sentences)

    def unit_vectors(self, sentences: list[str]) -> Float32Array:
        """Return unit vectors, (n, d), with the bits that scores are computed from, without the
        parse of the same pass.
        """
        sentences = self.plain(sentences)
        if (trees := self._in_one_pass) is None:
            return self.encode(sentences)
        return _unit_rows(trees, trees.encoder.analyse(sentences))

    def vectors_in(
        self, space: str | None, sentences: Sequence[str], unit: bool, first: int = 0
    ) -> Float32Array:
        """Return vectors in one of :data:`SPACES`, or in the model's own; ``first`` is the number
        of the first sentence, for messages.
        """
        sentences = self.plain(sentences)
        if space is not None:
            if space not in SPACES:
                raise UnknownNameError("space", space, SPACES)
            return registry.encoder(SPACES[space], self._embedded).encode(sentences)
        if self.combiner.reads_vectors:
            return self.encode(sentences, unit)
        if not isinstance(self.combiner, RoleCombiner):
            raise InputError(f"{self.spec.name} gives no sentence vectors")
        structures = []
        for row, parsed in enumerate(self.parse(sentences), start=first):
            if not isinstance(parsed, RoleStructure):
                raise ParseError(
                    f"sentence {row}: no parse of {parsed.text!r:.80}: {parsed.reason}"
                )
            structures.append(parsed)
        return self.combiner.vectors_of(structures)

    def truncated(self, sentences: list[str]) -> list[bool]:
        """Return whether a part truncates each text, read as one sentence."""
        sentences = self.plain(sentences)
        parts = self._encoders()
        flags = [part.too_long(sentences) for part in parts if isinstance(part, ReportsTruncation)]
        return _any(flags, len(sentences))

    def foreign(self, sentences: list[str]) -> list[bool]:
        """Return whether each sentence is not English, and a part reads only English."""
        sentences = self.plain(sentences)
        parts = self._encoders()
        flags = [part.foreign(sentences) for part in parts if isinstance(part, ReadsEnglishAlone)]
        return _any(flags, len(sentences))

    def _encoders(self) -> list[object]:
        """Return the encoders that read sentences, each once."""
        parts: list[object] = [self.encoder] if self.combiner.reads_vectors else []
        trees = self.trees
        if self.combiner.formalism is not None and trees and trees.encoder not in parts:
            parts.append(trees.encoder)
        return parts


def _unit_rows(trees: EmbeddedTrees, encoded: Sequence[Encoded]) -> Float32Array:
    """Return the unit vectors of a pass of the encoder of the trees, (n, d)."""
    rows = np.array([sentence.vector for sentence in encoded])
    return normalised(rows.reshape(len(encoded), trees.encoder.dimension))


def _one_each(part: str, results: ResultsT, sentences: Sequence[str]) -> ResultsT:
    """Return the results of a part; raise unless there is one for each sentence."""
    if len(results) != len(sentences):
        raise InputError(
            f"the {part} gave {len(results)} results for {len(sentences)} sentences; one each "
            "is needed"
        )
    return results


def _any(flags: Sequence[Sequence[bool]], rows: int) -> list[bool]:
    return [any(row) for row in zip(*flags, strict=True)] if flags else [False] * rows
