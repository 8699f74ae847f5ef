"""Items as a sample and items as they are: two conclusions from the same answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pycompare.base.tables import Columns, stacked
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Titled
from pycompare.designs.benchmark import PRIMARY, SUPPLEMENTARY, BenchmarkAnswer
from pycompare.designs.pair_methods import draws
from pycompare.designs.planned_pairs import PlannedPairs
from pycompare.designs.plans.data_rules import answers_are_right_or_wrong
from pycompare.designs.plans.plan import Plan
from pycompare.methods.cases.item_means import ItemMeans, item_means
from pycompare.methods.cases.item_table import ItemTable, item_table
from pycompare.methods.cases.these_items import (
    FEWEST_ANSWERS,
    TheseItemsResult,
    these_item_tests,
)
from pycompare.results.result import PairsResult

_LIKE_THESE, _THESE = "Cases like these", "These cases"
_FACT = "answers do not vary between runs, so it is known exactly: no interval"
CaseTests = Callable[[Scores, Plan], PairsResult]


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemScopes:
    """The pairs for new answers to these items, and for items like these.

    Attributes
    ----------
    answers : tuple of BenchmarkAnswer
        The planned one first. A supplementary one is adjusted over its own pairs.
    means : ItemMeans or None
        Each algorithm with both intervals; None if answers never differ.
    items : ItemTable or None
        Items one by one, and the mixed model; None if answers are graded, or never
        differ.
    """

    answers: tuple[BenchmarkAnswer, ...]
    means: ItemMeans | None
    items: ItemTable | None = None

    @property
    def others(self) -> tuple[BenchmarkAnswer, ...]:
        """The supplementary answers."""
        return tuple(a for a in self.answers if a.role == SUPPLEMENTARY)

    @property
    def fixed(self) -> TheseItemsResult | None:
        """The pairs on these items, if any were tested."""
        tested = [a.pairs for a in self.answers]
        return next((p for p in tested if isinstance(p, TheseItemsResult)), None)

    def columns(self) -> Columns:
        """Return all pairs with both answers, one below the other."""
        return stacked([answer.columns() for answer in self.answers])

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything that is not the primary analysis."""
        rows: list[Titled] = [
            (f"{answer.pairs.method}, {answer.name.lower()}", answer.pairs)
            for answer in self.others
            if answer.pairs is not None
        ]
        if self.means is not None:
            rows.append(("Mean of each algorithm for both populations", self.means))
        if self.items is not None:
            rows.append(("Items", self.items))
            if self.items.model is not None:
                rows.append(("Mixed model of items", self.items.model))
        return tuple(rows)


def item_scopes(
    scores: Scores, plan: Plan, primary: PairsResult, tests_of: CaseTests
) -> ItemScopes | None:
    """Return both answers about the items of one metric, the planned one first.

    None with one answer to an item that may differ, since then items and answers cannot
    be separated, for runs that all items share, and for several benchmarks.
    """
    never = plan.answers == "deterministic"
    drawn = plan.runs == "samples" and scores.runs_per_cell[0] >= FEWEST_ANSWERS
    if scores.groups is not None or not (never or drawn):
        return None
    own = scores
    [first] = {*primary.as_columns()["algorithm_1"][:1]}
    if own.n_algorithms == 2 and first != own.algorithms[0]:  # the better comes first
        own = own.select(algorithms=own.algorithms[::-1])
    n = own.n_blocks
    texts = " (new texts)" if own.clusters is not None else ""
    common: dict[str, Any] = {"quantity": "mean over all cases", "role": SUPPLEMENTARY}
    like = BenchmarkAnswer(
        name=_LIKE_THESE,
        population=f"new cases like these{texts}, new answers",
        pairs=None,
        **common,
    )
    these = BenchmarkAnswer(
        name=_THESE, population=f"new answers to these {n} cases", pairs=None, **common
    )
    if never:
        fact = dataclasses.replace(these, reason=_FACT, fact=primary)
        lead = dataclasses.replace(like, role=PRIMARY, pairs=primary)
        return ItemScopes(answers=(lead, fact), means=None)
    adjust = next((name for name in plan.adjust if not draws(name)), "holm")
    alone = dataclasses.replace(
        plan.without_margins(),
        control=primary.control,
        items_scope="sampled",
        gate="none",
        family="metric",
        adjust=(adjust,),
    )
    if plan.items_scope == "fixed":
        sampled = PlannedPairs(tests_of(own, alone), adjust).decided_alone()
        order = [(these, primary), (like, sampled)]
    else:
        fixed = these_item_tests(own, control=primary.control, alpha=plan.alpha)
        order = [(like, primary), (these, fixed.adjusted(adjust))]
    (lead, pairs), (other, more) = order
    return ItemScopes(
        answers=(
            dataclasses.replace(lead, role=PRIMARY, pairs=pairs),
            dataclasses.replace(other, pairs=more),
        ),
        means=item_means(own, level=plan.confidence),
        items=item_table(own) if answers_are_right_or_wrong(own) else None,
    )
