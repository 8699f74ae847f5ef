"""Reports of readers and cases: page, numbers, pictures, R code."""

from __future__ import annotations

import dataclasses
import html
import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.designs.plans.readers_plan import ReadersPlan
from pycompare.reporting.analyses.multireader import parts
from pycompare.reporting.evidence.r_numbers import numbers_file
from pycompare.reporting.evidence.without_r import NO_REASON
from pycompare.reporting.mrmc_report import conclusion
from pycompare.reporting.verify import verify
from pycompare.results.result import Told
from tests.conftest import drawings
from tests.methods.multireader.readers import made, simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

EVIL = "<img src=x onerror=alert(1)>"


def named(ratings: pc.Ratings) -> pc.Ratings:
    return dataclasses.replace(ratings, modalities=("old", EVIL, "=new"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = pc.mrmc(named(simulated()), margin=0.05, hypothesis="equivalence")
    with drawings():
        return pc.report(found, tmp_path_factory.mktemp("mrmc") / "out")


def test_the_folder_has_page_numbers_pictures_and_r_code(folder):
    found = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    pictures = ("scopes", "reader_curves", "variance_components")
    assert {f"figures/{name}.svg" for name in pictures} <= found
    tables = ("pairs", "scopes", "analyses", "components", "by_reader", "claims")
    assert {f"tables/{name}.csv" for name in tables} <= found
    assert "mrmc_reference" in (folder / "reproduce.R").read_text()
    result = pc.mrmc(named(simulated()), margin=0.05, hypothesis="equivalence")
    table = pd.read_csv(folder / "tables" / "pairs.csv")
    assert np.array_equal(table["p_value"], result.table["p_value"])
    held = json.loads((folder / "results.json").read_text())
    assert held["made_by"] == "pycompare mrmc"
    assert held["alpha"] == pytest.approx(0.05)
    assert held["provenance"]["ratings_sha256"]


def test_an_error_rate_is_claimed_everywhere_or_nowhere(folder):
    page = html.unescape((folder / "report.html").read_text())
    assert "Family-wise alpha = 0.05" in page.replace("\xa0", " ")
    assert "no error rate is claimed" not in page


def test_sets_of_ranks_are_those_of_the_planned_comparison(folder):
    wanted = pc.rank_sets(
        pc.mrmc(named(simulated()), margin=0.05, hypothesis="equivalence")
    )
    table = pd.read_csv(folder / "tables" / "rank_sets.csv")
    numbers = ["rank", "rank_low", "rank_high"]
    assert np.array_equal(table[numbers], wanted.table[numbers])
    assert wanted.neighbours["n_needed"].isna().all()  # readers share their cases
    held = json.loads((folder / "results.json").read_text())
    assert held["rank_sets"]["table"] == wanted.table.to_dict("records")
    page = (folder / "report.html").read_text()
    assert "Confidence sets of ranks" in page and "power 80%" not in page


def test_the_page_begins_with_answer_scopes_and_what_they_concern(folder):
    page = (folder / "report.html").read_text()
    assert EVIL not in page
    order = [
        "Three modalities compared in AUC by 4 readers on 40 cases",
        "difference in AUC",
        "Scope of the conclusions",
        "Conclusions concern",
        "new readers and new cases (primary)",
        "Components of variance",
        "they concern new readers, these cases",
    ]
    places = [page.index(words) for words in order]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("readers", "cases", "population"),
    [
        ("fixed", "random", "these readers and new cases"),
        ("random", "fixed", "new readers and these cases"),
    ],
)
def test_the_planned_scope_comes_first(tmp_path, readers, cases, population):
    found = pc.mrmc(simulated(t=2), readers=readers, cases=cases)
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert f"{population} (primary)" in page
    assert population in conclusion(found)


@pytest.mark.usefixtures("pictures_here")
def test_other_designs_and_figures_have_a_page(tmp_path):
    rng = np.random.default_rng(1)
    loss = rng.random((3, 4, 30))
    for k, found in enumerate(
        (
            pc.mrmc(made(loss, None), figure="mean", better="lower"),
            pc.mrmc(simulated(t=2, r=1), readers="fixed"),
            pc.mrmc(simulated(t=2), covariance="bootstrap", resamples=50),
        )
    ):
        folder = pc.report(found, tmp_path / str(k))
        assert (folder / "report.html").stat().st_size > 10_000
    assert "R has no such analysis" in (folder / "reproduce.R").read_text()
    origin = json.loads((folder / "results.json").read_text())["provenance"]
    assert origin["randomness"].startswith("0, for 50 resamples")


def test_lower_is_better_names_the_lowest():
    loss = np.random.default_rng(1).random((3, 4, 30))
    loss[1] -= 0.3
    found = pc.mrmc(made(loss, None), figure="mean", better="lower")
    assert "M2 is significantly better than each of the other two" in conclusion(found)


DEGENERATE = {
    "AUC = 1 everywhere": lambda r: np.broadcast_to(r.truth * 1.0, r.shape),
    "identical modalities": lambda r: np.broadcast_to(r.values[:1], r.shape),
}


@pytest.mark.usefixtures("pictures_here")
@pytest.mark.parametrize("name", DEGENERATE)
def test_what_cannot_be_tested_has_a_page_that_says_so(tmp_path, name):
    plain = simulated(t=3, r=3, n=20)
    found = pc.mrmc(made(DEGENERATE[name](plain), plain.truth))
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert "No difference can be tested" in page
    assert not re.search(r"<td[^>]*>[^<]*nan", page, re.IGNORECASE)


def test_modalities_are_called_so(tmp_path):
    found = pc.mrmc(simulated(t=3, shift=0.0))
    assert "No pair of the three modalities" in conclusion(found)
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert "against each other modality" in page


def test_every_number_of_the_page_is_defined(tmp_path):
    ratings = dataclasses.replace(simulated(t=2), positive="ill", negative="well")
    found = pc.mrmc(ratings)
    folder = pc.report(found, tmp_path / "r", formats=["text"])
    page = " ".join((folder / "report.txt").read_text().split())
    first, second = ratings.modalities
    assert f"The difference is {first} minus {second}." in page
    assert "positive ill, negative well; higher ratings indicate positive" in page
    assert "AUC is the area under the empirical ROC curve" in page
    assert "Cov2: of two that share the modality" in page
    assert "No rating is missing; nothing was dropped." in page


def test_a_scope_alone_has_no_others_and_no_rule_of_degrees(tmp_path):
    found = pc.mrmc(simulated(t=2, r=1), readers="fixed")
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert "by the rule of" not in page and "other scopes" not in page
    assert "ROC curves of 1 reader (thin)" in page


def test_an_analysis_that_r_has_not_says_so_when_its_program_runs(tmp_path):
    found = pc.mrmc(simulated(t=2), covariance="bootstrap", resamples=50)
    folder = pc.report(found, tmp_path / "r")
    program = (folder / "reproduce.R").read_text()
    assert 'cat(strwrap("No number of this report is computed again: R has' in program
    page = (folder / "report.html").read_text()
    assert "not computed again in R" in page and "computes the numbers" not in page


def test_a_folder_that_is_there_is_left_alone(folder, tmp_path):
    found = pc.mrmc(simulated(t=2))
    with pytest.raises(InputError, match="earlier report"):
        pc.report(found, folder)
    with pytest.raises(InputError, match="DataFrame has no report"):
        pc.report(found.table, tmp_path / "x")
    with pytest.raises(InputError, match="alpha"):
        pc.report(found, tmp_path / "x", alpha=2)


def test_figures_of_decisions_have_a_mixed_model_beside_them(tmp_path):
    found = pc.mrmc(simulated(t=2), figure="sensitivity", threshold=0.8)
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert "Mixed logistic model" in page
    plain = pc.report(pc.mrmc(simulated(t=2)), tmp_path / "s")
    assert "Mixed logistic" not in (plain / "report.html").read_text()


@pytest.mark.usefixtures("pictures_here")
def test_with_a_control_the_others_are_compared_with_it(tmp_path):
    found = pc.mrmc(simulated(shift=0), control="M2")
    page = (pc.report(found, tmp_path / "out") / "report.html").read_text()
    assert "No modality differs significantly from M2" in page
    assert "Each other modality is compared with the control M2." in page
    assert 'id="best"' not in page
    found = pc.mrmc(
        simulated(shift=2), control="M1", margin=0.3, hypothesis="non-inferiority"
    )
    text = conclusion(found)
    assert "M2 and M3 are significantly better than M1" in text


def problems(folder):
    found = verify(folder, recompute=True)
    assert found.again.numbers
    return list(found.problems)


def test_a_mixed_model_that_is_given_is_in_page_numbers_and_program(tmp_path):
    ratings = simulated(t=2, r=4, n=30)
    found = pc.mrmc(ratings, control="M1")
    options = {"threshold": 0.5, "link": "probit", "control": "M1"}
    model = pc.glmm(ratings, outcome="accuracy", **options)
    folder = pc.report(found, tmp_path / "out", mixed=model)
    held = json.loads((folder / "results.json").read_text())
    assert held["mixed"]["deviance"] == model.deviance
    page = (folder / "report.html").read_text()
    for words in ("Mixed probit model", "Random effects of the mixed model"):
        assert words in page
    assert "glmm_reference" in (folder / "reproduce.R").read_text()
    effects = pd.read_csv(folder / "tables" / "mixed_effects.csv")
    assert np.array_equal(effects["probability"], model.effects["probability"])
    assert problems(folder) == []


def test_the_mixed_model_behind_a_sensitivity_is_made_by_itself(tmp_path):
    found = pc.mrmc(simulated(t=2, r=4, n=30), figure="sensitivity", threshold=0.5)
    folder = pc.report(found, tmp_path / "out")
    held = json.loads((folder / "results.json").read_text())
    assert held["mixed"]["outcome"] == "sensitivity at ratings >= 0.5"
    assert problems(folder) == []


@pytest.mark.usefixtures("pictures_here")
@pytest.mark.parametrize("options", [{}, {"null": 0.5, "readers": "fixed"}], ids=str)
def test_a_report_of_one_modality_has_its_mean_and_readers(tmp_path, options):
    found = pc.single_modality(named(simulated()), modality=EVIL, **options)
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text()
    assert EVIL not in page
    assert f"Mean AUC of {html.escape(EVIL)}: {found.estimate:.3g}" in page
    assert ("significantly from 0.5" in page) == bool(options)
    assert "single_modality_reference" in (folder / "reproduce.R").read_text()
    held = json.loads((folder / "results.json").read_text())
    assert held["estimate"] == found.estimate
    each = pd.read_csv(folder / "tables" / "by_reader.csv")
    assert np.array_equal(each["estimate"], found.by_reader["estimate"])
    assert (folder / "figures" / "reader_curves.svg").exists()
    assert problems(folder) == []


def standalone(t: int, better: float, r: int = 5, **options) -> pc.Ratings:
    """Return a reader with a hostile name against the others."""
    ratings = simulated(t=t, r=r, n=60)
    values = ratings.values.copy()
    values[:, 0] += better * ratings.truth
    readers = (EVIL, *ratings.readers[1:])
    return pc.standalone(
        dataclasses.replace(ratings, values=values, readers=readers),
        reader=EVIL,
        **options,
    )


@pytest.mark.usefixtures("pictures_here")
def test_a_report_of_a_standalone_reader_has_its_difference_and_each_reader(tmp_path):
    found = standalone(1, 4.0)
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text().replace("\xa0", " ")
    assert EVIL not in page
    told = "has a significantly higher AUC than the mean of the 4 readers"
    assert f"{html.escape(EVIL)} {told}" in page
    row = found.table.iloc[0]
    limits = f"95% CI [{row['conf_low']:.2f}, {row['conf_high']:.2f}], p &lt; 0.001)"
    assert f"difference {row['estimate']:.2f}, {limits}" in page
    assert "Dots: each reader, not tested." in page
    assert "standalone_reference" in (folder / "reproduce.R").read_text()
    assert (folder / "figures" / "reader_curves.svg").exists()
    each = pd.read_csv(folder / "tables" / "by_reader.csv")
    assert np.array_equal(each["difference"], found.by_reader["difference"])
    assert json.loads((folder / "results.json").read_text())["alpha"] == 0.05
    assert verify(folder, recompute=True).passed
    assert problems(folder) == []
    assert told.replace("has", "had") in pc.methods_text(found)
    assert "Scope of conclusions: new readers and new cases." in conclusion(found)


def test_a_standalone_reader_of_several_modalities_has_adjusted_p_values(tmp_path):
    found = standalone(3, 0.3)
    table = found.table
    assert (table["p_adjusted"] > 0.05).all()
    page = (pc.report(found, tmp_path / "out") / "report.html").read_text()
    page = page.replace("\xa0", " ")
    for name in ("M1", "M2", "M3"):
        told = (
            f"{name}: {html.escape(EVIL)} and the mean of the 4 readers do not differ"
        )
        assert told in page
    assert "Intervals: 98.333% each, at the level of the last step" in page
    assert "adj. p = " in page and "98.333% CI" not in page
    assert "does not show equality" in page
    assert "P-values are adjusted over the modalities by Holm" in page


def test_a_standalone_reader_without_an_error_is_not_tested(tmp_path):
    ratings = simulated(t=1, r=3, n=40)
    alike = np.repeat(ratings.values[:, :1], 3, axis=1)
    same = dataclasses.replace(ratings, values=alike)
    found = pc.standalone(same, reader="R1", level=0.9)
    folder = pc.report(found, tmp_path / "out")
    page = (folder / "report.html").read_text()
    assert "R1 cannot be tested against the mean of the 2 readers in AUC" in page
    assert verify(folder, recompute=True).passed


def test_one_other_reader_has_no_mean(tmp_path):
    pair = simulated(t=1, r=2, n=40)
    study = pc.standalone(pair, reader="R1", readers="fixed")
    page = (pc.report(study, tmp_path / "out") / "report.html").read_text()
    assert "R1 and the other reader do not differ significantly" in page
    assert "the 1 reader" not in page


def test_keys_about_modalities_have_no_use_with_a_standalone_reader():
    columns = {"modality": "m", "reader": "r", "case": "c", "rating": "x"}
    for key, value in (
        *(("control", "M1"), ("method", "dbm"), ("only", "M1"), ("level", 0.9)),
        *(("blind", True), ("pair_tests", "largest"), ("mixed", "mean")),
    ):
        with pytest.raises(pc.PlanError, match=f"{key} is of analyses of modalities"):
            ReadersPlan(**columns, standalone="AI", **{key: value})
    assert ReadersPlan(**columns, standalone="AI", adjust="none", alpha=0.1)


def test_one_modality_has_no_mixed_model(tmp_path):
    ratings = simulated(t=2, r=4, n=30)
    model = pc.glmm(ratings, outcome="accuracy", threshold=0.5)
    one = pc.single_modality(ratings, modality="M1")
    with pytest.raises(
        InputError, match=r"mixed is for results of pc.mrmc, not of pc.single_modality"
    ):
        pc.report(one, tmp_path / "out", mixed=model)


@pytest.mark.usefixtures("pictures_here")
def test_one_modality_without_interval_says_so(tmp_path):
    truth = np.arange(20) < 8
    perfect = made(np.broadcast_to(truth * 1.0, (1, 3, 20)), truth)
    found = pc.single_modality(perfect, null=0.5)
    page = (pc.report(found, tmp_path / "out") / "report.html").read_text()
    assert "There is no interval and no test." in page
    assert "The error term is 0 or negative" in page


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.1, "hypothesis": "equivalence"},
        {"method": "dbm", "control": "M1"},
        {"covariance": "delong", "readers": "fixed", "error": "pooled"},
    ],
    ids=str,
)
def test_r_has_every_number_that_is_not_counted_set_or_undefined(options):
    result = pc.mrmc(simulated(), **options)
    results = Told({**result.to_dict(), "alpha": 0.05}, result)
    files = numbers_file(results, [("mrmc", result)])
    table = pd.read_csv(io.StringIO(next(iter(files.values()))), keep_default_na=False)
    assert table.loc[table["why"] == NO_REASON, "place"].tolist() == []
    assert (table["result"] != "").sum() > 200


def test_a_table_of_some_readers_says_so(monkeypatch):
    study = pc.mrmc(simulated(r=6))
    whole = parts.by_reader(study)
    assert whole.note == "" and len(whole.rows) == 18
    monkeypatch.setattr(parts, "_MOST_ROWS", 5)
    some = parts.by_reader(study)
    assert len(some.cells()) == 5
    assert some.note[0] == "The first 5 of 18 rows."
