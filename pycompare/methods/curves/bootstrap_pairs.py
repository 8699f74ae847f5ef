"""Areas of classifiers on the same cases and their differences, by the bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from pycompare.base.formatting.families import family_text
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import Cases
from pycompare.kernels import exchanges, placements, resampled_curves
from pycompare.methods.curves.delong import divided, two_sided
from pycompare.methods.curves.few_cases import require_enough_to_draw
from pycompare.methods.pairs.common import family_pairs
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
)
from pycompare.results.result import PairsResult

_ALIKE = "these had no difference in any resample and cannot be tested: "
_BY_EXCHANGES = (
    "these had the same difference in every resample, so there is no interval, and the "
    "p-value is that of {resamples:,} exchanges of the ranks of cases (seed {seed}), "
    "which test whether the two are exchangeable: "
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BootstrapPairs(PairsResult):
    """Areas and all their differences; ``positions`` are minus the areas.

    Attributes
    ----------
    area : DataFrame
        One row per classifier: ``estimate std_error conf_low conf_high``.
    seed, resamples : int
    """

    area: pd.DataFrame
    seed: int
    resamples: int

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return False


def compared(
    cases: Cases,
    measure: resampled_curves.CurveMeasure,
    chosen: Adjustment,
    level: float,
    seed: int,
    resamples: int,
    control: str | None = None,
) -> dict[str, Any]:
    """Resample the cases, each class by itself, and return the fields of a result.

    A difference that is the same in every resample, and not 0, is tested by as many
    exchanges of ranks.
    """
    require_enough_to_draw(cases)
    estimate = observed(cases, measure)
    drawn = resampled_curves.resampled(
        cases.truth, cases.score, measure, np.random.default_rng(seed), resamples
    )
    pairs = family_pairs(cases.names, control)
    tests = _pair_tests(cases, estimate, drawn, pairs)
    p = np.array(tests["p_value"])
    certain = (tests["std_error"] == 0) & (tests["estimate"] != 0)
    for at in np.flatnonzero(certain):
        p[at] = exchanges.drawn_p(
            rankdata(cases.score[[*pairs[at]]], axis=1),
            exchanges.measured(cases.truth, measure),
            np.random.default_rng(seed),
            resamples,
        )
    first, second = np.array(pairs).T
    low, high = percentiles(drawn[:, first] - drawn[:, second], level)
    adjusted = adjust_family(p, len(cases.names), chosen)
    labels = tests["algorithm_1"] + " and " + tests["algorithm_2"]
    alike = ", ".join(labels[np.isnan(p)])
    exchanged = ", ".join(labels[certain])
    how = _BY_EXCHANGES.format(resamples=resamples, seed=seed)
    noted = ((_ALIKE, alike), (how, exchanged))
    area = _area_table(cases, estimate, drawn, level)
    return {
        "table": tests.but(
            p_value=p, p_adjusted=adjusted, conf_low=low, conf_high=high
        ),
        "positions": -area["estimate"].rename(None),
        "statistic_name": "z",
        "adjust": chosen.name,
        "family": family_text(len(cases.names), control, nouns="classifiers"),
        "interval": f"{percent(level)} percentiles for each pair separately",
        "level": level,
        "control": control,
        "notes": tuple(text + which for text, which in noted if which),
        "area": area,
        "seed": seed,
        "resamples": resamples,
    }


def observed(cases: Cases, measure: resampled_curves.CurveMeasure) -> Floats:
    """Measure each classifier on the cases as they are."""
    measures = []
    for row in cases.score:
        steps = placements.steps(cases.truth, row)
        counts = (steps.false_positive, steps.true_positive)
        fp, tp = (np.concatenate([[0], each])[None] for each in counts)
        measures.append(measure(fp, tp)[0])
    return np.array(measures)


def spread(drawn: Floats) -> Floats:
    """Return standard deviations of columns, exactly 0 if nothing varies."""
    constant = np.all(drawn == drawn[0], axis=0)
    return np.where(constant, 0.0, np.std(drawn, axis=0, ddof=1))


def percentiles(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the equal-tailed percentile limits of columns; NaN if nothing varies."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    limits = np.where(spread(drawn) > 0, np.quantile(drawn, tails, axis=0), np.nan)
    return limits[0], limits[1]


def _area_table(
    cases: Cases, estimate: Floats, drawn: Floats, level: float
) -> pd.DataFrame:
    """Return the areas with their intervals."""
    low, high = percentiles(drawn, level)
    columns = {
        "estimate": estimate,
        "std_error": spread(drawn),
        "conf_low": low,
        "conf_high": high,
    }
    return pd.DataFrame(columns, index=pd.Index(cases.names))


def _pair_tests(
    cases: Cases, estimate: Floats, drawn: Floats, pairs: list[tuple[int, int]]
) -> Columns:
    """Return differences with their bootstrap errors, z and p-values."""
    first, second = np.array(pairs).T
    names = np.array(cases.names, dtype=object)
    away = drawn[:, first] - drawn[:, second]
    difference, error = estimate[first] - estimate[second], spread(away)
    z = divided(difference, error)
    return Columns(
        {
            "algorithm_1": names[first],
            "algorithm_2": names[second],
            "estimate": difference,
            "std_error": error,
            "statistic": z,
            "df": np.full(len(z), np.inf),
            "p_value": two_sided(z),
        }
    )
