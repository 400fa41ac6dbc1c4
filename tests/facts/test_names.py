import random
import re
from itertools import pairwise

import pytest
from support.blocks import rows

from hybridsem.facts.gazetteer import WORDS, fold, outer, places
from hybridsem.facts.name_reading import read_names
from hybridsem.facts.names import Name, NameKind
from hybridsem.facts.values import FactRelation
from hybridsem.structures import Token


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "names", "read.txt"))
def test_names_are_read_with_their_kinds(text: str, expected: str) -> None:
    names = read_names(text)
    assert ", ".join(f"{name}/{name.kind}" for name in names) == expected
    assert all(text[name.start : name.end].endswith(name.text) for name in names)
    assert all(before.end <= name.start for before, name in pairwise(names))


def test_tokens_tell_names_in_lower_case() -> None:
    text = "barack obama gave mary apple stock 11"
    rows = [("PROPN", 2), ("PROPN", 0), ("VERB", -1), ("PROPN", 2), ("PROPN", 5), ("NOUN", 2)]
    tokens, place = [], 0
    for word, (pos, head) in zip(text.split(), rows, strict=False):
        tokens.append(Token(word, word, pos, head, "dep", place, place + len(word)))
        place += len(word) + 1
    names = read_names(text, tokens)
    assert [str(name) for name in names] == ["Barack Obama", "Mary", "Apple"]


def test_tokens_tell_names_in_capitals() -> None:
    tags = {"He": "PRON", "left": "VERB", "Against": "ADP", "Drunk": "ADJ", "Left": "VERB"}
    for verb, expected in (("left", ["Mothers Against Drunk Driving"]), ("Left", [])):
        text, tokens = f"He {verb} Mothers Against Drunk Driving", []
        for place, match in enumerate(re.finditer(r"\w+", text)):
            word, pos = match[0], tags.get(match[0], "NOUN")
            tokens.append(Token(word, word, pos, place - 1, "dep", *match.span()))
        assert [str(name) for name in read_names(text, tokens)] == expected


def test_what_is_written_is_read_again() -> None:
    source = random.Random(3)
    firsts = ["Robert", "Maria", "J.", "Zed", "Jean-Luc", "Mary Ann"]
    lasts = ["Smith", "O'Neill", "van der Berg", "Özil", "Lee Jr."]
    titles = ["", "Dr", "Prof", "Ms", "President", "Prime Minister"]
    towns = ["Austin, Texas", "Köln", "New York City", "Zorkville, Ohio", "The Hague", "Chinese"]
    for _ in range(500):
        person = f"{source.choice(firsts)} {source.choice(lasts)}"
        title = source.choice(titles)
        name = Name(0, 1, person, NameKind.PERSON, title)
        town = Name(0, 1, source.choice(towns), NameKind.PLACE)
        for value in (name, town):
            again, *others = read_names(str(value))
            assert not others, str(value)
            assert again.relation_to(value) is FactRelation.EQUAL, str(value)
            assert again.title == value.title


def test_every_place_is_on_a_continent() -> None:
    ends = {"africa", "asia", "europe", "north america", "south america", "oceania"}
    for country in ("Chad", "Bavaria", "Brooklyn", "Gaza", "Osaka", "Nunavut", "Fiji", "Lima"):
        (place,) = places(country)
        assert outer(place)[-1] in ends


def test_folding() -> None:
    assert fold("The São-Paulo") == "sao paulo"
    assert fold("Straße") == "strasse"
    assert fold("") == ""
    assert "monday" in WORDS["calendar"]


def test_symmetry_over_pairs() -> None:
    texts = [text for row in rows(__file__, "names", "relations.txt") for text in row[::2]]
    names = [read_names(text)[0] for text in texts]
    for one in names:
        for other in names:
            assert one.relation_to(other).inverted is other.relation_to(one), (one, other)
