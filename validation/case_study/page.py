"""The page of the study: tables of error rates and coverages, and what holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pycompare.results.guarantees import guarantee

from ..markdown import table
from .areas import AREAS, Areas
from .counts import ALPHA, RankCount
from .truths import ALONE, CASES, CLUSTERS, Truth
from .weighted import SMALL, WEIGHTED

PAGE = Path(__file__).parents[1] / "CASES.md"

Shares = Mapping[str, Mapping[str, float]]
Ranked = Mapping[str, Mapping[str, RankCount]]


def bound(runs: int) -> float:
    """Return alpha with three Monte Carlo standard errors."""
    return ALPHA + 3 * standard_error(runs)


def standard_error(runs: int) -> float:
    """Return the Monte Carlo standard error of a share that is alpha."""
    return math.sqrt(ALPHA * (1 - ALPHA) / runs)


def by_truth(
    what: str,
    rows: Shares,
    form: str = "{:.4f}",
    truths: Mapping[str, Truth | Areas] | None = None,
) -> list[str]:
    """Return a table, one row a truth, one column a method.

    With ``truths`` the second column has the conditions that do not hold.
    """
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    head = [what, *(["violates"] if truths else []), *names]
    lines = [head]
    for name, row in rows.items():
        broken = [", ".join(truths[name].violates)] if truths else []
        cells = [form.format(row[key]) if key in row else "" for key in names]
        lines.append([name, *broken, *cells])
    return [*table(lines), ""]


def held(
    truths: Mapping[str, Truth | Areas], rows: Shares, runs: int
) -> tuple[int, int]:
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
        *by_truth("truth", cases, truths=CASES),
        "## Error of one test, two algorithms on independent items",
        "",
        "The share of tables in which McNemar's test of two algorithms of equal "
        "accuracy is significant.",
        "",
        *by_truth("truth", alone, truths=ALONE),
        "## Family-wise error, clusters of items",
        "",
        "Four algorithms with equal expected scores. Items of a cluster share an "
        "effect of each algorithm. Flips turn whole clusters: with 5 clusters there "
        "are 16 different ones, so that no p-value is below 0.0625.",
        "",
        *by_truth("clusters", clusters, truths=CLUSTERS),
        "## Coverage of simultaneous 95% intervals, clusters of items",
        "",
        "The share of tables in which all intervals hold the true difference: six "
        "intervals, or three with a control. With 5 clusters the intervals of max-T "
        "are infinite.",
        "",
        *by_truth(
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
        *by_truth("truth", covered),
        "Mean number of ranks in a set:",
        "",
        *by_truth(
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
        *by_truth(
            "truth", {name: {"superiority": share} for name, share in wins.items()}
        ),
        "## Coverage of 95% prediction intervals of ranks",
        "",
        "The share of ranks on a new data set that are within the interval of their "
        f"algorithm, mean over algorithms and {runs} tables, and the mean length of an "
        f"interval. {kept_ranks} of {len(ranks)} coverages are at least {least:.4f}.",
        "",
        *by_truth("truth", predicted),
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
        if SMALL not in WEIGHTED[name].violates
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
        *by_truth("benchmarks", wrong, truths=WEIGHTED),
        "## Coverage of simultaneous 95% intervals, weighted benchmarks",
        "",
        "The share of tables in which the intervals of all pairs hold the true "
        "differences of weighted means; of weighted means the share of intervals that "
        f"hold. Of the rows with large samples {sum(kept)} of {len(kept)} coverages "
        f"are at least {least:.4f}.",
        "",
        *by_truth("benchmarks", covered, truths=WEIGHTED),
    ]
    return "\n".join(lines).rstrip() + "\n"


def page_of_areas(rows: Mapping[str, Mapping[str, Any]], runs: int) -> str:
    """Return the section about AUCs of cases in clusters."""
    wrong = {name: row["wrong"] for name, row in rows.items()}
    within, promised = held(AREAS, wrong, runs)
    lines = [
        "## Family-wise error, AUCs over clusters of cases",
        "",
        "The share of data in which two classifiers of equal AUC differ significantly "
        "by DeLong's test over clusters. Cases of a cluster share one effect, and one "
        "of each classifier. A cluster has cases of both classes, or of one: four in "
        "ten clusters are positive. In large samples more than 50 clusters have cases "
        f"of each class. **{within} of {promised} promised error rates are at most "
        f"{bound(runs):.4f}** ({runs} data sets a row).",
        "",
        *by_truth("clusters of cases", wrong, truths=AREAS),
        "The share of data in which the 95% interval of the first difference holds the "
        "true one, 0:",
        "",
        *by_truth(
            "clusters of cases",
            {name: {"coverage": row["covered"]} for name, row in rows.items()},
            truths=AREAS,
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


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
        page_of_areas(found["areas"], runs),
    ]
    return "\n".join(parts)
