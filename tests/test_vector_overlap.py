"""The study of T2 and MANOVA corrected for shared training data."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from validation import vector_overlap as study
from validation.calibration.data import scores_of

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_uncorrected_p_values_are_those_of_the_public_tests():
    y = np.random.default_rng(1).normal(size=(12, 4, 2))
    scores = scores_of(y)
    test = pc.hotelling(scores, algorithms=("A", "B"))
    [own] = study.hotelling_p((y[:, 0] - y[:, 1])[None], 1.0)
    assert own == pytest.approx(test.p_value, rel=1e-10)
    wilks = pc.manova(scores).wilks.p_value
    [own] = study.manova_p(y[None], 1.0)
    assert own == pytest.approx(wilks, rel=1e-10)


def test_the_corrected_t2_divides_by_the_variance_ratio():
    y = np.random.default_rng(2).normal(size=(30, 2, 2))
    d = (y[:, 0] - y[:, 1])[None]
    mean, s = d[0].mean(axis=0), np.cov(d[0].T)
    t2 = mean @ np.linalg.solve(s * (1 / 30 + 2.25 / 9), mean)
    f = 28 / (2 * 29) * t2
    [own] = study.hotelling_p(d, 1 + 30 * 2.25 / 9)
    assert own == pytest.approx(stats.f.sf(f, 2, 28), rel=1e-10)
    assert study.hotelling_p(np.zeros((1, 9, 2)), 1.0).tolist() == [1.0]


def test_a_chunk_is_seeded_and_counts_every_test():
    cell = study.CELLS[0]
    made = study.chunk(cell, 3, runs=2)
    assert made == study.chunk(cell, 3, runs=2)
    assert {*made} == {*FOUND[cell.name]["rejections"]}


def test_the_page_is_that_of_the_stored_numbers():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)


def test_the_reason_why_plans_do_not_correct_has_the_numbers_of_the_study():
    names = Path("docs/names.md").read_text(encoding="utf-8")
    [line] = [
        x for x in names.splitlines() if x.startswith("| T2 and MANOVA corrected")
    ]
    for test, stumps in (("T2", True), ("T2", False), ("MANOVA", True)):
        assert f"{study.most(FOUND, test, stumps=stumps):.2f}" in line
