"""The xml files of RTE and FraCaS as records with ``sentence1``, ``sentence2`` and ``label``.

RTE     <pair id="1" entailment="YES" task="IE"><t>text</t><h>hypothesis</h></pair>
FraCaS  <problem id="1" fracas_answer="yes"><p idx="1">…</p><p idx="2">…</p><h>…</h></problem>
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from hybridsem._utils.safe_read import read_bytes, wrap_read_errors
from hybridsem.errors import FormatError

Record = Mapping[str, str]
_ANSWERS = ("entailment", "value", "fracas_answer")


@wrap_read_errors
def xml_pairs(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the (number, record) of each pair of a file, from 1."""
    section, number = "", 0
    for _, element in ElementTree.iterparse(io.BytesIO(read_bytes(path)), ("end", "comment")):
        if element.tag is ElementTree.Comment:
            continue
        if element.tag == "comment" and element.get("class") == "section":
            section = _text(element).lower()
        if element.tag in ("pair", "problem"):
            number += 1
            yield number, _record(element, section, path, number)
            element.clear()
    if not number:
        raise FormatError("no element is a pair of RTE or a problem of FraCaS", path)


def _record(element: ElementTree.Element, section: str, path: Path, number: int) -> Record:
    premises = [_text(one) for tag in ("t", "p") for one in element.iter(tag)]
    hypothesis = element.find("h")
    if not premises or hypothesis is None:
        raise FormatError("has no text (t or p) or no hypothesis (h)", path, number, element.tag)
    label = next((element.attrib[name] for name in _ANSWERS if name in element.attrib), "")
    how_many = "several premises" if len(premises) > 1 else "one premise"
    return {
        "sentence1": " ".join(premises),
        "sentence2": _text(hypothesis),
        "label": label,
        "genre": element.get("task", ""),
        "section": section,
        "premises": how_many,
    }


def _text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())
