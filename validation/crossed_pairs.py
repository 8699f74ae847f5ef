"""False conclusions about items that all share their prompts, judges or trainings.

``python -m validation.crossed_pairs`` runs what ``crossed_pairs.json`` does not have,
and writes ``CROSSED_PAIRS.md``. Right and wrong answers follow a probit model: an
item has its difficulty, which differs from algorithm to algorithm, and a run its ease,
which differs too. Algorithms are equal over all items and all runs, and no run
and no item is that of another table. The name of a law is its seed.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.results.guarantees import guarantee
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "crossed_pairs.json", HERE / "CROSSED_PAIRS.md"
RUNS = 2000
ALPHA = 0.05
ALONE = {
    "new items alone": "p_new_items",
    "new runs alone": "p_new_runs",
    "Hillis": "p_new_both",
}
"""Tests whose errors stand beside that of the largest of three, Holm over pairs."""


@dataclass(frozen=True)
class Law:
    """Equal algorithms on items and runs.

    Attributes
    ----------
    items, algorithms, runs : int
    by_run : float
        Standard deviation of an algorithm's own ease of a run.
    by_item : float
        Standard deviation of an algorithm's own ease of an item.
    options : dict
        Of ``pc.crossed_pairs``.
    key : str
        The guarantee.
    violates : tuple of str
        Conditions that the law violates.
    """

    items: int
    algorithms: int
    runs: int
    by_run: float
    by_item: float
    options: Mapping[str, Any] = field(default_factory=dict)
    key: str = "cases/crossed/holm"
    violates: tuple[str, ...] = ()

    def draw(self, rng: Generator) -> pc.Scores:
        """Return one table of right and wrong answers."""
        n, a, r = self.items, self.algorithms, self.runs
        ease = rng.normal(size=(n, 1, 1)) + 0.2 * rng.normal(size=(1, 1, r))
        own = self.by_item * rng.normal(size=(n, a, 1))
        own = own + self.by_run * rng.normal(size=(1, a, r))
        right = (ease + own + rng.normal(size=(n, a, r)) > 0).astype(float)
        runs = right[:, :, None, :]
        return pc.Scores(
            algorithms=tuple("ABCDEFGHIJ"[:a]),
            blocks=tuple(f"item {i}" for i in range(n)),
            metrics=(Metric("accuracy", "higher"),),
            values=runs.mean(axis=-1),
            runs=runs,
            replicates=tuple(f"prompt {i}" for i in range(r)),
        )


_CONTROL = {"control": "A"}
_LOGICAL = {"adjust": "bergmann-hommel"}
LAWS = {
    f"{a} algorithms, {items} items, {runs} runs, {what}": Law(
        items, a, runs, by_run, by_item
    )
    for a, items, runs in (
        (2, 50, 3), (2, 200, 3), (2, 200, 5), (2, 200, 10), (4, 300, 3), (8, 300, 3),
        (8, 300, 5),
    )
    for what, by_run, by_item in (
        ("runs matter little", 0.05, 0.5), ("runs matter", 0.3, 0.5),
    )
}  # fmt: skip
LAWS |= {
    "4 algorithms, 200 items, 5 runs, Bergmann-Hommel": Law(
        200, 4, 5, 0.15, 0.5, _LOGICAL, "cases/crossed/bergmann-hommel"
    ),
    "4 algorithms to a control, 200 items, 5 runs": Law(
        200, 4, 5, 0.15, 0.5, _CONTROL, "cases/crossed/holm/control"
    ),
}


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return the share of tables with a false conclusion, and with each test alone."""
    law, found = LAWS[name], dict.fromkeys(("largest of three", *ALONE), 0)
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        pairs = pc.crossed_pairs(law.draw(rng), **law.options)
        found["largest of three"] += bool((pairs.table["p_adjusted"] <= ALPHA).any())
        for title, column in ALONE.items():  # the smallest decides with Holm, too
            smallest = float(pairs.table[column].min())
            found[title] += bool(smallest * len(pairs.table) <= ALPHA)
    return {title: n / runs for title, n in found.items()}


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def promises(law: Law) -> bool:
    """Tell whether the ledger promises the level under this law."""
    claim = guarantee(law.key)
    return claim.error != "none" and not {*law.violates} & {*claim.conditions}


def page(found: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    promised = [name for name, law in LAWS.items() if promises(law)]
    held = sum(found[name]["largest of three"] <= bound() for name in promised)
    lines = [
        "# Items under runs that all share: errors of the tests",
        "",
        "Written by `python -m validation.crossed_pairs`. All algorithms are equal",
        "over items and runs, level 0.05 over all pairs. Right and wrong answers of a",
        "probit model; where runs matter, each suits some algorithms better (standard",
        f"deviation 0.3). {RUNS} tables each. `pc.crossed_pairs` takes the largest of",
        "three p-values; the last three columns take one of them, with Bonferroni.",
        f"**{held} of {len(promised)} promised error rates are at most their bound** "
        f"({bound():.4f}: 0.05",
        "and three Monte Carlo standard errors).",
        "",
        *table_lines(
            [["law", "guarantee", "largest of three", *ALONE]]
            + [
                [
                    name,
                    law.key,
                    *(f"{found[name][t]:.4f}" for t in ("largest of three", *ALONE)),
                ]
                for name, law in LAWS.items()
            ]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, LAWS, lambda name: simulated(name, RUNS), "crossed pairs"
    )
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
