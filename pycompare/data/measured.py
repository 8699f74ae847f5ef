"""From measures of groups to scores, by the missing policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pycompare.base.errors import InputError, joined, setting
from pycompare.base.labels import show
from pycompare.base.typing import Bools, Floats, Indices
from pycompare.data.block_labels import BlockLabels
from pycompare.data.measures.chance import below_chance
from pycompare.data.measures.request import Request
from pycompare.data.missing import Cells, Dropped
from pycompare.data.runs import over_runs
from pycompare.data.scores import Scores, from_cells
from pycompare.data.source import Source


def cell_name(block: str, algorithm: str) -> str:
    """Name a group for a message."""
    return f"block={show(block)}, algorithm={show(algorithm)}"


def as_scores(
    wanted: Request,
    values: Floats,
    sizes: Indices,
    labels: BlockLabels,
    algorithms: tuple[str, ...],
    *,
    missing: str,
    dropped: Dropped,
    notes: tuple[str, ...],
    source: Source | None,
    replicates: tuple[tuple[str, str], ...] | None = None,
) -> Scores:
    """Apply the missing policy to measures and state how they were made.

    Parameters
    ----------
    values : ndarray, shape (n_blocks, n_algorithms, n_columns)
    sizes : ndarray of int, shape (n_blocks, n_algorithms)
        Cases of each group. Blocks of one case each are compared as cases.
    replicates : tuple of (block, run), optional
        Of which block each is which run; their scores are the runs of that block.

    Raises
    ------
    InputError
        If a measure is undefined and neither ``undefined`` nor ``missing`` allows it.
    """
    names = tuple(metric.name for metric in wanted.metrics)
    undefined = np.isnan(values) & (sizes > 0)[:, :, np.newaxis]
    if missing == "error" and undefined.any():
        raise InputError(_undefined(wanted, undefined, labels.block, algorithms))
    cells = Cells(values, labels, algorithms, names)
    if replicates is not None:
        cells = _runs_together(cells, replicates, sizes == 0)
    items = int(sizes.max()) == 1
    scores = from_cells(cells, wanted.metrics, missing, source, items=items)
    return replace(
        scores,
        dropped=Dropped(
            dropped.blocks + scores.dropped.blocks,
            tuple(dict.fromkeys(dropped.cells + scores.dropped.cells)),
        ),
        notes=(*notes, *wanted.notes, *_reversed(wanted, values), *scores.notes),
    )


def _reversed(wanted: Request, values: Floats) -> tuple[str, ...]:
    """Ask about areas that are below 0.5 for the most part."""
    at = [k for k, (measure, _) in enumerate(wanted.columns) if measure.name == "auc"]
    return below_chance(values[..., at])


def _runs_together(
    cells: Cells, pairs: tuple[tuple[str, str], ...], empty: Bools
) -> Cells:
    """Return the blocks with their runs, of cells with a block for each run.

    ``empty`` are the blocks and algorithms without cases.
    """
    blocks = {name: i for i, name in enumerate(dict.fromkeys(b for b, _ in pairs))}
    labels = {name: i for i, name in enumerate(dict.fromkeys(r for _, r in pairs))}
    block = [blocks[name] for name, _ in pairs]
    run = [labels[name] for _, name in pairs]
    runs = np.full((len(blocks), *cells.values.shape[1:], len(labels)), np.nan)
    runs[block, :, :, run] = cells.values
    no_row = np.ones((len(blocks), empty.shape[1], len(labels)), bool)
    no_row[block, :, run] = empty
    first = np.unique(block, return_index=True)[1]
    return replace(
        cells,
        values=over_runs(runs),
        labels=replace(cells.labels.take(first), block=tuple(blocks)),
        runs=runs,
        replicates=tuple(labels),
        no_row=no_row,
    )


def _undefined(
    wanted: Request,
    absent: Bools,
    blocks: tuple[str, ...],
    algorithms: tuple[str, ...],
) -> str:
    b, a, column = np.argwhere(absent)[0]
    measure, _ = wanted.columns[column]
    ways = [setting("undefined", {measure.name: int(v)}) for v in measure.if_undefined]
    ways += [setting("missing", way) for way in ("drop-block", "model")]
    return (
        f"{absent.sum()} of {absent.size} numbers are undefined (0/0), first: "
        f"{wanted.metrics[column].name} = {measure.formula} in "
        f"{cell_name(blocks[b], algorithms[a])}; declare its value: "
        + joined(", ", ways)
    )
