"""A type has a name that no other type has; no name of a value says nothing of it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.syntax import nodes_of, tree_of
from tests.test_layers import ROOT

SAY_NOTHING = {"found", "made", "one"}
SAME = {"Comparison"}  # that of apps is that of designs, with its words


def types(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the classes and type aliases that a module defines."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.If):
            yield from types([*node.body, *node.orelse])
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [t.id for t in targets if isinstance(t, ast.Name)]
            yield from (n for n in names if named_as_type(n))


def named_as_type(name: str) -> bool:
    """Tell whether a name is spelled as those of types are: ``ColumnKind``."""
    bare = name.lstrip("_")
    return bare[:1].isupper() and not bare.isupper() and "_" not in bare


def test_a_type_name_is_defined_in_one_module():
    where = defaultdict(set)
    for path in sorted(ROOT.rglob("*.py")):
        for name in types(tree_of(path).body):
            where[name.lstrip("_")].add(path.relative_to(ROOT).as_posix())
    shared = {
        name: sorted(paths)
        for name, paths in where.items()
        if len(paths) > 1 and len(name) > 1  # T and P are variables of types
    }
    assert shared.keys() == SAME, shared


def names_of(node: ast.AST) -> Iterator[str]:
    """Yield the name that a node binds, reads or passes on, if it does."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.arg | ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name


def test_a_name_says_what_it_holds():
    empty = {
        f"{path.relative_to(ROOT)}:{node.lineno}: {name}"
        for path in sorted(ROOT.rglob("*.py"))
        for node in nodes_of(path)
        for name in names_of(node)
        if name in SAY_NOTHING
    }
    assert not empty
