"""Where a report comes from: versions, seed, command line, hashes, date."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from pycompare.base.environment import given_date
from pycompare.base.errors import InputError, setting
from pycompare.base.version import __version__
from pycompare.data.source import Source

if TYPE_CHECKING:
    from pycompare.designs.blinding import Blinding

_PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "narwhals", "click")


def versions() -> dict[str, str]:
    """Return the versions of everything that made the numbers."""
    by_name = {"pycompare": __version__, "Python": sys.version.split()[0]}
    for name in _PACKAGES:
        by_name[name] = _version(name)
    return by_name | {"platform": platform.platform()}


@cache
def _version(name: str) -> str:
    """Return the version of a library; its file is read once."""
    return metadata.version(name)


_date: ContextVar[datetime | None] = ContextVar("date", default=None)


@contextmanager
def dated(text: str) -> Iterator[None]:
    """Let a date by ISO 8601 stand for the time of reports, UTC unless it says.

    Raises
    ------
    InputError
        If the text is no date.
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            setting("date", text) + " is no date; write 2026-11-22 or "
            "2026-11-22T15:30:00+01:00"
        ) from None
    token = _date.set(time if time.tzinfo else time.replace(tzinfo=UTC))
    try:
        yield
    finally:
        _date.reset(token)


_OF_BEFORE = ("file", "file_sha256", "command", "plan_file", "blinding", "versions")
"""Parts of provenance that the folder of a report cannot show again."""
_before: ContextVar[Mapping[str, Any] | None] = ContextVar("before", default=None)


@contextmanager
def as_before(origin: Mapping[str, Any]) -> Iterator[None]:
    """Let reports name the files, the command and the versions of an earlier one."""
    token = _before.set(origin)
    try:
        yield
    finally:
        _before.reset(token)


def now(time: datetime | None = None) -> datetime:
    """Return a time, by default the present; a date that was given stands for it.

    It is that of ``dated``, or else the environment's.

    With a given time two runs of the same analysis make the same bytes.

    Raises
    ------
    InputError
        If the environment gives something that is no time.
    """
    return set_date() or time or datetime.now(UTC)


def set_date() -> datetime | None:
    """Return the date that was set in the place of the clock; None if none was."""
    return _date.get() or given_date()


def stamp(time: datetime) -> str:
    """Return a time as files have it."""
    return time.astimezone(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class Origin:
    """What an analysis was made from: plan file, data file, and codes for names."""

    plan_file: Any = None
    source: Source | None = None
    blinding: Blinding | None = None

    @property
    def asked_by(self) -> str:
        """Who asked for the analysis."""
        if self.plan_file is None:
            return "the call or the options"
        return f"plan file {self.plan_file.name}"

    @property
    def plan(self) -> Any:
        """The plan in the plan file; None if there is none."""
        return None if self.plan_file is None else self.plan_file.plan

    @property
    def trail(self) -> Sequence[Any]:
        """The trail of the plan file; empty if there is none."""
        return () if self.plan_file is None else self.plan_file.trail


def provenance(
    *,
    source: Source | None = None,
    data: tuple[str, str] | None = None,
    command: Sequence[str] | None = None,
    plan_file: Any = None,
    seed: int | None = None,
    randomness: str = "none: nothing in this report is random",
    blinding: Blinding | None = None,
) -> dict[str, Any]:
    """Return the parts needed to make a report again.

    Parameters
    ----------
    source : Source or None
        The file that was read.
    data : (str, str) or None
        What was hashed beside the file, and its hash: ``("scores", "4f...")``.
    command : sequence of str or None
        The command line.
    plan_file : PlanFile, AnalysisPlanFile or None
        Its hash is that of the text in UTF-8.
    seed : int or None
    randomness : str
        Purpose of the seed.
    blinding : Blinding or None
        A blinded report has neither the command nor the text of the plan file as they
        were: both may name algorithms.
    """
    origin: dict[str, Any] = {
        "date": stamp(now()),
        "file": None if source is None else source.name,
        "file_sha256": None if source is None else source.sha256,
        **({} if data is None else {f"{data[0]}_sha256": data[1]}),
        "command": None if command is None else shlex.join(command),
        "plan_file": None if plan_file is None else _plan_text(plan_file),
        "seed": seed,
        "randomness": randomness,
        "versions": versions(),
    }
    if (before := _before.get()) is not None:
        return origin | {name: before[name] for name in _OF_BEFORE if name in before}
    if blinding is None:
        return origin
    if not blinding.opened:
        origin["command"] = None
        if blinding.key.plan_file is not None:
            hashes = blinding.key.keyed_hashes()
            origin["plan_file"] |= {"sha256": hashes["plan file"]}
    return origin | {"blinding": blinding.to_dict()}


def _plan_text(plan_file: Any) -> dict[str, Any]:
    """Return a plan file as it was read, and its trail."""
    told = {name: getattr(plan_file, name) for name in ("name", "sha256", "text")}
    return told | {"trail": [entry.record for entry in plan_file.trail]}
