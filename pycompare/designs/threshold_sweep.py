"""Several metrics at several thresholds: wins at each, over all, over data sets."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pycompare.base.metric import Metric
from pycompare.base.parallel.progress import say
from pycompare.data.scores import Scores
from pycompare.designs.analysis import PAIRS_WORDS, Analysis, Titled
from pycompare.designs.decisions import decisions
from pycompare.designs.plans.plan import Plan
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.over_datasets.sign_grid import SignGridResult, sign_grid
from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult, wins_on
from pycompare.results.result import Told, plain

_RISK = Metric("risk", "lower")
_THE_DATASET = "all folds"
"""Name of one data set without a name."""

MOST_IN_R = 50_000
"""Numbers of the tables that the R script of a report holds."""

_LONG_TABLES = ("at_thresholds", "tests", "risks")
"""Tables with rows for each threshold."""

_SIGN_WORDS = ("table", "alternative", "ties", *PAIRS_WORDS)
"""Statements of results.json about the sign tests; their wins are beside them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ThresholdsAnalysis(Analysis):
    """Wins by total risk over thresholds, then over data sets; see ``Analysis``.

    ``metric`` is the risk, which decides who is better if mean vectors differ. One
    data set has no decisions: thresholds that share their cases are no sample.

    Attributes
    ----------
    won : ThresholdWinsResult
        At each threshold of each data set MANOVA, T2 of pairs and risks; who wins on
        each data set, and on how many.
    pairs : tuple of SignGridResult
        Sign tests over data sets, one per method of the plan; the first makes the
        verdict. Empty for one data set.
    cliques : tuple of tuple of str, optional
        Groups without a significant difference over data sets; none with a control.
        None if they are more than 1,000.
    n_folds : dict of str to int
        Of each data set.
    """

    kind = "thresholds"
    has_ranks = False
    won: ThresholdWinsResult
    pairs: tuple[SignGridResult, ...]
    cliques: tuple[tuple[str, ...], ...] | None
    n_folds: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision.

        Long tables are columns, not rows.
        """
        tables = {name: getattr(self.won, name) for name in _LONG_TABLES}
        empty = {name: table.iloc[:0] for name, table in tables.items()}
        won = dataclasses.replace(self.won, **empty).to_dict()
        won |= {name: _columns(table) for name, table in tables.items()}
        return {
            "kind": self.kind,
            "metric": plain(self.metric),
            "decisions": self.plain_field("decisions"),
            # What stands here as a result is repeated in R.
            "won": Told(won, self.won) if self.in_r else dict(won),
            "pairs": [
                Told(
                    {name: plain(getattr(pairs, name, None)) for name in _SIGN_WORDS},
                    pairs,
                )
                for pairs in self.pairs
            ],
            "cliques": plain(self.cliques),
            "n_folds": plain(self.n_folds),
        }

    @property
    def in_r(self) -> bool:
        """Whether the script of a report repeats the tests at all thresholds."""
        call = self.won.r_call()
        return call is not None and call.arguments["y"].size <= MOST_IN_R

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything that the R script repeats."""
        at_thresholds = [("Wins over thresholds", self.won)] if self.in_r else []
        signs = [
            (f"Sign tests over data sets, adjusted: {pairs.adjust}", pairs)
            for pairs in self.pairs
        ]
        return (*at_thresholds, *signs)

    def not_in_r(self) -> tuple[str, ...]:
        """Return the adjustments that R cannot repeat for so many algorithms."""
        return (self.won.adjust,) if self.won.r_call() is None else ()


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    """Return a table column by column."""
    return {column: plain(table[column].tolist()) for column in table}


def analyse_thresholds(scores: Scores, plan: Plan) -> ThresholdsAnalysis:
    """Return the analysis of scores named ``tp@0.25``.

    Figure 7.1 of Aslan (2009), case 6. Several data sets end in sign tests over them;
    one ends in who wins on it.
    """
    labelled = scores
    if plan.design.one_dataset:
        dataset = (scores.datasets or (_THE_DATASET,))[0]
        labelled = dataclasses.replace(scores, datasets=(dataset,) * scores.n_blocks)
    assert labelled.datasets is not None
    datasets = tuple(dict.fromkeys(labelled.datasets))
    say(f"tests at {len(plan.theta)} thresholds of {len(datasets)} data sets")
    assert plan.threshold_rule is not None  # settled
    won = wins_on(
        labelled,
        datasets,
        metrics=plan.metrics,
        method="paired",
        adjust=plan.t_adjust,
        alpha=plan.alpha,
        omnibus=plan.gate == "omnibus",
        rule=plan.threshold_rule,
        threshold_adjust=plan.threshold_adjust or "none",
    )
    pairs = _signs(won, plan) if len(datasets) > 1 else ()
    return ThresholdsAnalysis(
        metric=_RISK,
        decisions=decisions(pairs[0], plan.alpha) if pairs else (),
        won=won,
        pairs=pairs,
        compared={"sign": pairs},
        cliques=listed_cliques(pairs[0], alpha=plan.alpha)
        if pairs and plan.control is None
        else (),
        n_folds={name: labelled.datasets.count(name) for name in datasets},
    )


def _signs(won: ThresholdWinsResult, plan: Plan) -> tuple[SignGridResult, ...]:
    """Return the exact sign tests over data sets; one is enough for one pair."""
    names = plan.adjust if len(won.algorithms) > 2 else plan.adjust[:1]
    return tuple(
        sign_grid(won, adjust=name, control=plan.control, level=1 - plan.alpha)
        for name in names
    )
