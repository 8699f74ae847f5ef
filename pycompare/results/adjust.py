"""``adjust``: one front door to all adjustments, and what each of them controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_flags, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import are
from pycompare.base.hypotheses import MEAN_RANKS, MEANS, Hypotheses
from pycompare.base.labels import show
from pycompare.base.tables import is_frame, is_series
from pycompare.base.typing import Floats
from pycompare.kernels import logical, stepwise, studentized_range
from pycompare.kernels.exhaustive_any import checked_pairs
from pycompare.kernels.exhaustive_listed import hochberg_rom
from pycompare.kernels.rom import rom
from pycompare.results.guarantees import of_adjustment

if TYPE_CHECKING:
    import pandas as pd


def with_detail(title: str, detail: str) -> str:
    """Return a title with what follows in brackets, if anything does."""
    return f"{title} ({detail})" if detail else title


@dataclass(frozen=True)
class Adjustment:
    """One way to adjust a family of p-values.

    Attributes
    ----------
    name, short_title : str
        The word that selects it, and what a report calls it.
    pairs_only : bool
        True if it uses the logic of all pairwise comparisons.
    function : callable
        ``(p) -> adjusted`` on a vector, or on a square matrix if ``pairs_only``.
    reference : str
    detail : str
        What follows in brackets if there is room.
    """

    name: str
    short_title: str
    function: Callable[..., Floats]
    reference: str
    pairs_only: bool = False
    detail: str = ""

    @property
    def title(self) -> str:
        """What a report calls it, with the detail."""
        return with_detail(self.short_title, self.detail)

    @property
    def controls(self) -> str:
        """Which error rate it keeps, and under which conditions."""
        return of_adjustment(self.name).whole


def _nemenyi(p: Floats, positions: Floats | None = None) -> Floats:
    """Studentised range of the z that belongs to each two-sided normal p-value.

    R: ``ptukey(abs(z) * sqrt(2), a, Inf, lower.tail = FALSE)``.
    """
    z = -special.ndtri(p / 2)
    return nemenyi_from_z(z, len(p))


def nemenyi_from_z(z: Floats, n_algorithms: int) -> Floats:
    """Return ``P(Q > |z| sqrt 2)``, Q the studentised range with infinite df."""
    q = np.abs(z) * np.sqrt(2.0)
    return np.asarray(studentized_range.sf(q, n_algorithms, np.inf))


ADJUSTMENTS: dict[str, Adjustment] = {
    a.name: a
    for a in (
        Adjustment("none", "unadjusted", stepwise.none, ""),
        Adjustment(
            "bonferroni",
            "Bonferroni",
            stepwise.bonferroni,
            "Dunn (1961) JASA 56, 52-64",
            detail="García and Herrera's 'Nemenyi'; Bonferroni-Dunn",
        ),
        Adjustment(
            "sidak",
            "Šidák",
            stepwise.sidak,
            "Šidák (1967) JASA 62, 626-633",
        ),
        Adjustment(
            "holm",
            "Holm",
            stepwise.holm,
            "Holm (1979) Scand. J. Statist. 6, 65-70",
        ),
        Adjustment(
            "hochberg",
            "Hochberg",
            stepwise.hochberg,
            "Hochberg (1988) Biometrika 75, 800-802",
        ),
        Adjustment(
            "hommel",
            "Hommel",
            stepwise.hommel,
            "Hommel (1988) Biometrika 75, 383-386",
        ),
        Adjustment(
            "holland",
            "Holland",
            stepwise.holland,
            "Holland & Copenhaver (1987) Biometrics 43, 417-423",
            detail="Holm-Šidák",
        ),
        Adjustment(
            "finner",
            "Finner",
            stepwise.finner,
            "Finner (1993) JASA 88, 920-923",
        ),
        Adjustment(
            "rom",
            "Rom",
            rom,
            "Rom (1990) Biometrika 77, 663-665",
        ),
        Adjustment(
            "li",
            "Li",
            stepwise.li,
            "Li (2008) J. Statist. Plann. Inference 138, 1521-1527",
        ),
        Adjustment(
            "BH",
            "Benjamini-Hochberg",
            stepwise.benjamini_hochberg,
            "Benjamini & Hochberg (1995) JRSS B 57, 289-300",
        ),
        Adjustment(
            "BY",
            "Benjamini-Yekutieli",
            stepwise.benjamini_yekutieli,
            "Benjamini & Yekutieli (2001) Ann. Statist. 29, 1165-1188",
        ),
        Adjustment(
            "nemenyi",
            "Nemenyi",
            _nemenyi,
            "Nemenyi (1963); Demšar (2006) JMLR 7, 1-30",
            pairs_only=True,
            detail="studentised range",
        ),
        Adjustment(
            "shaffer",
            "Shaffer static",
            logical.shaffer,
            "Shaffer (1986) JASA 81, 826-831",
            pairs_only=True,
        ),
        Adjustment(
            "shaffer-dynamic",
            "Shaffer dynamic",
            logical.shaffer_dynamic,
            "Shaffer (1986) JASA 81, 826-831; Westfall (1997) JASA 92, 299-306",
            pairs_only=True,
        ),
        Adjustment(
            "bergmann-hommel",
            "Bergmann-Hommel",
            logical.bergmann_hommel,
            "Bergmann & Hommel (1988); García & Herrera (2008) JMLR 9, 2677-2694",
            pairs_only=True,
            detail="exact closed test",
        ),
        Adjustment(
            "hochberg-rom",
            "Hochberg-Rom",
            hochberg_rom,
            "Hochberg & Rom (1995) J. Statist. Plann. Inference 48, 141-152",
            pairs_only=True,
            detail="closed Simes tests",
        ),
    )
}


_R_SEARCHES = 20
"""Largest number of algorithms whose partitions the R reference searches in seconds."""


def repeatable_in_r(name: str, n_algorithms: int) -> bool:
    """Return whether R can repeat an adjustment; for some it searches partitions."""
    searched = name in ("bergmann-hommel", "shaffer-dynamic")
    return not searched or n_algorithms <= _R_SEARCHES


def adjustment(name: str) -> Adjustment:
    """Return the adjustment of that name, or reject with the names there are."""
    if not isinstance(name, str):
        raise InputError(
            f"no adjustment is called {show(name)}; choose one of "
            f"{', '.join(ADJUSTMENTS)}"
        )
    chosen = ADJUSTMENTS.get("BH" if name == "fdr" else name)
    if chosen is None:
        spelled = {known.lower(): known for known in ADJUSTMENTS}
        near = get_close_matches(name.lower(), spelled, 1)
        meant = f" (did you mean {spelled[near[0]]!r}?)" if near else ""
        raise InputError(
            f"no adjustment is called {show(name)}{meant}; choose one of "
            f"{', '.join(ADJUSTMENTS)}"
        )
    return chosen


@checked
def adjust(
    p: ArrayLike | pd.Series | pd.DataFrame,
    method: str,
    *,
    monotone: bool = False,
    exact: bool = False,
) -> Any:
    """Return the adjusted p-values of a family of hypotheses.

    Parameters
    ----------
    p : array_like, Series or square DataFrame
        A vector of any m raw p-values, or the symmetric a x a table of all pairs
        (labelled frame or array; the diagonal is ignored). The methods that use the
        logic of all pairs (``nemenyi``, ``shaffer``, ``shaffer-dynamic``,
        ``bergmann-hommel``, ``hochberg-rom``) need the table.
    method : str
        ``none bonferroni sidak holm hochberg hommel holland finner rom li BH BY`` for
        any family, as in R's ``p.adjust`` if R has it (``fdr`` is ``BH``);
        ``nemenyi shaffer shaffer-dynamic bergmann-hommel hochberg-rom`` for all pairs
        of transitive hypotheses (see Notes). ``nemenyi`` is for two-sided normal
        p-values of mean ranks; ``hochberg-rom`` for up to 10 algorithms.
    monotone : bool, default False
        Only with ``bergmann-hommel``: also force the adjusted p-values to rise with
        the raw ones, as in Table 5 of García and Herrera and in scmamp.
    exact : bool, default False
        Only with ``bergmann-hommel``: search to the end, however long that takes. By
        default a search of over 20 algorithms ends after a fixed number of steps with
        upper bounds: at least the exact values, at most those of ``shaffer``.

    Returns
    -------
    Same kind and shape as ``p``
        Adjusted p-values; reject if they are at most alpha. The diagonal of a
        table is NaN.

    Raises
    ------
    InputError
        For p-values outside [0, 1] or NaN, a table that is not square and symmetric,
        an unknown method, a method that needs the table of all pairs, more algorithms
        than ``hochberg-rom`` can list sets of, or an option of another method.

    Notes
    -----
    Equations 4.1, 4.2, 4.3, 4.4, 4.5 of docs/equations.md.

    R: ``p.adjust``; ``multcomp::adjusted("Shaffer")`` is ``shaffer-dynamic``.
    Tied p-values keep tied adjusted p-values; the order of the input has no effect.

    An adjustment can be no better than its p-values: each must be valid whenever its
    own hypothesis is true, whatever holds of the other algorithms. This function does
    not know where they come from, and so cannot check the second condition either:
    ``shaffer``, ``shaffer-dynamic``, ``bergmann-hommel`` and ``hochberg-rom`` need
    transitive hypotheses (A = B and B = C imply A = C). Equal means, mean vectors, mean
    ranks, AUCs and accuracies are transitive. Equal probabilities of winning,
    differences symmetric about 0 (Wilcoxon), margins and one-sided hypotheses are not:
    choose ``holm``. ``hochberg-rom``, as ``hochberg`` and ``hommel``, uses Simes' test,
    which is valid under positive dependence.

    References
    ----------
    .. [1] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 3; see
       ``ADJUSTMENTS`` for each method's own.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> pc.adjust([0.01, 0.02, 0.04], "holm").round(3).tolist()
    [0.03, 0.04, 0.04]
    >>> table = [[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]]
    >>> pc.adjust(table, "bergmann-hommel")[np.triu_indices(3, 1)].round(3).tolist()
    [0.03, 0.03, 0.04]
    """
    chosen = adjustment(method)
    check_flags(exact=exact)
    options = monotone_option(chosen, monotone)
    if exact and chosen.name != "bergmann-hommel":
        raise InputError(
            f"exact=True applies to 'bergmann-hommel' only; {chosen.name!r} is exact "
            f"as it is: leave it out"
        )
    given = options | ({"exact": True} if exact else {})
    values = numbers(p, "p-values")
    if values.ndim == 2:
        return _like(p, _adjust_table(_checked_table(p, values), chosen, given))
    if values.ndim != 1:
        raise InputError(f"p-values of shape {values.shape}: give a vector or a table")
    if chosen.pairs_only:
        raise InputError(
            f"{method!r} uses the logic of all pairs: give the square table of "
            f"p-values of all pairs of algorithms, not a vector of {len(values)}"
        )
    return _like(p, chosen.function(_checked(values)))


def monotone_option(chosen: Adjustment, monotone: bool) -> dict[str, Literal[True]]:
    """Reject ``monotone`` if it has no meaning."""
    check_flags(monotone=monotone)
    if monotone and chosen.name != "bergmann-hommel":
        raise InputError(
            f"monotone=True applies to 'bergmann-hommel' only, not to "
            f"{chosen.name!r}; leave it out"
        )
    return {"monotone": True} if monotone else {}


def _adjust_table(
    p: Floats,
    chosen: Adjustment,
    options: Mapping[str, bool],
    positions: Floats | None = None,
) -> Floats:
    """Adjust a checked square table; the diagonal of the result is NaN."""
    rows, columns = np.triu_indices(len(p), 1)
    if chosen.pairs_only:
        filled = p.copy()
        np.fill_diagonal(filled, 1.0)
        adjusted = chosen.function(filled, positions, **options)
    else:
        adjusted = np.empty_like(p)
        adjusted[rows, columns] = chosen.function(p[rows, columns])
        adjusted[columns, rows] = adjusted[rows, columns]
    adjusted = np.array(adjusted, float)
    np.fill_diagonal(adjusted, np.nan)
    return adjusted


def adjust_all_pairs(
    p: Floats,
    n_algorithms: int,
    chosen: Adjustment,
    options: Mapping[str, bool] | None = None,
    positions: Floats | None = None,
) -> Floats:
    """Adjust the p-values of all pairs, in the order (1, 2), (1, 3), ..."""
    upper = np.triu_indices(n_algorithms, 1)
    square = np.ones((n_algorithms, n_algorithms))
    square[upper] = square.T[upper] = p
    return _adjust_table(square, chosen, options or {}, positions)[upper]


def adjust_family(
    p: Floats,
    n_algorithms: int,
    chosen: Adjustment,
    options: Mapping[str, bool] | None = None,
    positions: Floats | None = None,
) -> Floats:
    """Adjust one family of comparisons.

    A p-value that is NaN (its hypothesis cannot be tested) is set to 1 in its family,
    so that no other p-value becomes smaller by it, and stays NaN. This is the rule for
    families of any kind.

    All pairs in the order (1, 2), (1, 3), ..., or any other comparisons if ``chosen``
    is not for all pairs only.
    """
    if chosen.name == "none":
        return p
    if chosen.name == "holm" and len(p) and (p == p[0]).all():  # smallest p-values
        return np.broadcast_to(np.minimum(1.0, len(p) * p[0]), len(p))
    untested = np.isnan(p)
    filled = np.where(untested, 1.0, p) if untested.any() else p
    adjusted = (
        adjust_all_pairs(filled, n_algorithms, chosen, options, positions)
        if chosen.pairs_only
        else chosen.function(filled)
    )
    return np.where(untested, np.nan, adjusted) if untested.any() else adjusted


def family_adjustment(
    name: str, hypotheses: Hypotheses, control: str | None = None
) -> Adjustment:
    """Return an adjustment of a family's p-values; reject one for something else."""
    chosen = adjustment(name)
    reason = unfit(chosen, hypotheses, control)
    if reason is not None:
        raise InputError(setting("adjust", chosen.name) + f" {reason}")
    return chosen


def unfit(
    chosen: Adjustment, hypotheses: Hypotheses, control: str | None = None
) -> str | None:
    """Return why an adjustment does not hold for a family; None if it does.

    This is the only place that decides which adjustments a family of hypotheses has.
    """
    if chosen.name == "nemenyi" and hypotheses != MEAN_RANKS:
        instead = "'tukey' or 'holm'" if hypotheses == MEANS else "'holm'"
        return f"is for mean ranks, not for {hypotheses.name}: choose {instead}"
    if chosen.pairs_only and not hypotheses.transitive:
        return (
            f"needs hypotheses for which A = B and B = C imply A = C; these "
            f"({hypotheses.name}) are not transitive: {hypotheses.why_not}; choose "
            f"'holm'"
        )
    if chosen.pairs_only and control is not None:
        return (
            "is for all pairs; comparisons with a control have no logical relations: "
            "choose 'holm'"
        )
    return None


def _checked(p: Floats) -> Floats:
    """Return the p-values if all lie in [0, 1]; else name the first that fails."""
    bad = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if len(bad):
        raise InputError(
            f"{len(bad)} of {p.size} p-values {are(len(bad))} not in [0, 1], first: "
            f"number {bad[0] + 1} is {p.ravel()[bad[0]]}; correct them or leave "
            "them out"
        )
    return p


def _checked_table(p: Any, values: Floats) -> Floats:
    """Return a table of all pairs as a matrix if it is square and symmetric."""
    if is_frame(p) and list(p.index) != list(p.columns):
        raise InputError("rows and columns of the table must have the same labels")
    return checked_pairs(values)


def pairs_table(p: Any) -> Floats:
    """Return the p-values of all pairs as a checked matrix."""
    return _checked_table(p, numbers(p, "p-values"))


def _like(p: Any, adjusted: Floats) -> Any:
    """Give the adjusted p-values the labels that the raw ones had."""
    if not (is_frame(p) or is_series(p)):
        return adjusted
    import pandas as pd

    if is_frame(p):
        return pd.DataFrame(adjusted, p.index, p.columns)
    return pd.Series(adjusted, p.index, name=p.name)
