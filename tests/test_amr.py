"""AMR graphs: what is read from PENMAN notation, what is written, what is refused; the structures
read off them.
"""

import copy
import pickle

import penman
import pytest
from hypothesis import given
from penman.models.amr import model
from support.evaluated import part
from support.generated import amr_graphs

from hybridsem.amr import MAX_DEPTH, AmrGraph, Triple
from hybridsem.errors import FormatError
from hybridsem.parsers.amr import AmrParser, structure
from hybridsem.structures import ParseFailure

CHASE = """\
# ::id 7 ::annotator me
# ::snt The small dog did not chase two cats that Ann :: the vet :: saw.
(c / chase-01~e.5
   :polarity -
   :ARG0 (d / dog~e.2
      :mod (s / small))
   :ARG1 (c2 / cat
      :quant 2
      :ARG1-of (s2 / see-01
         :ARG0 (p / person :wiki - :name (n / name :op1 "Ann" :op2 "Lee"))
         :beneficiary d))
   :consist-of (t / thing))
"""


def test_reading() -> None:
    graph = AmrGraph.from_penman(CHASE)
    assert (graph.metadata["id"], graph.top) == ("7", "c")
    assert graph.text == "The small dog did not chase two cats that Ann :: the vet :: saw."
    assert graph.concepts["c"] == "chase-01"
    assert Triple("s2", ":ARG1", "c2") in graph.edges, "an inverted role is turned round"
    assert Triple("c", ":consist-of", "t") in graph.edges, "this one is none"
    assert Triple("s2", ":beneficiary", "d") in graph.edges
    assert graph.attributes[0] == ("c", ":polarity", "-")
    assert [("".join(path), triple.target) for path, triple in graph.paths()][:5] == [
        ("", "chase-01"),
        (":polarity", "-"),
        (":ARG0", "dog"),
        (":ARG0:mod", "small"),
        (":ARG1", "cat"),
    ]
    assert AmrGraph.from_penman(graph.to_penman()) == graph
    plain = graph.to_penman(metadata=False, indent=None)
    assert AmrGraph.from_penman(plain, graph.text).triples == graph.triples


@given(amr_graphs())
def test_what_is_written_is_read_again(graph: AmrGraph) -> None:
    assert AmrGraph.from_penman(graph.to_penman()) == AmrGraph(
        graph.text, graph.triples, {"id": "1", "snt": "an ant"}
    )
    decoded = penman.decode(graph.to_penman(), model=model)
    triples = [*graph.instances, *graph.edges, *graph.attributes]
    assert sorted(decoded.triples) == sorted(triples)
    assert decoded.top == graph.top


def test_two_thousand_nodes() -> None:
    wide = AmrGraph.from_penman(
        f"(a / and {' '.join(f':op{i} (x{i} / thing :quant {i})' for i in range(2000))})"
    )
    assert (len(wide.edges), len(wide.attributes), len(wide.paths())) == (2000, 2000, 4001)
    deep = AmrGraph.from_penman(
        "".join(f"(x{i} / a :mod " for i in range(MAX_DEPTH - 1)) + '"b"' + ")" * (MAX_DEPTH - 1)
    )
    assert AmrGraph.from_penman(deep.to_penman()).triples == deep.triples
    with pytest.raises(FormatError, match="line 1: nested deeper than 200 levels"):
        AmrGraph.from_penman("".join(f"(x{i} / a :mod " for i in range(2000)) + ")" * 2000)


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("# ::snt A dog.\n(d / dog\n   :mod (s / x)", "line 3: brackets are not closed: 1 at"),
        ("(d / dog))", r"line 1: expected one graph in brackets, got '\)' outside of them"),
        ("(d / dog)\n(c / cat)", r"line 2: expected one graph in brackets, got '\(' outside"),
        ("dog", "line 1: expected one graph in brackets, got 'dog' outside"),
        ("# ::snt A dog.", r"there is no graph; expected \(variable / concept …\)"),
        ("", "there is no graph"),
        ("()", "a pair of brackets is empty"),
        ("(d / dog :mod ())", "a pair of brackets is empty"),
        ("(d / dog :mod s)", r"the variable 's' \(:mod of 'd'\) is not defined"),
        ("(d / dog :ARG0-of x12)", "the variable 'x12' .* is not defined"),
        ("(d / dog :mod (d / small))", "the variable 'd' has two concepts"),
        ("(d :mod (s / small))", r"the variable 'd' has no concept; write \(d / concept\)"),
        ("(d / :mod (s / small))", "'/' of 'd' has no target"),
        ("(d / dog :mod)", "':mod' of 'd' has no target"),
        ('(d / dog\n :name "Rex)', "line 2: a quotation mark is not closed"),
        ("(d / dog\n mod (s / small))", "line 2: not PENMAN notation: Expected: ROLE, got .mod"),
        ("(d / dog : (s / small))", "a role starts with a colon and has a name, got ':'"),
    ],
)
def test_what_is_refused(notation: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FormatError, match=message):
        AmrGraph.from_penman(notation)
    assert capfd.readouterr() == ("", ""), "penman's log is kept off stderr"


@pytest.mark.parametrize("word", ["a b", "a(b", 'a"b', "", "a/b", '"a" b', '"a\nb"'])
def test_words_that_cannot_be_written(word: str) -> None:
    for below in ((word, ":instance", "x"), ("a", ":instance", word)):
        with pytest.raises(FormatError, match="cannot be written in PENMAN"):
            AmrGraph("", (Triple(*below),))


def test_triples_that_are_no_graph() -> None:
    root = Triple("a", ":instance", "x")
    for below in (("b", ":mod", "a"), ("b", ":instance", "y"), ("x", ":instance", "y")):
        with pytest.raises(FormatError, match="not connected to the graph"):
            AmrGraph("", (root, Triple(*below)))
    with pytest.raises(FormatError, match="the variable 'b' .* is not defined"):
        AmrGraph("", (root, Triple("a", ":mod", "b")))


def test_a_sentence_is_one_comment_whatever_it_holds() -> None:
    graph = AmrGraph("one\ntwo\u2028three # (four", (Triple("a", ":instance", "thing"),))
    assert graph.to_penman() == "# ::snt one two three # (four\n(a / thing)"
    assert AmrGraph.from_penman("# ::snt-12 one\u2028(two\r\n(a / thing)").text == "one\u2028(two"


def test_graphs_and_structures_are_values() -> None:
    graph = AmrGraph.from_penman(CHASE)
    assert hash(graph) == hash(AmrGraph.from_penman(CHASE))
    found = structure(graph)
    for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert copied == found
        assert copied.graph == graph


# -- structures


def roles(notation: str, text: str | None = None) -> dict[str, str]:
    found = structure(AmrGraph.from_penman(notation), text)
    return {role: filler.text for role, filler in found.roles.items()}


def test_roles_are_paths() -> None:
    graph = AmrGraph.from_penman(CHASE)
    found = structure(graph)
    assert (found.formalism, found.main.predicate, found.main.negated) == ("amr", "chase-01", True)
    assert found.graph is graph
    assert found.to_dict()["graph"] == graph.to_penman(metadata=False, indent=None)
    assert {role: filler.words for role, filler in found.roles.items()} == {
        "root": ("chase",),
        ":polarity": ("not",),
        ":ARG0": ("dog",),
        ":ARG0:mod": ("small",),
        ":ARG1": ("cat",),
        ":ARG1:quant": ("2",),
        ":ARG1:ARG1-of": ("see",),
        ":ARG1:ARG1-of:ARG0": ("person",),
        ":ARG1:ARG1-of:ARG0:name": ("ann", "lee"),
        ":consist-of": ("thing",),
    }


def test_fillers_are_written_as_in_the_sentence() -> None:
    notation = (
        "(l / look-forward-03 :ARG0 (s / study-01) :ARG1 (m / make-01 :ARG1 (r / run-02)) "
        ":mod (c / carp))"
    )
    assert roles(notation, "Studies, looking Forward to making cars he ran.") == {
        "root": "looking Forward",
        ":ARG0": "Studies",
        ":ARG1": "making",
        ":ARG1:ARG1": "run",
        ":mod": "carp",
    }


def test_a_sentence_without_graph_keeps_its_failure() -> None:
    failure = ParseFailure("b", "no graph")

    cut = AmrGraph("", (Triple("a", ":instance", "thing"),), truncated=True)
    one, two = AmrParser(part(graphs=lambda sentences: [cut, failure])).parse(["a", "b"])
    assert (one.text, one.truncated) == ("a", True)
    assert two is failure


@pytest.mark.parametrize(
    ("comment", "metadata"),
    [
        ("# a comment", {}),
        ("#", {}),
        ("# ::", {}),
        ("# ::id 1", {"id": "1"}),
        ("#::id  a::b \t::date 2026 ::empty", {"id": "a::b", "date": "2026", "empty": ""}),
        ("# ::snt  A :: b ::c  ", {"snt": "A :: b ::c"}),
        ("# ::snt-2", {"snt-2": ""}),
    ],
)
def test_metadata_of_a_comment(comment: str, metadata: dict[str, str]) -> None:
    assert AmrGraph.from_penman(f"{comment}\n(d / dog)").metadata == metadata
