r"""Train the role heads on PropBank.

    python -m models.roles.encode --propbank propbank-ewt --ewt UD_English-EWT --out runs/roles
    python -m models.roles.train --data runs/roles --work runs/roles/all --epochs 12
    python -m models.roles.train --data runs/roles --work runs/roles/last --start runs/roles/all
        --examples 0 \ --epochs 4 --lr 5e-4

The first run learns from the treebank and the frame examples, the second goes on with the treebank
alone, which is what the figures are measured on. Each sentence of the treebank is seen with another
of its trees in every epoch. What is kept is an exponential moving average of the weights, from the
epoch that is best on dev, and the largest inputs of each layer on the treebank. ``export.py`` turns
the result into the shipped files. ``--encoder`` trains a float copy of the encoder as well, to see
what that would give.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from hybridsem.parsers.srl.features import choose_labels
from hybridsem.parsers.srl.lexicon import CORE, RoleLexicon
from hybridsem.parsers.verbnet.general_roles import general_role
from models.recipe import parse
from models.roles.batches import Batches
from models.roles.data import LEMMA, Corpus, Sentence, lexicon
from models.roles.finetuned import Encoder
from models.roles.model import Model, loss_of
from models.tops import Tops

TREES = ("parsed", "noisy0", "noisy1", "gold")  # of the treebank's sentences, equally often
LONGEST = 100  # words of a training sentence


def f1(right: float, given: float, wanted: float) -> float:
    return round(200 * right / max(1.0, given + wanted), 2)


@torch.no_grad()
def measure(
    model: Model, batches: Batches, corpus: Corpus, variant: str, *, gold_rolesets: bool = False
) -> dict[str, float]:
    """F1 in per cent with gold predicates: labels and general roles by head; predicates; accuracy
    of rolesets.
    """
    model.eval()
    lex = batches.lexicon
    sums = Counter[str]()
    for at in range(0, len(corpus.sentences), 64):
        some = corpus.sentences[at : at + 64]
        b = batches.batch(corpus, some, [variant] * len(some), own=False)
        h = model.words(b)
        found = model.predicates(h, b) > 0
        sums["predicate"] += int((found & (b.marked > 0)).sum())
        sums["predicate given"] += int(found.sum())
        sums["predicate wanted"] += int(b.marked.sum())
        if not len(b.predicates):
            continue
        best = model.senses(h, b).argmax(-1)
        sums["roleset"] += int((best == b.sense_target).sum())
        picked, has = torch.gather(b.candidates, 1, best[:, None])[:, 0], ~b.candidate_mask[:, 0]
        if gold_rolesets:
            picked, has = b.gold_sense.clamp(min=0), b.gold_sense >= 0
        known = [r if k else None for r, k in zip(picked.tolist(), has.tolist(), strict=True)]
        b.frame = torch.from_numpy(np.stack([lex.frame(r) for r in known]))
        labels, roles = (
            scores.softmax(-1).numpy()
            for scores in model.pairs(h, b, model.sense(picked) * has[:, None])
        )
        bounds = np.searchsorted(b.pair_predicate.numpy(), np.arange(len(known) + 1))
        first = np.repeat(np.cumsum([0, *b.lengths[:-1]]), [len(s.predicates) for s in some])
        for number, gold in enumerate(p for s in some for p in s.predicates):
            part, roleset = slice(bounds[number], bounds[number + 1]), known[number]
            heads = (b.pair_word[part].numpy() - first[number]).tolist()
            got, got_roles = {}, {}
            scores = labels[part] * lex.licence(roleset)
            for row, label in next(choose_labels(scores, [len(scores)], lex.labels)):
                got[heads[row]] = name = lex.labels[label]
                verbnet, best_role = (
                    lex.linked(roleset, name).verbnet,
                    int(roles[part][row].argmax()),
                )
                role = general_role(
                    name, verbnet, None if roleset is None else lex.rolesets[roleset]
                )
                if role is None and not verbnet and name in CORE and best_role:
                    role = lex.roles[best_role - 1]
                if role is not None and (heads[row] in gold.roles or heads[row] not in gold.labels):
                    got_roles[heads[row]] = lex.roles.index(role)
            for kind, ours, theirs in (
                ("label", got, gold.labels),
                ("role", got_roles, gold.roles),
            ):
                sums[kind] += sum(theirs.get(head) == each for head, each in ours.items())
                sums[f"{kind} given"] += len(ours)
                sums[f"{kind} wanted"] += len(theirs)
    scores = {
        k: f1(sums[k], sums[f"{k} given"], sums[f"{k} wanted"])
        for k in ("label", "role", "predicate")
    }
    return scores | {"roleset": round(100 * sums["roleset"] / max(1, sums["predicate wanted"]), 2)}


def groups(
    parts: list[tuple[Corpus, float]], size: int, shuffle: random.Random
) -> list[tuple[Corpus, list[Sentence]]]:
    """Groups of sentences of similar length, of each corpus the share that is given."""
    found = []
    for corpus, share in parts:
        some = [s for s in corpus.sentences if len(s) < LONGEST and (s.predicates or s.whole)]
        some = shuffle.sample(some, int(len(some) * share))
        some.sort(key=lambda s: len(s) + shuffle.random() * 6)
        found += [(corpus, some[at : at + size]) for at in range(0, len(some), size)]
    shuffle.shuffle(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the role heads.")
    parser.add_argument("--data", type=Path, required=True, help="the folder that encode.py wrote")
    parser.add_argument("--work", type=Path, required=True, help="where the weights go")
    parser.add_argument("--start", type=Path, help="go on from the weights in this folder")
    parser.add_argument(
        "--encoder", type=Path, help="a folder with the float encoder, to be trained as well"
    )
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--lr", type=float, default=1.5e-3)
    parser.add_argument("--encoder-lr", type=float, default=1e-4)
    parser.add_argument("--size", type=int, default=24, help="sentences a batch")
    parser.add_argument(
        "--examples", type=float, default=1.0, help="share of the frame examples seen in an epoch"
    )
    parser.add_argument(
        "--limit", type=int, help="use only so many sentences of each file (to try things)"
    )
    parser.add_argument("--seed", type=int, default=1)
    for name, default in (
        ("word", 320),
        ("around", 256),
        ("pair", 256),
        ("sense", 48),
        ("path", 48),
    ):
        parser.add_argument(f"--{name}", type=int, default=default, help="a width")
    options = parse(parser, __file__)
    options.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    shuffle = random.Random(options.seed)
    began = time.time()

    train = Corpus(options.data / "train", TREES, options.limit)
    examples = Corpus(options.data / "examples", ("parsed",), options.limit)
    dev = Corpus(options.data / "dev", ("parsed", "gold"), options.limit)
    seen = Counter(
        label for s in train.sentences for p in s.predicates for label in p.labels.values()
    )
    content = lexicon(
        train, examples, ["_", *sorted(label for label, count in seen.items() if count >= 20)]
    )
    (options.work / "roles.json").write_text(
        json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    lex = RoleLexicon(content, LEMMA)
    batches = Batches(lex)
    widths = {name: getattr(options, name) for name in ("word", "around", "pair", "sense", "path")}
    model = Model(
        len(lex.labels),
        len(lex.rolesets),
        roles=len(lex.roles),
        states=train.states.shape[1],
        frame=lex.frame_width,
        **widths,
    )
    if options.start:
        start = np.load(options.start / "roles.npz")
        model.load_state_dict({name: torch.from_numpy(start[name]) for name in start.files})
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", file=sys.stderr)
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)
    )
    parameters: list[dict[str, Any]] = [{"params": list(model.parameters())}]
    if options.encoder:
        batches.encoder = encoder = Encoder(options.encoder)
        parameters.append({"params": list(encoder.parameters()), "lr": options.encoder_lr})
    optimiser = torch.optim.AdamW(parameters, lr=options.lr, betas=(0.9, 0.98), weight_decay=1e-3)
    parts = [(train, 1.0), (examples, options.examples)]
    steps = len(groups(parts, options.size, shuffle)) * options.epochs
    rates = [group["lr"] for group in optimiser.param_groups]
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rates, total_steps=steps + 50, pct_start=0.06
    )
    best, log = 0.0, []
    for epoch in range(options.epochs):
        model.train()
        start_time, sums = time.time(), Counter[str]()
        chosen = groups(parts, options.size, shuffle)
        for corpus, group in chosen:
            variants = [shuffle.choice(TREES) if s.whole else "parsed" for s in group]
            loss, losses = loss_of(model, batches.batch(corpus, group, variants, own=True))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([p for each in parameters for p in each["params"]], 5.0)
            optimiser.step()
            schedule.step()
            average.update_parameters(model)
            sums.update(losses)
        scores = measure(average.module, batches, dev, "parsed")
        mean = {name: round(value / len(chosen), 4) for name, value in sums.items()}
        log.append(
            {"epoch": epoch + 1, "loss": mean, "seconds": round(time.time() - start_time), **scores}
        )
        print(json.dumps(log[-1]), file=sys.stderr, flush=True)
        if scores["label"] + scores["role"] > best:
            best = scores["label"] + scores["role"]
            state = {name: tensor.numpy() for name, tensor in average.module.state_dict().items()}
            np.savez(options.work / "roles.npz", **state)
        (options.work / "log.json").write_text(
            json.dumps({"options": vars(options), "log": log}, default=str, indent=1)
        )
    kept = np.load(options.work / "roles.npz")
    model.load_state_dict({name: torch.from_numpy(kept[name]) for name in kept.files})
    tops = Tops(model)
    measure(model, batches, train, "parsed")
    np.savez(options.work / "roles-tops.npz", **tops.close())
    for variant in ("parsed", "gold"):
        for gold in (False, True):
            scores = measure(model, batches, dev, variant, gold_rolesets=gold)
            print(
                f"{variant} trees, {'gold' if gold else 'own'} rolesets: {scores}", file=sys.stderr
            )
    print(f"{(time.time() - began) / 60:.1f} minutes", file=sys.stderr)


if __name__ == "__main__":
    main()
