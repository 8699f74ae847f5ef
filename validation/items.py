"""Coverage for these items and for items like these, and errors on fixed items.

``python -m validation.items`` runs what ``items.json`` does not have, and writes
``ITEMS.md``. A model answers an item right with a chance of its own (logit: skill,
ease of the item, own ease of model and item), independently in each run. Each table has
new items, so that both intervals are judged at once: of these items by the mean of
their chances, of items like these by that of all items. The name of a cell is its seed.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special, stats

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.kernels import binomial
from pycompare.methods.cases.share_pairs import share_pairs
from validation.cells import finish_parts

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "items.json", HERE / "ITEMS.md"
TABLES, TABLES_OF_PAIRS, LEVEL, ALPHA = 2000, 2000, 0.95, 0.05
LEAST = 0.93
"""Coverage of both intervals in every cell, two Monte Carlo errors aside."""
_LARGE = 1_000_000


@dataclass(frozen=True)
class Population:
    """Items and models: skills, and deviations of items and of models on items."""

    skills: tuple[float, float]
    item: float
    own: float

    def chances(self, rng: Generator, n: int) -> Floats:
        """Return the chance of each model on each item."""
        ease = self.item * rng.normal(size=(n, 1)) + self.own * rng.normal(size=(n, 2))
        return np.asarray(special.expit(ease + np.array(self.skills)))


POPULATIONS = {
    "moderate": Population((0.6, 0.2), 1.0, 0.5),
    "no own effect": Population((0.6, 0.2), 1.0, 0.0),
    "shares of 0.99": Population((4.75, 4.35), 0.5, 0.3),
    "nearly fixed answers": Population((2.0, 1.4), 6.0, 4.0),
}
CELLS = {
    f"{law}, {n} items, {runs} answers": (law, n, runs)
    for law in POPULATIONS
    for n in (20, 50, 200, 1000)
    for runs in (1, 2, 5, 10)
}
SCOPES = ("share, like these", "share, these", "difference, like these",
          "difference, these")  # fmt: skip
PLAIN = {
    "share, like these": "t",
    "share, these": "Wilson of all answers",
    "difference, like these": "t",
    "difference, these": "z",
}
"""The plain rule whose coverage stands beside."""


def scores_of(right: Floats) -> pc.Scores:
    """Return scores of right (1) and wrong (0) answers, (items, models, runs)."""
    n, a, runs = right.shape
    several: dict[str, Any] = {}
    if runs > 1:
        several["runs"] = right[:, :, None]
        several["replicates"] = tuple(f"run {k}" for k in range(runs))
    return pc.Scores(
        algorithms=tuple("ABCDEFGHIJ"[:a]),
        blocks=tuple(f"item {i}" for i in range(n)),
        metrics=(Metric("accuracy", "higher"),),
        values=right.mean(axis=-1)[:, :, None],
        **several,
    )


def covered(name: str, tables: int) -> dict[str, list[float | None]]:
    """Return the coverage of each interval, and of the plain rule."""
    law, n, runs = CELLS[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    population = POPULATIONS[law].chances(np.random.default_rng(1), _LARGE).mean(axis=0)
    hits = {scope: np.zeros(2) for scope in SCOPES}
    for _ in range(tables):
        chances = POPULATIONS[law].chances(rng, n)
        right = (rng.random((n, 2, runs)) < chances[:, :, None]).astype(float)
        limits = _limits(right)
        own = chances.mean(axis=0)
        truths = (population[0], own[0], -np.ptp(population), own[1] - own[0])
        for scope, truth in zip(SCOPES, truths, strict=True):
            if limits[scope] is not None:
                hits[scope] += [low <= truth <= high for low, high in limits[scope]]
    known = {scope: runs > 1 or "like" in scope for scope in SCOPES}
    return {
        scope: [float(h) / tables if known[scope] else None for h in hits[scope]]
        for scope in SCOPES
    }


def enumerated(name: str) -> float:
    """Return the coverage of Wilson's limits of one answer, by all counts."""
    law, n, _ = CELLS[name]
    share = POPULATIONS[law].chances(np.random.default_rng(1), _LARGE).mean(axis=0)[0]
    ones = np.arange(n + 1)
    low, high = binomial.wilson(ones / n, n, LEVEL)
    inside = (low <= share) & (share <= high)
    return float(stats.binom.pmf(ones, n, share)[inside].sum())


def _limits(right: Floats) -> dict[str, Any]:
    """Return the interval of each scope and that of its plain rule."""
    n, _, runs = right.shape
    scores = scores_of(right)
    means = pc.item_means(scores, level=LEVEL).as_columns()
    pair = share_pairs(scores, alpha=1 - LEVEL).as_columns()
    turned = 1.0 if pair["algorithm_1"][0] == "B" else -1.0
    cells = right.mean(axis=-1)
    d, first = cells[:, 1] - cells[:, 0], cells[:, 0]
    t = stats.t.isf((1 - LEVEL) / 2, n - 1)
    ends = sorted(turned * float(pair[name][0]) for name in ("conf_low", "conf_high"))
    limits: dict[str, Any] = {
        "share, like these": (
            (means["low_like"][0], means["high_like"][0]),
            _around(first.mean(), t * stats.sem(first)),
        ),
        "difference, like these": (ends, _around(d.mean(), t * stats.sem(d))),
    }
    if runs == 1:
        return limits | dict.fromkeys(("share, these", "difference, these"))
    fixed = pc.these_items(scores, alpha=1 - LEVEL).as_columns()
    within = right.var(axis=-1, ddof=1).mean(axis=0).sum()
    low, high = binomial.wilson(first.mean(), n * runs, LEVEL)
    z = stats.norm.isf((1 - LEVEL) / 2)
    turned = 1.0 if fixed["algorithm_1"][0] == "B" else -1.0
    ends = sorted(turned * float(fixed[name][0]) for name in ("conf_low", "conf_high"))
    return limits | {
        "share, these": (
            (means["low_these"][0], means["high_these"][0]), (float(low), float(high)),
        ),
        "difference, these": (
            ends, _around(d.mean(), z * math.sqrt(within / (n * runs))),
        ),
    }  # fmt: skip


def _around(mean: float, half: float) -> tuple[float, float]:
    return float(mean - half), float(mean + half)


@dataclass(frozen=True)
class Law:
    """Models with equal means on fixed items, which differ from item to item."""

    items: int
    models: int
    runs: int
    options: Mapping[str, Any] = field(default_factory=dict)
    key: str = "cases/these-items/holm"

    def draw(self, rng: Generator) -> pc.Scores:
        """Return one table: models have the same chances, each on other items."""
        chance = rng.beta(2, 0.7, self.items)
        own = np.stack([rng.permutation(chance) for _ in range(self.models)], axis=1)
        shape = (self.items, self.models, self.runs)
        return scores_of((rng.random(shape) < own[:, :, None]).astype(float))


LAWS = {
    **{
        f"{a} models, {n} items, {runs} answers": Law(n, a, runs)
        for a, n, runs in ((2, 50, 2), (4, 50, 2), (4, 200, 5), (8, 200, 2))
    },
    "4 models, 100 items, 3 answers, Bergmann-Hommel": Law(
        100, 4, 3, {"adjust": "bergmann-hommel"},
        "cases/these-items/bergmann-hommel",
    ),
    "4 models to a control, 100 items, 3 answers": Law(
        100, 4, 3, {"control": "A"}, "cases/these-items/holm/control"
    ),
}  # fmt: skip


def errors(name: str, tables: int) -> dict[str, float]:
    """Return the share of tables with a false conclusion."""
    law, false = LAWS[name], 0
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(tables):
        pairs = pc.these_items(law.draw(rng), **law.options).as_columns()
        false += bool((pairs["p_adjusted"] <= ALPHA).any())
    return {"error": false / tables}


def bound(tables: int = TABLES_OF_PAIRS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / tables)


def page(found: Mapping[str, Any]) -> str:
    """Return the page of the study."""
    cells = found["cells"]

    def span(scope: str, place: int) -> str:
        held = [c[scope][place] for c in cells.values() if c[scope][place] is not None]
        return f"{min(held):.3f} to {max(held):.3f}"

    def row(name: str) -> list[str]:
        numbers = [cells[name][scope] for scope in SCOPES]
        shown = [
            "–" if own is None else f"{own:.3f} ({plain:.3f})" for own, plain in numbers
        ]
        return [name, *shown, f"{cells[name]['tables']:,}"]

    lines = [
        "# Items: coverage for these items and for items like these",
        "",
        "Written by `python -m validation.items`. Two models, right and wrong answers",
        "with a chance of each model and item; 95% intervals of `pc.item_means`,",
        "`pc.share_pairs` and `pc.these_items`; the number of tables is in the last",
        "column (a Monte Carlo error is 0.005 with 2,000 and 0.011 with 400). With one",
        "answer these items cannot be separated from items like these, and shares have",
        "Wilson's limits, whose coverage of few wrong answers depends on how many are",
        "expected: enumerated it is 0.84 if 0.2 are, 0.92 if one is. `item_means` and",
        "`accuracy_intervals` note it.",
        "",
        *table_lines(
            [["interval", "coverage over all cells", "plain rule", "its coverage"]]
            + [[s, span(s, 0), PLAIN[s], span(s, 1)] for s in SCOPES]
        ),
        "",
        "## Errors of pairs on fixed items",
        "",
        "Models have the same chances, each on other items, so that their means are",
        "equal over these items; level 0.05 over all pairs, "
        f"{TABLES_OF_PAIRS:,} tables.",
        f"An error up to {bound():.4f} is 0.05 and three Monte Carlo errors.",
        "",
        *table_lines(
            [["law", "guarantee", "false conclusions"]]
            + [
                [name, law.key, f"{found['laws'][name]['error']:.4f}"]
                for name, law in LAWS.items()
            ]
        ),
        "",
        "## All cells",
        "",
        "In parentheses: the plain rule.",
        "",
        *table_lines([["cell", *SCOPES, "tables"]] + [row(name) for name in CELLS]),
        "",
    ]
    return "\n".join(lines)


def row_of(part: str, name: str) -> dict[str, Any]:
    """Return one row of a part."""
    if part == "laws":
        return errors(name, TABLES_OF_PAIRS)
    return covered(name, TABLES) | {"tables": TABLES}


def main() -> None:
    """Run what is not stored, and write the page."""
    found = finish_parts(STORED, {"cells": CELLS, "laws": LAWS}, row_of, "items")
    PAGE.write_text(page(found), encoding="utf-8")


def _store(found: Mapping[str, Any]) -> None:
    """Keep what is finished."""
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
