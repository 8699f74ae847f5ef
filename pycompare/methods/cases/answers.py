"""The answers behind the scores of cases, and whether they are right or wrong."""

from __future__ import annotations

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks
from pycompare.data.scores import Scores
from pycompare.kernels.new_answers import right_or_wrong


def answers_of(scores: Scores, blocks: Blocks) -> Floats:
    """Return the answers of one metric as they came, cases x algorithms x runs.

    NaN if a case has fewer answers than others.
    """
    if scores.runs is None:
        return np.asarray((blocks.metric.sign * blocks.values)[:, :, None]) + 0.0
    [at] = [i for i, m in enumerate(scores.metrics) if m.name == blocks.metric.name]
    return np.asarray(scores.runs[:, :, at])


def right_answers_of(
    scores: Scores, blocks: Blocks, *, method: str, what: str
) -> Floats:
    """Return right and wrong answers; reject scores other than 0 and 1.

    ``what`` is of right and wrong answers in ``method``.
    """
    answers = answers_of(scores, blocks)
    if not right_or_wrong(answers):
        raise InputError(
            f"{method}: {show(blocks.metric.name)} has scores other than 0 and 1; "
            f"{what} right and wrong answers"
        )
    return answers


_FEW = 5
"""Right or wrong answers, of which Wilson's limits can cover less than their level."""


def wilson_notes(ones: Floats, n: int) -> tuple[str, ...]:
    """Return that Wilson's limits of shares of n cases can cover too little.

    Enumerated for 15 to 10,000 cases at level 0.95: coverage is 0.91 at least if more
    than four right and wrong answers are expected, and 0.93 of 200 cases or more.
    """
    fewer = np.minimum(ones, n - ones)
    if not (fewer <= _FEW).any():
        return ()
    return (
        f"with {_FEW} right or wrong answers or fewer Wilson's limits can cover less "
        "than their level: 0.84 at 0.95 if 0.2 of these answers are expected, 0.92 if "
        "one is",
    )


def n_answers(answers: Floats) -> float:
    """Return the answers to each case.

    If their numbers differ it is the harmonic mean: cases of equal weight whose answers
    vary alike have that mean variance.
    """
    given = ~np.isnan(answers)
    if given.all():
        return int(answers.shape[-1])
    return float(1 / np.mean(1 / given.sum(axis=-1)))
