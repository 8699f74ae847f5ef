"""Lines of progress: how much is done, and how much time is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

_EVERY = 2.0
"""Seconds between two lines."""

T = TypeVar("T")


@dataclass
class Progress:
    """Counts finished parts of a long run, and reports them, not too often.

    Attributes
    ----------
    total : int
    what : str
        The parts, in the plural.
    say : callable
        Gets a line of text.
    """

    total: int
    what: str
    say: Callable[[str], None]
    done: int = 0
    earlier: int = 0
    start: float = field(default_factory=time.monotonic)
    last: float = -_EVERY

    def resumed(self, count: int) -> None:
        """Report how many parts an earlier run has finished."""
        self.done = self.earlier = count
        if count:
            self.say(f"{count} of {self.total} {self.what} were done before")

    def step(self, *notes: str) -> None:
        """Count one more part; notes, such as about workers, follow the time."""
        self.done += 1
        now = time.monotonic()
        if self.done == self.total or now - self.last >= _EVERY:
            self.last = now
            told = (f"{self.done} of {self.total} {self.what}", self.time(now), *notes)
            self.say(", ".join(told))

    def time(self, now: float) -> str:
        """Return how long the rest takes at this pace; in the end how long it took."""
        spent = now - self.start
        left = self.total - self.done
        if not left:
            return f"took {duration(spent)}"
        share = (self.done - self.earlier) / (self.total - self.earlier)
        return _time_left(spent, share)


def _time_left(spent: float, share: float) -> str:
    """Return in words how long the rest takes, after a share of the whole."""
    return f"about {duration(spent * (1 - share) / share)} left"


def duration(seconds: float) -> str:
    """Return a time in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def on_stderr(name: str) -> Callable[[str], None]:
    """Return what writes lines on stderr, after a name."""

    def say(text: str) -> None:
        print(f"{name}: {text}", file=sys.stderr, flush=True)

    return say


def discard(line: str) -> None:
    """Discard a line."""


@dataclass
class _Loops:
    """The loops that run within each other, and who hears of them.

    Attributes
    ----------
    say : callable
        Gets a line of text.
    counts : list of (str, int, int, bool)
        Name, parts done, all parts, and whether there are too many to list
        each, of each loop, the outermost first.
    """

    say: Callable[[str], None]
    counts: list[tuple[str, int, int, bool]] = field(default_factory=list)
    start: float = 0.0
    last: float = 0.0

    def reach(self, depth: int, what: str, done: int, total: int, often: bool) -> None:
        """Take note that a part begins; loops within the last one are over."""
        self.counts[depth:] = [(what, done, total, often)]
        if not depth and not done:
            self.start = self.last = time.monotonic()

    @property
    def share(self) -> float:
        """Share of the outermost loop that is done, if its parts take the same time."""
        share, part = 0.0, 1.0
        for _, done, total, _ in self.counts:
            part /= total
            share += part * done
        return share

    def tell(self, name: str) -> None:
        """Show all loops, and how much time the outermost one needs yet."""
        now = time.monotonic()
        many = any(often for *_, often in self.counts)
        if many and now - self.last < _EVERY:
            return
        self.last, spent = now, now - self.start
        said = [f"{what} {done + 1} of {n}" for what, done, n, _ in self.counts]
        if spent >= _EVERY and self.share:
            said.append(_time_left(spent, self.share))
        self.say(", ".join(said) + (f": {name}" if name else ""))


_LOOPS: ContextVar[_Loops | None] = ContextVar("loops", default=None)


@contextmanager
def heard_by(say: Callable[[str], None]) -> Iterator[None]:
    """Let somebody hear of the loops over ``each`` in the body, unless it discards."""
    if say is discard:
        yield
        return
    before = _LOOPS.set(_Loops(say))
    try:
        yield
    finally:
        _LOOPS.reset(before)


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
    loops = _LOOPS.get()
    if loops is None:
        yield from items
        return
    whole, depth = list(items), len(loops.counts)
    for at, item in enumerate(whole):
        loops.reach(depth, what, at, len(whole), often)
        loops.tell(name(item))
        yield item
    del loops.counts[depth:]
