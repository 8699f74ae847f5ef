"""Small comparisons of every kind, whose whole pages are kept in ``pages``.

``python -m tests.reporting.whole_pages [NAME ...]`` writes the pages again; the
difference to the last commit is then to be read, line by line.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.hypotheses import MEANS, ONE_SIDED
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.reporting.analyses.battles import battles_report
from pycompare.reporting.analyses.curves import curves_report
from pycompare.reporting.analyses.models import ModelReport, model_report
from pycompare.reporting.battles_report import conclusion as conclusion_of_battles
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.curves_report import conclusions
from pycompare.results.adjust import ADJUSTMENTS, unfit
from pycompare.results.guarantees import (
    BASES,
    CONDITIONS,
    ELSEWHERE,
    OMNIBUS,
    RULES,
    SHOWN,
    dependence_limits,
    guarantee,
)
from pycompare.results.guarantees import (
    FOLDS as OF_FOLDS,
)
from pycompare.results.result import plain
from tests.challenges import drawn as challenge_drawn
from tests.challenges import scores_of as challenge_of
from tests.challenges import table
from tests.challenges import tasks as challenge_tasks
from tests.conftest import wide
from tests.designs.grouped import grouped
from tests.designs.test_cases import scores as cases
from tests.judged import drawn
from tests.judged import scores_of as judged_scores
from tests.many_predictions import COUNTS
from tests.many_predictions import predictions as sweep
from tests.methods.over_datasets.many import counts
from tests.methods.over_datasets.many_folds import folds_of
from tests.predictions import predictions, rows
from tests.reporting.printed import nested, printed
from tests.runs import runs_of, simulated
from validation.checks.models import designed

PAGES = Path(__file__).parent / "pages"
ORIGIN: Mapping[str, Any] = {
    "date": "2026-01-02T03:04:05+00:00",
    "file": None,
    "file_sha256": None,
    "command": None,
    "plan_file": None,
    "seed": 0,
    "randomness": "none",
    "versions": {"pycompare": "1"},
}
"""What differs between machines and days, always the same here."""


def normal(b: int, a: int, effect: float = 0.7, seed: int = 1, **options) -> pc.Scores:
    """Normal scores whose last algorithm is the best, of blocks that are data sets."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(b, 1)) + rng.normal(size=(b, a)) + effect * np.arange(a)
    return wide(values, **options)


def positive(b: int, a: int) -> pc.Scores:
    """Return scores above 0, each block in a unit of its own."""
    units = 10.0 ** (np.arange(b) % 7 - 3)
    x = np.exp(np.random.default_rng(5).normal(size=(b, a)) / 3 + 0.3 * np.arange(a))
    return wide(x * units[:, None], better="lower")


def with_gaps(scores: pc.Scores, *cells: tuple[int, int]) -> pc.Scores:
    """Leave some cells out, to be modelled."""
    values = scores.values.copy()
    for block, algorithm in cells:
        values[block, algorithm] = np.nan
    return dataclasses.replace(scores, values=values, missing="model")


def in_clusters(scores: pc.Scores) -> pc.Scores:
    """Put every two data sets in one cluster."""
    clusters = tuple(f"f{i // 2}" for i in range(scores.n_blocks))
    return dataclasses.replace(scores, clusters=clusters)


def graded(n: int, a: int) -> pc.Scores:
    """Return grades 0, 0.5 and 1, of which few differ."""
    rng = np.random.default_rng(3)
    grade = rng.integers(0, 3, size=(n, 1)) / 2
    return wide(np.where(rng.random((n, a)) < 0.1, 1 - grade, grade))


def answered_runs(n: int, a: int, runs: int) -> pc.Scores:
    """Right and wrong answers to cases that all have the same runs."""
    values = simulated(n, a, runs, effect=0.4)
    return runs_of((values > np.median(values)).astype(float))


def shared(block: float, *sizes: int) -> pc.Scores:
    """Scores in which the last algorithms have the same values in all blocks."""
    values = np.random.default_rng(2).normal(size=sizes)
    values[:, 2:] = values[:, 1:2]
    return wide(values + block)


TWO_METRICS = {"error": "lower", "auc": "higher"}
DATASETS = partial(pc.Plan, blocks="datasets")
RANKS = partial(DATASETS, compares="ranks")
FOLDS = partial(pc.Plan, blocks="folds")
HELD_OUT = partial(FOLDS, protocol="held-out")
OVERLAP = {"n_train": 90, "n_test": 10}
ONE_WAY = {"hypothesis": "non-inferiority", "control": "A1"}

CASES = partial(pc.Plan, blocks="cases")

Made = Callable[[], tuple[pc.Scores | pc.Predictions, pc.Plan]]
COMPARISONS: Mapping[str, Made] = {
    # cases
    "cases": lambda: (cases(), CASES()),
    "cases_control": lambda: (cases(), CASES(control="A", adjust=("holm",))),
    "cases_conditional": lambda: (cases(), CASES(p_values="exact")),
    "cases_graded": lambda: (cases(graded=True), CASES()),
    "cases_clustered": lambda: (cases(cluster="text"), CASES()),
    "cases_two": lambda: (cases(("A", "D")), CASES()),
    "cases_two_conditional": lambda: (cases(("A", "D")), CASES(p_values="mid-p")),
    "cases_two_clustered": lambda: (cases(("A", "D"), cluster="text"), CASES()),
    "cases_weighted": lambda: (
        cases(group="half", cluster="text"),
        CASES(family="metric", weights={"u": 3, "v": 1}, adjust=("holm", "max-t")),
    ),
    # typical differences over data sets
    "typical": lambda: (normal(20, 5), DATASETS()),
    "typical_undeclared": lambda: (normal(12, 3), pc.Plan()),
    "typical_small": lambda: (normal(8, 4, better="lower"), DATASETS()),
    "typical_symmetric": lambda: (
        normal(7, 4, 1.2),
        DATASETS(assumes="symmetry", alpha=0.1),
    ),
    "typical_exchangeable": lambda: (
        normal(12, 4),
        DATASETS(assumes="exchangeability", adjust=("bergmann-hommel", "shaffer")),
    ),
    "typical_none_possible": lambda: (normal(4, 3), DATASETS()),
    "typical_control": lambda: (normal(15, 4), DATASETS(control="A1", seed=None)),
    "typical_flips_control": lambda: (
        normal(12, 4),
        DATASETS(control="A2", adjust=("step-down-flips", "holm"), seed=3),
    ),
    "typical_rounded": lambda: (normal(14, 4), DATASETS(decimals=0)),
    "typical_gaps": lambda: (with_gaps(normal(14, 4), (0, 1), (3, 3)), DATASETS()),
    "typical_constant": lambda: (wide(np.ones((7, 3))), DATASETS()),
    "typical_ratios": lambda: (positive(14, 4), DATASETS(scale="ratio")),
    "typical_ratios_margin": lambda: (
        positive(14, 3),
        DATASETS(scale="ratio", margin=0.5, hypothesis="non-inferiority", control="A3"),
    ),
    "typical_ratios_two": lambda: (positive(14, 2), DATASETS(scale="ratio")),
    "typical_clusters": lambda: (in_clusters(normal(24, 4)), DATASETS()),
    "typical_clusters_few": lambda: (
        in_clusters(normal(10, 3)),
        DATASETS(control="A1"),
    ),
    "typical_clusters_ratios": lambda: (
        in_clusters(positive(24, 3)),
        DATASETS(scale="ratio"),
    ),
    "typical_clusters_two": lambda: (in_clusters(normal(24, 2)), pc.Plan()),
    "typical_groups": lambda: (
        normal_groups(("text", "image"), "metric"),
        DATASETS(family="metric", groups="each-and-all"),
    ),
    "typical_one_family": lambda: (
        normal_groups(("text", "image", "text"), "all"),
        DATASETS(family="all"),
    ),
    "means_over_data_sets": lambda: (
        normal(12, 4),
        DATASETS(compares="means", omnibus="greenhouse-geisser", gate="omnibus"),
    ),
    # ranks over data sets
    "ranks": lambda: (normal(20, 5), RANKS()),
    "ranks_undeclared": lambda: (normal(12, 3), pc.Plan(compares="ranks")),
    "ranks_alike": lambda: (normal(9, 4, 0), RANKS(adjust=("shaffer", "nemenyi"))),
    "ranks_apart": lambda: (
        normal(30, 3, 4, better="lower"),
        RANKS(gate="omnibus", std_error="textbook", p_values="approximate"),
    ),
    "ranks_control": lambda: (normal(15, 4), RANKS(control="A1", level=0.9)),
    "tasks": lambda: (
        runs_of(simulated(10)),
        pc.Plan(blocks="datasets", replicates="average", run_aggregates="as-measured"),
    ),
    "ranks_few": lambda: (normal(4, 3), RANKS(adjust=("sign-flips", "holm"))),
    "ranks_rounded": lambda: (
        normal(8, 4),
        RANKS(decimals=0, omnibus="iman-davenport", adjust=("BH", "rom")),
    ),
    "ranks_gaps": lambda: (with_gaps(normal(14, 4), (0, 1), (3, 3)), RANKS()),
    "ranks_gate_closed": lambda: (normal(8, 4, 0.1), RANKS(gate="omnibus")),
    "ranks_aligned": lambda: (normal(10, 4), RANKS(omnibus="aligned-ranks")),
    "ranks_quade": lambda: (normal(10, 4), RANKS(omnibus="quade")),
    "ranks_monotone": lambda: (
        normal(12, 5),
        RANKS(adjust=("bergmann-hommel",), monotone=True),
    ),
    "ranks_constant": lambda: (wide(np.ones((6, 3))), RANKS()),
    "ranks_many": lambda: (normal(12, 22, 0.2), RANKS(adjust=("holm",))),
    "ranks_groups": lambda: (
        normal_groups(("text", "image"), "metric"),
        RANKS(family="metric", groups="each-and-all"),
    ),
    "ranks_groups_one_family": lambda: (
        normal_groups(("text", "image", "text"), "all"),
        RANKS(family="all", gate="omnibus"),
    ),
    "ranks_dropped_blocks": lambda: (dropped("drop-block"), RANKS()),
    "ranks_numbers_as_names": lambda: (
        renamed(normal(3, 4), "1", "2", "3", "4"),
        RANKS(adjust=("max-t", "closed-permutation"), seed=5),
    ),
    "ranks_two_metrics": lambda: (
        two_metrics_with_a_gap(),
        RANKS(adjust=("holm",)),
    ),
    "ranks_approximate": lambda: (normal(9, 3), RANKS(p_values="approximate")),
    "ranks_pair_without_omnibus": lambda: (
        normal(16, 3, 0.3, seed=2),
        RANKS(),
    ),
    "ranks_control_without_pair": lambda: (
        normal(12, 5, 0.5, seed=0),
        RANKS(control="A3", adjust=("bonferroni",)),
    ),
    "ranks_max_t": lambda: (
        normal(25, 4, 0.4),
        RANKS(control="A2", adjust=("max-t", "sign-flips"), seed=1),
    ),
    "ranks_named_data_sets": lambda: (
        dataclasses.replace(normal(11, 3), datasets=tuple("abcdefghijk")),
        pc.Plan(compares="ranks"),
    ),
    "ranks_all_tied_groups": lambda: (tied_in_one_group(), RANKS(family="metric")),
    # two algorithms
    "two_datasets": lambda: (normal(12, 2), DATASETS()),
    "two_few": lambda: (normal(4, 2, 3), pc.Plan()),
    "two_equal": lambda: (wide(np.repeat(np.arange(8.0)[:, None], 2, 1)), DATASETS()),
    "two_folds": lambda: (normal(10, 2, better="lower"), FOLDS()),
    "two_folds_corrected": lambda: (
        normal(10, 2),
        FOLDS(protocol="cross-validation", hypothesis="equivalence", margin=2.0),
    ),
    "two_folds_held_out": lambda: (
        normal(10, 2),
        FOLDS(protocol="held-out", margin=1.0, **ONE_WAY),
    ),
    "two_constant_difference": lambda: (
        wide(np.arange(6.0)[:, None] + [0, 1]),
        FOLDS(**OVERLAP),
    ),
    # folds of one data set
    "folds": lambda: (normal(10, 4), FOLDS()),
    "folds_corrected": lambda: (normal(10, 4, better="lower"), FOLDS(**OVERLAP)),
    "folds_cross_validation": lambda: (
        normal(10, 3),
        FOLDS(
            protocol="cross-validation",
            control="A2",
            hypothesis="equivalence",
            margin=1.5,
        ),
    ),
    "folds_resampling": lambda: (
        normal(12, 3),
        FOLDS(protocol="resampling", control="A1"),
    ),
    "folds_rounded": lambda: (normal(10, 4), HELD_OUT(decimals=0)),
    "folds_sphericity": lambda: (
        normal(8, 4, 0.2),
        HELD_OUT(omnibus="greenhouse-geisser", adjust=("holm", "scheffe")),
    ),
    "folds_control": lambda: (
        normal(9, 4),
        HELD_OUT(control="A4", adjust=("dunnett", "dunnett-step-down", "hommel")),
    ),
    "folds_gaps": lambda: (with_gaps(normal(10, 4), (0, 0), (5, 2)), HELD_OUT()),
    "folds_perfect": lambda: (
        wide(np.arange(6.0)[:, None] + np.arange(3.0)),
        HELD_OUT(),
    ),
    "folds_tied": lambda: (shared(0.5, 8, 4), HELD_OUT(omnibus="huynh-feldt")),
    "folds_two_metrics": lambda: (
        folds_of((14,), 3, effect=1.0, metrics=TWO_METRICS),
        HELD_OUT(hypothesis="equivalence", margin={"error": 1.5}, family="all"),
    ),
    "folds_two_metrics_corrected": lambda: (
        folds_of((14,), 4, metrics=TWO_METRICS),
        FOLDS(**OVERLAP, control="A1"),
    ),
    "folds_too_few_for_vectors": lambda: (
        folds_of((3,), 2, metrics={"m1": "lower", "m2": "higher", "m3": "lower"}),
        HELD_OUT(),
    ),
    "folds_runs": lambda: (runs_of(simulated()), HELD_OUT(replicates="keep")),
    "folds_runs_averaged": lambda: (
        runs_of(simulated(interaction=0)),
        FOLDS(replicates="average", **OVERLAP),
    ),
    "folds_runs_alike": lambda: (
        runs_of(np.repeat(simulated(n=1), 2, axis=2)),
        FOLDS(replicates="keep", protocol="held-out"),
    ),
    "folds_runs_without_interaction": lambda: (
        runs_of(simulated(interaction=0, effect=0)),
        HELD_OUT(replicates="keep"),
    ),
    "folds_dependent_metrics": lambda: (
        dependent_metrics(),
        HELD_OUT(gate="omnibus", together="required"),
    ),
    "folds_gaps_in_metrics": lambda: (two_metrics_with_a_gap(), HELD_OUT()),
    "folds_vectors_apart": lambda: (
        folds_of((14,), 3, effect=6.0, metrics=TWO_METRICS),
        HELD_OUT(
            margin={"error": 0.5, "auc": 50.0},
            hypothesis="equivalence",
            margin_alpha=0.1,
        ),
    ),
    "folds_equal_vectors": lambda: (
        equal_vectors(),
        HELD_OUT(),
    ),
    "folds_many": lambda: (normal(3, 42, 0.01), HELD_OUT()),
    "folds_margin_of_nothing": lambda: (
        wide(np.arange(5.0)[:, None] + [0, 1, 1]),
        FOLDS(hypothesis="equivalence", margin=1.0, margin_alpha=0.1, **OVERLAP),
    ),
    "folds_omnibus_without_pair": lambda: (
        normal(10, 5, 0.3, seed=1),
        HELD_OUT(adjust=("bonferroni",)),
    ),
    # folds of several data sets
    "many_ranks": lambda: (
        folds_of((5,) * 8, effect=0.4),
        pc.Plan(compares="ranks"),
    ),
    "many_typical": lambda: (folds_of((5,) * 8, effect=0.4), pc.Plan()),
    "many_sign": lambda: (
        folds_of((10,) * 5, 3, effect=1.0),
        pc.Plan(compares="wins", protocol="cross-validation"),
    ),
    "many_means": lambda: (
        folds_of((4, 5, 6, 4, 5), 3, effect=0.7, metrics=TWO_METRICS),
        pc.Plan(
            compares="means",
            margin={"error": 2.0},
            hypothesis="equivalence",
            protocol="held-out",
        ),
    ),
    "many_model": lambda: (
        folds_of((6,) * 4, 3, effect=0.5),
        pc.Plan(compares="model", **OVERLAP),
    ),
    "many_control": lambda: (
        folds_of((6,) * 9, 4, effect=0.5),
        pc.Plan(
            control="A1", n_train={f"d{i}": 50 + i for i in range(1, 10)}, n_test=9
        ),
    ),
    "many_averaged": lambda: (
        folds_of((4,) * 6, 3, effect=1.0),
        pc.Plan(blocks="datasets", average_folds=True),
    ),
    "many_costs": lambda: (
        counts(4, 7, 3),
        pc.Plan(
            metrics=("fp", "fn"), cost_ratio=2.0, compares="wins", protocol="held-out"
        ),
    ),
    "typical_margins": lambda: (
        normal(12, 3, effect=0.4),
        pc.Plan(
            blocks="datasets",
            control="A3",
            margin=2.0,
            hypothesis="non-inferiority",
        ),
    ),
    "cases_graded_margin": lambda: (
        graded(40, 3),
        CASES(margin=0.1, range=(0, 1), hypothesis="non-inferiority", control="A1"),
    ),
    "cases_of_prompts": lambda: (
        answered_runs(40, 3, 4),
        CASES(replicates="average", runs="prompts", runs_scope="sampled"),
    ),
    "cases_of_answers": lambda: (
        answered_runs(40, 3, 4),
        CASES(replicates="average", runs="samples"),
    ),
    "cases_of_these_items": lambda: (
        answered_runs(40, 3, 4),
        CASES(replicates="average", runs="samples", items_scope="fixed"),
    ),
    "cases_deterministic": lambda: (
        cases(("A", "D")),
        CASES(answers="deterministic"),
    ),
    "cases_of_these_judges": lambda: (
        answered_runs(40, 3, 4),
        CASES(replicates="average", runs="judges", runs_scope="fixed"),
    ),
    "challenge": lambda: (
        challenge_of(table(challenge_drawn(24, 4, shift=1.0))),
        CASES(ranking="rank-then-aggregate"),
    ),
    "challenge_failures": lambda: (
        challenge_of(
            table(challenge_drawn(24, 4), (3, 30, 31)), missing="worst", worst=0
        ),
        CASES(ranking="aggregate-then-rank"),
    ),
    "challenge_tasks": lambda: (
        challenge_tasks((20, 24, 30), failed=((5,), ()), missing="worst", worst=0),
        CASES(ranking="rank-then-aggregate", weights="equal"),
    ),
    "challenge_by_tests": lambda: (
        challenge_of(table(challenge_drawn(24, 4))),
        CASES(ranking="test-then-rank", adjust=("none",)),
    ),
    "challenge_median": lambda: (
        challenge_tasks((20, 24), cluster="patient"),
        CASES(ranking="rank-then-aggregate", aggregate="median", weights="cases"),
    ),
    "labels": lambda: (judged_scores(drawn(models=4)), CASES(labels="random")),
    "labels_of_two": lambda: (
        judged_scores(drawn(models=2, strata=2), stratum="verdict"),
        CASES(labels="strata"),
    ),
    "many_two": lambda: (folds_of((4,) * 6, 2, effect=1.0), pc.Plan(compares="means")),
    "many_two_one_family": lambda: (
        folds_of((4,) * 6, 2, effect=0.5, metrics=TWO_METRICS),
        pc.Plan(compares="means", family="all", together="no", protocol="held-out"),
    ),
    "many_groups": lambda: (
        grouped((4,) * 6, ("g", "h"), a=3, effect=2.0),
        pc.Plan(family="all", groups="each-and-all", protocol="held-out"),
    ),
    "many_runs": lambda: (
        runs_of(simulated(b=12, seed=4), [f"d{i // 4}" for i in range(12)]),
        pc.Plan(
            replicates="keep",
            protocol="cross-validation",
            n_folds={"d0": 2, "d1": 4, "d2": 4},
        ),
    ),
    "many_cross_validations": lambda: (
        folds_of((4, 6, 5, 4), 3, effect=1.0),
        pc.Plan(protocol="cross-validation", compares="wins", seed=2),
    ),
    "many_model_without_sizes": lambda: (
        folds_of((6,) * 4, 3, effect=0.5),
        pc.Plan(compares="model"),
    ),
    "many_resampled": lambda: (
        folds_of((8,) * 5, 3, effect=0.8),
        pc.Plan(compares="means", control="A2", protocol="resampling", gate="omnibus"),
    ),
    # thresholds
    "sweep": lambda: (
        sweep(n_datasets=6, folds=6, shift=1.0),
        pc.Plan(metrics=COUNTS, thresholds=5),
    ),
    "sweep_any": lambda: (
        sweep(n_datasets=5, folds=5, shift=0.5),
        pc.Plan(
            metrics=COUNTS, loss_ratios=(0.5, 1, 2), threshold_rule="any", control="a"
        ),
    ),
    "sweep_adjusted": lambda: (
        sweep(n_datasets=4, folds=5, names=("a", "b"), shift=0.3),
        pc.Plan(metrics=COUNTS, thresholds=11, threshold_adjust="holm"),
    ),
    "sweep_clear": lambda: (
        sweep(n_datasets=9, folds=6, shift=2.0),
        pc.Plan(metrics=COUNTS, thresholds=7),
    ),
    "sweep_one_data_set": lambda: (
        sweep(n_datasets=1, folds=8, shift=1.0),
        pc.Plan(metrics=COUNTS, thresholds=9),
    ),
    "measured": lambda: (
        sweep(n_datasets=3, folds=4),
        pc.Plan(metrics=("accuracy",), thresholds=(0.5,)),
    ),
}


def normal_groups(groups: tuple[str, ...], seed: str) -> pc.Scores:
    """Return scores of data sets in groups, dealt in turn."""
    scores = normal(24, 3, seed=len(seed))
    owners = tuple(groups[i % len(groups)] for i in range(scores.n_blocks))
    return dataclasses.replace(scores, groups=owners)


WITH_RESULTS = {
    "ranks_few",
    "ranks_gate_closed",
    "ranks_groups_one_family",
    "two_folds_corrected",
    "folds_cross_validation",
    "folds_too_few_for_vectors",
    "folds_runs",
    "many_means",
    "many_sign",
    "many_two",
    "sweep_any",
    "sweep_one_data_set",
}
"""Those whose results.json is kept, too."""


def renamed(scores: pc.Scores, *names: str) -> pc.Scores:
    """Return scores of algorithms with other names."""
    return dataclasses.replace(scores, algorithms=names)


def dropped(missing: str) -> pc.Scores:
    """Read a table with two empty cells."""
    scores = normal(14, 3)
    frame = pd.DataFrame(scores.values[:, :, 0], columns=scores.algorithms)
    frame.iloc[2, 0] = frame.iloc[7, 1] = np.nan
    return pc.Scores.from_wide(frame, metric="score", better="higher", missing=missing)


def tied_in_one_group() -> pc.Scores:
    """Return two groups of data sets, with nothing to test in the second."""
    values = normal(16, 3).values.copy()
    values[8:] = 0.5
    groups = ("first",) * 8 + ("second",) * 8
    return dataclasses.replace(normal(16, 3), values=values, groups=groups)


def equal_vectors() -> pc.Scores:
    """Return two metrics in which two of four algorithms are the same."""
    scores = folds_of((10,), 4, effect=2.0, metrics=TWO_METRICS)
    values = scores.values.copy()
    values[:, 3] = values[:, 2]
    return dataclasses.replace(scores, values=values)


def two_metrics_with_a_gap() -> pc.Scores:
    """Return two metrics of which one misses a cell."""
    scores = folds_of((8,), 3, effect=1.0, metrics=TWO_METRICS)
    values = scores.values.copy()
    values[0, 1, 1] = np.nan
    return dataclasses.replace(scores, values=values, missing="model", datasets=None)


def dependent_metrics() -> pc.Scores:
    """Return three metrics of which the last is the sum of the others."""
    scores = folds_of((12,), 3, effect=1.0, metrics=TWO_METRICS)
    values = np.round(scores.values, 2)
    total = pc.Metric("sum", "lower")
    return dataclasses.replace(
        scores,
        values=np.concatenate([values, values.sum(2, keepdims=True)], axis=2),
        metrics=(*scores.metrics, total),
    )


def page_of_comparison(name: str) -> str:
    """Return page, conclusions and results of a comparison."""
    comparison = pc.compare(*COMPARISONS[name]())
    told = ComparisonReport(comparison)
    origin = dict(ORIGIN) | {
        "scores_sha256": "0",
        "randomness": told.randomness(),
    }
    report = told.report(origin)
    named = [f"= {title}" for title, _ in comparison.results()]
    lines = [
        *told.conclusions(),
        "",
        printed(dataclasses.replace(report, script="script\n")),
        *named,
    ]
    if name in WITH_RESULTS:
        lines += nested(plain(comparison.to_dict()))
    return "\n".join([*lines, ""])


# ---- curves -------------------------------------------------------------------------


def two_data_sets() -> pc.Predictions:
    """Return three algorithms on two data sets, cases repeated in the second."""
    names = (("tree", 1.0), ("kNN", 1.8), ("net", 1.9))
    frame = rows(folds=4, n=30, algorithms=names)
    repeated = frame["case"].str.replace("c[0-9]+-", "c", regex=True)
    both = [frame.assign(dataset="one"), frame.assign(dataset="two", case=repeated)]
    return predictions(frame=pd.concat(both), case="case", dataset="dataset")


def patients() -> pc.Predictions:
    """Return three algorithms on two folds, three cases of each patient."""
    names = (("tree", 1.0), ("kNN", 1.8), ("net", 1.9))
    frame = rows(folds=2, n=48, algorithms=names)
    place = frame["case"].str.split("-").str[1].astype(int)
    fold = frame["block"].str[1:]
    # The first patients have cases in both folds.
    patient = (place // 3).astype(str) + "-" + fold.where(place >= 9, "both")
    return predictions(
        frame=frame.assign(patient=patient), case="case", cluster="patient"
    )


CURVES: Mapping[str, Callable[[], tuple[pc.Predictions, dict[str, Any]]]] = {
    "curves": lambda: (
        predictions(frame=rows(folds=5, n=40, grid=0.05), case="case"),
        {},
    ),
    "curves_unpaired": lambda: (predictions(folds=4, n=30), OVERLAP | {"level": 0.9}),
    "curves_two_data_sets": lambda: (
        two_data_sets(),
        OVERLAP | {"adjust": "holm", "seed": 3},
    ),
    "curves_many_wins": lambda: (best_on_some(), OVERLAP),
    "curves_threshold": lambda: (
        predictions(frame=rows(folds=1, n=80), case="case"),
        {"threshold": 0.5, "alpha": 0.1},
    ),
    "curves_of_probabilities": lambda: (
        predictions(frame=rows(folds=1, n=80), case="case"),
        {"risk_threshold": 0.4, "bins": "equal-mass", "n_bins": 4},
    ),
    "curves_whole": lambda: (
        predictions(
            frame=rows(
                folds=1,
                n=60,
                algorithms=[("tree", 0.1), ("kNN", 2.2), ("net", 1.9)],
                grid=0.1,
            ),
            case="case",
        ),
        {"whole_curves": True},
    ),
    "curves_clusters": lambda: (patients(), {}),
}


def page_of_curves(name: str) -> str:
    """Return page and conclusions of a comparison of AUCs."""
    predictions, options = CURVES[name]()
    comparison = pc.compare_curves(predictions, **options)
    origin = dict(ORIGIN) | {"predictions_sha256": "0"}
    report = curves_report(comparison, origin)
    named = [f"= {title}" for title, _ in comparison.results()]
    results = nested(comparison.to_dict())
    told = [
        conclusions(comparison),
        "",
        printed(dataclasses.replace(report, script="script\n")),
    ]
    return "\n".join([*told, *named, *results, ""])


def best_on_some() -> pc.Predictions:
    """Return four algorithms on three data sets, far apart on some."""
    frames = [
        rows(
            folds=2, n=60, seed=d, algorithms=[(f"m{j}", spread * j) for j in range(4)]
        )
        for d, spread in enumerate((0.2, 1.0, 1.5))
    ]
    named = [frame.assign(dataset=f"d{d}") for d, frame in enumerate(frames)]
    return predictions(frame=pd.concat(named), case="case", dataset="dataset")


# ---- battles ------------------------------------------------------------------------

BATTLES: Mapping[str, Callable[[], tuple[pc.Battles, dict[str, Any]]]] = {
    "battles": lambda: (fought(), {"elo": True}),
    "battles_groups": lambda: (fought(group="language"), {"family": "all"}),
    "battles_control": lambda: (fought(), {"control": "m2", "adjust": "holm"}),
    "battles_never_lost": lambda: (fought(never="m4"), {}),
    "battles_few_voters": lambda: (fought(voters=6), {"position": "ignore"}),
}


def fought(
    *, voters: int = 30, group: str | None = None, never: str = ""
) -> pc.Battles:
    """Return battles of five models, each a little stronger than the one before."""
    rng = np.random.default_rng(12)
    n = 600
    first = rng.integers(0, 5, n)
    second = (first + rng.integers(1, 5, n)) % 5
    s = 0.4 * (first - second) + 0.2
    chance = np.stack([np.exp(s), 0.5 * np.exp(s / 2), np.ones(n)])
    drawn = rng.random(n) * chance.sum(0)
    winner = (drawn > chance[0]).astype(int) + (drawn > chance[:2].sum(0))
    winner[first == int(never[1:] or -1)] = 0
    winner[second == int(never[1:] or -1)] = 2
    frame = {
        "model_a": [f"m{k}" for k in first],
        "model_b": [f"m{k}" for k in second],
        "winner": np.array(["model_a", "tie", "model_b"])[winner],
        "judge": rng.integers(0, voters, n),
        "language": np.array(["en", "de"])[rng.integers(0, 2, n)],
    }
    return pc.Battles.from_frame(pd.DataFrame(frame), group=group)


def page_of_battles(name: str) -> str:
    """Return page and conclusions of battles."""
    read, options = BATTLES[name]()
    result = pc.battles(read, **options)
    report = battles_report(result, dict(ORIGIN) | {"battles_sha256": "0"})
    report = dataclasses.replace(report, script="script\n")
    told = [conclusion_of_battles(result), "", printed(report)]
    return "\n".join([*told, *nested(result.to_dict()), ""])


# ---- linear models ------------------------------------------------------------------

MODELS: Mapping[str, Callable[[], tuple[pd.DataFrame, str, dict[str, Any]]]] = {
    "model": lambda: (designed(1), "error ~ learner * prep + time", {}),
    "model_within": lambda: (
        designed(1),
        "cbind(error, auc) ~ learner * prep",
        {"within": "data/fold", "means": ("learner:prep",), "contrasts": ("learner",)},
    ),
    "model_saturated": lambda: (
        designed(3).query("data == 'd0'"),
        "cbind(error, auc) ~ learner",
        {"within": "fold/learner"},
    ),
    "model_no_effect": lambda: (
        designed(5).assign(noise=lambda x: np.cos(np.arange(len(x)) ** 2)),
        "cbind(noise, auc) ~ prep",
        {"adjust": "holm", "level": 0.9},
    ),
    "model_three_responses": lambda: (
        designed(6).assign(time=lambda x: np.round(x["time"], 1)),
        "cbind(error, auc, time) ~ C(prep)",
        {"within": "data/fold"},
    ),
    "model_gaps": lambda: (
        designed(2, 9),
        "error ~ learner + size",
        {"within": "data", "type": 3, "alpha": 0.01},
    ),
}


def page_of_model(name: str) -> str:
    """Return the page of a linear model."""
    frame, formula, options = MODELS[name]()
    plan = ModelPlan(formula=formula, **options)
    model = plan.fitted_to(frame)
    found = ModelReport(model=model, plan=plan)
    named = [f"= {title}" for title, _ in found.results()]
    report = dataclasses.replace(model_report(found, dict(ORIGIN)), script="R\n")
    return "\n".join([printed(report), *named, ""])


# ---- the ledger of claims -----------------------------------------------------------


def ledger() -> str:
    """Return what is claimed of every basis and adjustment, in words."""
    families = ("", "/control", "/holm", "/bergmann-hommel/control")
    keys = [f"{basis}{end}" for basis in BASES for end in families]
    keys += [f"ranks/normal/{name}" for name in RULES]
    keys += [f"wins/sign/{name}/control" for name in RULES]
    keys += [f"omnibus/{name}" for name in OMNIBUS]
    lines = [line for key in sorted({*keys, *SHOWN, *ELSEWHERE}) for line in claim(key)]
    for name, one in ADJUSTMENTS.items():
        lines += [f"= {name}: {one.title} ({one.reference}): {one.controls}"]
        lines += dependence_limits(name)
        lines += [f"not of {h.name}: {unfit(one, h)}" for h in KINDS if unfit(one, h)]
        lines += [
            f"not with a control: {why}" for why in [unfit(one, MEANS, "A")] if why
        ]
    return "\n".join([*lines, ""])


def claim(key: str) -> Iterator[str]:
    """Yield what pages say of one key, where conditions hold and where they do not."""
    found = guarantee(key)
    yield f"= {key}: {', '.join(found.rows) or 'no row'}"
    yield f"{found.text}; transitive: {found.hypotheses.transitive}"
    yield found.stated(0.05)
    yield found.brief(0.05)
    needed = [word for word in CONDITIONS if not found.promises([word])]
    yield f"not promised without: {', '.join(needed)}"
    folds = found.of(OF_FOLDS).where(["independent-folds", "new-test-sets"])
    if folds.broken:
        yield folds.text


KINDS = (*dict.fromkeys(basis.hypotheses for basis in BASES.values()), ONE_SIDED)
"""Every kind of hypotheses, once."""


# ---- pages --------------------------------------------------------------------------


def pages() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name of each page and what makes it."""
    kinds = (
        (COMPARISONS, page_of_comparison),
        (CURVES, page_of_curves),
        (BATTLES, page_of_battles),
        (MODELS, page_of_model),
    )
    for known, make in kinds:
        yield from ((name, partial(make, name)) for name in known)
    yield "ledger", ledger


def main() -> None:
    """Write pages, all or some."""
    chosen = set(sys.argv[1:])
    for name, make in pages():
        if not chosen or name in chosen:
            (PAGES / f"{name}.txt").write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
