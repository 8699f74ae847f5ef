"""The key ``replicates`` and the role ``replicate``: declared, and never ignored."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.starter import proposals
from tests.conftest import wide
from tests.runs import frame_of, runs_of, simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

FOLDS = "folds"


@pytest.fixture
def study(tmp_path):
    """A folder with runs and a plan for them."""
    frame_of(simulated()).to_csv(tmp_path / "runs.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        '[data]\nfile = "runs.csv"\nalgorithm = "a"\nblock = "f"\nreplicate = "r"\n'
        '[metrics]\nscore = "higher"\n[plan]\nblocks = "folds"\n'
    )
    return tmp_path


@pytest.mark.parametrize("blocks", ["folds", "datasets"])
def test_runs_need_a_word(blocks):
    with pytest.raises(pc.PlanError, match=r"4 runs .*replicates='keep'.*'average'"):
        pc.compare(runs_of(simulated()), pc.Plan(blocks=blocks))


@pytest.mark.parametrize("word", ["keep", "average"])
def test_a_word_without_runs_is_refused(word):
    scores = wide([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0]])
    with pytest.raises(pc.PlanError, match=f"replicates='{word}' is for scores"):
        pc.compare(scores, pc.Plan(blocks=FOLDS, replicates=word))


def test_another_word_is_refused_with_the_nearest():
    with pytest.raises(pc.PlanError, match=r"'keep', 'average'.*\"?keep"):
        pc.Plan(replicates="keeps")


def test_runs_are_not_kept_where_folds_are_averaged():
    with pytest.raises(pc.PlanError, match="average_folds makes one mean"):
        pc.Plan(average_folds=True, replicates="keep")
    values = simulated(b=8)
    scores = runs_of(values, datasets=[f"d{i // 2}" for i in range(8)])
    plan = pc.Plan(average_folds=True, replicates="average")
    found = pc.compare(scores, plan)
    expected = values.reshape(4, 2, 3, 4).mean(axis=(1, 3))
    np.testing.assert_allclose(found.compared.column(), expected, rtol=1e-14)


def test_runs_are_not_kept_where_cells_are_missing():
    values = simulated()
    values[2, 1] = np.nan
    scores = runs_of(values, missing="model")
    with pytest.raises(pc.PlanError, match="needs runs in every cell"):
        pc.compare(scores, pc.Plan(blocks=FOLDS, replicates="keep"))
    found = pc.compare(scores, pc.Plan(blocks=FOLDS, replicates="average"))
    assert found.analyses[0].runs == ()


def test_the_plan_file_reads_the_runs_and_asks_for_the_word(study):
    planned = pc.read_plan(study / "plan.toml")
    scores = planned.read_scores()
    assert scores.sha256 == runs_of(simulated()).sha256
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(scores, planned)
    [line] = refused.value.lines
    assert 'replicates = "keep"' in line and "plan.toml, line 8" in line


def test_a_plan_file_with_the_word_reads_back():
    text = '[plan]\nblocks = "folds"\nreplicates = "keep"\n'
    plan = pc.Plan.from_toml(text)
    assert plan.replicates == "keep" and pc.Plan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'replicate = "r"',
            'replicate = "f"',
            "lines 3 and 4 and 5: column 'f' has two roles",
        ),
        ('replicate = "r"', 'replicate = "seed"', "line 5.*no column 'seed'"),
        ('replicate = "r"', 'replicates = "keep"', r"line 5.*\[plan\]"),
        ('blocks = "folds"', 'replicates = "kept"', "line 9.*'keep', 'average'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(study, old, new, message):
    path = study / "plan.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(pc.PlanError) as refused:
        pc.read_plan(path).read_scores()
    assert re.search(message, " ".join(refused.value.lines))


def test_a_wide_table_has_no_column_of_runs():
    text = '[data]\nformat = "wide"\nreplicate = "r"\n[metrics]\ny = "lower"\n'
    with pytest.raises(pc.PlanError, match="leave replicate out"):
        PlanFile(content=text.encode())


@pytest.mark.parametrize("name", ["run", "Seed", "replicate"])
def test_the_starter_proposes_a_column_by_its_name(name, tmp_path):
    assert proposals(["model", "fold", name, "auc"])["replicate"] == name
    path = tmp_path / "table.csv"
    frame_of(simulated(b=2, n=2)).rename(columns={"r": name}).to_csv(path, index=False)
    text = pc.starter_plan(path)
    assert f'# replicate = "{name}"  # proposed' in text
    # A column of runs is proposed as no score, though it may hold numbers.
    assert f"\n{name} =" not in text


def test_two_such_names_propose_nothing():
    assert "replicate" not in proposals(["run", "seed"])


# ---- the command line ----------------------------------------------------------------

ROLES = ("--algorithm", "a", "--block", "f", "--replicate", "r")
METRIC = ("--metric", "score:higher", "--blocks", "folds")


def test_the_command_line_says_it_in_options(pycompare, study):
    out = study / "out"
    args = ("compare", study / "runs.csv", *ROLES, *METRIC, "--out", out)
    status, _, stderr = pycompare(*args)
    assert status == 2 and "--replicates keep" in stderr and "'keep'" not in stderr
    assert pycompare(*args, "--replicates", "keep")[0] == 0
    plan = study / "plan.toml"
    plan.write_text(plan.read_text() + 'replicates = "keep"\n')
    assert pycompare("run", plan, "--out", study / "two")[0] == 0
    one, two = ((f / "results.json").read_text() for f in (out, study / "two"))
    start = one.index('"analyses"')
    assert one[start:] == two[two.index('"analyses"') :]


def test_an_option_beside_the_plan_may_not_say_otherwise(pycompare, study):
    plan = study / "plan.toml"
    plan.write_text(plan.read_text() + 'replicates = "keep"\n')
    args = ("compare", study / "runs.csv", "--plan", plan, "--out", study / "o")
    status, _, stderr = pycompare(*args, "--replicates", "average")
    assert status == 2 and "--replicates is 'average'" in stderr
    status, _, stderr = pycompare(*args, "--replicate", "f")
    assert status == 2 and "--replicate is 'f'" in stderr


def test_repeated_rows_name_the_option(pycompare, study):
    args = ("compare", study / "runs.csv", *ROLES[:4], *METRIC)
    status, _, stderr = pycompare(*args, "--out", study / "o")
    assert status == 2 and "name their column (--replicate)" in stderr


def test_wide_tables_take_no_runs(pycompare, study):
    args = ("compare", study / "runs.csv", "--wide", "--replicate", "r", *METRIC)
    status, _, stderr = pycompare(*args, "--out", study / "o")
    assert status == 2 and "nor --replicate" in stderr
