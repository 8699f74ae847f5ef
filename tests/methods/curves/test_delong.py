import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names
from tests.methods.curves.curves import cases


@pytest.mark.parametrize("name", golden_names("roc_"))
def test_pairs_agree_with_proc(name):
    case = golden(name)
    scores = np.array(case["input"]["scores"])
    found = pc.delong(case["input"]["y"], scores, positive=1, level=0.95)
    out = {key: entry["value"] for key, entry in case["outputs"].items()}
    variance = np.diag(found.covariance)
    assert_digits(found.area, out["auc"], at_least=14, what="AUC")
    assert_digits(variance, out["var_delong"], at_least=14, what="variance")
    upper = np.triu_indices(len(variance), 1)
    covariance = found.covariance.to_numpy()[upper]
    cov = np.atleast_1d(out["cov_delong"])
    assert_digits(covariance, cov, at_least=14, what="covariance")
    table = found.table
    for at, test in enumerate(out["roc_test_delong_paired"]):
        # pROC subtracts rounded areas: a small difference has fewer digits there.
        lost = np.log10(1 / abs(table["estimate"][at]))
        assert_digits(table["statistic"][at], test["Z"], at_least=14.5 - lost)
        assert_digits(table["p_value"][at], test["p"], at_least=12)
        interval = table.loc[at, ["conf_low", "conf_high"]].to_numpy(float)
        assert_digits(interval, test["conf.int"], at_least=13)


def test_omnibus_of_two_is_z_squared():
    label, scores = cases(k=2)
    found = pc.delong(label, scores, positive="ill")
    z = found.table["statistic"][0]
    assert_digits(found.omnibus.statistic, z**2, at_least=13)
    assert_digits(found.omnibus.p_value, found.table["p_value"][0], at_least=12)


@pytest.mark.parametrize("k", [3, 5])
def test_omnibus_is_the_quadratic_form_of_any_contrasts(k):
    label, scores = cases(k=k, grid=5)
    found = pc.delong(label, scores, positive="ill")
    contrasts = np.random.default_rng(3).normal(size=(k - 1, k))
    contrasts -= contrasts.mean(axis=1, keepdims=True)
    d = contrasts @ found.area
    v = contrasts @ found.covariance.to_numpy() @ contrasts.T
    chi2 = d @ np.linalg.solve(v, d)
    assert_digits(found.omnibus.statistic, chi2, at_least=11)
    assert_digits(found.omnibus.p_value, stats.chi2.sf(chi2, k - 1), at_least=10)


def test_a_copy_of_a_classifier_adds_nothing_and_is_not_tested():
    label, scores = cases()
    alone = pc.delong(label, scores, positive="ill").omnibus
    # The same order of all pairs, whatever the numbers.
    found = pc.delong(label, scores.assign(again=np.exp(scores.C2)), positive="ill")
    assert found.omnibus.df == alone.df == 2
    assert_digits(found.omnibus.statistic, alone.statistic, at_least=12)
    row = found.table.query("algorithm_1 == 'C2' and algorithm_2 == 'again'").iloc[0]
    assert row.estimate == row.std_error == 0
    assert np.isnan([row.statistic, row.p_value, row.p_adjusted, row.conf_low]).all()
    assert any("C2 and again" in note for note in found.notes)
    assert not found.rejected(0.999).iloc[row.name]


def test_copies_only_cannot_be_tested():
    label, scores = cases(k=1)
    found = pc.delong(label, {"a": scores.C1, "b": scores.C1}, positive="ill")
    assert np.isnan(found.omnibus.p_value) and found.omnibus.df == 0
    assert "nothing can be tested" in found.omnibus.notes[0]


def test_perfect_classifiers_are_named():
    label, scores = cases(k=1)
    perfect = (label == "ill").astype(float)
    worst = -perfect
    data = {"perfect": perfect, "worst": worst, "other": scores.C1}
    found = pc.delong(label, data, positive="ill")
    text = " ".join(found.notes)
    assert "perfect, worst" in text and "perfect and worst" in text
    # The difference of 1 has no variance: no z, for the pair or for all.
    assert np.isnan(found.table["statistic"][0])
    assert found.omnibus.statistic_name != "chi2"
    assert "variance of 0 without being 0" in found.omnibus.notes[0]


def test_nearly_equal_classifiers_keep_their_digits():
    # Two classifiers that differ in the order of one pair of 3000 x 3000.
    n = 3000
    label = np.arange(2 * n) >= n
    rng = np.random.default_rng(0)
    first = rng.permutation(2 * n).astype(float)
    order = np.argsort(first)
    at = np.flatnonzero(label[order][1:] & ~label[order][:-1])[0]
    second = first.copy()
    second[order[[at, at + 1]]] = first[order[[at + 1, at]]]
    found = pc.delong(label, {"a": first, "b": second}, positive=True)
    row = found.table.iloc[0]
    assert_digits(row.estimate, 1 / n**2, at_least=14)
    # One case of each class has a placement that differs by 1 / n, so z is 1 / sqrt 2.
    assert_digits(row.statistic, 1 / np.sqrt(2), at_least=13)
    assert found.omnibus.df == 1


def test_order_of_cases_and_of_classifiers_has_no_effect():
    label, scores = cases(grid=3)
    found = pc.delong(label, scores, positive="ill")
    shuffled = np.random.default_rng(2).permutation(len(label))
    other = pc.delong(label[shuffled], scores.iloc[shuffled], positive="ill")
    pd.testing.assert_frame_equal(found.table, other.table, check_exact=True)
    turned = pc.delong(label, scores[["C3", "C1", "C2"]], positive="ill")
    assert_digits(turned.omnibus.statistic, found.omnibus.statistic, at_least=12)
    assert turned.matrix("estimate").loc["C1", "C3"] == found.table["estimate"][1]


def test_the_other_class_as_positive_turns_every_difference():
    label, scores = cases()
    found = pc.delong(label, scores, positive="ill")
    other = pc.delong(label, scores, positive="well")
    assert_digits(other.table["estimate"], -found.table["estimate"], at_least=14)
    assert_digits(other.table["std_error"], found.table["std_error"], at_least=13)


def test_frames_mappings_and_arrays_are_the_same():
    label, scores = cases()
    found = pc.delong(label, scores, positive="ill").table
    for other in (scores.to_dict("list"), scores.to_numpy()):
        again = pc.delong(label, other, positive="ill").table
        assert np.array_equal(again["statistic"], found["statistic"])
    polars = pytest.importorskip("polars")
    again = pc.delong(label, polars.from_pandas(scores), positive="ill").table
    pd.testing.assert_frame_equal(again, found)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"scores": [[1, 2], [3, 4]]}, pc.InputError, "the labels \\(90,\\)"),
        ({"scores": np.zeros((90, 1))}, pc.InputError, "two or more"),
        ({"scores": np.zeros(90)}, pc.InputError, "n_cases, n_classifiers"),
        ({"adjust": "nemenyi"}, pc.InputError, "mean ranks"),
        ({"adjust": "holmes"}, pc.InputError, "did you mean 'holm'"),
        ({"level": 1.0}, pc.InputError, "level"),
        (
            {"scores": pd.DataFrame(np.zeros((90, 2)), columns=["a", "a"])},
            pc.InputError,
            "names must differ",
        ),
        ({"positive": "healthy"}, pc.InputError, "'ill', 'well'"),
        ({"label": ["ill"] + ["well"] * 89}, pc.DesignError, "two of each"),
        ({"label": ["ill"] * 90}, pc.InputError, "all 90 cases"),
    ],
)
def test_bad_input_is_refused(change, error, says):
    label, scores = cases()
    arguments = {"label": label, "scores": scores, "positive": "ill"} | change
    with pytest.raises(error, match=says):
        pc.delong(arguments.pop("label"), arguments.pop("scores"), **arguments)


def test_missing_scores_are_refused_by_name():
    label, scores = cases()
    scores.loc[4, "C2"] = np.nan
    with pytest.raises(pc.InputError, match="scores of 'C2': 1 of 90 are NaN"):
        pc.delong(label, scores, positive="ill")


def test_summary_tells_the_test_of_all_and_the_pairs():
    label, scores = cases()
    text = pc.delong(label, scores, positive="ill").summary()
    assert "all AUCs are equal: chi2(2) = " in text and "C1" in text


def test_adjusted_p_values_are_those_of_the_raw_ones():
    label, scores = cases(k=4)
    for name in ("holm", "shaffer", "bergmann-hommel", "BH"):
        found = pc.delong(label, scores, positive="ill", adjust=name)
        wanted = pc.adjust(found.matrix("p_value").fillna(1.0), name)
        adjusted = found.matrix("p_adjusted")
        upper = np.triu_indices(4, 1)
        assert np.array_equal(adjusted.to_numpy()[upper], wanted.to_numpy()[upper])
        assert found.adjust == name and "6 pairs of 4" in found.family


@pytest.mark.parametrize(
    ("n", "size"), [(4, 2), (9, 5), (10, 10), (29, 20), (30, 30), (49, 30), (50, None)]
)
def test_few_cases_of_a_class_are_named_with_how_far_off_results_then_are(n, size):
    rng = np.random.default_rng(1)
    for of in (1, 0):  # the class that is small
        label = np.repeat([of, 1 - of], [n, 60])
        scores = label[:, None] + rng.normal(size=(n + 60, 2))
        notes = " ".join(pc.delong(label, scores, positive=1).notes)
        which = ("negative", "positive")[of]
        few = f"the {which} class has {n} cases, fewer than 50"
        assert (few in notes) is (size is not None)
        others = 100 if size == 2 else 200
        assert (f"with {size} + {others} cases" in notes) is (size is not None)


@pytest.mark.parametrize(("wrong", "said"), [(1, True), (2, False)])
def test_an_auc_near_its_limit_is_named(wrong, said):
    label = np.repeat([1, 0], 100)
    near = label + np.r_[-2.0 * (np.arange(100) < wrong), np.zeros(100)]
    rest = np.random.default_rng(1).normal(label)
    scores = {"far": rest, "near": near, "near_0": -near, "at": label * 1.0}
    notes = pc.delong(label, scores, positive=1).notes
    told = "these have an AUC near 1 (or 0) for 100 negative cases: near, near_0"
    assert (told in notes) is said
    assert ("of 95% intervals contain the true value" in " ".join(notes)) is said


@pytest.mark.parametrize(
    ("n", "k", "said"), [(49, 3, True), (50, 3, False), (9, 2, False)]
)
def test_several_aucs_of_few_cases_are_named_with_how_far_off_their_test_is(n, k, said):
    label = np.repeat([1, 0], [n, 60])
    scores = label[:, None] + np.random.default_rng(1).normal(size=(n + 60, k))
    notes = " ".join(pc.delong(label, scores, positive=1).omnibus.notes)
    assert ("p-values of several AUCs with so few cases" in notes) is said


def in_clusters(n=90, seed=5):
    """Return clusters of one to four cases."""
    sizes = np.random.default_rng(seed).integers(1, 5, size=n)
    return np.repeat(np.arange(n), sizes)[:n]


def test_clusters_of_one_case_are_independent_cases():
    label, scores = cases(grid=4)
    found = pc.delong(label, scores, positive="ill")
    each = pc.delong(label, scores, positive="ill", cluster=np.arange(len(label)))
    assert_digits(each.covariance, found.covariance, at_least=13)
    assert_digits(each.table["std_error"], found.table["std_error"], at_least=13)
    assert_digits(each.omnibus.statistic, found.omnibus.statistic, at_least=12)


def test_covariances_over_clusters_are_those_of_obuchowski_in_multireader():
    label, scores = cases(grid=4)
    cluster = in_clusters()
    found = pc.delong(label, scores, positive="ill", cluster=cluster)
    n, names = len(label), list(scores)
    frame = pd.DataFrame(
        {
            "modality": np.repeat(names, n),
            "reader": "all",
            "case": np.tile(np.arange(n), len(names)),
            "truth": np.tile(label, len(names)),
            "rating": scores.to_numpy().T.ravel(),
            "cluster": np.tile(cluster, len(names)),
        }
    )
    ratings = pc.Ratings.from_frame(
        frame,
        modality="modality",
        reader="reader",
        case="case",
        truth="truth",
        rating="rating",
        positive="ill",
        cluster="cluster",
    )
    table = pc.mrmc(ratings, covariance="delong", readers="fixed").table
    assert found.n_clusters == len(np.unique(cluster)) < n
    assert_digits(found.table["std_error"], table["std_error"], at_least=12)
    assert_digits(found.table["p_value"], table["p_value"], at_least=11)


def test_every_case_twice_in_its_cluster_adds_no_information():
    # The placements of copies are those of the cases, and so are sums over clusters.
    label, scores = cases(grid=4)
    cluster = in_clusters()
    found = pc.delong(label, scores, positive="ill", cluster=cluster)
    twice = np.repeat(np.arange(len(label)), 2)
    copied = pc.delong(
        label[twice], scores.iloc[twice], positive="ill", cluster=cluster[twice]
    )
    assert_digits(copied.table["std_error"], found.table["std_error"], at_least=13)
    alone = pc.delong(label[twice], scores.iloc[twice], positive="ill").table
    assert (alone["std_error"] < 0.8 * found.table["std_error"]).all()


def test_the_same_order_has_no_variance_over_clusters():
    label, scores = cases(grid=4)
    copies = scores.assign(again=np.exp(scores.C2))
    found = pc.delong(label, copies, positive="ill", cluster=in_clusters())
    assert found.omnibus.df == 2
    row = found.table.query("algorithm_1 == 'C2' and algorithm_2 == 'again'").iloc[0]
    assert row.estimate == row.std_error == 0 and np.isnan(row.p_value)


@pytest.mark.parametrize(
    ("cluster", "error", "says"),
    [
        (np.arange(89), pc.InputError, "shape \\(89,\\) for 90 cases"),
        ([None, *range(89)], pc.InputError, "no label for 1 case, first: case 1"),
        (np.arange(90) % 3, pc.DesignError, "all positive cases are in one cluster"),
    ],
)
def test_clusters_are_checked(cluster, error, says):
    label, scores = cases()
    with pytest.raises(error, match=says):
        pc.delong(label, scores, positive="ill", cluster=cluster)


def test_few_clusters_are_noted_however_many_cases_they_have():
    label, scores = cases(n=900)
    few = pc.delong(label, scores, positive="ill", cluster=np.arange(900) // 45)
    assert "20 clusters have negative cases" in " ".join(few.notes)
    assert few.basis == "auc/delong-clusters" and few.clustered
    assert not pc.delong(label, scores, positive="ill").notes


def decided(found) -> tuple[np.ndarray, np.ndarray]:
    """Return which pairs are significant, and which intervals exclude 0."""
    table = found.table
    outside = (table["conf_low"] > 0) | (table["conf_high"] < 0)
    return found.rejected(found.alpha).to_numpy(), outside.to_numpy()


def test_no_interval_contradicts_its_decision_in_1000_random_tables():
    rng, seen = np.random.default_rng(8), set()
    for trial in range(1000):
        n1, n0 = rng.integers(2, 25, 2)
        label = np.repeat([1, 0], [n1, n0])
        k = int(rng.integers(2, 5))
        strength = rng.choice([0, 1, 3, 40], size=k)
        scores = rng.normal(size=(n1 + n0, k)) + strength * label[:, None]
        if trial % 2:
            scores = np.round(scores)  # ties
        if trial % 5 == 0:
            scores[:, 1] = scores[:, 0]  # the same curve twice
        if trial % 100 == 1:
            scores[:, :2] = np.c_[label, np.zeros(len(label))]  # perfect, constant
        adjust = ("holm", "bergmann-hommel", "BH")[trial % 3]
        alpha = (0.05, 0.2)[trial % 2]
        found = pc.delong(label, scores, positive=1, adjust=adjust, alpha=alpha)
        table = found.table
        significant, outside = decided(found)
        has_none = table["conf_low"].isna().to_numpy()
        assert np.array_equal(significant[~has_none], outside[~has_none])
        # Without an interval: no variance. Identical curves differ by 0 and have no p.
        assert np.array_equal(has_none, table["std_error"] == 0)
        alike = (table["std_error"] == 0) & (table["estimate"] == 0)
        assert table.loc[alike, "p_value"].isna().all()
        assert not significant[alike].any()
        right = table["conf_low"] <= table["estimate"]
        assert (right & (table["estimate"] <= table["conf_high"]))[~has_none].all()
        seen |= {*zip(significant.tolist(), has_none.tolist(), strict=True)}
    assert seen == {(a, b) for a in (True, False) for b in (True, False)}


def test_intervals_have_the_level_of_holms_last_step():
    label, scores = cases(k=3)
    found = pc.delong(label, scores, positive="ill")
    n_left = max(1, 3 - int(found.rejected(0.05).sum()))
    assert np.isclose(1 - found.level, 0.05 / n_left, rtol=1e-12)
    assert "at the level of the last step" in found.interval
    alone = pc.delong(label, scores, positive="ill", level=found.level)
    assert_digits(found.table["conf_low"], alone.table["conf_low"], at_least=12)
    assert alone.alpha is None and "separately" in alone.interval


def test_alpha_and_level_are_two_questions():
    label, scores = cases()
    with pytest.raises(pc.InputError, match="give one of them"):
        pc.delong(label, scores, positive="ill", alpha=0.05, level=0.95)
    with pytest.raises(pc.InputError, match="alpha"):
        pc.delong(label, scores, positive="ill", alpha=5)
