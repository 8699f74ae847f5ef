"""Scores from the results of scikit-learn's cross_validate, without scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import nearest, require_two, show, show_all, unique_labels
from pycompare.base.metric import Metric
from pycompare.data.block_labels import of_pairs
from pycompare.data.missing import Cells

RowNumbers = NDArray[np.intp]
CrossValidated = Mapping[str, Any]

_TEST = "test_"
"""How the key of a metric begins."""
_ONLY = "score"
"""What cross_validate calls the metric if it was given no names of metrics."""
_ONE_CV = "give all the same splits: cv=list(splitter.split(features, label))"


def is_results(data: object) -> bool:
    """Return whether data may be results by algorithm, or by data set and algorithm."""
    return isinstance(data, Mapping) and any(
        isinstance(value, Mapping) for value in data.values()
    )


def result_cells(
    results: Mapping[str, Any], metrics: Sequence[Metric], dataset: str | None
) -> tuple[Cells, tuple[str, ...]]:
    """Read results as cells, with notes on the parts that were not read; see Scores.

    Raises
    ------
    InputError
        As ``Scores.from_cross_validate``.
    """
    by_dataset = _by_dataset(results, dataset)
    algorithms = unique_labels(next(iter(by_dataset.values())), what="algorithms")
    require_two("algorithms", algorithms)
    pairs: list[tuple[str, str]] = []
    values = []
    for name, own in by_dataset.items():
        _require_same_algorithms(name, own, algorithms)
        n_folds = _folds(own, metrics)
        width = len(str(n_folds))
        pairs += [(name, f"{k + 1:0{width}d}") for k in range(n_folds)]
        table = [
            [_scores_of(validated, m, a) for m in metrics]
            for a, validated in own.items()
        ]
        values.append(np.moveaxis(np.array(table, float), 2, 0))
    names = tuple(metric.name for metric in metrics)
    cells = Cells(np.concatenate(values), of_pairs(pairs), algorithms, names)
    return cells, tuple(_notes(by_dataset, metrics))


def metrics_of(results: Mapping[str, Any]) -> list[str]:
    """Return the metrics of the first result, as cross_validate names them."""
    own = next(iter(_by_dataset(results, None).values()))
    first = next(iter(own.values()))
    return [key.removeprefix(_TEST) for key in first if str(key).startswith(_TEST)]


def _is_result(value: object) -> bool:
    return isinstance(value, Mapping) and any(
        isinstance(key, str) and key.startswith(_TEST) for key in value
    )


def _by_dataset(
    results: Mapping[str, Any], dataset: str | None
) -> dict[str, dict[str, CrossValidated]]:
    """Return results by data set and algorithm, or reject other forms."""
    if any(map(_is_result, results.values())):
        return {dataset or "data": _algorithms(results, "")}
    inner = {
        str(name): _algorithms(own, f"data set {show(name)}: ")
        for name, own in results.items()
        if isinstance(own, Mapping) and own
    }
    if len(inner) < len(results) or not inner:
        name = next(
            n for n, v in results.items() if not isinstance(v, Mapping) or not v
        )
        raise InputError(_no_result(name, results[name], ""))
    unique_labels(list(inner), what="data sets")
    if dataset is not None:
        raise InputError(
            setting("dataset", dataset)
            + f": the results are of the data sets {show_all(inner)}; leave it out"
        )
    return inner


def _algorithms(results: Mapping[str, Any], where: str) -> dict[str, CrossValidated]:
    for name, validated in results.items():
        if not _is_result(validated):
            raise InputError(_no_result(name, validated, where))
    return {str(name): validated for name, validated in results.items()}


def _no_result(name: object, validated: object, where: str) -> str:
    held = (
        f"keys {show_all(validated)}"
        if isinstance(validated, Mapping)
        else show(validated)
    )
    return (
        f"{where}{show(name)} has no scores that begin with 'test_' ({held}); give "
        "the results of cross_validate for each algorithm, {'svm': cross_validate(...)}"
    )


def _require_same_algorithms(
    dataset: str, own: Mapping[str, CrossValidated], algorithms: tuple[str, ...]
) -> None:
    if tuple(own) != algorithms:
        raise InputError(
            f"data set {show(dataset)} has the algorithms {show_all(own)}, the first "
            f"one {show_all(algorithms)}; give all data sets the same, in one order"
        )


def _scores_of(
    result: CrossValidated, metric: Metric, algorithm: str
) -> NDArray[np.float64]:
    """Return the scores of one algorithm in one metric, fold by fold."""
    there = [key for key in result if str(key).startswith(_TEST)]
    key = _TEST + metric.name
    if key not in result and there == [_TEST + _ONLY]:
        key = _TEST + _ONLY  # one metric without a name: the call names it
    if key not in result:
        names = [name.removeprefix(_TEST) for name in there]
        raise InputError(
            f"algorithm {show(algorithm)} has no scores {show(key)}"
            f"{nearest(metric.name, names)}; metrics: {show_all(names)}"
        )
    scores = np.asarray(result[key])
    if scores.ndim != 1 or scores.dtype.kind not in "fiu":
        raise InputError(
            f"algorithm {show(algorithm)}: {show(key)} must hold one number per fold, "
            f"got {show(result[key])}"
        )
    return scores.astype(float)


def _folds(own: Mapping[str, CrossValidated], metrics: Sequence[Metric]) -> int:
    """Return the number of folds, the same for all algorithms and metrics."""
    counts = {
        name: _scores_of(validated, metric, name).size
        for metric in metrics
        for name, validated in own.items()
    }
    (first, n_folds), *others = counts.items()
    for name, count in others:
        if count != n_folds:
            raise InputError(_folds_differ(name, count, first, n_folds))
    indexed = {
        name: splits(validated)
        for name, validated in own.items()
        if "indices" in validated
    }
    if len(indexed) == len(own):
        require_same_folds(indexed)
    return n_folds


def splits(result: CrossValidated) -> list[tuple[RowNumbers, RowNumbers]]:
    """Return the training and test rows of each fold."""
    indices = result["indices"]
    return list(zip(indices["train"], indices["test"], strict=True))


def require_same_folds(
    folds: Mapping[str, Sequence[tuple[RowNumbers, RowNumbers]]],
) -> None:
    """Reject algorithms that were not run on the same folds."""
    (first, wanted), *others = folds.items()
    for name, other_folds in others:
        if len(other_folds) != len(wanted):
            raise InputError(_folds_differ(name, len(other_folds), first, len(wanted)))
        for k, (ours, theirs) in enumerate(zip(wanted, other_folds, strict=True)):
            if not all(map(np.array_equal, ours, theirs)):
                raise InputError(
                    f"algorithms {show(first)} and {show(name)} have different cases "
                    f"in fold {k + 1}; {_ONE_CV}"
                )


def _folds_differ(name: str, count: int, first: str, wanted: int) -> str:
    return (
        f"algorithm {show(name)} has {count} folds and {show(first)} {wanted}; use one "
        "cv for all"
    )


def _notes(
    by_dataset: Mapping[str, Mapping[str, CrossValidated]], metrics: Sequence[Metric]
) -> Iterator[str]:
    """State the other contents, and whether the folds are known to be one set."""
    every = [validated for own in by_dataset.values() for validated in own.values()]
    keys = dict.fromkeys(str(key) for validated in every for key in validated)
    read = {_TEST + metric.name for metric in metrics} | {"estimator", "indices"}
    if len(metrics) == 1 and _TEST + metrics[0].name not in keys:
        read.add(_TEST + _ONLY)
    left = [key for key in keys if key not in read]
    if left:
        yield f"not compared, of the results of cross_validate: {', '.join(left)}"
    if not all("indices" in validated for validated in every):
        yield (
            "folds are paired by their place: without return_indices=True the results "
            "cannot show that all algorithms had the same folds"
        )


def require_directions(metrics: Sequence[Metric]) -> None:
    """Reject scikit-learn's negated losses if lower is declared to be better."""
    for metric in metrics:
        if metric.name.startswith("neg_") and metric.better == "lower":
            raise InputError(
                f"metric {show(metric.name)}: scikit-learn negates such a loss, so "
                "that higher is better: " + setting("better", "higher")
            )
