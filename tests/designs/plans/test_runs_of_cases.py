"""What several runs of cases are is asked, and decides what is compared."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from tests.runs import runs_of, simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

KEYS = {"blocks": "cases", "replicates": "average"}


def answers(n: int = 30, a: int = 3, runs: int = 4) -> pc.Scores:
    values = simulated(n, a, runs, effect=0.4)
    return runs_of((values > np.median(values)).astype(float))


def compared(scores: pc.Scores, **keys) -> pc.Comparison:
    return pc.compare(scores, pc.Plan(**KEYS, **keys))


def test_nothing_is_guessed_about_runs_of_cases():
    with pytest.raises(pc.PlanError, match=r"4 runs of each case.*runs='samples'"):
        compared(answers())
    with pytest.raises(pc.PlanError, match=r"runs_scope='fixed'.*'sampled'"):
        compared(answers(), runs="judges")


def test_following_each_answer_gives_a_report():
    for keys in (
        {"runs": "samples"},
        *(
            {"runs": runs, "runs_scope": scope}
            for runs in ("trainings", "prompts", "judges")
            for scope in ("fixed", "sampled")
        ),
    ):
        assert compared(answers(), **keys).summary()


def test_seeds_are_asked_about():
    with pytest.raises(pc.PlanError, match="new training of the model"):
        pc.Plan(**KEYS, runs="seeds")


def test_sampled_runs_take_the_largest_of_three():
    scores = answers()
    found = compared(scores, runs="prompts", runs_scope="sampled")
    own = pc.crossed_pairs(scores)
    assert found.analyses[0].decisive.table.equals(own.table)
    fixed = compared(scores, runs="prompts", runs_scope="fixed")
    nested = compared(scores, runs="samples")
    assert fixed.analyses[0].decisive.table.equals(nested.analyses[0].decisive.table)
    assert "these 4 prompts" in fixed.summary()
    assert "new prompts like these 4" in found.summary()


def test_the_omnibus_test_is_for_new_runs_too():
    scores = answers()
    [analysis] = compared(scores, runs="prompts", runs_scope="sampled").analyses
    p = pc.crossed_pairs(scores).table["p_value"].min()
    assert analysis.omnibus.p_value == min(1.0, 3 * p)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"margin": 0.1}, "margin: not available with runs_scope='sampled'"),
        ({"adjust": ("max-t",)}, "max-t: not available with runs_scope='sampled'"),
        ({"p_values": "mid-p"}, "p_values: not available"),
    ],
)
def test_what_has_no_form_for_new_runs_is_refused(keys, words):
    with pytest.raises(pc.PlanError, match=words):
        compared(answers(), runs="prompts", runs_scope="sampled", **keys)


def test_two_prompts_and_clusters_stand_for_no_others():
    with pytest.raises(pc.PlanError, match="2 prompts cannot stand for others"):
        compared(answers(runs=2), runs="prompts", runs_scope="sampled")
    clustered = dataclasses.replace(
        answers(), clusters=tuple(f"t{i // 3}" for i in range(30))
    )
    with pytest.raises(pc.PlanError, match="these are in clusters"):
        compared(clustered, runs="prompts", runs_scope="sampled")


def test_runs_of_nothing_are_refused():
    one = dataclasses.replace(answers(), runs=None, replicates=None)
    with pytest.raises(pc.PlanError, match="leave it out"):
        pc.compare(one, pc.Plan(blocks="cases", runs="samples"))
    folds = pc.Plan(blocks="folds", replicates="average", runs="samples")
    with pytest.raises(pc.PlanError, match="leave it out"):
        pc.compare(runs_of(simulated()), folds)
    with pytest.raises(pc.PlanError, match="is of runs that all cases share"):
        pc.Plan(**KEYS, runs="samples", runs_scope="fixed")


def test_a_plan_file_keeps_the_keys():
    plan = pc.Plan(**KEYS, runs="prompts", runs_scope="sampled")
    again = pc.Plan.from_toml(plan.to_toml())
    assert (again.runs, again.runs_scope) == ("prompts", "sampled")


def test_the_command_line_asks_in_its_own_words(pycompare, tmp_path):
    path = tmp_path / "answers.csv"
    scores = answers()
    frame = scores.to_frame()
    frame.to_csv(path, index=False)
    roles = ["--algorithm", "algorithm", "--block", "block", "--replicate", "run"]
    args = ["compare", str(path), *roles, "--metric", "score:higher"]
    args += ["--blocks", "cases", "--replicates", "average"]
    args += ["--out", str(tmp_path / "out")]
    status, _, stderr = pycompare(*args)
    assert status == 2 and "--runs samples" in stderr and "--runs-scope fixed" in stderr
    status, _, stderr = pycompare(*args, "--runs", "seeds")
    assert status == 2 and "a new training of the model (trainings)" in stderr
    sampled = ["--runs", "judges", "--runs-scope", "sampled"]
    assert pycompare(*args, *sampled)[0] == 0


def test_runs_without_a_column_are_no_prompts_of_all_cases():
    frame = answers().to_frame().drop(columns="run")
    scores = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        number="replicate",
        metrics={"score": "higher"},
    )
    with pytest.raises(pc.PlanError, match="numbered in the order of the rows"):
        compared(scores, runs="prompts", runs_scope="fixed")
    assert compared(scores, runs="samples").summary()


def test_runs_that_all_cases_share_have_no_components_of_runs_drawn_anew():
    with pytest.raises(pc.PlanError, match="replicates='average'"):
        pc.Plan(blocks="cases", replicates="keep", runs="prompts", runs_scope="sampled")
