"""Train the role heads on PropBank.

    python -m models.roles.encode --propbank propbank-ewt --ewt UD_English-EWT --out runs/roles
    python -m models.roles.train --data runs/roles --work runs/roles/all
    python -m models.roles.train --data runs/roles --work runs/roles/last --start runs/roles/all
        --run last

The first run learns from the treebank and the frame examples, the second goes on with the treebank
alone, which is what the figures are measured on. Each sentence of the treebank is seen with another
of its trees in every epoch. What is kept is an exponential moving average of the weights, from the
epoch that is best on dev, and the largest inputs of each layer on the treebank. ``export.py`` turns
the result into the shipped files.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from torch.optim.lr_scheduler import OneCycleLR

from benchmarks.command import run
from hybridsem.parsers.srl.features import choose_labels
from hybridsem.parsers.srl.lexicon import CORE, RoleLexicon
from hybridsem.parsers.verbnet.general_roles import general_role
from models.fit import Fit, Log, Tops, averaged, load
from models.recipe import save
from models.roles.batches import Batches
from models.roles.data import LEMMA, Corpus, Sentence, lexicon
from models.roles.model import Model, Settings, loss_of

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
        of_pairs = model.pairs(h, b, model.sense(picked) * has[:, None])
        labels, roles = (scores.softmax(-1).numpy() for scores in of_pairs)
        bounds = np.searchsorted(b.pair_predicate.numpy(), np.arange(1, len(known)))
        first = np.repeat(np.cumsum([0, *b.lengths[:-1]]), [len(s.predicates) for s in some])
        parts = (np.split(all_of, bounds) for all_of in (b.pair_word.numpy(), labels, roles))
        golds = [p for s in some for p in s.predicates]
        for gold, roleset, start, words, of_labels, of_roles in zip(
            golds, known, first, *parts, strict=True
        ):
            heads = (words - start).tolist()
            chosen = arguments(lex, roleset, of_labels, of_roles)
            got = {heads[row]: label for row, label, _ in chosen}
            open_heads = gold.labels.keys() - gold.roles.keys()
            got_roles = {heads[row]: role for row, _, role in chosen if role is not None}
            got_roles = {head: r for head, r in got_roles.items() if head not in open_heads}
            both = (got, gold.labels), (got_roles, gold.roles)
            for kind, (ours, theirs) in zip(("label", "role"), both, strict=True):
                sums[kind] += sum(theirs.get(head) == each for head, each in ours.items())
                sums[f"{kind} given"] += len(ours)
                sums[f"{kind} wanted"] += len(theirs)
    kinds = ("label", "role", "predicate")
    scores = {k: f1(sums[k], sums[f"{k} given"], sums[f"{k} wanted"]) for k in kinds}
    return scores | {"roleset": round(100 * sums["roleset"] / max(1, sums["predicate wanted"]), 2)}


def arguments(
    lex: RoleLexicon, roleset: int | None, labels: np.ndarray, roles: np.ndarray
) -> list[tuple[int, str, int | None]]:
    """The arguments of a predicate by the probabilities of its pairs: row, label, general role."""
    scores, found = labels * lex.licence(roleset), []
    for row, label in next(choose_labels(scores, [len(scores)], lex.labels)):
        name, best = lex.labels[label], int(roles[row].argmax())
        verbnet = lex.linked(roleset, name).verbnet
        role = general_role(name, verbnet, None if roleset is None else lex.rolesets[roleset])
        if role is None and not verbnet and name in CORE and best:
            role = lex.roles[best - 1]
        found.append((row, name, None if role is None else lex.roles.index(role)))
    return found


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


def prepared(work: Path, corpora: Sequence[Corpus], settings: Settings) -> tuple[Batches, Model]:
    """Write ``roles.json`` of the treebank and the examples; give batches, and heads to train."""
    train, examples = corpora
    predicates = [p for s in train.sentences for p in s.predicates]
    seen = Counter(label for p in predicates for label in p.labels.values())
    labels = ["_", *sorted(label for label, count in seen.items() if count >= 20)]
    content = lexicon(train, examples, labels)
    work.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False) + "\n"
    (work / "roles.json").write_text(text, encoding="utf-8")
    lex = RoleLexicon(content, LEMMA)
    counts = (len(names) for names in (lex.labels, lex.rolesets, lex.roles))
    return Batches(lex), Model(*counts, train.states.shape[1], lex.frame_width, settings)


def train(
    model: Model,
    batches: Batches,
    corpora: Sequence[Corpus],
    dev: Corpus,
    work: Path,
    settings: Settings,
) -> None:
    """Train in place; write the average that is best on dev, and the log.

    Args:
        model: The heads.
        batches: Of their lexicon.
        corpora: The treebank and the examples.
        dev: What each epoch is measured on.
        work: Where weights and log go.
        settings: How.
    """
    average, say, best = averaged(model, 0.998), Log(work), -1.0
    shuffle = random.Random(settings.seed)
    parts = list(zip(corpora, (1.0, settings.examples), strict=True))
    steps = len(groups(parts, settings.size, shuffle)) * settings.epochs + 50
    cycle = partial(OneCycleLR, max_lr=settings.lr, total_steps=steps, pct_start=0.06)
    how = {"lr": settings.lr, "betas": (0.9, 0.98), "weight_decay": 1e-3}
    fit = Fit(model.parameters(), clip=5.0, scheduler=cycle, **how)
    for epoch in range(1, settings.epochs + 1):
        model.train()
        sums, chosen = Counter[str](), groups(parts, settings.size, shuffle)
        for corpus, group in chosen:
            variants = [shuffle.choice(TREES) if s.whole else "parsed" for s in group]
            loss, losses = loss_of(model, batches.batch(corpus, group, variants, own=True))
            fit.step(loss)
            average.update_parameters(model)
            sums.update(losses)
        scores = measure(average.module, batches, dev, "parsed")
        mean = {name: round(value / len(chosen), 4) for name, value in sums.items()}
        say(epoch=epoch, loss=mean, **scores)
        if scores["label"] + scores["role"] > best:
            best = scores["label"] + scores["role"]
            save(work / "roles.npz", average.module.state_dict())


def main(
    settings: Settings,
    *,
    data: Annotated[Path, "the folder that encode.py wrote"],
    work: Annotated[Path, "where the weights go"],
    start: Annotated[Path | None, "go on from the weights in this folder"] = None,
) -> None:
    torch.manual_seed(settings.seed)
    treebank = Corpus(data / "train", TREES)
    examples = Corpus(data / "examples", ("parsed",))
    dev = Corpus(data / "dev", ("parsed", "gold"))
    corpora = treebank, examples
    batches, model = prepared(work, corpora, settings)
    if start:
        load(model, start / "roles.npz")
    train(model, batches, corpora, dev, work, settings)
    load(model, work / "roles.npz")
    tops = Tops(model)
    measure(model, batches, treebank, "parsed")
    save(work / "roles-tops.npz", tops.close())
    for variant, gold in product(("parsed", "gold"), (False, True)):
        scores = measure(model, batches, dev, variant, gold_rolesets=gold)
        print(f"{variant} trees, {'gold' if gold else 'own'} rolesets: {scores}")


if __name__ == "__main__":
    run(main)
