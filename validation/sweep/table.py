"""The order that each public function should have in each dimension of its input.

An order is that of CPU time; "n² / n" has the order of memory after the slash. Without
one, memory has the order of time without its logarithm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import inputs as of


@dataclass(frozen=True, eq=False)
class Row:
    """A function, its data, its options, and its order in each dimension."""

    function: str
    data: Callable[..., tuple[Any, ...]]
    options: Mapping[str, Any]
    orders: Mapping[str, str]


def row(
    function: str,
    data: Callable[..., tuple[Any, ...]],
    options: Mapping[str, Any] | None = None,
    /,
    **orders: str,
) -> Row:
    """Declare a row."""
    return Row(function, data, options or {}, orders)


SORTED = "n log n"
PAIRS = {"blocks": SORTED, "algorithms": "n²"}
LINES = {"blocks": "n", "algorithms": "n²"}
EACH = {"blocks": SORTED, "algorithms": SORTED}
ITEMS = {"items": "n", "algorithms": "n²"}
AREAS = {"cases": SORTED, "algorithms": "n²"}
RUNS = {"blocks": SORTED, "algorithms": "n²", "runs": SORTED}
SPLIT = {"n_train": 90, "n_test": 10}
YES = {"positive": True}
MARGIN = {"margin": 0.5, "kind": "equivalence"}
DRAWN = {"permutations": 99, "seed": 1}
IN_TABLE: dict[str, Any] = {"algorithm": "algorithm", "block": "block"}
OF_CASES = IN_TABLE | {"label": "is_positive", "score": "score", "positive": "True"}
OF_READERS = {
    **{"modality": "modality", "reader": "reader", "case": "case"},
    **{"truth": "is_positive", "rating": "rating", "positive": "True"},
}
OF_MARKS = {
    **{"modality": "m", "reader": "r", "case": "c", "lesion": "on", "rating": "x"},
    "n_lesions": "n",
}

ROWS = (
    # scores on blocks
    row("aligned_ranks", of.scores, **EACH),
    row("anova", of.scores, blocks="n", algorithms="n"),
    row("friedman", of.scores, **EACH),
    row("quade", of.scores, **EACH),
    row("skillings_mack", of.scores, blocks=SORTED, algorithms="n³ / n²"),
    row("welch_anova", of.scores, blocks="n", algorithms="n"),
    row("residual_checks", of.scores, **EACH),
    row("hodges_lehmann", of.scores, {"control": "A0"}, blocks=SORTED, algorithms="n"),
    row("paired_t", of.pair, blocks="n"),
    row("sign_test", of.pair, blocks="n"),
    row("wilcoxon", of.pair, {"p_value": "normal"}, blocks=SORTED),
    row("equivalence", of.pair, {"margin": 0.5}, blocks="n"),
    row("durbin_pairs", of.incomplete, blocks=SORTED),
    row("rank_pairs", of.scores, **PAIRS),
    row("nemenyi", of.scores, **PAIRS),
    row("tukey", of.scores, **LINES),
    row("scheffe", of.scores, **LINES),
    row("pairwise_t", of.scores, **LINES),
    row("games_howell", of.scores, **LINES),
    row("dunnett", of.scores, {"control": "A0"}, blocks="n", algorithms="n² / n²"),
    row("paired_t_pairs", of.scores, **LINES),
    row("signed_rank_pairs", of.scores, **PAIRS),
    row("signed_rank_margins", of.scores, MARGIN, **PAIRS),
    row("equivalence_pairs", of.scores, MARGIN, **LINES),
    row("superiority", of.scores, **PAIRS),
    row("max_t", of.scores, {"flips": 999, "seed": 1}, **PAIRS),
    row("closed_permutation", of.scores, {"permutations": 199, "seed": 1}, **LINES),
    row("rank_prediction", of.scores, blocks="n", algorithms="n²"),
    row("corrected_pairs", of.scores, SPLIT, **LINES),
    row("bounded_means", of.grades, {"margin": 0.1, "range": (0, 1)}, **LINES),
    row("compare", of.scores, **PAIRS),
    row("report", of.comparison, **PAIRS),
    row("bayesian_sign", of.scores, {"rope": 0.1}, **LINES),
    row("bayesian_correlated_t", of.scores, {"rope": 0.1} | SPLIT, **LINES),
    row(
        "bayesian_signed_rank",
        of.scores,
        {"rope": 0.1, "draws": 500, "seed": 1},
        blocks="n² / n",
        algorithms="n²",
    ),
    row(
        "bayesian_bradley_terry",
        of.scores,
        {"rope": 0, "draws": 4000, "seed": 1},
        blocks="n",
        algorithms="n³ / n²",
    ),
    row(
        "bayesian_hierarchical",
        of.two_on_folds,
        {"rope": 0.1, "draws": 2000, "seed": 1} | SPLIT,
        datasets="n",
        folds="n",
    ),
    row("challenge", of.scores, {"ranking": "rank-then-aggregate", "seed": 1}, **PAIRS),
    # several metrics
    row("manova", of.several, blocks="n", algorithms="n"),
    row("manova", of.by_metrics, metrics="n³ / n²"),
    row("hotelling_pairs", of.several, **LINES),
    row("hotelling_pairs", of.by_metrics, metrics="n³ / n²"),
    row("hotelling", of.several, {"algorithms": ("A0", "A1")}, blocks="n"),
    row("hotelling", of.by_metrics, metrics="n³ / n²"),
    row(
        "hotelling_one_sample",
        of.several,
        {"algorithm": "A0", "means": {"m0": 0.0, "m1": 0.0}},
        blocks="n",
    ),
    row("multivariate_checks", of.several, blocks="n² / n"),
    row("multivariate_checks", of.by_metrics, metrics="n³ / n²"),
    row("multivariate_outliers", of.several, {"seed": 1}, **EACH),
    row("orderings", of.several, blocks=SORTED, algorithms="n²"),
    row("orderings", of.by_metrics, metrics="n²"),
    row("permutation_manova", of.several, DRAWN, blocks="n", algorithms="n"),
    row("permutation_manova", of.by_metrics, DRAWN, metrics="n³ / n²"),
    # answers to items
    row("accuracy_intervals", of.answers, items="n", algorithms="n"),
    row("cochran_q", of.answers, items="n", algorithms="n"),
    row("mcnemar", of.two_answers, items="n"),
    row("mcnemar_pairs", of.answers, **ITEMS),
    row("share_pairs", of.answers, **ITEMS),
    row("matched_shares", of.two_answers, {"margin": 0.1}, items="n"),
    row("item_table", of.answers, {"seed": 1}, items="n", algorithms="n²"),
    row(
        "gate",
        of.two_answers,
        {"baseline": "A0", "candidate": "A1", "margin": 0.1},
        items="n",
    ),
    row("cluster_pairs", of.clusters, **ITEMS),
    row(
        "clustered_signed_rank_pairs",
        of.families,
        blocks="n³ / n²",
        algorithms="n²",
    ),
    row("weighted_means", of.tasks, {"weights": "equal"}, items="n", algorithms="n"),
    row("weighted_pairs", of.tasks, {"weights": "equal"}, **ITEMS),
    row("labels", of.judged, {"chosen": "random"}, **ITEMS),
    # several runs
    row("mack_skillings", of.runs, **RUNS | {"algorithms": SORTED}),
    row("replicated_anova", of.runs, blocks="n", algorithms="n", runs="n"),
    row("crossed_anova", of.runs, blocks="n", algorithms="n", runs="n"),
    row("clustered_runs", of.runs_of_texts, blocks="n", algorithms="n", runs="n"),
    row("item_means", of.answers_of_runs, items="n", runs="n"),
    row("item_logit", of.answers_of_runs, items="n", runs="n"),
    row("these_items", of.answers_of_runs, items="n", algorithms="n²", runs="n"),
    row("crossed_pairs", of.answers_of_runs, items="n", algorithms="n²", runs="n"),
    row(
        "normalised_scores",
        of.runs,
        {"low": -10.0, "high": 10.0},
        blocks="n",
        algorithms="n",
        runs="n",
    ),
    row("run_aggregates", of.runs, {"gamma": 1.0}, **EACH, runs=SORTED),
    row("run_pairs", of.runs, **RUNS),
    row("run_profiles", of.runs, {"seed": 1}, **EACH, runs=SORTED),
    # folds of data sets, thresholds
    row("agreement", of.several, {"metrics": ["m0", "m1"]} | SPLIT, **LINES),
    row("dataset_means", of.folds, datasets="n", folds="n", algorithms="n"),
    row("dataset_interaction", of.folds, datasets="n", folds="n", algorithms="n"),
    row("wins", of.folds, datasets="n", folds=SORTED, algorithms="n²"),
    row("threshold_wins", of.cuts, {"rule": "any"}, datasets="n", thresholds="n"),
    row(
        "threshold_scores",
        of.cut_table,
        IN_TABLE | {"threshold": "run", "metrics": {"score": "lower"}},
        blocks="n",
        thresholds="n",
    ),
    row("win_table", of.won, algorithms="n²"),
    row("sign_grid", of.won, algorithms="n²"),
    # cases of one test set
    row("auc", of.cases, YES, cases=SORTED),
    row("auc_pr", of.cases, YES, cases=SORTED),
    row("roc_curve", of.cases, YES, cases=SORTED),
    row("pr_curve", of.cases, YES, cases=SORTED),
    row("auc_interval", of.cases, YES, cases=SORTED),
    row("auc_intervals", of.cases, YES, cases=SORTED),
    row("average_precision_interval", of.cases, YES, cases=SORTED),
    row("binormal_auc", of.cases, YES, cases=SORTED),
    row(
        "partial_auc_interval",
        of.cases,
        YES | {"low": 0, "high": 0.2, "seed": 1},
        cases=SORTED,
    ),
    row("risk", of.probabilities, YES | {"cost_ratio": 2}, cases=SORTED),
    row("delong", of.classifiers, YES, **AREAS),
    row("delong_unpaired", of.unpaired, YES, cases=SORTED),
    row("hanley_mcneil", of.classifiers, YES | {"r": 0.3}, cases=SORTED),
    row("auc_exchange", of.classifiers, YES | {"seed": 1}, cases=SORTED),
    row(
        "auc_margins",
        of.classifiers,
        YES | {"margin": 0.1},
        cases=SORTED,
        algorithms="n³ / n²",  # eigenvalues of the test of all AUCs
    ),
    row("auc_pr_pairs", of.classifiers, YES | {"seed": 1}, **AREAS),
    row(
        "partial_auc_pairs",
        of.classifiers,
        YES | {"low": 0, "high": 0.2, "seed": 1},
        **AREAS,
    ),
    row(
        "curve_dominance",
        of.classifiers,
        YES | {"resamples": 200, "seed": 1},
        cases=SORTED,
    ),
    row("net_benefit", of.models, YES | {"threshold": 0.3}, cases="n", algorithms="n²"),
    row(
        "calibration_error",
        of.models,
        YES | {"bins": "equal-width", "n_bins": 10},
        **AREAS,
    ),
    row("diagnostic_pairs", of.tests, {"positive": 1}, cases="n", algorithms="n²"),
    row("cv_auc", of.crossed, YES, cases=SORTED, folds=SORTED),
    row("cv_auc_pairs", of.crossed_classifiers, YES, **AREAS),
    row("cv_error_intervals", of.losses, cases="n", folds="n"),
    row("nested_cv", of.own_losses, {"n_folds": 4, "repeats": 5, "seed": 1}, cases="n"),
    row("most_confused", of.confused, cases="n", classes="n²"),
    row(
        "Predictions.from_frame", of.prediction_table, OF_CASES, folds=SORTED, cases="n"
    ),
    row(
        "Predictions.measure",
        of.predicted,
        {"metrics": ["auc", "auc_pr", "error"], "threshold": 0.5},
        folds=SORTED,
        cases=SORTED,
        algorithms="n",
    ),
    row("compare_curves", of.predicted, {"seed": 1}, folds="n", **AREAS),
    row(
        "mean_curve", of.predicted, {"algorithm": "A0", "seed": 1}, folds="n", cases="n"
    ),
    # readers
    row("Ratings.from_frame", of.rating_table, OF_READERS, cases="n", readers="n"),
    row("mrmc", of.rated, cases=SORTED, readers="n²", modalities="n²"),
    row("single_modality", of.read_alone, cases=SORTED, readers="n²"),
    row("standalone", of.read_alone, {"reader": "R1"}, cases=SORTED, readers="n²"),
    row("variance_components", of.rated, cases=SORTED, readers="n²"),
    row(
        "glmm",
        of.rated,
        {"outcome": "sensitivity", "threshold": 1.0},
        cases="n",
        readers="n",
    ),
    # battles
    row("battles", of.fought, battles="n"),
    row("battles", of.league, models="n³ / n²"),
    # p-values, pairs, studies, tables
    row("adjust", of.p_values, {"method": "holm"}, p_values=SORTED),
    row("adjust_graph", of.graph, p_values="n³ / n²"),
    row("letters", of.compared, algorithms="n³ / n²"),
    row("cliques", of.compared, algorithms="n³ / n²"),
    row("step_levels", of.compared, algorithms="n²"),
    row("rank_sets", of.jointly, blocks=SORTED, algorithms="n²"),
    row("synthesis", of.studies, studies="n"),
    row("network_synthesis", of.network, studies="n"),
    row(
        "Scores.from_frame",
        of.table,
        IN_TABLE | {"metrics": {"score": "higher"}},
        blocks=SORTED,
        algorithms=SORTED,
    ),
    row(
        "linear_model",
        of.table,
        {"formula": "score ~ C(algorithm)", "within": "block"},
        blocks="n",
        algorithms="n³ / n²",
    ),
    # files
    row(
        "read_scores",
        of.score_file,
        IN_TABLE | {"metrics": {"score": "higher"}},
        blocks=SORTED,
        algorithms=SORTED,
    ),
    row("propose", of.wide_file, blocks="n", algorithms="n"),
    row("starter_plan", of.wide_file, blocks="n", algorithms="n"),
    row("read_predictions", of.prediction_file, OF_CASES, folds=SORTED, cases="n"),
    row(
        "measure_file",
        of.prediction_parquet,
        OF_CASES | {"metrics": ["auc", "error"], "threshold": 0.5},
        folds=SORTED,
        cases=SORTED,
    ),
    row("read_ratings", of.rating_file, OF_READERS, cases="n", readers="n"),
    row("read_marks", of.mark_files, OF_MARKS, cases=SORTED, readers=SORTED),
    row("read_battles", of.battle_file, battles="n"),
    row("read_results", of.result_files, items="n", models="n"),
)

_OF_A_REPORT = "reads or writes the files of a report, which `report` sweeps"
_STUDY = "simulates: its work is the trials asked for"
_NO_DATA = "takes no data"
LEFT_OUT = {
    "certificate": _OF_A_REPORT,
    "diff": _OF_A_REPORT,
    "unblind": _OF_A_REPORT,
    "verify": _OF_A_REPORT,
    "cite": "names the references of a result, whatever its size",
    "methods_text": "words the methods of a result, whatever its size",
    "example": _NO_DATA,
    "example_path": _NO_DATA,
    "read_plan": "reads a plan, which does not grow with the data",
    "read_trail": "reads the trail of a plan, which does not grow with the data",
    "run_plan": "reads, compares and reports, each of which is swept",
    "exhaustive_sets": "lists all sets of true hypotheses: exponential by definition",
    "five_by_two_cv": "takes ten numbers",
    "experiment": "runs the learners of the user",
    "from_cross_validate": "runs the estimators of the user",
    "planned_power": _STUDY,
    "power": _STUDY,
    "simulate": _STUDY,
    "validate": "checks pycompare itself",
}
"""Public functions that are not swept, and why."""
