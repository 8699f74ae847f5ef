"""Errors of DeLong's test of two equal AUCs: score laws, areas, sizes, common cases.

``python -m validation.delong_level [--trials N]`` writes ``delong_level.json`` and
``DELONG_LEVEL.md``. The name of a design is its seed.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import placements
from validation.cells import cells_of

from .auc_coverage import LAWS
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "delong_level.json", HERE / "DELONG_LEVEL.md"
TRIALS = 2000
SIZES = (
    *((2, 100), (5, 100), (100, 5), (10, 10), (10, 100), (20, 100), (30, 100)),
    *((50, 50), (100, 100), (200, 200)),
)
"""Positive and negative cases. DeLong's variance needs two cases of each class."""
AREAS = (0.7, 0.9, 0.99, 0.999)
COMMON = (0.0, 0.5, 0.9)
"""Shares of the cases that have the same score by both."""
_MOST_RATED = 0.95
_MIXED = "normal, positive sd 3 against 1/3"
PAIRS = {**{law: (law, law) for law in LAWS}}
PAIRS[_MIXED] = ("normal, positive sd 3", "normal, positive sd 1/3")
"""Laws of the scores of both classifiers, by name."""
LEVEL = 0.05
TOO_LARGE = 1.1
"""From this multiple of the level on the largest error is said beside the test."""


def designs() -> Iterator[tuple[str, int, int, float, float]]:
    """Yield law, cases of both classes, area, share of common scores."""
    for law, (n1, n0), area, common in product(PAIRS, SIZES, AREAS, COMMON):
        if (law != "five ratings" or area <= _MOST_RATED) and (
            law != _MIXED or common == 0
        ):
            yield law, n1, n0, area, common


def _scores(
    laws: tuple[str, str], shape: tuple[int, int, int], area: float, rng: Generator
) -> Floats:
    """Return scores of two classifiers, independent of each other."""
    trials, n1, n0 = shape
    made = []
    for law in laws:
        positive, negative = LAWS[law](area)(rng, trials * n1, trials * n0)
        sides = (positive.reshape(trials, n1), negative.reshape(trials, n0))
        made.append(np.concatenate(sides, axis=1))
    return np.stack(made, axis=1)


def run_design(
    law: str, n1: int, n0: int, area: float, common: float, trials: int
) -> dict[str, Any]:
    """Return how often the test rejects, and how often it has no variance."""
    name = f"{law}, {n1} + {n0}, {area}, {common}"
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    scores = _scores(PAIRS[law], (trials, n1, n0), area, rng)
    same = rng.random((trials, n1 + n0)) < common
    scores[:, 1] = np.where(same, scores[:, 0], scores[:, 1])
    found = placements.delong(np.repeat([True, False], [n1, n0]), scores)
    estimate = found.area[:, 0] - found.area[:, 1]
    c = found.covariance
    variance = c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1]
    known = variance > 1e-12
    z = np.abs(estimate) / np.sqrt(np.where(known, variance, np.inf))
    critical = special.ndtri(1 - LEVEL / 2)
    return {
        **{"law": law, "positive": n1, "negative": n0, "area": area},
        **{"common": common, "trials": trials},
        "rejected": int(np.sum(z > critical)),
        "no_variance": int(np.sum(~known & (np.abs(estimate) > 1e-12))),
    }


def run(trials: int) -> list[dict[str, Any]]:
    """Run all designs."""
    every = list(designs())
    title = "level of DeLong's test"
    return list(cells_of(lambda design: run_design(*design, trials), every, title))


def level(row: dict[str, Any]) -> float:
    """Return the share of trials in which a true hypothesis is rejected."""
    return float(row["rejected"] / row["trials"])


def largest(rows: list[dict[str, Any]], size: int) -> float:
    """Return the largest level with so many cases of the smaller class."""
    return max(
        level(row) for row in rows if min(row["positive"], row["negative"]) == size
    )


def _worst(rows: list[dict[str, Any]]) -> str:
    worst = max(rows, key=level)
    return f"{level(worst):.3f} ({worst['area']:g}, {worst['common']:.0%})"


def _table(
    rows: list[dict[str, Any]],
    key: Callable[[dict[str, Any]], str],
    columns: dict[str, Callable[[dict[str, Any]], bool]],
) -> str:
    """Return the largest level of each group of designs."""
    groups = list(dict.fromkeys(map(key, rows)))
    body = [
        [
            g,
            *(
                _worst([r for r in rows if key(r) == g and of(r)])
                for of in columns.values()
            ),
        ]
        for g in groups
    ]
    return "\n".join(table_lines([["designs", *columns], *body]))


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page of the study."""
    trials = rows[0]["trials"]
    every = {"largest": lambda r: True}
    commons = {f"{share:.0%} in common": _with("common", share) for share in COMMON}
    areas = {f"AUC {area:g}": _with("area", area) for area in AREAS}
    large = sum(level(r) > TOO_LARGE * LEVEL for r in rows)
    return _PAGE.format(
        trials=trials,
        designs=len(rows),
        laws=len(PAIRS),
        error=f"{np.sqrt(LEVEL * (1 - LEVEL) / trials):.3f}",
        large=large,
        limit=f"{TOO_LARGE * LEVEL:g}",
        sizes=_table(rows, _size, {**every, **commons}),
        by_area=_table(rows, _size, areas),
        by_law=_table(rows, lambda r: str(r["law"]), every),
    )


def _with(name: str, value: float) -> Callable[[dict[str, Any]], bool]:
    """Tell designs with one value of a field."""
    return lambda row: bool(row[name] == value)


def _size(row: dict[str, Any]) -> str:
    return f"{row['positive']} + {row['negative']}"


_PAGE = """# Errors of DeLong's test of two equal AUCs

Written by `python -m validation.delong_level`. {designs} designs of {trials} trials:
{laws} laws of the scores, AUCs of 0.7 to 0.999, 2 to 200 cases of a class; 0, 50 or
90% of the cases have the same score by both classifiers. Both AUCs are equal, so every
rejection at 0.05 is an error. A level of 0.05 has a Monte Carlo standard error of
{error}, and the largest of many designs is higher than the true one. A trial without
estimated variance counts as one that does not reject.

{large} of {designs} designs reject more often than {limit}. Results of `pc.delong`
with fewer than 50 cases of a class print the largest level found with so few, and so
does the first sentence of `pycompare curves`.

The laws are those of [AUC_COVERAGE.md](AUC_COVERAGE.md), and one pair of two laws of
unequal spread.

## Largest level by size of the classes

Positive + negative cases; in brackets the AUC and the share of common scores where it
was found.

{sizes}

## Largest level by size and AUC

{by_area}

## Largest level by law of the scores

{by_law}
"""


def main() -> None:
    """Run the study, store the counts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    rows = run(parser.parse_args().trials)
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n")
    PAGE.write_text(page(rows))


if __name__ == "__main__":
    main()
