"""What pycompare brings with it: pinned files, and licences that allow any use."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.test_wheel import closure

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
EXTRAS = ("parquet", "excel", "docx", "pdf", "experiment", "cluster")
"""The extras of users. That of `validate` is under the GPL: docs/install.md says so."""
FREE = re.compile(
    r"\b(0BSD|Apache|BSD|CC0|HPND|ISC|MIT|PSF|Python Software Foundation|Zlib)\b"
)
BOUND = re.compile(r"\b(A?GPL|GNU|LGPL|SSPL|CDDL|EUPL|proprietary)", re.IGNORECASE)


def licence(dist: Distribution) -> str:
    """Return the terms that a distribution declares, the shortest of its statements."""
    known = dist.metadata
    classified = [c for c in known.get_all("Classifier") or [] if c[:7] == "License"]
    return (
        known.get("License-Expression")
        or "; ".join(classified)
        or known.get("License", "")
    )


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_every_library_at_run_time_has_a_free_licence(extra):
    wanted = (
        PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    )
    held = {name: licence(dist) for name, dist in closure(wanted).items()}
    assert len(held) >= len(wanted)
    wrong = {n: has for n, has in held.items() if not FREE.search(has)}
    wrong |= {n: has for n, has in held.items() if BOUND.search(has)}
    assert wrong == {}


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("requirements/*.txt")), ids=lambda path: path.stem
)
def test_every_requirement_is_one_version_with_hashes(path):
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [row for row in text.splitlines() if row.split("#")[0].strip()]
    assert lines
    for line in lines:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==[\w.+!]+ ", line), line[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), line[:80]


def test_the_documents_name_the_licences_of_each_extra_and_files_that_exist():
    about = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    table = about.partition("## Licences")[2].partition("\n## ")[0]
    assert [x for x in (*EXTRAS, "validate") if f"\n| `{x}` |" not in table] == []
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+/[\w/.]*)`|\]\(([\w/.]+)\)", security)
    assert len(named) >= 3
    assert [path for pair in named for path in pair if not (ROOT / path).exists()] == []


def test_make_installs_nothing_without_its_hash():
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    installs = [line for line in lines if "pip install" in line and "-e ." not in line]
    assert len(installs) >= 4
    assert [line for line in installs if "--require-hashes" not in line] == []


def test_what_is_declared_is_pinned():
    pinned = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    names = {re.sub(r"[-_.]+", "-", n) for n in re.findall(r"^([\w.-]+)", pinned, re.M)}
    declared = [*PROJECT["dependencies"]]
    for extra in (*EXTRAS, "validate"):
        declared += PROJECT["optional-dependencies"][extra]
    assert {Requirement(line).name for line in declared} <= names


def bounds(requirements: list[str]) -> dict[str, set[str]]:
    """Return the lower bounds and exact versions of requirements, by name."""
    parsed = map(Requirement, requirements)
    return {
        wanted.name: {one.version for one in wanted.specifier if one.operator != "<"}
        for wanted in parsed
    }


def test_the_lowest_versions_are_the_declared_bounds():
    text = (ROOT / "requirements" / "lowest.txt").read_text(encoding="utf-8")
    pins: dict[str, set[Version]] = {}
    for name, version in re.findall(r"(?m)^([\w.-]+)==(\S+)", text):
        pins.setdefault(name, set()).add(Version(version))
    declared = bounds(PROJECT["dependencies"])
    for extra in EXTRAS:
        declared |= bounds(PROJECT["optional-dependencies"][extra])
    assert len(declared) > 12
    for name, versions in declared.items():
        assert min(pins[name]) == min(map(Version, versions)), name
