"""Intervals of mean or typical differences, one line per pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.typing import Floats
from pycompare.plotting import style
from pycompare.plotting.describe import adjustment_text, untested_text
from pycompare.results.result import PairsResult
from pycompare.results.result import rejected as is_rejected

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.cases.cluster_pairs import ClusterPairsResult
    from pycompare.methods.cases.share_pairs import SharePairsResult
    from pycompare.methods.linear.pairs import MeanPairsResult
    from pycompare.methods.pairs.mcnemar_pairs import McNemarPairsResult
    from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult
    from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult

    MeanDifferences = (
        MeanPairsResult
        | PairedTPairsResult
        | SignedRankPairsResult
        | ClusterPairsResult
        | McNemarPairsResult
        | SharePairsResult
    )

_ROW = 14.0
_NAME_WIDTH = 24  # columns: two names stand on one line
MOST_ROWS = 500
_MINUS = "\N{MINUS SIGN}"
_BETWEEN = {"ratio": "/", "share": "against"}
"""What stands between two algorithms whose estimate is no difference."""


@style.sized
def mean_differences(
    pairs: MeanDifferences,
    *,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw mean or typical differences of pairs with their intervals.

    One line per pair, the greatest difference on top, the line of no difference marked.
    Ratios (``scale="ratio"``) have a logarithmic axis and their line at 1; shares of
    discordant cases (``pc.mcnemar_pairs``) have theirs at 1/2.
    A filled blue dot is a significant difference, an open grey one is not, a cross was
    not tested.

    Parameters
    ----------
    pairs : MeanPairsResult, PairedTPairsResult, SignedRankPairsResult, ...
        From ``pc.tukey``, ``pc.dunnett``, ``pc.scheffe``, ``pc.pairwise_t``,
        ``pc.paired_t_pairs``, ``pc.corrected_pairs``, ``pc.signed_rank_pairs``,
        ``pc.cluster_pairs``, ``pc.mcnemar_pairs`` or ``pc.share_pairs``.
    alpha : float
        A pair is significant if ``p_adjusted <= alpha``. The intervals have the
        result's own level; if the two disagree the caption counts the pairs.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the difference, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For another kind of result, or more pairs than anyone can read.

    Notes
    -----
    R: ``plot(TukeyHSD(fit))``, which has no p-values and no order.

    References
    ----------
    .. [1] Hsu, J. C. (1996). Multiple Comparisons: Theory and Methods, sec. 5.
    """
    check_alpha(alpha)
    _require_means(pairs)
    # Stable, so that ties stand in the order of the table.
    order = np.argsort(-pairs.as_columns()["estimate"].astype(float), kind="stable")
    middle, low, high, p = (
        pairs.as_columns()[name].astype(float)[order]
        for name in ("estimate", "conf_low", "conf_high", "p_adjusted")
    )
    rejected, tested = is_rejected(p, alpha), ~np.isnan(p)
    ratios = pairs.null == 1
    if ratios:  # they are drawn on a logarithmic axis, which has no 0
        low = np.where(low > 0, low, np.nan)
    units = style.units_of(np.concatenate([middle, low, high, [pairs.null]]))
    if pairs.null:
        units = style.AxisUnits()
    labels = _pair_labels(pairs)
    with style.context():
        ax = style.open_rows(
            ax,
            [labels[i] for i in order],
            _axis_title(pairs, units),
            _caption(pairs, alpha),
            row=_ROW,
        )
        if ratios:
            ax.set_xscale("log")
        _draw_null(ax, pairs.null)
        groups = {
            "significant": rejected,
            "not significant": ~rejected & tested,
            "not tested": ~tested,
        }
        for name, rows in groups.items():
            _draw_group(ax, name, rows, units.values(np.stack([middle, low, high])))
        ax.autoscale_view(scaley=False)
        if ratios:
            style.ticks_of_ratios(ax)
    return ax


def _require_means(pairs: MeanDifferences) -> None:
    """Reject results that are no differences of means, and endless lists."""
    if not isinstance(pairs, PairsResult) or pairs.differences == "none":
        raise InputError(
            f"a {type(pairs).__name__} arrived; differences of means are needed: "
            "the result of tukey, dunnett, scheffe, pairwise_t, paired_t_pairs, "
            "corrected_pairs, signed_rank_pairs, cluster_pairs, mcnemar_pairs or "
            "share_pairs"
        )
    if (n := len(pairs.as_columns())) > MOST_ROWS:
        raise InputError(
            f"{n} pairs are more than the {MOST_ROWS} lines that this "
            "picture has; draw p_matrix, or compare with a control"
        )


def _pair_labels(pairs: MeanDifferences) -> list[str]:
    """Name each pair: the first minus the second, or against it."""
    short = style.short_labels(pairs.algorithms, _NAME_WIDTH)
    names = dict(zip(pairs.algorithms, short, strict=True))
    between = _BETWEEN.get(pairs.differences, _MINUS)
    return [
        f"{names[first]} {between} {names[second]}"
        for first, second in pairs.row_labels()
    ]


def _axis_title(pairs: MeanDifferences, units: style.AxisUnits) -> str:
    """Name the difference, its unit, and which side is better."""
    metric = pairs.metric
    name = style.shorten(style.printable(metric.name), style.LABEL_WIDTH)
    side = f"{'>' if metric.better == 'higher' else '<'} {pairs.null:g}"
    if pairs.null == 0.5:
        won = "lost" if pairs.lower_is_better else "won"
        return f"share of discordant cases {won} ({name}); {side}: first is better"
    if pairs.null:
        return f"typical ratio of {name} (logarithmic axis); {side}: first is better"
    return (
        f"{pairs.differences} difference in {name}{units.text}; {side}: first is better"
    )


def _draw_null(ax: Axes, null: float) -> None:
    """Draw the line of no difference."""
    ax.axvline(
        null,
        color=style.INK,
        linewidth=0.8,
        linestyle=(0, (4, 3)),
        zorder=0,
        gid={0.0: "zero", 0.5: "half", 1.0: "one"}[null],
    )


def _draw_group(ax: Axes, name: str, rows: NDArray[np.bool_], drawn: Floats) -> None:
    """Draw the intervals and dots of the pairs with one verdict."""
    from matplotlib.collections import LineCollection

    (at,) = np.nonzero(rows)
    if not at.size:
        return
    color = style.BLUE if name == "significant" else style.DIM
    middle, low, high = drawn[:, at]
    ends = np.stack([np.stack([low, high], -1), np.stack([at, at], -1)], -1)
    gid = name.replace(" ", "-")
    ax.add_collection(
        LineCollection(
            list(ends[np.isfinite(ends).all(axis=(1, 2))]),
            colors=color,
            linewidths=1.8 if name == "significant" else 1.1,
            zorder=2,
            gid=f"intervals-{gid}",
        )
    )
    ax.plot(
        middle,
        at,
        marker="x" if name == "not tested" else "o",
        color=color,
        markerfacecolor="white" if name == "not significant" else color,
        markersize=5.0,
        linestyle="none",
        zorder=3,
        gid=f"dots-{gid}",
    )


def _caption(pairs: MeanDifferences, alpha: float) -> list[str]:
    """Return how the pairs were compared and how to read the picture."""
    count = int(is_rejected(pairs.as_columns()["p_adjusted"], alpha).sum())
    reading = (
        f"Filled blue: significant, adjusted p at most {alpha:g} ({count} of "
        f"{counted(len(pairs.as_columns()), 'pair')}); open grey: not. {_lines(pairs)}"
    )
    source = f"{adjustment_text(pairs)}, over {style.printable(pairs.family)}."
    sentences = [reading, _disagreement(pairs, alpha), untested_text(pairs)]
    return [" ".join(filter(None, sentences)), source]


def _lines(pairs: MeanDifferences) -> str:
    """Describe the lines, or why there are none."""
    low = pairs.as_columns()["conf_low"].astype(float)
    if np.isnan(low).all():
        return "No intervals: the residual variance is zero."
    if pairs.differences in ("typical", "ratio", "share"):
        return f"Lines: intervals, {pairs.interval}."
    return f"Lines: {pairs.interval} intervals."


def _disagreement(pairs: MeanDifferences, alpha: float) -> str:
    """Count the pairs whose interval and verdict disagree."""
    low, high, p = (
        pairs.as_columns()[name].astype(float)
        for name in ("conf_low", "conf_high", "p_adjusted")
    )
    covers = (low <= pairs.null) & (high >= pairs.null)
    known = ~np.isnan(low) & ~np.isnan(p)
    count = int((covers == is_rejected(p, alpha))[known].sum())
    if not count:
        return ""
    return (
        f"Intervals and adjusted p-values use different criteria and disagree in "
        f"{count} of {counted(len(p), 'pair')}; the dots show the decisions."
    )
