"""Imports of modules from changed code, when all modules are forgotten."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports some modules from other code than their files have."""

    def __init__(self, root: Path, codes: Mapping[str, CodeType]) -> None:
        self.root = root
        self.codes = {module_name(file): (file, code) for file, code in codes.items()}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of a changed module."""
        if name not in self.codes:
            return None
        place = self.root / self.codes[name][0]
        inner = [str(place.parent)] if place.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, place, loader=self, submodule_search_locations=inner
        )

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(self.codes[module.__name__][1], module.__dict__)


def module_name(file: str) -> str:
    """Return the name of the module in a file."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def forget(root: Path) -> None:
    """Forget every module of the project, but not these."""
    own = __name__.rpartition(".")[0]
    over = own.rpartition(".")[0]
    kept = {"__main__", f"{over}.chunk_lines", over}
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__file__", None) or ""
        inside = place.startswith(f"{root}{os.sep}") and ".venv" not in place
        if inside and name not in kept and not f"{name}.".startswith(f"{own}."):
            del sys.modules[name]
