"""pycompare: compare classification algorithms, with R agreeing to the digit.

``import pycompare as pc``. The public names load on first use, so that the import
itself is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pycompare._version import __version__
from pycompare.environment import given_date

if TYPE_CHECKING:
    from pycompare.analyses.curve_comparison import CurveComparison, compare_curves
    from pycompare.analyses.planned_power import planned_power
    from pycompare.cases.accuracy_intervals import accuracy_intervals
    from pycompare.cases.bounded_means import bounded_means
    from pycompare.cases.cluster_pairs import cluster_pairs
    from pycompare.cases.cochran_q import cochran_q
    from pycompare.cases.crossed_pairs import crossed_pairs
    from pycompare.cases.matched_shares import matched_shares
    from pycompare.cases.share_pairs import share_pairs
    from pycompare.cases.weighted_pairs import weighted_means, weighted_pairs
    from pycompare.comparison import Comparison, compare
    from pycompare.curves.auc_pr_pairs import auc_pr_pairs
    from pycompare.curves.average_precision_interval import average_precision_interval
    from pycompare.curves.cross_validated import cv_auc
    from pycompare.curves.delong import delong
    from pycompare.curves.exchange import auc_exchange
    from pycompare.curves.hanley_mcneil import hanley_mcneil
    from pycompare.curves.interval import auc_interval, auc_intervals
    from pycompare.curves.mean_curve import mean_curve
    from pycompare.curves.partial import partial_auc_interval, partial_auc_pairs
    from pycompare.curves.unpaired import delong_unpaired
    from pycompare.data.examples import example, example_path
    from pycompare.data.files import read_scores
    from pycompare.data.prediction_files import read_predictions
    from pycompare.data.predictions import Predictions
    from pycompare.data.proposal import Reading, propose
    from pycompare.data.rating_files import read_ratings
    from pycompare.data.ratings import Ratings
    from pycompare.data.scores import Scores
    from pycompare.data.thresholds import threshold_scores
    from pycompare.errors import (
        DesignError,
        DoubtError,
        InputError,
        PlanError,
        PyCompareError,
        ReferenceUnavailable,
    )
    from pycompare.experiments.cross_validate import from_cross_validate
    from pycompare.experiments.dataset import DataSet
    from pycompare.experiments.protocols import (
        DisjointSets,
        FiveByTwo,
        HeldOut,
        RepeatedFolds,
        StratifiedFolds,
    )
    from pycompare.experiments.runner import experiment
    from pycompare.linear.anova import anova
    from pycompare.linear.assumptions import residual_checks
    from pycompare.linear.clustered_runs import clustered_runs
    from pycompare.linear.dataset_interaction import dataset_interaction
    from pycompare.linear.dunnett import dunnett
    from pycompare.linear.hotelling import hotelling
    from pycompare.linear.hotelling_one_sample import hotelling_one_sample
    from pycompare.linear.hotelling_pairs import hotelling_pairs
    from pycompare.linear.manova import manova
    from pycompare.linear.multivariate_checks import multivariate_checks
    from pycompare.linear.pairwise_t import pairwise_t
    from pycompare.linear.permutation_manova import permutation_manova
    from pycompare.linear.replicated_anova import replicated_anova
    from pycompare.linear.scheffe import scheffe
    from pycompare.linear.tukey import tukey
    from pycompare.measures.classes import most_confused
    from pycompare.measures.precision_recall import auc_pr, pr_curve
    from pycompare.measures.risk import risk
    from pycompare.measures.roc import auc, roc_curve
    from pycompare.metric import Metric
    from pycompare.models.linear_model import linear_model
    from pycompare.multiplicity.adjust import adjust
    from pycompare.multireader.components import variance_components
    from pycompare.multireader.mixed_outcomes import glmm
    from pycompare.multireader.mrmc import mrmc
    from pycompare.multireader.roe_metz import RoeMetz
    from pycompare.multireader.single_modality import single_modality
    from pycompare.orders.cliques import cliques
    from pycompare.orders.letters import letters
    from pycompare.orders.orderings import orderings
    from pycompare.orders.rank_sets import rank_sets
    from pycompare.over_datasets.agreement import agreement
    from pycompare.over_datasets.dataset_tables import dataset_means
    from pycompare.over_datasets.sign_grid import sign_grid
    from pycompare.over_datasets.threshold_wins import threshold_wins
    from pycompare.over_datasets.win_table import WinTable, win_table
    from pycompare.over_datasets.wins import wins
    from pycompare.pairs.closed_permutation import closed_permutation
    from pycompare.pairs.clustered_signed_rank_pairs import clustered_signed_rank_pairs
    from pycompare.pairs.corrected_pairs import corrected_pairs
    from pycompare.pairs.equivalence import equivalence
    from pycompare.pairs.equivalence_pairs import equivalence_pairs
    from pycompare.pairs.five_by_two import five_by_two_cv
    from pycompare.pairs.hodges_lehmann import hodges_lehmann
    from pycompare.pairs.max_t import max_t
    from pycompare.pairs.mcnemar import mcnemar
    from pycompare.pairs.mcnemar_pairs import mcnemar_pairs
    from pycompare.pairs.paired_t_pairs import paired_t_pairs
    from pycompare.pairs.sign import sign_test
    from pycompare.pairs.signed_rank_margins import signed_rank_margins
    from pycompare.pairs.signed_rank_pairs import signed_rank_pairs
    from pycompare.pairs.superiority import superiority
    from pycompare.pairs.ttest import paired_t
    from pycompare.pairs.wilcoxon import wilcoxon
    from pycompare.plans.plan import Plan
    from pycompare.plans.plan_file import PlanFile, read_plan
    from pycompare.plans.starter import starter_plan
    from pycompare.plans.trail import read_trail
    from pycompare.qualification import validate
    from pycompare.ranks.aligned import aligned_ranks
    from pycompare.ranks.friedman import friedman
    from pycompare.ranks.mack_skillings import mack_skillings
    from pycompare.ranks.nemenyi import nemenyi
    from pycompare.ranks.pairs import rank_pairs
    from pycompare.ranks.prediction import rank_prediction
    from pycompare.ranks.quade import quade
    from pycompare.ranks.skillings_mack import skillings_mack
    from pycompare.readers.read_results import read_results
    from pycompare.reporting.bibliography import cite
    from pycompare.reporting.certificate import certificate
    from pycompare.reporting.diff import diff
    from pycompare.reporting.methods_text import methods_text
    from pycompare.reporting.report import report
    from pycompare.reporting.unblind import unblind
    from pycompare.reporting.verify import verify
    from pycompare.sample_size.power import power
    from pycompare.simulation.engine import simulate
    from pycompare.streaming.stream import measure_file

PUBLIC = {
    "accuracy_intervals": "pycompare.cases.accuracy_intervals",
    "adjust": "pycompare.multiplicity.adjust",
    "agreement": "pycompare.over_datasets.agreement",
    "aligned_ranks": "pycompare.ranks.aligned",
    "anova": "pycompare.linear.anova",
    "auc": "pycompare.measures.roc",
    "auc_exchange": "pycompare.curves.exchange",
    "auc_interval": "pycompare.curves.interval",
    "auc_intervals": "pycompare.curves.interval",
    "auc_pr": "pycompare.measures.precision_recall",
    "auc_pr_pairs": "pycompare.curves.auc_pr_pairs",
    "average_precision_interval": "pycompare.curves.average_precision_interval",
    "cliques": "pycompare.orders.cliques",
    "cluster_pairs": "pycompare.cases.cluster_pairs",
    "bounded_means": "pycompare.cases.bounded_means",
    "clustered_runs": "pycompare.linear.clustered_runs",
    "clustered_signed_rank_pairs": "pycompare.pairs.clustered_signed_rank_pairs",
    "weighted_means": "pycompare.cases.weighted_pairs",
    "weighted_pairs": "pycompare.cases.weighted_pairs",
    "cochran_q": "pycompare.cases.cochran_q",
    "crossed_pairs": "pycompare.cases.crossed_pairs",
    "compare": "pycompare.comparison",
    "compare_curves": "pycompare.analyses.curve_comparison",
    "closed_permutation": "pycompare.pairs.closed_permutation",
    "corrected_pairs": "pycompare.pairs.corrected_pairs",
    "cv_auc": "pycompare.curves.cross_validated",
    "dataset_interaction": "pycompare.linear.dataset_interaction",
    "dataset_means": "pycompare.over_datasets.dataset_tables",
    "delong": "pycompare.curves.delong",
    "delong_unpaired": "pycompare.curves.unpaired",
    "diff": "pycompare.reporting.diff",
    "dunnett": "pycompare.linear.dunnett",
    "equivalence": "pycompare.pairs.equivalence",
    "equivalence_pairs": "pycompare.pairs.equivalence_pairs",
    "example": "pycompare.data.examples",
    "example_path": "pycompare.data.examples",
    "experiment": "pycompare.experiments.runner",
    "five_by_two_cv": "pycompare.pairs.five_by_two",
    "friedman": "pycompare.ranks.friedman",
    "from_cross_validate": "pycompare.experiments.cross_validate",
    "hanley_mcneil": "pycompare.curves.hanley_mcneil",
    "hodges_lehmann": "pycompare.pairs.hodges_lehmann",
    "hotelling": "pycompare.linear.hotelling",
    "hotelling_one_sample": "pycompare.linear.hotelling_one_sample",
    "hotelling_pairs": "pycompare.linear.hotelling_pairs",
    "letters": "pycompare.orders.letters",
    "mack_skillings": "pycompare.ranks.mack_skillings",
    "linear_model": "pycompare.models.linear_model",
    "manova": "pycompare.linear.manova",
    "max_t": "pycompare.pairs.max_t",
    "matched_shares": "pycompare.cases.matched_shares",
    "mcnemar": "pycompare.pairs.mcnemar",
    "mcnemar_pairs": "pycompare.pairs.mcnemar_pairs",
    "mean_curve": "pycompare.curves.mean_curve",
    "measure_file": "pycompare.streaming.stream",
    "most_confused": "pycompare.measures.classes",
    "glmm": "pycompare.multireader.mixed_outcomes",
    "single_modality": "pycompare.multireader.single_modality",
    "mrmc": "pycompare.multireader.mrmc",
    "multivariate_checks": "pycompare.linear.multivariate_checks",
    "nemenyi": "pycompare.ranks.nemenyi",
    "orderings": "pycompare.orders.orderings",
    "paired_t": "pycompare.pairs.ttest",
    "paired_t_pairs": "pycompare.pairs.paired_t_pairs",
    "pairwise_t": "pycompare.linear.pairwise_t",
    "partial_auc_interval": "pycompare.curves.partial",
    "partial_auc_pairs": "pycompare.curves.partial",
    "permutation_manova": "pycompare.linear.permutation_manova",
    "planned_power": "pycompare.analyses.planned_power",
    "power": "pycompare.sample_size.power",
    "pr_curve": "pycompare.measures.precision_recall",
    "quade": "pycompare.ranks.quade",
    "rank_pairs": "pycompare.ranks.pairs",
    "rank_prediction": "pycompare.ranks.prediction",
    "rank_sets": "pycompare.orders.rank_sets",
    "read_plan": "pycompare.plans.plan_file",
    "read_predictions": "pycompare.data.prediction_files",
    "read_ratings": "pycompare.data.rating_files",
    "read_results": "pycompare.readers.read_results",
    "read_scores": "pycompare.data.files",
    "read_trail": "pycompare.plans.trail",
    "propose": "pycompare.data.proposal",
    "Reading": "pycompare.data.proposal",
    "replicated_anova": "pycompare.linear.replicated_anova",
    "report": "pycompare.reporting.report",
    "certificate": "pycompare.reporting.certificate",
    "cite": "pycompare.reporting.bibliography",
    "methods_text": "pycompare.reporting.methods_text",
    "residual_checks": "pycompare.linear.assumptions",
    "risk": "pycompare.measures.risk",
    "roc_curve": "pycompare.measures.roc",
    "scheffe": "pycompare.linear.scheffe",
    "sign_grid": "pycompare.over_datasets.sign_grid",
    "share_pairs": "pycompare.cases.share_pairs",
    "sign_test": "pycompare.pairs.sign",
    "signed_rank_margins": "pycompare.pairs.signed_rank_margins",
    "signed_rank_pairs": "pycompare.pairs.signed_rank_pairs",
    "simulate": "pycompare.simulation.engine",
    "skillings_mack": "pycompare.ranks.skillings_mack",
    "starter_plan": "pycompare.plans.starter",
    "superiority": "pycompare.pairs.superiority",
    "threshold_scores": "pycompare.data.thresholds",
    "threshold_wins": "pycompare.over_datasets.threshold_wins",
    "tukey": "pycompare.linear.tukey",
    "unblind": "pycompare.reporting.unblind",
    "validate": "pycompare.qualification",
    "verify": "pycompare.reporting.verify",
    "variance_components": "pycompare.multireader.components",
    "wilcoxon": "pycompare.pairs.wilcoxon",
    "win_table": "pycompare.over_datasets.win_table",
    "wins": "pycompare.over_datasets.wins",
    "Comparison": "pycompare.comparison",
    "CurveComparison": "pycompare.analyses.curve_comparison",
    "DataSet": "pycompare.experiments.dataset",
    "DesignError": "pycompare.errors",
    "DisjointSets": "pycompare.experiments.protocols",
    "DoubtError": "pycompare.errors",
    "FiveByTwo": "pycompare.experiments.protocols",
    "HeldOut": "pycompare.experiments.protocols",
    "InputError": "pycompare.errors",
    "Metric": "pycompare.metric",
    "Plan": "pycompare.plans.plan",
    "PlanError": "pycompare.errors",
    "PlanFile": "pycompare.plans.plan_file",
    "Predictions": "pycompare.data.predictions",
    "PyCompareError": "pycompare.errors",
    "Ratings": "pycompare.data.ratings",
    "ReferenceUnavailable": "pycompare.errors",
    "RepeatedFolds": "pycompare.experiments.protocols",
    "RoeMetz": "pycompare.multireader.roe_metz",
    "Scores": "pycompare.data.scores",
    "StratifiedFolds": "pycompare.experiments.protocols",
    "WinTable": "pycompare.over_datasets.win_table",
}
"""Public name -> module that defines it."""

__all__ = [*PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    """Load a public name, or the pictures, when it is first used."""
    if name == "plotting":
        return import_module("pycompare.plotting")
    if name not in PUBLIC:
        raise AttributeError(f"module 'pycompare' has no attribute {name!r}")
    if PUBLIC[name] != "pycompare.errors":  # these load no library
        given_date()
    value = getattr(import_module(PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
