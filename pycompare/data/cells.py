"""From the rows of a table of predictions to checked groups of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import Levels, require_two, show, show_all
from pycompare.data.block_labels import BlockLabels, one_group_each, pair_labels
from pycompare.data.classes import LEFT_OUT, POSITIVE, two_classes
from pycompare.data.layout import (
    BlockCodes,
    block_codes,
    groups_of,
    refuse_sparse,
    run_places,
)
from pycompare.data.roles import RoleColumns
from pycompare.data.table import DataTable, InfiniteError


@dataclass(frozen=True, eq=False)
class CaseScores:
    """The rows of a table, read: one score of one case each.

    Attributes
    ----------
    group : ndarray of int, shape (n,)
        ``block * n_algorithms + algorithm``.
    score, is_positive, case : ndarray, shape (n,)
    notes : tuple of str
        Omitted parts.
    replicates : tuple of (block, run) or None
        With runs: of which block each block is which run.
    labels : BlockLabels
        Of the blocks; clusters are of cases.
    cluster : ndarray of int or None, shape (n,)
    clusters : tuple of str
        Clusters of dependent cases.
    """

    group: NDArray[np.intp]
    score: NDArray[np.float64]
    is_positive: NDArray[np.bool_]
    case: NDArray[np.intp] | None
    cases: tuple[str, ...]
    labels: BlockLabels
    algorithms: tuple[str, ...]
    positive: str
    negative: str
    notes: tuple[str, ...]
    replicates: tuple[tuple[str, str], ...] | None = None
    cluster: NDArray[np.intp] | None = None
    clusters: tuple[str, ...] = ()


def read_cases(
    table: DataTable,
    columns: RoleColumns,
    *,
    positive: object,
    rest: bool,
    classes: Sequence[object] | None,
) -> CaseScores:
    """Read and check the columns; rows stay in the table's order."""
    names = columns.roles("predictions")
    table.require_roles(names)
    table.require_rows()
    algorithms = table.levels(names["algorithm"])
    block, dataset = names["block"], names.get("dataset")
    blocks = block_codes(table, block, dataset)
    require_two("algorithms", algorithms.labels)
    refuse_sparse((len(blocks.labels), len(algorithms.labels)), table.n_rows)
    groups = groups_of(table, blocks, names.get("group"), block, dataset)
    blocks = blocks._replace(labels=replace(blocks.labels, group=groups))
    pairs = None
    if "replicate" in names:
        runs = table.levels(names["replicate"])
        blocks, pairs = _run_blocks(blocks, algorithms, runs)
    labels = table.levels(names["label"])
    truth = two_classes(labels.labels, positive=positive, rest=rest, classes=classes)
    side = truth.sides[labels.codes]
    score = finite_scores(table, names["score"])
    case = table.levels(names["case"]) if "case" in names else None
    group = blocks.codes * len(algorithms.labels) + algorithms.codes
    if case is not None:
        _refuse_repeats(table, group, case, blocks, algorithms)
    cluster = _clusters(table, names, case, blocks)
    keep = side != LEFT_OUT
    cases = CaseScores(
        group=group[keep],
        score=score[keep],
        is_positive=side[keep] == POSITIVE,
        case=None if case is None else case.codes[keep],
        cases=() if case is None else case.labels,
        labels=blocks.labels,
        algorithms=algorithms.labels,
        positive=truth.positive,
        negative=truth.negative,
        notes=(*table.label_notes, *table.truth_notes, *_left_out(labels, truth.sides)),
        replicates=pairs,
        cluster=None if cluster is None else cluster.codes[keep],
        clusters=() if cluster is None else cluster.labels,
    )
    if case is not None:
        _require_same_cases(cases)
    return cases


def _run_blocks(
    blocks: BlockCodes, algorithms: Levels, replicates: Levels
) -> tuple[BlockCodes, tuple[tuple[str, str], ...]]:
    """Take each run of a block as a block of its own, and state of which it is.

    Returns
    -------
    blocks : BlockCodes
        Labels are ``block/run``.
    pairs : tuple of (block, run)
    """
    cell = blocks.codes * len(algorithms.labels) + algorithms.codes
    place, labels = run_places(cell, replicates)
    keys, codes = np.unique(blocks.codes * len(labels) + place, return_inverse=True)
    owners, places = np.divmod(keys, len(labels))
    of_each = blocks.labels.take(owners)
    runs = (labels[place] for place in places.tolist())
    pairs = list(zip(of_each.block, runs, strict=True))
    return BlockCodes(replace(of_each, block=pair_labels(pairs)), codes), tuple(pairs)


def finite_scores(table: DataTable, name: str) -> NDArray[np.float64]:
    """Read the column of scores; a missing score is rejected."""
    try:
        score = table.scores(name)
    except InfiniteError as error:
        raise InputError(f"{error.fault}; correct the score") from None
    missing = np.flatnonzero(np.isnan(score))
    if missing.size:
        raise InputError(
            f"column {show(name)} has no score in {missing.size} of {table.n_rows} "
            f"rows, first: {table.row(int(missing[0]))}; score every case, or remove "
            "it for all algorithms"
        )
    return score


def arrange(cases: CaseScores) -> NDArray[np.intp]:
    """Order the rows group by group, and within a group by case."""
    if cases.case is None:
        return np.argsort(cases.group, kind="stable")
    return np.lexsort((cases.case, cases.group))


def _left_out(labels: Levels, sides: NDArray[np.int8]) -> tuple[str, ...]:
    gone = [label for label, s in zip(labels.labels, sides, strict=True) if s < 0]
    if not gone:
        return ()
    count = int(np.sum(sides[labels.codes] == LEFT_OUT))
    shown = ", ".join(map(show, gone))
    return (f"left out {count} scores of cases of other classes: {shown}",)


def _clusters(
    table: DataTable, names: dict[str, str], case: Levels | None, blocks: BlockCodes
) -> Levels | None:
    """Read the cluster of each row: a case of a data set lies in one."""
    if "cluster" not in names:
        return None
    if case is None:
        raise InputError(
            setting("cluster", names["cluster"])
            + " groups cases, and no column names them; name it ("
            + setting("case", ...)
            + ")"
        )
    clusters = table.levels(names["cluster"])
    datasets = blocks.labels.dataset or ("",) * len(blocks.labels)
    place = {name: at for at, name in enumerate(dict.fromkeys(datasets))}
    of_block = [place[name] for name in datasets]
    owner = np.array(of_block)[blocks.codes] * len(case.labels) + case.codes
    keys = np.unique(owner * len(clusters.labels) + clusters.codes)
    owners, held = np.divmod(keys, len(clusters.labels))
    torn = np.isin(owners, owners[1:][np.diff(owners) == 0])
    one_group_each(
        (
            (case.labels[o % len(case.labels)], clusters.labels[c])
            for o, c in zip(owners[torn].tolist(), held[torn].tolist(), strict=True)
        ),
        "case",
        "cluster",
    )
    return clusters


def _refuse_repeats(
    table: DataTable,
    group: NDArray[np.intp],
    case: Levels,
    blocks: BlockCodes,
    algorithms: Levels,
) -> None:
    """Reject a second score of a case by the same algorithm on the same block."""
    order = np.lexsort((case.codes, group))
    again = (np.diff(group[order]) == 0) & (np.diff(case.codes[order]) == 0)
    if not again.any():
        return
    first = int(np.argmax(again))
    earlier, later = sorted((int(order[first]), int(order[first + 1])))
    raise InputError(
        f"{np.sum(again)} scores are of a case that has one already, first: case="
        f"{show(case.labels[case.codes[earlier]])}, block="
        f"{show(blocks.row_label(earlier))}, algorithm="
        f"{show(algorithms.labels[algorithms.codes[earlier]])} in {table.row(earlier)} "
        f"and {table.row(later)}; keep one, or name a column that distinguishes the "
        "repeats as block, dataset or replicate"
    )


def _require_same_cases(cases: CaseScores) -> None:
    """Reject cases that an algorithm left out of a block, and labels that differ.

    An algorithm without any score in a block is the missing policy's affair.
    """
    assert cases.case is not None
    a = len(cases.algorithms)
    block = cases.group // a
    sizes = np.bincount(cases.group, minlength=a * len(cases.labels)).reshape(-1, a)
    scored_by = np.sum(sizes > 0, axis=1)
    order = np.lexsort((cases.case, block))
    b, c = block[order], cases.case[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(b) != 0) | (np.diff(c) != 0)])
    counts = np.diff(np.r_[starts, order.size])
    lacking = np.flatnonzero(counts < scored_by[b[starts]])
    if lacking.size:
        raise InputError(_lacking(cases, lacking, b[starts], c[starts]))
    positive = np.add.reduceat(cases.is_positive[order].astype(np.intp), starts)
    torn = np.flatnonzero((positive > 0) & (positive < counts))
    if torn.size:
        at = starts[torn[0]]
        raise InputError(
            f"{torn.size} cases have different labels for different algorithms, "
            f"first: case={show(cases.cases[c[at]])} in block="
            f"{show(cases.labels.block[b[at]])}; a case has one true class"
        )


def _lacking(
    cases: CaseScores,
    lacking: NDArray[np.intp],
    b: NDArray[np.intp],
    c: NDArray[np.intp],
) -> str:
    assert cases.case is not None
    a = len(cases.algorithms)
    block, case = int(b[lacking[0]]), int(c[lacking[0]])
    here = (cases.group // a == block) & (cases.case == case)
    by = set((cases.group[here] % a).tolist())
    in_block = np.unique(cases.group[cases.group // a == block] % a)
    without = show_all(cases.algorithms[i] for i in in_block if int(i) not in by)
    return (
        f"{lacking.size} cases are not scored by all algorithms of their block, first: "
        f"case={show(cases.cases[case])} in block={show(cases.labels.block[block])} "
        f"has no score by {without}; score it, remove it for all, or leave "
        "case= out if no paired test is wanted"
    )
