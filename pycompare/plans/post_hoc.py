"""The names a plan may give to comparisons of pairs, and what each one controls."""

from __future__ import annotations

from dataclasses import dataclass

from pycompare.errors import InputError
from pycompare.multiplicity.adjust import ADJUSTMENTS, Adjustment, adjustment

ALL_PAIRS = ("bergmann-hommel", "shaffer", "holm", "bonferroni", "nemenyi")
CONTROL = ("holm", "hommel", "holland", "bonferroni")
MEANS_ALL_PAIRS = ("tukey", "scheffe", "bergmann-hommel", "holm", "bonferroni")
MEANS_CONTROL = ("dunnett", "holm", "hommel", "bonferroni")
CORRECTED_ALL_PAIRS = ("bergmann-hommel", "tukey", "scheffe", "holm", "bonferroni")
CORRECTED_CONTROL = ("holm", "dunnett", "hommel", "bonferroni")
DATASET_MEANS_ALL_PAIRS = CORRECTED_ALL_PAIRS
DATASET_MEANS_CONTROL = CORRECTED_CONTROL
"""Of data sets' means: first with each pair's own variance, then with a pooled one."""
SIGNS = ("holm", "bonferroni")
ANY_FAMILY = ("holm", "bonferroni")
"""Methods of a plan that names none, the decisive one first."""
EXHAUSTIVE = "bergmann-hommel"
MOST_EXHAUSTIVE = 40
"""Algorithms for which a plan that names no method has Bergmann-Hommel's of means.

It takes seconds for 40 where p-values follow no line, as those of means, and may take
hours for 100. Mean ranks have p-values on a line: there it is quick for any number.
"""


@dataclass(frozen=True)
class PostHoc:
    """A comparison of pairs of means that needs no adjustment of raw p-values.

    Attributes
    ----------
    name, title : str
        The word that selects it, and what a report calls it.
    controls : str
        Which error it controls.
    reference : str
    """

    name: str
    title: str
    controls: str
    reference: str


MEANS = {
    method.name: method
    for method in (
        PostHoc(
            "tukey",
            "Tukey (studentised range)",
            "family-wise error of all pairs",
            "Tukey (1953); Kramer (1956) Biometrics 12, 307-310",
        ),
        PostHoc(
            "scheffe",
            "Scheffé",
            "family-wise error of all contrasts of means",
            "Scheffé (1953) Biometrika 40, 87-104",
        ),
        PostHoc(
            "dunnett",
            "Dunnett",
            "family-wise error of all comparisons with the control",
            "Dunnett (1955) JASA 50, 1096-1121",
        ),
    )
}
"""Methods for means with one common error; any other name adjusts p-values."""


def described(name: str) -> Adjustment | PostHoc:
    """Return what a method of a plan is, by its name in the plan."""
    return MEANS.get(name) or ADJUSTMENTS[name]


def short_title(name: str) -> str:
    """Return a method's title without what stands in brackets."""
    return described(name).title.split(" (")[0]


def method_name(name: str) -> str:
    """Return the name as the plan keeps it, or refuse one that there is not."""
    if name in MEANS:
        return name
    try:
        return adjustment(name).name
    except InputError as error:
        raise InputError(
            f"{error}; for means of folds also {', '.join(MEANS)}"
        ) from None


def needs_all_pairs(name: str) -> bool:
    """Tell whether a method is for all pairs only, not for a control."""
    if name in MEANS:
        return name != "dunnett"
    return adjustment(name).pairs_only


def one_table_only(name: str) -> str | None:
    """Say why a method cannot adjust p-values of several tables; None if it can."""
    if name in MEANS or name == "nemenyi":
        return "rests on the joint distribution of the pairs of one table"
    if adjustment(name).pairs_only:
        return "rests on which pairs of one table can be equal together"
    return None


def for_ranks(name: str) -> bool:
    """Tell whether a method compares mean ranks."""
    return name not in MEANS
