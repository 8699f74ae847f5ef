"""Rows that summarise the others, and failures among scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pycompare.base.errors import setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats
from pycompare.data.block_labels import BlockLabels
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Axis, Seen
from pycompare.data.reading.words import FAILURES, are_summaries, bare

_MOST_LAST = 8
"""Rows at the end of a table that may summarise it."""
_MOST_ANSWERED = 8
"""Empty rows that are answered one by one."""
_CHANCE = 1e-3
"""How rare a row must be that equals a summary by chance."""


def summary_row(seen: Seen) -> Iterator[Doubt]:
    """Yield rows called average, std, rank or the like, or equal to such a row.

    The last rows by their labels or their values, others by both; those of a table
    that is turned round were columns, which have summaries at any place.
    """
    for axis in seen.axes:
        summaries = _summaries(axis, by_name=seen.turned)
        if not summaries:
            continue
        labels = tuple(axis.labels[at] for at in sorted(summaries))
        equal = [
            (axis.labels[at], kind) for at, kind in sorted(summaries.items()) if kind
        ]
        if len(labels) == 1:
            whose = " (its scores are the {} of the others)"
            told = "".join(whose.format(kind) for _, kind in equal)
        else:
            each = (f"{show(label)} is their {kind}" for label, kind in equal)
            told = f" ({', '.join(each)})" if equal else ""
        role = "column" if seen.turned else axis.role
        yield Doubt(
            "summary-row",
            f"{role} {show_all(labels)} may summarise the others{told}",
            labels,
            tuple(f"{role}={label}" for label in labels),
        )


def _summaries(axis: Axis, *, by_name: bool) -> dict[int, str]:
    """Return which labels may summarise the others, and of which kind by value.

    Rows without any score, such as footnotes, are neither.
    """
    if axis.values is not None:
        there = np.flatnonzero(np.isfinite(axis.values).any(axis=1)).tolist()
        if 2 < len(there) < len(axis.labels):
            labels = tuple(axis.labels[at] for at in there)
            scored = Axis(axis.role, labels, axis.values[there])
            kinds = _summaries(scored, by_name=by_name)
            return {there[at]: kind for at, kind in kinds.items()}
    named = are_summaries(axis.labels)
    n = len(axis.labels)
    last: dict[int, str] = {}
    most = _MOST_LAST if named[-1] else 1  # of rows without such a label only the last
    for size in range(1, min(most, n - 2) + 1):
        tail = range(n - size, n)
        kinds = {at: _kind(axis, at, np.arange(n - size)) for at in tail}
        if all(named[at] or kinds[at] for at in tail):
            last = kinds
    if not any(named):
        return last
    body = np.array([at for at in range(n) if at not in last and not named[at]])
    if len(body) < 2 and not by_name:
        return last
    inside = {at: _kind(axis, at, body) for at in range(n) if named[at]}
    return {at: kind for at, kind in inside.items() if kind or by_name} | last


def _kind(axis: Axis, at: int, others: np.ndarray) -> str:
    """Return which summary of the others a row equals; empty if none."""
    if axis.values is None or len(others) < 2:
        return ""
    row, body = axis.values[at], axis.values[others]
    there = np.isfinite(row) & np.isfinite(body).all(axis=0)
    if not there.any():
        return ""
    row, body = row[there], body[:, there]
    unit = printed_unit(row)
    spread = np.ptp(body, axis=0)
    # A value that many rows have is their median by chance, however many there are;
    # one row has that of an odd number of rows anyway.
    often = ((body == row).sum(axis=0) - 1) / len(body)
    share = np.maximum(unit / np.where(spread > 0, spread, unit), often)
    if np.prod(np.minimum(1.0, share)) > _CHANCE:
        return ""
    allowed = np.maximum(0.5001 * unit, 1e-12 * np.abs(row))
    called = _CALLED.get(bare(axis.labels[at]), "")
    for kind in sorted(_KINDS, key=lambda kind: not called or called not in kind):
        summary = _KINDS[kind]
        if kind in _OF_RANKS and not _may_be_ranks(row, body.shape[1]):
            continue
        if (np.abs(row - summary(body)) <= allowed).all():
            return kind
    return ""


def _mean_rank(body: Floats, sign: int) -> Floats:
    from scipy.stats import rankdata  # few tables have a row that needs it

    return np.asarray(rankdata(sign * body, axis=1).mean(axis=0))


_KINDS: dict[str, Callable[[Floats], Floats]] = {
    "mean": lambda body: body.mean(axis=0),
    "median": lambda body: np.median(body, axis=0),
    "standard deviation": lambda body: body.std(axis=0, ddof=1),
    "standard deviation (divisor n)": lambda body: body.std(axis=0),
    "sum": lambda body: body.sum(axis=0),
    "mean rank": lambda body: _mean_rank(body, 1),
    "mean rank (highest first)": lambda body: _mean_rank(body, -1),
}


_OF_RANKS = {"mean rank", "mean rank (highest first)"}
_CALLED = {
    **dict.fromkeys(("median", "mediana", "médiane"), "median"),
    **dict.fromkeys(
        ("std", "sd", "s.d", "stdev", "std.dev", "std dev", "std. dev"),
        "standard deviation",
    ),
    **dict.fromkeys(
        ("standard deviation", "standardabweichung", "écart-type", "desviación",
         "desviación estándar", "desvio padrão"),
        "standard deviation",
    ),
    **dict.fromkeys(
        ("sum", "total", "gesamt", "summe", "somme", "suma", "soma"), "sum"
    ),
    **dict.fromkeys(
        ("rank", "avg rank", "avg. rank", "average rank", "mean rank"), "mean rank"
    ),
}  # fmt: skip
"""Which summary a label names, if a row equals several; any other is a mean first."""


def _may_be_ranks(row: Floats, n_algorithms: int) -> bool:
    """Return whether all numbers of a row are between the first and the last rank."""
    return bool((row >= 1).all() and (row <= n_algorithms).all())


def printed_unit(values: Floats) -> float:
    """Return one unit of the last decimal with which numbers are written."""
    return 10.0 ** -max(map(_decimals, {*values.ravel().tolist()}), default=0)


def _decimals(value: float) -> int:
    """Return how many decimals the shortest text of a number has."""
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2].rstrip("0"))
    return decimals - int(exponent or 0)


def empty_row(seen: Seen) -> Iterator[Doubt]:
    """Yield blocks without a score of any algorithm.

    None if incomplete blocks are dropped: then they go with the others, counted.
    """
    if seen.cells is None or seen.missing == "drop-block":
        return
    cells = seen.cells
    held = cells.values if cells.runs is None else cells.runs
    empty = np.asarray(np.isnan(held).reshape(len(held), -1).all(axis=1))
    if not empty.any() or empty.all():
        return
    named = _named_blocks(cells.labels, empty)
    places = tuple(label for _, label in named)
    entries = tuple(f"{role}={label}" for role, label in named if role)
    if len(named) > _MOST_ANSWERED:
        places = entries = ()
    told = show_all([label for _, label in named])
    yield Doubt(
        "empty-row",
        f"{counted(int(empty.sum()), 'block')} of {len(empty)} without a score of any "
        f"algorithm: {told}",
        places,
        entries,
        "drop all incomplete blocks: " + setting("missing", "drop-block"),
    )


def _named_blocks(labels: BlockLabels, empty: np.ndarray) -> list[tuple[str, str]]:
    """Return role and label of empty parts: whole data sets and folds, then others.

    The role is empty if none alone names a block.
    """
    at = np.flatnonzero(empty).tolist()
    if labels.dataset is None or labels.fold is None:
        return [("block", labels.block[i]) for i in at]
    left = {*at}
    named = []
    for role, own in (("dataset", labels.dataset), ("block", labels.fold)):
        full = {label for i, label in enumerate(own) if not empty[i]}
        for label in dict.fromkeys(own[i] for i in at if own[i] not in full):
            here = {i for i in left if own[i] == label}
            if here:
                named.append((role, label))
                left -= here
    return named + [("", labels.block[i]) for i in sorted(left)]


def status_column(seen: Seen) -> Iterator[Doubt]:
    """Yield columns of text that call some rows failed, crashed or killed."""
    if seen.wide:
        return
    for name, levels in seen.texts():
        failed = [label for label in levels.labels if bare(label) in FAILURES]
        if not failed or len(failed) == len(levels.labels):
            continue
        codes = [levels.labels.index(label) for label in failed]
        count = int(np.isin(levels.codes, codes).sum())
        yield Doubt(
            "status-column",
            f"column {name!r} calls {counted(count, 'row')} {show_all(failed)}, and "
            "their scores are used",
            (name,),
            tuple(f"{name}={label}" for label in failed),
        )
