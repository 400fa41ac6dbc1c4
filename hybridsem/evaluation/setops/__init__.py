"""Set-theoretic compositionality: overlap, difference and union of sentences, and six criteria for their vectors.

samples.py      samples (operator, A, B, target) and their files
geometry.py     similarities by five measures; where targets lie on the plane of A and B
criteria.py     C1 to C6 as columns of values a sample
task.py         the benchmark
comparing.py    cards side by side on one grid of ε
pictures.py     where targets lie; the shares that reach each ε
build.py        samples from union triples and from documents, by a fuser:
joining.py      two sentences joined by their dependency trees
chat.py         a language model asked to fuse them
roles.py        what a target keeps of A and B, role by role
sheets.py       sheets for raters, and their agreement
"""
