"""Mutation testing: which mutants there are, and what becomes of them."""

from __future__ import annotations

import pytest

from validation import mutation

SOURCE = '''"""A module."""


def least(x: int, y: int = 1) -> int:
    """Return the smaller one."""
    if x < y and x != 0:
        return x + 1
    return "none"
'''


def test_every_operator_boundary_and_constant_is_changed_and_no_docstring():
    made = list(mutation.mutants("a.py", SOURCE))
    changes = [one.change for one in made]
    assert "`x < y` → `x <= y`" in changes and "`x < y` → `x >= y`" in changes
    assert "`x != 0` → `x == 0`" in changes
    assert "`x < y and x != 0` → `x < y or x != 0`" in changes
    assert "`x + 1` → `x - 1`" in changes
    assert "`'none'` → `'XXnone'`" in changes
    assert "`1` → `2`" in changes and "`return x + 1` → `return None`" in changes
    assert not any("module" in change or "smaller" in change for change in changes)
    assert len({one.key for one in made}) == len(made)
    for one in made:
        compile(one.source, "a.py", "exec")
        assert one.source != made[0].source or one is made[0]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("assert least(0, 1) == 'none' and least(1, 2) == 2", "caught"),
        ("pass", "survived"),
        ("while True: pass", "time"),
    ],
)
def test_a_mutant_is_caught_if_a_test_fails(test, expected, tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text(SOURCE)
    checked = tmp_path / "test_a.py"
    checked.write_text(f"from a import least\n\ndef test_it():\n    {test}\n")
    monkeypatch.setattr(mutation, "NEAREST", {"a.py": ("test_a.py",)})
    [mutant] = [
        one
        for one in mutation.mutants("a.py", SOURCE)
        if one.change == "`x != 0` → `x == 0`"
    ]
    seconds = 3.0 if expected == "time" else 120.0
    assert mutation.verdict(mutant, tmp_path, seconds) == expected
    assert (tmp_path / "a.py").read_text() == SOURCE


def test_the_page_counts_by_file_and_names_the_survivors():
    lines = [
        {"file": "a.py", "line": 3, "change": "`<` → `<=`", "verdict": "survived"},
        {"file": "a.py", "line": 4, "change": "`+` → `-`", "verdict": "caught"},
        {"file": "b.py", "line": 5, "change": "`1` → `2`", "verdict": "time"},
    ]
    page = mutation.page(lines, 2, 0)
    assert "| a.py | 2 | 1 | 1 | 50 % |" in page
    assert "| b.py | 1 | 1 | 0 | 100 % |" in page
    assert "| a.py:3 | `<` → `<=` |  |" in page and "a.py:4" not in page


def test_the_files_and_the_tests_nearest_to_them_are_there():
    for file, tests in mutation.NEAREST.items():
        assert (mutation.ROOT / file).exists()
        assert all((mutation.ROOT / test).exists() for test in tests)


def test_a_sample_is_the_same_for_one_seed():
    [file, *_] = mutation.NEAREST
    one, other = (mutation.chosen([file], 5, 3) for _ in range(2))
    assert one == other and len(one) == 5
    assert one != mutation.chosen([file], 5, 4)
