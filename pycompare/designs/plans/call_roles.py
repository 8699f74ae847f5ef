"""Contents of a table, from a call of ``compare``; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING, Any

from pycompare.base.errors import InputError, joined
from pycompare.base.labels import label_text, show
from pycompare.base.metric import Direction
from pycompare.data.columns import columns
from pycompare.data.cross_validate import is_results, metrics_of
from pycompare.data.frames import as_table
from pycompare.data.predictions import Predictions
from pycompare.data.reading.answers import Range
from pycompare.data.reading.proposed import OPEN_COLUMN, OPEN_DIRECTION
from pycompare.data.reading.worst import Worst
from pycompare.data.roles import RoleColumns, required_of, roles_of
from pycompare.data.scores import Scores
from pycompare.data.units import why_by_name
from pycompare.designs.plans.plan_file import PlanFile

if TYPE_CHECKING:
    from pycompare.data.proposal import Reading

_OF_RESULTS = ("metric", "better", "metrics", "dataset", "missing", "range")
"""What states how results of cross_validate are read."""


@dataclass(frozen=True, kw_only=True)
class CallRoles:
    """Arguments of ``compare`` about the columns of a table; None: not given."""

    columns: RoleColumns = RoleColumns()
    algorithms: Sequence[str] | None = None
    metric: str | None = None
    better: Direction | None = None
    metrics: Mapping[str, Direction] | None = None
    missing: str | None = None
    percent: Sequence[str] | None = None
    worst: Worst = None
    transpose: bool | None = None
    number: str | None = None
    metric_column: str | None = None
    value: str | None = None
    truth: str | None = None
    one_is: str | None = None
    range: Range = None
    na: Sequence[str] | None = None
    leave_out: Sequence[str] | None = None
    confirmed: Sequence[str] | None = None

    def given(self, *left_out: str) -> dict[str, Any]:
        """Return the arguments that were given."""
        others = {f.name: getattr(self, f.name) for f in fields(self)[1:]}
        named = self.columns.given() | others
        return {k: v for k, v in named.items() if v is not None and k not in left_out}

    def read(self, data: Any, plan: Any) -> Scores | Predictions:
        """Read data as scores; scores and predictions stay as they are.

        Raises
        ------
        InputError
            If the call does not define the columns, with the call to write; or
            if an argument has no use for such data.
        """
        if isinstance(data, Scores | Predictions):
            self.refuse_given(f"is for tables, and these are {type(data).__name__}")
            return data
        if isinstance(plan, PlanFile):
            raise InputError(
                "a plan file defines the columns: give pc.compare what "
                "plan.read_data(path) reads, or plan.plan and the columns in the call"
            )
        if isinstance(data, str | PathLike):
            raise InputError(
                f"{show(str(data))} is a path: read the file first, with "
                "pc.read_scores or pc.read_predictions, and compare its result"
            )
        if self.metric is not None and not isinstance(self.metric, str):
            raise InputError(
                f"metric={self.metric!r}: name one metric, or give several with their "
                "directions: metrics={'accuracy': 'higher', 'error': 'lower'}"
            )
        if self.metrics is not None and (self.metric or self.better):
            raise InputError(
                "give metrics={name: direction}, or metric= and better= for one of them"
            )
        return self.from_results(data) if is_results(data) else self.from_table(data)

    def refuse_given(self, why: str, *allowed: str) -> None:
        """Reject arguments that are none of those allowed."""
        for name in self.given(*allowed):
            raise InputError(f"{name}= {why}; leave it out")

    def directions(self) -> dict[str, Direction]:
        """Return the metrics with their directions; empty while one is open."""
        if self.metrics is not None:
            return dict(self.metrics)
        if self.metric is None or self.better is None:
            return {}
        return {self.metric: self.better}

    def from_results(self, results: Any) -> Scores:
        """Read results of scikit-learn's cross_validate."""
        self.refuse_given("is for tables, not results of cross_validate", *_OF_RESULTS)
        directions = self.directions()
        if not directions:
            names = [self.metric] if self.metric else metrics_of(results)
            asked = dict.fromkeys(names, self.better or OPEN_DIRECTION)
            given = self.given("metric", "better", "metrics")
            raise InputError(_question("results", given | _in_words(asked), [_BETTER]))
        return Scores.from_cross_validate(
            results, metrics=directions, **self.given("metric", "better", "metrics")
        )

    def from_table(self, data: Any) -> Scores:
        """Read a frame, long if it has a column of algorithms, else wide."""
        directions = self.directions()
        long = self.columns.algorithm is not None
        by_rows = long or self.transpose
        blocks = self.columns.block or self.number == "block"
        named = blocks if by_rows else self.algorithms
        if not directions or not named:
            raise InputError(self.question(data))
        given = self.given("metric", "better", "metrics")
        if long:
            self.refuse_both()
            if self.transpose:
                raise InputError("transpose= is for tables without algorithm=")
            return Scores.from_frame(data, metrics=directions, **given)
        self.refuse_given("is for long tables: name the column of algorithms", *_WIDE)
        [(metric, better), *others] = directions.items()
        if others:
            raise InputError(
                "metrics: a table with a column for each algorithm holds one metric, "
                f"got {len(directions)}"
            )
        return Scores.from_wide(data, metric=metric, better=better, **given)

    def refuse_both(self) -> None:
        """Reject algorithms in a column and in columns."""
        if self.algorithms is not None:
            raise InputError(
                "algorithm= names a column of algorithms and algorithms= columns of "
                "scores; leave one of them out"
            )

    def question(self, data: Any) -> str:
        """State the open choices, how the table would be read, and the call."""
        from pycompare.data.proposal import propose

        reading = propose(data)
        if reading.table == "predictions":
            return reading.questions[0]
        long = self.columns.algorithm is not None or (
            not self.algorithms and reading.table == "long"
        )
        fits = long == (reading.table == "long")
        proposed = dict(reading.arguments) if fits else {}
        call = self.long_call(proposed) if long else self.wide_call(data, proposed)
        asked = _question("frame", call, [*self.left_open()])
        rest = [] if self.given() else _beyond_directions(reading)
        return joined("\n", [asked, *rest])

    def left_open(self) -> Iterator[str]:
        """Yield the choices that the call does not state."""
        algorithm, block = self.columns.algorithm, self.columns.block
        if algorithm is None and not (self.algorithms or self.transpose):
            yield "which columns are algorithms"
        if algorithm is not None and block is None:
            yield "which column holds the blocks"
        if self.transpose and block is None:
            yield "which column holds the algorithms"
        if not self.directions():
            yield _BETTER

    def long_call(self, proposed: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments for one row per score; open roles have no column."""
        given = self.given("metric", "better", "metrics")
        taken = {*map(label_text, given.values()), *(self.metrics or ()), self.metric}
        better = {
            name: direction
            for name, direction in proposed.pop("metrics", {}).items()
            if name not in taken
        }
        roles = {
            role: name
            for role, name in proposed.items()
            if role in given or name not in taken
        }
        order = ("algorithm", "dataset", "block")
        call = {role: roles.get(role) for role in order} | roles | given
        for role in required_of("long"):
            call[role] = call[role] or OPEN_COLUMN
        chosen = {role: name for role, name in call.items() if name is not None}
        return chosen | self.asked(better or {OPEN_COLUMN: OPEN_DIRECTION})

    def wide_call(self, data: Any, proposed: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments for one row per block and one column per algorithm."""
        given = self.given("metric", "better", "metrics")
        taken = {*self.columns.roles("wide").values()}
        labels = {
            role: proposed[role] for role in ("dataset", "block") if role in proposed
        }
        call = {role: name for role, name in labels.items() if role not in given}
        others = [
            column.name
            for column in columns(as_table(data))
            if column.numeric and column.name not in {*taken, *call.values()}
        ]
        likely = [name for name in others if not why_by_name(name)]
        named = {"algorithms": proposed.get("algorithms", likely or others)}
        return call | named | given | self.asked({"score": OPEN_DIRECTION})

    def asked(self, proposed: Mapping[str, str]) -> dict[str, Any]:
        """Return metrics as given, or as proposed if nothing is given."""
        if self.metrics is not None:
            return {"metrics": dict(self.metrics)}
        if self.metric is None:
            given = {} if self.better is None else dict.fromkeys(proposed, self.better)
            return _in_words({**proposed, **given})
        return _in_words({self.metric: self.better or OPEN_DIRECTION})


_WIDE = (
    *("metric", "better", "metrics", "algorithms", "missing", "percent", "transpose"),
    *("worst", "number", "truth", "one_is", "range", "na", "leave_out", "confirmed"),
    *roles_of("wide"),
)
"""What states how a table is read that has a column for each algorithm."""
_BETTER = "which direction of the scores is better"


def _beyond_directions(reading: Reading) -> list[str]:
    """Return the open choices beside the name of the score and its direction."""
    told = [*reading.open, *(doubt.question for doubt in reading.doubts)]
    return [text for text in told if "direction is better" not in text]


def _in_words(directions: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments that declare metrics."""
    if len(directions) > 1:
        return {"metrics": dict(directions)}
    [(name, better)] = directions.items()
    return {"metric": name, "better": better}


def _question(what: str, call: Mapping[str, Any], open_parts: Sequence[str]) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in call.items())
    return (
        f"the call does not state {' and '.join(open_parts)}, and that is never "
        "guessed. "
        f"Check and write: pc.compare({what}, {arguments})"
    )
