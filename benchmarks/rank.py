"""What ranking, mining and deduplication take, and what deduplication drops by mistake.

    python benchmarks/rank.py --data ../shared/data [--only rank …] [--records 100000] [--rows 800]

    rank     100 documents for a query, read anew and remembered, all and the best ten: ms
    dedup    so many records, made from development sentences by exchanging names and nouns between
             their slots, one in twenty of them a double (copy, contraction, article, case), one in
             twenty a near miss (another number, a negation, exchanged names): seconds, memory, what
             is found of the doubles, how many near misses are dropped
    quality  false drops and true ones of development pairs (at most so many rows of each set), by
             the default and by ``reworded``, with exact intervals of 95 %

Medians of five rounds for ``rank``. Nothing is chosen here on what is held out: the sets are
PAWS-Wiki dev (the half that the judge has not seen), SugarCrepe++ (the given half), STSb dev and
the minimal pairs' part ``development``; their part ``held-out`` is to report.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from hybridsem import Pipeline  # noqa: E402
from hybridsem.judge.judgement import comparison_of  # noqa: E402
from hybridsem.search.duplicates import (  # noqa: E402
    LEAST,
    LEAST_REWORDED,
    REWORDED,
    duplicate_pairs,
)
from hybridsem.tables import read_pairs  # noqa: E402
from models.judge.data import part  # noqa: E402

SETS = ("minimal pairs, development", "PAWS-Wiki dev, 2nd part", "SugarCrepe++", "STSb dev")
HELD_OUT = ("minimal pairs, held-out",)
SAME, OTHER = 4.8, 3.5
"""Ratings of STSb from which, and below which, two sentences are the same or not."""
CRITERIA = {False: (LEAST, 0.0), True: (LEAST_REWORDED, REWORDED)}


def sentences_of(data: Path) -> list[str]:
    pairs = read_pairs(data / "sts/stsb-en-train.csv")
    return list(dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2)))


def time_ranking(data: Path) -> dict[str, Any]:
    nlp = Pipeline()
    texts = sentences_of(data)
    query, documents = texts[1000], texts[2000:2100]
    found: dict[str, Any] = {}
    for top_k in (None, 10):
        nlp.remember(0)
        found[f"top_k={top_k}, texts read anew, ms"] = median(
            lambda top_k=top_k: nlp.rank(query, documents, top_k=top_k)
        )
        nlp.remember(1000)
        nlp.rank(query, documents)
        found[f"top_k={top_k}, texts remembered, ms"] = median(
            lambda top_k=top_k: nlp.rank(query, documents, top_k=top_k)
        )
    return found


def median(run: Callable[[], object], rounds: int = 5) -> dict[str, float]:
    walls, works = [], []
    run()
    for _ in range(rounds):
        wall, work = time.perf_counter(), time.process_time()
        run()
        walls.append((time.perf_counter() - wall) * 1e3)
        works.append((time.process_time() - work) * 1e3)
    return {"wall": round(statistics.median(walls), 1), "cpu": round(statistics.median(works), 1)}


NAMES = """
Ann Bela Carla Deepak Emeka Fatima Goran Hana Ivan Jamal Kofi Lucia Mehmet Nadia Olga Pedro Quinn
Rosa Sanjay Tomas Ulla Victor Wei Ximena Yusuf Zara
""".split()  # noqa: SIM905
MONTHS = """
January February March April May June July August September October November December
""".split()  # noqa: SIM905
REQUESTS = ("said", "wrote", "heard", "noted", "read")


def made(texts: list[str], count: int, seed: int = 1) -> tuple[list[str], dict[int, int], set[int]]:
    """Records; the original of each double; the near misses.

    A record is a sentence of the corpus that somebody said, wrote or heard at some time, so that
    they are as many as wanted, and alike by tens.
    """
    rng = random.Random(seed)
    plain = [text.strip().rstrip(".") for text in texts if re.fullmatch(r"[A-Z][a-z ,]+\.?", text)]
    seen: set[str] = set()
    records: list[str] = []
    doubles: dict[int, int] = {}
    misses: set[int] = set()
    while len(records) < count:
        sentence = rng.choice(plain)
        one, two = rng.sample(NAMES, 2)
        number, month = rng.randint(2, 90), rng.choice(MONTHS)
        told = sentence[0].lower() + sentence[1:]
        text = f"{one} {rng.choice(REQUESTS)} to {two} on {month} {number % 28 + 1} that {told}."
        if text in seen:
            continue
        seen.add(text)
        at = len(records)
        records.append(text)
        kind = rng.randrange(40)
        if kind < 2:
            doubles[len(records)] = at
            records.append(
                [text.rstrip("."), text.replace(" a ", " the "), text.lower(), f"  {text} "][
                    rng.randrange(4)
                ]
            )
        elif kind < 4:
            misses.add(len(records))
            records.append(
                [
                    text.replace(f" {number % 28 + 1} ", f" {number % 28 + 2} "),
                    text.replace(one, "@").replace(two, one).replace("@", two),
                    text.replace(" that ", " that it is not true that "),
                    text.replace(month, rng.choice([m for m in MONTHS if m != month])),
                ][rng.randrange(4)]
            )
    return records[:count], doubles, misses


def time_dedup(data: Path, count: int) -> dict[str, Any]:
    records, doubles, misses = made(sentences_of(data), count)
    nlp = Pipeline()
    began, work = time.perf_counter(), time.process_time()
    found = nlp.deduplicate(records)
    seconds, cpu = time.perf_counter() - began, time.process_time() - work
    dropped = {one.number: one.partner for one in found.dropped}
    given = [number for number in doubles if number < count]
    near = [number for number in misses if number < count]
    wrong = [number for number in near if number in dropped]
    return {
        "records": count,
        "seconds": round(seconds, 1),
        "cpu": round(cpu, 1),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "doubles": len(given),
        "doubles found": sum(number in dropped for number in given),
        "near misses": len(near),
        "near misses dropped": len(wrong),
        "examples": [(records[number], records[dropped[number]]) for number in wrong[:5]],
        "others dropped": len(dropped.keys() - doubles.keys() - misses),
    }


def labelled(name: str, data: Path, rows: int) -> list[tuple[tuple[str, str], bool]]:
    if name == "STSb dev":
        rated = [
            ((pair.text1, pair.text2), pair.gold)
            for pair in read_pairs(data / "sts/stsb-en-dev.csv")
            if pair.gold is not None and (pair.gold >= SAME or 2.5 <= pair.gold < OTHER)
        ]
        pairs = [(pair, gold >= SAME) for pair, gold in rated]
    else:
        found = part(name, data)
        pairs = list(zip(found.pairs, (found.gold == 1).tolist(), strict=True))
    return random.Random(2).sample(pairs, rows) if rows < len(pairs) else pairs


def quality(data: Path, rows: int, log: Path | None) -> dict[str, Any]:
    nlp = Pipeline()
    found: dict[str, Any] = {}
    for name in (*SETS, *HELD_OUT):
        pairs = labelled(name, data, rows)
        for reworded, (threshold, probability) in CRITERIA.items():
            counts = {"false drops": [0, 0], "true drops": [0, 0]}
            for at in range(0, len(pairs), 256):
                some = pairs[at : at + 256]
                batch = nlp.read([pair for pair, _ in some])
                doubles, _ = duplicate_pairs(comparison_of(nlp.reader), batch, 0.0, 0.0, reworded)
                for (pair, same), double in zip(some, doubles, strict=True):
                    drops = (
                        double is not None
                        and double.score >= threshold
                        and double.probability >= probability
                    )
                    counted = counts["true drops" if same else "false drops"]
                    counted[0] += drops
                    counted[1] += 1
                    if log is not None and double is not None:
                        with log.open("a", encoding="utf-8") as stream:
                            row = [name, reworded, same, *double, *pair]
                            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            found[f"{name}{', reworded' if reworded else ''}"] = {
                what: interval(*pair) for what, pair in counts.items()
            }
            print(name, reworded, found[f"{name}{', reworded' if reworded else ''}"], flush=True)
    return found


def interval(hits: int, of: int) -> str:
    from scipy.stats import binomtest

    if not of:
        return "none"
    limits = binomtest(hits, of).proportion_ci(method="exact")
    return f"{hits} of {of}: {hits / of:.1%} [{limits.low:.1%}, {limits.high:.1%}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=["rank", "quality", "dedup"])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--log", type=Path, help="each pair that may be a double, with its figures")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    if "rank" in given.only:
        found["rank"] = time_ranking(given.data)
    if "quality" in given.only:
        found["quality"] = quality(given.data, given.rows, given.log)
    if "dedup" in given.only:
        found["dedup"] = time_dedup(given.data, given.records)
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
