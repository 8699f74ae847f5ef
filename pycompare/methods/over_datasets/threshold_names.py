"""Metrics at thresholds: which column of the scores is ``tp@0.25``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.methods.over_datasets.costs import count_name
from pycompare.methods.over_datasets.dataset_tables import complete_tables


@dataclass(frozen=True)
class ThresholdNames:
    """Where each metric at each threshold stands among the metrics of the scores.

    Attributes
    ----------
    thresholds : tuple of float
        Ascending.
    names : tuple of str
        Metrics, without threshold, in order of first appearance.
    columns : mapping of (str, float) to int
    """

    thresholds: tuple[float, ...]
    names: tuple[str, ...]
    columns: dict[tuple[str, float], int]

    def chosen(self, metrics: Sequence[str] | None) -> tuple[str, ...]:
        """Return the metrics that are tested."""
        if metrics is None:
            return self.names
        if isinstance(metrics, str) or not metrics:
            raise InputError(
                f"metrics={show(metrics)}: give a list of names without thresholds, "
                f"such as {list(self.names)[:2]}"
            )
        for i, name in enumerate(metrics):
            if name not in self.names or name in metrics[:i]:
                raise InputError(
                    f"metrics: {show(name)} is unknown or named twice; there are "
                    f"{show_all(self.names)}"
                )
        return tuple(metrics)

    def tables(
        self, scores: Scores, names: tuple[str, ...]
    ) -> tuple[list[Floats], Floats]:
        """Return (T, b, a, p) per data set, and the cost of each column, (T, p).

        The columns tested come first, then those that only the risk needs.
        """
        fp, fn = (count_name(self.names, count) for count in ("fp", "fn"))
        used = [*names, *(n for n in (fp, fn) if n not in names)]
        at = [self.columns[name, t] for t in self.thresholds for name in used]
        tables = [
            np.moveaxis(t.reshape(*t.shape[:2], len(self.thresholds), -1), 2, 0)
            for t in complete_tables(scores, at)
        ]
        theta = np.array(self.thresholds)
        weights = np.zeros((len(theta), len(used)))
        weights[:, used.index(fp)] = theta
        weights[:, used.index(fn)] = 1 - theta
        return tables, weights


def threshold_names(scores: Scores) -> ThresholdNames:
    """Read metrics and thresholds from names like ``tp@0.25``."""
    columns: dict[tuple[str, float], int] = {}
    for j, metric in enumerate(scores.metrics):
        name, _, text = metric.name.rpartition("@")
        columns[name, _threshold_of(metric.name, name, text)] = j
    names = tuple(dict.fromkeys(name for name, _ in columns))
    thresholds = tuple(sorted({t for _, t in columns}))
    if len(columns) < len(scores.metrics):
        raise InputError(
            "two metrics have the same name and threshold; leave one of them out"
        )
    for name in names:
        for t in thresholds:
            if (name, t) not in columns:
                raise InputError(
                    f"{show(name)} is not measured at threshold {t:g}; others are. "
                    f"Measure all metrics at the same thresholds"
                )
    return ThresholdNames(thresholds, names, columns)


def _threshold_of(whole: str, name: str, text: str) -> float:
    """Return the threshold in a metric's name."""
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not name or np.isnan(value):
        raise InputError(
            f"metric {show(whole)} is not named metric@threshold, like 'tp@0.25'; "
            f"measure the predictions at several thresholds"
        )
    if not 0 <= value <= 1:
        raise InputError(
            f"metric {show(whole)}: thresholds must lie in [0, 1]; theta gives the "
            f"cost of a false positive; turn the scores into probabilities"
        )
    return value
