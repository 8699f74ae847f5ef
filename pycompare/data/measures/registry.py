"""Every measure: its name, direction, range, formula, source and the same in R."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Literal

from pycompare.base.errors import InputError
from pycompare.base.labels import nearest, show
from pycompare.base.metric import Direction
from pycompare.base.typing import Floats
from pycompare.kernels import cumulative_counts, rates
from pycompare.kernels.cumulative_counts import Counts

Needs = Literal[
    "threshold", "cost", "ranks", "share", "probability", "probability-at-threshold"
]


@dataclass(frozen=True)
class Measure:
    """What can be measured of the predictions of one group.

    Attributes
    ----------
    name : str
    title : str
        In words.
    better : {"higher", "lower"}
    low, high : float
        Range of the values.
    formula : str
    reference : str
    r : str
        The same in R: a function of ``r_reference/inst/reference/measures.R``.
    needs : {"threshold", "cost", "ranks", "share", "probability", \
"probability-at-threshold"}
        Confusion counts at a threshold; these and costs; only the order of the
        scores; this and a share of the cases; scores that are probabilities; these
        and counts at a threshold.
    of_counts : callable or None
        Counts -> values, for what needs a threshold.
    of_steps : callable or None
        Steps -> values, for what needs ranks alone.
    if_undefined : tuple of float
        What 0/0 may be declared to be.
    """

    name: str
    title: str
    better: Direction
    low: float
    high: float
    formula: str
    reference: str
    r: str
    needs: Needs
    of_counts: Callable[[Counts], Floats] | None = None
    of_steps: Callable[[cumulative_counts.Steps], Floats] | None = None
    if_undefined: tuple[float, ...] = ()

    @property
    def at_threshold(self) -> bool:
        """Whether it is measured at a threshold."""
        return self.needs in ("threshold", "cost", "probability-at-threshold")

    @property
    def of_probabilities(self) -> bool:
        """Whether scores must be probabilities."""
        return self.needs in ("probability", "probability-at-threshold")


_FAWCETT = "Fawcett (2006) Pattern Recognition Letters 27, 861-874"


def _rate(
    name: str,
    title: str,
    better: Direction,
    formula: str,
    of_counts: Callable[[Counts], Floats],
    *,
    low: float = 0.0,
    high: float = 1.0,
    reference: str = _FAWCETT,
    if_undefined: tuple[float, ...] = (),
) -> Measure:
    return Measure(
        name,
        title,
        better,
        low,
        high,
        formula,
        reference,
        f"confusion_reference(...)${name}",
        "threshold",
        of_counts=of_counts,
        if_undefined=if_undefined,
    )


def _area(
    name: str,
    title: str,
    formula: str,
    reference: str,
    of_steps: Callable[[cumulative_counts.Steps], Floats] | None,
    r_function: str = "curve_areas_reference",
) -> Measure:
    return Measure(
        name,
        title,
        "higher",
        0.0,
        1.0,
        formula,
        reference,
        f"{r_function}(...)${name}",
        "ranks",
        of_steps=of_steps,
    )


def _count(name: str, title: str, better: Direction) -> Measure:
    return _rate(name, title, better, name, partial(_field, name), high=inf)


def _field(name: str, counts: Counts) -> Floats:
    count: Floats = getattr(counts, name).astype(float)
    return count


_TPR = _rate("tpr", "true positive rate", "higher", "tp / (tp + fn)", rates.tpr)
_TNR = _rate("tnr", "true negative rate", "higher", "tn / (tn + fp)", rates.tnr)
_FPR = _rate("fpr", "false positive rate", "lower", "fp / (fp + tn)", rates.fpr)
_SAR = "Caruana and Niculescu-Mizil (2004) KDD, 69-78"
_DAVIS_GOADRICH = "Davis and Goadrich (2006) ICML, 233-240"

_ALL = (
    _TPR,
    _FPR,
    _TNR,
    _rate("fnr", "false negative rate", "lower", "fn / (tp + fn)", rates.fnr),
    replace(_TPR, name="recall", title="recall"),
    replace(_TPR, name="sensitivity", title="sensitivity"),
    replace(_TNR, name="specificity", title="specificity"),
    _rate(
        "precision",
        "precision",
        "higher",
        "tp / (tp + fp)",
        rates.precision,
        if_undefined=(0.0, 1.0),
    ),
    _rate(
        "npv",
        "negative predictive value",
        "higher",
        "tn / (tn + fn)",
        rates.npv,
        if_undefined=(0.0, 1.0),
    ),
    _rate("error", "error", "lower", "(fp + fn) / n", rates.error),
    _rate("accuracy", "accuracy", "higher", "(tp + tn) / n", rates.accuracy),
    _rate(
        "balanced_accuracy",
        "balanced accuracy",
        "higher",
        "(tpr + tnr) / 2",
        rates.balanced_accuracy,
    ),
    _rate(
        "f1",
        "F1",
        "higher",
        "2 tp / (2 tp + fp + fn)",
        rates.f1,
        reference="van Rijsbergen (1979) Information Retrieval, ch. 7",
        if_undefined=(0.0, 1.0),
    ),
    _rate(
        "mcc",
        "Matthews correlation",
        "higher",
        "(tp tn - fp fn) / sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn))",
        rates.mcc,
        low=-1.0,
        reference="Matthews (1975) Biochim Biophys Acta 405, 442-451",
        if_undefined=(0.0,),
    ),
    _rate(
        "kappa",
        "Cohen's kappa",
        "higher",
        "2 (tp tn - fp fn) / ((tp + fp)(fp + tn) + (tp + fn)(fn + tn))",
        rates.kappa,
        low=-1.0,
        reference="Cohen (1960) Educ Psychol Meas 20, 37-46",
        if_undefined=(0.0,),
    ),
    _count("tp", "true positives", "higher"),
    _count("fp", "false positives", "lower"),
    _count("fn", "false negatives", "lower"),
    _count("tn", "true negatives", "higher"),
    Measure(
        "risk",
        "mean loss of a decision",
        "lower",
        -inf,
        inf,
        "(cost_ratio fp + fn) / n, or with a loss matrix the mean of its four costs",
        "Aslan (2009) eq. 2.1-2.9",
        "risk_reference(...)$mean_loss",
        "cost",
    ),
    _area(
        "auc",
        "area under the ROC curve",
        "trapezoids; the Mann-Whitney share, ties 1/2",
        "Hanley and McNeil (1982) Radiology 143, 29-36",
        cumulative_counts.auc,
    ),
    _area(
        "partial_auc",
        "area under a part of the ROC curve",
        "area over the false positive rates of fpr_range, not rescaled",
        "McClish (1989) Medical Decision Making 9, 190-195",
        None,
        "partial_auc_reference",
    ),
    _area(
        "auc_pr",
        "area under the precision-recall curve, trapezoids",
        "points joined by straight lines, from recall 0, precision 1",
        "Aslan (2009) sec. 2.3",
        cumulative_counts.pr_trapezoid,
    ),
    _area(
        "auc_pr_davis_goadrich",
        "area under the precision-recall curve, Davis-Goadrich",
        "a point for every true positive, false positives growing linearly",
        _DAVIS_GOADRICH,
        cumulative_counts.pr_davis_goadrich,
    ),
    _area(
        "average_precision",
        "average precision",
        "precision at each step, weighted by the recall gained",
        "Boyd, Eng and Page (2013) ECML PKDD, 451-466",
        cumulative_counts.average_precision,
    ),
    _area(
        "break_even",
        "precision-recall break-even",
        "precision = recall, as many cases called positive as are; ties in proportion",
        "van Rijsbergen (1979) Information Retrieval, ch. 7",
        cumulative_counts.break_even,
        "rank_measures_reference",
    ),
    _area(
        "ks",
        "Kolmogorov-Smirnov statistic",
        "largest tpr - fpr over all thresholds, at least 0",
        "Hand (2012) International Statistical Review 80, 400-414",
        cumulative_counts.kolmogorov_smirnov,
        "rank_measures_reference",
    ),
    Measure(
        "lift",
        "lift",
        "higher",
        0.0,
        inf,
        "share of positives among the top_share of highest scores / share of all; "
        "ties in proportion",
        _SAR,
        "lift_reference(...)$lift",
        "share",
    ),
    Measure(
        "brier",
        "Brier score",
        "lower",
        0.0,
        1.0,
        "mean of (score - truth)^2",
        "Brier (1950) Monthly Weather Review 78, 1-3",
        "probability_scores_reference(...)$brier",
        "probability",
    ),
    Measure(
        "log_loss",
        "logarithmic loss",
        "lower",
        0.0,
        inf,
        "-mean of log(score of the true class), natural logarithm",
        "Good (1952) JRSS B 14, 107-114",
        "probability_scores_reference(...)$log_loss",
        "probability",
    ),
    Measure(
        "ece",
        "expected calibration error",
        "lower",
        0.0,
        1.0,
        "mean of |mean score - share of positives| over ten bins of equal width, "
        "weighted by their cases",
        "Naeini, Cooper and Hauskrecht (2015) AAAI, 2901-2907",
        "probability_scores_reference(...)$ece",
        "probability",
    ),
    Measure(
        "sar",
        "SAR",
        "higher",
        0.0,
        1.0,
        "(accuracy + AUC + 1 - sqrt(Brier score)) / 3",
        _SAR,
        "sar_reference(...)$sar",
        "probability-at-threshold",
    ),
)

MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}
"""Name -> measure."""


def find(name: str) -> Measure:
    """Return a measure by name.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in MEASURES:
        raise InputError(
            f"there is no measure {show(name)}{nearest(str(name), MEASURES)}; "
            f"measures: {', '.join(MEASURES)}"
        )
    return MEASURES[name]
