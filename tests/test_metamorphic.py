"""What no method may care about: one table of methods, one of changes to their data.

Data and changes are in ``changed_data``. Each method is asked before and after a
change, and must give the same p-values, and where only names and orders change the same
limits, by what they are about. ``test_public_results`` holds that every public function
that returns a p-value or an interval has a row here, or a reason in ``ELSEWHERE``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.tables import Columns
from pycompare.results.result import Test, changed
from tests import changed_data as by
from tests.changed_data import HOSTILE, NAMES, binary, table

ORDERED = (by.reordered_rows, by.reordered_algorithms)
ALWAYS = (*ORDERED, by.renamed)
SCALED = (*ALWAYS, by.tiny, by.huge, by.other_unit, by.mirrored)
RANKED = (*SCALED, by.monotone)
COUNTED = (*ALWAYS, by.other_errors, by.with_constant_block)
DRAWN_CURVES = (by.renamed_curves, by.tiny_scores, by.monotone_scores)
"""What keeps resampled cases as they are."""
CURVES = (by.reordered_cases, by.reordered_curves, *DRAWN_CURVES, by.other_class)
RATED = (by.reordered_ratings, by.reordered_modalities, by.renamed_modalities)
RATED_RANKS = (*RATED, by.monotone_ratings, by.other_truth)
SAME_LIMITS = {*ALWAYS, *CURVES, by.without_third_curve, *RATED_RANKS}
"""Changes after which limits stay; those of a unit change them."""
Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Method:
    """A way to call a method, and the changes that it must not care about."""

    call: Callable[[Any, Callable[[str], str]], Any]
    data: Callable[[], Any] = table
    changes: tuple[Change, ...] = SCALED
    raw: tuple[Change, ...] = ()
    """Changes after which raw p-values stay, and adjusted ones need not."""
    doubled: Change | None = by.doubled
    """Takes everything twice: no estimate changes, and no raw p-value grows."""
    centre: float = 0.0
    """Limits x of a pair are 2 centre - x when the pair is turned round."""


def two(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call a test of two algorithms, by the names that they have."""
    return lambda s, name: call(
        s, algorithms=(name("first"), name("second")), **options
    )


def of_quantity(s: pc.Scores, quantity: str) -> Any:
    """Return the pairs of runs in one quantity."""
    pairs = pc.run_pairs(s)
    table = pairs.as_columns()
    rows = np.flatnonzero(table["quantity"] == quantity)
    return changed(pairs, table=Columns({k: table[k][rows] for k in table}))


def gated(s: pc.Scores, name: Callable[[str], str]) -> Any:
    """Judge the second algorithm against the first."""
    found = pc.gate(
        s, baseline=name("first"), candidate=name("second"), margin=0.3, small="report"
    )
    names = ("p_not_worse", "p_worse", "conf_low", "conf_high", "difference")
    return {key: float(found.table[key][0]) for key in names}


def of(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call with these options."""
    return lambda s, name: call(s, **options)


def control(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call with a control."""
    return lambda s, name: call(s, control=name("second"), **options)


def pairs_of(data=table, changes=SCALED, raw=(by.without_third,)):
    """Return how pairs are tested that look at nobody else."""
    return {"data": data, "changes": changes, "raw": raw}


def in_families():
    data = table(blocks=14)
    family = "f" + (data.frame["block"].str[1:].astype(int) // 2).astype(str)
    return dataclasses.replace(data, frame=data.frame.assign(cluster=family))


def few_blocks():
    """Return a table so small that all permutations are listed."""
    return table(blocks=5)


def several(metrics=2, **sizes):
    """Return a table with several metrics."""
    return lambda: table(metrics=metrics, blocks=9, **sizes)


def of_datasets():
    """Return a table of several blocks a data set."""
    return table(datasets=4, blocks=3)


def replicated():
    """Return a table of several scores a cell."""
    return table(replicates=3)


def clustered():
    """Return 0/1 outcomes in clusters."""
    return binary(clusters=True)


def curves(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Call a comparison of curves."""
    return lambda data, name: call(*data, positive=1, **options)


def first_curve(call: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Ask about the first curve."""
    return lambda data, name: call(
        data[0], data[1][name("first")], positive=1, **options
    )


def halves(data: Any, name: Callable[[str], str]) -> Any:
    """Compare two curves on two halves of the cases."""
    label, x = data
    one, two = x[name("first")].to_numpy(), x[name("second")].to_numpy()
    half = np.arange(len(label)) // 2 % 2 == 0
    return pc.delong_unpaired(
        label[half], one[half], label[~half], two[~half], positive=1
    )


def p_values_of(checks: Any, *names: str) -> dict[str, float]:
    """Return the p-values of checks of residuals."""
    return {name: getattr(checks, name).p_value for name in names}


def terms(scores: pc.Scores, formula: str, **options: Any) -> dict[str, float]:
    """Return the p-values of the terms of a linear model."""
    frame = scores.to_frame().rename(columns={"m_0": "score"})
    found = pc.linear_model(frame, formula, **options).anova.dropna(subset="p_value")
    return dict(zip(found["term"], found["p_value"], strict=True))


METHODS: Mapping[str, Method] = {
    "friedman": Method(of(pc.friedman), changes=(*RANKED, by.with_constant_block)),
    "friedman exact": Method(of(pc.friedman, p_value="exact"), changes=RANKED),
    "skillings_mack": Method(
        of(pc.skillings_mack), changes=(*RANKED, by.with_constant_block)
    ),
    "mack_skillings": Method(of(pc.mack_skillings), replicated, RANKED),
    "aligned_ranks": Method(of(pc.aligned_ranks)),
    "quade": Method(of(pc.quade)),
    "cochran_q": Method(of(pc.cochran_q), binary, COUNTED),
    "rank_pairs": Method(of(pc.rank_pairs), changes=RANKED),
    "rank_pairs flips": Method(
        of(pc.rank_pairs, p_value="sign-flips"),
        changes=(*RANKED, by.with_constant_block),
    ),
    # Twice the blocks have twice the ranks.
    "rank_pairs aligned": Method(of(pc.rank_pairs, method="aligned"), doubled=None),
    "rank_pairs quade": Method(of(pc.rank_pairs, method="quade"), doubled=None),
    "rank_pairs control": Method(control(pc.rank_pairs, adjust="holm"), changes=RANKED),
    "nemenyi": Method(of(pc.nemenyi), changes=RANKED),
    "durbin_pairs": Method(of(pc.durbin_pairs), changes=RANKED),
    "closed_permutation": Method(of(pc.closed_permutation), few_blocks, changes=RANKED),
    "closed_permutation scores": Method(
        of(pc.closed_permutation, on="scores"), few_blocks
    ),
    "closed_permutation control": Method(control(pc.closed_permutation), few_blocks),
    "max_t": Method(of(pc.max_t)),
    "max_t ranks": Method(of(pc.max_t, on="ranks"), changes=RANKED),
    "max_t control": Method(control(pc.max_t)),
    "paired_t_pairs": Method(of(pc.paired_t_pairs), **pairs_of()),
    "welch_anova": Method(of(pc.welch_anova), doubled=None),
    "games_howell": Method(of(pc.games_howell)),
    "corrected_pairs": Method(
        of(pc.corrected_pairs, n_train=90, n_test=10), **pairs_of()
    ),
    # How far Holm goes down decides with the number of cases which p-value is used.
    "share_pairs": Method(of(pc.share_pairs), **pairs_of(binary, ALWAYS, raw=())),
    "crossed_pairs": Method(
        of(pc.crossed_pairs), **pairs_of(replicated, ALWAYS, raw=())
    ),
    "these_items": Method(of(pc.these_items), **pairs_of(replicated, ALWAYS)),
    "bounded_means": Method(
        of(pc.bounded_means, margin=0.3, range=(0, 1)), **pairs_of(binary, ALWAYS)
    ),
    "gate": Method(gated, binary, ALWAYS, doubled=None),
    # The level of a pair, and so gamma, depends on the number of pairs.
    "matched_shares": Method(
        of(pc.matched_shares, margin=0.3), **pairs_of(binary, ALWAYS, raw=())
    ),
    "mcnemar_pairs": Method(
        of(pc.mcnemar_pairs), **pairs_of(binary, COUNTED), centre=0.5
    ),
    "cluster_pairs": Method(
        of(pc.cluster_pairs), **pairs_of(clustered, (*ALWAYS, by.other_errors))
    ),
    "weighted_pairs": Method(
        of(pc.weighted_pairs, weights={"u": 3, "v": 1}),
        **pairs_of(by.benchmarks, (*ALWAYS, by.other_errors)),
    ),
    "weighted_means": Method(
        of(pc.weighted_means, weights={"u": 3, "v": 1}), by.benchmarks, ALWAYS
    ),
    "max_t weighted": Method(
        of(pc.max_t, weights={"u": 3, "v": 1}, flips=99),
        by.benchmarks,
        (by.renamed, by.other_errors),
        doubled=None,
    ),
    "hotelling_pairs": Method(of(pc.hotelling_pairs), **pairs_of(several())),
    "pairwise_t": Method(of(pc.pairwise_t)),
    "tukey": Method(of(pc.tukey)),
    "scheffe": Method(of(pc.scheffe)),
    "dunnett": Method(control(pc.dunnett)),
    "dunnett step-down": Method(control(pc.dunnett, step_down=True)),
    "anova": Method(of(pc.anova)),
    "replicated_anova": Method(of(pc.replicated_anova), replicated),
    "crossed_anova": Method(of(pc.crossed_anova), replicated, doubled=None),
    "clustered_runs": Method(
        of(pc.clustered_runs), by.replicated_in_clusters, doubled=None
    ),
    "dataset_interaction": Method(of(pc.dataset_interaction), of_datasets),
    "manova": Method(of(pc.manova), several()),
    "hotelling": Method(two(pc.hotelling), several(), raw=(by.without_third,)),
    "hotelling two samples": Method(
        two(pc.hotelling, method="two-sample-unequal"), several()
    ),
    "paired_t": Method(two(pc.paired_t), raw=(by.without_third,)),
    # A block and its copy have a mean of their own.
    "wilcoxon": Method(
        two(pc.wilcoxon), raw=(by.without_third, by.with_constant_block), doubled=None
    ),
    "sign_test": Method(
        two(pc.sign_test),
        changes=(*RANKED, by.with_constant_block),
        raw=(by.without_third,),
    ),
    "mcnemar": Method(two(pc.mcnemar), binary, COUNTED, (by.without_third,)),
    "permutation_manova": Method(
        of(pc.permutation_manova, seed=1), lambda: table(blocks=4), doubled=None
    ),
    "equivalence": Method(
        two(pc.equivalence, margin=1.0), changes=ALWAYS, raw=(by.without_third,)
    ),
    "equivalence_pairs": Method(
        of(pc.equivalence_pairs, margin=3.0), **pairs_of(changes=ALWAYS)
    ),
    "signed_rank_margins": Method(
        of(pc.signed_rank_margins, margin=1.0),
        **{**pairs_of(changes=ALWAYS), "doubled": None},
    ),
    "superiority": Method(
        of(pc.superiority), changes=RANKED, raw=(by.without_third,), centre=0.5
    ),
    "superiority simultaneous": Method(
        of(pc.superiority, simultaneous=True, adjust="holm"),
        changes=RANKED,
        raw=(by.without_third,),
        centre=0.5,
    ),
    "hodges_lehmann": Method(of(pc.hodges_lehmann), changes=ALWAYS, doubled=None),
    # A block and its copy have a mean of their own.
    "signed_rank_pairs": Method(
        of(pc.signed_rank_pairs), **{**pairs_of(), "doubled": None}
    ),
    "clustered_signed_rank_pairs": Method(
        of(pc.clustered_signed_rank_pairs),
        **{**pairs_of(in_families), "doubled": None},
    ),
    "run_aggregates": Method(of(pc.run_aggregates), replicated, ALWAYS),
    "run_pairs": Method(
        lambda s, name: of_quantity(s, "probability_of_improvement"),
        **pairs_of(replicated, ALWAYS, raw=()),
        centre=0.5,
    ),
    "run_pairs differences": Method(
        lambda s, name: of_quantity(s, "iqm"), **pairs_of(replicated, ALWAYS, raw=())
    ),
    "accuracy_intervals": Method(of(pc.accuracy_intervals), binary, ALWAYS),
    "hotelling_one_sample": Method(
        lambda s, name: pc.hotelling_one_sample(
            s, algorithm=name("second"), means={"m_0": 0.5, "m_1": 0.5}
        ),
        several(),
        ALWAYS,
        (by.without_third,),
    ),
    "rank_prediction": Method(
        of(pc.rank_prediction, level=0.6), changes=RANKED, doubled=None
    ),
    "rank_sets": Method(lambda s, name: pc.rank_sets(pc.tukey(s)), doubled=None),
    "residual_checks": Method(
        lambda s, name: p_values_of(
            pc.residual_checks(s), "shapiro_wilk", "levene", "nonadditivity"
        ),
        doubled=None,
    ),
    "multivariate_checks": Method(
        lambda s, name: p_values_of(
            pc.multivariate_checks(s), "box_m", "mardia_kurtosis", "henze_zirkler"
        ),
        several(),
        doubled=None,
    ),
    "linear_model": Method(
        lambda s, name: terms(s, "score ~ block + algorithm"), doubled=None
    ),
    "linear_model strata": Method(
        lambda s, name: terms(s, "score ~ algorithm", within="block"), doubled=None
    ),
    "wins": Method(of(pc.wins), of_datasets, doubled=None),
    "sign_grid": Method(
        of(pc.sign_grid, n_datasets=14),
        by.won,
        (by.reordered_wins, by.renamed_wins),
        (by.without_third_wins,),
        doubled=None,
    ),
    "five_by_two_cv": Method(
        of(pc.five_by_two_cv),
        by.differences,
        (by.reordered_repeats, by.opposite, by.scaled),
        doubled=None,
    ),
    "delong": Method(
        curves(pc.delong, level=0.95),
        by.curves,
        CURVES,
        (by.without_third_curve,),
        doubled=by.doubled_cases,
    ),
    "auc_margins": Method(
        curves(pc.auc_margins, margin=0.3),
        by.curves,
        CURVES,
        (by.without_third_curve,),
        doubled=by.doubled_cases,
    ),
    "hanley_mcneil": Method(
        curves(pc.hanley_mcneil),
        by.two_curves,
        tuple(c for c in CURVES if c is not by.monotone_scores),  # Pearson's r
        doubled=by.doubled_cases,
    ),
    "delong_unpaired": Method(
        halves, by.two_curves, CURVES[1:], doubled=by.doubled_cases
    ),
    "auc_exchange": Method(
        curves(pc.auc_exchange, seed=1, resamples=199),
        by.two_curves,
        (by.tiny_scores, by.monotone_scores),
        doubled=None,
    ),
    "auc_pr_pairs": Method(
        curves(pc.auc_pr_pairs, resamples=99),
        by.curves,
        DRAWN_CURVES,
        (by.without_third_curve,),
        doubled=None,
    ),
    "curve_dominance": Method(
        curves(pc.curve_dominance, resamples=99),
        by.two_curves,
        DRAWN_CURVES,
        doubled=None,
    ),
    "partial_auc_pairs": Method(
        curves(pc.partial_auc_pairs, low=0.0, high=0.5, resamples=99),
        by.curves,
        DRAWN_CURVES,
        (by.without_third_curve,),
        doubled=None,
    ),
    "average_precision_interval": Method(
        first_curve(pc.average_precision_interval),
        by.curves,
        (by.reordered_cases, *DRAWN_CURVES),
        doubled=None,
    ),
    "partial_auc_interval": Method(
        first_curve(pc.partial_auc_interval, low=0.0, high=0.5, resamples=99),
        by.curves,
        DRAWN_CURVES,
        doubled=None,
    ),
    **{
        f"auc_interval {method}": Method(
            first_curve(pc.auc_interval, method=method),
            by.curves,
            (*CURVES, by.without_third_curve),
            doubled=by.doubled_cases,
        )
        for method in (
            "effective-size",
            "delong",
            "delong-logit",
            "hanley-mcneil",
            "agarwal",
        )
    },
    "binormal_auc": Method(
        first_curve(pc.binormal_auc),
        by.curves,
        (by.reordered_cases, by.reordered_curves, by.renamed_curves, by.tiny_scores),
        doubled=None,
    ),
    "cv_auc": Method(
        lambda data, name: pc.cv_auc(
            data[0], data[1][name("first")], positive=1, fold=np.arange(40) // 10
        ),
        by.curves,
        CURVES[1:],
        doubled=None,
    ),
    # Two modalities have the published pair, so one of three is dropped there only.
    "mrmc": Method(of(pc.mrmc), by.read, RATED_RANKS, doubled=None),
    "mrmc published": Method(
        of(pc.mrmc, pair_tests="published"),
        by.read,
        RATED_RANKS,
        (by.without_third_modality,),
        doubled=None,
    ),
    "mrmc dbm": Method(of(pc.mrmc, method="dbm"), by.read, RATED_RANKS, doubled=None),
    "single_modality": Method(
        lambda data, name: pc.single_modality(data, modality=name("first"), null=0.6),
        by.read,
        RATED_RANKS,
        (by.without_third_modality,),
        doubled=None,
    ),
    "variance_components": Method(
        of(pc.variance_components), by.read, RATED_RANKS, doubled=None
    ),
    "glmm": Method(of(pc.glmm), by.right_or_wrong, RATED, doubled=None),
}

ELSEWHERE = {
    "battles": "takes battles, not scores: tests/methods/battles",
    "cv_auc_pairs": "needs folds of cases: tests/methods/curves",
    "cv_error_intervals": "takes losses of one learner: tests/methods/learners",
    "nested_cv": "trains one learner: tests/methods/learners",
    "diagnostic_pairs": "its own test: tests/methods/cases/test_diagnostic_pairs.py",
    "calibration_error": "its own test: tests/methods/curves/test_calibration.py",
    "standalone": "its own test: tests/methods/multireader/test_standalone.py",
    "net_benefit": "its own test: tests/methods/curves/test_net_benefit.py",
    "step_levels": "the pairs that it is given: tests/methods/orders",
    "synthesis": "takes estimates: tests/methods/over_datasets/test_synthesis.py",
    "network_synthesis": "takes estimates: its own test in tests/methods/over_datasets",
    "run_profiles": "resamples follow the order of rows: tests/methods/agents",
    "auc_intervals": "the methods of auc_interval side by side",
    "labels": "needs a judge's scores too: tests/methods/cases/test_judge_labels.py",
    "challenge": "ranks and resamples, sets by max_t: tests/methods/cases",
    "compare": "the tests of a plan side by side: tests/designs",
    "compare_curves": "the tests of curves side by side",
    "mean_curve": "averages folds of one algorithm: its own test",
    "planned_power": "takes a plan file, and no data",
    "power": "takes a design, and no data",
    "simulate": "takes a study, and no data",
    "threshold_wins": "T2 of all pairs at each threshold, and sign_grid of the counts",
}


P_VALUES, LIMITS = ("p_value", "p_adjusted"), ("conf_low", "conf_high")
OF_ALGORITHMS = ("rank_low", "rank_high", "predicted_low", "predicted_high")
ABOUT = ("dataset", "algorithm", "component", "aggregate")


def numbers(
    result: Any, centre: float, columns: Sequence[str], back: Callable[[str], str] = str
) -> dict[Any, float]:
    """Return numbers of a result by what they are about, with the names of before.

    What is about a pair is turned so that its algorithms are in alphabetical order.
    """
    if isinstance(result, dict):
        return result
    found: dict[Any, float] = {}
    for row in rows_of(result, columns):
        about = tuple(back(row[c]) for c in ABOUT if c in row)
        if "algorithm_1" in row:
            row, pair = in_order(row, centre, back)
            about += pair
        found |= {(*about, c): row[c] for c in columns if row.get(c) is not None}
    return found


def rows_of(result: Any, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each pair or algorithm, or one of a result without a table."""
    frame = result.decisions if hasattr(result, "decisions") else result.to_frame()
    if not isinstance(result, Test) and {"algorithm_1", *ABOUT} & {*frame}:
        return frame.to_dict("records")
    names = ("algorithm_1", "algorithm_2", *columns)
    return [{name: getattr(result, name) for name in names if hasattr(result, name)}]


def in_order(
    row: Mapping[str, Any], centre: float, back: Callable[[str], str]
) -> tuple[dict[str, Any], tuple[str, str]]:
    """Return a row of a pair whose algorithms are in alphabetical order."""
    one, other = (back(row[f"algorithm_{side}"]) for side in (1, 2))
    if one < other:
        return dict(row), (one, other)
    turned = {"estimate": "estimate", "conf_low": "conf_high", "conf_high": "conf_low"}
    swapped = {name: 2 * centre - row[of] for name, of in turned.items() if of in row}
    return {**row, **swapped}, (other, one)


CASES = [
    pytest.param(method, change, change in method.raw, id=f"{name}-{change.__name__}")
    for name, method in METHODS.items()
    for change in (*method.changes, *method.raw)
]


@pytest.mark.parametrize(("method", "change", "raw"), CASES)
def test_what_a_method_says_stays_as_it_is(method, change, raw):
    data = method.data()
    new = change.__name__.startswith("renamed")
    names = dict(zip(NAMES, HOSTILE, strict=True)) if new else {}
    back = {new: old for old, new in names.items()}
    columns = [P_VALUES[0]] if raw else [*P_VALUES, *OF_ALGORITHMS]
    if change in SAME_LIMITS:
        columns += LIMITS
    before = numbers(method.call(data.given(), str), method.centre, columns)
    changed = method.call(change(data).given(), lambda name: names.get(name, name))
    after = numbers(changed, method.centre, columns, lambda x: back.get(x, x))
    assert after
    assert set(after) <= set(before)
    assert raw or set(after) == set(before)
    for what, x in after.items():
        assert x == pytest.approx(before[what], rel=1e-9, abs=1e-12, nan_ok=True), what


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].doubled])
def test_everything_twice_changes_no_estimate_and_makes_no_p_value_larger(name):
    method, data = METHODS[name], METHODS[name].data()
    once, twice = (
        numbers(method.call(d.given(), str), method.centre, ("p_value", "estimate"))
        for d in (data, method.doubled(data))
    )
    assert once
    for what, x in once.items():
        if what[-1] == "estimate":
            assert twice[what] == pytest.approx(x, rel=1e-9), what
        else:
            assert twice[what] <= x * (1 + 1e-9), what


FACTORS = {
    "friedman": (pc.friedman, lambda n: 2.0),
    "skillings_mack": (pc.skillings_mack, lambda n: 2.0),
    "anova": (pc.anova, lambda n: (2 * n - 1) / (n - 1)),
    "paired_t": (
        lambda s: pc.paired_t(s, algorithms=NAMES[:2]),
        lambda n: ((2 * n - 1) / (n - 1)) ** 0.5,
    ),
    "hotelling": (
        lambda s: pc.hotelling(s, algorithms=NAMES[:2]),
        lambda n: (2 * n - 1) / (n - 1),
    ),
}


@pytest.mark.parametrize("name", FACTORS)
def test_every_block_twice_multiplies_the_statistic(name):
    call, factor = FACTORS[name]
    once = table()
    n = once.frame["block"].nunique()
    more = call(by.doubled(once).given()).statistic
    assert more == pytest.approx(call(once.given()).statistic * factor(n), rel=1e-12)


TIED = {
    "friedman": (lambda s: pc.friedman(s).mean_ranks, by.tied_blocks),
    "skillings_mack": (lambda s: pc.skillings_mack(s).mean_ranks, by.tied_blocks),
    "rank_pairs": (lambda s: pc.rank_pairs(s).table["estimate"], by.tied_blocks),
    "nemenyi": (lambda s: pc.nemenyi(s).table["estimate"], by.tied_blocks),
    "superiority": (lambda s: pc.superiority(s).table["estimate"], by.tied_blocks),
    "delong": (
        lambda data: pc.delong(*data, positive=1).table["estimate"],
        by.tied_cases,
    ),
    "auc": (lambda data: pc.auc(data[0], data[1]["first"], positive=1), by.tied_cases),
}


@pytest.mark.parametrize("name", TIED)
def test_a_tie_is_the_mean_of_both_ways_to_split_it(name):
    estimate, data = TIED[name]
    tied, one, other = (np.asarray(estimate(d.given())) for d in data())
    assert not np.array_equal(one, other)
    np.testing.assert_allclose(tied, (one + other) / 2, rtol=1e-14, atol=1e-14)
