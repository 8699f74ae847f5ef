"""The study of calibration: its rows, its limits, and the page that it wrote."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pycompare.base.parallel.place import working
from pycompare.results.guarantees import MEASURED
from validation.calibration import __main__ as study

STORED = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_that_of_the_stored_numbers():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(STORED)


@pytest.mark.parametrize("group", study.GROUPS)
def test_every_row_was_run_and_is_within_its_limit(group):
    rows, limits = STORED[group], study.limits(STORED[group])
    assert {name.split(": ")[0] for name in rows} == set(study.GROUPS[group])
    assert len(limits) > len(rows) / 4  # of exact and uniform rows
    assert [n for n, limit in limits.items() if not study.holds(rows[n], limit)] == []
    for name, row in rows.items():
        assert row["trials"] == study.TRIALS[group], name


def test_results_tell_what_is_out_of_tolerance():
    told = set()
    for group, rows in STORED.items():
        for row, share in study.far_off(rows).items():
            name = row if row in MEASURED else row.split(": ")[0]
            found = MEASURED[name]
            said = found.rejected if group == "tests" else found.covered
            assert said == round(share, 3), row
            told.add((group, name))
    wanted = {("tests", n) for n, m in MEASURED.items() if m.rejected is not None}
    wanted |= {("intervals", n) for n, m in MEASURED.items() if m.covered is not None}
    assert told == wanted


def test_p_values_that_are_too_small_are_found():
    u = np.random.default_rng(1).uniform(size=10_000)
    for kind, p, fine in (
        ("uniform", u, True),
        ("uniform", u**1.2, False),
        ("uniform", u**0.8, False),
        ("exact", u**0.8, True),
        ("exact", u**1.2, False),
    ):
        rows = {"one": {"kind": kind, **study.p_summary(p)}}
        assert study.holds(rows["one"], study.limits(rows)["one"]) is fine


def test_intervals_that_are_too_short_are_found():
    for share, fine in ((0.95, True), (0.97, True), (0.94, False)):
        held = np.arange(4000) < share * 4000
        rows = {"one": {"kind": "exact", "level": 0.95, **study.coverage(held)}}
        assert study.holds(rows["one"], study.limits(rows)["one"]) is fine


def test_a_chunk_is_the_same_each_time():
    one, other = (study.chunk("tests", "wilcoxon", 3, 4) for _ in range(2))
    assert one == other
    assert one != study.chunk("tests", "wilcoxon", 4, 4)


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "CHUNK", 2)
    monkeypatch.setattr(study, "TRIALS", {"tests": 4})
    rows = {"sign_test": study.GROUPS["tests"]["sign_test"]}
    monkeypatch.setattr(study, "GROUPS", {"tests": rows})
    with working(1):
        once = study.run(tmp_path, {})
        monkeypatch.setattr(study, "chunk", None)
        assert study.run(tmp_path, {}) == once
