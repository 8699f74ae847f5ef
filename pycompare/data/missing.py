"""Treatment of cells that have no score: the declared policy, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import nearest, show, show_all
from pycompare.data.block_labels import BlockLabels
from pycompare.data.runs import mean_of_runs, over_runs

_POLICIES = ("error", "drop-block", "model")
BOUNDS = "bounds"
"""Missing cells stay: a gate counts them as the worst and as the best score."""
OF_A_GATE = (
    setting("missing", BOUNDS) + " is for a gate (pycompare gate, or a plan with the "
    "table [release]); choose another treatment of missing cells"
)
OF_SCORES = (*_POLICIES, "worst", BOUNDS)
"""Policies of tables of scores; predictions have no worst score."""
CellLabels = tuple[str, str, str]
MEANS_OF_SOME_FOLDS = (
    "a mean over the folds that are left is over other test cases than the others'; "
    "read the scores with " + setting("missing", "drop-block")
)
"""Why a data set's mean needs every fold."""


@dataclass(frozen=True, eq=False)
class Dropped:
    """The parts that the missing policy found and removed, by label.

    Attributes
    ----------
    blocks : tuple of str
        Blocks that were removed (``"drop-block"`` only).
    cells : tuple of (block, algorithm, metric)
        Cells that had no score: they went with their block (``"drop-block"``)
        are NaN (``"model"``, ``"bounds"``), or have the worst score (``"worst"``).
    """

    blocks: tuple[str, ...] = ()
    cells: tuple[CellLabels, ...] = ()


@dataclass(frozen=True, eq=False)
class Cells:
    """Scores by block, algorithm and metric, before the missing policy.

    Attributes
    ----------
    values : ndarray of float, shape (n_blocks, n_algorithms, n_metrics)
        NaN if there is no score.
    labels : BlockLabels
    algorithms, metrics : tuple of str
    n_absent : int
        Pairs of block and algorithm for which the table has no row at all.
    runs : ndarray of float, shape (n_blocks, n_algorithms, n_metrics, n_runs), or None
        With several runs of a cell; ``values`` are then their means, NaN if any
        of them lacks.
    replicates : tuple of str or None
        Their labels.
    no_row : ndarray of bool, shape (n_blocks, n_algorithms, n_runs), or None
        Runs that have no row at all; a run with a row and no score is missing. None if
        the two are not known apart.
    called_folds : bool
        Whether the column of blocks is called folds.
    sources : str or None
        The column of data sets whose labels begin with few sources, unless the owner
        stated that these do not matter.
    judge : ndarray of float, shape (n_blocks, n_algorithms), or None
        Scores of a judge; NaN if there is none.
    """

    values: NDArray[np.float64]
    labels: BlockLabels
    algorithms: tuple[str, ...]
    metrics: tuple[str, ...]
    n_absent: int = 0
    runs: NDArray[np.float64] | None = None
    replicates: tuple[str, ...] | None = None
    no_row: NDArray[np.bool_] | None = None
    called_folds: bool = False
    sources: str | None = None
    judge: NDArray[np.float64] | None = None

    def keep(self, kept: NDArray[np.bool_]) -> Cells:
        """Keep some of the blocks."""
        return Cells(
            self.values[kept],
            self.labels.take(kept),
            self.algorithms,
            self.metrics,
            runs=None if self.runs is None else self.runs[kept],
            replicates=self.replicates,
            no_row=None if self.no_row is None else self.no_row[kept],
            called_folds=self.called_folds,
            sources=self.sources,
            judge=None if self.judge is None else self.judge[kept],
        )

    @property
    def scored(self) -> Cells:
        """The cells that rules about scores look at: beside a judge, labelled items."""
        if self.judge is None:
            return self
        return self.keep(np.asarray(~np.isnan(self.values).all(axis=(1, 2))))

    def missing_cells(self) -> tuple[CellLabels, ...]:
        """Label the cells that have no score."""
        return tuple(
            (self.labels.block[b], self.algorithms[a], self.metrics[m])
            for b, a, m in np.argwhere(np.isnan(self.values)).tolist()
        )


def settle(
    cells: Cells, policy: str, worst: Sequence[float] = ()
) -> tuple[Cells, Dropped]:
    """Apply the missing policy.

    Parameters
    ----------
    cells : Cells
    policy : {"error", "drop-block", "model", "worst", "bounds"}
        Reject a missing cell, and average the runs of a cell that has fewer than
        others; drop every block that has one, for all metrics;
        keep it as NaN for a method that models it; count it as the worst score; or
        keep it for a gate, with the runs that the cell has.
    worst : sequence of float
        Of each metric, with ``"worst"``.

    Raises
    ------
    InputError
        With ``"error"`` if a cell is missing; with ``"drop-block"`` if fewer
        than two blocks are left; with ``"model"`` if a block or an algorithm
        has no score at all in some metric.
    """
    require_policy(policy, OF_SCORES)
    absent = np.isnan(cells.values)
    if not absent.any():
        return cells, Dropped()
    if policy == "error":
        if (averaged := _unequal_runs(cells)) is not None:
            return averaged, Dropped()
        raise InputError(_no_score(cells, absent))
    if policy == "drop-block":
        return _drop_blocks(cells, absent)
    if policy == "worst":
        return _with_worst(cells, worst), Dropped(cells=cells.missing_cells())
    if policy == BOUNDS:
        gone = Dropped(cells=cells.missing_cells())
        if cells.runs is not None:
            cells = replace(cells, values=mean_of_runs(cells.runs))
        return cells, gone
    _refuse_some_runs(cells)
    refuse_empty(cells.values, cells.labels.block, cells.algorithms, cells.metrics)
    return cells, Dropped(cells=cells.missing_cells())


def _unequal_runs(cells: Cells) -> Cells | None:
    """Return cells with unequal numbers of runs, each with the mean of its own.

    None if a cell has no run, or a run that was made has no score.
    """
    if cells.runs is None or cells.no_row is None or _n_blank(cells):
        return None
    means = mean_of_runs(cells.runs)
    return None if np.isnan(means).any() else replace(cells, values=means)


def _n_blank(cells: Cells) -> int:
    """Return how many runs have a row and no score."""
    assert cells.runs is not None and cells.no_row is not None
    return int((np.isnan(cells.runs) & ~cells.no_row[:, :, np.newaxis]).sum())


def _with_worst(cells: Cells, worst: Sequence[float]) -> Cells:
    """Return cells whose missing scores, or runs, are the worst of their metric."""
    of_metric = np.asarray(worst, float)
    if cells.runs is None:
        values = np.where(np.isnan(cells.values), of_metric, cells.values)
        return replace(cells, values=values)
    runs = np.where(np.isnan(cells.runs), of_metric[:, np.newaxis], cells.runs)
    return replace(cells, values=over_runs(runs), runs=runs)


def require_policy(policy: str, policies: Sequence[str] = _POLICIES) -> None:
    """Reject a word that is no missing policy."""
    if policy not in policies:
        raise InputError(
            f"missing must be one of {', '.join(map(repr, policies))}, "
            f"got {show(policy)}{nearest(str(policy), policies)}"
        )


def refuse_empty(
    values: NDArray[np.float64],
    blocks: tuple[str, ...],
    algorithms: tuple[str, ...],
    metrics: tuple[str, ...],
) -> None:
    """Reject a block or an algorithm that has no score at all in some metric."""
    absent = np.isnan(values)
    for what, labels, axis in (("block", blocks, 1), ("algorithm", algorithms, 0)):
        empty = np.argwhere(absent.all(axis=axis)).tolist()
        if empty:
            label, metric = empty[0]
            way = setting("leave_out", (f"algorithm={labels[label]}",))
            if what == "block":
                way = setting("missing", "drop-block")
            raise InputError(
                f"{counted(len(empty), what)} {have(len(empty))} no score at all, "
                f"first: {what}={show(labels[label])} in metric "
                f"{show(metrics[metric])}; no method can use it, leave it out: " + way
            )


def take(labels: tuple[str, ...], kept: NDArray[np.bool_]) -> tuple[str, ...]:
    """Keep the labels that a mask selects."""
    return tuple(label for label, keep in zip(labels, kept, strict=True) if keep)


def _drop_blocks(cells: Cells, absent: NDArray[np.bool_]) -> tuple[Cells, Dropped]:
    incomplete: NDArray[np.bool_] = np.any(absent, axis=(1, 2))
    if np.sum(~incomplete) < _FEWEST_BLOCKS:
        raise InputError(_too_few_left(cells, absent))
    gone = cells.labels.take(incomplete).block
    kept = cells.keep(~incomplete)
    _refuse_lost_groups(cells, kept)
    return kept, Dropped(gone, cells.missing_cells())


def _refuse_lost_groups(cells: Cells, kept: Cells) -> None:
    left, all_groups = set(kept.labels.group or ()), cells.labels.group or ()
    lost = [name for name in dict.fromkeys(all_groups) if name not in left]
    if lost:
        raise InputError(
            setting("missing", "drop-block") + " would leave nothing of "
            f"{counted(len(lost), 'group')}: {show_all(lost)}; take the rows of such a "
            "group out of the table, or keep the gaps ("
            + setting("missing", "model")
            + ")"
        )


def _no_score(cells: Cells, absent: NDArray[np.bool_]) -> str:
    there = np.asarray(~absent.all(axis=2))
    if len(cells.algorithms) == 2 and len(absent) > 1 and there.sum(axis=1).max() < 2:
        first, second = (int(n) for n in there.sum(axis=0))
        return (
            f"{absent.sum()} of {absent.size} cells {have(absent.sum())} no score: "
            f"{show(cells.algorithms[0])} and {show(cells.algorithms[1])} have no "
            f"block in common ({first} and {second} blocks): these are scores of two "
            "different tests, or the contents of their items differ; compare scores of "
            "one test"
        )
    if cells.runs is not None:
        return _no_run(cells)
    first = np.argwhere(absent)[0]
    where = (
        f"block={show(cells.labels.block[first[0]])}, "
        f"algorithm={show(cells.algorithms[first[1]])}"
    )
    if len(cells.metrics) > 1:
        where += f", metric={show(cells.metrics[first[2]])}"
    rows = (
        f" ({counted(cells.n_absent, 'pair')} of block and algorithm "
        f"{have(cells.n_absent)} no row)"
        if cells.n_absent
        else ""
    )
    return (
        f"{absent.sum()} of {absent.size} cells {have(absent.sum())} no score{rows}, "
        f"first: {where}; {_by_algorithm(cells, absent)}; "
        + _without_incomplete(cells, absent)
        + _without_the_shortest(cells, absent)
        + _with_gaps(cells, absent)
        + "count them as the worst score ("
        + setting("missing", "worst")
        + ") or score them again"
    )


def _without_incomplete(cells: Cells, absent: NDArray[np.bool_]) -> str:
    """Offer to drop the incomplete blocks, if enough are left."""
    kept = int((~absent.any(axis=(1, 2))).sum())
    if kept < _FEWEST_BLOCKS:
        return ""
    return (
        "drop the incomplete blocks ("
        + setting("missing", "drop-block")
        + f" keeps {kept} of {len(cells.labels)} blocks), "
    )


def _with_gaps(cells: Cells, absent: NDArray[np.bool_]) -> str:
    """Offer to keep the gaps, if each block and algorithm has a score.

    Of two algorithms a block with a gap has no difference.
    """
    empty = absent.all(axis=0).any() or absent.all(axis=1).any()
    if len(cells.algorithms) == 2 or empty:
        return ""
    return (
        "keep the gaps for a method that models them ("
        + setting("missing", "model")
        + "), "
    )


def _by_algorithm(cells: Cells, absent: NDArray[np.bool_]) -> str:
    """Count the blocks that algorithms lack, most first."""
    lacking = absent.any(axis=2).sum(axis=0)
    order = np.argsort(-lacking, kind="stable")
    short = [int(at) for at in order if lacking[at]]
    told = ", ".join(
        f"{show(cells.algorithms[at])} in {lacking[at]}" for at in short[:_MOST_NAMED]
    )
    more = len(short) - _MOST_NAMED
    told += f", and {more} more" if more > 0 else ""
    return f"blocks without a score: {told}"


def _without_the_shortest(cells: Cells, absent: NDArray[np.bool_]) -> str:
    """Return what leaving out the algorithm with most gaps keeps, if it keeps more."""
    least_complete = shortest(absent)
    if least_complete is None:
        return ""
    at, kept = least_complete
    label = cells.algorithms[at]
    return (
        f"leave {show(label)} out ("
        + setting("leave_out", (f"algorithm={label}",))
        + f" keeps {kept} of {len(cells.labels)} blocks), "
    )


def shortest(absent: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return the algorithm whose gaps cost most blocks, and the rest without it.

    None if no more blocks would be left, without two algorithms alike, or of two.
    """
    gaps = absent.any(axis=2)
    if gaps.shape[1] < 3:
        return None
    others = gaps.sum(axis=1)[:, np.newaxis] - gaps
    kept = (others == 0).sum(axis=0)
    at = int(np.argmax(kept))
    now = int((gaps.sum(axis=1) == 0).sum())
    alone = int((kept == kept[at]).sum()) == 1
    return (at, int(kept[at])) if alone and kept[at] > now else None


def _refuse_some_runs(cells: Cells) -> None:
    """Reject cells that have some of their runs: their means have larger errors."""
    if cells.runs is None:
        return
    absent = np.isnan(cells.runs)
    some = absent.any(axis=-1) & ~absent.all(axis=-1)
    if some.any():
        raise InputError(
            setting("missing", "model")
            + f" takes cells without any run, and {_short_cells(cells)}; "
            "score them again, or drop their blocks ("
            + setting("missing", "drop-block")
            + ")"
        )


def _no_run(cells: Cells) -> str:
    if cells.no_row is not None:
        blank = _n_blank(cells)
        rows = f"{counted(blank, 'run')} {have(blank)} a row and no score, and "
        return (
            f"{rows if blank else ''}{_short_cells(cells)}: every block and algorithm "
            "needs a run, and a run that has a row needs its score; score them again, "
            "count them as the worst score ("
            + setting("missing", "worst")
            + ") or drop the incomplete blocks ("
            + setting("missing", "drop-block")
            + ")"
        )
    return (
        f"{_short_cells(cells)}: every block and algorithm needs as many runs "
        "(balanced designs only); score them again, remove the other cells' extra "
        "runs, or drop the incomplete blocks (" + setting("missing", "drop-block") + ")"
    )


_FEWEST_BLOCKS = 2
"""Blocks that a comparison needs."""
_MOST_NAMED = 5
"""Cells that a message names; of more it gives the number."""


def _short_cells(cells: Cells) -> str:
    """Name the cells with fewer runs than the fullest, and how many they have."""
    assert cells.runs is not None
    counts = (~np.isnan(cells.runs)).sum(axis=-1)
    n_runs = cells.runs.shape[-1]
    short = np.argwhere(counts < n_runs).tolist()
    told = (
        f"{counted(len(short), 'cell')} of {counts.size} {have(len(short))} fewer than "
        f"{n_runs} runs"
    )
    if 2 * len(short) > counts.size:  # what is odd are the few full ones
        full = np.argwhere(counts == n_runs).tolist()
        return f"{told} (as many: {_named(cells, counts, full)})"
    return f"{told} ({_named(cells, counts, short)})"


def _named(cells: Cells, counts: NDArray[np.intp], places: list[list[int]]) -> str:
    several = len(cells.metrics) > 1
    named = [
        f"block={show(cells.labels.block[b])}, "
        f"algorithm={show(cells.algorithms[a])}"
        + (f", metric={show(cells.metrics[m])}" if several else "")
        + f" has {counts[b, a, m]}"
        for b, a, m in places[:_MOST_NAMED]
    ]
    more = len(places) - _MOST_NAMED
    return "; ".join(named) + (f"; and {more} more" if more > 0 else "")


def _too_few_left(cells: Cells, absent: NDArray[np.bool_]) -> str:
    incomplete = int(absent.any(axis=(1, 2)).sum())
    per_algorithm = absent.any(axis=2).sum(axis=0)
    order = np.argsort(-per_algorithm, kind="stable")
    short = [int(i) for i in order if per_algorithm[i]]
    told = ", ".join(
        f"{show(cells.algorithms[i])} in {per_algorithm[i]}"
        for i in short[:_MOST_NAMED]
    )
    more = len(short) - _MOST_NAMED
    told += f" and {more} more" if more > 0 else ""
    return (
        setting("missing", "drop-block")
        + f" would drop {incomplete} of {len(cells.labels)} blocks "
        f"and leave fewer than 2. Algorithms without scores, and in how many of them: "
        f"{told}; "
        + _without_the_shortest(cells, absent)
        + _with_gaps(cells, absent)
        + "count them as the worst score ("
        + setting("missing", "worst")
        + ") or score them again"
    )
