"""Columns and scores that seem to be on another scale: questioned, never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, joined, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats
from pycompare.data.table import DataTable

_NO_ALGORITHMS = frozenset(
    """n size n_samples n_instances instances samples n_features features n_classes
    classes n_train n_test time seconds runtime fit_time score_time train_time test_time
    label labels target truth y_true actual ground_truth
    id index row fold seed run replicate repeat dataset data_set block
    run_fold epoch step iteration""".split()
)
"""Names of columns that describe a row and are no algorithm."""
_COUNTS = re.compile(r"#.+|(?:n|num)_\w+s", re.IGNORECASE)
"""Names of counts."""
PANDAS_INDEX = re.compile(r"(?:Unnamed: \d+)?")
"""Name of an index that pandas wrote to a file, there and read back."""
_PROPORTIONS = frozenset(
    """accuracy acc auc auroc auprc f1 precision recall sensitivity specificity tpr tnr
    kappa jaccard""".split()
)
"""Words that name a metric between 0 and 1, of which 1 or less is no percentage."""
_UNBOUNDED = frozenset("log loss count counts".split())
"""Words by which such a name means something else."""
_GAP = 10.0
"""Least factor between numbers on different scales."""
_MOST_TOLD = 3
"""Columns that are not numeric whose cells a message names."""


def algorithm_columns(table: DataTable, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a wide table as algorithms, if the call names none.

    Raises
    ------
    InputError
        If a column may be something else: with each one, why, and the call that names
        the algorithms. Or if a column is not numeric.
    """
    told = {name: why_by_name(name) for name in columns}
    left = [name for name in columns if not told[name]]
    values = _numeric(table, left)
    told |= whys_by_scale(values)
    doubted = {name: told[name] for name in columns if told[name]}
    if doubted:
        kept = tuple(name for name in columns if name not in doubted)
        raise InputError(_question(doubted, kept, values))
    return tuple(columns)


def _question(
    doubted: Mapping[str, str], kept: tuple[str, ...], values: Mapping[str, Floats]
) -> str:
    """Name columns that may be no algorithms, and the ways to define them."""
    told = "; ".join(f"{show(name)} {doubted[name]}" for name in sorted(doubted))
    single = len(doubted) == 1
    question = (
        f"{counted(len(doubted), 'column')} may not be "
        f"{'an algorithm' if single else 'algorithms'}: {told}. Name the columns that "
        f"are algorithms, with {'it if it is one' if single else 'them if they are'} ("
        + setting("algorithms", ...)
        + f"); columns: {show_all(sorted({*doubted, *kept}))}"
    )
    most = {name: _largest(column) for name, column in values.items()}
    small = all(most[name] <= 1 for name in kept or doubted if name in most)
    percent = [n for n in doubted if n in most and -np.inf < most[n] <= 100]
    if not small or not percent:
        return question
    return question + ". If some are in percent, declare them" + _in_percent(percent)


def _in_percent(columns: Sequence[str]) -> str:
    """Return the option that declares columns in percent, and which they may be."""
    shown = show_all(sorted(columns))
    return " (" + setting("percent", ...) + f"); these may be: {shown}"


def _largest(values: Floats) -> float:
    """Return the largest number; minus infinity if there is none."""
    return float(np.max(values, where=~np.isnan(values), initial=-np.inf))


def _numeric(table: DataTable, columns: Sequence[str]) -> dict[str, Floats]:
    """Read columns as scores; of those that are text, state that they may be none."""
    if all(table.truth_values(name) is not None for name in columns):
        return table.scores_of(columns)
    scores: dict[str, Floats] = {}
    refused: dict[str, InputError] = {}
    for name in columns:
        try:
            scores[name] = table.numbers(name)
        except InputError as error:
            refused[name] = error
    if refused:
        raise InputError(_no_numbers(table, refused, columns))
    return scores


def _no_numbers(
    table: DataTable, refused: Mapping[str, InputError], columns: Sequence[str]
) -> str:
    """Return of all columns that are not numeric why, and what to do about text."""
    names = sorted(refused)
    told = joined(". Also ", [refused[name].message for name in names[:_MOST_TOLD]])
    if len(names) > _MOST_TOLD:
        told += f". Not numeric either: {show_all(names[_MOST_TOLD:])}"
    text = [name for name in names if not table.has_digits(name)]
    if not text:
        return told
    are = "is no algorithm" if len(text) == 1 else "are no algorithms"
    return (
        told
        + f"; if {show_all(text)} {are}, name the columns that are ("
        + setting("algorithms", ...)
        + f"); columns: {show_all(sorted(columns))}"
    )


def why_by_name(name: str) -> str:
    """Return why a column's name is not that of an algorithm; empty if it may be."""
    if PANDAS_INDEX.fullmatch(name):
        return "is an index that pandas wrote (to_csv without index=False)"
    if name.casefold() in _NO_ALGORITHMS or _COUNTS.fullmatch(name):
        return "is a name of something else"
    return ""


def whys_by_scale(values: Mapping[str, Floats]) -> dict[str, str]:
    """Return of each column why its scores are not of one metric with the others'."""
    known = {name: _present(column) for name, column in values.items()}
    known = {name: own for name, own in known.items() if own.size}
    if len(known) < 2:
        return {}
    size = np.array([own.size for own in known.values()])
    fractions = np.array([np.sum(own % 1 != 0) for own in known.values()])
    # What holds of all other columns, without looking at each pair of columns.
    share = (fractions.sum() - fractions) / (size.sum() - size)
    largest = _most_of_others([np.abs(own).max() for own in known.values()])
    high = _most_of_others([own.max() for own in known.values()])
    low = -_most_of_others([-own.min() for own in known.values()])
    return {
        name: f"has values {_range(own.min(), own.max())}, the others "
        f"{_range(low[i], high[i])}"
        for i, (name, own) in enumerate(known.items())
        if _another_scale(own, float(largest[i]), bool(share[i] > 0.5))
    }


def _present(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _most_of_others(each: Sequence[float]) -> Floats:
    """Return for each number the largest of the others."""
    numbers = np.array(each)
    second, most = np.sort(numbers)[-2:]
    return np.where(numbers == most, second, most)


def _another_scale(own: Floats, largest: float, fractions: bool) -> bool:
    """Return whether all values are far larger, or counts beside fractions.

    ``largest`` is the largest size of the others' scores, ``fractions`` whether most of
    them are no whole numbers.
    """
    if np.abs(own).min() / _GAP > largest > 0:
        return True
    whole = bool((own % 1 == 0).all()) and fractions
    return whole and bool((np.abs(own) > max(largest, _GAP)).mean() > 0.5)


def _range(low: float, high: float) -> str:
    return f"from {low:g} to {high:g}"


def refuse_two_units(
    table: DataTable, columns: Sequence[str], values: Floats, metric: str
) -> None:
    """Reject a metric between 0 and 1 with some scores that look like percentages.

    Parameters
    ----------
    columns : sequence of str
        Where the scores stand: the metric's own column, or those of the algorithms.
    values : ndarray, shape (n_rows, n_columns)
    metric : str

    Raises
    ------
    InputError
        If ``metric`` names such a metric, and some scores lie in (0, 1] and all others
        are 10 times larger at least. The first ones are named.
    """
    low, high = (values > 0) & (values <= 1), values > 1
    if not is_proportion(metric) or not low.any() or not high.any():
        return
    if values[high].min() < _GAP * values[low].max():
        return
    whole = high.any(axis=0) & ~low.any(axis=0)
    fits = [str(columns[i]) for i in np.flatnonzero(whole).tolist()]
    if len(columns) == 1:
        way = "; if all of them are percentages, declare it: "
        way += setting("percent", tuple(columns))
    elif fits:
        way = ", or declare the columns in percent" + _in_percent(fits)
    else:
        way = "; if all of them are percentages, declare the columns"
        way += _in_percent(columns)
    raise InputError(
        f"{show(metric)} seems to have two units: "
        f"{_told(table, columns, values, high)} above 1, "
        f"{_told(table, columns, values, low)} not. Write all scores in one unit" + way
    )


def is_proportion(metric: str) -> bool:
    """Return whether a metric's name states that it lies between 0 and 1."""
    words = set(re.findall(r"[a-z]+\d*", metric.casefold()))
    return bool(words & _PROPORTIONS) and not words & _UNBOUNDED


def _told(
    table: DataTable, columns: Sequence[str], values: Floats, chosen: NDArray[np.bool_]
) -> str:
    """Count some scores and name the first ones, by row and column."""
    places = np.argwhere(chosen)
    named = [
        f"{table.row(int(row))}, {show(columns[at])}: {values[row, at]:g}"
        for row, at in places[:3]
    ]
    more = ", ..." if len(places) > 3 else ""
    return f"{counted(len(places), 'score')} ({'; '.join(named)}{more})"
