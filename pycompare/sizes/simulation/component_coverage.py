"""Coverage of the intervals of components of variance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.typing import Floats
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.sizes.simulation.study import Study, Trials

_LEVEL = 0.95
TERMS = ("R", "C", "TR", "TC", "RC", "TRC")


class Size(NamedTuple):
    """A study: modalities, readers, cases of a class, separation of the classes."""

    modalities: int
    readers: int
    cases: int
    separation: float

    @property
    def model(self) -> RoeMetz:
        """The model of ratings."""
        return RoeMetz(
            separation=(self.separation,) * self.modalities,
            reader=0.0055,
            modality_reader=0.0055,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
        )


SIZES: Mapping[str, Size] = {
    "2 modalities x 5 readers x 100 cases, AUC 0.70": Size(2, 5, 50, 0.75),
    "3 modalities x 8 readers x 120 cases, AUC 0.85": Size(3, 8, 60, 1.5),
    "2 modalities x 10 readers x 200 cases, AUC 0.96": Size(2, 10, 100, 2.5),
}


def combinations(t: int, r: int, n: int) -> dict[str, Floats]:
    """Return each component as a combination of the mean squares of ``TERMS``."""
    case = np.array([0, 1, 0, -1, -1, 1]) / (t * r * n)
    modality_case = np.array([0, 0, 0, 1, 0, -1]) / (r * n)
    reader_case = np.array([0, 0, 0, 0, 1, -1]) / (t * n)
    rest = np.array([0, 0, 0, 0, 0, 1]) / n
    return {
        "reader": np.array([1, 0, -1, 0, -1, 1]) / (t * n),
        "modality x reader": np.array([0, 0, 1, 0, 0, -1]) / n,
        "error": case + modality_case + reader_case + rest,
        "Cov1": case + reader_case,
        "Cov2": case + modality_case,
        "Cov3": case,
    }


@dataclass(frozen=True)
class ComponentCoverage(Study):
    """Share of studies whose limits hold the expected component of variance.

    Ratings follow Roe and Metz's model, whose expected components are known. The
    limits are those of ``pc.variance_components`` for readers, and the same limits for
    the covariances over cases, for which it gives none.

    References
    ----------
    .. [1] Ting, N. et al. (1990). Journal of Statistical Computation and Simulation
       35, 135-143.
    """

    name = "component-coverage"
    title = "Coverage of the intervals of components of variance"
    reference = "Ting et al. (1990), J. Stat. Comput. Simul. 35, 135-143"
    default_trials = 4000
    chunk = 100

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each size."""
        return {name: size._asdict() for name, size in SIZES.items()}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw ratings and count the limits that hold."""
        size = SIZES[condition]
        m = size.cases
        truth, x = size.model.sample(
            rng, n_readers=size.readers, n_positive=m, n_negative=m, trials=trials
        )
        table = rm.three_way(pseudo.auc(truth, x)[1])
        df = np.array([table[term][0] for term in TERMS], float)
        squares = np.stack([table[term][1] for term in TERMS], axis=-1) / df
        wanted = size.model.components(m, m)
        covered = {}
        by_component = combinations(size.modalities, size.readers, 2 * m)
        for component, coefficients in by_component.items():
            low, high = modified_large_sample(coefficients, squares, df, _LEVEL)
            at = wanted[component]
            covered[component] = (low <= at) & (at <= high)
        return covered
