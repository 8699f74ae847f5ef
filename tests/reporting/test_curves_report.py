from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare import cli
from pycompare.errors import InputError
from pycompare.reporting.curves import curves_report, curves_words
from tests.predictions import predictions, rows

EVIL = "<img src=x onerror=alert(1)>"
NAMES = (("tree", 1.0), ("=kNN", 1.8), (EVIL, 1.9))


def comparison(**options) -> pc.CurveComparison:
    frame = rows(folds=4, algorithms=NAMES)
    repeated = frame["case"].str.replace("c[0-9]+-", "c", regex=True)
    both = [frame.assign(dataset="a & b"), frame.assign(dataset="c", case=repeated)]
    data = predictions(frame=pd.concat(both), case="case", dataset="dataset")
    return pc.compare_curves(data, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return pc.report_curves(comparison(), tmp_path_factory.mktemp("curves") / "out")


def test_the_folder_has_page_numbers_pictures_and_r_code(folder):
    found = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    pictures = ("auc_intervals", "roc_curves", "pr_curves", "cost_curves")
    assert {f"figures/dataset{d}_{p}.svg" for d in (1, 2) for p in pictures} <= found
    assert {"report.html", "results.json", "repeat_in_R.R"} <= found
    assert "tables/dataset1_pairs_over_cases.csv" in found
    assert "tables/dataset2_pairs_over_cases.csv" not in found
    csv = (folder / "tables/dataset1_areas.csv").read_text()
    assert "'=kNN" in csv
    table = pd.read_csv(folder / "tables/dataset1_pairs_over_folds.csv")
    wanted = comparison().analyses[0].over_folds.table
    assert np.array_equal(table["p_value"], wanted["p_value"])
    assert json.loads((folder / "results.json").read_text())["made_by"] == (
        "pycompare curves"
    )


def test_the_page_escapes_names_and_says_what_it_is_about(folder):
    page = (folder / "report.html").read_text()
    assert EVIL not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "take the trained classifiers as they are" in page
    assert "cases and training sets as random both" in page
    assert "Not made: cases occur in several blocks" in page
    assert "://" not in page.split("<details>")[0]
    assert page.count('alt="') == 8


def test_pictures_are_small(folder):
    for path in (folder / "figures").iterdir():
        assert path.stat().st_size < 300_000


def test_verdicts_are_adjusted_p_values_at_most_alpha():
    found = comparison().analyses[0]
    for alpha in (0.0001, 0.05, 0.99):
        told = list(curves_words.pair_sentences(found.over_cases, alpha, "Over cases"))
        n = int((found.over_cases.table["p_adjusted"] <= alpha).sum())
        assert sum("larger AUC than" in sentence for sentence in told) == n
        assert any("no difference was shown" in s for s in told) == (n < 3)
    first = next(
        iter(curves_words.pair_sentences(found.over_cases, 0.05, "Over cases"))
    )
    row = found.over_cases.table.iloc[0]
    better = row["algorithm_1"] if row["estimate"] > 0 else row["algorithm_2"]
    assert first.startswith(f"Over cases: {better} has a larger AUC")


def test_many_pairs_are_counted():
    names = [(f"A{j}", 0.8 * j) for j in range(7)]
    data = predictions(frame=rows(folds=3, n=90, algorithms=names), case="case")
    [found] = pc.compare_curves(data).analyses
    told = list(curves_words.pair_sentences(found.over_cases, 1.0, "Over cases"))
    assert told[-1] == "Over cases: 9 more pairs differ; the table has them."
    none = list(curves_words.pair_sentences(found.over_cases, 1e-300, "Over cases"))
    assert "and 9 more." in none[0]


def test_what_could_not_be_tested_is_said_so():
    frame = rows(folds=4)
    frame["score"] = 0.5
    [found] = pc.compare_curves(predictions(frame=frame, case="case")).analyses
    assert list(curves_words.verdict(found, 0.05)) == [
        "Over cases: could not be tested: tree – kNN.",
        "Over folds: could not be tested: tree – kNN.",
    ]


def test_large_data_are_not_written_into_the_script(monkeypatch):
    monkeypatch.setattr(curves_report, "MOST_R_ROWS", 100)
    assert "too many to be written here" in curves_report.r_script(comparison())


def test_only_an_earlier_report_is_replaced(folder, tmp_path):
    with pytest.raises(InputError, match="holds an earlier report"):
        pc.report_curves(comparison(), folder)
    pc.report_curves(comparison(), folder, overwrite=True)
    (tmp_path / "mine").mkdir()
    with pytest.raises(InputError, match="was not written by pycompare"):
        pc.report_curves(comparison(), tmp_path / "mine", overwrite=True)


def test_the_hash_hangs_on_scores_and_labels():
    first, other = predictions(), predictions(seed=1)
    assert curves_report.sha256(first) == curves_report.sha256(predictions())
    assert curves_report.sha256(first) != curves_report.sha256(other)


@pytest.fixture
def curves(capsys, monkeypatch, tmp_path):
    rows(folds=3).to_csv(tmp_path / "p.csv", index=False)

    def run(*args):
        roles = [f"--{r}={r}" for r in ("algorithm", "block", "label", "score")]
        words = ["pycompare", "curves", str(tmp_path / "p.csv"), *roles]
        monkeypatch.setattr(sys, "argv", [*words, "--positive=yes", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return ended.value.code or 0, captured.out, captured.err

    return run


def test_the_command_writes_the_report_and_prints_the_verdict(curves, tmp_path):
    out = tmp_path / "out"
    status, said, _ = curves("--case=case", "--out", out)
    assert status == 0
    assert "Over cases: kNN has a larger AUC than tree" in said
    assert (out / "report.html").exists()
    status, said, _ = curves("--case=case", "--out", out, "--overwrite", "--json")
    assert json.loads(said)["plan"]["adjust"] == "holm"


def test_bad_input_is_one_line_and_status_2(curves, tmp_path):
    for words in (("--alpha=7",), ("--adjust=holms",), ("--case=patient",)):
        status, said, error = curves(*words, "--out", tmp_path / "out")
        assert status == 2
        assert not said
        assert error.count("\n") == 1
        assert not (tmp_path / "out").exists()


def test_precision_recall_areas_stand_beside_the_verdicts(folder):
    [first, second] = comparison().analyses
    found = first.precision_recall
    table = pd.read_csv(folder / "tables/dataset1_pairs_precision_recall.csv")
    assert np.array_equal(table["p_value"], found.table["p_value"])
    areas = pd.read_csv(folder / "tables/dataset1_areas_precision_recall.csv")
    assert np.array_equal(areas["estimate"], found.area["estimate"])
    assert isinstance(second.precision_recall, str)  # cases in several blocks
    page = (folder / "report.html").read_text()
    assert "2000 resamples of the cases, within each class, seed 0" in page
    assert "makes none" in page and "areas under precision-recall curves, which" in page
    assert not any("precision" in s for s in curves_words.verdict(first, 0.05))


def test_precision_recall_areas_are_those_of_the_method_and_its_seed():
    data = predictions(frame=rows(folds=1, algorithms=NAMES), case="case")
    [one] = pc.compare_curves(data, seed=7, adjust="bonferroni").analyses
    found = one.precision_recall
    assert (found.seed, found.adjust) == (7, "bonferroni")
    part = data.rows(data.blocks[0], "tree")
    alone = pc.auc_pr_pairs(
        data.is_positive[part],
        {n: data.score[data.rows(data.blocks[0], n)] for n in data.algorithms},
        positive=True,
        adjust="bonferroni",
        seed=7,
    )
    assert found.table.equals(alone.table)


def test_too_many_scores_are_not_resampled_unasked(monkeypatch):
    monkeypatch.setattr("pycompare.procedure.curve_comparison.MOST_RESAMPLED", 100)
    data = predictions(frame=rows(folds=1, algorithms=NAMES), case="case")
    [one] = pc.compare_curves(data).analyses
    assert "many to be resampled (over 100)" in one.precision_recall
