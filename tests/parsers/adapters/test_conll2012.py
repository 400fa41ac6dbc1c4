"""Semantic roles in the columns of CoNLL-2012, in and out."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.trees import tree as parsed

from hybridsem import Pipeline
from hybridsem.errors import FormatError, InputError
from hybridsem.parsers.adapters.conll2012 import BEGIN, END, format_conll2012, read_conll2012
from hybridsem.structures import (
    Argument,
    DependencyTree,
    Frame,
    ParseFailure,
    Predicate,
    Role,
    RoleStructure,
)
from hybridsem.structures import Filler as Phrase

WRITTEN = """\
#begin document (pets); part 000
pets 0 0 The    DT   (TOP* -     -  - - * (ARG1*    *         -
pets 0 1 dog    NN   *     -     -  - - * *         (ARG0*)   -
pets 0 2 that   WDT  *     -     -  - - * *         (R-ARG0*) (4)
pets 0 3 barked VBD  *     bark  01 - - * *)        (V*)      -
pets 0 4 ca     MD   *     -     -  - - * (ARGM-MOD*) *       -
pets 0 5 n't    RB   *     -     -  - - * (ARGM-NEG*) *       -
pets 0 6 be     VB   *     -     -  - - * *         *         -
pets 0 7 locked VBN  *     lock  02 - - * (V*)      *         -
pets 0 8 up     RP   *     -     -  - - * (C-V*)    *         -
pets 0 9 at     IN   *     -     -  - - * (ARGM-TMP* *        -
pets 0 10 night NN   *     -     -  - - * *)        *         -
pets 0 11 -RRB- -RRB- *)   -     -  - - * *         *         -

pets 0 0 Hm     UH   (TOP*) -    -  - - * -
#end document
"""


def roles(structure: object, frame: int = 0) -> dict[str, str]:
    return {str(role): filler.text for role, filler in structure.frames[frame].fillers.items()}


def file(folder: Path, text: str) -> Path:
    path = folder / "roles.conll"
    path.write_text(text, encoding="utf-8")
    return path


def test_reading(tmp_path: Path) -> None:
    first, second = read_conll2012(
        file(tmp_path, WRITTEN.replace("pets 0 0 Hm     UH   (TOP*) -", "x 0 0 Hm UH * -"))
    )
    assert first.text == "The dog that barked ca n't be locked up at night )"
    # the main predicate stands in no argument of another; there is a continuation of it, and a
    # reference in no role
    assert roles(first) == {"Verb": "locked up", "Theme": "The dog that barked", "Time": "at night"}
    assert (first.main.roleset, first.main.negated, first.main.modality) == ("lock.02", True, "can")
    assert roles(first, 1) == {"Verb": "barked", "Agent": "dog"}
    assert [frame.predicate for frame in first.frames] == ["lock", "bark"]
    assert first.roles[Role.THEME].words == ("dog", "barked")
    assert [argument.label for argument in first.frames[1].arguments] == ["ARG0", "R-ARG0"]
    assert second == ParseFailure("Hm", "no predicate was found in it")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "pets 0 8 up     RP ",
            "pets 0 8 up",
            10,
            "expected 14 columns, as in the sentence's first row, got 13",
        ),
        ("pets 0 0 Hm     UH   (TOP*)", "pets 0 0 Hm", 15, "expected at least 11 columns, got 10"),
        ("*)        (V*)", "*         (V*)", 2, "column 12: the bracket of ARG1 does not close"),
        ("(ARGM-MOD*)", "*)", 6, "column 12: a bracket closes that is not open"),
        ("(C-V*)", "C-V", 10, r"column 12: expected \(LABEL\*, \* or \*\), got 'C-V'"),
        ("(ARGM-TMP*", "(ARGM-TMP(*", 11, "column 12: expected"),
    ],
)
def test_damaged_files_are_told_with_their_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert WRITTEN.count(old) == 1
    with pytest.raises(FormatError, match=message) as caught:
        list(read_conll2012(file(tmp_path, WRITTEN.replace(old, new))))
    assert caught.value.line == line


def test_other_problems_with_files(tmp_path: Path) -> None:
    unmarked = WRITTEN.replace("(V*)", "*").replace("01 -", "-  -")
    with pytest.raises(FormatError, match=r"column 12 marks no predicate with \(V\*\)"):
        list(read_conll2012(file(tmp_path, unmarked)))
    assert list(read_conll2012(file(tmp_path, ""))) == []


def test_files_of_other_hands_say_the_same(tmp_path: Path) -> None:
    expected = list(read_conll2012(file(tmp_path, WRITTEN)))
    rows = [line.split() for line in WRITTEN.splitlines()]
    without = (row[:-1] if row[:1] == ["pets"] else row for row in rows)
    for text in (
        "\ufeff" + "\r\n".join("\t".join(row) for row in rows),
        "\n".join(map(" ".join, without)),  # no coreference
        WRITTEN.replace("\n\n", "\n#end document\n#begin document (more); part 000\n"),
    ):
        assert list(read_conll2012(file(tmp_path, text))) == expected
    escaped = WRITTEN.replace(" -RRB- -RRB-", " /. .").replace("Hm     UH", "/?   .")
    found = [each.text for each in read_conll2012(file(tmp_path, escaped))]
    assert found == [expected[0].text.replace(")", "."), "?"]


def only(folder: Path, *changes: tuple[str, str]) -> RoleStructure:
    """The first sentence, with changes to the file."""
    text = WRITTEN
    for old, new in changes:
        text = text.replace(old, new)
    structure = next(read_conll2012(file(folder, text)))
    return structure


@pytest.mark.parametrize(
    ("label", "role"),
    [("Patient", "Patient"), ("beneficiary", "Patient"), ("ARG0", "Agent"), ("ARG3", "Theme")],
)
def test_labels_of_all_inventories(tmp_path: Path, label: str, role: str) -> None:
    assert role in roles(only(tmp_path, ("ARGM-TMP", label)))


def test_words_labels_and_rolesets(tmp_path: Path) -> None:
    assert roles(only(tmp_path, (" dog ", " d\u00a0\u0007犬# ")), 1)["Agent"] == "d\u00a0\u0007犬#"
    unknown = only(tmp_path, ("ARGM-TMP", "Whim"))
    assert set(roles(unknown)) == {"Verb", "Theme"}
    assert ("Whim", None) in [(a.label, a.role) for a in unknown.main.arguments]
    auxiliary = (("bark  01", "have  01"), ("(ARG0*) ", "*       "), ("(R-ARG0*)", "*"))
    assert [frame.roleset for frame in only(tmp_path, *auxiliary).frames] == ["lock.02"]
    for lemma, number, role in (("give", "ARG2", "Patient"), ("like", "ARG0", "Agent")):
        known = only(tmp_path, ("lock  02", f"{lemma} 01"), ("(ARG1*", f"({number}*"))
        assert roles(known)[role] == "The dog that barked"
        assert all(a.verbnet for a in known.main.arguments if a.label == number)


def test_what_is_written(tmp_path: Path) -> None:
    of = parsed(
        "Lock/VERB/root/0 the/DET/det/3 dog/NOUN/obj/1 up/ADP/compound:prt/1 (/PUNCT/punct/1"
    )
    arguments = (Argument("ARG1", (1, 2), 2, ("theme",), Role.THEME), Argument("C-V", (3,), 3))
    tree = replace(of, predicates=(Predicate(0, "lock", "lock.02", arguments),))
    frame = Frame(
        "lock up",
        {"Verb": Phrase("Lock up", ("lock", "up"), (0, 3), 0), "Theme": Phrase("x", (), (1, 2), 2)},
    )
    structure = RoleStructure(tree.text, (frame,), tree=tree)
    assert format_conll2012([structure]) == (
        "hybridsem 0 0 Lock VERB (TOP* lock 02 - - * (V*) -\nhybridsem 0 1 the DET * - - - - * "
        "(ARG1* -\nhybridsem 0 2 dog NOUN * - - - - * *) -\nhybridsem 0 3 up ADP * - - - - * "
        "(C-V*) -\nhybridsem 0 4 -LRB- PUNCT *) - - - - * * -\n\n"
    )
    for labels in ("propbank", "general"):
        (again,) = read_conll2012(
            file(tmp_path, BEGIN + format_conll2012([structure], labels) + END)
        )
        assert roles(again) == {"Verb": "Lock up", "Theme": "the dog"}
    without = RoleStructure(tree.text, (frame,), tree=DependencyTree(tree.text, tree.tokens))
    with pytest.raises(InputError, match="conll2012-roles"):
        format_conll2012([without])
    with pytest.raises(InputError, match="no words"):
        format_conll2012([RoleStructure("x", (frame,))])


def test_a_pipeline_with_such_a_file(tmp_path: Path) -> None:
    nlp = Pipeline("verbnet-cn", parser=f"conll2012:{file(tmp_path, WRITTEN)}")
    # the file does not say how words are spaced
    text = "The dog that barked can't be locked up at night)"
    known, unknown = nlp.parse([text, "Nobody wrote this."])
    assert isinstance(known, RoleStructure)
    assert known.text == text
    assert isinstance(unknown, ParseFailure)
    with pytest.raises(FormatError, match="holds no sentence"):
        Pipeline("verbnet-cn", parser=f"conll2012:{file(tmp_path, BEGIN + END)}")
