"""Compare the AUCs of algorithms, data set by data set: over cases and over folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha, check_level, check_seed, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.hypotheses import AUCS
from pycompare.base.typing import Indices
from pycompare.data.measures.chance import below_chance
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.pair_methods import EXHAUSTIVE, MOST_EXHAUSTIVE
from pycompare.methods.curves.auc_pr_pairs import AucPrPairsResult, auc_pr_pairs
from pycompare.methods.curves.cross_validated import CvAucResult, cv_auc
from pycompare.methods.curves.delong import DeLongResult, delong
from pycompare.methods.curves.interval import (
    AucIntervals,
    auc_intervals,
    possible_methods,
)
from pycompare.methods.curves.mean_curve import blocks_of
from pycompare.methods.orders.rank_sets import RankSets, rank_sets_of
from pycompare.methods.pairs.corrected_pairs import corrected_pairs
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import PairsResult, Result, plain

Computed = TypeVar("Computed")

MOST_RESAMPLED = 20_000
"""Cases of a bootstrap that is or_reason without being asked for."""

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
    """The AUCs of one data set. What could not be or_reason is the reason, a text.

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
    alpha, adjust, level, seed, n_train, n_test
        As planned.
    threshold : float or None
        Of the Cortes-Mohri interval.

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
        names = ("alpha", "adjust", "level", "seed", "threshold", "n_train", "n_test")
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
    alpha: float = 0.05,
    adjust: str | None = None,
    level: float = 0.95,
    threshold: float | None = None,
    seed: int = 0,
    n_train: float | None = None,
    n_test: float | None = None,
) -> CurveComparison:
    """Compare the AUCs of algorithms on each data set, over cases and over folds.

    Over cases: intervals of each AUC side by side, DeLong's test of all and of all
    pairs, if the rows are distinct cases, and beside it the average precisions
    (areas under precision-recall curves) by the bootstrap, for at most 20,000 scores;
    the cross-validated AUC (LeDell), also if blocks repeat them. With clusters of
    dependent cases (``Predictions.cluster``): DeLong's test and intervals over clusters
    alone. Over folds: t tests of the folds' AUCs, corrected for common training cases;
    without the sizes of the sets nothing is tested over folds. Nothing is chosen by
    what the numbers say.

    Parameters
    ----------
    predictions : Predictions
        With ``case`` named, for everything over cases of several blocks.
    alpha : float
        A pair differs if its adjusted p-value <= alpha.
    adjust : str, optional
        Any name of ``pc.adjust`` but ``nemenyi``; the family is all pairs of a data set
        and a test. Default ``bergmann-hommel``, and ``holm`` over 40 algorithms, for
        which the former may take hours.
    level : float
        Of the intervals of each AUC, and of average precisions. Those of pairs of AUCs
        follow from ``alpha``, as in ``delong``, so that none disagrees with its
        decision.
    threshold : float, optional
        Of the Cortes-Mohri interval; 0.5 for scores in [0, 1], else there is none.
    seed : int
        Of the bootstrap intervals, and of the comparison of precision-recall areas.
    n_train, n_test : float, optional
        Sizes of the training and test sets, or numbers of the same ratio: what the
        tests over folds need.

    Returns
    -------
    CurveComparison

    Raises
    ------
    InputError
        For something else than predictions, fewer than two algorithms, an unknown
        adjustment, or only one of n_train and n_test.

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
    adjust = family_adjustment(
        adjust or default_adjust(predictions.n_algorithms), AUCS
    ).name
    ratio_of_sizes(n_train, n_test)
    score = predictions.score
    if threshold is None and score.min() >= 0 and score.max() <= 1:
        threshold = 0.5
    asked = CurvePlan(alpha, adjust, level, threshold, seed, n_train, n_test)
    names = [None] if predictions.datasets is None else predictions.datasets
    scores = predictions.measure("auc") if _has_folds(predictions) else None
    analyses = [
        _analysis(predictions, name, asked, scores) for name in dict.fromkeys(names)
    ]
    return CurveComparison(
        predictions=predictions, analyses=tuple(analyses), **vars(asked)
    )


def default_adjust(n_algorithms: int) -> str:
    """Return the adjustment of all pairs of AUCs: by the number of algorithms alone."""
    return EXHAUSTIVE if n_algorithms <= MOST_EXHAUSTIVE else "holm"


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


@dataclass(frozen=True)
class AlgorithmRows:
    """The rows of one algorithm on the blocks of one data set."""

    truth: NDArray[np.bool_]
    score: NDArray[np.float64]
    block: Indices
    case: Indices | None
    cluster: Indices | None


def _has_folds(predictions: Predictions) -> bool:
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
        over_cases=why_not
        or (
            GAPS if gaps else _or_reason(lambda: _over_cases(predictions, rows, asked))
        ),
        precision_recall=why_not
        or (
            GAPS
            if gaps
            else _or_reason(lambda: _precision_recall(predictions, rows, asked))
        ),
        over_folds=_or_reason(lambda: _over_folds(scores, names, asked)),
    )


def _or_reason(make: Callable[[], Computed]) -> Computed | str:
    """Return a result, or why this design has none, for the report."""
    try:
        return make()
    except DesignError as error:
        return str(error)


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
        cluster=first.cluster,
        adjust=asked.adjust,
        alpha=asked.alpha,
    )
    if _second_is_better(pairs):
        return _over_cases(predictions, dict(reversed(rows.items())), asked)
    return pairs


def _second_is_better(pairs: PairsResult) -> bool:
    """Return whether the one pair is to be turned: it is the better minus the other."""
    difference = pairs.column("estimate")
    return len(difference) == 1 and bool(difference[0] < 0)


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
        adjust=asked.adjust,
        level=asked.level,
        seed=asked.seed,
    )
    if _second_is_better(pairs):
        return _precision_recall(predictions, dict(reversed(rows.items())), asked)
    return pairs


def _over_folds(
    scores: Scores | None, blocks: tuple[str, ...], asked: CurvePlan
) -> PairsResult:
    """Return t tests of the folds' AUCs; blocks may have been dropped."""
    kept = [] if scores is None else [b for b in scores.blocks if b in set(blocks)]
    if scores is None or len(kept) < 2:
        raise DesignError(ONE_BLOCK)
    if asked.n_train is None or asked.n_test is None:
        raise DesignError(NO_SIZES)
    scores = scores.select(blocks=kept)
    pairs = corrected_pairs(
        scores,
        n_train=asked.n_train,
        n_test=asked.n_test,
        adjust=asked.adjust,
        alpha=asked.alpha,
    )
    if _second_is_better(pairs):
        turned = scores.select(algorithms=scores.algorithms[::-1])
        return _over_folds(turned, blocks, asked)
    return pairs
