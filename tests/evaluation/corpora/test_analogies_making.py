"""Sentence analogies are made: frames, rules and their checks, distractors, the files that they
come from.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.blocks import cases
from support.commands import Run
from support.evaluated import written

from hybridsem.datasets.analogies import DISTRACTORS, MASK
from hybridsem.datasets.analogy_files import read
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.english.inflection import inflected
from hybridsem.errors import FormatError, InputError, MissingExtraError, UnknownNameError
from hybridsem.evaluation.corpora.analogies import relations
from hybridsem.evaluation.corpora.analogies.build import build
from hybridsem.evaluation.corpora.analogies.clause import Clause, EditedSentence, clause_of
from hybridsem.evaluation.corpora.analogies.distractors import distractors
from hybridsem.evaluation.corpora.analogies.sources import (
    closed_up,
    framed,
    read_entailments,
    read_sentences,
    read_word_pairs,
)
from hybridsem.parsers.trees.embedded import EmbeddedTrees

WORDS = """: capital-common-countries
Oslo Norway Rome Italy
Rome Italy Oslo New_Norway

: family
king queen he she
son daughter uncles aunts
"""

SENTENCES = [
    "A boy is eating an apple.",
    "The old nurse was reading a long letter.",
    "A small dog chased the red ball.",
    "Two girls are singing in the garden.",
    "The teacher said that the train was late.",
    "My sister thinks that he sold the car.",
    "A farmer is feeding the hungry horses.",
    "The judge wrote a letter.",
]


@pytest.fixture(scope="module")
def parser(encoder: EmbeddedEncoder) -> EmbeddedTrees:
    return EmbeddedTrees(encoder)


RULES: Mapping[str, Callable[[Clause], EditedSentence | None]] = {
    "plural": relations.plural,
    "comparative": relations.comparative,
    "opposite": relations.Opposite(),
    "opposite: odd, ordinary": relations.Opposite([("odd", "ordinary")]),
    "conjugated": relations.conjugated,
    "negated": relations.negated,
    "passive": relations.passive,
    "reported": relations.reported,
    "predicative": relations.predicative,
}


@pytest.mark.parametrize("lines", cases(__file__))
def test_a_rule_makes_good_english_or_nothing(parser: EmbeddedTrees, lines: list[str]) -> None:
    rule, given, made = lines
    [tree] = parser.trees([given])
    clause = clause_of(tree)
    assert clause is not None
    found = RULES[rule](clause)
    assert (found.text if found else "-") == made
    if found is not None:
        [after] = parser.trees([found.text])
        assert found.missing(after) is None
        assert found.missing(tree) is not None  # what was made is not there before


@pytest.mark.parametrize("lines", cases(__file__, "no_clauses.txt"))
def test_other_sentences_are_no_clauses(parser: EmbeddedTrees, lines: list[str]) -> None:
    [text] = lines
    [tree] = parser.trees([text])
    assert clause_of(tree) is None


def test_the_library_of_inflections_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    inflected.cache_clear()
    with pytest.raises(MissingExtraError, match=r"hybridsem\[analogies\]"):
        inflected("walk", "VBD")
    inflected.cache_clear()


def test_distractors(parser: EmbeddedTrees) -> None:
    texts = [
        "A very young boy in a red hat is slowly riding his new bike.",
        "The judge wrote a letter.",
    ]
    trees = parser.trees(texts)
    found = distractors(trees[0], seed=1)
    assert tuple(found) == DISTRACTORS
    assert len({texts[0], *found.values()}) == 6
    assert found == distractors(
        parser.trees(texts[::-1])[1], seed=1
    )  # the order of items does not matter
    assert found != distractors(trees[0], seed=2)
    assert found["negation"] == "A very young boy in a red hat is not slowly riding his new bike."
    assert 1 <= found["masking"].count(MASK) < 14
    kept = found["deletion"].lower().rstrip(".").split()
    assert 14 - 5 <= len(kept) < 14  # of "boy", "in", "hat", "riding", "his", "bike" not all
    assert {"very", "young", "red", "is", "slowly", "new"} <= set(
        kept
    )  # adverbs, adjectives, determiners, auxiliaries
    assert sorted(found["reordering"].lower().rstrip(".").split()) == sorted(
        texts[0].lower().rstrip(".").split()
    )
    assert 7 <= len(found["span"].split()) < 14 - 1  # two spans, no more than half of the words
    assert all(
        text.endswith(".") and text[0].isupper()
        for text in found.values()
        if not text.startswith(MASK)
    )
    for seed in range(20):  # what is taken is never drawn
        one = distractors(trees[1], seed, ("The judge wrote a.", "Wrote a letter the judge."))
        assert {"The judge wrote a.", "Wrote a letter the judge."}.isdisjoint(one.values())
        assert len(set(one.values())) == len(one)


@pytest.mark.parametrize("lines", cases(__file__, "denied.txt"))
def test_not_is_taken_from_a_negative_answer(parser: EmbeddedTrees, lines: list[str]) -> None:
    text, denied = lines
    [tree] = parser.trees([text])
    assert distractors(tree, 0)["negation"] == denied


def test_word_pairs(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    pairs = read_word_pairs(tmp_path / "words.txt")
    assert pairs["capital-common-countries"] == (
        ("Oslo", "Norway"),
        ("Rome", "Italy"),
        ("Oslo", "New Norway"),
    )
    assert len(framed("common capitals", pairs["capital-common-countries"])) == 18
    gender = framed("gender", pairs["family"])
    assert len(gender) == 24  # three pairs of nouns, and "he" in frames of its own


@pytest.mark.parametrize("lines", cases(__file__, "framed.txt"))
def test_words_in_frames_that_suit_them(lines: list[str]) -> None:
    category, words, one, other = lines
    first, second = words.split()
    other = one.replace(f" {first} ", f" {second} ") if other == "-" else other
    assert (one, other) in framed(category, [(first, second)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (": family\nking queen\n", "line 2: expected four words"),
        ("king queen man woman\n", "line 1: expected a section"),
        (": family\n\n", "no word analogies"),
        (": family\nking queen man \u200b\n", "line 2: a word that cannot be used"),
    ],
)
def test_files_that_are_no_word_analogies(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "words.txt").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        read_word_pairs(tmp_path / "words.txt")


def test_sentences_of_files(tmp_path: Path) -> None:
    lines = [
        "",
        "A dog is barking loudly .",
        "\x07\x00",
        "Вася любит кошек.",
        "x" * 100_000,
        "A dog is barking loudly.",
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines).replace("\x00", ""), encoding="utf-8")
    (tmp_path / "b.tsv").write_text(
        "premise\thypothesis\tlabel\nTwo cats are asleep .\tCats sleep all day .\t-\n", "utf-8"
    )
    (tmp_path / "c.conllu").write_text(
        "1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tleft\tleave\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\tearly\tearly\tADV\t_\t_\t2\tadvmod\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n",
        encoding="utf-8",
    )
    paths = [tmp_path / name for name in ("a.txt", "b.tsv", "c.conllu")]
    assert read_sentences(paths) == [
        "A dog is barking loudly.",
        "Two cats are asleep.",
        "Cats sleep all day.",
        "Ann left early.",
    ]
    path = tmp_path / "stopless.tsv"
    path.write_text("s1\ts2\nA dog is barking loudly\tThe cat sleeps , too\n", encoding="utf-8")
    assert read_sentences([path]) == ["A dog is barking loudly.", "The cat sleeps, too."]
    assert closed_up("It does n't bark , he 's sure .") == "It doesn't bark, he's sure."
    (tmp_path / "bad.txt").write_bytes(b"A dog is barking.\n\xff\xfe\n")
    with pytest.raises(FormatError, match="line 2: not UTF-8"):
        read_sentences([tmp_path / "bad.txt"])
    (tmp_path / "none.txt").write_text("dog\n", encoding="utf-8")
    with pytest.raises(InputError, match="no sentence that can be used"):
        read_sentences([tmp_path / "none.txt"])


def test_entailments_of_files(tmp_path: Path) -> None:
    rows = [
        "A dog is barking .\tA dog is loud .\tentailment",
        "A dog is barking .\tA cat is loud .\tneutral",
    ]
    path = tmp_path / "nli.tsv"
    path.write_text("\n".join(["premise\thypothesis\tlabel", *rows]) + "\n", encoding="utf-8")
    assert read_entailments(path) == [("A dog is barking.", "A dog is loud.")]
    path.write_text(path.read_text(encoding="utf-8").replace(" .", ""), encoding="utf-8")
    assert read_entailments(path) == [("A dog is barking.", "A dog is loud.")]
    path.write_text("premise\thypothesis\tsource\nA b c .\tA b d .\tx\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no column of label, gold_label"):
        read_entailments(path)
    path.write_text("\n".join(["premise\thypothesis\tlabel", rows[1]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="no plain sentences labelled 'entailment'"):
        read_entailments(path)


def test_what_is_made_goes_by_texts_and_seed(parser: EmbeddedTrees) -> None:
    wanted = ["negation", "passivisation"]
    built = build(sentences=SENTENCES, categories=wanted, parser=parser)
    again = build(sentences=SENTENCES[::-1], categories=wanted[::-1], parser=parser)
    found = {one.name: one for one in built.analogies.categories}
    assert found == {one.name: one for one in again.analogies.categories}
    pairs = {pair.a: pair.b for pair in found["passivisation"].pairs}
    assert (
        pairs["A farmer is feeding the hungry horses."]
        == "The hungry horses are being fed by a farmer."
    )
    assert all(tuple(pair.distractors) == DISTRACTORS for pair in found["passivisation"].pairs)
    denials = {pair.b: pair for pair in found["negation"].pairs}  # from negative to positive
    assert denials["A boy is eating an apple."].a == "A boy is not eating an apple."
    assert all(tuple(pair.distractors) == DISTRACTORS[1:] for pair in denials.values())
    other = build(sentences=SENTENCES, categories=wanted, parser=parser, seed=1)
    assert other.analogies != built.analogies
    few = build(sentences=SENTENCES, categories=["negation"], sizes={"negation": 2}, parser=parser)
    assert [len(one.pairs) for one in few.analogies.categories] == [2]
    assert not few.short
    assert built.short["negation"] == (len(found["negation"].pairs), 511)


def test_what_cannot_be_made(parser: EmbeddedTrees) -> None:
    for words, sentences, category, sizes, said in (
        (None, SENTENCES, "plurals", None, "unknown category, got 'plurals'. Did you mean 'plural"),
        (None, SENTENCES, "plural", {"plural": 1}, "a size is at least 2 pairs, got 1"),
        (None, SENTENCES, "plural", {"negation": 9}, "a size is of a category that is made, got 9"),
        (None, SENTENCES[-1:], "comparative", None, r"'comparative': got 0 of 466 pairs \(no sen"),
        ({"family": [("son", "her")]}, (), "currency", None, "unknown section for the category"),
        (None, (), None, None, "nothing to make analogies from"),
    ):
        with pytest.raises((InputError, UnknownNameError), match=said):
            build(words, sentences, categories=category and [category], sizes=sizes, parser=parser)


def test_analogies_from_the_command_line(run: Run) -> None:
    Path("words.txt").write_text(WORDS, encoding="utf-8")
    written(Path("texts.txt"), *SENTENCES)
    build = "analogies build -o made.jsonl --words words.txt --sentences texts.txt --seed 7"
    said = run(f"{build} --categories gender,negation --size gender=5")
    assert "pairs of 2 categories" in said.out
    assert "note: negation: got" in said.err
    made = read(Path("made.jsonl"))
    assert [(one.name, one.group, one.has_distractors) for one in made.categories] == [
        ("gender", "semantic", False),
        ("negation", "relational", True),
    ]
    about = json.loads(Path("made.manifest.json").read_text(encoding="utf-8"))
    assert (about["seed"], about["pairs sha256"]) == (7, made.sha256)
    counts = {"pairs": 5, "asked for": 5, "tried": 24, "left out": {}}
    assert about["categories"]["gender"] == {"group": "semantic", **counts}
    assert about["sources"]["words"][0]["name"] == "words.txt"
    assert "## negation" in Path("made.samples.md").read_text(encoding="utf-8")
