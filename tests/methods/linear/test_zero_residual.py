import itertools
import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.methods.linear import zero_residual
from tests.conftest import wide

EFFECTS = [[0.0, 1.0], [0.0, 1.0, 3.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0, 1.0]]
FOLDS = np.array([0.3, 0.1, 0.7, 0.2, 0.6])
OWN_DISTRIBUTION = [
    ("Tukey", pc.tukey),
    ("Scheffe", pc.scheffe),
    ("Dunnett", lambda scores, **o: pc.dunnett(scores, control="A1", **o)),
]


def additive(effects, b=5):
    return FOLDS[:b, None] + 0.1 * np.array(effects)


def fits_perfectly(x, blocked):
    rest = x - x.mean(axis=0)
    if blocked:
        rest = rest - rest.mean(axis=1, keepdims=True)
    return np.abs(rest).max() < 1e-12


@pytest.mark.parametrize("effects", EFFECTS)
@pytest.mark.parametrize("b", [2, 3])
def test_the_blocked_p_is_the_share_of_all_arrangements_within_blocks(effects, b):
    x = additive(effects, b)
    orders = list(itertools.permutations(range(len(effects))))
    every = itertools.product(orders, repeat=b)
    arranged = (np.stack([x[i, list(o)] for i, o in enumerate(c)]) for c in every)
    hits = [fits_perfectly(y, True) for y in arranged]
    got = pc.anova(wide(x))
    assert got.statistic == math.inf and got.p_source == "exact"
    assert_digits(got.p_value, np.mean(hits), at_least=14)


@pytest.mark.parametrize(
    ("effects", "counts"),
    [
        ([0, 1], (2, 2)),
        ([0, 1], (3, 2)),
        ([0, 1, 2], (2, 2, 2)),
        ([0, 0, 2], (2, 2, 2)),
        ([0, 1, 2], (3, 2, 2)),
        ([0, 0, 2], (1, 2, 3)),
        ([0, 1, 1], (3, 2, 1)),
    ],
)
def test_the_one_way_p_is_the_share_of_all_deals(effects, counts):
    x = np.tile(0.1 * np.array(effects, float), (max(counts), 1))
    for j, n in enumerate(counts):
        x[n:, j] = np.nan
    values = x.T[~np.isnan(x.T)]
    ends = np.cumsum([0, *counts])
    hits = [
        all(np.ptp(values[list(o[i:j])]) == 0 for i, j in itertools.pairwise(ends))
        for o in itertools.permutations(range(len(values)))
    ]
    got = pc.anova(wide(x, missing="model"), blocked=False)
    assert got.statistic == math.inf and got.p_source == "exact"
    assert_digits(got.p_value, np.mean(hits), at_least=14)
    assert "ways to deal" in got.notes[-1]


def test_levels_of_many_algorithms_are_counted_by_the_multinomial():
    assert zero_residual.blocks_p(list(range(6)), 2) == 1 / 720
    assert zero_residual.blocks_p([0, 0, 0], 9) == 1
    even = zero_residual.deals_p([0, 1, 2, 3], [1, 1, 1, 1])
    assert even == 1  # single scores always fit
    assert math.isnan(zero_residual.deals_p(list(range(9)), [2] * 8 + [3]))
    assert zero_residual.ways_to_fill((1, 2, 3), (3, 3)) == 2


@pytest.mark.parametrize("b", [2, 5])
def test_all_tests_of_two_algorithms_agree_without_error(b):
    scores = wide(additive([0, 1], b))
    t, f = pc.paired_t(scores), pc.anova(scores)
    assert f.statistic == t.statistic**2 == math.inf
    assert f.p_value == t.p_value == 2.0 ** (1 - b)
    rows = [pc.pairwise_t(scores).table] + [
        m(scores).table for _, m in OWN_DISTRIBUTION
    ]
    for table in rows:
        row = table.iloc[0]
        assert row["p_value"] == row["p_adjusted"] == t.p_value
        assert math.isnan(row["conf_low"]) and math.isnan(row["conf_high"])


def test_two_algorithms_one_way_have_one_p_without_error():
    scores = wide(np.tile([0.1, 0.3], (4, 1)))
    f = pc.anova(scores, blocked=False)
    assert_digits(f.p_value, 2 / math.comb(8, 4), at_least=15)
    row = pc.tukey(scores, blocked=False).table.iloc[0]
    assert row["p_adjusted"] == row["p_value"] == f.p_value


@pytest.mark.parametrize(("name", "method"), OWN_DISTRIBUTION)
def test_methods_with_a_distribution_are_bonferronis_without_error(name, method):
    got = method(wide(additive([0, 1, 3])))
    assert (got.table["p_value"] == 2.0**-4).all()
    assert (got.table["p_adjusted"] == len(got.table) * 2.0**-4).all()
    assert got.adjust == "bonferroni" and "replaced by exact tests" in got.method
    assert name in got.notes[-1] and "Bonferroni" in got.notes[-1]
    assert "changes of sign" in got.notes[-2]
    assert got.interval == "undefined (no residual variance)"
    assert not got.rejected(0.05).any() and got.rejected(0.2).all()


def test_adjusted_t_tests_keep_their_adjustment_without_error():
    got = pc.pairwise_t(wide(additive([0, 0, 3], 5)), adjust="holm")
    p = got.table["p_value"].to_numpy()
    assert math.isnan(p[0]) and (p[1:] == 2.0**-4).all()
    holm = pc.adjust([1.0, *p[1:]], "holm")
    assert_digits(got.table["p_adjusted"][1:], holm[1:], at_least=15)
    assert math.isnan(got.table["p_adjusted"][0]) and got.adjust == "holm"


def test_means_equal_up_to_rounding_are_equal_without_error():
    x = FOLDS[:, None] + np.array([0.3, 0.1 + 0.2, 0.9])
    got = pc.tukey(wide(x)).table
    assert got["estimate"][0] == 0 and math.isnan(got["p_value"][0])
    assert_digits(pc.anova(wide(x)).p_value, (2 / 6) ** 4, at_least=14)


def test_a_perfect_fit_with_missing_cells_has_no_p_and_says_why():
    x = additive([0, 1, 3])
    x[2, 0] = np.nan
    scores = wide(x, missing="model")
    got, pairs = pc.anova(scores), pc.tukey(scores)
    assert got.statistic == math.inf and math.isnan(got.p_value)
    assert got.p_source == "none" and "no simple count" in got.notes[-1]
    assert pairs.table["p_adjusted"].isna().all()
    assert "some cells are missing" in pairs.notes[-1]
    assert not got.rejected(0.5) and not pairs.rejected(0.5).any()
    page = pc.compare(scores, pc.Plan(blocks="folds", protocol="held-out")).summary()
    assert "no simple count" in page


def test_no_term_has_a_p_of_zero_without_error():
    for effects in ([0, 1, 3], [0, 0, 0]):
        p = pc.anova(wide(additive(effects))).table["p_value"]
        assert not (p == 0).any()


@pytest.mark.parametrize("b", [2, 5])
def test_the_page_of_a_perfect_fit_reads_right(b, tmp_path):
    x = [[1, 2, 3], [2, 3, 4], [4, 5, 6], [1, 2, 3], [7, 8, 9]][:b]
    found = pc.compare(wide(x), pc.Plan(blocks="folds", protocol="held-out"))
    text = found.summary()
    assert "Beware of a perfect fit" in text and "p = 0 " not in text
    assert "Tukey" not in text.split("\n")[0] and "normal errors" not in text
    assert "The distribution of Tukey's HSD does not exist" in text
    assert f"F(2, {2 * b - 2}) = ∞, p {'= 0.167' if b == 2 else '< 0.001'}" in text
    html = (pc.report(found, tmp_path / "page") / "report.html").read_text()
    assert "Intervals are undefined (no residual variance)." in html
    assert "below 5e" not in html


def test_copies_of_an_algorithm_are_named():
    x = np.random.default_rng(1).normal(size=(6, 4))
    x[:, 2] = x[:, 0]
    scores = wide(x)
    for notes in (pc.anova(scores).notes, pc.tukey(scores).notes):
        assert notes[0].startswith("A1 and A3 have the same scores in all blocks")
    assert pc.anova(scores, blocked=False).notes == ()
    assert pc.anova(wide(x[:, [0, 1, 3]])).notes == ()
    without = pc.tukey(wide(x[:, [0, 1, 3]])).mean_square
    assert pc.tukey(scores).mean_square < without


def test_sums_of_squares_of_rounding_are_zero():
    values = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]] * 2)
    found = pc.anova(wide(values), metric="score")
    assert found.table["sum_sq"].tolist()[:2] == [0, 0]
    assert found.table["statistic"].tolist()[:2] == [0, 0]
    assert found.partial_eta2.estimate == found.generalised_eta2.estimate == 0
