"""Figures of readers and cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare import plotting
from pycompare.data.ratings import Ratings
from pycompare.formatting.numbers import percent
from pycompare.multireader.result import MRMCResult
from pycompare.plotting.reader_curves import MOST_MODALITIES
from pycompare.plotting.scopes_of_conclusions import MOST_PAIRS
from pycompare.reporting.document import Figure


def scopes(found: MRMCResult, readers: str) -> Iterator[Figure]:
    """Yield the differences of pairs under each scope, if there is room."""
    if len(found.table) > MOST_PAIRS:
        return
    yield Figure(
        "scopes",
        partial(plotting.scopes_of_conclusions, found, reader=readers),
        f"Differences in mean {found.figure}, first minus second, with "
        f"{percent(found.level)} intervals, each by itself. Rows: whether conclusions "
        f"concern new {readers}, new cases, or both. Blue: the primary analysis.",
        "Differences with intervals under each scope; the tables have the numbers.",
    )


def curves(ratings: Ratings, readers: str) -> Iterator[Figure]:
    """Yield the ROC curves of all readers, where the design has them."""
    few = len(ratings.modalities) <= MOST_MODALITIES
    if ratings.truth is None or ratings.design != "factorial" or not few:
        return
    others = " Grey: means of the others." if len(ratings.modalities) > 1 else ""
    yield Figure(
        "reader_curves",
        partial(plotting.reader_curves, ratings),
        f"ROC curves of {len(ratings.readers)} {readers} (thin) and their mean "
        f"(thick).{others}",
        "ROC curves: true positive rate over false positive rate.",
    )


def components(found: MRMCResult) -> Figure:
    """Return the components of variance as bars."""
    return Figure(
        "variance_components",
        partial(plotting.variance_components, found),
        "Components of variance. Negative estimates (red) are noise about a small or "
        "zero component.",
        "Bars of the components of variance; the table has the numbers.",
    )
