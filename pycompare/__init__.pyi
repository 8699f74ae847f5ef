"""The public names of pycompare, each from the module that defines it."""

from pycompare import plotting as plotting
from pycompare import sizes as sizes
from pycompare.apps.comparison import Comparison as Comparison
from pycompare.apps.comparison import compare as compare
from pycompare.apps.experiments.cross_validate import (
    from_cross_validate as from_cross_validate,
)
from pycompare.apps.experiments.dataset import DataSet as DataSet
from pycompare.apps.experiments.protocols import DisjointSets as DisjointSets
from pycompare.apps.experiments.protocols import FiveByTwo as FiveByTwo
from pycompare.apps.experiments.protocols import HeldOut as HeldOut
from pycompare.apps.experiments.protocols import RepeatedFolds as RepeatedFolds
from pycompare.apps.experiments.protocols import StratifiedFolds as StratifiedFolds
from pycompare.apps.experiments.runner import experiment as experiment
from pycompare.apps.planned_run import run_plan as run_plan
from pycompare.apps.qualification import validate as validate
from pycompare.apps.streaming.stream import measure_file as measure_file
from pycompare.base.errors import DesignError as DesignError
from pycompare.base.errors import DoubtError as DoubtError
from pycompare.base.errors import InputError as InputError
from pycompare.base.errors import PlanError as PlanError
from pycompare.base.errors import PyCompareError as PyCompareError
from pycompare.base.errors import ReferenceUnavailable as ReferenceUnavailable
from pycompare.base.metric import Metric as Metric
from pycompare.base.version import __version__ as __version__
from pycompare.data.battles import Battles as Battles
from pycompare.data.battles import read_battles as read_battles
from pycompare.data.examples import example as example
from pycompare.data.examples import example_path as example_path
from pycompare.data.files import read_scores as read_scores
from pycompare.data.measures.classes import most_confused as most_confused
from pycompare.data.measures.precision_recall import auc_pr as auc_pr
from pycompare.data.measures.precision_recall import pr_curve as pr_curve
from pycompare.data.measures.risk import risk as risk
from pycompare.data.measures.roc import auc as auc
from pycompare.data.measures.roc import roc_curve as roc_curve
from pycompare.data.normalised import normalised_scores as normalised_scores
from pycompare.data.prediction_files import read_predictions as read_predictions
from pycompare.data.predictions import Predictions as Predictions
from pycompare.data.proposal import Reading as Reading
from pycompare.data.proposal import propose as propose
from pycompare.data.rating_files import read_marks as read_marks
from pycompare.data.rating_files import read_ratings as read_ratings
from pycompare.data.ratings import Ratings as Ratings
from pycompare.data.readers.read_results import read_results as read_results
from pycompare.data.scores import Scores as Scores
from pycompare.data.thresholds import threshold_scores as threshold_scores
from pycompare.designs.curve_comparison import CurveComparison as CurveComparison
from pycompare.designs.curve_comparison import compare_curves as compare_curves
from pycompare.designs.plans.plan import Plan as Plan
from pycompare.designs.plans.plan_file import PlanFile as PlanFile
from pycompare.designs.plans.plan_file import read_plan as read_plan
from pycompare.designs.plans.starter import starter_plan as starter_plan
from pycompare.designs.plans.trail import read_trail as read_trail
from pycompare.designs.release import gate as gate
from pycompare.methods.agents.aggregates import run_aggregates as run_aggregates
from pycompare.methods.agents.pairs import run_pairs as run_pairs
from pycompare.methods.agents.profiles import run_profiles as run_profiles
from pycompare.methods.battles.strengths import battles as battles
from pycompare.methods.cases.accuracy_intervals import (
    accuracy_intervals as accuracy_intervals,
)
from pycompare.methods.cases.bounded_means import bounded_means as bounded_means
from pycompare.methods.cases.challenge import challenge as challenge
from pycompare.methods.cases.cluster_pairs import cluster_pairs as cluster_pairs
from pycompare.methods.cases.cochran_q import cochran_q as cochran_q
from pycompare.methods.cases.crossed_pairs import crossed_pairs as crossed_pairs
from pycompare.methods.cases.diagnostic_pairs import (
    diagnostic_pairs as diagnostic_pairs,
)
from pycompare.methods.cases.item_logit import item_logit as item_logit
from pycompare.methods.cases.item_means import item_means as item_means
from pycompare.methods.cases.item_table import item_table as item_table
from pycompare.methods.cases.judge_labels import labels as labels
from pycompare.methods.cases.matched_shares import matched_shares as matched_shares
from pycompare.methods.cases.share_pairs import share_pairs as share_pairs
from pycompare.methods.cases.these_items import these_items as these_items
from pycompare.methods.cases.weighted_pairs import weighted_means as weighted_means
from pycompare.methods.cases.weighted_pairs import weighted_pairs as weighted_pairs
from pycompare.methods.curves.auc_margins import auc_margins as auc_margins
from pycompare.methods.curves.auc_pr_pairs import auc_pr_pairs as auc_pr_pairs
from pycompare.methods.curves.average_precision_interval import (
    average_precision_interval as average_precision_interval,
)
from pycompare.methods.curves.binormal import binormal_auc as binormal_auc
from pycompare.methods.curves.calibration import calibration_error as calibration_error
from pycompare.methods.curves.cross_validated import cv_auc as cv_auc
from pycompare.methods.curves.cross_validated_pairs import (
    cv_auc_pairs as cv_auc_pairs,
)
from pycompare.methods.curves.delong import delong as delong
from pycompare.methods.curves.dominance import curve_dominance as curve_dominance
from pycompare.methods.curves.exchange import auc_exchange as auc_exchange
from pycompare.methods.curves.hanley_mcneil import hanley_mcneil as hanley_mcneil
from pycompare.methods.curves.interval import auc_interval as auc_interval
from pycompare.methods.curves.interval import auc_intervals as auc_intervals
from pycompare.methods.curves.mean_curve import mean_curve as mean_curve
from pycompare.methods.curves.net_benefit import net_benefit as net_benefit
from pycompare.methods.curves.partial import (
    partial_auc_interval as partial_auc_interval,
)
from pycompare.methods.curves.partial import partial_auc_pairs as partial_auc_pairs
from pycompare.methods.curves.unpaired import delong_unpaired as delong_unpaired
from pycompare.methods.learners.cv_errors import (
    cv_error_intervals as cv_error_intervals,
)
from pycompare.methods.learners.nested import nested_cv as nested_cv
from pycompare.methods.linear.anova import anova as anova
from pycompare.methods.linear.assumptions import residual_checks as residual_checks
from pycompare.methods.linear.clustered_runs import clustered_runs as clustered_runs
from pycompare.methods.linear.dataset_interaction import (
    dataset_interaction as dataset_interaction,
)
from pycompare.methods.linear.dunnett import dunnett as dunnett
from pycompare.methods.linear.games_howell import games_howell as games_howell
from pycompare.methods.linear.games_howell import welch_anova as welch_anova
from pycompare.methods.linear.hotelling import hotelling as hotelling
from pycompare.methods.linear.hotelling_one_sample import (
    hotelling_one_sample as hotelling_one_sample,
)
from pycompare.methods.linear.hotelling_pairs import hotelling_pairs as hotelling_pairs
from pycompare.methods.linear.manova import manova as manova
from pycompare.methods.linear.multivariate_checks import (
    multivariate_checks as multivariate_checks,
)
from pycompare.methods.linear.multivariate_outliers import (
    multivariate_outliers as multivariate_outliers,
)
from pycompare.methods.linear.pairwise_t import pairwise_t as pairwise_t
from pycompare.methods.linear.permutation_manova import (
    permutation_manova as permutation_manova,
)
from pycompare.methods.linear.replicated_anova import (
    replicated_anova as replicated_anova,
)
from pycompare.methods.linear.scheffe import scheffe as scheffe
from pycompare.methods.linear.tukey import tukey as tukey
from pycompare.methods.models.linear_model import linear_model as linear_model
from pycompare.methods.multireader.components import (
    variance_components as variance_components,
)
from pycompare.methods.multireader.crossed_anova import crossed_anova as crossed_anova
from pycompare.methods.multireader.mixed_outcomes import glmm as glmm
from pycompare.methods.multireader.mrmc import mrmc as mrmc
from pycompare.methods.multireader.roe_metz import RoeMetz as RoeMetz
from pycompare.methods.multireader.single_modality import (
    single_modality as single_modality,
)
from pycompare.methods.multireader.standalone_reader import standalone as standalone
from pycompare.methods.orders.cliques import cliques as cliques
from pycompare.methods.orders.cliques import letters as letters
from pycompare.methods.orders.exhaustive_sets import exhaustive_sets as exhaustive_sets
from pycompare.methods.orders.orderings import orderings as orderings
from pycompare.methods.orders.rank_sets import rank_sets as rank_sets
from pycompare.methods.orders.step_levels import step_levels as step_levels
from pycompare.methods.over_datasets.agreement import agreement as agreement
from pycompare.methods.over_datasets.dataset_tables import (
    dataset_means as dataset_means,
)
from pycompare.methods.over_datasets.network_synthesis import (
    network_synthesis as network_synthesis,
)
from pycompare.methods.over_datasets.sign_grid import sign_grid as sign_grid
from pycompare.methods.over_datasets.synthesis import synthesis as synthesis
from pycompare.methods.over_datasets.threshold_wins import (
    threshold_wins as threshold_wins,
)
from pycompare.methods.over_datasets.win_table import WinTable as WinTable
from pycompare.methods.over_datasets.win_table import win_table as win_table
from pycompare.methods.over_datasets.wins import wins as wins
from pycompare.methods.pairs.closed_permutation import (
    closed_permutation as closed_permutation,
)
from pycompare.methods.pairs.clustered_signed_rank_pairs import (
    clustered_signed_rank_pairs as clustered_signed_rank_pairs,
)
from pycompare.methods.pairs.corrected_pairs import corrected_pairs as corrected_pairs
from pycompare.methods.pairs.equivalence import equivalence as equivalence
from pycompare.methods.pairs.equivalence_pairs import (
    equivalence_pairs as equivalence_pairs,
)
from pycompare.methods.pairs.five_by_two import five_by_two_cv as five_by_two_cv
from pycompare.methods.pairs.hodges_lehmann import hodges_lehmann as hodges_lehmann
from pycompare.methods.pairs.max_t import max_t as max_t
from pycompare.methods.pairs.mcnemar import mcnemar as mcnemar
from pycompare.methods.pairs.mcnemar_pairs import mcnemar_pairs as mcnemar_pairs
from pycompare.methods.pairs.paired_t_pairs import paired_t_pairs as paired_t_pairs
from pycompare.methods.pairs.sign import sign_test as sign_test
from pycompare.methods.pairs.signed_rank_margins import (
    signed_rank_margins as signed_rank_margins,
)
from pycompare.methods.pairs.signed_rank_pairs import (
    signed_rank_pairs as signed_rank_pairs,
)
from pycompare.methods.pairs.superiority import superiority as superiority
from pycompare.methods.pairs.ttest import paired_t as paired_t
from pycompare.methods.pairs.wilcoxon import wilcoxon as wilcoxon
from pycompare.methods.posteriors.bradley_terry import (
    bayesian_bradley_terry as bayesian_bradley_terry,
)
from pycompare.methods.posteriors.correlated_t import (
    bayesian_correlated_t as bayesian_correlated_t,
)
from pycompare.methods.posteriors.hierarchical import (
    bayesian_hierarchical as bayesian_hierarchical,
)
from pycompare.methods.posteriors.signs import bayesian_sign as bayesian_sign
from pycompare.methods.posteriors.signs import (
    bayesian_signed_rank as bayesian_signed_rank,
)
from pycompare.methods.ranks.aligned import aligned_ranks as aligned_ranks
from pycompare.methods.ranks.durbin import durbin_pairs as durbin_pairs
from pycompare.methods.ranks.friedman import friedman as friedman
from pycompare.methods.ranks.mack_skillings import mack_skillings as mack_skillings
from pycompare.methods.ranks.nemenyi import nemenyi as nemenyi
from pycompare.methods.ranks.pairs import rank_pairs as rank_pairs
from pycompare.methods.ranks.prediction import rank_prediction as rank_prediction
from pycompare.methods.ranks.quade import quade as quade
from pycompare.methods.ranks.skillings_mack import skillings_mack as skillings_mack
from pycompare.reporting.bibliography import cite as cite
from pycompare.reporting.certificate import certificate as certificate
from pycompare.reporting.diff import diff as diff
from pycompare.reporting.methods_text import methods_text as methods_text
from pycompare.reporting.report import report as report
from pycompare.reporting.unblind import unblind as unblind
from pycompare.reporting.verify import verify as verify
from pycompare.results.adjust import adjust as adjust
from pycompare.results.graph_adjust import adjust_graph as adjust_graph
from pycompare.sizes.planned_power import planned_power as planned_power
from pycompare.sizes.power import power as power
from pycompare.sizes.simulation.engine import simulate as simulate

PUBLIC: dict[str, str]
__all__: list[str]
