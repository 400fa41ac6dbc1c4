"""Sentence analogies are made: frames, rules and their checks, distractors, the files that they
come from.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.blocks import cases
from support.evaluated import written

pytest.importorskip("lemminflect")

from benchmarks.command import run
from benchmarks.corpora import relations
from benchmarks.corpora.analogies import build, main
from benchmarks.corpora.clause import Clause, EditedSentence, clause_of
from benchmarks.corpora.distractors import distractors
from benchmarks.corpora.sources import (
    closed_up,
    framed,
    read_entailments,
    read_sentences,
    read_word_pairs,
)
from hybridsem.datasets.analogies import DISTRACTORS, MASK, read
from hybridsem.errors import FormatError, InputError, UnknownNameError
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


def test_distractors(parser: EmbeddedTrees) -> None:
    texts = [
        "A very young boy in a red hat is slowly riding his new bike.",
        "The judge wrote a letter.",
    ]
    trees = parser.trees(texts)
    found = distractors(trees[0], seed=1)
    assert tuple(found) == DISTRACTORS
    assert len({texts[0], *found.values()}) == 6
    assert found == distractors(parser.trees(texts[::-1])[1], seed=1)  # whatever else is parsed
    assert found != distractors(trees[0], seed=2)
    words = {kind: text.lower().rstrip(".").split() for kind, text in found.items()}
    assert sorted(words["reordering"]) == sorted(texts[0].lower().rstrip(".").split())
    assert 1 <= found["masking"].count(MASK) < 14
    assert 9 <= len(words["deletion"]) < 14  # adverbs, adjectives, determiners, auxiliaries stay
    assert {"very", "young", "red", "is", "slowly", "new"} <= set(words["deletion"])
    assert 7 <= len(words["span"]) < 13  # two spans, no more than half of the words
    for seed in range(20):  # what is taken is never drawn
        one = distractors(trees[1], seed, ("The judge wrote a.", "Wrote a letter the judge."))
        assert {"The judge wrote a.", "Wrote a letter the judge."}.isdisjoint(one.values())


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
    (tmp_path / "words.txt").write_text(": family\nking queen\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: expected four words"):
        read_word_pairs(tmp_path / "words.txt")


@pytest.mark.parametrize("lines", cases(__file__, "framed.txt"))
def test_words_in_frames_that_suit_them(lines: list[str]) -> None:
    category, words, one, other = lines
    first, second = words.split()
    other = one.replace(f" {first} ", f" {second} ") if other == "-" else other
    assert (one, other) in framed(category, [(first, second)])


def test_sentences_and_entailments_of_files(tmp_path: Path) -> None:
    word = "{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n".format
    tree = [word(1, "Ann", "Ann", "PROPN", 2, "nsubj"), word(2, "left", "leave", "VERB", 0, "root")]
    files = {
        "a.txt": "\nA dog is barking loudly .\nВася любит кошек.\nA dog is barking loudly.\n",
        "b.tsv": "s1\ts2\nThe old dog is barking\tThe cat sleeps , too\n",  # without full stops
        "c.conllu": "".join([*tree, word(3, "early.", "early", "ADV", 2, "advmod")]) + "\n",
        "nli.tsv": "premise\thypothesis\tlabel\nA dog barks .\tA dog is loud .\tentailment\n"
        "A dog barks .\tA cat is loud .\tneutral\n",
        "none.txt": "dog\n",
    }
    paths = {name: tmp_path / name for name in files}
    for name, path in paths.items():
        path.write_text(files[name], encoding="utf-8")
    assert read_sentences([paths[name] for name in ("a.txt", "b.tsv", "c.conllu")]) == [
        "A dog is barking loudly.",
        "The old dog is barking.",
        "The cat sleeps, too.",
        "Ann left early.",
    ]
    assert closed_up("It does n't bark , he 's sure .") == "It doesn't bark, he's sure."
    assert read_entailments(paths["nli.tsv"]) == [("A dog barks.", "A dog is loud.")]
    with pytest.raises(InputError, match="no sentence that can be used"):
        read_sentences([paths["none.txt"]])
    with pytest.raises(FormatError, match="no column of label, gold_label"):
        read_entailments(paths["b.tsv"])


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


@pytest.mark.parametrize(
    ("category", "sizes", "said"),
    [
        ("plurals", None, "unknown category, got 'plurals'. Did you mean 'plural"),
        ("plural", {"plural": 1}, "a size is at least 2 pairs, got 1"),
        ("comparative", None, r"'comparative': got 0 of 466 pairs \(no sen"),
        ("currency", None, "category 'currency' is made from a file of word analogies"),
    ],
)
def test_what_cannot_be_made(
    parser: EmbeddedTrees, category: str, sizes: dict[str, int] | None, said: str
) -> None:
    with pytest.raises((InputError, UnknownNameError), match=said):
        build(sentences=SENTENCES[-1:], categories=[category], sizes=sizes, parser=parser)


def test_analogies_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text(WORDS, encoding="utf-8")
    written(Path("texts.txt"), *SENTENCES)
    given = "-o made.jsonl --words words.txt --sentences texts.txt --seed 7 --size gender=5"
    monkeypatch.setattr(sys, "argv", ["", *given.split(), "--categories", "gender", "negation"])
    run(main)
    said = capsys.readouterr().out
    assert "pairs of 2 categories" in said
    assert "negation: got" in said
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
