"""A variable says what it holds: three names that fit anything are hardly used."""

from __future__ import annotations

import ast
from collections import Counter

from tests.syntax import nodes_of
from tests.test_layers import ROOT

ANYTHING = {"found", "made", "one"}
MOST = 50
"""Uses in all of pycompare; there were 6,992 before."""


def test_names_that_fit_anything_are_hardly_used():
    used = Counter()
    for path in sorted(ROOT.rglob("*.py")):
        for node in nodes_of(path):
            name = getattr(node, "id", None) or getattr(node, "arg", None)
            if isinstance(node, ast.Name | ast.arg) and name in ANYTHING:
                used[path.relative_to(ROOT).as_posix()] += 1
    assert used.total() <= MOST, used
