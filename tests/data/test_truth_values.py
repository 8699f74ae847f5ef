"""Scores of true and false are 1 and 0, and a note says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pycompare as pc
from tests.command_line import command
from tests.data.tables import refused

pytestmark = pytest.mark.usefixtures("blank_pictures")

RIGHT = np.random.default_rng(24).random(40) < [[0.8], [0.6]]
"""Which of 40 cases two models have right."""
NOTE = "true and false read as 1 and 0: 'right'"
LONG = {"algorithm": "model", "block": "case", "metrics": {"right": "higher"}}
CASES = {"algorithm": "model", "block": "fold", "case": "case", "label": "ill"}
RATED = {"modality": "model", "reader": "fold", "case": "case", "truth": "ill"}


def frame(cells=None) -> pd.DataFrame:
    """Return two models on 40 cases in two folds, with cells of any type."""
    cells = RIGHT.ravel() if cells is None else cells
    case = np.tile(np.arange(40), 2)
    columns = {"model": np.repeat(["A", "B"], 40), "case": case, "fold": case % 2}
    return pd.DataFrame(columns | {"ill": case % 3 // 2, "right": cells})


BOOLEANS = {
    "numpy": lambda f: f,
    "nullable": lambda f: f.astype({"right": "boolean"}),
    "Arrow in pandas": lambda f: f.astype({"right": "bool[pyarrow]"}),
    "objects": lambda f: f.astype({"right": object}),
    "polars": pl.from_pandas,
    "Arrow": pa.Table.from_pandas,
    "records": lambda f: f.to_dict("records"),
}
WRITTEN = {
    "Python": ("True", "False"),
    "R": ("TRUE", "FALSE"),
    "json": ("true", "false"),
}


def written(path, words=("True", "False")):
    """Write the table with these words; return the path."""
    frame(np.where(RIGHT.ravel(), *words)).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("convert", BOOLEANS.values(), ids=BOOLEANS)
def test_booleans_of_frames_are_one_and_zero(convert):
    found = pc.Scores.from_frame(convert(frame()), **LONG)
    wanted = pc.Scores.from_frame(frame(RIGHT.ravel().astype(int)), **LONG)
    assert found.sha256 == wanted.sha256 and NOTE in found.notes
    assert not wanted.notes


@pytest.mark.parametrize("words", WRITTEN.values(), ids=WRITTEN)
def test_words_of_text_files_are_one_and_zero(words, tmp_path):
    found = pc.read_scores(written(tmp_path / "s.csv", words), **LONG)
    assert found.column().T.tolist() == RIGHT.astype(float).tolist()
    assert NOTE in found.notes


@pytest.mark.parametrize("ending", ["parquet", "feather", "xlsx"])
def test_booleans_of_other_files_are_one_and_zero(ending, tmp_path):
    path = tmp_path / f"s.{ending}"
    write = {"xlsx": "to_excel"}.get(ending, f"to_{ending}")
    getattr(frame(), write)(path, **({"index": False} if ending == "xlsx" else {}))
    found = pc.read_scores(path, **LONG)
    assert found.column().T.tolist() == RIGHT.astype(float).tolist()
    assert NOTE in found.notes


def test_wide_tables_are_of_booleans_or_of_numbers(tmp_path):
    wide = pd.DataFrame(RIGHT.T, columns=["A", "B"])
    how = {"metric": "right", "better": "higher"}
    found = pc.Scores.from_wide(wide, **how)
    assert found.column().T.tolist() == RIGHT.astype(float).tolist()
    assert "true and false read as 1 and 0: 'A', 'B'" in found.notes
    mixed = wide.assign(C=0.5)
    with refused("not numeric", "is true or false"):
        pc.Scores.from_wide(mixed, **how)
    with refused("not numeric", "is true or false"):
        pc.Scores.from_wide(mixed, algorithms=["A", "C"], **how)


def test_gaps_are_missing_and_other_cells_are_refused(tmp_path):
    cells = RIGHT.ravel().astype(object)
    cells[3] = None
    found = pc.Scores.from_frame(frame(cells), **LONG, missing="drop-block")
    assert found.dropped.blocks == ("3",) and found.n_blocks == 39
    cells[3] = 0.5
    with refused("not numeric", "is true or false"):
        pc.Scores.from_frame(frame(cells), **LONG)
    with refused("not numeric"):
        pc.read_scores(written(tmp_path / "s.csv", ("true", "no")), **LONG)


def test_scores_of_an_array_of_booleans_have_a_note():
    metric = pc.Metric("right", "higher")
    names = tuple(map(str, range(40)))
    found = pc.Scores(RIGHT.T[:, :, None], names, ("A", "B"), (metric,))
    assert found.column().T.tolist() == RIGHT.astype(float).tolist()
    assert found.notes == ("true and false read as 1 and 0",)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_predictions_of_booleans_have_a_note(ending, tmp_path):
    how = {**CASES, "score": "right", "positive": 1}
    wanted = pc.Predictions.from_frame(frame(RIGHT.ravel() * 1.0), **how)
    path = tmp_path / f"p.{ending}"
    written(path) if ending == "csv" else frame().to_parquet(path)
    found = pc.read_predictions(path, **how)
    assert found.score.tolist() == wanted.score.tolist() and NOTE in found.notes
    measured = pc.measure_file(path, metrics="accuracy", **how)
    assert measured.sha256 == wanted.measure("accuracy").sha256
    assert NOTE in measured.notes


def test_ratings_of_booleans_have_a_note():
    how = {**RATED, "rating": "right"}
    found = pc.Ratings.from_frame(frame(), **how, design="cases-in-readers")
    assert found.notes == (NOTE,)
    assert NOTE in pc.mrmc(found).notes


@pytest.mark.parametrize("convert", BOOLEANS.values(), ids=BOOLEANS)
def test_responses_of_models_are_one_and_zero(convert):
    found = pc.linear_model(convert(frame()), "right ~ model")
    wanted = pc.linear_model(frame(RIGHT.ravel() * 1.0), "right ~ model")
    pd.testing.assert_frame_equal(found.anova, wanted.anova)
    assert NOTE in found.notes and NOTE not in wanted.notes


def test_factors_of_booleans_stay_groups(tmp_path):
    table = frame().assign(y=np.arange(80.0) ** 2 % 7)
    wanted = pc.linear_model(table.assign(right=RIGHT.ravel().astype(str)), "y ~ right")
    found = pc.linear_model(table, "y ~ right")
    pd.testing.assert_frame_equal(found.anova, wanted.anova)


def test_the_command_for_models_reads_words(tmp_path):
    status, _, said = command(
        *("model", written(tmp_path / "m.csv"), "--formula", "right ~ model"),
        *("--out", tmp_path / "report"),
    )
    assert status == 0, said
    html = (tmp_path / "report" / "report.html").read_text()
    assert "True and false read as 1 and 0: &#39;right&#39;." in html
