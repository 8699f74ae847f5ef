"""What is required of pycompare: equation, functions, and the checks that show it.

An equation is a section of the site's page of equations. A check shows a requirement
if its name begins with one of ``checks``; each check shows exactly one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    """One requirement; ``equation`` is empty where no formula is numbered."""

    title: str
    equation: str
    functions: tuple[str, ...]
    checks: tuple[str, ...]


def _required(title: str, equation: str, functions: str, *checks: str) -> Requirement:
    return Requirement(title, equation, tuple(functions.split()), checks)


REQUIREMENTS = (
    _required("Friedman, Iman-Davenport, Kendall's W", "3.1, 3.2, 3.3", "friedman",
              "Friedman"),
    _required("Aligned ranks", "3.4", "aligned_ranks", "aligned ranks"),
    _required("Quade's test", "3.5", "quade", "Quade"),
    _required("Skillings-Mack test", "", "skillings_mack", "Skillings-Mack"),
    _required("Mack-Skillings test", "", "mack_skillings", "Mack-Skillings"),
    _required("Exact sign-flip test of a pair", "3.8", "rank_pairs",
              "pairs of friedman ranks, sign", "pairs of aligned ranks, sign",
              "pairs of quade ranks, sign", "pairs by sign flips"),
    _required("z and exact tests of mean ranks", "3.6", "rank_pairs",
              "pairs of friedman ranks, textbook", "pairs of friedman ranks, perm",
              "pairs of friedman ranks, exact", "pairs of aligned ranks, textbook",
              "pairs of aligned ranks, perm", "pairs of quade ranks, textbook",
              "pairs of quade ranks, perm", "pairs of skillings-mack"),
    _required("Critical difference", "3.7", "nemenyi", "Nemenyi",
              "studentised range"),
    _required("Step-down max-T", "3.9", "max_t", "max-T"),
    _required("Closed permutation tests", "", "closed_permutation",
              "closed permutation", "uniform random numbers"),
    _required("Shaffer's adjustments", "4.2", "adjust", "adjust: shaffer",
              "pairs adjusted: shaffer", "Shaffer"),
    _required("Bergmann-Hommel adjustment", "4.3", "adjust exhaustive_sets",
              "adjust: bergmann", "pairs adjusted: bergmann", "exhaustive sets"),
    _required("Benjamini-Hochberg adjustment", "4.4", "adjust", "adjust: BH",
              "pairs adjusted: BH", "against a control: BH"),
    _required("Other adjustments", "4.1, 4.5", "adjust", "adjust: none",
              "adjust: bonferroni", "adjust: sidak", "adjust: holm",
              "adjust: hochberg", "adjust: hommel", "adjust: holland",
              "adjust: finner", "adjust: rom", "adjust: li", "adjust: BY",
              "adjust: nemenyi", "pairs adjusted: none", "pairs adjusted: bonferroni",
              "pairs adjusted: sidak", "pairs adjusted: ho", "pairs adjusted: finner",
              "pairs adjusted: rom", "pairs adjusted: li", "pairs adjusted: BY",
              "pairs adjusted: nemenyi", "against a control: none",
              "against a control: bonferroni", "against a control: sidak",
              "against a control: ho", "against a control: finner",
              "against a control: rom", "against a control: li",
              "against a control: BY", "one family over"),
    _required("Graphs of hypotheses", "4.6", "adjust_graph", "graph of hypotheses"),
    _required("Steps of a family", "4.1, 4.2", "step_levels", "levels of steps"),
    _required("Tables of one family", "", "compare", "tables of one family"),
    _required("Probability of superiority", "10.7", "superiority",
              "probability of superiority"),
    _required("Paired t test", "2.1", "paired_t paired_t_pairs", "paired t"),
    _required("Corrected resampled t test", "2.2", "paired_t corrected_pairs",
              "corrected resampled t"),
    _required("5x2cv tests", "2.3", "five_by_two_cv", "5x2cv"),
    _required("Wilcoxon's signed rank test", "2.4", "wilcoxon", "Wilcoxon"),
    _required("Signed rank tests of pairs", "2.4", "signed_rank_pairs",
              "signed rank tests of pairs"),
    _required("Signed rank tests of clusters", "2.4", "clustered_signed_rank_pairs",
              "signed rank tests of clusters"),
    _required("Typical differences against a margin", "2.4, 2.8",
              "signed_rank_margins", "signed rank tests against a margin"),
    _required("Hodges-Lehmann estimate", "2.5", "hodges_lehmann", "Hodges-Lehmann"),
    _required("Sign test", "2.6", "sign_test", "sign test,"),
    _required("McNemar's test", "2.7, 10.1, 10.2", "mcnemar mcnemar_pairs", "McNemar"),
    _required("Equivalence and non-inferiority", "2.8",
              "equivalence equivalence_pairs", "equivalence", "non-inferiority"),
    _required("Cochran's Q", "10.3", "cochran_q", "Cochran's Q"),
    _required("Limits of a proportion", "10.4", "accuracy_intervals",
              "intervals of accuracies"),
    _required("Pairs of shares on the same cases", "10.11, 10.12", "share_pairs",
              "share pairs"),
    _required("Items under runs that all share", "10.14", "crossed_pairs",
              "crossed pairs"),
    _required("These items", "10.16, 10.18", "these_items item_means",
              "these items,", "means of items"),
    _required("Aggregates of runs", "13.1, 13.2, 13.3", "run_aggregates",
              "aggregates of runs"),
    _required("Pairs of runs", "13.1, 13.2, 13.3, 13.4", "run_pairs", "pairs of runs"),
    _required("Profiles of runs", "13.3, 13.5", "run_profiles", "profiles of runs"),
    _required("Mixed model of items", "10.19", "item_logit", "mixed model of items"),
    _required("Table of items", "10.20", "item_table", "table of items"),
    _required("Shares against a margin", "10.11, 10.12", "matched_shares",
              "matched shares"),
    _required("Binormal area", "8.7", "binormal_auc", "binormal area"),
    _required("Ratios of diagnostic tests", "10.22", "diagnostic_pairs",
              "diagnostic tests"),
    _required("Net benefit", "10.23", "net_benefit", "net benefit"),
    _required("Synthesis of studies", "7.3", "synthesis", "synthesis of studies"),
    _required("Means of independent samples", "5.11", "welch_anova games_howell",
              "Welch's test of equal means", "Games-Howell"),
    _required("Gate", "10.16, 10.17", "gate", "gate"),
    _required("Bounded means against a margin", "10.13", "bounded_means",
              "bounded means"),
    _required("Clusters of cases", "10.5", "cluster_pairs", "clustered pairs"),
    _required("Runs on cases in clusters", "10.9", "clustered_runs",
              "components of variance of clusters", "strata of clusters"),
    _required("Benchmarks with weights", "10.10", "weighted_pairs", "weighted pairs",
              "weighted means", "weighted max-T", "means of groups"),
    _required("Sets of ranks", "10.6", "rank_sets", "confidence sets of ranks"),
    _required("Prediction of a rank", "10.8", "rank_prediction",
              "prediction of ranks"),
    _required("Agreement of decisions", "", "agreement", "Agreement of decisions"),
    _required("Analysis of variance, effect sizes, sphericity", "5.1, 5.2, 5.3",
              "anova", "analysis of variance, b", "analysis of variance, one-way",
              "analysis of variance with gaps", "analysis of variance, s"),
    _required("Checks of residuals", "", "residual_checks", "residual checks"),
    _required("Tukey's test", "5.4", "tukey", "Tukey", "Adjusted means"),
    _required("Scheffe's test", "5.5", "scheffe", "Scheffe"),
    _required("Dunnett's test", "5.6", "dunnett", "Dunnett"),
    _required("t tests with one error", "5.3", "pairwise_t", "t tests of pairs"),
    _required("Runs within blocks", "5.7", "replicated_anova",
              "analysis of variance of runs", "components of variance, second"),
    _required("Linear models by formula", "5.8, 5.9, 5.10", "linear_model",
              "linear model by", "estimated marginal means", "marginal means over",
              "marginal means and", "contrasts of marginal",
              "dispersion of groups", "permutation of residuals", "mixed model by"),
    _required("Multivariate analysis of variance", "6.1", "manova", "MANOVA"),
    _required("Dimension of the differences", "6.2", "manova", "Bartlett",
              "Likelihood-ratio dimensionality"),
    _required("Hotelling's T2", "6.3, 6.4",
              "hotelling hotelling_one_sample hotelling_pairs", "Hotelling"),
    _required("Permutation tests of several metrics", "6.5", "permutation_manova",
              "permutation test of"),
    _required("Multivariate normality, equal covariances", "", "multivariate_checks",
              "Box's M", "Henze-Zirkler"),
    _required("Interaction of algorithm and data set", "7.1", "dataset_interaction",
              "interaction of"),
    _required("Wins over data sets and thresholds", "7.2",
              "wins sign_grid threshold_wins", "wins", "sign tests over data sets"),
    _required("Areas under ROC curves", "1.1", "auc roc_curve", "AUC, AUC-PR",
              "partial AUC", "ROC curve", "mean ROC curve", "confusion counts",
              "Brier score"),
    _required("Areas under precision-recall curves", "1.2", "pr_curve auc_pr",
              "precision-recall", "auc_pr"),
    _required("Risk", "1.3", "risk", "risk"),
    _required("AUCs against a margin", "2.8", "auc_margins", "AUC margins"),
    _required("DeLong's tests", "8.1, 8.4", "delong delong_unpaired", "DeLong"),
    _required("Intervals of an area", "8.1, 8.3, 8.5", "auc_interval cv_auc",
              "AUC interval", "cross-validated AUC"),
    _required("Differences of cross-validated AUCs", "14.3", "cv_auc_pairs",
              "AUCs cross-validated"),
    _required("Error of one learner", "14.1", "cv_error_intervals",
              "error of one learner"),
    _required("Nested cross-validation", "14.2", "nested_cv",
              "nested cross-validation"),
    _required("Intervals of an average precision", "8.6", "average_precision_interval",
              "average precision,"),
    _required("Hanley and McNeil's test", "8.2", "hanley_mcneil", "Hanley-McNeil"),
    _required("Exchange of ranks", "", "auc_exchange", "exchange of ranks"),
    _required("Readers and cases", "9.1, 9.5", "mrmc", "OR,", "DBM"),
    _required("Components of readers and cases", "9.2", "RoeMetz variance_components",
              "one-shot", "components of variance with"),
    _required("Mixed model of 0/1 outcomes", "9.3", "glmm", "mixed model of 0/1"),
    _required("Mixed three-way analysis of variance", "9.6", "crossed_anova",
              "mixed three-way", "components of a mixed three-way"),
    _required("One modality", "9.4", "single_modality", "one modality"),
    _required("Labels of people beside a judge", "10.21", "labels",
              "labels of people and a judge"),
    _required("Strengths from battles", "10.15", "battles", "strengths from battles"),
    _required("Bayesian sign test", "12.1", "bayesian_sign", "Bayesian sign test"),
    _required("Bayesian signed rank test", "12.2", "bayesian_signed_rank",
              "Bayesian signed rank test"),
    _required("Bayesian correlated t test", "12.3", "bayesian_correlated_t",
              "Bayesian correlated t test"),
    _required("Power and sample size", "11.1, 11.2, 11.3, 11.4", "power", "power"),
    _required("Break-even point, KS statistic, lift, SAR", "1.4", "measure_file",
              "break-even", "lift", "SAR"),
    _required("Rankings of challenges", "10.24", "challenge", "challenge"),
    _required("Pairs of balanced incomplete blocks", "3.10", "durbin_pairs",
              "Durbin's pairs"),
    _required("Outlying residuals of several metrics", "6.6", "multivariate_outliers",
              "minimum covariance determinant"),
)  # fmt: skip
"""All requirements, in the order of the evidence."""


def requirement_of(statistic: str) -> list[Requirement]:
    """Return the requirements that a check shows: one, or a test fails."""
    return [one for one in REQUIREMENTS if statistic.startswith(one.checks)]


def identifier_of(one: Requirement) -> str:
    """Return the identifier of a requirement: its place in the list.

    New requirements are added at the end.
    """
    return f"N{REQUIREMENTS.index(one) + 1:02d}"
