"""Scores on one scale: two declared reference scores of each block become 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pycompare.base.arguments import is_finite, require
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats, Sizes
from pycompare.data.runs import mean_of_runs
from pycompare.data.scores import Scores


@checked
def normalised_scores(
    scores: Scores,
    *,
    low: Sizes,
    high: Sizes,
    metric: str | None = None,
    name: str | None = None,
) -> Scores:
    """Return scores of one metric with a reference score of each block as 0 and 1.

    Parameters
    ----------
    scores : Scores
        Blocks are tasks; with runs, each run is normalised.
    low, high : float, or mapping of str to float
        The scores that become 0 and 1, such as those of a random agent and of a person:
        one number for all blocks, or one for each block. They have no default. ``high``
        is the better one on every block.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    name : str, optional
        Name of the new metric; default ``normalised METRIC``.

    Returns
    -------
    Scores
        Of one metric, (score - low) / (high - low); higher is better. ``notes`` states
        the references.

    Raises
    ------
    InputError
        If a block has no reference, a reference belongs to no block or is no number,
        or ``high`` is not better than ``low``.

    Notes
    -----
    R: ``(x - low) / (high - low)``, block by block.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"agent": agent, "game": game, "run": run, "score": score}
    ...     for agent, of_games in {
    ...         "A": {"Pong": (14.0, 2.0), "Boxing": (6.0, 12.0)},
    ...         "B": {"Pong": (-20.7, -3.0), "Boxing": (0.1, 3.0)},
    ...     }.items()
    ...     for game, own in of_games.items()
    ...     for run, score in enumerate(own)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="agent", block="game", replicate="run",
    ...     metrics={"score": "higher"},
    ... )
    >>> normalised = pc.normalised_scores(
    ...     scores,
    ...     low={"Pong": -20.7, "Boxing": 0.1},
    ...     high={"Pong": 14.6, "Boxing": 12.1},
    ... )
    >>> normalised
    <Scores: 2 blocks x 2 algorithms x 2 runs, normalised score (higher is better)>
    >>> normalised.runs[0, 0, 0].round(3).tolist()
    [0.983, 0.643]
    """
    require(scores, Scores)
    if scores.judge is not None:
        raise InputError(
            "scores beside a judge's are not normalised: read the table without "
            + setting("judge", ...)
        )
    own = scores.only(metric)
    [old] = own.metrics
    for what, given in (("low", low), ("high", high)):
        _require_references(what, given, scores.blocks)
    zeros, ones = of_blocks(low, scores.blocks), of_blocks(high, scores.blocks)
    _require_better(zeros, ones, old, scores.blocks)
    new = Metric(f"normalised {old.name}" if name is None else name, "higher")
    note = (
        f"{new.name}: ({old.name} - low) / (high - low) with low {_told(low)} and high "
        f"{_told(high)}"
    )
    parts: dict[str, Any] = {"values": _scaled(own.values, zeros, ones)}
    if own.runs is not None:
        parts["runs"] = _scaled(own.runs, zeros, ones)
        parts["values"] = mean_of_runs(parts["runs"])
    return replace(own, metrics=(new,), notes=(*own.notes, note), **parts)


def _scaled(x: Floats, zeros: Floats, ones: Floats) -> Floats:
    """Return normalised scores; blocks are the first axis."""
    shape = (len(x), *[1] * (x.ndim - 1))
    low, high = zeros.reshape(shape), ones.reshape(shape)
    return np.asarray((x - low) / (high - low))


def of_blocks(given: Sizes, blocks: tuple[str, ...]) -> Floats:
    """Return the reference score of each block."""
    if isinstance(given, Mapping):
        return np.array([float(given[block]) for block in blocks])
    return np.full(len(blocks), float(given))


def _require_references(what: str, given: Sizes, blocks: tuple[str, ...]) -> None:
    """Reject reference scores that a block lacks, that none has, or no numbers."""
    if not isinstance(given, Mapping):
        given = dict.fromkeys(blocks, given)
    absent = [block for block in blocks if block not in given]
    if absent:
        raise InputError(
            f"{what} has no reference score for {counted(len(absent), 'block')}, "
            f"first {show(absent[0])}: give one for each, or leave the block out "
            "(Scores.select)"
        )
    known = set(blocks)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InputError(
            f"{what} has a reference score for {show(unknown[0])}, which is no block"
            f"{nearest(unknown[0], blocks)}"
        )
    bad = [block for block in blocks if not is_finite(given[block])]
    if bad:
        raise InputError(
            f"{what}: the reference score of {show(bad[0])} is {show(given[bad[0]])}; "
            "give a finite number"
        )


def _require_better(
    zeros: Floats, ones: Floats, metric: Metric, blocks: tuple[str, ...]
) -> None:
    """Reject reference scores of 1 that are not better than those of 0."""
    sign = 1.0 if metric.better == "higher" else -1.0
    wrong = np.flatnonzero(~(sign * ones > sign * zeros))
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"high is the better reference score ({metric.name}: {metric.better} is "
            f"better), and {show(blocks[k])} has low={zeros[k]:g} and "
            f"high={ones[k]:g}: correct them"
        )


def _told(given: Sizes) -> str:
    """Return reference scores in words."""
    if not isinstance(given, Mapping):
        return f"{given:g} on all blocks"
    return f"of each block ({', '.join(f'{k}: {v:g}' for k, v in given.items())})"
