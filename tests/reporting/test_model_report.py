"""The report of a linear model, and the plan file that makes it."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.reporting.analyses.models import ModelReport, model_report
from pycompare.reporting.document import Table
from pycompare.reporting.model_report import conclusions
from pycompare.reporting.provenance import provenance
from tests.conftest import drawings
from validation.checks.models import designed

pytestmark = pytest.mark.usefixtures("blank_pictures")

EVIL = "<img src=x onerror=alert(1)>"
FORMULA = "cbind(error, auc) ~ learner * prep"
PLAN = f"""\
[data]
file = "runs.csv"

[model]
formula = "{FORMULA}"
within = "data/fold"
means = ["learner:prep"]
contrasts = ["learner"]
alpha = 0.01
"""


def frame(gaps=0):
    made = designed(1, gaps)
    return made.assign(learner=made["learner"].replace({"L0": EVIL, "L1": "=1"}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    model = pc.linear_model(frame(), FORMULA, within="data")
    with drawings():
        return pc.report(model, tmp_path_factory.mktemp("model") / "out")


def test_the_folder_has_page_numbers_pictures_and_r_code(folder):
    found = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert {"report.html", "results.json", "reproduce.R"} <= found
    assert {"figures/multivariate_ellipses.svg", "figures/response2_means.svg"} <= found
    table = pd.read_csv(folder / "tables" / "response1_terms.csv")
    model = pc.linear_model(frame(), FORMULA, within="data")
    own = model.anova[model.anova["response"] == "error"]
    assert table["p_value"].tolist() == pytest.approx(
        own["p_value"].tolist(), nan_ok=True
    )
    results = json.loads((folder / "results.json").read_text())
    assert results["made_by"] == "pycompare model"
    assert "Comparisons of auc by learner" in results["results"]


def test_the_page_escapes_labels_and_says_what_terms_are_tested_against(folder):
    page = (folder / "report.html").read_text()
    assert EVIL not in page and "&lt;img src=x" in page
    for text in ("Tested against", "Pillai", "Means by learner", "Shapiro-Wilk",
                 "Comparisons by prep", "partial eta squared"):  # fmt: skip
        assert text in page
    assert "'=1" in (folder / "tables" / "response1_means1.csv").read_text()


@pytest.mark.r
def test_the_script_runs_in_r(folder):
    subprocess.run(["Rscript", folder / "reproduce.R"], check=True, timeout=120,
                   capture_output=True)  # fmt: skip


def report_of(model, **plan):
    chosen = ModelPlan(formula=model.formula, **plan)
    found = ModelReport(model=model, plan=chosen)
    return found, model_report(found, provenance())


def tables(report):
    return [b for b in report.document().walk() if isinstance(b, Table)]


def test_a_mixed_model_shows_variances_and_no_multivariate_tests():
    model = pc.linear_model(frame(7), FORMULA, within="data")
    found, report = report_of(model)
    captions = [table.caption for table in tables(report)]
    assert "Variances by restricted maximum likelihood." in captions
    assert "Multivariate tests of each term." not in captions and not found.manova
    assert "Kenward-Roger" in report.results[0].method
    assert len(found.results()) == 2 + 2 * 4


def test_random_p_values_say_their_seed(tmp_path):
    model = pc.linear_model(designed(1, 5), "error ~ learner * prep")
    plan = ModelPlan(
        formula=model.formula,
        contrasts=("learner:prep",),
        adjust="single-step",
        seed=7,
    )
    out = pc.report(model, tmp_path / "out", plan=plan)
    origin = json.loads((out / "results.json").read_text())["provenance"]
    assert origin["seed"] == 7 and origin["randomness"].startswith("7, for single-step")
    assert "random seed 7" in (out / "report.html").read_text()
    _, report = report_of(model)
    assert report.origin["seed"] is None


def test_permutations_are_a_sensitivity_analysis():
    model = pc.linear_model(designed(1), FORMULA, within="data")
    found, report = report_of(model, permutations=19, seed=3)
    shown = [t for t in tables(report) if str(t.caption).startswith("Terms tested by")]
    assert len(shown) == 3 and found.drawn == ("permutations of residuals",)
    rows = shown[2].cells()
    assert [cells[0].text for cells in rows] == list(model.terms)
    assert "19 permutations of 108 units within data" in rows[0][1].text
    learner = shown[0].cells()[0]
    # The least p of 19 permutations is alpha: both tests reject.
    assert found.permuted["learner"].table["p_value"].iloc[0] == found.plan.alpha
    assert (learner[0].text, learner[4].text) == ("learner", "yes")
    mixed = pc.linear_model(designed(1, 7), "error ~ learner", within="data")
    _, other = report_of(mixed, permutations=19)
    assert "not exchangeable" in str(other.document())


def test_dispersion_of_groups_is_shown_without_units():
    model = pc.linear_model(designed(1), "error ~ learner * prep")
    found, report = report_of(model)
    [shown] = [t for t in tables(report) if "Levene" in str(t.caption)]
    test = model.dispersion_test("prep")
    assert [cells[0].text for cells in shown.cells()] == ["learner", "prep"]
    assert found.dispersion["prep"].p_value == test.p_value
    units = pc.linear_model(designed(1), "error ~ learner", within="data")
    assert not report_of(units)[0].dispersion


def test_numbers_of_the_answer_are_those_of_the_table():
    model = pc.linear_model(designed(1), "error ~ learner + prep", within="data")
    row = model.anova.set_index("term").loc["learner"]
    told = conclusions(model, 0.05)
    assert told.startswith("error: Significant effect: learner (partial")
    assert f"squared {row['partial_eta2']:.2f}, 95% CI [{row['conf_low']:.2f}" in told
    assert "No significant effect: prep." in told
    strict = conclusions(model, 1e-300)
    assert strict == "error: No significant effect: learner, prep."


def test_terms_that_cannot_be_tested_are_on_the_page():
    model = pc.linear_model(designed(2), "error ~ data + learner * size")
    _, report = report_of(model)
    [terms] = [t for t in tables(report) if str(t.caption).startswith("Tests of terms")]
    size = next(cells for cells in terms.cells() if cells[0].text == "size")
    assert [cell.text for cell in size[3:5]] == ["–", "–"]
    assert any("size lacks 1 degree" in str(text) for text in report.dropped)


def test_the_answer_names_terms_that_cannot_be_tested():
    frame = designed(1)
    found = pc.linear_model(frame, "error ~ learner * prep", within="learner")
    said = conclusions(found, 0.05)
    assert "Not testable: learner." in said and "prep" in said
    assert "Not testable" not in conclusions(
        pc.linear_model(frame, "error ~ learner * prep", within="data"), 0.05
    )


def test_an_earlier_report_is_kept_unless_told(folder, tmp_path):
    model = pc.linear_model(frame(), "error ~ prep")
    with pytest.raises(InputError, match="earlier report"):
        pc.report(model, folder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    with pytest.raises(InputError, match="left unchanged"):
        pc.report(model, tmp_path / "mine", overwrite=True)


# ---- plan files


@pytest.fixture
def plan(tmp_path):
    frame().to_csv(tmp_path / "runs.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


def test_run_makes_the_report_of_a_plan(pycompare, plan):
    status, text, _ = pycompare("run", plan, "--out", plan.parent / "out")
    assert status == 0 and "Significant effect: learner" in text
    results = json.loads((plan.parent / "out" / "results.json").read_text())
    assert results["provenance"]["plan_file"]["text"] == PLAN
    assert results["provenance"]["file"] == "runs.csv"
    by_plan = read_analysis_plan(plan).fitted()
    direct = pc.linear_model(frame(), FORMULA, within="data/fold")
    assert by_plan.anova["p_value"].tolist() == pytest.approx(
        direct.anova["p_value"].tolist(), nan_ok=True
    )


def test_a_plan_says_how_its_file_is_written(plan):
    wanted = read_analysis_plan(plan).fitted().anova["p_value"]
    frame().to_csv(plan.parent / "runs.csv", index=False, sep=";", decimal=",")
    written = 'file = "runs.csv"\nsep = ";"\ndecimal = ","'
    plan.write_text(PLAN.replace('file = "runs.csv"', written))
    found = read_analysis_plan(plan).fitted().anova["p_value"]
    assert found.tolist() == pytest.approx(wanted.tolist(), nan_ok=True)


def test_model_writes_the_same_report(pycompare, plan):
    status, text, _ = pycompare(
        *("model", plan.parent / "runs.csv", "--formula", FORMULA),
        *("--within", "data/fold", "--alpha", "0.01", "--out", plan.parent / "two"),
    )
    assert status == 0 and "Report:" in text
    status, _, said = pycompare(
        *("model", plan.parent / "runs.csv", "--formula", FORMULA),
        *("--out", plan.parent / "two"),
    )
    assert status == 2 and "earlier report" in said


WRONG = [
    (
        "formula = ",
        'formula = "error ~ s(x)"',
        "line 5: formula = .*the functions are C",
    ),
    ("alpha", "alpha = 2", "line 9: alpha = 2: give a number between 0 and 1"),
    ("alpha", 'adjust = "holmes"', "line 9: adjust = .*holm"),
    ("alpha", 'metod = "reml"', "no key 'metod'; did you mean 'method'"),
    ("alpha", "type = 4", "give 1, 2 or 3"),
    ("alpha", 'within2 = "a"', r"\[model\] has no key 'within2'"),
    ("within", 'within = "data//fold"', "line 6: within = "),
    ("[data]", '[metrics]\nerror = "lower"\n[data]', "there is no 'metrics'"),
    ("file =", "", "not filled in; give the file of the data"),
]


@pytest.mark.parametrize(("line", "by", "said"), WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path, line, by, said):
    lines = [by if one.startswith(line) else one for one in PLAN.splitlines()]
    path = tmp_path / "plan.toml"
    path.write_text("\n".join(lines))
    with pytest.raises(pc.PlanError, match=said):
        read_analysis_plan(path)


def test_other_plans_are_left_to_their_reader(tmp_path):
    path = tmp_path / "plan.toml"
    for text in ("[plan]\nalpha = 0.05\n", "no toml"):
        path.write_text(text)
        assert read_analysis_plan(path) is None
    with pytest.raises(InputError, match="cannot read"):
        read_analysis_plan(tmp_path / "none.toml")


@pytest.fixture(scope="module")
def weighted(tmp_path_factory):
    rng = np.random.default_rng(5)
    table = designed(5).assign(runs=rng.integers(1, 9, 108))
    plan = ModelPlan(
        formula="error ~ learner * time",
        row_weights="runs",
        at={"time": 2.0},
        slopes=("time", "time:learner"),
    )
    out = tmp_path_factory.mktemp("weighted") / "out"
    return pc.report(plan.fitted_to(table), out, plan=plan)


def test_weights_and_chosen_values_are_on_the_page(weighted):
    page = (weighted / "report.html").read_text()
    for text in ("weighted by runs", "inversely proportional to runs",
                 "Estimated marginal means of error by learner at time = 2.",
                 "Slopes of error per unit of time by learner at time = 2.",
                 "Pairwise comparisons by learner at time = 2:"):  # fmt: skip
        assert text in page
    assert "Levene" not in page
    lines = (weighted / "tables" / "slopes2.csv").read_text().splitlines()
    assert len(lines) == 4 and "slopes1.csv" in page


@pytest.mark.r
def test_r_repeats_a_model_of_rows_with_weights(weighted):
    subprocess.run(["Rscript", weighted / "reproduce.R"], check=True, timeout=120,
                   capture_output=True)  # fmt: skip


def test_plans_of_weights_that_no_data_could_make_valid_are_rejected():
    given = {"formula": "y ~ a", "row_weights": "w"}
    with pytest.raises(pc.PlanError, match="rows have one variance: leave the weights"):
        ModelPlan(**given, within="data")
    with pytest.raises(pc.PlanError, match=r"leave permutations=19 or the row weights"):
        ModelPlan(**given, permutations=19)
    with pytest.raises(pc.PlanError, match="at=2: give a table with one finite number"):
        ModelPlan(formula="y ~ a", at=2)
