"""What to measure, and the declared choices: checked before data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import is_finite, numbers
from pycompare.base.errors import InputError
from pycompare.base.labels import label_text, show, unique_labels
from pycompare.base.metric import Metric
from pycompare.data.measures.loss import Loss, as_loss
from pycompare.data.measures.registry import Measure, find

Threshold = float | Sequence[float] | NDArray[np.float64] | Literal["risk"] | None


_DECIMALS = 10


def _beside_decimal(threshold: float) -> bool:
    """Return a threshold that rounding put beside a short decimal, as 0.1 + 0.2 is."""
    if not np.isfinite(threshold):
        return False
    ulp = float(np.spacing(abs(threshold)))
    return 0 < abs(threshold - round(threshold, _DECIMALS)) <= 4 * ulp


@dataclass(frozen=True)
class Request:
    """Measures and the choices behind them.

    Attributes
    ----------
    measures : tuple of Measure
    thresholds : tuple of float
        Empty if no measure needs one.
    by_default, by_risk : bool
        True if the threshold is 0.5 because none was given, or the threshold of
        least risk.
    loss : Loss or None
    fpr_range : tuple of float or None
    top_share : float or None
    undefined : mapping of str to float
        Declared values of 0/0.
    """

    measures: tuple[Measure, ...]
    thresholds: tuple[float, ...]
    by_default: bool
    by_risk: bool
    loss: Loss | None
    fpr_range: tuple[float, float] | None
    top_share: float | None
    undefined: Mapping[str, float]

    @property
    def why_unit_interval(self) -> str | None:
        """Return what needs scores in [0, 1], if anything does, and what to do."""
        turned = "turn logits or margins into probabilities"
        for measure in self.measures:
            if measure.of_probabilities:
                return f"{measure.name} needs probabilities; {turned}"
        if self.by_risk and self.thresholds:
            return f"the threshold of least risk needs probabilities; {turned}"
        if self.by_default and self.thresholds:
            return (
                "the threshold is 0.5 unless one is given, which is for scores there; "
                "if the scores are logits or margins, give a threshold in their own "
                "unit (0 for logits), or turn them into probabilities"
            )
        return None

    @property
    def at_thresholds(self) -> tuple[Measure, ...]:
        """The measures that are made at each threshold."""
        return tuple(m for m in self.measures if m.at_threshold)

    @property
    def columns(self) -> tuple[tuple[Measure, float | None], ...]:
        """Measure and threshold of each column of the result."""
        columns: list[tuple[Measure, float | None]] = []
        for measure in self.measures:
            if measure in self.at_thresholds:
                columns += [(measure, t) for t in self.thresholds]
            else:
                columns.append((measure, None))
        return tuple(columns)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Name and direction of each column: ``tpr``, or ``tpr@0.25`` of several."""
        several = len(self.thresholds) > 1
        return tuple(
            Metric(
                f"{m.name}@{label_text(t)}" if several and t is not None else m.name,
                m.better,
            )
            for m, t in self.columns
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """How each number is defined, in words."""
        said = [f"{m.name}: {m.title}, {m.formula}" for m in self.measures]
        if len(self.thresholds) == 1:
            said.append(f"called positive: score >= {label_text(self.thresholds[0])}")
        if len(self.thresholds) > 1:
            said.append("called positive: score >= the number after @")
        if beside := [t for t in self.thresholds if _beside_decimal(t)]:
            said.append(
                f"{len(beside)} of {len(self.thresholds)} thresholds are beside a "
                f"short decimal, first {beside[0]!r} beside "
                f"{round(beside[0], _DECIMALS):.10g}, and scores that are just that do "
                "not meet it; i / 20 makes exact thresholds"
            )
        if self.loss is not None:
            said.append(f"costs: {self.loss}")
        if self.fpr_range is not None:
            low, high = self.fpr_range
            said.append(f"partial_auc: false positive rates {low:g} to {high:g}")
        if self.top_share is not None:
            said.append(f"lift: the {self.top_share:g} of the cases that score highest")
        said += [f"{name} is {v:g} if it is 0/0" for name, v in self.undefined.items()]
        return tuple(said)


def request(
    metrics: str | Sequence[str],
    *,
    threshold: Threshold = None,
    cost_ratio: float | None = None,
    loss: Sequence[Sequence[float]] | None = None,
    fpr_range: tuple[float, float] | None = None,
    top_share: float | None = None,
    undefined: Mapping[str, float] | None = None,
) -> Request:
    """Check the request; see `Predictions.measure` for the arguments.

    Raises
    ------
    InputError
        If a measure is unknown or asked for twice, or a choice is missing, not
        used by any measure, or out of range.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    if not names:
        raise InputError("name at least one measure")
    measures = tuple(map(find, unique_labels(names, what="metrics")))
    costs = _costs(measures, cost_ratio, loss, threshold)
    return Request(
        measures,
        _thresholds(measures, threshold, costs),
        threshold is None,
        isinstance(threshold, str),
        costs,
        _fpr_range(measures, fpr_range),
        _top_share(measures, top_share),
        _undefined(measures, undefined or {}),
    )


def _costs(
    measures: Sequence[Measure],
    cost_ratio: float | None,
    loss: Sequence[Sequence[float]] | None,
    threshold: Threshold,
) -> Loss | None:
    if isinstance(threshold, str) and threshold != "risk":
        raise InputError(f"threshold must be numbers or 'risk', got {show(threshold)}")
    wanted = any(m.needs == "cost" for m in measures) or isinstance(threshold, str)
    if wanted:
        return as_loss(cost_ratio, loss)
    if cost_ratio is not None or loss is not None:
        raise InputError(
            "costs are given, but nothing uses them: ask for 'risk', or for the "
            "threshold of least risk (threshold='risk')"
        )
    return None


def _thresholds(
    measures: Sequence[Measure],
    threshold: Threshold,
    loss: Loss | None,
) -> tuple[float, ...]:
    if not any(m.at_threshold for m in measures):
        if threshold is not None:
            raise InputError("a threshold is given, but no measure uses one")
        return ()
    if threshold is None:
        return (0.5,)
    if isinstance(threshold, str):
        assert loss is not None
        return (loss.threshold,)
    given = np.atleast_1d(numbers(threshold, "threshold"))
    if given.ndim != 1 or not given.size:
        raise InputError(
            f"threshold must be a number or several, got {show(threshold)}"
        )
    # Infinite thresholds are sound: nothing, or everything, is called positive.
    if np.isnan(given).any() or np.unique(given).size < given.size:
        raise InputError(
            f"thresholds must differ and not be NaN, got {show(threshold)}"
        )
    return tuple(given.tolist())


def _fpr_range(
    measures: Sequence[Measure], limits: tuple[float, float] | None
) -> tuple[float, float] | None:
    wanted = any(m.name == "partial_auc" for m in measures)
    if not wanted:
        if limits is not None:
            raise InputError("fpr_range is given, but only 'partial_auc' uses it")
        return None
    if limits is None or len(limits) != 2 or not 0 <= limits[0] < limits[1] <= 1:
        raise InputError(
            "partial_auc needs fpr_range=(low, high) with 0 <= low < high <= 1, such "
            f"as (0, 0.1); got {show(limits)}"
        )
    return float(limits[0]), float(limits[1])


def _top_share(measures: Sequence[Measure], share: float | None) -> float | None:
    if not any(m.needs == "share" for m in measures):
        if share is not None:
            raise InputError("top_share is given, but only 'lift' uses it")
        return None
    if share is None or not is_finite(share) or not 0 < share <= 1:
        raise InputError(
            "lift needs top_share, a share of the cases above 0 and at most 1, such as "
            f"0.1; got {show(share)}"
        )
    return float(share)


def _undefined(
    measures: Sequence[Measure], declared: Mapping[str, float]
) -> dict[str, float]:
    asked = {m.name: m for m in measures}
    for name, value in declared.items():
        if name not in asked:
            raise InputError(f"undefined: {show(name)} is not among the metrics")
        allowed = asked[name].if_undefined
        if value not in allowed:
            words = " or ".join(f"{v:g}" for v in allowed) or "nothing but missing"
            raise InputError(
                f"undefined: {name} may be declared {words} if it is 0/0, "
                f"got {show(value)}"
            )
    return {name: float(value) for name, value in declared.items()}
