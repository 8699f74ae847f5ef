"""Environment variables that libraries read when they are imported."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from pycompare.base.errors import InputError

GIVEN_DATE = "SOURCE_DATE_EPOCH"
"""Environment variable: seconds since 1970 that stand for the time of the report."""


def given_date() -> datetime | None:
    """Return the time that the environment gives for reports; None if it gives none.

    NumPy and Matplotlib read it too, and SciPy cannot be imported if it is no number:
    it is checked before they are.

    Raises
    ------
    InputError
        If it is no time.
    """
    given = os.environ.get(GIVEN_DATE)
    if given is None:
        return None
    try:
        return datetime.fromtimestamp(int(given), UTC)
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"{GIVEN_DATE} is {given[:40]!r}, which is no number of seconds since "
            f"1970; unset it, or set it to the output of date +%s"
        ) from None
