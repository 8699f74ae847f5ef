"""Conclusions of a report, as facts read from its results.json.

A fact states each conclusion and its subject, without the numbers behind it:
``decisions: A – B`` is "A significantly better", ``within_margin: A – B`` is "shown".
Tests of assumptions are no conclusions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pycompare.reporting.evidence.json_places import is_number

_LABELS = (
    *("response", "metric", "group", "dataset", "threshold", "reader"),
    *("scope", "term", "claim", "slice"),
    *("modality", "algorithm", "better", "worse", "algorithm_1", "algorithm_2"),
    *("level_1", "level_2", "contrast", "analysis", "key"),
)
"""Columns that state what a row is about."""
_PAIR = ("algorithm_1", "algorithm_2")
_DECIDED = ("better", "worse")
_NO_CONCLUSIONS = ("checks", "sphericity", "provenance", "plan", "data")
"""Parts that test assumptions, or are no results."""


def conclusions(
    results: Mapping[str, Any], alpha: float, *, turned: bool = False
) -> dict[str, str]:
    """Return the conclusions, each by its place; ``alpha`` holds if no part has one.

    ``turned``: the same ones whichever algorithm of a pair is the first.
    """
    concluded: dict[str, str] = {}
    for place, word in _walk(results, "", alpha, turned):
        name, again = place, 1
        while name in concluded:
            again += 1
            name = f"{place} ({again})"
        concluded[name] = word
    return concluded


def _walk(
    value: Any, place: str, alpha: float, turned: bool
) -> Iterator[tuple[str, str]]:
    """Yield the conclusions within a value."""
    if isinstance(value, Mapping):
        rows = rows_of(value)
        if rows is not None:
            yield from _walk(rows, place, alpha, turned)
            return
        alpha = float(value["alpha"]) if is_number(value.get("alpha")) else alpha
        word = _word(value, alpha, turned)
        if word is not None:
            yield place, word
        for key, inner in value.items():
            if key not in _NO_CONCLUSIONS:
                inside = f"{place}/{key}" if place else key
                yield from _walk(inner, inside, alpha, turned)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            label = label_of(inner, turned) if isinstance(inner, Mapping) else ""
            row = f"{place}: {label}" if label else f"{place}/{at}"
            yield from _walk(inner, row, alpha, turned)


def rows_of(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a table that is held by its columns."""
    columns = list(value.values())
    lists = [column for column in columns if isinstance(column, list)]
    if len(lists) < 2 or len(lists) < len(columns) or len(set(map(len, lists))) > 1:
        return None
    return [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)]


def label_of(row: Mapping[str, Any], turned: bool = False) -> str:
    """Return the subject of a row; empty if no column names it.

    ``turned``: the same one whichever algorithm of a pair is the first.
    """
    named = [name for name in _LABELS if isinstance(row.get(name), str | int | float)]
    pair: Sequence[str] = []
    for ends in (_DECIDED, *([_PAIR] if turned else [])):
        if set(ends) <= set(named):  # a pair, whoever is better or the first
            named = [name for name in named if name not in ends]
            pair = sorted(str(row[name]) for name in ends)
    told = [*(str(row[name]) for name in named), *pair]
    return " – ".join(told) or str(row.get("name", ""))


def _word(row: Mapping[str, Any], alpha: float, turned: bool) -> str | None:
    """Return the conclusion that a row or a test states, if it states one."""
    if "another_quantity" in row:
        return _of_firmness(row)
    for name in ("shown", "rejected"):
        if name in row and isinstance(row[name], bool):
            return _of_decision(row, name)
    if set(_PAIR) <= set(row) and isinstance(row.get("answer"), str):
        return _of_answer(row)
    if "p_not_worse" in row:
        return str(row["decision"])
    if isinstance(row.get("verdict"), str) and "candidate" in row:
        return str(row["verdict"])
    if "n_required" in row:
        return f"n = {row['n_required']}"
    if isinstance(row.get("verdict"), str) and "dataset" in row:
        return str(row["verdict"])
    adjusted = "p_adjusted" in row
    # The p-value of a pair that nothing has adjusted is no conclusion.
    p = row.get("p_adjusted" if adjusted else "p_value")
    if not is_number(p) or (set(_PAIR) <= set(row) and not adjusted):
        return None
    if math.isnan(_number(p)):
        return "not tested"
    if _number(p) > alpha:
        return "not significant"
    estimate = _number(row.get("estimate"))
    if math.isnan(estimate) or (turned and set(_PAIR) <= set(row)):
        return "significant"
    return f"significant, estimate {'above' if estimate > 0 else 'below'} 0"


def _of_answer(row: Mapping[str, Any]) -> str:
    """Return who is better by a posterior probability, if one is."""
    winner = {"better": "algorithm_1", "worse": "algorithm_2"}.get(row["answer"])
    return row["answer"] if winner is None else f"{row[winner]} better"


def _number(value: Any) -> float:
    """Return a number of results.json; NaN for anything else."""
    return float(value) if is_number(value) else math.nan


def _of_firmness(row: Mapping[str, Any]) -> str:
    """Return whether sensitivity analyses decide a pair alike, in both groups."""
    words = {True: "the same", False: "not the same", None: "not tested"}
    same, another = (words[row[f"{which}_quantity"]] for which in ("same", "another"))
    return f"decision {same} by the same quantity, {another} by another"


def _of_decision(row: Mapping[str, Any], name: str) -> str:
    """Return the conclusion of a row that holds its decision."""
    if "p_adjusted" in row and math.isnan(_number(row["p_adjusted"])):
        return "not tested"
    if name == "shown":
        return "shown" if row[name] else "not shown"
    if row[name]:
        return f"{row['better']} significantly better"
    return "not significant"
