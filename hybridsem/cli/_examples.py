"""What `--help` shows of each command in use."""

from __future__ import annotations

import click

__all__ = ["EXAMPLES", "add_examples"]

EXAMPLES = {
    "": """
        hybridsem similarity "A dog chased a cat." "A cat was chased by a dog."
        hybridsem score pairs.csv -o scored.csv
        hybridsem report scored.csv -o report.html
        hybridsem COMMAND --help
    """,
    "similarity": """
        hybridsem similarity "The dog chased the cat." "The cat chased the dog."
        hybridsem similarity --json -m verbnet-cn "A man sang." "A song was sung."
    """,
    "explain": """
        hybridsem explain "The dog chased the cat." "The cat chased the dog."
        hybridsem explain "A man sang." "A boy sang." --html why.html
    """,
    "judge": """
        hybridsem judge pairs.csv -o judged.csv
        hybridsem judge pairs.jsonl -o judged.jsonl --on-error skip
    """,
    "parse": """
        hybridsem parse sentences.txt
        echo "Ann gave Bob a book." | hybridsem parse - --format conllu
        hybridsem parse sentences.txt --format penman
    """,
    "encode": """
        hybridsem encode sentences.txt -o vectors.npy
        hybridsem encode texts.parquet -o vectors.npy --engine ray --address auto
    """,
    "score": """
        hybridsem score pairs.csv -o scored.csv
        hybridsem score pairs.csv -o scored.csv --columns question,answer,rating
        hybridsem score pairs.jsonl.gz -o scored.parquet --details --on-error skip
        hybridsem score pairs.csv -o scored.csv --resume
        hybridsem score pairs.parquet -o scored.parquet --engine ray --address auto
    """,
    "report": """
        hybridsem report scored.csv -o report.html
        hybridsem report scored.csv -o report.html --model verbnet-cn --explain 100
        hybridsem report rated.csv -o report.html --columns a,b,gold --score rating
    """,
    "search": """
        hybridsem search idx/ "The newspaper was sued by the bank." --top-k 5
        hybridsem search idx/ --agent "a bank" --verb sue --theme newspaper
        hybridsem search idx/ --queries questions.txt --json
        hybridsem search /shared/idx --queries questions.txt --engine ray --address auto
    """,
    "index": """
        hybridsem index build texts.parquet --column text -o idx/
        hybridsem index info idx/
    """,
    "index build": """
        hybridsem index build sentences.txt -o idx/
        hybridsem index build texts.parquet --column text -o idx/
        hybridsem index build texts.parquet -o idx/ --engine ray --address auto
    """,
    "index append": """
        hybridsem index append idx/ more.jsonl
        hybridsem index append idx/ more.jsonl --engine ray --address auto
    """,
    "index delete": """
        hybridsem index delete idx/ 17 42
    """,
    "index compact": """
        hybridsem index compact idx/
    """,
    "index info": """
        hybridsem index info idx/
    """,
    "index export": """
        hybridsem index export idx/ -o texts.jsonl
    """,
    "rank": """
        hybridsem rank "A man sang." sentences.txt --top-k 10
        hybridsem rank --queries questions.csv articles.parquet --column body -k 5
        hybridsem rank --queries questions.csv articles.csv --engine ray --address auto
    """,
    "mine": """
        hybridsem mine sentences.txt --threshold 0.85 -o paraphrases.csv
        hybridsem mine questions.csv answered.csv --top-k 1 --json
        hybridsem mine sentences.txt -o paraphrases.csv --engine ray --address auto
    """,
    "dedup": """
        hybridsem dedup sentences.txt -o kept.txt --dropped gone.csv
        hybridsem dedup sentences.txt -o kept.txt --engine ray --address auto
    """,
    "cluster": """
        hybridsem cluster comments.jsonl --threshold 0.7 --min-size 5 -o groups.csv
        hybridsem cluster comments.jsonl -o groups.csv --engine ray --address auto
    """,
    "train": """
        hybridsem train rated.csv -o weights.json
        hybridsem train rated.csv -o weights.json -m verbnet-cn -r linear
    """,
    "calibrate": """
        hybridsem calibrate mine.csv -o calibration.json --precision 0.95
        hybridsem calibrate rated.csv -o calibration.json --from 4
    """,
    "fit-encoder": """
        hybridsem fit-encoder simcse -o simcse.json
        hybridsem fit-encoder transformer:./my-model -o mine.json --sentences mine.txt
    """,
    "evaluate": """
        hybridsem evaluate sts --data rated.csv -o card.json
        hybridsem evaluate stsb --data stsb-en-test.csv -m embedded -o encoder.json
    """,
    "compare": """
        hybridsem compare hybrid.json other.json --intervals
        hybridsem compare hybrid.json other.json --format markdown -o table.md
    """,
    "leaderboard": """
        hybridsem leaderboard hybrid.json other.json -o site
    """,
    "plot": """
        hybridsem plot hybrid.json other.json -o figures.svg
        hybridsem plot hybrid.json -o scores.pdf --kind scatter
    """,
    "amr": """
        hybridsem amr parsed.txt gold.txt --exact --explain
        hybridsem amr parsed.txt gold.txt --metric wwlk --pairs --json
    """,
    "setops": """
        hybridsem setops build triples.tsv -o samples.jsonl
        hybridsem setops sheet samples.jsonl -o ann.csv --size 100
    """,
    "setops build": """
        hybridsem setops build triples.tsv -o samples.jsonl --max-cosine 0.25
    """,
    "setops explain": """
        hybridsem setops explain overlap "A dog barked." "The dog ate." "A dog."
    """,
    "setops roles": """
        hybridsem setops roles samples.jsonl
    """,
    "setops sheet": """
        hybridsem setops sheet samples.jsonl -o ann.csv --size 100
    """,
    "setops agreement": """
        hybridsem setops agreement ann.csv bob.csv
    """,
    "analogies": """
        hybridsem analogies explain "He ran." "He did not run." "Ann sang." "Ann did not sing."
    """,
    "analogies build": """
        hybridsem analogies build -o analogies.jsonl --sentences sentences.txt
    """,
    "analogies explain": """
        hybridsem analogies explain "He ran." "He did not run." "Ann sang." "Ann did not sing."
    """,
    "analogies roles": """
        hybridsem analogies roles analogies.jsonl
    """,
    "perturb": """
        hybridsem perturb sentences.txt --kind negation
        hybridsem perturb articles.jsonl --kind word-shuffle --seed 1 -o changed.jsonl
        hybridsem perturb --list
    """,
    "models": """
        hybridsem models
        hybridsem models show hybrid
    """,
    "models download": """
        hybridsem models download
        hybridsem models download glove-6b
    """,
    "models list": """
        hybridsem models list --json
    """,
    "models show": """
        hybridsem models show verbnet-cn
    """,
}
"""By the name of the command, "" for ``hybridsem`` itself: a command a line."""


def examples_of(name: str) -> str:
    """What the help of a command ends with."""
    lines = [line.strip() for line in EXAMPLES[name].strip().split("\n")]
    # \b has click leave the lines as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def add_examples(command: click.Command, name: str) -> None:
    """Put the examples of a command, and of those below it, under their help."""
    command.epilog = examples_of(name)
    if isinstance(command, click.Group):
        for part, below in command.commands.items():
            add_examples(below, f"{name} {part}")
