"""The study of intervals of components uses those of the library."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.testing import assert_digits
from tests.multireader.readers import simulated
from validation import component_coverage as coverage


def test_combinations_of_mean_squares_are_the_components_and_their_limits():
    ratings = simulated(t=3, r=4, n=30)
    t, r, n = ratings.shape
    table = rm.three_way(pseudo.auc(ratings.truth, ratings.values)[1])
    df = np.array([table[term][0] for term in coverage.TERMS], float)
    squares = np.array([table[term][1] for term in coverage.TERMS]) / df
    found = pc.variance_components(ratings).table.set_index("component")
    for name, coefficients in coverage.combinations(t, r, n).items():
        row = found.loc[name]
        assert_digits(coefficients @ squares, row["estimate"], at_least=9)
        if not np.isnan(row["conf_low"]):
            limits = modified_large_sample(coefficients, squares, df, 0.95)
            assert_digits(limits, row[["conf_low", "conf_high"]], at_least=11)


def test_readers_are_covered_as_often_as_said_and_cases_are_not():
    [name, *_] = coverage.STUDIES
    counts = coverage.covered(name, 150)
    assert counts["reader"] / 150 > 0.89  # 0.95 less three Monte Carlo errors
    assert counts["modality x reader"] / 150 > 0.89


@pytest.mark.parametrize(
    "page", ["# A\n\ntext\n", f"# A\n\ntext\n\n{coverage.HEADING}\nold"]
)
def test_the_section_replaces_the_old_one(page):
    new = coverage.section({"s": {"reader": 19}}, 20)
    told = coverage.with_section(page, new)
    assert told.startswith("# A\n\ntext\n\n## Intervals")
    assert "\nold" not in told
    assert "| s | 0.9500 |" in told
