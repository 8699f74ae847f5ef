"""What goes wrong in the tables of a row, counted; the name of a row is its seed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.base.typing import Bools, Floats
from pycompare.methods.pairs.mcnemar import McNemarPValue

from .methods import OF_RANKS, Method, by_weights
from .truths import NAMES, Truth, Wins, scores_of
from .weighted import WeightedTruth

ALPHA = 0.05


def drawn(name: str, truth: Truth, runs: int) -> Iterator[pc.Scores]:
    """Yield tables of a row; the name is the seed."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(runs):
        yield truth.draw(rng)


def true_means(found: pd.DataFrame, means: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Return the true means of the first and the second algorithm of each pair."""
    at = dict(zip(NAMES, means, strict=False))
    one, two = (found[f"algorithm_{i}"].map(at).to_numpy(float) for i in (1, 2))
    return one, two


@dataclass
class PairErrors:
    """Tables in which an equal pair is rejected, or its interval misses the null."""

    rejected: int = 0
    missed: int = 0


def pair_errors(
    name: str, truth: Truth, methods: Mapping[str, Method], runs: int
) -> dict[str, PairErrors]:
    """Count tables with an error in a pair that is equal in truth."""
    counts = {key: PairErrors() for key in methods}
    for scores in drawn(name, truth, runs):
        for key, method in methods.items():
            found = method(scores)
            one, two = true_means(found.table, truth.means)
            equal = one == two
            low, high = found.columns_in_r("conf_low", "conf_high").values()
            rejected = found.rejected(ALPHA).to_numpy()
            counts[key].rejected += bool((rejected & equal).any())
            outside = (low > found.null) | (high < found.null)
            counts[key].missed += bool((outside & equal).any())
    return counts


WEIGHTED_MEANS = "weighted_means, each"


def weighted_shares(
    name: str, truth: WeightedTruth, runs: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return shares of tables with an error, and those whose intervals all hold.

    Of weighted means it is the share of intervals that hold.
    """
    assert truth.benchmarks is not None
    weights, true = truth.benchmarks.named, np.array(truth.means)
    methods = by_weights(weights)
    wrong, covered = dict.fromkeys(methods, 0.0), dict.fromkeys(methods, 0.0)
    covered[WEIGHTED_MEANS] = 0.0
    for scores in drawn(name, truth, runs):
        for key, method in methods.items():
            found = method(scores)
            one, two = true_means(found.table, truth.means)
            rejected = found.rejected(ALPHA).to_numpy()
            wrong[key] += bool((rejected & (one == two)).any()) / runs
            held = _holds(found.table, one - two)
            covered[key] += bool(held.all()) / runs
        means = pc.weighted_means(scores, weights=weights).table
        covered[WEIGHTED_MEANS] += float(_holds(means, true).mean()) / runs
    return wrong, covered


def _holds(table: pd.DataFrame, true: Floats) -> Bools:
    """Return whether intervals hold what is true, but for rounding."""
    low, high = table["conf_low"].to_numpy(), table["conf_high"].to_numpy()
    return np.asarray((low <= true + 1e-12) & (high >= true - 1e-12))


def cochran_errors(name: str, truth: Truth, runs: int) -> int:
    """Count tables of equal algorithms in which Cochran's Q is significant."""
    tables = drawn(name, truth, runs)
    return sum(pc.cochran_q(scores).p_value <= ALPHA for scores in tables)


def errors_alone(name: str, truth: Truth, runs: int) -> dict[str, float]:
    """Return the share of tables of two equal algorithms with a significant test."""
    forms = get_args(McNemarPValue)
    counts = dict.fromkeys(forms, 0)
    for scores in drawn(name, truth, runs):
        for form in forms:
            counts[form] += pc.mcnemar(scores, p_value=form).p_value <= ALPHA
    return {f"two/mcnemar-{form}": count / runs for form, count in counts.items()}


def true_ranks(means: tuple[float, ...]) -> list[tuple[int, int]]:
    """Return the first and last of the ranks that each algorithm shares."""
    x = np.array(means)
    return [(1 + int((x > m).sum()), int((x >= m).sum())) for m in means]


@dataclass
class RankCount:
    """Tables whose sets hold all true ranks, and the mean number of ranks in a set."""

    covered: int = 0
    length: float = 0.0


def rank_counts(name: str, truth: Truth, runs: int) -> dict[str, RankCount]:
    """Count tables whose rank sets hold all true ranks at once."""
    methods = {
        key: method
        for key, method in OF_RANKS.items()
        if not ("McNemar" in key and "graded" in name)
    }
    wanted = true_ranks(truth.means)
    counts = {key: RankCount() for key in methods}
    for scores in drawn(name, truth, runs):
        for key, method in methods.items():
            table = pc.rank_sets(method(scores), alpha=ALPHA).table
            rows = table.set_index("algorithm").loc[list(scores.algorithms)]
            low, high = rows["rank_low"], rows["rank_high"]
            holds = all(
                u <= first and last <= v
                for u, v, (first, last) in zip(low, high, wanted, strict=True)
            )
            counts[key].covered += holds
            counts[key].length += float((high - low + 1).mean()) / runs
    return counts


def win_coverage(name: str, truth: Truth, wins: Wins, runs: int) -> float:
    """Return the share of tables whose intervals hold all probabilities at once."""
    covered = 0
    for scores in drawn(name, truth, runs):
        found = pc.superiority(scores, simultaneous=True).table
        pairs = zip(*true_means(found, truth.means), strict=True)
        true = [wins(one, two) for one, two in pairs]
        covered += bool(
            ((found["conf_low"] <= true) & (found["conf_high"] >= true)).all()
        )
    return covered / runs


def predicted_ranks(name: str, truth: Truth, runs: int) -> tuple[float, float]:
    """Return the share of ranks on the new data set that are predicted; the length."""
    covered = length = 0.0
    for scores in drawn(name, truth, runs):
        x = scores.column()
        new = stats.rankdata(-x[-1])
        known = scores_of(x[:-1])
        table = pc.rank_prediction(known).table
        low, high = table["predicted_low"], table["predicted_high"]
        covered += float(((low <= new) & (new <= high)).mean()) / runs
        length += float((high - low).mean()) / runs
    return covered, length
