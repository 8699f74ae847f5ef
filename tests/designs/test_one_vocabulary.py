"""What the blocks are is asked of the design, never of a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax import nodes_of
from tests.test_layers import ROOT

WORDS = {"blocks", "blocks_of", "compares", "where"}
"""Names that held words for which analysis it is."""
KNOWN = {"datasets", "folds", "folds-of-datasets", "cases", "by-columns"}
KNOWN |= {"typical-difference", "means", "ranks", "wins", "model", "data sets"}
DECLARED = ("designs/known", "designs/plans", "plans")
"""Where designs are declared, and the keys that name them."""


def compared_with_words(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Yield code that compares a name of ``WORDS`` with a word, or looks one up."""
    for node in nodes:
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_asked, sides)) and any(map(has_word, sides)):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "get" and any(map(is_asked, node.args[:1])):
                yield ast.unparse(node)


def is_asked(node: ast.expr) -> bool:
    """Tell whether an expression is one of ``WORDS``, of whatever object."""
    if isinstance(node, ast.Call):
        return is_asked(node.func)
    name = getattr(node, "attr", getattr(node, "id", None))
    return isinstance(node, ast.Attribute | ast.Name) and name in WORDS


def has_word(node: ast.expr) -> bool:
    """Tell whether an expression has a word for an analysis in it."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(has_word, node.elts))
    return isinstance(node, ast.Constant) and node.value in KNOWN


def modules() -> dict[str, Path]:
    """Return the modules of the package by their paths in it."""
    return {path.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("*.py")}


def test_nothing_but_designs_and_plans_compares_words():
    found = {
        name: list(compared_with_words(nodes_of(path)))
        for name, path in modules().items()
        if not name.startswith(DECLARED)
    }
    assert {name: code for name, code in found.items() if code} == {}


@pytest.mark.parametrize(
    "code",
    [
        "plan.blocks == 'folds'",
        "plan.blocks_of(scores) != 'cases'",
        "blocks in ('datasets', 'cases')",
        "'folds' == where",
        "{'cases': 1}.get(plan.blocks, 2)",
    ],
)
def test_each_way_to_compare_words_is_found(code):
    assert list(compared_with_words(ast.walk(ast.parse(code)))) == [code]


def test_other_comparisons_are_not_found():
    code = "scores.blocks == other.blocks; plan.design == CASES; blocks == 'b1'"
    assert list(compared_with_words(ast.walk(ast.parse(code)))) == []


FOREIGN = {
    "apps/cli/console.py": "raw",
    "apps/experiments/cross_validate.py": "shape",
    "apps/experiments/dataset.py": "columns",
    "apps/experiments/estimators.py": "__qualname__",
    "base/arguments.py": "index",
    "base/parallel/crews.py": "__module__",
    "methods/models/engine.py": "options",
}
"""The attributes of other libraries' objects that may not be there."""


def taken_by_name(path: Path) -> list[str]:
    """Return the literal names by which a module reaches for attributes."""
    return [
        node.args[1].value
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and isinstance(node.args[1], ast.Constant)
    ]


def test_no_attribute_of_ours_is_reached_for_by_name():
    found = {name: taken_by_name(path) for name, path in modules().items()}
    assert {name: names for name, names in found.items() if names} == {
        name: [attribute] for name, attribute in FOREIGN.items()
    }


def test_which_result_decides_is_said_once():
    """The first of the planned comparisons: nothing else takes it from a mapping."""
    said = [
        name
        for name, path in modules().items()
        if name.startswith("designs/")
        and "next(iter(decided.values())" in path.read_text(encoding="utf-8")
    ]
    assert said == ["designs/planned_pairs.py"]


def test_a_planned_rank_test_is_declared_once():
    """What code knows of Quade's ranks: its method and the ledger."""
    told = {
        name
        for name, path in modules().items()
        for node in nodes_of(path)
        if isinstance(node, ast.Constant)
        and node.value in ("quade", "quade-ranks", "omnibus/quade")
    }
    assert told == {
        "methods/ranks/known.py",
        "methods/ranks/quade.py",
        "results/guarantees.py",
    }
