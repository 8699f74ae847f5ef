"""What the R package calls: seals, reports and power, as mappings that R reads."""

import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.apps import r_client
from pycompare.designs.plans.trail import read_trail

PLAN = """[data]
file = "scores.csv"
algorithm = "algorithm"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""


@pytest.fixture
def reports(tmp_path):
    """Two reports of one comparison, and the folder that they are in."""
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    for name in ("first", "second"):
        pc.report(comparison, tmp_path / name, formats=["text"])
    return [str(tmp_path / name) for name in ("first", "second")]


def test_a_seal_is_the_entry_of_the_trail(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    signed = {"by": "A. Name", "role": "statistician", "meaning": "author"}
    answer = r_client.seal(str(tmp_path / "plan.toml"), signed)
    [entry] = read_trail(answer["trail"]).entries
    assert (answer["sha256"], entry.by) == (entry.sha256, "A. Name")


@pytest.mark.usefixtures("blank_pictures")
def test_reports_are_verified_and_compared(reports):
    first, second = reports
    assert r_client.on_folders("verify", [first], {})["passed"]
    assert r_client.on_folders("diff", [first, second], {})["conclusions_changed"] == 0
    with open(f"{first}/report.txt", "a") as file:
        file.write("x")
    changed = r_client.on_folders("verify", [first], {})
    assert not changed["passed"]
    assert "report.txt" in str(changed["table"])


def test_power_is_that_of_the_function():
    answer = r_client.power("sign", {"win": 0.8}, {"n": 20, "trials": 0})
    wanted = pc.power(sizes.Sign(win=0.8), n=20, trials=0)
    [power] = answer["tables"]["result"]["power_formula"]["values"]
    assert power == wanted.table["power_formula"][0]


def test_an_unknown_design_has_the_nearest_name():
    answer = r_client.power("sgin", {}, {})
    assert "sign" in str(answer) and "sgin" in str(answer)


def test_battles_are_read_and_ranked(tmp_path):
    path = tmp_path / "votes.csv"
    rows = ["left,right,winner"] + ["A,B,left", "B,C,tie", "C,A,right"] * 5
    path.write_text("\n".join(rows))
    answer = r_client.read_battles(str(path), {"both_bad": "tie"})
    table = answer["table"]
    assert table["winner"]["values"][:3] == ["first", "tie", "second"]
    ranked = r_client.call(pc, "battles", "battles", table, {}, {"ties": "half"})
    assert ranked["tables"]["strengths"]["algorithm"]["values"][0] == "A"
    wrong = r_client.read_battles(str(path), {"winner": "won"})
    assert "model_1" in wrong["error"]


def test_columns_are_arguments_by_their_roles():
    label, risk = [1, 0, 1, 0] * 10, [0.9, 0.2, 0.6, 0.4] * 10
    missing = [False] * 40
    data = {
        name: {"kind": "double", "values": values, "missing": missing}
        for name, values in {"ill": label, "m": risk}.items()
    }
    roles = {"label": "ill", "scores": ["m"], "case": None}
    given = {"positive": 1, "threshold": [0.3, 0.5]}
    answer = r_client.call(pc, "net_benefit", "columns", data, roles, given)
    wanted = pc.net_benefit(label, risk, positive=1, threshold=[0.3, 0.5])
    assert answer["tables"]["result"]["estimate"]["values"] == list(
        wanted.table["estimate"]
    )
    wrong = r_client.call(pc, "net_benefit", "columns", data, roles, {"positive": 1})
    assert "threshold" in wrong["error"]


def test_a_learner_has_places_as_plain_lists():
    def losses(train, test):
        assert isinstance(train, list)
        assert {*train, *test} <= set(range(30))
        return [float(k % 3 == 0) for k in test]

    given = {"n_cases": 30, "n_folds": 5, "repeats": 2}
    roles = {"losses": losses}
    answer = r_client.call(pc, "nested_cv", "learner", {}, roles, given)
    assert answer["object"].cv_estimate == pytest.approx(1 / 3)
