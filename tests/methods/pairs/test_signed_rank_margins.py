"""Typical differences against a margin, against SciPy and by identities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.kernels import signed_rank
from tests.conftest import wide

RNG = np.random.default_rng(3)


def table_of(scores, **options):
    return pc.signed_rank_margins(scores, **options).table


def test_each_side_is_the_signed_rank_test_of_shifted_differences():
    x = RNG.normal(size=(15, 3)) + 0.3 * np.arange(3)
    for row in table_of(wide(x), margin=0.9).itertuples():
        i, j = (int(name[1:]) - 1 for name in (row.algorithm_1, row.algorithm_2))
        d = x[:, i] - x[:, j]
        above = stats.wilcoxon(d + 0.9, alternative="greater", method="exact").pvalue
        below = stats.wilcoxon(d - 0.9, alternative="less", method="exact").pvalue
        if -0.9 < row.estimate < 0.9:
            assert row.p_lower == pytest.approx(above, rel=1e-12)
            assert row.p_upper == pytest.approx(below, rel=1e-12)
        assert row.p_value == max(row.p_lower, row.p_upper)


def test_the_estimate_is_that_of_the_comparison():
    scores = wide(RNG.normal(size=(12, 4)))
    of_margin = table_of(scores, margin=1.0)
    of_pairs = pc.signed_rank_pairs(scores).table
    assert of_margin["estimate"].tolist() == of_pairs["estimate"].tolist()


def test_no_interval_contradicts_its_decision():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n, a = int(rng.integers(3, 40)), int(rng.integers(2, 5))
        x = rng.normal(size=(n, a)) * rng.uniform(0.2, 1)
        if seed % 3 == 0:
            x = np.round(4 * x) / 4  # ties, and differences that are the margin
        found = table_of(wide(x), margin=0.75)
        within = (found["conf_low"] > -0.75) & (found["conf_high"] < 0.75)
        assert (within == found["shown"]).all()
        control = {"control": "A1", "kind": "non-inferiority"}
        found = table_of(wide(x), margin=0.75, **control)
        better = found["conf_low"] > -0.75
        lower = found["conf_high"] < 0.75
        assert ((better | lower) >= found["shown"]).all()


def test_a_pair_has_the_same_p_value_without_the_others():
    scores = wide(RNG.normal(size=(14, 4)))
    for row in table_of(scores, margin=1.0).to_dict("records"):
        two = scores.select(algorithms=[row["algorithm_1"], row["algorithm_2"]])
        assert table_of(two, margin=1.0)["p_value"][0] == row["p_value"]


def test_equal_algorithms_are_within_any_margin_that_so_few_blocks_can_show():
    alike = wide(np.repeat(RNG.normal(size=(9, 1)), 2, axis=1))
    found = pc.signed_rank_margins(alike, margin=1e-3)
    assert found.table["p_value"][0] == 2.0**-9 and found.table["shown"][0]
    assert not found.notes
    few = pc.signed_rank_margins(alike.select(blocks=alike.blocks[:4]), margin=1e-3)
    assert not few.table["shown"][0] and "takes 5 blocks" in few.notes[0]


def test_units_do_not_matter():
    x = RNG.normal(size=(11, 3))
    p = table_of(wide(x), margin=0.8)["p_value"].tolist()
    for factor in (1e-290, 1e290):
        again = table_of(wide(x * factor), margin=0.8 * factor)["p_value"].tolist()
        assert again == pytest.approx(p, rel=1e-12)


def test_both_tails_of_many_tied_ranks_are_close_to_the_exact_ones():
    d = np.round(20 * np.random.default_rng(1).normal(0.2, 1, 160))
    ranks = stats.rankdata(np.abs(d[d != 0]))
    above = float(ranks[d[d != 0] > 0].sum())
    total = float(ranks.sum())
    for v in (above, total - above):
        p, is_exact = signed_rank.upper(ranks, v)
        assert not is_exact
        assert p == pytest.approx(signed_rank.tails(ranks, v)[1], rel=2e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"margin": 0.0}, "margin"),
        ({"margin": (0.1, 0.2), "control": "A1"}, "margin"),
        ({"margin": 0.1, "kind": "non-inferiority"}, "control"),
        ({"margin": 0.1, "adjust": "bergmann-hommel"}, "bergmann-hommel"),
    ],
)
def test_what_cannot_be_tested_is_refused(options, words):
    with pytest.raises(pc.InputError, match=words):
        pc.signed_rank_margins(wide(RNG.normal(size=(8, 3))), **options)


def test_it_is_the_default_over_data_sets():
    scores = wide(RNG.normal(size=(12, 3)))
    [made] = pc.compare(
        scores, pc.Plan(blocks="datasets", margin=1.0, hypothesis="equivalence")
    ).analyses
    assert made.within_margin.table.equals(table_of(scores, margin=1.0))
    two = scores.select(algorithms=scores.algorithms[:2])
    [made] = pc.compare(
        two, pc.Plan(blocks="datasets", margin=1.0, hypothesis="equivalence")
    ).analyses
    own = table_of(two, margin=1.0)
    assert made.within_margin.table["p_value"][0] == own["p_value"][0]
    assert made.equivalence is None
    means = pc.Plan(
        blocks="datasets", margin=1.0, hypothesis="equivalence", compares="means"
    )
    [made] = pc.compare(scores, means).analyses
    assert made.within_margin.basis == "margins/t"
