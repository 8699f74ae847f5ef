"""Checks of arguments that many functions share."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from pycompare.errors import InputError, setting


def is_finite(value: Any) -> bool:
    """Return whether a value is a number, and finite; truth values are none."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    return number and math.isfinite(value)


def check_alpha(alpha: float) -> None:
    """Refuse an error rate outside (0, 1)."""
    if not (is_finite(alpha) and 0 < alpha < 1):
        raise InputError(setting("alpha", alpha) + ": give a number between 0 and 1")


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not (is_finite(level) and 0 < level < 1):
        raise InputError(
            setting("level", level) + ": give a confidence level between 0 and 1"
        )


_MADE_WITH = {
    "Scores": "; make them with Scores.from_frame or Scores.from_wide, or measure "
    "predictions with Predictions.measure",
    "Ratings": "; make them with Ratings.from_frame",
}


def require(value: object, wanted: type) -> None:
    """Refuse a value that is not of a class of ours, and say how to make one."""
    if not isinstance(value, wanted):
        name = wanted.__name__
        raise InputError(
            f"expected {name}, got {type(value).__name__}{_MADE_WITH.get(name, '')}"
        )


def check_seed(seed: Any) -> None:
    """Refuse a random seed that is no whole number from 0 on."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(setting("seed", seed) + ": give a whole number, 0 or more")


def check_resampling(seed: Any, resamples: Any, *, least: int) -> None:
    """Refuse a seed and a number of resamples that draw nothing."""
    if seed is not None:
        check_seed(seed)
    whole = isinstance(resamples, Integral) and not isinstance(resamples, bool)
    if resamples is not None and (not whole or resamples < least):
        raise InputError(
            setting("resamples", resamples) + f": give a whole number, {least} or more"
        )
