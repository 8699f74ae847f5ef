"""A column called judge beside a metric that is often blank is asked about."""

import shlex

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import Setting, parts_of
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROLES = {"algorithm": "model", "block": "item"}


def table(share=0.2, judge="judge", n=100):
    """Labels of people on some items, and a judge's verdicts of all."""
    rng = np.random.default_rng(3)
    human = rng.integers(0, 2, 2 * n).astype(float)
    human[2 * round(share * n) :] = np.nan
    return pd.DataFrame(
        {
            "model": ["A", "B"] * n,
            "item": [f"q{i // 2}" for i in range(2 * n)],
            "human": human,
            judge: rng.integers(0, 2, 2 * n),
        }
    )


def doubt_of(frame, **given):
    """Return the doubt about the judge, or None if the table is read without it."""
    options = {**ROLES, "metrics": {"human": "higher"}, "missing": "drop-block"}
    try:
        pc.Scores.from_frame(frame, **{**options, **given})
    except pc.DoubtError as error:
        [doubt] = error.doubts
        assert doubt.name == "judge-column"
        return doubt
    return None


@pytest.mark.parametrize("name", ["judge", "Judge", "llm_judge_score", "judge-gpt"])
def test_blanks_beside_a_judge_of_every_answer_are_asked_about(name):
    doubt = doubt_of(table(judge=name))
    assert "'human' is blank on 80 of 100 items" in doubt.sign
    parts = {p.name: p.value for p in parts_of(doubt.change) if isinstance(p, Setting)}
    assert parts["judge"] == name and parts["blocks"] == "cases"


def test_it_is_asked_whether_or_not_the_judge_is_named_as_a_metric():
    both = {"human": "higher", "judge": "higher"}
    assert doubt_of(table(), metrics=both) is not None


@pytest.mark.parametrize(
    ("frame", "given"),
    [
        (table(judge="prejudged"), {}),
        (table(judge="rating"), {}),
        (table(share=0.95), {}),
        (table().assign(judge=lambda t: t["judge"].where(t.index != 5)), {}),
        (table().assign(judge="gpt-4"), {}),
        (table(), {"judge": "judge", "missing": "error"}),
        (table(), {"confirmed": ["judge-column"]}),
        (table(), {"leave_out": ["column=judge"]}),
    ],
)
def test_tables_that_only_look_alike_are_read(frame, given):
    assert doubt_of(frame, **given) is None


def test_the_proposal_asks_and_does_not_take_the_judge_as_a_metric():
    reading = pc.propose(table())
    assert reading.arguments["metrics"] == {"human": "higher|lower"}
    assert [doubt.name for doubt in reading.doubts] == ["judge-column", "empty-row"]
    whole = pc.propose(table(share=1))
    assert [*whole.arguments["metrics"]] == ["human", "judge"] and not whole.doubts


@pytest.mark.parametrize(
    ("answer", "method"),
    [
        (
            "--judge judge --labels random --blocks cases",
            "20 items of 100 are labelled",
        ),
        (
            "--confirm judge-column:judge --missing drop-block --blocks cases",
            "80 of 100 blocks are dropped",
        ),
    ],
)
def test_either_answer_is_on_the_screen_and_leads_to_a_report(tmp_path, answer, method):
    path = tmp_path / "judged.csv"
    table().to_csv(path, index=False)
    status, text, _ = command("compare", path)
    assert status == 2 and text.count("judge-column: ") == 1
    assert "(or --labels strata and --stratum COLUMN)" in text
    words = shlex.split(answer)
    for option, value in zip(words[::2], words[1::2], strict=True):
        assert f"{option} {value}" in text
    [line] = [line for line in text.splitlines() if line.startswith("pycompare ")]
    given = shlex.split(line.replace("higher|lower", "higher"))[1:-2]
    status, out, told = command(*given, *words, "--out", tmp_path / "report")
    assert status == 0, told
    assert method in out
