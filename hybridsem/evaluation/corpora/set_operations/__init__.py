"""Samples of set operations on sentences, made by a fuser.

build.py    samples from union triples and from documents
joining.py  two sentences joined by their dependency trees
chat.py     a language model asked to fuse them
"""
