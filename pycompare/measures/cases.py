"""Labels and scores of cases of one test set, checked as `Predictions` are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.data.cells import finite_scores
from pycompare.data.classes import two_classes
from pycompare.data.frames import as_table
from pycompare.errors import InputError


class BinaryCases(NamedTuple):
    """Cases of two classes.

    Attributes
    ----------
    is_positive : ndarray of bool, shape (n,)
    score : ndarray, shape (n,)
    """

    is_positive: NDArray[np.bool_]
    score: NDArray[np.float64]

    @property
    def offsets(self) -> NDArray[np.intp]:
        """The one group that these cases are."""
        return np.array([0, self.score.size], np.intp)

    def r_arguments(self) -> dict[str, Any]:
        """Return the cases as R gets them."""
        return {"positive": self.is_positive.astype(float), "score": self.score}


def binary_cases(
    label: ArrayLike | Sequence[object], score: ArrayLike, *, positive: object
) -> BinaryCases:
    """Check the labels and scores of one test set.

    Parameters
    ----------
    label : sequence of length n
        Text, numbers, true and false; two distinct ones.
    score : array_like, shape (n,)
        Finite, higher for the positive class.
    positive : text, number or bool
        Which label is positive.

    Raises
    ------
    InputError
        If the lengths differ, a label or score cannot be used, the positive class is
        not there, or there are not two classes.
    """
    labels, scores = list(np.asarray(label).ravel().tolist()), np.asarray(score)
    if scores.ndim != 1 or len(labels) != scores.size:
        raise InputError(
            f"label and score must be two vectors of one length, got {len(labels)} "
            f"labels and scores of shape {scores.shape}"
        )
    if not labels:
        raise InputError("there are no cases")
    table = as_table({"label": labels, "score": scores.tolist()})
    found = table.levels("label")
    classes = two_classes(found.labels, positive=positive)
    return BinaryCases(classes.sides[found.codes] == 1, finite_scores(table, "score"))
