"""Times of calls in turn, so that a noisy machine is noisy for all.

Beside a peer the CPU time counts, ours and the peer's of the same turn: their ratio is
stable where the seconds are not.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Row:
    """One benchmark: median seconds of ours and of a peer, what was wanted."""

    name: str
    seconds: float
    wanted: float | None = None
    peer: str | None = None
    peer_seconds: float | None = None
    cpu: float | None = None
    ratios: tuple[float, ...] = ()
    """CPU seconds of ours over the peer's, one number a turn."""
    most: float | None = None
    """Ratio wanted."""

    def line(self) -> str:
        text = f"{self.name}: {show(self.seconds)}"
        if self.wanted is not None:
            met = "reached" if self.seconds <= self.wanted else "MISSED"
            text += f" (wanted {show(self.wanted)}: {met})"
        if self.peer_seconds is not None:
            ratio = self.peer_seconds / self.seconds
            text += f"; {self.peer} {show(self.peer_seconds)}, {ratio:.1f} x ours"
        return text + self._of_cpu()

    def _of_cpu(self) -> str:
        """Return the CPU time, and the ratio with its spread and what was wanted."""
        text = "" if self.cpu is None else f"; CPU {show(self.cpu)}"
        if not self.ratios:
            return text
        low, middle, high = statistics.quantiles(self.ratios, n=4)
        text += f", ours / {self.peer} {middle:.2f} (quartiles {low:.2f}, {high:.2f})"
        if self.most is None:
            return text
        met = "reached" if middle <= self.most else "MISSED"
        return f"{text}, wanted <= {self.most:g}: {met}"


def show(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def medians(calls: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Time each call ``runs`` times, taking turns; one warm-up each."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(runs):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def beside(
    name: str,
    ours: Callable[[], object],
    peers: Mapping[str, Callable[[], object]],
    *,
    most: float = 1.0,
    turns: int = 15,
    calls: int = 10,
) -> Iterator[Row]:
    """Yield one row a peer: ``calls`` calls of each a turn, wall and CPU."""
    every = {"": ours, **peers}
    wall: dict[str, list[float]] = {who: [] for who in every}
    cpu: dict[str, list[float]] = {who: [] for who in every}
    for call in every.values():
        call()
    for _ in range(turns):
        for who, call in every.items():
            began = time.perf_counter(), time.process_time()
            for _ in range(calls):
                call()
            wall[who].append((time.perf_counter() - began[0]) / calls)
            cpu[who].append((time.process_time() - began[1]) / calls)
    median = statistics.median
    alone = Row(name, median(wall[""]), cpu=median(cpu[""]))
    for who in peers:
        ratios = tuple(a / b for a, b in zip(cpu[""], cpu[who], strict=True))
        seconds = median(wall[who])
        yield replace(alone, peer=who, peer_seconds=seconds, ratios=ratios, most=most)
    if not peers:
        yield alone


def slope(
    make: Callable[[int], Callable[[], object]], sizes: Sequence[int]
) -> tuple[float, float]:
    """Return the log-log slope of CPU time over sizes, and that of the last size."""
    seconds = []
    for size in sizes:
        call = make(size)
        call()
        began = time.process_time()
        for _ in range(3):
            call()
        seconds.append((time.process_time() - began) / 3)
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]), seconds[-1]
