"""Typical differences of pairs: signed rank tests, adjusted, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import (
    SYMMETRY,
    SYMMETRY_OF_EXCHANGEABLE,
    SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS,
    SYMMETRY_OF_LOGARITHMS,
    Hypotheses,
)
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import MadeColumn
from pycompare.base.typing import Assumes, Bools, Floats, Ints
from pycompare.data.blocks import (
    Blocks,
    Scale,
    on_scale,
    ranked_blocks,
    refuse_clusters_of_blocks,
)
from pycompare.data.scores import Scores
from pycompare.kernels import max_t, signed_rank
from pycompare.kernels.closed_signed_ranks import closed_least, closed_test
from pycompare.kernels.r_random import checked_count, checked_seed
from pycompare.kernels.ranks import midranks, tie_width
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.closed_permutation import MOST as MOST_CLOSED
from pycompare.methods.pairs.common import (
    MANY,
    SHARED_ONLY,
    differences_of_pairs,
    pair_ends,
    pair_index,
)
from pycompare.methods.pairs.last_step import LastStepPairs, agreeing_limits
from pycompare.methods.pairs.wilcoxon import (
    hodges_lehmann_estimates,
    hodges_lehmann_limits,
    ratios,
    signed_rank_rows,
)
from pycompare.results.adjust import (
    adjust_family,
    adjustment,
    family_adjustment,
)
from pycompare.results.family import Family
from pycompare.results.result import MayDraw, PairsResult, later, rejected
from pycompare.results.result import changed as with_fields
from pycompare.results.schema import Schema, Turned, changed, column, of_ratios

_REFERENCE = (
    "Wilcoxon (1945) Biometrics Bull. 1, 80-83; Hodges & Lehmann (1963) Ann. Math. "
    "Statist. 34, 598-611; Holm (1979) Scand. J. Statist. 6, 65-70"
)
_STATISTIC = "W = V+ - V-"
_CLOSED, _FLIPS = "closed-permutation", "step-down-flips"
_PAIR_BY_PAIR = ("bonferroni", "holm", "shaffer", "bergmann-hommel")
"""Adjustments that multiply the smallest p-value by the number of pairs."""
_JOINT = (_CLOSED, _FLIPS)
"""Adjustments that are one test of all pairs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankPairsResult(MayDraw, LastStepPairs):
    """Signed rank tests of pairs with Hodges-Lehmann estimates; see ``PairsResult``.

    ``estimate`` is the median of the means of each two block differences, algorithm_1
    minus algorithm_2, in the metric's own unit. ``statistic`` is the sum of the signed
    ranks. ``std_error`` and ``df`` are NaN: the test has none.

    The table has more columns: ``conf_level`` of each interval, ``n_blocks`` that both
    algorithms have, and ``wins``, ``ties`` and ``losses`` of algorithm_1 on them.
    ``positions`` is the rank of each algorithm: 1 plus the number of algorithms with an
    estimate in their favour. Ranks may be shared, and circles are possible.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    p_source : {"exact", "saddlepoint"}
        ``saddlepoint`` if any raw p-value is an approximation, which R does not have.
    level : float
        Smallest ``conf_level``, at least 1 - alpha.
    n_permutations : int or None
        Flips, or permutations of each set of algorithms, that were drawn at most;
        None for an adjustment of p-values.
    seed : int or None
        None if nothing was random.
    """

    alpha: float
    p_source: Literal["exact", "saddlepoint"]
    n_permutations: int | None = None
    seed: int | None = None
    sides: Any = field(default=None, repr=False, metadata={"export": False})
    """Signs of the estimates less null of many pairs, of which few are computed."""

    differences: ClassVar[str] = "typical"
    counts_better: ClassVar[bool] = True
    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level at least, if differences are "
        "symmetric about their centre; together they need not."
    )
    schema: ClassVar[Schema] = (
        *changed(
            changed(
                changed(PairsResult.schema, "p_adjusted", only="repeatable"),
                "p_value",
                only="is_exact",
            ),
            "estimate",
            "conf_low",
            "conf_high",
            unit="metric",
        ),
        column("conf_level", "share"),
        column("n_blocks", "count"),
        column("wins", "count", turned=Turned(column="losses")),
        column("ties", "count"),
        column("losses", "count", turned=Turned(column="wins")),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        if self.joint:
            return f"signed-ranks/{self.adjust}"
        if self.hypotheses.transitive:
            return "signed-ranks/exchangeable"
        return "two/wilcoxon"

    @property
    def joint(self) -> bool:
        """Whether one test of all pairs adjusts itself."""
        return self.adjust in _JOINT

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

    @property
    def is_exact(self) -> bool:
        """Whether every raw p-value is exact, as R's."""
        return self.p_source == "exact"

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values."""
        if self.joint:
            return self.is_exact and self.adjusted_here
        return self.is_exact and super().repeatable

    @property
    def n_units(self) -> Ints:
        """Independent units of each pair that can change their sign: its blocks."""
        held = self.as_columns()["n_blocks"]
        if held.strides == (0,):  # one number for all
            return np.broadcast_to(int(held[0]), len(held))
        return held.astype(int)

    @property
    def least(self) -> Floats:
        """Smallest adjusted p-value of each pair that so many units can give."""
        n = self.n_units
        if self.adjust == _CLOSED:
            a = len(self.algorithms)
            return np.full(len(n), closed_least(int(n.max(initial=0)), a))
        if self.adjust != "holm" or self.decided_in is None:
            return np.minimum(1.0, self.p_multiplier * _least_p(n))
        # Pairs of more units may have smaller p-values, and leave others Holm's later
        # steps.
        members = self.decided_in.members
        raw = [_least_p(member.n_units) for member in members]
        every = raw[0] if len(raw) == 1 else np.concatenate(raw)
        adjusted = adjust_family(every, 0, adjustment("holm"))
        ends = np.cumsum([len(p) for p in raw])
        own = next((at for at, member in enumerate(members) if member is self), 0)
        return np.asarray(adjusted[ends[own] - len(n) : ends[own]])

    @property
    def p_multiplier(self) -> int:
        """Factor of the smallest p-value: the pairs of the family, or 1."""
        if self.adjust not in _PAIR_BY_PAIR or self.decided_in is None:
            return 1
        return sum(len(member.as_columns()) for member in self.decided_in.members)

    @property
    def worse_by(self) -> Floats:
        """By pair a number above 0 if algorithm_1 is worse."""
        if self.sides is None:
            return super().worse_by
        return np.asarray(self.sides if self.lower_is_better else -self.sides)

    def better(self) -> Bools:
        """Return whether row is better than column by their estimate."""
        better = np.zeros((len(self.algorithms),) * 2, bool)
        first, second, worse = *self.pair_rows.ends_of_all, self.worse_by
        better[first, second], better[second, first] = worse < 0, worse > 0
        return better

    def in_unit(self, differences: Floats) -> Floats:
        """Return differences as the table has them."""
        return differences

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values that the tests do not reject at level ``last``."""
        levels = np.full(len(self.as_columns()), last)
        return _limits(self.blocks, pair_ends(self.algorithms, self.control), levels)

    def following(
        self, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals at the level that the adjustment's last step has."""
        if self.sides is not None:
            return self._following_when_read(columns, family)
        limits, fields = super().following(columns, family)
        level = np.full(len(self.as_columns()), fields["level"])
        limits = {name: self.in_unit(limit) for name, limit in limits.items()}
        return limits | {"conf_level": level}, fields

    def limits_of_some(self, last: float, rows: Ints) -> tuple[Floats, Floats]:
        """Return `limits` of some rows."""
        ends = pair_ends(self.algorithms, self.control, rows)
        return _limits(self.blocks, ends, np.broadcast_to(last, len(ends)))

    def _following_when_read(
        self, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the same, each interval computed when it is read."""
        limits, fields = super().following_when_read(columns, family)
        limits = {
            name: MadeColumn(len(limit), partial(_in_unit, limit, self.in_unit))
            for name, limit in limits.items()
        }
        level = np.broadcast_to(fields["level"], len(self.as_columns()))
        return limits | {"conf_level": level}, fields

    def r_call(self) -> RCall:
        """Return the call of the test and interval of every pair."""
        arguments = {
            **self.blocks.r_arguments(),
            **self.r_adjusting(),
            "alpha": self.alpha,
            "level": math.nan if self.repeatable else self.level,
        }
        files = ["ranks", "paired", "wilcoxon", "adjust", "signed_rank_pairs"]
        if self.blocks.scale == "ratio":
            arguments["scale"] = "ratio"
        if self.joint:
            arguments |= {"permutations": self.n_permutations, "seed": self.seed}
            files += ["max_t", "closed_permutation", "joint_signed_ranks"]
        return RCall(tuple(files), "signed_rank_pairs_reference", arguments)


class OfRatios:
    """Results of tests of the logarithms of scores as ratios."""

    differences: ClassVar[str] = "ratio"

    @property
    def null(self) -> float:
        """The ratio of two algorithms that do not differ."""
        return 1.0

    def in_unit(self, differences: Floats) -> Floats:
        """Return differences of logarithms as ratios."""
        return ratios(differences)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankRatiosResult(OfRatios, SignedRankPairsResult):
    """Signed rank tests of the logarithms of scores; see ``SignedRankPairsResult``.

    ``estimate`` is the typical ratio: exp of the median of the means of each two
    differences of logarithms, algorithm_1 divided by algorithm_2. It and its limits
    have no unit; 1 is no difference.
    """

    interval_note: ClassVar[str] = (
        "Each interval excludes 1 exactly when the ratio is significant. Each alone "
        "covers the ratio with its level at least, if logarithms of ratios are "
        "symmetric about their centre; together they need not."
    )
    schema: ClassVar[Schema] = of_ratios(SignedRankPairsResult.schema)

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        if self.joint:
            return f"signed-ranks-of-logarithms/{self.adjust}"
        if self.hypotheses.transitive:
            return "signed-ranks-of-logarithms/exchangeable"
        return "two/wilcoxon-of-logarithms"


def _least_p(n_units: Ints) -> Floats:
    """Return the smallest p-values that so many units can give before adjustment."""
    if n_units.strides == (0,):
        return np.broadcast_to(_least_p(n_units[:1].copy()), len(n_units))
    return np.minimum(1.0, np.ldexp(1.0, 1 - n_units))


def _in_unit(
    column: MadeColumn, in_unit: Callable[[Floats], Floats], rows: Ints
) -> Floats:
    """Return limits of some pairs as a table has them."""
    return in_unit(column.take(rows))


def _limits(blocks: Blocks, pairs: Ints, levels: Floats) -> tuple[Floats, Floats]:
    """Return the values that the test of each pair does not reject at its level."""
    low, high = (np.full(len(pairs), math.nan) for _ in range(2))
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        for level in np.unique(levels[rows]).tolist():
            at = levels[rows] == level
            if 2 * 0.5 ** d.shape[1] > level:  # no value can be rejected
                low[rows[at]], high[rows[at]] = -math.inf, math.inf
                continue
            limits = hodges_lehmann_limits(d[at], noise[at], "two-sided", 1 - level)
            low[rows[at]], high[rows[at]] = limits
    return low, high


@checked
def signed_rank_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
    decimals: int | None = None,
    assumes: Assumes | None = None,
    scale: Scale = "difference",
    permutations: int = 9999,
    seed: int = 1,
) -> SignedRankPairsResult:
    """Compare pairs of algorithms by their typical difference, or ratio.

    Each pair has Wilcoxon's signed rank test and the Hodges-Lehmann estimate of its
    differences, and an interval that agrees with the adjusted decision. The raw p-value
    of a pair depends on these two algorithms alone.

    Parameters
    ----------
    scores : Scores
        At most 1000 blocks, assumed independent: data sets (see ``dataset_means``).
        Cells may be missing if the scores were read with ``missing="model"``; a pair is
        then compared over the blocks that both have.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust``. Bergmann-Hommel's and Shaffer's methods need
        transitive hypotheses, which symmetric differences are not, and are rejected
        unless ``assumes="exchangeability"``. Or ``step-down-flips``,
        which flips the signs of all differences of a block together; or
        ``closed-permutation``, for few blocks, at most 10 algorithms and no control:
        its hypothesis is that algorithms are exchangeable within blocks.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.
    decimals : int, optional
        Round scores to so many decimals first.
    assumes : {"symmetry", "exchangeability"}, optional
        Assumption about algorithms that do not differ. ``exchangeability``: swapping
        them within blocks leaves the joint distribution as it is, which makes their
        hypotheses transitive. ``symmetry``: each difference is symmetric about 0, and
        ``closed-permutation`` is rejected. Default: not stated.
    scale : {"difference", "ratio"}
        ``ratio``: for positive scores whose unit or level changes from block to block.
        The tests are of the logarithms of the scores. Estimate and limits are ratios,
        algorithm_1 divided by algorithm_2, of which 1 is no difference.
    permutations : int, default 9999
        Number of random flips, or permutations of each set of algorithms, of the last
        two; if there are no more, all are listed.
    seed : int, default 1
        From 0 to 2147483647, for these two; not used if all are listed. R draws the
        same by ``set.seed(seed)``.

    Returns
    -------
    SignedRankPairsResult
        A pair with the estimate 0, or with an estimate of the other sign than the rank
        sum, has p = 1; ``notes`` count such pairs. With too few blocks to reject
        anything an interval is unbounded.

    Raises
    ------
    DesignError
        For more than 1000 blocks.
    InputError
        For an unknown name, an adjustment that does not hold here, ratios of scores
        that are 0 or negative, or blocks in clusters
        (``clustered_signed_rank_pairs``).

    Notes
    -----
    Equations 2.4, 2.5 of docs/equations.md.

    p is exact given the ranks that occurred, ties included; zeros are left out of the
    test, not of the estimate. With ties among more than 100 differences, of 20 sizes or
    more, it comes from the saddlepoint approximation. Without ties an interval holds
    the values that the test does not reject. With ties it lies between the same means
    of two differences. It is cut or extended at 0, so that it holds 0 exactly when the
    test of 0 does not reject.

    R: ``wilcox.test(conf.int = TRUE)`` of each pair, with ties
    ``coin::wilcoxsign_test(distribution = "exact")``, and ``p.adjust``; ratios by
    ``exp`` of the same of ``log`` scores.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.
    .. [2] Hodges, J. L., Lehmann, E. L. (1963). Ann. Math. Statist. 34, 598-611.
    .. [3] Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.
    .. [4] Lugannani, R., Rice, S. (1980). Adv. Appl. Probab. 12, 475-490.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.signed_rank_pairs(pc.example(), control="C4.5")
    >>> found.table[["algorithm_1", "estimate", "conf_low", "conf_high"]].round(3)
      algorithm_1  estimate  conf_low  conf_high
    0        1-NN    -0.048    -0.128     -0.017
    1  NaiveBayes    -0.007    -0.053      0.015
    2      Kernel    -0.198    -0.283     -0.133
    3         CN2    -0.042    -0.069     -0.021
    >>> round(found.level, 4), found.interval
    (0.95, '95% each, at the level of the last step')

    Scores in the unit of each data set are compared by ratios:

    >>> import pandas as pd
    >>> a, b = [0.4, 310, 0.021, 6.1, 9, 2], [0.5, 400, 0.03, 7, 12, 3]
    >>> table = pd.DataFrame({"data": [*"uvwxyz"], "A": a, "B": b})
    >>> mae = pc.Scores.from_wide(table, block="data", metric="mae", better="lower")
    >>> found = pc.signed_rank_pairs(mae, scale="ratio")
    >>> found.table[["estimate", "conf_low", "conf_high"]].round(3)
       estimate  conf_low  conf_high
    0     0.762     0.667      0.871
    """
    check_alpha(alpha)
    _check_assumption(assumes, adjust)
    refuse_clusters_of_blocks(scores, "signed_rank_pairs")
    if adjust in _JOINT:
        return joint_signed_ranks(
            scores,
            adjust,
            metric=metric,
            control=control,
            alpha=alpha,
            decimals=decimals,
            scale=scale,
            permutations=permutations,
            seed=seed,
        )
    tests = signed_rank_tests(
        scores,
        metric=metric,
        control=control,
        alpha=alpha,
        decimals=decimals,
        assumes=assumes,
        scale=scale,
    )
    family_adjustment(adjust, tests.hypotheses, control)
    adjusted: SignedRankPairsResult = tests.adjusted(adjust)
    return adjusted


def _check_assumption(assumes: Assumes | None, adjust: str) -> None:
    """Reject an assumption that there is not, and a test that needs another one."""
    if assumes not in (None, *get_args(Assumes)):
        raise InputError(
            f"assumes={assumes!r}: choose one of {', '.join(get_args(Assumes))}, or "
            "leave it out"
        )
    if assumes == "symmetry" and adjust == _CLOSED:
        raise InputError(
            f"adjust={_CLOSED!r} assumes that equal algorithms are exchangeable, and "
            f"assumes={assumes!r}: choose 'holm' or {_FLIPS!r}"
        )


def signed_rank_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    decimals: int | None = None,
    assumes: Assumes | None = None,
    scale: Scale = "difference",
) -> SignedRankPairsResult:
    """Return the tests without intervals: those follow from the adjustment."""
    blocks = blocks_of_pairs(scores, metric, decimals, scale)
    columns = tested(blocks, pair_ends(blocks.algorithms, control))
    as_ratios = blocks.scale == "ratio"
    kind = SignedRankRatiosResult if as_ratios else SignedRankPairsResult
    return kind(
        **raw_tests(blocks, columns, control=control, alpha=alpha, assumes=assumes),
        method="Wilcoxon signed rank tests" + " of logarithms" * as_ratios,
        reference=_REFERENCE,
        notes=notes_of(blocks, columns),
    )


def blocks_of_pairs(
    scores: Scores, metric: str | None, decimals: int | None, scale: Scale
) -> Blocks:
    """Return blocks that are few enough for estimates of pairs."""
    blocks = on_scale(ranked_blocks(scores, metric, decimals), scale)
    if len(blocks.values) > signed_rank.MOST:
        raise DesignError(
            f"signed_rank_pairs: there are {len(blocks.values)} blocks, and Hodges-"
            f"Lehmann estimates are made of at most {signed_rank.MOST}; compare means "
            "(paired_t_pairs) or mean ranks (rank_pairs)"
        )
    return blocks


def raw_tests(
    blocks: Blocks,
    columns: dict[str, NDArray[Any]],
    *,
    control: str | None,
    alpha: float,
    assumes: Assumes | None = None,
) -> dict[str, Any]:
    """Return the fields of tests whose intervals follow from the adjustment."""
    index = pair_index(blocks.algorithms, control)
    as_ratios = blocks.scale == "ratio"
    m = len(index.first)
    nothing = np.broadcast_to(math.nan, m)
    sides = columns["sides"]
    estimate: Any = columns.get("estimate")
    if estimate is None:
        estimate = MadeColumn(m, partial(_estimates, blocks, control))
    elif as_ratios:
        estimate = ratios(estimate)
    table = {
        "estimate": estimate,
        "std_error": nothing,
        "statistic": columns["statistic"],
        "df": nothing,
        "p_value": columns["p_value"],
        "conf_level": nothing,
        **{name: columns[name] for name in ("n_blocks", "wins", "ties", "losses")},
    }
    return fields_of_pairs(
        blocks,
        control,
        table,
        positions=later(_positions, blocks, sides if control is None else None),
        sides=None if "estimate" in columns else sides,
        estimate_name=f"typical {blocks.scale} (Hodges-Lehmann) of "
        f"{blocks.metric.name}",
        statistic_name=_STATISTIC,
        hypotheses=_hypotheses(assumes, as_ratios=as_ratios),
        level=1 - alpha,
        alpha=alpha,
        p_source="exact" if columns["exact"].all() else "saddlepoint",
    )


def _hypotheses(assumes: Assumes | None, *, as_ratios: bool) -> Hypotheses:
    """Return the null hypotheses."""
    if assumes == "exchangeability":
        return (
            SYMMETRY_OF_EXCHANGEABLE_LOGARITHMS
            if as_ratios
            else SYMMETRY_OF_EXCHANGEABLE
        )
    return SYMMETRY_OF_LOGARITHMS if as_ratios else SYMMETRY


def joint_signed_ranks(
    scores: Scores,
    adjust: str,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    decimals: int | None = None,
    scale: Scale = "difference",
    permutations: int = 9999,
    seed: int = 1,
) -> SignedRankPairsResult:
    """Return the tests as one test of all pairs adjusts them, with their intervals."""
    count = checked_count("permutations", permutations)
    checked = checked_seed(seed)
    tests = signed_rank_tests(
        scores,
        metric=metric,
        control=control,
        alpha=alpha,
        decimals=decimals,
        scale=scale,
    )
    test = _by_flips if adjust == _FLIPS else _closed
    p_adjusted, levels, drawn = test(tests, count, checked)
    # No pair is better than what its own test says: 1 where the two contradict.
    p_adjusted = np.maximum(p_adjusted, tests.as_columns()["p_value"])
    low, high = agreeing_limits(
        *_limits(tests.blocks, pair_ends(tests.algorithms, tests.control), levels),
        tests.as_columns()["estimate"].astype(float) - tests.null,
        rejected(p_adjusted, alpha),
    )
    low, high = tests.in_unit(low), tests.in_unit(high)
    limits = {"conf_low": low, "conf_high": high, "conf_level": 1 - levels}
    adjusted: SignedRankPairsResult = with_fields(
        tests,
        table=tests.as_columns().but(p_adjusted=p_adjusted, **limits),
        adjust=adjust,
        interval="each of the level at which its pair is decided",
        level=float(np.min(limits["conf_level"])),
        n_permutations=count,
        seed=checked if drawn else None,
        notes=(*tests.notes, _drawn_note(adjust, count, checked, drawn)),
    )
    return adjusted


def _closed(
    tests: SignedRankPairsResult, count: int, seed: int
) -> tuple[Floats, Floats, bool]:
    """Return adjusted p-values of the closed test, each pair's level, if drawn."""
    blocks, a = tests.blocks, len(tests.blocks.algorithms)
    if tests.control is not None:
        raise InputError(
            f"adjust={_CLOSED!r} is for all pairs, not for comparisons with the "
            f"control {tests.control!r}; choose 'holm' or {_FLIPS!r}"
        )
    if np.isnan(blocks.values).any() or a > MOST_CLOSED:
        why = f"there are {a}" if a > MOST_CLOSED else "cells are missing"
        raise DesignError(
            f"adjust={_CLOSED!r} needs a complete table of at most {MOST_CLOSED} "
            f"algorithms, and {why}; choose 'holm' or {_FLIPS!r}"
        )
    pairs = pair_ends(blocks.algorithms, None)
    p = tested(blocks, pairs)["p_alone"]
    closed = closed_test(_size_codes(blocks, pairs), p, count, seed)
    own = tests.as_columns()["p_value"].astype(float)
    return (
        closed.p_adjusted,
        tests.alpha * own / closed.p_adjusted.clip(own),
        closed.drawn,
    )


def _size_codes(blocks: Blocks, pairs: Ints) -> NDArray[np.int32]:
    """Return signed places of the sizes of all differences, shape (n, a, a)."""
    n, a = blocks.values.shape
    first, second = pairs.T
    d, noise = np.zeros((2, len(pairs), n))
    for rows, own, size in differences_of_pairs(blocks, pairs):
        d[rows], noise[rows] = own, size
    # Zeros have no noise, so that nothing ties with them.
    sizes = midranks(np.abs(d).ravel(), np.where(d != 0, noise, 0.0).ravel())
    signed = np.rint(2 * np.sign(d) * sizes.reshape(d.shape)).astype(np.int32).T
    codes = np.zeros((n, a, a), np.int32)
    codes[:, first, second], codes[:, second, first] = signed, -signed
    return codes


def _by_flips(
    tests: SignedRankPairsResult, count: int, seed: int
) -> tuple[Floats, Floats, bool]:
    """Return step-down p-values under flips of blocks, each pair's level, if drawn."""
    blocks = tests.blocks
    pairs = pair_ends(blocks.algorithms, tests.control)
    has = ~np.isnan(blocks.values)
    z = np.zeros((len(blocks.values), len(pairs)))
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        ranks, _ = signed_rank_rows(d, noise)
        kept = has[:, pairs[rows[0]]].all(axis=1)
        z[np.ix_(kept, rows)] = (np.sign(d) * ranks).T
    signs = max_t.signs_for(len(z), count, seed)
    unit = max_t.unit_columns(z)
    adjusted = max_t.step_down(unit, signs).adjusted
    observed = np.abs(unit.sum(axis=0))
    left = ~rejected(adjusted, tests.alpha)
    if not left.any():  # the last step is of the smallest sum alone
        left[np.argmin(observed)] = True
    limit = max_t.critical_value(unit[:, left], signs, tests.alpha)
    levels = _levels_at(np.abs(z).T, limit)
    # Drawn flips may miss the quantile; no interval has less than its own level.
    return adjusted, np.minimum(levels, tests.alpha), not signs.listed


def _levels_at(ranks: Floats, limit: float) -> Floats:
    """Return the largest p-value of each pair whose sum is above ``limit``."""
    if math.isinf(limit):
        return np.zeros(len(ranks))
    total = ranks.sum(axis=1)
    above = (total + limit * np.sqrt(np.sum(ranks**2, axis=1))) / 2
    step = np.where((ranks == np.rint(ranks)).all(axis=1), 1.0, 0.5)
    next_sum = (np.floor(above / step + 1e-9) + 1) * step
    p = signed_rank.two_sided(ranks, np.minimum(next_sum, total))[0]
    return np.where(next_sum > total, 0.0, p)


def _drawn_note(adjust: str, count: int, seed: int, drawn: bool) -> str:
    """Return how flips or permutations were made."""
    what = "sign flips" if adjust == _FLIPS else "permutations of each set"
    if not drawn:
        return f"all {what} enumerated: no Monte Carlo error"
    return f"{count} random {what}, seed {seed}"


PValuesOf = Callable[[tuple[int, int], Floats, Floats], tuple[Floats, Bools]]
"""Returns p-values of rows of differences with their ranks, and which are exact, for
pairs that share the blocks of the first one."""


def _of_blocks(_: tuple[int, int], d: Floats, ranks: Floats) -> tuple[Floats, Bools]:
    """Return p-values of independent blocks."""
    return signed_rank.two_sided(ranks, np.sum(ranks, axis=1, where=d > 0))


def tested(
    blocks: Blocks,
    pairs: Sequence[tuple[int, int]] | Ints,
    p_values: PValuesOf = _of_blocks,
) -> dict[str, NDArray[Any]]:
    """Return estimates, rank sums, raw p-values and counts of pairs.

    Of very many pairs only the ``sides`` of the estimates are found, their signs.
    """
    m = len(pairs)
    few = m <= MANY or p_values is not _of_blocks
    columns: dict[str, NDArray[Any]] = {
        name: np.full(m, math.nan)
        for name in ("statistic", "p_value", "p_alone", *["estimate"] * few)
    }
    counts = ("n_blocks", "wins", "ties", "losses")
    columns |= {name: np.zeros(m, np.int64 if few else np.int32) for name in counts}
    columns |= {"opposed": np.zeros(m, bool), "exact": np.ones(m, bool)}
    columns["sides"] = np.zeros(m, np.int8)
    lower_is_better = blocks.metric.sign > 0
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        ranks, above = signed_rank_rows(d, noise)
        signed = 2 * above - ranks.sum(axis=1)
        if few:
            estimate = hodges_lehmann_estimates(d, noise)
            columns["estimate"][rows], side = estimate, np.sign(estimate)
        else:
            side = _sides(d, noise, signed)
        p, columns["exact"][rows] = p_values(pairs[rows[0]], d, ranks)
        opposed = (side != np.sign(signed)) & (p < 1)
        columns["opposed"][rows] = opposed
        columns["statistic"][rows], columns["sides"][rows] = signed, side
        columns["p_alone"][rows] = p
        columns["p_value"][rows] = np.where(opposed | (side == 0), 1.0, p)
        below, over = np.sum(d < 0, axis=1), np.sum(d > 0, axis=1)
        columns["wins"][rows] = below if lower_is_better else over
        columns["losses"][rows] = over if lower_is_better else below
        columns["ties"][rows], columns["n_blocks"][rows] = (
            np.sum(d == 0, axis=1),
            d.shape[1],
        )
    for name in ("n_blocks", "exact"):
        if not few and (columns[name] == columns[name][0]).all():
            columns[name] = np.broadcast_to(columns[name][0], m)
    return columns


def _sides(d: Floats, noise: Floats, signed: Floats) -> Floats:
    """Return the signs of the estimates of rows of differences.

    The rank sum is the number of means of each two differences above 0 less that of
    those below, and the estimate is their median. Both have one sign unless so many
    means may be 0 up to rounding, because two sizes nearly tie, that they reach the
    middle. Only then the estimate is computed.
    """
    width = 2 * tie_width(noise.max(axis=1))
    sizes = np.sort(np.abs(d), axis=1)
    zeros = np.sum(d == 0, axis=1)
    # Zeros are not ranked: their means with the others have the signs of these.
    surplus = signed + zeros * np.sum(np.sign(d), axis=1)
    unclear = np.abs(surplus) <= 2 * _near_zero(sizes, width)
    sides = np.sign(surplus)
    if unclear.any():
        estimates = hodges_lehmann_estimates(d[unclear], noise[unclear])
        sides[unclear] = np.sign(estimates)
    return sides


def _near_zero(sizes: Floats, width: Floats) -> Ints:
    """Return how many means of each two of a row may be 0 up to rounding, at most.

    Those of two sizes, ascending, with no step above ``width`` between them, and of
    each size up to ``width`` with itself.
    """
    steps = np.diff(sizes, axis=1) > width[:, None]
    starts = np.zeros(sizes.shape, np.int32)
    np.maximum.accumulate(
        np.where(steps, np.arange(1, sizes.shape[1], dtype=np.int32), 0),
        axis=1,
        out=starts[:, 1:],
    )
    alike = np.arange(sizes.shape[1]) - starts
    return np.asarray(alike.sum(axis=1) + np.sum(sizes <= width[:, None], axis=1))


def _estimates(blocks: Blocks, control: str | None, rows: Ints) -> Floats:
    """Return the estimates of some pairs, in the unit of a table."""
    pairs = pair_ends(blocks.algorithms, control, rows)
    estimates = np.full(len(pairs), math.nan)
    for at, d, noise in differences_of_pairs(blocks, pairs):
        estimates[at] = hodges_lehmann_estimates(d, noise)
    return ratios(estimates) if blocks.scale == "ratio" else estimates


def _positions(blocks: Blocks, sides: Ints | None) -> Any:
    """Return 1 plus the number of algorithms with an estimate in their favour.

    ``sides`` are the signs of all pairs, found here if they are not the family.
    """
    pairs = pair_ends(blocks.algorithms, None)
    worse_by = tested(blocks, pairs)["sides"] if sides is None else sides
    if blocks.metric.sign < 0:
        worse_by = -worse_by
    first, second = pairs.T
    a = len(blocks.algorithms)
    behind = np.bincount(first[worse_by > 0], minlength=a)
    behind += np.bincount(second[worse_by < 0], minlength=a)
    return blocks.per_algorithm(np.asarray(1 + behind, float))


def notes_of(blocks: Blocks, columns: dict[str, NDArray[Any]]) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = [SHARED_ONLY] if np.isnan(blocks.values).any() else []
    m = len(columns["p_value"])
    if apart := int(np.sum(columns["n_blocks"] == 0)):
        notes.append(
            f"{apart} of {counted(m, 'pair')} share no block and cannot be tested; the "
            "adjustment counts them with p = 1"
        )
    if opposed := int(np.sum(columns["opposed"])):
        notes.append(
            f"{opposed} of {counted(m, 'pair')}: the estimate is 0 or its sign differs "
            "from that of the rank sum, so p = 1"
        )
    if approximate := int(np.sum(~columns["exact"])):
        notes.append(
            f"{approximate} of {counted(m, 'pair')}: p-values of more than "
            f"{signed_rank.MOST_TIED} differences with ties are from the saddlepoint "
            "approximation"
        )
    return tuple(notes)
