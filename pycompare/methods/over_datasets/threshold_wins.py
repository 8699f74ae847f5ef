"""Wins over data sets when every threshold of the scores is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha, check_flags, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.hypotheses import MEAN_VECTORS, ONE_SIDED
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.typing import Bools, Floats, Ints, ThresholdRule
from pycompare.data.scores import Scores
from pycompare.kernels import binomial
from pycompare.kernels.hotelling import Samples
from pycompare.methods.over_datasets.dataset_tables import dataset_labels
from pycompare.methods.over_datasets.outcomes import (
    VERDICTS,
    Outcomes,
    counted,
    signed_differences,
)
from pycompare.methods.over_datasets.sign_grid import ordered_pairs
from pycompare.methods.over_datasets.threshold_names import (
    ThresholdNames,
    threshold_names,
)
from pycompare.methods.over_datasets.vector_tables import (
    VectorTests,
    vector_call,
    vector_tests,
)
from pycompare.methods.over_datasets.win_table import WinTable
from pycompare.methods.over_datasets.wins import (
    DECIDED,
    FOLDS,
    TITLES,
    TOGETHER,
    heading,
    numbers_of,
)
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
    family_adjustment,
)
from pycompare.results.result import internal, rejected

_REFERENCE = "Aslan (2009) sec. 7.1 and Figure 7.1, case 6"
_DEPENDENT = (
    "the thresholds of a data set share all their cases, so the sign test over "
    "thresholds is a rule for who wins on a data set, and its p-value is not valid; "
    "the sign test over data sets does not depend on it"
)
_SIGNS = {
    "won": "wins", "tied": "ties", "lost": "losses",
    "sign_p": "p_value", "sign_p_adjusted": "p_adjusted",
    "sign_p_other": "p_value_other", "sign_p_adjusted_other": "p_adjusted_other",
}  # fmt: skip
"""R's names of the sign tests over thresholds, and their columns."""
_CROSSING = "each is better at some thresholds"


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdWinsResult(WinTable):
    """Wins over data sets by all thresholds; see ``WinTable``.

    Attributes
    ----------
    thresholds : tuple of float
    grid : ndarray of int, shape (n_datasets, a, a)
        Thresholds at which row beats column.
    decisions : DataFrame
        One row per data set and pair: ``dataset algorithm_1 algorithm_2 wins ties
        losses p_value p_adjusted p_value_other p_adjusted_other verdict reason``. Wins,
        ties and losses are thresholds of algorithm_1; ``p_value`` is that of the right-
        tailed sign test that algorithm_1 wins more often, ``..._other`` that
        algorithm_2 does; NaN by the rule ``any``.
    at_thresholds : DataFrame
        One row per data set, threshold and pair, as ``decisions`` of ``pc.wins``;
        ``value_1`` and ``value_2`` are risks.
    tests : DataFrame
        One row per data set and threshold: ``dataset threshold wilks p_value
        dimension``, MANOVA of all algorithms whether or not it stands before the pairs,
        and in how many dimensions their mean vectors differ by Bartlett's test at
        ``alpha``; NaN if nothing can be tested.
    risks : DataFrame
        One row per data set, threshold and algorithm: ``dataset threshold algorithm
        risk``, the mean over folds of theta FP + (1 - theta) FN.
    rule : {"sign", "any"}
    method, adjust : str
        The test of pairs at a threshold, and its adjustment over the pairs.
    threshold_adjust : str
        Adjustment of the sign tests within a data set, over ordered pairs.
    omnibus : str
        The test that stands before the pairs, or nothing.
    alpha : float
    metrics : tuple of str
    """

    thresholds: tuple[float, ...]
    grid: Ints
    decisions: pd.DataFrame
    at_thresholds: pd.DataFrame
    tests: pd.DataFrame
    risks: pd.DataFrame
    rule: ThresholdRule
    method: str
    adjust: str
    threshold_adjust: str
    omnibus: str
    alpha: float
    metrics: tuple[str, ...]
    notes: tuple[str, ...] = ()
    repeat: RCall | None = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        **{name: f"at_thresholds/{name}" for name in DECIDED},
        **{name: f"decisions/{column}" for name, column in _SIGNS.items()},
        "wilks": "tests/wilks",
        "wilks_p": "tests/p_value",
        "dimension": "tests/dimension",
        "risk": "risks/risk",
    }

    @property
    def basis(self) -> str:
        """Where the p-values of pairs come from, as the ledger of guarantees states."""
        sample = next(name for name, title in TITLES.items() if title == self.method)
        return f"mean-vectors/{sample}-T2"

    def heading(self) -> str:
        """Return the counted events, how each threshold was tested, and the rule."""
        over = f"{len(self.thresholds)} thresholds of each data set"
        rule = (
            f"right-tailed sign test over {over}, adjusted: {self.threshold_adjust}"
            if self.rule == "sign"
            else f"a win at any of {over}, and none of the other"
        )
        return f"{heading(super().heading(), self)}; {rule}"

    def r_call(self) -> RCall | None:
        """Return the call that repeats all decisions, if R can adjust them."""
        return self.repeat

    def r_values(self) -> dict[str, Any]:
        """Return the wins and the grid, row by row, and the p-values of pairs."""
        signs = {
            name: self.decisions[column].to_numpy(float)
            for name, column in _SIGNS.items()
        }
        return {
            **self.counts_for_r(),
            **numbers_of(self.at_thresholds),
            **signs,
            "grid": self.grid.ravel().astype(float),
            "wilks": self.tests["wilks"].to_numpy(float),
            "wilks_p": self.tests["p_value"].to_numpy(float),
            "dimension": self.tests["dimension"].to_numpy(float),
            "risk": self.risks["risk"].to_numpy(float),
        }


@checked
def threshold_wins(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    method: Samples = "paired",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    omnibus: bool = True,
    rule: ThresholdRule = "sign",
    threshold_adjust: str = "none",
) -> ThresholdWinsResult:
    """Count wins over data sets, each win decided over all thresholds.

    At each threshold theta of each data set: MANOVA, Hotelling's T2 of all pairs, and
    the lower risk theta FP + (1 - theta) FN wins if its pair is rejected: theta is the
    best threshold if a false positive costs theta/(1 - theta) false negatives. The
    wins over the thresholds then decide who wins on the data set.

    Parameters
    ----------
    scores : Scores
        Metrics named ``metric@threshold``, as ``Predictions.measure`` names them at
        several thresholds: ``tp@0``, ``fp@0``, ..., ``tn@1``; of at least two data
        sets, complete. ``fp`` and ``fn`` must be among them.
    metrics : sequence of str, optional
        Names before the ``@`` that are tested together; all by default. Precision and
        recall may be tested as well; the risk decides.
    method : {"paired", "two-sample", "two-sample-unequal"}
    adjust : str, default "bonferroni"
        Any name of ``pc.adjust`` but ``nemenyi``, over the pairs at a threshold.
    alpha : float
        Of MANOVA and pairs at each threshold, and of the sign test over thresholds.
    omnibus : bool, default True
        Whether pairs count only if MANOVA rejects as well (Wilks).
    rule : {"sign", "any"}
        ``sign``: right-tailed exact sign test over the thresholds for every ordered
        pair, ties split. ``any``: an algorithm wins that wins at one threshold or more;
        if the other does as well, the data set is a tie.
    threshold_adjust : str, default "none"
        Adjustment of the sign tests of a data set, over all ordered pairs. Aslan (2009)
        adjusts over data sets only (``pc.sign_grid``).

    Returns
    -------
    ThresholdWinsResult
        For ``pc.sign_grid``, ``cliques`` and the pictures. If all algorithms are the
        same, as at theta = 0, no difference can be tested: ties, with the reason.

    Raises
    ------
    DesignError
        If there are fewer than two data sets, a cell is missing, or nothing can be
        tested at all.
    InputError
        For names that are no metrics at thresholds, thresholds outside [0, 1] or with
        other metrics than the rest, or an unknown word.

    Notes
    -----
    Equation 7.2 of docs/equations.md.

    R: per threshold ``summary(manova())`` and ``mahalanobis``; ``binom.test``. Metrics
    that depend on others, as the four counts of stratified folds do, are left out table
    by table.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 7.1, Figure 7.1; the
       dimension is that of eq. 4.81.

    Examples
    --------
    >>> import pycompare as pc
    >>> cases = pc.example("predictions")
    >>> thetas = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> counts = cases.measure(["tp", "fp", "tn", "fn"], threshold=thetas)
    >>> won = pc.threshold_wins(counts, rule="any")
    >>> won.wins
                QDA  LDA  NaiveBayes
    QDA           0    5           4
    LDA           0    0           1
    NaiveBayes    0    2           0
    """
    return wins_on(
        scores,
        dataset_labels(scores),
        metrics=metrics,
        method=method,
        adjust=adjust,
        alpha=alpha,
        omnibus=omnibus,
        rule=rule,
        threshold_adjust=threshold_adjust,
    )


def wins_on(
    scores: Scores,
    datasets: tuple[str, ...],
    *,
    metrics: Sequence[str] | None,
    method: Samples,
    adjust: str,
    alpha: float,
    omnibus: bool,
    rule: ThresholdRule,
    threshold_adjust: str,
) -> ThresholdWinsResult:
    """Return the wins on one data set or more; see ``threshold_wins``.

    ``datasets`` are those of ``scores.datasets``, each once, in their order. With one
    data set the table of wins shows who wins there, and no test over data sets follows.
    """
    check_alpha(alpha)
    _check_words(method, rule, threshold_adjust)
    _check_one_sided(alpha, rule)
    sweep = threshold_names(scores)
    names = sweep.chosen(metrics)
    tables, weights = sweep.tables(scores, names)
    chosen = family_adjustment(adjust, MEAN_VECTORS)
    tests = vector_tests([t[..., : len(names)] for t in tables], method, chosen)
    tests.refuse_if_none(scores)
    check_flags(omnibus=omnibus)
    gated = omnibus and scores.n_algorithms > 2
    outcomes = _risk_outcomes(scores.algorithms, tables, weights, tests, gated)
    over = family_adjustment(threshold_adjust, ONE_SIDED)
    verdicts = _over_rule(outcomes.beats(alpha), len(datasets), rule, over, alpha)
    table, totals = counted(verdicts.won, scores.algorithms)
    places: dict[str, list[Any]] = {
        "dataset": [d for d in datasets for _ in sweep.thresholds],
        "threshold": list(sweep.thresholds) * len(datasets),
    }
    repeat = _threshold_call(
        scores.algorithms, tables, weights, (tests, method, chosen.name, gated, alpha)
    )
    return ThresholdWinsResult(
        wins=table,
        n_datasets=len(datasets),
        totals=totals,
        reference=_REFERENCE,
        thresholds=sweep.thresholds,
        grid=verdicts.grid,
        decisions=verdicts.frame(scores.algorithms, datasets),
        at_thresholds=outcomes.frame(places, alpha).astype({"threshold": float}),
        tests=_tests_frame(places, tests, alpha),
        risks=_risks_frame(places, outcomes),
        rule=rule,
        method=TITLES[method],
        adjust=chosen.name,
        threshold_adjust=over.name,
        omnibus="Wilks' Lambda, blocked" if gated else "",
        alpha=alpha,
        metrics=names,
        notes=(FOLDS, *((_DEPENDENT,) if rule == "sign" else ())),
        repeat=repeat and _over_thresholds(repeat, len(datasets), sweep, rule, over),
    )


def _tests_frame(
    places: dict[str, list[Any]], tests: VectorTests, alpha: float
) -> pd.DataFrame:
    """Return the tests of all algorithms, one row per data set and threshold."""
    columns = {
        "wilks": tests.wilks,
        "p_value": tests.p_omnibus,
        "dimension": tests.dimension(alpha),
    }
    return pd.DataFrame({**places, **columns})


def _risks_frame(places: dict[str, list[Any]], outcomes: Outcomes) -> pd.DataFrame:
    """Return the risks, one row per data set, threshold and algorithm."""
    n, a = outcomes.value.shape
    repeated = {k: np.repeat(np.array(v, object), a) for k, v in places.items()}
    names = np.tile(np.array(outcomes.algorithms, dtype=object), n)
    rows = {**repeated, "algorithm": names, "risk": outcomes.value.ravel()}
    return pd.DataFrame(rows).astype({"threshold": float})


def _check_words(method: str, rule: str, threshold_adjust: str) -> None:
    """Reject unknown words, and an adjustment that would do nothing."""
    check_word("method", method, TOGETHER)
    if rule not in ("sign", "any"):
        raise InputError(
            f"rule={rule!r}: choose 'sign', the right-tailed sign test over "
            f"thresholds, or 'any', a win at one threshold or more"
        )
    if rule == "any" and threshold_adjust != "none":
        raise InputError(
            f"threshold_adjust={show(threshold_adjust)}: rule='any' has no sign tests "
            "over thresholds; leave it out"
        )


def _check_one_sided(alpha: float, rule: str) -> None:
    """Reject a level at which both directions of a pair could be rejected."""
    if rule == "sign" and alpha >= 0.5:
        raise InputError(
            f"alpha={alpha:g}: from 0.5 on, right-tailed tests could let both of two "
            f"algorithms win; give a smaller one"
        )


def _risk_outcomes(
    algorithms: tuple[str, ...],
    tables: list[Floats],
    weights: Floats,
    tests: VectorTests,
    gated: bool,
) -> Outcomes:
    """Return the outcomes of all data sets and thresholds, decided by risk."""
    risk = [np.einsum("tbap,tp->ta", t, weights) / t.shape[1] for t in tables]
    size = [
        np.einsum("tbap,tp->ta", np.abs(t), weights) / t.shape[1] for t in tables
    ]  # fmt: skip
    value = np.concatenate(risk)
    return Outcomes(
        algorithms=algorithms,
        value=value,
        difference=signed_differences(value, np.concatenate(size)),
        p_value=tests.p_value,
        p_pairs=tests.p_pairs,
        p_omnibus=tests.p_omnibus if gated else None,
        reason=tests.reason,
    )


@dataclass(frozen=True, eq=False)
class OverThresholds:
    """Who wins on each data set.

    Attributes
    ----------
    n_thresholds : int
    grid : ndarray of int, shape (n_datasets, a, a)
        Thresholds at which row beats column.
    p, p_adjusted : ndarray, shape (n_datasets, a, a)
        Of the row winning more often; NaN on the diagonal, and by the rule ``any``.
    won : ndarray of bool, shape (n_datasets, a, a)
    """

    n_thresholds: int
    grid: Ints
    p: Floats
    p_adjusted: Floats
    won: Bools

    def frame(
        self, algorithms: tuple[str, ...], datasets: tuple[str, ...]
    ) -> pd.DataFrame:
        """Return one row per data set and pair."""
        first, second = np.triu_indices(len(algorithms), 1)
        names = np.array(algorithms, dtype=object)
        n = len(datasets)

        def of(square: NDArray[Any]) -> NDArray[Any]:
            return square[:, first, second].ravel()

        wins, losses = of(self.grid), of(self.grid.mT)
        sides = of(self.won).astype(int) - of(self.won.mT)
        both = (wins > 0) & (losses > 0) & (sides == 0)
        return pd.DataFrame(
            {
                "dataset": np.repeat(np.array(datasets, dtype=object), len(first)),
                "algorithm_1": np.tile(names[first], n),
                "algorithm_2": np.tile(names[second], n),
                "wins": wins,
                "ties": self.n_thresholds - wins - losses,
                "losses": losses,
                "p_value": of(self.p),
                "p_adjusted": of(self.p_adjusted),
                "p_value_other": of(self.p.mT),
                "p_adjusted_other": of(self.p_adjusted.mT),
                "verdict": VERDICTS[sides + 1],
                "reason": np.where(both, _CROSSING, "").astype(object),
            }
        )


def _over_rule(
    beats: Bools, n_datasets: int, rule: str, over: Adjustment, alpha: float
) -> OverThresholds:
    """Return who wins on each data set, from verdicts (n_datasets x T, a, a)."""
    a = beats.shape[-1]
    each = beats.reshape(n_datasets, -1, a, a)
    grid, n = each.sum(axis=1), each.shape[1]
    if rule == "any":
        none = np.full(grid.shape, np.nan)
        return OverThresholds(n, grid, none, none, (grid > 0) & (grid.mT == 0))
    p = binomial.sign_p_values(grid, grid.mT, n, alternative="greater")
    p = np.where(np.eye(a, dtype=bool), np.nan, p)
    p_adjusted = np.array([_ordered_adjusted(square, over) for square in p])
    return OverThresholds(n, grid, p, p_adjusted, rejected(p_adjusted, alpha))


def _ordered_adjusted(p: Floats, chosen: Adjustment) -> Floats:
    """Adjust one data set's square of p-values over its ordered pairs."""
    pairs = ordered_pairs(len(p))
    adjusted = np.full(p.shape, np.nan)
    adjusted[pairs] = adjust_family(p[pairs], len(p), chosen)
    return adjusted


def _threshold_call(
    algorithms: tuple[str, ...],
    tables: list[Floats],
    weights: Floats,
    tested: tuple[VectorTests, str, str, bool, float],
) -> RCall | None:
    """Return the call that repeats the tests at all thresholds."""
    a, p = tables[0].shape[2:]
    columns = list(range(tested[0].kept.shape[-1]))
    counts = [t.shape[1] for t in tables for _ in range(len(t))]
    return vector_call(
        np.concatenate([t.reshape(-1, a, p) for t in tables]),
        algorithms,
        [str(i + 1) for i, n in enumerate(counts) for _ in range(n)],
        tested,
        (columns, np.tile(weights, (len(tables), 1))),
    )


def _over_thresholds(
    call: RCall, n_datasets: int, sweep: ThresholdNames, rule: str, over: Adjustment
) -> RCall:
    """Return the call that goes on to count over thresholds and data sets."""
    more = {
        "n_datasets": n_datasets,
        "n_thresholds": len(sweep.thresholds),
        "rule": rule,
        "threshold_adjust": over.name,
    }
    files = (*call.files[:-1], "sign_grid", call.files[-1])
    return RCall(files, "threshold_wins_reference", {**call.arguments, **more})
