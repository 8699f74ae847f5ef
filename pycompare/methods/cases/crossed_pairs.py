"""Pairs of algorithms on items that all share their prompts, judges or trainings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Matrix
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import crossed as kernel
from pycompare.methods.cases.answers import answers_of
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.last_step import LastStepPairs
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import means_of
from pycompare.results.result import internal
from pycompare.results.schema import Schema, changed, column

FEWEST_RUNS = 3
"""With two runs the test for new items and new runs finds next to nothing."""
_TESTS = ("p_new_items", "p_new_runs", "p_new_both")
_ERRORS = ("error_new_items", "error_new_runs", "error_new_both")
_REFERENCE = (
    "Hillis (2007) Statist. Med. 26, 596-619; the largest of three p-values is our own "
    "derivation"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedPairsResult(LastStepPairs):
    """Largest of three t tests of items crossed with runs; see ``PairsResult``.

    ``estimate`` is the mean over items and runs of algorithm_1 minus algorithm_2, in
    the metric's own unit. ``std_error``, ``statistic`` and ``df`` are those of the test
    that has the largest p-value, which is ``p_value``.

    The table has more columns: ``p_new_items`` (new items, these runs), ``p_new_runs``
    (these items, new runs) and ``p_new_both`` (Hillis), with their standard errors
    ``error_new_items``, ``error_new_runs`` and ``error_new_both``, and the degrees of
    freedom of the last, ``df_new_both``.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    level : float
        Confidence level of each interval separately.
    n_cases, n_runs : int
    runs : ndarray, shape (cases, algorithms, runs)
    """

    differences: ClassVar[str] = "mean"

    n_cases: int
    n_runs: int
    runs: Floats = internal()

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level; together they need not."
    )
    schema: ClassVar[Schema] = (
        *changed(LastStepPairs.schema),
        *(column(name, "p") for name in _TESTS),
        *(column(name, "error") for name in _ERRORS),
        column("df_new_both", "df"),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "cases/crossed"

    @property
    def n_blocks(self) -> int:
        """Independent blocks: runs, of which there are fewer than items."""
        return min(self.n_cases, self.n_runs)

    def centred_errors(self, estimate: Floats, std_error: Floats) -> Floats:
        """Return NaN: more items alone, or more runs alone, need not reduce errors."""
        return np.full(len(std_error), math.nan)

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the mean difference and the largest of the three half-widths."""
        mean = self.as_columns()["estimate"].astype(float)
        tests = self._tests()
        half = kernel.largest_half_width(tests, last)
        return mean - half, mean + half

    def _tests(self) -> list[kernel.CrossedTest]:
        """Return the three tests of all pairs."""
        items, runs, both = (self.as_columns()[name].astype(float) for name in _ERRORS)
        of_both = self.as_columns()["df_new_both"].astype(float)
        return [
            kernel.CrossedTest(items, np.full(len(items), self.n_cases - 1.0)),
            kernel.CrossedTest(runs, np.full(len(items), self.n_runs - 1.0)),
            kernel.CrossedTest(both, of_both),
        ]

    def r_call(self) -> RCall:
        """Return the call of the tests and interval of every pair."""
        n, a, p = self.runs.shape
        rows = tuple(f"{i + 1}" for i in range(n * p))
        x = np.moveaxis(self.runs, 1, 2).reshape(n * p, a)
        arguments = {
            "x": Matrix(x, rows, self.blocks.algorithms),
            "runs": float(p),
            "alpha": self.alpha,
            **self.r_adjusting(),
            "level": math.nan if self.repeatable else self.level,
        }
        files = ("ranks", "paired", "adjust", "wilcoxon", "signed_rank_pairs")
        return RCall((*files, "crossed_pairs"), "crossed_pairs_reference", arguments)


@checked
def crossed_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
) -> CrossedPairsResult:
    """Compare pairs of algorithms for new items and new runs that all items share.

    The runs are prompts, judges or trainings: run 1 of an item is the same prompt as
    run 1 of every other item, so that the scores of a run move together.

    Parameters
    ----------
    scores : Scores
        Complete table whose blocks are items (cases), each with the same runs
        (``replicate``) by every algorithm: right or wrong, or graded.
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
    CrossedPairsResult
        ``p_value`` is the largest of three: for new items under these runs, for new
        runs of these items, and for both. So it is never more certain than for these
        runs or these items alone. A mean difference of 0 has p = 1. If all
        differences of a pair are one number, p is 2^(1 - runs), or 1 if it is 0, and
        there is no interval.

    Raises
    ------
    DesignError
        If cells are missing, the scores have no runs or fewer than three, or items are
        in clusters.
    InputError
        For an unknown name.

    Notes
    -----
    Equation 10.14 of docs/equations.md. With P runs and I items, and the mean squares
    of the differences MI, MP, MR: the variances MI/(IP) on I - 1, MP/(IP) on P - 1, and
    D/(IP) with D = MP + max(MI - MR, 0) on (P - 1)(D/MP)^2 degrees of freedom.

    R: ``aov(d ~ item + run)`` and ``pt``; the largest of three is our own derivation.

    References
    ----------
    .. [1] Hillis, S. L. (2007). Statist. Med. 26, 596-619.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> chance = 0.4 + 0.1 * rng.random((60, 1, 5)) + [[[0.3], [0.0]]]
    >>> right = (rng.random((60, 2, 5)) < chance).astype(float)
    >>> rows = [
    ...     {"model": "AB"[a], "item": i, "prompt": p, "accuracy": right[i, a, p]}
    ...     for i in range(60) for a in range(2) for p in range(5)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="item", replicate="prompt",
    ...     metrics={"accuracy": "higher"},
    ... )
    >>> found = pc.crossed_pairs(scores)
    >>> found.table[["estimate", "p_new_items", "p_new_runs", "p_value"]].round(4)
       estimate  p_new_items  p_new_runs  p_value
    0    0.2667          0.0      0.0004   0.0004
    """
    check_alpha(alpha)
    family_adjustment(adjust, MEANS, control)
    tests = crossed_tests(scores, metric=metric, control=control, alpha=alpha)
    adjusted: CrossedPairsResult = tests.adjusted(adjust)
    return adjusted


def crossed_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
) -> CrossedPairsResult:
    """Return the tests without intervals: those follow from the adjustment."""
    blocks = complete_blocks(scores, metric, None, method="crossed_pairs")
    runs = _runs_of(scores, blocks)
    n_items, _, n_runs = runs.shape
    pairs = family_pairs(blocks.algorithms, control)
    # Squares of scores in any unit are doubles if the largest score is about 1.
    unit = float(2.0 ** np.frexp(np.abs(runs).max())[1])
    x = np.moveaxis(runs / unit, 1, 0)
    noise = np.abs(x).max(axis=(1, 2))
    squares = [
        kernel.mean_squares((x[i] - x[j])[None], np.maximum(noise[i], noise[j])[None])
        for i, j in pairs
    ]
    mean, of_items, of_runs, rest = (
        np.concatenate(part) for part in zip(*squares, strict=True)
    )
    tests = kernel.three_tests(of_items, of_runs, rest, n_items, n_runs)
    p = np.array([kernel.two_sided(mean, test) for test in tests])
    errors, dfs = (np.array(part) for part in zip(*tests, strict=True))
    error, df, largest, _ = kernel.largest(tests, p)
    constant = (errors == 0).all(axis=0) & (mean != 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0, 0.0, mean / error)
    p_value = np.where(constant, 2.0 ** (1 - n_runs), largest)
    columns = {
        "estimate": mean * unit,
        "std_error": error * unit,
        "statistic": statistic,
        "df": df,
        "p_value": p_value,
        **dict(zip(_TESTS, p, strict=True)),
        **dict(zip(_ERRORS, errors * unit, strict=True)),
        "df_new_both": dfs[2],
    }
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        method="largest of three t tests (new items, new runs, both)",
        **means_of(blocks.metric.name).difference(),
        statistic_name="t",
        hypotheses=MEANS,
        level=1 - alpha,
        alpha=alpha,
        reference=_REFERENCE,
        notes=_notes(mean, constant, n_items, n_runs),
        n_cases=n_items,
        n_runs=n_runs,
        runs=runs,
    )
    return CrossedPairsResult(**fields)


def _runs_of(scores: Scores, blocks: Blocks) -> Floats:
    """Return the runs of one metric, or reject scores without enough of them."""
    if scores.clusters is not None:
        raise DesignError(
            "crossed_pairs: items are in clusters, and runs that all items share are "
            "compared for independent items; leave cluster out, or average the runs "
            "(cluster_pairs)"
        )
    if scores.runs is None:
        raise DesignError(
            "crossed_pairs: each item has one score by each algorithm; name the column "
            "of runs (replicate), or use share_pairs or paired_t_pairs"
        )
    runs = answers_of(scores, blocks)
    if np.isnan(runs).any():
        raise DesignError(
            "crossed_pairs: every item needs a score in all runs; read the scores with "
            + setting("missing", "drop-block")
        )
    n_items, _, n_runs = runs.shape
    if n_runs < FEWEST_RUNS or n_items < FEWEST_RUNS:
        what = "run" if n_runs < FEWEST_RUNS else "item"
        raise DesignError(
            f"crossed_pairs: {counted(min(n_items, n_runs), what)} cannot stand for "
            f"other {what}s; it takes {FEWEST_RUNS}"
        )
    return runs


def _notes(
    mean: Floats, constant: Floats, n_items: int, n_runs: int
) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = [f"{counted(n_items, 'item')}, each with the same {n_runs} runs"]
    if alike := int((mean == 0).sum()):
        notes.append(f"{alike} of {len(mean)} pairs have equal means: p = 1")
    if n_constant := int(constant.sum()):
        notes.append(
            f"{n_constant} of {len(mean)} pairs have one difference everywhere: "
            f"p = {2.0 ** (1 - n_runs):.3g}, as if the sign of each run were random"
        )
    return tuple(notes)
