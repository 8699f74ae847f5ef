"""pycompare: compare classification algorithms, cross-checked against R.

``import pycompare as pc``. The public names load on first use, so that the import
itself is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pycompare.base.environment import given_date
from pycompare.base.version import __version__

if TYPE_CHECKING:
    from pycompare.apps.comparison import Comparison, compare
    from pycompare.apps.experiments.cross_validate import from_cross_validate
    from pycompare.apps.experiments.dataset import DataSet
    from pycompare.apps.experiments.protocols import (
        DisjointSets,
        FiveByTwo,
        HeldOut,
        RepeatedFolds,
        StratifiedFolds,
    )
    from pycompare.apps.experiments.runner import experiment
    from pycompare.apps.qualification import validate
    from pycompare.apps.streaming.stream import measure_file
    from pycompare.base.errors import (
        DesignError,
        DoubtError,
        InputError,
        PlanError,
        PyCompareError,
        ReferenceUnavailable,
    )
    from pycompare.base.metric import Metric
    from pycompare.data.examples import example, example_path
    from pycompare.data.files import read_scores
    from pycompare.data.measures.classes import most_confused
    from pycompare.data.measures.precision_recall import auc_pr, pr_curve
    from pycompare.data.measures.risk import risk
    from pycompare.data.measures.roc import auc, roc_curve
    from pycompare.data.prediction_files import read_predictions
    from pycompare.data.predictions import Predictions
    from pycompare.data.proposal import Reading, propose
    from pycompare.data.rating_files import read_ratings
    from pycompare.data.ratings import Ratings
    from pycompare.data.readers.read_results import read_results
    from pycompare.data.scores import Scores
    from pycompare.data.thresholds import threshold_scores
    from pycompare.designs.curve_comparison import CurveComparison, compare_curves
    from pycompare.designs.plans.plan import Plan
    from pycompare.designs.plans.plan_file import PlanFile, read_plan
    from pycompare.designs.plans.starter import starter_plan
    from pycompare.designs.plans.trail import read_trail
    from pycompare.methods.cases.accuracy_intervals import accuracy_intervals
    from pycompare.methods.cases.bounded_means import bounded_means
    from pycompare.methods.cases.cluster_pairs import cluster_pairs
    from pycompare.methods.cases.cochran_q import cochran_q
    from pycompare.methods.cases.crossed_pairs import crossed_pairs
    from pycompare.methods.cases.matched_shares import matched_shares
    from pycompare.methods.cases.share_pairs import share_pairs
    from pycompare.methods.cases.weighted_pairs import weighted_means, weighted_pairs
    from pycompare.methods.curves.auc_pr_pairs import auc_pr_pairs
    from pycompare.methods.curves.average_precision_interval import (
        average_precision_interval,
    )
    from pycompare.methods.curves.cross_validated import cv_auc
    from pycompare.methods.curves.delong import delong
    from pycompare.methods.curves.exchange import auc_exchange
    from pycompare.methods.curves.hanley_mcneil import hanley_mcneil
    from pycompare.methods.curves.interval import auc_interval, auc_intervals
    from pycompare.methods.curves.mean_curve import mean_curve
    from pycompare.methods.curves.partial import partial_auc_interval, partial_auc_pairs
    from pycompare.methods.curves.unpaired import delong_unpaired
    from pycompare.methods.linear.anova import anova
    from pycompare.methods.linear.assumptions import residual_checks
    from pycompare.methods.linear.clustered_runs import clustered_runs
    from pycompare.methods.linear.dataset_interaction import dataset_interaction
    from pycompare.methods.linear.dunnett import dunnett
    from pycompare.methods.linear.hotelling import hotelling
    from pycompare.methods.linear.hotelling_one_sample import hotelling_one_sample
    from pycompare.methods.linear.hotelling_pairs import hotelling_pairs
    from pycompare.methods.linear.manova import manova
    from pycompare.methods.linear.multivariate_checks import multivariate_checks
    from pycompare.methods.linear.pairwise_t import pairwise_t
    from pycompare.methods.linear.permutation_manova import permutation_manova
    from pycompare.methods.linear.replicated_anova import replicated_anova
    from pycompare.methods.linear.scheffe import scheffe
    from pycompare.methods.linear.tukey import tukey
    from pycompare.methods.models.linear_model import linear_model
    from pycompare.methods.multireader.components import variance_components
    from pycompare.methods.multireader.mixed_outcomes import glmm
    from pycompare.methods.multireader.mrmc import mrmc
    from pycompare.methods.multireader.roe_metz import RoeMetz
    from pycompare.methods.multireader.single_modality import single_modality
    from pycompare.methods.orders.cliques import cliques
    from pycompare.methods.orders.letters import letters
    from pycompare.methods.orders.orderings import orderings
    from pycompare.methods.orders.rank_sets import rank_sets
    from pycompare.methods.over_datasets.agreement import agreement
    from pycompare.methods.over_datasets.dataset_tables import dataset_means
    from pycompare.methods.over_datasets.sign_grid import sign_grid
    from pycompare.methods.over_datasets.threshold_wins import threshold_wins
    from pycompare.methods.over_datasets.win_table import WinTable, win_table
    from pycompare.methods.over_datasets.wins import wins
    from pycompare.methods.pairs.closed_permutation import closed_permutation
    from pycompare.methods.pairs.clustered_signed_rank_pairs import (
        clustered_signed_rank_pairs,
    )
    from pycompare.methods.pairs.corrected_pairs import corrected_pairs
    from pycompare.methods.pairs.equivalence import equivalence
    from pycompare.methods.pairs.equivalence_pairs import equivalence_pairs
    from pycompare.methods.pairs.five_by_two import five_by_two_cv
    from pycompare.methods.pairs.hodges_lehmann import hodges_lehmann
    from pycompare.methods.pairs.max_t import max_t
    from pycompare.methods.pairs.mcnemar import mcnemar
    from pycompare.methods.pairs.mcnemar_pairs import mcnemar_pairs
    from pycompare.methods.pairs.paired_t_pairs import paired_t_pairs
    from pycompare.methods.pairs.sign import sign_test
    from pycompare.methods.pairs.signed_rank_margins import signed_rank_margins
    from pycompare.methods.pairs.signed_rank_pairs import signed_rank_pairs
    from pycompare.methods.pairs.superiority import superiority
    from pycompare.methods.pairs.ttest import paired_t
    from pycompare.methods.pairs.wilcoxon import wilcoxon
    from pycompare.methods.ranks.aligned import aligned_ranks
    from pycompare.methods.ranks.friedman import friedman
    from pycompare.methods.ranks.mack_skillings import mack_skillings
    from pycompare.methods.ranks.nemenyi import nemenyi
    from pycompare.methods.ranks.pairs import rank_pairs
    from pycompare.methods.ranks.prediction import rank_prediction
    from pycompare.methods.ranks.quade import quade
    from pycompare.methods.ranks.skillings_mack import skillings_mack
    from pycompare.reporting.bibliography import cite
    from pycompare.reporting.certificate import certificate
    from pycompare.reporting.diff import diff
    from pycompare.reporting.methods_text import methods_text
    from pycompare.reporting.report import report
    from pycompare.reporting.unblind import unblind
    from pycompare.reporting.verify import verify
    from pycompare.results.adjust import adjust
    from pycompare.sizes.planned_power import planned_power
    from pycompare.sizes.power import power
    from pycompare.sizes.simulation.engine import simulate

PUBLIC = {
    "accuracy_intervals": "pycompare.methods.cases.accuracy_intervals",
    "adjust": "pycompare.results.adjust",
    "agreement": "pycompare.methods.over_datasets.agreement",
    "aligned_ranks": "pycompare.methods.ranks.aligned",
    "anova": "pycompare.methods.linear.anova",
    "auc": "pycompare.data.measures.roc",
    "auc_exchange": "pycompare.methods.curves.exchange",
    "auc_interval": "pycompare.methods.curves.interval",
    "auc_intervals": "pycompare.methods.curves.interval",
    "auc_pr": "pycompare.data.measures.precision_recall",
    "auc_pr_pairs": "pycompare.methods.curves.auc_pr_pairs",
    "average_precision_interval": "pycompare.methods.curves.average_precision_interval",
    "cliques": "pycompare.methods.orders.cliques",
    "cluster_pairs": "pycompare.methods.cases.cluster_pairs",
    "bounded_means": "pycompare.methods.cases.bounded_means",
    "clustered_runs": "pycompare.methods.linear.clustered_runs",
    "clustered_signed_rank_pairs": (
        "pycompare.methods.pairs.clustered_signed_rank_pairs"
    ),
    "weighted_means": "pycompare.methods.cases.weighted_pairs",
    "weighted_pairs": "pycompare.methods.cases.weighted_pairs",
    "cochran_q": "pycompare.methods.cases.cochran_q",
    "crossed_pairs": "pycompare.methods.cases.crossed_pairs",
    "compare": "pycompare.apps.comparison",
    "compare_curves": "pycompare.designs.curve_comparison",
    "closed_permutation": "pycompare.methods.pairs.closed_permutation",
    "corrected_pairs": "pycompare.methods.pairs.corrected_pairs",
    "cv_auc": "pycompare.methods.curves.cross_validated",
    "dataset_interaction": "pycompare.methods.linear.dataset_interaction",
    "dataset_means": "pycompare.methods.over_datasets.dataset_tables",
    "delong": "pycompare.methods.curves.delong",
    "delong_unpaired": "pycompare.methods.curves.unpaired",
    "diff": "pycompare.reporting.diff",
    "dunnett": "pycompare.methods.linear.dunnett",
    "equivalence": "pycompare.methods.pairs.equivalence",
    "equivalence_pairs": "pycompare.methods.pairs.equivalence_pairs",
    "example": "pycompare.data.examples",
    "example_path": "pycompare.data.examples",
    "experiment": "pycompare.apps.experiments.runner",
    "five_by_two_cv": "pycompare.methods.pairs.five_by_two",
    "friedman": "pycompare.methods.ranks.friedman",
    "from_cross_validate": "pycompare.apps.experiments.cross_validate",
    "hanley_mcneil": "pycompare.methods.curves.hanley_mcneil",
    "hodges_lehmann": "pycompare.methods.pairs.hodges_lehmann",
    "hotelling": "pycompare.methods.linear.hotelling",
    "hotelling_one_sample": "pycompare.methods.linear.hotelling_one_sample",
    "hotelling_pairs": "pycompare.methods.linear.hotelling_pairs",
    "letters": "pycompare.methods.orders.letters",
    "mack_skillings": "pycompare.methods.ranks.mack_skillings",
    "linear_model": "pycompare.methods.models.linear_model",
    "manova": "pycompare.methods.linear.manova",
    "max_t": "pycompare.methods.pairs.max_t",
    "matched_shares": "pycompare.methods.cases.matched_shares",
    "mcnemar": "pycompare.methods.pairs.mcnemar",
    "mcnemar_pairs": "pycompare.methods.pairs.mcnemar_pairs",
    "mean_curve": "pycompare.methods.curves.mean_curve",
    "measure_file": "pycompare.apps.streaming.stream",
    "most_confused": "pycompare.data.measures.classes",
    "glmm": "pycompare.methods.multireader.mixed_outcomes",
    "single_modality": "pycompare.methods.multireader.single_modality",
    "mrmc": "pycompare.methods.multireader.mrmc",
    "multivariate_checks": "pycompare.methods.linear.multivariate_checks",
    "nemenyi": "pycompare.methods.ranks.nemenyi",
    "orderings": "pycompare.methods.orders.orderings",
    "paired_t": "pycompare.methods.pairs.ttest",
    "paired_t_pairs": "pycompare.methods.pairs.paired_t_pairs",
    "pairwise_t": "pycompare.methods.linear.pairwise_t",
    "partial_auc_interval": "pycompare.methods.curves.partial",
    "partial_auc_pairs": "pycompare.methods.curves.partial",
    "permutation_manova": "pycompare.methods.linear.permutation_manova",
    "planned_power": "pycompare.sizes.planned_power",
    "power": "pycompare.sizes.power",
    "pr_curve": "pycompare.data.measures.precision_recall",
    "quade": "pycompare.methods.ranks.quade",
    "rank_pairs": "pycompare.methods.ranks.pairs",
    "rank_prediction": "pycompare.methods.ranks.prediction",
    "rank_sets": "pycompare.methods.orders.rank_sets",
    "read_plan": "pycompare.designs.plans.plan_file",
    "read_predictions": "pycompare.data.prediction_files",
    "read_ratings": "pycompare.data.rating_files",
    "read_results": "pycompare.data.readers.read_results",
    "read_scores": "pycompare.data.files",
    "read_trail": "pycompare.designs.plans.trail",
    "propose": "pycompare.data.proposal",
    "Reading": "pycompare.data.proposal",
    "replicated_anova": "pycompare.methods.linear.replicated_anova",
    "report": "pycompare.reporting.report",
    "certificate": "pycompare.reporting.certificate",
    "cite": "pycompare.reporting.bibliography",
    "methods_text": "pycompare.reporting.methods_text",
    "residual_checks": "pycompare.methods.linear.assumptions",
    "risk": "pycompare.data.measures.risk",
    "roc_curve": "pycompare.data.measures.roc",
    "scheffe": "pycompare.methods.linear.scheffe",
    "sign_grid": "pycompare.methods.over_datasets.sign_grid",
    "share_pairs": "pycompare.methods.cases.share_pairs",
    "sign_test": "pycompare.methods.pairs.sign",
    "signed_rank_margins": "pycompare.methods.pairs.signed_rank_margins",
    "signed_rank_pairs": "pycompare.methods.pairs.signed_rank_pairs",
    "simulate": "pycompare.sizes.simulation.engine",
    "skillings_mack": "pycompare.methods.ranks.skillings_mack",
    "starter_plan": "pycompare.designs.plans.starter",
    "superiority": "pycompare.methods.pairs.superiority",
    "threshold_scores": "pycompare.data.thresholds",
    "threshold_wins": "pycompare.methods.over_datasets.threshold_wins",
    "tukey": "pycompare.methods.linear.tukey",
    "unblind": "pycompare.reporting.unblind",
    "validate": "pycompare.apps.qualification",
    "verify": "pycompare.reporting.verify",
    "variance_components": "pycompare.methods.multireader.components",
    "wilcoxon": "pycompare.methods.pairs.wilcoxon",
    "win_table": "pycompare.methods.over_datasets.win_table",
    "wins": "pycompare.methods.over_datasets.wins",
    "Comparison": "pycompare.apps.comparison",
    "CurveComparison": "pycompare.designs.curve_comparison",
    "DataSet": "pycompare.apps.experiments.dataset",
    "DesignError": "pycompare.base.errors",
    "DisjointSets": "pycompare.apps.experiments.protocols",
    "DoubtError": "pycompare.base.errors",
    "FiveByTwo": "pycompare.apps.experiments.protocols",
    "HeldOut": "pycompare.apps.experiments.protocols",
    "InputError": "pycompare.base.errors",
    "Metric": "pycompare.base.metric",
    "Plan": "pycompare.designs.plans.plan",
    "PlanError": "pycompare.base.errors",
    "PlanFile": "pycompare.designs.plans.plan_file",
    "Predictions": "pycompare.data.predictions",
    "PyCompareError": "pycompare.base.errors",
    "Ratings": "pycompare.data.ratings",
    "ReferenceUnavailable": "pycompare.base.errors",
    "RepeatedFolds": "pycompare.apps.experiments.protocols",
    "RoeMetz": "pycompare.methods.multireader.roe_metz",
    "Scores": "pycompare.data.scores",
    "StratifiedFolds": "pycompare.apps.experiments.protocols",
    "WinTable": "pycompare.methods.over_datasets.win_table",
}
"""Public name -> module that defines it."""

__all__ = [*PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    """Load a public name, or a public room, when it is first used."""
    if name in ("plotting", "sizes"):
        return import_module(f"pycompare.{name}")
    if name not in PUBLIC:
        raise AttributeError(f"module 'pycompare' has no attribute {name!r}")
    if PUBLIC[name] != "pycompare.base.errors":  # these load no library
        given_date()
    value = getattr(import_module(PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
