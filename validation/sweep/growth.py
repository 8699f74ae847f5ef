"""CPU time and memory of one function as one dimension doubles, and their slopes."""

from __future__ import annotations

import contextlib
import gc
import math
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from scipy import stats

import pycompare as pc

from .table import Row

ORDERS: dict[str, Callable[[float], float]] = {
    "n": float,
    "n log n": lambda n: n * math.log(n),
    "n²": lambda n: n**2,
    "n³": lambda n: n**3,
    "n⁴": lambda n: n**4,
}
FEWEST = {"seconds": 0.02, "megabytes": 8.0}
"""Figures below are those of the call itself, not of its data."""
LAST = 4
"""Points at the end that make the slope."""
ROOM = 0.25
"""How much steeper than its order a slope may be: few points, on a busy machine."""
CALLS, AGAIN = 3, 1.0
"""Calls of each size, of which the quickest counts; one if it takes such seconds."""
REJECTED = "rejected: "
"""Begins the end of a sweep by an error of ours, such as a limit of a method."""
_LOOK = 0.5
"""Seconds between two looks at a process that does not answer."""
_MEGABYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """Where a dimension stops doubling.

    Attributes
    ----------
    seconds : float
        CPU time of a call.
    megabytes : float
        Memory of a call, beside its data.
    size : int
        Beyond the default the making of data takes most of the time.
    """

    seconds: float
    megabytes: float
    size: int = 2**18


def orders_of(stated: str) -> dict[str, str]:
    """Return the orders of CPU time and memory."""
    time_of, _, memory = stated.partition(" / ")
    return {"seconds": time_of, "megabytes": memory or time_of.removesuffix(" log n")}


def prepare(rows: Iterable[Row]) -> None:
    """Call each function once: modules that load late are no part of any size."""
    for row in rows:
        with contextlib.suppress(Exception):  # the sweep names it
            called(row, row.data(1))
    gc.collect()
    gc.freeze()


def swept(row: Row, dimension: str, limits: Limits) -> dict[str, Any]:
    """Return what each size took; what is too steep is measured a second time.

    Other work on the machine makes a slope too steep, but hardly twice at the same
    sizes: the smaller figures count.
    """
    found = measured(row, dimension, limits)
    if any(slope.excess > ROOM for slope in steepness(found)):
        again = measured(row, dimension, limits)["points"]
        both = zip(found["points"], again, strict=False)
        found["points"] = [{k: min(a[k], b[k]) for k in a} for a, b in both]
    return found


def measured(row: Row, dimension: str, limits: Limits) -> dict[str, Any]:
    """Return what each size took, in a process of its own.

    The process ends at a multiple of the limits, whatever the order of the function.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(
        target=_double, args=(row, dimension, limits, sender), daemon=True
    )
    process.start()
    sender.close()
    points: list[dict[str, float]] = []
    ended = "killed"
    try:
        while True:
            while not receiver.poll(_LOOK):
                _kill_beyond(process, 16 * limits.seconds + 20)
            told = receiver.recv()
            if isinstance(told, str):
                ended = told
                break
            points.append(told)
    except EOFError:
        pass
    process.join()
    return {
        "function": row.function,
        "dimension": dimension,
        "order": row.orders[dimension],
        "points": points,
        "ended": ended,
    }


def _kill_beyond(process: Any, seconds: float) -> None:
    """End a process that has taken too long.

    Not by a limit of the system, with which Linux counts CPU time in ticks.
    """
    with contextlib.suppress(psutil.Error):
        if sum(psutil.Process(process.pid).cpu_times()[:2]) > seconds:
            process.kill()


def _double(row: Row, dimension: str, limits: Limits, sender: Any) -> None:
    """Send what each size took, then why there are no more."""
    # Beside what was there before: the process that forks may be a large one.
    room = int(8 * limits.megabytes + 2000) * _MEGABYTE
    room += psutil.Process().memory_info().data
    resource.setrlimit(resource.RLIMIT_DATA, (room, room))
    size = start_of(row, dimension)
    try:
        while size <= limits.size:
            began = time.process_time()
            point = _point(row, dimension, size)
            spent = time.process_time() - began
            sender.send(point)
            if any(point[what] >= most for what, most in _costs(limits).items()):
                sender.send("limit")
                return
            if spent > 4 * limits.seconds:
                sender.send("its data take longer")
                return
            size *= 2
        sender.send("largest size")
    except MemoryError:
        sender.send("memory")
    except pc.PyCompareError as error:
        sender.send(f"{REJECTED}{error}".partition("\n")[0])
    except Exception as error:  # of any function
        sender.send(f"{type(error).__name__}: {error}".partition("\n")[0])


def _costs(limits: Limits) -> dict[str, float]:
    return {"seconds": limits.seconds, "megabytes": limits.megabytes}


def start_of(row: Row, dimension: str) -> int:
    """Return the smallest size of a dimension."""
    return int((row.data.__kwdefaults__ or {})[dimension])


def called(row: Row, arguments: Sequence[Any]) -> Any:
    """Call a function as the table states."""
    name, _, method = row.function.partition(".")
    of = getattr(pc, name)
    if method:
        of = getattr(of, method)
    if row.function in _PLACED:
        names = _PLACED[row.function]
        given = dict(zip(names, arguments, strict=True))
        return of(**given, **row.options)
    return of(*arguments, **row.options)


_OF_NETWORKS = ("estimate", "std_error", "study", "algorithm_1", "algorithm_2")
_PLACED = {
    "adjust_graph": ("p", "weights", "transitions"),
    "cv_auc": ("label", "score", "fold"),
    "cv_auc_pairs": ("label", "scores", "fold"),
    "network_synthesis": _OF_NETWORKS,
    "nested_cv": ("losses", "n_cases"),
    "read_marks": ("path", "case_file"),
    "synthesis": ("estimate", "std_error"),
}
"""Functions whose data are named."""


def _point(row: Row, dimension: str, size: int) -> dict[str, float]:
    """Return the least CPU time of calls on new data, and the most memory of one."""
    seconds: list[float] = []
    megabytes: list[float] = []
    making = 0.0
    while len(seconds) < CALLS and (not seconds or making + seconds[-1] < AGAIN):
        began = time.process_time()
        arguments = row.data(1 + len(seconds), **{dimension: size})
        making = time.process_time() - began
        gc.collect()
        before = _peak(anew=True)
        began = time.process_time()
        result = called(row, arguments)
        seconds.append(time.process_time() - began)
        megabytes.append(_peak() - before)
        del result, arguments
    return {
        "size": size,
        "seconds": _four_digits(min(seconds)),
        "megabytes": _four_digits(max(megabytes)),
    }


def _four_digits(value: float) -> float:
    return float(f"{value:.4g}")


def _peak(*, anew: bool = False) -> float:
    """Return the most memory that this process has had, in megabytes."""
    if anew:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


# ---- slopes -------------------------------------------------------------------------


@dataclass(frozen=True)
class Steepness:
    """A slope beside that of the stated order over the same sizes.

    Attributes
    ----------
    what : str
        ``seconds`` or ``megabytes``.
    order : str
    slope, stated : float
    """

    what: str
    order: str
    slope: float
    stated: float

    @property
    def excess(self) -> float:
        """How much steeper the slope is."""
        return self.slope - self.stated


def steepness(found: dict[str, Any]) -> list[Steepness]:
    """Return the slopes of a sweep: none of what stayed too small to have one."""
    slopes = []
    for what, order in orders_of(found["order"]).items():
        large = [p for p in found["points"] if p[what] >= FEWEST[what]][-LAST:]
        if len(large) < 3:
            continue
        x = np.log([p["size"] for p in large])
        y = np.log([p[what] for p in large])
        theory = np.log([ORDERS[order](p["size"]) for p in large])
        slopes.append(
            Steepness(
                what,
                order,
                float(stats.linregress(x, y).slope),
                float(stats.linregress(x, theory).slope),
            )
        )
    return slopes
