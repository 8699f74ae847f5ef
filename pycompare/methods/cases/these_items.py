"""Pairs of algorithms on fixed items whose answers are drawn anew."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Matrix
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import new_answers as kernel
from pycompare.kernels import student
from pycompare.methods.cases.answers import answers_of
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.common import check_squares, family_pairs
from pycompare.methods.pairs.last_step import TPairs
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import means_of
from pycompare.results.result import internal
from pycompare.results.schema import Schema, column

FEWEST_ANSWERS = 2
"""Answers to each item: with one their spread is not known."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TheseItemsResult(TPairs):
    """Tests of pairs for new answers to these items; see ``PairsResult``.

    ``estimate`` is the mean over items of algorithm_1 minus algorithm_2, in the
    metric's own unit.

    The table has more columns. ``within`` is the variance of a difference of two
    answers to one item, ``between`` that of the items' own expected differences,
    0 if it is estimated below 0.

    Attributes
    ----------
    n_cases : int
    n_runs : float
        Answers to each item, their harmonic mean if items have unequal numbers.
    alpha : float
        Level of the decisions with which no interval disagrees.
    level : float
        Confidence level of each interval separately, at least 1 - alpha.
    """

    differences: ClassVar[str] = "mean"

    n_cases: int
    n_runs: float
    runs: Floats = internal()

    schema: ClassVar[Schema] = (
        *TPairs.schema,
        column("within", "sum"),
        column("between", "sum"),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "cases/these-items"

    @property
    def n_blocks(self) -> int:
        """Independent blocks: all answers to the items."""
        return round(self.n_cases * self.n_runs)

    def centred_errors(self, estimate: Floats, std_error: Floats) -> Floats:
        """Return NaN: more items are other items."""
        return np.full(len(std_error), math.nan)

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        arguments = {
            "x": runs_in_r(self.runs, self.blocks),
            "runs": float(self.runs.shape[-1]),
            **self.r_adjusting(),
        }
        files = ("ranks", "adjust", "these_items")
        return RCall(files, "these_items_reference", arguments, self.of_family)


@checked
def these_items(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
) -> TheseItemsResult:
    """Compare pairs of algorithms on these items, whose answers are drawn anew.

    Items are fixed: the conclusion does not extend to others. ``share_pairs``,
    ``paired_t_pairs`` and ``cluster_pairs`` are about items like these.

    Parameters
    ----------
    scores : Scores
        Complete table whose blocks are items (cases), each with two answers
        (``replicate``) by every algorithm or more, drawn independently given the item:
        right or wrong, or graded. Clusters of items do not enter.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs. Equal means are transitive.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.

    Returns
    -------
    TheseItemsResult
        A pair whose graded answers to each item are all alike has no test (NaN):
        nothing is drawn.

    Raises
    ------
    DesignError
        If cells are missing, or an item has one answer: with one answer the spread of
        answers cannot be separated from that of items.
    InputError
        For an unknown name.

    Notes
    -----
    Equation 10.16 of docs/equations.md, with a difference of 0. R: own derivation.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> chance = rng.uniform(0.2, 0.8, (60, 1, 1)) + [[[0.15], [0.0]]]
    >>> right = (rng.random((60, 2, 5)) < chance).astype(float)
    >>> rows = [
    ...     {"model": "AB"[a], "item": i, "run": r, "accuracy": right[i, a, r]}
    ...     for i in range(60) for a in range(2) for r in range(5)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="item", replicate="run",
    ...     metrics={"accuracy": "higher"},
    ... )
    >>> found = pc.these_items(scores)
    >>> found.table[["estimate", "std_error", "p_value", "conf_low"]].round(4)
       estimate  std_error  p_value  conf_low
    0      0.13     0.0367   0.0004    0.0581
    """
    check_alpha(alpha)
    family_adjustment(adjust, MEANS, control)
    tests = these_item_tests(scores, metric=metric, control=control, alpha=alpha)
    adjusted: TheseItemsResult = tests.adjusted(adjust)
    return adjusted


def these_item_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
) -> TheseItemsResult:
    """Return the tests without intervals: those follow from the adjustment."""
    blocks = complete_blocks(scores, metric, None, method="these_items")
    runs = several_answers_of(scores, blocks)
    check_squares(runs, f"answers of {show(blocks.metric.name)}")
    answers = kernel.of_runs(runs)
    pairs = family_pairs(blocks.algorithms, control)
    x = blocks.metric.sign * blocks.values
    first, second = np.array(pairs).T
    d = x[:, first] - x[:, second]
    estimate = d.mean(axis=0)
    errors = [kernel.mean_error(answers, [i, j]) for i, j in pairs]
    error, df = (np.array(part) for part in zip(*errors, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, estimate / error, np.nan)
    p = np.where(error > 0, student.two_sided(np.nan_to_num(t), df), np.nan)
    n_runs = 1 / float(np.mean(1 / answers.counts))
    own = (answers.variances[:, first] + answers.variances[:, second]).mean(axis=0)
    spread = d.var(axis=0, ddof=1) if len(d) > 1 else np.full(len(pairs), math.nan)
    columns = {
        "estimate": estimate,
        "std_error": error,
        "statistic": t,
        "df": df,
        "p_value": p,
        "within": own * n_runs,
        "between": np.maximum(spread - own, 0.0),
    }
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        method="tests of new answers to these cases",
        **means_of(blocks.metric.name).difference(),
        statistic_name="z" if answers.binary else "t",
        hypotheses=MEANS,
        level=1 - alpha,
        alpha=alpha,
        reference="own derivation, equation 10.16",
        notes=_notes(error),
        n_cases=len(d),
        n_runs=n_runs,
        runs=runs,
    )
    return TheseItemsResult(**fields)


def several_answers_of(scores: Scores, blocks: Blocks) -> Floats:
    """Return the answers of one metric, items x models x runs; two of each or more."""
    few = (
        "with one answer to an item the spread of answers cannot be separated from "
        "that of items: give two answers to each item or more"
    )
    if scores.runs is None:
        raise DesignError(few)
    runs = answers_of(scores, blocks)
    counts = (~np.isnan(runs)).sum(axis=-1)
    if counts.min() < FEWEST_ANSWERS:
        i, j = np.argwhere(counts < FEWEST_ANSWERS)[0]
        raise DesignError(
            f"{show(blocks.algorithms[j])} has {counted(int(counts[i, j]), 'answer')} "
            f"to item {show(blocks.blocks[i])}; {few}"
        )
    return runs


def runs_in_r(runs: Floats, blocks: Blocks) -> Matrix:
    """Return answers as R takes them: a row for each item and run."""
    n, a, r = runs.shape
    rows = tuple(f"{i + 1}" for i in range(n * r))
    return Matrix(np.moveaxis(runs, 1, 2).reshape(n * r, a), rows, blocks.algorithms)


def _notes(error: Floats) -> tuple[str, ...]:
    """Return the notes for readers."""
    n_constant = int((error == 0).sum())
    if not n_constant:
        return ()
    if n_constant == len(error):
        return (
            "each algorithm gives the same answer to a case in every run: differences "
            "on these cases are known exactly and are not tested",
        )
    return (
        f"in {n_constant} of {len(error)} pairs both algorithms give the same answer "
        "to a case in every run: these differences on the cases are known exactly and "
        "are not tested",
    )
