"""Run a simulation study in seeded chunks, on any number of workers.

The chunks of a condition are numbered; a chunk's generator is spawned from the seed by
the condition's name and the chunk's number. So the numbers depend neither on the
workers nor on an interruption, and more trials later begin with the same ones.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pycompare.base.arguments import is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.parallel.place import working
from pycompare.base.parallel.progress import discard
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished
from pycompare.base.version import __version__
from pycompare.kernels import binomial
from pycompare.sizes.simulation.result import SimulationResult
from pycompare.sizes.simulation.study import Study

_LEVEL = 0.95
"""Of the Monte Carlo intervals."""
_Z = 1.959963984540054
"""The normal quantile of that level."""


Sums = dict[str, tuple[int, float, float]]
"""Statistic -> number of trials, sum and sum of squares."""


class Chunk(NamedTuple):
    """Some trials of one condition."""

    condition: str
    number: int
    trials: int
    seed: int

    @property
    def name(self) -> str:
        """Name of its file in the folder of unfinished work."""
        return f"{_key_of(self.condition):08x}-{self.number:06}-{self.trials}"


def _key_of(condition: str) -> int:
    """Return a condition's place among all seeds: other conditions change nothing."""
    return zlib.crc32(condition.encode())


@checked
def simulate(
    study: Study,
    *,
    trials: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    keep: str | PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> SimulationResult:
    """Run a simulation study and return means with Monte Carlo errors.

    Parameters
    ----------
    study : Study
        One of ``pycompare.sizes.simulation.studies``, such as ``Maloof()``.
    trials : int, optional
        Simulated experiments of each condition; by default as many as the study
        specifies.
    seed : int, default 1
        Random seed.
    workers : int, optional
        Worker processes on this machine. If one is killed, its unfinished work is
        done again. Default: as ``joblib.parallel_config`` is set, or 1.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare, which is checked.
    keep : path, optional
        A folder for finished chunks, a file each. With it interrupted runs
        resume where they stopped, and a later run with more trials adds to them.
    progress : callable, optional
        Called with lines of text: how much is done, and how much time is left.

    Returns
    -------
    SimulationResult
        Bit for bit the same for any number of workers, and after any interruption.

    Raises
    ------
    InputError
        For values out of range, and if ``keep`` holds the run of another study.

    Notes
    -----
    Only sums are kept, so memory hardly grows with the number of trials.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare.sizes.simulation import studies
    >>> study = studies.Maloof(d_prime=[1.0], n=[40])
    >>> found = pc.simulate(study, trials=20, seed=1)
    >>> found.table[["statistic", "estimate", "trials"]].head(3)
                   statistic  estimate  trials
    0  two-way ANOVA of AUCs       0.5      20
    1  one-way ANOVA of AUCs       0.4      20
    2        DBM, df of 1992       0.3      20
    """
    if not isinstance(study, Study):
        raise InputError(
            f"study={study!r}: give a study, such as "
            "pycompare.sizes.simulation.studies.Maloof()"
        )
    trials = study.default_trials if trials is None else trials
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0)):
        if not is_whole(value) or value < least:
            raise InputError(f"{name}={value!r}: give a whole number, {least} or more")
    chunks = list(_chunks_of(study, int(trials), int(seed)))
    kept = Unfinished(
        lambda: _plan_of(study, seed),
        what="simulation",
        keep=keep,
        names=[chunk.name for chunk in chunks],
    )
    totals = Totals()
    with working(workers, scheduler, progress or discard):
        done = tasks(_work, study, chunks, what="chunks", kept=kept)
        for chunk, sums in zip(chunks, done, strict=True):
            totals.add(chunk.condition, sums)
    return SimulationResult(
        table=_table_of(study, totals),
        study=study.name,
        title=study.title,
        settings=study.settings,
        seed=int(seed),
        trials=int(trials),
        reference=study.reference,
        notes=study.notes,
    )


def _plan_of(study: Study, seed: int) -> dict[str, Any]:
    """Return all that a chunk's numbers depend on; not the number of trials."""
    return {
        "study": study.name,
        "settings": study.settings,
        "seed": int(seed),
        "chunk": study.chunk,
        "versions": {
            "pycompare": __version__,
            **{name: version(name) for name in ("numpy", "scipy")},
        },
    }


def _chunks_of(study: Study, trials: int, seed: int) -> Iterator[Chunk]:
    """Yield the chunks: one of every condition before the next."""
    for number in range(math.ceil(trials / study.chunk)):
        size = min(study.chunk, trials - number * study.chunk)
        for condition in study.conditions:
            yield Chunk(condition, number, size, seed)


def _work(study: Study, chunk: Chunk) -> Sums:
    """Run the trials of a chunk and add them up."""
    spawned = (_key_of(chunk.condition), chunk.number)
    seed = np.random.SeedSequence(chunk.seed, spawn_key=spawned)
    rng = np.random.default_rng(seed)
    outcomes = study.run(chunk.condition, rng, chunk.trials)
    return {statistic: added(values) for statistic, values in outcomes.items()}


def added(values: Any) -> tuple[int, float, float]:
    """Return number, sum and sum of squares of the numbers that are defined."""
    x = np.asarray(values, float)
    x = x[~np.isnan(x)]
    return len(x), float(x.sum()), float(np.square(x).sum())


class Totals:
    """Sums of all chunks, added in the same order, which gives the same bits.

    Attributes
    ----------
    sums : dict
        By condition.
    """

    def __init__(self) -> None:
        self.sums: dict[str, Sums] = {}

    def add(self, condition: str, sums: Mapping[str, Sequence[float]]) -> None:
        """Add a chunk."""
        own = self.sums.setdefault(condition, {})
        for statistic, (n, total, squares) in sums.items():
            before = own.get(statistic, (0, 0.0, 0.0))
            own[statistic] = before[0] + int(n), before[1] + total, before[2] + squares


def _table_of(study: Study, totals: Totals) -> pd.DataFrame:
    """Return one row for each condition and statistic, in the study's order."""
    rows = [
        {"condition": name, **study.conditions[name], "statistic": statistic}
        | estimated(*parts)
        for name in study.conditions
        for statistic, parts in totals.sums[name].items()
    ]
    table = pd.DataFrame(rows)
    keys = zip(table["condition"], table["statistic"], strict=True)
    published = [study.published.get(key, math.nan) for key in keys]
    if not np.isnan(published).all():
        table["published"] = published
    return table


def estimated(n: int, total: float, squares: float) -> dict[str, Any]:
    """Return a mean with its Monte Carlo error; exact limits for a share."""
    if not n:
        return dict.fromkeys(
            ("estimate", "std_error", "conf_low", "conf_high"), math.nan
        ) | {"trials": 0}
    mean = total / n
    error = math.sqrt(max(squares / n - mean * mean, 0.0) / n)
    if total == squares and total == int(total):
        counts = int(total), n - int(total)
        limits = binomial.clopper_pearson(*counts, "two-sided", _LEVEL)
        low, high = map(float, limits)
    else:
        low, high = mean - _Z * error, mean + _Z * error
    return {
        "estimate": mean,
        "std_error": error,
        "conf_low": low,
        "conf_high": high,
        "trials": n,
    }
