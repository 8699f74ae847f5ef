"""Pairs of algorithms by a closed test of permutations within blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import EXCHANGEABLE
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, complete_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import closed_permutation as kernel
from pycompare.kernels import sign_flips
from pycompare.kernels.closed_permutation import SubsetTests
from pycompare.kernels.r_random import checked_count, checked_seed
from pycompare.kernels.ranks import joined_ties
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.block_differences import (
    NO_LIMITS,
    STATISTIC,
    On,
    block_differences,
    centred_errors,
    check_on,
    placement_of,
    positions,
    tied_note,
)
from pycompare.methods.pairs.common import family_pairs, least_p_note
from pycompare.results.result import NOT_AVAILABLE, MayDraw, PairsResult, internal

_ROUNDING_ULPS = 8
"""Scores this many units in the last place apart differ by rounding alone."""
MOST = 10
"""Algorithms at most: 115,975 partitions, and seconds for 1,013 subsets."""
_REFERENCE = (
    "Peritz (1970); Begun & Gabriel (1981) JASA 76, 241-245; Bergmann & Hommel (1988)"
)
_LEVEL = 0.95
_NO_LIMITS_OF_SCORES = f"{NOT_AVAILABLE}: this test gives no confidence intervals"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedPermutationResult(MayDraw, PairsResult):
    """Pairs by the closed test of exchangeable algorithms; see ``PairsResult``.

    Attributes
    ----------
    on : {"scores", "ranks"}
    n_permutations : int
        Random permutations of each subset that has more different ones.
    n_listed, n_drawn : int
        Subsets with all permutations listed, and with random ones. On ranks, pairs are
        neither: their p-values are exact sums.
    seed : int or None
        None if nothing was random.
    blocks : Blocks
        The scores that were compared.
    """

    r_named: ClassVar[bool] = True

    on: On
    n_permutations: int
    n_listed: int
    n_drawn: int
    seed: int | None
    blocks: Blocks = internal()

    @property
    def measured(self) -> tuple[str, int]:
        """The metric's name, and how many blocks were compared."""
        return self.blocks.metric.name, len(self.blocks.values)

    @property
    def gives_limits(self) -> bool:
        """Never: exchanges give p-values alone."""
        return False

    @property
    def n_blocks(self) -> int:
        """Independent blocks."""
        return len(self.blocks.values)

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
        return f"{self.on}/closed-permutation"

    def r_call(self) -> RCall:
        """Return the call that draws the same permutations in R."""
        arguments = {
            **self.blocks.r_arguments(),
            "on": self.on,
            "control": self.control or "",
            "permutations": self.n_permutations,
            "seed": self.seed,
        }
        files = ("ranks", "adjust", "sign_flips", "max_t", "closed_permutation")
        return RCall(files, "closed_permutation_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns of the table."""
        names = ["estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"]
        names += ["conf_low", "conf_high"]
        return self.columns_in_r(*names)


@checked
def closed_permutation(
    scores: Scores,
    *,
    metric: str | None = None,
    on: On = "ranks",
    control: str | None = None,
    permutations: int = 9999,
    seed: int = 1,
    decimals: int | None = None,
) -> ClosedPermutationResult:
    """Compare pairs of algorithms by a closed permutation test.

    For few blocks: with 8 of them a pair alone cannot have a p-value below 0.0078, and
    no adjustment of such p-values rejects much; sets of algorithms can.

    Parameters
    ----------
    scores : Scores
        Complete table of at most 10 algorithms.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    on : {"ranks", "scores"}
        The permuted values: ranks among all algorithms, or scores.
    control : str, optional
        Compare each algorithm with this one only.
    permutations : int, default 9999
        Number of random permutations of each subset. If a subset has no more than
        so many different ones, all are listed instead: (m!)^(n - 1) for m algorithms
        and n blocks, and m times as many for 3 and more with a control.
    seed : int, default 1
        From 0 to 2147483647; not used if all are listed. R draws the same
        permutations by ``set.seed(seed)``.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    ClosedPermutationResult
        ``p_value`` is that of the pair alone, on ranks that of
        ``rank_pairs(p_value="sign-flips")``; ``p_adjusted`` that of the closed test.
        There are no intervals.

    Raises
    ------
    DesignError
        If cells are missing, or there are more than 10 algorithms.
    InputError
        For an unknown name or word, or a seed that R cannot take.

    Notes
    -----
    H_ij: swapping algorithms i and j within blocks leaves the joint distribution as it
    is. A subset S has the statistic max |sum D_ij| / sqrt(sum D_ij^2) over its pairs,
    and the p-value p_S of permuting what S has in each block, block by block. A
    partition P with groups S_1, ..., S_r of m_i >= 2 algorithms, n of them together,
    has p_P = min_i 1 - (1 - p_i)^(n / m_i), and a pair the largest p_P of all
    partitions that keep it together.

    The error rate is that of ``ranks/closed-permutation`` or
    ``scores/closed-permutation`` in the ledger (``pycompare.results.guarantees``);
    ``validation/FAMILY_WISE.md`` has the rows that show it. Its proof: (1) Swaps
    generate all permutations, so whatever hypotheses are true, they are those of one
    partition P, and given what each group has in each block the orders of different
    groups are independent, and so are their p_i, with P(p_i <= u) <= u. (2) Hence
    P(p_P > alpha) = prod P(p_i > 1 - (1 - alpha)^(m_i / n)) >= prod (1 - alpha)^(m_i /
    n) = 1 - alpha. (3) A true pair is rejected only if p_P <= alpha.

    Tukey and Welsch's levels, alpha for subsets of all or all but one and
    1 - (1 - alpha)^(m / a) for the others (Peritz's procedure), follow from these
    and are never sharper. Beside a control the statistic of a set is the largest over
    its pairs with the control, and the adjusted p-value of a pair the largest p_S of
    all sets that hold both. A rejection means that the two
    are not exchangeable; on scores, unequal variances alone may lead to it.

    The time grows with 2^a: 0.2 s for 6 algorithms and 10 blocks, 10 s for 10.

    R: derivation, the same permutations by ``array(runif(a * n * count), c(a, n,
    count))``.

    References
    ----------
    .. [1] Begun, J. M., Gabriel, K. R. (1981). JASA 76, 241-245.
    .. [2] Bergmann, B., Hommel, G. (1988). Springer, 100-115.
    .. [3] Marcus, R., Peritz, E., Gabriel, K. R. (1976). Biometrika 63, 655-660.

    Examples
    --------
    >>> import pycompare as pc
    >>> few = pc.example().select(blocks=pc.example().blocks[:8])
    >>> found = pc.closed_permutation(few, permutations=999, seed=7)
    >>> found.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2)
      algorithm_1 algorithm_2  p_adjusted
    0        C4.5        1-NN    0.104000
    1        C4.5  NaiveBayes    0.375921
    """
    check_on(on)
    checked = checked_seed(seed)
    count = checked_count("permutations", permutations)
    refuse_clusters_of_blocks(scores, "closed_permutation")
    blocks = complete_blocks(scores, metric, decimals, method="closed_permutation")
    _require_few(blocks)
    pairs = family_pairs(blocks.algorithms, control)
    at = None if control is None else blocks.algorithms.index(control)
    tests = _subset_tests(blocks, on, count, checked, at)
    a = len(blocks.algorithms)
    first, second = np.array(pairs).T
    columns: dict[str, Any] = {
        **block_differences(blocks, pairs, on).sums(),
        "p_value": tests.p[(1 << first) | (1 << second)],
        "p_adjusted": kernel.adjusted_pairs(tests.p, a)
        if at is None
        else kernel.adjusted_control(tests.p, a, at),
    }
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        positions=positions(blocks, on),
        method=f"permutation tests of {on} within blocks",
        **placement_of(blocks, on).difference(),
        statistic_name=STATISTIC,
        hypotheses=EXCHANGEABLE,
        adjust="closed-permutation",
        interval=NO_LIMITS if on == "ranks" else _NO_LIMITS_OF_SCORES,
        level=_LEVEL,
        reference=_REFERENCE,
        notes=_notes(columns, tests, count, checked, on == "ranks"),
        on=on,
        n_permutations=count,
        n_listed=tests.n_listed,
        n_drawn=tests.n_drawn,
        seed=checked if tests.n_drawn else None,
    )
    return ClosedPermutationResult(**fields)


def _require_few(blocks: Blocks) -> None:
    """Reject more algorithms than partitions and subsets can be listed for."""
    a = len(blocks.algorithms)
    if a > MOST:
        raise DesignError(
            f"closed_permutation lists the subsets of at most {MOST} algorithms, and "
            f'there are {a}; use rank_pairs(p_value="sign-flips") or max_t'
        )


def _subset_tests(
    blocks: Blocks, on: On, count: int, seed: int, control: int | None
) -> SubsetTests:
    """Test all subsets; on ranks the pairs exactly."""
    if on == "scores":
        return kernel.subset_tests(
            joined_ties(blocks.values, _ROUNDING_ULPS), count, seed, control=control
        )
    doubled = np.rint(2 * blocks.ranks()).astype(np.int64)
    n, a = doubled.shape

    def pair_p(pairs: Ints) -> Floats:
        d = (doubled[:, pairs[:, 0]] - doubled[:, pairs[:, 1]]).T
        exact = sign_flips.exact_for(n, 2 * (a - 1))
        return sign_flips.two_sided(d, exact=exact)

    return kernel.subset_tests(doubled.astype(float), count, seed, pair_p, control)


def _notes(
    columns: dict[str, Any],
    tests: SubsetTests,
    count: int,
    seed: int,
    exact_pairs: bool,
) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = []
    if exact_pairs:
        notes.append(f"{len(columns['statistic'])} pairs: exact sums of signs")
    if tests.n_listed:
        notes.append(f"{counted(tests.n_listed, 'subset')}: all permutations listed")
    if tests.n_drawn:
        notes.append(
            f"{counted(tests.n_drawn, 'subset')}: {count} random permutations, "
            f"seed {seed}"
        )
        notes += least_p_note(1 / (count + 1), _LEVEL, "permutations")
    return (*notes, *tied_note(columns["statistic"]))
