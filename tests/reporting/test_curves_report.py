from __future__ import annotations

import dataclasses
import html
import json
import shutil
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.apps import cli
from pycompare.base.errors import InputError
from pycompare.base.interop import r_program
from pycompare.reporting import curves_report
from pycompare.reporting.analyses import curves as words
from pycompare.reporting.content import curve_tables as tables
from pycompare.reporting.content.curve_tables import ways
from pycompare.reporting.document import p_equals
from pycompare.reporting.provenance import Origin
from tests.conftest import drawings
from tests.predictions import predictions, rows

pytestmark = pytest.mark.usefixtures("blank_pictures")

EVIL = "<img src=x onerror=alert(1)>"
NAMES = (("tree", 1.0), ("=kNN", 1.8), (EVIL, 1.9))


def comparison(**options) -> pc.CurveComparison:
    frame = rows(folds=4, algorithms=NAMES)
    repeated = frame["case"].str.replace("c[0-9]+-", "c", regex=True)
    both = [frame.assign(dataset="a & b"), frame.assign(dataset="c", case=repeated)]
    data = predictions(frame=pd.concat(both), case="case", dataset="dataset")
    return pc.compare_curves(data, **{"n_train": 90, "n_test": 10, **options})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with drawings():
        return pc.report(comparison(), tmp_path_factory.mktemp("curves") / "out")


def test_the_folder_has_page_numbers_pictures_and_r_code(folder):
    found = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    pictures = ("auc_intervals", "roc_curves", "pr_curves", "cost_curves")
    assert {f"figures/dataset{d}_{p}.svg" for d in (1, 2) for p in pictures} <= found
    assert {"report.html", "results.json", "reproduce.R"} <= found
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
    # One of all differences and four per data set, the last of which is linked.
    assert page.count('alt="') == 8
    assert 'href="figures/dataset2_cost_curves.svg"' in page


def test_sets_of_ranks_are_those_of_each_comparison(folder):
    first = comparison().analyses[0]
    held = json.loads((folder / "results.json").read_text())
    for end, found in (("cases", first.over_cases), ("folds", first.over_folds)):
        table = pd.read_csv(folder / f"tables/dataset1_rank_sets_over_{end}.csv")
        wanted = pc.rank_sets(found).table
        numbers = ["rank", "rank_low", "rank_high"]
        assert np.array_equal(table[numbers], wanted[numbers])
        stored = held["rank_sets"][0][f"over_{end}"]["table"]
        rows = [[row[name] for name in numbers] for row in stored]
        assert rows == wanted[numbers].to_numpy().tolist()
    assert "rank_sets_reference" in (folder / "reproduce.R").read_text()


def test_pictures_are_small(folder):
    for path in (folder / "figures").iterdir():
        assert path.stat().st_size < 300_000


@pytest.mark.parametrize("alpha", [0.0001, 0.05, 0.99])
def test_facts_are_adjusted_p_values_at_most_alpha(alpha):
    over_cases, over_folds = ways(comparison(alpha=alpha))
    first = comparison().analyses[0]
    for way, found in (
        (over_cases, first.over_cases),
        (over_folds, first.over_folds),
    ):
        facts = way.outcomes[0][1]
        rejected = found.table[found.table["p_adjusted"] <= alpha]
        assert {f.pair for f in facts.significant} == {
            frozenset(pair)
            for pair in zip(
                rejected["algorithm_1"], rejected["algorithm_2"], strict=True
            )
        }
        for fact in facts.pairs:
            size = found.matrix("estimate").loc[fact.subject, fact.object]
            assert fact.estimate == size >= 0
            assert fact.interval[0] <= size <= fact.interval[1]
            assert facts.values[fact.subject] >= facts.values[fact.object]
    assert [dataset for dataset, _ in over_cases.not_made] == ["c"]
    assert len(over_folds.outcomes) == 2


def test_wins_count_data_sets():
    over_folds = ways(comparison(alpha=0.99))[1]
    table = tables.wins([over_folds])
    n = len(over_folds.outcomes)
    for pair, told in table.rows:
        first, second = pair.split(" – ")
        won = [
            sum(f.subject == x and f.object == y for f in one.significant)
            for _, one in over_folds.outcomes
            for x, y in ((first, second), (second, first))
        ]
        ahead, behind = sum(won[::2]), sum(won[1::2])
        assert told == f"{ahead} / {n - ahead - behind} / {behind}"
    grid = tables.grid(over_folds)
    assert [row[0] for row in grid.rows] == ["a & b", "c"]
    bold = sum(isinstance(cell, tuple) for row in grid.rows for cell in row[1:])
    assert bold == sum(over_folds.wins().values()) > 0


def test_what_could_not_be_tested_is_said_so():
    frame = rows(folds=4)
    frame["score"] = 0.5
    sizes = {"n_train": 3, "n_test": 1}
    found = pc.compare_curves(predictions(frame=frame, case="case"), **sizes)
    for way in ways(found):
        [(_, one)] = way.outcomes
        assert len(one.untested) == len(one.pairs) == 1


def test_large_data_are_not_written_into_the_script(monkeypatch):
    monkeypatch.setattr(r_program, "MOST_DATA", 100)
    made = curves_report.contents(comparison(), Origin(), None).program
    assert made.text.startswith("# ") and "too many to be written" in made.text


def test_only_an_earlier_report_is_replaced(folder, tmp_path):
    folder = shutil.copytree(folder, tmp_path / "earlier")
    with pytest.raises(InputError, match="holds an earlier report"):
        pc.report(comparison(), folder)
    pc.report(comparison(), folder, overwrite=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    with pytest.raises(InputError, match="was not written by pycompare"):
        pc.report(comparison(), tmp_path / "mine", overwrite=True)


def test_a_report_of_another_kind_is_left_and_named_as_one(tmp_path):
    pc.report(pc.compare(pc.example(), pc.Plan(blocks="datasets")), tmp_path / "r")
    before = (tmp_path / "r" / "results.json").read_bytes()
    with pytest.raises(InputError, match="r holds a report of another kind; it is"):
        pc.report(comparison(), tmp_path / "r", overwrite=True)
    assert (tmp_path / "r" / "results.json").read_bytes() == before


def test_the_hash_hangs_on_scores_and_labels():
    first, other = predictions(), predictions(seed=1)
    assert first.sha256 == predictions().sha256
    assert first.sha256 != other.sha256


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
    assert "Over cases: kNN" in said
    assert (out / "report.html").exists()
    status, said, _ = curves("--case=case", "--out", out, "--overwrite", "--json")
    assert json.loads(said)["plan"]["adjust"] == "bergmann-hommel"


def test_clusters_of_the_command_are_units_and_stay_in_the_report(curves, tmp_path):
    frame = pd.read_csv(tmp_path / "p.csv")
    place = frame["case"].str.split("-").str[1].astype(int)
    patient = "p" + (place // 4).astype(str) + frame["block"]
    frame.assign(patient=patient).to_csv(tmp_path / "p.csv", index=False)
    out = tmp_path / "out"
    options = ("--case=case", "--cluster=patient", "--adjust=holm", "--out", out)
    status, said, _ = curves(*options, "--json")
    assert status == 0
    [analysis] = json.loads(said)["analyses"]
    assert analysis["over_cases"]["n_clusters"] == 45
    page = (out / "report.html").read_text()
    assert "assume independent clusters" in page
    assert "60 positive and 120 negative cases in 45 clusters, 3 folds." in page
    again = pc.verify(out, recompute=True)
    assert again.summary() and not again.problems
    status, _, error = curves("--cluster=patient", "--out", tmp_path / "none")
    assert status == 2 and "--cluster" in error and "--case" in error


def test_folds_that_divide_clusters_are_noted():
    frame = rows(folds=2, n=30)
    place = frame["case"].str.split("-").str[1]
    data = predictions(
        frame=frame.assign(patient="p" + place), case="case", cluster="patient"
    )
    found = words._assumptions(pc.compare_curves(data))
    assert any("30 of 30 clusters have cases in several folds" in t for t in found)


def test_bad_input_is_one_line_and_status_2(curves, tmp_path):
    for options in (
        ("--alpha=7",),
        ("--adjust=holms",),
        ("--case=patient",),
        ("--seed=-1",),
    ):
        status, said, error = curves(*options, "--out", tmp_path / "out")
        assert status == 2
        assert not said
        assert error.count("\n") == 1
        assert not (tmp_path / "out").exists()


def test_precision_recall_areas_are_a_sensitivity_analysis(folder):
    [first, second] = comparison().analyses
    found = first.precision_recall
    table = pd.read_csv(folder / "tables/dataset1_pairs_precision_recall.csv")
    assert np.array_equal(table["p_value"], found.table["p_value"])
    areas = pd.read_csv(folder / "tables/dataset1_areas_precision_recall.csv")
    assert np.array_equal(areas["estimate"], found.area["estimate"])
    assert isinstance(second.precision_recall, str)  # cases in several blocks


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
        method="average-precision",
        adjust="bonferroni",
        seed=7,
    )
    assert found.table.equals(alone.table)


def test_too_many_scores_are_not_resampled_unasked(monkeypatch):
    monkeypatch.setattr("pycompare.designs.curve_comparison.MOST_RESAMPLED", 100)
    data = predictions(frame=rows(folds=1, algorithms=NAMES), case="case")
    [one] = pc.compare_curves(data).analyses
    assert "too many to resample here (over 100)" in one.precision_recall


def test_the_method_names_its_way_only_beside_another():
    over_cases, over_folds = ways(comparison())
    alone = words.method([over_cases])
    assert alone and not alone.startswith(over_cases.name)
    both = words.method([over_cases, over_folds])
    assert both.startswith(f"{over_cases.name}: {alone} {over_folds.name}: ")


def test_wins_losses_and_neither_make_up_all_data_sets():
    shown = tables.wins(ways(comparison(alpha=0.99))).cells()
    counts = [[int(n) for n in row[2].text.split(" / ")] for row in shown]
    assert all(sum(three) == 2 and min(three) >= 0 for three in counts)
    assert any(three[2] for three in counts) and any(three[0] for three in counts)


@pytest.mark.usefixtures("pictures_here")
def test_without_sizes_the_page_claims_nothing_over_folds(tmp_path):
    frame = rows(folds=8, algorithms=(("tree", 0.1), ("kNN", 2.5)))
    data = predictions(frame=frame.assign(case=None).drop(columns="case"))
    [sized] = pc.compare_curves(data, n_train=7, n_test=1).analyses
    assert sized.over_folds.table["p_adjusted"].max() < 0.05
    found = pc.compare_curves(data)
    page = (pc.report(found, tmp_path / "c") / "report.html").read_text()
    told = curves_report.conclusions(found)
    assert "Over folds: no test, because folds share training data" in told
    for text in (told, page.split("<main", 1)[-1].split("- function", 1)[0]):
        assert "significantly" not in text and "exact if folds" not in text
    assert not list((tmp_path / "c" / "tables").glob("*over_folds*"))


def test_net_benefits_at_a_risk_are_on_the_page(tmp_path):
    found = comparison(risk_threshold=0.4)
    first, second = found.analyses
    benefit = first.net_benefit
    assert benefit.thresholds == (0.4,)
    assert second.net_benefit.startswith("cases occur in several blocks")
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text()
    assert "Net benefit at a risk threshold of 0.4" in page
    assert "treat all" in page
    assert "None, because cases occur in several blocks" in page
    csv = pd.read_csv(folder / "tables/dataset1_net_benefit_pairs.csv")
    assert np.array_equal(csv["p_adjusted"], benefit.table["p_adjusted"])
    assert pc.verify(folder, recompute=True).passed


def test_the_interval_by_errors_is_not_told_to_hold_for_any_distribution(folder):
    """A threshold far from the scores: it held the true AUC in 0 and 6 of 100."""
    page = html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    assert "interval is valid for any distribution of independent cases" in page
    assert "threshold fits the scores badly, it does not contain the true AUC" in page
    rng = np.random.default_rng(1)
    label = np.repeat([0, 1], 100)
    score = stats.norm.cdf(rng.normal(size=200) + 2 * label - 4)
    found = pc.auc_interval(
        label, score, positive=1, method="cortes-mohri", threshold=0.5
    )
    assert found.conf_high < stats.norm.cdf(2**0.5)


def test_whole_curves_are_on_the_page(tmp_path):
    found = comparison(whole_curves=True)
    first, second = found.analyses
    assert second.whole_curves.startswith("cases occur in several blocks")
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text().replace("\xa0", " ")
    assert "adj. p = 0.048)" in page
    for curves in first.whole_curves:
        told = curves.stated(p_equals(curves.p_adjusted, 0.05))
        assert "95% simultaneous band of 3 pairs [" in told
        assert html.escape(told) in page
    assert "None, because cases occur in several blocks" in page
    assert "together have 95% confidence (Bonferroni)" in page
    assert (folder / "figures/dataset1_curve_differences.svg").exists()
    assert not (folder / "figures/dataset2_curve_differences.svg").exists()
    csv = pd.read_csv(folder / "tables/dataset1_whole_curves.csv")
    assert list(csv["p_adjusted"]) == [c.p_adjusted for c in first.whole_curves]
    bands = pd.read_csv(folder / "tables/dataset1_bands_of_curves.csv")
    assert len(bands) == sum(len(c.table) for c in first.whole_curves)
    assert pc.verify(folder, recompute=True).passed


def with_errors(**table):
    """Calibration errors with these columns."""
    n = len(table["estimate"])
    columns = {"algorithm": list("ABCDEF")[:n], "conf_high": [0.4] * n, **table}
    columns = {name: np.array(values) for name, values in columns.items()}
    return dataclasses.replace(
        pc.calibration_error(
            [1, 0, 1, 0], [0.9, 0.1, 0.8, 0.2], positive=1, bins="equal-width", n_bins=1
        ),
        table=pd.DataFrame(columns),
    )


def test_the_calibration_section_begins_with_the_range_of_errors():
    told = words.calibration_sentences(
        with_errors(estimate=[0.2, 0.03], conf_low=[0.1, 0.0])
    )
    assert told == (
        "Calibration errors range from 0.030 (B, 95% CI [0.000, 0.400]) to 0.200 (A, "
        "95% CI [0.100, 0.400]). The interval of A excludes 0. An interval that begins "
        "at 0 does not show that scores are calibrated."
    )
    many = words.calibration_sentences(
        with_errors(estimate=[0.2] * 6, conf_low=[0.1] * 6)
    )
    assert many.endswith("The intervals of 6 algorithms exclude 0.")
    none = words.calibration_sentences(with_errors(estimate=[0, 0], conf_low=[0, 0]))
    assert none == (
        "Every calibration error is estimated as 0. Intervals reach up to 0.400 (A). "
        "No interval excludes 0. An interval that begins at 0 does not show that "
        "scores are calibrated."
    )


def test_calibration_errors_are_on_the_page(tmp_path):
    found = comparison(bins="equal-width", n_bins=5)
    first, second = found.analyses
    assert second.calibration.startswith("cases occur in several blocks")
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text()
    assert "Calibration error over 5 bins of equal width" in page
    told = words.calibration_sentences(first.calibration)
    assert html.escape(told) in page
    assert "None, because cases occur in several blocks" in page
    assert "Their p-values are not adjusted over the algorithms" in page
    csv = pd.read_csv(folder / "tables/dataset1_calibration_errors.csv")
    assert np.array_equal(csv["conf_high"], first.calibration.table["conf_high"])
    bins = pd.read_csv(folder / "tables/dataset1_calibration_bins.csv")
    assert np.array_equal(bins["share"], first.calibration.by_bin["share"])
    assert pc.verify(folder, recompute=True).passed
