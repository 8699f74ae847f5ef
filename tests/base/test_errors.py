"""Messages name settings; each front end spells them, and no label is taken for one."""

import pickle

import pytest

import pycompare as pc
from pycompare.apps.cli.spelling import as_option
from pycompare.base.errors import Message, Setting, joined, setting, spelled
from pycompare.designs.plans.plan_text import as_toml

ADVICE = "cells are missing; set " + setting("missing", "drop-block") + ", or stop"


def test_a_message_is_text_as_python_spells_it():
    assert ADVICE == "cells are missing; set missing='drop-block', or stop"
    assert isinstance(ADVICE, Message)


def test_front_ends_spell_settings_their_own_way():
    start, end = "cells are missing; set ", ", or stop"
    assert spelled(ADVICE, as_option) == f"{start}--missing drop-block{end}"
    assert spelled(ADVICE, as_toml) == f'{start}missing = "drop-block"{end}'


@pytest.mark.parametrize(
    ("given", "python", "option"),
    [
        (Setting("n_train"), "n_train", "--train"),
        (Setting("dataset", ...), "dataset=...", "--dataset"),
        (Setting("average_folds", True), "average_folds=True", "--average-folds"),
        (Setting("undefined", {"f1": 0}), "undefined={'f1': 0}", "--undefined f1=0"),
        (Setting("classes", ("a", "b c")), "classes=('a', 'b c')", "--classes a 'b c'"),
        (Setting("threshold_rule", "any"), None, 'threshold_rule = "any"'),
        (Setting("anything", 1), "anything=1", "anything=1"),
    ],
)
def test_each_kind_of_value(given, python, option):
    assert python is None or str(given) == python
    assert as_option(given) == option


def test_a_label_that_looks_like_a_setting_stays_a_label():
    message = "no algorithm 'margin=1'; leave " + setting("margin") + " out"
    assert spelled(message, as_option) == "no algorithm 'margin=1'; leave --margin out"


def test_settings_survive_joining_prefixes_and_processes():
    ways = joined(", ", [setting("rest", True), "or stop"])
    assert spelled("do: " + ways, as_option) == "do: --rest, or stop"
    error = pc.InputError(ADVICE)
    error.at("scores.csv")
    back = pickle.loads(pickle.dumps(error))
    assert str(back) == f"scores.csv: {ADVICE}"
    assert "--missing drop-block" in spelled(back.message, as_option)


def test_the_command_line_reports_an_algorithm_named_like_an_option(
    pycompare, tmp_path
):
    table = tmp_path / "s.csv"
    table.write_text("d,margin=1,n_train=2,c\nx,1,2,3\ny,2,,1\nz,3,1,2\n")
    status, _, said = pycompare(
        *("compare", table, "--wide", "--metric", "m:higher", "--out", tmp_path / "o")
    )
    assert status == 2
    assert "algorithm='n_train=2'" in said and "--missing drop-block" in said
    assert "--train" not in said and "--margin" not in said
