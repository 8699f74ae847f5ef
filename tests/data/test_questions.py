"""No message proposes a value of the data where the choice changes the conclusion.

Each question is asked with the rows in both orders, and must be the same.
"""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.classes import declared
from tests.command_line import command

RNG = np.random.default_rng(4)


def ratings(labels, *, reverse: bool) -> pd.DataFrame:
    """Ratings of two modalities by three readers; a class for each case in turn."""
    rows = pd.DataFrame(
        {"m": m, "r": r, "c": f"c{c}", "x": float(RNG.normal()), "y": c % len(labels)}
        for m in "AB"
        for r in "stu"
        for c in range(12)
    )
    rows["y"] = [labels[k] for k in rows["y"]]
    return rows[::-1] if reverse else rows


MRMC = ["--modality", "m", "--reader", "r", "--case", "c", "--rating", "x"]
MRMC += ["--truth", "y"]
PILOT = ["power", "mrmc", "--n-cases", "50", "--n", "4", "--trials", "0"]
PILOT_COLUMNS = [w.replace("--", "--pilot-") for w in MRMC]


def problem(path, rows, words, *more) -> str:
    """Return the one line that refuses the command."""
    rows.to_csv(path, index=False)
    place = words.index("FILE")
    words = [*words[:place], path, *words[place + 1 :], *more]
    status, _, told = command(*words)
    assert status == 2, told
    return told


COMMANDS = {
    "mrmc": (["mrmc", "FILE", *MRMC], "--positive LABEL"),
    "power": ([*PILOT, "--pilot", "FILE", *PILOT_COLUMNS], "--pilot-positive LABEL"),
}


@pytest.mark.parametrize("which", COMMANDS)
@pytest.mark.parametrize("labels", [("benign", "malignant"), ("no", "yes"), (2, 1)])
def test_no_class_is_proposed(tmp_path, which, labels):
    words, option = COMMANDS[which]
    told = {
        problem(tmp_path / "r.csv", ratings(labels, reverse=r), words)
        for r in (False, True)
    }
    [one] = told
    first, second = sorted(map(str, labels))
    assert f"the classes '{first}', '{second}'" in one
    assert one.rstrip().endswith(option)


@pytest.mark.parametrize("which", COMMANDS)
def test_three_classes_of_readers_have_a_remedy_that_works(tmp_path, which):
    words, _ = COMMANDS[which]
    for reverse in (False, True):
        rows = ratings(("none", "benign", "cancer"), reverse=reverse)
        told = problem(tmp_path / "r.csv", rows, words)
        assert "holds 3 classes" in told and "--" not in told
        rows["y"] = rows["y"].replace("benign", "none")
        path = tmp_path / "again.csv"
        rows.to_csv(path, index=False)
        after = [path if word == "FILE" else word for word in words]
        option = "--pilot-positive" if which == "power" else "--positive"
        assert command(*after, option, "cancer")[0] == 0


@pytest.mark.parametrize(
    "labels",
    [("0", "1"), ("0.0", "1.0"), ("F", "T"), ("FALSE", "TRUE"), ("False", "True")],
)
@pytest.mark.parametrize("which", COMMANDS)
def test_what_means_0_and_1_needs_no_declaration(tmp_path, which, labels):
    words, _ = COMMANDS[which]
    both = []
    for name, own, more in (("own", labels, []), ("said", labels, [labels[1]])):
        path = tmp_path / f"{name}.csv"
        ratings(own, reverse=False).assign(x=lambda d: np.arange(len(d)) % 7).to_csv(
            path, index=False
        )
        after = [path if word == "FILE" else word for word in words]
        option = "--pilot-positive" if which == "power" else "--positive"
        status, told, wrong = command(*after, *([option, *more] if more else []))
        assert status == 0, wrong
        both.append(told)
    assert both[0] == both[1]
    assert declared(labels[::-1], None, "y") == labels[1]


def test_a_pilot_of_cases_needs_no_declaration_of_0_and_1(tmp_path):
    y = np.repeat([1, 0], 20)
    rows = pd.DataFrame({"y": y, "s": y + RNG.normal(size=40)})
    rows.to_csv(tmp_path / "c.csv", index=False)
    words = ["power", "auc", "--n", "50", "--trials", "0", "--pilot"]
    words += [tmp_path / "c.csv", "--pilot-label", "y", "--pilot-score", "s"]
    assert command(*words)[0] == 0
    rows.replace({"y": {0: "healthy", 1: "ill"}}).to_csv(
        tmp_path / "c.csv", index=False
    )
    status, _, told = command(*words)
    assert status == 2 and "'healthy', 'ill'" in told
    assert told.rstrip().endswith("--pilot-positive LABEL")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("which", ["measure", "curves"])
def test_no_pair_of_classes_is_proposed(tmp_path, which, ending):
    rows = pd.DataFrame(
        {"a": a, "f": f, "y": ("none", "benign", "cancer")[k % 3], "p": k / 12}
        for a in "AB"
        for f in "12"
        for k in range(12)
    )
    words = ["--algorithm", "a", "--block", "f", "--label", "y", "--score", "p"]
    words += ["--positive", "cancer", "--out", tmp_path / "out.parquet"]
    words += ["--metric", "auc"] if which == "measure" else []
    for reverse in (False, True):
        path = tmp_path / f"p{reverse}.{ending}"
        own = rows[::-1] if reverse else rows
        own.to_csv(path) if ending == "csv" else own.to_parquet(path)
        status, _, told = command(which, path, *words)
        assert status == 2
        assert "with one of them (--classes LABEL LABEL)" in told
        assert all(repr(name) in told for name in ("none", "benign", "cancer"))


def test_no_algorithm_is_named_as_the_one_to_leave_out():
    told = set()
    for order in ("abc", "bca"):
        frame = pd.DataFrame(
            {"a": [1, None, 3.0], "b": [None, 2, 3.0], "c": [1, 2, 3.0]}
        )
        with pytest.raises(pc.InputError) as error:
            pc.Scores.from_wide(
                frame[list(order)], metric="x", better="higher", missing="drop-block"
            )
        told.add("'a' in 1" in str(error.value) and "'b' in 1" in str(error.value))
        assert "leave it out" not in str(error.value)
    assert told == {True}


def test_no_column_is_left_out_for_one_bad_cell(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("d,A,B,C\na,-.9,-.8,bad\nb,-.8,-.7,-.6\n")
    words = ["compare", path, "--wide", "--metric", "acc:higher", "--blocks"]
    status, _, told = command(*words, "datasets", "--out", tmp_path / "out")
    assert status == 2 and "'bad' is text" in told and "no algorithm" not in told
    path.write_text("d,A,B,C\na,-.9,-.8,bad\nb,-.8,-.7,worse\n")
    status, _, told = command(*words, "datasets", "--out", tmp_path / "out")
    assert "if 'C' is no algorithm" in told and "--algorithms NAME" in told


def test_names_to_choose_from_are_shown_not_chosen():
    scores = pc.example()
    with pytest.raises(
        pc.DesignError, match=r"name two, algorithms=\(\.\.\., \.\.\.\)"
    ):
        pc.paired_t(scores)
    model = pc.RoeMetz(
        separation=(1.0, 1.0),
        reader=0.1,
        modality_reader=0.1,
        case=0.3,
        modality_case=0.1,
        reader_case=0.1,
        error=0.3,
    )
    with pytest.raises(pc.InputError, match=r"'M1', 'M2': name one, modality=\.\.\."):
        pc.single_modality(model.draw(n_readers=3, n_positive=9, n_negative=9, seed=1))
