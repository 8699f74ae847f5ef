"""One test set: its cases, and their counts at every distinct score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.errors import InputError
from pycompare.data.measures.cases import Cases, one_score
from pycompare.kernels.cumulative_counts import Steps, steps


def one_curve(
    label: ArrayLike | Sequence[object], score: ArrayLike, positive: object
) -> tuple[Cases, Steps]:
    """Check labels and finite scores of one classifier; count at every score.

    Raises
    ------
    InputError
        If there are not two classes, the positive class is not there, or a score is
        not a finite number.
    """
    cases = one_score(label, score, positive)
    values = cases.score[0]
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise InputError(
            f"score: {infinite.size} of {values.size} are infinite, first: position "
            f"{infinite[0] + 1}; no threshold separates them"
        )
    return cases, steps(values, cases.truth, [0, values.size])


def r_arguments(cases: Cases) -> dict[str, Any]:
    """Return the cases as R gets them."""
    return {"positive": cases.truth.astype(float), "score": cases.score[0]}
