"""Sign tests over data sets for every pair of a table of wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.formatting.families import family_text
from pycompare.base.formatting.numbers import percent
from pycompare.base.hypotheses import ONE_SIDED, WINNING
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints, SignTies
from pycompare.kernels import binomial
from pycompare.methods.over_datasets.win_table import WinTable, as_win_table
from pycompare.results.adjust import (
    family_adjustment,
)
from pycompare.results.family import Adjustable
from pycompare.results.placement import Placement
from pycompare.results.result import PairsResult
from pycompare.results.schema import Schema, Turned, changed, column

if TYPE_CHECKING:
    import pandas as pd


SignAlternative = Literal["two-sided", "greater"]

REFERENCE = "Aslan (2009) sec. 4.6; Demšar (2006) JMLR 7, 1-30, sec. 3.1.4"
_NO_DATA = "no data set counts for this pair, so nothing can be tested"


@dataclass(frozen=True, kw_only=True, eq=False)
class SignGridResult(Adjustable, PairsResult):
    """Exact sign tests of pairs over data sets; see ``PairsResult``.

    ``estimate`` is the share of data sets that algorithm_1 loses minus the share that
    it wins, of those that count: negative means that algorithm_1 is better.
    ``positions`` are the mean shares lost against the others, ties counted half.

    Attributes
    ----------
    table : DataFrame
        As in ``PairsResult``, and ``wins ties losses n_used p_smallest``: ``n_used``
        data sets count, and ``p_smallest`` is the smallest adjusted p-value that so
        many allow. ``statistic`` is the number of wins that the test counts. With
        ``alternative="greater"`` one row per ordered pair: is algorithm_1 the more
        frequent winner?
    wins : WinTable
    alternative : {"two-sided", "greater"}
    ties : {"split", "drop"}
    """

    wins: WinTable
    alternative: SignAlternative
    ties: SignTies

    schema: ClassVar[Schema] = (
        *changed(PairsResult.schema, "statistic", turned=Turned("rest", "n_used")),
        column("wins", "count", turned=Turned(column="losses")),
        column("losses", "count", turned=Turned(column="wins")),
    )

    def raw_p(self) -> dict[str, NDArray[np.float64]]:
        """Return the p-values behind each adjusted column."""
        least = binomial.smallest_p(self.as_columns()["n_used"], self.alternative)
        return super().raw_p() | {"p_smallest": least}

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "wins/sign"

    def better(self) -> NDArray[np.bool_]:
        """Return whether row wins over column more often than the other way round."""
        won = self.wins.counts()
        return np.asarray(won > won.T)

    def square(self, column: str = "p_adjusted") -> NDArray[np.float64]:
        """Return one column as a square array; NaN on the diagonal.

        Rows are algorithm_1; with ``alternative="greater"`` each side of the diagonal
        has its own tests: is the row the more frequent winner?
        """
        if self.alternative == "two-sided":
            return super().square(column)
        a = len(self.algorithms)
        square = np.full((a, a), np.nan)
        square[ordered_pairs(a)] = self.as_columns()[column]
        return square

    def r_call(self) -> RCall:
        """Return the call of ``binom.test`` for every pair, adjusted if it is all."""
        arguments = {
            "wins": self.wins.wins.astype(float),
            "n_datasets": float(self.wins.n_datasets),
            "ties": self.ties,
            "alternative": self.alternative,
            "adjust": self.adjust if self.adjusted_here else "none",
            "control": self.control or "",
            "level": self.level,
        }
        return RCall(("adjust", "sign_grid"), "sign_grid_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table."""
        names: tuple[str, ...] = ("estimate", "std_error", "statistic", "df")
        names += ("n_used", "p_value", "conf_low", "conf_high")
        if self.adjusted_here:
            return self.columns_in_r(*names, "p_smallest", "p_adjusted")
        numbers = self.columns_in_r(*names)
        return numbers | {"p_adjusted": numbers["p_value"]}


@checked
def sign_grid(
    wins: WinTable | pd.DataFrame | ArrayLike,
    n_datasets: int | None = None,
    *,
    alternative: SignAlternative = "two-sided",
    adjust: str = "holm",
    ties: SignTies = "split",
    control: str | None = None,
    level: float = 0.95,
) -> SignGridResult:
    """Compare wins over data sets by exact sign tests of pairs.

    Parameters
    ----------
    wins : WinTable, or square DataFrame or array of whole numbers
        Row beats column, on so many data sets: ``pc.wins``, ``pc.threshold_wins``, or a
        published table.
    n_datasets : int, optional
        All data sets, ties included; needed for a frame or an array.
    alternative : {"two-sided", "greater"}
        ``greater`` tests every ordered pair: does the row win more often than the
        column?
    adjust : str, default "holm"
        Over the m = a(a - 1)/2 pairs, or over all 2m ordered pairs: any name of
        ``pc.adjust`` that needs no transitive hypotheses. Aslan (2009) has
        ``bonferroni``.
    ties : {"split", "drop"}
        Data sets without a winner: half of them to each side, an odd one dropped and
        the number of data sets reduced by one (Aslan 2009, sec. 4.6); or none counts.
    control : str, optional
        Compare each other algorithm with this one only; two-sided. Default: that of the
        wins, which may be counted against a control only.
    level : float
        Confidence level of the intervals, together (Clopper-Pearson at
        1 - (1 - level)/m; one-sided for ``greater``).

    Returns
    -------
    SignGridResult
        A pair for which no data set counts has NaN, and is adjusted as if its p-value
        were 1.

    Raises
    ------
    InputError
        For a table that is no table of wins (see ``win_table``), an unknown word, or
        an adjustment for transitive hypotheses (Shaffer, Bergmann-Hommel, Nemenyi).

    Notes
    -----
    Equations 2.6, 7.2 of docs/equations.md.

    R: ``binom.test`` and ``p.adjust``. Aslan (2009), eq. 4.91 prints C(n, x) for the
    C(L, r) that is summed over r (erratum). Data sets must be independent of each
    other; over thresholds of one data set the numbers are descriptive.

    Equal probabilities of winning are not transitive: A may win against B as often as
    it loses, B against C likewise, and A still win against C more often. Shaffer's and
    Bergmann-Hommel's procedures are rejected for that reason. With six ordered
    algorithms and one that wins half the time against each, Bergmann-Hommel rejected a
    true hypothesis in 21% of simulated tables at alpha = 0.05, and Holm in 3%.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 4.6.
    .. [2] Demšar, J. (2006). JMLR 7, 1-30, sec. 3.1.4.

    Examples
    --------
    >>> import pycompare as pc
    >>> grid = pc.sign_grid([[0, 12, 3], [1, 0, 2], [3, 4, 0]], n_datasets=15)
    >>> grid.table[["algorithm_1", "algorithm_2", "p_adjusted"]].round(3)
      algorithm_1 algorithm_2  p_adjusted
    0           1           2       0.022
    1           1           3       1.000
    2           2           3       1.000
    """
    from pycompare.methods.linear.pairs import pair_indices

    table = as_win_table(wins, n_datasets)
    control = _control_of(table, control)
    check_level(level)
    _check_words(alternative, ties)
    _refuse_ordered_control(alternative, control)
    hypotheses = WINNING if alternative == "two-sided" else ONE_SIDED
    family_adjustment(adjust, hypotheses, control)
    a = len(table.algorithms)
    pairs = (
        pair_indices(table.algorithms, control)
        if alternative == "two-sided"
        else ordered_pairs(a)
    )
    rows = _grid_rows(table, pairs, alternative, ties, level)
    rows.insert(7, "p_adjusted", rows["p_value"])
    rows["p_smallest"] = binomial.smallest_p(rows["n_used"], alternative)
    tests = SignGridResult(
        table=rows,
        positions=_shares_lost(table),
        **Placement("shares of data sets lost").difference(),
        method="exact sign test over data sets",
        statistic_name="wins",
        hypotheses=hypotheses,
        adjust="none",
        family=_family(a, alternative, table.n_datasets, control),
        interval=f"simultaneous {percent(level)} (Clopper-Pearson, Bonferroni)",
        level=level,
        control=control,
        reference=REFERENCE,
        notes=_notes(rows),
        wins=table,
        alternative=alternative,
        ties=ties,
    )
    adjusted: SignGridResult = tests.adjusted(adjust)
    return adjusted


def _control_of(table: WinTable, control: str | None) -> str | None:
    """Return the control; reject another one than that of the wins."""
    if table.control is not None and control not in (None, table.control):
        raise InputError(
            f"control={control!r}, but the wins were counted against {table.control!r} "
            f"only; leave control out, or count the wins of all pairs"
        )
    return table.control or control


def _check_words(alternative: str, ties: str) -> None:
    """Reject unknown words."""
    if alternative not in ("two-sided", "greater"):
        raise InputError(
            f"alternative={alternative!r}: choose 'two-sided', or 'greater' for every "
            f"ordered pair"
        )
    check_word("ties", ties, ("split", "drop"))


def _refuse_ordered_control(alternative: str, control: str | None) -> None:
    """Reject one-sided tests of ordered pairs against a control."""
    if control is not None and alternative != "two-sided":
        raise InputError(
            "alternative='greater' tests every ordered pair; leave the control out, or "
            "set alternative='two-sided'"
        )


def ordered_pairs(a: int) -> tuple[Ints, Ints]:
    """Return the pairs (0, 1), (0, 2), ..., (1, 0), (1, 2), ... as two arrays."""
    first, second = np.nonzero(~np.eye(a, dtype=bool))
    return first, second


def _grid_rows(
    table: WinTable,
    pairs: tuple[Ints, Ints],
    alternative: SignAlternative,
    ties: SignTies,
    level: float,
) -> pd.DataFrame:
    """Return one row per pair, without adjusted p-values."""
    import pandas as pd

    names = np.array(table.algorithms, dtype=object)
    counts = table.counts()
    won, lost = counts[pairs], counts.T[pairs]
    above, below = binomial.counted(won, lost, table.n_datasets, ties)
    used = above + below
    some = used > 0
    low, high = _share_limits(above, below, alternative, level)
    with np.errstate(invalid="ignore"):
        estimate = (below - above) / used
    return pd.DataFrame(
        {
            "algorithm_1": names[pairs[0]],
            "algorithm_2": names[pairs[1]],
            "estimate": estimate,
            "std_error": np.nan,
            "statistic": np.where(some, above, np.nan),
            "df": np.nan,
            "p_value": binomial.sign_p_values(
                won, lost, table.n_datasets, ties=ties, alternative=alternative
            ),
            "conf_low": 1 - 2 * high,
            "conf_high": 1 - 2 * low,
            "wins": won,
            "ties": table.n_datasets - won - lost,
            "losses": lost,
            "n_used": used.astype(int),
        }
    )


def _share_limits(
    above: Floats, below: Floats, alternative: SignAlternative, level: float
) -> tuple[Floats, Floats]:
    """Return simultaneous limits of the shares of wins."""
    each = 1 - (1 - level) / len(above)
    return binomial.clopper_pearson(above, below, alternative, each)


def _shares_lost(table: WinTable) -> pd.Series:
    """Return the mean share of data sets lost against the others, ties half."""
    import pandas as pd

    counts = table.counts()
    lost = (counts.T - counts) / table.n_datasets
    others = table.compared.sum(axis=1)
    return pd.Series(0.5 + lost.sum(axis=1) / (2 * others), list(table.algorithms))


def _family(a: int, alternative: str, n_datasets: int, control: str | None) -> str:
    """Return which hypotheses were adjusted together."""
    over = f" over {n_datasets} data sets"
    if control is not None or alternative == "two-sided":
        return family_text(a, control, over)
    return f"all {a * (a - 1)} ordered pairs of {a} algorithms{over}"


def _notes(rows: pd.DataFrame) -> tuple[str, ...]:
    """Name the pairs that have no p-value."""
    return tuple(
        f"{row.algorithm_1} and {row.algorithm_2}: {_NO_DATA}"
        for row in rows[rows["n_used"] == 0].itertuples()
    )
