"""A plain description of scores: what there is, what was dropped, from where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pycompare.data.labels import show, show_all
from pycompare.formatting.counts import counted

if TYPE_CHECKING:
    from pycompare.data.scores import Scores


def describe(scores: Scores) -> str:
    """Describe scores in a few lines of text."""
    lines = [
        f"Scores of {scores.n_algorithms} algorithms on {scores.n_blocks} blocks",
        f"algorithms: {show_all(scores.algorithms)}",
        *_datasets(scores),
        *_runs(scores),
        *_groups(scores),
        *(f"metric: {m.name} ({m.better} is better)" for m in scores.metrics),
        *scores.notes,
        *_missing(scores),
        *_source(scores),
        f"SHA-256 of the scores: {scores.sha256}",
    ]
    return "\n".join(lines)


def _datasets(scores: Scores) -> list[str]:
    if scores.datasets is None:
        return []
    names = list(dict.fromkeys(scores.datasets))
    return [f"blocks within {len(names)} data sets: {show_all(names)}"]


def _runs(scores: Scores) -> list[str]:
    if scores.replicates is None:
        return []
    n = len(scores.replicates)
    return [f"{n} runs of each algorithm on each block: {show_all(scores.replicates)}"]


def _groups(scores: Scores) -> list[str]:
    if scores.groups is None:
        return []
    names = scores.group_names
    return [f"blocks in {counted(len(names), 'group')}: {show_all(names)}"]


def _missing(scores: Scores) -> list[str]:
    dropped = scores.dropped
    lines = [f'missing cells: {len(dropped.cells)} (missing="{scores.missing}")']
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


def _source(scores: Scores) -> list[str]:
    file = scores.source
    if file is None:
        return []
    return [
        f"file: {file.name} ({file.format}, {file.rows} rows, {file.size} bytes)",
        f"SHA-256 of the file: {file.sha256}",
    ]
