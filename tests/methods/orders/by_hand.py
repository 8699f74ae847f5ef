"""Comparisons of pairs with verdicts chosen by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from pycompare.base.hypotheses import MEAN_RANKS
from pycompare.results.placement import MEAN_RANKS as RANKED
from pycompare.results.placement import Placement
from pycompare.results.result import PairsResult

Pair = tuple[str, str] | str


class ByHand(PairsResult):
    """Pairs with the basis of z tests of mean ranks."""

    basis = "ranks/normal"


def pairs_result(
    positions: Mapping[str, float],
    differ: Iterable[Pair] = (),
    *,
    undefined: Iterable[Pair] = (),
    control: str | None = None,
    p: float = 0.01,
    placement: Placement = RANKED,
    reach: float = 1.0,
) -> PairsResult:
    """Make all pairs; those that differ have p, the undefined NaN, the others 0.5."""
    differ, undefined = set(map(frozenset, differ)), set(map(frozenset, undefined))
    rows = []
    for one, other in combinations(positions, 2):
        pair, estimate = {one, other}, positions[one] - positions[other]
        if control is not None and control not in pair:
            continue
        value = p if pair in differ else np.nan if pair in undefined else 0.5
        error = 0.5 * reach if pair not in undefined else np.nan
        ends = (estimate - reach, estimate + reach)
        numbers = (estimate, error, estimate / error, np.inf, value, value, *ends)
        rows.append((one, other, *numbers))
    columns = (
        "algorithm_1 algorithm_2 estimate std_error statistic df p_value p_adjusted "
        "conf_low conf_high"
    )
    return ByHand(
        table=pd.DataFrame(rows, columns=columns.split()),
        positions=pd.Series(positions, dtype=float),
        method="z test by hand",
        **placement.difference(),
        statistic_name="z",
        hypotheses=MEAN_RANKS,
        adjust="holm",
        family="",
        interval="simultaneous by hand",
        level=0.95,
        control=control,
        reference="",
    )
