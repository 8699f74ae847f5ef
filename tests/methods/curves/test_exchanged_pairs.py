"""Differences of areas without an estimated variance that are not 0."""

from __future__ import annotations

from functools import partial
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.data.measures.precision_recall import area_by
from pycompare.kernels import exchanges, resampled_curves
from pycompare.kernels.cumulative_counts import steps_of_rows
from pycompare.methods.curves.partial import areas_of
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

ILL = np.repeat([1, 0], 20)
SCORES = {"perfect": ILL * 1.0, "constant": np.zeros(40)}
EXCHANGED = "10,000 exchanges of the ranks"


def shares(label, scores, cluster=None) -> float:
    """Return the share of all exchanges whose areas differ as much."""
    ranks, n = rankdata(scores, axis=1), len(label)
    units = np.arange(n) if cluster is None else np.asarray(cluster)
    orders = np.array(list(permutations(range(len(ranks)))))
    every = list(product(range(len(orders)), repeat=len(set(units.tolist()))))
    permuted = ranks[orders[np.array(every)][:, units], np.arange(n)[:, None]]
    areas = pc.auc(label, np.moveaxis(permuted, 2, 1), positive=1)
    spread = np.var(areas, axis=1)
    return float(np.mean(spread >= spread[0] - 1e-9))


def near(p: float, share: float, resamples: int) -> bool:
    """Tell whether a drawn p-value is within five Monte Carlo errors of a share."""
    return (
        abs(p - share) <= 5 * np.sqrt(share * (1 - share) / resamples) + 1 / resamples
    )


def test_a_perfect_score_against_a_constant_one_is_tested_by_exchanges():
    found = pc.delong(ILL, SCORES, positive=1)
    pair = found.table.iloc[0]
    exchange = pc.auc_exchange(ILL, SCORES, positive=1)
    assert pair.estimate == 0.5 and pair.std_error == 0
    assert pair.p_value == pair.p_adjusted == found.omnibus.p_value == 1 / 10_001
    assert exchange.p_value == pair.p_value
    assert np.isnan([pair.statistic, pair.conf_low, pair.conf_high]).all()
    assert any(EXCHANGED in note and "constant" in note for note in found.notes)


def test_the_report_has_the_estimate_and_the_exchange_test(tmp_path):
    columns = {"case": np.arange(40), "label": ILL, "set": "one"}
    parts = [
        pd.DataFrame({**columns, "model": m, "score": s}) for m, s in SCORES.items()
    ]
    pd.concat(parts).to_csv(tmp_path / "p.csv", index=False)
    roles = ("algorithm=model", "block=set", "case=case", "label=label", "score=score")
    status, said, error = command(
        *("curves", tmp_path / "p.csv", *(f"--{role}" for role in roles)),
        *("--positive=1", "--out", tmp_path / "report"),
    )
    assert status == 0, error
    better = "perfect is significantly better than constant"
    assert f"{better} in AUC (difference 0.50, p < 0.001)" in said
    assert "the p-value is that of 10,000 exchanges of ranks" in said
    assert "can be tested" not in said


@pytest.mark.parametrize("cluster", [None, [0, 0, 1, 2, 3, 4, 4, 5]])
def test_exchanges_of_pairs_are_near_all_of_them(cluster):
    label = np.repeat([1, 0], 4)
    # Constant within each class, and all equal: areas of 1, 0 and one half.
    scores = {"perfect": label, "worst": -label, "constant": np.zeros(8)}
    found = pc.delong(label, scores, positive=1, cluster=cluster)
    given = np.array([*scores.values()], float)
    for at, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        share = shares(label, given[[i, j]], cluster)
        assert near(found.table["p_value"][at], share, 10_000)
    if cluster is not None:
        together = shares(label, given, cluster)
        assert near(found.omnibus.p_value, together, 10_000)
    assert found.omnibus.p_source == "permutation"


def test_random_scores_without_variance_are_tested():
    rng = np.random.default_rng(15)
    for _ in range(20):
        label = rng.permutation(np.repeat([1, 0], rng.integers(2, 5, 2)))
        shift = rng.choice([-1.0, 0.0, 1.0], 2, replace=False)
        scores = {"a": shift[0] * label, "b": shift[1] * label}
        found = pc.delong(label, scores, positive=1)
        share = shares(label, [*scores.values()])
        assert near(found.table["p_value"][0], share, 10_000)
        assert found.table["estimate"][0] == (shift[0] - shift[1]) / 2


def test_pairs_with_a_variance_keep_their_z_beside_those_without():
    label, rng = ILL, np.random.default_rng(1)
    other = {"other": rng.normal(size=40) + label}
    found = pc.delong(label, SCORES | other, positive=1)
    alone = pc.delong(label, {"perfect": SCORES["perfect"]} | other, positive=1)
    assert found.table["p_value"][1] == alone.table["p_value"][0]
    assert list(found.exchanged) == [("perfect", "constant")]
    assert not alone.exchanged
    # R gets what was drawn, and no test of all.
    assert found.r_call().arguments["drawn_p"][0] == 1 / 10_001
    assert "omnibus_p_value" not in found.r_values()


def test_more_cases_have_fewer_exchanges_and_too_many_none():
    for n, resamples in ((1_002, 999), (20_002, 0)):
        label = np.arange(n) % 2
        found = pc.delong(label, {"a": label, "b": np.zeros(n)}, positive=1)
        p = found.table["p_value"][0]
        assert p == 1 / 1_000 if resamples else np.isnan(p)
        told = f"{resamples:,} exchanges" if resamples else "test these with auc_exch"
        assert any(told in note for note in found.notes)


def test_other_areas_without_variance_are_exchanged_as_often_as_they_are_resampled():
    part = {"low": 0.0, "high": 0.2}
    for found in (
        pc.partial_auc_pairs(ILL, SCORES, positive=1, **part, resamples=199),
        pc.auc_pr_pairs(ILL, SCORES, positive=1, resamples=199),
    ):
        assert found.table["std_error"][0] == 0 < found.table["estimate"][0]
        assert found.table["p_value"][0] == 1 / 200
        assert any("199 exchanges" in note for note in found.notes)


def test_measures_of_exchanged_ranks_are_those_of_the_scores():
    rng = np.random.default_rng(3)
    step, _ = area_by("average-precision")
    for _ in range(20):
        label = np.r_[True, False, rng.random(rng.integers(2, 30)) < 0.4]
        scores = rng.integers(0, 8, (2, len(label))) + 2 * label
        ranks = rankdata(scores, axis=1)
        curves = [pc.roc_curve(label, s, positive=True) for s in scores]
        precise = [
            pc.auc_pr(label, s, positive=True, method="average-precision").estimate
            for s in scores
        ]
        part = partial(areas_of, low=0.1, high=0.4, axis="fpr", mcclish=False)
        for measure, wanted in (
            (resampled_curves.areas, [curve.auc for curve in curves]),
            (part, [curve.partial_auc(0.1, 0.4) for curve in curves]),
            (lambda fp, tp: step(steps_of_rows(fp, tp)), precise),
        ):
            found = exchanges.measured(label, measure)(ranks)
            assert_digits(found, wanted, at_least=13)
    by_counts = exchanges.measured(label, resampled_curves.areas)
    p = [
        exchanges.drawn_p(ranks, of, np.random.default_rng(0), 500)
        for of in (by_counts, exchanges.wins(label))
    ]
    assert p[0] == p[1]


def test_hanley_and_mcneil_of_areas_of_one_and_zero():
    data = {"a": ILL, "b": -ILL}
    for alternative in ("two-sided", "less"):
        how = {"positive": 1, "alternative": alternative}
        found = pc.hanley_mcneil(ILL, data, r=0.3, **how)
        assert found.estimate == 1
        assert found.p_value == pc.auc_exchange(ILL, data, **how).p_value
        assert EXCHANGED in found.notes[0] and found.r_call() is None


def test_areas_of_different_cases_stay_estimates():
    found = pc.delong_unpaired(ILL, ILL, ILL, np.zeros(40), positive=1)
    assert np.isnan(found.p_value)
    assert (
        "difference of 0.5 is an estimate without interval and test" in found.notes[0]
    )
