"""One R process for the calls of a test process: each start takes half a second."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import Any

from pycompare.base.interop.r_call import RCall
from validation import r

WORKER = r.Worker()
atexit.register(WORKER.close)
_ATTACHED = 9
"""Packages and environments of a new R process."""


def run(calls: Sequence[RCall]) -> list[dict[str, Any]]:
    """Return the numbers of calls of reference functions, as ``validation.r.run``."""
    return r.run(calls, worker=WORKER)


def run_source(source: str) -> dict[str, Any]:
    """Return the numbers of code that has to run alone: nothing is attached for it."""
    found = r.run_source(source, worker=WORKER)
    attached = r.run_source("list(n = length(search()))", worker=WORKER)
    assert attached == {"n": _ATTACHED}
    return found
