"""The names a plan may give to comparisons of pairs."""

from __future__ import annotations

from dataclasses import dataclass

from pycompare.base.errors import InputError
from pycompare.designs.quantity import OF_CASES, Quantity
from pycompare.kernels.closed_signed_ranks import closed_least, smallest_p
from pycompare.results.adjust import ADJUSTMENTS, Adjustment, adjustment, with_detail

_OWN_VARIANCE = ("closed-permutation", "sign-flips", "max-t")
"""Comparisons of ranks with a variance for each pair; by size one is first."""
OF_FRIEDMAN = ("nemenyi", "closed-permutation", "max-t")
"""Methods for Friedman's ranks alone."""
PUBLISHED = ("bergmann-hommel", "shaffer", "holm", "bonferroni", "nemenyi")
ALL_PAIRS = (*_OWN_VARIANCE, *PUBLISHED)
PUBLISHED_CONTROL = ("holm", "hommel", "holland", "bonferroni")
CONTROL = ("closed-permutation", "max-t", "sign-flips", *PUBLISHED_CONTROL)
MEANS_ALL_PAIRS = ("tukey", "scheffe", "bergmann-hommel", "holm", "bonferroni")
MEANS_CONTROL = ("dunnett", "holm", "hommel", "bonferroni")
DISJOINT_ALL_PAIRS = ("holm", "tukey", "scheffe", "bonferroni")
DISJOINT_CONTROL = ("holm", "dunnett", "bonferroni")
"""Methods for training sets that share no case: the first adjusts paired t tests."""
CORRECTED_ALL_PAIRS = ("bergmann-hommel", "tukey", "scheffe", "holm", "bonferroni")
CORRECTED_CONTROL = ("holm", "dunnett", "hommel", "bonferroni")
DATASET_MEANS_ALL_PAIRS = CORRECTED_ALL_PAIRS
DATASET_MEANS_CONTROL = CORRECTED_CONTROL
"""Of data sets' means: first with each pair's own variance, then with a pooled one."""
FIGURES = ("bergmann-hommel", "holm", "bonferroni")
FIGURES_CONTROL = ("holm", "bonferroni")
"""Of mean figures over readers and cases; each pair has its own variance."""
CASES_ALL_PAIRS = ("holm", "max-t", "bergmann-hommel", "bonferroni")
CASES_CONTROL = ("holm", "max-t", "bonferroni")
LABELS_ALL_PAIRS = ("max-t", "holm", "bergmann-hommel", "bonferroni")
LABELS_CONTROL = ("max-t", "holm", "bonferroni")
"""Of mean labels beside a judge; max-T draws from their joint distribution."""
SIGNS = ("holm", "bonferroni")
TYPICAL = ("holm", "bonferroni")
"""Methods for typical differences, whose hypotheses have no logical relations."""
ANY_FAMILY = ("holm", "bonferroni")
"""Methods of a plan that names none, the decisive one first."""
EXHAUSTIVE = "bergmann-hommel"
MOST_EXHAUSTIVE = 40
"""Algorithms for which a plan that names no method has Bergmann-Hommel's of means.

It takes seconds for 40 if p-values follow no line, as those of means, and may take
hours for 100. Mean ranks have p-values on a line: there it is quick for any number.
"""


@dataclass(frozen=True)
class PostHoc:
    """A comparison of pairs of means that needs no adjustment of raw p-values.

    Attributes
    ----------
    name, short_title : str
        The word that selects it, and what a report calls it.
    reference : str
    detail : str
        What follows in brackets if there is room.
    """

    name: str
    short_title: str
    reference: str
    detail: str = ""

    @property
    def title(self) -> str:
        """What a report calls it, with the detail."""
        return with_detail(self.short_title, self.detail)


MEANS = {
    method.name: method
    for method in (
        PostHoc(
            "tukey",
            "Tukey",
            "Tukey (1953); Kramer (1956) Biometrics 12, 307-310",
            detail="studentised range",
        ),
        PostHoc(
            "scheffe",
            "Scheffé",
            "Scheffé (1953) Biometrika 40, 87-104",
        ),
        PostHoc(
            "dunnett",
            "Dunnett",
            "Dunnett (1955) JASA 50, 1096-1121",
        ),
        PostHoc(
            "dunnett-step-down",
            "Step-down Dunnett",
            "Dunnett & Tamhane (1991) Stat. Med. 10, 939-947",
        ),
    )
}
"""Methods for means with one common error; any other name adjusts p-values."""
MANY_TO_ONE = ("dunnett", "dunnett-step-down")
"""Those that compare with a control."""


FLIPS = {
    method.name: method
    for method in (
        PostHoc(
            "sign-flips",
            "sign flips",
            "García & Herrera (2008) JMLR 9, 2677-2694; Bergmann & Hommel (1988)",
            detail="exact",
        ),
        PostHoc(
            "closed-permutation",
            "closed permutation",
            "Begun & Gabriel (1981) JASA 76, 241-245; Bergmann & Hommel (1988)",
            detail="exact",
        ),
        PostHoc(
            "max-t",
            "max-T",
            "Westfall & Young (1993) Resampling-Based Multiple Testing",
            detail="step-down, sign flips",
        ),
        PostHoc(
            "step-down-flips",
            "step-down sign flips",
            "Westfall & Young (1993) Resampling-Based Multiple Testing",
        ),
    )
}
"""Methods that permute independent blocks, of ranks or of scores; each adjusts itself.

Each pair has its own variance. To make one of them the default, name it first in
``ALL_PAIRS``, ``CONTROL``, ``DATASET_MEANS_ALL_PAIRS`` or ``DATASET_MEANS_CONTROL``;
``TypicalDefault`` chooses among those for typical differences.
"""
OF_TYPICAL_DIFFERENCES = ("closed-permutation", "step-down-flips")
"""Those for typical differences, whose signed ranks they permute."""


def described(name: str) -> Adjustment | PostHoc:
    """Describe a method of a plan, by its name in the plan."""
    return MEANS.get(name) or FLIPS.get(name) or ADJUSTMENTS[name]


def short_title(name: str) -> str:
    """Return a method's title without what stands in brackets."""
    return described(name).short_title


def method_name(name: str) -> str:
    """Return the name as the plan keeps it, or reject one that there is not."""
    if name in MEANS or name in FLIPS:
        return name
    try:
        return adjustment(name).name
    except InputError as error:
        raise InputError(
            f"{error}; for means of folds also {', '.join(MEANS)}; over data sets "
            f"also {', '.join(FLIPS)}"
        ) from None


def needs_all_pairs(name: str) -> bool:
    """Return whether a method is for all pairs only, not for a control."""
    if name in MEANS:
        return name not in MANY_TO_ONE
    # Beside a control mean ranks have the closed test, typical differences have not.
    return name not in FLIPS and adjustment(name).pairs_only


def one_table_only(name: str) -> str | None:
    """Return why a method cannot adjust p-values of several tables; None if it can."""
    if name == "sign-flips":  # exact p-values, each of one pair
        return None
    if name in MEANS or name in FLIPS or name == "nemenyi":
        return "rests on the joint distribution of the pairs of one table"
    if adjustment(name).pairs_only:
        return "rests on which pairs of one table can be equal together"
    return None


def for_ranks(name: str) -> bool:
    """Return whether a method compares mean ranks."""
    return name not in MEANS and name != "step-down-flips"


def for_means(name: str) -> bool:
    """Return whether a method compares means."""
    return name not in ("nemenyi", "sign-flips", "step-down-flips")


def draws(name: str) -> bool:
    """Return whether a method may draw random flips or permutations."""
    return name in ("closed-permutation", "max-t", "step-down-flips")


_CLOSED_ALGORITHMS, _CLOSED_BLOCKS, _FLIPS_BLOCKS = 8, 20, 13
"""Sizes of the rule of `sized_defaults`."""


def sized_defaults(
    names: tuple[str, ...], n_blocks: int, n_algorithms: int, quantity: Quantity
) -> tuple[str, ...]:
    """Return the default methods that fit the size of a table, the first one decisive.

    Which method compares mean ranks follows from the size alone, never from a score.
    In the study (validation/FAMILY_WISE.md) the closed permutation test has the
    greatest power in small tables, sign flips with Bergmann-Hommel's adjustment in
    tables with many blocks. If algorithms are many and blocks few, neither can
    reject much and max-T comes first. It comes first too over 40 algorithms, if the
    adjustment of sign flips may take hours, and against a control in all larger tables:
    it has more power there than sign flips, and no error above the bound. Aligned and
    Quade's ranks have sign flips at every size. For means
    Holm takes the place of Bergmann-Hommel over 40 algorithms, for the same reason.
    """
    few = n_algorithms <= MOST_EXHAUSTIVE
    if quantity == OF_CASES:
        return tuple(name for name in names if few or name != EXHAUSTIVE)
    fits = {
        "closed-permutation": (
            n_algorithms <= _CLOSED_ALGORITHMS and n_blocks <= _CLOSED_BLOCKS
        ),
        "sign-flips": n_blocks >= _FLIPS_BLOCKS and few,
        "max-t": True,
    }
    flips = [name for name in names if name in _OWN_VARIANCE]
    chosen = next((name for name in flips if fits[name]), next(iter(flips), None))
    names = tuple(n for n in names if n == chosen or n not in _OWN_VARIANCE)
    if few or not quantity.of_means:
        return names
    return tuple("holm" if name == EXHAUSTIVE else name for name in names)


_CLOSED_MOST = 10
"""Algorithms, and data sets, at most for the closed test of typical differences."""


def typical_defaults(
    names: tuple[str, ...],
    n_blocks: int,
    n_algorithms: int,
    alpha: float,
    *,
    control: bool,
    complete: bool,
    exchangeable: bool = True,
) -> tuple[str, ...]:
    """Return the methods for typical differences that can reject in tables of a size.

    The first of these whose smallest adjusted p-value is at most alpha: the closed
    permutation test of small complete tables, Holm, step-down flips. If none can
    reject, Holm. The closed test needs equal algorithms that are ``exchangeable``.
    ``n_blocks`` is the largest number that two algorithms share.
    """
    k = n_algorithms
    small = 3 <= k <= _CLOSED_MOST and n_blocks <= _CLOSED_MOST
    closed = small and complete and exchangeable and not control
    if closed and closed_least(n_blocks, k) <= alpha:
        return ("closed-permutation", *names)
    m = k - 1 if control else k * (k - 1) // 2
    smallest = smallest_p(n_blocks)
    if smallest <= alpha < m * smallest:
        return ("step-down-flips", *names)
    return names
