"""Scores over several data sets, data set by data set."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.labels import show
from pycompare.base.parallel.tasks import tasks
from pycompare.base.typing import Floats
from pycompare.data.block_labels import one_group_each
from pycompare.data.missing import MEANS_OF_SOME_FOLDS
from pycompare.data.scores import Scores
from pycompare.kernels.units import mean_in_range

T = TypeVar("T")


def dataset_labels(scores: Scores) -> tuple[str, ...]:
    """Return the data sets in order of first appearance; reject fewer than two.

    Clusters are rejected too: no method of folds takes them.
    """
    labels = _labels_of(scores)
    if scores.clusters is not None:
        raise InputError(
            "clusters are of cases or of data sets, and this method takes the folds of "
            "each data set; leave the column of clusters out ("
            + setting("cluster", ...)
            + ")"
        )
    return labels


def _labels_of(scores: Scores) -> tuple[str, ...]:
    """Return the data sets, two at least."""
    require(scores, Scores)
    if scores.datasets is None:
        raise InputError(
            "the scores do not state which data set a block belongs to; read them with "
            + setting("dataset", ...)
            + ", the column that names it"
        )
    labels = tuple(dict.fromkeys(scores.datasets))
    if not labels[1:]:
        raise DesignError(
            f"this needs two data sets or more, and all blocks belong to "
            f"{show(labels[0])}; compare within it by tukey or hotelling_pairs"
        )
    return labels


@checked
def dataset_means(scores: Scores) -> Scores:
    """Return one block per data set: the mean over its folds, in every metric.

    Folds of one data set are no independent evidence about other data sets; their means
    are one block each. ``pc.hotelling_pairs(pc.dataset_means(scores))`` compares
    algorithms in several metrics over many data sets, which Yildiz, Aslan and Alpaydin
    (2011) leave open; ``pc.friedman`` and all other methods for blocks take the means
    as well.

    Parameters
    ----------
    scores : Scores
        Folds of two data sets or more (read with ``dataset=...``), no cell missing.

    Returns
    -------
    Scores
        Blocks are the data sets; means over runs too, if there are any. Clusters are
        then of data sets.

    Raises
    ------
    DesignError
        If a cell is missing, or all blocks belong to one data set.
    InputError
        If the scores do not state which data set a block belongs to, or the folds of a
        data set are in several clusters.

    Notes
    -----
    R: ``aggregate(score ~ dataset + algorithm, FUN = mean)``.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "data": d, "fold": f, "score": rng.normal(0.1 * i * j, 0.1)}
    ...     for i, m in enumerate("ABC")
    ...     for j, d in enumerate("stuv")
    ...     for f in range(10)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", dataset="data",
    ...     metrics={"score": "lower"},
    ... )
    >>> pc.dataset_means(scores)
    <Scores: 4 blocks x 3 algorithms, score (lower is better)>
    """
    labels = _labels_of(scores)
    if scores.clusters is not None:
        rows = zip(scores.datasets or (), scores.clusters, strict=True)
        one_group_each(rows, "data set", "cluster")
    if not scores.complete:
        raise DesignError(
            "means of data sets ("
            + setting("average_folds")
            + ") need every fold of every data set: "
            + MEANS_OF_SOME_FOLDS
        )
    folds = _rows(scores).values()
    values = np.stack([mean_in_range(scores.values[rows]) for rows in folds])
    first = [int(rows[0]) for rows in folds]
    of_each = dataclasses.replace(scores.labels.take(first), block=labels)
    return dataclasses.replace(
        scores, values=values, runs=None, replicates=None, **of_each.of_scores()
    )


def on_each_dataset(
    function: Callable[[Any, str, Scores], T], constants: Any, scores: Scores
) -> list[T]:
    """Return ``function(constants, name, folds)`` of each data set.

    Parameters
    ----------
    function : callable
        Importable by name, as of ``tasks``; errors of its data set name it.
    constants : object
    scores : Scores
        Folds of data sets; the function gets those of one as scores of their own.
    """
    assert scores.datasets is not None
    folds = list(_rows(scores).items())
    held = function, constants, scores
    return list(tasks(_on_dataset, held, folds, what="data sets"))


def _on_dataset(
    held: tuple[Callable[[Any, str, Scores], T], Any, Scores],
    folds: tuple[str, NDArray[np.intp]],
) -> T:
    function, constants, scores = held
    name, rows = folds
    return named(name, lambda: function(constants, name, _part(scores, rows)))


def named(dataset: str, make: Callable[[], T]) -> T:
    """Let errors within a data set name it."""
    try:
        return make()
    except (DesignError, InputError) as error:
        raise error.at(f"data set {show(dataset)}") from None


def _rows(scores: Scores) -> dict[str, NDArray[np.intp]]:
    """Return the rows of each data set, in order of first appearance."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(scores.datasets or ()):
        rows.setdefault(name, []).append(row)
    return {name: np.array(own, np.intp) for name, own in rows.items()}


def _part(scores: Scores, rows: NDArray[np.intp]) -> Scores:
    """Return some blocks as scores of one data set."""
    labels = dataclasses.replace(scores.labels.take(rows), dataset=None, group=None)
    return dataclasses.replace(
        scores,
        values=scores.values[rows],
        runs=None if scores.runs is None else scores.runs[rows],
        **labels.of_scores(),
    )


def complete_tables(scores: Scores, columns: list[int]) -> list[Floats]:
    """Return the scores (b, a, p) of each data set; reject missing cells."""
    tables = []
    for name, rows in _rows(scores).items():
        table = scores.values[rows][:, :, columns]
        missing = int(np.isnan(table).any(axis=2).sum())
        if missing:
            raise DesignError(
                f"data set {show(name)}: {missing} of {table.shape[0] * table.shape[1]}"
                f" cells are missing, and these tests need all; read the scores with "
                + setting("missing", "drop-block")
            )
        if len(table) < 2:
            raise DesignError(
                f"data set {show(name)} has one block; a test needs two at least"
            )
        tables.append(table)
    return tables
