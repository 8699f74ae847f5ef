"""The study of real data: its page, and the data sets that R exports."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.methods.over_datasets.test_agreement import METRICS, folds
from tests.predictions import predictions, rows
from validation import agreement_study, agreement_wins, real_data

# Cases, features and missing values, as the manuals of mlbench and kernlab have them.
SIZES = {
    "BreastCancer": (699, 9, 16),
    "DNA": (3186, 180, 0),
    "HouseVotes84": (435, 16, 392),
    "Ionosphere": (351, 34, 0),
    "LetterRecognition": (20000, 16, 0),
    "PimaIndiansDiabetes2": (768, 8, 652),
    "Satellite": (6435, 36, 0),
    "Shuttle": (58000, 9, 0),
    "Sonar": (208, 60, 0),
    "Vehicle": (846, 18, 0),
    "musk": (476, 166, 0),
    "spam": (4601, 57, 0),
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exported")
    real_data.export(folder)
    return folder


@pytest.mark.r
def test_r_exports_every_data_set_whole(exported):
    found = {}
    for path in exported.iterdir():
        table = pd.read_csv(path, dtype={"class": str})
        x = table.drop(columns="class")
        assert all(map(pd.api.types.is_numeric_dtype, x.dtypes))
        assert table["class"].notna().all()
        found[path.stem] = (*x.shape, int(x.isna().to_numpy().sum()))
    assert found == SIZES
    before = {path: path.stat().st_mtime_ns for path in exported.iterdir()}
    real_data.export(exported)
    assert {path: path.stat().st_mtime_ns for path in exported.iterdir()} == before


@pytest.mark.slow
@pytest.mark.r
def test_the_positive_class_is_the_rarer_of_a_confused_pair(exported):
    [shuttle, vehicle] = [
        real_data.load_one(source, exported)
        for source in real_data.SOURCES
        if source.name in ("vehicle", "shuttle")
    ]
    assert {vehicle.positive, vehicle.negative} == {"opel", "saab"}
    assert vehicle.n == 429
    assert shuttle.n == real_data.LARGEST
    assert shuttle.is_positive.sum() == 171  # all of the rarer class are kept


def test_a_data_set_of_scikit_learn_has_readable_classes(tmp_path):
    found = real_data.load_one(real_data.SOURCES[0], tmp_path)
    assert (found.positive, found.negative) == ("malignant", "benign")
    assert (found.n, int(found.is_positive.sum())) == (569, 212)


def test_counts_are_in_the_order_of_asl():
    found = pc.agreement(folds(), metrics=METRICS)
    assert agreement_study.four(found, "error", "auc") == (1, 2, 1, 2)
    other = pc.agreement(folds({"d": (9.0, 0.1, 0.1)}), metrics=METRICS)
    lines = agreement_study.count_lines([found, other], found)
    assert "| error x AUC: ASL sec. 3.3, 150 comparisons | 1 | 10 | 9 | 130 |" in lines
    assert "| error x AUC: here, 6 comparisons | 1 | 2 | 1 | 2 |" in lines
    assert "| error x AUC: here, all 2 divisions | 0-1 | 0-2 | 1 | 0-2 |" in lines
    for published in agreement_study.PUBLISHED.values():
        assert sum(published) == 150


def test_a_case_that_did_not_occur_is_said_so():
    found = pc.agreement(folds({"d": (9.0, 0.1, 0.1)}), metrics=METRICS)
    head, rule, *rows = agreement_study.example_lines(found, "error", "auc")
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
    assert [("did not occur" in row) for row in rows] == [True, True, False, True]
    assert "only error rejects | d | A, B" in rows[2]


def test_the_page_of_the_repository_is_that_of_the_plan():
    page = agreement_study.PAGE.read_text(encoding="utf-8")
    assert all(f"| {source.name} |" in page for source in real_data.SOURCES)
    n = 10 * len(real_data.SOURCES)
    [line] = [x for x in page.splitlines() if x.startswith(f"| error x AUC: here, {n}")]
    counts = [int(cell) for cell in line.split("|")[2:-1]]
    assert np.sum(counts) == n
    assert f"seed {agreement_study.SEEDS[0]}" in page


def test_pictures_stand_beside_the_page_one_for_each_case_that_occurred(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(agreement_study, "PAGE", tmp_path / "PAGE.md")
    (tmp_path / "AGREEMENT-3.svg").write_text("of an earlier run")
    data = predictions()
    found = pc.agreement(data.measure(METRICS), metrics=METRICS)
    agreement_study.draw_examples(found, data)
    occurred = [int(case) for case in found.examples("error", "auc")["case"]]
    wanted = [f"AGREEMENT-{case}.svg" for case in occurred]
    assert sorted(path.name for path in tmp_path.iterdir()) == wanted
    lines = agreement_study.picture_lines(found)
    assert lines[0] == f"![Case {occurred[0]}: all blocks, tree and kNN]({wanted[0]})"


def test_wins_and_dimensions_stand_beside_those_of_the_thesis():
    shifts = dict(zip(agreement_study.ALGORITHMS, (2.5, 1, 1, 1, 1), strict=True))
    frames = [
        rows(folds=10, seed=seed, algorithms=list(shifts.items())).assign(data=name)
        for seed, name in enumerate("ab")
    ]
    data = predictions(frame=pd.concat(frames), dataset="data", case="case")
    scores = data.measure(METRICS)
    lines = agreement_wins.lines(scores, data)
    [line] = [x for x in lines if x.startswith("| error, paired t (Table 6.7)")]
    wins = pc.wins(scores, metric="error", method="paired-t").wins
    ours = [int(cell.split("/")[1]) for cell in line.split("|")[2:7]]
    assert ours == wins.loc[list(shifts), list(shifts)].sum(axis=1).tolist()
    assert max(ours) == ours[0] > 0
    theirs = [int(cell.split("/")[0]) for cell in line.split("|")[2:7]]
    assert theirs == [36, 27, 30, 38, 0]
    [line] = [x for x in lines if x.startswith("| four cells, here")]
    assert [int(cell) for cell in line.split("|")[2:-1]][3:5] == [0, 0]


def test_waveforms_have_the_means_of_their_definition():
    features, label = real_data.waveform(np.random.default_rng(1))
    assert features.shape == (5000, 21) and set(label) == {0, 1, 2}
    # A wave has the height 6 in its middle, shared evenly: 3 on the average.
    means = features[label == 0].mean().to_numpy()
    assert means[10] == pytest.approx(3 + 1, abs=0.2)
    assert means[14] == pytest.approx(3 + 1, abs=0.2)
    assert means[0] == pytest.approx(0, abs=0.15)
