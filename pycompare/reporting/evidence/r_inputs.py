"""The inputs of a report's R program: scores as R makes them of the file in the folder.

Python gives a call nothing that R can make itself: matrices of scores come from
``data/scores.csv``, means of runs and of data sets are computed in R, and sets of ranks
have the adjusted p-values of R. An array that is none of these stays a file of numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.methods.over_datasets.win_table import WinTable
from pycompare.results.result import PairsResult

_OF_BLOCKS = ("dataset", "group", "cluster")
"""Columns of labels by which rows of a matrix are chosen, or averaged."""
_SAME = 1e-12
"""Relative difference of two ways to compute a mean."""


class ScoresInR:
    """How R makes arrays of scores of the file of scores."""

    stem = "scores"

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self.columns = scores.label_columns()
        self.n_runs = len(scores.replicates or (None,))

    @property
    def origin(self) -> str:
        """The files of the scores, with the hash of the user's."""
        source = self.scores.source
        of = (
            ""
            if source is None
            else f", made of {source.name}, SHA-256 {source.sha256}"
        )
        return f"data/scores.csv, whose SHA-256 is in manifest.json{of}"

    @property
    def reading(self) -> str:
        """The line of R that reads the file."""
        n_labels, n_metrics = len(self.columns), len(self.scores.metrics)
        return f"scores <- read_scores(folder, {n_labels}, {n_metrics})"

    def code(self, values: Floats, columns: tuple[str, ...]) -> str | None:
        """Return the R code of a matrix, with ``{}`` for its labels; else None.

        Parameters
        ----------
        values : ndarray, shape (rows, algorithms)
        columns : tuple of str
            Algorithms of the columns.
        """
        if values.ndim != 2 or columns != self.scores.algorithms:
            return None
        code = self.copies.get(_key(values))
        if code is not None:
            return code
        for means, code in self.means:
            alike = means.shape == values.shape and np.allclose(
                means, values, rtol=_SAME, atol=0, equal_nan=True
            )
            if alike:
                return code
        return None

    @cached_property
    def copies(self) -> dict[bytes, str]:
        """The code of all scores of a metric, and of those of a data set or a group."""
        codes: dict[bytes, str] = {}
        for whole, runs, of in self._metrics():
            codes.setdefault(_key(whole), f"score_matrix({of}{{}})")
            if runs is not None:
                codes.setdefault(_key(runs), f"run_matrix({of}{{}})")
            for ids, of_blocks in self._parts():
                for k in range(ids.max() + 1):
                    rows = f"{of_blocks} == {k + 1}"
                    code = f"block_rows(score_matrix({of}), {rows}{{}})"
                    codes.setdefault(_key(whole[ids == k]), code)
        return codes

    @cached_property
    def means(self) -> list[tuple[Floats, str]]:
        """Means of data sets and of groups, with their code."""
        means = []
        for whole, _, of in self._metrics():
            for ids, of_blocks in self._parts():
                sums = np.zeros((ids.max() + 1, whole.shape[1]))
                np.add.at(sums, ids, whole)
                code = f"block_means(score_matrix({of}), {of_blocks}{{}})"
                means.append((sums / np.bincount(ids)[:, None], code))
        return means

    def squares(self, result: Any) -> Iterator[tuple[Floats, str]]:
        """Yield adjusted p-values of pairs, who is better in each, and wins."""
        if isinstance(result, WinTable):
            n = len(result.wins)
            wins = np.asarray(result.wins, float)
            yield wins, f"matrix({{0}}$wins, {n}, {n}, TRUE, list({{1}}, {{1}}))"
        if not isinstance(result, PairsResult):
            return
        if result.adjusted_here:  # else R adjusts them in the call of the family
            yield result.square("p_adjusted"), "square_of({0}$p_adjusted, {1})"
        if result.counts_better:
            lower = str(result.lower_is_better).upper()
            code = f"better_of({{0}}$estimate, {{1}}, {result.null:g}, {lower})"
            yield result.better().astype(float), code

    def _metrics(self) -> Iterator[tuple[Floats, Floats | None, str]]:
        """Yield the scores of each metric, those of the runs, and what R makes them of.

        A row is a block, or a block and a run.
        """
        n, runs = self.scores.n_algorithms, self.scores.runs
        for at in range(len(self.scores.metrics)):
            of = f"scores, {len(self.columns) + at + 1}, {n}, {self.n_runs}"
            each = None
            if runs is not None:
                each = runs[:, :, at].transpose(0, 2, 1).reshape(-1, n)
            yield self.scores.values[:, :, at], each, of

    def _parts(self) -> Iterator[tuple[NDArray[np.intp], str]]:
        """Yield the data set, and the group, of each block, with the R code."""
        for name in _OF_BLOCKS:
            ids = self._ids(name)
            if ids is not None:
                rows = self.scores.n_algorithms * self.n_runs
                yield ids, f'block_ids(scores, "{name}", {rows})'

    def _ids(self, name: str) -> NDArray[np.intp] | None:
        """Return the label of each block as R numbers them: in order of appearance."""
        if name not in self.columns:
            return None
        labels = self.columns[name][:: self.scores.n_algorithms * self.n_runs]
        numbers = {label: at for at, label in enumerate(dict.fromkeys(labels))}
        return np.array([numbers[label] for label in labels], np.intp)


def _key(values: Floats) -> bytes:
    """Return what two arrays of the same numbers and shape share."""
    held = np.ascontiguousarray(values, float) + 0.0  # -0.0 is 0.0
    return hashlib.blake2b(held.tobytes() + repr(held.shape).encode()).digest()
