import json
import math
import warnings

import mpmath
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from tests.conftest import golden, golden_names
from tests.methods.linear.witness import manova_scores, several
from tests.methods.pairs.test_ttest import SLEEP

METHODS = ["paired", "two-sample", "two-sample-unequal"]
PAIRED = [
    name
    for name in golden_names("manova_")
    if "near_singular" not in name and not name.endswith(("rank2_full", "iris"))
]
# Aslan (2009), thesis, Tables 5.1/5.2 and 5.4/5.5: mean difference and pooled
# covariance of (TP, FP), 30 folds each; rejected at 0.05 / 10 (ten pairs) or not.
ASLAN = {
    "report, k-NN and Ripper": (
        (0.4531, 0.4558),
        ((0.2062, 0.1554), (0.1554, 0.1388)),
        True,
    ),
    "pageblock, C4.5 and Ripper": (
        (-0.1888, 0.0362),
        ((0.1074, 0.0395), (0.0395, 0.0399)),
        False,
    ),
}


def normal(b=12, p=3, seed=1, a=2, spread=0.5):
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(b, a, p)) @ rng.normal(size=(p, p))
    return mixed + rng.normal(size=(b, 1, p)) + spread * np.arange(a)[:, None]


def counts(b=20, seed=3, a=2):
    """TP, FP, TN, FN with 40 positives and 60 negatives in each fold."""
    rng = np.random.default_rng(seed)
    tp, fp = rng.integers(20, 40, (b, a)), rng.integers(5, 25, (b, a))
    return np.stack([tp, fp, 60 - fp, 40 - tp], axis=-1).astype(float)


def exact_t2(values, method):
    """T2 of the doubles in 60 digits."""
    b, _, p = values.shape
    with mpmath.workdps(60):
        y = [[[mpmath.mpf(float(v)) for v in row] for row in pair] for pair in values]
        one, two = ([pair[j] for pair in y] for j in (0, 1))
        if method == "paired":
            one = [
                [u - v for u, v in zip(r, s, strict=True)]
                for r, s in zip(one, two, strict=True)
            ]
            two = None
        mean, s = moments(one, p)
        if two is None:
            s = s / (b - 1) / b
        else:
            other, more = moments(two, p)
            mean, s = mean - other, (s + more) / (b - 1) / b
        return float((mean.T * mpmath.lu_solve(s, mean))[0])


def moments(rows, p):
    mean = mpmath.matrix(
        [mpmath.fsum(r[k] for r in rows) / len(rows) for k in range(p)]
    )
    rest = mpmath.matrix([[r[k] - mean[k] for k in range(p)] for r in rows])
    return mean, rest.T * rest


@pytest.mark.parametrize("name", PAIRED)
def test_paired_t2_agrees_with_r(name):
    case = golden(name)
    scores, _ = manova_scores(case)
    outputs = case["outputs"]
    entries = outputs["pairwise_hotelling_paired"]["value"]
    pairs = outputs["pairs"]["value"]
    pairs = [pairs] if isinstance(pairs[0], int) else pairs
    for (i, j), expected in zip(pairs, np.atleast_1d(entries), strict=True):
        two = [scores.algorithms[i - 1], scores.algorithms[j - 1]]
        got = pc.hotelling(scores, algorithms=two)
        assert_digits(got.statistic, expected["ICSNP_F"], at_least=11)
        assert_digits(got.t2, expected["T2"], at_least=11)
        assert got.df == tuple(expected["df"])
        # ICSNP computes 1 - pf.
        assert_digits(got.p_value, expected["manova_intercept_p"], at_least=10)
        mean = list(expected["mean"].values())
        assert_digits(got.table["estimate"], mean, at_least=11)


def test_two_sample_t2_agrees_with_r():
    case = golden("manova_iris")
    scores, _ = manova_scores(case)
    outputs = case["outputs"]
    entries = zip(
        outputs["pairs"]["value"],
        outputs["pairwise_hotelling_two_sample"]["value"],
        outputs["pairwise_hotelling_two_sample_unequal_cov"]["value"],
        strict=True,
    )
    for (i, j), equal, unequal in entries:
        two = [scores.algorithms[i - 1], scores.algorithms[j - 1]]
        got = pc.hotelling(scores, algorithms=two, method="two-sample")
        assert_digits(got.t2, equal["T2"], at_least=12)
        assert_digits(got.statistic, equal["ICSNP_F"], at_least=12)
        assert got.df == tuple(equal["df"])
        assert 0 < got.p_value < 1e-30
        got = pc.hotelling(scores, algorithms=two, method="two-sample-unequal")
        # Hotelling's df depend on the units of the metrics: see DIFFERENCES.md.
        assert_digits(got.t2, unequal["T2"], at_least=12)


@pytest.mark.parametrize("name", ASLAN)
def test_published_two_sample_decisions(name):
    mean, covariance, rejected = ASLAN[name]
    rng = np.random.default_rng(5)
    root = np.linalg.cholesky(np.array(covariance))
    samples = []
    for shift in (mean, (0.0, 0.0)):
        x = rng.normal(size=(30, 2))
        x -= x.mean(axis=0)
        x = x @ np.linalg.inv(np.linalg.cholesky(np.cov(x.T))).T
        samples.append(x @ root.T + shift)
    got = pc.hotelling(several(np.stack(samples, axis=1)), method="two-sample")
    d2 = np.array(mean) @ np.linalg.solve(np.array(covariance), mean)
    assert_digits(got.effect.estimate**2, d2, at_least=11)
    # Aslan (2009), eq. 4.84 with n1 = n2 = 30, n = 60, p = 2.
    assert_digits(got.statistic, 30 * 30 * 57 / (60 * 58 * 2) * d2, at_least=11)
    assert got.df == (2, 57)
    assert (10 * got.p_value <= 0.05) == rejected


@pytest.mark.parametrize("method", METHODS)
def test_one_metric_is_t_squared(method):
    y = normal(p=1)
    x = y[..., 0]
    expected = (
        stats.ttest_rel(*x.T)
        if method == "paired"
        else stats.ttest_ind(*x.T, equal_var=method == "two-sample")
    )
    got = pc.hotelling(several(y), method=method)
    assert_digits(got.t2, expected.statistic**2, at_least=13)
    assert_digits(got.p_value, expected.pvalue, at_least=12)
    assert_digits(got.df, (1.0, expected.df), at_least=13)
    interval = expected.confidence_interval(0.95)
    for kind in ("conf", "bonferroni"):
        assert_digits(got.table[f"{kind}_low"], [interval.low], at_least=12)
        assert_digits(got.table[f"{kind}_high"], [interval.high], at_least=12)


def test_one_metric_is_the_paired_t_of_this_package():
    scores = several(SLEEP[..., None])
    t, got = pc.paired_t(scores), pc.hotelling(scores)
    assert_digits(got.t2, t.statistic**2, at_least=14)
    assert_digits(got.p_value, t.p_value, at_least=13)
    assert_digits(got.effect.estimate, abs(t.effect.estimate), at_least=13)


def test_paired_t2_is_the_manova_of_two_algorithms():
    scores = several(normal())
    got, wilks = pc.hotelling(scores), pc.manova(scores).wilks
    assert wilks.exact
    assert_digits(got.statistic, wilks.f, at_least=13)
    assert_digits(got.p_value, wilks.p_value, at_least=12)
    assert_digits(1 / (1 + got.t2 / 11), wilks.statistic, at_least=13)


def test_two_sample_t2_is_the_one_way_manova_of_two_algorithms():
    scores = several(normal())
    got = pc.hotelling(scores, method="two-sample")
    wilks = pc.manova(scores, blocked=False).wilks
    assert_digits(got.statistic, wilks.f, at_least=13)
    assert_digits(got.p_value, wilks.p_value, at_least=12)


@pytest.mark.parametrize("method", METHODS)
def test_any_invertible_map_of_the_metrics_gives_the_same(method):
    y = normal()
    basis = np.array([[1, 1, 50], [0, -0.02, 3], [2, 0, 1.0]])
    expected = pc.hotelling(several(y), method=method)
    got = pc.hotelling(several(y @ basis), method=method)
    assert_digits(got.t2, expected.t2, at_least=10)
    assert_digits(got.df, expected.df, at_least=10)
    assert_digits(got.p_value, expected.p_value, at_least=10)
    # d'w is the same number, so w changes with the inverse.
    w = basis @ got.table["direction"].to_numpy()
    assert_digits(w, expected.table["direction"], at_least=9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e300])
def test_units_do_not_matter(method, unit):
    y = normal()
    units = np.array([1.0, unit, 1.0])
    expected = pc.hotelling(several(y), method=method)
    got = pc.hotelling(several(y * units), method=method)
    assert_digits(got.p_value, expected.p_value, at_least=12)
    table = got.table
    assert_digits(table["standardised"], expected.table["standardised"], at_least=11)
    assert_digits(table["conf_low"] / units, expected.table["conf_low"], at_least=12)


def test_t2_is_the_largest_t_squared_of_all_directions():
    y = normal(20)
    got = pc.hotelling(several(y))
    w = got.table["direction"].to_numpy()
    d = y[:, 0] - y[:, 1]

    def t2(direction):
        return stats.ttest_1samp(d @ direction, 0).statistic ** 2

    assert_digits(t2(w), got.t2, at_least=12)
    directions = np.random.default_rng(0).normal(size=(200, 3))
    assert max(map(t2, directions)) < got.t2
    s = np.cov(d.T)
    assert_digits(w, np.linalg.solve(s, d.mean(axis=0)), at_least=11)
    standardised = got.table["standardised"]
    assert_digits(standardised, w * np.sqrt(np.diag(s)), at_least=12)


@pytest.mark.parametrize("level", [0.9, 0.999])
def test_t2_intervals_reject_where_some_direction_does(level):
    y = normal(20)
    got = pc.hotelling(several(y), level=level)
    d = y[:, 0] - y[:, 1]
    w = got.table["direction"].to_numpy()
    # In the direction w the interval of T2 leaves 0 out exactly where F rejects.
    limit = 3 * 19 / 17 * stats.f.ppf(level, 3, 17)
    x = d @ w
    low = x.mean() - math.sqrt(limit / 20) * x.std(ddof=1)
    assert (low > 0) == got.rejected(1 - level)
    half = math.sqrt(limit / 20) * d.std(axis=0, ddof=1)
    assert_digits(got.table["conf_high"], d.mean(axis=0) + half, at_least=12)
    t = stats.t.isf((1 - level) / 6, 19) / math.sqrt(20) * d.std(axis=0, ddof=1)
    assert_digits(got.table["bonferroni_low"], d.mean(axis=0) - t, at_least=11)
    assert (got.table["bonferroni_low"] > got.table["conf_low"]).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_of_the_distance_inverts_the_noncentral_f(method):
    got = pc.hotelling(several(normal(20, spread=1.5)), method=method, level=0.9)
    v = 1 / 20 if method == "paired" else 2 / 20
    assert_digits(got.effect.estimate, math.sqrt(got.t2 * v), at_least=14)
    for limit, tail in ((got.effect.conf_low, 0.05), (got.effect.conf_high, 0.95)):
        at = stats.ncf.sf(got.statistic, *got.df, limit**2 / v)
        assert at == pytest.approx(tail, rel=1e-7)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("condition", [1e9, 1e11])
def test_ill_conditioned_covariances_keep_their_digits(method, condition):
    y = normal(30, 4, seed=4)
    noise = np.random.default_rng(5).normal(size=(30, 2)) / condition**0.5
    y[..., 3] = y[..., 0] - 2 * y[..., 1] + y[..., 2] + noise
    scores = several(y)
    got = pc.hotelling(scores, method=method)
    d = got.vectors.differences.residuals[0]
    assert np.linalg.cond(d.T @ d) > condition
    assert got.rank == 4
    assert_digits(got.t2, exact_t2(scores.values, method), at_least=13)
    # The inverse of a covariance matrix keeps half of them.
    d = y[:, 0] - y[:, 1]
    naive = 30 * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
    if method == "paired":
        assert lre(naive, exact_t2(scores.values, method)) < 10


@pytest.mark.parametrize("method", METHODS)
def test_dependent_counts_are_left_out_by_name(method):
    y = counts()
    got = pc.hotelling(several(y), method=method)
    assert got.rank == 2
    assert [d.text for d in got.dropped] == ["m2 = 60 - m1", "m3 = 40 - m0"]
    assert "m2 = 60 - m1; m3 = 40 - m0" in got.notes[0]
    for chosen in (["m0", "m1"], ["m2", "m3"], ["m3", "m1"]):
        less = pc.hotelling(several(y), metrics=chosen, method=method)
        assert_digits(got.t2, less.t2, at_least=12)
        assert_digits(got.df, less.df, at_least=12)
        assert_digits(got.p_value, less.p_value, at_least=11)
    assert list(got.table["direction"][2:]) == [0.0, 0.0]


def test_full_counts_of_the_golden_are_their_reduced_form():
    full, _ = manova_scores(golden("manova_confusion_rank2_full"))
    reduced = golden("manova_confusion_rank2_reduced_TN_FN")["outputs"]
    got = pc.hotelling(full, algorithms=full.algorithms[:2])
    expected = reduced["pairwise_hotelling_paired"]["value"][0]
    assert_digits(got.t2, expected["T2"], at_least=12)
    assert_digits(got.p_value, expected["p"], at_least=11)


def test_pingouin_takes_the_wrong_degrees_of_freedom_of_dependent_counts():
    import pingouin

    y = counts()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pingouin.multivariate_ttest(y[:, 0], y[:, 1], paired=True).iloc[0]
        less = pingouin.multivariate_ttest(y[:, 0, :2], y[:, 1, :2], paired=True).iloc[
            0
        ]
    got = pc.hotelling(several(y))
    assert theirs["df1"] == 4
    assert_digits(got.t2, theirs["T2"], at_least=9)
    p = next(name for name in ("p_val", "pval", "p_unc") if name in less.index)
    assert abs(theirs[p] / got.p_value - 1) > 0.05
    assert_digits(got.p_value, less[p], at_least=9)


def test_hotellings_df_of_two_covariances_depend_on_units_and_ours_do_not():
    y = normal(15, 2, seed=8)
    y[:, 0] *= 3

    def nel_van_der_merwe(y):
        v = [np.cov(y[:, j].T) / len(y) for j in (0, 1)]

        def size(m):
            return np.trace(m @ m) + np.trace(m) ** 2

        return size(v[0] + v[1]) / sum(size(m) / (len(y) - 1) for m in v)

    rescaled = y * np.array([1.0, 100.0])
    assert abs(nel_van_der_merwe(rescaled) / nel_van_der_merwe(y) - 1) > 0.001
    one, other = (
        pc.hotelling(several(x), method="two-sample-unequal") for x in (y, rescaled)
    )
    assert_digits(one.df, other.df, at_least=13)
    assert 13 < one.df[1] < 28


def test_identical_algorithms_are_nan_with_the_reason():
    y = normal()
    y[:, 1] = y[:, 0]
    got = pc.hotelling(several(y))
    assert all(math.isnan(v) for v in (got.t2, got.statistic, got.p_value))
    assert got.p_source == "none"
    assert "no difference can be tested" in got.notes[0]
    assert math.isnan(got.effect.conf_low)
    assert got.table["estimate"].tolist() == [0.0, 0.0, 0.0]
    assert got.table["conf_low"].isna().all()
    assert not got.rejected(0.05)


def test_differences_of_rounding_are_none():
    y = counts() / 10
    y[:, 1] = (y[:, 0] + 0.1) - 0.1
    assert (y[:, 1] != y[:, 0]).any()
    assert math.isnan(pc.hotelling(several(y)).p_value)


@pytest.mark.parametrize("method", METHODS)
def test_a_difference_without_error_is_refused_by_name(method):
    y = normal()
    y[..., 1] = y[:, :1, 0] if method == "paired" else 7
    y[:, 1, 1] += 2
    with pytest.raises(pc.DesignError, match=r"'m1', which has no residual variation"):
        pc.hotelling(several(y), method=method)
    y = normal()
    y[..., 2] = y[..., 0] + np.arange(2)
    with pytest.raises(pc.DesignError, match=r"m2 - m0, which has no residual"):
        pc.hotelling(several(y), method=method)


def test_a_metric_that_is_constant_in_each_block_is_left_out():
    y = normal()
    y[..., 1] = y[:, :1, 1]
    got = pc.hotelling(several(y))
    assert [d.text for d in got.dropped] == ["m1 = (a constant of each block)"]
    less = pc.hotelling(several(y), metrics=["m0", "m2"])
    assert_digits(got.p_value, less.p_value, at_least=13)
    assert got.table["std_error"][1] == 0
    assert math.isnan(got.table["conf_low"][1])


@pytest.mark.parametrize("blocks", [2, 3])
def test_no_more_blocks_than_metrics_are_refused(blocks):
    with pytest.raises(pc.DesignError, match="of freedom for error"):
        pc.hotelling(several(normal(blocks)))


def test_one_more_block_than_metrics_is_enough():
    got = pc.hotelling(several(normal(4)))
    assert got.df == (3, 1)
    assert 0 < got.p_value < 1


def test_dependent_metrics_cannot_be_told_from_too_few_blocks():
    y = normal(3)
    y[0, 1] = y[0, 0]
    with pytest.raises(pc.DesignError, match="any 3 metrics depend on each other"):
        pc.hotelling(several(y))


def test_one_common_block_is_refused():
    y = normal(6, 1)
    y[1:4, 0] = y[4:, 1] = np.nan
    with pytest.raises(pc.DesignError, match="1 common block; two at least"):
        pc.hotelling(several(y, missing="model"))
    y[0, 0] = y[4, 0] = np.nan
    scores = several(y, missing="model")
    with pytest.raises(pc.DesignError, match="have 4 and 1 scores, too few"):
        pc.hotelling(scores, method="two-sample-unequal")
    assert pc.hotelling(scores, method="two-sample").df == (1, 3)


def test_paired_takes_the_blocks_that_both_have_and_says_so():
    y = normal(14, 2)
    y[3, 0] = np.nan
    y[5, 1, 1] = np.nan
    y[7] = np.nan
    scores = several(y, missing="model")
    got = pc.hotelling(scores)
    whole = np.delete(y, [3, 5, 7], axis=0)
    assert (got.n_1, got.n_2) == (11, 11)
    assert_digits(got.t2, pc.hotelling(several(whole)).t2, at_least=13)
    assert "2 of 13 blocks lack scores" in got.notes[0]


def test_blocks_without_either_algorithm_have_no_part():
    y = normal(14, 2, a=3)
    y[[2, 3], 1:] = np.nan
    got = pc.hotelling(several(y, missing="model"), algorithms=("A1", "A2"))
    whole = np.delete(y, [2, 3], axis=0)[:, 1:]
    assert_digits(got.t2, pc.hotelling(several(whole)).t2, at_least=13)
    assert "2 of 14 blocks lack scores" in got.notes[0]


def test_two_samples_of_unequal_size_take_all_scores():
    y = normal(14, 2)
    y[:5, 1] = np.nan
    got = pc.hotelling(several(y, missing="model"), method="two-sample")
    one, two = y[:, 0], y[5:, 1]
    s = (13 * np.cov(one.T) + 8 * np.cov(two.T)) / 21
    d = one.mean(axis=0) - two.mean(axis=0)
    d2 = d @ np.linalg.solve(s, d)
    assert (got.n_1, got.n_2) == (14, 9)
    # Aslan (2009), eq. 4.84.
    n1, n2, n, p = 14, 9, 23, 2
    f = n1 * n2 * (n - p - 1) / (n * (n - 2) * p) * d2
    assert_digits(got.statistic, f, at_least=12)
    assert got.df == (2, 20)
    unequal = pc.hotelling(several(y, missing="model"), method="two-sample-unequal")
    v = np.cov(one.T) / 14 + np.cov(two.T) / 9
    assert_digits(unequal.t2, d @ np.linalg.solve(v, d), at_least=12)


def test_tiny_p_values_keep_their_digits():
    y = normal(200, 2, spread=0.0)
    y[:, 1] += 40
    got = pc.hotelling(several(y))
    with mpmath.workdps(60):
        df1, df2 = (mpmath.mpf(v) for v in got.df)
        x = df2 / (df2 + df1 * mpmath.mpf(got.statistic))
        exact = mpmath.betainc(df2 / 2, df1 / 2, 0, x, regularized=True)
    assert 0 < got.p_value < 1e-100
    assert_digits(got.p_value, float(exact), at_least=11)


def test_which_algorithm_comes_first_changes_signs_only():
    scores = several(normal(a=4))
    got = pc.hotelling(scores, algorithms=("A1", "A3"))
    other = pc.hotelling(scores, algorithms=("A3", "A1"))
    assert got.t2 == pytest.approx(other.t2, rel=1e-14)
    assert_digits(got.table["estimate"], -other.table["estimate"], at_least=13)
    assert_digits(got.table["direction"], -other.table["direction"], at_least=12)
    assert got.name == "Hotelling's T2, paired, A1 minus A3"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithms": None}, "name two"),
        ({"algorithms": "A0"}, "give two names"),
        ({"algorithms": ("A0", "nobody")}, "nobody"),
        ({"method": "contrast"}, "choose one of .paired., .two-sample."),
        ({"metrics": "m0"}, "give a list of names"),
        ({"metrics": []}, "name at least one"),
        ({"metrics": ["m0", "m0"]}, "named twice"),
        ({"metrics": ["m9"]}, "m9"),
        ({"level": 1.0}, "level=1.0"),
    ],
)
def test_bad_arguments_are_named(options, message):
    arguments = {"algorithms": ("A0", "A1"), **options}
    with pytest.raises(pc.PyCompareError, match=message):
        pc.hotelling(several(normal(a=3)), **arguments)


def test_a_frame_is_no_scores():
    with pytest.raises(pc.InputError, match="got DataFrame"):
        pc.hotelling(pd.DataFrame({"a": [1.0]}))


def test_result_is_json_text_and_r_code():
    got = pc.hotelling(several(counts()))
    found = json.loads(json.dumps(got.to_dict(), allow_nan=False))
    assert found["t2"] == got.t2
    assert found["dropped"][0]["weights"] == {"m1": pytest.approx(-1)}
    assert "F(2, 18)" in got.summary()
    assert list(got.to_frame()["t2"]) == [got.t2]
    assert "hotelling_reference" in got.r_code()


def test_the_pooled_covariance_is_that_of_numpy():
    values = normal(b=9, p=2, a=2)
    scores = several(values)
    d = values[:, 0] - values[:, 1]
    own = [np.cov(values[:, j], rowvar=False) for j in (0, 1)]
    wanted = {
        "paired": np.cov(d, rowvar=False),
        "two-sample": (own[0] + own[1]) / 2,
        "two-sample-unequal": (own[0] + own[1]) / 2,
    }
    for method in METHODS:
        test = pc.hotelling(scores, method=method)
        assert_digits(test.covariance, wanted[method], at_least=12, what=method)
        difference = test.table["estimate"].to_numpy()
        distance = math.sqrt(difference @ np.linalg.solve(test.covariance, difference))
        assert_digits(distance, test.effect.estimate, at_least=11, what="distance")


def test_the_covariance_has_the_units_of_the_metrics():
    values = normal(b=9, p=2, a=2)
    first = pc.hotelling(several(values)).covariance.to_numpy()
    scaled = pc.hotelling(several(values * [1e6, 1e-6])).covariance.to_numpy()
    assert_digits(scaled, first * [[1e12, 1], [1, 1e-12]], at_least=12, what="units")
