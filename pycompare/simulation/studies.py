"""All simulation studies that ``pc.simulate`` knows, by name."""

from __future__ import annotations

from pycompare.simulation.maloof import Maloof
from pycompare.simulation.study import Study

__all__ = ["STUDIES", "Maloof", "Study"]

STUDIES: dict[str, type[Study]] = {study.name: study for study in (Maloof,)}
"""Studies as the command line calls them."""
