"""The audit's rows, and the shares and agreement of marks."""

from pathlib import Path

import pytest

from benchmarks.audit import COLUMNS, COMMANDS, kappa, statements, wilson
from benchmarks.command import run
from hybridsem import Pipeline

TEXTS = "The shop opens at nine in the morning.", "The shop opens at nine in the evening."


def written(file: Path, *marks: str) -> str:
    """Write rows of one pair with marks: a summary, a reason, and what is missing."""
    rows = [
        dict(zip(COLUMNS, ("stsb-dev-1", "stsb-dev", *TEXTS, kind, kind, mark), strict=True))
        for kind, mark in zip(("summary", "reason", "missing"), marks, strict=True)
    ]
    cells = "\n".join("\t".join(row.values()) for row in rows)
    file.write_text("\t".join(COLUMNS) + f"\n{cells}\n", encoding="utf-8")
    return str(file)


def test_what_a_user_is_shown_is_read_without_the_cosine() -> None:
    nlp = Pipeline()
    found = [*statements(nlp.explain(*TEXTS), nlp.judge(*TEXTS))]
    assert [kind for kind, _ in found] == ["summary", "reason", "line", "missing"]
    assert found[2][1].startswith("other time: nine in the morning | nine in the evening (-0.")


def test_wilson_and_kappa_have_their_values() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert kappa([("true", "true"), ("true", "false"), ("false", "false")]) == pytest.approx(0.4)


def test_the_table_has_the_shares_of_both_readers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        written(tmp_path / "one.tsv", "beside", "true", "0"),
        written(tmp_path / "two.tsv", "true", "true", "2"),
    ]
    run(COMMANDS, ["table", *files])
    (missing,) = (line for line in capsys.readouterr().out.splitlines() if "missing, all" in line)
    assert "| 1 | – | – | – | – | – | 50.0 [" in missing


def test_an_unknown_mark_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "one.tsv", "true", "beside", "0")
    with pytest.raises(SystemExit, match="unknown mark 'beside' of a reason"):
        run(COMMANDS, ["table", file, file])
