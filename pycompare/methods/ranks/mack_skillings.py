"""Mack and Skillings' test: ranks of all runs of a block, within these blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import ranked_blocks, rounded
from pycompare.data.scores import Scores
from pycompare.kernels import mack_skillings as kernel
from pycompare.kernels.ranks import midranks
from pycompare.methods.ranks.common import divide, p_of_chi2
from pycompare.results.result import Test, internal

_REFERENCE = (
    "Mack & Skillings (1980) JASA 75, 947-951; Hollander, Wolfe & Chicken (2014) "
    "Nonparametric Statistical Methods, sec. 7.9"
)
_P_NAMES = {"exact": ", exact p", "permutation": ", permutation p"}
_WITHIN = (
    "a test within these blocks: an algorithm that is better on some of them and worse "
    "on others is a difference to it as well, and it gives no information about other "
    "blocks"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MackSkillingsResult(Test):
    """Mack and Skillings' test; see ``Test``.

    Attributes
    ----------
    mean_ranks : Series
        Per algorithm the mean of its runs' ranks among all runs of their block, low =
        good.
    n_blocks, n_runs : int
    ranks : ndarray, shape (n_blocks, n_algorithms, n_runs)
    runs : ndarray, shape (n_blocks, n_algorithms * n_runs)
        Lower is better; the runs of an algorithm in a row.
    """

    mean_ranks: pd.Series
    n_blocks: int
    n_runs: int
    ranks: Floats = internal()
    runs: Floats = internal()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/mack-skillings"

    def r_call(self) -> RCall | None:
        """Return the call of the R function, None for random or undefined p-values."""
        if self.p_source in ("permutation", "none"):
            return None
        exact = self.p_source == "exact"
        arguments = {"x": self.runs, "algorithms": len(self.held("mean_ranks"))}
        function = (
            "mack_skillings_exact_reference" if exact else ("mack_skillings_reference")
        )
        return RCall(("ranks", "mack_skillings"), function, arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistic, p-value and mean ranks."""
        if self.p_source == "exact":
            return {"p_value": self.p_value}
        return {
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "mean_ranks": np.asarray(self.held("mean_ranks")),
        }


@checked
def mack_skillings(
    scores: Scores,
    *,
    metric: str | None = None,
    p_value: Literal["chi2", "exact", "permutation"] = "chi2",
    decimals: int | None = None,
    seed: int = 0,
    resamples: int = 99_999,
) -> MackSkillingsResult:
    """Test equal algorithms with several runs per block (Mack and Skillings).

    All runs of a block are ranked together. With one run per cell this would be
    Friedman's test.

    Parameters
    ----------
    scores : Scores
        Read with ``replicate=...``, no cell missing.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several. Rank 1 is the best.
    p_value : {"chi2", "exact", "permutation"}
        ``chi2``: a - 1 degrees of freedom, for many blocks or runs. ``exact``: all ways
        to deal the ranks of each block, given the ties; rejected if the table is too
        large. ``permutation``: ``resamples`` random ones from ``seed``.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    MackSkillingsResult
        Larger statistics mean more difference.

    Raises
    ------
    DesignError
        If the scores have no runs, cells are missing, or the table is too large for
        ``exact``.
    InputError
        For an unknown metric or word.

    Notes
    -----
    The hypothesis is about these blocks: that algorithms are alike on each of them.
    If differences change from block to block (the interaction of
    ``pc.replicated_anova``) it is false, though no algorithm be better on average: of
    20,000 such tables with 3 algorithms, 10 folds, 5 runs and an interaction as large
    as run noise it rejects 36% at a nominal 5 %. A claim about other blocks
    needs the cell means (``pc.friedman``), which ``compare`` takes for its conclusions.

    MS = 12 / (a (N + b)) sum_j S_j^2 - 3 (N + b), with S_j the sum over b blocks of
    algorithm j's mean rank and N the number of runs; ties replace the variance of the
    ranks by their own, as in ``friedman``. No R package of Debian has it.

    References
    ----------
    .. [1] Mack, G. A., Skillings, J. H. (1980). JASA 75, 947-951.
    .. [2] Hollander, M., Wolfe, D. A., Chicken, E. (2014). Nonparametric Statistical
       Methods, 3rd ed., sec. 7.9.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "fold": f, "seed": s, "error": rng.normal(0.2, 0.01)}
    ...     for m in "ABC" for f in range(6) for s in range(3)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", replicate="seed",
    ...     metrics={"error": "lower"},
    ... )
    >>> test = pc.mack_skillings(scores)
    >>> print(f"MS = {test.statistic:.2f}, p = {test.p_value:.3f}")
    MS = 1.97, p = 0.373
    """
    ranks, runs = _ranks_of(scores, metric, decimals)
    b, a, n = ranks.shape
    between, within = kernel.spreads(ranks)
    statistic = divide((a * n - 1) * float(between), n * float(within))
    p, source, notes = p_of_chi2(
        statistic, ranks, kernel.exact_p_value, p_value, seed, resamples
    )
    return MackSkillingsResult(
        short="Mack-Skillings test",
        name=f"Mack-Skillings test, corrected for ties{_P_NAMES.get(source, '')}",
        statistic_name="chi2",
        statistic=statistic,
        df=a - 1.0,
        p_value=p,
        p_source=source,
        reference=_REFERENCE,
        notes=(_WITHIN, *notes),
        mean_ranks=pd.Series(ranks.mean(axis=(0, 2)), index=list(scores.algorithms)),
        n_blocks=b,
        n_runs=n,
        ranks=ranks,
        runs=runs.reshape(b, a * n),
    )


def _ranks_of(
    scores: Scores, metric: str | None, decimals: int | None
) -> tuple[Floats, Floats]:
    """Return ranks within blocks and the ranked values, shape (b, a, n)."""
    chosen = ranked_blocks(scores, metric, decimals).metric
    runs = scores.only(chosen.name).runs
    if runs is None:
        raise DesignError(
            "the scores have one value in each cell, for which this is Friedman's "
            "test; read runs with " + setting("replicate", ...) + ", or use pc.friedman"
        )
    if np.isnan(runs).any():
        raise DesignError(
            "this test needs runs in every cell; read the scores with "
            + setting("missing", "drop-block")
        )
    lower = chosen.sign * runs[:, :, 0] + 0.0
    if decimals is not None:
        lower = rounded(lower, int(decimals))
    b, a, n = lower.shape
    return midranks(lower.reshape(b, a * n)).reshape(b, a, n), lower
