"""Set-theoretic compositionality: six criteria for the vectors of overlap, difference and union.

geometry.py        similarities by five measures; where targets lie on the plane of A and B
criteria.py        C1 to C6 as columns of values a sample
task.py            the benchmark
epsilon_grid.py    cards side by side on one grid of ε
pictures.py        where targets lie; the shares that reach each ε
role_retention.py  what a target keeps of A and B, role by role

``hybridsem.datasets.set_operations`` holds the samples, ``evaluation.corpora`` makes them.
"""
