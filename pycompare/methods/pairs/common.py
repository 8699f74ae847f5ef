"""Shared parts of tests of two algorithms: the pair, its differences, the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import require
from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.families import family_text
from pycompare.base.formatting.numbers import interval, number, percent
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.labels import label_positions, show, show_all, unknown_control
from pycompare.base.metric import Metric
from pycompare.base.tables import Columns, LabelColumn, MadeColumn
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.data.strata import Strata
from pycompare.kernels.ranks import tie_width
from pycompare.results.guarantees import few_note
from pycompare.results.result import Pairs, Test, internal

if TYPE_CHECKING:
    pass

PairsMethod = Callable[[Scores], Pairs]
"""A function of the user's that tests the pairs of algorithms in some scores."""
_FEW_CASES = 20
"""On a benchmark: with fewer, tests of weighted means reject too often."""

_SMALLEST = 1e-60
"""Of the largest score: beyond this or its inverse squares of variances lose digits."""
_AT_ONCE = 1 << 18
"""Differences that are held at once."""
SHARED_ONLY = (
    "cells are missing: each pair is compared over the blocks that both have, so the "
    "number of blocks differs between pairs"
)

Alternative = Literal["two-sided", "greater", "less"]

R_ALTERNATIVE = {"two-sided": "two.sided", "greater": "greater", "less": "less"}
NO_DIFFERENCE = (
    "the two algorithms have equal scores in every block, so no difference can be "
    "tested"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairTest(Test):
    """A test of two algorithms, with an estimate.

    Attributes
    ----------
    algorithm_1, algorithm_2 : str
    alternative : {"two-sided", "greater", "less"}
        ``greater``: the scores of algorithm_1 lie above those of algorithm_2, whether
        that is better or not.
    estimate_name : str
    estimate, conf_low, conf_high : float
        In the sense algorithm_1 minus algorithm_2; a one-sided alternative has a
        one-sided interval.
    level : float
        Confidence level of the interval.
    """

    algorithm_1: str
    algorithm_2: str
    alternative: Alternative
    estimate_name: str
    estimate: float
    conf_low: float
    conf_high: float
    level: float

    @property
    def reached(self) -> float:
        """Level that the interval has: with few blocks it may be less than asked."""
        return self.level

    @property
    def shortfall(self) -> str:
        """Return the message that the interval is short of its level, if it is."""
        return ""

    def summary(self, digits: int = 4) -> str:
        """Return the test, the estimate with its interval, and a line per note."""
        kind = "" if self.alternative == "two-sided" else "one-sided "
        limits = interval(self.conf_low, self.conf_high, self.reached, digits, kind)
        estimate = f"  {self.estimate_name} = {number(self.estimate, digits)}, {limits}"
        lines = self.test_line(digits), estimate + self.shortfall, *self.note_lines()
        return "\n".join(lines)

    def as_columns(self) -> Columns:
        """Return one row: the test, then the estimate and its interval."""
        more = {
            "algorithm_1": self.algorithm_1,
            "algorithm_2": self.algorithm_2,
            "alternative": self.alternative,
            "estimate_name": self.estimate_name,
            "estimate": self.estimate,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
            "level": self.level,
        }
        return super().as_columns().but(**more)

    def r_values(self) -> dict[str, Any]:
        """Return the test and the estimate with its interval."""
        return {
            "statistic": self.statistic,
            "p_value": self.p_value,
            "estimate": self.estimate,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTest(PairTest):
    """A test of two algorithms on common blocks.

    Attributes
    ----------
    metric : str
    better : {"higher", "lower"}
        Which scores of the metric are better.
    n_blocks : int
    blocks : Blocks
        The scores that were compared.
    """

    metric: str
    better: str
    n_blocks: int
    blocks: Blocks = internal()

    hypotheses: ClassVar[Hypotheses]
    """Claim of the null hypothesis of the two algorithms."""

    @property
    def basis(self) -> str:
        """Where the p-value comes from, as the ledger of guarantees names it."""
        raise NotImplementedError

    def r_arguments(self) -> dict[str, Any]:
        """Return the arguments that all R functions of pairs have."""
        return {
            "x": self.blocks.r_arguments()["x"],
            "alternative": R_ALTERNATIVE[self.alternative],
            "level": self.level,
        }


def check_alternative(alternative: str) -> None:
    """Reject an unknown word for the alternative."""
    if alternative not in R_ALTERNATIVE:
        raise InputError(
            f"alternative={alternative!r}: choose 'two-sided', 'greater' or 'less', in "
            f"the sense algorithm_1 minus algorithm_2"
        )


def refuse_clusters(scores: Scores, method: str) -> None:
    """Reject cases that are not independent."""
    if scores.clusters is not None:
        raise DesignError(
            f"{method} assumes independent cases, and these are in clusters; use "
            "cluster_pairs or max_t"
        )


def pair_of_blocks(
    scores: Scores,
    metric: str | None,
    algorithms: Sequence[str] | None,
    *,
    method: str,
) -> Blocks:
    """Return the scores of two algorithms; others may have missing cells."""
    two_algorithms(scores, algorithms, method=method)
    if algorithms is not None:
        scores = scores.select(algorithms=algorithms)
    return complete_blocks(scores, metric, None, method=method)


def two_algorithms(
    scores: Scores, algorithms: Sequence[str] | None, *, method: str
) -> tuple[int, int]:
    """Return where the two algorithms stand that are named, or the only two."""
    require(scores, Scores)
    if algorithms is not None:
        if isinstance(algorithms, str) or len(algorithms) != 2:
            raise InputError(
                f"algorithms={show(algorithms)}: give two names, the first minus the "
                "second"
            )
    elif scores.n_algorithms != 2:
        raise DesignError(
            f"{method} compares two algorithms and the scores have "
            f"{scores.n_algorithms}, {show_all(scores.algorithms)}: name two, "
            "algorithms=(..., ...)"
        )
    first, second = label_positions("algorithms", algorithms, scores.algorithms)
    return int(first), int(second)


MANY = 100_000
"""Pairs above which estimates and intervals are computed for those that are read."""


def column_of(
    m: int, make: Callable[[Ints], NDArray[Any]]
) -> NDArray[Any] | MadeColumn:
    """Return a column of numbers of pairs: of very many, computed when they are read.

    ``make`` returns those of some rows.
    """
    return MadeColumn(m, make) if m > MANY else make(np.arange(m))


def ends_of(
    m: int, make: Callable[[Ints], tuple[Floats, Floats]]
) -> tuple[Floats, Floats] | tuple[MadeColumn, MadeColumn]:
    """Return columns of lower and upper limits in the same way."""
    if m <= MANY:
        return make(np.arange(m))
    return (
        MadeColumn(m, lambda rows: make(rows)[0]),
        MadeColumn(m, lambda rows: make(rows)[1]),
    )


def family_pairs(
    algorithms: tuple[str, ...], control: str | None
) -> list[tuple[int, int]]:
    """List the pairs of a family: all, or each algorithm and the control (last)."""
    a = len(algorithms)
    if control is None:
        return list(combinations(range(a), 2))
    if control not in algorithms:
        raise InputError(unknown_control(control, algorithms))
    at = algorithms.index(control)
    return [(j, at) for j in range(a) if j != at]


def named_pairs(
    algorithms: tuple[str, ...], control: str | None
) -> list[tuple[str, str]]:
    """List the pairs of a family by their names."""
    return [
        (algorithms[i], algorithms[j]) for i, j in family_pairs(algorithms, control)
    ]


def pair_ends(
    algorithms: tuple[str, ...], control: str | None, rows: Any = slice(None)
) -> Ints:
    """Return the pairs of `family_pairs`, or some, as an array, shape (m, 2)."""
    index = pair_index(algorithms, control)
    return np.stack([index.first[rows], index.second[rows]], axis=1)


@dataclass(frozen=True, eq=False)
class PairIndex:
    """The pairs of a family as arrays, which may not be changed.

    Attributes
    ----------
    first, second : ndarray of int, shape (pairs,)
    labels : dict of LabelColumn
        Columns ``algorithm_1`` and ``algorithm_2`` of a table of the pairs.
    """

    first: Ints
    second: Ints
    labels: dict[str, LabelColumn]


@lru_cache(maxsize=8)  # to make the columns takes longer than many a test
def pair_index(algorithms: tuple[str, ...], control: str | None) -> PairIndex:
    """Return the pairs of `family_pairs`."""
    if control is None:
        first, second = np.triu_indices(len(algorithms), 1)
    else:
        first, second = np.array(family_pairs(algorithms, control)).T
    # Whole numbers of half the size: there may be millions of them.
    first, second = first.astype(np.int32), second.astype(np.int32)
    labels = {
        "algorithm_1": LabelColumn(algorithms, first),
        "algorithm_2": LabelColumn(algorithms, second),
    }
    first.flags.writeable = second.flags.writeable = False
    return PairIndex(first, second, labels)


def differences_of_pairs(
    blocks: Blocks, pairs: Sequence[tuple[int, int]] | Ints
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Yield what `raw_differences_of_pairs` does, with ties decided."""
    for rows, d, noise in raw_differences_of_pairs(blocks, pairs):
        yield rows, tied(d, noise), noise


def raw_differences_of_pairs(
    blocks: Blocks, pairs: Sequence[tuple[int, int]] | Ints
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Yield places of pairs with their differences over the blocks that both have.

    Pairs that share the same blocks come together, as many as there is room for. A pair
    that shares none does not come.

    Yields
    ------
    places : ndarray of int, shape (rows,)
    d : ndarray, shape (rows, n)
        First minus second in the metric's direction.
    noise : ndarray, shape (rows, n)
        Magnitude of the scores behind each difference.
    """
    ends = np.asarray(pairs)
    has = ~np.isnan(blocks.values)
    if has.all():
        alike = [(np.ones(len(has), bool), np.arange(len(pairs)))]
    else:
        shared = has[:, ends[:, 0]] & has[:, ends[:, 1]]
        codes = np.packbits(shared, axis=0).T
        _, first, which = np.unique(
            codes, axis=0, return_index=True, return_inverse=True
        )
        alike = [
            (shared[:, at], np.flatnonzero(which.ravel() == code))
            for code, at in enumerate(first.tolist())
        ]
    for kept, places in alike:
        n = int(kept.sum())
        if n == 0:
            continue
        step = max(1, _AT_ONCE // n)
        values = blocks.values[kept].T
        for start in range(0, len(places), step):
            rows = places[start : start + step]
            d, noise = _row_differences(
                values[ends[rows, 0]], values[ends[rows, 1]], blocks.metric
            )
            yield rows, d, noise


def together(level: float, n: int, how: str = "") -> str:
    """Return how the intervals of ``n`` pairs hold together, by Bonferroni."""
    if n == 1:
        return f"{percent(level)}{f' ({how})' if how else ''}"
    words = ", ".join(filter(None, [how, "Bonferroni"]))
    return f"simultaneous {percent(level)} ({words})"


def few_cases_note(strata: Strata, known: str) -> list[str]:
    """Return a note that a benchmark is small, and how far off the tests then may be.

    ``known`` is the row of the calibration that measured it.
    """
    units = np.bincount(strata.codes, minlength=len(strata.names))
    what = "case" if len(strata.codes) == strata.counts.sum() else "cluster"
    return few_units_note(strata.names, units, what, known)


def few_units_note(
    names: tuple[str, ...], units: Ints, what: str, known: str
) -> list[str]:
    """Return a note that a benchmark has few cases or clusters (``units`` of each)."""
    least = int(units.argmin())
    place = f"benchmark {show(names[least])}"
    return few_note(place, int(units[least]), what, _FEW_CASES, known)


def least_p_note(least: float, level: float, of: str, end: str = "") -> list[str]:
    """Return the message that no adjusted p-value can be as small as 1 - level."""
    if not least > 1 - level + 1e-12:
        return []
    return [f"no adjusted p-value of so few {of} can be below {least:.3g}{end}"]


def pairs_family(blocks: Blocks, control: str | None) -> str:
    """Return which pairs of algorithms are taken together."""
    return family_text(len(blocks.algorithms), control, f" on {blocks.metric.name}")


def differences(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return algorithm_1 minus algorithm_2 per block, and the bound of rounding noise.

    Returns
    -------
    d : ndarray, shape (n_blocks,)
        In the metric's own unit and direction, as they are; see also ``tied``.
    noise : ndarray, shape (n_blocks,)
        Magnitude of the scores behind each difference.

    Raises
    ------
    InputError
        If the differences are below 1e-304, so that squares lose digits.
    """
    d, noise = _raw_differences(blocks)
    check_sizes(d[None], blocks.metric)
    return d, noise


def check_sizes(d: Floats, metric: Metric) -> None:
    """Reject rows of differences below 1e-304, whose squares lose digits."""
    largest = np.max(np.abs(d), axis=1)
    fine = (largest == 0) | (largest > 2.0**-1010)
    if not fine.all():
        wrong = largest[np.argmin(fine)]
        raise InputError(
            f"differences of {metric.name!r} go up to {wrong:.3g}, too small for a "
            "double; measure the scores in another unit"
        )


def t_of(estimate: Floats, error: Floats, rows: Any = slice(None)) -> Floats:
    """Return estimates over their standard errors, of some rows; NaN for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(estimate[rows] / error[rows])


def check_squares(values: Floats, what: str) -> None:
    """Reject numbers so large or small that squares of variances lose digits.

    Parameters
    ----------
    values : ndarray
        NaN is no number.
    what : str
        Their name in the error.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest and not _SMALLEST < largest < 1 / _SMALLEST:
        size = "large" if largest > 1 else "small"
        raise InputError(
            f"{what}: the largest absolute value is {largest:.3g}, too {size} for "
            "squares of variances; measure them in another unit"
        )


def _raw_differences(blocks: Blocks) -> tuple[Floats, Floats]:
    """Return differences of any size, and the magnitude of the scores behind them."""
    first, second = blocks.values.T
    return _row_differences(first, second, blocks.metric)


def _row_differences(
    first: Floats, second: Floats, metric: Metric
) -> tuple[Floats, Floats]:
    """Return first minus second in the metric's direction, and their magnitude."""
    if metric.sign < 0:
        first, second = second, first
    with np.errstate(over="ignore"):
        return first - second, np.maximum(np.abs(first), np.abs(second))


def tied(d: Floats, noise: Floats) -> Floats:
    """Return differences with 0.0 if the scores tie, for tests of ranks and signs.

    A mean of differences hardly feels a rounding error; a rank may turn on it.
    """
    return np.where(np.abs(d) <= tie_width(noise), 0.0, d)


def pair_fields(blocks: Blocks) -> dict[str, Any]:
    """Return the statements of every result about its pair."""
    return {
        "algorithm_1": blocks.algorithms[0],
        "algorithm_2": blocks.algorithms[1],
        "metric": blocks.metric.name,
        "better": blocks.metric.better,
        "n_blocks": len(blocks.blocks),
        "blocks": blocks,
    }
