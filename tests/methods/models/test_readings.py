"""Readings of columns are printed; whole numbers that may be labels are asked about."""

import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

FOLDS = pd.DataFrame(
    {
        "fold": [1, 2, 3, 4] * 2,
        "alg": ["a"] * 4 + ["b"] * 4,
        "y": [0.90, 0.88, 0.60, 0.57, 0.85, 0.83, 0.55, 0.53],
    }
)


@pytest.mark.parametrize("name", ["fold", "Fold", "block", "subject", "id", "case_id"])
def test_whole_numbers_of_units_are_refused_with_both_spellings(name):
    frame = FOLDS.rename(columns={"fold": name})
    with pytest.raises(pc.InputError, match="holds 4 whole numbers, 2 rows each") as e:
        pc.linear_model(frame, f"y ~ {name} + alg")
    assert f"C({name})" in str(e.value) and f"center({name})" in str(e.value)
    groups = pc.linear_model(frame, f"y ~ C({name}) + alg").anova.set_index("term")
    assert groups.loc["alg", "df2"] == 3 and groups.loc["alg", "statistic"] > 80
    line = pc.linear_model(frame, f"y ~ center({name}) + alg").anova
    assert line["df1"].tolist() == [1, 1, 5]


def test_numbers_in_within_are_refused_as_a_line():
    frame = FOLDS.rename(columns={"fold": "k"})
    with pytest.raises(pc.InputError, match="is in within, too: write C"):
        pc.linear_model(frame, "y ~ k + alg", within="k")
    hostile = FOLDS.rename(columns={"fold": "my id"})
    with pytest.raises(pc.InputError, match=r"write C\(`k k`\)"):
        pc.linear_model(hostile.assign(**{"k k": FOLDS["fold"]}), "y ~ `k k` + alg",
                        within="`k k`")  # fmt: skip


def test_every_column_is_read_aloud(tmp_path, pycompare):
    frame = FOLDS.rename(columns={"fold": "k"}).assign(x=np.arange(8) / 3)
    model = pc.linear_model(frame, "y ~ k + alg + x")
    told = (
        "k: 4 whole numbers, 2 rows each, read as a number (1 df); C(k) compares them "
        "as groups, center(k) is a line"
    )
    assert model.readings == (
        "y: response, 8 numbers from 0.53 to 0.9",
        told,
        "alg: 2 groups, 4 rows each",
        "x: 8 different numbers from 0 to 2.33333, read as a number (1 df)",
    )
    assert told in model.notes
    page = (pc.report(model, tmp_path / "r") / "report.html").read_text()
    assert told in page and "alg: 2 groups, 4 rows each" in page
    frame.to_csv(tmp_path / "t.csv", index=False)
    command = ("model", tmp_path / "t.csv", "--formula", "y ~ k + alg")
    assert f"read: {told}" in pycompare(*command)[1]
    assert told in json.loads(pycompare(*command, "--json")[1])["readings"]


def test_units_numbered_again_in_each_group_are_told():
    rows = [(g, str(u), a) for g in "AB" for u in range(5) for a in "pqr"]
    frame = pd.DataFrame(rows, columns=["group", "subject", "alg"])
    frame["y"] = np.random.default_rng(1).normal(size=len(frame))
    readings = pc.linear_model(frame, "y ~ group + alg", within="subject").readings
    told = "group varies within subject: each of the 5 units has rows of both groups"
    assert "subject: 5 units, 6 rows each" in readings and told in readings
    frame["subject"] = frame["group"] + frame["subject"]
    readings = pc.linear_model(frame, "y ~ group + alg", within="subject").readings
    assert "group varies between subject" in readings
    assert (
        "alg varies within subject: each of the 10 units has rows of all 3 groups"
        in readings
    )
    some = pc.linear_model(frame.iloc[:-1], "y ~ group + alg", within="subject")
    assert (
        "alg varies within subject: each of the 10 units has rows of several groups"
        in some.readings
    )


def test_a_factor_between_some_units_and_within_others():
    rows = [(f"d{d}", f"d{d}f{f}", "xy"[f % 2], a) for d in range(3) for f in range(4)
            for a in "pq"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["data", "fold", "kind", "alg"])
    frame["y"] = np.random.default_rng(1).normal(size=len(frame))
    model = pc.linear_model(frame, "y ~ kind + alg", within="data/fold")
    assert "kind varies within data and between data:fold" in model.readings
