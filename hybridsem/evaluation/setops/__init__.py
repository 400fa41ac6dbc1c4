"""Set-theoretic compositionality: six criteria for the vectors of overlap, difference and union.

geometry.py        similarities by five measures; targets on the plane of A and B
criteria.py        C1 to C6 as columns of values of samples; cards compared on one grid of ε
task.py            the benchmark

``hybridsem.datasets.set_operations`` holds the samples, ``evaluation.corpora`` makes them.
"""
