"""Predictions: the score that each algorithm gave to each case of each fold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import label_position, label_positions, show, unique_labels
from pycompare.data.block_labels import BlockLabels
from pycompare.data.cells import CaseScores, arrange, read_cases
from pycompare.data.frames import as_table
from pycompare.data.missing import Dropped, require_policy, take
from pycompare.data.near_labels import refuse_near_labels
from pycompare.data.own_file import prediction_recipe
from pycompare.data.reading.grouped import keyed_by_group
from pycompare.data.reading.tables import with_parts
from pycompare.data.reading.wide_predictions import whole_predictions
from pycompare.data.roles import RoleColumns
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.data.table import DataTable

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.data.measures.request import Threshold

_ONE_CLASS = ("error", "undefined")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Predictions:
    """Scores of cases by algorithms and blocks, checked when they are made.

    A group is the predictions of one algorithm for the cases of one block (a fold).
    Groups lie one after another, block by block and within a block algorithm by
    algorithm.

    Attributes
    ----------
    score : ndarray of float, shape (n,)
        Higher speaks for the positive class; any scale. Read-only.
    is_positive : ndarray of bool, shape (n,)
        True if the case is of the positive class. Read-only.
    offsets : ndarray of int, shape (n_blocks * n_algorithms + 1,)
        Group ``g = block * n_algorithms + algorithm`` is ``score[offsets[g] :
        offsets[g + 1]]``; empty if ``missing="model"`` allowed that it is missing.
    case : ndarray of int or None, shape (n,)
        Position in ``cases`` of each row; groups are sorted by it, so the groups of
        a block have the same cases in the same order.
    cases : tuple of str
        Case labels; empty if no column of cases was named.
    blocks, algorithms : tuple of str
        Labels, in order of first appearance.
    datasets : tuple of str or None
        With a data set column: the data set of each block, whose label is then
        ``dataset/fold``.
    positive, negative : str
        Labels of the classes.
    one_class : {"error", "undefined"}
        Treatment of a block in which only one class occurs.
    missing : {"error", "drop-block", "model"}
        Treatment of a block that an algorithm has no scores in.
    dropped : Dropped
        Blocks that the missing policy removed.
    notes : tuple of str
        Omitted parts on request.
    source : Source or None
        The file, if the predictions came from one.
    replicates : tuple of (block, run) or None
        With a replicate column each run of a block is a block of its own, labelled
        ``block/run``: of which block each is which run. Scores that are measured keep
        the runs of a block together; curves take one run (`of_run`).
    groups : tuple of str or None
        With a group column: the group (domain) of each block.
    cluster : ndarray of int or None, shape (n,)
        With a cluster column: position in ``clusters`` of each row. Cases of one
        cluster, such as a patient, depend on each other. Read-only.
    clusters : tuple of str
        Cluster labels.

    Raises
    ------
    InputError
        If the parts do not fit together: see `from_frame` for the checks.

    Examples
    --------
    >>> import pycompare as pc
    >>> cases = pc.example("predictions")
    >>> cases.algorithms
    ('QDA', 'LDA', 'NaiveBayes')
    >>> cases.measure("auc")
    <Scores: 80 blocks x 3 algorithms, auc (higher is better)>
    """

    score: NDArray[np.float64]
    is_positive: NDArray[np.bool_]
    offsets: NDArray[np.intp]
    blocks: tuple[str, ...]
    algorithms: tuple[str, ...]
    positive: str
    negative: str
    case: NDArray[np.intp] | None = None
    cases: tuple[str, ...] = ()
    datasets: tuple[str, ...] | None = None
    one_class: str = "error"
    missing: str = "error"
    dropped: Dropped = Dropped()
    notes: tuple[str, ...] = ()
    source: Source | None = None
    replicates: tuple[tuple[str, str], ...] | None = None
    groups: tuple[str, ...] | None = None
    cluster: NDArray[np.intp] | None = None
    clusters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            if getattr(self, name) is not None:
                array = np.array(getattr(self, name), dtype)
                object.__setattr__(self, name, _frozen(array))
        for name in ("blocks", "algorithms"):
            labels = unique_labels(getattr(self, name), what=name)
            object.__setattr__(self, name, labels)
        require_policy(self.missing)
        require_one_class(self.one_class)
        _require_shapes(self)
        if not np.isfinite(self.score).all():
            raise InputError("score holds NaN or infinite numbers")
        _require_groups(self)
        _require_classes(self)
        _require_same_runs(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickle and copy forget that an array is read-only.
        self.__dict__.update(state)
        for name in _ARRAYS:
            if self.__dict__[name] is not None:
                _frozen(self.__dict__[name])

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        label: str,
        positive: object,
        algorithm: str | None = None,
        score: str | None = None,
        algorithms: Sequence[str] | None = None,
        block: str | None = None,
        dataset: str | None = None,
        case: str | None = None,
        replicate: str | None = None,
        group: str | None = None,
        cluster: str | None = None,
        rest: bool = False,
        classes: Sequence[object] | None = None,
        one_class: str = "error",
        missing: str = "error",
    ) -> Predictions:
        """Read predictions: a row for each case and algorithm, or for each case.

        Parameters
        ----------
        frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        label : str
            Column of the true classes: text, numbers, true and false.
        positive : text, number or bool
            Which label is the positive class.
        algorithm, score : str
            Columns of algorithms and of their scores, higher for the positive class;
            any scale.
        algorithms : sequence of str
            In their place the columns of scores of each algorithm, if a row is a
            case; without ``case`` the rows are numbered.
        block : str, optional
            Column of folds, or of test sets. Default: all cases are of one test set.
        dataset : str, optional
            Column of data set labels. A block is then the pair of data set and
            block.
        case : str, optional
            Column that names the cases. With it, every algorithm must have scored
            the same cases of a block, once each, and agree on their labels: what
            paired tests of curves need.
        replicate : str, optional
            Column of runs (seeds, repetitions) of an algorithm on the training and test
            set of a block: as many everywhere, on the same cases. Labels of runs link
            nothing between algorithms or blocks, as in ``Scores.from_frame``.
        group : str, optional
            Column of groups (domains) of data sets, or of blocks if there are no
            data sets, as in ``Scores.from_frame``.
        cluster : str, optional
            Column of clusters of dependent cases, such as the patient. A case lies in
            one cluster. Needs ``case``. Tests over cases then take clusters, not cases,
            as independent.
        rest : bool, default False
            True: all labels but ``positive`` are the negative class.
        classes : pair of labels, optional
            Use the cases of these two classes only.
        one_class : {"error", "undefined"}, default "error"
            A block with cases of one class only is rejected, or its undefined
            measures are NaN.
        missing : {"error", "drop-block", "model"}, default "error"
            A block that an algorithm has no scores in is rejected, dropped for all
            algorithms, or kept for a method that models missing scores. Unequal numbers
            of runs are no gap: a score is the mean of a cell's own runs.

        Returns
        -------
        Predictions

        Raises
        ------
        InputError
            If a column is missing or has two roles; a label is missing; a score is
            missing, text or infinite; the positive class is not there, or there are
            more than two; a case has two scores, is not scored by all algorithms, or
            has two labels; a block has one class; a block is missing for an
            algorithm; or there are fewer than two algorithms.
        """
        columns = RoleColumns(
            algorithm, block, label, score, dataset, case, replicate, group, cluster
        )
        return from_table(
            as_table(frame),
            columns,
            algorithms=algorithms,
            positive=positive,
            rest=rest,
            classes=classes,
            one_class=one_class,
            missing=missing,
        )

    @property
    def labels(self) -> BlockLabels:
        """Labels of the blocks with their data sets and groups."""
        return BlockLabels(self.blocks, self.datasets, self.groups)

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @property
    def n_algorithms(self) -> int:
        """Number of algorithms."""
        return len(self.algorithms)

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Cases by block and algorithm, shape (n_blocks, n_algorithms)."""
        return np.diff(self.offsets).reshape(self.n_blocks, self.n_algorithms)

    @property
    def sha256(self) -> str:
        """Hash of labels, classes and scores, the same on any machine."""
        names = ("blocks", "algorithms", "datasets", "positive", "negative", "cases")
        content = {name: getattr(self, name) for name in names}
        if self.cluster is not None:
            content["clusters"] = self.clusters
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
        score = self.score + 0.0  # 0 has one sign
        digest.update(score.astype("<f8").tobytes())
        digest.update(self.is_positive.tobytes())
        digest.update(self.offsets.astype("<i8").tobytes())
        for codes in (self.case, self.cluster):
            if codes is not None:
                digest.update(codes.astype("<i8").tobytes())
        return digest.hexdigest()

    @cached_property
    def _positions(self) -> tuple[dict[str, int], dict[str, int]]:
        """Positions of blocks and algorithms."""
        blocks, algorithms = (
            {label: i for i, label in enumerate(labels)}
            for labels in (self.blocks, self.algorithms)
        )
        return blocks, algorithms

    def rows(self, block: str, algorithm: str) -> slice:
        """Return where the scores of an algorithm on a block lie."""
        blocks, algorithms = self._positions
        b = label_position("block", block, blocks)
        a = label_position("algorithm", algorithm, algorithms)
        group = b * self.n_algorithms + a
        return slice(int(self.offsets[group]), int(self.offsets[group + 1]))

    def measure(
        self,
        metrics: str | Sequence[str],
        *,
        threshold: Threshold = None,
        cost_ratio: float | None = None,
        loss: Sequence[Sequence[float]] | None = None,
        fpr_range: tuple[float, float] | None = None,
        top_share: float | None = None,
        undefined: Mapping[str, float] | None = None,
    ) -> Scores:
        """Measure every algorithm on every block.

        Parameters
        ----------
        metrics : str or sequence of str
            Names in ``pycompare.data.measures.registry.MEASURES``: ``"error"``,
            ``"tpr"``, ``"precision"``, ``"auc"``, ``"auc_pr"``, ``"brier"``, ...
        threshold : float, sequence of float or "risk", optional
            A case is called positive if its score >= threshold. With several, a
            metric is named ``tpr@0.25``. If it is not given it is 0.5, which is
            rejected for scores outside [0, 1]. ``"risk"`` is the threshold that
            minimises risk under ``cost_ratio`` or ``loss``, for probabilities. Write
            ``[i / 20 for i in range(21)]``: ``np.linspace`` gives 0.15000000000000002,
            which is above a score of 0.15 (the notes state this).
        cost_ratio : float, optional
            Cost of a false positive when a false negative costs 1 (``"risk"``).
        loss : 2 x 2 numbers, optional
            Costs in full, rows the decision (positive, negative), columns the truth.
        fpr_range : pair of float, optional
            False positive rates between which ``"partial_auc"`` is taken.
        top_share : float, optional
            Share of the cases, those with the highest scores, in which ``"lift"``
            counts the positive ones.
        undefined : mapping of str to float, optional
            Value of a measure that is 0/0, such as ``{"precision": 1.0}``. Without
            it the cell is missing, which ``missing`` decides about.

        Returns
        -------
        Scores
            Its ``notes`` state how each number was defined.

        Raises
        ------
        InputError
            If a metric is unknown, needs probabilities or a threshold that is not
            given, is undefined against the policy, or infinite.
        """
        # Tables of scores are read without what measures predictions.
        from pycompare.data.measured import as_scores
        from pycompare.data.measures.measure import measured
        from pycompare.data.measures.request import request

        if self.n_blocks == 1:
            raise InputError(_ONE_TEST_SET)
        wanted = request(
            metrics,
            threshold=threshold,
            cost_ratio=cost_ratio,
            loss=loss,
            fpr_range=fpr_range,
            top_share=top_share,
            undefined=undefined,
        )
        values = measured(
            wanted, self.score, self.is_positive, self.offsets, self._cell_name
        )
        n_positive = positives_of(self.is_positive, self.offsets)
        different = unequal(self.sizes, n_positive, self.blocks, self.algorithms)
        return as_scores(
            wanted,
            values.reshape(self.n_blocks, self.n_algorithms, -1),
            self.sizes,
            self.labels,
            self.algorithms,
            missing=self.missing,
            dropped=self.dropped,
            notes=(*self.notes, *different),
            source=self.source,
            replicates=self.replicates,
        )

    @property
    def same_cases(self) -> bool:
        """Whether every algorithm scored the same named cases in all blocks.

        The blocks are of one data set, without runs.
        """
        one_data_set = len(set(self.datasets or ("",))) == 1
        size = int(self.sizes[0, 0])
        if self.case is None or self.replicates or not one_data_set or not size:
            return False
        if (self.sizes != size).any():
            return False
        rows = self.case.reshape(-1, size), self.is_positive.reshape(-1, size)
        return all(bool((row == row[0]).all()) for row in rows)

    @property
    def one_test_set(self) -> bool:
        """Whether there are two blocks or more, training sets with one test set."""
        return self.n_blocks > 1 and self.same_cases

    @property
    def shared_test_sets(self) -> tuple[str, ...]:
        """Data sets whose blocks, two or more, are all tested on the same named cases.

        Empty without data sets, without named cases, or with runs.
        """
        if self.case is None or self.replicates or self.datasets is None:
            return ()
        places: dict[str, list[int]] = {}
        for at, name in enumerate(self.datasets):
            places.setdefault(name, []).append(at)
        every = np.ones(self.n_algorithms, bool)
        return tuple(
            name
            for name, (first, *rest) in places.items()
            if rest and all(_same_cases(self, first, at, every) for at in rest)
        )

    @property
    def run_names(self) -> tuple[str, ...]:
        """The runs in order of first appearance; none without a replicate column."""
        return tuple(dict.fromkeys(run for _, run in self.replicates or ()))

    def of_run(self, run: str) -> Predictions:
        """Return one run of each block as predictions without runs.

        Raises
        ------
        InputError
            If there is no such run.
        """
        label_positions("runs", [run], self.run_names)
        pairs = self.replicates or ()
        kept = np.array([name == run for _, name in pairs])
        rows = np.repeat(kept, self.sizes.sum(axis=1))
        sizes = self.sizes[kept].ravel()
        labels = self.labels.take(kept)
        return replace(
            self,
            score=self.score[rows],
            is_positive=self.is_positive[rows],
            offsets=np.concatenate(([0], np.cumsum(sizes))),
            case=None if self.case is None else self.case[rows],
            cluster=None if self.cluster is None else self.cluster[rows],
            blocks=tuple(block for block, name in pairs if name == run),
            datasets=labels.dataset,
            groups=labels.group,
            replicates=None,
        )

    def require_one_run(self) -> None:
        """Reject several runs if runs would be taken for folds."""
        if self.replicates is not None:
            raise InputError(
                f"there are {len(self.run_names)} runs of each algorithm on each "
                f"block, and curves take one: choose it by .of_run("
                f"{self.run_names[0]!r}), or measure all runs and compare the scores"
            )

    def _cell_name(self, group: int) -> str:
        from pycompare.data.measured import cell_name

        block, algorithm = divmod(group, self.n_algorithms)
        return cell_name(self.blocks[block], self.algorithms[algorithm])

    def to_frame(self) -> pd.DataFrame:
        """Tidy table, one row for each score, group by group."""
        import pandas as pd

        sizes = np.diff(self.offsets)
        block = np.repeat(np.arange(self.n_blocks), self.n_algorithms)
        columns: dict[str, object] = {
            "block": pd.Categorical.from_codes(block.repeat(sizes), self.blocks),
            "algorithm": pd.Categorical.from_codes(
                np.tile(np.arange(self.n_algorithms), self.n_blocks).repeat(sizes),
                self.algorithms,
            ),
        }
        if self.case is not None:
            columns["case"] = np.array(self.cases, object)[self.case]
        if self.cluster is not None:
            columns["cluster"] = np.array(self.clusters, object)[self.cluster]
        columns["is_positive"] = self.is_positive.copy()
        columns["score"] = self.score.copy()
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return (
            f"<Predictions: {self.score.size} scores, {self.n_blocks} blocks x "
            f"{self.n_algorithms} algorithms, positive: {self.positive}>"
        )


_ONE_TEST_SET = (
    "all cases are of one test set, on which a measure is one number of each "
    "algorithm, and a comparison needs two blocks: compare ROC curves over cases "
    "(pycompare curves), or measure each case separately, with its column as blocks ("
    + setting("block", ...)
    + " with "
    + setting("one_class", "undefined")
    + ") and a measure that one case has, as brier or error"
)
_ARRAYS = {
    "score": float,
    "is_positive": bool,
    "offsets": np.intp,
    "case": np.intp,
    "cluster": np.intp,
}


def from_table(
    table: DataTable,
    columns: RoleColumns,
    *,
    positive: object,
    rest: bool,
    classes: Sequence[object] | None,
    one_class: str,
    missing: str,
    source: Source | None = None,
    algorithms: Sequence[str] | None = None,
) -> Predictions:
    """Read, check and arrange the rows of a table."""
    require_policy(missing)
    require_one_class(one_class)
    whole, roles = whole_predictions(table, columns, algorithms)
    whole = with_parts(whole, roles.given().values())
    whole = keyed_by_group(whole, roles.given())
    cases = read_cases(whole, roles, positive=positive, rest=rest, classes=classes)
    counts = np.bincount(cases.group % len(cases.algorithms)).tolist()
    refuse_near_labels(cases.algorithms, counts, "algorithm", columns.algorithm)
    held = _as_predictions(arrange(cases), cases, one_class, missing, source)
    if source is None or source.recipe is None:
        return held
    recipe = None
    if algorithms is None and not held.notes and not held.dropped.blocks:
        recipe = prediction_recipe(
            source.recipe, table, columns, held.positive, held.score.size
        )
    return replace(held, source=replace(source, recipe=recipe))


def _as_predictions(
    order: NDArray[np.intp],
    cases: CaseScores,
    one_class: str,
    missing: str,
    source: Source | None,
) -> Predictions:
    n_algorithms = len(cases.algorithms)
    counts = np.bincount(
        cases.group, minlength=len(cases.labels) * n_algorithms
    ).reshape(-1, n_algorithms)
    kept, dropped = settle_groups(
        counts, cases.labels.block, cases.algorithms, missing, cases.replicates
    )
    labels = cases.labels.take(kept)
    if not kept.all():
        order = order[kept[cases.group[order] // n_algorithms]]
        counts = counts[kept]
    return Predictions(
        score=cases.score[order],
        is_positive=cases.is_positive[order],
        offsets=np.concatenate(([0], np.cumsum(counts.ravel()))),
        case=None if cases.case is None else cases.case[order],
        cases=cases.cases,
        blocks=labels.block,
        algorithms=cases.algorithms,
        datasets=labels.dataset,
        replicates=cases.replicates
        and tuple(
            pair for pair, keep in zip(cases.replicates, kept, strict=True) if keep
        ),
        groups=labels.group,
        cluster=None if cases.cluster is None else cases.cluster[order],
        clusters=cases.clusters,
        positive=cases.positive,
        negative=cases.negative,
        one_class=one_class,
        missing=missing,
        dropped=dropped,
        notes=cases.notes,
        source=source,
    )


def require_one_class(policy: str) -> None:
    """Reject a word that is no policy for a block with one class."""
    if policy not in _ONE_CLASS:
        raise InputError(
            f"one_class must be one of {', '.join(map(repr, _ONE_CLASS))}, "
            f"got {show(policy)}"
        )


def settle_groups(
    counts: NDArray[np.intp],
    blocks: tuple[str, ...],
    algorithms: tuple[str, ...],
    missing: str,
    replicates: tuple[tuple[str, str], ...] | None = None,
) -> tuple[NDArray[np.bool_], Dropped]:
    """Apply the missing policy to blocks that an algorithm has no scores in.

    ``replicates`` are of which block each is which run. Algorithms may have unequal
    numbers of runs of a block: without the policy ``drop-block`` none is missing.

    Returns
    -------
    kept : ndarray of bool, shape (n_blocks,)
    dropped : Dropped
    """
    absent = counts == 0
    if missing == "error":
        absent &= ~_fewer_runs(counts, replicates)
    kept = np.ones(len(counts), bool)
    if not absent.any():
        return kept, Dropped()
    cells = tuple(
        (blocks[b], algorithms[a], "score") for b, a in np.argwhere(absent).tolist()
    )
    if missing == "error":
        block, algorithm, _ = cells[0]
        raise InputError(
            f"{len(cells)} pairs of block and algorithm have no scores, first: "
            f"block={show(block)}, algorithm={show(algorithm)}; add them, drop these "
            "blocks for all algorithms ("
            + setting("missing", "drop-block")
            + ") or keep the gaps for a "
            "method that models them (" + setting("missing", "model") + ")"
        )
    if missing == "model":
        return kept, Dropped(cells=cells)
    kept = ~absent.any(axis=1)
    return kept, Dropped(take(blocks, ~kept), cells)


def _fewer_runs(
    counts: NDArray[np.intp], replicates: tuple[tuple[str, str], ...] | None
) -> NDArray[np.bool_]:
    """Return the empty groups whose algorithm has other runs of the same block."""
    empty = np.asarray(counts == 0)
    if replicates is None or not empty.any():
        return np.zeros(counts.shape, bool)
    place = {
        block: i for i, block in enumerate(dict.fromkeys(b for b, _ in replicates))
    }
    owner = np.array([place[block] for block, _ in replicates])
    some = np.zeros((len(place), counts.shape[1]), bool)
    np.logical_or.at(some, owner, ~empty)
    return empty & some[owner]


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _require_shapes(predictions: Predictions) -> None:
    n = predictions.score.size
    for name in ("score", "is_positive", "case", "cluster"):
        array = getattr(predictions, name)
        if array is not None and array.shape != (n,):
            raise InputError(f"{name} has shape {array.shape}; score has {n} cases")
    n_groups = predictions.n_blocks * predictions.n_algorithms
    offsets = predictions.offsets
    fits = offsets.shape == (n_groups + 1,) and offsets[0] == 0 and offsets[-1] == n
    if not fits or np.any(np.diff(offsets) < 0):
        raise InputError(
            f"offsets must rise from 0 to {n} in {n_groups + 1} numbers, one group "
            "for each block and algorithm"
        )


def _require_groups(predictions: Predictions) -> None:
    for what in ("blocks", "algorithms"):
        if len(getattr(predictions, what)) < 1:
            raise InputError(f"there are no {what}")
    sizes = predictions.sizes
    empty = (sizes == 0) & ~_fewer_runs(sizes, predictions.replicates)
    if empty.any() and predictions.missing != "model":
        b, a = np.argwhere(empty)[0]
        raise InputError(
            f"block={show(predictions.blocks[b])}, algorithm="
            f"{show(predictions.algorithms[a])} has no scores"
        )


def _require_same_runs(predictions: Predictions) -> None:
    """Reject runs of a block that cannot have been tested on the same cases."""
    if predictions.replicates is None:
        return
    n_positive = positives_of(predictions.is_positive, predictions.offsets)
    counts = np.stack([predictions.sizes, n_positive.reshape(predictions.sizes.shape)])
    first: dict[str, int] = {}
    for at, (block, run) in enumerate(predictions.replicates):
        first_at = first.setdefault(block, at)
        # A run that an algorithm lacks is the missing policy's affair.
        there = (counts[0, at] > 0) & (counts[0, first_at] > 0)
        same = bool((counts[:, at] == counts[:, first_at])[:, there].all())
        if not same or not _same_cases(predictions, first_at, at, there):
            raise InputError(
                f"block={show(block)}: run {show(run)} has other cases than run "
                f"{show(predictions.replicates[first_at][1])}; runs have one training "
                "and test set, and repetitions that divide the cases anew are other "
                "blocks "
                "(" + setting("block", ...) + ")"
            )


def _same_cases(
    predictions: Predictions, block_1: int, block_2: int, there: NDArray[np.bool_]
) -> bool:
    """Return whether two blocks have the same cases, if cases are named."""
    if predictions.case is None:
        return True
    a, offsets = predictions.n_algorithms, predictions.offsets
    return all(
        np.array_equal(
            predictions.case[offsets[block_1 * a + j] : offsets[block_1 * a + j + 1]],
            predictions.case[offsets[block_2 * a + j] : offsets[block_2 * a + j + 1]],
        )
        for j in np.flatnonzero(there).tolist()
    )


def _require_classes(predictions: Predictions) -> None:
    """Reject a block with cases of one class, unless that is allowed."""
    if predictions.one_class == "undefined":
        return
    refuse_one_class(
        predictions.sizes.ravel(),
        positives_of(predictions.is_positive, predictions.offsets),
        predictions.blocks,
        predictions.algorithms,
        (predictions.negative, predictions.positive),
    )


def refuse_one_class(
    sizes: NDArray[np.intp],
    n_positive: NDArray[np.int64],
    blocks: tuple[str, ...],
    algorithms: tuple[str, ...],
    classes: tuple[str, str],
) -> None:
    """Reject groups with cases of one class; ``classes`` are (negative, positive)."""
    bad = np.flatnonzero((sizes > 0) & ((n_positive == 0) | (n_positive == sizes)))
    if bad.size:
        b, a = divmod(int(bad[0]), len(algorithms))
        only = classes[int(n_positive[bad[0]] > 0)]
        raise InputError(
            f"{bad.size} pairs of block and algorithm have cases of one class only, "
            f"first: block={show(blocks[b])}, algorithm={show(algorithms[a])} has only "
            f"{show(only)}; draw stratified folds, or let undefined scores be "
            "missing (" + setting("one_class", "undefined") + ")"
        )


def unequal(
    sizes: NDArray[np.intp],
    n_positive: NDArray[np.int64],
    blocks: tuple[str, ...],
    algorithms: tuple[str, ...],
) -> tuple[str, ...]:
    """Note that algorithms of a block cannot have been tested on the same cases.

    Groups are in the order of blocks and within them of algorithms; empty ones are
    passed over.
    """
    shape = (len(blocks), len(algorithms))
    both = np.stack([sizes.reshape(shape), n_positive.reshape(shape)])
    there = both[0] > 0
    first = np.take_along_axis(both, there.argmax(axis=1)[None, :, None], axis=2)
    differ = np.argwhere(there & (both != first).any(axis=0))
    if not differ.size:
        return ()
    b, a = map(int, differ[0])
    reference = int(there[b].argmax())
    told = " and ".join(
        f"{algorithms[k]} {both[0, b, k]} cases, {both[1, b, k]} of them positive"
        for k in (reference, a)
    )
    return (
        f"in {np.unique(differ[:, 0]).size} of {len(blocks)} blocks the algorithms "
        f"were not tested on the same cases, first in {blocks[b]}: {told}; tests "
        "that pair them take the cases to be the same (case= checks that)",
    )


def positives_of(
    is_positive: NDArray[np.bool_], offsets: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Count the positive cases of each group; empty groups have none."""
    total = np.concatenate(([0], np.cumsum(is_positive, dtype=np.int64)))
    counts: NDArray[np.int64] = np.diff(total[offsets])
    return counts
