"""The keys of a plan, each declared once, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.pairs.equivalence import Kind, default_alpha
from pycompare.pairs.ttest import overlap
from pycompare.plans.keys import (
    DATASETS,
    FOLDS,
    FOLDS_OF_DATASETS,
    GROUPS,
    Flag,
    Names,
    Number,
    NumberBy,
    Text,
    Whole,
    Word,
    declare,
)
from pycompare.plans.post_hoc import (
    ALL_PAIRS,
    ANY_FAMILY,
    CONTROL,
    CORRECTED_ALL_PAIRS,
    CORRECTED_CONTROL,
    DATASET_MEANS_ALL_PAIRS,
    DATASET_MEANS_CONTROL,
    EXHAUSTIVE,
    FLIPS,
    MEANS,
    MEANS_ALL_PAIRS,
    MEANS_CONTROL,
    MOST_EXHAUSTIVE,
    OF_FRIEDMAN,
    PUBLISHED,
    PUBLISHED_CONTROL,
    SIGNS,
    for_ranks,
    method_name,
)
from pycompare.plans.threshold_keys import (
    LIMITED,
    SEVERAL,
    LossMatrix,
    OneSided,
    Ratios,
    Thresholds,
    spaced,
    threshold_of,
)

StdError = Literal["permutation", "textbook"]
PValues = Literal["by-size", "approximate", "exact"]
BlocksAre = Literal["by-columns", "datasets", "folds", "folds-of-datasets"]
Verdict = Literal["ranks", "sign", "means", "model"]
Gate = Literal["none", "omnibus"]
RankTest = Literal["friedman", "iman-davenport", "aligned-ranks", "quade"]
MeanTest = Literal["anova", "greenhouse-geisser", "huynh-feldt"]
Together = Literal["if-possible", "required", "no"]
Replicates = Literal["keep", "average"]
Family = Literal["metric", "all"]
Groups = Literal["each", "each-and-all"]
Rule = Literal["sign", "any"]
Protocol = Literal["cross-validation", "resampling", "held-out"]
Sizes = float | Mapping[str, float]
"""One number for all data sets, or one for each."""
EXACT_CELLS, EXACT_ALGORITHMS = 40, 5


@dataclass(frozen=True, kw_only=True)
class PlanFields:
    """The decisions behind a comparison, made before any p-value is computed.

    Attributes
    ----------
    alpha : float, default 0.05
        Error rate of the verdict; which one, the decisive method says.
    blocks : {"by-columns", "datasets", "folds", "folds-of-datasets"}
        What the blocks are, which decides the tests. ``datasets``: independent data
        sets, compared by ranks. ``folds``: folds of one data set, compared by an
        analysis of variance, or a paired t test for two algorithms, with the ranks
        beside it. ``folds-of-datasets``: folds of several data sets; each data set is
        analysed by itself, and the algorithms are compared over the data sets (see
        ``verdict``). Default, by the columns alone: folds if a data set column holds
        exactly one data set, folds-of-datasets if it holds several and there are more
        folds than data sets (unless ``average_folds``), else data sets, as where there
        is no such column.
    verdict : {"ranks", "sign", "means", "model"}, optional
        Folds of several data sets: what makes the verdict; the others stand beside it.
        ``ranks`` (default): rank tests of the data sets' means, Wilcoxon's test for two
        algorithms. ``sign``: exact sign tests of wins, a win being a significant
        difference on a data set. ``means``: blocked analysis of variance and paired t
        tests of the data sets' means. ``model``: one analysis of variance of all folds,
        which is about these data sets and no others. With several thresholds ``sign``
        is the only one.
    replicates : {"keep", "average"}, optional
        What is done with several runs (seeds, repetitions) of each algorithm on each
        block; there is no default where the scores have them. The verdict is made by
        the means of each cell's runs either way: a claim about blocks has the
        interaction of algorithm and block as its error, and runs are no further blocks.
        ``keep``: the analysis of the runs stands beside it, that is, variances of
        folds, interaction and runs, which share is run noise, what more runs would
        bring, and Mack and Skillings' test with its chi2. ``average``: cell means and
        nothing else.
    gate : {"none", "omnibus"}
        ``omnibus``: a pair is decided only where the test of all algorithms rejects as
        well; its adjusted p-value is then the larger of the two. Default: pairs do not
        wait.
    omnibus : str, optional
        The test of all algorithms. Ranks: ``friedman`` (default; Demsar),
        ``iman-davenport``, ``aligned-ranks``, ``quade``; pairs are compared by the same
        ranks, and the others stand beside it. Analysis of variance: ``anova``
        (default), or its F on degrees of freedom for differences that vary unequally,
        ``greenhouse-geisser`` or ``huynh-feldt``. Of what makes the verdict; sign tests
        of wins and two algorithms have none.
    adjust : tuple of str
        Methods of comparing pairs; the first one makes the verdict, the others stand
        beside it as sensitivity analysis. Any name of ``pc.adjust``; over folds also
        ``tukey``, ``scheffe`` and, against a control, ``dunnett`` and
        ``dunnett-step-down``, but not ``nemenyi``.
        Over folds of several data sets they are for what makes the verdict, and what
        stands beside it has its own default. Two algorithms are one comparison on each
        metric and take none, unless ``family="all"``.
        Over data sets, which are independent, also ``sign-flips`` (exact p-values of
        pairs of ranks, adjusted by Bergmann-Hommel, or Holm against a control),
        ``closed-permutation`` (at most 10 algorithms; for few data sets) and ``max-t``;
        the last two compare means where ``verdict`` does. They need
        complete tables.
        Default over data sets, by the size of the table alone: closed permutation for
        at most 8 algorithms on at most 20 data sets, sign flips from 13 data sets on,
        else max-T (see ``post_hoc.sized_defaults``); then, as sensitivity analyses,
        Bergmann-Hommel, Shaffer, Holm, Bonferroni, Nemenyi; against a control Holm,
        Hommel, Holland, Bonferroni. Over folds:
        Tukey, Scheffe, Bergmann-Hommel, Holm, Bonferroni; Dunnett, Holm, Hommel,
        Bonferroni against a control; with ``n_train`` or a cross-validation
        Bergmann-Hommel, or Holm, comes first, and so it does over data sets' means,
        where it adjusts paired t tests with each pair's own variance. Over 40
        algorithms the defaults for means are without Bergmann-Hommel, which may take
        hours there, and Holm takes its place. Sign tests of wins: Holm, Bonferroni;
        Shaffer's and Bergmann-Hommel's procedures are refused for them (see
        ``pc.sign_grid``). With ``family="all"``: Holm, Bonferroni.
    control : str or None
        Compare this algorithm with the others instead of all pairs.
    family : {"metric", "all"}, optional
        Which hypotheses are adjusted together. ``metric`` (default): the pairs of one
        metric, and of one group of data sets. ``all``: the pairs of all metrics and
        groups, one family; the first of ``adjust`` must then hold for any family, and
        the intervals of each table widen, so that those of the whole family hold
        together with ``level``. Where there are groups it must be declared.
    groups : {"each", "each-and-all"}
        Where a column names groups (domains) of data sets: compare the algorithms in
        each of them, or in each and over all data sets together.
    metrics : tuple of str
        Metrics to analyse; default all.
    average_folds : bool, default False
        Only rank each data set's mean score over its folds, each data set one block.
    protocol : {"cross-validation", "resampling", "held-out"}, optional
        How the folds were made, which decides what a verdict over them is about.
        ``cross-validation``, once or repeated: each case is tested once a run; the
        tests are then corrected for shared training data by n_test/n_train =
        1/(k - 1), k = ``n_folds``, where no sizes are given.
        ``resampling``: independent random splits. ``held-out``: several training sets,
        all tested on one and the same test set; the corrected resampled t tests do not
        hold for it, and ``n_train`` and ``n_test`` are refused. Left out: unknown, and
        the report says what that leaves open.
    n_train, n_test : float, or mapping of data set to float, optional
        Sizes of each training and test set behind the folds, both or neither: corrected
        resampled t tests, which allow for shared training data. Over folds of one data
        set they make the verdict, adjusted by the first of ``adjust``; if that is
        ``tukey``, ``scheffe`` or ``dunnett``, which take folds as independent, they
        stand beside it, adjusted by the first that adjusts p-values (Holm if none
        does), as are the T2 tests of pairs in several metrics. Over folds of several
        data sets they decide, adjusted so, who wins on a data set; the sizes are one
        number for all of them or one for each.
    n_folds : int, or mapping of data set to int, optional
        With ``protocol="cross-validation"`` and without sizes: folds in one repetition.
        Left out: as many as a data set has blocks, one repetition. Of a repeated
        cross-validation whose folds are all blocks it must be given: 10 for ten times
        10-fold cross-validation, 100 blocks.
    margin : float, mapping of str to float, or None
        In the metric's own unit: also test, over the same blocks, that algorithms
        differ by less than this (two one-sided t tests, corrected as the verdict is;
        over folds of several data sets, of the data sets' means). Over the pairs the
        p-values are adjusted by Holm's method. With several metrics a mapping that
        names those with a margin. A question of its own; ``margin_alpha`` is its error
        rate.
    margin_kind : {"equivalence", "non-inferiority"}, optional
        ``equivalence`` (default): the difference lies within the margin both ways.
        ``non-inferiority``: each other algorithm is not worse than the control by the
        margin or more.
    margin_alpha : float, optional
        One-sided error rate of the tests against the margin. Default for equivalence:
        alpha, which is that of each of its two tests; one pair is equivalent just when
        its interval of level 1 - 2 alpha lies within the margin. Default for
        non-inferiority: half of alpha, so 0.025, as regulators expect; its interval is
        one side of the two-sided one of level 1 - alpha.
    monotone : bool, default False
        Over data sets: force Bergmann-Hommel's adjusted p-values to rise with the raw
        ones; the exact closed test does not ask for it.
    p_values : {"by-size", "approximate", "exact"}
        Of rank tests. ``approximate``: chi2 for Friedman, normal for pairs. ``exact``:
        permutations within blocks for both. Default: exact for tables of at most 40
        cells and 5 algorithms, where the approximations are too rough to decide by.
        Two algorithms on folds: exact unless ``approximate``, or over 1000 folds.
    std_error : {"permutation", "textbook"}
        Standard error of differences of mean ranks, behind z, the comparison intervals
        and the critical difference. ``permutation`` (default): of permutations within
        blocks, corrected for ties as the omnibus test is. ``textbook``: not corrected,
        as published (Demsar 2006; Garcia and Herrera 2008; Garcia et al. 2010).
        Without ties both are one for Friedman's ranks; with many the textbook's is too
        large.
    decimals : int or None
        Round scores to so many decimals before they are ranked; means are not rounded.
    level : float, optional
        Confidence level of the intervals; default 1 - alpha.
    together : {"if-possible", "required", "no"}
        Over folds, or over the means of several data sets with folds, several metrics:
        also compare them at once, by a multivariate analysis of variance and T2 tests
        of pairs. ``required``: a plan for which the folds are too few is refused; else
        each metric has its own analysis and the report says why they have none
        together.
    cost_ratio : float or None
        Folds of several data sets, several metrics with the counts ``fp`` and ``fn``:
        what a false positive costs where a false negative costs 1. Wins are then
        counted for mean vectors that differ (T2), by the lower total risk.
    loss : 2 x 2 numbers, optional
        Costs in full instead of ``cost_ratio``: rows the decision (positive, negative),
        columns the truth, as ``pc.wins`` takes them.
    thresholds : int or tuple of float, optional
        Predictions: at which thresholds they are measured; a whole number is that many,
        equally spaced from 0 to 1. With one, what follows is the ordinary comparison of
        the measured scores. With several, at each one MANOVA and T2 tests of pairs
        (adjusted by the first of ``adjust``) and the lower risk, and ``threshold_rule``
        decides who wins on a data set; sign tests over data sets make the verdict.
    loss_ratios : tuple of float, optional
        Instead of ``thresholds``: what a false positive costs where a false negative
        costs 1; lambda means the threshold lambda/(1 + lambda).
    threshold_rule : {"sign", "any"}, optional
        Several thresholds: who wins on a data set. ``sign`` (default): by the
        right-tailed sign test over thresholds; ``any``: who wins at one threshold or
        more, unless the other does as well.
    threshold_adjust : str, optional
        Adjustment of those sign tests over the ordered pairs of a data set; default
        ``none``.
    undefined : {0, 1}, optional
        Predictions: what a measure is where it is 0/0, as precision is where nothing is
        called positive. Left out, that is refused.
    seed : int, optional
        Over folds: of the permutation test of several metrics, and of the band of the
        normal quantile picture; default 0. Over data sets: of ``closed-permutation``
        and ``max-t``, which draw at random where there are too many flips or
        permutations to list. No other verdict is random.

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
        Number(0, 1, "a number between 0 and 1"),
        "Error rate of the verdict: a pair differs if its adjusted p-value is at most "
        "alpha.",
        option="--alpha",
        group="Decisions",
    )
    blocks: BlocksAre = declare(
        "by-columns",
        Word(get_args(BlocksAre)),
        "What the blocks are, which decides the tests: independent data sets, or folds "
        "of one data set or of several. By columns: folds if the data set column holds "
        "one data set, folds-of-datasets if it holds several with folds, else data "
        "sets.",
        option="--blocks",
    )
    verdict: Verdict | None = declare(
        None,
        Word(get_args(Verdict)),
        "What makes the verdict over data sets: ranks of their means, sign tests of "
        "wins, analysis of variance of their means, or one model of all folds (about "
        "these data sets only). Left out: ranks.",
        applies_to=FOLDS_OF_DATASETS,
        option="--verdict",
        group="Folds",
    )
    replicates: Replicates | None = declare(
        None,
        Word(get_args(Replicates)),
        "Several runs of each algorithm on each block: keep them, and the analysis of "
        "runs stands beside the verdict, or average them. Cell means make the verdict.",
        applies_to="scores with runs (replicate), which need it",
        option="--replicates",
        group="Folds",
    )
    gate: Gate = declare(
        "none",
        Word(get_args(Gate)),
        "Omnibus: a pair is decided only where the test of all algorithms rejects too.",
        option="--gate",
        group="Decisions",
    )
    omnibus: RankTest | MeanTest | None = declare(
        None,
        Word((*get_args(RankTest), *get_args(MeanTest))),
        "The test of all algorithms: of ranks, whose pairs are then compared by the "
        "same ranks, or the analysis of variance, its F corrected for differences that "
        "vary unequally, or not. Left out: friedman over data sets, anova over folds.",
        option="--omnibus",
    )
    control: str | None = declare(
        None,
        Text("the name of an algorithm"),
        "The family of hypotheses: compare this algorithm with each other one. Left "
        "out: all pairs.",
        option="--control",
        group="Decisions",
    )
    family: Family | None = declare(
        None,
        Word(get_args(Family)),
        "Which hypotheses are adjusted together: those of one metric (and of one group "
        "of data sets), or all, over metrics and groups. Left out: metric; where there "
        "are groups it must be said.",
        option="--family",
        group="Decisions",
    )
    groups: Groups = declare(
        "each",
        Word(get_args(Groups)),
        "Where data sets are in groups: compare in each group, or in each and over all "
        "data sets together.",
        applies_to=GROUPS,
        option="--groups",
    )
    adjust: tuple[str, ...] = declare(
        (),
        Names(check=method_name),
        "Methods of comparing pairs; the first makes the verdict, the others stand "
        "beside it. Left out: by what the blocks are and whether there is a control.",
        option="--adjust",
        group="Decisions",
    )
    metrics: tuple[str, ...] = declare(
        (),
        Names(),
        "Metrics to analyse. Left out: all.",
    )
    average_folds: bool = declare(
        False,
        Flag(),
        "Folds of several data sets: rank each data set's mean over its folds.",
        applies_to=DATASETS,
        option="--average-folds",
        group="Folds",
    )
    protocol: Protocol | None = declare(
        None,
        Word(get_args(Protocol)),
        "How the folds were made: cross-validation (once or repeated), independent "
        "random splits (resampling), or several training sets tested on one test set "
        "(held-out). It decides what the verdict is about. Left out: unknown.",
        applies_to=FOLDS,
        option="--protocol",
        group="Folds",
    )
    n_train: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="the positive size of a training set"), "data set"),
        "Size of each training set: adds t tests corrected for shared training data; "
        "they make the verdict, unless adjust begins with tukey, scheffe or dunnett; "
        "over several data sets they decide wins. Needs n_test.",
        applies_to=FOLDS,
        option="--train",
        group="Folds",
    )
    n_test: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="the positive size of a test set"), "data set"),
        "Size of each test set. Needs n_train.",
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
        "Cross-validation without n_train and n_test: folds in one repetition, of "
        "which n_test/n_train = 1/(n_folds - 1) follows. Left out: one repetition, as "
        "many as there are blocks.",
        applies_to=FOLDS,
        option="--n-folds",
    )
    margin: Sizes | None = declare(
        None,
        NumberBy(Number(0, expected="a positive difference"), "metric"),
        "Also test that algorithms differ by less than this, in the metric's unit; for "
        "several metrics a table, { error = 0.01 }.",
        option="--margin",
        group="Margins",
    )
    margin_kind: Kind | None = declare(
        None,
        Word(get_args(Kind)),
        "What the margin is for: both ways, or that each other algorithm is not worse "
        "than the control. Left out: equivalence.",
        option="--margin-kind",
        group="Margins",
    )
    margin_alpha: float | None = declare(
        None,
        Number(0, 0.5, "a number between 0 and 0.5"),
        "One-sided error rate of each test against the margin. Left out: alpha for "
        "equivalence (two tests; the interval has level 1 - 2 alpha), half of alpha, "
        "so 0.025, for non-inferiority.",
        option="--margin-alpha",
        group="Margins",
    )
    together: Together = declare(
        "if-possible",
        Word(get_args(Together)),
        "Also compare several metrics at once (MANOVA, T2 of pairs). Required: a plan "
        "for which the folds are too few is refused.",
        applies_to=FOLDS,
        option="--together",
    )
    cost_ratio: float | None = declare(
        None,
        Number(
            0, expected="what a false positive costs where a false negative costs 1"
        ),
        "Wins over data sets by total risk, of the metrics fp and fn.",
        applies_to=FOLDS_OF_DATASETS,
        option="--cost-ratio",
    )
    loss: tuple[tuple[float, ...], ...] | None = declare(
        None,
        LossMatrix(),
        "Instead of cost_ratio: the costs of all four decisions.",
        applies_to=FOLDS_OF_DATASETS,
        option="--loss",
    )
    thresholds: int | tuple[float, ...] | None = declare(
        None,
        Thresholds(),
        "Called positive is a score that is at least the threshold. One: the scores "
        "measured there are compared. Several: at each one all metrics are tested "
        "together and the lower risk wins; the wins are counted over thresholds and "
        "data sets.",
        applies_to=LIMITED,
    )
    loss_ratios: tuple[float, ...] | None = declare(
        None,
        Ratios(),
        "Instead of thresholds: ratios of costs. A ratio r means the threshold "
        "r/(1 + r).",
        applies_to=LIMITED,
    )
    threshold_rule: Rule | None = declare(
        None,
        Word(get_args(Rule)),
        "Who wins on a data set: by the right-tailed sign test over thresholds, or by "
        "a win at any threshold. Left out: sign.",
        applies_to=SEVERAL,
    )
    threshold_adjust: str | None = declare(
        None,
        OneSided(),
        "Adjustment of the sign tests over thresholds, over the ordered pairs of a "
        "data set. Left out: none.",
        applies_to=SEVERAL,
    )
    undefined: int | None = declare(
        None,
        Whole(0, 1, "0 or 1"),
        "What a measure is where it is 0/0, as precision is where nothing is called "
        "positive. Left out: that is refused.",
        applies_to=LIMITED,
    )
    monotone: bool = declare(
        False,
        Flag(),
        "Force Bergmann-Hommel's adjusted p-values to rise with the raw ones.",
        applies_to=DATASETS,
        option="--monotone",
        group="Decisions",
    )
    p_values: PValues = declare(
        "by-size",
        Word(get_args(PValues)),
        f"Of rank tests. By size: exact for at most {EXACT_CELLS} cells and "
        f"{EXACT_ALGORITHMS} algorithms.",
        option="--p-values",
    )
    std_error: StdError = declare(
        "permutation",
        Word(get_args(StdError)),
        "Of mean ranks: of permutations within blocks, corrected for ties as the "
        "omnibus test is; or textbook, not corrected, as published.",
        option="--std-error",
    )
    decimals: int | None = declare(
        None,
        Whole(-100, 100, "a whole number from -100 to 100"),
        "Round scores to so many decimals before they are ranked; decides what ties.",
        option="--decimals",
    )
    level: float | None = declare(
        None,
        Number(0, 1, "a confidence level between 0 and 1"),
        "Confidence level of the intervals. Left out: 1 - alpha.",
        option="--level",
        group="Decisions",
    )
    seed: int | None = declare(
        None,
        Whole(0),
        "Random seed for resampling; of the conclusion only where closed-permutation "
        "or max-t is in adjust and draws at random. Left out: 0.",
        applies_to=f"{FOLDS}; {DATASETS} with random permutations",
        option="--seed",
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
    def sweeps(self) -> bool:
        """Tell whether wins are counted over several thresholds."""
        return len(self.theta) > 1

    @property
    def defaults(self) -> tuple[str, ...]:
        """Methods of a plan that names none; empty while the blocks are open."""
        if self.blocks == "by-columns":
            return ()
        if self.family == "all":
            return ANY_FAMILY
        if self.compares == "sign":
            return SIGNS
        if self.blocks == "folds" and self.corrects:
            return CORRECTED_ALL_PAIRS if self.control is None else CORRECTED_CONTROL
        if self.verdict == "means":
            all_pairs = self.control is None
            return DATASET_MEANS_ALL_PAIRS if all_pairs else DATASET_MEANS_CONTROL
        if self.compares == "means":
            return MEANS_ALL_PAIRS if self.control is None else MEANS_CONTROL
        if self.asks_for_z:
            return PUBLISHED if self.control is None else PUBLISHED_CONTROL
        names = ALL_PAIRS if self.control is None else CONTROL
        # These are of Friedman's ranks; sign flips are of any ranks.
        friedmans = self.rank_test in ("friedman", "iman-davenport")
        return tuple(n for n in names if friedmans or n not in OF_FRIEDMAN)

    @property
    def asks_for_z(self) -> bool:
        """Whether an option is set that only z tests of mean ranks have."""
        standard = self.std_error == "permutation" and self.p_values == "by-size"
        return self.monotone or not standard

    @property
    def compares(self) -> Literal["ranks", "sign", "means"]:
        """What the methods of ``adjust`` compare, once the blocks are known."""
        if self.sweeps:
            return "sign"
        if self.blocks == "folds" or self.verdict in ("means", "model"):
            return "means"
        return "sign" if self.verdict == "sign" else "ranks"

    @property
    def rank_test(self) -> RankTest:
        """The test of all algorithms by ranks."""
        planned: Any = self.omnibus
        return planned if planned in get_args(RankTest) else "friedman"

    @property
    def mean_test(self) -> MeanTest:
        """The form of the analysis of variance."""
        planned: Any = self.omnibus
        return planned if planned in get_args(MeanTest) else "anova"

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.alpha if self.level is None else self.level

    @property
    def corrects(self) -> bool:
        """Whether tests over folds are corrected for shared training data."""
        given = self.n_train is not None and self.n_test is not None
        return given or self.protocol == "cross-validation"

    @property
    def overlap(self) -> float | None:
        """n_test / n_train, if they are planned for folds of one data set."""
        sizes = self.sizes()
        return None if sizes is None else overlap(**sizes)

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
        found = {"n_train": of(self.n_train), "n_test": of(self.n_test)}
        known = {name: size for name, size in found.items() if size is not None}
        return known if len(known) == len(found) else None

    def exact_for(self, n_blocks: int, n_algorithms: int) -> bool:
        """Tell whether ranks of a complete table of that size get exact p-values."""
        if self.rank_test in ("aligned-ranks", "quade"):
            return False
        if self.p_values != "by-size":
            return self.p_values == "exact"
        small = n_blocks * n_algorithms <= EXACT_CELLS
        return small and n_algorithms <= EXACT_ALGORITHMS

    @property
    def decisive(self) -> str:
        """Name of the method that makes the verdict."""
        return self.adjust[0]

    @property
    def rank_adjust(self) -> tuple[str, ...]:
        """The methods for mean ranks: those of the plan that adjust p-values."""
        # Where ranks are sensitivity analysis, folds are no independent blocks to flip.
        fallback = PUBLISHED if self.control is None else PUBLISHED_CONTROL
        return tuple(n for n in self.adjust if for_ranks(n)) or fallback

    @property
    def t_adjust(self) -> str:
        """The adjustment of corrected resampled t tests."""
        not_t = (*MEANS, *FLIPS, "none", "nemenyi")
        return next((n for n in self.adjust if n not in not_t), "holm")

    def t_method(self, n_algorithms: int) -> str:
        """Return the adjustment of corrected t and T2 tests of so many algorithms."""
        slow = self.t_adjust == EXHAUSTIVE and n_algorithms > MOST_EXHAUSTIVE
        by_default = tuple(n for n in self.defaults if n in self.adjust)
        return "holm" if slow and self.adjust == by_default else self.t_adjust

    def blocks_of(self, scores: Scores | Predictions) -> BlocksAre:
        """Return what the blocks are, by the plan or by the columns."""
        if self.blocks != "by-columns":
            return self.blocks
        count = len(set(scores.datasets or ()))
        if self.average_folds or count in (0, scores.n_blocks):
            return "datasets"
        return "folds" if count == 1 else "folds-of-datasets"

    def margin_of(self, metric: str) -> float | None:
        """Return the margin of a metric, if it has one."""
        if isinstance(self.margin, Mapping):
            return self.margin.get(metric)
        return self.margin

    @property
    def margin_error(self) -> float:
        """One-sided error rate of each test against a margin."""
        if self.margin_alpha is not None:
            return self.margin_alpha
        return default_alpha(self.margin_kind or "equivalence", self.alpha)
