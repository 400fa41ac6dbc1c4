"""Public sets of labelled pairs in their published formats; all texts are our own."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from support.blocks import cases

from hybridsem.datasets.labelled_pairs import (
    LONGEST,
    READINGS,
    SETS,
    LabelledPairs,
    labelled_set,
)
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, UnknownNameError


def read(name: str, file: Path, content: str, **options: object) -> LabelledPairs:
    file.write_text(content, encoding="utf-8")
    return labelled_set(name)(file, Settings(options=options))


def table(*rows: tuple[str, ...]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


@pytest.mark.parametrize("lines", cases(__file__, "published.txt"))
def test_sets_as_they_are_published(tmp_path: Path, lines: list[str]) -> None:
    (name, file), expected = lines[0].split(), json.loads(lines[1])
    data = read(name, tmp_path / file, "\n".join([*lines[2:], ""]))
    assert json.loads(json.dumps({key: getattr(data, key) for key in expected})) == expected


@pytest.mark.parametrize("ending", [".jsonl", ".txt"])
def test_mnli_by_genre(tmp_path: Path, ending: str) -> None:
    names = ("gold_label", "sentence1", "sentence2", "genre")
    rows = [
        ("entailment", "It rained a lot.", "It rained.", "travel"),
        ("-", "It rained.", "We left.", "fiction"),
        ("neutral", "It RAINED  a lot.", "It rained.", "fiction"),
        ("contradiction", "It rained.", "x" * (LONGEST + 1), "fiction"),
    ]
    lines = (json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    content = "\n".join(lines) if ending == ".jsonl" else table(names, *rows)
    data = read("mnli", tmp_path / f"multinli_1.0_dev_matched{ending}", content)
    assert data.labels == ("entailment",)
    assert (data.unlabelled, data.repeated, data.broken) == (1, 1, 1)
    assert (data.kinds, data.split) == ((("travel",),), "matched")


FRACAS = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="fracas.xsl"?>
<fracas-problems>
<comment class="section"> 1 QUANTIFIERS </comment>
<problem id="1" fracas_answer="yes"><p idx="1"> Every cook sings. </p>
  <p idx="2"> Ann is a cook. </p><q> Does Ann sing? </q><h> Ann sings. </h><a> Yes </a></problem>
<comment class="section"> 2 PLURALS </comment><!-- no problem -->
<problem id="2" fracas_answer="unknown"><p idx="1">Cooks sing.</p><h>Ann sings.</h></problem>
<problem id="3" fracas_answer="undef"><p idx="1">Cooks sing.</p><h></h></problem>
</fracas-problems>"""


def test_fracas_with_one_premise_and_several(tmp_path: Path) -> None:
    data = read("fracas", tmp_path / "fracas.xml", FRACAS)
    assert data.pairs[0] == ("Every cook sings. Ann is a cook.", "Ann sings.")
    assert data.kinds == (("1 quantifiers", "several premises"), ("2 plurals", "one premise"))
    assert (data.labels, data.unlabelled) == (("entailment", "neutral"), 1)


@pytest.mark.parametrize(
    ("attribute", "label"),
    [
        ('value="TRUE"', "entailment"),
        ('entailment="NO"', "not_entailment"),
        ('entailment="UNKNOWN"', "not_entailment"),
    ],
)
def test_rte_of_every_year(tmp_path: Path, attribute: str, label: str) -> None:
    content = (
        '<?xml version="1.0"?><!DOCTYPE entailment-corpus SYSTEM "rte.dtd"><entailment-corpus>'
        f'<pair id="1" {attribute} task="IE"><t>Ann &amp; Bo\n met.</t><h>Ann met Bo.</h></pair>'
        "</entailment-corpus>"
    )
    data = read("rte", tmp_path / "rte1_dev.xml", content)
    assert data.pairs == [("Ann & Bo met.", "Ann met Bo.")]
    assert (data.labels, data.kinds) == ((label,), (("IE",),))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<pairs></pairs>", "no element is a pair"),
        ("<x><pair entailment='YES'><t>a</t></pair></x>", r"x\.xml, pair 1: has no text"),
        ("<x><pair entailment='YES'><t>a</t><h>b</h></pair>", r"x\.xml: cannot be read"),
        ("<x><pair><t>a</t><h>b</h></pair></x>", "unknown label, got ''"),
    ],
)
def test_xml_that_cannot_be_used(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read("rte", tmp_path / "x.xml", content)


def test_entities_do_not_grow(tmp_path: Path) -> None:
    pairs = pairwise("abcdefghijkl")
    entities = "".join(f'<!ENTITY {one} "{f"&{before};" * 10}">' for before, one in pairs)
    content = f'<!DOCTYPE x [<!ENTITY a "{"a" * 99}">{entities}]><x><pair><t>&l;</t></pair></x>'
    with pytest.raises(FormatError, match="cannot be read"):
        read("rte", tmp_path / "x.xml", content)


def test_unknown_sets() -> None:
    with pytest.raises(UnknownNameError, match="mnli"):
        labelled_set("mnl")


ASKED = (
    {"entailment", "neutral", "contradiction"},
    {"entailment", "contradiction"},
    {"entailment", "not_entailment"},
    {"paraphrase", "different"},
    {"related", "not_related"},
)


@pytest.mark.parametrize("name", SETS)
def test_every_row_says_what_a_set_is(name: str) -> None:
    row = SETS[name]
    assert set(row["labels"].values()) in ASKED
    assert row["assume"] in READINGS
    assert all(row[key] for key in ("summary", "licence", "citation"))
    assert row["url"].startswith("https://")


def test_the_sets_at_hand(shared_data: Path) -> None:
    read_files = Counter[str]()
    for name, row in SETS.items():
        for file in {one for files in row["files"].values() for one in files}:
            for folder in ("everyday", "inference"):
                if (path := shared_data / folder / file).is_file():
                    data = labelled_set(name)(path, Settings())
                    read_files[folder] += 1
                    assert set(data.labels) == set(data.known), name
                    assert data.broken == (3 if file == "mnli-train.tsv" else 0)
    assert read_files == {"everyday": 21, "inference": 3}
