"""Cells of a study, on all cores or a cluster; a study that was ended goes on.

A cluster is that of ``DASK_SCHEDULER_ADDRESS``; its workers need this folder, too.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pycompare.base.parallel import worker
from pycompare.base.parallel.place import cores, is_placed, working
from pycompare.base.parallel.progress import on_stderr
from pycompare.base.parallel.tasks import tasks

Job = TypeVar("Job")


@contextmanager
def at_work(title: str) -> Iterator[None]:
    """Let tasks of the body go to the cluster, or all cores, if no place is chosen."""
    chosen: dict[str, Any] = {}
    if not is_placed():
        cluster = "DASK_SCHEDULER_ADDRESS" in os.environ
        chosen = {"scheduler": "env"} if cluster else {"workers": cores()}
    with working(**chosen, say=on_stderr(title)):
        yield


def cells_of(
    function: Callable[[Job], Any],
    jobs: Iterable[Job],
    title: str,
    keep: Callable[[Job, Any], None] | None = None,
) -> Iterator[Any]:
    """Yield ``function(job)`` of each job, in the order of the jobs.

    Parameters
    ----------
    function : callable
    jobs : iterable
    title : str
        The study, for lines of progress.
    keep : callable, optional
        Gets each job with its result as soon as it is there, in any order.
    """
    every = list(jobs)
    kept = None if keep is None else _Kept(every, keep)
    with at_work(title):
        held = function, _checks()
        yield from tasks(_cell, held, every, what="cells", kept=kept)


def finish_cells(
    function: Callable[[Job], Any],
    jobs: Iterable[Job],
    title: str,
    keep: Callable[[Job, Any], None],
) -> None:
    """Do all cells, each of which is kept as soon as it is there."""
    for _ in cells_of(function, jobs, title, keep):
        pass


def _cell(held: tuple[Callable[[Any], Any], str], job: Any) -> Any:
    """Do one cell, if the code of the studies is the same here."""
    function, checks = held
    if checks != _checks():
        raise worker.differs(socket.gethostname(), "validation: its code differs")
    return function(job)


@cache
def _checks() -> str:
    return worker.sources(Path(__file__).parent, "*.py")


@dataclass(frozen=True)
class _Kept:
    jobs: list[Any]
    hand: Callable[[Any, Any], None]

    def done(self, count: int) -> dict[int, Any]:
        """Return nothing: jobs are those that are not done."""
        return {}

    def keep(self, key: int, result: Any) -> None:
        """Hand on what is finished."""
        self.hand(self.jobs[key], result)


def finish_rows(
    stored: Path, names: Iterable[str], run: Callable[[str], Any], title: str
) -> dict[str, Any]:
    """Run the rows that the file does not have, and return all in their order."""
    return finish_parts(stored, {"": names}, lambda _, name: run(name), title)[""]


def finish_parts(
    stored: Path,
    names: Mapping[str, Iterable[str]],
    run: Callable[[str, str], Any],
    title: str,
) -> dict[str, dict[str, Any]]:
    """Run the rows of all parts that the file does not have; return all in order.

    ``names``: those of the rows of each part; of the part without a name the rows are
    not in a table of their own in the file.
    """
    whole: dict[str, Any] = {}
    if stored.exists():
        whole = json.loads(stored.read_text(encoding="utf-8"))
    whole = {"": whole} if "" in names else whole
    order = [(part, name) for part, every in names.items() for name in every]
    left = [(part, name) for part, name in order if name not in whole.get(part, {})]

    def keep(job: tuple[str, str], row: Any) -> None:
        part, name = job
        whole.setdefault(part, {})[name] = row
        _store(stored, whole.get("", whole))

    finish_cells(lambda job: run(*job), left, title, keep)
    rows: dict[str, Any] = {part: {} for part in names}
    for part, name in order:
        rows[part][name] = whole[part][name]
    _store(stored, rows.get("", rows))
    return rows


def _store(path: Path, rows: dict[str, Any]) -> None:
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
