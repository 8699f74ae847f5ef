"""Power by formula and by simulation, the search for a size, refusals."""

import dataclasses
import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare import sizes
from pycompare.apps.cli.fields import texts_of
from pycompare.base.testing import assert_digits
from pycompare.kernels import area_moments
from pycompare.kernels import power as kernel
from pycompare.sizes import cases, studies
from pycompare.sizes.design import StudyDesign
from tests.conftest import wide
from tests.methods.linear.witness import several

READERS = {
    "areas": (0.8, 0.86),
    "reader": 0.0055,
    "modality_reader": 0.0055,
    "case": 0.3,
    "modality_case": 0.3,
    "reader_case": 0.2,
    "error": 0.2,
}
VECTORS = {
    "means": ((0, 0, 0), (0.04, 0, 0), (0, 0.03, 0), (0, 0, 0.03)),
    "sd": (0.04, 0.03, 0.03),
    "correlation": 0.2,
}
SIZES = [
    (sizes.PairedT(difference=0.02, sd=0.04), 34),
    (sizes.CorrectedT(difference=0.05, sd=0.05, test_share=1 / 9), 10),
    (sizes.Sign(win=0.75, tie=0.1), 40),
    (sizes.McNemar(only_first=0.1, only_second=0.05), 200),
    (sizes.Gate(margin=0.1, discordance=0.1), 100),
    (
        sizes.Labels(difference=0.1, sd=0.7, correlation=0.6, items=5000, binary=False),
        200,
    ),
    (sizes.Equivalence(margin=0.02, sd=0.04), 40),
    (sizes.NonInferiority(margin=0.02, sd=0.04), 30),
    (sizes.BlockedAnova(means=(0, 0.01, 0.03), sd=0.04), 20),
    (sizes.MeanVectors(difference=(0.02, 0.01), sd=(0.04, 0.03)), 20),
    (sizes.Manova(**VECTORS), 8),
    (sizes.Auc(auc=0.7), 100),
    (sizes.Auc(auc=0.7, variance="hanley-mcneil"), 100),
    (sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.5), 200),
    (sizes.Delong(auc_1=0.9, auc_2=0.95, correlation=0.3, prevalence=0.2), 150),
    (sizes.DelongMargin(auc_1=0.84, auc_2=0.85, correlation=0.6, margin=0.05), 300),
    (sizes.Mrmc(n_cases=100, **READERS), 5),
    (sizes.MrmcCases(n_readers=3, **READERS), 100),
]


@pytest.mark.parametrize(("design", "n"), SIZES, ids=lambda x: getattr(x, "name", x))
def test_the_formula_is_within_two_errors_of_the_simulation(design, n):
    row = pc.power(design, n=n, trials=2000, seed=3).table.iloc[0]
    error = math.sqrt(row["power_formula"] * (1 - row["power_formula"]) / 2000)
    assert abs(row["power_simulated"] - row["power_formula"]) < 2 * error
    assert row["conf_low"] < row["power_simulated"] < row["conf_high"]


def test_every_design_has_a_name_of_its_own_and_a_row_here():
    assert set(studies.DESIGNS.values()) == set(map(type, ALL))
    assert all(d.name == name for name, d in studies.DESIGNS.items())


ALL: list[StudyDesign] = [
    *(design for design, _ in SIZES),
    sizes.Wilcoxon(difference=0.02, sd=0.04),
    sizes.Friedman(means=(0, 0.01, 0.03), sd=0.04),
]
NULL = [
    (sizes.Wilcoxon(difference=0, sd=2.0), 20),
    (sizes.Friedman(means=(1, 1, 1, 1), sd=2.0), 20),
    (sizes.PairedT(difference=0, sd=2.0), 6),
    (sizes.Manova(means=(1,) * 6, sd=(2.0, 1.0)), 4),
    (sizes.CorrectedT(difference=0, sd=1.0, test_share=0.25), 8),
    (sizes.Delong(auc_1=0.8, auc_2=0.8, correlation=0.4), 300),
    (sizes.Mrmc(**{**READERS, "areas": (0.8, 0.8)}, n_cases=100), 6),
    (sizes.Auc(auc=0.6, null=0.6), 100),
]


@pytest.mark.parametrize(("design", "n"), NULL, ids=lambda x: getattr(x, "name", x))
def test_without_an_effect_the_power_is_the_level(design, n):
    row = pc.power(design, n=n, trials=2000, seed=5).table.iloc[0]
    assert 0.03 < row["power_simulated"] < 0.066
    exact = not isinstance(design, sizes.Auc | sizes.Delong | sizes.Mrmc)
    # Of AUCs the formula gives the level of the test, which is not alpha exactly.
    far = abs(row["power_formula"] - 0.05)
    assert math.isnan(far) or far < (1e-9 if exact else 0.002)


def test_published_sizes():
    # Cohen (1988), table 2.4.1 by exact calculation; Machin et al., one-sample t.
    for d, n in ((0.2, 199), (0.5, 34), (0.8, 15)):
        found = pc.power(sizes.PairedT(difference=d, sd=1.0), trials=0)
        assert found.n_required == n and found.target == 0.8


def test_the_size_is_the_smallest_one():
    for design in (ALL[0], ALL[4], ALL[7], ALL[11]):
        n = pc.power(design, target=0.9, trials=0).n_required
        assert design.formula(n, 0.05) >= 0.9 > design.formula(n - 1, 0.05)


def test_the_size_of_an_exact_test_is_found_in_few_steps(monkeypatch):
    tried = []
    formula = sizes.Sign.formula

    def counted(design, n, alpha):
        tried.append(n)
        return formula(design, n, alpha)

    design = sizes.Sign(win=0.53, tie=0.2)
    monkeypatch.setattr(sizes.Sign, "formula", counted)
    n = pc.power(design, trials=0).n_required
    assert n > 2000 and len(tried) < 300
    after = [formula(design, k, 0.05) for k in range(n - 1, n + 60)]
    assert after[0] < 0.8 <= min(after[1:])


@pytest.mark.parametrize("alpha", [0.05, 1e-10, 1e-300])
def test_the_largest_count_that_is_significant(alpha):
    m = np.array([1, 5, 40, 2000, 10_000])
    found = kernel._most_losses(m, alpha)
    for k, of in zip(found, m, strict=True):
        assert k < 0 or 2 * stats.binom.cdf(k, of, 0.5) <= alpha
        assert 2 * stats.binom.cdf(k + 1, of, 0.5) > alpha


def test_the_power_of_an_exact_test_has_teeth_and_holds_from_the_size_on():
    design = sizes.Sign(win=0.75)
    n = pc.power(design, trials=0).n_required
    every = np.array([design.formula(k, 0.05) for k in range(2, 3 * n)])
    assert (np.diff(every) < 0).any()
    assert (every[n - 2 :] >= 0.8).all() and every[n - 3] < 0.8


def test_the_sign_test_by_brute_force():
    win, tie, n = 0.7, 0.2, 9
    total = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            p = stats.multinomial(n, [win * (1 - tie), (1 - win) * (1 - tie), tie]).pmf(
                [wins, losses, n - wins - losses]
            )
            if wins + losses and stats.binomtest(wins, wins + losses).pvalue <= 0.05:
                total += p
    assert_digits(kernel.sign_test(n, win, tie, 0.05), total, at_least=12)


def test_mcnemar_is_the_sign_test_of_discordant_cases():
    case = sizes.McNemar(only_first=0.12, only_second=0.04)
    signs = sizes.Sign(win=0.75, tie=0.84)
    assert_digits(case.formula(90, 0.05), signs.formula(90, 0.05), at_least=13)


def test_a_difference_at_the_margin_is_claimed_at_alpha():
    worse = sizes.NonInferiority(margin=0.02, sd=0.04, difference=-0.02)
    assert_digits(worse.formula(25, 0.025), 0.025, at_least=12)
    edge = sizes.Equivalence(margin=1.0, sd=0.1, difference=1.0)
    assert_digits(edge.formula(25, 0.05), 0.05, at_least=9)
    assert sizes.Equivalence(margin=0.001, sd=1.0).formula(5, 0.05) < 1e-3


def test_a_class_of_few_cases_has_its_power_simulated():
    design = sizes.Delong(auc_1=0.6, auc_2=0.9, correlation=0.2, prevalence=0.05)
    found = pc.power(design, n=40, trials=500, seed=1)
    assert "smaller class has 2 of 40 cases" in found.summary()
    row = found.table.iloc[0]
    assert f"{row['power_simulated']:.1%} (by 500 simulated" in found.sentence()
    smallest = pc.power(design, target=0.3, trials=500, seed=1).n_required
    assert design.prevalence * smallest < 10
    rows = pc.power(design, n=[smallest - 1, smallest], trials=500, seed=1).table
    assert (rows["power_simulated"] >= 0.3).tolist() == [False, True]


def test_an_approximate_formula_is_not_the_power_that_is_stated():
    design = sizes.Mrmc(n_cases=60, **READERS)
    found = pc.power(design, n=4, trials=200, seed=1)
    assert "(by 200 simulated studies)" in found.sentence()
    assert any("State the simulated power" in note for note in found.notes)
    assert "by formula" in pc.power(design, n=4, trials=0).sentence()


def test_readers_and_cases_can_both_be_searched():
    cases = pc.power(sizes.MrmcCases(n_readers=6, **READERS), trials=0).n_required
    readers = sizes.Mrmc(n_cases=cases, **READERS).formula(6, 0.05)
    assert readers >= 0.8 > sizes.Mrmc(n_cases=cases - 1, **READERS).formula(6, 0.05)


def test_manova_of_two_algorithms_is_hotellings_test():
    both = sizes.Manova(means=(0.9, 0.8, 0.92, 0.81), sd=(0.04, 0.03))
    sd = tuple(math.sqrt(2) * s for s in both.sd)
    paired = sizes.MeanVectors(difference=(0.02, 0.01), sd=sd)
    for n in (3, 20, 80):
        assert_digits(both.formula(n, 0.05), paired.formula(n, 0.05), at_least=9)


def test_manova_of_means_on_a_line_has_one_noncentral_factor():
    # Lambda = B1 B2: B2 is central and B1 / (1 - B1) = E / H, in 3 and v degrees.
    design = sizes.Manova(means=(0, 0, 1, 1, 2, 2, 3, 3), sd=(2.0, 2.0))
    n, a = 6, 4
    q, v = a - 1, (a - 1) * (n - 1)
    rng = np.random.default_rng(7)
    e = np.array([rng.chisquare(v, 400_000), rng.chisquare(v - 1, 400_000)])
    h = [rng.noncentral_chisquare(q, n * 2 * 5 / 4, 400_000), rng.chisquare(q, 400_000)]
    t = 2  # Rao's root for two responses
    df2 = 2 * (v - 1)
    f = (np.prod(1 + h / e, axis=0) ** (1 / t) - 1) * df2 / (2 * q)
    simulated = np.mean(f >= stats.f.isf(0.05, 2 * q, df2))
    assert abs(simulated - design.formula(n, 0.05)) < 4 * 0.5 / math.sqrt(400_000)


def test_manova_makes_the_test_of_pc_manova():
    design = sizes.Manova(**VECTORS)
    p = design.p_values(np.random.default_rng(4), 6, 2)
    root = np.linalg.cholesky(design.covariance)
    noise = np.random.default_rng(4).standard_normal((2, 6, 4, 3)) @ root.T
    for values, wanted in zip(design.table + noise, p, strict=True):
        assert_digits(pc.manova(several(values)).p_value, wanted, at_least=12)


def test_a_pilot_study_gives_the_design():
    x = np.random.default_rng(1).normal([0, 0.2, 0.9], size=(12, 3))
    pilot = sizes.PairedT.from_scores(wide(x), algorithms=("A3", "A1"))
    d = x[:, 2] - x[:, 0]
    assert_digits([pilot.difference, pilot.sd], [d.mean(), d.std(ddof=1)], at_least=13)
    means = sizes.BlockedAnova.from_scores(wide(x))
    tukey = pc.tukey(wide(x)).table
    error = tukey["std_error"].iloc[0] ** 2 * 12 / 2
    assert_digits(means.sd**2, error, at_least=12)


def test_a_pilot_gives_shares_of_wins_and_of_ties():
    x = [[1, 2]] * 5 + [[2, 1]] * 2 + [[3, 3]] * 3
    first = sizes.Sign.from_scores(wide(x, better="lower"))
    assert_digits([first.win, first.tie], [5 / 7, 0.3], at_least=14)
    assert_digits(sizes.Sign.from_scores(wide(x)).win, 2 / 7, at_least=14)
    assert sizes.Sign.from_scores(wide(x), tie=0.0).tie == 0


def test_a_pilot_gives_shares_of_discordant_cases():
    right = [[1, 0]] * 4 + [[0, 1]] * 1 + [[1, 1]] * 9 + [[0, 0]] * 6
    found = sizes.McNemar.from_scores(wide(right))
    assert_digits([found.only_first, found.only_second], [0.2, 0.05], at_least=14)
    lower = sizes.McNemar.from_scores(wide(right), only_second=0.1)
    assert (lower.only_first, lower.only_second) == (0.2, 0.1)


def test_a_pilot_of_several_metrics_gives_the_power_of_its_own_test():
    x = np.random.default_rng(3).normal([[0, 1], [0.2, 1.4]], [1, 2], size=(15, 2, 2))
    pilot = sizes.MeanVectors.from_scores(several(x), algorithms=("A1", "A0"))
    d = x[:, 1] - x[:, 0]
    assert_digits(pilot.difference, d.mean(axis=0), at_least=12)
    assert_digits(pilot.covariance, np.cov(d.T), at_least=12)
    # Hotelling's T2 of the pilot is the noncentrality that the design takes.
    t2 = pc.hotelling(several(x)).statistic * 2 * 14 / 13
    delta = np.asarray(pilot.difference)
    noncentrality = 15 * delta @ np.linalg.solve(pilot.covariance, delta)
    assert_digits(noncentrality, t2, at_least=11)
    both = sizes.Manova.from_scores(several(x))
    assert_digits(both.formula(20, 0.05), pilot.formula(20, 0.05), at_least=9)
    assert_digits(both.table, x.mean(axis=0), at_least=12)


def test_a_pilot_of_cases_gives_areas_and_their_correlation():
    truth = sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.5, prevalence=0.4)
    label, x = truth.model.sample(
        np.random.default_rng(1), n_readers=1, n_positive=200, n_negative=300
    )
    scores = x[0, :, 0].T
    found = sizes.Delong.from_cases(label, scores, positive=True)
    test = pc.delong(label, scores, positive=True)
    assert_digits([found.auc_1, found.auc_2], test.area.to_list(), at_least=14)
    assert found.prevalence == 0.4 and 0.35 < found.correlation < 0.65
    one = sizes.Auc.from_cases(label, scores[:, 0], positive=True, null=0.7)
    assert (one.auc, one.prevalence, one.null) == (found.auc_1, 0.4, 0.7)


def test_the_correlation_of_a_pilot_is_that_of_the_same_error():
    model = sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.6)
    parts = area_moments.binormal(model.model.separation, 0.6)
    error = math.sqrt(parts.variance(70, 50, pairs=2))
    found = cases.correlation_of((0.8, 0.88), error, 70, 50)
    assert_digits(found, 0.6, at_least=6)


def test_a_pilot_of_ratings_gives_areas_and_variances():
    model = sizes.Mrmc(n_cases=100, **READERS).model
    ratings = model.draw(n_readers=5, n_positive=40, n_negative=60, seed=2)
    found = sizes.Mrmc.from_ratings(ratings)
    table = pc.variance_components(ratings).table.set_index("component")["estimate"]
    names = ("reader", "modality x reader", "error", "Cov1", "Cov2", "Cov3")
    published = ("VAR_R", "VAR_TR", "ERROR", "COV1", "COV2", "COV3")
    for name, key in zip(names, published, strict=True):
        assert found.components[key] == table[name]
    areas = pc.mrmc(ratings).areas["estimate"]
    assert_digits(found.areas, areas.to_list(), at_least=12)
    assert (found.n_cases, found.prevalence) == (100, 0.4)
    assert found.component_cases == 100
    assert sizes.MrmcCases.from_ratings(ratings).n_readers == 5
    assert sizes.MrmcCases.from_ratings(ratings, n_readers=9).n_readers == 9


LABEL = [1, 1, 1, 0, 0, 0]
RATED = pc.Ratings(
    values=np.zeros((2, 2, 4)),
    truth=None,
    modalities=("a", "b"),
    readers=("r", "s"),
    cases=tuple("wxyz"),
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sizes.Sign.from_scores(wide([[1, 1]] * 4)), "wins 0 and"),
        (lambda: sizes.Sign.from_scores(wide([[2, 1]] * 4)), "needs wins of both"),
        (
            lambda: sizes.McNemar.from_scores(wide([[1, 0], [1, 1], [1, 0]])),
            "state only_second",
        ),
        (lambda: sizes.McNemar.from_scores(wide([[0.5, 0], [1, 1]])), "right and"),
        (
            lambda: sizes.Manova.from_scores(several(np.ones((5, 3, 2)))),
            "the same in every block",
        ),
        (
            lambda: sizes.MeanVectors.from_scores(several(np.ones((5, 2, 2)))),
            "the same in every block",
        ),
        (
            lambda: sizes.Auc.from_cases([1] * 6, range(6), positive=1),
            "needs cases of two classes",
        ),
        (
            lambda: sizes.Auc.from_cases(LABEL, range(6, 0, -1), positive=1),
            "perfect separation",
        ),
        (
            lambda: sizes.Delong.from_cases(
                LABEL, np.array([[3, 1, 2, 2, 1, 0]] * 2).T, positive=1
            ),
            "order the cases alike",
        ),
        (
            lambda: sizes.Delong.from_cases(
                LABEL, np.eye(6)[:, :3] + np.arange(3), positive=1
            ),
            "3 classifiers: give two",
        ),
        (lambda: sizes.Mrmc.from_ratings(RATED), "truth"),
        (
            lambda: sizes.Equivalence.from_scores(wide([[1, 2], [1, 3], [2, 2]])),
            "margin: a pilot study does not determine it",
        ),
    ],
)
def test_a_pilot_without_an_effect_is_refused_in_clear_words(make, message):
    with pytest.raises((pc.InputError, pc.DesignError), match=message):
        make()


def test_the_same_seed_gives_the_same_studies():
    design = sizes.Wilcoxon(difference=0.5, sd=1.0)
    one, two = (pc.power(design, n=20, trials=700, seed=9).table for _ in range(2))
    assert one.equals(two)
    other = pc.power(design, n=20, trials=700, seed=10).table
    assert other["power_simulated"].item() != one["power_simulated"].item()


def test_the_sentence_names_the_test_the_size_the_effect_and_the_seed():
    found = pc.power(sizes.PairedT(difference=0.02, sd=0.04), trials=500, seed=8)
    said = found.sentence()
    for part in ("34 data sets", "paired t test", "80.8%", "0.02", "seed 8", "95% CI"):
        assert part in said
    assert found.summary().startswith(said)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sizes.PairedT(difference=math.nan, sd=1), "difference=nan"),
        (lambda: sizes.PairedT(difference=0.1, sd=0), "sd=0: give a number above 0"),
        (lambda: sizes.PairedT(difference="x", sd=1), "difference='x'"),
        (lambda: sizes.Sign(win=1.2), "win=1.2"),
        (lambda: sizes.Sign(win=0.6, tie=1), "tie=1"),
        (lambda: sizes.McNemar(only_first=0.7, only_second=0.4), "more than 1"),
        (lambda: sizes.BlockedAnova(means=(1, 2), sd=1), "3 finite numbers"),
        (lambda: sizes.MeanVectors(difference=(1, 2), sd=(1, 2, 3)), "one number"),
        (
            lambda: sizes.MeanVectors(difference=(1, 2, 3), sd=(1,), correlation=-0.6),
            "above -0.5",
        ),
        (lambda: sizes.Manova(means=(1, 2, 3, 4, 5), sd=(1, 1)), "whole number of"),
        (lambda: sizes.Manova(means=((1, 2), (3,)), sd=(1, 1)), "rows of one length"),
        (lambda: sizes.Manova(means=(1, 2, 3), sd=(1, 1)), "4 finite numbers"),
        (lambda: sizes.Manova(means=(1, 2, 3, 4), sd=(1,)), "2 finite numbers"),
        (lambda: sizes.Manova(means=(1, 2, 3, 4), sd=(1, 0)), "above 0"),
        (lambda: sizes.Auc(auc=0.7, variance="x"), "hanley-mcneil"),
        (lambda: sizes.Delong(auc_1=0.7, auc_2=0.8, correlation=1), "correlation=1"),
        (
            lambda: sizes.Mrmc(n_cases=9, **{**READERS, "areas": (0.5, 1.2)}),
            "between 0 and 1",
        ),
        (lambda: sizes.Mrmc(n_cases=9, **{**READERS, "case": -1}), "case=-1"),
        (lambda: sizes.Mrmc(n_cases=1, **READERS), "n_cases=1"),
        (lambda: sizes.MrmcCases(n_readers=2.5, **READERS), "n_readers=2.5"),
        (lambda: pc.power("paired-t"), "give a design"),
        (lambda: pc.power(ALL[0], n=10, target=0.9), "not both"),
        (lambda: pc.power(ALL[0], n=1), "from 2"),
        (lambda: pc.power(ALL[0], n=[]), "one size or more"),
        (lambda: pc.power(ALL[0], target=0.01), "target=0.01"),
        (lambda: pc.power(ALL[0], alpha=0.7), "alpha=0.7"),
        (lambda: pc.power(ALL[0], n=10, trials=-1), "trials=-1"),
        (
            lambda: pc.power(sizes.Wilcoxon(difference=1, sd=1), trials=0),
            "no formula",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(make, message):
    with pytest.raises(pc.InputError, match=message):
        make()


@pytest.mark.filterwarnings("error")
def test_a_difference_that_drowns_its_spread_is_always_significant():
    found = pc.power(sizes.PairedT(difference=1e50, sd=1e-50), n=3, trials=20)
    assert found.table["power_formula"].item() == 1
    assert found.table["power_simulated"].item() == 1


def test_no_effect_reaches_no_power():
    with pytest.raises(pc.DesignError, match="no size up to"):
        pc.power(sizes.PairedT(difference=0.0, sd=1.0), trials=0)


FEW_CASES = {
    "n_cases": 12,
    **{"reader": 0.01, "modality_reader": 0.01, "case": 0.3, "modality_case": 0.3},
    **{"reader_case": 0.2, "error": 0.2},
}
"""The formula is not for so few: a search would have simulated ever more readers."""


def test_a_search_among_readers_without_an_effect_names_the_areas():
    with pytest.raises(pc.DesignError, match=r"areas=0\.8, 0\.8: equal areas"):
        pc.power(sizes.Mrmc(areas=(0.8, 0.8), **FEW_CASES), trials=20)


def test_a_search_ends_before_studies_that_take_too_long(monkeypatch):
    monkeypatch.setattr("pycompare.sizes.power._NUMBERS_OF_A_SIZE", 10**5)
    design = sizes.Mrmc(areas=(0.8, 0.8001), **FEW_CASES)
    with pytest.raises(pc.DesignError, match=r"up to 32 .* larger ones take too long"):
        pc.power(design, trials=20)


def test_covariances_of_many_readers_are_not_held_at_once():
    design = sizes.Mrmc(areas=(0.8, 0.9), **FEW_CASES)
    assert design.numbers(3) == 6 * 12
    assert design.numbers(1000) == 2000**2


@pytest.mark.parametrize("name", studies.DESIGNS)
def test_the_command_line_has_every_design_and_explains_every_field(name):
    from click.testing import CliRunner

    from pycompare.apps.cli.app import cli

    shown = CliRunner().invoke(cli, ["power", name, "--help"])
    assert shown.exit_code == 0
    texts = texts_of(studies.DESIGNS[name])
    for field in dataclasses.fields(studies.DESIGNS[name]):
        assert "--" + field.name.replace("_", "-") in shown.output
        assert len(texts[field.name]) > 10


def test_the_command_line_gives_the_same_numbers():
    from click.testing import CliRunner

    from pycompare.apps.cli.app import cli

    words = ["power", "mean-vectors", "--difference", "0.02", "--difference", "0.01"]
    words += ["--sd", "0.04", "--n", "20", "--trials", "0", "--json"]
    shown = json.loads(CliRunner().invoke(cli, words).output)
    design = sizes.MeanVectors(difference=(0.02, 0.01), sd=(0.04,))
    assert shown["table"][0]["power_formula"] == design.formula(20, 0.05)
    assert shown["sentence"].startswith("With 20 blocks, the power of Hotelling")


SCORES = ["--pilot-algorithm", "algorithm", "--pilot-block", "block"]
METRICS = ["--pilot-metric", "m0:lower", "--pilot-metric", "m1:lower"]
CASES = ["--pilot-label", "y", "--pilot-positive", "yes", "--pilot-score", "s0"]
RATINGS = [
    word
    for name in ("modality", "reader", "case", "rating", "truth")
    for word in (f"--pilot-{name}", name)
]


@pytest.fixture(scope="module")
def pilots(tmp_path_factory):
    """Files of pilot studies: scores, wins and losses of cases, cases, ratings."""
    folder = tmp_path_factory.mktemp("pilots")
    rng = np.random.default_rng(8)
    x = rng.normal([[0, 1], [0.2, 1.4], [0.1, 1.2]], 1, size=(12, 3, 2))
    several(x).to_frame().to_csv(folder / "scores.csv", index=False)
    rows = [
        {"algorithm": a, "block": k, "m0": v}
        for k, pair in enumerate([(1, 0)] * 4 + [(0, 1)] * 2 + [(1, 1)] * 14)
        for a, v in zip("ab", pair, strict=True)
    ]
    pd.DataFrame(rows).to_csv(folder / "right.csv", index=False)
    y = np.repeat(["no", "yes"], 20)
    s = rng.normal((y == "yes") * 1.0, 1, size=(2, 40))
    frame = pd.DataFrame({"y": y, "s0": s[0], "s1": s[0] + s[1]})
    frame.to_csv(folder / "cases.csv", index=False)
    model = sizes.Mrmc(n_cases=30, **READERS).model
    drawn = model.draw(n_readers=3, n_positive=15, n_negative=15, seed=2)
    rows = [
        {"modality": i, "reader": j, "case": k, "rating": v, "truth": drawn.truth[k]}
        for (i, j, k), v in np.ndenumerate(drawn.values)
    ]
    pd.DataFrame(rows).to_csv(folder / "ratings.csv", index=False)
    return folder


ONE, TWO = [*SCORES, *METRICS[:2]], [*SCORES, *METRICS]
PAIR = ["--pilot-pair", "A0", "A1"]
RATED_YES = [*RATINGS, "--pilot-positive", "True"]


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("paired-t", "scores", [*ONE, *PAIR, "--difference", "0.5"]),
        ("sign", "scores", [*ONE, *PAIR]),
        ("mean-vectors", "scores", [*TWO, *PAIR]),
        ("manova", "scores", TWO),
        ("anova", "scores", ONE),
        ("mcnemar", "right", [*SCORES, "--pilot-metric", "m0:higher"]),
        ("auc", "cases", [*CASES, "--null", "0.55"]),
        ("delong", "cases", [*CASES, "--pilot-score", "s1"]),
        ("mrmc", "ratings", RATED_YES),
        ("mrmc-cases", "ratings", RATED_YES),
    ],
)
def test_the_command_line_takes_a_pilot_of_every_kind(
    pycompare, pilots, name, file, words
):
    path = pilots / f"{file}.csv"
    given = ["--pilot", str(path), *words, "--n", "40", "--trials", "0", "--json"]
    status, out, err = pycompare("power", name, *given)
    assert status == 0, err
    shown = json.loads(out)["table"][0]["power_formula"]
    assert_digits(shown, of_file(name, path).formula(40, 0.05), at_least=12)


def of_file(name: str, path) -> StudyDesign:
    """Make the same design in Python."""
    design, frame = studies.DESIGNS[name], pd.read_csv(path)
    if design.pilot == "ratings":
        roles = ("modality", "reader", "case", "rating", "truth")
        ratings = pc.Ratings.from_frame(
            frame, positive=True, **{role: role for role in roles}
        )
        return design.from_ratings(ratings)
    if name == "auc":
        return design.from_cases(frame["y"], frame["s0"], positive="yes", null=0.55)
    if name == "delong":
        return design.from_cases(frame["y"], frame[["s0", "s1"]], positive="yes")
    better = "higher" if name == "mcnemar" else "lower"
    metrics = ["m0", "m1"] if name in ("mean-vectors", "manova") else ["m0"]
    scores = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        metrics=dict.fromkeys(metrics, better),
    )
    if name in ("manova", "anova", "mcnemar"):
        return design.from_scores(scores)
    stated = {"difference": 0.5} if name == "paired-t" else {}
    return design.from_scores(scores, algorithms=("A0", "A1"), **stated)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sign"], "missing --win: state the truth, or give a pilot study"),
        (["sign", "--win", "0.8", "--pilot-block", "b"], "--pilot FILE"),
        (["sign", "--pilot", "x.csv"], "needs --pilot-algorithm, --pilot-block"),
        (["auc", "--pilot", "{}", *CASES, "--pilot-score", "s1"], "name one column"),
        (["auc", "--pilot", "{}", *CASES[:4], "--pilot-score", "z"], "no column 'z'"),
    ],
)
def test_a_pilot_on_the_command_line_is_refused_in_clear_words(
    pycompare, pilots, words, message
):
    file = str(pilots / "cases.csv")
    status, _, err = pycompare("power", *[word.format(file) for word in words])
    assert status == 2
    assert message in err
