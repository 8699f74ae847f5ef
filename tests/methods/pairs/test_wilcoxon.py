import itertools
import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from pycompare.kernels import signed_rank
from tests.conftest import golden, golden_names, wide
from tests.methods.pairs.test_ttest import of_differences

# Hollander and Wolfe's depression scores, as on R's help page of wilcox.test.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
EXACT = {
    "wilcox_exactRankTests": {},
    "coin_wilcoxon_exact": {},
    "coin_pratt_exact": {"zeros": "pratt"},
}
NORMAL = {
    "wilcox_normal_cc": {"p_value": "normal-corrected"},
    "wilcox_normal_nocc": {"p_value": "normal"},
    "wilcox_nocc_less": {"p_value": "normal", "alternative": "less"},
    "coin_wilcoxon_asym": {"p_value": "normal"},
    "coin_pratt_asym": {"p_value": "normal", "zeros": "pratt"},
}


def stored(entry):
    value = entry["value"]
    if not isinstance(value, dict):
        return value
    return value["p.value"] if "p.value" in value else value["p"]


@pytest.mark.parametrize("name", golden_names("paired_"))
def test_p_values_agree_with_r(name):
    case = golden(name)
    scores = of_differences(case["input"]["d"])
    for entry, options in (EXACT | NORMAL).items():
        found = pc.wilcoxon(scores, **options)
        expected = stored(case["outputs"][entry])
        # coin has absolute accuracy: its tails are 1 - cdf.
        floor = 1e-3 if entry.startswith("coin") else 0.0
        assert lre(found.p_value, expected, floor=floor) >= 12, entry


@pytest.mark.parametrize("name", ["paired_continuous_n12", "paired_continuous_n49"])
def test_exact_test_and_interval_without_ties_are_those_of_wilcox_test(name):
    case = golden(name)
    scores = of_differences(case["input"]["d"])
    found = pc.wilcoxon(scores)
    expected = case["outputs"]["wilcox_exact"]["value"]
    assert found.statistic == expected["statistic"]["V"]
    assert_digits(found.p_value, expected["p.value"], at_least=12)
    greater = case["outputs"]["wilcox_exact_greater"]["value"]["p.value"]
    one_sided = pc.wilcoxon(scores, alternative="greater")
    assert_digits(one_sided.p_value, greater, at_least=12)
    bounds = case["outputs"]["wilcox_hodges_lehmann"]["value"]
    assert_digits(found.estimate, bounds["estimate"]["(pseudo)median"], at_least=13)
    interval = [found.conf_low, found.conf_high]
    assert_digits(interval, bounds["conf.int"], at_least=13)


def test_the_published_depression_scores():
    scores = wide(np.transpose([BEFORE, AFTER]))
    found = pc.wilcoxon(scores, alternative="greater")
    # Hollander and Wolfe (1973), 29 f.: T+ = 40, p = 0.0195; estimate 0.46.
    assert found.statistic == 40 and round(found.p_value, 5) == 0.01953
    assert found.estimate == pytest.approx(0.46, abs=1e-12)


def by_listing(ranks, v):
    """Both tails by listing all signs."""
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    return np.mean(np.array(sums) <= v), np.mean(np.array(sums) >= v)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
@pytest.mark.parametrize("seed", range(8))
def test_exact_p_counts_all_signs_whatever_ties_and_zeros(seed, zeros):
    d = np.random.default_rng(seed).integers(-3, 5, 9).astype(float)
    size = np.abs(d) if zeros == "pratt" else np.abs(d[d != 0])
    ranks = np.array([np.sum(size < s) + (np.sum(size == s) + 1) / 2 for s in size])
    signs = np.sign(d if zeros == "pratt" else d[d != 0])
    lower, upper = by_listing(ranks[signs != 0], ranks[signs > 0].sum())
    for alternative, p in (
        ("less", lower),
        ("greater", upper),
        ("two-sided", min(1, 2 * min(lower, upper))),
    ):
        found = pc.wilcoxon(of_differences(d), zeros=zeros, alternative=alternative)
        assert_digits(found.p_value, p, at_least=14)


def test_rounding_splits_no_tie_and_makes_no_sign():
    clean = wide(np.array([[3, 1], [5, 3], [4, 4], [9, 1], [2, 4]], float))
    noisy = wide([[0.3, 0.1], [0.5, 0.3], [0.1 * 4, 0.4], [0.9, 0.1], [0.2, 0.4]])
    one, other = pc.wilcoxon(clean), pc.wilcoxon(noisy)
    assert other.n_used == 4 and one.p_value == other.p_value
    assert one.statistic == other.statistic == 8


def test_equal_algorithms_cannot_be_tested():
    found = pc.wilcoxon(wide([[0.3, 0.1 + 0.2], [0.5, 0.5], [0.7, 0.7]]))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert math.isnan(found.rank_biserial) and "can be tested" in found.notes[0]


def test_exchanging_the_algorithms_mirrors_everything():
    x = np.random.default_rng(4).integers(0, 6, (12, 2)).astype(float)
    one = pc.wilcoxon(wide(x), alternative="less")
    other = pc.wilcoxon(wide(x), algorithms=("A2", "A1"), alternative="greater")
    assert one.p_value == other.p_value and one.estimate == -other.estimate
    assert one.conf_high == -other.conf_low
    assert one.rank_biserial == pytest.approx(-other.rank_biserial, rel=1e-14)


def test_interval_excludes_zero_just_when_the_test_rejects():
    rng = np.random.default_rng(6)
    for _ in range(40):
        found = pc.wilcoxon(wide(rng.normal([1, 0], size=(9, 2))))
        inside = found.conf_low <= 0 <= found.conf_high
        assert inside == (found.p_value > 0.05)


def test_too_few_blocks_for_the_level_are_noted():
    found = pc.wilcoxon(of_differences([1.0, 2.0, 4.0]))
    assert found.achieved_level == 0.75 and "too few" in found.notes[0]
    assert found.rank_biserial == 1 and found.p_value == 0.25


def test_many_blocks_need_the_normal_approximation():
    d = np.random.default_rng(9).normal(0.1, size=1001)
    with pytest.raises(pc.DesignError, match="choose p_value='normal'"):
        pc.wilcoxon(of_differences(d))
    found = pc.wilcoxon(of_differences(d), p_value="normal")
    assert 0 < found.p_value < 1 and math.isnan(found.estimate)
    assert "up to 1000" in found.notes[0]


def test_the_distribution_sums_to_one_and_keeps_its_smallest_term():
    p, unit = signed_rank.null_distribution(np.arange(1.0, 301))
    assert unit == 1 and p[0] == 2.0**-300
    assert_digits(p.sum(), 1.0, at_least=12)
    assert_digits(p, p[::-1], at_least=11)


def test_unknown_words_are_refused():
    scores = of_differences([1.0, 2.0])
    with pytest.raises(pc.InputError, match="'wilcox' or 'pratt'"):
        pc.wilcoxon(scores, zeros="zsplit")
    with pytest.raises(pc.InputError, match="'exact', 'normal'"):
        pc.wilcoxon(scores, p_value="approx")


def test_r_is_asked_for_the_p_value_that_was_made():
    x = np.random.default_rng(0).normal(size=(6, 2))
    for p_value in ("exact", "normal"):
        found = pc.wilcoxon(wide(x), p_value=p_value)
        assert found.r_call().arguments["p_value"] == found.p_source == p_value
    tied = pc.wilcoxon(wide(np.full((4, 2), 0.5)))
    assert tied.p_source == "none" and tied.r_call().arguments["p_value"] == "exact"
