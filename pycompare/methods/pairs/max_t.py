"""Pairs of algorithms by the step-down permutation test of the largest statistic."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.hypotheses import (
    MEAN_RANKS,
    MEANS,
    WEIGHTED_MEANS,
    WEIGHTED_RANKS,
    Hypotheses,
)
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, GroupWeights
from pycompare.data.blocks import (
    Blocks,
    cluster_totals,
    complete_blocks,
    ranked_cases,
)
from pycompare.data.scores import Scores
from pycompare.data.strata import strata_of, tasks_of
from pycompare.kernels import max_t as kernel
from pycompare.kernels.max_t import Signs, signs_for
from pycompare.kernels.r_random import checked_count, checked_seed
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.block_differences import (
    NO_LIMITS,
    STATISTIC,
    On,
    centred_errors,
    check_on,
    placement_of,
    positions,
    tied_note,
)
from pycompare.methods.pairs.common import (
    few_cases_note,
    few_units_note,
    least_p_note,
    pair_ends,
)
from pycompare.methods.pairs.flipped import LARGE, Flipped, by_columns, by_differences
from pycompare.results.result import MayDraw, PairsResult, internal

_REFERENCE = "Westfall & Young (1993) Resampling-Based Multiple Testing, alg. 4.1"


@dataclass(frozen=True, kw_only=True, eq=False)
class MaxTResult(MayDraw, PairsResult):
    """Pairs by the largest studentised sum under sign flips; see ``PairsResult``.

    Attributes
    ----------
    on : {"scores", "ranks"}
    n_flips : int
        Number of flips, all if they were listed.
    listed : bool
        Whether all flips were listed: nothing is random.
    seed : int or None
        None if nothing was random.
    blocks : Blocks
        The scores that were compared.
    """

    r_named: ClassVar[bool] = True

    on: On
    n_flips: int
    listed: bool
    seed: int | None
    blocks: Blocks = internal()

    @property
    def measured(self) -> tuple[str, int]:
        """The metric's name, and how many blocks were compared."""
        return self.blocks.metric.name, len(self.blocks.values)

    @property
    def gives_limits(self) -> bool:
        """Whether there are intervals: of scores, not of ranks."""
        return self.on == "scores"

    @property
    def clustered(self) -> bool:
        """Whether whole clusters of blocks were flipped."""
        ranked = self.blocks.ranked
        if ranked is not None:
            return ranked.codes is not None
        return self.blocks.sizes is not None

    @property
    def n_blocks(self) -> int:
        """Independent blocks."""
        return len(self.blocks.values)

    @property
    def least(self) -> float:
        """Smallest p-value that so many flips can give."""
        return 1 / (self.n_flips if self.listed else self.n_flips + 1)

    def centred_errors(self, estimate: Floats, std_error: Floats) -> Floats:
        """Return standard errors about the mean difference, not about 0."""
        return centred_errors(self.blocks, estimate, std_error)

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.on == "ranks" or self.blocks.metric.sign > 0

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        if self.weighted_ranks:
            return "weighted-ranks/max-t"
        return f"{self.on if self.blocks.strata is None else 'weighted'}/max-t"

    @property
    def weighted_ranks(self) -> bool:
        """Whether mean ranks are weighted over groups."""
        ranked = self.blocks.ranked
        return ranked is not None and ranked.tasks is not None

    def r_call(self) -> RCall:
        """Return the call that draws the same flips in R."""
        arguments = {
            **self.blocks.r_arguments(),
            "on": self.on,
            "control": self.control or "",
            "flips": None if self.listed else self.n_flips,
            "seed": self.seed,
            "level": self.level,
        }
        if self.blocks.ranked is None:
            return RCall(("ranks", "max_t"), "max_t_reference", arguments)
        del arguments["on"]
        files = ("ranks", "max_t", "case_ranks")
        return RCall(files, "max_t_of_ranks_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns of the table."""
        names = ["estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"]
        names += ["conf_low", "conf_high"]
        return self.columns_in_r(*names)


@checked
def max_t(
    scores: Scores,
    *,
    metric: str | None = None,
    on: On = "scores",
    control: str | None = None,
    weights: GroupWeights | None = None,
    flips: int = 9999,
    seed: int = 1,
    decimals: int | None = None,
    level: float = 0.95,
) -> MaxTResult:
    """Compare pairs of algorithms by the step-down max-T test of sign flips.

    Each pair has its own variance, and the adjustment takes account of how the
    differences of the pairs go together.

    Parameters
    ----------
    scores : Scores
        Complete table. If its blocks are in clusters, whole clusters are flipped: sums
        of scores, or of ranks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    on : {"scores", "ranks"}
        Differences of scores, or of ranks within blocks.
    control : str, optional
        Compare each other algorithm with this one only.
    weights : mapping of str to float, or {"equal", "cases"}, optional
        Weights of the groups of blocks (benchmarks), as in ``pc.weighted_pairs``; means
        or mean ranks are then weighted over groups, and D is multiplied by w_k/n_k.
    flips : int, default 9999
        Number of random flips. If there are no more than so many different ones,
        2^(n - 1) for n blocks, all of them are listed instead.
    seed : int, default 1
        From 0 to 2147483647; not used if all flips are listed. R draws the same
        flips by ``set.seed(seed)``.
    decimals : int, optional
        Round scores to so many decimals first.
    level : float
        Confidence level of the intervals, together.

    Returns
    -------
    MaxTResult
        ``estimate`` is the mean difference of scores in their own unit, or of ranks.
        ``statistic`` is sum D / sqrt(sum D^2) of a pair's differences D, which rises
        with t; ``p_value`` is that of the pair alone, ``p_adjusted`` step-down. Drawn
        flips give p = (1 + #{as large}) / (1 + flips), never 0; listed ones the exact
        share. If two algorithms tie in every block, p is 1.

        ``conf_low`` and ``conf_high`` are simultaneous: t intervals with each pair's
        own variance, whose critical value is that of the largest statistic of centred
        differences under the same flips (single-step). They are infinite if there
        are too few flips, and NaN on ranks. An interval may hold 0 although the
        step-down test rejects.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        For an unknown name or word, or a seed that R cannot take.

    Notes
    -----
    Equations 3.9, 10.10, 10.24 of docs/equations.md.

    The error rate is that of ``scores/max-t`` or ``ranks/max-t`` in the ledger
    (``pycompare.results.guarantees``); ``validation/FAMILY_WISE.md`` has the rows
    that show it. Its condition of joint symmetry: changing the sign of all differences
    of equal algorithms in a block leaves their joint distribution as it is. It holds
    for one pair of exchangeable algorithms, and for normal or other elliptical scores
    with any variances and correlations. It need not hold for three equal algorithms
    with skewed scores. No common variance is assumed. The coverage of the intervals is
    asymptotic if differences are skewed.

    With weights the p-values are exact if equal algorithms have jointly symmetric
    differences in every group. If only their weighted means are equal, the test is
    conservative in large samples (``weighted/max-t`` and ``weighted-ranks/max-t`` in
    the ledger). With fewer than 20 cases (clusters) in a group it may reject too often,
    and a note states this.

    R: derivation, the same flips by ``matrix(runif(n * flips) < 0.5, n)`` (above 1e8
    signs by the 32 bits of each number, or ``qbinom(runif, count, 0.5)`` signs -1 of
    equal blocks if there is at most one kind of them for 32 blocks);
    ``coin::symmetry_test`` with ``pvalue(method = "step-down")``, its own flips.

    References
    ----------
    .. [1] Westfall, P. H., Young, S. S. (1993). Resampling-Based Multiple Testing.
    .. [2] Romano, J. P., Wolf, M. (2005). JASA 100, 94-108.
    .. [3] Phipson, B., Smyth, G. K. (2010). Stat. Appl. Genet. Mol. Biol. 9, 39.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.max_t(pc.example(), control="CN2", flips=999, seed=7)
    >>> found.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2)
      algorithm_1 algorithm_2  p_adjusted
    0        C4.5         CN2       0.001
    1        1-NN         CN2       0.217
    """
    check_level(level)
    check_on(on)
    signs_seed = checked_seed(seed)
    blocks = complete_blocks(scores, metric, decimals, method="max_t")
    if on == "scores":
        blocks = cluster_totals(blocks, scores.clusters)
        if weights is not None:
            blocks = dataclasses.replace(blocks, strata=strata_of(scores, weights))
    elif weights is not None or scores.clusters is not None:
        tasks = None if weights is None else tasks_of(scores, weights)
        blocks = ranked_cases(blocks, scores.clusters, tasks)
    return max_t_of(blocks, on, control, flips, signs_seed, level)


def max_t_of(
    blocks: Blocks, on: On, control: str | None, flips: int, seed: int, level: float
) -> MaxTResult:
    """Compare pairs of algorithms on blocks, or clusters, that are checked."""
    pairs = pair_ends(blocks.algorithms, control)
    rows = np.column_stack([blocks.values, blocks.cases, blocks.codes])
    signs = signs_for(len(rows), checked_count("flips", flips), seed, rows)
    large = blocks.values.shape[0] * len(pairs) > LARGE
    test = by_columns if large else by_differences
    flipped = test(blocks, pairs, on, signs, level)
    columns: dict[str, Any] = {
        **flipped.sums,
        "p_value": flipped.counted.raw,
        "p_adjusted": flipped.counted.adjusted,
        **_limits(flipped, blocks.weights, on),
    }
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        positions=positions(blocks, on),
        method=f"sign-flip tests of mean {'ranks' if on == 'ranks' else 'differences'}",
        **placement_of(blocks, on).difference(),
        statistic_name=STATISTIC,
        hypotheses=_hypotheses(on, blocks),
        adjust="max-t",
        interval=f"simultaneous {100 * level:g}% (max-T)"
        if on == "scores"
        else NO_LIMITS,
        level=level,
        reference=_REFERENCE,
        notes=_notes(blocks, columns, signs, level),
        on=on,
        n_flips=signs.count,
        listed=signs.listed,
        seed=signs.seed,
    )
    return MaxTResult(**fields)


def _hypotheses(on: On, blocks: Blocks) -> Hypotheses:
    """Return the null hypotheses."""
    if on == "ranks":
        weighted = blocks.ranked is not None and blocks.ranked.tasks is not None
        return WEIGHTED_RANKS if weighted else MEAN_RANKS
    return MEANS if blocks.strata is None else WEIGHTED_MEANS


def _limits(flipped: Flipped, weights: Floats, on: On) -> dict[str, Floats]:
    """Return simultaneous limits of mean differences.

    With w the sizes of the blocks and D their sums, those m for which
    |sum (D - w m)| / sqrt(sum (D - w m)^2) <= c: between the roots of a square.
    """
    if on == "ranks":
        none = np.full(len(flipped.centred_lengths), np.nan)
        return {"conf_low": none, "conf_high": none.copy()}
    c2, total = flipped.critical_value**2, weights.sum()
    mean = flipped.sums["estimate"]
    if c2 * (weights @ weights) < total**2 * (1 - kernel.TIE):
        a = total**2 - c2 * (weights @ weights)
        # Without a unit, so that no square of a score leaves the doubles.
        unit = np.where(flipped.centred_lengths > 0, flipped.centred_lengths, 1.0)
        centred, cross = flipped.centred_lengths / unit, flipped.cross / unit
        middle = c2 * cross / a
        half = np.sqrt(middle**2 + c2 * centred**2 / a) * unit
        return {
            "conf_low": mean - middle * unit - half,
            "conf_high": mean - middle * unit + half,
        }
    return {
        "conf_low": np.full(len(mean), -np.inf),
        "conf_high": np.full(len(mean), np.inf),
    }


def _notes(
    blocks: Blocks, columns: dict[str, Any], signs: Signs, level: float
) -> tuple[str, ...]:
    """Return the notes for readers."""
    drawn = (
        f"all {signs.count} sign flips enumerated: no Monte Carlo error"
        if signs.listed
        else f"{signs.count} random sign flips, seed {signs.seed}"
    )
    notes = [drawn]
    notes += tied_note(columns["statistic"])
    if blocks.strata is not None:
        notes += few_cases_note(blocks.strata, "max_t, weighted, few cases")
    if blocks.ranked is not None and blocks.ranked.tasks is not None:
        units, names = blocks.ranked.units_of_tasks(), blocks.ranked.tasks.names
        what = "case" if blocks.ranked.codes is None else "cluster"
        known = "max_t, ranks, few cases"
        notes += few_units_note(names, units, what, known)
    notes += least_p_note(1 / signs.size, level, "sign flips")
    if np.isinf(columns["conf_low"]).any():
        notes.append(f"too few sign flips for a bounded interval of level {level:g}")
    return tuple(notes)
