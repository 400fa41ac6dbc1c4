"""The command line: what goes to which stream, and an exit code that tells the truth."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from support.commands import ROOT, Run
from support.parsers import FailsOnRain

from hybridsem import Pipeline, __version__
from hybridsem.errors import HybridSemError
from hybridsem.parsers.adapters.conll2012 import read_conll2012

pytestmark = pytest.mark.usefixtures("one_pipeline")

GERMAN = "Der Hund schläft im Garten neben dem alten Haus."


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline(parser=FailsOnRain())


def test_similarity(run: Run) -> None:
    assert run("similarity", "It ran.", "It ran.") == (0, "1.0000\n", "")
    code, out, err = run("similarity", "It ran.", "It sat.", "--model", "jaccard", "--json")
    assert (code, err) == (0, "")
    expected = {"model": "jaccard", "sentence1": "It ran.", "sentence2": "It sat.", "score": 0.5}
    assert json.loads(out) == expected | {"notes": []}


def test_what_was_cut_or_is_not_english_is_said(run: Run) -> None:
    long = "It ran and " * 200 + "sat."
    cut = "note: sentence 1 is longer than the encoder reads and was cut\n"
    assert run("similarity", long, "It sat.")[::2] == (0, cut)
    code, out, err = run("parse", stdin=f"{long}\n{GERMAN}\nIt sat.\n".encode())
    assert (code, err.splitlines()) == (
        0,
        [
            "1 of 3 sentences truncated: longer than the parser reads",
            "1 of 3 sentences not English; structure is unreliable there",
        ],
    )
    assert "  truncated: longer" in out


def test_explain(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("explain", "It ran.", "It ran.")
    assert code == 0
    assert out.startswith("The sentences are the same.\n1.0000 (hybrid)\n  It ran.\n  It ran.\n")
    assert "\x1b" not in out
    for option, start in (("--html", "<!DOCTYPE html>"), ("--svg", "<svg")):
        file = tmp_path / f"file.{option[2:]}"
        assert run("explain", "It ran.", "It ran.", option, str(file)) == (0, "", "")
        assert file.read_text().startswith(start)
    [found] = run("explain", "It ran.", "It ran.", "--json").objects
    assert found["matches"][0]["similarity"] == found["score"] == 1
    code, _, err = run("explain", "It ran.", "It ran.", "--html", f"{tmp_path}/none/page.html")
    assert code == 1
    assert "cannot write the page, got" in err


def test_parse_formats(run: Run) -> None:
    text = "\ufeffGo\n\n  Stay \n".encode()
    code, out, err = run("parse", "--format", "json", stdin=text)
    assert (code, err) == (0, "")
    predicates = [json.loads(line)["frames"][0]["predicate"] for line in out.splitlines()]
    assert predicates == ["go", "stay"]
    assert run("parse", "-", "--json", stdin=text)[1] == out
    table = "Go\n  go  (go.02)\n    Verb  Go\n\nStay\n  stay  (stay.01)\n    Verb  Stay\n\n"
    assert run("parse", stdin=text)[1] == table
    conllu = run("parse", "--format", "conllu", stdin=text)[1]
    assert conllu.startswith("# sent_id = 1\n# text = Go\n1\tGo\tgo\tVERB\t")
    assert "\n\n# sent_id = 3\n# text = Stay\n" in conllu
    assert conllu.endswith("\n\n")


def test_parse_prints_the_release_and_columns(run: Run, tmp_path: Path) -> None:
    code, out, err = run("parse", "--format", "release", stdin=b"Go;Stay;0.3\n\nrain;Run\n")
    assert (code, "1 of 4 sentences could not be parsed" in err) == (1, True)
    verbs = {number: [roles["Verb"] for roles in pair] for number, pair in json.loads(out).items()}
    assert verbs == {"1": ["Go", "Stay"], "2": ["NONE", "Run"]}
    told = run("parse", "--format", "release", stdin=b"Go;Stay\nSit\n")[2]
    assert "line 2: expected s1;s2" in told
    code, out, err = run("parse", "--format", "conll2012-roles", stdin=b"Go\nrain\n")
    assert (code, "line 2 could not be parsed" in out) == (1, True)
    (tmp_path / "roles.conll").write_text(out)
    (structure,) = read_conll2012(tmp_path / "roles.conll")
    assert structure.text == "Go"
    assert run("parse", "--format", "conll2012", stdin=b"\n")[1] == ""


@pytest.mark.parametrize("layout", ["json", "table", "conllu"])
def test_a_sentence_that_cannot_be_parsed_is_told(run: Run, layout: str) -> None:
    code, out, err = run("parse", "--format", layout, stdin=b"rain\nStay\n")
    assert code == 1
    assert "it rains" in out
    assert "Stay" in out
    assert "1 of 2 sentences could not be parsed" in err


def test_parse_problems(run: Run, tmp_path: Path) -> None:
    code, out, err = run("parse", stdin=b"\n")
    assert (code, out) == (1, "")
    assert "no sentence to parse" in err
    Path("go.penman").write_text("# ::id 1\n# ::snt Go\n(g / go-01)\n")
    amr = ("-m", "amr-cn", "--parser", "penman:go.penman")
    assert "no dependency tree" in run("parse", *amr, "--format", "conllu", stdin=b"Go\n")[2]
    assert "line 2: not UTF-8" in run("parse", stdin=b"Go\n\xff\n")[2]
    assert run("parse", str(tmp_path / "none.txt"))[0] == 1


def test_score_to_standard_output(run: Run) -> None:
    text, named = b"left\tright\na\ta\n\tb\n", ("--columns", "left, right")
    code, out, err = run("score", "-", stdin=text)
    assert (code, out) == (1, "")
    code, out, err = run("score", "-", *named, "--on-error", "skip", stdin=text)
    assert code == 0
    assert out.splitlines()[:2] == ["left\tright\tscore\tnote", "a\ta\t1.000000\t"]
    first, second = err.splitlines()
    assert first == "line 3: error: sentence 1 (column 'left'): the text is empty or blank, got ''"
    assert second.startswith("1 of 2 pairs scored, 2 distinct sentences; ")
    Path("in.jsonl").write_text('{"s1": "a", "s2": "a"}')
    assert run("score in.jsonl -m jaccard").objects == [
        {"s1": "a", "s2": "a", "score": 1.0, "note": ""}
    ]


def test_models(run: Run) -> None:
    code, out, err = run("models", "list")
    assert (code, out, err) == run("models")
    assert (code, err) == (0, "")
    lines = dict(line.split("\t", 1) for line in out.splitlines())
    assert next(iter(lines)) == "hybrid"
    assert lines["sbert-mpnet"].split("\t") == [
        "768",
        "extra transformers; a download",
        "Apache-2.0",
        "Fodor: SentBERT, Bansal: SBERT-L",
        "all-mpnet-base-v2: mean of the last layer, of length 1",
    ]
    assert [spec["name"] for spec in json.loads(run("models", "list", "--json")[1])] == list(lines)
    shown = run("models", "show", "sbert-mini")[1]
    assert (
        "encoder:   transformer:sentence-transformers/all-MiniLM-L6-v2,pooling=mean,"
        "max_length=256\n" in shown
    )
    assert "licence:   Apache-2.0\n" in shown
    assert "None" not in run("models", "show", "hybrid")[1]
    assert json.loads(run("models", "show", "hybrid", "--json")[1])["needs"] == "embedded"
    assert "encoder:   transformer:folder\n" in run("models", "show", "transformer:folder")[1]


def test_models_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    out = re.sub(r"\x1b\[[0-9;]*m", "", run("models", "list")[1])
    assert "[extra transformers; a download]" in out
    assert "verbnet-cn" in out
    assert max(map(len, out.splitlines())) <= 80


def test_help_and_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("importlib.metadata.version")  # in a checkout that is not installed, too
    assert run("--version") == (0, f"hybridsem, version {__version__}\n", "")
    code, out, _ = run("score", "--help")
    assert code == 0
    assert "--on-error [fail|skip]" in out


@pytest.mark.parametrize(
    ("error", "expected", "said"),
    [
        (HybridSemError("the disk is on fire \ud800"), 1, "the disk is on fire"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_a_problem_is_1_and_an_interrupt_is_130(
    error: BaseException, expected: int, said: str, nlp: Pipeline, run: Run
) -> None:
    with patch.object(nlp, "explain", side_effect=error):
        code, _, err = run("similarity", "a", "b")
    assert (code, said in err) == (expected, True)


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "hybridsem", "models", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    process.stdout.close()
    process.stdout = None
    assert (process.communicate()[1], process.returncode) == (b"", 141)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("redirected", "said"),
    [(">/dev/full", "No space left on device"), (">&-", "standard output is closed")],
)
def test_output_that_cannot_be_written_is_said(redirected: str, said: str) -> None:
    command = f"{sys.executable} -m hybridsem --help {redirected}"
    found = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert (found.returncode, found.stderr) == (1, f"hybridsem: {said}\n")
