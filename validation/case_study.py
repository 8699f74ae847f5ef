"""Level and coverage of tests over cases (items), in clusters or alone, and rank sets.

``python -m validation.case_study [--runs N]`` writes ``CASES.md``. Chunks of runs are
seeded by the name of their row, so that a row can be run alone. Every row calls the
public functions.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pycompare as pc
from pycompare.metric import Metric
from pycompare.results import PairsResult
from pycompare.typing import Floats, Ints

PAGE = Path(__file__).parent / "CASES.md"
RUNS = 1000
ALPHA = 0.05
FLIPS = 399
Generator = np.random.Generator
METRIC = (Metric("accuracy", "higher"),)


def scores_of(x: Floats, owner: Ints | None = None) -> pc.Scores:
    """Return a table of cases; ``owner`` is the cluster of each."""
    return pc.Scores(
        values=x[:, :, None],
        blocks=tuple(map(str, range(len(x)))),
        algorithms=tuple("ABCDEFGH"[: x.shape[1]]),
        metrics=METRIC,
        clusters=None if owner is None else tuple(map(str, owner.tolist())),
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
    """

    means: tuple[float, ...]
    draw: Callable[[Generator], pc.Scores]


# ---- truths -------------------------------------------------------------------------


def answers(abilities: tuple[float, ...], n: int, spread: float = 1.0) -> Truth:
    """Draw right and wrong answers to n items of random difficulty.

    ``spread``: noise of the last algorithm; with the ability 0 its accuracy is that of
    the others, though its answers agree with theirs less often.
    """
    noise = np.ones(len(abilities))
    noise[-1] = spread

    def draw(rng: Generator) -> pc.Scores:
        level = rng.normal(size=(n, 1)) + np.array(abilities)
        right = level + noise * rng.normal(size=(n, len(abilities))) > 0
        return scores_of(right.astype(float))

    return Truth(abilities, draw)


def graded(means: tuple[float, ...], n: int, *, skewed: bool = False) -> Truth:
    """Draw graded scores of n items."""

    def draw(rng: Generator) -> pc.Scores:
        size = (n, len(means))
        noise = rng.exponential(size=size) if skewed else rng.normal(size=size)
        return scores_of(rng.normal(size=(n, 1)) + noise + np.array(means))

    return Truth(means, draw)


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

    return Truth(means, draw)


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
    "cases/mcnemar-chi2-corrected/bergmann-hommel": mcnemar(
        "chi2-corrected", "bergmann-hommel"
    ),
    "scores/max-t": flips,
}
OF_CLUSTERS: Mapping[str, Method] = {
    "cases/cluster-t/bergmann-hommel": of_clusters("bergmann-hommel"),
    "cases/cluster-t/holm/control": of_clusters("holm", "A"),
    "scores/max-t": flips,
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


def equal_pairs(found: PairsResult, means: tuple[float, ...]) -> Floats:
    """Return which pairs of a table are equal in truth."""
    at = {name: means[i] for i, name in enumerate("ABCDEFGH"[: len(means)])}
    one, two = found.table["algorithm_1"], found.table["algorithm_2"]
    return np.array([at[i] == at[j] for i, j in zip(one, two, strict=True)])


def errors(
    name: str, truth: Truth, methods: Mapping[str, Method], runs: int
) -> dict[str, int]:
    """Count tables in which an equal pair is rejected."""
    counts = dict.fromkeys(methods, 0)
    for scores in drawn(name, truth, runs):
        for key, method in methods.items():
            found = method(scores)
            equal = equal_pairs(found, truth.means)
            rejected = found.rejected(ALPHA).to_numpy()
            counts[key] += bool((rejected & equal).any())
    return counts


def missed_intervals(name: str, truth: Truth, runs: int) -> dict[str, int]:
    """Count tables in which an interval of an equal pair does not hold 0."""
    methods = {
        "cluster-robust t": of_clusters("bonferroni"),
        "max-T of clusters": flips,
    }
    counts = dict.fromkeys(methods, 0)
    for scores in drawn(f"{name}, intervals", truth, runs):
        for key, method in methods.items():
            table = method(scores).table
            outside = (table["conf_low"] > 0) | (table["conf_high"] < 0)
            counts[key] += bool(outside.any())
    return counts


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


# ---- page ---------------------------------------------------------------------------


def bound(runs: int) -> float:
    """Return alpha with three Monte Carlo standard errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def table(
    what: str, rows: Mapping[str, Mapping[str, float]], form: str = "{:.4f}"
) -> list[str]:
    """Return a table, one row a truth, one column a method."""
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    lines = [f"| {what} | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for name, row in rows.items():
        cells = [form.format(row[key]) if key in row else "" for key in names]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def page(
    cases: Mapping[str, Mapping[str, int]],
    clusters: Mapping[str, Mapping[str, int]],
    intervals: Mapping[str, Mapping[str, int]],
    ranked: Mapping[str, Mapping[str, RankCount]],
    runs: int,
) -> str:
    """Return the page."""

    def shares(rows: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, float]]:
        return {n: {k: v / runs for k, v in row.items()} for n, row in rows.items()}

    covered = {
        n: {k: one.covered / runs for k, one in row.items()}
        for n, row in ranked.items()
    }
    lengths = {
        n: {k: one.length for k, one in row.items()} for n, row in ranked.items()
    }
    lines = [
        "# Level and coverage of tests over cases",
        "",
        f"Written by `python -m validation.case_study --runs {runs}`. Nominal level "
        f"{ALPHA:g}; with {runs} runs a row is within three Monte Carlo standard "
        f"errors if it is at most {bound(runs):.4f}. Columns are keys of the ledger of "
        "guarantees.",
        "",
        "## Family-wise error, independent items",
        "",
        "The share of tables in which two algorithms of equal accuracy differ "
        "significantly.",
        "",
        *table("truth", shares(cases)),
        "## Family-wise error, clusters of items",
        "",
        "Four algorithms with equal expected scores; items of a cluster share an "
        "effect of each algorithm. Flips turn whole clusters: with 5 clusters there "
        "are 16 of them, so that no p-value is below 0.0625.",
        "",
        *table("clusters", shares(clusters)),
        "## Coverage of simultaneous 95% intervals, clusters of items",
        "",
        "The share of tables in which all six intervals hold the true difference. With "
        "5 clusters the intervals of max-T are infinite.",
        "",
        *table(
            "clusters",
            {n: {k: 1 - v / runs for k, v in r.items()} for n, r in intervals.items()},
        ),
        "## Coverage of rank sets",
        "",
        f"The share of tables whose sets hold all true ranks of all algorithms, wanted "
        f"at least {1 - bound(runs):.4f}. Algorithms that are equal share their ranks, "
        "and their sets must hold all of them. A decision in the wrong direction is an "
        "error like any other.",
        "",
        *table("truth", covered),
        "Mean number of ranks in a set:",
        "",
        *table("truth", lengths, "{:.2f}"),
    ]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Run all rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    runs = chosen.runs
    cases = {n: errors(n, t, OF_CASES, runs) for n, t in CASES.items()}
    clusters = {n: errors(n, t, OF_CLUSTERS, runs) for n, t in CLUSTERS.items()}
    intervals = {n: missed_intervals(n, t, runs) for n, t in CLUSTERS.items()}
    ranked = {n: rank_counts(n, t, runs) for n, t in RANKED.items()}
    text = page(cases, clusters, intervals, ranked, runs)
    chosen.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
