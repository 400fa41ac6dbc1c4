from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from hybridsem.errors import FormatError
from hybridsem.parsers.trees.conllu import format_conllu, read_conllu
from hybridsem.structures import DependencyTree, Token


def row(
    identifier: object,
    form: str,
    head: object,
    relation: str = "dep",
    *,
    lemma: str = "x",
    misc: str = "_",
) -> str:
    return "\t".join([str(identifier), form, lemma, "X", "_", "_", str(head), relation, "_", misc])


def read(*rows: str) -> list[DependencyTree]:
    with NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write("\n".join([*rows, ""]))
        file.flush()
        return list(read_conllu(file.name))


def spans(tree: DependencyTree) -> list[str]:
    return [tree.text[token.start : token.end] for token in tree]


def test_words_heads_and_offsets() -> None:
    [tree] = read(
        "# text = Rain, then.",
        row(1, "Rain", 0, "root", lemma="rain", misc="SpaceAfter=No"),
        row(2, ",", 3, "punct", misc="SpaceAfter=No"),
        row(3, "then", 1, "advmod", misc="Gloss=x|SpaceAfter=No"),
        row(4, ".", 1, "punct"),
    )
    assert tree.text == "Rain,then."
    assert tree[0] == Token("Rain", "rain", "X", -1, "root", 0, 4)
    assert [token.head for token in tree] == [-1, 2, 0, 0]
    assert spans(tree) == ["Rain", ",", "then", "."]


def test_sentences_multiword_tokens_and_empty_nodes() -> None:
    trees = read(
        *("", row(1, "One", 0), "", "", "# a comment"),
        *(row("1-2", "Don't", "_"), row(1, "do", 3), row(2, "n't", 3), row(3, "shout", 0), ""),
        *(row("1-2", "du", "_"), row(1, "de", 3), row(2, "le", 3), row(3, "vent", 0), ""),
        *(row("0.1", "gone", "_"), row(1, "Birds", 0, lemma="_"), row("1.1", "sang", "_")),
    )
    assert [tree.text for tree in trees] == ["One", "Don't shout", "du vent", "Birds"]
    assert spans(trees[1]) == ["Do", "n't", "shout"]
    assert spans(trees[2]) == ["du", "du", "vent"]  # the words do not spell the token
    assert trees[3][0].lemma == "Birds"  # a missing lemma is the form
    assert read("# only a comment") == []
    assert format_conllu([]) == ""


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "bom.conllu"
    path.write_bytes("\ufeff".encode() + row(1, "Éclair", 0).encode() + b"\r\n\r\n")
    assert [tree.text for tree in read_conllu(path)] == ["Éclair"]


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ([row(1, "a", 0), "2\tb"], 2, "10 columns"),
        ([row(1, "a", 0), row(3, "b", 1)], 2, "expected word 2"),
        ([row("x", "a", 0)], 1, "ID such as"),
        ([row(1, "a", "_")], 1, "HEAD"),
        ([row(1, "a", -3)], 1, "HEAD"),
        ([row(1, "", 0)], 1, "FORM"),
        ([row(1, "a", 2), row(2, "b", 1)], 1, "not a tree"),
        ([row(1, "a", 0), row(2, "b", 0)], 1, "not a tree"),
        ([row(1, "a", 0), row(2, "b", 2)], 1, "not a tree"),
        ([row(1, "a", 0), row(2, "b", 7)], 1, "not a tree"),
        ([row("1.1", "a", "_")], 1, "not a tree"),
        ([row("2-3", "ab", "_")], 1, "is not possible here"),
        ([row("1-1", "ab", "_")], 1, "is not possible here"),
        ([row("1-2", "ab", "_"), row(1, "a", 0)], 2, "goes to word 2"),
    ],
)
def test_a_bad_row_is_named(rows: list[str], line: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read("# first", *rows)
    assert caught.value.line == line + 1


def test_writing_keeps_shared_letters_and_joins_what_touches() -> None:
    rows = [
        row("1-2", "du", "_", misc="SpaceAfter=No"),
        row(1, "de", 3),
        row(2, "le", 3),
        row(3, "vent", 0),
        row(4, "là", 3),
    ]
    [tree] = read(*rows)
    written = format_conllu([tree])
    assert "# text = duvent là\n1-2\tdu\t" in written
    assert read(written) == [tree]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_treebank_round_trip(part: str, shared_data: Path) -> None:
    path = shared_data / "ud-ewt" / f"{part}.conllu"
    prefix = "# text = "
    lines = path.read_text(encoding="utf-8").splitlines()
    texts = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    gold = list(read_conllu(path))
    assert len(gold) == len(texts) > 2000
    assert all(tree.is_tree() for tree in gold)
    # One comment has a no-break space that the words do not tell of.
    assert [tree.text.split() for tree in gold] == [text.split() for text in texts]
    assert read(format_conllu(gold)) == gold
