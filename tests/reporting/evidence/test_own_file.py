"""``reproduce.R`` begins from the user's own file if that is there, unchanged."""

from __future__ import annotations

import subprocess

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.formatting.packed import pack
from pycompare.base.interop.rscript import quote, reference_source
from pycompare.reporting.evidence import data_files
from pycompare.reporting.evidence.r_cases import CasesInR
from pycompare.reporting.evidence.r_ratings import RatingsInR
from pycompare.reporting.evidence.r_scores import ScoresInR
from validation.r_reports import ratings


def wide(to):
    """Scores with quotes, blanks and a semicolon, of which three are compared."""
    frame = pd.read_csv(pc.example_path()).rename(columns={"CN2": ' "C, N; 2" '})
    frame.to_csv(to / "wide.csv", index=False, sep=";")
    scores = pc.read_scores(
        to / "wide.csv", wide=True, metric="accuracy", better="higher", sep=";"
    )
    part = scores.select(algorithms=scores.algorithms[:1:-1])
    return ScoresInR(part), data_files.of_scores(part)


def folds(to):
    """Two metrics of folds in data sets, rows in no order, a score missing."""
    frame = pd.read_csv(pc.example_path("folds")).sample(frac=1, random_state=2)
    frame.iloc[3, frame.columns.get_loc("auc")] = np.nan
    frame.to_csv(to / "folds.tsv", index=False, sep="\t")
    scores = pc.read_scores(
        to / "folds.tsv", algorithm="algorithm", dataset="data", block="fold",
        metrics={"error": "lower", "auc": "higher"}, missing="model",
    )  # fmt: skip
    return ScoresInR(scores), data_files.of_scores(scores)


def seeds(to):
    """Runs of two models, as they come."""
    rng = np.random.default_rng(4)
    rows = [(m, d, s, rng.normal()) for s in "yxz" for d in "ab" for m in "BA"]
    frame = pd.DataFrame(rows, columns=["m", "d", "s", "score"])
    frame.to_csv(to / "seeds.csv", index=False)
    scores = pc.read_scores(
        to / "seeds.csv", algorithm="m", block="d", replicate="s",
        metrics={"score": "higher"},
    )  # fmt: skip
    return ScoresInR(scores), data_files.of_scores(scores)


def cases(to):
    """Predictions whose cases have another order for each algorithm."""
    frame = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    frame.sample(frac=1, random_state=1).to_csv(to / "cases.csv", index=False)
    held = pc.read_predictions(
        to / "cases.csv", algorithm="algorithm", block="fold", case="case",
        label="class", score="probability", positive="yes",
    )  # fmt: skip
    return CasesInR(held), data_files.of_predictions(held)


def readers(to):
    """Ratings in no order."""
    frame = ratings().to_frame().sample(frac=1, random_state=3)
    frame["truth"] = np.where(frame.pop("is_positive"), "ill", "well")
    frame.to_csv(to / "readers.csv", index=False)
    names = ("modality", "reader", "case", "rating", "truth")
    held = pc.read_ratings(
        to / "readers.csv", positive="ill", **{name: name for name in names}
    )
    return RatingsInR(held), data_files.of_ratings(held)


def program(folder, inputs):
    """Return R code that reads the data of a report, the user's file beside it."""
    lines = [f"{name} <- {code}" for name, code in inputs.reading.items()]
    return "\n".join([f"folder <- {quote(str(folder))}", *lines[:3]])


def run(code, to):
    stems = ("scores", "predictions", "ratings", "own_file")
    (to / "run.R").write_text("\n".join([*map(reference_source, stems), code]))
    return subprocess.run(
        ["Rscript", "--vanilla", to / "run.R"],
        capture_output=True, encoding="utf-8", timeout=600, cwd=to,
    )  # fmt: skip


@pytest.mark.r
def test_r_prepares_the_same_data_of_the_users_file(tmp_path):
    """The last copy is another than the file, which is named with the status 1."""
    code, makers = [], (wide, folds, seeds, cases, readers)
    for make in makers:
        inputs, data = make(tmp_path)
        folder = tmp_path / make.__name__
        (folder / "data").mkdir(parents=True)
        for name, text in data.files.items():
            (folder / "data" / name).write_bytes(pack(name, text))
        code.append(program(folder, inputs))
    [(name, _)] = data.files.items()
    changed = tmp_path / "changed" / "data"
    changed.mkdir(parents=True)
    rows = text.splitlines()
    rows[-1] = rows[-1].rsplit(",", 1)[0] + ",9.25"
    (changed / name).write_text("\n".join(rows) + "\n")
    other = tmp_path / "elsewhere"
    (other / "report" / "data").mkdir(parents=True)
    (other / "report" / "data" / name).write_text(text)
    (other / "readers.csv").write_text("another file\n")
    code.append(program(other / "report", inputs))
    code.append(program(changed.parent, inputs))
    found = run("\n".join(code), tmp_path)
    assert found.stdout.count("The program begins from ") == len(makers) + 2
    files = ("wide.csv", "folds.tsv", "seeds.csv", "cases.csv", "readers.csv")
    for file in files:
        assert f"The program begins from {file}, SHA-256 " in found.stdout
    instead = "data/ratings.csv: readers.csv beside the report is another file"
    assert f"The program begins from {instead}" in found.stdout
    assert found.stdout.splitlines()[-1].startswith("DIFFERS the copy of the data")
    assert found.returncode == 1, found.stderr


def test_data_that_were_read_otherwise_have_no_recipe(tmp_path):
    frame = pd.read_csv(pc.example_path())
    named = {"wide": True, "metric": "accuracy", "better": "higher"}
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert pc.read_scores(tmp_path / "a.csv", **named).source.recipe is not None
    left_out = pc.read_scores(
        tmp_path / "a.csv", leave_out=[f"block={frame.iloc[0, 0]}"], **named
    )
    frame.iloc[2, 1] = np.nan
    frame.to_csv(tmp_path / "b.csv", index=False)
    dropped = pc.read_scores(tmp_path / "b.csv", missing="drop-block", **named)
    frame.to_excel(tmp_path / "c.xlsx", index=False)
    sheet = pc.read_scores(tmp_path / "c.xlsx", missing="model", **named)
    turned = pc.read_scores(tmp_path / "a.csv", transpose=True, **named)
    frame = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    frame.to_csv(tmp_path / "d.csv", index=False)
    held = pc.read_predictions(
        tmp_path / "d.csv", algorithm="algorithm", block="fold", case="case",
        label="class", score="probability", positive="yes",
    )  # fmt: skip
    assert held.source.recipe is not None
    for scores in (left_out, dropped, sheet, turned, held.measure(["auc"])):
        assert scores.source.recipe is None
        reading = ScoresInR(scores).reading
        assert list(reading) == ["scores"] and "own_file" not in reading["scores"]


def test_a_blinded_report_does_not_name_the_file(tmp_path):
    wide(tmp_path)
    plan = pc.Plan(blocks="datasets", compares="ranks", blind=True)
    scores = pc.read_scores(
        tmp_path / "wide.csv", wide=True, metric="accuracy", better="higher", sep=";"
    )
    blinded = pc.compare(scores, plan)
    assert blinded.scores.source.recipe is None
