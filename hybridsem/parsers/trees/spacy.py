"""Trees from any spaCy pipeline: ``spacy:en_core_web_sm``, or a ``Language`` object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hybridsem._utils.extras import extra
from hybridsem._utils.validation import problem
from hybridsem.errors import AssetError, InputError
from hybridsem.parsers.trees.clearnlp import is_clearnlp, to_ud
from hybridsem.structures import DependencyTree, ParseFailure, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_NOTNEEDED = ["ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat"]

_NEEDED = {
    "DEP": "has no dependency parser",
    "POS": "gives no parts of speech, which roles are read from; add a morphologizer, or a tagger "
    "and an attribute_ruler",
}
"""Annotations that a document must have, and the messages for their absence."""


class SpacyTrees:
    """The dependency trees of a spaCy pipeline, in Universal Dependencies. ClearNLP relations are
    converted (:mod:`hybridsem.parsers.trees.clearnlp`), others must be UD. Missing lemmas are
    lower-case forms; a missing part of speech is ``X``. ``pipeline`` is the name of an installed
    pipeline, a path, or a ``Language``. Raises :class:`MissingExtraError` (spaCy is not installed),
    :class:`AssetError` (the pipeline cannot be loaded).
    """

    def __init__(self, pipeline: str | Language) -> None:
        self.pipeline = _loaded(pipeline) if isinstance(pipeline, str) else pipeline
        labels = self.pipeline.pipe_labels.get("parser", [])
        self._clearnlp = is_clearnlp(labels)

    def trees(self, sentences: Sequence[str]) -> list[DependencyTree | ParseFailure]:
        """Return a tree, or a :class:`ParseFailure`, for each sentence, in order. Where spaCy finds
        several sentences, the later roots depend on the first as ``parataxis``. Raises
        :class:`InputError` (the pipeline has no parser, or gives no parts of speech).
        """
        reasons: list[str | None] = []
        for row, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                raise InputError(f"expected a string in row {row}, got {sentence!r}")
            reason, longest = problem(sentence), self.pipeline.max_length
            if reason is None and len(sentence) > longest:
                characters = f"{len(sentence)} characters are more than the {longest}"
                reason = f"{characters} that the spaCy pipeline takes"
            reasons.append(reason)
        docs = self.pipeline.pipe(
            text for text, reason in zip(sentences, reasons, strict=True) if reason is None
        )
        return [
            self._tree(text, next(docs)) if reason is None else ParseFailure(text, reason)
            for text, reason in zip(sentences, reasons, strict=True)
        ]

    def _tree(self, text: str, doc: Doc) -> DependencyTree | ParseFailure:
        for annotation, lacking in _NEEDED.items():
            if not doc.has_annotation(annotation):
                name = f"{self.pipeline.lang}_{self.pipeline.meta.get('name')}"
                parts = ", ".join(self.pipeline.pipe_names) or "none"
                raise InputError(f"the spaCy pipeline {name} {lacking}, its components: {parts}")
        tree = _from_doc(text, doc)
        if tree is None:
            return ParseFailure(text, "the spaCy pipeline finds no word in it")
        return to_ud(tree, known=self._clearnlp)


_NOT_FOUND = ("[E050]", "[E941]")  # no such pipeline, and a name that is a language's


def _loaded(name: str) -> Language:
    """Return an installed pipeline, or one at a path, without components that trees do not need."""
    with extra("spaCy", "spacy"):
        import spacy
    try:
        return spacy.load(name, exclude=_NOTNEEDED)
    except (OSError, ValueError) as error:
        if not any(code in str(error) for code in _NOT_FOUND):
            raise AssetError(f"the spaCy pipeline {name!r} cannot be loaded: {error}") from error
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
        raise AssetError(
            f"no spaCy pipeline {name!r} is installed (installed: {installed}); run: python "
            f"-m spacy download {name}"
        ) from None


def _from_doc(text: str, doc: Doc) -> DependencyTree | None:
    """Return one tree over the words of ``doc``, or None without words."""
    words = [token for token in doc if not token.is_space]
    place = {token.i: index for index, token in enumerate(words)}
    tokens: list[Token] = []
    root: int | None = None
    for index, token in enumerate(words):
        governor = token
        while governor.head.i != governor.i:
            governor = governor.head
            if governor.i in place:
                break
        if governor.i in place and governor.i != token.i:
            head, relation = place[governor.i], token.dep_.lower() or "dep"
        elif root is None:
            head, relation, root = -1, "root", index
        else:
            head, relation = root, "parataxis"
        lemma, tag = token.lemma_ or token.text.lower(), token.pos_ or "X"
        end = token.idx + len(token)
        tokens.append(Token(token.text, lemma, tag, head, relation, token.idx, end))
    return DependencyTree(text, tuple(tokens)) if tokens else None
