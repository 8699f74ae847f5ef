"""Wins over data sets: per data set who is significantly better, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_alpha, check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.hypotheses import MEAN_VECTORS, MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, unknown_control
from pycompare.base.metric import metric_position
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels.hotelling import Samples
from pycompare.methods.linear.anova import anova
from pycompare.methods.linear.dunnett import dunnett
from pycompare.methods.linear.pairs import MeanPairsResult
from pycompare.methods.linear.pairwise_t import pairwise_t
from pycompare.methods.linear.responses import chosen_metrics
from pycompare.methods.linear.tukey import tukey
from pycompare.methods.over_datasets.costs import Costs, cost_weights
from pycompare.methods.over_datasets.dataset_tables import (
    complete_tables,
    dataset_labels,
    on_each_dataset,
)
from pycompare.methods.over_datasets.outcomes import (
    ALIKE,
    Outcomes,
    counted,
    signed_differences,
    with_control,
)
from pycompare.methods.over_datasets.vector_tables import vector_call, vector_tests
from pycompare.methods.over_datasets.win_table import WinTable
from pycompare.methods.pairs.common import PairsMethod
from pycompare.methods.pairs.corrected_pairs import CorrectedPairsResult
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.result import Pairs, PairsResult, internal

TestedDataset = tuple[Scores, Pairs, float]
OneMetric = Literal["tukey", "pairwise-t", "paired-t"]

_ONE_METRIC = ("tukey", "pairwise-t", "paired-t")
TOGETHER = ("paired", "two-sample", "two-sample-unequal")
TITLES = {
    "paired-t": "paired t tests",
    "paired": "Hotelling's T2, paired",
    "two-sample": "Hotelling's T2, two samples with one covariance matrix",
    "two-sample-unequal": "Hotelling's T2, two samples with two covariance matrices",
}
FOLDS = (
    "folds of one data set share training cases, so each data set's test rejects too "
    "often; the sign test over data sets does not rest on its p-values being exact"
)


DECIDED = ("value_1", "value_2", "p_value", "p_pairs", "p_omnibus", "p_adjusted")
"""What decides who wins; ``p_omnibus`` if such a test stands first."""


def numbers_of(decisions: pd.DataFrame) -> dict[str, Any]:
    """Return what decides who wins, under R's names."""
    return {
        name: decisions[name].to_numpy(float) for name in DECIDED if name in decisions
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class WinsResult(WinTable):
    """Wins, and the decisions that they count; see ``WinTable``.

    Attributes
    ----------
    decisions : DataFrame
        One row per data set and pair: ``dataset algorithm_1 algorithm_2 value_1 value_2
        p_value p_pairs p_omnibus p_adjusted verdict reason``. ``value_1``, ``value_2``
        are what decides which is better (``value_name``); ``p_pairs`` is adjusted over
        the pairs of the data set; ``p_adjusted``, from which the verdict is made, is
        the larger of it and ``p_omnibus`` if that test stands first. ``verdict`` is
        ``win``, ``tie`` or ``loss`` of algorithm_1. A pair that could not be tested has
        NaN and its ``reason``, and is a tie.
    method, adjust : str
        The test of pairs, and its adjustment within a data set.
    omnibus : str
        The test that stands before it, or nothing.
    value_name : str
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.
    metrics : tuple of str
    """

    decisions: pd.DataFrame
    method: str
    adjust: str
    omnibus: str
    value_name: str
    alpha: float
    metrics: tuple[str, ...]
    notes: tuple[str, ...] = ()
    repeat: RCall | None = internal()
    by_position: bool = internal()
    """Whether algorithms have positions, lower ones being better, and no means."""

    r_paths: ClassVar[Mapping[str, str]] = {
        name: f"decisions/{name}" for name in DECIDED
    }

    def heading(self) -> str:
        """Return the events that the table counts and how each data set was tested."""
        return heading(super().heading(), self)

    def r_call(self) -> RCall | None:
        """Return the call that repeats the decisions; None for a test of the user's."""
        return self.repeat

    def r_values(self) -> dict[str, Any]:
        """Return the counts, row by row, and the basis of the decisions."""
        return self.counts_for_r() | numbers_of(self.decisions)


class Tested(Protocol):
    """What shows how each data set was tested."""

    @property
    def method(self) -> str:
        """The test of pairs."""
        ...

    @property
    def adjust(self) -> str:
        """Its adjustment."""
        ...

    @property
    def omnibus(self) -> str:
        """The test before it, or nothing."""
        ...

    @property
    def alpha(self) -> float:
        """Level of both."""
        ...


def heading(start: str, tested: Tested) -> str:
    """Return how each data set was tested."""
    first = f"{tested.omnibus}, then " if tested.omnibus else ""
    return (
        f"{start}\n{first}{tested.method}; adjusted: {tested.adjust}; "
        f"alpha = {tested.alpha:g}"
    )


@checked
def wins(
    scores: Scores,
    *,
    metric: str | None = None,
    metrics: Sequence[str] | None = None,
    method: OneMetric | Samples | PairsMethod | None = None,
    adjust: str | None = None,
    alpha: float = 0.05,
    omnibus: bool = True,
    control: str | None = None,
    costs: Costs | None = None,
    cost_ratio: float | None = None,
    loss: Sequence[Sequence[float]] | None = None,
) -> WinsResult:
    """Count on how many data sets each algorithm is significantly better.

    On each data set all algorithms are tested, then all pairs, adjusted within the data
    set. An algorithm wins over another if their pair is rejected and its mean is
    better, or, with several metrics, its total risk is lower.

    Parameters
    ----------
    scores : Scores
        Folds of two data sets or more (read with ``dataset=...``). Cells may be missing
        for ``tukey`` and ``pairwise-t`` if the scores were read with
        ``missing="model"``.
    metric : str, optional
        One metric, if there are several and one is to decide.
    metrics : sequence of str, optional
        Several metrics that are tested together; costs must then decide which is
        better.
    method : str or callable, optional
        One metric: ``tukey`` (default), ``pairwise-t`` with the model's error, or
        ``paired-t``. Several: ``paired`` (default, Yildiz et al. 2011), ``two-sample``
        (Aslan 2009) or ``two-sample-unequal`` Hotelling's T2. Or any function that
        takes the scores of one data set in the metric and returns all pairs, such as
        ``functools.partial(pc.corrected_pairs, n_train=90, n_test=10)``.
    adjust : str, default "bonferroni"
        Any name of ``pc.adjust`` but ``nemenyi``, over the pairs of a data set. Tukey
        and a function of yours have their own.
    alpha : float
        Of each data set.
    omnibus : bool, default True
        Whether pairs count only on data sets on which the test of all algorithms
        rejects as well: the blocked analysis of variance, or MANOVA's Wilks. With two
        algorithms it is their own test.
    control : str, optional
        Compare each other algorithm with this one only, adjusted over these
        comparisons: ``tukey`` becomes Dunnett's, and a function of yours must return
        comparisons with it. Not for ``paired-t``.
    costs : mapping of str to float, optional
        Cost of one unit of each metric; lower total is better. A cost may also be a
        mapping of data set to float, as rates have with class sizes:
        ``{"fpr": negatives, "fnr": positives}``.
    cost_ratio : float, optional
        Cost of a false positive if a false negative costs 1: lambda of Aslan
        (2009) eq. 2.1-2.9. The scores must have the counts ``fp`` and ``fn``.
    loss : 2 x 2 numbers, optional
        Costs in full: rows the decision (positive, negative), columns the truth
        (positive, negative). The scores must have the counts that cost something.

    Returns
    -------
    WinsResult

    Raises
    ------
    DesignError
        If there are fewer than two data sets, or one cannot be analysed: the message
        names it.
    InputError
        For an unknown name or word, or several metrics without costs.

    Notes
    -----
    Equation 7.2 of docs/equations.md.

    R: per data set ``anova(lm(score ~ block + algorithm))`` and ``TukeyHSD``, or
    ``t.test(paired = TRUE)``, or ``summary(manova())`` and ``mahalanobis``; then
    counting. Equal means or risks, up to 64 units in the last place, are ties. If a
    difference in one metric is the same in all folds, its p-value is that of
    ``pc.paired_t`` (``paired-t``: 2^(1 - k) in k folds), or ``pc.anova``, by counting.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 6.1, 7.1, Figure 7.1.
    .. [2] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011).

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "data": d, "fold": f, "score": rng.normal(0.1 * i * j, 0.1)}
    ...     for i, m in enumerate("ABC")
    ...     for j, d in enumerate("stuv")
    ...     for f in range(10)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", dataset="data",
    ...     metrics={"score": "lower"},
    ... )
    >>> won = pc.wins(scores)
    >>> won.wins
       A  B  C
    A  0  3  3
    B  0  0  3
    C  0  0  0
    """
    check_alpha(alpha)
    check_flags(omnibus=omnibus)
    datasets = dataset_labels(scores)
    _require_control(scores, control, method)
    asked = WinsPlan(
        method, adjust, omnibus and scores.n_algorithms > 2, alpha, control
    )
    given = (costs, cost_ratio, loss)
    if metrics is None:
        if any(x is not None for x in given):
            raise InputError(
                "costs decide between several metrics: give metrics=, or leave costs, "
                "cost_ratio and loss out"
            )
        outcomes, words = _metric_wins(scores, metric, asked)
    elif metric is not None:
        raise InputError("give metric or metrics, not both")
    else:
        outcomes, words = _vector_wins(scores, metrics, asked, given)
    return _counted(datasets, outcomes, words, asked)


def wins_of(
    scores: Scores, tested: Sequence[TestedDataset], asked: WinsPlan
) -> WinsResult:
    """Count wins from the tests of each data set, which were made already.

    Parameters
    ----------
    scores : Scores
        In one metric.
    tested : sequence of (Scores, Pairs, float)
        Each data set, its pairs before any gate, and the p-value of all algorithms.
    asked : WinsPlan
        How the pairs were made.
    """
    outcomes = [_outcome(*each, asked.control) for each in tested]
    return _counted(dataset_labels(scores), *_of_pairs(scores, outcomes, asked), asked)


def _counted(
    datasets: tuple[str, ...],
    outcomes: Outcomes,
    words: dict[str, Any],
    asked: WinsPlan,
) -> WinsResult:
    """Return the table of wins."""
    alpha, control = asked.alpha, asked.control
    table, totals = counted(outcomes.beats(alpha), outcomes.algorithms)
    return WinsResult(
        wins=table,
        n_datasets=len(datasets),
        totals=totals,
        control=control,
        decisions=outcomes.frame({"dataset": list(datasets)}, alpha, control),
        alpha=alpha,
        **words,
    )


def _require_control(scores: Scores, control: str | None, method: Any) -> None:
    """Reject a control that is no algorithm, or a method that is for all pairs."""
    if control is None:
        return
    if control not in scores.algorithms:
        raise InputError(unknown_control(control, scores.algorithms))
    if method == "paired-t":
        raise InputError(
            "method='paired-t' compares all pairs; with a control choose 'pairwise-t', "
            "or give functools.partial(pc.corrected_pairs, control=..., ...)"
        )


@dataclass(frozen=True)
class WinsPlan:
    """How each data set is to be analysed, or was; see ``wins``."""

    method: Any
    adjust: str | None
    omnibus: bool
    alpha: float
    control: str | None = None

    def before(self, name: str) -> str:
        """Return the name of the test that stands first, if one does."""
        return f"{name}, blocked" if self.omnibus else ""


OutcomesAndWords = tuple[Outcomes, dict[str, Any]]


def _metric_wins(
    scores: Scores, metric: str | None, asked: WinsPlan
) -> OutcomesAndWords:
    """Return the outcomes of one metric, and the words and call of the result."""
    at = metric_position(scores.metrics, metric)
    chosen = scores.metrics[at]
    metric_scores = scores.only(chosen.name)
    if asked.method == "paired-t":
        weights = np.ones((len(dataset_labels(scores)), 1))
        return _tested_together(
            metric_scores, [0], asked, weights, f"mean {chosen.name}", chosen.sign
        )
    make = _pairs_method(asked)
    outcomes = on_each_dataset(_outcome_of, (make, asked), metric_scores)
    return _of_pairs(metric_scores, outcomes, asked)


def _of_pairs(
    scores: Scores, by_dataset: Sequence[DatasetPairs], asked: WinsPlan
) -> OutcomesAndWords:
    """Return the outcomes of pairs of each data set, in one metric."""
    [chosen] = scores.metrics
    pairs = [outcome.pairs for outcome in by_dataset]
    p = np.array([_upper(table, "p_adjusted") for table in pairs])
    outcomes = Outcomes(
        algorithms=scores.algorithms,
        value=np.array([outcome.value for outcome in by_dataset]),
        difference=np.array([outcome.difference for outcome in by_dataset]),
        p_value=np.array([_upper(table, "p_value") for table in pairs]),
        p_pairs=p,
        p_omnibus=np.array([m.p_omnibus for m in by_dataset])
        if asked.omnibus
        else None,
        reason=np.where(np.isnan(p), ALIKE, "").astype(object),
    )
    means = isinstance(pairs[0], MeanPairsResult)
    return outcomes, {
        "method": pairs[0].method,
        "adjust": pairs[0].adjust,
        "omnibus": asked.before("analysis of variance"),
        "value_name": f"mean {chosen.name}" if means else "position, lower is better",
        "by_position": not means,
        "metrics": (chosen.name,),
        "repeat": None
        if callable(asked.method)
        else _metric_call(scores, pairs[0], asked),
        "notes": () if isinstance(pairs[0], CorrectedPairsResult) else (FOLDS,),
    }


def _pairs_method(asked: WinsPlan) -> PairsMethod:
    """Return a function of the scores of a data set."""
    if callable(asked.method) or asked.method in (None, "tukey"):
        if asked.adjust is not None:
            who = "the function given" if callable(asked.method) else "Tukey"
            raise InputError(
                f"adjust={show(asked.adjust)}: {who} has its own adjustment; leave "
                f"adjust out, or choose method='pairwise-t'"
            )
        if callable(asked.method):
            return asked.method
        return tukey if asked.control is None else _against_control(dunnett, asked)
    if asked.method != "pairwise-t":
        raise InputError(
            f"method={asked.method!r}: for one metric choose one of "
            f"{', '.join(_ONE_METRIC)}, or give a function that returns all pairs"
        )
    name = family_adjustment(asked.adjust or "bonferroni", MEANS, asked.control).name
    return partial(pairwise_t, adjust=name, control=asked.control)


@dataclass(frozen=True, eq=False)
class DatasetPairs:
    """Pairs of one data set, what decides between them, and the omnibus p-value."""

    pairs: PairsResult
    value: Floats
    difference: Floats
    p_omnibus: float


def _against_control(method: Callable[..., Pairs], asked: WinsPlan) -> PairsMethod:
    """Return a method for comparisons with the control."""
    return partial(method, control=asked.control)


def _require_family(pairs: PairsResult, control: str | None) -> None:
    """Reject all pairs if a control is asked for, and the other way round."""
    if control is None:
        pairs.require_all("wins")
    elif pairs.control != control:
        raise InputError(
            f"the function for pairs compared "
            f"{'all pairs' if pairs.control is None else repr(pairs.control)}; with "
            f"control={control!r} it must return the comparisons with it"
        )


def _outcome_of(
    held: tuple[PairsMethod, WinsPlan], dataset: str, part: Scores
) -> DatasetPairs:
    """Compare the algorithms on one data set."""
    make, asked = held
    pairs = make(part)
    p_omnibus = anova(part).p_value if asked.omnibus else np.nan
    return _outcome(part, pairs, p_omnibus, asked.control)


def _outcome(
    part: Scores, pairs: Pairs, p_omnibus: float, control: str | None
) -> DatasetPairs:
    """Return which pairs of one data set are better."""
    if not isinstance(pairs, PairsResult):
        raise InputError(
            f"the function for pairs returned a {type(pairs).__name__}, which has "
            f"no direction; it must return a PairsResult"
        )
    _require_family(pairs, control)
    if pairs.algorithms != part.algorithms:
        raise InputError(
            "the function for pairs compared other algorithms than those of the scores"
        )
    positions = pairs.positions.to_numpy(float)
    means = isinstance(pairs, MeanPairsResult)
    # A mean is no more exact than the scores that it is made of.
    size = np.full(len(positions), np.nanmax(np.abs(part.values)))
    noise = size if means else np.abs(positions)
    return DatasetPairs(
        pairs=pairs,
        value=pairs.means.to_numpy(float)
        if isinstance(pairs, MeanPairsResult)
        else positions,
        difference=signed_differences(positions[None], noise[None])[0],
        p_omnibus=p_omnibus,
    )


def _upper(pairs: Pairs, column: str) -> Floats:
    """Return a symmetric column in the order of pairs (0, 1), (0, 2), ..."""
    square = pairs.square(column)
    return np.asarray(square[np.triu_indices(len(square), 1)])


def _vector_wins(
    scores: Scores, metrics: Sequence[str], asked: WinsPlan, given: tuple[Any, Any, Any]
) -> OutcomesAndWords:
    """Return the outcomes of several metrics, and the words and call of the result."""
    every = [m.name for m in scores.metrics]
    columns = [every.index(m.name) for m in chosen_metrics(scores, metrics)]
    if asked.method not in (None, *TOGETHER):
        raise InputError(
            f"method={asked.method!r}: for several metrics choose one of "
            f"{', '.join(TOGETHER)}"
        )
    weights = cost_weights(every, dataset_labels(scores), *given)
    return _tested_together(scores, columns, asked, weights, "total risk")


def _tested_together(
    scores: Scores,
    columns: list[int],
    asked: WinsPlan,
    weights: Floats,
    value_name: str,
    sign: float = 1.0,
) -> OutcomesAndWords:
    """Return the outcomes of T2 in some columns, values being weighted means."""
    hypotheses = MEAN_VECTORS if len(columns) > 1 else MEANS
    name = asked.adjust or "bonferroni"
    chosen = family_adjustment(name, hypotheses, asked.control)
    method: Samples = "paired" if asked.method in (None, "paired-t") else asked.method
    used = sorted({*columns, *np.flatnonzero(weights.any(axis=0)).tolist()})
    tables = complete_tables(scores, used)
    at = [used.index(j) for j in columns]
    tests = vector_tests([t[None][..., at] for t in tables], method, chosen)
    tests.refuse_if_none(scores)
    weights = weights[:, used]
    parts = [_weighted(t, w) for t, w in zip(tables, weights, strict=True)]
    value, noise = (np.array(part) for part in zip(*parts, strict=True))
    outcomes = Outcomes(
        algorithms=scores.algorithms,
        value=value,
        difference=signed_differences(value, noise, sign),
        p_value=tests.p_value,
        p_pairs=_adjusted_against(tests.p_value, tests.p_pairs, scores, asked, chosen),
        p_omnibus=tests.p_omnibus if asked.omnibus else None,
        reason=tests.reason,
    )
    several = len(columns) > 1
    repeat = vector_call(
        np.concatenate(tables),
        scores.algorithms,
        [str(d) for d in scores.datasets or ()],
        (tests, method, chosen.name, asked.omnibus, asked.alpha),
        (at, sign * weights),
        sign,
    )
    return outcomes, {
        "method": TITLES[method if several else "paired-t"],
        "adjust": chosen.name,
        "omnibus": asked.before("Wilks' Lambda" if several else "analysis of variance"),
        "value_name": value_name,
        "by_position": False,
        "metrics": tuple(scores.metrics[j].name for j in columns),
        "repeat": repeat if asked.control is None else None,
        "notes": (FOLDS,),
    }


def _adjusted_against(
    p_value: Floats,
    p_pairs: Floats,
    scores: Scores,
    asked: WinsPlan,
    chosen: Adjustment,
) -> Floats:
    """Return p-values adjusted over the comparisons with the control, if there is one.

    Shape (n_datasets, n_pairs); NaN for pairs without it.
    """
    if asked.control is None:
        return p_pairs
    kept = with_control(scores.algorithms, asked.control)
    adjusted = np.full_like(p_pairs, np.nan)
    for row, p in zip(adjusted, p_value, strict=True):
        row[kept] = adjust_family(p[kept], scores.n_algorithms, chosen)
    return adjusted


def _weighted(table: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return weighted means (a,) of a table (b, a, p), and the size of their parts."""
    mean, size = table.mean(axis=0), np.abs(table).mean(axis=0)
    return mean @ weights, size @ np.abs(weights)


def _metric_call(scores: Scores, pairs: PairsResult, asked: WinsPlan) -> RCall | None:
    """Return the call that repeats the wins of one metric, if R can adjust them."""
    if asked.control is not None or not repeatable_in_r(
        pairs.adjust, scores.n_algorithms
    ):
        return None
    by_t = asked.method == "pairwise-t"
    arguments: dict[str, Any] = {
        "x": scores.to_wide(),
        "dataset": list(scores.datasets or ()),
        "better": scores.metrics[0].better,
        "method": "t" if by_t else "tukey",
        "adjust": pairs.adjust if by_t else "none",
        "omnibus": asked.omnibus,
        "alpha": asked.alpha,
    }
    files = (
        "linear", "studentized_range", "adjust", "chi_points", "mean_pairs", "wins",
    )  # fmt: skip
    return RCall(files, "wins_reference", arguments)
