"""Options of commands that may take long: workers, and the folder of parts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import GATE_FOLDER, Decorator, option, together


def _workers(default: str = "1") -> Decorator:
    return option(
        "--workers",
        type=int,
        metavar="N",
        help="Worker processes on this machine. If one is killed, its unfinished work "
        f"is done again.  [default: {default}]",
        group="Running",
    )


_SCHEDULER = option(
    "--scheduler",
    metavar="ADDRESS|FILE|env",
    help="Address of a dask.distributed scheduler, its file, or env "
    "(DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare and the same files; "
    "both are checked.",
    group="Running",
)
_HELP = (
    "Folder for finished parts. An interrupted run resumes where it stopped, by the "
    "same command or by pycompare resume DIR."
)
_REMOVED = " Removed at the end. Default after a minute of work: OUT.unfinished."
_STAYS = " A later run with more trials adds to it."


def _keep(more: str) -> Decorator:
    return option(
        "--keep",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help=_HELP + more,
        group="Running",
    )


def long_work(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of long work, and let its jobs use them."""
    return together(_workers(), _SCHEDULER, _keep(_REMOVED))(_running(command))


def report_work(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the same options; without --out its report has a folder, too."""
    options = together(_workers(), _SCHEDULER, _keep(_REMOVED))
    return options(_running(command, out="target"))


def gate_work(command: Callable[..., None]) -> Callable[..., None]:
    """Give a gate the same options; without --out its report is in a folder gate."""
    options = together(_workers(), _SCHEDULER, _keep(_REMOVED))
    return options(_running(command, default=GATE_FOLDER))


def work_of_all_cores(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the same options; by default all cores work."""
    options = together(_workers("one per core"), _SCHEDULER, _keep(_REMOVED))
    return options(_running(command))


def added_work(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the same options; the folder stays, and later runs add to it."""
    options = together(_workers(), _SCHEDULER, _keep(_STAYS))
    return options(_running(command, stays=True))


def shared_work(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command whose --out keeps its finished parts the options of workers."""
    return together(_workers(), _SCHEDULER)(_running(command))


def _running(
    command: Callable[..., None],
    *,
    stays: bool = False,
    out: str = "folder",
    default: Path | None = None,
) -> Callable[..., None]:
    """Return a command whose jobs use the options.

    ``out``: the folder of ``Output`` beside which that of finished parts is;
    ``default``: the folder if there is none.
    """

    @wraps(command)
    def running(
        *args: Any,
        workers: int | None,
        scheduler: str | None,
        keep: Path | None = None,
        **given: Any,
    ) -> None:
        from pycompare.base.parallel.place import working
        from pycompare.base.parallel.progress import discard, heard_by, on_stderr
        from pycompare.base.parallel.unfinished import keeping

        folder = keep
        place = getattr(given["output"], out) if "output" in given else given.get("out")
        place = default if place is None else place
        if keep is None and place is not None and place.name:
            folder = place.with_name(f"{place.name}.unfinished")
        kept = keeping(folder, sys.argv[1:], asked=keep is not None, stays=stays)
        ended: click.exceptions.Exit | None = None
        heard = heard_by(discard, notice=on_stderr("pycompare"))
        with heard, kept, working(workers, scheduler):
            try:
                command(*args, **given)
            except click.exceptions.Exit as error:  # the work is done, for all that
                ended = error
        if ended is not None:
            raise ended

    return running
