"""Planned roads on known truth: what decides, on which scores, and what it promises.

The cases are those of ASL, Figure 7.1; ``validation.family_wise`` runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from scipy import special

import pycompare as pc
from pycompare.kernels import studentized_range
from pycompare.multiplicity.adjust import adjust as adjust_p_values
from pycompare.plans.plan import Plan
from pycompare.procedure.gate import gated
from pycompare.procedure.one_pair import one_pair
from pycompare.procedure.two_road import signed_rank
from pycompare.results import Pairs, Test, rejected

from . import known_winners as truth

Deciding = Callable[[pc.Scores, Plan], Pairs | Test]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A planned road on data of one kind.

    Attributes
    ----------
    figure : str
        The case of ASL's Figure 7.1: metrics, algorithms, data sets, thresholds.
    road, data : str
        What decides, and on what, in words.
    plan : Plan
        What ``pc.compare`` would be given, or, where ``direct``, the settings alone.
    make : callable
        Generator of ``known_winners``.
    decide : callable
        The deciding method, called with the scores and the plan.
    better : tuple of float
        By how much A1 is better in the alternatives.
    about : str
        What a verdict of this road is about, if its assumptions hold.
    promise : {"yes", "nearly", "no"}
        Whether the family-wise error is to be at most alpha for what is true of these
        scores. ``nearly``: by an approximation, held against the bound all the same.
    why : str
        Where it is not: why.
    direct : bool
        Whether the functions are called by themselves: no plan on scores says so.
    """

    figure: str
    road: str
    data: str
    plan: Plan
    make: Callable[[np.random.Generator, float], pc.Scores]
    decide: Deciding
    better: tuple[float, ...]
    about: str
    promise: Literal["yes", "nearly", "no"] = "yes"
    why: str = ""
    direct: bool = False

    @property
    def name(self) -> str:
        """Road and data."""
        return f"{self.road}; {self.data}"

    @property
    def holds(self) -> bool:
        """Whether the error is held against alpha."""
        return self.promise != "no"


# ---- what decides on each road, as the road itself calls it ---------------------


def ranks(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare mean ranks of data sets, or of their means."""
    if plan.blocks == "folds-of-datasets":
        scores = pc.dataset_means(scores)
    exact = plan.exact_for(scores.n_blocks, scores.n_algorithms)
    pairs = pc.rank_pairs(
        scores,
        adjust=plan.decisive,
        control=plan.control,
        p_value="exact" if exact else "normal",
    )
    if plan.gate == "none":
        return pairs
    return gated(pairs, pc.friedman(scores, p_value="exact" if exact else "chi2"), plan)


def means(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare means with the model's error."""
    if plan.verdict == "means":
        scores = pc.dataset_means(scores)
    if plan.control is not None:
        return pc.dunnett(scores, control=plan.control)
    pairs = pc.tukey(scores)
    return pairs if plan.gate == "none" else gated(pairs, pc.anova(scores), plan)


def corrected(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare means by t tests corrected for shared training data."""
    sizes: dict[str, Any] = plan.sizes() or {}
    return pc.corrected_pairs(scores, adjust=plan.decisive, **sizes)


def two(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare two algorithms on folds."""
    sizes: dict[str, Any] = plan.sizes() or {}
    return one_pair(pc.paired_t(scores, **sizes), None)


def two_ranks(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare two algorithms over data sets."""
    return one_pair(signed_rank(pc.dataset_means(scores), plan, {}), None)


def two_means(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare two algorithms' data-set means."""
    return one_pair(pc.paired_t(pc.dataset_means(scores)), None)


def signs(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins of the data sets and test their signs."""
    n, won = tukey_wins(scores, plan.alpha)
    return pc.sign_grid(won, n, adjust=plan.decisive)


def tukey_wins(scores: pc.Scores, alpha: float) -> tuple[int, Any]:
    """Return the number of data sets, and the table of wins by Tukey's tests.

    As ``pc.wins(scores, method="tukey", omnibus=False)`` counts them, for data sets of
    one size, complete, without rounding or ties to think of: all at once.
    """
    x, better = by_dataset(scores)
    n, k, a = x.shape
    df = (k - 1) * (a - 1)
    mean = x.mean(axis=1)
    residual = x - x.mean(axis=2, keepdims=True) - mean[:, None]
    residual += x.mean(axis=(1, 2))[:, None, None]
    error = np.sqrt(np.square(residual).sum(axis=(1, 2)) / df / k)
    apart = better * (mean[:, :, None] - mean[:, None, :]) / error[:, None, None]
    p = studentized_range.sf(np.maximum(apart, 0.0), a, df)
    return n, labelled(rejected(p, alpha).sum(axis=0), scores)


def by_dataset(scores: pc.Scores) -> tuple[truth.Floats, float]:
    """Return the one metric's scores (data set, fold, algorithm), and its direction."""
    [metric] = scores.metrics
    n = len(set(scores.datasets or ()))
    x = scores.column(metric.name).reshape(n, -1, scores.n_algorithms)
    return x, 1.0 if metric.better == "higher" else -1.0


def labelled(won: Any, scores: pc.Scores) -> Any:
    """Return a square table of wins with the algorithms' names."""
    import pandas as pd

    return pd.DataFrame(won, list(scores.algorithms), list(scores.algorithms))


def corrected_signs(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins by t tests corrected for shared training data; test their signs."""
    n, won = corrected_wins(scores, plan)
    return pc.sign_grid(won, n)


def corrected_wins(scores: pc.Scores, plan: Plan) -> tuple[int, Any]:
    """Return the number of data sets, and the table of wins by corrected t tests.

    As ``pc.wins(scores, method=partial(pc.corrected_pairs, n_train=..., n_test=...),
    omnibus=False)`` counts them, adjusted by Holm, for the same data as `tukey_wins`.
    """
    assert plan.overlap is not None
    x, better = by_dataset(scores)
    n, k, a = x.shape
    first, second = np.triu_indices(a, 1)
    d = better * (x[:, :, first] - x[:, :, second])
    scale = np.sqrt((1 / k + plan.overlap) * d.var(axis=1, ddof=1))
    t = d.mean(axis=1) / scale
    raw = 2 * special.stdtr(k - 1, -np.abs(t))
    p = np.array([adjust_p_values(row, "holm") for row in raw])
    won = np.zeros((n, a, a), bool)
    won[:, first, second] = rejected(p, plan.alpha) & (t > 0)
    won[:, second, first] = rejected(p, plan.alpha) & (t < 0)
    return n, labelled(won.sum(axis=0), scores)


def risks(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins by total risk where mean vectors differ; test their signs."""
    won = pc.wins(
        scores,
        metrics=plan.metrics,
        adjust=plan.t_adjust,
        alpha=plan.alpha,
        omnibus=plan.gate == "omnibus",
        cost_ratio=plan.cost_ratio,
    )
    return pc.sign_grid(won)


def all_thresholds(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins over all thresholds by a sign test of each data set; test signs."""
    return pc.sign_grid(pc.threshold_wins(scores, alpha=plan.alpha, rule="sign"))


def any_threshold(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins at any threshold and none of the other; test their signs."""
    return pc.sign_grid(pc.threshold_wins(scores, alpha=plan.alpha, rule="any"))


def vectors(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare mean vectors of pairs."""
    if plan.blocks == "folds-of-datasets":
        scores = pc.dataset_means(scores)
    return pc.hotelling_pairs(scores, adjust=plan.t_adjust)


def all_vectors(scores: pc.Scores, plan: Plan) -> Test:
    """Test equal mean vectors of all algorithms."""
    if plan.blocks == "folds-of-datasets":
        scores = pc.dataset_means(scores)
    return pc.manova(scores, alpha=plan.alpha)


# ---- the cases ----------------------------------------------------------------------

FOLDS = Plan(blocks="folds")
CORRECTED = Plan(blocks="folds", n_train=truth.TRAIN, n_test=truth.TEST)
OVER = Plan(blocks="folds-of-datasets")
INDEPENDENT = "10 independent folds of one data set"
OVERLAP = "10 folds that overlap (correlation 1/10)"
LEARNERS = "10-fold cross-validation of 4 learners"
HELD_OUT = "30 training sets and one test set (pc.HeldOut) of 4 learners"
NEW_DATA = "4 learners on 10 new pairs of training and test set"
METRICS = "20 folds, 3 correlated metrics, 4 algorithms"
SAME = "15 data sets x 10 folds, 4 algorithms alike on each data set"
VARIED = "15 data sets x 10 folds, 4 algorithms alike over data sets"
INTERACTION = 0.5
IN_QUALITY = 0.3
TRADE = 0.4
CASES_OF = {
    1: "1: one metric, two algorithms, one data set",
    2: "2: one metric, many algorithms, one data set",
    3: "3: many metrics, many algorithms, one data set",
    4: "4: one metric, many algorithms, many data sets",
    5: "5: many metrics, many data sets",
    6: "6: many metrics, many data sets, many thresholds",
}
LIKE_THESE = "data sets like these"
VERY_THESE = "these very data sets"
OF_FOLDS = "this data set, its folds taken as independent"
OF_RESAMPLING = "other training and test sets of the same source"
SHARED = (
    "the folds share training cases and are taken as independent: what is tested is "
    "whether the algorithms differ on this data set, and they are alike only over data "
    "sets drawn anew"
)
ONE_TEST = (
    "all folds have the same test cases and nearly the same training cases: what is "
    "tested is whether the learners differ on these"
)
ONE_TEST_CORRECTED = (
    "the correction is derived for test sets drawn anew; it stands here as what it "
    "makes of one test set"
)
THESE = (
    "the model is about these data sets: algorithms that are alike over data sets do "
    "differ on each of them"
)


def over_data_sets() -> Iterator[Case]:
    """Yield rank tests of independent data sets."""
    rank = partial(
        Case, figure=CASES_OF[4], decide=ranks, better=(1.0,), about=LIKE_THESE
    )
    road, five = "ranks, Bergmann-Hommel", "15 data sets, 5 algorithms"
    yield rank(road=road, data=five, plan=Plan(blocks="datasets"), make=truth.data_sets)
    yield rank(
        road=f"{road}, gate omnibus",
        data=five,
        plan=Plan(blocks="datasets", gate="omnibus"),
        make=truth.data_sets,
    )
    yield rank(
        road=f"{road}, exact p-values",
        data="8 data sets, 4 algorithms",
        plan=Plan(blocks="datasets"),
        make=partial(truth.data_sets, n=8, a=4),
    )
    yield rank(
        road="ranks against the control A5, Holm",
        data=five,
        plan=Plan(blocks="datasets", control="A5"),
        make=truth.data_sets,
    )


def over_folds() -> Iterator[Case]:
    """Yield comparisons of means over folds of one data set."""
    five = partial(Case, figure=CASES_OF[2], better=(1.5,), about=OF_FOLDS)
    data, make = f"{INDEPENDENT}, 5 algorithms", truth.folds
    yield five(road="Tukey", data=data, plan=FOLDS, make=make, decide=means)
    yield five(
        road="Tukey, gate omnibus",
        data=data,
        plan=Plan(blocks="folds", gate="omnibus"),
        make=make,
        decide=means,
    )
    yield five(
        road="Dunnett against the control A5",
        data=data,
        plan=Plan(blocks="folds", control="A5"),
        make=make,
        decide=means,
    )
    shared = f"{OVERLAP}, 5 algorithms"
    resampled = partial(
        five,
        road="corrected t, Bergmann-Hommel",
        plan=CORRECTED,
        decide=corrected,
        about=OF_RESAMPLING,
    )
    yield resampled(data=data, make=make)
    yield resampled(data=shared, make=truth.overlapping_folds)
    yield five(
        road="Tukey",
        data=shared,
        plan=FOLDS,
        make=truth.overlapping_folds,
        decide=means,
        promise="no",
        why=SHARED,
    )


def of_two() -> Iterator[Case]:
    """Yield comparisons of two algorithms, on folds and over data sets."""
    pair = partial(Case, figure=CASES_OF[1], better=(1.5,), decide=two, about=OF_FOLDS)
    data, shared = f"{INDEPENDENT}, 2 algorithms", f"{OVERLAP}, 2 algorithms"
    plain, common = partial(truth.folds, a=2), partial(truth.overlapping_folds, a=2)
    yield pair(road="paired t", data=data, plan=FOLDS, make=plain)
    yield pair(
        road="corrected paired t",
        data=shared,
        plan=CORRECTED,
        make=common,
        about=OF_RESAMPLING,
    )
    yield pair(
        road="paired t", data=shared, plan=FOLDS, make=common, promise="no", why=SHARED
    )
    over = partial(
        Case,
        figure="4, for two algorithms",
        data="15 data sets x 10 folds, 2 algorithms alike over data sets",
        make=partial(truth.folds_of_data_sets, interaction=INTERACTION, a=2),
        better=(0.5, 2.0),
        about=LIKE_THESE,
    )
    yield over(road="Wilcoxon, data-set means", plan=OVER, decide=two_ranks)
    yield over(
        road="paired t, data-set means",
        plan=Plan(blocks="folds-of-datasets", verdict="means"),
        decide=two_means,
    )


def of_learners() -> Iterator[Case]:
    """Yield comparisons of real learners, under both hypotheses."""
    learner = partial(Case, figure=CASES_OF[2], better=(1.0,), about=OF_FOLDS)
    make = truth.cross_validated_learners
    new = truth.learners_on_new_data
    yield learner(road="Tukey", data=NEW_DATA, plan=FOLDS, make=new, decide=means)
    yield learner(
        road="Tukey",
        data=LEARNERS,
        plan=FOLDS,
        make=make,
        decide=means,
        promise="no",
        why=SHARED,
    )
    yield learner(
        road="corrected t, Bergmann-Hommel",
        data=LEARNERS,
        plan=CORRECTED,
        make=make,
        decide=corrected,
        about=OF_RESAMPLING,
        promise="nearly",
    )
    held_out = partial(
        learner, data=HELD_OUT, make=truth.learners_held_out, promise="no"
    )
    yield held_out(road="Tukey", plan=FOLDS, decide=means, why=ONE_TEST)
    yield held_out(
        road="corrected t, Bergmann-Hommel",
        plan=Plan(blocks="folds", n_train=29, n_test=15),  # two thirds of 29/30 : 1/3
        decide=corrected,
        about=OF_RESAMPLING,
        why=ONE_TEST_CORRECTED,
    )


def over_folds_of_data_sets() -> Iterator[Case]:
    """Yield what may decide over several data sets with folds, under both nulls."""
    roads: dict[str, tuple[str, Deciding]] = {
        "ranks": ("ranks of data-set means, Bergmann-Hommel", ranks),
        "sign": ("sign tests of wins, Bonferroni", signs),
        "means": ("Tukey, data-set means", means),
        "model": ("Tukey, one model of all folds", means),
    }
    varied = partial(truth.folds_of_data_sets, interaction=INTERACTION)
    of_four = partial(Case, figure=CASES_OF[4], better=(0.5, 2.0))
    for verdict, (road, decide) in roads.items():
        plan = Plan(blocks="folds-of-datasets", verdict=verdict)  # type: ignore[arg-type]
        fails = verdict == "model"
        about = VERY_THESE if fails else LIKE_THESE
        case = partial(of_four, road=road, plan=plan, decide=decide, about=about)
        yield case(data=SAME, make=truth.folds_of_data_sets)
        yield case(
            data=VARIED,
            make=varied,
            promise="no" if fails else "yes",
            why=THESE if fails else "",
        )
    yield Case(
        figure=CASES_OF[4],
        road="sign tests of wins by corrected t (a function given to pc.wins)",
        data="15 data sets x 10 folds that overlap, 3 algorithms",
        plan=CORRECTED,
        make=truth.overlapping_folds_of_data_sets,
        decide=corrected_signs,
        better=(2.0,),
        about=LIKE_THESE,
        direct=True,
    )


def of_metrics() -> Iterator[Case]:
    """Yield what decides about several metrics together."""
    folds = partial(
        Case,
        figure=CASES_OF[3],
        data=METRICS,
        plan=FOLDS,
        make=truth.metrics_on_folds,
        better=(0.8,),
        about=OF_FOLDS,
    )
    yield folds(road="MANOVA, Wilks", decide=all_vectors)
    yield folds(road="paired T2, Bergmann-Hommel", decide=vectors)
    over = partial(
        Case,
        figure="5, mean vectors",
        data="15 data sets x 3 folds, 3 metrics, 4 algorithms alike over data sets",
        plan=OVER,
        make=truth.metrics_of_data_sets,
        better=(0.8,),
        about=LIKE_THESE,
    )
    yield over(road="MANOVA of data-set means, Wilks", decide=all_vectors)
    yield over(road="paired T2 of data-set means, Bergmann-Hommel", decide=vectors)


def of_risk() -> Iterator[Case]:
    """Yield sign tests of wins by total risk, at one threshold and at all."""
    size = "15 data sets x 8 folds, 3 algorithms"
    each, over = f"{size} alike on each data set", f"{size} alike over data sets"
    varied = partial(truth.confusion_counts, interaction=IN_QUALITY)
    risk = partial(
        Case,
        figure=CASES_OF[5],
        road="sign tests of wins by total risk, Bonferroni",
        plan=Plan(
            blocks="folds-of-datasets", metrics=("tp", "fp", "tn", "fn"), cost_ratio=1
        ),
        decide=risks,
        better=(0.5,),
        about=LIKE_THESE,
    )
    yield risk(data=each, make=truth.confusion_counts)
    yield risk(data=over, make=varied)
    yield risk(
        data=f"{size} of one risk, with other errors",
        make=partial(truth.confusion_counts, trade=TRADE),
    )
    threshold = partial(
        Case,
        figure=CASES_OF[6],
        plan=OVER,
        better=(0.5,),
        about=LIKE_THESE,
        direct=True,
    )
    for road, decide in (
        ("sign tests of wins over 5 thresholds, each by a sign test", all_thresholds),
        ("sign tests of wins at any of 5 thresholds", any_threshold),
    ):
        case = partial(threshold, road=road, decide=decide)
        yield case(data=each, make=truth.counts_at_thresholds)
        yield case(
            data=over,
            make=partial(truth.counts_at_thresholds, interaction=IN_QUALITY),
        )


CASES = (
    *of_two(),
    *over_folds(),
    *of_learners(),
    *of_metrics(),
    *over_data_sets(),
    *over_folds_of_data_sets(),
    *of_risk(),
)
