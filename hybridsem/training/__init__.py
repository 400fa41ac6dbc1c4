"""Learning from rated pairs how much each role counts (extra ``train``).

splits.py       random, k-fold, grouped by sentence, adversarial
dataset.py      rated pairs, checked; their features, cached
regressors.py   linear, ridge, mlp, boosting, by scikit-learn's contract
run.py          held-out predictions, the final fit, the weights file
finetune.py     fine-tuning a transformer on the same splits
"""
