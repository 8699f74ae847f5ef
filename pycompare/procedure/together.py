"""All metrics at once, over folds of one data set: MANOVA and what follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.errors import DesignError
from pycompare.linear.manova import ManovaResult, manova
from pycompare.procedure.analysis import Titled
from pycompare.procedure.plan import Plan
from pycompare.results import plain


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """What several metrics say together.

    Attributes
    ----------
    metrics : tuple of str
    manova : ManovaResult or None
        None where the folds are too few for so many metrics, or a metric has no error.
    refusals : tuple of str
        Why something could not be computed.
    """

    metrics: tuple[str, ...]
    manova: ManovaResult | None
    refusals: tuple[str, ...]

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        if self.manova is None:
            return ()
        return (
            ("Metrics together: multivariate analysis of variance", self.manova),
            ("Metrics together: dimensionality", self.manova.dimensionality),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        found: dict[str, Any] = {
            "metrics": list(self.metrics),
            "refusals": list(self.refusals),
            "manova": None,
        }
        if self.manova is not None:
            found["manova"] = self.manova.to_dict()
            found["means"] = plain(self.manova.means.to_dict())
            found["univariate"] = plain(self.manova.univariate)
            found["canonical_variates"] = plain(self.manova.canonical.to_frame())
        return found


def together(scores: Scores, plan: Plan, metrics: tuple[str, ...]) -> Together | None:
    """Return the multivariate analysis; None for one metric, or data sets as blocks."""
    if plan.blocks != "folds" or len(metrics) < 2:
        return None
    found, refusals = None, []
    try:
        found = manova(scores, metrics=metrics, alpha=plan.alpha)
    except DesignError as error:
        # Each metric by itself has its answer; why there is none for all is reported.
        refusals.append(f"Multivariate analysis of variance: {error}")
    return Together(metrics=metrics, manova=found, refusals=tuple(refusals))
