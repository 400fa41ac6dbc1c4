"""Lemmas: spelling rules, the shipped table, and that nothing else is needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._utils.weights import weight_file
from hybridsem.english.lemmas import MAX_LENGTH, Lemmatiser, lemmatiser, rule_lemma
from hybridsem.parsers.trees.conllu import read_conllu

TAGS = "ADJ ADP ADV AUX DET INTJ NOUN NUM PART PRON PUNCT SYM VERB X"

# Forms that the rules alone lemmatise, and forms that the shipped table is for.
BY_RULE = {
    "NOUN": """
        dogs:dog Cats:cat glass:glass glasses:glass boxes:box dishes:dish cities:city keys:key
        pies:pie houses:house viruses:virus virus:virus heroes:hero toes:toe postmen:postman
        grandchildren:grandchild sizes:size waltzes:waltz hypotheses:hypothesis catalyses:catalysis
        90s:90s www.news:www.news
    """,
    "VERB": """
        walks:walk walked:walk tries:try tried:try trying:try tied:tie watches:watch vetoes:veto
        passes:pass sees:see seeing:see stopped:stop stopping:stop hoped:hope hopping:hop
        needed:need need:need bring:bring danced:dance judged:judge changed:change handled:handle
        valued:value evaluated:evaluate required:require decided:decide visited:visit opened:open
        rained:rain missed:miss buzzed:buzz played:play controlled:control travelled:travel
        called:call used:use
    """,
    "ADJ": "happier:happy happiest:happy biggest:big nicest:nice greatest:great red:red",
    "ADV": "earlier:early fastest:fast often:often",
    "NUM": "Two:two 5,000:5000 1,234,567.50:1234567.50 1,2:1,2",
    "PROPN": "Reeds:Reeds IBM:IBM",
    "X": "Xs:xs",
}
BY_TABLE = {
    "NOUN": (
        "mice:mouse men:man knives:knife diagnoses:diagnosis movies:movie buses:bus "
        "news:news series:series"
    ),
    "VERB": """
        went:go Sang:sing bought:buy dying:die agreed:agree focused:focus invited:invite embed:embed
        panicked:panic ached:ache
    """,
    "AUX": "was:be 've:have 'll:will ca:can has:have did:do",
    "ADJ": "better:good worst:bad colder:cold larger:large bigger:big honest:honest",
    "ADV": "better:well sooner:soon faster:fast",
    "PRON": "them:they me:I him:he these:this",
    "PART": "n't:not",
    "DET": "an:a those:that",
}


def cases(table: dict[str, str]) -> list[list[str]]:
    """UPOS, form and lemma of a table like those above."""
    return [[pos, *pair.split(":")] for pos, pairs in table.items() for pair in pairs.split()]


@pytest.fixture(scope="module")
def table() -> dict[str, dict[str, str]]:
    return json.loads(weight_file("lemmas.json"))


@pytest.fixture(scope="module")
def lemma() -> Lemmatiser:
    return lemmatiser()


@pytest.mark.parametrize(("table", "regular"), [(BY_RULE, True), (BY_TABLE, False)])
def test_forms(lemma: Lemmatiser, table: dict[str, str], regular: bool) -> None:
    for pos, form, expected in cases(table):
        assert (rule_lemma(form, pos) == expected) == regular, (pos, form)
        assert lemma(form, pos) == expected


def test_the_table_goes_before_the_rules() -> None:
    lemma = Lemmatiser(
        {"NOUN": {"gloss": "glosses glossae", "Swede": "swedes"}, "VERB": {"go": "wend"}}
    )
    found = [lemma(form, "NOUN") for form in ("glossae", "Glosses", "swedes", "dresses")]
    assert found == ["gloss", "gloss", "Swede", "dress"]
    assert lemma("wend", "VERB") == lemma("wend", "AUX") == "go"
    assert lemma("wend", "NOUN") == "wend"


def test_of_a_hyphenated_word_the_last_part_is_inflected(lemma: Lemmatiser) -> None:
    assert lemma("Co-Workers", "NOUN") == "co-worker"
    assert lemma("re-wrote", "VERB") == lemma("re-wrote", "AUX") == "re-write"
    assert lemma("mothers-in-law", "NOUN") == "mother-in-law"
    assert [lemma(form, "NOUN") for form in ("-", "--", "a-", "-s")] == ["-", "--", "a-", "-s"]


def test_the_table_holds_only_what_the_rules_get_wrong(table: dict[str, dict[str, str]]) -> None:
    rules = Lemmatiser({})
    entries = [
        (form, pos, lemma)
        for pos in table
        for lemma, forms in table[pos].items()
        for form in forms.split()
    ]
    assert len(entries) == len({(form, pos) for form, pos, _ in entries}) > 1500
    assert all(entry[0] == entry[0].lower() for entry in entries)
    assert not any(rules(*entry[:2]) == entry[2] for entry in entries)


@pytest.mark.parametrize("pos", ["NOUN", "VERB", "ADJ", "ADV", "AUX", "DET"])
def test_a_lemma_is_its_own_lemma(
    table: dict[str, dict[str, str]], lemma: Lemmatiser, pos: str
) -> None:
    homographs = {"saw"}  # more often the past of see
    assert {word for word in table[pos] if lemma(word, pos).lower() != word.lower()} <= homographs


@given(st.text(min_size=1) | st.text("aeiyrtdgns-E", min_size=1), st.sampled_from(TAGS.split()))
def test_any_text_has_a_lemma_in_lower_case(form: str, pos: str) -> None:
    found = Lemmatiser({})(form, pos)
    assert found
    assert found == found.lower()


def test_a_word_without_end_is_left_alone(lemma: Lemmatiser) -> None:
    long = "y" * 200_000 + "uses"
    assert lemma(long, "NOUN") == lemma(long, "VERB") == long
    assert lemma("x" * (MAX_LENGTH - 1) + "s", "NOUN") == "x" * (MAX_LENGTH - 1)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_accuracy_on_the_treebank(lemma: Lemmatiser, shared_data: Path, part: str) -> None:
    tokens = [
        token for tree in read_conllu(shared_data / "ud-ewt" / f"{part}.conllu") for token in tree
    ]
    right = sum(lemma(token.text, token.pos).lower() == token.lemma.lower() for token in tokens)
    assert right / len(tokens) >= 0.985
