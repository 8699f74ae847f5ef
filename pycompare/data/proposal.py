"""How a table would be read: the certain parts, and those that only its owner knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.errors import (
    DoubtError,
    InputError,
    Setting,
    joined,
    parts_of,
)
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.data.columns import columns
from pycompare.data.compressed import kind_of, unpacked
from pycompare.data.file_format import AS_ENDING, OF_EVERY_FILE, FileFormat
from pycompare.data.files import BINARY, named, read_scores, read_table
from pycompare.data.frames import as_table
from pycompare.data.percent import ALL
from pycompare.data.reading.called import (
    OF_BATTLES,
    OF_CASES,
    has_readers,
    of_battles,
    proposals,
)
from pycompare.data.reading.cases import (
    not_measured,
    of_wide_cases,
    scores_of_cases,
    wide_cases,
)
from pycompare.data.reading.proposed import (
    OPEN_COLUMN,
    OPEN_DIRECTION,
    has_verdicts,
    measured_first,
    of_long,
    of_predictions,
    of_wide,
    of_wide_predictions,
    repeats,
    roles_of_long,
    rows_or_columns,
    shown,
    with_marks,
    without_summaries,
)
from pycompare.data.reading.written import proposed_format
from pycompare.data.records import ENDINGS as RECORDS
from pycompare.data.roles import ROLES
from pycompare.data.scores import Scores
from pycompare.data.table import DataTable
from pycompare.data.text_rows import BLANKS


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a table would be read.

    Attributes
    ----------
    source : path, or table
        The input.
    n_rows : int
    columns : tuple of str
    table : {"long", "wide", "predictions"}
        Long: one row per score. Wide: one row per block, one column per algorithm.
        Predictions: one row per case, read by other functions.
    arguments : dict
        The certain parts, as arguments of ``pc.read_scores`` for a file and of
        ``pc.compare`` for a table. ``"higher|lower"`` and ``"COLUMN"`` stand for open
        choices.
    open : tuple of str
        What only the owner of the table knows.
    doubts : tuple of Doubt
        Signs that the table is something else than it would be read as.
    problem : str
        Why the table cannot be read like this; empty if it can.
    notes : tuple of str
        Statements about the table as it would be read; they ask nothing.
    if_runs : dict
        Argument that reads rows of one algorithm and block as runs, if only one
        column distinguishes them; empty otherwise.
    behind : dict
        First answers to the doubts, with which ``tried`` reads the table.

    Examples
    --------
    >>> import pycompare as pc
    >>> table = {"data": ["a", "b", "c"], "svm": [1, 4, 2], "knn": [2, 3, 5]}
    >>> reading = pc.propose(table)
    >>> reading.table, reading.arguments["block"]
    ('wide', 'data')
    >>> for question in reading.questions:
    ...     print(question)
    the name of the metric, and which direction is better
    """

    source: Any
    n_rows: int
    columns: tuple[str, ...]
    table: Literal["long", "wide", "predictions"]
    arguments: dict[str, Any]
    open: tuple[str, ...]
    doubts: tuple[Any, ...]
    problem: str = ""
    notes: tuple[str, ...] = ()
    if_runs: Mapping[str, Any] = field(default_factory=dict)
    behind: Mapping[str, Any] = field(default_factory=dict)

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
        """Return the scores, if nothing is open, with the roles among their notes.

        Raises
        ------
        InputError
            With all questions.
        """
        if self.questions:
            raise InputError(joined("\n", self.questions))
        scores = self._read(dict(self.arguments))
        told = f"accepted as proposed: {', '.join(self._roles())}"
        return replace(scores, notes=(told, *scores.notes))

    def tried(self) -> Scores | None:
        """Return the scores as a first answer to each question gives them, if any does.

        An open direction is "higher", and missing scores are the worst ones.
        """
        named = self.arguments.values(), self.arguments.get("metrics", {})
        if not self.arguments or any(OPEN_COLUMN in names for names in named):
            return None
        given = _with_directions({**self.arguments, **self.if_runs, **self.behind})
        for missing in ("error", "worst"):
            with suppress(InputError):
                return self._read({**given, "missing": missing})
        return None

    def _read(self, given: dict[str, Any]) -> Scores:
        """Read the scores by arguments."""
        if self.is_file:
            return read_scores(self.source, **given)
        if given.pop("wide", False):
            return Scores.from_wide(self.source, **given)
        return Scores.from_frame(self.source, **given)

    def understood(self) -> Iterator[str]:
        """Yield how each part of the table is read, a line for each."""
        yield f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        given = self.arguments
        if not given:
            return
        yield from self._written()
        if self.table == "predictions":
            if "algorithms" in given:
                yield "predictions: one row per case, one column per algorithm"
                yield f"scores of cases: columns {shown(given['algorithms'])}"
            else:
                yield "predictions: one row per case and algorithm"
            if "block" not in given:
                yield "blocks: none, all cases are of one test set"
            for role in ("algorithm", "dataset", "block", "case", "label", "score"):
                if role in given:
                    yield f"{ROLES[role].holds}: column {show(given[role])}"
        else:
            yield from self._roles()
            if self.table == "wide":
                roles = ("dataset", "block", "truth")
                taken = {given[role] for role in roles if role in given}
                others = [name for name in self.columns if name not in taken]
                yield f"columns of algorithms: {shown(given.get('algorithms', others))}"
            elif "truth" not in given:
                yield f"scores: {shown(given['metrics'])}"
        if left := self._left():
            yield f"columns without a role: {shown(left)}"

    def _roles(self) -> Iterator[str]:
        """Yield the kind of a table of scores, and the columns of its roles."""
        given = self.arguments
        if self.table == "wide":
            yield "wide table: one row per block, one column per algorithm"
            labels = [given[role] for role in ("dataset", "block") if role in given]
            if len(labels) == 2:
                yield f"data sets: column {show(labels[0])}"
                yield f"folds: column {show(labels[1])}"
            elif labels:
                yield f"blocks: column {show(labels[0])}"
            else:
                yield "blocks: rows, numbered"
        else:
            yield "long table: one row per score"
            for role in ("algorithm", "block", "dataset", "replicate", "group"):
                if role in given:
                    yield f"{ROLES[role].holds}: column {show(given[role])}"
            if "metric_column" in given:
                yield f"metrics in rows: column {show(given['metric_column'])}"
        if "truth" in given:
            yield f"true classes: column {show(given['truth'])}"
            if "value" in given:
                yield f"predicted classes: column {show(given['value'])}"

    def _left(self) -> list[str]:
        """Return the columns that nothing is read of."""
        given = self.arguments
        named = [*given.get("metrics", {}), *given.get("algorithms", [])]
        if "metric_column" in given:
            named = []
        parts = [v for v in given.values() if isinstance(v, str)]
        taken = {*named, *parts, *(part.rpartition("/")[0] for part in parts)}
        if self.table == "wide" and "algorithms" not in given:
            return []
        return [name for name in self.columns if name not in taken]

    def noted(self) -> Iterator[str]:
        """Yield the notes, a line for each."""
        for note in self.notes:
            yield f"note: {note}"

    def _written(self) -> Iterator[str]:
        """Yield how the file is written, if that is not as its ending indicates."""
        given = self.arguments
        if "sheet" in given:
            yield f"sheet {show(given['sheet'])}"
        if "header" in given:
            lines = str(given["header"]).split()
            noun = "line" if len(lines) == 1 else "lines"
            yield f"names of columns: {noun} {' and '.join(lines)}"
        if "sep" in given:
            sep = given["sep"]
            yield f"cells separated by {'blanks' if sep == BLANKS else show(sep)}"
        if "decimal" in given:
            yield "decimal comma"
        if "percent" in given:
            which = given["percent"]
            told = "all scores" if which == (ALL,) else shown(which)
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
            "notes": list(self.notes),
        }


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
    """Return how a table of scores would be read, and the open questions.

    Nothing is guessed: a column has a role if its name and its values state this, and
    the direction of a score is filled in only if the score's name is that of a known
    metric.

    Parameters
    ----------
    source : path, DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        A file as in ``pc.read_scores``, or a table as in ``Scores.from_frame``.
    sep, decimal, sheet, header, spread
        How a file is written, as in ``pc.read_scores``; proposed if it is not given.

    Returns
    -------
    Reading
        ``questions`` has the open choices, ``accept()`` reads the table if nothing is.

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
    """Return how a file of predictions would be read, and the open questions.

    Parameters
    ----------
    path : path
        A file as in ``pc.read_predictions``.
    sep, decimal, sheet, header
        How it is written, as in ``pc.read_predictions``; proposed if it is not
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
    roles = proposals(table.names, OF_CASES)
    arguments, asked = of_predictions(table, described, roles)
    arguments |= _as_declared(form, OF_EVERY_FILE)
    whole = {"algorithm", "score"} <= {*arguments} - {*_open_roles(arguments)}
    if not whole and (cases := wide_cases(table, table.names)) is not None:
        if cases.said == "scores":
            arguments, asked = of_wide_predictions(table, described, cases)
            arguments |= _as_declared(form, OF_EVERY_FILE)
        else:
            arguments, asked = {}, [not_measured(cases)]
    elif not {"label", "score"} & {*roles}:
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


def _open_roles(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield roles that no column is proposed for."""
    for role, name in arguments.items():
        if name == OPEN_COLUMN:
            yield role


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


def _table_of(source: Any, form: FileFormat) -> tuple[DataTable, FileFormat]:
    """Return a table, and how its file seems to be written."""
    if isinstance(source, str | PathLike):
        with named(source):
            form = _written(Path(source), form)
            table: DataTable = read_table(source, form)[0]
    else:
        form = AS_ENDING
        table = as_table(source)
    table.require_rows()
    return table, form


def _as_declared(form: FileFormat, keys: Iterable[str]) -> dict[str, Any]:
    """Return how a file is written, if that is not as its ending indicates."""
    return {
        name: getattr(form, name)
        for name in keys
        if getattr(form, name) not in (getattr(AS_ENDING, name), ())
    }


def _proposed(source: Any, table: DataTable, form: FileFormat) -> Reading:
    """Return how a table of scores would be read."""
    n_rows = table.n_rows
    if again := table.headers_again():  # a doubt when the scores are read
        table = table.taken(np.delete(np.arange(n_rows), again), table.names)
    described = tuple(with_marks(table, column) for column in columns(table))
    if (n_others := without_summaries(table, described)) < n_rows:
        above = table.taken(np.arange(n_others), table.names)
        alone = tuple(with_marks(above, column) for column in columns(above))
        if sum(c.numeric for c in alone) > sum(c.numeric for c in described):
            table, described = above, alone  # a doubt when the scores are read
    roles = roles_of_long(table, described)
    of_cases = proposals(table.names, OF_CASES)
    called = proposals(table.names)
    cases = None if "algorithm" in called else wide_cases(table, table.names)
    kind: Literal["long", "wide", "predictions"]
    arguments: dict[str, Any]
    if_runs: dict[str, Any] = {}
    if has_readers(table.names):
        arguments, asked = {}, [_OF_READERS]
        kind, unclear = "predictions", True
    elif of_battles(table.names):
        arguments, asked = {}, [OF_BATTLES]
        kind, unclear = "long", True
    elif {"label", "score"} <= {*of_cases}:
        arguments, asked = of_predictions(table, described, of_cases)
        asked.insert(0, measured_first(of_cases))
        kind, unclear = "predictions", True
    elif cases is not None and cases.said == "scores":
        arguments, asked = of_wide_predictions(table, described, cases)
        asked.insert(0, scores_of_cases(cases))
        kind, unclear = "predictions", True
    elif cases is not None:
        arguments, asked = of_wide_cases(table, described, cases)
        kind, unclear = "wide", False
    elif roles is None or (
        "algorithm" not in called and has_verdicts(table, described)
    ):
        arguments, asked = of_wide(table, described, isinstance(source, str | PathLike))
        kind, unclear = "wide", False
    else:
        arguments, asked = of_long(table, described, roles)
        repeated, telling = repeats(table, arguments, described)
        asked += [repeated] * bool(repeated)
        kind, unclear = "long", bool(repeated)
        if len(telling) == 1 and "replicate" not in arguments:
            if_runs = {"replicate": telling[0]}
    arguments |= _as_declared(form, (*OF_EVERY_FILE, "spread", "percent"))
    labels = {arguments.get(role) for role in ("block", "dataset", "truth")}
    others = [column.name for column in described if column.name not in labels]
    if {*arguments.get("percent", ())} == {*arguments.get("algorithms", others)}:
        arguments["percent"] = (ALL,)
    tried = _Tried() if unclear else _tried(source, arguments)
    if if_runs:  # what else is open does not wait for the answer what they are
        tried = replace(_tried(source, arguments | if_runs), problem="", notes=())
    doubts = tried.doubts
    turned = kind == "wide" and not any(d.name == "transposed" for d in doubts)
    if turned and (question := rows_or_columns(table, arguments)):
        asked.append(question)
    return Reading(
        source=source,
        n_rows=n_rows,
        columns=table.names,
        table=kind,
        arguments=arguments,
        open=tuple(asked),
        doubts=doubts,
        problem=tried.problem,
        notes=tried.notes,
        if_runs=if_runs,
        behind=tried.answers,
    )


_OF_READERS = (
    "rows seem to be ratings of cases by readers: compare the modalities with "
    "pycompare mrmc, or state which columns hold scores of blocks"
)


def _written(path: Path, given: FileFormat) -> FileFormat:
    """Return how a file seems to be written; given values if it stores that."""
    ending = kind_of(path)
    if not path.is_file() or ending in (*BINARY, *RECORDS):
        return given
    return proposed_format(unpacked(path.read_bytes(), path), ending, given)


@dataclass(frozen=True)
class _Tried:
    """What reading a table shows.

    Attributes
    ----------
    doubts : tuple of Doubt
    problem : str
        Why it cannot be read.
    notes : tuple of str
    answers : dict
        First answers to the doubts, with which it was read again.
    """

    doubts: tuple[Any, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict)


def _tried(source: Any, arguments: dict[str, Any]) -> _Tried:
    """Return doubts about a table as it would be read, or why it cannot be, and notes.

    Also those that stand behind others, as the table is read with the first answer to
    these: marks and codes missing, spreads ignored, rows turned, summaries left out.
    """
    if OPEN_COLUMN in arguments.values() or OPEN_COLUMN in arguments.get("metrics", {}):
        return _Tried()
    given = _with_directions(arguments)
    unknown = isinstance(arguments.get("better"), str)
    doubts: dict[str, Any] = {}
    behind: dict[str, Any] = {}
    problem = ""
    notes: tuple[str, ...] = ()
    for _ in range(_MOST_BEHIND):
        reading = Reading(
            source=source, n_rows=0, columns=(), table="long", arguments=given, open=(),
            doubts=(),
        )  # fmt: skip
        try:
            notes = reading._read(dict(given)).notes
        except DoubtError as error:
            own = {
                doubt.name: doubt
                for doubt in error.doubts
                # Against a known metric is no direction that nobody stated.
                if not (unknown and doubt.name == "direction" and doubt.change)
            }
            fresh = {name: own[name] for name in own if name not in doubts}
            doubts |= fresh
            answers = _answers_of_form(own.values())
            left_out = tuple(given.get("leave_out", ()))
            gone = [e for e in _left_out(own.values()) if e not in left_out]
            if gone:
                answers["leave_out"] = (*left_out, *gone)
            if not answers:
                break
            given |= answers
            behind |= answers
        except InputError as error:
            problem = error.message
            break
        else:
            break
    notes = () if doubts or problem else notes
    return _Tried((*doubts.values(),), problem, notes, behind)


_MOST_BEHIND = 3
"""How often a table is read again with an answer about its form."""


def _answers_of_form(doubts: Iterable[Any]) -> dict[str, Any]:
    """Return the answers that doubts about marks, spreads and turned tables propose."""
    return {
        part.name: part.value
        for doubt in doubts
        if doubt.name in ("marks", "code", "spread", "transposed")
        for part in parts_of(doubt.change)
        if isinstance(part, Setting) and part.value is not ...
    }


def _left_out(doubts: Iterable[Any]) -> Iterator[str]:
    """Yield what doubts about parts of a table propose to leave out."""
    for doubt in doubts:
        if doubt.name in ("summary-row", "derived-column", "status-column"):
            yield from doubt.leave_out


def _with_directions(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with one direction in the place of those that are open."""
    opened = {"metrics", "better"} & {*arguments}
    filled = {name: _filled(arguments[name]) for name in opened}
    if "one_is" in arguments:
        filled["one_is"] = arguments["one_is"].split("|")[0]
    return {**arguments, **filled}


def _filled(value: Any) -> Any:
    """Return directions with one in the place of those that are open."""
    if isinstance(value, str):
        return "higher" if value == OPEN_DIRECTION else value
    return {name: _filled(direction) for name, direction in value.items()}
