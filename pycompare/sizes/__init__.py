"""Sizes of studies: power by formula, by simulation, and of planned analyses.

Planned studies are ``sizes.PairedT(...)`` and the others of ``sizes.studies``; they
load on first use, so that the import of pycompare is quick.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pycompare.sizes.studies import (
        DESIGNS,
        Auc,
        BlockedAnova,
        CorrectedT,
        Delong,
        DelongMargin,
        Equivalence,
        Friedman,
        Gate,
        Labels,
        Manova,
        McNemar,
        MeanVectors,
        Mrmc,
        MrmcCases,
        NonInferiority,
        PairedT,
        Sign,
        StudyDesign,
        Wilcoxon,
    )


def __getattr__(name: str) -> Any:
    """Load a planned study when it is first used."""
    import pycompare.sizes.studies as studies  # `from` would ask this function

    if name not in studies.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(studies, name)
