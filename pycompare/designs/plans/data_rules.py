"""What a plan may not ask of the scores at hand: one rule per function."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

import numpy as np

from pycompare.base.errors import joined, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show_all, unknown_control
from pycompare.data.measures.loss import as_loss
from pycompare.data.missing import BOUNDS, MEANS_OF_SOME_FOLDS, OF_A_GATE
from pycompare.data.predictions import Predictions
from pycompare.data.reading.answers import NUMBERED
from pycompare.data.reading.levels import levels_apart
from pycompare.data.scores import Scores
from pycompare.data.strata import unfit_weights
from pycompare.designs.pair_methods import FLIPS
from pycompare.designs.plans.fields import DEFAULT_COMPARES, PlanFields
from pycompare.designs.plans.keys import PlanRule, broken, keys_of, rule
from pycompare.designs.plans.plan_rules import level_of_pairs
from pycompare.designs.plans.problems import PlanProblem
from pycompare.designs.plans.related_rules import (
    RELATED_RULES,
    most_shared_clusters,
    relates,
)
from pycompare.designs.quantity import TYPICAL_DIFFERENCE
from pycompare.kernels.new_answers import right_or_wrong as of_answers
from pycompare.kernels.signed_rank import MOST as MOST_BLOCKS
from pycompare.methods.cases.crossed_pairs import FEWEST_RUNS
from pycompare.methods.cases.these_items import FEWEST_ANSWERS
from pycompare.methods.pairs.closed_permutation import MOST as MOST_CLOSED
from pycompare.methods.pairs.overlap import MOST_FOLDS

Blocked = Scores | Predictions

_LEAST = 2
"""Data sets that a comparison over them needs."""
_FEWEST_ANSWERS = 20
"""Blocks whose scores of 0 and 1 are rather answers than data sets."""
_MOST_FOLDS = 10
"""Folds that are treated as one repetition if the plan does not say how many are."""


@rule("metrics")
def _metrics_that_are_not_there(plan: PlanFields, scores: Scores) -> str | None:
    """Reject metrics that these scores do not have."""
    names = [metric.name for metric in scores.metrics]
    absent = [name for name in plan.metrics if name not in names]
    if not absent:
        return None
    told = "; ".join(
        f"there is no metric {name!r}{nearest(name, names)}" for name in absent
    )
    return f"{told}; metrics: {', '.join(map(repr, names))}"


@rule("family")
def _family_of_groups(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to leave open which hypotheses of groups are adjusted together."""
    if plan.ranking is not None and plan.weights is None:
        return None  # has a rule of its own
    if scores.groups is None or plan.family is not None or plan.groups == "all":
        return None
    if plan.compares == "bayes":  # nothing is adjusted
        return None
    cases = plan.blocks_of(scores) == "cases"
    what = "cases" if cases else "data sets"
    together = (
        setting("groups", "all")
        + " (one benchmark, with a table of groups; with "
        + setting("weights", "equal")
        + " each group has the same weight), "
    )
    return (
        f"the {what} are in {counted(len(scores.group_names), 'group')}: set "
        + (together if cases else "")
        + setting("family", "metric")
        + " (each metric in each group is a family of its own) or "
        + setting("family", "all")
        + " (the pairs of all metrics and groups are one family)"
    )


@rule("family", "metrics")
def _family_of_one_table(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a family over metrics and groups if there is one of each."""
    apart = scores.groups is not None and plan.groups != "all"
    several = len(plan.metrics or scores.metrics) > 1 or apart
    if plan.family != "all" or several:
        return None
    return (
        setting("family", "all")
        + " is for several metrics, or groups of data sets; there is one "
        "metric and no group: leave it out"
    )


@rule("groups")
def _groups_that_are_not_there(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to choose between groups and all if no column names groups."""
    weighted = plan.weights is not None  # has a rule of its own
    if plan.groups == "each" or weighted or scores.group_names[1:]:
        return None
    if scores.groups is not None:
        if plan.groups == "all":  # what one group leaves open is said on the page
            return None
        return (
            setting("groups", plan.groups)
            + f": there is one group, {scores.group_names[0]!r}, "
            f"and all together are the same data sets once more: leave it out"
        )
    return (
        setting("groups", plan.groups)
        + " is for data sets or cases in groups, named by a column of "
        "their own (" + setting("group", ...) + "): leave it out"
    )


@rule("groups", "blocks")
def _data_sets_as_one_benchmark(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a benchmark of anything but cases."""
    if plan.groups != "all" or plan.blocks_of(scores) == "cases":
        return None
    return (
        setting("groups", "all")
        + " is for cases of one benchmark ("
        + setting("blocks", "cases")
        + "): set "
        + setting("groups", "each-and-all")
        + ", or leave the column of groups out"
    )


@rule("weights", "blocks")
def _weights_of_other_groups(plan: PlanFields, scores: Scores) -> str | None:
    """Reject weights that are not those of the benchmarks of cases."""
    if plan.weights is None:
        return None
    if plan.blocks_of(scores) != "cases":
        return (
            "weights are of benchmarks whose cases are compared: set "
            + setting("blocks", "cases")
            + ", or leave them out"
        )
    if scores.groups is not None and scores.clusters == scores.groups:
        return (
            "weights are of groups that are fixed, and here the groups are the "
            "clusters, a sample: leave the weights out, or the column of clusters ("
            + setting("cluster", ...)
            + ")"
        )
    return unfit_weights(plan.weights, scores.group_names)


@rule("blocks")
def _groups_of_folds(plan: PlanFields, scores: Scores) -> str | None:
    """Reject groups if the blocks are folds of one data set."""
    if scores.groups is None or plan.blocks_of(scores) != "folds":
        return None
    return (
        "groups are groups of data sets, and the blocks are folds of one data set: "
        "leave the column of groups out (" + setting("group", ...) + ")"
    )


@rule("groups", "blocks")
def _groups_too_small(plan: PlanFields, scores: Scores) -> str | None:
    """Reject groups with fewer data sets than a comparison over them needs."""
    pooled = plan.groups == "all" and plan.weights is None
    if scores.groups is None or plan.blocks_of(scores) == "folds" or pooled:
        return None
    owners = scores.datasets or scores.blocks
    sizes = Counter(dict(zip(owners, scores.groups, strict=True)).values())
    small = [repr(name) for name in scores.group_names if sizes[name] < _LEAST]
    if not small:
        return None
    what = "cases" if plan.blocks_of(scores) == "cases" else "data sets"
    return (
        f"{len(small)} of {len(sizes)} groups have fewer than {_LEAST} {what}, so "
        f"nothing can be compared over them: {', '.join(small)}; join them with other "
        f"groups, or leave them out"
    )


_OF_THE_WHOLE = {"family", "groups", "weights", "n_train", "n_test", "n_folds"}
"""Keys that are about all groups, not about one; sizes are of data sets of any."""


def group_problems(plan: PlanFields, scores: Scores) -> tuple[PlanProblem, ...]:
    """Return the requests of the plan that each group's scores cannot meet.

    ``plan`` is settled, and fits the scores as a whole.
    """
    return tuple(
        dataclasses.replace(problem, message=f"group {name!r}: " + problem.message)
        for name in (scores.group_names if plan.groups != "all" else ())
        for problem in broken(
            DATA_RULES, plan, scores.of_group(name), skip=_OF_THE_WHOLE
        )
    )


@rule("control")
def control_that_is_not_there(plan: PlanFields, scores: Blocked) -> str | None:
    """Reject a control that is no algorithm."""
    if plan.control is None or plan.control in scores.algorithms:
        return None
    return unknown_control(plan.control, scores.algorithms)


@rule("blocks", "average_folds")
def folds_of_several_data_sets(plan: PlanFields, scores: Blocked) -> str | None:
    """Reject folds of several data sets as blocks."""
    names, n = set(scores.datasets or ()), len(scores.blocks)
    blocks = plan.blocks_of(scores)
    dependent = blocks == "folds" or len(names) < n
    kept = plan.average_folds or blocks in ("folds-of-datasets", "cases")
    if kept or len(names) < 2 or not dependent:
        return None
    return (
        f"{len(names)} data sets with {n} folds: folds of one data set are not "
        "independent blocks for a test over data sets; set "
        + setting("blocks", "folds-of-datasets")
        + " "
        "to analyse each data set and compare over them, or "
        + setting("average_folds", True)
        + " to "
        "rank each data set's mean and nothing else"
    )


@rule("blocks")
def _right_and_wrong_answers(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to take 0/1 scores as those of data sets unless the plan states this."""
    several = scores.n_blocks >= _FEWEST_ANSWERS
    if plan.blocks_of(scores) != "datasets" or plan.blocks == "datasets" or not several:
        return None
    held = scores.values if scores.runs is None else scores.runs
    if scores.datasets is not None or not of_answers(held):
        return None
    return (
        f"all scores of {counted(scores.n_blocks, 'block')} are 0 or 1: set "
        + setting("blocks", "cases")
        + " if blocks are cases of one test set, answered right or wrong, or "
        + setting("blocks", "datasets")
        + " if they are independent data sets"
    )


@rule("blocks")
def folds_without_data_sets(plan: PlanFields, scores: Blocked) -> str | None:
    """Reject too few data sets, or folds, for tests within and over data sets."""
    if plan.blocks_of(scores) != "folds-of-datasets":
        return None
    counts = Counter(scores.datasets or ())
    if len(counts) < 2:
        return (
            setting("blocks", "folds-of-datasets")
            + " needs two data sets or more, named by a column "
            "of their own (" + setting("dataset", ...) + ")"
        )
    alone = [name for name, n in counts.items() if n == 1]
    if not alone:
        return None
    return (
        f"{len(alone)} data sets have one fold only, first {alone[0]!r}, and no test "
        "within one fold can be made: leave them out, or set "
        + setting("average_folds", True)
        + " to "
        "rank each data set's mean"
    )


@rule("blocks")
def _folds_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject folds of several data sets of which some lack a score."""
    if plan.blocks_of(scores) != "folds-of-datasets" or not gaps(plan, scores):
        return None
    return (
        "folds of several data sets need every algorithm on every fold: "
        + MEANS_OF_SOME_FOLDS
    )


@rule("blocks", "average_folds")
def one_data_set_for_all(plan: PlanFields, scores: Blocked) -> str | None:
    """Reject one data set if the plan needs many."""
    names = set(scores.datasets or ())
    if plan.average_folds and len(names) < 2:
        return (
            setting("average_folds")
            + " needs at least two data sets, named by a column of their "
            "own ("
            + setting("dataset", ...)
            + "); leave it out to compare over the blocks"
        )
    if plan.blocks != "datasets" or len(names) != 1:
        return None
    return (
        setting("blocks", "datasets")
        + f", and the data set column holds one, {names.pop()!r}, for "
        f"all {len(scores.blocks)} blocks: set "
        + setting("blocks", "folds")
        + ", or leave the data set "
        "column out if each block is a data set"
    )


@rule("blocks")
def _cases_of_several_data_sets(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to pool the items of several benchmarks."""
    names = set(scores.datasets or ())
    if plan.blocks != "cases" or len(names) < 2:
        return None
    return (
        f"{len(names)} data sets, whose cases are not pooled: name their column as "
        "groups ("
        + setting("group", ...)
        + ") to compare on each, or set "
        + setting("blocks", "datasets")
        + " and "
        + setting("average_folds", True)
        + " to compare over data sets"
    )


@rule("blocks")
def _cases_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject cases that some algorithm did not answer."""
    missing = gaps(plan, scores)
    if plan.blocks != "cases" or not missing or plan.ranking is not None:
        return None
    name, count = next(iter(missing.items()))
    return (
        f"{count} cells of {name!r} are missing, and cases are paired: read the scores "
        "with " + setting("missing", "drop-block") + " to compare on common cases"
    )


@rule("p_values", "blocks")
def _exact_p_values_of_cases(plan: PlanFields, scores: Scores) -> str | None:
    """Reject p-values that the tests of cases do not have."""
    if plan.blocks != "cases" or plan.p_values == "by-size":
        return None
    if plan.p_values == "approximate":
        return (
            setting("p_values", "approximate")
            + ": not for cases; the default, by-size, has score tests, exact if few "
            "cases need it"
        )
    if scores.clusters is not None:
        why = "cases in clusters have score tests at the effective size, or t tests"
    elif not right_or_wrong(scores, plan.metrics):
        why = "graded scores have t tests"
    else:
        return None
    return setting("p_values", plan.p_values) + f": {why}; leave it out"


@rule("level", "blocks", "weights")
def _level_of_pairs_alone(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a level if all intervals are of pairs: none has a level of its own."""
    if plan.weights is not None:
        return None
    if plan.blocks != "cases":
        return level_of_pairs(plan) if scores.n_algorithms == 2 else None
    names = plan.metrics or tuple(metric.name for metric in scores.metrics)
    accuracies = (
        scores.clusters is None
        and scores.runs is None
        and any(right_or_wrong(scores, (name,)) for name in names)
    )
    return None if accuracies else level_of_pairs(plan)


def right_or_wrong(scores: Scores, metrics: tuple[str, ...] = ()) -> bool:
    """Return whether all scores are 0 or 1; missing cells are neither."""
    names = metrics or tuple(metric.name for metric in scores.metrics)
    known = {metric.name for metric in scores.metrics}
    columns = [scores.column(name) for name in names if name in known]
    return all(map(of_answers, columns))


def answers_are_right_or_wrong(scores: Scores, metrics: tuple[str, ...] = ()) -> bool:
    """Return whether all answers are 0 or 1: scores, or the runs behind them."""
    if scores.runs is None:
        return right_or_wrong(scores, metrics)
    names = metrics or tuple(metric.name for metric in scores.metrics)
    at = [i for i, metric in enumerate(scores.metrics) if metric.name in names]
    return of_answers(scores.runs[:, :, at])


@rule("average_folds")
def _means_of_some_folds(plan: PlanFields, scores: Scores) -> str | None:
    """Reject means over folds of which some have no score."""
    if not plan.average_folds or scores.complete:
        return None
    return (
        setting("average_folds")
        + " needs every fold of every data set: "
        + MEANS_OF_SOME_FOLDS
    )


@rule("n_train", "n_test", "n_folds", "blocks")
def _sizes_of_other_data_sets(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a table of sizes that is not one of the data sets."""
    if plan.blocks_of(scores) != "folds-of-datasets":
        return None
    there = tuple(dict.fromkeys(scores.datasets or ()))
    for name in ("n_train", "n_test", "n_folds"):
        given = getattr(plan, name)
        if not isinstance(given, Mapping):
            continue
        absent = [dataset for dataset in given if dataset not in there]
        if absent:
            return (
                f"{name}: there is no data set {absent[0]!r}"
                f"{nearest(absent[0], there)}; data sets: {show_all(there)}"
            )
        without = [dataset for dataset in there if dataset not in given]
        if without:
            return (
                f"{name}: {len(without)} of {len(there)} data sets have no size, first "
                f"{without[0]!r}: wins on all of them are decided in the same way; "
                f"give each one's, or none"
            )
    return None


@rule("n_folds", "blocks")
def _no_whole_repetitions(plan: PlanFields, scores: Scores) -> str | None:
    """Reject folds of which the blocks are no whole repetitions."""
    if plan.n_folds is None or plan.blocks_of(scores) in ("datasets", "cases"):
        return None
    for name, count in Counter(scores.datasets or ("",) * scores.n_blocks).items():
        sizes = plan.sizes(name)
        n_folds = 1.0 if sizes is None else sizes["n_train"] + 1
        if n_folds > count:
            why = f"fewer than the {n_folds:g} folds of one repetition; give "
        elif count % n_folds and not scores.dropped.blocks:
            why = (
                f"no whole number of repetitions of {n_folds:g} folds; correct the "
                "number of folds, or give "
            )
        else:  # dropped blocks may have been the rest
            continue
        of = f"data set {name!r}" if name else "the data set"
        return (
            setting("n_folds")
            + f": {of} has {count} blocks, {why}"
            + setting("n_train")
            + " and "
            + setting("n_test")
            + " if folds were left out"
        )
    return None


@rule("n_folds", "protocol", "n_train", "blocks")
def _repetitions_of_unknown_size(plan: PlanFields, scores: Scores) -> str | None:
    """Reject many folds that may be one repetition of a cross-validation or several.

    50 folds of five repetitions treated as one: n_test/n_train is 1/49 if it is 1/9,
    and 27% of true hypotheses are rejected at 0.05.
    """
    open_ = plan.n_train is None and plan.n_folds is None
    if plan.protocol != "cross-validation" or not open_:
        return None
    if plan.blocks_of(scores) in ("datasets", "cases"):
        return None
    counts = Counter(scores.datasets or ("",) * scores.n_blocks)
    name, count = counts.most_common(1)[0]
    if count <= _MOST_FOLDS:
        return None
    of = f"data set {name!r}" if name else "the data set"
    return (
        setting("protocol", "cross-validation")
        + f": {of} has {count} folds, and the plan does not say how many of them are "
        "one repetition, on which the correction for shared training data depends: "
        "give them by "
        + setting("n_folds")
        + " (of five times 10-fold cross-validation: 10), or the sizes by "
        + setting("n_train")
        + " and "
        + setting("n_test")
    )


@rule("overlap", "n_folds", "protocol", "n_train", "n_test", "blocks")
def _many_folds_of_one_run(plan: PlanFields, scores: Scores) -> str | None:
    """Reject the enlarged overlap term of more folds than have been studied."""
    open_ = plan.n_train is None and plan.n_folds is None
    if plan.overlap != "enlarged" or open_ or plan.average_folds:
        return None
    if plan.blocks_of(scores) in ("datasets", "cases"):
        return None
    for name, count in Counter(scores.datasets or ("",) * scores.n_blocks).items():
        n_folds = plan.single_run(count, name)
        if n_folds is not None and n_folds > MOST_FOLDS:
            of = f"data set {name!r}" if name else "the data set"
            return (
                setting("overlap", "enlarged")
                + f": {of} has a single run of {n_folds} folds, and the enlarged "
                f"overlap term has been studied for up to {MOST_FOLDS}: set "
                + setting("overlap", 1)
                + " (as published), or repeat a cross-validation of fewer folds"
            )
    return None


@rule("cost_ratio", "loss", "metrics")
def _costs_of_counts_that_are_not_there(plan: PlanFields, scores: Scores) -> str | None:
    """Reject costs without the counts of the decisions that cost something."""
    if plan.cost_ratio is None and plan.loss is None:
        return None
    costs = as_loss(plan.cost_ratio, plan.loss)._asdict()
    counts = [name for name, cost in costs.items() if cost]
    names = [metric.name.casefold() for metric in scores.metrics]
    if len(plan.metrics or names) > 1 and all(names.count(n) == 1 for n in counts):
        return None
    return (
        setting("cost_ratio" if plan.loss is None else "loss")
        + " needs two metrics or more, "
        f"and the counts {' and '.join(map(repr, counts))} among those that were read: "
        f"{', '.join(m.name for m in scores.metrics)}"
    )


@rule("replicates")
def _runs_without_a_word(plan: PlanFields, scores: Scores) -> str | None:
    """Reject runs of which the plan says nothing, and a word if there are none."""
    if plan.replicates is not None and scores.replicates is None:
        return (
            setting("replicates", plan.replicates)
            + " is for scores with several runs of each "
            "algorithm on each block, and there is one score in each cell: leave it "
            "out, or name the column of runs (" + setting("replicate", ...) + ")"
        )
    if plan.replicates is not None or scores.replicates is None:
        return None
    fewest, most = scores.runs_per_cell
    if fewest < most:
        return (
            f"there are {fewest} to {most} runs of each algorithm on each block, and "
            "the plan does not say the treatment of them: set "
            + setting("replicates", "average")
            + " (each cell has the mean of its own runs), or read the scores with "
            + setting("missing", "drop-block")
        )
    return (
        f"there are {len(scores.replicates)} runs of each algorithm on each block, and "
        "the plan does not say the treatment of them: set "
        + setting("replicates", "keep")
        + " (adds "
        "an analysis of the runs) or "
        + setting("replicates", "average")
        + " (cell means and "
        "nothing else)"
    )


@rule("runs", "runs_scope", "blocks")
def _runs_of_cases(plan: PlanFields, scores: Scores) -> str | None:
    """Ask what runs of cases are; reject the answer if there are none."""
    if scores.judge is not None:  # runs are labels by several people
        return None
    has_runs = plan.blocks_of(scores) == "cases" and scores.replicates is not None
    if has_runs == (plan.runs is not None):
        return None
    if not has_runs:
        return (
            setting("runs", plan.runs)
            + " defines the runs of cases ("
            + setting("blocks", "cases")
            + ", with a column of runs): leave it out"
        )
    assert scores.replicates is not None
    return (
        f"there are {len(scores.replicates)} runs of each case, and nothing in the "
        "scores shows whether all cases share them: set "
        + setting("runs", "samples")
        + " (answers drawn anew for each case), or "
        + setting("runs", "prompts")
        + ", judges or trainings (the same ones for all cases) with "
        + setting("runs_scope", "fixed")
        + " (these only) or "
        + setting("runs_scope", "sampled")
        + " (others like them, too)"
    )


@rule("items_scope", "answers", "runs", "blocks")
def _answers_to_items(plan: PlanFields, scores: Scores) -> str | None:
    """Reject statements about answers to cases that do not fit the scores."""
    fixed, never = plan.items_scope == "fixed", plan.answers != "drawn"
    if not fixed and not never:
        return None
    stated = (
        setting("items_scope", "fixed") if fixed else setting("answers", plan.answers)
    )
    if plan.blocks_of(scores) != "cases":
        return (
            stated + " is of items of one test set (" + setting("blocks", "cases") + ")"
            ": leave it out"
        )
    if never and scores.runs is not None:
        return stated + ": items have several answers; leave it out"
    if not fixed and (plan.weights is not None or plan.groups != "each"):
        return stated + ": not available for all groups together; leave it out"
    if not fixed:
        return None
    if scores.runs is None or scores.runs_per_cell[0] < FEWEST_ANSWERS:
        return (
            stated + " takes two answers to each item or more (replicate): with one "
            "the spread of answers cannot be separated from that of items"
        )
    if plan.margin is not None:
        return (
            "margin: a margin for just these items is tested by pycompare gate; leave "
            "it out, or set " + setting("items_scope", "sampled")
        )
    return None


@rule("runs")
def _shared_runs_without_labels(plan: PlanFields, scores: Scores) -> str | None:
    """Reject runs that all cases share and no column distinguishes."""
    if not plan.crosses_runs or NUMBERED["replicate"] not in scores.notes:
        return None
    return (
        setting("runs", plan.runs)
        + f": which of the {plan.runs} a row is of is not known, because runs are "
        "numbered in the order of the rows of each cell: name their column ("
        + setting("replicate", ...)
        + "), or set "
        + setting("runs", "samples")
    )


@rule("blocks")
def _bounds_without_gate(_: PlanFields, scores: Scores) -> str | None:
    """Reject scores whose gaps only a gate can bound."""
    return OF_A_GATE if scores.missing == BOUNDS else None


@rule("runs")
def _shared_runs_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject runs that all cases share if some cases lack them."""
    fewest, most = scores.runs_per_cell
    if not plan.crosses_runs or fewest == most:
        return None
    return (
        setting("runs", plan.runs)
        + f": every case needs a score of all {most} {plan.runs}, and cells have "
        f"{fewest} to {most} of them; read the scores with "
        + setting("missing", "drop-block")
        + ", or score the missing ones"
    )


@rule("runs_scope", "metrics")
def _few_sampled_runs(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to generalise from two runs, or from items that depend on each other."""
    runs = scores.replicates
    if plan.runs_scope != "sampled" or runs is None:
        return None
    if scores.clusters is not None:
        return (
            setting("runs_scope", "sampled")
            + ": its tests assume independent cases, and these are in clusters: set "
            + setting("runs_scope", "fixed")
        )
    if len(runs) >= FEWEST_RUNS:
        return None
    return (
        setting("runs_scope", "sampled")
        + f": {len(runs)} {plan.runs} cannot stand for others; it takes {FEWEST_RUNS}. "
        "Set "
        + setting("runs_scope", "fixed")
        + f" to conclude about these {plan.runs}"
    )


@rule("replicates", "metrics")
def _runs_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to keep runs if cells have none."""
    missing = gaps(plan, scores)
    if plan.replicates != "keep" or scores.replicates is None:
        return None
    fewest, most = scores.runs_per_cell
    if fewest < most:
        return (
            "the analysis of runs ("
            + setting("replicates", "keep")
            + f") needs as many runs in every cell, and cells have {fewest} to {most}; "
            "set "
            + setting("replicates", "average")
            + ", or read the scores with "
            + setting("missing", "drop-block")
        )
    if not missing:
        return None
    return (
        "the analysis of runs ("
        + setting("replicates", "keep")
        + ") needs runs in every cell, and cells "
        f"of {next(iter(missing))!r} are missing; read the scores with "
        + setting("missing", "drop-block")
        + ", or set "
        + setting("replicates", "average")
    )


@rule("decimals", "monotone", "std_error", "compares")
def _nothing_is_ranked(plan: PlanFields, scores: Scores) -> str | None:
    """Reject options of mean ranks if two algorithms are compared."""
    if scores.n_algorithms > 2:
        return None
    if plan.compares == "ranks":
        return (
            setting("compares", "ranks")
            + ": mean ranks are of three algorithms or more, and there are two; leave "
            "it out"
        )
    if plan.decimals is not None:
        return (
            "decimals rounds scores before algorithms are ranked; two algorithms are "
            "compared by their differences: leave it out, or round the scores"
        )
    if plan.monotone:
        return "monotone is for mean ranks of three algorithms or more; leave it out"
    if plan.std_error != "permutation":
        return "std_error is for mean ranks of three algorithms or more; leave it out"
    return None


@rule("assumes")
def _assumption_of_one_pair(plan: PlanFields, scores: Scores) -> str | None:
    """Reject the choice of an assumption if there is one test."""
    if plan.assumes is None or scores.n_algorithms > 2:
        return None
    return (
        setting("assumes", plan.assumes)
        + " chooses the tests of three algorithms or more; two are compared by a "
        "signed rank test, which assumes symmetry: leave it out"
    )


@rule("compares")
def _typical_differences_of_so_many(plan: PlanFields, scores: Scores) -> str | None:
    """Reject more data sets than the means of each two differences are made of."""
    blocks = plan.blocks_of(scores)
    over_data_sets = blocks in ("datasets", "folds-of-datasets") and not plan.sweeps
    typical = plan.compares in (None, "typical-difference")
    n = blocks_compared(plan, scores) if over_data_sets else 0
    if not typical or scores.n_algorithms == 2 or n <= MOST_BLOCKS:
        return None
    return (
        f"there are {n} data sets, and typical differences are estimated from at most "
        f"{MOST_BLOCKS}: set "
        + setting("compares", "means")
        + " or "
        + setting("compares", "ranks")
    )


@rule("adjust")
def _adjustment_of_one_pair(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to adjust if there is one comparison."""
    alone = scores.n_algorithms == 2 and plan.family != "all"
    if not alone or plan.adjust in ((), plan.defaults):
        return None
    return (
        f"adjust: {', '.join(plan.adjust)}: two algorithms are one comparison on each "
        f"metric, and nothing is adjusted; leave it out"
    )


@rule("adjust", "metrics")
def _flips_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject flips and permutations of blocks that lack a score."""
    missing = gaps(plan, scores)
    flips = [n for n in plan.adjust if n in FLIPS and n != "step-down-flips"]
    if not missing or not flips or plan.adjust == plan.defaults:
        return None
    return (
        f"adjust: {', '.join(flips)}: whole blocks are flipped or permuted, and cells "
        f"of {next(iter(missing))!r} are missing; read the scores with "
        + setting("missing", "drop-block")
        + ", or choose holm"
    )


@rule("adjust")
def _closed_test_of_so_many(plan: PlanFields, scores: Blocked) -> str | None:
    """Reject to list the subsets of too many algorithms."""
    planned = "closed-permutation" in plan.adjust and plan.adjust != plan.defaults
    a = len(scores.algorithms)
    if not planned or a <= MOST_CLOSED:
        return None
    return (
        f"adjust: closed-permutation lists the subsets of at most {MOST_CLOSED} "
        f"algorithms, and there are {a}; choose sign-flips or max-t"
    )


@rule("omnibus", "gate")
def _no_test_of_all(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a choice of omnibus test, or a gate, if there is no such test."""
    if plan.gate == "omnibus" and _two_on_blocks(plan, scores):
        return (
            setting("gate", "omnibus")
            + ": two algorithms are compared by one test; leave it out"
        )
    if plan.omnibus is None:
        return None
    if scores.n_algorithms == 2:
        return "omnibus: two algorithms are compared by one test; leave it out"
    if gaps(plan, scores) and plan.omnibus not in ("friedman", "anova"):
        return (
            setting("omnibus", plan.omnibus)
            + " needs every algorithm on every block; read the "
            "scores with " + setting("missing", "drop-block") + ", or leave it out"
        )
    if plan.omnibus == "huynh-feldt" and _n_blocks_of(plan, scores) < 3:
        return (
            setting("omnibus", "huynh-feldt") + " needs three blocks, and there are two"
        )
    return None


@rule("blocks")
def _two_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject blocks that lack one of two algorithms."""
    missing = gaps(plan, scores)
    if not missing or not _two_on_blocks(plan, scores):
        return None
    name, count = next(iter(missing.items()))
    return (
        f"{counted(count, 'cell')} of {name!r} {'is' if count == 1 else 'are'} "
        "missing: a block without one of the two algorithms gives no difference; "
        "read the scores with " + setting("missing", "drop-block")
    )


@rule("std_error")
def _textbook_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject the textbook's standard error if cells are missing."""
    missing = gaps(plan, scores)
    if plan.std_error != "textbook" or not missing or _two_on_blocks(plan, scores):
        return None
    return (
        setting("std_error", "textbook")
        + f": cells of {next(iter(missing))!r} are missing, and mean ranks adjusted "
        "for them have no textbook standard error; leave it out, or read the scores "
        "with " + setting("missing", "drop-block")
    )


@rule("p_values")
def _exact_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject exact p-values of ranks if cells are missing."""
    missing = gaps(plan, scores)
    if plan.p_values != "exact" or not missing or _two_on_blocks(plan, scores):
        return None
    return (
        f"exact p-values need a complete table, cells of {next(iter(missing))!r} are "
        "missing; use "
        + setting("p_values", "by-size")
        + ", or read the scores with "
        + setting("missing", "drop-block")
    )


@rule("together", "metrics")
def _too_few_folds_for_all_metrics(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a required multivariate analysis that cannot be."""
    blocks = plan.blocks_of(scores)
    if plan.together != "required" or blocks in ("datasets", "cases"):
        return None
    p, a, n = len(plan.metrics or scores.metrics), scores.n_algorithms, scores.n_blocks
    if p < 2:
        return (
            setting("together", "required")
            + " needs at least two metrics; there is one"
        )
    # A cell counts where all metrics have a score; T2 of pairs has n - 1 degrees.
    cells = int((~np.isnan(scores.values).any(axis=2)).sum())
    if blocks == "folds-of-datasets":
        n = len(set(scores.datasets or ()))
        cells = n * a
    df = cells - a - n + 1
    if min(df, n - 1) >= p:
        return None
    what = "folds" if blocks == "folds" else "data sets"
    return (
        setting("together", "required")
        + f": {n} {what} of {a} algorithms leave {df} error degrees "
        f"of freedom ({n - 1} for each pair), fewer than the {p} metrics; plan "
        "fewer metrics or more folds, or set " + setting("together", "if-possible")
    )


def _two_on_blocks(plan: PlanFields, scores: Scores) -> bool:
    """Return whether the analysis is that of two algorithms on common blocks."""
    several = plan.blocks_of(scores) == "folds-of-datasets"
    return scores.n_algorithms == 2 and not several


def _n_blocks_of(plan: PlanFields, scores: Scores) -> int:
    """Return the blocks of the test of the primary analysis."""
    several = plan.blocks_of(scores) == "folds-of-datasets" and plan.compares != "model"
    return len(set(scores.datasets or ())) if several else scores.n_blocks


def blocks_compared(plan: PlanFields, scores: Scores | Predictions) -> int:
    """Return how many independent blocks are compared over, in the smallest group.

    With missing cells typical differences of two algorithms are compared over the
    blocks that both have: the most that two have. Data sets in clusters are treated as
    clusters.
    """
    if isinstance(scores, Scores) and scores.groups is not None:
        shared = plan.quantity == TYPICAL_DIFFERENCE and bool(gaps(plan, scores))
        if shared or relates(plan, scores):
            parts = map(scores.of_group, scores.group_names)
            return min(blocks_compared(plan, part) for part in parts)
    if isinstance(scores, Scores) and relates(plan, scores):
        if gaps(plan, scores):
            return most_shared_clusters(scores)
        return len(set(scores.clusters or ()))
    typical = plan.quantity == TYPICAL_DIFFERENCE
    if typical and isinstance(scores, Scores) and gaps(plan, scores):
        return _most_shared(scores)
    owners = scores.datasets if scores.datasets is not None else scores.blocks
    if plan.blocks_of(scores) in ("datasets", "cases") and not plan.average_folds:
        owners = scores.blocks
    groups = scores.groups if isinstance(scores, Scores) else None
    if groups is None or (plan.groups == "all" and plan.weights is None):
        return len(set(owners))
    sizes = Counter(dict(zip(owners, groups, strict=True)).values())
    return min(sizes.values())


def _most_shared(scores: Scores) -> int:
    """Return the largest number of blocks that two algorithms have, in every metric."""
    has = np.asarray(~np.isnan(scores.values).any(axis=2))
    shared = (has[:, :, None] & has[:, None, :]).sum(axis=0)
    return int(np.max(shared[np.triu_indices(len(shared), 1)], initial=0))


def gaps(plan: PlanFields, scores: Scores) -> dict[str, int]:
    """Return how many cells have no score, of the planned metrics that have such.

    Beside a judge, items that nobody labelled are no gaps.
    """
    if scores.judge is not None:
        return {}
    counts = np.isnan(scores.values).sum(axis=(0, 1)).tolist()
    names = [metric.name for metric in scores.metrics]
    wanted = plan.metrics or tuple(names)
    by_metric = dict(zip(names, counts, strict=True))
    return {name: n for name, n in by_metric.items() if n and name in wanted}


@rule(
    *("margin", "gate", "omnibus", "adjust", "alpha", "level", "p_values"),
    *(
        "std_error",
        "decimals",
        "monotone",
        "together",
        "seed",
        "protocol",
        "n_train",
        "n_test",
    ),
)
def _tests_of_estimates(plan: PlanFields) -> str | None:
    """Reject settings that only tests have if folds have estimates only."""
    given = {
        "margin": plan.margin is not None,
        "gate": plan.gate == "omnibus",
        "omnibus": plan.omnibus is not None,
        "adjust": plan.adjust != plan.defaults,
        "alpha": plan.alpha != keys_of(PlanFields)["alpha"].default,
        "level": plan.level not in (None, 1 - plan.alpha),
        "p_values": plan.p_values != "by-size",
        "std_error": plan.std_error != "permutation",
        "decimals": plan.decimals is not None,
        "monotone": plan.monotone,
        "together": plan.together == "required",
        "seed": plan.seed not in (None, 0),
    }
    planned = [name for name, stated in given.items() if stated]
    other = plan.generalise is not None or plan.compares == "bayes"
    other = other or plan.ranking is not None
    if plan.claims or other or not planned:
        return None
    return (
        setting(planned[0], getattr(plan, planned[0]))
        + ": nothing is tested, because folds share training data, and the plan has no "
        "sizes: give "
        + setting("n_train", ...)
        + " and "
        + setting("n_test", ...)
        + " (or "
        + setting("n_folds", ...)
        + "), state how the folds were made ("
        + setting("protocol", ...)
        + "), or leave it out"
    )


CLAIM_RULES: tuple[PlanRule, ...] = (_tests_of_estimates,)
"""Each takes a plan of known blocks and returns the problem and its remedy, or None."""


@rule("scale", "compares", "blocks")
def _differences_of_several_units(plan: PlanFields, scores: Scores) -> str | None:
    """Ask how scores are compared whose level differs by 1,000 times between blocks.

    Scores on both sides of 0 have no level, and none is asked about. Groups that are
    compared separately are asked about one by one.
    """
    over_data_sets = plan.blocks_of(scores) in ("datasets", "folds-of-datasets")
    of_differences = plan.compares in (None, DEFAULT_COMPARES, "bayes")
    stated = plan.scale is not None or not of_differences
    within_groups = scores.groups is not None and plan.groups == "each"
    if not over_data_sets or stated or plan.sweeps or within_groups:
        return None
    for metric in scores.metrics:
        values = scores.column(metric.name)
        if (plan.metrics and metric.name not in plan.metrics) or np.any(values < 0):
            continue
        if said := levels_apart(values, metric):
            ways = [setting("scale", "ratio") + " (their logarithms)"]
            if np.any(values == 0):
                ways = []
            if scores.n_algorithms > 2:
                ways.append(setting("compares", "ranks") + " (ranks within data sets)")
            one_unit = setting("scale", "difference") + " if one unit holds for all"
            return f"levels: {said}; set " + joined(", or ", [*ways, one_unit])
    return None


DATA_RULES: tuple[PlanRule, ...] = (
    _metrics_that_are_not_there,
    _bounds_without_gate,
    _family_of_groups,
    _family_of_one_table,
    _groups_that_are_not_there,
    _data_sets_as_one_benchmark,
    _weights_of_other_groups,
    _groups_of_folds,
    _groups_too_small,
    control_that_is_not_there,
    folds_of_several_data_sets,
    _right_and_wrong_answers,
    folds_without_data_sets,
    _folds_with_gaps,
    one_data_set_for_all,
    _cases_of_several_data_sets,
    _cases_with_gaps,
    *RELATED_RULES,
    _exact_p_values_of_cases,
    _level_of_pairs_alone,
    _means_of_some_folds,
    _sizes_of_other_data_sets,
    _no_whole_repetitions,
    _repetitions_of_unknown_size,
    _many_folds_of_one_run,
    _costs_of_counts_that_are_not_there,
    _runs_without_a_word,
    _runs_of_cases,
    _answers_to_items,
    _shared_runs_without_labels,
    _shared_runs_with_gaps,
    _few_sampled_runs,
    _runs_with_gaps,
    _nothing_is_ranked,
    _assumption_of_one_pair,
    _typical_differences_of_so_many,
    _adjustment_of_one_pair,
    _flips_with_gaps,
    _closed_test_of_so_many,
    _no_test_of_all,
    _two_with_gaps,
    _textbook_with_gaps,
    _exact_with_gaps,
    _too_few_folds_for_all_metrics,
    _differences_of_several_units,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""
