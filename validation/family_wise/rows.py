"""A row of the study: the errors and the power of a method on one truth and design."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from pycompare.results.guarantees import SAME, guarantee

FOLDER = Path(__file__).parent.parent
JSON = FOLDER / "family_wise.json"


@dataclass(frozen=True, kw_only=True)
class Row:
    """Error and power of a method in one scenario, under one hypothesis.

    Attributes
    ----------
    guarantee : str
        Key of the ledger of claims.
    method, truth, design, hypothesis : str
    blocks, algorithms, runs : int
    true_pairs : int
        Pairs of the family whose hypothesis is true.
    error : float
        Family-wise error; 0 where no hypothesis is true.
    bound : float
        Alpha and three Monte Carlo standard errors.
    promised : bool
        Whether the error is to be within the bound.
    violates : list of str
        Assumptions that do not hold.
    power : float or None
        Mean share of true differences that are found; None where there is none.
    wrong : float
        Share of runs in which some pair is rejected in favour of the worse.
    decisions : str
        Hash of what was decided in a few seeded runs; see ``versions``.
    """

    guarantee: str
    method: str
    truth: str
    design: str
    hypothesis: str
    blocks: int
    algorithms: int
    runs: int
    true_pairs: int
    error: float
    bound: float
    promised: bool
    violates: list[str]
    power: float | None
    wrong: float
    decisions: str

    @property
    def above(self) -> bool:
        """Whether the error is above the bound."""
        return self.error > self.bound

    @property
    def control(self) -> bool:
        """Whether the family is each algorithm with a control."""
        return self.guarantee.endswith("/control")

    @property
    def missing(self) -> set[str]:
        """The conditions of the promise that do not hold."""
        words = {name for word in self.violates for name in SAME.get(word, (word,))}
        return words & _conditions(self.guarantee)


@cache
def _conditions(key: str) -> frozenset[str]:
    """Return the conditions of a key of the ledger."""
    return frozenset(guarantee(key).conditions)


def json_text(rows: Sequence[Row]) -> str:
    """Return the rows as JSON, one a line: values in the order of the fields."""
    names = json.dumps([field.name for field in fields(Row)])
    lines = ",\n".join(
        json.dumps([*asdict(row).values()], separators=(",", ":")) for row in rows
    )
    return f'{{"fields":{names},\n"rows":[\n{lines}\n]}}\n'


def stored(path: Path = JSON) -> list[dict[str, Any]]:
    """Return the rows of a stored study, each by the names of its fields."""
    study = json.loads(path.read_text(encoding="utf-8"))
    return [dict(zip(study["fields"], row, strict=True)) for row in study["rows"]]
