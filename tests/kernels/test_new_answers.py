"""Right or wrong answers: the rule, and that all who ask use it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import pycompare
from pycompare.kernels.new_answers import right_or_wrong


@pytest.mark.parametrize(
    ("answers", "is_right_or_wrong"),
    [
        ([0, 1, 1], True),
        ([0, 1, np.nan], True),
        ([0, -1, 1], False),
        ([0, 0.5, 1], False),
        ([np.nan], True),
    ],
)
def test_a_missing_answer_is_neither(answers, is_right_or_wrong):
    assert right_or_wrong(np.array(answers, float)) == is_right_or_wrong


def test_no_other_file_has_a_rule_of_its_own():
    root = Path(pycompare.__file__).parent
    rule = re.compile(r"isin\([^\n]*\((0|0\.0), ?(1|1\.0|end)\)\)\.all\(\)")
    own = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if rule.search(path.read_text(encoding="utf-8"))
    }
    assert own == {"kernels/new_answers.py"}
