"""Semantic roles in a span group of any spaCy pipeline: ``spacy-roles:PIPELINE[,key=roles]``.

    doc.spans["roles"]     text          label_     id_     kb_id_
                           "Ann"         ARG0       1
                           "gave"        V          1       give.01
                           "Bob"         Recipient  1
                           "to read"     ARG1       2

A span's label is its role: one of the eight, a VerbNet role, or a PropBank label. A predicate has
the label ``V``, ``Verb``, ``rel`` or ``predicate``, and may have a PropBank roleset as ``kb_id_``.
Spans with the same ``id_`` belong to one predicate. A span without one belongs to the predicate
above it in the dependency tree, or to the nearest one. If no span is a predicate, the root is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hybridsem.parsers.adapters.span_frames import (
    PREDICATE_LABELS,
    continued,
    structure_of_predicates,
)
from hybridsem.parsers.trees.spacy import NEEDED, SpacyTrees, load, words_of
from hybridsem.structures import Argument, DependencyTree, Parsed, ParseFailure, Predicate

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

OPTIONS = ("key",)
"""Options after the pipeline's name: ``spacy-roles:NAME,key=sc``."""

_ROLESET = re.compile(r"[^\s-]+\.([0-9]{2,}|LV)")


class SpacyRoles:
    """A parser that reads a span group of a spaCy pipeline.

    With a dependency parser the structures have its trees. A sentence without the group, or without
    a predicate, is a :class:`ParseFailure`. ``pipeline`` is the name of an installed pipeline, a
    path, or a ``Language``. Raises :class:`MissingExtraError` (spaCy is not installed),
    :class:`AssetError` (the pipeline cannot be loaded).
    """

    def __init__(self, pipeline: str | Language, key: str = "roles") -> None:
        self.key = key
        self._spacy = SpacyTrees(load(pipeline) if isinstance(pipeline, str) else pipeline)

    @classmethod
    def from_options(cls, pipeline: str, options: Mapping[str, str]) -> SpacyRoles:
        """Return the parser of ``spacy-roles:PIPELINE,key=NAME``."""
        return cls(pipeline, **options)

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure or a failure for each sentence."""
        return [
            doc if isinstance(doc, ParseFailure) else self._structure(text, doc)
            for text, doc in zip(sentences, self._spacy.docs(sentences), strict=True)
        ]

    def _structure(self, text: str, doc: Doc) -> Parsed:
        if self.key not in doc.spans:
            groups = ", ".join(map(repr, doc.spans)) or "none"
            return ParseFailure(
                text, f"the spaCy pipeline gives no span group {self.key!r}; its groups: {groups}"
            )
        tree = self._spacy.tree(text, doc) if all(map(doc.has_annotation, NEEDED)) else None
        if isinstance(tree, ParseFailure):
            return tree
        words = words_of(doc)
        place = {token.i: index for index, token in enumerate(words)}
        spans = [(span, [place[t.i] for t in span if t.i in place]) for span in doc.spans[self.key]]
        spans = [(span, tokens) for span, tokens in spans if tokens]
        verbs = [pair for pair in spans if pair[0].label_.lower() in PREDICATE_LABELS]
        heads = [_head(tokens, tree) for _, tokens in verbs]
        found = [continued(tokens, head) for (_, tokens), head in zip(verbs, heads, strict=True)]
        if not heads and tree is not None and spans:
            heads, found = [tree.root], [[]]
        for span, tokens in spans:
            if heads and span.label_.lower() not in PREDICATE_LABELS:
                head = _head(tokens, tree)
                which = _owner(span, head, [verb for verb, _ in verbs], heads, tree)
                found[which].append(Argument(span.label_, tuple(tokens), head))
        names = [verb.kb_id_ for verb, _ in verbs] or [""]
        rolesets = [name if _ROLESET.fullmatch(name) else None for name in names]
        predicates = [
            Predicate(head, words[head].lemma_ or words[head].lower_, roleset, tuple(arguments))
            for head, roleset, arguments in zip(heads, rolesets, found, strict=False)
        ]
        return structure_of_predicates(text, [word.text for word in words], predicates, tree=tree)


def _head(tokens: Sequence[int], tree: DependencyTree | None) -> int:
    if tree is None:
        return tokens[0]
    return next((t for t in tokens if tree[t].head not in tokens), tokens[0])


def _owner(
    span: Span, head: int, verbs: Sequence[Span], heads: Sequence[int], tree: DependencyTree | None
) -> int:
    """Return the place of an argument's predicate; ``heads`` are the predicates' words."""
    if span.id_:
        for which, verb in enumerate(verbs):
            if verb.id_ == span.id_:
                return which
    above = head
    while tree is not None and (above := tree[above].head) >= 0:
        if above in heads:
            return heads.index(above)
    return min(range(len(heads)), key=lambda which: abs(heads[which] - head))
