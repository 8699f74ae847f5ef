"""A test of all algorithms before the pairs, where the plan asks for one."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

import numpy as np

from pycompare.plans.plan import Plan
from pycompare.results import GATED, Pairs, Test

P = TypeVar("P", bound=Pairs)


def gated(pairs: P, test: Test, plan: Plan) -> P:
    """Return pairs that are decided only where the test of all algorithms rejects.

    ``p_adjusted`` becomes the larger of the pair's, kept as ``p_pairs``, and the test's
    p-value, so that one comparison with alpha asks for both; NaN where one of them
    could not be made.
    """
    if plan.gate == "none":
        return pairs
    own = pairs.column("p_adjusted")
    p = np.maximum(own, test.p_value)
    return dataclasses.replace(
        pairs,
        table=pairs.table.assign(p_adjusted=p, **{GATED: own}),
        family=f"{pairs.family}, where the test of all algorithms rejects",
    )
