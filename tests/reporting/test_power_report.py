"""The page of a planned study: sentence, curve, table, R, and the power again."""

import hashlib
import json
import shutil
import subprocess

import pytest
from click.testing import CliRunner

import pycompare as pc
from pycompare import sizes
from pycompare.apps.cli.app import cli
from pycompare.reporting.verify import verify


@pytest.fixture(scope="module")
def found():
    return pc.power(sizes.Sign(win=0.8, tie=0.1), target=0.7, trials=200, seed=4)


@pytest.fixture(scope="module")
def folder(found, tmp_path_factory):
    return pc.report(found, tmp_path_factory.mktemp("power") / "out")


def test_the_page_has_the_sentence_the_curve_and_the_truth(found, folder):
    page = (folder / "report.html").read_text(encoding="utf-8").replace("\xa0", " ")
    for part in (found.sentence(), "Number of data sets", "win = 0.8", "seed 4"):
        assert part in page
    table = (folder / "tables" / "power.csv").read_text().splitlines()
    sizes = [int(line.split(",")[0]) for line in table[1:]]
    assert found.n_required in sizes and len(sizes) > 4


def test_the_power_comes_out_again(folder):
    checked = verify(folder, recompute=True)
    assert checked.passed and checked.again.numbers >= 8


def test_another_truth_in_the_manifest_is_found(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    held = json.loads((copy / "manifest.json").read_text())
    held["plan"]["asked"]["truth"]["win"] = 0.81
    (copy / "manifest.json").write_text(json.dumps(held))
    assert not verify(copy, recompute=True).passed


def test_r_computes_the_formula_again(folder):
    ended = subprocess.run(
        ["Rscript", "reproduce.R"], cwd=folder, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_a_simulated_power_has_a_page_too(tmp_path):
    design = sizes.Friedman(means=(0, 0, 1), sd=1)
    found = pc.power(design, n=[5, 10], trials=100, seed=3)
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert "by 100 simulated studies" in page and "R has no formula" in page


def test_the_command_writes_the_page(tmp_path):
    words = ["power", "sign", "--win", "0.8", "--n", "10", "--trials", "50"]
    out = ["--out", str(tmp_path / "r")]
    shown = CliRunner().invoke(cli, [*words, *out], catch_exceptions=False)
    assert "exact sign test" in shown.output and "report.html" in shown.output
    again = CliRunner().invoke(cli, [*words, *out])
    assert "earlier report" in str(again.exception)
    assert CliRunner().invoke(cli, [*words, *out, "--overwrite"]).exit_code == 0
    alone = CliRunner().invoke(cli, [*words, "--overwrite"])
    assert isinstance(alone.exception, pc.InputError)


PLAN = """[data]
file = "x.csv"
format = "wide"
block = "d"
algorithms = ["new<b>", "old"]
[metrics]
score = "lower"
[plan]
blocks = "datasets"
"""


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planned")
    (folder / "plan.toml").write_text(PLAN)
    words = [
        "power",
        str(folder / "plan.toml"),
        "--n",
        "8",
        "--n",
        "12",
        "--trials",
        "5",
    ]
    words += ["--effect", "new<b>=-0.04", "--sd", "0.05", "--correlation", "0.5"]
    out = ["--out", str(folder / "out")]
    shown = CliRunner().invoke(cli, [*words, *out], catch_exceptions=False)
    assert shown.exit_code == 0 and "report.html" in shown.output
    return folder / "out"


def test_the_page_of_a_plan_has_its_text_and_comes_out_again(planned):
    page = (planned / "report.html").read_text(encoding="utf-8")
    sha = hashlib.sha256(PLAN.encode()).hexdigest()
    for part in ("Power of the plan plan.toml", "new&lt;b&gt; -0.04", sha):
        assert part in page
    assert (planned / "figures" / "power.svg").is_file()
    assert "new<b>" not in page
    held = json.loads((planned / "results.json").read_text())
    found = pc.planned_power(
        pc.PlanFile(content=PLAN.encode()), n=[8, 12], trials=5,
        effects={"new<b>": -0.04}, sd=0.05, correlation=0.5,
    )  # fmt: skip
    assert [row["share"] for row in held["table"]] == found.table["share"].tolist()
    checked = verify(planned, recompute=True)
    assert checked.passed and checked.again.numbers > 20


def test_another_truth_of_a_plan_is_found(planned, tmp_path):
    copy = shutil.copytree(planned, tmp_path / "copy")
    held = json.loads((copy / "manifest.json").read_text())
    held["plan"]["asked"]["sd"] = 0.5
    (copy / "manifest.json").write_text(json.dumps(held))
    assert not verify(copy, recompute=True).passed


def test_another_result_is_refused(tmp_path):
    with pytest.raises(
        pc.InputError,
        match=r"FriedmanResult has no report; give a result of one of pc\.compare, .*"
        r"pc\.standalone, pc\.battles, pc\.power, ",
    ):
        pc.report(pc.friedman(pc.example()), tmp_path / "r")
