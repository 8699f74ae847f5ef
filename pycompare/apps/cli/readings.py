"""How a command reads its file, printed; or its analysis, if nothing is open."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pycompare.apps.cli.options import Grouped, GroupedOption, option, stated
from pycompare.apps.cli.spelling import as_option
from pycompare.base.errors import Setting, spelled
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import printable

if TYPE_CHECKING:
    from pycompare.data.proposal import Reading

ACCEPT = option(
    "--accept",
    is_flag=True,
    help="Run FILE as it is read, if nothing is open about it.",
    group="Data",
)


class OrReading(Grouped):
    """A command that prints how its file is read if no option gives it.

    The options that it requires are not required then.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.needed: list[click.Option] = []
        for param in self.params:
            if isinstance(param, click.Option) and param.required:
                param.required = False
                param.help = f"{param.help}  [required]"
                self.needed.append(param)


def require(context: click.Context, *names: str) -> None:
    """Reject options that are missing if a command does not print a reading.

    With names only these.
    """
    assert isinstance(context.command, OrReading)
    for param in context.command.needed:
        absent = context.params[str(param.name)] in (None, ())
        if absent and (not names or param.name in names):
            raise click.MissingParameter(ctx=context, param=param)


def reading_of_cases(context: click.Context, file: Path) -> Reading | None:
    """Return how predictions are read; None if options give it.

    Raises
    ------
    click.UsageError
        If options and ``--accept`` both give it.
    """
    from pycompare.data.proposal import propose_predictions

    said = [param for param in _stated(context) if param.group == "Data"]
    told = [param.opts[0] for param in said if param.name != "accept"]
    if told:
        if context.params["accept"]:
            raise click.UsageError(
                f"{told[0]} and --accept both state how FILE is read; leave one of "
                "them "
                "out"
            )
        return None
    form = {p.name: context.params[p.name] for p in _stated(context) if _of_file(p)}
    return propose_predictions(file, **form)


def _stated(context: click.Context) -> list[GroupedOption]:
    """Return the options that were given."""
    names = {*stated(context.params)}
    return [
        param
        for param in context.command.params
        if isinstance(param, GroupedOption) and param.name in names
    ]


def _of_file(param: GroupedOption) -> bool:
    return param.group == "File"


def print_or_run(
    file: Path,
    reading: Reading,
    run: Callable[[], None],
    commands: Mapping[str, str],
    *,
    accept: bool,
    as_json: bool,
    blind: bool = False,
) -> None:
    """Print how a file is read with status 2, or run it if nothing is open.

    ``commands`` are those that can read it, each with its further words. Blind: counts
    are printed, no labels.
    """
    if accept and not reading.questions:
        run()
        return
    if blind:
        counts = _counts(reading)
        told = json.dumps(counts, indent=1) if as_json else "\n".join(_listed(counts))
        click.echo(told)
    elif as_json:
        click.echo(json.dumps(reading.to_dict(), indent=1))
    else:
        for line in _told(file, reading, commands):
            click.echo(printable(line))
    count = len(reading.questions)
    click.echo(
        f"pycompare: {counted(count, 'open question')}"
        if count
        else "pycompare: nothing is open; --accept runs it",
        err=True,
    )
    click.get_current_context().exit(2)


def _counts(reading: Reading) -> dict[str, Any]:
    """Return how much a file holds and how much is open, without a label of it."""
    return {
        "rows": reading.n_rows,
        "columns": len(reading.columns),
        "table": reading.table,
        "open": len(reading.open) + bool(reading.problem),
        "doubts": {doubt.name: len(doubt.entries) for doubt in reading.doubts},
    }


def _listed(counts: Mapping[str, Any]) -> Iterator[str]:
    for name, count in counts.items():
        if isinstance(count, dict):
            for doubt, places in count.items():
                yield f"{doubt}: {counted(places, 'place')}"
        else:
            yield f"{name}: {count}"
    yield "Without --blind, the labels and the ways to answer are printed, too."


def _told(file: Path, reading: Reading, commands: Mapping[str, str]) -> Iterator[str]:
    """Yield how a file is read, the commands, and each open question."""
    yield f"{file.name}: {next(lines := reading.understood())}"
    for line in (*lines, *reading.noted()):
        yield f"  {spelled(line, as_option)}"
    words = [shlex.quote(str(file))]
    for name, value in reading.arguments.items():
        words += _as_words(reading, name, value)
    if reading.arguments:
        yield ""
        for command, more in commands.items():
            yield " ".join(["pycompare", command, *words, more])
    if reading.questions:
        yield ""
    for number, question in enumerate(reading.questions, start=1):
        yield f"{number}. " + " ".join(spelled(question, as_option).split())


def _as_words(reading: Reading, name: str, value: Any) -> list[str]:
    """Return an argument as the words of a command."""
    from pycompare.data.reading.proposed import OPEN_DIRECTION

    if name == "better":
        return []
    if name == "metric":
        better = reading.arguments.get("better", OPEN_DIRECTION)
        return ["--metric", shlex.quote(f"{value}:{better}")]
    if name == "metrics":
        return [
            word
            for metric, better in value.items()
            for word in ("--metric", shlex.quote(f"{metric}:{better}"))
        ]
    return [as_option(Setting(name, value))]


def typed(context: click.Context, *more: str) -> str:
    """Return the options of the analysis as they were typed, and further words."""
    by_word = {word: param for param in _stated(context) for word in param.opts}
    words, kept = sys.argv[1:], [""] * 0
    while words:
        word = words.pop(0)
        name, equals, _ = word.partition("=")
        param = by_word.get(name)
        if param is None:
            continue
        count = 0 if param.is_flag or equals else param.nargs
        if param.group not in ("Data", "File", "Output"):
            kept += [word, *words[:count]]
        del words[:count]
    return shlex.join([*kept, *more])
