"""Parsers: sentences to trees and role structures.

trees/      dependency trees: embedded, spaCy's, ClearNLP's, CoNLL-U
verbnet/    VerbNet-style roles
srl/        semantic roles, learned from PropBank
amr_rules/  AMR graphs from trees
adapters/   structures that were made elsewhere
base.py     what parsers over trees share
amr.py      AMR graphs as structures whose roles are paths
memory.py   what a pipeline has read of sentences
"""
