"""No message proposes a value of the data where the choice changes the conclusion.

Each question is asked with the rows in both orders, and must be the same.
"""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.classes import declared
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

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


def asked(tmp_path, table: pd.DataFrame, *more) -> str:
    """Return what a wide table is asked, the same in each order of rows and columns."""
    told = set()
    for columns in (list(table), list(table)[::-1]):
        for rows in (table, table[::-1]):
            path = tmp_path / "w.csv"
            rows[columns].to_csv(path, index_label="d")
            told.add(compared(path, tmp_path / "out", *more)[1])
    [one] = told
    return one


def compared(path, out, *more) -> tuple[int, str, str]:
    """Compare a wide table and return the status, what was refused and the rest."""
    words = ["compare", path, "--wide", "--metric", "acc:higher"]
    status, text, told = command(*words, "--blocks", "datasets", "--out", out, *more)
    return status, told, text


DATA_SETS = [f"d{i}" for i in range(6)]
PROPORTIONS = pd.DataFrame(
    {"A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.5], "B": [0.8, 0.7, 0.7, 0.6, 0.7, 0.4]},
    index=DATA_SETS,
)


def followed(tmp_path, table: pd.DataFrame, *more) -> str:
    """Return the first line of a comparison with the options that were advised."""
    table.to_csv(tmp_path / "f.csv", index_label="d")
    status, told, text = compared(
        tmp_path / "f.csv", tmp_path / "done", "--overwrite", *more
    )
    assert status == 0, told
    return text.splitlines()[0]


def test_a_column_on_another_scale_is_neither_dropped_nor_chosen(tmp_path):
    table = PROPORTIONS.assign(C=[91.5, 80, 75, 60, 70, 66], n=0.5)
    told = asked(tmp_path, table)
    assert "2 columns may not be algorithms: 'C' has" in told
    assert "(--algorithms NAME, one for each); columns: 'A', 'B', 'C', 'n'" in told
    assert "(--percent NAME, one for each); these may be: 'C'\n" in told
    left = ["--algorithms", "A", "--algorithms", "B"]
    assert followed(tmp_path, table, *left) == "Algorithms: A, B"
    more = ["--algorithms", "C", "--percent", "C"]
    assert followed(tmp_path, table, *left, *more) == "Algorithms: A, B, C"


def test_all_columns_of_text_are_shown_with_both_ways(tmp_path):
    table = PROPORTIONS.assign(C=["x", "y", "z", "x", "y", "z"], note="text")
    for rows in (table, table[::-1]):
        for columns in (list(table), list(table)[::-1]):
            path = tmp_path / "w.csv"
            rows[columns].to_csv(path, index_label="d")
            status, told, _ = compared(path, tmp_path / "out")
            assert status == 2
            assert "column 'C': 6 of 6 values" in told and "line 2: " in told
            assert "Also column 'note': 6 of 6 values" in told
            assert (
                "if 'C', 'note' are no algorithms, name the columns that are (" in told
            )
            assert "(--algorithms NAME, one for each)" in told
            assert told.endswith("columns: 'A', 'B', 'C', 'note'\n")
    left = ["--algorithms", "A", "--algorithms", "B"]
    assert followed(tmp_path, table, *left) == "Algorithms: A, B"


def test_a_column_of_text_with_gaps_may_be_no_algorithm(tmp_path):
    table = PROPORTIONS.assign(note=["late", *[None] * 5])
    table.to_csv(tmp_path / "w.csv", index_label="d")
    told = compared(tmp_path / "w.csv", tmp_path / "out")[1]
    with pytest.raises(pc.InputError) as error:
        pc.Scores.from_wide(table, metric="acc", better="higher")
    for one in (told, str(error.value)):
        assert "'late' is text" in one and "if 'note' is no algorithm, name" in one


def test_bad_cells_of_all_columns_are_shown_at_their_places():
    frame = PROPORTIONS.astype(object)
    frame.loc["d3", "A"], frame.loc["d1", "B"] = "1 bad", "2%"
    told = set()
    for columns in ("AB", "BA"):
        with pytest.raises(pc.InputError) as error:
            pc.Scores.from_wide(frame[list(columns)], metric="acc", better="higher")
        told.add(str(error.value))
    [one] = told
    assert "'1 bad'" in one and "'2%'" in one and "percent=('B',)" in one
    assert "no algorithm" not in one


def test_columns_in_two_units_are_all_shown(tmp_path):
    table = PROPORTIONS.assign(C=95.5, E=71.5)
    told = set()
    for columns in (list(table), list(table)[::-1]):
        for rows in (table, table[::-1]):
            rows[columns].to_csv(tmp_path / "w.csv", index_label="d")
            _, said, _ = compared(tmp_path / "w.csv", tmp_path / "out")
            told.add(said.partition("Write all scores")[2])
    [one] = told  # the scores before it are named by their lines
    assert "(--percent NAME, one for each); these may be: 'C', 'E'" in one
    both = ["--percent", "C", "--percent", "E"]
    assert followed(tmp_path, table, *both) == "Algorithms: A, B, C, E"


def test_the_first_column_of_text_or_sheet_is_not_taken(tmp_path):
    table = PROPORTIONS.rename_axis("place").reset_index().assign(kind=list("uvwxyz"))
    for columns in (["place", "kind", "A", "B"], ["kind", "place", "A", "B"]):
        table[columns].to_csv(tmp_path / "w.csv")
        status, told, _ = compared(tmp_path / "w.csv", tmp_path / "out")
        assert status == 2
        assert told.endswith("(--block); columns of text: 'kind', 'place'\n")
    path = tmp_path / "w.xlsx"
    for names in (["first", "other"], ["other", "first"]):
        with pd.ExcelWriter(path) as book:
            for name in names:
                PROPORTIONS.to_excel(book, sheet_name=name, index_label="d")
        status, told, _ = compared(path, tmp_path / "out")
        assert status == 2 and told.endswith("name one (--sheet NAME)\n")
    status, _, _ = compared(path, tmp_path / "done", "--sheet", "other")
    assert status == 0


def test_the_first_column_of_text_of_a_frame_is_not_taken():
    frame = PROPORTIONS.rename_axis("place").reset_index().assign(kind=list("uvwxyz"))
    for columns in (["place", "kind", "A", "B"], ["kind", "place", "A", "B"]):
        with pytest.raises(pc.InputError) as error:
            pc.Scores.from_wide(frame[columns], metric="acc", better="higher")
        assert "block='" not in str(error.value)
        assert str(error.value).endswith(
            "(block=...); columns of text: 'kind', 'place'"
        )


def test_a_separator_is_not_taken_from_two(tmp_path):
    (tmp_path / "w.csv").write_text("d|x;A|y;B|z\na;0.1;0.2\n")
    status, told, _ = compared(tmp_path / "w.csv", tmp_path / "out")
    assert status == 2
    assert "separated by ';' or '|' and not by ','; declare it: --sep MARK" in told


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
