"""t tests of pairs of adjusted means with the model's own error."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scipy import special

from pycompare.base.arguments import alpha_or_level
from pycompare.base.checked import checked
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Sizes
from pycompare.data.scores import Scores
from pycompare.methods.linear.pairs import MeanContrasts, MeanPairsResult, contrasts
from pycompare.methods.pairs.last_step import TLimits
from pycompare.results.adjust import family_adjustment, repeatable_in_r
from pycompare.results.family import Adjustable
from pycompare.results.schema import Schema, changed


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseTResult(TLimits, Adjustable, MeanPairsResult):
    """t tests of pairs; see ``MeanPairsResult``.

    Attributes
    ----------
    alpha, level
        As in ``TPairs``: of intervals that agree with decisions, or hold together.
    """

    alpha: float | None = field(default=None, metadata={"export": False})

    @property
    def own_limits(self) -> bool:
        """Whether each interval follows from the decisions; there may be no error."""
        return self.alpha is not None and self.fit.e > 0

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjusted_here and able

    def r_call(self) -> RCall | None:
        """Return the call that adjusts in R, if R can."""
        call = super().r_call()
        if call is None:
            return None
        adjust = self.adjust if self.repeatable else ""
        arguments = {**call.arguments, "adjust": adjust, **self.levels_in_r()}
        return RCall(call.files, call.function, arguments, self.of_family)

    schema: ClassVar[Schema] = changed(
        MeanPairsResult.schema, "p_adjusted", only="repeatable"
    )


@checked
def pairwise_t(
    scores: Scores,
    *,
    metric: str | None = None,
    blocked: bool = True,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float | None = None,
    level: float | None = None,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> PairwiseTResult:
    """Compare pairs of adjusted means by t tests with the pooled variance.

    Parameters
    ----------
    scores, metric, blocked
        As in ``tukey``.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha, level : float, optional
        As in ``paired_t_pairs``: intervals agree with decisions at alpha, or hold
        together with the level (0.95 if neither is given).
    n_train, n_test : float or mapping of data set to float, optional
        As in ``tukey``.

    Returns
    -------
    PairwiseTResult

    Raises
    ------
    DesignError
        As ``tukey``.
    InputError
        For an unknown adjustment or control, or both of alpha and level.

    Notes
    -----
    Equation 5.3 of docs/equations.md.

    R: ``pairwise.t.test(score, algorithm, p.adjust.method)`` for one-way tables; with
    blocks ``pairs(emmeans(fit, "algorithm"), adjust = ...)``. Without residual variance
    the p-values are exact, as ``tukey`` specifies, and adjusted as asked.

    References
    ----------
    .. [1] Fisher, R. A. (1935). The Design of Experiments, sec. 24.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.pairwise_t(pc.example("folds"), metric="error", control="LDA")
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].round(3)
       algorithm_1 algorithm_2  p_adjusted
    0          QDA         LDA       0.000
    1         9-NN         LDA       0.650
    2   NaiveBayes         LDA       0.694
    3  NearestMean         LDA       0.287
    """
    family_adjustment(adjust, MEANS, control)
    alpha, level = alpha_or_level(alpha, level, joint=True)
    mean_contrasts = contrasts(scores, metric, blocked, level, control, n_train, n_test)
    pairs: PairwiseTResult = pairwise_t_of(mean_contrasts, level, alpha).adjusted(
        adjust
    )
    return pairs


def pairwise_t_of(
    contrasts: MeanContrasts, level: float, alpha: float | None = None
) -> PairwiseTResult:
    """Return the comparisons of a fit, without any adjustment.

    ``alpha``: of decisions with which intervals agree once they are made.
    """
    half = -special.stdtrit(contrasts.df, (1 - level) / (2 * len(contrasts.first)))
    pairs: PairwiseTResult = contrasts.result(
        PairwiseTResult,
        contrasts.p_value,
        float(half),
        method="t tests with the model's residual variance",
        adjust="none",
        interval=f"simultaneous {100 * level:g}% (Bonferroni)",
        level=level,
        alpha=alpha,
        reference="Fisher (1935) The Design of Experiments, sec. 24",
        r_method="t",
    )
    return pairs
