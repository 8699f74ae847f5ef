"""``pycompare simulate``: options, tables, JSON, refusals."""

from __future__ import annotations

import json

from click.testing import CliRunner

import pycompare as pc
from pycompare.apps.cli.app import cli
from pycompare.sizes.simulation import studies

SMALL = ["--d-prime", "1", "--n", "40", "--trials", "5", "--seed", "3"]


def run(*arguments: str):
    return CliRunner().invoke(cli, ["simulate", *arguments], catch_exceptions=True)


def test_the_table_is_that_of_the_function(tmp_path):
    shown = run("maloof", *SMALL, "--json", "--keep", str(tmp_path / "k"))
    study = studies.Maloof(d_prime=[1.0], n=[40])
    wanted = pc.simulate(study, trials=5, seed=3)
    assert json.loads(shown.stdout) == json.loads(json.dumps(wanted.to_dict()))
    assert "1 of 1 chunks" in shown.stderr
    again = run("maloof", *SMALL, "--keep", str(tmp_path / "k"))
    assert "1 of 1 chunks were done before" in again.stderr
    assert again.stdout == wanted.summary() + "\n"


def test_every_study_has_a_command_whose_options_explain_themselves():
    listed = run("--help").stdout
    for name, study in studies.STUDIES.items():
        assert name in listed
        text = run(name, "--help").stdout
        assert "--scheduler ADDRESS" in text and str(study.default_trials) in text


def test_bad_settings_are_refused():
    found = run("maloof", "--n", "3")
    assert isinstance(found.exception, pc.InputError)
    assert "each at least 8" in str(found.exception)
