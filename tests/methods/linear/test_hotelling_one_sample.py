"""One-sample T2: identities, golden numbers, refusals."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from validation.checks.manova import several

SCORES = pc.example("folds")
TARGET = {"error": 0.16, "auc": 0.92}


def one_sample(means=TARGET, algorithm="QDA", scores=SCORES, **options):
    return pc.hotelling_one_sample(scores, algorithm=algorithm, means=means, **options)


def test_it_is_the_quadratic_form():
    y = np.stack([SCORES.column(n)[:, SCORES.algorithms.index("QDA")] for n in TARGET])
    d = y.mean(axis=1) - np.array(list(TARGET.values()))
    n = y.shape[1]
    t2 = n * d @ np.linalg.solve(np.cov(y), d)
    made = one_sample()
    assert_digits(made.t2, t2, at_least=10)
    p = stats.f.sf((n - 2) / 2 / (n - 1) * t2, 2, n - 2)
    assert_digits(made.p_value, p, at_least=9)
    assert made.algorithm_2 == "given means" and made.method == "one-sample"


def test_one_metric_is_the_t_test_of_one_sample():
    y = SCORES.column("error")[:, SCORES.algorithms.index("LDA")]
    t, p = stats.ttest_1samp(y, 0.2)
    made = one_sample({"error": 0.2}, "LDA")
    assert_digits(made.t2, t**2, at_least=11)
    assert_digits(made.p_value, p, at_least=9)


def test_the_given_means_of_another_algorithm_leave_out_its_variation():
    means = {
        n: float(SCORES.column(n)[:, SCORES.algorithms.index("LDA")].mean())
        for n in TARGET
    }
    paired = pc.hotelling(SCORES, algorithms=("QDA", "LDA"))
    made = one_sample(means)
    assert_digits(made.table["estimate"], paired.table["estimate"], at_least=11)
    assert made.p_value != pytest.approx(paired.p_value, rel=1e-3)


def test_units_and_an_algorithm_of_that_name_change_nothing():
    scores = several(12, 3, 2, 5)
    names = [m.name for m in scores.metrics]
    wanted = one_sample(dict.fromkeys(names, 0.1), scores.algorithms[0], scores)
    renamed = pc.Scores(
        values=scores.values * 1e6,
        blocks=scores.blocks,
        algorithms=("given means", *scores.algorithms[1:]),
        metrics=scores.metrics,
    )
    found = one_sample(dict.fromkeys(names, 1e5), "given means", renamed)
    assert_digits(found.statistic, wanted.statistic, at_least=9)
    assert found.algorithm_2 == "given means (hypothesis)"


@pytest.mark.parametrize(
    ("means", "algorithm", "said"),
    [
        ({}, "QDA", "give the mean of each metric"),
        ([0.1], "QDA", "give the mean of each metric"),
        ({"error": np.nan}, "QDA", "no finite number"),
        ({"error": True}, "QDA", "no finite number"),
        ({"eror": 0.1}, "QDA", "no metric|there is no"),
        ({"error": 0.1}, "QDAA", "there is no 'QDAA'; did you mean 'QDA'"),
    ],
)
def test_what_cannot_be_tested_is_refused(means, algorithm, said):
    with pytest.raises(pc.InputError, match=said):
        one_sample(means, algorithm)


def test_r_code_is_that_of_the_paired_test():
    assert "hotelling_reference" in one_sample().r_code()
