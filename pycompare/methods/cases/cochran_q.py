"""Cochran's Q: equal shares of ones of algorithms on the same cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.methods.pairs.common import refuse_clusters
from pycompare.methods.pairs.mcnemar_pairs import binary
from pycompare.results.result import Test, internal, made_when_read

_REFERENCE = "Cochran (1950) Biometrika 37, 256-266"
_NO_DIFFERENCE = (
    "all algorithms agree on every case, so the statistic is 0/0 and no difference can "
    "be tested"
)
_ENOUGH = 24
"""Tate and Brown (1970): cases that discriminate times algorithms, at least."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CochranQResult(Test):
    """Cochran's Q.

    Attributes
    ----------
    shares : Series
        Share of ones per algorithm.
    n_cases, n_informative : int
        All cases, and those on which not all algorithms agree.
    blocks : Blocks
        The scores that were compared.
    """

    shares: pd.Series = made_when_read()
    n_cases: int
    n_informative: int
    blocks: Blocks = internal()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/cochran-q"

    def r_call(self) -> RCall:
        """Return the call of ``friedman.test`` on 0 and 1, and Cochran's formula."""
        arguments = {"x": self.blocks.r_arguments()["x"]}
        return RCall(("cochran_q",), "cochran_q_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistic, degrees of freedom, p-value and shares."""
        return {
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "shares": np.asarray(self.held("shares")),
            "n_informative": float(self.n_informative),
        }


@checked
def cochran_q(scores: Scores, *, metric: str | None = None) -> CochranQResult:
    """Test equal shares of ones of algorithms on the same cases by Cochran's Q.

    Parameters
    ----------
    scores : Scores
        Complete table of 0 and 1; the blocks are cases (items of a test set).
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.

    Returns
    -------
    CochranQResult
        ``statistic`` is Q, compared with chi-squared on a - 1 degrees of freedom;
        larger means more difference. NaN if all algorithms agree on every case.

    Raises
    ------
    DesignError
        If cells are missing, or the cases are in clusters.
    InputError
        If cells are not 0 or 1.

    Notes
    -----
    Equation 10.3 of docs/equations.md.

    R: ``friedman.test(x)`` of 0 and 1, which is the same number.

    The chi-squared distribution is for large samples and for algorithms whose pairs are
    equally correlated; ``notes`` state where cases are few. Cases must be independent.

    References
    ----------
    .. [1] Cochran, W. G. (1950). Biometrika 37, 256-266.
    .. [2] Tate, M. W., Brown, S. M. (1970). JASA 65, 155-160.

    Examples
    --------
    >>> import pycompare as pc
    >>> right = {
    ...     "A": [1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    ...     "B": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0],
    ...     "C": [1, 1, 0, 1, 0, 1, 1, 0, 0, 1],
    ... }
    >>> scores = pc.Scores.from_wide(right, metric="accuracy", better="higher")
    >>> test = pc.cochran_q(scores)
    >>> print(f"Q = {test.statistic:.2f}, p = {test.p_value:.4f}")
    Q = 10.57, p = 0.0051
    """
    blocks = complete_blocks(scores, metric, None, method="cochran_q")
    refuse_clusters(scores, "Cochran's Q")
    x = binary(blocks)
    n, a = x.shape
    informative = int(np.sum(np.ptp(x, axis=1) > 0))
    q = _statistic(x)
    return CochranQResult(
        name="Cochran's Q",
        statistic_name="Q",
        statistic=q,
        df=a - 1.0,
        p_value=float(special.chdtrc(a - 1, q)),
        p_source="none" if math.isnan(q) else "chi2",
        reference=_REFERENCE,
        notes=_notes(informative, a),
        shares=blocks.per_algorithm(x.mean(axis=0)),
        n_cases=n,
        n_informative=informative,
        blocks=blocks,
    )


def _statistic(x: Floats) -> float:
    """Return Q of 0 and 1, shape (n, a); all sums are whole numbers."""
    a = x.shape[1]
    ones, right = x.sum(axis=0), x.sum(axis=1)
    # Cochran (1950), multiplied out to keep whole numbers exact.
    between = a * float(ones @ ones) - float(ones.sum()) ** 2
    within = a * float(right.sum()) - float(right @ right)
    return (a - 1) * between / within if within else math.nan


def _notes(informative: int, a: int) -> tuple[str, ...]:
    """Return the notes for readers."""
    if not informative:
        return (_NO_DIFFERENCE,)
    if informative * a < _ENOUGH:
        return (
            f"only {informative} cases discriminate between the algorithms, so the "
            "chi-squared p-value is approximate",
        )
    return ()
