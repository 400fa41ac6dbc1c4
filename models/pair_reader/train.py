"""Train the pair reader.

    python -m models.pair_reader.train --data ../shared/data --made runs/pairs.jsonl --minutes 60

Writes ``runs/pair_reader/reader.pt`` and a log; a run that was killed goes on with ``--resume``.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.encoder.build import LAYERS, SHARED, float_weights, shipped_weights, source_folder
from models.pair_reader.data import Row, read
from models.pair_reader.model import JOINT, Reader
from models.role_encoder.states import States, lower_states

__all__ = ["batch_of", "read_pairs"]

LONGEST = 128
"""Word pieces of a sentence that are read in training."""
TOKENS, POOL = 3072, 4096
"""Places of a batch; rows that are sorted by length at once."""


def batch_of(
    states: States, rows: Sequence[tuple[int, int]]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What :class:`Reader` takes, of pairs of sentences by their numbers."""
    sizes = [[min(int(states.lengths[i]), LONGEST) for i in pair] for pair in rows]
    length = max(map(sum, sizes))
    x = np.zeros((len(rows), length, states.tokens.shape[1]), np.float32)
    sides = np.zeros((2, len(rows), length), np.float32)
    for n, (pair, (a, b)) in enumerate(zip(rows, sizes, strict=True)):
        for side, (i, start, size) in enumerate(((pair[0], 0, a), (pair[1], a, b))):
            begin = states.starts[i]
            x[n, start : start + size] = states.tokens[begin : begin + size]
            sides[side, n, start : start + size] = 1
    return torch.from_numpy(x), torch.from_numpy(sides[0]), torch.from_numpy(sides[1])


def batches(
    pairs: Sequence[tuple[int, int]], states: States, order: Sequence[int], draw: random.Random
) -> Iterator[list[int]]:
    """Numbers of pairs, of like length together."""
    lengths = np.minimum(states.lengths, LONGEST)
    for start in range(0, len(order), POOL):
        some = sorted(order[start : start + POOL], key=lambda n: int(lengths[list(pairs[n])].sum()))
        found: list[list[int]] = [[]]
        for n in some:
            longest = int(lengths[list(pairs[n])].sum())
            if longest * (len(found[-1]) + 1) > TOKENS:
                found.append([])
            found[-1].append(n)
        draw.shuffle(found)
        yield from filter(None, found)


def loss_of(
    out: tuple[torch.Tensor, torch.Tensor, torch.Tensor], rows: Sequence[Row]
) -> torch.Tensor:
    """The sum over rows of −log of what each may be, and of the cross-entropies of the rest."""
    weight = torch.tensor([row.weight for row in rows])
    total = torch.zeros(len(rows))
    for scores, allowed in zip(
        out[:2], ([r.forward for r in rows], [r.backward for r in rows]), strict=True
    ):
        may = torch.tensor([[bool(bits & (1 << k)) for k in range(3)] for bits in allowed])
        chances = functional.log_softmax(scores, -1)
        total = total - torch.logsumexp(chances.masked_fill(~may, -1e4), -1)
    for column, goal in enumerate(
        ([r.similarity for r in rows], [r.paraphrase for r in rows])
    ):
        goals = torch.tensor(goal)
        known = ~goals.isnan()
        lost = functional.binary_cross_entropy_with_logits(
            out[2][:, column], goals.nan_to_num(), reduction="none"
        )
        total = total + lost * known * (1.5 - 0.5 * column)
    return (total * weight).sum()


def read_pairs(
    model: Reader, states: States, pairs: Sequence[tuple[int, int]]
) -> np.ndarray:
    """(n, 8) float32: the chances of entailment, neutral and contradiction forward and backward,
    similarity and paraphrase.
    """
    found = np.zeros((len(pairs), 8), np.float32)
    model.eval()
    with torch.inference_mode():
        for some in batches(pairs, states, range(len(pairs)), random.Random(0)):
            forward, backward, graded = model(*batch_of(states, [pairs[n] for n in some]))
            found[some] = torch.cat(
                [forward.softmax(-1), backward.softmax(-1), graded.sigmoid()], 1
            ).numpy()
    model.train()
    return found


def measured(found: np.ndarray, rows: Sequence[Row]) -> dict[str, float]:
    """Figures by set: accuracy of three and two ways, area under the curve, rank correlation."""
    from scipy.stats import rankdata, spearmanr

    figures: dict[str, float] = {}
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
            ranks = rankdata(found[labelled, 7])
            ones = gold == 1
            area = (ranks[ones].mean() - (ones.sum() + 1) / 2) / (~ones).sum()
            figures[f"{name} auc"] = float(area)
        rated = [n for n in own if rows[n].similarity == rows[n].similarity]
        if len(rated) > 50:
            gold = np.array([rows[n].similarity for n in rated])
            figures[f"{name} spearman"] = float(spearmanr(gold, found[rated, 6]).statistic)
    return {key: round(value, 3) for key, value in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--made", type=Path)
    parser.add_argument("--work", type=Path, default=Path("runs/pair_reader"))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, help="learn from so many rows only")
    parser.add_argument("--published", action="store_true", help="start from the published layers")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    draw = random.Random(options.seed)
    rows = read(options.data, options.made)
    texts = [text for row in rows for text in (row.first, row.second)]
    states = lower_states(texts, SHARED, options.work / "states.npy")
    pairs = [(states.row[row.first], states.row[row.second]) for row in rows]
    learned = [n for n, row in enumerate(rows) if not row.held][: options.most]
    held = [n for n, row in enumerate(rows) if row.held]
    draw.shuffle(learned)
    model = Reader()
    weights = float_weights(source_folder()) if options.published else shipped_weights()
    model.load_layers(weights, LAYERS - JOINT)
    heads = [p for name, p in model.named_parameters() if not name.startswith("layers")]
    heads += [p for name, p in model.named_parameters() if name.endswith("other")]
    upper = [
        p
        for name, p in model.named_parameters()
        if name.startswith("layers") and not name.endswith("other")
    ]
    optimiser = torch.optim.AdamW(
        [{"params": upper, "lr": 1.0}, {"params": heads, "lr": 5.0}], weight_decay=0.01
    )
    scales = [1.0, 5.0]
    began, seen, losses, told, saved = time.perf_counter(), 0, [], 0.0, 0.0
    limit = options.minutes * 60
    log = (options.work / "log.jsonl").open("a", encoding="utf-8")

    def say(**values: object) -> None:
        line = json.dumps(values)
        print(line, flush=True)
        log.write(line + "\n")
        log.flush()

    epoch = 0
    while (passed := time.perf_counter() - began) < limit:
        order = learned[:]
        draw.shuffle(order)
        for some in batches(pairs, states, order, draw):
            passed = time.perf_counter() - began
            if passed > limit:
                break
            share = passed / limit
            rate = options.rate * min(1, share / 0.05) * max(0.02, 1 - share)
            for group, scale in zip(optimiser.param_groups, scales, strict=True):
                group["lr"] = rate * scale
            loss = loss_of(model(*batch_of(states, [pairs[n] for n in some])), [rows[n] for n in some])
            optimiser.zero_grad()
            (loss / 64).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            seen += len(some)
            losses.append(float(loss.detach()) / len(some))
            if passed - told > 60:
                told = passed
                say(seconds=round(passed), pairs=seen, epoch=epoch, loss=round(float(np.mean(losses[-100:])), 3))
            if passed - saved > 600:
                saved = passed
                torch.save(model.state_dict(), options.work / "reader.pt")
                few = random.Random(1).sample(held, min(3000, len(held)))
                found = read_pairs(model, states, [pairs[n] for n in few])
                say(seconds=round(passed), pairs=seen, **measured(found, [rows[n] for n in few]))
        epoch += 1
    torch.save(model.state_dict(), options.work / "reader.pt")
    found = read_pairs(model, states, [pairs[n] for n in held])
    np.save(options.work / "held.npy", found)
    say(pairs=seen, epoch=epoch, **measured(found, [rows[n] for n in held]))


if __name__ == "__main__":
    main()
