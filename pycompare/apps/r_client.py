"""The Python side of the R package ``pycompare``: one call, plain lists both ways.

R names a public function and states what its data are; the answer holds tables, one row
of numbers, a text, and the result itself for pictures and reports. A failure is an
answer as well: R shows its message without a Python traceback.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from pycompare import plotting
from pycompare.apps import r_frames
from pycompare.apps.comparison import Comparison
from pycompare.apps.planned_run import seal_plan
from pycompare.base.errors import NAMED, InputError, PyCompareError, Setting, respell
from pycompare.base.interop import rscript
from pycompare.base.labels import nearest, show
from pycompare.data import proposal
from pycompare.data.battles import Battles
from pycompare.data.battles import read_battles as battles_of_file
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.data.roles import RoleColumns
from pycompare.designs.curve_comparison import CurveComparison
from pycompare.designs.metric_orders import decided_pairs
from pycompare.designs.planned_analysis import PlannedAnalysis
from pycompare.designs.plans import trail
from pycompare.designs.plans.call_roles import CallRoles
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.starter import starter_plan
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.cases.challenge import ChallengeResult
from pycompare.methods.models.linear_model import LinearModel
from pycompare.reporting import report as reports
from pycompare.reporting.diff import diff
from pycompare.reporting.model_report import fitted_report
from pycompare.reporting.unblind import unblind
from pycompare.reporting.verify import verify
from pycompare.results.result import HandedOut
from pycompare.sizes.power import power as planned
from pycompare.sizes.studies import DESIGNS

Answer = dict[str, Any]


def call(
    public: ModuleType,
    function: str,
    reads: str,
    data: Mapping[str, Any],
    roles: Mapping[str, Any],
    arguments: Mapping[str, Any],
) -> Answer:
    """Call a public function on the data of an R session.

    Parameters
    ----------
    public : module
        ``pycompare`` itself, as its users import it.
    function : str
        Name of a public function of it whose first argument are data.
    reads : str
        The argument of the function: ``scores``, ``predictions``, ``ratings``,
        ``battles``, ``table`` or ``p``; ``plan`` is the path of a plan file and
        ``learner`` a function of places of cases, both in ``roles``; ``columns``:
        columns are arguments by their roles.
    data : mapping
        Columns as ``interop.r_frames`` describes them.
    roles : mapping
        What the columns are.
    arguments : mapping
        Other arguments; a ``plan`` is a mapping of its keys.

    Returns
    -------
    dict
        ``tables``, ``glance``, ``text`` and ``object``; or ``error``, a message.
    """

    def described() -> Answer:
        frame, given = r_frames.from_r(data), _given(arguments)
        called = _function(public, function)
        if reads == "columns":
            return _described(called(**_columns(frame, roles), **given))
        read = _READERS[reads](frame, _plain(roles))
        return _described(called(read, **given))

    return _answered(described)


def propose(data: Mapping[str, Any]) -> Answer:
    """Return how a data frame of an R session would be read.

    Parameters
    ----------
    data : mapping
        Columns as ``interop.r_frames`` describes them.

    Returns
    -------
    dict
        ``table``, ``understood`` and ``questions``, lists of lines; ``arguments`` of
        ``pc_compare``. Or ``error``, a message.
    """

    def read() -> Answer:
        frame = r_frames.from_r(data)
        reading = proposal.propose(frame)
        arguments = dict(reading.arguments)
        metrics = arguments.pop("metrics", None)
        if arguments.pop("wide", False):
            of_rows = ("block", "dataset", "truth")
            labels = [arguments.get(role) for role in of_rows]
            others = [name for name in reading.columns if name not in labels]
            arguments.setdefault("algorithms", others)
            metrics = {arguments.pop("metric"): arguments.pop("better")}
        if metrics is not None:
            arguments["metrics"] = metrics
        return {
            "table": reading.table,
            "understood": [*reading.understood()],
            "arguments": arguments,
            "questions": [str(question) for question in reading.questions],
        }

    return _answered(read)


def _answered(make: Callable[[], Answer]) -> Answer:
    """Return an answer; a message in its place where pycompare rejects."""
    try:
        return make()
    except PyCompareError as error:
        respell(error, _as_r)
        return {"error": _IN_PYTHON.sub(_function_in_r, str(error))}
    except TypeError as error:
        return {"error": _wrong_arguments(str(error))}


_R_FUNCTIONS = frozenset(
    {
        *("compare", "curves", "mrmc", "linear_model", "power", "planned_power"),
        *("anova", "manova", "friedman", "rank_pairs", "adjust", "verify", "diff"),
        *("report", "propose", "battles", "read_battles", "standalone"),
        *("diagnostic_pairs", "net_benefit", "calibration_error", "curve_dominance"),
        *("cv_error_intervals", "cv_auc_pairs", "nested_cv"),
        *("synthesis", "network_synthesis"),
    }
)
"""Functions that the R package has under their names; others are called by name."""
_IN_PYTHON = re.compile(r"\bpc\.([a-z_]+)")
_ABSENT = re.compile(r"(\w+)\(\) missing \d+ required .*?arguments?: (.*)")
_UNKNOWN = re.compile(r"(\w+)\(\) got an unexpected keyword argument (.*)")


def _function_in_r(match: re.Match[str]) -> str:
    """Name a function of pycompare as R users call it."""
    name = match[1].removeprefix("compare_") if match[1] != "compare" else match[1]
    if name == "run_plan":
        return "pc_run"
    return f"pc_{name}" if name in _R_FUNCTIONS else f'pc_call("{match[1]}", ...)'


def _as_r(part: Setting) -> str:
    """Spell a setting as an argument in R."""
    if part.value is NAMED:
        return part.name
    if part.value is ...:
        return f"{part.name} = ..."
    if isinstance(part.value, Mapping):
        inner = (f"{name} = {_value_in_r(v)}" for name, v in part.value.items())
        return f"{part.name} = c({', '.join(inner)})"
    return f"{part.name} = {_value_in_r(part.value)}"


def _value_in_r(given: Any) -> str:
    """Write a value as R code; one that R has no word for as Python does."""
    try:
        return rscript.value(given)
    except InputError:
        return repr(given)


def _wrong_arguments(error: str) -> str:
    """Name the arguments that a call lacks, or that it does not have."""
    if match := _ABSENT.search(error):
        return f"{match[1]} needs the argument {match[2]}; give it"
    if match := _UNKNOWN.search(error):
        return f"{match[1]} has no argument {match[2]}; leave it out"
    return f"the arguments do not fit: {error}"


def _function(public: ModuleType, name: str) -> Callable[..., Any]:
    if name not in public.__all__:
        raise InputError(f"pycompare has no public function {show(name)}")
    function: Callable[..., Any] = getattr(public, name)
    return function


_READERS: dict[str, Callable[[pd.DataFrame, dict[str, Any]], Any]] = {
    "scores": lambda frame, roles: _roles(roles).read(frame, None),
    "predictions": lambda frame, roles: Predictions.from_frame(frame, **roles),
    "ratings": lambda frame, roles: _ratings(frame, **roles),
    "battles": lambda frame, roles: Battles.from_frame(frame, **roles),
    "table": lambda frame, roles: frame,
    "p": lambda frame, roles: _p_values(frame),
    "plan": lambda frame, roles: roles["plan"],
    "learner": lambda frame, roles: _learner(roles["losses"]),
}


def _ratings(
    frame: pd.DataFrame,
    *,
    case_table: Mapping[str, Any] | None = None,
    design: str = "factorial",
    **roles: Any,
) -> Ratings:
    """Return ratings, or marks if there is a table of cases."""
    if case_table is None:
        return Ratings.from_frame(frame, design=design, **roles)  # type: ignore[arg-type]
    others = [name for name in ("truth", "positive", "cluster") if name in roles]
    if others or design != "factorial":
        raise InputError(
            f"{[*others, 'design'][0]} is of ratings of cases, and these are marks: "
            "leave it out"
        )
    return Ratings.from_marks(frame, cases=r_frames.from_r(case_table), **roles)


def _learner(losses: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of R, called with plain lists of places of cases."""
    return lambda train, test: losses(train.tolist(), test.tolist())


def _columns(
    frame: pd.DataFrame, roles: Mapping[str, Any]
) -> dict[str, pd.Series | pd.DataFrame]:
    """Return the columns of each role; those of several names as a table."""
    named = {role: name for role, name in roles.items() if name is not None}
    return {
        role: frame[name[0] if isinstance(name, list) and len(name) == 1 else name]
        for role, name in named.items()
    }


def _roles(given: dict[str, Any]) -> CallRoles:
    """Return the arguments about a table of scores."""
    columns = {name: given[name] for name in RoleColumns._fields if name in given}
    others = {name: value for name, value in given.items() if name not in columns}
    return CallRoles(columns=RoleColumns(**columns), **others)


def _p_values(frame: pd.DataFrame) -> Any:
    """Return a vector, or the square table of all pairs."""
    if len(frame.columns) == 1:
        return frame.iloc[:, 0].to_numpy(float)
    return frame.set_axis(frame.columns, axis=0)


def _given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as Python writes them; whole numbers of R are doubles."""
    converted = _plain(arguments)
    if isinstance(plan := converted.get("plan"), Mapping):
        listed = {f.name for f in dataclasses.fields(Plan) if f.default == ()}
        keys: dict[str, Any] = {
            key: _tuple(value) if key in listed else value
            for key, value in plan.items()
        }
        converted["plan"] = Plan(**keys)
    return converted


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


# ---- answers -----------------------------------------------------------------------


def _described(output: Any) -> Answer:
    """Return what R makes a result of."""
    if isinstance(output, np.ndarray):
        return _answer({"p_adjusted": pd.DataFrame({"p": output})}, {}, "", None)
    if isinstance(output, pd.DataFrame):
        return _answer({"p_adjusted": output}, {}, "", None)
    if isinstance(output, Comparison):
        tables = {"pairs": _decided(output), **_titled(output)}
        return _answer(tables, _glance_of(output), output.summary(), output)
    if isinstance(output, PlannedAnalysis):
        answer = _described(output.result)
        if output.mixed is not None:
            answer["tables"]["mixed"] = r_frames.to_r(output.mixed.table)
        return answer | {"object": output}
    if isinstance(output, CurveComparison):
        told = "\n".join(result.summary() for _, result in output.results())
        return _answer(_titled(output), vars(output), told, output)
    return _answer(_tables(output), _row(output), output.summary(), output)


def _titled(comparison: Any) -> dict[str, pd.DataFrame]:
    return {title: result.to_frame() for title, result in comparison.results()}


def _tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return the table of a result, and the others that it has as properties."""
    getters = {
        name: _getter(member) for name, member in inspect.getmembers(type(result))
    }
    frames = [
        name
        for name, getter in getters.items()
        if getter is not None
        and getter.__annotations__.get("return") in _FRAMES
        and getattr(result, name) is not None
    ]
    more = _of_model(result) if isinstance(result, LinearModel) else {}
    if isinstance(result, BattlesResult | GroupedBattlesResult):
        more = _strengths(result)
    if isinstance(result, ChallengeResult):
        parts = ("schemes", "tasks", "resampled", "without_failures")
        more = {name: getattr(result, name) for name in parts}
        more = {name: frame for name, frame in more.items() if frame is not None}
    held = {name: getattr(result, name) for name in frames}
    return {"result": result.to_frame()} | held | more


def _getter(member: Any) -> Callable[..., Any] | None:
    """Return the function of a property; None if there is none."""
    if isinstance(member, HandedOut):
        return member.make
    if isinstance(member, cached_property):
        return member.func
    return member.fget if isinstance(member, property) else None


_FRAMES = ("pd.DataFrame", "pd.DataFrame | None")


def _of_model(model: LinearModel) -> dict[str, pd.DataFrame]:
    """Return means, comparisons and variances of a linear model, by their titles."""
    tables = {
        title: result.to_frame() for title, result in fitted_report(model).results()
    }
    if model.fit.mixed is not None:
        tables["variances"] = model.variances.to_frame()
    return tables


def _strengths(
    result: BattlesResult | GroupedBattlesResult,
) -> dict[str, pd.DataFrame]:
    """Return the strengths of models, by group if there are any."""
    if isinstance(result, BattlesResult):
        return {"strengths": result.strengths}
    each = result.groups.items()
    parts = [r.strengths.assign(group=name) for name, r in each]
    whole = pd.concat(parts, ignore_index=True)
    return {"strengths": whole[["group", *whole.columns.drop("group")]]}


def _row(result: Any) -> dict[str, Any]:
    """Return the fields of a result, and its test if that is no field."""
    names = [f.name for f in dataclasses.fields(result)]
    return {n: getattr(result, n, None) for n in [*names, "statistic", "df", "p_value"]}


def _answer(
    tables: Mapping[str, pd.DataFrame], row: Mapping[str, Any], text: str, result: Any
) -> Answer:
    glance = pd.DataFrame([_scalars(row)]) if row else pd.DataFrame()
    return {
        "tables": {name: r_frames.to_r(table) for name, table in tables.items()},
        "glance": r_frames.to_r(glance),
        "text": text,
        "code": _code(result),
        "object": result,
    }


def _code(result: Any) -> str:
    """Return R code that repeats a result, to be kept with it; empty if it has none."""
    if result is None:
        return ""
    try:
        return rscript.code(result)
    except (PyCompareError, AttributeError):
        return ""


def _scalars(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are one number or word; two df are df1 and df2."""
    fields = dict(row)
    if isinstance(df := fields.get("df"), tuple):
        fields |= {f"df{at}": value for at, value in enumerate(df, start=1)}
    simple = str | bool | int | float | np.number | np.bool_
    return {k: v for k, v in fields.items() if isinstance(v, simple)}


def _decided(comparison: Comparison) -> pd.DataFrame:
    """Return the pairs of the primary analysis of each metric, and of each group."""
    frames = []
    for part in comparison.parts:
        for analysis in part.analyses:
            pairs = decided_pairs([analysis]).get(analysis.metric.name)
            table = _decisions(analysis) if pairs is None else pairs.to_frame()
            head = {"metric": analysis.metric.name}
            if comparison.grouped:
                head["group"] = part.group or "all"
            frames.append(table.assign(**head)[[*head, *table]])
    return pd.concat(frames, ignore_index=True)


def _decisions(analysis: Any) -> pd.DataFrame:
    """Return the decisions about pairs if no table of all pairs decides."""
    names = ("better", "worse", "p_value", "p_adjusted", "rejected")
    rows = [
        [getattr(decision, name) for name in names] for decision in analysis.decisions
    ]
    return pd.DataFrame(rows, columns=list(names))


def _glance_of(comparison: Comparison) -> dict[str, Any]:
    decided = [
        d for part in comparison.parts for a in part.analyses for d in a.decisions
    ]
    return {
        "analysis": comparison.parts[0].analyses[0].kind,
        "n_algorithms": len(comparison.scores.algorithms),
        "n_blocks": len(comparison.scores.blocks),
        "n_metrics": len(comparison.scores.metrics),
        "alpha": comparison.plan.alpha,
        "n_pairs": len(decided),
        "n_significant": sum(decision.rejected for decision in decided),
    }


def read_battles(path: str, arguments: Mapping[str, Any]) -> Answer:
    """Return the battles of a file as columns of a data frame."""

    def read() -> Answer:
        battles = battles_of_file(path, **_plain(arguments))
        return {"table": r_frames.to_r(battles.to_frame())}

    return _answered(read)


# ---- plans, reports and evidence ----------------------------------------------------


def plan(data: str, arguments: Mapping[str, Any]) -> Answer:
    """Return a plan file to fill in."""
    return _answered(lambda: {"text": starter_plan(data, **_plain(arguments))})


def seal(path: str, signed: Mapping[str, Any]) -> Answer:
    """Seal a plan file, or with a reason amend its seal."""

    def sealed() -> Answer:
        entry = seal_plan(Path(path), trail.Signed(**signed))
        return {"trail": str(trail.trail_path(Path(path))), "sha256": entry.sha256}

    return _answered(sealed)


def on_folders(name: str, folders: list[str], arguments: Mapping[str, Any]) -> Answer:
    """Verify a report, compare two, or unblind one."""

    def done() -> Answer:
        given = _plain(arguments)
        if name == "verify":
            checked = verify(*folders, **given)
            problems = pd.DataFrame(
                [vars(problem) for problem in checked.problems],
                columns=["file", "what", "place"],
            )
            table = r_frames.to_r(problems)
            return {
                "passed": checked.passed,
                "text": checked.summary(),
                "table": table,
            }
        if name == "diff":
            changes = diff(*folders)
            table = r_frames.to_r(changes.table)
            changed = changes.conclusions_changed
            return {
                "same": changes.same,
                "conclusions_changed": changed,
                "text": changes.summary(),
                "table": table,
            }
        return {"path": str(unblind(*folders, **given)), "text": "Names are back."}

    return _answered(done)


def power(design: str, truth: Mapping[str, Any], options: Mapping[str, Any]) -> Answer:
    """Return the power of a planned study."""

    def answer() -> Answer:
        if design not in DESIGNS:
            raise InputError(
                f"design: there is no {show(design)}{nearest(design, DESIGNS)}; there "
                f"are {', '.join(DESIGNS)}"
            )
        study = DESIGNS[design](**_plain(truth))
        return _described(planned(study, **_plain(options)))

    return _answered(answer)


# ---- pictures, reports, R functions ------------------------------------------------

_PICTURES = {
    "RankPairsResult": "critical_difference",
    "NemenyiResult": "critical_difference",
    "MeanPairsResult": "mean_differences",
    "AnovaResult": "residuals",
    "RankSets": "rank_intervals",
}


def picture(result: Any, name: str | None, path: str, width: float | None) -> Answer:
    """Draw a result into a file; the ending selects the kind.

    Without a name the picture is the usual one of such a result.
    """

    def drawn() -> Answer:
        pairs = _pairs_of(result)
        chosen = name or _PICTURES.get(type(pairs).__name__, "p_matrix")
        if chosen not in plotting.__all__ or chosen == "save":
            known = ", ".join(n for n in plotting.__all__ if n != "save")
            raise InputError(f"there is no picture {show(chosen)}; there are {known}")
        plotting.save(getattr(plotting, chosen)(pairs, width=width), path)
        return {"path": path, "picture": chosen}

    return _answered(drawn)


def _pairs_of(result: Any) -> Any:
    """Return the first decisive pairs of a comparison; other results as they are."""
    if not isinstance(result, Comparison):
        return result
    decided = list(decided_pairs(result.parts[0].analyses).values())
    if not decided:
        raise InputError("this analysis has no table of all pairs; write the report")
    return decided[0]


def report(result: Any, folder: str, arguments: Mapping[str, Any]) -> Answer:
    """Write the report folder of a result."""

    def written() -> Answer:
        given = _plain(arguments)
        if isinstance(given.get("formats"), str):
            given["formats"] = [given["formats"]]
        return {"path": str(reports.report(result, folder, **given))}

    return _answered(written)


def r_code(result: Any) -> Answer:
    """Return R code that repeats every number of a result."""
    return _answered(lambda: {"code": rscript.code(result)})


__all__ = [
    "call",
    "on_folders",
    "picture",
    "plan",
    "power",
    "propose",
    "r_code",
    "report",
    "seal",
]
