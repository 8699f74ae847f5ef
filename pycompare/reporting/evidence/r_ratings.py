"""How R makes the arrays of an analysis of readers of the ratings in the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pycompare.base.interop.rscript import quote
from pycompare.data.ratings import Ratings
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.reporting.evidence.r_inputs import (
    DataInR,
    LabelsOf,
    Made,
    columns_code,
    in_order,
)


class RatingsInR(DataInR):
    """How R makes ratings, classes and clusters of the file of ratings."""

    own_stems: tuple[str, ...] = ("ratings", "own_file")
    file = "ratings.csv"

    def __init__(self, ratings: Ratings) -> None:
        recipe = ratings.recipe
        super().__init__((recipe["name"], recipe["sha256"]) if recipe else None)
        self.ratings = ratings

    @property
    def reading(self) -> Mapping[str, str]:
        """The lines of R that read the file."""
        recipe = self.ratings.recipe
        lines = {"ratings": "read_ratings(folder)"}
        whole = recipe and recipe["n_ratings"] == int(self.ratings.read.sum())
        if recipe and whole and self.made_of is not None:
            own = (
                f"own_ratings(own_path, {quote(recipe['sep'])}, "
                f"{columns_code(recipe['columns'])}, {quote(recipe['positive'])})"
            )
            checked = 'c("is_positive", "rating")'
            if self.ratings.truth is None:
                checked = '"rating"'
            lines = self.begun("ratings", lines["ratings"], own, checked, self.made_of)
        return lines | of_ratings(self.ratings)

    def arrays(self) -> Iterator[Made]:
        """Yield ratings as a matrix, classes and clusters of cases."""
        yield from arrays_of_ratings(self.ratings)

    def of_results(
        self, result: Any, computed: Mapping[str, Any], named: LabelsOf
    ) -> Iterator[Made]:
        """Yield the arrays that the call of a result takes from earlier results."""
        yield from outcomes_of(result, self.ratings)
        yield from super().of_results(result, computed, named)


def of_ratings(ratings: Ratings) -> dict[str, str]:
    """Return the lines of R that make a matrix, classes and clusters of ratings."""
    i, j, k = np.nonzero(ratings.read)
    orders = [
        in_order(codes, labels)
        for codes, labels in (
            (i, ratings.modalities),
            (j, ratings.readers),
            (k, ratings.cases),
        )
    ]
    given = "".join(
        f", {name} = {order}"
        for name, order in zip(("modalities", "readers", "cases"), orders, strict=True)
        if order
    )
    return {
        "by_case": f"rating_matrix(ratings{given})",
        "is_positive": "of_cases(ratings$is_positive, ratings, by_case)",
        "clusters": "cluster_codes(ratings, by_case)",
    }


def arrays_of_ratings(ratings: Ratings) -> Iterator[Made]:
    """Yield the matrix of ratings, that of each modality, classes and clusters."""
    t, r, n = ratings.shape
    whole = ratings.values.reshape(t * r, n).T
    yield whole, "by_case"
    if ratings.truth is not None:
        yield ratings.truth.astype(float), "is_positive"
    if ratings.cluster is not None:
        yield (ratings.cluster + 1).astype(float), "clusters"
    for i in range(t):
        columns = f"{i * r + 1}:{(i + 1) * r}"
        yield whole[:, i * r : (i + 1) * r], f"by_case[, {columns}, drop = FALSE]"


def outcomes_of(result: Any, ratings: Ratings) -> Iterator[Made]:
    """Yield the 0/1 outcomes of a mixed model, and whose they are."""
    if not isinstance(result, GLMMResult) or result.call is None:
        return
    outcome = result.asked.get("outcome", "mean")
    threshold = result.asked.get("threshold")
    at = "NULL" if threshold is None else repr(float(threshold))
    t = len(ratings.modalities)
    of = f'binary_outcomes(by_case, is_positive, {t}, "{outcome}", {at})'
    for name in ("y", "modality", "reader", "case"):
        yield np.asarray(result.call.arguments[name], float), f"{of}${name}"
