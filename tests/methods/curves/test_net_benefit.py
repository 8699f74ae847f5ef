"""Net benefit at thresholds, and tests of its differences."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.results.guarantees import MEASURED


def risks(n=120, k=2, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    label = rng.random(n) < 1 / (1 + np.exp(-x))
    noise = rng.normal(size=(n, k)) * np.arange(k)
    return label, {f"m{j}": 1 / (1 + np.exp(-x - noise[:, j])) for j in range(k)}


def test_net_benefit_is_counted():
    label, scores = risks()
    found = pc.net_benefit(label, scores, positive=True, threshold=0.25)
    treated = scores["m1"] >= 0.25
    n = len(label)
    tp, fp = (treated & label).sum() / n, (treated & ~label).sum() / n
    curves = found.curves.set_index("algorithm")["net_benefit"]
    assert_digits(curves["m1"], tp - fp / 3, at_least=13)
    assert_digits(curves["treat all"], label.mean() - (~label).mean() / 3, at_least=13)
    assert curves["treat none"] == 0


def test_a_difference_has_the_paired_t_test_of_the_cases():
    label, scores = risks()
    found = pc.net_benefit(label, scores, positive=True, threshold=0.4).table.iloc[0]
    worth = np.where(label, 1.0, -0.4 / 0.6)
    one, two = (worth * (scores[name] >= 0.4) for name in ("m0", "m1"))
    t = stats.ttest_rel(one, two)
    assert_digits(found["statistic"], t.statistic, at_least=11)
    assert_digits(found["p_value"], t.pvalue, at_least=10)
    low, high = t.confidence_interval(0.95)
    assert_digits([found["conf_low"], found["conf_high"]], [low, high], at_least=10)


def test_at_one_half_it_is_the_difference_of_accuracies():
    label, scores = risks(seed=3)
    found = pc.net_benefit(label, scores, positive=True, threshold=0.5).table.iloc[0]
    right = [((s >= 0.5) == label).mean() for s in scores.values()]
    assert_digits(found["estimate"], right[0] - right[1], at_least=12)


def test_the_family_is_all_thresholds_and_pairs():
    label, scores = risks(k=3)
    found = pc.net_benefit(label, scores, positive=True, threshold=[0.5, 0.2])
    assert found.family == "9 pairs at 2 thresholds"
    assert list(found.table["threshold"].unique()) == [0.2, 0.5]
    wanted = pc.adjust(found.table["p_value"].to_numpy(), "holm")
    assert_digits(found.table["p_adjusted"], wanted, at_least=14)


def test_order_of_cases_and_models_changes_no_number():
    label, scores = risks()
    at = np.random.default_rng(5).permutation(len(label))
    moved = {name: scores[name][at] for name in ("m1", "m0")}
    one = pc.net_benefit(label, scores, positive=True, threshold=0.3).table.iloc[0]
    two = pc.net_benefit(label[at], moved, positive=True, threshold=0.3).table.iloc[0]
    assert_digits(two["estimate"], -one["estimate"], at_least=11)
    assert_digits(two["p_value"], one["p_value"], at_least=10)


def test_one_model_is_compared_with_the_rules():
    label, scores = risks()
    found = pc.net_benefit(label, scores["m0"], positive=True, threshold=0.3)
    assert list(found.table["algorithm_2"]) == ["treat all", "treat none"]


def test_rules_that_decide_alike_have_no_test():
    label, scores = risks()
    copy = {**scores, "m1": scores["m0"]}
    found = pc.net_benefit(label, copy, positive=True, threshold=0.3)
    assert np.isnan(found.table["p_value"].iloc[0])
    assert found.notes == (
        "m0 and m1 at threshold 0.3 decide every case alike: there is no test, and p "
        "= 1 in the adjustment",
    )


def test_tests_that_rest_on_few_positive_cases_are_noted():
    """With 2.6 such cases in the mean, 8% of true hypotheses were rejected."""
    label = np.r_[np.ones(6), np.zeros(94)]
    score = np.where(np.arange(100) % 2, 0.2, 0.01)
    few = pc.net_benefit(label, score, positive=1, threshold=0.05)
    name = few.table["algorithm_1"][0]
    assert f"'{name} and treat all at 0.05'" in few.notes[0]
    assert f"'{name} and treat none at 0.05'" in few.notes[0]
    assert MEASURED["net_benefit, few cases"].text in few.notes[0]
    many = [np.tile(x, 10) for x in (label, score)]
    assert pc.net_benefit(many[0], many[1], positive=1, threshold=0.05).notes == ()


@pytest.mark.parametrize(
    ("scores", "change", "message"),
    [
        ({"a": [0.1, 1.2], "b": [0, 1]}, {}, "scores of 'a': case 2 has 1.2"),
        ({"a": [0.1, 1], "treat all": [0, 1]}, {}, "rename it"),
        ({"a": [0.1, 1], "b": [0, 1]}, {"threshold": 1}, "threshold: 1.0 given"),
        ({"a": [0.1, 1], "b": [0, 1]}, {"threshold": []}, "threshold: none given"),
        ({"a": [0.1, 1], "b": [0, 1]}, {"threshold": [0.1, 0.1]}, "given twice"),
        ({"a": [0.1, 1], "b": [0, 1]}, {"adjust": "shaffer"}, "not transitive"),
    ],
)
def test_what_cannot_be_used_is_named(scores, change, message):
    options = {"positive": 1, "threshold": 0.3, **change}
    with pytest.raises(pc.InputError, match=message):
        pc.net_benefit([1, 0], scores, **options)
