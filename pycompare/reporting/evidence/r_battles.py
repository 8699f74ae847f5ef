"""How R makes the arrays of an analysis of battles of the battles in the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pycompare.base.interop.rscript import quote, value
from pycompare.data.battles import Battles
from pycompare.methods.battles.strengths import BattlesResult
from pycompare.reporting.evidence.csv_text import no_formula
from pycompare.reporting.evidence.r_inputs import DataInR, Made


class BattlesInR(DataInR):
    """How R makes models, outcomes and voters of the file of battles."""

    own_stems: tuple[str, ...] = ("battles_data",)
    file = "battles.csv"

    def __init__(self, battles: Battles, results: Mapping[str, BattlesResult]) -> None:
        source = battles.source
        super().__init__(None if source is None else (source.name, source.sha256))
        self.battles = battles
        self.results = results

    @property
    def reading(self) -> Mapping[str, str]:
        """The line of R that reads the file."""
        return {"battles": "read_battles(folder)"}

    def arrays(self) -> Iterator[Made]:
        """Yield models, outcomes and voters of each set of battles that is ranked."""
        for group, result in self.results.items():
            held = result.battles
            models = value([no_formula(name) for name in held.models])
            of = f"battles, {models}"
            if group:
                of += f", group = {quote(no_formula(group))}"
            if result.ties == "drop":
                of += ", ties = FALSE"
            for side, codes in enumerate((held.first, held.second), start=1):
                yield np.asarray(codes + 1, float), f"models_of({of}, {side})"
            yield held.outcome, f"outcomes_of({of})"
            yield result.numbered_voters(), f"voters_of({of})"
