"""The tables of the four papers, printed beside what is computed here.

    python -m benchmarks.reproduction --data ../shared/data [--only fodor sage-table4 …]

``make reproduction DATA=../shared/data`` runs all of it. The papers' figures are
``docs/published/tables/*.tsv``; results are kept as one card for each table in ``cards/``. The
site's build (``docs/make_results.py``) makes a page of both.

    published.py    reads the papers' tables
    tables.py       Reproduction: a table, and the function that computes it; Figure: what it gives
    cards.py        the cards
    page.py         the page, as Markdown
    fodor.py bansal.py zhu.py sage.py    TABLES of each paper, in its order

To add a table: a function ``(data: Path) -> list[Figure]`` and a :class:`Reproduction` in
``TABLES``. A figure that differs from the printed one names its cause, a key of the table's
``causes``.
"""
