"""How R makes the arrays of a comparison of the scores in the folder of its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pycompare.base.interop.r_program import NAMES
from pycompare.base.interop.rscript import quote, value
from pycompare.base.typing import Bools, Floats
from pycompare.data.scores import Scores
from pycompare.reporting.evidence import data_files
from pycompare.reporting.evidence.r_inputs import (
    SAME,
    DataInR,
    Made,
    columns_code,
    file_of,
)

Ids = NDArray[np.intp]
_OF_BLOCKS = ("dataset", "group", "cluster", "stratum")
"""Columns of labels by which rows of a matrix are chosen, averaged or summed."""
_FEW_METRICS = 6
"""Metrics whose subsets are tried as responses of one model."""


class ScoresInR(DataInR):
    """How R makes arrays of scores of the file of scores."""

    own_stems: tuple[str, ...] = ("scores", "own_file")
    file = "scores.csv"

    def __init__(self, scores: Scores) -> None:
        super().__init__(file_of(scores.source))
        self.scores = scores
        self.columns = scores.label_columns()
        self.n_runs = len(scores.replicates or (None,))

    @property
    def reading(self) -> Mapping[str, str]:
        """The line of R that reads the file."""
        n_labels, n_metrics = len(self.columns), len(self.scores.number_columns())
        copy = f"read_scores(folder, {n_labels}, {n_metrics})"
        own = self._own
        if own is None or self.made_of is None:
            return {"scores": copy}
        columns = f"{n_labels + 1}:{n_labels + n_metrics}"
        return self.begun("scores", copy, own, columns, self.made_of)

    @property
    def _own(self) -> str | None:
        """The R code that prepares the scores of the user's file; None without."""
        recipe = None if self.scores.source is None else self.scores.source.recipe
        if recipe is None or recipe["n_blocks"] != self.scores.n_blocks:
            return None
        names = value([*self.columns])
        metrics = value([m.name for m in self.scores.metrics])
        own = (
            f"own_scores(own_path, {quote(recipe['sep'])}, "
            f"{str(recipe['wide']).upper()}, {columns_code(recipe['columns'])}, "
            f"{value(list(recipe['scores']))}, {names}, {metrics})"
        )
        whole = list(recipe["algorithms"])
        if list(self.scores.algorithms) == whole:
            return own
        places = [whole.index(name) + 1 for name in self.scores.algorithms]
        return f"own_algorithms({own}, c({', '.join(map(str, places))}))"

    def code(self, values: Floats, columns: tuple[str, ...] | None) -> str | None:
        """Return the R code of an array, with ``NAMES`` for labels; None without."""
        names, code = self.scores.algorithms, super().code(values, columns)
        if code is None and columns is not None and not set(columns) - set(names):
            code = self._some_columns(values, [names.index(name) for name in columns])
        if code is not None:
            return code
        return next((code for means, code in self.means if _alike(means, values)), None)

    def _some_columns(self, values: Floats, at: list[int]) -> str | None:
        """Return the code of a matrix of some algorithms, or in another order."""
        if len(at) == self.scores.n_algorithms and at == sorted(at):
            return None
        for whole, code in self._matrices():
            if np.array_equal(whole[:, at], values, equal_nan=True):
                places = ", ".join(str(k + 1) for k in at)
                return f"some_columns({code.replace(NAMES, '')}, c({places}){NAMES})"
        return None

    def labels(self, labels: Sequence[str]) -> str | None:
        """Return the R code of the labels of many blocks."""
        if len(labels) <= data_files.MOST_NAMED or "block" not in self.columns:
            return None
        if tuple(labels) != self.scores.blocks:
            return None
        return f"block_labels(scores, {self.scores.n_algorithms * self.n_runs})"

    def arrays(self) -> Iterator[Made]:
        """Yield all scores of a metric, and those of a data set or a group."""
        yield from self._matrices()
        for whole, runs, of in self._metrics():
            if runs is not None:
                yield runs, f"run_matrix({of}{NAMES})"
                n, a, m = len(whole), whole.shape[1], self.n_runs
                cells = runs.reshape(n, m, a).transpose(0, 2, 1)
                yield cells.reshape(n * a, m), f"cells_by_run({of})"
                for sign in ("", "-"):
                    turned = -cells if sign else cells
                    yield turned.reshape(n, a * m), f"{sign}blocks_by_cell({of})"
        yield from self._responses()
        for ids, of_blocks in self.parts():
            yield np.asarray(np.bincount(ids), float), f"tabulate({of_blocks}) + 0"
            yield np.asarray(ids + 1, float), f"{of_blocks} + 0"

    def _matrices(self) -> Iterator[Made]:
        """Yield scores of a metric, and a judge's, with a row for each block."""
        if self.scores.judge is not None:
            n, at = self.scores.n_algorithms, len(self.columns) + 2
            of = f"scores, {at}, {n}, {self.n_runs}"
            yield self.scores.judge, f"score_matrix({of}{NAMES})"
        for whole, _, of in self._metrics():
            yield whole, f"score_matrix({of}{NAMES})"
            for ids, of_blocks in self.parts():
                for k in range(ids.max() + 1):
                    rows = f"{of_blocks} == {k + 1}"
                    code = f"block_rows(score_matrix({of}), {rows}{NAMES})"
                    yield whole[ids == k], code

    def _responses(self) -> Iterator[Made]:
        """Yield metrics as responses of one model, with a row for each cell."""
        for some, of in self._subsets():
            y = self.scores.values[:, :, some]
            yield _complete(y), f"responses_of({of}{NAMES})"
            for ids, of_blocks in self.parts():
                for k in range(ids.max() + 1):
                    rows = f"{of_blocks} == {k + 1}"
                    yield _complete(y[ids == k]), f"responses_of({of}{NAMES}, {rows})"

    def _subsets(self) -> Iterator[tuple[list[int], str]]:
        """Yield two or more metrics, or one of several, with what R makes them of."""
        n = len(self.scores.metrics)
        if not 1 < n <= _FEW_METRICS:
            return
        for m in range(n, 0, -1):
            for some in combinations(range(n), m):
                places = ", ".join(str(len(self.columns) + k + 1) for k in some)
                cells = f"{self.scores.n_algorithms}, {self.n_runs}"
                yield list(some), f"scores, c({places}), {cells}"

    @cached_property
    def means(self) -> list[Made]:
        """Means and sums of data sets, groups and clusters, with their code."""
        means: list[Made] = []
        for rows, of_rows, ids, of_ids in self._averaged():
            of_metrics = []
            for whole, _, of in self._metrics():
                sums = np.zeros((ids.max() + 1, whole.shape[1]))
                np.add.at(sums, ids, whole[rows])
                scores = f"score_matrix({of})"
                if of_rows:
                    scores = f"block_rows({scores}, {of_rows}, NULL)"
                of_metrics.append(sums / np.bincount(ids)[:, None])
                cells = f"{scores}, {of_ids}{NAMES}"
                means.append((of_metrics[-1], f"block_means({cells})"))
                means.append((sums, f"block_sums({cells})"))
            for some, of in self._subsets():
                y = np.stack([of_metrics[k] for k in some], axis=-1)
                own = f", rows = {of_rows}" if of_rows else ""
                code = f"responses_of({of}{NAMES}{own}, ids = {of_ids})"
                means.append((_complete(y), code))
        return means

    def _averaged(self) -> Iterator[tuple[Bools, str, Ids, str]]:
        """Yield rows and their ids of means: all rows, and those of each group."""
        parts = list(self.parts())
        for ids, of_ids in parts:
            yield np.ones(len(ids), bool), "", ids, of_ids
        groups = self._ids("group")
        if groups is None:
            return
        cells = self.scores.n_algorithms * self.n_runs
        for k in range(groups.max() + 1):
            rows, of_rows = (
                groups == k,
                f'block_ids(scores, "group", {cells}) == {k + 1}',
            )
            for ids, of_ids in parts:
                own = _renumbered(ids[rows])
                yield rows, of_rows, own, f"{of_ids}[{of_rows}]"

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

    def parts(self) -> Iterator[tuple[Ids, str]]:
        """Yield the data set, and the group, of each block, with the R code."""
        for name in _OF_BLOCKS:
            ids = self._ids(name)
            if ids is not None:
                rows = self.scores.n_algorithms * self.n_runs
                yield ids, f'block_ids(scores, "{name}", {rows})'

    def _ids(self, name: str) -> Ids | None:
        """Return the label of each block as R numbers them: in order of appearance."""
        if name not in self.columns:
            return None
        labels = self.columns[name][:: self.scores.n_algorithms * self.n_runs]
        numbers = {label: at for at, label in enumerate(dict.fromkeys(labels))}
        return np.array([numbers[label] for label in labels], np.intp)


def _alike(first: Floats, second: Floats) -> bool:
    """Return whether two arrays are the same but for rounding."""
    same_shape = first.shape == second.shape
    return same_shape and np.allclose(first, second, rtol=SAME, atol=0, equal_nan=True)


def _renumbered(ids: Ids) -> Ids:
    """Return numbers of labels in the order in which they come."""
    places = {label: at for at, label in enumerate(dict.fromkeys(ids.tolist()))}
    return np.array([places[label] for label in ids.tolist()], np.intp)


def _complete(y: Floats) -> Floats:
    """Return the rows of cells that have all metrics, shape (cells, metrics)."""
    rows = y.reshape(-1, y.shape[-1])
    return rows[~np.isnan(rows).any(axis=1)]
