"""Run a simulation study in seeded chunks, on any number of workers.

The chunks of a condition are numbered; a chunk's generator is spawned from the seed by
the condition's name and the chunk's number. So the numbers depend neither on the
workers nor on an interruption, and more trials later begin with the same ones.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pycompare._version import __version__
from pycompare.errors import InputError
from pycompare.kernels import binomial
from pycompare.parallel.progress import Progress, discard
from pycompare.parallel.workers import results
from pycompare.simulation.checkpoints import Checkpoints
from pycompare.simulation.result import SimulationResult
from pycompare.simulation.study import Study

LEVEL = 0.95
"""Of the Monte Carlo intervals."""
Z = 1.959963984540054
"""The normal quantile of that level."""

Sums = dict[str, tuple[int, float, float]]
"""Statistic -> number of trials, sum and sum of squares."""


class Chunk(NamedTuple):
    """Some trials of one condition."""

    study: Study
    condition: str
    number: int
    trials: int
    seed: int

    @property
    def name(self) -> str:
        """Name of its file among the checkpoints."""
        return f"{key_of(self.condition):08x}-{self.number:06}-{self.trials}"


def key_of(condition: str) -> int:
    """Return a condition's place among all seeds: other conditions change nothing."""
    return zlib.crc32(condition.encode())


def simulate(
    study: Study,
    *,
    trials: int | None = None,
    seed: int = 1,
    workers: int = 1,
    scheduler: str | None = None,
    keep: str | PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> SimulationResult:
    """Run a simulation study and return means with Monte Carlo errors.

    Parameters
    ----------
    study : Study
        One of ``pycompare.simulation.studies``, such as ``Maloof()``.
    trials : int, optional
        Simulated experiments of each condition; by default as many as the study says.
    seed : int, default 1
    workers : int, default 1
        Processes of this machine. If one is killed, what it did not finish is done
        again.
    scheduler : str, optional
        Address of a dask.distributed scheduler; its workers must have pycompare
        installed.
    keep : path, optional
        A folder for finished chunks, a Parquet file each. With it interrupted runs
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
    Memory does not grow with the number of trials: only sums are kept.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare.simulation import studies
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
            "pycompare.simulation.studies.Maloof()"
        )
    trials = study.default_trials if trials is None else trials
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < least:
            raise InputError(f"{name}={value!r}: give a whole number, {least} or more")
    chunks = dict(enumerate(chunks_of(study, int(trials), int(seed))))
    kept = None if keep is None else Checkpoints.open(Path(keep), plan_of(study, seed))
    counter = Progress(len(chunks), "chunks", progress or discard)
    sums = finished(chunks, kept)
    counter.resumed(len(sums))
    todo = {i: chunk for i, chunk in chunks.items() if i not in sums}
    for i, found in results(
        work, todo, workers=workers, scheduler=scheduler, say=counter.say
    ):
        if kept is not None:
            kept.keep(chunks[i].name, found)
        sums[i] = found
        counter.step()
    return SimulationResult(
        table=table_of(study, chunks, sums),
        study=study.name,
        title=study.title,
        settings=study.settings,
        seed=int(seed),
        trials=int(trials),
        reference=study.reference,
        notes=study.notes,
    )


def plan_of(study: Study, seed: int) -> dict[str, Any]:
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


def chunks_of(study: Study, trials: int, seed: int) -> Iterator[Chunk]:
    """Yield the chunks: one of every condition before the next."""
    for number in range(math.ceil(trials / study.chunk)):
        size = min(study.chunk, trials - number * study.chunk)
        for condition in study.conditions:
            yield Chunk(study, condition, number, size, seed)


def finished(chunks: Mapping[int, Chunk], kept: Checkpoints | None) -> dict[int, Sums]:
    """Return the sums of the chunks that an earlier run has kept."""
    if kept is None:
        return {}
    names = kept.names()
    return {
        i: kept.read(chunk.name) for i, chunk in chunks.items() if chunk.name in names
    }


def work(chunk: Chunk) -> Sums:
    """Run the trials of a chunk and add them up."""
    spawned = (key_of(chunk.condition), chunk.number)
    seed = np.random.SeedSequence(chunk.seed, spawn_key=spawned)
    rng = np.random.default_rng(seed)
    found = chunk.study.run(chunk.condition, rng, chunk.trials)
    return {statistic: added(values) for statistic, values in found.items()}


def added(values: Any) -> tuple[int, float, float]:
    """Return number, sum and sum of squares of the numbers that are defined."""
    x = np.asarray(values, float)
    x = x[~np.isnan(x)]
    return len(x), float(x.sum()), float(np.square(x).sum())


def table_of(
    study: Study, chunks: Mapping[int, Chunk], sums: Mapping[int, Sums]
) -> pd.DataFrame:
    """Return one row for each condition and statistic, in the study's order."""
    total: dict[str, dict[str, list[float]]] = {name: {} for name in study.conditions}
    for i in sorted(sums):
        of_condition = total[chunks[i].condition]
        for statistic, parts in sums[i].items():
            so_far = of_condition.setdefault(statistic, [0, 0.0, 0.0])
            of_condition[statistic] = [
                a + b for a, b in zip(so_far, parts, strict=True)
            ]
    rows = [
        {"condition": name, **study.conditions[name], "statistic": statistic}
        | estimated(*parts)
        for name, statistics in total.items()
        for statistic, parts in statistics.items()
    ]
    table = pd.DataFrame(rows)
    keys = zip(table["condition"], table["statistic"], strict=True)
    published = [study.published.get(key, math.nan) for key in keys]
    if not np.isnan(published).all():
        table["published"] = published
    return table


def estimated(n: float, total: float, squares: float) -> dict[str, Any]:
    """Return a mean with its Monte Carlo error; exact limits for a share."""
    n = int(n)
    if not n:
        return dict.fromkeys(
            ("estimate", "std_error", "conf_low", "conf_high"), math.nan
        ) | {"trials": 0}
    mean = total / n
    error = math.sqrt(max(squares / n - mean * mean, 0.0) / n)
    if total == squares and total == int(total):
        counts = int(total), n - int(total)
        limits = binomial.clopper_pearson(*counts, "two-sided", LEVEL)
        low, high = map(float, limits)
    else:
        low, high = mean - Z * error, mean + Z * error
    return {
        "estimate": mean,
        "std_error": error,
        "conf_low": low,
        "conf_high": high,
        "trials": n,
    }
