"""The plan: what is decided before a p-value is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pycompare.arguments import check_alpha, check_level
from pycompare.data.scores import Scores
from pycompare.errors import InputError
from pycompare.multiplicity.adjust import adjustment

PValues = Literal["by-size", "approximate", "exact"]
EXACT_CELLS, EXACT_ALGORITHMS = 40, 5
ALL_PAIRS = ("bergmann-hommel", "shaffer", "holm", "bonferroni", "nemenyi")
CONTROL = ("holm", "hommel", "holland", "bonferroni")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A comparison as planned.

    Attributes
    ----------
    alpha : float, default 0.05
        Error rate of the verdict; which one, the decisive adjustment says.
    adjust : tuple of str
        Adjustments to show; the first one makes the verdict, the others stand beside
        it as sensitivity analysis. Default: Bergmann-Hommel, Shaffer, Holm,
        Bonferroni, Nemenyi for all pairs; Holm, Hommel, Holland, Bonferroni against a
        control.
    control : str or None
        Compare this algorithm with the others instead of all pairs.
    metrics : tuple of str
        Metrics to analyse, each a family of its own; default all.
    average_folds : bool, default False
        Rank each data set's mean score over its folds, each data set one block. Folds
        of several data sets are refused otherwise, since they are not independent.
    monotone : bool, default False
        Force Bergmann-Hommel's adjusted p-values to rise with the raw ones; the exact
        closed test does not ask for it.
    p_values : {"by-size", "approximate", "exact"}
        ``approximate``: chi2 for Friedman, normal for pairs. ``exact``: permutations
        within blocks for both. Default: exact for tables of at most 40 cells and 5
        algorithms, where the approximations are too rough to decide by.
    decimals : int or None
        Round scores to so many decimals before they are ranked.
    level : float, optional
        Confidence level of the intervals; default 1 - alpha.
    """

    alpha: float = 0.05
    adjust: tuple[str, ...] = ()
    control: str | None = None
    metrics: tuple[str, ...] = ()
    average_folds: bool = False
    monotone: bool = False
    p_values: PValues = "by-size"
    decimals: int | None = None
    level: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no data could make right; fill in the default adjustments."""
        check_alpha(self.alpha)
        if self.level is None:
            object.__setattr__(self, "level", 1 - self.alpha)
        check_level(self.confidence)
        refuse_text("adjust", self.adjust)
        refuse_text("metrics", self.metrics)
        if self.p_values not in get_args(PValues):
            raise InputError(
                f"p_values={self.p_values!r}: choose one of {get_args(PValues)}"
            )
        defaults = ALL_PAIRS if self.control is None else CONTROL
        names = tuple(adjustment(n).name for n in self.adjust or defaults)
        object.__setattr__(self, "adjust", tuple(dict.fromkeys(names)))
        if self.monotone and "bergmann-hommel" not in self.adjust:
            raise InputError(
                "monotone is for 'bergmann-hommel', which adjust leaves out"
            )
        if "none" in self.adjust[:1]:
            raise InputError(
                "adjust: 'none' cannot make the verdict over several comparisons; put "
                "an adjustment first"
            )
        self.check_control_family()

    def check_control_family(self) -> None:
        """Refuse adjustments that need all pairs where there is a control."""
        wrong = [n for n in self.adjust if adjustment(n).pairs_only]
        if self.control is not None and wrong:
            raise InputError(
                f"adjust: made for all pairs, not for comparisons with the control "
                f"{self.control!r}: {', '.join(wrong)}; choose {', '.join(CONTROL)} or "
                f"another one for any family"
            )

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.alpha if self.level is None else self.level

    def exact_for(self, n_blocks: int, n_algorithms: int) -> bool:
        """Tell whether a complete table of that size gets exact p-values."""
        if self.p_values != "by-size":
            return self.p_values == "exact"
        small = n_blocks * n_algorithms <= EXACT_CELLS
        return small and n_algorithms <= EXACT_ALGORITHMS

    @property
    def decisive(self) -> str:
        """Name of the adjustment that makes the verdict."""
        return self.adjust[0]

    def check_against(self, scores: Scores) -> None:
        """Refuse a plan that these scores cannot fulfil."""
        for name in self.metrics:
            scores.metric(name)
        if self.control is not None and self.control not in scores.algorithms:
            raise InputError(
                f"control {self.control!r} is not an algorithm; there are "
                f"{', '.join(map(repr, scores.algorithms))}"
            )


def refuse_text(word: str, names: object) -> None:
    """Refuse one name where a tuple of names is meant."""
    if isinstance(names, str):
        raise InputError(f"{word}={names!r}: give a tuple of names, ({names!r},)")
