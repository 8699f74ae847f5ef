"""Lines of progress: how much is done, and how much time is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_EVERY = 2.0
"""Seconds between two lines."""


@dataclass
class Progress:
    """Counts finished parts of a long run, and says so, not too often.

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
        """Say how many parts an earlier run has finished."""
        self.done = self.earlier = count
        if count:
            self.say(f"{count} of {self.total} {self.what} were done before")

    def step(self) -> None:
        """Count one more part."""
        self.done += 1
        now = time.monotonic()
        if self.done == self.total or now - self.last >= _EVERY:
            self.last = now
            self.say(f"{self.done} of {self.total} {self.what}, {self.time(now)}")

    def time(self, now: float) -> str:
        """Return how long the rest takes at this pace; in the end how long it took."""
        spent = now - self.start
        left = self.total - self.done
        if not left:
            return f"took {duration(spent)}"
        return f"about {duration(spent / (self.done - self.earlier) * left)} left"


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
