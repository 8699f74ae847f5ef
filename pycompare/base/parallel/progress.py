"""Lines of progress: how far loops and tasks are, and how much time is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar

_EVERY = 2.0
"""Seconds between two lines about parts that are many."""

T = TypeVar("T")
Say = Callable[[str], None]


def discard(line: str) -> None:
    """Discard a line."""


def on_stderr(name: str) -> Say:
    """Return a function that writes lines on stderr, after a name."""

    def say(text: str) -> None:
        print(f"{name}: {text}", file=sys.stderr, flush=True)

    return say


@dataclass
class _Listener:
    """Who hears of loops that run within each other.

    Attributes
    ----------
    say : callable
        Gets lines of progress.
    notice : callable or None
        Gets lines that everybody should read.
    loops : list of Progress
        The outermost first.
    """

    say: Say
    notice: Say | None = None
    loops: list[Progress] = field(default_factory=list)
    start: float = 0.0
    last: float = -_EVERY

    def time(self, now: float) -> list[str]:
        """Return how long the outermost loop takes yet, or in the end how long it took.

        Parts are taken to last equally long; those of an earlier run took no time.
        """
        share, part, spent = 0.0, 1.0, now - self.start
        for loop in self.loops:
            part /= max(1, loop.total - loop.earlier)
            share += part * (loop.done - loop.earlier)
        if self.loops[0].done == self.loops[0].total:
            return [f"took {duration(spent)}"]
        if not share or spent < _EVERY:
            return []
        return [f"about {duration(spent * (1 - share) / share)} left"]


_LISTENER: ContextVar[_Listener | None] = ContextVar("listener", default=None)


def _listener() -> _Listener:
    return _LISTENER.get() or _Listener(discard)


@contextmanager
def heard_by(say: Say, notice: Say | None = None) -> Iterator[None]:
    """Let somebody hear of the loops and tasks in the body.

    Parameters
    ----------
    say : callable
        Gets lines of progress; `discard` leaves them to who hears them already.
    notice : callable, optional
        Gets lines that everybody should read; by default as before.
    """
    outer = _listener()
    inner = replace(outer, notice=notice or outer.notice)  # the same loops
    if say is not discard:
        inner = _Listener(say, inner.notice)
    before = _LISTENER.set(inner)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def reader_of_notices() -> Say:
    """Return who gets lines that everybody should read: without a reader, stderr."""
    listener = _listener()
    if listener.notice is not None:
        return listener.notice
    return on_stderr("pycompare") if listener.say is discard else listener.say


def say(line: str) -> None:
    """Pass on a step that is no part of a loop."""
    _listener().say(line)


class Progress:
    """Counts finished parts, and reports them and the loops around, not too often.

    Parameters
    ----------
    total : int
    what : str
        The parts, in the plural.
    say : callable, optional
        Gets lines of text; by default who hears of the loops around.
    """

    def __init__(self, total: int, what: str, say: Say | None = None) -> None:
        self.total, self.what, self.done, self.earlier = total, what, 0, 0
        self.listener = _listener() if say is None else _Listener(say)
        loops = self.listener.loops
        while loops and loops[-1].done == loops[-1].total:  # it is over
            loops.pop()
        self.depth = len(loops)
        loops.append(self)
        if not self.depth:
            self.listener.start = time.monotonic()

    def __str__(self) -> str:
        """Return how many parts are done."""
        return f"{self.done} of {self.total} {self.what}"

    def resumed(self, count: int) -> None:
        """Report how many parts an earlier run has finished."""
        self.done = self.earlier = count
        if count:
            self.listener.say(f"{self} were done before")

    def step(self, *notes: str) -> None:
        """Count one more part; notes, such as about workers, follow the time."""
        self.done += 1
        is_last = self.done == self.total and not self.depth
        self.tell(*notes, often=not is_last)

    def tell(self, *notes: str, name: str = "", often: bool = False) -> None:
        """Report how far all loops are; ``often``: unless a line was just before."""
        now, listener = time.monotonic(), self.listener
        if listener.say is discard:
            return
        listener.loops[self.depth :] = [self]  # loops within it are over
        if often and now - listener.last < _EVERY:
            return
        listener.last = now
        told = ", ".join([*map(str, listener.loops), *listener.time(now), *notes])
        listener.say(told + (f": {name}" if name else ""))


class _InOrder(Progress):
    """Counts parts that are done one after another."""

    def __str__(self) -> str:
        """Return which part is being done."""
        return f"{self.what} {self.done + 1} of {self.total}"


def each(
    items: Iterable[T],
    what: str,
    name: Callable[[T], str] = lambda item: "",
    *,
    often: bool = False,
) -> Iterator[T]:
    """Yield items; who listens hears where the loop is, and how much time is left.

    Parameters
    ----------
    items : iterable
    what : str
        What an item is, in the singular.
    name : callable, optional
        Returns the name of an item.
    often : bool, default False
        Items are many, so not each is listed.
    """
    whole = list(items)
    loop = _InOrder(len(whole), what)
    for item in whole:
        loop.tell(name=name(item), often=often)
        yield item
        loop.done += 1


def duration(seconds: float) -> str:
    """Return a time in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
