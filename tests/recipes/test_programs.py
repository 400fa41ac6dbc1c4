"""Every benchmark starts as ``python -m benchmarks.NAME``, answers --help, and runs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import pytest
from support.commands import ROOT, python

from benchmarks import command, peers, timing

PROGRAMS = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__main__")
    for path in (ROOT / "benchmarks").rglob("*.py")
    if "\n    run(" in path.read_text(encoding="utf-8")
)
SLOW = ("benchmarks.judged_pairs", "benchmarks.soak")
"""They import the learning of the judge, and so torch, and what the tests read files with."""
HEAVY = ("torch", "scipy", "sklearn", "transformers", "matplotlib", "gensim", "onnxruntime", "onnx")
HELP = f"""
import contextlib, io, runpy, sys
for name in {sorted(PROGRAMS, key=lambda name: name in SLOW)}:
    sys.argv = [name, "--help"]
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        try:
            runpy.run_module(name, run_name="__main__")
        except SystemExit as ended:
            assert ended.code == 0, name
        else:
            raise AssertionError(f"{{name}} ran")
    assert "--help" in shown.getvalue(), name
    slow = [each for each in {HEAVY} if each in sys.modules]
    assert not slow or name in {SLOW}, (name, slow)
"""
PROPBANK = json.dumps(
    {
        "tokens": ["The", "dog", "barked", "."],
        "upos": ["DET", "NOUN", "VERB", "PUNCT"],
        "head": [2, 3, 0, 3],
        "deprel": ["det", "nsubj", "root", "punct"],
        "predicates": [
            {"index": 2, "lemma": "bark", "roleset": "bark.01", "args": [["ARG0", 0, 1, ["agent"]]]}
        ],
    }
)
SENTENCES = [
    f"The {one} thanked the {other} at noon."
    for one in ("nurse", "pilot", "cook", "judge", "clerk", "guard", "singer", "farmer")
    for other in ("tailor", "driver", "waiter")
]


def program(line: str) -> None:
    """Run a line such as ``speed startup --runs 1``."""
    name, *given = line.split()
    module = import_module(f"benchmarks.{name}")
    command.run(module.COMMANDS if hasattr(module, "COMMANDS") else module.main, given)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data in which every set has a few pairs."""
    folder = tmp_path_factory.mktemp("data")
    pairs = list(zip(SENTENCES, SENTENCES[1:], range(len(SENTENCES)), strict=False))
    (folder / "sts").mkdir()
    for name in ("train", "dev", "test"):
        with (folder / f"sts/stsb-en-{name}.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows((*pair, at % 6) for *pair, at in pairs)
    rows = ("1 The the DET", "2 dog dog NOUN", "3 barked bark VERB", "4 . . PUNCT")
    links = ("2 det", "3 nsubj", "0 root", "3 punct")
    lines = (
        "\t".join((*row.split(), "_", "_", *link.split(), "_", "_"))
        for row, link in zip(rows, links, strict=True)
    )
    treebank = "\n".join(("# text = The dog barked.", *lines, "", ""))
    (folder / "one.conllu").write_text(treebank, encoding="utf-8")
    lines = [f"{at}\t{first}\t{second}\t3\tNEUTRAL" for first, second, at in pairs]
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
    paws = ["id\tsentence1\tsentence2\tlabel"]
    paws += [f"{at}\t{first}\t{second}\t{at % 2}" for first, second, at in pairs]
    release = [f"{first};{second};0.5" for first, second, _ in pairs]
    files = {
        "analogies/snli-dev.tsv": [head, *lines],
        "sts/SICK_train.txt": [head, *lines],
        "paws/paws-wiki-dev.tsv": paws,
        "sts3k-dev/Data-experiment/STS3k_all.txt": release,
        **{f"sts12/{name}.tsv": paws for name in ("MSRpar", "OnWN", "SMTeuroparl", "SMTnews")},
        "everyday/rte.tsv": ["label\tsentence1\tsentence2", f"entailment\t{pairs[0][0]}\tIt did."],
        "propbank-ewt/dev.jsonl": [PROPBANK],
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("\n".join(content), encoding="utf-8")
    texts = {"A dog barked.": "dog", "It barked.": "it"}
    graphs = [f"# ::snt {text}\n(b / bark-01 :ARG0 (d / {who}))" for text, who in texts.items()]
    (folder / "amr").mkdir()
    (folder / "amr/STSb_captions_test_AMR_parse.json").write_text(
        json.dumps({number: [*texts, *graphs] for number in range(4)}), encoding="utf-8"
    )
    for name in ("little-prince-v3.0-train", "little-prince-v3.0-dev", "bio-dev"):
        (folder / f"amr/{name}.txt").write_text("\n\n".join(graphs), encoding="utf-8")
    (folder / "ud-ewt").mkdir()
    for split in ("train", "dev"):
        (folder / f"ud-ewt/{split}.conllu").write_text(treebank, encoding="utf-8")
    (folder / "one.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    (folder / "words.txt").write_text("cat dog 7\ncar tree 2\nsun moon 5\n", encoding="utf-8")
    (folder / "suite.toml").write_text(
        '[stsb]\ndata = "sts/stsb-en-dev.csv"\n[stsb-dev]\ntask = "stsb"\n'
        'data = "sts/stsb-en-dev.csv"\n',
        encoding="utf-8",
    )
    return folder


@pytest.mark.slow
def test_every_benchmark_answers_help_at_once() -> None:
    """It imports no library that takes a second; all are asked in one process."""
    assert len(PROGRAMS) > 20
    python("-c", HELP)


def test_the_suite_writes_cards_and_a_table(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = import_module("benchmarks.suite")
    monkeypatch.setattr(suite, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(suite, "RESULTS", tmp_path / "results")
    given = f"--data {data} --suite {data / 'suite.toml'} --resamples 0"
    program(f"suite {given} --models levenshtein rouge --sets stsb stsb-dev")
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json")}
    folders = ("results/stsb", "runs/stsb", "runs/stsb-dev")
    assert written == {f"{f}/{model}.json" for f in folders for model in ("levenshtein", "rouge")}
    assert "rouge" in (tmp_path / "results/comparison.md").read_text(encoding="utf-8")
    assert "stsb-dev" in capsys.readouterr().out
    (tmp_path / "runs/stsb/rouge.json").unlink()
    program(f"suite {given} --models levenshtein --sets stsb")
    assert "rouge" in (tmp_path / "results/comparison.md").read_text(encoding="utf-8")
    assert "comparison.md is kept" in capsys.readouterr().out


def test_the_parameters_of_a_function_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    def main(
        file: Path,
        *,
        output: Path,
        size: Annotated[float | None, "of 100 %"] = None,
        names: Annotated[Sequence[str], ("a", "b")] = ("a",),
        fast: bool = False,
    ) -> None:
        """Show what was given."""
        sys.stdout.write(f"{file} {output} {size} {names} {fast}\n")

    command.run(main, ["in", "-o", "out", "--size", "2", "--names", "a", "b", "--fast"])
    command.run({"show": main}, ["show", "in", "-o", "out"])
    shown = "in out 2.0 ['a', 'b'] True\nin out None ('a',) False\n"
    assert capsys.readouterr().out == shown
    for wrong in (["in"], ["-o", "out"], ["in", "-o", "out", "--names", "c"]):
        with pytest.raises(SystemExit):
            command.run(main, wrong)
    capsys.readouterr()
    with pytest.raises(SystemExit):
        command.run({"show": main}, ["show", "--help"])
    assert "of 100 %" in capsys.readouterr().out


def test_the_sets_of_the_suite_and_the_rows_are_known() -> None:
    suite = import_module("benchmarks.suite")
    sets = {one.name for one in suite.read_suite(suite.SUITE)}
    assert all(sets.issuperset(names) for names in suite.TABLE["groups"].values())
    assert all(suite.sets_of(row, suite.read_suite(suite.SUITE)) for row in suite.ROWS)


PEER = """
import json, sys
first = {"about": "7 on 1"} if sys.argv[1] == "torch" else {"missing": "optimum"}
print(json.dumps(first), flush=True)
for line in sys.stdin:
    print(json.dumps({"processor": len(json.loads(line)), "clock": 2.0}), flush=True)
"""


def test_a_peer_is_timed_in_its_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A peer without its packages is left out and named."""
    (tmp_path / "peer.py").write_text(PEER, encoding="utf-8")
    monkeypatch.setattr(peers, "CHILD", tmp_path / "peer.py")
    known = peers.peers(sys.executable)
    assert list(known) == ["sentence-transformers, 7 on 1"]
    assert "has no package optimum" in capsys.readouterr().err
    taken = timing.side_by_side(
        {**peers.runs(known, SENTENCES[:3]), **timing.each({"own": lambda: None})}, rounds=2
    )
    for peer in known.values():
        peer.close()
    assert taken["sentence-transformers, 7 on 1"] == [timing.Spent(3.0, 2.0)] * 2
    (first, second) = timing.compared(
        {"a": [timing.Spent(2, 4)], "b": [timing.Spent(1, 1)]}, 2, "pair"
    )
    assert "1000.00 ms (x 1.00)" in first
    assert "500.00 ms (x 2.00)" in second
    assert "2.00)" in second
    assert second.endswith("a pair")


def test_code_in_a_process_returns_its_seconds_and_result() -> None:
    used = timing.in_a_process("result = {'sum': given[0] + given[1]}", 2, 3)
    assert used["sum"] == 5
    assert used["processor"] > 0
    with pytest.raises(SystemExit, match="NameError"):
        timing.in_a_process("nothing")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("analogies speed --size 0.002", "analogies"),
        ("speed startup --runs 1 --pairs 3", "a warm pair"),
        ("speed reading --data {} --rounds 1", "STSb test, phrases"),
        ("speed explain --data {} --rounds 1 --models embedded", "explain with words, a pair"),
        ("speed rank --data {} --rounds 1", "remembered"),
        ("speed gpu {}/one.txt --device cpu", "cosine at least"),
        ("amr_parser --data {} --relations 2", "graphs from trees"),
        ("foreign --data {}", "telling alone"),
        ("roles --data {}/propbank-ewt", "core roles"),
        ("everyday read rte --data {}", "entailment"),
        ("throughput --data {} --rounds 1 --pairs 3 --peer=", "a warm pair"),
        ("batch growth --rows 4 --model levenshtein", "peak MB"),
        ("batch speed --data {} --pairs 8 --alone --models levenshtein", "all files equal: True"),
        ("search search {}/work --data {} --sentences 24 --timed 2 --exact 1", "recall@10"),
        ("parser {}/one.conllu", "raw text"),
        ("word_similarity {}/words.txt", "3 of    3"),
        ("duplicates minimal --pairs 6", "dropped"),
        ("duplicates numbered --lines 40", "wrong merges"),
        (
            "soak --files 2 --strings 1 --kept 1 --kills 0 --full 0 --hostile 1 --together 0",
            "hostile",
        ),
        ("trace", "judge"),
        ("judged_pairs phrases", "kind idiom"),
        ("judged_pairs facts", "relation equal"),
    ],
)
def test_it_runs_on_a_few_rows(
    line: str, shown: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(line.format(*[data] * line.count("{}")))
    assert shown in capsys.readouterr().out
