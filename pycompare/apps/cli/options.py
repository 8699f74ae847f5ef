"""Options that commands share, made from the keys of a plan if they are such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from pycompare.base.file_errors import about
from pycompare.base.labels import nearest
from pycompare.data.roles import ROLES
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import (
    Flag,
    Kind,
    NameList,
    Number,
    NumberBy,
    NumberOfEach,
    PlanKey,
    RangeBy,
    Text,
    Whole,
    Word,
    WordOrOne,
    WordOrShare,
    WordUnless,
    keys_of,
)
from pycompare.designs.plans.threshold_keys import LossMatrix, RateRange

_T = TypeVar("_T")

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


_ALL = "pycompare.help_all"
"""Where the context keeps that all options are listed."""


class Grouped(click.Command):
    """A command whose help lists its options in groups, and ends with an example.

    With ``first``, names of parameters, help lists these alone, and ``--help-all`` all.
    """

    def __init__(
        self,
        *args: Any,
        example: str = "",
        in_plans: str = "",
        first: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.in_plans = in_plans
        self.first = first
        if first:
            self.params.append(_help_all())

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the options by group, in order of first appearance, or the first few."""
        if self.first and not ctx.meta.get(_ALL):
            self._format_first(ctx, formatter)
            return
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                title = param.group if isinstance(param, GroupedOption) else "Other"
                groups.setdefault(title, []).append(record)
        others = groups.pop("Other")  # --help
        for title, records in (groups | {"Other": others}).items():
            with formatter.section(title):
                formatter.write_dl(records)
        if self.in_plans:
            with formatter.section("Plan file only"):
                formatter.write_text(self.in_plans)
        if self.example:
            with formatter.section("Example"):
                formatter.write_text(self.example)

    def _format_first(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options of a first use, and one example."""
        params = {param.name: param for param in self.get_params(ctx)}
        shown = [params[name] for name in (*self.first, "help_all")]
        records = (param.get_help_record(ctx) for param in shown)
        with formatter.section("Options of a first use"):
            formatter.write_dl([record for record in records if record is not None])
        with formatter.section("Example"):
            formatter.write_text(self.example.split("\n\n")[0])


def _help_all() -> click.Option:
    """Return the option that prints help with all options."""

    def told(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            ctx.meta[_ALL] = True
            click.echo(ctx.get_help())
            ctx.exit()

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=told,
        help="Show all options, in groups, and exit.",
    )


class GroupedOption(click.Option):
    """An option that belongs to a group of the help text.

    One that has a single value is rejected if it is given twice.
    """

    def __init__(self, *args: Any, group: str = "Other", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.single = not (self.multiple or self.is_flag)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser keep every value that is given, not the last one."""
        if not self.single:
            super().add_to_parser(parser, ctx)
            return
        parser.add_option(
            obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs
        )

    def handle_parse_result(
        self, ctx: click.Context, opts: Any, args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the one value of an option that has one, or reject several."""
        given = opts.get(self.name) if self.single else None
        if isinstance(given, list):
            if len(given) > 1:
                raise click.UsageError(_given_again(self.opts[0], given))
            opts = {**opts, str(self.name): given[0]}
        return super().handle_parse_result(ctx, opts, args)


def _given_again(option: str, given: Sequence[Any]) -> str:
    """Return the message that an option with one value has several, and which."""
    values = [value if isinstance(value, str) else " ".join(value) for value in given]
    told = " and ".join(f"{option} {value!r}" for value in values)
    return f"{told} are given, and {option} has one value: give it once"


def option(*names: str, group: str = "Other", **kwargs: Any) -> Decorator:
    """Make an option of a group."""
    return click.option(*names, cls=GroupedOption, group=group, **kwargs)


def together(*parts: Decorator) -> Decorator:
    """Apply several decorators, the first one outermost."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for part in reversed(parts):
            command = part(command)
        return command

    return decorate


def declared(owner: type, *left_out: str, group: str = "") -> Decorator:
    """Make an option of each key that a plan's table declares with one.

    Options that are not given are None, or empty: the declared default then holds. With
    ``group`` only of the keys in it.
    """
    keys = [key for key in keys_of(owner).values() if group in ("", key.group)]
    return together(
        *(
            option(
                key.option,
                key.name,
                group=key.group,
                help=_help_of(key),
                **_click_type(key.kind),
            )
            for key in keys
            if key.option.startswith("--") and key.name not in left_out
        )
    )


def without_option(*owners: type) -> list[str]:
    """Return the keys of a plan that the command line has no option for."""
    keys = [key for owner in owners for key in keys_of(owner).values()]
    return [key.name for key in keys if not key.option and key.name != "metrics"]


def _help_of(key: PlanKey) -> str:
    """Return the text of a key, with its default."""
    shown = key.default not in (None, (), False, "")
    repeated = " Repeatable." if isinstance(key.kind, NameList) else ""
    return key.about + repeated + (f"  [default: {key.default}]" if shown else "")


def _number(text: str) -> float:
    """Read a number as a plan file does: without a point it is a whole number."""
    try:
        return int(text)
    except ValueError:
        return float(text)


class _NumberAsWritten(click.types.FloatParamType):
    """A number as a plan file reads it."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, a whole one if there is no point."""
        super().convert(value, param, ctx)  # refuses what is none
        return _number(value) if isinstance(value, str) else value


class Choice(click.Choice[str]):
    """One of a few words; for another one the nearest is suggested."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what may be chosen, and the nearest of it."""
        told = super().get_invalid_choice_message(value, ctx)
        near = nearest(value, map(str, self.choices))
        return told.rstrip(".") + near if near else told


class _WordUnlessOption(Choice):
    """One of a few words; others that people write are rejected with their meanings."""

    def __init__(self, words: Sequence[str], unclear: Mapping[str, str]) -> None:
        super().__init__(words)
        self.unclear = unclear

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the word, or state what another one may mean."""
        meaning = self.unclear.get(value)
        if meaning is not None:
            chosen = ", ".join(map(str, self.choices))
            self.fail(f"{meaning}: choose {chosen}", param, ctx)
        return super().convert(value, param, ctx)


class _WordOrOneOption(Choice):
    """A word, or 1 as the number that it is."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the word, or the number."""
        word = super().convert(value, param, ctx)
        return 1 if word == "1" else word


class _WordOrShareOption(click.ParamType):
    """A word, or a number between 0 and 1; the plan checks both."""

    name = "word or number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number, if it is one."""
        return value if not isinstance(value, str) else _number_or_text(value)


def _number_or_text(value: str) -> float | str:
    """Return a number as a plan file reads it, or the text."""
    try:
        float(value)
    except ValueError:
        return value
    return _number(value)


def _click_type(kind: Kind) -> dict[str, Any]:
    """Return how the command line reads values of a kind; the plan checks them."""
    if isinstance(kind, WordOrOne):
        return {"type": _WordOrOneOption((*kind.words, "1"))}
    if isinstance(kind, WordOrShare):
        return {"type": _WordOrShareOption(), "metavar": f"{'|'.join(kind.words)}|X"}
    if isinstance(kind, WordUnless):
        return {"type": _WordUnlessOption(kind.words, kind.unclear)}
    if isinstance(kind, Word):
        marks = not all(word[0].isalnum() for word in kind.words)
        return {"type": Choice(kind.words), "metavar": "MARK" if marks else None}
    if isinstance(kind, Flag):
        return {"is_flag": True}
    if isinstance(kind, Number):
        return {"type": _NumberAsWritten(), "metavar": "X"}
    if isinstance(kind, NumberOfEach) and kind.words:
        words = "|".join(kind.words)
        return {
            "multiple": True,
            "metavar": f"{words}|NAME=X",
            "callback": partial(_parse_word_or_numbers, words=kind.words),
        }
    if isinstance(kind, NumberOfEach):
        return {"multiple": True, "metavar": "NAME=X", "callback": parse_numbers}
    if isinstance(kind, NumberBy):
        return {"multiple": True, "metavar": "X|NAME=X", "callback": parse_numbers}
    if isinstance(kind, RangeBy):
        return {
            "multiple": True,
            "metavar": "LOW,HIGH|NAME=LOW,HIGH",
            "callback": parse_ranges,
        }
    if isinstance(kind, Whole):
        return {"type": int, "metavar": "N"}
    if isinstance(kind, NameList):
        return {"multiple": True, "metavar": "NAME"}
    if isinstance(kind, RateRange):
        return {"nargs": 2, "type": float, "metavar": "LOW HIGH"}
    if isinstance(kind, LossMatrix):
        return {
            "nargs": 4,
            "type": float,
            "metavar": "TP FP FN TN",
            "callback": parse_loss,
        }
    return {"metavar": kind.metavar if isinstance(kind, Text) else "NAME"}


def stated(options: Iterable[str]) -> list[str]:
    """Return which options of the running command the user gave on its line."""
    source = click.get_current_context().get_parameter_source
    return [name for name in options if source(name) is ParameterSource.COMMANDLINE]


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, so that declared defaults hold."""
    return {
        name: value
        for name, value in options.items()
        if value is not None and value != () and value is not False
    }


AS_WRITTEN = declared(Roles, "percent", "spread", group="File")
"""How a file is written, if its columns are not scores to compare."""


def _parse_formats(
    ctx: click.Context, param: click.Parameter, value: str
) -> tuple[str, ...]:
    """Turn ``html,pdf`` into names; each must be a format that can be written."""
    from pycompare.reporting.render import check_formats

    return check_formats(name.strip() for name in value.split(","))


EDITION = {
    "formats": option(
        "--format",
        "formats",
        default="html",
        show_default=True,
        metavar="NAME,...",
        callback=_parse_formats,
        group="Output",
        help="Formats of the report, separated by commas: html, docx, latex, md, "
        "pdf, rtf, text.",
    ),
    "style": option(
        "--style",
        type=Choice(["page", "statistical-report"]),
        default="page",
        show_default=True,
        group="Output",
        help="Order of the parts: the most important first, or as submissions want it.",
    ),
    "rounding": option(
        "--rounding",
        type=Choice(["half-even", "half-away"]),
        default="half-even",
        show_default=True,
        group="Output",
        help="Rounding of printed numbers: ties to the even digit (as C, R, Python) or "
        "away from zero (as SAS).",
    ),
    "cross_check": option(
        "--cross-check",
        is_flag=True,
        group="Output",
        help="Run reproduce.R while the report is made, and show agreeing digits. "
        "Exit status 1 if a number differs.",
    ),
    "paper": option(
        "--paper",
        is_flag=True,
        group="Output",
        help="Also write each figure for a paper: PDF and SVG at the width of one "
        "column (88 mm) and of two (183 mm).",
    ),
    "with_program": option(
        "--with-program",
        is_flag=True,
        group="Output",
        help="Print the R program at the end of PDF, DOCX, RTF and other documents, "
        "too. Default: they name reproduce.R.",
    ),
}
"""Options that go to ``report`` as they are, by its parameters."""


_DEFAULT_FOLDER = Path("report")
GATE_FOLDER = Path("gate")


@dataclass(frozen=True)
class Output:
    """Where a command writes its report, and how.

    Attributes
    ----------
    folder : Path or None
    as_json : bool
        Whether to print the results as JSON.
    options : dict
        Keyword arguments of ``report``.
    """

    folder: Path | None
    as_json: bool
    options: dict[str, Any]

    @property
    def target(self) -> Path:
        """The folder, of commands that always write a report."""
        return _DEFAULT_FOLDER if self.folder is None else self.folder

    @property
    def overwrite(self) -> bool:
        """Whether an earlier report is replaced."""
        return bool(self.options["overwrite"])


def _dated(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
    """Let the date stand for the time of the report until the command ends."""
    if text is not None:
        from pycompare.reporting.provenance import dated

        ctx.with_resource(dated(text))


_DATE = option(
    "--date",
    metavar="DATE",
    callback=_dated,
    expose_value=False,
    group="Output",
    help="Date of the report, such as 2026-11-22, with or without the time. Set it "
    "for byte-identical reports. Default: now.",
)


def writes_report(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that writes a report its options, gathered as ``output``."""

    @wraps(command)
    def gathered(*args: Any, out: Path | None, as_json: bool, **given: Any) -> None:
        options = {name: given.pop(name) for name in ("overwrite", *EDITION)}
        command(*args, output=Output(out, as_json, options), **given)

    return together(_DATE, *EDITION.values())(gathered)


def _writable(
    ctx: click.Context, param: click.Parameter, path: Path | None
) -> Path | None:
    """Reject a folder within a file."""
    for parent in path.parents if path else ():
        if parent.exists() and not parent.is_dir():
            raise click.BadParameter(
                f"{parent} is a file, and a report is a folder; choose another place"
            )
    return path


def out_options(*, required: bool, default: str = "print the results") -> Decorator:
    """Make the options that state where a report goes."""
    return together(
        option(
            "--out",
            type=click.Path(path_type=Path),
            callback=_writable,
            required=required,
            metavar="DIR",
            group="Output",
            help="Report folder." + f" Default: {default}." * (not required),
        ),
        option(
            "--overwrite",
            is_flag=True,
            group="Output",
            help="Replace an existing report in DIR.",
        ),
        option(
            "--json",
            "as_json",
            is_flag=True,
            group="Output",
            help="Print the results as JSON.",
        ),
    )


OUT = out_options(required=True)
"""Where a report goes."""
REPORT = together(OUT, writes_report)
"""Where a report goes, and how it is written."""
READING_OR_REPORT = together(
    out_options(
        required=False, default="report (with FILE alone, print how it is read)"
    ),
    writes_report,
)
"""The same of a command that prints how its file is read."""


def parse_metrics(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """Turn ``NAME:higher`` into a mapping; the last colon divides.

    Of ``NAME`` alone the direction is None: results of other programs may show it.
    """
    metrics: dict[str, Any] = {}
    for value in values:
        better: str | None
        name, colon, better = value.rpartition(":")
        if value and not colon:
            name, better = value, None
        elif better not in ("higher", "lower") or not name:
            raise _no_direction(value, name, better)
        if name in metrics:
            raise click.UsageError(
                f"{param.opts[0]} names {name!r} twice: {' and '.join(values)}; give "
                "each metric once"
            )
        metrics[name] = better
    return metrics


def require_directions(metrics: dict[str, Any]) -> None:
    """Reject a metric without its better direction."""
    for name, better in metrics.items():
        if better is None:
            raise _no_direction(name, name)


def _no_direction(value: str, name: str, better: str = "") -> click.UsageError:
    return click.UsageError(
        f"--metric {value!r}: state which scores are better, as in "
        f"'{name or value}:higher' or '{name or value}:lower'"
        f"{nearest(better, ('higher', 'lower'))}"
    )


def parse_numbers(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> float | dict[str, float] | None:
    """Turn ``0.1`` into a number and each ``NAME=0.1`` into an entry of a mapping."""
    return _one_or_named(
        *(param, values, _number),
        wrong="give a number, or NAME=NUMBER",
        once="give one number, or NAME=NUMBER once for each name",
    )


def _parse_word_or_numbers(
    ctx: click.Context,
    param: click.Parameter,
    values: tuple[str, ...],
    *,
    words: tuple[str, ...],
) -> str | float | dict[str, str | float] | None:
    """Turn each ``NAME=0.1`` into an entry of a mapping; a word remains itself."""
    listed = ", ".join(words)

    def read(text: str) -> str | float:
        return text if values == (text,) and text in words else _number(text)

    return _one_or_named(
        *(param, values, read),
        wrong=f"give {listed}, or NAME=NUMBER",
        once=f"give {listed}, or NAME=NUMBER once for each name",
    )


def parse_ranges(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[float, float] | dict[str, tuple[float, float]] | None:
    """Turn ``0,1`` into two numbers and each ``NAME=0,1`` into an entry."""

    def ends(text: str) -> tuple[float, float]:
        low, high = map(_number, text.split(","))
        return low, high

    return _one_or_named(
        *(param, values, ends),
        wrong="give the lowest and the highest possible score, as in 0,1 or NAME=0,1",
        once="give one range, or NAME=LOW,HIGH once for each name",
    )


def _one_or_named(
    param: click.Parameter,
    values: tuple[str, ...],
    read: Callable[[str], _T],
    *,
    wrong: str,
    once: str,
) -> _T | dict[str, _T] | None:
    """Return the only value, or each ``NAME=value`` by its name."""
    named: dict[str, _T] = {}
    for value in values:
        name, equals, text = value.rpartition("=")
        try:
            parsed = read(text)
        except ValueError:
            raise click.UsageError(f"{param.opts[0]} {value!r}: {wrong}") from None
        if not equals and len(values) == 1:
            return parsed
        if not name or name in named:
            given = " and ".join(f"{param.opts[0]} {each!r}" for each in values)
            raise click.UsageError(f"{given}: {once}")
        named[name] = parsed
    return named or None


def parse_loss(
    ctx: click.Context, param: click.Parameter, value: Sequence[float] | None
) -> tuple[tuple[float, ...], ...] | None:
    """Turn four costs into two rows: classified positive, classified negative."""
    return None if value is None else (tuple(value[:2]), tuple(value[2:]))


def column(name: str, what: str = "") -> Decorator:
    """Make an option that names a column of predictions; ``what`` explains it."""
    role = ROLES[name]
    return option(
        role.option,
        metavar="COL",
        required=name == "label",
        help=what or role.of_predictions or role.about,
        group="Data",
    )


def of_predictions(case: str = "") -> Decorator:
    """Make the argument and options that name predictions; ``case`` explains --case."""
    return together(
        click.argument("predictions", type=click.Path(path_type=Path)),
        column("algorithm"),
        column("score"),
        option(
            "--algorithms",
            multiple=True,
            metavar="COL",
            help="In their place the columns of scores of each algorithm, if a row is "
            "a case. Repeatable.",
            group="Data",
        ),
        column("block"),
        column("label"),
        option(
            "--positive",
            metavar="LABEL",
            required=True,
            help="The positive class.",
            group="Data",
        ),
        column("dataset"),
        column("case", case),
        option(
            "--rest",
            is_flag=True,
            help="Treat all other classes as negative.",
            group="Data",
        ),
        AS_WRITTEN,
        option(
            "--classes",
            nargs=2,
            metavar="LABEL LABEL",
            help="The two classes to use, of several.",
            group="Data",
        ),
    )


def one_class(missing: str) -> Decorator:
    """Make the options about blocks that cannot be measured."""
    return together(
        option(
            "--one-class",
            type=Choice(["error", "undefined"]),
            default="error",
            show_default=True,
            help="Blocks whose cases are all of one class: raise an error, or leave "
            "measures that need both classes undefined.",
            group="Data",
        ),
        option(
            "--missing",
            type=Choice(["error", "drop-block", "model"]),
            default="error",
            show_default=True,
            help=missing,
            group="Data",
        ),
    )


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        stream = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise click.UsageError(f"{path} exists; choose another name") from None
    with about(path), stream:
        stream.write(text)
