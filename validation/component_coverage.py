"""Coverage of the intervals of components of variance.

``python -m validation.component_coverage [--runs N]`` writes the last section of
``MULTIREADER.md``. Studies are drawn from Roe and Metz's model, whose expected
components are known. The limits are those of ``pc.variance_components`` for readers,
and the same limits for the covariances over cases, for which it gives none.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import pycompare as pc
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.typing import Floats

PAGE = Path(__file__).parent / "MULTIREADER.md"
HEADING = "## Intervals of components of variance"
RUNS = 4000
CHUNK = 100
LEVEL = 0.95
STUDIES: Mapping[str, tuple[int, int, int, float]] = {
    "2 modalities x 5 readers x 100 cases, AUC 0.70": (2, 5, 50, 0.75),
    "3 modalities x 8 readers x 120 cases, AUC 0.85": (3, 8, 60, 1.5),
    "2 modalities x 10 readers x 200 cases, AUC 0.96": (2, 10, 100, 2.5),
}
"""Name -> modalities, readers, cases of a class, separation of the classes."""
TERMS = ("R", "C", "TR", "TC", "RC", "TRC")


def combinations(t: int, r: int, n: int) -> dict[str, Floats]:
    """Return each component as a combination of the mean squares of ``TERMS``."""
    case = np.array([0, 1, 0, -1, -1, 1]) / (t * r * n)
    modality_case = np.array([0, 0, 0, 1, 0, -1]) / (r * n)
    reader_case = np.array([0, 0, 0, 0, 1, -1]) / (t * n)
    rest = np.array([0, 0, 0, 0, 0, 1]) / n
    return {
        "reader": np.array([1, 0, -1, 0, -1, 1]) / (t * n),
        "modality x reader": np.array([0, 0, 1, 0, 0, -1]) / n,
        "error": case + modality_case + reader_case + rest,
        "Cov1": case + reader_case,
        "Cov2": case + modality_case,
        "Cov3": case,
    }


def covered(name: str, runs: int) -> dict[str, int]:
    """Count studies whose limits hold the expected component."""
    t, r, cases, separation = STUDIES[name]
    model = pc.RoeMetz(
        separation=(separation,) * t,
        reader=0.0055,
        modality_reader=0.0055,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    wanted, made = model.components(cases, cases), combinations(t, r, 2 * cases)
    counts = dict.fromkeys(made, 0)
    for chunk in range(math.ceil(runs / CHUNK)):
        rng = np.random.default_rng([zlib.crc32(name.encode()), chunk])
        truth, x = model.sample(
            rng,
            n_readers=r,
            n_positive=cases,
            n_negative=cases,
            trials=min(CHUNK, runs - chunk * CHUNK),
        )
        table = rm.three_way(pseudo.auc(truth, x)[1])
        df = np.array([table[term][0] for term in TERMS], float)
        squares = np.stack([table[term][1] for term in TERMS], axis=-1) / df
        for component, coefficients in made.items():
            low, high = modified_large_sample(coefficients, squares, df, LEVEL)
            holds = (low <= wanted[component]) & (wanted[component] <= high)
            counts[component] += int(holds.sum())
    return counts


def section(counts: Mapping[str, Mapping[str, int]], runs: int) -> str:
    """Return the section of the page."""
    names = list(next(iter(counts.values())))
    error = math.sqrt(LEVEL * (1 - LEVEL) / runs)
    lines = [
        HEADING,
        "",
        f"Written by `python -m validation.component_coverage --runs {runs}`: the "
        f"share of {runs} studies of Roe and Metz's model in which the {LEVEL:.0%} "
        "limits hold the expected component of the AUC (Monte Carlo standard error "
        f"{error:.4f}). The limits are the modified large-sample limits of Ting et al. "
        "(1990) for mean squares of pseudovalues.",
        "",
        "`pc.variance_components` gives them for readers and modality x reader only. "
        "Those of the covariances over cases are shown to say why it does not: "
        "pseudovalues of an AUC are not normal, and the limits are too narrow.",
        "",
        "| drawn from | " + " | ".join(names) + " |",
        "|---|" + "---|" * len(names),
    ]
    for study, row in counts.items():
        cells = " | ".join(f"{row[name] / runs:.4f}" for name in names)
        lines.append(f"| {study} | {cells} |")
    return "\n".join(lines) + "\n"


def with_section(page: str, new: str) -> str:
    """Return a page whose last section is the new one."""
    return f"{page.split(HEADING)[0].rstrip()}\n\n{new}"


def study(runs: int) -> str:
    """Return the section after so many runs."""
    return section({name: covered(name, runs) for name in STUDIES}, runs)


def main() -> None:
    """Run the studies and replace the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    page = with_section(chosen.page.read_text(encoding="utf-8"), study(chosen.runs))
    chosen.page.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
