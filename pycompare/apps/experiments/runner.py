"""Run algorithms on data sets by a protocol; finished parts are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.apps.experiments import parts, record
from pycompare.apps.experiments.dataset import DataSet
from pycompare.apps.experiments.estimators import derived_seed, require_estimator
from pycompare.apps.experiments.fold import Fold
from pycompare.apps.experiments.protocols import Protocol, Split
from pycompare.base.arguments import is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import require_two, show, unique_labels
from pycompare.base.parallel.progress import Progress, discard, on_stderr
from pycompare.base.parallel.whole_file import remove_strays
from pycompare.base.parallel.workers import results
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
    workers: int = 1,
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
    workers : int, default 1
        Processes that work on folds.
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
    _check(datasets, algorithms, protocol, seed, workers)
    seed, workers = int(seed), int(workers)
    root = Path(folder)
    folds = [
        Fold(name, data, split, seed, root / parts.part_path(name, split.fold))
        for name, data in datasets.items()
        for split in splits_of(name, data, protocol, seed)
    ]
    record.begin(root, record.plan_of(datasets, algorithms, protocol, seed))
    say = on_stderr("experiment") if progress else discard
    _work(folds, algorithms, workers, Progress(len(folds), "folds", say))
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


def _work(
    folds: Sequence[Fold],
    algorithms: Mapping[str, Any],
    workers: int,
    progress: Progress,
) -> None:
    """Do the folds that have no file yet."""
    todo = dict(enumerate(fold for fold in folds if not parts.is_whole(fold.path)))
    progress.resumed(len(folds) - len(todo))
    fit = partial(_run, algorithms)
    for _ in results(fit, todo, workers=workers, say=progress.say):
        progress.step()


def _run(algorithms: Mapping[str, Any], fold: Fold) -> None:
    """Do one fold."""
    fold.run(algorithms)


def _require_only(root: Path, folds: Sequence[Fold]) -> None:
    """Reject Parquet files that are no fold of the plan; they would be read as one."""
    known = {str(fold.path.relative_to(root)) for fold in folds}
    foreign = [part.name for part in parts_of(root) if part.name not in known]
    if foreign:
        raise InputError(
            f"folder {show(str(root))} holds {foreign[0]}, which is no fold of this "
            "experiment; move it away"
        )


def _warnings(folds: Sequence[Fold]) -> list[str]:
    """Return the warnings of the fits, by algorithm and text, and in how many fits."""
    counts: Counter[tuple[str, str]] = Counter()
    for fold in folds:
        for algorithm, texts in parts.read_warnings(fold.path).items():
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
    workers: int,
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
    for what, number in (("seed", seed), ("workers", workers)):
        if not is_whole(number):
            raise InputError(f"{what}={show(number)}: give a whole number")
    if seed < 0 or workers < 1:
        raise InputError(
            setting("seed", seed)
            + ", "
            + setting("workers", workers)
            + ": give a seed of at least 0 and one "
            "worker or more"
        )
