"""Wheel and source: what they hold, and what an installed pycompare does.

The environment is a new one. pip installs the wheel into it; the distributions that the
wheel's metadata require, and no others, are linked from this environment. A second one
has these and all that is installed here, R's bridge included, and no network.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
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
def built(tmp_path_factory) -> Path:
    """The folder of the wheel and the source."""
    home = tmp_path_factory.mktemp("dist")
    command = (sys.executable, "-m", "hatchling", "build", "-d", home)
    ended = run(*command, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    return home


def environment(home: Path) -> tuple[Path, Path]:
    """Return the programs and the libraries of a new environment."""
    venv.create(home, symlinks=True)
    scheme = {"base": str(home), "platbase": str(home)}
    return home / "bin", Path(sysconfig.get_path("purelib", vars=scheme))


@pytest.fixture(scope="module")
def installed(built) -> Path:
    """The folder of programs of an environment with the wheel and no extra."""
    programs, site = environment(built / "installed")
    [wheel] = built.glob("*.whl")
    python = programs / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    put = run(*pip, "--no-deps", "--no-index", wheel, env=clean())
    assert put.returncode == 0, put.stderr
    [metadata] = site.glob("pycompare_stats-*.dist-info")
    for dist in closure(Distribution.at(metadata).requires or []).values():
        link(dist, site)
    return programs


@pytest.fixture(scope="module")
def complete(built, installed) -> Path:
    """Python with what pip installed, and then all that is installed here."""
    programs, site = environment(built / "complete")
    [libraries] = (installed.parent / "lib").glob("*/site-packages")
    both = f"{libraries}\n{sysconfig.get_path('purelib')}\n"
    (site / "all.pth").write_text(both, encoding="utf-8")
    return programs / "python"


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


# ---- what they hold ------------------------------------------------------------------

LOADED = ("running", "finished", "checks", "page", "evidence", "installed", "r_worker")
"""Modules that `pycompare validate` loads, and the program that its R processes run."""
MOST_BYTES = 2_860_000


def inside(wheel_or_source: Path) -> set[str]:
    """Return the files in a wheel or in a source, named as in the repository."""
    if wheel_or_source.suffix == ".whl":
        with zipfile.ZipFile(wheel_or_source) as held:
            names = held.namelist()
        moved = re.compile(r"pycompare/(?=(?:validation|r_reference)/)")
        return {moved.sub("", name) for name in names if ".dist-info/" not in name}
    with tarfile.open(wheel_or_source) as source:
        return {name.partition("/")[2] for name in source.getnames()}


def imported(module: Path) -> Iterator[Path]:
    """Yield the modules of the validation that a module of it imports."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            place = module.parents[node.level - 1] / (node.module or "").replace(
                ".", "/"
            )
            names = [place / alias.name for alias in node.names]
            for path in (place, *names):
                yield from filter(
                    Path.is_file, (path.with_suffix(".py"), path / "__init__.py")
                )


def read_by_validate() -> set[str]:
    """Return the files of `validation` that `pycompare validate` reads."""
    folder = ROOT / "validation"
    first = [folder / f"{name}.py" for name in ("__init__", *LOADED)]
    waiting = [path for path in first if path.is_file()]
    waiting.append(folder / "checks" / "__init__.py")
    modules: set[Path] = set()
    while waiting:
        module = waiting.pop()
        if module not in modules:
            modules.add(module)
            waiting += imported(module)
    pages = re.findall(
        r"[A-Z_]{5,}", re.search(r"_STUDIES = \((.+?)\)", evidence(), re.DOTALL)[1]
    )
    assert len(pages) >= 9
    modules |= {folder / f"{page}.md" for page in (*pages, "DIFFERENCES")}
    return {path.relative_to(ROOT).as_posix() for path in modules}


def evidence() -> str:
    return (ROOT / "validation" / "evidence.py").read_text(encoding="utf-8")


def tracked(*patterns: str) -> set[str]:
    """Return files of the repository."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard",
                 "--", *patterns, cwd=ROOT)  # fmt: skip
    return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}


def wanted() -> set[str]:
    """Return what the library and `pycompare validate` read."""
    return (
        tracked("pycompare")
        | tracked("r_reference/inst/reference", "r_reference/golden/experiment_*.csv")
        | read_by_validate()
    )


def test_the_wheel_holds_what_the_library_and_validate_read_and_nothing_else(built):
    [wheel] = built.glob("*.whl")
    assert inside(wheel) == wanted()
    assert wheel.stat().st_size <= MOST_BYTES


def test_the_source_holds_the_same_the_r_package_and_what_describes_them(built):
    [source] = built.glob("*.tar.gz")
    golden = tracked("r_reference/golden")
    package = tracked("r_reference") - golden
    about = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "SECURITY.md"}
    about |= {"pyproject.toml", "PKG-INFO", ".gitignore"}
    assert inside(source) == wanted() | package | about
    assert source.stat().st_size <= MOST_BYTES


def test_no_study_picture_benchmark_or_result_is_in_either(built):
    for archive in [*built.glob("*.whl"), *built.glob("*.tar.gz")]:
        names = inside(archive)
        kinds = {Path(name).suffix for name in names if name.startswith("validation/")}
        assert kinds == {".py", ".md"}
        unwanted = r"(tests|docs|validation/(mutation|benchmarks|family_wise))/|\.svg$"
        assert [name for name in names if re.match(unwanted, name)] == []


# ---- outside of the repository, without a network ------------------------------------


@pytest.mark.r
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces of Linux")
def test_example_compare_verify_and_validate_need_no_repository_and_no_network(
    complete, tmp_path
):
    def pycompare(*words: str) -> str:
        offline = ("unshare", "--map-root-user", "--net")
        program = (*offline, complete, "-m", "pycompare")
        ended = run(*program, *words, cwd=tmp_path, env=clean())
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    pycompare("example", "--out", "scores.csv")
    table = ("compare", "scores.csv", "--wide", "--metric", "accuracy:higher")
    pycompare(*table, "--blocks", "datasets", "--out", "report")
    pycompare("verify", "report")
    # One check of each kind of file: R's functions, a published table, a library.
    some = ("--only", "Quade", "--only", "formula, tests of terms", "--only", "McNemar")
    told = pycompare("validate", "--quick", *some, "--out", "agreement")
    assert "0 differ, 0 not verified" in told
    assert "files hashed, 0 changed" in told
