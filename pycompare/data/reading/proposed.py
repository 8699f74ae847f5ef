"""Arguments that a table seems to need, and the open questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.data.classes import positive_of
from pycompare.data.columns import DataColumn
from pycompare.data.reading.called import OF_CASES, names_folds, proposals
from pycompare.data.reading.cases import WideCases, block_of, long_classes, two_labels
from pycompare.data.reading.judge_column import called_judge
from pycompare.data.reading.words import (
    GROUPED,
    beside_others,
    is_metric,
    is_of_algorithms,
    is_summary,
    known_metric,
)
from pycompare.data.roles import ROLES, RoleColumns, required_of
from pycompare.data.table import DataTable, InfiniteError
from pycompare.data.table_folder import PATH
from pycompare.data.units import why_by_name

OPEN_DIRECTION = "higher|lower"
"""Stands for a direction that only the owner knows; it is rejected as it is."""
OPEN_COLUMN = "COLUMN"
_OPEN_CLASS = "CLASS"
_MOST_SHOWN = 8
_FEWEST_OTHERS = 2
"""Rows at least that a summary is of."""


def shown(labels: Iterable[str]) -> str:
    """Return labels, the first ones of many."""
    every = tuple(labels)
    more = len(every) - _MOST_SHOWN
    told = ", ".join(map(show, every[:_MOST_SHOWN]))
    return told + (f", and {more} more" if more > 0 else "")


def with_marks(table: DataTable, column: DataColumn) -> DataColumn:
    """Return a column of true and false, or of numbers but for marks, as numbers."""
    name = column.name
    scores = table.truth_values(name) is not None or bool(table.odd_cells(name))
    if not scores and not column.numeric:
        try:
            table.numbers(name)
        except InfiniteError:  # refused by its name when the scores are read
            scores = True
        except InputError:  # thousands are refused as what they are
            scores = not column.refusal and all(
                map(GROUPED.fullmatch, table.levels(name).labels)
            )
    return replace(column, numeric=True) if scores else column


def without_summaries(table: DataTable, described: Iterable[DataColumn]) -> int:
    """Return how many rows there are above the last ones that are called summaries.

    Such rows may hold no numbers, as counts of wins, ties and losses do.
    """
    text = [c.name for c in described if not (c.numeric or c.refusal)]
    if not text or table.n_rows < _FEWEST_OTHERS:
        return table.n_rows
    levels = table.levels(text[0])
    n = table.n_rows
    while n > _FEWEST_OTHERS and is_summary(levels.labels[levels.codes[n - 1]]):
        n -= 1
    return n


def of_predictions(
    table: DataTable, described: Iterable[DataColumn], by_role: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for predictions of cases, and the open questions."""
    named = proposals(column.name for column in described if not column.refusal)
    roles = ("algorithm", "dataset", "block", "case", "label", "score")
    every = {**named, **by_role}
    arguments = {role: every[role] for role in roles if role in every}
    asked = []
    for role in required_of("predictions"):
        if role not in arguments:
            arguments[role] = OPEN_COLUMN
            asked.append(f"which column holds the {ROLES[role].holds}")
    if "label" not in by_role:
        return arguments | {"positive": _OPEN_CLASS}, asked
    plain, which = _positive(table, by_role["label"])
    return arguments | {"positive": plain}, [*asked, *which]


def _positive(table: DataTable, label: str) -> tuple[str, list[str]]:
    """Return the positive class, or all of two, and the question which one it is."""
    classes = table.levels(label).labels
    plain = positive_of(classes)
    if plain is not None:
        return plain, []
    every = "|".join(classes) if len(classes) == 2 else _OPEN_CLASS
    return every, [f"which class of {show(label)} is positive: {shown(classes)}"]


def of_wide_predictions(
    table: DataTable, described: Iterable[DataColumn], cases: WideCases
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a wide table of scores of cases, and the open questions."""
    of_rows = [
        column
        for column in described
        if column.name not in (cases.truth, *cases.columns) and not column.refusal
    ]
    named = proposals(column.name for column in of_rows if column.n_levels > 1)
    arguments: dict[str, Any] = {"algorithms": [*cases.columns]}
    for role in ("dataset", "block"):
        if role in named and _repeats(of_rows, named[role], table):
            arguments[role] = named[role]
    if "dataset" in arguments and "block" not in arguments:
        arguments["block"] = arguments.pop("dataset")
    free = [column for column in of_rows if column.name not in arguments.values()]
    if case := block_of(table, free).get("block"):
        arguments["case"] = case
    plain, asked = _positive(table, cases.truth)
    return arguments | {"label": cases.truth, "positive": plain}, asked


def _repeats(columns: Iterable[DataColumn], name: str, table: DataTable) -> bool:
    """Return whether labels of a column repeat, as those of folds do."""
    return any(c.name == name and c.n_levels <= table.n_rows / 2 for c in columns)


def measured_first(by_role: Mapping[str, str]) -> str:
    """Return the question that a table of predictions of cases is asked."""
    return (
        f"rows seem to be predictions of cases (true classes in "
        f"{show(by_role['label'])}, scores in {show(by_role['score'])}): measure them "
        "(pycompare measure) or compare their curves (pycompare curves), or state "
        "which "
        "columns hold scores of blocks"
    )


def roles_of_long(
    table: DataTable, described: Iterable[DataColumn]
) -> dict[str, str] | None:
    """Return the columns of a long table by role; None for a wide one.

    A long table has a column of algorithms in which labels repeat.
    """
    labels = {column.name: column for column in described if not column.refusal}
    by_role = proposals(labels)
    varied = proposals(name for name, column in labels.items() if column.n_levels > 1)
    if "block" not in by_role and "block" in varied:  # one of several that is constant
        by_role["block"] = varied["block"]
    runs = by_role.get("replicate")
    if runs is not None and _one_run(table, by_role, labels[runs]):
        del by_role["replicate"]
    algorithm = by_role.get("algorithm")
    if algorithm is not None and labels[algorithm].n_levels == table.n_rows:
        return None
    text = [column.name for column in labels.values() if not column.numeric]
    if algorithm is None and PATH not in text:
        blocks = _blocks_of_rows(table, described)
        scored = [c for c in described if c.numeric and c.name != blocks]
        of_rows = bool(blocks or _folds_of_rows(table, described))
        if len(text) < 2 or (of_rows and len(scored) > 1):
            return None
    return by_role


def _one_run(table: DataTable, by_role: Mapping[str, str], runs: DataColumn) -> bool:
    """Return whether a column of runs has one for each algorithm and block."""
    cell = [by_role[r] for r in ("algorithm", "dataset", "block") if r in by_role]
    if runs.n_levels == 1 or len(cell) < 2:
        return runs.n_levels == 1
    return bool(np.unique(_codes(table, cell)).size == table.n_rows)


def _blocks_of_rows(table: DataTable, described: Iterable[DataColumn]) -> str:
    """Return the column that is called blocks and names each row; or ``""``.

    One of text before one of numbers.
    """
    text = {
        column.name: column
        for column in described
        if not (column.numeric or column.refusal)
    }
    named = proposals(text)
    name = named.get("dataset", named.get("block"))
    if name and text[name].n_levels == table.n_rows:
        return name
    numbers = _numbers_of_blocks(table, described)
    whole = [c.name for c in described if c.n_levels == table.n_rows]
    return numbers if numbers in whole else ""


def _numbered_blocks(columns: Iterable[DataColumn], text: str, n_rows: int) -> str:
    """Return the column of numbers called blocks that names each row; or ``""``.

    Where the only column of text does not.
    """
    whole = [c.name for c in columns if c.n_levels == n_rows and not c.n_missing]
    named = {} if text in whole else proposals(whole)
    return named.get("dataset", named.get("block", ""))


def _numbers_of_blocks(table: DataTable, columns: Iterable[DataColumn]) -> str:
    """Return the column called blocks that holds whole numbers; or ``""``.

    Numbers that repeat are blocks too, and are asked about as such.
    """
    named = proposals(c.name for c in columns if c.numeric and not c.n_missing)
    name = named.get("dataset", named.get("block", ""))
    if not name or table.truth_values(name) is not None or table.odd_cells(name):
        return ""
    return "" if (table.numbers(name) % 1 != 0).any() else name


def _folds_of_rows(table: DataTable, described: Iterable[DataColumn]) -> dict[str, str]:
    """Return the columns of data sets and folds that name each row together."""
    named = proposals(
        column.name
        for column in described
        if not (column.refusal or column.n_missing) and column.n_levels > 1
    )
    if not {"dataset", "block"} <= {*named}:
        return {}
    both = {"dataset": named["dataset"], "block": named["block"]}
    codes = _codes(table, both.values())
    return both if np.unique(codes).size == table.n_rows else {}


def _algorithms_of_rows(table: DataTable, described: Iterable[DataColumn]) -> str:
    """Return the column of text that is called algorithms and names each row.

    So leaderboards have it, beside others of text that describe the algorithms. Empty
    if there is none.
    """
    whole = {
        column.name
        for column in described
        if not (column.numeric or column.refusal) and column.n_levels == table.n_rows
    }
    return proposals(whole).get("algorithm", "")


def of_long(
    table: DataTable, described: Iterable[DataColumn], by_role: dict[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a long table, and the open questions."""
    roles = ("algorithm", "block", "dataset", "replicate", "group", "cluster")
    arguments: dict[str, Any] = {
        role: by_role[role] for role in roles if role in by_role
    }
    arguments |= _datasets_of_folds(table, described, arguments)
    free = [column for column in described if column.name not in arguments.values()]
    truth, value = long_classes(table, [column.name for column in free])
    if "block" not in by_role and (case := _case_of(table, free, arguments)):
        arguments["block"] = case
        free = [column for column in free if column.name != case]
    text = [column.name for column in free if not column.numeric and not column.refusal]
    asked = []
    for role in required_of("long"):
        if role not in arguments:
            arguments[role] = OPEN_COLUMN
            asked.append(
                f"which column holds the {ROLES[role].holds}"
                + (f"; columns of text: {show_all(text)}" if text else "")
                + _parts_of_path(table, text)
            )
    of_others = beside_others(column.name for column in free)
    scores = [
        column.name
        for column in free
        if column.numeric and not (why_by_name(column.name) or column.name in of_others)
    ]
    if value:
        arguments |= {"truth": truth, "value": value}
        return arguments | {"metrics": {"accuracy": "higher"}}, asked
    if "algorithm" in by_role:
        about = _about_algorithms(table, by_role["algorithm"], scores)
        scores = [name for name in scores if name not in about] or scores
    if len(scores) > 1 and any(c.n_missing for c in free if c.name in scores):
        judges = called_judge(scores)  # a doubt when the scores are read
        scores = [name for name in scores if name not in judges] or scores
    in_rows = _of_metrics(table, text)
    if in_rows and len(scores) == 1:
        arguments |= {"metric_column": in_rows, "value": scores[0]}
        scores = [*table.levels(in_rows).labels]
    if not scores and len(text) == 1 and "algorithm" in by_role:
        labels, scores = two_labels(table, text, fewest=1)
        if labels:
            arguments["one_is"] = "|".join(labels)
            asked.append(_which_is_one(labels))
    known = [name for name in scores if known_metric(name) is not None]
    if "algorithm" not in by_role and len(scores) > 1 and not known:
        asked[0] += (
            f"; or, if {shown(scores)} are algorithms, the table is wide: "
            + setting("wide", True)
            + " with "
            + setting("dataset", ...)
            + " and "
            + setting("block", ...)
        )
    better = {name: _direction(name) for name in known or scores or [OPEN_COLUMN]}
    arguments["metrics"] = better
    asked += _open_directions(better)
    return arguments, asked


def _about_algorithms(
    table: DataTable, algorithm: str, scores: Iterable[str]
) -> set[str]:
    """Return columns that hold one number for all rows of each algorithm.

    Such as an overall accuracy, or a size, beside scores of items.
    """
    levels = table.levels(algorithm)
    if len(levels.labels) == table.n_rows:
        return set()
    first = np.unique(levels.codes, return_index=True)[1][levels.codes]
    about = set()
    for name in scores:
        numbers = table.truth_values(name)
        with suppress(InputError):  # marks or infinite numbers, which are no sizes
            numbers = table.numbers(name) if numbers is None else numbers
        if numbers is not None and np.array_equal(numbers, numbers[first], True):
            about.add(name)
    return about


def _datasets_of_folds(
    table: DataTable, described: Iterable[DataColumn], arguments: Mapping[str, Any]
) -> dict[str, str]:
    """Return the columns of data sets and folds, if one of both is known by name.

    The other one alone distinguishes the rows of an algorithm: a column of text if
    the blocks are called folds, or one called fold if they are called data sets.
    """
    block = arguments.get("block")
    if block is None or not {"algorithm"} <= {*arguments} or "dataset" in arguments:
        return {}
    codes = _codes(table, [arguments["algorithm"], block])
    if np.unique(codes).size == table.n_rows:
        return {}
    telling = [
        column
        for column in described
        if column.name not in arguments.values() and _tells_apart(table, codes, column)
    ]
    if len(telling) != 1:
        return {}
    [other] = telling
    if names_folds(block) and not other.numeric:
        return {"dataset": other.name, "block": block}
    if names_folds(other.name) and block in proposals([block]).values():
        return {"dataset": block, "block": other.name}
    return {}


def _case_of(
    table: DataTable, free: Iterable[DataColumn], arguments: Mapping[str, Any]
) -> str:
    """Return the column called case or id in which each algorithm has a label once.

    Empty if there is none; a label of its own for each row names no block.
    """
    case = proposals([candidate.name for candidate in free], OF_CASES).get("case")
    if case is None or "algorithm" not in arguments:
        return ""
    [column] = [candidate for candidate in free if candidate.name == case]
    if column.refusal or column.n_missing or column.n_levels == table.n_rows:
        return ""
    codes = _codes(table, [arguments["algorithm"], case])
    return case if np.unique(codes).size == table.n_rows else ""


def _of_metrics(table: DataTable, text: Iterable[str]) -> str:
    """Return the column whose labels are names of metrics; empty if there is none."""
    metric_columns = [
        name
        for name in text
        if len(labels := table.levels(name).labels) > 1 and all(map(is_metric, labels))
    ]
    return metric_columns[0] if len(metric_columns) == 1 else ""


def _parts_of_path(table: DataTable, text: list[str]) -> str:
    """Return the parts of the paths of files below a folder, with their labels."""
    if PATH not in text:
        return ""
    parts = [label.split("/") for label in table.levels(PATH).labels]
    if len({*map(len, parts)}) != 1 or len(parts[0]) == 1:
        return ""
    told = (
        f"{PATH}/{number} ({shown(dict.fromkeys(labels))})"
        for number, labels in enumerate(zip(*parts, strict=True), start=1)
    )
    return f"; parts of {show(PATH)}: {', '.join(told)}"


def repeats(
    table: DataTable, arguments: Mapping[str, Any], described: Iterable[DataColumn]
) -> tuple[str, list[str]]:
    """Ask for the column that distinguishes rows of a cell; return candidates too."""
    roles = [
        name
        for role, name in arguments.items()
        if role in (*RoleColumns._fields, "metric_column") and name != OPEN_COLUMN
    ]
    if len(roles) < 2:
        return "", []
    codes = _codes(table, roles)
    if np.unique(codes).size == table.n_rows:
        return "", []
    candidates = [
        column.name
        for column in described
        if column.name not in roles and _tells_apart(table, codes, column)
    ]
    told = f"several rows have the same {' and '.join(map(show, roles))}"
    if not candidates:
        question = (
            f"{told}, and no other column distinguishes them; if they are runs, number "
            "them: " + setting("number", "replicate")
        )
        return question, []
    question = (
        f"{told}; which column distinguishes them, and does it hold data sets, folds "
        "or runs ("
        + setting("dataset", ...)
        + ", "
        + setting("block", ...)
        + ", "
        + setting("replicate", ...)
        + f"); columns that do: {show_all(candidates)}"
    )
    return question, candidates


def _tells_apart(table: DataTable, codes: NDArray[np.intp], column: DataColumn) -> bool:
    """Return whether a column of labels differs in all rows of equal codes."""
    if column.refusal or column.n_missing or column.n_levels == table.n_rows:
        return False
    labels = table.levels(column.name)
    joint = codes * len(labels.labels) + labels.codes
    return bool(np.unique(joint).size == table.n_rows)


def _codes(table: DataTable, names: Iterable[str]) -> NDArray[np.intp]:
    """Return a number for each row that equal labels in these columns share."""
    codes = np.zeros(table.n_rows, np.intp)
    for name in names:
        levels = table.levels(name)
        codes = codes * len(levels.labels) + levels.codes
        codes = np.unique(codes, return_inverse=True)[1]
    return codes


def has_verdicts(table: DataTable, described: Iterable[DataColumn]) -> bool:
    """Return whether columns of text hold two labels alone, the same ones."""
    text = [column.name for column in described if not column.numeric]
    return bool(two_labels(table, text)[1])


def of_wide(
    table: DataTable, described: Iterable[DataColumn], in_file: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a wide table, and the open questions."""
    every = list(described)
    text = [column.name for column in every if not column.numeric]
    arguments: dict[str, Any] = {"wide": True}
    asked = []
    labels, verdicts = two_labels(table, text)
    if verdicts:
        others = [column for column in every if column.name not in verdicts]
        arguments |= block_of(table, others)
        if len(verdicts) < len(every) - ("block" in arguments):
            arguments["algorithms"] = verdicts
        arguments |= {"one_is": "|".join(labels)}
        arguments |= {"metric": "score", "better": OPEN_DIRECTION}
        return arguments, [_which_is_one(labels), _NAME_AND_DIRECTION]
    named = proposals(column.name for column in every if not column.refusal)
    folds = {"dataset", "block"} <= {*named} and {*text} <= {*named.values()}
    if folds:
        arguments |= {role: named[role] for role in ("dataset", "block")}
    elif len(text) > 1 and (both := _folds_of_rows(table, every)):
        arguments |= both
    elif not text and (name := _numbers_of_blocks(table, every)):
        arguments["block"] = name
    elif len(text) == 1:
        arguments["block"] = _numbered_blocks(every, text[0], table.n_rows) or text[0]
    elif len(text) > 1 and (name := _blocks_of_rows(table, every)):
        arguments["block"] = name
    elif len(text) > 1 and (name := _algorithms_of_rows(table, every)):
        arguments["block"] = name
    elif len(text) > 1:
        arguments["block"] = OPEN_COLUMN
        asked.append(
            f"which column holds the blocks; columns of text: {show_all(text)}"
        )
    taken = {*arguments.values()}
    scores = [
        column.name for column in every if column.numeric and column.name not in taken
    ]
    likely = [name for name in scores if not why_by_name(name)]
    if not taken - {True}:
        if len(likely) < len(scores):
            arguments["block"] = next(name for name in scores if name not in likely)
        elif in_file:
            arguments["number"] = "block"
    # Columns that are named as algorithms raise no doubts by their names.
    beside = len(likely) < len(scores) or len({*text} - taken) > 0
    # Where rows may be algorithms, the other columns are what these are compared on.
    of_rows = is_of_algorithms(str(arguments.get("block", "")))
    if likely and beside and OPEN_COLUMN not in taken and not of_rows:
        arguments["algorithms"] = likely
    arguments |= {"metric": "score", "better": OPEN_DIRECTION}
    asked.append(_NAME_AND_DIRECTION)
    return arguments, asked


def rows_or_columns(table: DataTable, arguments: Mapping[str, Any]) -> str:
    """Ask whether rows are algorithms, if the column of blocks is called so."""
    block = arguments.get("block")
    others = arguments.get("algorithms", [n for n in table.names if n != block])
    if block not in table.names or not {"dataset", "truth"}.isdisjoint(arguments):
        return ""
    if not is_of_algorithms(block):
        return ""
    return (
        f"whether rows or columns are the algorithms: column {show(block)} is called "
        f"as one of algorithms is ({shown(table.levels(block).labels)}), and the other "
        f"columns are {shown(others)}. Either read rows as algorithms: "
        + setting("transpose", True)
        + ", or take the command as it is"
    )


_NAME_AND_DIRECTION = "the name of the metric, and which direction is better"


def _which_is_one(labels: Iterable[str]) -> str:
    """Return the question which of two labels is set to 1."""
    return (
        "which label is set to 1 ("
        + setting("one_is", ...)
        + f"), the other as 0: {show_all(labels)}"
    )


def _direction(name: str) -> str:
    """Return the better direction of a known metric; open for any other."""
    known = known_metric(name)
    return OPEN_DIRECTION if known is None else known.better


def _open_directions(better: Mapping[str, str]) -> Iterator[str]:
    """Yield the question about directions that no name shows."""
    names = [name for name, direction in better.items() if direction == OPEN_DIRECTION]
    if names:
        yield f"which direction is better of {show_all(names)}"
