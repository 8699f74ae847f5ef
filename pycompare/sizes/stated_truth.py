"""The truth of a planned study as it is stated, and what a plan needs of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pycompare.base.errors import InputError, joined, setting
from pycompare.base.labels import show, show_all

MetricKind = Literal["right/wrong", "graded"]
ByMetric = float | Mapping[str, float]
"""One number for all metrics, or one for each."""
Effects = Mapping[str, float] | Mapping[str, Mapping[str, float]]
"""By algorithm; of several metrics such a mapping for each."""


@dataclass(frozen=True, kw_only=True)
class StatedTruth:
    """The arguments of ``planned_power`` that state a truth; see there."""

    effects: Effects
    correlation: ByMetric | None = None
    sd: ByMetric | None = None
    base: ByMetric | None = None
    answers: MetricKind | Mapping[str, MetricKind] | None = None
    fold_correlation: float | None = None
    fold_sd: ByMetric | None = None
    folds_per_dataset: int | None = None
    per_cluster: int | None = None
    cluster_correlation: float | None = None
    n_runs: int | None = None
    run_correlation: float | None = None
    shared_run_correlation: float | None = None
    metric_correlation: float | None = None
    group_shares: Mapping[str, float] | None = None
    group_effects: Mapping[str, Effects] | None = None
    prevalence: float | None = None
    cases_per_block: int | None = None
    n_cases: int | None = None
    variances: Mapping[str, float] | None = None

    @property
    def stated(self) -> dict[str, Any]:
        """Stated arguments by name."""
        fields = ((f.name, getattr(self, f.name)) for f in dataclasses.fields(self))
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in fields
            if value is not None
        }

    def of(self, name: str, metric: str) -> Any:
        """Return the value of an argument for one metric; None if it has none."""
        value = getattr(self, name)
        return value.get(metric) if isinstance(value, Mapping) else value


@dataclass(frozen=True)
class Need:
    """What a plan needs of one argument.

    Attributes
    ----------
    what : str
        Its meaning in words.
    wanted : bool or tuple of str
        Whether it is needed; or the metrics that need it.
    possible : bool
        Whether it can be stated if it is not needed.
    """

    what: str
    wanted: bool | tuple[str, ...] = True
    possible: bool = False


def require(
    truth: StatedTruth, needs: Mapping[str, Need], metrics: tuple[str, ...], kind: str
) -> None:
    """Reject a truth that lacks something, or states what has no use.

    ``kind`` names what has no use for the rest, as after "has no use with".
    """
    _require_metrics(truth, metrics)
    missing = [
        text for name, need in needs.items() for text in _missing(truth, name, need)
    ]
    if missing:
        raise InputError(
            "the power needs "
            + joined(", ", missing)
            + ": state this, nothing is guessed"
        )
    for name, value in truth.stated.items():
        need = needs.get(name)
        if name == "effects" or (need and (need.wanted or need.possible)):
            continue
        raise InputError(
            setting(name, value) + f" has no use with {kind}: leave it out"
        )


def _missing(truth: StatedTruth, name: str, need: Need) -> Iterator[str]:
    """Yield the missing parts of one argument."""
    if isinstance(need.wanted, tuple):
        lacking = [m for m in need.wanted if truth.of(name, m) is None]
        if lacking:
            whole = getattr(truth, name) is None
            of = "" if whole else f" for {show_all(lacking)}"
            yield setting(name) + f" ({need.what}{of})"
    elif need.wanted and getattr(truth, name) is None:
        yield setting(name) + f" ({need.what})"


_BY_METRIC = ("correlation", "sd", "base", "answers", "fold_sd")


def _require_metrics(truth: StatedTruth, metrics: tuple[str, ...]) -> None:
    """Reject numbers of metrics that the plan does not have."""
    for name in _BY_METRIC:
        value = getattr(truth, name)
        if isinstance(value, Mapping):
            for metric in value:
                if metric not in metrics:
                    raise InputError(
                        setting(name, dict(value))
                        + f": no metric is called {show(metric)}; there are "
                        f"{show_all(metrics)}"
                    )


def effects_by_metric(
    effects: Any, metrics: tuple[str, ...], name: str = "effects"
) -> dict[str, dict[str, float]]:
    """Return the effects of algorithms on each metric."""
    if len(metrics) == 1 and not any(isinstance(v, Mapping) for v in effects.values()):
        return {metrics[0]: dict(effects)}
    for metric, own in effects.items():
        if metric not in metrics or not isinstance(own, Mapping):
            raise InputError(
                setting(name, dict(effects))
                + f": with {len(metrics)} metrics state the effects on each, such as "
                f"{{{metrics[0]!r}: {{...}}}}; there are {show_all(metrics)}"
            )
    return {metric: dict(effects.get(metric, {})) for metric in metrics}
