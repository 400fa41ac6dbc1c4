"""Sentence analogies: is A : B :: C : D a parallelogram in a model's space?"""
