import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from pycompare.methods.linear.sphericity import mauchly
from tests.conftest import golden, golden_names, wide
from tests.methods.linear.witness import (
    NIST,
    exact_f,
    folds,
    gappy,
    nist_groups,
    scores_of,
    statsmodels_table,
)


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_blocked_agrees_with_r(name):
    case = golden(name)
    got = pc.anova(scores_of(case)).table
    expected = case["outputs"]["anova_blocked"]["value"]
    assert list(got["term"]) == ["block", "algorithm", "residual"]
    assert expected["term"] == ["blk", "alg", "Residuals"]
    for ours, theirs in {"df": "Df", "sum_sq": "SS", "mean_sq": "MS"}.items():
        assert_digits(got[ours], expected[theirs], at_least=12, what=ours)
    f, p = (np.array(expected[key][:2], float) for key in ("F", "p"))
    assert_digits(got["statistic"][:2], f, at_least=12, what="F")
    # The logarithm of a tail has the digits of F; a tail of 1e-100 loses two.
    assert_digits(got["p_value"][:2], p, at_least=11, what="p")


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_one_way_agrees_with_r(name):
    case = golden(name)
    got = pc.anova(scores_of(case), blocked=False)
    expected = case["outputs"]["anova_oneway"]["value"]
    assert_digits(got.table["sum_sq"], expected["SS"], at_least=12)
    assert_digits(got.statistic, expected["F"], at_least=12)
    assert_digits(got.p_value, expected["p"], at_least=11)


@pytest.mark.parametrize("path", NIST, ids=lambda path: path.stem)
def test_nist_sets_have_15_digits_of_the_exact_f_of_the_doubles(path):
    groups, certified = nist_groups(path)
    got = pc.anova(wide(np.stack(groups, axis=1), "lower"), blocked=False)
    exact = exact_f(groups)
    assert abs(Fraction(got.statistic) - exact) / exact < Fraction(1, 10**15)
    # What double input leaves of the certified value, no less.
    limit = lre(float(exact), certified)
    assert_digits(got.statistic, certified, at_least=min(limit, 14) - 0.01)


def test_all_eleven_nist_sets_are_there():
    assert len(NIST) == 11


@pytest.mark.parametrize("name", golden_names("sphericity_"))
def test_sphericity_agrees_with_r(name):
    case = golden(name)
    outputs = case["outputs"]
    got = pc.anova(scores_of(case)).sphericity
    w = outputs["mauchly_test"]["value"]["statistic"]["W"]
    assert_digits(got.statistic, w, at_least=12)
    epsilon = outputs["epsilon_stats_sphericity_exact"]["value"]
    assert_digits(got.greenhouse_geisser, epsilon["GG"], at_least=12)
    assert_digits(got.huynh_feldt, epsilon["HF"], at_least=12)
    corrected = outputs["anova_mlm_spherical"]["value"]
    assert_digits(got.p_greenhouse_geisser, corrected["p_GG"], at_least=12)
    assert_digits(got.p_huynh_feldt, corrected["p_HF"], at_least=12)


def box_second_term(q, n):
    """Box's general expansion (Anderson 2003, sec. 8.5) for Mauchly's W^(n/2)."""

    def bernoulli3(x):
        return x**3 - 1.5 * x**2 + 0.5 * x

    rho = 1 - (2 * q * q + q + 2) / (6 * q * n)
    x, y = n / 2, q * n / 2
    total = sum(
        bernoulli3((1 - rho) * x - (k - 1) / 2) / (rho * x) ** 2
        for k in range(1, q + 1)
    )
    return -(total - bernoulli3((1 - rho) * y) / (rho * y) ** 2) / 6


@pytest.mark.parametrize("name", golden_names("sphericity_"))
def test_mauchlys_p_has_boxs_second_term_and_r_another(name):
    case = golden(name)
    scores = scores_of(case)
    got = pc.anova(scores).sphericity
    q, n = scores.n_algorithms - 1, scores.n_blocks - 1
    f = q * (q + 1) / 2 - 1
    rho = 1 - (2 * q * q + q + 2) / (6 * q * n)
    z = -n * rho * math.log(got.statistic)
    first, second = stats.chi2.sf(z, f), stats.chi2.sf(z, f + 4)
    ours = first + box_second_term(q, n) * (second - first)
    assert_digits(got.p_value, ours, at_least=11)
    factor = (q + 2) * (q - 1) * (q - 2) / (288 * (n * q * rho) ** 2)
    of_r = first + factor * (2 * q**3 + 6 * q**2 + 3 * (q + 1) + 2) * (second - first)
    r = case["outputs"]["mauchly_test"]["value"]["p.value"]
    assert_digits(of_r, r, at_least=11)


def test_mauchly_says_when_it_cannot_be():
    w, p, notes = mauchly(np.ones(4), 4, 3)
    assert math.isnan(w) and math.isnan(p) and "too few" in notes[0]
    assert pc.anova(wide(np.eye(3)[:, :2])).sphericity is None


@pytest.mark.parametrize("scale", [1e-290, 1.0, 1e300])
def test_a_constant_difference_has_a_w_of_zero_and_a_p_value_of_zero(scale):
    rng = np.random.default_rng(2)
    # One direction of differences, at a level beside which rounding is no difference.
    x = 3 + rng.normal(size=(9, 1)) + rng.normal(size=(9, 1)) * np.array([0, 0.7, 2.2])
    got = pc.anova(wide(x * scale)).sphericity
    assert (got.statistic, got.p_value) == (0, 0) and "is the same" in got.notes[0]
    # The other epsilons are those of one direction: 1 / q.
    assert_digits(got.greenhouse_geisser, 0.5, at_least=13)
    nearly = pc.anova(wide(x + 1e-4 * rng.normal(size=(9, 3)))).sphericity
    assert 0 < nearly.statistic < 1e-6 and 0 < nearly.p_value < 1e-9


@pytest.mark.parametrize("share", [0.1, 0.3])
@pytest.mark.parametrize("blocked", [True, False])
def test_missing_cells_are_exact_as_in_statsmodels(blocked, share):
    scores = gappy(share=share)
    got = pc.anova(scores, blocked=blocked)
    theirs = statsmodels_table(scores, got.formula)
    # statsmodels inverts by singular values and keeps fewer digits.
    assert_digits(got.table["sum_sq"], theirs["sum_sq"], at_least=10)
    assert_digits(got.table["df"], theirs["df"], at_least=15)
    assert_digits(got.p_value, theirs["PR(>F)"]["algorithm"], at_least=10)
    assert blocked == any("missing; the algorithms" in note for note in got.notes)


def test_a_full_table_and_its_design_give_the_same():
    scores = folds()
    got = pc.anova(scores)
    # Folds of data sets span what blocks span; aliased columns confuse statsmodels.
    theirs = statsmodels_table(scores, "y0 ~ block + algorithm")
    assert list(got.table["term"]) == [
        "dataset",
        "block in dataset",
        "algorithm",
        "residual",
    ]
    assert_digits(got.statistic, theirs["F"]["algorithm"], at_least=10)
    plain = pc.anova(wide(scores.column(), "lower"))
    assert_digits(got.statistic, plain.statistic, at_least=14)
    assert_digits(got.table["sum_sq"][:2].sum(), plain.table["sum_sq"][0], at_least=13)


def test_two_algorithms_reduce_to_the_paired_t():
    x = np.random.default_rng(1).normal(size=(12, 2))
    t = stats.ttest_rel(*x.T)
    got = pc.anova(wide(x))
    assert_digits(got.statistic, t.statistic**2, at_least=12, what="F = t^2")
    assert_digits(got.p_value, t.pvalue, at_least=12)


def test_one_way_is_f_oneway_also_when_unbalanced():
    scores = gappy()
    x = scores.column()
    expected = stats.f_oneway(*(c[~np.isnan(c)] for c in x.T))
    got = pc.anova(scores, blocked=False)
    assert_digits(got.statistic, expected.statistic, at_least=12)
    assert_digits(got.p_value, expected.pvalue, at_least=12)
    assert_digits(got.means, np.nanmean(x, axis=0), at_least=13)


def test_ranks_give_iman_and_davenports_f(garcia_herrera):
    friedman = pc.friedman(garcia_herrera)
    ranks = pc.Scores.from_wide(
        pd.DataFrame(friedman.blocks.ranks()).add_prefix("A"),
        metric="rank",
        better="lower",
    )
    got = pc.anova(ranks)
    assert_digits(got.statistic, friedman.iman_davenport.statistic, at_least=12)


def test_npk_effects_of_one_factor_in_blocks():
    # Averaging over P and K leaves N in blocks; its sum of squares is that of R.
    case = golden("classic_npk")
    d = pd.DataFrame({k: case["input"][k] for k in ("block", "N", "yield")})
    x = d.groupby(["block", "N"])["yield"].mean().unstack().to_numpy()
    expected = case["outputs"]["aov_block"]["value"]
    got = pc.anova(wide(x)).table["sum_sq"]
    assert_digits(2 * got[:2], expected["SS"][:2], at_least=12)


def test_warpbreaks_one_way():
    case = golden("classic_warpbreaks")["input"]
    d = pd.DataFrame({k: case[k] for k in ("breaks", "tension")})
    x = np.stack([d["breaks"][d["tension"] == t] for t in "LMH"], axis=1)
    got = pc.anova(wide(x), blocked=False)
    assert_digits(got.table["sum_sq"][0], 2034.259259259258, at_least=12)


def test_effect_sizes_of_a_one_way_table_are_eta_squared():
    got = pc.anova(gappy(), blocked=False)
    assert got.partial_eta2.estimate == got.generalised_eta2.estimate
    assert_digits(
        got.partial_eta2.conf_high, got.generalised_eta2.conf_high, at_least=14
    )
    f, (df1, df2) = got.statistic, got.df
    assert_digits(got.partial_eta2.estimate, df1 * f / (df1 * f + df2), at_least=13)


def test_generalised_eta_squared_is_that_of_rstatix():
    case = golden("sphericity_sim_10x3")
    ges = case["outputs"]["rstatix_anova_test"]["value"]["anova"]["ges"]
    got = pc.anova(scores_of(case)).generalised_eta2
    assert round(got.estimate, 3) == ges
    assert got.conf_low <= got.estimate <= got.conf_high


def test_interval_begins_at_zero_where_f_is_not_significant():
    x = np.random.default_rng(6).normal(size=(10, 4))
    got = pc.anova(wide(x), level=0.9)
    assert (got.partial_eta2.conf_low > 0) == (got.p_value < 0.05)


@pytest.mark.parametrize("name", golden("effect_sizes")["tables"])
@pytest.mark.parametrize("blocked", [True, False])
def test_effect_sizes_are_those_of_effectsize(name, blocked):
    table = golden("effect_sizes")["tables"][name]
    x = np.reshape(table["by_row"], (-1, table["columns"]))
    theirs = table["blocked" if blocked else "one_way"]
    got = pc.anova(wide(x), blocked=blocked)
    assert_digits(got.statistic, theirs["statistic"], at_least=12)
    assert_digits(got.partial_eta2.estimate, theirs["eta2"], at_least=12)
    assert_digits(max(0.0, got.omega2.estimate), theirs["omega2"], at_least=11)
    for end in ("conf_low", "conf_high"):
        ours = getattr(got.partial_eta2, end)
        assert ours == getattr(got.omega2, end)
        assert ours == pytest.approx(theirs[end], rel=1e-4, abs=1e-12)


def test_partial_effect_sizes_lie_inside_their_interval_however_many_blocks():
    for seed in range(30):
        x = np.random.default_rng(seed).normal([0, 0.8, 1.6], size=(1000, 3))
        got = pc.anova(wide(x))
        for size in (got.partial_eta2, got.omega2, got.generalised_eta2):
            assert size.conf_low < size.estimate < size.conf_high
    x = np.random.default_rng(0).normal([0, 1.6], size=(1000, 2))
    got = pc.anova(wide(x))
    # s2 / (s2 + v) with means 0 and 1.6, s2 = 1.28, v = 1.
    assert got.omega2.conf_low < 1.28 / 2.28 < got.omega2.conf_high
    assert abs(got.partial_eta2.estimate - got.omega2.estimate) < 0.001


@pytest.mark.parametrize(("a", "b", "share"), [(3, 10, 0.3), (5, 8, 0.5), (2, 30, 0.2)])
def test_the_interval_covers_the_stated_share(a, b, share):
    df_error = (a - 1) * (b - 1)
    tau = np.arange(a) - (a - 1) / 2
    tau *= math.sqrt(share / (1 - share) * df_error / b / np.sum(tau**2))
    s2 = np.var(tau, ddof=1)
    assert_digits(s2 / (s2 + (b - 1) / b), share, at_least=12)
    rng, runs = np.random.default_rng(3), 500
    blocks = rng.normal(size=(runs, b, 1))
    covered = 0
    for x in tau + blocks + rng.normal(size=(runs, b, a)):
        size = pc.anova(wide(x)).partial_eta2
        covered += size.conf_low <= share <= size.conf_high
    assert abs(covered / runs - 0.95) < 3 * math.sqrt(0.95 * 0.05 / runs)


def test_perfect_fit_is_flagged():
    x = np.arange(5.0)[:, None] * 0.1 + np.array([0.1, 0.2, 0.7])
    got = pc.anova(wide(x))
    assert got.statistic == math.inf
    assert_digits(got.p_value, 6.0**-4, at_least=14)
    assert "perfect fit" in got.notes[0]
    assert got.partial_eta2.estimate == 1
    assert math.isnan(got.partial_eta2.conf_low)


def test_identical_algorithms_cannot_be_tested():
    for blocked, x in (
        (True, np.tile(np.arange(4.0)[:, None], 3)),
        (False, np.ones((4, 3))),
    ):
        got = pc.anova(wide(x * 0.1), blocked=blocked)
        assert math.isnan(got.statistic) and math.isnan(got.p_value)
        assert "0/0" in got.notes[0]
        assert not got.rejected(0.05)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300, 1e306])
def test_units_do_not_matter(scale):
    x = np.random.default_rng(7).normal(size=(8, 3))
    near, far = pc.anova(wide(x)), pc.anova(wide(x * scale))
    assert_digits(far.statistic, near.statistic, at_least=13)
    assert_digits(far.means, near.means * scale, at_least=12)


def test_a_plain_analysis_imports_no_statsmodels():
    code = (
        "import sys, pycompare as pc; pc.anova(pc.example());"
        "sys.exit(bool({'statsmodels', 'pingouin'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_huynh_feldts_epsilon_is_undefined_for_two_blocks():
    found = pc.anova(wide(np.random.default_rng(1).normal(size=(2, 4)))).sphericity
    assert_digits(found.greenhouse_geisser, 1 / 3, at_least=14)
    assert math.isnan(found.huynh_feldt) and math.isnan(found.p_huynh_feldt)


def test_scores_that_differ_between_blocks_only_are_not_said_to_be_equal():
    scores = wide(np.arange(5.0)[:, None] + np.zeros(3))
    assert "do not differ within blocks" in pc.anova(scores).notes[0]
    assert "within" not in pc.anova(wide(np.ones((5, 3))), blocked=False).notes[0]


@pytest.mark.parametrize("unit", [2.0**-30, 2.0**30])
def test_epsilons_do_not_depend_on_the_unit(unit):
    x = np.random.default_rng(1).normal(size=(10, 4))
    small, one = (pc.anova(wide(x * u)).sphericity for u in (unit, 1.0))
    assert_digits(small.greenhouse_geisser, one.greenhouse_geisser, at_least=13)
    assert_digits(small.huynh_feldt, one.huynh_feldt, at_least=13)


def test_a_block_with_one_algorithm_changes_no_effect_size():
    x = np.random.default_rng(2).normal(size=(8, 3)) + np.arange(3)
    alone = np.vstack([x, [9.0, np.nan, np.nan], [np.nan, -7.0, np.nan]])
    got = pc.anova(wide(alone, missing="model"))
    plain = pc.anova(wide(x))
    assert_digits(got.statistic, plain.statistic, at_least=12)
    for name in ("partial_eta2", "omega2", "generalised_eta2"):
        ours, theirs = getattr(got, name), getattr(plain, name)
        assert_digits(ours.estimate, theirs.estimate, at_least=12, what=name)
        assert_digits(ours.conf_high, theirs.conf_high, at_least=11, what=name)
    folds = pc.Scores(
        got.fit.values[:, :, None],
        tuple("abcdefghij"),
        ("A", "B", "C"),
        (pc.Metric("score", "higher"),),
        datasets=tuple("1112223334"),
        missing="model",
    )
    nested = pc.anova(folds)
    assert_digits(nested.omega2.estimate, plain.omega2.estimate, at_least=12)
    assert_digits(
        nested.generalised_eta2.estimate, plain.generalised_eta2.estimate, at_least=12
    )


@pytest.mark.parametrize("seed", range(8))
def test_w_is_zero_where_equal_differences_are_rounded(seed):
    rng = np.random.default_rng(seed)
    few = np.repeat(1e9 * rng.normal(size=(11, 1)), 3, axis=1)
    few[0] = 1e9 * rng.normal(size=3)
    found = pc.anova(wide(few)).sphericity
    assert found.statistic == 0 and found.p_value == 0
