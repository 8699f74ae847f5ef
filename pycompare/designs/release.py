"""A gate: whether a candidate may replace a baseline."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from pycompare.base.arguments import is_number, is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished, identity
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, DecidedBy, ItemsScope, SmallSets
from pycompare.data.missing import BOUNDS
from pycompare.data.reading.worst import whole_range
from pycompare.data.scores import Scores
from pycompare.designs.gate_bounds import filled, has_gaps, limits_of_gaps, of_both
from pycompare.designs.gate_result import (
    GateMember,
    GateResult,
    MemberDecision,
    Verdict,
)
from pycompare.designs.looks import record_of
from pycompare.designs.plans.release_keys import of_no_slices
from pycompare.kernels import gate_sizes
from pycompare.methods.cases.loss_tests import (
    VALID_IF_FEW,
    LossTest,
    fewest_units,
    loss_test,
)
from pycompare.methods.cases.share_counts import FEWEST_CLUSTERS
from pycompare.results.adjust import adjust


@checked
def gate(
    scores: Scores,
    *,
    baseline: str,
    candidate: str,
    margin: float | Mapping[str, float],
    metrics: Sequence[str] = (),
    slices: Mapping[str, Sequence[str]] | None = None,
    slice_margin: float | Mapping[str, float] | None = None,
    small: SmallSets = "reject",
    items_scope: ItemsScope = "sampled",
    decided_by: DecidedBy = "scores",
    range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    runs: Literal["samples"] | None = None,
    margin_alpha: float = 0.025,
    budget: int = 1,
    looks: str | PathLike[str] | None = None,
    target: float = 0.8,
) -> GateResult:
    """Decide whether a candidate may replace a baseline on the same items.

    Parameters
    ----------
    scores : Scores
        The blocks are items of one test set; answers of both models, one or several
        runs. Clusters are texts that items belong to. No cell is missing, unless the
        scores were read with ``missing="bounds"``: a missing answer is the worst
        for a pass, and the best for a fail.
    baseline, candidate : str
        Two of ``scores.algorithms``.
    margin : float, or mapping of metric to float
        Largest acceptable loss, above 0, in the unit of the metric.
    metrics : sequence of str
        Metrics that have to hold; default all.
    slices : mapping of str to sequence of str, optional
        By name of a column, the label of each item. Slices may overlap.
    slice_margin : float, or mapping of slice to float, optional
        Of slices; a mapping may have ``"default"``. Default: ``margin``.
    small : {"reject", "report"}
        A set of items with which equal answers cannot pass: rejected, or tested anyway,
        which only the exact and the bounded test take.
    items_scope : {"sampled", "fixed"}
        New items like these, or new answers to these items (two runs or more).
    decided_by : {"scores", "bounded", "t"}
        Right/wrong answers have score tests and graded ones the bounded test;
        ``bounded`` or ``t`` for both.
    range : (low, high), or mapping of metric to (low, high), optional
        Lowest and highest possible score of graded answers, unless the metric's name
        implies it.
    runs : {"samples"}, optional
        Required if items have several answers: they are drawn anew for each item.
    margin_alpha : float, default 0.025
        Error rate of a pass, and of a fail.
    budget : int, default 1
        Gates that are to be made with these items and this baseline; each has
        ``margin_alpha / budget``.
    looks : path, optional
        Record of the gates of the budget: a file to which each gate of new answers, or
        of the same answers with other arguments, is added; one more than the budget is
        rejected. The same gate again costs nothing.
    target : float, default 0.8
        Probability of a pass for which the items needed are computed.

    Returns
    -------
    GateResult
        ``verdict`` is ``pass``, ``fail`` or ``undecided``; ``exit_status`` 0, 1 or 3.

    Raises
    ------
    DesignError
        If the plan cannot pass with equal answers, clusters are fewer than 20, or of
        several sizes in the bounded test, or cells are missing.
    InputError
        For an unknown name, the same model twice, an invalid margin, slices without
        a label or of one value, graded scores without a range.

    Notes
    -----
    Equations 10.16, 10.17 of docs/equations.md.

    Pass: every member (metric, on all items and on each slice) is not worse by its
    margin, each at level a = margin_alpha / budget. If any is worse by its margin or
    more, the probability of a pass is at most a (intersection-union), whatever the
    dependence. Fail: Holm's procedure finds a member that is worse by more than its
    margin. If none is, the probability of a fail is at most a. Undecided is neither,
    and claims nothing. R: own derivation.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [150, 10, 14, 24], axis=0)
    >>> scores = pc.Scores.from_wide(
    ...     {"new": right[:, 0].tolist(), "old": right[:, 1].tolist()},
    ...     metric="accuracy", better="higher",
    ... )
    >>> found = pc.gate(scores, baseline="old", candidate="new", margin=0.1)
    >>> found.verdict, found.exit_status
    ('pass', 0)
    """
    _require_numbers(margin_alpha, budget, target)
    if items_scope == "fixed" and decided_by != "scores":
        raise InputError(
            setting("decided_by", decided_by)
            + " is of items like these; "
            + setting("items_scope", "fixed")
            + " has a test of its own: leave one of them out"
        )
    pair = _pair(scores, baseline, candidate)
    if pair.missing == BOUNDS and decided_by == "t":
        raise InputError(
            setting("decided_by", "t")
            + ": a worse answer can make the spread smaller, and with it the p-value, "
            "so that missing answers have no bounds; set "
            + setting("decided_by", "bounded")
        )
    if pair.replicates is not None and runs is None:
        raise InputError(
            "items have several answers: give "
            + setting("runs", "samples")
            + " if they are drawn anew for each item; runs that all items share "
            "(trainings, prompts, judges) are compared by compare with a control and a "
            "margin"
        )
    _require_answers(pair, baseline)
    columns = dict(slices or {})
    names = _metrics(pair, metrics)
    margins = _margins(margin, names)
    sets = list(_sets(pair, slices, slice_margin))
    asked: dict[str, Any] = {
        "baseline": baseline,
        "candidate": candidate,
        "margin": margin,
        "metrics": list(metrics),
        "slices": {column: list(labels) for column, labels in columns.items()},
        "slice_margin": slice_margin,
        "small": small,
        "items_scope": items_scope,
        "decided_by": decided_by,
        "range": range,
        "runs": runs,
        "margin_alpha": margin_alpha,
        "budget": budget,
        "target": target,
    }
    record = None
    if looks is not None:
        free = ("baseline", "candidate", "budget", "target")  # or hashed on their own
        decisive = {name: value for name, value in asked.items() if name not in free}
        record = record_of(Path(looks), pair, budget, decisive)
    for labels in list(columns.values())[:1]:  # the report's data have them
        pair = dataclasses.replace(pair, groups=tuple(labels))
    level = margin_alpha / budget
    tested, places, rows = [], [], []
    all_gaps: dict[str, tuple[float, float]] = {}
    for name in names:
        chosen = pair.only(name)
        limits = _limits(range, name, chosen)
        gaps = limits_of_gaps(chosen, limits) if has_gaps(chosen) else None
        all_gaps |= {} if gaps is None else {name: gaps}
        for part, keep, own_margin in sets:
            places.append((name, part))
            rows.append(keep.astype(float))
            tested.append(
                _tested(
                    chosen,
                    keep,
                    _where(name, part, several=len(names) > 1),
                    margins[name] if own_margin is None else own_margin,
                    level,
                    small,
                    gaps=gaps,
                    decided_by=decided_by,
                    items_scope=items_scope,
                    limits=limits,
                )
            )
    members = tuple(_members(places, tested, level, target))
    notes = [] if pair.values[:, 0].tolist() != pair.values[:, 1].tolist() else [_SAME]
    notes += [*_of_prompts(pair), *_of_gaps(pair)]
    n_runs = None if pair.runs is None else tested[0].n_answers
    verdict = _verdict(members, level)
    head = None if record is None else record.add(candidate, verdict)
    return GateResult(
        table=_table(members),
        verdict=verdict,
        baseline=baseline,
        candidate=candidate,
        margin_alpha=margin_alpha,
        budget=budget,
        items_scope=items_scope,
        decided_by=decided_by,
        target=target,
        n_runs=n_runs,
        looks_used=None if record is None else record.used,
        record=head,
        notes=tuple(notes),
        members=members,
        scores=pair,
        rows=tuple(rows),
        gaps=all_gaps,
        asked=asked,
    )


_SAME = (
    "the answers of both models are the same for every item; check that the candidate "
    "was run"
)


def _require_answers(scores: Scores, baseline: str) -> None:
    """Reject missing answers of a baseline with the worst score: they are gains."""
    gone = [cell for cell in scores.dropped.cells if cell[1] == baseline]
    if gone and scores.missing == "worst":
        raise DesignError(
            setting("missing", "worst")
            + f": {counted(len(gone), 'answer')} of the baseline {show(baseline)} "
            f"{'is' if len(gone) == 1 else 'are'} missing, the first for item "
            f"{show(gone[0][0])}; with the worst score they would favour the "
            "candidate. Complete the baseline"
        )


def _of_prompts(scores: Scores) -> list[str]:
    """Return that both models answered other prompts, if they did."""
    n = 0 if scores.source is None else scores.source.other_prompts
    if not n:
        return []
    return [
        f"the prompts of {counted(n, 'item')} differ between rows of the same item; "
        "a difference may be that of the prompts"
    ]


def _of_gaps(scores: Scores) -> list[str]:
    """Return how many answers of each model were missing, and their treatment."""
    counts = {
        name: sum(cell[1] == name for cell in scores.dropped.cells)
        for name in scores.algorithms
    }
    if not any(counts.values()) and not scores.dropped.blocks:
        return []
    told = " and ".join(f"{n:,} of {show(name)}" for name, n in counts.items())
    lost = len(scores.dropped.blocks)
    what = "have the worst score"
    if scores.missing == BOUNDS:
        what = (
            "count against a pass and against a fail: the candidate's as the worst "
            "score for the one and as the best for the other, the baseline's the "
            "other way round; the difference is midway"
        )
    if lost:
        what = f"took {counted(lost, 'item')} with them; the result is about the others"
    return [f"missing answers: {told}; they {what}"]


def _require_numbers(margin_alpha: Any, budget: Any, target: Any) -> None:
    """Reject levels, budgets and powers out of their range."""
    if not is_number(margin_alpha) or not 0 < margin_alpha < 0.5:
        raise InputError(
            setting("margin_alpha", margin_alpha) + ": give a number between 0 and 0.5"
        )
    if not is_whole(budget) or budget < 1:
        raise InputError(
            setting("budget", budget) + ": give a whole number of gates, 1 or more"
        )
    if not is_number(target) or not 0.5 <= target < 0.9999:
        raise InputError(
            setting("target", target)
            + ": give a probability of a pass of at least 0.5 and below 0.9999"
        )


def _pair(scores: Scores, baseline: str, candidate: str) -> Scores:
    """Return the scores of both models, the baseline first."""
    for role, name in (("baseline", baseline), ("candidate", candidate)):
        if name not in scores.algorithms:
            raise InputError(
                f"{role}: there is no {show(name)}{nearest(name, scores.algorithms)}; "
                f"there are {show_all(scores.algorithms)}"
            )
    if baseline == candidate:
        raise InputError(
            setting("candidate", candidate) + " is the baseline, too: name two models"
        )
    return scores.select(algorithms=[baseline, candidate])


def _metrics(scores: Scores, metrics: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics that have to hold."""
    names = tuple(metric.name for metric in scores.metrics)
    for name in metrics:
        if name not in names:
            raise InputError(
                f"metrics: there is no {show(name)}{nearest(name, names)}; there are "
                f"{show_all(names)}"
            )
    return tuple(metrics) or names


def _margins(
    margin: float | Mapping[str, float], names: Sequence[str]
) -> dict[str, float]:
    """Return the margin of each metric."""
    if not isinstance(margin, Mapping):
        if len(names) > 1:
            raise InputError(
                setting("margin", margin)
                + f": a margin is in its metric's unit, and there are {len(names)} "
                f"metrics, {show_all(names)}: give each its own"
            )
        margin = {names[0]: margin}
    absent = [name for name in margin if name not in names]
    lacking = [name for name in names if name not in margin]
    if absent or lacking:
        name = (absent or lacking)[0]
        what = "is not compared" if absent else "has none"
        raise InputError(
            f"margin: {show(name)} {what}{nearest(name, names) if absent else ''}; "
            f"metrics: {show_all(names)}"
        )
    return {name: _checked_margin(margin[name]) for name in names}


def _checked_margin(value: Any) -> float:
    """Return a margin, or reject it."""
    if is_number(value) and value == 0:
        raise InputError(
            setting("margin", value)
            + " asks for superiority; a gate needs the largest acceptable loss, a "
            "number above 0"
        )
    if not is_number(value) or not 0 < value < math.inf:
        raise InputError(
            setting("margin", value)
            + ": give the largest acceptable loss, a number above 0"
        )
    return float(value)


_Set = tuple[str | None, np.ndarray, float | None]


def _sets(
    scores: Scores,
    slices: Mapping[str, Sequence[str]] | None,
    slice_margin: float | Mapping[str, float] | None,
) -> Iterator[_Set]:
    """Yield all items, then each slice with its items and its margin."""
    yield None, np.ones(scores.n_blocks, bool), None
    columns = dict(slices or {})
    if not columns and slice_margin is not None:
        raise InputError(of_no_slices(slice_margin))
    for column, labels in columns.items():
        _require_labels(scores, column, labels)
    taken: dict[str, tuple[str, str]] = {}
    every = [label for labels in columns.values() for label in dict.fromkeys(labels)]
    for column, labels in columns.items():
        for label in dict.fromkeys(labels):
            name = label if every.count(label) == 1 else f"{column}: {label}"
            taken[name] = (column, label)
    given = slice_margin if isinstance(slice_margin, Mapping) else {}
    unknown = [name for name in given if name not in {*taken, "default"}]
    if unknown:
        raise InputError(
            f"slice_margin: there is no slice {show(unknown[0])}"
            f"{nearest(unknown[0], taken)}; there are {show_all(taken)}"
        )
    if given and "default" in taken:
        raise InputError(
            "slice_margin: 'default' is the margin of all other slices, and a slice "
            "has this name; rename the slice"
        )
    usual = given.get("default") if given else slice_margin
    for name, (column, label) in taken.items():
        own = given.get(name, usual)
        keep = np.array([x == label for x in columns[column]], bool)
        yield name, keep, None if own is None else _checked_margin(own)


def _require_labels(scores: Scores, column: str, labels: Sequence[str]) -> None:
    """Reject slices of other items, without labels, or of one value."""
    if isinstance(labels, str) or not isinstance(labels, Collection):
        raise InputError(
            f"slices: {show(column)} is {show(labels)}: give a list of labels, one "
            "per item"
        )
    if len(labels) != scores.n_blocks:
        raise InputError(
            f"slices: {show(column)} has {len(labels)} labels, and there are "
            f"{scores.n_blocks} items"
        )
    for at, label in enumerate(labels):
        if not isinstance(label, str) or not label:
            raise InputError(
                f"slices: {show(column)} has no label for item "
                f"{show(scores.blocks[at])}; label it, or leave the slices out"
            )
    if len(set(labels)) < 2:
        raise InputError(
            f"slices: {show(column)} has one value, {show(labels[0])}: the slice is "
            "the whole; leave it out"
        )
    clusters = scores.clusters
    if clusters is not None and len(set(zip(labels, clusters, strict=True))) == len(
        set(clusters)
    ) == len(set(labels)):
        raise InputError(
            f"slices: {show(column)} are the clusters, too: fixed categories are "
            "slices, sampled texts are clusters"
        )


def _limits(
    given: tuple[float, float] | Mapping[str, tuple[float, float]] | None,
    name: str,
    scores: Scores,
) -> tuple[float, float] | None:
    """Return the lowest and the highest possible score of a metric, if known."""
    if given is None:
        return whole_range(name, scores.column(name))
    own = given.get(name) if isinstance(given, Mapping) else given
    if own is None:
        return None
    low, high = own
    if not (is_number(low) and is_number(high) and 0 < high - low < math.inf):
        raise InputError(
            setting("range", own) + ": give the lowest and the highest possible score"
        )
    return float(low), float(high)


def _where(metric: str, part: str | None, *, several: bool) -> str:
    """Return how an error names a member."""
    named = [f"metric {show(metric)}"] if several else []
    named += [] if part is None else [f"slice {show(part)}"]
    return ", ".join(named)


def _tested(
    scores: Scores,
    keep: Bools,
    where: str,
    margin: float,
    level: float,
    small: SmallSets,
    gaps: tuple[float, float] | None,
    **options: Any,
) -> LossTest:
    """Test one member, or reject one that equal answers cannot pass."""
    try:
        if keep.sum() < 2:
            raise DesignError("1 item is no sample; a test takes 2 or more")
        scores = scores.taken(np.flatnonzero(keep))
        if options["items_scope"] == "sampled":
            _require_clusters(scores)
        options |= {"margin": margin, "alpha": level}
        if gaps is None:
            tested = loss_test(scores, **options)
        else:
            tested = of_both(
                loss_test(filled(scores, gaps, "not worse"), **options),
                loss_test(filled(scores, gaps, "worse"), **options),
            )
        _require_size(tested, scores, level, small)
    except (DesignError, InputError) as error:
        if where:
            error.at(where)
        raise
    return tested


def _require_clusters(scores: Scores) -> None:
    """Reject clusters that are too few."""
    n = FEWEST_CLUSTERS if scores.clusters is None else len(set(scores.clusters))
    if n < FEWEST_CLUSTERS:
        raise DesignError(
            f"{counted(n, 'cluster')} are too few; a gate takes {FEWEST_CLUSTERS}"
        )


def _require_size(
    tested: LossTest, scores: Scores, level: float, small: SmallSets
) -> None:
    """Reject items that are too few."""
    fixed = tested.test == "these-items"
    least = fewest_units(tested.test, tested.margin, tested.width, level)
    if fixed or tested.n_units >= least:
        return
    units = "items" if scores.clusters is None else "items' worth of independent texts"
    told = (
        f"if both answer all {tested.n_items} items alike this gate cannot pass with "
        f"margin {tested.margin:g}; that takes {least} {units}"
    )
    if small == "reject":
        raise DesignError(f"{told}. " + setting("small", "report") + " tests it anyway")
    if tested.test not in VALID_IF_FEW:
        raise DesignError(
            f"{told}; the test by {tested.test} exceeds its level with fewer (0.144 at "
            "0.025 found): set " + setting("decided_by", "bounded")
        )


def _members(
    places: Sequence[tuple[str, str | None]],
    tested: Sequence[LossTest],
    level: float,
    target: float,
) -> Iterator[GateMember]:
    """Yield all members with adjusted p-values, limits and decisions."""
    holm = {
        name: np.asarray(adjust(np.array([getattr(t, name) for t in tested]), "holm"))
        for name in ("p_not_worse", "p_worse")
    }
    worse = holm["p_worse"] <= level
    passed = all(test.p_not_worse <= level for test in tested)
    last = level / max(1, len(tested) - int(worse.sum()))
    # Each member misses a pass at most so often that together they miss 1 - target.
    sizes = _sizes(tested, level, 1 - (1 - target) / len(tested))
    for at, ((metric, part), test) in enumerate(zip(places, tested, strict=True)):
        low, high = test.interval(
            level,
            last,
            not_worse=test.p_not_worse <= level,
            worse=bool(worse[at]),
        )
        decision: MemberDecision = "undecided"
        if passed or holm["p_not_worse"][at] <= level:
            decision = "not worse"
        elif worse[at]:
            decision = "worse"
        least = fewest_units(test.test, test.margin, test.width, level)
        yield GateMember(
            metric=metric,
            slice=part,
            tested=test,
            smallest_size=least,
            p_not_worse_holm=float(holm["p_not_worse"][at]),
            p_worse_holm=float(holm["p_worse"][at]),
            conf_low=low,
            level_low=1 - level,
            conf_high=high,
            level_high=1 - last,
            decision=decision,
            judged=test.test == "these-items" or test.n_units >= least,
            items_needed=next(sizes),
            items_needed_twice=None if math.isnan(test.variance_twice) else next(sizes),
        )


class _Sized(NamedTuple):
    """Numbers on which the items needed by a test depend."""

    test: str
    margin: float
    width: float
    discordance: float
    variance: float
    n_items: int
    n_units: float
    least: int


def _sized(test: LossTest, level: float) -> Iterator[_Sized]:
    """Yield a test, and the same with twice the answers to each item."""
    sized = _Sized(
        test.test,
        test.margin,
        test.width,
        test.discordance,
        test.variance,
        test.n_items,
        test.n_units,
        fewest_units(test.test, test.margin, test.width, level),
    )
    yield sized
    if not math.isnan(test.variance_twice):
        yield sized._replace(variance=max(test.variance_twice, 0.0))


def _sizes(
    tested: Sequence[LossTest], level: float, power: float
) -> Iterator[int | None]:
    """Yield the items that each test needs, and with twice the answers."""
    keys = [key for test in tested for key in _sized(test, level)]
    kept = Unfinished(lambda: identity(level, power, keys), what="sizes")
    return tasks(_needed, (level, power), keys, what="sizes", kept=kept)


def _needed(levels: tuple[float, float], test: _Sized) -> int | None:
    """Return the items with which equal models pass with a power."""
    (level, power), least = levels, test.least
    if test.test in ("exact", "score"):
        needed = gate_sizes.needed_of_scores(
            test.margin, test.discordance, level, power
        )
        return max(needed, least)
    if not math.isfinite(test.variance):
        return None
    if test.test == "bounded":
        units = gate_sizes.needed_of_bounded(
            test.margin, test.width, test.variance, level, power
        )
        return math.ceil(max(units, least) * test.n_items / test.n_units)
    needed = gate_sizes.needed_by_normal(test.margin, test.variance, level, power)
    if test.test == "these-items":
        return needed
    return max(needed, math.ceil(least * test.n_items / test.n_units))


def _verdict(members: Sequence[GateMember], level: float) -> Verdict:
    """Return the verdict of all members."""
    if all(member.tested.p_not_worse <= level for member in members):
        return "pass"
    return "fail" if any(m.p_worse_holm <= level for m in members) else "undecided"


def _table(members: Sequence[GateMember]) -> Columns:
    """Return one row per member."""
    of_test = (
        *("n_items", "n_units", "baseline_mean", "candidate_mean", "difference"),
        *("margin", "p_not_worse", "p_worse", "test"),
    )
    names = (
        *("metric", "slice", "n_items", "n_units", "smallest_size", "baseline_mean"),
        *("candidate_mean", "difference", "margin", "conf_low", "level_low"),
        *("conf_high", "level_high", "p_not_worse", "p_worse", "p_not_worse_holm"),
        *("p_worse_holm", "decision", "judged", "items_needed"),
        *("items_needed_twice", "test"),
    )
    columns: dict[str, Any] = {}
    for name in names:
        values = [
            vars(member.tested if name in of_test else member)[name]
            for member in members
        ]
        if name == "slice":
            values = ["" if value is None else value for value in values]
        if name in ("items_needed", "items_needed_twice"):
            values = [math.nan if value is None else float(value) for value in values]
        is_text = isinstance(values[0], str)
        columns[name] = np.array(values, object if is_text else None)
    return Columns(columns)
