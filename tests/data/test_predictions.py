"""Predictions: groups in order, and every way the rows can be wrong."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import pycompare as pc
from tests.data.tables import refused

ROLES = {
    "algorithm": "algorithm",
    "block": "fold",
    "label": "label",
    "score": "score",
    "positive": "yes",
}


def frame(n: int = 4, folds: int = 3, algorithms=("svm", "knn")) -> pd.DataFrame:
    """Rows of algorithms side by side, so that groups do not lie together."""
    rows = [
        {
            "fold": f"f{fold}",
            "case": f"c{fold}-{case}",
            "algorithm": name,
            "label": "yes" if case % 2 else "no",
            "score": 100 * fold + case + 0.5 * j,
        }
        for fold in range(folds)
        for case in range(n)
        for j, name in enumerate(algorithms)
    ]
    return pd.DataFrame(rows)


def predictions(table=None, **options) -> pc.Predictions:
    table = frame() if table is None else table
    return pc.Predictions.from_frame(table, **ROLES | options)


def changed(row: int, **values) -> pd.DataFrame:
    table = frame()
    for name, value in values.items():
        table[name] = table[name].astype(object)
        table.at[row, name] = value
    return table


def assert_same(one: pc.Predictions, other: pc.Predictions) -> None:
    for name in ("score", "is_positive", "offsets", "case"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours is None) == (theirs is None)
        assert ours is None or np.array_equal(ours, theirs)
    for name in ("blocks", "algorithms", "datasets", "positive", "negative", "cases"):
        assert getattr(one, name) == getattr(other, name)


# ---- how the groups lie --------------------------------------------------------------


def test_groups_lie_block_by_block_and_algorithm_by_algorithm():
    found = predictions()
    assert found.blocks == ("f0", "f1", "f2")
    assert found.algorithms == ("svm", "knn")
    assert found.offsets.tolist() == [0, 4, 8, 12, 16, 20, 24]
    assert found.score[found.rows("f1", "knn")].tolist() == [100.5, 101.5, 102.5, 103.5]
    assert found.is_positive[:4].tolist() == [False, True, False, True]
    assert (found.positive, found.negative) == ("yes", "no")
    assert found.sizes.tolist() == [[4, 4]] * 3
    assert "24 scores, 3 blocks x 2 algorithms" in repr(found)


def test_with_cases_the_groups_of_a_block_have_them_in_one_order():
    table = frame().sample(frac=1, random_state=1)
    found = predictions(table, case="case")
    for block in found.blocks:
        one, other = (found.rows(block, name) for name in ("svm", "knn"))
        assert np.array_equal(found.case[one], found.case[other])
        assert np.array_equal(found.is_positive[one], found.is_positive[other])
        assert np.array_equal(
            np.abs(found.score[one] - found.score[other]), np.full(4, 0.5)
        )
    again = pc.Predictions.from_frame(
        found.to_frame().astype({"is_positive": object}),
        algorithm="algorithm",
        block="block",
        label="is_positive",
        score="score",
        positive=True,
        case="case",
    )
    assert sorted(again.score) == sorted(found.score)


def test_a_block_is_the_pair_of_data_set_and_fold():
    table = pd.concat([frame().assign(data=d) for d in ("a", "b")])
    found = predictions(table, dataset="data")
    assert found.blocks[0] == "a/f0"
    assert found.datasets == ("a",) * 3 + ("b",) * 3


@pytest.mark.parametrize(
    ("no", "yes", "positive"),
    [(0, 1, 1), (False, True, True), (0.0, 1.0, 1), (-1, 1, "1"), ("a", "b", "b")],
)
def test_labels_may_be_of_any_type(no, yes, positive):
    table = frame()
    table["label"] = [yes if x == "yes" else no for x in table["label"]]
    found = predictions(table, positive=positive)
    assert np.array_equal(found.is_positive, predictions().is_positive)


@pytest.mark.parametrize("library", [pl.from_pandas, pa.Table.from_pandas])
def test_frames_of_any_library_are_alike(library):
    assert_same(predictions(library(frame()), case="case"), predictions(case="case"))


def test_categories_are_labels():
    table = frame().astype({"fold": "category", "algorithm": "category"})
    assert_same(predictions(table), predictions())


def test_arrays_cannot_be_changed_also_after_a_copy():
    for found in (
        predictions(),
        copy.deepcopy(predictions()),
        pickle.loads(pickle.dumps(predictions())),
    ):
        with pytest.raises(ValueError, match="read-only"):
            found.score[0] = 1.0


# ---- files ---------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather"])
def test_files_hold_the_same_predictions(tmp_path, ending):
    path, table = tmp_path / f"p.{ending}", frame()
    if ending in ("csv", "tsv"):
        table.to_csv(path, index=False, sep="," if ending == "csv" else "\t")
    elif ending == "parquet":
        table.to_parquet(path, index=False)
    else:
        feather.write_feather(pa.Table.from_pandas(table), path)
    found = pc.read_predictions(path, case="case", **ROLES)
    assert_same(found, predictions(case="case"))
    assert (found.source.rows, found.source.format) == (24, ending)


def test_a_folder_of_partitions_holds_the_same_predictions(tmp_path):
    parquet.write_to_dataset(
        pa.Table.from_pandas(frame()), tmp_path / "p", partition_cols=["fold"]
    )
    (tmp_path / "p" / "_SUCCESS").write_text("")
    found = pc.read_predictions(tmp_path / "p", case="case", **ROLES)
    assert_same(found, predictions(case="case"))
    assert found.source.rows == 24
    assert len(found.source.sha256) == 64


def test_folders_that_cannot_be_read_are_refused(tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    with refused("p: the folder holds no .parquet file"):
        pc.read_predictions(folder, **ROLES)
    frame().to_parquet(folder / "a.parquet", index=False)
    frame().drop(columns="score").to_parquet(folder / "b.parquet", index=False)
    with refused("b.parquet: there is no column 'score'"):
        pc.read_predictions(folder, **ROLES)
    (folder / "b.parquet").write_bytes(b"PAR1 no")
    with refused("b.parquet is no readable file"):
        pc.read_predictions(folder, **ROLES)
    (folder / "b.parquet").rename(folder / "b.csv")
    with refused("'b.csv' beside Parquet files"):
        pc.read_predictions(folder, **ROLES)


# ---- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, None])
def test_a_missing_score_is_refused(bad):
    with refused("'score' has no score in 1 of 24 rows", "row 4"):
        predictions(changed(3, score=bad))


def test_infinite_and_textual_scores_are_refused():
    with refused("'score' is infinite in 1 of 24", "row 4"):
        predictions(changed(3, score=np.inf))
    with refused("'score': 1 of 24 values is not numeric", "is text"):
        predictions(changed(3, score="high"))


def test_a_positive_class_that_is_not_there_is_refused():
    with refused("positive: no case has the label 'Yes'", "did you mean 'yes'", "'no'"):
        predictions(positive="Yes")


def test_one_label_everywhere_is_refused():
    with refused("all cases have the label 'yes'"):
        predictions(frame().assign(label="yes"))


def three_classes() -> pd.DataFrame:
    table = frame(6)
    table["label"] = [["no", "yes", "maybe"][i // 2 % 3] for i in range(len(table))]
    return table


def test_three_classes_offer_the_rest_and_a_pair():
    with refused("there are 3 classes", "rest=True", r"classes=\.\.\."):
        predictions(three_classes())
    rest = predictions(three_classes(), rest=True)
    assert rest.negative == "not yes"
    assert rest.is_positive.sum() == 12
    pair = predictions(three_classes(), classes=("yes", "maybe"), case="case")
    assert pair.negative == "maybe"
    assert pair.score.size == 24
    assert pair.notes == ("left out 12 scores of cases of other classes: 'no'",)


def test_choices_of_classes_that_contradict_are_refused():
    with refused("exclude each other"):
        predictions(three_classes(), rest=True, classes=("yes", "no"))
    with refused("positive='yes' is not among"):
        predictions(three_classes(), classes=("no", "maybe"))
    with refused("classes: no case has the label 'never'"):
        predictions(three_classes(), classes=("yes", "never"))
    with refused("classes must be a pair"):
        predictions(three_classes(), classes=("yes",))


def test_a_fold_with_one_class_is_refused_or_undefined():
    table = frame()
    table.loc[table["fold"] == "f1", "label"] = "no"
    with refused("2 pairs", "block='f1', algorithm='svm' has only 'no'", "one_class="):
        predictions(table)
    found = predictions(table, one_class="undefined")
    assert found.measure("fpr", threshold=1.0).blocks == ("f0", "f1", "f2")
    with refused("2 of 6 numbers are undefined", "auc = ", "block='f1'"):
        found.measure("auc")
    found = predictions(table, one_class="undefined", missing="drop-block")
    scores = found.measure(["auc", "fpr"], threshold=1.0)
    assert scores.blocks == ("f0", "f2")
    assert scores.dropped.cells == (("f1", "svm", "auc"), ("f1", "knn", "auc"))


def test_a_fold_that_is_missing_for_an_algorithm_follows_the_policy():
    table = frame()
    table = table[(table["fold"] != "f1") | (table["algorithm"] != "knn")]
    for case in (None, "case"):
        with refused("1 pairs", "block='f1', algorithm='knn'", "drop-block"):
            predictions(table, case=case)
        dropped = predictions(table, case=case, missing="drop-block")
        assert dropped.blocks == ("f0", "f2")
        assert dropped.dropped.blocks == ("f1",)
        assert dropped.score.size == 16
        kept = predictions(table, case=case, missing="model")
        assert kept.sizes.tolist() == [[4, 4], [4, 0], [4, 4]]
        scores = kept.measure("auc")
        assert np.isnan(scores.values[1, 1, 0])
        assert np.isnan(scores.values).sum() == 1


def test_two_scores_of_a_case_are_refused():
    table = pd.concat([frame(), frame().iloc[[5]]])
    with refused("1 scores", "case='c0-2', block='f0', algorithm='knn'", "row 6", "25"):
        predictions(table, case="case")


def test_a_case_that_an_algorithm_left_out_is_refused():
    with refused("1 cases", "case='c0-2' in block='f0'", "by 'knn'"):
        predictions(frame().drop(index=5), case="case")
    assert predictions(frame().drop(index=5)).sizes[0].tolist() == [4, 3]


def test_a_case_with_two_labels_is_refused():
    table = changed(0, label="yes")
    with refused("1 cases have different labels", "'c0-0'", "'f0'"):
        predictions(table, case="case")


@pytest.mark.parametrize("role", ["fold", "algorithm", "label", "case"])
def test_a_missing_label_is_refused(role):
    with refused(f"column '{role}' has no label in 1 of 24 rows", "row 3"):
        predictions(changed(2, **{role: None}), case="case")


def test_one_algorithm_is_no_comparison():
    with refused("at least 2 algorithms"):
        predictions(frame(algorithms=("svm",)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"missing": "drop"}, "missing must be one of"),
        ({"one_class": "nan"}, "one_class must be one of"),
        ({"label": "score"}, "two roles"),
        ({"score": "scores"}, "did you mean 'score'"),
    ],
)
def test_wrong_choices_are_refused(options, said):
    with refused(said):
        predictions(**options)


def test_parts_that_do_not_fit_are_refused():
    whole = predictions()
    parts = {
        name: getattr(whole, name)
        for name in (
            *("score", "is_positive", "offsets", "blocks"),
            *("algorithms", "positive", "negative"),
        )
    }
    assert_same(pc.Predictions(**parts), whole)
    for changes, said in (
        ({"score": whole.score[:-1]}, "shape"),
        ({"offsets": whole.offsets[:-1]}, "offsets must rise"),
        ({"offsets": whole.offsets[::-1]}, "offsets must rise"),
        ({"score": np.full(24, np.inf)}, "NaN or infinite"),
        ({"algorithms": ("a", "a")}, "must differ"),
        ({"is_positive": np.ones(24, bool)}, "one class only"),
    ):
        with refused(said):
            pc.Predictions(**parts | changes)


def test_a_million_rows_are_read_without_a_loop_over_rows():
    n = 250_000
    table = pd.DataFrame(
        {
            "fold": np.repeat(["f0", "f1"], 2 * n),
            "algorithm": np.tile(np.repeat(["a", "b"], n), 2),
            "case": np.tile(np.arange(n), 4),
            "label": np.tile(np.arange(n) % 2, 4),
            "score": np.random.default_rng(0).random(4 * n),
        }
    )
    found = predictions(table, positive=1, case="case")
    assert found.score.size == 4 * n


# ---- clusters of cases ---------------------------------------------------------------


def with_patients(n: int = 12) -> pd.DataFrame:
    """Three cases of each patient."""
    table = frame(n=n)
    place = table["case"].str.split("-").str[1].astype(int)
    return table.assign(patient=table["fold"] + "-" + (place // 3).astype(str))


def test_each_row_has_the_cluster_of_its_case():
    table = with_patients()
    shuffled = table.sample(frac=1, random_state=3)
    found = predictions(shuffled, case="case", cluster="patient")
    of_case = dict(zip(table["case"], table["patient"], strict=True))
    told = found.to_frame()
    assert len(found.clusters) == 12
    assert told["cluster"].tolist() == [of_case[case] for case in told["case"]]
    assert found.sha256 != predictions(shuffled, case="case").sha256


def test_clusters_need_cases_and_a_case_lies_in_one():
    table = with_patients()
    with refused("groups cases, and no column", "case"):
        predictions(table, cluster="patient")
    table.loc[0, "patient"] = "other"
    with refused("a case lies in one cluster", "'c0-0'"):
        predictions(table, case="case", cluster="patient")


def test_the_same_label_names_different_cases_in_different_data_sets():
    table = with_patients()
    other = table.assign(patient="b" + table["patient"])
    both = pd.concat([table.assign(d="one"), other.assign(d="two")])
    found = predictions(both, case="case", dataset="d", cluster="patient")
    assert len(found.clusters) == 24
