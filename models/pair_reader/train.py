"""Train the pair reader.

    python -m models.pair_reader.train --data ../shared/data --made runs/pairs.jsonl --minutes 60

Writes ``runs/pair_reader/reader.npz``, in 16 bit, every twenty minutes, and a log. ``--start`` goes
on from such a file, so that training can be split. ``--processes 2`` uses two cores: each process
reads batches of its own, and both follow the mean of their gradients.
"""

from __future__ import annotations

import random
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from torch import distributed, multiprocessing
from torch.nn import functional

from benchmarks.command import DATA, run
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import correlation
from models.encoder.build import float_weights
from models.fit import Fit, Log, load
from models.pair_reader.data import Row, kept_rows, sources
from models.pair_reader.model import Reader, Reading
from models.pair_reader.teacher import Teacher, taught
from models.recipe import save

Pair = tuple[str, str]

READER = Path(__file__).with_name("reader.npz")
LONGEST = 128
"""Word pieces of a sentence that are read in training."""
MEETING = "processes"
"""The file by which processes find each other."""
JUDGED = 7000
"""The most rows that are held back and judged at the end."""
FOLLOWED, SOFTER = 0.7, 2.0
"""The teacher's share of the loss, and the temperature at which its relations are followed."""
TURNED = [3, 4, 5, 0, 1, 2, 6, 7]
"""The columns of what is read, when the sentences are exchanged."""
POOL = 4096
"""Rows that are sorted by length at once."""


def batch_of(
    encoder: EmbeddedEncoder, pairs: Sequence[Pair]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The word pieces of pairs of sentences, (n, length), and which of them are of the first and of
    the second.
    """
    both = [one[:LONGEST] for one in ids_of(encoder, [text for pair in pairs for text in pair])]
    pieces = [np.concatenate([both[n], both[n + 1][1:]]) for n in range(0, len(both), 2)]
    length = max(map(len, pieces))
    ids = np.zeros((len(pairs), length), np.int64)
    sides = np.zeros((2, len(pairs), length), np.float32)
    for n, row in enumerate(pieces):
        end = len(both[2 * n])
        ids[n, : len(row)] = row
        sides[0, n, :end] = sides[1, n, end : len(row)] = 1
    return torch.from_numpy(ids), torch.from_numpy(sides[0]), torch.from_numpy(sides[1])


def ids_of(encoder: EmbeddedEncoder, texts: Sequence[str]) -> list[np.ndarray]:
    """The ids of the word pieces of texts."""
    return [np.frombuffer(ids, np.int32) for ids in encoder.pieces(texts)]


def batches(
    encoder: EmbeddedEncoder,
    pairs: Sequence[Pair],
    order: Sequence[int],
    draw: random.Random,
    places: int = 2048,
) -> Iterator[list[int]]:
    """Numbers of pairs, of like length together, so many places in a batch."""
    for start in range(0, len(order), POOL):
        pool = order[start : start + POOL]
        ids = ids_of(encoder, [text for n in pool for text in pairs[n]])
        sizes = [min(len(one), LONGEST) for one in ids]
        lengths = {n: sizes[2 * i] + sizes[2 * i + 1] for i, n in enumerate(pool)}
        found: list[list[int]] = [[]]
        for n in sorted(pool, key=lengths.__getitem__):
            longest = lengths[n]
            if longest * (len(found[-1]) + 1) > places:
                found.append([])
            found[-1].append(n)
        draw.shuffle(found)
        yield from filter(None, found)


def loss_of(
    out: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
    rows: Sequence[Row],
    read: torch.Tensor | None = None,
) -> torch.Tensor:
    """The sum over rows of −log of what each may be, and of the cross-entropies of the rest; where
    ``read`` (n, 8), what the teacher reads, is a number, a mean with the cross-entropy to that.
    """
    weight = torch.tensor([row.weight for row in rows])
    total = torch.zeros(len(rows))
    for scores, direction in zip(out[:2], ("forward", "backward"), strict=True):
        allowed = [getattr(row, direction) for row in rows]
        may = torch.tensor([[bool(bits & (1 << k)) for k in range(3)] for bits in allowed])
        chances = functional.log_softmax(scores, -1)
        total = total - torch.logsumexp(chances.masked_fill(~may, -1e4), -1)
    for column, goal in enumerate(([r.similarity for r in rows], [r.paraphrase for r in rows])):
        goals = torch.tensor(goal)
        known = ~goals.isnan()
        lost = functional.binary_cross_entropy_with_logits(
            out[2][:, column], goals.nan_to_num(), reduction="none"
        )
        total = total + lost * known * (1.5 - 0.5 * column)
    if read is not None:
        known = ~read[:, 0].isnan()
        followed = _to_teacher(out, read.nan_to_num(1.0))
        total = torch.where(known, (1 - FOLLOWED) * total + FOLLOWED * followed, total)
    return (total * weight).sum()


def _to_teacher(
    out: tuple[torch.Tensor, torch.Tensor, torch.Tensor], read: torch.Tensor
) -> torch.Tensor:
    """(n,) cross-entropies to what the teacher reads, that of relations at a temperature (Hinton et
    al. 2015, section 2).
    """
    graded = functional.binary_cross_entropy_with_logits(out[2], read[:, 6:], reduction="none")
    total = graded.sum(1)
    for scores, chances in zip(out[:2], read[:, :6].split(3, 1), strict=True):
        goal = (chances.clamp(min=1e-6).log() / SOFTER).softmax(-1)
        total = total - SOFTER**2 * (goal * (scores / SOFTER).log_softmax(-1)).sum(-1)
    return total


def read_pairs(model: Reading, encoder: EmbeddedEncoder, pairs: Sequence[Pair]) -> Float32Array:
    """(n, 8) float32: the chances of entailment, neutral and contradiction forward and backward,
    similarity and paraphrase.
    """
    found = np.zeros((len(pairs), 8), np.float32)
    model.eval()
    with torch.inference_mode():
        for some in batches(encoder, pairs, range(len(pairs)), random.Random(0)):
            forward, backward, graded = model(*batch_of(encoder, [pairs[n] for n in some]))
            found[some] = torch.cat(
                [forward.softmax(-1), backward.softmax(-1), graded.sigmoid()], 1
            ).numpy()
    model.train()
    return found


def measured(found: np.ndarray, rows: Sequence[Row]) -> dict[str, float]:
    """Figures by set: accuracy of three and two ways, area under the curve, rank correlation."""
    figures: dict[str, float | None] = {}
    for name in dict.fromkeys(row.source for row in rows):
        own = [n for n, row in enumerate(rows) if row.source == name]
        known = [n for n in own if rows[n].forward in (1, 2, 4)]
        if len(known) > 50:
            right = [1 << int(found[n, :3].argmax()) == rows[n].forward for n in known]
            figures[f"{name} 3-way"] = float(np.mean(right))
        two = [n for n in own if rows[n].forward in (1, 2, 4, 6)]
        if len(two) > 50 and len(two) > len(known):
            right = [(found[n, 0] > 0.5) == (rows[n].forward == 1) for n in two]
            figures[f"{name} 2-way"] = float(np.mean(right))
        labelled = [n for n in own if rows[n].paraphrase == rows[n].paraphrase]
        gold = np.array([rows[n].paraphrase for n in labelled])
        if len(set(gold)) == 2:
            area = classification(found[labelled, 7], gold == 1, ("auc",), 0)["auc"]
            figures[f"{name} auc"] = area.value
        rated = [n for n in own if rows[n].similarity == rows[n].similarity]
        if len(rated) > 50:
            gold = np.array([rows[n].similarity for n in rated])
            figures[f"{name} spearman"] = correlation(found[rated, 6], gold)
    return {key: round(value, 3) for key, value in figures.items() if value is not None}


def model_of(mpnet: Path | None) -> Reading:
    """The reader before it has learned, or its teacher, from the folder of all-mpnet-base-v2."""
    return Reader(float_weights()) if mpnet is None else Teacher(mpnet)


@dataclass(frozen=True)
class Options:
    """The options of a run."""

    data: Path = DATA
    made: Annotated[Path | None, "what models.pairs wrote"] = None
    work: Path = Path("runs/pair_reader")
    minutes: float = 60
    rate: float = 2e-4
    cold: Annotated[float, "rate of the heads, as a multiple"] = 5.0
    threads: Annotated[int, "of each process"] = 1
    processes: int = 1
    bf16: Annotated[bool, "where the processor has bfloat16"] = False
    last: Annotated[bool, "the last epoch (sources.toml)"] = False
    replayed: Annotated[float, "share of other rows in it"] = 0.08
    start: Annotated[Path | None, "weights of an earlier run"] = None
    taught: Annotated[Path | None, "what the teacher reads (teach.py)"] = None
    places: Annotated[int, "of a batch"] = 2048
    mpnet: Annotated[Path | None, "train the teacher, from this folder"] = None
    seed: int = 0


class Training:
    """A run over the rows that are not held back, until its time is over; one of several
    processes.
    """

    def __init__(self, options: Options, process: int) -> None:
        self.options, self.process = options, process
        self.draw = random.Random(options.seed * 1000 + process)
        self.rows = kept_rows(options.data, options.made, options.work / "rows.pickle")
        self.pairs = [(row.first, row.second) for row in self.rows]
        self.read = np.full((len(self.rows), 8), np.nan, np.float32)
        if options.taught is not None:
            names = {name for name, row in sources().items() if "taught" in row}
            followed = [n for n, row in enumerate(self.rows) if row.source in names]
            self.read[followed] = taught(options.taught, [self.pairs[n] for n in followed])
        self.held = [n for n, row in enumerate(self.rows) if row.held]
        self.encoder = EmbeddedEncoder(threads=options.threads)
        self.say = Log(options.work if process == 0 else None)
        self.say(rows=Counter(f"{row.source}{' held' * row.held}" for row in self.rows))
        self.model = model_of(options.mpnet)
        if options.start is not None:
            load(self.model, options.start)
        torch.manual_seed(options.seed * 1000 + process)
        layers, heads = [], []
        for name, parameter in self.model.named_parameters():
            (layers if name.startswith("layers") else heads).append(parameter)
        groups = [{"params": layers, "scale": 1.0}, {"params": heads, "scale": options.cold}]
        how = {"between": self._mean} if options.processes > 1 else {}
        self.fit = Fit(groups, self._rate, clip=1.0, weight_decay=0.01, fused=True, **how)
        self.seen = self.epoch = 0

    def run(self) -> None:
        """Learn, with a word every minute and the weights saved every twenty."""
        began, told, saved = time.perf_counter(), 0.0, 0.0
        limit, losses = self.options.minutes * 60, deque[float](maxlen=100)
        for some in self._batches():
            if (passed := self._agreed(time.perf_counter() - began)) > limit:
                break
            losses.append(self._step(some, passed / limit))
            if passed - told > 60:
                told, loss = passed, round(float(np.mean(losses)), 3)
                self.say(seconds=round(passed), pairs=self.seen, epoch=self.epoch, loss=loss)
            if passed - saved > 1200:
                saved = passed
                self.save()
        self.save()
        if self.process == 0:
            self.judge(random.Random(1).sample(self.held, min(JUDGED, len(self.held))))

    def _agreed(self, value: float) -> float:
        """What the first process says."""
        if self.options.processes > 1:
            shared = torch.tensor(value)
            distributed.broadcast(shared, 0)
            return float(shared)
        return value

    def _mean(self, parameters: Sequence[torch.Tensor]) -> None:
        """Put the mean over all processes in place of the gradients."""
        grads = [p.grad for p in parameters if p.grad is not None]
        flat = torch.cat([grad.flatten() for grad in grads]) / self.options.processes
        distributed.all_reduce(flat)
        for grad, mean in zip(grads, flat.split([grad.numel() for grad in grads]), strict=True):
            grad.copy_(mean.view_as(grad))

    def _batches(self) -> Iterator[list[int]]:
        known = ~np.isnan(self.read[:, 0])
        kept = [n for n, row in enumerate(self.rows) if not row.held and (row.says or known[n])]
        shares = {name: row.get("last", self.options.replayed) for name, row in sources().items()}
        while True:
            order = kept
            if self.options.last:
                times = {n: 1.0 if known[n] else shares[self.rows[n].source] for n in kept}
                order = [n for n in kept for _ in range(self._times(times[n]))]
            self.draw.shuffle(order)
            yield from batches(self.encoder, self.pairs, order, self.draw, self.options.places)
            self.epoch += 1

    def _times(self, share: float) -> int:
        """How often a row is read whose share is that on average."""
        return int(share) + (self.draw.random() < share % 1)

    def _rate(self, step: int, share: float) -> float:
        return float(self.options.rate * min(1, share / 0.05) * max(0.02, 1 - share))

    def _step(self, some: list[int], share: float) -> float:
        """Learn from some rows when a share of the time has passed; the loss of one."""
        rows, read = [self.rows[n] for n in some], self.read[some]
        for k in range(len(some)):
            if self.draw.random() < 0.5:
                rows[k], read[k] = rows[k].turned(), read[k, TURNED]
        batch = batch_of(self.encoder, [(row.first, row.second) for row in rows])
        with self._in_bf16():
            out = self.model(*batch)
        loss = loss_of(tuple(part.float() for part in out), rows, torch.from_numpy(read))
        self.fit.step(loss / 64, share)
        self.seen += len(some)
        return float(loss.detach()) / len(some)

    def _in_bf16(self) -> torch.autocast:
        return torch.autocast("cpu", torch.bfloat16, enabled=self.options.bf16)

    def save(self) -> None:
        """Keep the weights."""
        if self.process == 0:
            save(self.options.work / "reader.npz", self.model.state_dict(), half=True)

    def judge(self, some: list[int]) -> None:
        """Say what is right in some rows."""
        with self._in_bf16():
            found = read_pairs(self.model, self.encoder, [self.pairs[n] for n in some])
        self.say(pairs=self.seen, **measured(found, [self.rows[n] for n in some]))


def main(options: Options) -> None:
    if options.processes == 1:
        learn(0, options)
    else:
        kept_rows(options.data, options.made, options.work / "rows.pickle")
        (options.work / MEETING).unlink(missing_ok=True)
        multiprocessing.spawn(learn, (options,), options.processes)


def learn(process: int, options: Options) -> None:
    """Train in one of several processes."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    if options.processes > 1:
        store = distributed.FileStore(str(options.work / MEETING), options.processes)
        distributed.init_process_group(
            "gloo", store=store, rank=process, world_size=options.processes
        )
    Training(options, process).run()


if __name__ == "__main__":
    run(main)
