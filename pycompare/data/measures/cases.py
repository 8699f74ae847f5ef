"""Labels and scores of cases, given as arrays or frames: checked once, here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base import arguments
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import (
    label_text,
    require_unique_names,
    show,
    show_all,
    unique_labels,
)
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels.cumulative_counts import Steps, steps


@dataclass(frozen=True, eq=False)
class Cases:
    """Cases with their class, and scores of one or more classifiers.

    Attributes
    ----------
    truth : ndarray of bool, shape (n,)
        True for positive cases.
    score : ndarray, shape (k, n)
        One row per classifier; higher means more positive. Never NaN.
    names : tuple of str
        The classifiers.
    positive : str
        The label of the positive class.
    cluster : ndarray of int or None, shape (n,)
        Codes 0, 1, ... of clusters of dependent cases.
    """

    truth: Bools
    score: Floats
    names: tuple[str, ...]
    positive: str
    cluster: Ints | None = None

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters, if cases are in clusters."""
        return None if self.cluster is None else int(self.cluster.max()) + 1

    @property
    def n_positive(self) -> int:
        """Number of positive cases."""
        return int(self.truth.sum())

    @property
    def n_negative(self) -> int:
        """Number of negative cases."""
        return len(self.truth) - self.n_positive

    def r_arguments(self) -> dict[str, Any]:
        """Return truth (0, 1) and scores (cases x classifiers) for R."""
        frame = pd.DataFrame(self.score.T, columns=pd.Index(self.names))
        frame.index = pd.Index([str(i + 1) for i in range(len(frame))])
        arguments = {"truth": self.truth.astype(float), "score": frame}
        if self.cluster is not None:
            arguments["cluster"] = self.cluster + 1.0
        return arguments

    def in_clusters(self, cluster: ArrayLike | None) -> Cases:
        """Return the cases with their clusters, checked; None: independent cases."""
        if cluster is None:
            return self
        labels, n = arguments.array(cluster, "cluster"), len(self.truth)
        if labels.shape != (n,):
            raise InputError(
                setting("cluster", ...)
                + f" has shape {labels.shape} for {n} cases; give one label per case"
            )
        missing = pd.isna(labels)
        if missing.any():
            raise InputError(
                setting("cluster", ...)
                + f" has no label for {counted(int(missing.sum()), 'case')}, first: "
                f"case {int(np.argmax(missing)) + 1}; give every case a cluster"
            )
        codes = pd.factorize(labels)[0]
        for members, name in ((self.truth, "positive"), (~self.truth, "negative")):
            if len(np.unique(codes[members])) < 2:
                raise DesignError(
                    f"all {name} cases are in one cluster; a variance over clusters "
                    f"needs two clusters with cases of each class"
                )
        return replace(self, cluster=codes)


def one_score(label: Any, score: Any, positive: object) -> Cases:
    """Check labels and one vector of scores."""
    arguments.same_rows(label=label, score=score)
    truth = truths(label, positive)
    values = numbers(score, "score")
    if values.ndim != 1 or truth.ndim != 1:
        raise InputError(
            f"labels of shape {truth.shape} and scores of shape {values.shape}: give "
            f"one label and one score per case, each a vector"
        )
    _require_length(truth, len(values))
    _require_both(truth, positive)
    return Cases(truth, values[None], ("score",), label_text(positive))


def many_scores(label: ArrayLike, scores: Any, positive: object) -> Cases:
    """Check labels and the scores of at least two classifiers on the same cases.

    ``scores`` is a frame with one column per classifier, a mapping name -> vector, or
    an array of shape (n_cases, n_classifiers).
    """
    each = scores if isinstance(scores, Mapping) else {"scores": scores}
    for name, column in each.items():
        arguments.same_rows(**{"label": label, f"scores of {show(name)}": column})
    truth = truths(label, positive)
    if truth.ndim != 1:
        raise InputError(f"labels of shape {truth.shape}: give one label per case")
    names, columns = named_columns(scores)
    if len(names) < 2:
        raise InputError(
            f"scores of {len(names)} classifier: give two or more, as columns of a "
            f"frame, a mapping name -> scores, or an array (n_cases, n_classifiers)"
        )
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1 or len(column) != len(truth):
            raise InputError(
                f"scores of {show(name)} have shape {column.shape}, the labels "
                f"{truth.shape}: give one score per case and classifier"
            )
    _require_both(truth, positive)
    return Cases(truth, np.array(columns), names, label_text(positive))


def probabilities(label: ArrayLike, scores: Any, positive: object) -> Cases:
    """Check labels and the probabilities of one classifier or more.

    ``scores`` is one vector, or as in ``many_scores``; every number is in [0, 1].
    """
    named = isinstance(scores, Mapping) or hasattr(scores, "columns")
    single = not named and numbers(scores, "scores").ndim == 1
    cases = (one_score if single else many_scores)(label, scores, positive)
    for name, column in zip(cases.names, cases.score, strict=True):
        require_probabilities(column, f"scores of {show(name)}")
    return cases


def require_probabilities(values: Floats, what: str) -> None:
    """Reject numbers outside [0, 1]; name the first case."""
    wrong = np.flatnonzero((values < 0) | (values > 1))
    if len(wrong):
        raise InputError(
            f"{what}: case {wrong[0] + 1} has {values[wrong[0]]:g}; give probabilities "
            "in [0, 1]"
        )


def named_columns(scores: Any) -> tuple[tuple[str, ...], list[Floats]]:
    """Return the classifiers' names and their checked scores."""
    if not isinstance(scores, Mapping) and not hasattr(scores, "columns"):
        values = numbers(scores, "scores")
        if values.ndim != 2:
            raise InputError(
                f"scores of shape {values.shape}: give a frame, a mapping name -> "
                f"scores, or an array (n_cases, n_classifiers)"
            )
        names = tuple(f"score {j + 1}" for j in range(values.shape[1]))
        return names, list(values.T)
    if not isinstance(scores, Mapping):
        import narwhals as nw

        if hasattr(scores, "iloc"):  # pandas alone allows equal names
            require_unique_names([label_text(name) for name in scores.columns])
        scores = nw.from_native(scores, eager_only=True).to_dict(as_series=True)
        scores = {name: column.to_numpy() for name, column in scores.items()}
    names = unique_labels([label_text(name) for name in scores], what="the scores")
    columns = zip(names, scores.values(), strict=True)
    return names, [
        numbers(column, f"scores of {show(name)}") for name, column in columns
    ]


def truths(label: Any, positive: object) -> Bools:
    """Return which cases are positive; more than two classes are rejected."""
    labels = arguments.case_labels(label, "labels")
    flat = labels.ravel()
    if not flat.size:
        raise InputError("there are no cases: the labels are empty")
    if flat.dtype.kind in "US":
        flat = flat.astype(object)
    distinct = list(pd.unique(flat))
    if len(distinct) > 2:
        raise InputError(
            f"there are {len(distinct)} classes: {show_all(map(_plain, distinct))}; "
            f"two are needed: choose a pair, or compare one class with all others "
            f"together (label == {show(positive)})"
        )
    chosen = [value for value in distinct if _same(value, positive)]
    if not chosen:
        raise InputError(
            f"positive={show(positive)}: no case has this label; the labels are "
            f"{show_all(map(_plain, distinct))}"
        )
    return np.asarray(flat == chosen[0], bool).reshape(labels.shape)


def _plain(value: Any) -> Any:
    """Return NumPy's scalars as Python's, which read better in a message."""
    return value.item() if isinstance(value, np.generic) else value


def _same(value: Any, positive: Any) -> bool:
    """Return whether two labels are the same: 1, 1.0 and True are, '1' is not."""
    try:
        return isinstance(value, str) == isinstance(positive, str) and bool(
            value == positive
        )
    except OverflowError:  # NumPy's true and false, and a number beyond C's
        return False


def numbers(score: Any, what: str) -> Floats:
    """Return scores as floats; text and NaN are rejected, infinities are scores."""
    values = arguments.numbers(score, what, truth_values=True)
    missing = np.isnan(values)
    if missing.any():
        first = np.argwhere(missing)[0]
        raise InputError(
            f"{what}: {missing.sum()} of {values.size} are NaN, first: position "
            f"{', '.join(str(i + 1) for i in first)}; leave such cases out for all "
            f"classifiers, or score them again"
        )
    return values


def _require_length(truth: Bools, n: int) -> None:
    """Reject labels and scores of different length."""
    if len(truth) != n:
        raise InputError(
            f"{len(truth)} labels and {n} scores: give one label and one score per case"
        )


def _require_both(truth: Bools, positive: object) -> None:
    """Reject cases of one class only; the positive class is there already."""
    if truth.all():
        raise InputError(
            f"all {len(truth)} cases have the label {show(positive)}; an ROC curve "
            f"needs cases of two classes"
        )


def one_curve(
    label: ArrayLike | Sequence[object], score: ArrayLike, positive: object
) -> tuple[Cases, Steps]:
    """Check labels and finite scores of one classifier; count at every score.

    Raises
    ------
    InputError
        If there are not two classes, the positive class is not there, or a score is
        not a finite number.
    """
    cases = one_score(label, score, positive)
    values = cases.score[0]
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise InputError(
            f"score: {infinite.size} of {values.size} are infinite, first: position "
            f"{infinite[0] + 1}; no threshold separates them"
        )
    return cases, steps(values, cases.truth, [0, values.size])


def r_arguments(cases: Cases) -> dict[str, Any]:
    """Return the cases as R gets them."""
    return {"positive": cases.truth.astype(float), "score": cases.score[0]}
