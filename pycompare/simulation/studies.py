"""All simulation studies that ``pc.simulate`` knows, by name."""

from __future__ import annotations

from pycompare.simulation.component_coverage import ComponentCoverage
from pycompare.simulation.garcia_herrera import GarciaHerrera
from pycompare.simulation.maloof import Maloof
from pycompare.simulation.power_formulas import PowerFormulas
from pycompare.simulation.reader_designs import ReaderDesigns
from pycompare.simulation.reader_families import ReaderFamilies
from pycompare.simulation.reader_level import ReaderLevel, RoeMetzStudy
from pycompare.simulation.reader_pairs import ReaderPairs
from pycompare.simulation.study import Study
from pycompare.simulation.yildiz import Yildiz

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
