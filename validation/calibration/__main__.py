"""P-values of all public tests where their null hypotheses hold; coverage of intervals.

``python -m validation.calibration [--folder DIR] [--new]`` writes ``CALIBRATION.md``.
Every row of ``rows`` calls the public function. The name of a row and the
number of a chunk are its seed. A finished chunk is a line in the folder, so that an
interrupted run goes on where it stopped. ``--new`` runs the rows that are not stored
with all their trials, and keeps the others.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from validation.cells import finish_cells

from ..chunk_lines import append_line, read_lines
from ..markdown import spaced_table
from .data import ADJUSTED, Row
from .rows import INTERVALS, TESTS

HERE = Path(__file__).parents[1]
STORED, PAGE = HERE / "calibration.json", HERE / "CALIBRATION.md"
TRIALS, CHUNK, ALPHA = {"tests": 10_000, "intervals": 4000}, 500, 0.05

# ---- runs ---------------------------------------------------------------------------

GROUPS = {"tests": TESTS, "intervals": INTERVALS}


def chunk(group: str, name: str, number: int, trials: int) -> dict[str, list[float]]:
    """Return what one chunk of a row found, by quantity."""
    row = GROUPS[group][name]
    rng = np.random.default_rng([zlib.crc32(f"{group} {name}".encode()), number])
    found: dict[str, list[float]] = {}
    for _ in range(trials):
        with warnings.catch_warnings(action="ignore"):
            answer = row.ask(row.draw(rng))
        for what, value in answer.items():
            found.setdefault(what, []).append(value)
    return found


def kind_of(row: Row, what: str) -> str:
    """Return the kind of a quantity; adjusted p-values may be larger than uniform."""
    return "exact" if (row.kind, what) == ("uniform", ADJUSTED) else row.kind


def run(folder: Path, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Run the chunks that are not done, and return the summary of each row.

    ``stored``: rows that are taken as they are, by group.
    """
    folder.mkdir(parents=True, exist_ok=True)
    done = {group: whole(group, rows) for group, rows in stored.items()}
    todo = [
        (group, name)
        for group, rows in GROUPS.items()
        for name in rows
        if name not in done.get(group, {})
    ]
    jobs = [
        (*row, number)
        for row in todo
        for number in range(math.ceil(TRIALS[row[0]] / CHUNK))
        if number not in chunks_of(folder, *row)
    ]

    def of_chunk(job: tuple[str, str, int]) -> dict[str, list[float]]:
        return chunk(*job, min(CHUNK, TRIALS[job[0]]))

    def keep(job: tuple[str, str, int], found: dict[str, list[float]]) -> None:
        append_line(file_of(folder, *job[:2]), {"chunk": job[2], "found": found})

    finish_cells(of_chunk, jobs, "calibration", keep)
    summary: dict[str, Any] = {group: {} for group in GROUPS}
    for group, rows in GROUPS.items():
        for name, row in rows.items():
            if (group, name) in todo:
                found = of_row(folder, group, name, TRIALS[group])
                summary[group] |= summed(group, name, row, found)
            else:
                summary[group] |= done[group][name]
    return summary


def whole(group: str, rows: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the stored rows that have all their trials: quantities by row."""
    found: dict[str, dict[str, Any]] = {}
    for key, row in rows.items():
        name = key.split(": ")[0]
        if name in GROUPS[group] and row["trials"] == TRIALS[group]:
            found.setdefault(name, {})[key] = row
    return found


def summed(
    group: str, name: str, row: Row, found: Mapping[str, list[float]]
) -> dict[str, Any]:
    """Return what a row found, by quantity."""
    make = p_summary if group == "tests" else coverage
    level = {} if group == "tests" else {"level": row.level}
    return {
        name if len(found) == 1 else f"{name}: {what}": {
            **{"design": row.design, "kind": kind_of(row, what)},
            **level,
            **make(np.array(values)),
        }
        for what, values in found.items()
    }


def file_of(folder: Path, group: str, name: str) -> Path:
    """Return the file of a row's chunks."""
    return folder / f"{group} {name}.jsonl"


def chunks_of(folder: Path, group: str, name: str) -> dict[int, dict[str, list[float]]]:
    """Return the finished chunks of a row, by number."""
    lines = read_lines(file_of(folder, group, name))
    return {line["chunk"]: line["found"] for line in lines}


def of_row(folder: Path, group: str, name: str, trials: int) -> dict[str, list[float]]:
    """Return all trials of a row, whose chunks are done."""
    done = chunks_of(folder, group, name)
    found: dict[str, list[float]] = {}
    for number in range(math.ceil(trials / CHUNK)):
        for what, values in done[number].items():
            found.setdefault(what, []).extend(values)
    return found


def p_summary(p: np.ndarray) -> dict[str, Any]:
    """Return how p-values are distributed; NaN counts as 1.

    ``excess``: the largest F(u) - u of their distribution function F, one-sided
    Kolmogorov-Smirnov; ``distance``: the largest of both sides.
    """
    p = np.sort(np.where(np.isnan(p), 1.0, p))
    n = len(p)
    above = float(np.max(np.arange(1, n + 1) / n - p))
    below = float(np.max(p - np.arange(n) / n))
    shares = {f"share {u:g}": float(np.mean(p <= u)) for u in (0.01, ALPHA, 0.1)}
    excess = max(0.0, above)
    return {"trials": n, "excess": excess, "distance": max(above, below), **shares}


def coverage(held: np.ndarray) -> dict[str, Any]:
    """Return how often an interval holds the truth."""
    return {"trials": len(held), "coverage": float(np.mean(held))}


# ---- page ---------------------------------------------------------------------------


def limits(rows: Mapping[str, Any]) -> dict[str, float]:
    """Return the largest excess or distance, or the least coverage, of each row.

    Bonferroni over all rows that are judged, at 0.05 together.
    """
    judged = [name for name in rows if rows[name]["kind"] != "approximate"]
    tail = ALPHA / len(judged)
    found = {}
    for name in judged:
        n, kind = rows[name]["trials"], rows[name]["kind"]
        if "coverage" in rows[name]:
            found[name] = float(stats.binom.ppf(tail, n, rows[name]["level"])) / n
        elif kind == "uniform":
            found[name] = float(stats.kstwo.isf(tail, n))
        else:
            found[name] = float(stats.ksone.isf(tail, n))
    return found


def holds(row: Mapping[str, Any], limit: float) -> bool:
    """Tell whether a row is within its limit."""
    if "coverage" in row:
        return bool(row["coverage"] >= limit)
    what = "distance" if row["kind"] == "uniform" else "excess"
    return bool(row[what] <= limit)


def page(summary: Mapping[str, Any]) -> str:
    """Return the page."""
    tests, intervals = summary["tests"], summary["intervals"]
    bounds = limits(tests), limits(intervals)
    good = [
        sum(holds(rows[name], limit) for name, limit in bound.items())
        for rows, bound in zip((tests, intervals), bounds, strict=True)
    ]
    lines = [
        "# Calibration: p-values under the null hypothesis, coverage of intervals",
        "",
        "Written by `python -m validation.calibration`. Each row calls the public "
        "function on simulated data. The name of a row is its seed.",
        "",
        f"**{good[0]} of {len(bounds[0])} exact p-values are compatible with a uniform "
        f"or stochastically larger distribution. {good[1]} of {len(bounds[1])} exact "
        "intervals are compatible with at least their nominal coverage.** Each "
        "statement rests on tests at a level of 0.05 over all of its rows together "
        "(Bonferroni).",
        "",
        approximate_p(tests),
        "",
        approximate_intervals(intervals),
        "",
        "## P-values",
        "",
        "Kinds of rows:",
        "",
        "- uniform: the p-value has a uniform distribution in theory. The limit is "
        "that "
        "of the two-sided Kolmogorov-Smirnov test.",
        "- exact: the p-value is discrete or adjusted; in theory P(p <= u) is at most "
        "u. The limit is that of the one-sided Kolmogorov-Smirnov test for F(u) - u.",
        "- approximate: P(p <= u) is at most u only in large samples, so there is no "
        "limit. The columns show the deviation with samples of this size.",
        *p_table(tests, bounds[0]),
        "## Intervals",
        "",
        '"All at once": the share of simulated tables in which all intervals contain '
        "the true value.",
        *coverage_table(intervals, bounds[1]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def approximate_p(rows: Mapping[str, Any]) -> str:
    """Return how many approximate p-values are too small at 0.05, and which."""
    near, far = approximations(rows), far_off(rows)
    return (
        f"{len(near) - len(far)} of {len(near)} approximate p-values reject a true "
        f"hypothesis at {ALPHA:g} no more often than that, within three Monte Carlo "
        f"errors.{others(far)}"
    )


def approximate_intervals(rows: Mapping[str, Any]) -> str:
    """Return how many approximate intervals are too short, and which."""
    near, far = approximations(rows), far_off(rows)
    return (
        f"{len(near) - len(far)} of {len(near)} approximate intervals contain the true "
        "value as often as their level states, within three Monte Carlo errors."
        f"{others(far)}"
    )


def approximations(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rows of large samples."""
    return {n: row for n, row in rows.items() if row["kind"] == "approximate"}


def far_off(rows: Mapping[str, Any]) -> dict[str, float]:
    """Return the shares that three Monte Carlo errors do not explain, by row."""
    found = {}
    for name, row in approximations(rows).items():
        level = row.get("level", ALPHA)
        share = row["coverage"] if "level" in row else row[f"share {ALPHA:g}"]
        excess = level - share if "level" in row else share - level
        if excess > 3 * monte_carlo(level, row["trials"]):
            found[name] = share
    return found


def monte_carlo(share: float, trials: int) -> float:
    """Return the standard error of a simulated share."""
    return math.sqrt(share * (1 - share) / trials)


def others(shares: Mapping[str, float]) -> str:
    """Return the rows that are not as they should be, if any."""
    named = "; ".join(f"{name} ({share:.4f})" for name, share in shares.items())
    return f" The others: {named}." if named else ""


def p_table(rows: Mapping[str, Any], bounds: Mapping[str, float]) -> list[str]:
    """Return the table of tests."""
    head = ["test", "data", "kind", "trials", "p <= 0.01", "p <= 0.05", "p <= 0.1"]
    head += ["largest F(u) - u", "largest distance", "limit", "within"]
    body = []
    for name, row in rows.items():
        shares = [f"{row[f'share {u:g}']:.4f}" for u in (0.01, ALPHA, 0.1)]
        distances = [f"{row['excess']:.4f}", f"{row['distance']:.4f}"]
        about = [name, row["design"], row["kind"], str(row["trials"])]
        body.append([*about, *shares, *distances, *verdict(name, row, bounds)])
    return spaced_table([head, *body])


def coverage_table(rows: Mapping[str, Any], bounds: Mapping[str, float]) -> list[str]:
    """Return the table of intervals."""
    head = ["interval", "data", "kind", "trials", "level", "coverage", "limit"]
    head.append("within")
    body = [
        [
            *(name, row["design"], row["kind"], str(row["trials"])),
            *(f"{row['level']:g}", f"{row['coverage']:.4f}"),
            *verdict(name, row, bounds),
        ]
        for name, row in rows.items()
    ]
    return spaced_table([head, *body])


def verdict(name: str, row: Mapping[str, Any], bounds: Mapping[str, float]) -> Iterator:
    """Yield the limit of a row, and whether the row is within it."""
    if name not in bounds:
        return iter(("", ""))
    within = "yes" if holds(row, bounds[name]) else "**no**"
    return iter((f"{bounds[name]:.4f}", within))


def main() -> None:
    """Run all rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study") / "calibration")
    parser.add_argument("--pages", action="store_true", help="write the page only")
    parser.add_argument("--new", action="store_true", help="keep what is stored")
    chosen = parser.parse_args()
    if not chosen.pages:
        kept = STORED.read_text(encoding="utf-8") if chosen.new else "{}"
        found = run(chosen.folder, json.loads(kept))
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    PAGE.write_text(page(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
