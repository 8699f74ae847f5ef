"""P-values of all public tests where their null hypotheses hold; coverage of intervals.

``python -m validation.calibration [--folder DIR]`` writes ``CALIBRATION.md``. Every row
calls the public function. The name of a row and the number of a chunk are its seed. A
finished chunk is a line in the folder, so that an interrupted run goes on where it
stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.curves.interval import IntervalMethod
from pycompare.metric import Metric
from pycompare.parallel.progress import Progress, on_stderr
from pycompare.results import Pairs

from .chunk_lines import append_line, read_lines
from .simulations import table

HERE = Path(__file__).parent
STORED, PAGE = HERE / "calibration.json", HERE / "CALIBRATION.md"
TRIALS, CHUNK, ALPHA, LEVEL = {"tests": 10_000, "intervals": 4000}, 500, 0.05, 0.95
ADJUSTED = "smallest adjusted"
Generator = np.random.Generator
Draw = Callable[[Generator], Any]


@dataclass(frozen=True)
class Row:
    """A test or an interval on one truth.

    Attributes
    ----------
    draw : callable
        Makes data in which the null hypothesis holds, or the truth of an interval is 0.
    ask : callable
        Returns p-values by what they test, or whether intervals hold the truth.
    kind : str
        ``uniform``: the p-value is uniform. ``exact``: no p-value may be too small more
        often than it says, and no interval may hold the truth less often than it says.
        ``approximate``: that holds for large samples; the page shows how far off it is
        with this one.
    design : str
        The size of the data.
    """

    draw: Draw
    ask: Callable[[Any], Mapping[str, float]]
    design: str
    kind: str = "exact"


READERS = pc.RoeMetz(
    separation=(1.5, 1.5),
    reader=0.0055,
    modality_reader=0.0055,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
"""Structure HH of Roe and Metz (1997), two modalities alike."""

WEIGHTS = {"0": 0.5, "1": 0.3, "2": 0.2}
"""Of three benchmarks."""

# ---- data ---------------------------------------------------------------------------


def scores_of(x: np.ndarray, **more: Any) -> pc.Scores:
    """Return scores of an array, blocks x algorithms x metrics."""
    n, a, m = x.shape
    return pc.Scores(
        values=x,
        blocks=tuple(map(str, range(n))),
        algorithms=tuple("ABCDEF"[:a]),
        metrics=tuple(Metric(f"m{k}", "higher") for k in range(m)),
        **more,
    )


def blocks(n: int, a: int, metrics: int = 1) -> Draw:
    """Draw normal scores that share an effect of the block."""
    return lambda rng: scores_of(
        rng.normal(size=(n, 1, metrics)) + rng.normal(size=(n, a, metrics))
    )


def answers(n: int, a: int, cluster: int = 0, benchmarks: int = 0) -> Draw:
    """Draw right and wrong answers to items; ``cluster``: items of a cluster.

    ``benchmarks``: in how many groups of equal size the items are.
    """

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, a, 1))
        owner = np.arange(n) // (cluster or 1)
        if cluster:
            x = x + 0.7 * rng.normal(size=(n // cluster, a, 1))[owner]
        clusters = tuple(map(str, owner.tolist())) if cluster else None
        part = np.arange(n) * benchmarks // n
        groups = tuple(map(str, part.tolist())) if benchmarks else None
        return scores_of((x > 0).astype(float), clusters=clusters, groups=groups)

    return draw


def replicated(n: int, a: int, times: int, sizes: tuple[int, ...] = ()) -> Draw:
    """Draw several scores a cell; ``sizes``: of the clusters of blocks."""
    owner = tuple(map(str, np.repeat(np.arange(len(sizes)), sizes).tolist()))

    def draw(rng: Generator) -> pc.Scores:
        base = rng.normal(size=(n, 1, 1, 1)) + rng.normal(size=(n, a, 1, times))
        names = tuple(f"r{k}" for k in range(times))
        more = {"clusters": owner} if sizes else {}
        return scores_of(base.mean(axis=-1), runs=base, replicates=names, **more)

    return draw


def of_datasets(sets: int, n: int, a: int) -> Draw:
    """Draw several blocks a data set."""

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(sets * n, 1, 1)) + rng.normal(size=(sets * n, a, 1))
        owner = tuple(f"d{i // n}" for i in range(sets * n))
        return scores_of(x, datasets=owner)

    return draw


def ratings(n: int, curves: int) -> Draw:
    """Draw binormal scores of n positive and n negative cases, alike for all curves."""
    label = np.repeat([1, 0], n)

    def draw(rng: Generator) -> tuple[np.ndarray, pd.DataFrame]:
        common = rng.normal(size=(2 * n, 1)) + label[:, None]
        x = common + rng.normal(size=(2 * n, curves))
        return label, pd.DataFrame(x, columns=list("ABCDEF"[:curves]))

    return draw


def readers(n: int) -> Draw:
    """Draw ratings of two modalities by five readers in Roe and Metz's model."""

    def draw(rng: Generator) -> pc.Ratings:
        return READERS.draw(n_readers=5, n_positive=n, n_negative=n, seed=seed_of(rng))

    return draw


def rated(n: int) -> Draw:
    """Draw right and wrong answers of two modalities, read by five readers."""

    def draw(rng: Generator) -> pc.Ratings:
        x = rng.normal(size=(1, 1, n)) + 0.5 * rng.normal(size=(1, 5, 1))
        right = x + rng.normal(size=(2, 5, n)) > 0
        at = np.array(list(np.ndindex(right.shape)))
        frame = pd.DataFrame(at.astype(str), columns=["modality", "reader", "case"])
        return pc.Ratings.from_frame(
            frame.assign(rating=right.ravel().astype(float)),
            modality="modality",
            reader="reader",
            case="case",
            rating="rating",
        )

    return draw


def seed_of(rng: Generator) -> int:
    """Draw a seed."""
    return int(rng.integers(2**31 - 1))


# ---- what is asked ------------------------------------------------------------------


def of_test(call: Callable[..., Any], **options: Any) -> Callable[[Any], dict]:
    """Return the p-value of one test."""
    return lambda data: {"p-value": float(call(data, **options).p_value)}


def of_two(call: Callable[..., Any], **options: Any) -> Callable[[Any], dict]:
    """Return the p-value of a test of two algorithms."""
    return of_test(call, algorithms=("A", "B"), **options)


def of_pairs(call: Callable[..., Any], **options: Any) -> Callable[[Any], dict]:
    """Return the p-value of the first pair, and the smallest adjusted one of all."""

    def ask(data: Any) -> dict[str, float]:
        found: Pairs = call(data, **options)
        return {
            "first pair": float(found.table["p_value"].iloc[0]),
            ADJUSTED: float(found.table["p_adjusted"].min()),
        }

    return ask


def of_curves(call: Callable[..., Any], **options: Any) -> Callable[[Any], dict]:
    """Return p-values of tests of curves."""
    return of_pairs(lambda data: call(*data, positive=1, **options))


def of_two_curves(call: Callable[..., Any], **options: Any) -> Callable[[Any], dict]:
    """Return the p-value of a test of two curves."""
    return of_test(lambda data: call(*data, positive=1, **options))


def all_hold(call: Callable[..., Any], truth: float = 0.0) -> Callable[[Any], dict]:
    """Tell whether all intervals of a table hold the truth at once."""
    return lambda data: {"interval": float(held(call(data), truth).all())}


def first_holds(call: Callable[..., Any], truth: float) -> Callable[[Any], dict]:
    """Tell whether the interval in the first row holds the truth."""
    return lambda data: {"interval": float(held(call(data), truth).iloc[0])}


def held(found: Any, truth: float) -> pd.Series:
    """Tell which intervals of a result hold the truth."""
    table = found.to_frame()
    return (table["conf_low"] <= truth) & (table["conf_high"] >= truth)


def of_first_two(call: Callable[..., Any], scores: pc.Scores) -> Any:
    """Return a test of the first two algorithms."""
    return call(scores, algorithms=("A", "B"))


def holds_auc(method: IntervalMethod) -> Callable[[Any], dict]:
    """Tell whether an interval of one AUC holds it: Phi(1 / 2) for ``ratings``."""

    def ask(data: Any) -> dict[str, float]:
        label, x = data
        found = pc.auc_interval(label, x["A"], positive=1, method=method)
        truth = stats.norm.cdf(0.5)
        return {"interval": float(found.conf_low <= truth <= found.conf_high)}

    return ask


def won(sets: int, a: int) -> Draw:
    """Draw how often each algorithm is before each other in random orders."""

    def draw(rng: Generator) -> np.ndarray:
        places = rng.permuted(np.tile(np.arange(a), (sets, 1)), axis=1)
        return np.sum(places[:, :, None] < places[:, None, :], axis=0)

    return draw


def unpaired(data: Any) -> Any:
    """Compare two independent halves of the cases by their AUCs."""
    label, x = data
    half = np.arange(len(label)) % 2 == 0
    one, two = x["A"].to_numpy(), x["B"].to_numpy()
    return pc.delong_unpaired(
        label[half], one[half], label[~half], two[~half], positive=1
    )


def five_by_two(rng: Generator) -> np.ndarray:
    """Draw differences of five repeats of two folds."""
    return rng.normal(size=(5, 2))


NORMAL, SMALL = blocks(12, 4), blocks(12, 3)
TESTS: Mapping[str, Row] = {
    "friedman": Row(blocks(30, 4), of_test(pc.friedman), "30 x 4", "approximate"),
    "friedman, exact": Row(SMALL, of_test(pc.friedman, p_value="exact"), "12 x 3"),
    "skillings_mack": Row(
        blocks(30, 4), of_test(pc.skillings_mack), "30 x 4", "approximate"
    ),
    "mack_skillings": Row(
        replicated(12, 3, 3), of_test(pc.mack_skillings), "12 x 3 x 3", "approximate"
    ),
    "aligned_ranks": Row(
        blocks(30, 4), of_test(pc.aligned_ranks), "30 x 4", "approximate"
    ),
    "quade": Row(blocks(30, 4), of_test(pc.quade), "30 x 4", "approximate"),
    "cochran_q": Row(answers(100, 4), of_test(pc.cochran_q), "100 x 4", "approximate"),
    "anova": Row(NORMAL, of_test(pc.anova), "12 x 4", "uniform"),
    "replicated_anova": Row(
        replicated(8, 3, 3), of_test(pc.replicated_anova), "8 x 3 x 3", "uniform"
    ),
    "clustered_runs": Row(
        replicated(15, 3, 2, (1, 2, 5, 7)),
        of_test(pc.clustered_runs),
        "(1 + 2 + 5 + 7) x 3 x 2",
        "uniform",
    ),
    "dataset_interaction": Row(
        of_datasets(5, 5, 3),
        of_test(pc.dataset_interaction),
        "5 data sets x 5 x 3",
        "uniform",
    ),
    "manova": Row(blocks(15, 3, 2), of_test(pc.manova), "15 x 3, 2 metrics", "uniform"),
    "permutation_manova": Row(
        blocks(8, 3, 2),
        lambda data: {
            "p-value": pc.permutation_manova(data, permutations=199, seed=1).p_value
        },
        "8 x 3, 2 metrics, 199 permutations",
    ),
    "hotelling": Row(
        blocks(12, 2, 2), of_two(pc.hotelling), "12 x 2, 2 metrics", "uniform"
    ),
    "hotelling, two samples": Row(
        lambda rng: scores_of(rng.normal(size=(12, 2, 2))),
        of_two(pc.hotelling, method="two-sample"),
        "12 x 2, 2 metrics",
        "uniform",
    ),
    "hotelling_one_sample": Row(
        lambda rng: scores_of(rng.normal(size=(12, 2, 2))),
        of_test(pc.hotelling_one_sample, algorithm="A", means={"m0": 0.0, "m1": 0.0}),
        "12, 2 metrics",
        "uniform",
    ),
    "paired_t": Row(NORMAL, of_two(pc.paired_t), "12 x 2", "uniform"),
    "wilcoxon": Row(NORMAL, of_two(pc.wilcoxon), "12 x 2"),
    "sign_test": Row(NORMAL, of_two(pc.sign_test), "12 x 2"),
    "mcnemar": Row(answers(100, 2), of_two(pc.mcnemar), "100 x 2"),
    "mcnemar, mid-p": Row(
        answers(100, 2), of_two(pc.mcnemar, p_value="mid-p"), "100 x 2", "approximate"
    ),
    "equivalence": Row(
        lambda rng: scores_of(
            rng.normal(size=(12, 2, 1)) + np.array([0.5, 0.0])[None, :, None]
        ),
        of_two(pc.equivalence, margin=0.5, kind="equivalence"),
        "12 x 2, truth at the margin",
    ),
    "five_by_two_cv": Row(
        five_by_two, of_test(pc.five_by_two_cv), "5 x 2, independent", "approximate"
    ),
    "auc_exchange": Row(
        ratings(30, 2),
        of_two_curves(pc.auc_exchange, seed=1, resamples=199),
        "30 + 30 cases, 199 exchanges",
    ),
    "hanley_mcneil": Row(
        ratings(60, 2), of_two_curves(pc.hanley_mcneil), "60 + 60 cases", "approximate"
    ),
    "delong_unpaired": Row(
        ratings(60, 2), of_test(unpaired), "2 x (30 + 30) cases", "approximate"
    ),
    "nemenyi": Row(blocks(30, 4), of_pairs(pc.nemenyi), "30 x 4", "approximate"),
    "rank_pairs": Row(blocks(30, 4), of_pairs(pc.rank_pairs), "30 x 4", "approximate"),
    "rank_pairs, sign flips": Row(
        NORMAL, of_pairs(pc.rank_pairs, p_value="sign-flips"), "12 x 4"
    ),
    "closed_permutation": Row(
        blocks(5, 3), of_pairs(pc.closed_permutation), "5 x 3, all permutations"
    ),
    "closed_permutation, control": Row(
        blocks(5, 3),
        of_pairs(pc.closed_permutation, control="B"),
        "5 x 3, all permutations",
    ),
    "max_t": Row(blocks(10, 4), of_pairs(pc.max_t), "10 x 4, all flips"),
    "max_t, control": Row(
        blocks(10, 4), of_pairs(pc.max_t, control="B"), "10 x 4, all flips"
    ),
    "paired_t_pairs": Row(NORMAL, of_pairs(pc.paired_t_pairs), "12 x 4", "uniform"),
    "corrected_pairs": Row(
        NORMAL, of_pairs(pc.corrected_pairs, n_train=90, n_test=10), "12 x 4"
    ),
    "mcnemar_pairs": Row(answers(60, 3), of_pairs(pc.mcnemar_pairs), "60 x 3"),
    "cluster_pairs": Row(
        answers(120, 3, 6), of_pairs(pc.cluster_pairs), "20 clusters x 6", "approximate"
    ),
    "weighted_pairs": Row(
        answers(150, 3, benchmarks=3),
        of_pairs(pc.weighted_pairs, weights=WEIGHTS),
        "3 benchmarks x 50",
        "approximate",
    ),
    "hotelling_pairs": Row(
        blocks(12, 3, 2), of_pairs(pc.hotelling_pairs), "12 x 3, 2 metrics", "uniform"
    ),
    "pairwise_t": Row(NORMAL, of_pairs(pc.pairwise_t), "12 x 4", "uniform"),
    "tukey": Row(NORMAL, of_pairs(pc.tukey), "12 x 4", "uniform"),
    "scheffe": Row(NORMAL, of_pairs(pc.scheffe), "12 x 4", "uniform"),
    "dunnett": Row(NORMAL, of_pairs(pc.dunnett, control="B"), "12 x 4", "uniform"),
    "dunnett, step-down": Row(
        NORMAL, of_pairs(pc.dunnett, control="B", step_down=True), "12 x 4", "uniform"
    ),
    "delong": Row(ratings(60, 3), of_curves(pc.delong), "60 + 60", "approximate"),
    "auc_pr_pairs": Row(
        ratings(60, 2),
        of_curves(pc.auc_pr_pairs, resamples=199),
        "60 + 60",
        "approximate",
    ),
    "partial_auc_pairs": Row(
        ratings(60, 2),
        of_curves(pc.partial_auc_pairs, low=0.0, high=0.5, resamples=199),
        "60 + 60",
        "approximate",
    ),
    "mrmc": Row(readers(50), of_pairs(pc.mrmc), "5 x (50 + 50)", "approximate"),
    "glmm": Row(rated(60), of_pairs(pc.glmm), "5 x 60", "approximate"),
    "sign_grid": Row(won(20, 3), of_pairs(pc.sign_grid, n_datasets=20), "20 x 3"),
}

INTERVALS: Mapping[str, Row] = {
    "paired_t": Row(NORMAL, all_hold(lambda s: of_first_two(pc.paired_t, s)), "12 x 2"),
    "hodges_lehmann": Row(SMALL, first_holds(pc.hodges_lehmann, 0.0), "12 x 2"),
    "superiority": Row(
        blocks(30, 3), first_holds(pc.superiority, 0.5), "30 x 2", "approximate"
    ),
    "tukey, all at once": Row(NORMAL, all_hold(pc.tukey), "12 x 4"),
    "scheffe, all at once": Row(NORMAL, all_hold(pc.scheffe), "12 x 4"),
    "pairwise_t, all at once": Row(NORMAL, all_hold(pc.pairwise_t), "12 x 4"),
    "dunnett, all at once": Row(
        NORMAL, all_hold(lambda s: pc.dunnett(s, control="B")), "12 x 4"
    ),
    "paired_t_pairs, all at once": Row(NORMAL, all_hold(pc.paired_t_pairs), "12 x 4"),
    "corrected_pairs, all at once": Row(
        NORMAL,
        all_hold(lambda s: pc.corrected_pairs(s, n_train=90, n_test=10)),
        "12 x 4",
    ),
    "max_t, all at once": Row(blocks(10, 4), all_hold(pc.max_t), "10 x 4, all flips"),
    "mcnemar_pairs, all at once": Row(
        answers(100, 3), all_hold(pc.mcnemar_pairs), "100 x 3", "approximate"
    ),
    "cluster_pairs, all at once": Row(
        answers(120, 3, 6), all_hold(pc.cluster_pairs), "20 clusters x 6", "approximate"
    ),
    "weighted_pairs, all at once": Row(
        answers(150, 3, benchmarks=3),
        all_hold(partial(pc.weighted_pairs, weights=WEIGHTS)),
        "3 benchmarks x 50",
        "approximate",
    ),
    "accuracy_intervals, Wilson": Row(
        answers(60, 2), first_holds(pc.accuracy_intervals, 0.5), "60", "approximate"
    ),
    "accuracy_intervals, Jeffreys": Row(
        answers(60, 2),
        first_holds(lambda s: pc.accuracy_intervals(s, method="jeffreys"), 0.5),
        "60",
        "approximate",
    ),
    "delong, all at once": Row(
        ratings(60, 3),
        all_hold(lambda data: pc.delong(*data, positive=1)),
        "60 + 60",
        "approximate",
    ),
    **{
        f"auc_interval, {method}": Row(
            ratings(60, 1), holds_auc(method), "60 + 60", "approximate"
        )
        for method in ("delong", "delong-logit", "hanley-mcneil")
    },
    "mrmc": Row(readers(50), all_hold(pc.mrmc), "5 x (50 + 50)", "approximate"),
    "single_modality": Row(
        readers(50),
        first_holds(
            lambda data: pc.single_modality(data, modality="M1"), READERS.auc[0]
        ),
        "5 x (50 + 50)",
        "approximate",
    ),
    "glmm": Row(rated(60), all_hold(pc.glmm), "5 x 60", "approximate"),
}
FEWER = {"glmm": 500}
"""Trials of rows that take long."""

# ---- runs ---------------------------------------------------------------------------

GROUPS = {"tests": TESTS, "intervals": INTERVALS}


def chunk(group: str, name: str, number: int, trials: int) -> dict[str, list[float]]:
    """Return what one chunk of a row found, by quantity."""
    row = GROUPS[group][name]
    rng = np.random.default_rng([zlib.crc32(f"{group} {name}".encode()), number])
    found: dict[str, list[float]] = {}
    for _ in range(trials):
        with warnings.catch_warnings(action="ignore"):
            answer = row.ask(row.draw(rng))
        for what, value in answer.items():
            found.setdefault(what, []).append(value)
    return found


def kind_of(row: Row, what: str) -> str:
    """Return the kind of a quantity; adjusted p-values may be larger than uniform."""
    return "exact" if (row.kind, what) == ("uniform", ADJUSTED) else row.kind


def trials_of(group: str, name: str) -> int:
    """Return the number of trials of a row."""
    return FEWER.get(name, TRIALS[group])


def run(folder: Path) -> dict[str, Any]:
    """Run the chunks that are not done, and return the summary of each row."""
    folder.mkdir(parents=True, exist_ok=True)
    summary: dict[str, Any] = {group: {} for group in GROUPS}
    todo = [(group, name) for group, rows in GROUPS.items() for name in rows]
    total = sum(math.ceil(trials_of(*row) / CHUNK) for row in todo)
    told = Progress(total, "chunks", on_stderr("calibration"))
    told.resumed(sum(len(read_lines(file_of(folder, *row))) for row in todo))
    for group, name in todo:
        found = of_row(folder, group, name, trials_of(group, name), told)
        row = GROUPS[group][name]
        make = p_summary if group == "tests" else coverage
        for what, values in found.items():
            key = name if len(found) == 1 else f"{name}: {what}"
            about = {"design": row.design, "kind": kind_of(row, what)}
            summary[group][key] = about | make(np.array(values))
    return summary


def file_of(folder: Path, group: str, name: str) -> Path:
    """Return the file of a row's chunks."""
    return folder / f"{group} {name}.jsonl"


def of_row(
    folder: Path, group: str, name: str, trials: int, told: Progress
) -> dict[str, list[float]]:
    """Return all trials of a row; run the chunks that its file lacks."""
    path = file_of(folder, group, name)
    done = {line["chunk"]: line["found"] for line in read_lines(path)}
    for number in range(math.ceil(trials / CHUNK)):
        if number not in done:
            done[number] = chunk(group, name, number, min(CHUNK, trials))
            append_line(path, {"chunk": number, "found": done[number]})
            told.step()
    found: dict[str, list[float]] = {}
    for number in range(math.ceil(trials / CHUNK)):
        for what, values in done[number].items():
            found.setdefault(what, []).extend(values)
    return found


def p_summary(p: np.ndarray) -> dict[str, Any]:
    """Return how p-values are distributed; NaN counts as 1.

    ``excess``: the largest F(u) - u of their distribution function F, one-sided
    Kolmogorov-Smirnov; ``distance``: the largest of both sides.
    """
    p = np.sort(np.where(np.isnan(p), 1.0, p))
    n = len(p)
    above = float(np.max(np.arange(1, n + 1) / n - p))
    below = float(np.max(p - np.arange(n) / n))
    shares = {f"share {u:g}": float(np.mean(p <= u)) for u in (0.01, ALPHA, 0.1)}
    excess = max(0.0, above)
    return {"trials": n, "excess": excess, "distance": max(above, below), **shares}


def coverage(held: np.ndarray) -> dict[str, Any]:
    """Return how often an interval holds the truth."""
    return {"trials": len(held), "coverage": float(np.mean(held))}


# ---- page ---------------------------------------------------------------------------


def limits(rows: Mapping[str, Any]) -> dict[str, float]:
    """Return the largest excess or distance, or the least coverage, of each row.

    Bonferroni over all rows that are judged, at 0.05 together.
    """
    judged = [name for name in rows if rows[name]["kind"] != "approximate"]
    tail = ALPHA / len(judged)
    found = {}
    for name in judged:
        n, kind = rows[name]["trials"], rows[name]["kind"]
        if "coverage" in rows[name]:
            found[name] = float(stats.binom.ppf(tail, n, LEVEL)) / n
        elif kind == "uniform":
            found[name] = float(stats.kstwo.isf(tail, n))
        else:
            found[name] = float(stats.ksone.isf(tail, n))
    return found


def holds(row: Mapping[str, Any], limit: float) -> bool:
    """Tell whether a row is within its limit."""
    if "coverage" in row:
        return bool(row["coverage"] >= limit)
    what = "distance" if row["kind"] == "uniform" else "excess"
    return bool(row[what] <= limit)


def page(summary: Mapping[str, Any]) -> str:
    """Return the page."""
    tests, intervals = summary["tests"], summary["intervals"]
    bounds = limits(tests), limits(intervals)
    good = [
        sum(holds(rows[name], limit) for name, limit in bound.items())
        for rows, bound in zip((tests, intervals), bounds, strict=True)
    ]
    lines = [
        "# Calibration: p-values under the null hypothesis, coverage of intervals",
        "",
        "Written by `python -m validation.calibration`. Each row calls the public "
        "function on simulated data. The name of a row is its seed.",
        "",
        f"**{good[0]} of {len(bounds[0])} exact p-values are uniform, or larger. "
        f"{good[1]} of {len(bounds[1])} exact intervals hold the truth at least as "
        "often as they say.** Each statement has an error rate of 0.05 over all of its "
        "rows together (Bonferroni).",
        "",
        "## P-values",
        "",
        "Kinds of rows:",
        "",
        "- uniform: the p-value has a uniform distribution. The limit is that of the "
        "two-sided Kolmogorov-Smirnov test.",
        "- exact: the p-value is discrete or adjusted. P(p <= u) is at most u. The "
        "limit is that of the one-sided Kolmogorov-Smirnov test for F(u) - u.",
        "- approximate: that holds for large samples. There is no limit. The columns "
        "show how far off the test is with samples of this size.",
        *p_table(tests, bounds[0]),
        "## Intervals",
        "",
        f'All intervals are at the level {LEVEL:.0%}. "All at once": the share of data '
        "sets in which all intervals of the table hold the truth.",
        *coverage_table(intervals, bounds[1]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def p_table(rows: Mapping[str, Any], bounds: Mapping[str, float]) -> list[str]:
    """Return the table of tests."""
    head = ["test", "data", "kind", "trials", "p <= 0.01", "p <= 0.05", "p <= 0.1"]
    head += ["largest F(u) - u", "largest distance", "limit", "within"]
    body = []
    for name, row in rows.items():
        shares = [f"{row[f'share {u:g}']:.4f}" for u in (0.01, ALPHA, 0.1)]
        distances = [f"{row['excess']:.4f}", f"{row['distance']:.4f}"]
        about = [name, row["design"], row["kind"], str(row["trials"])]
        body.append([*about, *shares, *distances, *verdict(name, row, bounds)])
    return table([head, *body])


def coverage_table(rows: Mapping[str, Any], bounds: Mapping[str, float]) -> list[str]:
    """Return the table of intervals."""
    head = ["interval", "data", "kind", "trials", "coverage", "limit", "within"]
    body = [
        [
            *(name, row["design"], row["kind"], str(row["trials"])),
            f"{row['coverage']:.4f}",
            *verdict(name, row, bounds),
        ]
        for name, row in rows.items()
    ]
    return table([head, *body])


def verdict(name: str, row: Mapping[str, Any], bounds: Mapping[str, float]) -> Iterator:
    """Yield the limit of a row, and whether the row is within it."""
    if name not in bounds:
        return iter(("", ""))
    within = "yes" if holds(row, bounds[name]) else "**no**"
    return iter((f"{bounds[name]:.4f}", within))


def main() -> None:
    """Run all rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study") / "calibration")
    parser.add_argument("--pages", action="store_true", help="write the page only")
    chosen = parser.parse_args()
    if not chosen.pages:
        found = run(chosen.folder)
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    PAGE.write_text(page(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
