"""Means of graded answers with a declared range against a margin."""

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import matched_pairs as kernel
from tests.methods.cases.test_matched_shares import gpqa, of_runs

NI = {"kind": "non-inferiority", "control": "old", "range": (0, 1)}


def grades(x, better="higher", names=("new", "old"), clusters=None):
    scores = pc.Scores.from_wide(
        pd.DataFrame(x, columns=list(names)), metric="grade", better=better
    )
    return dataclasses.replace(scores, clusters=clusters)


def drawn(n=80, a=2, seed=3):
    rng = np.random.default_rng(seed)
    common = rng.integers(0, 3, (n, 1)) / 2
    own = rng.integers(0, 3, (n, a)) / 2
    return np.where(rng.random((n, a)) < 0.15, own, common)


def test_runs_have_the_numbers_of_gpqa():
    [row] = pc.bounded_means(of_runs(gpqa()), margin=0.05, **NI).table.itertuples()
    assert_digits(row.p_value, 0.000132401, at_least=5.5)
    assert_digits(row.conf_low, -0.0014902, at_least=4.5)
    assert_digits(row.estimate, 0.0585859, at_least=6)
    swapped = of_runs(gpqa()[:, ::-1])
    [row] = pc.bounded_means(swapped, margin=0.05, **NI).table.itertuples()
    assert not row.shown and row.conf_low <= -0.05


def test_two_values_have_clopper_pearsons_test():
    """The new one loses the whole range, or nothing."""
    x = np.ones((100, 2))
    x[:3, 0] = 0
    [row] = pc.bounded_means(grades(x), margin=0.1, **NI).table.itertuples()
    assert_digits(row.p_value, stats.binom.cdf(3, 100, 0.1), at_least=10)
    upper = stats.beta.isf(0.025, 4, 97)
    assert_digits(row.conf_low, -upper, at_least=9)


@pytest.mark.parametrize("scale", [1.0, 50.0])
def test_unit_direction_and_order_change_nothing(scale):
    x = drawn()
    given = {"margin": 0.2, **NI}
    [row] = pc.bounded_means(grades(x), **given).table.itertuples()
    other = given | {"margin": 0.2 * scale, "range": (7.0, 7.0 + scale)}
    errors = grades(7.0 + scale * (1 - x), "lower")
    [again] = pc.bounded_means(errors, **other).table.itertuples()
    assert_digits(again.p_value, row.p_value, at_least=10)
    assert_digits(again.conf_high, -scale * row.conf_low, at_least=9)
    reversed_rows = pc.bounded_means(grades(x[::-1]), **given).table
    assert_digits(reversed_rows["p_value"], [row.p_value], at_least=12)


def test_clusters_of_one_size_are_compared_by_their_means():
    x, clusters = drawn(), tuple(f"t{i // 4}" for i in range(80))
    got = pc.bounded_means(grades(x, clusters=clusters), margin=0.3, **NI)
    means = grades(x.reshape(20, 4, 2).mean(axis=1))
    alone = pc.bounded_means(means, margin=0.3, **NI)
    for name in ("estimate", "p_value", "conf_low"):
        assert_digits(got.table[name], alone.table[name], at_least=12)
    assert got.n_clusters == 20 and alone.n_clusters is None
    with pytest.raises(pc.DesignError, match="3 to 4 cases"):
        uneven = grades(x[:79], clusters=clusters[:79])
        pc.bounded_means(uneven, margin=0.3, **NI)


def test_no_interval_contradicts_a_decision():
    shown = []
    for seed in range(40):
        scores = grades(drawn(40 + seed, 3, seed), names=("a", "b", "old"))
        for margin, control in itertools.product((0.1, 0.3), (None, "old")):
            kind = "equivalence" if control is None else "non-inferiority"
            found = pc.bounded_means(
                scores, margin=margin, range=(0, 1), kind=kind, control=control
            )
            table = found.table
            above = table["conf_low"] > found.margin_low
            below = (table["conf_high"] < found.margin_high) | (control is not None)
            assert ((above & below) == table["shown"]).all()
            assert (table["conf_low"] <= table["estimate"]).all()
            shown += table["shown"].tolist()
    assert any(shown) and not all(shown)


def test_equivalence_has_both_sides():
    found = pc.bounded_means(grades(drawn(120)), margin=0.25, range=(0, 1))
    [row] = found.table.itertuples()
    x = drawn(120)
    d = x[:, 0] - x[:, 1]
    assert_digits(row.p_lower, kernel.bounded_p(d + 0.25, -0.75), at_least=12)
    assert_digits(row.p_upper, kernel.bounded_p(0.25 - d, -0.75), at_least=12)
    assert row.p_value == max(row.p_lower, row.p_upper)
    assert found.interval == "90%" and row.conf_low < row.estimate < row.conf_high


def test_few_cases_have_a_note():
    found = pc.bounded_means(grades(drawn(40)), margin=0.02, **NI)
    assert "40 independent units" in found.notes[0] and "183" in found.notes[0]
    assert found.notes[0] in found.summary()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"range": (0, 0.9)}, "cases have a score"),
        ({"range": (1, 0)}, "lowest and the highest"),
        ({"range": 1}, "lowest and the highest"),
        ({"margin": 1.0}, "below it"),
        ({"margin": 0.1, "control": None}, "name a control"),
        ({"adjust": "bergmann-hommel"}, "margin"),
    ],
)
def test_what_cannot_be_tested_is_refused(options, words):
    with pytest.raises(pc.InputError, match=words):
        pc.bounded_means(grades(drawn()), **{"margin": 0.1, **NI, **options})
