"""What every simulation study has: its conditions, and trials of one of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.errors import InputError, setting
from pycompare.results.result import plain

Trials = Mapping[str, ArrayLike]
"""Statistic -> one number per trial; rejections are 0 and 1, NaN is left out."""


class Study(ABC):
    """A simulation study; its fields are its settings.

    A trial is one simulated experiment. All trials of a condition are alike and
    independent, so that any number of them can be added up.
    """

    name: ClassVar[str]
    """As the command line calls it."""
    title: ClassVar[str]
    reference: ClassVar[str]
    default_trials: ClassVar[int] = 1000
    """Trials of each condition."""
    chunk: ClassVar[int] = 50
    """Trials that share a random generator: the numbers depend on it."""

    @property
    @abstractmethod
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """Conditions by name, each with the columns that describe it."""

    @abstractmethod
    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Return the statistics of some trials of a condition, (trials,) each."""

    @property
    def published(self) -> Mapping[tuple[str, str], float]:
        """What a paper reports, by condition and statistic."""
        return {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that the numbers depend on, as plain values."""
        values: Mapping[str, Any] = plain(self)
        return values

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for readers."""
        return ()


def whole(owner: Any, name: str, *, least: int) -> None:
    """Reject a setting that is not a whole number of at least so much."""
    value = getattr(owner, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(
            setting(name, value) + f": give a whole number from {least} on"
        )


def several(owner: Any, name: str, *, least: float, is_whole: bool = False) -> None:
    """Make a setting a tuple of different numbers, none of them below ``least``."""
    kind = int if is_whole else float
    try:
        given = tuple(np.atleast_1d(getattr(owner, name)).tolist())
        converted = tuple(kind(value) for value in given)
    except (TypeError, ValueError):
        converted = given = ()
    fine = all(math.isfinite(v) and v >= least for v in converted)
    if (
        not converted
        or converted != given
        or not fine
        or len(set(converted)) < len(converted)
    ):
        numbers = "whole numbers" if is_whole else "finite numbers"
        raise InputError(
            setting(name, getattr(owner, name))
            + f": give different {numbers}, each at least {least:g}"
        )
    object.__setattr__(owner, name, converted)


def share(owner: Any, *names: str, also_zero: bool = False) -> None:
    """Reject settings, or members of them, that are not between 0 and 1."""
    for name in names:
        values = np.atleast_1d(getattr(owner, name))
        low = values >= 0 if also_zero else values > 0
        if not np.all(low & (values < 1)):
            span = "from 0 to below 1" if also_zero else "between 0 and 1"
            raise InputError(
                setting(name, getattr(owner, name)) + f": give numbers {span}"
            )
