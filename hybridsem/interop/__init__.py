"""hybridsem in other libraries' hands: sentence-transformers and MTEB, scikit-learn, spaCy.

Their encoders in ours need no help: a SentenceTransformer or an MTEB model is given as
``encoder=``.
"""
