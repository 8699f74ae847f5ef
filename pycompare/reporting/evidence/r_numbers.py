"""Which number of results.json is which number of the R program.

By its place, never by its value: the statements of a result about itself is one mapping
(`Told`), in which R's name of a number is its path; tables of several results say of
each column whose it is (`MergedRows`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.interop.r_program import csv_name, settings_of
from pycompare.designs.family import FamilyResult
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.reporting.evidence.csv_text import columns_csv
from pycompare.reporting.evidence.json_places import (
    HOLDERS,
    is_number,
    items_of,
    leaves,
)
from pycompare.reporting.evidence.without_r import DRAWN, reason_of
from pycompare.results.pair_rows import PairLabels
from pycompare.results.result import BEFORE_GATE, Fields, MergedRows, Pairs, Told
from pycompare.results.schema import turned_of

_NUMBERS = "numbers"
_LEFT_OUT = ("provenance", "data", "plan", "alpha")
"""Entries at the top of results.json that are no results."""
_SOURCED = (Told, MergedRows, Fields)
"""Values that state which results they come from."""
_WithPlaces = Sequence[tuple[str, Any]]
"""Such values of results.json with their places, as `_within` yields them."""
_MINUS = "minus "
LOST = "no place in results.json"
"""Entry for a number of R without a place, and for one that R finds to differ."""
_NO_ELEMENT = 999_999_999
"""No list is as long."""


class Counterpart(NamedTuple):
    """A number of R: the result's place from 1, its name in R's list, and where.

    A name that begins with ``minus`` stands for R's number times -1. ``digits`` is how
    many must agree: fewer if R ends a search early. ``kind`` is ``input`` for a
    setting that R's function is given. ``at_least`` names the p-value of a gate, such
    as ``result_3/p_value/1``: the number is the larger of both. ``label`` is R's own of
    the element, by which it is looked up if R's list has labels.
    """

    result: int
    name: str
    element: int
    digits: int = 10
    kind: str = "result"
    at_least: str = ""
    label: str = ""


def numbers_file(
    results: Mapping[str, Any], titled: Sequence[tuple[str, Any]]
) -> dict[str, str]:
    """Return the table that the R program compares by; none without R.

    ``results`` states which of them are whose (`Told`, `MergedRows`).
    Columns: ``value``, the place among all values of results.json; ``place`` in words;
    ``result``, ``name`` and ``element``, R's number, or its ``label`` behind ``of``;
    ``digits`` that must agree.
    Numbers without a counterpart have no ``result``; ``why`` gives the reason.
    """
    sourced = [*_within(results, "")]
    known = _counterparts(sourced, titled)
    drawn = set(_drawn(sourced))
    rows: list[tuple[Any, str, Counterpart | None]] = [
        (at, place, known.get(place))
        for at, (place, value) in enumerate(leaves(results), start=1)
        if is_number(value) and place.split("/")[0] not in _LEFT_OUT
    ]
    if not any(counterpart for *_, counterpart in rows):
        return {}
    rows += [("", f"{LOST}: {p}", c) for p, c in _lost(sourced, titled, known)]
    columns: list[tuple[str, list[Any]]] = [
        ("value", [at for at, *_ in rows]),
        ("place", [place for _, place, _ in rows]),
        ("result", [f"{f.kind}_{f.result}" if f else "" for *_, f in rows]),
        ("name", [f.name if f else "" for *_, f in rows]),
        ("element", [f.element if f else "" for *_, f in rows]),
        ("label", [f"of {f.label}" if f and f.label else "" for *_, f in rows]),
        ("digits", [f.digits if f else "" for *_, f in rows]),
        ("at_least", [f.at_least if f else "" for *_, f in rows]),
        (
            "why",
            [
                "" if f else DRAWN if place in drawn else reason_of(place)
                for _, place, f in rows
            ],
        ),
    ]
    text = columns_csv(columns)
    return {csv_name(_NUMBERS, text): text}


def _counterparts(
    sourced: _WithPlaces, titled: Sequence[tuple[str, Any]]
) -> dict[str, Counterpart]:
    """Return R's number of each place of results.json that has one."""
    at = {id(result): k for k, (_, result) in enumerate(titled, start=1)}
    joint = {
        id(pairs): (k, start, f"p_{pairs.adjust}")
        for k, (_, result) in enumerate(titled, start=1)
        if isinstance(result, FamilyResult)
        for start, pairs in result.members()
    }
    gates = dict(_gates(titled))
    counterparts: dict[str, Counterpart] = {}
    parts: list[tuple[str, Told]] = []
    known: _Known = {}
    for place, value in sourced:
        if isinstance(value, MergedRows):
            counterparts.update(_of_rows(place, value, at, joint, gates, known))
            continue
        if isinstance(value, Fields):
            counterparts.update(_of_fields(place, value, at))
            continue
        k = at.get(id(value.result))
        if k is None:
            parts.append((place, value))
            continue
        counterparts.update(_of_result(place, value, k, gates))
        if _in_r(value.result):
            counterparts.update(_also(place, value, k))
        if id(value.result) in joint:
            counterparts.update(_of_family(place, value, joint[id(value.result)]))
    return counterparts | dict(_again(parts, counterparts))


def _drawn(sourced: _WithPlaces) -> Iterator[str]:
    """Yield places of numbers that follow from random draws of Python's."""
    for place, value in sourced:
        if isinstance(value, MergedRows):
            for i in range(len(value)):
                for column, (result, name, *_) in value.of_row(i).items():
                    if name in result.drawn_in_python:
                        yield f"{place}/{i}/{column}"
        elif isinstance(value, Told):
            names = value.result.drawn_in_python
            for where, _ in leaves(dict(value)) if names else ():
                if where.split("/")[-1] in names:
                    yield _below(place, where)


def _lost(
    sourced: _WithPlaces,
    titled: Sequence[tuple[str, Any]],
    known: Mapping[str, Counterpart],
) -> Iterator[tuple[str, Counterpart]]:
    """Yield numbers of R of results in results.json that have no place there.

    They are treated as numbers that differ: nothing is left out in silence.
    """
    placed = {(c.result, c.name.removeprefix(_MINUS)) for c in known.values()}
    told = {id(value.result) for _, value in sourced if isinstance(value, Told)}
    for k, (_, result) in enumerate(titled, start=1):
        if id(result) not in told or not _in_r(result):
            continue
        for name, values in result.r_values().items():
            known_beside = name in result.r_beside
            if np.size(values) and (k, name) not in placed and not known_beside:
                yield f"result_{k}/{name}", Counterpart(k, name, _NO_ELEMENT)


def _again(
    parts: Sequence[tuple[str, Told]], counterparts: Mapping[str, Counterpart]
) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of parts of results that stand separately as well.

    A test has another one within it, or an estimate, which an analysis names again.
    """
    places: dict[int, list[str]] = {}
    for place, told in parts:
        places.setdefault(id(told.result), []).append(place)
    for place, told in parts:
        for name, value in leaves(dict(told)):
            here = _below(place, name)
            if here in counterparts or not is_number(value):
                continue
            twins = (_below(other, name) for other in places[id(told.result)])
            known = next(
                (counterparts[twin] for twin in twins if twin in counterparts), None
            )
            if known is not None:
                yield here, known


def _gates(titled: Sequence[tuple[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield R's name of the p-value of each test that may be a gate."""
    for k, (_, result) in enumerate(titled, start=1):
        if not _in_r(result):
            continue
        name, element = result.r_also().get("p_value", ("p_value", 1))
        if np.size(result.r_values().get(name, ())) >= element:
            yield id(result), f"result_{k}/{name}/{element}"
        if "omnibus_p_value" in result.r_values():
            yield id(result.omnibus), f"result_{k}/omnibus_p_value/1"


def _within(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield every result and every table of several; what holds others comes first."""
    if isinstance(value, _SOURCED):
        yield place, value
    for below, inner in items_of(value, place):
        if isinstance(inner, HOLDERS):
            yield from _within(inner, below)


def _of_result(
    place: str, told: Told, k: int, gates: Mapping[int, str]
) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of one result, as R names its numbers: before any gate."""
    result = told.result
    call = result.r_call()
    if call is None:
        return
    for name in settings_of(call):
        if is_number(told.get(name)):
            yield _below(place, name), Counterpart(k, name, 1, kind="input")
    by_path, declared = _paths(told), result.places_in_r()
    gate = result.gate if isinstance(result, Pairs) else None
    for name, values in result.r_values().items():
        n = np.size(values)
        path = declared.get(name)
        if path is None:
            paths = (name, *(name + end for end in _ENDS))
            at = _alone([by_path.get(p, []) for p in paths], n)
        else:
            sign, path = (_MINUS, path[1:]) if path[:1] == "-" else ("", path)
            name, at = sign + name, by_path.get(path.replace("/", "_"), [])
        if 0 < len(at) < n and all("/first/" in leaf for leaf in at):
            n = len(at)  # a list that only begins there
        if len(at) != n:
            continue
        digits = result.r_digits.get(name, 10)
        m = result.r_by_column().get(name, 1)  # R's matrices run down columns
        order = np.arange(n).reshape(m, -1).T.ravel()
        labels = result.labels_in_r(name)
        for element, where in zip(order.tolist(), at, strict=True):
            label = _label_of(told, where) if labels else ""
            counterpart = Counterpart(k, name, element + 1, digits, label=label)
            if gate is not None and name == "p_adjusted":
                before = where.removesuffix(name) + BEFORE_GATE
                yield _below(place, before), counterpart
                if id(gate) not in gates:
                    continue
                counterpart = counterpart._replace(at_least=gates[id(gate)])
            yield _below(place, where), counterpart


def _label_of(told: Told, where: str) -> str:
    """Return the pair that a row of a result's own table names."""
    value: Any = told
    for step in where.split("/")[:-1]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return f"{value['algorithm_1']} - {value['algorithm_2']}"


def _also(place: str, told: Told, k: int) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of one result that repeat a number of its own."""
    result = told.result
    known = result.r_values()
    for where, (name, element) in result.r_also().items():
        in_r = name.removeprefix(_MINUS)
        if element <= np.size(known.get(in_r, ())):
            digits = result.r_digits.get(in_r, 10)
            yield _below(place, where), Counterpart(k, name, element, digits)


def _of_family(
    place: str, told: Told, joint: tuple[int, int, str]
) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of p-values that a family of several tables adjusts."""
    k, start, name = joint
    for i in range(len(told["table"])):
        where = _below(place, f"table/{i}/p_adjusted")
        yield where, Counterpart(k, name, start + i + 1)


_ENDS = ("_estimate", "_statistic")
"""What R calls as the whole: the estimate, or the statistic."""


def _alone(candidates: Sequence[list[str]], n: int) -> list[str]:
    """Return the only list of that length; none if there is no or more than one."""
    matching = {
        tuple(candidate)
        for candidate in candidates
        if len(candidate) == n or "/first/" in "".join(candidate[:1])
    }
    return list(matching.pop()) if len(matching) == 1 else []


def _below(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name


def _paths(told: Told) -> dict[str, list[str]]:
    """Return the places of numbers by their path, and by each path that begins it.

    A table's columns are also called without ``table``, if nothing else is so.
    """
    by_path: dict[str, list[str]] = {}
    short: dict[str, list[str]] = {}
    for where, value in leaves(dict(told)):
        if not is_number(value):
            continue
        names = [n for n in where.split("/") if not n.isdecimal() and n != "first"]
        for some in range(1, len(names) + 1):
            by_path.setdefault("_".join(names[:some]), []).append(where)
            if names[0] == "table" and some > 1:
                short.setdefault("_".join(names[1:some]), []).append(where)
    return by_path | {path: at for path, at in short.items() if path not in by_path}


class _RowPlaces:
    """The place of each row of a result by its label, from 1."""

    def __init__(self, labels: Sequence[Any]) -> None:
        self.labels = labels
        if not isinstance(labels, PairLabels):
            self.order = {label: at for at, label in enumerate(labels, start=1)}
        self.only = self.get(())  # the row of a result of one number

    def __len__(self) -> int:
        return len(self.labels)

    def get(self, label: Any) -> int | None:
        """Return the place of a label; None if there is no such row."""
        if not isinstance(self.labels, PairLabels):
            return self.order.get(label)
        row = self.labels.place(label) if isinstance(label, tuple) else None
        return None if row is None else row + 1


_Known = dict[tuple[int, int], tuple[dict[str, Any], _RowPlaces]]
"""R's numbers of a result, and the place of each of its rows."""


def _of_rows(
    place: str,
    rows: MergedRows,
    at: Mapping[int, int],
    joint: Mapping[int, tuple[int, int, str]],
    gates: Mapping[int, str],
    known: _Known,
) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of a table of several results, each row by its labels.

    ``known`` keeps the numbers and rows of results for tables that name them again.
    """
    in_rows: dict[tuple[int, str], tuple[int, Sequence[str]]] = {}
    for i, row in enumerate(rows):
        labels = tuple(row[label] for label in rows.labels)
        for column, (result, name, gate, element) in rows.of_row(i).items():
            if not is_number(row.get(column)):
                continue
            rows_of = id(result), 0 if rows.labels else len(rows)
            if rows_of not in known:
                own = result.row_labels() if rows.labels else range(len(rows))
                order = _RowPlaces(own)
                values = dict(result.r_values()) if _in_r(result) else {}
                known[rows_of] = values, order
            values, order = known[rows_of]
            at_row, sign = _row_of(labels, order), ""
            if element:
                in_r = name.removeprefix(_MINUS)
                if id(result) in at and element <= np.size(values.get(in_r, ())):
                    digits = result.r_digits.get(in_r, 10)
                    here = Counterpart(at[id(result)], name, element, digits)
                    yield f"{place}/{i}/{column}", here
                continue
            if not rows.labels:
                at_row = order.get(i)
            elif at_row is None:
                at_row = _row_of((*labels[:-2], *labels[:-3:-1]), order)
                turned = turned_of(result.schema, name)
                if turned.column or turned.by not in ("same", "minus"):
                    continue
                sign = _MINUS if turned.by == "minus" else ""
            if at_row is None:
                continue
            k, where = at.get(id(result)), f"{place}/{i}/{column}"
            least = "" if gate is None else gates.get(id(gate))
            if least is None:
                continue
            if name == "p_adjusted" and id(result) in joint:
                k, start, in_r = joint[id(result)]
                yield where, Counterpart(k, in_r, start + at_row, at_least=least)
            elif k is not None and np.size(values.get(name, ())) == len(order):
                key = id(result), name
                if key not in in_rows:  # the same for every row
                    digits = result.r_digits.get(name, 10)
                    in_rows[key] = digits, result.labels_in_r(name)
                digits, names = in_rows[key]
                label = names[at_row - 1] if names else ""
                yield (
                    where,
                    Counterpart(
                        k, sign + name, at_row, digits, at_least=least, label=label
                    ),
                )


def _of_fields(
    place: str, fields: Fields, at: Mapping[int, int]
) -> Iterator[tuple[str, Counterpart]]:
    """Yield the places of values that repeat numbers of several results."""
    for path, (result, name, _, element) in fields.sources.items():
        k = at.get(id(result))
        if k is not None and element <= np.size(result.r_values().get(name, ())):
            digits = result.r_digits.get(name, 10)
            yield _below(place, path), Counterpart(k, name, element, digits)


def _row_of(labels: tuple[Any, ...], order: _RowPlaces) -> int | None:
    """Return the row of labels; a result of one number has it for every row."""
    return order.only or order.get(labels)


def with_others(
    titled: Sequence[tuple[str, Any]], results: Any
) -> list[tuple[str, Any]]:
    """Return titled results, and what else stands in results.json and R can repeat."""
    listed = {id(result) for _, result in titled}
    return [*titled] + [
        (f"Part of another result: {type(result).__name__}", result)
        for result in _in_results(results)
        if id(result) not in listed
    ]


def _in_results(results: Any) -> list[Any]:
    """Return the results that stand in results.json and that R can repeat."""
    by_id: dict[int, Any] = {}
    for _, value in _within(results, ""):
        if isinstance(value, Told):
            by_id[id(value.result)] = value.result
        elif isinstance(value, Fields):
            own = value.sources.values()
            by_id |= {id(source.result): source.result for source in own}
        else:
            some = (value.of_row(i) for i in range(len(value)))
            by_id |= {id(s.result): s.result for row in some for s in row.values()}
    return [result for result in by_id.values() if _in_r(result)]


def _in_r(result: Any) -> bool:
    """Return whether R repeats a result; the call of sets of ranks is large."""
    return isinstance(result, RankSets) or result.r_call() is not None
