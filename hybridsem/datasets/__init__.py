"""Read and check data sets; ``hybridsem.evaluation`` measures models on them.

layouts.toml       files, splits, columns and labels of data sets, declared
settings.py        the settings of reading and measuring
rated_pairs.py     sentence pairs with human ratings, streamed
sts_files.py       STS3k, the STS benchmark, SICK, STS 2012 to 2016
relatedness_files.py  STR-2022, SemRel, STSS-131, GS2011, KS2013, and folders of any
labelled_pairs.py  PAWS, SICK and SNLI with labels;  triples.py  SugarCrepe++ and minimal pairs
pair_types.py      kinds of sentence pairs
splits.py          training and test rows
raters.py          ratings of single raters
analogies.py       categories of analogies;  analogy_files.py  their files
set_operations.py  samples of set operations and their files
"""
