"""What `make report` asks the command line for, without running it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def asked(*settings: str) -> str:
    """Return the call of pycompare that make would make."""
    command = ["make", "-n", "report", *settings]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = said.stdout.replace("\\\n", " ").splitlines()
    [call] = [line for line in lines if "/pycompare " in line]
    return " ".join(call.split())


def test_the_example_is_a_wide_table_of_data_sets():
    call = asked()
    assert "compare" in call and "garcia_herrera_2008.csv" in call
    assert "--wide" in call and "--blocks datasets" in call
    assert '--metric "accuracy:higher"' in call


@pytest.mark.parametrize(
    ("settings", "there", "missing"),
    [
        (("DATA=my.csv", "METRIC=a:higher"), "--wide", "--blocks"),
        (("DATA=my.csv",), "--accept", "--wide"),
        (("DATA=docs",), 'compare "docs"', "--accept"),
        (("DATA=my.csv", "ARGS=--wide"), "--wide", "--wide --wide"),
        (("DATA=my.csv", "ALGORITHM=m", "BLOCK=d"), '--algorithm "m"', "--wide"),
        (("DATA=docs", "METRIC=a:higher"), 'compare "docs"', "--wide"),
        (("DATA=x", "FORMAT=amlb"), '--results-format "amlb"', "--wide"),
        (("PLAN=plan.toml",), 'run "plan.toml"', "--wide"),
    ],
)
def test_what_the_user_sets_is_what_is_asked(settings, there, missing):
    call = asked(*settings)
    assert there in call and missing not in call
