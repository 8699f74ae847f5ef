"""The wheel with its dependencies and no extra: compare, report, and what is refused.

The environment is a new one. pip installs the wheel into it; the distributions that the
wheel's metadata require, and no others, are linked from this environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS = ("rpy2", "pingouin", "sklearn", "pyarrow", "distributed", "polars")


def run(*command: object, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **options
    )


def required(requirements: list[str]) -> Iterator[str]:
    """Names of the distributions wanted without any extra."""
    for line in requirements:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)


def closure(requirements: list[str]) -> dict[str, Distribution]:
    """All distributions that these requirements lead to."""
    found: dict[str, Distribution] = {}
    waiting = list(required(requirements))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = distribution(name)
            waiting += required(found[name].requires or [])
    return found


def link(dist: Distribution, target: Path) -> None:
    """Link what a distribution installed into another environment."""
    for name in {path.parts[0] for path in dist.files or []} - {"..", "__pycache__"}:
        (target / name).symlink_to(Path(str(dist.locate_file(name))))


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder of programs of an environment with the wheel and no extra."""
    home = tmp_path_factory.mktemp("wheel")
    built = run(
        sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", home, cwd=ROOT
    )
    assert built.returncode == 0, built.stderr
    [wheel] = home.glob("*.whl")
    venv.create(home / "env", symlinks=True)
    scheme = {"base": str(home / "env"), "platbase": str(home / "env")}
    python = home / "env" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    put = run(*pip, "--no-deps", "--no-index", wheel, env=clean())
    assert put.returncode == 0, put.stderr
    site = Path(sysconfig.get_path("purelib", vars=scheme))
    [metadata] = site.glob("pycompare_stats-*.dist-info")
    for dist in closure(Distribution.at(metadata).requires or []).values():
        link(dist, site)
    return home / "env" / "bin"


def clean() -> dict[str, str]:
    """Return this environment without its way to our sources."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}


def test_no_extra_is_there(installed):
    code = "import importlib.util as u; print([n for n in {} if u.find_spec(n)])"
    ran = run(installed / "python", "-c", code.format(EXTRAS), env=clean())
    assert ran.stdout == "[]\n", ran.stdout + ran.stderr


def test_the_wheel_compares_and_reports(installed, tmp_path):
    made = run(
        installed / "pycompare", "example", "--out", "s.csv", cwd=tmp_path, env=clean()
    )
    assert made.returncode == 0, made.stderr
    ran = run(
        installed / "pycompare",
        *("compare", "s.csv", "--wide", "--metric", "accuracy:higher"),
        *("--blocks", "datasets", "--out", "report"),
        cwd=tmp_path,
        env=clean(),
    )
    assert ran.returncode == 0, ran.stderr
    assert "C4.5" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


def test_the_wheel_reports_from_python(installed, tmp_path):
    code = (
        "import pycompare as pc; plan = pc.Plan(blocks='datasets');"
        "pc.report(pc.compare(pc.example(), plan), 'report');"
        "print(pc.__file__)"
    )
    ran = run(installed / "python", "-c", code, cwd=tmp_path, env=clean())
    assert ran.returncode == 0, ran.stderr
    assert str(installed.parent) in ran.stdout
    assert (tmp_path / "report" / "results.json").exists()


def test_without_its_extra_validate_is_not_a_pass_and_says_what_to_install(
    installed, tmp_path
):
    ran = run(
        installed / "pycompare",
        *("validate", "--only", "Quade", "--out", "out"),
        cwd=tmp_path,
        env=clean(),
    )
    assert ran.returncode == 1
    assert "install pycompare with its extra 'validate'" in ran.stdout
