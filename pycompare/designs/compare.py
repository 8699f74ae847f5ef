"""From scores and a plan to the whole analysis."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.base.labels import show, show_all
from pycompare.base.parallel.progress import Say, discard, heard_by, say
from pycompare.base.parallel.tasks import tasks
from pycompare.base.typing import Floats
from pycompare.data.blocks import require_no_untrue_ties
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.decisions import Decision
from pycompare.designs.draft import MARGIN, Draft
from pycompare.designs.family import ALL_GROUPS, FamilyResult, Place, one_family
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.margins import margin_pairs_of, n_margin_tables
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.prediction_rules import OF_PREDICTIONS
from pycompare.designs.plans.related_rules import relates
from pycompare.designs.quantity import RANKS
from pycompare.designs.rank_tests import draft_ranks, independent_blocks
from pycompare.designs.replicates import analyse_runs
from pycompare.results.result import plain, whole_lists

# What only some plans need is imported where such a plan is found: a command on one
# table would load twice as many modules.
if TYPE_CHECKING:
    from pycompare.designs.blinding import Blinding
    from pycompare.designs.measured_scores import MeasuredScores
    from pycompare.designs.multivariate import Together
    from pycompare.designs.multivariate_datasets import DatasetsTogether


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """The results of a comparison, with its plan and scores.

    Attributes
    ----------
    scores : Scores
        The scores as they were read.
    asked : Plan
        The plan as it was given.
    plan : Plan
        The same with nothing left open: the kind of blocks, which methods.
    parts : tuple of GroupComparison
        One per group of data sets, then that of all together, if planned; of cases that
        comes first. Just one without groups, and if only all together are compared.
    families : tuple of FamilyResult
        With ``family="all"``: the pairs of all metrics and groups, adjusted together;
        the first is the primary analysis.
    plan_file : PlanFile or None
        The file that the plan was read from, with its text and hash.
    predictions : Predictions or None
        The source of the scores.
    blinding : Blinding or None
        The key, if codes stand for the names of the algorithms, or did.

    Examples
    --------
    >>> import pycompare as pc
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> comparison.results()[0][0]
    'Mean ranks: Friedman rank sum test, corrected for ties'
    """

    scores: Scores
    asked: Plan
    plan: Plan
    parts: tuple[GroupComparison, ...]
    families: tuple[FamilyResult, ...] = ()
    plan_file: PlanFile | None = None
    predictions: Predictions | None = None
    blinding: Blinding | None = None

    @property
    def grouped(self) -> bool:
        """Whether groups of data sets or cases are compared separately."""
        return self.scores.groups is not None and self.plan.groups != "all"

    @property
    def only(self) -> GroupComparison:
        """The whole comparison if there are no groups; rejected if there are."""
        if self.grouped:
            raise InputError(
                f"the data sets are in groups, each with its own analyses: take one "
                f"by .part(name), of {show_all(self.scores.group_names)}"
            )
        return self.parts[0]

    @property
    def compared(self) -> Scores:
        """The scores that were compared: data sets' means, if they have folds."""
        return self.only.compared

    @property
    def analyses(self) -> tuple[Analysis, ...]:
        """One per metric, all of one analysis."""
        return self.only.analyses

    @property
    def together(self) -> Together | None:
        """Several metrics at once, over folds or over means of data sets."""
        return self.only.together

    @property
    def datasets_together(self) -> DatasetsTogether | None:
        """Several metrics at once on each of several data sets."""
        return self.only.datasets_together

    def part(self, group: str | None) -> GroupComparison:
        """Return the analyses of one group; None: of all data sets together."""
        parts = {part.group: part for part in self.parts}
        if group not in parts:
            names = show_all(parts)
            raise InputError(f"there is no part {show(group)}; there are {names}")
        return parts[group]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision.

        If groups are compared separately ``groups`` lists them.
        """
        with whole_lists():
            plan = plain(dataclasses.asdict(self.plan))
        head = {
            "plan": plan,
            "blocks_asked": self.asked.blocks,
            "families": plain(self.families),
        }
        if not self.grouped:
            return head | self.only.to_dict()
        parts = [{"group": part.group, **part.to_dict()} for part in self.parts]
        return head | {"groups": parts}

    def results(self) -> list[Titled]:
        """Return every result with its title, and where it belongs."""
        named = self.grouped
        titled: list[Titled] = [
            (f"Family, {family.method}: {', '.join(family.adjust)}", family)
            for family in self.families
        ]
        for part in self.parts:
            start = f"{part_title(part.group)}: " if named else ""
            titled += [(f"{start}{title}", result) for title, result in part.results()]
        return titled


def part_title(group: str | None) -> str:
    """Return what a title calls the part of a grouped comparison."""
    return ALL_GROUPS.capitalize() if group is None else f"Group {group}"


def analyse(
    scores: Scores | Predictions,
    plan: Plan | PlanFile | None = None,
    *,
    progress: Say = discard,
) -> Comparison:
    """Compare algorithms as planned; see ``pycompare.apps.comparison.compare``."""
    with heard_by(progress):
        return _analyse(scores, Plan() if plan is None else plan)


def _analyse(scores: Scores | Predictions, given: Plan | PlanFile) -> Comparison:
    """Compare algorithms as planned."""
    plan_file = given if isinstance(given, PlanFile) else None
    asked = given.plan if isinstance(given, PlanFile) else given
    if isinstance(scores, Predictions):
        comparison = _compare_predictions(scores, given, asked)
    else:
        comparison = _compare_scores(scores, asked, given.settled(scores))
    return dataclasses.replace(comparison, plan_file=plan_file)


def analyse_blinded(
    data: Scores | Predictions,
    plan: Plan | PlanFile,
    *,
    progress: Say = discard,
) -> Comparison:
    """Compare as planned, with codes for the names of the algorithms."""
    from pycompare.designs.blinding import Blinding, blinded

    held = blinded(data, plan)
    hidden, planned, key = held.data, held.given, held.key
    comparison = analyse(hidden, planned, progress=progress)
    return dataclasses.replace(comparison, blinding=Blinding(key=key))


def _require_distinct(scores: Scores) -> None:
    """Reject scores whose differences doubles cannot distinguish from noise."""
    for place, metric in enumerate(scores.metrics):
        values = scores.values[..., place]
        require_no_untrue_ties(values, metric.name)
        if scores.datasets is not None:  # whose means are ranked
            sums = _sums(values, scores.datasets)
            require_no_untrue_ties(sums, metric.name, "sums over folds")


def _sums(values: Floats, datasets: Sequence[str]) -> Floats:
    """Return the sums over the folds of each data set."""
    names, owner = np.unique(np.array(datasets, object), return_inverse=True)
    sums = np.zeros((len(names), values.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        np.add.at(sums, owner, values)
    return sums


def _compare_predictions(
    predictions: Predictions, given: Plan | PlanFile, asked: Plan
) -> Comparison:
    """Measure predictions as planned, then compare the scores."""
    from pycompare.designs.measured_scores import measured
    from pycompare.designs.threshold_sweep import analyse_thresholds

    say("measures of the predictions")
    measurements = measured(predictions, given)
    if measurements.plan.generalise is not None:
        return _compare_shared(predictions, measurements, asked)
    if not measurements.plan.sweeps:
        comparison = _compare_scores(
            measurements.scores, asked, measurements.compared_by
        )
        kept = {name: getattr(measurements.plan, name) for name in OF_PREDICTIONS}
        plan = dataclasses.replace(comparison.plan, **kept)
        parts = comparison.parts
        if plan.joins:  # the page of each part states what its vector is
            parts = tuple(
                dataclasses.replace(p, plan=dataclasses.replace(p.plan, **kept))
                for p in parts
            )
        return dataclasses.replace(
            comparison, plan=plan, parts=parts, predictions=predictions
        )
    part = GroupComparison(
        group=None,
        scores=measurements.scores,
        compared=measurements.scores,
        asked=asked,
        plan=measurements.plan,
        analyses=(analyse_thresholds(measurements.scores, measurements.plan),),
        together=None,
        datasets_together=None,
        predictions=predictions,
    )
    return Comparison(
        scores=measurements.scores,
        asked=asked,
        plan=measurements.plan,
        parts=(part,),
        predictions=predictions,
    )


def _compare_shared(
    predictions: Predictions, measurements: MeasuredScores, asked: Plan
) -> Comparison:
    """Compare training sets that share one test set, over readers and cases."""
    plan, names = measurements.plan, measurements.plan.metrics
    held = predictions, measurements.scores, _with_shared_level(plan, len(names))
    drafts = tasks(_drafted_shared, held, names, what="metrics", name=str, nested=True)
    pairs = zip(names, drafts, strict=True)
    places = [Place(0, None, name, draft) for name, draft in pairs]
    analyses, families = _decided(places, plan)
    part = GroupComparison(
        group=None,
        scores=measurements.scores,
        compared=measurements.scores,
        asked=asked,
        plan=plan,
        analyses=tuple(analyses),
        together=None,
        datasets_together=None,
        predictions=predictions,
    )
    return Comparison(
        scores=measurements.scores,
        asked=asked,
        plan=plan,
        parts=(part,),
        families=families,
        predictions=predictions,
    )


def _drafted_shared(held: tuple[Predictions, Scores, Plan], name: str) -> Draft:
    """Return everything about one metric of training sets but its adjusted p-values."""
    predictions, scores, plan = held
    if plan.claims:
        from pycompare.designs.shared_test_set import draft_shared

        return draft_shared(predictions, plan, name)
    from pycompare.designs.fold_estimates import draft_estimates

    return draft_estimates(scores, plan, name)


def _decided(
    places: Sequence[Place], plan: Plan
) -> tuple[list[Analysis], tuple[FamilyResult, ...]]:
    """Return the analyses as the families of the plan decide them."""
    if plan.family == "all" and plan.claims:
        return one_family(places, plan)
    return [place.draft.decided_alone() for place in places], ()


def _compare_scores(scores: Scores, asked: Plan, settled: Plan) -> Comparison:
    """Compare scores by a plan that leaves nothing open."""
    _require_distinct(scores)
    parts, families = _compare_parts(scores, asked, settled)
    return Comparison(
        scores=scores,
        asked=asked,
        plan=settled,
        parts=parts,
        families=families,
    )


def _compare_parts(
    scores: Scores, asked: Plan, settled: Plan
) -> tuple[tuple[GroupComparison, ...], tuple[FamilyResult, ...]]:
    """Return the comparison of each group, or of all data sets."""
    names = settled.metrics or tuple(m.name for m in scores.metrics)
    grouped = _tables_of(scores, settled)
    asked_of = _InCommon(
        tuple(grouped),
        settled,
        _with_shared_level(settled, len(grouped) * len(names)),
        n_margin_tables(settled, names, len(grouped)),
    )
    keys = [(at, name) for at in range(len(grouped)) for name in names]

    def title(key: tuple[int, str]) -> str:
        group = grouped[key[0]][0] or ALL_GROUPS
        return f"{group}, {key[1]}" if scores.groups else key[1]

    what = "metrics of groups" if scores.groups else "metrics"
    drafts = tasks(_drafted, asked_of, keys, what=what, name=title, nested=True)
    places = [
        Place(at, grouped[at][0], name, draft)
        for (at, name), draft in zip(keys, drafts, strict=True)
    ]
    if settled.family == "all":
        say("one family")
    analyses, families = _decided(places, settled)
    whole = list(_with_more(asked_of, places, analyses))
    parts = tuple(
        _part(
            table,
            [a for a, place in zip(whole, places, strict=True) if place.part == at],
            asked,
            settled,
            names,
        )
        for at, table in enumerate(grouped)
    )
    return parts, families


def _tables_of(scores: Scores, plan: Plan) -> list[tuple[str | None, Scores, Scores]]:
    """Return the name of each group, its scores, and its blocks that are compared."""
    tables = []
    for group, part in _parts_of(scores, plan):
        with _of_group(group):
            blocks = independent_blocks(part, plan)
            if plan.weights is None:  # with which groups are never pooled
                blocks = blocks.ungrouped()
        tables.append((group, part, blocks))
    return tables


@dataclass(frozen=True, eq=False)
class _InCommon:
    """All that the analyses of a comparison have in common.

    Attributes
    ----------
    tables : tuple of (str or None, Scores, Scores)
        Of each group its name, its scores and its blocks.
    plan, used : Plan
        As it is settled; the same at the level of one table.
    n_margins : int
        Tables whose tests against a margin are one family.
    """

    tables: tuple[tuple[str | None, Scores, Scores], ...]
    plan: Plan
    used: Plan
    n_margins: int


def _drafted(asked: _InCommon, key: tuple[int, str]) -> Draft:
    """Return everything about one metric of one group but its adjusted p-values."""
    at, name = key
    group, part, blocks = asked.tables[at]
    plan = asked.plan
    with _of_group(group):
        drafted = drafter(blocks, plan)
        subject = part if plan.design.nested else blocks
        draft, whole = drafted(subject, asked.used, name), blocks
        if subject.n_algorithms == 2 and _turned(
            draft.decided_alone().decisions, subject
        ):
            draft = drafted(_turned_pair(subject), asked.used, name)
            whole = _turned_pair(blocks)
        margin = margin_pairs_of(whole, plan, name, asked.n_margins)
    if margin is None or not plan.claims:
        return draft
    return dataclasses.replace(draft, margins={MARGIN: (margin,)})


@contextmanager
def _of_group(group: str | None) -> Iterator[None]:
    """Yield in errors which group they are of."""
    try:
        yield
    except (DesignError, InputError) as error:
        if group is not None:
            error.at(f"group {show(group)}")
        raise


def _parts_of(scores: Scores, plan: Plan) -> list[tuple[str | None, Scores]]:
    """Return the scores of each part of the comparison, with its group's name."""
    if scores.groups is None or plan.groups == "all":
        return [(None, scores)]
    parts: list[tuple[str | None, Scores]] = [
        (name, scores.of_group(name)) for name in scores.group_names
    ]
    if plan.groups == "each":
        return parts
    if plan.design.of_cases:
        # The answer for the whole benchmark is the conclusion, so it comes first.
        return [(None, scores), *parts]
    return [*parts, (None, scores.ungrouped())]


def _part(
    table: tuple[str | None, Scores, Scores],
    analyses: list[Analysis],
    asked: Plan,
    plan: Plan,
    names: tuple[str, ...],
) -> GroupComparison:
    """Return the whole analysis of one group, or of all data sets."""
    group, scores, blocks = table
    joint: Together | None = None
    joint_on_each: DatasetsTogether | None = None
    with _of_group(group):
        if scores.groups is not None:  # of cases, all groups together
            from pycompare.designs.benchmark_answers import with_benchmark

            analyses = [with_benchmark(a, scores, plan) for a in analyses]
        if len(names) > 1 and plan.claims:
            from pycompare.designs.multivariate import together
            from pycompare.designs.multivariate_datasets import datasets_together

            say("all metrics together")
            joint = together(blocks, plan, names, analyses)
            joint_on_each = datasets_together(scores, plan, names, analyses)
        return GroupComparison(
            group=group,
            scores=scores,
            compared=blocks,
            asked=asked,
            plan=plan,
            analyses=tuple(analyses),
            together=joint,
            datasets_together=joint_on_each,
        )


def _with_more(
    asked: _InCommon,
    places: Sequence[Place],
    analyses: Sequence[Analysis],
) -> Iterator[Analysis]:
    """Yield the analyses with runs and posterior probabilities, as planned."""
    blocks = [asked.tables[place.part][2] for place in places]
    keys = [
        (place.part, place.metric, _turned(analysis.decisions, compared))
        for place, analysis, compared in zip(places, analyses, blocks, strict=True)
    ]
    long = {
        "posteriors": asked.plan.bayes,
        "aggregates of runs": asked.plan.run_aggregates,
    }
    what = " and ".join(name for name, planned in long.items() if planned is not None)
    more = tasks(_more_of, asked, keys, what=what or None, nested=True)
    for analysis, fields in zip(analyses, more, strict=True):
        yield dataclasses.replace(analysis, **fields)


def _more_of(asked: _InCommon, key: tuple[int, str, bool]) -> dict[str, Any]:
    """Return runs, posterior probabilities and aggregates of one metric of a group."""
    at, metric, turned = key
    group, scores, blocks = asked.tables[at]
    plan = asked.plan
    alone = scores.ungrouped() if scores.groups is not None else scores
    more: dict[str, Any] = {}
    with _of_group(group):
        if plan.claims:
            more["runs"] = analyse_runs(alone, plan, metric)
        if turned:
            alone, blocks = _turned_pair(alone), _turned_pair(blocks)
        if plan.bayes is not None:
            from pycompare.designs.posteriors import planned_posterior

            more["posterior"] = planned_posterior(alone, blocks, plan, metric)
        if plan.run_aggregates is not None:
            from pycompare.designs.task_aggregates import task_aggregates

            more["tasks"] = task_aggregates(alone, plan, metric)
    return more


def _turned(decisions: Sequence[Decision], scores: Scores) -> bool:
    """Return whether the second of two algorithms is better.

    Statements about one pair is the better algorithm minus the other one. So are
    then the test, its statistic and its estimates: the analysis is that of turned
    scores.
    """
    if scores.n_algorithms != 2 or not decisions:
        return False
    return decisions[0].better != scores.algorithms[0]


def _turned_pair(scores: Scores) -> Scores:
    """Return scores of two algorithms with the second one first."""
    return scores.select(algorithms=scores.algorithms[::-1])


def _with_shared_level(plan: Plan, n_tables: int) -> Plan:
    """Return the plan of one table of ``n_tables``, which may be one family."""
    return plan.of_tables(n_tables) if plan.family == "all" else plan


def drafter(scores: Scores, plan: Plan) -> Callable[[Scores, Plan, str], Draft]:
    """Return the function that drafts the analysis that the plan takes."""
    if plan.compares == "bayes":
        from pycompare.designs.posteriors import draft_posterior

        return draft_posterior
    if plan.ranking is not None and not plan.ranks_by_scores:
        from pycompare.designs.challenge import draft_challenge

        return draft_challenge
    if not plan.claims:
        from pycompare.designs.fold_estimates import draft_estimates

        return draft_estimates
    design = plan.design
    if plan.labels is not None:
        from pycompare.designs.judge_labels import draft_labels

        return draft_labels
    if design.of_cases:
        from pycompare.designs.cases import draft_cases

        return draft_cases
    if relates(plan, scores):
        from pycompare.designs.related_datasets import draft_related

        return draft_related
    if scores.n_algorithms == 2 and design.two_alone:
        from pycompare.designs.two_algorithms import draft_two

        return draft_two
    if design.one_dataset:
        from pycompare.designs.blocked_anova import draft_means

        return draft_means
    if plan.quantity == RANKS and not design.nested:
        return draft_ranks
    from pycompare.designs.multiple_datasets import draft_datasets

    return draft_datasets
