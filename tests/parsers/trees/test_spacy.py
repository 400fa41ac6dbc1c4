"""The adapter with real spaCy pipelines whose parser reads its trees from a table: no model is
needed.
"""

import sys
from pathlib import Path

import pytest
import spacy

from hybridsem import Pipeline
from hybridsem.errors import AssetError, InputError, MissingExtraError
from hybridsem.parsers.trees.spacy import SpacyTrees
from hybridsem.structures import DependencyTree, ParseFailure, Token

# word: (UPOS, relation, governor's offset from the word, lemma)
Lexicon = dict[str, tuple[str, str, int, str]]

UD: Lexicon = {
    "Owls": ("NOUN", "nsubj", 1, "owl"),
    "hunt": ("VERB", "ROOT", 0, "hunt"),
    "Moles": ("NOUN", "nsubj", 1, "mole"),
    "hide": ("VERB", "ROOT", 0, "hide"),
    "at": ("ADP", "case", 1, "at"),
    "night": ("NOUN", "obl", -2, "night"),
    ".": ("PUNCT", "punct", -1, "."),
    "  ": ("SPACE", "dep", -1, "  "),
}
CLEARNLP: Lexicon = UD | {"at": ("ADP", "prep", -1, "at"), "night": ("NOUN", "pobj", -1, "night")}


class TableParser:
    """Annotates words from a lexicon; ``labels`` are what a trained parser would report."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.labels = tuple(sorted({relation for _, relation, _, _ in lexicon.values()}))

    def __call__(self, doc: spacy.tokens.Doc) -> spacy.tokens.Doc:
        for token in doc:
            token.pos_, token.dep_, offset, token.lemma_ = self.lexicon[token.text]
            token.head = doc[token.i + offset]
        return doc


@spacy.Language.factory("parser_from_table")
def _factory(nlp: spacy.Language, name: str, scheme: str) -> TableParser:
    return TableParser({"ud": UD, "clearnlp": CLEARNLP}[scheme])


def pipeline(scheme: str) -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("parser_from_table", name="parser", config={"scheme": scheme})
    return nlp


@pytest.fixture
def ud() -> SpacyTrees:
    return SpacyTrees(pipeline("ud"))


def test_words_with_lemma_pos_head_relation_and_offsets(ud: SpacyTrees) -> None:
    [tree] = ud.trees(["Owls hunt at night."])
    assert tree == DependencyTree(
        "Owls hunt at night.",
        (
            Token("Owls", "owl", "NOUN", 1, "nsubj", 0, 4),
            Token("hunt", "hunt", "VERB", -1, "root", 5, 9),
            Token("at", "at", "ADP", 3, "case", 10, 12),
            Token("night", "night", "NOUN", 1, "obl", 13, 18),
            Token(".", ".", "PUNCT", 3, "punct", 18, 19),
        ),
    )


def test_clearnlp_and_ud_pipelines_give_the_same_tree(ud: SpacyTrees) -> None:
    sentences = ["Owls hunt at night.", "Owls hunt"]
    assert SpacyTrees(pipeline("clearnlp")).trees(sentences) == ud.trees(sentences)


def test_later_sentences_hang_on_the_first(ud: SpacyTrees) -> None:
    [tree] = ud.trees(["Owls hunt. Moles hide. Moles hide"])
    assert tree.is_tree()
    assert [(t.text, t.relation, t.head) for t in tree if t.text in {"hunt", "hide"}] == [
        ("hunt", "root", -1),
        ("hide", "parataxis", 1),
        ("hide", "parataxis", 1),
    ]


@pytest.mark.parametrize(
    ("changed", "text", "expected"),
    [
        # "night" depends on the blanks, or the blanks are the root.
        (
            {"night": ("NOUN", "obl", -1, "night")},
            "Owls hunt   night",
            [
                *(("owl", "NOUN", 1, "nsubj", 0), ("hunt", "VERB", -1, "root", 5)),
                ("night", "NOUN", 1, "obl", 12),
            ],
        ),
        (
            {"  ": ("SPACE", "ROOT", 0, ""), "night": ("NOUN", "dep", -1, "night")},
            "  night",
            [("night", "NOUN", -1, "root", 2)],
        ),
        # Without lemma and part of speech.
        (
            {"Owls": ("", "nsubj", 1, "")},
            "Owls hunt",
            [("owls", "X", 1, "nsubj", 0), ("hunt", "VERB", -1, "root", 5)],
        ),
    ],
)
def test_what_a_pipeline_lacks(changed: Lexicon, text: str, expected: list[object]) -> None:
    nlp = pipeline("ud")
    nlp.get_pipe("parser").lexicon = UD | changed
    [tree] = SpacyTrees(nlp).trees([text])
    assert [(t.lemma, t.pos, t.head, t.relation, t.start) for t in tree] == expected


def test_one_result_a_sentence_in_order_whatever_cannot_be_parsed(ud: SpacyTrees) -> None:
    ud.pipeline.max_length = 30
    sentences = ["", "Owls hunt", " \n", "Moles \ud800", "Owls hunt" * 9, "Moles hide"]
    results = ud.trees(sentences)
    assert [result.text for result in results] == sentences
    reasons = [result.reason if isinstance(result, ParseFailure) else None for result in results]
    assert reasons[1] is reasons[5] is None
    assert [str(reasons[i])[:31] for i in (0, 2)] == ["the text is empty or blank, got"] * 2
    assert "lone surrogate" in str(reasons[3])
    assert "81 characters are more than the 30" in str(reasons[4])
    assert ud.trees([]) == []


def test_what_is_refused(ud: SpacyTrees, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="row 1, got None"):
        ud.trees(["Owls hunt", None])
    blank = spacy.blank("en")
    blank.add_pipe("sentencizer")
    with pytest.raises(InputError, match="no dependency parser, its components: sentencizer"):
        SpacyTrees(blank).trees(["Owls hunt"])
    untagged = pipeline("ud")
    untagged.get_pipe("parser").lexicon = {word: ("", *rest) for word, (_, *rest) in UD.items()}
    with pytest.raises(InputError, match=r"no parts of speech.*add a morphologizer.*parser"):
        Pipeline("dependency-cn", parser=untagged).similarity("Owls hunt.", "Moles hunt.")
    ud.pipeline.to_disk(tmp_path / "table")
    assert SpacyTrees(str(tmp_path / "table")).trees(["Owls hunt"]) == ud.trees(["Owls hunt"])
    with pytest.raises(AssetError, match=r"'en_no_such'.*python -m spacy download en_no_such"):
        SpacyTrees("en_no_such")
    with pytest.raises(AssetError, match=r"cannot be loaded.*meta\.json"):
        SpacyTrees(str(tmp_path))
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'hybridsem\[spacy\]'"):
        SpacyTrees("en_core_web_sm")


def test_a_language_is_a_parser(ud: SpacyTrees) -> None:
    pair = "Owls hunt at night.", "Moles hide at night."
    for model in ("hybrid", "verbnet-cn", "dependency-cn"):
        given = Pipeline(model, parser=ud.pipeline)
        assert given.similarity(*pair) == Pipeline(model, parser=ud).similarity(*pair)
