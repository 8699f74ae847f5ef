"""What a simulation study found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pycompare.base.formatting.tables import table_text
from pycompare.results.result import Result


@dataclass(frozen=True, kw_only=True, eq=False)
class SimulationResult(Result):
    """Means over simulated experiments, with Monte Carlo errors.

    Attributes
    ----------
    table : DataFrame
        One row for each condition and statistic: ``condition``, the condition's own
        columns, ``statistic``, ``estimate`` (the mean over trials; of rejections the
        share), ``std_error`` (Monte Carlo), ``conf_low conf_high`` (95%; exact for
        shares), ``trials``, and ``published`` if a paper reports numbers.
    study, title : str
        Name on the command line, and title.
    settings : mapping
        The study's settings.
    seed, trials : int
        Random seed, and trials of each condition.
    reference : str
    notes : tuple of str
    """

    table: pd.DataFrame
    study: str
    title: str
    settings: Mapping[str, Any]
    seed: int
    trials: int
    reference: str
    notes: tuple[str, ...] = ()

    def wide(self, column: str = "estimate") -> pd.DataFrame:
        """Return one column with a row per condition and a column per statistic."""
        table = self.as_columns()
        pivoted = table.pandas().pivot(
            index="condition", columns="statistic", values=column
        )
        statistics, conditions = map(
            dict.fromkeys, (table["statistic"], table["condition"])
        )
        return pivoted.loc[list(conditions), list(statistics)]

    def summary(self, digits: int = 4) -> str:
        """Return title, table and notes."""
        head = f"{self.title}: {self.trials} trials a condition, seed {self.seed}"
        notes = [f"  note: {note}" for note in self.notes]
        return "\n".join([head, table_text(self.as_columns(), digits), *notes])

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> SimulationResult:
        """Return the result that ``to_dict`` has written."""
        rows = [
            {name: math.nan if value == "NaN" else value for name, value in row.items()}
            for row in content["table"]
        ]
        more = {"table": pd.DataFrame(rows), "notes": tuple(content["notes"])}
        return cls(**{**content, **more})
