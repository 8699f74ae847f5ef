"""Leaderboards: rows are models, and many columns are no benchmarks."""

import csv
import re

import numpy as np
import pytest

import pycompare as pc
from tests.command_line import command
from tests.data.test_attempts import followed

TASKS = ("IFEval", "BBH", "MATH Lvl 5", "MMLU-PRO")
SCORES = np.random.default_rng(8).integers(500, 7000, (6, 4)) / 100
NAMES = [f"org{i % 2}/model-{i}-7B" for i in range(6)]


def board(path, average="Average ⬆️"):
    """Write a table as leaderboards of language models export it."""
    head = ["T", "Model", average, *TASKS, "Type", "#Params (B)", "Hub ❤️"]
    rows = [
        [
            "🔶",
            n,
            f"{s.mean():.2f}",
            *map(str, s),
            "chat",
            7.24 + i,
            30 * i,
            True,
            f"a{i}",
        ]
        for i, (n, s) in enumerate(zip(NAMES, SCORES, strict=True))
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*head, "On the hub", "Model sha"], *rows])
    return path


def test_a_leaderboard_with_columns_about_its_models_takes_two_commands(
    tmp_path, monkeypatch
):
    seen = []
    monkeypatch.setattr(
        "pycompare.apps.cli.compare.compare_and_report",
        lambda scores, *_: seen.append(scores),
    )
    _, printed, _ = command("compare", board(tmp_path / "board.csv"))
    asked = re.findall(r"(?m)^\d\. [\w-]+", printed)
    assert asked[1:] == ["2. transposed", "3. summary-row", "4. derived-column"]
    status, _, told = command(*followed(printed, tmp_path / "out"))
    assert status == 0, told
    [scores] = seen
    assert scores.algorithms == tuple(NAMES) and scores.blocks == TASKS
    assert scores.column() == pytest.approx(SCORES.T)
    said = "columns without numbers left out: 'T', 'Type', 'On the hub', 'Model sha'"
    assert said in scores.notes


@pytest.mark.parametrize("average", ["Avg", "Mean (Task)", "Rank"])
def test_an_average_before_the_benchmarks_is_no_benchmark(tmp_path, average):
    given = {"wide": True, "block": "Model", "metric": "x", "better": "higher"}
    path = board(tmp_path / "board.csv", average)
    with pytest.raises(pc.DoubtError) as error:
        pc.read_scores(path, **given, transpose=True)
    found = {doubt.name: doubt.places for doubt in error.value.doubts}
    assert found == {
        "summary-row": (average,),
        "derived-column": ("#Params (B)", "Hub ❤️"),
    }


def test_columns_of_true_and_false_are_items_where_all_are():
    table = {"system": ["a", "b"], "q1": [True, False], "q2": [False, False]}
    scores = pc.Scores.from_wide(
        table, block="system", metric="right", better="higher", transpose=True
    )
    assert scores.column().tolist() == [[1, 0], [0, 0]]


def test_benchmarks_with_such_words_among_others_are_read():
    names = ("Parameter golf", "HubMix", "Mean reversal", "Link prediction")
    table = {"model": ["a/x", "b/y", "c/z"]}
    table |= {name: [1.5 + i, 2.5, 3.5 * i] for i, name in enumerate(names)}
    scores = pc.Scores.from_wide(
        table, block="model", metric="x", better="higher", transpose=True
    )
    assert scores.blocks == names


def test_a_block_on_another_scale_is_a_question_where_rows_are_turned():
    table = {"model": ["a", "b", "c"], "BBH": [60.5, 62, 58], "GPQA": [30.5, 31, 29]}
    table |= {"context": [8192, 131072, 32768]}
    given = {"block": "model", "metric": "x", "better": "higher", "transpose": True}
    with pytest.raises(pc.DoubtError, match="'context' may be no block: of another"):
        pc.Scores.from_wide(table, **given)
    left = pc.Scores.from_wide(table, **given, leave_out=["column=context"])
    assert left.blocks == ("BBH", "GPQA")
