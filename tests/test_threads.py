"""Results are the same, bit for bit, in several threads at once."""

from __future__ import annotations

import pytest

from validation.faults.threads import THREADS, in_threads


@pytest.mark.parametrize("name", [n for n in THREADS if n != "page"])  # seconds: study
def test_eight_threads_get_what_one_gets(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # restored after it
    assert in_threads(name) == (8, [])
