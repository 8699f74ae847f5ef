"""The program: its commands, and how it ends.

Exit status: 0 done, 1 a check failed or a fault of ours, 2 bad input (one line per
problem), 130 interrupted, 143 or 129 ended by SIGTERM or SIGHUP.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from datetime import UTC, datetime
from importlib import import_module
from types import FrameType
from typing import NoReturn

import click

from pycompare.apps.cli.console import lost_output, use_any_console
from pycompare.apps.cli.spelling import as_option
from pycompare.base.environment import given_date
from pycompare.base.errors import DoubtError, PlanError, PyCompareError, spelled
from pycompare.base.version import __version__

_COMMANDS = {
    "Compare": {
        "compare": "Compare algorithms on a table of scores and write a report.",
        "curves": "Compare ROC curves on predictions and write a report.",
        "mrmc": "Compare modalities over several readers and cases.",
        "battles": "Compare strengths of models by battles that voters decided.",
        "gate": "Decide whether a candidate may replace a baseline.",
        "model": "Fit a linear model by formula and test its terms.",
    },
    "Prepare": {
        "measure": "Measure predictions: one score per algorithm, block and metric.",
        "power": "Compute the power of a planned study, or the size that it needs.",
        "plan": "Write a plan file to fill in before the analysis.",
        "run": "Run a plan file and write a report.",
        "experiment": "Train and test learners on data sets.",
        "example": "Print an example table or plan.",
        "resume": "Go on with an interrupted command.",
    },
    "Check": {
        "validate": "Compare every statistic with R on this machine.",
        "verify": "Check that a report is as it was written.",
        "unblind": "Write a blinded report with the names of the algorithms.",
        "diff": "Show the changes between two reports.",
        "certificate": "Write ranks with their uncertainty, to embed and verify.",
        "simulate": "Run a simulation study of tests on known truth.",
    },
}
"""Commands by their purpose, with their line of help."""


_LEAST_MEMORY = 2**30
"""Bytes of address space; 700 MB do not do for the smallest example on two cores."""

_NEW_OBJECTS = 400_000
"""New objects after which garbage is collected: by Python's 700, a tenth of a short
command would be spent on it, since modules and pages are many objects that stay."""

_THREADS = tuple(f"{library}_NUM_THREADS" for library in ("OMP", "OPENBLAS", "MKL"))
"""How a user sets the threads of linear algebra. By default there is one: more wait for
each other in loops, and a small linear model would take four times the CPU."""


class Commands(click.Group):
    """Commands that are imported when they are called, so that help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [name for commands in _COMMANDS.values() for name in commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; for an unknown one suggest the nearest."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            from pycompare.base.labels import nearest

            ctx.fail(
                f"no such command {args[0]!r}{nearest(args[0], known)}; commands: "
                f"{', '.join(known)}"
            )
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        _require_memory()
        module = import_module(f"pycompare.apps.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """List the commands by their purpose."""
        for title, commands in _COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pycompare")
@click.pass_context
def cli(context: click.Context) -> None:
    """Compare classification algorithms, models and readers.

    Example: pycompare compare scores.csv --wide --metric accuracy:higher --out report
    """
    context.obj = datetime.now(UTC)  # when it was called, for the manifest of a report


def main() -> None:
    """Run the command line; bad input is one clear line on stderr and status 2."""
    _save_cpu()
    _leave_nothing()
    use_any_console()
    try:
        given_date()
        status = cli.main(prog_name="pycompare", standalone_mode=False)
        if (error := lost_output()) is not None:
            raise OSError(error.errno, error.strerror, "standard output")
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.NoSuchOption as error:
        from pycompare.base.labels import closest

        name, options = error.option_name, error.possibilities or ()
        # A name with a word before it is nearer than one with another letter.
        longer = [option for option in options if option.endswith(name[1:])]
        near = (longer or list(closest(name, options)))[:1]
        again = click.NoSuchOption(name, possibilities=near)
        _refuse(again.format_message() + _where_else(name))
    except click.ClickException as error:
        _refuse(error.format_message())
    except PlanError as error:
        _refuse(*error.lines)
    except DoubtError as error:
        _refuse(*error.lines, what="open questions")
    except PyCompareError as error:
        _refuse(error.message)
    except OSError as error:
        from pycompare.base.file_errors import told

        _refuse(told(error))
    except ImportError as error:
        if "failed to map segment" not in str(error):  # a library that finds no memory
            raise
        _refuse(f"not enough memory: {error}")
    except RecursionError:
        _refuse("a path, a formula or a file is nested too deeply; make it flatter")
    except MemoryError as error:
        _refuse(f"not enough memory: {str(error) or 'give it more, or less data'}")
    except click.exceptions.Abort:
        click.echo("pycompare: interrupted", err=True)
        sys.exit(130)
    sys.exit(status or 0)


def _save_cpu() -> None:
    """Set up this process, which is the command's own, before libraries are loaded."""
    os.environ.pop("MPLBACKEND", None)  # a command opens no window
    gc.set_threshold(_NEW_OBJECTS)
    # Python would look for garbage in all modules when the process ends anyway
    atexit.register(gc.freeze)
    if not any(name in os.environ for name in _THREADS):
        os.environ.update(dict.fromkeys(_THREADS, "1"))


def _leave_nothing() -> None:
    """Let a process that is asked to end remove its unfinished files.

    Python ends at once for these signals, and unfinished folders would stay. Who called
    with a signal ignored, as ``nohup`` does, goes on ignoring it.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _where_else(option: str) -> str:
    """Return which other commands have an option, such as ``--blind``."""
    context = click.Context(cli)
    every = (
        (name, cli.get_command(context, name)) for name in cli.list_commands(context)
    )
    names = [
        n
        for n, command in every
        if command and any(option in p.opts for p in command.params)
    ]
    return f" It is an option of: {', '.join(names)}." if names else ""


def _require_memory() -> None:
    """Reject a limit under which the libraries cannot be loaded.

    With less, OpenBLAS tries again without end, and imports end in tracebacks.

    Raises
    ------
    MemoryError
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _LEAST_MEMORY:
        raise MemoryError(
            f"this process may use {limit / 2**20:.0f} MB (ulimit -v), and NumPy, "
            f"SciPy and matplotlib need at least {_LEAST_MEMORY / 2**20:.0f} MB"
        )


def _refuse(*problems: str, what: str = "problems") -> NoReturn:
    """Print one line for each problem and end with status 2."""
    from pycompare.base.labels import printable

    lines = [
        printable(" ".join(spelled(problem, as_option).split())) for problem in problems
    ]
    if len(lines) > 1:
        lines = [f"{len(lines)} {what}:", *(f"  {line}" for line in lines)]
    click.echo("pycompare: " + "\n".join(lines), err=True)
    sys.exit(2)
