"""Corpora of benchmarks: samples of set operations and sentence analogies, made from texts."""
