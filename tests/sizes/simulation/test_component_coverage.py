"""The study of intervals of components uses those of the library."""

from __future__ import annotations

import numpy as np

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.sizes.simulation import component_coverage as coverage
from tests.methods.multireader.readers import simulated


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


def test_readers_are_covered_as_often_as_said():
    [name, *_] = coverage.SIZES
    found = coverage.ComponentCoverage().run(name, np.random.default_rng(1), 150)
    for component in ("reader", "modality x reader"):
        assert np.mean(found[component]) > 0.89  # 0.95 less three Monte Carlo errors


def test_the_sizes_are_those_of_their_names():
    for name, size in coverage.SIZES.items():
        t, r, n = size.modalities, size.readers, 2 * size.cases
        auc = size.model.auc[0]
        assert name == f"{t} modalities x {r} readers x {n} cases, AUC {auc:.2f}"
