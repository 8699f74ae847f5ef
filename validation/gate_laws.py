"""Laws of answers in the study of gates: how they come about, and what is false."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator

from pycompare.base.typing import Floats

ALPHA = 0.025
RUNS, FEWER = 4000, 1000
"""Gates of a law, and of a costly one."""
Answers = Floats
"""Answers of baseline and candidate: items x 2, or items x 2 x runs."""


@dataclass(frozen=True)
class Law:
    """How answers come about, and which verdict would be false.

    Attributes
    ----------
    draw : callable
        Answers of each slice, whose union is the whole, from a generator.
    margins : tuple of float
        Of the whole, and of slices.
    false : str
        ``pass``, ``fail`` or ``"pass, fail"``; empty if neither is.
    options : dict
        Of ``loss_test``; ``sizes`` are those of clusters.
    level : float
    runs : int
    sized : float
        Share of discordant items of equal models, for the power of one criterion; 0:
        none is computed.
    """

    draw: Callable[[Generator], list[Answers]]
    margins: tuple[float, float]
    false: str
    options: Mapping[str, Any]
    level: float = ALPHA
    runs: int = RUNS
    sized: float = 0.0


# ---- how answers come about ----------------------------------------------------------


def paired(n: int, discordance: float, difference: float, parts: int = 1) -> Any:
    """Draw right/wrong answers, with a difference of shares in each part."""
    wins, losses = (discordance + difference) / 2, (discordance - difference) / 2
    return mixed([(n // parts, wins, losses)] * parts)


def mixed(parts: list[tuple[int, float, float]]) -> Any:
    """Draw right/wrong answers of slices: items, shares won, shares lost."""

    def draw(rng: Generator) -> list[Answers]:
        return [
            counted(*map(int, rng.multinomial(n, [w, x, 1 - w - x])[:2]), n)
            for n, w, x in parts
        ]

    return draw


@lru_cache(maxsize=4096)
def counted(wins: int, losses: int, n: int) -> Answers:
    """Return answers with so many wins and losses of the candidate."""
    answers = np.ones((n, 2))
    answers[:wins, 0] = 0
    answers[wins : wins + losses, 1] = 0
    return answers


def lost(n: int, margin: float, runs: int, sizes: Sequence[int] = ()) -> Any:
    """Draw answers of which the candidate loses whole items, or texts, rarely."""
    sizes = sizes or (1,) * n

    def draw(rng: Generator) -> list[Answers]:
        gone = np.repeat(rng.random(len(sizes)) < margin / 0.95, sizes)
        right = np.repeat(rng.random((n, 1, 1)) < 0.95, 2, axis=1).repeat(runs, axis=2)
        kept: Answers = right.astype(float)
        kept[gone, 1] = 0
        answers = kept if runs > 1 else kept[:, :, 0]
        return [answers]

    return draw


def answered(n: int, difference: float, runs: int) -> Any:
    """Draw several answers to each item; the candidate differs alike on all."""

    def draw(rng: Generator) -> list[Answers]:
        chance = rng.uniform(0.2, 0.9, (n, 1)) + np.array([0.0, difference])
        return [(rng.random((n, 2, runs)) < chance[:, :, None]).astype(float)]

    return draw


def shared(n: int, share: float, loss: float, runs: int) -> Any:
    """Draw several answers to each item; the baseline has a share, the candidate less.

    The chances of items spread as a beta law around the share.
    """
    spread = 10.0

    def draw(rng: Generator) -> list[Answers]:
        ease = rng.beta(spread * share, spread * (1 - share), (n, 1))
        chance = ease * np.array([1.0, 1 - loss / share])
        return [(rng.random((n, 2, runs)) < chance[:, :, None]).astype(float)]

    return draw


def texts(sizes: Sequence[int], loss: float) -> Any:
    """Draw one answer to each item of texts that are easy or hard as a whole."""

    def draw(rng: Generator) -> list[Answers]:
        ease = np.repeat(rng.beta(6, 2, (len(sizes), 1)), sizes, axis=0)
        chance = ease * np.array([1.0, 1 - loss / 0.75])
        return [(rng.random((sum(sizes), 2)) < chance).astype(float)]

    return draw


def beta_graded(n: int, loss: float) -> Any:
    """Draw grades with beta laws, alike for both models but for a loss of the mean."""

    def draw(rng: Generator) -> list[Answers]:
        x = rng.beta(8, 2, n)
        noise = rng.beta(20, 20, (n, 2)) - 0.5
        grades = np.clip(x[:, None] * [1.0, 1 - loss / 0.8] + 0.2 * noise, 0, 1)
        return [grades]

    return draw


def judged(n: int, loss: float) -> Any:
    """Draw grades 0, 0.5, 1 of which the candidate loses whole ones so often."""

    def draw(rng: Generator) -> list[Answers]:
        x = rng.choice([0.0, 0.5, 1.0], n, p=[0.1, 0.1, 0.8])
        other = np.where(rng.random(n) < loss / x.mean(), 0.0, x)
        return [np.stack([x, other], axis=1)]

    return draw


def twice(n: int) -> Any:
    """Draw two answers of one model to each item."""

    def draw(rng: Generator) -> list[Answers]:
        chance = rng.beta(2, 0.7, (n, 1))
        return [(rng.random((n, 2)) < chance).astype(float)]

    return draw


_M = 0.05
_UNEQUAL = (1, 3, 5, 7, 9)
"""Sizes of texts."""
_R: dict[str, Any] = {"decided_by": "bounded", "limits": (0.0, 1.0)}
_T: dict[str, Any] = {"decided_by": "t", "limits": (0.0, 1.0)}
LAWS: dict[str, Law] = {
    **{
        f"{n} items, one answer, {d:.0%} discordant, loss {_M}": Law(
            paired(n, d, -_M), (_M, _M), "pass, fail", {}
        )
        for n in (100, 500)
        for d in (0.08, 0.3)
    },
    "500 items, one answer, 10% discordant, no loss": Law(
        paired(500, 0.1, 0.0), (_M, _M), "fail", {}, sized=0.1
    ),
    "500 items, one answer, 10% discordant, no loss, budget 20": Law(
        paired(500, 0.1, 0.0), (_M, _M), "fail", {}, ALPHA / 20, sized=0.1
    ),
    "500 items, one answer, loss 0.05, budget 20": Law(
        paired(500, 0.1, -_M), (_M, _M), "pass, fail", {}, ALPHA / 20
    ),
    "the same model twice, 400 items": Law(twice(400), (_M, _M), "fail", {}),
    **{
        f"200 items, 5 answers, {what}": Law(
            draw, (_M, _M), "pass, fail", {}, runs=FEWER
        )
        for what, draw in (
            (f"alike loss {_M}", answered(200, -_M, 5)),
            ("whole items lost rarely", lost(200, _M, 5)),
        )
    },
    "100 texts of 5 items, whole texts lost rarely": Law(
        lost(500, _M, 1, (5,) * 100), (_M, _M), "pass, fail", {"sizes": (5,) * 100},
        runs=FEWER,
    ),
    "200 items, grades, whole losses, bounded": Law(
        judged(200, _M), (_M, _M), "pass, fail", _R, runs=FEWER
    ),
    "200 items, grades, whole losses, t": Law(
        judged(200, _M), (_M, _M), "pass, fail", _T, runs=FEWER
    ),
    "these 100 items, 5 answers, alike loss 0.05": Law(
        answered(100, -_M, 5), (_M, _M), "pass, fail", {"items_scope": "fixed"},
        runs=FEWER,
    ),
    **{
        f"2000 items, {k} slices, one at its margin 0.05": Law(
            mixed([(2000 // k, 0.05, 0.05)] * (k - 1) + [(2000 // k, 0.02, 0.07)]),
            (0.02, _M), "pass", {}, runs=FEWER,
        )
        for k in (3, 10)
    },
    **{
        f"2000 items, {k} slices, all at their margins 0.05": Law(
            paired(2000, 0.1, -_M, k), (_M, _M), "pass, fail", {}, runs=FEWER
        )
        for k in (3, 10)
    },
    **{
        f"2000 items, {k} slices, no loss": Law(
            paired(2000, 0.1, 0.0, k), (0.02, _M), "fail", {}, runs=FEWER
        )
        for k in (3, 10)
    },
    "72 items, one answer, 20% discordant, loss 0.1": Law(
        paired(72, 0.2, -0.1), (0.1, 0.1), "pass, fail", {}
    ),
    "72 items, one answer, 20% discordant, no loss, margin 0.1": Law(
        paired(72, 0.2, 0.0), (0.1, 0.1), "fail", {}, sized=0.2
    ),
    "2000 items, one answer, 10% discordant, loss 0.02": Law(
        paired(2000, 0.1, -0.02), (0.02, 0.02), "pass, fail", {}, runs=FEWER
    ),
    "2000 items, one answer, 10% discordant, no loss, margin 0.02": Law(
        paired(2000, 0.1, 0.0), (0.02, 0.02), "fail", {}, runs=FEWER, sized=0.1
    ),
    **{
        f"{n} items, {runs} answers, shares of {share}, loss {_M}": Law(
            shared(n, share, _M, runs), (_M, _M), "pass, fail", {}, runs=FEWER
        )
        for n, runs in ((100, 2), (200, 5))
        for share in (0.5, 0.9, 0.995)
    },
    **{
        f"{len(sizes)} texts of {kind} size, loss {m}": Law(
            texts(sizes, m), (m, m), "pass, fail", {"sizes": sizes}, runs=FEWER
        )
        for kind, m, sizes in (
            ("one", 0.2, (5,) * 20),
            ("unequal", 0.1, _UNEQUAL * 12),
            ("one", _M, (5,) * 200),
            ("unequal", _M, _UNEQUAL * 40),
        )
    },
    "60 texts of unequal size, whole texts lost rarely": Law(
        lost(300, 0.1, 1, _UNEQUAL * 12), (0.1, 0.1), "pass, fail",
        {"sizes": _UNEQUAL * 12}, runs=FEWER,
    ),
    "200 items, grades, beta laws, bounded": Law(
        beta_graded(200, _M), (_M, _M), "pass, fail", _R, runs=FEWER
    ),
    "2000 items, 5 slices, all at their margins 0.05, budget 20": Law(
        paired(2000, 0.1, -_M, 5), (_M, _M), "pass, fail", {}, ALPHA / 20, runs=FEWER
    ),
}  # fmt: skip
