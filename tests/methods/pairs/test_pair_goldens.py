"""All pairs of the tables of ranks against R: t, corrected t, sign, Wilcoxon."""

from itertools import combinations

import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from tests.conftest import golden, golden_matrix, golden_names

# Printed decimals: R splits ties of their differences by rounding.
DECIMALS = ("ranks_gh2008", "ranks_demsar2006")
WILCOXON = {
    "pair_wilcox_normal_nocc": {"p_value": "normal"},
    "pair_wilcox_normal_cc": {"p_value": "normal-corrected"},
    "pair_wilcox_exact_ties_exactRankTests": {},
    "pair_wilcox_coin_wilcoxon_exact": {},
    "pair_wilcox_coin_pratt": {"zeros": "pratt", "p_value": "normal"},
    "pair_wilcox_coin_pratt_exact": {"zeros": "pratt"},
}


def pairs_of(case):
    scores = pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )
    return scores, list(combinations(scores.algorithms, 2))


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_paired_t_of_all_pairs(name):
    case = golden(name)
    scores, pairs = pairs_of(case)
    stored = case["outputs"]["pair_t"]["value"]
    for pair, expected in zip(pairs, stored, strict=True):
        found = pc.paired_t(scores, algorithms=pair)
        assert_digits(found.statistic, expected["statistic"]["t"], at_least=12)
        assert_digits(found.p_value, expected["p.value"], at_least=11)
        interval = [found.conf_low, found.conf_high]
        assert_digits(interval, expected["conf.int"], at_least=11)


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_corrected_t_of_all_pairs_is_that_of_scmamp(name):
    case = golden(name)
    entry = case["outputs"]["pair_correlated_t_rho0.1_scmamp"]
    scores, pairs = pairs_of(case)
    for pair, expected in zip(pairs, entry["value"], strict=True):
        # Its correlation rho is the share of the test set: rho / (1 - rho) = 1/9.
        found = pc.paired_t(scores, algorithms=pair, n_train=9, n_test=1)
        assert_digits(found.statistic, expected["statistic"]["t"], at_least=12)
        # scmamp's tail is 1 - cdf.
        assert lre(found.p_value, expected["p.value"]["t"], floor=1e-3) >= 11


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_sign_test_of_all_pairs(name):
    case = golden(name)
    scores, pairs = pairs_of(case)
    for pair, expected in zip(
        pairs, case["outputs"]["pair_sign"]["value"], strict=True
    ):
        found = pc.sign_test(scores, algorithms=pair)
        counts = (found.positive, found.negative, found.n_ties)
        assert counts == (expected["plus"], expected["minus"], expected["zero"])
        assert_digits(found.p_value, expected["p"], at_least=12)
        interval = [found.conf_low, found.conf_high]
        assert_digits(interval, expected["conf.int"], at_least=11)


@pytest.mark.parametrize("entry", WILCOXON)
@pytest.mark.parametrize(
    "name", [n for n in golden_names("ranks_") if not n.startswith(DECIMALS)]
)
def test_wilcoxon_of_all_pairs(name, entry):
    case = golden(name)
    scores, pairs = pairs_of(case)
    stored = case["outputs"][entry]["value"]
    # coin and exactRankTests have absolute accuracy.
    floor = 1e-3 if "coin" in entry or "exactRank" in entry else 0.0
    for pair, expected in zip(pairs, stored, strict=True):
        found = pc.wilcoxon(scores, algorithms=pair, **WILCOXON[entry])
        p = expected["p.value"] if "p.value" in expected else expected["p"]
        assert lre(found.p_value, p, floor=floor) >= 11, (pair, found.p_value, p)


def test_printed_decimals_give_the_numbers_of_whole_ones(garcia_herrera):
    decimals = garcia_herrera.to_wide()
    whole = (decimals * 1000).round()
    assert_digits(whole / 1000, decimals, at_least=14)
    scores = pc.Scores.from_wide(whole, metric="thousandths", better="higher")
    for pair in combinations(scores.algorithms, 2):
        for zeros in ("wilcox", "pratt"):
            one = pc.wilcoxon(garcia_herrera, algorithms=pair, zeros=zeros)
            other = pc.wilcoxon(scores, algorithms=pair, zeros=zeros)
            assert one.statistic == other.statistic and one.p_value == other.p_value
