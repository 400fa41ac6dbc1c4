"""Role structures that were made elsewhere: any mapping, and the role JSON of the STS3k release.

    {"1": [{"Agent": "The cook", "Verb": "peeled", "Theme": "an apple"}, {…}], "2": …}     one entry a pair

A role that is missing or ``NONE`` has no filler. The unrepaired files also use VerbNet and PropBank names; these go to
one of the eight roles by a table, unless the sentence has that role already. Nothing in such a file says which words a
filler is about, so its words are those of its text less a list of function words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from hybridsem._lines import LineReader, read_json
from hybridsem.errors import FormatError
from hybridsem.structures import Filler, Frame, Parsed, ParseFailure, Role, RoleStructure

__all__ = ["PrecomputedParser", "read_release", "structure_of_roles"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EIGHT = {role.value.lower(): role for role in Role}
_OTHER_NAMES: dict[str, Role | None] = {
    name: role
    for role, names in (
        (Role.AGENT, "causer|entity making guarantee|perceiver|rancher|source"),
        (
            Role.PATIENT,
            "beneficiary|co-agent|co-patient|experiencer|needer|recipient|requirer|thing followed coming before"
            "|thing removed|thing written|value|asking price|place or thing escaped|consumed",
        ),
        (
            Role.THEME,
            "adjective|attribute|cause|co-theme|contents|danger|description of flavor|end state|favor|goal|money"
            "|on what grounds|original speaker|predicate|product|proposition|result|stimulus|topic|unified whole",
        ),
        (Role.MANNER, "instrument|instrument of destruction|material|purpose|extent"),
        (
            Role.LOCATION,
            "destination|destination (must also be a location)|explicit mention of cluster|initial location"
            "|initial state|initial_location|location or path|trap etc",
        ),
        (Role.TRAJECTORY, "path|taken from source of thing taken|start point"),
    )
    for name in names.split("|")
}
_ADJUNCTS = {  # the first letters of names such as "AM-TMPdirection"; None: it is no filler
    "am-tmp": Role.TIME,
    "am-loc": Role.LOCATION,
    "am-mnr": Role.MANNER,
    "am-dir": Role.TRAJECTORY,
    "am-prp": Role.MANNER,
    "am-cau": Role.MANNER,
    "am-adv": Role.MANNER,
    "am-ext": Role.MANNER,
    "am-mod": None,
    "am-neg": None,
    "am-dis": None,
}
_FUNCTION_WORDS = _words(
    """
    a an the this that these those some any all both each every either neither no another such my your his her its our
    their i you he she it we they me him us them who whom whose which what there am is are was were be been being have
    has had having do does did can could may might must shall should will would of in on at by for with about against
    between among into onto through during before after above below to from up down out off over under within without
    across along around behind beside near past via until since upon per as than like toward towards throughout and or
    but nor so if because while when where very too just also only not n't 's
    """
)


def structure_of_roles(text: str, roles: Mapping[str, str]) -> Parsed:
    """A sentence with its roles by name as a structure of one frame; a failure where no role has a filler.

    The predicate is the Verb as written, in lower case.
    """
    fillers: dict[str, Filler] = {}
    for own in (True, False):  # the eight roles first, other names only where they leave a gap
        for name, phrase in roles.items():
            role = _EIGHT.get(name.lower()) if own else _other_role(name)
            if role is None or role in fillers or not phrase.strip() or phrase.strip() == "NONE":
                continue
            fillers[role] = Filler(phrase.strip(), _content_words(phrase))
    if not fillers:
        return ParseFailure(text, "the file has no roles for this sentence")
    verb = fillers.get(Role.VERB)
    ordered: dict[str, Filler] = {role: fillers[role] for role in Role if role in fillers}
    return RoleStructure(text, (Frame(verb.text.lower() if verb else "", ordered),))


def _other_role(name: str) -> Role | None:
    """Of the eight roles, the one for a VerbNet or PropBank name; an unknown description is a Theme."""
    name = name.lower()
    if name in _EIGHT:
        return None
    if name.startswith("am-"):
        return _ADJUNCTS.get(name[:6])
    return _OTHER_NAMES.get(name, Role.THEME)


def _content_words(phrase: str) -> tuple[str, ...]:
    words = [word.strip(".,;:!?\"'()’“”").removesuffix("'s").removesuffix("’s") for word in phrase.lower().split()]
    words = [word for word in words if word]
    return tuple(word for word in words if word not in _FUNCTION_WORDS) or tuple(words) or (phrase.strip().lower(),)


def read_release(roles: str | Path, pairs: str | Path) -> list[tuple[Parsed, Parsed]]:
    """The structures of a release's role file, by pair, with the sentences of its pair file (``s1;s2[;score]``).

    Raises :class:`FormatError`, with the file and what is known of the place, for a file that is not JSON or not of
    this form, and where the two files are not of one length.
    """
    sentences = list(_sentences(pairs))
    entries = _entries(roles)
    if len(entries) != len(sentences):
        raise FormatError(
            f"holds {len(entries)} pairs, but {pairs} holds {len(sentences)}; are they of one data set?", roles
        )
    return [
        (structure_of_roles(s1, roles1), structure_of_roles(s2, roles2))
        for (roles1, roles2), (s1, s2) in zip(entries, sentences, strict=True)
    ]


def _sentences(path: str | Path) -> Iterable[tuple[str, str]]:
    for number, line in LineReader(path):
        if not line.strip():
            continue
        columns = line.split(";")
        if len(columns) not in (2, 3):
            raise FormatError(f"expected s1;s2 or s1;s2;score, got {len(columns)} columns", path, number)
        yield columns[0].strip(), columns[1].strip()


def _entries(path: str | Path) -> list[tuple[dict[str, str], dict[str, str]]]:
    data = read_json(path)
    if not isinstance(data, dict):
        raise FormatError(f"expected an object with an entry a pair, got {type(data).__name__}", path)
    entries = []
    for key, entry in data.items():
        if not isinstance(entry, list) or len(entry) != 2:
            raise FormatError(f"pair {key!r}: expected a list of two sentences' roles, got {_brief(entry)}", path)
        for roles in entry:
            if not isinstance(roles, dict) or not all(isinstance(phrase, str) for phrase in roles.values()):
                raise FormatError(f"pair {key!r}: expected an object of role: text, got {_brief(roles)}", path)
        entries.append((entry[0], entry[1]))
    return entries


def _brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "…"


class PrecomputedParser:
    """A parser that looks its sentences up; blanks around a sentence do not matter."""

    def __init__(self, structures: Mapping[str, Parsed]) -> None:
        self.structures = {sentence.strip(): structure for sentence, structure in structures.items()}

    @classmethod
    def from_release(cls, roles: str | Path, pairs: str | Path) -> PrecomputedParser:
        """The parses of a release (see :func:`read_release`); of a sentence that was parsed twice, the first."""
        structures: dict[str, Parsed] = {}
        for pair in read_release(roles, pairs):
            for structure in pair:
                structures.setdefault(structure.text, structure)
        return cls(structures)

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """One structure a sentence, in order; a :class:`ParseFailure` for a sentence that is not there."""
        return [
            self.structures.get(sentence.strip()) or ParseFailure(sentence, "not among the precomputed structures")
            for sentence in sentences
        ]
