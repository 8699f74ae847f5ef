"""Level of ``pc.mrmc`` in designs that are not factorial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.data.ratings import DesignName, Ratings
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.sizes.simulation.study import Study, Trials

_ALPHA = 0.05
_SEPARATION = 1.2
REJECTED = "a pair is rejected (Holm)"


class DesignSize(NamedTuple):
    """A design and its size."""

    design: DesignName
    modalities: int
    readers: int
    cases: int

    def hidden(self) -> Bools:
        """Return which ratings the design does not have; both classes alternate."""
        _, t, r, n = self
        i, j, k = np.ogrid[:t, :r, :n]
        flags = {
            "readers-in-modalities": (j % t != i),
            "cases-in-readers": (k // 2 % 2 != j % 2),
            "cases-in-modalities": (k // 2 % t != i),
            "incomplete": ((j == 0) & (i == 1)) | ((j == 1) & (i == 0)) | (k % 7 == j),
        }[self.design]
        return np.broadcast_to(flags, (t, r, n))

    def ratings(self, truth: Bools, values: Floats) -> Ratings:
        """Return what the design has of all ratings (t, r, n), positive cases first."""
        _, t, r, n = self
        order = np.arange(n).reshape(2, -1).T.ravel()
        return Ratings(
            values=np.where(self.hidden(), np.nan, values[..., order]),
            truth=truth[order],
            modalities=tuple(map(str, range(t))),
            readers=tuple(map(str, range(r))),
            cases=tuple(map(str, range(n))),
            design=self.design,
        )


LAYOUTS: Mapping[str, DesignSize] = {
    "readers nested in modalities, 2 x 4 readers": DesignSize(
        "readers-in-modalities", 2, 8, 60
    ),
    "readers nested in modalities, 3 x 3 readers": DesignSize(
        "readers-in-modalities", 3, 9, 60
    ),
    "2 groups of 3 readers with cases of their own": DesignSize(
        "cases-in-readers", 2, 6, 60
    ),
    "cases nested in modalities, 4 readers": DesignSize(
        "cases-in-modalities", 2, 4, 80
    ),
    "incomplete: two readers with one modality each": DesignSize(
        "incomplete", 2, 6, 56
    ),
}


@dataclass(frozen=True)
class ReaderDesigns(Study):
    """Level of ``pc.mrmc`` in nested and incomplete designs, in Roe and Metz's model.

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    """

    name = "reader-designs"
    title = "Level of multi-reader analyses in nested and incomplete designs"
    reference = "Roe & Metz (1997), Academic Radiology 4, 298-303"
    chunk = 20

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each design."""
        return {name: {"design": layout.design} for name, layout in LAYOUTS.items()}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw all ratings, hide those that the design lacks, and analyse the rest."""
        layout = LAYOUTS[condition]
        model = RoeMetz(
            separation=(_SEPARATION,) * layout.modalities,
            reader=0.05,
            modality_reader=0.05,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
        )
        half = layout.cases // 2
        truth, x = model.sample(
            rng,
            n_readers=layout.readers,
            n_positive=half,
            n_negative=half,
            trials=trials,
        )
        rejected = [
            mrmc(layout.ratings(truth, values)).rejected(_ALPHA).any() for values in x
        ]
        return {REJECTED: np.array(rejected, float)}
