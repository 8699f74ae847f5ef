"""A benchmark of groups as a page reports it: the answers side by side, the groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.benchmark import PRIMARY, Benchmark, BenchmarkAnswer
from pycompare.designs.cases import CaseAnalysis
from pycompare.designs.decisions import decisions
from pycompare.designs.item_scopes import ItemScopes
from pycompare.reporting.content import wording
from pycompare.reporting.content.build import BETWEEN, Field, table
from pycompare.reporting.content.facts import (
    Outcome,
    PairFact,
    SensitivityAnalysis,
    significant,
)
from pycompare.reporting.content.rivals import decimals_of, shown
from pycompare.reporting.document import (
    Bullets,
    Table,
    aligned,
    interval_text,
    p_equals,
)
from pycompare.results.result import PairsResult

_MOST_RIVALS = 2
"""Pairs of the first table; the file has all."""
_MOST_MEANS = 6
"""Algorithms with a column in the table of groups; the file has all."""


@dataclass(frozen=True)
class _PairNumbers:
    """One pair with one answer, as the primary analysis turns it round."""

    estimate: float
    limits: tuple[float, float]
    p: float

    @property
    def numbers(self) -> str:
        """The estimate with its interval, if it has one."""
        at = decimals_of([self.estimate], [self.limits])
        estimate = aligned(self.estimate, at, 3)
        if any(map(math.isnan, self.limits)):
            return estimate
        return f"{estimate} {interval_text(self.limits, at)}"

    def tested(self, alpha: float | None, before: str = "") -> str:
        """Return the p-value, or that there is none."""
        return "not tested" if math.isnan(self.p) else before + p_equals(self.p, alpha)


def answers(
    outcome: Outcome, benchmark: Benchmark | ItemScopes, file: str = "benchmark"
) -> Table:
    """Return the answers, one a row, about the best algorithm and nearest rivals."""
    facts = shown(outcome)
    listed = facts[:_MOST_RIVALS]
    several, minus = len(outcome.pairs) > 1, BETWEEN[facts[0].null]
    levels = sorted({a.pairs.level for a in benchmark.answers if a.pairs is not None})
    told = [
        "The same cases for other populations (supplementary).",
        "The error rate of the plan is that of the primary analysis.",
    ]
    if several:
        told.append("Supplementary tests are adjusted over their own pairs.")
        told.append(f"Differences are first {minus} second, with adjusted p-values.")
    told.append(f"Intervals: {_between(levels)}.")
    if len(facts) > len(listed):
        told.append(f"{len(listed)} of {counted(len(outcome.pairs), 'pair')}.")
    columns = [
        Field(
            f"{fact.subject} {'–' if several else minus} {fact.object} [interval]",
            "digits",
            partial(_numbers, fact=fact),
        )
        for fact in listed
    ]
    p = Field("p", "p", partial(_p, fact=listed[0]))
    return table(
        " ".join(told),
        benchmark.answers,
        Field("Assumption", "label", _name),
        *(columns if several else [*columns, p]),
        Field("conclusions concern", "text", "population"),
        Field("quantity and test", "text", _test),
        file=file,
    )


def _name(answer: BenchmarkAnswer) -> str:
    """Return an answer's name, and whether it is the primary one."""
    return f"{answer.name} ({PRIMARY})" if answer.role == PRIMARY else answer.name


def _test(answer: BenchmarkAnswer) -> str:
    """Return the quantity and the test, or why there is none."""
    by = answer.reason if answer.pairs is None else answer.pairs.method
    return f"{answer.quantity}; {by}"


def _numbers(answer: BenchmarkAnswer, fact: PairFact) -> str:
    """Return estimate and interval of a pair; of several its p-value, too."""
    cell = _cell(answer, fact)
    if cell is None and answer.fact is not None:
        return _fact(answer.fact, fact)
    if cell is None:
        return "–"
    told = "" if fact.alone else f", {cell.tested(fact.alpha)}"
    return f"{cell.numbers}{told}"


def _fact(known: PairsResult, fact: PairFact) -> str:
    """Return a difference that is known without error."""
    at = known.algorithms.index(fact.subject), known.algorithms.index(fact.object)
    names = ("estimate", "conf_low", "conf_high")
    estimate, *limits = (float(known.square(name)[at]) for name in names)
    return aligned(estimate, decimals_of([estimate], [(limits[0], limits[1])]), 3)


def _p(answer: BenchmarkAnswer, fact: PairFact) -> float:
    """Return the p-value of a pair; NaN if there is none."""
    cell = _cell(answer, fact)
    return float("nan") if cell is None else cell.p


def sentences(outcome: Outcome, benchmark: Benchmark | ItemScopes) -> Iterator[str]:
    """Yield the answers about the pair nearest to the best algorithm, in words."""
    fact = shown(outcome)[0]
    pair = "" if fact.alone else f"{fact.subject} – {fact.object}, "
    for answer in benchmark.others:
        cell, told = _cell(answer, fact), answer.reason
        if answer.fact is not None:
            told = f"difference {_fact(answer.fact, fact)}; {answer.reason}"
        if cell is not None:
            p = cell.tested(fact.alpha, "" if fact.alone else "adj. ")
            told = f"difference {cell.numbers}, {p}"
        yield (
            f"{pair}{answer.name.lower() if pair else answer.name} "
            f"({answer.role}; {answer.population}): {told}."
        )


def notes(benchmark: Benchmark | ItemScopes) -> Bullets | None:
    """Return the notes of the supplementary tests, if there are any."""
    told = [
        wording.sentence(f"{answer.name}: {note}")
        for answer in benchmark.others
        if answer.pairs is not None
        for note in answer.pairs.notes
    ]
    return Bullets(tuple(told)) if told else None


def groups(analysis: CaseAnalysis, benchmark: Benchmark) -> Table:
    """Return the mean of each group, without tests."""
    wide, names = _wide(analysis, benchmark)
    best = list(analysis.decisive.placed())
    shown_names = [name for name in best if name in names][:_MOST_MEANS]
    rows = [
        dict(zip(wide, row, strict=True)) for row in zip(*wide.values(), strict=True)
    ]
    left_out = len(names) - len(shown_names)
    more = f" {counted(left_out, 'algorithm')} more: see the file." * bool(left_out)
    known = {
        "clusters": Field("clusters", "count", itemgetter("clusters")),
        "weight": Field("weight", "number", itemgetter("weight"), digits=3),
    }
    return table(
        f"Mean {analysis.metric.name} in each of "
        f"{counted(benchmark.n_groups, 'group')}. No group is tested; differences "
        f"between groups may be chance.{more}",
        rows,
        Field("Group", "label", itemgetter("group")),
        Field("cases", "count", itemgetter("cases")),
        *(field for name, field in known.items() if name in wide),
        *(
            Field(name, "number", itemgetter(f"mean/{name}"), digits=3)
            for name in shown_names
        ),
        file="group_means",
    )


def csv_tables(benchmark: Benchmark) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    return {
        "benchmark": benchmark.columns(),
        "group_means": benchmark.means.as_columns(),
    }


def alternatives(
    benchmark: Benchmark | ItemScopes, alpha: float
) -> Iterator[SensitivityAnalysis]:
    """Yield the supplementary answers as sensitivity analyses."""
    for answer in benchmark.others:
        if answer.pairs is not None:
            yield SensitivityAnalysis(
                name=answer.name,
                assumes=f"{answer.population}; it answers a different question",
                significant=significant(decisions(answer.pairs, alpha)),
            )


def _cell(answer: BenchmarkAnswer, fact: PairFact) -> _PairNumbers | None:
    """Return the numbers of a pair, if it is tested."""
    pairs = answer.pairs
    if pairs is None:
        return None
    at = pairs.algorithms.index(fact.subject), pairs.algorithms.index(fact.object)
    names = ("estimate", "conf_low", "conf_high", "p_adjusted")
    estimate, low, high, p = (float(pairs.square(name)[at]) for name in names)
    return _PairNumbers(estimate, (low, high), p)


def _wide(
    analysis: CaseAnalysis, benchmark: Benchmark
) -> tuple[dict[str, list[object]], list[str]]:
    """Return one row per group, with a column per algorithm, and the algorithms."""
    means = benchmark.means.as_columns()
    names = list(dict.fromkeys(means["algorithm"]))
    n = len(names)
    wide: dict[str, list[object]] = {
        "group": list(means["group"][::n]),
        "cases": list(means["cases"][::n]),
    }
    if analysis.weighted is not None:
        own = Columns.of(analysis.weighted.benchmarks)
        for name in ("clusters", "weight"):
            if name in own:
                wide[name] = list(own[name])
    for at, name in enumerate(names):
        wide[f"mean/{name}"] = list(means["estimate"][at::n])
    return wide, names


def _between(levels: list[float]) -> str:
    """Return the level of intervals, or the least and the largest."""
    if len(levels) == 1:
        return percent(levels[0])
    return f"{percent(levels[0])} to {percent(levels[-1])}"
