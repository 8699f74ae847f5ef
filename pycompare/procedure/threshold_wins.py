"""Wins over data sets when every threshold of the scores is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.arguments import check_alpha
from pycompare.data.labels import label_text, show, show_all
from pycompare.data.scores import Scores
from pycompare.errors import InputError
from pycompare.kernels import sign_counts
from pycompare.linear.pairwise_t import adjustment_for
from pycompare.multiplicity.adjust import Adjustment
from pycompare.procedure.costs import count_name
from pycompare.procedure.dataset_tables import complete_tables, dataset_labels
from pycompare.procedure.outcomes import (
    VERDICTS,
    Outcomes,
    counted,
    signed_differences,
)
from pycompare.procedure.sign_grid import (
    adjusted,
    grid_adjustment,
    ordered_pairs,
)
from pycompare.procedure.vector_tables import (
    Samples,
    VectorTests,
    vector_call,
    vector_tests,
)
from pycompare.procedure.win_table import WinTable
from pycompare.procedure.wins import FOLDS, TITLES, TOGETHER, heading
from pycompare.results import RCall, internal, rejected

Floats = NDArray[np.float64]
Ints = NDArray[np.int_]
Bools = NDArray[np.bool_]
Rule = Literal["sign", "any"]

REFERENCE = "Aslan (2009) sec. 7.1 and Figure 7.1, case 6"
DEPENDENT = (
    "the thresholds of a data set share all their cases, so the sign test over "
    "thresholds is a rule that decides who wins on a data set, and its p-value is not "
    "the chance of anything; the sign test over data sets does not rest on it"
)
CROSSING = "each is better at some thresholds"


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdWinsResult(WinTable):
    """Wins over data sets by all thresholds; see ``WinTable``.

    Attributes
    ----------
    thresholds : tuple of float
    grid : ndarray of int, shape (n_datasets, a, a)
        Thresholds at which row beats column.
    decisions : DataFrame
        One row a data set and pair: ``dataset algorithm_1 algorithm_2 wins ties losses
        p_value p_adjusted p_value_other p_adjusted_other verdict reason``. Wins, ties
        and losses are thresholds of algorithm_1; ``p_value`` is that of the right-
        tailed sign test that algorithm_1 wins more often, ``..._other`` that
        algorithm_2 does; NaN by the rule ``any``.
    at_thresholds : DataFrame
        One row a data set, threshold and pair, as ``decisions`` of ``pc.wins``;
        ``value_1`` and ``value_2`` are risks.
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
    rule: Rule
    method: str
    adjust: str
    threshold_adjust: str
    omnibus: str
    alpha: float
    metrics: tuple[str, ...]
    notes: tuple[str, ...] = ()
    repeat: RCall | None = internal()

    def heading(self) -> str:
        """Say what the table counts, how each threshold was tested, and the rule."""
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
        table = self.at_thresholds
        return {
            "wins": self.counts().ravel().astype(float),
            "totals": np.asarray(self.totals, float),
            "grid": self.grid.ravel().astype(float),
            "p_value": table["p_value"].to_numpy(float),
            "p_adjusted": table["p_adjusted"].to_numpy(float),
        }


def threshold_wins(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    method: Samples = "paired",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    omnibus: bool = True,
    rule: Rule = "sign",
    threshold_adjust: str = "none",
) -> ThresholdWinsResult:
    """Count data sets on which an algorithm is better over all thresholds.

    At each threshold theta of each data set: MANOVA, Hotelling's T2 of all pairs, and
    the lower risk theta FP + (1 - theta) FN wins if its pair is rejected: theta is the
    best threshold where a false positive costs theta/(1 - theta) false negatives. The
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
        Whether pairs count only where MANOVA rejects as well (Wilks).
    rule : {"sign", "any"}
        ``sign``: right-tailed exact sign test over the thresholds for every ordered
        pair, ties split. ``any``: an algorithm wins that wins at one threshold or more;
        if the other does as well, the data set is a tie.
    threshold_adjust : str, default "none"
        Adjustment of the sign tests of a data set, over all ordered pairs. ASL adjusts
        over data sets only (``pc.sign_grid``).

    Returns
    -------
    ThresholdWinsResult
        For ``pc.sign_grid``, ``cliques`` and the pictures. Where all algorithms are the
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
    R: per threshold ``summary(manova())`` and ``mahalanobis``; ``binom.test``. Metrics
    that depend on others, as the four counts of stratified folds do, are left out table
    by table.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 7.1, Figure 7.1.
    """
    check_alpha(alpha)
    check_words(method, rule, threshold_adjust)
    check_one_sided(alpha, rule)
    datasets = dataset_labels(scores)
    found = threshold_names(scores)
    names = found.chosen(metrics)
    tables, weights = found.tables(scores, names)
    chosen = adjustment_for(adjust, None)
    tests = vector_tests([t[..., : len(names)] for t in tables], method, chosen)
    tests.refuse_if_none(scores)
    gated = omnibus and scores.n_algorithms > 2
    outcomes = risk_outcomes(scores.algorithms, tables, weights, tests, gated)
    beats = outcomes.beats(alpha)
    a = scores.n_algorithms
    grid = beats.reshape(len(datasets), -1, a, a).sum(axis=1)
    over = grid_adjustment(threshold_adjust, "greater")
    p = sign_p_values(grid, len(found.thresholds), rule)
    p_adjusted = np.array([ordered_adjusted(square, over) for square in p])
    won = (grid > 0) & (grid.mT == 0) if rule == "any" else rejected(p_adjusted, alpha)
    table, totals = counted(won, scores.algorithms)
    rows = [
        f"{name}/{label_text(t)}" for name in datasets for t in found.thresholds
    ]  # fmt: skip
    repeat = vector_call(
        np.concatenate([t.reshape(-1, a, t.shape[-1]) for t in tables]),
        scores.algorithms,
        [rows[i] for i, n in enumerate(block_counts(tables)) for _ in range(n)],
        (tests, method, chosen.name, gated, alpha),
        (list(range(len(names))), np.tile(weights, (len(datasets), 1))),
    )
    return ThresholdWinsResult(
        wins=table,
        n_datasets=len(datasets),
        totals=totals,
        reference=REFERENCE,
        thresholds=found.thresholds,
        grid=grid,
        decisions=decision_rows(
            scores.algorithms, datasets, grid, p, p_adjusted, won, len(found.thresholds)
        ),
        at_thresholds=outcomes.frame(
            {
                "dataset": [d for d in datasets for _ in found.thresholds],
                "threshold": list(found.thresholds) * len(datasets),
            },
            alpha,
        ).astype({"threshold": float}),
        rule=rule,
        method=TITLES[method],
        adjust=chosen.name,
        threshold_adjust=over.name,
        omnibus="Wilks' Lambda, blocked" if gated else "",
        alpha=alpha,
        metrics=names,
        notes=(FOLDS, *((DEPENDENT,) if rule == "sign" else ())),
        repeat=repeat and over_thresholds(repeat, len(datasets), found, rule, over),
    )


def check_words(method: str, rule: str, threshold_adjust: str) -> None:
    """Refuse unknown words, and an adjustment that would do nothing."""
    if method not in TOGETHER:
        raise InputError(f"method={method!r}: choose one of {', '.join(TOGETHER)}")
    if rule not in ("sign", "any"):
        raise InputError(
            f"rule={rule!r}: choose 'sign', the right-tailed sign test over "
            f"thresholds, or 'any', a win at one threshold or more"
        )
    if rule == "any" and threshold_adjust != "none":
        raise InputError(
            f"threshold_adjust={threshold_adjust!r}: rule='any' has no sign tests over "
            f"thresholds; leave it out"
        )


def check_one_sided(alpha: float, rule: str) -> None:
    """Refuse a level at which both directions of a pair could be rejected."""
    if rule == "sign" and alpha >= 0.5:
        raise InputError(
            f"alpha={alpha:g}: from 0.5 on, right-tailed tests could let both of two "
            f"algorithms win; give a smaller one"
        )


@dataclass(frozen=True)
class ThresholdNames:
    """Where each metric at each threshold stands among the metrics of the scores.

    Attributes
    ----------
    thresholds : tuple of float
        Ascending.
    names : tuple of str
        Metrics, without threshold, in order of first appearance.
    columns : mapping of (str, float) to int
    """

    thresholds: tuple[float, ...]
    names: tuple[str, ...]
    columns: dict[tuple[str, float], int]

    def chosen(self, metrics: Sequence[str] | None) -> tuple[str, ...]:
        """Return the metrics that are tested."""
        if metrics is None:
            return self.names
        if isinstance(metrics, str) or not metrics:
            raise InputError(
                f"metrics={metrics!r}: give a list of names without thresholds, such "
                f"as {list(self.names)[:2]}"
            )
        for i, name in enumerate(metrics):
            if name not in self.names or name in metrics[:i]:
                raise InputError(
                    f"metrics: {show(name)} is unknown or named twice; there are "
                    f"{show_all(self.names)}"
                )
        return tuple(metrics)

    def tables(
        self, scores: Scores, names: tuple[str, ...]
    ) -> tuple[list[Floats], Floats]:
        """Return (T, b, a, p) per data set, and the cost of each column, (T, p).

        The columns tested come first, then those that only the risk needs.
        """
        fp, fn = (count_name(self.names, count) for count in ("fp", "fn"))
        used = [*names, *(n for n in (fp, fn) if n not in names)]
        at = [self.columns[name, t] for t in self.thresholds for name in used]
        found = [
            np.moveaxis(t.reshape(*t.shape[:2], len(self.thresholds), -1), 2, 0)
            for t in complete_tables(scores, at)
        ]
        theta = np.array(self.thresholds)
        weights = np.zeros((len(theta), len(used)))
        weights[:, used.index(fp)] = theta
        weights[:, used.index(fn)] = 1 - theta
        return found, weights


def threshold_names(scores: Scores) -> ThresholdNames:
    """Read metrics and thresholds from names like ``tp@0.25``."""
    columns: dict[tuple[str, float], int] = {}
    for j, metric in enumerate(scores.metrics):
        name, _, text = metric.name.rpartition("@")
        columns[name, threshold_of(metric.name, name, text)] = j
    names = tuple(dict.fromkeys(name for name, _ in columns))
    thresholds = tuple(sorted({t for _, t in columns}))
    if len(columns) < len(scores.metrics):
        raise InputError(
            "two metrics have the same name and threshold; leave one of them out"
        )
    for name in names:
        for t in thresholds:
            if (name, t) not in columns:
                raise InputError(
                    f"{show(name)} is not measured at threshold {t:g}, where others "
                    f"are; measure all metrics at the same thresholds"
                )
    return ThresholdNames(thresholds, names, columns)


def threshold_of(whole: str, name: str, text: str) -> float:
    """Return the threshold in a metric's name."""
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not name or np.isnan(value):
        raise InputError(
            f"metric {show(whole)} is not named metric@threshold, like 'tp@0.25'; "
            f"measure the predictions at several thresholds"
        )
    if not 0 <= value <= 1:
        raise InputError(
            f"metric {show(whole)}: thresholds must lie in [0, 1], where theta says "
            f"what a false positive costs; turn the scores into probabilities"
        )
    return value


def risk_outcomes(
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


def sign_p_values(grid: Ints, n_thresholds: int, rule: str) -> Floats:
    """Return p-values (L, a, a) of the row winning more often, right-tailed."""
    if rule == "any":
        return np.full(grid.shape, np.nan)
    p = sign_counts.p_values(grid, grid.mT, n_thresholds, alternative="greater")
    return np.where(np.eye(grid.shape[-1], dtype=bool), np.nan, p)


def ordered_adjusted(p: Floats, chosen: Adjustment) -> Floats:
    """Adjust one data set's square of p-values over its ordered pairs."""
    pairs = ordered_pairs(len(p))
    found = np.full(p.shape, np.nan)
    found[pairs] = adjusted(p[pairs], len(p), chosen)
    return found


def block_counts(tables: list[Floats]) -> list[int]:
    """Return the number of blocks of each table, thresholds within data sets."""
    return [t.shape[1] for t in tables for _ in range(len(t))]


def decision_rows(
    algorithms: tuple[str, ...],
    datasets: tuple[str, ...],
    grid: Ints,
    p: Floats,
    p_adjusted: Floats,
    won: Bools,
    n_thresholds: int,
) -> pd.DataFrame:
    """Return one row a data set and pair."""
    first, second = np.triu_indices(len(algorithms), 1)
    names = np.array(algorithms, dtype=object)
    n = len(datasets)
    wins, losses = grid[:, first, second], grid[:, second, first]
    sides = won[:, first, second].astype(int) - won[:, second, first]
    both = (wins > 0) & (losses > 0) & (sides == 0)
    return pd.DataFrame(
        {
            "dataset": np.repeat(np.array(datasets, dtype=object), len(first)),
            "algorithm_1": np.tile(names[first], n),
            "algorithm_2": np.tile(names[second], n),
            "wins": wins.ravel(),
            "ties": (n_thresholds - wins - losses).ravel(),
            "losses": losses.ravel(),
            "p_value": p[:, first, second].ravel(),
            "p_adjusted": p_adjusted[:, first, second].ravel(),
            "p_value_other": p[:, second, first].ravel(),
            "p_adjusted_other": p_adjusted[:, second, first].ravel(),
            "verdict": VERDICTS[sides.ravel() + 1],
            "reason": np.where(both, CROSSING, "").ravel().astype(object),
        }
    )


def over_thresholds(
    call: RCall, n_datasets: int, found: ThresholdNames, rule: str, over: Adjustment
) -> RCall:
    """Return the call that goes on to count over thresholds and data sets."""
    more = {
        "n_datasets": n_datasets,
        "n_thresholds": len(found.thresholds),
        "rule": rule,
        "threshold_adjust": over.name,
    }
    files = (*call.files[:-1], "sign_grid", call.files[-1])
    return RCall(files, "threshold_wins_reference", {**call.arguments, **more})
