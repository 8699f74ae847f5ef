"""Missing answers of a gate: as bad as can be for a pass, and as good for a fail."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.typing import Floats
from pycompare.data.missing import BOUNDS
from pycompare.data.runs import over_runs
from pycompare.data.scores import Scores
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.cases.loss_tests import LossTest

Claim = Literal["not worse", "worse"]


def has_gaps(scores: Scores) -> bool:
    """Return whether a gate bounds missing answers of these scores."""
    held = scores.values if scores.runs is None else scores.runs
    return scores.missing == BOUNDS and bool(np.isnan(held).any())


def limits_of_gaps(
    scores: Scores, limits: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the lowest and the highest score of missing answers of one metric."""
    if limits is not None:
        return limits
    if right_or_wrong(scores.values if scores.runs is None else scores.runs):
        return 0.0, 1.0
    raise InputError(
        setting("missing", BOUNDS)
        + " needs the lowest and the highest possible score: give "
        + setting("range", ...)
    )


def filled(scores: Scores, limits: tuple[float, float], claim: Claim) -> Scores:
    """Return the answers with which a claim about the candidate is hardest to make.

    Parameters
    ----------
    scores : Scores
        Of one metric; the baseline first, then the candidate.
    claim : {"not worse", "worse"}
        For the first a missing answer of the candidate has the worst score, and one of
        the baseline the best; for the second the reverse.
    """
    if not has_gaps(scores):
        return scores
    worst, best = limits if scores.metrics[0].better == "higher" else limits[::-1]
    pair = [best, worst] if claim == "not worse" else [worst, best]
    instead = np.array(pair)[:, None]

    def whole(x: Floats) -> Floats:
        shape = instead.reshape(instead.shape + (1,) * (x.ndim - 3))
        return np.asarray(np.where(np.isnan(x), shape, x))

    if scores.runs is None:
        return dataclasses.replace(scores, values=whole(scores.values), missing="error")
    runs = whole(scores.runs)
    return dataclasses.replace(
        scores, values=over_runs(runs), runs=runs, missing="error"
    )


def of_both(not_worse: LossTest, worse: LossTest) -> LossTest:
    """Return one test of a pair from those of both claims.

    Each claim has its p-value and its limit; means and their difference are midway.
    """
    names = ("baseline_mean", "candidate_mean", "difference")
    middle = {
        name: (getattr(not_worse, name) + getattr(worse, name)) / 2 for name in names
    }

    def limits_at(low: float, high: float) -> tuple[float, float]:
        start, _ = not_worse.limits_at(low, high)
        _, end = worse.limits_at(low, high)
        return start, end

    return dataclasses.replace(
        not_worse, p_worse=worse.p_worse, limits_at=limits_at, **middle
    )
