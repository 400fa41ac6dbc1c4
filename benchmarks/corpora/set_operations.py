"""Samples of set operations from union triples, or from documents whose neighbouring sentences are
fused.

    python -m benchmarks.corpora.set_operations triples.tsv -o samples.jsonl --encoder embedded
    python -m benchmarks.corpora.set_operations texts.txt -o samples.jsonl --documents

From a triple (A, B, U): the union (A, B) → U, and the differences (U, A) → B and (U, B) → A.

From three consecutive sentences P, C, N, with P and C fused into S₁, C and N into S₂, as in the
paper:

    overlap      (S₁, S₂) → C
    difference   (S₁, P) → C   (S₁, C) → P   (S₂, C) → N   (S₂, N) → C   (S₁, S₂) → P   (S₂, S₁) → N
    union        (P, C) → S₁   (C, N) → S₂

A difference is meaningful only if the removed and the remaining part are about different things. As
in the paper, the six differences of a window are kept if the cosines of P and C and of C and N are
below .25 for every chosen encoder; with ``each``, every difference is checked by its B and target.
Documents have a sentence in each line, and an empty line between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from benchmarks.command import run
from benchmarks.corpora.joining import fused
from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.service import Chat
from hybridsem._utils.validation import check_sentences, problem
from hybridsem.assets import cache_folder, is_offline
from hybridsem.datasets.set_operations import DIFFERENCE, OVERLAP, UNION, Sample, write
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation import EvaluatedModel, evaluated_model
from hybridsem.evaluation.model import cosines, distinct_texts, vectors_of
from hybridsem.tables import open_pairs

APART = 0.25
"""The paper's limit of the cosine of the two parts of a difference."""


class Triple(NamedTuple):
    """Two sentences and their union."""

    a: str
    b: str
    union: str


Fuser = Callable[[Sequence[tuple[str, str]]], list[str | None]]
"""Gives a sentence with the content of both for each pair, in order; None where there is none."""


@dataclass(frozen=True)
class Built:
    """Samples, and counts of what was excluded, by reason."""

    samples: tuple[Sample, ...]
    left_out: dict[str, int] = field(default_factory=dict)


def from_triples(
    triples: Sequence[Triple],
    encoders: Sequence[EvaluatedModel] = (),
    limit: float = APART,
) -> Built:
    """Return the unions and the differences, both ways, of triples. Excluded: triples with a text
    twice, and those whose cosine of A and B is not below ``limit`` for each encoder. Args:
    ``limit`` is above -1 and at most 1.
    """
    usable = [triple for triple in triples if len(set(triple)) == 3]
    kept = _apart([(one.a, one.b) for one in usable], encoders, limit)
    chosen = [triple for triple, keep in zip(usable, kept, strict=True) if keep]
    samples = [Sample(UNION, one.a, one.b, one.union) for one in chosen]
    samples += [Sample(DIFFERENCE, one.union, one.a, one.b) for one in chosen]
    samples += [Sample(DIFFERENCE, one.union, one.b, one.a) for one in chosen]
    left_out = {
        "triples with a text twice": len(triples) - len(usable),
        "triples too alike": len(usable) - len(chosen),
    }
    return Built(tuple(samples), left_out)


def from_documents(
    documents: Iterable[Sequence[str]],
    fuser: Fuser,
    encoders: Sequence[EvaluatedModel] = (),
    limit: float = APART,
    each: bool = False,
) -> Built:
    """Return the samples of every three consecutive sentences of documents, as in the paper.
    Excluded: windows with a sentence twice, and those that the fuser does not change. Args:
    differences are kept if cosines of neighbours (with ``each``, of B and target) are below
    ``limit`` for all ``encoders``.
    """
    threes = (zip(found, found[1:], found[2:], strict=False) for found in documents)
    windows = [window for three in threes for window in three]
    distinct = [window for window in windows if len(set(window)) == 3]
    pairs = list(dict.fromkeys(pair for p, c, n in distinct for pair in ((p, c), (c, n))))
    joined = dict(zip(pairs, fuser(pairs), strict=True))
    counts = {"windows with a sentence twice": len(windows) - len(distinct), "windows not fused": 0}
    samples: list[Sample] = []
    asked: dict[Sample, set[tuple[tuple[str, str], ...]]] = {}  # by the neighbours in each window
    for p, c, n in distinct:
        first, second = joined[p, c], joined[c, n]
        if first is None or second is None or not (_is_new(first, p, c) and _is_new(second, c, n)):
            counts["windows not fused"] += 1
            continue
        samples.append(Sample(OVERLAP, first, second, c))
        parts = (first, p, c), (first, c, p), (second, c, n), (second, n, c)
        for part in (*parts, (first, second, p), (second, first, n)):
            one = Sample(DIFFERENCE, *part)
            samples.append(one)
            neighbours = ((one.b, one.target),) if each else ((p, c), (c, n))
            asked.setdefault(one, set()).add(neighbours)
        samples += [Sample(UNION, p, c, first), Sample(UNION, c, n, second)]
    samples = list(dict.fromkeys(samples))
    neighbours_of = (one for found in asked.values() for one in sorted(found))
    compared = list(dict.fromkeys(pair for one in neighbours_of for pair in one))
    apart = dict(zip(compared, _apart(compared, encoders, limit), strict=True))

    def is_apart(sample: Sample) -> bool:
        return any(all(apart[pair] for pair in one) for one in asked[sample])

    alike = {sample for sample in asked if not is_apart(sample)}
    counts["differences too alike"] = len(alike)
    return Built(tuple(sample for sample in samples if sample not in alike), counts)


@wrap_read_errors
def read_triples(path: Path) -> list[Triple]:
    """Read a table with the columns A, B and union."""
    found = []
    for pair in open_pairs(path):
        triple = Triple(pair.text1, pair.text2, str(pair.named.get("union", "")))
        if (why := next(filter(None, map(problem, triple)), None)) is not None:
            raise FormatError(f"A, B or union: {why}", path, pair.line)
        found.append(triple)
    return found


@wrap_read_errors
def read_documents(path: Path) -> list[list[str]]:
    """Read documents: a sentence in each line, an empty line between documents."""
    documents: list[list[str]] = [[]]
    for number, line in LineReader(path):
        if not line.strip():
            documents.append([])
        elif (why := problem(line)) is not None:
            raise FormatError(why, path, number)
        else:
            documents[-1].append(line.strip())
    found = [document for document in documents if document]
    if not any(len(document) >= 3 for document in found):
        why = "no document has three sentences; expected one per line"
        raise FormatError(f"{why}, an empty line between documents", path)
    return found


def _is_new(fused: str, *parts: str) -> bool:
    return problem(fused) is None and fused.split() not in [part.split() for part in parts]


def _apart(
    pairs: Sequence[tuple[str, str]], encoders: Sequence[EvaluatedModel], limit: float
) -> Iterator[bool]:
    """Yield whether each pair's cosine is below the limit for every encoder; False without one."""
    if not -1 < limit <= 1:
        raise InputError(f"the limit of a cosine is above -1 and at most 1, got {limit!r}")
    kept = np.ones(len(pairs), bool)
    texts, places = distinct_texts(pairs)
    for encoder in encoders if pairs else ():
        vectors = vectors_of(encoder, texts, True)
        kept &= cosines(*vectors[places]) < limit  # NaN is not below
    yield from kept.tolist()


TEMPERATURE = 0.5
"""The paper's temperature."""

PROMPT = (
    "Write one grammatical English sentence that states everything that the two sentences below "
    "state, each fact once, and nothing else. Keep their wording where you can. Answer with that "
    "sentence alone.\n\nFirst: {first}\nSecond: {second}"
)


def asked(pairs: Sequence[tuple[str, str]], url: str, model: str) -> list[str | None]:
    """Return a sentence for each pair by a chat model (:class:`~hybridsem._utils.service.Chat`);
    None where its answer was empty.
    """
    chat = Chat(url, model, "fusions", settings={"temperature": TEMPERATURE})
    check_sentences([text for pair in pairs for text in pair])
    prompts = [PROMPT.format(first=first, second=second) for first, second in pairs]
    answers = chat.answers(prompts, cache_folder() / "services", offline=is_offline())
    return [" ".join(text.split()).strip('"“”') or None for text in answers]


def main(
    source: Annotated[Path, "table of union triples, or documents"],
    *,
    output: Annotated[Path, ".jsonl, .tsv or .csv"],
    documents: Annotated[bool, "the source holds documents"] = False,
    fuser: Annotated[str, "trees, or the address of a chat API"] = "trees",
    fuser_model: Annotated[str, "model at that address"] = "",
    encoder: Annotated[Sequence[str], "tells parts apart"] = (),
    max_cosine: Annotated[float, "of parts that are apart"] = APART,
    each: Annotated[bool, "check every difference by itself"] = False,
) -> None:
    models = [evaluated_model(name) for name in encoder]
    if documents:
        joins = fused if fuser == "trees" else partial(asked, url=fuser, model=fuser_model)
        texts = read_documents(source)
        built = from_documents(texts, joins, models, max_cosine, each)
    else:
        built = from_triples(read_triples(source), models, max_cosine)
    print(f"{write(output, built.samples)} samples; left out: {built.left_out}")


if __name__ == "__main__":
    run(main)
