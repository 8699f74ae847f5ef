"""A folder with an analysis of battles: its page, pictures, R code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_program import program_of_few
from pycompare.designs.battles_beside import AnyBattles
from pycompare.designs.plans.battles_plan import BattlesPlan
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.reporting.analyses import battles as page
from pycompare.reporting.content import ranks, wording
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import other_data
from pycompare.reporting.evidence.data_files import of_battles
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.r_battles import BattlesInR
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import Origin, provenance
from pycompare.reporting.submission_words import Words, stated_attributes
from pycompare.reporting.write import Contents, write_report
from pycompare.results.result import Told, plain

KIND = FolderMark("pycompare battles")


def write(
    result: AnyBattles,
    to: str | Path,
    *,
    origin: Origin | None = None,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of an analysis of battles."""
    made_from = origin or Origin(source=result.battles.source)
    return write_report(KIND, to, partial(contents, result, made_from), **writing)


def contents(
    result: AnyBattles, made_from: Origin, command: Sequence[str] | None
) -> Contents:
    """Return the contents of the folder; ``command`` is the command line."""
    data = of_battles(result.battles)
    assert data.sha256 is not None
    each = page.results_of(result)
    seed = result.asked["seed"]
    origin = provenance(
        source=made_from.source,
        plan_file=made_from.plan_file,
        data=(data.kind, data.sha256),
        command=command,
        seed=seed,
        randomness=f"{seed}, for 10,000 draws behind adjusted p-values and joint "
        "intervals: conclusions near alpha depend on it",
    )
    ranked = {group: _ranked(strengths) for group, strengths in each.items()}
    titled: list[tuple[str, Any]] = []
    for group, strengths in each.items():
        end = f", {group}" if group else ""
        titled.append((f"{strengths.method}{end}", strengths))
        sets = ranked[group]
        if sets is not None and strengths.repeatable:  # else they rest on draws
            titled.append((f"Confidence sets of ranks{end}", sets))
    n = len(result.battles.first)
    return Contents(
        report=page.battles_report(result, origin),
        program=program_of_few(titled, n, "battles", BattlesInR(result.battles, each)),
        results=lambda: _held(result, ranked),
        evidence=Evidence(
            data=data,
            asked=result.asked,
            settled=result.asked,
            steps=[*_steps(result, each, made_from.asked_by)],
            deviations=list(other_data(made_from.trail)),
        ),
        words=partial(battles_words, result, made_from.plan),
    )


def _ranked(result: BattlesResult) -> RankSets | None:
    """Return the sets of ranks that a page shows."""
    if result.control is not None or not result.has_tests:
        return None
    return ranks.shown(result, result.alpha)


def _held(result: AnyBattles, ranked: dict[str, RankSets | None]) -> Any:
    """Return what results.json holds of an analysis."""
    if isinstance(result, BattlesResult):
        held = {**result.to_dict(), **plain({"rank_sets": ranked[""]})}
        return {"strength": Told(held, result)}
    groups = {
        group: Told(
            {**strengths.to_dict(), **plain({"rank_sets": ranked[group]})}, strengths
        )
        for group, strengths in result.groups.items()
    }
    return {
        "groups": groups,
        "not_ranked": dict(result.not_ranked),
        "family": result.family,
    }


def _steps(
    result: AnyBattles, each: dict[str, BattlesResult], asked_by: str
) -> Iterator[Step]:
    """Yield every step of an analysis of battles."""
    held = result.battles
    yield Step(
        step="Read the battles",
        why=asked_by,
        decided=f"{counted(len(held.first), 'battle')}, "
        f"{counted(len(held.models), 'model')}",
    )
    for group, strengths in each.items():
        pairs = strengths.as_columns()
        significant = int(strengths.rejected(strengths.alpha).sum())
        end = f": {group}" if group else ""
        yield Step(
            step=f"{strengths.method}, adjusted: {strengths.adjust}{end}",
            why="primary analysis",
            decided=f"{significant} of {counted(len(pairs), 'pair')} significant at "
            f"alpha = {strengths.alpha:g}",
        )
    if isinstance(result, GroupedBattlesResult):
        for group, why in result.not_ranked.items():
            yield Step(step=f"Group {group}", why="primary analysis", decided=why)
    yield Step(
        step="Votes, order and ties treated otherwise",
        why="sensitivity analysis",
        decided="no decision",
    )


def battles_words(result: AnyBattles, plan: BattlesPlan | None = None) -> Words:
    """Return the statements of a report for submission about battles."""
    held, each = result.battles, page.results_of(result)
    many = f"{wording.count(len(held.models))} models"
    whom = f"Which of the {many} are stronger than which others"
    if len(held.models) == 2:
        whom = f"Do {' and '.join(held.models)} differ in strength"
    [first, *_] = each.values()
    voters = counted(first.voters, "voter") if len(each) == 1 else "their voters"
    return Words(
        question=f"{whom}, by the battles that voters decided?",
        opening=f"We compared {many} in strength (higher is better), the log odds of "
        f"winning a decided battle, in {counted(len(held.first), 'battle')} of "
        f"{voters}.",
        attributes=stated_attributes(plan, "strength (higher is better)"),
        outcomes=[
            (group or "Strength", page.outcome(r))
            for group, r in each.items()
            if r.has_tests
        ],
        others=[
            (group or "Strength", as_text(page.answer(r, page.outcome(r))), "strength")
            for group, r in each.items()
            if not r.has_tests
        ],
        dropped=[wording.sentence(note) for note in held.notes],
        references=[first.reference],
    )


def conclusion(result: AnyBattles) -> str:
    """Return the conclusions and their scope as text."""
    told = []
    for group, strengths in page.results_of(result).items():
        start = f"{group}: " if group else ""
        told.append(
            f"{start}{as_text(page.answer(strengths, page.outcome(strengths)))}"
        )
    if isinstance(result, GroupedBattlesResult):
        told += [f"{n}: not ranked: {why}" for n, why in result.not_ranked.items()]
    return "\n".join([*told, page.SCOPE])
