"""How long things take: runs side by side on one machine, of which the ratio counts.

    python -m benchmarks.speed startup
    python -m benchmarks.speed reading --data ../shared/data
    python -m benchmarks.speed products [--avx2 | --vnni]

What is timed is new in each round, so that nothing is cached, and its weights have been read. Data
are pairs of the STS benchmark. ``products`` needs the package ``onnx``.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, run
from benchmarks.corpora.sources import distinct_texts
from benchmarks.processors import LESS, leave_if_with_less
from benchmarks.timing import Run, each, of_command, processor, show_compared, show_each
from hybridsem import Pipeline
from hybridsem._typing import AnyArray
from hybridsem.structures import DependencyTree, ParseFailure
from hybridsem.tables import read_pairs


def warm(model: str = "hybrid") -> Pipeline:
    nlp = Pipeline(model)
    nlp.explain("The weights are read.", "Nothing else is cached.")
    return nlp


PEOPLE = ("baker", "pilot", "teacher", "nurse", "sailor", "painter", "farmer", "clerk")
THINGS = ("books", "maps", "coins", "letters", "clocks", "boats", "lamps")


def startup(runs: int = 7, pairs: int = 200) -> None:
    """Fresh processes: Python, the import, a command; warm pairs of new sentences."""
    code = [sys.executable, "-c"]
    score = [sys.executable, "-m", "hybridsem", "similarity", "A dog barked.", "It barked."]
    commands = {"python": [*code, ""], "import hybridsem": [*code, "import hybridsem"]}
    commands["hybridsem similarity"] = score
    show_compared(each({n: partial(of_command, c) for n, c in commands.items()}), runs)

    def new(i: int, k: int) -> str:
        who, whom = PEOPLE[(i + k) % 8], PEOPLE[(i * 3 + 5 - k) % 8]
        return f"The {who} showed {i} {THINGS[i % 7]} to the {whom} before lunch."

    nlp = warm()
    show_each(
        "  a warm pair", (partial(nlp.similarity, new(i, 0), new(i, 1)) for i in range(pairs))
    )


def explain(
    data: Path = DATA, models: Sequence[str] = ("hybrid", "embedded"), rounds: int = 5
) -> None:
    """Explanations without and with the cosine opened by words, and how exact its parts are."""
    from hybridsem.explanations import Term

    pairs = [(one.text1, one.text2) for one in read_pairs(data / "sts/stsb-en-dev.csv")]

    def together(model: str, words: bool) -> Run:
        return partial(warm(model).explain, pairs, words=words)

    for model in models:
        nlp, errors = warm(model), []
        for found in nlp.explain(pairs):
            if found.cosine_parts is None:
                raise SystemExit("the encoder of this model cannot be split")
            (line,) = (match for match in found.matches if match.term == Term.SENTENCE)
            errors.append(abs(found.cosine_parts.cosine - line.similarity))
        print(f"{model}: STSb dev, {len(pairs)} pairs; largest error {max(errors):.1e}")
        names = {"explain": False, "explain with words": True}
        prepared = {f"{n}, all pairs": partial(together, model, w) for n, w in names.items()}
        show_compared(prepared, rounds, len(pairs), "pair")
        one_by_one: dict[str, Run] = {
            f"{name}, a pair": partial(
                lambda nlp, words: [nlp.explain(*pair, words=words) for pair in pairs], nlp, words
            )
            for name, words in names.items()
        }
        show_compared(each(one_by_one), rounds, len(pairs), "pair")


def rank(data: Path = DATA, rounds: int = 5) -> None:
    """100 documents for a query, read anew and remembered."""
    nlp, texts = Pipeline(), distinct_texts(data / "sts/stsb-en-train.csv")

    def prepared(top_k: int | None, held: int) -> Run:
        nlp.remember(held)
        ranking = partial(nlp.rank, texts[0], texts[-100:], top_k=top_k)
        if held:
            ranking()
        return ranking

    ways = {
        f"top_k={top_k}, texts {name}": partial(prepared, top_k, held)
        for held, name in {0: "read anew", 1000: "remembered"}.items()
        for top_k in (None, 10)
    }
    show_compared(ways, rounds)


BILLS = "sage/billsum-100.jsonl"


def reading(data: Path = DATA, rounds: int = 5) -> None:
    """What facts and phrases take of reading a sentence: STSb test, and bills, full of numbers."""
    from hybridsem.comparison.phrases import phrases_in
    from hybridsem.facts.reading import read_facts, read_values
    from hybridsem.phrases.lexicon import PhraseLexicon
    from models.corpora import sentences_of

    nlp, lexicon = Pipeline(), PhraseLexicon.standard()
    sources, bills = {"STSb test": distinct_texts(data / "sts/stsb-en-test.csv")}, data / BILLS
    if bills.is_file():
        sources["BillSum"] = list(islice(sentences_of(bills), 1000))
    for name, texts in sources.items():
        parsed = (each.tree for each in nlp.parse(texts) if not isinstance(each, ParseFailure))
        trees = [tree for tree in parsed if tree is not None]

        def facts(trees: Sequence[DependencyTree] = trees) -> None:
            read_facts.cache_clear()
            for tree in trees:
                read_values(tree.text, tree.tokens)

        def phrases(trees: Sequence[DependencyTree] = trees) -> None:
            for tree in trees:
                phrases_in(tree.tokens, lexicon)

        runs: dict[str, Run] = {f"{name}, facts": facts, f"{name}, phrases": phrases}
        show_compared(each(runs), rounds, len(trees) / 1000, "thousand sentences")


def gpu(file: Annotated[Path, "a sentence a line; 4,000 are read"], device: str = "cuda") -> None:
    """The encoder on a GPU beside the CPU: speed, and how much vectors and scores differ."""
    from hybridsem.embeddings.embedded import EmbeddedEncoder

    lines, draw = file.read_text(encoding="utf-8").splitlines(), random.Random(3)
    texts = list(dict.fromkeys(line for line in lines if line.strip()))[:4000]

    def exchanged(sentence: str) -> str:
        words = sentence.split()
        i, j = draw.sample(range(len(words)), 2) if len(words) > 1 else (0, 0)
        words[i], words[j] = words[j], words[i]
        return " ".join(words)

    others = [exchanged(a) if k % 2 else texts[-k - 1] for k, a in enumerate(texts[:200])]
    pairs = list(zip(texts[:200], others, strict=True))

    def measured(device: str) -> tuple[AnyArray, AnyArray, AnyArray]:
        os.environ["HYBRIDSEM_DEVICE"] = device
        encoder = EmbeddedEncoder()
        show_compared({device: lambda: partial(encoder.encode, texts)}, 3, len(texts), "sentence")
        alone = np.concatenate([encoder.encode([text]) for text in texts[:200]])
        return encoder.encode(texts), alone, np.array(Pipeline().score(pairs))

    (cpu, _, cpu_scores), (there, alone, scores) = measured("cpu"), measured(device)
    cosines = np.einsum("nd,nd->n", cpu, there)
    print(f"vectors, GPU and CPU: cosine at least {cosines.min():.4f}, mean {cosines.mean():.5f}")
    print(
        f"numbers of vectors, alone and in a batch: within {np.abs(alone - there[:200]).max():.1e}"
    )
    gaps = np.abs(scores - cpu_scores)
    counts = ", ".join(f"{(gaps > most).sum()} over {most}" for most in (0.001, 0.01))
    print(f"{len(gaps)} scores: within {gaps.max():.4f}; {counts}")


ROWS, DEPTH, COLUMNS, BLOCK = 512, 384, 1536, 128
DRAW = np.random.default_rng(0)


def products(
    avx2: Annotated[bool, LESS["avx2"].about] = False,
    vnni: Annotated[bool, LESS["vnni"].about] = False,
) -> None:
    """The product of 512 word pieces with a layer of 384 × 1,536, in one thread."""
    leave_if_with_less(avx2=avx2, vnni=vnni)
    print(processor())
    u8, s8 = np.uint8, np.int8
    kinds = {"u8 x s8": (u8, s8, 128), "u8 x s8, 7 bit": (u8, s8, 64)}
    kinds |= {"u8 x u8": (u8, u8, 128), "s8 x s8": (s8, s8, 128)}
    left = DRAW.normal(size=(ROWS, DEPTH)).astype(np.float32)
    plain = DRAW.normal(size=(DEPTH, COLUMNS)).astype(np.float32)
    found: dict[str, Run] = {"float32": _product("MatMul", left, [plain])}
    for name, (kind1, kind2, largest) in kinds.items():
        weights = [_whole(kind2, (DEPTH, COLUMNS), largest), np.float32(1), np.float32(1)]
        zeros = [kind1(128 if kind1 is u8 else 0), kind2(128 if kind2 is u8 else 0)]
        weights = [np.asarray(weight) for weight in (*weights, *zeros)]
        found[name] = _product("MatMulIntegerToFloat", _whole(kind1, (ROWS, DEPTH)), weights)
    blocks = DEPTH // BLOCK
    packed = [_whole(u8, (COLUMNS, blocks, BLOCK)), np.ones(COLUMNS * blocks, np.float32)]
    how = {"K": DEPTH, "N": COLUMNS, "bits": 8, "block_size": BLOCK, "accuracy_level": 4}
    found["MatMulNBits, 8 bit"] = _product("MatMulNBits", left, packed, **how)
    show_compared(each(found), rounds=25)


def _whole(kind: type, shape: tuple[int, ...], largest: int = 128) -> AnyArray:
    low = 0 if kind is np.uint8 else -largest
    return DRAW.integers(low, low + 2 * largest, shape).astype(kind)


def _product(op: str, left: AnyArray, weights: Sequence[AnyArray], **attributes: int) -> Run:
    """Return the run of a graph of one operator."""
    from onnx import TensorProto, helper, numpy_helper

    from hybridsem._utils.onnx import session

    names = [f"w{place}" for place in range(len(weights))]
    domain = "" if op == "MatMul" else "com.microsoft"
    kind = helper.np_dtype_to_tensor_dtype(left.dtype)
    graph = helper.make_graph(
        [helper.make_node(op, ["left", *names], ["product"], domain=domain, **attributes)],
        "product",
        [helper.make_tensor_value_info("left", kind, left.shape)],
        [helper.make_tensor_value_info("product", TensorProto.FLOAT, [ROWS, COLUMNS])],
        [numpy_helper.from_array(*pair) for pair in zip(weights, names, strict=True)],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=9)
    return partial(session(model.SerializeToString()).run, None, {"left": left})


COMMANDS: dict[str, Callable[..., None]] = {
    part.__name__: part for part in (startup, reading, explain, rank, gpu, products)
}

if __name__ == "__main__":
    run(COMMANDS)
