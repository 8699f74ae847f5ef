"""Options of a report without its folder are an error of every command that prints."""

import json

import pytest

from pycompare.apps.cli.options import EDITION
from tests.test_options_given_twice import commands

PRINTING = {
    ("battles",): ["votes.csv"],
    ("mrmc",): ["ratings.csv", "--modality", "test"],
    ("model",): ["runs.csv", "--formula", "y ~ x"],
    ("power", "paired-t"): ["--difference", "0.02", "--sd", "0.04"],
    ("power", "auc"): ["--auc", "0.7"],
    ("power", "plan.toml"): ["--n", "20", "--sd", "1", "--correlation", "0.5"],
}
WORDS = {
    "overwrite": ["--overwrite"],
    "date": ["--date", "2026-11-22"],
    "formats": ["--format", "html"],
    "style": ["--style", "page"],
    "rounding": ["--rounding", "half-even"],
    "cross_check": ["--cross-check"],
    "paper": ["--paper"],
    "with_program": ["--with-program"],
}


def test_every_option_of_a_report_is_tried():
    assert {*WORDS} == {"overwrite", "date", *EDITION}


def test_every_command_that_prints_without_a_folder_is_tried():
    printing = {
        path
        for path, command in commands()
        for one in command.params
        if one.name == "out" and "Default: print the results" in (one.help or "")
    }
    assert printing >= {path for path in PRINTING if path != ("power", "plan.toml")}
    assert {path[0] for path in printing} == {path[0] for path in PRINTING}


@pytest.mark.parametrize("path", PRINTING, ids=" ".join)
@pytest.mark.parametrize("name", WORDS)
def test_an_option_of_a_report_needs_its_folder(pycompare, path, name):
    words = WORDS[name]
    status, out, err = pycompare(*path, *PRINTING[path], *words)
    assert (status, out) == (2, "")
    assert f"{words[0]} is for a report: name its folder, --out DIR" in err


def test_with_a_folder_the_options_are_taken(pycompare, tmp_path):
    words = ["power", "paired-t", *PRINTING["power", "paired-t"], "--trials", "0"]
    folder = tmp_path / "power"
    given = [*WORDS["formats"], *WORDS["date"], "--out", str(folder)]
    status, _, err = pycompare(*words, *given)
    assert status == 0, err
    assert "22 November 2026" in (folder / "report.html").read_text(encoding="utf-8")
    assert pycompare(*words, *given, "--overwrite")[0] == 0


@pytest.mark.r
def test_a_cross_check_is_shown_beside_json(pycompare, tmp_path):
    words = ["power", "paired-t", *PRINTING["power", "paired-t"], "--trials", "0"]
    folder = tmp_path / "power"
    given = ["--json", "--out", str(folder), "--cross-check"]
    status, out, err = pycompare(*words, *given)
    assert status == 0, err
    assert json.loads(out)["n_required"] == 34 and "Cross-check: " in err
