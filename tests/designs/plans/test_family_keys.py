"""Groups and family in plan files: read, proposed, written, contradicted."""

import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.plans.plan_file import PlanFile
from tests.data.test_groups import OWNERS, long

pytestmark = pytest.mark.usefixtures("blank_pictures")

GOOD = """\
[data]
file = "scores.csv"
algorithm = "m"
block = "f"
dataset = "d"
group = "g"

[metrics]
s = "higher"

[plan]
family = "all"
groups = "each-and-all"
"""


def plan_file(text):
    return PlanFile(content=text.encode())


@pytest.fixture
def study(tmp_path):
    """A folder with a plan and its data."""
    long(OWNERS).to_csv(tmp_path / "scores.csv", index=False)
    (tmp_path / "plan.toml").write_text(GOOD)
    return tmp_path


def test_a_plan_file_says_it_and_is_written_back(study):
    got = pc.read_plan(study / "plan.toml")
    assert got.roles.group == "g"
    assert (got.plan.family, got.plan.groups) == ("all", "each-and-all")
    again = plan_file(got.to_toml())
    assert (again.roles, again.plan) == (got.roles, got.plan)
    assert pc.Plan.from_toml(got.plan.to_toml()) == got.plan
    scores = got.read_scores()
    assert scores.group_names == ("x", "y")
    comparison = pc.compare(scores, got)
    assert [part.group for part in comparison.parts] == ["x", "y", None]
    assert comparison.plan.adjust == ("holm", "bonferroni")


def test_a_wide_table_has_groups_in_its_plan(tmp_path):
    frame = pd.DataFrame({"domain": list("xxyy"), "data": list("pqrs")})
    frame = frame.assign(a=[1.0, 2, 3, 4], b=[2.0, 1, 5, 6], c=0.5)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    text = (
        '[data]\nfile = "wide.csv"\nformat = "wide"\ngroup = "domain"\n'
        '[metrics]\ns = "lower"\n[plan]\nfamily = "metric"\n'
    )
    (tmp_path / "plan.toml").write_text(text)
    scores = pc.read_plan(tmp_path / "plan.toml").read_scores()
    assert scores.algorithms == ("a", "b", "c") and scores.groups == tuple("xxyy")
    assert scores.blocks == tuple("pqrs")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('group = "g"', 'group = "gg"', "line 6: no column 'gg'"),
        ('group = "g"', 'group = "d"', "5 and 6: column 'd' has two roles"),
        (
            'family = "all"\n',
            "",
            "line 11: the data sets are in 2 groups: set family = .metric.",
        ),
        ('family = "all"', 'family = "al"', 'line 12: family = "al": choose one of'),
        ('family = "all"', "family = 1", "line 12: family = 1: choose one of"),
        ('family = "all"', 'family = "all"\nadjust = ["shaffer"]', "shaffer rests on"),
        ('"each-and-all"', '"both"', 'line 13: groups = "both": choose one of'),
    ],
)
def test_what_is_wrong_is_named_by_line(study, old, new, why):
    assert old in GOOD
    (study / "plan.toml").write_text(GOOD.replace(old, new))
    with pytest.raises(pc.PlanError, match=why):
        got = pc.read_plan(study / "plan.toml")
        pc.compare(got.read_scores(), got)


def test_scores_read_without_the_planned_groups_are_refused(study):
    got = pc.read_plan(study / "plan.toml")
    plain = pc.read_scores(
        study / "scores.csv",
        **{"algorithm": "m", "block": "f", "dataset": "d", "metrics": {"s": "higher"}},
    )
    with pytest.raises(pc.PlanError, match="line 6: the scores were read without"):
        got.settled(plain)


@pytest.mark.parametrize("name", ["group", "Domain"])
def test_a_column_called_so_is_proposed(tmp_path, name):
    frame = long(OWNERS).rename(columns={"g": name, "m": "model", "d": "dataset"})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    text = pc.starter_plan(tmp_path / "scores.csv")
    assert f'# group = "{name}"  # proposed' in text
    assert "# family =" in text and '# groups = "each"' in text
    wide = frame.drop_duplicates("dataset")[[name, "dataset", "s"]]
    wide.to_csv(tmp_path / "wide.csv", index=False)
    text = pc.starter_plan(tmp_path / "wide.csv", wide=True)
    assert f'# group = "{name}"  # proposed' in text and "# dataset =" in text


OPTIONS = ("--algorithm", "m", "--block", "f", "--dataset", "d", "--metric", "s:higher")


def test_the_command_line_compares_groups(pycompare, study):
    status, text, _ = pycompare(
        *("compare", study / "scores.csv", *OPTIONS, "--group", "g"),
        *("--family", "all", "--groups", "each-and-all", "--out", study / "out"),
    )
    assert status == 0
    for line in ("Group x:\n", "Group y:\n", "All groups together:\n"):
        assert line in text
    assert "over the family of 9 hypotheses, 3 pairs x (2 groups + all" in text


def test_the_command_line_asks_for_the_family(pycompare, study):
    status, _, stderr = pycompare(
        *("compare", study / "scores.csv", *OPTIONS, "--group", "g"),
        *("--out", study / "out"),
    )
    assert status == 2 and stderr.count("\n") == 1
    assert "in 2 groups: set --family metric" in stderr and "--family all" in stderr


def test_options_may_not_say_otherwise_than_the_plan(pycompare, study):
    status, _, stderr = pycompare(
        *("compare", study / "scores.csv", "--plan", study / "plan.toml"),
        *("--family", "metric", "--group", "d", "--out", study / "out"),
    )
    assert status == 2 and "2 problems" in stderr
    assert "group = 'g' in the plan, and --group is 'd'" in stderr
    assert "family = 'all' in the plan, and --family is 'metric'" in stderr
