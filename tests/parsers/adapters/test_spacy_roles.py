"""Roles from a spaCy pipeline's span group; the spans come from a table, so no model is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem.errors import AssetError, UnknownNameError
from hybridsem.parsers.adapters.spacy_roles import SpacyRoles
from hybridsem.structures import ParseFailure, RoleStructure

spacy = pytest.importorskip("spacy")

TEXT = "Ann gave Bob a book to read yesterday"
HEADS = [
    *(("nsubj", 1), ("ROOT", 1), ("iobj", 1), ("det", 4)),
    *(("obj", 1), ("mark", 6), ("acl", 4), ("advmod", 1)),
]

# start, end, label, id, what it is in a knowledge base
Spans = list[tuple[int, int, str, str, str]]
WITH_IDS: Spans = [
    (0, 1, "ARG0", "give", ""),
    (1, 2, "V", "give", "give.01"),
    (2, 3, "Recipient", "give", ""),
    (3, 7, "ARG1", "give", ""),
    (7, 8, "ARGM-TMP", "give", ""),
    (3, 5, "ARG1", "read", ""),
    (6, 7, "V", "read", "read-14"),
]


class Annotate:
    """Sets the spans, and the tree where there is to be one."""

    def __init__(self, spans: Spans, parsed: bool, key: str) -> None:
        self.spans, self.parsed, self.key = spans, parsed, key

    def __call__(self, doc: spacy.tokens.Doc) -> spacy.tokens.Doc:
        if self.parsed and len(doc) == len(HEADS):
            for token, (relation, head) in zip(doc, HEADS, strict=True):
                token.dep_, token.head = relation, doc[head]
                token.pos_ = "VERB" if relation == "ROOT" else "NOUN"
        if self.key:
            doc.spans[self.key] = [
                spacy.tokens.Span(doc, a, b, label, kb_id=kb, span_id=name)
                for a, b, label, name, kb in self.spans
            ]
        return doc


@spacy.Language.factory("annotate_roles")
def _factory(
    nlp: spacy.Language, name: str, spans: list[list[object]], parsed: bool, key: str
) -> Annotate:
    return Annotate([tuple(span) for span in spans], parsed, key)  # type: ignore[misc]


def pipeline(spans: Spans, parsed: bool = True, key: str = "roles") -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe(
        "annotate_roles", config={"spans": [list(s) for s in spans], "parsed": parsed, "key": key}
    )
    return nlp


def roles(structure: object, frame: int = 0) -> dict[str, str]:
    assert isinstance(structure, RoleStructure), structure
    return {str(role): filler.text for role, filler in structure.frames[frame].fillers.items()}


@pytest.mark.parametrize("parsed", [True, False])
def test_spans_with_ids(parsed: bool) -> None:
    (structure,) = SpacyRoles(pipeline(WITH_IDS, parsed)).parse([TEXT])
    main = {"Agent": "Ann", "Verb": "gave", "Patient": "Bob", "Theme": "a book to read"}
    assert roles(structure) == main | {"Time": "yesterday"}
    assert roles(structure, 1) == {"Verb": "read", "Theme": "a book"}
    assert isinstance(structure, RoleStructure)
    # A VerbNet class is not a roleset.
    assert [frame.roleset for frame in structure.frames] == ["give.01", None]
    assert (structure.tree is not None) == parsed
    assert structure.roles["Theme"].head == (4 if parsed else None)


@pytest.mark.parametrize("parsed", [True, False])
def test_without_ids_the_predicate_is_the_governing_or_the_nearest_one(parsed: bool) -> None:
    spans: Spans = [(a, b, label, "", "") for a, b, label, *_ in WITH_IDS if (a, b) != (3, 5)]
    (structure,) = SpacyRoles(pipeline(spans, parsed)).parse([TEXT])
    found = [roles(structure, 0), roles(structure, 1)]
    if parsed:  # "a book to read" hangs from "gave"
        assert found[0]["Theme"] == "a book to read"
        assert found[1] == {"Verb": "read"}
    else:  # "yesterday" stands beside "read"
        assert found[1] == {"Verb": "read", "Time": "yesterday"}


def test_without_a_predicate_the_root_is_it() -> None:
    spans: Spans = [(0, 1, "Agent", "", ""), (3, 5, "Theme", "", "")]
    (structure,) = SpacyRoles(pipeline(spans)).parse([TEXT])
    assert roles(structure) == {"Verb": "gave", "Agent": "Ann", "Theme": "a book"}
    (failure,) = SpacyRoles(pipeline(spans, parsed=False)).parse([TEXT])
    assert failure == ParseFailure(TEXT, "no predicate was found in it")


def test_failures_are_those_of_their_sentence() -> None:
    parser = SpacyRoles(pipeline([(0, 1, "V", "", "")], parsed=False))
    blank, word, long = parser.parse([" ", "Go", "x" * 1_000_001])
    assert isinstance(blank, ParseFailure)
    assert roles(word) == {"Verb": "Go"}
    assert isinstance(long, ParseFailure)
    assert SpacyRoles(pipeline([])).parse([TEXT]) == [
        ParseFailure(TEXT, "no predicate was found in it")
    ]
    (missing,) = SpacyRoles(pipeline(WITH_IDS, key="sc")).parse([TEXT])
    assert missing == ParseFailure(
        TEXT, "the spaCy pipeline gives no span group 'roles'; its groups: 'sc'"
    )
    assert isinstance(SpacyRoles(pipeline(WITH_IDS, key="")).parse([TEXT])[0], ParseFailure)


def test_by_name(tmp_path: Path) -> None:
    pipeline(WITH_IDS, key="sc").to_disk(tmp_path / "roles")
    nlp = Pipeline("verbnet-cn", parser=f"spacy-roles:{tmp_path / 'roles'},key=sc")
    assert roles(nlp.parse([TEXT])[0])["Patient"] == "Bob"
    assert nlp.similarity(TEXT, TEXT) == pytest.approx(1)
    with pytest.raises(AssetError, match="no spaCy pipeline 'none'"):
        Pipeline("verbnet-cn", parser="spacy-roles:none")
    with pytest.raises(UnknownNameError, match="unknown option, got 'group'"):
        Pipeline("verbnet-cn", parser="spacy-roles:x,group=y")
