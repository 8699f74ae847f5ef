"""The direction of imports: deferred and type-only imports are imports too.

A module lies in a room, the first name below ``pycompare``. It may import modules of
its own room and of rooms before it in ``ROOMS``, and no chain of imports leads from a
module, or from a folder, back to itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pycompare
from docs import rooms
from tests.syntax import nodes_of

ROOT = Path(pycompare.__file__).parent
VALIDATION = Path(__file__).parents[1] / "validation"

ROOMS = (
    "base",
    "kernels",
    "results",
    "data",
    "methods",
    "designs",
    "sizes",
    "plotting",
    "reporting",
    "apps",
    "",  # pycompare/__init__.py: the public names
    "__main__",  # python -m pycompare
)
"""The lowest first. What is not listed has no place, and fails."""

LOADERS = {
    "pycompare.apps.public": "the public names, when they are first used",
    "pycompare.apps.cli.app": "modules of its own folder",
    "pycompare.plotting": "modules of its own folder",
    "pycompare.reporting.comparison_report": "the report of the analysis at hand",
    "pycompare.reporting.report": "the report of the result at hand",
    "pycompare.reporting.render": "the renderer of the format at hand",
    "pycompare.apps.experiments.planned": "the learners that a plan names",
    "pycompare.apps.qualification": "the validation beside it, no module of it",
}
"""The only modules that load others by name, and what they load."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def target(name: str) -> str:
    """Return the module that an imported name is, or is defined in."""
    return name if name in modules() else name.rpartition(".")[0]


def imported(code: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the modules of pycompare that the nodes of code import."""
    for node in code:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports say the whole path"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (target(n) for n in names if n.split(".")[0] == "pycompare")


@cache
def graph() -> dict[str, set[str]]:
    """Return what each module imports."""
    return {
        name: set(imported(nodes_of(path))) - {name} for name, path in modules().items()
    }


def room(module: str) -> str:
    return [*module.split("."), ""][1]


def rising(arrows: dict[str, set[str]]) -> list[str]:
    """Return the imports that lead to a higher room."""
    height = {name: place for place, name in enumerate(ROOMS)}
    return [
        f"{module} imports {other}"
        for module, others in arrows.items()
        for other in sorted(others)
        if height[room(module)] < height[room(other)]
    ]


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle of imports; none if there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_module_has_a_room_and_every_room_modules():
    assert {room(name) for name in modules()} == set(ROOMS)


def test_no_module_imports_one_of_a_higher_room():
    assert rising(graph()) == []


def test_no_imports_form_a_circle():
    assert circle(graph()) == []


def test_no_imports_of_the_validation_form_a_circle():
    files = {f"validation.{p.stem}": p for p in VALIDATION.glob("[!_]*.py")}
    arrows = {name: set(beside(nodes_of(path))) for name, path in files.items()}
    assert any(arrows.values()) and circle(arrows) == []


def beside(code: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the modules of the same folder that the nodes of code import."""
    for node in code:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names = [node.module] if node.module else [a.name for a in node.names]
            yield from (f"validation.{name.split('.')[0]}" for name in names)


def test_the_page_about_the_code_lists_the_rooms_in_this_order():
    lines = (ROOT.parent / "docs" / "code.md").read_text().partition("Outside of")[0]
    named = re.findall(r"^\| `(\w+)` ", lines, re.MULTILINE)
    assert named == [name for name in ROOMS if name not in ("", "__main__")]


def test_the_picture_of_the_rooms_has_an_arrow_for_each_import():
    between = {(room(a), room(b)) for a, others in graph().items() for b in others}
    own = ("", "__main__")
    wanted = {(a, b) for a, b in between if a != b and a not in own}
    assert set(rooms.arrows()) == wanted


def test_no_room_has_the_name_of_a_public_function():
    assert not set(ROOMS) & set(pycompare.__all__)


def among(folder: str) -> dict[str, set[str]]:
    """Return the imports among what lies in one folder: its files and folders."""
    start = folder + "."
    found: dict[str, set[str]] = {}
    for module, others in graph().items():
        if module.startswith(start):
            own = module.removeprefix(start).split(".")[0]
            inside = {
                o.removeprefix(start).split(".")[0]
                for o in others
                if o.startswith(start)
            }
            found.setdefault(own, set()).update(inside - {own})
    return found


@pytest.mark.parametrize(
    "folder", sorted({name.rpartition(".")[0] for name in modules()} - {""})
)
def test_no_folders_of_a_folder_form_a_circle(folder):
    assert circle(among(folder)) == []


def test_only_known_modules_load_others_by_name():
    loading = {
        name
        for name, path in modules().items()
        if {"import_module", "__import__"} & set(words(path))
    }
    assert loading == set(LOADERS)


def words(path: Path) -> Iterator[str]:
    """Yield the names that code uses."""
    for node in nodes_of(path):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name


@pytest.mark.parametrize(
    "code",
    [
        "import pycompare.apps.cli.app",
        "def f():\n    from pycompare.apps.cli import app",
        "if TYPE_CHECKING:\n    from pycompare.apps.cli.app import main",
    ],
)
def test_imports_are_seen_wherever_they_stand(code):
    assert list(imported(ast.walk(ast.parse(code)))) == ["pycompare.apps.cli.app"]
    assert rising({"pycompare.base.errors": {"pycompare.apps.cli.app"}})


def test_a_circle_is_seen():
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
    assert set(circle(arrows)) == {"a", "b", "c"}
