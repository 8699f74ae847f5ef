"""Level and coverage of tests over cases (items), in clusters or alone, and rank sets.

``truths`` draws tables of cases, ``weighted`` tables of several benchmarks. ``methods``
are the public functions under study. ``counts`` counts the errors in the tables of a
row, ``rows`` lists all rows and runs them, and ``page`` is the text of ``CASES.md``.
"""
