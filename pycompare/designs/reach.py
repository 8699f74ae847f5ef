"""Reach of a plan with so many blocks: found before there are data."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.arguments import is_whole
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.reading.worst import whole_range
from pycompare.data.scores import Scores
from pycompare.designs.compare import analyse
from pycompare.designs.decisions import smallest_p_values
from pycompare.designs.known import DATASETS
from pycompare.designs.margins import (
    is_of_typical_differences,
    margin_pairs_of,
    n_margin_tables,
)
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.quantity import RANKS, TYPICAL_DIFFERENCE
from pycompare.kernels.closed_signed_ranks import smallest_p
from pycompare.kernels.matched_pairs import least_units
from pycompare.kernels.signed_rank import MOST
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.signed_rank_pairs import (
    SignedRankPairsResult,
    signed_rank_tests,
)
from pycompare.results.result import changed, rejected

_MOST_SEARCHED = 200
"""Blocks at most that are tried for a method whose smallest p-value is too large."""
_FAR = 1e6
"""Mean difference of the strongest table, in steps from block to block."""
_PLANNED = (TYPICAL_DIFFERENCE, RANKS)
"""Comparisons of data sets with folds whose tests are of the data sets' numbers."""


@dataclass(frozen=True, kw_only=True)
class MarginReach:
    """Whether so many blocks can show a margin of one metric.

    Attributes
    ----------
    metric : str
    margin : float
    fewest : int
        The fewest blocks that can.
    equal_answers : bool
        The number is of algorithms that answer every case alike; if they differ
        fewer cases can do. Otherwise of any outcome.
    """

    metric: str
    margin: float
    fewest: int
    equal_answers: bool


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What no outcome of so many blocks can reach, by the plan's own analysis.

    Attributes
    ----------
    n, n_algorithms, n_pairs, n_metrics : int
    answers : {"", "right/wrong", "graded"}
        Over cases: the kind of answers that this is about.
    pairs : PairsResult
        The pairs of the strongest table, whose tests and adjustment are the decisive
        ones.
    smallest : float
        The smallest adjusted p-value that an outcome can have.
    fewest : int or None
        If it is above alpha: the fewest blocks of which an outcome can be
        significant. None: no number up to 200 was found.
    margins : tuple of MarginReach
    plan : Plan
        With the methods that fit the size.
    by_size : bool
        The method is the default for this size.
    clusters : bool
        n counts clusters of data sets.
    """

    n: int
    n_algorithms: int
    n_pairs: int
    n_metrics: int
    answers: str
    pairs: Any
    smallest: float
    fewest: int | None
    margins: tuple[MarginReach, ...]
    plan: Plan
    by_size: bool
    clusters: bool = False

    @property
    def possible(self) -> bool:
        """Whether an outcome can be significant."""
        return bool(rejected(np.array([self.smallest]), self.plan.alpha)[0])


def fewest_data_sets(pairs: SignedRankPairsResult, asked: Plan, alpha: float) -> int:
    """Return how many data sets, or clusters, could give a significant difference.

    For signed rank tests of which no outcome can. If the plan leaves the method to
    the size of the table, that of larger ones needs no more than one pair does.
    """
    by_size = asked.adjust == asked.defaults and asked.family != "all"
    by_size = by_size and not pairs.clustered  # which have Holm at every size
    scale = 1 if by_size else pairs.p_multiplier
    enough = int(np.max(pairs.n_units, initial=0)) + 1
    while scale * smallest_p(enough) > alpha and enough < MOST:
        enough += 1
    return enough


def reach_of(
    plan_file: PlanFile, n: int, n_algorithms: int | None = None
) -> tuple[Reach, ...]:
    """Return the reach of a plan with n blocks, by the analysis of ``compare``.

    The strongest table of that size is compared as planned: every block has the same
    order of algorithms, at distances that do not tie. What its method is, follows from
    the size alone.

    Parameters
    ----------
    plan_file : PlanFile
        A plan of scores; ``blocks`` defines them.
    n : int
        Data sets, cases or folds, as ``blocks`` specifies; clusters of data sets, if
        the plan has ``cluster``.
    n_algorithms : int, optional
        Needed if the plan does not list the algorithms.

    Returns
    -------
    tuple of Reach
        Over cases one of right/wrong and one of graded answers, which a plan does not
        distinguish; otherwise one.

    Raises
    ------
    InputError
        If the plan leaves the blocks or the number of algorithms open, or has what
        depends on the data: predictions, groups, clusters of cases or runs.
    PlanError
        If the plan cannot be one of such a table.
    """
    over_data_sets = plan_file.plan.design == DATASETS
    check_countable(plan_file, n, known=("cluster",) if over_data_sets else ())
    labels = labels_of(plan_file, n_algorithms)
    asked = plan_of_blocks(plan_file)
    kinds = ("right/wrong", "graded") if asked.design.of_cases else ("",)
    metrics = plan_file.metrics
    clusters = plan_file.roles.cluster is not None
    return tuple(
        _reach(_Strongest(asked, metrics, labels, kind, clusters), n) for kind in kinds
    )


def _reach(strongest: _Strongest, n: int) -> Reach:
    """Return what one kind of scores can reach."""
    asked, labels, kind = strongest.asked, strongest.labels, strongest.kind
    settled, pairs, smallest = strongest.compared(n)
    names = settled.metrics or tuple(metric.name for metric in strongest.metrics)
    reach = Reach(
        n=n,
        n_algorithms=len(labels),
        n_pairs=len(family_pairs(labels, settled.control)),
        n_metrics=len(names),
        answers=kind,
        pairs=pairs,
        smallest=smallest,
        fewest=None,
        margins=tuple(_margins(settled, names, strongest.scores(n), kind)),
        plan=settled,
        by_size=asked.adjust == asked.defaults and not strongest.clusters,
        clusters=strongest.clusters,
    )
    if reach.possible:
        return reach
    return dataclasses.replace(reach, fewest=strongest.fewest(n, pairs))


@dataclass(frozen=True)
class _Strongest:
    """The strongest tables of all sizes, compared as planned.

    Data sets in ``clusters`` are one a cluster: p-values count clusters.
    """

    asked: Plan
    metrics: tuple[Metric, ...]
    labels: tuple[str, ...]
    kind: str
    clusters: bool

    def scores(self, n: int) -> Scores:
        """Return the table of n blocks."""
        a = np.arange(len(self.labels), dtype=float)
        if self.kind == "right/wrong":  # the first is right where all others are wrong
            values: Floats = np.broadcast_to(a == 0, (n, len(a))).astype(float)
        else:
            values = np.outer(_FAR + np.arange(n) + 1, a)
        blocks = tuple(f"block {i + 1}" for i in range(n))
        return Scores(
            values=np.repeat(values[..., None], len(self.metrics), axis=2),
            blocks=blocks,
            algorithms=self.labels,
            metrics=self.metrics,
            clusters=blocks if self.clusters else None,
        )

    def compared(self, n: int) -> tuple[Plan, Any, float]:
        """Return the settled plan, the decisive pairs and the smallest p-value."""
        scores = self.scores(n)
        # No range holds the distances of the strongest table.
        asked = dataclasses.replace(self.asked, range=None)
        settled = asked.settled(scores)
        if _is_closed_test(settled, scores):
            # Its smallest p-value follows from the size; the test takes many seconds.
            tests = signed_rank_tests(
                scores, metric=scores.metrics[0].name, alpha=settled.alpha
            )
            pairs = changed(tests, adjust=settled.adjust[0])
            return settled, pairs, float(np.min(pairs.least))
        comparison = analyse(scores, asked)
        if not comparison.plan.claims:
            raise InputError(
                "this plan has no tests of pairs that make a claim over folds: set "
                "protocol and the sizes of training and test sets"
            )
        [part] = comparison.parts
        each = [analysis.decisive for analysis in part.analyses]
        least = [_smallest(pairs) for pairs in each]
        at = int(np.argmin(least))
        settled = dataclasses.replace(comparison.plan, range=self.asked.range)
        return settled, each[at], least[at]

    def fewest(self, n: int, pairs: Any) -> int | None:
        """Return the fewest blocks of which an outcome can be significant."""
        alpha = self.asked.alpha
        if isinstance(pairs, SignedRankPairsResult):
            return fewest_data_sets(pairs, self.asked, alpha)
        sizes = range(n + 1, _MOST_SEARCHED + 1)
        return next((m for m in sizes if self.compared(m)[2] <= alpha), None)


def _is_closed_test(settled: Plan, scores: Scores) -> bool:
    """Return whether the closed test of typical differences decides."""
    typical = settled.quantity == TYPICAL_DIFFERENCE and scores.n_algorithms > 2
    return typical and settled.adjust[0] == "closed-permutation"


def _smallest(pairs: Any) -> float:
    """Return the smallest adjusted p-value, if none is known the table's own."""
    known = smallest_p_values(pairs)
    own = np.asarray(pairs.as_columns()["p_adjusted"], float)
    return float(np.fmin.reduce(np.where(known > 0, known, own), initial=1.0))


def _margins(
    plan: Plan, names: tuple[str, ...], scores: Scores, kind: str
) -> Iterator[MarginReach]:
    """Yield how many blocks each margin needs, if its test has such a number."""
    # A page that compares no margins does not need pandas.
    from pycompare.methods.pairs.signed_rank_margins import fewest_within

    count = _pairs(scores, plan) * n_margin_tables(plan, names)
    for name in names:
        margin = plan.margin_of(name)
        if margin is None:
            continue
        limits = plan.range_of(name) or whole_range(name, np.zeros(0))
        if kind == "right/wrong":
            fewest, equal = _fewest_alike(plan, name, scores, count), True
        elif not plan.design.of_cases and is_of_typical_differences(scores, plan, name):
            fewest, equal = fewest_within(count, plan.margin_error), False
        elif plan.design.of_cases and limits is not None:
            share = margin / float(np.ptp(limits))
            fewest, equal = least_units(share, plan.margin_error / count), True
        else:
            continue
        yield MarginReach(
            metric=name, margin=margin, fewest=fewest, equal_answers=equal
        )


def _fewest_alike(plan: Plan, name: str, scores: Scores, count: int) -> int:
    """Return the fewest cases with equal right/wrong answers that show a margin.

    No valid test needs fewer than ``least_units``; the test of the plan needs a few
    more, since its error is bounded at every share of discordant cases.
    """
    margin = plan.margin_of(name)
    assert margin is not None
    n = least_units(margin, plan.margin_error / count)
    while True:
        alike = dataclasses.replace(
            scores,
            values=np.zeros((n, *scores.values.shape[1:])),
            blocks=tuple(f"block {i + 1}" for i in range(n)),
        )
        planned = margin_pairs_of(alike, plan, name, count // _pairs(scores, plan))
        assert planned is not None
        p = np.asarray(planned.tests.as_columns()["p_value"], float).max()
        if count * p <= plan.margin_error:
            return n
        n += 1


def _pairs(scores: Scores, plan: Plan) -> int:
    """Return how many pairs one table has."""
    return len(family_pairs(scores.algorithms, plan.control))


def check_countable(
    plan_file: PlanFile, n: int, *, known: Collection[str] = ()
) -> None:
    """Reject what a number of blocks does not settle with the ``known`` columns."""
    if not is_whole(n) or n < 2:
        raise InputError(setting("n", n) + ": give a whole number of blocks, 2 or more")
    roles, plan = plan_file.roles, plan_file.plan
    if roles.predictions or plan.sweeps or plan.generalise is not None:
        raise InputError(
            f"{plan_file.name} is a plan of predictions, whose tests depend on the "
            "cases of each class; the designs of 'pycompare power' plan these"
        )
    if plan.labels is not None or roles.judge is not None:
        raise InputError(
            f"{plan_file.name} is a plan of labels beside a judge: their power also "
            "depends on the number of items, and on how the judge follows the labels, "
            "which a plan does not state; 'pycompare power labels' plans a pair"
        )
    for role in ("group", "cluster", "replicate"):
        if role not in known and getattr(roles, role, None) is not None:
            raise InputError(
                f"{plan_file.name} has {role} = {getattr(roles, role)!r}: n blocks "
                f"alone do not state its contents; leave {role} out in a copy"
            )
    if not plan.names_blocks:
        raise InputError(
            f"{plan_file.name} leaves blocks to the columns of the data: set blocks to "
            "'datasets', 'folds-of-datasets', 'folds' or 'cases'"
        )


def labels_of(plan_file: PlanFile, n_algorithms: int | None) -> tuple[str, ...]:
    """Return the algorithms of the plan, or names for so many."""
    listed, control = plan_file.roles.algorithms, plan_file.plan.control
    return names_of(plan_file.name, listed, control, n_algorithms)


def settled_by_data_sets(plan: Plan) -> bool:
    """Return whether tests over data sets with folds are of one number for each."""
    return plan.quantity in _PLANNED


def plan_of_blocks(plan_file: PlanFile) -> Plan:
    """Return the plan of the table that n blocks make."""
    plan = plan_file.plan
    own: dict[str, Any] = {}
    if plan.design.nested:
        if not settled_by_data_sets(plan):
            names = " and ".join(quantity.name for quantity in _PLANNED)
            raise DesignError(
                setting("compares", plan.compares)
                + f": with folds of data sets a number of data sets settles the tests "
                f"of {names} alone"
            )
        own |= {"blocks": DATASETS.name, "protocol": None, "average_folds": False}
        own |= dict.fromkeys(("n_train", "n_test", "n_folds"))
        own |= {"overlap": "enlarged", "seed": None, "adjust": ()}
        if plan.adjust != plan.defaults:
            own["adjust"] = plan.adjust
    return dataclasses.replace(plan, **own)


def names_of(
    plan_name: str,
    listed: Sequence[str],
    control: str | None,
    n_algorithms: int | None,
    kind: str = "algorithm",
) -> tuple[str, ...]:
    """Return the algorithms that a plan lists, or names for so many.

    ``kind``: algorithm or modality.
    """
    if n_algorithms is None and not listed:
        raise InputError(
            f"{plan_name} does not list the {kind}s, so their number is "
            "missing: give it, as in --n-algorithms 5"
        )
    if n_algorithms is None:
        return tuple(listed)
    if not is_whole(n_algorithms) or n_algorithms < 2:
        raise InputError(
            setting("n_algorithms", n_algorithms) + ": give a whole number, 2 or more"
        )
    if listed and len(listed) != n_algorithms:
        raise InputError(
            setting("n_algorithms", n_algorithms)
            + f": {plan_name} lists {len(listed)} {kind}s; leave one out"
        )
    if listed:
        return tuple(listed)
    named = () if control is None else (control,)
    numbered = (f"{kind} {i + 1}" for i in range(n_algorithms + 1))
    others = [name for name in numbered if name != control]
    return (*named, *others)[:n_algorithms]
