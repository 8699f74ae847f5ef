"""All designs of studies that ``pc.power`` knows, by name."""

from __future__ import annotations

from pycompare.sizes.cases import Auc, Delong, DelongMargin, Gate
from pycompare.sizes.design import StudyDesign
from pycompare.sizes.labels import Labels
from pycompare.sizes.readers import Mrmc, MrmcCases
from pycompare.sizes.several import (
    BlockedAnova,
    Friedman,
    Manova,
    MeanVectors,
)
from pycompare.sizes.two import (
    CorrectedT,
    Equivalence,
    McNemar,
    NonInferiority,
    PairedT,
    Sign,
    Wilcoxon,
)

__all__ = [
    "DESIGNS",
    "Auc",
    "BlockedAnova",
    "CorrectedT",
    "Delong",
    "DelongMargin",
    "Equivalence",
    "Friedman",
    "Gate",
    "Labels",
    "Manova",
    "McNemar",
    "MeanVectors",
    "Mrmc",
    "MrmcCases",
    "NonInferiority",
    "PairedT",
    "Sign",
    "StudyDesign",
    "Wilcoxon",
]

DESIGNS: dict[str, type[StudyDesign]] = {
    design.name: design
    for design in (
        PairedT,
        CorrectedT,
        Wilcoxon,
        Sign,
        McNemar,
        Equivalence,
        NonInferiority,
        BlockedAnova,
        MeanVectors,
        Manova,
        Friedman,
        Auc,
        Delong,
        DelongMargin,
        Gate,
        Labels,
        Mrmc,
        MrmcCases,
    )
}
"""Designs as the command line calls them."""
