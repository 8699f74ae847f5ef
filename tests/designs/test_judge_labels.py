"""Comparisons by people's labels beside a judge: rules of plans, results, pages."""

from __future__ import annotations

import csv
import json

import pytest

import pycompare as pc
from tests.judged import drawn, scores_of

KEYS = {"blocks": "cases", "labels": "random"}


def compared(scores, **keys):
    return pc.compare(scores, pc.Plan(**{**KEYS, **keys}))


def test_a_plan_gives_the_result_of_the_method():
    scores = scores_of(drawn(models=4))
    [analysis] = compared(scores).analyses
    alone = pc.labels(scores, chosen="random")
    assert analysis.labels.table.equals(alone.table)
    assert analysis.decisive.adjust == "max-t"
    by_holm = compared(scores, adjust=("holm", "max-t")).analyses[0]
    assert by_holm.labels.table.equals(
        pc.labels(scores, chosen="random", adjust="holm").table
    )
    assert [pairs.adjust for pairs in by_holm.pairs] == ["holm", "max-t"]


def test_labels_without_blocks_are_of_cases():
    plan = compared(scores_of(drawn()), blocks="by-columns").plan
    assert (plan.blocks, plan.design.name, plan.seed) == ("cases", "labels", 0)


def test_the_error_rate_is_that_of_the_study():
    [part] = compared(scores_of(drawn(models=4))).parts
    [sets] = part.rank_sets.values()
    claim = part.claim(sets)
    assert claim.key == "labels/max-t"
    assert claim.claimed and claim.rows == ("labels/max-t",)


def test_other_estimates_are_counted_as_firmness():
    [firmness] = compared(scores_of(drawn(models=3))).firmness
    assert firmness.analyses("another") == ("The judge only, Holm",)
    same = firmness.analyses("same")
    assert {"Labels only, Holm", "A slope per pair, Holm"} <= set(same)
    assert firmness.left_out.why_not == "not done for labels beside a judge"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"labels": None}, "how the labelled items were chosen is not in the plan"),
        ({"labels": "strata"}, "labels='strata' needs the column of strata"),
        ({"blocks": "folds"}, "labels='random' is for items of one test set"),
        ({"adjust": ("hommel",)}, "adjust: hommel: with labels='random' choose max-t"),
        ({"gate": "omnibus"}, "gate: no use with labels='random'"),
        ({"p_values": "exact"}, "p_values: no use with labels='random'"),
        ({"level": 0.9}, "level: no use with labels='random'"),
        (
            {"margin": 0.1, "hypothesis": "equivalence"},
            r"margin, hypothesis: no use .* up to 0\.065 at 0\.025",
        ),
        ({"weights": "equal"}, "weights, groups: no use with labels='random'"),
        ({"control": "Z"}, "Z"),
    ],
)
def test_keys_without_a_form_for_labels_are_refused(keys, message):
    with pytest.raises(pc.PlanError, match=message):
        compared(scores_of(drawn()), **keys)


def test_tables_without_a_form_are_refused():
    rows = [{**row, "text": f"t{int(row['item'][1:]) // 3}"} for row in drawn()]
    for role in ("cluster", "group"):
        with pytest.raises(pc.PlanError, match=rf"{role}=.* exclude each other"):
            compared(scores_of(rows, **{role: "text"}))
    with pytest.raises(pc.PlanError, match="labels='random' is for labels of people"):
        compared(pc.example())
    one = scores_of([row for row in drawn() if row["model"] == "A"])
    with pytest.raises(pc.PlanError, match="there is one algorithm, 'A'"):
        compared(one)
    strata = scores_of(drawn(strata=2), stratum="verdict")
    with pytest.raises(pc.PlanError, match="is for labels drawn within strata"):
        compared(strata)


def test_labels_by_several_people_need_a_word():
    rows = [
        {**row, "person": person} for row in drawn(models=2) for person in ("x", "y")
    ]
    scores = scores_of(rows, replicate="person")
    with pytest.raises(pc.PlanError, match="replicates='average'"):
        compared(scores)
    with pytest.raises(pc.PlanError, match="replicates: no use with labels"):
        compared(scores, replicates="keep")
    [analysis] = compared(scores, replicates="average").analyses
    assert len(analysis.labels.table) == 1


def test_a_report_has_the_worth_of_the_judge_and_is_made_again(tmp_path):
    scores = scores_of(drawn(models=3, strata=2), stratum="verdict")
    comparison = compared(scores, labels="strata")
    pc.report(comparison, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    for text in (
        "items of 120 are labelled by people; the judge scored all.",
        "judge only",
        "within their strata",
        "Both populations",
    ):
        assert text in page
    told = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    labels = told["analyses"][0]["labels"]
    assert labels["slope"] == pytest.approx(comparison.analyses[0].labels.slope)
    assert pc.verify(tmp_path / "out", recompute=True).passed


def test_a_useless_judge_is_said_to_add_nothing():
    rows = [{**row, "judge": 1} for row in drawn(models=2)]
    told = compared(scores_of(rows)).summary()
    assert "The judge adds nothing here" in told


def test_blinding_hides_names_and_keeps_numbers():
    scores = scores_of(drawn(models=3))
    blind = compared(scores, blind=True).analyses[0].labels.table
    table = compared(scores).analyses[0].labels.table
    assert set(blind["algorithm_1"]) != set(table["algorithm_1"])
    assert sorted(blind["estimate"].abs()) == pytest.approx(
        sorted(table["estimate"].abs())
    )


def test_a_plan_file_names_judge_and_stratum(tmp_path):
    rows = drawn(models=2, strata=2)
    with (tmp_path / "judged.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (tmp_path / "plan.toml").write_text(
        '[data]\nfile = "judged.csv"\nalgorithm = "model"\nblock = "item"\n'
        'judge = "judge"\nstratum = "verdict"\n\n[metrics]\nhuman = "higher"\n\n'
        '[plan]\nblocks = "cases"\nlabels = "strata"\n',
        encoding="utf-8",
    )
    plan = pc.read_plan(tmp_path / "plan.toml")
    [analysis] = pc.compare(plan.read_data(), plan).analyses
    wanted = pc.labels(scores_of(rows, stratum="verdict"), chosen="strata")
    assert analysis.labels.table.equals(wanted.table)
    with pytest.raises(pc.PlanError, match="read without stratum"):
        pc.compare(scores_of(rows), plan)


def test_a_judge_that_agrees_but_for_rounding_favours_nobody(tmp_path):
    """No number of this size is read back from the page."""
    rows = [{**row, "judge": 1e-9 * row["judge"]} for row in drawn(models=2)]
    for row in rows:
        row["human"] = None if row["human"] is None else row["human"] * 1e-9
    compared = pc.compare(scores_of(rows), pc.Plan(blocks="cases", labels="random"))
    assert "The judge's own scores differ by " in compared.summary()
    rows = [{**row, "judge": 0.5 + 1e-12 * row["judge"]} for row in drawn(models=3)]
    for row in rows:
        row["human"] = None if row["human"] is None else int(row["item"][1:]) % 2
    compared = pc.compare(scores_of(rows), pc.Plan(blocks="cases", labels="random"))
    assert "it favours" not in compared.summary()
