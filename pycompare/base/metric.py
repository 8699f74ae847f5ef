"""What a score measures, and which direction of it is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pycompare.base.errors import InputError
from pycompare.base.labels import nearest, show, show_all, unique_labels

Direction = Literal["higher", "lower"]

OF_BLOCKS = ("group", "cluster", "stratum", "dataset", "fold", "block")
"""The columns of ``Scores.to_frame`` that hold labels of blocks, in their order."""
_OWN_COLUMNS = (*OF_BLOCKS, "algorithm", "run")
"""All of its columns other than the metrics."""


@dataclass(frozen=True, eq=False)
class Metric:
    """Name and better direction of a score.

    Attributes
    ----------
    name : str
    better : {"higher", "lower"}
        Which direction is good; it is never guessed from the name.

    Raises
    ------
    InputError
        If the direction is another word, or the name cannot be shown.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.Metric("error", better="lower")
    Metric(name='error', better='lower')
    """

    name: str
    better: Direction

    def __post_init__(self) -> None:
        (name,) = unique_labels([self.name], what="the metric's name")
        object.__setattr__(self, "name", name)  # a column named 3 is called '3'
        if not isinstance(self.better, str) or self.better not in ("higher", "lower"):
            raise InputError(
                f"metric {show(self.name)}: state which direction is better, 'higher' "
                f"or 'lower', got {show(self.better)}"
            )
        if self.name in _OWN_COLUMNS:
            raise InputError(
                f"a metric cannot be called {show(self.name)}, which is a column of "
                "our own tables; rename it"
            )

    @property
    def sign(self) -> float:
        """What scores are multiplied by so that lower is better: 1 or -1."""
        return -1.0 if self.better == "higher" else 1.0


def as_metrics(metrics: Mapping[str, Direction]) -> tuple[Metric, ...]:
    """Take a mapping of metric names to directions as metrics.

    Raises
    ------
    InputError
        If it is no mapping, is empty, or has another direction.
    """
    if not isinstance(metrics, Mapping) or not metrics:
        raise InputError(
            "metrics must map each column of scores to its direction, such as "
            f'{{"error": "lower", "auc": "higher"}}, got {show(metrics)}'
        )
    return tuple(Metric(name, better) for name, better in metrics.items())


def metric_position(metrics: Sequence[Metric], name: str | None) -> int:
    """Position of the metric with a name; None is enough if there is only one.

    Raises
    ------
    InputError
        If there is no such metric, or None could mean several.
    """
    names = [metric.name for metric in metrics]
    if name is None and len(names) == 1:
        return 0
    if name is None:
        raise InputError(f"name the metric, one of: {show_all(names)}")
    if not isinstance(name, str) or name not in names:
        raise InputError(
            f"there is no metric {show(name)}{nearest(name, names)}; "
            f"metrics: {show_all(names)}"
        )
    return names.index(name)
