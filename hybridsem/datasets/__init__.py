"""Data sets as they lie on disk: read, checked, hashed; ``hybridsem.evaluation`` uses them.

settings.py        what reading and measuring depend on
layouts.py         files, splits and columns, declared
rated_pairs.py     sentence pairs with human ratings, streamed
sts_files.py       the files of STS3k, the STS benchmark, SICK, STS 2012 to 2016
relatedness_files.py  those of STR-2022, SemRel, STSS-131, GS2011, KS2013, and folders of any
labelled_pairs.py  those of PAWS, SICK and SNLI with labels;  triples.py  of SugarCrepe++
pair_types.py      kinds of sentence pairs
splits.py          training and test rows
raters.py          ratings of single raters
analogies.py       categories of analogies;  analogy_files.py  the files that hold them
set_operations.py  samples of set operations and their files
"""
