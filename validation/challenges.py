"""Challenges: errors of sets of ranks, and what resamples and counts of tests show.

``python -m validation.challenges`` runs what ``challenges.json`` does not have, and
writes ``CHALLENGES.md``. Scores are like Dice coefficients: a logistic function of a
normal difficulty of the case and normal noise. The name of a law is its seed.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.typing import Floats
from pycompare.methods.cases.challenge import described, ranked_blocks_of
from pycompare.methods.cases.challenge_tasks import RANK_FIRST, TEST_FIRST, Scheme
from pycompare.methods.pairs.max_t import max_t_of
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "challenges.json", HERE / "CHALLENGES.md"
RUNS, FLIPS, RESAMPLES = 400, 999, 300
ALPHA = 0.05
KEYS = {
    "weighted-ranks/max-t": "max-T",
    "weighted-ranks/max-t/control": "max-T, control",
}
"""Claims of the ledger, and the column of the study that shows each."""
ERRORS = tuple(KEYS.values())
SETS, RESAMPLED = "sets of ranks", "resampled ranks"
COUNTS, HOLM = "tests, unadjusted", "tests, Holm"
SHARE, BEST = "winner's share of resamples", "winner is best"


@dataclass(frozen=True)
class Law:
    """Algorithms, and the tasks on whose cases they compete.

    Attributes
    ----------
    shifts : tuple of tuple of float
        Of each task the mean of each algorithm on the scale of the noise.
    cases : tuple of int
        Of each task.
    weights : tuple of float
    spread : tuple of float
        Standard deviation of each algorithm's noise; empty: 1 for all.
    failing : float
        Share of cells without a score, at random.
    patient : int
        Cases of one patient, who shares half of the noise; 1: cases are independent.
    shared : bool
        Whether the same patients are in every task.
    ranked : tuple of int
        Algorithms of each true level, the best first.
    """

    shifts: tuple[tuple[float, ...], ...]
    cases: tuple[int, ...]
    weights: tuple[float, ...] = ()
    spread: tuple[float, ...] = ()
    failing: float = 0.0
    patient: int = 1
    shared: bool = False
    ranked: tuple[int, ...] = ()

    @property
    def level(self) -> Floats:
        """The true level of each algorithm, 0 = best; equal ones share it."""
        sizes = self.ranked or (len(self.shifts[0]),)
        return np.repeat(np.arange(len(sizes)), sizes)

    def draw(self, rng: Generator) -> pc.Scores:
        """Return the scores of one challenge."""
        a = len(self.shifts[0])
        spread = np.array(self.spread or (1.0,) * a)
        parts, groups, owners = [], [], []
        own = rng.normal(size=(max(self.cases), a))
        for at, (shift, n) in enumerate(zip(self.shifts, self.cases, strict=True)):
            noise = rng.normal(size=(n, a))
            owner = np.arange(n) // self.patient
            if self.patient > 1 or self.shared:
                of_patient = own if self.shared else rng.normal(size=(n, a))
                noise = (noise + of_patient[owner]) / math.sqrt(2)
            latent = rng.normal(1.5, 1.0, (n, 1)) + np.array(shift) + spread * noise
            x = 1 / (1 + np.exp(-latent))
            x[rng.random((n, a)) < self.failing] = np.nan
            parts.append(x)
            groups += [f"t{at}"] * n
            owners += [f"{'' if self.shared else at}p{i}" for i in owner.tolist()]
        values = np.vstack(parts)
        # A case on which all failed ranks nobody.
        kept = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
        values, groups = values[kept], [groups[at] for at in kept]
        owners = [owners[at] for at in kept]
        clustered = self.patient > 1 or self.shared
        return pc.Scores(
            values=values[:, :, None],
            blocks=tuple(f"c{i}" for i in range(len(values))),
            algorithms=tuple(f"A{i}" for i in range(a)),
            metrics=(pc.Metric("score", "higher"),),
            missing="model",
            groups=tuple(groups) if len(self.cases) > 1 else None,
            clusters=tuple(owners) if clustered else None,
        )


def _flat(a: int, tasks: int = 1) -> tuple[tuple[float, ...], ...]:
    return ((0.0,) * a,) * tasks


_LADDER = (tuple(-0.1 * i for i in range(10)),)
_TWO = ((0.0,) * 5 + (-0.5,) * 5,)
_OPPOSED = ((0.8, -0.8, 0.0, 0.0, 0.0), (-0.8, 0.8, 0.0, 0.0, 0.0))
_WIDE = (2.0, 1.0, 1.0, 1.0, 0.5)
_THREE = (30, 60, 120)
_EQUAL = (1 / 3,) * 3
LAWS = {
    "5 equal, 50 cases": Law(_flat(5), (50,)),
    "10 equal, 50 cases": Law(_flat(10), (50,)),
    "10 on a ladder, 50 cases": Law(_LADDER, (50,), ranked=(1,) * 10),
    "10 in two groups, 200 cases": Law(_TWO, (200,), ranked=(5, 5)),
    "5 equal of unequal spread, 50 cases": Law(_flat(5), (50,), spread=_WIDE),
    "5 equal, 5% failures, 50 cases": Law(_flat(5), (50,), failing=0.05),
    "5 equal, 25 patients of 4 cases": Law(_flat(5), (100,), patient=4),
    "5 equal, tasks of 30, 60, 120": Law(_flat(5, 3), _THREE, _EQUAL),
    "5 equal, tasks of 30, 60, 120, weights 0.6, 0.3, 0.1": Law(
        _flat(5, 3), _THREE, (0.6, 0.3, 0.1)
    ),
    "10 equal, ten tasks of 20": Law(_flat(10, 10), (20,) * 10, (0.1,) * 10),
    "10 in two groups, tasks of 30, 60, 120": Law(
        _TWO * 3, _THREE, _EQUAL, ranked=(5, 5)
    ),
    "5 opposed in two tasks of 50": Law(_OPPOSED, (50, 50), (0.5, 0.5)),
    "5 opposed in tasks of 25 and 200": Law(_OPPOSED, (25, 200), (0.5, 0.5)),
    "5 equal of unequal spread, tasks of 30, 60, 120": Law(
        _flat(5, 3), _THREE, _EQUAL, spread=_WIDE
    ),
    "5 equal, 5% failures, tasks of 30, 60, 120": Law(
        _flat(5, 3), _THREE, _EQUAL, failing=0.05
    ),
    "5 equal, patients of 2 cases, tasks of 60, 60, 120": Law(
        _flat(5, 3), (60, 60, 120), _EQUAL, patient=2
    ),
    "5 equal, 50 patients in three tasks": Law(
        _flat(5, 3), (50, 50, 50), _EQUAL, shared=True
    ),
}


def simulated(name: str, runs: int) -> dict[str, dict[str, float]]:
    """Return shares of challenges with an error, and of those whose statements hold."""
    law = LAWS[name]
    errors: Counter[str] = Counter()
    holds: dict[str, float] = {}
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        scores = law.draw(rng)
        for title, wrong in _decided(scores, law, run).items():
            errors[title] += wrong
        for title, held in _statements(scores, law, run).items():
            holds[title] = holds.get(title, 0.0) + held
    return {
        "errors": {title: n / runs for title, n in errors.items()},
        "holds": {title: n / runs for title, n in holds.items()},
    }


def _weights(law: Law) -> dict[str, float] | None:
    return {f"t{at}": w for at, w in enumerate(law.weights)} or None


def _pairs(scores: pc.Scores, law: Law, seed: int, control: str | None = None) -> Any:
    blocks = ranked_blocks_of(scores, _weights(law), "mean")
    return max_t_of(blocks, "ranks", control, FLIPS, seed, 1 - ALPHA)


def _decided(scores: pc.Scores, law: Law, seed: int) -> dict[str, bool]:
    """Return whether equal algorithms differ, or a difference has the wrong sign."""
    level, found = law.level, {}
    for title, control in zip(ERRORS, (None, "A0"), strict=True):
        table = _pairs(scores, law, seed, control).table
        first, second = (
            level[[int(label[1:]) for label in table[f"algorithm_{end}"]]]
            for end in (1, 2)
        )
        turned = np.sign(table["estimate"].to_numpy()) != np.sign(first - second)
        found[title] = bool((turned & (table["p_adjusted"] <= ALPHA)).any())
    return found


def _statements(scores: pc.Scores, law: Law, seed: int) -> dict[str, float]:
    """Return which statements about all ranks hold."""
    scheme = Scheme(RANK_FIRST, "mean", "mean", ALPHA, holm=True)
    found = described(
        scores, scheme, _weights(law), _pairs(scores, law, seed), RESAMPLES, seed
    )
    table, level = found.table, law.level
    best = 1 + (level[:, None] > level).sum(axis=1)
    worst = (level[:, None] >= level).sum(axis=1)

    def hold(low: str, high: str) -> bool:
        return bool(((table[low] <= best) & (table[high] >= worst)).all())

    winners = [int(name[1:]) for name in found.best]
    told: dict[str, float] = {
        SETS: hold("rank_low", "rank_high"),
        RESAMPLED: hold("resampled_low", "resampled_high"),
        SHARE: float(table["won"][winners].mean()),
        BEST: float((level[winners] == 0).mean()),
    }
    if not law.failing and len(law.cases) == 1:
        told |= _by_tests(found, level)
    return told


def _by_tests(found: Any, level: Floats) -> dict[str, float]:
    """Return whether counts of tests rank no algorithm above an equal one."""
    told = {}
    for title, holm in ((COUNTS, False), (HOLM, True)):
        scheme = Scheme(TEST_FIRST, "mean", "mean", ALPHA, holm=holm)
        [shares] = found.held_tasks.values(scheme)
        equal = np.equal.outer(level, level)
        told[title] = float((equal & (shares[:, None] > shares + 1e-9)).any())
    return told


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def page(rows: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the page of the study."""
    rates = [rate for row in rows.values() for rate in row["errors"].values()]
    held = sum(rate <= bound() for rate in rates)
    lines = [
        "# Challenges: errors of sets of ranks, resamples and counts of tests",
        "",
        "Written by `python -m validation.challenges`. Scores are like Dice",
        "coefficients, ranked within cases; mean ranks are weighted over tasks.",
        f"{RUNS:,} challenges, {FLIPS} flips, {RESAMPLES} resamples. An error is a",
        "significant difference between algorithms of equal mean ranks, or in the",
        f"wrong direction, at 0.05 over all pairs. **{held} of {len(rates)} rates are",
        f"at most their bound** ({bound():.4f}: 0.05 and three Monte Carlo errors).",
        "",
        *_table(rows, "errors", ERRORS),
        "",
        "## Ranks",
        "",
        "Shares of challenges in which each algorithm's set of ranks, or the middle",
        "95% of its ranks in resamples of cases, holds its true ranks (equal",
        "algorithms share theirs); the mean share of resamples that the winner wins;",
        "and how often the winner is truly best, alone or with equal ones.",
        "",
        *_table(rows, "holds", (SETS, RESAMPLED, SHARE, BEST)),
        "",
        "## Counts of significant tests",
        "",
        "Shares of challenges in which test-then-rank puts an algorithm above one that",
        "is equal: one-sided signed rank tests at 0.05, unadjusted or by Holm.",
        "",
        *_table(
            {n: r for n, r in rows.items() if COUNTS in r["holds"]},
            "holds",
            (COUNTS, HOLM),
        ),
        "",
    ]
    return "\n".join(lines)


def _table(
    rows: Mapping[str, Mapping[str, Mapping[str, float]]],
    of: str,
    titles: tuple[str, ...],
) -> list[str]:
    cells = [
        [name, *(f"{row[of][title]:.3f}" for title in titles)]
        for name, row in rows.items()
    ]
    return table_lines([["law", *titles], *cells])


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(STORED, LAWS, lambda name: simulated(name, RUNS), "challenges")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
