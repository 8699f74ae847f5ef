"""Which tests and modules belong to what changed: `make check` runs and checks them.

A changed file of pycompare has its tests in the folder of the same path, or the
nearest one above it; one that lies in the room ``base`` or ``apps`` itself, in
``test_NAME*.py`` of that folder. A changed test is
its own test, and a helper of tests those that import it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALWAYS = ("tests/test_layers.py",)
ELSEWHERE = {
    ".github": "tests/test_people.py",
    "CITATION.cff": "tests/test_people.py",
    "docs": "tests/test_documents.py tests/test_people.py",
    "README.md": "tests/test_documents.py",
    "Makefile": "tests/test_make.py tests/test_people.py",
    "pyproject.toml": "tests/test_supply_chain.py",
    "requirements": "tests/test_supply_chain.py",
    "packaging": "tests/packaging",
    "r_reference": "tests/base/interop",
    "validation": "tests/test_validation.py",
    "pycompare/base/checked.py": "tests/test_odd_arguments.py",
    "pycompare/apps/cli": (
        "tests/test_options_given_twice.py tests/test_declared_options.py"
    ),
    "pycompare/apps/comparison.py": "tests/designs/test_compare.py",
    "pycompare/base/environment.py": "tests/test_process.py",
    "pycompare/base/formatting": (
        "tests/base/test_counts.py tests/base/test_rounding.py"
    ),
    "pycompare/base/metric.py": "tests/data",
    "pycompare/apps/qualification.py": "tests/test_validation.py",
    "pycompare/apps/r_client.py": "tests/base/interop",
    "pycompare/results/schema.py": "tests/reporting/evidence/test_program_faults.py",
    "pycompare/base/testing.py": "tests/base/test_tables.py",
    "pycompare/__init__.py": "tests/test_package.py",
    "pycompare/__init__.pyi": "tests/test_package.py",
    "pycompare/apps/public.py": "tests/test_package.py",
    "pycompare/__main__.py": "tests/methods/multireader/test_questions_of_mrmc.py",
    "pycompare/base/version.py": "tests/test_package.py",
}
"""Tests of what has none of the same name."""


def changed(since: str) -> list[str]:
    """Return the files that differ from where the work began, new ones included."""
    base = _git("merge-base", since, "HEAD")[0]
    return [
        *_git("diff", "--name-only", base),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]


def _git(*words: str) -> list[str]:
    command = ["git", "-c", "core.quotePath=false", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def belonging(files: Iterable[str]) -> list[str]:
    """Return the tests of changed files, folders before what is in them."""
    found = {*ALWAYS, *(test for file in files for test in _tests_of(Path(file)))}
    return sorted(
        one for one in found if not {str(p) for p in Path(one).parents} & found
    )


def _tests_of(file: Path) -> Iterator[str]:
    """Yield the tests of one file."""
    top = file.parts[0]
    if top == "tests":
        yield from _of_test(file)
    elif top == "pycompare":
        yield from _of_module(file)
    for place, tests in ELSEWHERE.items():
        if file.is_relative_to(place):
            yield from tests.split()


def _of_test(file: Path) -> Iterator[str]:
    """Yield a test that is still there, or those that a helper is for."""
    if file.name.startswith("test_"):
        yield from _matching(str(file))
    elif len(file.parts) > 2:
        homes = (p for p in file.parents[:-2] if any((ROOT / p).glob("test_*.py")))
        yield from map(str, list(homes)[:1])
    elif file.suffix == ".py":
        used = re.compile(rf"\btests\.{file.stem}\b|\btests import .*\b{file.stem}\b")
        for test in sorted((ROOT / "tests").rglob("test_*.py")):
            if used.search(test.read_text(encoding="utf-8")):
                yield str(test.relative_to(ROOT))


def _of_module(file: Path) -> Iterator[str]:
    """Yield the nearest folder of tests, and tests at the top of the module's name."""
    inside = file.parts[1:-1]
    own = f"tests/{'/'.join(inside)}/test_{file.stem}*.py"
    if inside in (("base",), ("apps",)) and any(ROOT.glob(own)):
        yield from _matching(own)
        return
    if str(file) in ELSEWHERE:
        return
    for n in range(len(inside), 0, -1):
        folder = Path("tests", *inside[:n])
        if (ROOT / folder).is_dir():
            yield str(folder)
            return
    yield from _matching(f"tests/test_{inside[0] if inside else file.stem}*.py")


def _matching(pattern: str) -> Iterator[str]:
    """Yield the paths of a pattern that are there."""
    yield from (str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pattern)))


def modules(files: Iterable[str]) -> list[str]:
    """Return the files of the package that are still there."""
    return sorted(
        one
        for one in files
        if re.fullmatch(r"pycompare/.+\.py", one) and (ROOT / one).is_file()
    )


if __name__ == "__main__":
    asked = modules if "--modules" in sys.argv else belonging
    print(*asked(changed(sys.argv[1])), sep="\n")
