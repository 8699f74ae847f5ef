"""The package as a whole: quick to import, names real, nothing under the GPL."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pycompare as pc
from tests.syntax import nodes_of

ROOT = Path(pc.__file__).parent


def test_every_public_name_loads():
    for name in pc.__all__:
        assert getattr(pc, name) is not None
    assert set(pc.__all__) <= set(dir(pc))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pc.nothing


def test_names_for_type_checkers_are_the_names_that_load():
    tree = ast.parse((ROOT / "__init__.pyi").read_text())
    imported = {
        alias.asname: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module != "pycompare"
        for alias in node.names
    }
    assert imported == pc.PUBLIC | {"__version__": "pycompare.base.version"}


@pytest.mark.parametrize("module", ["numpy", "pandas", "matplotlib", "scipy", "rpy2"])
def test_import_loads_nothing_heavy(module):
    code = (
        "import sys, pycompare, pycompare.apps.cli; "
        f"sys.exit({module!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_methods_and_reports_load_nothing_that_few_need():
    code = (
        "import sys, pycompare as pc; pc.friedman, pc.rank_pairs, pc.compare;"
        "pc.report; few = {'matplotlib', 'rpy2', 'scipy.stats', 'scipy.optimize'};"
        "sys.exit(bool(few & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def every_import(path: Path) -> set[str]:
    """Top names of all imports of a file, those inside functions as well."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
    return found


FORMATTING = {"document", "formatting", "plotting"}


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("document", FORMATTING),
        ("render", FORMATTING | {"errors", "labels", "render"}),
    ],
)
def test_documents_and_renderers_know_no_analysis(room, allowed):
    for path in (ROOT / "reporting" / room).rglob("*.py"):
        for node in nodes_of(path):
            if not (isinstance(node, ast.ImportFrom) and node.module):
                continue
            words = node.module.split(".")
            if words[0] != "pycompare":
                continue
            for one in node.names:  # a module, or a name of one
                parts = [
                    part
                    for part in [*words[1:], one.name]
                    if part not in ("base", "reporting")
                ]
                assert parts[0] in allowed, f"{path} imports {node.module}"


def test_nothing_imports_what_is_under_the_gpl():
    for path in ROOT.rglob("*.py"):
        assert not every_import(path) & {"rpy2", "pingouin"}, path


def test_no_file_names_a_package_host():
    for path in [*ROOT.parent.glob("requirements/*"), ROOT.parent / "pyproject.toml"]:
        assert "://" not in path.read_text()


def test_no_module_hides_a_public_function():
    modules = {path.stem for path in ROOT.glob("*.py")} | {
        path.name for path in ROOT.iterdir() if path.is_dir()
    }
    assert not modules & set(pc.PUBLIC)
