"""Data sets of relatedness and of phrases with verbs, each in the layout of its makers."""

from __future__ import annotations

from typing import Any

from hybridsem.datasets import relatedness_files
from hybridsem.datasets.rated_pairs import ALL, MEAN, WEIGHTED_MEAN
from hybridsem.evaluation.options import SPLIT
from hybridsem.evaluation.sts.pictures import PICTURES
from hybridsem.evaluation.sts.task import ANNOTATIONS, measure
from hybridsem.evaluation.task import Task

__all__ = ["TASKS"]

_COMMON: dict[str, Any] = {
    "needs": ("scores", "rows"),
    "measure": measure,
    "headline": "spearman",
    "pictures": {"scatter": PICTURES["scatter"]},
    "count_notes": {"unrated": "rows have no rating and take no part"},
}
_SEE_DATA = "see the data"
TASKS: tuple[Task, ...] = (
    Task(
        "relatedness",
        "data sets of relatedness or similarity, and the mean over those of a folder",
        "a file in any of the layouts below, a table of two texts and a score, or a folder of such "
        "files or of STS.input.NAME.txt and STS.gs.NAME.txt",
        load=relatedness_files.relatedness,
        groups=(ALL, MEAN, WEIGHTED_MEAN),
        licence="that of each data set",
        citation="that of each data set; STS 2012: Agirre, Cer, Diab & Gonzalez-Agirre 2012, "
        "SemEval-2012 Task 6",
        **_COMMON,
    ),
    Task(
        "str2022",
        "STR-2022: 5,500 pairs ranked by relatedness with best-worst scaling",
        "sem_text_rel_ranked.csv (PairID, Text with a sentence a line, Score), or its folder",
        load=relatedness_files.str2022,
        range=(0, 1),
        licence="free for research, no redistribution; see License.md of the data",
        citation="Abdalla, Vishnubhotla & Mohammad 2023, What Makes Sentences Semantically "
        "Related?",
        **_COMMON,
    ),
    Task(
        "semrel",
        "SemRel2024: relatedness, English part of SemEval-2024 Task 1",
        "a csv file (PairID, Text with a sentence a line, Score), a table of two texts and a "
        "score, or the folder eng of the shared task",
        load=relatedness_files.semrel,
        range=(0, 1),
        licence=_SEE_DATA,
        citation="Ousidhoum et al. 2024, SemRel2024: A Collection of Semantic Textual Relatedness "
        "Datasets",
        options=(SPLIT,),
        **_COMMON,
    ),
    Task(
        "stss131",
        "STSS-131: short texts of many kinds of sentences",
        "a table of id, two sentences, mean rating and its deviation, with ; tabs or commas",
        load=relatedness_files.stss,
        range=(0, 4),
        licence=_SEE_DATA,
        citation="O'Shea, Bandar & Crockett 2013, A New Benchmark Dataset with Production "
        "Methodology for Short Text Semantic Similarity Algorithms",
        **_COMMON,
    ),
    Task(
        "stss65",
        "STSS-65: dictionary definitions of 65 pairs of nouns",
        "a table as of stss131",
        load=relatedness_files.stss,
        range=(0, 4),
        licence=_SEE_DATA,
        citation="Li, McLean, Bandar, O'Shea & Crockett 2006, Sentence Similarity Based on "
        "Semantic Nets and Corpus Statistics",
        **_COMMON,
    ),
    Task(
        "gs2011",
        "GS2011: subject, verb, object against the same with another verb",
        "GS2011data.txt (participant verb subject object landmark input hilo), a row a rating",
        load=relatedness_files.gs2011,
        groups=(ALL, ANNOTATIONS),
        range=(1, 7),
        licence=_SEE_DATA,
        citation="Grefenstette & Sadrzadeh 2011, Experimental Support for a Categorical "
        "Compositional Distributional Model of Meaning",
        **_COMMON,
    ),
    Task(
        "ks2013",
        "KS2013: transitive sentences, with an ambiguous verb or as paraphrases",
        "a row a rating: annotator_id adj_subj subj verb landmark adj_obj obj annotator_score "
        "(CoNLL), or annotator subject1 verb1 object1 subject2 verb2 object2 score (EMNLP)",
        load=relatedness_files.ks2013,
        groups=(ALL, ANNOTATIONS),
        licence=_SEE_DATA,
        citation="CoNLL: Kartsaklis, Sadrzadeh & Pulman 2013, Separating Disambiguation from "
        "Composition in Distributional Semantics; EMNLP: Kartsaklis & Sadrzadeh 2013, Prior "
        "Disambiguation of Word Tensors for Constructing Sentence Vectors",
        **_COMMON,
    ),
)
