"""Methods of a plan that flip or permute independent blocks."""

from __future__ import annotations

from pycompare.data.scores import Scores
from pycompare.designs.plans.plan import Plan
from pycompare.methods.pairs.block_differences import On
from pycompare.methods.pairs.closed_permutation import closed_permutation
from pycompare.methods.pairs.max_t import max_t
from pycompare.results.result import PairsResult


def by_flips(scores: Scores, plan: Plan, metric: str, name: str, on: On) -> PairsResult:
    """Compare pairs by ``max-t`` or ``closed-permutation``."""
    seed = plan.seed or 0
    decimals = plan.decimals if on == "ranks" else None
    if name == "max-t":
        return max_t(
            scores,
            metric=metric,
            on=on,
            control=plan.control,
            weights=plan.weights if scores.groups is not None else None,
            seed=seed,
            decimals=decimals,
            level=plan.pair_level,
        )
    return closed_permutation(
        scores,
        metric=metric,
        on=on,
        control=plan.control,
        seed=seed,
        decimals=decimals,
    )
