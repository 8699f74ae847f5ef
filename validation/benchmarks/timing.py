"""How long calls take: ours and a peer's in turns, CPU and wall time of each turn.

Every turn runs all sides on the same new data, each second turn in the opposite order.
A ratio is that of two sides of the same turn, so a machine that is busy for a while is
busy for both. CPU time is that of this process, of all its threads, and of the
processes that it starts.

Data are new in each call because results are kept in places: by the p-values
themselves, for instance. The second call on the same data would show nothing but that.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as counter
from typing import Any, Protocol

import psutil

LEAST, MOST_CALLS = 0.1, 1000
"""CPU seconds that a side runs in a turn at least, unless that takes too many calls."""
LONG = 5.0
"""CPU seconds from which one call is a turn, whatever a second call would take."""

Work = Callable[[Any], object]
"""Is called with data."""


@dataclass(frozen=True)
class Spent:
    """CPU and wall time in seconds."""

    cpu: float
    wall: float

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.cpu - other.cpu, self.wall - other.wall)

    def each(self, count: int) -> Spent:
        return Spent(self.cpu / count, self.wall / count)


def clock() -> Spent:
    """Return what this process has spent, without those that it started."""
    return Spent(time.process_time(), time.perf_counter())


def of_children() -> float:
    """Return the CPU time of started processes, those that still run included."""
    found = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it ended just now
            found += sum(child.cpu_times()[:4])
    return float(found)


class Timed(Protocol):
    """Runs once for each of its inputs, and tells what that took together."""

    def spend(self, inputs: Sequence[Any]) -> Spent: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Call:
    """A call in this process.

    Attributes
    ----------
    work : callable
    less : callable, optional
        Runs as often in the same turn; its time is subtracted.
    """

    work: Work
    less: Work | None = None
    clock: Callable[[], Spent] = clock
    others: Callable[[], float] = of_children

    def spend(self, inputs: Sequence[Any]) -> Spent:
        spent = self._of(self.work, inputs)
        return spent if self.less is None else spent - self._of(self.less, inputs)

    def _of(self, work: Work, inputs: Sequence[Any]) -> Spent:
        others = self.others()
        began = self.clock()
        for one in inputs:
            work(one)
        spent = self.clock() - began
        return Spent(spent.cpu + self.others() - others, spent.wall)

    def close(self) -> None:
        pass


R_LOOP = """
lines <- file("stdin", "r")
while (length(line <- readLines(lines, 1L))) {
  begun <- proc.time()
  for (i in seq_len(as.integer(line))) call()
  spent <- proc.time() - begun
  cat(sprintf("%.9f %.9f\\n", sum(spent[c(1, 2, 4, 5)]), spent[[3]]))
  flush(stdout())
}
"""


@dataclass
class InR:
    """An expression in one R process that stays open, on data of the same size.

    R makes its data before the first turn and times itself by ``proc.time``: its start,
    its packages and the way there and back are not counted.

    Attributes
    ----------
    prepare : callable
        Returns R code that makes the data.
    expression : str
    """

    prepare: Callable[[], str]
    expression: str
    process: Any = field(default=None, init=False)
    script: Any = field(default=None, init=False)

    def spend(self, inputs: Sequence[Any]) -> Spent:
        if self.process is None:
            self._start()
        try:
            self.process.stdin.write(f"{len(inputs)}\n")
            self.process.stdin.flush()
            cpu, wall = map(float, self.process.stdout.readline().split())
        except (OSError, ValueError) as error:
            raise RuntimeError(f"R ended at {self.expression}") from error
        return Spent(cpu, wall)

    def _start(self) -> None:
        code = f"{self.prepare()}\ncall <- function() {self.expression}\n{R_LOOP}"
        self.script = tempfile.NamedTemporaryFile("w", suffix=".R")
        self.script.write(code)
        self.script.flush()
        self.process = subprocess.Popen(
            ["Rscript", "--vanilla", self.script.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        if self.process is not None:
            with contextlib.suppress(OSError):
                self.process.communicate()
            self.process = None
            self.script.close()


def command(*arguments: str) -> Work:
    """Return what runs a whole process, whatever the data; its failure is an error.

    The process may keep compiled modules, as an installed package has them: otherwise
    ours, run from its source, would be compiled in each turn, and the peer would not.
    """
    known = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return lambda _: subprocess.run(
        arguments, check=True, stdout=subprocess.DEVNULL, env=known
    )


# ---- what is declared ---------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A call of ours, alone or beside a peer's, and what was wanted of it.

    Attributes
    ----------
    name, size : str
        What is called, on how much.
    data : callable
        Returns new data for a seed; that is not timed.
    ours : callable
    less : callable, optional
        Its time, of the same turn, is subtracted.
    peer : callable or InR, optional
    by : str
        Name of the peer.
    ratio : float
        Largest ratio of ours to the peer's CPU time that was wanted.
    seconds : float, optional
        Largest CPU time that was wanted, of each of ``count``.
    count, peer_count : int
        How many of what is timed one call does.
    most : mapping of float
        Largest figures that were wanted; ours returns them.
    turns : int
    warm_up : bool
        False for calls of a minute, of which the first is timed, too.
    """

    name: str
    size: str
    ours: Work
    data: Callable[[int], Any] = int
    less: Work | None = None
    peer: Work | InR | None = None
    by: str = ""
    ratio: float = 1.0
    seconds: float | None = None
    count: int = 1
    peer_count: int = 1
    most: Mapping[str, float] = field(default_factory=dict)
    turns: int = 9
    warm_up: bool = True

    @property
    def key(self) -> str:
        return f"{self.name}, {self.size}" + (f", {self.by}" if self.by else "")

    def measure(self, turns: int | None = None) -> dict[str, Any]:
        """Return what each turn took, and what was wanted, for JSON."""
        figures: dict[str, float] = {}

        def kept(data: Any) -> None:
            found: Any = self.ours(data)
            figures.update(found)

        sides: list[Timed] = [Call(kept if self.most else self.ours, self.less)]
        if self.peer is not None:
            sides.append(Call(self.peer) if callable(self.peer) else self.peer)
        made = [self.data] * len(sides)
        found = in_turns(
            sides, made, turns or self.turns, same=True, warm_up=self.warm_up
        )
        measured = {
            who: _numbers([one.each(count) for one in spent])
            for who, spent, count in zip(
                ("ours", "peer"), found, (self.count, self.peer_count), strict=False
            )
        }
        return self._declared() | measured | ({"figures": figures} if figures else {})

    def _declared(self) -> dict[str, Any]:
        wanted = dict(self.most)
        if self.peer is not None:
            wanted["ratio"] = self.ratio
        if self.seconds is not None:
            wanted["seconds"] = self.seconds
        about = {"name": self.name, "size": self.size, "by": self.by}
        return about | {"count": self.count, "wanted": wanted}


@dataclass(frozen=True, kw_only=True)
class Growth:
    """A call at several sizes, beside the order that theory gives.

    Attributes
    ----------
    name : str
    by : str
        What grows; the others stay.
    sizes : sequence of int
    data : callable
        Returns new data of a size for a seed; that is not timed.
    work : callable
    theory : str
        The order in words.
    order : callable
        That order as a function of size.
    """

    name: str
    by: str
    sizes: Sequence[int]
    data: Callable[[int, int], Any]
    work: Work
    theory: str
    order: Callable[[float], float]
    turns: int = 5

    @property
    def key(self) -> str:
        return f"{self.name}, by {self.by}"

    def measure(self, turns: int | None = None) -> dict[str, Any]:
        """Return what each size took in each turn, for JSON."""
        made = [_of_size(self.data, size) for size in self.sizes]
        sides = [Call(self.work) for _ in self.sizes]
        found = in_turns(sides, made, turns or self.turns)
        return {
            "name": self.name,
            "by": self.by,
            "sizes": list(self.sizes),
            "theory": self.theory,
            "order": [float(self.order(size)) for size in self.sizes],
            "ours": [_numbers(of) for of in found],
        }


def _of_size(data: Callable[[int, int], Any], size: int) -> Callable[[int], Any]:
    return lambda seed: data(size, seed)


# ---- runs ---------------------------------------------------------------------------


def in_turns(
    sides: Sequence[Timed],
    made: Sequence[Callable[[int], Any]],
    turns: int,
    *,
    same: bool = False,
    warm_up: bool = True,
) -> list[list[Spent]]:
    """Return what one call of each side took in each turn.

    Parameters
    ----------
    sides : sequence of Timed
    made : sequence of callable
        Returns data of each side for a seed.
    same : bool
        All sides get the same data.
    """
    seeds = counter()
    found: list[list[Spent]] = [[] for _ in sides]
    with contextlib.ExitStack() as stack:
        for side in sides:
            stack.callback(side.close)
        calls = [
            calls_of(side, make, seeds) if warm_up else 1
            for side, make in zip(sides, made, strict=True)
        ]
        stack.enter_context(_frozen())
        for turn in range(turns):
            inputs = _inputs(made, calls, seeds, same)
            order = range(len(sides))
            for i in order if turn % 2 == 0 else reversed(order):
                found[i].append(sides[i].spend(inputs[i]).each(calls[i]))
    return found


def _inputs(
    made: Sequence[Callable[[int], Any]],
    calls: Sequence[int],
    seeds: Iterator[int],
    same: bool,
) -> list[list[Any]]:
    """Return the data of all calls of each side in a turn."""
    if not same:
        return [
            [make(next(seeds)) for _ in range(n)]
            for make, n in zip(made, calls, strict=True)
        ]
    every = [made[0](next(seeds)) for _ in range(max(calls))]
    return [every[:n] for n in calls]


@contextlib.contextmanager
def _frozen() -> Iterator[None]:
    """Keep what is there out of garbage collection.

    Some peers collect garbage in each call. That takes the longer the more modules and
    data there are, and most of these are ours.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def calls_of(side: Timed, make: Callable[[int], Any], seeds: Iterator[int]) -> int:
    """Warm a side up and return how many of its calls a turn needs."""

    def spent(calls: int) -> float:
        return side.spend([make(next(seeds)) for _ in range(calls)]).cpu

    if spent(1) >= LONG:
        return 1
    calls = 1
    while (found := spent(calls)) < LEAST and calls < MOST_CALLS:
        # Few calls are timed badly: no more than ten times as many at once.
        needed = math.ceil(1.2 * calls * LEAST / max(found, 1e-9))
        calls = min(10 * calls, needed, MOST_CALLS)
    return calls


def _numbers(spent: Sequence[Spent]) -> dict[str, list[float]]:
    """Return times in four digits."""
    return {
        what: [float(f"{getattr(s, what):.4g}") for s in spent]
        for what in ("cpu", "wall")
    }
