"""Parsers: sentences to trees and role structures.

trees/      dependency trees: embedded, spaCy's, ClearNLP's, CoNLL-U
verbnet/    VerbNet-style roles
srl/        semantic roles, learned from PropBank
amr_rules/  AMR graphs from trees
adapters/   structures from files, services and other libraries
base.py     Protocols, and the base of parsers over trees
amr.py      AMR graphs as structures whose roles are paths
memory.py   a pipeline's cache of parsed sentences
"""
