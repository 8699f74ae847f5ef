"""Coverage of aggregates, pairs and profiles of runs on fixed tasks, few runs each.

``python -m validation.run_aggregates`` runs what ``run_aggregates.json`` does not have,
and writes ``RUN_AGGREGATES.md``. Two algorithms on tasks whose levels are fixed; runs
are drawn anew for each table. The truth is that of 20,000 runs of each task. The name
of a cell is its seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.runs import mean_of_runs
from pycompare.kernels import run_aggregates as kernel
from pycompare.kernels.run_aggregates import TaskRuns
from pycompare.methods.agents.common import aggregate
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "run_aggregates.json", HERE / "RUN_AGGREGATES.md"
TABLES, DRAWS, LEVEL, GAMMA = 400, 400, 0.95, 1.0

_LARGE = 20_000
AGGREGATES = ("iqm", "mean", "optimality_gap", "median")


def _normal(rng: Generator, level: Floats, size: int) -> Floats:
    """Return runs with one standard deviation."""
    return level[:, None] + 0.25 * rng.normal(size=(len(level), size))


def _skewed(rng: Generator, level: Floats, size: int) -> Floats:
    """Return lognormal runs; tasks differ in their relative spread."""
    spread = 0.2 + 0.6 * (np.arange(len(level)) % 5) / 4
    noise = rng.normal(size=(len(level), size))
    return level[:, None] * np.exp(spread[:, None] * noise - spread[:, None] ** 2 / 2)


def _failing(rng: Generator, level: Floats, size: int) -> Floats:
    """Return runs that fail, with another chance on each task."""
    chance = 0.5 * (np.arange(len(level)) % 4) / 3
    fails = rng.random((len(level), size)) < chance[:, None]
    spread = 1 + 0.1 * rng.normal(size=fails.shape)
    return np.where(fails, 0.02, level[:, None]) * spread


LAWS: Mapping[str, Callable[[Generator, Floats, int], Floats]] = {
    "normal runs": _normal,
    "skewed runs": _skewed,
    "failing runs": _failing,
}


@dataclass(frozen=True)
class Cell:
    """One setting: the law of runs, how many tasks, and runs of each."""

    law: str
    n_tasks: int
    fewest: int
    most: int

    def levels(self) -> tuple[Floats, Floats]:
        """Return the level of each task for both algorithms, the same in each table."""
        rng = np.random.default_rng(11)
        first = np.exp(rng.normal(-0.5, 1.0, self.n_tasks))
        return first, first * np.exp(rng.normal(0.2, 0.3, self.n_tasks))

    def runs(self, rng: Generator, size: int) -> Floats:
        """Return runs of tasks x algorithms x runs."""
        draw = LAWS[self.law]
        return np.stack([draw(rng, own, size) for own in self.levels()], axis=1)

    def table(self, rng: Generator) -> pc.Scores:
        """Return one table; numbers of runs differ between cells if they may."""
        runs = self.runs(rng, self.most)
        counts = rng.integers(self.fewest, self.most + 1, runs.shape[:2])
        runs[np.arange(self.most) >= counts[:, :, None]] = np.nan
        return scores_of(runs)


def scores_of(runs: Floats) -> pc.Scores:
    """Return scores of runs, tasks x algorithms x runs."""
    held = runs[:, :, None]
    return pc.Scores(
        values=mean_of_runs(held),
        runs=held,
        replicates=tuple(f"run {k}" for k in range(runs.shape[-1])),
        blocks=tuple(f"task {k}" for k in range(len(runs))),
        algorithms=tuple("AB"[: runs.shape[1]]),
        metrics=(Metric("return", "higher"),),
    )


CELLS = {
    f"{law}, {n} tasks, {told} runs": Cell(law, n, *ends)
    for law in LAWS
    for n in (6, 26)
    for told, ends in {
        "3": (3, 3), "5": (5, 5), "10": (10, 10), "2 to 6": (2, 6),
    }.items()
}  # fmt: skip
RULES = ("t", "bootstrap", "bootstrap-textbook")
PAIRS = ("probability_of_improvement", "iqm")


@dataclass(frozen=True, eq=False)
class Truth:
    """The numbers that intervals should cover."""

    own: tuple[TaskRuns, TaskRuns]

    def aggregates(self) -> Floats:
        """Return the aggregates of both algorithms."""
        return np.array(
            [
                [float(aggregate(own, own.weights, name, GAMMA)) for name in AGGREGATES]
                for own in self.own
            ]
        )

    def improvement(self) -> float:
        """Return the probability of improvement, by ranks within tasks."""
        n_tasks = self.own[0].n_tasks
        shares = []
        for task in range(n_tasks):
            x, y = (own.scores[own.tasks == task] for own in self.own)
            sides = [
                np.searchsorted(y, x, side=side).mean() for side in ("left", "right")
            ]
            shares.append(np.mean(sides) / len(y))
        return float(np.mean(shares))

    def outside(self, table: pc.Scores, j: int, half: float) -> bool:
        """Return whether the band of an algorithm leaves out part of its profile."""
        assert table.runs is not None
        own = TaskRuns.of(np.asarray(table.runs[:, j, 0]))
        x, share = kernel.profile(own)
        known = self.own[j].scores
        above = 1 - np.searchsorted(known, x, side="right") / len(known)
        before = np.r_[1.0, share[:-1]]
        largest = max(np.abs(share - above).max(), np.abs(before - above).max())
        return bool(largest > half)


def covered(name: str, tables: int) -> dict[str, float]:
    """Return the coverage of each interval of one cell."""
    cell = CELLS[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    large = cell.runs(np.random.default_rng(12), _LARGE)
    truth = Truth((TaskRuns.of(large[:, 0]), TaskRuns.of(large[:, 1])))
    aggregates = truth.aggregates()
    ahead = truth.improvement()
    differences = {"probability_of_improvement": ahead,
                   "iqm": aggregates[0, 0] - aggregates[1, 0]}  # fmt: skip
    hits: dict[str, list[float]] = {}
    for k in range(tables):
        table = cell.table(rng)
        for rule in RULES:
            for what, hit in _hits(table, rule, k, aggregates, differences).items():
                hits.setdefault(what, []).append(hit)
        bands = pc.run_profiles(table, level=LEVEL, draws=DRAWS, seed=k)
        halves = bands.half_widths["half_width"]
        inside = [not truth.outside(table, j, halves[j]) for j in (0, 1)]
        hits.setdefault("profile", []).append(float(np.mean(inside)))
    return {what: float(np.mean(own)) for what, own in hits.items()}


def _hits(
    table: pc.Scores,
    rule: Any,
    seed: int,
    aggregates: Floats,
    differences: Mapping[str, float],
) -> dict[str, float]:
    """Return the share of intervals of one table that cover."""
    drawn: dict[str, Any] = {} if rule == "t" else {"draws": DRAWS, "seed": seed}
    own = pc.run_aggregates(table, gamma=GAMMA, interval=rule, level=LEVEL, **drawn)
    limits = own.as_columns()
    of = {}
    for at, name in enumerate(AGGREGATES):
        rows = np.flatnonzero(limits["aggregate"] == name)
        if len(rows):
            low, high = limits["conf_low"][rows], limits["conf_high"][rows]
            inside = (low <= aggregates[:, at]) & (aggregates[:, at] <= high)
            of[f"{name}, {rule}"] = float(inside.mean())
    pairs = pc.run_pairs(table, interval=rule, level=LEVEL, **drawn).as_columns()
    for name, value in differences.items():
        [row] = np.flatnonzero(pairs["quantity"] == name)
        inside = pairs["conf_low"][row] <= value <= pairs["conf_high"][row]
        of[f"pairs: {name}, {rule}"] = float(inside)
    return of


COLUMNS = {
    "interquartile mean": "iqm",
    "mean": "mean",
    "optimality gap": "optimality_gap",
    "median of tasks": "median",
    "probability of improvement": "pairs: probability_of_improvement",
    "difference of interquartile means": "pairs: iqm",
}
NUMBERS_OF_RUNS = ("3", "5", "10", "2 to 6")


def cells_with(runs: str) -> list[str]:
    """Return the cells with these numbers of runs."""
    return [name for name in CELLS if name.endswith(f", {runs} runs")]


def span(cells: Mapping[str, Mapping[str, float]], names: list[str], what: str) -> str:
    """Return the lowest and the highest coverage over some cells."""
    held = [cells[name][what] for name in names if what in cells[name]]
    return f"{min(held):.3f} to {max(held):.3f}" if held else "–"


def page(cells: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    summary = [["quantity", "interval", *(f"{n} runs" for n in NUMBERS_OF_RUNS)]]
    for title, key in COLUMNS.items():
        for rule in RULES:
            own = [
                span(cells, cells_with(n), f"{key}, {rule}") for n in NUMBERS_OF_RUNS
            ]
            if own[0] != "–":
                summary.append([title, rule, *own])
    bands = [span(cells, cells_with(n), "profile") for n in NUMBERS_OF_RUNS]
    summary.append(["performance profile, all scores together", "band", *bands])
    names = [f"{key}, t" for key in COLUMNS.values() if key != "median"] + ["profile"]
    heads = [title for title in COLUMNS if title != "median of tasks"] + ["profile"]
    lines = [
        "# Runs of agents: coverage with few runs",
        "",
        "Written by `python -m validation.run_aggregates`. Two algorithms on 6 or 26",
        "fixed tasks, with normal, skewed or failing runs; 95% intervals of",
        "`pc.run_aggregates` and `pc.run_pairs` and bands of `pc.run_profiles`,",
        f"{TABLES:,} tables a cell, {DRAWS:,} resamples. Lowest and highest coverage",
        "over the cells. `bootstrap-textbook` is the stratified percentile bootstrap",
        "of Agarwal et al. (2021), as in rliable: too short with few runs, because",
        "the variance of a resampled mean of n runs is too small, by (n - 1)/n.",
        "",
        *table_lines(summary),
        "",
        "## All cells: t intervals and bands",
        "",
        *table_lines(
            [["cell", *heads]]
            + [[n, *(f"{cells[n][what]:.3f}" for what in names)] for n in CELLS]
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, CELLS, lambda name: covered(name, TABLES), "run_aggregates"
    )
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
