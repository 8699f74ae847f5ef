"""Two algorithms over data sets of which most tie."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.methods.orders.dominance import dominance_order
from pycompare.methods.pairs.wilcoxon import OPPOSED

N = 30


def mostly_ties(second_better: int, n: int = N) -> pc.Scores:
    """Two folds a data set; the two differ on six data sets only."""
    values = np.repeat(np.arange(2.0 * n)[:, None], 2, axis=1)
    for i in range(6):
        values[2 * i : 2 * i + 2, 1] += (i + 1) * second_better
    owners = tuple(f"d{i // 2}" for i in range(2 * n))
    return pc.Scores(
        values[:, :, None],
        tuple(f"{owner}/{i}" for i, owner in enumerate(owners)),
        ("one", "other"),
        (pc.Metric("accuracy", "higher"),),
        owners,
    )


@pytest.mark.parametrize(("sign", "best"), [(1, "other"), (-1, "one")])
def test_a_typical_difference_of_zero_is_not_significant_but_ranks_favour(sign, best):
    found = pc.compare(mostly_ties(sign))
    [analysis] = found.analyses
    [made] = analysis.decisions
    test = analysis.planned.test
    assert test.estimate == 0 and test.p_value == 1 and OPPOSED in test.notes
    assert made.p_adjusted == 1 and not made.rejected and made.better == best
    assert "do not differ significantly (" in found.summary()
    order = dominance_order(analysis.planned.decisive)
    assert order.edges == ()


def test_more_data_sets_than_have_an_estimate_are_decided_by_ranks():
    values = np.repeat(np.arange(1001.0)[:, None], 2, axis=1)
    values[:6, 1] += 1
    names = ("one", "other"), (pc.Metric("accuracy", "higher"),)
    table = pc.Scores(values[:, :, None], tuple(map(str, range(1001))), *names)
    [analysis] = pc.compare(table, pc.Plan(blocks="datasets")).analyses
    [made] = analysis.decisions
    assert np.isnan(analysis.test.estimate)
    assert made.rejected and made.better == "other"


def test_scores_beyond_what_can_be_squared_are_compared_all_the_same():
    small = mostly_ties(1)
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(*small.values.shape[:2], 1))
    large, usual = (
        pc.compare(
            pc.Scores(
                noise * scale,
                small.blocks,
                small.algorithms,
                small.metrics,
                small.datasets,
            ),
            pc.Plan(protocol="held-out"),
        ).analyses[0]
        for scale in (2.0**1000, 1.0)
    )
    assert large.interaction.p_value == pytest.approx(usual.interaction.p_value)
    assert large.interaction.sum_sq == np.inf
    assert large.decisions[0].p_adjusted == usual.decisions[0].p_adjusted
