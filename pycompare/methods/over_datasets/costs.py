"""Costs of the errors of a classifier, as a weight for each metric of the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.data.measures.loss import as_loss

Costs = Mapping[str, float | Mapping[str, float]]


def cost_weights(
    names: Sequence[str],
    datasets: Sequence[str],
    costs: Costs | None,
    cost_ratio: float | None,
    loss: Sequence[Sequence[float]] | None,
) -> Floats:
    """Return the cost of each metric on each data set, shape (L, n_metrics).

    Parameters
    ----------
    names : sequence of str
        Metrics that costs may name.
    datasets : sequence of str
    costs, cost_ratio, loss
        As in ``pc.wins``; exactly one is given.
    """
    given = [x is not None for x in (costs, cost_ratio, loss)]
    if sum(given) != 1:
        raise InputError(
            f"several metrics have no better mean without costs: give exactly one of "
            f"cost_ratio=, loss= and costs=; got {sum(given)}"
        )
    if costs is None:
        costs = _counted_costs(names, as_loss(cost_ratio, loss)._asdict())
    return _weights_of(names, datasets, costs)


def _counted_costs(
    names: Sequence[str], costs: Mapping[str, float]
) -> dict[str, float]:
    """Give costs of confusion counts the names that the scores have for them."""
    return {count_name(names, n): cost for n, cost in costs.items() if cost}


def count_name(names: Sequence[str], count: str) -> str:
    """Return the metric that holds a confusion count, in capitals or not."""
    matching = [name for name in names if name.casefold() == count]
    if len(matching) != 1:
        raise InputError(
            f"the risk needs the counts {count!r}, and the metrics are "
            f"{show_all(names)}; measure it as well, or weigh rates by the class sizes "
            f'with costs, such as {{"fpr": ratio * negatives, "fnr": positives}}'
        )
    return matching[0]


def _weights_of(names: Sequence[str], datasets: Sequence[str], costs: Costs) -> Floats:
    """Return costs as an array; a cost may be one number, or one for each data set."""
    weights = np.zeros((len(datasets), len(names)))
    for name, cost in costs.items():
        if name not in names:
            raise InputError(
                f"costs: there is no metric {show(name)}{nearest(name, names)}; "
                f"metrics: {show_all(names)}"
            )
        weights[:, list(names).index(name)] = (
            _cost_of_each(name, cost, datasets) if isinstance(cost, Mapping) else cost
        )
    if not np.isfinite(weights).all() or not weights.any(axis=1).all():
        raise InputError(
            "costs must be finite numbers, at least one of them not 0 on each data set"
        )
    return weights


def _cost_of_each(
    name: str, cost: Mapping[str, float], datasets: Sequence[str]
) -> list[float]:
    """Return one cost per data set."""
    absent = [d for d in datasets if d not in cost]
    if absent:
        raise InputError(
            f"costs of {show(name)}: no number for {len(absent)} of {len(datasets)} "
            f"data sets, first {show(absent[0])}"
        )
    return [cost[d] for d in datasets]
