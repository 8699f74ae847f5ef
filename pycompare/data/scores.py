"""Scores of algorithms on common blocks: the table that every method works on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import are, counted
from pycompare.base.labels import (
    label_positions,
    levels,
    nearest,
    require_two,
    show,
    show_all,
    unique_labels,
)
from pycompare.base.metric import (
    OF_BLOCKS,
    Direction,
    Metric,
    as_metrics,
    metric_position,
)
from pycompare.data import describe
from pycompare.data.block_labels import BlockLabels, one_group_each
from pycompare.data.cross_validate import require_directions, result_cells
from pycompare.data.frames import as_table
from pycompare.data.labelled import labelled_cells
from pycompare.data.missing import (
    BOUNDS,
    OF_SCORES,
    Cells,
    Dropped,
    refuse_empty,
    require_policy,
    settle,
)
from pycompare.data.reading.answers import NO_ANSWERS, Answers, Range
from pycompare.data.reading.read import read_long, read_wide
from pycompare.data.reading.worst import Worst, worst_scores
from pycompare.data.roles import RoleColumns
from pycompare.data.runs import over_runs, read_only, require_runs, runs_per_cell
from pycompare.data.source import Source

if TYPE_CHECKING:
    import pandas as pd

_LARGEST = 2.0**1018
"""Of larger scores, about 2.8e306, sums and differences may overflow."""
_TRUTH_VALUES = "true and false read as 1 and 0"


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of algorithms on common blocks, checked when they are made.

    Attributes
    ----------
    values : ndarray of float, shape (n_blocks, n_algorithms, n_metrics)
        In each metric's own unit and direction; read-only. NaN marks a cell
        that ``missing="model"`` or ``"bounds"`` allowed. With runs, the mean of each
        cell's.
    blocks, algorithms : tuple of str
        Labels, in order of first appearance; at least two of each.
    metrics : tuple of Metric
        Name and direction of each metric.
    datasets : tuple of str or None
        With a data set column: the data set of each block, whose label is then
        ``dataset/fold``.
    dropped : Dropped
        The parts that the missing policy found and removed.
    missing : {"error", "drop-block", "model", "worst", "bounds"}
        The missing policy.
    source : Source or None
        The file, if the scores came from one.
    notes : tuple of str
        How the scores were read or made, beyond the other attributes.
    runs : ndarray of float, shape (n_blocks, n_algorithms, n_metrics, n_runs), or None
        Several runs (seeds, repetitions) of each algorithm on each block; read-only.
        NaN beyond the last run of a cell that has fewer.
    replicates : tuple of str or None
        Labels of the runs; 1, 2, ... if they differ from cell to cell.
    groups : tuple of str or None
        With a group column: the group (domain) of each block. A data set, or a block
        if there are no data sets, lies in one group.
    clusters : tuple of str or None
        With a cluster column: the cluster of each block. Blocks of one cluster, such as
        questions about one text, are not independent.
    items : bool
        Blocks are items of one test set, as the reader of the file knows, or measured
        predictions of one case each: they are compared as cases unless a plan says
        otherwise.
    called_folds : bool
        The column of blocks is called fold or the like: they are compared as folds of
        one data set unless a plan, or a column of data sets, states otherwise.
    judge : ndarray of float, shape (n_blocks, n_algorithms), or None
        The score that a judge gave each answer; read-only. ``values`` are then labels
        of people on some items (blocks), NaN on all others (see ``pc.labels``). One
        algorithm is enough beside a judge.
    strata : tuple of str or None
        With a column of strata: that of each item, from which labelled items were
        drawn.
    sources : str or None
        The column of data sets, if their labels begin with few sources
        (``monash/...``), as the reader of the table saw. A comparison over data sets
        asks whether these are related, unless that was answered (``cluster``, or
        ``confirmed=["sources"]``).

    Raises
    ------
    InputError
        If the parts do not fit together: see `from_frame` for the checks.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"model": "A", "data": "iris", "error": 0.05},
    ...     {"model": "B", "data": "iris", "error": 0.04},
    ...     {"model": "A", "data": "glass", "error": 0.30},
    ...     {"model": "B", "data": "glass", "error": 0.31},
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="data", metrics={"error": "lower"}
    ... )
    >>> scores
    <Scores: 2 blocks x 2 algorithms, error (lower is better)>
    >>> scores.values[:, :, 0].tolist()
    [[0.05, 0.04], [0.3, 0.31]]
    """

    values: NDArray[np.float64]
    blocks: tuple[str, ...]
    algorithms: tuple[str, ...]
    metrics: tuple[Metric, ...]
    datasets: tuple[str, ...] | None = None
    dropped: Dropped = field(default_factory=Dropped)
    missing: str = "error"
    source: Source | None = None
    notes: tuple[str, ...] = ()
    runs: NDArray[np.float64] | None = None
    replicates: tuple[str, ...] | None = None
    groups: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None
    items: bool = False
    called_folds: bool = False
    sources: str | None = None
    judge: NDArray[np.float64] | None = None
    strata: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the dataclass is frozen
        if np.asarray(self.values).dtype.kind == "b":
            set_field(self, "notes", (*self.notes, _TRUTH_VALUES))
        set_field(self, "values", read_only(self.values))
        for name in ("blocks", "algorithms"):
            set_field(self, name, unique_labels(getattr(self, name), what=name))
            if name == "blocks" or self.judge is None:
                require_two(name, getattr(self, name))
        set_field(self, "metrics", tuple(self.metrics))
        _require_metrics(self.metrics)
        require_policy(self.missing, OF_SCORES)
        _require_shape(self)
        if self.groups is not None:
            set_field(self, "groups", _checked_groups(self))
        if self.clusters is not None:
            set_field(self, "clusters", _checked_clusters(self))
        if self.strata is not None:
            set_field(self, "strata", _checked_strata(self))
        if self.judge is not None:
            set_field(self, "judge", _checked_judge(self))
        _require_values(self)
        if self.runs is not None or self.replicates is not None:
            labels = unique_labels(self.replicates or (), what="replicates")
            set_field(self, "replicates", labels)
            set_field(self, "runs", require_runs(self.runs, self.values, labels))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickle and copy forget that an array is read-only.
        self.__dict__.update(state)
        for array in (self.values, self.runs, self.judge):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        algorithm: str,
        block: str | None = None,
        metrics: Mapping[str, Direction],
        dataset: str | None = None,
        replicate: str | None = None,
        group: str | None = None,
        cluster: str | None = None,
        judge: str | None = None,
        stratum: str | None = None,
        missing: str = "error",
        worst: Worst = None,
        percent: Sequence[str] = (),
        number: str | None = None,
        metric_column: str | None = None,
        value: str | None = None,
        truth: str | None = None,
        one_is: str | None = None,
        range: Range = None,
        na: Sequence[str] = (),
        leave_out: Sequence[str] = (),
        confirmed: Sequence[str] = (),
    ) -> Scores:
        """Read a long table: one row for each block and algorithm, and run if any.

        Parameters
        ----------
        frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
            A list of one dict for each row; a dict of one sequence for each column.
        algorithm, block : str
            Columns of labels. A number is labelled as it is written, 3.0 as '3'.
        metrics : mapping of str to {"higher", "lower"}
            Columns of scores, and which direction is better. A column of true and false
            is read as 1 and 0, and ``notes`` states this.
        dataset : str, optional
            Column of data set labels. A block is then the pair of data set and
            block, such as a fold within a data set.
        replicate : str, optional
            Column of runs (seeds, repetitions), if a block and algorithm has several
            rows of the same training and test set. Runs are nested: the same seed of
            two algorithms, or on two blocks, links nothing. Repetitions of a
            cross-validation divide the cases anew and are other blocks. Cells may have
            unequal numbers of runs, which ``replicates="average"`` of a plan averages
            as they are. A run that has a row and no score is missing. The policies
            ``drop-block`` and ``worst`` also count a run without a row as missing,
            and ``missing="model"`` takes whole cells only.
        group : str, optional
            Column of groups (domains). A data set, or without ``dataset`` a block, lies
            in one group. ``pc.compare`` compares each group separately; single tests
            take all blocks (see `of_group`).
        cluster : str, optional
            Column of clusters of dependent blocks, such as the text that questions are
            about, or the patient. A block lies in one cluster.
        judge : str, optional
            Column of the scores of a judge, such as a model, that scored every answer.
            The metric then has the labels of people, blank on items that nobody
            labelled (see ``pc.labels``): an item has labels of all algorithms or none.
        stratum : str, optional
            Column of strata from which labelled items were drawn.
        missing : {"error", "drop-block", "model", "worst", "bounds"}
            What to do about a cell with no score (None, NaN, or no row): reject
            it (default), drop the blocks that have one, keep it for a method that
            models it, count it as the worst score, because the system failed, or keep
            it for ``pc.gate``, whose guarantees then hold whatever the score is.
        worst : float, mapping or "last", optional
            The worst score of all metrics, or by metric. Default: the bad end of the
            range of a known metric, such as 0 for an accuracy. ``"last"``: failures of
            another metric, such as a distance, keep no score (NaN, as with
            ``missing="model"``), for rankings by ranks (``pc.challenge``).
        percent : sequence of str
            Columns of scores in percent, numbers or text with percent signs: they are
            divided by 100. ``"all"``: all of them, if no column is called so.
        number : {"block", "replicate"}, optional
            What has no column and is numbered in the order of the rows: the blocks of
            each algorithm, or the runs of each algorithm and block.
        metric_column, value : str, optional
            Columns of names of metrics and of scores, if each row holds one metric;
            ``metrics`` then names levels of ``metric_column``.
        truth : str, optional
            Column of true classes, if ``value`` holds predicted classes: a score is
            1 if both are equal and 0 elsewhere. ``metrics`` then states what the
            scores are called, and rows are compared as cases.
        one_is : str, optional
            Which of the two labels in columns of scores is set to 1, such as
            ``"pass"``; the other one is 0.
        range : (low, high), or mapping of str to (low, high), optional
            Lowest and highest possible score of a metric that its name does not show,
            such as ``(0, 10)`` of a grade. Scores outside raise a doubt, and the worst
            score is one of its ends.
        na : sequence of str
            What stands for a missing score, ``"-1"`` or ``"column=-1"``: a number is
            compared as a number, text exactly.
        leave_out : sequence of str
            Parts of the table that are no data: ``"block=Average"``, or ``dataset=``,
            ``algorithm=``, ``group=``, ``column=`` with a label.
        confirmed : sequence of str
            Doubts that do not hold, by name or as ``"name:place"``, as the error names
            them: ``"summary-row:Overall"``.

        Returns
        -------
        Scores

        Raises
        ------
        DoubtError
            If a part of the table seems to be something else than it is read as: a row
            that summarises the others, scores that the metric cannot have, a code for
            missing scores, or the like. It is an InputError that names all of them,
            each with the ways to answer it.
        InputError
            If a column is missing or has two roles; a label is missing, empty or
            reads like another; a score is text, infinite, not exact in float64, or true
            or false among numbers; accuracies or the like are in two units; a block and
            algorithm has two rows, without ``replicate`` or of one run; a data set lies
            in two groups; a cell is missing against the policy; or fewer than two
            blocks, algorithms or runs are left.

        Notes
        -----
        R: ``reshape(frame, idvar = block, timevar = algorithm, direction = "wide")``.
        """
        checked = as_metrics(metrics)
        if block is None and number != "block":
            raise InputError(
                "name the column of blocks ("
                + setting("block", ...)
                + "), or number the rows of each algorithm: "
                + setting("number", "block")
            )
        table = as_table(frame, percent)
        columns = RoleColumns(
            algorithm=algorithm,
            block=block,
            dataset=dataset,
            replicate=replicate,
            group=group,
            cluster=cluster,
            judge=judge,
            stratum=stratum,
        )
        given = Answers(
            tuple(confirmed),
            tuple(leave_out),
            tuple(na),
            number,
            metric_column,
            value,
            truth,
            one_is,
            range,
        )
        cells, notes = read_long(table, columns, checked, given, missing=missing)
        return from_cells(
            cells,
            checked,
            missing,
            notes=notes,
            items=given.items,
            worst=worst,
            declared=given,
        )

    @classmethod
    def from_wide(
        cls,
        frame: object,
        *,
        metric: str,
        better: Direction,
        block: str | None = None,
        algorithms: Sequence[str] | None = None,
        dataset: str | None = None,
        group: str | None = None,
        cluster: str | None = None,
        missing: str = "error",
        worst: Worst = None,
        percent: Sequence[str] = (),
        transpose: bool = False,
        number: str | None = None,
        truth: str | None = None,
        one_is: str | None = None,
        range: Range = None,
        na: Sequence[str] = (),
        leave_out: Sequence[str] = (),
        confirmed: Sequence[str] = (),
    ) -> Scores:
        """Read a wide table of one metric: rows are blocks, columns algorithms.

        Parameters
        ----------
        frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        metric : str
            Names of the scores.
        better : {"higher", "lower"}
            Which direction is better.
        block : str, optional
            Column of block labels. Without it, the pandas index labels the
            blocks, unless it is the default one: then they are 1, 2, ..., and a
            first column of text is rejected, since it may hold the labels.
        algorithms : sequence of str, optional
            Columns of scores; all but those of labels if not given. Then a
            column that seems to be no algorithm is rejected: by its name, such as ``n``
            or ``time``, or because its values are on another scale.
        dataset : str, optional
            Column of data sets, if ``block`` holds folds of them.
        group : str, optional
            Column of groups, as in `from_frame`; rows are data sets then.
        cluster : str, optional
            Column of clusters, as in `from_frame`.
        missing, worst
            As in `from_frame`.
        percent : sequence of str
            As in `from_frame`; columns of algorithms.
        transpose : bool, default False
            True if rows are algorithms, named in ``block``, and columns are blocks.
        truth : str, optional
            Column of true classes, if the columns of algorithms hold predicted
            classes, as in `from_frame`.
        number, one_is, range, na, leave_out, confirmed
            As in `from_frame`.

        Returns
        -------
        Scores

        Raises
        ------
        InputError
            As `from_frame`.
        """
        checked = Metric(metric, better)
        table = as_table(frame, percent)
        columns = RoleColumns(
            block=block, dataset=dataset, group=group, cluster=cluster
        )
        given = Answers(
            tuple(confirmed),
            tuple(leave_out),
            tuple(na),
            number,
            truth=truth,
            one_is=one_is,
            range=range,
        )
        cells, notes = read_wide(
            table,
            columns,
            checked,
            algorithms,
            given,
            missing=missing,
            transpose=transpose,
        )
        return from_cells(
            cells,
            (checked,),
            missing,
            notes=notes,
            items=given.items,
            worst=worst,
            declared=given,
        )

    @classmethod
    def from_cross_validate(
        cls,
        results: Mapping[str, Any],
        *,
        metrics: Mapping[str, Direction],
        dataset: str | None = None,
        missing: str = "error",
    ) -> Scores:
        """Read the results of scikit-learn's ``cross_validate``: folds are blocks.

        Parameters
        ----------
        results : mapping
            For each algorithm the results of ``cross_validate``, of one ``cv`` that
            splits alike each time: ``{"svm": cross_validate(...), ...}``. Of several
            data sets, such a mapping for each: ``{"iris": {"svm": ...}, ...}``. With
            ``return_indices=True`` the folds are checked to be the same.
        metrics : mapping of str to {"higher", "lower"}
            Scores ``test_NAME`` by name, and which direction is better. Of results with
            ``test_score`` alone the name is free. Times and scores that are not named
            are left out, and ``notes`` states this.
        dataset : str, optional
            Name of the one data set; default ``data``.
        missing : {"error", "drop-block", "model"}, default "error"
            As in `from_frame`; NaN is the score of a fit that failed.

        Returns
        -------
        Scores
            A block is a fold, labelled from 1.

        Raises
        ------
        InputError
            If a result has no such scores, algorithms have different folds or, on some
            data set, other names; a negated loss (``neg_...``) is to be lower; or as
            `from_frame`.

        Examples
        --------
        >>> import pycompare as pc
        >>> results = {
        ...     "svm": {"fit_time": [0.2, 0.3], "test_score": [0.9, 0.8]},
        ...     "knn": {"fit_time": [0.1, 0.1], "test_score": [0.7, 0.8]},
        ... }
        >>> scores = pc.Scores.from_cross_validate(
        ...     results, metrics={"accuracy": "higher"}, dataset="iris"
        ... )
        >>> scores.blocks
        ('iris/1', 'iris/2')
        >>> scores.column("accuracy").tolist()
        [[0.9, 0.7], [0.8, 0.8]]
        """
        checked = as_metrics(metrics)
        require_directions(checked)
        cells, notes = result_cells(results, checked, dataset)
        return from_cells(cells, checked, missing, notes=notes)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of blocks, algorithms and metrics."""
        return self.n_blocks, self.n_algorithms, len(self.metrics)

    @property
    def labels(self) -> BlockLabels:
        """Labels of the blocks with their data sets, groups and clusters."""
        return BlockLabels(
            self.blocks, self.datasets, self.groups, self.clusters, self.strata
        )

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @property
    def n_algorithms(self) -> int:
        """Number of algorithms."""
        return len(self.algorithms)

    @property
    def folds(self) -> tuple[str, ...] | None:
        """Each block's label within its data set, if there are data sets."""
        return self.labels.fold

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups in order of first appearance; none without a group column."""
        return tuple(dict.fromkeys(self.groups or ()))

    @property
    def complete(self) -> bool:
        """True if every cell has a score."""
        return not np.isnan(self.values).any()

    @property
    def sha256(self) -> str:
        """Hash of labels, metrics, directions and values, the same on any machine.

        With runs, of these and their labels too.
        """
        content: dict[str, Any] = {
            "blocks": self.blocks,
            "algorithms": self.algorithms,
            "metrics": [(metric.name, metric.better) for metric in self.metrics],
            "datasets": self.datasets,
        }
        if self.runs is not None:  # scores without runs or groups keep their hash
            content["replicates"] = self.replicates
        if self.groups is not None:
            content["groups"] = self.groups
        if self.clusters is not None:
            content["clusters"] = self.clusters
        if self.strata is not None:
            content["strata"] = self.strata
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
        # NaN has many bit patterns, 0 two signs and platforms two byte orders: fix all.
        held = self.values if self.runs is None else self.runs
        values = held + 0.0
        values[np.isnan(values)] = np.nan
        digest.update(np.ascontiguousarray(values, "<f8").data)
        if self.judge is not None:
            digest.update((self.judge + 0.0).astype("<f8").tobytes(order="C"))
        return digest.hexdigest()

    def metric(self, name: str | None = None) -> Metric:
        """Find a metric by name; None is enough if there is only one.

        Raises
        ------
        InputError
            If there is no such metric, or None could mean several.
        """
        return self.metrics[metric_position(self.metrics, name)]

    def column(self, name: str | None = None) -> NDArray[np.float64]:
        """Scores in one metric, shape (n_blocks, n_algorithms), read-only."""
        return self.values[:, :, metric_position(self.metrics, name)]

    def oriented(self, name: str | None = None) -> NDArray[np.float64]:
        """Scores in one metric with the sign such that lower is better.

        Shape (n_blocks, n_algorithms), read-only. Zero is 0.0, never -0.0.
        """
        return read_only(self.metric(name).sign * self.column(name) + 0.0)

    def only(self, metric: str | None = None) -> Scores:
        """Keep one metric; see `metric`."""
        at = metric_position(self.metrics, metric)
        if len(self.metrics) == 1:
            return self
        return self._part((slice(None), slice(None), [at]), metrics=(self.metrics[at],))

    def select(
        self,
        *,
        algorithms: Sequence[str] | None = None,
        blocks: Sequence[str] | None = None,
    ) -> Scores:
        """Keep some algorithms or blocks, in the order given.

        The report of the dropped data, and the source, stay those of the whole.

        Raises
        ------
        InputError
            If a label is unknown or stands twice, or fewer than two are left.
        """
        columns = label_positions("algorithms", algorithms, self.algorithms)
        part = self.taken(label_positions("blocks", blocks, self.blocks))
        if algorithms is None:
            return part
        chosen = tuple(self.algorithms[j] for j in columns)
        if self.judge is None:
            require_two("algorithms", chosen)
        return part._part((slice(None), columns), algorithms=chosen)

    def taken(self, rows: ArrayLike) -> Scores:
        """Keep some blocks, by places in their order, or by a mask.

        What is true of all labels is true of these, so they are not checked again.

        Raises
        ------
        InputError
            If fewer than two are left, or an algorithm has no score on them.
        """
        labels = self.labels.take(rows)
        require_two("blocks", labels.block)
        return self._part(np.asarray(rows), **labels.of_scores())

    def _part(self, at: Any, **own: Any) -> Scores:
        """Return the scores ``values[at]`` with fields of their own, not checked again.

        What is true of all labels and finite scores is true of these.
        """
        part = copy(self)
        held = {"values": self.values, "runs": self.runs, "judge": self.judge}
        for name, array in held.items():
            if array is not None:
                own_at = at[:2] if name == "judge" and isinstance(at, tuple) else at
                object.__setattr__(part, name, read_only(array[own_at]))
        for name, value in own.items():
            object.__setattr__(part, name, value)
        if not part.complete:
            _require_values(part)
        return part

    def with_source(self, source: Source) -> Scores:
        """Return the same scores with another source; they are not checked again."""
        same = copy(self)
        object.__setattr__(same, "source", source)
        return same

    def ungrouped(self) -> Scores:
        """Return the same scores without groups."""
        return self if self.groups is None else replace(self, groups=None)

    def of_group(self, group: str) -> Scores:
        """Return the blocks of one group as scores separately, without groups.

        The dropped cells are those of these blocks; the source is that of the whole.

        Raises
        ------
        InputError
            If there is no such group, or it has fewer than two blocks.
        """
        label_positions("groups", [group], self.group_names)
        own = np.array(self.groups, object) == group
        try:
            part = self.select(blocks=self.labels.take(own).block)
        except InputError as error:
            raise error.at(f"group {show(group)}") from None
        here = set(part.blocks)
        cells = tuple(cell for cell in self.dropped.cells if cell[0] in here)
        return replace(part, groups=None, dropped=Dropped(cells=cells))

    def to_frame(self) -> pd.DataFrame:
        """Tidy table, one row for each block and algorithm, block by block.

        Columns ``block``, ``algorithm`` and one for each metric; before them
        ``dataset`` and ``fold`` if there is a data set column, and ``group``,
        ``cluster`` and ``stratum`` if there are such columns. With runs, one row for
        each of them, and their labels in ``run`` before the metrics; none for a run
        that a cell lacks. A judge's scores are in ``judge``, behind the metrics.
        """
        import pandas as pd

        frame = pd.DataFrame(self.label_columns() | self.number_columns())
        if self.runs is None:
            return frame
        lacks = np.isnan(self.runs).all(axis=2)
        lacks &= ~lacks.all(axis=-1, keepdims=True)
        return frame[~lacks.ravel()].reset_index(drop=True)

    def label_columns(self) -> dict[str, list[str]]:
        """Return the columns of `to_frame` that hold labels."""
        n_runs = len(self.replicates or (None,))
        columns: dict[str, list[str]] = {}
        for name in OF_BLOCKS:
            labels = getattr(self.labels, name)
            if labels is not None:
                each = np.array(labels, object)
                repeated = np.repeat(each, self.n_algorithms * n_runs)
                columns[name] = repeated.tolist()
        within = np.repeat(np.array(self.algorithms, object), n_runs)
        columns["algorithm"] = within.tolist() * self.n_blocks
        if self.replicates is not None:
            cells = self.n_blocks * self.n_algorithms
            columns["run"] = list(self.replicates) * cells
        return columns

    def number_columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the columns of `to_frame` that hold numbers."""
        held = self.values if self.runs is None else self.runs
        columns = {m.name: held[:, :, i].flatten() for i, m in enumerate(self.metrics)}
        if self.judge is not None:
            repeats = len(self.replicates or (None,))
            columns["judge"] = np.repeat(self.judge.ravel(), repeats)
        return columns

    def to_wide(self, metric: str | None = None) -> pd.DataFrame:
        """Scores in one metric: index ``block``, a column for each algorithm."""
        import pandas as pd

        return pd.DataFrame(
            self.column(metric).copy(),
            index=pd.Index(self.blocks, name="block"),
            columns=pd.Index(self.algorithms, name="algorithm"),
        )

    @property
    def labelled(self) -> NDArray[np.bool_] | None:
        """Whether people labelled each item, beside a judge; None without one."""
        if self.judge is None:
            return None
        return np.asarray(~np.isnan(self.values[:, 0, 0]))

    @property
    def runs_per_cell(self) -> tuple[int, int]:
        """The lowest and the highest number of runs of a cell."""
        return (1, 1) if self.runs is None else runs_per_cell(self.runs)

    def summary(self) -> str:
        """Describe the scores, the dropped data and their origin."""
        lines = [
            f"Scores of {self.n_algorithms} algorithms on {self.n_blocks} blocks",
            f"algorithms: {show_all(self.algorithms)}",
            *describe.datasets(self.datasets),
            *describe.runs(self.replicates, self.runs_per_cell),
            *describe.groups(self.groups),
            *describe.clusters(self.clusters),
            *describe.judge(self.labelled),
            *describe.strata(self.strata),
            *(f"metric: {m.name} ({m.better} is better)" for m in self.metrics),
            *self.notes,
            *describe.missing(self.dropped, self.missing),
            *describe.source(self.source),
            f"SHA-256 of the scores: {self.sha256}",
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        size = f"{self.n_blocks} blocks x {self.n_algorithms} algorithms"
        if self.replicates is not None:
            size += f" x {len(self.replicates)} runs"
        metrics = ", ".join(f"{m.name} ({m.better} is better)" for m in self.metrics)
        return f"<Scores: {size}, {metrics}>"


_UNEQUAL_RUNS = (
    "cells have {fewest} to {most} runs; a score is the mean of its own runs"
)
"""The note of scores whose cells have unequal numbers of runs."""


def from_cells(
    cells: Cells,
    metrics: tuple[Metric, ...],
    missing: str,
    source: Source | None = None,
    notes: tuple[str, ...] = (),
    items: bool = False,
    worst: Worst = None,
    declared: Answers = NO_ANSWERS,
) -> Scores:
    """Apply the missing policy and make the scores.

    Their source has no recipe: that of a file of scores is added after all checks, and
    that of predictions is not one of scores.
    """
    if cells.judge is None:
        require_two("algorithms", cells.algorithms)
    require_two("blocks", cells.labels.block)
    _require_ranges(metrics, declared)
    ends: tuple[float, ...] = ()
    if cells.judge is not None:
        cells, more = labelled_cells(cells, missing)
        notes = (*notes, *more)
    if missing == "worst":
        cells = _without_infinitely_bad(cells, metrics)
        if worst is not None or np.isnan(cells.values).any():
            ends = worst_scores(metrics, cells.values, worst, declared)
            if np.isnan(ends).any():
                ends, missing = (), "model"
    elif worst is not None:
        raise InputError(
            setting("worst")
            + " needs "
            + setting("missing", "worst")
            + "; leave it out"
        )
    kept, dropped = (
        settle(cells, missing, ends) if cells.judge is None else (cells, Dropped())
    )
    if ends and dropped.cells:
        told = ", ".join(
            f"{e:g} in {show(m.name)}" for e, m in zip(ends, metrics, strict=True)
        )
        notes = (*notes, f"missing scores are treated as the worst ones: {told}")
    if kept.runs is not None:
        fewest, most = runs_per_cell(kept.runs)
        if fewest < most:
            notes = (*notes, _UNEQUAL_RUNS.format(fewest=fewest, most=most))
    return Scores(
        kept.values,
        algorithms=kept.algorithms,
        metrics=metrics,
        dropped=dropped,
        missing=missing,
        source=None if source is None else replace(source, recipe=None),
        notes=notes,
        runs=kept.runs,
        replicates=kept.replicates,
        items=items,
        called_folds=kept.called_folds,
        sources=kept.sources,
        judge=kept.judge,
        **kept.labels.of_scores(),
    )


def _require_ranges(metrics: tuple[Metric, ...], declared: Answers) -> None:
    """Reject ranges of unknown metrics, and one range for several metrics."""
    given, names = declared.range, [metric.name for metric in metrics]
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise InputError(
                    setting("range", dict(given))
                    + f": there is no metric {show(name)}{nearest(name, names)}; "
                    f"metrics: {show_all(names)}"
                )
    elif given is not None and len(names) > 1:
        raise InputError(
            setting("range", given)
            + ": a range is in its metric's unit, and there are "
            f"{len(names)} metrics, {show_all(names)}: give each its own ("
            + setting("range", ...)
            + ")"
        )


def _without_infinitely_bad(cells: Cells, metrics: tuple[Metric, ...]) -> Cells:
    """Return cells whose scores that are infinitely bad are missing."""
    bad = np.array([np.inf * metric.sign for metric in metrics])
    values = np.where(cells.values == bad, np.nan, cells.values)
    if cells.runs is None:
        return replace(cells, values=values)
    runs = np.where(cells.runs == bad[:, np.newaxis], np.nan, cells.runs)
    return replace(cells, values=over_runs(runs), runs=runs)


def _require_metrics(metrics: tuple[Metric, ...]) -> None:
    if not metrics or not all(isinstance(metric, Metric) for metric in metrics):
        raise InputError("metrics must be one Metric or more")
    unique_labels([metric.name for metric in metrics], what="the metric names")


def _require_shape(scores: Scores) -> None:
    if scores.values.shape != scores.shape:
        raise InputError(
            f"values have shape {scores.values.shape}, but the labels make "
            f"(blocks, algorithms, metrics) = {scores.shape}"
        )
    for name in ("datasets", "groups", "clusters", "strata"):
        held = getattr(scores, name)
        if held is not None and len(held) != scores.n_blocks:
            raise InputError(
                f"{name} must hold one label for each of {scores.n_blocks} blocks, "
                f"got {len(held)}"
            )


def _checked_groups(scores: Scores) -> tuple[str, ...]:
    """Return the group of each block as text; reject a data set in two groups."""
    group_levels = levels(scores.groups or (), what="groups")
    labels = tuple(group_levels.labels[code] for code in group_levels.codes)
    if scores.datasets is not None:
        one_group_each(zip(scores.datasets, labels, strict=True), "data set")
    return labels


def _checked_clusters(scores: Scores) -> tuple[str, ...]:
    """Return the cluster of each block as text; reject a single one."""
    cluster_levels = levels(scores.clusters or (), what="clusters")
    require_two("clusters", cluster_levels.labels)
    return tuple(cluster_levels.labels[code] for code in cluster_levels.codes)


def _checked_strata(scores: Scores) -> tuple[str, ...]:
    """Return the stratum of each block as text; reject strata without a judge."""
    if scores.judge is None:
        raise InputError(
            setting("stratum", ...)
            + " is for labels of people beside a judge's scores: name their column ("
            + setting("judge", ...)
            + "), or leave it out"
        )
    strata = levels(scores.strata or (), what="strata")
    return tuple(strata.labels[code] for code in strata.codes)


def _checked_judge(scores: Scores) -> NDArray[np.float64]:
    """Return a judge's scores, read-only; reject gaps, and labels that do not fit."""
    judge = read_only(np.asarray(scores.judge))
    if judge.shape != scores.shape[:2]:
        raise InputError(
            f"judge has shape {judge.shape}, but the labels make (blocks, algorithms) "
            f"= {scores.shape[:2]}"
        )
    if not np.isfinite(judge).all():
        raise InputError("judge must be a finite score of every answer")
    absent = np.isnan(scores.values)
    if len(scores.metrics) != 1:
        raise InputError("a judge scores one metric; give one")
    if scores.metrics[0].name == "judge":
        raise InputError(
            "the metric cannot be called 'judge' beside a judge's scores; rename it"
        )
    if not np.array_equal(absent.all(axis=1), absent.any(axis=1)):
        raise InputError("an item has labels of all algorithms, or of none")
    return judge


def _require_values(scores: Scores) -> None:
    ends = (np.fmax, 1), (np.fmin, -1)
    for place, metric in enumerate(scores.metrics):
        values = scores.values[..., place]
        largest = max(float(sign * of.reduce(values, axis=None)) for of, sign in ends)
        if np.isinf(largest):
            count = int(np.isinf(values).sum())
            raise InputError(
                f"{counted(count, 'score')} of {show(metric.name)} {are(count)} "
                "infinite"
            )
        if largest > _LARGEST:
            raise InputError(
                f"scores of {show(metric.name)} go up to {largest:.3g}, too large for "
                "the sums and differences of doubles; measure them in another unit"
            )
    if scores.complete or scores.judge is not None:
        return
    if scores.missing not in ("model", BOUNDS):
        count = int(np.isnan(scores.values).sum())
        raise InputError(
            f"{counted(count, 'score')} {are(count)} NaN, which only "
            + setting("missing", "model")
            + " allows"
        )
    if scores.missing == BOUNDS:
        return
    names = tuple(metric.name for metric in scores.metrics)
    refuse_empty(scores.values, scores.blocks, scores.algorithms, names)
