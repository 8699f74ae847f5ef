"""The rows of the calibration: every public test, and every public interval."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from scipy import stats

import pycompare as pc

from ..checks.diagnostics import network_of
from .data import (
    AREA,
    EQUAL,
    ETA_MEANS,
    LOWER,
    OPPOSED_MEAN,
    READERS,
    SPREAD,
    UNLIKE,
    WEIGHTS,
    Row,
    all_hold,
    answers,
    battled,
    blocked_model,
    blocks,
    checks,
    component,
    concordance,
    curves_hold,
    families,
    first_holds,
    five_by_two,
    folds,
    holds,
    judged_answers,
    next_rank,
    of_auc,
    of_curves,
    of_datasets,
    of_first_two,
    of_learners,
    of_pairs,
    of_term,
    of_test,
    of_two,
    of_two_curves,
    on_one_dataset,
    opposed,
    partial_area,
    permuted_p,
    power_held,
    ranks_held,
    rated,
    ratings,
    readers,
    replicated,
    right_runs,
    right_runs_variance,
    rows_of,
    scores_of,
    seed_of,
    shifted,
    skewed_runs,
    triples,
    unpaired,
    wilks_of,
    won,
    worse_answers,
)
from .diagnostics import (
    ALONE_INTERVALS,
    ALONE_TESTS,
    CALIBRATION_ROWS,
    MARKS_SIZE,
    benefit_held,
    calibrated_p,
    diagnosed,
    equal_benefits,
    grade_held,
    grades,
    lopsided,
    marked,
    marks_held,
    marks_p,
    mean_p,
    network_held,
    network_p,
    probabilities,
    rare,
    rare_held,
    rare_p,
    ratio_held,
    risks,
    studies,
    synthesis_held,
    test_ratios,
    unequal,
    unequal_studies,
    welch_p,
)

FEW_OF_A_CLASS = (5, 10, 20, 30, 50)
"""Numbers of positive cases, of 200 negative ones."""
FEW_READ = (10, 20)
NORMAL, SMALL = blocks(12, 4), blocks(12, 3)
LOPSIDED = lopsided((3, 6, 12, 24), (8.0, 4.0, 2.0, 1.0))
LOPSIDED_SIZE = "3, 6, 12 and 24 rows, unequal"
TESTS: Mapping[str, Row] = {
    "friedman": Row(blocks(30, 4), of_test(pc.friedman), "30 x 4", "approximate"),
    "friedman, exact": Row(SMALL, of_test(pc.friedman, p_value="exact"), "12 x 3"),
    "skillings_mack": Row(
        blocks(30, 4), of_test(pc.skillings_mack), "30 x 4", "approximate"
    ),
    "durbin_pairs": Row(
        triples(2, 5), of_pairs(pc.durbin_pairs), "20 blocks, 3 of 5", "approximate"
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
    "crossed_anova": Row(
        replicated(20, 3, 5), of_test(pc.crossed_anova), "20 x 3 x 5", "approximate"
    ),
    "clustered_runs": Row(
        replicated(15, 3, 2, sizes=(1, 2, 5, 7)),
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
    "welch_anova": Row(
        unequal(15, 3), of_test(pc.welch_anova), "3 x 15, unequal", "approximate"
    ),
    "games_howell": Row(
        unequal(15, 3), of_pairs(pc.games_howell), "3 x 15, unequal", "approximate"
    ),
    "diagnostic_pairs": Row(
        diagnosed(300, 2), test_ratios, "2 tests, 300 cases", "approximate"
    ),
    "net_benefit": Row(
        risks(200), equal_benefits, "2 models, 200 cases", "approximate"
    ),
    "calibration_error": Row(
        probabilities("rare", "calibrated", 500),
        calibrated_p,
        "500 cases, 10 bins",
        "approximate",
    ),
    **ALONE_TESTS,
    "mrmc, marks": Row(marked(40), marks_p, MARKS_SIZE, "approximate"),
    "network_synthesis": Row(
        network_of(12), network_p, "12 studies, 4 methods", "approximate"
    ),
    "synthesis": Row(studies(10), mean_p, "10 studies", "approximate"),
    "synthesis, unequal errors": Row(
        unequal_studies(5), mean_p, "5 studies, errors up to 10 : 1", "approximate"
    ),
    "net_benefit, few cases": Row(
        rare(100), rare_p, "100 cases, against treat all", "approximate"
    ),
    "welch_anova, few rows": Row(LOPSIDED, welch_p, LOPSIDED_SIZE, "approximate"),
    "games_howell, few rows": Row(
        LOPSIDED, of_pairs(pc.games_howell), LOPSIDED_SIZE, "approximate"
    ),
    "auc_exchange": Row(
        ratings(30, 2),
        of_two_curves(pc.auc_exchange, seed=1, resamples=199),
        "30 + 30 cases, 199 exchanges",
    ),
    "curve_dominance": Row(
        ratings(40, 2),
        of_two_curves(pc.curve_dominance, resamples=39),
        "40 + 40 cases, 39 resamples",
        "approximate",
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
    "signed_rank_pairs": Row(NORMAL, of_pairs(pc.signed_rank_pairs), "12 x 4"),
    "clustered_signed_rank_pairs": Row(
        families(8, 2, 3),
        of_pairs(pc.clustered_signed_rank_pairs),
        "8 families x 2 x 3",
    ),
    "corrected_pairs": Row(
        NORMAL, of_pairs(pc.corrected_pairs, n_train=90, n_test=10), "12 x 4"
    ),
    "share_pairs": Row(
        answers(60, 3), of_pairs(pc.share_pairs), "60 x 3", "approximate"
    ),
    "crossed_pairs": Row(
        replicated(60, 3, 5), of_pairs(pc.crossed_pairs), "60 x 3 x 5"
    ),
    "labels": Row(
        judged_answers(500, 60, 3),
        of_pairs(pc.labels, chosen="random", adjust="holm"),
        "60 of 500 items labelled, 3 models",
        "approximate",
    ),
    "these_items": Row(
        replicated(40, 3, 4), of_pairs(pc.these_items), "40 x 3 x 4", "approximate"
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
    "weighted_pairs, few cases": Row(
        opposed(8, 50, 500),
        of_pairs(pc.weighted_pairs, weights=EQUAL),
        "2 algorithms, benchmarks of 8, 50 and 500",
        "approximate",
    ),
    "max_t, weighted, few cases": Row(
        opposed(8, 50, 500),
        of_pairs(pc.max_t, weights=EQUAL, flips=499),
        "2 algorithms, benchmarks of 8, 50 and 500",
        "approximate",
    ),
    "max_t, ranks, few cases": Row(
        opposed(8, 50, 500),
        of_pairs(pc.max_t, on="ranks", weights=EQUAL, flips=499),
        "2 algorithms, benchmarks of 8, 50 and 500",
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
    **{
        f"delong, {n} cases of a class": Row(
            ratings(n, 2, 200, (0.75, 0.75)),
            of_curves(pc.delong),
            f"{n} + 200, AUC 0.75",
            "approximate",
        )
        for n in FEW_OF_A_CLASS
    },
    "delong, omnibus, few cases": Row(
        ratings(10, 5, 200, (0.75,) * 5),
        of_test(lambda data: pc.delong(*data, positive=1).omnibus),
        "10 + 200, 5 curves, AUC 0.75",
        "approximate",
    ),
    "auc_pr_pairs": Row(
        ratings(60, 2),
        of_curves(pc.auc_pr_pairs),
        "60 + 60, 2000 resamples",
        "approximate",
    ),
    "partial_auc_pairs": Row(
        ratings(60, 2),
        of_curves(pc.partial_auc_pairs, low=0.0, high=0.5, resamples=199),
        "60 + 60",
        "approximate",
    ),
    "battles": Row(
        battled(200, 4),
        of_pairs(pc.battles),
        "200 battles of 4 models",
        "approximate",
    ),
    "mrmc": Row(readers(50), of_pairs(pc.mrmc), "5 x (50 + 50)", "approximate"),
    **{
        f"mrmc, {n} cases of a class": Row(
            readers(n, model=LOWER, negative=200),
            of_pairs(pc.mrmc),
            f"5 x ({n} + 200), AUC 0.74",
            "approximate",
        )
        for n in FEW_READ
    },
    "mrmc, 3 readers": Row(
        readers(50, 3, UNLIKE),
        of_pairs(pc.mrmc),
        "3 x (50 + 50), readers unlike",
        "approximate",
    ),
    "glmm": Row(rated(60), of_pairs(pc.glmm), "5 x 60", "approximate"),
    "sign_grid": Row(won(20, 3), of_pairs(pc.sign_grid, n_datasets=20), "20 x 3"),
    "superiority": Row(
        blocks(20, 3), of_pairs(pc.superiority, adjust="holm"), "20 x 3"
    ),
    "equivalence_pairs": Row(
        shifted(12, (0.5, 0, 0)),
        of_pairs(pc.equivalence_pairs, margin=0.5, control="A"),
        "12 x 3, truth at the margin",
    ),
    "auc_margins": Row(
        ratings(60, 2, areas=(0.8, 0.9)),
        of_curves(pc.auc_margins, margin=0.1),
        "60 + 60, truth at the margin",
        "approximate",
    ),
    "signed_rank_margins": Row(
        shifted(12, (0.5, 0, 0)),
        of_pairs(
            pc.signed_rank_margins, margin=0.5, kind="non-inferiority", control="A"
        ),
        "12 x 3, truth at the margin",
    ),
    "matched_shares": Row(
        worse_answers(100, 0.1),
        of_pairs(pc.matched_shares, margin=0.1, kind="non-inferiority", control="A"),
        "100 x 3, truth at the margin",
    ),
    "matched_shares, runs": Row(
        worse_answers(100, 0.1, runs=4),
        of_pairs(pc.matched_shares, margin=0.1, kind="non-inferiority", control="A"),
        "100 x 3 x 4 runs, truth at the margin",
        "approximate",
    ),
    "bounded_means": Row(
        worse_answers(100, 0.1, runs=4),
        of_pairs(
            pc.bounded_means,
            margin=0.1,
            range=(0, 1),
            kind="non-inferiority",
            control="A",
        ),
        "100 x 3, means of 4 runs, truth at the margin",
    ),
    "single_modality": Row(
        readers(50),
        of_test(pc.single_modality, modality="M1", null=READERS.auc[0]),
        "5 x (50 + 50)",
        "approximate",
    ),
    "wins": Row(of_datasets(3, 8, 3), on_one_dataset, "8 x 3", "uniform"),
    "linear_model": Row(
        rows_of(3, 12), of_term("y0 ~ data + learner"), "12 x 3", "uniform"
    ),
    "linear_model, strata": Row(
        rows_of(3, 12), of_term("y0 ~ learner", within="data"), "12 x 3", "uniform"
    ),
    "linear_model, manova": Row(
        rows_of(3, 12, 2), wilks_of, "12 x 3, 2 responses", "uniform"
    ),
    "linear_model, contrasts": Row(
        rows_of(3, 12),
        of_pairs(lambda frame: blocked_model(frame).contrasts("learner")),
        "12 x 3",
        "uniform",
    ),
    "linear_model, permutation_test": Row(
        rows_of(3, 12), permuted_p, "12 x 3, 199 permutations", "approximate"
    ),
    "linear_model, dispersion_test": Row(
        rows_of(3, 12),
        of_test(lambda frame: blocked_model(frame).dispersion_test("learner")),
        "12 x 3",
        "approximate",
    ),
    "residual_checks, nonadditivity": Row(
        NORMAL, checks(pc.residual_checks, "nonadditivity"), "12 x 4", "uniform"
    ),
    "residual_checks": Row(
        NORMAL,
        checks(pc.residual_checks, "shapiro_wilk", "levene", "brown_forsythe"),
        "12 x 4",
        "approximate",
    ),
    "multivariate_checks": Row(
        blocks(30, 3, 2),
        checks(
            pc.multivariate_checks,
            *("box_m", "mardia_skewness_small", "mardia_kurtosis", "henze_zirkler"),
        ),
        "30 x 3, 2 metrics",
        "approximate",
    ),
}

INTERVALS: Mapping[str, Row] = {
    "paired_t": Row(NORMAL, all_hold(lambda s: of_first_two(pc.paired_t, s)), "12 x 2"),
    "hodges_lehmann": Row(SMALL, first_holds(pc.hodges_lehmann, 0.0), "12 x 2"),
    "battles": Row(
        battled(200, 4),
        first_holds(pc.battles, 0.0),
        "200 battles of 4 models",
        "approximate",
    ),
    "superiority": Row(
        blocks(30, 3), first_holds(pc.superiority, 0.5), "30 x 2", "approximate"
    ),
    "tukey, all at once": Row(NORMAL, all_hold(pc.tukey), "12 x 4"),
    "scheffe, all at once": Row(NORMAL, all_hold(pc.scheffe), "12 x 4"),
    "pairwise_t, all at once": Row(NORMAL, all_hold(pc.pairwise_t), "12 x 4"),
    "dunnett, all at once": Row(
        NORMAL, all_hold(lambda s: pc.dunnett(s, control="B")), "12 x 4"
    ),
    # Each interval at the level of Holm's last step, at least that asked for.
    "signed_rank_pairs": Row(
        blocks(12, 2), first_holds(pc.signed_rank_pairs, 0.0), "12 x 2"
    ),
    "clustered_signed_rank_pairs": Row(
        families(8, 2, 2),
        first_holds(pc.clustered_signed_rank_pairs, 0.0),
        "8 families x 2 x 2",
    ),
    "paired_t_pairs, all at once": Row(NORMAL, all_hold(pc.paired_t_pairs), "12 x 4"),
    "corrected_pairs, all at once": Row(
        NORMAL,
        all_hold(lambda s: pc.corrected_pairs(s, n_train=90, n_test=10)),
        "12 x 4",
    ),
    "max_t, all at once": Row(blocks(10, 4), all_hold(pc.max_t), "10 x 4, all flips"),
    "mcnemar_pairs, all at once": Row(
        answers(100, 3), all_hold(pc.mcnemar_pairs, 0.5), "100 x 3"
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
    "weighted_pairs, few cases": Row(
        opposed(8, 50, 500),
        all_hold(partial(pc.weighted_pairs, weights=EQUAL)),
        "2 algorithms, benchmarks of 8, 50 and 500",
        "approximate",
    ),
    "max_t, weighted, few cases": Row(
        opposed(8, 50, 500),
        all_hold(partial(pc.max_t, weights=EQUAL, flips=499)),
        "2 algorithms, benchmarks of 8, 50 and 500",
        "approximate",
    ),
    "weighted_means": Row(
        answers(150, 3, benchmarks=3),
        first_holds(partial(pc.weighted_means, weights=WEIGHTS), 0.5),
        "3 benchmarks x 50",
        "approximate",
    ),
    "weighted_means, few cases": Row(
        opposed(8, 50, 500),
        first_holds(partial(pc.weighted_means, weights=EQUAL), OPPOSED_MEAN),
        "2 algorithms, benchmarks of 8, 50 and 500",
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
    "delong": Row(
        ratings(60, 3), curves_hold(pc.delong, 0.0), "60 + 60", "approximate"
    ),
    **{
        f"delong, {n} cases of a class": Row(
            ratings(n, 2, 200, (0.75, 0.9)),
            curves_hold(pc.delong, 0.75 - 0.9),
            f"{n} + 200, AUCs 0.75 and 0.9",
            "approximate",
        )
        for n in FEW_OF_A_CLASS
    },
    "delong, AUC near 1": Row(
        ratings(50, 2, 200, (0.9, 0.98)),
        curves_hold(pc.delong, 0.9 - 0.98),
        "50 + 200, AUCs 0.9 and 0.98",
        "approximate",
    ),
    **{
        f"auc_interval, {method}": Row(
            ratings(60, 1), of_auc(method), "60 + 60", "approximate"
        )
        for method in ("delong", "delong-logit", "hanley-mcneil")
    },
    "auc_interval, agarwal": Row(ratings(60, 1), of_auc("agarwal"), "60 + 60"),
    "auc_interval, bootstrap": Row(
        ratings(60, 1),
        of_auc("bootstrap"),
        "60 + 60, 2000 resamples",
        "approximate",
    ),
    "auc_interval, cortes-mohri": Row(
        ratings(60, 1),
        of_auc("cortes-mohri", threshold=0.5),
        "60 + 60",
        "approximate",
    ),
    "auc_interval, fold-t": Row(
        ratings(60, 1),
        of_auc("fold-t", fold=np.arange(120) % 10),
        "60 + 60, 10 folds",
        "approximate",
    ),
    "cv_auc": Row(
        ratings(60, 1),
        holds(
            lambda data: pc.cv_auc(
                data[0], data[1]["A"], positive=1, fold=np.arange(120) % 5
            ),
            AREA,
        ),
        "60 + 60, 5 folds",
        "approximate",
    ),
    "mean_curve, area": Row(
        folds(10, 20),
        holds(
            lambda data: pc.mean_curve(data, algorithm="A", draws=99).area,
            float(stats.norm.cdf(np.sqrt(0.5))),
        ),
        "10 folds of 20",
        "approximate",
    ),
    "partial_auc_interval": Row(
        ratings(60, 1),
        holds(
            lambda data: pc.partial_auc_interval(
                data[0], data[1]["A"], positive=1, low=0, high=0.5
            ),
            partial_area(0.5),
        ),
        "60 + 60, 2000 resamples",
        "approximate",
    ),
    "partial_auc_pairs": Row(
        ratings(60, 2),
        first_holds(
            lambda data: pc.partial_auc_pairs(*data, positive=1, low=0.0, high=0.5),
            0.0,
        ),
        "60 + 60, 2000 resamples",
        "approximate",
    ),
    "auc_pr_pairs": Row(
        ratings(60, 2),
        first_holds(lambda data: pc.auc_pr_pairs(*data, positive=1), 0),
        "60 + 60, 2000 resamples",
        "approximate",
    ),
    "curve_dominance": Row(
        ratings(40, 2),
        all_hold(
            lambda data: pc.curve_dominance(*data, positive=1, resamples=39).table
        ),
        "40 + 40, 39 resamples",
        "approximate",
    ),
    "hanley_mcneil": Row(
        ratings(60, 2),
        holds(lambda data: pc.hanley_mcneil(*data, positive=1), 0.0),
        "60 + 60",
        "approximate",
    ),
    "delong_unpaired": Row(
        ratings(60, 2), holds(unpaired, 0.0), "2 x (30 + 30)", "approximate"
    ),
    "mrmc": Row(readers(50), all_hold(pc.mrmc), "5 x (50 + 50)", "approximate"),
    **{
        f"mrmc, {n} cases of a class": Row(
            readers(n, model=LOWER, negative=200),
            all_hold(pc.mrmc),
            f"5 x ({n} + 200), AUC 0.74",
            "approximate",
        )
        for n in FEW_READ
    },
    "mrmc, 3 readers": Row(
        readers(50, 3, UNLIKE),
        all_hold(pc.mrmc),
        "3 x (50 + 50), readers unlike",
        "approximate",
    ),
    "single_modality": Row(
        readers(50),
        first_holds(
            lambda data: pc.single_modality(data, modality="M1"), READERS.auc[0]
        ),
        "5 x (50 + 50)",
        "approximate",
    ),
    "glmm": Row(rated(60), all_hold(pc.glmm), "5 x 60", "approximate"),
    "variance_components, reader": Row(
        readers(50),
        first_holds(pc.variance_components, READERS.components(50, 50)["reader"]),
        "5 x (50 + 50)",
        "approximate",
    ),
    "rank_pairs, all at once": Row(
        blocks(30, 4), all_hold(pc.rank_pairs), "30 x 4", "approximate"
    ),
    "games_howell, all at once": Row(
        unequal(15, 3), all_hold(pc.games_howell), "3 x 15, unequal", "approximate"
    ),
    "binormal_auc": Row(
        ratings(30, 1),
        holds(lambda data: pc.binormal_auc(data[0], data[1]["A"], positive=1), AREA),
        "30 + 30 cases",
        "approximate",
    ),
    "diagnostic_pairs": Row(
        diagnosed(300, 2), ratio_held, "2 tests, 300 cases", "approximate"
    ),
    "net_benefit": Row(risks(200), benefit_held, "2 models, 200 cases", "approximate"),
    **CALIBRATION_ROWS,
    **ALONE_INTERVALS,
    "mrmc, marks": Row(marked(40), marks_held, MARKS_SIZE, "approximate"),
    "network_synthesis": Row(
        network_of(12), network_held, "12 studies, 4 methods", "approximate"
    ),
    "network_synthesis, little spread": Row(
        network_of(40, spread=0.1), network_held, "40 studies, 4 methods", "approximate"
    ),
    "synthesis": Row(studies(10), synthesis_held, "10 studies", "approximate"),
    "synthesis, unequal errors": Row(
        unequal_studies(5),
        synthesis_held,
        "5 studies, errors up to 10 : 1",
        "approximate",
    ),
    "synthesis, little spread": Row(
        studies(40, 0.1), synthesis_held, "40 studies", "approximate"
    ),
    "net_benefit, few cases": Row(
        rare(100), rare_held, "100 cases, against treat all", "approximate"
    ),
    "labels, few other grades": Row(
        grades(200, 15), grade_held, "15 of 200 items labelled", "approximate"
    ),
    "games_howell, few rows, all at once": Row(
        LOPSIDED, all_hold(pc.games_howell), LOPSIDED_SIZE, "approximate"
    ),
    "nemenyi, all at once": Row(
        blocks(30, 4), all_hold(pc.nemenyi), "30 x 4", "approximate"
    ),
    "sign_grid, all at once": Row(
        won(20, 3), all_hold(lambda wins: pc.sign_grid(wins, n_datasets=20)), "20 x 3"
    ),
    "superiority, all at once": Row(
        blocks(30, 3),
        all_hold(lambda s: pc.superiority(s, simultaneous=True), 0.5),
        "30 x 3",
        "approximate",
    ),
    "wilcoxon": Row(
        NORMAL, holds(lambda s: of_first_two(pc.wilcoxon, s), 0.0), "12 x 2"
    ),
    "sign_test": Row(
        NORMAL, holds(lambda s: of_first_two(pc.sign_test, s), 0.5), "12 x 2"
    ),
    "mcnemar": Row(
        answers(100, 2), holds(lambda s: of_first_two(pc.mcnemar, s), 0.5), "100 x 2"
    ),
    "equivalence": Row(
        NORMAL,
        holds(lambda s: pc.equivalence(s, algorithms=("A", "B"), margin=0.5), 0.0),
        "12 x 2",
        level=0.9,
    ),
    "matched_shares": Row(
        worse_answers(100, 0.1),
        first_holds(
            partial(pc.matched_shares, margin=0.2, control="A", alpha=0.025), -0.1
        ),
        "100 x 3",
        "approximate",
    ),
    "gate": Row(
        worse_answers(100, 0.1),
        first_holds(partial(pc.gate, baseline="A", candidate="B", margin=0.2), -0.1),
        "100 x 2",
        "approximate",
    ),
    "share_pairs": Row(
        answers(100, 3), first_holds(pc.share_pairs, 0.0), "100 x 3", "approximate"
    ),
    "crossed_pairs": Row(
        replicated(60, 3, 5), first_holds(pc.crossed_pairs, 0.0), "60 x 3 x 5"
    ),
    "labels": Row(
        judged_answers(500, 60, 3),
        first_holds(partial(pc.labels, chosen="random", adjust="holm"), 0.0),
        "60 of 500 items labelled, 3 models",
        "approximate",
    ),
    "these_items": Row(
        replicated(40, 3, 4), first_holds(pc.these_items, 0.0), "40 x 3 x 4"
    ),
    "bounded_means": Row(
        worse_answers(60, 0.1, runs=2),
        first_holds(
            partial(
                pc.bounded_means, margin=0.2, range=(0, 1), control="A", alpha=0.025
            ),
            -0.1,
        ),
        "60 x 3, means of 2 runs",
    ),
    "signed_rank_margins": Row(
        NORMAL,
        first_holds(partial(pc.signed_rank_margins, margin=0.5), 0.0),
        "12 x 4",
    ),
    "equivalence_pairs": Row(
        NORMAL,
        first_holds(partial(pc.equivalence_pairs, margin=0.5, alpha=0.025), 0.0),
        "12 x 4",
    ),
    "auc_margins": Row(
        ratings(60, 2, areas=(0.8, 0.9)),
        first_holds(
            lambda data: pc.auc_margins(*data, positive=1, margin=0.1, alpha=0.025),
            -0.1,
        ),
        "60 + 60, truth at the margin",
        "approximate",
    ),
    "hotelling, all at once": Row(
        blocks(12, 2, 2),
        all_hold(lambda s: of_first_two(pc.hotelling, s).table),
        "12 x 2, 2 metrics",
    ),
    "hotelling, distance": Row(
        shifted(12, (0.5, 0), 2),
        holds(lambda s: of_first_two(pc.hotelling, s).effect, 0.5),
        "12 x 2, 2 metrics",
    ),
    "hotelling_one_sample, all at once": Row(
        lambda rng: scores_of(rng.normal(size=(12, 2, 2))),
        all_hold(
            lambda s: (
                pc.hotelling_one_sample(
                    s, algorithm="A", means={"m0": 0.0, "m1": 0.0}
                ).table
            )
        ),
        "12, 2 metrics",
    ),
    "hotelling_pairs, all at once": Row(
        blocks(12, 3, 2),
        all_hold(lambda s: pc.hotelling_pairs(s).differences),
        "12 x 3, 2 metrics",
    ),
    "anova, partial eta2": Row(
        shifted(10, ETA_MEANS), holds(lambda s: pc.anova(s).partial_eta2, 0.3), "10 x 3"
    ),
    "friedman, Kendall's W": Row(
        shifted(30, SPREAD),
        holds(lambda s: pc.friedman(s).kendall_w, concordance(SPREAD, 30)),
        "30 x 4",
        "approximate",
    ),
    "replicated_anova, skewed runs": Row(
        skewed_runs(8, 3, 3), component("run", 1.0), "8 x 3 x 3", "approximate"
    ),
    "replicated_anova, right or wrong": Row(
        right_runs(50, 2, 5),
        component("run", right_runs_variance()),
        "50 x 2 x 5",
        "approximate",
    ),
    "replicated_anova, runs": Row(
        replicated(8, 3, 3, 0.7), component("run", 1.0), "8 x 3 x 3"
    ),
    "replicated_anova, block:algorithm": Row(
        replicated(8, 3, 3, 0.7),
        component("block:algorithm", 0.49),
        "8 x 3 x 3",
        "approximate",
    ),
    "crossed_anova": Row(
        replicated(20, 3, 5), component("residual", 1.0, pc.crossed_anova), "20 x 3 x 5"
    ),
    "crossed_anova, algorithm:block": Row(
        replicated(20, 3, 5, 0.7),
        component("algorithm:block", 0.49, pc.crossed_anova),
        "20 x 3 x 5",
        "approximate",
    ),
    "replicated_anova, share of runs": Row(
        replicated(8, 3, 3, 0.7),
        holds(lambda s: pc.replicated_anova(s).run_share, 1 / (1 + 3 * 0.49)),
        "8 x 3 x 3",
    ),
    "linear_model, partial eta2": Row(
        rows_of(3, 10, means=ETA_MEANS),
        holds(lambda frame: of_learners(frame, "y0 ~ data + learner"), 0.3),
        "10 x 3",
    ),
    "linear_model, contrasts, all at once": Row(
        rows_of(3, 12),
        all_hold(lambda frame: blocked_model(frame).contrasts("learner")),
        "12 x 3",
    ),
    "linear_model, emmeans": Row(
        rows_of(3, 12),
        first_holds(
            lambda frame: pc.linear_model(frame, "y0 ~ learner", within="data").emmeans(
                "learner"
            ),
            0.0,
        ),
        "12 x 3",
        "approximate",
    ),
    "rank_sets, two equal": Row(
        shifted(12, (0, 0.5, 0.5)), ranks_held((3, 1, 1), (3, 2, 2)), "12 x 3"
    ),
    "rank_sets, all equal": Row(SMALL, ranks_held((1, 1, 1), (3, 3, 3)), "12 x 3"),
    "rank_prediction": Row(shifted(31, SPREAD), next_rank, "30 x 4"),
    "power": Row(seed_of, power_held, "20 blocks, 200 trials"),
}
