"""A guard for answers made from passages: is each sentence supported by what was found?

    python examples/answer_guard.py

Each sentence of an answer is judged against the nearest sentences of the passages. It is supported
if one of them says the same or more, and contradicted if one of them says that it is false. What is
neither is shown to a reader. The judge's accuracy on your text is worth a measurement first: see
"What to expect" in docs/judge.md.
"""

from __future__ import annotations

from hybridsem import Pipeline
from hybridsem.english.sentences import sentences_of
from hybridsem.judge import Label

PASSAGES = [
    "The museum opens at nine. It is closed on Mondays.",
    "Children under six do not pay. Adults pay 12 euros.",
    "The cafe was closed by the city in March. Dogs are not allowed in the garden.",
]
ANSWERS = [
    "The museum opens at nine. Children under six pay.",
    "Adults pay 15 euros. The city closed the cafe in March.",
    "Dogs are allowed in the garden. The museum has a shop.",
]
SUPPORTS = {Label.SAME, Label.ENTAILS}
NEAREST = 3

nlp = Pipeline()
known = [sentence for passage in PASSAGES for sentence in sentences_of(passage)]
for answer in ANSWERS:
    for claim in sentences_of(answer):
        evidence = [known[hit["corpus_id"]] for hit in nlp.rank(claim, known, top_k=NEAREST)]
        judgements = nlp.judge([(sentence, claim) for sentence in evidence])
        for verdict, labels in (("supported", SUPPORTS), ("contradicted", {Label.CONTRADICTS})):
            if decisive := [one for one in judgements if one.label in labels]:
                print(f"{verdict:13} {claim}  <- {decisive[0].sentence1}")
                break
        else:
            print(f"{'unknown':13} {claim}")
