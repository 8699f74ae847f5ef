"""Compare the AUCs of algorithms, data set by data set: over cases and over folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from pycompare.base.arguments import (
    check_alpha,
    check_level,
    check_seed,
    is_finite,
    require,
)
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.hypotheses import AUCS
from pycompare.base.labels import unknown_control
from pycompare.base.typing import BinsName, Bools, Floats, Hypothesis, Indices
from pycompare.data.measures.chance import below_chance
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.margins import ADJUST as MARGIN_ADJUST
from pycompare.designs.pair_methods import EXHAUSTIVE, MOST_EXHAUSTIVE
from pycompare.designs.plans.curves_plan import OTHER_CURVES, incomplete_bins
from pycompare.methods.curves.auc_margins import auc_margin_tests
from pycompare.methods.curves.auc_pr_pairs import AucPrPairsResult, auc_pr_pairs
from pycompare.methods.curves.calibration import CalibrationResult, calibration_error
from pycompare.methods.curves.cross_validated import CvAucResult, cv_auc
from pycompare.methods.curves.delong import DeLongResult, delong
from pycompare.methods.curves.dominance import CurveDominance, curve_dominance
from pycompare.methods.curves.interval import (
    AucIntervals,
    auc_intervals,
    possible_methods,
)
from pycompare.methods.curves.mean_curve import blocks_of
from pycompare.methods.curves.net_benefit import NetBenefitResult, net_benefit
from pycompare.methods.orders.rank_sets import RankSets, rank_sets_of
from pycompare.methods.pairs.corrected_pairs import corrected_pairs
from pycompare.methods.pairs.equivalence import (
    MarginKind,
    default_alpha,
    wrong_hypothesis,
)
from pycompare.methods.pairs.equivalence_pairs import margin_tests
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import PairsResult, Result, plain

Computed = TypeVar("Computed")

MOST_RESAMPLED = 20_000
"""Cases of a bootstrap that is made without being asked for."""
_MOST_WHOLE = 10
"""Pairs whose whole curves are compared; of more the bands would be too wide."""

_ALPHA = 0.05
UNNAMED = "cases have no names (case, --case), so it is unknown which are the same"
REPEATED = (
    "cases occur in several blocks, so pooled rows are not independent; the "
    "cross-validated AUC averages each case first"
)
CLUSTERED = "it assumes independent cases, and these are in clusters of dependent cases"
GAPS = "an algorithm has no scores in some blocks"
ONE_BLOCK = "there is one block, and a test over folds needs two"
NO_SIZES = (
    "folds share training data, and the sizes of training and test sets are not given "
    "(n_train and n_test: --train N --test N)"
)
UNEVEN = "the blocks do not make repeats that have every case once"


@dataclass(frozen=True, kw_only=True)
class CurveAnalysis:
    """The AUCs of one data set. What could not be computed is the reason, a text.

    Attributes
    ----------
    dataset : str or None
    blocks : tuple of str
    n_positive, n_negative : int
        Rows of one algorithm, a case in several blocks counted in each.
    repeated : bool
        Whether a case occurs in several blocks.
    intervals, cross_validated : dict
        By algorithm.
    over_cases : DeLongResult or str
        All pairs on common cases, the trained classifiers as they are.
    precision_recall : AucPrPairsResult or str
        Average precisions on common cases and their differences, by the bootstrap:
        random, and so no conclusion.
    over_folds : PairsResult or str
        Corrected t tests of the folds' AUCs; none without the sizes of the sets.
    margin_over_cases, margin_over_folds : MarginPairsResult or None
        The same tests against the margin, if there is one and the pairs are tested;
        over folds a str is why there are none.
    net_benefit : NetBenefitResult, str or None
        Over cases at the risk threshold, if there is one.
    calibration : CalibrationResult, str or None
        Over cases within bins of the score, if there are any.
    whole_curves : tuple of CurveDominance, str or None
        The ROC curves of each pair of ``over_cases``, in its order, if asked for.
    """

    dataset: str | None
    blocks: tuple[str, ...]
    n_positive: int
    n_negative: int
    repeated: bool
    intervals: dict[str, AucIntervals | str]
    cross_validated: dict[str, CvAucResult | str]
    over_cases: DeLongResult | str
    precision_recall: AucPrPairsResult | str
    over_folds: PairsResult | str
    margin_over_cases: MarginPairsResult | None = None
    margin_over_folds: MarginPairsResult | str | None = None
    net_benefit: NetBenefitResult | str | None = None
    calibration: CalibrationResult | str | None = None
    whole_curves: tuple[CurveDominance, ...] | str | None = None

    @property
    def areas(self) -> dict[str, float]:
        """The AUC of each algorithm that has one, by its first interval."""
        areas: dict[str, float] = {}
        for name, intervals in self.intervals.items():
            of_folds = self.cross_validated[name]
            if not isinstance(intervals, str):
                areas[name] = intervals.intervals[0].estimate
            elif not isinstance(of_folds, str):
                areas[name] = of_folds.estimate
        return areas

    def results(self) -> Iterator[tuple[str, Result]]:
        """Yield titled results, the intervals one by one."""
        of = "" if self.dataset is None else f", {self.dataset}"
        for name, intervals in self.intervals.items():
            if not isinstance(intervals, str):
                for interval in intervals.intervals:
                    yield f"{interval.name} of {name}, {interval.method}{of}", interval
        named: list[tuple[str, Result | str]] = [
            (f"cross-validated AUC of {name}", auc)
            for name, auc in self.cross_validated.items()
        ]
        named.append(("DeLong's test, over cases", self.over_cases))
        title = "areas under precision-recall curves, over cases"
        named.append((title, self.precision_recall))
        named.append(("t tests of AUC, over folds", self.over_folds))
        for title, result in named:
            if not isinstance(result, str):
                yield f"{title}{of}", result
        for title, within in (
            ("DeLong's tests against the margin, over cases", self.margin_over_cases),
            ("t tests against the margin, over folds", self.margin_over_folds),
        ):
            if isinstance(within, MarginPairsResult):
                yield f"{title}{of}", within
        if isinstance(self.net_benefit, NetBenefitResult):
            yield f"net benefit, over cases{of}", self.net_benefit
        if isinstance(self.calibration, CalibrationResult):
            yield f"calibration errors, over cases{of}", self.calibration
        if isinstance(self.whole_curves, tuple):
            for curves in self.whole_curves:
                pair = f"{curves.algorithm_1} minus {curves.algorithm_2}"
                yield f"whole ROC curves, over cases, {pair}{of}", curves

    def rank_sets(self, alpha: float) -> dict[str, RankSets]:
        """Return the confidence sets of ranks over cases and over folds, if any."""
        comparisons = {"over_cases": self.over_cases, "over_folds": self.over_folds}
        rank_sets = {
            name: rank_sets_of(pairs, alpha)
            for name, pairs in comparisons.items()
            if isinstance(pairs, PairsResult) and len(pairs.algorithms) > 2
        }
        return {name: sets for name, sets in rank_sets.items() if sets is not None}


@dataclass(frozen=True, kw_only=True)
class CurveComparison:
    """The results of a comparison of ROC curves, one analysis per data set.

    Attributes
    ----------
    predictions : Predictions
    analyses : tuple of CurveAnalysis
        One for each data set.
    alpha, adjust, control, level, seed, n_train, n_test
        As planned.
    margin, hypothesis, margin_alpha
        As planned; the last two are None without a margin.
    threshold : float or None
        Of the Cortes-Mohri interval.
    risk_threshold : float or None
        Of the net benefits.
    bins, n_bins : str and int, or None
        Of the calibration errors.
    whole_curves : bool
        Whether whole curves are compared.

    Examples
    --------
    >>> import pycompare as pc
    >>> import pandas as pd
    >>> table = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    >>> cases = pc.Predictions.from_frame(
    ...     table, algorithm="algorithm", block="fold", case="case", label="class",
    ...     score="probability", positive="yes",
    ... )
    >>> comparison = pc.compare_curves(cases)
    >>> found = comparison.analyses[0]
    >>> found.n_positive, found.n_negative
    (120, 120)
    """

    predictions: Predictions
    analyses: tuple[CurveAnalysis, ...]
    alpha: float
    adjust: str
    level: float
    seed: int
    threshold: float | None
    n_train: float | None
    n_test: float | None
    control: str | None = None
    margin: float | None = None
    hypothesis: Hypothesis | None = None
    margin_alpha: float | None = None
    risk_threshold: float | None = None
    bins: BinsName | None = None
    n_bins: int | None = None
    whole_curves: bool = False

    @property
    def asked(self) -> CurvePlan:
        """The plan of the tests, with nothing left open."""
        names = (field.name for field in fields(CurvePlan))
        return CurvePlan(**{name: getattr(self, name) for name in names})

    def results(self) -> list[tuple[str, Result]]:
        """Return all results with titles."""
        return [
            pair
            for analysis in self.analyses
            for pair in (*analysis.results(), *self._ranks(analysis))
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether most AUCs are below 0.5."""
        return below_chance(
            [a for analysis in self.analyses for a in analysis.areas.values()]
        )

    def _ranks(self, analysis: CurveAnalysis) -> Iterator[tuple[str, Result]]:
        """Yield the titled sets of ranks of one data set."""
        of = "" if analysis.dataset is None else f", {analysis.dataset}"
        for name, sets in analysis.rank_sets(self.alpha).items():
            yield f"Confidence sets of ranks, {name.replace('_', ' ')}{of}", sets

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        names = tuple(CurvePlan.__dataclass_fields__)
        plan = {name: getattr(self, name) for name in names}
        ranked = [
            {"dataset": analysis.dataset, **analysis.rank_sets(self.alpha)}
            for analysis in self.analyses
        ]
        return plain({"plan": plan, "analyses": self.analyses, "rank_sets": ranked})


@checked
def compare_curves(
    predictions: Predictions,
    *,
    alpha: float = _ALPHA,
    adjust: str | None = None,
    level: float = 0.95,
    threshold: float | None = None,
    seed: int = 0,
    n_train: float | None = None,
    n_test: float | None = None,
    control: str | None = None,
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    margin_alpha: float | None = None,
    risk_threshold: float | None = None,
    bins: BinsName | None = None,
    n_bins: int | None = None,
    whole_curves: bool = False,
) -> CurveComparison:
    """Compare the AUCs of algorithms on each data set, over cases and over folds.

    Over cases: intervals of each AUC side by side, DeLong's test of all and of all
    pairs, if the rows are distinct cases, and beside it the average precisions
    (areas under precision-recall curves) by the bootstrap, for at most 20,000 scores;
    the cross-validated AUC (LeDell), also if blocks repeat them. With clusters of
    dependent cases (``Predictions.cluster``): DeLong's test and intervals over clusters
    alone. Over folds: t tests of the folds' AUCs, corrected for common training cases;
    without the sizes of the sets nothing is tested over folds. The numbers
    choose nothing.

    Parameters
    ----------
    predictions : Predictions
        With ``case`` named, for everything over cases of several blocks.
    alpha : float
        A pair differs if its adjusted p-value <= alpha.
    adjust : str, optional
        Any name of ``pc.adjust`` but ``nemenyi``; the family is the pairs of a data set
        and a test. Default ``bergmann-hommel``; ``holm`` with a control, and over 40
        algorithms, for which the former may take hours.
    level : float
        Of the intervals of each AUC, of average precisions, net benefits and
        calibration errors. Those of pairs of AUCs follow from ``alpha``, as in
        ``delong``, so that none disagrees with its decision.
    threshold : float, optional
        Of the Cortes-Mohri interval; 0.5 for scores in [0, 1], else there is none.
    seed : int
        Of the bootstrap intervals, and of the comparisons of precision-recall areas
        and of whole curves.
    n_train, n_test : float, optional
        Sizes of the training and test sets, or numbers of the same ratio: the tests
        over folds need them.
    control : str, optional
        Compare each other algorithm with this one, instead of all pairs.
    margin : float, optional
        Difference in AUC, below 1: also test whether differences are smaller, by the
        same tests over cases and over folds, adjusted by Holm over the pairs.
    hypothesis : {"superiority", "equivalence", "non-inferiority"}, optional
        Required with a margin. ``equivalence``: the difference lies within the margin
        both ways. ``non-inferiority``: each other algorithm is not worse than the
        control by the margin or more. ``superiority`` (without a margin): AUCs differ.
    margin_alpha : float, optional
        One-sided error rate of the tests against the margin; default alpha for
        equivalence, alpha/2 for non-inferiority.
    risk_threshold : float, optional
        Between 0 and 1: also compare net benefits over cases at this risk
        (``net_benefit``, adjusted by Holm). Scores are probabilities then.
    bins, n_bins : {"equal-width", "equal-mass"} and int, optional
        Also estimate the calibration error of each algorithm over cases
        (``calibration_error``). Scores are probabilities then.
    whole_curves : bool, default False
        Also compare the whole ROC curves of each pair over cases (``curve_dominance``).
        The bands of at most 10 pairs have the level 1 - alpha together. No other whole
        curves are compared here. For precision-recall curves the part of the axis has
        to be chosen: ``curve_dominance(kind="pr", low=0.1)``. For gain, cost, decision
        and calibration curves no study supports such a band.

    Returns
    -------
    CurveComparison

    Raises
    ------
    InputError
        For something else than predictions, fewer than two algorithms, an unknown
        adjustment or control, only one of n_train and n_test, a margin that is not
        between 0 and 1, a margin without its hypothesis and the other way round,
        non-inferiority without a control,
        ``margin_alpha`` without a margin, only one of ``bins`` and ``n_bins``,
        ``adjust``, ``control``, ``margin`` or
        another ``alpha`` if nothing is tested, and a ``threshold`` that no interval
        uses.

    Examples
    --------
    >>> import pycompare as pc
    >>> import pandas as pd
    >>> table = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    >>> cases = pc.Predictions.from_frame(
    ...     table, algorithm="algorithm", block="fold", case="case", label="class",
    ...     score="probability", positive="yes",
    ... )
    >>> comparison = pc.compare_curves(cases)
    >>> found = comparison.analyses[0]
    >>> found.over_cases.table[["algorithm_1", "algorithm_2", "p_adjusted"]].round(3)
      algorithm_1 algorithm_2  p_adjusted
    0         QDA         LDA       0.002
    1         QDA  NaiveBayes       0.006
    2         LDA  NaiveBayes       0.081
    """
    check_alpha(alpha)
    check_level(level)
    check_seed(seed)
    require(predictions, Predictions)
    predictions.require_one_run()
    if predictions.n_algorithms < 2:
        raise InputError("one algorithm: a comparison needs two or more")
    if control is not None and control not in predictions.algorithms:
        raise InputError(unknown_control(control, predictions.algorithms))
    usual = default_adjust(predictions.n_algorithms, control)
    adjust = family_adjustment(adjust or usual, AUCS, control).name
    margin_alpha = _margin_error(margin, hypothesis, margin_alpha, alpha, control)
    if not isinstance(whole_curves, bool | np.bool_):
        raise InputError(
            setting("whole_curves", whole_curves)
            + f": give True or False; {OTHER_CURVES}"
        )
    ratio_of_sizes(n_train, n_test)
    if (incomplete := incomplete_bins(bins, n_bins)) is not None:
        raise InputError(incomplete)
    score = predictions.score
    asked_for = {
        "adjust": None if adjust == usual else adjust,
        "control": control,
        "margin": margin,
        "alpha": None if alpha == _ALPHA else alpha,
    }
    names = [None] if predictions.datasets is None else predictions.datasets
    counts_errors = predictions.cluster is None and any(
        _has_distinct_cases(predictions, name) for name in dict.fromkeys(names)
    )
    if threshold is not None and not counts_errors:
        raise InputError(
            setting("threshold", threshold)
            + " is of the Cortes-Mohri interval of an AUC, which these predictions do "
            "not have: it needs distinct and independent cases; leave it out"
        )
    if threshold is None and counts_errors and score.min() >= 0 and score.max() <= 1:
        threshold = 0.5
    asked = CurvePlan(
        *(alpha, adjust, level, threshold, seed, n_train, n_test, control, margin),
        hypothesis=None if margin is None else hypothesis,
        margin_alpha=margin_alpha,
        risk_threshold=risk_threshold,
        bins=bins,
        n_bins=n_bins,
        whole_curves=whole_curves,
    )
    scores = predictions.measure("auc") if has_folds(predictions) else None
    analyses = [
        _analysis(predictions, name, asked, scores) for name in dict.fromkeys(names)
    ]
    _require_effect(analyses, asked_for)
    _require_parts(analyses, asked)
    return CurveComparison(
        predictions=predictions, analyses=tuple(analyses), **vars(asked)
    )


def _has_distinct_cases(predictions: Predictions, dataset: str | None) -> bool:
    """Return whether the rows of an algorithm on a data set are distinct cases."""
    blocks = blocks_of(predictions, dataset)
    rows = _rows_of(predictions, predictions.algorithms[0], blocks)
    return not _distinct(rows, len(blocks))


def _require_effect(
    analyses: Sequence[CurveAnalysis],
    of_tests: Mapping[str, object],
) -> None:
    """Reject options of tests if there are none."""
    tested = any(
        isinstance(pairs, PairsResult)
        for analysis in analyses
        for pairs in (analysis.over_cases, analysis.over_folds)
    )
    given = [name for name, value in of_tests.items() if value is not None]
    if given and not tested:
        first = analyses[0]
        raise InputError(
            setting(given[0], of_tests[given[0]])
            + f": nothing is tested, over cases because {first.over_cases}; over folds "
            f"because {first.over_folds}; leave it out"
        )


def _require_parts(analyses: Sequence[CurveAnalysis], asked: CurvePlan) -> None:
    """Reject keys of results that no data set has."""
    keys = {
        "risk_threshold": ("net_benefit", "net benefit"),
        "bins": ("calibration", "calibration error"),
        "whole_curves": ("whole_curves", "comparison of whole curves"),
    }
    for key, (name, title) in keys.items():
        parts = [getattr(analysis, name) for analysis in analyses]
        if all(isinstance(part, str) for part in parts):
            raise InputError(
                setting(key, getattr(asked, key))
                + f": there is no {title}, because "
                + parts[0]
                + "; otherwise leave "
                + setting(key, ...)
                + " out"
            )


def default_adjust(n_algorithms: int, control: str | None = None) -> str:
    """Return the adjustment of pairs of AUCs: by the number of algorithms alone."""
    few = n_algorithms <= MOST_EXHAUSTIVE
    return EXHAUSTIVE if few and control is None else "holm"


def _margin_error(
    margin: float | None,
    kind: Hypothesis | None,
    alpha: float | None,
    of_pairs: float,
    control: str | None,
) -> float | None:
    """Return the error rate of each test against a margin; None without one."""
    if margin is not None and not (is_finite(margin) and 0 < margin < 1):
        raise InputError(
            setting("margin", margin) + ": give a difference in AUC, between 0 and 1"
        )
    wrong = wrong_hypothesis(kind, margin, control)
    if wrong is not None:
        raise InputError(wrong)
    if margin is None:
        if alpha is not None:
            raise InputError(
                setting("margin_alpha", alpha)
                + " is of a margin: give "
                + setting("margin")
            )
        return None
    of_margin: MarginKind = (
        "non-inferiority" if kind == "non-inferiority" else "equivalence"
    )
    error = default_alpha(of_margin, of_pairs) if alpha is None else alpha
    if not (is_finite(error) and 0 < error < 0.5):
        raise InputError(
            setting("margin_alpha", error) + ": give a number between 0 and 0.5"
        )
    return error


@dataclass(frozen=True)
class CurvePlan:
    """The plan."""

    alpha: float
    adjust: str
    level: float
    threshold: float | None
    seed: int
    n_train: float | None
    n_test: float | None
    control: str | None
    margin: float | None
    hypothesis: Hypothesis | None
    margin_alpha: float | None
    risk_threshold: float | None
    bins: BinsName | None
    n_bins: int | None
    whole_curves: bool

    @property
    def against_margin(self) -> dict[str, Any]:
        """The arguments of tests against the margin."""
        return {
            "margin": self.margin,
            "kind": self.hypothesis,
            "control": self.control,
            "alpha": self.margin_alpha,
        }


@dataclass(frozen=True)
class AlgorithmRows:
    """The rows of one algorithm on the blocks of one data set."""

    truth: Bools
    score: Floats
    block: Indices
    case: Indices | None
    cluster: Indices | None


def has_folds(predictions: Predictions) -> bool:
    """Return whether any data set has two blocks."""
    return len(set(predictions.datasets or (None,))) < predictions.n_blocks


def _analysis(
    predictions: Predictions,
    dataset: str | None,
    asked: CurvePlan,
    scores: Scores | None,
) -> CurveAnalysis:
    """Analyse one data set."""
    blocks = blocks_of(predictions, dataset)
    rows = {
        name: _rows_of(predictions, name, blocks) for name in predictions.algorithms
    }
    first = next(iter(rows.values()))
    gaps = bool(np.any(predictions.sizes[blocks] == 0))
    names = tuple(predictions.blocks[b] for b in blocks)
    why_not = _distinct(first, len(blocks))
    over_cases: DeLongResult | str = why_not or GAPS * gaps
    if not over_cases:
        over_cases = _or_reason(lambda: _over_cases(predictions, rows, asked))
    over_folds, margin_over_folds = _over_folds(scores, names, asked)
    return CurveAnalysis(
        dataset=dataset,
        blocks=names,
        n_positive=int(first.truth.sum()),
        n_negative=int((~first.truth).sum()),
        repeated=why_not == REPEATED,
        intervals={
            name: _or_reason(lambda r=r: _intervals(r, asked, why_not))  # type: ignore[misc]
            for name, r in rows.items()
        },
        cross_validated={
            name: _or_reason(lambda r=r: _cross_validated(r, asked))  # type: ignore[misc]
            for name, r in rows.items()
        },
        over_cases=over_cases,
        precision_recall=why_not
        or (
            GAPS
            if gaps
            else _or_reason(lambda: _precision_recall(predictions, rows, asked))
        ),
        over_folds=over_folds,
        margin_over_cases=_margin_over_cases(over_cases, asked),
        margin_over_folds=margin_over_folds,
        net_benefit=None
        if asked.risk_threshold is None
        else why_not or GAPS * gaps or _or_reason(lambda: _net_benefit(rows, asked)),
        calibration=None
        if asked.bins is None
        else why_not
        or GAPS * gaps
        or _or_reason(lambda: _calibration(predictions, rows, asked)),
        whole_curves=_or_reason(lambda: _whole_curves(over_cases, rows, asked))
        if asked.whole_curves
        else None,
    )


def _of_cases(rows: dict[str, AlgorithmRows]) -> tuple[Bools, dict[str, Floats]]:
    """Return classes of independent cases, and the scores of each algorithm."""
    first = next(iter(rows.values()))
    if first.cluster is not None:
        raise DesignError(CLUSTERED)
    return first.truth, {name: own.score for name, own in rows.items()}


def _net_benefit(rows: dict[str, AlgorithmRows], asked: CurvePlan) -> NetBenefitResult:
    """Return the net benefits at the risk threshold."""
    truth, scores = _of_cases(rows)
    assert asked.risk_threshold is not None
    return net_benefit(
        truth,
        scores,
        positive=True,
        threshold=asked.risk_threshold,
        level=asked.level,
    )


def _calibration(
    predictions: Predictions, rows: dict[str, AlgorithmRows], asked: CurvePlan
) -> CalibrationResult:
    """Return the calibration errors within bins."""
    truth, scores = _of_cases(rows)
    assert asked.bins is not None and asked.n_bins is not None
    return calibration_error(
        np.where(truth, predictions.positive, predictions.negative),
        scores,
        positive=predictions.positive,
        bins=asked.bins,
        n_bins=asked.n_bins,
        level=asked.level,
    )


def _whole_curves(
    over_cases: DeLongResult | str, rows: dict[str, AlgorithmRows], asked: CurvePlan
) -> tuple[CurveDominance, ...]:
    """Return the comparisons of the ROC curves of all pairs, with joint bands."""
    if isinstance(over_cases, str):
        raise DesignError(over_cases)
    truth, scores = _of_cases(rows)
    pairs = over_cases.row_labels()
    if len(pairs) > _MOST_WHOLE:
        raise DesignError(
            f"there are {len(pairs)} pairs, and bands of more than {_MOST_WHOLE} would "
            "be too wide (a control or fewer algorithms make fewer pairs)"
        )
    if (cells := truth.size * len(rows)) > MOST_RESAMPLED:
        raise DesignError(
            f"{cells} scores are too many to resample here (over {MOST_RESAMPLED}; "
            "pc.curve_dominance takes any number)"
        )
    return tuple(
        curve_dominance(
            truth,
            {name: scores[name] for name in pair},
            positive=True,
            level=1 - asked.alpha,
            n_pairs=len(pairs),
            seed=asked.seed,
        )
        for pair in pairs
    )


def tests_over_cases(
    predictions: Predictions, asked: CurvePlan
) -> tuple[DeLongResult, MarginPairsResult | None]:
    """Return the tests over the cases of one test set, and those against the margin.

    Raises
    ------
    DesignError
        If these cases have no such tests.
    """
    blocks = blocks_of(predictions, None)
    rows = {
        name: _rows_of(predictions, name, blocks) for name in predictions.algorithms
    }
    pairs = _over_cases(predictions, rows, asked)
    return pairs, _margin_over_cases(pairs, asked)


def _margin_over_cases(
    pairs: DeLongResult | str, asked: CurvePlan
) -> MarginPairsResult | None:
    """Return DeLong's tests against the margin, if there is one."""
    if isinstance(pairs, str) or asked.margin is None:
        return None
    tests = auc_margin_tests(pairs.cases, **asked.against_margin)
    adjusted: MarginPairsResult = tests.adjusted(MARGIN_ADJUST)
    return adjusted


def _margin_over_folds(
    scores: Scores, sizes: tuple[float, float], asked: CurvePlan
) -> MarginPairsResult:
    """Return corrected t tests of the folds' AUCs against the margin."""
    n_train, n_test = sizes
    tests = margin_tests(
        scores, metric=None, n_train=n_train, n_test=n_test, **asked.against_margin
    )
    adjusted: MarginPairsResult = tests.adjusted(MARGIN_ADJUST)
    return adjusted


def _or_reason(make: Callable[[], Computed]) -> Computed | str:
    """Return a result, or why this design has none, for the report."""
    try:
        return make()
    except DesignError as error:
        return error.message


def _rows_of(
    predictions: Predictions, algorithm: str, blocks: list[int]
) -> AlgorithmRows:
    """Return the rows of an algorithm."""
    parts = [predictions.rows(predictions.blocks[b], algorithm) for b in blocks]
    sizes = [part.stop - part.start for part in parts]

    def of(codes: Indices | None) -> Indices | None:
        return None if codes is None else np.concatenate([codes[p] for p in parts])

    return AlgorithmRows(
        np.concatenate([predictions.is_positive[part] for part in parts]),
        np.concatenate([predictions.score[part] for part in parts]),
        np.repeat(np.arange(len(parts)), sizes),
        of(predictions.case),
        of(predictions.cluster),
    )


def _distinct(rows: AlgorithmRows, n_blocks: int) -> str:
    """Return why rows are not distinct cases; empty if they are."""
    if rows.case is None:
        return UNNAMED if n_blocks > 1 else ""
    return REPEATED if np.unique(rows.case).size < rows.case.size else ""


def _intervals(rows: AlgorithmRows, asked: CurvePlan, why_not: str) -> AucIntervals:
    """Return the intervals that the rows allow."""
    folds = int(rows.block.max()) + 1 if rows.block.size else 0
    small = rows.truth.size <= MOST_RESAMPLED
    possible = possible_methods(
        rows.truth,
        threshold=asked.threshold is not None,
        folds=folds > 1 and not _one_sided(rows),
        clusters=rows.cluster is not None,
    )
    methods = [m for m in possible if small or m != "bootstrap"]
    if why_not:
        methods = [m for m in methods if m == "fold-t"]
    if not methods:
        raise DesignError(why_not or ONE_BLOCK)
    return auc_intervals(
        rows.truth,
        rows.score,
        positive=True,
        methods=methods,
        level=asked.level,
        threshold=asked.threshold,
        fold=rows.block,
        cluster=rows.cluster,
        seed=asked.seed,
    )


def _one_sided(rows: AlgorithmRows) -> bool:
    """Return whether a block has cases of one class only."""
    positive = np.bincount(rows.block, rows.truth)
    sizes = np.bincount(rows.block)
    return bool(np.any((sizes > 0) & ((positive == 0) | (positive == sizes))))


def _cross_validated(rows: AlgorithmRows, asked: CurvePlan) -> CvAucResult:
    """Return LeDell's interval; blocks are dealt into repeats by their cases."""
    if rows.case is None:
        raise DesignError(UNNAMED)
    if rows.cluster is not None:
        raise DesignError(CLUSTERED)
    repeat = repeats_of(rows.block, rows.case)
    return cv_auc(
        rows.truth,
        rows.score,
        fold=rows.block,
        positive=True,
        repeat=repeat,
        case=rows.case,
        level=asked.level,
    )


def repeats_of(block: Indices, case: Indices) -> Indices:
    """Return the repeat of each row: blocks in order, a new one if cases return.

    Raises
    ------
    DesignError
        If a repeat lacks a case.
    """
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    repeat, number, seen = np.zeros_like(block), 0, set[int]()
    for start, end in pairwise([*starts.tolist(), block.size]):
        here = set(case[start:end].tolist())
        if seen & here:
            number, seen = number + 1, set()
        seen |= here
        repeat[start:end] = number
    n = np.unique(case).size
    if np.any(np.bincount(repeat) != n):
        raise DesignError(UNEVEN)
    return repeat


def _over_cases(
    predictions: Predictions, rows: dict[str, AlgorithmRows], asked: CurvePlan
) -> DeLongResult:
    """Return DeLong's test; groups of a block have the same cases in one order."""
    first = next(iter(rows.values()))
    if predictions.case is None:
        raise DesignError(UNNAMED)
    pairs = delong(
        first.truth,
        {name: r.score for name, r in rows.items()},
        positive=True,
        control=asked.control,
        cluster=first.cluster,
        adjust=asked.adjust,
        alpha=asked.alpha,
    )
    if _second_is_better(pairs):
        return _over_cases(predictions, dict(reversed(rows.items())), asked)
    return pairs


def _second_is_better(pairs: PairsResult) -> bool:
    """Return whether the one pair is to be turned: it is the better minus the other.

    A control stays the second.
    """
    difference = pairs.as_columns()["estimate"]
    alone = len(difference) == 1 and pairs.control is None
    return alone and bool(difference[0] < 0)


def _precision_recall(
    predictions: Predictions, rows: dict[str, AlgorithmRows], asked: CurvePlan
) -> AucPrPairsResult:
    """Return areas under precision-recall curves, if resampling takes seconds."""
    first = next(iter(rows.values()))
    if predictions.case is None:
        raise DesignError(UNNAMED)
    if first.cluster is not None:
        raise DesignError(CLUSTERED)
    if (cells := first.truth.size * len(rows)) > MOST_RESAMPLED:
        raise DesignError(
            f"{cells} scores are too many to resample here (over {MOST_RESAMPLED}); "
            f"pc.auc_pr_pairs takes any number"
        )
    pairs = auc_pr_pairs(
        first.truth,
        {name: r.score for name, r in rows.items()},
        positive=True,
        method="average-precision",
        control=asked.control,
        adjust=asked.adjust,
        level=asked.level,
        seed=asked.seed,
    )
    if _second_is_better(pairs):
        return _precision_recall(predictions, dict(reversed(rows.items())), asked)
    return pairs


def _over_folds(
    scores: Scores | None, blocks: tuple[str, ...], asked: CurvePlan
) -> tuple[PairsResult | str, MarginPairsResult | str | None]:
    """Return t tests of the folds' AUCs, and those against the margin, or reasons.

    Blocks may have been dropped.
    """
    inside = set(blocks)
    kept = [] if scores is None else [b for b in scores.blocks if b in inside]
    if scores is None or len(kept) < 2:
        return ONE_BLOCK, None
    if asked.n_train is None or asked.n_test is None:
        return NO_SIZES, None
    sizes = asked.n_train, asked.n_test
    folds = scores.select(blocks=kept)
    pairs = _or_reason(lambda: _pairs_of_folds(folds, sizes, asked))
    if not isinstance(pairs, str) and _second_is_better(pairs):
        folds = folds.select(algorithms=folds.algorithms[::-1])
        pairs = _pairs_of_folds(folds, sizes, asked)
    if asked.margin is None or isinstance(pairs, str):
        return pairs, None
    return pairs, _or_reason(lambda: _margin_over_folds(folds, sizes, asked))


def _pairs_of_folds(
    folds: Scores, sizes: tuple[float, float], asked: CurvePlan
) -> PairsResult:
    """Return corrected t tests of the folds' AUCs."""
    return corrected_pairs(
        folds,
        n_train=sizes[0],
        n_test=sizes[1],
        control=asked.control,
        adjust=asked.adjust,
        alpha=asked.alpha,
    )
