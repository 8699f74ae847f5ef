"""Strengths of models from battles with ties: Davidson's model with an order effect.

P(first wins) : P(tie) : P(second wins) = e^s : nu e^(s/2) : 1 with
s = theta_i - theta_j + gamma, model i shown first (Davidson 1970; Davidson and Beaver
1977). Wins of the first and half the ties, h, and ties, t, are sufficient. Jeffreys'
penalty (Firth 1993) keeps estimates finite on every connected graph.

Parameters are theta of K models (mean 0), then gamma, then log nu; of those that a
model does not have nothing is returned but 0 and minus infinity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from pycompare.base.errors import DesignError
from pycompare.base.typing import Floats, Ints

_MOST_STEPS = 500
_LONGEST = 2.0
_SMALL = 1e-10


@dataclass(frozen=True)
class Games:
    """Battles of ordered pairs of models.

    Attributes
    ----------
    first, second : ndarray of int, shape (m,)
        Models of each ordered pair that met.
    n : ndarray, shape (m,)
        Battles.
    halves : ndarray, shape (m,)
        Wins of the first and half the ties.
    ties : ndarray, shape (m,)
    models : int
    """

    first: Ints
    second: Ints
    n: Floats
    halves: Floats
    ties: Floats
    models: int


@dataclass(frozen=True)
class Strengths:
    """A fitted model.

    Attributes
    ----------
    theta : ndarray, shape (K,)
    gamma, log_nu : float
    inverse : ndarray, shape (P, P)
        Inverse of the expected information, rows of theta first.
    expected_halves, expected_ties : ndarray, shape (m,)
        Of one battle of each ordered pair.
    log_likelihood : float
    has_order, has_ties : bool
        Whether gamma and nu were estimated.
    """

    theta: Floats
    gamma: float
    log_nu: float
    inverse: Floats
    expected_halves: Floats
    expected_ties: Floats
    log_likelihood: float
    has_order: bool
    has_ties: bool


def fit(games: Games, *, order: bool, ties: bool, penalised: bool = True) -> Strengths:
    """Fit strengths by Fisher scoring.

    Parameters
    ----------
    games : Games
        A connected graph of models.
    order : bool
        Whether gamma is estimated; else it is 0.
    ties : bool
        Whether nu is estimated; else it is 0 and ties count half a win for either.
    penalised : bool
        Whether Jeffreys' penalty is added.
    """
    k = games.models
    size = k + order + ties
    at_order = k
    at_ties = k + order
    parameters = np.zeros(size)
    for _ in range(_MOST_STEPS):
        moments = _moments(games, parameters, order, ties)
        inverse = _inverse(games, moments, order, ties)
        u_s = games.halves - games.n * moments.mean_h
        u_n = games.ties - games.n * moments.mean_t
        if penalised:
            g_ss, g_sn, g_nn = _spread(games, inverse, order, ties)
            half = games.n / 2
            u_s = u_s + half * (
                moments.hhh * g_ss + 2 * moments.hht * g_sn + moments.htt * g_nn
            )
            u_n = u_n + half * (
                moments.hht * g_ss + 2 * moments.htt * g_sn + moments.ttt * g_nn
            )
        score = np.zeros(size)
        score[:k] = np.bincount(games.first, u_s, k) - np.bincount(games.second, u_s, k)
        if order:
            score[at_order] = u_s.sum()
        if ties:
            score[at_ties] = u_n.sum()
        step = inverse @ score
        longest = np.abs(step).max()
        parameters = parameters + step * min(1.0, _LONGEST / max(longest, _SMALL))
        if longest <= _SMALL:
            break
    else:
        raise DesignError(
            f"the strengths of {k} models did not converge in {_MOST_STEPS} steps; "
            "have models with hardly any battles left out"
        )
    moments = _moments(games, parameters, order, ties)
    theta = parameters[:k] - parameters[:k].mean()
    return Strengths(
        theta=theta,
        gamma=float(parameters[at_order]) if order else 0.0,
        log_nu=float(parameters[at_ties]) if ties else -np.inf,
        inverse=_inverse(games, moments, order, ties),
        expected_halves=moments.mean_h,
        expected_ties=moments.mean_t,
        log_likelihood=_log_likelihood(games, parameters, order, ties),
        has_order=order,
        has_ties=ties,
    )


@dataclass(frozen=True)
class _Moments:
    """Moments of (h, t) of one battle of each ordered pair."""

    mean_h: Floats
    mean_t: Floats
    hh: Floats
    ht: Floats
    tt: Floats
    hhh: Floats
    hht: Floats
    htt: Floats
    ttt: Floats


def _terms(
    games: Games, parameters: Floats, order: bool, ties: bool
) -> tuple[Floats, Floats]:
    """Return s of each pair, and log nu + s/2 (minus infinity without ties)."""
    k = games.models
    s = parameters[games.first] - parameters[games.second]
    if order:
        s = s + parameters[k]
    return s, (parameters[-1] + s / 2 if ties else np.full(len(s), -np.inf))


def _moments(games: Games, parameters: Floats, order: bool, ties: bool) -> _Moments:
    """Return the moments of each pair at some parameters."""
    s, tie = _terms(games, parameters, order, ties)
    total = np.logaddexp(np.logaddexp(s, tie), 0)
    chance = [np.exp(s - total), np.exp(tie - total), np.exp(-total)]
    mean_h, mean_t = chance[0] + chance[1] / 2, chance[1]
    h = [value - mean_h for value in (1.0, 0.5, 0.0)]
    t = [value - mean_t for value in (0.0, 1.0, 0.0)]

    central = np.zeros((7, len(s)))
    for p, x, y in zip(chance, h, t, strict=True):
        px, py = p * x, p * y
        pxx, pxy, pyy = px * x, px * y, py * y
        parts = (pxx, pxy, pyy, pxx * x, pxx * y, pxy * y, pyy * y)
        for total_of, part in zip(central, parts, strict=True):
            total_of += part
    return _Moments(mean_h, mean_t, *central)


def _inverse(games: Games, moments: _Moments, order: bool, ties: bool) -> Floats:
    """Return the inverse of the expected information; strengths have the mean 0."""
    k = games.models
    size = k + order + ties
    information = np.zeros((size, size))
    weight = games.n * moments.hh
    np.add.at(information, (games.first, games.second), -weight)
    information[:k, :k] += information[:k, :k].T
    degree = np.bincount(games.first, weight, k) + np.bincount(games.second, weight, k)
    information[np.arange(k), np.arange(k)] += degree

    def net(x: Floats) -> Floats:
        ends = (np.bincount(end, x, k) for end in (games.first, games.second))
        return np.asarray(np.subtract(*ends), float)

    if order:
        information[k, :k] = information[:k, k] = net(weight)
        information[k, k] = weight.sum()
    if ties:
        cross = games.n * moments.ht
        information[-1, :k] = information[:k, -1] = net(cross)
        information[-1, -1] = (games.n * moments.tt).sum()
        if order:
            information[-1, k] = information[k, -1] = cross.sum()
    # Ones in the direction of equal strengths: the sum of all is not in the data.
    information[:k, :k] += np.trace(information[:k, :k]) / k**2
    root = linalg.cho_factor(information)
    inverse = linalg.cho_solve(root, np.eye(size))
    return (inverse + inverse.T) / 2


def _spread(
    games: Games, inverse: Floats, order: bool, ties: bool
) -> tuple[Floats, Floats, Floats]:
    """Return variances and covariance of s of each pair and log nu."""
    k, i, j = games.models, games.first, games.second
    diagonal = np.diag(inverse)
    g_ss = diagonal[i] + diagonal[j] - 2 * inverse[i, j]
    if order:
        g_ss = g_ss + diagonal[k] + 2 * (inverse[i, k] - inverse[j, k])
    if not ties:
        none = np.zeros(len(i))
        return g_ss, none, none
    g_sn = inverse[i, -1] - inverse[j, -1] + (inverse[k, -1] if order else 0.0)
    return g_ss, g_sn, np.full(len(i), inverse[-1, -1])


def _log_likelihood(games: Games, parameters: Floats, order: bool, ties: bool) -> float:
    """Return the log likelihood, without the penalty."""
    s, tie = _terms(games, parameters, order, ties)
    total = games.halves * s - games.n * np.logaddexp(np.logaddexp(s, tie), 0)
    if ties:
        total = total + games.ties * parameters[-1]
    return float(total.sum())


@dataclass(frozen=True)
class RobustVariance:
    """Covariance of strengths whose voters differ.

    Attributes
    ----------
    covariance : ndarray, shape (K, K)
    df : ndarray, shape (K, K)
        Degrees of freedom of each pair's difference, at least 1; infinite on the
        diagonal.
    order, order_df : float
        Variance of gamma, and its degrees of freedom; NaN without an order effect.
    """

    covariance: Floats
    df: Floats
    order: float
    order_df: float


_VOTERS_AT_ONCE = 20_000


def _voters_at_once(voter: Ints, voters: int) -> Iterator[tuple[int, int, Any]]:
    """Yield the first of some voters, how many they are, and their battles."""
    if voters <= _VOTERS_AT_ONCE:
        yield 0, voters, slice(None)
        return
    by_voter = np.argsort(voter, kind="stable")
    of_each = np.searchsorted(voter[by_voter], np.arange(voters + 1))
    for first_voter in range(0, voters, _VOTERS_AT_ONCE):
        count = min(_VOTERS_AT_ONCE, voters - first_voter)
        rows = by_voter[of_each[first_voter] : of_each[first_voter + count]]
        yield first_voter, count, rows


def robust(
    games: Games,
    strengths: Strengths,
    pair: Ints,
    halves: Floats,
    ties: Floats,
    voter: Ints,
    voters: int,
) -> RobustVariance:
    """Return the variance of strengths over voters, their leverage taken out.

    Parameters
    ----------
    pair : ndarray of int, shape (n,)
        Ordered pair of each battle.
    halves, ties : ndarray, shape (n,)
        Outcome of each battle: 1, 1/2, 0 for the first; 1 for a tie.
    voter : ndarray of int, shape (n,)
        Voter of each battle, 0 to voters - 1.
    """
    k = games.models
    u_s = halves - strengths.expected_halves[pair]
    u_n = ties - strengths.expected_ties[pair]
    n_of = np.bincount(voter, minlength=voters).astype(float)
    leverage = 1 - n_of / n_of.sum()
    size = len(strengths.inverse)
    square, of_order, fourth_of_order = np.zeros((k, k)), 0.0, 0.0
    cubes, squares_of_pairs = np.zeros((k, k)), np.zeros((k, k))
    for first_voter, count, rows in _voters_at_once(voter, voters):
        of = voter[rows] - first_voter
        at = pair[rows]
        u = np.zeros(count * size)
        u += np.bincount(of * size + games.first[at], u_s[rows], len(u))
        u -= np.bincount(of * size + games.second[at], u_s[rows], len(u))
        if strengths.has_order:
            u += np.bincount(of * size + k, u_s[rows], len(u))
        if strengths.has_ties:
            u += np.bincount(of * size + size - 1, u_n[rows], len(u))
        share = leverage[first_voter : first_voter + count, None]
        all_q = (u.reshape(count, size) / share) @ strengths.inverse
        if strengths.has_order:
            squares = all_q[:, k] ** 2
            of_order += float(squares.sum())
            fourth_of_order += float(squares @ squares)
        q = all_q[:, :k]
        q_squared = q * q
        square += q.T @ q
        cubes += (q_squared * q).T @ q
        squares_of_pairs += q_squared.T @ q_squared
    variance = np.diag(square)
    of_pairs = variance[:, None] + variance - 2 * square
    fours = np.diag(squares_of_pairs)
    # sum (q_i - q_j)^4 from products of powers.
    of_fourth = fours[:, None] + fours - 4 * (cubes + cubes.T) + 6 * squares_of_pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        df = 3 * of_pairs**2 / of_fourth - 1
    df = np.maximum(df, 1.0)
    np.fill_diagonal(df, np.inf)
    order = order_df = np.nan
    if strengths.has_order:
        order = of_order
        order_df = max(1.0, 3 * of_order**2 / fourth_of_order - 1)
    return RobustVariance(
        covariance=square,
        df=np.where(np.isnan(df), 1.0, df),
        order=order,
        order_df=order_df,
    )
