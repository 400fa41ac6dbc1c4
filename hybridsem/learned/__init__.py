"""What was learned from rated pairs, as a pipeline uses it: features, models in plain numpy, their
files.

    features.py      Batch and Explanations → a table of features, (pairs, features)
    fitted.py        the four kinds of model: weights of roles, ridge, network, trees; numpy alone
    shapley.py       a model's value as the sum of what each group of features adds
    files.py         weights.json
    combiner.py      a combiner whose scores are a model's

Fitting is in ``hybridsem.training``, which needs scikit-learn; using what was fitted needs nothing
more.
"""
