"""The tables of the four papers, printed beside what is computed here.

    python -m benchmarks.reproduction --data ../shared/data [--only fodor sage-table4 …]

``make reproduction DATA=../shared/data`` runs all of it. The papers' figures are
``docs/published/tables/*.tsv``; results are kept as one card for each table in ``cards/``. The
site's build (``docs/make_results.py``) makes a page of both.

    published.py    reads the papers' tables
    tables.py       Reproduction: a table, and the function that computes it; Figure: what it gives
    page.py         the page, as Markdown
    NAME.toml       the tables of a paper, in its order; NAME.py has a function for each

To add a table: a section of the TOML file, and a function ``(data: Path) -> list[Figure]``. A
figure that differs from the printed one names its cause, a key of ``causes``.
"""
