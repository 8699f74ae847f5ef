"""The conda recipe asks for what pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = DECLARED["project"]
NAMES = {"matplotlib": "matplotlib-base"}
"""Names that conda's packages have; matplotlib there brings a desktop toolkit."""
OF_USERS = ("parquet", "excel", "docx", "experiment", "cluster")
"""Extras that conda's channel has; typst and rpy2 of these versions it has not."""


def section(*names: str) -> list[str]:
    """Return the items of a list, by the names that lead to it."""
    text = RECIPE
    for depth, name in enumerate(names):
        start = re.search(rf"^{'  ' * depth}{name}:\n", text, re.MULTILINE)
        assert start, names
        text = text[start.end() :]
        text = re.split(rf"^{'  ' * depth}\S", text, maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^ *- (.+)$", text, re.MULTILINE)


def as_conda(requirements: list[str]) -> set[str]:
    """Return requirements in the words of a recipe."""
    parsed = map(Requirement, requirements)
    return {f"{NAMES.get(r.name, r.name)} {r.specifier}".strip() for r in parsed}


def field(name: str) -> str:
    """Return a value of the recipe."""
    found = re.search(rf"^  {name}: (.+)$", RECIPE, re.MULTILINE)
    assert found, name
    return found[1]


def test_what_runs_it_is_declared_there_too():
    python = f"python {PROJECT['requires-python']}"
    assert set(section("requirements", "run")) == {
        python,
        *as_conda(PROJECT["dependencies"]),
    }


def test_what_builds_it_is_declared_there_too():
    built_by = as_conda(DECLARED["build-system"]["requires"])
    python = f"python {PROJECT['requires-python']}"
    assert set(section("requirements", "host")) == {python, "pip", *built_by}


def test_bounds_of_extras_hold_where_they_are_installed():
    extras = PROJECT["optional-dependencies"]
    declared = [line for name in OF_USERS for line in extras[name]]
    assert set(section("requirements", "run_constrained")) == as_conda(declared)


def test_name_version_command_and_source_are_those_of_the_project():
    assert field("name") == PROJECT["name"]
    assert field("version") == PROJECT["version"]
    assert field("license") == PROJECT["license"]
    assert field("summary") == PROJECT["description"]
    source = ROOT / "packaging" / "conda" / field("path")
    assert (source / "pyproject.toml").resolve() == ROOT / "pyproject.toml"
    commands = [f"{name} = {call}" for name, call in PROJECT["scripts"].items()]
    assert section("build", "entry_points") == commands
