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
