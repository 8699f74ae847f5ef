"""Readers on changed bytes: the same cases each time, and all that ever failed."""

from __future__ import annotations

import pytest

from tests.byte_fuzz import CORPUS, KINDS, changed, largest, tried


@pytest.mark.parametrize("kind", KINDS)
def test_changed_files_are_read_or_refused(kind):
    before = largest()
    ends = [tried(kind, changed(kind, number), number == 0) for number in range(30)]
    assert set(ends) <= {"read", "refused"}, set(ends)
    assert {"read", "refused"} <= {*ends[1::2]}, "what is well formed reaches both"
    assert "refused" in ends[::2]
    assert largest() - before < 2**30


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_read_before_they_are_changed(kind):
    for data in KINDS[kind].seeds():
        assert tried(kind, data) == "read"


CASES = sorted(path.name for path in CORPUS.iterdir() if path.is_file())


@pytest.mark.parametrize("name", CASES)
def test_what_once_failed_is_read_or_refused(name):
    kind = name.rpartition("-")[0].replace("-", " ")
    data = (CORPUS / name).read_bytes()
    assert tried(kind, data, whole=True) in ("read", "refused")
