"""Statistics of many tables of scores at once: (runs, blocks, algorithms)."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import friedman_exact
from pycompare.kernels.ranks import midranks, permutation_chi2

from . import batch

Signs = NDArray[np.int8]

FLIPS = 999
"""Random changes of sign of a max-T test; all where these are hardly more."""
ALIGNED = 9
"""Decimals of scores less their block's mean, so that rounding breaks no tie."""


class Tables:
    """Scores of many runs, higher is better, and what tests are made of.

    A family is all pairs (0, 1), (0, 2), ..., or, for ``control``, each algorithm with
    the last one. Differences are first minus second, and positive where the first is
    better, of ranks as well.

    Parameters
    ----------
    x : ndarray, shape (runs, blocks, algorithms)
    seed : int
        Of the random changes of sign.
    control : bool
    """

    def __init__(self, x: Floats, seed: int = 0, control: bool = False) -> None:
        self.x, self.seed, self.control = x, seed, control
        self.runs, self.n, self.a = x.shape
        self.first, self.second = family(self.a, control)

    @cached_property
    def against_control(self) -> Tables:
        """The same tables, each algorithm with the last one; ranks are shared."""
        made = Tables(self.x, self.seed, control=True)
        made.__dict__["ranks"] = self.ranks
        made.__dict__["tied"] = self.tied
        for kind in ("aligned", "weighted"):
            if kind in self.__dict__:
                made.__dict__[kind] = self.__dict__[kind]
        return made

    def head(self, runs: int) -> Tables:
        """Return the first runs as tables of their own."""
        if runs >= self.runs:
            return self
        return Tables(self.x[:runs], self.seed, self.control)

    # ---- ranks

    @cached_property
    def ranks(self) -> Floats:
        """Ranks within blocks; the highest score has the highest rank."""
        return midranks(self.x)

    @cached_property
    def tied(self) -> bool:
        """Whether any two scores of a block are equal."""
        whole = (self.ranks == np.rint(self.ranks)).all()
        squares = np.square(self.ranks).sum(axis=-1)
        full = self.a * (self.a + 1) * (2 * self.a + 1) / 6
        return not (whole and (squares == full).all())

    @cached_property
    def rank_differences(self) -> Floats:
        """Shape (runs, blocks, pairs)."""
        return self.ranks[..., self.first] - self.ranks[..., self.second]

    @cached_property
    def rank_sums(self) -> Floats:
        """Differences of rank sums, shape (runs, pairs)."""
        sums = self.ranks.sum(axis=1)
        return np.asarray(sums[:, self.first] - sums[:, self.second])

    @cached_property
    def rank_z(self) -> Floats:
        """Mean rank differences over their error if all are alike, given the ties."""
        return self.z(self.ranks)

    @cached_property
    def p_rank_normal(self) -> Floats:
        """Two-sided normal p-values of z."""
        return 2 * special.ndtr(-np.abs(self.rank_z))

    @cached_property
    def p_rank_exact(self) -> Floats:
        """Exact p-values of rank sums if all algorithms are alike."""
        if self.tied:
            return np.stack(
                [
                    friedman_exact.pair_p_values(each)[self.first, self.second]
                    for each in self.ranks
                ]
            )
        at = np.abs(np.rint(self.rank_sums)).astype(np.int64)
        return exact_rank_p(self.n, self.a)[at]

    @cached_property
    def p_sign_flips(self) -> Floats:
        """Exact p-values of sums of rank differences whose signs are fair coins."""
        return self.p_flips(self.ranks, 2 if self.tied else 1)

    # ---- ranks of other kinds

    @cached_property
    def aligned(self) -> Floats:
        """Ranks over all blocks of scores less the mean of their block."""
        centred = np.round(self.x - self.x.mean(axis=2, keepdims=True), ALIGNED)
        return midranks(centred.reshape(self.runs, -1)).reshape(self.x.shape)

    @cached_property
    def weighted(self) -> Floats:
        """Ranks times the rank of the range of their block (Quade)."""
        return self.ranks * midranks(np.ptp(self.x, axis=2))[..., None]

    def sums(self, cells: Floats) -> Floats:
        """Return differences of column sums, shape (runs, pairs)."""
        sums = cells.sum(axis=1)
        return np.asarray(sums[:, self.first] - sums[:, self.second])

    def z(self, cells: Floats) -> Floats:
        """Return differences over their error if cells of a block are permuted."""
        _, variance = permutation_chi2(cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            z = self.sums(cells) / self.n / np.sqrt(variance)[:, None]
        return np.asarray(np.nan_to_num(z))

    def p_normal(self, cells: Floats) -> Floats:
        """Return two-sided normal p-values of z."""
        return 2 * special.ndtr(-np.abs(self.z(cells)))

    def p_flips(self, cells: Floats, parts: int) -> Floats:
        """Return exact p-values of differences whose signs are fair coins.

        ``parts`` times the cells are whole.
        """
        d = cells[..., self.first] - cells[..., self.second]
        d = np.rint(parts * d).astype(np.int64)
        rows = np.swapaxes(d, 1, 2).reshape(-1, self.n)
        p = batch.sign_tails(np.abs(rows), rows.sum(axis=1))
        return p.reshape(self.runs, -1)

    @cached_property
    def p_sign(self) -> Floats:
        """Sign tests of blocks won and lost; NaN where all are tied."""
        won = (self.rank_differences > 0).sum(axis=1)
        lost = (self.rank_differences < 0).sum(axis=1)
        p = np.ones(won.shape)
        for used in np.unique(won + lost):
            at = won + lost == used
            p[at] = batch.sign_p(int(used))[won[at]]
        return np.where(won + lost > 0, p, np.nan)

    @cached_property
    def wins(self) -> Floats:
        """Blocks won minus blocks lost, shape (runs, pairs)."""
        return np.asarray(np.sign(self.rank_differences).sum(axis=1))

    # ---- scores

    @cached_property
    def differences(self) -> Floats:
        """Shape (runs, blocks, pairs)."""
        return self.x[..., self.first] - self.x[..., self.second]

    @cached_property
    def mean(self) -> Floats:
        """Mean differences, shape (runs, pairs)."""
        return np.asarray(self.differences.mean(axis=1))

    @cached_property
    def variance(self) -> Floats:
        """Variance of each pair's differences."""
        return np.asarray(self.differences.var(axis=1, ddof=1))

    def paired_t(self, overlap: float = 0.0) -> Floats:
        """Return t of each pair's own variance, corrected for overlapping folds."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.mean / np.sqrt((1 / self.n + overlap) * self.variance)

    def p_paired_t(self, overlap: float = 0.0) -> Floats:
        """Return two-sided p-values; NaN where all differences are 0."""
        return 2 * special.stdtr(self.n - 1, -np.abs(self.paired_t(overlap)))

    @cached_property
    def df_error(self) -> int:
        """Degrees of freedom of the blocked analysis of variance."""
        return (self.n - 1) * (self.a - 1)

    @cached_property
    def mean_square(self) -> Floats:
        """Mean square of error of the blocked analysis of variance, shape (runs,)."""
        x = self.x - self.x.mean(axis=2, keepdims=True)
        x = x - x.mean(axis=1, keepdims=True)
        return np.asarray(np.square(x).sum(axis=(1, 2)) / self.df_error)

    @cached_property
    def pooled_t(self) -> Floats:
        """Return t with the model's error."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.mean / np.sqrt(2 * self.mean_square / self.n)[:, None]

    @cached_property
    def anova_f(self) -> Floats:
        """F of the blocked analysis of variance, shape (runs,)."""
        means = self.x.mean(axis=1)
        between = self.n * np.square(means - means.mean(axis=1, keepdims=True))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(between.sum(axis=1) / (self.a - 1) / self.mean_square)

    @cached_property
    def p_wilcoxon(self) -> Floats:
        """Exact signed-rank p-values, zeros dropped; NaN where all are 0."""
        d = np.swapaxes(self.differences, 1, 2).reshape(-1, self.n)
        size = np.abs(d)
        ranks = midranks(size)
        zeros = (size == 0).sum(axis=1, keepdims=True)
        steps = np.where(size > 0, np.rint(2 * (ranks - zeros)), 0).astype(np.int64)
        above = np.where(d > 0, steps, 0).sum(axis=1)
        if self.tied or zeros.any():
            p = batch.sign_tails(steps, 2 * above - steps.sum(axis=1))
        else:
            p = batch.signed_rank_p(self.n)[above // 2]
        p = np.where(zeros[:, 0] < self.n, p, np.nan)
        return p.reshape(self.runs, -1)

    @cached_property
    def signed_rank(self) -> Floats:
        """Sum of signed ranks: above 0 where the first is better."""
        ranks = midranks(np.abs(np.swapaxes(self.differences, 1, 2)))
        signs = np.sign(np.swapaxes(self.differences, 1, 2))
        return np.asarray((ranks * signs).sum(axis=2))

    # ---- changes of sign

    @cached_property
    def flips(self) -> Floats:
        """Changes of sign of blocks, shape (flips, blocks); the first changes none."""
        return changes_of_sign(self.n, self.seed)

    def max_t(self, differences: Floats, alpha: float) -> Bools:
        """Return what step-down max-T (Westfall and Young) rejects.

        With n the same for all pairs |t| rises with |sum d| / sqrt(sum d^2), of which
        a change of signs leaves the denominator as it is. Where a first part of the
        flips already shows that the largest is retained, the rest is not drawn.
        """
        norm = np.sqrt(np.square(differences).sum(axis=1, keepdims=True))
        unit = differences / np.where(norm > 0, norm, 1.0)
        observed = np.abs(unit.sum(axis=1))
        order = np.argsort(observed, axis=-1)  # the smallest first
        unit = np.take_along_axis(unit, order[:, None, :], -1)
        limit = np.take_along_axis(observed, order, -1) - 1e-11
        most = alpha * len(self.flips) * (1 + 1e-12)
        reached = step_down(self.flips[:FIRST], unit, limit)
        left = np.flatnonzero(reached[:, -1] <= most)
        if len(self.flips) > FIRST:
            reached[left] += step_down(self.flips[FIRST:], unit[left], limit[left])
        # What follows a retained one is retained.
        kept = np.logical_or.accumulate(reached[:, ::-1] > most, axis=1)[:, ::-1]
        found = np.empty(kept.shape, bool)
        np.put_along_axis(found, order, ~kept, -1)
        return found


FIRST = 250
"""Flips after which a run may stop."""


def step_down(flips: Floats, unit: Floats, limit: Floats) -> Ints:
    """Count flips in which the largest of this sum and of those before it reaches it.

    ``unit`` (runs, blocks, pairs) is sorted, the pair with the smallest sum first.
    """
    counts = np.empty(limit.shape, np.int64)
    size = max(1, 200_000 // (len(flips) * limit.shape[1]))
    for start in range(0, len(limit), size):
        part = slice(start, start + size)
        flipped = np.matmul(flips, unit[part])
        np.abs(flipped, out=flipped)
        np.maximum.accumulate(flipped, axis=2, out=flipped)
        counts[part] = (flipped >= limit[part, None, :]).sum(axis=1)
    return counts


def family(a: int, control: bool) -> tuple[Ints, Ints]:
    """Return the pairs of a family as two arrays."""
    if control:
        return np.arange(a - 1), np.full(a - 1, a - 1)
    first, second = np.triu_indices(a, 1)
    return first, second


@lru_cache(maxsize=64)
def exact_rank_p(n: int, a: int) -> Floats:
    """Return the exact p-value of each absolute difference of two rank sums."""
    step = friedman_exact.block_difference(np.arange(1, a + 1)).astype(float)
    chance = np.ones(1)
    for _ in range(n):
        chance = np.convolve(chance, step)
    upper = chance[len(chance) // 2 :]
    beyond = 2 * np.cumsum(upper[::-1])[::-1]
    beyond[0] = 1.0
    return np.minimum(1.0, beyond)


@lru_cache(maxsize=4)
def changes_of_sign(n: int, seed: int) -> Floats:
    """Return all changes of sign of n blocks if they are few, else some at random.

    The first block keeps its sign: |sum| is the same where all signs change.
    """
    if 2 ** (n - 1) <= FLIPS + 25:
        bits = np.arange(2 ** (n - 1))[:, None] >> np.arange(n - 1)
        return np.hstack([np.ones((len(bits), 1)), np.where(bits & 1, -1.0, 1.0)])
    rng = np.random.default_rng([seed, n])
    flips = np.where(rng.random((FLIPS + 1, n)) < 0.5, -1.0, 1.0)
    flips[0] = 1.0
    return flips
