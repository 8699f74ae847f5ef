"""One example of two tests' decisions: both metrics over folds, and the curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pycompare.base.arguments import check_word
from pycompare.base.errors import InputError
from pycompare.methods.over_datasets.agreement import WHOLE
from pycompare.plotting import panel, style
from pycompare.plotting.p_matrix import p_text
from pycompare.plotting.paired_histograms import paired_histograms
from pycompare.plotting.pr_curves import pr_curves
from pycompare.plotting.roc_curves import roc_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.predictions import Predictions
    from pycompare.methods.over_datasets.agreement import Agreement

_PART = 250.0
_HEIGHT = 320.0
_GAP = 74.0
_TITLE = 30.0
_BELOW = 104.0  # tick labels and captions
_AREAS = {"roc": ": AUC", "pr": ": AUC-PR"}
_AREA = " 0.000 [0.000, 0.000]"
Curves = Literal["roc", "pr"]
_DRAWN: dict[str, Callable[..., Any]] = {"roc": roc_curves, "pr": pr_curves}
_CASES = {
    1: "both tests accept",
    2: "only the {1} test rejects",
    3: "only the {0} test rejects",
    4: "both tests reject",
}


@style.sized
def agreement_example(
    agreement: Agreement,
    predictions: Predictions,
    *,
    case: int,
    first: str | None = None,
    second: str | None = None,
    curves: Sequence[Curves] = ("roc",),
    thresholds: Sequence[float] = (),
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the clearest example of one of the four cases (Aslan 2009, Figs. 3.1-3.18).

    The data set and the pair are those of ``agreement.examples(first, second)``. From
    left to right: the pair's scores on both metrics and their differences over folds,
    and the ROC or precision-recall curves of all folds.

    Parameters
    ----------
    agreement : Agreement
    predictions : Predictions
        Those that the agreement's scores were measured from.
    case : {1, 2, 3, 4}
        Both tests accept; only the second rejects; only the first; both reject.
    first, second : str, optional
        The two metrics; the first two of the agreement by default.
    curves : sequence of {"roc", "pr"}
        Which curves are drawn, in this order.
    thresholds : sequence of float
        Marked on the curves.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Its place is taken by two axes and one for each kind of curve
        (``ax.child_axes``). By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For another case, one that did not occur, an unknown metric or curve, and
        predictions without the data set, the blocks or the algorithms of the example.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Fig. 3.1-3.4, 3.7-3.18.
    """
    predictions.require_one_run()
    wanted = _wanted(curves)
    row = _chosen(agreement, case, first, second)
    metrics = (first or agreement.metrics[0], second or agreement.metrics[1])
    pair = (row["algorithm_1"], row["algorithm_2"])
    dataset = None if row["dataset"] == WHOLE else row["dataset"]
    scores = agreement.scores
    blocks = [
        block
        for i, block in enumerate(scores.blocks)
        if scores.datasets is None or scores.datasets[i] == dataset
    ]
    part = scores.select(blocks=blocks, algorithms=pair)
    if not set(blocks) <= set(predictions.blocks):
        raise InputError(
            "the predictions lack blocks of the example; give those that the scores of "
            "the agreement were measured from"
        )
    with style.context():
        ax, places = _open_parts(ax, pair, wanted)
        _write_title(ax, _title(row, metrics, case, dataset))
        for place, metric in zip(places, metrics, strict=False):
            paired_histograms(part, metric=metric, ax=place)
        for place, kind in zip(places[2:], wanted, strict=True):
            _DRAWN[kind](
                predictions,
                algorithms=pair,
                dataset=None if predictions.datasets is None else dataset,
                bands=(),
                thresholds=thresholds,
                ax=place,
            )
        for place, letter in zip(places, "abcd", strict=False):
            _distinguish(place, letter)
    return ax


def _wanted(curves: Any) -> tuple[Curves, ...]:
    """Return the kinds of curves, each once and known."""
    wanted = (curves,) if isinstance(curves, str) else tuple(curves)
    for kind in wanted:
        check_word("curves", kind, _DRAWN)
    if not wanted or len({*wanted}) < len(wanted):
        raise InputError(f"curves={wanted!r}: give 'roc', 'pr' or both, each once")
    return wanted


def _distinguish(place: Axes, letter: str) -> None:
    """Add a letter to all names of a part, since they are the same in each."""
    for artist in place.findobj(lambda a: a.get_gid() is not None):
        artist.set_gid(f"{artist.get_gid()}-{letter}")


def _chosen(
    agreement: Agreement, case: int, first: str | None, second: str | None
) -> dict[Any, Any]:
    """Return the row of the clearest example."""
    if case not in _CASES:
        raise InputError(f"case={case!r}: choose 1, 2, 3 or 4")
    examples = agreement.examples(first, second)
    rows = examples[examples["case"] == case]
    if rows.empty:
        occurred = ", ".join(map(str, examples["case"]))
        raise InputError(f"case {case} did not occur; those that did: {occurred}")
    return rows.iloc[0].to_dict()


def _title(
    row: dict[Any, Any], metrics: tuple[str, str], case: int, dataset: str | None
) -> list[str]:
    """Return whose example it is, and the p-values."""
    first, other = style.short_labels((row["algorithm_1"], row["algorithm_2"]))
    names = [style.shorten(style.printable(m), style.LABEL_WIDTH) for m in metrics]
    where = "" if dataset is None else f"{style.short_labels([dataset])[0]}: "
    p_values = ", ".join(
        f"p of the {name} test {p_text(row[f'p_{metric}'])}"
        for name, metric in zip(names, metrics, strict=True)
    )
    return [
        f"Case {case}, {_CASES[case].format(*names)}",
        f"{where}{first} and {other}; {p_values}",
    ]


def _open_parts(
    ax: Axes | None, pair: Sequence[str], curves: Sequence[Curves]
) -> tuple[Axes, list[Axes]]:
    """Lay the parts out in axes that were given, or in a new figure.

    The key of curves is to the right of them.
    """
    names = style.short_labels(pair)
    keys = [_key_width(names, kind) for kind in curves]
    gaps = np.array([_GAP, _GAP, *(key + _GAP for key in keys[:-1])])
    parts = 1 + len(gaps)
    if ax is None:
        fixed = style.MARGIN + _GAP + keys[-1]
        inner = style.inner(parts * _PART + gaps.sum(), fixed, 4 * _GAP + gaps.sum())
        width = fixed + inner
        height = style.MARGIN + _TITLE + _HEIGHT + _BELOW
        corner = (style.MARGIN + _GAP) / width, _BELOW / height
        box = (*corner, inner / width, _HEIGHT / height)
        ax = style.new_axes(width, height, box)
    extent = ax.get_window_extent().width / ax.figure.dpi * 72
    wide = (extent - gaps.sum()) / parts
    if wide <= _GAP:
        least = parts * _GAP + gaps.sum()
        raise InputError(
            f"the axes are {extent:.0f} points wide; give at least {least:.0f}"
        )
    ax.set_axis_off()
    lefts = np.concatenate([[0.0], np.cumsum(wide + gaps)]) / extent
    return ax, [ax.inset_axes((left, 0, wide / extent, 1)) for left in lefts]


def _key_width(names: Sequence[str], kind: Curves) -> float:
    """Return the width of the key of curves of one kind."""
    key = style.widest([f"{name}{_AREAS[kind]}{_AREA}" for name in names])
    return panel.KEY_GAP + panel.KEY_MARK + 1.06 * key


def _write_title(ax: Axes, lines: Sequence[str]) -> None:
    """Write two lines above the parts."""
    ax.annotate(
        "\n".join(lines),
        (0, 1),
        (0, style.MARGIN / 2),
        xycoords="axes fraction",
        textcoords="offset points",
        va="bottom",
        linespacing=style.LEADING,
        parse_math=False,
        annotation_clip=False,
        gid="title",
    )
