"""The roles of columns of a table of scores, as a plan file specifies it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycompare.data.file_format import (
    DECIMALS,
    SEPARATORS,
    SPREADS,
    FileFormat,
    check_header,
)
from pycompare.data.missing import BOUNDS, OF_SCORES
from pycompare.data.readers.known import FORMAT_NAMES
from pycompare.data.reading.answers import (
    Answers,
    check_confirmed,
    check_leave_out,
)
from pycompare.data.roles import CASES_ONLY, LONG_ONLY, ROLES, roles_of
from pycompare.designs.plans.keys import (
    ANY_DESIGN,
    Flag,
    NameList,
    Number,
    NumberBy,
    PlanRule,
    Text,
    Word,
    broken,
    declare,
    faults,
    rule,
)
from pycompare.designs.plans.problems import refuse_any

_FORMATS = ("long", "wide", "results")
PREDICTIONS = ("label", "score", "positive")
"""What makes a table one of predictions; all of them or none."""
_OF_PREDICTIONS = "tables of predictions"
_ANSWERS = ("na", "leave_out", "confirmed")
_OF_TABLES = (
    *("percent", "spread", "number", "metric_column", "value", "truth", "one_is"),
)
_NUMBERED = ("block", "replicate")
"""What rows in the order of the file can be."""
_OF_RESULTS = "results of another program"
_OF_SCORES = "tables and results with scores"
_ONLY_RESULTS = ("results_format", "filter")
_NOT_RESULTS = (
    *(role for role in roles_of("long") if role not in roles_of("results")),
    *("algorithms", "sep", "percent", "sheet", "header", "spread", "transpose"),
    *("number", "metric_column", "value", "truth", "one_is"),
    *(name for name in _ANSWERS if name != "leave_out"),
    *PREDICTIONS,
)
_LISTS = ("algorithms", "classes", "percent", *_ANSWERS)


def _column(name: str) -> Any:
    """Make a field that is the key of a role."""
    role = ROLES[name]
    applies_to, option = ANY_DESIGN, role.option
    if name in LONG_ONLY:
        applies_to = "long tables"
    elif name in CASES_ONLY:
        applies_to, option = _OF_PREDICTIONS, ""  # no command compares predictions
    kind = Text(f"the name of the column of {role.holds}")
    return declare(
        None, kind, role.about, applies_to=applies_to, option=option, group="Data"
    )


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The table ``[data]`` of a plan file.

    Attributes
    ----------
    file : str or None
        The table of scores; its path is relative to the plan file.
    format : {"long", "wide", "results"}
        Long: one row per score. Wide: one row per block, one column per algorithm.
        Results: a file or folder of results of another program.
    results_format, filter : str or None
        Of results, as in ``pc.read_results``.
    algorithm, block, dataset, replicate, group, cluster, stratum : str or None
        Columns of labels, as in ``pc.read_scores``.
    judge : str or None
        Column of a judge's scores, as in ``pc.read_scores``.
    algorithms : tuple of str
        Wide tables: the columns that are algorithms; default all others.
    missing : {"error", "drop-block", "model", "worst", "bounds"}
        Treatment of cells without a score.
    worst : float, mapping of str to float, or None
        The worst score, of all metrics or by metric.
    sep, decimal, percent, sheet, header, spread
        How the file is written, as in ``pc.read_scores``.
    transpose, number, metric_column, value, truth, one_is, na, leave_out, confirmed
        Answers to questions about the table, as in ``pc.read_scores``.
    label, score, positive, case : str or None
        Columns of predictions and the label of the positive class, as in
        ``pc.read_predictions``. With them a row of the table is one case.
    rest : bool, default False
        All other classes are negative.
    classes : tuple of str
        Two classes of many; cases of others are left out.
    """

    file: str | None = declare(
        None,
        Text("the path of the table, relative to the plan file"),
        "Table of scores or predictions. Default: named on the command line.",
        option="FILE",
        group="Data",
    )
    format: str = declare(
        "long",
        Word(_FORMATS),
        "long: one row per score. wide: one row per block, one column per algorithm. "
        "results: a file or folder of results that another program wrote.",
        option="--wide",
        group="Data",
    )
    results_format: str | None = declare(
        None,
        Word(FORMAT_NAMES),
        "Program that wrote the results. Default: recognised by their contents.",
        applies_to=_OF_RESULTS,
        option="--results-format",
        group="Data",
    )
    filter: str | None = declare(
        None,
        Text("the name of a filter"),
        "Filter (lm-eval), perturbation (helm), split (mteb), label (nnu-net) or "
        "constraint (amlb), if the results have several.",
        applies_to=_OF_RESULTS,
        option="--filter",
        group="Data",
    )
    algorithm: str | None = _column("algorithm")
    block: str | None = _column("block")
    dataset: str | None = _column("dataset")
    replicate: str | None = _column("replicate")
    group: str | None = _column("group")
    cluster: str | None = _column("cluster")
    judge: str | None = _column("judge")
    stratum: str | None = _column("stratum")
    algorithms: tuple[str, ...] = declare(
        (),
        NameList(),
        "Columns of algorithms. Default: all except label columns.",
        applies_to="wide tables",
        option="--algorithms",
        group="Data",
    )
    missing: str = declare(
        "error",
        Word(OF_SCORES),
        "Missing cells. error: reject them. drop-block: drop their blocks. model: "
        "keep them and use methods for incomplete tables. worst: count them as the "
        "worst score, because the system failed. bounds, of a gate: worst for a pass, "
        "best for a fail.",
        option="--missing",
        group="Data",
    )
    worst: float | Mapping[str, float] | None = declare(
        None,
        NumberBy(Number(float("-inf"), expected="a number"), "metric"),
        'The worst score, for missing = "worst". Default: the bad end of the range '
        "of a known metric, such as 0 for an accuracy.",
        applies_to=_OF_SCORES,
        option="--worst",
        group="Data",
    )
    sep: str | None = declare(
        None,
        Word(SEPARATORS),
        "Separator of a text file: a comma, ; | tab or space (any number of blanks). "
        "Default: by the file's ending (.csv: commas, .tsv: tabs).",
        option="--sep",
        group="File",
    )
    decimal: str = declare(
        ".",
        Word(DECIMALS),
        "Decimal mark of a text file: a point or a comma.",
        option="--decimal",
        group="File",
    )
    percent: tuple[str, ...] = declare(
        (),
        NameList(),
        "Columns of scores in percent, with or without percent signs: they are divided "
        "by 100. all: all of them.",
        applies_to="tables of scores",
        option="--percent",
        group="File",
    )
    transpose: bool = declare(
        False,
        Flag(),
        "Rows are algorithms and columns are blocks, as in a leaderboard. Default: "
        "columns are algorithms.",
        applies_to="wide tables",
        option="--transpose",
        group="Data",
    )
    na: tuple[str, ...] = declare(
        (),
        NameList("a list of marks"),
        "Mark of a missing score, such as -1 or n/a, or COLUMN=MARK. A number is "
        "compared as a number, text exactly.",
        applies_to="tables of scores",
        option="--na",
        group="Data",
    )
    number: str | None = declare(
        None,
        Word(_NUMBERED),
        "What has no column and is numbered in the order of the file. block: rows. "
        "replicate: the rows of an algorithm and block are its runs.",
        applies_to="tables of scores",
        option="--number",
        group="Data",
    )
    metric_column: str | None = declare(
        None,
        Text("the name of the column of metrics"),
        "Column of names of metrics, if each row holds the score of one metric.",
        applies_to="long tables",
        option="--metric-column",
        group="Data",
    )
    value: str | None = declare(
        None,
        Text("the name of the column of scores"),
        "Column of scores of all metrics, beside metric_column; or of predicted "
        "classes, beside truth.",
        applies_to="long tables",
        option="--value",
        group="Data",
    )
    truth: str | None = declare(
        None,
        Text("the name of the column of true classes"),
        "Column of true classes, if the scores are predicted classes: 1 if both are "
        "equal, else 0. Rows are compared as cases.",
        applies_to="tables of scores",
        option="--truth",
        group="Data",
    )
    one_is: str | None = declare(
        None,
        Text("a label"),
        "Label that is set to 1, if the scores are one of two labels, such as pass and "
        "fail; the other is 0.",
        applies_to="tables of scores",
        option="--one-is",
        group="Data",
    )
    leave_out: tuple[str, ...] = declare(
        (),
        NameList("a list of KIND=NAME", check=check_leave_out),
        "Part of the table that is no data: block=NAME, dataset=, algorithm=, group= "
        "or column=NAME.",
        applies_to="tables of scores",
        option="--leave-out",
        group="Data",
    )
    confirmed: tuple[str, ...] = declare(
        (),
        NameList("a list of doubts", check=check_confirmed),
        "Doubt about the table that does not hold: its name, or NAME:PLACE.",
        applies_to="tables of scores",
        option="--confirm",
        group="Data",
    )
    sheet: str | None = declare(
        None,
        Text("the name of a sheet"),
        "Sheet of an .xlsx file. Default: the only sheet with data.",
        option="--sheet",
        group="File",
    )

    header: str | None = declare(
        None,
        Text("a line, two lines as '1 2', or none", check_header, "LINE"),
        "Lines that name the columns: 2, or '1 2' for names over two lines, or none. "
        "Default: the first line.",
        option="--header",
        group="File",
    )
    spread: str | None = declare(
        None,
        Word(SPREADS),
        "Treatment of a second number beside a score, as in 0.9 ± 0.1.",
        applies_to="tables of scores",
        option="--spread",
        group="File",
    )

    label: str | None = _column("label")
    score: str | None = _column("score")
    positive: str | None = declare(
        None,
        Text("the label of the positive class"),
        "Label of the positive class.",
        applies_to=_OF_PREDICTIONS,
        group="Data",
    )
    case: str | None = _column("case")
    rest: bool = declare(
        False,
        Flag(),
        "Treat all other classes as negative.",
        applies_to=_OF_PREDICTIONS,
        group="Data",
    )
    classes: tuple[str, ...] = declare(
        (),
        NameList("a list of two labels"),
        "The two classes to use, of several. Default: the table has two.",
        applies_to=_OF_PREDICTIONS,
        group="Data",
    )

    def __post_init__(self) -> None:
        """Reject settings that no table could make valid."""
        problems = faults(self)
        bad = {key for problem in problems for key in problem.keys}
        for name in set(_LISTS) - bad:
            object.__setattr__(self, name, tuple(getattr(self, name)))
        refuse_any((*problems, *broken(_CLASHES, self, skip=bad)))

    @property
    def wide(self) -> bool:
        """Return whether each column is an algorithm."""
        return self.format == "wide"

    @property
    def results(self) -> bool:
        """Return whether another program wrote the data, in a format of its own."""
        return self.format == "results"

    @property
    def predictions(self) -> bool:
        """Return whether a row is one case, with its true class and a score."""
        return any(getattr(self, name) is not None for name in PREDICTIONS)

    @property
    def answers(self) -> Answers:
        """Return the statements about doubtful parts of the table."""
        return Answers(
            self.confirmed,
            self.leave_out,
            self.na,
            self.number,
            self.metric_column,
            self.value,
            self.truth,
            self.one_is,
        )

    @property
    def file_format(self) -> FileFormat:
        """Return the declarations about the file."""
        percent = None if self.predictions else self.percent
        return FileFormat(
            sep=self.sep,
            decimal=self.decimal,
            percent=percent,
            sheet=self.sheet,
            header=self.header,
            spread=self.spread,
        )

    def columns(self) -> dict[str, str]:
        """Return the column of each role that has one."""
        named = {role: getattr(self, role) for role in ROLES}
        return {role: name for role, name in named.items() if name is not None}


@rule("format", "algorithm")
def _long_without_algorithm(roles: Roles) -> str | None:
    """Reject a long table whose algorithms are nowhere."""
    if roles.format != "long" or roles.algorithm is not None:
        return None
    return (
        "a long table needs algorithm, the name of the column of algorithms; set "
        'format = "wide" if each column is an algorithm'
    )


@rule("format", "block")
def _long_without_block(roles: Roles) -> str | None:
    """Reject a long table whose blocks are nowhere."""
    if roles.format != "long" or roles.block is not None or roles.number == "block":
        return None
    if roles.predictions:  # all cases are of one test set
        return None
    return "a long table needs block, the name of the column of data sets or folds"


@rule("format", "algorithm")
def _wide_with_algorithm(roles: Roles) -> str | None:
    """Reject a column of algorithms if the columns are the algorithms."""
    if not roles.wide or roles.algorithm is None:
        return None
    return "a wide table's columns are the algorithms; leave algorithm out"


@rule("format", "dataset", "block")
def _wide_with_dataset_alone(roles: Roles) -> str | None:
    """Reject data sets of a wide table whose rows have no column of folds."""
    if not roles.wide or roles.dataset is None or roles.block is not None:
        return None
    return "dataset needs block beside it, the column of folds; name it"


@rule("format", "replicate")
def _wide_with_replicate(roles: Roles) -> str | None:
    """Reject a column of runs in a wide table."""
    if not roles.wide or roles.replicate is None:
        return None
    return "a wide table has one score in each cell; leave replicate out"


@rule("number", "block", "replicate", "format")
def _numbered_twice(roles: Roles) -> str | None:
    """Reject to number what a column holds, and runs of a wide table."""
    if roles.number is None:
        return None
    if getattr(roles, roles.number) is not None:
        return (
            f"number = {roles.number!r} and {roles.number} both set it; leave one out"
        )
    if roles.wide and roles.number == "replicate":
        return "a wide table has one score in each cell; leave number out"
    return None


@rule("format", "metric_column", "value")
def _metrics_in_rows(roles: Roles) -> str | None:
    """Reject one of two columns, and columns of metrics of a wide table."""
    named = (roles.metric_column, roles.value)
    if named == (None, None):
        return None
    if roles.wide:
        return "a wide table holds one metric; leave metric_column and value out"
    if None in named and not (roles.truth and roles.value):
        return "metric_column and value are named together, or none of them"
    return None


@rule("format", "truth", "metric_column", "value", "one_is", "transpose")
def _true_classes(roles: Roles) -> str | None:
    """Reject true classes beside another statement about the scores."""
    if roles.truth is None:
        return None
    others = ("metric_column", "one_is", "transpose")
    if given := [name for name in others if getattr(roles, name)]:
        return f"truth and {given[0]} exclude each other; leave one of them out"
    if roles.format == "long" and roles.value is None:
        return "truth needs value, the name of the column of predicted classes"
    return None


@rule("format", "transpose")
def _long_transposed(roles: Roles) -> str | None:
    """Reject to turn a table round that is not wide."""
    if roles.wide or not roles.transpose:
        return None
    return "transpose is for wide tables; leave it out, or state that the table is wide"


@rule(*PREDICTIONS, *_ANSWERS)
def _answers_about_predictions(roles: Roles) -> str | None:
    """Reject answers about tables of scores if rows are predictions."""
    given = [name for name in _ANSWERS if getattr(roles, name)]
    if not roles.predictions or not given:
        return None
    return f"{given[0]} is for tables of scores; leave it out"


@rule("missing", "worst")
def _worst_without_policy(roles: Roles) -> str | None:
    """Reject a worst score that nothing takes, and one of predictions."""
    if roles.predictions and roles.missing in ("worst", BOUNDS):
        return 'predictions have no worst score; set missing = "drop-block" or "error"'
    if roles.worst is None or roles.missing == "worst":
        return None
    return 'worst is for missing = "worst"; leave it out'


@rule("format", "algorithms")
def _long_with_algorithms(roles: Roles) -> str | None:
    """Reject columns as algorithms if they are the labels of one column."""
    if roles.wide or not roles.algorithms:
        return None
    return "algorithms names columns of a wide table; leave it out of a long one"


@rule("format", *_ONLY_RESULTS, *_NOT_RESULTS)
def _keys_of_results(roles: Roles) -> str | None:
    """Reject keys of results for tables, and keys of tables for results."""
    wrong = _NOT_RESULTS if roles.results else _ONLY_RESULTS
    given = [name for name in wrong if getattr(roles, name)]
    if not given:
        return None
    whose = "tables" if roles.results else _OF_RESULTS
    return f'{given[0]} is for {whose}, and format = "{roles.format}"; leave it out'


@rule(*PREDICTIONS)
def _half_of_predictions(roles: Roles) -> str | None:
    """Reject some of what makes predictions without the others."""
    needed = [name for name in PREDICTIONS if name != "score" or not roles.wide]
    absent = [name for name in needed if getattr(roles, name) is None]
    if not roles.predictions or not absent:
        return None
    return (
        f"{', '.join(needed[:-1])} and {needed[-1]} together state that a row is a "
        f"prediction of one case; {' and '.join(absent)} "
        f"{'is' if len(absent) == 1 else 'are'} missing"
    )


@rule(*PREDICTIONS, "case", "rest", "classes")
def _cases_without_predictions(roles: Roles) -> str | None:
    """Reject settings that only predictions have."""
    given = [name for name in ("case", "rest", "classes") if getattr(roles, name)]
    if roles.predictions or not given:
        return None
    return f"{given[0]} is for predictions: name label, score and positive as well"


@rule("cluster", *PREDICTIONS)
def _clusters_of_predictions(roles: Roles) -> str | None:
    """Reject clusters of blocks if the blocks are folds of predictions."""
    if not roles.predictions or roles.cluster is None:
        return None
    return "cluster is for tables of scores of cases; leave it out"


@rule(*_OF_TABLES, *PREDICTIONS)
def _percent_of_predictions(roles: Roles) -> str | None:
    """Reject the declarations about columns of scores if the scores are of cases."""
    given = [name for name in _OF_TABLES if getattr(roles, name)]
    if not roles.predictions or not given:
        return None
    return f"{given[0]} is for tables of scores; leave it out"


@rule("format", "algorithms", *PREDICTIONS)
def _wide_predictions(roles: Roles) -> str | None:
    """Reject predictions in a wide table whose columns of scores are not named."""
    if not roles.wide or not roles.predictions:
        return None
    if roles.score is not None:
        return "a wide table has a column of scores per algorithm; leave score out"
    if not roles.algorithms:
        return "a wide table of predictions needs algorithms, its columns of scores"
    return None


@rule("rest", "classes", "positive")
def _classes_that_clash(roles: Roles) -> str | None:
    """Reject two ways to choose classes, or a choice without the positive one."""
    if not roles.classes:
        return None
    if roles.rest:
        return "rest takes all classes and classes two of them; leave one out"
    if len(set(roles.classes)) != 2 or len(roles.classes) != 2:
        return "classes: give two labels that differ"
    if roles.positive is not None and roles.positive not in roles.classes:
        return f"classes: positive = {roles.positive!r} is not one of them"
    return None


@rule(*ROLES)
def _one_column_for_two(roles: Roles) -> str | None:
    """Reject a column with two roles, unless groups are clusters, too."""
    own = roles.columns()
    if own.get("group") == own.get("cluster"):
        own = {role: name for role, name in own.items() if role != "cluster"}
    named = list(own.values())
    twice = {name for name in named if named.count(name) > 1}
    if not twice:
        return None
    return f"column {twice.pop()!r} has two roles; name a column for each"


_CLASHES: tuple[PlanRule, ...] = (
    _long_without_algorithm,
    _long_without_block,
    _wide_with_algorithm,
    _wide_with_dataset_alone,
    _wide_with_replicate,
    _worst_without_policy,
    _numbered_twice,
    _metrics_in_rows,
    _true_classes,
    _long_transposed,
    _answers_about_predictions,
    _long_with_algorithms,
    _keys_of_results,
    _half_of_predictions,
    _cases_without_predictions,
    _clusters_of_predictions,
    _percent_of_predictions,
    _wide_predictions,
    _classes_that_clash,
    _one_column_for_two,
)
"""Each takes the roles and returns the problem and its remedy, or None."""
