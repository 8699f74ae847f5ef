"""Power of the number of labels that ``sizes.Labels`` returns for a power of 0.8."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

import pycompare as pc
from pycompare import sizes
from validation.cells import finish_rows

from .markdown import table as table_lines

STORED = Path(__file__).parent / "judge_sizes.json"
STUDIES, ALPHA, TARGET = 20_000, 0.05, 0.8
_TRUTHS = {
    "0.75 and 0.65, common difficulty": (0.1, 0.535, True),
    "0.75 and 0.65, independent answers": (
        0.1,
        math.sqrt(0.75 * 0.25 + 0.65 * 0.35),
        True,
    ),
    "graded, 0.25 standard deviations": (0.25, 1.0, False),
}
_POPULATIONS: tuple[Literal["like", "these"], ...] = ("like", "these")
DESIGNS = {
    f"{truth}, correlation {correlation:g}"
    + ("" if population == "like" else ", these items"): sizes.Labels(
        difference=difference,
        sd=sd,
        correlation=correlation,
        items=3000,
        binary=binary,
        population=population,
    )
    for truth, (difference, sd, binary) in _TRUTHS.items()
    for population in _POPULATIONS
    for correlation in (0.0, 0.6, 0.7, 0.9)
    if population == "like" or correlation == 0.7
}


def simulated(name: str, studies: int) -> dict[str, float]:
    """Return the number of labels, and its power by formula and by simulation."""
    design = DESIGNS[name]
    n = pc.power(design, target=TARGET, alpha=ALPHA, trials=0).n_required
    assert n is not None
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    parts = [design.p_values(rng, n, 500) for _ in range(studies // 500)]
    power = float((np.concatenate(parts) <= ALPHA).mean())
    return {"n": n, "formula": design.formula(n, ALPHA), "simulated": power}


def stored() -> dict[str, dict[str, float]]:
    """Return the results that are kept."""
    held: dict[str, dict[str, float]] = json.loads(STORED.read_text(encoding="utf-8"))
    return held


def run_unfinished() -> None:
    """Run the designs that are not stored."""
    finish_rows(
        STORED, DESIGNS, lambda name: simulated(name, STUDIES), "sizes of labels"
    )


def powers(rows: Mapping[str, Mapping[str, float]], *, binary: bool) -> list[float]:
    """Return the simulated powers of one kind of labels."""
    return [
        row["simulated"] for name, row in rows.items() if DESIGNS[name].binary == binary
    ]


def page_lines() -> list[str]:
    """Return the section of the page."""
    rows = stored()
    spans: dict[str, Any] = {
        kind: powers(rows, binary=binary)
        for kind, binary in (("Labels of 0 and 1", True), ("graded labels", False))
    }
    told = [
        f"{kind}: {min(held):.3f} to {max(held):.3f}" for kind, held in spans.items()
    ]
    error = math.sqrt(TARGET * (1 - TARGET) / STUDIES)
    body = [
        [name, f"{row['n']:.0f}", f"{row['formula']:.3f}", f"{row['simulated']:.3f}"]
        for name, row in rows.items()
    ]
    return [
        "## Numbers of labels",
        "",
        f"The number of labels that `sizes.Labels` returns for a power of {TARGET:g}",
        f"at {ALPHA:g} (3,000 items), and its power in {STUDIES:,} simulated studies",
        f"(Monte Carlo error {error:.3f}). **{'; '.join(told)}.**",
        "",
        *table_lines([["truth", "labels", "formula", "simulated"], *body]),
        "",
    ]
