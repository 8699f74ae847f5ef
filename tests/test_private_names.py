"""A function or constant that no other module uses begins with an underscore.

Tests, the live validation and the pages of the site are users, too: what they import or
name stays public.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.syntax import nodes_of, tree_of
from tests.test_layers import ROOT, modules

TOP = ROOT.parent
PYTHON = [p for d in ("tests", "validation", "docs") for p in (TOP / d).rglob("*.py")]
PYTHON.remove(Path(__file__))
PYTHON.append(ROOT / "__init__.pyi")  # the public names
TEXTS = [
    *TOP.glob("*.md"),
    *TOP.glob("*.toml"),
    *(p for d in ("docs", "validation") for p in (TOP / d).rglob("*.md")),
]
DOTTED = re.compile(r"pycompare(?:\.\w+)+")
IMPORTED = re.compile(r"from (pycompare[\w.]*) import ([\w, ]+)")


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the public functions and constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            names = [n.id for n in named if n.id.isupper() and len(n.id) > 1]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def used(code: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that code takes from modules: imported, as attribute, as text."""
    known, aliases = modules(), {}
    for node in code:
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if f"{node.module}.{one.name}" in known:
                    aliases[one.asname or one.name] = f"{node.module}.{one.name}"
                yield node.module or "", one.name
        elif isinstance(node, ast.Import):
            aliases |= {o.asname or o.name: o.name for o in node.names}
    for node in code:
        if isinstance(node, ast.Attribute):
            owner = dotted(node.value)
            yield aliases.get(owner, owner), node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from in_text(node.value)
            if node.value.isidentifier():  # as getattr and monkeypatch take it
                yield from ((module, node.value) for module in aliases.values())


def dotted(node: ast.expr) -> str:
    """Return the name of a module as code writes it; empty if it is another thing."""
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return owner and f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def in_text(text: str) -> Iterator[tuple[str, str]]:
    """Yield dotted names, ``pycompare.methods.ranks``, and those of import lines."""
    for module, names in IMPORTED.findall(text):
        yield from ((module, name.strip()) for name in names.split(","))
    for found in DOTTED.findall(text):
        module, _, name = found.rpartition(".")
        yield module, name


@cache
def users() -> dict[tuple[str, str], set[str]]:
    """Return who uses each name of each module."""
    found = defaultdict(set)
    sources = {str(path): path for path in PYTHON} | modules()
    for user, path in sources.items():
        for pair in used(nodes_of(path)):
            found[pair].add(user)
    for path in TEXTS:
        for pair in in_text(path.read_text(encoding="utf-8")):
            found[pair].add(str(path))
    return found


def should_be_private(module: str, tree: ast.Module) -> list[str]:
    """Return the public names of a module that only the module itself uses."""
    # A command has the name of its module, by which the program loads it.
    own = (
        {module.rpartition(".")[2]}
        if module.startswith("pycompare.apps.cli.")
        else set()
    )
    return [
        f"{module}.{name}: no other module uses it, so call it _{name}"
        for name in defined(tree)
        if name not in own and not users()[module, name] - {module}
    ]


@pytest.mark.slow
def test_names_that_no_other_module_uses_are_private():
    offending = [
        line
        for module, path in modules().items()
        for line in should_be_private(module, tree_of(path))
    ]
    assert not offending, "\n".join(offending)


def test_a_public_name_that_nobody_uses_is_named():
    code = "def helper(): ...\nLIMIT = 3\n_MOST = 4\ndef _own(): ...\nkind = 1"
    lines = should_be_private("pycompare.methods.ranks.invented", ast.parse(code))
    assert [line.partition(":")[0] for line in lines] == [
        "pycompare.methods.ranks.invented.helper",
        "pycompare.methods.ranks.invented.LIMIT",
    ]


def test_every_way_to_use_a_name_counts():
    code = (
        "from pycompare.methods.ranks import friedman\n"
        "from pycompare.methods.ranks.pairs import a\n"
        "friedman.b\nsetattr(friedman, 'c', 1)\n'pycompare.methods.ranks.pairs.d'"
    )
    pairs, friedman = (
        "pycompare.methods.ranks.pairs",
        "pycompare.methods.ranks.friedman",
    )
    assert {(pairs, "a"), (friedman, "b"), (friedman, "c"), (pairs, "d")} <= set(
        used(tuple(ast.walk(ast.parse(code))))
    )
