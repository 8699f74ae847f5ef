"""Equivalence and non-inferiority of modalities over readers and cases."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.methods.multireader.findings import Means, above
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.pairs.equivalence import MarginKind, interval_side, margins_of
from pycompare.methods.pairs.equivalence_pairs import MarginPairsResult, interval_text
from pycompare.results.result import internal, rejected

_REFERENCE = "Schuirmann (1987) J. Pharmacokin. Biopharm. 15, 657-680; {}"
_NO_ERROR = "no positive standard error"


@dataclass(frozen=True, kw_only=True, eq=False)
class MRMCMarginResult(MarginPairsResult):
    """Tests of mean figures against a margin; see ``MarginPairsResult``.

    Attributes
    ----------
    population : str
        Whom the conclusions concern.
    """

    population: str
    call: RCall | None = internal()
    compared: MRMCResult = internal()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All modalities, in the order of the data."""
        return self.compared.algorithms

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"margins/{self.compared.basis.replace('/', '-')}"

    @property
    def clustered(self) -> bool:
        """Whether cases are in clusters."""
        return self.compared.clustered

    @property
    def fixed(self) -> tuple[str, ...]:
        """Limits of conclusions: these readers, or these cases."""
        return self.compared.fixed

    @property
    def tests(self) -> str:
        """The name of the tests."""
        several = len(self.compared.tested()) > 1
        return f"{'largest-of-three ' * several}Obuchowski-Rockette t"

    def r_call(self) -> RCall | None:
        """Return the R call; None if R has not the analysis."""
        if self.call is None:
            return None
        adjust = self.adjust if self.adjusted_here else "none"
        return dataclasses.replace(
            self.call, arguments={**self.call.arguments, "adjust": adjust}
        )

    def r_values(self) -> dict[str, Any]:
        """Return estimates, p-values and the limits that are finite."""
        names = ["estimate", "std_error", "p_value"]
        names += ["p_adjusted"] if self.adjusted_here else []
        names += [] if np.isinf(self.margin_low) else ["conf_low"]
        names += [] if np.isinf(self.margin_high) else ["conf_high"]
        return {name: self.table[name].to_numpy(float) for name in names}


def margin_pairs(
    study: MRMCResult, *, margin: float, kind: MarginKind, alpha: float
) -> MRMCMarginResult:
    """Test the pairs of an analysis against a margin, adjusted by Holm.

    Arguments are those of `margin_tests`.
    """
    adjusted: MRMCMarginResult = margin_tests(
        study, margin=margin, kind=kind, alpha=alpha
    ).adjusted("holm")
    return adjusted


def margin_tests(
    study: MRMCResult,
    *,
    margin: float,
    kind: MarginKind,
    alpha: float,
    n_tables: int = 1,
) -> MRMCMarginResult:
    """Test the pairs of an analysis against a margin, without any adjustment.

    Parameters
    ----------
    study : MRMCResult
        Its pairs, errors and degrees of freedom are used, those of all three tests
        if pairs have the largest of three p-values; non-inferiority needs pairs with
        a control.
    margin : float
        Positive, in units of the figure.
    kind : {"equivalence", "non-inferiority"}
    alpha : float
        Of the whole family of one-sided tests. Intervals hold together (Bonferroni).
    n_tables : int
        Number of tables whose intervals hold together.

    Returns
    -------
    MRMCMarginResult
        The larger p-value of both one-sided tests.
    """
    check_alpha(alpha)
    low, high = margins_of(margin, kind, study.direction)
    tests = study.tested()
    decisive, statistic, p = _tested(tests, low, high)
    level = 1 - 2 * alpha / n_tables / len(p)
    limits = [test.limits(level) for test in tests]
    conf_low = np.fmin.reduce([ends[0] for ends in limits])
    conf_high = np.fmax.reduce([ends[1] for ends in limits])
    names = study.table[["algorithm_1", "algorithm_2"]]
    return MRMCMarginResult(
        table=names.assign(
            estimate=tests[0].estimate,
            std_error=decisive.std_error,
            statistic=statistic,
            df=decisive.df,
            p_value=p,
            p_adjusted=p,
            conf_low=-np.inf if np.isinf(low) else conf_low,
            conf_high=np.inf if np.isinf(high) else conf_high,
            shown=rejected(p, alpha),
            notes=np.where(np.isnan(p), _NO_ERROR, ""),
        ),
        kind=kind,
        metric=study.figure,
        better=study.direction,
        margin_low=low,
        margin_high=high,
        alpha=alpha,
        hypotheses=MARGIN,
        adjust="none",
        family=study.family,
        interval=interval_text(interval_side(low, high), alpha, n_tables),
        limits_alpha=alpha / n_tables,
        control=study.control,
        population=study.population,
        reference=_REFERENCE.format(study.reference),
        call=_call(study, margin, kind, level),
        compared=study,
    )


def _tested(
    tests: tuple[Means, ...], low: float, high: float
) -> tuple[Means, Floats, Floats]:
    """Return the test with the largest p-value, its statistic, and that p-value."""
    turned = [Means(-test.estimate, test.std_error, test.df) for test in tests]
    (over, p_above), (under, p_below) = above(tests, low), above(turned, -high)
    first = p_above >= p_below
    error, df = (
        np.where(first, getattr(over, name), getattr(under, name))
        for name in ("std_error", "df")
    )
    statistic = np.where(first, over.statistic, -under.statistic)
    p = np.where(first, p_above, p_below)
    return Means(tests[0].estimate, error, df), statistic, p


def _call(
    study: MRMCResult, margin: float, kind: MarginKind, level: float
) -> RCall | None:
    """Return the call of R's analysis with the margin."""
    if study.call is None:
        return None
    arguments = {**study.call.arguments, "margin": margin, "kind": kind, "level": level}
    del arguments["descriptive_level"]
    return dataclasses.replace(
        study.call, function="mrmc_margin_reference", arguments=arguments
    )
