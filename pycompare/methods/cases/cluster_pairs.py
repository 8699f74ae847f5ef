"""Pairs of algorithms on cases that come in clusters: cluster-robust t tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pycompare.base.arguments import alpha_or_level
from pycompare.base.checked import checked
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints, PairIndices
from pycompare.data.blocks import Blocks, cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import cluster_means as kernel
from pycompare.kernels import student
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.block_differences import block_differences, placement_of
from pycompare.methods.pairs.common import family_pairs, together
from pycompare.methods.pairs.flipped import LARGE, own_columns
from pycompare.methods.pairs.last_step import TPairs
from pycompare.results.adjust import family_adjustment

_REFERENCE = (
    "Bell & McCaffrey (2002) Survey Methodology 28, 169-181; Pustejovsky & Tipton "
    "(2018) J. Bus. Econ. Statist. 36, 672-683"
)
_NEAR = 1e-2
"""Squares so small, relative to those of both columns, are computed of differences."""
FEW_DF = 4.0
"""Satterthwaite's approximation is poor below (Pustejovsky and Tipton 2018)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterPairsResult(TPairs):
    """Cluster-robust t tests of pairs; see ``PairsResult``.

    ``estimate`` is the mean over cases of algorithm_1 minus algorithm_2, in the
    metric's own unit.

    Attributes
    ----------
    n_cases, n_clusters : int
    blocks : Blocks
        Totals of the clusters.
    alpha, level
        As in ``TPairs``: of intervals that agree with decisions, or hold together.
    """

    differences: ClassVar[str] = "mean"

    n_cases: int
    n_clusters: int

    @property
    def clustered(self) -> bool:
        """Blocks are clusters."""
        return True

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "cases/cluster-t"

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "sizes": self.blocks.cases,
            **self.r_adjusting(),
        }
        files = ("ranks", "adjust", "cluster_pairs")
        return RCall(files, "cluster_pairs_reference", arguments, self.of_family)


@checked
def cluster_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "bergmann-hommel",
    control: str | None = None,
    alpha: float | None = None,
    level: float | None = None,
) -> ClusterPairsResult:
    """Compare pairs of algorithms on clustered cases by cluster-robust t tests.

    Parameters
    ----------
    scores : Scores
        Complete table whose blocks are cases in clusters (``Scores.clusters``), right
        or wrong, or graded. Without clusters each case is its own, and the tests are
        paired t tests.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "bergmann-hommel"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs, such as ``holm``. Equal means are transitive.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha, level : float, optional
        As in ``paired_t_pairs``: intervals agree with decisions at alpha, or hold
        together with the level (0.95 if neither is given).

    Returns
    -------
    ClusterPairsResult
        ``std_error`` is that of CR2, ``df`` Satterthwaite's: the number of clusters
        minus 1 if all have one size, fewer if sizes differ much. A pair whose
        differences have no variance between clusters has an infinite t, or, with equal
        totals, p = 1.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        For an unknown name, or both of alpha and level.

    Notes
    -----
    Equation 10.5 of docs/equations.md.

    R: ``clubSandwich::vcovCR(lm(d ~ 1), cluster, "CR2")`` and ``coef_test`` with
    Satterthwaite's degrees of freedom, of each pair.

    Clusters must be independent. The conclusion concerns cases of clusters like these.
    With few clusters ``pc.max_t`` flips whole clusters; ``validation/CASES.md`` has the
    level and coverage of both for 5 to 50 clusters.

    References
    ----------
    .. [1] Bell, R. M., McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.
    .. [2] Pustejovsky, J. E., Tipton, E. (2018). J. Bus. Econ. Statist. 36, 672-683.
    .. [3] Hoeffding, W. (1963). JASA 58, 13-30.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> text = np.repeat(np.arange(12), 5)
    >>> level = rng.normal(size=12)[text]
    >>> table = {"text": [f"t{i}" for i in text]}
    >>> for name, skill in (("A", 0.8), ("B", 0.0), ("C", 0.1)):
    ...     table[name] = (level + skill + rng.normal(size=60) > 0).astype(int).tolist()
    >>> scores = pc.Scores.from_wide(
    ...     table, metric="accuracy", better="higher", cluster="text",
    ...     algorithms=["A", "B", "C"],
    ... )
    >>> found = pc.cluster_pairs(scores)
    >>> found.table[["algorithm_1", "algorithm_2", "estimate", "df"]].round(3)
      algorithm_1 algorithm_2  estimate    df
    0           A           B     0.217  11.0
    1           A           C     0.150  11.0
    2           B           C    -0.067  11.0
    """
    alpha, level = alpha_or_level(alpha, level, joint=True)
    family_adjustment(adjust, MEANS, control)
    cases = complete_blocks(scores, metric, None, method="cluster_pairs")
    blocks = cluster_totals(cases, scores.clusters)
    pairs = family_pairs(blocks.algorithms, control)
    columns, _ = robust_columns(blocks, pairs, 1 - (1 - level) / len(pairs))
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        positions=blocks.per_algorithm(blocks.means()),
        method="cluster-robust t tests",
        **placement_of(blocks, "scores").difference(),
        statistic_name="t",
        hypotheses=MEANS,
        interval=together(level, len(pairs)),
        level=level,
        alpha=alpha,
        reference=_REFERENCE,
        notes=_notes(columns, len(blocks.values), len(cases.values)),
        n_cases=len(cases.values),
        n_clusters=len(blocks.values),
    )
    adjusted: ClusterPairsResult = ClusterPairsResult(**fields).adjusted(adjust)
    return adjusted


def robust_columns(
    blocks: Blocks, pairs: PairIndices, level: float
) -> tuple[dict[str, Floats], int]:
    """Return the numbers of all pairs, and how many benchmarks of pairs are flat.

    A benchmark is flat for a pair that has one difference in all of its blocks.

    With weighted benchmarks variances are summed over them. If t is infinite, p is
    Hoeffding's bound of what flips of whole clusters would give.
    """
    strata = range(blocks.codes.max() + 1)
    own = [kernel.degrees_of_freedom(blocks.cases[blocks.codes == k]) for k in strata]
    large = len(blocks.values) * len(pairs) > LARGE
    compute = _by_columns if large else _by_differences
    mean, error, df, bound, flat = compute(blocks, pairs, np.array(own))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / error
    half = student.half_widths(error, df, (1 - level) / 2)
    p = np.where(np.isinf(t), bound, 2 * student.sf(np.abs(t), df))
    columns = {
        "estimate": mean,
        "std_error": error,
        "statistic": t,
        "df": df,
        "p_value": np.where(np.isnan(t), 1.0, p),
        "conf_low": mean - half,
        "conf_high": mean + half,
    }
    return columns, int(flat.sum())


def _by_differences(
    blocks: Blocks, pairs: PairIndices, df: Floats
) -> tuple[Floats, ...]:
    """Return what ``_numbers`` does, some pairs at a time."""
    step = max(1, LARGE // len(blocks.values))
    chunks = [
        _numbers(blocks, pairs[start : start + step], df)
        for start in range(0, len(pairs), step)
    ]
    return tuple(map(np.concatenate, zip(*chunks, strict=True)))


def _by_columns(blocks: Blocks, pairs: PairIndices, df: Floats) -> tuple[Floats, ...]:
    """Return the same for many pairs, from the products of the algorithms' columns.

    Pairs whose squares would lose digits that way are subtracted first.
    """
    x, unit = own_columns(blocks, "scores")
    exact = blocks.sizes is None and _exact(x)
    first, second = np.array(pairs).T
    mean, square, flat = np.zeros((3, len(pairs)))
    parts, near = [], np.zeros(len(pairs), bool)
    for code in range(len(df)):
        rows = blocks.codes == code
        total, squares, centred, size = _products(
            x[rows], blocks.cases[rows], first, second
        )
        factor = _factor(blocks, code)
        mean += factor * total
        square += factor**2 * squares
        parts.append(factor**2 * centred)
        flat += centred == 0
        near |= (centred < _NEAR * size) & (not exact)
    parts_of = np.array(parts)
    length = np.sqrt(np.where(square > 0, square, np.inf))
    numbers = (
        mean * unit,
        np.sqrt(parts_of.sum(axis=0)) * unit,
        kernel.welch_satterthwaite(parts_of, df),
        _hoeffding(mean / length),
        flat,
    )
    if near.any():
        again = _by_differences(blocks, [pairs[e] for e in np.flatnonzero(near)], df)
        for column, values in zip(numbers, again, strict=True):
            column[near] = values
    return numbers


def _factor(blocks: Blocks, code: int) -> float:
    """Return the weight of a benchmark's sum in the mean."""
    if blocks.strata is None:
        return float(1 / blocks.cases.sum())
    return float(blocks.strata.weights[code] / blocks.strata.counts[code])


def _products(
    x: Floats, sizes: Floats, first: Ints, second: Ints
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return sums, squares and CR2 squares of differences, and cancelled parts."""
    n, scale = sizes.sum(), 1 / (1 - sizes / sizes.sum())
    products, sums = x.T @ x, x.sum(axis=0)
    total = sums[first] - sums[second]
    squares = _of_differences(products, first, second)
    if sizes.max() == 1:  # all of it is whole where the scores are
        centred = (n * squares - total * total) / (n - 1)
    else:
        weighted = x * scale[:, None]
        products, crossed = weighted.T @ x, sizes @ weighted
        mean, cross = total / n, crossed[first] - crossed[second]
        centred = _of_differences(products, first, second)
        centred -= mean * (2 * cross - mean * (scale @ sizes**2))
    diagonal = np.diag(products)
    return (
        total,
        squares,
        np.maximum(centred, 0.0),
        diagonal[first] + diagonal[second],
    )


def _exact(x: Floats) -> bool:
    """Return whether sums of squares of differences, times n, are exact."""
    whole = np.array_equal(x, np.rint(x))
    return bool(whole and 4 * len(x) * np.square(x).sum(axis=0).max() < 2.0**53)


def _of_differences(products: Floats, first: Ints, second: Ints) -> Floats:
    """Return sums of squares of differences of columns from their products."""
    size = np.diag(products)
    return np.asarray(size[first] + size[second] - 2 * products[first, second])


def _hoeffding(flips: Floats) -> Floats:
    """Return the bound of the share of flips with a standardised sum as large."""
    return np.minimum(1.0, 2 * np.exp(-(flips**2) / 2))  # Hoeffding (1963), theorem 2


def _numbers(blocks: Blocks, pairs: PairIndices, df: Floats) -> tuple[Floats, ...]:
    """Return mean, standard error, df, the bound of a flip's p, and flat benchmarks."""
    differences = block_differences(blocks, pairs, "scores")
    parts = kernel.variances(
        differences.centred(), differences.weights, differences.codes
    )
    error = np.sqrt(parts.sum(axis=0)) / differences.weights.sum()
    flips = np.nan_to_num(differences.sums()["statistic"])
    return (
        differences.means() * differences.units,
        error * differences.units,
        kernel.welch_satterthwaite(parts, df),
        _hoeffding(flips),
        differences.flat.sum(axis=0),
    )


def _notes(
    columns: dict[str, Floats], n_clusters: int, n_cases: int
) -> tuple[str, ...]:
    """Return the notes for readers."""
    t, df = columns["statistic"], columns["df"][0]
    notes = [f"{n_cases} cases in {counted(n_clusters, 'cluster')}"]
    if df < FEW_DF:
        notes.append(
            f"{df:.1f} degrees of freedom: the t distribution is a poor approximation; "
            "max_t flips whole clusters"
        )
    if tied := int(np.isnan(t).sum()):
        notes.append(f"{tied} of {len(t)} pairs tie in every cluster: p = 1")
    if constant := int(np.isinf(t).sum()):
        notes.append(
            f"{constant} of {len(t)} pairs have the same difference in every cluster: "
            "t is infinite"
        )
    return tuple(notes)
