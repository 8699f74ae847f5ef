"""The ranking of a challenge as pages present it: sentences, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.tables import AnyTable, Columns
from pycompare.methods.cases.challenge import ChallengeResult
from pycompare.methods.cases.challenge_tasks import RANK_FIRST, TEST_FIRST
from pycompare.plotting.bump_chart import scheme_name
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.ranks import rank_set
from pycompare.reporting.document import Block, Figure, Table, fold, section

_MOST_DRAWN = 40
"""Algorithms of which the figures have room."""
RESAMPLES = (
    "The share of resamples that an algorithm wins is not the probability that it is "
    "the best: resamples vary about the observed ranking, not about the true one."
)
COUNTS = (
    "Counts of significant tests depend on the number of cases and on alpha. With five "
    "equal algorithms, one-sided tests at 0.05 without adjustment put an algorithm "
    "above an equal one in about half of all challenges, and by Holm they do so as "
    "often if other algorithms are worse."
)
FAILURES = (
    "A missing cell is a failure of its algorithm. Cells that are missing for "
    "another reason bias the ranking."
)
TASKS = (
    "Cases of different tasks are assumed to be independent. If the same patients are "
    "in several tasks, name their column (--cluster)."
)


def ranked_by(result: ChallengeResult, *, short: bool = False) -> str:
    """Return what algorithms are ranked by: ``mean rank``, ``median dice``."""
    [metric] = result.scores.metrics
    if result.ranking == TEST_FIRST:
        return "share of rivals beaten"
    what = "rank" if result.ranking == RANK_FIRST else metric.name
    word = str(result.aggregate)
    if word not in ("mean", "median"):
        word = f"{word} quantile of"
    weighted = "weighted " * bool(result.weights) * (not short)
    return f"{weighted}{word} {what}"


def first(result: ChallengeResult) -> str:
    """Return who comes first, by what, and on what."""
    table, best = result.as_columns(), result.best
    n = len(table)
    value = wording.value(float(table["value"][result.order[0]]))
    cases = counted(result.n_cases, "case")
    tasks = f" of {counted(len(result.weights), 'task')}" if result.weights else ""
    count = wording.in_words(n, "algorithm")
    if len(best) == n:
        by = f"By {ranked_by(result)}, all {count} have the same rank ({value})"
        return f"{by} on these {cases}{tasks}."
    by = f"By {ranked_by(result)}, {wording.listing(list(best))}"
    place = "comes first of" if len(best) == 1 else "share the first place of"
    return f"{by} {place} {count} ({value}) on these {cases}{tasks}."


def _any_rank(result: ChallengeResult) -> list[str]:
    """Return that no algorithm's rank is known at all, if that is so."""
    table = result.as_columns()
    n = len(table)
    open_ = (table["rank_low"] == 1).all() and (table["rank_high"] == n).all()
    if result.sets is None or not open_ or n < 3:
        return []
    level = percent(1 - result.alpha)
    return [f"Every algorithm may hold any rank ({level} sets 1 to {n})."]


def _stability(result: ChallengeResult) -> str:
    """Return how often the winner wins resamples, and the usual share; none of ties."""
    best, table = result.best, result.as_columns()
    n = len(table)
    share = float(table["won"][result.order[0]])
    if len(best) > 1:
        return ""
    n_resamples = counted(result.n_resamples, "resampled challenge")
    told = f"{best[0]} wins {_percent(share)} of {n_resamples}"
    if result.usual_share is None:
        return f"{told}."
    count = wording.in_words(n, "equal algorithm")
    usual = _percent(result.usual_share)
    return f"{told}; among {count} the winner wins {usual} on average."


def _failed(result: ChallengeResult) -> list[str]:
    """Return how often algorithms failed, and whether that decides the first place."""
    failures = np.asarray(result.as_columns()["failures"])
    total = int(failures.sum())
    if not total:
        return []
    told = f"{counted(total, 'failure')} in all."
    held = result.held("without_failures")
    if held is not None:
        rest = Columns.of(held)
        ranks = np.asarray(rest["rank"], float)
        best = rest["algorithm"][ranks == ranks.min()].tolist()
        same = set(best) == set(result.best)
        place = "is the same" if same else f"goes to {wording.listing(best)}"
        told += f" Without the cases of these failures the first place {place}."
    return [told]


def remarks(result: ChallengeResult) -> Iterator[str]:
    """Yield what belongs beside the ranking."""
    yield from _any_rank(result)
    if told := _stability(result):
        yield told
    yield from _failed(result)


def _percent(share: float) -> str:
    """Return a share in whole percent; one that is not 1 is not rounded to it."""
    shown = fixed(100 * share, 0)
    return "over 99%" if shown == "100" and share < 1 else f"{shown}%"


# ---- tables -------------------------------------------------------------------------


def tables(result: ChallengeResult) -> Iterator[Block]:
    """Yield the ranking, then other rankings, tasks, failures and resamples, folded."""
    yield section("Ranking", _ranking(result))
    yield fold("Other rankings of the same cases", _schemes(result))
    if result.weights:
        yield fold("Tasks", _tasks(result))
    if np.asarray(result.as_columns()["failures"]).any():
        yield fold("Failures", _failures(result))
    yield fold("Resampled ranks", _resampled(result))


def _ranking(result: ChallengeResult) -> Table:
    """Return the ranking with sets of ranks and its _stability."""
    rows = result.as_columns().take(result.order)
    sets = result.sets is not None
    level = percent(1 - result.alpha)
    caption = f"Algorithms by {ranked_by(result)}, the best first."
    caption += f" {level} sets of ranks are simultaneous." if sets else ""
    caption += (
        f" The last columns describe {counted(result.n_resamples, 'resample')} of the "
        f"cases: the middle 95% of ranks, which is no confidence interval, and the "
        f"share in which no algorithm ranks better. Kendall's tau with the ranking is "
        f"{fixed(result.kendall, 2)} on average."
    )
    fields = [
        Field("Algorithm", "label", "algorithm"),
        Field("rank", "number", "rank", digits=3),
        Field(ranked_by(result, short=True), "number", "value", digits=4),
    ]
    if sets:
        fields.append(Field(f"{level} set", "text", _set_of))
    if result.weights:
        fields.append(
            Field("mean of the tasks' ranks", "number", "mean_task_rank", digits=3)
        )
    return build.table(
        caption,
        rows,
        *fields,
        Field("resampled ranks", "text", _resampled_of),
        Field("wins", "number", "won", digits=3),
        file="ranking",
    )


def _set_of(row: Any) -> str:
    return rank_set(row.rank_low, row.rank_high)


def _resampled_of(row: Any) -> str:
    return rank_set(row.resampled_low, row.resampled_high)


def _schemes(result: ChallengeResult) -> Table:
    """Return the rank of each algorithm by each ranking, side by side."""
    held = Columns.of(result.held("schemes"))
    names = result.scores.algorithms
    a = len(names)
    ranks = np.asarray(held["rank"], float).reshape(-1, a)
    titles = [
        scheme_name(str(held["ranking"][at]), str(held["aggregate"][at]))
        for at in range(0, len(held), a)
    ]
    columns: dict[str, Any] = {"algorithm": np.array(names, dtype=object)}
    columns |= {f"by_{at}": ranks[at] for at in range(len(titles))}
    return build.table(
        "Rank of each algorithm by each ranking of the same cases (1 = best). The "
        "first one is the primary analysis.",
        Columns(columns).take(result.order),
        Field("Algorithm", "label", "algorithm"),
        *(
            Field(title, "number", f"by_{at}", digits=3)
            for at, title in enumerate(titles)
        ),
        file="schemes",
    )


def _tasks(result: ChallengeResult) -> Table:
    """Return each algorithm in each task."""
    weights = ", ".join(
        f"{name} {fixed(weight, 3)}" for name, weight in result.weights.items()
    )
    return build.table(
        f"Each task separately. Weights: {weights}.",
        Columns.of(result.held("tasks")),
        Field("Task", "label", "task"),
        Field("cases", "digits", lambda row: str(row.cases)),
        Field("algorithm", "label", "algorithm"),
        Field("failures", "digits", lambda row: str(row.failures)),
        Field(ranked_by(result, short=True), "number", "value", digits=4),
        Field("rank", "number", "rank", digits=3),
        file="tasks",
    )


def _failures(result: ChallengeResult) -> Table:
    """Return failures, and the ranking without the cases that have any."""
    table = result.as_columns()
    held = result.held("without_failures")
    columns = {name: table[name] for name in ("algorithm", "failures", "rank")}
    fields = [
        Field("Algorithm", "label", "algorithm"),
        Field("failures", "digits", lambda row: str(int(row.failures))),
        Field("rank", "number", "rank", digits=3),
    ]
    caption = "Failures of each algorithm."
    if held is not None:
        rest = Columns.of(held)
        columns |= {"value": rest["value"], "rank_without": rest["rank"]}
        caption += (
            " The last columns rank by the cases on which no algorithm failed, a "
            "sensitivity analysis: such cases may be the easy ones."
        )
        fields += [
            Field("rank without them", "number", "rank_without", digits=3),
            Field(ranked_by(result, short=True), "number", "value", digits=4),
        ]
    return build.table(
        caption, Columns(columns).take(result.order), *fields, file="failures"
    )


def _resampled(result: ChallengeResult) -> Table:
    """Return the share of resamples with each rank."""
    return build.table(
        f"Share of {result.n_resamples:,} resamples with each rank. {RESAMPLES}",
        Columns.of(result.held("resampled")),
        Field("Algorithm", "label", "algorithm"),
        Field("rank", "number", "rank", digits=3),
        Field("share of resamples", "number", "share", digits=3),
        file="resampled",
    )


def csv_tables(result: ChallengeResult) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    names = ("schemes", "tasks", "resampled")
    held = {name: Columns.of(result.held(name)) for name in names}
    if not result.weights:
        del held["tasks"]
    table = result.as_columns()
    if np.asarray(table["failures"]).any():
        failures = table.only(("algorithm", "failures", "rank"))
        rest = result.held("without_failures")
        if rest is not None:
            rest = Columns.of(rest)
            more = {"value": rest["value"], "rank_without": rest["rank"]}
            failures = Columns(dict(failures.items()) | more)
        held["failures"] = failures
    return build.frames(ranking=table, **held)


# ---- figures ------------------------------------------------------------------------


def figures(result: ChallengeResult, what: str) -> Iterator[Figure]:
    """Yield blobs of resampled ranks, ranks over cases, and the other rankings."""
    if len(result.as_columns()) > _MOST_DRAWN:
        return
    sets = " Brackets are the confidence sets of ranks." * (result.sets is not None)
    n = counted(result.n_resamples, "resample")
    yield Figure(
        "blob_plot",
        partial(plotting.blob_plot, result),
        f"{what}: ranks in {n} of the cases; the area of a blob is the share of "
        f"resamples, a cross is the rank.{sets}",
        f"Ranks in resamples. {_ranks_told(result)}",
    )
    yield Figure(
        "podium",
        partial(plotting.podium, result),
        f"{what}: share of cases on which each algorithm has each rank, from the first "
        "(dark) to the last (light).",
        f"Ranks over cases. {_ranks_told(result)}",
    )
    yield Figure(
        "rankings",
        partial(plotting.bump_chart, result),
        f"{what}: rank by each ranking of the same cases (1 = best).",
        "Rank of each algorithm by each ranking.",
    )


def _ranks_told(result: ChallengeResult) -> str:
    """Return the ranks in words, for readers without the picture."""
    table = result.as_columns()
    rows: Sequence[int] = result.order
    return ", ".join(f"{table['algorithm'][at]} {table['rank'][at]:g}" for at in rows)
