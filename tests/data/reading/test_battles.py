"""Battles are named as such; two columns of models alone are none."""

import json

import pytest

import pycompare as pc
from tests.command_line import command

BATTLES = [
    {
        "question_id": f"q{i}",
        "model_a": "gpt" if i % 2 else "llama",
        "model_b": "qwen",
        "winner": ("model_a", "model_b", "tie")[i % 3],
        "turn": 1,
    }
    for i in range(6)
]
ONE_HOT = [
    {"id": i, "model_a": "x", "model_b": "y", "winner_model_a": 1, "winner_tie": 0}
    for i in range(4)
]


@pytest.mark.parametrize("rows", [BATTLES, ONE_HOT], ids=["arena", "one column each"])
def test_battles_are_named_and_not_compared(tmp_path, rows):
    (path := tmp_path / "battles.jsonl").write_text("\n".join(map(json.dumps, rows)))
    [question] = pc.propose(path).questions
    assert question.startswith("rows seem to be battles: two models and which of them")
    status, output, _ = command("compare", path, "--accept", "--out", tmp_path / "o")
    assert (
        status == 2 and "battles" in output and "compare" not in output.split("1.")[0]
    )
    assert not (tmp_path / "o").exists()


def test_scores_of_two_columns_of_models_are_no_battles():
    rows = [{"item": f"q{i}", "model_a": i / 9, "model_b": 0.5} for i in range(8)]
    reading = pc.propose(rows)
    assert reading.table == "wide" and "battles" not in " ".join(reading.questions)
