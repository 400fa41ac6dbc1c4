"""Trees from any spaCy pipeline: ``spacy:en_core_web_sm``, or a given ``Language`` object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hybridsem._utils.extras import extra
from hybridsem.errors import AssetError, InputError
from hybridsem.parsers.trees.clearnlp import is_clearnlp, to_ud
from hybridsem.structures import DependencyTree, ParseFailure, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

__all__ = ["NEEDED", "SpacyTrees", "load", "words_of"]

_NOTNEEDED = ["ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat"]

NEEDED = {
    "DEP": "has no dependency parser",
    "POS": "gives no parts of speech, which roles are read from; add a morphologizer, or a tagger "
    "and an attribute_ruler",
}
"""What a document must have, and what is said of a pipeline that does not give it."""


class SpacyTrees:
    """The dependency trees that a spaCy pipeline gives, in Universal Dependencies.

    ClearNLP relations are converted (:mod:`hybridsem.parsers.trees.clearnlp`), others are taken to
    be UD. A pipeline without lemmatiser gives lower-case forms as lemmas; a word without a part of
    speech has ``X`` as UPOS. ``pipeline``: the name of an installed pipeline, the path of one, or a
    ``Language``. Raises :class:`MissingExtraError` (spaCy is not installed), :class:`AssetError`
    (the pipeline is not installed or cannot be loaded), :class:`InputError` (it has no dependency
    parser, or nothing that gives parts of speech).
    """

    def __init__(self, pipeline: str | Language) -> None:
        self.pipeline = (
            load(pipeline, exclude=_NOTNEEDED) if isinstance(pipeline, str) else pipeline
        )
        labels = self.pipeline.pipe_labels.get("parser", [])
        self._clearnlp = is_clearnlp(labels)

    def trees(self, sentences: Sequence[str]) -> list[DependencyTree | ParseFailure]:
        """One tree a sentence, in order.

        Where spaCy sees several sentences, the roots of the later ones hang on the first as
        ``parataxis``. Returns a :class:`ParseFailure` where the pipeline finds no word. Raises
        :class:`InputError` (the pipeline has no dependency parser, or gives no parts of speech).
        """
        read = zip(sentences, self.docs(sentences), strict=True)
        return [
            doc if isinstance(doc, ParseFailure) else self.tree(text, doc) for text, doc in read
        ]

    def docs(self, sentences: Sequence[str]) -> Iterator[Doc | ParseFailure]:
        """What the pipeline makes of each sentence, in order; :class:`ParseFailure` if it fails."""
        for row, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                raise InputError(f"expected a string in row {row}, got {sentence!r}")
        reasons = [self._unusable(sentence) for sentence in sentences]
        docs = self.pipeline.pipe(
            text for text, reason in zip(sentences, reasons, strict=True) if reason is None
        )
        for text, reason in zip(sentences, reasons, strict=True):
            yield next(docs) if reason is None else ParseFailure(text, reason)

    def _unusable(self, sentence: str) -> str | None:
        if not sentence.strip():
            return "the sentence is blank"
        if len(sentence) > self.pipeline.max_length:
            return (
                f"{len(sentence)} characters are more than the {self.pipeline.max_length} "
                "that the spaCy pipeline takes"
            )
        if any("\ud800" <= letter <= "\udfff" for letter in sentence):
            return "the sentence holds a lone surrogate, which is not a character"
        return None

    def tree(self, text: str, doc: Doc) -> DependencyTree | ParseFailure:
        """The tree of a document of the pipeline; :class:`InputError` where it has none."""
        for annotation, lacking in NEEDED.items():
            if not doc.has_annotation(annotation):
                name = f"{self.pipeline.lang}_{self.pipeline.meta.get('name')}"
                parts = ", ".join(self.pipeline.pipe_names) or "none"
                raise InputError(f"the spaCy pipeline {name} {lacking}, its components: {parts}")
        tree = _from_doc(text, doc)
        if tree is None:
            return ParseFailure(text, "the spaCy pipeline finds no word in it")
        return to_ud(tree, known=self._clearnlp)


_NOT_FOUND = ("[E050]", "[E941]")  # no such pipeline, and a name that is a language's


def load(name: str, exclude: Iterable[str] = ()) -> Language:
    """An installed pipeline, or one at a path. ``exclude``: the components that are not loaded.
    Raises :class:`MissingExtraError` (spaCy is not installed), :class:`AssetError` (the pipeline is
    not installed or cannot be loaded).
    """
    with extra("spaCy", "spacy"):
        import spacy
    try:
        return spacy.load(name, exclude=exclude)
    except (OSError, ValueError) as error:
        if not any(code in str(error) for code in _NOT_FOUND):
            raise AssetError(f"the spaCy pipeline {name!r} cannot be loaded: {error}") from error
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
        message = (
            f"no spaCy pipeline {name!r} is installed (installed: {installed}); run: python "
            f"-m spacy download {name}"
        )
        raise AssetError(message) from None


def words_of(doc: Doc) -> list[SpacyToken]:
    """The words of a document's tree: its tokens that are not white space. ``doc``: what a spaCy
    pipeline made of a text.
    """
    return [token for token in doc if not token.is_space]


def _from_doc(text: str, doc: Doc) -> DependencyTree | None:
    """The words of ``doc`` that are not white space, as one tree; None if there are none."""
    words = words_of(doc)
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
        lemma = token.lemma_ or token.text.lower()
        tokens.append(
            Token(
                token.text,
                lemma,
                token.pos_ or "X",
                head,
                relation,
                token.idx,
                token.idx + len(token),
            )
        )
    return DependencyTree(text, tuple(tokens)) if tokens else None
