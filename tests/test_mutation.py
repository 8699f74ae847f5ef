"""Mutation testing: which mutants there are, and what becomes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from validation.mutation import __main__ as mutation
from validation.mutation.mutants import changed, mutants

SOURCE = '''"""A module that does not end with 9 data sets."""

from typing import Literal

__all__ = ["least"]
Side = Literal["less", "greater"]
LIMIT = 4
CHUNK = 77
REFERENCE = "Author (1999) Journal 88, 66-99"


def least(x: int, y: int = 1) -> int:
    """Return the smaller one."""
    if x < y and x != 0:
        return x + 1
    return "none"


class Both:
    def first(self, values):
        return sorted(values)[0] if values[1:] else -self.none()

    def none(self):
        rows = max(1, 500_000 // 55)
        raise ValueError(f"{rows} are not here")


def sentence(n, p):
    return f"{n} data sets do not differ (Author 2003), 95% of {p:.3f} are higher"


def within(x):
    return x <= LIMIT


def until(n):
    while n != 0:
        n = n - 1
    return n
'''
TESTS = """import a


def test_least():
    assert a.least(0, 1) == "none" and a.least(1, 2) == 2


def test_within():
    assert a.within(4) and not a.within(5)


def test_until():
    assert a.until(3) == 0


def test_shared(shared):
    assert shared == 0


def test_that_fails():
    assert a.least(0, 1) == 7
"""
FIXTURES = """import pytest

import a


@pytest.fixture(scope="session")
def shared():
    return a.until(1)
"""


def changes_of(source):
    return [changed(source, m.number, m.choice)[1] for m in mutants("a.py", source)]


@pytest.mark.parametrize(
    "change",
    [
        *("`x < y` → `x <= y`", "`x < y` → `x >= y`", "`x != 0` → `x == 0`"),
        *("`x < y and x != 0` → `x < y or x != 0`", "`x + 1` → `x - 1`"),
        *("`x + 1` → `x + 2`", "`x + 1` → `x + 0`", "`'none'` → `'XXnone'`"),
        *("`sorted(values)` → `sorted(values, reverse=True)`", "`4` → `5`"),
        *("`1:` → `2:`", "`-self.none()` → `self.none()`"),
        "`return x + 1` → `return None`",
        "`if x < y and x != 0: return x + 1` → "
        "`if not (x < y and x != 0): return x + 1`",
    ],
)
def test_operators_boundaries_constants_and_orders_are_changed(change):
    assert change in " ".join(changes_of(SOURCE))


def test_words_of_meaning_and_numbers_of_sentences_are_changed():
    told = [text for text in changes_of(SOURCE) if "data sets" in text]
    for part in ("sets do differ", "96% of", "are lower", "are not higher"):
        assert any(part in text.partition("→")[2] for text in told), part
    assert not any("2004" in text or "XX" in text for text in told)


def test_what_cannot_change_a_result_is_left_alone():
    told = " ".join(changes_of(SOURCE))
    for part in ("smaller one", "'less'", "'least'", "not here", "module"):
        assert part not in told
    for part in ("78", "88", "100", "500001", "56"):
        assert part not in told


def test_every_mutant_is_another_program_with_its_own_key():
    made = list(mutants("a.py", SOURCE))
    assert len({one.key for one in made}) == len(made)
    for one in made:
        tree, _ = changed(SOURCE, one.number, one.choice)
        compile(tree, "a.py", "exec")


def test_a_mutant_knows_its_function_and_statement():
    by_change = {
        changed(SOURCE, one.number, one.choice)[1]: one
        for one in mutants("a.py", SOURCE)
    }
    first = by_change["`x < y` → `x <= y`"]
    assert (first.function, first.lines) == ("least", (14, 14))
    method = by_change["`-self.none()` → `self.none()`"]
    assert method.function == "Both.first"
    assert by_change["`4` → `5`"].function is None


CHOSEN = [
    (one.function, one.number, one.choice)
    for one in mutants("a.py", SOURCE)
    if changed(SOURCE, one.number, one.choice)[1]
    in ("`x != 0` → `x == 0`", "`1` → `2`", "`n - 1` → `n + 1`", "`4` → `5`")
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What became of some mutants of ``SOURCE``, by change."""
    root = tmp_path_factory.mktemp("project")
    (root / "a.py").write_text(SOURCE)
    (root / "tests").mkdir()
    (root / "tests" / "test_a.py").write_text(TESTS)
    (root / "tests" / "conftest.py").write_text(FIXTURES)
    program = (
        "from pathlib import Path\n"
        "from pycompare.base.parallel.place import working\n"
        "from validation.mutation.batches import Project, try_all\n"
        "from validation.mutation.mutants import mutants\n"
        f"root = Path({str(root)!r})\n"
        "made = list(mutants('a.py', (root / 'a.py').read_text()))\n"
        f"wanted = {CHOSEN!r}\n"
        "made = [m for m in made if (m.function, m.number, m.choice) in wanted]\n"
        "with working(1):\n"
        "    try_all(Project(root, root, ['a.py'], free=0.3), made)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(mutation.ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (root / "mutants.jsonl").read_text().splitlines()
    return {line["change"]: line for line in map(json.loads, lines)}


def test_a_mutant_that_a_test_fails_is_caught_and_the_test_is_named(verdicts):
    found = verdicts["`x != 0` → `x == 0`"]
    assert (found["verdict"], found["failed"]) == (
        "caught",
        ["tests/test_a.py::test_least"],
    )


def test_a_mutant_that_no_test_fails_has_survived(verdicts):
    assert verdicts["`1` → `2`"]["verdict"] == "survived"


def test_a_mutant_that_does_not_end_is_caught_by_time(verdicts):
    assert verdicts["`n - 1` → `n + 1`"]["verdict"] == "time"


def test_code_that_an_import_runs_is_imported_again(verdicts):
    found = verdicts["`4` → `5`"]
    assert (found["verdict"], found["again"]) == ("caught", True)
    assert found["failed"] == ["tests/test_a.py::test_within"]


def test_a_test_that_fails_without_a_mutant_catches_none(verdicts):
    caught_by = {name for line in verdicts.values() for name in line["failed"] or ()}
    assert "tests/test_a.py::test_that_fails" not in caught_by


LINES = [
    {"file": "a.py", "line": 3, "function": "f", "change": "`<` → `<=`"},
    {"file": "a.py", "line": 4, "function": "f", "change": "`+` → `-`"},
    {"file": "a.py", "line": 5, "function": "g", "change": "`1` → `2`"},
]
VERDICTS = ("survived", "caught", "time")
TRIED = [x | {"verdict": v} for x, v in zip(LINES, VERDICTS, strict=True)]


def test_the_page_counts_by_group_and_names_the_survivors():
    page = mutation.page(TRIED, {"one": ["a.py"]}, {"a.py": 9}, "A sample")
    assert "| one | 9 | 3 | 2 | 0 | 66.7% | [20.8, 93.9] |" in page
    assert (
        "| a.py:3 f | `<` → `<=` | A test could, and is missing. |" in page
        and "a.py:4" not in page
    )


def test_files_with_few_mutants_tried_share_a_row():
    many = [TRIED[1] | {"file": "b.py"}] * mutation.FEW
    few = [*TRIED, TRIED[1] | {"file": "c.py"}]
    found = mutation.by_file(
        [*many, *few], {"a.py": 9, "b.py": 20, "c.py": 7, "d.py": 5}
    )
    assert [cells[:5] for cells in found] == [
        ["b.py", "20", "10", "10", "0"],
        ["2 other files", "16", "4", "3", "0"],
    ]


def test_equivalent_mutants_have_their_reason_and_are_not_missed(monkeypatch):
    reasons = {("a.py", "f", "`<` → `<=`"): "Both sides are the same."}
    monkeypatch.setattr(mutation, "EQUIVALENT", reasons)
    size = mutation.sample_size(9, None, 0, 9)
    page = mutation.page(TRIED, {"one": ["a.py"]}, {"a.py": 9}, size)
    assert "| one | 9 | 3 | 2 | 1 | 100.0% |" in page
    assert (
        "| Both sides are the same. |" in page and "All 9 mutants were chosen." in page
    )


def test_a_sample_has_its_seed_and_its_strata():
    told = mutation.sample_size(40, 8, 3, 40)
    assert "seed 3" in told and "at least 8 mutants of each file" in told
    assert told.endswith("tried in random order")
    told = mutation.sample_size(40, 8, 3, 39)
    assert told.endswith("; the run was ended after 39 of them")


def test_every_group_has_files_and_equivalent_mutants_name_theirs():
    groups = mutation.files_of(())
    assert list(groups) == list(mutation.GROUPS)
    assert "pycompare/kernels/binomial.py" in groups["kernels"]
    for file, _, _ in mutation.EQUIVALENT:
        assert (mutation.ROOT / file).exists()


def test_a_sample_is_the_same_for_one_seed_and_has_its_least_size():
    groups = {"kernels": ["pycompare/kernels/binomial.py"]}
    (one, sizes), (other, _), (third, _) = (
        mutation.chosen(groups, 5, seed) for seed in (3, 3, 4)
    )
    assert one == other != third
    assert len(one) == min(mutation.OF_A_GROUP, sizes["pycompare/kernels/binomial.py"])
