"""Comparisons of pairs of algorithms by their mean ranks, after any rank test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.hypotheses import EXCHANGEABLE, MEAN_RANKS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import unknown_control
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints, StdError
from pycompare.data.blocks import Blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import friedman_exact, sign_flips, studentized_range
from pycompare.methods.pairs.adjusted_pairs import AdjustedPairs
from pycompare.methods.pairs.block_differences import centred_errors
from pycompare.methods.pairs.common import (
    PairIndex,
    column_of,
    ends_of,
    least_p_note,
    pair_index,
    pairs_family,
)
from pycompare.methods.ranks.common import ALL_TIED
from pycompare.methods.ranks.known import RANKINGS, RankMethod, positions_of
from pycompare.methods.ranks.positions import Positions
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
    family_adjustment,
    monotone_option,
    nemenyi_from_z,
)
from pycompare.results.result import NOT_AVAILABLE, internal

_SAME_Z = 1e-11
"""Two z after least squares that agree to eleven digits are one."""
RankPValue = Literal["normal", "exact", "sign-flips"]
_OF_FLIPS = ("sign-flips", "sign-flips-saddlepoint")
"""Sources of p-values of sign flips."""
_MULTIPLY = ("bergmann-hommel", "shaffer", "shaffer-dynamic", "holm", "bonferroni")
"""Adjustments that multiply the smallest p-value by the number of pairs."""
FLIPS_ADJUST, FLIPS_ADJUST_CONTROL = "bergmann-hommel", "holm"
"""What adjusts the p-values of sign flips if a plan says no more."""
_NO_INTERVAL = (
    f"{NOT_AVAILABLE}: this test gives no confidence intervals for rank differences"
)
_SMALLER = "; sets of algorithms have smaller ones (closed_permutation, max_t)"
_EXACT_FLIPS = "p-values are exact: all signs of the blocks' rank differences"
_SADDLEPOINT = (
    "p-values are saddlepoint approximations to all signs of the blocks' rank "
    "differences: relative error below 0.002 if p is above 1e-12"
)
_ROUGH = {2: 0.078, 3: 0.062}
"""Algorithms to the largest error of z at alpha = 0.05: 21 and 11 blocks, exactly."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RankPairsResult(AdjustedPairs):
    """Pairs of mean ranks; see ``PairsResult``.

    ``conf_low`` and ``conf_high`` are comparison intervals; see ``rank_pairs``.

    Attributes
    ----------
    std_error_rule : str
        ``textbook``, ``permutation`` or ``sign-flips``.
    p_source : str
        ``normal``, ``exact``, ``sign-flips`` (all signs, exactly) or
        ``sign-flips-saddlepoint`` (too many blocks for that).
    rank_method : str
        ``friedman``, ``aligned``, ``quade`` or ``skillings-mack``.
    monotone : bool
        Whether Bergmann-Hommel's adjusted p-values were forced to rise with p.
    blocks : Blocks
        The scores that were ranked.
    """

    interval_name: ClassVar[str] = "comparison interval"
    interval_note: ClassVar[str] = (
        "A comparison interval excludes 0 if this criterion finds the difference "
        "significant. It is not a confidence interval, and may reach beyond the "
        "possible mean ranks."
    )
    std_error_rule: str
    p_source: str
    rank_method: str
    monotone: bool
    ranked: Ranked = internal()

    def adjusted_columns(self, chosen: Adjustment, monotone: bool) -> dict[str, Floats]:
        """Return the adjusted p-values of this table alone."""
        return {"p_adjusted": _adjusted(self, chosen, monotone)}

    def words_of(self, chosen: Adjustment, monotone: bool) -> dict[str, Any]:
        """Return the fields that an adjustment changes."""
        return {
            "adjust": chosen.name,
            "monotone": monotone,
            "notes": _notes(self, chosen),
        }

    @property
    def called(self) -> str:
        """What a plan calls the method."""
        usual = FLIPS_ADJUST if self.control is None else FLIPS_ADJUST_CONTROL
        return "sign-flips" if self.flips and self.adjust == usual else self.adjust

    @property
    def flips(self) -> bool:
        """Whether the p-values are of sign flips."""
        return self.p_source in _OF_FLIPS

    @property
    def gives_limits(self) -> bool:
        """Whether there are comparison intervals: not of exchanged signs."""
        return self.std_error_rule != "sign-flips"

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return True

    @property
    def least(self) -> Floats:
        """Smallest adjusted p-value that each pair can have with so many blocks."""
        return _least_adjusted(self, self.adjust)

    def centred_errors(self, estimate: Floats, std_error: Floats) -> Floats:
        """Return standard errors about the mean difference; none of z tests.

        Their standard error is that of algorithms that are all alike.
        """
        if self.flips:
            return centred_errors(self.blocks, estimate, std_error)
        return np.full(len(std_error), np.nan)

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        source = "sign-flips" if self.flips else self.p_source
        return f"{RANKINGS[self.rank_method].basis}/{source}"

    def r_call(self) -> RCall:
        """Return the call of the R function for pairs of mean ranks."""
        arguments = {
            **self.blocks.r_arguments(),
            "method": self.rank_method,
            "std_error": "permutation" if self.flips else self.std_error_rule,
            "p_value": self.p_source,
            **self.r_adjusting(),
            "monotone": self.monotone,
        }
        of_method = RANKINGS[self.rank_method].r_files
        needed = "sign_flips" if self.flips else "studentized_range"
        files = ("ranks", *of_method, needed, "adjust", "rank_pairs")
        return RCall(files, "rank_pairs_reference", arguments, ("adjust", "monotone"))

    @property
    def is_monotone(self) -> bool:
        """Whether adjusted p-values were forced to rise with the raw ones."""
        return self.monotone

    @property
    def on_a_line(self) -> bool:
        """Whether p-values fall with the distance of mean ranks."""
        return self.rank_method != "skillings-mack" and self.normal

    @property
    def normal(self) -> bool:
        """Whether z has a normal distribution, and so intervals."""
        return not self.flips


@checked
def rank_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    method: RankMethod = "friedman",
    adjust: str = "bergmann-hommel",
    control: str | None = None,
    std_error: StdError | None = None,
    p_value: RankPValue = "normal",
    decimals: int | None = None,
    level: float = 0.95,
    monotone: bool = False,
) -> RankPairsResult:
    """Compare pairs of algorithms by mean ranks, with adjusted p-values.

    Parameters
    ----------
    scores : Scores
        Complete table; for ``method="skillings-mack"`` cells may be missing.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    method : {"friedman", "aligned", "quade", "skillings-mack"}
        Which ranks.
    adjust : str, default "bergmann-hommel"
        Any name of ``pc.adjust``. With a control the logical methods (``shaffer``,
        ``bergmann-hommel``, ...) have no meaning and are rejected; take ``holm``.
    control : str, optional
        Compare this algorithm with all others (a - 1 tests) instead of all pairs.
    std_error : {"textbook", "permutation"}, optional
        ``textbook``: sqrt(a (a + 1) / (6 n)) for Friedman ranks, and García et al.
        (2010) for aligned and Quade ranks. ``permutation``: the standard error under
        permutations within blocks, ties included, the one that the omnibus test uses:
        with two algorithms z^2 is the omnibus statistic. Default: ``textbook`` for
        Friedman (Demšar; García and Herrera), ``permutation`` for the others, whose
        textbook forms leave out the blocks (see DIFFERENCES.md). Not with
        ``p_value="sign-flips"``, which has its own.
    p_value : {"normal", "exact", "sign-flips"}
        ``normal``: two-sided tail of z. ``exact``, for Friedman ranks only: the
        distribution of the difference of two rank sums if all algorithms are alike,
        given the ties (Eisinga et al. 2017); for small tables. ``sign-flips``, for
        complete tables: the two algorithms alone, whatever the others do. If swapping
        the two leaves the joint distribution within blocks as it is, each block's
        difference of ranks has either sign with probability 1/2, and p is the exact
        share of all 2^n signs whose sum is at least as large.
    decimals : int, optional
        Round scores to so many decimals first.
    level : float
        Level of the comparison intervals: difference -+ critical difference, by the
        studentised range for all pairs (Nemenyi), Bonferroni-Dunn against a control;
        NaN with ``sign-flips``. They exclude 0 just when that criterion rejects. Their
        standard error is that of algorithms that are all alike, so they are no
        confidence intervals, and may reach beyond the possible mean ranks.
    monotone : bool
        Only for ``bergmann-hommel``; see ``pc.adjust``.

    Returns
    -------
    RankPairsResult
        ``estimate`` is the mean rank of algorithm_1 minus that of algorithm_2:
        negative means algorithm_1 is better. ``statistic`` is z, two-sided; with
        ``sign-flips`` the standard error is that of the signs, sqrt(sum D^2) / n.

    Raises
    ------
    DesignError
        If cells are missing if the method needs them.
    InputError
        For unknown words, an unknown control, a method that does not fit.

    Notes
    -----
    Equations 3.6, 3.8 of docs/equations.md.

    R: ``2 * pnorm(-abs(z))`` and ``p.adjust``; scmamp's ``friedmanPost``;
    ``PMCMRplus::frdAllPairsExactTest``.

    Standard errors and exact distributions are those of a table in which all
    algorithms are alike. If two algorithms are equal while others differ, they may be
    too small or too large, and the result for a pair depends on the other algorithms
    (Benavoli et al. 2016).

    ``sign-flips`` has no such condition. Its hypotheses "i and j are exchangeable
    within blocks" are transitive, since swaps generate all permutations, so Bergmann
    and Hommel's and Shaffer's procedures are allowed. A rejection means that the two
    are not exchangeable. Aligned ranks and Quade's weighted ranks have sign flips too:
    a swap changes neither a block's mean nor its range. The ledger
    (``pycompare.results.guarantees``) has the error rates of all of these under
    ``ranks/...``, ``aligned-ranks/...``, ``quade-ranks/...`` and
    ``skillings-mack/...``, and ``validation/FAMILY_WISE.md`` the rows that show them.
    Beyond n^2 max|2D| = 4e6 or 1000 blocks the p-value is
    a saddlepoint approximation; ``p_source`` states this. R: derivation;
    ``coin::symmetry_test(distribution = "exact")``.

    References
    ----------
    .. [1] Demšar, J. (2006). JMLR 7, 1-30, sec. 3.2.2.
    .. [2] García, S., Herrera, F. (2008). JMLR 9, 2677-2694.
    .. [3] García, S. et al. (2010). Information Sciences 180, 2044-2064.
    .. [4] Eisinga, R. et al. (2017). BMC Bioinformatics 18, 68.
    .. [5] Benavoli, A., Corani, G., Mangili, F. (2016). JMLR 17(5), 1-10.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.rank_pairs(pc.example(), p_value="sign-flips")
    >>> found.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2)
      algorithm_1 algorithm_2  p_adjusted
    0        C4.5        1-NN    0.006664
    1        C4.5  NaiveBayes    1.000000
    """
    check_level(level)
    if isinstance(scores, Scores) and control not in (None, *scores.algorithms):
        raise InputError(unknown_control(str(control), scores.algorithms))
    flips = p_value == "sign-flips"
    chosen = family_adjustment(adjust, EXCHANGEABLE if flips else MEAN_RANKS, control)
    monotone_option(chosen, monotone)
    _check_flips(flips, method, std_error)
    refuse_clusters_of_blocks(scores, "rank_pairs")
    ranks = ranked(scores, metric, decimals, method, std_error)
    tests = pairs_of_ranks(ranks, p_value=p_value, control=control, level=level)
    adjusted: RankPairsResult = tests.adjusted(adjust, monotone=monotone)
    return adjusted


@dataclass(frozen=True, eq=False)
class Ranked:
    """Scores that were ranked, whatever is tested of them.

    Attributes
    ----------
    blocks : Blocks
    positions : Positions
    method, rule : str
        As ``rank_method`` and ``std_error_rule`` of the pairs.
    """

    blocks: Blocks
    positions: Positions
    method: RankMethod
    rule: StdError

    def raw_columns(self, control: str | None) -> dict[str, Any]:
        """Return the columns of unadjusted z tests, made once for all adjustments."""
        if control not in self._raw:
            pairs = pair_index(self.blocks.algorithms, control)
            self._raw[control] = _raw_columns(self.positions, pairs)
        return dict(self._raw[control])

    @cached_property
    def _raw(self) -> dict[str | None, dict[str, Any]]:
        return {}


def ranked(
    scores: Scores,
    metric: str | None,
    decimals: int | None,
    method: RankMethod,
    std_error: StdError | None = None,
) -> Ranked:
    """Rank the scores by one method."""
    rule = std_error or ("textbook" if method == "friedman" else "permutation")
    return Ranked(*positions_of(scores, metric, decimals, method, rule), method, rule)


def pairs_of_ranks(
    ranks: Ranked, *, p_value: RankPValue, control: str | None, level: float
) -> RankPairsResult:
    """Compare pairs of ranked algorithms, without any adjustment."""
    flips = p_value == "sign-flips"
    _check_flips(flips, ranks.method, None)
    blocks, positions = ranks.blocks, ranks.positions
    pairs = pair_index(blocks.algorithms, control)
    columns = ranks.raw_columns(control)
    if p_value == "exact":
        columns["p_value"] = _exact_p_values(blocks, ranks.method, pairs)
    elif flips:
        columns |= _flipped_columns(positions, pairs)
    elif p_value != "normal":
        raise InputError(
            f"p_value={p_value!r}: choose 'normal', 'exact' or 'sign-flips'"
        )
    columns["p_adjusted"] = columns["p_value"]
    columns |= _intervals(columns, len(blocks.algorithms), control, level, p_value)
    source = _flips_source(positions) if flips else p_value
    return RankPairsResult(
        table=Columns(columns),
        positions=blocks.per_algorithm(positions.sums / positions.unit),
        method=_method_title(positions, ranks.rule, source),
        **positions.placement.difference(),
        statistic_name="z",
        hypotheses=EXCHANGEABLE if flips else MEAN_RANKS,
        adjust="none",
        family=pairs_family(blocks, control),
        interval=_interval_title(control, p_value),
        level=level,
        control=control,
        reference=positions.reference,
        std_error_rule="sign-flips" if flips else ranks.rule,
        p_source=source,
        rank_method=ranks.method,
        monotone=False,
        blocks=blocks,
        ranked=ranks,
    )


def _check_flips(flips: bool, method: str, std_error: str | None) -> None:
    """Reject what sign flips cannot be combined with."""
    if not flips:
        return
    if method == "skillings-mack":
        raise InputError(
            "p_value='sign-flips' needs a complete table, and method='skillings-mack' "
            "is for missing cells; choose p_value='normal', or another method"
        )
    if std_error is not None:
        raise InputError(
            f"std_error={std_error!r} does not apply with p_value='sign-flips', which "
            f"has the standard error of the signs; leave it out"
        )


def _method_title(positions: Positions, rule: str, source: str) -> str:
    """Name the test of the pairs."""
    title = positions.placement.title
    return {
        "normal": f"z test of {title}, {rule} standard error",
        "exact": f"exact test of {title}",
        "sign-flips": f"exact sign-flip test of {title}",
        "sign-flips-saddlepoint": f"sign-flip test of {title}, saddlepoint "
        "approximation",
    }[source]


def _interval_title(control: str | None, p_value: str) -> str:
    """Name the intervals, or state why there are none."""
    if p_value == "sign-flips":
        return _NO_INTERVAL
    if control is None:
        return "simultaneous, studentised range (Nemenyi)"
    return "simultaneous, Bonferroni-Dunn"


def _notes(pairs: RankPairsResult, chosen: Adjustment) -> tuple[str, ...]:
    """Return the notes for readers."""
    p, statistic = pairs.as_columns()["p_value"], pairs.as_columns()["statistic"]
    source, a = pairs.p_source, len(pairs.algorithms)
    notes = [ALL_TIED] if np.isnan(p).any() else []
    if source == "normal" and a in _ROUGH:
        notes.append(
            f"the normal approximation is rough for {a} algorithms: the family-wise "
            f"error of alpha = 0.05 can be {_ROUGH[a]} with 6 blocks or more; "
            "p-values by sign flips are exact"
        )
    if pairs.flips:
        notes.append(_EXACT_FLIPS if source == "sign-flips" else _SADDLEPOINT)
        least = float(_least_adjusted(pairs, chosen.name).min())
        notes += least_p_note(least, pairs.level, "blocks", _SMALLER)
        if tied := int(np.isnan(statistic).sum()):
            notes.append(f"{tied} of {len(statistic)} pairs tie in every block: p = 1")
    return tuple(notes)


def _raw_columns(positions: Positions, pairs: PairIndex) -> dict[str, Any]:
    """Return the pairs with estimate, standard error, z and raw p-value."""
    first, second = pairs.first, pairs.second
    estimate = (positions.sums[first] - positions.sums[second]) / positions.unit
    error = positions.std_errors[first, second]
    if positions.common:
        error = np.broadcast_to(error[0], len(error))
    z = estimate / error
    if not positions.common:
        z = _joined_ties(z)
    return {
        **pairs.labels,
        "estimate": estimate,
        "std_error": error,
        "statistic": z,
        "df": np.broadcast_to(np.inf, len(z)),
        "p_value": np.minimum(1.0, 2 * special.ndtr(-np.abs(z))),
    }


def _exact_p_values(blocks: Blocks, method: str, pairs: PairIndex) -> Floats:
    """Return the exact p-values of pairs of Friedman ranks."""
    if method != "friedman":
        raise InputError(
            f"exact p-values of pairs are for method='friedman', not {method!r}; "
            "choose " + setting("p_value", "normal")
        )
    first, second = pairs.first, pairs.second
    return friedman_exact.pair_p_values(blocks.ranks())[first, second]


def _flips_source(positions: Positions) -> str:
    """Return whether all signs can be added up exactly, by the table's size."""
    exact = sign_flips.exact_for(len(positions.cells), positions.largest)
    return "sign-flips" if exact else "sign-flips-saddlepoint"


def _flipped_columns(positions: Positions, pairs: PairIndex) -> dict[str, Floats]:
    """Return what random signs of each pair's differences give."""
    first, second = pairs.first, pairs.second
    d = (positions.cells[:, first] - positions.cells[:, second]).T
    exact = _flips_source(positions) == "sign-flips"
    length = np.sqrt(np.sum(np.square(d), axis=1, dtype=float))
    length[length == 0] = math.nan  # the two tie in every block
    return {
        "std_error": length / positions.parts / positions.unit,
        "statistic": d.sum(axis=1) / length,
        "p_value": sign_flips.two_sided(d, exact=exact),
    }


def _least_adjusted(tests: RankPairsResult, adjust: str) -> Floats:
    """Return how small the adjusted p-value of each pair can be; 0: not known.

    No adjustment makes a p-value smaller, and some multiply the smallest one by the
    number of pairs.
    """
    n, a = tests.blocks.values.shape
    m = len(tests.as_columns())
    if tests.rank_method == "skillings-mack":
        return np.zeros(m)
    if tests.p_source == "normal":
        # First in all blocks, against last; aligned ranks are those of all scores.
        farthest = (a - 1) * (n if RANKINGS[tests.rank_method].of_all_cells else 1)
        error = tests.as_columns()["std_error"]
        if error.strides == (0,):  # one number for all
            error = error[:1]
        z = farthest / error  # NaN: all tie
        if adjust == "nemenyi":
            return np.broadcast_to(np.nan_to_num(nemenyi_from_z(z, a)), m)
        least = np.nan_to_num(2 * special.ndtr(-z))
    elif tests.p_source == "exact":
        # Of a (a - 1) places in a block the two hold one that is as far apart.
        least = np.array([2 * (a * (a - 1.0)) ** -n])
    else:
        # One sign in all blocks in which the two differ.
        pairs = pair_index(tests.blocks.algorithms, tests.control)
        cells = tests.ranked.positions.cells
        untied = np.sum(cells[:, pairs.first] != cells[:, pairs.second], axis=0)
        least = np.minimum(1.0, 2.0 ** (1 - untied))
    if adjust in _MULTIPLY:
        least = np.maximum(least, np.minimum(1.0, m * least.min()))
    return np.broadcast_to(least, m)


def _joined_ties(z: Floats) -> Floats:
    """Make z equal in size that differ by the rounding of a least-squares fit only.

    Shaffer's dynamic procedure asks which p-values are smaller; if they tie on paper
    the last bits must not answer.
    """
    size = np.abs(z)
    order = np.argsort(size, kind="stable")
    ordered = size[order]
    # Of NaN, which come last, no difference is small.
    begins = ~(np.diff(ordered, prepend=-1.0) <= _SAME_Z * ordered)
    begins[:1] = True
    first = np.maximum.accumulate(np.where(begins, np.arange(len(z)), 0))
    joined = np.empty_like(size)
    joined[order] = ordered[first]
    return np.copysign(joined, z)


def _adjusted(pairs: RankPairsResult, chosen: Adjustment, monotone: bool) -> Any:
    """Adjust p-values over one table."""
    positions = pairs.ranked.positions
    options = monotone_option(chosen, monotone)
    if chosen.name == "nemenyi" and pairs.p_source == "normal":
        a, z = len(positions.sums), pairs.as_columns()["statistic"]
        return column_of(len(z), lambda rows: nemenyi_from_z(z[rows], a))
    # p-values of sign flips do not fall with distance.
    line = positions.sums if positions.common and not pairs.flips else None
    p = pairs.as_columns()["p_value"]
    return adjust_family(p, len(positions.sums), chosen, options, line)


def _intervals(
    columns: dict[str, Any], a: int, control: str | None, level: float, p_value: str
) -> dict[str, Any]:
    """Return the limits of simultaneous comparison intervals of the differences."""
    estimate, error = columns["estimate"], columns["std_error"]
    m = len(estimate)
    if p_value == "sign-flips":
        none = np.broadcast_to(np.nan, m)
        return {"conf_low": none, "conf_high": none}
    if control is None:
        critical = nemenyi_quantile(a, 1 - level)
    else:
        critical = -special.ndtri((1 - level) / (2 * (a - 1)))

    def limits(rows: Ints) -> tuple[Floats, Floats]:
        half = critical * error[rows]
        return estimate[rows] - half, estimate[rows] + half

    low, high = ends_of(m, limits)
    return {"conf_low": low, "conf_high": high}


@lru_cache(maxsize=256)
def nemenyi_quantile(a: int, alpha: float) -> float:
    """Return q_alpha / sqrt(2), q of the studentised range with infinite df."""
    return float(studentized_range.isf(alpha, a, np.inf)) / math.sqrt(2)
