"""Hypotheses of type III by Goodnight's estimable functions: cells may be empty.

Coefficients are those of columns of 0 and 1 for every level. The hypothesis of a term
has no coefficients of terms that do not contain it, and is orthogonal to the estimable
functions of those that do. Without empty cells these are effects that sum to zero.

Goodnight, J. H. (1978). Tests of hypotheses in fixed effects linear models. SAS
Technical Report R-101.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from pycompare.kernels.sscp import RANK


def type_three_bases(
    columns: Sequence[Floats], containing: Sequence[Sequence[int]], rank: int
) -> list[Floats]:
    """Return a basis of the hypothesis of each term, shapes (n, df).

    Parameters
    ----------
    columns : sequence of ndarray, each of shape (n, levels)
        Of each term, the constant included; dummies, or these times covariates.
    containing : sequence of sequence of int
        For each term the places of those that contain it.
    rank : int
        Of all columns together.
    """
    place = np.repeat(np.arange(len(columns)), [part.shape[1] for part in columns])
    u, s, vt = np.linalg.svd(np.hstack(list(columns)), full_matrices=False)
    u, s, estimable = u[:, :rank], s[:rank], vt[:rank]
    bases = []
    for term, above in enumerate(containing):
        others = ~np.isin(place, [term, *above])
        alone = _without(estimable, others)
        own, size, _ = np.linalg.svd(alone[:, place == term], full_matrices=False)
        functions = own[:, size > RANK].T @ alone
        # What estimates them by least squares, as weights of the rows.
        bases.append(np.linalg.qr(u @ ((functions @ estimable.T) / s).T)[0])
    return bases


def _without(functions: Floats, zero: NDArray[np.bool_]) -> Floats:
    """Return an orthonormal basis of the functions with some coefficients of 0."""
    turned, size, _ = np.linalg.svd(functions[:, zero], full_matrices=True)
    return turned[:, int((size > RANK).sum()) :].T @ functions
