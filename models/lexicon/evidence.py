"""Candidates for ``converses.tsv`` and ``symmetric.tsv``, and what in the data speaks for the rows.

    python -m models.lexicon.evidence --data ../shared/data --candidates
    python -m models.lexicon.evidence --data ../shared/data

The first prints words to choose from by hand, the second writes the tables' last column anew:

    antonyms                 WordNet has the words, or synonyms of theirs, as antonyms
    causes                   what the one does makes the other happen (teach, learn)
    source and recipient     VerbNet's roles of one verb have a source, of the other a recipient
    mirrored roles           the subject of one verb has the same role as the object of the other
    co-roles                 a frame has two participants of one kind (Co-Agent, Co-Patient,
                             Co-Theme); of nouns and adjectives: that of a verb of their family
    derived from one verb    who does something, and whom it is done to (trainer, trainee)
    chosen by hand           none of these

A row names what speaks for any pair of its words.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import defaultdict
from pathlib import Path

from models.lexicon.tables import WordNet, read

FOLDER = Path(__file__).parent
TAGS = {"VERB": "v", "NOUN": "n", "ADJ": "a", "ADV": "r"}
CORE = ("ARG0", "ARG1", "ARG2", "ARG3")
BY_HAND = "chosen by hand"

Roles = dict[str, dict[str, set[str]]]
"""Of a lemma's frames: argument -> VerbNet roles."""


def verbnet_roles(folder: Path) -> Roles:
    """The roles of the core arguments of every lemma, in PropBank's examples and EWT train."""
    roles: Roles = defaultdict(lambda: defaultdict(set))
    for name in ("frame-examples.jsonl", "train.jsonl"):
        for line in (folder / name).open(encoding="utf-8"):
            record = json.loads(line)
            for predicate in record.get("predicates", [record]):
                lemma = predicate["roleset"].rpartition(".")[0].replace("_", " ")
                for label, _, _, linked in predicate["args"]:
                    if label in CORE:
                        roles[lemma][label] |= {role.replace("-", "_") for role in linked}
    return roles


class Evidence:
    """What the data say of words and pairs of words."""

    def __init__(self, net: WordNet, roles: Roles, derivations: Path) -> None:
        self.net, self.roles, self.synsets = net, roles, net.of_words()
        self.antonyms = {(first[:2], second[:2]) for first, second in net.antonyms}
        self.causes = {
            (first, second)
            for key, caused in net.caused.items()
            for target in caused
            for first in net.members[key]
            for second in net.members[target]
        }
        self.participants: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.family: dict[tuple[str, str], set[str]] = defaultdict(set)
        for line in derivations.read_text(encoding="utf-8").splitlines()[1:]:
            verb, pos, _, relation, word, kind, _ = line.split("\t")
            if pos == "v":
                self.family[word, kind].add(verb)
                self.participants[word].add((verb, relation))

    def _synonyms(self, word: tuple[str, str]) -> set[tuple[str, str]]:
        members = (self.net.members[key] for key in self.synsets.get(word, ()))
        return {word, *((lemma, word[1]) for lemma in itertools.chain.from_iterable(members))}

    def _co_roles(self, lemma: str) -> bool:
        return any(
            role.startswith("co_") for linked in self.roles[lemma].values() for role in linked
        )

    def of_word(self, lemma: str, tag: str) -> set[str]:
        """What speaks for a symmetric predicate."""
        verbs = {lemma} if tag == "VERB" else self.family[lemma, TAGS.get(tag, "")]
        return {"co-roles"} if any(map(self._co_roles, verbs)) else set()

    def of_pair(self, first: tuple[str, str], second: tuple[str, str]) -> set[str]:
        """What speaks for two converses, given as lemmas with tags."""
        (lemma1, tag1), (lemma2, tag2) = first, second
        found = set()
        if tag1 == tag2 and tag1 in TAGS:
            words = [self._synonyms((lemma, TAGS[tag1])) for lemma in (lemma1, lemma2)]
            if any(pair in self.antonyms for pair in itertools.product(*words)):
                found.add("antonyms")
        if {(lemma1, lemma2), (lemma2, lemma1)} & self.causes:
            found.add("causes")
        if tag1 == tag2 == "VERB":
            one, other = self.roles[lemma1], self.roles[lemma2]
            if "source" in set().union(*one.values()) and "recipient" in set().union(
                *other.values()
            ):
                found.add("source and recipient")
            if one["ARG0"] & other["ARG1"] and one["ARG1"] & other["ARG0"]:
                found.add("mirrored roles")
            if self._co_roles(lemma1) or self._co_roles(lemma2):
                found.add("co-roles")
        if tag1 == tag2 == "NOUN":
            kinds = {
                frozenset((relation1, relation2))
                for verb1, relation1 in self.participants[lemma1]
                for verb2, relation2 in self.participants[lemma2]
                if verb1 == verb2
            }
            if kinds & {frozenset(("agent", done)) for done in ("undergoer", "destination")}:
                found.add("derived from one verb")
        return found

    def candidates(self) -> dict[str, list[str]]:
        """Words to choose from: antonymous verbs with frames, verbs with co-roles, doers and those
        it is done to.
        """
        verbs = {
            "/".join(sorted((first[0], second[0])))
            for first, second in self.antonyms
            if first[1] == "v" and first[0] in self.roles and second[0] in self.roles
        }
        doers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for word, relations in self.participants.items():
            for verb, relation in relations:
                doers[verb][relation].add(word)
        return {
            "antonymous verbs": sorted(verbs),
            "causes": sorted("/".join(pair) for pair in self.causes),
            "verbs with co-roles": sorted(filter(self._co_roles, list(self.roles))),
            "participants of a verb": [
                f"{verb}: {'/'.join(sorted(kinds['agent']))} {'/'.join(sorted(kinds['undergoer']))}"
                for verb, kinds in sorted(doers.items())
                if kinds["agent"] and kinds["undergoer"]
            ],
        }


def words(text: str, tag: str) -> list[tuple[str, str]]:
    """The words of a cell with their tag."""
    return [(word.replace("_", " "), tag) for word in text.split()]


def write(path: Path, evidence: Evidence) -> None:
    """The last column of a table anew."""
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines:
        *cells, _ = line.split("\t")
        if len(cells) == 5:
            pairs = itertools.product(words(cells[1], cells[0]), words(cells[3], cells[2]))
            found = set().union(*itertools.starmap(evidence.of_pair, pairs))
        else:
            found = set().union(*itertools.starmap(evidence.of_word, words(cells[1], cells[0])))
        rows.append("\t".join([*cells, ", ".join(sorted(found)) or BY_HAND]))
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    print(
        f"{path.name}: {len(rows)} rows, {sum(row.endswith(BY_HAND) for row in rows)} by hand alone"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="with lexicon/ and propbank-ewt/")
    parser.add_argument("--candidates", action="store_true", help="print words to choose from")
    options = parser.parse_args()
    evidence = Evidence(
        read(options.data / "lexicon"),
        verbnet_roles(options.data / "propbank-ewt"),
        options.data / "lexicon/derivations.tsv",
    )
    if options.candidates:
        for kind, listed in evidence.candidates().items():
            print(f"{kind}: {'; '.join(listed)}\n")
    else:
        for name in ("converses.tsv", "symmetric.tsv"):
            write(FOLDER / name, evidence)
