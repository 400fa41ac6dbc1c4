"""Sentence analogies: is A : B :: C : D a parallelogram in a model's space?

items.py        categories of pairs, and the table that holds them
"""
