"""Nothing is borrowed from other libraries: private names, patches, probes, ids.

What a library does not document changes without a word, and what is patched or probed
is the first thing to break. An exception is in ``HELD``, with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tests.syntax import nodes_of
from tests.test_layers import ROOT

TOP = ROOT.parent
OWN = {"pycompare", "validation", "tests", "__future__"}
PRIVATE = re.compile(r"_(?!_)\w+")
DOCUMENTED = {"os._exit", "_asdict", "_fields", "_make", "_replace", "_typeshed"}
"""Private by their spelling alone: those of namedtuples among them."""
BY_NAME = {"getattr", "hasattr", "setattr", "delattr"}

_SAME_RESULT = "which results are the same object, of a report that holds them all"
_CONSOLE = "Python's documented way to change where text is printed"
_R_WORKER = "validation/r_worker.py"
_CALLBACKS = "rpy2.rinterface_lib.callbacks"
_R_CONSOLE = "rpy2's documented way to read what R prints"
HELD = {
    ("pycompare/apps/cli/console.py", "sys.stderr ="): _CONSOLE,
    ("pycompare/apps/cli/console.py", "sys.stdout ="): _CONSOLE,
    (_R_WORKER, f"{_CALLBACKS}.consolewrite_print ="): _R_CONSOLE,
    (_R_WORKER, f"{_CALLBACKS}.consolewrite_warnerror ="): _R_CONSOLE,
    ("pycompare/plotting/__init__.py", "sys.modules"): "this module, not another's",
    ("pycompare/plotting/__init__.py", "sys.modules.__class__ ="): (
        "a figure and its file have one name; Python documents this for modules"
    ),
    ("validation/program_faults.py", "id()"): _SAME_RESULT,
    ("pycompare/reporting/evidence/r_numbers.py", "id()"): _SAME_RESULT,
    ("pycompare/apps/qualification.py", "sys.modules"): (
        "loads the validation under a name of its own, as importlib documents"
    ),
    ("validation/mutation/children.py", "tempfile.tempdir ="): (
        "documented: folder of temporary files of a child"
    ),
    ("validation/mutation/imports.py", "sys.modules"): (
        "forgets our own modules, to import them changed"
    ),
}
"""File and what it borrows: why it stays."""


@cache
def files() -> dict[str, Sequence[ast.AST]]:
    """Return the nodes of the package's and the validation's code."""
    paths = [*ROOT.rglob("*.py"), *(TOP / "validation").rglob("*.py")]
    return {path.relative_to(TOP).as_posix(): nodes_of(path) for path in sorted(paths)}


def nodes(code: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(code)))


def is_private(name: str) -> bool:
    return PRIVATE.fullmatch(name) is not None and name not in DOCUMENTED


def is_own(module: str | None) -> bool:
    return (module or "").partition(".")[0] in OWN


def of_others(code: Sequence[ast.AST]) -> dict[str, str]:
    """Return the names that code imports from other libraries, and what each is."""
    names = {}
    for node in code:
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_own(one.name):
                    top = one.name.partition(".")[0]
                    names[one.asname or top] = one.name if one.asname else top
        elif isinstance(node, ast.ImportFrom) and not is_own(node.module):
            for one in node.names:
                names[one.asname or one.name] = f"{node.module}.{one.name}"
    return names


def defined(code: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names of functions, classes, variables and attributes of ours."""
    for node in code:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                yield node.attr


def origin(node: ast.expr, names: dict[str, str]) -> str:
    """Return what an expression takes from another library; empty if nothing."""
    if isinstance(node, ast.Attribute):
        owner = origin(node.value, names)
        return owner and f"{owner}.{node.attr}"
    if isinstance(node, ast.Call):
        return origin(node.func, names)
    if isinstance(node, ast.Subscript):
        return origin(node.value, names)
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


def borrowed(code: Sequence[ast.AST], ours: set[str]) -> Iterator[str]:
    """Yield what code borrows; ``ours``: private names that we define."""
    names = of_others(code)
    for node in code:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from of_import(node)
        elif isinstance(node, ast.Attribute):
            yield from of_attribute(node, names, ours)
        elif isinstance(node, ast.Name) and names.get(node.id) == "sys.modules":
            yield "sys.modules"
        elif isinstance(node, ast.Name) and node.id == "id":
            yield "id()"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in BY_NAME:
                yield from of_name(node.func.id, *node.args[:2], names, ours)


def of_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the private modules and names that are imported from other libraries."""
    owner = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for name in (owner + one.name for one in node.names):
        if not is_own(name) and any(map(is_private, name.split("."))):
            yield name


def of_attribute(
    node: ast.Attribute, names: dict[str, str], ours: set[str]
) -> Iterator[str]:
    """Yield an attribute that is private, the table of modules, or assigned to."""
    whole = origin(node, names)
    if whole == "sys.modules":
        yield whole
    elif is_private(node.attr) and (whole or node.attr not in ours):
        if whole not in DOCUMENTED:
            yield whole or f"?.{node.attr}"
    elif whole and not isinstance(node.ctx, ast.Load):
        yield f"{whole} ="


def of_name(
    function: str,
    owner: ast.expr,
    name: ast.expr,
    names: dict[str, str],
    ours: set[str],
) -> Iterator[str]:
    """Yield what ``getattr`` and its like take or change by name."""
    whole = origin(owner, names)
    text = str(name.value) if isinstance(name, ast.Constant) else "?"
    if whole and function in ("setattr", "delattr"):
        yield f"{whole}.{text} ="
    elif is_private(text) and (whole or text not in ours):
        yield f"{whole or '?'}.{text}"


@cache
def found() -> set[tuple[str, str]]:
    """Return what each file borrows."""
    ours = {name for code in files().values() for name in defined(code)}
    return {
        (file, what) for file, code in files().items() for what in borrowed(code, ours)
    }


@pytest.mark.slow
def test_nothing_is_borrowed_but_what_is_held():
    assert sorted(found() - HELD.keys()) == []


@pytest.mark.slow
def test_what_is_held_is_there():
    assert sorted(HELD.keys() - found()) == []


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import matplotlib.axes as m\nm._base", "matplotlib.axes._base"),
        ("from statsmodels.formula import _manager", "statsmodels.formula._manager"),
        ("import scipy.stats._qmvnt", "scipy.stats._qmvnt"),
        ("def end(pool):\n    pool._work_ids.get()", "?._work_ids"),
        ("import numpy as np\nnp.f()._made", "numpy.f._made"),
        ("from click import core\ncore.wrap = str", "click.core.wrap ="),
        ("import pandas as pd\nsetattr(pd, 'NA', 0)", "pandas.NA ="),
        ("def f(x):\n    getattr(x, '_mgr')", "?._mgr"),
        ("import sys\nsys.modules.get('pandas')", "sys.modules"),
        ("from sys import modules\nmodules['pandas']", "sys.modules"),
        ("known = {}\nknown[id(known)] = 1", "id()"),
        ("map(id, [])", "id()"),
    ],
)  # fmt: skip
def test_each_kind_of_borrowing_is_found(code, what):
    assert list(borrowed(nodes(code), set())) == [what]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos._exit(1)",
        "from matplotlib import pyplot\npyplot.rcParams['font.size'] = 9",
        "class Own:\n    def _made(self): ...\ndef f(own):\n    own._made()",
        "from pycompare.methods.ranks import friedman\nfriedman",
        "def f(row):\n    row._replace(p=1)",
    ],
)
def test_what_is_public_or_ours_is_not_borrowed(code):
    assert list(borrowed(nodes(code), set(defined(nodes(code))))) == []
