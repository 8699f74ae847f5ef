"""Predictions from the results of scikit-learn's cross_validate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pycompare.apps.experiments.estimators import positive_scores
from pycompare.base.arguments import case_labels
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import require_two, show
from pycompare.base.typing import Indices
from pycompare.data.cross_validate import require_same_folds, splits
from pycompare.data.predictions import Predictions


@checked
def from_cross_validate(
    results: Mapping[str, Mapping[str, Any]],
    features: Any,
    label: Any,
    *,
    positive: object,
    rest: bool = False,
) -> Predictions:
    """Return the predictions behind results of scikit-learn's ``cross_validate``.

    Parameters
    ----------
    results : mapping of str to dict
        For each algorithm what ``cross_validate(estimator, features, label, cv=cv,
        return_estimator=True, return_indices=True)`` returned, with one ``cv`` that
        splits alike each time: ``list(splitter.split(features, label))``.
    features, label : array or frame
        As given to ``cross_validate``.
    positive : text, number or bool
        Which class is the positive one.
    rest : bool, default False
        True: all other classes together are the negative class.

    Returns
    -------
    Predictions
        A block is a fold, labelled from 1; a case is its row, from 0. The score is the
        probability of the positive class, or of an estimator without
        ``predict_proba`` its decision value.

    Raises
    ------
    InputError
        If estimators or indices were not kept, the folds of two algorithms differ, an
        estimator gives no scores, or as `Predictions.from_frame`.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> from sklearn.model_selection import StratifiedKFold, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> rng = np.random.default_rng(1)
    >>> label = np.array(["ham", "spam"] * 30)
    >>> features = rng.normal(size=(60, 2)) + (label == "spam")[:, None]
    >>> cv = list(StratifiedKFold(5).split(features, label))
    >>> models = {"NB": GaussianNB(), "k-NN": KNeighborsClassifier()}
    >>> results = {
    ...     name: cross_validate(
    ...         model, features, label, cv=cv,
    ...         return_estimator=True, return_indices=True,
    ...     )
    ...     for name, model in models.items()
    ... }
    >>> pc.from_cross_validate(results, features, label, positive="spam")
    <Predictions: 120 scores, 5 blocks x 2 algorithms, positive: spam>
    """
    if not isinstance(results, Mapping) or not results:
        raise InputError(
            "results must map each algorithm's name to the results of cross_validate, "
            f"got {show(results)}"
        )
    require_two("algorithms", list(map(str, results)))
    folds = {name: _folds(name, result) for name, result in results.items()}
    require_same_folds(folds)
    y = case_labels(label, "labels")
    last = max(int(test.max(initial=0)) for held in folds.values() for _, test in held)
    if y.ndim != 1 or len(y) <= last:
        raise InputError(
            f"label: give one label per case; the folds test case {last + 1}, and the "
            f"labels have shape {y.shape}"
        )
    if not hasattr(features, "__getitem__") or isinstance(features, str | bytes):
        raise InputError(f"features={show(features)}: give an array or a frame")
    rows = features.shape[0] if getattr(features, "shape", ()) else len(features)
    if rows <= last:
        raise InputError(
            f"features: the folds test case {last + 1}, and there are {rows} rows; "
            "give the features of all cases"
        )
    columns: dict[str, list[Any]] = {
        name: [] for name in ("algorithm", "fold", "case", "label", "score")
    }
    for name, result in results.items():
        for k, ((_, test), fitted) in enumerate(
            zip(folds[name], result["estimator"], strict=True)
        ):
            columns["algorithm"] += [name] * test.size
            columns["fold"] += [f"{k + 1:0{len(str(len(folds[name])))}d}"] * test.size
            columns["case"] += test.tolist()
            columns["label"] += y[test].tolist()
            columns["score"] += _scores(
                name, k, fitted, _rows_of(features, test), positive
            )
    return Predictions.from_frame(
        columns,
        algorithm="algorithm",
        block="fold",
        case="case",
        label="label",
        score="score",
        positive=positive,
        rest=rest,
    )


def _rows_of(features: Any, rows: Indices) -> Any:
    """Take rows of a frame, an array, a sparse matrix or a list, in its own kind."""
    if hasattr(features, "iloc"):
        return features.iloc[rows]
    if isinstance(features, list | tuple):
        return [features[row] for row in rows]
    return features[rows]


def _scores(
    name: str, k: int, fitted: Any, features: Any, positive: object
) -> list[float]:
    try:
        score: list[float] = positive_scores(fitted, features, positive).tolist()
    except InputError as error:
        raise InputError(f"algorithm={show(name)}, fold {k + 1}: {error}") from error
    return score


def _folds(name: str, result: Mapping[str, Any]) -> Sequence[tuple[Indices, Indices]]:
    for key in ("estimator", "indices"):
        if not isinstance(result, Mapping) or key not in result:
            raise InputError(
                f"algorithm {show(name)}: there is no {key!r}; call cross_validate "
                "with return_estimator=True and return_indices=True"
            )
    return splits(result)
