from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import area_variance
from pycompare.methods.curves.interval import IN_CLUSTERS
from tests.conftest import golden, golden_names
from tests.methods.curves.curves import cases


def one(**options):
    label, scores = cases()
    return pc.auc_interval(label, scores.C1, positive="ill", **options)


@pytest.mark.parametrize(
    "name", [n for n in golden_names("roc_") if "perfect" not in n]
)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_delong_interval_is_that_of_proc(name, level):
    case = golden(name)
    stored = case["outputs"][f"ci{100 * level:g}_delong"]["value"]
    score = np.array(case["input"]["scores"]).T
    for column, wanted in zip(score, stored, strict=True):
        found = pc.auc_interval(
            case["input"]["y"], column, positive=1, method="delong", level=level
        )
        limits = [found.conf_low, found.estimate, found.conf_high]
        assert_digits(limits, wanted, at_least=14)


def test_hanley_and_mcneil_s_own_example():
    # Radiology 143, Table II: ratings 1 to 5 of 58 normal and 51 abnormal images.
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    score = np.repeat([1, 2, 3, 4, 5, 1, 2, 3, 4, 5], normal + abnormal)
    label = np.repeat([0, 1], [58, 51])
    found = pc.auc_interval(label, score, positive=1, method="hanley-mcneil")
    assert round(found.estimate, 3) == 0.893
    assert round(found.std_error, 3) == 0.032


def enumerated(m, n):
    """AUCs of all orderings and cuts, by the number of errors."""
    found = {}
    for above in combinations(range(m + n), m):
        # Place 0 has the highest score.
        positive = np.isin(np.arange(m + n), above)
        wins = sum(int(np.sum(~positive[i:])) for i in above)
        for cut in range(m + n + 1):
            errors = int(np.sum(~positive[:cut]) + np.sum(positive[cut:]))
            found.setdefault(errors, []).append(wins / (m * n))
    return found


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 4), (3, 3), (5, 2), (4, 6)])
def test_cortes_and_mohri_s_moments_are_those_of_all_orderings_and_cuts(m, n):
    for errors, areas in enumerated(m, n).items():
        mean, sd = area_variance.cortes_mohri(errors, m, n)
        assert_digits(mean, np.mean(areas), at_least=13, what=f"mean at {errors}")
        assert abs(sd - np.std(areas)) < 1e-14


def test_cortes_and_mohri_s_closed_form_for_few_errors():
    # Their proposition 1: no enumeration at this size.
    m, n, k = 400, 700, 90
    total = m + n
    fewer = sum(comb(total, x) for x in range(k))
    ratio = fewer / sum(comb(total + 1, x) for x in range(k + 1))
    uneven = (n - m) ** 2 * (total + 1) / (4 * m * n)
    wanted = 1 - k / total - uneven * (k / total - ratio)
    assert_digits(area_variance.cortes_mohri(k, m, n)[0], wanted, at_least=13)


def test_weights_of_a_million_cases_lose_no_digits():
    mean, sd = area_variance.cortes_mohri(200_000, 500_000, 500_000)
    # With equal classes the mean is 1 - k / N exactly (the closed form).
    assert_digits(mean, 0.8, at_least=13)
    assert 0 < sd < 1e-3


def test_cortes_and_mohri_s_interval_comes_from_the_errors_alone():
    label, scores = cases()
    found = one(method="cortes-mohri", threshold=0.5)
    squeezed = np.where(scores.C1 >= 0.5, 0.5, 0.4)
    again = pc.auc_interval(
        label, squeezed, positive="ill", method="cortes-mohri", threshold=0.5
    )
    assert (again.conf_low, again.conf_high) == (found.conf_low, found.conf_high)
    assert again.estimate != found.estimate
    errors = np.sum((scores.C1 >= 0.5) != (label == "ill"))
    assert found.notes[0].startswith(f"{errors} errors at the threshold 0.5")


def test_agarwal_s_bound():
    found = one(method="agarwal", level=0.9)
    half = np.sqrt(np.log(20) / (2 * 30 / 90 * 60 / 90 * 90))
    assert_digits(found.estimate - found.conf_low, half, at_least=13)
    assert one(method="agarwal", level=0.999).conf_high == 1


def test_logit_interval_lies_inside_zero_and_one_and_mirrors():
    label, scores = cases(strength=4.0)
    arguments = {"method": "delong-logit", "level": 0.999}
    found = pc.auc_interval(label, scores.C1, positive="ill", **arguments)
    assert 0 < found.conf_low < found.estimate < found.conf_high < 1
    other = pc.auc_interval(label, scores.C1, positive="well", **arguments)
    assert_digits(other.conf_low, 1 - found.conf_high, at_least=11)


def test_bootstrap_repeats_with_its_seed_and_is_near_delong():
    found = one(method="bootstrap", seed=7)
    again = one(method="bootstrap", seed=7)
    assert (found.conf_low, found.conf_high) == (again.conf_low, again.conf_high)
    assert found.conf_low != one(method="bootstrap", seed=8).conf_low
    assert found.notes[0] == "2000 resamples, seed 7" and found.r_call() is None
    assert abs(found.std_error / one().std_error - 1) < 0.1


def test_bootstrap_resamples_each_class_as_it_is_counted_by_hand():
    label, scores = cases(grid=2)
    found = one_resample(label == "ill", scores.C1.to_numpy())
    assert len(set(found)) > 5
    assert all(0 <= area <= 1 for area in found)


def one_resample(truth, score):
    from pycompare.kernels import resampled_curves as kernel

    made = kernel.resampled(
        truth, score[None], kernel.areas, np.random.default_rng(3), 20
    )[:, 0]
    negative, positive = kernel.draw(truth, np.random.default_rng(3), 20)
    for area, n, p in zip(made, negative, positive, strict=True):
        assert not truth[n].any() and truth[p].all()
        chosen = np.concatenate([n, p])
        assert area == pc.auc(truth[chosen], score[chosen], positive=True)
    return made


def test_fold_t_is_the_t_interval_of_fold_areas():
    label, scores = cases()
    fold = np.repeat(["a", "b", "c", "d", "e"], 18)
    found = one(method="fold-t", fold=fold)
    areas = [
        pc.auc(label[fold == f], scores.C1[fold == f], positive="ill") for f in "abcde"
    ]
    wanted = stats.t.interval(0.95, 4, np.mean(areas), stats.sem(areas))
    assert_digits([found.conf_low, found.conf_high], wanted, at_least=12)
    assert_digits(found.estimate, np.mean(areas), at_least=14)


@pytest.mark.parametrize("method", ["delong", "delong-logit", "hanley-mcneil"])
def test_a_perfect_score_has_no_normal_interval(method):
    found = pc.auc_interval([0, 0, 1, 1], [1, 2, 3, 4], positive=1, method=method)
    assert found.estimate == 1 and np.isnan([found.conf_low, found.conf_high]).all()
    assert "(AUC 1), so this method estimates no variance" in found.notes[0]


def test_a_perfect_score_has_no_bootstrap_interval():
    found = pc.auc_interval(
        np.arange(10) > 4, range(10), positive=1, method="bootstrap"
    )
    assert np.isnan(found.conf_low) and "same AUC" in found.notes[1]


def test_intervals_stand_side_by_side():
    label, scores = cases()
    fold = np.arange(90) // 18
    everything = pc.auc_intervals(
        label, scores.C1, positive="ill", threshold=0.5, fold=fold, resamples=50
    )
    table = everything.to_frame()
    assert len(table) == 8 and list(table.columns[:2]) == ["name", "estimate"]
    alone = one(method="agarwal")
    row = table.set_index("method").loc[alone.method]
    assert row["conf_low"] == alone.conf_low
    without = pc.auc_intervals(label, scores.C1, positive="ill", resamples=50)
    assert [i.key for i in without.intervals] == [
        "effective-size",
        "delong",
        "delong-logit",
        "hanley-mcneil",
        "agarwal",
        "bootstrap",
    ]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"method": "wald"}, pc.InputError, "choose one of"),
        ({"threshold": 0.5}, pc.InputError, "no effect on 'effective-size'"),
        ({"seed": 1, "method": "agarwal"}, pc.InputError, "for method='bootstrap'"),
        ({"method": "cortes-mohri"}, pc.InputError, "needs threshold"),
        ({"method": "fold-t"}, pc.InputError, "needs fold"),
        ({"method": "fold-t", "fold": [1, 2]}, pc.InputError, "one per case"),
        ({"method": "fold-t", "fold": np.ones(90)}, pc.DesignError, "two or more"),
        (
            {"method": "fold-t", "fold": np.arange(90)},
            pc.DesignError,
            "one class only",
        ),
        ({"method": "bootstrap", "resamples": 1}, pc.InputError, "2 or more"),
        ({"method": "bootstrap", "seed": -1}, pc.InputError, "0 or more"),
        ({"level": 95}, pc.InputError, "between 0 and 1"),
        (
            {"method": "cortes-mohri", "threshold": np.nan},
            pc.InputError,
            "give a number",
        ),
    ],
)
def test_bad_options_are_refused(options, error, says):
    with pytest.raises(error, match=says):
        one(**options)


def test_delong_needs_two_cases_of_each_class():
    with pytest.raises(pc.DesignError, match="two of each"):
        pc.auc_interval([0, 1, 1], [1, 2, 3], positive=1, method="delong")


def test_constant_scores_have_an_area_of_one_half_and_no_delong_interval():
    label = [0, 0, 0, 1, 1]
    found = pc.auc_interval(label, np.ones(5), positive=1, method="delong")
    assert found.estimate == 0.5 and np.isnan(found.conf_low)
    assert "(AUC 0.5)" in found.notes[0]
    other = pc.auc_interval(label, np.ones(5), positive=1, method="hanley-mcneil")
    assert other.conf_low < 0.5 < other.conf_high


def test_cortes_mohri_claims_no_coverage_and_says_when_the_auc_is_outside():
    # All orderings with as many errors are averaged; this one is perfect.
    label, score = np.repeat([0, 1], 50), np.arange(100) / 1000
    options = {"positive": 1, "method": "cortes-mohri"}
    found = pc.auc_interval(label, score, threshold=0.9, **options)
    assert found.estimate == 1 and found.conf_high < 0.9
    assert "equally likely" in found.notes[1] and "outside" in found.notes[2]
    assert not any("at least the level" in note for note in found.notes)
    fits = pc.auc_interval(label, score, threshold=0.05, **options)
    assert len(fits.notes) == 2 and fits.conf_high == 1


@pytest.mark.parametrize("method", ["effective-size", "delong", "delong-logit"])
def test_intervals_over_clusters_of_one_case_are_those_over_cases(method):
    label, scores = cases()
    found = pc.auc_interval(label, scores.C1, positive="ill", method=method)
    each = pc.auc_interval(
        label, scores.C1, positive="ill", method=method, cluster=np.arange(len(label))
    )
    assert_digits(each.conf_low, found.conf_low, at_least=13)
    assert each.method == f"{found.method}, clusters"


def test_methods_of_independent_cases_refuse_clusters():
    label, scores = cases()
    whole = {"positive": "ill", "cluster": np.arange(len(label)) // 2}
    made = pc.auc_intervals(label, scores.C1, **whole)
    assert [one.key for one in made.intervals] == list(IN_CLUSTERS[:3])
    with pytest.raises(
        pc.InputError, match="cluster is for method='effective-size' or"
    ):
        pc.auc_interval(label, scores.C1, method="agarwal", **whole)
    with pytest.raises(pc.InputError, match=r"'agarwal'.* assume independent cases"):
        pc.auc_intervals(label, scores.C1, methods=["delong", "agarwal"], **whole)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 100), (7, 7), (100, 3)])
def test_a_perfect_score_has_the_binomial_limit_of_the_smaller_class(m, n):
    label = np.repeat([1, 0], [m, n])
    found = pc.auc_interval(label, label, positive=1)
    assert found.estimate == found.conf_high == 1
    assert_digits(found.conf_low, 0.025 ** (1 / min(m, n)), at_least=13)
    worst = pc.auc_interval(label, -label, positive=1)
    assert worst.conf_low == 0
    assert_digits(worst.conf_high, 1 - found.conf_low, at_least=12)


@pytest.mark.parametrize("wrong", [1, 3, 10])
def test_right_or_wrong_cases_have_the_interval_of_a_share(wrong):
    # Negatives are all one number: the AUC is the share of positives above it.
    # DeLong's divisor is n - 1, so his effective size is below n, and n is kept.
    score = np.r_[np.full(wrong, -1.0), np.ones(20 - wrong), np.zeros(50)]
    found = pc.auc_interval(np.repeat([1, 0], [20, 50]), score, positive=1)
    wanted = stats.binomtest(20 - wrong, 20).proportion_ci()
    assert_digits([found.conf_low, found.conf_high], wanted, at_least=12)


def test_the_default_is_that_of_a_constant_score_and_of_one_case():
    found = pc.auc_interval([0, 0, 0, 1, 1], np.ones(5), positive=1)
    assert_digits(found.conf_low, stats.beta.ppf(0.025, 1, 2), at_least=12)
    alone = pc.auc_interval([0, 0, 0, 1], [1, 3, 2, 2], positive=1)
    assert np.isnan(alone.std_error) and alone.conf_low < 0.5 < alone.conf_high
    methods = [
        i.key for i in pc.auc_intervals([0, 0, 1], [1, 3, 2], positive=1).intervals
    ]
    assert methods == ["effective-size", "hanley-mcneil", "agarwal"]


def test_many_cases_have_almost_the_width_of_delong():
    rng = np.random.default_rng(5)
    label = np.repeat([1, 0], 20_000)
    score = rng.normal(label)
    ours = pc.auc_interval(label, score, positive=1)
    delong = pc.auc_interval(label, score, positive=1, method="delong")
    ratio = (ours.conf_high - ours.conf_low) / (delong.conf_high - delong.conf_low)
    assert 1 < ratio < 1.005


def test_copies_of_a_case_in_its_cluster_add_no_size():
    label, score = np.repeat([1, 0], [4, 9]), np.repeat([1, 0], [4, 9])
    once = pc.auc_interval(label, score, positive=1)
    thrice = pc.auc_interval(
        np.tile(label, 3), np.tile(score, 3), positive=1, cluster=np.tile(range(13), 3)
    )
    assert thrice.conf_low == once.conf_low
