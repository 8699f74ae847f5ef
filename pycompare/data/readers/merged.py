"""Scores of many files as one table, merged file by file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.data.block_labels import BlockLabels
from pycompare.data.missing import Cells
from pycompare.data.readers.rows import LabelsOfBlock, Rows, same_labels, shown
from pycompare.data.reading.answers import Answers
from pycompare.data.runs import over_runs


class _RunColumn:
    """Scores of one run of an algorithm on the blocks met so far."""

    def __init__(self) -> None:
        self.values = np.full(0, np.nan)
        self.seen = np.zeros(0, bool)

    def grow(self, n: int) -> None:
        """Make room for n blocks, and for some more, so that it is rarely done."""
        more = n + n // 8 - len(self.values)
        if n > len(self.values):
            self.values = np.concatenate([self.values, np.full(more, np.nan)])
            self.seen = np.concatenate([self.seen, np.zeros(more, bool)])


class Merged:
    """Scores of all files: nine bytes a score, and the labels of the blocks.

    ``given`` has the fields that the caller named, by role.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self.blocks: dict[str, int] = {}
        self._labels: list[LabelsOfBlock] = []
        self._columns: dict[tuple[str, str], _RunColumn] = {}
        self._prompt = np.zeros(0, np.int64)
        self._other_prompt = np.zeros(0, bool)
        self.n_rows = 0

    @property
    def other_prompts(self) -> int:
        """Blocks whose prompt is not the same in all rows."""
        return int(self._other_prompt.sum())

    def add(self, rows: Rows, path: Path, hint: str) -> None:
        """Add the rows of a file; reject a second score of a cell."""
        known = len(self.blocks)
        places = np.fromiter(
            (self.blocks.setdefault(b, len(self.blocks)) for b in rows.blocks),
            np.int64,
            len(rows.blocks),
        )
        new = np.flatnonzero(places >= known)
        self._labels.extend(rows.labels[i] for i in new)
        if self._given:
            for label, at, own in zip(rows.blocks, places, rows.labels, strict=True):
                same_labels(label, self._labels[at], own, self._given)
        block, column = np.frombuffer(rows.block, "i"), np.frombuffer(rows.column, "i")
        value = np.frombuffer(rows.value, float)
        for name, at in rows.columns.items():
            kept = slice(None) if len(rows.columns) == 1 else column == at
            self._fill(name, places[block[kept]], value[kept], path, hint)
        if rows.prompt:
            self._compare_prompts(places[block], rows)
        self.n_rows += len(value)

    def _compare_prompts(self, at: np.ndarray, rows: Rows) -> None:
        """Mark blocks whose prompt is another one than in an earlier row."""
        more = len(self.blocks) - len(self._prompt)
        self._prompt = np.concatenate([self._prompt, np.zeros(more, np.int64)])
        self._other_prompt = np.concatenate([self._other_prompt, np.zeros(more, bool)])
        prompt = np.frombuffer(rows.prompt, np.int64)
        at, prompt = at[: len(prompt)][prompt != 0], prompt[prompt != 0]
        new = self._prompt[at] == 0
        self._prompt[at[new][::-1]] = prompt[new][::-1]  # the first of a block stays
        self._other_prompt[at[self._prompt[at] != prompt]] = True

    def _fill(
        self,
        name: tuple[str, str],
        at: np.ndarray,
        values: Floats,
        path: Path,
        hint: str,
    ) -> None:
        """Fill cells of one column, each once."""
        column = self._columns.setdefault(name, _RunColumn())
        column.grow(len(self.blocks))
        again = column.seen[at]
        if not again.any():
            column.seen[at], column.values[at] = True, values
            again = np.bincount(at)[at] > 1
        if again.any():
            n, place = int(again.sum()), int(at[np.argmax(again)])
            block = next(b for b, i in self.blocks.items() if i == place)
            raise InputError(
                f"{shown(path)}: {counted(n, 'pair')} of block and algorithm {have(n)} "
                f"several scores, first: block={show(block)}, "
                f"algorithm={show(name[0])}; " + hint
            )

    def cells(self, metric: str, leave_out: Sequence[str] = ()) -> Cells:
        """Return the cells of the table, and free the gathered parts.

        Blocks that only algorithms have that are left out go with them.
        """
        n = len(self.blocks)
        algorithms = list(dict.fromkeys(name for name, _ in self._columns))
        if "replicate" in self._given:
            self._columns = _numbered_runs(self._columns)
        runs = list(dict.fromkeys(run for _, run in self._columns))
        values = np.full((n, len(algorithms), 1, len(runs)), np.nan)
        no_row = np.ones((n, len(algorithms), len(runs)), bool)
        for name, run in list(self._columns):
            column = self._columns.pop((name, run))
            column.grow(n)
            at = algorithms.index(name)
            values[:, at, 0, runs.index(run)] = column.values[:n]
            no_row[:, at, runs.index(run)] = ~column.seen[:n]
        kept = np.ones(n, bool)
        if leave_out:
            kept, columns = self._kept(algorithms, leave_out)
            kept &= ~no_row[:, columns].all(axis=(1, 2))
            values, no_row = values[kept][:, columns], no_row[kept][:, columns]
            algorithms = [algorithms[at] for at in np.flatnonzero(columns)]
            held = np.flatnonzero(~np.isnan(values).all(axis=(0, 1, 2)))
            values, no_row = values[..., held], no_row[..., held]
            runs = [runs[at] for at in held]
        several = len(runs) > 1
        if not runs:
            raise InputError("no scores are left")
        return Cells(
            over_runs(values) if several else values[..., 0],
            self._block_labels(kept),
            tuple(algorithms),
            (metric,),
            n_absent=int(no_row.all(axis=2).sum()),
            runs=values if several else None,
            replicates=tuple(runs) if several else None,
            no_row=no_row if several else None,
        )

    def _block_labels(self, kept: np.ndarray) -> BlockLabels:
        """Return the labels of some blocks."""
        blocks = [block for block, at in zip(self.blocks, kept, strict=True) if at]
        own = [label for label, at in zip(self._labels, kept, strict=True) if at]
        datasets, groups, clusters = ([label[at] for label in own] for at in range(3))
        return BlockLabels(
            tuple(blocks),
            _labels(datasets),
            _labels(groups, several=True),
            _labels(clusters, several=True),
        )

    def _kept(
        self, algorithms: Sequence[str], leave_out: Sequence[str]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return which blocks and which algorithms are not left out."""
        datasets, groups, clusters = zip(*self._labels, strict=True)
        of = {
            "algorithm": tuple(algorithms),
            "block": tuple(self.blocks),
            "dataset": datasets,
            "group": groups,
            "cluster": clusters,
        }
        rows, columns = np.ones(len(self.blocks), bool), np.ones(len(algorithms), bool)
        for entry in leave_out:
            kind, label = Answers.part_of(entry)
            known = [own for own in of.get(kind, ()) if own is not None]
            if label not in known:
                told = f"choose one of {show_all(dict.fromkeys(known))}"
                raise InputError(
                    setting("leave_out", (entry,))
                    + f": there is no {kind} {show(label)}{nearest(label, known)}; "
                    + (told if known else f"there are no labels of {kind}")
                )
            away = np.array([own == label for own in of[kind]])
            if kind == "algorithm":
                columns &= ~away
            else:
                rows &= ~away
        return rows, columns


def _numbered_runs(
    columns: dict[tuple[str, str], _RunColumn],
) -> dict[tuple[str, str], _RunColumn]:
    """Return columns with numbered runs, unless all algorithms have the same runs."""
    runs: dict[str, list[str]] = {}
    for name, run in columns:
        runs.setdefault(name, []).append(run)
    if len({frozenset(own) for own in runs.values()}) == 1:
        return columns
    return {
        (name, str(runs[name].index(run) + 1)): column
        for (name, run), column in columns.items()
    }


def _labels(
    labels: list[str | None], *, several: bool = False
) -> tuple[str, ...] | None:
    """Return labels, or None if there are none (or, if ``several``, one)."""
    if any(label is None for label in labels) or (several and len(set(labels)) < 2):
        return None
    return tuple(str(label) for label in labels)
