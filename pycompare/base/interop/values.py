"""Arguments of R functions, as plain vectors: the one form that R gets them in.

Both ways to R, code as text and the R process, start here. Labels and words are data
on both: they are never part of the code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.tables import Labelled, Matrix, is_frame, is_series

RType = Literal["double", "logical", "character", "null"]


@dataclass(frozen=True)
class RVector:
    """One R vector or matrix.

    Attributes
    ----------
    kind : {"double", "logical", "character", "null"}
    values : tuple
        A matrix column by column; None is R's NA.
    shape : tuple of int or None
        Rows and columns of a matrix.
    labels : tuple of tuple of str or None
        Row and column names of a matrix.
    """

    kind: RType
    values: tuple[Any, ...] = ()
    shape: tuple[int, int] | None = None
    labels: tuple[tuple[str, ...], tuple[str, ...]] | None = None


def r_vector(argument: Any) -> RVector:
    """Return an argument as an R vector.

    Parameters
    ----------
    argument : None, bool, number, str, list or tuple of these, array, Series, DataFrame
        A frame or `Matrix` becomes a matrix with row and column names, its NaN becomes
        NA; numbers become doubles.

    Raises
    ------
    InputError
        For anything else, for text that R cannot hold (a null character, half of a
        surrogate pair) and for numbers that a double cannot hold.
    """
    if argument is None:
        return RVector("null")
    if is_matrix(argument):
        labels = (_texts(argument.index), _texts(argument.columns))
        return _matrix(np.asarray(argument.values, float), labels)
    if isinstance(argument, np.ndarray) and argument.ndim == 2:
        return _matrix(argument.astype(float))
    if isinstance(argument, np.ndarray | Labelled) or is_series(argument):
        return _vector(np.asarray(argument).tolist())
    if isinstance(argument, list | tuple):
        return _vector(argument)
    return _vector([argument])


def is_matrix(argument: Any) -> bool:
    """Return whether an argument is a matrix with row and column names."""
    return isinstance(argument, Matrix) or is_frame(argument)


def _matrix(
    values: np.ndarray, labels: tuple[tuple[str, ...], tuple[str, ...]] | None = None
) -> RVector:
    """Return a matrix; NaN is a missing cell."""
    cells = values.ravel(order="F").tolist()
    if np.isnan(values).any():
        cells = [None if math.isnan(v) else v for v in cells]
    rows, columns = values.shape
    return RVector("double", tuple(cells), (rows, columns), labels)


def _vector(items: Any) -> RVector:
    """Return a vector of one kind."""
    items = [i.item() if isinstance(i, np.generic) else i for i in items]
    if items and all(isinstance(i, str) for i in items):
        return RVector("character", _texts(items))
    if items and all(isinstance(i, bool) for i in items):
        return RVector("logical", tuple(items))
    if all(isinstance(i, int | float) and not isinstance(i, bool) for i in items):
        return RVector("double", tuple(map(_double, items)))
    kinds = sorted({type(i).__name__ for i in items})
    raise InputError(
        f"an R vector holds numbers, or words, or true and false: got "
        f"{', '.join(kinds)}"
    )


def _double(number: float) -> float:
    """Return the number as a double, or reject a whole number that is not one."""
    if number != number or float(number) == number:
        return float(number)
    raise InputError(f"{number} has more digits than an R number can hold")


def _texts(labels: Any) -> tuple[str, ...]:
    """Return labels that R can hold."""
    words = tuple(map(str, labels))
    together = "".join(words)
    if together.isascii() and "\0" not in together:
        return words
    return tuple(map(text, words))


def text(label: Any) -> str:
    """Return a label if R can hold it."""
    label = str(label)
    if label.isascii() and "\0" not in label:
        return label
    if "\0" in label or any("\ud800" <= c <= "\udfff" for c in label):
        raise InputError(
            f"R cannot hold the text {label!a}: it has a null character or half of a "
            f"surrogate pair; rename it"
        )
    return label
