"""False conclusions of Durbin's pairs, of equal algorithms among others that differ.

``python -m validation.durbin_level`` runs what ``durbin_level.json`` does not have, and
writes ``DURBIN_LEVEL.md``. Scores are normal with an effect of the block; each block
has some of the algorithms, and all pairs meet equally often. Beside Durbin's pairs are
Wilcoxon tests of the blocks that a pair shares. The name of a law is its seed.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.typing import Floats, Ints
from pycompare.results.guarantees import guarantee
from pycompare.results.result import PairsResult
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "durbin_level.json", HERE / "DURBIN_LEVEL.md"
RUNS = 2000
ALPHA = 0.05
KEY = "ranks/conover-t/holm"
METHODS: dict[str, Callable[[pc.Scores], PairsResult]] = {
    "Durbin's pairs": pc.durbin_pairs,
    "Wilcoxon of shared blocks": pc.signed_rank_pairs,
}
FAR = 3.0
"""Standard deviations of the noise between algorithms that differ."""


@dataclass(frozen=True, eq=False)
class Design:
    """Which algorithms each block has.

    Attributes
    ----------
    members : ndarray of int, shape (n_blocks, k)
    n_algorithms : int
    """

    members: Ints
    n_algorithms: int

    @property
    def name(self) -> str:
        """The design in words."""
        (n, k), a = self.members.shape, self.n_algorithms
        return f"{n} blocks of {'all' if k == a else f'{k} of'} {a}"


def _design(blocks: Sequence[Sequence[int]], times: int, a: int) -> Design:
    return Design(np.array([*blocks] * times), a)


_FANO = [[(i + j) % 7 for j in (0, 1, 3)] for i in range(7)]
DESIGNS = (
    _design(_FANO, 1, 7),
    _design(_FANO, 4, 7),
    _design([*combinations(range(5), 3)], 2, 5),
    _design([*combinations(range(6), 2)], 2, 6),
    _design([range(5)], 30, 5),
    _design([range(8)], 20, 8),
)


def _tied_pair(a: int) -> Floats:
    """Return effects of which the two in the middle are equal, all others far apart."""
    at = np.arange(a, dtype=float)
    return np.asarray(FAR * np.where(at >= a // 2, at - 1, at), float)


TRUTHS: dict[str, Callable[[int], Floats]] = {
    "none differs": np.zeros,
    "one is best": lambda a: FAR * (np.arange(a) == a - 1),
    "one is best, one is worst": lambda a: (
        FAR * (1.0 * (np.arange(a) == a - 1) - (np.arange(a) == 0))
    ),
    "two halves": lambda a: np.where(np.arange(a) >= a // 2, FAR, 0.0),
    "two alike, the others far apart": _tied_pair,
}
COMPLETE = "none differs"


@dataclass(frozen=True, eq=False)
class Law:
    """Scores of a design under a truth.

    Attributes
    ----------
    design : Design
    effects : ndarray, shape (a,)
    """

    design: Design
    effects: Floats

    @property
    def true(self) -> set[tuple[str, str]]:
        """The pairs of equal algorithms."""
        at, e = range(len(self.effects)), self.effects
        return {(f"A{i}", f"A{j}") for i, j in combinations(at, 2) if e[i] == e[j]}

    def draw(self, rng: Generator) -> pc.Scores:
        """Return one table of scores."""
        n, a = len(self.design.members), len(self.effects)
        x = self.effects + rng.normal(size=(n, 1)) + rng.normal(size=(n, a))
        kept = np.full((n, a, 1), np.nan)
        rows = np.arange(n)[:, None]
        kept[rows, self.design.members, 0] = x[rows, self.design.members]
        return pc.Scores(
            algorithms=tuple(f"A{j}" for j in range(a)),
            blocks=tuple(f"block {i}" for i in range(n)),
            metrics=(pc.Metric("score", "higher"),),
            values=kept,
            missing="model",
        )


LAWS = {
    f"{truth}, {design.name}": Law(design, effects(design.n_algorithms))
    for design in DESIGNS
    for truth, effects in TRUTHS.items()
}


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return the share of tables in which a true hypothesis is rejected, by method."""
    law, wrong = LAWS[name], dict.fromkeys(METHODS, 0)
    true = law.true
    for run in range(runs):
        scores = law.draw(np.random.default_rng((zlib.crc32(name.encode()), run)))
        for title, method in METHODS.items():
            found = method(scores).table
            first, second = found["algorithm_1"], found["algorithm_2"]
            rejected = (found["p_adjusted"] <= ALPHA).to_numpy()
            pairs = zip(first[rejected], second[rejected], strict=True)
            wrong[title] += not true.isdisjoint(pairs)
    return {title: n / runs for title, n in wrong.items()}


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def promises(name: str) -> bool:
    """Tell whether the ledger promises the level under this law."""
    conditions = guarantee(KEY).conditions
    return "complete-null" not in conditions or name.startswith(f"{COMPLETE},")


def worst(found: Mapping[str, Mapping[str, float]], *, promised: bool) -> float:
    """Return the largest error of Durbin's pairs under laws of one kind."""
    return max(
        row["Durbin's pairs"]
        for name, row in found.items()
        if promises(name) == promised
    )


def page(found: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    rows = [
        [name, "yes" if promises(name) else "no"]
        + [f"{found[name][method]:.4f}" for method in METHODS]
        for name in LAWS
    ]
    lines = [
        "# Durbin's pairs: errors among algorithms that differ",
        "",
        f"Written by `python -m validation.durbin_level`. {RUNS:,} tables of normal",
        "scores of each law. An error is a rejection of a pair of equal algorithms,",
        f"level {ALPHA:g} by Holm over all pairs; algorithms that differ do so by",
        f"{FAR:g} standard deviations or more. Bound of a promise: {bound():.4f}",
        f"({ALPHA:g} and three Monte Carlo standard errors).",
        "",
        f"**If no algorithm differs Durbin's pairs are wrong in at most "
        f"{worst(found, promised=True):.1%} of tables, among others that differ in up "
        f"to {worst(found, promised=False):.1%}.** Their one standard error is made "
        "of what is left of all ranks: algorithms whose places are sure leave nothing "
        "there, and equal ones seem to be as sure. So nothing is promised unless no "
        "algorithm differs. Wilcoxon tests of the blocks that a pair shares hold the "
        "level in every law, with as little power as so few blocks give.",
        "",
        *table_lines([["law", "promised", *METHODS], *rows]),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(
        STORED, LAWS, lambda name: simulated(name, RUNS), "Durbin's pairs"
    )
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
