"""Median times of calls in turn, so that a noisy machine is noisy for all."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One benchmark: median seconds of ours and of a peer, what was wanted."""

    name: str
    seconds: float
    wanted: float | None = None
    peer: str | None = None
    peer_seconds: float | None = None

    def line(self) -> str:
        text = f"{self.name}: {show(self.seconds)}"
        if self.wanted is not None:
            met = "reached" if self.seconds <= self.wanted else "MISSED"
            text += f" (wanted {show(self.wanted)}: {met})"
        if self.peer_seconds is not None:
            ratio = self.peer_seconds / self.seconds
            text += f"; {self.peer} {show(self.peer_seconds)}, {ratio:.1f} x ours"
        return text


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
