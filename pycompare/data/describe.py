"""Statements of a description of data about their parts, in lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Bools
from pycompare.data.missing import Dropped
from pycompare.data.source import Source


def datasets(labels: Sequence[str] | None) -> list[str]:
    """Name the data sets that blocks are of."""
    if labels is None:
        return []
    names = list(dict.fromkeys(labels))
    return [f"blocks within {len(names)} data sets: {show_all(names)}"]


def runs(labels: Sequence[str] | None, per_cell: tuple[int, int]) -> list[str]:
    """Name the runs, or state how many a cell has at least and at most."""
    if labels is None:
        return []
    names = show_all(labels)
    fewest, most = per_cell
    if fewest < most:
        return [f"{fewest} to {most} runs of each algorithm on each block"]
    return [f"{len(labels)} runs of each algorithm on each block: {names}"]


def groups(labels: Sequence[str] | None) -> list[str]:
    """Name the groups of blocks."""
    if labels is None:
        return []
    names = list(dict.fromkeys(labels))
    return [f"blocks in {counted(len(names), 'group')}: {show_all(names)}"]


def clusters(labels: Sequence[str] | None) -> list[str]:
    """Count the clusters of blocks."""
    if labels is None:
        return []
    return [f"blocks in {counted(len(set(labels)), 'cluster')} of dependent blocks"]


def judge(labelled: Bools | None) -> list[str]:
    """Count the items that people labelled and those that a judge scored."""
    if labelled is None:
        return []
    n, every = int(labelled.sum()), len(labelled)
    return [f"{n} of {every} items labelled by people, all scored by a judge"]


def strata(labels: Sequence[str] | None) -> list[str]:
    """Name the strata of items."""
    if labels is None:
        return []
    names = list(dict.fromkeys(labels))
    return [f"items in {counted(len(names), 'stratum', 'strata')}: {show_all(names)}"]


def missing(dropped: Dropped, policy: str) -> list[str]:
    """Count the missing cells and the cells dropped for them."""
    lines = [f'missing cells: {len(dropped.cells)} (missing="{policy}")']
    if dropped.cells:
        block, algorithm, metric = dropped.cells[0]
        lines[0] += (
            f", first: block={show(block)}, algorithm={show(algorithm)}, "
            f"metric={show(metric)}"
        )
    if dropped.blocks:
        lines.append(
            f"{counted(len(dropped.blocks), 'block')} dropped: "
            f"{show_all(dropped.blocks)}"
        )
    return lines


def source(file: Source | None) -> list[str]:
    """Name the file, if there is one."""
    if file is None:
        return []
    size = "" if file.size is None else f", {file.size} bytes"
    name = "keyed hash" if file.size is None else "SHA-256"
    return [
        f"file: {file.name} ({file.format}, {file.rows} rows{size})",
        f"{name} of the file: {file.sha256}",
    ]
