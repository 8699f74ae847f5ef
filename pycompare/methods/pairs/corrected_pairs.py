"""Corrected resampled t tests of pairs of algorithms over overlapping training sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pycompare.base.checked import checked
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.data.scores import Scores
from pycompare.methods.pairs.overlap import overlap_term, ratio_of_sizes
from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult, t_pairs
from pycompare.methods.pairs.ttest import CORRECTED
from pycompare.results.adjust import family_adjustment


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedPairsResult(PairedTPairsResult):
    """Corrected resampled t tests of pairs; see ``PairedTPairsResult``.

    Attributes
    ----------
    n_train, n_test : float
        Sizes behind the correction.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    n_train: float
    n_test: float
    overlap: float

    @property
    def test_train_ratio(self) -> float:
        """n_test / n_train."""
        return ratio_of_sizes(self.n_train, self.n_test)

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        call = PairedTPairsResult.r_call(self)
        return replace(call, arguments={**call.arguments, "overlap": self.overlap})


@checked
def corrected_pairs(
    scores: Scores,
    *,
    n_train: float,
    n_test: float,
    overlap: float = 1.0,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float | None = None,
    level: float | None = None,
) -> CorrectedPairsResult:
    """Compare pairs of algorithms by the corrected resampled t test.

    Parameters
    ----------
    scores : Scores
        At least two blocks: folds, or repeats, of one data set. Cells may be missing if
        the scores were read with ``missing="model"``; a pair is then compared over the
        blocks that both have.
    n_train, n_test : float
        Sizes of each training and test set, as in ``paired_t``.
    overlap : float, default 1
        Factor c of n_test/n_train in the variance, as in ``paired_t``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha, level : float, optional
        As in ``paired_t_pairs``: intervals agree with decisions at alpha, or hold
        together with the level (0.95 if neither is given).

    Returns
    -------
    CorrectedPairsResult
        A pair with equal scores in every block cannot be tested: its p-values are NaN,
        and the adjustment counts it with p = 1. So has a pair with the same difference
        in every block, whose mean is an estimate only; ``notes`` count such pairs. Two
        algorithms that share fewer than two blocks have NaN, and ``notes`` name them.

    Raises
    ------
    InputError
        For an unknown name, sizes or an ``overlap`` that are not positive, or both of
        alpha and level.

    Notes
    -----
    Equation 2.2 of docs/equations.md.

    The variance of a pair's mean difference is (1/k + c n_test/n_train) s^2 over k
    blocks, c = ``overlap``, on k - 1 degrees of freedom; see ``paired_t``. R:
    derivation with ``pt``, ``qt`` and ``p.adjust``.

    References
    ----------
    .. [1] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.

    Examples
    --------
    >>> import pycompare as pc
    >>> folds = pc.example("folds")
    >>> pairs = pc.corrected_pairs(folds, metric="error", n_train=216, n_test=24)
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2).round(3)
      algorithm_1 algorithm_2  p_adjusted
    0         QDA        9-NN       0.588
    1         QDA         LDA       0.139
    """
    family_adjustment(adjust, MEANS, control)
    rho = overlap_term(n_train, n_test, overlap)
    fields = t_pairs(scores, metric, control, (alpha, level), rho=rho)
    tests = CorrectedPairsResult(
        reference=CORRECTED,
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
        **fields,
    )
    adjusted: CorrectedPairsResult = tests.adjusted(adjust)
    return adjusted
