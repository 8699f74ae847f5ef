"""Scores of known truth, many tables at once: (runs, blocks, algorithms).

Higher is better. ``a`` algorithms are A1, ..., Aa; the last one is the control of
methods that have one. What is true is a table of signs for each hypothesis about
pairs: 0 where row and column are alike, 1 where the row is better, -1 where it is
worse, 2 where they differ without one being better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats

Signs = NDArray[np.int8]
Rng = np.random.Generator
Make = Callable[[Rng, int, int, int], Floats]
Noise = Callable[[Rng, tuple[int, ...]], Floats]

EXCHANGEABLE = "exchangeable"
MEAN_RANK = "equal mean ranks"
MEAN = "equal means"
WINS = "equal win probabilities"
MARGIN = "difference beyond the margin"
VECTOR = "equal mean vectors"
AUC = "equal AUCs"
INTERACTION = "no interaction of algorithm and data set"
BETWEEN = "no difference between kinds of data sets"
CROSSED = "no interaction of kind and algorithm"
PARTIAL_AUC = "equal partial AUCs"
PR_AREA = "equal areas under the precision-recall curve"
HYPOTHESES = (EXCHANGEABLE, MEAN_RANK, MEAN, WINS)


@dataclass(frozen=True, kw_only=True)
class Truth:
    """A law of scores, and what is true of pairs of algorithms.

    Attributes
    ----------
    name : str
    make : callable
        ``(rng, runs, blocks, algorithms)`` to scores (runs, blocks, algorithms).
    signs : callable
        Number of algorithms to the table of signs of each hypothesis; a hypothesis that
        means nothing here (means of Cauchy scores) is left out.
    violates : frozenset of str
        Assumptions that do not hold, in the ledger's words; those that hang on the
        hypothesis (``complete-null``, ``exchangeable``) are found from the signs.
    """

    name: str
    make: Make
    signs: Callable[[int], Mapping[str, Signs]]
    violates: frozenset[str] = frozenset()


# ---- noise --------------------------------------------------------------------------


def normal(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return standard normal noise."""
    return rng.standard_normal(shape)


def lognormal(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return lognormal noise of mean 0 and variance 1."""
    e = np.e
    return (np.exp(rng.standard_normal(shape)) - e**0.5) / np.sqrt(e * (e - 1))


def exponential(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return exponential noise of mean 0 and variance 1."""
    return rng.standard_exponential(shape) - 1


def student_2(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return Student's t on 2 degrees of freedom: the variance is infinite."""
    return rng.standard_t(2, shape)


def cauchy(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return Cauchy noise: no mean."""
    return rng.standard_cauchy(shape)


def families(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """Return normal noise of two families of algorithms, correlation 0.8 in each."""
    a = shape[-1]
    common = np.repeat(
        rng.standard_normal((*shape[:-1], 2)), (a - a // 2, a // 2), axis=-1
    )
    return np.sqrt(0.8) * common + np.sqrt(0.2) * rng.standard_normal(shape)


# ---- expected scores ----------------------------------------------------------------


def gap(n: int) -> float:
    """Return a difference, in standard deviations, that n blocks show now and then."""
    return 4 / np.sqrt(n)


def none_better(a: int) -> Floats:
    """All alike."""
    return np.zeros(a)


def one_winner(a: int) -> Floats:
    """A1 is better than all others."""
    return (np.arange(a) == 0).astype(float)


def two_groups(a: int) -> Floats:
    """Return levels of which the first half is better."""
    return (np.arange(a) < (a + 1) // 2).astype(float)


def tiers(a: int) -> Floats:
    """Three tiers of algorithms that are alike, the best first."""
    return np.asarray(2.0 - np.arange(a) * 3 // a, float)


def tied_ladder(a: int) -> Floats:
    """Each is better than the next, but the last two, which are alike."""
    return np.maximum(0.0, a - 2.0 - np.arange(a))


def distant_pairs(a: int) -> Floats:
    """Pairs of algorithms that are alike, far from all others."""
    return np.asarray(-10.0 * (np.arange(a) // 2), float)


def signs_of(level: Floats) -> Signs:
    """Return who is better, given levels of the algorithms."""
    return np.sign(level[:, None] - level[None, :]).astype(np.int8)


def same(a: int, level: Callable[[int], Floats], but: str = "") -> dict[str, Signs]:
    """Return signs that are the same under every hypothesis but one, left out."""
    return {h: signs_of(level(a)) for h in HYPOTHESES if h != but}


# ---- scores -------------------------------------------------------------------------


def shifted(
    rng: Rng,
    runs: int,
    n: int,
    a: int,
    *,
    level: Callable[[int], Floats] = none_better,
    noise: Noise = normal,
    uneven: bool = True,
    step: float = 1.0,
) -> Floats:
    """Return data sets of different level, and of different spread if ``uneven``."""
    x = noise(rng, (runs, n, a)) + step * gap(n) * level(a)
    spread = np.exp(rng.standard_normal((runs, n, 1)) / 2) if uneven else 1.0
    return 3 * rng.standard_normal((runs, n, 1)) + spread * x


def rounded(
    rng: Rng, runs: int, n: int, a: int, *, level: Callable[[int], Floats]
) -> Floats:
    """Return normal scores rounded to whole standard deviations."""
    return np.round(rng.standard_normal((runs, n, a)) + gap(n) * level(a)) + 0.0


def right_or_wrong(
    rng: Rng, runs: int, n: int, a: int, *, level: Callable[[int], Floats]
) -> Floats:
    """Return 0 or 1: right or wrong on one case a block, some cases being harder."""
    hard = rng.standard_normal((runs, n, 1)) / 2
    x = rng.standard_normal((runs, n, a)) + hard + gap(n) * level(a)
    return (x > 0).astype(float)


def unstable(rng: Rng, runs: int, n: int, a: int, *, apart: float = 0.0) -> Floats:
    """Return ordered algorithms, and two that are alike and land anywhere."""
    order = np.zeros(a)
    order[: a - 2] = (apart or gap(n)) * ((a - 3) / 2 - np.arange(a - 2))
    x = rng.standard_normal((runs, n, a))
    x[..., a - 2 :] *= 3 * (1 + np.ptp(order))
    return 3 * rng.standard_normal((runs, n, 1)) + x + order


def unstable_signs(a: int) -> dict[str, Signs]:
    """Return that the ordered ones differ; the two are alike, and in the middle."""
    order = np.zeros(a)
    order[: a - 2] = (a - 3) / 2 - np.arange(a - 2)
    by_level = signs_of(order)
    exchangeable = by_level.copy()
    # The middle one of an odd number has the level of the two, but not their spread.
    exchangeable[(by_level == 0) & (np.arange(a)[:, None] < a - 2)] = 2
    exchangeable[(by_level == 0) & (np.arange(a)[None, :] < a - 2)] = 2
    np.fill_diagonal(exchangeable, 0)
    return {
        EXCHANGEABLE: exchangeable,
        MEAN_RANK: by_level,
        MEAN: by_level,
        WINS: by_level,
    }


def one_of_three(rng: Rng, runs: int, n: int, a: int) -> Floats:
    """Return ordered algorithms, and three alike: one of them best, two of them worst.

    Each of the three differences is symmetric about 0, all three together are not.
    """
    x = rng.standard_normal((runs, n, a)) / 10
    x[..., : a - 3] -= np.arange(a - 3)
    best = rng.integers(a - 3, a, (runs, n, 1))
    x[..., a - 3 :] -= 2.0 * a
    np.put_along_axis(x, best, 1.0 * a + rng.standard_normal(best.shape) / 10, -1)
    return x


def one_of_three_signs(a: int) -> dict[str, Signs]:
    """Return that the three are alike; others beat each of them two times of three."""
    order = -np.arange(a, dtype=float)
    means, ranks, wins = order.copy(), order - 2.0, order.copy()
    means[a - 3 :] = -a
    ranks[a - 3 :] = -(1 + 2 * (a - 0.5)) / 3
    wins[a - 3 :] = -a
    alike = np.arange(a) >= a - 3
    by_rank = signs_of(np.round(ranks, 9))
    exchangeable = by_rank.copy()
    exchangeable[(by_rank == 0) & (alike[:, None] != alike[None, :])] = 2
    return {
        EXCHANGEABLE: exchangeable,
        MEAN_RANK: by_rank,
        MEAN: signs_of(means),
        WINS: signs_of(wins),
    }


def noisier(
    rng: Rng,
    runs: int,
    n: int,
    a: int,
    *,
    level: Callable[[int], Floats] = none_better,
    noise: Noise = normal,
) -> Floats:
    """Return scores of which the last algorithm's are five times as variable."""
    x = noise(rng, (runs, n, a))
    x[..., -1] *= 5
    return 3 * rng.standard_normal((runs, n, 1)) + x + gap(n) * level(a)


def noisier_signs(a: int, level: Callable[[int], Floats], skewed: bool) -> dict:
    """Mean and median are as the levels are; the last is exchangeable with none."""
    by_level = signs_of(level(a))
    other = by_level.copy()
    alike = by_level == 0
    last = np.arange(a) == a - 1
    other[alike & (last[:, None] != last[None, :])] = 2
    # Mean ranks are equal by symmetry only while no algorithm is better than others.
    ranks = other if skewed or by_level.any() else by_level
    return {
        EXCHANGEABLE: other,
        MEAN_RANK: ranks,
        MEAN: by_level,
        WINS: other if skewed else by_level,
    }


def even_with_each(rng: Rng, runs: int, n: int, a: int) -> Floats:
    """Return ordered algorithms, and a last one that beats all or none of them."""
    x = rng.standard_normal((runs, n, a)) - 10.0 * np.arange(a)
    x[..., -1] = 20.0 * a * np.where(rng.random((runs, n)) < 0.5, 1.0, -1.0)
    return x


def even_signs(a: int) -> dict[str, Signs]:
    """Return that the last is even with each in wins, and not in mean ranks."""
    order = -np.arange(a, dtype=float)
    wins = signs_of(order)
    wins[:, -1] = wins[-1] = 0
    middle = order.copy()
    middle[-1] = -(a - 2) / 2
    ranks = signs_of(middle)
    exchangeable = np.where(ranks == 0, 2, ranks).astype(np.int8)
    np.fill_diagonal(exchangeable, 0)
    means = order.copy()
    means[-1] = 0.0  # A1 has mean 0 as well, the others are below
    by_mean = signs_of(means)
    return {
        WINS: wins,
        MEAN_RANK: ranks,
        EXCHANGEABLE: exchangeable,
        MEAN: by_mean,
    }


def overlapping(
    rng: Rng,
    runs: int,
    n: int,
    a: int,
    *,
    level: Callable[[int], Floats] = none_better,
    noisier: float = 1.0,
    rho: float = 0.1,
) -> Floats:
    """Return folds of which any two have correlation ``rho``, as they share data.

    Algorithms that are alike over data sets drawn anew are not alike on the one at
    hand (Nadeau and Bengio 2003). The last one varies ``noisier`` times as much.
    """
    x = np.sqrt(rho) * rng.standard_normal((runs, 1, a))
    x = x + np.sqrt(1 - rho) * rng.standard_normal((runs, n, a))
    x[..., -1] *= noisier
    return rng.standard_normal((runs, n, 1)) + x + 2 * gap(n) * level(a)


# ---- the truths ---------------------------------------------------------------------

LEVELS = {
    "no algorithm differs": none_better,
    "one winner": one_winner,
    "two groups": two_groups,
    "three tiers": tiers,
    "ladder with a tied pair": tied_ladder,
    "tied pairs far apart": distant_pairs,
}


def location(name: str, make: Make, level: Callable[[int], Floats], *v: str) -> Truth:
    """Return a truth whose signs are those of the levels under every hypothesis."""
    return Truth(
        name=name, make=make, signs=partial(same, level=level), violates=frozenset(v)
    )


def partial_nulls() -> list[Truth]:
    """Return normal scores of all levels, data sets of one spread."""
    return [
        location(name, partial(shifted, level=level, uneven=False), level)
        for name, level in LEVELS.items()
    ]


def unequal() -> list[Truth]:
    """Return truths in which algorithms differ in more than level."""
    violates = frozenset({"equal-variances"})
    made = [
        Truth(
            name=f"two unstable algorithms among ordered ones{word}",
            make=partial(unstable, apart=apart),
            signs=unstable_signs,
            violates=violates,
        )
        for apart, word in ((0.0, ""), (3.0, ", far apart"))
    ]
    made.append(
        Truth(
            name="one of three alike wins each block",
            make=one_of_three,
            signs=one_of_three_signs,
            violates=violates | {"normal", "jointly-symmetric"},
        )
    )
    for name, level in (
        ("one algorithm noisier", none_better),
        ("one algorithm noisier, one winner", one_winner),
    ):
        made.append(
            Truth(
                name=name,
                make=partial(noisier, level=level),
                signs=partial(noisier_signs, level=level, skewed=False),
                violates=violates,
            )
        )
    made.append(
        Truth(
            name="one algorithm noisier, exponential scores",
            make=partial(noisier, noise=exponential),
            signs=partial(noisier_signs, level=none_better, skewed=True),
            violates=violates | {"normal", "symmetric", "jointly-symmetric"},
        )
    )
    made.append(
        Truth(
            name="ordered algorithms, and one even with each",
            make=even_with_each,
            signs=even_signs,
            violates=violates | {"normal", "symmetric", "jointly-symmetric"},
        )
    )
    return made


def family_signs(a: int, level: Callable[[int], Floats]) -> dict[str, Signs]:
    """Algorithms of two families are not exchangeable with each other."""
    by_level = signs_of(level(a))
    family = np.arange(a) < a - a // 2
    other = by_level.copy()
    other[(by_level == 0) & (family[:, None] != family[None, :])] = 2
    return {EXCHANGEABLE: other, MEAN_RANK: by_level, MEAN: by_level, WINS: by_level}


def other_laws() -> list[Truth]:
    """Return scores that are not normal, tied, or correlated; nulls and partial."""
    made = []
    for name in ("no algorithm differs", "three tiers"):
        level = LEVELS[name]
        for word, noise in (
            ("normal scores, data sets of different spread", normal),
            ("lognormal scores", lognormal),
            ("exponential scores", exponential),
            ("t2 scores", student_2),
            ("Cauchy scores", cauchy),
        ):
            step = 2.0 if noise in (student_2, cauchy) else 1.0
            make = partial(shifted, level=level, noise=noise, step=step)
            violates = ["normal"]
            if noise in (lognormal, exponential):
                violates.append("jointly-symmetric")
            if noise is cauchy:
                violates.append("equal-variances")
            truth = location(f"{name}, {word}", make, level, *violates)
            if noise is cauchy:  # no means
                truth = Truth(
                    name=truth.name,
                    make=make,
                    signs=partial(same, level=level, but=MEAN),
                    violates=truth.violates,
                )
            made.append(truth)
        for word, make in (
            ("scores rounded", partial(rounded, level=level)),
            ("scores 0 or 1", partial(right_or_wrong, level=level)),
        ):
            made.append(location(f"{name}, {word}", make, level, "normal"))
    made.append(
        Truth(
            name="no algorithm differs, two families of correlated algorithms",
            make=partial(shifted, noise=families, uneven=False),
            signs=partial(family_signs, level=none_better),
            violates=frozenset({"equal-variances"}),
        )
    )
    return made
