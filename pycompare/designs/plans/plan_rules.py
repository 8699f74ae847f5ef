"""Rules of a plan, whatever the scores are: one rule per function."""

from __future__ import annotations

from collections.abc import Mapping

from pycompare.base.errors import setting
from pycompare.base.hypotheses import SYMMETRY, SYMMETRY_OF_EXCHANGEABLE, WINNING
from pycompare.designs.known import CASES
from pycompare.designs.pair_methods import (
    ALL_PAIRS,
    CASES_ALL_PAIRS,
    CONTROL,
    FIGURES_CONTROL,
    FLIPS,
    MANY_TO_ONE,
    MEANS,
    OF_FRIEDMAN,
    OF_TYPICAL_DIFFERENCES,
    SIGNS,
    TYPICAL,
    draws,
    for_means,
    for_ranks,
    needs_all_pairs,
    one_table_only,
)
from pycompare.designs.plans.fields import PlanFields, without_use
from pycompare.designs.plans.keys import PlanRule, rule
from pycompare.designs.plans.statements import statements_of_no_margin
from pycompare.designs.quantity import OF_CASES, RANKS, TYPICAL_DIFFERENCE, WINS
from pycompare.methods.pairs.equivalence import wrong_hypothesis
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS
from pycompare.results.adjust import adjustment, unfit

_ONE_NUMBER = "hypotheses for which A = B and B = C imply A = C"


@rule("n_train", "n_test")
def _one_size_alone(plan: PlanFields) -> str | None:
    """Reject the size of one set without the other's."""
    if (plan.n_train is None) == (plan.n_test is None):
        return None
    return (
        "give both " + setting("n_train") + " and " + setting("n_test") + ", or neither"
    )


@rule("alpha", "margin", "margin_alpha")
def _margin_at_large_alpha(plan: PlanFields) -> str | None:
    """Reject an alpha at which no margin can be tested."""
    if plan.margin is None or plan.margin_error < 0.5:
        return None
    return setting("alpha", plan.alpha) + ": a margin needs an alpha below 0.5"


@rule("adjust")
def _no_adjustment_decides(plan: PlanFields) -> str | None:
    """Reject a primary analysis without adjustment."""
    if plan.adjust[:1] != ("none",) or plan.ranking == "test-then-rank":
        return None
    return (
        "adjust: 'none' cannot be the primary analysis of several comparisons; put an "
        "adjustment first"
    )


@rule("monotone", "adjust", "control")
def _monotone_without_its_method(plan: PlanFields) -> str | None:
    """Reject settings that are for Bergmann-Hommel alone, without it."""
    absent = plan.adjust and "bergmann-hommel" not in plan.adjust
    if not plan.monotone or not (absent or plan.control is not None):
        return None
    return "monotone is for 'bergmann-hommel', which is not in adjust"


@rule("adjust", "control")
def _pairs_against_a_control(plan: PlanFields) -> str | None:
    """Reject methods for all pairs against a control, and the other way round."""
    wrong = [name for name in plan.adjust if needs_all_pairs(name)]
    if plan.control is not None and wrong:
        known = CONTROL if plan.generalise is None else FIGURES_CONTROL
        return (
            f"adjust: made for all pairs, not for comparisons with the control "
            f"{plan.control!r}: {', '.join(wrong)}; choose {', '.join(known)} or "
            f"another one for any family"
        )
    against = [name for name in plan.adjust if name in MANY_TO_ONE]
    if plan.control is None and against:
        return f"adjust: {', '.join(against)} compares with a control; name one"
    return None


@rule("adjust", "family")
def _methods_of_one_table(plan: PlanFields) -> str | None:
    """Reject methods that rest on one table, if the family is of several."""
    if plan.family != "all":
        return None
    reasons = {name: one_table_only(name) for name in plan.adjust}
    wrong = [f"{name} {why}" for name, why in reasons.items() if why is not None]
    if not wrong and {"sign-flips", "holm"} <= set(plan.adjust):
        return (
            "adjust: with "
            + setting("family", "all")
            + " sign-flips are adjusted by Holm, as holm is: leave one of them out"
        )
    if not wrong:
        return None
    return (
        "adjust: with "
        + setting("family", "all")
        + " the p-values of several tables are adjusted "
        f"together, and {'; '.join(wrong)}; choose holm, bonferroni or another name "
        f"for any family"
    )


@rule("adjust", "blocks", "compares")
def _methods_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject methods for means over data sets, and for mean ranks over folds."""
    wrong = [name for name in plan.adjust if not for_ranks(name)]
    if plan.blocks == "by-columns":
        return None
    if plan.quantity == OF_CASES:
        return _of_cases(plan)
    flips = [name for name in plan.adjust if name in FLIPS]
    if plan.quantity == WINS:
        return _of_sign_tests(plan, [*wrong, *flips])
    if plan.quantity == TYPICAL_DIFFERENCE:
        return _of_typical_differences(plan)
    if flips and (plan.blocks == "folds" or plan.compares == "model"):
        return (
            f"adjust: {', '.join(flips)}: flips and permutations need independent "
            f"blocks, and folds of a data set share training data; over data sets "
            f"("
            + setting("blocks", "datasets")
            + ") they can be chosen, over folds choose holm or bergmann-hommel"
        )
    if plan.quantity == RANKS and wrong:
        return (
            f"adjust: {', '.join(wrong)}: not for mean ranks; choose "
            f"{', '.join(ALL_PAIRS)}, or set "
            + setting(
                "compares", "means" if wrong[0] in MEANS else "typical-difference"
            )
        )
    of_ranks = [name for name in plan.adjust if not for_means(name)]
    if plan.quantity.of_means and of_ranks:
        return (
            f"adjust: {of_ranks[0]} compares mean ranks over data sets "
            "(" + setting("blocks", "datasets") + "); for means choose tukey"
        )
    return None


def _of_cases(plan: PlanFields) -> str | None:
    """Reject methods that cases do not have."""
    of_others = [name for name in FLIPS if name != "max-t"]
    others = (*MEANS, *of_others, "nemenyi")
    wrong = [name for name in plan.adjust if name in others]
    if not wrong:
        return None
    return (
        f"adjust: {', '.join(wrong)}: not for cases; choose "
        f"{', '.join(CASES_ALL_PAIRS)} or another name for any family"
    )


def _of_typical_differences(plan: PlanFields) -> str | None:
    """Reject methods of mean ranks and means, and those of transitive hypotheses."""
    if plan.control is not None and "closed-permutation" in plan.adjust:
        return (
            "adjust: closed-permutation is for all pairs of typical differences, not "
            f"for comparisons with the control {plan.control!r}: choose holm or "
            "step-down-flips"
        )
    if plan.assumes == "symmetry" and "closed-permutation" in plan.adjust:
        return (
            "adjust: closed-permutation assumes that equal algorithms are "
            "exchangeable, and "
            + setting("assumes", "symmetry")
            + ": choose holm or step-down-flips"
        )
    hypotheses = SYMMETRY
    if plan.assumes == "exchangeability":
        hypotheses = SYMMETRY_OF_EXCHANGEABLE
    for name in plan.adjust:
        if name in MEANS:
            return (
                f"adjust: {name} compares means over data sets: set "
                + setting("compares", "means")
                + f", or choose {', '.join(TYPICAL)}"
            )
        if name in OF_TYPICAL_DIFFERENCES:
            continue
        of_ranks = name in FLIPS or name == "nemenyi"
        if of_ranks or unfit(adjustment(name), hypotheses) is not None:
            what = "compares mean ranks" if of_ranks else f"needs {_ONE_NUMBER}"
            or_else = "" if of_ranks else setting("assumes", "exchangeability") + " or "
            return (
                f"adjust: {name} {what}: set {or_else}"
                + setting("compares", "ranks")
                + f", or choose {', '.join(TYPICAL)}"
            )
    return None


def _of_sign_tests(plan: PlanFields, others: list[str]) -> str | None:
    """Reject methods of their own, and those that sign tests of wins do not allow."""
    if others:
        return (
            f"adjust: {', '.join(others)}: not for sign tests of wins, which have "
            f"p-values to adjust; choose {', '.join(SIGNS)}"
        )
    reasons = {name: unfit(adjustment(name), WINNING) for name in plan.adjust}
    wrong = [f"{name} {why}" for name, why in reasons.items() if why is not None]
    return f"adjust: {'; '.join(wrong)}" if wrong else None


@rule("n_train", "n_test", "blocks")
def _sizes_over_data_sets(plan: PlanFields) -> str | None:
    """Reject sizes of overlapping training sets for independent blocks."""
    return _for_folds_only(
        plan,
        plan.n_train is not None and plan.n_test is not None,
        setting("n_train")
        + " and "
        + setting("n_test")
        + " correct for training data that folds of one data set "
        "share, and the blocks are assumed to be independent data sets",
    )


@rule("seed", "blocks", "adjust")
def _seed_over_data_sets(plan: PlanFields) -> str | None:
    """Reject a seed if nothing is random."""
    return _for_folds_only(
        plan,
        plan.seed is not None
        and not plan.posterior_draws
        and not any(map(draws, plan.adjust)),
        "seed is for folds of one data set: nothing is random in the pairs of "
        "independent data sets, which the blocks are assumed to be (Friedman's test of "
        "few blocks has the seed 0)",
    )


@rule("together", "blocks")
def _together_over_data_sets(plan: PlanFields) -> str | None:
    """Reject a multivariate analysis of variance for independent blocks."""
    return _for_folds_only(
        plan,
        plan.together != "if-possible",
        "together is for several metrics on folds of one data set, and the blocks are "
        "assumed to be independent data sets",
    )


def _for_folds_only(plan: PlanFields, given: bool, why: str) -> str | None:
    """Reject settings that only folds of one data set have a use for."""
    if plan.blocks != "datasets" or not given:
        return None
    return f"{why}; set " + setting("blocks", "folds") + " if the blocks are folds"


@rule("compares", "blocks")
def _quantity_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject to choose between quantities that there are not."""
    of_folds = plan.compares in ("wins", "model")
    if plan.compares is None or plan.blocks in ("by-columns", "folds-of-datasets"):
        return None
    if plan.blocks == "datasets" and not of_folds:
        return None
    if plan.compares == "bayes" and plan.blocks == "folds":
        return None
    where = "folds of several data sets" if of_folds else "comparisons over data sets"
    return (
        setting("compares", plan.compares)
        + f" is for {where}, and "
        + setting("blocks", plan.blocks)
        + ": leave it out"
    )


@rule("assumes", "blocks", "compares")
def _assumption_of_other_quantities(plan: PlanFields) -> str | None:
    """Reject an assumption of typical differences if others are compared."""
    return _of_typical_differences_only(plan, "assumes")


@rule("scale", "blocks", "compares")
def _scale_of_other_quantities(plan: PlanFields) -> str | None:
    """Reject a scale of typical differences if others are compared."""
    return _of_typical_differences_only(plan, "scale")


def _of_typical_differences_only(plan: PlanFields, name: str) -> str | None:
    """Reject a key of typical differences if others are compared."""
    given, open_blocks = getattr(plan, name), plan.blocks == "by-columns"
    if given is None or (open_blocks and plan.compares is None and not plan.sweeps):
        return None
    if plan.quantity == TYPICAL_DIFFERENCE:
        return None
    return (
        setting(name, given)
        + " is of typical differences over data sets ("
        + setting("compares", "typical-difference")
        + "): leave it out"
    )


@rule("compares", "blocks", "std_error", "monotone", "p_values", "gate", "level")
def _keys_without_typical_differences(plan: PlanFields) -> str | None:
    """Reject settings that only another quantity has if typical differences decide."""
    over_data_sets = plan.blocks in ("datasets", "folds-of-datasets")
    if not over_data_sets or plan.quantity != TYPICAL_DIFFERENCE:
        return None
    of_ranks = {
        "std_error": plan.std_error != "permutation",
        "monotone": plan.monotone,
        "p_values": plan.p_values != "by-size",
    }
    given = [name for name, stated in of_ranks.items() if stated]
    if given:
        return (
            setting(given[0], getattr(plan, given[0]))
            + " is of mean ranks: set "
            + setting("compares", "ranks")
            + ", or leave it out"
        )
    if plan.gate == "omnibus":
        return (
            setting("gate", "omnibus")
            + ": typical differences have no test of all algorithms: set "
            + setting("compares", "means")
            + " or "
            + setting("compares", "ranks")
            + ", or leave it out"
        )
    return level_of_pairs(plan)


def level_of_pairs(plan: PlanFields) -> str | None:
    """Reject a level if no interval of the analysis has one of its own."""
    if plan.level is None or plan.level == 1 - plan.alpha or plan.bayes is not None:
        return None
    return (
        setting("level", plan.level)
        + ": each interval has the level at which its pair is decided, which "
        + setting("alpha", ...)
        + " gives; leave it out"
    )


@rule("level", "generalise", "theta")
def _level_without_what_describes(plan: PlanFields) -> str | None:
    """Reject a level if all intervals are of pairs."""
    only_pairs = plan.sweeps or plan.generalise is not None
    return level_of_pairs(plan) if only_pairs else None


@rule("cost_ratio", "loss")
def _costs_in_two_ways(plan: PlanFields) -> str | None:
    """Reject a cost ratio and a loss matrix together."""
    if plan.cost_ratio is None or plan.loss is None:
        return None
    return (
        "give "
        + setting("cost_ratio")
        + " or "
        + setting("loss")
        + ", not both: the loss is [[0, cost_ratio], [1, 0]]"
    )


@rule("cost_ratio", "loss", "blocks", "together")
def _costs_without_wins(plan: PlanFields) -> str | None:
    """Reject costs if no wins are counted by them."""
    given = plan.cost_ratio is not None or plan.loss is not None
    if not given or plan.blocks == "by-columns":
        return None
    if plan.blocks == "folds-of-datasets" and plan.together != "no":
        return None
    name = "loss" if plan.cost_ratio is None else "cost_ratio"
    return (
        f"{name} counts wins of several metrics together over folds of several data "
        "sets; leave it out"
    )


@rule("average_folds", "blocks", "compares")
def _average_of_folds_that_are_kept(plan: PlanFields) -> str | None:
    """Reject to average folds and to compare them."""
    if not plan.average_folds:
        return None
    if plan.blocks == "folds-of-datasets":
        return (
            setting("average_folds")
            + " makes each data set one block, and "
            + setting("blocks", "folds-of-datasets")
            + " keeps its folds: leave one of them out"
        )
    if plan.compares in ("wins", "model"):
        return (
            setting("average_folds")
            + " compares data sets' means alone, and "
            + setting("compares", plan.compares)
            + " needs their folds: leave one of them out"
        )
    return None


@rule("average_folds", "replicates")
def _runs_of_folds_that_are_averaged(plan: PlanFields) -> str | None:
    """Reject to average folds and to keep their runs."""
    if not plan.average_folds or plan.replicates != "keep":
        return None
    return (
        setting("average_folds")
        + " makes one mean of a data set's folds and runs, and "
        + setting("replicates", "keep")
        + " analyses the runs: set "
        + setting("replicates", "average")
        + ", or leave "
        + setting("average_folds")
        + " out"
    )


@rule("n_train", "n_test", "n_folds", "blocks")
def _sizes_by_data_set(plan: PlanFields) -> str | None:
    """Reject a table of sizes for one data set."""
    given = (plan.n_train, plan.n_test, plan.n_folds)
    tables = any(isinstance(sizes, Mapping) for sizes in given)
    if plan.blocks != "folds" or not tables:
        return None
    return (
        "a table of sizes is for folds of several data sets, and the blocks are folds "
        "of one: give one number for "
        + setting("n_train")
        + " and one for "
        + setting("n_test")
    )


@rule("protocol", "n_train", "n_test")
def _sizes_of_one_test_set(plan: PlanFields) -> str | None:
    """Reject a correction that does not hold for one test set."""
    if plan.protocol != "held-out" or (plan.n_train is None and plan.n_test is None):
        return None
    return (
        setting("n_train")
        + " and "
        + setting("n_test")
        + " correct for training sets that overlap if test sets "
        "change, and "
        + setting("protocol", "held-out")
        + " has one test set for all training sets: about "
        "other cases the corrected t test then rejects almost always (98% of true "
        "nulls in our study); leave the sizes out, and for new cases compare the "
        "predictions (" + setting("generalise", "both") + ")"
    )


@rule("protocol", "n_train", "n_test")
def _sizes_of_disjoint_sets(plan: PlanFields) -> str | None:
    """Reject a correction if training sets share nothing."""
    if plan.protocol != "disjoint" or (plan.n_train is None and plan.n_test is None):
        return None
    return (
        setting("n_train")
        + " and "
        + setting("n_test")
        + " correct for training data that sets share, and with "
        + setting("protocol", "disjoint")
        + " they share none: leave the sizes out"
    )


@rule("protocol", "blocks")
def _disjoint_sets_of_several_data_sets(plan: PlanFields) -> str | None:
    """Reject disjoint training sets of several data sets."""
    if plan.protocol != "disjoint" or plan.blocks != "folds-of-datasets":
        return None
    return (
        setting("protocol", "disjoint")
        + " is for training sets of one data set, and there are several: compare each "
        "separately, or set "
        + setting("average_folds", True)
        + " and leave the protocol out"
    )


@rule("protocol", "blocks")
def _protocol_over_data_sets(plan: PlanFields) -> str | None:
    """Reject to state how folds were made if there are none."""
    return _for_folds_only(
        plan,
        plan.protocol is not None,
        "protocol states how folds were made, and the blocks are assumed to be "
        "independent data sets",
    )


@rule("n_folds", "protocol", "n_train", "n_test")
def _folds_of_no_cross_validation(plan: PlanFields) -> str | None:
    """Reject folds of a repetition if nothing follows from them."""
    if plan.n_folds is None:
        return None
    if plan.protocol != "cross-validation":
        return (
            setting("n_folds")
            + " is how many folds one repetition of a cross-validation has: set "
            + setting("protocol", "cross-validation")
            + ", or leave it out"
        )
    if plan.n_train is not None or plan.n_test is not None:
        return (
            "give "
            + setting("n_folds")
            + ", of which the ratio of the sizes follows, or "
            + setting("n_train")
            + " and "
            + setting("n_test")
            + ", not both"
        )
    return None


@rule("overlap", "blocks")
def _overlap_over_data_sets(plan: PlanFields) -> str | None:
    """Reject a term of the correction if blocks share no training data."""
    return _for_folds_only(
        plan,
        plan.overlap != "enlarged",
        "overlap is of the correction for training data that folds share, and the "
        "blocks are assumed to be independent data sets",
    )


@rule("overlap", "blocks", "protocol", "n_train", "n_test", "average_folds")
def _overlap_without_correction(plan: PlanFields) -> str | None:
    """Reject a term of the correction if nothing is corrected."""
    if plan.overlap == "enlarged" or plan.blocks in ("datasets", "cases"):
        return None
    if plan.average_folds:
        return (
            "overlap is of tests over folds, which "
            + setting("average_folds")
            + " does not make: leave it out"
        )
    if plan.corrects:
        return None
    return (
        setting("overlap", plan.overlap)
        + " is of tests that are corrected for shared training data: give "
        + setting("n_train")
        + " and "
        + setting("n_test")
        + ", or set "
        + setting("protocol", "cross-validation")
        + "; or leave it out"
    )


@rule("average_folds", "blocks")
def _average_of_one_data_set(plan: PlanFields) -> str | None:
    """Reject the means of several data sets for one."""
    if plan.blocks != "folds" or not plan.average_folds:
        return None
    return (
        setting("average_folds")
        + " is for several data sets, "
        + setting("blocks", "folds")
        + " for one; leave one of "
        "them out"
    )


@rule("monotone", "blocks", "compares")
def _monotone_over_folds(plan: PlanFields) -> str | None:
    """Reject an option of mean ranks if something else decides."""
    if plan.blocks == "by-columns" or not plan.monotone:
        return None
    if plan.quantity in (RANKS, TYPICAL_DIFFERENCE):  # which has a rule of its own
        return None
    return (
        "monotone is for mean ranks over data sets ("
        + setting("compares", "ranks")
        + "); leave it out"
    )


@rule("omnibus", "blocks", "compares")
def _test_of_another_analysis(plan: PlanFields) -> str | None:
    """Reject a test of ranks for means, of means for ranks, and any for signs."""
    if plan.omnibus is None or plan.blocks == "by-columns":
        return None
    if plan.quantity == WINS:
        return "omnibus: sign tests have no test of all algorithms; leave it out"
    if plan.quantity == OF_CASES:
        return "omnibus: cases have one test of all algorithms; leave it out"
    if plan.quantity == TYPICAL_DIFFERENCE:
        of_means = plan.omnibus == plan.mean_test
        return (
            setting("omnibus", plan.omnibus)
            + ": typical differences have no test of all algorithms: set "
            + setting("compares", "means" if of_means else "ranks")
            + ", or leave it out"
        )
    by_ranks = plan.quantity == RANKS
    if plan.omnibus == (plan.rank_test if by_ranks else plan.mean_test):
        return None
    other = "means over folds" if by_ranks else "ranks over data sets"
    return (
        setting("omnibus", plan.omnibus)
        + f" is for {other}, and the primary analysis compares "
        f"{'ranks' if by_ranks else 'means'}; choose another one, or leave it out"
    )


@rule("omnibus", "p_values", "adjust")
def _friedmans_ranks_only(plan: PlanFields) -> str | None:
    """Reject settings that only Friedman's ranks have, for other ranks."""
    planned = RANK_TESTS.get(plan.omnibus or "")
    if planned is None or planned.ranking == FRIEDMAN:
        return None
    if plan.p_values == "exact":
        return (
            setting("p_values", "exact")
            + " is for Friedman's ranks, and "
            + setting("omnibus", plan.omnibus)
            + ": "
            "leave one of them out"
        )
    wrong = [name for name in plan.adjust if name in OF_FRIEDMAN]
    if wrong:
        return (
            f"adjust: {', '.join(wrong)}: for Friedman's ranks, and "
            + setting("omnibus", plan.omnibus)
            + "; "
            f"choose {', '.join(n for n in ALL_PAIRS if n not in OF_FRIEDMAN)}"
        )
    return None


@rule("blocks", *CASES.unused)
def _keys_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject settings for folds, data sets or ranks if the blocks are cases."""
    if plan.blocks != "cases" or plan.labels is not None:
        return None
    return without_use(plan, "blocks", CASES.unused)


@rule("p_values", "blocks")
def _mid_p_of_other_tests(plan: PlanFields) -> str | None:
    """Reject mid-p values if there is no McNemar test."""
    if plan.p_values != "mid-p" or plan.blocks in ("by-columns", "cases"):
        return None
    return (
        setting("p_values", "mid-p")
        + " is for McNemar's test of cases ("
        + setting("blocks", "cases")
        + "); choose exact, approximate or by-size"
    )


@rule("weights", "blocks")
def _weights_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject weights if no cases of benchmarks are compared."""
    if plan.weights is None or plan.blocks in ("by-columns", "cases"):
        return None
    return (
        "weights are of benchmarks whose cases are compared ("
        + setting("blocks", "cases")
        + "); leave them out"
    )


@rule("weights", "p_values", "groups")
def _exact_weighted_means(plan: PlanFields) -> str | None:
    """Reject p-values that weighted means do not have, if nothing else is compared."""
    weighted = plan.weights is not None and plan.groups == "all"
    if not weighted or plan.p_values == "by-size":
        return None
    return (
        setting("p_values", plan.p_values)
        + ": weighted means have t tests; leave it out"
    )


@rule("weights", "margin", "replicates")
def _weights_with_other_analyses(plan: PlanFields) -> str | None:
    """Reject settings that have no form for weighted means."""
    given = {
        "margin": plan.margin is not None,
        setting("replicates", "keep"): plan.replicates == "keep",
    }
    planned = [name for name, stated in given.items() if stated]
    if plan.weights is None or not planned:
        return None
    return (
        f"{planned[0]}: not available with weights, because it would pool the cases of "
        "all groups; leave one of them out"
    )


@rule("runs", "runs_scope")
def _scope_of_runs(plan: PlanFields) -> str | None:
    """Reject shared runs without a scope, and a scope of anything else."""
    if plan.crosses_runs == (plan.runs_scope is not None):
        return None
    if not plan.crosses_runs:
        return (
            setting("runs_scope", plan.runs_scope)
            + " is of runs that all cases share: leave it out, or name them ("
            + setting("runs", "prompts")
            + ", judges or trainings)"
        )
    return (
        setting("runs", plan.runs)
        + " leaves open the scope of conclusions: set "
        + setting("runs_scope", "fixed")
        + f" (these {plan.runs} only) or "
        + setting("runs_scope", "sampled")
        + f" (other {plan.runs} like these, too)"
    )


@rule("runs", "replicates")
def _components_of_shared_runs(plan: PlanFields) -> str | None:
    """Reject the analysis of runs that are drawn anew for each case."""
    if not plan.crosses_runs or plan.replicates != "keep":
        return None
    return (
        setting("replicates", "keep")
        + " analyses runs as drawn anew for each case, and "
        + setting("runs", plan.runs)
        + " states that all cases share them: set "
        + setting("replicates", "average")
    )


@rule("items_scope", "runs", "answers", "groups", "weights", "adjust", "p_values")
def _tests_of_fixed_items(plan: PlanFields) -> str | None:
    """Reject settings that have no form for new answers to fixed items."""
    if plan.items_scope != "fixed":
        return None
    fixed = setting("items_scope", "fixed")
    if plan.crosses_runs:
        return fixed + (
            f": its answers are drawn anew for each item, and all items share "
            f"{plan.runs}; leave one of them out"
        )
    given = {
        setting("answers", "deterministic"): plan.answers == "deterministic",
        setting("groups", "all"): plan.groups in ("all", "each-and-all"),
        "weights": plan.weights is not None,
        "p_values": plan.p_values != "by-size",
        "level": plan.level not in (None, 1 - plan.alpha),
        **{f"adjust: {name}": draws(name) for name in plan.adjust},
    }
    planned = [name for name, stated in given.items() if stated]
    if not planned:
        return None
    return (
        f"{planned[0]}: not available with "
        + fixed
        + ", whose tests are of new answers to these items; leave it out, or set "
        + setting("items_scope", "sampled")
    )


@rule("runs_scope", "margin", "weights", "adjust", "p_values", "level")
def _tests_of_sampled_runs(plan: PlanFields) -> str | None:
    """Reject settings that have no form for new runs that all cases share."""
    if plan.runs_scope != "sampled":
        return None
    given = {
        "margin": plan.margin is not None,
        "weights": plan.weights is not None,
        "p_values": plan.p_values != "by-size",
        "level": plan.level not in (None, 1 - plan.alpha),
        **{f"adjust: {name}": draws(name) for name in plan.adjust},
    }
    planned = [name for name, stated in given.items() if stated]
    if not planned:
        return None
    return (
        f"{planned[0]}: not available with "
        + setting("runs_scope", "sampled")
        + ", whose p-values are the largest of three t tests; leave it out, or set "
        + setting("runs_scope", "fixed")
    )


@rule("margin", "margin_alpha")
def _error_of_no_margin(plan: PlanFields) -> str | None:
    """Reject an error rate of tests that there are not."""
    if plan.margin_alpha is None or plan.margin is not None:
        return None
    return setting("margin_alpha", plan.margin_alpha) + " needs a margin"


@rule("range", "thresholds", "generalise")
def _range_of_predictions(plan: PlanFields) -> str | None:
    """Reject a range of scores that are measured here, whose ranges are known."""
    of_predictions = plan.sweeps or plan.generalise is not None
    if plan.range is None or not of_predictions:
        return None
    return (
        setting("range", plan.range)
        + " is for tables of scores, and these are measured of predictions; leave it "
        "out"
    )


@rule("margin", "hypothesis", "control")
def _hypothesis_and_margin(plan: PlanFields) -> str | None:
    """Reject a margin without its hypothesis, and a hypothesis that does not fit."""
    return wrong_hypothesis(plan.hypothesis, plan.margin, plan.control)


PLAN_RULES: tuple[PlanRule, ...] = (
    _one_size_alone,
    _margin_at_large_alpha,
    _no_adjustment_decides,
    _monotone_without_its_method,
    _pairs_against_a_control,
    _methods_of_one_table,
    _methods_of_other_blocks,
    _sizes_over_data_sets,
    _seed_over_data_sets,
    _together_over_data_sets,
    _quantity_of_other_blocks,
    _assumption_of_other_quantities,
    _scale_of_other_quantities,
    _keys_without_typical_differences,
    _level_without_what_describes,
    _costs_in_two_ways,
    _costs_without_wins,
    _average_of_folds_that_are_kept,
    _runs_of_folds_that_are_averaged,
    _sizes_by_data_set,
    _sizes_of_one_test_set,
    _sizes_of_disjoint_sets,
    _disjoint_sets_of_several_data_sets,
    _protocol_over_data_sets,
    _folds_of_no_cross_validation,
    _overlap_over_data_sets,
    _overlap_without_correction,
    _average_of_one_data_set,
    _monotone_over_folds,
    _test_of_another_analysis,
    _friedmans_ranks_only,
    _keys_of_other_blocks,
    _mid_p_of_other_tests,
    _weights_of_other_blocks,
    _exact_weighted_means,
    _weights_with_other_analyses,
    _scope_of_runs,
    _components_of_shared_runs,
    _tests_of_fixed_items,
    _tests_of_sampled_runs,
    _error_of_no_margin,
    statements_of_no_margin,
    _range_of_predictions,
    _hypothesis_and_margin,
)
"""Each takes a plan and returns the problem and its remedy, or None."""
