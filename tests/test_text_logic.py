"""No code decides by human text: it neither cuts nor compares titles and sentences."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax import nodes_of
from tests.test_layers import ROOT

TEXTS = {
    *("answer", "caption", "estimate_name", "estimate_names", "interval"),
    *("interval_name", "label", "reference", "short_name", "short_title"),
    *("statistic_name", "subtitle", "title", "title_text", "sentence"),
}
"""Attributes that hold words for readers."""
NAMES = {"estimate_name", "interval_name", "short_title", "statistic_name", "title"}
"""Variables that do."""
CUTS = {
    *("endswith", "find", "index", "partition", "removeprefix", "removesuffix"),
    *("replace", "rpartition", "rsplit", "split", "startswith"),
}
HELD = {
    # Quotation marks of BibTeX, as a reader writes them.
    "reporting/bibliography.py": {"fields['title'].replace('``', '“')"},
    "plotting/facets.py": {"title.split('\\n')"},  # lines, as they are drawn
    "reporting/render/paper.py": {"title.split()"},  # words, to break lines
}
"""Texts that are cut for their looks alone."""


def of_text(node: ast.expr) -> bool:
    """Tell whether an expression is words for readers."""
    if isinstance(node, ast.Attribute):
        return node.attr in TEXTS
    if isinstance(node, ast.Subscript):
        key = node.slice
        return isinstance(key, ast.Constant) and key.value in TEXTS
    return isinstance(node, ast.Name) and node.id in NAMES


def is_word(node: ast.expr) -> bool:
    """Tell whether an expression is a text that is written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def decisions(path: Path) -> Iterator[str]:
    """Yield the code of a module that cuts or compares words for readers."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in CUTS and of_text(node.func.value):
                yield ast.unparse(node)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            named = [side for side in sides if is_word(side) and side.value]
            if named and any(map(of_text, sides)):
                yield ast.unparse(node)


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_code_decides_by_words_for_readers(path):
    held = HELD.get(path.relative_to(ROOT).as_posix(), set())
    assert set(decisions(path)) == held


def test_cut_and_compared_words_are_noticed(tmp_path):
    code = tmp_path / "code.py"
    code.write_text(
        'a = test.title.split(" (")[0]\n'
        'b = pairs.estimate_name.startswith("Hodges")\n'
        'c = "Bonferroni" in pairs.interval\n'
        'd = title == "mean ranks"\n'
        "e = title == other\n"
        'f = path.name.endswith(".csv")\n'
    )
    assert len(list(decisions(code))) == 4
