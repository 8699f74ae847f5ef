"""Agreement of tests on different metrics, counted over data sets and pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_positions, show, show_all
from pycompare.data.scores import Scores
from pycompare.methods.linear.hotelling import hotelling
from pycompare.methods.pairs.common import differences, pair_of_blocks
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.methods.pairs.ttest import mean_of, p_of
from pycompare.results.result import Result, internal, rejected

WHOLE = "all blocks"
_VERDICTS = ("accepts", "rejects")
_AND = " + "
"""Between the metrics of one test."""
MetricsOfTests = dict[str, tuple[str, ...]]
"""Name of a test -> its metrics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement(Result):
    """Decisions of paired tests on several metrics, by data set and pair.

    Attributes
    ----------
    table : DataFrame
        One row for each data set and pair: ``dataset algorithm_1 algorithm_2`` and for
        each metric ``estimate_<metric>``, ``p_<metric>`` and ``rejects_<metric>``. A
        test of several metrics together, ``tpr + fpr``, has ``rank_<metrics>`` in the
        place of an estimate.
    metrics : tuple of str
        Names of the tests.
    alpha : float
    correction : float
        n_test / n_train of the corrected test, 0 without.
    """

    table: pd.DataFrame
    metrics: tuple[str, ...]
    alpha: float
    correction: float
    reference: str = "Aslan (2009) sec. 3.3, 3.6"
    notes: tuple[str, ...] = ()
    scores: Scores = internal()
    tested: dict[str, tuple[str, ...]] = internal()

    def ranks(self) -> pd.DataFrame:
        """Count the ranks of the covariance of paired differences.

        Yildiz et al. (2011), sec. 4.2 count them for the four cells of confusion
        matrices.

        Returns
        -------
        DataFrame
            One row for each rank that occurs, one column for each test of several
            metrics together.
        """
        together = [name for name, own in self.tested.items() if len(own) > 1]
        if not together:
            raise InputError(
                "ranks are counted for tests of several metrics together, such as "
                "metrics=['error', ('tpr', 'fpr')]"
            )
        columns = {n: self.as_columns()[f"rank_{n}"].astype(int) for n in together}
        most = max(int(ranks.max()) for ranks in columns.values())
        counted = {n: np.bincount(r, minlength=most + 1) for n, r in columns.items()}
        frame = pd.DataFrame(counted, pd.RangeIndex(most + 1, name="rank"))
        return frame[frame.sum(axis=1) > 0]

    def counts(self, first: str | None = None, second: str | None = None) -> Any:
        """Count the decisions of two tests, the first two metrics by default.

        Returns
        -------
        DataFrame, shape (2, 2)
            Rows: the test on ``first`` accepts, rejects; columns: on ``second``.
        """
        names = self._pair(first, second)
        rejects_1, rejects_2 = (self.as_columns()[f"rejects_{name}"] for name in names)
        cells = [
            [
                int(np.sum((rejects_1 == row) & (rejects_2 == column)))
                for column in (False, True)
            ]
            for row in (False, True)
        ]
        return pd.DataFrame(
            cells,
            index=pd.Index(_VERDICTS, name=names[0]),
            columns=pd.Index(_VERDICTS, name=names[1]),
        )

    def combinations(self) -> pd.DataFrame:
        """Count every combination of the decisions on all metrics."""
        rejects = self._decisions()
        rows = [
            (
                *(_VERDICTS[v] for v in case),
                int(np.sum(np.all(rejects == case, axis=1))),
            )
            for case in product((False, True), repeat=len(self.metrics))
        ]
        return pd.DataFrame(rows, columns=[*self.metrics, "count"])

    def examples(
        self, first: str | None = None, second: str | None = None
    ) -> pd.DataFrame:
        """Choose the clearest example of each of the four cases.

        In the order of Aslan (2009), sec. 3.3: both accept, only the second rejects,
        only the first rejects, both reject. The clearest is the one whose p-values both
        lie far from alpha: the largest ``min |log(p / alpha)|`` over the two tests.

        Returns
        -------
        DataFrame
            Rows of ``table`` with their ``case``, 1 to 4; a case that did not occur
            has none.
        """
        names = self._pair(first, second)
        clear = np.min([self._clarity(name) for name in names], axis=0)
        rejects_1, rejects_2 = (
            self.as_columns()[f"rejects_{n}"].astype(bool) for n in names
        )
        case = 1 + 2 * rejects_1 + rejects_2
        chosen = [
            int(rows[np.argmax(clear[rows])])
            for k in range(1, 5)
            if (rows := np.flatnonzero(case == k)).size
        ]
        examples = self.as_columns().take(chosen).pandas()
        examples.insert(0, "case", case[chosen])
        return examples.reset_index(drop=True)

    def summary(self, digits: int = 4) -> str:
        """Return the counts of all combinations, the decisions, and what to note."""
        head = (
            f"decisions of paired tests at alpha {self.alpha:g} in "
            f"{len(self.as_columns())} comparisons"
        )
        counts = self.combinations().to_string(index=False)
        notes = [f"  note: {note}" for note in self.notes]
        return "\n".join([head, counts, Result.summary(self, digits), *notes])

    def r_call(self) -> RCall:
        """Return the call of ``t.test`` for every data set, pair and metric."""
        scores = self.scores
        columns = [scores.column(name) for own in self.tested.values() for name in own]
        arguments: dict[str, Any] = {
            "x": np.concatenate(columns, axis=1),
            "dataset": list(_datasets(scores)),
            "algorithms": list(scores.algorithms),
            "alpha": self.alpha,
            "rho": self.correction,
            "sizes": [float(len(own)) for own in self.tested.values()],
        }
        files = ("ranks", "paired", "agreement")
        return RCall(files, "agreement_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return p-values and the counts of all combinations."""
        p_values = {
            f"p_{k + 1}": self.as_columns()[f"p_{name}"].astype(float)
            for k, name in enumerate(self.metrics)
        }
        p_values |= {
            f"rank_{k + 1}": self.as_columns()[f"rank_{name}"].astype(float)
            for k, (name, own) in enumerate(self.tested.items())
            if len(own) > 1
        }
        return p_values | {"counts": self.combinations()["count"].to_numpy(float)}

    def _decisions(self) -> NDArray[np.bool_]:
        columns = (self.as_columns()[f"rejects_{name}"] for name in self.metrics)
        return np.stack([column.astype(bool) for column in columns], axis=-1)

    def _clarity(self, name: str) -> NDArray[np.float64]:
        # What could not be tested is the least clear example.
        p = np.nan_to_num(self.as_columns()[f"p_{name}"].astype(float), nan=self.alpha)
        return np.abs(np.log(np.maximum(p, np.finfo(float).tiny) / self.alpha))

    def _pair(self, first: str | None, second: str | None) -> tuple[str, str]:
        names = (first or self.metrics[0], second or self.metrics[1])
        label_positions("metrics", names, self.metrics)
        return names


@checked
def agreement(
    scores: Scores,
    *,
    metrics: Sequence[str | Sequence[str]] = ("error", "auc"),
    alpha: float = 0.05,
    n_train: float | None = None,
    n_test: float | None = None,
) -> Agreement:
    """Compare the decisions of paired tests between metrics.

    For every data set and pair of algorithms, each metric is tested by a paired t test
    over the folds at ``alpha``; p-values are not adjusted, as in Aslan (2009), who
    calls them error test, AUC test and AUC-PR test. Several metrics together are
    tested by Hotelling's paired T2, as in Yildiz et al. (2011).

    Parameters
    ----------
    scores : Scores
        Folds within data sets; without data sets all blocks are one. No cell of the
        metrics is missing.
    metrics : sequence of str, or of sequences of str
        Two or more tests: one of ``scores.metrics``, or several that are tested
        together, such as ``["error", ("tpr", "fpr")]``.
    alpha : float
        A test rejects if p <= alpha.
    n_train, n_test : float, optional
        Sizes of each training and test set, or numbers of the same ratio, for the
        corrected resampled t test; see `paired_t`. T2 has none: only for tests of one
        metric.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        For fewer than two tests, an unknown metric, only one of n_train and n_test, or
        both with metrics that are tested together.
    DesignError
        If a data set has one block, or cells are missing; as `hotelling` for metrics
        that are tested together.

    Notes
    -----
    R: ``t.test(x[, i], x[, j], paired = TRUE)`` for each, ``mahalanobis`` for T2, and
    ``table`` of the decisions. If two algorithms have equal scores in all folds nothing
    can be tested: p is NaN, which does not reject. If all differences are equal see
    `paired_t`.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, sec. 3.1, 3.3, 3.6.
    .. [2] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011). Multivariate statistical tests
       for comparing classification algorithms. LION 5, sec. 4.

    Examples
    --------
    >>> import pycompare as pc
    >>> cases = pc.example("predictions")
    >>> agreement = pc.agreement(cases.measure(["error", "auc"]))
    >>> agreement.counts().to_dict("index")
    {'accepts': {'accepts': 7, 'rejects': 5}, 'rejects': {'accepts': 4, 'rejects': 8}}
    """
    tested = _tested(scores, metrics)
    check_alpha(alpha)
    rho = ratio_of_sizes(n_train, n_test)
    together = [name for name, own in tested.items() if len(own) > 1]
    if rho and together:
        raise InputError(
            f"n_train and n_test correct tests of one metric, and {show(together[0])} "
            "is a test of several together: leave them out, or test each metric"
        )
    names = tuple(tested)
    table = pd.DataFrame(list(_rows(scores, tested, alpha, rho)))
    return Agreement(
        table=table,
        metrics=names,
        alpha=alpha,
        correction=rho,
        notes=_notes(table, names, rho),
        scores=scores,
        tested=tested,
    )


def _tested(scores: Scores, metrics: Sequence[str | Sequence[str]]) -> MetricsOfTests:
    """Return the metrics of each test by its name."""
    require(scores, Scores)
    several = isinstance(metrics, Sequence) and not isinstance(metrics, str)
    if not several or len(metrics) < 2:
        raise InputError(f"metrics={show(metrics)}: give at least two names")
    known = tuple(m.name for m in scores.metrics)
    tested: MetricsOfTests = {}
    for own in metrics:
        group = tuple(own) if isinstance(own, list | tuple) else (own,)
        label_positions("metrics", group, known)
        name = _AND.join(group)
        if name in tested or not group:
            raise InputError(f"metrics={show(metrics)}: give each test once")
        tested[name] = group
    return tested


def _datasets(scores: Scores) -> tuple[str, ...]:
    return scores.datasets or (WHOLE,) * scores.n_blocks


def _rows(
    scores: Scores, tested: MetricsOfTests, alpha: float, rho: float
) -> Iterator[dict[str, Any]]:
    datasets = np.array(_datasets(scores), object)
    for dataset in dict.fromkeys(datasets.tolist()):
        blocks = [scores.blocks[i] for i in np.flatnonzero(datasets == dataset)]
        if len(blocks) < 2:
            raise DesignError(
                f"dataset={show(dataset)} has one block; a t test needs two or more"
            )
        part = scores.select(blocks=blocks)
        for pair in combinations(scores.algorithms, 2):
            row: dict[str, Any] = {
                "dataset": dataset,
                "algorithm_1": pair[0],
                "algorithm_2": pair[1],
            }
            for name, own in tested.items():
                if len(own) > 1:
                    row |= _decision_together(part, pair, name, own, dataset, alpha)
                else:
                    row |= _decision(part, pair, name, alpha, rho)
            yield row


def _decision(
    scores: Scores, pair: tuple[str, str], name: str, alpha: float, rho: float
) -> dict[str, Any]:
    blocks = pair_of_blocks(scores, name, pair, method="agreement")
    mean = mean_of(*differences(blocks), rho)
    p, _, _ = p_of(mean, "two-sided")
    return {
        f"estimate_{name}": mean.mean,
        f"p_{name}": p,
        f"rejects_{name}": bool(rejected(p, alpha)),
    }


def _decision_together(
    scores: Scores,
    pair: tuple[str, str],
    name: str,
    metrics: tuple[str, ...],
    where: str,
    alpha: float,
) -> dict[str, Any]:
    """Return the decision of Hotelling's T2 and the rank of its covariance."""
    try:
        test = hotelling(scores.select(algorithms=pair), metrics=metrics)
    except DesignError as error:
        raise DesignError(f"{name}, {show_all(pair)}, {where}: {error}") from error
    return {
        f"rank_{name}": test.rank,
        f"p_{name}": test.p_value,
        f"rejects_{name}": bool(rejected(test.p_value, alpha)),
    }


def _notes(table: pd.DataFrame, names: tuple[str, ...], rho: float) -> tuple[str, ...]:
    notes = [
        f"{untested} of {len(table)} tests on {name} had no difference in any fold, or "
        "the same in all with a correction, and are treated as accepted"
        for name in names
        if (untested := int(table[f"p_{name}"].isna().sum()))
    ]
    if not rho:
        notes.append(
            "folds share training cases, which makes an uncorrected t test reject too "
            "often; n_train and n_test ask for the correction"
        )
    return tuple(notes)
