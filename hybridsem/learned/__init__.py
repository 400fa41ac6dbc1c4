"""Learned weights in use: features, fitted models in numpy, their files.

    features.py      Batch and explanations -> a table of features, (pairs, features)
    fitted.py        the kinds of model: role weights, linear, networks, trees
    shapley.py       Shapley values of groups of features
    files.py         weights.json
    combiner.py      a combiner with a model's scores

``hybridsem.training`` fits them with scikit-learn; using them needs numpy only.
"""
