"""`make check` runs the tests of what changed, and never all of them by mistake."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.changed import ALWAYS, ELSEWHERE, ROOT, belonging, modules

CASES = [
    (["pycompare/methods/pairs/sign.py"], ["tests/methods/pairs"]),
    (["pycompare/reporting/evidence/manifest.py"], ["tests/reporting/evidence"]),
    (["pycompare/reporting/analyses/cases.py"], ["tests/reporting"]),
    (["pycompare/reporting/diff.py", "pycompare/reporting/render/pdf.py"],
     ["tests/reporting"]),
    (["pycompare/base/labels.py"], ["tests/base/test_labels.py"]),
    (["tests/methods/pairs/test_sign.py"], ["tests/methods/pairs/test_sign.py"]),
    (["tests/methods/pairs/test_sign.py", "pycompare/methods/pairs/sign.py"],
     ["tests/methods/pairs"]),
    (["tests/methods/pairs/test_that_is_gone.py"], []),
    (["tests/data/readers/made/weka/a.arff"], ["tests/data/readers"]),
    (["docs/guide/folds.md"], ["tests/test_documents.py", "tests/test_people.py"]),
    (["README.md"], ["tests/test_documents.py"]),
    (["LICENSE"], []),
]  # fmt: skip


@pytest.mark.parametrize(("files", "wanted"), CASES)
def test_tests_of_changed_files(files, wanted):
    assert [one for one in belonging(files) if one not in ALWAYS] == wanted


def test_helpers_of_tests_run_the_tests_that_import_them():
    found = belonging(["tests/runs.py"])
    assert "tests/reporting/evidence/test_manifest.py" in found
    assert "tests/methods/pairs/test_sign.py" not in found


def test_every_module_has_tests_that_are_there():
    for path in sorted((ROOT / "pycompare").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        found = set(belonging([name])) - set(ALWAYS)
        told = f"{name}: name its tests in ELSEWHERE of tests/changed.py"
        assert found, told
        assert all((ROOT / one).exists() for one in found), name
    named = [one for tests in ELSEWHERE.values() for one in tests.split()]
    assert [one for one in [*named, *ALWAYS] if not (ROOT / one).exists()] == []


def test_modules_of_the_package_that_are_still_there_are_checked_for_types():
    files = [
        "tests/runs.py",
        "pycompare/apps/r_client.py",
        "pycompare/gone.py",
        "README.md",
    ]
    assert modules([*files, "pycompare/data/examples/predictions.csv"]) == [files[1]]


def test_few_errors_of_types_are_known():
    """Others fail: `make check` asks for the changed modules, `make study` for all."""
    held = json.loads((ROOT / ".basedpyright" / "baseline.json").read_text())["files"]
    assert 0 < sum(len(errors) for errors in held.values()) <= 20


def test_an_unknown_commit_runs_nothing():
    command = [sys.executable, "-m", "tests.changed", "no-such-commit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode and not done.stdout and "no-such-commit" in done.stderr
    command = ["make", "-n", "check", "SINCE=no-such-commit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    lines = done.stdout.replace("\\\n", " ").splitlines()
    [call] = [line for line in lines if "pytest" in line]
    assert '-m tests.changed "no-such-commit") &&' in call and '"not slow"' in call
