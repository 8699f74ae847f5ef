"""All metrics at once, over folds of one data set: MANOVA and what follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.errors import DesignError
from pycompare.linear.hotelling_pairs import HotellingPairsResult, hotelling_pairs
from pycompare.linear.manova import ManovaResult, manova
from pycompare.procedure.analysis import Titled
from pycompare.procedure.cliques import cliques
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
    pairs : HotellingPairsResult or None
        Paired T2 tests; None for two algorithms, whose one pair is ``manova``'s, and
        where no pair can be tested.
    cliques : tuple of tuple of str
        Groups of mean vectors without a significant difference.
    refusals : tuple of str
        Why something could not be computed.
    """

    metrics: tuple[str, ...]
    manova: ManovaResult | None
    pairs: HotellingPairsResult | None
    cliques: tuple[tuple[str, ...], ...]
    refusals: tuple[str, ...]

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        rows: list[Titled] = []
        if self.manova is not None:
            name = "Metrics together: multivariate analysis of variance"
            rows.append((name, self.manova))
            rows.append(
                ("Metrics together: dimensionality", self.manova.dimensionality)
            )
        if self.pairs is not None:
            rows.append((f"Metrics together: {self.pairs.method}", self.pairs))
        return tuple(rows)

    def not_in_r(self) -> tuple[str, ...]:
        """Return the adjustments that R cannot repeat for so many algorithms."""
        if self.pairs is None or self.pairs.repeatable:
            return ()
        return (self.pairs.adjust,)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        found: dict[str, Any] = {
            "metrics": list(self.metrics),
            "refusals": list(self.refusals),
            "manova": None,
            "pairs": self.pairs and self.pairs.to_dict(),
            "cliques": plain(self.cliques),
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
    refusals: list[str] = []
    test = pairs = None
    # Each metric by itself has its answer; why there is none for all is reported.
    try:
        test = manova(scores, metrics=metrics, alpha=plan.alpha)
    except DesignError as error:
        refusals.append(f"Multivariate analysis of variance: {error}")
    try:
        pairs = vector_pairs(scores, plan, metrics)
    except DesignError as error:
        refusals.append(f"T2 of pairs: {error}")
    grouped = pairs is not None and plan.control is None
    return Together(
        metrics=metrics,
        manova=test,
        pairs=pairs,
        cliques=cliques(pairs, alpha=plan.alpha) if pairs and grouped else (),
        refusals=tuple(refusals),
    )


def vector_pairs(
    scores: Scores, plan: Plan, metrics: tuple[str, ...]
) -> HotellingPairsResult | None:
    """Return paired T2 tests; None for two algorithms."""
    if scores.n_algorithms == 2:
        return None
    return hotelling_pairs(
        scores,
        metrics=metrics,
        adjust=plan.t_adjust,
        control=plan.control,
        level=plan.confidence,
    )
