"""A folder with a gate: one page, gate.json, a comment, the R program."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.interop.r_program import program
from pycompare.designs import gate_result
from pycompare.designs.gate_result import GateMember, GateResult
from pycompare.plotting import style
from pycompare.plotting.forest import forest
from pycompare.reporting import document as doc
from pycompare.reporting.content import build, sources
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import other_data
from pycompare.reporting.evidence.data_files import of_scores
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.r_inputs import Made
from pycompare.reporting.evidence.r_scores import ScoresInR
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import provenance
from pycompare.reporting.submission_words import Words
from pycompare.reporting.write import Contents, write_report
from pycompare.results.estimands import NOT_STATED
from pycompare.results.result import Told

KIND = FolderMark("pycompare gate")
_MOST_SHOWN = 12
"""Members in the table and in the picture; all are in the table's file."""


def write(result: GateResult, to: str | Path, **writing: Unpack[Writing]) -> Path:
    """Write the folder of a gate."""
    return write_report(KIND, to, partial(_contents, result), **writing)


class _AnswersInR(ScoresInR):
    """How R makes the arrays of a gate: answers, and the items of each member."""

    def __init__(self, result: GateResult) -> None:
        super().__init__(result.scores)
        self.result = result

    def arrays(self) -> Iterator[Made]:
        """Yield answers, and the items of all members of one column of slices."""
        yield from super().arrays()
        n_metrics = len({member.metric for member in self.result.members})
        member = np.column_stack(self.result.rows)
        cells = self.scores.n_algorithms * self.n_runs
        whole = f"matrix(1, nrow(scores) / {cells}, {n_metrics})"
        for ids, of_items in self.parts():
            each = (ids[:, None] == np.arange(ids.max() + 1)).astype(float)
            held = np.hstack([np.ones((len(ids), 1)), each])
            if member.shape == (len(ids), n_metrics * held.shape[1]):
                yield np.tile(held, n_metrics), f"slices_of({of_items}, {n_metrics})"
        yield np.ones((len(member), n_metrics)), whole


def _contents(result: GateResult, command: Sequence[str] | None) -> Contents:
    """Return everything that the folder holds."""
    data = of_scores(result.scores)
    assert data.sha256 is not None
    origin = provenance(
        source=result.scores.source,
        plan_file=result.plan_file,
        data=(data.kind, data.sha256),
        command=command,
    )
    held = gate_json(result, origin)
    trail = () if result.plan_file is None else result.plan_file.trail
    return Contents(
        report=_report(result, origin),
        program=program([("Gate", result)], _AnswersInR(result)),
        results=lambda: Told(
            result.to_dict() | {"exit_status": held["exit_status"]}, result
        ),
        evidence=Evidence(
            data=data,
            asked=result.asked,
            settled=result.asked,
            steps=list(_steps(result)),
            deviations=list(other_data(trail)),
        ),
        words=partial(Words, opening=gate_result.sentence(result)),
        files={
            "gate.json": json.dumps(held, indent=1, allow_nan=False) + "\n",
            "comment.md": comment(result),
        },
    )


def gate_json(result: GateResult, origin: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of gate.json; ``origin``: the provenance of the report."""
    source = result.scores.source
    whole = [] if source is None else [{"path": source.name, "sha256": source.sha256}]
    models = {
        role: {
            "name": name,
            "files": list(result.files.get(name, whole)),
            "n_runs": result.n_runs or 1,
        }
        for role, name in (
            ("baseline", result.baseline),
            ("candidate", result.candidate),
        )
    }
    return {
        "schema_version": 1,
        "verdict": result.verdict,
        "exit_status": result.exit_status,
        "sentence": gate_result.sentence(result),
        **models,
        "estimand": _estimand(result),
        "items_scope": result.items_scope,
        "test": list(result.tests),
        "level": {
            "margin_alpha": result.margin_alpha,
            "budget": result.budget,
            "used": result.looks_used,
            "record": result.record,
            "each": result.level,
        },
        "members": [_member(member) for member in result.members],
        "notes": [*result.notes, *gate_result.cautions(result)],
        "asked": {
            "baseline": result.baseline,
            "candidate": result.candidate,
            "margin_alpha": result.margin_alpha,
            "budget": result.budget,
            "items_scope": result.items_scope,
            "decided_by": result.decided_by,
            "target": result.target,
        },
        "provenance": {
            "date": origin["date"],
            "command": origin["command"],
            "plan_file": origin["plan_file"] and origin["plan_file"]["name"],
            "plan_sha256": origin["plan_file"] and origin["plan_file"]["sha256"],
            "versions": dict(origin["versions"]),
        },
    }


def _estimand(result: GateResult) -> str:
    """Return the population of the conclusion."""
    n = result.members[0].tested.n_items
    if result.items_scope == "fixed":
        return f"new answers to these {n} items"
    texts = " (new texts)" if result.scores.clusters is not None else ""
    return f"new items like these{texts}, new answers"


def _member(member: GateMember) -> dict[str, Any]:
    """Return one member as plain values."""
    test = member.tested
    numbers = {
        "n_items": test.n_items,
        "n_units": test.n_units,
        "smallest_size": member.smallest_size,
        "baseline_mean": test.baseline_mean,
        "candidate_mean": test.candidate_mean,
        "difference": test.difference,
        "margin": test.margin,
        "conf_low": member.conf_low,
        "level_low": member.level_low,
        "conf_high": member.conf_high,
        "level_high": member.level_high,
        "p_not_worse": test.p_not_worse,
        "p_worse": test.p_worse,
        "p_not_worse_holm": member.p_not_worse_holm,
        "p_worse_holm": member.p_worse_holm,
    }
    return {
        "metric": member.metric,
        "slice": member.slice,
        **{k: v if math.isfinite(v) else None for k, v in numbers.items()},
        "test": test.test,
        "decision": member.decision,
        "judged": member.judged,
        "items_needed": member.items_needed,
        "items_needed_twice": member.items_needed_twice,
    }


def _steps(result: GateResult) -> list[Step]:
    """Return all steps."""
    n = result.members[0].tested.n_items
    read = Step(
        step="Read the answers",
        why="the call or the options",
        decided=f"{counted(n, 'item')}, {result.baseline} and {result.candidate}",
    )
    tests = Step(
        step=f"Gate: {counted(len(result.members), 'criterion', 'criteria')}",
        why="primary analysis",
        decided=gate_result.sentence(result),
    )
    return [read, tests]


def _report(result: GateResult, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    day = datetime.fromisoformat(origin["date"])
    budget = ""
    if result.budget > 1:
        which = "one" if result.looks_used is None else f"gate {result.looks_used}"
        budget = f" ({which} of {result.budget})"
    return Report(
        title=f"Gate: may {result.candidate} replace {result.baseline}?",
        subtitle=f"{origin['file'] or 'data in memory'} · {day.day} {day:%B %Y} · "
        f"one-sided alpha = {result.level:g}{budget}",
        results=[_result(result)],
        scope=_scope(result),
        assumptions=_assumed(result),
        plan=_plan(result),
        methods=build.table(
            "Tests and sources.",
            list(result.tests),
            Field("Test", "label", str),
            Field("source", "text", lambda _: result.reference),
        ),
        data=_data(result),
        dropped=sources.dropped(result.scores),
        origin=origin,
    )


def _scope(result: GateResult) -> list[str]:
    """Return the scope of the result, and its guarantee."""
    what = _estimand(result)
    return [
        f"The result is about {what}, and these two models as they are.",
        gate_result.guarantee(result),
        *[f"Note: {note}." for note in result.notes],
    ]


def _assumed(result: GateResult) -> list[str]:
    """Return the assumptions of the tests."""
    if result.items_scope == "fixed":
        return ["Answers are drawn independently of each other, given the items."]
    if result.scores.clusters is not None:
        return ["Clusters (texts) are independent and like those to come."]
    return ["Items are independent and like those to come."]


def _plan(result: GateResult) -> list[str]:
    """Return the plan in sentences."""
    each = len(result.members)
    told = [
        f"Pass: on each of {counted(each, 'criterion', 'criteria')} it is not worse "
        f"by the margin at {result.level:g}, without adjustment (intersection-union). "
        "Fail: on one it is worse by more than the margin after Holm's adjustment. "
        "Else undecided."
    ]
    plan = None if result.plan_file is None else result.plan_file.plan
    reason, source = (
        None if plan is None else plan.margin_reason,
        None if plan is None else plan.margin_source,
    )
    told.append(
        f"Reason for the margin: {reason or NOT_STATED}. Source of the margin: "
        f"{source or NOT_STATED}."
    )
    if result.budget > 1:
        told.append(
            f"{result.budget} gates may be made with these items and this baseline: "
            f"each has {result.margin_alpha:g}/{result.budget} = {result.level:g}."
            + " No record counts them (looks)."
            * (result.looks_used is None)
        )
    return told


def _data(result: GateResult) -> list[tuple[str, doc.Inline]]:
    """Return the description of the data."""
    n = result.members[0].tested.n_items
    rows: list[tuple[str, doc.Inline]] = [
        ("Items", f"{n:,}"),
        ("Baseline", result.baseline),
        ("Candidate", result.candidate),
        ("Answers to each item", _n_answers(result)),
    ]
    clusters = result.scores.clusters
    if clusters is not None:
        rows.append(("Clusters", f"{len(set(clusters)):,}"))
    return rows


def _n_answers(result: GateResult) -> str:
    """Return how many answers an item has."""
    if result.scores.runs is None:
        return "1"
    fewest, most = result.scores.runs_per_cell
    return str(most) if fewest == most else f"{fewest} to {most}"


def _result(result: GateResult) -> PageResult:
    """Return verdict, picture and table."""
    members = _ordered(result)
    at = gate_result.places_of(members)
    last = members[0].level_high
    minus = "the lower limit is above minus the margin"
    caption = (
        "Difference: candidate minus baseline, above 0 is better. Limits: "
        f"{percent(members[0].level_low)} (lower) and {percent(last)} (upper). "
        f"{_MARGIN_IN_PICTURE[_has_one_margin(result)]} Filled marks are decided. "
    )
    passed, several = result.verdict == "pass", len(members) > 1
    adjusted = gate_result.is_adjusted(result)
    if not several:
        caption += f"Not worse: {minus}. Worse: the upper limit is below it."
    elif passed:
        caption += f"Not worse: {minus}."
    else:
        caption += (
            f"A pass needs that {minus} in every row. The decision on one row takes "
            "p-values adjusted by Holm's method."
        )
    if len(members) > _MOST_SHOWN:
        caption += (
            f" Shown: the {_MOST_SHOWN} of {len(members)} criteria that are furthest "
            "from a pass."
        )
    size = gate_result.size_words(result)
    blocks: list[doc.Block] = [doc.Paragraph(size)] * (
        bool(size) and result.verdict != "undecided"
    )
    table = build.table(
        "Criteria. Decision: not worse by the margin, or worse by more.",
        members,
        Field("Criterion", "label", lambda m: gate_result.name_of(result, m)),
        Field("decision", "text", lambda m: m.decision),
        Field("difference [limits]", "digits", lambda m: _interval(m, at)),
        Field("margin", "digits", lambda m: gate_result.plain(m.tested.margin)),
        Field(
            "adj. p (not worse)" if adjusted else "p (not worse)",
            "p",
            lambda m: gate_result.p_not_worse(result, m),
            result.level,
        ),
        Field(
            "adj. p (worse)" if several else "p (worse)",
            "p",
            lambda m: m.p_worse_holm,
            result.level,
        ),
        Field("items", "count", lambda m: m.tested.n_items),
        file="members",
    )
    return PageResult(
        title="Gate",
        prefix="",
        answer=(doc.Strong(result.verdict.capitalize()), _rest(result)),
        method=_test_words(result),
        figure=doc.Figure(
            "gate",
            partial(_drawn, result),
            caption,
            "; ".join(
                f"{gate_result.name_of(result, m)}: {_interval(m, at)}"
                for m in members[:_MOST_SHOWN]
            ),
            full=True,
        ),
        table=replace(table, most=_MOST_SHOWN),
        blocks=tuple(blocks),
        tables={"members": result.as_columns()},
    )


def _ordered(result: GateResult) -> Sequence[GateMember]:
    """Return the members; of more than are shown, those furthest from a pass first."""
    if len(result.members) <= _MOST_SHOWN:
        return result.members
    return sorted(result.members, key=lambda member: -member.tested.p_not_worse)


def _rest(result: GateResult) -> str:
    """Return the sentence after the verdict, which stands in bold."""
    return gate_result.sentence(result)[len(result.verdict) :]


def _test_words(result: GateResult) -> str:
    """Return which tests decide."""
    named = {
        "exact": "exact unconditional score tests",
        "score": "score tests",
        "effective-size": "score tests at the effective size",
        "bounded": "bounded means (Gaffke)",
        "t": "t tests",
        "these-items": "tests of new answers to these items",
    }
    return f"Tests: {', '.join(named[name] for name in result.tests)}."


def _interval(member: GateMember, at: int) -> str:
    """Return a difference with its limits."""
    number = gate_result.number
    low, high = number(member.conf_low, at), number(member.conf_high, at)
    return f"{number(member.tested.difference, at)} [{low}, {high}]"


def _drawn(result: GateResult) -> Any:
    """Draw each member's difference; bands are drawn if there is one margin."""
    shown = _ordered(result)[:_MOST_SHOWN]
    same = _has_one_margin(result)
    band = (-shown[0].tested.margin, math.inf) if same else None
    rows = [
        (
            gate_result.name_of(result, member),
            member.tested.difference,
            (member.conf_low, member.conf_high),
            member.decision != "undecided",
        )
        for member in shown
    ]
    title = f"{result.candidate} minus {result.baseline}, above 0 is better"
    ax = forest(rows, title, band=band)
    if not same:
        with style.context():
            edges = [-member.tested.margin for member in shown]
            ax.plot(edges, range(len(edges)), "|", color=style.INK, markersize=12.0)
    return ax


def _has_one_margin(result: GateResult) -> bool:
    return len({member.tested.margin for member in result.members}) == 1


_MARGIN_IN_PICTURE = {
    True: "Shaded: above minus the margin.",
    False: "Ticks: minus the margin.",
}


_MARK = "<!-- pycompare-gate -->"
MOST = 60_000
"""Characters that hosts take."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~])")
_SIGNS = {"pass": "\N{WHITE HEAVY CHECK MARK}", "fail": "\N{CROSS MARK}"}
_OPEN = "\N{LARGE YELLOW CIRCLE}"


def _escaped(name: str) -> str:
    """Return a name as Markdown text: no link, mention, table or markup."""
    text = " ".join(name.split()).replace("&", "&amp;")
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", text).replace("@", "@\N{ZERO WIDTH SPACE}")


def comment(result: GateResult) -> str:
    """Return the comment, at most as long as hosts take."""
    at = gate_result.places_of(result.members)
    sign = _SIGNS.get(result.verdict, _OPEN)
    several = len(result.members) > 1
    adj = "adj. " * (several and result.verdict != "pass")
    head = [
        _MARK,
        f"**{sign} Gate: {result.verdict}**",
        "",
        _escaped(gate_result.sentence(result)),
        "",
        f"| Criterion | Decision | Difference | Margin | {adj}p (not worse) | "
        f"{'adj. ' * several}p (worse) |",
        "|---|---|---|---|---|---|",
    ]
    notes = [f"Note: {_escaped(note)}." for note in result.notes]
    foot = ["", gate_result.guarantee(result), *notes, ""]
    left = MOST - sum(len(line) + 1 for line in (*head, *foot)) - 100
    rows: list[str] = []
    for member in result.members:
        line = _row(result, member, at)
        left -= len(line) + 1
        if left < 0:
            rows.append(f"| {len(result.members) - len(rows)} more | | | | | |")
            break
        rows.append(line)
    return "\n".join([*head, *rows, *foot])


def _row(result: GateResult, member: GateMember, at: int) -> str:
    """Return one member as a row of the table."""
    number, test = gate_result.number, member.tested
    cells = [
        _escaped(gate_result.name_of(result, member)),
        member.decision,
        f"{number(test.difference, at)} \\[{number(member.conf_low, at)}, "
        f"{number(member.conf_high, at)}\\]",
        gate_result.plain(test.margin),
        *(
            gate_result.p_text(p, result.level).replace("<", "&lt;")
            for p in (
                gate_result.p_not_worse(result, member),
                member.p_worse_holm,
            )
        ),
    ]
    return f"| {' | '.join(cells)} |"
