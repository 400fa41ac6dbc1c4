"""``hybridsem amr`` and the graph metrics as models: two PENMAN files, two sentences."""

import json
import math
from pathlib import Path

import pytest
from support.commands import Run

from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.registry import ModelSpec
from hybridsem.registry.named import METRICS, own

DOG = (
    "# ::id one\n# ::snt The dog chased the cat.\n(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))\n"
)
CAT = (
    "# ::id one\n# ::snt The cat chased the dog.\n(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog))\n"
)
RAIN = "# ::id two\n# ::snt It rained.\n(r / rain-01)\n"
BROKEN = "# ::id two\n# ::snt It rained.\n(r / rain-01\n"


@pytest.fixture(autouse=True)
def files(run: Run) -> None:
    """Graphs in the folder of the command."""
    for name, first in (("parsed.txt", DOG), ("gold.txt", CAT)):
        Path(name).write_text(f"{first}\n{RAIN}", encoding="utf-8")


@pytest.mark.parametrize("metric", [name for name in METRICS if "-" not in name])
def test_two_files_have_a_score(metric: str, run: Run) -> None:
    assert run(f"amr parsed.txt parsed.txt --metric {metric}").out.startswith(f"{metric} 1.0000")
    [found] = run(f"amr parsed.txt gold.txt --metric {metric} --json").objects
    first, second = (pair["score"] for pair in found["pairs"])
    assert 0 < first < 1 == pytest.approx(second)
    assert 0 < found["score"] < 1
    assert "matches" not in found["pairs"][0]


def test_the_corpus_score_of_smatch_is_over_all_triples(run: Run) -> None:
    # 4 of 6 triples and 2 of 2
    assert run("amr parsed.txt gold.txt --pairs --exact").out.splitlines() == [
        "1\t0.6667",
        "2\t1.0000",
        "smatch-exact 0.7500, precision 0.7500, recall 0.7500, gap 0.0000; 2 of 2 pairs",
    ]


def test_modifiers_are_read_strictly_if_asked(run: Run) -> None:
    Path("mod.txt").write_text("(d / dog :mod (s / small))\n", encoding="utf-8")
    Path("domain.txt").write_text("(s / small :domain (d / dog))\n", encoding="utf-8")
    assert run("amr mod.txt domain.txt").out.startswith("smatch 0.7500")
    assert run("amr mod.txt domain.txt --strict").out.startswith("smatch 0.5000")
    assert run("amr mod.txt domain.txt --strict --exact").out.startswith("smatch-exact 0.5000")
    refused = run("amr mod.txt domain.txt --strict -m wlk")
    assert refused.code == 2
    assert "--strict is for --metric smatch, got 'wlk'" in refused.err


def test_matched_nodes_are_told(run: Run) -> None:
    command = "amr parsed.txt gold.txt --explain"
    assert ":ARG0 / :ARG1  dog         dog" in run(command).out
    first = run(f"{command} --json").objects[0]["pairs"][0]
    assert sum(line["contribution"] for line in first["matches"]) == pytest.approx(first["score"])


def test_a_graph_that_cannot_be_read_is_named(run: Run) -> None:
    Path("bad.txt").write_text(f"{CAT}\n{BROKEN}", encoding="utf-8")
    code, out, err = run("amr parsed.txt bad.txt --json")
    assert code == 1
    assert [pair["score"] for pair in json.loads(out)["pairs"]] == [pytest.approx(2 / 3), None]
    assert "bad.txt, line 7 (id two)" in err
    assert "1 of 2 pairs have a graph that cannot be read" in err


@pytest.mark.parametrize(
    "spec", [own()[f"amr-{name}"] for name in METRICS], ids=lambda spec: spec.name
)
def test_models_compare_sentences_by_given_graphs(spec: ModelSpec) -> None:
    name = spec.name
    dog, cat = "The dog chased the cat.", "The cat chased the dog."
    nlp = Pipeline(name, parser={dog: DOG, cat: CAT})
    assert nlp.similarity(dog, dog) == pytest.approx(1, abs=1e-6)
    assert 0 < nlp.similarity(dog, cat) < 1
    explanation = nlp.explain(dog, cat)
    assert explanation.model == name
    assert {line.filler1 for line in explanation.matches} >= {"chase-01", "dog", "cat"}
    assert str(explanation).splitlines()[1].startswith(f"{explanation.score:.4f}")
    [failed] = nlp.explain([(dog, "?")])
    assert math.isnan(failed.score)
    assert "no parse of '?'" in " ".join(failed.notes)
    with pytest.raises(
        InputError, match=f"normalise= is for models that compare roles, and '{name}' does not"
    ):
        Pipeline(name, normalise="total")
