import pickle

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.apps.experiments.protocols import HeldOut
from tests.methods.multireader.readers import simulated

ROLES = {
    "modality": "m",
    "reader": "r",
    "case": "c",
    "truth": "ill",
    "rating": "x",
}


def frame(t=2, r=3, n=10) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        {"m": f"M{i}", "r": f"R{j}", "c": k, "ill": k % 2, "x": rng.normal()}
        for i in range(t)
        for j in range(r)
        for k in range(n)
    ]
    return pd.DataFrame(rows)


def test_ratings_are_arranged_by_labels_whatever_the_order_of_rows():
    rows = frame()
    found = pc.Ratings.from_frame(rows, **ROLES)
    assert found.shape == (2, 3, 10)
    assert (found.positive, found.negative) == ("1", "0")
    for row in rows.sample(12, random_state=1).itertuples():
        at = (
            found.modalities.index(row.m),
            found.readers.index(row.r),
            found.cases.index(str(row.c)),
        )
        assert found.values[at] == row.x
        assert found.truth[at[2]] == row.ill
    again = pc.Ratings.from_frame(
        found.to_frame(),
        modality="modality",
        reader="reader",
        case="case",
        truth="is_positive",
        rating="rating",
    )
    assert np.array_equal(again.values, found.values)


def test_polars_and_lists_of_rows_are_read_alike():
    rows = frame()
    found = pc.Ratings.from_frame(rows, **ROLES)
    listed = pc.Ratings.from_frame(rows.to_dict("records"), **ROLES)
    assert np.array_equal(listed.values, found.values)
    polars = pytest.importorskip("polars")
    other = pc.Ratings.from_frame(polars.from_pandas(rows), **ROLES)
    assert np.array_equal(other.values, found.values)


def test_the_positive_class_is_declared_unless_it_is_1_of_0_and_1():
    rows = frame().assign(ill=lambda d: d.ill.map({0: "well", 1: "sick"}))
    with pytest.raises(pc.InputError, match=r"'sick', 'well': .* positive=\.\.\."):
        pc.Ratings.from_frame(rows, **ROLES)
    found = pc.Ratings.from_frame(rows, **ROLES, positive="sick")
    assert found.truth.sum() == 5 and found.negative == "well"
    with pytest.raises(pc.InputError, match="did you mean 'sick'"):
        pc.Ratings.from_frame(rows, **ROLES, positive="sic")


def change(row, column, value):
    def changed(rows):
        rows = rows.copy()
        rows[column] = rows[column].astype(object)
        rows.loc[row, column] = value
        return rows

    return changed


BAD = {
    "truth differs between readers": (
        change(13, "ill", 0),
        r"1 case has more than one truth, first: case='3' has '0', '1'",
    ),
    "a case is rated twice": (
        lambda rows: pd.concat([rows, rows.iloc[[4]]]),
        r"modality='M0', reader='R0', case='4' in row 5",
    ),
    "a modality is missing for a reader": (
        lambda rows: rows[(rows.m != "M1") | (rows.r != "R2")],
        "10 ratings are missing, first: modality='M1', reader='R2', case='0'",
    ),
    "a case is missing": (
        lambda rows: rows.drop(index=17),
        r"1 rating is missing, first: modality='M0', reader='R1', case='7'",
    ),
    "a rating is NaN": (
        change(2, "x", np.nan),
        "no rating in 1 of 60 rows.*design='incomplete'",
    ),
    "a rating is infinite": (change(2, "x", np.inf), "infinite in 1 of 60 rows"),
    "a rating is text": (change(2, "x", "high"), "text"),
    "three classes": (change(slice(0, 2), "ill", 2), "holds 3 classes"),
    "an empty table": (lambda rows: rows.iloc[:0], "no rows"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_tables_are_refused(what):
    spoil, says = BAD[what]
    with pytest.raises(pc.InputError, match=says):
        pc.Ratings.from_frame(spoil(frame()), **ROLES)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"rating": "score"}, "no column 'score'"),
        ({"rating": "ill"}, "two roles"),
        ({"truth": None, "positive": 1}, "needs a column of true classes"),
        ({"design": "nested"}, "design must be one of 'factorial'"),
    ],
)
def test_bad_roles_are_refused(changed, says):
    with pytest.raises(pc.InputError, match=says):
        pc.Ratings.from_frame(frame(), **ROLES | changed)


def test_a_reader_who_saw_one_class_is_refused_in_any_design():
    rows = frame()
    rows = rows[(rows.r != "R2") | (rows.ill == 0)]
    ratings = pc.Ratings.from_frame(rows, **ROLES, design="incomplete")
    with pytest.raises(pc.InputError, match="reader='R2' rated no case of it"):
        pc.mrmc(ratings)


def test_designs_are_declared_and_checked():
    rows = frame(r=4, n=12)
    number = rows.r.str[1].astype(int)
    own = rows[(rows.c < 6) == (number < 2)]
    found = pc.Ratings.from_frame(own, **ROLES, design="cases-in-readers")
    assert np.isnan(found.values[0, 0, 6:]).all()
    by_modality = rows[(rows.c < 6) == (rows.m == "M0")]
    pc.Ratings.from_frame(by_modality, **ROLES, design="cases-in-modalities")
    readers = rows[(number < 2) == (rows.m == "M0")]
    pc.Ratings.from_frame(readers, **ROLES, design="readers-in-modalities")
    for table, design in (
        (own, "factorial"),
        (own, "cases-in-modalities"),
        (by_modality, "cases-in-readers"),
        (by_modality, "readers-in-modalities"),
        (readers, "cases-in-readers"),
        (own.drop(index=own.index[3]), "cases-in-readers"),
    ):
        with pytest.raises(pc.InputError, match=r"missing|also rated"):
            pc.Ratings.from_frame(table, **ROLES, design=design)
        pc.Ratings.from_frame(table, **ROLES, design="incomplete")
    # Readers who share some cases, and not all.
    part = rows[(number < 2) | (rows.c < 8)]
    with pytest.raises(pc.InputError, match=r"missing|also rated"):
        pc.Ratings.from_frame(part, **ROLES, design="cases-in-readers")


def test_clusters_hold_whole_cases():
    rows = frame().assign(patient=lambda d: d.c // 2)
    found = pc.Ratings.from_frame(rows, **ROLES, cluster="patient")
    assert found.clusters == ("0", "1", "2", "3", "4")
    assert found.cluster.tolist() == [k // 2 for k in range(10)]
    with pytest.raises(pc.InputError, match="more than one cluster"):
        pc.Ratings.from_frame(
            rows.assign(patient=rows.c // 2 + (rows.r == "R1")),
            **ROLES,
            cluster="patient",
        )


def test_without_truth_there_are_means_only():
    ratings = pc.Ratings.from_frame(frame(), **ROLES | {"truth": None})
    assert ratings.truth is None
    with pytest.raises(pc.InputError, match="needs the true classes"):
        pc.mrmc(ratings)
    assert np.isfinite(pc.mrmc(ratings, figure="mean", better="higher").p_value)


def test_wrong_columns_do_not_ask_for_enormous_arrays():
    n = 1000
    rows = {name: [f"{name}{i}" for i in range(n)] for name in "mrc"}
    rows |= {"ill": [0, 1] * (n // 2), "x": [1.0] * n}
    with pytest.raises(pc.InputError, match="right columns"):
        pc.Ratings.from_frame(rows, **ROLES)


def test_ratings_cannot_be_changed_and_survive_pickling():
    ratings = simulated()
    with pytest.raises(ValueError, match="read-only"):
        ratings.values[0, 0, 0] = 1.0
    again = pickle.loads(pickle.dumps(ratings))
    assert np.array_equal(again.values, ratings.values)
    with pytest.raises(ValueError, match="read-only"):
        again.values[0, 0, 0] = 1.0


def test_training_sets_with_one_test_set_are_readers():
    rows = [
        {"a": a, "fold": f, "case": k, "y": k % 2, "s": (3 * k + 5 * f + len(a)) % 7}
        for a in ("tree", "kNN")
        for f in range(3)
        for k in range(8)
    ]
    names = {"algorithm": "a", "block": "fold", "label": "y", "score": "s"}
    predictions = pc.Predictions.from_frame(rows, **names, positive=1, case="case")
    found = pc.Ratings.from_predictions(predictions)
    assert (found.modalities, found.readers) == (("tree", "kNN"), ("0", "1", "2"))
    for row in rows:
        at = (
            found.modalities.index(row["a"]),
            row["fold"],
            found.cases.index(str(row["case"])),
        )
        assert found.values[at] == row["s"]
    aucs = predictions.measure("auc").values[..., 0]
    by = pc.mrmc(found, readers="fixed").by_reader
    assert np.allclose(by["estimate"], aucs.ravel(), atol=1e-14)
    unnamed = pc.Predictions.from_frame(rows, **names, positive=1)
    with pytest.raises(pc.InputError, match="do not name their cases"):
        pc.Ratings.from_predictions(unnamed)
    other = [row | {"case": row["case"] + 8 * row["fold"]} for row in rows]
    predictions = pc.Predictions.from_frame(other, **names, positive=1, case="case")
    with pytest.raises(pc.InputError, match="different test cases"):
        pc.Ratings.from_predictions(predictions)


def test_held_out_experiments_become_ratings(tmp_path):
    pytest.importorskip("sklearn")
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    x = rng.normal(size=(120, 3)) + y[:, None]
    data = pc.DataSet.of(x, y, positive=1)
    found = pc.experiment(
        {"sim": data},
        {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)},
        protocol=HeldOut(folds=4),
        seed=1,
        folder=tmp_path,
        workers=1,
        progress=False,
    )
    ratings = pc.Ratings.from_predictions(found)
    assert ratings.shape[:2] == (2, 4)
    assert np.isfinite(pc.mrmc(ratings).p_value)


def test_a_file_that_is_not_there_is_named_before_its_columns(tmp_path):
    with pytest.raises(pc.InputError, match=r"gone\.csv: no such file or folder"):
        pc.read_ratings(tmp_path / "gone.csv")
