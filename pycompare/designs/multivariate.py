"""All metrics at once, over folds or data-set means: MANOVA and what follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.design import Design
from pycompare.designs.metric_orders import (
    NOT_LISTED,
    MetricOrders,
    decided_pairs,
    listable,
    metric_orders,
)
from pycompare.designs.planned_pairs import after_gate
from pycompare.designs.plans.plan import Plan
from pycompare.methods.linear.hotelling_pairs import (
    HotellingPairsResult,
    hotelling_pairs,
)
from pycompare.methods.linear.manova import ManovaResult, manova
from pycompare.methods.linear.multivariate_checks import (
    MultivariateChecks,
    multivariate_checks,
)
from pycompare.methods.linear.permutation_manova import (
    PermutationManovaResult,
    permutation_manova,
)
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.results.result import Fields, NumberSource, plain, rows_of

R = TypeVar("R")


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """Results of several metrics together.

    Attributes
    ----------
    metrics : tuple of str
    design : Design
        Kind of blocks: folds of one data set, or data sets, whose mean vectors are
        compared.
    manova : ManovaResult or None
        None if the folds are too few for so many metrics, or a metric has no error.
    pairs : HotellingPairsResult or None
        Paired T2 tests; None for two algorithms, whose one pair is ``manova``'s, and
        if no pair can be tested.
    permutation : PermutationManovaResult or None
        Wilks' Lambda by permutations within folds: sensitivity analysis.
    checks : MultivariateChecks or None
        Of the residuals; they choose nothing.
    cliques : tuple of tuple of str, optional
        Groups of mean vectors without a significant difference. None if they are more
        than 1,000.
    orders : MetricOrders or None
        Algorithms in the order of each metric, with the groups of its own verdict and
        of the T2 tests; None for two algorithms, or against a control.
    refusals : tuple of str
        Why something could not be computed.
    """

    metrics: tuple[str, ...]
    design: Design
    manova: ManovaResult | None
    pairs: HotellingPairsResult | None
    permutation: PermutationManovaResult | None
    checks: MultivariateChecks | None
    cliques: tuple[tuple[str, ...], ...] | None
    orders: MetricOrders | None
    refusals: tuple[str, ...]

    @property
    def blocks(self) -> str:
        """Kind of blocks called: ``folds`` or ``data sets``."""
        return f"{self.design.unit}s"

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
        if self.permutation is not None:
            name = f"Metrics together: {self.permutation.name}"
            rows.append((name, self.permutation))
        if self.checks is not None:
            rows.append(("Metrics together: checks of residuals", self.checks))
        return tuple(rows)

    def not_in_r(self) -> tuple[str, ...]:
        """Return the adjustments that R cannot repeat for so many algorithms."""
        if self.pairs is None or self.pairs.repeatable:
            return ()
        return (self.pairs.adjust,)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        fields: dict[str, Any] = {
            "metrics": list(self.metrics),
            "blocks": self.blocks,
            "refusals": list(self.refusals),
            "manova": None,
            "pairs": plain(self.pairs),
            "permutation": plain(self.permutation),
            "checks": plain(self.checks),
            "cliques": plain(self.cliques),
            "orderings": self.orders
            and rows_of(
                plain(self.orders.as_columns()),
                (),
                lambda _, row: mean_source(self.manova, row),
            ),
        }
        if self.manova is not None:
            fields["manova"] = plain(self.manova)
            fields |= _beside(self.manova)
        return fields


def mean_source(
    manova: ManovaResult | None, row: Mapping[str, Any]
) -> dict[str, NumberSource]:
    """Return whose mean an ordering of a metric repeats."""
    if manova is None or row["metric"] not in manova.kept:
        return {}
    names = list(manova.responses.algorithms)
    block = len(names) * manova.kept.index(row["metric"])
    at = block + names.index(row["algorithm"]) + 1
    return {"mean": NumberSource(manova, "means", at=at)}


def _beside(manova: ManovaResult) -> dict[str, Any]:
    """Return what follows a multivariate test, with whose numbers it holds."""
    a, kept = len(manova.means), list(manova.kept)
    own = {name: place for place, name in enumerate(kept)}
    place_of = {name: k for k, name in enumerate(manova.canonical.eigenvalues.index, 1)}

    def of_univariate(_: int, row: Mapping[str, Any]) -> dict[str, NumberSource]:
        if row["metric"] not in own:
            return {}
        return {
            column: NumberSource(manova, name, at=own[row["metric"]] + 1)
            for column, name in _UNIVARIATE.items()
        }

    def of_variate(_: int, row: Mapping[str, Any]) -> dict[str, NumberSource]:
        at = place_of[row["variate"]]
        sources = {
            "eigenvalue": NumberSource(manova, "eigenvalues", at=at),
            "share": NumberSource(manova, "canonical_share", at=at),
        }
        element = len(kept) * (at - 1) + own.get(row["metric"], -1)
        if row["metric"] in own and not np.isnan(coefficients[element]):
            names = ("raw", "standardised", "structure")
            sources |= {
                name: NumberSource(manova, f"canonical_{name}", at=element + 1)
                for name in names
            }
        return sources

    coefficients = manova.r_values()["canonical_raw"]  # NaN: of equal eigenvalues
    means = {
        f"{metric}/{name}": NumberSource(manova, "means", at=a * own[metric] + j)
        for metric in kept
        for j, name in enumerate(manova.means.index, start=1)
    }
    variates = plain(manova.canonical.as_columns())
    return {
        "means": Fields(plain(manova.means.to_dict()), means),
        "univariate": rows_of(plain(manova.univariate), (), of_univariate),
        "canonical_variates": rows_of(variates, (), of_variate),
    }


_UNIVARIATE = {
    "statistic": "univariate_f", "df1": "univariate_df1", "df2": "univariate_df2",
    "p_value": "univariate_p_value", "p_adjusted": "univariate_p_adjusted",
    "partial_eta2": "univariate_partial_eta2",
}  # fmt: skip


def together(
    scores: Scores, plan: Plan, metrics: tuple[str, ...], analyses: Iterable[Analysis]
) -> Together | None:
    """Return the multivariate analysis, if the plan and the metrics have one.

    ``analyses`` are those of each metric separately, whose verdicts the orderings show.
    """
    wanted = plan.design.of_folds and plan.together != "no"
    if not wanted or len(metrics) < 2:
        return None
    refusals: dict[str, list[str]] = {}

    def attempt(title: str, make: Callable[[], R]) -> R | None:
        # Each metric by itself has its answer; why there is none for all is reported.
        try:
            return make()
        except DesignError as error:
            refusals.setdefault(str(error), []).append(title)
            return None

    test = attempt(
        "Multivariate analysis of variance",
        lambda: manova(scores, metrics=metrics, alpha=plan.alpha),
    )
    pairs = attempt(
        "T2 of pairs", lambda: _waiting(vector_pairs(scores, plan, metrics), test, plan)
    )
    decided = decided_pairs(analyses)
    return Together(
        metrics=metrics,
        design=plan.design,
        manova=test,
        pairs=pairs,
        permutation=attempt(
            "Permutation test",
            lambda: permutation_manova(scores, metrics=metrics, seed=plan.seed),
        ),
        checks=attempt(
            "Checks of residuals",
            lambda: multivariate_checks(scores, metrics=metrics),
        ),
        cliques=listed_cliques(pairs, alpha=plan.alpha)
        if pairs is not None and plan.control is None
        else (),
        orders=metric_orders(scores, decided, pairs, plan.alpha),
        refusals=(
            *(f"{', '.join(t)}: {why}" for why, t in refusals.items()),
            *[NOT_LISTED] * (not listable(decided, pairs, plan.alpha)),
        ),
    )


def _waiting(
    pairs: HotellingPairsResult | None, test: ManovaResult | None, plan: Plan
) -> HotellingPairsResult | None:
    """Let pairs wait for the test of all mean vectors, if the plan states this."""
    if pairs is None or plan.gate == "none":
        return pairs
    if test is None:
        raise DesignError(
            "the plan requires a significant omnibus test first ("
            + setting("gate", "omnibus")
            + "), but these metrics have no multivariate omnibus test; choose "
            + setting("gate", "none")
        )
    return after_gate(pairs, test, plan)


def vector_pairs(
    scores: Scores, plan: Plan, metrics: tuple[str, ...]
) -> HotellingPairsResult | None:
    """Return paired T2 tests; None for two algorithms."""
    if scores.n_algorithms == 2:
        return None
    return hotelling_pairs(
        scores,
        metrics=metrics,
        adjust=plan.t_method(scores.n_algorithms),
        control=plan.control,
        level=1 - plan.alpha,
    )
