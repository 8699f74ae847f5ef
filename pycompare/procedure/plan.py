"""The plan: what is decided before a p-value is seen."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from dataclasses import dataclass
from typing import Literal, get_args

from pycompare.arguments import check_alpha, check_level
from pycompare.data.scores import Scores
from pycompare.errors import DesignError, InputError
from pycompare.pairs.ttest import overlap
from pycompare.procedure.post_hoc import (
    MEANS,
    for_ranks,
    method_name,
    needs_all_pairs,
)

PValues = Literal["by-size", "approximate", "exact"]
BlocksAre = Literal["by-columns", "datasets", "folds", "folds-of-datasets"]
Verdict = Literal["ranks", "sign", "means", "model"]
Gate = Literal["none", "omnibus"]
EXACT_CELLS, EXACT_ALGORITHMS = 40, 5
ALL_PAIRS = ("bergmann-hommel", "shaffer", "holm", "bonferroni", "nemenyi")
CONTROL = ("holm", "hommel", "holland", "bonferroni")
MEANS_ALL_PAIRS = ("tukey", "scheffe", "bergmann-hommel", "holm", "bonferroni")
MEANS_CONTROL = ("dunnett", "holm", "hommel", "bonferroni")
SIGN_ALL_PAIRS = ("bonferroni", "holm")


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
        exactly one data set, folds-of-datasets if it holds several and more folds than
        data sets (unless ``average_folds``), else data sets, as where there is no such
        column.
    verdict : {"ranks", "sign", "means", "model"}, optional
        Folds of several data sets: what makes the verdict; the others stand beside it.
        ``ranks`` (default): rank tests of the data sets' means, Wilcoxon's test for two
        algorithms. ``sign``: exact sign tests of wins, a win being a significant
        difference on a data set. ``means``: blocked analysis of variance of the data
        sets' means. ``model``: one analysis of variance of all folds, which is about
        these data sets and no others.
    gate : {"none", "omnibus"}
        ``omnibus``: a pair is decided only where the test of all algorithms rejects as
        well; its adjusted p-value is then the larger of the two. Default: pairs do not
        wait, since their adjustment controls the error by itself.
    adjust : tuple of str
        Methods of comparing pairs; the first one makes the verdict, the others stand
        beside it as sensitivity analysis. Any name of ``pc.adjust``; over folds also
        ``tukey``, ``scheffe`` and, against a control, ``dunnett``, but not ``nemenyi``.
        Over folds of several data sets they are for what makes the verdict, and what
        stands beside it has the first of its own default.
        Default over data sets: Bergmann-Hommel, Shaffer, Holm, Bonferroni, Nemenyi for
        all pairs; Holm, Hommel, Holland, Bonferroni against a control. Over folds:
        Tukey, Scheffe, Bergmann-Hommel, Holm, Bonferroni; Dunnett, Holm, Hommel,
        Bonferroni against a control. Sign tests of wins: Bonferroni, Holm. Two
        algorithms on folds have one comparison and nothing to adjust.
    control : str or None
        Compare this algorithm with the others instead of all pairs.
    metrics : tuple of str
        Metrics to analyse, each a family of its own; default all.
    average_folds : bool, default False
        Only rank each data set's mean score over its folds, each data set one block.
    n_train, n_test : float or None
        Sizes of each training and test set behind the folds, both or neither: corrected
        resampled t tests, which allow for shared training data. They make the verdict
        on two algorithms, and stand beside it for more, adjusted by the first of
        ``adjust`` that adjusts p-values (Holm if none does), as are the T2 tests of
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
    seed : int, optional
        Over folds: of the permutation test of several metrics, and of the band of the
        normal quantile picture; default 0. No verdict is random.
    """

    alpha: float = 0.05
    blocks: BlocksAre = "by-columns"
    verdict: Verdict | None = None
    gate: Gate = "none"
    adjust: tuple[str, ...] = ()
    control: str | None = None
    metrics: tuple[str, ...] = ()
    average_folds: bool = False
    n_train: float | None = None
    n_test: float | None = None
    margin: float | None = None
    monotone: bool = False
    p_values: PValues = "by-size"
    decimals: int | None = None
    level: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no data could make right; fill in what the blocks decide."""
        check_alpha(self.alpha)
        if self.level is None:
            object.__setattr__(self, "level", 1 - self.alpha)
        check_level(self.confidence)
        refuse_text("adjust", self.adjust)
        refuse_text("metrics", self.metrics)
        check_word("p_values", self.p_values, PValues)
        check_word("blocks", self.blocks, BlocksAre)
        check_word("gate", self.gate, Gate)
        self.check_verdict()
        overlap(self.n_train, self.n_test)
        self.check_margin()
        names = tuple(dict.fromkeys(map(method_name, self.adjust or self.defaults)))
        object.__setattr__(self, "adjust", names)
        if self.blocks in ("folds", "folds-of-datasets") and self.seed is None:
            object.__setattr__(self, "seed", 0)
        self.check_seed()
        self.check_adjust()
        self.check_folds()

    @property
    def defaults(self) -> tuple[str, ...]:
        """Methods of a plan that names none; empty while the blocks are open."""
        if self.blocks == "by-columns":
            return ()
        if self.compares == "sign":
            return SIGN_ALL_PAIRS
        if self.compares == "means":
            return MEANS_ALL_PAIRS if self.control is None else MEANS_CONTROL
        return ALL_PAIRS if self.control is None else CONTROL

    @property
    def compares(self) -> Literal["ranks", "sign", "means"]:
        """What the methods of ``adjust`` compare, once the blocks are known."""
        if self.blocks == "folds" or self.verdict in ("means", "model"):
            return "means"
        return "sign" if self.verdict == "sign" else "ranks"

    def check_verdict(self) -> None:
        """Refuse a verdict over data sets for other blocks; fill in the default."""
        if self.verdict is not None:
            check_word("verdict", self.verdict, Verdict)
        many = self.blocks == "folds-of-datasets"
        if many and self.average_folds:
            raise InputError(
                "average_folds makes each data set one block, and "
                "blocks='folds-of-datasets' keeps its folds: leave one of them out"
            )
        if many and self.verdict is None:
            object.__setattr__(self, "verdict", "ranks")
        if self.verdict is not None and not many and self.blocks != "by-columns":
            raise InputError(
                f"verdict={self.verdict!r} is for folds of several data sets, and "
                f"blocks={self.blocks!r}: leave it out"
            )
        if self.verdict is not None and self.average_folds:
            raise InputError(
                "average_folds leaves the ranks of data sets' means alone; leave it "
                "or the verdict out"
            )

    def check_margin(self) -> None:
        """Refuse a margin that is no distance, or no alpha to test it at."""
        if self.margin is None:
            return
        if not 0 < self.margin < math.inf:
            raise InputError(f"margin={self.margin}: give a positive difference")
        if self.alpha >= 0.5:
            raise InputError(f"alpha={self.alpha}: a margin needs an alpha below 0.5")

    def check_seed(self) -> None:
        """Refuse a seed that is no whole number."""
        if self.seed is None:
            return
        whole = isinstance(self.seed, int) and not isinstance(self.seed, bool)
        if not whole or self.seed < 0:
            raise InputError(f"seed={self.seed!r}: give a whole number from 0 on")

    def check_adjust(self) -> None:
        """Refuse methods that do not fit the family, or what the blocks are."""
        if self.adjust[:1] == ("none",):
            raise InputError(
                "adjust: 'none' cannot make the verdict over several comparisons; put "
                "an adjustment first"
            )
        absent = self.adjust and "bergmann-hommel" not in self.adjust
        if self.monotone and (absent or self.control is not None):
            raise InputError(
                "monotone is for 'bergmann-hommel', which adjust leaves out"
            )
        self.check_family()
        if self.blocks == "by-columns":
            return
        wrong = [n for n in self.adjust if not for_ranks(n)]
        if self.compares == "ranks" and wrong:
            raise InputError(
                f"adjust: {', '.join(wrong)} compare means over folds of one data set "
                f"(blocks='folds'); over data sets choose {', '.join(ALL_PAIRS)}"
            )
        if self.compares == "means" and "nemenyi" in self.adjust:
            raise InputError(
                "adjust: nemenyi compares mean ranks over data sets "
                "(blocks='datasets'); over folds choose tukey"
            )
        if self.compares == "sign" and ("nemenyi" in self.adjust or wrong):
            raise InputError(
                f"adjust: {', '.join(self.adjust)}: sign tests of wins have p-values "
                f"to adjust; choose {', '.join(SIGN_ALL_PAIRS)} or another name of "
                f"pc.adjust but nemenyi"
            )

    def check_family(self) -> None:
        """Refuse methods for all pairs against a control, and the other way round."""
        wrong = [n for n in self.adjust if needs_all_pairs(n)]
        if self.control is not None and wrong:
            raise InputError(
                f"adjust: made for all pairs, not for comparisons with the control "
                f"{self.control!r}: {', '.join(wrong)}; choose {', '.join(CONTROL)} or "
                f"another one for any family"
            )
        if self.control is None and "dunnett" in self.adjust:
            raise InputError("adjust: dunnett compares with a control; name one")

    def check_folds(self) -> None:
        """Refuse what only folds of one data set have a use for, and the reverse."""
        if self.blocks == "datasets":
            for name in FOLDS_ONLY:
                if getattr(self, name) is not None:
                    raise InputError(
                        f"{FOLDS_ONLY[name]}; say blocks='folds' if that is what the "
                        f"blocks are"
                    )
        if self.blocks == "folds-of-datasets":
            for name in ("n_train", "margin"):
                if getattr(self, name) is not None:
                    raise InputError(
                        f"{name} is for folds of one data set, and there are several: "
                        f"leave it out, or compare one data set at a time"
                    )
        if self.blocks == "folds" and self.average_folds:
            raise InputError(
                "average_folds is for several data sets, blocks='folds' for one; leave "
                "one of them out"
            )
        if self.blocks != "by-columns" and self.compares != "ranks" and self.monotone:
            raise InputError(
                "monotone is for mean ranks over data sets (blocks='datasets'); leave "
                "it out"
            )

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
        return next((n for n in self.adjust if n not in (*MEANS, "none")), "holm")

    def settled(self, scores: Scores) -> Plan:
        """Return the plan with nothing left open, or refuse one that cannot be.

        Raises
        ------
        InputError
            If a name is not there, or an option has no use with such blocks.
        DesignError
            If the blocks are not what the plan says they are.
        """
        self.check_names(scores)
        plan = dataclasses.replace(self, blocks=self.blocks_of(scores))
        check_blocks(plan, scores)
        check_two(plan, scores)
        return plan

    def check_names(self, scores: Scores) -> None:
        """Refuse metrics and a control that these scores do not have."""
        for name in self.metrics:
            scores.metric(name)
        if self.control is not None and self.control not in scores.algorithms:
            raise InputError(
                f"control {self.control!r} is not an algorithm; there are "
                f"{', '.join(map(repr, scores.algorithms))}"
            )

    def blocks_of(self, scores: Scores) -> BlocksAre:
        """Return what the blocks are, by the plan or by the columns."""
        if self.blocks != "by-columns":
            return self.blocks
        count = len(set(scores.datasets or ()))
        if self.average_folds or count in (0, scores.n_blocks):
            return "datasets"
        return "folds" if count == 1 else "folds-of-datasets"


FOLDS_ONLY = {
    "n_train": "n_train and n_test correct for training data that folds of one data "
    "set share, and the blocks are taken as independent data sets",
    "margin": "margin is for two algorithms on folds of one data set, and the blocks "
    "are taken as independent data sets",
    "seed": "seed is for folds of one data set: nothing is random in a comparison of "
    "independent data sets, which the blocks are taken as",
}


def check_word(word: str, given: str, choices: object) -> None:
    """Refuse a word that is not among the choices."""
    if given not in get_args(choices):
        raise InputError(f"{word}={given!r}: choose one of {get_args(choices)}")


def check_blocks(plan: Plan, scores: Scores) -> None:
    """Refuse blocks that are not what the plan says, by the data set column."""
    names = set(scores.datasets or ())
    if plan.average_folds:
        return
    if plan.blocks == "folds-of-datasets":
        check_folds_of_datasets(scores)
    elif 1 < len(names) and (plan.blocks == "folds" or len(names) < len(scores.blocks)):
        raise DesignError(
            f"{len(names)} data sets with {len(scores.blocks)} folds: folds of "
            f"one data set are not independent blocks for a test over data sets; say "
            f"blocks='folds-of-datasets' to analyse each data set and compare over "
            f"them, or average_folds=True to rank each data set's mean alone"
        )
    if plan.blocks == "datasets" and len(names) == 1:
        raise DesignError(
            f"blocks='datasets', and the data set column holds one, "
            f"{scores.datasets and scores.datasets[0]!r}, for all "
            f"{len(scores.blocks)} blocks: say blocks='folds', or leave the data set "
            f"column out if each block is a data set"
        )


def check_folds_of_datasets(scores: Scores) -> None:
    """Refuse scores without folds of several data sets, or with missing cells."""
    if scores.datasets is None or len(set(scores.datasets)) < 2:
        raise DesignError(
            "blocks='folds-of-datasets' needs two data sets or more, named by a column "
            "of their own (dataset=...)"
        )
    alone = [d for d, n in Counter(scores.datasets).items() if n == 1]
    if alone:
        raise DesignError(
            f"{len(alone)} data sets have one fold only, first {alone[0]!r}, and no "
            f"test within one fold can be made: leave them out, or say "
            f"average_folds=True to rank each data set's mean"
        )
    if not scores.complete:
        raise DesignError(
            "folds of several data sets need every algorithm on every fold: a data "
            "set's mean over the folds that are left is over other test cases than the "
            'others\'; read the scores with missing="drop-block"'
        )


def check_two(plan: Plan, scores: Scores) -> None:
    """Refuse what only two algorithms on folds have a use for, and the reverse."""
    two = scores.n_algorithms == 2
    metrics = plan.metrics or scores.metrics
    if plan.margin is not None and not (two and len(metrics) == 1):
        raise InputError(
            f"margin is for two algorithms and one metric, in its unit; there are "
            f"{scores.n_algorithms} algorithms and {len(metrics)} metrics: choose "
            f"them, or leave the margin out"
        )
    if plan.blocks == "folds" and two and plan.decimals is not None:
        raise InputError(
            "decimals rounds scores before they are ranked; two algorithms on folds "
            "are compared by their differences: leave it out, or round the scores"
        )


def refuse_text(word: str, names: object) -> None:
    """Refuse one name where a tuple of names is meant."""
    if isinstance(names, str):
        raise InputError(f"{word}={names!r}: give a tuple of names, ({names!r},)")
