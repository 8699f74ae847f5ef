"""A data set for an experiment: features and two classes, checked when it is made."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.arguments import array, case_labels
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import levels, show
from pycompare.base.typing import Bools, Floats
from pycompare.data.classes import LEFT_OUT, POSITIVE, two_classes


@dataclass(frozen=True, eq=False, repr=False)
class DataSet:
    """Features and classes of the cases of a two-class problem.

    Attributes
    ----------
    features : ndarray of float, shape (n, n_features)
        Read-only. NaN only with ``missing=True``.
    is_positive : ndarray of bool, shape (n,)
    row : ndarray of int, shape (n,)
        Row of each case in the table it came from, counted from 0.
    positive, negative : str
        Labels of the classes.

    Examples
    --------
    >>> import pycompare as pc
    >>> mail = pc.DataSet.of([[1.0], [2.0]], ["ham", "spam"], positive="spam")
    >>> mail.is_positive.tolist()
    [False, True]
    """

    features: Floats
    is_positive: Bools
    row: NDArray[np.intp]
    positive: str
    negative: str

    def __post_init__(self) -> None:
        n = len(self.features)
        for name in ("is_positive", "row"):
            if getattr(self, name).shape != (n,):
                raise InputError(
                    f"{name} does not fit {n} rows of features; make data sets with "
                    "DataSet.of(features, label, positive=...)"
                )

    @classmethod
    def of(
        cls,
        features: Any,
        label: Any,
        *,
        positive: object,
        rest: bool = False,
        classes: Sequence[object] | None = None,
        missing: bool = False,
    ) -> DataSet:
        """Check features and labels.

        Parameters
        ----------
        features : frame or array of numbers, shape (n, n_features)
            Text is rejected: how a nominal feature becomes numbers is your decision.
        label : sequence of length n
            Classes as text, whole numbers, true and false.
        positive : text, number or bool
            Which class is the positive one.
        rest : bool, default False
            True: all other classes together are the negative class.
        classes : pair of labels, optional
            Use the cases of these two classes only; `pycompare.most_confused` finds
            the pair of Aslan (2009), sec. 3.2.1.
        missing : bool, default False
            True: NaN in the features is allowed, and the estimators deal with it
            (scikit-learn's ``SimpleImputer`` in a pipeline learns from the training
            set alone).

        Returns
        -------
        DataSet

        Raises
        ------
        InputError
            If a feature is not a number, is infinite or is NaN against ``missing``; a
            label is missing; or there are not two classes.
        """
        x = _numbers(features, missing)
        y = _labels(label)
        if len(y) != len(x):
            raise InputError(
                f"{len(x)} rows of features and {len(y)} labels: give one label per row"
            )
        label_levels = levels(y, what="the labels")
        pair = two_classes(
            label_levels.labels, positive=positive, rest=rest, classes=classes
        )
        side = pair.sides[label_levels.codes]
        keep = np.flatnonzero(side != LEFT_OUT)
        return cls(
            _frozen(x[keep]),
            _frozen(side[keep] == POSITIVE),
            _frozen(keep),
            pair.positive,
            pair.negative,
        )

    @property
    def n(self) -> int:
        """Number of cases."""
        return self.is_positive.size

    @property
    def smaller_class(self) -> int:
        """Number of cases of the class that has fewer."""
        n_positive = int(self.is_positive.sum())
        return min(n_positive, self.n - n_positive)

    @property
    def sha256(self) -> str:
        """Hash of features, classes and rows, the same on any machine."""
        digest = hashlib.sha256(repr(self.features.shape).encode("ascii"))
        # NaN has many bit patterns and platforms two byte orders: fix both.
        features = np.where(np.isnan(self.features), np.nan, self.features)
        digest.update(features.astype("<f8").tobytes(order="C"))
        digest.update(self.is_positive.tobytes() + self.row.astype("<i8").tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        n_positive = int(self.is_positive.sum())
        return (
            f"<DataSet: {self.n} cases x {self.features.shape[1]} features, "
            f"{n_positive} {self.positive}, {self.n - n_positive} {self.negative}>"
        )


def _labels(label: Any) -> list[object]:
    values = case_labels(label, "labels")
    if values.ndim != 1:
        raise InputError(f"labels of shape {values.shape}: give one label per case")
    return list(values.tolist())


def _numbers(features: Any, missing: bool) -> Floats:
    """Return features as floats; a column that holds something else is named."""
    if hasattr(features, "toarray"):
        raise InputError(
            "the features are a sparse matrix; an experiment takes dense ones "
            "(.toarray())"
        )
    names = getattr(features, "columns", None)
    values = array(features, "features")
    if values.ndim != 2 or not values.size:
        raise InputError(
            f"features of shape {values.shape}: give one row per case and one column "
            "per feature"
        )
    labels = [str(i) for i in range(values.shape[1])] if names is None else list(names)
    if values.dtype.kind not in "biuf":
        values = _from_objects(values, labels)
    x = values.astype(float)
    _require_finite(x, labels, missing)
    return x


def _from_objects(values: NDArray[Any], names: Sequence[object]) -> NDArray[Any]:
    columns = []
    for name, column in zip(names, values.T, strict=True):
        bad = [v for v in column.tolist() if not isinstance(v, int | float)]
        if bad := [v for v in bad if v is not None and v is not pd.NA]:
            raise InputError(
                f"feature {show(name)} holds {show(bad[0])}, which is not a number; "
                "turn nominal features into numbers first (such as one column for "
                "each value)"
            )
        columns.append(np.where(pd.isna(column), np.nan, column).astype(float))
    return np.stack(columns, axis=1)


def _require_finite(x: Floats, names: Sequence[object], missing: bool) -> None:
    bad = np.isinf(x) if missing else ~np.isfinite(x)
    if not bad.any():
        return
    row, column = np.argwhere(bad)[0]
    hint = (
        ""
        if np.isinf(x[row, column])
        else (
            "; leave such cases out, or set "
            + setting("missing", True)
            + " and let the estimators impute"
        )
    )
    raise InputError(
        f"{bad.sum()} of {bad.size} values of features are NaN or infinite, first: "
        f"feature {show(names[column])} in row {row} is {x[row, column]}{hint}"
    )


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
