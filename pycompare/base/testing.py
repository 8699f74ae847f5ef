"""Counting digits of agreement: for our tests, and for users' own qualification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def lre(value: ArrayLike, reference: ArrayLike, *, floor: float = 0.0) -> NDArray:
    """Return digits of agreement in [0, 15] (log relative error, McCullough 1998).

    Parameters
    ----------
    value, reference : array_like, same shape
        NaN agrees with NaN, an infinity with the same infinity.
    floor : float, default 0
        Errors are relative to the larger of ``|reference|`` and this: for references
        that have absolute accuracy only, like R's ``ptukey``.

    Returns
    -------
    ndarray
        0 if nothing agrees.

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    v, r = np.asarray(value, float), np.asarray(reference, float)
    if v.shape != r.shape:
        raise ValueError(f"shapes differ: {v.shape} and {r.shape}")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Dividing first keeps 1e300 from overflowing and 1e-320 from vanishing.
        scale = np.maximum(np.abs(r), floor)
        error = np.where(scale > 0, np.abs(v / scale - r / scale), np.abs(v))
        digits = np.clip(-np.log10(error), 0, 15)
    same = (v == r) | (np.isnan(v) & np.isnan(r))
    return np.where(same, 15.0, np.nan_to_num(digits))


def assert_digits(
    value: ArrayLike, reference: ArrayLike, *, at_least: float, what: str = "value"
) -> None:
    """Fail with the worst place if fewer digits than wanted agree.

    Raises
    ------
    AssertionError
        Naming the comparison, where it is worst, both numbers and the digits.
    """
    digits = np.atleast_1d(lre(value, reference))
    if not digits.size:
        raise AssertionError(f"{what}: nothing to compare")
    worst = np.unravel_index(int(np.argmin(digits)), digits.shape)
    if digits[worst] < at_least:
        v = np.atleast_1d(np.asarray(value, float))[worst]
        r = np.atleast_1d(np.asarray(reference, float))[worst]
        raise AssertionError(
            f"{what}: {digits[worst]:.1f} digits agree; {at_least} are "
            "wanted, at "
            f"{tuple(int(i) for i in worst)}: {v!r} against {r!r}"
        )


def read_golden(path: str | Path) -> dict[str, Any]:
    """Read a golden file; ``null``, ``"NaN"`` and ``"Infinity"`` become numbers."""
    return _decoded(json.loads(Path(path).read_text(encoding="utf-8")))


_SPECIAL = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


def _decoded(value: Any) -> Any:
    """Turn the words that JSON has for special numbers into numbers."""
    if isinstance(value, dict):
        return {k: _decoded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_decoded(v) for v in value]
    return _SPECIAL.get(value, value) if isinstance(value, str) else value
