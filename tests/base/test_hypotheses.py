"""Which families have the logic of all pairs, and that the others refuse it by name."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base import hypotheses
from pycompare.reporting.comparison_report import report_of
from pycompare.results.adjust import ADJUSTMENTS, unfit

LOGICAL = ("shaffer", "shaffer-dynamic", "bergmann-hommel", "hochberg-rom", "nemenyi")
RNG = np.random.default_rng(3)
SCORES = pc.Scores.from_wide(
    pd.DataFrame(RNG.normal(size=(12, 4)), columns=list("ABCD")),
    metric="score",
    better="higher",
)


def even_with_all(k: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return wins of k ordered algorithms, and of one that is even with each."""
    wins = np.triu(np.full((k + 1, k + 1), n), 1)
    won = rng.binomial(n, 0.5, k)
    wins[:k, k], wins[k, :k] = won, n - won
    return wins


def errors(adjust: str, runs: int = 300, k: int = 6, n: int = 30) -> float:
    """Return how often a pair is rejected of which each wins half the time."""
    rng, count = np.random.default_rng(1), 0
    for _ in range(runs):
        raw = pc.sign_grid(even_with_all(k, n, rng), n, adjust="none")
        p = pc.adjust(raw.matrix("p_value").fillna(1.0), adjust).to_numpy()
        count += bool((p[k, :k] <= 0.05).any())
    return count / runs


def test_logical_methods_err_on_wins_and_holm_does_not():
    assert errors("holm") <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
    assert errors("bergmann-hommel") > 0.15


WINS = [[0, 9, 8], [1, 0, 5], [2, 3, 0]]
FAMILIES = {
    "sign tests of wins": partial(pc.sign_grid, WINS, 10),
    "ordered sign tests of wins": partial(
        pc.sign_grid, WINS, 10, alternative="greater"
    ),
    "sign tests of scores": partial(pc.superiority, SCORES),
    "equivalence": partial(pc.equivalence_pairs, SCORES, margin=1.0),
    "non-inferiority": partial(
        pc.equivalence_pairs, SCORES, margin=1.0, kind="non-inferiority", control="A"
    ),
}


@pytest.mark.parametrize("adjust", LOGICAL)
@pytest.mark.parametrize("family", FAMILIES)
def test_families_that_are_not_transitive_refuse_logical_methods(family, adjust):
    with pytest.raises(pc.InputError, match=f"adjust='{adjust}'.*choose 'holm'"):
        FAMILIES[family](adjust=adjust)


@pytest.mark.parametrize("family", FAMILIES)
def test_families_that_are_not_transitive_say_so_and_have_holm(family):
    found = FAMILIES[family]()
    assert not found.hypotheses.transitive
    assert found.adjust in ("holm", "none")


@pytest.mark.parametrize("adjust", LOGICAL)
def test_a_plan_of_sign_tests_refuses_logical_methods(adjust):
    plan = {"blocks": "folds-of-datasets", "compares": "wins", "adjust": (adjust,)}
    with pytest.raises(pc.PlanError, match=f"{adjust} .*choose 'holm'"):
        pc.Plan(**plan)
    text = "\n".join(
        [
            "[plan]",
            'blocks = "folds-of-datasets"',
            'compares = "wins"',
            f'adjust = ["{adjust}"]',
        ]
    )
    with pytest.raises(pc.PlanError, match=f"{adjust} .*choose 'holm'"):
        pc.Plan.from_toml(text)


def test_a_plan_of_sign_tests_begins_with_holm():
    assert (
        pc.Plan(
            blocks="folds-of-datasets", protocol="held-out", compares="wins"
        ).adjust[0]
        == "holm"
    )


def test_one_sided_sign_tests_over_thresholds_refuse_logical_methods():
    with pytest.raises(pc.PlanError, match=r"not transitive.*choose 'holm'"):
        pc.Plan(thresholds=5, threshold_adjust="shaffer")


LABEL = np.repeat([0, 1], 20)
AREAS = {name: LABEL + RNG.normal(size=40) for name in "ABC"}
TRANSITIVE = {
    "means": pc.pairwise_t(SCORES, adjust="bergmann-hommel"),
    "means, Tukey": pc.tukey(SCORES),
    "means, own variances": pc.corrected_pairs(
        SCORES, n_train=9, n_test=1, adjust="bergmann-hommel"
    ),
    "mean ranks": pc.rank_pairs(SCORES),
    "AUCs": pc.delong(LABEL, AREAS, positive=1, adjust="bergmann-hommel"),
}


@pytest.mark.parametrize("family", TRANSITIVE)
def test_equalities_of_a_parameter_are_transitive(family):
    assert TRANSITIVE[family].hypotheses.transitive
    assert not TRANSITIVE[family].hypotheses.why_not


def test_results_of_two_algorithms_name_their_hypothesis():
    options = {"algorithms": ("A", "B")}
    assert pc.paired_t(SCORES, **options).hypotheses == hypotheses.MEANS
    assert pc.wilcoxon(SCORES, **options).hypotheses == hypotheses.SYMMETRY
    assert pc.sign_test(SCORES, **options).hypotheses == hypotheses.WINNING


def test_logical_adjustments_state_their_condition():
    for name in LOGICAL[:3]:
        assert "transitive" in ADJUSTMENTS[name].controls
    assert "transitive" in (pc.adjust.__doc__ or "")


def worst_of_four() -> pc.Scores:
    """Return seven blocks on which D is below the others, which share the ranks."""
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=(7, 3)), np.full(7, -9.0)])
    frame = pd.DataFrame(x, columns=list("ABCD"))
    return pc.Scores.from_wide(
        frame, metric="score", better="higher", confirmed=["code"]
    )


def test_sign_tests_beside_a_control_are_adjusted_over_the_planned_family():
    plan = pc.Plan(
        blocks="datasets", compares="ranks", control="D", p_values="approximate"
    )
    comparison = pc.compare(worst_of_four(), plan)
    effects = comparison.analyses[0].superiority
    assert effects.control == "D" and effects.adjust == "holm"
    # Over all six pairs 0.094, over the three planned ones 0.047.
    assert effects.table["p_adjusted"].tolist() == [3 * 2 / 2**7] * 3
    assert all(d.rejected for d in comparison.analyses[0].decisions)
    stated = report_of(comparison.only).statements(comparison.analyses[0])
    assert stated.alternatives[-1].agrees(stated.outcome)


@pytest.mark.parametrize("a", [3, 5])
def test_sign_tests_beside_ranks_are_adjusted_by_holm(a):
    x = RNG.normal(size=(9, a))
    scores = pc.Scores.from_wide(pd.DataFrame(x), metric="score", better="higher")
    plan = pc.Plan(blocks="datasets", compares="ranks")
    analysis = pc.compare(scores, plan).analyses[0]
    effects = analysis.superiority
    assert analysis.decisive.called == "closed-permutation"
    assert effects.adjust == "holm"
    assert effects.family == f"all {a * (a - 1) // 2} pairs of {a} algorithms"


def test_every_kind_of_hypothesis_is_named():
    from pycompare.base import hypotheses

    names = {
        name: one.name
        for name, one in vars(hypotheses).items()
        if isinstance(one, hypotheses.Hypotheses)
    }
    assert names == {
        "MEANS": "equal means",
        "WEIGHTED_MEANS": "equal weighted means",
        "MEAN_VECTORS": "equal mean vectors",
        "MEAN_RANKS": "equal mean ranks",
        "WEIGHTED_RANKS": "equal weighted mean ranks",
        "EXCHANGEABLE": "exchangeable algorithms",
        "SYMMETRY_OF_EXCHANGEABLE": "differences symmetric about 0, if equal "
        "algorithms are exchangeable",
        "ACCURACIES": "equal accuracies",
        "AUCS": "equal AUCs",
        "FIGURES_OF_MERIT": "equal mean figures of merit",
        "STRENGTHS": "equal strengths",
        "LOG_ODDS": "equal fixed effects of modalities",
        "PARTIAL_AUCS": "equal partial AUCs",
        "PR_AREAS": "equal areas under precision-recall curves",
        "NO_INTERACTION": "no interaction of algorithm and data set",
        "WINNING": "equal probabilities of winning",
        "SYMMETRY": "differences symmetric about 0",
        "SYMMETRY_OF_LOGARITHMS": "logarithms of ratios symmetric about 0",
        "SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS": "logarithms of ratios symmetric "
        "about 0, if equal algorithms are exchangeable",
        "MARGIN_OF_RATIOS": "a ratio at the margin or beyond",
        "MARGIN": "a difference of at least the margin",
        "ONE_SIDED": "A wins no more often than B",
    }


def test_reasons_against_the_logic_of_all_pairs_keep_their_sense():
    winning, symmetry = hypotheses.WINNING.why_not, hypotheses.SYMMETRY.why_not
    assert "as often as it loses" in winning and winning.endswith("C more often")
    assert symmetry.endswith("and A - C not")
    assert hypotheses.MARGIN.why_not.endswith("and A not from C")
    assert hypotheses.ONE_SIDED.why_not.count("no more often") == 2


def test_why_an_adjustment_does_not_fit_a_family_and_what_does():
    nemenyi, shaffer = ADJUSTMENTS["nemenyi"], ADJUSTMENTS["shaffer"]
    assert unfit(nemenyi, hypotheses.MEANS) == (
        "is for mean ranks, not for equal means: choose 'tukey' or 'holm'"
    )
    assert unfit(nemenyi, hypotheses.AUCS) == (
        "is for mean ranks, not for equal AUCs: choose 'holm'"
    )
    assert unfit(shaffer, hypotheses.MEANS, "A") == (
        "is for all pairs; comparisons with a control have no logical relations: "
        "choose 'holm'"
    )
    assert unfit(shaffer, hypotheses.MEANS) is None
    assert unfit(ADJUSTMENTS["holm"], hypotheses.WINNING, "A") is None
    refusal = unfit(shaffer, hypotheses.WINNING)
    assert refusal.startswith(
        "needs hypotheses for which A = B and B = C imply A = C; these (equal "
        "probabilities of winning) are not transitive: "
    )
    assert refusal.endswith("; choose 'holm'")
