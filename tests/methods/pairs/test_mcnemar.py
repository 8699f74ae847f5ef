import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial
from tests.conftest import golden, golden_names, wide


@pytest.mark.parametrize("name", golden_names("cochran_"))
def test_agrees_with_r(name):
    case = golden(name)
    scores = wide(case["input"]["B"])
    outputs = {key: entry["value"] for key, entry in case["outputs"].items()}
    for place, (i, j) in enumerate(outputs["pairs"]):
        pair = (f"A{i}", f"A{j}")
        exact = pc.mcnemar(scores, algorithms=pair)
        expected = outputs["mcnemar_exact_binom"][place]
        assert_digits(exact.p_value, expected, at_least=12)
        for form, entry in (
            ("chi2", "mcnemar_chi2_nocorrect"),
            ("chi2-corrected", "mcnemar_chi2_correct"),
        ):
            found = pc.mcnemar(scores, algorithms=pair, p_value=form)
            stored = outputs[entry][place]
            statistic = stored["statistic"]["McNemar's chi-squared"]
            assert_digits(found.statistic, statistic, at_least=14)
            assert_digits(found.p_value, stored["p.value"], at_least=12)


def test_performance_of_the_prime_minister():
    # Agresti (1990), 350, on R's help page of mcnemar.test: 150 and 86 changed.
    found = pc.mcnemar([150, 86], p_value="chi2-corrected")
    assert round(found.statistic, 3) == 16.818
    assert f"{found.p_value:.3e}" == "4.115e-05"


def test_published_mid_p():
    # Fagerland, Lydersen and Laake (2013), airway example: 1 and 7 discordant pairs.
    assert round(pc.mcnemar([1, 7], p_value="mid-p").p_value, 3) == 0.039
    assert round(pc.mcnemar([1, 7]).p_value, 3) == 0.070
    assert round(pc.mcnemar([1, 7], p_value="chi2").p_value, 3) == 0.034


def test_mid_p_from_single_probabilities():
    for b, c in ((0, 5), (3, 9), (6, 6), (40, 2)):
        n = b + c
        p = [math.comb(n, i) / 2**n for i in range(n + 1)]
        lower, upper = (sum(p[:b]) + p[b] / 2), (sum(p[b + 1 :]) + p[b] / 2)
        for alternative, expected in (
            ("less", lower),
            ("greater", upper),
            ("two-sided", min(1, 2 * min(lower, upper))),
        ):
            found = pc.mcnemar([b, c], p_value="mid-p", alternative=alternative)
            assert_digits(found.p_value, expected, at_least=13)


def test_exact_is_the_sign_test_whatever_the_direction_of_the_metric():
    x = np.random.default_rng(2).integers(0, 2, (40, 2)).astype(float)
    sign = pc.sign_test(wide(x), alternative="greater")
    for better in ("higher", "lower"):
        found = pc.mcnemar(wide(x, better), alternative="greater")
        assert (found.only_1, found.only_2) == (sign.positive, sign.negative)
        assert found.p_value == sign.p_value and found.estimate == sign.estimate
        assert (found.conf_low, found.conf_high) == (sign.conf_low, sign.conf_high)


def test_scores_columns_and_counts_are_the_same_data():
    x = np.random.default_rng(3).integers(0, 2, (30, 2)).astype(float)
    one, two = pc.mcnemar(wide(x)), pc.mcnemar(x.astype(bool))
    three = pc.mcnemar((one.only_1, one.only_2))
    assert one.p_value == two.p_value == three.p_value
    assert (one.n_cases, two.n_cases, three.n_cases) == (30, 30, None)


def test_algorithms_that_always_agree_cannot_be_tested():
    found = pc.mcnemar([[1, 1], [0, 0], [1, 1]])
    assert math.isnan(found.p_value) and math.isnan(found.conf_low)
    assert "agree on every case" in found.notes[0]


def test_equal_counts_have_no_continuity_correction():
    found = pc.mcnemar([4, 4], p_value="chi2-corrected")
    assert found.statistic == 0 and found.p_value == 1


@pytest.mark.parametrize(
    "data, options, message",
    [
        ([[0, 1], [1, 2], [0, 0]], {}, "first case 2"),
        ([[0.5, 1], [1, 2]], {}, "a 2 x 2 table of whole numbers"),
        ([[3, -1], [1, 2]], {}, "a 2 x 2 table of whole numbers"),
        ([[3, np.nan], [1, 2]], {}, "a 2 x 2 table of whole numbers"),
        (wide([[0, 1], [0, -1]], "lower"), {}, "first case 2"),
        ([3, 2.5], {}, "whole numbers"),
        ([3, -1], {}, "whole numbers"),
        ([3, np.nan], {}, "whole numbers"),
        ([1, 2, 3], {}, "two discordant counts"),
        (["a", "b"], {}, "expected numbers, got 'a'"),
        ([True, True], {}, "expected numbers, got True"),
        ([3, 2], {"p_value": "midp"}, "choose one of 'exact', 'mid-p'"),
        ([3, 2], {"p_value": "chi2", "alternative": "less"}, "is two-sided"),
        ([3, 2], {"alternative": "more"}, "alternative='more'"),
        ([3, 2], {"metric": "error"}, "are for Scores"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(data, options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.mcnemar(data, **options)


def test_mid_p_counts_half_of_what_was_observed():
    """Also where all discordant cases are on one side."""
    for one, other in ((5, 0), (0, 5), (4, 1), (3, 3)):
        n = one + other
        chance = [math.comb(n, i) / 2**n for i in range(n + 1)]
        lower = sum(chance[:one]) + chance[one] / 2
        upper = sum(chance[one + 1 :]) + chance[one] / 2
        expected = {
            "less": lower,
            "greater": upper,
            "two-sided": min(1.0, 2 * min(lower, upper)),
        }
        for side, p in expected.items():
            assert_digits(binomial.mid_p(one, other, side), p, at_least=12)


@pytest.mark.parametrize(
    ("p_value", "end"),
    [
        ("exact", "exact"),
        ("mid-p", "mid-p"),
        ("chi2", "chi-squared"),
        ("chi2-corrected", "chi-squared with continuity correction"),
    ],
)
def test_each_form_has_its_name(p_value, end):
    name = pc.mcnemar([3, 12], p_value=p_value).name
    assert name.startswith("McNemar's test, ") and name.endswith(f", {end}")


def test_cases_in_clusters_are_refused():
    right = pd.DataFrame({"A": [1, 1, 0, 1], "B": [0, 1, 0, 0]})
    scores = pc.Scores.from_wide(right, metric="accuracy", better="higher")
    clustered = dataclasses.replace(scores, clusters=("x", "x", "y", "y"))
    with pytest.raises(pc.DesignError, match="cluster_pairs or max_t"):
        pc.mcnemar(clustered)


def of_cases(table) -> np.ndarray:
    """Return a row for each case of a 2 x 2 table with 1 before 0."""
    return np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], np.ravel(table), axis=0)


def labelled(table) -> list:
    """Return frames of a table, labelled in both orders, and not."""
    one, other = of_cases(table).T
    in_order = {"index": [1, 0], "columns": [1, 0]}
    return [
        pd.crosstab(one, other),
        pd.crosstab(one == 1, other == 1),
        pd.DataFrame(table, **in_order),
        pd.DataFrame(table),
    ]


def test_a_two_by_two_table_is_its_discordant_counts():
    # R: binom.test(6, 22) and mcnemar.test(table, correct = FALSE).
    table = [[59, 6], [16, 80]]
    for given in (table, np.array(table), *labelled(table)):
        found = pc.mcnemar(given)
        assert_digits(found.p_value, 0.0524787902832031, at_least=14)
        assert (found.only_1, found.only_2, found.n_cases) == (6, 16, 161)
        assert "2 x 2 table of counts: 6 cases with 1 by algorithm_1" in found.notes[0]
    assert round(pc.mcnemar(table, p_value="chi2").statistic, 4) == 4.5455


def test_a_table_is_its_cases():
    rng = np.random.default_rng(24)
    for _ in range(20):
        table = rng.integers(1, [[9, 2], [12, 30]], (2, 2)) * rng.integers(2, 4)
        cases = pc.mcnemar(of_cases(table), alternative="less")
        for given in (table, *labelled(table)):
            found = pc.mcnemar(given, alternative="less")
            counts = (found.only_1, found.only_2, found.n_cases)
            assert counts == (cases.only_1, cases.only_2, cases.n_cases)
            assert found.p_value == cases.p_value


@pytest.mark.parametrize("cells", [[[1, 1], [0, 1]], [[True, True], [False, True]]])
def test_two_by_two_zeros_and_ones_are_two_cases(cells):
    found = pc.mcnemar(cells)
    assert (found.only_1, found.only_2, found.n_cases) == (0, 1, 2)
    assert "read as two cases" in found.notes[0]
    # What the note advises.
    assert pc.mcnemar([1, 0]).n_cases is None
