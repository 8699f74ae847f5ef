"""``pc.compare`` of tables and of cross_validate results: works, or says how."""

from __future__ import annotations

import re
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

import pycompare as pc
from tests.apps.experiments.small import features

pytestmark = pytest.mark.usefixtures("blank_pictures")

RNG = np.random.default_rng(3)
NAMES = ["svm", "knn", "tree"]
WIDE = pd.DataFrame(
    RNG.random((8, 3)).round(3), index=[f"d{k}" for k in range(8)], columns=NAMES
)
LONG = WIDE.rename_axis("data").reset_index().melt("data", var_name="model",
                                                   value_name="error")  # fmt: skip
OF_WIDE = {"algorithms": NAMES, "metric": "accuracy", "better": "higher"}
OF_LONG = {"algorithm": "model", "block": "data", "metrics": {"error": "lower"}}


def refusal(*given, **arguments) -> str:
    with pytest.raises(pc.InputError) as refused:
        pc.compare(*given, **arguments)
    return str(refused.value)


def written(message: str) -> dict[str, object]:
    """The arguments of the call that a message tells to write."""
    call = r"pc\.compare\((frame|results), (.*)\)$"
    arguments = re.search(call, message, re.MULTILINE)[2]
    return eval(f"dict({arguments})", {}, {})


# ---- tables --------------------------------------------------------------------------


def test_a_wide_frame_is_compared_as_its_scores():
    wanted = pc.compare(pc.Scores.from_wide(WIDE, metric="accuracy", better="higher"))
    assert pc.compare(WIDE, **OF_WIDE).to_dict() == wanted.to_dict()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "rows", "columns"])
def test_a_long_frame_of_any_library_is_compared_as_its_scores(kind):
    frame = {
        "pandas": LONG,
        "polars": pl.DataFrame(LONG.to_dict("list")),
        "pyarrow": pa.Table.from_pandas(LONG),
        "rows": LONG.to_dict("records"),
        "columns": LONG.to_dict("list"),
    }[kind]
    wanted = pc.compare(pc.Scores.from_frame(LONG, **OF_LONG))
    assert pc.compare(frame, **OF_LONG).to_dict() == wanted.to_dict()
    one = {"algorithm": "model", "block": "data", "metric": "error", "better": "lower"}
    assert pc.compare(frame, **one).to_dict() == wanted.to_dict()


def test_the_plan_and_the_other_roles_go_with_a_frame():
    frame = LONG.assign(domain=LONG["data"].str[1].astype(int) % 2)
    plan = pc.Plan(family="metric", alpha=0.1)
    found = pc.compare(frame, plan, group="domain", missing="model", **OF_LONG)
    assert found.scores.group_names == ("0", "1")
    assert found.scores.missing == "model" and found.plan.alpha == 0.1


@pytest.mark.parametrize("frame", [WIDE, WIDE.reset_index(names="name"), LONG])
def test_nothing_is_guessed_and_the_call_to_write_works(frame):
    message = refusal(frame)
    assert "which columns are algorithms and which direction" in message
    call = written(message)
    if call["metric"] == "error":  # a known metric, whose direction is filled in
        assert call["better"] == "lower"
    else:
        assert call["better"] == "higher|lower"
        assert "'higher' or 'lower'" in refusal(frame, **call)
    found = pc.compare(frame, **call | {"better": "lower"})
    assert found.scores.algorithms == tuple(NAMES)
    assert found.scores.blocks == tuple(WIDE.index)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"algorithm": "model"}, "which column holds the blocks and which direction"),
        ({"algorithm": "model", "block": "data"}, "state which direction"),
        (OF_LONG | {"block": None}, "state which column holds the blocks"),
        ({"metric": "error", "better": "lower"}, "state which columns are algorithms"),
    ],
)
def test_what_a_call_says_is_kept_in_the_call_to_write(arguments, part):
    message = refusal(LONG, **arguments)
    assert part in message
    call = written(message)
    assert {k: call[k] for k, v in arguments.items() if v is not None} == {
        k: v for k, v in arguments.items() if v is not None
    }
    metrics = {} if "metrics" in call else {"better": "lower"}
    assert pc.compare(LONG, **call | metrics).scores.n_blocks == 8


def test_folds_of_data_sets_are_proposed_by_their_names():
    frame = LONG.rename(columns={"data": "fold"}).assign(dataset="iris", seconds=1.0)
    call = written(refusal(frame))
    assert [call[r] for r in ("algorithm", "dataset", "block")] == [
        "model", "dataset", "fold",
    ]  # fmt: skip
    assert (call["metric"], call["better"]) == ("error", "lower")  # a time is none


def test_roles_that_no_name_says_stay_open():
    frame = LONG.rename(columns={"data": "q", "model": "m", "error": "u"})
    message = refusal(frame)
    call = written(message)
    assert {call["algorithm"], call["block"], call["better"]} == {
        "COLUMN", "higher|lower",
    }  # fmt: skip
    assert "which column holds the algorithms; columns of text: " in message


def test_a_table_with_a_row_of_means_is_asked_about_with_the_call():
    frame = WIDE.reset_index(names="data")
    frame.loc[len(frame)] = ["Average", *WIDE.mean()]
    assert "\nsummary-row: block 'Average' may summarise" in refusal(frame)


def test_columns_that_are_no_algorithms_are_not_proposed():
    call = written(refusal(WIDE.assign(n=150, time=0.1)))
    assert call["algorithms"] == NAMES


def test_names_are_data_in_a_refusal_and_in_a_comparison():
    names = ["__import__('os')", "<script>", "a,b", '"', "margin=1", "ü", "nan"]
    frame = pd.DataFrame(RNG.random((6, 7)), columns=names)
    call = written(refusal(frame))
    assert call["algorithms"] == names
    assert pc.compare(frame, **call | {"better": "lower"}).scores.algorithms == tuple(
        names
    )


@pytest.mark.parametrize(
    ("frame", "arguments", "part"),
    [
        (WIDE[["svm"]], {"algorithms": ["svm"]}, "at least 2 algorithms"),
        (WIDE[:1], {}, "at least 2 blocks"),
        (WIDE[:0], {}, "no rows"),
        (WIDE.assign(svm=np.nan), {}, "no score"),
        (WIDE.assign(svm=np.inf), {}, "infinite"),
        (WIDE.astype(str), {}, "not numeric"),
        (WIDE, {"algorithms": ["svm", "kn"]}, "did you mean 'knn'"),
        (WIDE, {"algorithms": ["svm", "svm"]}, "appears 2 times"),
        (WIDE, {"better": "more"}, "'higher' or 'lower'"),
        (WIDE, {"replicate": "d"}, "replicate= is for long tables"),
        (WIDE, {"dataset": "d"}, "dataset: there is no column 'd'"),
        (WIDE, {"metrics": {"a": "lower"}}, "metric= and better="),
        (pd.DataFrame(), {}, "no columns"),
        (WIDE.to_numpy(), {}, "expected a table of pandas"),
        ([[1, 2]], {}, "one dict for each row"),
        ("scores.csv", {}, "read the file first"),
        (None, {}, "expected a table of pandas"),
    ],
)
def test_what_cannot_be_compared_is_refused(frame, arguments, part):
    assert part in refusal(frame, **OF_WIDE | arguments)


def test_algorithms_stand_in_a_column_or_in_columns():
    assert "leave one of them out" in refusal(LONG, algorithms=NAMES, **OF_LONG)
    two = {"metrics": {"a": "lower", "b": "lower"}, "algorithms": NAMES}
    assert "holds one metric" in refusal(WIDE, **two)


def test_columns_of_what_was_read_before_are_refused():
    scores = pc.Scores.from_frame(LONG, **OF_LONG)
    assert "metric= is for tables, and these are Scores" in refusal(scores, metric="e")
    cases = pc.example("predictions")
    assert "these are Predictions" in refusal(cases, algorithms=["a", "b"])


def test_a_plan_file_says_what_the_columns_are(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text('[data]\nformat = "wide"\n[metrics]\naccuracy = "higher"\n[plan]\n')
    assert "plan.read_data(path)" in refusal(WIDE, pc.read_plan(path), **OF_WIDE)


# ---- results of cross_validate -------------------------------------------------------

X, Y = features(60)
FOLDS = list(StratifiedKFold(4, shuffle=True, random_state=1).split(X, Y))
LEARNERS = {"nb": GaussianNB(), "dummy": DummyClassifier()}
METRICS = {"accuracy": "higher", "neg_log_loss": "higher"}


def results(cv=FOLDS, **options):
    options = {"scoring": list(METRICS), "return_indices": True} | options
    return {n: cross_validate(m, X, Y, cv=cv, **options) for n, m in LEARNERS.items()}


def test_results_are_compared_fold_by_fold():
    given = results()
    found = pc.compare(given, metrics=METRICS, dataset="iris")
    assert found.plan.blocks == "folds"
    assert found.scores.blocks == ("iris/1", "iris/2", "iris/3", "iris/4")
    for name in METRICS:
        wanted = np.column_stack([given[a][f"test_{name}"] for a in LEARNERS])
        np.testing.assert_array_equal(found.scores.column(name), wanted)


def test_what_is_left_out_is_said():
    scores = pc.compare(results(), metric="accuracy", better="higher").scores
    assert scores.notes == (
        "not compared, of the results of cross_validate: fit_time, score_time, "
        "test_neg_log_loss",
    )
    unknown = results(return_indices=False)
    noted = pc.Scores.from_cross_validate(unknown, metrics=METRICS).notes
    assert "cannot show that all algorithms had the same folds" in noted[1]
    assert "fit_time" in pc.compare(unknown, metrics=METRICS).scores.summary()


def test_one_unnamed_metric_has_the_name_of_the_call():
    given = results(scoring=None)
    found = pc.compare(given, metric="accuracy", better="higher").scores
    np.testing.assert_array_equal(
        found.column("accuracy")[:, 0], given["nb"]["test_score"]
    )
    assert "test_score" not in "".join(found.notes)


def test_several_data_sets_are_folds_of_data_sets():
    given = {"iris": results(), "wine": results(FOLDS[:3]), "oats": results()}
    found = pc.compare(given, metric="accuracy", better="higher")
    assert found.plan.blocks == "folds-of-datasets"
    assert found.scores.n_blocks == 11
    assert "leave it out" in refusal(given, metrics=METRICS, dataset="iris")
    torn = given | {"wine": dict(reversed(given["wine"].items()))}
    assert "in one order" in refusal(torn, metrics=METRICS)


def test_directions_of_results_are_not_guessed():
    message = refusal(results())
    assert written(message) == {"metrics": dict.fromkeys(METRICS, "higher|lower")}
    message = refusal(results(), metric="accuracy")
    assert written(message) == {"metric": "accuracy", "better": "higher|lower"}
    assert written(refusal(results(scoring=None)))["metric"] == "score"
    assert "negates such a loss" in refusal(
        results(), metric="neg_log_loss", better="lower"
    )


OTHER = list(StratifiedKFold(4, shuffle=True, random_state=2).split(X, Y))
SCORES = {"test_score": [0.5, 0.6]}


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (
            {"a": results()["nb"], "b": results(OTHER)["nb"]},
            "different cases in fold 1",
        ),
        ({"a": SCORES, "b": {"test_score": [0.5]}}, "1 folds and 'a' 2"),
        ({"a": SCORES}, "at least 2 algorithms"),
        ({"a": SCORES, "b": {"fit_time": [1, 2]}}, "'b' has no scores that begin with"),
        ({"a": SCORES, "b": [0.5, 0.6]}, "'b' has no scores"),
        ({"a": SCORES, "b": {"test_score": ["x", "y"]}}, "one number per fold"),
        ({"a": SCORES, "b": {"test_score": [[0.5, 0.6]]}}, "one number per fold"),
        ({"a": SCORES, "b": {"test_score": [0.5, np.nan]}}, "no score"),
        ({"a": SCORES, "b": {"test_score": [0.5, np.inf]}}, "infinite"),
        ({"a": {"test_score": [0.5]}, "b": {"test_score": [0.5]}}, "at least 2 blocks"),
        ({"a": {"test_f1": [1, 0.5]}, "b": SCORES}, "no scores 'test_accuracy'"),
        ({"iris": {"a": SCORES, "b": SCORES}, "wine": 3}, "'wine' has no scores"),
        ({"iris": {}, "wine": {"a": SCORES}}, "'iris' has no scores"),
    ],
)
def test_results_that_cannot_be_compared_are_refused(given, part):
    assert part in refusal(given, metric="accuracy", better="higher")


def test_arguments_of_tables_are_refused_for_results():
    for name in ("algorithm", "block", "group", "replicate"):
        message = refusal(results(), metrics=METRICS, **{name: "x"})
        assert f"{name}= is for tables" in message


def test_algorithms_of_results_are_data():
    names = ["<script>", "a,b"]
    given = dict(zip(names, results().values(), strict=True))
    found = pc.compare(given, metrics=METRICS).scores
    assert found.algorithms == tuple(names)


def test_the_report_says_what_was_left_out_and_divided(tmp_path):
    pc.report(pc.compare(results(), metrics=METRICS), tmp_path / "a", overwrite=True)
    assert "not compared, of the results" in (tmp_path / "a/report.html").read_text()
    found = pc.compare(100 * WIDE, percent=NAMES, **OF_WIDE)
    pc.report(found, tmp_path / "b")
    assert "in percent, divided by 100" in (tmp_path / "b/report.html").read_text()


@pytest.mark.parametrize("protocol", ["__dataframe__", "__arrow_c_stream__"])
def test_frames_of_other_libraries_are_handed_over(protocol, monkeypatch):
    held = pa.Table.from_pandas(LONG, preserve_index=False)
    hand_over = lambda self, *given, **named: getattr(held, protocol)(*given, **named)  # noqa: E731
    other = type("Other", (), {protocol: hand_over})()
    wanted = pc.compare(LONG, **OF_LONG).to_dict()
    assert pc.compare(other, **OF_LONG).to_dict() == wanted
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install pyarrow" in refusal(other, **OF_LONG)
