"""Power by formula beside simulated power, for every design that has a formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from pycompare import sizes
from pycompare.sizes.design import StudyDesign
from pycompare.sizes.simulation.study import Study, Trials

_ALPHA = 0.05
_REJECTED = "rejected"
_ALIKE: dict[str, Any] = {
    "reader": 0.0055,
    "modality_reader": 0.0055,
    "case": 0.3,
    "modality_case": 0.3,
    "reader_case": 0.2,
    "error": 0.2,
}
"""Variances of readers who differ little, and of those who differ much."""
_APART: dict[str, Any] = {
    "reader": 0.03,
    "modality_reader": 0.03,
    "case": 0.1,
    "modality_case": 0.1,
    "reader_case": 0.2,
    "error": 0.6,
}


def _area(
    variance: Literal["obuchowski", "hanley-mcneil"],
    null: float,
    auc: float,
    prevalence: float,
) -> sizes.Auc:
    """Return a design of one area."""
    return sizes.Auc(auc=auc, null=null, prevalence=prevalence, variance=variance)


_AREAS = (
    ((0.5, 0.7, 0.5), 40),
    ((0.5, 0.7, 0.5), 100),
    ((0.75, 0.85, 0.5), 100),
    ((0.9, 0.95, 0.5), 200),
    ((0.75, 0.85, 0.2), 100),
    ((0.7, 0.6, 0.5), 150),
)
"""Null hypothesis, area, prevalence; cases."""

_GRID: tuple[tuple[StudyDesign, tuple[int, ...]], ...] = (
    (sizes.PairedT(difference=0.02, sd=0.04), (10, 34, 60)),
    (sizes.PairedT(difference=0.05, sd=0.04), (4, 8)),
    (sizes.CorrectedT(difference=0.05, sd=0.05, test_share=1 / 9), (5, 10, 100)),
    (sizes.CorrectedT(difference=0.04, sd=0.05, test_share=0.25), (15, 30)),
    (sizes.Sign(win=0.75, tie=0.1), (12, 40)),
    (sizes.Sign(win=0.9), (8,)),
    (sizes.Sign(win=0.65), (60, 100)),
    (sizes.McNemar(only_first=0.1, only_second=0.05), (100, 200, 400)),
    (sizes.McNemar(only_first=0.3, only_second=0.15), (60,)),
    (sizes.McNemar(only_first=0.02, only_second=0.01), (1000,)),
    (sizes.Equivalence(margin=0.02, sd=0.04), (30, 40, 80)),
    (sizes.Equivalence(margin=0.02, sd=0.02, difference=0.01), (12, 40)),
    (sizes.NonInferiority(margin=0.02, sd=0.04), (10, 30, 60)),
    (sizes.NonInferiority(margin=0.02, sd=0.04, difference=-0.01), (40, 150)),
    (sizes.BlockedAnova(means=(0, 0.01, 0.03), sd=0.04), (5, 20, 30)),
    (sizes.BlockedAnova(means=(0, 0, 0, 0, 0.03), sd=0.03), (4, 15)),
    (sizes.MeanVectors(difference=(0.02, 0.01), sd=(0.04, 0.03)), (6, 20, 40)),
    (
        sizes.MeanVectors(
            difference=(0.02, 0.01, 0.0), sd=(0.03,) * 3, correlation=0.6
        ),
        (8, 20),
    ),
    (
        sizes.Manova(
            means=((0.9, 0.8), (0.92, 0.8), (0.93, 0.81)),
            sd=(0.04, 0.03),
            correlation=0.3,
        ),
        (5, 20, 40),
    ),
    (
        sizes.Manova(
            means=((0, 0, 0), (0.04, 0, 0), (0, 0.04, 0), (0, 0, 0.04)), sd=(0.03,) * 3
        ),
        (3, 5),
    ),
    (
        sizes.Manova(
            means=(*((0,) * 4,) * 4, (0.03,) * 4), sd=(0.03,) * 4, correlation=0.2
        ),
        (5, 12),
    ),
    *((_area("obuchowski", *truth), (n,)) for truth, n in _AREAS),
    *((_area("hanley-mcneil", *truth), (n,)) for truth, n in _AREAS),
    (sizes.Delong(auc_1=0.7, auc_2=0.8, correlation=0.5), (40, 100)),
    (sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.5), (100, 200)),
    (sizes.Delong(auc_1=0.8, auc_2=0.85, correlation=0.9), (60,)),
    (sizes.Delong(auc_1=0.8, auc_2=0.85, correlation=0.0), (400,)),
    (sizes.Delong(auc_1=0.9, auc_2=0.95, correlation=0.5), (200,)),
    (
        sizes.Delong(auc_1=0.8, auc_2=0.88, correlation=0.5, prevalence=0.1),
        (300,),
    ),
    (
        sizes.DelongMargin(auc_1=0.84, auc_2=0.85, correlation=0.6, margin=0.05),
        (60, 300),
    ),
    (
        sizes.DelongMargin(
            auc_1=0.9, auc_2=0.9, correlation=0.5, margin=0.04, prevalence=0.2
        ),
        (300,),
    ),
    (sizes.Mrmc(areas=(0.8, 0.86), n_cases=100, **_ALIKE), (3, 5, 10)),
    (sizes.Mrmc(areas=(0.8, 0.84, 0.84), n_cases=300, **_ALIKE), (6,)),
    (sizes.Mrmc(areas=(0.8, 0.88), n_cases=200, **_APART), (4, 8)),
    (sizes.MrmcCases(areas=(0.8, 0.86), n_readers=5, **_ALIKE), (60, 200)),
    (sizes.MrmcCases(areas=(0.8, 0.86), n_readers=8, **_APART), (100,)),
    (
        sizes.MrmcCases(areas=(0.75, 0.82), n_readers=4, prevalence=0.2, **_ALIKE),
        (200,),
    ),
)
"""Designs and their sizes: small ones too, and powers from low to high."""


@cache
def _settings() -> Mapping[str, tuple[StudyDesign, int]]:
    """Return each design with each of its sizes, by name."""
    return {
        f"{design.name}{_variance(design)}: {design.effect}, n = {n}": (design, n)
        for design, sizes in _GRID
        for n in sizes
    }


def _variance(design: StudyDesign) -> str:
    """Return which variance an area has, as part of a name."""
    return f" ({design.variance})" if isinstance(design, sizes.Auc) else ""


@dataclass(frozen=True)
class PowerFormulas(Study):
    """Power by formula beside simulated power, for every design that has a formula.

    References
    ----------
    .. [1] Hanley, J. A., McNeil, B. J. (1982). Radiology 143, 29-36.
    .. [2] Hillis, S. L., Obuchowski, N. A., Berbaum, K. S. (2011). Academic Radiology
       18, 129-142.
    """

    name = "power-formulas"
    title = "Power by formula and by simulation"
    reference = "Hanley & McNeil (1982); Hillis, Obuchowski & Berbaum (2011)"
    default_trials = 5000
    chunk = 500

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each design and size, with the power by formula."""
        return {
            name: {
                "design": name.partition(":")[0],
                "n": n,
                "formula": design.formula(n, _ALPHA),
            }
            for name, (design, n) in _settings().items()
        }

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw studies and make the test of each."""
        design, n = _settings()[condition]
        return {_REJECTED: design.p_values(rng, n, trials) <= _ALPHA}
