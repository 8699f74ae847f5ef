"""Scores that are written as labels: predicted classes and verdicts."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

N = 40
RNG = np.random.default_rng(11)
CLASSES = ("cat", "dog", "bird")
TRUE = RNG.integers(3, size=N)
SAID = {
    name: np.where(RNG.random(N) < share, TRUE, RNG.integers(3, size=N))
    for name, share in (("m1", 0.9), ("m2", 0.6), ("m3", 0.4))
}
RIGHT = np.stack([SAID[name] == TRUE for name in SAID], axis=1).astype(float)


def written(codes, labels=CLASSES):
    return [labels[code] for code in codes]


def wide(labels=CLASSES, *, truth="label", case="id"):
    columns = {name: written(codes, labels) for name, codes in SAID.items()}
    named = {case: [f"q{i}" for i in range(N)]} if case else {}
    return pd.DataFrame(named | {truth: written(TRUE, labels)} | columns)


def long(labels=CLASSES):
    frame = wide(labels).melt(["id", "label"], var_name="model", value_name="said")
    return frame.sample(frac=1, random_state=3)


OF_WIDE = {"metric": "accuracy", "better": "higher", "block": "id", "truth": "label"}
OF_LONG = {
    "algorithm": "model",
    "block": "id",
    "metrics": {"accuracy": "higher"},
    "truth": "label",
    "value": "said",
}


@pytest.mark.parametrize("labels", [CLASSES, (0, 1, 2), (1.0, 2.0, 3.0)])
def test_predicted_classes_are_one_where_they_are_true(tmp_path, labels):
    by_wide = pc.Scores.from_wide(wide(labels), **OF_WIDE)
    assert by_wide.column().tolist() == RIGHT.tolist()
    assert by_wide.items
    assert "predicted classes read as 1 if they equal 'label', else 0" in (
        by_wide.notes
    )
    by_long = pc.Scores.from_frame(long(labels), **OF_LONG)
    assert by_long.items
    same = by_long.select(algorithms=by_wide.algorithms, blocks=by_wide.blocks)
    assert same.column().tolist() == RIGHT.tolist()
    path = tmp_path / "wide.csv"
    wide(labels).to_csv(path, index=False)
    read = pc.read_scores(path, wide=True, **OF_WIDE)
    assert read.column().tolist() == RIGHT.tolist()
    for ending in ("parquet", "json"):
        path = tmp_path / f"wide.{ending}"
        frame = wide(labels)
        frame.to_parquet(path) if ending == "parquet" else frame.to_json(
            path, orient="records"
        )
        read = pc.read_scores(path, wide=True, **OF_WIDE)
        assert read.column().tolist() == RIGHT.tolist()


def test_predicted_classes_are_compared_as_cases():
    found = pc.compare(wide(), algorithms=[*SAID], **OF_WIDE)
    assert found.plan.blocks == "cases"
    given = wide().assign(**{name: RIGHT[:, i] for i, name in enumerate(SAID)})
    marks = {"metric": "accuracy", "better": "higher", "block": "id"}
    wanted = pc.compare(given, pc.Plan(blocks="cases"), algorithms=[*SAID], **marks)
    assert found.scores.sha256 == wanted.scores.sha256
    assert found.plan == wanted.plan


def test_gaps_are_missing_and_other_labels_are_wrong():
    frame = wide()
    frame.loc[3, "m1"] = None
    frame.loc[[4, 5], "m2"] = "could not be parsed"
    scores = pc.Scores.from_wide(frame, **OF_WIDE, missing="model")
    assert np.argwhere(np.isnan(scores.column())).tolist() == [[3, 0]]
    assert scores.column()[[4, 5], 1].tolist() == [0, 0]
    told = "2 predictions in 'm2' are no true class and are treated as wrong: "
    assert f"{told}'could not be parsed'" in scores.notes
    marked = pc.Scores.from_wide(
        frame, **OF_WIDE, missing="model", na=["could not be parsed", "0"]
    )
    assert np.isnan(marked.column()).sum() == 3  # a 0 that means wrong stays


def test_a_class_that_reads_as_missing_is_a_class(tmp_path):
    path = tmp_path / "w.csv"
    wide(("NA", "other", "nan")).to_csv(path, index=False)
    scores = pc.read_scores(path, wide=True, **OF_WIDE)
    assert scores.column().tolist() == RIGHT.tolist()


@pytest.mark.parametrize(
    "change, part",
    [
        ({"truth": "labels"}, "did you mean 'label'"),
        ({"truth": "id"}, "has another role, too"),
        ({"better": "lower"}, "higher is better; got 'accuracy': lower"),
        ({"one_is": "cat"}, "both state what scores mean"),
        ({"value": "m1"}, "value"),
    ],
)
def test_truth_that_cannot_be_is_refused(tmp_path, change, part):
    path = tmp_path / "w.csv"
    wide().to_csv(path, index=False)
    with pytest.raises(pc.InputError, match=part):
        pc.read_scores(path, wide=True, **(OF_WIDE | change))


@pytest.mark.parametrize(
    "labels, part",
    [(("Cat", "dog", "bird"), "differs in case or blanks only"),
     (("x", "y", "z"), "no row of 'label' has one of these classes")],
)  # fmt: skip
def test_classes_that_are_written_otherwise_are_refused(labels, part):
    frame = wide().assign(m2=written(SAID["m2"], labels))
    with pytest.raises(pc.InputError, match=part):
        pc.Scores.from_wide(frame, **OF_WIDE)


def test_a_long_table_of_predicted_classes_names_their_column():
    with pytest.raises(pc.InputError, match=r"value=\.\.\."):
        pc.Scores.from_frame(long(), **(OF_LONG | {"value": None}))


VERDICTS = ("fail", "pass")


def verdicts(labels=VERDICTS):
    columns = {
        name: written(RIGHT[:, i].astype(int), labels) for i, name in enumerate(SAID)
    }
    return pd.DataFrame({"id": [f"q{i}" for i in range(N)]} | columns)


OF_VERDICTS = {"metric": "passed", "better": "higher", "block": "id"}


def test_one_of_two_labels_is_one_and_the_other_zero():
    scores = pc.Scores.from_wide(verdicts(), **OF_VERDICTS, one_is="pass")
    assert scores.column().tolist() == RIGHT.tolist()
    assert scores.notes == (
        "'pass' read as 1, 'fail' as 0 in 'm1', 'm2', 'm3', as declared",
    )
    other = pc.Scores.from_wide(verdicts(), **OF_VERDICTS, one_is="fail")
    assert other.column().tolist() == (1 - RIGHT).tolist()
    frame = verdicts().melt("id", var_name="model", value_name="verdict")
    roles = {"algorithm": "model", "block": "id", "metrics": {"verdict": "higher"}}
    held = pc.Scores.from_frame(frame, **roles, one_is="pass")
    assert held.column().tolist() == RIGHT.tolist()


def test_an_algorithm_that_always_fails_is_zero():
    frame = verdicts().assign(m3="fail")
    scores = pc.Scores.from_wide(frame, **OF_VERDICTS, one_is="pass")
    assert not scores.column()[:, 2].any()


def test_verdicts_are_named_and_none_is_proposed():
    frame = verdicts()
    told = set()
    for one in ("right", "wrong"):
        with pytest.raises(pc.InputError) as refused:
            pc.Scores.from_wide(frame, **OF_VERDICTS, one_is=one)
        told.add(str(refused.value).replace(one, "X"))
    assert told == {"one_is='X': no score is 'X'; the scores are 'fail', 'pass'"}
    frame.loc[2, "m1"] = "timeout"
    with pytest.raises(pc.InputError, match=r"3 labels, .* na=\.\.\."):
        pc.Scores.from_wide(frame, **OF_VERDICTS, one_is="pass")
    scores = pc.Scores.from_wide(
        frame, **OF_VERDICTS, one_is="pass", na=["timeout"], missing="drop-block"
    )
    assert scores.n_blocks == N - 1
    numbers = pd.DataFrame({"id": list("ab"), "m1": [1, 2], "m2": [2, 1]})
    with pytest.raises(pc.InputError, match="no column of scores holds labels"):
        pc.Scores.from_wide(numbers, **OF_VERDICTS, one_is="pass")


# ---- what FILE alone is read as ------------------------------------------------------


def printed(path, frame, name="compare"):
    frame.to_csv(path, index=False)
    status, text, told = command(name, path)
    assert status == 2
    lines = [one for one in text.splitlines() if one.startswith("pycompare ")]
    return text, told, shlex.split(lines[0])[1:] if lines else []


def test_predicted_classes_alone_are_certain(tmp_path):
    path, out = tmp_path / "w.csv", tmp_path / "out"
    for frame, words in (
        (wide(), ["--wide", "--block", "id", "--truth", "label"]),
        (wide((0, 1, 2), truth="y_true"), ["--truth", "y_true"]),
        (wide(case=None), ["--number", "block", "--truth", "label"]),
        (long().rename(columns={"said": "prediction"}), ["--value", "prediction"]),
    ):
        text, told, line = printed(path, frame)
        assert told == "pycompare: nothing is open; --accept runs it\n"
        assert " ".join(words) in " ".join(line)
        assert "true classes: column " in text
        status, _, told = command(*line[:-1], out, "--overwrite")
        assert status == 0, told
        assert "on cases like these" in (out / "report.html").read_text("utf-8")


@pytest.mark.parametrize("labels", [(0, 1), (False, True), ("0.0", "1.0")])
def test_zeros_and_ones_beside_true_classes_are_one_question(tmp_path, labels):
    def binary(codes):
        return [labels[code % 2] for code in codes]

    frame = pd.DataFrame(
        {"id": range(N), "label": binary(TRUE)}
        | {name: binary(codes) for name, codes in SAID.items()}
    )
    path = tmp_path / "w.csv"
    text, told, line = printed(path, frame)
    assert told == "pycompare: 1 open question\n"
    assert "1. truth-column: column 'label'" in text
    out = tmp_path / "out"
    assert command(*line[:-1], out)[0] == 2
    cases = ["--blocks", "cases"]
    for more in (["--truth", "label"], ["--leave-out", "column=label", *cases]):
        status, _, told = command(*line[:-1], out, *more, "--overwrite")
        assert status == 0, told


def test_scores_beside_true_classes_are_one_question(tmp_path):
    frame = wide().assign(**{n: RNG.random(N).round(3) for n in SAID})
    text, told, _ = printed(tmp_path / "w.csv", frame, "compare")
    assert told == "pycompare: 2 open questions\n"
    assert "seem to hold scores of cases, and 'label' their true classes" in text
    numbered = frame.assign(label=TRUE % 2)
    with pytest.raises(pc.DoubtError, match=r"truth-column: .*pycompare curves"):
        pc.Scores.from_wide(
            numbered, metric="s", better="higher", block="id", algorithms=[*SAID]
        )
    options = {"metric": "s", "better": "higher", "block": "id"}
    assert pc.Scores.from_wide(
        numbered, **options, leave_out=["column=label"]
    ).n_algorithms == len(SAID)


@pytest.mark.parametrize("name", ["measure", "curves"])
def test_predicted_classes_are_no_scores_of_cases(tmp_path, name):
    text, told, line = printed(tmp_path / "w.csv", wide(), name)
    assert told == "pycompare: 1 open question\n" and not line
    assert "pycompare compare FILE" in text


def test_a_group_called_class_is_no_true_class():
    table = {
        "data": [f"d{i}" for i in range(30)],
        "class": ["image", "text"] * 15,
        "svm": RNG.random(30).round(3),
        "knn": RNG.random(30).round(3),
    }
    scores = pc.Scores.from_wide(
        table, metric="accuracy", better="higher", block="data", group="class"
    )
    assert scores.group_names == ("image", "text")


def test_rows_of_a_frame_keep_the_labels_of_its_index():
    reading = pc.propose(wide(case=None))
    assert reading.questions == () and reading.accept().blocks[0] == "1"
    frame = wide().set_index("id")
    scores = pc.Scores.from_wide(frame, **(OF_WIDE | {"block": None}))
    assert scores.blocks == tuple(wide()["id"])
    assert scores.column().tolist() == RIGHT.tolist()
    left = pc.Scores.from_wide(
        frame, **(OF_WIDE | {"block": None}), leave_out=["algorithm=m2"]
    )
    assert left.algorithms == ("m1", "m3")


def test_verdicts_alone_ask_which_is_one(tmp_path):
    path, out = tmp_path / "v.csv", tmp_path / "out"
    text, told, line = printed(path, verdicts())
    assert told == "pycompare: 3 open questions\n"
    assert "is set to 1 (--one-is), the other as 0: 'fail', 'pass'" in text
    words = " ".join(line[:-1]).replace("fail|pass", "pass")
    words = words.replace("score:higher|lower", "passed:higher")
    status, _, told = command(*words.split(), out, "--blocks", "cases")
    assert status == 0, told
    long_table = verdicts().melt("id", var_name="model", value_name="verdict")
    text, _, line = printed(path, long_table)
    assert "--block id --one-is fail|pass" in " ".join(line)
