"""Ratings that are refused or asked about: each advice is followed, and works."""

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.apps.cli.mrmc import mrmc
from tests.command_line import command

ROLES = {"modality": "m", "reader": "r", "case": "c", "rating": "x", "truth": "y"}
COLUMNS = [word for role, name in ROLES.items() for word in (f"--{role}", name)]
RNG = np.random.default_rng(0)
ROWS = pd.DataFrame(
    {
        "m": m,
        "r": r,
        "c": f"c{c}",
        "x": round(float(RNG.normal() + c % 2), 3),
        "y": c % 2,
        "k": c // 2,
    }
    for m in "AB"
    for r in "stu"
    for c in range(12)
)
AT = ["--threshold", "0.5"]


def changed(row: int, column: str, value: object) -> pd.DataFrame:
    rows = ROWS.astype({column: object})
    rows.loc[row, column] = value
    return rows


def asked(folder, rows: pd.DataFrame, *words: str) -> tuple[int, str, str]:
    rows.to_csv(folder / "r.csv", index=False)
    return command("mrmc", folder / "r.csv", *COLUMNS, *words)


REFUSED = {
    "percent": (changed(3, "x", "95%"), ()),
    "text": (changed(3, "x", "high"), ()),
    "empty": (changed(3, "x", np.nan), ()),
    "infinite": (changed(3, "x", "inf"), ()),
    "a gap": (ROWS.drop(index=5), ()),
    "a gap, dbm": (
        ROWS.drop(index=5),
        ("--design", "incomplete", "--method", "dbm"),
    ),
    "twice": (pd.concat([ROWS, ROWS[:1]]), ()),
    "three classes": (changed(3, "y", 2), ()),
    "classes": (ROWS.replace({"y": {0: "no", 1: "yes"}}), ()),
    "one modality": (ROWS[ROWS.m == "A"], ()),
    "one reader": (ROWS[ROWS.r == "s"], ()),
    "one class": (ROWS[ROWS.y == 1], ()),
    "a cut": (ROWS, AT),
    "no cut": (ROWS, ("--figure", "sensitivity")),
    "no range": (ROWS, ("--figure", "partial_auc")),
    "no direction": (ROWS, ("--figure", "mean")),
    "seed": (ROWS, ("--seed", "3")),
    "dbm": (ROWS, ("--method", "dbm", "--covariance", "unbiased")),
    "nemenyi": (ROWS, ("--adjust", "nemenyi")),
    "shaffer": (
        ROWS,
        ("--adjust", "shaffer", "--margin", "0.1", "--hypothesis", "equivalence"),
    ),
    "control": (ROWS, ("--control", "a")),
    "mixed": (ROWS, ("--mixed", "accuracy")),
    "link": (ROWS, ("--link", "probit")),
    "1992": (ROWS, ("--df", "1992")),
    "clusters": (ROWS, ("--cluster", "k", "--covariance", "unbiased")),
    "design": (ROWS, ("--design", "readers-in-modalities")),
    "only": (ROWS, ("--only", "A", "--margin", "0.1", "--hypothesis", "equivalence")),
}


@pytest.mark.parametrize("which", REFUSED)
def test_advice_names_only_options_that_mrmc_has(tmp_path, which):
    rows, words = REFUSED[which]
    status, _, told = asked(tmp_path, rows, *words)
    known = {name for one in mrmc.params for name in one.opts}
    assert status == 2
    assert set(re.findall(r"--[a-z][a-z-]*", told)) <= known
    python = {p.name for p in mrmc.params} & set(re.findall(r"\b(\w+)='", told))
    assert python <= {"modality", "reader", "case"}  # places in the data


@pytest.mark.parametrize(("figure", "side"), [("sensitivity", 1), ("specificity", 0)])
@pytest.mark.parametrize("covariance", ["jackknife", "delong", "bootstrap"])
def test_one_class_is_enough_for_its_own_figure(figure, side, covariance):
    both, one = (
        pc.mrmc(
            pc.Ratings.from_frame(rows, **ROLES),
            figure=figure,
            threshold=0.5,
            covariance=covariance,
        ).table
        for rows in (ROWS, ROWS[ROWS.y == side])
    )
    assert one["estimate"].equals(both["estimate"])
    if covariance == "delong":  # the jackknife counts all cases
        assert one["std_error"].equals(both["std_error"])
    for other in ("auc", "specificity" if side else "sensitivity"):
        ratings = pc.Ratings.from_frame(ROWS[ROWS.y == side], **ROLES)
        options = {} if other == "auc" else {"threshold": 0.5}
        with pytest.raises(pc.InputError, match="there are no cases of it"):
            pc.mrmc(ratings, figure=other, **options)


@pytest.mark.usefixtures("blank_pictures_here")
def test_a_study_of_one_class_has_a_report(tmp_path):
    words = ["--figure", "sensitivity", *AT, "--out", str(tmp_path / "out")]
    status, told, _ = asked(tmp_path, ROWS[ROWS.y == 1], *words)
    assert status == 0
    assert told.startswith("2 modalities, 3 readers, 6 cases (6 positive, 0 negative).")
    assert command("verify", tmp_path / "out", "--recompute")[0] == 0


def test_a_class_that_no_case_has_is_not_taken_for_granted():
    rows = ROWS[ROWS.y == 1].replace({"y": {1: "ill"}})
    assert pc.Ratings.from_frame(rows, **ROLES, positive="ill").truth.all()
    with pytest.raises(pc.InputError, match="'ill': declare which one is positive"):
        pc.Ratings.from_frame(rows, **ROLES)
    with pytest.raises(pc.InputError, match="no case has the label 'il'"):
        pc.Ratings.from_frame(rows, **ROLES, positive="il")


def test_one_reader_of_one_class_is_named_with_ways_that_work(tmp_path):
    rows = ROWS[(ROWS.r != "s") | (ROWS.y == 0)]
    design = ("--design", "incomplete")
    status, _, told = asked(tmp_path, rows, *design)
    assert status == 2 and "reader='s' rated no case of it ('1')" in told
    assert asked(tmp_path, rows[rows.r != "s"], *design)[0] == 0
    assert "--figure specificity" in told
    assert asked(tmp_path, rows, *design, "--figure", "specificity", *AT)[0] == 0


@pytest.mark.parametrize("seed", range(5))
def test_rows_without_a_rating_go_from_an_incomplete_design(seed):
    rng = np.random.default_rng(seed)
    gone = rng.choice(len(ROWS), 4, replace=False)
    empty = ROWS.copy()
    empty.loc[gone, "x"] = np.nan
    found = pc.Ratings.from_frame(empty, **ROLES, design="incomplete")
    dropped = pc.Ratings.from_frame(ROWS.drop(index=gone), **ROLES, design="incomplete")
    assert pc.mrmc(found).table.equals(pc.mrmc(dropped).table)
    assert "left out 4 rows without a rating" in pc.mrmc(found).notes
    with pytest.raises(pc.InputError, match=r"no rating in 4 of 72 rows"):
        pc.Ratings.from_frame(empty, **ROLES)


def test_a_reader_without_any_rating_is_left_out():
    empty = ROWS.copy()
    empty.loc[empty.r == "s", "x"] = np.nan
    empty.loc[empty.c == "c3", "x"] = np.nan
    found = pc.Ratings.from_frame(empty, **ROLES, cluster="k", design="incomplete")
    assert found.readers == ("t", "u") and "c3" not in found.cases
    assert found.cluster.shape == found.truth.shape == (11,)
    empty["x"] = np.nan
    with pytest.raises(pc.InputError, match="holds no rating"):
        pc.Ratings.from_frame(empty, **ROLES, design="incomplete")


def test_an_infinite_rating_is_an_extreme_one(tmp_path):
    status, _, told = asked(tmp_path, changed(3, "x", "inf"))
    assert status == 2 and "missing one: give it a finite value beyond all" in told
    largest = float(ROWS.x.max())
    both = [
        pc.mrmc(pc.Ratings.from_frame(changed(3, "x", k * largest), **ROLES)).table
        for k in (2, 1000)
    ]
    assert both[0].equals(both[1])
    scores = pd.DataFrame({"a": [1, np.inf], "b": [2.0, 3]})
    with pytest.raises(pc.InputError) as error:
        pc.Scores.from_wide(scores, metric="distance", better="lower")
    assert "not a missing one" in str(error.value)


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("R1", "r1", True),
        ("R 1", "R1", True),
        ("R01", "R1", True),
        ("01", "1", True),
        ("007", "7", True),
        ("1.5", "1.05", False),
        ("1 2", "12", False),
        ("10", "1", False),
        ("R10", "R1", False),
        ("a", "b", False),
        ("0", "00", True),
    ],
)
@pytest.mark.parametrize("role", ["r", "c"])
def test_labels_that_nearly_agree_are_asked_about(first, second, alike, role):
    one, other = ("s", "t") if role == "r" else ("c1", "c2")
    rows = ROWS.replace({role: {one: first, other: second}})
    if not alike:
        assert pc.Ratings.from_frame(rows, **ROLES).shape == (2, 3, 12)
        return
    what = "reader" if role == "r" else "case"
    with pytest.raises(pc.InputError, match=rf"are they one {what}\? If so") as error:
        pc.Ratings.from_frame(rows, **ROLES)
    assert repr(first) in str(error.value) and repr(second) in str(error.value)
    apart = rows.replace({role: {second: "other"}})
    assert pc.Ratings.from_frame(apart, **ROLES).shape == (2, 3, 12)


def test_counts_are_on_the_first_line(tmp_path):
    first = "2 modalities, 3 readers, 12 cases (6 positive, 6 negative)."
    _, told, _ = asked(tmp_path, ROWS)
    assert told.splitlines()[0] == first
    assert pc.mrmc(pc.Ratings.from_frame(ROWS, **ROLES)).summary().startswith(first)


def test_the_package_runs_as_a_program():
    told = subprocess.run(
        [sys.executable, "-m", "pycompare", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == f"pycompare, version {pc.__version__}"
