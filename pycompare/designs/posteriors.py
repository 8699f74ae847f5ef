"""Posterior probabilities of a plan, beside its tests or in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.draft import Draft
from pycompare.designs.planned_posterior import PlannedPosterior, PracticalDecision
from pycompare.designs.plans.plan import Plan
from pycompare.methods.posteriors.common import PosteriorPairs, PracticalAnswer

_TITLES = {
    "signed-rank": "Bayesian signed rank test",
    "sign": "Bayesian sign test",
    "correlated-t": "Bayesian correlated t test",
    "hierarchical": "Hierarchical Bayesian correlated t test",
    "bradley-terry": "Bayesian Bradley-Terry model",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorAnalysis(Analysis):
    """Posterior probabilities of one metric in place of tests; see ``Analysis``."""

    kind = "posterior"
    has_ranks = False

    def results(self) -> tuple[Titled, ...]:
        """Return nothing: ``beside`` has the posterior probabilities."""
        return ()


def draft_posterior(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return an analysis without tests; no family decides anything."""
    analysis = PosteriorAnalysis(metric=scores.metric(metric), decisions=())
    return Draft({}, lambda _: analysis)


def planned_posterior(
    scores: Scores, blocks: Scores, plan: Plan, metric: str
) -> PlannedPosterior | None:
    """Return posterior probabilities of one metric as planned; None if none are.

    Parameters
    ----------
    scores, blocks : Scores
        All scores, and those of independent blocks: means of data sets, if these have
        folds.
    """
    if plan.bayes is None:
        return None
    pairs = _pairs(scores, blocks, plan, metric)
    answers: list[PracticalAnswer] = []
    if plan.decide_at is not None:
        answers = pairs.decisions(at=plan.decide_at)
    elif plan.rope_loss is not None:
        answers = pairs.least_loss(plan.rope_loss)
    labels = pairs.row_labels() if answers else []
    decided = tuple(
        PracticalDecision(algorithm_1=first, algorithm_2=second, answer=answer)
        for (first, second), answer in zip(labels, answers, strict=True)
    )
    return PlannedPosterior(title=_TITLES[plan.bayes], pairs=pairs, decisions=decided)


def _pairs(scores: Scores, blocks: Scores, plan: Plan, metric: str) -> PosteriorPairs:
    """Return the posterior probabilities of one metric."""
    options: dict[str, Any] = {
        "rope": plan.rope_of(metric),
        "metric": metric,
        "control": plan.control,
        "level": plan.confidence,
    }
    if plan.bayes == "correlated-t":
        from pycompare.methods.posteriors.correlated_t import bayesian_correlated_t

        sizes: Any = plan.correction(blocks.n_blocks)
        return bayesian_correlated_t(blocks, **options, **sizes)
    if plan.posterior_draws:
        options["seed"] = plan.seed
        options |= {} if plan.draws is None else {"draws": plan.draws}
    if plan.bayes == "hierarchical":
        from pycompare.methods.posteriors.hierarchical import bayesian_hierarchical

        return bayesian_hierarchical(scores, **options, **_sizes(scores, plan))
    options["scale"] = plan.scale or "difference"
    if plan.bayes == "bradley-terry":
        from pycompare.methods.posteriors.bradley_terry import bayesian_bradley_terry

        return bayesian_bradley_terry(blocks, **options)
    options |= {} if plan.prior is None else {"prior": plan.prior}
    if plan.bayes == "sign":
        from pycompare.methods.posteriors.signs import bayesian_sign

        return bayesian_sign(blocks, **options)
    from pycompare.methods.posteriors.signs import bayesian_signed_rank

    return bayesian_signed_rank(blocks, **options)


def _sizes(scores: Scores, plan: Plan) -> dict[str, Any]:
    """Return the sizes of training and test sets of each data set."""
    by_dataset = {name: plan.sizes(name) or {} for name in scores.datasets or ()}
    return {
        key: {name: sizes[key] for name, sizes in by_dataset.items()}
        for key in ("n_train", "n_test")
    }
