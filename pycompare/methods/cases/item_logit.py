"""Right answers with effects of items, and of models on items: a mixed model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import item_logit as kernel
from pycompare.methods.cases.answers import right_answers_of
from pycompare.methods.cases.these_items import FEWEST_ANSWERS, runs_in_r
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_ITEMS = 20
"""Of a mixed model: with fewer the spread of items is hardly known."""
_ONE_ANSWER = "with one answer to an item own effects of models cannot be separated"
_NAMES = {"item": "items", "own": "models on items"}


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemLogitResult(Result):
    """A mixed model of right answers, with shares on items like these.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm: ``algorithm intercept estimate std_error low high``. The
        estimate is the share over all items, in the metric's direction.
    pairs : DataFrame
        One row per pair: ``algorithm_1 algorithm_2 difference std_error low high
        own_share``. ``own_share`` is that of the own effects in the variance of an
        item's mean difference.
    metric : str
    level : float
        Confidence level of each interval separately.
    sd_item, sd_own : float
        Standard deviations on the logit scale, of items, and of models on items.
    log_likelihood : float
    n_items : int
    notes : tuple of str
    """

    table: pd.DataFrame = made_when_read()
    pairs: pd.DataFrame = made_when_read()
    metric: str
    level: float
    sd_item: float
    sd_own: float
    log_likelihood: float
    n_items: int
    notes: tuple[str, ...]
    easiness: Floats = internal()
    blocks: Blocks = internal()
    runs: Floats = internal()

    def r_call(self) -> RCall:
        """Return the call of the maximum, the shares and their errors."""
        arguments = {
            "x": runs_in_r(self.runs, self.blocks),
            "runs": float(self.runs.shape[-1]),
            "own": self.sd_own > 0,
            "level": self.level,
        }
        return RCall(("ranks", "item_logit"), "item_logit_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return estimates, and limits of the shares."""
        names = ("intercept", "estimate", "std_error", "low", "high")
        return {
            **self.columns_in_r(*names),
            "sd_item": self.sd_item,
            "sd_own": self.sd_own,
            "log_likelihood": self.log_likelihood,
        }


@checked
def item_logit(
    scores: Scores, *, metric: str | None = None, level: float = 0.95
) -> ItemLogitResult:
    """Fit a mixed model of right answers: items, and models on items.

    The logit of the chance that a model answers an item right is the sum of the model's
    intercept, an effect of the item and one of the model on this item; both are normal.
    The shares are of items like these: a sensitivity analysis of ``share_pairs``, which
    assumes no such distribution. It is not more precise; it shows the structure.

    Parameters
    ----------
    scores : Scores
        Complete table of right (1) and wrong (0) answers, 20 independent items or more,
        one answer each or several runs that are drawn independently given the item.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    ItemLogitResult
        With one answer to an item there are no own effects of models on items: they
        cannot be separated, and intervals of differences are too short.

    Raises
    ------
    DesignError
        If cells are missing, items are in clusters or fewer than 20, or a model has all
        answers right or all wrong.
    InputError
        For graded scores, or an unknown name.

    Notes
    -----
    Equation 10.19 of docs/equations.md.

    The likelihood is exact, no Laplace approximation: integrals by the trapezoid rule.
    A standard deviation below 0.02 is held at 0. Standard errors of the shares follow
    by the delta method. Limits of a share are those of its logit, transformed back, so
    that they lie between 0 and 1.

    R: own derivation; ``lme4::glmer(nAGQ = 25)`` of one effect.

    References
    ----------
    .. [1] Breslow, N. E., Clayton, D. G. (1993). JASA 88, 9-25.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ease = rng.normal(size=(80, 1)) + [[1.0, 0.4]]
    >>> chance = 1 / (1 + np.exp(-ease))
    >>> right = (rng.random((80, 2, 5)) < chance[:, :, None]).astype(float)
    >>> rows = [
    ...     {"model": "AB"[a], "item": i, "run": r, "accuracy": right[i, a, r]}
    ...     for i in range(80) for a in range(2) for r in range(5)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="item", replicate="run",
    ...     metrics={"accuracy": "higher"},
    ... )
    >>> found = pc.item_logit(scores)
    >>> found.table[["algorithm", "intercept", "estimate", "std_error"]].round(2)
      algorithm  intercept  estimate  std_error
    0         A       0.98      0.71       0.03
    1         B       0.39      0.59       0.03
    """
    check_level(level)
    blocks = complete_blocks(scores, metric, None, method="item_logit")
    runs = _answers(scores, blocks)
    given = ~np.isnan(runs)
    data = kernel.RightAnswers(
        np.where(given, runs, 0.0).sum(axis=-1), given.sum(axis=-1).astype(float)
    )
    several = bool(data.answers.min() >= FEWEST_ANSWERS)
    fitted = kernel.fit(data, with_own=several)
    estimate, covariance = kernel.shares(fitted)
    z = -float(special.ndtri((1 - level) / 2))
    error = np.sqrt(np.diag(covariance))
    half = z * error / (estimate * (1 - estimate))
    names = np.array(blocks.algorithms, dtype=object)
    pairs = list(combinations(range(len(names)), 2))
    first, second = np.array(pairs).T
    difference = estimate[first] - estimate[second]
    between = covariance[first, first] + covariance[second, second]
    spread = np.sqrt(np.maximum(between - 2 * covariance[first, second], 0.0))
    harmonic = 1 / float(np.mean(1 / data.answers))
    table = {
        "algorithm": names,
        "intercept": fitted.intercepts,
        "estimate": estimate,
        "std_error": error,
        "low": special.expit(special.logit(estimate) - half),
        "high": special.expit(special.logit(estimate) + half),
    }
    differences = {
        "algorithm_1": names[first],
        "algorithm_2": names[second],
        "difference": difference,
        "std_error": spread,
        "low": difference - z * spread,
        "high": difference + z * spread,
        "own_share": kernel.own_shares(fitted, pairs, harmonic),
    }
    return ItemLogitResult(
        table=Columns(table),
        pairs=Columns(differences),
        metric=blocks.metric.name,
        level=level,
        sd_item=fitted.sd_item,
        sd_own=fitted.sd_own,
        log_likelihood=fitted.log_likelihood,
        n_items=len(runs),
        notes=_notes(fitted, several=several),
        easiness=kernel.easiness(data, fitted),
        blocks=blocks,
        runs=runs,
    )


def _answers(scores: Scores, blocks: Blocks) -> Floats:
    """Return right answers, items x models x runs, or reject what has no model."""
    n = len(blocks.values)
    if scores.clusters is not None:
        raise DesignError(
            "item_logit: items are in clusters, a third level; share_pairs and "
            "cluster_pairs are for clusters"
        )
    if n < _FEWEST_ITEMS:
        raise DesignError(
            f"item_logit: {counted(n, 'item')} are too few; it takes {_FEWEST_ITEMS}"
        )
    runs = right_answers_of(scores, blocks, method="item_logit", what="the model is of")
    share = np.nanmean(np.nanmean(runs, axis=-1), axis=0)
    for name, value in zip(blocks.algorithms, share, strict=True):
        if value in (0.0, 1.0):
            what = "right" if value == 1 else "wrong"
            raise DesignError(
                f"item_logit: all answers of {show(name)} are {what}, so that the "
                "model has no finite estimate; leave it out"
            )
    return runs


def _notes(fitted: kernel.ItemLogitFit, *, several: bool) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = ["the mixed model assumes normal effects on the logit scale"]
    if not several:
        notes.append(_ONE_ANSWER)
    sds = (fitted.sd_item, fitted.sd_own if several else 1.0)
    zero = [name for name, sd in zip(_NAMES.values(), sds, strict=True) if sd == 0]
    if zero:
        notes.append(f"no spread of {' and of '.join(zero)} was estimated")
    return tuple(notes)
