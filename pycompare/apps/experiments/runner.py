"""Run algorithms on data sets by a protocol; finished parts are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.apps.experiments import parts
from pycompare.apps.experiments.dataset import DataSet
from pycompare.apps.experiments.estimators import (
    derived_seed,
    described,
    require_estimator,
)
from pycompare.apps.experiments.fold import ExperimentPlan, FoldKey, fit_fold, fold_of
from pycompare.apps.experiments.protocols import Protocol, Split
from pycompare.base.arguments import is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import require_two, show, unique_labels
from pycompare.base.parallel.place import working
from pycompare.base.parallel.progress import discard, on_stderr
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import begin
from pycompare.base.whole_file import remove_strays
from pycompare.data.partitions import parts_of
from pycompare.data.prediction_files import read_predictions
from pycompare.data.predictions import Predictions


@checked
def experiment(
    datasets: Mapping[str, DataSet],
    algorithms: Mapping[str, Any],
    *,
    protocol: Protocol,
    folder: str | PathLike[str],
    seed: int,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    progress: bool = True,
) -> Predictions:
    """Train and test algorithms on data sets, all on the same splits.

    Every finished fold of a data set is one Parquet file, written aside and renamed. A
    run that was killed, with ``kill -9`` too, goes on where it was when it is called
    again with the same plan and folder, and gives the same bits, whatever the number
    of workers.

    Parameters
    ----------
    datasets : mapping of str to DataSet
    algorithms : mapping of str to estimator
        At least two, of scikit-learn or like it, unfitted; see
        ``pycompare.apps.experiments.learners``. Each fold fits a copy, on labels 1
        (positive) and 0. Its score for a case is the probability of the positive
        class (``predict_proba``) or, of an estimator without, the decision value.
    protocol : Protocol
        ``pc.HeldOut()`` (Aslan 2009), ``pc.StratifiedFolds()`` (Yildiz et al. 2011),
        ``pc.FiveByTwo()``, ``pc.RepeatedFolds()`` or ``pc.DisjointSets()``.
    folder : path
        New, or of an earlier run with the same plan.
    seed : int
        Decides splits and every ``random_state`` that is None: by the data set's name
        and the fold, so that other data sets or algorithms in the plan change nothing.
        A fold's seed is the same for all algorithms.
    workers : int, optional
        Processes that work on folds. Default: as ``joblib.parallel_config`` is set,
        or 1.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same software, which is checked;
        they get the data sets once, and need no disk of this machine.
    progress : bool, default True
        Print finished folds on stderr.

    Returns
    -------
    Predictions
        A block is a fold of a data set, ``dataset/fold``; a case is its row in the
        data set, from 0; the classes are called positive and negative. ``notes`` have
        protocol, seed, and the warnings of the fits.

    Raises
    ------
    InputError
        If a class of a data set has fewer cases than the protocol needs; an estimator
        fails or gives no scores; the folder holds another plan or other files; a name
        is too long for a folder. Folds that were finished before stay.

    Notes
    -----
    The folder can be read in part, by any reader of partitioned Parquet: columns
    ``dataset`` and ``fold`` from the paths, ``algorithm``, ``case``, ``label``,
    ``score``. ``_plan.json`` has the seed, hashes of the data and all parameters of
    the estimators. Each fold computes with one thread, because sums depend on their
    number.

    The same bits are promised for the same versions of numpy, scipy and scikit-learn
    (the plan has them) on the same kind of processor. The plan knows classes and
    functions by name: take a new folder when their code has changed. One run at a time
    works in a folder.

    The predictions are held in memory at the end; `pycompare.measure_file` measures a
    folder part by part, with the columns above and ``positive="positive"``.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, sec. 3.2.3.
    .. [2] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), sec. 4.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> from pycompare.apps.experiments.learners import naive_bayes, nearest_neighbours
    >>> rng = np.random.default_rng(1)
    >>> label = np.array(["ham", "spam"] * 30)
    >>> features = rng.normal(size=(60, 2)) + (label == "spam")[:, None]
    >>> with TemporaryDirectory() as folder:
    ...     cases = pc.experiment(
    ...         {"mail": pc.DataSet.of(features, label, positive="spam")},
    ...         {"k-NN": nearest_neighbours(), "NB": naive_bayes()},
    ...         protocol=pc.StratifiedFolds(3), folder=f"{folder}/run", seed=1,
    ...         progress=False,
    ...     )
    >>> cases
    <Predictions: 120 scores, 3 blocks x 2 algorithms, positive: positive>
    """
    _check(datasets, algorithms, protocol, seed)
    seed = int(seed)
    root = Path(folder)
    plan = ExperimentPlan(datasets, algorithms, protocol, seed)
    splits = {n: splits_of(n, data, protocol, seed) for n, data in datasets.items()}
    keys = [FoldKey(name, i) for name in datasets for i in range(len(splits[name]))]
    folds = [
        root / parts.part_path(name, splits[name][number].fold) for name, number in keys
    ]
    say = on_stderr("experiment") if progress else discard
    with working(workers, scheduler, say):
        described = _plan_of(datasets, algorithms, protocol, seed)
        begin(root, described, name="_plan.json", what="experiment")
        kept = _Folds(plan, keys, folds)
        for _ in tasks(fit_fold, plan, keys, what="folds", kept=kept):
            pass  # each is kept as soon as it is there
    remove_strays(root)
    _require_only(root, folds)
    predictions = read_predictions(
        root,
        algorithm="algorithm",
        block="fold",
        dataset="dataset",
        case="case",
        label="label",
        score="score",
        positive=parts.POSITIVE,
    )
    notes = (f"experiment: {protocol}, seed {seed}", *_warnings(folds))
    return replace(predictions, notes=(*predictions.notes, *notes))


def splits_of(
    name: str, data: DataSet, protocol: Protocol, seed: int
) -> Sequence[Split]:
    """Divide a data set as `experiment` does.

    Parameters
    ----------
    name : str
        The data set's name, which the division depends on.
    data : DataSet
    protocol : Protocol
    seed : int

    Raises
    ------
    InputError
        If a class has fewer cases than the protocol needs.
    """
    if data.smaller_class < protocol.least:
        raise InputError(
            f"dataset={show(name)}: one class has {data.smaller_class} cases, and "
            f"{protocol} needs {protocol.least} of each, or a fold would lack it; use "
            "fewer folds or leave the data set out"
        )
    return protocol.splits(data.is_positive, derived_seed(seed, name, "splits"))


@dataclass(frozen=True)
class _Folds:
    """The files of folds, which the first process writes: no disk is shared."""

    plan: ExperimentPlan
    keys: Sequence[FoldKey]
    paths: Sequence[Path]

    def done(self, count: int) -> dict[int, Any]:
        """Return the folds that have a file."""
        return {i: None for i in range(count) if parts.is_whole(self.paths[i])}

    def keep(self, key: int, result: Any) -> None:
        """Write the file of a fold."""
        fold_of(self.plan, self.keys[key]).write(self.paths[key], result)


def _require_only(root: Path, folds: Sequence[Path]) -> None:
    """Reject Parquet files that are no fold of the plan; they would be read as one."""
    known = {str(fold.relative_to(root)) for fold in folds}
    foreign = [part.name for part in parts_of(root) if part.name not in known]
    if foreign:
        raise InputError(
            f"folder {show(str(root))} holds {foreign[0]}, which is no fold of this "
            "experiment; move it away"
        )


def _warnings(folds: Sequence[Path]) -> list[str]:
    """Return the warnings of the fits, by algorithm and text, and in how many fits."""
    counts: Counter[tuple[str, str]] = Counter()
    for fold in folds:
        for algorithm, texts in parts.read_warnings(fold).items():
            counts.update((algorithm, text) for text in texts)
    return [
        f"{algorithm}: {count} of {len(folds)} fits warned, {text}"
        for (algorithm, text), count in counts.items()
    ]


def _check(
    datasets: Mapping[str, DataSet],
    algorithms: Mapping[str, Any],
    protocol: Protocol,
    seed: int,
) -> None:
    for what, given in (("datasets", datasets), ("algorithms", algorithms)):
        if not isinstance(given, Mapping) or not given:
            raise InputError(f"{what}: give a mapping from names, got {show(given)}")
        if bad := [name for name in given if not isinstance(name, str)]:
            raise InputError(f"{what}: the name {show(bad[0])} is no text")
        unique_labels(given, what=what)
    require_two("algorithms", list(algorithms))
    for name, data in datasets.items():
        if not isinstance(data, DataSet):
            raise InputError(
                f"dataset {show(name)} is a {type(data).__name__}; make it with "
                "DataSet.of(features, label, positive=...)"
            )
    for name, each in algorithms.items():
        require_estimator(name, each)
    if not isinstance(protocol, Protocol):
        raise InputError(
            f"protocol={show(protocol)}: give HeldOut(), StratifiedFolds(), "
            "FiveByTwo(), RepeatedFolds() or DisjointSets()"
        )
    if not is_whole(seed) or seed < 0:
        raise InputError(setting("seed", seed) + ": give a whole number, 0 or more")


def _plan_of(
    datasets: Mapping[str, DataSet],
    algorithms: Mapping[str, Any],
    protocol: Protocol,
    seed: int,
) -> dict[str, Any]:
    """Describe all that the predictions depend on."""
    options = {name: str(value) for name, value in asdict(protocol).items()}
    return {
        "format": 1,
        "seed": seed,
        "protocol": {type(protocol).__name__: options},
        "datasets": {name: _described(data) for name, data in datasets.items()},
        "algorithms": {name: described(each) for name, each in algorithms.items()},
        # The order decides the order of rows.
        "order": {"datasets": list(datasets), "algorithms": list(algorithms)},
        "versions": {
            name: version(name) for name in ("numpy", "scipy", "scikit-learn")
        },
    }


def _described(data: DataSet) -> dict[str, Any]:
    """Describe a data set by what identifies it."""
    return {
        "sha256": data.sha256,
        "cases": data.n,
        "features": data.features.shape[1],
        "positive": data.positive,
        "negative": data.negative,
    }
