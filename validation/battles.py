"""False conclusions about battles: strengths, their intervals and sets of ranks.

``python -m validation.battles`` runs what ``battles.json`` does not have, and writes
``BATTLES.md``. Battles follow Davidson's model with ties and an order effect. Where
voters differ, each has tastes of their own and a habit about the order. The name of a
law is its seed.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special

import pycompare as pc
from pycompare.base.parallel.progress import Progress, on_stderr
from pycompare.base.typing import Floats

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "battles.json", HERE / "BATTLES.md"
RUNS = 600
ALPHA = 0.05
KEY = "battles/max-t"
_ODDS_OF_A_TIE = 0.6
_ORDER = 0.2


@dataclass(frozen=True)
class Law:
    """Models, voters and who votes how often.

    Attributes
    ----------
    strengths : tuple of float
    battles : int
    voters : int
        0: each battle has a voter of its own.
    tastes, habits : float
        Standard deviations over voters of their own strengths and order effects.
    uneven : bool
        Whether the k-th busiest voter has votes in proportion to 1/k.
    """

    strengths: tuple[float, ...]
    battles: int
    voters: int = 0
    tastes: float = 0.0
    habits: float = 0.0
    uneven: bool = False

    def draw(self, rng: Generator) -> pc.Battles:
        """Return one set of battles."""
        k, n = len(self.strengths), self.battles
        first = rng.integers(0, k, n)
        second = (first + rng.integers(1, k, n)) % k
        count = self.voters or n
        share = 1 / np.arange(1, count + 1) if self.uneven else np.ones(count)
        voter = rng.choice(count, n, p=share / share.sum()) if self.voters else None
        own = np.array(self.strengths) + self.tastes * rng.normal(size=(count, k))
        habit = _ORDER + self.habits * rng.normal(size=count)
        at = np.arange(n) if voter is None else voter
        s = own[at, first] - own[at, second] + habit[at]
        chance = special.softmax(
            np.stack([s, np.log(_ODDS_OF_A_TIE) + s / 2, 0 * s]), axis=0
        )
        u = rng.random(n)
        outcome = np.where(
            u < chance[0], 1.0, np.where(u < chance[:2].sum(0), 0.5, 0.0)
        )
        return pc.Battles(
            models=tuple(f"m{i}" for i in range(k)),
            first=first,
            second=second,
            outcome=outcome,
            voter=voter,
            voters=() if voter is None else tuple(f"v{i}" for i in range(count)),
        )


_EQUAL, _LADDER = (0.0,) * 10, tuple(0.2 * i for i in range(10))
_GROUPS = (0.0,) * 5 + (0.5,) * 5
_TASTE: Mapping[str, Any] = {"tastes": 0.7, "habits": 0.4}
LAWS = {
    "6 equal models, 100 battles": Law((0.0,) * 6, 100),
    "6 equal models, 300 battles": Law((0.0,) * 6, 300),
    "10 equal models, 1,000 battles": Law(_EQUAL, 1000),
    "10 models in two groups, 1,000 battles": Law(_GROUPS, 1000),
    "10 models on a ladder, 3,000 battles": Law(_LADDER, 3000),
    "10 equal models, 3,000 battles, 10 voters": Law(_EQUAL, 3000, 10, **_TASTE),
    "10 equal models, 3,000 battles, 20 voters": Law(_EQUAL, 3000, 20, **_TASTE),
    "10 equal models, 3,000 battles, 50 voters": Law(_EQUAL, 3000, 50, **_TASTE),
    "10 models in two groups, 3,000 battles, 50 voters": Law(
        _GROUPS, 3000, 50, **_TASTE
    ),
    "10 equal models, 3,000 battles, 200 uneven voters": Law(
        _EQUAL, 3000, 200, **_TASTE, uneven=True
    ),
}  # fmt: skip


def simulated(name: str, runs: int) -> dict[str, float]:
    """Return shares of battles with a false conclusion, and of statements that hold."""
    law = LAWS[name]
    counts = dict.fromkeys(
        ("wrong", "joint", "sets", "independent votes", "separate intervals"), 0
    )
    theta = np.array(law.strengths)
    theta = theta - theta.mean()
    # Tastes shrink strengths as they are averaged over voters.
    shrunk = _average(theta, law)
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        battles = law.draw(rng)
        result = pc.battles(battles)
        table = result.table
        places = [
            [int(label[1:]) for label in table[f"algorithm_{end}"]] for end in (1, 2)
        ]
        gap = shrunk[places[0]] - shrunk[places[1]]
        found = table["p_adjusted"].to_numpy() <= ALPHA
        wrong = found & (np.sign(table["estimate"]) != np.sign(gap).round(9))
        counts["wrong"] += bool(np.any(wrong | (found & (np.abs(gap) < 1e-12))))
        inside = (table["joint_low"] <= gap) & (gap <= table["joint_high"])
        counts["joint"] += bool(inside.all())
        counts["sets"] += _sets_hold(result, shrunk)
        alone = pc.Battles(
            models=battles.models, first=battles.first, second=battles.second,
            outcome=battles.outcome,
        )  # fmt: skip
        naive = pc.battles(alone).table if law.voters else table
        half = naive["joint_high"] - naive["estimate"]
        counts["independent votes"] += bool(
            (np.abs(naive["estimate"] - gap) <= half).all()
        )
        counts["separate intervals"] += _separate(result, shrunk)
    return {title: n / runs for title, n in counts.items()}


def _average(theta: Floats, law: Law) -> Floats:
    """Return the strengths of the model that averages over voters fits best.

    Equal models stay equal; of others the limit of many battles, one vote a voter.
    """
    if not law.tastes or not np.any(theta):
        return theta
    rng = np.random.default_rng(1)
    many = Law(law.strengths, 400_000, 0, law.tastes, law.habits).draw(rng)
    fitted = pc.battles(many).strengths.set_index("algorithm")["strength"]
    values = fitted[[f"m{i}" for i in range(len(theta))]].to_numpy()
    # Models of one group are equal.
    return np.array([values[theta == t].mean() for t in theta])


def _sets_hold(result: Any, theta: Floats) -> bool:
    """Tell whether each model's set of ranks holds its true ranks."""
    sets = pc.rank_sets(result, alpha=ALPHA).table.set_index("algorithm")
    for at, value in enumerate(theta):
        row = sets.loc[f"m{at}"]
        best = 1 + int((theta > value + 1e-12).sum())
        worst = int((theta >= value - 1e-12).sum())
        if row["rank_low"] > best or row["rank_high"] < worst:
            return False
    return True


def _separate(result: Any, theta: Floats) -> bool:
    """Tell whether K separate 95 % intervals, as boards print them, hold all."""
    strengths = result.strengths
    at = [int(label[1:]) for label in strengths["algorithm"]]
    z = special.ndtri(0.975)
    off = np.abs(strengths["strength"].to_numpy() - theta[at])
    return bool((off <= z * strengths["std_error"].to_numpy()).all())


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def page(rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page of the study."""
    held = sum(row["wrong"] <= bound() for row in rows.values())
    lines = [
        "# Battles: errors of strengths, intervals and sets of ranks",
        "",
        "Written by `python -m validation.battles`. Davidson's model, an order effect",
        "of 0.2, odds of a tie of 0.6. Voters differ in their tastes (standard",
        f"deviation 0.7) and habits about the order (0.4). {RUNS} sets of battles.",
        "An error is a difference found between equal models, or in the wrong",
        f"direction, at 0.05 over all pairs. **{held} of {len(rows)} error rates are",
        f"at most their bound** ({bound():.4f}: 0.05 and three Monte Carlo standard",
        "errors).",
        "",
        "The next columns are shares of sets of battles in which all joint intervals",
        "hold, in which all sets of ranks hold, in which joint intervals of votes",
        "taken as independent hold, and in which all separate 95% intervals of",
        "strengths hold, as boards print them.",
        "",
        *table_lines(
            [["law", "error", "joint", "sets", "independent votes", "separate"]]
            + [[name, *(f"{value:.3f}" for value in row.values())]
               for name, row in rows.items()]
        ),
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Run what is not stored, and write the page."""
    rows: dict[str, dict[str, float]] = {}
    if STORED.exists():
        rows = json.loads(STORED.read_text(encoding="utf-8"))
    left = [name for name in LAWS if name not in rows]
    progress = Progress(len(left), "laws", on_stderr("battles"))
    for name in left:
        rows[name] = simulated(name, RUNS)
        _store(rows)
        progress.step()
    rows = {name: rows[name] for name in LAWS}
    _store(rows)
    PAGE.write_text(page(rows), encoding="utf-8")


def _store(rows: Mapping[str, Any]) -> None:
    """Keep what is finished."""
    STORED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
