"""What a reader of an analysis of readers and modalities must know."""

from __future__ import annotations

import numpy as np

from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.methods.multireader.covariances import ReaderCells
from pycompare.methods.multireader.designs import ReaderDesign, Uncrossed
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.family import ModalityPairs
from pycompare.methods.multireader.few_readers import largest_error
from pycompare.methods.multireader.figures import FigureOfMerit
from pycompare.methods.multireader.findings import Findings, Omnibus
from pycompare.results.guarantees import MEASURED, few_note

_NO_ERROR = "the error term is 0 or negative, so no test of all modalities can be made"
_NO_DIFFERENCE = "no modality differs from another in any reader"
_PERFECT = (
    "every figure is at its limit, whose estimated variance is 0 whatever the number "
    "of cases"
)
_NO_OMNIBUS = (
    "no test of all modalities is available: they have different numbers of readers, "
    "or some readers in common and not all; the pairs are tested"
)
_TWO_READERS = (
    "two readers: their variance is estimated from one difference, so intervals are "
    "wide and degrees of freedom few"
)
_TWO_OF_FEW_READERS = (
    "the test of two modalities does not keep its level with so few readers: at 0.05, "
    "a true hypothesis is rejected in up to {} of simulated studies ({})"
)
_PAIRS_OF_FEW_READERS = (
    "pairs by their own error do not keep the family-wise level with so few readers: "
    "at 0.05, a true hypothesis is rejected in up to {} of simulated studies ({})"
)
_LARGEST = (
    "each pair has the largest of three p-values (these readers, these cases, both "
    "new): in simulations of 2 to 10 readers at 0.05, a true hypothesis is rejected in "
    "at most 5.4% of studies"
)
_MARGINS = (
    "one-sided tests against a margin are approximate: in simulations of 4 modalities, "
    "5 readers and 100 cases at 0.05, a difference of just the margin is found smaller "
    "in up to 6.1% of studies"
)
_FEW_READERS = 4
"""Readers up to which tests reject too often if readers differ much."""
_FEW_CASES = 20
"""Cases of a class from which on tests of pairs keep their level."""
_POOLED_ERROR = (
    "the pooled error requires that the differences of all pairs have one variance: in "
    "simulations in which readers vary more with two of four modalities, a true "
    "hypothesis is rejected in 8.6% of studies, with each pair's own error in 3.3%"
)
_STEADY = (
    "all readers have the same differences between modalities, so the error has no "
    "part due to readers, and infinite degrees of freedom"
)


def omnibus_notes(omnibus: Omnibus, design: ReaderDesign) -> tuple[str, ...]:
    """Return the reason why there is no test, or that its df are infinite."""
    if isinstance(design, Uncrossed) and np.isnan(omnibus.df).any():
        return (_NO_OMNIBUS,)
    if np.isnan(omnibus.statistic):
        return (f"{_NO_DIFFERENCE}; {_NO_ERROR}" if design.same else _NO_ERROR,)
    return (_STEADY,) if omnibus.name == "chi2" and design.steady else ()


def notes_of(
    ratings: Ratings,
    cells: ReaderCells,
    findings: Findings,
    design: ReaderDesign,
    model: Model,
    family: ModalityPairs,
    *,
    figure: FigureOfMerit,
    pooled: bool,
    largest: bool,
    with_margin: bool,
) -> tuple[str, ...]:
    """Return notes on negative, untested or thin parts of this analysis."""
    notes = list(below_chance(cells.theta, of="rating") if figure.name == "auc" else ())
    notes += [_POOLED_ERROR] if pooled and len(ratings.modalities) > 2 else []
    if model.cases == "random":
        notes += _few_cases(ratings)
    low, high = np.nanmin(cells.theta), np.nanmax(cells.theta)
    if ratings.truth is not None and low == high and high in (0.0, 1.0):
        notes.append(_PERFECT)
    if model.readers == "random" and model.fewest_readers == 2:
        notes.append(_TWO_READERS)
    elif model.readers == "random" and model.fewest_readers <= _FEW_READERS:
        notes.append(MEASURED["mrmc, 3 readers"].text)
    parts = design.components.items()
    below = [f"{name} (−{-value:.3g})" for name, value in parts if value < 0]
    if below:
        names = ", ".join(below)
        notes.append(f"negative variance estimates were set to 0: {names}")
    both = (model.readers, model.cases) == ("random", "random")
    if both and largest:
        notes.append(_LARGEST)
    elif both and model.rule == "hillis" and not pooled:
        notes += _level_of_pairs(len(ratings.modalities), model.fewest_readers)
    if both and with_margin:
        notes.append(_MARGINS)
    if both and design.floored and model.rule == "hillis":
        notes.append(
            "Cov2 − Cov3 was negative and was set to 0 in the test of all modalities"
        )
    notes += _untested(findings, family)
    return tuple(notes)


def _level_of_pairs(n_modalities: int, n_readers: int) -> list[str]:
    """Return the measured level of pairs by Hillis' analysis with few readers."""
    largest = largest_error(n_modalities, n_readers)
    if largest is None:
        return []
    text = _TWO_OF_FEW_READERS if n_modalities == 2 else _PAIRS_OF_FEW_READERS
    return [text.format(largest.share, largest.where)]


def _few_cases(ratings: Ratings) -> list[str]:
    """Return how far off tests are with few cases of a class."""
    if ratings.truth is None:
        return []
    n, which = min((int(np.sum(ratings.truth == of)), of) for of in (True, False))
    place = f"the {'positive' if which else 'negative'} class"
    return few_note(place, n, "case", _FEW_CASES, "mrmc, 10 cases of a class")


def _untested(findings: Findings, family: ModalityPairs) -> list[str]:
    """Name the pairs whose difference has no standard error."""
    bad = ~(family.of(findings.pairs).std_error > 0)
    if not bad.any():
        return []
    names = family.names
    labels = ", ".join(
        f"{names[i]} and {names[j]}"
        for (i, j), wrong in zip(family.pairs, bad, strict=True)
        if wrong
    )
    return [
        f"no positive standard error, so not tested (the other pairs are adjusted as "
        f"if this p-value were 1): {labels}"
    ]
