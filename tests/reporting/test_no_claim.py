"""Folds without the sizes that a test needs: no page, table or file claims anything."""

import dataclasses
import json
import re

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.content import fold_words
from pycompare.reporting.curves_report import conclusions
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of
from tests.predictions import predictions, rows
from tests.reporting.whole_pages import TWO_METRICS, with_gaps
from tests.runs import runs_of, simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

SIZES = {"n_train": 90, "n_test": 10}
_CLAIM = re.compile(
    r"significantly|p [=<]|p-value 0|share a letter|Equivalent|non-inferior to|"
    r"confidence set|guarantee|\bCI\b|exact if",
    re.IGNORECASE,
)


def normal(n, a, effect=4.0):
    rng = np.random.default_rng(5)
    return wide(rng.normal(size=(n, a)) + effect * np.arange(a))


KINDS = {
    "two": lambda: (normal(8, 2), {}),
    "several": lambda: (normal(8, 4), {}),
    "control": lambda: (normal(8, 4), {"control": "A4"}),
    "gaps": lambda: (with_gaps(normal(8, 3), (0, 0)), {}),
    "runs": lambda: (runs_of(simulated()), {"replicates": "keep"}),
    "metrics": lambda: (folds_of((14,), 3, effect=6.0, metrics=TWO_METRICS), {}),
    "family": lambda: (
        folds_of((14,), 3, effect=6.0, metrics=TWO_METRICS),
        {"family": "all"},
    ),
    "perfect": lambda: (wide(np.arange(6.0)[:, None] + np.arange(3.0)), {}),
    "model": lambda: (
        folds_of((6,) * 4, 3, effect=5.0),
        {"compares": "model", "blocks": "folds-of-datasets"},
    ),
}


def planned(kind, **sizes):
    scores, options = KINDS[kind]()
    return scores, pc.Plan(**{"blocks": "folds", **options, **sizes})


@pytest.mark.parametrize("kind", KINDS)
def test_without_sizes_no_claim_is_left_anywhere(kind, tmp_path):
    comparison = pc.compare(*planned(kind))
    told = comparison.summary()
    assert "no claim" in told and fold_words.TO_TEST in told
    assert comparison.families == () and comparison.together is None
    for analysis in comparison.analyses:
        assert analysis.decisions == () and dict(analysis.compared) == {}
        assert analysis.within_margin is None
    assert comparison.only.rank_sets == {}
    folder = pc.report(comparison, tmp_path / "r", formats=("md", "text", "rtf"))
    # HTML escapes the code of R after the text.
    written = ("md", "txt", "rtf", "html")
    plain = [folder / f"report.{end}" for end in written]
    plain += (folder / "tables").iterdir()
    for text in [told, *(path.read_text() for path in plain if path.is_file())]:
        body = text.split("<main", 1)[-1].split("- function", 1)[0]  # R's code
        assert not _CLAIM.search(body), _CLAIM.search(body)
    results = json.loads((folder / "results.json").read_text())
    assert '"rejected": true' not in json.dumps(results)
    assert "p_value" not in json.dumps(results["analyses"])
    figures = {path.stem.split("_")[-1] for path in (folder / "figures").iterdir()}
    assert figures <= {"distributions"}


def test_curves_without_sizes_claim_nothing_over_folds(tmp_path):
    strong = rows(folds=4, n=60, algorithms=(("A", 0.2), ("B", 1.0), ("C", 4.0)))
    comparison = pc.compare_curves(predictions(frame=strong))  # cases without names
    folder = pc.report(comparison, tmp_path / "r", formats=("md", "text", "rtf"))
    pages = [folder / f"report.{end}" for end in ("md", "txt", "rtf")]
    for text in [conclusions(comparison), *(path.read_text() for path in pages)]:
        assert not re.search("significantly better|p [=<] 0|non-inferior", text)
    assert not list((folder / "tables").glob("*over_folds*"))
    sizes = pc.compare_curves(predictions(frame=strong), **SIZES)
    assert "significantly better" in conclusions(sizes)


@pytest.mark.parametrize("kind", ["two", "several", "control", "metrics", "model"])
def test_the_printed_line_gives_a_claim(kind):
    scores, plan = planned(kind)
    n_folds = 2 if kind in ("metrics", "model") else 4  # of whole repetitions
    for more in (SIZES, {"protocol": "cross-validation", "n_folds": n_folds}):
        told = pc.compare(scores, dataclasses.replace(plan, **more, adjust=()))
        assert "no claim" not in told.summary()
        assert any(made.rejected for a in told.analyses for made in a.decisions)


@pytest.mark.parametrize("verdict", ["typical-difference", "ranks", "wins", "means"])
def test_without_sizes_nothing_is_claimed_of_single_data_sets(verdict, tmp_path):
    scores = folds_of((6,) * 8, 3, effect=5.0)
    comparison = pc.compare(scores, pc.Plan(compares=verdict))
    [analysis] = comparison.analyses
    assert any(made.rejected for made in analysis.decisions)  # of data-set means
    assert analysis.interaction is None
    keys = ["typical-difference", "ranks", "wins", "means"]
    assert [one.key for one in analysis.over] == keys
    for on in analysis.each:
        assert on.decisions == () and on.cliques == () and on.letters is None
    assert fold_words.TO_TEST_EACH in comparison.summary()
    assert "On single data sets" not in comparison.summary()
    page = (pc.report(comparison, tmp_path / "r") / "report.html").read_text()
    assert "model of all folds, " not in page and "share a letter" not in page
    given = pc.compare(scores, pc.Plan(compares=verdict, **SIZES))
    assert "On single data sets" in given.summary()
    assert given.analyses[0].interaction is not None


@pytest.mark.parametrize("name", ["fold", "Fold", "cv_fold", "fold 1", "folds"])
def test_a_column_called_fold_holds_folds(name):
    rows = [{name: f"{i}", "A": 0.8 + i / 100, "B": 0.9 + i / 90} for i in range(6)]
    read = {"metric": "acc", "better": "higher", "block": name}
    scores = pc.Scores.from_wide(rows, **read)
    assert "Estimates only, no claim" in pc.compare(scores).summary()
    assert "data sets like these" not in pc.compare(scores).summary()
    told = pc.compare(scores, pc.Plan(blocks="datasets")).summary()
    assert "data sets like these" in told
    other = [{"manifold": row[name], "A": row["A"], "B": row["B"]} for row in rows]
    other = pc.Scores.from_wide(other, **{**read, "block": "manifold"})
    assert "data sets like these" in pc.compare(other).summary()
