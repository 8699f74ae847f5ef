"""A test of two algorithms as a table of one pair, for what works on tables."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pycompare.pairs.common import PairedTest
from pycompare.plans.plan import Plan
from pycompare.results import PairsResult


@dataclass(frozen=True, kw_only=True, eq=False)
class OnePair(PairsResult):
    """A test of two algorithms as a table of one pair; R repeats the test itself."""


def one_pair(test: PairedTest, control: str | None, adjust: str = "none") -> OnePair:
    """Return a test of two algorithms as a table of one pair.

    ``adjust`` is what will adjust it, where the pair is one of a larger family.
    """
    df = test.df if isinstance(test.df, float) else float("nan")
    row = {
        "algorithm_1": test.algorithm_1,
        "algorithm_2": test.algorithm_2,
        "estimate": test.estimate,
        "std_error": float("nan"),
        "statistic": test.statistic,
        "df": df,
        "p_value": test.p_value,
        "p_adjusted": test.p_value,
        "conf_low": test.conf_low,
        "conf_high": test.conf_high,
    }
    half = (1.0 if test.better == "lower" else -1.0) * test.estimate / 2
    return OnePair(
        table=pd.DataFrame([row]),
        positions=pd.Series([half, -half], [test.algorithm_1, test.algorithm_2]),
        method=test.name,
        estimate_name=test.estimate_name,
        statistic_name=test.statistic_name,
        adjust=adjust,
        family="the one pair of algorithms",
        interval=f"{100 * test.level:g} %, of the one pair",
        level=test.level,
        control=control,
        reference=test.reference,
        notes=test.notes,
    )


def one_pairs(test: PairedTest, plan: Plan) -> tuple[OnePair, ...]:
    """Return the pair once for each adjustment of a larger family, else once."""
    names = plan.adjust if plan.family == "all" else ("none",)
    return tuple(one_pair(test, plan.control, name) for name in names)
