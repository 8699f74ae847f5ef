"""Syntax trees of files, each parsed and walked once for all tests of a process."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file; what asks for it changes nothing in it."""
    return _uncollected(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file in the order of ``ast.walk``."""
    return tuple(ast.walk(tree_of(path)))


def _uncollected(code: str) -> ast.Module:
    """Parse code without a garbage collection, now or of these trees ever after."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(code)
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
