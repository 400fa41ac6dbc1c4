"""Comparisons of AMR graphs: Smatch, the Weisfeiler-Leman kernels, SemBLEU."""
