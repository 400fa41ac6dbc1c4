"""Of every kind of fact: what is not read, how two compare, odd text, and time."""

import time
from collections.abc import Callable, Mapping, Sequence

import pytest
from support.blocks import rows

from hybridsem.facts.amounts import read_amounts
from hybridsem.facts.identifiers import read_identifiers
from hybridsem.facts.name_reading import read_names
from hybridsem.facts.times import read_times
from hybridsem.facts.values import Fact, FactRelation

READ: Mapping[str, Callable[[str], Sequence[Fact]]] = {
    "amounts": read_amounts,
    "times": read_times,
    "identifiers": read_identifiers,
    "names": read_names,
}
RELATIONS = [(kind, *row) for kind in READ for row in rows(__file__, kind, "relations.txt")]
PIECES = {
    "amounts": "1|5-|$|one and |at least |half a |five to |5 ft |½|\0| |X|１|²",
    "times": "1|9 |one |May |Tuesday, |3:30 |and |the |a year |'|1990-|İ|\0|between 3 and |twenty-|"
    "½|every |5 May to |日|at least |12/",
    "identifiers": "1|a| |a1|1-|1 |1.|a.|a-|/|a/|@|a@|#|:|a:|(1|order |12 Main |No.|0.0.|f:|\0|é|"
    "１|²|call 1|+1 ",
    "names": "A|A |Ab-|A.|a|St. |A, |of |A of |É|1| |\0|'|Mr. |Paris, |King |A & ",
}
ODD = ["", " ", "\0", "٣ كتب", "三百", "1" * 400, "1e999", "$" + "9" * 400, "-0", "5'", "İ 5 km"]
ODD += ["9" * 28 + " trillion trillion km", "$5 per 0 tickets", "a couple of"]
ODD += ["1/0 of", "0 %", "0 km", "between 5", "5 per"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (kind, text)
        for kind in READ
        for line in rows(__file__, kind, "nothing.txt")
        for text in (*line, "", "   ")
    ],
)
def test_nothing_is_read(kind: str, text: str) -> None:
    assert READ[kind](text) == []


@pytest.mark.parametrize(("kind", "first", "relation", "second"), RELATIONS)
def test_relations(kind: str, first: str, relation: str, second: str) -> None:
    one, other = READ[kind](first), READ[kind](second)
    assert kind in ("times", "identifiers") or len(one) == len(other) == 1
    assert type(one[-1]) is type(other[-1])
    assert one[-1].relation_to(other[-1]) == relation
    assert other[-1].relation_to(one[-1]) == FactRelation(relation).inverted


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("kind", READ)
def test_odd_text_is_read(kind: str, text: str) -> None:
    for fact in READ[kind](text):
        assert text[fact.start : fact.end]
        assert str(fact)
        assert fact.relation_to(fact) in (FactRelation.EQUAL, FactRelation.UNKNOWN)


@pytest.mark.parametrize(
    ("kind", "piece"), [(kind, piece) for kind in PIECES for piece in PIECES[kind].split("|")]
)
def test_time_is_linear(kind: str, piece: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        READ[kind](piece * (size // len(piece)))
        return time.process_time() - start

    least, most = (min(seconds(size), seconds(size)) for size in (10_000, 60_000))
    assert most < 24 * least + 0.2  # a square would be 36
