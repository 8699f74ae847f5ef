"""Items one by one: how many answers are wrong, difficulty, and rest correlation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.r_random import checked_seed
from pycompare.methods.cases.answers import right_answers_of
from pycompare.methods.cases.item_logit import ItemLogitResult, item_logit
from pycompare.methods.cases.these_items import runs_in_r
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_MODELS, _WITH_RUNS, _RUNS = 15, 8, 5
"""Models of a rest correlation: so many, or fewer with so many answers to an item."""
_ROUNDING = 1e-9
_PERMUTATIONS = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemTable(Result):
    """Items of one test set: a description without tests.

    Attributes
    ----------
    table : DataFrame
        One row per item, in the order of the data: ``item answers wrong difficulty
        rest_correlation``. ``wrong`` is the share of wrong answers over all models,
        each with the same weight; ``difficulty`` is minus the most likely effect of the
        item in the mixed model (logit). NaN if there is none; ``notes`` have the
        reason.
    wrong_by_algorithm : ndarray, shape (n_items, n_algorithms)
        Share of wrong answers of each algorithm.
    metric : str
    all_fail, all_solve : tuple of str
        Items to which every answer of every algorithm is wrong, right: they carry no
        difference.
    lost, won : tuple of str
        With two algorithms, the items that the first answers worse, better.
    negative_by_chance : float
        Share of the rest correlations that is below 0 if models are permuted, item by
        item; NaN without rest correlations.
    seed : int
    model : ItemLogitResult or None
        The mixed model behind the difficulties.
    notes : tuple of str
    """

    table: pd.DataFrame = made_when_read()
    wrong_by_algorithm: Floats
    metric: str
    all_fail: tuple[str, ...]
    all_solve: tuple[str, ...]
    lost: tuple[str, ...]
    won: tuple[str, ...]
    negative_by_chance: float
    seed: int
    model: ItemLogitResult | None = internal()
    r_digits: ClassVar[Mapping[str, int]] = {"difficulty": 6}
    notes: tuple[str, ...]
    blocks: Blocks = internal()
    runs: Floats = internal()

    def r_call(self) -> RCall:
        """Return the call of shares, difficulties and rest correlations."""
        model = self.model
        arguments = {
            "x": runs_in_r(self.runs, self.blocks),
            "runs": float(self.runs.shape[-1]),
            "higher": self.blocks.metric.better == "higher",
            "fitted": model is not None,
            "own": model is not None and model.sd_own > 0,
            "related": bool(np.isfinite(self._correlations).any()),
        }
        return RCall(
            ("ranks", "item_logit", "item_table"), "item_table_reference", arguments
        )

    @property
    def _correlations(self) -> Floats:
        return np.asarray(self.as_columns()["rest_correlation"], float)

    def r_values(self) -> dict[str, Any]:
        """Return the columns of the table."""
        columns = self.columns_in_r("wrong", "difficulty", "rest_correlation")
        shares = np.asarray(self.wrong_by_algorithm).ravel("F")
        return {**columns, "wrong_by_algorithm": shares}

    def r_by_column(self) -> dict[str, int]:
        """Return that R has the shares of an algorithm one below the other."""
        return {"wrong_by_algorithm": self.wrong_by_algorithm.shape[1]}


@checked
def item_table(
    scores: Scores, *, metric: str | None = None, seed: int = 0
) -> ItemTable:
    """Return how difficult each item is, and whether better models solve it.

    Parameters
    ----------
    scores : Scores
        Complete table of right and wrong answers; the blocks are items, with one answer
        each or several runs.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    seed : int, default 0
        Of the permutations behind ``negative_by_chance``.

    Returns
    -------
    ItemTable
        Nothing is tested, and no item should be removed because of these numbers: sound
        items have a negative rest correlation by chance.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        For graded scores, an unknown name, or an invalid seed.

    Notes
    -----
    Equations 10.19, 10.20 of docs/equations.md.

    The rest correlation is that of the models' shares on the item with their shares on
    all other items, of 15 models or more, or 8 with five answers to each item; with
    fewer it is NaN. A wrong key gives a negative one. R: own derivation, ``cor``.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ease = rng.normal(size=(40, 1)) + np.linspace(-1, 1, 15)
    >>> right = (ease + rng.logistic(size=(40, 15)) > 0).astype(int)
    >>> right[0] = 1 - right[0]  # a wrong key
    >>> table = {f"m{j}": right[:, j].tolist() for j in range(15)}
    >>> scores = pc.Scores.from_wide(table, metric="accuracy", better="higher")
    >>> found = pc.item_table(scores)
    >>> found.table.head(3).round(2)
      item  answers  wrong  difficulty  rest_correlation
    0    1       15   0.53       -0.03              0.39
    1    2       15   0.20       -1.25              0.17
    2    3       15   0.40       -0.50             -0.06
    """
    seed = checked_seed(seed)
    blocks = complete_blocks(scores, metric, None, method="item_table")
    runs = right_answers_of(
        scores, blocks, method="item_table", what="difficulties are of"
    )
    given = ~np.isnan(runs)
    right = np.where(given, runs, 0.0).sum(axis=-1) / given.sum(axis=-1)
    if blocks.metric.better == "lower":
        right = 1 - right
    notes: list[str] = []
    model: ItemLogitResult | None = None
    difficulty = np.full(len(right), np.nan)
    try:
        model = item_logit(scores, metric=blocks.metric.name)
    except DesignError as error:
        notes.append(f"no difficulties: {error}")
    else:
        sign = -1.0 if blocks.metric.better == "higher" else 1.0
        difficulty = sign * np.asarray(model.held("easiness"))
    least = int(given.sum(axis=-1).min())
    n_models = right.shape[1]
    correlation, by_chance = np.full(len(right), np.nan), math.nan
    if n_models >= _FEWEST_MODELS or (n_models >= _WITH_RUNS and least >= _RUNS):
        correlation = _rest_correlations(right)
        by_chance = _negative_by_chance(right, np.random.default_rng(seed))
    else:
        notes.append(
            f"no rest correlations: too few models ({n_models}); they take "
            f"{_FEWEST_MODELS}, or {_WITH_RUNS} with {_RUNS} answers to each item"
        )
    items = np.array(blocks.blocks, dtype=object)
    table = {
        "item": items,
        "answers": given.sum(axis=(1, 2)),
        "wrong": 1 - right.mean(axis=1),
        "difficulty": difficulty,
        "rest_correlation": correlation,
    }
    difference = right[:, 0] - right[:, 1] if n_models == 2 else np.zeros(len(right))
    return ItemTable(
        table=Columns(table),
        wrong_by_algorithm=1 - right,
        metric=blocks.metric.name,
        all_fail=tuple(items[right.max(axis=1) == 0]),
        all_solve=tuple(items[right.min(axis=1) == 1]),
        lost=tuple(items[difference < -_ROUNDING]),
        won=tuple(items[difference > _ROUNDING]),
        negative_by_chance=by_chance,
        seed=seed,
        model=model,
        notes=tuple(notes),
        blocks=blocks,
        runs=runs,
    )


def _rest_correlations(right: Floats) -> Floats:
    """Return the correlation of each item with the models' shares on the others."""
    x, y = _deviations(right)
    length = np.sqrt(np.sum(x**2, axis=1) * np.sum(y**2, axis=1))
    alike = np.ptp(right, axis=1) < _ROUNDING
    known = ~alike & (length > 0)
    return np.divide(
        np.sum(x * y, axis=1), length, out=np.full(len(x), np.nan), where=known
    )


def _deviations(right: Floats) -> tuple[Floats, Floats]:
    """Return the models' deviations from the mean: on each item, and on the others."""
    rest = right.sum(axis=0) - right
    x = right - right.mean(axis=1, keepdims=True)
    return x, rest - rest.mean(axis=1, keepdims=True)


def _negative_by_chance(right: Floats, rng: np.random.Generator) -> float:
    """Return the share of items below 0 if models are permuted on the item alone."""
    known = np.isfinite(_rest_correlations(right))
    if not known.any():
        return math.nan
    x, y = (deviation[known] for deviation in _deviations(right))
    n_models, below = x.shape[1], 0
    for _ in range(_PERMUTATIONS):
        products = np.sum(x * y[:, rng.permutation(n_models)], axis=1)
        below += int((products < -_ROUNDING).sum())
    return below / _PERMUTATIONS / len(x)
