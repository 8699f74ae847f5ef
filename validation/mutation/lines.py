"""Which lines and functions of some files are run; functions and lines of a module."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

MOST_ENTRIES = 100
"""A function that one test calls more often is not followed any longer."""
Function = tuple[str, str, int]
"""File, qualified name and first line."""


class Executed:
    """Follows the lines of some files, and the functions of them that are called."""

    def __init__(self, root: Path, files: Sequence[str]) -> None:
        self.names = {str(root / file): file for file in files}
        self.called: set[Function] = set()
        self.clear()

    def clear(self) -> None:
        """Forget what was followed so far."""
        self.lines: dict[str, set[int]] = {}
        self.entries: dict[CodeType, int] = {}

    def __enter__(self) -> Executed:
        """Begin to follow."""
        self.clear()
        sys.settrace(self.call)
        return self

    def __exit__(self, *_: object) -> None:
        """Follow no longer."""
        sys.settrace(None)

    def call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Follow a call of a function in one of the files."""
        code = frame.f_code
        if code.co_filename not in self.names:
            return None
        self.entries[code] = entries = self.entries.get(code, 0) + 1
        if entries > MOST_ENTRIES:
            return None
        file = self.names[code.co_filename]
        self.called.add((file, code.co_qualname, code.co_firstlineno))
        lines = self.lines.setdefault(file, set())
        lines.add(frame.f_lineno)

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            lines.add(frame.f_lineno)
            return line

        return line


def live_functions(root: Path, files: Sequence[str]) -> dict[Function, list[Any]]:
    """Return the functions there are now, by where they were written."""
    names = {str(root / file): file for file in files}
    found: dict[Function, list[Any]] = {}
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename in names:
            code = one.__code__
            file = names[code.co_filename]
            key = (file, code.co_qualname, code.co_firstlineno)
            found.setdefault(key, []).append(one)
    return found


def written(code: CodeType, name: str, start: int) -> CodeType | None:
    """Return the code of a function of a module, by its name and first line."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if (one.co_qualname, one.co_firstlineno) == (name, start):
                return one
            if name.startswith(f"{one.co_qualname}.") and (
                found := written(one, name, start)
            ):
                return found
    return None


def functions_in(source: str) -> dict[str, tuple[int, int]]:
    """Return first and last line of the functions and methods of a module."""
    found: dict[str, tuple[int, int]] = {}
    for node in ast.parse(source).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, ast.FunctionDef):
                found[f"{before}{one.name}"] = (one.lineno, one.end_lineno or 0)
    return found


def users(tree: ast.Module, assigned: Any) -> set[int] | None:
    """Return the lines that use a constant of a module; None if no function does."""
    targets = getattr(assigned, "targets", None) or [assigned.target]
    names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    found = {
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id in names
    }
    return found or None
