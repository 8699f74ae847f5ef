"""Family-wise error of all pairs of modalities that few readers compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.kernels import placements
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.student import two_sided
from pycompare.methods.multireader.error_terms import ErrorTerm, Model, error_of
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.methods.multireader.words import Effect
from pycompare.sizes.simulation.study import Study, Trials

_ALPHA = 0.05
_CASES = 100
HILLIS, LARGEST = "own error, Hillis' df", "largest of three p-values"
_SCOPES: tuple[tuple[Effect, Effect], ...] = (
    ("random", "random"),
    ("fixed", "random"),
    ("random", "fixed"),
)
"""Readers, cases: Hillis' analysis, these readers, these cases."""


class Panel(NamedTuple):
    """Modalities, readers, the variance of modality x reader, and the ratings.

    ``case`` is the variance of cases and of modality x case, ``error`` that of a
    rating, and ``separation`` the distance of the classes' means.
    """

    modalities: int
    readers: int
    modality_reader: float
    separation: float
    case: float
    error: float


SPREADS = {"alike": 0.0055, "unlike": 0.056, "very unlike": 0.3}
"""Readers -> variance of modality x reader, and of readers."""
_STEADY = ("", (1.5, 0.3, 0.2))
_NOISY = (", noisy ratings", (0.75, 0.1, 0.6))
"""Name of the ratings, and their separation, variance of cases, and of the error."""
_SIZES = {
    _STEADY: ((8, 3), (4, 3), (4, 5), (8, 2), (3, 2), (2, 2)),
    _NOISY: (
        *((8, 3), (4, 3), (4, 5), (8, 2), (3, 2), (2, 2)),
        *((2, 3), (2, 4), (2, 5), (4, 6), (4, 10), (8, 4), (8, 5), (8, 6), (8, 10)),
    ),
}
_PANELS: Mapping[str, Panel] = {
    f"{t} modalities x {r} readers, readers {name}{noise}": Panel(
        t, r, variance, *ratings
    )
    for (noise, ratings), sizes in _SIZES.items()
    for t, r in sizes
    for name, variance in SPREADS.items()
}


def pair_p_values(truth: Bools, x: Floats) -> dict[str, Floats]:
    """Return unadjusted p-values of all pairs, shape (trials, pairs), by analysis.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    x : ndarray, shape (trials, t, r, n)
    """
    trials, t, r, n = x.shape
    areas = placements.delong(truth, x.reshape(trials, t * r, n))
    theta = areas.area.reshape(trials, t, r)
    covariance = pseudo.jackknife_covariance(areas).reshape(trials, t, r, t, r)
    squares = rm.pairs(rm.moments(theta, covariance))
    first, second = np.triu_indices(t, 1)
    difference = (theta[:, first] - theta[:, second]).mean(axis=-1)

    def tested(error: ErrorTerm) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = difference / np.sqrt(2 * error.mean_square / r)
        # A pair whose AUCs are equal in every reader has no error, and is no evidence.
        p = two_sided(statistic, np.broadcast_to(error.df, difference.shape))
        return np.where(difference == 0, 1.0, np.nan_to_num(p, nan=1.0))

    by_scope = [
        tested(error_of(squares, Model("or", readers, cases, "hillis", r, n, r), 1))
        for readers, cases in _SCOPES
    ]
    return {HILLIS: by_scope[0], LARGEST: np.max(by_scope, axis=0)}


@dataclass(frozen=True)
class ReaderPairs(Study):
    """Family-wise error of all pairs (Holm) if no modality differs.

    Readers and cases are random, in Roe and Metz's model with 100 cases. Ratings are
    steady, or noisy: the classes are closer, and errors larger. Each pair has
    its own error: by Hillis' analysis, or by the largest of its p-value and those of
    these readers with new cases and of new readers with these cases. When all
    hypotheses are true, Holm errs exactly when the smallest p-value is significant.

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    """

    name = "reader-pairs"
    title = "Family-wise errors of all pairs of modalities with few readers"
    reference = "Roe & Metz (1997), Academic Radiology 4, 298-303"
    default_trials = 4000
    chunk = 200

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each panel of readers."""
        return {name: panel._asdict() for name, panel in _PANELS.items()}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw ratings of equal modalities and test all pairs."""
        panel = _PANELS[condition]
        model = RoeMetz(
            separation=(panel.separation,) * panel.modalities,
            reader=panel.modality_reader,
            modality_reader=panel.modality_reader,
            case=panel.case,
            modality_case=panel.case,
            reader_case=0.2,
            error=panel.error,
        )
        half = _CASES // 2
        truth, x = model.sample(
            rng,
            n_readers=panel.readers,
            n_positive=half,
            n_negative=half,
            trials=trials,
        )
        level = _ALPHA / (panel.modalities * (panel.modalities - 1) // 2)
        return {
            name: p.min(axis=1) <= level for name, p in pair_p_values(truth, x).items()
        }
