"""The table of pairs of facts is well formed."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.corpora.records import numbered_lines
from hybridsem.facts.values import FactRelation as Relation
from hybridsem.judge.labels import Label
from hybridsem.tables.records import records
from models.corpora import SPLITS
from models.facts import EDIT, REFERRED, SOURCES, TABLE, fact_pairs

KINDS = {
    *("number", "quantity", "money", "share", "ordinal", "rate", "age", "date", "time"),
    *("duration", "recurrence", "person", "place", "organisation", "identifier"),
}
ONE_SIDED = frozenset({Label.ENTAILS, Label.ENTAILED})
LABELS = {
    Relation.EQUAL: {Label.SAME},
    Relation.DISJOINT: {Label.CONTRADICTS, Label.DIFFERS},
    Relation.CONTAINS: ONE_SIDED,
    Relation.WITHIN: ONE_SIDED,
    Relation.OVERLAPS: {Label.DIFFERS},
    Relation.UNKNOWN: {Label.DIFFERS},
}
ROWS = [row for _, row in records(TABLE)]
BALANCED = [row for row in ROWS if row["source"] != "new"]


def test_values_are_known_and_rows_differ() -> None:
    assert len(ROWS) >= 800
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({(row["sentence1"], row["sentence2"]) for row in ROWS}) == len(ROWS)
    assert {row["kind"] for row in ROWS} == KINDS
    assert {row["source"] for row in ROWS} == set(SOURCES)
    for row in ROWS:
        assert Label(row["label"]) in LABELS[Relation(row["relation"])], row["id"]
        assert row["sentence1"] != row["sentence2"], row["id"]
        assert all(row[side] == row[side].strip() for side in ("sentence1", "sentence2"))


def test_splits_are_halves_and_share_no_sentence() -> None:
    by_split = Counter((row["kind"], row["split"]) for row in BALANCED)
    assert {split for _, split in by_split} == set(SPLITS)
    for kind in KINDS:
        assert abs(by_split[kind, "dev"] - by_split[kind, "test"]) <= 3
    bases = {split: {pair.base for pair in fact_pairs(split)} for split in SPLITS}
    assert not bases["dev"] & bases["test"]


def test_half_of_the_rows_are_real_and_no_article_is_copied() -> None:
    assert sum(row["source"] != "own" for row in BALANCED) >= len(BALANCED) / 2
    for row in ROWS:
        if row["source"] == REFERRED:
            assert row["sentence1"].startswith("cnn_dailymail-300.jsonl ")
            assert row["sentence2"].count(EDIT) == 1


def test_references_are_resolved(shared_data: Path) -> None:
    pairs = fact_pairs(data=shared_data)
    assert len(pairs) == len(ROWS)
    referred = {row["id"]: row["sentence2"] for row in ROWS if row["source"] == REFERRED}
    for pair in pairs:
        if pair.id in referred:
            old, new = referred[pair.id].split(EDIT)
            assert pair.sentence2 == pair.sentence1.replace(old, new) != pair.sentence1


@pytest.mark.parametrize("split", SPLITS)
def test_relations_are_balanced(split: str) -> None:
    relations = [row["relation"] for row in BALANCED if row["split"] == split]
    counts = Counter(relations)
    for relation in ("equal", "disjoint"):
        assert 0.35 <= counts[relation] / len(relations) <= 0.45


def test_generated_records_are_distinct_and_reproducible() -> None:
    records = numbered_lines(301, seed=2)
    assert len({record.text for record in records}) == 301
    assert Counter(record.group for record in records).keys() == {"products", "logs", "addresses"}
    assert records == numbered_lines(301, seed=2) != numbered_lines(301, seed=3)
