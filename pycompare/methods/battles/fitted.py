"""Davidson's model fitted to battles, with the variance over voters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import special

from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, unknown_control
from pycompare.base.typing import Floats, Ints
from pycompare.data.battles import Battles
from pycompare.kernels import davidson
from pycompare.kernels.davidson import Games, RobustVariance, Strengths
from pycompare.methods.battles.graph import (
    Points,
    boundary_variance,
    connected,
    points,
    unbounded,
)

TiesOfBattles = Literal["davidson", "half", "drop"]
Position = Literal["estimate", "ignore"]
Unconnected = Literal["error", "largest"]
AdjustOfBattles = Literal["max-t", "holm", "bonferroni", "bergmann-hommel"]
FamilyOfBattles = Literal["all"]
FEWEST_VOTERS = 10
"""Voters from which there are p-values and intervals."""
_FAR = 3.29
"""Standard errors that one of a thousand even draws exceeds."""
_MOST_NAMED = 3
"""Models that a note names."""


@dataclass(frozen=True)
class Asked:
    """The arguments of a call."""

    ties: TiesOfBattles
    position: Position
    unconnected: Unconnected
    control: str | None
    adjust: AdjustOfBattles
    family: FamilyOfBattles | None
    elo: bool
    alpha: float
    seed: int


@dataclass(frozen=True)
class Fitted:
    """The fitted model of one set of battles."""

    battles: Battles
    group: str
    games: Games
    strengths: Strengths
    variance: RobustVariance
    points: Points
    share: Floats
    notes: tuple[str, ...]

    @property
    def has_tests(self) -> bool:
        """Whether voters are enough for p-values and intervals."""
        return len(self.share) >= FEWEST_VOTERS


def fitted_to(given: Battles, asked: Asked, group: str = "") -> Fitted:
    """Return the fitted model of battles, or reject them."""
    battles = connected(given, asked.unconnected)
    if asked.ties == "drop":
        battles = connected(battles.taken(battles.outcome != 0.5), asked.unconnected)
    if asked.control is not None and asked.control not in battles.models:
        raise InputError(unknown_control(asked.control, battles.models))
    order = asked.position == "estimate"
    games, pair = _counted(battles)
    tied = (battles.outcome == 0.5).astype(float)
    notes = list(battles.notes)
    model_ties = asked.ties == "davidson" and bool(tied.any())
    if asked.ties == "davidson" and not tied.any():
        notes.append("no battle is tied: the model has no ties")
    if order:
        _require_order(games)
    else:
        notes += _uneven_order(games, battles.models)
    strengths = davidson.fit(games, order=order, ties=model_ties)
    n = len(battles.first)
    used, voter = np.arange(n), np.arange(n)
    if battles.voter is not None:
        used, voter = _numbered(battles.voter)
    if len(used) == 1:
        raise DesignError(
            "all battles have one voter: how voters differ is not known; leave "
            + setting("voter", ...)
            + " out only if each vote is independent of the others"
        )
    if len(used) == n:
        own = "each battle has a voter of its own"
        if battles.voter is not None:
            own = "no voter decided two battles"
        notes.append(
            f"{own}; votes of one person that depend on each other make intervals too "
            "short"
        )
    elif len(used) < FEWEST_VOTERS:
        notes.append(
            f"{counted(len(used), 'voter')}: fewer than {FEWEST_VOTERS}, so that there "
            "are no p-values and no intervals"
        )
    held = points(games)
    told, _, _ = unbounded(held, battles.models)
    variance = davidson.robust(
        games,
        strengths,
        pair,
        battles.outcome,
        tied if model_ties else np.zeros(n),
        voter,
        len(used),
    )
    if not held.one_group:
        more = boundary_variance(held, strengths.inverse)
        variance = replace(variance, covariance=variance.covariance + more)
    return Fitted(
        battles=battles,
        group=group,
        games=games,
        strengths=strengths,
        variance=variance,
        points=held,
        share=np.bincount(voter) / n,
        notes=(*notes, *told),
    )


def _counted(battles: Battles) -> tuple[Games, Ints]:
    """Return battles by ordered pair, and the ordered pair of each battle."""
    k = len(battles.models)
    code = battles.first * k + battles.second
    codes, pair = _numbered(code)
    tied = (battles.outcome == 0.5).astype(float)
    halves, ties, n = (
        np.asarray(np.bincount(pair, weights, len(codes)), float)
        for weights in (battles.outcome, tied, np.ones(len(code)))
    )
    games = Games(
        first=codes // k, second=codes % k, n=n, halves=halves, ties=ties, models=k
    )
    return games, pair


def _numbered(codes: Ints) -> tuple[Ints, Ints]:
    """Return the codes that occur, and the place of each among them."""
    occurs = np.bincount(codes) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[codes]


def _require_order(games: Games) -> None:
    """Reject an order effect that the file cannot show."""
    name = _always_wins(games)
    if name:
        raise DesignError(
            f"the winner is always in {name}: the file does not keep the order in "
            "which models were shown; give " + setting("position", "ignore")
        )


def _always_wins(games: Games) -> str:
    """Return the column that always has the winner; empty if there is none."""
    for share, name in ((games.halves, "model_1"), (games.n - games.halves, "model_2")):
        if np.array_equal(share, games.n):
            return name
    return ""


def _uneven_order(games: Games, models: tuple[str, ...]) -> list[str]:
    """Note models that were shown first too often, or too seldom, for an even draw."""
    if _always_wins(games):
        return []  # the file does not keep the order
    first, second = (
        np.bincount(places, games.n, len(models))
        for places in (games.first, games.second)
    )
    odd = np.flatnonzero(np.abs(first - second) > _FAR * np.sqrt(first + second))
    shares = [
        f"{show(models[m])} in {first[m] / (first[m] + second[m]):.0%}" for m in odd
    ]
    if not shares:
        return []
    more = len(shares) - _MOST_NAMED
    named = ", ".join(shares[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return [
        "the order of display is ignored, but models were shown first unequally often "
        f"({named} of their battles): any advantage of being shown first is part of "
        "their strengths"
    ]


def goodness(games: Games, fitted: Strengths) -> tuple[float, int, float]:
    """Return the statistic of fit over pairs of models, its df and p-value."""
    k = games.models
    low = np.minimum(games.first, games.second)
    high = np.maximum(games.first, games.second)
    codes, at = np.unique(low * k + high, return_inverse=True)
    turn = np.where(games.first == low, 1.0, -1.0)
    # Turned round, wins of the second are battles less those of the first.
    over = turn * (games.halves - games.n * fitted.expected_halves)
    e, p_tie = fitted.expected_halves, fitted.expected_ties
    variance = games.n * (e - p_tie / 4 - e**2)
    observed = np.bincount(at, over, len(codes))
    expected = np.bincount(at, variance, len(codes))
    statistic = float((observed**2 / expected).sum())
    df = len(codes) - (k - 1) - int(fitted.has_order)
    p = float(special.chdtrc(df, statistic)) if df > 0 else np.nan
    return statistic, df, p
