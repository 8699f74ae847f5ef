import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden
from tests.methods.linear.test_hotelling import counts, normal
from tests.methods.linear.witness import manova_scores, several

TESTS = ["paired", "two-sample", "two-sample-unequal"]
METHODS = [*TESTS, "contrast"]
NUMBERS = ["t2", "statistic", "df1", "df2", "p_value", "distance"]


def contrast_t2(y, holes, i, j):
    """T2 of one contrast by least squares with indicator columns."""
    rows, at = np.nonzero(~holes)
    block = (rows[:, None] == np.arange(y.shape[0])).astype(float)
    algorithm = (at[:, None] == np.arange(1, y.shape[1])).astype(float)
    x, z = np.hstack([block, algorithm]), y[~holes]
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ x.T @ z
    one = np.zeros(x.shape[1])
    for k, sign in ((i, 1.0), (j, -1.0)):
        if k > 0:
            one[y.shape[0] + k - 1] = sign
    rest = z - x @ beta
    df = len(z) - x.shape[1]
    d = one @ beta
    t2 = d @ np.linalg.solve(rest.T @ rest / df, d) / (one @ inverse @ one)
    return t2, df


@pytest.mark.parametrize("method", TESTS)
@pytest.mark.parametrize("make", [normal, lambda b, a: counts(b, a=a)])
def test_each_pair_is_its_own_test(method, make):
    scores = several(make(15, a=4))
    got = pc.hotelling_pairs(scores, method=method)
    assert len(got.table) == 6
    for i, row in enumerate(got.table.itertuples()):
        two = (row.algorithm_1, row.algorithm_2)
        one = pc.hotelling(scores, algorithms=two, method=method)
        ours = [row.t2, row.statistic, row.df1, row.df2, row.p_value, row.distance]
        theirs = [one.t2, one.statistic, *one.df, one.p_value, one.effect.estimate]
        assert_digits(ours, theirs, at_least=12)
        assert_digits(got.directions.loc[two], one.table["direction"], at_least=12)
        standard = one.table["standardised"]
        assert_digits(got.standardised.loc[two], standard, at_least=12)
        assert got.dropped[i] == one.dropped
        mine = got.differences[
            (got.differences["algorithm_1"] == two[0])
            & (got.differences["algorithm_2"] == two[1])
        ]
        for name in ("estimate", "std_error"):
            assert_digits(mine[name], one.table[name], at_least=13)


@pytest.mark.parametrize("name", ["manova_sim_5x30x4", "manova_confusion_rank4"])
def test_paired_pairs_agree_with_r(name):
    case = golden(name)
    scores, _ = manova_scores(case)
    expected = case["outputs"]["pairwise_hotelling_paired"]["value"]
    got = pc.hotelling_pairs(scores).table
    assert_digits(got["t2"], [e["T2"] for e in expected], at_least=11)
    p = [e["manova_intercept_p"] for e in expected]
    assert_digits(got["p_value"], p, at_least=10)
    assert_digits(got["p_adjusted"], np.minimum(1, 10 * np.array(p)), at_least=10)


@pytest.mark.parametrize("method", TESTS)
def test_full_counts_equal_reduced_counts(method):
    full, _ = manova_scores(golden("manova_confusion_rank2_full"))
    reduced, _ = manova_scores(golden("manova_confusion_rank2_reduced_TN_FN"))
    got = pc.hotelling_pairs(full, method=method)
    expected = pc.hotelling_pairs(reduced, method=method)
    for column in NUMBERS:
        assert_digits(got.table[column], expected.table[column], at_least=11)
    assert (got.table["df1"] == 2).all()
    texts = {d.text for pair in got.dropped for d in pair}
    assert texts == {"TN = 60 - FP", "FN = 40 - TP"}
    assert any("TN = 60 - FP; FN = 40 - TP" in note for note in got.notes)


def test_contrasts_of_two_algorithms_are_the_paired_test():
    scores = several(normal())
    contrast = pc.hotelling_pairs(scores, method="contrast").table
    paired = pc.hotelling_pairs(scores).table
    for column in ("t2", "statistic", "df1", "df2", "p_value"):
        assert_digits(contrast[column], paired[column], at_least=12)


@pytest.mark.parametrize("gaps", [False, True])
def test_contrasts_are_those_of_least_squares(gaps):
    y = normal(10, 2, a=4)
    holes = np.zeros((10, 4), bool)
    if gaps:
        holes[[1, 4, 4, 7], [0, 2, 3, 3]] = True
    y[holes] = np.nan
    got = pc.hotelling_pairs(several(y, missing="model"), method="contrast")
    pairs = zip(*np.triu_indices(4, 1), strict=True)
    for row, (i, j) in zip(got.table.itertuples(), pairs, strict=True):
        t2, df = contrast_t2(y, holes, i, j)
        assert_digits(row.t2, t2, at_least=11)
        assert row.df2 == df - 1
    told = any("adjusted for the blocks" in note for note in got.notes)
    assert told == gaps


def test_contrasts_of_one_metric_are_the_t_tests_of_the_model():
    scores = several(normal(a=4, p=1))
    t = pc.pairwise_t(scores, adjust="holm", level=0.9)
    got = pc.hotelling_pairs(scores, method="contrast", adjust="holm", level=0.9)
    assert_digits(got.table["t2"], t.table["statistic"] ** 2, at_least=12)
    for column in ("p_value", "p_adjusted"):
        assert_digits(got.table[column], t.table[column], at_least=11)
    for column in ("estimate", "std_error", "conf_low", "conf_high"):
        assert_digits(got.differences[column], t.table[column], at_least=11)


def test_the_largest_contrast_is_not_above_roys_root():
    scores = several(normal(a=4))
    roy = pc.manova(scores).roy.statistic
    got = pc.hotelling_pairs(scores, method="contrast").table
    assert got["t2"].max() <= 33 * roy


@pytest.mark.parametrize("adjust", ["none", "holm", "shaffer", "bergmann-hommel", "BH"])
def test_adjusted_as_the_table_of_all_pairs(adjust):
    got = pc.hotelling_pairs(several(normal(a=5)), adjust=adjust)
    expected = pc.adjust(got.matrix("p_value").fillna(1.0), adjust)
    upper = np.triu_indices(5, 1)
    assert_digits(got.table["p_adjusted"], expected.to_numpy()[upper], at_least=15)
    assert got.adjust == adjust
    assert got.family == "all 10 pairs of 5 algorithms on m0, m1, m2"


def test_against_a_control():
    scores = several(normal(a=4))
    got = pc.hotelling_pairs(scores, control="A2", adjust="holm")
    assert list(got.table["algorithm_2"]) == ["A2"] * 3
    p = got.table["p_value"].to_numpy()
    assert_digits(got.table["p_adjusted"], pc.adjust(p, "holm"), at_least=15)
    with pytest.raises(pc.InputError, match="cliques need all pairs"):
        pc.cliques(got)
    with pytest.raises(pc.InputError, match="is for all pairs"):
        pc.hotelling_pairs(scores, control="A2", adjust="shaffer")
    with pytest.raises(pc.InputError, match="'nobody' is not an algorithm"):
        pc.hotelling_pairs(scores, control="nobody")


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_a_pair_is_rejected_where_an_interval_of_w_leaves_out_zero(level):
    y = normal(20, a=4, spread=1.0)
    got = pc.hotelling_pairs(several(y), level=level)
    w = got.directions.to_numpy()
    estimate = got.differences["estimate"].to_numpy().reshape(6, 3)
    high = got.differences["conf_high"].to_numpy().reshape(6, 3)
    error = got.differences["std_error"].to_numpy().reshape(6, 3)
    factor = ((high - estimate) / error)[:, 0]
    # (d'w)^2 / var(d'w) = T2, so the interval of d'w leaves 0 out if T2 > factor^2.
    outside = np.sqrt(got.table["t2"]) > factor
    assert outside.tolist() == got.rejected(1 - level).tolist()
    assert_digits((estimate * w).sum(axis=1) * 20, got.table["t2"], at_least=11)


def test_cliques_and_matrices_of_pairs_without_an_order():
    y = normal(30, a=4, spread=0.0)
    y[:, 2:, 0] += 5
    got = pc.hotelling_pairs(several(y))
    assert pc.cliques(got) == (("A0", "A1"), ("A2", "A3"))
    matrix = got.matrix()
    assert (matrix.T.fillna(-1) == matrix.fillna(-1)).all(axis=None)
    assert (got.matrix("statistic").fillna(0) >= 0).all(axis=None)
    assert list(matrix) == list(got.algorithms) == ["A0", "A1", "A2", "A3"]
    assert not hasattr(got, "positions")


@pytest.mark.parametrize("method", TESTS)
def test_identical_algorithms_leave_the_others_tested(method):
    y = normal(15, a=4)
    y[:, 1] = y[:, 0]
    got = pc.hotelling_pairs(several(y), method=method, adjust="holm")
    first = got.table.iloc[0]
    others = got.table.iloc[1:]
    assert others["p_adjusted"].notna().all()
    if method != "paired":  # two samples that are alike do vary
        assert first["p_value"] == 1
        return
    assert np.isnan(first[NUMBERS].to_numpy(float)).all()
    assert np.isnan(first["p_adjusted"])
    assert "differ in no metric" in first["reason"]
    assert "A0 and A1 could not be tested" in got.notes[0]
    counted = np.append(1.0, others["p_value"])
    expected = pc.adjust(counted, "holm")[1:]
    assert_digits(others["p_adjusted"], expected, at_least=15)
    assert any({"A0", "A1"} <= set(c) for c in pc.cliques(got))
    assert not got.rejected(0.99)[0]


@pytest.mark.parametrize("method", ["paired", "contrast"])
def test_a_pair_without_error_leaves_the_others_tested(method):
    y = normal(15, a=4)
    if method == "paired":
        y[:, 1] = y[:, 0] + [0.0, 1.0, 0.0]
        told = "'m1', which has no residual variation"
    else:
        y[..., 1] = y[:, :1, 1]
        y[:, 0, 1] += 1  # A0 differs from the others without any variation
        told = "no residual variation"
    got = pc.hotelling_pairs(several(y), method=method)
    failed = got.table["p_value"].isna()
    with_a0 = got.table["algorithm_1"] == "A0"
    expected = with_a0 & (got.table["algorithm_2"] == "A1")
    assert failed.tolist() == (expected if method == "paired" else with_a0).tolist()
    assert got.table["reason"].str.contains(told, regex=False).tolist() == list(failed)
    assert got.table.loc[~failed, "p_adjusted"].notna().all()
    assert got.directions[failed.to_numpy()].isna().all(axis=None)


def test_rank_may_differ_between_pairs():
    y = normal(15, a=3)
    y[:, 1, 2] = y[:, 0, 2]
    got = pc.hotelling_pairs(several(y))
    assert list(got.table["df1"]) == [2, 3, 3]
    assert [[d.metric for d in pair] for pair in got.dropped] == [["m2"], [], []]


def test_all_algorithms_identical_are_nan_and_no_error():
    y = normal(15, a=3)
    y[:] = y[:, :1]
    got = pc.hotelling_pairs(several(y))
    assert got.table["p_value"].isna().all()
    assert pc.cliques(got) == (("A0", "A1", "A2"),)
    y[:] = 0.5
    for method in METHODS:
        got = pc.hotelling_pairs(several(y), method=method)
        assert got.table["p_adjusted"].isna().all()


@pytest.mark.parametrize("method", ["paired", "two-sample-unequal"])
def test_too_few_blocks_are_refused(method):
    blocks = 3 if method == "paired" else 2
    with pytest.raises(
        pc.DesignError, match="no pair of algorithms can be tested; 'A0'"
    ):
        pc.hotelling_pairs(several(normal(blocks, a=3, p=3)), method=method)


def test_gaps_take_the_blocks_that_both_have():
    y = normal(12, 2, a=3)
    y[[3, 4, 5], [0, 0, 1]] = np.nan
    got = pc.hotelling_pairs(several(y, missing="model"))
    assert list(got.table["n_1"]) == [9, 10, 11]
    assert "3 of 36 cells are missing; each pair has the blocks" in got.notes[0]
    for (i, j), t2 in zip([(0, 1), (0, 2), (1, 2)], got.table["t2"], strict=True):
        both = ~np.isnan(y[:, [i, j], 0]).any(axis=1)
        two = pc.hotelling(several(y[both][:, [i, j]]))
        assert_digits(t2, two.t2, at_least=12)


@pytest.mark.parametrize("method", TESTS)
def test_an_algorithm_without_a_whole_cell_leaves_the_others_tested(method):
    y = normal(12, 2, a=3)
    frame = several(y).to_frame()
    one = frame["algorithm"] == "A1"
    early = frame["block"].astype(int) < 6
    frame.loc[one & early, "m1"] = frame.loc[one & ~early, "m0"] = np.nan
    scores = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        metrics={"m0": "lower", "m1": "lower"},
        missing="model",
    )
    got = pc.hotelling_pairs(scores, method=method)
    failed = got.table["p_value"].isna()
    assert failed.tolist() == [True, False, True]
    assert got.table["reason"][0].startswith("the two algorithms have ")
    without = got.differences["algorithm_1"] == "A0"
    without &= got.differences["algorithm_2"] == "A1"
    assert got.differences.loc[without, ["estimate", "conf_low"]].isna().all(axis=None)
    alone = pc.hotelling(several(y), algorithms=("A0", "A2"), method=method)
    assert_digits(got.table["t2"][1], alone.t2, at_least=13)


def test_nearly_dependent_metrics_with_gaps_and_a_large_offset():
    rng = np.random.default_rng(6)
    y = normal(30, 3, a=3, seed=6)
    # Whole numbers of 2^-40, so that the offset does not round them.
    y = np.round(y * 2**20) / 2**20
    y[..., 2] = y[..., 0] + y[..., 1] + np.round(rng.normal(size=(30, 3)) * 64) / 2**20
    y[[2, 5], [0, 2]] = np.nan
    for method in METHODS:
        got = pc.hotelling_pairs(several(y, missing="model"), method=method)
        far = pc.hotelling_pairs(several(y + 2.0**20, missing="model"), method=method)
        assert (got.table["df1"] == 3).all()
        assert_digits(far.table["t2"], got.table["t2"], at_least=10, what=method)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "welch"}, "choose one of .paired., .two-sample."),
        ({"adjust": "nemenyi"}, "for mean ranks"),
        ({"adjust": "hom"}, "did you mean"),
        ({"metrics": ["m0", "m0"]}, "named twice"),
        ({"level": 0}, "level=0"),
    ],
)
def test_bad_arguments_are_named(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.hotelling_pairs(several(normal(a=3)), **options)


def test_a_frame_is_no_scores():
    with pytest.raises(pc.InputError, match="got DataFrame"):
        pc.hotelling_pairs(pd.DataFrame({"a": [1.0]}))


def test_result_is_json_and_r_code():
    got = pc.hotelling_pairs(several(counts(a=3)))
    found = json.loads(json.dumps(got.to_dict(), allow_nan=False))
    assert len(found["table"]) == 3
    assert found["sample"] == "paired"
    assert "hotelling_pairs_reference" in got.r_code()
    assert "A0" in got.summary()
    assert got.to_frame() is not got.table
