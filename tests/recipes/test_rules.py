"""Measuring rules on labelled pairs."""

import pytest

from hybridsem import Pipeline
from hybridsem.english.rules import SHIPPED, Rules, shipped
from models.rules.measure import Corpus, Labelled, Measured, written


def test_a_rule_is_right_where_it_moves_a_score_toward_the_label(
    pipelines: dict[str, Pipeline],
) -> None:
    same = "He failed to come.", "He did not come."
    labelled = [Labelled(same, True), Labelled(same, False), Labelled(("Dogs bark.",) * 2, True)]
    rules = shipped()
    corpus = Corpus(labelled, pipelines["hybrid"], rules)
    (rule,) = (rule for rule in rules.rules if rule.id == "failed-to")
    assert corpus.measured(rule, rules)[0] == Measured(2, 1)
    (rule,) = (rule for rule in rules.rules if rule.id == "direction")
    assert corpus.measured(rule, rules)[0] == Measured(0, 0)


def test_the_interval_of_a_precision() -> None:
    low, high = Measured(20, 15).interval  # by R: binom::binom.confint(15, 20, method="wilson")
    assert (low, high) == (pytest.approx(0.5313, abs=1e-4), pytest.approx(0.8881, abs=1e-4))


def test_figures_are_written_into_their_rows(tmp_path) -> None:
    path = tmp_path / "rules.toml"
    measures = {"failed-to": Measured(40, 30), "located": Measured(0, 0)}
    text = written(SHIPPED.read_text(encoding="utf-8"), measures)
    path.write_text(text, encoding="utf-8")
    read = {rule.id: rule for rule in Rules.read(path, Rules(())).rules}
    assert (read["failed-to"].precision, read["failed-to"].support) == (0.75, 40)
    assert (read["located"].precision, read["located"].support) == (None, 0)
    assert written(text, measures) == text


def test_figures_stand_before_the_comment_on_what_follows() -> None:
    row = '[[rewrite]]\nid = "{}"\nsource = "x"\n'
    text = f"{row.format('one')}\n# Of two.\n\n{row.format('two')}"
    found = written(text, {"one": Measured(4, 3), "two": Measured(0, 0)})
    figures = "precision = 0.75\nsupport = 4\n"
    assert found == f"{row.format('one')}{figures}\n# Of two.\n\n{row.format('two')}support = 0\n"
