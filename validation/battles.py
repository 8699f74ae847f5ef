"""False conclusions about battles: strengths, their intervals and sets of ranks.

``python -m validation.battles`` runs what ``battles.json`` does not have, and writes
``BATTLES.md``. Battles follow Davidson's model with ties and an order effect. Where
voters differ, each has tastes of their own and a habit about the order. The name of a
law is its seed.
"""

from __future__ import annotations

import dataclasses
import math
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import special

import pycompare as pc
from pycompare.base.typing import Floats
from pycompare.kernels import stepwise
from pycompare.kernels.davidson import Games, fit
from validation.cells import finish_rows

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "battles.json", HERE / "BATTLES.md"
RUNS = 400
_ROUNDS, _RUNS_OF_BOOTSTRAP = 100, 100
ALPHA = 0.05
KEYS = {
    "battles/max-t": "max-T",
    "battles/max-t/control": "max-T, control",
    "battles/t/holm": "Holm",
    "battles/t/holm/control": "Holm, control",
    "battles/t/bergmann-hommel": "Bergmann-Hommel",
}
"""Claims of the ledger, and the column of the study that shows each."""
_MOST_IN_SEARCH = 10
"""Models whose partitions Bergmann and Hommel's adjustment searches in each run."""
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
_FAR = (4.0,) + (0.0,) * 5
_TASTE: Mapping[str, Any] = {"tastes": 0.7, "habits": 0.4}
LAWS = {
    "6 equal models, 100 battles": Law((0.0,) * 6, 100),
    "6 equal models, 300 battles": Law((0.0,) * 6, 300),
    "6 models, one far stronger, 100 battles": Law(_FAR, 100),
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
    "20 equal models, 4,000 battles, 50 voters": Law((0.0,) * 20, 4000, 50, **_TASTE),
    "30 models on a ladder, 6,000 battles, 100 voters": Law(
        tuple(0.1 * i for i in range(30)), 6000, 100, **_TASTE
    ),
}  # fmt: skip
BOOTSTRAPPED = ("10 equal models, 1,000 battles",
                "10 models in two groups, 1,000 battles",
                "10 equal models, 3,000 battles, 50 voters")  # fmt: skip
"""Laws with the bootstrap of battles beside, which costs a hundred fits a run."""


def simulated(name: str, runs: int) -> dict[str, dict[str, float]]:
    """Return shares of battles with an error, and of those whose statements hold."""
    law = LAWS[name]
    theta = np.array(law.strengths)
    # Tastes shrink strengths as they are averaged over voters.
    truth = _average(theta - theta.mean(), law)
    errors: Counter[str] = Counter()
    holds: Counter[str] = Counter()
    boards = min(runs, _RUNS_OF_BOOTSTRAP) if name in BOOTSTRAPPED else 0
    for run in range(runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        battles = law.draw(rng)
        result: Any = pc.battles(battles)
        for title, table, p in _decided(battles, result):
            errors[title] += _is_wrong(table, p, truth)
        for title, held in _statements(battles, result, truth):
            holds[title] += held
        if run < boards:
            for title, held in _bootstrapped(battles, truth, rng):
                holds[title] += held
    of_boards = {t: n / boards for t, n in holds.items() if "bootstrap" in t}
    return {
        "errors": {title: n / runs for title, n in errors.items()},
        "holds": {title: n / runs for title, n in holds.items()} | of_boards,
    }


def _decided(battles: pc.Battles, result: Any) -> Iterator[tuple[str, Any, Floats]]:
    """Yield tables of pairs with the p-values by which each adjustment decides."""
    table = result.table
    raw = table["p_value"].to_numpy()
    yield "max-T", table, table["p_adjusted"].to_numpy()
    yield "Holm", table, stepwise.holm(raw)
    if len(battles.models) <= _MOST_IN_SEARCH:
        square = result.matrix("p_value").to_numpy()
        adjusted = pc.adjust(square, "bergmann-hommel")
        yield "Bergmann-Hommel", table, adjusted[np.triu_indices(len(square), 1)]
    control = pc.battles(battles, control=battles.models[0]).table
    yield "max-T, control", control, control["p_adjusted"].to_numpy()
    yield "Holm, control", control, stepwise.holm(control["p_value"].to_numpy())


def _gaps(table: Any, truth: Floats) -> Floats:
    """Return the true differences of pairs."""
    first, second = (
        [int(label[1:]) for label in table[f"algorithm_{end}"]] for end in (1, 2)
    )
    return np.asarray(truth[first] - truth[second])


def _is_wrong(table: Any, p: Floats, truth: Floats) -> bool:
    """Return whether equal models differ, or a difference has the wrong direction."""
    gap, significant = _gaps(table, truth), p <= ALPHA
    turned = np.sign(table["estimate"].to_numpy()) != np.sign(gap)
    return bool((significant & (turned | (np.abs(gap) < _EQUAL_IF))).any())


_EQUAL_IF = 1e-9
"""True differences below this are none."""


def _statements(
    battles: pc.Battles, result: Any, truth: Floats
) -> Iterator[tuple[str, bool]]:
    """Yield statements about all models and whether they hold."""
    table = result.table
    gap = _gaps(table, truth)
    inside = (table["joint_low"] <= gap) & (gap <= table["joint_high"])
    yield "joint intervals", bool(inside.all())
    strengths = result.strengths
    own = truth[[int(label[1:]) for label in strengths["algorithm"]]]
    inside = (strengths["conf_low"] <= own) & (own <= strengths["conf_high"])
    yield "strengths", bool(inside.all())
    yield "sets of ranks", _sets_hold(result, truth)
    if battles.voter is not None:
        alone = dataclasses.replace(battles, voter=None, voters=())
        naive = pc.battles(alone).table
        inside = (naive["joint_low"] <= gap) & (gap <= naive["joint_high"])
        yield "votes independent", bool(inside.all())
    half = special.ndtri(0.975) * strengths["std_error"].to_numpy()
    at = strengths["strength"].to_numpy()
    yield "separate intervals", bool((np.abs(at - own) <= half).all())
    yield "board ranks", _ranks_hold(at - half, at + half, own)


def _ranks_hold(low: Floats, high: Floats, truth: Floats) -> bool:
    """Return whether no rank of a board is worse than the true one.

    A board gives the rank 1 + the number of models whose lower limit is above one's
    upper limit.
    """
    rank = 1 + (low[None, :] > high[:, None]).sum(axis=1)
    true_rank = 1 + (truth[None, :] > truth[:, None] + _EQUAL_IF).sum(axis=1)
    return bool((rank <= true_rank).all())


def _bootstrapped(
    battles: pc.Battles, truth: Floats, rng: Generator
) -> Iterator[tuple[str, bool]]:
    """Yield what percentiles of a bootstrap of votes hold, ties half, as boards do."""
    k, n = len(battles.models), len(battles.first)
    code = (battles.first * k + battles.second) * 3 + (2 * battles.outcome).astype(int)
    codes, at = np.unique(code, return_inverse=True)
    drawn = []
    for _ in range(_ROUNDS):
        rows = at[rng.integers(0, n, n)]
        count = np.asarray(np.bincount(rows, minlength=len(codes)), float)
        games = Games(
            first=codes // 3 // k, second=codes // 3 % k, n=count,
            halves=count * (codes % 3) / 2, ties=count * (codes % 3 == 1), models=k,
        )  # fmt: skip
        drawn.append(fit(games, order=False, ties=False, penalised=False).theta)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    yield "bootstrap intervals", bool(((low <= truth) & (truth <= high)).all())
    yield "bootstrap ranks", _ranks_hold(low, high, truth)


def _average(theta: Floats, law: Law) -> Floats:
    """Return the strengths of the model that averages over voters fits best.

    Equal models stay equal; of others the limit of many battles, one vote a voter.
    """
    if not law.tastes or not np.any(theta):
        return theta
    rng = np.random.default_rng(1)
    many = Law(law.strengths, 400_000, 0, law.tastes, law.habits).draw(rng)
    result: Any = pc.battles(many)
    fitted = result.strengths.set_index("algorithm")["strength"]
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


def bound(runs: int = RUNS) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def page(rows: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the page of the study."""
    rates = [rate for row in rows.values() for rate in row["errors"].values()]
    held = sum(rate <= bound() for rate in rates)
    lines = [
        "# Battles: errors of strengths, intervals and sets of ranks",
        "",
        "Written by `python -m validation.battles`. Davidson's model, an order effect",
        "of 0.2, odds of a tie of 0.6. Voters differ in their tastes (standard",
        f"deviation 0.7) and habits about the order (0.4). {RUNS} sets of battles.",
        "An error is a significant difference between equal models, or in the wrong",
        f"direction, at 0.05 over all pairs. **{held} of {len(rates)} error rates are",
        f"at most their bound** ({bound():.4f}: 0.05 and three Monte Carlo standard",
        "errors).",
        "",
        *_table(rows, "errors", tuple(KEYS.values())),
        "",
        "## Statements about all models",
        "",
        "Shares of sets of battles in which all of these hold: joint intervals of",
        "differences, joint intervals of strengths, and sets of ranks.",
        "",
        *_table(rows, "holds", ("joint intervals", "strengths", "sets of ranks")),
        "",
        "## The same by leaderboards",
        "",
        "Shares of sets of battles in which all of these hold: joint intervals of",
        "votes taken as independent; separate 95% intervals of strengths; ranks from",
        "these (1 + the number of models whose lower limit is above the upper limit);",
        f"the same from percentiles of {_ROUNDS} bootstraps of votes, with ties as",
        f"half wins, over the first {_RUNS_OF_BOOTSTRAP} sets of battles.",
        "",
        *_table(
            rows,
            "holds",
            (
                *("votes independent", "separate intervals", "board ranks"),
                *("bootstrap intervals", "bootstrap ranks"),
            ),
        ),
        "",
    ]
    return "\n".join(lines)


def _table(
    rows: Mapping[str, Mapping[str, Mapping[str, float]]],
    of: str,
    titles: tuple[str, ...],
) -> list[str]:
    """Return some columns of all rows; a dash if a law does not have one."""
    cells = [
        [name, *(f"{row[of][t]:.3f}" if t in row[of] else "–" for t in titles)]
        for name, row in rows.items()
    ]
    return table_lines([["law", *titles], *cells])


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(STORED, LAWS, lambda name: simulated(name, RUNS), "battles")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
