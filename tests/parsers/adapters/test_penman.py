"""Files of AMR graphs: a graph that cannot be read is named and costs no other; sentences are
looked up.
"""

import json
from pathlib import Path

import pytest
from support.commands import Run

from hybridsem.amr import AmrGraph
from hybridsem.errors import FormatError, InputError
from hybridsem.parsers.adapters.penman import PenmanGraphs, read_graphs
from hybridsem.structures import ParseFailure

GOOD = "# ::id 1\n# ::snt A dog barked.\n(b / bark-01\n   :ARG0 (d / dog))\n"
BARK = AmrGraph.from_penman(GOOD)


def texts(path: Path) -> list[str]:
    """The sentence of every graph, the reason of every failure."""
    return [one.reason if isinstance(one, ParseFailure) else one.text for one in read_graphs(path)]


def written(folder: Path, content: str, name: str = "graphs.txt") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_a_bad_graph_costs_no_other(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        f"# A release; it has a header.\n\n{GOOD}\n\n\n# ::id two ::date today\n# ::snt It "
        "rained.\n(r / rain-01\n   :ARG0 (i / it)\n# ::id 3\n# ::snt One.\n(o / one)\n# ::id 4\n# "
        "::snt Two.\n(t / two :mod x)\n(l / left-over)\n\n# ::id 5\n# ::snt Nothing.\n\n# ::id "
        "6\n# ::snt Six.\n\n(s / six)\n\n# ::snt The end.\n",
    )
    assert texts(path) == [
        "A dog barked.",
        f"{path}, line 13 (id two): brackets are not closed: 1 at the end of the graph",
        "One.",
        f"{path}, line 17 (id 4): the variable 'x' (:mod of 't') is not defined",
        "",
        f"{path}, line 22 (id 5): there is no graph; expected (variable / concept …)",
        "Six.",
        f"{path}, line 30: there is no graph; expected (variable / concept …)",
    ]
    assert [one.text for one in read_graphs(path)][1] == "It rained."


def test_the_json_of_the_release(tmp_path: Path) -> None:
    entry = ["A dog barked.", "It rained.", GOOD, "# ::snt-2 It  rained.\n(r / rain-01"]
    more = {"1": entry, "2": [["Snow."], ["(s / snow-01)"]], "3": "(h / hail-01)", "4": None}
    path = written(tmp_path, json.dumps(more), "graphs.json")
    assert texts(path) == [
        "A dog barked.",
        f"{path}, entry '1', graph 2, line 2: brackets are not closed: 1 at the end of the graph",
        "Snow.",
        "",
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "a.txt: holds no graph; expected"),
        ("a.txt", b"\n# a comment\n\n", "a.txt: holds no graph"),
        ("a.json", b"[]", "a.json: expected an object whose values hold graphs, got list"),
        ("a.json", b'{"1": ["A dog."]}', "a.json: holds no graph"),
    ],
)
def test_files_that_hold_no_graphs(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_graphs(tmp_path / name)


def test_sentences_are_looked_up(tmp_path: Path) -> None:
    path = written(tmp_path, f"{GOOD}\n# ::snt It rained.\n(r / rain-01\n")
    there, blanks, broken, missing = PenmanGraphs.from_file(path).graphs(
        ["A dog barked.", " A dog  barked.\n", "It rained.", "It snowed."]
    )
    assert there is blanks
    assert isinstance(there, AmrGraph)
    assert "graphs.txt, line 7: brackets are not closed" in broken.reason
    assert missing == ParseFailure("It snowed.", "not among the given graphs")


def test_two_graphs_for_one_sentence(tmp_path: Path) -> None:
    same = GOOD.replace("\n   ", " ").replace("id 1", "id 2")
    other = GOOD.replace("dog", "fox").replace("id 1", "id 3").replace("A fox", "A dog")
    (found,) = PenmanGraphs.from_file(written(tmp_path, f"{GOOD}\n{same}")).graphs(
        ["A dog barked."]
    )
    assert isinstance(found, AmrGraph), "the same graph twice is no contradiction"
    path = written(tmp_path, f"{GOOD}\n{same}\n{other}\n{same}")
    (found,) = PenmanGraphs.from_file(path).graphs(["A dog barked."])
    reason = "there are two different graphs for this sentence"
    assert found == ParseFailure("A dog barked.", reason)


def test_a_mapping() -> None:
    graphs = PenmanGraphs({"A dog barked.": BARK, "It rained.": "(r / rain-01)", "Oh.": "(o / oh"})
    one, two, three = graphs.graphs(["A dog barked.", "It rained.", "Oh."])
    assert one is BARK
    assert isinstance(two, AmrGraph)
    assert two.text == "It rained."
    assert three == ParseFailure(
        "Oh.", "the graph of 'Oh.', line 1: brackets are not closed: 1 at the end of the graph"
    )
    with pytest.raises(InputError, match="expected an AmrGraph or its notation for 'x', got 3"):
        PenmanGraphs({"x": 3})


def test_the_command_line_prints_graphs(tmp_path: Path, run: Run) -> None:
    written(tmp_path, "A dog barked.\n\nIt rained.\n", "sentences.txt")
    written(tmp_path, GOOD)
    parse = "parse sentences.txt --format penman"
    code, out, _ = run(f"{parse} --parser penman:graphs.txt")
    assert code == 1, "not every sentence has a graph"
    assert out == (
        "# ::id 1\n# ::snt A dog barked.\n(b / bark-01\n      :ARG0 (d / dog))\n\n"
        "# line 3 could not be parsed: not among the given graphs\n\n"
    )
    assert texts(written(tmp_path, out, "printed.txt")) == ["A dog barked."]
    code, _, err = run(f"{parse} --model verbnet-cn")
    assert (code, "use --model amr-cn" in err) == (1, True)


@pytest.mark.parametrize(
    ("name", "graphs"),
    [("amr/Fodor_pilot_2022_AMR_parse.json", 240), ("amr/little-prince-v3.0-dev.txt", 145)],
)
def test_real_files(shared_data: Path, name: str, graphs: int) -> None:
    found = read_graphs(shared_data / name)
    assert len(found) == graphs
    assert all(isinstance(one, AmrGraph) and one.text for one in found)
