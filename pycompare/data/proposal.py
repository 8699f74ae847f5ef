"""How a table would be read: what is certain, and what only its owner knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.checked import checked
from pycompare.data.classes import positive_of
from pycompare.data.columns import Column, columns
from pycompare.data.compressed import kind_of, unpacked
from pycompare.data.file_format import AS_ENDING, OF_EVERY_FILE, FileFormat
from pycompare.data.files import BINARY, named, read_scores, read_table
from pycompare.data.frames import as_table
from pycompare.data.percent import ALL
from pycompare.data.reading.battles import OF_BATTLES, of_battles
from pycompare.data.reading.words import is_metric, known_metric
from pycompare.data.reading.written import proposed_format
from pycompare.data.records import ENDINGS as RECORDS
from pycompare.data.roles import CASES_ONLY, ROLES, Columns, required_of
from pycompare.data.scores import Scores
from pycompare.data.table import InfiniteError, Table
from pycompare.data.table_folder import PATH
from pycompare.data.text_rows import BLANKS
from pycompare.data.units import why_by_name
from pycompare.errors import DoubtError, InputError, joined, setting
from pycompare.formatting.counts import counted
from pycompare.labels import show, show_all

CALLED = {
    role.name: role.called
    for role in ROLES.values()
    if role.called and role.name not in CASES_ONLY
}
"""What a column is called whose role is plain from its name."""
_OF_CASES = {name: ROLES[name].called for name in CASES_ONLY}
OPEN_DIRECTION = "higher|lower"
"""Stands for a direction that only the owner knows; it is refused as it is."""
OPEN_COLUMN = "COLUMN"
_OPEN_CLASS = "CLASS"
_MOST_SHOWN = 8


def proposals(
    names: Iterable[str], roles: Mapping[str, tuple[str, ...]] = CALLED
) -> dict[str, str]:
    """Return the column of each role that is plain from one name alone."""
    names, found = tuple(names), {}
    for role, words in roles.items():
        called = [name for name in names if name.casefold() in words]
        called = called or [name for name in names if _role_word(name) in words]
        if len(called) == 1:
            found[role] = called[0]
    if "block" not in found and "dataset" in found:
        found["block"] = found.pop("dataset")
    return found


_OF_TRACKERS = ("params.", "param.", "tags.", "config.")
"""What MLflow and Weights & Biases put before what a run was called with."""


def _role_word(name: str) -> str:
    """Return what a column is called, less ``params.``, ``name``, ``label``, ``id``."""
    text = name.casefold()
    for start in _OF_TRACKERS:
        text = text.removeprefix(start)
    for end in ("name", "label", "id"):
        text = text.removesuffix(end).rstrip("_ -.")
    return text


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a table would be read.

    Attributes
    ----------
    source : path, or table
        What was given.
    n_rows : int
    columns : tuple of str
    table : {"long", "wide", "predictions"}
        Long: one row per score. Wide: one row per block, one column per algorithm.
        Predictions: one row per case, read by other functions.
    arguments : dict
        What is certain, as arguments of ``pc.read_scores`` for a file and of
        ``pc.compare`` for a table. ``"higher|lower"`` and ``"COLUMN"`` stand for what
        is open.
    open : tuple of str
        What only the owner of the table knows.
    doubts : tuple of Doubt
        Signs that the table is something else than it would be read as.
    problem : str
        Why the table cannot be read like this; empty if it can.

    Examples
    --------
    >>> import pycompare as pc
    >>> table = {"data": ["a", "b", "c"], "svm": [1, 4, 2], "knn": [2, 3, 5]}
    >>> reading = pc.propose(table)
    >>> reading.table, reading.arguments["block"]
    ('wide', 'data')
    >>> for question in reading.questions:
    ...     print(question)
    what the scores are called, and which direction is better
    """

    source: Any
    n_rows: int
    columns: tuple[str, ...]
    table: Literal["long", "wide", "predictions"]
    arguments: dict[str, Any]
    open: tuple[str, ...]
    doubts: tuple[Any, ...]
    problem: str = ""

    @property
    def questions(self) -> tuple[str, ...]:
        """Everything that has to be answered before the table is read."""
        asked = (*self.open, *(doubt.question for doubt in self.doubts))
        return (*asked, self.problem) if self.problem else asked

    @property
    def is_file(self) -> bool:
        """Whether the source is a file."""
        return isinstance(self.source, str | PathLike)

    def accept(self) -> Scores:
        """Return the scores, if nothing is open.

        Raises
        ------
        InputError
            With all questions.
        """
        if self.questions:
            raise InputError(joined("\n", self.questions))
        return self._read(dict(self.arguments))

    def tried(self) -> Scores | None:
        """Return the scores with "higher" for open directions, if they can be read."""
        named = self.arguments.values(), self.arguments.get("metrics", {})
        if not self.arguments or any(OPEN_COLUMN in names for names in named):
            return None
        try:
            return self._read(_with_directions(self.arguments))
        except InputError:
            return None

    def _read(self, given: dict[str, Any]) -> Scores:
        """Read the scores by arguments."""
        if self.is_file:
            return read_scores(self.source, **given)
        if given.pop("wide", False):
            return Scores.from_wide(self.source, **given)
        return Scores.from_frame(self.source, **given)

    def understood(self) -> Iterator[str]:
        """Yield what the table is read as, a line for each part."""
        yield f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        given = self.arguments
        if not given:
            return
        yield from self._written()
        if self.table == "predictions":
            yield "predictions: one row per case and algorithm"
            for role in ("algorithm", "dataset", "block", "case", "label", "score"):
                if role in given:
                    yield f"{ROLES[role].holds}: column {show(given[role])}"
        elif self.table == "wide":
            yield "wide table: one row per block, one column per algorithm"
            labels = [given[role] for role in ("dataset", "block") if role in given]
            if len(labels) == 2:
                yield f"data sets: column {show(labels[0])}"
                yield f"folds: column {show(labels[1])}"
            elif labels:
                yield f"blocks: column {show(labels[0])}"
            else:
                yield "blocks: rows, numbered"
            others = [name for name in self.columns if name not in labels]
            yield f"columns of algorithms: {_shown(given.get('algorithms', others))}"
        else:
            yield "long table: one row per score"
            for role in ("algorithm", "block", "dataset", "replicate", "group"):
                if role in given:
                    yield f"{ROLES[role].holds}: column {show(given[role])}"
            if "metric_column" in given:
                yield f"metrics in rows: column {show(given['metric_column'])}"
            yield f"scores: {_shown(given['metrics'])}"

    def _written(self) -> Iterator[str]:
        """Yield how the file is written, where that is not as its ending says."""
        given = self.arguments
        if "sheet" in given:
            yield f"sheet {show(given['sheet'])}"
        if "header" in given:
            lines = str(given["header"]).split()
            one = "line" if len(lines) == 1 else "lines"
            yield f"names of columns: {one} {' and '.join(lines)}"
        if "sep" in given:
            sep = given["sep"]
            yield f"cells separated by {'blanks' if sep == BLANKS else show(sep)}"
        if "decimal" in given:
            yield "decimal comma"
        if "percent" in given:
            which = given["percent"]
            told = "all scores" if which == (ALL,) else _shown(which)
            yield f"in percent, to be divided by 100: {told}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values."""
        return {
            "rows": self.n_rows,
            "columns": list(self.columns),
            "table": self.table,
            "answers": [
                {"key": name, "value": value} for name, value in self.arguments.items()
            ],
            "open": [str(question) for question in self.open],
            "doubts": [
                {
                    "name": doubt.name,
                    "places": list(doubt.places),
                    "question": str(doubt.question),
                    "leave_out": list(doubt.leave_out),
                    "confirmed": list(doubt.entries),
                }
                for doubt in self.doubts
            ],
            "problem": self.problem,
        }


def _shown(labels: Iterable[str]) -> str:
    """Return labels, the first ones of many."""
    every = tuple(labels)
    more = len(every) - _MOST_SHOWN
    told = ", ".join(map(show, every[:_MOST_SHOWN]))
    return told + (f", and {more} more" if more > 0 else "")


@checked
def propose(
    source: Any,
    *,
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
    spread: str | None = None,
) -> Reading:
    """Return how a table of scores would be read, and what is open about it.

    Nothing is guessed: a column has a role if its name and its values say so, and the
    direction of a score is filled in only if the score's name is that of a known
    metric.

    Parameters
    ----------
    source : path, DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        A file as in ``pc.read_scores``, or a table as in ``Scores.from_frame``.
    sep, decimal, sheet, header, spread
        How a file is written, as in ``pc.read_scores``; proposed where it is not given.

    Returns
    -------
    Reading
        ``questions`` has what is open, ``accept()`` reads the table if nothing is.

    Raises
    ------
    InputError
        If the file or the table cannot be read at all.

    Examples
    --------
    >>> import pycompare as pc
    >>> reading = pc.propose(pc.example_path("folds"))
    >>> reading.arguments["algorithm"], reading.arguments["metrics"]
    ('algorithm', {'error': 'lower', 'auc': 'higher'})
    >>> reading.questions
    ()
    >>> reading.accept().shape
    (30, 5, 2)
    """
    form = FileFormat(
        sep=sep,
        decimal=decimal,
        percent=(),
        sheet=sheet,
        header=header,
        spread=spread,
    )
    return _proposed(source, *_table_of(source, form))


def propose_predictions(
    path: str | PathLike[str],
    *,
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Reading:
    """Return how a file of predictions would be read, and what is open about it.

    Parameters
    ----------
    path : path
        A file as in ``pc.read_predictions``.
    sep, decimal, sheet, header
        How it is written, as in ``pc.read_predictions``; proposed where it is not
        given.

    Returns
    -------
    Reading
        Its ``arguments`` are those of ``pc.read_predictions``.

    Raises
    ------
    InputError
        If the file cannot be read at all.
    """
    form = FileFormat(sep=sep, decimal=decimal, percent=(), sheet=sheet, header=header)
    table, form = _table_of(path, form)
    described = columns(table)
    found = proposals(table.names, _OF_CASES)
    arguments, asked = _predictions(table, described, found)
    arguments |= _as_declared(form, OF_EVERY_FILE)
    if not {"label", "score"} & {*found}:
        asked.append(_NO_PREDICTIONS)
    return Reading(
        source=path,
        n_rows=table.n_rows,
        columns=table.names,
        table="predictions",
        arguments=arguments,
        open=tuple(asked),
        doubts=(),
        problem="" if asked else _unread(path, arguments),
    )


_NO_PREDICTIONS = (
    "no column is called as true classes or scores of cases are; if rows are scores of "
    "blocks, compare them: pycompare compare FILE"
)


def _unread(path: str | PathLike[str], arguments: Mapping[str, Any]) -> str:
    """Return why predictions cannot be read; empty if they can."""
    from pycompare.data.prediction_files import read_predictions

    try:
        read_predictions(path, **arguments)
    except InputError as error:
        return error.message
    return ""


def _table_of(source: Any, form: FileFormat) -> tuple[Table, FileFormat]:
    """Return a table, and how its file seems to be written."""
    if isinstance(source, str | PathLike):
        with named(source):
            form = _written(Path(source), form)
            table: Table = read_table(source, form)[0]
    else:
        form = AS_ENDING
        table = as_table(source)
    table.require_rows()
    return table, form


def _as_declared(form: FileFormat, keys: Iterable[str]) -> dict[str, Any]:
    """Return how a file is written, where that is not as its ending says."""
    return {
        name: getattr(form, name)
        for name in keys
        if getattr(form, name) not in (getattr(AS_ENDING, name), ())
    }


def _proposed(source: Any, table: Table, form: FileFormat) -> Reading:
    """Return how a table of scores would be read."""
    n_rows = table.n_rows
    if again := table.headers_again():  # a doubt when the scores are read
        table = table.taken(np.delete(np.arange(n_rows), again), table.names)
    described = tuple(_with_marks(table, column) for column in columns(table))
    found = _roles(table, described)
    of_cases = proposals(table.names, _OF_CASES)
    kind: Literal["long", "wide", "predictions"]
    arguments: dict[str, Any]
    if _has_readers(table.names):
        arguments, asked = {}, [_OF_READERS]
        kind, unclear = "predictions", True
    elif of_battles(table.names):
        arguments, asked = {}, [OF_BATTLES]
        kind, unclear = "long", True
    elif {"label", "score"} <= {*of_cases}:
        arguments, asked = _predictions(table, described, of_cases)
        asked.insert(0, _measured_first(of_cases))
        kind, unclear = "predictions", True
    elif found is None:
        arguments, asked = _wide(table, described, isinstance(source, str | PathLike))
        kind, unclear = "wide", False
    else:
        arguments, asked = _long(table, described, found)
        repeated = _repeats(table, arguments, described)
        asked += [repeated] * bool(repeated)
        kind, unclear = "long", bool(repeated)
    arguments |= _as_declared(form, (*OF_EVERY_FILE, "spread", "percent"))
    labels = {arguments.get(role) for role in ("block", "dataset")}
    others = [one.name for one in described if one.name not in labels]
    if {*arguments.get("percent", ())} == {*arguments.get("algorithms", others)}:
        arguments["percent"] = (ALL,)
    doubts, problem = ((), "") if unclear else _tried(source, arguments)
    return Reading(
        source=source,
        n_rows=n_rows,
        columns=table.names,
        table=kind,
        arguments=arguments,
        open=tuple(asked),
        doubts=doubts,
        problem=problem,
    )


_OF_READERS = (
    "rows seem to be ratings of cases by readers: compare the modalities with "
    "pycompare mrmc, or say which columns hold scores of blocks"
)


def _has_readers(names: Iterable[str]) -> bool:
    """Return whether columns are called reader and modality."""
    return {"reader", "modality"} <= {*map(_role_word, names)}


def _written(path: Path, given: FileFormat) -> FileFormat:
    """Return how a file seems to be written; of one that stores it, what is given."""
    ending = kind_of(path)
    if not path.is_file() or ending in (*BINARY, *RECORDS):
        return given
    return proposed_format(unpacked(path.read_bytes(), path), ending, given)


def _with_marks(table: Table, column: Column) -> Column:
    """Return a column of true and false, or of numbers but for marks, as numbers."""
    name = column.name
    scores = table.truth_values(name) is not None or bool(table.odd_cells(name))
    if not scores and not column.numeric:
        try:
            table.numbers(name)
        except InfiniteError:  # refused by its name when the scores are read
            scores = True
        except InputError:
            pass
    return replace(column, numeric=True) if scores else column


def _predictions(
    table: Table, described: Iterable[Column], found: Mapping[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for predictions of cases, and what they leave open."""
    named = proposals(one.name for one in described if not one.refusal)
    roles = ("algorithm", "dataset", "block", "case", "label", "score")
    every = {**named, **found}
    arguments = {role: every[role] for role in roles if role in every}
    asked = []
    for role in required_of("predictions"):
        if role not in arguments:
            arguments[role] = OPEN_COLUMN
            asked.append(f"which column holds the {ROLES[role].holds}")
    if "label" not in found:
        return arguments | {"positive": _OPEN_CLASS}, asked
    classes = table.levels(found["label"]).labels
    plain = positive_of(classes)
    if plain is None:
        asked.append(f"which class is positive: {_shown(classes)}")
        plain = "|".join(classes) if len(classes) == 2 else _OPEN_CLASS
    return arguments | {"positive": plain}, asked


def _measured_first(found: Mapping[str, str]) -> str:
    """Return the question that a table of predictions of cases is asked."""
    return (
        f"rows seem to be predictions of cases (true classes in "
        f"{show(found['label'])}, scores in {show(found['score'])}): measure them "
        "(pycompare measure) or compare their curves (pycompare curves), or say which "
        "columns hold scores of blocks"
    )


def _roles(table: Table, described: Iterable[Column]) -> dict[str, str] | None:
    """Return the columns of a long table by role; None for a wide one.

    A long table has a column of algorithms in which labels repeat.
    """
    labels = {one.name: one for one in described if not one.refusal}
    found = proposals(labels)
    varied = proposals(name for name, one in labels.items() if one.n_levels > 1)
    if "block" not in found and "block" in varied:  # one of several that is constant
        found["block"] = varied["block"]
    column = found.get("algorithm")
    if column is not None and labels[column].n_levels == table.n_rows:
        return None
    text = [one.name for one in labels.values() if not one.numeric]
    if column is None and len(text) < 2 and PATH not in text:
        return None
    return found


def _long(
    table: Table, described: Iterable[Column], found: dict[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a long table, and what they leave open."""
    roles = ("algorithm", "block", "dataset", "replicate", "group", "cluster")
    arguments: dict[str, Any] = {role: found[role] for role in roles if role in found}
    free = [one for one in described if one.name not in found.values()]
    text = [one.name for one in free if not one.numeric and not one.refusal]
    asked = []
    for role in required_of("long"):
        if role not in arguments:
            arguments[role] = OPEN_COLUMN
            asked.append(
                f"which column holds the {ROLES[role].holds}"
                + (f"; columns of text: {show_all(text)}" if text else "")
                + _parts_of_path(table, text)
            )
    scores = [one.name for one in free if one.numeric and not why_by_name(one.name)]
    in_rows = _of_metrics(table, text)
    if in_rows and len(scores) == 1:
        arguments |= {"metric_column": in_rows, "value": scores[0]}
        scores = [*table.levels(in_rows).labels]
    known = [name for name in scores if known_metric(name) is not None]
    better = {name: _direction(name) for name in known or scores or [OPEN_COLUMN]}
    arguments["metrics"] = better
    asked += _open_directions(better)
    return arguments, asked


def _of_metrics(table: Table, text: Iterable[str]) -> str:
    """Return the column whose labels are names of metrics; empty if there is none."""
    found = [
        name
        for name in text
        if len(labels := table.levels(name).labels) > 1 and all(map(is_metric, labels))
    ]
    return found[0] if len(found) == 1 else ""


def _parts_of_path(table: Table, text: list[str]) -> str:
    """Return the parts of the paths of files below a folder, with their labels."""
    if PATH not in text:
        return ""
    parts = [label.split("/") for label in table.levels(PATH).labels]
    if len({*map(len, parts)}) != 1 or len(parts[0]) == 1:
        return ""
    told = (
        f"{PATH}/{number} ({_shown(dict.fromkeys(labels))})"
        for number, labels in enumerate(zip(*parts, strict=True), start=1)
    )
    return f"; parts of {show(PATH)}: {', '.join(told)}"


def _repeats(
    table: Table, arguments: Mapping[str, Any], described: Iterable[Column]
) -> str:
    """Ask what tells rows of one algorithm and block apart, with all candidates."""
    roles = [
        name
        for role, name in arguments.items()
        if role in (*Columns._fields, "metric_column") and name != OPEN_COLUMN
    ]
    if len(roles) < 2:
        return ""
    codes = _codes(table, roles)
    if np.unique(codes).size == table.n_rows:
        return ""
    candidates = [
        one.name
        for one in described
        if one.name not in roles and _tells_apart(table, codes, one)
    ]
    told = f"several rows have the same {' and '.join(map(show, roles))}"
    if not candidates:
        return (
            f"{told}, and no other column tells them apart; if they are runs, number "
            "them: " + setting("number", "replicate")
        )
    return (
        f"{told}; which column tells them apart, and does it hold data sets, folds or "
        "runs ("
        + setting("dataset", ...)
        + ", "
        + setting("block", ...)
        + ", "
        + setting("replicate", ...)
        + f"); columns that do: {show_all(candidates)}"
    )


def _tells_apart(table: Table, codes: NDArray[np.intp], column: Column) -> bool:
    """Return whether a column of labels differs in all rows of equal codes."""
    if column.refusal or column.n_missing or column.n_levels == table.n_rows:
        return False
    labels = table.levels(column.name)
    joint = codes * len(labels.labels) + labels.codes
    return bool(np.unique(joint).size == table.n_rows)


def _codes(table: Table, names: Iterable[str]) -> NDArray[np.intp]:
    """Return a number for each row that equal labels in these columns share."""
    codes = np.zeros(table.n_rows, np.intp)
    for name in names:
        found = table.levels(name)
        codes = codes * len(found.labels) + found.codes
        codes = np.unique(codes, return_inverse=True)[1]
    return codes


def _wide(
    table: Table, described: Iterable[Column], in_file: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a wide table, and what they leave open."""
    every = list(described)
    text = [one.name for one in every if not one.numeric]
    arguments: dict[str, Any] = {"wide": True}
    asked = []
    named = proposals(one.name for one in every if not one.refusal)
    folds = {"dataset", "block"} <= {*named} and {*text} <= {*named.values()}
    if folds:
        arguments |= {role: named[role] for role in ("dataset", "block")}
    elif len(text) == 1:
        arguments["block"] = text[0]
    elif len(text) > 1:
        arguments["block"] = OPEN_COLUMN
        asked.append(
            f"which column holds the blocks; columns of text: {show_all(text)}"
        )
    labels = {*arguments.values()}
    scores = [one.name for one in every if one.numeric and one.name not in labels]
    likely = [name for name in scores if not why_by_name(name)]
    if not labels - {True}:
        if len(likely) < len(scores):
            arguments["block"] = next(name for name in scores if name not in likely)
        elif in_file:
            arguments["number"] = "block"
    # Columns that are named as algorithms raise no doubts by their names.
    if likely and len(likely) < len(scores):
        arguments["algorithms"] = likely
    arguments |= {"metric": "score", "better": OPEN_DIRECTION}
    asked.append("what the scores are called, and which direction is better")
    return arguments, asked


def _direction(name: str) -> str:
    """Return the better direction of a known metric; open for any other."""
    known = known_metric(name)
    return OPEN_DIRECTION if known is None else known.better


def _open_directions(better: Mapping[str, str]) -> Iterator[str]:
    """Yield the question about directions that no name says."""
    names = [name for name, direction in better.items() if direction == OPEN_DIRECTION]
    if names:
        yield f"which direction is better of {show_all(names)}"


def _tried(source: Any, arguments: dict[str, Any]) -> tuple[tuple[Any, ...], str]:
    """Return doubts about a table as it would be read, or why it cannot be."""
    if OPEN_COLUMN in arguments.values() or OPEN_COLUMN in arguments.get("metrics", {}):
        return (), ""
    given = _with_directions(arguments)
    unknown = isinstance(arguments.get("better"), str)
    reading = Reading(
        source=source, n_rows=0, columns=(), table="long", arguments=given, open=(),
        doubts=(),
    )  # fmt: skip
    try:
        reading.accept()
    except DoubtError as error:
        return tuple(
            doubt
            for doubt in error.doubts
            if not (unknown and doubt.name == "direction")
        ), ""
    except InputError as error:
        return (), error.message
    return (), ""


def _with_directions(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with one direction in the place of those that are open."""
    opened = {"metrics", "better"} & {*arguments}
    return {**arguments} | {name: _filled(arguments[name]) for name in opened}


def _filled(value: Any) -> Any:
    """Return directions with one in the place of those that are open."""
    if isinstance(value, str):
        return "higher" if value == OPEN_DIRECTION else value
    return {name: _filled(direction) for name, direction in value.items()}
