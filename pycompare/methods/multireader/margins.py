"""Equivalence and non-inferiority of modalities over readers and cases."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.methods.multireader.findings import Means, above
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.pairs.agreeing_margins import AgreeingMargins, decided_side
from pycompare.methods.pairs.equivalence import MarginKind, margins_of
from pycompare.results.result import internal, rejected

_REFERENCE = "Schuirmann (1987) J. Pharmacokin. Biopharm. 15, 657-680; {}"
_NO_ERROR = "no positive standard error"


@dataclass(frozen=True, kw_only=True, eq=False)
class MRMCMarginResult(AgreeingMargins):
    """Tests of mean figures against a margin; see ``MarginPairsResult``.

    The table has ``p_lower`` and ``p_upper`` besides: the p-values that the difference
    is above ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval by itself: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
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

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the hull of the limits of all tests at level ``last``."""
        limits = [test.limits(1 - 2 * last) for test in self.compared.tested()]
        return (
            np.fmin.reduce([ends[0] for ends in limits]),
            np.fmax.reduce([ends[1] for ends in limits]),
        )

    def r_call(self) -> RCall | None:
        """Return the R call; None if R has not the analysis."""
        if self.call is None:
            return None
        options = {
            n: x for n, x in self.r_arguments().items() if not n.startswith("margin")
        }
        # R names the control by its place.
        options["control"] = self.call.arguments["control"]
        return dataclasses.replace(
            self.call, arguments={**self.call.arguments, **options}
        )


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
    study: MRMCResult, *, margin: float, kind: MarginKind, alpha: float
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
        Of the whole family of one-sided tests.

    Returns
    -------
    MRMCMarginResult
        The larger p-value of both one-sided tests.
    """
    check_alpha(alpha)
    low, high = margins_of(margin, kind, study.direction)
    tests = study.tested()
    decisive, columns = _tested(tests, low, high)
    p, nothing = columns["p_value"], np.full(len(columns["p_value"]), np.nan)
    names = study.as_columns().only(("algorithm_1", "algorithm_2"))
    return MRMCMarginResult(
        table=names.but(
            estimate=tests[0].estimate,
            std_error=decisive.std_error,
            statistic=columns["statistic"],
            df=decisive.df,
            p_lower=columns["p_lower"],
            p_upper=columns["p_upper"],
            p_value=p,
            p_adjusted=p,
            conf_low=nothing,
            conf_high=nothing,
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
        interval="",
        control=study.control,
        population=study.population,
        reference=_REFERENCE.format(study.reference),
        level=np.nan,
        notes=(),
        call=_call(study, margin, kind),
        compared=study,
    )


def _tested(
    tests: tuple[Means, ...], low: float, high: float
) -> tuple[Means, dict[str, Floats]]:
    """Return the test with the largest p-value, and the columns of both sides."""
    turned = [Means(-test.estimate, test.std_error, test.df) for test in tests]
    over, p_above = above(tests, low)
    under, p_below = above(turned, -high)
    none = np.full_like(p_above, np.nan)
    columns = decided_side(
        (over.statistic, none if np.isinf(low) else p_above),
        (-under.statistic, none if np.isinf(high) else p_below),
    )
    first = columns["p_value"] == columns["p_lower"]
    error, df = (
        np.where(first, getattr(over, name), getattr(under, name))
        for name in ("std_error", "df")
    )
    return Means(tests[0].estimate, error, df), columns


def _call(study: MRMCResult, margin: float, kind: MarginKind) -> RCall | None:
    """Return the call of R's analysis with the margin."""
    if study.call is None:
        return None
    arguments = {**study.call.arguments, "margin": margin, "kind": kind}
    for name in ("descriptive_level", "alpha", "adjust", "pair_level"):
        arguments.pop(name, None)
    files = ("matched_shares", "signed_rank_pairs", *study.call.files)
    return dataclasses.replace(
        study.call,
        files=tuple(dict.fromkeys(files)),
        function="mrmc_margin_reference",
        arguments=arguments,
    )
