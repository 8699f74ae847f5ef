"""The long studies: ``python -m validation.study [--folder DIR]`` (``make study``).

Each study is a list of seeded chunks; a finished chunk is one line in the study's file,
so an interrupted run goes on where it stopped. The simulation studies
(``validation.simulations``), family-wise errors (``validation.family_wise``) and the
study of real data (``validation.agreement_study``) have their own folders for that, and
write their pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.testing import lre
from pycompare.data.blocks import Blocks
from pycompare.kernels import exhaustive
from pycompare.kernels.ranks import midranks
from pycompare.methods.ranks.aligned import aligned_positions
from pycompare.methods.ranks.positions import friedman_positions
from pycompare.methods.ranks.quade import quade_positions
from validation.cells import finish_cells

from . import (
    agreement_study,
    family_wise,
    program_faults,
    random_models,
)
from .brute_force import brute_force_bergmann_hommel, random_case
from .cases import scores
from .checks.multivariate_permutation import metrics_of
from .chunk_lines import append_line, read_lines
from .reader_pilots import conclude_pilots, pilots
from .simulations.runs import run as run_simulations

CHUNKS = 25


@dataclass(frozen=True)
class Study:
    """A study: its name, the work of one chunk, and how chunks add up to a line."""

    name: str
    chunk: Callable[[int], dict[str, Any]]
    conclude: Callable[[list[dict[str, Any]]], str]


def enumeration(seed: int) -> dict[str, Any]:
    """Compare Bergmann-Hommel with enumeration on 240 random tables."""
    rng = np.random.default_rng([seed, 1])
    worst = 15.0
    for _ in range(240):
        case = random_case(rng)
        expected = brute_force_bergmann_hommel(case.p)
        found = [exhaustive.bergmann_hommel(case.p)]
        if case.positions is not None:
            found.append(exhaustive.bergmann_hommel_line(case.positions, case.p))
        off = ~np.eye(len(case.p), dtype=bool)
        worst = min(worst, *(lre(f[off], expected[off]).min() for f in found))
    return {"cases": 240, "digits": float(worst)}


def conclude_enumeration(chunks: list[dict[str, Any]]) -> str:
    """Say how many cases agreed to how many digits."""
    cases = sum(c["cases"] for c in chunks)
    return f"{cases} cases, at least {min(c['digits'] for c in chunks):.1f} digits"


def standard_errors(seed: int) -> dict[str, Any]:
    """Count rejections of a true pair hypothesis by method and standard error."""
    rng = np.random.default_rng([seed, 2])
    counts: dict[str, int] = {}
    makers = {
        "friedman": friedman_positions,
        "aligned": aligned_positions,
        "quade": quade_positions,
    }
    for a in (2, 3, 5, 10):
        names = tuple(f"A{j}" for j in range(a))
        for _ in range(400):
            blocks = Blocks(
                values=rng.normal(size=(20, a)),
                metric=pc.Metric("score", "lower"),
                algorithms=names,
                blocks=tuple(f"{i}" for i in range(20)),
                decimals=None,
            )
            for method, make in makers.items():
                for rule in ("textbook", "permutation"):
                    at = make(blocks, rule)
                    difference = (at.sums[0] - at.sums[1]) / at.unit
                    hit = abs(difference) > 1.959963984540054 * at.std_errors[0, 1]
                    key = f"{method}, {rule}, {a} algorithms"
                    counts[key] = counts.get(key, 0) + int(hit)
    return {"runs": 400, "rejections": counts}


def conclude_levels(chunks: list[dict[str, Any]]) -> str:
    """List the rejection rates at 0.05."""
    runs = sum(c["runs"] for c in chunks)
    lines = [f"{runs} runs each; wanted 0.05"]
    for key in chunks[0]["rejections"]:
        rate = sum(c["rejections"][key] for c in chunks) / runs
        lines.append(f"  {key}: {rate:.4f}")
    return "\n".join(lines)


def kendall_coverage(seed: int) -> dict[str, Any]:
    """Count how often the 95 % interval for Kendall's W holds the true value."""
    rng = np.random.default_rng([seed, 3])
    hits: dict[str, int] = {}
    for spread in (0.0, 0.3, 0.8):
        effects = spread * np.arange(4.0)
        many = midranks(rng.normal(size=(200_000, 4)) + effects)
        r = np.sum((many.mean(axis=0) - 2.5) ** 2) / 5
        for n in (10, 20, 40):
            truth = (1 + (n - 1) * r) / n
            for _ in range(80):
                table = scores(rng.normal(size=(n, 4)) + effects, "lower")
                w = pc.friedman(table).kendall_w
                key = f"{n} blocks, algorithms {spread} apart"
                inside = bool(w.conf_low <= truth <= w.conf_high)
                hits[key] = hits.get(key, 0) + inside
    return {"runs": 80, "hits": hits}


def conclude_kendall_coverage(chunks: list[dict[str, Any]]) -> str:
    """List the coverage."""
    runs = sum(c["runs"] for c in chunks)
    lines = [f"{runs} runs each; wanted 0.95"]
    for key in chunks[0]["hits"]:
        lines.append(f"  {key}: {sum(c['hits'][key] for c in chunks) / runs:.3f}")
    return "\n".join(lines)


RESIDUAL_DESIGNS = ((10, 3, 2), (30, 3, 2), (10, 5, 3), (30, 5, 4), (15, 8, 3))
"""Blocks, algorithms, metrics."""


def residual_levels(seed: int) -> dict[str, Any]:
    """Count rejections of true assumptions by checks of multivariate residuals."""
    rng = np.random.default_rng([seed, 4])
    counts: dict[str, int] = {}
    for b, a, p in RESIDUAL_DESIGNS:
        for _ in range(200):
            table = metrics_of(rng.normal(size=(b, a, p)))
            for blocked in (True, False):
                found = pc.multivariate_checks(table, blocked=blocked)
                form = "blocked" if blocked else "one-way"
                for name, test in found.tests.items():
                    key = f"{name}, {form}, {b}x{a}x{p}"
                    counts[key] = counts.get(key, 0) + test.rejected(0.05)
    return {"runs": 200, "rejections": counts}


STUDIES = (
    Study("multivariate_residual_levels", residual_levels, conclude_levels),
    Study("bergmann_hommel_enumeration", enumeration, conclude_enumeration),
    Study("pair_standard_errors", standard_errors, conclude_levels),
    Study("kendall_w_coverage", kendall_coverage, conclude_kendall_coverage),
    Study("power_from_reader_pilots", pilots, conclude_pilots),
    Study("means_of_random_models", random_models.chunk, random_models.conclude),
    Study("faults_of_the_program", program_faults.chunk, program_faults.conclude),
)


def run(study: Study, folder: Path) -> str:
    """Run the chunks that are not done yet and return the conclusion."""
    path = folder / f"{study.name}.jsonl"
    done = {line["seed"]: line for line in read_lines(path)}

    def keep(seed: int, chunk: dict[str, Any]) -> None:
        done[seed] = {"seed": seed} | chunk
        append_line(path, done[seed])

    left = [seed for seed in range(CHUNKS) if seed not in done]
    finish_cells(study.chunk, left, study.name, keep)
    return study.conclude([done[seed] for seed in range(CHUNKS)])


def main() -> None:
    """Run every study and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study"))
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for study in STUDIES:
        print(f"{study.name}: {run(study, folder)}", flush=True)
    found = run_simulations(folder / "simulations")
    print(f"simulations: {found}", flush=True)
    found = family_wise.run(folder / "family_wise")
    print(f"family_wise_error: {found}", flush=True)
    found = agreement_study.run(folder / "agreement")
    print(f"agreement_of_tests: {found}", flush=True)


if __name__ == "__main__":
    main()
