"""Level and coverage of tests over cases (items), in clusters or alone, and rank sets.

``python -m validation.case_study [--runs N] [--rank-runs K] [--folder DIR]`` writes
``CASES.md``. The name of a row is its seed. A finished row is a line in the folder, so
that an interrupted run goes on where it stopped. Every row calls the public functions.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import guarantee
from pycompare.pairs.mcnemar import PValue
from pycompare.parallel.progress import Progress, on_stderr
from pycompare.results import PairsResult
from pycompare.typing import Bools, Floats, Ints

from .chunk_lines import append_line, read_lines

PAGE = Path(__file__).parent / "CASES.md"
RUNS = 600
RANK_RUNS = 220
ALPHA = 0.05
FLIPS = 399
Generator = np.random.Generator
COCHRAN = "omnibus/cochran-q"
METRIC = (Metric("accuracy", "higher"),)


def scores_of(
    x: Floats, owner: Ints | None = None, benchmark: Ints | None = None
) -> pc.Scores:
    """Return a table of cases; ``owner`` is the cluster of each."""
    return pc.Scores(
        values=x[:, :, None],
        blocks=tuple(map(str, range(len(x)))),
        algorithms=tuple("ABCDEFGH"[: x.shape[1]]),
        metrics=METRIC,
        clusters=None if owner is None else tuple(map(str, owner.tolist())),
        groups=None if benchmark is None else tuple(map(str, benchmark.tolist())),
    )


@dataclass(frozen=True)
class Truth:
    """A truth to draw from: the expected scores of all algorithms, and how.

    Attributes
    ----------
    means : tuple of float
        Expected scores, up to a constant; equal numbers are equal algorithms.
    draw : callable
        Makes scores of random generator.
    violates : tuple of str
        Conditions of the ledger of guarantees that do not hold.
    """

    means: tuple[float, ...]
    draw: Callable[[Generator], pc.Scores]
    violates: tuple[str, ...] = ()


# ---- truths -------------------------------------------------------------------------

SKEWED = ("normal", "jointly-symmetric")


def answers(
    abilities: tuple[float, ...], n: int, spread: float = 1.0, shared: float = 0.0
) -> Truth:
    """Draw right and wrong answers to n items of random difficulty.

    ``spread``: noise of the last algorithm; with the ability 0 its accuracy is that of
    the others, though its answers agree with theirs less often. ``shared``: part of the
    noise's variance that algorithms of equal ability have in common.
    """
    noise = np.ones(len(abilities))
    noise[-1] = spread
    group = np.unique(abilities, return_inverse=True)[1]

    def draw(rng: Generator) -> pc.Scores:
        level = rng.normal(size=(n, 1)) + np.array(abilities)
        own = rng.normal(size=(n, len(abilities)))
        if shared:
            common = rng.normal(size=(n, len(abilities)))[:, group]
            own = math.sqrt(shared) * common + math.sqrt(1 - shared) * own
        return scores_of((level + noise * own > 0).astype(float))

    # Of answers that agree so often few cases tell two algorithms apart.
    small = ("large-sample",) if n * (1 - shared) < 30 else ()
    erratic = ("exchangeable",) if spread != 1 else ()
    return Truth(abilities, draw, (*small, *erratic))


def graded(means: tuple[float, ...], n: int, *, skewed: bool = False) -> Truth:
    """Draw graded scores of n items."""

    def draw(rng: Generator) -> pc.Scores:
        size = (n, len(means))
        noise = rng.exponential(size=size) if skewed else rng.normal(size=size)
        return scores_of(rng.normal(size=(n, 1)) + noise + np.array(means))

    return Truth(means, draw, SKEWED if skewed else ())


def clustered(
    means: tuple[float, ...],
    clusters: int,
    *,
    right: bool = True,
    unequal: bool = False,
    skewed: bool = False,
) -> Truth:
    """Draw clusters of 10 items, or of 2 to 18, that share effects of algorithms."""
    a = len(means)
    sizes = np.full(clusters, 10)
    if unequal:
        sizes = np.rint(np.linspace(2, 18, clusters)).astype(int)
    owner = np.repeat(np.arange(clusters), sizes)

    def draw(rng: Generator) -> pc.Scores:
        drawn = rng.exponential(size=(clusters, a)) if skewed else None
        shared = rng.normal(size=(clusters, a)) if drawn is None else drawn - 1
        x = 0.7 * shared[owner] + rng.normal(size=(len(owner), a)) + np.array(means)
        return scores_of((x > 0).astype(float) if right else x, owner)

    violates = ("normal",) if right else ()
    return Truth(means, draw, SKEWED if skewed else violates)


@dataclass(frozen=True)
class Benchmarks:
    """Several benchmarks with weights, from which cases are drawn.

    Attributes
    ----------
    sizes : tuple of int
        Cases of each, or clusters (of 2 to 18 cases).
    weights : tuple of float
    apart : float
        How far algorithms that are equal in the weighted mean are from it on the first
        benchmark, A and C upwards, B and D downwards; the second one makes up for it.
    kind : {"right or wrong", "graded", "skewed"}
    clusters : bool
    """

    sizes: tuple[int, ...]
    weights: tuple[float, ...]
    apart: float = 0.0
    kind: str = "right or wrong"
    clusters: bool = False

    @property
    def named(self) -> dict[str, float]:
        """Weights by name."""
        return {str(k): w for k, w in enumerate(self.weights)}

    def expected(self, means: tuple[float, ...]) -> Floats:
        """Return expected scores, shape (benchmarks, algorithms)."""
        found = np.tile(np.array(means), (len(self.sizes), 1))
        sides = self.apart * (-1.0) ** np.arange(len(means))
        found[0] += sides
        found[1] -= sides * self.weights[0] / self.weights[1]
        return found

    def drawn(self, means: tuple[float, ...], rng: Generator) -> pc.Scores:
        """Draw one table; the last algorithm and the last benchmark are noisier."""
        expected, a = self.expected(means), len(means)
        each = [np.rint(np.linspace(2, 18, n)).astype(int) for n in self.sizes]
        owner = np.repeat(np.arange(sum(self.sizes)), np.concatenate(each))
        rows = np.repeat(np.arange(len(self.sizes)), self.sizes)
        benchmark = rows[owner] if self.clusters else rows
        shared = 0.7 * rng.normal(size=(len(rows), a))
        level = rng.normal(size=(len(benchmark), 1))
        noise = rng.normal(size=(len(benchmark), a))
        if self.kind == "right or wrong":
            total = level + noise + (shared[owner] if self.clusters else 0.0)
            spread = math.sqrt(2.49 if self.clusters else 2.0)
            x = (total + spread * stats.norm.ppf(expected[benchmark]) > 0).astype(float)
        else:
            if self.kind == "skewed":
                noise = rng.exponential(size=noise.shape) - 1
                shared = 0.7 * (rng.exponential(size=shared.shape) - 1)
            noise[:, -1] *= 3
            noise = noise + (shared[owner] if self.clusters else 0.0)
            noise *= 1.0 + benchmark[:, None]
            x = level + noise + expected[benchmark]
        return scores_of(x, owner if self.clusters else None, benchmark)


@dataclass(frozen=True)
class WeightedTruth(Truth):
    """A truth over benchmarks; ``means`` are weighted means."""

    benchmarks: Benchmarks | None = None


def weighted(
    means: tuple[float, ...], made: Benchmarks, *violates: str
) -> WeightedTruth:
    """Return a truth whose weighted means are ``means``."""
    return WeightedTruth(means, partial(made.drawn, means), violates, made)


EQUAL = (0.0,) * 4
PARTIAL = (0.0, 0.0, 1.0, 2.0, 2.0)
LADDER = (0.0, 0.15, 0.3, 0.45, 0.6)
TWO_GROUPS = (0.0, 0.0, 0.0, 0.5, 0.5, 0.5)
ONE_APART = (0.0, 0.0, 0.0, 0.0, 0.3)
CASES: Mapping[str, Truth] = {
    **{f"4 equal, {n} items": answers(EQUAL, n) for n in (20, 50, 200)},
    **{f"2 + 2 equal among 5, {n} items": answers(PARTIAL, n) for n in (20, 50, 200)},
    "4 equal, one erratic, 50 items": answers(EQUAL, 50, 4.0),
    "4 equal, one erratic, 200 items": answers(EQUAL, 200, 4.0),
    "2 + 2 equal among 5, alike, 50 items": answers(PARTIAL, 50, shared=0.8),
    "2 + 2 equal among 5, alike, 200 items": answers(PARTIAL, 200, shared=0.8),
}
ALONE: Mapping[str, Truth] = {
    **{f"2 equal, {n} items": answers(EQUAL[:2], n) for n in (20, 50, 200)},
    "2 equal, one erratic, 50 items": answers(EQUAL[:2], 50, 4.0),
    "2 equal, one erratic, 200 items": answers(EQUAL[:2], 200, 4.0),
    "2 equal, alike, 50 items": answers(EQUAL[:2], 50, shared=0.8),
    "2 equal, alike, 200 items": answers(EQUAL[:2], 200, shared=0.8),
}
CLUSTERS: Mapping[str, Truth] = {
    f"{g} clusters of {'2 to 18' if unequal else '10'}, {name}": clustered(
        EQUAL, g, right=right, unequal=unequal, skewed=skewed
    )
    for g in (5, 10, 20, 50)
    for unequal in (False, True)
    for name, right, skewed in (
        ("right or wrong", True, False),
        ("graded", False, False),
        ("graded, skewed", False, True),
    )
}
RANKED: Mapping[str, Truth] = {
    "all equal, 100 items": answers(EQUAL, 100),
    "ladder, 100 items": answers(LADDER, 100),
    "ladder, 1000 items": answers(LADDER, 1000),
    "two groups of three, 100 items": answers(TWO_GROUPS, 100),
    "two groups of three, 1000 items": answers(TWO_GROUPS, 1000),
    "one apart, 300 items": answers(ONE_APART, 300),
    "graded ladder, 30 items": graded(LADDER, 30),
    "graded ladder, 200 items": graded(LADDER, 200),
    "graded two groups, skewed, 30 items": graded(TWO_GROUPS, 30, skewed=True),
    "graded two groups, skewed, 200 items": graded(TWO_GROUPS, 200, skewed=True),
}

_SMALL = "large-sample"
_HALF = (0.6,) * 4
_TWO_PAIRS = (0.5, 0.5, 0.6, 0.75, 0.75)
_APART = (0.0, 0.0, 1.0, 2.0, 2.0)
_THREE = (0.5, 0.3, 0.2)
_TWENTY = tuple(range(5, 105, 5))


def _three(*sizes: int, **options: Any) -> Benchmarks:
    """Return three benchmarks."""
    return Benchmarks(sizes, _THREE, **options)


WEIGHTED: Mapping[str, WeightedTruth] = {
    "right or wrong, 30 + 60 + 300 items": weighted(_HALF, _three(30, 60, 300)),
    "right or wrong, 30 + 60 + 300 items, unequal on two": weighted(
        _HALF, _three(30, 60, 300, apart=0.2)
    ),
    "right or wrong, 2 + 2 equal among 5, 50 + 50 + 400 items": weighted(
        _TWO_PAIRS, _three(50, 50, 400, apart=0.1)
    ),
    "right or wrong, 10 + 300 items, weight 0.8 on the 10": weighted(
        _HALF, Benchmarks((10, 300), (0.8, 0.2)), _SMALL
    ),
    "right or wrong, 20 benchmarks of 5 to 100 items": weighted(
        _HALF, Benchmarks(_TWENTY, (0.05,) * 20)
    ),
    "graded, 10 + 20 + 100 items": weighted(
        EQUAL, _three(10, 20, 100, kind="graded"), _SMALL
    ),
    "graded, 40 + 60 + 200 items": weighted(EQUAL, _three(40, 60, 200, kind="graded")),
    "graded, 40 + 60 + 200 items, unequal on two": weighted(
        EQUAL, _three(40, 60, 200, kind="graded", apart=1.0)
    ),
    "graded, 2 + 2 equal among 5, 40 + 60 + 200 items, unequal on two": weighted(
        _APART, _three(40, 60, 200, kind="graded", apart=0.5)
    ),
    "skewed, 10 + 20 + 100 items": weighted(
        EQUAL, _three(10, 20, 100, kind="skewed"), _SMALL
    ),
    "skewed, 40 + 60 + 200 items, unequal on two": weighted(
        EQUAL, _three(40, 60, 200, kind="skewed", apart=1.0)
    ),
    **{
        f"{kind}, {text} clusters{', unequal on two' if apart else ''}": weighted(
            _HALF if kind == "right or wrong" else EQUAL,
            _three(*sizes, kind=kind, clusters=True, apart=apart),
            *((_SMALL,) if min(sizes) < 20 else ()),
        )
        for sizes, text in (((5, 8, 20), "5 + 8 + 20"), ((20, 30, 60), "20 + 30 + 60"))
        for kind, apart in (
            ("right or wrong", 0.2),
            ("graded", 0.0),
            ("graded", 1.0),
            ("skewed", 0.0),
        )
    },
}
"""Truths over several benchmarks with weights."""

# ---- truths about one item or data set ----------------------------------------------


def better_answers(one: float, other: float) -> float:
    """Return the probability that one of ``answers`` is better, ties counted half."""
    right, also = (stats.norm.cdf(m / math.sqrt(2)) for m in (one, other))
    return float(0.5 + (right - also) / 2)


def better_normal(one: float, other: float) -> float:
    """Return the probability that one of ``graded`` scores is better."""
    return float(stats.norm.cdf((one - other) / math.sqrt(2)))


def better_skewed(one: float, other: float) -> float:
    """Return the same of scores with exponential noise, whose difference is Laplace."""
    return float(stats.laplace.cdf(one - other))


Wins = Callable[[float, float], float]
WINS: Mapping[str, tuple[Truth, Wins]] = {
    "right or wrong, 4 equal, 30 items": (answers(EQUAL, 30), better_answers),
    "right or wrong, 4 equal, 200 items": (answers(EQUAL, 200), better_answers),
    "right or wrong, ladder, 30 items": (answers(LADDER, 30), better_answers),
    "right or wrong, ladder, 200 items": (answers(LADDER, 200), better_answers),
    "graded, ladder, 30 items": (graded(LADDER, 30), better_normal),
    "graded, ladder, 200 items": (graded(LADDER, 200), better_normal),
    "graded, far apart, 30 items": (graded((0.0, 1.0, 2.5), 30), better_normal),
    "graded, two groups, skewed, 30 items": (
        graded(TWO_GROUPS, 30, skewed=True),
        better_skewed,
    ),
}
"""Truths, and the probability that one algorithm is better than another."""


def data_sets(means: tuple[float, ...], n: int, spread: float, cases: int = 0) -> Truth:
    """Draw n data sets and a new one, the last.

    ``spread``: how much more the first algorithm depends on the data set than the
    others; ``cases`` of each test set make accuracies, which tie.
    """
    noise = np.ones(len(means))
    noise[0] = spread

    def draw(rng: Generator) -> pc.Scores:
        x = np.array(means) + noise * rng.standard_t(4, size=(n + 1, len(means)))
        if cases:
            x = rng.binomial(cases, stats.norm.cdf(x / 2)) / cases
        return scores_of(x)

    return Truth(means, draw)


PREDICTED: Mapping[str, Truth] = {
    "5 equal, 19 data sets": data_sets((0.0,) * 5, 19, 1.0),
    "ladder, 30 data sets": data_sets(LADDER, 30, 1.0),
    "ladder, one erratic, 30 data sets": data_sets(LADDER, 30, 4.0),
    "ladder, 100 data sets": data_sets(LADDER, 100, 1.0),
    "far apart, 40 data sets": data_sets((0.0, 1.0, 3.0, 6.0), 40, 1.0),
    "accuracies of 20 cases, 25 data sets": data_sets(LADDER, 25, 1.0, 20),
}

# ---- methods ------------------------------------------------------------------------

Method = Callable[[pc.Scores], PairsResult]


def mcnemar(form: str, adjust: str, control: str | None = None) -> Method:
    """Return McNemar's tests of pairs."""

    def made(scores: pc.Scores) -> PairsResult:
        words = {"p_value": form, "adjust": adjust, "control": control}
        return pc.mcnemar_pairs(scores, **words)  # type: ignore[arg-type]

    return made


def of_clusters(adjust: str, control: str | None = None) -> Method:
    """Return cluster-robust t tests."""
    return lambda scores: pc.cluster_pairs(scores, adjust=adjust, control=control)


def flips(scores: pc.Scores) -> PairsResult:
    """Return max-T by flips of items or clusters."""
    return pc.max_t(scores, flips=FLIPS)


OF_CASES: Mapping[str, Method] = {
    "cases/mcnemar-exact/bergmann-hommel": mcnemar("exact", "bergmann-hommel"),
    "cases/mcnemar-exact/holm/control": mcnemar("exact", "holm", "A"),
    "cases/mcnemar-mid-p/bergmann-hommel": mcnemar("mid-p", "bergmann-hommel"),
    "cases/mcnemar-mid-p/holm/control": mcnemar("mid-p", "holm", "A"),
    "cases/mcnemar-chi2/bergmann-hommel": mcnemar("chi2", "bergmann-hommel"),
    "cases/mcnemar-chi2/holm/control": mcnemar("chi2", "holm", "A"),
    "cases/mcnemar-chi2-corrected/bergmann-hommel": mcnemar(
        "chi2-corrected", "bergmann-hommel"
    ),
    "cases/mcnemar-chi2-corrected/holm/control": mcnemar("chi2-corrected", "holm", "A"),
    "scores/max-t": flips,
}
OF_CLUSTERS: Mapping[str, Method] = {
    "cases/cluster-t/bergmann-hommel": of_clusters("bergmann-hommel"),
    "cases/cluster-t/holm/control": of_clusters("holm", "A"),
    "scores/max-t": flips,
}


def by_weights(weights: Mapping[str, float]) -> Mapping[str, Method]:
    """Return the methods for weighted means."""

    def t(adjust: str, control: str | None = None) -> Method:
        words: Any = {"weights": weights, "adjust": adjust, "control": control}
        return lambda scores: pc.weighted_pairs(scores, **words)

    def of_flips(control: str | None = None) -> Method:
        words: Any = {"weights": weights, "control": control, "flips": FLIPS}
        return lambda scores: pc.max_t(scores, **words)

    return {
        "weighted/t/bergmann-hommel": t("bergmann-hommel"),
        "weighted/t/holm/control": t("holm", "A"),
        "weighted/max-t": of_flips(),
        "weighted/max-t/control": of_flips("A"),
    }


OF_RANKS: Mapping[str, Method] = {
    "max-T, step-down": flips,
    "McNemar exact, Bergmann-Hommel": mcnemar("exact", "bergmann-hommel"),
    "paired t, Holm": lambda scores: pc.paired_t_pairs(scores, adjust="holm"),
    "paired t, Bergmann-Hommel": lambda scores: pc.paired_t_pairs(
        scores, adjust="bergmann-hommel"
    ),
    "paired t, Bonferroni": lambda scores: pc.paired_t_pairs(
        scores, adjust="bonferroni"
    ),
}

# ---- runs ---------------------------------------------------------------------------


def drawn(name: str, truth: Truth, runs: int) -> Iterator[pc.Scores]:
    """Yield tables of a row; the name is the seed."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(runs):
        yield truth.draw(rng)


def equal_pairs(found: PairsResult, means: tuple[float, ...]) -> Bools:
    """Return which pairs of a table are equal in truth."""
    at = {name: means[i] for i, name in enumerate("ABCDEFGH"[: len(means)])}
    one, two = found.table["algorithm_1"], found.table["algorithm_2"]
    return np.array([at[i] == at[j] for i, j in zip(one, two, strict=True)])


@dataclass
class PairErrors:
    """Tables in which an equal pair is rejected, or its interval does not hold 0."""

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
            equal = equal_pairs(found, truth.means)
            low, high = found.numbers("conf_low"), found.numbers("conf_high")
            rejected = found.rejected(ALPHA).to_numpy()
            counts[key].rejected += bool((rejected & equal).any())
            counts[key].missed += bool((((low > 0) | (high < 0)) & equal).any())
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
        at = {algorithm: i for i, algorithm in enumerate(scores.algorithms)}
        for key, method in methods.items():
            found = method(scores)
            one, two = (
                true[found.table[column].map(at)]
                for column in ("algorithm_1", "algorithm_2")
            )
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
    forms = get_args(PValue)
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
    names = "ABCDEFGH"
    covered = 0
    for scores in drawn(name, truth, runs):
        found = pc.superiority(scores, simultaneous=True).table
        true = [
            wins(truth.means[names.index(row.algorithm_1)],
                 truth.means[names.index(row.algorithm_2)])
            for row in found.itertuples()
        ]  # fmt: skip
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


# ---- page ---------------------------------------------------------------------------

Shares = Mapping[str, Mapping[str, float]]
Ranked = Mapping[str, Mapping[str, RankCount]]


def bound(runs: int) -> float:
    """Return alpha with three Monte Carlo standard errors."""
    return ALPHA + 3 * standard_error(runs)


def standard_error(runs: int) -> float:
    """Return the Monte Carlo standard error of a share that is alpha."""
    return math.sqrt(ALPHA * (1 - ALPHA) / runs)


def table(
    what: str,
    rows: Shares,
    form: str = "{:.4f}",
    truths: Mapping[str, Truth] | None = None,
) -> list[str]:
    """Return a table, one row a truth, one column a method.

    With ``truths`` the second column has the conditions that do not hold.
    """
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    head = [what, *(["violates"] if truths else []), *names]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name, row in rows.items():
        broken = [", ".join(truths[name].violates)] if truths else []
        cells = [form.format(row[key]) if key in row else "" for key in names]
        lines.append("| " + " | ".join([name, *broken, *cells]) + " |")
    return [*lines, ""]


def held(truths: Mapping[str, Truth], rows: Shares, runs: int) -> tuple[int, int]:
    """Return how many promised errors are within the bound, and how many there are."""
    promised = [
        share <= bound(runs)
        for name, row in rows.items()
        for key, share in row.items()
        if guarantee(key).promises(truths[name].violates)
    ]
    return sum(promised), len(promised)


def page(
    cases: Shares,
    alone: Shares,
    clusters: Shares,
    intervals: Shares,
    ranked: Ranked,
    runs: int,
    rank_runs: int,
) -> str:
    """Return the page; shares of errors, and of intervals that miss."""
    parts = ((CASES, cases), (ALONE, alone), (CLUSTERS, clusters))
    counts = [held(truths, rows, runs) for truths, rows in parts]
    within, promised = (sum(part) for part in zip(*counts, strict=True))
    covered = {
        n: {k: one.covered / rank_runs for k, one in row.items()}
        for n, row in ranked.items()
    }
    coverages = [share for row in covered.values() for share in row.values()]
    least = 1 - bound(rank_runs)
    lines = [
        "# Level and coverage of tests over cases",
        "",
        f"Written by `python -m validation.case_study --runs {runs} "
        f"--rank-runs {rank_runs}`.",
        "",
        f"**{within} of {promised} promised error rates are at most {bound(runs):.4f}. "
        f"{sum(c >= least for c in coverages)} of {len(coverages)} coverages of rank "
        f"sets are at least {least:.4f}.** The bounds are 0.05 plus, and 0.95 minus, "
        "three Monte Carlo standard errors. One standard error is "
        f"{standard_error(runs):.4f} for levels and intervals ({runs} runs a row) and "
        f"{standard_error(rank_runs):.4f} for rank sets ({rank_runs} runs a row).",
        "",
        "Columns are keys of the ledger of guarantees. An error rate is promised in a "
        "row unless the row violates a condition of the key.",
        "",
        "## Family-wise error, independent items",
        "",
        "The share of tables in which two algorithms of equal accuracy differ "
        "significantly. Cochran's Q: the share of tables of equal algorithms in which "
        "it is significant. Alike: algorithms of equal accuracy share four fifths of "
        "the variance of their noise, so that few items tell them apart.",
        "",
        *table("truth", cases, truths=CASES),
        "## Error of one test, two algorithms on independent items",
        "",
        "The share of tables in which McNemar's test of two algorithms of equal "
        "accuracy is significant.",
        "",
        *table("truth", alone, truths=ALONE),
        "## Family-wise error, clusters of items",
        "",
        "Four algorithms with equal expected scores. Items of a cluster share an "
        "effect of each algorithm. Flips turn whole clusters: with 5 clusters there "
        "are 16 different ones, so that no p-value is below 0.0625.",
        "",
        *table("clusters", clusters, truths=CLUSTERS),
        "## Coverage of simultaneous 95% intervals, clusters of items",
        "",
        "The share of tables in which all intervals hold the true difference: six "
        "intervals, or three with a control. With 5 clusters the intervals of max-T "
        "are infinite.",
        "",
        *table(
            "clusters",
            {n: {k: 1 - v for k, v in r.items()} for n, r in intervals.items()},
            truths=CLUSTERS,
        ),
        "## Coverage of rank sets",
        "",
        "The share of tables whose sets hold all true ranks of all algorithms. "
        "Algorithms that are equal share their ranks, and their sets must hold all of "
        "them. A decision in the wrong direction is an error like any other.",
        "",
        *table("truth", covered),
        "Mean number of ranks in a set:",
        "",
        *table(
            "truth",
            {n: {k: one.length for k, one in r.items()} for n, r in ranked.items()},
            "{:.2f}",
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def page_of_intervals(
    wins: Mapping[str, float], ranks: Mapping[str, tuple[float, float]], runs: int
) -> str:
    """Return the sections about win probabilities and predicted ranks."""
    least = 1 - bound(runs)
    kept = sum(share >= least for share in wins.values())
    kept_ranks = sum(share >= least for share, _ in ranks.values())
    predicted = {
        name: {"coverage": share, "mean length": length}
        for name, (share, length) in ranks.items()
    }
    lines = [
        "## Coverage of simultaneous 95% intervals of win probabilities",
        "",
        f"The share of {runs} tables in which the intervals of all pairs hold the "
        f"probability that one algorithm is better, ties counted half. {kept} of "
        f"{len(wins)} coverages are at least {least:.4f}.",
        "",
        *table("truth", {name: {"superiority": share} for name, share in wins.items()}),
        "## Coverage of 95% prediction intervals of ranks",
        "",
        "The share of ranks on a new data set that are within the interval of their "
        f"algorithm, mean over algorithms and {runs} tables, and the mean length of an "
        f"interval. {kept_ranks} of {len(ranks)} coverages are at least {least:.4f}.",
        "",
        *table("truth", predicted),
    ]
    return "\n".join(lines).rstrip() + "\n"


def page_of_weights(wrong: Shares, covered: Shares, runs: int) -> str:
    """Return the sections about several benchmarks with weights."""
    within, promised = held(WEIGHTED, wrong, runs)
    least = 1 - bound(runs)
    kept = [
        share >= least
        for name, row in covered.items()
        for key, share in row.items()
        if _SMALL not in WEIGHTED[name].violates
    ]
    lines = [
        "## Family-wise error, weighted benchmarks",
        "",
        "The share of tables in which two algorithms with equal weighted means differ "
        "significantly. Four algorithms are equal, or two pairs among five. Weights of "
        "three benchmarks are 0.5, 0.3 and 0.2, the largest for the smallest one. "
        "Unequal on two: equal algorithms differ on two benchmarks, and the weights "
        "make up for it. Graded scores have another variance on each benchmark, and "
        "the last algorithm three times the noise. Clusters have 2 to 18 items. "
        f"**{within} of {promised} promised error rates are at most "
        f"{bound(runs):.4f}** ({runs} tables a row).",
        "",
        *table("benchmarks", wrong, truths=WEIGHTED),
        "## Coverage of simultaneous 95% intervals, weighted benchmarks",
        "",
        "The share of tables in which the intervals of all pairs hold the true "
        "differences of weighted means; of weighted means the share of intervals that "
        f"hold. Of the rows with large samples {sum(kept)} of {len(kept)} coverages "
        f"are at least {least:.4f}.",
        "",
        *table("benchmarks", covered, truths=WEIGHTED),
    ]
    return "\n".join(lines).rstrip() + "\n"


def of_case(name: str, truth: Truth, runs: int) -> dict[str, float]:
    """Return the shares of errors over independent items."""
    found = pair_errors(name, truth, OF_CASES, runs)
    shares = {key: one.rejected / runs for key, one in found.items()}
    if len(set(truth.means)) == 1:
        shares[COCHRAN] = cochran_errors(name, truth, runs) / runs
    return shares


def of_cluster(name: str, truth: Truth, runs: int) -> dict[str, dict[str, float]]:
    """Return the shares of errors, and of intervals that miss, of clusters."""
    found = pair_errors(name, truth, OF_CLUSTERS, runs)
    return {
        what: {key: getattr(one, what) / runs for key, one in found.items()}
        for what in ("rejected", "missed")
    }


def of_ranks(name: str, truth: Truth, runs: int) -> dict[str, dict[str, float]]:
    """Return the counts of rank sets."""
    found = rank_counts(name, truth, runs)
    return {key: asdict(one) for key, one in found.items()}


def tasks(runs: int, rank_runs: int) -> dict[tuple[str, str], Callable[[], Any]]:
    """Return what makes each row, by section and name."""
    return {
        **{("cases", n): partial(of_case, n, t, runs) for n, t in CASES.items()},
        **{("alone", n): partial(errors_alone, n, t, runs) for n, t in ALONE.items()},
        **{
            ("clusters", n): partial(of_cluster, n, t, runs)
            for n, t in CLUSTERS.items()
        },
        **{
            ("ranked", n): partial(of_ranks, n, t, rank_runs) for n, t in RANKED.items()
        },
        **{("wins", n): partial(win_coverage, n, *r, runs) for n, r in WINS.items()},
        **{
            ("predicted", n): partial(predicted_ranks, n, t, runs)
            for n, t in PREDICTED.items()
        },
        **{
            ("weighted", n): partial(weighted_shares, n, t, runs)
            for n, t in WEIGHTED.items()
        },
    }


def run(folder: Path, runs: int, rank_runs: int) -> dict[str, dict[str, Any]]:
    """Run the rows that are not in the folder; return all rows by section."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rows_{runs}_{rank_runs}.jsonl"
    todo = tasks(runs, rank_runs)
    done = {(line["section"], line["row"]): line["found"] for line in read_lines(path)}
    told = Progress(len(todo), "rows", on_stderr("cases"))
    told.resumed(len(done.keys() & todo.keys()))
    found: dict[str, dict[str, Any]] = {}
    for (section, name), make in todo.items():
        if (section, name) not in done:
            done[section, name] = make()
            line = {"section": section, "row": name, "found": done[section, name]}
            append_line(path, line)
            told.step()
        found.setdefault(section, {})[name] = done[section, name]
    return found


def whole_page(found: Mapping[str, Mapping[str, Any]], runs: int, ranked: int) -> str:
    """Return the page of all rows."""
    clusters = found["clusters"].items()
    counts = {
        name: {key: RankCount(**one) for key, one in row.items()}
        for name, row in found["ranked"].items()
    }
    first = page(
        found["cases"],
        found["alone"],
        {name: row["rejected"] for name, row in clusters},
        {name: row["missed"] for name, row in clusters},
        counts,
        runs,
        ranked,
    )
    weighted = found["weighted"].items()
    parts = [
        first,
        page_of_intervals(found["wins"], found["predicted"], runs),
        page_of_weights(
            {name: wrong for name, (wrong, _) in weighted},
            {name: covered for name, (_, covered) in weighted},
            runs,
        ),
    ]
    return "\n".join(parts)


def main() -> None:
    """Run all rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--rank-runs", type=int, default=RANK_RUNS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--folder", type=Path, default=Path("study") / "cases")
    chosen = parser.parse_args()
    found = run(chosen.folder, chosen.runs, chosen.rank_runs)
    text = whole_page(found, chosen.runs, chosen.rank_runs)
    chosen.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
