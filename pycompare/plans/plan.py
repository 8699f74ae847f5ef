"""The plan: what is decided before a p-value is seen."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pycompare.data.scores import Scores
from pycompare.errors import PlanError
from pycompare.pairs.ttest import overlap
from pycompare.plans.conflicts import CONFLICTS
from pycompare.plans.fitting import FITS, group_problems
from pycompare.plans.keys import (
    DATASETS,
    FOLDS,
    FOLDS_OF_DATASETS,
    GROUPS,
    TWO_ON_FOLDS,
    Flag,
    Names,
    Number,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
)
from pycompare.plans.post_hoc import (
    ALL_PAIRS,
    ANY_FAMILY,
    CONTROL,
    CORRECTED_ALL_PAIRS,
    CORRECTED_CONTROL,
    MEANS,
    MEANS_ALL_PAIRS,
    MEANS_CONTROL,
    SIGNS,
    for_ranks,
    method_name,
)
from pycompare.plans.problems import refuse_any

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
EXACT_CELLS, EXACT_ALGORITHMS = 40, 5


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A comparison as planned.

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
        difference on a data set. ``means``: blocked analysis of variance of the data
        sets' means. ``model``: one analysis of variance of all folds, which is about
        these data sets and no others.
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
        wait, since their adjustment controls the error by itself.
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
        ``tukey``, ``scheffe`` and, against a control, ``dunnett``, but not ``nemenyi``.
        Over folds of several data sets they are for what makes the verdict, and what
        stands beside it has its own default.
        Default over data sets: Bergmann-Hommel, Shaffer, Holm, Bonferroni, Nemenyi for
        all pairs; Holm, Hommel, Holland, Bonferroni against a control. Over folds:
        Tukey, Scheffe, Bergmann-Hommel, Holm, Bonferroni; Dunnett, Holm, Hommel,
        Bonferroni against a control; with ``n_train`` Bergmann-Hommel, or Holm, comes
        first. Sign tests of wins: Bonferroni, Holm. Two algorithms on folds have one
        comparison and nothing to adjust.
        With ``family="all"``: Holm, Bonferroni.
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
    n_train, n_test : float or None
        Sizes of each training and test set behind the folds, both or neither: corrected
        resampled t tests, which allow for shared training data. They make the verdict,
        adjusted by the first of ``adjust``; if that is ``tukey``, ``scheffe`` or
        ``dunnett``, which take folds as independent, they stand beside it, adjusted by
        the first that adjusts p-values (Holm if none does), as are the T2 tests of
        pairs in several metrics.
    margin : float or None
        Two algorithms on folds, one metric: also test that they are equivalent, their
        mean difference less than this in the metric's own unit.
    monotone : bool, default False
        Over data sets: force Bergmann-Hommel's adjusted p-values to rise with the raw
        ones; the exact closed test does not ask for it.
    p_values : {"by-size", "approximate", "exact"}
        Of rank tests. ``approximate``: chi2 for Friedman, normal for pairs. ``exact``:
        permutations within blocks for both. Default: exact for tables of at most 40
        cells and 5 algorithms, where the approximations are too rough to decide by.
        Two algorithms on folds: exact unless ``approximate``, or over 1000 folds.
    decimals : int or None
        Round scores to so many decimals before they are ranked; means are not rounded.
    level : float, optional
        Confidence level of the intervals; default 1 - alpha.
    together : {"if-possible", "required", "no"}
        Over folds, or over the means of several data sets with folds, several metrics:
        also compare them at once, by a multivariate
        analysis of variance and T2 tests of pairs. ``required``: a plan for which the
        folds are too few is refused; else each metric has its own analysis and the
        report says why they have none together.
    cost_ratio : float or None
        Folds of several data sets, several metrics with the counts ``fp`` and ``fn``:
        what a false positive costs where a false negative costs 1. Wins are then
        counted for mean vectors that differ (T2), by the lower total risk.
    seed : int, optional
        Over folds: of the permutation test of several metrics, and of the band of the
        normal quantile picture; default 0. No verdict is random.
    """

    alpha: float = declare(
        0.05,
        Number(0, 1, "a number between 0 and 1"),
        "Error rate of the verdict: a pair differs if its adjusted p-value is at most "
        "alpha.",
        option="--alpha",
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
        roads=FOLDS_OF_DATASETS,
        option="--verdict",
    )
    replicates: Replicates | None = declare(
        None,
        Word(get_args(Replicates)),
        "Several runs of each algorithm on each block: keep them, and the analysis of "
        "runs stands beside the verdict, or average them. Cell means make the verdict.",
        roads="scores with runs (replicate), which need it",
        option="--replicates",
    )
    gate: Gate = declare(
        "none",
        Word(get_args(Gate)),
        "Omnibus: a pair is decided only where the test of all algorithms rejects too.",
        option="--gate",
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
    )
    family: Family | None = declare(
        None,
        Word(get_args(Family)),
        "Which hypotheses are adjusted together: those of one metric (and of one group "
        "of data sets), or all, over metrics and groups. Left out: metric; where there "
        "are groups it must be said.",
        option="--family",
    )
    groups: Groups = declare(
        "each",
        Word(get_args(Groups)),
        "Where data sets are in groups: compare in each group, or in each and over all "
        "data sets together.",
        roads=GROUPS,
        option="--groups",
    )
    adjust: tuple[str, ...] = declare(
        (),
        Names(check=method_name),
        "Methods of comparing pairs; the first makes the verdict, the others stand "
        "beside it. Left out: by what the blocks are and whether there is a control.",
        option="--adjust",
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
        roads=DATASETS,
        option="--average-folds",
    )
    n_train: float | None = declare(
        None,
        Number(0, wish="the positive size of a training set"),
        "Size of each training set: adds t tests corrected for shared training data; "
        "they make the verdict, unless adjust begins with tukey, scheffe or dunnett. "
        "Needs n_test.",
        roads=FOLDS,
        option="--train",
    )
    n_test: float | None = declare(
        None,
        Number(0, wish="the positive size of a test set"),
        "Size of each test set. Needs n_train.",
        roads=FOLDS,
        option="--test",
    )
    margin: float | None = declare(
        None,
        Number(0, wish="a positive difference"),
        "Also test that two algorithms differ by less than this, in the metric's unit.",
        roads=TWO_ON_FOLDS,
        option="--margin",
    )
    together: Together = declare(
        "if-possible",
        Word(get_args(Together)),
        "Also compare several metrics at once (MANOVA, T2 of pairs). Required: a plan "
        "for which the folds are too few is refused.",
        roads=FOLDS,
    )
    cost_ratio: float | None = declare(
        None,
        Number(0, wish="what a false positive costs where a false negative costs 1"),
        "What a false positive costs where a false negative costs 1: wins over data "
        "sets by total risk, of the metrics fp and fn.",
        roads=FOLDS_OF_DATASETS,
        option="--cost-ratio",
    )
    monotone: bool = declare(
        False,
        Flag(),
        "Force Bergmann-Hommel's adjusted p-values to rise with the raw ones.",
        roads=DATASETS,
        option="--monotone",
    )
    p_values: PValues = declare(
        "by-size",
        Word(get_args(PValues)),
        f"Of rank tests. By size: exact for at most {EXACT_CELLS} cells and "
        f"{EXACT_ALGORITHMS} algorithms.",
        option="--p-values",
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
    )
    seed: int | None = declare(
        None,
        Whole(0),
        "Of what is random over folds (never a verdict). Left out: 0.",
        roads=FOLDS,
        option="--seed",
    )

    def __post_init__(self) -> None:
        """Refuse what no data could make right; fill in what the blocks decide."""
        found = faults(self)
        bad = {key for problem in found for key in problem.keys}
        self.fill_in(bad)
        refuse_any((*found, *broken(CONFLICTS, self, skip=bad)))

    def fill_in(self, bad: set[str]) -> None:
        """Fill in what is left open and follows from what is given."""
        filled: dict[str, object] = {}
        if self.blocks == "folds-of-datasets" and self.verdict is None:
            object.__setattr__(self, "verdict", "ranks")
        if self.level is None and "alpha" not in bad:
            filled["level"] = 1 - self.alpha
        if "metrics" not in bad:
            filled["metrics"] = tuple(self.metrics)
        if "adjust" not in bad:
            names = map(method_name, self.adjust or self.defaults)
            filled["adjust"] = tuple(dict.fromkeys(names))
        if self.blocks in ("folds", "folds-of-datasets") and self.seed is None:
            filled["seed"] = 0
        for name, value in filled.items():
            object.__setattr__(self, name, value)

    @property
    def defaults(self) -> tuple[str, ...]:
        """Methods of a plan that names none; empty while the blocks are open."""
        if self.blocks == "by-columns":
            return ()
        if self.family == "all":
            return ANY_FAMILY
        if self.compares == "sign":
            return SIGNS
        if self.blocks == "folds" and None not in (self.n_train, self.n_test):
            return CORRECTED_ALL_PAIRS if self.control is None else CORRECTED_CONTROL
        if self.compares == "means":
            return MEANS_ALL_PAIRS if self.control is None else MEANS_CONTROL
        names = ALL_PAIRS if self.control is None else CONTROL
        # Nemenyi's quantiles are those of Friedman's ranks.
        friedmans = self.rank_test in ("friedman", "iman-davenport")
        return tuple(n for n in names if friedmans or n != "nemenyi")

    @property
    def compares(self) -> Literal["ranks", "sign", "means"]:
        """What the methods of ``adjust`` compare, once the blocks are known."""
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
    def overlap(self) -> float | None:
        """n_test / n_train, if they are planned."""
        return overlap(self.n_train, self.n_test) or None

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
        fallback = ALL_PAIRS if self.control is None else CONTROL
        return tuple(n for n in self.adjust if for_ranks(n)) or fallback

    @property
    def t_adjust(self) -> str:
        """The adjustment of corrected resampled t tests."""
        not_t = (*MEANS, "none", "nemenyi")
        return next((n for n in self.adjust if n not in not_t), "holm")

    def settled(self, scores: Scores) -> Plan:
        """Return the plan with nothing left open, or refuse one that cannot be.

        Raises
        ------
        PlanError
            With everything that does not fit: a name that is not there, an option that
            has no use with such blocks, blocks that are not what the plan says.
        """
        unfit = broken(FITS, self, scores, skip=set())
        filled: dict[str, Any] = {"blocks": self.blocks_of(scores)}
        if self.family is None and scores.groups is None:
            filled["family"] = "metric"
        try:
            plan = dataclasses.replace(self, **filled)
        except PlanError as error:
            raise PlanError((*unfit, *error.problems)) from None
        refuse_any(unfit)
        refuse_any(group_problems(plan, scores))
        return plan

    def blocks_of(self, scores: Scores) -> BlocksAre:
        """Return what the blocks are, by the plan or by the columns."""
        if self.blocks != "by-columns":
            return self.blocks
        count = len(set(scores.datasets or ()))
        if self.average_folds or count in (0, scores.n_blocks):
            return "datasets"
        return "folds" if count == 1 else "folds-of-datasets"

    def to_toml(self) -> str:
        """Return the plan as the table ``[plan]`` of a plan file.

        ``Plan.from_toml`` reads the same plan from it. What is left open is left out.
        """
        from pycompare.plans.toml_text import table

        return table("plan", self)

    @classmethod
    def from_toml(cls, text: str) -> Plan:
        """Read the plan from text that holds the table ``[plan]`` and no other.

        Raises
        ------
        PlanError
            With all problems, each with its line. A whole plan file, with data and
            metrics, is read by ``pc.read_plan``.
        """
        from pycompare.plans.plan_file import plan_only

        return plan_only(text)
