"""The kinds of results that figures declare in their signatures.

A figure that rejects a result itself knows best which data it needs, and its message
stands. Any other error that a value of another kind leads to is answered by the name of
the parameter and the kind that is needed. Kinds are compared by name, so that no figure
imports the methods whose results it draws.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pycompare.base.errors import InputError, PyCompareError, setting
from pycompare.base.labels import show

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAVES = {
    "Mapping[str, ByDataset]": "PairsResult",
    "Mapping[str, Sequence[Estimate]]": "Estimate",
}
"""Kinds of the parts of a dict."""
KINDS: Mapping[str, str] = {
    "Agreement": "the agreement of predictions and scores, as pc.agreement returns",
    "AnovaResult": "an analysis of variance, as pc.anova returns",
    "ChallengeResult": "a challenge, as pc.challenge returns",
    "ComponentsResult": "variance components, as pc.variance_components returns",
    "Contrasts": "contrasts of marginal means, as .contrasts() of these returns",
    "CurveDominance": "a comparison of two curves, as pc.curve_dominance returns",
    "ItemTable": "a table of items, as pc.item_table returns",
    "LinearModel": "a linear model, as pc.linear_model returns",
    "MRMCResult": "a reader study, as pc.mrmc returns",
    "ManovaResult": "a multivariate analysis, as pc.manova returns",
    "Mapping[str, ByDataset]": "a dict by metric, of dicts by data set, of pairwise "
    "comparisons",
    "Mapping[str, Sequence[Estimate]]": "a dict by name, of lists of intervals, as "
    "pc.auc_interval returns them",
    "MarginalMeans": "marginal means, as .emmeans() of pc.linear_model returns",
    "MeanDifferences": "differences of means, as pc.tukey returns",
    "NetBenefitResult": "net benefits, as pc.net_benefit returns",
    "Pairs": "pairwise comparisons, as pc.rank_pairs returns",
    "PairsResult": "pairwise comparisons, as pc.rank_pairs returns",
    "PlannedPower": "the power of a plan, as pc.planned_power returns",
    "PosteriorPairs": "posterior probabilities, as pc.bayesian_signed_rank returns",
    "PowerResult": "a power analysis, as pc.power returns",
    "Predictions": "predictions of cases, as pc.read_predictions returns",
    "RankSets": "sets of ranks, as pc.rank_sets returns",
    "Ratings": "ratings of readers, as pc.read_ratings returns",
    "RunAggregates": "aggregates over tasks and runs, as pc.run_aggregates returns",
    "RunPairs": "pairs of agents, as pc.run_pairs returns",
    "RunProfiles": "performance profiles of agents, as pc.run_profiles returns",
    "Scores": "a table of scores, as pc.read_scores returns",
    "Sequence[CurveDominance]": "a list of these",
    "SimulationResult": "a simulation, as pc.simulate returns",
    "SuperiorityResult": "win probabilities, as pc.superiority returns",
    "ThresholdWinsResult": "wins over thresholds, as pc.threshold_wins returns",
    "str": "a name, as text",
}
"""Kinds of results that figures are drawn of, in words."""


def drawn_kinds(draw: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of each positional parameter of a figure, by name."""
    return {
        name: tuple(str(parameter.annotation).split(" | "))
        for name, parameter in inspect.signature(draw).parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    }


@contextmanager
def of_kinds(
    draw: Callable[..., Any],
    kinds: Mapping[str, Sequence[str]],
    args: Sequence[Any],
    options: Mapping[str, Any],
) -> Iterator[None]:
    """Answer errors that follow from a value of another kind, while a figure is drawn.

    Raises
    ------
    InputError
        It names the parameter, the value that arrived and the kind that it needs.
    """
    try:
        yield
    except (PyCompareError, OSError):
        raise
    except Exception as error:
        try:
            given = inspect.signature(draw).bind(*args, **options).arguments
        except TypeError:
            raise error from None  # Python says which argument is missing
        for name, needed in kinds.items():
            if name in given and not _is_of(given[name], needed):
                raise InputError(
                    setting(name) + f": {_arrived(given[name])} arrived; give "
                    f"{' or '.join(KINDS.get(kind, kind) for kind in needed)}"
                ) from error
        raise


def _is_of(value: Any, kinds: Sequence[str]) -> bool:
    """Return whether a value is of one of the kinds."""
    if kinds[0] in _LEAVES:
        return isinstance(value, Mapping) and all(
            _is_of(leaf, [_LEAVES[kinds[0]]]) for leaf in _leaves(value)
        )
    return any(cls.__name__ in kinds for cls in type(value).__mro__)


def _leaves(value: Any) -> Iterator[Any]:
    """Yield the parts of lists and dicts, at any depth."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        yield value
        return
    for entry in value:
        yield from _leaves(entry)


def _arrived(value: Any) -> str:
    """Return a value in words: short ones themselves, others by their kind."""
    if value is None or isinstance(value, str | int | float | list | dict):
        return show(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
