"""Train the role heads on PropBank.

python models/roles/encode.py --propbank propbank-ewt --ewt UD_English-EWT --out runs/roles
python models/roles/train.py --data runs/roles --work runs/roles
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parent))
from data import LEMMA, RELATIONS, TAGS, Corpus, Sentence, lexicon

from hybridsem.parsers._features import SHAPES
from hybridsem.parsers._role_collapse import general_role
from hybridsem.parsers._srl_features import FUNCTION_WORDS, PATHS, REACH, distance
from hybridsem.parsers._srl_lexicon import CORE, FRAME_WIDTH, ROLES, RoleLexicon

F = nn.functional


class Model(nn.Module):
    """See the model card."""

    def __init__(self, labels: int, rolesets: int, word: int = 320, pair: int = 256, sense: int = 48, lstm: int = 0,
                 context: bool = True, path: int = 48, use: str = "both") -> None:  # fmt: skip
        super().__init__()
        self.use = use
        self.tag, self.relation = nn.Embedding(len(TAGS), 16), nn.Embedding(len(RELATIONS), 24)
        self.marker, self.shape = nn.Embedding(FUNCTION_WORDS, 32), nn.Embedding(len(SHAPES), 8)
        wide = 400 * (use != "words") + 384 * (use != "states") + 16 + 24 + 32 + 8 + len(RELATIONS)
        self.word = nn.Linear(wide, word)
        self.lstm = nn.LSTM(word, lstm, batch_first=True, bidirectional=True) if lstm else None
        width = word + 2 * lstm
        self.width = width
        self.is_predicate = nn.Sequential(nn.Linear(width + 3, 96), nn.ReLU(), nn.Linear(96, 1))
        self.sense = nn.Embedding(rolesets, sense)
        nn.init.normal_(self.sense.weight, std=0.05)
        self.sense_bias = nn.Embedding(rolesets, 1)
        nn.init.zeros_(self.sense_bias.weight)
        self.to_sense = nn.Linear(width, sense)
        self.prior = nn.Parameter(torch.tensor([0.7, 1.0]))
        self.left = nn.Linear(width, pair)
        self.right = nn.Linear(width + sense + FRAME_WIDTH, pair)
        self.path, self.reach, self.far = nn.Embedding(PATHS, path), nn.Embedding(len(REACH), 16), nn.Embedding(16, 16)
        self.way = nn.Linear(path + 32, pair, bias=False)
        self.context = nn.Linear(pair, pair) if context else None
        self.second = nn.Linear(pair, pair)
        self.label, self.role = nn.Linear(pair, labels), nn.Linear(pair, 1 + len(ROLES))
        self.drop_in, self.drop, self.drop_pair = nn.Dropout(0.25), nn.Dropout(0.3), nn.Dropout(0.3)

    def words(self, b: Any) -> torch.Tensor:
        parts = []
        if self.use != "words":
            parts.append(self.drop_in(b.states))
        if self.use != "states":
            parts.append(self.drop_in(b.words))
        table = [self.tag(b.tags), self.relation(b.relations), self.marker(b.marker), self.shape(b.shapes)]
        x = torch.cat([*parts, self.drop(torch.cat([*table, b.below], -1))], -1)
        x = self.drop(F.relu(self.word(x)))
        if self.lstm is not None:
            rows = torch.nn.utils.rnn.pack_sequence(x.split(b.lengths), enforce_sorted=False)
            y, lengths = torch.nn.utils.rnn.pad_packed_sequence(self.lstm(rows)[0], batch_first=True)
            y = torch.cat([row[:n] for row, n in zip(y, lengths, strict=True)])
            x = torch.cat([x, self.drop(y)], -1)
        return x

    def senses(self, h: torch.Tensor, b: Any) -> torch.Tensor:
        """Scores of every predicate's candidates (p, c); those beyond are -1e4."""
        query = self.to_sense(h[b.predicates])
        scores = torch.einsum("pd,pcd->pc", query, self.sense(b.candidates)) + self.sense_bias(b.candidates)[..., 0]
        scores = scores + (b.candidate_features * self.prior).sum(-1)
        return scores.masked_fill(b.candidate_mask, -1e4)

    def pairs(self, h: torch.Tensor, b: Any, sense: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Label and role scores of every pair; ``sense`` (p, d) embeds the rolesets."""
        right = self.right(torch.cat([h[b.predicates], sense, b.frame], -1))
        way = self.way(self.drop(torch.cat([self.path(b.path), self.reach(b.reach), self.far(b.far)], -1)))
        u = self.drop_pair(F.relu(self.left(h)[b.pair_word] + right[b.pair_predicate] + way))
        v = self.second(u)
        if self.context is not None:
            top = u.new_zeros(len(right), u.shape[1])
            top = top.scatter_reduce(0, b.pair_predicate[:, None].expand_as(u), u, "amax")
            v = v + self.context(top)[b.pair_predicate]
        v = self.drop_pair(F.relu(v)) + u
        return self.label(v), self.role(v)


@dataclass
class Batch:
    """A batch as tensors; see :func:`collate`."""


class Prepared:
    """Builds batches out of sentences."""

    def __init__(self, lexicon: RoleLexicon) -> None:
        self.lexicon = lexicon
        self.label_index = {name: k for k, name in enumerate(lexicon.labels)}
        self.roleset_index = {name: k for k, name in enumerate(lexicon.rolesets)}

    def collate(self, corpus: Corpus, sentences: list[Sentence], variants: list[str], train: bool) -> Any:
        b = Batch()
        trees = [s.trees[v] for s, v in zip(sentences, variants, strict=True)]
        b.lengths = [len(s) for s in sentences]
        at = np.concatenate([[0], np.cumsum(b.lengths)])
        take = [slice(s.start, s.start + len(s)) for s in sentences]
        b.words = torch.from_numpy(np.concatenate([corpus.words[t] for t in take])).float()
        b.states = torch.from_numpy(np.concatenate([corpus.states[t] for t in take])).float()
        b.tags = torch.from_numpy(np.concatenate([t.tags for t in trees]))
        b.relations = torch.from_numpy(np.concatenate([t.relations for t in trees]))
        b.marker = torch.from_numpy(np.concatenate([t.marker for t in trees]))
        b.below = torch.from_numpy(np.concatenate([t.below for t in trees])).float()
        b.shapes = torch.from_numpy(np.concatenate([s.shapes for s in sentences]))
        # predicates
        marked, prior = np.zeros(at[-1], np.float32), np.zeros((at[-1], 3), np.float32)
        counted = np.zeros(at[-1], bool)
        predicates, pairs, pair_predicate, y, yr = [], [], [], [], []
        cands, feats, target, senses, frames = [], [], [], [], []
        lex = self.lexicon
        for s, tree, first in zip(sentences, trees, at[:-1], strict=True):
            counted[first : first + len(s)] = s.whole
            at_predicate = {p.index for p in s.predicates}
            for k, (form, tag) in enumerate(zip(s.forms, tree.tags, strict=True)):
                own = (1, int(k in at_predicate)) if train and s.whole else (0, 0)
                prior[first + k] = lex.prior(form, TAGS[tag], own)
            for p, rows in zip(s.predicates, tree.pairs, strict=True):
                marked[first + p.index] = 1
                gold = self.roleset_index.get(p.roleset, -1)
                known = lex.rolesets_of(s.forms[p.index], TAGS[tree.tags[p.index]])
                cands.append(known)
                feats.append(lex.evidence(known, s.forms[p.index + 1 : p.index + 6],
                                          gold if train and s.whole else None))  # fmt: skip
                target.append(known.index(gold) if gold in known else -100)
                senses.append(gold)
                frames.append(lex.frame(gold if gold >= 0 else None, set(p.labels.values()) if train else None))
                pairs.append(np.concatenate([rows[:, :1] + first, rows[:, 1:]], 1))
                pair_predicate.append(np.full(len(rows), len(predicates)))
                predicates.append(first + p.index)
                for w in rows[:, 0].tolist():
                    y.append(self.label_index.get(p.labels.get(w, "_"), 0))
                    yr.append(1 + p.roles[w] if w in p.roles else (-100 if w in p.labels else 0))
        c = max([1, *map(len, cands)])
        grid, feat = np.zeros((len(cands), c), np.int64), np.zeros((len(cands), c, 2), np.float32)
        mask = np.ones((len(cands), c), bool)
        for row, (known, f) in enumerate(zip(cands, feats, strict=True)):
            grid[row, : len(known)], feat[row, : len(known)], mask[row, : len(known)] = known, f, False
        rows = np.concatenate(pairs) if pairs else np.zeros((0, 3), np.int64)
        rows = rows.astype(np.int64)
        b.predicates = torch.tensor(predicates, dtype=torch.long)
        b.candidates, b.candidate_mask = torch.from_numpy(grid), torch.from_numpy(mask)
        b.candidate_features = torch.from_numpy(feat)
        b.sense_target = torch.tensor(target, dtype=torch.long)
        b.gold_sense = torch.tensor(senses, dtype=torch.long)
        b.frame = torch.from_numpy(np.stack(frames)) if frames else torch.zeros(0, FRAME_WIDTH)
        b.pair_word, b.path, b.reach = (torch.from_numpy(np.ascontiguousarray(rows[:, k])) for k in range(3))
        b.pair_predicate = (
            torch.from_numpy(np.concatenate(pair_predicate).astype(np.int64))
            if pairs
            else torch.zeros(0, dtype=torch.long)
        )
        b.far = torch.from_numpy(distance(rows[:, 0], np.array(predicates, np.int64)[b.pair_predicate.numpy()]))
        b.y, b.y_role = torch.tensor(y, dtype=torch.long), torch.tensor(yr, dtype=torch.long)
        b.marked, b.counted, b.prior = torch.from_numpy(marked), torch.from_numpy(counted), torch.from_numpy(prior)
        return b


def loss_of(model: Model, b: Any) -> tuple[torch.Tensor, dict[str, float]]:
    h = model.words(b)
    found = model.is_predicate(torch.cat([h, b.prior], -1))[:, 0]
    parts = {"predicate": F.binary_cross_entropy_with_logits(found[b.counted], b.marked[b.counted])
             if b.counted.any() else found.sum() * 0}  # fmt: skip
    if len(b.predicates):
        several = b.sense_target >= 0
        scores = model.senses(h, b)
        parts["sense"] = (
            F.cross_entropy(scores[several], b.sense_target[several]) if several.any() else scores.sum() * 0
        )
        known = (b.gold_sense >= 0) & (torch.rand(len(b.gold_sense)) < 0.85)
        sense = model.sense(b.gold_sense.clamp(min=0)) * known[:, None]
        labels, roles = model.pairs(h, b, sense)
        n = len(b.predicates)
        parts["label"] = F.cross_entropy(labels, b.y, reduction="sum") / n / 3
        parts["role"] = F.cross_entropy(roles, b.y_role, reduction="sum") / n / 3
    weights = {"predicate": 1.0, "sense": 0.4, "label": 1.0, "role": 0.3}
    return sum(weights[k] * v for k, v in parts.items()), {k: v.item() for k, v in parts.items()}


@torch.no_grad()
def measure(model: Model, prepared: Prepared, corpus: Corpus, variant: str) -> dict[str, float]:
    """Greedy figures with gold predicates: heads with labels, with roles, predicates, rolesets."""
    model.eval()
    right = given = wanted = unlabelled = rright = rgiven = rwanted = tright = tgiven = 0
    tp = fp = fn = ok = total = 0
    for at in range(0, len(corpus.sentences), 64):
        some = corpus.sentences[at : at + 64]
        b = prepared.collate(corpus, some, [variant] * len(some), False)
        h = model.words(b)
        found = model.is_predicate(torch.cat([h, b.prior], -1))[:, 0] > 0
        tp += int((found & (b.marked > 0)).sum())
        fp += int((found & (b.marked == 0)).sum())
        fn += int((~found & (b.marked > 0)).sum())
        gold = [p for s in some for p in s.predicates]
        total += len(gold)
        if not gold:
            continue
        best = model.senses(h, b).argmax(-1)
        ok += int((best == b.sense_target).sum())
        picked = torch.gather(b.candidates, 1, best[:, None])[:, 0]
        has = ~b.candidate_mask[:, 0]
        known = [r if k else None for r, k in zip(picked.tolist(), has.tolist(), strict=True)]
        b.frame = torch.from_numpy(np.stack([prepared.lexicon.frame(r) for r in known]))
        labels, roles = model.pairs(h, b, model.sense(picked) * has[:, None])
        probabilities = labels.softmax(-1).numpy()
        role_of = roles.argmax(-1).numpy()
        firsts = np.cumsum([0, *(len(s) for s in some)])[:-1]
        offsets = [f for f, s in zip(firsts, some, strict=True) for _ in s.predicates]
        order = np.argsort(b.pair_predicate.numpy(), kind="stable")
        bounds = np.searchsorted(b.pair_predicate.numpy()[order], np.arange(len(gold) + 1))
        for p, one in enumerate(gold):
            want, want_roles = one.labels, one.roles
            rows = order[bounds[p] : bounds[p + 1]]
            got, got_roles, table_roles = {}, {}, {}
            taken = set()
            for r in sorted(rows, key=lambda r: -probabilities[r, 1:].max()):
                k = int(probabilities[r].argmax())
                name = prepared.lexicon.labels[k]
                if k == 0:
                    continue
                if name in CORE and name in taken:
                    k = next((j for j in np.argsort(-probabilities[r]) if prepared.lexicon.labels[j] not in taken), 0)
                    name = prepared.lexicon.labels[k]
                    if k == 0:
                        continue
                if name in CORE:
                    taken.add(name)
                word = int(b.pair_word[r]) - offsets[p]
                got[word] = name
                if role_of[r]:
                    got_roles[word] = int(role_of[r]) - 1
                sure = known[p] is not None and (name not in CORE or prepared.lexicon.verbnet(known[p], name))
                if sure:
                    by_table = general_role(
                        name, prepared.lexicon.verbnet(known[p], name), prepared.lexicon.rolesets[known[p]]
                    )
                    if by_table is not None:
                        table_roles[word] = ROLES.index(by_table)
                elif role_of[r]:
                    table_roles[word] = int(role_of[r]) - 1
            given += len(got)
            wanted += len(want)
            unlabelled += len(got.keys() & want.keys())
            right += sum(want.get(w) == x for w, x in got.items())
            counted = {w: r for w, r in got_roles.items() if w in want_roles or w not in want}
            rgiven += len(counted)
            rwanted += len(want_roles)
            rright += sum(want_roles.get(w) == r for w, r in counted.items())
            counted = {w: r for w, r in table_roles.items() if w in want_roles or w not in want}
            tgiven += len(counted)
            tright += sum(want_roles.get(w) == r for w, r in counted.items())

    def f1(r: int, g: int, w: int) -> float:
        return round(200 * r / max(1, g + w), 2)

    return {
        "label": f1(right, given, wanted),
        "unlabelled": f1(unlabelled, given, wanted),
        "role": f1(rright, rgiven, rwanted),
        "table role": f1(tright, tgiven, rwanted),
        "predicate": f1(tp, tp + fp, tp + fn),
        "roleset": round(100 * ok / total, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the role heads.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1.5e-3)
    parser.add_argument("--size", type=int, default=24, help="sentences a batch")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--examples", type=float, default=1.0, help="share of the frame examples seen in an epoch")
    parser.add_argument("--lstm", type=int, default=0)
    parser.add_argument("--no-context", action="store_true")
    parser.add_argument("--use", default="both")
    parser.add_argument("--variants", default="parsed:1,noisy0:1,noisy1:1,gold:1")
    parser.add_argument("--word", type=int, default=320)
    parser.add_argument("--pair", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    shuffle = random.Random(options.seed)
    began = time.time()
    weights = {name: float(w) for name, _, w in (v.partition(":") for v in options.variants.split(","))}
    train = Corpus(options.data / "train", tuple(weights), options.limit)
    examples = Corpus(options.data / "examples", ("parsed",), options.limit)
    dev = Corpus(options.data / "dev", ("parsed", "gold"), options.limit)
    seen = Counter(label for s in train.sentences for p in s.predicates for label in p.labels.values())
    labels = ["_", *sorted(label for label, count in seen.items() if count >= 20)]
    content = lexicon(train, examples, labels)
    (options.work / "roles.json").write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n")
    prepared = Prepared(RoleLexicon(content, LEMMA))
    n = len(content["rolesets"])
    print(f"{len(labels)} labels, {n} rolesets, prepared in {time.time() - began:.0f} s", file=sys.stderr)

    model = Model(len(labels), n, options.word, options.pair, lstm=options.lstm,
                  context=not options.no_context, use=options.use)  # fmt: skip
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", file=sys.stderr)
    moving = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=moving)
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.lr, betas=(0.9, 0.98), weight_decay=1e-3)

    def epoch_batches() -> list[tuple[Corpus, list[Sentence]]]:
        groups = []
        for corpus, share in ((train, 1.0), (examples, options.examples)):
            some = [s for s in corpus.sentences if len(s) < 100 and (s.predicates or s.whole)]
            some = shuffle.sample(some, int(len(some) * share))
            some.sort(key=lambda s: len(s) + shuffle.random() * 6)
            groups += [(corpus, some[at : at + options.size]) for at in range(0, len(some), options.size)]
        shuffle.shuffle(groups)
        return groups

    steps = len(epoch_batches()) * options.epochs
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.lr, total_steps=steps + 50, pct_start=0.06)
    best, log = 0.0, []
    for epoch in range(options.epochs):
        model.train()
        start, sums, count = time.time(), {}, 0
        for corpus, group in epoch_batches():
            variants = [
                shuffle.choices(list(weights), list(weights.values()))[0] if s.whole else "parsed" for s in group
            ]
            loss, parts = loss_of(model, prepared.collate(corpus, group, variants, True))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            average.update_parameters(model)
            count += 1
            for k, v in parts.items():
                sums[k] = sums.get(k, 0) + v
        scores = measure(average.module, prepared, dev, "parsed")
        log.append({"epoch": epoch + 1, "seconds": round(time.time() - start),
                    "loss": {k: round(v / count, 4) for k, v in sums.items()}, "parsed": scores})  # fmt: skip
        if epoch == options.epochs - 1:
            log[-1]["gold trees"] = measure(average.module, prepared, dev, "gold")
        print(json.dumps(log[-1]), file=sys.stderr, flush=True)
        if (now := scores["label"] + scores["table role"]) > best:
            best = now
            state = {name: tensor.numpy() for name, tensor in average.module.state_dict().items()}
            np.savez(options.work / "roles.npz", **state)
        (options.work / "log.json").write_text(
            json.dumps({"options": vars(options), "log": log}, default=str, indent=1)
        )
    print(f"{(time.time() - began) / 60:.1f} minutes", file=sys.stderr)


if __name__ == "__main__":
    main()
