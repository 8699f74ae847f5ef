"""Ranks with their uncertainty: simultaneous confidence sets from pair decisions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pycompare.base.arguments import check_alpha, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.tables import table_text
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.metric import Metric
from pycompare.base.tables import Columns, Matrix
from pycompare.base.typing import Bools, Floats
from pycompare.kernels.ranks import midranks
from pycompare.methods.orders.dominance import closure, dominates
from pycompare.results.guarantees import guarantee_of
from pycompare.results.pair_rows import PairRows
from pycompare.results.result import (
    NumberSource,
    PairsResult,
    Result,
    internal,
    later,
    made_when_read,
    rows_of,
)

if TYPE_CHECKING:
    import pandas as pd


_POWER = 0.8
"""Power that ``n_needed`` asks for."""
_REFERENCE = (
    "Mogstad, Romano, Shaikh & Wilhelm (2024) Rev. Econ. Stud. 91, 476-518; Klein, "
    "Wright & Wieczorek (2020) JRSS C 69, 589-606"
)


class OneAnalysis(Protocol):
    """The analysis of one metric."""

    @property
    def metric(self) -> Metric:
        """What was compared."""
        ...


class WholeComparison(Protocol):
    """A whole comparison: one analysis per metric."""

    @property
    def analyses(self) -> tuple[OneAnalysis, ...]:
        """One a metric."""
        ...

    @property
    def plan(self) -> Any:
        """The plan, with ``alpha``."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class RankSets(Result):
    """Simultaneous confidence sets of ranks.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm, the best first: ``algorithm``, ``rank`` (1 = best, ties
        share their mean), and the limits ``rank_low`` and ``rank_high`` of the
        confidence set.
    tiers : tuple of tuple of str
        The finest division in which every algorithm of a tier is better than every one
        of the tiers below.
    may_be_best : tuple of str
        Algorithms whose set contains rank 1.
    neighbours : DataFrame
        One row for each two neighbours in order: ``better worse estimate p_adjusted
        significant n_needed``. The last is how many independent blocks (clusters) would
        separate the two with power 0.8 if the observed difference were the true one:
        ``pc.power`` of the paired t test at alpha over the number of pairs, with the
        spread of the differences about their own mean. Infinite above a million; NaN
        if they are separated already, if their test has no standard error of
        their own (z tests of mean ranks), and if more blocks alone would not make
        it small (training data or cases that blocks share).
    alpha : float
        The sets have simultaneous coverage 1 - alpha if all decisions hold together
        with that probability.
    method, adjust : str
        The tests and the adjustment behind the decisions.
    pairs : PairsResult
        The comparisons that the sets follow from.
    """

    table: pd.DataFrame = made_when_read()
    tiers: tuple[tuple[str, ...], ...]
    may_be_best: tuple[str, ...]
    neighbours: pd.DataFrame = made_when_read()
    alpha: float
    method: str
    adjust: str
    reference: str = _REFERENCE
    pairs: PairsResult = internal()

    def summary(self, digits: int = 4) -> str:
        """Return the method, the sets and the algorithms that may be best."""
        head = (
            f"Simultaneous {100 * (1 - self.alpha):g}% confidence sets of ranks "
            f"({self.method}; {self.adjust})"
        )
        best = f"May be best: {', '.join(self.may_be_best)}"
        return "\n".join([head, table_text(self.as_columns(), digits), best])

    def r_call(self) -> RCall:
        """Return the call that makes the sets of the same decisions."""
        names = self.pairs.algorithms
        arguments: dict[str, Any] = {
            "p_adjusted": Matrix(self.pairs.square("p_adjusted"), names, names),
            "alpha": self.alpha,
        }
        if self.pairs.counts_better:
            better = self.pairs.better().astype(float)
            arguments["better"] = Matrix(better, names, names)
        else:
            positions = np.asarray(self.pairs.held("positions"), float)
            arguments["positions"] = positions
        return RCall(("rank_sets",), "rank_sets_reference", arguments)

    def row_labels(self) -> list[Any]:
        """Return the algorithms in the order of the data."""
        return [(name,) for name in self.pairs.algorithms]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        fields = Result.to_dict(self)
        own = {n: NumberSource(self, n) for n in ("rank", "rank_low", "rank_high")}
        fields["table"] = rows_of(fields["table"], ("algorithm",), own)
        ends = ("better", "worse")
        fields["neighbours"] = rows_of(fields["neighbours"], ends, self._of_neighbours)
        return fields

    def _of_neighbours(self, _: int, row: Mapping[str, Any]) -> dict[str, NumberSource]:
        """Return whose numbers neighbours repeat; two algorithms have one test."""
        test: Any = self.pairs.tested_by
        gate = self.pairs.gate
        if test is self.pairs:
            adjusted = NumberSource(self.pairs, "p_adjusted", gate)
            return {
                "estimate": NumberSource(self.pairs, "estimate"),
                "p_adjusted": adjusted,
            }
        same = row["better"] == test.algorithm_1
        sources = {"p_adjusted": NumberSource(test, "p_value", gate)}
        if same or self.pairs.null == 0:  # ratios and shares turn otherwise
            name = "estimate" if same else "minus estimate"
            sources["estimate"] = NumberSource(test, name, at=1)
        return sources

    def r_values(self) -> dict[str, Any]:
        """Return ranks with their limits, in the order of the data."""
        table = self.as_columns()
        place = {name: i for i, name in enumerate(table["algorithm"])}
        rows = [place[name] for name in self.pairs.algorithms]
        names = ("rank", "rank_low", "rank_high")
        return {name: np.asarray(table[name], float)[rows] for name in names}


@checked
def rank_sets(
    compared: PairsResult | WholeComparison,
    *,
    metric: str | None = None,
    alpha: float | None = None,
) -> RankSets:
    """Return simultaneous confidence sets for the ranks of all algorithms.

    Parameters
    ----------
    compared : PairsResult or Comparison
        All pairs, such as ``pc.max_t`` or ``pc.mcnemar_pairs`` gives; of a comparison
        the pairs of its primary analysis.
    metric : str, optional
        Which metric of a comparison; needed if there are several.
    alpha : float, optional
        A pair is decided if ``p_adjusted <= alpha``. Default: that of the comparison's
        plan, 0.05 for pairs.

    Returns
    -------
    RankSets
        ``rank_low`` is 1 plus the number of algorithms that are better, ``rank_high``
        the number of all minus those that are worse, by the decisions and what follows
        from them (A better than B, B better than C). Of typical differences
        (``pc.signed_rank_pairs``) nothing follows: a rank is 1 plus the number of
        algorithms with an estimate in their favour, ranks may be shared, and a set
        counts the pair's own decisions.

    Raises
    ------
    InputError
        If pairs are missing (a control), the comparison has several metrics and none is
        named, or the tests do not show which algorithm is better.
    DesignError
        If the hypotheses are not transitive, such as equal probabilities of winning:
        such decisions may form a circle, and no algorithm has a rank. If the adjustment
        does not bound the family-wise error (``BH``, ``BY``, ``none``): sets from such
        decisions have no simultaneous coverage.

    Notes
    -----
    Equation 10.6 of docs/equations.md.

    If every decision is right, in its direction too, then each true rank lies in its
    set; of algorithms that are truly equal, all the ranks that they share. The
    simultaneous coverage is therefore at least the probability that no decision is
    wrong. Simultaneous intervals (single-step max-T, Tukey, Bonferroni) bound that
    probability by 1 - alpha, directions included. For stepwise methods (Holm,
    Bergmann-Hommel, step-down max-T) the family-wise error is bounded; that directions
    are right as often is shown for few of them. ``validation/CASES.md`` has the
    coverage in simulated studies.

    R: derivation, by listing all orders for few algorithms.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Review of
       Economic Studies 91, 476-518.
    .. [2] Klein, M., Wright, T., Wieczorek, J. (2020). JRSS C 69, 589-606.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.rank_sets(pc.max_t(pc.example(), on="ranks"))
    >>> found.table[["algorithm", "rank", "rank_low", "rank_high"]]
        algorithm  rank  rank_low  rank_high
    0        C4.5   1.0         1          2
    1  NaiveBayes   2.0         1          2
    2         CN2   3.0         3          4
    3        1-NN   4.0         3          4
    4      Kernel   5.0         5          5
    >>> found.tiers
    (('C4.5', 'NaiveBayes'), ('CN2', '1-NN'), ('Kernel',))
    """
    pairs, planned = _pairs_of(compared, metric)
    level = planned if alpha is None else alpha
    check_alpha(level)
    pairs.require_all("rank sets")
    _require_family_wise(pairs)
    if not _ranked(pairs):
        raise DesignError(
            f"{pairs.method} have hypotheses ({pairs.hypotheses.name}) that give no "
            f"ranks: {pairs.hypotheses.why_not}; compare means, mean ranks or "
            "accuracies"
        )
    better = _decided(pairs, level)
    positions = np.asarray(pairs.held("positions"), float)
    names = np.array(pairs.algorithms, dtype=object)
    order, low = pairs.order, 1 + better.sum(axis=0)
    table = {
        "algorithm": names[order],
        "rank": positions[order]
        if pairs.counts_better
        else midranks(positions, np.zeros(len(positions)))[order],
        "rank_low": low[order],
        "rank_high": (len(names) - better.sum(axis=1))[order],
    }
    return RankSets(
        table=Columns(table),
        tiers=_tiers(pairs, better),
        may_be_best=tuple(names[order][low[order] == 1].tolist()),
        neighbours=later(_neighbours, pairs, level),
        alpha=level,
        method=pairs.method,
        adjust=pairs.adjust,
        pairs=pairs,
    )


def _require_family_wise(pairs: PairsResult) -> None:
    """Reject decisions of which more than a share alpha may be wrong somewhere."""
    if pairs.adjust in ("BH", "BY", "none") and len(pairs.as_columns()) > 1:
        raise DesignError(
            f"adjust={pairs.adjust!r} does not bound the family-wise error of all "
            "pairs, so sets of ranks would not have simultaneous coverage; choose "
            "another adjustment, such as 'holm'"
        )


def _pairs_of(
    compared: PairsResult | WholeComparison, metric: str | None
) -> tuple[PairsResult, float]:
    """Return the pairs of the primary analysis, and the alpha that goes with them."""
    if isinstance(compared, PairsResult):
        if metric is not None:
            raise InputError(f"metric={show(metric)}: these pairs are of one metric")
        return compared, 0.05
    if not hasattr(compared, "analyses"):
        raise InputError(
            f"expected pairs or a comparison, got {type(compared).__name__}"
        )
    known = {analysis.metric.name: analysis for analysis in compared.analyses}
    if metric is None and len(known) > 1:
        raise InputError(f"metric: name one of {show_all(known)}")
    name = next(iter(known)) if metric is None else metric
    check_word("metric", name, known)
    return _primary_pairs(known[name]), float(compared.plan.alpha)


def _primary_pairs(analysis: Any) -> PairsResult:
    """Return the pairs of an analysis' primary method."""
    pairs = analysis.decisive if analysis.has_ranks else None
    if not isinstance(pairs, PairsResult):
        raise DesignError(f"the analysis of {analysis.kind} compares no ranks")
    return pairs


def rank_sets_of(analysis: Any, alpha: float) -> RankSets | None:
    """Return the sets of an analysis, or pairs; None if these give no ranks."""
    try:
        pairs = analysis if isinstance(analysis, PairsResult) else None
        return rank_sets(pairs or _primary_pairs(analysis), alpha=alpha)
    except (DesignError, InputError):
        return None


def has_ranks(analysis: Any) -> bool:
    """Return whether an analysis' primary pairs compare ranks, however adjusted."""
    try:
        pairs = _primary_pairs(analysis)
        pairs.require_all("ranks")
    except (DesignError, InputError):
        return False
    return _ranked(pairs)


def _ranked(pairs: PairsResult) -> bool:
    """Return whether decisions on all pairs give ranks; one pair always does.

    Those that could form a circle give none, unless ranks count each algorithm's pairs.
    """
    no_circle = pairs.hypotheses.transitive or len(pairs.as_columns()) == 1
    return no_circle or pairs.counts_better


def _decided(pairs: PairsResult, alpha: float) -> Bools:
    """Return whether row is better than column by decisions and what follows."""
    direct = dominates(pairs, alpha)
    if pairs.counts_better:
        return direct
    reach = closure(direct)
    # A circle is a contradiction: nothing follows from it.
    return direct if np.diag(reach).any() else reach


def _tiers(pairs: PairsResult, better: Bools) -> tuple[tuple[str, ...], ...]:
    """Cut the order wherever all above are better than all below."""
    order, names = pairs.order, pairs.algorithms
    sorted_better = better[np.ix_(order, order)]
    cuts = [
        k
        for k in range(1, len(order))
        if sorted_better[k - 1, k] and sorted_better[:k, k:].all()
    ]
    ends = zip([0, *cuts], [*cuts, len(order)], strict=True)
    return tuple(tuple(names[i] for i in order[u:v]) for u, v in ends)


def _neighbours(pairs: PairsResult, alpha: float) -> Columns:
    """Return neighbours in the order, and what would separate them."""
    order, names = pairs.order, pairs.algorithms
    better, worse = order[:-1], order[1:]
    located = pairs.pair_rows.located(PairRows(names, better, worse))

    def cells(column: str) -> Floats:
        return np.asarray(pairs.numbers_of(column, located))

    p, estimate, error = map(cells, ("p_adjusted", "estimate", "std_error"))
    error = pairs.centred_errors(estimate, error)
    significant = dominates(pairs, alpha)[better, worse]
    open_ = ~significant & _shrinks(pairs)
    each = alpha / len(pairs.as_columns())
    return Columns(
        {
            "better": [names[i] for i in better],
            "worse": [names[i] for i in worse],
            "estimate": estimate,
            "p_adjusted": p,
            "significant": significant,
            "n_needed": [
                _blocks_needed(abs((d - pairs.null) / e), pairs.n_blocks or 0, each)
                if asked and e > 0
                else math.nan
                for d, e, asked in zip(estimate, error, open_, strict=True)
            ],
        }
    )


def _blocks_needed(t: float, n: int, alpha: float) -> float:
    """Return how many blocks make a difference of ``t`` standard errors significant.

    ``n`` blocks gave the standard error; there are not fewer, whatever the power.
    """
    from pycompare.kernels.power import normal_quantile, smallest_size, t_two_sided

    # Of normal scores whose variance is known.
    shift = normal_quantile(alpha) + normal_quantile(2 * (1 - _POWER))
    needed = smallest_size(
        lambda size: t_two_sided(size - 1, t * math.sqrt(size / n), alpha),
        _POWER,
        near=n * (shift / t) ** 2 if t > 0 else math.inf,
    )
    return math.inf if needed is None else float(max(n, needed))


def _shrinks(pairs: PairsResult) -> bool:
    """Return whether standard errors fall with the root of the number of blocks."""
    # Folds share training data: a part of the variance stays.
    shared = "overlap-as-assumed" in guarantee_of(pairs).conditions
    return pairs.n_blocks is not None and not shared
