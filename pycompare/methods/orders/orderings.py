"""Orderings of algorithms in each metric, groups without a difference underlined."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from pycompare.base.arguments import check_alpha, require
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.metric import Metric
from pycompare.base.tables import Columns
from pycompare.data.scores import Scores
from pycompare.kernels.units import mean_in_range
from pycompare.methods.linear.hotelling_pairs import hotelling_pairs
from pycompare.methods.linear.pairs import MeanPairsResult
from pycompare.methods.linear.responses import chosen_metrics
from pycompare.methods.orders.cliques import cliques
from pycompare.methods.pairs.common import PairsMethod
from pycompare.results.result import Pairs, Result

_REFERENCE = "Yildiz, Aslan & Alpaydin (2011) sec. 4.2"
_BETWEEN = 2  # spaces between two names


@dataclass(frozen=True, eq=False)
class Ordering:
    """Algorithms in the order of their means in one metric.

    Attributes
    ----------
    metric : Metric
    algorithms : tuple of str
        From best to worst, ties in the order of the data.
    means : tuple of float
        In the metric's own unit, in the same order.
    groups : tuple of tuple of str
        Maximal groups of two or more without a significant pair, members from best to
        worst. A group need not be an interval of the order.
    method, adjust : str
        The test of pairs behind the groups.
    """

    metric: Metric
    algorithms: tuple[str, ...]
    means: tuple[float, ...]
    groups: tuple[tuple[str, ...], ...]
    method: str
    adjust: str

    @property
    def title(self) -> str:
        """Name the metric and its direction."""
        return f"{self.metric.name}, {self.metric.better} is better"


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderingsResult(Result):
    """Orderings in each metric, with their groups.

    Attributes
    ----------
    orderings : tuple of Ordering
        One per metric.
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.
    n_blocks : int
    shared : bool
        Whether the groups of all metrics are those of one comparison in all of them.
    reference : str
    """

    orderings: tuple[Ordering, ...]
    alpha: float
    n_blocks: int
    shared: bool
    reference: str = _REFERENCE

    def as_columns(self) -> Columns:
        """Return one row per metric and algorithm.

        Columns ``metric place algorithm mean groups``; ``groups`` are the numbers of
        the groups that it belongs to.
        """
        columns: dict[str, list[Any]] = {
            "metric": [],
            "place": [],
            "algorithm": [],
            "mean": [],
            "groups": [],
        }
        for ordering in self.orderings:
            n = len(ordering.algorithms)
            columns["metric"] += [ordering.metric.name] * n
            columns["place"] += range(1, n + 1)
            columns["algorithm"] += ordering.algorithms
            columns["mean"] += ordering.means
            columns["groups"] += _numbers_of_groups(ordering)
        return Columns(columns)

    def summary(self, digits: int = 4) -> str:
        """Return the orderings as text; a line under names is a group.

        Dots stand where a group's line passes a name that does not belong to it.
        """
        return "\n\n".join(
            ordering_text(ordering, digits) for ordering in self.orderings
        )

    def to_html(self, digits: int = 4) -> str:
        """Return the orderings as tables, all names escaped."""
        return "\n".join(ordering_html(ordering, digits) for ordering in self.orderings)

    def _repr_html_(self) -> str:
        return self.to_html()


def _numbers_of_groups(ordering: Ordering) -> list[str]:
    """Return the numbers of the groups that each algorithm belongs to."""
    numbers: dict[str, list[str]] = {name: [] for name in ordering.algorithms}
    for k, group in enumerate(ordering.groups, 1):
        for name in group:
            numbers[name].append(str(k))
    return [", ".join(of_algorithm) for of_algorithm in numbers.values()]


@checked
def orderings(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    pairs: Pairs | PairsMethod | None = None,
    adjust: str | None = None,
    alpha: float = 0.05,
) -> OrderingsResult:
    """Order algorithms by each metric and mark groups without significant pairs.

    Parameters
    ----------
    scores : Scores
        Folds of one data set, or means of data sets.
    metrics : sequence of str, optional
        All of ``scores.metrics`` by default.
    pairs : Pairs or callable, optional
        The test behind the groups. By default the paired t tests of each metric by
        itself (Yildiz et al. 2011). A function of the scores in one metric, such as
        ``pc.tukey``, takes their place. A result, such as ``pc.hotelling_pairs``, gives
        its groups to all metrics: algorithms that differ in the metrics together.
    adjust : str, default "bonferroni"
        Of the paired t tests, over the pairs of a metric.
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.

    Returns
    -------
    OrderingsResult
        ``summary()`` and ``to_html()`` show them with groups underlined.

    Raises
    ------
    InputError
        For an unknown metric or adjustment, comparisons with a control, or pairs of
        other algorithms.

    Notes
    -----
    Yildiz et al. (2011) underline a group if its two ends do not differ; here all its
    pairs must not, which is the same wherever p-values fall with distance
    (``pc.cliques``). If cells are missing, means are over the scores that there are,
    unless the pairs have adjusted means.

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), sec. 4.2, Tables 2 and 3.

    Examples
    --------
    >>> import pycompare as pc
    >>> print(pc.orderings(pc.example("folds")).summary())
    error, lower is better
    QDA     9-NN    LDA     NaiveBayes  NearestMean
    0.1528  0.2042  0.2181  0.2236      0.2417
            ---------------------------------------
    <BLANKLINE>
    auc, higher is better
    QDA     NaiveBayes  9-NN    LDA     NearestMean
    0.9171  0.8595      0.8547  0.8435  0.8356
            ---------------------------------------
    """
    check_alpha(alpha)
    require(scores, Scores)
    if pairs is not None and adjust is not None:
        raise InputError(
            f"adjust={adjust!r} applies to the default paired t tests, and pairs= "
            f"replaces them; leave one of the two out"
        )
    chosen = chosen_metrics(scores, metrics)
    by_metric = [
        _ordering(scores, metric, pairs, adjust or "bonferroni", alpha)
        for metric in chosen
    ]
    return OrderingsResult(
        orderings=tuple(by_metric),
        alpha=alpha,
        n_blocks=scores.n_blocks,
        shared=isinstance(pairs, Pairs),
    )


def _ordering(
    scores: Scores,
    metric: Metric,
    pairs: Pairs | PairsMethod | None,
    adjust: str,
    alpha: float,
) -> Ordering:
    """Return the ordering of one metric."""
    compared = _pairs_of(scores, metric, pairs, adjust)
    if set(compared.algorithms) != set(scores.algorithms):
        raise InputError(
            f"the pairs compare {list(compared.algorithms)}, and the scores are of "
            f"{list(scores.algorithms)}; compare the same algorithms"
        )
    means = mean_in_range(scores.column(metric.name))
    if isinstance(compared, MeanPairsResult) and compared is not pairs:
        means = compared.means[list(scores.algorithms)].to_numpy(float)
    order = np.argsort(metric.sign * means, kind="stable")
    names = tuple(scores.algorithms[i] for i in order)
    place = {name: i for i, name in enumerate(names)}
    groups = [
        tuple(sorted(group, key=place.__getitem__))
        for group in cliques(compared, alpha=alpha)
    ]
    groups.sort(key=lambda group: [place[name] for name in group])
    return Ordering(
        metric=metric,
        algorithms=names,
        means=tuple(float(means[i]) for i in order),
        groups=tuple(groups),
        method=compared.method,
        adjust=compared.called,
    )


def _pairs_of(
    scores: Scores, metric: Metric, pairs: Pairs | PairsMethod | None, adjust: str
) -> Pairs:
    """Return the comparison behind one metric's groups."""
    if isinstance(pairs, Pairs):
        return pairs
    if pairs is None:
        return hotelling_pairs(scores, metrics=[metric.name], adjust=adjust)
    compared = pairs(scores.only(metric.name))
    if not isinstance(compared, Pairs):
        raise InputError(
            f"the function for pairs returned a {type(compared).__name__}; it must "
            f"return all pairs, as pc.tukey does"
        )
    return compared


def _width(text: str) -> int:
    """Return the columns that a text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    marks = sum(unicodedata.combining(c) > 0 for c in text)
    return len(text) + wide - marks


def _mean_texts(ordering: Ordering, digits: int) -> list[str]:
    """Write the means."""
    from pycompare.base.formatting.numbers import number

    return [number(mean, digits) for mean in ordering.means]


def ordering_text(ordering: Ordering, digits: int) -> str:
    """Return names, means and one line per group."""
    means = _mean_texts(ordering, digits)
    columns = [
        max(_width(n), _width(m))
        for n, m in zip(ordering.algorithms, means, strict=True)
    ]

    def row(texts: Sequence[str]) -> str:
        padded = [
            t + " " * (w - _width(t)) for t, w in zip(texts, columns, strict=True)
        ]
        return (" " * _BETWEEN).join(padded).rstrip()

    lines = [_underline(ordering, group, columns) for group in ordering.groups]
    if not ordering.groups:
        lines = ["(no group: all pairs differ)"]
    return "\n".join([ordering.title, row(ordering.algorithms), row(means), *lines])


def _underline(
    ordering: Ordering, group: tuple[str, ...], columns: Sequence[int]
) -> str:
    """Return the line under a group, dots under what does not belong to it."""
    places = [ordering.algorithms.index(name) for name in group]
    line = ""
    for i, w in enumerate(columns):
        if i < places[0] or i > places[-1]:
            mark = " "
        else:
            mark = "-" if i in places else "."
        line += mark * w
        if i < len(columns) - 1:
            inside = places[0] <= i < places[-1]
            both = i in places and i + 1 in places
            line += ("-" if both else "." if inside else " ") * _BETWEEN
    return line.rstrip()


def ordering_html(ordering: Ordering, digits: int) -> str:
    """Return a table: names, means, one row per group; solid lines mark members."""
    heads = "".join(f'<th scope="col">{escape(n)}</th>' for n in ordering.algorithms)
    means = "".join(f"<td>{escape(m)}</td>" for m in _mean_texts(ordering, digits))
    rows = "".join(
        f"<tr>{_group_cells(ordering, number, group)}</tr>"
        for number, group in enumerate(ordering.groups, 1)
    )
    return (
        f'<table class="ordering"><caption>{escape(ordering.title)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody><tr>{means}</tr>{rows}</tbody></table>"
    )


def _group_cells(ordering: Ordering, number: int, group: tuple[str, ...]) -> str:
    """Return the cells of one group."""
    places = [ordering.algorithms.index(name) for name in group]
    cells = []
    for i, name in enumerate(ordering.algorithms):
        if i in places:
            label = escape(f"{name} belongs to group {number}", quote=True)
            cells.append(
                f'<td class="member" style="border-top:3px solid" '
                f'aria-label="{label}"></td>'
            )
        elif places[0] < i < places[-1]:
            cells.append('<td class="passed" style="border-top:3px dotted"></td>')
        else:
            cells.append("<td></td>")
    return "".join(cells)
