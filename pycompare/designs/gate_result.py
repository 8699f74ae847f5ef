"""The verdict of a gate: its members, and its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import on_its_side, percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Matrix
from pycompare.base.typing import DecidedBy, Floats, ItemsScope
from pycompare.data.blocks import ranked_blocks
from pycompare.data.scores import Scores
from pycompare.methods.cases.loss_tests import LossTest, LossTestName
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["pass", "fail", "undecided"]
MemberDecision = Literal["not worse", "worse", "undecided"]
_STATUS: dict[Verdict, int] = {"pass": 0, "fail": 1, "undecided": 3}
"""Exit statuses of the command."""
_CAUTIONS: dict[LossTestName, str] = {
    "score": "up to 1.14 times the level if answers differ rarely",
    "effective-size": "nominal 0.025; up to 0.035 (clusters 0.046) if whole items or "
    "texts are lost rarely",
    "t": "nominal 0.025; up to 0.105 if losses are rare and whole",
    "these-items": "nominal 0.025; up to 0.030 for right or wrong answers",
}
_NAMES: dict[LossTestName, str] = {
    "score": "the score test",
    "effective-size": "the score test at the effective size",
    "t": "the t test",
    "these-items": "the test of new answers",
}
"""Largest errors found, of tests that can exceed their level."""
_REFERENCE = {
    "exact": "Tango (1998); Berger & Boos (1994)",
    "score": "Tango (1998)",
    "effective-size": "Tango (1998); Bell & McCaffrey (2002)",
    "bounded": "Gaffke (2005)",
    "t": "Student's t; Bell & McCaffrey (2002)",
    "these-items": "own derivation, equation 10.16",
}


@dataclass(frozen=True, kw_only=True)
class GateMember:
    """One hypothesis of a gate: a metric, on all items or on a slice.

    Attributes
    ----------
    metric : str
    slice : str or None
        None: all items.
    tested : LossTest
    smallest_size : int
        Independent units with which equal answers pass.
    p_not_worse_holm, p_worse_holm : float
        Adjusted over all members.
    conf_low, conf_high : float
        Limits of the difference, at one-sided levels ``level_low``, ``level_high``.
    decision : {"not worse", "worse", "undecided"}
    judged : bool
        Whether units are as many as ``smallest_size``.
    items_needed : int or None
        Items with which all members pass with the power that is wanted, if both models
        are equal; None if the spread of differences is not known.
    items_needed_twice : int or None
        The same with twice as many answers to each item; None with one answer.
    """

    metric: str
    slice: str | None
    tested: LossTest
    smallest_size: int
    p_not_worse_holm: float
    p_worse_holm: float
    conf_low: float
    level_low: float
    conf_high: float
    level_high: float
    decision: MemberDecision
    judged: bool
    items_needed: int | None
    items_needed_twice: int | None


@dataclass(frozen=True, kw_only=True, eq=False)
class GateResult(Result):
    """The verdict of a gate, with all its members.

    Attributes
    ----------
    table : DataFrame
        One row per member: ``metric slice n_items n_units smallest_size baseline_mean
        candidate_mean difference margin conf_low level_low conf_high level_high
        p_not_worse p_worse p_not_worse_holm p_worse_holm decision judged items_needed
        items_needed_twice test``. ``difference`` is candidate minus baseline, above 0
        if better.
    verdict : {"pass", "fail", "undecided"}
    baseline, candidate : str
    margin_alpha : float
        One-sided error rate of a pass and of a fail.
    budget : int
        Gates that may be made with these items and this baseline.
    items_scope : {"sampled", "fixed"}
    decided_by : {"scores", "bounded", "t"}
    target : float
        Probability of a pass that ``items_needed`` gives.
    n_runs : float or None
        Answers to each item, their harmonic mean if numbers differ; None: one.
    looks_used : int or None
        Gates of the budget that are used, this one included; None if no record counts
        them.
    record : str or None
        SHA-256 of the last entry of the record: it shows if the record was cut.
    files : mapping
        By model, name and SHA-256 of its files, if they are known.
    notes : tuple of str
    members : tuple of GateMember
    scores : Scores
    asked : mapping
        The arguments of ``pc.gate`` besides scores and ``looks``.
    plan_file : PlanFile or None
        The file that the gate was planned in.
    rows : tuple of ndarray
        The items of each member, 1 or 0.
    gaps : mapping of str to (low, high)
        Lowest and highest score of the metrics with missing answers.
    """

    table: pd.DataFrame = made_when_read()
    verdict: Verdict
    baseline: str
    candidate: str
    margin_alpha: float
    budget: int
    items_scope: ItemsScope
    decided_by: DecidedBy
    target: float
    n_runs: float | None
    looks_used: int | None = None
    record: str | None = None
    files: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...]
    members: tuple[GateMember, ...] = internal()
    scores: Scores = internal()
    asked: Mapping[str, Any] = internal()
    plan_file: Any = field(default=None, repr=False, metadata={"export": False})
    rows: tuple[Floats, ...] = internal()
    gaps: Mapping[str, tuple[float, float]] = internal()

    @property
    def level(self) -> float:
        """One-sided level of each test: ``margin_alpha`` over ``budget``."""
        return self.margin_alpha / self.budget

    @property
    def exit_status(self) -> int:
        """0 pass, 1 fail, 3 undecided."""
        return _STATUS[self.verdict]

    @property
    def limiting(self) -> GateMember:
        """The member that a pass waits for: the largest p-value of not worse."""
        return max(self.members, key=lambda member: member.tested.p_not_worse)

    @cached_property
    def tests(self) -> tuple[LossTestName, ...]:
        """Which tests decide, each once."""
        return tuple(dict.fromkeys(member.tested.test for member in self.members))

    @property
    def reference(self) -> str:
        """Sources of the tests."""
        return "; ".join(dict.fromkeys(_REFERENCE[name] for name in self.tests))

    def summary(self, digits: int = 4) -> str:
        """Return verdict and sentence, then one line per member."""
        told = [self.verdict, sentence(self), "", *_lines(self)]
        return "\n".join([*told, *(f"note: {note}" for note in self.notes)])

    def r_call(self) -> RCall:
        """Return the call of all tests, limits and adjustments."""
        names = list(dict.fromkeys(member.metric for member in self.members))
        x = [ranked_blocks(self.scores, name, None) for name in names]
        columns = [b.metric.sign * b.values for b in x]
        labels = self.scores.algorithms
        many = len(names) > 1
        wide = [f"{n}: {a}" if many else a for n in names for a in labels]
        codes: Any = np.zeros(0)
        if self.scores.clusters is not None:
            order = {c: i for i, c in enumerate(dict.fromkeys(self.scores.clusters))}
            codes = np.array([order[c] + 1.0 for c in self.scores.clusters])
        arguments = {
            "x": Matrix(np.hstack(columns), self.scores.blocks, tuple(wide)),
            "member": np.column_stack(self.rows),
            "metric": np.array([names.index(m.metric) + 1.0 for m in self.members]),
            "side": np.array([-b.metric.sign for b in x]),
            "margin": np.array([m.tested.margin for m in self.members]),
            "width": np.array([_finite(m.tested.width) for m in self.members]),
            "test": [m.tested.test for m in self.members],
            "level": self.level,
            "cluster": codes,
            "runs": np.array([m.tested.n_answers for m in self.members]),
            "answers": self._answers(names),
            "limits": self._limits(names),
        }
        files = ("ranks", "paired", "adjust", "superiority", "cluster_pairs")
        more = ("signed_rank_pairs", "matched_shares", "bounded_means", "these_items")
        return RCall(
            (*files, *more, "gate"),
            "gate_reference",
            arguments,
        )

    def _answers(self, names: Sequence[str]) -> Any:
        """Return the answers, if tests need each: a row per item and run."""
        runs = self.scores.runs
        if runs is None or not ("these-items" in self.tests or self.gaps):
            return np.zeros(0)
        places = [m.name for m in self.scores.metrics]
        n, _, _, n_runs = runs.shape
        each = [
            np.moveaxis(runs[:, :, places.index(name)], 1, 2).reshape(n * n_runs, -1)
            for name in names
        ]
        rows = tuple(f"{i + 1}" for i in range(n * n_runs))
        return Matrix(np.hstack(each), rows, self.scores.algorithms * len(names))

    def _limits(self, names: Sequence[str]) -> Floats:
        """Return lowest and highest score of each metric, if answers are missing."""
        if not self.gaps:
            return np.zeros(0)
        return np.array([end for name in names for end in self.gaps.get(name, (0, 1))])

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the members under R's names."""
        table = self.as_columns()
        names = (
            *("n_items", "n_units", "smallest_size"),
            *("baseline_mean", "candidate_mean", "difference"),
            *("conf_low", "level_low", "conf_high", "level_high"),
            *("p_not_worse", "p_worse", "p_not_worse_holm", "p_worse_holm"),
        )
        return {name: np.asarray(table[name], float) for name in names}


def _finite(width: float) -> float:
    return width if math.isfinite(width) else math.nan


_MINUS = "\N{MINUS SIGN}"
_MOST_PLACES = 8
_ALL_ITEMS = "all items"
_SMALLEST = 0.0005
"""p-values below are printed as below 0.001."""


def sentence(result: GateResult) -> str:
    """Return the first sentences of a gate."""
    told = {"pass": _passed, "fail": _failed, "undecided": _undecided}
    return told[result.verdict](result)


def guarantee(result: GateResult) -> str:
    """Return the error rate of the result, with the largest one found of its tests."""
    if result.verdict == "undecided":
        return "An undecided gate claims nothing; it is no pass."
    told = cautions(result)
    rate = f"probability {result.level:g} at most."
    if told:
        rate = f"a nominal probability of {result.level:g}. {' '.join(told)}"
    several = len(result.members) > 1
    if result.verdict == "pass":
        any_member = "any of these is" if several else "it is"
        return (
            f"If {any_member} worse by its margin or more, this gate passes with {rate}"
        )
    no_member = "none of these is" if several else "it is not"
    return f"If {no_member} worse by more than its margin, this gate fails with {rate}"


def places_of(members: Sequence[GateMember]) -> int:
    """Return the decimals of differences: two digits of the narrowest half interval."""
    halves = [
        (m.conf_high - m.conf_low) / 2
        for m in members
        if math.isfinite(m.conf_high - m.conf_low) and m.conf_high > m.conf_low
    ]
    if not halves:
        return 3
    return min(_MOST_PLACES, max(0, 1 - math.floor(math.log10(min(halves)))))


def number(value: float, places: int) -> str:
    """Return a number with a minus sign that is one."""
    return fixed(value, places).replace("-", _MINUS)


def _part_of(result: GateResult, member: GateMember) -> str:
    """Return `` on slice c (recall)``, or nothing for all items of one metric."""
    several = len({m.metric for m in result.members}) > 1
    told = f" in {member.metric}" if several else ""
    return told + ("" if member.slice is None else f" on slice {member.slice}")


def _items(result: GateResult) -> str:
    """Return the items that the conclusion is about."""
    if result.items_scope == "fixed":
        return f"these {result.members[0].tested.n_items} items"
    return "items like these"


def _passed(result: GateResult) -> str:
    """Return that the candidate is not worse."""
    first, *others = result.members
    at = places_of(result.members)
    told = (
        f"difference {number(first.tested.difference, at)}, "
        f"{percent(first.level_low)} lower limit {number(first.conf_low, at)}; "
        f"{counted(first.tested.n_items, 'item')}"
    )
    n_slices = len({m.slice for m in others if m.slice is not None})
    metrics = list(dict.fromkeys(m.metric for m in result.members))
    where = f", on the whole and on each of {n_slices} slices" if n_slices else ""
    if len(metrics) > 1:
        return (
            f"Pass: on {_items(result)}, {result.candidate} is not worse than "
            f"{result.baseline} by its margin or more in any of {len(metrics)} metrics"
            f"{where} ({metrics[0]}: {told}).{_within(result)}"
        )
    return (
        f"Pass: on {_items(result)}, {result.candidate} is not worse than "
        f"{result.baseline} by {plain(first.tested.margin)} or more "
        f"({metrics[0]}: {told})"
        f"{where}.{_within(result)}"
    )


def _failed(result: GateResult) -> str:
    """Return where the candidate is worse by more than the margin."""
    failing = [m for m in result.members if m.p_worse_holm <= result.level]
    worst = min(failing, key=lambda member: member.p_worse_holm)
    at, n = places_of(result.members), len(result.members)
    p = _p(worst.p_worse_holm, result.level)
    holm = f"Holm {p} over {n}" if n > 1 else p
    more = f" {len(failing) - 1} more fail." if len(failing) > 1 else ""
    return (
        f"Fail: {result.candidate} is worse than {result.baseline} by more than "
        f"{plain(worst.tested.margin)}{_part_of(result, worst)} (difference "
        f"{number(worst.tested.difference, at)}, {percent(worst.level_high)} upper "
        f"limit {number(worst.conf_high, at)}; {holm}).{more}"
        f"{_within(result, apart_from=failing)}"
    )


def p_text(p: float, level: float) -> str:
    """Return ``0.005`` or ``< 0.001``; more digits if fewer cross the level."""
    if p < _SMALLEST:
        return "< 0.001"
    return on_its_side(p, level, lambda more: fixed(p, more), 3)


def _p(p: float, level: float) -> str:
    """Return ``p = 0.005``."""
    text = p_text(p, level)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def _within(result: GateResult, apart_from: Sequence[GateMember] = ()) -> str:
    """Return where a candidate is worse, although not by more than the margin."""
    worse = [m for m in result.members if m.conf_high < 0 and m not in apart_from]
    if not worse:
        return ""
    parts = [_part_of(result, m).strip() or "on the whole" for m in worse]
    where = "" if len(result.members) == 1 else f" ({', '.join(parts)})"
    by = "by less than the margin"
    if result.verdict != "pass":
        by = "whether by more than the margin is open"
        return f" {result.candidate} is worse than {result.baseline}{where}; {by}."
    return f" {result.candidate} is worse than {result.baseline}, {by}{where}."


def _undecided(result: GateResult) -> str:
    """Return the open question, and how many items would decide it."""
    member, at = result.limiting, places_of(result.members)
    test = member.tested
    told = (
        f"Undecided: with {counted(test.n_items, 'item')} it is open whether "
        f"{result.candidate} is worse than {result.baseline} by {plain(test.margin)} "
        f"or more{_part_of(result, member)} (difference {number(test.difference, at)}, "
        f"{_limits(member, at)}).{_within(result)}"
    )
    size = size_words(result)
    return f"{told} {size}" if size else told


def size_words(result: GateResult) -> str:
    """Return with how many items two equal models pass, if items are what lacks."""
    needed, n = _needed_items(result), _n_items(result)
    if needed is None or result.items_scope == "fixed":  # more answers, not items
        return ""
    if needed <= n:
        return (
            f"Two equal models pass with probability {result.target:g} or more with so "
            "many items: the observed loss leaves the gate undecided."
        ) * (result.verdict == "undecided")
    shares = " in all, in the same slices," if _has_slices(result) else ""
    twice = _needed_items(result, twice=True)
    more = ""
    if twice is not None and result.n_runs is not None and twice < needed:
        answers = f"{2 * result.n_runs:g} answers to each item"
        if result.n_runs != int(result.n_runs):
            answers = "twice as many answers to each item"
        more = f"; with {answers} {max(twice, n):,} items do"
    return (
        f"With {needed:,} items{shares} two equal models pass with probability "
        f"{result.target:g}{more}."
    )


def plain(value: float) -> str:
    """Return a margin with all its digits."""
    return f"{value:.10g}"


def _n_items(result: GateResult) -> int:
    return max(m.tested.n_items for m in result.members)


def _has_slices(result: GateResult) -> bool:
    return any(m.slice is not None for m in result.members)


def _limits(member: GateMember, at: int) -> str:
    """Return both limits with their levels."""
    low, high = number(member.conf_low, at), number(member.conf_high, at)
    if member.level_low == member.level_high:
        return f"{percent(member.level_low)} limits {low} and {high}"
    return (
        f"{percent(member.level_low)} lower limit {low}, {percent(member.level_high)} "
        f"upper limit {high}"
    )


def is_adjusted(result: GateResult) -> bool:
    """Return whether decisions that a member is not worse are adjusted by Holm.

    A pass needs every member, each at the level; a claim on one member is adjusted.
    """
    return len(result.members) > 1 and result.verdict != "pass"


def p_not_worse(result: GateResult, member: GateMember) -> float:
    """Return the p-value by which a member is decided to be not worse."""
    return member.p_not_worse_holm if is_adjusted(result) else member.tested.p_not_worse


def _lines(result: GateResult) -> list[str]:
    """Return one line per member."""
    at = places_of(result.members)
    not_worse = "adj. " * is_adjusted(result)
    worse = "adj. " * (len(result.members) > 1)
    return [
        f"{name_of(result, m)}: difference {number(m.tested.difference, at)}, "
        f"{_limits(m, at)}, margin {plain(m.tested.margin)}, not worse: {not_worse}"
        f"{_p(p_not_worse(result, m), result.level)}, worse: {worse}"
        f"{_p(m.p_worse_holm, result.level)}; {m.decision}"
        for m in result.members
    ]


def name_of(result: GateResult, member: GateMember) -> str:
    """Return the name of a member."""
    several = len({m.metric for m in result.members}) > 1
    part = _ALL_ITEMS if member.slice is None else member.slice
    if member.slice == _ALL_ITEMS:
        part = f"slice {part}"
    return f"{member.metric}, {part}" if several else part


def _needed_items(result: GateResult, *, twice: bool = False) -> int | None:
    """Return the items with which all members pass as often as is wanted.

    The members are parts of all items in the shares that they have here. ``twice``:
    with twice as many answers to each item.
    """
    n = _n_items(result)
    each = [m.items_needed_twice if twice else m.items_needed for m in result.members]
    known = [
        math.ceil(needed * n / member.tested.n_items)
        for needed, member in zip(each, result.members, strict=True)
        if needed is not None
    ]
    return max(known) if known else None


def cautions(result: GateResult) -> list[str]:
    """Return the largest errors found of tests that can exceed their level."""
    return [
        f"Error rate of {_NAMES[name]}: {_CAUTIONS[name]}."
        for name in result.tests
        if name in _CAUTIONS
    ]
