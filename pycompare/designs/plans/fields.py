"""The keys of a plan, each declared once, and the consequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from pycompare.base.errors import setting
from pycompare.base.typing import (
    Aggregate,
    Assumes,
    GroupWeights,
    Hypothesis,
    ItemsScope,
    RankingScheme,
    Sizes,
    StdError,
    ThresholdRule,
    TiedRanks,
    WeightRule,
)
from pycompare.data.blocks import Scale
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.design import Design, NoUse
from pycompare.designs.known import OPEN, design_of
from pycompare.designs.pair_methods import (
    ANY_FAMILY,
    EXHAUSTIVE,
    FLIPS,
    MEANS,
    MOST_EXHAUSTIVE,
    PUBLISHED,
    PUBLISHED_CONTROL,
    for_ranks,
    method_name,
)
from pycompare.designs.plans.keys import (
    BENCHMARKS,
    DATASETS,
    DATASETS_OR_FOLDS,
    ERROR_RATE,
    FOLDS,
    FOLDS_OF_DATASETS,
    GROUPS,
    OF_TASKS,
    Flag,
    NameList,
    Number,
    NumberBy,
    NumberOfEach,
    RangeBy,
    Text,
    Whole,
    Word,
    WordOrOne,
    WordOrShare,
    WordUnless,
    declare,
)
from pycompare.designs.plans.posterior_keys import (
    OF_BAYES,
    BayesMethod,
    PracticalLoss,
    of_metric,
)
from pycompare.designs.plans.threshold_keys import (
    LIMITED,
    SEVERAL,
    LossMatrix,
    OneSided,
    RateRange,
    Ratios,
    Thresholds,
    spaced,
    threshold_of,
)
from pycompare.designs.quantity import (
    QUANTITIES,
    TYPICAL_DIFFERENCE,
    WINS,
    Quantity,
)
from pycompare.methods.pairs.equivalence import MarginKind, default_alpha
from pycompare.methods.pairs.overlap import (
    LARGEST,
    enlarged_of_repeats,
    enlarged_of_run,
    folds_of_run,
    ratio_of_sizes,
)
from pycompare.methods.pairs.overlap import (
    PUBLISHED as PUBLISHED_TERM,
)
from pycompare.methods.posteriors.common import LEAST_DRAWS, MOST_DRAWS
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS

PValues = Literal["by-size", "approximate", "exact", "mid-p"]
BlocksAre = Literal["by-columns", "datasets", "folds", "folds-of-datasets", "cases"]
Compares = Literal["typical-difference", "means", "ranks", "wins", "model", "bayes"]
TaskScale = Literal["as-measured", "normalised"]
"""Whether scores of all tasks have one scale, or are given one."""
DEFAULT_COMPARES: Compares = "typical-difference"
"""What a plan without a choice compares over data sets."""
Gatekeeping = Literal["none", "omnibus"]
MeanTest = Literal["anova", "greenhouse-geisser", "huynh-feldt"]
TogetherWhen = Literal["if-possible", "required", "no"]
Replicates = Literal["keep", "average"]
Runs = Literal["samples", "trainings", "prompts", "judges"]
"""The kinds of runs of cases; all but samples are shared by all cases."""
RunsScope = Literal["sampled", "fixed"]
LabelsChosen = Literal["random", "strata"]
CaseAnswers = Literal["drawn", "deterministic"]
FamilyScope = Literal["metric", "all"]
GroupScope = Literal["each", "each-and-all", "all"]
FoldProtocol = Literal["cross-validation", "resampling", "held-out", "disjoint"]
Overlap = Literal["enlarged", 1]
Generalise = Literal["both", "training-sets", "cases"]
_EXACT_CELLS, _EXACT_ALGORITHMS = 40, 5
_FEW_BLOCKS = 10
"""With fewer, chi-squared rejects too seldom: 3% of tables of four blocks at 0.05."""
_EXACT_OF_TWO_BLOCKS = 9
"""Algorithms whose orders are listed in less than a second."""


def _statement(about: str) -> Any:
    """Declare a key that is printed as it is given, and changes no number."""
    return declare(None, Text("the statement"), about, group="Statements")


@dataclass(frozen=True, kw_only=True)
class PlanFields:
    """The decisions behind a comparison, made before any p-value is computed.

    Attributes
    ----------
    alpha : float, default 0.05
        Significance level; which error rate it bounds follows from the primary
        analysis.
    blocks : {"by-columns", "datasets", "folds", "folds-of-datasets", "cases"}
        Kind of blocks, which decides the tests. ``datasets``: independent data
        sets, compared by ranks. ``folds``: folds of one data set, compared by analysis
        of variance (two algorithms: paired t test), with rank tests as sensitivity
        analysis. ``folds-of-datasets``: folds of several data sets; each data set is
        analysed separately, and the algorithms are compared over the data sets (see
        ``compares``). ``cases``: items of one test set, right or wrong or graded, each
        algorithm as it is; score tests, or t tests if scores are graded or cases
        come in clusters. Default, by the columns alone: folds if a data set column
        holds exactly one data set, or there is none and the column of blocks is called
        fold; folds-of-datasets if it holds several and there are
        more folds than data sets (unless ``average_folds``); otherwise data sets.
    compares : {"typical-difference", "means", "ranks", "wins", "model", "bayes"}
        Over data sets: the quantity that the primary analysis compares; the others are
        sensitivity analyses. ``typical-difference`` (default): the Hodges-Lehmann
        difference of each pair, with signed rank tests and intervals in the unit of the
        metric; a pair's estimate and p-value before adjustment depend on its two
        algorithms alone. ``means``: mean differences, by blocked analysis of variance
        and paired t tests. ``ranks``: mean ranks among these algorithms (Friedman,
        Nemenyi, Demšar, García and Herrera); three algorithms or more. Folds of several
        data sets also have ``wins``: exact sign tests of wins, if a win is a
        significant difference on a data set; and ``model``: one analysis of variance of
        all folds, whose conclusions concern these data sets only. Rejected over folds
        of one data set, over cases and with several thresholds. ``bayes``, also over
        folds of one data set: posterior probabilities (``bayes``) in place of all
        tests.
    bayes : str, optional
        Posterior probabilities of all pairs, beside the tests or (``compares="bayes"``)
        in their place: ``signed-rank``, ``sign`` or ``bradley-terry`` over data sets,
        ``correlated-t`` over folds of one data set, ``hierarchical`` over folds of
        several; the last two need sizes. See ``pc.bayesian_sign`` and the like.
    rope : float, or mapping of str to float, optional
        Required with ``bayes``: the largest difference that does not matter in
        practice, in the unit of the metric, for several metrics one each. With
        ``scale="ratio"`` a share: 0.02 reaches from 1/1.02 to 1.02.
    prior : float, optional
        ``signed-rank`` and ``sign``: weight of the prior observation, a difference of
        0; a data set has weight 1. Default: 0.5 and 1.
    draws : int, optional
        Draws from the posterior; ``sign`` and ``correlated-t`` are exact. Default:
        50,000 of ``signed-rank``, 12,000 of ``hierarchical``, 8,000 of
        ``bradley-terry``.
    decide_at : float, optional
        Posterior probability, above 1/2, from which a pair is decided: one is
        practically better, or both are equivalent. Default: nothing is decided.
    rope_loss : 3 x 3 numbers, optional
        Instead of ``decide_at``: losses of the answers better, equivalent, worse (rows)
        if the truth is better, equivalent, worse (columns). Each pair has the answer
        with the smallest expected loss.
    replicates : {"keep", "average"}, optional
        Treatment of several runs (seeds) of each algorithm on each block; required
        if the scores have them. The conclusion rests on the means of each cell's
        runs either way: its error is the interaction of algorithm and block, and runs
        are not further blocks. ``keep`` adds an analysis of the runs: variance
        components, the share of run noise, what more runs would bring, and Mack and
        Skillings' test. ``average`` adds nothing, and needs no balance: cells may have
        unequal numbers of runs.
    run_aggregates : {"as-measured", "normalised"}, optional
        Independent data sets with runs: also report aggregates over these tasks (data
        sets) and runs: interquartile means, probabilities of improvement, performance
        profiles (``pc.run_aggregates``). They are about new runs on these tasks.
        ``as-measured``: scores of all tasks have one scale already. ``normalised``: by
        ``reference_low`` and ``reference_high``.
    reference_low, reference_high : float, or mapping of str to float, optional
        The scores of each task that become 0 and 1 (``pc.normalised_scores``), with
        ``run_aggregates="normalised"``.
    gamma : float, optional
        With ``run_aggregates``: adds the optimality gap, the mean amount by which runs
        miss this score.
    runs : {"samples", "trainings", "prompts", "judges"}, optional
        What several runs of cases are; required if cases have them, because no test
        of the scores can show it. ``samples``: answers drawn anew for each case, so
        that run 1 of one case has nothing in common with run 1 of another. The others
        are shared by all cases: run 1 is the same training of an algorithm, the same
        prompt or the same judge for each of them; they need ``replicates="average"``.
    runs_scope : {"sampled", "fixed"}, optional
        Scope of conclusions about shared runs; required beside them. ``fixed``:
        new cases under these runs, averaged. ``sampled``: new cases and new runs like
        these, by the largest of three p-values (``pc.crossed_pairs``); three runs or
        more.
    labels : {"random", "strata"}, optional
        How the items that people labelled were chosen, beside a judge that scored all
        (column ``judge``); required there. ``random``: drawn from all items.
        ``strata``: drawn within strata that were known before (column ``stratum``).
        Pairs are compared by ``pc.labels``.
    ranking : {"rank-then-aggregate", "aggregate-then-rank", "test-then-rank"}, optional
        Cases of a challenge: how algorithms are ranked (``pc.challenge``); there is no
        default. By mean ranks within cases, by mean scores, or by counts of significant
        one-sided tests. Missing cells are failures (``missing = "worst"``). With groups
        (tasks) and ``weights`` ``groups`` becomes ``all``.
    aggregate : {"mean", "median"} or float, default "mean"
        What a ranking makes of the cases; a number is a quantile. Only means have tests
        and sets of ranks.
    tied_ranks : {"mean", "min"}, default "mean"
        Ranks of ties, and of failures behind all scores of their case: their mean, or
        the first of them.
    items_scope : {"sampled", "fixed"}
        Scope of conclusions about cases. ``sampled`` (default): new items like these,
        with new answers. ``fixed``: new answers to just these items, which need two
        answers to each (``runs="samples"``). Reports have both; the planned one is the
        primary analysis.
    answers : {"drawn", "deterministic"}
        Whether a case that is asked again has another answer. ``deterministic``: it has
        the same one, so that a difference on these items is a fact. A temperature of 0
        does not ensure that.
    gate : {"none", "omnibus"}
        ``omnibus`` (gatekeeping): a pair is significant only if the omnibus test is
        significant, too; its adjusted p-value is the larger of the two. ``none``
        (default): pairwise tests do not depend on the omnibus test.
    omnibus : str, optional
        The omnibus test of the primary analysis. Ranks: ``friedman`` (default; Demšar),
        ``iman-davenport``, ``aligned-ranks``, ``quade``; pairs are compared by the same
        ranks, and the others are sensitivity analyses. Analysis of variance: ``anova``
        (default), or with a sphericity correction ``greenhouse-geisser`` or
        ``huynh-feldt``. Sign tests of wins and two algorithms have none.
    adjust : tuple of str
        Methods for pairwise comparisons: the first is the primary analysis, the others
        are sensitivity analyses. Any name of ``pc.adjust``; over folds also ``tukey``,
        ``scheffe`` and, against a control, ``dunnett`` and ``dunnett-step-down``, but
        not ``nemenyi``. Over independent data sets also ``sign-flips`` (exact p-values
        of pairs of ranks, adjusted by Bergmann-Hommel, or by Holm against a control
        and in a family of several tables), ``closed-permutation`` (all pairs of at most
        10 algorithms; for few data sets) and ``max-t``, with ``compares="ranks"`` or,
        the last two, ``"means"``. These three need complete tables.
        Over folds of several data sets ``adjust`` belongs to the primary analysis; the
        sensitivity analyses have defaults of their own. Two algorithms are one
        comparison on each metric and take none, unless ``family="all"``.
        Default for typical differences, by the size of the table alone: Holm; closed
        permutation for 3 to 10 algorithms on at most 10 data sets, if it can reject;
        ``step-down-flips`` if Holm cannot (``pair_methods.typical_defaults``). Data
        sets in clusters have Holm at every size. All pairs by ``step-down-flips`` have
        more power, and take a ``seed``.
        Default for ranks, by the size of the table alone: closed permutation for
        at most 8 algorithms on at most 20 data sets, sign flips for at most 40
        algorithms from 13 data sets on, otherwise max-T; with ``family="all"`` Holm of
        the exact sign-flip p-values of each pair (see ``pair_methods.sized_defaults``);
        then Bergmann-Hommel, Shaffer, Holm, Bonferroni, Nemenyi as sensitivity
        analyses. Against a control: closed permutation for the same small tables, else
        max-T; then Holm, Hommel, Holland, Bonferroni. Default over folds: Tukey,
        Scheffe, Bergmann-Hommel, Holm, Bonferroni; against a control Dunnett, Holm,
        Hommel, Bonferroni. With ``n_train`` or a cross-validation, and for means
        of data sets, Bergmann-Hommel (against a control Holm) of t tests with each
        pair's own variance comes first. Over 40 algorithms the defaults for means have
        Holm in place of Bergmann-Hommel, which may take hours there. Over
        cases: Holm, max-T, Bergmann-Hommel (up to 40 algorithms), Bonferroni; against a
        control Holm, max-T, Bonferroni. Sign tests of
        wins: Holm, Bonferroni (Shaffer and Bergmann-Hommel are rejected, see
        ``pc.sign_grid``). With ``family="all"``: Holm, Bonferroni.
    assumes : {"symmetry", "exchangeability"}, optional
        Typical differences: the assumption about algorithms that do not differ.
        ``exchangeability`` (swapping them within data sets changes nothing) allows
        Bergmann-Hommel's and Shaffer's adjustments. ``symmetry`` (their differences are
        symmetric about 0) has step-down flips in place of the closed permutation test
        of small tables. Default: not stated; small tables have the closed test, whose
        page names its assumption.
    scale : {"difference", "ratio"}, optional
        Typical differences: how scores are compared. ``difference`` (default): as they
        are, in the unit of the metric, which must mean the same on all data sets.
        ``ratio``: by their logarithms, if the unit or the level changes from data
        set to data set. All scores must be positive; estimates and limits are ratios,
        of which 1 is no difference, and a margin m means 1/(1 + m) to 1 + m.
    control : str or None
        Compare each other algorithm with this one, instead of all pairs.
    family : {"metric", "all"}, optional
        Hypotheses that are adjusted together. ``metric`` (default): the pairs of one
        metric, and of one group of data sets. ``all``: the pairs of all metrics and
        groups. The first of ``adjust`` must then be valid for any family, and the
        intervals of each table are widened so that those of the whole family hold
        together with ``level``. Required if groups are compared separately.
    groups : {"each", "each-and-all", "all"}
        If a column names groups (domains) of data sets or cases: compare the algorithms
        in each group (default), or in each group and over all of them together.
        ``all``: cases of a benchmark are compared over all groups together only, and a
        table has the mean of each group, without tests. If cases of all groups
        are compared, the report has the same differences for other populations:
        cases independent, equal weights of groups, groups as clusters (a sample of
        groups). The primary analysis is that of ``weights``, or that of clusters if one
        column names groups and clusters; otherwise cases independent.
    weights : mapping of str to float, or {"equal", "cases"}, optional
        Cases of several benchmarks (a column of groups): weights of the groups. All
        groups are then also compared together, by means that are weighted over groups
        (see ``pc.weighted_pairs``) and never pooled. A positive number for each group;
        they are divided by their sum. ``equal``: each group has the same weight;
        ``cases``: each group has its number of cases, of those that are compared.
        ``groups`` becomes ``each-and-all``, unless it is ``all``.
    metrics : tuple of str
        Metrics to analyse; default all.
    average_folds : bool, default False
        Rank the mean score of each data set over its folds, and do nothing else.
    protocol : {"cross-validation", "resampling", "held-out", "disjoint"}, optional
        How the folds were made, which decides the scope of the conclusions.
        ``cross-validation``, once or repeated: each case is tested once per repetition;
        the tests are then corrected for shared training data by n_test/n_train =
        1/(k - 1), k = ``n_folds``, if no sizes are given. ``resampling``:
        independent random splits. ``held-out``: several training sets, all tested on
        the same test set; the corrected resampled t tests are not valid for it, and
        ``n_train`` and ``n_test`` are rejected. ``disjoint``: training sets of one data
        set that share no case, so that nothing is to be corrected: plain paired t tests
        are the primary analysis. Default: unknown, and the report states
        what that leaves open.
    generalise : {"both", "training-sets", "cases"}, optional
        Predictions of several training sets on one test set: the scope of conclusions.
        ``both``: new training sets and new cases. ``training-sets``: new training sets
        with these test cases. ``cases``: these trained classifiers on new cases. It is
        the primary analysis, by ``pc.mrmc``. ``both`` and ``training-sets`` need
        training sets that share no case (``protocol="disjoint"``), without which they
        are estimates only; with it the other two scopes are sensitivity analyses.
        Required if all blocks of one data set hold the same named cases.
    n_train, n_test : float, or mapping of data set to float, optional
        Sizes of each training and test set, both or neither, for corrected resampled t
        tests. Over folds of one data set these are the primary analysis, adjusted by
        the first of ``adjust``. If that is ``tukey``, ``scheffe`` or ``dunnett``, which
        assume independent folds, they are a sensitivity analysis, adjusted by the first
        method that adjusts p-values (Holm if none does), as are the T2 tests of pairs
        in several metrics. Over folds of several data sets they decide who wins on a
        data set; the sizes are one number for all data sets or one for each.
    n_folds : int, or mapping of data set to int, optional
        With ``protocol="cross-validation"`` and without sizes: folds in one repetition.
        10 for ten times 10-fold cross-validation, whose 100 folds are all blocks.
        Default: the number of blocks of a data set (one repetition), if it has at most
        10; required if it has more.
    overlap : {"enlarged", 1}
        Factor c of the overlap term in the corrected resampled t tests, whose variance
        is (1/J + c n_test/n_train) s^2 over J splits; with f = n_test/(n_test +
        n_train). It holds for the pairs of folds, their margins and the wins on a data
        set. ``enlarged`` (default), chosen by simulation: max(1.25, 2.7 - 4.5 f) if
        splits are repeated (more splits than the folds of one repetition, or
        resampling, which sizes without a protocol count as); for a single run of k
        folds 1.25 up to 5, 1.75 for 10, linear in between, and over 10 folds are
        rejected. ``1``: as published (Nadeau and Bengio 2003); it rejected up to 0.27
        of true null hypotheses with real learners at a nominal 0.05. If the sizes
        differ between folds, give their means.
    margin : float, mapping of str to float, or None
        Also test whether differences are smaller than this, in the metric's own unit:
        two one-sided t tests over the same blocks, corrected as the primary analysis is
        (over folds of several data sets: of their means), adjusted by Holm over the
        pairs. With several metrics a mapping that names those with a margin. Its error
        rate is ``margin_alpha``.
    hypothesis : {"superiority", "non-inferiority", "equivalence"}, optional
        Required with a margin; it comes first in all conclusions. ``superiority``
        (default; rejected with a margin): algorithms differ. ``equivalence``: the
        difference lies within the margin both ways. ``non-inferiority``: each other
        algorithm is not worse than the control by the margin or more.
    margin_alpha : float, optional
        One-sided error rate of the tests against the margin. Default for equivalence:
        alpha for each of its two tests; one pair is equivalent exactly if its interval
        of level 1 - 2 alpha lies within the margin. Default for non-inferiority:
        alpha/2, so 0.025, as regulators expect; its interval is one side of the
        two-sided one of level 1 - alpha.
    range : (low, high), mapping of str to (low, high), or None
        Graded scores of cases: the lowest and the highest score that the metric can
        have, whatever the data. The margin is then tested by the bounded test of
        ``pc.bounded_means``, which needs no condition on the law of the scores, and
        also holds for clusters of one size. Not needed if the name of the metric
        shows it (accuracy, F1, Dice, kappa). Without a range: a t test, with the
        largest error found in its sentence.
    monotone : bool, default False
        Over data sets: force Bergmann-Hommel adjusted p-values to rise with the raw
        ones; the exact closed test does not need it.
    p_values : {"by-size", "approximate", "exact", "mid-p"}
        p-values of rank tests. ``approximate``: chi-squared for Friedman, normal for
        pairs. ``exact``: permutations within blocks for both. Default: exact for at
        most 40 cells and 5 algorithms, if the approximations are poor; Friedman's
        p-value of larger tables of fewer than 10 blocks is that of 99,999 random
        permutations within blocks, and exact for two blocks of up to 9 algorithms. The
        size alone decides. With ``family="all"`` pairs have sign flips. Two
        algorithms on folds: exact unless ``approximate``, or over 1000 folds. Cases
        that are right or wrong: McNemar's test, exact unless ``approximate``
        (chi-squared) or ``mid-p``.
    std_error : {"permutation", "textbook"}
        Standard error of differences in mean ranks, for z, the comparison intervals and
        the critical difference. ``permutation`` (default): under permutations within
        blocks, corrected for ties like the omnibus test. ``textbook``: not corrected,
        as published (Demšar 2006; García and Herrera 2008; García et al. 2010). Without
        ties both agree for Friedman's ranks; with many, the textbook's is too large.
    decimals : int or None
        Decimals to which scores are rounded before ranking; means are not rounded.
    level : float, optional
        Confidence level of the intervals; default 1 - alpha.
    together : {"if-possible", "required", "no"}
        Several metrics over folds, or over means of data sets with folds: also compare
        them jointly, by multivariate analysis of variance and T2 tests of pairs.
        ``required``: a plan with too few folds is rejected. ``if-possible``: the report
        states why there is no joint analysis.
    cost_ratio : float or None
        Folds of several data sets, several metrics with the counts ``fp`` and ``fn``:
        cost of a false positive if a false negative costs 1. Wins are then counted
        for mean vectors that differ significantly (T2), by the lower total risk.
    loss : 2 x 2 numbers, optional
        Costs in full instead of ``cost_ratio``: rows are decisions (positive,
        negative), columns the truth, as in ``pc.wins``.
    thresholds : int or tuple of float, optional
        Predictions: thresholds at which they are measured; a whole number is that many,
        equally spaced from 0 to 1. One: the ordinary comparison of the measured scores.
        Several: at each one MANOVA and T2 tests of pairs (adjusted by the first of
        ``adjust``), of which the lower risk wins; ``threshold_rule`` decides who wins
        on a data set, and sign tests over data sets are the primary analysis.
    loss_ratios : tuple of float, optional
        Instead of ``thresholds``: costs of a false positive if a false negative
        costs 1; lambda means the threshold lambda/(1 + lambda).
    threshold_rule : {"sign", "any"}, optional
        Several thresholds: who wins on a data set. ``sign`` (default): the winner of
        the right-tailed sign test over thresholds. ``any``: who wins at one threshold
        or more, unless the other does as well.
    threshold_adjust : str, optional
        Adjustment of those sign tests over the ordered pairs of a data set; default
        ``none``.
    thresholds_joined : bool, optional
        Several thresholds of the folds of one data set: the metrics at all thresholds
        are joined to one vector per fold, which MANOVA and T2 tests of pairs compare,
        beside each metric at each threshold. No wins are counted. A plan with too few
        folds is rejected.
    fpr_range : pair of float, optional
        Predictions: the false positive rates between which the metric ``partial_auc``
        is the area under the ROC curve.
    undefined : {0, 1}, optional
        Predictions: value of a measure that is 0/0, such as precision without positive
        decisions. Default: rejected.
    seed : int, optional
        Random seed. Over folds: of the permutation test of several metrics and of the
        band of the normal quantile plot; default 0. Over data sets: of
        ``closed-permutation`` and ``max-t``, which draw at random if there are too
        many flips or permutations to list. Only the permutations of Friedman's test of
        few blocks are random without them (seed 0).
    blind : bool, default False
        Blinded analysis: codes, drawn at random, stand for the names of the algorithms
        in every output. ``pc.report`` writes the key to ``FOLDER.key.json`` beside the
        folder; ``pc.unblind`` writes the report with the names. Column, data set and
        other labels may not contain a name.
    population, treatment, variable, intercurrent_events, summary_measure : str or None
        Attributes of the estimand (ICH E9(R1)) in the words of the protocol. Reports
        print them, or that they are not stated; they change no number.
    margin_reason, margin_source : str or None
        Why the margin is as large as it is, and where it comes from; printed as these.

    Examples
    --------
    >>> import pycompare as pc
    >>> plan = pc.Plan(blocks="folds", protocol="cross-validation", alpha=0.01)
    >>> plan.adjust[0]
    'bergmann-hommel'
    >>> plan.level, plan.seed
    (0.99, 0)
    """

    alpha: float = declare(
        0.05,
        ERROR_RATE,
        "Significance level: a comparison is significant if its adjusted p-value is "
        "at most alpha.",
        option="--alpha",
        group="Decisions",
    )
    blocks: BlocksAre = declare(
        "by-columns",
        Word(get_args(BlocksAre)),
        "Kind of blocks, which decides the tests: independent data sets, folds "
        "of one data set, folds of several, or cases (items) of one test set. "
        "by-columns: folds if the data set column holds one data set, or the block "
        "column is called fold; folds-of-datasets if it holds several with folds; "
        "otherwise data sets.",
        option="--blocks",
    )
    compares: Compares | None = declare(
        None,
        Word(get_args(Compares)),
        "The quantity that is compared over data sets: typical differences (signed "
        "rank tests), mean differences (paired t tests) or mean ranks. Folds of "
        "several data sets also have wins (sign tests) and one model of all folds "
        "(these data sets only). bayes: posterior probabilities, and no tests. "
        "Default: typical-difference.",
        applies_to=f"{DATASETS_OR_FOLDS}; with bayes folds of one data set",
        option="--compares",
        group="Decisions",
    )
    bayes: BayesMethod | None = declare(
        None,
        Word(get_args(BayesMethod)),
        "Posterior probabilities of all pairs: signed-rank, sign and bradley-terry "
        "over data sets, correlated-t over folds of one data set, hierarchical over "
        "folds of several. Needs rope.",
        applies_to="independent data sets; folds",
        option="--bayes",
        group="Bayesian analysis",
    )
    rope: Sizes | None = declare(
        None,
        NumberBy(
            Number(
                0,
                expected="a number from 0 on",
                with_low=True,
            ),
            "metric",
        ),
        "Region of practical equivalence: the largest difference that does not matter "
        "in practice, in the metric's unit (a share, if ratios are compared). For "
        "several metrics a table: { error = 0.01 }.",
        applies_to=OF_BAYES,
        option="--rope",
        group="Bayesian analysis",
    )
    prior: float | None = declare(
        None,
        Number(0, expected="the positive weight of the prior observation"),
        "Weight of the prior observation, a difference of 0; a data set has weight 1. "
        "Default: 0.5 for signed-rank, 1 for sign.",
        applies_to="bayes signed-rank and sign",
        option="--prior",
        group="Bayesian analysis",
    )
    draws: int | None = declare(
        None,
        Whole(
            LEAST_DRAWS,
            MOST_DRAWS,
            f"a whole number from {LEAST_DRAWS} to {MOST_DRAWS}",
        ),
        "Draws from the posterior. Default: 50000 for signed-rank, 12000 for "
        "hierarchical, 8000 for bradley-terry; the others are exact.",
        applies_to="bayes signed-rank, hierarchical and bradley-terry",
        option="--draws",
        group="Bayesian analysis",
    )
    decide_at: float | None = declare(
        None,
        Number(0.5, 1, "a probability above 0.5 and below 1"),
        "Posterior probability from which a pair is decided. Default: nothing is "
        "decided.",
        applies_to=OF_BAYES,
        option="--decide-at",
        group="Bayesian analysis",
    )
    rope_loss: tuple[tuple[float, ...], ...] | None = declare(
        None,
        PracticalLoss(),
        "Losses of answers, instead of decide_at. A pair has the answer of the "
        "smallest expected loss.",
        applies_to=OF_BAYES,
        group="Bayesian analysis",
    )
    replicates: Replicates | None = declare(
        None,
        Word(get_args(Replicates)),
        "Several runs of each algorithm on each block: keep adds an analysis of the "
        "runs, average does not. The conclusion rests on cell means either way.",
        applies_to="scores with runs (replicate), which need it",
        option="--replicates",
        group="Folds",
    )
    run_aggregates: TaskScale | None = declare(
        None,
        Word(get_args(TaskScale)),
        "Aggregates over these tasks (data sets) and runs, beside the comparison: "
        "interquartile means, probabilities of improvement, performance profiles. "
        "as-measured: scores of all tasks have one scale. normalised: by "
        "reference_low and reference_high.",
        applies_to=OF_TASKS,
        option="--run-aggregates",
        group="Runs on fixed tasks",
    )
    reference_low: Sizes | None = declare(
        None,
        NumberBy(Number(float("-inf"), expected="a number"), "task"),
        "The score of each task that becomes 0. For several tasks a table: "
        "{ pong = -20.7, hero = 1027 }.",
        applies_to="normalised run_aggregates, which need it",
        option="--reference-low",
        group="Runs on fixed tasks",
    )
    reference_high: Sizes | None = declare(
        None,
        NumberBy(Number(float("-inf"), expected="a number"), "task"),
        "The score of each task that becomes 1.",
        applies_to="normalised run_aggregates, which need it",
        option="--reference-high",
        group="Runs on fixed tasks",
    )
    gamma: float | None = declare(
        None,
        Number(float("-inf"), expected="a number"),
        "Adds the optimality gap: the mean amount by which runs miss this score.",
        applies_to="run_aggregates",
        option="--gamma",
        group="Runs on fixed tasks",
    )
    runs: Runs | None = declare(
        None,
        WordUnless(
            get_args(Runs),
            {
                "seeds": "a seed may stand for a new training of the model (trainings) "
                "or for new answers of the same model (samples)"
            },
        ),
        "What several runs of cases are. samples: drawn anew for each case. trainings, "
        "prompts, judges: the same ones for all cases, with runs_scope.",
        applies_to="cases with runs (replicate), which need it",
        option="--runs",
        group="Folds",
    )
    runs_scope: RunsScope | None = declare(
        None,
        Word(get_args(RunsScope)),
        "Scope of conclusions about trainings, prompts or judges. fixed: new "
        "cases under these. sampled: new cases and others like these, by the largest "
        "of three p-values.",
        applies_to="runs that all cases share, which need it",
        option="--runs-scope",
        group="Folds",
    )
    labels: LabelsChosen | None = declare(
        None,
        Word(get_args(LabelsChosen)),
        "How the items that people labelled were chosen, beside a judge that scored "
        "all. random: drawn from all items. strata: drawn within strata that were "
        "known before (stratum).",
        applies_to="tables with a judge's scores (judge), which need it",
        option="--labels",
        group="Decisions",
    )
    ranking: RankingScheme | None = declare(
        None,
        Word(get_args(RankingScheme)),
        "How a challenge ranks algorithms over its cases: by mean ranks within cases, "
        "by mean scores, or by how many rivals they beat significantly.",
        applies_to="cases",
        option="--ranking",
        group="Decisions",
    )
    aggregate: Aggregate = declare(
        "mean",
        WordOrShare(("mean", "median")),
        "What a ranking makes of the cases; a number is a quantile. Only means have "
        "tests and sets of ranks.",
        applies_to="cases with ranking",
        option="--aggregate",
        group="Decisions",
    )
    tied_ranks: TiedRanks = declare(
        "mean",
        Word(get_args(TiedRanks)),
        "Ranks of ties, and of failures behind all scores of their case: their mean, "
        "or the first of them.",
        applies_to="cases with ranking",
        option="--tied-ranks",
        group="Decisions",
    )
    items_scope: ItemsScope = declare(
        "sampled",
        Word(get_args(ItemsScope)),
        "Scope of conclusions about cases. sampled: new items like these. fixed: new "
        "answers to just these items.",
        applies_to="cases",
        option="--items-scope",
        group="Folds",
    )
    answers: CaseAnswers = declare(
        "drawn",
        Word(get_args(CaseAnswers)),
        "Whether a case that is asked again may have another answer (drawn), or has "
        "the same one (deterministic).",
        applies_to="cases with one answer each",
        option="--answers",
        group="Folds",
    )
    gate: Gatekeeping = declare(
        "none",
        Word(get_args(Gatekeeping)),
        "Gatekeeping. omnibus: a pair can be significant only if the omnibus test is "
        "significant, too.",
        option="--gate",
        group="Decisions",
    )
    omnibus: str | None = declare(
        None,
        Word((*RANK_TESTS, *get_args(MeanTest))),
        "Omnibus test: of ranks (pairs are then compared by the same ranks), or of "
        "means by analysis of variance, with or without a sphericity correction. "
        "Default: friedman over data sets, anova over folds.",
        option="--omnibus",
    )
    control: str | None = declare(
        None,
        Text("the name of an algorithm"),
        "Compare each other algorithm with this one. Default: all pairs.",
        option="--control",
        group="Decisions",
    )
    family: FamilyScope | None = declare(
        None,
        Word(get_args(FamilyScope)),
        "Hypotheses that are adjusted together: those of one metric (and one group of "
        "data sets), or those of all metrics and groups. Default: metric; required "
        "if groups are compared separately.",
        option="--family",
        group="Decisions",
    )
    groups: GroupScope = declare(
        "each",
        Word(get_args(GroupScope)),
        "Groups of data sets or cases: analyse each group, or each group and all of "
        "them together; all (cases only): all groups together as one benchmark, with a "
        "table of groups.",
        applies_to=GROUPS,
        option="--groups",
    )
    weights: GroupWeights | None = declare(
        None,
        NumberOfEach(
            Number(0, expected="one positive number"), "group", get_args(WeightRule)
        ),
        "Weights of the groups (benchmarks): also compare the weighted means over "
        "all groups. For two groups: { mmlu = 0.7, gsm8k = 0.3 }. The weights are "
        "divided by their sum. equal: each group has the same weight; cases: each "
        "group has its number of cases.",
        applies_to=BENCHMARKS,
        option="--weights",
    )
    adjust: tuple[str, ...] = declare(
        (),
        NameList(check=method_name),
        "Methods for pairwise comparisons. The first is the primary analysis, the "
        "others are sensitivity analyses. Default: depends on the blocks, the size of "
        "the table and the control.",
        option="--adjust",
        group="Decisions",
    )
    assumes: Assumes | None = declare(
        None,
        Word(get_args(Assumes)),
        "Typical differences: the assumption about algorithms that do not differ. "
        "exchangeability allows Bergmann-Hommel and Shaffer. symmetry has step-down "
        "flips in place of the closed permutation test. Default: not stated.",
        applies_to=DATASETS_OR_FOLDS,
        option="--assumes",
        group="Decisions",
    )
    scale: Scale | None = declare(
        None,
        Word(get_args(Scale)),
        "Typical differences: how scores are compared. ratio: by logarithms of "
        "positive scores, for data sets of different units or levels; estimates are "
        "ratios, and a margin of 0.02 is 2 %. Default: difference.",
        applies_to=DATASETS_OR_FOLDS,
        option="--scale",
        group="Decisions",
    )
    metrics: tuple[str, ...] = declare(
        (),
        NameList(),
        "Metrics to analyse. Default: all.",
    )
    average_folds: bool = declare(
        False,
        Flag(),
        "Rank the mean of each data set over its folds, without any analysis of folds.",
        applies_to=DATASETS,
        option="--average-folds",
        group="Folds",
    )
    protocol: FoldProtocol | None = declare(
        None,
        Word(get_args(FoldProtocol)),
        "How the folds were made: cross-validation (once or repeated), resampling "
        "(independent random splits), held-out (several training sets, one test set) "
        "or disjoint (training sets that share no case). It determines the scope of "
        "the conclusions. Default: unknown.",
        applies_to=FOLDS,
        option="--protocol",
        group="Folds",
    )
    generalise: Generalise | None = declare(
        None,
        Word(get_args(Generalise)),
        "Scope of conclusions if training sets share one test set. both: new "
        "training sets and new cases. training-sets: new training sets, these cases. "
        "cases: these trained classifiers, new cases.",
        applies_to="predictions of several training sets on one test set, which need "
        "it",
        option="--generalise",
        group="Folds",
    )
    n_train: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="the positive size of a training set"), "data set"),
        "Size of each training set, for tests corrected for shared training data. "
        "They are the primary analysis unless adjust begins with tukey, scheffe or "
        "dunnett. Over several data sets they determine the wins. Requires n_test.",
        applies_to=FOLDS,
        option="--train",
        group="Folds",
    )
    n_test: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="the positive size of a test set"), "data set"),
        "Size of each test set. Requires n_train.",
        applies_to=FOLDS,
        option="--test",
        group="Folds",
    )
    n_folds: int | Mapping[str, int] | None = declare(
        None,
        NumberBy(
            Whole(2, expected="the folds of one repetition, 2 or more"),
            "data set",
        ),
        "Folds in one repetition of a cross-validation. Without n_train and n_test, "
        "n_test/n_train is treated as 1/(n_folds - 1). Default: the number of blocks, "
        "as "
        "in one repetition; required for more than 10 blocks.",
        applies_to=FOLDS,
        option="--n-folds",
    )
    overlap: Overlap = declare(
        "enlarged",
        WordOrOne(("enlarged",)),
        "Factor of n_test/n_train in the variance of corrected t tests. enlarged: "
        "chosen by simulation, 2.25 for repeated 10-fold cross-validation, 1.25 for "
        "repeated 3-fold. 1: as published (Nadeau and Bengio 2003), which rejected up "
        f"to {LARGEST.published:.2f} of true null hypotheses with real learners at "
        "0.05.",
        applies_to=FOLDS,
        option="--overlap",
        group="Folds",
    )
    margin: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="a positive difference"), "metric"),
        "Also test whether differences are smaller than this margin, in the metric's "
        "unit (a share, if ratios are compared). For several metrics a table: "
        "{ error = 0.01 }.",
        option="--margin",
        group="Margins",
    )
    hypothesis: Hypothesis | None = declare(
        None,
        Word(get_args(Hypothesis)),
        "Required with a margin; it comes first in all conclusions. superiority: "
        "algorithms differ; it has no margin. equivalence: differences lie within the "
        "margin both ways. non-inferiority: no algorithm is worse than the control by "
        "the margin or more. Default: superiority.",
        option="--hypothesis",
        group="Margins",
    )
    margin_alpha: float | None = declare(
        None,
        Number(0, 0.5, "a number between 0 and 0.5"),
        "One-sided significance level of each test against the margin. Default: alpha "
        "for equivalence (intervals of level 1 - 2 alpha), alpha/2 for non-"
        "inferiority.",
        option="--margin-alpha",
        group="Margins",
    )
    range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = declare(
        None,
        RangeBy(),
        'What scores can be: others are rejected, missing = "worst" counts missing '
        "ones "
        "as the bad end, and margins of graded cases are tested without any condition "
        "on the scores. Default: as the name of the metric implies (accuracy, f1).",
        applies_to="tables of scores",
        option="--range",
        group="Data",
    )
    together: TogetherWhen = declare(
        "if-possible",
        Word(get_args(TogetherWhen)),
        "Also compare several metrics jointly (MANOVA, T2 of pairs). required: reject "
        "the plan if there are too few folds.",
        applies_to=FOLDS,
        option="--together",
    )
    cost_ratio: float | None = declare(
        None,
        Number(0, expected="the cost of a false positive if a false negative costs 1"),
        "Base wins over data sets on total risk. Requires the metrics fp and fn.",
        applies_to=FOLDS_OF_DATASETS,
        option="--cost-ratio",
    )
    loss: tuple[tuple[float, ...], ...] | None = declare(
        None,
        LossMatrix(),
        "Costs of all four decisions, instead of cost_ratio.",
        applies_to=FOLDS_OF_DATASETS,
        option="--loss",
    )
    thresholds: int | tuple[float, ...] | None = declare(
        None,
        Thresholds(),
        "Thresholds at which predictions are measured; scores at or above the "
        "threshold are classified as positive. One: the measured scores are compared. "
        "Several: a threshold sweep, in which the lower risk wins at each threshold "
        "and wins are counted over thresholds and data sets.",
        applies_to=LIMITED,
    )
    loss_ratios: tuple[float, ...] | None = declare(
        None,
        Ratios(),
        "Cost ratios instead of thresholds: a ratio r means the threshold r/(1 + r).",
        applies_to=LIMITED,
    )
    threshold_rule: ThresholdRule | None = declare(
        None,
        Word(get_args(ThresholdRule)),
        "Who wins on a data set. sign: right-tailed sign test over the thresholds. "
        "any: a win at any threshold. Default: sign.",
        applies_to=SEVERAL,
    )
    threshold_adjust: str | None = declare(
        None,
        OneSided(),
        "Adjustment of the sign tests over thresholds, over the ordered pairs of a "
        "data set. Default: none.",
        applies_to=SEVERAL,
    )
    thresholds_joined: bool | None = declare(
        None,
        Flag(),
        "Join the metrics at all thresholds to one vector per fold, which MANOVA and "
        "T2 tests of pairs compare, instead of counting wins. For folds of one data "
        "set; too few folds are rejected. Default: false.",
        applies_to=SEVERAL,
    )
    fpr_range: tuple[float, float] | None = declare(
        None,
        RateRange(),
        "False positive rates between which partial_auc is the area under the ROC "
        "curve.",
        applies_to=LIMITED,
    )
    undefined: int | None = declare(
        None,
        Whole(0, 1, "0 or 1"),
        "Value of a measure that is 0/0, such as precision without positive "
        "decisions. Default: such a measure is rejected.",
        applies_to=LIMITED,
    )
    monotone: bool = declare(
        False,
        Flag(),
        "Force Bergmann-Hommel adjusted p-values to rise with the raw ones, as in "
        "published tables.",
        applies_to=DATASETS,
        option="--monotone",
        group="Decisions",
    )
    p_values: PValues = declare(
        "by-size",
        Word(get_args(PValues)),
        f"p-values of rank tests. by-size: exact for at most {_EXACT_CELLS} cells and "
        f"{_EXACT_ALGORITHMS} algorithms; Friedman's test of larger tables of fewer "
        f"than {_FEW_BLOCKS} blocks by random permutations. For right and wrong "
        f"answers on cases: score tests of shares, exact if few cases need it; "
        f"exact and mid-p are McNemar's conditional test.",
        option="--p-values",
    )
    std_error: StdError = declare(
        "permutation",
        Word(get_args(StdError)),
        "Standard error of mean ranks. permutation: corrected for ties, as in the "
        "omnibus test. textbook: not corrected, as published.",
        option="--std-error",
    )
    decimals: int | None = declare(
        None,
        Whole(-100, 100, "a whole number from -100 to 100"),
        "Decimals to which scores are rounded before ranking, which can create ties.",
        option="--decimals",
    )
    level: float | None = declare(
        None,
        Number(0, 1, "a confidence level between 0 and 1"),
        "Confidence level of intervals that describe: of means, shares and effect "
        "sizes. Those of pairs follow from alpha. Default: 1 - alpha.",
        option="--level",
        group="Decisions",
    )
    blind: bool = declare(
        False,
        Flag(),
        "Blinded analysis: codes stand for the names of the algorithms in every output "
        "until pycompare unblind. The key is written beside the report.",
        option="--blind",
        group="Decisions",
    )
    seed: int | None = declare(
        None,
        Whole(0),
        "Random seed for resampling. It affects the conclusion only if closed-"
        "permutation or max-t draws at random. Default: 0.",
        applies_to=f"{FOLDS}; {DATASETS} with random permutations",
        option="--seed",
    )
    population: str | None = _statement(
        "The population that the study is about. It is printed beside the scope of the "
        "analysis, not in its place."
    )
    treatment: str | None = _statement(
        "The treatments that are compared, in the words of the protocol."
    )
    variable: str | None = _statement(
        "The variable that is measured of each unit. Default: the metric."
    )
    intercurrent_events: str | None = _statement(
        "How intercurrent events are handled, in the sense of ICH E9(R1). Missing "
        "scores are none."
    )
    summary_measure: str | None = _statement(
        "The summary measure of the estimand, in the words of the protocol."
    )
    margin_reason: str | None = _statement("Why the margin is as large as it is.")
    margin_source: str | None = _statement(
        "Source of the margin, such as a paper or a guideline."
    )

    @property
    def theta(self) -> tuple[float, ...]:
        """The thresholds that are planned, ascending; none if they are left open."""
        if self.loss_ratios is not None:
            return tuple(sorted(map(threshold_of, self.loss_ratios)))
        if isinstance(self.thresholds, int):
            return spaced(self.thresholds)
        return tuple(sorted(self.thresholds or ()))

    @property
    def violated(self) -> tuple[str, ...]:
        """The conditions on folds that the plan rules out."""
        unknown = self.protocol is None and self.n_train is None
        if unknown or self.protocol == "disjoint":
            return ()
        held_out = ("new-test-sets",) if self.protocol == "held-out" else ()
        return ("independent-folds", *held_out)

    @property
    def as_ratios(self) -> bool:
        """Whether ratios of scores are compared, by their logarithms."""
        return self.scale == "ratio"

    @property
    def sweeps(self) -> bool:
        """Return whether wins are counted over several thresholds."""
        return len(self.theta) > 1 and not self.thresholds_joined

    @property
    def joins(self) -> bool:
        """Return whether metrics at several thresholds are one vector."""
        return len(self.theta) > 1 and bool(self.thresholds_joined)

    @property
    def defaults(self) -> tuple[str, ...]:
        """Methods of a plan that names none; empty while the blocks are open."""
        if not self.names_blocks:
            return ()
        return ANY_FAMILY if self.family == "all" else self.design.defaults(self)

    @property
    def asks_for_z(self) -> bool:
        """Whether an option is set that only z tests of mean ranks have."""
        standard = self.std_error == "permutation" and self.p_values == "by-size"
        return self.monotone or not standard

    @property
    def names_blocks(self) -> bool:
        """Whether the plan itself states the kind of blocks."""
        return self.blocks != OPEN.name

    @property
    def design(self) -> Design:
        """Kind of blocks, and the consequences."""
        return design_of(
            self.blocks,
            thresholds=self.sweeps,
            shared=self.generalise is not None,
            labelled=self.labels is not None,
            ranking=None if self.ranks_by_scores else self.ranking,
            of_means=self.aggregate == "mean",
        )

    @property
    def ranks_failures(self) -> bool:
        """Whether a challenge ranks within cases, which needs no score of a failure."""
        return self.ranking == "rank-then-aggregate"

    @property
    def ranks_by_scores(self) -> bool:
        """Whether a challenge ranks by mean scores, which cases have tests of."""
        return self.ranking == "aggregate-then-rank" and self.aggregate == "mean"

    @property
    def quantity(self) -> Quantity:
        """What pairs are compared in, once the blocks are known."""
        if self.sweeps:
            return WINS
        if self.design.quantity is not None:
            return self.design.quantity
        known = self.compares if isinstance(self.compares, str) else None
        return QUANTITIES.get(known or DEFAULT_COMPARES, TYPICAL_DIFFERENCE)

    @property
    def rank_test(self) -> str:
        """The test of all algorithms by ranks."""
        planned: Any = self.omnibus
        return planned if planned in tuple(RANK_TESTS) else next(iter(RANK_TESTS))

    @property
    def mean_test(self) -> MeanTest:
        """The form of the analysis of variance."""
        planned: Any = self.omnibus
        return planned if planned in get_args(MeanTest) else "anova"

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals that describe, and test no pair."""
        return 1 - self.alpha if self.level is None else self.level

    n_tables = 1
    """Tables of pairs that are one family; see ``Plan.of_tables``."""

    @property
    def pair_level(self) -> float:
        """Level of the intervals of pairs in one table of the family.

        Intervals of a table hold together with level 1 - alpha / n_tables, so those
        of the whole family do with 1 - alpha: Bonferroni over its tables.
        """
        return 1 - self.alpha / self.n_tables

    @property
    def crosses_runs(self) -> bool:
        """Whether all cases share their runs: trainings, prompts or judges."""
        return self.runs not in (None, "samples")

    @property
    def corrects(self) -> bool:
        """Whether tests over folds are corrected for shared training data."""
        given = self.n_train is not None and self.n_test is not None
        return given or self.protocol == "cross-validation"

    @property
    def claims(self) -> bool:
        """Whether tests of pairs have what a claim needs.

        Over folds these are the sizes of training and test sets, which share training
        data; or one test set for all of them, as planned. About newly trained
        classifiers on one test set nothing is claimed unless the training sets are
        disjoint: sharing most of their cases they rejected 0.10 to 0.29 of true nulls.
        Posterior probabilities in place of tests have no error rate. Rankings of a
        challenge by counts of tests, medians or quantiles have no test of pairs.
        """
        if self.generalise in ("both", "training-sets"):
            return self.protocol == "disjoint"
        if self.ranking is not None:
            return self.ranking != "test-then-rank" and self.aggregate == "mean"
        if self.compares == "bayes":
            return False
        over_folds = self.blocks == "folds" or (
            self.blocks == "folds-of-datasets" and self.compares == "model"
        )
        return not over_folds or self.sweeps or self.tests_within

    @property
    def posterior_draws(self) -> bool:
        """Whether posterior probabilities are planned that are drawn at random."""
        return self.bayes in ("signed-rank", "hierarchical", "bradley-terry")

    def rope_of(self, metric: str) -> float | None:
        """Return the region of practical equivalence of a metric, if it has one."""
        return of_metric(self.rope, metric)

    @property
    def tests_within(self) -> bool:
        """Whether tests over the folds of one data set have what a claim needs."""
        return self.corrects or self.protocol in ("held-out", "disjoint")

    @property
    def test_train_ratio(self) -> float | None:
        """n_test / n_train, if they are planned for folds of one data set."""
        sizes = self.sizes()
        return None if sizes is None else ratio_of_sizes(**sizes)

    def single_run(self, n_blocks: int, dataset: str = "") -> int | None:
        """Return the folds of a cross-validation that is run once; None for repeats.

        More splits than the folds of one repetition are repeats, as are splits that no
        cross-validation made.
        """
        sizes = self.sizes(dataset)
        if sizes is None or self.protocol != "cross-validation":
            return None
        n_folds = folds_of_run(**sizes)
        return None if n_blocks > n_folds else n_folds

    def correction(self, n_blocks: int, dataset: str = "") -> dict[str, float]:
        """Return ``n_train``, ``n_test`` and ``overlap`` of corrected t tests.

        ``overlap`` is the factor of n_test / n_train that so many splits of a data set
        have. Without sizes there is no correction, and nothing is returned.
        """
        sizes = self.sizes(dataset)
        if sizes is None:
            return {}
        if self.overlap != "enlarged":
            return {**sizes, "overlap": PUBLISHED_TERM}
        n_folds = self.single_run(n_blocks, dataset)
        if n_folds is None:
            return {**sizes, "overlap": enlarged_of_repeats(**sizes)}
        return {**sizes, "overlap": enlarged_of_run(n_folds)}

    def sizes(self, dataset: str = "") -> dict[str, float] | None:
        """Return ``n_train`` and ``n_test`` of a data set, if they are planned.

        Of a cross-validation without sizes they are in folds: one tests, all others
        train. A plan with a table of sizes has none for a data set that is not in it.
        """

        def of(given: Any) -> float | None:
            return given.get(dataset) if isinstance(given, Mapping) else given

        if self.n_train is None and self.protocol == "cross-validation":
            k = of(self.n_folds)
            return None if k is None else {"n_train": k - 1.0, "n_test": 1.0}
        sizes = {"n_train": of(self.n_train), "n_test": of(self.n_test)}
        known = {name: size for name, size in sizes.items() if size is not None}
        return known if len(known) == len(sizes) else None

    def exact_for(self, n_blocks: int, n_algorithms: int) -> bool:
        """Return whether ranks of a complete table of that size get exact p-values."""
        if RANK_TESTS[self.rank_test].ranking != FRIEDMAN:
            return False
        if self.p_values != "by-size":
            return self.p_values == "exact"
        small = n_blocks * n_algorithms <= _EXACT_CELLS
        return small and n_algorithms <= _EXACT_ALGORITHMS

    def friedman_for(
        self, n_blocks: int, n_algorithms: int
    ) -> Literal["chi2", "exact", "permutation"]:
        """Return where Friedman's p-value of a complete table of that size is from."""
        if self.exact_for(n_blocks, n_algorithms):
            return "exact"
        planned = RANK_TESTS[self.rank_test].ranking != FRIEDMAN
        many = n_blocks >= _FEW_BLOCKS or n_algorithms < 3
        if planned or many or self.p_values != "by-size":
            return "chi2"
        two = n_blocks == 2 and n_algorithms <= _EXACT_OF_TWO_BLOCKS
        return "exact" if two else "permutation"

    @property
    def decisive(self) -> str:
        """Name of the method of the primary analysis."""
        return self.adjust[0]

    @property
    def rank_adjust(self) -> tuple[str, ...]:
        """The methods for mean ranks: those of the plan that adjust p-values."""
        # Where ranks are sensitivity analysis, folds are no independent blocks to flip.
        fallback = PUBLISHED if self.control is None else PUBLISHED_CONTROL
        return tuple(n for n in self.adjust if for_ranks(n)) or fallback

    @property
    def t_adjust(self) -> str:
        """The adjustment of corrected t tests, and of mean vectors.

        Equal means are transitive: if the plan names no method they have
        Bergmann-Hommel's, unlike typical differences.
        """
        if self.quantity == TYPICAL_DIFFERENCE and self.adjust[-2:] == self.defaults:
            return EXHAUSTIVE if self.control is None else "holm"
        not_t = (*MEANS, *FLIPS, "none", "nemenyi")
        return next((n for n in self.adjust if n not in not_t), "holm")

    def t_method(self, n_algorithms: int) -> str:
        """Return the adjustment of corrected t and T2 tests of so many algorithms."""
        slow = self.t_adjust == EXHAUSTIVE and n_algorithms > MOST_EXHAUSTIVE
        if slow and self.quantity == TYPICAL_DIFFERENCE:
            return "holm"
        by_default = tuple(n for n in self.defaults if n in self.adjust)
        return "holm" if slow and self.adjust == by_default else self.t_adjust

    def blocks_of(self, scores: Scores | Predictions) -> BlocksAre:
        """Return the kind of blocks, by the plan or by the columns."""
        if self.blocks != "by-columns":
            return self.blocks
        if self.generalise is not None:
            return "folds"
        if isinstance(scores, Scores) and (scores.items or scores.judge is not None):
            return "cases"
        count = len(set(scores.datasets or ()))
        if self.average_folds:
            return "datasets"
        if isinstance(scores, Scores) and scores.called_folds and count == 0:
            return "folds"
        if count in (0, scores.n_blocks):
            return "datasets"
        return "folds" if count == 1 else "folds-of-datasets"

    def margin_of(self, metric: str) -> float | None:
        """Return the margin of a metric, if it has one."""
        return of_metric(self.margin, metric)

    def range_of(self, metric: str) -> tuple[float, float] | None:
        """Return the lowest and the highest score of a metric, if it is planned."""
        return of_metric(self.range, metric)

    @property
    def margin_kind(self) -> MarginKind:
        """Which of the two hypotheses a margin is of."""
        one_sided = self.hypothesis == "non-inferiority"
        return "non-inferiority" if one_sided else "equivalence"

    @property
    def margin_error(self) -> float:
        """One-sided error rate of each test against a margin."""
        if self.margin_alpha is not None:
            return self.margin_alpha
        return default_alpha(self.margin_kind, self.alpha)


def asks(plan: PlanFields, name: str, unused: Mapping[str, NoUse]) -> bool:
    """Return whether a plan gives a key that has no use."""
    [usual] = [f.default for f in fields(plan) if f.name == name]
    return getattr(plan, name) not in (usual, *unused[name].idle)


def without_use(
    plan: PlanFields, beside: str, unused: Mapping[str, NoUse]
) -> str | None:
    """Reject keys that have no use beside the value of another key."""
    given = [name for name in unused if asks(plan, name, unused)]
    if plan.level is not None and plan.level == 1 - plan.alpha:
        given = [name for name in given if name != "level"]
    if not given:
        return None
    return (
        f"{', '.join(given)}: no use with "
        + setting(beside, getattr(plan, beside))
        + f", {unused[given[0]].why}: leave it out"
    )
