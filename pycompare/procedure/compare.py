"""``compare``: from scores and a plan to the whole analysis."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.data.scores import Metric, Scores
from pycompare.errors import DesignError
from pycompare.pairs.superiority import SuperiorityResult, superiority
from pycompare.procedure.cliques import cliques
from pycompare.procedure.plan import Plan
from pycompare.ranks.aligned import aligned_ranks
from pycompare.ranks.friedman import FriedmanResult, friedman
from pycompare.ranks.nemenyi import NemenyiResult, nemenyi
from pycompare.ranks.pairs import RankPairsResult, rank_pairs
from pycompare.ranks.quade import quade
from pycompare.ranks.skillings_mack import SkillingsMackResult, skillings_mack
from pycompare.results import Test, plain, rejected


@dataclass(frozen=True)
class Decision:
    """What the plan decides about one pair.

    ``better`` ranks before ``worse`` (data order where they tie). ``rejected`` is
    ``p_adjusted <= alpha`` by the plan's decisive adjustment.
    """

    better: str
    worse: str
    p_value: float
    p_adjusted: float
    rejected: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """All results for one metric.

    Attributes
    ----------
    metric : Metric
    omnibus : FriedmanResult or SkillingsMackResult
        The test of no difference at all, corrected for ties; Skillings-Mack where
        cells are missing.
    witnesses : tuple of Test
        Other omnibus tests of the same data: sensitivity analysis.
    pairs : tuple of RankPairsResult
        One per adjustment of the plan; the first is decisive.
    nemenyi : NemenyiResult or None
        With critical difference; all pairs of a complete table only.
    superiority : SuperiorityResult or None
        Wins, ties, losses, effect sizes; complete tables only.
    cliques : tuple of tuple of str
        Groups without a significant difference, by the decisive adjustment.
    decisions : tuple of Decision
    """

    metric: Metric
    omnibus: FriedmanResult | SkillingsMackResult
    witnesses: tuple[Test, ...]
    pairs: tuple[RankPairsResult, ...]
    nemenyi: NemenyiResult | None
    superiority: SuperiorityResult | None
    cliques: tuple[tuple[str, ...], ...]
    decisions: tuple[Decision, ...]

    @property
    def decisive(self) -> RankPairsResult:
        """The pairs by the adjustment that makes the verdict."""
        return self.pairs[0]

    def pairs_table(self) -> pd.DataFrame:
        """Return the pairs with all adjusted p-values side by side."""
        table = self.decisive.to_frame().drop(columns="p_adjusted")
        for pairs in self.pairs:
            table[f"p_{pairs.adjust}"] = pairs.table["p_adjusted"]
        return table

    def not_in_r(self) -> tuple[str, ...]:
        """Return the adjustments that R cannot repeat for so many algorithms."""
        return tuple(p.adjust for p in self.pairs if not p.repeatable)

    def results(self) -> tuple[tuple[str, Any], ...]:
        """Return title and result of everything computed, in the report's order."""
        rows: list[tuple[str, Any]] = [(self.omnibus.name, self.omnibus)]
        # Iman-Davenport's F comes with the Friedman test it is made from.
        rows += [(t.name, t) for t in self.witnesses if t.r_call() is not None]
        rows += [(f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs]
        if self.nemenyi is not None:
            rows.append(("Nemenyi test and critical difference", self.nemenyi))
        if self.superiority is not None:
            rows.append(("Probability of superiority", self.superiority))
        return tuple(rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """A whole comparison.

    Attributes
    ----------
    scores : Scores
        The scores as they were read.
    ranked : Scores
        The scores that were ranked: data sets' means if the plan says so.
    plan : Plan
    analyses : tuple of Analysis
        One per metric.
    """

    scores: Scores
    ranked: Scores
    plan: Plan
    analyses: tuple[Analysis, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        return {
            "plan": plain(dataclasses.asdict(self.plan)),
            "analyses": [plain_analysis(a) for a in self.analyses],
        }

    def summary(self, digits: int = 4) -> str:
        """Return the verdict in plain sentences."""
        from pycompare.reporting import words

        return "\n".join(words.verdict(self, a, digits) for a in self.analyses)


PAIRS_WORDS = (
    "method",
    "estimate_name",
    "statistic_name",
    "adjust",
    "family",
    "interval",
    "level",
    "control",
    "reference",
    "p_source",
    "notes",
)
"""What results.json says about each adjustment of the pairs."""


def plain_analysis(analysis: Analysis) -> dict[str, Any]:
    """Return one analysis as plain Python values."""
    names = [f.name for f in dataclasses.fields(analysis) if f.name != "pairs"]
    found = {name: plain(getattr(analysis, name)) for name in names}
    # One row a pair with all adjustments side by side, not a table an adjustment.
    found["pairs"] = plain(analysis.pairs_table())
    found["pairs_by"] = [
        {name: plain(getattr(pairs, name)) for name in PAIRS_WORDS}
        for pairs in analysis.pairs
    ]
    return found


def compare(scores: Scores, plan: Plan | None = None) -> Comparison:
    """Compare algorithms measured on common blocks by ranks, as planned.

    Parameters
    ----------
    scores : Scores
        Complete, or read with ``missing="model"`` (then Skillings-Mack replaces
        Friedman and what needs complete blocks is left out).
    plan : Plan, optional
        Default: all pairs, alpha 0.05, Bergmann-Hommel decides.

    Returns
    -------
    Comparison
        Omnibus tests, pairs with raw and adjusted p-values, cliques, effect sizes and
        decisions, per metric. Each decision is ``p_adjusted <= alpha``. The pairwise
        tests control their family's error by themselves and do not wait for the
        omnibus test.

    Raises
    ------
    InputError, DesignError
        If the plan does not fit the scores.
    """
    plan = plan or Plan()
    plan.check_against(scores)
    blocks = independent_blocks(scores, plan)
    names = plan.metrics or tuple(m.name for m in scores.metrics)
    analyses = tuple(analyse(blocks, plan, name) for name in names)
    return Comparison(scores=scores, ranked=blocks, plan=plan, analyses=analyses)


def independent_blocks(scores: Scores, plan: Plan) -> Scores:
    """Return scores whose blocks may be ranked together, as the plan says."""
    datasets = scores.datasets
    if plan.average_folds:
        if datasets is None or len(set(datasets)) < 2:
            raise DesignError(
                "average_folds needs at least two data sets, named by a column of "
                "their own (dataset=...); leave it out to compare over the blocks"
            )
        return dataset_means(scores)
    if datasets is not None and 1 < len(set(datasets)) < len(scores.blocks):
        raise DesignError(
            f"{len(set(datasets))} data sets with {len(scores.blocks)} folds: folds of "
            f"one data set are not independent blocks for a test over data sets; say "
            f"average_folds=True to rank each data set's mean, or compare one data set "
            f"at a time"
        )
    return scores


def dataset_means(scores: Scores) -> Scores:
    """Return one block per data set: the mean of its blocks' scores."""
    assert scores.datasets is not None
    if not scores.complete:
        raise DesignError(
            "average_folds needs every fold of every data set: a mean over the folds "
            "that are left is over other test cases than the others'; read the scores "
            'with missing="drop-block"'
        )
    labels = tuple(dict.fromkeys(scores.datasets))
    owner = np.array(scores.datasets, dtype=object)
    values = np.stack([scores.values[owner == name].mean(axis=0) for name in labels])
    return dataclasses.replace(scores, values=values, blocks=labels, datasets=labels)


def analyse(scores: Scores, plan: Plan, metric: str) -> Analysis:
    """Return all results for one metric."""
    complete = not np.isnan(scores.column(metric)).any()
    if not complete and plan.p_values == "exact":
        raise DesignError(
            f"exact p-values need a complete table, cells of {metric!r} are missing; "
            'use p_values="by-size", or read the scores with missing="drop-block"'
        )
    exact = complete and plan.exact_for(scores.n_blocks, scores.n_algorithms)
    options: dict[str, Any] = {"metric": metric, "decimals": plan.decimals}
    pairs = tuple(
        rank_pairs(
            scores,
            method="friedman" if complete else "skillings-mack",
            adjust=name,
            control=plan.control,
            level=plan.confidence,
            monotone=plan.monotone and name == "bergmann-hommel",
            p_value="exact" if exact else "normal",
            **options,
        )
        for name in plan.adjust
    )
    all_pairs = plan.control is None
    tests = (
        complete_tests(scores, plan, options)
        if complete
        else gappy_tests(scores, options)
    )
    return Analysis(
        metric=scores.metric(metric),
        omnibus=tests[0],
        witnesses=tests[1:],
        pairs=pairs,
        nemenyi=nemenyi(scores, alpha=plan.alpha, **options)
        if complete and all_pairs
        else None,
        superiority=effects(scores, plan, options) if complete else None,
        cliques=cliques(pairs[0], alpha=plan.alpha) if all_pairs else (),
        decisions=decisions(pairs[0], plan.alpha),
    )


def effects(scores: Scores, plan: Plan, options: dict[str, Any]) -> SuperiorityResult:
    """Return wins and sign tests, adjusted like the verdict where that can be."""
    usable = plan.control is None and plan.decisive != "nemenyi"
    adjust = plan.decisive if usable else "holm"
    return superiority(scores, level=plan.confidence, adjust=adjust, **options)


def complete_tests(
    scores: Scores, plan: Plan, options: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the omnibus tests of a complete table, the main one first."""
    exact = plan.exact_for(scores.n_blocks, scores.n_algorithms)
    main = friedman(scores, level=plan.confidence, **options)
    plainly = friedman(scores, ties="uncorrected", level=plan.confidence, **options)
    tests: list[Test] = [main, main.iman_davenport, plainly, plainly.iman_davenport]
    if exact:
        decisive = friedman(scores, p_value="exact", level=plan.confidence, **options)
        tests.insert(0, decisive)
    return (*tests, aligned_ranks(scores, **options), quade(scores, **options))


def gappy_tests(scores: Scores, options: dict[str, Any]) -> tuple[Any, ...]:
    """Return the omnibus tests of a table with missing cells, the main one first."""
    return (
        skillings_mack(scores, **options),
        skillings_mack(scores, ties="uncorrected", **options),
    )


def decisions(pairs: RankPairsResult, alpha: float) -> tuple[Decision, ...]:
    """Return what is decided about each pair, strongest evidence first."""
    table = pairs.table.assign(rejected=rejected(pairs.table["p_adjusted"], alpha))
    ordered = table.sort_values(["p_adjusted", "p_value"], kind="stable")
    return tuple(
        Decision(
            better=row.algorithm_2 if row.estimate > 0 else row.algorithm_1,
            worse=row.algorithm_1 if row.estimate > 0 else row.algorithm_2,
            p_value=row.p_value,
            p_adjusted=row.p_adjusted,
            rejected=bool(row.rejected),
        )
        for row in ordered.itertuples()
    )
