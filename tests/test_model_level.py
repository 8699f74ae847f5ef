"""The study of levels of linear models: what is counted, and its page."""

import re

import numpy as np
import pytest

from validation import model_level as study


@pytest.mark.slow
@pytest.mark.parametrize("name", study.STUDIES)
def test_shares_are_repeated_by_their_seeds(name):
    runs = 16
    found = study.STUDIES[name](name, runs)
    assert found == study.STUDIES[name](name, runs)
    for share, many in found.values():
        assert many >= 2 and 0 <= share <= 1
        assert share * many == pytest.approx(round(share * many))


def test_effects_are_one_number_per_cell():
    frame = study.factorial(data=3, learner=2)
    made = study.effects(frame, ["data"], np.random.default_rng(1), 4)
    assert made.shape == (6, 4)
    assert (made[0] == made[1]).all() and (made[1] != made[2]).any()


def test_rejections_are_those_of_the_table():
    frame = study.factorial(data=6, learner=3)
    y = np.random.default_rng(1).normal(size=(18, 5))
    y[:, 0] += 5 * (frame["learner"] == "l1")
    found = study.rejected(frame, y, "learner", within="data")
    alone = [
        study.rejected(frame, y[:, [j]], "learner", within="data") for j in range(5)
    ]
    assert found["learner"] == sum(one["learner"] for one in alone) >= 1


def test_the_page_has_every_analysis_and_counts_the_levels_that_hold():
    text = study.PAGE.read_text(encoding="utf-8")
    rows = re.findall(
        r"(?m)^\| (.+?) \| (.+?) \| ([\d.]+) \| [\d.]+ \| (\d+) \|$", text
    )
    assert {study_ for study_, *_ in rows} == set(study.STUDIES)
    meant = [row for row in rows if not row[1].endswith(study.EXPECTED_HIGH)]
    held = [float(rate) <= study.allowed(int(many)) for *_, rate, many in meant]
    assert f"**{sum(held)} of {len(meant)} levels" in text
    assert all(held)
    others = [float(row[2]) for row in rows if row not in meant]
    assert min(others) > 0.06
