"""Questions about a table that a plan names advise lines of the plan."""

from __future__ import annotations

import re

import pytest

import pycompare as pc
from tests.command_line import command

ROWS = ["data,Ours,SVM,KNN", "a,.91,.88,.70", "b,.82,.80,.81", "c,.77,.71,.65"]
ROWS += ["d,.95,.94,.90", "e,.66,.60,.63"]
PLAN = """[data]
file = "s.csv"
format = "wide"
block = "data"
{answer}

[metrics]
{metric} = "higher"

[plan]
blocks = "datasets"
"""
ANSWER = re.compile(r'(?:leave_out|confirmed|na|missing|header|transpose) = '
                    r'(?:\[[^\]]*\]|"[^"]*"|true)')  # fmt: skip
LONG = "a data set with a long name, much longer than sixty characters are, Average"


def plan_of(folder, rows, answer="", metric="accuracy"):
    """A plan beside its table."""
    (folder / "s.csv").write_text("\n".join(rows) + "\n")
    path = folder / "p.toml"
    path.write_text(PLAN.format(answer=answer, metric=metric))
    return path


def message_of(path):
    """What is asked about the table of a plan, on the command line."""
    with pytest.raises(pc.InputError) as asked:
        pc.read_plan(path).read_data()
    status, _, told = command("run", path, "--out", path.with_name("out"))
    assert status == 2
    for line in getattr(asked.value, "lines", (asked.value.message,)):
        assert " ".join(line.split()) in told
    return told


@pytest.mark.parametrize(
    ("rows", "n_answers"),
    [
        ([*ROWS, "Average,.82,.79,.74"], 2),
        ([*ROWS, f"\"{LONG}\",.822,.786,.738"], 2),
        ([*ROWS[:-1], "e,.66,-,.63"], 1),
        ([*ROWS, ROWS[0], "f,.7,.6,.9"], 1),
        ([*ROWS, "f,,,"], 3),
        ([*ROWS[:-1], "e,.66,,.63"], 4),
    ],
    ids=("summary", "long label", "mark", "header", "empty", "gap"),
)  # fmt: skip
def test_each_answer_is_a_line_of_the_plan(tmp_path, rows, n_answers):
    told = message_of(plan_of(tmp_path, rows))
    assert "--" not in told
    answers = ANSWER.findall(told)
    assert len(answers) == n_answers, told
    for answer in answers:
        path = plan_of(tmp_path, rows, answer)
        try:
            pc.read_plan(path).read_data()
        except pc.InputError as error:  # a new question, never the same one
            assert " ".join(str(error).split()) not in told


def test_a_direction_is_corrected_below_metrics(tmp_path):
    told = message_of(plan_of(tmp_path, ROWS, metric="error"))
    assert 'give the other direction: "lower" in [metrics]' in told


BEST = ["Best", 0.91, 0.82, 0.77, 0.95, 0.66]
TWO = [f"{row},{best}" for row, best in zip(ROWS, BEST, strict=True)]
TWO += ["Average,.822,.786,.738,.822"]


def test_the_answers_of_several_doubts_are_one_line_of_the_plan(tmp_path):
    told = message_of(plan_of(tmp_path, TWO))
    assert "2 open questions" in told
    lines = ANSWER.findall(told.partition("(a key stands once")[2])
    assert lines == [
        'leave_out = ["block=Average", "column=Best"]',
        'confirmed = ["summary-row:Average", "derived-column:Best"]',
    ]
    for line in lines:
        assert pc.read_plan(plan_of(tmp_path, TWO, line)).read_data().n_blocks >= 5


def test_an_advised_line_has_the_entries_that_the_plan_has(tmp_path):
    first = 'leave_out = ["block=Average"]'
    told = message_of(plan_of(tmp_path, TWO, first))
    assert "a key stands once" not in told
    answers = ANSWER.findall(told)
    assert answers[0] == 'leave_out = ["block=Average", "column=Best"]'
    plan = plan_of(tmp_path, TWO, answers[0])
    assert pc.read_plan(plan).read_data().algorithms == ("Ours", "SVM", "KNN")
    plan = plan_of(tmp_path, TWO, "\n".join([first, answers[1]]))
    assert pc.read_plan(plan).read_data().algorithms[-1] == "Best"
