"""A sealed plan is said in the report; a plan that was changed since is refused."""

from __future__ import annotations

import json

import pytest

import pycompare as pc
from pycompare.environment import GIVEN_DATE
from pycompare.errors import InputError
from pycompare.plans.model_plan import read_model_plan

pytestmark = pytest.mark.usefixtures("blank_pictures")

PLAN = """\
[data]
file = "scores.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""
MODEL = '[data]\nfile = "runs.csv"\n[model]\nformula = "error ~ learner"\n'
SEALED = "2023-11-14T22:13:20+00:00"


@pytest.fixture
def plan(tmp_path, monkeypatch):
    (tmp_path / "scores.csv").write_text(pc.example_path().read_text())
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    monkeypatch.setenv(GIVEN_DATE, "1700000000")
    return path


def test_a_report_of_a_sealed_plan_says_when(plan, tmp_path, pycompare):
    status, text, problem = pycompare("plan", plan, "--seal")
    assert status == 0, problem
    assert pc.read_plan(plan).sha256 in text and pc.read_plan(plan).sealed == SEALED
    out = tmp_path / "out"
    assert pycompare("run", plan, "--out", out)[0] == 0
    held = json.loads((out / "manifest.json").read_text())
    assert held["plan"]["file"]["sealed"] == SEALED
    assert "Plan sealed" in (out / "report.html").read_text()
    assert pc.verify(out, recompute=True).passed


def test_a_plan_without_seal_says_nothing(plan, tmp_path, pycompare):
    assert pc.read_plan(plan).sealed is None
    out = tmp_path / "out"
    assert pycompare("run", plan, "--out", out)[0] == 0
    assert "Plan sealed" not in (out / "report.html").read_text()


def test_a_plan_that_was_changed_after_its_seal_is_refused(plan, pycompare):
    pycompare("plan", plan, "--seal")
    plan.write_text(PLAN + "alpha = 0.1\n")
    with pytest.raises(InputError, match=f"after it was sealed .{SEALED[:10]}"):
        pc.read_plan(plan)
    status, _, problem = pycompare("run", plan, "--out", plan.parent / "out")
    assert status == 2 and "was changed after it was sealed" in problem


def test_a_seal_is_never_written_twice_and_never_of_a_plan_that_is_refused(
    plan, pycompare
):
    plan.write_text(PLAN + "alpha = 7\n")
    assert pycompare("plan", plan, "--seal")[0] == 2
    plan.write_text(PLAN)
    assert pycompare("plan", plan, "--seal")[0] == 0
    status, _, problem = pycompare("plan", plan, "--seal")
    assert status == 2 and "exists" in problem
    status, _, problem = pycompare("plan", plan, "--seal", "--wide")
    assert status == 2 and "no other option" in problem


def test_a_plan_of_a_linear_model_is_sealed_too(tmp_path, pycompare):
    path = tmp_path / "model.toml"
    path.write_text(MODEL)
    assert pycompare("plan", path, "--seal")[0] == 0
    assert read_model_plan(path).sealed is not None
    path.write_text(MODEL + "type = 3\n")
    with pytest.raises(InputError, match="was changed"):
        read_model_plan(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": 1}'])
def test_a_seal_that_is_none_is_refused(plan, text):
    plan.with_name("plan.toml.seal").write_text(text)
    with pytest.raises(InputError, match="is not a seal"):
        pc.read_plan(plan)
