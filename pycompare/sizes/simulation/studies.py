"""All simulation studies that ``pc.simulate`` knows, by name."""

from __future__ import annotations

from pycompare.sizes.simulation.component_coverage import ComponentCoverage
from pycompare.sizes.simulation.garcia_herrera import GarciaHerrera
from pycompare.sizes.simulation.maloof import Maloof
from pycompare.sizes.simulation.power_formulas import PowerFormulas
from pycompare.sizes.simulation.reader_families import ReaderFamilies
from pycompare.sizes.simulation.reader_level import (
    ReaderDesigns,
    ReaderLevel,
    RoeMetzStudy,
)
from pycompare.sizes.simulation.reader_pairs import ReaderPairs
from pycompare.sizes.simulation.study import Study
from pycompare.sizes.simulation.yildiz import Yildiz

__all__ = [
    "STUDIES",
    "ComponentCoverage",
    "GarciaHerrera",
    "Maloof",
    "PowerFormulas",
    "ReaderDesigns",
    "ReaderFamilies",
    "ReaderLevel",
    "ReaderPairs",
    "RoeMetzStudy",
    "Study",
    "Yildiz",
]

STUDIES: dict[str, type[Study]] = {
    study.name: study
    for study in (
        Maloof,
        ReaderLevel,
        ReaderDesigns,
        ReaderFamilies,
        ReaderPairs,
        ComponentCoverage,
        RoeMetzStudy,
        GarciaHerrera,
        Yildiz,
        PowerFormulas,
    )
}
"""Studies as the command line calls them."""
