"""Role structures from a mapping, or from the role JSON of the STS3k release.

    {"1": [{"Agent": "The cook", "Verb": "peeled", "Theme": "an apple"}, {…}], "2": …}

There is one entry a pair. A role that is missing or ``NONE`` has no filler. The unrepaired files
also use VerbNet and PropBank names; a table maps these to the eight roles, unless the sentence has
that role already. A filler's words are the content words of its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from hybridsem._utils.lines import LineReader, read_json
from hybridsem._utils.tables import by_word, read_table
from hybridsem.errors import FormatError
from hybridsem.parsers.adapters.span_frames import EIGHT, content_words
from hybridsem.parsers.verbnet.general_roles import VERBNET, of_verbnet
from hybridsem.structures import Filler, Frame, Parsed, ParseFailure, Role, RoleStructure

_NONE = "NONE"
_RELEASE_ORDER = ("Agent", "Verb", "Patient", "Theme", "Time", "Manner", "Location", "Trajectory")
_TABLES = read_table(__file__)
DESCRIPTIONS = {name: Role(role) for role, some in _TABLES["descriptions"].items() for name in some}
"""The roles of descriptions, in lower case, in the release's unrepaired files."""
_ADJUNCTS = {
    start: None if role == "none" else Role(role)
    for start, role in by_word(_TABLES["adjuncts"]).items()
}


def structure_of_roles(text: str, roles: Mapping[str, str]) -> Parsed:
    """Return a structure of one frame from texts by role, or a failure without any filler. The
    predicate is the Verb as written, in lower case.

    >>> found = structure_of_roles("Ann slept.", {"Verb": "slept", "Agent": "Ann"})
    >>> found.roles["Agent"].text
    'Ann'
    """
    fillers: dict[str, Filler] = {}
    for own in (True, False):  # other names fill gaps of the eight roles
        for name, phrase in roles.items():
            role = EIGHT.get(name.lower()) if own else _other_role(name)
            if role is None or role in fillers or not phrase.strip() or phrase.strip() == _NONE:
                continue
            fillers[role] = Filler(phrase.strip(), content_words(phrase))
    if not fillers:
        return ParseFailure(text, "the file has no roles for this sentence")
    verb = fillers.get(Role.VERB)
    ordered: dict[str, Filler] = {role: fillers[role] for role in Role if role in fillers}
    return RoleStructure(text, (Frame(verb.text.lower() if verb else "", ordered),))


def _other_role(name: str) -> Role | None:
    """Return the role of a VerbNet or PropBank name; an unknown description is a Theme."""
    name = name.lower()
    if name in EIGHT:
        return None
    if name.startswith("am-"):
        return _ADJUNCTS.get(name[:6])
    return DESCRIPTIONS.get(name) or VERBNET.get(of_verbnet(name), Role.THEME)


def read_release(roles: str | Path, pairs: str | Path) -> list[tuple[Parsed, Parsed]]:
    """Return the structures of a release's role file, by pair. ``pairs`` is the file of the
    sentences (``s1;s2[;score]``). Raises :class:`FormatError` with the file and place: not JSON,
    another format, or different numbers of pairs.
    """
    with closing(iter(LineReader(pairs))) as lines:
        sentences = [sentences_of(line, pairs, number) for number, line in lines if line.strip()]
    entries = _entries(roles)
    if len(entries) != len(sentences):
        counts = f"holds {len(entries)} pairs, but {pairs} holds {len(sentences)}"
        raise FormatError(f"{counts}; are they of one data set?", roles)
    return [
        (structure_of_roles(s1, roles1), structure_of_roles(s2, roles2))
        for (roles1, roles2), (s1, s2) in zip(entries, sentences, strict=True)
    ]


def sentences_of(line: str, path: object, number: int) -> tuple[str, str]:
    """Return the two sentences of a line of a pair file, or raise :class:`FormatError`."""
    columns = line.split(";")
    if len(columns) not in (2, 3):
        message = f"expected s1;s2 or s1;s2;score, got {len(columns)} columns"
        raise FormatError(message, path, number)
    return columns[0].strip(), columns[1].strip()


def roles_of(parsed: Parsed) -> dict[str, str]:
    """Return the main frame as in the release: eight roles in order, ``NONE`` without a filler."""
    fillers = parsed.roles if isinstance(parsed, RoleStructure) else {}
    return {
        role: " ".join(fillers[role].text.split()) if role in fillers else _NONE
        for role in _RELEASE_ORDER
    }


def _entries(path: str | Path) -> list[tuple[dict[str, str], dict[str, str]]]:
    data = read_json(path)
    if not isinstance(data, dict):
        message = f"expected an object with an entry a pair, got {type(data).__name__}"
        raise FormatError(message, path)
    entries = []
    for key, entry in data.items():
        two = entry if isinstance(entry, list) and len(entry) == 2 else []
        rows = [each.values() if isinstance(each, dict) else [None] for each in two]
        if not rows or not all(isinstance(text, str) for row in rows for text in row):
            expected = f"expected a list of two objects of role: text, got {entry!r:.60}"
            raise FormatError(f"pair {key!r}: {expected}", path)
        entries.append((entry[0], entry[1]))
    return entries


class PrecomputedParser:
    """A parser that looks sentences up; ``spaced``: blanks within a sentence matter."""

    def __init__(self, structures: Mapping[str, Parsed], *, spaced: bool = True) -> None:
        self._key = str.strip if spaced else lambda sentence: "".join(sentence.split())
        self.structures = {
            self._key(sentence): structure for sentence, structure in structures.items()
        }

    @classmethod
    def from_release(cls, roles: str | Path, pairs: str | Path) -> PrecomputedParser:
        """Read a release (see :func:`read_release`); of a repeated sentence, the first."""
        structures = [*chain.from_iterable(read_release(roles, pairs))]
        return cls({structure.text: structure for structure in reversed(structures)})

    @classmethod
    def from_conll2012(cls, path: str | Path) -> PrecomputedParser:
        """Read a CoNLL-2012 file, with unknown spacing; of a repeated sentence, the first."""
        from hybridsem.parsers.adapters.conll2012 import read_conll2012

        structures = list(read_conll2012(path))
        if not structures:
            raise FormatError("holds no sentence; expected the columns of CoNLL-2012", path)
        by_text = {structure.text: structure for structure in reversed(structures)}
        return cls(by_text, spaced=False)

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure, or a failure for a missing sentence, for each sentence."""
        found = [self.structures.get(self._key(sentence)) for sentence in sentences]
        return [
            ParseFailure(sentence, "not among the precomputed structures")
            if structure is None
            else replace(structure, text=sentence.strip())
            for sentence, structure in zip(sentences, found, strict=True)
        ]
