"""Tables out of results: one field a column, and the tables that analyses share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from pycompare.base import tables
from pycompare.base.formatting.numbers import degrees, number, percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.hypotheses import MEAN_RANKS
from pycompare.base.tables import AnyTable, Columns, LabelColumn, is_table
from pycompare.base.typing import Floats, Ints
from pycompare.designs.analysis import ComparedPairs
from pycompare.designs.error_rates import error_rate, test_rate
from pycompare.designs.pair_methods import FLIPS, MEANS, described, short_title
from pycompare.designs.plans.plan import Plan
from pycompare.methods.orders.step_levels import step_levels
from pycompare.methods.pairs.adjusted_pairs import bound_note
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.reporting.content.outcomes import is_alone, method
from pycompare.reporting.content.wording import begun, sentence
from pycompare.reporting.document import (
    MOST_ROWS,
    Column,
    ColumnKind,
    Inline,
    Strong,
    Table,
)
from pycompare.results.guarantees import Units
from pycompare.results.result import (
    OwnLimits,
    Pairs,
    PairsResult,
    Result,
    Test,
    rejected,
)

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.methods.linear.anova import AnovaResult
    from pycompare.methods.linear.clustered_runs import ClusteredRuns
    from pycompare.methods.linear.replicated_anova import ReplicatedAnova

_LARGEST_COUNT = 1e7
Method = tuple[str, str, str]
"""A method, its error rate, and its source."""


class Field(NamedTuple):
    """One column of a table, and its values of items.

    ``get`` is the name of an attribute, or a function of the item. p-values at most
    ``alpha`` are marked.
    """

    title: str
    kind: ColumnKind
    get: str | Callable[[Any], Any]
    alpha: float | None = None
    digits: int = 3

    @property
    def column(self) -> Column:
        """The column."""
        return Column(self.title, self.kind, self.alpha, self.digits)

    def of(self, item: Any) -> Any:
        """Return the value of one item."""
        return getattr(item, self.get) if isinstance(self.get, str) else self.get(item)


def table(
    caption: Inline,
    items: Iterable[Any] | AnyTable,
    *fields: Field,
    file: str | None = None,
) -> Table:
    """Return one row per item; ``file`` is the CSV file that has all rows."""
    beyond, shown = 0, cast(Any, items)
    if is_table(items):
        shown = shown.head(MOST_ROWS).itertuples()
        beyond = max(0, len(cast(Any, items)) - MOST_ROWS)
    elif file is not None and isinstance(items, Sequence):
        shown = items[:MOST_ROWS]
        beyond = len(items) - len(shown)
    rows = tuple(tuple(field.of(item) for field in fields) for item in shown)
    columns = tuple(field.column for field in fields)
    return Table(caption, columns, rows, file, beyond=beyond)


def limits_of(row: Any) -> tuple[float, float]:
    """Return the interval of a row."""
    return row.conf_low, row.conf_high


def ci(level: float) -> Field:
    """Return the column of the intervals of rows."""
    return Field(f"{percent(level)} CI", "interval", limits_of)


BETWEEN = {0.0: "minus", 0.5: "against", 1.0: "divided by"}
"""The word between two algorithms, by the estimate that is no difference."""
ESTIMATES = {0.0: "difference", 0.5: "share", 1.0: "ratio"}
"""What estimates are, by the one that is no difference."""
_MORE_POWERFUL = "An interval may include 0 although a more powerful test rejects."
PAIR = Field("Pair", "label", lambda row: f"{row.algorithm_1} – {row.algorithm_2}")
WINS = Field(
    "wins / ties / losses",
    "digits",
    lambda row: f"{row.wins} / {row.ties} / {row.losses}",
)
DF = Field("df", "digits", lambda row: degrees(row.df))


class OrderedRows(Sequence[Any]):
    """Rows of a table in another order; only those that are read are taken."""

    def __init__(self, table: Columns, order: Ints) -> None:
        self.rows, self.order = table, order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [*self.rows.take(self.order[at]).itertuples()]
        return self[at : at + 1 or None][0]


def by_evidence(pairs: Columns) -> Columns:
    """Return rows of pairs, the strongest evidence first."""
    return pairs.take(_strongest_first(pairs))


def _strongest_first(pairs: Columns) -> Ints:
    return pairs.order("p_value", "p_adjusted")


def tests(caption: Inline, tests: Sequence[Test], *, file: str | None = None) -> Table:
    """Return tests, one a row; their p-values decide nothing and are not marked."""
    return table(
        caption,
        tests,
        Field("Test", "label", "name"),
        Field("p", "p", "p_value"),
        Field("statistic", "digits", statistic),
        DF,
        Field("reference distribution", "text", "p_source"),
        Field("source and notes", "text", notes),
        file=file,
    )


def statistic(test: Test) -> str:
    """Return a statistic with its name; a count is a whole number."""
    value = test.statistic
    whole = value.is_integer() and abs(value) < _LARGEST_COUNT
    return f"{test.statistic_name} = {fixed(value, 0) if whole else number(value, 5)}"


def notes(test: Test) -> str:
    """Return the source of a test, and its notes."""
    return "; ".join([test.reference, *test.notes])


def pairs(
    analysis: ComparedPairs, alpha: float, role: str = "", file: str = "pairs"
) -> Table:
    """Return every pair, by all adjustments; ``role`` defines the comparison."""
    return of_pairs(analysis.pairs, alpha, role=role, file=file)


def of_pairs(
    adjustments: Sequence[PairsResult],
    alpha: float,
    *,
    role: str = "",
    file: str = "pairs",
) -> Table:
    """Return the pairs of one method, adjusted in several ways; the first decides."""
    first = adjustments[0]
    if is_alone(first):  # every adjustment leaves its p-value as it is
        adjustments = [
            first,
            *(other for other in adjustments[1:] if other.method != first.method),
        ]
    columns = first.as_columns()
    alike = "conf_level" not in columns or _alike(columns["conf_level"])
    level = f"{percent(first.level)} " * alike
    interval = Field(f"{level}{first.interval_name}", "interval", limits_of)
    own_level = Field("level", "text", lambda row: percent(row.conf_level))
    won = "share lost" if first.lower_is_better else "share won"
    estimate = {0.0: "difference", 0.5: won, 1.0: "ratio"}[first.null]
    steps = [*_steps(adjustments, alpha)]
    return table(
        _pairs_caption(adjustments, alpha, role) + _STEP_LEVELS * bool(steps),
        OrderedRows(columns, _strongest_first(columns)),
        PAIR,
        Field(estimate, "number", "estimate", digits=4),
        *([interval] if first.gives_limits else []),
        *([] if alike else [own_level]),
        adjusted(first, alpha, "p" if is_alone(first) else "adjusted p"),
        Field(first.statistic_name, "number", "statistic", digits=4),
        *([DF] if is_alone(first) and np.isfinite(columns["df"]).all() else []),
        *([] if is_alone(first) else [Field("raw p", "p", "p_value")]),
        *steps,
        *(adjusted(p, alpha, short_title(p.called)) for p in adjustments[1:]),
        file=file,
    )


_STEPS = {"holm": "Holm", "shaffer": "Shaffer"}
"""Step-down procedures whose levels follow from the order of p-values."""
_STEP_LEVELS = (
    " Levels of steps: alpha over the number of hypotheses that can still be true. A "
    "pair is significant if its raw p, and each smaller one, is at most the level of "
    "its step."
)
_MOST_STEPS = 500
"""Pairs of a family whose steps are listed."""


def _steps(adjustments: Sequence[PairsResult], alpha: float) -> Iterator[Field]:
    """Yield level and critical value of each pair's step, for z tests of mean ranks.

    Garcia and Herrera (2008) publish these beside the p-values.
    """
    first = adjustments[0]
    named = [p.adjust for p in adjustments if p.method == first.method]
    wanted = [name for name in _STEPS if name in named]
    several = 1 < len(first.as_columns()) <= _MOST_STEPS
    ranks = first.hypotheses == MEAN_RANKS and first.adjusted_here
    if not (wanted and several and ranks):
        return
    steps = step_levels(first, alpha=alpha).as_columns()
    pairs_of_steps = zip(steps["algorithm_1"], steps["algorithm_2"], strict=True)
    row_of = {pair: i for i, pair in enumerate(pairs_of_steps)}
    size = f"|{first.statistic_name}|"
    for name in wanted:
        level, critical = (steps[f"{what}_{name}"] for what in ("level", "critical"))
        if np.isnan(critical).any():
            continue
        for title, values in (
            (f"{_STEPS[name]}: level of the step", level),
            (f"{_STEPS[name]}: critical {size}", critical),
        ):
            yield Field(title, "number", _at_step(values, row_of), digits=3)


def _at_step(
    values: Floats, row_of: Mapping[tuple[str, str], int]
) -> Callable[[Any], float]:
    """Return what finds the value of a pair's step."""
    return lambda row: float(values[row_of[row.algorithm_1, row.algorithm_2]])


def _alike(levels: Floats) -> bool:
    """Return whether all intervals have one level."""
    return len(levels) == 1 or (len(levels) > 1 and bool((levels == levels[0]).all()))


def adjusted(pairs: PairsResult, alpha: float, title: str) -> Field:
    """Return the adjusted p-values of a method as a column of rows of pairs."""
    p = pairs.as_columns()["p_adjusted"]
    return Field(title, "p", lambda row: p[row.Index], alpha)


def minus(pairs: AnyTable, null: float = 0.0) -> str:
    """Return which is subtracted from which: by names if one pair or control is.

    ``null`` is 1 for ratios, of which it names both parts.
    """
    return _direction(pairs, null)[0]


def _direction(pairs: AnyTable, null: float) -> tuple[str, str, str]:
    """Return the difference in words, and the names of its first and second part."""
    first, second = (_different(pairs, name) for name in ("algorithm_1", "algorithm_2"))
    minus = BETWEEN[null]
    if len(pairs) == 1:
        return f"{first[0]} {minus} {second[0]}", first[0], second[0]
    if len(second) == 1:
        return f"the other {minus} {second[0]}", "the other", second[0]
    if len(first) == 1:
        return f"{first[0]} {minus} the other", first[0], "the other"
    return f"first {minus} second", "the first", "the second"


def _pairs_caption(adjustments: Sequence[PairsResult], alpha: float, role: str) -> str:
    """Return what a table of pairs shows, and how it is read."""
    first = adjustments[0]
    difference, *ends = _direction(first.as_columns(), first.null)
    values = f"values below {first.null:g}" if first.null else "negative values"
    favoured = ends[0] if first.lower_is_better else ends[1]
    parts = [
        f"{role}{' ' * bool(role)}{begun(method(first))}, two-sided, over "
        f"{first.family}. {begun(first.estimate_name)}: {difference}; "
        f"{values} favour {favoured}. "
        f"Bold: {'' if is_alone(first) else 'adjusted '}p ≤ {alpha:g}.",
        f"{begun(first.interval_name)}s are {first.interval}.",
    ]
    joint = isinstance(first, OwnLimits) and not first.own_limits
    table = first.as_columns()
    if "conf_low" in table.not_made or not np.isnan(table["conf_low"]).all():
        if first.interval_note and not joint:
            parts.append(first.interval_note)
        elif not (is_alone(first) and _agree(first, alpha)):
            parts.append(_MORE_POWERFUL)
    parts += list(dict.fromkeys(filter(None, map(bound_note, adjustments))))
    if len(adjustments) > 1:
        others = [
            f"{short_title(p.called)}: {p.method}"
            for p in adjustments[1:]
            if p.method != first.method
        ]
        named = f" ({'; '.join(others)})" if others else ""
        last = f"Last column{'s' * (len(adjustments) > 2)}"
        parts.append(f"{last}: adjusted p-values of sensitivity analyses{named}.")
    return " ".join(parts)


def _different(pairs: AnyTable, name: str) -> list[str]:
    """Return the algorithms of a column."""
    held = pairs.as_stored(name) if isinstance(pairs, Columns) else None
    if isinstance(held, LabelColumn):
        counts = np.bincount(held.codes, minlength=len(held.names))
        return [held.names[place] for place in np.flatnonzero(counts).tolist()]
    return list(dict.fromkeys(np.asarray(pairs[name])))


def _agree(pairs: PairsResult, alpha: float) -> bool:
    """Return whether each interval excludes no difference if a pair is significant."""
    null = pairs.null
    table = pairs.as_columns()
    covers = (table["conf_low"] <= null) & (table["conf_high"] >= null)
    return bool((covers != rejected(table["p_adjusted"], alpha)).all())


def anova(
    caption: str,
    analysis: AnovaResult | ReplicatedAnova | ClusteredRuns,
    names: Mapping[str, str],
    tested: Callable[[Any], bool] = lambda row: row.term != "residual",
    *more: Field,
) -> Table:
    """Return an analysis of variance; ``names`` are the names of terms."""
    return table(
        " ".join([caption, *map(sentence, analysis.notes)]),
        analysis.as_columns(),
        Field("Term", "label", lambda row: names.get(row.term, row.term)),
        Field("p", "p", lambda row: row.p_value if tested(row) else None),
        Field("F", "number", lambda row: row.statistic if tested(row) else None),
        DF,
        *more,
        Field("sum of squares", "number", "sum_sq", digits=4),
        Field("mean square", "number", "mean_sq", digits=4),
    )


def frames(**results: Any) -> dict[str, AnyTable]:
    """Return the results that there are as tables for CSV files, full precision."""
    return {
        name: _table_of(result)
        for name, result in results.items()
        if result is not None
    }


def _table_of(result: Any) -> AnyTable:
    if is_table(result):
        return result
    return result.as_written() if isinstance(result, Result) else result.as_columns()


def stacked(results: Iterable[Any]) -> Columns:
    """Return the tables of several results, one below the other."""
    return tables.stacked(result.as_columns() for result in results)


def positions(
    caption: str,
    values: Mapping[str, float] | pd.Series,
    title: str,
    *more: Field,
) -> Table:
    """Return the algorithms with the number that orders them, the best first."""
    return table(
        caption,
        list(values.keys()),
        Field("Algorithm", "label", str),
        Field(title, "number", lambda name: values[name], digits=4),
        *more,
    )


def of_method(
    pairs: Pairs | SuperiorityResult,
    plan: Plan,
    units: Units,
    start: str = "",
    end: str = "",
) -> Method:
    """Return a comparison of pairs with its error rate and source."""
    rate = error_rate(pairs, plan, units)
    called = pairs.called
    name = described(called)
    title, source = name.title, name.reference
    if isinstance(pairs, PairsResult) and called in FLIPS:
        title = begun(method(pairs))
    elif isinstance(pairs, PairsResult) and is_alone(pairs) and called not in MEANS:
        title, source = begun(pairs.method), pairs.reference
    return f"{start}{title}", f"{rate.text}{end}", source


def of_test(
    test: Test, plan: Plan, units: Units, title: str = "", end: str = ""
) -> Method:
    """Return a test with its error rate and source."""
    rate = test_rate(test, plan, units)
    return title or begun(test.name), f"{rate}{end}", test.reference


def methods(rows: Iterable[Method]) -> Table:
    """Return methods with their error rates and sources, each once."""
    return table(
        "Methods, their error rates and sources.",
        list(dict.fromkeys(rows)),
        Field("Method", "label", lambda row: row[0]),
        Field("error rate", "text", lambda row: row[1]),
        Field("source", "text", lambda row: row[2]),
    )


def tally(n: int, every: int) -> Inline:
    """Return ``3 of 10``, marked if it is any."""
    text = f"{n} of {every}"
    return (Strong(text),) if n else text
