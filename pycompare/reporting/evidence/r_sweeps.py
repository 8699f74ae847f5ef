"""How R makes the arrays of wins over thresholds of the counts that it measured."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.interop.rscript import number
from pycompare.base.typing import Bools, Floats
from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.reporting.evidence.r_inputs import LabelsOf, Made
from pycompare.reporting.evidence.r_scores import ScoresInR

_SMALL = 1e-9
"""Length of a column that depends on others, relative to that of its scores."""


def of_sweep(result: Any, scores: ScoresInR, named: LabelsOf) -> Iterator[Made]:
    """Yield what wins over thresholds take: counts, which of them count, and costs."""
    call = result.r_call() if isinstance(result, ThresholdWinsResult) else None
    if call is None or not isinstance(result, ThresholdWinsResult):
        return
    a, of_rows = scores.scores.n_algorithms, dict[str, str]()
    arrays: dict[str, Floats] = {}
    for name in ("y", "kept", "kept_omnibus", "weights"):
        held = call.arguments[name]
        arrays[name] = held.to_numpy(float)
        axes = (held.index.tolist(), held.columns.tolist())
        of_rows[name] = f"list({', '.join(map(named, axes))})"
    places = _places(arrays["y"], scores, len(result.thresholds))
    ids = next((code for _, code in scores.parts()), None)
    if places is None or ids is None:
        return
    numbers = ", ".join(map(str, places.ravel().tolist()))
    columns = f"matrix(c({numbers}), {len(places)}, byrow = TRUE)"
    cells = f"sweep_responses(scores, {columns}, {a}, {ids}, {of_rows['y']})"
    yield arrays["y"], cells
    tested, n_tables = len(result.metrics), len(arrays["weights"])
    table = np.unique(call.arguments["table"], return_inverse=True)[1]
    table = np.cumsum(np.diff(table, prepend=table[0]) != 0)
    sizes = ", ".join(map(str, np.bincount(table)))
    of_tables = f"rep(seq_len({n_tables}), c({sizes}))"
    for name, function, counts in (
        ("kept", "kept_of_pairs", _of_pairs),
        ("kept_omnibus", "kept_of_tables", _of_table),
    ):
        cell_tables = [arrays["y"][table == k, :tested] for k in range(n_tables)]
        built = np.zeros_like(arrays[name])
        rows = [counts(y.reshape(-1, a, tested)) for y in cell_tables]
        built[:, :tested] = np.concatenate(rows)
        if np.array_equal(built, arrays[name]):
            given = f"{cells}, {of_tables}, {a}, {tested}, {of_rows[name]}"
            yield arrays[name], f"{function}({given})"
    yield from _costs(arrays["weights"], len(result.thresholds), of_rows["weights"])


def _places(y: Floats, scores: ScoresInR, n: int) -> NDArray[np.intp] | None:
    """Return the columns of scores behind each column of counts at n thresholds."""
    held = scores.scores
    names = held.datasets or ("",) * held.n_blocks
    of_dataset = [
        [b for b, name in enumerate(names) if name == dataset]
        for dataset in dict.fromkeys(names)
    ]
    measures = range(0, held.values.shape[2], n)
    built = {
        m: np.concatenate(
            [
                held.values[blocks, :, m + t].ravel()
                for blocks in of_dataset
                for t in range(n)
            ]
        )
        for m in measures
        if m + n <= held.values.shape[2]
    }
    first = len(scores.columns) + 1
    places = []
    for column in y.T:
        own = [m for m, counts in built.items() if np.array_equal(counts, column)]
        if not own:
            return None
        places.append(first + own[0] + np.arange(n))
    return np.array(places)


def _independent(residuals: Floats, y: Floats) -> Bools:
    """Return which columns do not depend on those before them."""
    basis = np.zeros((len(residuals), 0))
    counts = np.zeros(residuals.shape[1], bool)
    for j, column in enumerate(residuals.T):
        rest = column.copy()
        for _ in range(2):
            rest -= basis @ (basis.T @ rest)
        length = np.linalg.norm(rest)
        counts[j] = length > _SMALL * np.linalg.norm(y[:, j])
        if counts[j]:
            basis = np.column_stack([basis, rest / length])
    return counts


def _of_pairs(cells: Floats) -> Floats:
    """Return which metrics count in the differences of each pair of a table."""
    tested, rows = cells.shape[2], []
    for i, j in combinations(range(cells.shape[1]), 2):
        d = cells[:, i] - cells[:, j]
        mean, df = d.mean(axis=0), len(d) - 1
        own = _independent(d - mean, d)
        whole = np.vstack([np.sqrt(len(d)) * mean, d - mean])
        total = _independent(whole, np.vstack([0 * mean, d])).sum()
        rank = own.sum()
        short = rank < tested and rank >= df
        bad = rank == 0 or total > rank or df - rank + 1 <= 0 or short
        alone = tested == 1 and rank == 0 and total > 0
        rows.append(np.full(1, 2.0) if alone else own * float(not bad))
    return np.array(rows)


def _of_table(cells: Floats) -> Floats:
    """Return which metrics count in the test of all algorithms of a table."""
    b, a, tested = cells.shape
    within = cells - cells.mean(axis=1, keepdims=True)
    apart = within - within.mean(axis=0)
    y = cells.reshape(b * a, tested)
    own = _independent(apart.reshape(y.shape), y)
    differ = _independent(within.reshape(y.shape), y).any()
    if tested == 1 and not own.any() and differ:
        return np.full((1, 1), 2.0)
    return own[None].astype(float)


def _costs(weights: Floats, n: int, labels: str) -> Iterator[Made]:
    """Yield costs of each metric, which are the same on all data sets."""
    own, times = weights[:n], len(weights) // n
    if not np.array_equal(np.tile(own, (times, 1)), weights):
        return
    rows = ", ".join(map(number, own.ravel().tolist()))
    each = f"matrix(c({rows}), {n}, byrow = TRUE)"
    code = f"matrix(rep(t({each}), {times}), {len(weights)}, byrow = TRUE"
    yield weights, f"{code}, dimnames = {labels})"
