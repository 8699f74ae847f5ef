"""Results are the same, bit for bit, in several threads at once."""

from __future__ import annotations

import pytest

from validation.faults import THREADS, in_threads


@pytest.mark.parametrize("name", THREADS)
def test_eight_threads_get_what_one_gets(name):
    assert in_threads(name) == (8, [])
