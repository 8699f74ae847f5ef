"""Keys of Bayesian analyses: their kinds of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np

from pycompare.designs.plans.keys import Fault, Kind, Number
from pycompare.methods.posteriors.common import fault_of_losses

BayesMethod = Literal[
    "signed-rank", "sign", "correlated-t", "hierarchical", "bradley-terry"
]
OF_BAYES = "plans with bayes"


class PracticalLoss(Kind):
    """Losses of the three answers under the three truths."""

    expected: str = (
        "[[0, bE, bW], [eB, 0, eW], [wB, wE, 0]]: the loss of each answer (rows "
        "better, equivalent, worse) under each truth (columns, same order)"
    )

    def allows(self, value: Any) -> bool:
        """Return whether it has three rows of three losses, right answers with 0."""
        return not list(self.faults(value))

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problem of the matrix."""
        rows = value if isinstance(value, list | tuple) else ()
        number = Number(float("-inf"))
        whole = len(rows) == 3 and all(
            isinstance(row, list | tuple)
            and len(row) == 3
            and all(map(number.allows, row))
            for row in rows
        )
        if not whole:
            yield None, f"give {self.expected}"
        elif problem := fault_of_losses(np.array(rows, float)):
            yield None, problem


def of_metric(given: Any, metric: str) -> Any:
    """Return one value for all metrics, or that of a metric from a table."""
    return given.get(metric) if isinstance(given, Mapping) else given
