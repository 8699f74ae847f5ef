"""Records in JSON as a table: one object a row, nested names joined by points."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show, show_all
from pycompare.data.roles import ROLES

ENDINGS = (".json", ".jsonl")
_SCALARS = (int, float, str, bool, type(None))
_SCORES = (int, float, bool, type(None))
_FEWEST_ITEMS = 5
"""Objects with the same keys within an object that are items; fewer are parts of it."""
_LONGEST_MARK = 20
"""Characters of a text in the place of a score: n/a, timeout."""


def columns_of_records(content: bytes, ending: str) -> dict[str, list[Any]]:
    """Return the columns of records; a record without a key has None there.

    Parameters
    ----------
    content : bytes
        JSON lines, each an object; or one JSON value: an array of objects, one object,
        or scores by algorithm and block, ``{"svm": {"iris": 0.9}}``, in which a list
        holds runs. If one object, or each object of one algorithm, holds one array of
        objects, these are the records, ``{"model": "a", "items": [{"id": 1}]}``, with
        columns ``model``, ``items.id``; of named objects that have the same keys their
        names are in ``items.item``.
    ending : {".json", ".jsonl"}

    Raises
    ------
    InputError
        If the text is not such JSON, an object has a key twice, or scores by algorithm
        and block are nested more deeply.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8; save it as UTF-8") from error
    if ending == ".jsonl":
        records = [
            _parsed(line, f"line {number}: ")
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip()
        ]
    else:
        records = _records(_parsed(text, ""))
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise InputError(
                f"record {number} is {show(record)}, not an object with named values"
            )
    rows = [dict(_flat(record)) for record in _by_item(records)]
    if not rows:
        raise InputError("the file has no records")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _parsed(text: str, place: str) -> Any:
    """Return a JSON value."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise InputError(f"{place}its JSON is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{place}not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys differ."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"an object has the key {show(twice)} twice; keep one")
    return record


def _records(value: Any) -> list[Any]:
    """Return the records of one JSON value."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        raise InputError(
            f"the file holds {show(value)}, not an array of objects or one object"
        )
    if items := _items_of_algorithms(value):
        return items
    if _by_algorithm(value):
        return [*_score_records(value)]
    arrays = [name for name, held in value.items() if _of_objects(held)]
    if len(arrays) > 1:
        raise InputError(
            f"the file holds several arrays of objects, {show_all(arrays)}; save the "
            "records of one of them as a file of their own"
        )
    if not arrays and (items := _items(value)):
        return items
    return [value]


def _by_item(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a record for each item if each record is one algorithm's and holds items.

    Other records may hold arrays of objects that are no scores, such as messages.
    """
    if len(records) > 1 and not _of_algorithms(records):
        return records
    return _spread(records) or records


def _spread(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a record for each item; none if the records hold no items by one name."""
    held = [
        {name: items for name, value in record.items() if (items := _items(value))}
        for record in records
    ]
    names = {name for of_record in held for name in of_record}
    if len(names) != 1 or not all(held):
        return []
    [name] = names
    return [
        {**record, name: item}
        for record, of_record in zip(records, held, strict=True)
        for item in of_record[name]
    ]


def _items_of_algorithms(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a record for each item of objects by algorithm; none of other objects.

    ``{"svm": {"q1": {"right": 1}, ...}}``, or items one name below: each object is what
    a file of one algorithm could hold.
    """
    if len(value) < 2 or not _of_objects([*value.values()]):
        return []
    if all(items := [_items(held) for held in value.values()]):
        return [
            {"algorithm": algorithm, **item}
            for algorithm, own in zip(value, items, strict=True)
            for item in own
        ]
    return _spread([{"algorithm": name, **held} for name, held in value.items()])


def _of_algorithms(records: list[dict[str, Any]]) -> bool:
    """Return whether one name in all records is called algorithm, and they differ."""
    rows = [dict(_flat(record)) for record in records]
    for name in rows[0]:
        if name.rpartition(".")[2].casefold() in ROLES["algorithm"].called:
            labels = [row.get(name) for row in rows]
            if all(isinstance(label, str) for label in labels):
                return len({*labels}) == len(labels)
    return False


def _items(value: Any) -> list[dict[str, Any]]:
    """Return the objects of an array, or of an object whose objects are alike."""
    if _of_objects(value):
        return list(value)
    if not isinstance(value, dict) or len(value) < _FEWEST_ITEMS:
        return []
    if not _of_objects([*value.values()]):
        return []
    keys = {frozenset(item) for item in value.values()}
    if len(keys) > 1 or any(
        isinstance(part, dict) for item in value.values() for part in item.values()
    ):
        return []
    name = "item" if "item" not in next(iter(keys)) else "key"
    return [{name: key, **item} for key, item in value.items()]


def _of_objects(value: Any) -> bool:
    """Return whether a value is an array of objects."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(element, dict) for element in value)
    )


def _by_algorithm(value: dict[str, Any]) -> bool:
    """Return whether an object holds scores by algorithm and block.

    Objects that share no block are parts of one record: ``{"run": {...}, "result":
    {...}}``.
    """
    held = list(value.values())
    if not held or not all(
        isinstance(scores, dict)
        and scores
        and all(
            isinstance(score, (*_SCORES, list, dict)) or _is_mark(score)
            for score in scores.values()
        )
        for scores in held
    ):
        return False
    if any(_is_mark(s) for scores in held for s in scores.values()) and not _numeric(
        held
    ):
        return False
    keys = [key for scores in held for key in scores]
    return len(held) == 1 or len({*keys}) < len(keys)


def _is_mark(score: object) -> bool:
    """Return whether a text may stand in the place of a score."""
    return isinstance(score, str) and len(score) <= _LONGEST_MARK


def _numeric(held: list[dict[str, Any]]) -> bool:
    """Return whether most values are numbers, and each object has one."""
    values = [score for scores in held for score in scores.values()]
    numbers = sum(isinstance(v, int | float) for v in values)
    each = all(
        any(isinstance(v, int | float) for v in scores.values()) for scores in held
    )
    return each and 2 * numbers > len(values)


def _score_records(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a record for each score of an algorithm on a block, and run."""
    runs = any(
        isinstance(s, list) for scores in value.values() for s in scores.values()
    )
    for algorithm, scores in value.items():
        for block, score in scores.items():
            row = {"algorithm": algorithm, "block": block}
            given = score if isinstance(score, list) else [score]
            for run, run_score in enumerate(given, start=1):
                if not isinstance(run_score, _SCORES) and not _is_mark(run_score):
                    raise InputError(
                        f"{show(algorithm)}, {show(block)}: {show(run_score)} is no "
                        "score; scores by algorithm and block are numbers, or lists of "
                        "runs"
                    )
                yield row | ({"run": run} if runs else {}) | {"score": run_score}


def _flat(record: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield names and values; those of objects within objects are joined by points."""
    for key, value in record.items():
        name = above + key
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, _SCALARS):
            yield name, value
        else:  # a list: data without a role, kept as text
            yield name, json.dumps(value)
