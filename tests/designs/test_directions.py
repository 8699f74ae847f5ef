"""Of two algorithms, too, a decision and its estimate are of one quantity."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.methods.pairs.wilcoxon import OPPOSED
from pycompare.reporting.comparison_report import report_of
from tests.conftest import plain
from tests.methods.over_datasets.many_folds import folds_of


def mostly_ties(sign: float = 1.0) -> np.ndarray:
    """18 of 24 differences are 0, the rest have one sign: p = 0.03, the median 0."""
    base = np.random.default_rng(3).normal(size=24).round(2)
    more = np.r_[np.zeros(18), 1 + np.arange(6) / 10]
    return np.stack([base + sign * more, base], axis=1)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_typical_difference_of_0_is_not_significant(better, sign):
    scores = plain(mostly_ties(sign), better)
    assert pc.wilcoxon(scores).p_value == 0.03125  # the published test
    found = pc.compare(scores, pc.Plan(blocks="datasets"))
    [decision] = found.analyses[0].decisions
    assert decision.p_adjusted == 1 and not decision.rejected
    text = found.summary()
    assert "do not differ significantly" in text and f"{OPPOSED[1:]}." in text
    pair = pc.signed_rank_pairs(scores).table  # as among three algorithms
    assert pair["p_value"].tolist() == [1.0]


def test_the_interval_of_two_agrees_with_their_test_and_is_that_of_pairs():
    """With ties the published interval may hold 0 although its test rejects it."""
    rng = np.random.default_rng(5)
    rejected = corrected = 0
    for run in range(60):
        n = int(rng.integers(6, 30))
        d = np.round(rng.normal(0.3, rng.choice([0.3, 1]), n), int(rng.integers(0, 2)))
        d[0] = 1
        base = rng.normal(size=n).round(1)
        scale = "ratio" if run % 3 == 0 else "difference"
        x = np.stack([base + d, base], axis=1)
        scores = plain(np.exp(x) if scale == "ratio" else x)
        found = pc.compare(scores, pc.Plan(blocks="datasets", scale=scale))
        test, null = found.analyses[0].test, float(scale == "ratio")
        assert (test.p_value <= 0.05) != (test.conf_low <= null <= test.conf_high)
        turned = scores.select(algorithms=[test.algorithm_1, test.algorithm_2])
        pair = pc.signed_rank_pairs(turned, scale=scale).table.iloc[0]
        limits = [test.conf_low, test.conf_high]
        assert limits == pair[["conf_low", "conf_high"]].tolist()
        assert test.p_value == pair["p_value"]
        published = pc.wilcoxon(scores, scale=scale)
        corrected += limits != [published.conf_low, published.conf_high]
        rejected += test.p_value <= 0.05
    assert rejected > 10 and corrected > 3


def test_nor_is_it_among_the_means_of_folds_of_data_sets():
    scores = folds_of([2] * 24, 2)
    values = np.repeat(mostly_ties(), 2, axis=0)[:, :, None]
    found = pc.compare(pc.Scores(**{**fields(scores), "values": values}))
    [decision] = found.analyses[0].decisions
    assert decision.p_adjusted == 1


def fields(scores: pc.Scores) -> dict:
    """Return what scores are made of."""
    names = ("blocks", "algorithms", "metrics", "datasets")
    return {name: getattr(scores, name) for name in names}


def test_a_significant_estimate_favours_whom_the_sentence_does():
    rng = np.random.default_rng(11)
    significant = 0
    for _ in range(60):
        n = int(rng.integers(6, 20))
        d = rng.standard_cauchy(n)
        few = rng.random(n) < 0.6
        d[few] = rng.choice([0.0, 0.1, -0.1], size=few.sum(), p=[0.6, 0.3, 0.1])
        scores = plain(np.stack([d, np.zeros(n)], axis=1))
        found = pc.compare(scores, pc.Plan(blocks="datasets", alpha=0.5))
        [fact] = report_of(found.only).outcome(found.analyses[0]).pairs
        significant += fact.significant
        assert not fact.significant or fact.ahead > 0
    assert significant > 20


PLANS = ({}, {"control": "A1"}, {"adjust": ("max-t",)}, {"p_values": "exact"})


def test_nor_does_an_estimate_over_cases_favour_the_other():
    rng = np.random.default_rng(7)
    kinds = set()
    for k in range(80):
        a, n = int(rng.integers(2, 5)), int(rng.integers(8, 40))
        x = rng.normal(size=(n, 1)) + rng.normal(size=a) / 2 + rng.normal(size=(n, a))
        more = PLANS[k % 4]
        if k % 3 or "p_values" in more:
            x = (x > 0).astype(float)
        if a == 2 and "adjust" in more:
            more = {}
        scores = plain(x, "lower" if k % 5 == 0 else "higher")
        found = pc.compare(scores, pc.Plan(blocks="cases", alpha=0.5, **more))
        for fact in report_of(found.only).outcome(found.analyses[0]).pairs:
            assert not fact.contradicted
            if fact.significant:
                kinds.add((found.analyses[0].decisive.method, fact.estimate_name))
                assert fact.ahead > 0
    assert len(kinds) > 4
