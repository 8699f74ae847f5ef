"""The commands with a plan file: plan, run, and compare --plan."""

import json
import re
import shutil
import sys

import pytest

import pycompare as pc
from docs.plan_keys import plan_keys
from pycompare.apps.cli.compare import compare
from pycompare.apps.cli.options import EDITION
from pycompare.apps.cli.reports import progress
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from tests.apps.cli.test_cli import FOLDS

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.fixture
def folds(tmp_path):
    """A study's folder: the data, and a plan for them."""
    shutil.copy(pc.example_path("folds"), tmp_path / "folds.csv")
    (tmp_path / "plan.toml").write_text(
        '[data]\nfile = "folds.csv"\nalgorithm = "algorithm"\nblock = "fold"\n'
        'dataset = "data"\n[metrics]\nerror = "lower"\nauc = "higher"\n'
        "[plan]\nn_train = 216\nn_test = 24\n"
    )
    return tmp_path


def results(folder):
    held = json.loads((folder / "results.json").read_text())
    return {name: held[name] for name in ("plan", "data", "analyses", "together")}


def test_run_compare_with_a_plan_and_options_give_the_same(pycompare, folds):
    plan, data = folds / "plan.toml", folds / "folds.csv"
    assert pycompare("run", plan, "--out", folds / "one")[0] == 0
    assert pycompare("compare", data, "--plan", plan, "--out", folds / "two")[0] == 0
    status, text, _ = pycompare(
        *("compare", data, *FOLDS, "--train", 216, "--test", 24),
        *("--out", folds / "three", "--json"),
    )
    assert status == 0 and json.loads(text)["provenance"]["plan_file"] is None
    assert results(folds / "one") == results(folds / "two") == results(folds / "three")
    held = json.loads((folds / "one" / "results.json").read_text())
    assert held["provenance"]["plan_file"]["text"] == plan.read_text()


def test_run_prints_json_and_replaces_only_when_told(pycompare, folds):
    args = ("run", folds / "plan.toml", "--out", folds / "out", "--json")
    status, text, stderr = pycompare(*args)
    assert (status, stderr) == (0, "")
    assert json.loads(text)["made_by"] == "pycompare comparison"
    assert pycompare(*args)[0] == 2
    assert pycompare(*args, "--overwrite")[0] == 0


def test_options_that_say_the_same_are_fine(pycompare, folds):
    status, _, stderr = pycompare(
        *("compare", folds / "folds.csv", "--plan", folds / "plan.toml", *FOLDS),
        *("--train", 216, "--alpha", 0.05, "--out", folds / "out"),
    )
    assert (status, stderr) == (0, "")


def test_methods_are_the_same_by_any_of_their_names(pycompare, folds):
    plan = folds / "plan.toml"
    plan.write_text(plan.read_text() + 'adjust = ["tukey", "BH"]\n')
    status, _, stderr = pycompare(
        *("compare", folds / "folds.csv", "--plan", plan, "--adjust", "tukey"),
        *("--adjust", "fdr", "--out", folds / "out"),
    )
    assert (status, stderr) == (0, "")


def test_options_that_say_otherwise_are_all_refused(pycompare, folds):
    status, _, stderr = pycompare(
        *("compare", folds / "folds.csv", "--plan", folds / "plan.toml"),
        *("--train", 200, "--alpha", 0.1, "--metric", "error:higher", "--wide"),
        *("--block", "data", "--adjust", "fdr", "--seed", 1, "--average-folds"),
        *("--out", folds / "out"),
    )
    assert status == 2
    first, *told = stderr.splitlines()
    assert first == "pycompare: 8 problems:"
    assert "line 10: n_train = 216 in the plan, and --train is 200;" in stderr
    assert "line 4: block = 'fold' in the plan, and --block is 'data'" in stderr
    assert "line 9: seed is left open in the plan, and --seed is 1" in stderr
    for option in ("--alpha", "--metric", "--wide", "--adjust", "--average-folds"):
        assert sum(f"{option} is" in line for line in told) == 1
    assert not (folds / "out").exists()


def test_a_bad_plan_ends_with_a_line_for_each_problem(pycompare, folds):
    plan = folds / "plan.toml"
    plan.write_text(
        plan.read_text().replace('"lower"', '""').replace("n_test", "n_tset")
    )
    status, stdout, stderr = pycompare("run", plan, "--out", folds / "out")
    assert (status, stdout) == (2, "")
    assert stderr.splitlines()[0] == "pycompare: 2 problems:"
    assert "plan.toml, line 7: error = " in stderr and "plan.toml, line 11: " in stderr
    plan.write_text("x")
    status, _, stderr = pycompare("run", plan, "--out", folds / "out")
    assert status == 2 and stderr.startswith("pycompare: plan.toml, line 1: ")
    assert stderr.count("\n") == 1


def test_plan_writes_what_run_refuses_until_it_is_filled_in(pycompare, folds):
    new = folds / "sub folder" / "new.toml"
    new.parent.mkdir()
    status, text, _ = pycompare("plan", folds / "folds.csv", "--out", new)
    assert status == 0 and "'" in text
    assert pycompare("plan", folds / "folds.csv", "--out", new)[0] == 2
    status, _, stderr = pycompare("run", new, "--out", folds / "out")
    assert status == 2 and stderr.startswith("pycompare: 4 problems:")
    filled = new.read_text().replace('error = ""', 'error = "lower"')
    filled = filled.replace('auc = ""', 'auc = "higher"')
    filled = re.sub(r'(?m)^(\w+) = ""  # proposed: (.*)$', r"\1 = \2", filled)
    new.write_text(filled)
    assert pycompare("run", new, "--out", folds / "out")[0] == 0


def test_plan_prints_a_wide_one(pycompare):
    status, text, _ = pycompare("plan", pc.example_path(), "--wide")
    assert status == 0 and 'format = "wide"' in text and 'score = ""' in text
    status, _, stderr = pycompare("plan", "no.csv")
    assert status == 2 and "no.csv" in stderr and stderr.count("\n") == 1


@pytest.mark.parametrize("terminal", [True, False])
def test_steps_are_told_on_a_terminal_only(terminal, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    with progress() as tell:
        tell("metric 1 of 2:\n" + "n" * 200)
    told = capsys.readouterr().err
    assert ("pycompare: metric 1 of 2: nnn" in told) == terminal
    assert len(told) < 90 and "\n" not in told


def test_every_key_has_its_option_and_is_on_the_page_of_keys():
    page = plan_keys()
    command = compare
    spelled = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
    for owner in (Roles, pc.Plan):
        for key in keys_of(owner).values():
            assert f"`{key.name}`\n: {key.about}" in page, key.name
            assert key.option in {"", "FILE"} | spelled, key.name
    about_other = {"plan_file", "out", "overwrite", "as_json", "accept", *EDITION}
    about_other |= {"file", "date", "help_all", "workers", "scheduler", "keep"}
    declared = {k.option for o in (Roles, pc.Plan) for k in keys_of(o).values()}
    for parameter in command.params:
        if parameter.name not in about_other | {"metrics"}:
            assert parameter.opts[0] in declared, parameter.name
