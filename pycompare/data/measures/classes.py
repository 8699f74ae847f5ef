"""The two classes that a classifier of many classes confuses most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import case_labels, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import levels, show


@checked
def most_confused(
    label: ArrayLike | Sequence[object], predicted: ArrayLike | Sequence[object]
) -> tuple[str, str]:
    """Return the two classes that are confused with each other most often.

    Aslan (2009), sec. 3.2.1 makes two-class problems of data sets with more classes in
    this way, by the confusion matrix of the 1-nearest neighbour classifier.

    Parameters
    ----------
    label, predicted : sequences of length n
        True classes of the cases and the classes that a classifier called.

    Returns
    -------
    tuple of two str
        The pair with the largest sum of both kinds of confusion, in the order of
        first appearance in ``label`` and ``predicted``: for ``classes=`` of
        `Predictions.from_frame`.

    Raises
    ------
    InputError
        If the lengths differ, nothing is confused, or two pairs are confused equally
        often.

    Notes
    -----
    R: ``m <- table(label, predicted); m <- m + t(m)``, the largest entry off the
    diagonal.

    Examples
    --------
    >>> import pycompare as pc
    >>> truth = ["a", "b", "c", "a", "b", "c", "a", "b"]
    >>> decided = ["a", "c", "c", "a", "c", "b", "a", "b"]
    >>> pc.most_confused(truth, decided)
    ('b', 'c')
    """
    same_rows(label=label, predicted=predicted)
    truth = case_labels(label, "label")
    called = case_labels(predicted, "predicted")
    if truth.shape != called.shape or truth.ndim != 1 or not truth.size:
        raise InputError(
            "label and predicted must be vectors of one length above 0, got the shapes "
            f"{truth.shape} and {called.shape}"
        )
    both = [*truth.tolist(), *called.tolist()]
    class_levels = levels(both, what="label and predicted")
    k = len(class_levels.labels)
    true, call = np.split(class_levels.codes, 2)
    matrix = np.bincount(true * k + call, minlength=k * k).reshape(k, k)
    wrong = np.triu(matrix + matrix.T, 1)
    most = wrong.max()
    if most == 0:
        raise InputError("no case was classified as another class")
    pairs = [
        (class_levels.labels[i], class_levels.labels[j])
        for i, j in np.argwhere(wrong == most)
    ]
    if len(pairs) > 1:
        told = "; ".join(
            f"{show(first)} and {show(second)}" for first, second in pairs[:5]
        )
        raise InputError(
            f"{len(pairs)} pairs of classes are confused equally often ({most} times): "
            f"{told}; choose one"
        )
    return pairs[0]
